//! `cpz/edit` and `cpz/targets`: edits for one version of a text, refused for another.

use crate::harness::client::{Client, at, span};
use serde_json::{Value, json};

const A: &str = "untitled:a.cpz";

fn ask(c: &mut Client, version: i64, gesture: Value) -> Value {
    let document = json!({"uri": A, "version": version});
    c.call("cpz/edit", json!({"textDocument": document, "position": at(0, 25), "gesture": gesture}))
}

/// The new texts of the edits.
fn texts(result: &Value) -> Vec<&str> {
    result["edits"].as_array().into_iter().flatten().filter_map(|e| e["newText"].as_str()).collect()
}

#[test]
fn each_gesture_is_edited_in_the_form_of_the_board() {
    let mut c = Client::new(None, "utf-16");
    c.open(A, "/*😀*/ chess { board 8/8/8/4k3/8/8/8/4K2R w K - 0 1 mate }\n");
    let edited = |c: &mut Client, gesture| {
        let result = ask(c, 1, gesture);
        assert_eq!((&result["version"], &result["refused"]), (&json!(1), &Value::Null), "{result}");
        (texts(&result).join("|"), result["words"].as_str().unwrap_or("").to_string())
    };
    let cases = [
        (json!({"kind": "put", "square": "a1", "piece": "Q"}), "Q3K2R", "white queen on a1"),
        (json!({"kind": "remove", "square": "h1"}), "4K3", "h1 is empty"),
        (json!({"kind": "move", "from": "h1", "to": "e5"}), "4R3|4K3", "white rook from h1 to e5"),
        (json!({"kind": "clear"}), "8|8", "the board is empty"),
        (json!({"kind": "side", "side": "black"}), "b", "black to move"),
        (json!({"kind": "castling", "rights": "-"}), "-", "castling rights: -"),
        (json!({"kind": "put", "square": "h1", "piece": "R"}), "", "white rook on h1"),
    ];
    for (gesture, expected, words) in cases {
        assert_eq!(edited(&mut c, gesture), (expected.to_string(), words.to_string()));
    }
    for (gesture, why) in [
        (json!({"kind": "put", "square": "i9", "piece": "Q"}), "there is no square i9"),
        (json!({"kind": "put", "square": "a1", "piece": "X"}), "X is no piece of chess"),
        (json!({"kind": "size", "columns": 5, "rows": 5}), "a chess board is 8×8"),
        (json!({"kind": "move", "from": "a1", "to": "a2"}), "nothing stands on a1"),
    ] {
        let result = ask(&mut c, 1, gesture);
        assert_eq!(texts(&result), [""; 0]);
        assert!(result["refused"].as_str().is_some_and(|said| said.starts_with(why)), "{result}");
    }
    c.settle(A);
    c.finish_but("textDocument/publishDiagnostics");
}

#[test]
fn an_edit_of_an_older_version_is_refused() {
    let mut c = Client::new(None, "utf-16");
    c.open(A, "solitaire { board ...N.....R....B. solve }\n");
    c.change(A, 2, json!([{"range": span((0, 0), (0, 0)), "text": " "}]));
    let gesture = json!({"kind": "remove", "square": "b2"});
    let document = json!({"uri": A, "version": 1});
    let params = json!({"textDocument": document, "position": at(0, 3), "gesture": gesture});
    let id = c.ask("cpz/edit", params);
    let error = c.claim("the error", |m| m["id"] == id)["error"].clone();
    assert_eq!((&error["code"], &error["message"]), (&json!(-32801), &json!("the text has changed since")));
    let result = ask(&mut c, 2, gesture);
    assert_eq!(result["edits"], json!([{"range": span((0, 28), (0, 29)), "newText": "."}]));
    c.settle(A);
    c.finish_but("textDocument/publishDiagnostics");
}

#[test]
fn moves_are_recorded_with_their_verdict() {
    let mut c = Client::new(None, "utf-16");
    c.open(A, "solitaire { board .....B..RP.....N solve }\n");
    let place = json!({"textDocument": {"uri": A}, "position": at(0, 3), "square": "d1"});
    assert_eq!(c.call("cpz/targets", place)["targets"], json!(["b2"]));
    let result = ask(&mut c, 1, json!({"kind": "record", "from": "d1", "to": "b2"}));
    assert_eq!(texts(&result), [" => d1xb2"]);
    assert_eq!(result["verdict"], "keeps it solvable");
    let illegal = ask(&mut c, 1, json!({"kind": "record", "from": "d1", "to": "a2"}));
    assert_eq!(texts(&illegal), [""; 0]);
    assert!(illegal["refused"].as_str().is_some_and(|why| why.contains("cannot capture on a2")), "{illegal}");
    let whole = json!([{"text": "chess { board 7k/4P3/5K2/8/8/8/8/8 mate in 3 }\n"}]);
    c.change(A, 2, whole);
    let asked = ask(&mut c, 2, json!({"kind": "record", "from": "e7", "to": "e8"}));
    assert_eq!(asked["choices"][0], json!({"id": "Q", "label": "queen"}));
    let played = ask(&mut c, 2, json!({"kind": "record", "from": "e7", "to": "e8", "choice": "Q"}));
    assert_eq!(texts(&played), [" => e8=Q+"]);
    assert_eq!(played["verdict"], "keeps the mate in 3");
    let fails = ask(&mut c, 2, json!({"kind": "record", "from": "f6", "to": "f7"}));
    assert_eq!(fails["refused"], "1.Kf7 does not force mate in 3: 1...Kh7");
    assert_eq!(fails["choices"], json!([{"id": "?", "label": "Write the try 1.Kf7? Kh7!"}]));
    let a_try = ask(&mut c, 2, json!({"kind": "record", "from": "f6", "to": "f7", "choice": "?"}));
    assert_eq!(texts(&a_try), [" => \"1. Kf7? Kh7!\""]);
    c.change(A, 3, json!([{"text": "chess { board 7k/4P3/5K2/8/8/8/8/8 mate in 3 => e8=Q+ }\n"}]));
    let params = json!({"textDocument": {"uri": A}, "position": at(0, 3), "mode": "record", "wait": true});
    let touch = c.call("cpz/board", params)["touch"].clone();
    assert_eq!(touch["left"], json!([{"label": "1...Kh7", "from": "h8", "to": "h7", "choice": null}]));
    let due = "1 move written. Black replies to 1.e8=Q+; one defence is left: Kh7";
    assert_eq!(touch["verdict"], due);
    c.settle(A);
    c.finish_but("textDocument/publishDiagnostics");
}

#[test]
fn board_in_edit_mode_has_palette_and_verdict() {
    let mut c = Client::new(None, "utf-16");
    c.open(A, "solitaire { board .....B..RP.....N solve => d1xb2 a2xb2 b2xb3 }\n");
    let board = |c: &mut Client, mode: &str| {
        let params = json!({"textDocument": {"uri": A}, "position": at(0, 45), "mode": mode, "wait": true});
        c.call("cpz/board", params)
    };
    let edit = board(&mut c, "edit");
    let touch = &edit["touch"];
    assert_eq!((&touch["verdict"], &touch["good"]), (&json!("One solution"), &json!(true)));
    assert_eq!(touch["palette"].as_array().map(Vec::len), Some(6));
    assert_eq!((&touch["side"], &touch["columns"], &touch["greatest"]), (&Value::Null, &json!(4), &json!(8)));
    assert_eq!((&edit["frames"], &edit["step"]), (&json!(1), &Value::Null));
    let record = board(&mut c, "record");
    assert_eq!(record["touch"]["verdict"], "3 moves written; the last one: solved");
    assert!(record["words"].as_str().is_some_and(|w| w.contains("on b3")), "{record}");
    c.change(A, 2, json!([{"range": span((0, 27), (0, 28)), "text": "."}]));
    let refused = board(&mut c, "record")["touch"]["refused"].clone();
    assert!(refused.as_str().is_some_and(|why| why.starts_with("step 1 fails")), "{refused}");
    c.settle(A);
    c.finish_but("textDocument/publishDiagnostics");
}

#[test]
fn the_command_edits_the_square_at_the_cursor() {
    let mut c = Client::new(None, "utf-16");
    c.open(A, "solitaire { board .....B..RP.....N solve }\n");
    let place =
        json!({"uri": A, "version": 1, "position": at(0, 23), "gesture": {"kind": "move", "to": "a1"}});
    let id = c.ask("workspace/executeCommand", json!({"command": "cpz.editBoard", "arguments": [place]}));
    let edit = c.claim("the edit", |m| m["method"] == "workspace/applyEdit");
    let edits = &edit["params"]["edit"]["changes"][A];
    assert_eq!(edits.as_array().map(Vec::len), Some(2), "{edit}");
    c.send(&json!({"jsonrpc": "2.0", "id": edit["id"], "result": {"applied": true}}));
    c.answer(id);
    c.settle(A);
    c.finish_but("textDocument/publishDiagnostics");
}
