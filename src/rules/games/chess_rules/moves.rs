//! The moves that a request may mean, for reasons and for the cube.

use crate::board::{Colour, Kind};
use crate::games::chess_move::ChessMove;
use crate::games::chess_rules::rules::{ChessRules, Trial};
use crate::games::game::Request;

/// What a pawn becomes on its last rank, the usual one first.
const PROMOTIONS: [Kind; 4] = [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight];

impl ChessRules<'_> {
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

    /// Every legal move of a side without castling and promotions, which a cube has not.
    pub(crate) fn plain_moves(&self, side: Colour) -> Vec<ChessMove> {
        let own = |cell: &usize| self.board.cells[*cell].is_some_and(|p| p.colour == side);
        let from = (0..self.board.cells.len()).filter(own);
        let trials = from.flat_map(|from| self.targets(from).into_iter().map(move |to| Trial { from, to }));
        trials.filter(|&trial| self.safe(trial)).map(|Trial { from, to }| self.plain(from, to)).collect()
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
                && (m.castling.is_none() || wanted.may_castle())
                && (wanted.promotion.is_none() || m.promotion == wanted.promotion)
                && (!wanted.captures || self.board.cells[to].is_some() || m.en_passant)
                && (!wanted.en_passant || m.en_passant)
        });
        moves
    }
}
