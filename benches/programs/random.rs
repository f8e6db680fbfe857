//! Random boards, the same in every run.

/// A linear congruential generator.
pub struct Random(pub u64);

impl Random {
    /// A number from 0 to n - 1.
    pub fn below(&mut self, n: u64) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % n) as usize
    }

    /// The cells of a board as one line, with at most `pieces` pieces.
    pub fn board(&mut self, cells: u64, pieces: usize) -> String {
        let mut board = vec!['.'; cells as usize];
        for _ in 0..pieces {
            board[self.below(cells)] = ['K', 'Q', 'R', 'B', 'N', 'P'][self.below(6)];
        }
        board.into_iter().collect()
    }
}

/// `n` puzzles with 4×4 boards of three to six pieces, one per line.
pub fn collection(n: usize) -> String {
    let mut random = Random(4);
    let puzzle = |i: usize| {
        let pieces = 3 + random.below(4);
        format!("solitaire \"p{i}\" {{ board {} solve }}\n", random.board(16, pieces))
    };
    (0..n).map(puzzle).collect()
}
