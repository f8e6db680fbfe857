//! The kinds of chess problems: how both sides play, and for which goal. Their words and their short forms, in one table.

use crate::syntax::spelling::nearest;
use std::hash::{Hash, Hasher};
use std::ops::Range;

/// How the sides play in a chess problem (FIDE Album; Popeye's manual calls it the play of a stipulation).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Play {
    /// The side to move forces the goal, whatever the other side plays.
    Direct,
    /// The side to move makes the other side reach the goal against it, against its will.
    SelfPlay,
    /// As [`Play::SelfPlay`], and a side that can reach the goal with its move must do so.
    Reflex,
    /// As [`Play::Reflex`], but only the other side must reach the goal where it can.
    SemiReflex,
    /// Both sides together reach the goal; the side that makes the last ply reaches it.
    Help,
    /// Both sides together, until the last move of the side that makes the other one reach the goal.
    HelpSelf,
    /// The side to move makes moves in a row, and reaches the goal with the last one.
    Series,
    /// One side makes moves in a row, then the other side reaches the goal with one move.
    SeriesHelp,
    /// The side to move makes moves in a row, then the other side cannot but reach the goal.
    SeriesSelf,
}

impl Play {
    /// All kinds of play, in the order of the manual.
    pub const ALL: [Play; 9] = [
        Play::Direct,
        Play::SelfPlay,
        Play::Reflex,
        Play::SemiReflex,
        Play::Help,
        Play::HelpSelf,
        Play::Series,
        Play::SeriesHelp,
        Play::SeriesSelf,
    ];

    /// Whether it is solved by whole sequences of moves; otherwise by first moves, the keys.
    pub fn has_sequences(self) -> bool {
        self >= Play::Help
    }

    /// Whether one side makes moves in a row.
    pub fn is_series(self) -> bool {
        self >= Play::Series
    }

    /// Whether the side that is to be mated is the one that wants it.
    pub fn is_against_itself(self) -> bool {
        matches!(self, Play::SelfPlay | Play::Reflex | Play::SemiReflex | Play::HelpSelf | Play::SeriesSelf)
    }

    /// Whether a length may have half a move.
    pub fn may_have_half(self) -> bool {
        matches!(self, Play::Help | Play::HelpSelf)
    }

    /// What stands before the sign of the goal in a short form.
    fn prefix(self) -> &'static str {
        ["", "s", "r", "semi-r", "h", "hs", "ser-", "ser-h", "ser-s"][self as usize]
    }
}

/// What is to be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Goal {
    /// `#`: check, and no legal move.
    Mate,
    /// `=`: no legal move, and no check.
    Stalemate,
    /// `+`: check.
    Check,
    /// `x`: a capture.
    Capture,
    /// `z`: a man arrives on a square.
    Arrival,
}

impl Goal {
    /// All goals, in the order of the manual.
    pub const ALL: [Goal; 5] = [Goal::Mate, Goal::Stalemate, Goal::Check, Goal::Capture, Goal::Arrival];

    /// The sign in a short form.
    pub fn sign(self) -> char {
        ['#', '=', '+', 'x', 'z'][self as usize]
    }

    /// Whether the words of a query name it; the others have short forms alone.
    pub fn has_word(self) -> bool {
        self <= Goal::Stalemate
    }
}

/// A kind of chess problem: `selfmate`, `ser-h=`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ProblemKind {
    /// How the sides play.
    pub play: Play,
    /// What is to be reached.
    pub goal: Goal,
}

/// A word for each play and goal; the short form for goals that have no word.
const WORDS: [[&str; 5]; 9] = [
    ["mate", "stalemate", "+", "x", "z"],
    ["selfmate", "selfstalemate", "s+", "sx", "sz"],
    ["reflexmate", "reflexstalemate", "", "", ""],
    ["semireflexmate", "semireflexstalemate", "", "", ""],
    ["helpmate", "helpstalemate", "h+", "hx", "hz"],
    ["helpselfmate", "helpselfstalemate", "", "", ""],
    ["seriesmate", "seriesstalemate", "", "", ""],
    ["serieshelpmate", "serieshelpstalemate", "ser-h+", "ser-hx", "ser-hz"],
    ["seriesselfmate", "seriesselfstalemate", "", "", ""],
];

/// Hashes of puzzles are kept in files, so the first three kinds keep the numbers that they had before there were others.
impl Hash for ProblemKind {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let first = [ProblemKind::MATE, ProblemKind::SELFMATE, ProblemKind::HELPMATE];
        let number = first.iter().position(|kind| kind == self);
        let number = number.unwrap_or(16 + self.play as usize * Goal::ALL.len() + self.goal as usize);
        (number as isize).hash(state);
    }
}

impl ProblemKind {
    /// `mate in`
    pub const MATE: ProblemKind = ProblemKind { play: Play::Direct, goal: Goal::Mate };
    /// `stalemate in`
    pub const STALEMATE: ProblemKind = ProblemKind { play: Play::Direct, goal: Goal::Stalemate };
    /// `selfmate in`
    pub const SELFMATE: ProblemKind = ProblemKind { play: Play::SelfPlay, goal: Goal::Mate };
    /// `helpmate in`
    pub const HELPMATE: ProblemKind = ProblemKind { play: Play::Help, goal: Goal::Mate };

    /// All kinds that are solved.
    pub fn all() -> impl Iterator<Item = ProblemKind> {
        let kinds = |play: Play| Goal::ALL.into_iter().map(move |goal| ProblemKind { play, goal });
        Play::ALL.into_iter().flat_map(kinds).filter(|kind| !kind.word().is_empty())
    }

    /// The word of a query, without `in`: `stalemate`, `selfmate`. The short form without its length where no word names
    /// the goal: `h+`.
    pub fn word(self) -> &'static str {
        WORDS[self.play as usize][self.goal as usize]
    }

    /// The kind that a word names.
    pub fn from_word(word: &str) -> Option<ProblemKind> {
        // Most words have another ending.
        if !word.ends_with("mate") {
            return None;
        }
        ProblemKind::all().find(|kind| kind.word() == word)
    }

    /// The short form without its length: `#`, `ser-h=`.
    pub fn short(self) -> String {
        format!("{}{}", self.play.prefix(), self.goal.sign())
    }
}

/// A composers' short form: `#2`, `h=2.5`, `hze5 3`, `h#2*`. The length is not judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShortForm {
    /// The kind of problem.
    pub kind: ProblemKind,
    /// The bytes of the length. Only an arrival may have it in the next word.
    pub length: Option<Range<usize>>,
    /// The bytes of the square of an arrival, which may be in the next word.
    pub square: Option<Range<usize>>,
    /// Whether a star behind it asks for set play.
    pub has_star: bool,
}

/// Whether a word may be a short form. This is asked of each row of a board: it rejects nearly all of them at once.
#[inline]
fn may_be_form(word: &str) -> bool {
    matches!(word.as_bytes(), [_, .., b'0'..=b'9' | b'*'])
}

/// Reads a short form.
#[inline]
pub fn short_form(word: &str) -> Option<ShortForm> {
    if may_be_form(word) { read_short_form(word) } else { None }
}

fn read_short_form(word: &str) -> Option<ShortForm> {
    if !matches!(word.as_bytes()[0], b'#' | b'=' | b'+' | b'x' | b'z' | b's' | b'h' | b'r') {
        return None;
    }
    let whole = word;
    let word = whole.strip_suffix('*').unwrap_or(whole);
    let (play, goal, at) = Play::ALL.into_iter().find_map(|play| {
        let rest = word.strip_prefix(play.prefix())?;
        let sign = rest.chars().next()?;
        let goal = Goal::ALL.into_iter().find(|goal| goal.sign() == sign)?;
        Some((play, goal, play.prefix().len() + 1))
    })?;
    let kind = ProblemKind { play, goal };
    if kind.word().is_empty() {
        return None;
    }
    let square = match word.as_bytes()[at..] {
        [b'a'..=b'h', b'1'..=b'8', ..] if goal == Goal::Arrival => Some(at..at + 2),
        _ => None,
    };
    let at = square.as_ref().map_or(at, |square| square.end);
    let length = (at < word.len()).then_some(at..word.len());
    match &length {
        Some(length) if !is_length(&word[length.clone()]) => None,
        None if square.is_none() => None,
        _ => Some(ShortForm { kind, length, square, has_star: word.len() < whole.len() }),
    }
}

/// Whether a word is written as the length of a chess problem: `2`, `2.5`. The length is not judged.
pub fn is_length(word: &str) -> bool {
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    let (whole, half) = word.split_once('.').unwrap_or((word, "5"));
    is_number(whole) && is_number(half)
}

/// The length of a chess problem without the star that may touch it: `2` of `2*`.
pub fn length_before_star(word: &str) -> Option<&str> {
    Some(word.strip_suffix('*').unwrap_or(word)).filter(|length| is_length(length))
}

/// The signs of goals that are known and not solved, with their names; a sign that begins another one is behind it.
const UNSOLVED_GOALS: [(&str, &str); 20] = [
    ("##!", "countermate"),
    ("##", "double mate"),
    ("#=", "mate or stalemate"),
    ("#", "mate"),
    ("==", "double stalemate"),
    ("=", "stalemate"),
    ("!=", "autostalemate"),
    ("!#", "automate"),
    ("+", "check"),
    ("x", "capture"),
    ("z", "arrival on a square"),
    ("%", "gain of a piece"),
    ("ep", "en passant capture"),
    ("ctr", "circuit by rebirth"),
    ("ct", "circuit"),
    ("<>r", "exchange by rebirth"),
    ("<>", "exchange of places"),
    ("00", "castling"),
    ("~", "any move"),
    ("dia", "proof game"),
];

/// The beginnings of short forms that are known, with the names of the play; one that begins another one is behind it.
const UNSOLVED_PLAYS: [(&str, &str); 20] = [
    ("semi-r", "semi-reflex play"),
    ("ser-semi-r", "series semi-reflex play"),
    ("ser-hs", "series help-self play"),
    ("ser-hr", "series help-reflex play"),
    ("ser-h", "series help play"),
    ("ser-r", "series reflex play"),
    ("ser-s", "series self play"),
    ("ser-", "series play"),
    ("phser-r", "parry series help-reflex play"),
    ("phser-s", "parry series help-self play"),
    ("phser-", "parry series help play"),
    ("pser-h", "parry series help play"),
    ("pser-r", "parry series reflex play"),
    ("pser-s", "parry series self play"),
    ("pser-", "parry series play"),
    ("reci-h", "reciprocal help play"),
    ("hs", "help-self play"),
    ("hr", "help-reflex play"),
    ("h", "help play"),
    ("s", "self play"),
];

/// What a short form is called whose play or goal is known and not solved: `h##2` is `double mate in help play`.
#[inline]
pub fn unsolved_form(word: &str) -> Option<String> {
    if may_be_form(word) || word == "+-" { read_unsolved_form(word) } else { None }
}

fn read_unsolved_form(word: &str) -> Option<String> {
    match word.as_bytes() {
        b"+-" => return Some("a win for White".into()),
        [b'0'..=b'9', .., b'0'..=b'9' | b'*'] => return after_series(word),
        [b'a'..=b'z' | b'#' | b'=' | b'+' | b'!', .., b'0'..=b'9' | b'*'] => {}
        _ => return None,
    }
    if short_form(word).is_some() {
        return None;
    }
    let bare = word.strip_suffix('*').unwrap_or(word);
    let (bare, exactly) = match bare.strip_prefix("exact-") {
        Some(bare) => (bare, ", in exactly this number of moves,"),
        None => (bare, ""),
    };
    let reflex = [("r", "reflex play"), ("", "direct play")];
    let (rest, play) = (UNSOLVED_PLAYS.into_iter().chain(reflex)).find_map(|(sign, play)| {
        Some((bare.strip_prefix(sign)?, play)).filter(|(rest, _)| starts_with_goal(rest))
    })?;
    let (rest, goal) =
        UNSOLVED_GOALS.iter().find_map(|&(sign, goal)| Some((rest.strip_prefix(sign)?, (sign, goal))))?;
    let rest = match rest.as_bytes() {
        [b'a'..=b'h', b'1'..=b'8', ..] if goal.0 == "z" => &rest[2..],
        _ => rest,
    };
    is_length(rest).then(|| format!("{} in {play}{exactly}", goal.1))
}

/// The short form that a word is meant as, if its play is within a slip of a known one: `hs#3` for `hsr#3`.
pub(super) fn nearest_short_form(word: &str) -> Option<String> {
    let (play, rest) = word.split_at(word.find(['#', '='])?);
    let plays = Play::ALL.map(Play::prefix);
    let meant = format!("{}{rest}", plays[nearest(play, plays.into_iter())?]);
    short_form(&meant).map(|_| meant)
}

/// What `3->ser-h#5` is called: a problem that begins with a series.
fn after_series(word: &str) -> Option<String> {
    let (moves, rest) = word.split_once("->")?;
    let is_number = moves.bytes().all(|b| b.is_ascii_digit());
    (is_number && !rest.contains("->") && is_short_form(rest))
        .then(|| format!("`{rest}` after a series of {moves} moves"))
}

/// Whether a word is a short form, solved or not.
pub fn is_short_form(word: &str) -> bool {
    short_form(word).is_some() || unsolved_form(word).is_some()
}

fn starts_with_goal(rest: &str) -> bool {
    UNSOLVED_GOALS.iter().any(|(sign, _)| rest.starts_with(sign))
}

/// Whether a word is the numbers of continuations at each ply: `2.1.1.1`.
pub fn is_ply_counts(word: &str) -> bool {
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    word.contains('.') && word.split('.').all(is_number)
}

/// Whether a word names a kind of problem: `helpmate`.
pub(super) fn verb_words(word: &str) -> bool {
    ProblemKind::from_word(word).is_some()
}

/// Whether a word is the name of a square: `e5`.
pub(super) fn is_square_name(word: &str) -> bool {
    matches!(word.as_bytes(), [b'a'..=b'h', b'1'..=b'8'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_short_forms_name_each_kind_once() {
        for kind in ProblemKind::all() {
            if kind.goal.has_word() {
                assert_eq!(ProblemKind::from_word(kind.word()), Some(kind));
            }
            let square = if kind.goal == Goal::Arrival { "e5" } else { "" };
            for length in ["2", "12.5"] {
                let word = format!("{}{square}{length}", kind.short());
                let found = short_form(&word).unwrap_or_else(|| panic!("{word}"));
                assert_eq!(found.kind, kind, "{word}");
                assert_eq!(found.length.map(|l| &word[l]), Some(length), "{word}");
                assert_eq!(found.square.map_or("", |s| &word[s]), square, "{word}");
                assert_eq!(unsolved_form(&word), None, "{word}");
            }
        }
    }

    #[test]
    fn other_words_are_no_short_forms() {
        for word in [
            "#", "##2", "s", "h", "h2", "x", "r+2", "hs+2", "ser-", "ser-+2", "#2.", "#2.5.1", "zz2", "z",
            "=", "h#", "=a",
        ] {
            assert_eq!(short_form(word), None, "{word}");
        }
        for (word, name) in [
            ("h##2", "double mate in help play"),
            ("h#=2.5", "mate or stalemate in help play"),
            ("pser-h#5", "mate in parry series help play"),
            ("r+2", "check in reflex play"),
            ("sct3", "circuit in self play"),
            ("==3", "double stalemate in direct play"),
            ("ser-ze52", "arrival on a square in series play"),
            ("h002", "castling in help play"),
            ("3->ser-h#5", "`ser-h#5` after a series of 3 moves"),
            ("+-", "a win for White"),
        ] {
            assert_eq!(unsolved_form(word).as_deref(), Some(name), "{word}");
        }
        for word in [
            "h1", "e5", "R2", "1.e4", "x", "8/8", "00", "002", "3k4", "0012x", "3->4", "s", "board2", "ep",
            "z1", "ct", "~3", "h##e52",
        ] {
            assert_eq!(unsolved_form(word), None, "{word}");
        }
        for (word, meant) in [("hsr#3", "hs#3"), ("ser-hX=3", "ser-h=3"), ("semir#2*", "semi-r#2*")] {
            assert_eq!(nearest_short_form(word).as_deref(), Some(meant), "{word}");
        }
        for word in ["Rb8#1", "#", "abc#2", "=", "hsr#", "k=2", "1.Qb1#"] {
            assert_eq!(nearest_short_form(word), None, "{word}");
        }
        let arrival = short_form("hz3").unwrap();
        assert_eq!((arrival.length, arrival.square), (Some(2..3), None));
    }
}
