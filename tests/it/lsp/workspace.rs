//! What needs files or threads: the workspace, configuration, settings, pull diagnostics, progress.

mod search_progress;

use std::fs;
use std::path::Path;

use crate::harness::client::{Client, at, span, uri};
use crate::harness::folder;
use cpz::analysis::Defaults;
use cpz::diagnostic::LineIndex;
use cpz::ide;
use cpz::syntax::{Puzzle, parse};
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

/// A client with pull diagnostics.
fn puller(folder: &Path) -> Client {
    let capabilities =
        json!({"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": true}}});
    let client = Client::start().begin(Some(folder), json!({"capabilities": capabilities}));
    assert_eq!(client.capabilities["diagnosticProvider"]["workspaceDiagnostics"], true);
    client
}

#[test]
fn config_applies_at_once_and_the_last_valid_one_stays() {
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
    assert_eq!((codes(&found), &found[0]["range"]), (vec!["invalid-value"], &span((0, 8), (0, 14))));
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
    // Excluded: no diagnostics, whether open or not.
    fs::write(w.path().join("cpz.toml"), "exclude = ['a.cpz']\n").expect("written");
    touched(&mut c, &toml);
    assert_eq!(c.findings(&a, Some(3)), Vec::<Value>::new());
    fs::remove_file(w.path().join("cpz.toml")).expect("removed");
    touched(&mut c, &toml);
    assert_eq!(codes(&c.findings(&a, Some(3))), ["syntax"]);
    c.finish();
}

#[test]
fn open_config_is_checked_while_typing() {
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
fn client_settings_override_the_config() {
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
    // Wrong settings are reported, the right ones apply.
    c.tell("workspace/didChangeConfiguration", settings(json!({"ruls": "solo", "budget": 5})));
    let notice = c.claim("a warning", |m| m["method"] == "window/showMessage");
    assert!(notice["params"]["message"].as_str().unwrap().contains("did you mean `rules`?"), "{notice}");
    assert_eq!(codes(&c.findings(&a, None)), ["unsolvable"]);
    c.finish();
}

#[test]
fn settings_are_requested_and_files_are_watched_if_supported() {
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
    assert_eq!(
        codes(&c.findings(&a, None)),
        Vec::<&str>::new(),
        "the section is gone, and so are its settings"
    );
    c.finish();
}

#[test]
fn answers_with_settings_apply_in_the_order_of_their_requests() {
    let w = folder(&[("a.cpz", DOWN)]);
    let a = path_uri(w.path(), "a.cpz");
    let mut c = Client::start();
    c.polite = false;
    let mut c = c.begin(Some(w.path()), json!({"capabilities": {"workspace": {"configuration": true}}}));
    let mut asked = Vec::new();
    asked.push(c.claim("a question", |m| m["method"] == "workspace/configuration"));
    for _ in 0..2 {
        c.tell("workspace/didChangeConfiguration", json!({"settings": null}));
        asked.push(c.claim("a question", |m| m["method"] == "workspace/configuration"));
    }
    let mut answer = |question: &Value, rules: &str| {
        c.send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": [{"rules": rules}]}));
    };
    // The last one first.
    answer(&asked[2], "solo");
    answer(&asked[0], "default");
    answer(&asked[1], "default");
    assert_eq!(codes(&c.findings(&a, None)), ["unsolvable"]);
    assert_eq!(c.settle(&a), None, "the late answers change nothing");
    c.finish();
}

#[test]
fn check_on_save_delays_diagnostics() {
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
fn pull_mode_does_not_push() {
    let w = folder(&[("a.cpz", DOWN), ("b.cpz", BAD), ("c.cpz", "")]);
    let [a, b, d] = ["a.cpz", "b.cpz", "d.cpz"].map(|n| path_uri(w.path(), n));
    let mut c = puller(w.path());
    // The client has not pulled the workspace yet, so the server pushes the findings of closed files.
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
    // The client pulls the workspace: the pushed diagnostics are cleared.
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
    // Without changes the request stays pending; a new file answers it, and so does a deleted one.
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
    // Shutdown answers the pending request.
    known.pop();
    let id = c.ask("workspace/diagnostic", json!({"previousResultIds": known}));
    c.call("shutdown", Value::Null);
    assert_eq!(c.answer(id)["result"]["items"], json!([]));
}

#[test]
fn client_that_never_said_that_it_pulls_is_answered() {
    let w = folder(&[("a.cpz", BAD)]);
    let a = path_uri(w.path(), "a.cpz");
    let mut c = Client::new(Some(w.path()), "utf-16");
    c.open(&a, BAD);
    let pushed = c.findings(&a, Some(1));
    assert_eq!(codes(&pushed), ["unsolvable"]);
    let all = c.call("workspace/diagnostic", json!({"previousResultIds": []}));
    assert_eq!(all, json!({"items": []}), "at once, since everything is pushed");
    let first = c.call("textDocument/diagnostic", json!({"textDocument": {"uri": a}}));
    let again = json!({"textDocument": {"uri": a}, "previousResultId": first["resultId"]});
    for report in [&first, &c.call("textDocument/diagnostic", again)] {
        assert_eq!((&report["kind"], &report["items"]), (&json!("full"), &json!(pushed)));
    }
    c.finish();
}

#[test]
fn pull_keeps_client_uri() {
    let w = folder(&[("a@b.cpz", BAD)]);
    let theirs = path_uri(w.path(), "a@b.cpz");
    let mut c = puller(w.path());
    let all = c.call("workspace/diagnostic", json!({"previousResultIds": []}));
    let known = json!([{"uri": theirs, "value": all["items"][0]["resultId"]}]);
    let id = c.ask("workspace/diagnostic", json!({"previousResultIds": known}));
    // The request stays pending; the reports use the client's spelling of the URI.
    fs::write(w.path().join("a@b.cpz"), "").expect("written");
    touched(&mut c, &theirs);
    let news = c.answer(id)["result"]["items"].clone();
    assert_eq!((&news[0]["uri"], &news[0]["items"]), (&json!(theirs), &json!([])), "{news}");
    c.finish();
}

#[test]
fn change_in_another_file_refreshes_pull_diagnostics() {
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
    c.finish_but("workspace/diagnostic/refresh");
}

#[test]
fn check_on_save_has_progress_and_can_be_cancelled() {
    let w = folder(&[("a.cpz", "")]);
    let a = path_uri(w.path(), "a.cpz");
    let can = json!({"window": {"workDoneProgress": true}});
    let mut c = Client::start().begin(Some(w.path()), json!({"capabilities": can}));
    c.open(&a, "");
    c.findings(&a, Some(1));
    // Seconds of work, each a little other than the last.
    for file in 0..60 {
        let board = |i: u32| (0..16).map(|b| if (file * 20 + i) >> b & 1 == 1 { 'Q' } else { 'R' }).collect();
        let text: Vec<String> =
            (0..20).map(board).map(|b: String| format!("solitaire {{ board {b} count }}\n")).collect();
        fs::write(w.path().join(format!("f{file:02}.cpz")), text.concat() + BAD).expect("written");
    }
    let last = path_uri(w.path(), "f59.cpz");
    let save = |c: &mut Client, cancel: bool| {
        saved(c, &a);
        let created = c.claim("a token", |m| m["method"] == "window/workDoneProgress/create");
        let token = created["params"]["token"].clone();
        let mut steps: Vec<Value> = Vec::new();
        while steps.last().is_none_or(|s| s["kind"] != "end") {
            let said = c.claim("progress", |m| m["method"] == "$/progress");
            assert_eq!(said["params"]["token"], token);
            steps.push(said["params"]["value"].clone());
            if cancel && steps.len() == 1 {
                c.tell("window/workDoneProgress/cancel", json!({"token": token}));
            }
        }
        steps
    };
    let steps = save(&mut c, true);
    assert_eq!((&steps[0]["kind"], &steps[0]["cancellable"]), (&json!("begin"), &json!(true)));
    assert_eq!(steps[steps.len() - 1]["message"], "cancelled");
    // How far it came depends on the machine.
    c.settle(&last);
    // The next save runs the cancelled check.
    let steps = save(&mut c, false);
    assert_eq!(steps[steps.len() - 1]["message"], "61 files");
    let done: Vec<u64> = steps.iter().filter_map(|s| s["percentage"].as_u64()).collect();
    assert!(done.is_sorted(), "{done:?}");
    assert!(codes(&c.findings(&last, None)).contains(&"unsolvable"));
}

#[test]
fn deleted_files_clear_diagnostics_even_if_the_check_is_cancelled() {
    let w = folder(&[("a.cpz", ""), ("b.cpz", BAD)]);
    let [a, b] = ["a.cpz", "b.cpz"].map(|n| path_uri(w.path(), n));
    let can = json!({"window": {"workDoneProgress": true}});
    let mut c = Client::start().begin(Some(w.path()), json!({"capabilities": can}));
    assert_eq!(codes(&c.findings(&b, None)), ["unsolvable"]);
    fs::remove_file(w.path().join("b.cpz")).expect("removed");
    saved(&mut c, &a);
    touched(&mut c, &b);
    saved(&mut c, &a);
    let created = c.claim("a token", |m| m["method"] == "window/workDoneProgress/create");
    c.tell("window/workDoneProgress/cancel", json!({"token": created["params"]["token"]}));
    assert_eq!(c.findings(&b, None), Vec::<Value>::new());
}

#[test]
fn configs_are_reread_without_file_watching() {
    let w = folder(&[("a.cpz", DOWN)]);
    let a = path_uri(w.path(), "a.cpz");
    let mut c = Client::new(Some(w.path()), "utf-16");
    c.open(&a, DOWN);
    assert_eq!(c.findings(&a, Some(1)), Vec::<Value>::new());
    fs::write(w.path().join("cpz.toml"), "rules = 'solo'\n").expect("written");
    assert_eq!(codes(&c.findings(&a, Some(1))), ["unsolvable"]);
    fs::write(w.path().join("cpz.toml"), "rules = 'sol'\n").expect("written");
    assert_eq!(codes(&c.findings(&path_uri(w.path(), "cpz.toml"), None)), ["invalid-value"]);
    c.finish();
}

#[test]
fn document_of_another_scheme_is_no_duplicate_of_its_file() {
    let w = folder(&[("a.cpz", BAD)]);
    let a = path_uri(w.path(), "a.cpz");
    let mut c = Client::new(Some(w.path()), "utf-16");
    assert_eq!(codes(&c.findings(&a, None)), ["unsolvable"]);
    let old = a.replace("file://", "git:") + "?HEAD";
    c.open(&old, BAD);
    assert_eq!(codes(&c.findings(&old, Some(1))), ["unsolvable"]);
    assert_eq!(c.settle(&a), None);
    c.finish();
}

#[test]
fn large_text_does_not_delay_other_requests() {
    let mut c = Client::new(None, "utf-16");
    let (large, small) = ("untitled:large.cpz", "untitled:small.cpz");
    let text = "solitaire { board ...N.....R....B. => }\n".repeat(40_000);
    c.open(large, &text);
    c.open(small, BAD);
    let next = c.claim("findings", |m| m["method"] == "textDocument/publishDiagnostics");
    assert_eq!(next["params"]["uri"], small);
    // No diagnostics before the first analysis.
    let file = "file:///nowhere/large.cpz";
    c.open(file, &text);
    assert_eq!(c.findings(file, Some(1)).len(), 1001);
    for version in 2..6 {
        c.change(large, version, json!([{"range": span((0, 0), (1, 0)), "text": ""}]));
        c.call("textDocument/hover", json!({"textDocument": {"uri": small}, "position": at(0, 2)}));
    }
    let found = c.findings(large, Some(5));
    // So many are shown, and one that says how many more there are.
    assert_eq!(found.len(), 1001);
    let last = found[1000]["message"].as_str().expect("words");
    assert!(last.contains(&(40_000 - 4 - 1000).to_string()), "{last}");
    c.finish();
}

/// A long text is analysed piece by piece, with the same results.
#[test]
fn long_text_outline_equals_the_trees() {
    let remark = "x".repeat(400);
    let one = |i: usize| {
        let set = if i == 1500 { "size 5x5\n" } else { "" };
        let name = if i.is_multiple_of(3) { format!(" \"p{i}\"") } else { String::new() };
        format!(
            "{set}// https://example.org/{i} {remark}\nsolitaire{name} {{\n  board\n    QN\n    .R\n  solve\n}}\n"
        )
    };
    let text: String = (0..4000).map(one).collect();
    assert!(text.len() > 1 << 20);
    let tree = parse(text.as_str());
    let lines = LineIndex::new(&text);
    let line = |offset: u32| json!(lines.line(offset));
    let mut c = Client::new(None, "utf-16");
    let uri = "untitled:a.cpz";
    c.open(uri, &text);
    assert!(!c.findings(uri, Some(1)).is_empty());
    let document = json!({"textDocument": {"uri": uri}});

    let symbols = c.call("textDocument/documentSymbol", document.clone());
    let expected = ide::document_symbols(&tree, Defaults::default(), 0, 5000);
    let actual = |s: &Value| (s["name"].clone(), s["detail"].clone(), s["range"]["start"]["line"].clone());
    let actual: Vec<_> = symbols.as_array().expect("a list").iter().map(actual).collect();
    let wanted = |s: &ide::Symbol| (json!(s.name), json!(s.detail), line(s.span.start));
    assert_eq!(actual, expected.iter().map(wanted).collect::<Vec<_>>());

    let folds = c.call("textDocument/foldingRange", document.clone());
    let actual = folds.as_array().expect("a list").iter().map(|f| f["startLine"].clone());
    let wanted = ide::folds(&tree, 5000).into_iter().map(|(span, _)| line(span.start));
    assert_eq!(actual.collect::<Vec<_>>(), wanted.collect::<Vec<_>>());

    let links = c.call("textDocument/documentLink", document.clone());
    let actual = links.as_array().expect("a list").iter().map(|l| l["target"].clone());
    let wanted = ide::links(&tree).into_iter().map(|(_, url)| json!(url));
    assert_eq!(actual.collect::<Vec<_>>(), wanted.collect::<Vec<_>>());

    let tokens = c.call("textDocument/semanticTokens/full", document.clone());
    let actual = tokens["data"].as_array().expect("numbers");
    let wanted = ide::semantic_tokens(&tree, None);
    assert_eq!(actual.len(), 5 * wanted.len());
    let down: u64 = actual.iter().step_by(5).filter_map(Value::as_u64).sum();
    assert_eq!(json!(down), line(wanted.last().expect("a token").span.start));

    let lenses = c.call("textDocument/codeLens", document);
    let actual = lenses.as_array().expect("a list");
    let heads = actual.iter().filter(|l| l["data"]["kind"] == actual[0]["data"]["kind"]);
    let braced = |p: &Puzzle<'_>| p.node().text().contains('{');
    let wanted = tree.root().children().filter_map(Puzzle::cast).filter(braced).map(|p| line(p.head().start));
    assert_eq!(
        heads.map(|l| l["range"]["start"]["line"].clone()).collect::<Vec<_>>(),
        wanted.collect::<Vec<_>>()
    );
    c.finish();
}

/// Findings that are allowed or off are not counted either.
#[test]
fn hidden_duplicates_are_not_counted() {
    let same = "solitaire \"a\" { board ...N.....R....B. }\n".repeat(3000);
    let allowed = format!("allow duplicate-puzzle\nallow duplicate-name\n{same}");
    let mut c = Client::new(None, "utf-16");
    c.open("untitled:a.cpz", &allowed);
    assert_eq!(c.findings("untitled:a.cpz", Some(1)), Vec::<Value>::new());
    c.open("untitled:b.cpz", &same);
    let found = c.findings("untitled:b.cpz", Some(1));
    let last = found[1000]["message"].as_str().expect("words");
    assert_eq!(last, "4999 more warnings are not shown; ‘cpz check’ prints all");
    c.finish();
    let off = json!({"severity": {"duplicate-puzzle": "off", "duplicate-name": "off"}});
    let mut c = Client::start().begin(None, json!({"initializationOptions": {"cpz": off}}));
    c.open("untitled:a.cpz", &same);
    assert_eq!(c.findings("untitled:a.cpz", Some(1)), Vec::<Value>::new());
    c.finish();
}

#[test]
fn pending_code_lens_is_refreshed() {
    let can =
        json!({"workspace": {"codeLens": {"refreshSupport": true}, "inlayHint": {"refreshSupport": true}}});
    let mut c = Client::start();
    c.polite = false;
    let mut c = c.begin(None, json!({"capabilities": can, "initializationOptions": {"budget": 400_000}}));
    let name = "untitled:a.cpz";
    c.open(name, "solitaire { board QQQQ QQQQ QQQQ QQQQ count }\n");
    c.findings(name, Some(1));
    c.change(name, 2, json!([{"range": span((0, 0), (0, 0)), "text": "\n"}]));
    c.findings(name, Some(2));
    let lens = json!({"range": span((1, 0), (1, 9)), "data": {"kind": "Puzzle", "uri": name, "version": 2, "position": at(1, 0)}});
    let said = |c: &mut Client| c.call("codeLens/resolve", lens.clone())["command"]["title"].clone();
    assert_eq!(said(&mut c), "…");
    // Each is asked for whatever becomes of the other.
    c.claim("hints", |m| m["method"] == "workspace/inlayHint/refresh");
    c.claim("lenses", |m| m["method"] == "workspace/codeLens/refresh");
    assert_eq!(said(&mut c), "1 open");
}

#[test]
fn missing_settings_change_nothing() {
    let mut c = Client::start()
        .begin(None, json!({"initializationOptions": {"cpz": {"severity": {"unsolvable": "off"}}}}));
    let name = "untitled:a.cpz";
    c.open(name, BAD);
    assert_eq!(c.findings(name, Some(1)), Vec::<Value>::new());
    for (i, nothing) in
        [json!(null), json!({}), json!({"python": {"x": 1}}), json!({"cpz": null})].iter().enumerate()
    {
        c.tell("workspace/didChangeConfiguration", json!({ "settings": nothing }));
        let version = 2 + i as i64;
        c.change(name, version, json!([{"range": span((0, 0), (0, 0)), "text": " "}]));
        assert_eq!(c.findings(name, Some(version)), Vec::<Value>::new(), "{nothing}");
    }
    c.tell("workspace/didChangeConfiguration", json!({"settings": {"cpz": {}}}));
    assert_eq!(codes(&c.findings(name, Some(5))), ["unsolvable"]);
    c.finish();
}

#[test]
fn diagnostics_use_one_uri_per_file() {
    // The server escapes more than some clients do.
    let w = folder(&[("a@b.cpz", BAD), ("#1?.cpz", BAD)]);
    let mut c = Client::new(Some(w.path()), "utf-16");
    let [ours, odd] = ["a%40b.cpz", "%231%3F.cpz"].map(|n| path_uri(w.path(), n));
    let both = ["duplicate-puzzle", "unsolvable"];
    assert_eq!(
        (codes(&c.findings(&ours, None)), codes(&c.findings(&odd, None))),
        (both.to_vec(), both.to_vec())
    );
    let [theirs, loose] = ["a@b.cpz", "#1?.cpz"].map(|n| path_uri(w.path(), n));
    c.open(&theirs, BAD);
    assert_eq!(c.findings(&ours, None), Vec::<Value>::new());
    assert_eq!(codes(&c.findings(&theirs, Some(1))), both);
    c.open(&loose, "");
    assert_eq!(c.findings(&odd, None), Vec::<Value>::new());
    assert_eq!(c.findings(&loose, Some(1)), Vec::<Value>::new());
    assert_eq!(codes(&c.findings(&theirs, Some(1))), ["unsolvable"]);
    // And so when it is closed.
    c.tell("textDocument/didClose", json!({"textDocument": {"uri": theirs}}));
    assert_eq!(c.findings(&theirs, None), Vec::<Value>::new());
    saved(&mut c, &loose);
    assert_eq!(codes(&c.findings(&theirs, None)), ["unsolvable"]);
    c.finish();
}

#[test]
fn thousands_of_duplicates_do_not_delay_requests() {
    let names: Vec<String> = (0..3000).map(|i| format!("f{i:04}.cpz")).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|n| (n.as_str(), BAD)).collect();
    let w = folder(&files);
    let mut c = Client::new(Some(w.path()), "utf-16");
    let (first, last) = (path_uri(w.path(), "f0000.cpz"), path_uri(w.path(), "f2999.cpz"));
    let of = |c: &mut Client| c.findings(&last, None)[0]["message"].as_str().map(str::to_string);
    assert!(of(&mut c).is_some_and(|m| m.contains("f0000.cpz:1")));
    c.open(&first, BAD);
    c.findings(&first, Some(1));
    // All of them point at it, so their findings quote its new place; its own findings come first.
    c.settle_quickly();
    c.change(&first, 2, json!([{"range": span((0, 0), (0, 0)), "text": "\n"}]));
    let next = c.claim("findings", |m| m["method"] == "textDocument/publishDiagnostics");
    assert_eq!(next["params"]["uri"], first);
    assert!(of(&mut c).is_some_and(|m| m.contains("f0000.cpz:2")));
}

#[test]
fn workspace_folder_changes_and_file_renames_are_followed() {
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
