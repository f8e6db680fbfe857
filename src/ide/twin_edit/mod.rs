//! Edits by hand on the board of a twin: its changes become others, and the diagram stays.
//!
//! The list of changes becomes the shortest one that leads to the new position with the same men: a man that is moved again has
//! its change altered, one that goes back has it removed. What stands before a change of the whole board, as `rotate 90`, stays
//! as it is. Every result is proved: the edited text is parsed, and its twin must have the new position.
//!
//! Each file imports only from those before it in this order: `trace`, `item`, `list`, `writer`, `mod`.

mod item;
mod list;
mod trace;
mod writer;

use crate::board_edit::{BoardChanges, editable_board};
use crate::text_edit::{apply, edits_from, keeps_all_else};
use crate::twin_edit::item::Item;
use crate::twin_edit::list::{shortest, with_turn};
use crate::twin_edit::trace::{Man, Traced, Wanted, squares};
use crate::twin_edit::writer::Writer;
use cpz_check::analysis::{
    Bound, Defaults, TwinChange, TwinState, TwinText, bind_one, problem_of, twin_continued, twin_in_front,
    twin_start,
};
use cpz_rules::board::{Board, Colour, Piece, Square, square_name};
use cpz_rules::games::{Change, Position};
use cpz_text::diagnostic::{Edit, Span};
use cpz_text::syntax::{GameId, Query, TokenKind, Verb, parse};

const CANNOT_EDIT: &str = "the changes of this twin cannot be edited here; change them by hand";

/// The most squares that are changed one after the other: where more change, the list is written anew.
const MAX_STEPS: usize = 4;

/// The twin at an offset, or the one whose duplex or set play is asked there: what is done on the board is done on its board.
pub fn twin_at<'t>(bound: &Bound<'t>, offset: u32) -> Option<Query<'t>> {
    let touches = |query: &Query<'t>| query.span().start <= offset && offset <= query.span().end;
    let mut queries = bound.puzzle.queries().filter(|query| query.verb().is_some());
    let query = queries.find(touches).filter(|_| bound.id == GameId::Chess)?;
    if query.verb() == Some(Verb::Twin) { Some(query) } else { twin_in_front(query, bound.puzzle) }
}

/// A twin with its position.
pub struct TwinBoard<'t> {
    text: TwinText<'t>,
    /// What its own changes are made of.
    start: TwinState,
    /// What they lead to.
    end: TwinState,
}

impl<'t> TwinBoard<'t> {
    /// Reads a twin, whose board may have mistakes.
    ///
    /// # Errors
    /// Why there is no position, for the user.
    pub fn read(bound: &Bound<'t>, query: Query<'t>) -> Result<TwinBoard<'t>, String> {
        let (text, start) = twin_start(query, bound, editable_board(bound)?)
            .map_err(|why| format!("correct the twin first: {why}"))?;
        let mut end = start.clone();
        for &(change, _) in &text.changes {
            end.change(change).map_err(|why| format!("correct twin {} first: {why}", text.letter.0))?;
        }
        Ok(TwinBoard { text, start, end })
    }

    /// `twin b`
    pub fn name(&self) -> String {
        format!("twin {}", self.text.letter.0)
    }

    /// Its men.
    pub fn board(&self) -> &Board {
        &self.end.board
    }

    /// The side that begins.
    pub fn turn(&self) -> Colour {
        self.end.turn()
    }

    /// The changes as they are written.
    fn list(&self) -> Vec<Item> {
        let changes = self.text.changes.iter().enumerate();
        changes.map(|(number, (change, _))| Item { change: *change, written: Some(number) }).collect()
    }

    /// The side that begins after a list of changes.
    fn begins_after(&self, list: &[Item]) -> Colour {
        let mut state = self.start.clone();
        for item in list.iter().filter(|item| !matches!(item.change, TwinChange::Position(_))) {
            // A change of the question is always possible.
            let _ = state.change(item.change);
        }
        state.turn()
    }

    /// What the twin is made of, in words.
    fn original(&self) -> String {
        self.text.from.map_or("the diagram".to_string(), |(letter, _)| format!("twin {letter}"))
    }
}

/// The position that a twin begins with; where it cannot be asked, its men on the board of the diagram, or else the diagram.
pub fn twin_position(bound: &Bound<'_>, query: Query<'_>, diagram: Position) -> Position {
    if let Some((position, _)) = problem_of(bound, query) {
        return position;
    }
    match TwinBoard::read(bound, query) {
        Ok(twin) => Position { board: twin.board().clone(), turn: twin.turn(), ..diagram },
        Err(_) => diagram,
    }
}

/// The edits of the text that make changes of the board of a twin, in order of position. No edits if everything is so
/// already.
///
/// # Errors
/// Why the board cannot be changed in this way, for the user.
pub fn twin_edits(
    bound: &Bound<'_>,
    defaults: Defaults,
    query: Query<'_>,
    changes: &BoardChanges,
) -> Result<Vec<Edit>, String> {
    let twin = TwinBoard::read(bound, query)?;
    let board = twin.board();
    if changes.castling.is_some() {
        return Err(format!(
            "{} has the castling rights of the diagram; show the diagram to change them",
            twin.name()
        ));
    }
    if changes.size.is_some_and(|size| size != board.size) {
        return Err("a twin has a board of the same size as the diagram".into());
    }
    let target = changed(bound, board, changes)?;
    let mut list = twin.list();
    if target != *board {
        list = with_position(&twin, list, &target).ok_or(CANNOT_EDIT)?;
    }
    let turn = changes.turn.unwrap_or_else(|| twin.turn());
    list = with_turn(&list, turn, |list| twin.begins_after(list));
    if list == twin.list() {
        return Ok(Vec::new());
    }
    if list.is_empty() {
        let (name, original) = (twin.name(), twin.original());
        return Err(format!(
            "without this change {name} would be the same as {original}; make another change first, or remove the twin in \
             the text"
        ));
    }
    let edits = Writer::edits(query, &twin.text, &list);
    let expected = Expected { board: &target, turn };
    match expected.is_shown_after(bound, defaults, query, &edits) {
        true => Ok(edits),
        false => Err(CANNOT_EDIT.into()),
    }
}

/// The board of a twin after changes.
fn changed(bound: &Bound<'_>, board: &Board, changes: &BoardChanges) -> Result<Board, String> {
    let format = bound.game.format();
    let mut target = board.clone();
    for &(square, piece) in &changes.squares {
        if !board.size.has(square) {
            return Err(format!("there is no such square on this board of {}", board.size));
        }
        if let Some(piece) = piece.filter(|piece| !format.kinds.contains(&piece.kind)) {
            return Err(format!("{} has no {}", format.game, format.called(piece)));
        }
        let cell = board.index(square);
        target.cells[cell] = piece;
    }
    Ok(target)
}

/// Whether a change concerns the whole board, so that the changes before it are left as they are.
fn is_of_all(item: &Item) -> bool {
    use Change::{Mirror, Rotate, Shift, Substitute, SwapColours};
    matches!(
        item.change,
        TwinChange::Position(Shift(..) | Rotate(_) | Mirror(..) | SwapColours | Substitute(..))
    )
}

/// The list of changes that leads to a board.
fn with_position(twin: &TwinBoard<'_>, mut list: Vec<Item>, target: &Board) -> Option<Vec<Item>> {
    let own = list.split_off(list.iter().rposition(is_of_all).map_or(0, |last| last + 1));
    let mut start = twin.start.clone();
    for item in &list {
        start.change(item.change).ok()?;
    }
    let traced = Traced::new(&start.board);
    let steps = steps(twin.board(), target);
    let own = match steps.len() <= MAX_STEPS {
        true => steps.iter().try_fold(own, |own, step| after_step(&traced, &own, step))?,
        false => anew(&own, &start.board, target),
    };
    list.extend(own);
    Some(list)
}

/// Something that is done on a board.
enum Step {
    Move(Square, Square),
    Remove(Square),
    Put(Square, Piece),
}

/// What makes one board of another: the way of one man, or all squares one by one.
fn steps(board: &Board, target: &Board) -> Vec<Step> {
    let differs = |square: &Square| board.at(*square) != target.at(*square);
    let (left, put): (Vec<Square>, Vec<Square>) =
        squares().filter(differs).partition(|square| target.at(*square).is_none());
    if let ([from], [to]) = (&left[..], &put[..])
        && board.at(*from) == target.at(*to)
    {
        return vec![Step::Move(*from, *to)];
    }
    let put = put.into_iter().filter_map(|square| Some(Step::Put(square, target.at(square)?)));
    left.into_iter().map(Step::Remove).chain(put).collect()
}

/// The shortest list after something more is done.
fn after_step(start: &Traced, list: &[Item], step: &Step) -> Option<Vec<Item>> {
    let mut men = start.clone();
    for item in list {
        men.change(item.change)?;
    }
    let (squares, put) = match *step {
        Step::Move(from, to) => {
            let man = men.at(from);
            men.put(from, None);
            men.put(to, man);
            (vec![from, to], None)
        }
        Step::Remove(square) => {
            men.put(square, None);
            (vec![square], None)
        }
        Step::Put(square, piece) => {
            men.put(square, Some(Man { piece, from: None }));
            (vec![square], Some(square))
        }
    };
    shortest(start, list, &Wanted::new(men, put), &squares)
}

/// A list that makes the position square by square. What concerns no men stays.
fn anew(own: &[Item], start: &Board, target: &Board) -> Vec<Item> {
    let is_kept = |item: &&Item| !matches!(item.change, TwinChange::Position(_));
    let differs = |square: &Square| start.at(*square) != target.at(*square);
    let new = |change| Item::new(TwinChange::Position(change));
    let left = squares().filter(differs).filter(|square| start.at(*square).is_some());
    let put = squares().filter(differs).filter_map(|square| Some((target.at(square)?, square)));
    let mut list: Vec<Item> = own.iter().filter(is_kept).copied().collect();
    list.extend(left.map(|square| new(Change::Remove(square))));
    list.extend(put.map(|(piece, square)| new(Change::Add(piece, square))));
    list
}

/// What the edited text must show.
struct Expected<'a> {
    board: &'a Board,
    turn: Colour,
}

impl Expected<'_> {
    /// Whether the twin has the position after the edits, and all else is as it was.
    fn is_shown_after(
        &self,
        bound: &Bound<'_>,
        defaults: Defaults,
        query: Query<'_>,
        edits: &[Edit],
    ) -> bool {
        let (old, span) = (bound.puzzle.node().text(), bound.puzzle.span());
        let place = query.span();
        let Some(local) = edits_from(span.start, place, edits) else { return false };
        let new = apply(old, &local);
        let (before, after) = (parse(old), parse(&new[..]));
        let mut puzzles = after.puzzles();
        let (Some(puzzle), None) = (puzzles.next(), puzzles.next()) else { return false };
        let Some(shown) = bind_one(puzzle, defaults) else { return false };
        let at = bound.puzzle.queries().position(|other| other.span() == place);
        let Some(edited) = at.and_then(|at| shown.puzzle.queries().nth(at)) else { return false };
        let is_as_wanted = |twin: TwinBoard<'_>| twin.board() == self.board && twin.turn() == self.turn;
        edited.verb() == Some(Verb::Twin)
            && TwinBoard::read(&shown, edited).is_ok_and(is_as_wanted)
            && shown.puzzle.queries().count() == bound.puzzle.queries().count()
            && after.errors().len() <= before.errors().len()
            && keeps_all_else(old, &local, &new)
    }
}

/// Where the text says what stands on a square of a twin: the change that put it there or took it away; else the diagram says
/// it, `None`.
///
/// # Errors
/// The twin cannot be read.
pub fn twin_square_source(
    bound: &Bound<'_>,
    query: Query<'_>,
    square: Square,
) -> Result<Option<Span>, String> {
    let (text, _) = twin_start(query, bound, editable_board(bound)?)?;
    let name = square_name(square, false);
    let words = query.argument_tokens().filter(|token| token.kind() == TokenKind::Word);
    let words: Vec<(&str, Span)> = words.map(|token| (token.text(), token.span())).collect();
    let names = |change: &Span| {
        let is_name = |(text, span): &&(&str, Span)| {
            *text == name && change.start <= span.start && span.end <= change.end
        };
        words.iter().rev().find(is_name).map(|(_, span)| *span)
    };
    for (change, span) in text.changes.iter().rev() {
        if is_of_all(&Item::new(*change)) {
            return Ok(Some(*span));
        }
        if let (TwinChange::Position(_), Some(word)) = (change, names(span)) {
            return Ok(Some(word));
        }
    }
    match twin_continued(query, &text, bound) {
        Some(before) => twin_square_source(bound, before, square),
        None => Ok(None),
    }
}

#[cfg(test)]
mod tests;
