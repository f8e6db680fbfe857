//! What must be decided within the budget, whatever the board.

use crate::harness::batch::{Batch, Rng};

/// The densest shapes of ten pieces on 4×4, where the most captures are open.
const SHAPES: [&str; 4] = ["###.###.###.#...", ".###.####.##....", "####.####.#.....", "..##..##.###.###"];

#[test]
fn ten_pieces_are_counted_exactly() {
    let mut batch = Batch::new();
    let mut rng = Rng::new(10);
    for shape in SHAPES {
        for kinds in ["Q", "QK", "QR"] {
            let mut left = 10;
            let board: String = shape
                .chars()
                .map(|c| {
                    if c != '#' || left == 0 {
                        return '.';
                    }
                    left -= 1;
                    kinds.chars().nth(rng.below(kinds.len())).expect("a kind")
                })
                .collect();
            batch.push("solitaire", &format!("board {board} count"));
        }
    }
    for (i, answers) in batch.solve().iter().enumerate() {
        let answer = &answers[0];
        assert!(
            answer["count"].is_string() && answer["distinct"].is_string(),
            "{}: {answer}",
            batch.puzzle(i)
        );
    }
}

#[test]
fn small_boards_are_solved_and_checked_for_uniqueness() {
    let mut batch = Batch::new();
    let mut rng = Rng::new(16);
    for rules in ["default", "ranger", "solo"] {
        for _ in 0..300 {
            let pieces = 8 + rng.below(9);
            let mut board = ['.'; 16];
            for _ in 0..pieces {
                board[rng.below(16)] = ['K', 'Q', 'R', 'B', 'N', 'P'][rng.below(6)];
            }
            let board: String = board.iter().collect();
            batch.push("solitaire", &format!("rules {rules} unique board {board} solve"));
        }
    }
    for (i, answers) in batch.solve().iter().enumerate() {
        assert!(answers[0]["solvable"].is_boolean(), "{}: {}", batch.puzzle(i), answers[0]);
    }
    for findings in batch.check() {
        assert!(findings.iter().all(|f| f.code != "undecided"), "a search ran out of its budget");
    }
}
