//! Why a move is illegal and why a side is mated, in words.

use crate::board::{Colour, Kind, Square, square_name};
use crate::games::chess_rules::rules::{ChessRules, IllegalReason, Trial};
use crate::games::game::{Reason, Request, Status, join_words};

/// The reason against castling and en passant.
const NEEDS_HISTORY: &str = "depends on earlier moves, which cpz does not consider";

impl ChessRules<'_> {
    /// Why no piece that matches can make a move; `None` if one can.
    pub(crate) fn illegal(&self, wanted: &Request) -> Option<String> {
        if wanted.castling {
            return Some(format!("castling {NEEDS_HISTORY}"));
        }
        if wanted.from == (Some(wanted.to.x), Some(wanted.to.y)) {
            return Some("a move must end on another square than it begins on".into());
        }
        let to = self.board.index(wanted.to);
        let taken = self.board.cells[to];
        let last = if wanted.colour == Colour::White { self.board.size.h - 1 } else { 0 };
        let own = taken.is_some_and(|p| p.colour == wanted.colour);
        let idle = wanted.captures && taken.is_none();
        let promotes = |c: usize| {
            let pawn = self.board.cells[c].is_some_and(|p| p.kind == Kind::Pawn) && wanted.to.y == last;
            wanted.promotion.is_none_or(|k| pawn && !matches!(k, Kind::King | Kind::Pawn | Kind::Man))
        };
        let mut reasons_against = Vec::new();
        let mut unpromoted = None;
        for from in self.candidates(wanted) {
            let trial = Trial { from, to };
            let reached = if from == to { Err(IllegalReason::Reach) } else { self.reach(from, to) };
            match reached.and_then(|()| self.danger(trial)) {
                Ok(()) if own || idle => {}
                Ok(()) if !promotes(from) => unpromoted = Some(from),
                Ok(()) => return None,
                Err(reason) => reasons_against.push((from, reason)),
            }
        }
        let name = square_name(wanted.to, self.cube);
        if own {
            return Some(format!(
                "{name} is occupied by {}'s own {}",
                wanted.colour.name(),
                taken?.kind.name()
            ));
        }
        let passes = taken.is_none() && self.candidates(wanted).any(|c| self.passes(c, wanted.to));
        let en_passant = if passes { format!("; en passant {NEEDS_HISTORY}") } else { String::new() };
        if idle {
            return Some(format!("there is nothing to capture on {name}{en_passant}"));
        }
        if let Some(from) = unpromoted {
            return Some(match wanted.promotion {
                Some(Kind::King | Kind::Pawn | Kind::Man) => {
                    "a pawn is promoted to a queen, a rook, a bishop or a knight".to_string()
                }
                _ => format!("{} is not promoted on {name}", self.piece_on(from)),
            });
        }
        Some(self.why_not(wanted, &reasons_against, &name) + &en_passant)
    }

    /// The status of a side with its reasons.
    pub(crate) fn explained(&self, side: Colour) -> (Status, Vec<Reason>) {
        let (status, checkers) = self.status_and_checkers(side);
        let Some(king) = self.kings[side as usize] else {
            let text = format!("{} has no king, so it cannot be in check", side.name());
            return (status, vec![Reason::new(text, Vec::new())]);
        };
        if status == Status::None {
            return (status, Vec::new());
        }
        let mut reasons = Vec::new();
        if !checkers.is_empty() {
            let text = format!("{} is in check from {}", self.piece_on(king), self.pieces_on(&checkers));
            reasons.push(Reason::new(text, self.squares(&checkers)));
        } else {
            let text =
                format!("{} is not in check, but {} has no legal move", self.piece_on(king), side.name());
            reasons.push(Reason::new(text, vec![self.board.square(king)]));
        }
        match status {
            Status::Check => reasons.extend(self.answers(side, king, &checkers)),
            _ => {
                reasons.extend(self.escapes(king));
                if !checkers.is_empty() {
                    reasons.extend(self.defences(side, king, &checkers));
                }
            }
        }
        (status, reasons)
    }

    /// `the white knight on c3`
    fn whose_on(&self, cell: usize) -> String {
        match self.board.cells[cell] {
            Some(p) => format!("the {p} on {}", self.name(cell)),
            None => format!("nothing on {}", self.name(cell)),
        }
    }

    fn squares(&self, cells: &[usize]) -> Vec<Square> {
        cells.iter().map(|&c| self.board.square(c)).collect()
    }

    /// A reason about a move.
    fn of_move(&self, from: usize, to: usize, possible: bool, by: &[usize], text: String) -> Reason {
        let step = Some((self.board.square(from), self.board.square(to)));
        Reason { text, step, possible, by: self.squares(by) }
    }

    fn pieces_on(&self, cells: &[usize]) -> String {
        join_words(&cells.iter().map(|&c| self.piece_on(c)).collect::<Vec<_>>())
    }

    /// Puts the reasons against the candidates, each with its cell, into words.
    fn why_not(&self, wanted: &Request, reasons_against: &[(usize, IllegalReason)], target: &str) -> String {
        let colour = wanted.colour.name();
        let kind = wanted.kind.map_or("piece", Kind::name);
        if reasons_against.is_empty() {
            return match wanted.from {
                (Some(x), Some(y)) => {
                    let cell = self.board.index(Square::new(x, y));
                    match self.board.cells[cell] {
                        Some(p) if p.colour != wanted.colour => {
                            format!(
                                "it is {colour} to move, and {} is {}'s",
                                self.piece_on(cell),
                                p.colour.name()
                            )
                        }
                        Some(_) => format!("{} is not a {kind}", self.piece_on(cell)),
                        None => format!("there is no {colour} {kind} on {}", self.name(cell)),
                    }
                }
                (None, None) => format!("{colour} has no {kind}"),
                (Some(x), None) => format!("{colour} has no {kind} on file {}", char::from(b'a' + x)),
                (None, Some(y)) => format!("{colour} has no {kind} on rank {}", y + 1),
            };
        }
        let reach = |f: &IllegalReason| matches!(f, IllegalReason::Reach | IllegalReason::Blocked(_));
        if reasons_against.iter().all(|(_, f)| reach(f)) {
            let blocked: Vec<String> = reasons_against
                .iter()
                .filter_map(|(from, f)| match f {
                    IllegalReason::Blocked(by) if reasons_against.len() > 1 => {
                        Some(format!("{} is in the way of {}", self.piece_on(*by), self.piece_on(*from)))
                    }
                    IllegalReason::Blocked(by) => Some(format!("{} is in the way", self.piece_on(*by))),
                    _ => None,
                })
                .collect();
            return match (blocked.is_empty(), reasons_against) {
                (true, [(from, _)]) => format!("{} does not reach {target}", self.piece_on(*from)),
                (true, _) => format!("no {colour} {kind} reaches {target}"),
                (false, _) => format!("no {colour} {kind} reaches {target}: {}", join_words(&blocked)),
            };
        }
        // A piece that almost can make the move explains more than one that moves another way.
        let near = reasons_against.iter().filter(|(_, f)| !matches!(f, IllegalReason::Reach));
        let mut parts: Vec<String> = near.map(|(from, f)| self.explain_reason(*from, f, target)).collect();
        parts.dedup();
        parts.join("; ")
    }

    fn explain_reason(&self, from: usize, reason: &IllegalReason, target: &str) -> String {
        let piece = self.piece_on(from);
        let king = || {
            let colour = self.board.cells[from].map_or(Colour::White, |p| p.colour);
            self.kings[colour as usize].map_or_else(String::new, |k| self.piece_on(k))
        };
        match reason {
            IllegalReason::Reach => format!("{piece} does not reach {target}"),
            IllegalReason::Blocked(by) => format!("{} is in the way of {piece}", self.piece_on(*by)),
            IllegalReason::PawnAhead => format!("{piece} captures diagonally only, and {target} is occupied"),
            IllegalReason::PawnAside => {
                format!("{piece} moves diagonally only to capture, and no enemy is on {target}")
            }
            IllegalReason::Pinned(by) => format!("{piece} is pinned by {}", self.piece_on(*by)),
            IllegalReason::Checked(by) => {
                format!("{} is in check from {} and this move does not stop it", king(), self.pieces_on(by))
            }
            IllegalReason::Guarded(by) => format!("{target} is guarded by {}", self.pieces_on(by)),
        }
    }

    /// For a king without a move: each cell next to him, with what keeps him from it.
    fn escapes(&self, king: usize) -> Vec<Reason> {
        let Some(piece) = self.board.cells[king] else { return Vec::new() };
        let cells = self.steps(Kind::King).0.iter().filter_map(|&s| self.go(king, s));
        cells
            .map(|to| {
                let name = self.name(to);
                let by = self.attackers(to, piece.colour.other(), Some(Trial { from: king, to }));
                let text = match self.board.cells[to] {
                    Some(p) if p.colour == piece.colour => {
                        let text = format!("{name}: occupied by its own {}", p.kind.name());
                        return self.of_move(king, to, false, &[to], text);
                    }
                    Some(p) => {
                        format!("{name}: the {} there is guarded by {}", p.kind.name(), self.pieces_on(&by))
                    }
                    None => format!("{name}: guarded by {}", self.pieces_on(&by)),
                };
                self.of_move(king, to, false, &by, text)
            })
            .collect()
    }

    /// For a checkmate: why no capture and no block helps.
    fn defences(&self, side: Colour, king: usize, checkers: &[usize]) -> Vec<Reason> {
        let &[checker] = checkers else {
            let text = format!(
                "no move captures or blocks {} {}",
                if checkers.len() == 2 { "both" } else { "all of" },
                self.pieces_on(checkers)
            );
            return vec![Reason::new(text, self.squares(checkers))];
        };
        let mut reasons = Vec::new();
        for to in self.stops(king, checkers).into_iter().rev() {
            let what = if to == checker {
                format!("capture {}", self.piece_on(checker))
            } else {
                format!("block on {}", self.name(to))
            };
            let mut tried = 0;
            for (from, p) in self.board.cells.iter().enumerate() {
                if from == king || p.is_none_or(|p| p.colour != side) {
                    continue;
                }
                let reason = match self.reach(from, to) {
                    Ok(()) => self.danger(Trial { from, to }).err(),
                    // Name a piece that could help if nothing were in its way.
                    Err(reason @ IllegalReason::Blocked(_)) => Some(reason),
                    Err(_) => None,
                };
                let Some(reason) = reason else { continue };
                tried += 1;
                let by = match &reason {
                    IllegalReason::Blocked(by) | IllegalReason::Pinned(by) => vec![*by],
                    IllegalReason::Checked(by) | IllegalReason::Guarded(by) => by.clone(),
                    _ => Vec::new(),
                };
                let why = match reason {
                    IllegalReason::Blocked(by) => format!("{} is in the way", self.whose_on(by)),
                    IllegalReason::Pinned(by) => format!("it is pinned by {}", self.piece_on(by)),
                    other => self.explain_reason(from, &other, &self.name(to)),
                };
                let text = format!("{} cannot {what}: {why}", self.piece_on(from));
                reasons.push(self.of_move(from, to, false, &by, text));
            }
            if tried == 0 {
                reasons.push(Reason::new(format!("nothing can {what}"), self.squares(&[to])));
            }
        }
        reasons
    }

    /// For a check: every move that answers it.
    fn answers(&self, side: Colour, king: usize, checkers: &[usize]) -> Vec<Reason> {
        let mut reasons = Vec::new();
        let stops = self.stops(king, checkers);
        for (from, _) in
            self.board.cells.iter().enumerate().filter(|(_, p)| p.is_some_and(|p| p.colour == side))
        {
            for to in self.targets(from) {
                if (from != king && !stops.contains(&to)) || !self.safe(Trial { from, to }) {
                    continue;
                }
                let name = self.name(to);
                let text = match self.board.cells[to] {
                    Some(p) => format!("{} can capture the {} on {name}", self.piece_on(from), p.kind.name()),
                    None if from == king => format!("{} can go to {name}", self.piece_on(from)),
                    None => format!("{} can block on {name}", self.piece_on(from)),
                };
                reasons.push(self.of_move(from, to, true, &[], text));
            }
        }
        reasons
    }
}
