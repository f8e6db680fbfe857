//! Repairs of an unsolvable puzzle: in the menu, and by commands. Fixes in the menu.

use crate::harness::client::{Client, at, span};
use serde_json::{Value, json};

const A: &str = "untitled:a.cpz";
const SOLVABLE: &str = "solitaire { board ...N.....R....B. solve }\n";
const UNSOLVABLE: &str = "solitaire { board R....N.......... solve }\n";

fn actions_at(c: &mut Client, line: u32, character: u32, context: &Value) -> Vec<Value> {
    let place = span((line, character), (line, character));
    let params = json!({"textDocument": {"uri": A}, "range": place, "context": context});
    c.call("textDocument/codeAction", params).as_array().cloned().unwrap_or_default()
}

fn titles(actions: &[Value]) -> Vec<&str> {
    actions.iter().map(|a| a["title"].as_str().unwrap_or("")).collect()
}

/// A light bulb asks by itself at each move of the cursor: it gets a command. A user who opens the menu gets repairs.
#[test]
fn repairs_are_in_the_menu_that_the_user_opens() {
    let mut c = Client::new(None, "utf-16");
    c.open(A, UNSOLVABLE);
    let found = c.findings(A, Some(1));
    assert_eq!((found.len(), &found[0]["code"]), (1, &json!("unsolvable")));
    let by_itself = actions_at(&mut c, 0, 36, &json!({"diagnostics": found, "triggerKind": 2}));
    assert!(titles(&by_itself).contains(&"Look for repairs…"), "{by_itself:#?}");
    assert!(!titles(&by_itself).iter().any(|t| t.starts_with("Move ")), "{by_itself:#?}");
    let invoked = actions_at(&mut c, 0, 36, &json!({"diagnostics": found, "triggerKind": 1}));
    assert!(titles(&invoked).contains(&"More repairs…"), "{invoked:#?}");
    let is_repair = |a: &&Value| a["title"].as_str().is_some_and(|t| t.starts_with("Make the rook on a4 a "));
    let repair = invoked.iter().find(is_repair).expect("a repair");
    assert_eq!(repair["isPreferred"], Value::Null);
    assert_eq!(repair["kind"], "quickfix");
    assert_eq!(repair["diagnostics"][0]["code"], "unsolvable");
    let edits = &repair["edit"]["changes"][A];
    assert_eq!(edits.as_array().map(Vec::len), Some(1), "one letter changes: {repair}");
    assert_eq!(edits[0]["range"], span((0, 18), (0, 19)), "{repair}");
    c.finish();
}

/// The text in line 0 after the edits of an action.
fn after_action(text: &str, action: &Value) -> Option<String> {
    let mut edits: Vec<&Value> = action["edit"]["changes"][A].as_array()?.iter().collect();
    let place = |edit: &Value, end: &str| edit["range"][end]["character"].as_u64().expect("a place") as usize;
    edits.sort_by_key(|edit| place(edit, "start"));
    let replace = |mut text: String, edit: &&Value| {
        let new = edit["newText"].as_str().expect("a text");
        text.replace_range(place(edit, "start")..place(edit, "end"), new);
        text
    };
    Some(edits.iter().rev().fold(text.to_string(), replace))
}

#[test]
fn fixes_with_the_same_result_are_in_the_menu_once() {
    for text in [
        "chess { board 8/8/8/4k3/8/8/8/4K2R move Rh5 => leagl }",
        "chess { board 8/8/8/4k3/8/8/8/4K2R mat e }",
        "chess { board 8/8/8/4k3/8/8/8/4K2R mate => none. }",
        "solitaire { board ...N.....R....B. solve => [[c1, b2], [b2, d4] }",
        "chess { board kbK5/pp6/1P6/8/8/8/8/R7 #2 => \"1. Ra6 bxa6 3. b7#\" }",
        "chess { board kbK5/pp6/1P6/8/8/8/8/R7 #2 => \"1. Ra6 bxa6 2. b6#\" }",
    ] {
        let mut c = Client::new(None, "utf-16");
        c.open(A, text);
        let found = c.findings(A, Some(1));
        let context = json!({"diagnostics": found, "triggerKind": 1, "only": ["quickfix"]});
        let column = found[0]["range"]["start"]["character"].as_u64().expect("a finding");
        let actions = actions_at(&mut c, 0, column as u32, &context);
        let mut texts: Vec<String> = actions.iter().filter_map(|action| after_action(text, action)).collect();
        texts.sort();
        let count = texts.len();
        texts.dedup();
        assert!(count > 1 && texts.len() == count, "{text}: {:?}", titles(&actions));
        c.finish();
    }
}

/// A client that shows what a choice would do gets its edit with it.
#[test]
fn choices_have_their_edits_for_clients_that_show_them() {
    let shows = json!({"additionalPropertiesSupport": true});
    let window = json!({"showMessage": {"messageActionItem": shows}});
    let mut c = Client::start().begin(None, json!({"capabilities": {"window": window}}));
    c.polite = false;
    c.open(A, UNSOLVABLE);
    c.findings(A, Some(1));
    let place = json!({"uri": A, "version": 1, "position": at(0, 36)});
    c.call("workspace/executeCommand", json!({"command": "cpz.repair", "arguments": [place]}));
    let question = c.claim("a question", |m| m["method"] == "window/showMessageRequest");
    for choice in question["params"]["actions"].as_array().expect("choices") {
        assert_eq!(choice["edit"]["changes"][A].as_array().map(Vec::len), Some(1), "{choice}");
    }
    c.send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": null}));
    c.finish();
}

/// The choice comes as a question after the command is answered; the chosen edit is applied, and only to the text that
/// it was made for.
#[test]
fn commands_offer_repairs_and_apply_the_chosen_one() {
    for changes_meanwhile in [false, true] {
        let mut c = Client::new(None, "utf-16");
        c.polite = false;
        c.open(A, UNSOLVABLE);
        c.findings(A, Some(1));
        let place = json!({"uri": A, "version": 1, "position": at(0, 36)});
        c.call("workspace/executeCommand", json!({"command": "cpz.repair", "arguments": [place]}));
        let question = c.claim("a question", |m| m["method"] == "window/showMessageRequest");
        let choices = question["params"]["actions"].as_array().expect("choices").clone();
        assert!(choices.len() > 1, "{question}");
        if changes_meanwhile {
            c.change(A, 2, json!([{"range": span((1, 0), (1, 0)), "text": "// more\n"}]));
        }
        c.send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": choices[0]}));
        if changes_meanwhile {
            let told = c.claim("a message", |m| m["method"] == "window/showMessage");
            assert!(told["params"]["message"].as_str().unwrap().contains("has changed"), "{told}");
        } else {
            let edit = c.claim("the edit", |m| m["method"] == "workspace/applyEdit");
            assert_eq!(edit["params"]["edit"]["changes"][A].as_array().map(Vec::len), Some(1), "{edit}");
            c.send(&json!({"jsonrpc": "2.0", "id": edit["id"], "result": {"applied": true}}));
        }
        c.finish_but("textDocument/publishDiagnostics");
    }
}

#[test]
fn commands_that_find_nothing_to_change_say_so() {
    let mut c = Client::new(None, "utf-16");
    c.open(A, SOLVABLE);
    c.findings(A, Some(1));
    for (command, message) in [
        ("cpz.repair", "cpz: this puzzle is sound already"),
        ("cpz.makeUnique", "cpz: this puzzle has one solution only already"),
    ] {
        let place = json!({"uri": A, "version": 1, "position": at(0, 37)});
        c.call("workspace/executeCommand", json!({"command": command, "arguments": [place]}));
        let told = c.claim("a message", |m| m["method"] == "window/showMessage");
        assert_eq!(told["params"]["message"], message, "{told}");
    }
    c.finish();
}

/// A bracket is lost in a written solution. The solution is right with it, so the menu offers that bracket at its place.
#[test]
fn the_menu_undoes_one_slip() {
    let mut c = Client::new(None, "utf-16");
    c.open(A, "solitaire { board ...N.....R....B. solve => [[[2,0], 1,1]], [[1,1], [3,3]]] }\n");
    let found = c.findings(A, Some(1));
    assert_eq!(found.len(), 1, "{found:#?}");
    let actions = actions_at(&mut c, 0, 47, &json!({"diagnostics": found}));
    let title = "Insert ‘[’ before ‘1,1]],’ (if it is a slip)";
    let fix = actions.iter().find(|a| a["title"] == title).unwrap_or_else(|| panic!("{actions:#?}"));
    assert_eq!(fix["isPreferred"], Value::Null);
    let edits = fix["edit"]["changes"][A].as_array().expect("edits");
    assert_eq!(edits[..], [json!({"range": span((0, 53), (0, 53)), "newText": "["})], "{fix}");
    c.finish();
}
