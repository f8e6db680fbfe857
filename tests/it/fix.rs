//! `check --fix` applies what cannot change the meaning of a correct puzzle, and nothing else.

use crate::harness::{folder, read, run};

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
        (
            "chess { board 8/8/8/4k3/8/8/8/4K2R line => Rh2+ Kd4 Rh4+ }",
            "chess { board 8/8/8/4k3/8/8/8/4K2R line => Rh2 Kd4 Rh4+ }",
        ),
        // The first fix makes a second one possible.
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
