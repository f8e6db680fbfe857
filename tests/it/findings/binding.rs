//! Findings about properties, boards and queries that do not belong together.

use crate::harness::check::check;

#[test]
fn a_puzzle_without_board_is_reported_at_its_game() {
    check(
        r#"
solitaire { solve }
//@0+9 error[missing-board]
"#,
    );
}

#[test]
fn a_query_of_another_game_is_reported() {
    check(
        r#"
chess { board 8/8/8/4k3/8/8/8/4K2R mate solve }
//                                      ^^^^^ error[not-for-this-game]: chess cannot be asked `solve`…
"#,
    );
}

#[test]
fn boards_are_compared_with_the_written_size() {
    check(
        r#"
solitaire { size 3x3 board ...N.....R....B. solve }
//                         ^^^^^^^^^^^^^^^^ error[board-shape]: 16 cells are written; a board of 3×3 has 9
"#,
    );
}

#[test]
fn a_letter_that_is_no_piece_is_reported() {
    check(
        r#"
solitaire { board ...N.....X....B. solve }
//                         ^ error[unknown-piece]: `X` is not a piece of solitaire…
"#,
    );
}

#[test]
fn a_square_off_the_board_is_reported_at_the_move() {
    check(
        r#"
chess { board 8/8/8/4k3/8/8/8/4K2R move Rh9 }
//                                      ^^^ error[off-board]
"#,
    );
}
