//! `check --fix` applies what cannot change the meaning of a correct puzzle, and nothing else.

use crate::harness::{folder, read, run};

fn fixed(text: &str) -> String {
    let dir = folder(&[("a.cpz", text)]);
    run(dir.path(), &["check", "--fix", "a.cpz"]);
    read(dir.path(), "a.cpz")
}

#[test]
fn safe_fixes_are_applied_and_leave_nothing_behind() {
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
        // One fix brings another to light.
        ("solitaire { board ...N.....R....B. \u{1}solv }", "solitaire { board ...N.....R....B. solve }"),
    ] {
        assert_eq!(fixed(before), after, "{before}");
    }
}

#[test]
fn what_might_mean_something_else_is_left_alone() {
    for text in [
        // `note`, `move` and `mate` are as near as each other.
        "solitaire { board ...N.....R....B. mote }",
        // Either verdict is near.
        "chess { board 4k3/8/8/8/8/8/8/4K2R move Rh2 => ilegal }",
        // The twin that this allow is for may stand in another file.
        "solitaire { allow duplicate-puzzle board ...N.....R....B. solve }",
        "solitaire { board ...N.....R....B. solve => none }",
        "solitaire { rules ranger board P....R..R.R..R.. solve }",
        // What it would silence is to be seen first.
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
fn other_files_are_read_as_one_under_two_names() {
    let dir = folder(&[("d/a.cpz", "solitaire { board ...N.....R....B. solve }\n")]);
    let run = run(dir.path(), &["check", "--format", "json", "d/a.cpz", "./d/a.cpz", "d"]).exits(0);
    assert_eq!(run.json()["summary"]["files"], 1);
}
