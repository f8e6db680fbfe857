//! `check --fix` applies what cannot change the meaning of a correct puzzle, and nothing else.

use crate::harness::{folder, read, run};
use cpz::analysis::{Options, allow, analyse};
use cpz::diagnostic::{Code, Edit, Finding, Fix, Span};
use cpz::ide::{apply, apply_fixes, safe_fixes};
use cpz::syntax::parse;

fn fixed(text: &str) -> String {
    let dir = folder(&[("a.cpz", text)]);
    run(dir.path(), &["check", "--fix", "a.cpz"]);
    read(dir.path(), "a.cpz")
}

#[test]
fn fix_applies_safe_fixes_until_none_is_left() {
    for (before, after) in [
        ("solitaire { board ...N.....R....B. solv }", "solitaire { board ...N.....R....B. solve }"),
        // A letter within a word, and another fix beside it.
        ("solitaire { board ...N.....R....В. solv }", "solitaire { board ...N.....R....B. solve }"),
        ("chess { board [[\"W\",\"В\",5,1]] mate }", "chess { board [[\"W\",\"B\",5,1]] mate }"),
        (
            "solitaire { board ...N.....R....B. solve -> none }",
            "solitaire { board ...N.....R....B. solve => none }",
        ),
        (
            "solitaire { board N..............N solve none }",
            "solitaire { board N..............N solve => none }",
        ),
        (
            "chess { board 4k3/8/8/8/8/8/8/4K2R move \"W\",\"R\",8,2 }",
            "chess { board 4k3/8/8/8/8/8/8/4K2R move [\"W\",\"R\",8,2] }",
        ),
        ("solitaire { board “...N.....R....B.” solve }", "solitaire { board \"...N.....R....B.\" solve }"),
        ("solitaire “x” { board ...N.....R....B. }", "solitaire \"x\" { board ...N.....R....B. }"),
        // A mark of check says nothing that the board does not say.
        (
            "chess { board 8/8/8/4k3/8/8/8/4K2R move Rh2+ => legal }",
            "chess { board 8/8/8/4k3/8/8/8/4K2R move Rh2 => legal }",
        ),
        (
            "chess { board 8/8/8/4k3/8/8/8/4K2R move 1.Rh2+ move Rg1+! move Rh4+}",
            "chess { board 8/8/8/4k3/8/8/8/4K2R move 1.Rh2 move Rg1! move Rh4}",
        ),
        (
            "chess { board 6k1/5ppp/8/8/8/8/8/R5K1 move Ra8+ }",
            "chess { board 6k1/5ppp/8/8/8/8/8/R5K1 move Ra8# }",
        ),
        // The first fix makes a second one possible.
        (
            "chess { board 2k5 /8/8/8/8/5K2/4r1N1/8 mate => none }",
            "chess { board 2k5/8/8/8/8/5K2/4r1N1/8 mate => none }",
        ),
        (
            "chess { board 8/8/8/8/8/5k2/8/3R2K1w - - 0 1 mate => none }",
            "chess { board 8/8/8/8/8/5k2/8/3R2K1 w - - 0 1 mate => none }",
        ),
        (
            "chess { board 7k/8/5K2/8/8/8/8/6R1 b h#1 -> \"1. Kh8\", \"1. Kh6\" half-duplex yes }",
            "chess { board 7k/8/5K2/8/8/8/8/6R1 b h#1 => [\"1. Kh8\", \"1. Kh6\"] half-duplex }",
        ),
        ("solitaire { board ...N.....R....B. \u{1}solv }", "solitaire { board ...N.....R....B. solve }"),
    ] {
        assert_eq!(fixed(before), after, "{before}");
    }
}

#[test]
fn fix_leaves_ambiguous_text_alone() {
    for text in [
        // `note`, `move` and `mate` are as near as each other.
        "solitaire { board ...N.....R....B. mote }",
        // Two verdicts are equally near.
        "chess { board 4k3/8/8/8/8/8/8/4K2R move Rh2 => ilegal }",
        // The duplicate that this allow is for may be in another file.
        "solitaire { allow duplicate-puzzle board ...N.....R....B. solve }",
        "solitaire { board ...N.....R....B. solve => none }",
        "solitaire { rules ranger board P....R..R.R..R.. solve }",
        // A puzzle may rest on a mate: the mistake can be in the board.
        "chess { board 8/8/8/4k3/8/8/8/4K2R move Rh2# => legal }",
        "chess { board 6k1/5pp1/8/8/8/8/8/R5K1 move Ra8# }",
        // So may a line, which is an answer.
        "chess { board 8/8/8/4k3/8/8/8/4K2R line => Rh2+ Kd4 Rh4+ }",
        // Correcting the code would hide a finding that was never shown.
        "solitaire { allow kinks board ...N.....R....B. solve }",
        // A comma between rows, or an empty cell that slipped?
        "solitaire { board ...N....,R....B. solve }",
        // Without the control character the value would become a comment.
        "solitaire { note \u{1}//example\n board ...N.....R....B. }",
    ] {
        assert_eq!(fixed(text), text);
    }
}

#[test]
fn file_given_twice_is_checked_once() {
    let dir = folder(&[("d/a.cpz", "solitaire { board ...N.....R....B. solve }\n")]);
    let run = run(dir.path(), &["check", "--format", "json", "d/a.cpz", "./d/a.cpz", "d"]).exits(0);
    assert_eq!(run.json()["summary"]["files"], 1);
}

fn edits(places: &[(u32, u32)]) -> Vec<Edit> {
    places.iter().map(|&(start, end)| Edit { span: Span::new(start, end), text: "x".into() }).collect()
}

#[test]
fn the_first_safe_fix_of_each_finding_is_taken_if_it_touches_no_other() {
    let finding = |fixes: &[(bool, &[(u32, u32)])]| {
        let fix = |&(safe, places): &(bool, &[(u32, u32)])| Fix {
            title: "a fix".into(),
            edits: edits(places),
            safe,
        };
        let fixes = fixes.iter().map(fix);
        fixes.fold(Finding::new(Code::Syntax, Span::at(0), "a finding"), Finding::fix)
    };
    let findings = [
        finding(&[(true, &[(20, 25)])]),
        finding(&[(false, &[(0, 2)]), (true, &[(4, 6), (8, 10)]), (true, &[(30, 31)])]),
        finding(&[(true, &[(10, 12)])]),
        finding(&[(true, &[(11, 12)])]),
        finding(&[(true, &[(7, 8)])]),
        finding(&[(true, &[(3, 3)])]),
        finding(&[(true, &[(25, 25)])]),
        finding(&[(false, &[(40, 41)])]),
    ];
    let taken = [&[(3, 3)][..], &[(4, 6), (8, 10)], &[(11, 12)], &[(20, 25)]].map(edits);
    assert_eq!(safe_fixes(findings.iter()), taken);
}

#[test]
fn fixes_that_change_what_is_behind_them_are_left_out() {
    for count in 0..7u32 {
        let text = "count ".repeat(count as usize) + "solve";
        for bad in 0..1 << count {
            let is_bad = |i: u32| bad >> i & 1 == 1;
            let fix = |i: u32| {
                let new = if is_bad(i) { "move //" } else { "move" };
                vec![Edit { span: Span::new(6 * i, 6 * i + 5), text: new.into() }]
            };
            let fixes: Vec<Vec<Edit>> = (0..count).map(fix).collect();
            let wanted = (0..count).map(|i| if is_bad(i) { "count " } else { "move " }).collect::<String>();
            let good = (0..count).filter(|&i| !is_bad(i)).count();
            assert_eq!(apply_fixes(&text, &fixes), (wanted + "solve", good), "{bad:b}");
        }
    }
}

#[test]
fn no_fix_takes_a_comment_away() {
    for text in [
        "solitaire { board ...N.....R....B.\n solve => [[c1,b2], // the bishop begins\n [b2,d3]] // end\n}",
        "chess { board 7k/8/6K1/8/8/8/8/RQ6 w\n mate in 1 => [Ra8, // the rook\n Qb7] // the queen\n}",
        "draughts { board \"W:WKa1:Bc3,e5\" capture => [[3,3,\"after\"], // c\n [5,5,\"no\"]] }",
        "allow // c\n cook\nchess { board 8/8/8/4k3/8/8/8/4K2N mate => none }",
        "chess { board 8/8/8/4k3/8/8/8/4K2R\n mate = // c\n > none\n}",
    ] {
        let mut report = analyse(&parse(text), &Options::default());
        allow(&mut report);
        let findings = report.findings();
        assert!(!findings.is_empty(), "{text}");
        let comments = |text: &str| text.matches("//").count();
        for fix in findings.iter().flat_map(|(finding, _)| &finding.fixes) {
            assert_eq!(comments(&apply(text, &fix.edits)), comments(text), "{}\n{text}", fix.title);
        }
    }
}

#[test]
fn a_move_without_brackets_on_two_lines_keeps_its_quotes() {
    let text = "chess { board 4k3/8/8/8/8/8/8/4K2R\n  move \"W\",\"R\",\n    8,2 => legal\n}\n";
    assert_eq!(fixed(text), text);
}

/// A comment, a remark or a text that a quote has closed may go on where a mistake seems to be.
#[test]
fn prose_that_goes_on_is_not_changed() {
    let puzzle = |items: &str| format!("chess {{\n  board kbK5/pp6/1P6/8/8/8/8/R7\n{items}\n}}\n");
    for items in [
        "  // White is not\n  in check\n  mate in 2",
        "  mate in 2 // White is not\n  in check",
        "  mate in 2\n  # the\n  conditions apply",
        "  mate => none (White is not\n    in check)",
        "  mate in 2 => Ra6 (the rook\n  mates in two moves)",
        "  note \"see \"mate in 3\" there\"\n  mate in 2",
    ] {
        let text = puzzle(items);
        assert_eq!(fixed(&text), text);
    }
    // A line further down is none of it.
    let below = |word: &str| puzzle(&format!("  // White is\n  mate in 2\n  {word} easy"));
    assert_eq!(fixed(&below("tag")), below("tags"));
}

/// A number is not lost, and what cannot be completed is left as it is.
#[test]
fn what_a_fix_would_lose_is_asked() {
    let puzzle = |items: &str| format!("chess {{\n  board kbK5/pp6/1P6/8/8/8/8/R7\n{items}\n}}\n");
    for (before, after) in [
        ("  mate2 => Ra6", "  mate in 2 => Ra6"),
        ("  mate2? => none", "  mate in 2 => none"),
        ("  selfmate2", "  selfmate in 2"),
        ("  win2", "  win2"),
        ("  mate in 2\n  twin b: remove", "  mate in 2\n  twin b: remove"),
        ("  a) mate in 2 => Ra6\n  b) a1 to b1 => none", "  mate in 2 => Ra6\n  twin b: a1 to b1 => none"),
    ] {
        assert_eq!(fixed(&puzzle(before)), puzzle(after));
    }
}
