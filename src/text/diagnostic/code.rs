//! Diagnostic codes, which are stable, severities, and sets of codes.

/// The severity of a finding, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Something is wrong.
    Error,
    /// Something is odd.
    Warning,
    /// Something could be tidier. The command line shows it with `--hints` only.
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
    NotForThisGame "not-for-this-game",
    BoardShape "board-shape",
    UnknownPiece "unknown-piece",
    MixedEmpty "mixed-empty",
    OffBoard "off-board",
    OccupiedSquare "occupied-square",
    LightSquare "light-square",
    TooManyKings "too-many-kings",
    TooManyPieces "too-many-pieces",
    ImpossiblePosition "impossible-position",
    IllegalMove "illegal-move",
    Unsolvable "unsolvable",
    WrongAnswer "wrong-answer",
    WrongSolution "wrong-solution",
    WrongMark "wrong-mark",
    AmbiguousMove "ambiguous-move",
    NotUnique "not-unique",
    ShortSolution "short-solution",
    Cook "cook",
    Dual "dual",
    MissingVariation "missing-variation",
    HelpmateTurn "helpmate-turn",
    UnsupportedStipulation "unsupported-stipulation",
    UnsupportedCondition "unsupported-condition",
    Undecided "undecided",
    DuplicatePuzzle "duplicate-puzzle",
    DuplicateName "duplicate-name",
    DuplicateId "duplicate-id",
    UnusedAllow "unused-allow",
    KingLetter "king-letter",
    InvalidValue "invalid-value",
}

impl Code {
    /// The code of that name.
    pub fn from_name(name: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|c| c.name() == name)
    }
}

/// A set of codes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CodeSet(u64);

/// Each code needs a bit of its own.
const _: () = assert!(Code::ALL.len() <= u64::BITS as usize);

impl CodeSet {
    /// Adds a code.
    pub fn insert(&mut self, code: Code) {
        self.0 |= 1 << code as u32;
    }

    /// Whether a code is in the set.
    pub fn contains(self, code: Code) -> bool {
        self.0 & 1 << code as u32 != 0
    }

    /// The union of both sets.
    #[must_use]
    pub fn union(self, other: CodeSet) -> CodeSet {
        CodeSet(self.0 | other.0)
    }
}

impl FromIterator<Code> for CodeSet {
    fn from_iter<I: IntoIterator<Item = Code>>(codes: I) -> CodeSet {
        let mut set = CodeSet::default();
        codes.into_iter().for_each(|code| set.insert(code));
        set
    }
}
