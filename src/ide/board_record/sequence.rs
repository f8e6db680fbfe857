//! Moves that are recorded as a whole sequence of help or series play.

use crate::board_record::asked::Asked;
use cpz_check::analysis::{Bound, claims_nothing, read_move_text};
use cpz_rules::games::{
    Budget, ChessMove, Position, Stipulation, after_in_sequence, ends_sequence, find_sequences,
    gives_check_too_early, legal_moves, matching_moves,
};
use cpz_text::diagnostic::Span;
use cpz_text::syntax::{Play, Query, Value};

/// The moves of a sequence that are written as the answer of a problem.
#[derive(Clone)]
pub(super) struct SequenceMoves {
    pub problem: Asked,
    pub moves: Vec<ChessMove>,
}

impl SequenceMoves {
    /// Reads the answer of a query.
    ///
    /// # Errors
    /// Why no move can be added to it, for the user.
    pub fn read(bound: &Bound<'_>, query: Query<'_>) -> Result<SequenceMoves, String> {
        let problem = Asked::read(bound, query)?;
        let name = problem.name.clone();
        if claims_nothing(bound, query) {
            return Err(format!("`none` is written as the answer of {name}; remove it first"));
        }
        let mut sequence = SequenceMoves { problem, moves: Vec::new() };
        match query.answer() {
            None => {}
            Some(Value::Lists(_)) => {
                return Err(format!("several solutions of {name} are written; write a further one by hand"));
            }
            Some(Value::String(token)) => {
                let (text, span) = token.content();
                sequence.replay(text, span)?;
            }
            Some(answer) => {
                let span = answer.span();
                sequence.replay(&query.node().tree().text()[span.range()], span)?;
            }
        }
        Ok(sequence)
    }

    /// Replays a written sequence.
    fn replay(&mut self, text: &str, span: Span) -> Result<(), String> {
        let wrong = |name: &str, word: &str| {
            format!("`{word}` in the answer of {name} is no move of its position; correct it first")
        };
        for word in text.split_whitespace() {
            let number = word.trim_start_matches(|c: char| c.is_ascii_digit());
            let mv = if number.len() < word.len() { number.trim_start_matches(['.', '…']) } else { word };
            if mv.is_empty() || mv.chars().all(|c| c == '.' || c == '…') {
                continue;
            }
            let position = self.position();
            let read =
                read_move_text(mv, span, position.turn).map_err(|_| wrong(&self.problem.name, word))?;
            let [mv] = matching_moves(&position, &read.request)[..] else {
                return Err(wrong(&self.problem.name, word));
            };
            self.moves.push(mv);
        }
        Ok(())
    }

    /// The positions from the first one on.
    fn positions(&self) -> Vec<Position> {
        let mut positions = vec![self.problem.start.clone()];
        for (index, &mv) in self.moves.iter().enumerate() {
            let next = after_in_sequence(&positions[index], self.problem.stipulation, mv, index);
            positions.push(next);
        }
        positions
    }

    /// The position after the moves.
    pub fn position(&self) -> Position {
        self.positions().pop().unwrap_or_else(|| self.problem.start.clone())
    }

    /// Whether no move is missing.
    pub fn is_complete(&self) -> bool {
        self.moves.len() >= self.problem.stipulation.sequence_len()
    }

    /// Says that no move can be added.
    pub fn complete(&self) -> String {
        format!("the solution of {} is complete", self.problem.name)
    }

    /// The moves that can follow.
    pub fn legal(&self) -> Vec<ChessMove> {
        if self.is_complete() {
            return Vec::new();
        }
        let (position, index) = (self.position(), self.moves.len());
        let mut moves = legal_moves(&position);
        moves.retain(|&mv| !gives_check_too_early(&position, self.problem.stipulation, mv, index));
        moves
    }

    /// What stands before the next move: `2. `, or nothing.
    pub fn number(&self) -> String {
        let index = self.moves.len();
        match self.problem.stipulation.number_of(index) {
            (number, false) => format!("{number}. "),
            (number, true) if index == 0 => format!("{number}... "),
            _ => String::new(),
        }
    }

    /// The verdict on the last move of a sequence; empty where nothing is known.
    pub fn verdict(&self, budget: &Budget<'_>) -> String {
        let (asked, played) = (self.problem.stipulation, self.moves.len());
        let Some(&last) = self.moves.last() else {
            return String::new();
        };
        if self.is_complete() {
            let positions = self.positions();
            return match ends_sequence(&positions[played - 1], asked, last) {
                true => "solved".to_string(),
                false => format!("loses: this is no {}", asked.in_words()),
            };
        }
        if asked.play() != Play::Help {
            return String::new();
        }
        let rest = Stipulation { plies: asked.plies - played as u8, ..asked };
        match find_sequences(&self.position(), rest, budget) {
            Ok(found) if !found.solutions.is_empty() => format!("keeps the {}", asked.in_words()),
            Ok(found) if found.complete => format!("loses the {}", asked.in_words()),
            _ => String::new(),
        }
    }
}
