//! Slow tests: the rules of each game against an independent implementation, and properties of random input.

#[allow(dead_code, reason = "only the search is used here")]
#[path = "../../fuzz/checks/brute.rs"]
mod brute;
#[path = "../harness/mod.rs"]
mod harness;

mod chess;
mod chess3d;
mod chess_positions;
mod chess_problems;
mod chess_reference;
mod draughts;
mod other_programs;
mod problem_answers;
mod problem_positions;
mod problem_trees;
mod properties;
mod solitaire;
mod stipulation_examples;
mod stipulation_sides;
mod stipulations;
mod twins;
