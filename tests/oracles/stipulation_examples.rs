//! Small positions that show what each kind of play with each goal asks, with answers found by hand.

use crate::harness::batch::Rng;
use crate::harness::solve;
use crate::stipulations::{Puzzle, compare};
use cozy_chess::Square;
use cpz_reference::{Genre, Goal, Play, Task};

/// The play, the goal, twice the length, the position, and the keys with their lengths or the solutions.
const EXAMPLES: &[(Play, Goal, usize, &str, &str)] = &[
    // 1.Rc2 Ka8 2.Rc8#.
    (Play::Direct, Goal::Mate, 4, "1k6/8/K7/8/8/8/R7/8 w - - 0 1", r#"[["a2c2",2]]"#),
    (Play::Direct, Goal::Stalemate, 2, "7k/8/8/5Q2/8/8/8/K7 w - - 0 1", r#"[["f5f7",1],["f5g6",1]]"#),
    // 1.Kc6 Ka7 2.Kc7.
    (Play::Direct, Goal::Stalemate, 4, "1k6/1B6/3K4/8/8/8/8/8 w - - 0 1", r#"[["d6c6",2]]"#),
    // The rook may be taken after it has given check.
    (Play::Direct, Goal::Check, 2, "k7/8/8/8/8/8/1R6/K7 w - - 0 1", r#"[["b2a2",1],["b2b8",1]]"#),
    (Play::Direct, Goal::Check, 4, "1k2N3/8/2K5/8/8/8/8/8 w - - 0 1", r#"[["c6b6",2]]"#),
    (Play::Direct, Goal::Capture, 4, "1k6/8/8/2p5/8/2K5/8/8 w - - 0 1", r#"[["c3c4",2]]"#),
    (Play::Direct, Goal::Arrival(Square::E5), 4, "1k6/8/8/8/8/2K5/8/8 w - - 0 1", r#"[["c3d4",2]]"#),
    // Castling arrives where the king goes, on c1.
    (
        Play::Direct,
        Goal::Arrival(Square::D1),
        2,
        "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
        r#"[["a1d1",1],["e1d1",1]]"#,
    ),
    // 1.Qe7+ Qxe7#.
    (Play::Self_, Goal::Mate, 2, "4k3/q7/3QK3/7r/8/8/8/8 w - - 0 1", r#"[["d6e7",1]]"#),
    // 1.Qe7+ Kxe7.
    (Play::Self_, Goal::Stalemate, 2, "4k3/8/8/6Q1/8/8/5q2/7K w - - 0 1", r#"[["g5e7",1]]"#),
    // 1.Rg2 h5 2.Kg3 h4+.
    (Play::Self_, Goal::Check, 4, "8/8/7p/8/8/6RK/8/7k w - - 0 1", r#"[["g3g2",2]]"#),
    // 1.Rf7 Kxf7 and 1...Kd8 2.Re7 Kxe7.
    (Play::Self_, Goal::Capture, 4, "1K2k3/3R4/8/8/8/8/8/8 w - - 0 1", r#"[["d7f7",2]]"#),
    // 1.Re5 Kd6 2.Rb6+ Kxe5.
    (Play::Self_, Goal::Arrival(Square::E5), 4, "3K4/8/2k5/6R1/8/8/1R6/8 w - - 0 1", r#"[["g5e5",2]]"#),
    // 1.Ka8 Rd8#, which Black must play.
    (Play::Reflex, Goal::Mate, 2, "1K6/8/1k1r4/8/8/8/8/8 w - - 0 1", r#"[["b8a8",1]]"#),
    // 1.Qf2+ Kxf2 2.Kh1 Rh7#.
    (Play::Reflex, Goal::Mate, 4, "8/r7/8/8/7Q/8/7K/5k2 w - - 0 1", r#"[["h4f2",2]]"#),
    // White must mate: 1.Qb1#.
    (Play::Reflex, Goal::Mate, 2, "8/8/8/8/3q4/8/2Q5/k1K5 w - - 0 1", "[]"),
    // 1.Qd1 Qb2#.
    (Play::SemiReflex, Goal::Mate, 2, "8/8/8/8/3q4/8/2Q5/k1K5 w - - 0 1", r#"[["c2d1",1]]"#),
    // 1.Ka8 Qb6.
    (Play::Reflex, Goal::Stalemate, 2, "1K2k3/8/4q3/8/8/8/8/8 w - - 0 1", r#"[["b8a8",1]]"#),
    // White must give stalemate: 1.Re5.
    (Play::Reflex, Goal::Stalemate, 2, "8/8/8/6R1/8/8/5p2/5k1K w - - 0 1", "[]"),
    // 1.Rg1+ fxg1=B.
    (Play::SemiReflex, Goal::Stalemate, 2, "8/8/8/6R1/8/8/5p2/5k1K w - - 0 1", r#"[["g5g1",1]]"#),
    (Play::Help, Goal::Mate, 4, "1k6/8/8/4K3/8/8/8/1R6 b - - 0 1", r#"[["b8c8","e5d6","c8d8","b1b8"]]"#),
    (Play::Help, Goal::Mate, 3, "1R6/8/8/8/6K1/8/8/7k w - - 0 1", r#"[["g4g3","h1g1","b8b1"]]"#),
    (Play::Help, Goal::Stalemate, 4, "5k2/4B3/8/8/6K1/8/8/8 b - - 0 1", r#"[["f8f7","g4f5","f7e8","f5e6"]]"#),
    (Play::Help, Goal::Check, 4, "k7/8/8/8/8/8/3P4/4K3 b - - 0 1", r#"[["a8b7","d2d4","b7c6","d4d5"]]"#),
    (Play::Help, Goal::Capture, 4, "2k5/8/8/2p5/8/8/8/4K3 b - - 0 1", r#"[["c5c4","e1d2","c4c3","d2c3"]]"#),
    (
        Play::Help,
        Goal::Arrival(Square::E5),
        4,
        "7r/8/K7/8/8/3P4/1k6/8 b - - 0 1",
        r#"[["h8e8","d3d4","e8e5","d4e5"],["h8h5","d3d4","h5e5","d4e5"]]"#,
    ),
    // 1...Re6 2.Qg4+ Qxg4#.
    (Play::HelpSelf, Goal::Mate, 3, "4r3/8/8/5K2/q6k/5Q2/8/8 b - - 0 1", r#"[["e8e6","f3g4"]]"#),
    // 1.Kc7 Rb8 2.Qd6+ Qxd6#.
    (Play::HelpSelf, Goal::Mate, 4, "3r4/3K4/5Q2/3k4/1q4R1/8/8/8 w - - 0 1", r#"[["d7c7","d8b8","f6d6"]]"#),
    // 1.Ka1 Qc2 2.Qf7+ Kxf7.
    (Play::HelpSelf, Goal::Stalemate, 4, "5k2/8/8/8/8/1q6/Q7/1K6 w - - 0 1", r#"[["b1a1","b3c2","a2f7"]]"#),
    (Play::Series, Goal::Mate, 6, "2R5/8/8/k7/8/1K6/8/8 w - - 0 1", r#"[["b3c4","c4c5","c8a8"]]"#),
    // A queen on h8 would give check.
    (Play::Series, Goal::Stalemate, 6, "2k5/7P/2K5/8/8/8/8/8 w - - 0 1", r#"[["h7h8b","h8e5","e5c7"]]"#),
    (Play::SeriesHelp, Goal::Mate, 4, "2k5/3R4/K7/8/8/8/8/8 b - - 0 1", r#"[["c8b8","b8a8","d7d8"]]"#),
    (Play::SeriesHelp, Goal::Stalemate, 4, "1K2k3/8/2Q5/8/8/8/8/8 b - - 0 1", r#"[["e8e7","e7d8","c6e6"]]"#),
    (Play::SeriesHelp, Goal::Check, 4, "1B6/8/8/8/8/2K5/k7/8 b - - 0 1", r#"[["a2b1","b1c1","b8f4"]]"#),
    (Play::SeriesHelp, Goal::Capture, 4, "1K6/7k/8/6n1/8/8/8/8 b - - 0 1", r#"[["g5e6","e6c7","b8c7"]]"#),
    (
        Play::SeriesHelp,
        Goal::Arrival(Square::E5),
        4,
        "r7/8/8/8/3P4/8/8/k6K b - - 0 1",
        r#"[["a8a5","a5e5","d4e5"],["a8e8","e8e5","d4e5"]]"#,
    ),
    // 1.Ka8 2.Bb7+ Qxb7#.
    (Play::SeriesSelf, Goal::Mate, 4, "1K1B4/8/k7/1q1B4/8/8/8/8 w - - 0 1", r#"[["b8a8","d5b7"]]"#),
    // 1.Kd1 2.Qe7+ Kxe7.
    (Play::SeriesSelf, Goal::Stalemate, 4, "4k3/8/8/8/1Q6/3n4/r7/4K3 w - - 0 1", r#"[["e1d1","b4e7"]]"#),
];

fn puzzles() -> impl Iterator<Item = (Puzzle, &'static str)> {
    EXAMPLES.iter().map(|&(play, goal, plies, fen, answer)| {
        let task = Task { genre: Genre { play, goal }, plies };
        (Puzzle::new(fen.parse().expect("a FEN"), task), answer)
    })
}

#[test]
fn brute_force_finds_what_a_person_finds() {
    for (puzzle, answer) in puzzles() {
        assert_eq!(puzzle.due.to_string(), answer, "{} {}", puzzle.position, puzzle.task.query(true));
    }
}

#[test]
fn examples_of_all_stipulations_are_solved() {
    let puzzles: Vec<_> = puzzles().map(|(puzzle, _)| puzzle).collect();
    compare(&puzzles, &mut Rng::new(6800));
}

#[test]
fn verbs_in_json_are_the_words_with_hyphens() {
    for (Puzzle { position, task, .. }, _) in puzzles() {
        let Some(due) = task.genre.verb() else { continue };
        for is_short in [false, true] {
            let answers = solve(&format!("chess {{ board \"{position}\" {} }}\n", task.query(is_short)));
            let verbs: Vec<&str> = answers.iter().map(|(verb, _)| verb.as_str()).collect();
            assert_eq!(verbs, [due.as_str()], "{position} {}", task.query(is_short));
        }
    }
}
