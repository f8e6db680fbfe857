//! What a written move claims: that it gives check or mate, and that it means one move.

use crate::analysis::verbs::move_text::MoveText;
use cpz_rules::board::{Colour, Kind};
use cpz_rules::games::{
    ChessMove, Mark, Position, Request, Status, after_move, legal_moves, matching_moves, status_of,
    unmarked_san,
};
use cpz_text::diagnostic::{Code, Finding, Fix, Severity, Span};
use cpz_text::syntax::edit_distance;

/// The most legal moves that are offered instead of an illegal one.
const MAX_NEAREST: usize = 4;

/// Whether a legal move may be one of several: another piece of its kind, or another promotion.
pub(crate) fn may_mean_several(request: &Request) -> bool {
    let last = if request.colour == Colour::White { 7 } else { 0 };
    let is_complete = request.from.0.is_some() && request.from.1.is_some();
    match request.kind {
        Some(Kind::King) => false,
        None | Some(Kind::Pawn) => request.promotion.is_none() && request.to.y == last,
        Some(_) => !is_complete,
    }
}

/// The move that a written one means; `None` if no legal move matches.
///
/// # Errors
/// That it means several.
pub(crate) fn the_move(position: &Position, written: &MoveText) -> Result<Option<ChessMove>, Finding> {
    let moves = matching_moves(position, &written.request);
    let [first, second, ..] = moves[..] else { return Ok(moves.first().copied()) };
    let square = |mv: ChessMove| cpz_rules::board::square_name(mv.from, false);
    let mut finding = if first.from == second.from {
        let message = "the pawn reaches its last rank; write what it becomes, such as `=Q`";
        Finding::new(Code::AmbiguousMove, written.core, message)
    } else {
        let kind = position.board.at(first.from).map_or("piece", |p| p.kind.name());
        let all: Vec<String> = moves.iter().map(|&mv| square(mv)).collect();
        let (last, others) =
            all.split_last().map_or(("", &all[..]), |(last, others)| (last.as_str(), others));
        let message =
            format!("the {kind}s on {} and {last} can both make this move; write which", others.join(", "));
        Finding::new(Code::AmbiguousMove, written.core, message)
    };
    for &mv in &moves {
        let text = if written.is_uci { mv.uci() } else { unmarked_san(position, mv) };
        let title = match mv.promotion {
            Some(kind) => format!("make it a {}: `{text}`", kind.name()),
            None => format!("the {} on {}: `{text}`", kind_name(position, mv), square(mv)),
        };
        finding = finding.fix(Fix::new(title, written.body, text, false));
    }
    Err(finding)
}

fn kind_name(position: &Position, mv: ChessMove) -> &'static str {
    position.board.at(mv.from).map_or("piece", |p| p.kind.name())
}

/// What is wrong with the mark of a legal move. `text` is the move as it is written, with its place.
///
/// A wrong `+`, and a `+` in the place of `#`, are corrected unasked: the move stays, and a mark says nothing that the
/// board does not say. A wrong `#` is what a puzzle may rest on, so only its author can say which of the two is wrong.
pub(crate) fn wrong_mark(
    position: &Position,
    mv: ChessMove,
    written: &MoveText,
    text: (&str, Span),
) -> Option<Finding> {
    let (mark, place) = (written.request.mark?, written.mark?);
    let next = after_move(position, mv);
    let status = status_of(&next);
    let finding = |message: String| Finding::new(Code::WrongMark, place, message);
    let no_mate = |message: String| finding(message).severity(Severity::Error);
    let remove = "remove the mark";
    Some(match (mark, status) {
        (Mark::Mate, Status::Checkmate) | (Mark::Check, Status::Check) => return None,
        (Mark::Mate, Status::Check) => no_mate(format!("this is no mate: check, but {}", way_out(&next)))
            .fix(Fix::if_board_is_right("replace with `+`", place, "+")),
        (Mark::Mate, Status::Stalemate) => {
            no_mate("this is no mate but stalemate".into()).fix(Fix::if_board_is_right(remove, place, ""))
        }
        (Mark::Mate, Status::None) => no_mate("this is no mate, and not even check".into())
            .fix(Fix::if_board_is_right(remove, place, "")),
        (Mark::Check, Status::Checkmate) => {
            finding("this is mate, not only check".into()).fix(Fix::new("replace with `#`", place, "#", true))
        }
        (Mark::Check, _) => {
            // The move is written again without its mark, so that the fix replaces a word and does not cut one.
            let start = written.body.start;
            let body = Span::new(start - text.1.start, place.start - text.1.start);
            let unmarked = text.0.get(body.range()).filter(|_| text.0.len() == text.1.range().len());
            let word = Span::new(start, place.end);
            let fix = unmarked.map(|unmarked| Fix::new(remove, word, unmarked.trim_end(), true));
            let mut finding = finding("this move gives no check".into());
            finding.fixes.extend(fix);
            finding
        }
    })
}

/// A move that answers a check, one of the king if it has any.
fn way_out(position: &Position) -> String {
    let moves = legal_moves(position);
    let of_king = |mv: &&ChessMove| position.board.at(mv.from).is_some_and(|p| p.kind == Kind::King);
    let best = moves.iter().find(of_king).or(moves.first());
    best.map_or_else(String::new, |&mv| unmarked_san(position, mv))
}

/// Fixes that write the legal moves nearest to an illegal one, the nearest first.
pub(crate) fn nearest_moves(position: &Position, text: &str, written: &MoveText) -> Vec<Fix> {
    let own = Position { turn: written.request.colour, ..position.clone() };
    let write = |mv: ChessMove| if written.is_uci { mv.uci() } else { unmarked_san(&own, mv) };
    let request = &written.request;
    let rank = |mv: ChessMove| {
        let kind = own.board.at(mv.from).map(|p| p.kind);
        let other_kind = request.kind.is_some() && kind != request.kind;
        let other_start = request.from != (None, None)
            && (request.from.0.is_some_and(|x| x != mv.from.x)
                || request.from.1.is_some_and(|y| y != mv.from.y));
        let name = write(mv);
        let distance = edit_distance(text, &name);
        let far = (mv.to.x.abs_diff(request.to.x)).max(mv.to.y.abs_diff(request.to.y));
        let misses =
            u32::from(other_kind) + u32::from(mv.to != request.to) + u32::from(other_start && !other_kind);
        ((distance, misses, far, name, mv.en_passant), distance <= 2 && misses < 3)
    };
    let mut ranked: Vec<_> = legal_moves(&own).into_iter().map(rank).filter(|(_, near)| *near).collect();
    ranked.sort();
    ranked.dedup_by(|a, b| a.0.3 == b.0.3);
    let fix = |(_, _, _, name, is_passed): (usize, u32, u8, String, bool)| {
        // Another move is no capture en passant.
        let other = written.passed.filter(|_| !is_passed);
        let place = other.map_or(written.body, |passed| written.body.cover(passed));
        let condition = if other.is_some() { " (if it is the move)" } else { "" };
        Fix::new(format!("replace with `{name}`{condition}"), place, name, false)
    };
    ranked.into_iter().take(MAX_NEAREST).map(|(rank, _)| fix(rank)).collect()
}

/// The legal moves of a kind whose target is near to a square, as lists, the nearest first.
pub(crate) fn nearest_lists(position: &Position, request: &Request, origin: u8, at: Span) -> Vec<Fix> {
    let own = Position { turn: request.colour, ..position.clone() };
    let far = |mv: &ChessMove| mv.to.x.abs_diff(request.to.x) + mv.to.y.abs_diff(request.to.y);
    let of_kind = |mv: &ChessMove| own.board.at(mv.from).map(|p| p.kind) == request.kind;
    let mut moves: Vec<ChessMove> =
        legal_moves(&own).into_iter().filter(|mv| of_kind(mv) && far(mv) <= 2).collect();
    moves.sort_by_key(|mv| (far(mv), mv.to));
    moves.dedup_by_key(|mv| mv.to);
    let colour = if request.colour == Colour::White { 'W' } else { 'B' };
    let letter = request.kind.map_or('?', Kind::letter);
    let write = |mv: &ChessMove| {
        let text = format!("[\"{colour}\",\"{letter}\",{},{}]", mv.to.x + origin, mv.to.y + origin);
        Fix::new(format!("replace with `{text}`"), at, text, false)
    };
    moves.iter().take(MAX_NEAREST - 1).map(write).collect()
}
