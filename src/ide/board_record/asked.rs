//! The chess problem whose solution is recorded: that of the diagram, of a twin, of a duplex, or of set play.

use crate::twin_edit::TwinBoard;
use cpz_check::analysis::{Bound, intended_number, letter_of_twin, position_or_reason, problem_of};
use cpz_rules::games::{Position, Stipulation};
use cpz_text::diagnostic::{Edit, Span};
use cpz_text::syntax::{Query, TokenKind, Verb, set_apart};

/// What a chess problem asks.
#[derive(Clone)]
pub(super) struct Asked {
    /// `the problem`, `twin b`, `the duplex`
    pub name: String,
    pub stipulation: Stipulation,
    /// The position that it begins with.
    pub start: Position,
    /// How many keys or solutions are intended.
    pub intended: usize,
}

impl Asked {
    /// Reads what a query asks.
    ///
    /// # Errors
    /// Why its moves cannot be recorded, for the user.
    pub fn read(bound: &Bound<'_>, query: Query<'_>) -> Result<Asked, String> {
        position_or_reason(bound)?;
        let of_twin = || {
            let twin = letter_of_twin(query, bound.puzzle);
            twin.map_or(String::new(), |letter| format!(" of twin {letter}"))
        };
        let name = match query.verb() {
            Some(Verb::Twin) => TwinBoard::read(bound, query)?.name(),
            Some(Verb::Duplex) => format!("the duplex{}", of_twin()),
            Some(Verb::SetPlay) => format!("the set play{}", of_twin()),
            _ => "the problem".to_string(),
        };
        if let Some(why) = bound.why_not_asked(query) {
            return Err(format!("nothing is recorded here: {why}"));
        }
        let (start, stipulation) = problem_of(bound, query).ok_or_else(|| {
            format!("{name} is not solved, so that its moves cannot be recorded; its findings say why")
        })?;
        let intended = intended_number(query, bound.settings.solutions).map_or(1, |n| n as usize);
        Ok(Asked { name, stipulation, start, intended })
    }
}

/// The edits that write the first words of an answer.
pub(super) fn first_answer(source: &str, query: Query<'_>, words: &str) -> Vec<Edit> {
    let arrow = query.node().tokens().find(|t| t.kind() == TokenKind::Arrow);
    let (at, new) = match arrow {
        Some(arrow) => (arrow.span().end, format!(" {words}")),
        None => (query.asked().end, format!(" => {words}")),
    };
    vec![Edit { span: Span::at(at), text: set_apart(source, at, new) }]
}
