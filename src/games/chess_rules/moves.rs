//! Chess moves: generated, made and named in standard algebraic notation (SAN).

use crate::board::{Castling, Colour, Kind, Piece, Square, Wing, square_name};
use crate::games::chess_move::ChessMove;
use crate::games::chess_rules::rights::CastlingCells;
use crate::games::chess_rules::rules::{ChessRules, Trial};
use crate::games::game::{Position, Request, Status};

/// What a pawn becomes on its last rank, the usual one first.
const PROMOTIONS: [Kind; 4] = [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight];

/// The legal moves of the side to move, by start and target.
pub fn legal_moves(position: &Position) -> Vec<ChessMove> {
    ChessRules::with_rights(&position.board, position.rights).legal_moves(position.turn)
}

/// The legal moves that a written move may mean, whichever side is to move: one for each piece and promotion.
pub fn matching_moves(position: &Position, wanted: &Request) -> Vec<ChessMove> {
    ChessRules::with_rights(&position.board, position.rights).matching(wanted)
}

/// The position after a legal move, with the rights that remain.
pub fn after_move(position: &Position, mv: ChessMove) -> Position {
    let mut next = position.clone();
    let board = &mut next.board;
    let (from, to) = (board.index(mv.from), board.index(mv.to));
    let Some(piece) = board.cells[from].take() else { return next };
    board.cells[to] = Some(Piece { kind: mv.promotion.unwrap_or(piece.kind), ..piece });
    if mv.en_passant {
        let taken = board.index(Square { y: mv.from.y, ..mv.to });
        board.cells[taken] = None;
    }
    if let Some(wing) = mv.castling {
        let cells = CastlingCells::of(piece.colour, wing);
        board.cells[cells.rook_to] = board.cells[cells.rook].take();
    }
    // A right ends when its king or rook moves, or its rook is captured.
    for (colour, wing, _) in Castling::EACH {
        let cells = CastlingCells::of(colour, wing);
        if [cells.king, cells.rook].iter().any(|cell| [from, to].contains(cell)) {
            next.rights.castling = next.rights.castling.without(colour, wing);
        }
    }
    let double = piece.kind == Kind::Pawn && mv.from.y.abs_diff(mv.to.y) == 2;
    next.rights.en_passant = double.then(|| Square { y: (mv.from.y + mv.to.y) / 2, ..mv.to });
    next.turn = piece.colour.other();
    next
}

/// The status of the side to move.
pub fn status_of(position: &Position) -> Status {
    ChessRules::with_rights(&position.board, position.rights).status(position.turn)
}

/// Why no piece can make a move; `None` if one can.
pub fn why_illegal(position: &Position, wanted: &Request) -> Option<String> {
    ChessRules::with_rights(&position.board, position.rights).illegal(wanted)
}

/// A legal move in SAN without a mark.
pub fn unmarked_san(position: &Position, mv: ChessMove) -> String {
    ChessRules::with_rights(&position.board, position.rights).unmarked_san(mv)
}

/// A legal move in SAN, with `+` or `#` where it gives check or mate: `Nbd7`, `exd6`, `e8=Q+`, `O-O`.
pub fn san(position: &Position, mv: ChessMove) -> String {
    let mark = match status_of(&after_move(position, mv)) {
        Status::Checkmate => "#",
        Status::Check => "+",
        Status::Stalemate | Status::None => "",
    };
    unmarked_san(position, mv) + mark
}

impl ChessRules<'_> {
    /// The legal moves of a side, by start and target.
    pub(crate) fn legal_moves(&self, side: Colour) -> Vec<ChessMove> {
        let own = |&cell: &usize| self.board.cells[cell].is_some_and(|p| p.colour == side);
        let mut moves = Vec::new();
        (0..self.board.cells.len()).filter(own).for_each(|from| self.moves_from(from, &mut moves));
        moves
    }

    fn moves_from(&self, from: usize, moves: &mut Vec<ChessMove>) {
        let first = moves.len();
        let mut targets = self.targets(from);
        targets.retain(|&to| self.safe(Trial { from, to }));
        targets.into_iter().for_each(|to| self.push_moves(from, to, moves));
        if let Some(Piece { colour, kind: Kind::King }) = self.board.cells[from]
            && !self.cube
        {
            for wing in [Wing::King, Wing::Queen] {
                let cells = CastlingCells::of(colour, wing);
                if cells.king == from && self.castling_obstacle(colour, wing).is_none() {
                    moves.push(ChessMove { castling: Some(wing), ..self.plain(from, cells.king_to) });
                }
            }
        }
        moves[first..].sort_by_key(|m| m.to);
    }

    fn plain(&self, from: usize, to: usize) -> ChessMove {
        let (from_square, to_square) = (self.board.square(from), self.board.square(to));
        ChessMove {
            from: from_square,
            to: to_square,
            promotion: None,
            castling: None,
            en_passant: self.takes_en_passant(from, to),
        }
    }

    /// The moves of a piece to a cell that it reaches: one, or one for each promotion.
    fn push_moves(&self, from: usize, to: usize, moves: &mut Vec<ChessMove>) {
        let mv = self.plain(from, to);
        match self.board.cells[from] {
            Some(p) if p.kind == Kind::Pawn && mv.to.y == self.last_rank(p.colour) => {
                moves.extend(PROMOTIONS.map(|kind| ChessMove { promotion: Some(kind), ..mv }));
            }
            _ => moves.push(mv),
        }
    }

    fn last_rank(&self, colour: Colour) -> u8 {
        if colour == Colour::White { self.board.size.h - 1 } else { 0 }
    }

    /// The legal moves that a request may mean.
    pub(crate) fn matching(&self, wanted: &Request) -> Vec<ChessMove> {
        let mut moves = Vec::new();
        let to = self.board.index(wanted.to);
        for from in self.candidates(wanted).filter(|&from| from != to) {
            let own = self.board.cells[to].is_some_and(|p| p.colour == wanted.colour);
            if !own && self.reach(from, to).is_ok() && self.safe(Trial { from, to }) {
                self.push_moves(from, to, &mut moves);
            } else if let Some(wing) = self.castles(from, to)
                && self.castling_obstacle(wanted.colour, wing).is_none()
            {
                moves.push(ChessMove { castling: Some(wing), ..self.plain(from, to) });
            }
        }
        moves.retain(|m| {
            (wanted.castling.is_none() || m.castling == wanted.castling)
                && (wanted.promotion.is_none() || m.promotion == wanted.promotion)
                && (!wanted.captures || self.board.cells[to].is_some() || m.en_passant)
                && (!wanted.en_passant || m.en_passant)
        });
        moves
    }

    /// A legal move in SAN without a mark.
    pub(crate) fn unmarked_san(&self, mv: ChessMove) -> String {
        if let Some(wing) = mv.castling {
            return ["O-O", "O-O-O"][wing as usize].to_string();
        }
        let (from, to) = (self.board.index(mv.from), self.board.index(mv.to));
        let Some(piece) = self.board.cells[from] else { return mv.uci() };
        let takes = self.board.cells[to].is_some() || mv.en_passant;
        let origin = square_name(mv.from, false);
        let mut text = String::new();
        if piece.kind == Kind::Pawn {
            text.push_str(if takes { &origin[..1] } else { "" });
        } else {
            text.push(piece.kind.letter());
            text.push_str(self.told_apart(piece, from, to, &origin));
        }
        text.push_str(if takes { "x" } else { "" });
        text.push_str(&square_name(mv.to, false));
        if let Some(kind) = mv.promotion {
            text.extend(['=', kind.letter()]);
        }
        text
    }

    /// The part of a start that tells a piece from others of its kind that can go to the same cell.
    fn told_apart<'n>(&self, piece: Piece, from: usize, to: usize, origin: &'n str) -> &'n str {
        let rivals = |&cell: &usize| {
            cell != from
                && self.board.cells[cell] == Some(piece)
                && self.reach(cell, to).is_ok()
                && self.safe(Trial { from: cell, to })
        };
        let rivals: Vec<Square> =
            (0..self.board.cells.len()).filter(rivals).map(|cell| self.board.square(cell)).collect();
        let own = self.board.square(from);
        match (rivals.iter().any(|s| s.x == own.x), rivals.iter().any(|s| s.y == own.y)) {
            _ if rivals.is_empty() => "",
            (false, _) => &origin[..1],
            (true, false) => &origin[1..],
            (true, true) => origin,
        }
    }
}
