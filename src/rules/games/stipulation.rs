//! What a chess problem asks: the play, the goal, and in how many moves.

use std::hash::{Hash, Hasher};

use crate::board::{Colour, Square, square_name};
use cpz_text::syntax::{Goal, Play, ProblemKind, short_form};

/// The stipulation of a chess problem: `#2`, `s#3`, `h=2.5`, `ser-h#4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stipulation {
    /// How the sides play, and for which goal.
    pub kind: ProblemKind,
    /// The length in half moves, twice the number that is written: 4 for `#2`, 5 for `h#2.5`. Odd in help play only.
    pub plies: u8,
    /// The square of [`Goal::Arrival`]; `None` for other goals.
    pub square: Option<Square>,
}

/// Hashes of puzzles are kept in files: a stipulation without a square keeps the hash that it had before there were any.
impl Hash for Stipulation {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.kind, self.plies).hash(state);
        if let Some(square) = self.square {
            square.hash(state);
        }
    }
}

impl Stipulation {
    /// The largest number of moves that may be asked for.
    pub const MAX_MOVES: u8 = 30;

    /// A stipulation whose goal is not an arrival.
    pub const fn new(kind: ProblemKind, plies: u8) -> Stipulation {
        Stipulation { kind, plies, square: None }
    }

    /// Reads a short form in one word: `#2`, `h#2.5`, `hze53`. `None` for what is not solved.
    pub fn from_short(text: &str) -> Option<Stipulation> {
        let short = short_form(text)?;
        let length = &text[short.length?];
        let (whole, half) = match length.split_once('.') {
            None => (length, 0),
            Some((whole, "5")) if short.kind.play.may_have_half() => (whole, 1),
            Some(_) => return None,
        };
        let moves: u8 = whole.parse().ok().filter(|n| (1..=Stipulation::MAX_MOVES).contains(n))?;
        let square = short.square.map(|bytes| text[bytes].as_bytes());
        let square = square.map(|name| Square::new(name[0] - b'a', name[1] - b'1'));
        let is_whole = (short.kind.goal == Goal::Arrival) == square.is_some();
        is_whole.then_some(Stipulation { kind: short.kind, plies: 2 * moves + half, square })
    }

    /// How the sides play.
    pub fn play(self) -> Play {
        self.kind.play
    }

    /// What is to be reached.
    pub fn goal(self) -> Goal {
        self.kind.goal
    }

    /// The same with a number of whole moves.
    #[must_use]
    pub fn with_moves(self, moves: u8) -> Stipulation {
        Stipulation { plies: 2 * moves, ..self }
    }

    /// The same in fewer moves, the fewest first: one whole move at least, with the half move if there is one.
    pub fn shorter(self) -> impl Iterator<Item = Stipulation> {
        (2 + self.plies % 2..self.plies).step_by(2).map(move |plies| Stipulation { plies, ..self })
    }

    /// The number of whole moves, a half move counting as one.
    pub fn moves(self) -> u8 {
        self.plies.div_ceil(2)
    }

    /// The moves of a whole sequence, for play that has sequences. In help-self and series-self play the move that reaches
    /// the goal is forced and does not belong to it.
    pub fn sequence_len(self) -> usize {
        usize::from(match self.play() {
            Play::HelpSelf => self.plies - 1,
            Play::Series | Play::SeriesSelf => self.moves(),
            Play::SeriesHelp => self.moves() + 1,
            _ => self.plies,
        })
    }

    /// The side that begins where nothing says another (Codex for Chess Composition, article 7, and the usage of problem
    /// magazines): black begins help play and series-help play of whole moves, white everything else.
    pub fn first_side(self) -> Colour {
        let is_whole = self.plies.is_multiple_of(2);
        match self.play() {
            Play::Help if is_whole => Colour::Black,
            Play::HelpSelf if !is_whole => Colour::Black,
            Play::SeriesHelp => Colour::Black,
            _ => Colour::White,
        }
    }

    /// The number of the move with a 0-based index of a sequence, and whether it is written behind dots or behind the move
    /// before it: the second move of `1. Re3 Bf7`. Each move of a series has a number of its own.
    pub fn number_of(self, index: usize) -> (usize, bool) {
        let (ply, moves) = (index + usize::from(self.plies % 2), usize::from(self.moves()));
        match self.play().is_series() {
            true => (index.min(moves - 1) + 1, index >= moves),
            false => (ply / 2 + 1, !ply.is_multiple_of(2)),
        }
    }

    /// The length as it is written: `2`, `2.5`.
    pub fn length(self) -> String {
        let half = if self.plies % 2 == 1 { ".5" } else { "" };
        format!("{}{half}", self.plies / 2)
    }

    /// The short form of composers: `#2`, `s#3`, `h#2.5`, `hze5 3`.
    pub fn short(self) -> String {
        match self.square {
            Some(square) => format!("{}{} {}", self.kind.short(), square_name(square, false), self.length()),
            None => format!("{}{}", self.kind.short(), self.length()),
        }
    }

    /// The words of a query: `mate in 2`; the short form where no word names the goal.
    pub fn in_words(self) -> String {
        match self.goal().has_word() {
            true => format!("{} in {}", self.kind.word(), self.length()),
            false => self.short(),
        }
    }

    /// As [`Stipulation::in_words`], but without the length if that is one move: `mate`, `selfmate in 2`.
    pub fn goal_or_length(self) -> String {
        match self.goal().has_word() && self.plies == 2 {
            true => self.kind.word().to_string(),
            false => self.in_words(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_form_is_a_number_of_moves_and_words() {
        let table = [
            ("#1", "#1", "mate in 1", "mate"),
            ("#2", "#2", "mate in 2", "mate in 2"),
            ("#30", "#30", "mate in 30", "mate in 30"),
            ("s#1", "s#1", "selfmate in 1", "selfmate"),
            ("h#2.5", "h#2.5", "helpmate in 2.5", "helpmate in 2.5"),
            ("h#1", "h#1", "helpmate in 1", "helpmate"),
            ("h#1.5", "h#1.5", "helpmate in 1.5", "helpmate in 1.5"),
            ("hs#2.5", "hs#2.5", "helpselfmate in 2.5", "helpselfmate in 2.5"),
            ("hze53", "hze5 3", "hze5 3", "hze5 3"),
            ("hzb71", "hzb7 1", "hzb7 1", "hzb7 1"),
            ("+1", "+1", "+1", "+1"),
        ];
        for (text, short, words, shortest) in table {
            let asked = Stipulation::from_short(text).expect("a stipulation");
            let found = (asked.short(), asked.in_words(), asked.goal_or_length());
            assert_eq!(found, (short.into(), words.into(), shortest.into()), "{text}");
            let longer = asked.with_moves(7);
            assert_eq!((longer.plies, longer.kind, longer.square), (14, asked.kind, asked.square));
        }
        let square = Stipulation::from_short("hze53").and_then(|asked| asked.square);
        assert_eq!(square, Some(Square::new(4, 4)));
        for text in ["#0", "#31", "#2.5", "s#2.5", "ser-#2.5", "h#2.4", "#", "hz3", "x"] {
            assert_eq!(Stipulation::from_short(text), None, "{text}");
        }
    }

    #[test]
    fn each_play_has_its_first_side_length_and_numbers() {
        // The moves of a sequence, each with its number, and `…` before one that is written behind another one.
        let table = [
            ("#2", Colour::White, "1 …1 2 …2"),
            ("h#2", Colour::Black, "1 …1 2 …2"),
            ("h#2.5", Colour::White, "…1 2 …2 3 …3"),
            ("hs#2", Colour::White, "1 …1 2"),
            ("hs#2.5", Colour::Black, "…1 2 …2 3"),
            ("ser-#3", Colour::White, "1 2 3"),
            ("ser-h#3", Colour::Black, "1 2 3 …3"),
            ("ser-s#3", Colour::White, "1 2 3"),
        ];
        for (short, side, numbers) in table {
            let asked = Stipulation::from_short(short).expect("a stipulation");
            let name = |(number, is_behind)| format!("{}{number}", if is_behind { "…" } else { "" });
            let found: Vec<String> = (0..asked.sequence_len()).map(|i| name(asked.number_of(i))).collect();
            assert_eq!((asked.first_side(), found.join(" ").as_str()), (side, numbers), "{short}");
            assert_eq!(asked.short(), short);
        }
    }
}
