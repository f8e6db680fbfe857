//! What `diff` says has changed.

use super::*;
use crate::harness::examples::examples;
use cpz::{DiffOptions, diff_markdown, diff_texts, format_text};

const OLD: &str = r#"solitaire "First" { board ...N.....R....B. solve }
chess "Back rank" { board 3R2k1/5ppp/8/8/8/8/8/6K1 b - - 0 1 mate => checkmate }
draughts { board "W:WKa1:Bb2,d4" capture }
"#;

fn diff(old: &str, new: &str) -> Value {
    diff_texts(old, new, &DiffOptions::default()).expect("good options")
}

/// How many puzzles are added, removed, changed and unchanged.
fn counts(diff: &Value) -> [u64; 4] {
    ["added", "removed", "changed", "unchanged"].map(|key| diff["summary"][key].as_u64().expect("a number"))
}

#[test]
fn diff_says_in_words_what_has_changed() {
    let new = OLD
        .replace("3R2k1", "2R3k1")
        .replace("/6K1 b", "/4N1K1 b")
        .replace("\"First\"", "\"The first\"")
        .replace("capture", "capture => none");
    let dir = folder(&[("old.cpz", OLD), ("new.cpz", &new)]);
    let told = run(dir.path(), &["diff", "old.cpz", "new.cpz"]).exits(1).stdout;
    for sentence in [
        "new.cpz:1 solitaire \"The first\"\n  the name is \"The first\", was \"First\"\n",
        "the white rook has moved from d8 to c8\n  a white knight is new on e1\n",
        "the answer to `capture` is written now: none\n  new: error[wrong-answer]",
        "8 . .[.|R]. . k .     8 . .[R|.]. . k .",
        "\n3 puzzles changed\n",
    ] {
        assert!(told.contains(sentence), "{sentence}\n{told}");
    }
    assert!(!told.contains('\x1b'), "colours without a terminal");
    // The other way round, what came is gone.
    let back = run(dir.path(), &["diff", "new.cpz", "old.cpz"]).exits(1).stdout;
    assert!(
        back.contains("the white knight on e1 is gone") && back.contains("gone: error[wrong-answer]"),
        "{back}"
    );
    let json = run(dir.path(), &["diff", "--format", "json", "old.cpz", "new.cpz"]).exits(1).json();
    assert_eq!(counts(&json), [0, 0, 3, 0]);
    let expected = json!([
        { "change": "moved", "piece": "white rook", "from": "d8", "to": "c8" },
        { "change": "added", "piece": "white knight", "square": "e1" },
    ]);
    assert_eq!(json["puzzles"][1]["board"]["men"], expected);
    // Functions call both texts by one name.
    let mut of_function = diff(OLD, &new);
    for puzzle in of_function["puzzles"].as_array_mut().expect("puzzles") {
        (puzzle["old"]["path"], puzzle["new"]["path"]) = (json!("old.cpz"), json!("new.cpz"));
    }
    assert_eq!(of_function, json);
}

#[test]
fn diff_exits_as_other_comparisons_do() {
    let dir =
        folder(&[("a.cpz", OLD), ("b/b.cpz", OLD), ("utf16.cpz", "s\0o\0l\0i\0t\0a\0i\0r\0e\0 \0{\0}\0")]);
    let same = run(dir.path(), &["diff", "a.cpz", "b/b.cpz"]).exits(0);
    assert_eq!(same.stdout, "3 puzzles unchanged\n");
    assert_eq!(run_with(dir.path(), &["diff", "-", "a.cpz"], OLD.as_bytes()).exits(0).stdout, same.stdout);
    for (wrong, why) in [
        (&["a.cpz", "missing.cpz"][..], "no such file"),
        (&["a.cpz", "b"], "b is a folder"),
        (&["b", "a.cpz"], "b is a folder"),
        (&["-", "-"], "standard input"),
        (&["utf16.cpz", "a.cpz"], "UTF-16"),
        (&["a.cpz"], "NEW"),
    ] {
        let run = run(dir.path(), &[&["diff"], wrong].concat()).exits(2);
        assert!(run.stderr.contains(why) && run.stdout.is_empty(), "{wrong:?}: {run:?}");
    }
    assert_eq!(read(dir.path(), "a.cpz"), OLD);
}

#[test]
fn diff_recognises_puzzles_in_other_files() {
    let puzzles: Vec<&str> = OLD.lines().collect();
    let dir = folder(&[
        ("old/a.cpz", &format!("{}\n{}\n", puzzles[0], puzzles[1])),
        ("old/c.cpz", puzzles[2]),
        ("new/a.cpz", puzzles[1]),
        ("new/renamed.cpz", puzzles[2]),
        ("new/z.cpz", puzzles[0]),
    ]);
    let json = run(dir.path(), &["diff", "--format", "json", "old", "new"]).exits(1).json();
    assert_eq!(counts(&json), [0, 0, 2, 1]);
    let told = run(dir.path(), &["diff", "old", "new"]).exits(1).stdout;
    assert!(told.contains("renamed.cpz:1 draughts\n  has moved here from c.cpz\n"), "{told}");
    assert!(told.contains("z.cpz:1 solitaire \"First\"\n  has moved here from a.cpz\n"), "{told}");
}

#[test]
fn diff_recognises_puzzles_with_other_numbers_as_names() {
    let named = |boards: &[&str]| -> String {
        let one = |(i, board): (usize, &&str)| {
            format!("solitaire \"Puzzle {}\" {{ board {board} solve }}\n", i + 1)
        };
        boards.iter().enumerate().map(one).collect()
    };
    let found = diff(&named(&["RN..", "R.N.B", "QN.."]), &named(&["BNR.B", "RN..", "R.N.B", "QN.."]));
    assert_eq!(counts(&found), [1, 0, 3, 0], "{found}");
    for puzzle in found["puzzles"].as_array().expect("puzzles").iter().filter(|p| p["change"] == "changed") {
        assert!(puzzle["board"].is_null() && puzzle["properties"][0]["name"] == "name", "{puzzle}");
    }
    // A board without a name that has changed a little is the same puzzle, another board is another puzzle.
    let bare =
        |board: &str| format!("solitaire {{ board RN.. solve }}\nsolitaire {{ board {board} solve }}\n");
    assert_eq!(counts(&diff(&bare("R.N.B"), &bare("RN..B"))), [0, 0, 1, 1]);
    assert_eq!(counts(&diff(&bare("R.N.B"), &bare("PQPQP"))), [1, 1, 0, 1]);
}

/// The puzzles of a text, if nothing but puzzles stands in it.
fn parts(text: &str) -> Option<Vec<String>> {
    let tree = cpz::syntax::parse(text.to_string());
    let puzzles: Vec<String> = tree.puzzles().map(|puzzle| text[puzzle.span().range()].to_string()).collect();
    let is_all = tree.errors().is_empty() && tree.root().children().count() == puzzles.len();
    (is_all && puzzles.len() > 2).then_some(puzzles)
}

#[test]
fn diff_of_formatted_and_of_reordered_texts_is_about_places_alone() {
    let options =
        DiffOptions { text: cpz::TextOptions { budget: Some(2_000), ..Default::default() }, max: None };
    let mut reordered = 0;
    for (path, text) in examples() {
        let formatted = format_text(&text).expect("a text");
        let found = diff_texts(&text, &formatted, &options).expect("good options");
        assert_eq!((&found["puzzles"], &found["files"]), (&json!([]), &json!([])), "{}", path.display());
        assert!(diff_markdown(&text, &formatted, &options).expect("good options").contains("unchanged"));
        let Some(mut puzzles) = parts(&text) else { continue };
        reordered += 1;
        let before = puzzles.join("\n");
        let last = puzzles.pop().expect("a puzzle");
        puzzles.insert(0, last);
        let gone = puzzles.remove(1);
        let found = diff_texts(&before, &puzzles.join("\n"), &options).expect("good options");
        for puzzle in found["puzzles"].as_array().expect("puzzles") {
            match puzzle["change"].as_str() {
                Some("removed") => assert_eq!(puzzle["old"]["number"], 1, "{gone}"),
                // A duplicate can be a finding less.
                Some("changed") => assert!(
                    puzzle["board"].is_null()
                        && puzzle["properties"] == json!([])
                        && puzzle["queries"] == json!([]),
                    "{}: {puzzle}",
                    path.display()
                ),
                _ => panic!("{}: {puzzle}", path.display()),
            }
        }
        assert_eq!(found["summary"]["removed"], 1, "{}", path.display());
    }
    assert!(reordered > 2, "{reordered}");
}

#[test]
fn the_white_space_and_the_last_comma_of_a_written_list_are_no_difference() {
    let text = |answer: &str| format!("solitaire {{ board ...N.....R....B. solve => {answer} }}");
    let old = text("[[[2,0], [1,1]], [[1,1], [3,3]]]");
    for (answer, changed) in [
        ("[ [[2,0],[1,1]] , [[1,1],[3,3]] ]", 0),
        ("[\n  [[2, 0], [1, 1]], // first\n  [[1, 1], [3, 3],],\n]", 0),
        ("[[[2,0], [1,1]], [[1,1], [3,2]]]", 1),
        ("[[[2,0], [1,1]], [1,1], [3,3]]", 1),
    ] {
        let found = diff(&old, &text(answer));
        let written = found["puzzles"].as_array().expect("puzzles").iter().flat_map(|puzzle| {
            let queries = puzzle["queries"].as_array().expect("queries");
            queries.iter().filter(|query| query["old"]["written"] != query["new"]["written"])
        });
        assert_eq!(written.count(), changed, "{answer}\n{found:#}");
    }
}

#[test]
fn diff_in_markdown_escapes_what_people_write() {
    let named = |name: &str| format!("solitaire \"{name}\" {{ id a board RN.. solve }}\n");
    let options = DiffOptions::default();
    let text = diff_markdown(&named("One"), &named("<b>*Two*</b>"), &options).expect("good options");
    assert!(text.contains("### Changed: solitaire “&lt;b&gt;\\*Two\\*&lt;/b&gt;”"), "{text}");
    let many = |n: usize| {
        (0..n).map(|i| named(&i.to_string()).replace("id a", &format!("id {i}"))).collect::<String>()
    };
    let options = DiffOptions { max: Some(2), ..options };
    let text = diff_markdown("", &many(5), &options).expect("good options");
    assert!(text.matches("### Added").count() == 2 && text.contains("3 more puzzles differ."), "{text}");
}

#[test]
fn diff_on_a_page_draws_the_boards_and_escapes_what_people_write() {
    let new = OLD.replace("3R2k1", "2R3k1").replace("\"First\"", "\"<b>`First\"");
    let page =
        cpz::diff_html(OLD, &(new + "solitaire \"Second\" { board N... solve }"), &DiffOptions::default());
    let page = page.expect("good options");
    assert_eq!(page.matches("<svg ").count(), 3, "before, after, and the puzzle that is added");
    assert_eq!(page.matches("class=\"seen\"").count(), 2, "one path for the marks of each board");
    for text in [
        "Changed</span> solitaire “&lt;b&gt;`First”",
        "<li>the white rook has moved from d8 to c8</li>",
        "class=\"added\"",
        ">before<",
    ] {
        assert!(page.contains(text), "{text}\n{page}");
    }
    assert!(!page.contains("<script") && !page.contains("<b>"), "{page}");
}

#[test]
fn diff_lists_comments_that_belong_to_no_puzzle() {
    let puzzle = "// Of the puzzle.\nsolitaire { board ...N.....R....B. solve } // behind it\n";
    let old = format!("// A collection.\n// of old\n\n{puzzle}// The end.\n");
    let new = format!("//   A collection.\n// of new\n\n{puzzle}// The end.\n// The end.\n");
    let found = diff(&old, &new);
    assert_eq!(counts(&found), [0, 0, 0, 1]);
    let comments = json!({"came": ["of new", "The end."], "gone": ["of old"]});
    assert_eq!(found["files"][0]["comments"], comments, "{found:#}");
    let dir = folder(&[("old.cpz", &old), ("new.cpz", &new)]);
    let said = run(dir.path(), &["diff", "old.cpz", "new.cpz"]).exits(1).stdout;
    for wanted in ["the comment is new: \"of new\"", "the comment is gone: \"of old\""] {
        assert!(said.contains(wanted), "{wanted}: {said}");
    }
    let said = run(dir.path(), &["diff", "--format", "markdown", "old.cpz", "new.cpz"]).exits(1).stdout;
    assert!(said.contains("- the comment is gone: \"of old\""), "{said}");
    assert_eq!(diff(&old, &old)["files"], json!([]));
}

#[test]
fn diff_knows_the_allow_words_of_a_file_for_puzzles_that_are_searched_further() {
    let puzzle = "board 8/8/5n2/1N1Rrk2/8/3KB3/8/8 h#3";
    let (above, inside) = (
        format!("allow undecided\nchess \"A\" {{ {puzzle} }}\n"),
        format!("chess \"A\" {{ allow undecided {puzzle} }}\n"),
    );
    let dir = folder(&[("above.cpz", &above), ("inside.cpz", &inside)]);
    for (old, new) in [("above.cpz", "inside.cpz"), ("inside.cpz", "above.cpz")] {
        let same = run(dir.path(), &["diff", "--budget", "100", old, new]).exits(0);
        assert_eq!(same.stdout, "1 puzzle unchanged\n", "{old}");
    }
}
