//! Why a move is illegal and why a side is mated, in words.

use crate::board::{Castling, Colour, Kind, Piece, Square, Wing, square_name};
use crate::games::chess_rules::rights::CastlingObstacle;
use crate::games::chess_rules::rules::{ChessRules, IllegalReason, Trial};
use crate::games::game::{Reason, Request, Status, join_words};

impl ChessRules<'_> {
    /// Why no piece that matches can make a move; `None` if one can.
    pub(crate) fn illegal(&self, wanted: &Request) -> Option<String> {
        if let Some(wing) = wanted.castling {
            let obstacle = self.cannot_castle(wanted.colour, wing)?;
            let is_far = !self.means_castling(wanted.colour, wing);
            return match is_far && self.is_of_other_side(wanted) {
                true => Some(format!("it is {}'s move; is the side wrong?", wanted.colour.name())),
                false => Some(obstacle),
            };
        }
        if wanted.from == (Some(wanted.to.x), Some(wanted.to.y)) {
            return Some("a move must end on another square than it begins on".into());
        }
        let to = self.board.index(wanted.to);
        let taken = self.board.cells[to];
        let last = if wanted.colour == Colour::White { self.board.size.h - 1 } else { 0 };
        let own = taken.is_some_and(|p| p.colour == wanted.colour);
        let takes = |from: usize| taken.is_some() || self.takes_en_passant(from, to);
        let idle = |from: usize| {
            wanted.captures && !takes(from) || wanted.en_passant && !self.takes_en_passant(from, to)
        };
        let promotes = |c: usize| {
            let pawn = self.board.cells[c].is_some_and(|p| p.kind == Kind::Pawn) && wanted.to.y == last;
            wanted.promotion.is_none_or(|k| pawn && !matches!(k, Kind::King | Kind::Pawn | Kind::Man))
        };
        let mut reasons_against = Vec::new();
        let (mut unpromoted, mut castling, mut takes_none) = (None, None, false);
        for from in self.candidates(wanted) {
            let trial = Trial { from, to };
            let reached = if from == to { Err(IllegalReason::Reach) } else { self.reach(from, to) };
            match reached.and_then(|()| self.danger(trial)) {
                Ok(()) if own || idle(from) => takes_none = true,
                Ok(()) if !promotes(from) => unpromoted = Some(from),
                Ok(()) => return None,
                Err(reason) => {
                    // A king that goes from e1 to g1 castles.
                    if let Some(wing) = self.castles(from, to).filter(|_| wanted.promotion.is_none()) {
                        let obstacle = self.cannot_castle(wanted.colour, wing);
                        castling = match obstacle {
                            None if wanted.may_castle() => return None,
                            None if wing == Wing::King => Some("castling is written `O-O`".into()),
                            None => Some("castling is written `O-O-O`".into()),
                            obstacle => obstacle.filter(|_| self.means_castling(wanted.colour, wing)),
                        };
                    }
                    reasons_against.push((from, reason));
                }
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
        if let Some(castling) = castling {
            return Some(castling);
        }
        if let Some(text) = self.not_just_passed(wanted) {
            return Some(text);
        }
        if wanted.captures && taken.is_none() && self.en_passant.is_none_or(|e| e.to != to) {
            return Some(format!("there is nothing to capture on {name}"));
        }
        if wanted.en_passant && (takes_none || reasons_against.is_empty()) {
            return Some(format!("no pawn can be captured en passant on {name}"));
        }
        if let Some(from) = unpromoted {
            return Some(match wanted.promotion {
                Some(Kind::King | Kind::Pawn | Kind::Man) => {
                    "a pawn is promoted to a queen, a rook, a bishop or a knight".to_string()
                }
                _ => format!("{} is not promoted on {name}", self.piece_on(from)),
            });
        }
        let is_far = |(_, reason): &(usize, IllegalReason)| matches!(reason, IllegalReason::Reach);
        if wanted.one_move && reasons_against.iter().all(is_far) && self.is_of_other_side(wanted) {
            return Some(format!("it is {}'s move; is the side wrong?", wanted.colour.name()));
        }
        Some(self.why_not(wanted, &reasons_against, &name))
    }

    /// Why the piece of a cell cannot go to another one; `None` if it can.
    pub(crate) fn obstacle(&self, from: usize, to: usize) -> Option<String> {
        let (piece, name) = (self.board.cells[from]?, self.name(to));
        if let Some(taken) = self.board.cells[to].filter(|taken| from != to && taken.colour == piece.colour) {
            let side = piece.colour.name();
            return Some(format!("{name} is occupied by {side}'s own {}", taken.kind.name()));
        }
        let reached = if from == to { Err(IllegalReason::Reach) } else { self.reach(from, to) };
        let reason = reached.and_then(|()| self.danger(Trial { from, to })).err()?;
        Some(self.explain_reason(from, &reason, &name))
    }

    /// Whether the other side could make the move.
    pub(crate) fn is_of_other_side(&self, wanted: &Request) -> bool {
        !self.matching(&wanted.by_other_side()).is_empty()
    }

    /// Why a side cannot castle; `None` if it can.
    fn cannot_castle(&self, colour: Colour, wing: Wing) -> Option<String> {
        let (side, by) = (colour.name(), |cells: &[usize]| self.pieces_on(cells));
        // One piece gives check, two give check.
        let ending = |cells: &[usize]| if cells.len() == 1 { "s" } else { "" };
        Some(match self.castling_obstacle(colour, wing)? {
            CastlingObstacle::King(cell) => {
                format!("{side} cannot castle: the {side} king is not on {}", self.name(cell))
            }
            CastlingObstacle::Rook(cell) => {
                format!("{side} cannot castle {}: no {side} rook is on {}", wing.name(), self.name(cell))
            }
            CastlingObstacle::NoRight => {
                let letter =
                    Castling::EACH.iter().find(|e| (e.0, e.1) == (colour, wing)).map_or('K', |e| e.2);
                format!(
                    "the puzzle records no right of {side} to castle {}; `castling {letter}` records it",
                    wing.name()
                )
            }
            CastlingObstacle::Between(cell) => {
                format!("{side} cannot castle {}: {} is in the way", wing.name(), self.piece_on(cell))
            }
            CastlingObstacle::InCheck(cells) => {
                format!("a king in check cannot castle: {} give{} check", by(&cells), ending(&cells))
            }
            CastlingObstacle::Through(cell, cells) => format!(
                "{side} cannot castle {}: the king passes through {}, which {} attack{}",
                wing.name(),
                self.name(cell),
                by(&cells),
                ending(&cells)
            ),
            CastlingObstacle::Into(cell, cells) => format!(
                "{side} cannot castle {}: the king would be in check on {} from {}",
                wing.name(),
                self.name(cell),
                by(&cells)
            ),
        })
    }

    /// Why a move that looks like a capture en passant is none: no pawn has just passed over the square.
    fn not_just_passed(&self, wanted: &Request) -> Option<String> {
        let to = self.board.index(wanted.to);
        let (rank, ahead) = if wanted.colour == Colour::White { (4, 5) } else { (3, 2) };
        if self.cube
            || wanted.to.y != ahead
            || self.board.cells[to].is_some()
            || self.en_passant.is_some_and(|e| e.to == to)
        {
            return None;
        }
        let beside = self.board.index(Square { y: rank, ..wanted.to });
        let pawn =
            |cell: usize, colour: Colour| self.board.cells[cell] == Some(Piece::new(colour, Kind::Pawn));
        let from = self.candidates(wanted).find(|&from| {
            let s = self.board.square(from);
            pawn(from, wanted.colour) && s.y == rank && s.x.abs_diff(wanted.to.x) == 1
        })?;
        pawn(beside, wanted.colour.other()).then(|| {
            let name = square_name(wanted.to, false);
            format!(
                "{} captures on {name} only en passant, and the puzzle does not say that the pawn on {} has just moved \
                 two steps; `en-passant {name}` says it",
                self.piece_on(from),
                self.name(beside)
            )
        })
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
            IllegalReason::Exposed(by) => {
                format!(
                    "the capture en passant opens a line: {} would be in check from {}",
                    king(),
                    self.pieces_on(by)
                )
            }
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
                let passed = self.en_passant.filter(|e| e.taken == to && self.takes_en_passant(from, e.to));
                let to = passed.map_or(to, |e| e.to);
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
                    IllegalReason::Exposed(by) => by.clone(),
                    // There is no other check, and the king does not move.
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
                let passed = self.en_passant.filter(|_| self.takes_en_passant(from, to));
                let taken = passed.map_or(to, |e| e.taken);
                if (from != king && !stops.contains(&to) && passed.is_none())
                    || !self.safe(Trial { from, to })
                {
                    continue;
                }
                let name = self.name(to);
                let text = match self.board.cells[taken] {
                    Some(_) if passed.is_some() => {
                        format!("{} can capture {} en passant", self.piece_on(from), self.piece_on(taken))
                    }
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
