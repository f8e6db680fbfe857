//! The squares that pieces attack. All tables are made at compile time and fit into the first cache.
//!
//! A set of squares is a `u64`: bit `x + 8 * y` for file `x` and rank `y`, both from 0.

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

/// The line through a square in a direction and in the opposite one, without the square.
const fn line(square: usize, dx: i32, dy: i32) -> u64 {
    ray(square, dx, dy) | ray(square, -dx, -dy)
}

/// What the sliders of a square need.
#[derive(Clone, Copy)]
struct Lines {
    rising: u64,
    falling: u64,
    file: u64,
    rank: u64,
    /// The square itself, and the square with its bytes in the opposite order.
    bit: u64,
    turned: u64,
}

const fn lines() -> [Lines; 64] {
    let mut table = [Lines { rising: 0, falling: 0, file: 0, rank: 0, bit: 0, turned: 0 }; 64];
    let mut square = 0;
    while square < 64 {
        let bit = 1u64 << square;
        table[square] = Lines {
            rising: line(square, 1, 1),
            falling: line(square, -1, 1),
            file: line(square, 0, 1),
            rank: line(square, 1, 0),
            bit,
            turned: bit.swap_bytes(),
        };
        square += 1;
    }
    table
}

/// What a rook attacks along a rank, by the men on its files b to g and by its own file.
const fn along_ranks() -> [[u8; 8]; 64] {
    let mut table = [[0; 8]; 64];
    let mut men = 0;
    while men < 64 {
        let mut x = 0;
        while x < 8 {
            let mut dx = -1;
            while dx <= 1 {
                let mut at = x as i32 + dx;
                while 0 <= at && at < 8 {
                    table[men][x] |= 1 << at;
                    if (men << 1) >> at & 1 != 0 {
                        break;
                    }
                    at += dx;
                }
                dx += 2;
            }
            x += 1;
        }
        men += 1;
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

static LINES: [Lines; 64] = lines();
static ALONG_RANKS: [[u8; 8]; 64] = along_ranks();
static BETWEEN: [[u64; 64]; 64] = betweens();

const fn on_empty_board(dx: i32, dy: i32) -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = line(square, dx, dy) | line(square, -dy, dx);
        square += 1;
    }
    table
}

/// The squares that a bishop attacks on an empty board.
pub(super) static DIAGONALS: [u64; 64] = on_empty_board(1, 1);
/// The squares that a rook attacks on an empty board.
pub(super) static STRAIGHTS: [u64; 64] = on_empty_board(1, 0);

/// The squares that a slider attacks along a line that has at most one square on each rank: up to the nearest man on each side.
/// Taking the square away from the men of the line changes the bits from it up to the nearest man above; with the bytes in the
/// opposite order it changes those down to the nearest man below (hyperbola quintessence).
#[inline(always)]
fn along(line: u64, from: &Lines, occupied: u64) -> u64 {
    let men = line & occupied;
    let below = men.swap_bytes().wrapping_sub(from.turned).swap_bytes();
    (men.wrapping_sub(from.bit) ^ below) & line
}

/// The squares that a bishop attacks.
#[inline(always)]
pub(crate) fn diagonal_attacks(square: u8, occupied: u64) -> u64 {
    let from = &LINES[usize::from(square & 63)];
    along(from.rising, from, occupied) | along(from.falling, from, occupied)
}

/// The squares that a rook attacks.
#[inline(always)]
pub(crate) fn straight_attacks(square: u8, occupied: u64) -> u64 {
    let from = &LINES[usize::from(square & 63)];
    let first = square & 56;
    let men = occupied >> first >> 1 & 63;
    let rank = u64::from(ALONG_RANKS[men as usize][usize::from(square & 7)]) << first;
    along(from.file, from, occupied) | rank
}

/// The squares strictly between two of one line; none if no line joins them.
#[inline(always)]
pub(crate) fn between(a: u8, b: u8) -> u64 {
    BETWEEN[usize::from(a & 63)][usize::from(b & 63)]
}

/// The whole line through two squares, without the first; none if no line joins them.
#[inline]
pub(crate) fn line_through(a: u8, b: u8) -> u64 {
    let Lines { rising, falling, file, rank, .. } = LINES[usize::from(a & 63)];
    for squares in [rank, file, rising, falling] {
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
