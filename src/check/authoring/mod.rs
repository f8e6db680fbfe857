//! What a composer and a collector need besides checking: how hard a puzzle is.
//!
//! Invariant: everything here is an exact search with words around it, bounded by a node budget, and the same on every
//! machine. What is a guess about people is called an estimate. It reads texts and writes none to files.

mod generate;
mod hints;
mod rating;
mod sort;
mod statistics;

pub use generate::{
    CubeOptions, DraughtsOptions, Generated, GeneratedPuzzle, KindWeights, KnownPositions, Maker,
    MateOptions, Plan, PlanOption, Random, SolitaireOptions, Wanted, check_plan_options, chess_positions,
    generate_puzzles, puzzle_texts, read_difficulty, read_size, rules_of_name, side_of,
};
pub use hints::{FirstMove, HINT_GRADES, first_move, hint_of_grade};
pub use rating::{Estimate, Facts, ProblemFacts, Rating, key_words, rate, rating_in_words};
pub use sort::{SortKey, sorted};
pub use statistics::{Soundness, Statistics};
