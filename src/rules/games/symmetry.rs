//! The symmetries of rectangles, squares and cubes.

use crate::board::{Board, Size, Square};

/// A symmetry: a permutation of the axes x, y and z, then a reversal of some of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// The old axis, 0 to 2, that becomes x, y and z.
    axes: [u8; 3],
    /// Whether each new axis is reversed.
    flips: [bool; 3],
}

impl Symmetry {
    /// The identity.
    pub const IDENTITY: Symmetry = Symmetry { axes: [0, 1, 2], flips: [false; 3] };

    /// Mirrors left and right.
    pub const MIRROR: Symmetry = Symmetry { axes: [0, 1, 2], flips: [true, false, false] };

    /// Mirrors top and bottom.
    pub const FLIP: Symmetry = Symmetry { axes: [0, 1, 2], flips: [false, true, false] };

    /// Half a turn around the z axis.
    pub const HALF: Symmetry = Symmetry { axes: [0, 1, 2], flips: [true, true, false] };

    /// A quarter turn to the right, as the board is seen from above: a1 goes to the top left.
    pub const RIGHT: Symmetry = Symmetry { axes: [1, 0, 2], flips: [false, true, false] };

    /// A quarter turn to the left.
    pub const LEFT: Symmetry = Symmetry { axes: [1, 0, 2], flips: [true, false, false] };

    /// The symmetry that undoes one of the plane.
    pub fn inverse(self) -> Symmetry {
        match self {
            Symmetry::RIGHT => Symmetry::LEFT,
            Symmetry::LEFT => Symmetry::RIGHT,
            own => own,
        }
    }

    /// The symmetries of a board of one level that keep its size: 8 of a square, 4 of another rectangle.
    pub fn plane(size: Size) -> &'static [Symmetry] {
        const ALL: [Symmetry; 8] = {
            let mut all = [Symmetry::IDENTITY; 8];
            let mut n = 0;
            while n < 8 {
                let axes = if n < 4 { [0, 1, 2] } else { [1, 0, 2] };
                all[n] = Symmetry { axes, flips: [n & 1 != 0, n & 2 != 0, false] };
                n += 1;
            }
            all
        };
        if size.w == size.h { &ALL } else { &ALL[..4] }
    }

    /// The 48 symmetries of a cube.
    pub fn cube() -> &'static [Symmetry] {
        const ORDERS: [[u8; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
        const ALL: [Symmetry; 48] = {
            let mut all = [Symmetry::IDENTITY; 48];
            let mut n = 0;
            while n < 48 {
                let flips = [n & 1 != 0, n & 2 != 0, n & 4 != 0];
                all[n] = Symmetry { axes: ORDERS[n / 8], flips };
                n += 1;
            }
            all
        };
        &ALL
    }

    /// The image of a square of a board of that size; the square must be on the board.
    pub fn apply(&self, s: Square, size: Size) -> Square {
        debug_assert!(s.x < size.w && s.y < size.h && s.z < size.d, "{s:?} is off the board {size}");
        let old = [s.x, s.y, s.z];
        let sides = [size.w, size.h, size.d];
        let new = |i: usize| {
            let v = old[self.axes[i] as usize];
            if self.flips[i] { sides[self.axes[i] as usize] - 1 - v } else { v }
        };
        Square { x: new(0), y: new(1), z: new(2) }
    }

    /// The index of the cell of the image of a board of that size to which a square goes.
    pub fn cells(&self, size: Size) -> impl Fn(Square) -> usize {
        let sides = [size.w, size.h, size.d].map(isize::from);
        // The index is linear in each coordinate.
        let (mut first, mut steps, mut step) = (0, [0; 3], 1);
        for (axis, is_reversed) in self.axes.iter().map(|&axis| usize::from(axis)).zip(self.flips) {
            steps[axis] = if is_reversed { -step } else { step };
            first += if is_reversed { step * (sides[axis] - 1) } else { 0 };
            step *= sides[axis];
        }
        move |s| {
            (first + steps[0] * isize::from(s.x) + steps[1] * isize::from(s.y) + steps[2] * isize::from(s.z))
                as usize
        }
    }

    /// The size of the image of a board.
    pub fn size(&self, size: Size) -> Size {
        let sides = [size.w, size.h, size.d];
        let [w, h, d] = self.axes.map(|axis| sides[axis as usize]);
        Size { w, h, d }
    }

    /// The image of a board.
    pub fn board(&self, board: &Board) -> Board {
        let mut turned = Board::empty(self.size(board.size));
        let cell = self.cells(board.size);
        for (s, p) in board.pieces() {
            turned.cells[cell(s)] = Some(p);
        }
        turned
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Kind, Piece};

    #[test]
    fn each_way_to_turn_a_board_takes_a_square_to_its_image() {
        let (size, square) = (Size::flat(5, 4), Square::new(3, 1));
        for (symmetry, due, undone) in [
            (Symmetry::IDENTITY, (3, 1), Symmetry::IDENTITY),
            (Symmetry::MIRROR, (1, 1), Symmetry::MIRROR),
            (Symmetry::FLIP, (3, 2), Symmetry::FLIP),
            (Symmetry::HALF, (1, 2), Symmetry::HALF),
            (Symmetry::RIGHT, (1, 1), Symmetry::LEFT),
            (Symmetry::LEFT, (2, 3), Symmetry::RIGHT),
        ] {
            let image = symmetry.apply(square, size);
            assert_eq!((image.x, image.y), due, "{symmetry:?}");
            assert_eq!(symmetry.inverse(), undone);
            assert_eq!(undone.apply(image, symmetry.size(size)), square);
        }
    }

    #[test]
    fn a_cube_has_48_images_of_a_square_and_boards_go_with_their_squares() {
        let planes = [Size::flat(5, 5), Size::flat(5, 4)].map(|size| (size, Symmetry::plane(size)));
        for (size, symmetries) in planes.into_iter().chain([(Size { w: 7, h: 7, d: 7 }, Symmetry::cube())]) {
            assert_eq!(symmetries[0], Symmetry::IDENTITY);
            let square = Square { x: 0, y: 1, z: if size.d > 1 { 2 } else { 0 } };
            let mut board = Board::empty(size);
            let cell = board.index(square);
            board.cells[cell] = Some(Piece::white(Kind::King));
            let mut images = Vec::new();
            for symmetry in symmetries {
                let image = symmetry.apply(square, size);
                assert_eq!(symmetry.board(&board).pieces().map(|(s, _)| s).collect::<Vec<_>>(), [image]);
                images.push((image.x, image.y, image.z));
            }
            images.sort_unstable();
            images.dedup();
            assert_eq!(images.len(), symmetries.len(), "{size}");
        }
        assert_eq!(Symmetry::cube().len(), 48);
    }

    #[test]
    fn a_plane_has_all_images_of_a_square_once() {
        for (size, due) in [(Size::flat(5, 5), 8), (Size::flat(5, 4), 4)] {
            let mut images: Vec<(u8, u8)> = Symmetry::plane(size)
                .iter()
                .map(|symmetry| symmetry.apply(Square::new(1, 0), size))
                .map(|image| (image.x, image.y))
                .collect();
            images.sort_unstable();
            images.dedup();
            assert_eq!((images.len(), Symmetry::plane(size).len()), (due, due), "{size}");
        }
    }
}
