//! Findings of the parser.

use crate::harness::check::check;

#[test]
fn a_misspelt_keyword_is_reported_with_the_nearest_one() {
    check(
        r#"
solitaire { bord ...N.....R....B. solve }
//          ^^^^ error[unknown-keyword]: unknown keyword `bord`; did you mean `board`?
"#,
    );
}

#[test]
fn a_bracket_that_is_not_closed_hides_what_is_read_of_its_list() {
    check(
        r#"
solitaire { board ...N.....R....B. solve => [[[3,3],[1,1]] }
//                                          ^ error[syntax]
"#,
    );
}

#[test]
fn a_wrong_letter_among_castling_rights_is_one_finding() {
    check(
        r#"
chess {
  board r3k2r/8/8/8/8/8/8/R3K2R w KQkx - 0 1
  //                              ^^^^ error[invalid-value]: expected castling rights, letters of KQkq or -,…
  mate
}
"#,
    );
}

#[test]
fn a_string_that_begins_straight_and_ends_with_a_curly_quote_ends_on_its_line() {
    check(
        r#"
draughts {
  board "W:Wd6:BKh4“
  //    ^^^^^^^^^^^^ error[syntax]: these are curly quotes; write straight ones…
  capture => [[5,5,"directly"]]
}
"#,
    );
}
