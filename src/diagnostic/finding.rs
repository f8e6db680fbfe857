//! What can be said about a place in a text: the plain data that every room hands on.

use crate::diagnostic::Span;

/// How bad a finding is, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Something is wrong.
    Error,
    /// Something is odd.
    Warning,
    /// Something could be tidier; shown only when asked for.
    Hint,
}

impl Severity {
    /// Its name in JSON and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Hint => "hint",
        }
    }
}

macro_rules! codes {
    ($($variant:ident $name:literal,)*) => {
        /// A stable diagnostic code. Severity, title and explanation are in `analysis::code_docs`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code { $(#[doc = concat!("`", $name, "`")] $variant,)* }

        impl Code {
            /// All codes, in the order of the manual.
            pub const ALL: &'static [Code] = &[$(Code::$variant,)*];

            /// The kebab-case name.
            pub fn name(self) -> &'static str {
                match self { $(Code::$variant => $name,)* }
            }
        }
    };
}

codes! {
    Syntax "syntax",
    UnknownKeyword "unknown-keyword",
    MissingBoard "missing-board",
    SecondBoard "second-board",
    WrongQuery "wrong-query",
    BoardShape "board-shape",
    UnknownPiece "unknown-piece",
    MixedEmpty "mixed-empty",
    OffBoard "off-board",
    OccupiedSquare "occupied-square",
    LightSquare "light-square",
    Kings "kings",
    TooManyPieces "too-many-pieces",
    ImpossiblePosition "impossible-position",
    IllegalMove "illegal-move",
    Unsolvable "unsolvable",
    WrongAnswer "wrong-answer",
    WrongSolution "wrong-solution",
    NotUnique "not-unique",
    Undecided "undecided",
    DuplicatePuzzle "duplicate-puzzle",
    DuplicateName "duplicate-name",
    UnusedAllow "unused-allow",
    KingLetter "king-letter",
}

impl Code {
    /// The code of that name.
    pub fn from_name(name: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|c| c.name() == name)
    }
}

/// Replaces a range of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What goes; empty for an insertion.
    pub span: Span,
    /// What comes.
    pub text: String,
}

/// A way to mend a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does, as an order: "replace with `solve`".
    pub title: String,
    /// Edits that do not overlap, in order of position.
    pub edits: Vec<Edit>,
    /// Whether `--fix` may apply it unasked: it cannot change what a correct puzzle means.
    pub safe: bool,
}

impl Fix {
    /// A fix of one edit.
    pub fn new(title: impl Into<String>, span: Span, text: impl Into<String>, safe: bool) -> Fix {
        Fix { title: title.into(), edits: vec![Edit { span, text: text.into() }], safe }
    }
}

/// Another place that belongs to a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// The index of the file among those checked together, where it is not the finding's own.
    pub file: Option<u32>,
    /// The place.
    pub span: Span,
    /// What is there.
    pub message: String,
}

/// Something found in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What kind of finding.
    pub code: Code,
    /// Where.
    pub span: Span,
    /// One sentence without a full stop at its end.
    pub message: String,
    /// More sentences, each on a line of its own: the reasons.
    pub notes: Vec<String>,
    /// Other places that belong to it.
    pub related: Vec<Related>,
    /// Ways to mend it, the best first.
    pub fixes: Vec<Fix>,
}

impl Finding {
    /// A finding with neither notes nor fixes.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Finding {
        Finding {
            code,
            span,
            message: message.into(),
            notes: Vec::new(),
            related: Vec::new(),
            fixes: Vec::new(),
        }
    }

    /// Adds a fix.
    pub fn fix(mut self, fix: Fix) -> Finding {
        self.fixes.push(fix);
        self
    }

    /// Adds a note.
    pub fn note(mut self, note: impl Into<String>) -> Finding {
        self.notes.push(note.into());
        self
    }

    /// Moves it so many bytes, with all its places in the same text.
    pub fn shift(&mut self, by: i64) {
        self.span.shift(by);
        self.related.iter_mut().filter(|r| r.file.is_none()).for_each(|r| r.span.shift(by));
        self.fixes.iter_mut().flat_map(|f| &mut f.edits).for_each(|e| e.span.shift(by));
    }

    /// Adds a place of the same text.
    pub fn related(mut self, span: Span, message: impl Into<String>) -> Finding {
        self.related.push(Related { file: None, span, message: message.into() });
        self
    }
}
