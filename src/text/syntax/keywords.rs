//! The reserved words of the language, in one table.

use std::hash::{Hash, Hasher};

use crate::syntax::spelling::{near, plain};
use crate::syntax::stipulation::{ProblemKind, short_form, unsolved_form};

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
        Condition "condition",
        HalfDuplex "half-duplex",
        ZeroPosition "zeroposition",
        Tags "tags",
        Allow "allow",
    }
}

/// The verb of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verb {
    /// `solve`
    Solve,
    /// `count`
    Count,
    /// `move`
    Move,
    /// `mate`
    Mate,
    /// A chess problem: `mate in 2`, `h#2`.
    Problem(ProblemKind),
    /// `twin`, a chess problem that is another one with a change.
    Twin,
    /// `set-play`, a chess problem with the other side to move first.
    SetPlay,
    /// `duplex`, a chess problem with the sides exchanged.
    Duplex,
    /// A stipulation that is known and not solved: `h##2`.
    Unsolved,
    /// `win`, an endgame study.
    Win,
    /// `draw`, an endgame study.
    Draw,
    /// `capture`
    Capture,
    /// `line`
    Line,
}

/// Hashes of puzzles are kept in files, so verbs keep the numbers that they had before there were others.
impl Hash for Verb {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let number: isize = match self {
            Verb::Solve => 0,
            Verb::Count => 1,
            Verb::Move => 2,
            Verb::Mate => 3,
            Verb::Problem(ProblemKind::MATE) => 4,
            Verb::Problem(ProblemKind::SELFMATE) => 5,
            Verb::Problem(ProblemKind::HELPMATE) => 6,
            Verb::Capture => 7,
            Verb::Line => 8,
            Verb::Problem(_) => 9,
            Verb::Twin => 10,
            Verb::SetPlay => 11,
            Verb::Duplex => 12,
            Verb::Unsolved => 13,
            Verb::Win => 14,
            Verb::Draw => 15,
        };
        number.hash(state);
        if let (9, Verb::Problem(kind)) = (number, self) {
            kind.hash(state);
        }
    }
}

impl Verb {
    /// All verbs, in the order of the manual.
    pub fn all() -> impl Iterator<Item = Verb> {
        let problems = ProblemKind::all().map(Verb::Problem);
        [Verb::Solve, Verb::Count, Verb::Move, Verb::Mate]
            .into_iter()
            .chain(problems)
            .chain([Verb::Twin, Verb::SetPlay, Verb::Duplex, Verb::Unsolved])
            .chain([Verb::Win, Verb::Draw, Verb::Capture, Verb::Line])
    }

    /// The word in a text; several for `mate in`. A problem whose goal has no word has the beginning of its short form.
    pub fn word(self) -> &'static str {
        match self {
            Verb::Solve => "solve",
            Verb::Count => "count",
            Verb::Move => "move",
            Verb::Mate => "mate",
            Verb::Problem(ProblemKind::MATE) => "mate in",
            Verb::Problem(ProblemKind::STALEMATE) => "stalemate in",
            Verb::Problem(kind) => kind.word(),
            Verb::Twin => "twin",
            Verb::SetPlay => "set-play",
            Verb::Duplex => "duplex",
            Verb::Unsolved => "unsupported",
            Verb::Win => "win",
            Verb::Draw => "draw",
            Verb::Capture => "capture",
            Verb::Line => "line",
        }
    }

    /// Its name in JSON.
    pub fn id(self) -> &'static str {
        match self {
            Verb::Problem(ProblemKind::MATE) => "mate-in",
            Verb::Problem(ProblemKind::STALEMATE) => "stalemate-in",
            verb => verb.word(),
        }
    }

    /// Whether it asks a chess problem: one of its own, or one that is made of another query's.
    pub fn is_problem(self) -> bool {
        matches!(self, Verb::Problem(_) | Verb::Twin | Verb::SetPlay | Verb::Duplex)
    }

    /// The kind of a chess problem.
    pub fn problem(self) -> Option<ProblemKind> {
        match self {
            Verb::Problem(kind) => Some(kind),
            _ => None,
        }
    }

    /// Whether it is one word that means nothing else.
    fn is_keyword(self) -> bool {
        match self {
            Verb::Problem(kind) => {
                kind.goal.has_word() && !matches!(kind, ProblemKind::MATE | ProblemKind::STALEMATE)
            }
            Verb::Unsolved => false,
            _ => true,
        }
    }

    /// The verb whose word is exactly `word`.
    fn from_word(word: &str) -> Option<Verb> {
        Some(match word {
            "solve" => Verb::Solve,
            "count" => Verb::Count,
            "move" => Verb::Move,
            "mate" => Verb::Mate,
            "twin" => Verb::Twin,
            "set-play" => Verb::SetPlay,
            "duplex" => Verb::Duplex,
            "win" => Verb::Win,
            "draw" => Verb::Draw,
            "capture" => Verb::Capture,
            "line" => Verb::Line,
            _ => Verb::Problem(ProblemKind::from_word(word)?),
        })
        .filter(|verb| verb.is_keyword())
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

impl Item {
    /// Whether its keyword begins no misspelt question of a chess problem.
    pub(super) fn is_plain(self) -> bool {
        match self {
            Item::Board | Item::Property(_) => true,
            Item::Query(verb) => {
                matches!(verb, Verb::Solve | Verb::Count | Verb::Move | Verb::Capture | Verb::Line)
            }
        }
    }
}

impl Keyword {
    /// The keyword that is exactly `word`. Keywords are lower case.
    pub fn from_word(word: &str) -> Option<Keyword> {
        // This runs for each row of a board: reject nearly all of them at once.
        match word.as_bytes() {
            [b'a'..=b'z' | b'#' | b'=' | b'+' | b'!', ..] => {}
            [b'0'..=b'9', ..] if word.contains("->") => {}
            _ => return None,
        }
        if let Some(short) = short_form(word) {
            return Some(Keyword::Item(Item::Query(Verb::Problem(short.kind))));
        }
        if unsolved_form(word).is_some() {
            return Some(Keyword::Item(Item::Query(Verb::Unsolved)));
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
        let queries = Verb::all().filter(|v| v.is_keyword()).map(|v| Keyword::Item(Item::Query(v)));
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

/// The verb that a word begins where `in` follows it. `stalemate` alone is an answer.
pub fn verb_before_in(word: &str) -> Option<Verb> {
    ProblemKind::from_word(word).map(Verb::Problem)
}

/// Whether a word is the name of a custom property: `x-` and a name of letters, digits, `-` and `_` that begins with a
/// letter.
pub fn is_custom_name(word: &str) -> bool {
    let Some(name) = word.strip_prefix("x-") else { return false };
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
}

/// Whether a word is the name of a custom property but for invisible characters.
pub(super) fn is_custom_word(word: &str) -> bool {
    // Nearly all words begin with another letter.
    word.bytes().next().is_some_and(|first| first == b'x' || !first.is_ascii())
        && is_custom_name(&plain(word))
}

/// Whether a word behind the letter of a twin begins the next item, so that the changes end before it: any keyword of an item
/// but those that a change may have, as `turn` and the words of a stipulation, and `move`, which Popeye writes.
pub fn ends_twin(word: &str) -> bool {
    match Keyword::from_word(word) {
        Some(Keyword::Item(Item::Query(verb))) => {
            !matches!(verb, Verb::Problem(_) | Verb::Unsolved | Verb::Move | Verb::Mate)
        }
        Some(Keyword::Item(Item::Property(property))) => property != Property::Turn,
        Some(Keyword::Item(Item::Board)) => true,
        Some(Keyword::Game(_)) => false,
        None => is_custom_name(word),
    }
}

/// Words of other programs for the same thing.
const SYNONYMS: [(&str, Keyword); 12] = [
    ("fen", Keyword::Item(Item::Board)),
    ("pdn", Keyword::Item(Item::Board)),
    ("position", Keyword::Item(Item::Board)),
    ("checkmate", Keyword::Item(Item::Query(Verb::Mate))),
    ("solution", Keyword::Item(Item::Query(Verb::Solve))),
    ("comment", Keyword::Item(Item::Property(Property::Note))),
    ("castle", Keyword::Item(Item::Property(Property::Castling))),
    ("enpassant", Keyword::Item(Item::Property(Property::EnPassant))),
    ("ep", Keyword::Item(Item::Property(Property::EnPassant))),
    ("variation", Keyword::Item(Item::Query(Verb::Line))),
    ("checkers", Keyword::Game(GameId::Draughts)),
    ("shashki", Keyword::Game(GameId::Draughts)),
];

/// The nearest keyword to a misspelt word, of those that `fits` accepts. Case is ignored: `Solve` is `solve`. Of several
/// that are equally near, one that begins with the same letter is meant: `lin` is `line`, not `win`.
pub fn nearest_keyword(word: &str, fits: impl Fn(Keyword) -> bool) -> Option<Keyword> {
    nearest_of(word, &fits)
}

/// The same, compiled once.
fn nearest_of(word: &str, fits: &dyn Fn(Keyword) -> bool) -> Option<Keyword> {
    if let Some(keyword) = synonym(word).filter(|&k| fits(k)) {
        return Some(keyword);
    }
    // Rows of boards come here, too: what cannot be near is not asked whether it fits.
    if word.bytes().all(|b| b.is_ascii() && !b.is_ascii_alphabetic()) {
        return None;
    }
    let is_far = |k: Keyword| word.is_ascii() && k.word().len().abs_diff(word.len()) > 2;
    let words = Keyword::all().filter(|&k| !is_far(k) && !is_too_short(k, word) && fits(k));
    let words: Vec<Keyword> = words.collect();
    let first = word.chars().next().map(|c| c.to_ascii_lowercase());
    let begins = |keyword: Keyword| keyword.word().chars().next() == first;
    let near = near(word, &mut words.iter().map(|k| k.word())).into_iter();
    near.min_by_key(|&(distance, i)| (distance, !begins(words[i]), i)).map(|(_, i)| words[i])
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
    let distances = near(word, &mut words.iter().copied());
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
        assert_eq!(nearest_keyword("lin", |_| true), Some(Keyword::Item(Item::Query(Verb::Line))));
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
