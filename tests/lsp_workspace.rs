//! The server and the workspace: configuration, settings, findings that are asked for, progress.

mod common;
mod lsp_client;

use std::fs;
use std::path::Path;

use common::folder;
use lsp_client::{Client, at, span, uri};
use serde_json::{Value, json};

const DOWN: &str = "solitaire { board ...P ..N. .... .... solve }\n";
const BAD: &str = "solitaire { board R....N.......... solve }\n";

fn codes(findings: &[Value]) -> Vec<&str> {
    findings.iter().map(|f| f["code"].as_str().unwrap_or("")).collect()
}

fn path_uri(folder: &Path, name: &str) -> String {
    uri(&folder.join(name))
}

fn saved(c: &mut Client, uri: &str) {
    c.tell("textDocument/didSave", json!({"textDocument": {"uri": uri}}));
}

fn touched(c: &mut Client, uri: &str) {
    c.tell("workspace/didChangeWatchedFiles", json!({"changes": [{"uri": uri, "type": 2}]}));
}

/// A client that asks for findings.
fn puller(folder: &Path) -> Client {
    let capabilities =
        json!({"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": true}}});
    let client = Client::start().begin(Some(folder), json!({"capabilities": capabilities}));
    assert_eq!(client.capabilities["diagnosticProvider"]["workspaceDiagnostics"], true);
    client
}

#[test]
fn cpz_toml_holds_at_once_and_the_last_good_one_stays() {
    let w = folder(&[("a.cpz", DOWN), ("cpz.toml", "rules = 'solo'\n")]);
    let (a, toml) = (path_uri(w.path(), "a.cpz"), path_uri(w.path(), "cpz.toml"));
    let mut c = Client::new(Some(w.path()), "utf-16");
    assert_eq!(codes(&c.findings(&a, None)), ["unsolvable"]);
    c.open(&a, DOWN);
    assert_eq!(codes(&c.findings(&a, Some(1))), ["unsolvable"]);
    // Broken: a finding in it, and what it said before still holds.
    fs::write(w.path().join("cpz.toml"), "rules = 'sole'\n").expect("written");
    touched(&mut c, &toml);
    let found = c.findings(&toml, None);
    assert_eq!((codes(&found), &found[0]["range"]), (vec!["syntax"], &span((0, 8), (0, 14))));
    c.change(&a, 2, json!([{"range": span((0, 0), (0, 0)), "text": " "}]));
    assert_eq!(codes(&c.findings(&a, Some(2))), ["unsolvable"]);
    // Mended: the finding goes, and the new settings count.
    fs::write(w.path().join("cpz.toml"), "rules = 'default'\n[severity]\nsyntax = 'warning'\n")
        .expect("written");
    saved(&mut c, &a);
    assert_eq!(c.findings(&toml, None), Vec::<Value>::new());
    assert_eq!(c.findings(&a, Some(2)), Vec::<Value>::new());
    c.change(&a, 3, json!([{"text": "}"}]));
    assert_eq!(c.findings(&a, Some(3))[0]["severity"], 2);
    // Left out: nothing is said of it any more, open or not.
    fs::write(w.path().join("cpz.toml"), "exclude = ['a.cpz']\n").expect("written");
    touched(&mut c, &toml);
    assert_eq!(c.findings(&a, Some(3)), Vec::<Value>::new());
    fs::remove_file(w.path().join("cpz.toml")).expect("removed");
    touched(&mut c, &toml);
    assert_eq!(codes(&c.findings(&a, Some(3))), ["syntax"]);
    c.finish();
}

#[test]
fn an_open_cpz_toml_is_checked_while_typing() {
    let w = folder(&[("cpz.toml", "")]);
    let toml = path_uri(w.path(), "cpz.toml");
    let mut c = Client::new(Some(w.path()), "utf-16");
    c.open(&toml, "budget = 5\n");
    assert_eq!(c.findings(&toml, Some(1)), Vec::<Value>::new());
    c.change(&toml, 2, json!([{"range": span((0, 9), (0, 10)), "text": "'é😀' # 😀"}]));
    let found = c.findings(&toml, Some(2));
    assert_eq!(found[0]["range"], span((0, 9), (0, 14)));
    let hover = c.call("textDocument/hover", json!({"textDocument": {"uri": toml}, "position": at(0, 0)}));
    assert_eq!(hover, Value::Null, "it is no collection");
    c.finish();
}

#[test]
fn settings_of_the_client_lie_on_top() {
    let w = folder(&[("a.cpz", DOWN), ("cpz.toml", "rules = 'solo'\n")]);
    let a = path_uri(w.path(), "a.cpz");
    let mut c = Client::new(Some(w.path()), "utf-16");
    assert_eq!(codes(&c.findings(&a, None)), ["unsolvable"]);
    let settings = |s: Value| json!({"settings": {"cpz": s}});
    c.tell("workspace/didChangeConfiguration", settings(json!({"rules": "default"})));
    assert_eq!(c.findings(&a, None), Vec::<Value>::new());
    let off = json!({"severity": {"unsolvable": "hint"}});
    c.tell("workspace/didChangeConfiguration", settings(off));
    assert_eq!(c.findings(&a, None)[0]["severity"], 4);
    c.tell("workspace/didChangeConfiguration", settings(json!({"exclude": ["*.cpz"]})));
    assert_eq!(c.findings(&a, None), Vec::<Value>::new());
    // What is wrong is told, and what is right counts.
    c.tell("workspace/didChangeConfiguration", settings(json!({"ruls": "solo", "budget": 5})));
    let told = c.claim("a warning", |m| m["method"] == "window/showMessage");
    assert!(told["params"]["message"].as_str().unwrap().contains("did you mean `rules`?"), "{told}");
    assert_eq!(codes(&c.findings(&a, None)), ["unsolvable"]);
    c.finish();
}

#[test]
fn settings_are_asked_for_where_the_client_can_answer_and_files_are_watched() {
    let w = folder(&[("a.cpz", DOWN)]);
    let a = path_uri(w.path(), "a.cpz");
    let can = json!({"workspace": {"configuration": true, "didChangeWatchedFiles": {"dynamicRegistration": true},
        "didChangeConfiguration": {"dynamicRegistration": true}}});
    let mut c = Client::start();
    c.polite = false;
    let mut c = c.begin(Some(w.path()), json!({"capabilities": can}));
    let registered = c.claim("registration", |m| m["method"] == "client/registerCapability");
    let methods: Vec<&str> = registered["params"]["registrations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| r["method"].as_str().unwrap())
        .collect();
    assert_eq!(methods, ["workspace/didChangeWatchedFiles", "workspace/didChangeConfiguration"]);
    c.send(&json!({"jsonrpc": "2.0", "id": registered["id"], "result": null}));
    let asked = c.claim("a question", |m| m["method"] == "workspace/configuration");
    assert_eq!(asked["params"]["items"], json!([{"section": "cpz"}]));
    c.send(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": [{"rules": "solo"}]}));
    assert_eq!(codes(&c.findings(&a, None)), ["unsolvable"]);
    c.tell("workspace/didChangeConfiguration", json!({"settings": null}));
    let asked = c.claim("a question", |m| m["method"] == "workspace/configuration");
    c.send(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": [null]}));
    c.finish();
}

#[test]
fn findings_wait_for_a_save_where_that_is_wanted() {
    let w = folder(&[("a.cpz", DOWN)]);
    let a = path_uri(w.path(), "a.cpz");
    let options = json!({"initializationOptions": {"validate": {"run": "onSave"}}});
    let mut c = Client::start().begin(Some(w.path()), options);
    c.open(&a, BAD);
    assert_eq!(codes(&c.findings(&a, Some(1))), ["unsolvable"]);
    c.change(&a, 2, json!([{"text": DOWN}]));
    c.change(&a, 3, json!([{"text": "solv"}]));
    // What is asked is answered from the text as it is.
    let tokens = c.call("textDocument/semanticTokens/full", json!({"textDocument": {"uri": a}}));
    assert_eq!(tokens["data"], json!([]));
    assert_eq!(c.settle(&a), None, "nothing is said before it is saved");
    saved(&mut c, &a);
    assert_eq!(codes(&c.findings(&a, Some(3))), ["syntax"]);
    c.finish();
}

#[test]
fn what_is_asked_for_is_not_pushed() {
    let w = folder(&[("a.cpz", DOWN), ("b.cpz", BAD), ("c.cpz", "")]);
    let [a, b, d] = ["a.cpz", "b.cpz", "d.cpz"].map(|n| path_uri(w.path(), n));
    let mut c = puller(w.path());
    // Nobody has asked for the workspace yet, so what is not open is pushed.
    assert_eq!(codes(&c.findings(&b, None)), ["unsolvable"]);
    c.open(&a, "solitaire { board B..N............ solve }\n");
    let pull = |c: &mut Client, uri: &str, since: Option<&str>| {
        let params = json!({"textDocument": {"uri": uri}, "previousResultId": since});
        c.call("textDocument/diagnostic", params)
    };
    let report = pull(&mut c, &a, None);
    assert_eq!(
        (report["kind"].as_str(), report["items"][0]["code"].as_str()),
        (Some("full"), Some("unsolvable"))
    );
    let id = report["resultId"].as_str().unwrap().to_string();
    let same = pull(&mut c, &a, Some(&id));
    assert_eq!(same, json!({"kind": "unchanged", "resultId": id}));
    c.change(&a, 2, json!([{"text": DOWN}]));
    assert_eq!(pull(&mut c, &a, Some(&id))["items"], json!([]), "the text as the last edit left it");
    // Now the workspace is asked for: what was pushed goes.
    let all = c.call("workspace/diagnostic", json!({"previousResultIds": []}));
    assert_eq!(c.findings(&b, None), Vec::<Value>::new());
    let known: Vec<Value> = all["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|i| json!({"uri": i["uri"], "value": i["resultId"]}))
        .collect();
    let of =
        |all: &Value, uri: &str| all["items"].as_array().unwrap().iter().find(|i| i["uri"] == uri).cloned();
    assert_eq!(of(&all, &b).unwrap()["items"][0]["code"], "unsolvable");
    assert_eq!(of(&all, &a).unwrap()["version"], 2);
    // With nothing new it waits; a new file is an answer, and so is one that is gone.
    let id = c.ask("workspace/diagnostic", json!({"previousResultIds": known}));
    fs::write(w.path().join("d.cpz"), "solitaire { board N.B............. solve }\n").expect("written");
    touched(&mut c, &d);
    let news = c.answer(id)["result"].clone();
    assert_eq!(of(&news, &d).unwrap()["items"][0]["code"], "unsolvable");
    let mut known = known;
    known.push(json!({"uri": d, "value": of(&news, &d).unwrap()["resultId"]}));
    fs::remove_file(w.path().join("d.cpz")).expect("removed");
    touched(&mut c, &d);
    let news = c.call("workspace/diagnostic", json!({"previousResultIds": known}));
    assert_eq!(of(&news, &d).unwrap()["items"], json!([]));
    // A waiting one is answered in the end.
    known.pop();
    let id = c.ask("workspace/diagnostic", json!({"previousResultIds": known}));
    c.call("shutdown", Value::Null);
    assert_eq!(c.answer(id)["result"]["items"], json!([]));
}

#[test]
fn a_change_elsewhere_has_the_client_ask_again() {
    let w = folder(&[("a.cpz", DOWN), ("b.cpz", "")]);
    let [a, b] = ["a.cpz", "b.cpz"].map(|n| path_uri(w.path(), n));
    let mut c = puller(w.path());
    c.open(&a, DOWN);
    c.open(&b, "");
    let pull = |c: &mut Client| c.call("textDocument/diagnostic", json!({"textDocument": {"uri": a}}));
    assert_eq!(pull(&mut c)["items"], json!([]));
    c.change(&b, 2, json!([{"text": DOWN}]));
    c.claim("a refresh", |m| m["method"] == "workspace/diagnostic/refresh");
    assert_eq!(pull(&mut c)["items"][0]["code"], "duplicate-puzzle");
    c.forget("workspace/diagnostic/refresh");
    c.finish();
}

#[test]
fn a_save_shows_how_far_it_is_and_can_be_cancelled() {
    let names: Vec<String> = (0..300).map(|i| format!("f{i:03}.cpz")).collect();
    let mut files: Vec<(&str, &str)> = names.iter().map(|n| (n.as_str(), "")).collect();
    files.push(("a.cpz", ""));
    let w = folder(&files);
    let a = path_uri(w.path(), "a.cpz");
    let can = json!({"window": {"workDoneProgress": true}});
    let mut c = Client::start().begin(Some(w.path()), json!({"capabilities": can}));
    c.open(&a, "");
    c.findings(&a, Some(1));
    saved(&mut c, &a);
    let created = c.claim("a token", |m| m["method"] == "window/workDoneProgress/create");
    let token = created["params"]["token"].clone();
    let mut kinds = Vec::new();
    while kinds.last().is_none_or(|k| k != "end") {
        let said = c.claim("progress", |m| m["method"] == "$/progress");
        assert_eq!(said["params"]["token"], token);
        kinds.push(said["params"]["value"]["kind"].as_str().unwrap().to_string());
        if kinds.len() == 1 {
            assert_eq!(said["params"]["value"]["cancellable"], true);
            c.tell("window/workDoneProgress/cancel", json!({"token": token}));
        }
    }
    assert_eq!(kinds[0], "begin");
    // What was cancelled is done with the next save.
    fs::write(w.path().join("f200.cpz"), BAD).expect("written");
    saved(&mut c, &a);
    assert_eq!(codes(&c.findings(&path_uri(w.path(), "f200.cpz"), None)), ["unsolvable"]);
    c.forget("window/workDoneProgress/create");
    c.settle(&a);
    c.forget("$/progress");
    c.forget("window/workDoneProgress/create");
}

#[test]
fn folders_come_and_go_and_files_are_renamed() {
    let (v, w) = (folder(&[("a.cpz", BAD)]), folder(&[("b.cpz", BAD)]));
    let (a, b) = (path_uri(v.path(), "a.cpz"), path_uri(w.path(), "b.cpz"));
    let mut c = Client::new(Some(v.path()), "utf-16");
    assert_eq!(codes(&c.findings(&a, None)), ["unsolvable"]);
    let event = |added: Value, removed: Value| json!({"event": {"added": added, "removed": removed}});
    let second = json!([{"uri": uri(w.path()), "name": "w"}]);
    c.tell("workspace/didChangeWorkspaceFolders", event(second.clone(), json!([])));
    let both = ["duplicate-puzzle", "unsolvable"];
    assert_eq!(codes(&c.findings(&b, None)), both);
    assert_eq!(codes(&c.findings(&a, None)), both);
    c.tell("workspace/didChangeWorkspaceFolders", event(json!([]), second));
    assert_eq!(c.findings(&b, None), Vec::<Value>::new());
    assert_eq!(codes(&c.findings(&a, None)), ["unsolvable"]);
    let moved = path_uri(v.path(), "moved.cpz");
    fs::rename(v.path().join("a.cpz"), v.path().join("moved.cpz")).expect("renamed");
    c.tell("workspace/didRenameFiles", json!({"files": [{"oldUri": a, "newUri": moved}]}));
    assert_eq!(c.findings(&a, None), Vec::<Value>::new());
    assert_eq!(codes(&c.findings(&moved, None)), ["unsolvable"]);
    fs::remove_file(v.path().join("moved.cpz")).expect("removed");
    c.tell("workspace/didDeleteFiles", json!({"files": [{"uri": moved}]}));
    assert_eq!(c.findings(&moved, None), Vec::<Value>::new());
    c.finish();
}
