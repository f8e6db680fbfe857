//! Failures of a language server that lose work or trust: each test shows that one cannot happen. The promises
//! are listed in docs/trust.md.

mod diagnostics;
mod formatting;
mod messages;
mod process;

use std::collections::BTreeSet;
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

/// The examples, and texts that are hard to keep together.
fn samples() -> Vec<String> {
    let mut texts: Vec<String> = examples().into_iter().map(|(_, text)| text).collect();
    texts.push(
        "solitaire  \"a {  board ...N.....R....B.  solve\n}\n  // 😀\nsolitaire {board [[1,2 solve }\n\""
            .into(),
    );
    texts
}
