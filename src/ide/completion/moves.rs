//! The moves that may stand after `move`: as words, and as whole lists.

use crate::analysis::{Bound, position_of, request_of};
use crate::board::{Kind, Piece, SourceLayout, Square, source_layout, square_name};
use crate::games::{Answer, Budget, Position, Question};
use crate::ide::board_view::playback::Playback;
use crate::ide::completion::{Completion, CompletionKind, NODES, Place, fits, lists};
use crate::syntax::{Query, Value, Verb};

/// How moves are written.
#[derive(Clone, Copy, PartialEq)]
enum Notation {
    List,
    Uci,
    San,
}

impl Notation {
    /// That of a query's move.
    fn of(query: Query<'_>) -> Option<Notation> {
        let uci = |t: &str| matches!(t.as_bytes(), [b'a'..=b'h', b'1'..=b'8', _, _, ..]);
        match query.argument()? {
            Value::Lists(_) => Some(Notation::List),
            word => word.scalar().map(|(t, _)| if uci(t) { Notation::Uci } else { Notation::San }),
        }
    }

    /// The one that the other queries have most often; where there is none, that of the board.
    fn usual(bound: &Bound<'_>, query: Query<'_>) -> Notation {
        let others = bound.puzzle.queries().filter(|q| q.span().start != query.span().start);
        let used: Vec<Notation> = others.filter_map(Notation::of).collect();
        let count = |n: Notation| used.iter().filter(|&&u| u == n).count();
        let board = if in_coordinates(bound) { Notation::List } else { Notation::Uci };
        let most = [Notation::San, Notation::Uci, Notation::List].into_iter().max_by_key(|&n| count(n));
        most.filter(|_| !used.is_empty()).unwrap_or(board)
    }
}

fn in_coordinates(bound: &Bound<'_>) -> bool {
    let form = bound.puzzle.boards().next().and_then(|b| b.form());
    form.is_some_and(|form| matches!(source_layout(form, bound.game.format()), SourceLayout::Entries(_)))
}

/// The legal moves of the side to move in UCI or SAN, and as lists where the board is one of
/// coordinates: first those that are written as other moves of the puzzle are.
pub(crate) fn moves(place: &Place<'_>, bound: &Bound<'_>, query: Query<'_>) -> Vec<Completion> {
    let Some(position) = position_of(bound) else { return Vec::new() };
    let usual = Notation::usual(bound, query);
    let mut found = words(place, bound, &position, usual);
    if place.typed.is_empty() && in_coordinates(bound) {
        // A list names its colour: the colours that other lists name count as much as the side to move.
        let named = bound.puzzle.queries().filter(|&q| Notation::of(q) == Some(Notation::List));
        let mut colours = vec![bound.turn];
        let named = named.filter_map(|q| request_of(bound, q)).map(|r| r.colour);
        colours.extend(named.filter(|&c| c != bound.turn).take(1));
        let rank = if usual == Notation::List { 0 } else { 2 };
        let lists = lists::whole_moves(place, bound, &position, &colours);
        found.extend(lists.into_iter().map(|c| Completion { rank, ..c }));
    }
    let typed = place.typed.to_lowercase();
    if !found.iter().any(|c| fits(&c.label.to_lowercase(), &typed)) {
        let why = match request_of(bound, query) {
            None if found.is_empty() => "there is no legal move".to_string(),
            None => "no legal move begins so".to_string(),
            Some(request) => {
                let question = Question { verb: Verb::Move, request: Some(request) };
                match bound.game.answer(&position, &question, &Budget::new(NODES, None)) {
                    Ok(Answer::Move(Some(reason))) => format!("illegal: {reason}"),
                    _ => return Vec::new(),
                }
            }
        };
        return lists::reason(place, why);
    }
    found
}

/// The legal moves of the side to move in UCI, or in SAN where a piece's letter is typed or other
/// moves are written so.
fn words(place: &Place<'_>, bound: &Bound<'_>, position: &Position, usual: Notation) -> Vec<Completion> {
    let own = position.board.pieces().filter(|(_, p)| p.colour == bound.turn);
    let play = Playback { bound, position };
    let all: Vec<(Piece, Square, Square)> =
        own.flat_map(|(from, p)| play.destinations(from).into_iter().map(move |to| (p, from, to))).collect();
    let san = match place.typed.chars().next() {
        Some(first) => first.is_ascii_uppercase(),
        None => usual == Notation::San,
    };
    let name = |s: Square| square_name(s, false);
    let mut found = Vec::new();
    for &(piece, from, to) in &all {
        let takes = position.board.at(to).is_some();
        let twin = |&(p, f, t): &(Piece, Square, Square)| p == piece && t == to && f != from;
        let x = if takes { "x" } else { "" };
        let label = match piece.kind {
            _ if !san => format!("{}{}", name(from), name(to)),
            // A pawn has no letter unless one is typed.
            Kind::Pawn if place.typed.is_empty() && takes => format!("{}x{}", &name(from)[..1], name(to)),
            Kind::Pawn if place.typed.is_empty() => name(to),
            kind => {
                let which = if all.iter().any(twin) { name(from) } else { String::new() };
                format!("{}{which}{x}{}", kind.letter(), name(to))
            }
        };
        let detail = format!("{} {} {}", piece.kind.name(), if takes { "takes" } else { "to" }, name(to));
        found.push(place.item(CompletionKind::Move, &label, detail));
    }
    found
}
