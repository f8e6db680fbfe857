//! The progress of long searches.

use crate::harness::client::{Client, at};
use serde_json::{Value, json};

/// One key mates at once. No machine finds out about the other first moves within twelve.
const BOARD: &str = "board r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 1";

/// A client that shows progress, with a budget of more nodes than any search visits.
fn endless() -> Client {
    let settings = json!({"cpz": {"budget": 1_000_000_000_000_000_u64}});
    let can = json!({"window": {"workDoneProgress": true}});
    Client::start().begin(None, json!({"capabilities": can, "initializationOptions": settings}))
}

#[test]
fn long_search_of_a_command_has_progress_and_can_be_cancelled() {
    let a = "untitled:a.cpz";
    let mut c = endless();
    c.open(a, &format!("chess {{ {BOARD} mate in 1 }}\nchess {{ {BOARD} mate in 12 }}\n"));
    // A command that comes before the settings are applied is refused.
    assert_eq!(c.findings(a, Some(1)), Vec::<Value>::new());
    let mut cancelled = |command: &str| {
        let place = json!({"uri": a, "position": at(1, 10)});
        let asked = c.ask("workspace/executeCommand", json!({"command": command, "arguments": [place]}));
        let created = c.claim("a token", |m| m["method"] == "window/workDoneProgress/create");
        let token = created["params"]["token"].clone();
        let next = |c: &mut Client| {
            let said = c.claim("progress", |m| m["method"] == "$/progress");
            assert_eq!(said["params"]["token"], token);
            said["params"]["value"].clone()
        };
        let mut said = next(&mut c);
        assert_eq!((&said["kind"], &said["cancellable"]), (&json!("begin"), &json!(true)));
        let is_far = |said: &Value| {
            let text = said["message"].as_str().expect("a message");
            text.starts_with("length ") && text.contains(": first move ") && text.ends_with(", 1 found")
        };
        while !is_far(&said) {
            said = next(&mut c);
            assert_eq!(said["kind"], "report");
        }
        c.tell("window/workDoneProgress/cancel", json!({"token": token}));
        // The effect of the command.
        let is_effect =
            |m: &Value| m["method"] == "window/showMessage" || m["method"] == "workspace/applyEdit";
        let effect = c.claim("an effect", is_effect)["params"].clone();
        assert_eq!(c.answer(asked)["result"], Value::Null);
        while next(&mut c)["kind"] != "end" {}
        effect
    };
    assert_eq!(cancelled("cpz.insertAnswer")["message"], "cpz: the search was stopped");
    // What was proved before is kept.
    let edit = cancelled("cpz.insertAllAnswers")["edit"].to_string();
    assert!(edit.contains("=> Qxf7") && edit.matches("newText").count() == 1, "{edit}");
}

#[test]
fn long_searches_of_requests_have_progress_and_can_be_cancelled() {
    let a = "untitled:a.cpz";
    let mut c = endless();
    c.open(a, &format!("chess {{ {BOARD} mate in 12 }}\n"));
    assert_eq!(c.findings(a, Some(1)), Vec::<Value>::new());
    let document = json!({"uri": a});
    let repaired = json!({"command": "cpz.repair", "arguments": [{"uri": a, "position": at(0, 10)}]});
    let requests = [
        ("cpz/board", json!({"textDocument": document, "position": at(0, 10), "wait": true}), "Solving"),
        ("cpz/export", json!({"textDocument": document, "to": "json", "solve": true}), "Solving"),
        ("cpz/hint", json!({"textDocument": document, "position": at(0, 10), "grade": 1}), "Solving"),
        ("workspace/executeCommand", repaired, "Looking for repairs"),
    ];
    for (method, params, title) in requests {
        let asked = c.ask(method, params);
        let created = c.claim("a token", |m| m["method"] == "window/workDoneProgress/create");
        let token = created["params"]["token"].clone();
        let next = |c: &mut Client| {
            let said = c.claim("progress", |m| m["method"] == "$/progress");
            assert_eq!(said["params"]["token"], token, "{method}");
            said["params"]["value"].clone()
        };
        let begun = next(&mut c);
        let expected = (&json!("begin"), &json!(title), &json!(true));
        assert_eq!((&begun["kind"], &begun["title"], &begun["cancellable"]), expected, "{method}");
        c.tell("window/workDoneProgress/cancel", json!({"token": token}));
        if title != "Solving" {
            let shown = c.claim("a message", |m| m["method"] == "window/showMessage");
            assert_eq!(shown["params"]["message"], "cpz: the search was stopped");
        }
        let answer = c.answer(asked);
        assert!(answer["error"].is_null(), "{method}: {answer}");
        while next(&mut c)["kind"] != "end" {}
    }
}
