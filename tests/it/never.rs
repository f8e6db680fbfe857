//! Failures of a language server that lose work or trust: each test shows that one cannot happen. The promises
//! are listed in docs/trust.md.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::harness::client::{Client, at, frame, span, uri};
use crate::harness::examples::examples;
use crate::harness::folder;
use serde_json::{Value, json};

const A: &str = "untitled:a.cpz";
const GOOD: &str = "solitaire { board ...N.....R....B. solve }\n";
const BAD: &str = "solitaire { board R....N.......... solve }\n";
/// Counting its solutions takes minutes.
const ENDLESS: &str = "solitaire \"slow\" { board QQQQ QQQQ QQQQ QQQQ count }\n";
/// A budget that nothing uses up.
const BOUNDLESS: i64 = i64::MAX;

fn document(uri: &str) -> Value {
    json!({"uri": uri})
}

fn insert(line: u32, character: u32, text: &str) -> Value {
    json!([{"range": span((line, character), (line, character)), "text": text}])
}

fn codes(findings: &[Value]) -> Vec<&str> {
    findings.iter().map(|f| f["code"].as_str().unwrap_or("")).collect()
}

/// The text after edits of the protocol, in UTF-16, which may come in any order.
fn apply(text: &str, edits: &Value) -> String {
    let mut starts = vec![0];
    let bytes = text.as_bytes();
    for (i, &b) in bytes.iter().enumerate() {
        if b == b'\n' || b == b'\r' && bytes.get(i + 1) != Some(&b'\n') {
            starts.push(i + 1);
        }
    }
    let offset = |p: &Value| {
        let start = starts[p["line"].as_u64().expect("a line") as usize];
        let mut left = p["character"].as_u64().expect("a column") as usize;
        let mut at = start;
        for c in text[start..].chars() {
            if left == 0 {
                break;
            }
            left = left.checked_sub(c.len_utf16()).expect("no character is parted");
            at += c.len_utf8();
        }
        assert_eq!(left, 0, "beyond the end of a line: {p}");
        at
    };
    let mut edits: Vec<(usize, usize, &str)> = edits
        .as_array()
        .into_iter()
        .flatten()
        .map(|e| {
            (offset(&e["range"]["start"]), offset(&e["range"]["end"]), e["newText"].as_str().expect("a text"))
        })
        .collect();
    edits.sort();
    let mut out = text.to_string();
    for (start, end, new) in edits.into_iter().rev() {
        out.replace_range(start..end, new);
    }
    out
}

/// Every request about a place or a range of a document.
fn requests(uri: &str, line: u32, character: u32) -> Vec<(&'static str, Value)> {
    let (d, p) = (document(uri), at(line, character));
    let r = span((line, character), (line + 1, character));
    let place = || json!({"textDocument": d, "position": p});
    let range = || json!({"textDocument": d, "range": r, "options": {"tabSize": 2, "insertSpaces": true}});
    let with = |mut v: Value, key: &str, value: Value| {
        v[key] = value;
        v
    };
    let options = json!({"tabSize": 2, "insertSpaces": true});
    vec![
        ("textDocument/hover", place()),
        ("textDocument/completion", place()),
        ("textDocument/definition", place()),
        ("textDocument/references", with(place(), "context", json!({"includeDeclaration": true}))),
        ("textDocument/documentHighlight", place()),
        ("textDocument/prepareRename", place()),
        ("textDocument/rename", with(place(), "newName", json!("x"))),
        ("textDocument/onTypeFormatting", with(with(place(), "ch", json!("\n")), "options", options)),
        ("textDocument/selectionRange", json!({"textDocument": d, "positions": [p]})),
        ("textDocument/inlayHint", range()),
        ("textDocument/rangeFormatting", range()),
        ("textDocument/semanticTokens/range", range()),
        ("textDocument/codeAction", with(range(), "context", json!({"diagnostics": []}))),
    ]
}

/// Every request about a whole document.
fn whole(uri: &str) -> Vec<(&'static str, Value)> {
    let options = json!({"tabSize": 2, "insertSpaces": true});
    vec![
        ("textDocument/codeLens", json!({"textDocument": document(uri)})),
        ("textDocument/documentSymbol", json!({"textDocument": document(uri)})),
        ("textDocument/foldingRange", json!({"textDocument": document(uri)})),
        ("textDocument/documentLink", json!({"textDocument": document(uri)})),
        ("textDocument/semanticTokens/full", json!({"textDocument": document(uri)})),
        ("textDocument/formatting", json!({"textDocument": document(uri), "options": options})),
        ("workspace/symbol", json!({"query": ""})),
    ]
}

/// A session whose searches have no end of their own.
fn boundless() -> Client {
    Client::start().begin(None, json!({"initializationOptions": {"budget": BOUNDLESS}}))
}

fn name(c: &mut Client) -> String {
    let symbols = c.call("textDocument/documentSymbol", json!({"textDocument": document(A)}));
    symbols[0]["name"].as_str().expect("a name").to_string()
}

#[test]
fn edits_apply_in_the_order_sent() {
    let mut c = Client::new(None, "utf-16");
    c.open(A, "solitaire \"\" { board BN count }\n");
    let letters: Vec<char> = ('a'..='z').chain('0'..='9').cycle().take(600).collect();
    for (i, letter) in letters.iter().enumerate() {
        c.change(A, 2 + i as i64, insert(0, 11 + i as u32, &letter.to_string()));
        if i % 3 == 0 {
            c.ask("textDocument/hover", json!({"textDocument": document(A), "position": at(0, 0)}));
        }
    }
    let links =
        c.call("textDocument/prepareRename", json!({"textDocument": document(A), "position": at(0, 12)}));
    assert_eq!(links["placeholder"], letters.iter().collect::<String>());
}

#[test]
fn requests_use_the_latest_text() {
    let mut c = Client::new(None, "utf-16");
    c.open(A, "solitaire \"\" { board BN count }\n");
    let mut expected = String::new();
    for i in 0..60u32 {
        let letter = char::from(b'a' + (i % 26) as u8);
        c.change(A, 2 + i64::from(i), insert(0, 11 + i, &letter.to_string()));
        expected.push(letter);
        let shown = name(&mut c);
        let short: String = expected.chars().take(shown.trim_end_matches('…').chars().count()).collect();
        assert_eq!(shown.trim_end_matches('…'), short);
        assert!(short.len() == expected.len() || shown.ends_with('…'));
    }
}

#[test]
fn definition_uses_the_latest_text() {
    let two = "solitaire { board BN... size 5x1 count }\n".repeat(2);
    let mut c = Client::new(None, "utf-16");
    c.open(A, &two);
    for i in 0..20 {
        c.change(A, 2 + i, insert(0, 0, "\n"));
        let line = i as u32 + 1;
        let place = json!({"textDocument": document(A), "position": at(line, 2)});
        let other = c.call("textDocument/definition", place);
        assert_eq!(other["range"]["start"], at(line + 1, 0));
    }
}

#[test]
fn pending_requests_and_slow_clients_cause_no_deadlock() {
    // 300 edits while a request of the server waits for its answer.
    let mut c = Client::new(None, "utf-16");
    c.polite = false;
    c.open(A, GOOD);
    let place = json!({"uri": A, "version": 1, "position": at(0, 37)});
    c.call("workspace/executeCommand", json!({"command": "cpz.insertAnswer", "arguments": [place]}));
    c.claim("the edit", |m| m["method"] == "workspace/applyEdit");
    for i in 0..300 {
        c.change(A, 2 + i, insert(0, 0, "\n"));
    }
    c.findings(A, Some(301));
    // A client that reads nothing while it writes: pipes hold 64 KiB each way.
    let mut c = Client::spawn().begin(None, json!({}));
    let release = c.deaf();
    let many = format!("{}\n", "solv ".repeat(400));
    c.open(A, &many);
    for i in 0..300 {
        c.change(A, 2 + i, json!([{"text": format!("{many}// {}", "x".repeat(900 + i as usize))}]));
    }
    drop(release);
    c.findings(A, Some(301));
}

#[test]
fn odd_client_messages_cause_no_panic_and_no_silent_loss() {
    let mut c = Client::new(None, "utf-16");
    for name in ["untitled:a b.cpz", "untitled:a[1].cpz", "untitled:é.cpz", "vscode-vfs://x/a.cpz"] {
        c.open(name, BAD);
        // Diagnostics use the URI as the client writes it.
        assert_eq!(codes(&c.findings(name, Some(1))), ["unsolvable"], "{name}");
        for (i, range) in [
            span((50, 9), (51, 3)),
            json!({"start": {"line": 0, "character": 4e9}, "end": {"line": 0, "character": 5e9}}),
            json!({"start": {"line": -5, "character": 0}, "end": at(0, 0)}),
        ]
        .into_iter()
        .enumerate()
        {
            c.change(name, 2 + i as i64, json!([{"range": range, "text": "\n"}]));
        }
        assert_eq!(codes(&c.findings(name, Some(4))), ["unsolvable"], "{name}");
        // An edit that cannot be read: silence until the whole text comes.
        c.tell(
            "textDocument/didChange",
            json!({"textDocument": {"uri": name, "version": 5}, "contentChanges": 7}),
        );
        c.claim("silence", |m| m["params"]["uri"] == name && m["params"]["diagnostics"] == json!([]));
        c.change(name, 6, json!([{"text": BAD}]));
        assert_eq!(codes(&c.findings(name, Some(6))), ["unsolvable"], "{name}");
        c.tell("textDocument/didClose", json!({"textDocument": document(name)}));
    }
    // JSON that is none, messages that are no messages, and headers that say nothing: each is answered.
    for odd in ["{", "[]", "5", "null", "{\"method\":5}", "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"x\"}"]
    {
        c.raw(format!("Content-Length: {}\r\n\r\n{odd}", odd.len()).as_bytes());
        let code = if odd == "{" { -32700 } else { -32600 };
        c.claim("an error", |m| m["error"]["code"] == code && m["id"].is_null());
    }
    c.raw(b"Content-Length: x\r\n\r\n");
    // An edit that holds half a character is an edit; one that is torn has the text out of step.
    c.open(A, BAD);
    c.findings(A, Some(1));
    let edit = |text: &str| {
        let body = format!(
            r#"{{"jsonrpc":"2.0","method":"textDocument/didChange","params":{{"textDocument":{{"uri":"{A}","version":2}},"contentChanges":[{{"range":{{"start":{{"line":0,"character":0}},"end":{{"line":0,"character":0}}}},"text":"{text}"}}]}}}}"#
        );
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    };
    c.raw(edit("// \\ud83d").as_bytes());
    assert_eq!(c.findings(A, Some(2)), Vec::<Value>::new());
    c.raw(edit("\t\\x").as_bytes());
    c.claim("an error", |m| m["error"]["code"] == -32700);
    assert_eq!(
        c.call("textDocument/hover", json!({"textDocument": document(A), "position": at(0, 0)})),
        Value::Null
    );
}

#[test]
fn positions_inside_characters_cause_no_panic() {
    let text = "// é😀\r\nsolitaire \"😀é\" {\r board '….😀.B'\n solve => [['é',[0,0]]] (😀) }\u{2028}\u{b}é";
    for encoding in ["utf-16", "utf-8"] {
        let mut c = Client::new(None, encoding);
        c.open(A, text);
        for line in 0..6 {
            for column in 0..30 {
                for (method, params) in requests(A, line, column) {
                    let id = c.ask(method, params);
                    let answer = c.answer(id);
                    let internal = answer.get("error").is_some_and(|e| e["code"] == -32603);
                    assert!(!internal, "{method} at {line}:{column}: {answer}");
                }
            }
        }
        // Edits in the middle of characters.
        for (i, column) in (0..12).enumerate() {
            c.change(
                A,
                2 + i as i64,
                json!([{"range": span((0, column), (1, 12)), "text": "é😀\r\nsolitaire \"😀"}]),
            );
        }
        c.findings(A, Some(13));
    }
}

#[test]
fn deep_nesting_and_huge_texts_do_not_end_the_server() {
    let mut c = Client::new(None, "utf-16");
    for (i, n) in [10_000, 1_000_000].into_iter().enumerate() {
        let text = format!("solitaire {{ board {} solve }}\n{BAD}", "[".repeat(n));
        let name = format!("untitled:{i}.cpz");
        c.open(&name, &text);
        let found = c.findings(&name, Some(1));
        assert!(codes(&found).contains(&"syntax") && codes(&found).contains(&"unsolvable"), "{n}");
        for (method, params) in requests(&name, 0, 20).into_iter().chain(whole(&name)) {
            let id = c.ask(method, params);
            assert!(c.answer(id).get("error").is_none_or(|e| e["code"] != -32603), "{method}");
        }
        c.tell("textDocument/didClose", json!({"textDocument": document(&name)}));
    }
    // Very many findings.
    c.open(A, &BAD.repeat(5000));
    assert_eq!(c.findings(A, Some(1)).len(), 1001);
}

#[test]
fn every_request_has_exactly_one_response() {
    let mut c = Client::new(None, "utf-16");
    c.open(A, GOOD);
    let mut asked = Vec::new();
    for round in 0..20 {
        for (method, params) in requests(A, 0, round).into_iter().chain(whole(A)) {
            asked.push(c.ask(method, params));
            if round % 3 == 0 {
                let id = asked[asked.len() - 1];
                c.tell("$/cancelRequest", json!({"id": id}));
            }
        }
        asked.push(c.ask("no/such", json!({})));
        asked.push(c.ask("textDocument/hover", json!({"position": "nonsense"})));
        asked.push(c.ask("workspace/executeCommand", json!({"command": "cpz.insertAnswer"})));
        asked.push(c.ask("codeLens/resolve", json!({"range": span((0, 0), (0, 0)), "data": 5})));
        c.change(A, 2 + i64::from(round), insert(0, 0, " "));
    }
    for id in asked {
        c.answer(id);
    }
    // Malformed requests get a response too.
    for (params, code) in [("1e999", -32600), (&format!("{}{}", "[".repeat(500), "]".repeat(500)), -32600)] {
        let body =
            format!(r#"{{"jsonrpc":"2.0","id":"odd","method":"textDocument/hover","params":{params}}}"#);
        c.raw(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
        let answer = c.claim("an answer", |m| m["id"] == "odd");
        assert_eq!(answer["error"]["code"], code, "{answer}");
    }
    // Any second answer to one of them would be left over.
    c.findings(A, Some(21));
    c.finish();
}

#[test]
fn server_exits_when_its_client_is_gone() {
    let mut c = Client::spawn().begin(None, json!({}));
    c.tell("exit", Value::Null);
    assert_eq!(c.ends(), Some(1), "exit without shutdown");
    let mut c = Client::spawn().begin(None, json!({}));
    c.close_input();
    assert_eq!(c.ends(), Some(1), "end of input");
    let mut c = Client::spawn().begin(None, json!({}));
    c.call("shutdown", Value::Null);
    c.close_input();
    assert_eq!(c.ends(), Some(0), "end of input after shutdown");
    let mut c = Client::spawn().begin(None, json!({}));
    c.call("shutdown", Value::Null);
    c.tell("exit", Value::Null);
    assert_eq!(c.ends(), Some(0), "exit after shutdown");
    // Both in one write.
    let mut c = Client::spawn().begin(None, json!({}));
    let both = [
        json!({"jsonrpc": "2.0", "id": 9, "method": "shutdown"}),
        json!({"jsonrpc": "2.0", "method": "exit"}),
    ];
    c.raw(&both.iter().flat_map(frame).collect::<Vec<u8>>());
    assert_eq!(c.ends(), Some(0), "exit right behind shutdown");
    // A client that is gone before it says so: its process has ended and standard input stays open.
    let mut gone = std::process::Command::new("true").spawn().expect("a process");
    gone.wait().expect("its end");
    let mut c = Client::spawn();
    c.ask("initialize", json!({"processId": gone.id(), "rootUri": null, "capabilities": {}}));
    assert_eq!(c.ends(), Some(1), "the editor's death");
    // In the middle of a search without end.
    let mut c = Client::spawn().begin(None, json!({"initializationOptions": {"budget": BOUNDLESS}}));
    c.open(A, ENDLESS);
    c.findings(A, Some(1));
    c.ask("textDocument/hover", json!({"textDocument": document(A), "position": at(0, 48)}));
    c.tell("exit", Value::Null);
    assert_eq!(c.ends(), Some(1), "exit while searching");
}

/// The examples, and texts that are hard to keep together.
fn samples() -> Vec<String> {
    let mut texts: Vec<String> = examples().into_iter().map(|(_, text)| text).collect();
    texts.push(
        "solitaire  \"a {  board ...N.....R....B.  solve\n}\n  // 😀\nsolitaire {board [[1,2 solve }\n\""
            .into(),
    );
    texts
}

fn tokens_of(text: &str) -> Vec<String> {
    let tree = cpz::syntax::parse(text.to_string());
    let all = tree.tokens_in(cpz::diagnostic::Span::new(0, text.len() as u32));
    let words = all.filter(|t| t.kind() != cpz::syntax::TokenKind::Space);
    words.map(|t| t.text().trim_end().to_string()).collect()
}

#[test]
fn formatting_is_idempotent_and_keeps_tokens() {
    let mut c = Client::new(None, "utf-16");
    for (i, text) in samples().into_iter().enumerate() {
        let name = format!("untitled:{i}.cpz");
        c.open(&name, &text);
        let format =
            json!({"textDocument": document(&name), "options": {"tabSize": 2, "insertSpaces": true}});
        let edits = c.call("textDocument/formatting", format.clone());
        let once = apply(&text, &edits);
        assert_eq!(tokens_of(&text), tokens_of(&once), "{text}");
        c.change(&name, 2, json!([{"text": once}]));
        assert_eq!(c.call("textDocument/formatting", format), json!([]), "the second time:\n{once}");
    }
}

#[test]
fn formatting_never_mixes_line_ends() {
    for end in ["\r\n", "\r", "\n"] {
        let mut c = Client::new(None, "utf-16");
        let text = "solitaire \"a\" {\n    board\n  . . . .\n   . B . .\n  R P . .\n  . . . N\n solve\n}\n\
                    solitaire { board [[1,2,'B'],\n [0,1,'R']]\n solve }\n"
            .replace('\n', end);
        c.open(A, &text);
        let mut all = vec![c.call(
            "textDocument/formatting",
            json!({"textDocument": document(A), "options": {"tabSize": 2, "insertSpaces": true}}),
        )];
        for line in [2, 9] {
            let params = json!({"textDocument": document(A), "range": span((line, 3), (line, 3)), "context": {"diagnostics": []}});
            for action in c.call("textDocument/codeAction", params).as_array().expect("actions") {
                all.push(action["edit"]["changes"][A].clone());
            }
        }
        assert!(all.len() > 8, "{all:#?}");
        for edits in all {
            let after = apply(&text, &edits);
            let rest = after.replace(end, "");
            assert!(!rest.contains(['\r', '\n']), "{end:?}: {after:?}");
        }
    }
}

#[test]
fn closed_or_removed_files_keep_no_diagnostics() {
    let w = folder(&[("a.cpz", BAD), ("b.cpz", &BAD.replace("R....N", "B..N..")), ("c.cpz", "solv")]);
    let of = |name: &str| uri(&w.path().join(name));
    let mut c = Client::new(Some(w.path()), "utf-16");
    for name in ["a.cpz", "b.cpz", "c.cpz"] {
        assert!(!c.findings(&of(name), None).is_empty());
    }
    // Deleted.
    fs::remove_file(w.path().join("a.cpz")).expect("removed");
    c.tell("workspace/didChangeWatchedFiles", json!({"changes": [{"uri": of("a.cpz"), "type": 3}]}));
    assert_eq!(c.findings(&of("a.cpz"), None), Vec::<Value>::new());
    // Renamed.
    fs::rename(w.path().join("b.cpz"), w.path().join("d.cpz")).expect("renamed");
    c.tell("workspace/didRenameFiles", json!({"files": [{"oldUri": of("b.cpz"), "newUri": of("d.cpz")}]}));
    assert_eq!(c.findings(&of("b.cpz"), None), Vec::<Value>::new());
    assert_eq!(codes(&c.findings(&of("d.cpz"), None)), ["unsolvable"]);
    // Left out.
    fs::write(w.path().join("cpz.toml"), "exclude = ['d.cpz']").expect("written");
    c.tell("workspace/didChangeWatchedFiles", json!({"changes": [{"uri": of("cpz.toml"), "type": 1}]}));
    assert_eq!(c.findings(&of("d.cpz"), None), Vec::<Value>::new());
    // Closed.
    c.open(&of("c.cpz"), "solv");
    c.findings(&of("c.cpz"), Some(1));
    c.tell("textDocument/didClose", json!({"textDocument": document(&of("c.cpz"))}));
    assert_eq!(c.findings(&of("c.cpz"), None), Vec::<Value>::new());
    c.finish();
}

#[test]
fn running_analysis_leaves_no_stale_diagnostics() {
    let names: Vec<String> = (0..400).map(|i| format!("x/f{i:03}.cpz")).collect();
    let mut files: Vec<(&str, &str)> = names.iter().map(|n| (n.as_str(), "solv")).collect();
    files.push(("y/a.cpz", BAD));
    // What is left when all that comes has come.
    let left = |c: &mut Client, kept: &str| {
        c.tell("textDocument/didSave", json!({"textDocument": document(kept)}));
        let mut shown = BTreeMap::new();
        while c.settle_all(&mut shown) {}
        shown.into_keys().collect::<Vec<_>>()
    };
    for wait in [0, 3, 10, 30] {
        // A folder removed while its files are read.
        let w = folder(&files);
        let [x, y] = ["x", "y"].map(|n| json!({"uri": uri(&w.path().join(n)), "name": n}));
        let kept = uri(&w.path().join("y/a.cpz"));
        let mut c = Client::start().begin(None, json!({"workspaceFolders": [x, y]}));
        std::thread::sleep(std::time::Duration::from_millis(wait));
        c.tell("workspace/didChangeWorkspaceFolders", json!({"event": {"added": [], "removed": [x]}}));
        assert_eq!(left(&mut c, &kept), std::slice::from_ref(&kept), "after {wait} ms");
        // Files deleted while they are read, and more looks than one are wanted.
        let mut c = Client::new(Some(w.path()), "utf-16");
        c.tell("textDocument/didSave", json!({"textDocument": document(&kept)}));
        std::thread::sleep(std::time::Duration::from_millis(wait));
        fs::remove_dir_all(w.path().join("x")).expect("removed");
        let gone = uri(&w.path().join("x"));
        c.tell("workspace/didDeleteFiles", json!({"files": [{"uri": gone}]}));
        assert_eq!(left(&mut c, &kept), std::slice::from_ref(&kept), "after {wait} ms");
    }
}

#[test]
fn settings_during_a_scan_lose_no_file() {
    let names: Vec<String> = (0..600).map(|i| format!("f{i:03}.cpz")).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|n| (n.as_str(), "solv")).collect();
    let w = folder(&files);
    let hour_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
    for name in &names {
        let file = fs::File::options().write(true).open(w.path().join(name)).expect("a file");
        file.set_modified(hour_ago).expect("its time");
    }
    for wait in [0, 5, 20, 50] {
        let mut c = Client::new(Some(w.path()), "utf-16");
        std::thread::sleep(std::time::Duration::from_millis(wait));
        c.tell("workspace/didChangeConfiguration", json!({"settings": {"cpz": {"budget": 1000}}}));
        let mut shown = BTreeMap::new();
        while c.settle_all(&mut shown) {}
        assert_eq!(shown.len(), 600, "after {wait} ms");
    }
}

#[test]
fn diagnostics_are_never_of_an_older_version() {
    let mut c = Client::new(None, "utf-16");
    c.open(A, ENDLESS);
    for i in 0..500 {
        c.change(A, 2 + i, insert(0, 0, if i % 2 == 0 { "\n" } else { BAD }));
    }
    // The client itself looks at the order of versions of whatever comes.
    let found = c.findings(A, Some(501));
    assert!(codes(&found).contains(&"unsolvable"));
    c.settle(A);
}

#[test]
fn syntax_errors_hide_no_other_finding() {
    let mut c = Client::new(None, "utf-16");
    let odd =
        ["solitaire { board [[", "\"", "}", "{", "solv", "solitaire {", "solitaire { board 'ab", "=> ("];
    for (i, odd) in odd.iter().enumerate() {
        let name = format!("untitled:{i}.cpz");
        c.open(&name, &format!("{BAD}{odd}\n{BAD}chess {{ board 8/8/8/4k3/8/8/8/4K2R move Rh9 }}\n"));
        let found = c.findings(&name, Some(1));
        let found = codes(&found);
        assert!(found.contains(&"syntax") || found.contains(&"unknown-keyword"), "{odd}: {found:?}");
        assert!(found.contains(&"unsolvable") && found.contains(&"off-board"), "{odd}: {found:?}");
    }
}

#[test]
fn server_and_command_line_agree() {
    let mut files: Vec<(String, String)> =
        samples().into_iter().enumerate().map(|(i, t)| (format!("{}é {i}.cpz", i % 3), t)).collect();
    files.push(("in/x.cpz".into(), BAD.into()));
    files.push(("in/cpz.toml".into(), "[severity]\nunsolvable = 'hint'\nduplicate-puzzle = 'off'\n".into()));
    files.push(("out/x.cpz".into(), GOOD.into()));
    files.push(("out/cpz.toml".into(), "budget = 'no'\n".into()));
    files.push(("left/x.cpz".into(), BAD.into()));
    files.push(("cpz.toml".into(), "rules = 'ranger'\nexclude = ['left/']\n".into()));
    // One puzzle under two budgets, and files that do not belong to the collection.
    let slow = "solitaire { board NNN. BB.. RR.. QQ.. count }\n";
    files.push(("few/x.cpz".into(), slow.into()));
    files.push(("few/cpz.toml".into(), "budget = 10\n".into()));
    files.push(("many/x.cpz".into(), slow.into()));
    files.push((".ignore".into(), "build/\n".into()));
    files.push(("build/x.cpz".into(), BAD.into()));
    files.push((".hidden/x.cpz".into(), BAD.into()));
    let plain: Vec<(&str, &str)> = files.iter().map(|(n, t)| (n.as_str(), t.as_str())).collect();
    let w = folder(&plain);
    #[cfg(unix)]
    {
        let outside = folder(&[("x.cpz", BAD)]);
        for (to, link) in [("in/x.cpz", "twin.cpz"), ("build/x.cpz", "door.cpz")] {
            std::os::unix::fs::symlink(w.path().join(to), w.path().join(link)).expect("a link");
        }
        std::os::unix::fs::symlink(outside.path().join("x.cpz"), w.path().join("out.cpz")).expect("a link");
    }
    let out = crate::harness::run(w.path(), &["check", "--format", "json", "--hints"]).json();
    let mut c = Client::new(Some(w.path()), "utf-16");
    // Of files that do not belong to it nothing is said, also when they are named; and what is open of
    // them is no duplicate.
    let strangers =
        ["build/x.cpz", ".hidden/x.cpz", "twin.cpz", "left/x.cpz"].map(|n| uri(&w.path().join(n)));
    let changes: Vec<Value> = strangers.iter().map(|u| json!({"uri": u, "type": 1})).collect();
    c.tell("workspace/didChangeWatchedFiles", json!({ "changes": changes }));
    let mut said = BTreeMap::new();
    while c.settle_all(&mut said) {}
    let checked = out["files"].as_array().expect("files").iter();
    let wrong = checked.filter(|f| f["diagnostics"].as_array().is_some_and(|d| !d.is_empty()));
    let wrong = wrong.map(|f| uri(&w.path().join(f["path"].as_str().expect("a path"))));
    let wrong: BTreeSet<String> = wrong.map(|u| u.replace('é', "%C3%A9").replace(' ', "%20")).collect();
    assert_eq!(said.keys().cloned().collect::<BTreeSet<_>>(), wrong);
    assert!(wrong.iter().any(|u| u.ends_with("door.cpz")) && wrong.iter().any(|u| u.ends_with("few/x.cpz")));
    for stranger in &strangers {
        c.open(stranger, GOOD);
        assert_eq!(c.findings(stranger, Some(1)), Vec::<Value>::new());
    }
    let mut seen = 0;
    for file in out["files"].as_array().expect("files") {
        let path = w.path().join(file["path"].as_str().expect("a path"));
        let name = uri(&path).replace('é', "%C3%A9").replace(' ', "%20");
        let summary = |d: &Value, severity: Value| {
            json!([d["code"], d["range"], severity, d["message"].as_str().expect("a message").lines().next()])
        };
        let number = |d: &Value| match d["severity"].as_str() {
            Some("error") => json!(1),
            Some("warning") => json!(2),
            _ => json!(4),
        };
        let expected: Vec<Value> =
            file["diagnostics"].as_array().expect("a list").iter().map(|d| summary(d, number(d))).collect();
        if path.extension().is_some_and(|e| e == "cpz") {
            c.open(&name, &fs::read_to_string(&path).expect("a text"));
            let mut found = c.findings(&name, Some(1));
            // What takes a long search comes when it is done.
            for _ in 0..50 {
                if found.len() == expected.len() {
                    break;
                }
                found = c.settle(&name).unwrap_or(found);
            }
            let found: Vec<Value> = found.iter().map(|d| summary(d, d["severity"].clone())).collect();
            assert_eq!(found, expected, "{}", path.display());
        } else {
            assert_eq!(
                said[&name].iter().map(|d| summary(d, d["severity"].clone())).collect::<Vec<_>>(),
                expected
            );
        }
        seen += expected.len();
    }
    assert!(seen > 20, "{seen}");
}

#[test]
fn broken_config_is_always_reported() {
    for broken in
        ["rules = ", "rules = 5", "rulez = 'solo'", "[severity]\nking = 'off'", "exclude = 'x'", "\u{0}"]
    {
        let w = folder(&[("cpz.toml", broken), ("a.cpz", "")]);
        let mut c = Client::new(Some(w.path()), "utf-16");
        let found = c.findings(&uri(&w.path().join("cpz.toml")), None);
        assert!(!found.is_empty() && found[0]["severity"] == 1, "{broken}");
    }
    // Looked at in the editor and closed, and below another folder: it stays broken.
    let w = folder(&[("cpz.toml", "rulez = 5"), ("a/a.cpz", ""), ("b/b.cpz", "")]);
    let [toml, a, b] = ["cpz.toml", "a", "b"].map(|n| uri(&w.path().join(n)));
    let mut c = Client::new(Some(&w.path().join("a")), "utf-16");
    assert_eq!(codes(&c.findings(&toml, None)), ["unknown-keyword"]);
    c.open(&toml, "rules = 'solo'");
    assert_eq!(c.findings(&toml, Some(1)), Vec::<Value>::new());
    c.tell("textDocument/didClose", json!({"textDocument": document(&toml)}));
    let mut found = c.findings(&toml, None);
    if found.is_empty() {
        // What was said of the text that is closed went first.
        found = c.findings(&toml, None);
    }
    assert_eq!(codes(&found), ["unknown-keyword"]);
    let [a, b] = [a, b].map(|uri| json!({"uri": uri, "name": "x"}));
    c.tell("workspace/didChangeWorkspaceFolders", json!({"event": {"added": [b], "removed": [a]}}));
    c.tell("textDocument/didSave", json!({"textDocument": document(&toml)}));
    assert_eq!(c.settle(&toml), None, "nothing else was said of it");
    c.finish();
    let w = folder(&[("a.cpz", "")]);
    fs::write(w.path().join("cpz.toml"), b"rules = '\xff'").expect("written");
    let mut c = Client::new(Some(w.path()), "utf-16");
    assert_eq!(codes(&c.findings(&uri(&w.path().join("cpz.toml")), None)), ["syntax"]);
    let mut c =
        Client::start().begin(None, json!({"initializationOptions": {"severity": {"too-many-kings": "of"}}}));
    let notice = c.claim("a warning", |m| m["method"] == "window/showMessage");
    assert!(notice["params"]["message"].as_str().expect("words").contains("too-many-kings"), "{notice}");
}

#[test]
#[cfg(unix)]
fn initialize_never_waits_for_the_disk() {
    // Reading a pipe without a writer blocks.
    let w = folder(&[]);
    for name in ["cpz.toml", "a.cpz", "in/cpz.toml"] {
        let path = w.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        let made = std::process::Command::new("mkfifo").arg(&path).status().expect("mkfifo");
        assert!(made.success());
    }
    let mut c = Client::new(Some(w.path()), "utf-16");
    let a = uri(&w.path().join("in/b.cpz"));
    c.open(&a, BAD);
    assert_eq!(codes(&c.findings(&a, Some(1))), ["unsolvable"]);
    let mut c = Client::new(Some(Path::new("/no/such/folder")), "utf-16");
    c.open(A, BAD);
    assert_eq!(codes(&c.findings(A, Some(1))), ["unsolvable"]);
    let notice = c.claim("a notice", |m| m["method"] == "window/showMessage");
    assert_eq!(notice["params"]["message"], "/no/such/folder: skipped: no such file or folder");
    c.finish();
}

#[test]
fn standard_output_has_only_protocol_messages() {
    // The client fails on anything that is no message.
    for set in [("RUST_LOG", "trace"), ("RUST_BACKTRACE", "1")] {
        let mut c = Client::spawn_with(&[set]).begin(None, json!({}));
        c.open(A, "solv \u{0} [[[ 😀");
        c.findings(A, Some(1));
        c.raw(b"Content-Length: 3\r\n\r\n{{{");
        for (method, params) in requests(A, 0, 3).into_iter().chain(whole(A)) {
            let id = c.ask(method, params);
            c.answer(id);
        }
        c.call("shutdown", Value::Null);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn memory_stays_flat_over_many_edits() {
    let mut c = Client::spawn().begin(None, json!({}));
    let resident = |c: &Client| {
        let status = fs::read_to_string(format!("/proc/{}/status", c.process())).expect("a process");
        let line = status.lines().find(|l| l.starts_with("VmRSS:")).expect("its size");
        line.split_whitespace().nth(1).and_then(|n| n.parse::<u64>().ok()).expect("a number")
    };
    c.open(A, &"solitaire { board ...N.....R....B. count }\n".repeat(50));
    let mut version = 1;
    let mut edits = |c: &mut Client, n: i64| {
        for i in 0..n {
            version += 1;
            // Every text is one that was never there before.
            c.change(A, version, json!([{"range": span((0, 0), (0, 0)), "text": format!("// {version}\n")}]));
            version += 1;
            let board: String = (0..16).map(|b| if (version >> b) & 1 == 1 { 'N' } else { '.' }).collect();
            c.change(A, version, json!([{"range": span((0, 0), (2, 0)), "text": format!("solitaire {{ board {board} count }}\n")}]));
            c.change(A, version, insert(0, 0, ""));
            if i % 100 == 0 {
                let all = json!({"textDocument": document(A)});
                c.call("textDocument/semanticTokens/full", all);
                c.settle_quickly();
            }
        }
        let all = json!({"textDocument": document(A)});
        c.call("textDocument/semanticTokens/full", all);
        c.settle_quickly();
    };
    edits(&mut c, 3000);
    let first = resident(&c);
    edits(&mut c, 9000);
    let last = resident(&c);
    assert!(last < first + first / 4, "{first} kB and then {last} kB");
}

#[test]
fn completion_replaces_only_words() {
    let text = "solitaire \"a\" {\n  board ...N.....R....B.\n  solve => [[[3,3],[1,1]], \n  cou\n}\nchess { board 8/8/8/4k3/8/8/8/4K2R move R mate }\nsolitaire";
    let mut c = Client::new(None, "utf-16");
    c.open(A, text);
    let mut seen = 0;
    for (line, row) in text.lines().enumerate() {
        for column in 0..=row.len() {
            let place = json!({"textDocument": document(A), "position": at(line as u32, column as u32)});
            for item in c.call("textDocument/completion", place)["items"].as_array().expect("items") {
                let (range, new) =
                    (&item["textEdit"]["range"], item["textEdit"]["newText"].as_str().expect("a text"));
                let start = range["start"]["character"].as_u64().expect("a column") as usize;
                let end = range["end"]["character"].as_u64().expect("a column") as usize;
                assert_eq!((&range["start"]["line"], &range["end"]["line"]), (&json!(line), &json!(line)));
                assert!(start <= column && column <= end, "{item}");
                // Only a word is replaced, and what follows it stays.
                assert!(!row[start..end].contains([' ', '"', '[', ']', ',']), "{item}");
                assert!(
                    end == column || new.ends_with(&row[column..end]),
                    "{item} eats {:?}",
                    &row[column..end]
                );
                seen += 1;
            }
        }
    }
    assert!(seen > 100);
}

#[test]
#[cfg(unix)]
fn workspace_cannot_set_commands_or_lead_outside() {
    let outside = folder(&[("secret.cpz", BAD)]);
    let w = folder(&[("a.cpz", GOOD), ("cpz.toml", "server = { path = '/bin/false' }\n")]);
    std::os::unix::fs::symlink(outside.path().join("secret.cpz"), w.path().join("link.cpz")).expect("a link");
    std::os::unix::fs::symlink(outside.path(), w.path().join("linked")).expect("a link");
    let mut c = Client::new(Some(w.path()), "utf-16");
    // A path in it is no setting.
    assert_eq!(codes(&c.findings(&uri(&w.path().join("cpz.toml")), None)), ["unknown-keyword"]);
    let id = c.ask("workspace/executeCommand", json!({"command": "/bin/false", "arguments": []}));
    assert_eq!(c.answer(id)["error"]["code"], -32602);
    // Nothing outside is read, not even where links lead.
    c.tell(
        "workspace/didChangeWatchedFiles",
        json!({"changes": [{"uri": uri(&outside.path().join("secret.cpz")), "type": 2}]}),
    );
    c.tell("textDocument/didSave", json!({"textDocument": document(&uri(&w.path().join("a.cpz")))}));
    assert_eq!(c.settle(&uri(&w.path().join("link.cpz"))), None);
    c.finish();
}

#[test]
fn long_searches_do_not_delay_edits() {
    let mut c = boundless();
    c.open(A, &format!("{ENDLESS}{BAD}"));
    // Findings that need no search come first, and after every edit.
    assert_eq!(codes(&c.findings(A, Some(1))), ["unsolvable"]);
    for i in 0..20 {
        c.change(A, 2 + i, insert(1, 0, " "));
        assert_eq!(codes(&c.findings(A, Some(2 + i))), ["unsolvable"]);
    }
    // Requests that search do not delay those that do not, and an edit cancels them.
    let hover = || json!({"textDocument": document(A), "position": at(0, 48)});
    let lens = |kind: &str| json!({"range": span((0, 48), (0, 53)), "data": {"kind": kind, "uri": A, "version": 21, "position": at(0, 48)}});
    let insert_all = || json!({"command": "cpz.insertAllAnswers", "arguments": [{"uri": A, "version": 21, "position": at(0, 0)}]});
    let mut busy: Vec<i64> = (0..8).map(|_| c.ask("textDocument/hover", hover())).collect();
    busy.extend(["Query", "Puzzle"].map(|kind| c.ask("codeLens/resolve", lens(kind))));
    let inserts = c.ask("workspace/executeCommand", insert_all());
    let keyword = json!({"textDocument": document(A), "position": at(0, 3)});
    assert!(c.call("textDocument/hover", keyword)["contents"]["value"].is_string());
    for (method, params) in whole(A) {
        c.call(method, params);
    }
    // The search of the new text ends although the first one was endless.
    let medium = format!("solitaire {{ rules solo board NNN. BBB. RRR. .... count => 5 }}\n{BAD}");
    c.change(A, 30, json!([{ "text": medium }]));
    assert_eq!(codes(&c.findings(A, Some(30))), ["unsolvable"]);
    assert_eq!(codes(&c.findings(A, Some(30))), ["wrong-answer", "unsolvable"]);
    for id in busy {
        assert_eq!(c.answer(id)["error"]["code"], -32801);
    }
    assert_eq!(c.answer(inserts)["result"], Value::Null);
    let notice = c.claim("a word about it", |m| m["method"] == "window/showMessage");
    assert!(notice["params"]["message"].as_str().expect("words").contains("changed"), "{notice}");
    c.finish();
    // A search that reaches its budget stops and is reported.
    let mut c = Client::start().begin(None, json!({"initializationOptions": {"budget": 50_000}}));
    c.open(A, ENDLESS);
    let mut found = c.findings(A, Some(1));
    while codes(&found) != ["undecided"] {
        found = c.findings(A, Some(1));
    }
    c.finish();
}

#[test]
fn cancel_works_while_all_workers_are_busy() {
    let mut c = boundless();
    c.open(A, ENDLESS);
    c.findings(A, Some(1));
    // These requests keep all threads for long requests busy.
    let wanted = json!({"textDocument": document(A), "position": at(0, 48)});
    let wanted: Vec<i64> = (0..4).map(|_| c.ask("textDocument/hover", wanted.clone())).collect();
    // More requests than threads, and each search is endless.
    let hover = || json!({"textDocument": document(A), "position": at(0, 48)});
    let busy: Vec<i64> = (0..40).map(|_| c.ask("textDocument/hover", hover())).collect();
    for id in &busy {
        c.tell("$/cancelRequest", json!({"id": id}));
    }
    for id in busy {
        assert_eq!(c.answer(id)["error"]["code"], -32800);
    }
    let keyword = json!({"textDocument": document(A), "position": at(0, 3)});
    assert!(c.call("textDocument/hover", keyword)["contents"]["value"].is_string());
    for id in &wanted {
        c.tell("$/cancelRequest", json!({"id": id}));
    }
    for id in wanted {
        assert_eq!(c.answer(id)["error"]["code"], -32800);
    }
    c.finish();
}

#[test]
fn hundreds_of_pending_requests_do_not_block_edits_or_shutdown() {
    let mut c = Client::spawn().begin(None, json!({"initializationOptions": {"budget": BOUNDLESS}}));
    c.open(A, ENDLESS);
    c.findings(A, Some(1));
    let hover = || json!({"textDocument": document(A), "position": at(0, 48)});
    let busy: Vec<i64> = (0..600).map(|_| c.ask("textDocument/hover", hover())).collect();
    // Edits are applied and their diagnostics published.
    c.open("untitled:b.cpz", BAD);
    assert_eq!(codes(&c.findings("untitled:b.cpz", Some(1))), ["unsolvable"]);
    for id in &busy[..300] {
        c.tell("$/cancelRequest", json!({"id": id}));
    }
    for id in &busy[..300] {
        assert_eq!(c.answer(*id)["error"]["code"], -32800);
    }
    c.tell("shutdown", Value::Null);
    let id = c.ask("shutdown", Value::Null);
    c.answer(id);
    c.tell("exit", Value::Null);
    assert_eq!(c.ends(), Some(0));
}

#[test]
fn header_variants_are_accepted() {
    let open = json!({"uri": A, "languageId": "cpz", "version": 1, "text": BAD});
    let body = json!({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": open}});
    let body = body.to_string();
    let n = body.len();
    for header in [
        format!("content-length: {n}\r\n\r\n"),
        format!("Content-Type: application/vscode-jsonrpc; charset=UTF-8\r\nContent-Length: {n}\r\n\r\n"),
        format!("Content-Length:{n}\r\nContent-Type: application/json\r\nX-A: b\r\nX-C: d\r\n\r\n"),
        format!("\r\nContent-Length: {n}\r\n\r\n"),
        format!("\u{feff}Content-Length: {n}\r\n\r\n"),
    ] {
        let mut c = Client::new(None, "utf-16");
        c.raw(header.as_bytes());
        c.raw(body.as_bytes());
        assert_eq!(codes(&c.findings(A, Some(1))), ["unsolvable"], "{header:?}");
        c.finish();
    }
}

#[test]
fn frames_may_arrive_in_pieces_or_together() {
    let mut c = Client::new(None, "utf-16");
    let open = json!({"uri": A, "languageId": "cpz", "version": 1, "text": BAD});
    let open =
        frame(&json!({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": open}}));
    for piece in open.chunks(7) {
        c.raw(piece);
    }
    assert_eq!(codes(&c.findings(A, Some(1))), ["unsolvable"]);
    c.finish();
}
