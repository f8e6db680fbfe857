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
fn an_unclosed_bracket_does_not_hide_other_findings() {
    check(
        r#"
solitaire { board ...N.....R....B. solve => [[[3,3],[1,1]] }
//                                          ^ error[syntax]
//                                           ^^^^^^^^^^^^^ error[wrong-solution]: step 1 fails…
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
