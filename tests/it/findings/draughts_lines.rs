//! Findings in lines of moves of draughts.

use crate::harness::check::check;

#[test]
fn a_line_of_moves_and_captures_is_replayed() {
    check(
        r#"
draughts { board "W:Wc3,e1:Bd6,f6" line => 1. c3-d4 f6-e5 2. d4:f6 }
draughts { board "W:Wc3:Bd4,f6,h8" line => c3:e5:g7 h8xf6 }
draughts { board "W:Wc3:Bd4,f6" line => c3g7 }
draughts { board "B:We3:Bb2" line => [b2-a1, 'e3-d4', a1:e5] }
draughts { board "W:Wc3:Bd4,h8" line }
"#,
    );
}

#[test]
fn the_first_move_that_fails_is_marked() {
    check(
        r#"
allow duplicate-puzzle
draughts { board "W:Wc3,e1:Bd6,f6" line => c3-d4 f6-e5 e1-f2 f6-e5 }
//                                                     ^^^^^ error[wrong-solution]: step 3 fails: white must capture: d4:f6
draughts { board "W:Wc3:Bd4,f6" line => c3:e5 }
//                                      ^^^^^ error[wrong-solution]: step 1 fails: the capture stops short on e5…
draughts { board "W:Wc3:Bh8" line => c3-c4 h8-g7 }
//                                   ^^^^^ error[wrong-solution]: step 1 fails: c4 is a light square
draughts { board "W:Wc3:Bh8" line => c3-b2 }
//                                   ^^^^^ error[wrong-solution]: step 1 fails: the man on c3 does not reach b2…
draughts { board "W:Wc3:Bh8" line => h8-g7 }
//                                   ^^^^^ error[wrong-solution]: step 1 fails: the black man on h8 is not white's to move
draughts { board "W:Wc3:Bh8" line => 1. c3-d4 h8-g7 3. d4-e5 }
//                                                  ^^ error[wrong-solution]: the move here has the number 2.
draughts { board "W:Wc3:Bh8" line => 1. c3-d4 foo }
//                                            ^^^ error[wrong-solution]: step 2 fails: `foo` is no move…
"#,
    );
}

#[test]
fn the_only_capture_is_offered_for_a_move_that_is_none() {
    for (written, meant) in [("g1-f2", "c3:e5"), ("c3-b4", "c3:e5"), ("c3-e4", "c3:e5")] {
        let text = |mv: &str| format!("draughts {{ board \"W:Wc3,g1:Bd4,h8\" line => {mv} }}\n");
        crate::one_finding::check(&text(written), &text(meant));
    }
}
