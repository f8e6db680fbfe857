//! The properties in force for a puzzle, and how one property is read.

use crate::analysis::allow_word::{Allow, with_comma};
use crate::analysis::conditions::check_condition;
use cpz_rules::board::{
    Castling, Colour, SizeValue, Square, WrittenRights, read_colour, read_en_passant, square_name,
    write_square,
};
use cpz_rules::games::Dialect;
use cpz_text::diagnostic::{Code, CodeSet, Finding, Fix, Span};
use cpz_text::syntax::{
    Element, Property, PropertyNode, Query, TokenKind, Value, Verb, is_ply_counts, nearest,
};

/// The properties whose value cannot be read. A query that depends on one is not evaluated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct UnreadProperties(u32);

impl UnreadProperties {
    /// Adds a property or takes it out.
    pub fn set(&mut self, property: Property, unread: bool) {
        let bit = 1 << property as u16;
        self.0 = if unread { self.0 | bit } else { self.0 & !bit };
    }

    /// Whether a property is in the set.
    pub fn has(self, property: Property) -> bool {
        self.0 & (1 << property as u16) != 0
    }
}

/// How squares are written in inserted answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SquareStyle {
    /// Moves in chess notation: `d1xb2 a2xb2`, `c3:e5:g7`.
    #[default]
    Chess,
    /// Lists of names: `[d1, b2]`.
    Names,
    /// Lists of numbers: `[[3,0], [1,1]]`.
    Numbers,
}

impl SquareStyle {
    /// All variants, with their words in a configuration.
    pub const ALL: [(SquareStyle, &'static str); 3] =
        [(SquareStyle::Chess, "chess"), (SquareStyle::Names, "names"), (SquareStyle::Numbers, "numbers")];
}

/// How inserted answers are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Notation {
    /// How squares are written.
    pub squares: SquareStyle,
    /// `true` and `false` for legal and illegal moves, instead of words.
    pub booleans: bool,
}

impl Notation {
    /// The text of a square; numbers count from `origin`.
    pub fn square(self, square: Square, origin: u8) -> String {
        match self.squares {
            SquareStyle::Numbers => write_square(square, origin, false),
            SquareStyle::Chess | SquareStyle::Names => square_name(square, false),
        }
    }
}

/// The properties in force for a puzzle: those of a file up to a place on top of the configured ones, or the
/// puzzle's own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Defaults {
    /// The size of boards.
    pub size: Option<SizeValue>,
    /// The first coordinate: 0 or 1.
    pub origin: Option<u8>,
    /// The side to move.
    pub turn: Option<Colour>,
    /// The castling rights and the en passant square of chess.
    pub rights: WrittenRights,
    /// The intended number of keys, or of solutions of a helpmate.
    pub solutions: Option<u32>,
    /// The dialect of solitaire.
    pub dialect: Option<Dialect>,
    /// The place of the condition under which a chess problem is kept and not solved.
    pub condition: Option<Span>,
    /// The place of `unique`; nothing where the puzzle need not be unique.
    pub unique: Option<Span>,
    /// The number of the file's `allow` words above the puzzle.
    pub allows: u32,
    /// The codes of these words.
    pub(crate) allowed: CodeSet,
    /// The character for empty cells in boards that cpz writes.
    pub empty: Option<char>,
    /// How answers are written.
    pub notation: Notation,
    /// The properties in force whose value cannot be read.
    pub(crate) unread: UnreadProperties,
}

/// Where a property is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PropertyScope {
    /// Outside of puzzles: a default for those below.
    File,
    /// In a puzzle.
    Puzzle,
}

/// What reading a property gives besides its value.
#[derive(Default)]
pub(crate) struct PropertyReport {
    /// The words of an `allow`.
    pub allows: Vec<Allow>,
    /// What is wrong with the value.
    pub findings: Vec<Finding>,
}

impl Defaults {
    /// The same without `allow`.
    pub(crate) fn without_allowed(self) -> Defaults {
        Defaults { allows: 0, allowed: CodeSet::default(), ..self }
    }

    /// The same without the places of properties, which mean nothing in another text.
    pub(crate) fn without_places(self) -> Defaults {
        let nowhere = Span::at(u32::MAX);
        Defaults {
            unique: self.unique.map(|_| nowhere),
            condition: self.condition.map(|_| nowhere),
            rights: self.rights.at(nowhere),
            size: self.size.map(|s| SizeValue { span: nowhere, ..s }),
            ..self
        }
    }

    /// Reads a property. Counts the `allow` words of a file in [`Defaults::allows`].
    pub(crate) fn set(&mut self, property: PropertyNode<'_>, scope: PropertyScope) -> PropertyReport {
        let mut report = PropertyReport::default();
        let Some(name) = property.name() else { return report };
        match name {
            Property::Unique => {
                let value = property.value().and_then(Value::scalar);
                let is_false = value.is_some_and(|(text, _)| text.eq_ignore_ascii_case("false"));
                self.unique = (!is_false).then(|| property.span());
            }
            Property::Size
            | Property::Origin
            | Property::Turn
            | Property::Castling
            | Property::EnPassant
            | Property::Solutions
            | Property::Rules => {
                let read = property.value().map(|value| self.set_value(name, value, scope));
                // The parser reports a missing value; here it counts as one that cannot be read.
                self.unread.set(name, !matches!(read, Some(Ok(()))));
                report.findings.extend(read.and_then(Result::err));
            }
            Property::Tags | Property::Allow => self.set_words(name, property, scope, &mut report),
            Property::Id => report.findings.extend(self.check_id(property, scope)),
            Property::Hint | Property::Difficulty => {
                let list = property.value().filter(|value| value.scalar().is_none());
                report.findings.extend(list.map(|value| {
                    let message = match name {
                        Property::Hint => "a hint is one text in quotes; for more hints write `hint` again",
                        _ => "a difficulty is a word, a number or a text in quotes",
                    };
                    invalid_value(value, message, &[])
                }));
            }
            Property::Author | Property::Source | Property::Note => {}
            Property::Condition => {
                let content =
                    property.value().map(|value| value.scalar().map_or(value.span(), |(_, span)| span));
                self.condition = Some(content.unwrap_or(property.span()));
                report.findings.extend(check_condition(property));
            }
            Property::HalfDuplex | Property::ZeroPosition => {
                report.findings.extend((scope == PropertyScope::File).then(|| {
                    let message = format!("`{}` is about one puzzle: write it in its braces", name.word());
                    Finding::new(Code::InvalidValue, property.keyword().span(), message)
                }));
            }
        }
        if scope == PropertyScope::File {
            self.allows += report.allows.len() as u32;
        }
        report
    }

    /// Reads the value of a property that queries depend on.
    fn set_value(&mut self, name: Property, value: Value<'_>, scope: PropertyScope) -> Result<(), Finding> {
        let text = value.scalar().map(|(text, _)| text);
        let wrong = |message: &str, words: &[&'static str]| invalid_value(value, message, words);
        // The finding for a value with another way to say `meant`.
        let instead = |message: &str, meant: Option<&str>| match meant {
            Some(meant) => {
                let title = format!("replace with `{meant}`");
                wrong(message, &[]).fix(Fix::new(title, value.span(), meant, true))
            }
            None => wrong(message, &[]),
        };
        let dash = || text.filter(|text| matches!(*text, "none" | "no")).map(|_| "-");
        match name {
            Property::Size => {
                let size =
                    value.scalar().and_then(|(t, s)| SizeValue::parse(t, s, scope == PropertyScope::Puzzle));
                let message = "a size is a number or columns x rows, as in `size 5` or `size 5x6`";
                self.size = Some(size.ok_or_else(|| instead(message, text.and_then(side_of_cube)))?);
            }
            Property::Origin => match text {
                Some("0") => self.origin = Some(0),
                Some("1") => self.origin = Some(1),
                _ => return Err(wrong("`origin` is 0 or 1", &[])),
            },
            Property::Turn => {
                let colour = text.and_then(read_colour);
                self.turn =
                    Some(colour.ok_or_else(|| wrong("`turn` is white or black", &["white", "black"]))?);
            }
            Property::Castling => {
                // Stricter than a FEN of another program: the author is here to correct it.
                let is_plain = |text: &&str| {
                    let letters = text.chars().enumerate();
                    *text == "-" || letters.clone().all(|(i, c)| "KQkq".contains(c) && !text[..i].contains(c))
                };
                let castling = text.filter(is_plain).and_then(Castling::parse);
                let message =
                    "`castling` takes letters of `KQkq`, each once, as in `castling Kq`, or `-` for none";
                self.rights.castling =
                    Some((castling.ok_or_else(|| instead(message, dash()))?, value.span()));
            }
            Property::EnPassant => {
                let is_passed = |square: &Option<Square>| square.is_none_or(|s| matches!(s.y, 2 | 5));
                let square = text.and_then(read_en_passant).filter(is_passed);
                let message = "`en-passant` takes the square behind the pawn that has just moved two steps, on rank 3 \
                               or 6, as in `en-passant e6`, or `-` for none";
                self.rights.en_passant =
                    Some((square.ok_or_else(|| instead(message, dash()))?, value.span()));
            }
            Property::Solutions => {
                let number = text
                    .and_then(|t| t.parse().ok().or_else(|| product_of_counts(t)))
                    .filter(|&n: &u32| n > 0);
                let message = "`solutions` takes the number of intended keys or solutions, as in `solutions 2`, or the \
                               numbers of continuations at each ply, as in `solutions 2.1.1.1`";
                self.solutions = Some(number.ok_or_else(|| wrong(message, &[]))?);
            }
            Property::Rules => {
                let named = |d: &Dialect| text.is_some_and(|t| d.word().eq_ignore_ascii_case(t));
                let dialect = Dialect::ALL.into_iter().find(named);
                let words = Dialect::ALL.map(Dialect::word);
                self.dialect =
                    Some(dialect.ok_or_else(|| wrong("`rules` is default, ranger or solo", &words))?);
            }
            _ => {}
        }
        Ok(())
    }

    /// What is wrong with an `id`.
    fn check_id(&self, property: PropertyNode<'_>, scope: PropertyScope) -> Option<Finding> {
        let value = property.value()?;
        let text = value.scalar().map(|(text, _)| text);
        let message = match text {
            _ if scope == PropertyScope::File => {
                "an `id` names one puzzle: write it in the braces of its puzzle"
            }
            None => "an `id` is a word or a text in quotes",
            Some(text) if text.trim().is_empty() => "this `id` is empty",
            Some(_) => return None,
        };
        Some(invalid_value(value, message, &[]))
    }

    /// Reads the words of `tags` or `allow`.
    fn set_words(
        &mut self,
        name: Property,
        property: PropertyNode<'_>,
        scope: PropertyScope,
        report: &mut PropertyReport,
    ) {
        let elements = property.value().map_or(Vec::new(), Value::elements);
        let is_only = elements.len() == 1;
        for element in elements {
            let (Element::Word(token) | Element::String(token)) = element else {
                let message = format!("`{}` takes a word or a list of words", name.word());
                report.findings.push(Finding::new(Code::InvalidValue, element.span(), message));
                continue;
            };
            if name != Property::Allow {
                continue;
            }
            let (text, word) = token.content();
            let code = Code::from_name(text);
            let meant = nearest(text, Code::ALL.iter().map(|c| c.name())).map(|i| Code::ALL[i]);
            let has_comment = || property.node().tokens().any(|t| t.kind() == TokenKind::Comment);
            let (remove, comma) = match is_only {
                true => ((!has_comment()).then(|| property.span()), None),
                false => {
                    let (remove, comma) = with_comma(token);
                    (Some(remove), comma)
                }
            };
            if scope == PropertyScope::File {
                code.into_iter().for_each(|code| self.allowed.insert(code));
            }
            report.allows.push(Allow { code, span: token.span(), word, remove, comma, meant, used: false });
        }
    }
}

/// A value that cannot be read, with a fix where it is nearly one of `words`.
fn invalid_value(value: Value<'_>, message: &str, words: &[&'static str]) -> Finding {
    let finding = Finding::new(Code::InvalidValue, value.span(), message);
    match value.scalar().and_then(|(text, _)| nearest(text, words.iter().copied())) {
        Some(i) => {
            let title = format!("replace with `{}`", words[i]);
            finding.fix(Fix::new(title, value.span(), words[i], false))
        }
        None => finding,
    }
}

/// The side of a cube that `3x3x3` says.
fn side_of_cube(text: &str) -> Option<&str> {
    let sides: Vec<&str> = text.split(['x', 'X', '×', '*']).collect();
    matches!(sides[..], [a, b, c] if a == b && b == c && a.parse::<u8>().is_ok()).then(|| sides[0])
}

/// How many keys or solutions of a query are meant: as many as the numbers behind its stipulation say, or else `solutions`.
pub fn intended_number(query: Query<'_>, solutions: Option<u32>) -> Option<u32> {
    let own = query.ply_counts().filter(|_| query.verb() != Some(Verb::SetPlay));
    own.and_then(|(text, _)| product_of_counts(text)).or(solutions)
}

/// The number of solutions that `2.1.1.1` says: the product of its numbers.
pub(crate) fn product_of_counts(text: &str) -> Option<u32> {
    let numbers = text.split('.').map(|number| number.parse::<u32>().ok());
    is_ply_counts(text).then(|| numbers.flatten().try_fold(1u32, u32::checked_mul)).flatten()
}
