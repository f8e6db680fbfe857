//! Completions of moves: of `move` in SAN, in UCI and as complete lists, and of the next move of a line.

use crate::completion::item::{Completion, CompletionKind, InsertionPoint};
use crate::completion::lists;
use cpz_check::analysis::{Bound, position_of, read_move_text, request_of};
use cpz_rules::board::{Kind, SourceLayout, Square, source_layout, square_name};
use cpz_rules::games::{ChessMove, Position, legal_moves, san};
use cpz_text::diagnostic::Span;
use cpz_text::syntax::{Query, Value};

/// How moves are written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum MoveNotation {
    List,
    Uci,
    /// With both squares and a sign between them, as Popeye prints moves: `Bh1-d5`.
    Long,
    San,
}

impl MoveNotation {
    /// The notation of a query's move.
    fn of(query: Query<'_>) -> Option<MoveNotation> {
        match query.argument()? {
            Value::Lists(_) => Some(MoveNotation::List),
            word => word.scalar().map(|(text, _)| MoveNotation::of_word(text)),
        }
    }

    /// The notation of a move that is written as a word.
    pub fn of_word(text: &str) -> MoveNotation {
        let squares = text.strip_prefix(|c: char| c.is_ascii_uppercase()).unwrap_or(text);
        match *squares.as_bytes() {
            [b'a'..=b'h', b'1'..=b'8', b'-' | b'x' | b'*' | b':', ..] => MoveNotation::Long,
            [b'a'..=b'h', b'1'..=b'8', b'a'..=b'h', b'1'..=b'8', ..] if squares.len() == text.len() => {
                MoveNotation::Uci
            }
            _ => MoveNotation::San,
        }
    }

    /// The notation of words of which most are used; of several the one that is named first here. `None` where there are no words.
    pub fn of_most(words: impl IntoIterator<Item = MoveNotation>) -> Option<MoveNotation> {
        let all = [MoveNotation::List, MoveNotation::Long, MoveNotation::Uci, MoveNotation::San];
        let mut counts = [0usize; 4];
        words.into_iter().for_each(|n| counts[n as usize] += 1);
        all.into_iter().max_by_key(|&n| counts[n as usize]).filter(|&n| counts[n as usize] > 0)
    }

    /// The notation that most other queries of the puzzle use; without others the one that suits the board.
    fn usual(bound: &Bound<'_>, query: Query<'_>) -> MoveNotation {
        let others = bound.puzzle.queries().filter(|q| q.span().start != query.span().start);
        let board = if has_coordinate_board(bound) { MoveNotation::List } else { MoveNotation::San };
        MoveNotation::of_most(others.filter_map(MoveNotation::of)).unwrap_or(board)
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
    let is_uci = begins_uci(point.typed, &position);
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
fn begins_uci(typed: &str, position: &Position) -> bool {
    let [file @ b'a'..=b'h', rank @ b'1'..=b'8', ..] = *typed.as_bytes() else { return false };
    let from = Square::new(file - b'a', rank - b'1');
    position.board.at(from).is_some_and(|p| p.colour == position.turn)
}

/// A legal move, named and described.
struct NamedMove {
    san: String,
    uci: String,
    long: String,
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
        let long = long_name(position, mv, &san);
        Some(NamedMove { san, uci: mv.uci(), long, detail, order })
    };
    let mut all: Vec<NamedMove> = legal_moves(position).into_iter().filter_map(named).collect();
    all.sort_by_key(|m| m.order);
    all
}

/// A move with both squares: `Bh1-d5+`. Castling as in SAN.
fn long_name(position: &Position, mv: ChessMove, san: &str) -> String {
    let letter = position.board.at(mv.from).map(|piece| piece.kind.letter()).filter(|&letter| letter != 'P');
    let (from, to) = (square_name(mv.from, false), square_name(mv.to, false));
    let sign = if san.contains('x') { 'x' } else { '-' };
    match (mv.castling, san.rfind(&to)) {
        (None, Some(at)) => {
            format!("{}{from}{sign}{}", letter.map_or(String::new(), String::from), &san[at..])
        }
        _ => san.to_string(),
    }
}

/// The next moves of a line of chess, or the first ones, in a notation; in that of the typed word if it has begun another one.
/// Nothing for a word that is a move.
pub(super) fn next_moves(
    point: &InsertionPoint<'_>,
    position: &Position,
    usual: MoveNotation,
) -> Vec<Completion> {
    let typed = point.typed;
    let is_uci = begins_uci(typed, position);
    let place = Span::new(point.start, point.offset);
    let is_complete = || read_move_text(typed, place, position.turn).is_ok();
    if !is_uci && !typed.is_empty() && point.rest.is_empty() && is_complete() {
        return Vec::new();
    }
    if usual == MoveNotation::Long || MoveNotation::of_word(typed) == MoveNotation::Long {
        let item = |m: NamedMove| point.item(CompletionKind::Move, &m.long, m.detail);
        return named_moves(position, false).into_iter().map(item).collect();
    }
    moves_as_words(point, position, is_uci, usual)
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
