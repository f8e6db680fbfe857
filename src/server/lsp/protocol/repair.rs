//! Repairs the parameters of messages that break the protocol.
//!
//! tower-lsp drops a message with malformed parameters before a handler sees it. After a dropped edit the text of the
//! document is out of step, so malformed parameters are repaired where possible, and a lost edit is reported.

use ls_types::Uri;
use serde_json::{Map, Value};

/// The result of a repair.
pub(crate) enum Repaired {
    /// Valid parameters.
    Params(Value),
    /// An edit of the document with this URI that cannot be repaired.
    Lost(String),
}

/// Escapes the URIs in parameters and clamps their numbers to valid ranges.
pub(crate) fn repair(method: &str, mut params: Value) -> Repaired {
    if !params.is_object() && !params.is_array() {
        return Repaired::Params(params);
    }
    if method == "textDocument/didChange" {
        return did_change(params);
    }
    if method == "textDocument/didOpen" {
        if let Some(document) = params.get_mut("textDocument").and_then(Value::as_object_mut) {
            uri(document, "uri");
            version(document);
            document.entry("languageId").or_insert("cpz".into());
        }
        return Repaired::Params(params);
    }
    walk(&mut params, 0);
    Repaired::Params(params)
}

fn did_change(mut params: Value) -> Repaired {
    let name = params.pointer("/textDocument/uri").and_then(Value::as_str).map(escape).unwrap_or_default();
    if let Some(document) = params.get_mut("textDocument").and_then(Value::as_object_mut) {
        uri(document, "uri");
        version(document);
    }
    let Some(changes) = params.get_mut("contentChanges").and_then(Value::as_array_mut) else {
        return Repaired::Lost(name);
    };
    for change in changes {
        let Some(change) = change.as_object_mut().filter(|c| c.get("text").is_some_and(Value::is_string))
        else {
            return Repaired::Lost(name);
        };
        change.remove("rangeLength");
        if change.get("range").is_some_and(Value::is_null) {
            change.remove("range");
        }
        if !change.get_mut("range").is_none_or(repair_range) {
            return Repaired::Lost(name);
        }
    }
    Repaired::Params(params)
}

/// Clamps the numbers of a range. Returns whether the range is complete.
fn repair_range(range: &mut Value) -> bool {
    ["start", "end"].iter().all(|&end| {
        let position = range.get_mut(end).and_then(Value::as_object_mut);
        position.is_some_and(|p| ["line", "character"].iter().all(|&n| p.get_mut(n).is_some_and(unsigned)))
    })
}

/// Clamps a number to `uinteger` of the protocol. Returns false if the value is not a number.
fn unsigned(n: &mut Value) -> bool {
    match n.as_f64() {
        Some(f) if f >= 0.0 && f <= f64::from(i32::MAX) && n.is_u64() => true,
        Some(f) => {
            *n = (f.clamp(0.0, f64::from(i32::MAX)) as u32).into();
            true
        }
        None => false,
    }
}

fn version(document: &mut Map<String, Value>) {
    let known = document.get("version").and_then(Value::as_f64);
    let clamped = known.unwrap_or(0.0).clamp(f64::from(i32::MIN), f64::from(i32::MAX)) as i32;
    document.insert("version".into(), clamped.into());
}

/// Repairs the URIs and positions of messages other than `didOpen` and `didChange`.
fn walk(value: &mut Value, depth: u32) {
    if depth > 8 {
        return;
    }
    match value {
        Value::Object(map) => {
            for key in ["uri", "rootUri", "oldUri", "newUri"] {
                uri(map, key);
            }
            for key in ["line", "character"] {
                if let Some(n) = map.get_mut(key).filter(|n| n.is_number()) {
                    unsigned(n);
                }
            }
            map.iter_mut().filter(|(k, _)| *k != "capabilities").for_each(|(_, v)| walk(v, depth + 1));
        }
        Value::Array(list) => list.iter_mut().for_each(|v| walk(v, depth + 1)),
        _ => {}
    }
}

fn uri(map: &mut Map<String, Value>, key: &str) {
    if let Some(Value::String(text)) = map.get_mut(key) {
        let escaped = escape(text);
        if escaped != *text {
            *text = escaped;
        }
    }
}

/// Percent-encodes the characters that a URI may not contain: white space, brackets, quotes, non-ASCII letters.
pub(crate) fn escape(uri: &str) -> String {
    let escaped = escape_characters(uri);
    if escaped.parse::<Uri>().is_ok() {
        return escaped;
    }
    // If it is still invalid, turn the part after the scheme into a plain path without authority.
    let (scheme, rest) = escaped.split_once(':').unwrap_or(("untitled", &escaped));
    let mut out = format!("{scheme}:");
    for b in rest.bytes() {
        match b {
            b'#' | b'?' | b':' | b'@' | b'+' => out.push_str(&format!("%{b:02X}")),
            b'/' if out.ends_with([':', '/']) => out.push_str("%2F"),
            b => out.push(b.into()),
        }
    }
    if out.parse::<Uri>().is_ok() { out } else { escaped }
}

fn escape_characters(uri: &str) -> String {
    let mut out = String::with_capacity(uri.len());
    let bytes = uri.as_bytes();
    // A `file:` URI has no query and no fragment.
    let is_file = bytes.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case(b"file:"));
    for (i, &b) in bytes.iter().enumerate() {
        let hex = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_hexdigit);
        let is_valid = match b {
            b'%' => hex(i + 1) && hex(i + 2),
            b'[' | b']' | b'"' | b'<' | b'>' | b'\\' | b'^' | b'`' | b'{' | b'|' | b'}' => false,
            b'#' | b'?' => !is_file,
            _ => b.is_ascii_graphic(),
        };
        if is_valid {
            out.push(b.into());
        } else {
            out.push_str(&format!("%{b:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn uris_and_numbers_are_repaired() {
        assert_eq!(escape("file:///a b/[1]é%20%#?.cpz"), "file:///a%20b/%5B1%5D%C3%A9%20%25%23%3F.cpz");
        assert_eq!(escape("web:/a?b#c"), "web:/a?b#c");
        for odd in ["untitled:a#b#c", "vscode-remote://ssh-remote+host:abc/x.cpz"] {
            assert!(escape(odd).parse::<Uri>().is_ok(), "{odd}");
        }
        let range = json!({"start": {"line": -1, "character": 5e9}, "end": {"line": 1.0, "character": 2}});
        let malformed = json!({"textDocument": {"uri": "file:///a b", "version": null},
            "contentChanges": [{"range": range, "text": "x", "rangeLength": -4}]});
        let Repaired::Params(p) = repair("textDocument/didChange", malformed) else { panic!("lost") };
        assert_eq!(p["textDocument"], json!({"uri": "file:///a%20b", "version": 0}));
        let repaired =
            json!({"start": {"line": 0, "character": i32::MAX}, "end": {"line": 1, "character": 2}});
        assert_eq!(p["contentChanges"][0], json!({"range": repaired, "text": "x"}));
        let lost = json!({"textDocument": {"uri": "file:///a"}, "contentChanges": [{"text": 5}]});
        assert!(matches!(repair("textDocument/didChange", lost), Repaired::Lost(u) if u == "file:///a"));
    }
}
