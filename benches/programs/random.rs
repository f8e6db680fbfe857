//! Random boards that are the same in every run.

/// Random numbers.
pub struct Random(pub u64);

impl Random {
    /// One below another.
    pub fn below(&mut self, n: u64) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % n) as usize
    }

    /// A board of so many cells, in one run, with so many pieces at most.
    pub fn board(&mut self, cells: u64, pieces: usize) -> String {
        let mut board = vec!['.'; cells as usize];
        for _ in 0..pieces {
            board[self.below(cells)] = ['K', 'Q', 'R', 'B', 'N', 'P'][self.below(6)];
        }
        board.into_iter().collect()
    }
}

/// So many 4×4 boards of three to six pieces, a line each.
pub fn collection(n: usize) -> String {
    let mut random = Random(4);
    let puzzle = |i: usize| {
        let pieces = 3 + random.below(4);
        format!("solitaire \"p{i}\" {{ board {} solve }}\n", random.board(16, pieces))
    };
    (0..n).map(puzzle).collect()
}
