//! Moves that are recorded as the answer of a twin: the key of a direct problem, a whole sequence of help or series play.

use crate::twin_edit::TwinBoard;
use cpz_check::analysis::{Bound, position_or_reason, problem_of, read_move_text};
use cpz_rules::games::{
    Budget, ChessMove, Position, Stipulation, after_in_sequence, ends_sequence, find_sequences,
    gives_check_too_early, legal_moves, matching_moves,
};
use cpz_text::diagnostic::Span;
use cpz_text::syntax::{Play, Query, Value};

/// The moves that are written as the answer of a twin.
#[derive(Clone)]
pub(super) struct TwinMoves {
    /// `twin b`
    pub name: String,
    pub asked: Stipulation,
    /// The position of the twin.
    pub start: Position,
    pub moves: Vec<ChessMove>,
}

impl TwinMoves {
    /// Reads the answer of a twin.
    ///
    /// # Errors
    /// Why no move can be added to it, for the user.
    pub fn read(bound: &Bound<'_>, query: Query<'_>) -> Result<TwinMoves, String> {
        position_or_reason(bound)?;
        let name = TwinBoard::read(bound, query)?.name();
        let (start, asked) = problem_of(bound, query).ok_or_else(|| {
            format!("{name} is not solved, so that its moves cannot be recorded; its findings say why")
        })?;
        let mut twin = TwinMoves { name, asked, start, moves: Vec::new() };
        match query.answer() {
            None => return Ok(twin),
            Some(answer) if !asked.play().has_sequences() && !matches!(answer, Value::Word(_)) => {
                return Err(twin.complete());
            }
            Some(Value::Lists(_)) => {
                let name = &twin.name;
                return Err(format!("several solutions of {name} are written; write a further one by hand"));
            }
            Some(Value::String(token)) => {
                let (text, span) = token.content();
                twin.replay(text, span)?;
            }
            Some(answer) => {
                let span = answer.span();
                twin.replay(&query.node().tree().text()[span.range()], span)?;
            }
        }
        Ok(twin)
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
            let read = read_move_text(mv, span, position.turn).map_err(|_| wrong(&self.name, word))?;
            let [mv] = matching_moves(&position, &read.request)[..] else {
                return Err(wrong(&self.name, word));
            };
            self.moves.push(mv);
        }
        Ok(())
    }

    /// The positions from the first one on.
    fn positions(&self) -> Vec<Position> {
        let mut positions = vec![self.start.clone()];
        for (index, &mv) in self.moves.iter().enumerate() {
            let next = after_in_sequence(&positions[index], self.asked, mv, index);
            positions.push(next);
        }
        positions
    }

    /// The position after the moves.
    pub fn position(&self) -> Position {
        self.positions().pop().unwrap_or_else(|| self.start.clone())
    }

    /// Whether no move is missing.
    pub fn is_complete(&self) -> bool {
        let length = if self.asked.play().has_sequences() { self.asked.sequence_len() } else { 1 };
        self.moves.len() >= length
    }

    /// Says that no move can be added.
    pub fn complete(&self) -> String {
        match self.asked.play().has_sequences() {
            true => format!("the solution of {} is complete", self.name),
            false => format!("the key of {} is written; its variations are written by hand", self.name),
        }
    }

    /// The moves that can follow.
    pub fn legal(&self) -> Vec<ChessMove> {
        if self.is_complete() {
            return Vec::new();
        }
        let (position, index) = (self.position(), self.moves.len());
        let mut moves = legal_moves(&position);
        moves.retain(|&mv| !gives_check_too_early(&position, self.asked, mv, index));
        moves
    }

    /// What stands before the next move: `2. `, or nothing.
    pub fn number(&self) -> String {
        let index = self.moves.len();
        match self.asked.number_of(index) {
            _ if !self.asked.play().has_sequences() => String::new(),
            (number, false) => format!("{number}. "),
            (number, true) if index == 0 => format!("{number}... "),
            _ => String::new(),
        }
    }

    /// The verdict on the last move of a sequence; empty where nothing is known.
    pub fn verdict(&self, budget: &Budget<'_>) -> String {
        let (asked, played) = (self.asked, self.moves.len());
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
