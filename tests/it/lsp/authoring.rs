//! The commands of composers and collectors.

use crate::harness::client::{Client, at, span};
use serde_json::{Value, json};

const TEXT: &str = "// The long one.\nsolitaire \"B\" { board .....B..RP.....N solve }\n\n// The short one.\nsolitaire \"A\" { board ...N.....R....B. solve }\n";

fn run(c: &mut Client, uri: &str, command: &str, more: Value) {
    let mut argument = json!({"uri": uri, "version": 1, "position": at(1, 0)});
    for (key, value) in more.as_object().expect("members") {
        argument[key] = value.clone();
    }
    c.call("workspace/executeCommand", json!({"command": command, "arguments": [argument]}));
}

/// The only edit that the server sends, applied to the text. Its range begins and ends at line starts.
fn edited(c: &mut Client, uri: &str, text: &str) -> String {
    let said = c.claim("the edit", |m| m["method"] == "workspace/applyEdit");
    let edits = said["params"]["edit"]["changes"][uri].as_array().expect("edits").clone();
    let [edit] = &edits[..] else { panic!("{edits:?}") };
    let offset = |place: &Value| {
        assert_eq!(place["character"], 0);
        let line = place["line"].as_u64().expect("a line") as usize;
        text.split_inclusive('\n').take(line).map(str::len).sum::<usize>()
    };
    let (start, end) = (offset(&edit["range"]["start"]), offset(&edit["range"]["end"]));
    format!("{}{}{}", &text[..start], edit["newText"].as_str().expect("text"), &text[end..])
}

#[test]
fn sort_command_moves_puzzles_with_their_comments() {
    let mut c = Client::new(None, "utf-16");
    let uri = "untitled:sort.cpz";
    c.open(uri, TEXT);
    c.findings(uri, Some(1));
    let params = json!({"textDocument": {"uri": uri}, "range": span((0, 0), (0, 0)),
        "context": {"diagnostics": [], "only": ["source.sortPuzzles"]}});
    let actions = c.call("textDocument/codeAction", params);
    let titles: Vec<&str> =
        actions.as_array().expect("actions").iter().filter_map(|a| a["title"].as_str()).collect();
    assert_eq!(titles.len(), 4, "{titles:?}");
    run(&mut c, uri, "cpz.sortPuzzles", json!({"by": "pieces"}));
    let sorted = edited(&mut c, uri, TEXT);
    assert!(sorted.starts_with("// The short one.\nsolitaire \"A\""), "{sorted}");
    assert_eq!(sorted.len(), TEXT.len());
    c.finish();
}

#[test]
fn hint_command_shows_what_its_grade_gives_away() {
    let mut c = Client::new(None, "utf-16");
    let uri = "untitled:hint.cpz";
    c.open(uri, TEXT);
    c.findings(uri, Some(1));
    for (grade, hint) in [(1, "the knight on d1 begins"), (3, "the first move is d1xb2")] {
        run(&mut c, uri, "cpz.showHint", json!({"grade": grade}));
        let said = c.claim("the hint", |m| m["method"] == "window/showMessage");
        assert_eq!(said["params"]["message"], format!("cpz: {hint}"));
        let params = json!({"textDocument": {"uri": uri}, "position": at(1, 0), "grade": grade});
        assert_eq!(c.call("cpz/hint", params), json!({"hint": hint, "refused": null, "grades": 3}));
    }
    c.polite = false;
    // Without a grade: all of them, each when the user asks for it.
    run(&mut c, uri, "cpz.showHint", json!({}));
    for hint in ["the knight on d1 begins", "the knight on d1 goes to b2"] {
        let asked = c.claim("the question", |m| m["method"] == "window/showMessageRequest");
        assert_eq!(asked["params"]["message"], format!("cpz: {hint}"));
        let next = &asked["params"]["actions"][0];
        assert_eq!(next["title"], "Next hint");
        c.send(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": next}));
    }
    let said = c.claim("the last hint", |m| m["method"] == "window/showMessage");
    assert_eq!(said["params"]["message"], "cpz: the first move is d1xb2");
    c.finish();
}

#[test]
fn generate_command_makes_puzzles_of_three_games() {
    for (game, name, more, query) in [
        ("draughts", "Draughts", json!({"captures": 2}), "capture"),
        ("chess3d", "Cube", json!({"side": 3}), "mate"),
        ("solitaire", "Solitaire", json!({"pieces": 4}), "solve"),
    ] {
        let mut c = Client::new(None, "utf-16");
        let uri = "untitled:new.cpz";
        c.open(uri, "");
        c.findings(uri, Some(1));
        let mut wanted = more;
        wanted["game"] = json!(game);
        run(&mut c, uri, "cpz.generatePuzzle", json!({"wanted": wanted}));
        let text = edited(&mut c, uri, "");
        assert!(text.starts_with(&format!("{game} \"{name}, no. ")), "{text}");
        assert!(text.contains(query), "{text}");
        c.change(uri, 2, json!([{"text": text}]));
        assert_eq!(c.findings(uri, Some(2)), Vec::<Value>::new(), "{text}");
        c.finish();
    }
}

#[test]
fn generate_command_refuses_what_cannot_be() {
    for (wanted, why) in [
        (
            json!({"game": "chess"}),
            "new puzzles are of ‘solitaire’, ‘draughts’ or ‘chess3d’; mates of chess are made by ‘cpz generate chess’",
        ),
        (json!({"difficulty": [9, 1]}), "the least difficulty comes first: a range such as 3 to 4.5"),
    ] {
        let mut c = Client::new(None, "utf-16");
        let uri = "untitled:new.cpz";
        c.open(uri, TEXT);
        c.findings(uri, Some(1));
        run(&mut c, uri, "cpz.generatePuzzle", json!({"wanted": wanted}));
        let said = c.claim("the refusal", |m| m["method"] == "window/showMessage");
        assert_eq!(said["params"]["message"], format!("cpz: {why}"));
        c.finish();
    }
}

#[test]
fn generate_command_adds_a_puzzle_at_the_end() {
    let mut c = Client::new(None, "utf-16");
    let uri = "untitled:new.cpz";
    c.open(uri, TEXT);
    c.findings(uri, Some(1));
    run(&mut c, uri, "cpz.generatePuzzle", json!({"wanted": {"pieces": 5, "unique": true}}));
    let text = edited(&mut c, uri, TEXT);
    assert!(
        text.starts_with(TEXT) && text[TEXT.len()..].starts_with("\nsolitaire \"Solitaire, no. "),
        "{text}"
    );
    c.change(uri, 2, json!([{"text": text}]));
    assert_eq!(c.findings(uri, Some(2)), Vec::<Value>::new());
    c.finish();
}
