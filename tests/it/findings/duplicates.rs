//! Findings about puzzles that stand twice in a text.

use crate::harness::check::check;

#[test]
fn a_repeated_name_is_reported_at_the_second_puzzle() {
    check(
        r#"
chess "a" { board 8/8/8/4k3/8/8/8/4K2R mate }
chess "a" { board 8/8/8/3k4/8/8/8/4K2R mate }
//    ^^^ warning[duplicate-name]
"#,
    );
}

#[test]
fn a_repeated_id_is_an_error_at_the_later_puzzle() {
    check(
        r#"
chess { id a board 8/8/8/4k3/8/8/8/4K2R mate }
chess { id "b" board 8/8/8/3k4/8/8/8/4K2R mate }
chess { id "a" board 8/8/8/4k3/8/8/8/3K3R mate }
//          ^ error[duplicate-id]
chess { id a board 8/8/8/4k3/8/8/8/4K1R1 mate }
//         ^ error[duplicate-id]
chess { id A board 8/8/8/2k5/8/8/8/4K2R mate }
"#,
    );
}

/// A castling and a square are not on the mirrored board.
#[test]
fn a_mirrored_board_may_be_another_problem() {
    check(
        r#"
chess { board 8/8/8/5p2/5R2/6k1/8/4K2R mate in 2 => O-O }
chess { board 8/8/8/2p5/2R5/1k6/8/R2K4 mate in 2 => none }
chess { board 8/8/5n2/1N1Rrk2/8/3KB3/8/8 hze5 1 => 10 solutions }
chess { board 8/8/2n5/2krR1N1/8/3BK3/8/8 hze5 1 => none }
"#,
    );
}

#[test]
fn an_allow_that_silences_nothing_is_a_hint() {
    check(
        r#"
solitaire { allow too-many-kings board ...N.....R....B. solve }
//                ^^^^^^^^^^^^^^ hint[unused-allow]
"#,
    );
}
