//! What a slip tears in two, and words in the place of others: each is one finding.

use crate::one_finding::{CHESS, check, findings};

#[test]
fn what_is_broken_over_two_lines_is_put_together() {
    for text in [
        "solitaire \"From§corner to corner\" {\n  board R..B\n  solve\n}\n",
        "solitaire 'A long§name' { board R..B solve }\n",
        "solitaire {\n  board\n    R . . .\n    .§. . N\n    B . . .\n  solve\n}\n",
        "solitaire { board \"R...\n..§.N\n.B..\" solve }\n",
    ] {
        check(&text.replace('§', "\n"), &text.replace('§', " "));
    }
    // Of lists it is said, without a fix.
    check("solitaire { board [['R','.','B'],['.','.'],['.'],['.','.','.']] solve }\n", "");
}

#[test]
fn doubled_word_with_one_value_keeps_the_value() {
    let text = |words: &str| format!("solitaire {{\n  {words}\n  board R..B\n  solve\n}}\n");
    check(&text("unique\n  unique true"), &text("unique true").replace("  unique", "  \n  unique"));
    check(&text("unique true\n  unique"), &text("unique true\n  "));
    check(&text("unique true\n  unique true"), &text("unique true\n  "));
}

#[test]
fn question_that_stands_for_an_answer_is_one_finding() {
    for (before, after) in [
        ("mate => mate", "mate => checkmate"),
        ("mate => mate // at last\n", "mate => checkmate // at last\n"),
        ("mate => Mate", "mate => checkmate"),
        ("mate => move", ""),
        ("move e3 => move", ""),
    ] {
        let text = |items: &str| CHESS.replace("ITEMS", items);
        check(&text(before), &if after.is_empty() { String::new() } else { text(after) });
    }
    // The next question is asked, and only the answer is missing.
    let text = CHESS.replace("ITEMS", "mate => mate => none");
    check(&text, &text.replacen("=> ", " ", 1));
}

#[test]
fn what_stands_behind_a_length_in_other_words_is_put_right() {
    let text = |items: &str| format!("chess {{\n  board 8/8/5n2/1N1Rrk2/8/3KB3/8/8\n  {items}\n}}\n");
    for (before, after) in [
        ("h#2 1 sol.", "h#2 solutions 1"),
        ("h#2, 1 solutions", "h#2 solutions 1"),
        ("h#2 1.1.1.1 1 solution", "h#2 1.1.1.1 solutions 1"),
        ("helpmate in 2 1 sols", "helpmate in 2 solutions 1"),
        ("h#2 **", "h#2 *"),
    ] {
        check(&text(before), &text(after));
    }
    for (before, place) in [
        ("s#", "`s#` needs the number of moves, as in `s#2`"),
        ("ser-h= => none", "`ser-h=` needs the number of moves, as in `ser-h=2`"),
        ("hze9 2", "`e9` is no square"),
        ("h#2 1 sol => \"1. Nxd5 Ke2 2. Ke4 Nd6#\"", "write how many solutions are meant as `solutions 1`"),
    ] {
        let found = findings(&text(before));
        let messages: Vec<&str> = found.iter().map(|f| f.message.as_str()).collect();
        assert_eq!(messages, [place], "{before}");
        assert!(found[0].fixes.is_empty(), "{before}");
    }
}
