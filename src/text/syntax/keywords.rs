//! The reserved words of the language, in one table.

use crate::syntax::spelling::{near, nearest};

macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($variant:ident $word:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name { $(#[doc = concat!("`", $word, "`")] $variant,)* }

        impl $name {
            /// All variants, in the order of the manual.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];

            /// The word in a text; several for `mate in`.
            pub fn word(self) -> &'static str {
                match self { $($name::$variant => $word,)* }
            }

            /// The variant whose word is exactly `word`.
            fn from_word(word: &str) -> Option<$name> {
                match word {
                    $($word => Some($name::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

words! {
    /// A game. A new game adds its keyword here.
    GameId {
        Solitaire "solitaire",
        Chess "chess",
        Chess3d "chess3d",
        Draughts "draughts",
    }
}

words! {
    /// A property of a puzzle, or of a file: then it is a default for the puzzles below it.
    Property {
        Size "size",
        Origin "origin",
        Turn "turn",
        Castling "castling",
        EnPassant "en-passant",
        Solutions "solutions",
        Rules "rules",
        Unique "unique",
        Author "author",
        Source "source",
        Note "note",
        Hint "hint",
        Difficulty "difficulty",
        Id "id",
        Tags "tags",
        Allow "allow",
    }
}

words! {
    /// The verb of a query.
    Verb {
        Solve "solve",
        Count "count",
        Move "move",
        Mate "mate",
        MateIn "mate in",
        Selfmate "selfmate",
        Helpmate "helpmate",
        Capture "capture",
        Line "line",
    }
}

impl Verb {
    /// Its name in JSON.
    pub fn id(self) -> &'static str {
        match self {
            Verb::MateIn => "mate-in",
            verb => verb.word(),
        }
    }
}

/// A reserved word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keyword {
    /// Opens a puzzle.
    Game(GameId),
    /// Opens a property, a board or a query.
    Item(Item),
}

/// An item of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// A property.
    Property(Property),
    /// The board.
    Board,
    /// A query.
    Query(Verb),
}

impl Keyword {
    /// The keyword that is exactly `word`. Keywords are lower case.
    pub fn from_word(word: &str) -> Option<Keyword> {
        // This runs for each row of a board: reject nearly all of them at once.
        match word.as_bytes() {
            [b'#', b'0'..=b'9', ..] | [b's' | b'h', b'#', b'0'..=b'9', ..] => {
                return short_form(word).map(|(verb, _)| Keyword::Item(Item::Query(verb)));
            }
            [b'a'..=b'z', ..] => {}
            _ => return None,
        }
        if word == "board" {
            return Some(Keyword::Item(Item::Board));
        }
        let query = || Verb::from_word(word).map(|v| Keyword::Item(Item::Query(v)));
        let property = || Property::from_word(word).map(|p| Keyword::Item(Item::Property(p)));
        query().or_else(|| GameId::from_word(word).map(Keyword::Game)).or_else(property)
    }

    /// Every keyword that is one word.
    pub fn all() -> impl Iterator<Item = Keyword> {
        let games = GameId::ALL.iter().map(|&g| Keyword::Game(g));
        let properties = Property::ALL.iter().map(|&p| Keyword::Item(Item::Property(p)));
        let is_word = |v: &&Verb| **v != Verb::MateIn;
        let queries = Verb::ALL.iter().filter(is_word).map(|&v| Keyword::Item(Item::Query(v)));
        games.chain(properties).chain([Keyword::Item(Item::Board)]).chain(queries)
    }

    /// The word in a text.
    pub fn word(self) -> &'static str {
        match self {
            Keyword::Game(g) => g.word(),
            Keyword::Item(Item::Property(p)) => p.word(),
            Keyword::Item(Item::Board) => "board",
            Keyword::Item(Item::Query(v)) => v.word(),
        }
    }
}

/// The verb and the length of a composers' short form: `#2`, `s#3`, `h#2.5`. The length is not judged.
pub fn short_form(word: &str) -> Option<(Verb, &str)> {
    let forms = [("#", Verb::MateIn), ("s#", Verb::Selfmate), ("h#", Verb::Helpmate)];
    let (verb, length) = forms.into_iter().find_map(|(mark, verb)| Some((verb, word.strip_prefix(mark)?)))?;
    is_length(length).then_some((verb, length))
}

/// Whether a word is written as the length of a chess problem: `2`, `2.5`. The length is not judged.
pub fn is_length(word: &str) -> bool {
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    let (whole, half) = word.split_once('.').unwrap_or((word, "5"));
    is_number(whole) && is_number(half)
}

/// Whether a word is the name of a custom property: `x-` and a name of letters, digits, `-` and `_` that begins with a
/// letter.
pub fn is_custom_name(word: &str) -> bool {
    let Some(name) = word.strip_prefix("x-") else { return false };
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
}

/// Words of other programs for the same thing.
const SYNONYMS: [(&str, Keyword); 11] = [
    ("fen", Keyword::Item(Item::Board)),
    ("pdn", Keyword::Item(Item::Board)),
    ("position", Keyword::Item(Item::Board)),
    ("checkmate", Keyword::Item(Item::Query(Verb::Mate))),
    ("solution", Keyword::Item(Item::Query(Verb::Solve))),
    ("comment", Keyword::Item(Item::Property(Property::Note))),
    ("castle", Keyword::Item(Item::Property(Property::Castling))),
    ("enpassant", Keyword::Item(Item::Property(Property::EnPassant))),
    ("variation", Keyword::Item(Item::Query(Verb::Line))),
    ("checkers", Keyword::Game(GameId::Draughts)),
    ("shashki", Keyword::Game(GameId::Draughts)),
];

/// The nearest keyword to a misspelt word, of those that `fits` accepts. Case is ignored: `Solve` is `solve`.
pub fn nearest_keyword(word: &str, fits: impl Fn(Keyword) -> bool) -> Option<Keyword> {
    if let Some(keyword) = synonym(word).filter(|&k| fits(k)) {
        return Some(keyword);
    }
    let words: Vec<Keyword> = Keyword::all().filter(|&k| fits(k) && !is_too_short(k, word)).collect();
    nearest(word, words.iter().map(|k| k.word())).map(|i| words[i])
}

/// Whether a keyword is so short that every short word is near it: then only its capitals are a slip.
fn is_too_short(keyword: Keyword, word: &str) -> bool {
    keyword.word().len() < 3 && !keyword.word().eq_ignore_ascii_case(word)
}

fn synonym(word: &str) -> Option<Keyword> {
    SYNONYMS.into_iter().find(|(w, _)| w.eq_ignore_ascii_case(word)).map(|(_, k)| k)
}

/// Whether `word` is not a synonym and exactly one keyword is nearest to it.
pub(super) fn is_sure(word: &str) -> bool {
    let words: Vec<&str> = Keyword::all().filter(|&k| !is_too_short(k, word)).map(Keyword::word).collect();
    let distances = near(word, words.iter().copied());
    let best = distances.iter().map(|d| d.0).min();
    synonym(word).is_none() && distances.iter().filter(|d| Some(d.0) == best).count() == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_keyword_is_found_and_nothing_near_it() {
        for k in Keyword::all() {
            assert_eq!(Keyword::from_word(k.word()), Some(k));
            assert_eq!(Keyword::from_word(&k.word().to_uppercase()), None);
            assert_eq!(nearest_keyword(&k.word().to_uppercase(), |_| true), Some(k));
        }
        assert_eq!(nearest_keyword("solv", |_| true), Some(Keyword::Item(Item::Query(Verb::Solve))));
        assert_eq!(nearest_keyword("baord", |_| true), Some(Keyword::Item(Item::Board)));
        assert_eq!(nearest_keyword("FEN", |_| true), Some(Keyword::Item(Item::Board)));
        for other in ["RP..", "it", "if", "aid", "x-id"] {
            assert_eq!(nearest_keyword(other, |_| true), None, "{other}");
        }
    }

    #[test]
    fn names_of_custom_properties_begin_with_x_and_a_letter() {
        for name in ["x-rating", "x-a", "x-popularity_2", "x-en-passant"] {
            assert!(is_custom_name(name), "{name}");
        }
        for other in ["x-", "x", "x-x-x-x-.", "x--", "x-1", "X-rating", "rating", "x-é", "x-a:"] {
            assert!(!is_custom_name(other), "{other}");
        }
    }
}
