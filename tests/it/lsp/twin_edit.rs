//! `cpz/edit` and `cpz/targets` on the boards of twins: the words of the twin change, and nothing else.

use crate::harness::client::{Client, at};
use crate::harness::{Case, blessing, cases, selected};
use cpz::diagnostic::LineIndex;
use serde_json::{Value, json};

const A: &str = "untitled:a.cpz";
const CASES: &str = "tests/fixtures/ide/twins.txt";

/// The text after the edits of an answer.
fn edited(text: &str, edits: &Value) -> String {
    let index = LineIndex::new(text);
    let offset = |place: &Value| {
        let number = |name: &str| place[name].as_u64().unwrap_or(0) as usize;
        let start = index.span(number("line") as u32).start as usize;
        start + text[start..].chars().take(number("character")).map(char::len_utf8).sum::<usize>()
    };
    let mut text = text.to_string();
    for edit in edits.as_array().into_iter().flatten().rev() {
        let range = offset(&edit["range"]["start"])..offset(&edit["range"]["end"]);
        text.replace_range(range, edit["newText"].as_str().expect("a text"));
    }
    text
}

/// Each case is `=== GESTURE`, the text with its cursor, what is said of the edit, and the text after it. With `CPZ_BLESS` set,
/// what comes of it is written down in place of being compared.
#[test]
fn gestures_on_twins() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(CASES);
    let text = std::fs::read_to_string(&path).expect("the cases").replace("\r\n", "\n");
    let mut c = Client::new(None, "utf-16");
    c.open(A, "");
    let (mut found, mut wrong, mut version) = (String::new(), Vec::new(), 1);
    for Case { whole: case, title: gesture, text: before } in cases(&text) {
        let cursor = before.find("$0").expect("a cursor");
        let text = before.replacen("$0", "", 1) + "\n";
        version += 1;
        c.change(A, version, json!([{"text": text}]));
        let (line, column) =
            (before[..cursor].matches('\n').count(), before[..cursor].rfind('\n').map_or(0, |n| n + 1));
        let result = c.call(
            "cpz/edit",
            json!({
                "textDocument": {"uri": A, "version": version},
                "position": at(line as u32, (cursor - column) as u32),
                "gesture": serde_json::from_str::<Value>(gesture).expect("a gesture"),
            }),
        );
        let said = match result["refused"].as_str() {
            Some(why) => format!("refused: {why}\n"),
            None => {
                let words = [&result["words"], &result["verdict"]].map(|v| v.as_str().unwrap_or_default());
                let words =
                    words.into_iter().filter(|words| !words.is_empty()).collect::<Vec<_>>().join(" | ");
                format!("{words}\n{}", edited(&text, &result["edits"]))
            }
        };
        let shown = format!("=== {gesture}\n{before}\n--- {said}\n");
        if selected(gesture) && format!("=== {case}") != shown {
            wrong.push(shown.clone());
        }
        found.push_str(&shown);
    }
    c.settle(A);
    c.finish_but("textDocument/publishDiagnostics");
    if blessing() && std::env::var_os("CPZ_CASE").is_none() {
        std::fs::write(&path, &found).expect("the cases are written");
        return;
    }
    assert!(wrong.is_empty(), "these cases come out so:\n{}", wrong.join("\n"));
}

#[test]
fn targets_are_those_of_the_position_of_the_twin() {
    let mut c = Client::new(None, "utf-16");
    let text = "chess {\n  board 8/8/5n2/1N1Rrk2/8/3KB3/8/8\n  helpmate in 2\n  twin b: e3 to f2, f5 to h8\n  twin c: e4 to e5\n}\n";
    c.open(A, text);
    let targets = |c: &mut Client, line: u32, square: &str| {
        let place = json!({"textDocument": {"uri": A}, "position": at(line, 3), "square": square});
        c.call("cpz/targets", place)
    };
    // The king stands on h8 in the twin, where it is Black's move, and on f5 in the diagram.
    assert_eq!(targets(&mut c, 3, "h8")["targets"], json!(["g7", "g8", "h7"]));
    assert_eq!(targets(&mut c, 3, "f5")["targets"], json!([]));
    let refused = targets(&mut c, 4, "f5")["refused"].clone();
    assert_eq!(refused, "correct twin c first: nothing stands on e4");
    c.settle(A);
    c.finish_but("textDocument/publishDiagnostics");
}

#[test]
fn the_board_of_a_twin_is_shown_edited_and_copied() {
    let mut c = Client::new(None, "utf-16");
    let text = "chess {\n  board 8/8/5n2/1N1Rrk2/8/3KB3/8/8\n  helpmate in 2\n  twin b: e3 to f2\n  twin c: mirror a1 h1, d3 to c2\n}\n";
    c.open(A, text);
    let ask = |c: &mut Client, method: &str, line: u32, more: Value| {
        let mut params = json!({"textDocument": {"uri": A}, "position": at(line, 3), "wait": true});
        params.as_object_mut().expect("an object").extend(more.as_object().cloned().unwrap_or_default());
        c.call(method, params)
    };
    let diagram = ask(&mut c, "cpz/board", 2, json!({"mode": "edit"}));
    assert_eq!(diagram["touch"]["castling"], "-");
    let twin = ask(&mut c, "cpz/board", 3, json!({"mode": "edit"}));
    let touch = &twin["touch"];
    assert_eq!(
        (&touch["side"], &touch["castling"], &touch["refused"]),
        (&json!("black"), &Value::Null, &Value::Null)
    );
    assert_eq!(touch["verdict"], "twin b: 1. Rxd5+ Nd4+ 2. Ke5 Bg3#");
    assert!(twin["words"].as_str().is_some_and(|w| w.contains("bishop on f2")), "{twin}");
    assert_eq!(twin["fen"], "8/8/5n2/1N1Rrk2/8/3K4/5B2/8 b - - 0 1");
    let square =
        |c: &mut Client, line: u32, square: &str| ask(c, "cpz/square", line, json!({"square": square}));
    // A square of twin b: in its words, or on the board; of twin c, in the words.
    assert_eq!(square(&mut c, 3, "f2"), json!({"start": at(3, 16), "end": at(3, 18)}));
    assert_eq!(square(&mut c, 3, "e3"), json!({"start": at(3, 10), "end": at(3, 12)}));
    assert_eq!(square(&mut c, 3, "d3")["start"], at(1, 27));
    assert_eq!(square(&mut c, 4, "c2"), json!({"start": at(4, 30), "end": at(4, 32)}));
    assert_eq!(square(&mut c, 4, "g5"), json!({"start": at(4, 10), "end": at(4, 22)}));
    c.settle(A);
    c.finish_but("textDocument/publishDiagnostics");
}
