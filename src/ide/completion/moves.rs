//! Completions of the move behind `move`: in SAN, in UCI, and as complete lists.

use crate::analysis::{Bound, position_of, request_of};
use crate::board::{Kind, Piece, SourceLayout, Square, source_layout, square_name};
use crate::games::{Position, Status, Step};
use crate::ide::board_view::playback::{Playback, board_after};
use crate::ide::completion::item::{Completion, CompletionKind, InsertionPoint};
use crate::ide::completion::lists;
use crate::syntax::{Query, Value};

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
    let mut found = moves_as_words(point, bound, &position, is_uci, usual);
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

/// A legal move.
#[derive(Clone, Copy)]
struct LegalMove {
    piece: Piece,
    from: Square,
    to: Square,
    /// The kind that a pawn is promoted to.
    promotion: Option<Kind>,
    takes: bool,
    /// Whether the other side is then in check or checkmated.
    status: Option<Status>,
}

impl LegalMove {
    fn uci(self) -> String {
        let promotion = self.promotion.map(|k| k.letter().to_ascii_lowercase().to_string());
        let (from, to) = (square_name(self.from, false), square_name(self.to, false));
        from + &to + &promotion.unwrap_or_default()
    }

    /// The move in SAN; the letter of a pawn is written only if `names_pawn`.
    fn san(self, all: &[LegalMove], names_pawn: bool) -> String {
        let (from, to) = (square_name(self.from, false), square_name(self.to, false));
        let rivals = all.iter().filter(|m| m.piece == self.piece && m.to == self.to && m.from != self.from);
        let rivals: Vec<Square> = rivals.map(|m| m.from).collect();
        let origin = match self.piece.kind {
            Kind::Pawn if self.takes && !names_pawn => &from[..1],
            _ if rivals.is_empty() => "",
            _ if rivals.iter().all(|s| s.x != self.from.x) => &from[..1],
            _ if rivals.iter().all(|s| s.y != self.from.y) => &from[1..],
            _ => &from,
        };
        let letter = match self.piece.kind {
            Kind::Pawn if !names_pawn => String::new(),
            kind => kind.letter().to_string(),
        };
        let takes = if self.takes { "x" } else { "" };
        let promotion = self.promotion.map(|k| format!("={}", k.letter())).unwrap_or_default();
        let mark = match self.status {
            Some(Status::Checkmate) => "#",
            Some(Status::Check) => "+",
            _ => "",
        };
        format!("{letter}{origin}{takes}{to}{promotion}{mark}")
    }

    fn detail(self) -> String {
        let how = if self.takes { "takes" } else { "to" };
        let mut detail = format!("{} {how} {}", self.piece.kind.name(), square_name(self.to, false));
        match self.status {
            Some(Status::Checkmate) => detail.push_str(", mate"),
            Some(Status::Check) => detail.push_str(", check"),
            _ => {}
        }
        detail
    }

    /// Mates first, then checks, captures and the rest.
    fn order(self) -> u8 {
        match self.status {
            Some(Status::Checkmate) => 0,
            Some(Status::Check) => 1,
            _ => 2 + u8::from(!self.takes),
        }
    }
}

/// The legal moves of the side to move, mates, checks and captures first.
fn legal_moves(bound: &Bound<'_>, position: &Position) -> Vec<LegalMove> {
    let play = Playback { bound, position };
    let mut all = Vec::new();
    for (from, piece) in position.board.pieces().filter(|(_, p)| p.colour == bound.turn) {
        for to in play.destinations(from) {
            let promotes = piece.kind == Kind::Pawn && (to.y == 0 || to.y == 7);
            let kinds = [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight].map(Some);
            for &promotion in if promotes { &kinds[..] } else { &[None] } {
                let step = Step { from, to, taken: None };
                let mut board = board_after(&position.board, &[step], false);
                if let Some(kind) = promotion {
                    let index = board.index(to);
                    board.cells[index] = Some(Piece::new(piece.colour, kind));
                }
                let next = Position { board, turn: bound.turn.other(), ..position.clone() };
                let status = bound.game.status(&next);
                let takes = position.board.at(to).is_some();
                all.push(LegalMove { piece, from, to, promotion, takes, status });
            }
        }
    }
    all.sort_by_key(|m| m.order());
    all
}

/// The legal moves in SAN; in UCI if a move in UCI is begun or all other moves are in UCI.
fn moves_as_words(
    point: &InsertionPoint<'_>,
    bound: &Bound<'_>,
    position: &Position,
    is_uci: bool,
    usual: MoveNotation,
) -> Vec<Completion> {
    let all = legal_moves(bound, position);
    let uci = is_uci || usual == MoveNotation::Uci;
    let names_pawn = point.typed.starts_with('P');
    // The marks of a move could not match the rest of a word.
    let marks: &[char] = if point.rest.is_empty() { &[] } else { &['+', '#'] };
    let item = |label: String, m: LegalMove| {
        point.item(CompletionKind::Move, label.trim_end_matches(marks), m.detail())
    };
    let mut found = Vec::new();
    if uci {
        found.extend(all.iter().map(|&m| item(m.uci(), m)));
    }
    if !uci || !point.typed.is_empty() {
        found.extend(all.iter().map(|&m| item(m.san(&all, names_pawn), m)));
    }
    found
}
