//! Completions of the move behind `move`: in UCI, in SAN, and as complete lists.

use crate::analysis::{Bound, position_of, request_of};
use crate::board::{Kind, Piece, SourceLayout, Square, source_layout, square_name};
use crate::games::{Answer, Budget, Position, Question};
use crate::ide::board_view::playback::Playback;
use crate::ide::completion::item::{Completion, CompletionKind, InsertionPoint, LOOK_AHEAD_NODES};
use crate::ide::completion::lists;
use crate::syntax::{Query, Value, Verb};

/// How moves are written.
#[derive(Clone, Copy, PartialEq)]
enum MoveNotation {
    List,
    Uci,
    San,
}

impl MoveNotation {
    /// The notation of a query's move.
    fn of(query: Query<'_>) -> Option<MoveNotation> {
        let uci = |t: &str| matches!(t.as_bytes(), [b'a'..=b'h', b'1'..=b'8', _, _, ..]);
        match query.argument()? {
            Value::Lists(_) => Some(MoveNotation::List),
            word => word.scalar().map(|(t, _)| if uci(t) { MoveNotation::Uci } else { MoveNotation::San }),
        }
    }

    /// The notation that most other queries of the puzzle use; without others the one that suits the board.
    fn usual(bound: &Bound<'_>, query: Query<'_>) -> MoveNotation {
        let others = bound.puzzle.queries().filter(|q| q.span().start != query.span().start);
        let used: Vec<MoveNotation> = others.filter_map(MoveNotation::of).collect();
        let count = |n: MoveNotation| used.iter().filter(|&&u| u == n).count();
        let board = if has_coordinate_board(bound) { MoveNotation::List } else { MoveNotation::Uci };
        let most =
            [MoveNotation::San, MoveNotation::Uci, MoveNotation::List].into_iter().max_by_key(|&n| count(n));
        most.filter(|_| !used.is_empty()).unwrap_or(board)
    }
}

/// Whether the board is a list of pieces with coordinates.
fn has_coordinate_board(bound: &Bound<'_>) -> bool {
    let form = bound.puzzle.boards().next().and_then(|b| b.form());
    form.is_some_and(|form| matches!(source_layout(form, bound.game.format()), SourceLayout::Entries(_)))
}

/// The legal moves of the side to move in UCI or SAN, and as lists if the board is a list of pieces with
/// coordinates. The notation of the puzzle's other moves comes first.
pub(super) fn moves(point: &InsertionPoint<'_>, bound: &Bound<'_>, query: Query<'_>) -> Vec<Completion> {
    let Some(position) = position_of(bound) else { return Vec::new() };
    let usual = MoveNotation::usual(bound, query);
    let mut found = moves_as_words(point, bound, &position, usual);
    if point.typed.is_empty() && has_coordinate_board(bound) {
        // A list contains a colour: offer also the colour that other lists of the puzzle contain.
        let named = bound.puzzle.queries().filter(|&q| MoveNotation::of(q) == Some(MoveNotation::List));
        let mut colours = vec![bound.turn];
        let named = named.filter_map(|q| request_of(bound, q)).map(|r| r.colour);
        colours.extend(named.filter(|&c| c != bound.turn).take(1));
        let rank = if usual == MoveNotation::List { 0 } else { 2 };
        let lists = lists::complete_moves(point, bound, &position, &colours);
        found.extend(lists.into_iter().map(|c| Completion { rank, ..c }));
    }
    if !point.matches_any(&found) {
        let why = match request_of(bound, query) {
            None if found.is_empty() => "there is no legal move".to_string(),
            None => "no legal move begins like this".to_string(),
            Some(request) => {
                let question = Question { verb: Verb::Move, request: Some(request) };
                match bound.game.answer(&position, &question, &Budget::new(LOOK_AHEAD_NODES, None)) {
                    Ok(Answer::Move(Some(reason))) => format!("illegal: {reason}"),
                    _ => return Vec::new(),
                }
            }
        };
        return point.explanation(why);
    }
    found
}

/// The legal moves of the side to move in SAN if a capital letter is typed or other moves are in SAN, else in
/// UCI.
fn moves_as_words(
    point: &InsertionPoint<'_>,
    bound: &Bound<'_>,
    position: &Position,
    usual: MoveNotation,
) -> Vec<Completion> {
    let own = position.board.pieces().filter(|(_, p)| p.colour == bound.turn);
    let play = Playback { bound, position };
    let all: Vec<(Piece, Square, Square)> =
        own.flat_map(|(from, p)| play.destinations(from).into_iter().map(move |to| (p, from, to))).collect();
    let san = match point.typed.chars().next() {
        Some(first) => first.is_ascii_uppercase(),
        None => usual == MoveNotation::San,
    };
    let name = |s: Square| square_name(s, false);
    let mut found = Vec::new();
    for &(piece, from, to) in &all {
        let takes = position.board.at(to).is_some();
        let same_target = |&(p, f, t): &(Piece, Square, Square)| p == piece && t == to && f != from;
        let x = if takes { "x" } else { "" };
        let label = match piece.kind {
            _ if !san => format!("{}{}", name(from), name(to)),
            // The letter of a pawn is written only if it is typed.
            Kind::Pawn if point.typed.is_empty() && takes => format!("{}x{}", &name(from)[..1], name(to)),
            Kind::Pawn if point.typed.is_empty() => name(to),
            kind => {
                let origin = if all.iter().any(same_target) { name(from) } else { String::new() };
                format!("{}{origin}{x}{}", kind.letter(), name(to))
            }
        };
        let detail = format!("{} {} {}", piece.kind.name(), if takes { "takes" } else { "to" }, name(to));
        found.push(point.item(CompletionKind::Move, &label, detail));
    }
    found
}
