//! Findings about written answers.

use crate::harness::check::check;

#[test]
fn a_wrong_verdict_is_reported_at_the_answer() {
    check(
        r#"
chess { board 8/8/8/4k3/8/8/8/4K2R move Rg2 => legal }
//                                             ^^^^^ error[wrong-answer]
"#,
    );
}

#[test]
fn an_unsolvable_board_is_reported_at_the_query() {
    check(
        r#"
solitaire { board R....N.......... solve }
//                                 ^^^^^ error[unsolvable]
"#,
    );
}

#[test]
fn right_answers_are_clean() {
    check(
        r#"
solitaire { board ...N.....R....B. solve }
chess { board 8/8/8/4k3/8/8/8/4K2R move Rh8 => legal }
"#,
    );
}
