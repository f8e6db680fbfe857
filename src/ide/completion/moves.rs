//! Completions of the move behind `move`: in SAN, in UCI, and as complete lists.

use crate::completion::item::{Completion, CompletionKind, InsertionPoint};
use crate::completion::lists;
use cpz_check::analysis::{Bound, position_of, request_of};
use cpz_rules::board::{Kind, SourceLayout, Square, source_layout, square_name};
use cpz_rules::games::{ChessMove, Position, legal_moves, san};
use cpz_text::syntax::{Query, Value};

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
        let board = if has_coordinate_board(bound) { MoveNotation::List } else { MoveNotation::San };
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

/// The legal moves of the side to move, and as lists if the board is a list of pieces with coordinates. The
/// notation of the puzzle's other moves comes first. `quote` is for the words of lists.
pub(super) fn moves(
    point: &InsertionPoint<'_>,
    bound: &Bound<'_>,
    query: Query<'_>,
    quote: &str,
) -> Vec<Completion> {
    let Some(position) = position_of(bound) else { return Vec::new() };
    let usual = MoveNotation::usual(bound, query);
    let is_uci = begins_uci(point.typed, bound, &position);
    // A word that can be read as a move is complete, whether it is legal or not.
    if !is_uci && !point.typed.is_empty() && point.rest.is_empty() && request_of(bound, query).is_some() {
        return Vec::new();
    }
    let mut found = moves_as_words(point, &position, is_uci, usual);
    if point.typed.is_empty() && has_coordinate_board(bound) {
        // A list contains a colour: offer also the colour that other lists of the puzzle contain.
        let named = bound.puzzle.queries().filter(|&q| MoveNotation::of(q) == Some(MoveNotation::List));
        let mut colours = vec![bound.turn];
        let named = named.filter_map(|q| request_of(bound, q)).map(|r| r.colour);
        colours.extend(named.filter(|&c| c != bound.turn).take(1));
        let rank = if usual == MoveNotation::List { 0 } else { 2 };
        let lists = lists::complete_moves(point, bound, &position, &colours, quote);
        found.extend(lists.into_iter().map(|c| Completion { rank, ..c }));
    }
    if found.is_empty() {
        return point.explanation("there is no legal move".to_string());
    }
    found
}

/// Whether a word begins with the square of a piece of the side to move and is no move in SAN: a move in UCI.
fn begins_uci(typed: &str, bound: &Bound<'_>, position: &Position) -> bool {
    let [file @ b'a'..=b'h', rank @ b'1'..=b'8', ..] = *typed.as_bytes() else { return false };
    let from = Square::new(file - b'a', rank - b'1');
    position.board.at(from).is_some_and(|p| p.colour == bound.turn)
}

/// A legal move, named and described.
struct NamedMove {
    san: String,
    uci: String,
    detail: String,
    /// Mates first, then checks, captures and the rest.
    order: u8,
}

/// The legal moves of the side to move, mates, checks and captures first. The letter of a pawn is written only if
/// `names_pawn`.
fn named_moves(position: &Position, names_pawn: bool) -> Vec<NamedMove> {
    let named = |mv: ChessMove| {
        let piece = position.board.at(mv.from)?;
        let san = san(position, mv);
        let takes = san.contains('x');
        let (order, effect) = match san.chars().last() {
            Some('#') => (0, ", mate"),
            Some('+') => (1, ", check"),
            _ => (2 + u8::from(!takes), ""),
        };
        let how = if takes { "takes" } else { "to" };
        let what = match mv.castling {
            Some(_) => "castling: the king".to_string(),
            None => piece.kind.name().to_string(),
        };
        let detail = format!("{what} {how} {}{effect}", square_name(mv.to, false));
        let san = match san.find('x') {
            Some(x) if names_pawn && piece.kind == Kind::Pawn => format!("P{}", &san[x..]),
            None if names_pawn && piece.kind == Kind::Pawn => format!("P{san}"),
            _ => san,
        };
        Some(NamedMove { san, uci: mv.uci(), detail, order })
    };
    let mut all: Vec<NamedMove> = legal_moves(position).into_iter().filter_map(named).collect();
    all.sort_by_key(|m| m.order);
    all
}

/// The legal moves in SAN; in UCI if a move in UCI is begun or all other moves are in UCI.
fn moves_as_words(
    point: &InsertionPoint<'_>,
    position: &Position,
    is_uci: bool,
    usual: MoveNotation,
) -> Vec<Completion> {
    let all = named_moves(position, point.typed.starts_with('P'));
    let uci = is_uci || usual == MoveNotation::Uci;
    // The marks of a move could not match the rest of a word.
    let marks: &[char] = if point.rest.is_empty() { &[] } else { &['+', '#'] };
    let item = |label: &str, m: &NamedMove| point.item(CompletionKind::Move, label, m.detail.as_str());
    let mut found = Vec::new();
    if uci {
        found.extend(all.iter().map(|m| item(&m.uci, m)));
    }
    if !uci || !point.typed.is_empty() {
        found.extend(all.iter().map(|m| item(m.san.trim_end_matches(marks), m)));
    }
    found
}
