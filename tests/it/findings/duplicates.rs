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

#[test]
fn an_allow_that_silences_nothing_is_a_hint() {
    check(
        r#"
solitaire { allow too-many-kings board ...N.....R....B. solve }
//                ^^^^^^^^^^^^^^ hint[unused-allow]
"#,
    );
}
