//! The position of a twin, its side to move and what it asks, while its changes are made.

use crate::analysis::base_query::{base_problem, twin_in_front};
use crate::analysis::binding::Bound;
use crate::analysis::verbs::chess_problem::stipulation_behind;
use crate::analysis::verbs::twin_text::{TwinChange, TwinText, begun_twin, changes_before, read_twin};
use crate::analysis::verbs::unsolved::unsolved_message;
use cpz_rules::board::{Board, Colour};
use cpz_rules::games::{Change, Stipulation};
use cpz_text::diagnostic::{Code, Finding};
use cpz_text::syntax::{Property, Puzzle, Query, Verb};

/// The diagram, or a twin after some of its changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TwinState {
    /// Its men.
    pub board: Board,
    /// What is asked, where that can be read.
    pub asked: Option<Stipulation>,
    /// The side that begins, where the text says one.
    turn: Option<Colour>,
    /// Whether the twin itself says who begins; then what it asks does not change that.
    is_turn_said: bool,
    /// Whether the other side begins, since only its half of a duplex is asked.
    is_half_duplex: bool,
    /// The side that begins where neither the text nor a problem says one.
    usual: Colour,
    /// Whether a change has moved all men, and with them a pawn that may be taken en passant.
    pub(super) has_moved_all: bool,
}

impl TwinState {
    /// The diagram with the problem of which a query is made.
    pub(super) fn of_diagram(query: Query<'_>, bound: &Bound<'_>, board: Board) -> TwinState {
        let asked = base_problem(query, bound.puzzle).and_then(|problem| stipulation_behind(problem).ok());
        let (turn, usual) = (bound.settings.turn, bound.turn);
        let is_half_duplex = bound.puzzle.has_property(Property::HalfDuplex);
        TwinState { board, asked, turn, is_turn_said: false, is_half_duplex, usual, has_moved_all: false }
    }

    /// The side that begins.
    pub fn turn(&self) -> Colour {
        let turn = self.turn.or(self.asked.map(Stipulation::first_side)).unwrap_or(self.usual);
        if self.is_half_duplex { turn.other() } else { turn }
    }

    pub(super) fn begins_with(&mut self, turn: Colour) {
        (self.turn, self.is_half_duplex) = (Some(turn), false);
    }

    /// Makes a change.
    ///
    /// # Errors
    /// Why it cannot be made.
    pub fn change(&mut self, change: TwinChange) -> Result<(), String> {
        match change {
            TwinChange::Position(change) => {
                change.apply(&mut self.board)?;
                let moves_all = matches!(
                    change,
                    Change::Shift(..) | Change::Rotate(_) | Change::Mirror(..) | Change::SwapColours
                );
                self.has_moved_all |= moves_all;
            }
            TwinChange::Turn(turn) => {
                self.begins_with(turn);
                self.is_turn_said = true;
            }
            TwinChange::Unsolved => self.asked = None,
            TwinChange::Stipulation(asked) => {
                let usual = self.asked.map(Stipulation::first_side);
                if !self.is_turn_said {
                    // The colours stay exchanged where they are.
                    let is_exchanged = self.turn.is_some() && usual.is_some() && self.turn != usual;
                    self.turn = is_exchanged.then(|| asked.first_side().other());
                }
                self.asked = Some(asked);
            }
        }
        Ok(())
    }
}

/// The letter of the twin that a duplex or set play is about; none where it is about the diagram.
pub fn letter_of_twin<'t>(query: Query<'_>, puzzle: Puzzle<'t>) -> Option<&'t str> {
    Some(read_twin(twin_in_front(query, puzzle)?).ok()?.letter.0)
}

/// The twins of a puzzle before a query, as far as they can be read.
pub(super) fn twins_before<'t>(query: Query<'_>, bound: &Bound<'t>) -> Vec<TwinText<'t>> {
    let before = bound.puzzle.queries().take_while(|other| other.span().start < query.span().start);
    before
        .filter(|other| other.verb() == Some(Verb::Twin))
        .filter_map(|other| read_twin(other).ok())
        .collect()
}

/// What a twin changes: the diagram, or the twin before from which it goes on.
pub(super) fn base_of(
    twin: &TwinText<'_>,
    before: &[TwinText<'_>],
    diagram: &TwinState,
) -> Result<TwinState, Finding> {
    let Some((letter, span)) = twin.from else { return Ok(diagram.clone()) };
    let wrong = |message: String| Finding::new(Code::InvalidValue, span, message);
    match before.iter().position(|other| other.letter.0 == letter) {
        None => Err(wrong(format!("there is no twin {letter} before this one"))),
        Some(index) => make_twin(&before[index], &before[..index], diagram)
            .map(|state| TwinState { is_turn_said: false, ..state })
            .map_err(|_| wrong(format!("twin {letter}, from which this one goes on, cannot be made"))),
    }
}

/// A twin after its changes.
pub(super) fn make_twin(
    twin: &TwinText<'_>,
    before: &[TwinText<'_>],
    diagram: &TwinState,
) -> Result<TwinState, Finding> {
    let mut state = base_of(twin, before, diagram)?;
    for &(change, span) in &twin.changes {
        state.change(change).map_err(|why| Finding::new(Code::InvalidValue, span, why))?;
    }
    Ok(state)
}

/// The finding for a twin that asks something that is known and not solved.
pub(super) fn unsolved_change(query: Query<'_>, twin: &TwinText<'_>) -> Option<Finding> {
    let &(_, span) = twin.changes.iter().find(|(change, _)| *change == TwinChange::Unsolved)?;
    let message = unsolved_message(&query.node().tree().text()[span.range()])?;
    Some(Finding::new(Code::UnsupportedStipulation, span, message))
}

/// A twin as it is written, and what its own changes are made of. `board` is the diagram. A twin without any change, which is
/// being typed, can be read too.
///
/// # Errors
/// The first mistake in its words, for the user.
pub fn twin_start<'t>(
    query: Query<'t>,
    bound: &Bound<'_>,
    board: &Board,
) -> Result<(TwinText<'t>, TwinState), String> {
    let twin = begun_twin(query).map_or_else(|| read_twin(query), Ok);
    let twin = twin.map_err(|findings| findings.first().map_or(String::new(), |f| f.message.clone()))?;
    if let Some(finding) = unsolved_change(query, &twin) {
        return Err(finding.message);
    }
    let diagram = TwinState::of_diagram(query, bound, board.clone());
    let start = base_of(&twin, &twins_before(query, bound), &diagram).map_err(|finding| finding.message)?;
    Ok((twin, start))
}

/// A twin after the changes that end with a comma before an offset: what the change there is made of. `board` is the diagram.
/// None where one of them cannot be read or made.
pub fn twin_before(query: Query<'_>, bound: &Bound<'_>, board: &Board, offset: u32) -> Option<TwinState> {
    let twin = changes_before(query, offset)?;
    let diagram = TwinState::of_diagram(query, bound, board.clone());
    make_twin(&twin, &twins_before(query, bound), &diagram).ok()
}

/// Where a twin from which another one goes on is written.
pub fn twin_continued<'t>(query: Query<'_>, twin: &TwinText<'_>, bound: &Bound<'t>) -> Option<Query<'t>> {
    let letter = twin.from?.0;
    let before = bound.puzzle.queries().take_while(|other| other.span().start < query.span().start);
    let mut twins = before.filter(|other| other.verb() == Some(Verb::Twin));
    twins.find(|other| read_twin(*other).is_ok_and(|other| other.letter.0 == letter))
}
