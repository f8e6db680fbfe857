//! Moves, attacks, legality, mate and odd positions of chess and chess3d.
//!
//! The plane and the cube share all code that follows rays: only their steps differ.

use crate::board::{Board, Castling, Colour, Kind, Piece, Square, square_name};
use crate::games::game::{PositionIssue, Request, Status};
use cpz_text::diagnostic::Code;

/// A step along x, y and z: -2 to 2 each.
pub(super) type Step = [i8; 3];

const fn steps<const N: usize>(axes: [usize; 2], flat: bool) -> [Step; N] {
    // All steps of one along each axis with from `axes[0]` to `axes[1]` axes changed.
    let mut out = [[0; 3]; N];
    let (mut n, mut i) = (0, 0);
    while i < 27 {
        let s = [(i % 3) as i8 - 1, (i / 3 % 3) as i8 - 1, (i / 9) as i8 - 1];
        let changed = (s[0] != 0) as usize + (s[1] != 0) as usize + (s[2] != 0) as usize;
        if changed >= axes[0] && changed <= axes[1] && (!flat || s[2] == 0) {
            out[n] = s;
            n += 1;
        }
        i += 1;
    }
    assert!(n == N);
    out
}

const fn leaps<const N: usize>(flat: bool) -> [Step; N] {
    let mut out = [[0; 3]; N];
    let (mut n, mut i) = (0, 0);
    while i < 125 {
        let s = [(i % 5) as i8 - 2, (i / 5 % 5) as i8 - 2, (i / 25) as i8 - 2];
        let square = s[0] * s[0] + s[1] * s[1] + s[2] * s[2];
        let zeros = (s[0] == 0) as usize + (s[1] == 0) as usize + (s[2] == 0) as usize;
        if square == 5 && zeros == 1 && (!flat || s[2] == 0) {
            out[n] = s;
            n += 1;
        }
        i += 1;
    }
    assert!(n == N);
    out
}

static ROOK_2: [Step; 4] = steps([1, 1], true);
static BISHOP_2: [Step; 4] = steps([2, 2], true);
static ALL_2: [Step; 8] = steps([1, 2], true);
static KNIGHT_2: [Step; 8] = leaps(true);
static ROOK_3: [Step; 6] = steps([1, 1], false);
static BISHOP_3: [Step; 8] = steps([3, 3], false);
static ALL_3: [Step; 26] = steps([1, 3], false);
static KNIGHT_3: [Step; 24] = leaps(false);

/// A move to try: the piece of the cell `from` stands on the cell `to`.
#[derive(Clone, Copy)]
pub(super) struct Trial {
    pub from: usize,
    pub to: usize,
}

/// Why a piece cannot make a move.
pub(super) enum IllegalReason {
    /// The piece does not move this way.
    Reach,
    /// The piece of this cell is in the way.
    Blocked(usize),
    /// A pawn cannot capture straight ahead.
    PawnAhead,
    /// A pawn moves diagonally only to capture.
    PawnAside,
    /// The piece of this cell would give check.
    Pinned(usize),
    /// The pieces of these cells still give check.
    Checked(Vec<usize>),
    /// The pieces of these cells guard the target of the king.
    Guarded(Vec<usize>),
    /// The pieces of these cells would give check, once the pawn that is taken en passant is gone.
    Exposed(Vec<usize>),
}

/// A double step that can be answered en passant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EnPassant {
    /// The cell that the pawn passed over.
    pub to: usize,
    /// The cell of the pawn.
    pub taken: usize,
    /// The side that can take it.
    pub by: Colour,
}

/// The rules applied to a board. Cells are indices in [`Board::cells`].
pub(crate) struct ChessRules<'b> {
    pub(super) board: &'b Board,
    pub(super) cube: bool,
    /// The first king of each colour, by `Colour as usize`.
    pub(super) kings: [Option<usize>; 2],
    /// The castling rights, also those that the pieces cannot have.
    pub(super) castling: Castling,
    /// The double step that can be answered en passant.
    pub(super) en_passant: Option<EnPassant>,
}

impl<'b> ChessRules<'b> {
    pub(crate) fn new(board: &'b Board) -> ChessRules<'b> {
        let mut kings = [None; 2];
        for (i, p) in board.cells.iter().enumerate() {
            if let Some(Piece { colour, kind: Kind::King }) = p {
                kings[*colour as usize].get_or_insert(i);
            }
        }
        ChessRules { board, cube: board.size.d > 1, kings, castling: Castling::NONE, en_passant: None }
    }

    pub(super) fn name(&self, cell: usize) -> String {
        square_name(self.board.square(cell), self.cube)
    }

    /// `the knight on c3`
    pub(super) fn piece_on(&self, cell: usize) -> String {
        match self.board.cells[cell] {
            Some(p) => format!("the {} on {}", p.kind.name(), self.name(cell)),
            None => format!("nothing on {}", self.name(cell)),
        }
    }

    // ---- geometry

    pub(super) fn steps(&self, kind: Kind) -> (&'static [Step], bool) {
        match (kind, self.cube) {
            (Kind::King, false) => (&ALL_2, false),
            (Kind::King, true) => (&ALL_3, false),
            (Kind::Queen, false) => (&ALL_2, true),
            (Kind::Queen, true) => (&ALL_3, true),
            (Kind::Rook, false) => (&ROOK_2, true),
            (Kind::Rook, true) => (&ROOK_3, true),
            (Kind::Bishop, false) => (&BISHOP_2, true),
            (Kind::Bishop, true) => (&BISHOP_3, true),
            (Kind::Knight, false) => (&KNIGHT_2, false),
            (Kind::Knight, true) => (&KNIGHT_3, false),
            (Kind::Pawn | Kind::Man, _) => (&[], false),
        }
    }

    pub(super) fn go(&self, cell: usize, step: Step) -> Option<usize> {
        let (s, size) = (self.board.square(cell), self.board.size);
        let on = |v: u8, d: i8, n: u8| v.checked_add_signed(d).filter(|&v| v < n);
        let square = Square {
            x: on(s.x, step[0], size.w)?,
            y: on(s.y, step[1], size.h)?,
            z: on(s.z, step[2], size.d)?,
        };
        Some(self.board.index(square))
    }

    fn ray(&self, from: usize, step: Step) -> impl Iterator<Item = usize> + '_ {
        let (s, size) = (self.board.square(from), self.board.size);
        let (mut x, mut y, mut z) = (s.x as i8, s.y as i8, s.z as i8);
        let (w, h, d) = (size.w as i8, size.h as i8, size.d as i8);
        let stride = step[0] as isize + w as isize * (step[1] as isize + h as isize * step[2] as isize);
        let mut cell = from;
        std::iter::from_fn(move || {
            (x, y, z) = (x + step[0], y + step[1], z + step[2]);
            let inside = (0..w).contains(&x) && (0..h).contains(&y) && (0..d).contains(&z);
            cell = cell.wrapping_add_signed(stride);
            inside.then_some(cell)
        })
        .fuse()
    }

    /// The cells strictly between two on a line, from `a`; `None` if they are not on a line.
    fn between(&self, a: usize, b: usize) -> Option<Vec<usize>> {
        let (s, t) = (self.board.square(a), self.board.square(b));
        let d = [t.x as i8 - s.x as i8, t.y as i8 - s.y as i8, t.z as i8 - s.z as i8];
        let n = d.iter().map(|v| v.unsigned_abs()).max()?;
        if n == 0 || d.iter().any(|v| v.unsigned_abs() != 0 && v.unsigned_abs() != n) {
            return None;
        }
        let step = d.map(i8::signum);
        Some(self.ray(a, step).take_while(|&c| c != b).collect())
    }

    fn at(&self, cell: usize, trial: Option<Trial>) -> Option<Piece> {
        match trial {
            Some(t) if cell == t.to => self.board.cells[t.from],
            Some(t) if cell == t.from => None,
            _ => self.board.cells[cell],
        }
    }

    /// The cells of the pieces of `by` that attack a cell, after a trial move.
    pub(super) fn attackers(&self, target: usize, by: Colour, trial: Option<Trial>) -> Vec<usize> {
        let mut found = Vec::new();
        self.attack(target, by, trial, &mut |cell| {
            found.push(cell);
            false
        });
        found
    }

    fn attacked(&self, target: usize, by: Colour, trial: Option<Trial>) -> bool {
        self.attack(target, by, trial, &mut |_| true)
    }

    /// Calls `found` with each attacker until it returns true; whether it did.
    fn attack(
        &self,
        target: usize,
        by: Colour,
        trial: Option<Trial>,
        found: &mut impl FnMut(usize) -> bool,
    ) -> bool {
        let all = self.steps(Kind::King).0;
        for &step in all {
            for (i, cell) in self.ray(target, step).enumerate() {
                let Some(p) = self.at(cell, trial) else { continue };
                if p.colour == by {
                    let hits = match p.kind {
                        Kind::King => i == 0,
                        // A pawn attacks upwards if white: it stands below what it attacks.
                        Kind::Pawn => i == 0 && step[0] != 0 && step[2] == 0 && step[1] == -forward(by),
                        Kind::Knight | Kind::Man => false,
                        kind => self.steps(kind).0.contains(&step),
                    };
                    if hits && found(cell) {
                        return true;
                    }
                }
                break;
            }
        }
        for &step in self.steps(Kind::Knight).0 {
            if let Some(cell) = self.go(target, step)
                && self.at(cell, trial) == Some(Piece::new(by, Kind::Knight))
                && found(cell)
            {
                return true;
            }
        }
        false
    }

    // ---- moves

    /// Every cell that a piece reaches. Ignores whether its king is left in check.
    pub(super) fn targets(&self, from: usize) -> Vec<usize> {
        let mut out = Vec::new();
        self.any_target(from, |cell| {
            out.push(cell);
            false
        });
        out
    }

    /// Whether `wanted` accepts one of the cells that a piece reaches.
    fn any_target(&self, from: usize, mut wanted: impl FnMut(usize) -> bool) -> bool {
        let Some(piece) = self.board.cells[from] else { return false };
        let enemy = |p: Piece| p.colour != piece.colour;
        if piece.kind == Kind::Pawn {
            let up = forward(piece.colour);
            let ahead = if self.board.square(from).y == start_rank(piece.colour) { 2 } else { 1 };
            let mut free =
                self.ray(from, [0, up, 0]).take(ahead).take_while(|&c| self.board.cells[c].is_none());
            let mut sides = [-1, 1].into_iter().filter_map(|x| self.go(from, [x, up, 0]));
            let passed = self.en_passant.filter(|e| e.by == piece.colour).map(|e| e.to);
            let takes = |c: usize| self.board.cells[c].is_some_and(enemy) || Some(c) == passed;
            return free.any(&mut wanted) || sides.any(|c| takes(c) && wanted(c));
        }
        let (steps, slides) = self.steps(piece.kind);
        for &step in steps {
            for cell in self.ray(from, step).take(if slides { usize::MAX } else { 1 }) {
                let there = self.board.cells[cell];
                if there.is_none_or(enemy) && wanted(cell) {
                    return true;
                }
                if there.is_some() {
                    break;
                }
            }
        }
        false
    }

    /// Whether the piece of a cell reaches another. Ignores whether its king is left in check.
    pub(super) fn reach(&self, from: usize, to: usize) -> Result<(), IllegalReason> {
        let Some(piece) = self.board.cells[from] else { return Err(IllegalReason::Reach) };
        let (s, t) = (self.board.square(from), self.board.square(to));
        let d = [t.x as i8 - s.x as i8, t.y as i8 - s.y as i8, t.z as i8 - s.z as i8];
        if piece.kind == Kind::Pawn {
            let up = forward(piece.colour);
            let enemy = self.board.cells[to].is_some_and(|p| p.colour != piece.colour);
            return match d {
                [-1 | 1, dy, 0] if dy == up && enemy => Ok(()),
                [-1 | 1, dy, 0] if dy == up && self.takes_en_passant(from, to) => Ok(()),
                [-1 | 1, dy, 0] if dy == up => Err(IllegalReason::PawnAside),
                [0, dy, 0] if dy == up || dy == 2 * up && s.y == start_rank(piece.colour) => {
                    let middle = self.between(from, to).unwrap_or_default();
                    match middle.into_iter().find(|&c| self.board.cells[c].is_some()) {
                        Some(c) => Err(IllegalReason::Blocked(c)),
                        None if self.board.cells[to].is_some() => Err(IllegalReason::PawnAhead),
                        None => Ok(()),
                    }
                }
                _ => Err(IllegalReason::Reach),
            };
        }
        let (steps, slides) = self.steps(piece.kind);
        if !slides {
            return if steps.contains(&d) { Ok(()) } else { Err(IllegalReason::Reach) };
        }
        match self.between(from, to) {
            Some(cells) if steps.contains(&d.map(i8::signum)) => {
                match cells.into_iter().find(|&c| self.board.cells[c].is_some()) {
                    Some(c) => Err(IllegalReason::Blocked(c)),
                    None => Ok(()),
                }
            }
            _ => Err(IllegalReason::Reach),
        }
    }

    /// Whether the own king is not attacked after a move.
    pub(super) fn safe(&self, trial: Trial) -> bool {
        let Some(piece) = self.board.cells[trial.from] else { return false };
        if let Some(passed) = self.en_passant
            && self.takes_en_passant(trial.from, trial.to)
        {
            return self.without_taken(passed.taken, |rules| rules.safe(trial));
        }
        let king = if piece.kind == Kind::King { Some(trial.to) } else { self.kings[piece.colour as usize] };
        king.is_none_or(|k| !self.attacked(k, piece.colour.other(), Some(trial)))
    }

    /// Why a move that reaches its cell leaves the own king attacked.
    pub(super) fn danger(&self, trial: Trial) -> Result<(), IllegalReason> {
        if self.safe(trial) {
            return Ok(());
        }
        let Some(piece) = self.board.cells[trial.from] else { return Err(IllegalReason::Reach) };
        let enemy = piece.colour.other();
        if piece.kind == Kind::King {
            return Err(IllegalReason::Guarded(self.attackers(trial.to, enemy, Some(trial))));
        }
        let Some(king) = self.kings[piece.colour as usize] else { return Ok(()) };
        let before = self.attackers(king, enemy, None);
        if let Some(passed) = self.en_passant.filter(|_| self.takes_en_passant(trial.from, trial.to)) {
            let after = self.without_taken(passed.taken, |rules| rules.attackers(king, enemy, Some(trial)));
            let still: Vec<usize> = after.iter().copied().filter(|c| before.contains(c)).collect();
            return Err(if still.is_empty() {
                IllegalReason::Exposed(after)
            } else {
                IllegalReason::Checked(still)
            });
        }
        let after = self.attackers(king, enemy, Some(trial));
        let still: Vec<usize> = after.iter().copied().filter(|c| before.contains(c)).collect();
        match (still.is_empty(), after.first()) {
            (true, Some(&pinner)) => Err(IllegalReason::Pinned(pinner)),
            _ => Err(IllegalReason::Checked(still)),
        }
    }

    pub(super) fn candidates<'a>(&'a self, wanted: &'a Request) -> impl Iterator<Item = usize> + 'a {
        self.board.cells.iter().enumerate().filter_map(move |(i, p)| {
            let p = (*p)?;
            let s = self.board.square(i);
            let fits = p.colour == wanted.colour
                && wanted.kind.is_none_or(|k| k == p.kind)
                && wanted.from.0.is_none_or(|x| x == s.x)
                && wanted.from.1.is_none_or(|y| y == s.y);
            fits.then_some(i)
        })
    }

    // ---- mate

    /// The cells where a piece other than the king stops these checks: by a block or a capture. None against two
    /// checks.
    pub(super) fn stops(&self, king: usize, checkers: &[usize]) -> Vec<usize> {
        let &[checker] = checkers else { return Vec::new() };
        let knight = self.board.cells[checker].is_some_and(|p| p.kind == Kind::Knight);
        let mut cells = if knight { Vec::new() } else { self.between(king, checker).unwrap_or_default() };
        cells.push(checker);
        cells
    }

    fn can_move(&self, side: Colour, checkers: &[usize]) -> bool {
        let king = self.kings[side as usize];
        let safe = |from: usize, to: usize| self.safe(Trial { from, to });
        if king.is_some_and(|king| self.any_target(king, |to| safe(king, to))) {
            return true;
        }
        let mut others = self
            .board
            .cells
            .iter()
            .enumerate()
            .filter(|&(from, p)| p.is_some_and(|p| p.colour == side) && Some(from) != king);
        match king.filter(|_| !checkers.is_empty()).map(|k| self.stops(k, checkers)) {
            None => others.any(|(from, _)| self.any_target(from, |to| safe(from, to))),
            Some(stops) => {
                others.any(|(from, _)| stops.iter().any(|&to| self.reach(from, to).is_ok() && safe(from, to)))
                    || self.en_passant.is_some_and(|e| e.by == side)
                        && self.en_passant_captures().next().is_some()
            }
        }
    }

    /// The status of a side. A side without a king is never in check.
    pub(crate) fn status(&self, side: Colour) -> Status {
        self.status_and_checkers(side).0
    }

    /// The status with the cells of the pieces that give check.
    pub(super) fn status_and_checkers(&self, side: Colour) -> (Status, Vec<usize>) {
        let king = self.kings[side as usize];
        let checkers = king.map(|k| self.attackers(k, side.other(), None)).unwrap_or_default();
        let status = match (checkers.is_empty(), self.can_move(side, &checkers)) {
            (true, true) => Status::None,
            (true, false) => Status::Stalemate,
            (false, true) => Status::Check,
            (false, false) => Status::Checkmate,
        };
        (status, checkers)
    }

    // ---- odd positions

    /// Reports a second king of a colour, kings side by side, and a check of the side that is not to move.
    pub(crate) fn validate(&self, sides: &[Colour]) -> Vec<PositionIssue> {
        let mut found = Vec::new();
        for (cell, p) in self.board.cells.iter().enumerate() {
            if let Some(p) = p
                && p.kind == Kind::King
                && let Some(first) = self.kings[p.colour as usize].filter(|&k| k != cell)
            {
                let message = format!("{} has a second king", p.colour.name());
                found.push(PositionIssue {
                    code: Code::TooManyKings,
                    cell,
                    message,
                    other: Some((first, "the first one")),
                });
            }
        }
        if !found.is_empty() {
            return found;
        }
        let odd =
            |cell, message, other| PositionIssue { code: Code::ImpossiblePosition, cell, message, other };
        if let [Some(white), Some(black)] = self.kings
            && self.steps(Kind::King).0.iter().any(|&s| self.go(white, s) == Some(black))
        {
            found.push(odd(
                black,
                "the kings stand side by side".to_string(),
                Some((white, "the other king")),
            ));
            return found;
        }
        // Report a check only if it is impossible for each of the sides that may be to move.
        let waiting = |side: Colour| {
            let king = self.kings[side.other() as usize]?;
            self.attackers(king, side, None).first().map(|&by| (side.other(), king, by))
        };
        if let Some(&first) = sides.first()
            && sides.iter().all(|&s| waiting(s).is_some())
            && let Some((side, king, by)) = waiting(first)
        {
            let message = format!(
                "{} is in check from {}, but it is {}'s turn",
                self.piece_on(king),
                self.piece_on(by),
                side.other().name()
            );
            found.push(odd(king, message, Some((by, "the check comes from here"))));
        }
        found
    }
}

/// The direction of a pawn along y: 1 for white, -1 for black.
fn forward(colour: Colour) -> i8 {
    if colour == Colour::White { 1 } else { -1 }
}

fn start_rank(colour: Colour) -> u8 {
    if colour == Colour::White { 1 } else { 6 }
}
