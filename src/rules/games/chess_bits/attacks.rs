//! The squares that pieces attack. All tables are made at compile time and fit into the first cache.
//!
//! A set of squares is a `u64`: bit `x + 8 * y` for file `x` and rank `y`, both from 0.

/// The part of a line below and above a square.
#[derive(Clone, Copy)]
struct Line {
    lower: u64,
    upper: u64,
}

const fn step(square: usize, dx: i32, dy: i32) -> Option<usize> {
    let (x, y) = (square as i32 % 8 + dx, square as i32 / 8 + dy);
    if x < 0 || x > 7 || y < 0 || y > 7 { None } else { Some((x + 8 * y) as usize) }
}

const fn leaps<const N: usize>(steps: [(i32, i32); N]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < N {
            if let Some(to) = step(square, steps[i].0, steps[i].1) {
                table[square] |= 1 << to;
            }
            i += 1;
        }
        square += 1;
    }
    table
}

const fn ray(square: usize, dx: i32, dy: i32) -> u64 {
    let (mut squares, mut at) = (0, square);
    while let Some(to) = step(at, dx, dy) {
        squares |= 1 << to;
        at = to;
    }
    squares
}

const fn lines(dx: i32, dy: i32) -> [Line; 64] {
    let mut table = [Line { lower: 0, upper: 0 }; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = Line { lower: ray(square, -dx, -dy), upper: ray(square, dx, dy) };
        square += 1;
    }
    table
}

const fn betweens() -> [[u64; 64]; 64] {
    let mut table = [[0; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut i = 0;
        while i < 9 {
            let (dx, dy) = (i % 3 - 1, i / 3 - 1);
            let (mut squares, mut at) = (0, from);
            while let Some(to) = step(at, dx, dy) {
                if i == 4 {
                    break;
                }
                table[from][to] = squares;
                squares |= 1 << to;
                at = to;
            }
            i += 1;
        }
        from += 1;
    }
    table
}

/// The squares that a knight attacks.
pub(crate) static KNIGHT: [u64; 64] =
    leaps([(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);
/// The squares that a king attacks.
pub(crate) static KING: [u64; 64] =
    leaps([(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]);
/// The squares that a pawn attacks, by `Colour as usize`.
pub(crate) static PAWN: [[u64; 64]; 2] = [leaps([(-1, 1), (1, 1)]), leaps([(-1, -1), (1, -1)])];

static RANKS: [Line; 64] = lines(1, 0);
static FILES: [Line; 64] = lines(0, 1);
static RISING: [Line; 64] = lines(1, 1);
static FALLING: [Line; 64] = lines(-1, 1);
static BETWEEN: [[u64; 64]; 64] = betweens();

const fn on_empty_board(a: &[Line; 64], b: &[Line; 64]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut i = 0;
    while i < 64 {
        table[i] = a[i].lower | a[i].upper | b[i].lower | b[i].upper;
        i += 1;
    }
    table
}

/// The squares that a bishop attacks on an empty board.
pub(super) static DIAGONALS: [u64; 64] = on_empty_board(&lines(1, 1), &lines(-1, 1));
/// The squares that a rook attacks on an empty board.
pub(super) static STRAIGHTS: [u64; 64] = on_empty_board(&lines(1, 0), &lines(0, 1));

/// The squares that a slider attacks along a line: up to the nearest man on each side, found by one subtraction.
#[inline(always)]
fn along(line: Line, occupied: u64) -> u64 {
    let (lower, upper) = (line.lower & occupied, line.upper & occupied);
    let nearest_below = 1u64 << (63 - (lower | 1).leading_zeros());
    let nearest_above = upper & upper.wrapping_neg();
    (nearest_above << 1).wrapping_sub(nearest_below) & (line.lower | line.upper)
}

/// The squares that a bishop attacks.
#[inline(always)]
pub(crate) fn diagonal_attacks(square: u8, occupied: u64) -> u64 {
    let i = usize::from(square & 63);
    along(RISING[i], occupied) | along(FALLING[i], occupied)
}

/// The squares that a rook attacks.
#[inline(always)]
pub(crate) fn straight_attacks(square: u8, occupied: u64) -> u64 {
    let i = usize::from(square & 63);
    along(RANKS[i], occupied) | along(FILES[i], occupied)
}

/// The squares strictly between two of one line; none if no line joins them.
#[inline(always)]
pub(crate) fn between(a: u8, b: u8) -> u64 {
    BETWEEN[usize::from(a & 63)][usize::from(b & 63)]
}

/// The whole line through two squares, without the first; none if no line joins them.
#[inline]
pub(crate) fn line_through(a: u8, b: u8) -> u64 {
    let i = usize::from(a & 63);
    for line in [RANKS[i], FILES[i], RISING[i], FALLING[i]] {
        let squares = line.lower | line.upper;
        if squares >> (b & 63) & 1 != 0 {
            return squares;
        }
    }
    0
}

/// Calls `f` with each square of a set, from a1 to h8, until it returns true; whether it did.
#[inline(always)]
pub(crate) fn each_square(mut squares: u64, mut f: impl FnMut(u8) -> bool) -> bool {
    while squares != 0 {
        if f(squares.trailing_zeros() as u8) {
            return true;
        }
        squares &= squares - 1;
    }
    false
}
