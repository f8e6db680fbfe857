//! A position of solitaire for the search: the occupied squares as slots, the targets of each kind from
//! each slot, and the slots in between.
//!
//! Every move captures, so a square that a piece has left is never entered again: only the squares of the
//! first position matter. A state has four bits for each of them.

use std::sync::LazyLock;

use crate::board::{Board, Kind, Size, Square};
use crate::games::game::{Capture, Dialect, Position};
use crate::games::solitaire::directions::directions;

/// The pieces of all slots, four bits each. It is an exact key, so no answer depends on a hash.
pub(super) type Cells<const W: usize> = [u64; W];

/// The meaning of a code of four bits.
#[derive(Clone, Copy, Default)]
struct Code {
    /// 0 to 5 in the order of the kinds, 6 for a piece that cannot capture any more.
    kind: u8,
    /// The code after one more capture.
    next: u8,
    /// The captures that the piece has left, 255 for no limit.
    left: u8,
    /// Whether the piece may never be captured.
    safe: bool,
}

/// The kinds that reach a square from another one, one bit each, by the way between them as columns and rows plus
/// [`MAX_SIDE`].
type Ways = [[u8; 2 * MAX_SIDE]; 2 * MAX_SIDE];

/// The longest side of a board.
const MAX_SIDE: usize = 8;

/// The rules of a dialect.
struct Rules {
    ways: Ways,
    codes: [Code; 16],
}

/// Indexed by dialect.
static RULES: LazyLock<[Rules; 3]> =
    LazyLock::new(|| Dialect::ALL.map(|d| Rules { ways: ways(d), codes: codes(d) }));

/// The ways of all kinds.
fn ways(dialect: Dialect) -> Ways {
    let mut all = Ways::default();
    for kind in Kind::ALL.into_iter().take(6) {
        let (steps, slides) = directions(kind, dialect);
        for &(dx, dy) in steps {
            for n in 1..if slides { MAX_SIDE as i8 } else { 2 } {
                let (x, y) = way(dx * n, dy * n);
                all[x][y] |= 1 << (kind as u8 - 1);
            }
        }
    }
    all
}

/// The indices of a way.
fn way(dx: i8, dy: i8) -> (usize, usize) {
    ((dx + MAX_SIDE as i8) as usize, (dy + MAX_SIDE as i8) as usize)
}

/// The slots between two squares of a line.
fn passed(slot_of: &[u8; MAX_SIDE * MAX_SIDE], from: Square, to: Square) -> u64 {
    let step = |from: u8, to: u8| to.cmp(&from) as i8;
    let (dx, dy) = (step(from.x, to.x), step(from.y, to.y));
    let (mut x, mut y, mut passed) = (from.x, from.y, 0);
    loop {
        (x, y) = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
        if (x, y) == (to.x, to.y) {
            return passed;
        }
        let slot = slot_of[usize::from(x) + usize::from(y) * MAX_SIDE];
        if slot != u8::MAX {
            passed |= 1 << slot;
        }
    }
}

/// The kind of a piece that cannot capture any more.
const SPENT: usize = 6;

/// The slots of a position and their relations, in arrays: a million graphs ask for no memory.
pub(super) struct Graph<const W: usize> {
    /// The number of slots.
    len: usize,
    squares: PerSlot<Square, W>,
    /// The slots that each kind reaches from a slot if nothing is in between.
    reach: PerSlot<[u64; 7], W>,
    /// The slots between two slots.
    between: PerSlot<PerSlot<u64, W>, W>,
    codes: &'static [Code; 16],
    /// Whether a piece captures twice at most.
    limited: bool,
    start: Cells<W>,
}

impl<const W: usize> Graph<W> {
    /// The graph of the occupied squares of a position.
    #[inline]
    pub(super) fn new(position: &Position) -> Graph<W> {
        let mut graph = Graph::empty(position.dialect);
        let mut there = 0;
        for (square, piece) in position.board.pieces() {
            put(&mut graph.start, graph.len, piece.kind as u8);
            there |= 1 << (piece.kind as u8 - 1);
            graph.add(square);
        }
        graph.relate(there, position.dialect);
        graph
    }

    /// The graph of all squares of a size, for [`Graph::state`] of any board of that size.
    pub(super) fn of_all_squares(size: Size, dialect: Dialect) -> Graph<W> {
        let (board, mut graph) = (Board::empty(size), Graph::empty(dialect));
        (0..size.cells()).for_each(|cell| graph.add(board.square(cell)));
        graph.relate(0b11_1111, dialect);
        graph
    }

    // In place of the graph that is made of it: it has some thousand bytes.
    #[inline(always)]
    fn empty(dialect: Dialect) -> Graph<W> {
        Graph {
            len: 0,
            squares: PerSlot::new(),
            reach: PerSlot::new(),
            between: PerSlot::new(),
            codes: &RULES[dialect as usize].codes,
            limited: dialect == Dialect::Solo,
            start: [0; W],
        }
    }

    fn add(&mut self, square: Square) {
        self.squares[self.len] = square;
        self.len += 1;
    }

    /// Relates all slots, which are in the order of their cells, for the kinds whose bits are set in `there`.
    fn relate(&mut self, there: u8, dialect: Dialect) {
        let mut slot_of = [u8::MAX; MAX_SIDE * MAX_SIDE];
        for i in 0..self.len {
            let square = self.squares[i];
            slot_of[usize::from(square.x) + usize::from(square.y) * MAX_SIDE] = i as u8;
        }
        let ways = &RULES[dialect as usize].ways;
        for i in 0..self.len {
            let from = self.squares[i];
            for t in i + 1..self.len {
                let to = self.squares[t];
                let (dx, dy) = (to.x as i8 - from.x as i8, to.y as i8 - from.y as i8);
                let ((x, y), (back_x, back_y)) = (way(dx, dy), way(-dx, -dy));
                let (there_from, there_to) = (ways[x][y] & there, ways[back_x][back_y] & there);
                // A piece of any kind on the board may reach this slot.
                bits(there_from.into()).for_each(|kind| self.reach[i][kind] |= 1 << t);
                bits(there_to.into()).for_each(|kind| self.reach[t][kind] |= 1 << i);
                if there_from | there_to != 0 && (dx == 0 || dy == 0 || dx.abs() == dy.abs()) {
                    let passed = passed(&slot_of, from, to);
                    self.between[i][t] = passed;
                    self.between[t][i] = passed;
                }
            }
        }
    }

    /// The state of a board, in the graph of all squares.
    pub(super) fn state(&self, board: &Board) -> State<W> {
        let mut state = State { cells: [0; W], occupied: 0 };
        for (slot, piece) in board.cells.iter().enumerate() {
            if let Some(piece) = piece {
                put(&mut state.cells, slot, piece.kind as u8);
                state.occupied |= 1 << slot;
            }
        }
        state
    }

    /// Whether two or more squares can never be vacated, not even by a visiting piece: then there is no solution.
    ///
    /// A piece has two captures. If the piece of a square cannot leave it, a piece that has not captured yet can
    /// capture there and leave with its second capture. Each such square needs a fresh piece of its own. So all
    /// of these squares but the last one must be matched with fresh pieces that reach them.
    fn unrelieved(&self, state: &State<W>, open: u64) -> bool {
        let mut fresh = 0u64;
        let mut idle = 0u64;
        let mut last = 1;
        for slot in bits(state.occupied) {
            let code = self.codes[get(&state.cells, slot)];
            if code.left == 2 {
                fresh |= 1 << slot;
            }
            if code.left == 0 || self.reach[slot][code.kind as usize] & open == 0 {
                if code.safe {
                    // A king is never captured: if it cannot move, its square is the last one.
                    last = 0;
                } else {
                    idle |= 1 << slot;
                }
            }
        }
        let count = idle.count_ones();
        if count <= last {
            return false;
        }
        let mut relief = PerSlot::<u64, W>::new();
        for from in bits(fresh) {
            let kind = self.codes[get(&state.cells, from)].kind as usize;
            for to in bits(self.reach[from][kind] & idle) {
                if self.reach[to][kind] & open & !(1 << from) != 0 {
                    relief[to] |= 1 << from;
                }
            }
        }
        let mut taken_by = [u8::MAX; 64];
        let matched = bits(idle).filter(|&s| relieve(s, &relief, &mut taken_by, &mut 0)).count() as u32;
        matched + last < count
    }

    /// The nodes that a state counts as: its time grows with the square of the slots.
    pub(super) fn cost(&self) -> u64 {
        cost_of(self.len())
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn limited(&self) -> bool {
        self.limited
    }

    pub(super) fn start(&self) -> State<W> {
        let n = self.len();
        let occupied = if n == 64 { u64::MAX } else { (1 << n) - 1 };
        State { cells: self.start, occupied }
    }

    pub(super) fn capture(&self, from: usize, to: usize) -> Capture {
        Capture { from: self.squares[from], to: self.squares[to] }
    }

    pub(super) fn slot(&self, square: Square) -> Option<usize> {
        (0..self.len).find(|&slot| self.squares[slot] == square)
    }

    /// The slots that the piece of a slot can capture on.
    #[inline]
    pub(super) fn targets(&self, state: &State<W>, from: usize) -> u64 {
        let code = self.codes[get(&state.cells, from)];
        let mut wanted = self.reach[from][code.kind as usize] & state.occupied;
        let mut found = 0;
        while wanted != 0 {
            let to = wanted.trailing_zeros() as usize;
            wanted &= wanted - 1;
            let free = self.between[from][to] & state.occupied == 0;
            if free && !self.codes[get(&state.cells, to)].safe {
                found |= 1 << to;
            }
        }
        found
    }

    /// The state after a capture.
    #[inline]
    pub(super) fn after(&self, state: &State<W>, from: usize, to: usize) -> State<W> {
        let mut next = *state;
        let code = self.codes[get(&state.cells, from)].next;
        put(&mut next.cells, from, 0);
        put(&mut next.cells, to, code);
        next.occupied &= !(1 << from);
        next
    }

    /// Whether the pieces of two slots are the same after a capture.
    #[inline]
    pub(super) fn leaves_alike(&self, state: &State<W>, a: usize, b: usize) -> bool {
        self.codes[get(&state.cells, a)].next == self.codes[get(&state.cells, b)].next
    }

    /// Whether a relaxation of the rules proves that a state has no solution.
    ///
    /// The relaxation ignores pieces in between, and captured pieces stay. So kinds spread over the squares
    /// freely. A solution needs a kind that can leave every square but one, and that one must be reached from
    /// all others.
    pub(super) fn hopeless(&self, state: &State<W>) -> bool {
        let occupied = state.occupied;
        if occupied & (occupied - 1) == 0 {
            return false;
        }
        // The squares of kings that are never captured: no piece goes there.
        let mut safe = 0u64;
        // For each kind the squares of its pieces with one capture left, with two, and without a limit.
        let mut pieces = [[0u64; 3]; 7];
        for from in bits(occupied) {
            let code = self.codes[get(&state.cells, from)];
            safe |= u64::from(code.safe) << from;
            if code.left > 0 {
                pieces[code.kind as usize][usize::from(code.left.min(3) - 1)] |= 1 << from;
            }
        }
        if safe & (safe.wrapping_sub(1)) != 0 {
            return true;
        }
        let open = occupied & !safe;
        // The squares that some piece can capture on from each square, at best.
        let mut edges = PerSlot::<u64, W>::new();
        for (kind, &[once, twice, mut now]) in pieces.iter().enumerate() {
            // Limited pieces: one with two captures left reaches other squares before its last one.
            let mut last = once;
            for from in bits(twice) {
                let to = self.reach[from][kind] & open;
                edges[from] |= to;
                last |= to;
            }
            for from in bits(last) {
                edges[from] |= self.reach[from][kind] & open;
            }
            // Unlimited pieces: all squares that this kind reaches by one capture after another.
            let mut done = 0u64;
            while now != 0 {
                let from = now.trailing_zeros() as usize;
                done |= 1 << from;
                let to = self.reach[from][kind] & open;
                edges[from] |= to;
                now = (now | to) & !done;
            }
        }
        if self.limited && self.unrelieved(state, open) {
            return true;
        }
        let stuck = bits(occupied).filter(|&s| edges[s] == 0).fold(0u64, |m, s| m | 1 << s);
        if stuck & (stuck.wrapping_sub(1)) != 0 {
            return true;
        }
        // Some square must be reachable from all others.
        let mut roots = if stuck != 0 { stuck } else { occupied };
        while roots != 0 {
            let mut seen = roots & roots.wrapping_neg();
            // Adds the squares from which one of those is reached, until there is none more.
            loop {
                let before = seen;
                for from in bits(occupied & !before) {
                    seen |= u64::from(edges[from] & seen != 0) << from;
                }
                if seen == before || seen == occupied {
                    break;
                }
            }
            if seen == occupied {
                return false;
            }
            // A square from which this one is reached cannot be reached from more squares than this one.
            roots &= !seen;
        }
        true
    }
}

/// The nodes that a state of at most some pieces counts as.
pub(super) fn cost_of(pieces: usize) -> u64 {
    (pieces * pieces).div_ceil(256) as u64
}

/// A value for each slot, such as a mask of slots.
#[derive(Clone, Copy)]
pub(super) struct PerSlot<T, const W: usize>([[T; 16]; W]);

impl<T: Copy + Default, const W: usize> PerSlot<T, W> {
    pub(super) fn new() -> PerSlot<T, W> {
        PerSlot([[T::default(); 16]; W])
    }
}

impl<T: Copy + Default, const W: usize> Default for PerSlot<T, W> {
    fn default() -> PerSlot<T, W> {
        PerSlot::new()
    }
}

impl<T, const W: usize> std::ops::Index<usize> for PerSlot<T, W> {
    type Output = T;

    #[inline]
    fn index(&self, slot: usize) -> &T {
        &self.0[slot / 16][slot % 16]
    }
}

impl<T, const W: usize> std::ops::IndexMut<usize> for PerSlot<T, W> {
    #[inline]
    fn index_mut(&mut self, slot: usize) -> &mut T {
        &mut self.0[slot / 16][slot % 16]
    }
}

/// Matches a slot with a fresh piece, by an augmenting path of the bipartite matching.
fn relieve<const W: usize>(
    slot: usize,
    relief: &PerSlot<u64, W>,
    taken_by: &mut [u8; 64],
    tried: &mut u64,
) -> bool {
    for piece in bits(relief[slot] & !*tried) {
        *tried |= 1 << piece;
        let other = taken_by[piece];
        if other == u8::MAX || relieve(other as usize, relief, taken_by, tried) {
            taken_by[piece] = slot as u8;
            return true;
        }
    }
    false
}

/// The codes of a dialect: 1 to 6 for the kinds; in solo 7 to 12 after one capture, then 13, or 14 for a king.
fn codes(dialect: Dialect) -> [Code; 16] {
    let mut codes = [Code { kind: SPENT as u8, ..Code::default() }; 16];
    for kind in 1..=6u8 {
        let king = kind == 1;
        if dialect == Dialect::Solo {
            let end = if king { 14 } else { 13 };
            codes[kind as usize] = Code { kind: kind - 1, next: kind + 6, left: 2, safe: king };
            codes[kind as usize + 6] = Code { kind: kind - 1, next: end, left: 1, safe: king };
            codes[end as usize] = Code { kind: SPENT as u8, next: end, left: 0, safe: king };
        } else {
            codes[kind as usize] = Code { kind: kind - 1, next: kind, left: u8::MAX, safe: false };
        }
    }
    codes
}

/// A state of the search: the code of each slot, and the occupied slots as bits.
#[derive(Clone, Copy)]
pub(super) struct State<const W: usize> {
    pub cells: Cells<W>,
    pub occupied: u64,
}

impl<const W: usize> State<W> {
    /// Whether one piece is left.
    pub(super) fn solved(&self) -> bool {
        self.occupied & (self.occupied - 1) == 0
    }

    /// The slots of the pieces, if two are left.
    #[inline]
    pub(super) fn last_two(&self) -> Option<(usize, usize)> {
        let second = self.occupied & (self.occupied - 1);
        (second != 0 && second & (second - 1) == 0)
            .then(|| (self.occupied.trailing_zeros() as usize, second.trailing_zeros() as usize))
    }
}

#[inline]
fn get<const W: usize>(cells: &Cells<W>, slot: usize) -> usize {
    (cells[slot / 16] >> (slot % 16 * 4) & 15) as usize
}

#[inline]
fn put<const W: usize>(cells: &mut Cells<W>, slot: usize, code: u8) {
    let shift = slot % 16 * 4;
    cells[slot / 16] = cells[slot / 16] & !(15 << shift) | u64::from(code) << shift;
}

/// The set bits of a mask, from the lowest.
pub(super) fn bits(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let bit = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            bit
        })
    })
}
