//! Replaces the text of a large `didOpen` by a placeholder, because tower-lsp would copy the text several times and
//! keep the memory.

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use ropey::{Rope, RopeBuilder};
use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// The length of a message, in bytes, from which on its text is replaced.
const MIN_LENGTH: usize = 1 << 16;

/// The texts that the handler of `didOpen` has not taken yet, by placeholder.
#[derive(Clone)]
pub(crate) struct TextPlaceholders {
    pending: Arc<Mutex<FxHashMap<String, Rope>>>,
    /// The number of placeholders made, which makes them unique.
    count: Arc<AtomicU64>,
    /// The start of every placeholder. It is random, so no text of a client is equal to a placeholder.
    prefix: Arc<str>,
}

/// The fields of a `didOpen` that are passed on.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct DidOpen<'a> {
    jsonrpc: String,
    method: String,
    id: Option<Value>,
    #[serde(borrow)]
    params: Params<'a>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Params<'a> {
    #[serde(borrow)]
    text_document: Document<'a>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Document<'a> {
    uri: Value,
    #[serde(default)]
    language_id: Value,
    #[serde(default)]
    version: Value,
    /// The JSON string as in the message: an unescaped copy would take the memory twice.
    #[serde(borrow)]
    text: &'a RawValue,
}

/// The number of bytes unescaped at a time, at least.
const CHUNK: usize = 1 << 16;

/// The text of a JSON string.
fn unescape(json: &RawValue) -> Option<Rope> {
    let mut rest = json.get().strip_prefix('"')?.strip_suffix('"')?;
    let mut rope = RopeBuilder::new();
    while !rest.is_empty() {
        // An escape has no space in it, so a chunk may end before one.
        let space = rest.bytes().skip(CHUNK).position(|b| b == b' ');
        let (piece, others) = rest.split_at(space.map_or(rest.len(), |i| CHUNK + i));
        rope.append(&serde_json::from_str::<String>(&format!("\"{piece}\"")).ok()?);
        rest = others;
    }
    Some(rope.finish())
}

impl TextPlaceholders {
    pub fn new() -> TextPlaceholders {
        let prefix = format!("\u{1}cpz/long/{:016x}/", RandomState::new().hash_one(std::process::id()));
        TextPlaceholders { pending: Arc::default(), count: Arc::default(), prefix: prefix.into() }
    }

    /// The message with a placeholder for its text; `None` if it is no large `didOpen`.
    pub fn take_out(&self, message: &[u8]) -> Option<String> {
        if message.len() < MIN_LENGTH {
            return None;
        }
        let message = std::str::from_utf8(message).ok().filter(|m| m.contains("didOpen"))?;
        let opening = serde_json::from_str::<DidOpen>(message).ok()?;
        let is_open = opening.jsonrpc == "2.0" && opening.method == "textDocument/didOpen";
        if !is_open || opening.id.is_some() {
            return None;
        }
        let Document { uri, language_id, version, text } = opening.params.text_document;
        let rope = unescape(text)?;
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        let placeholder = format!("{}{}", self.prefix, self.count.fetch_add(1, Ordering::Relaxed));
        pending.insert(placeholder.clone(), rope);
        let document =
            json!({"uri": uri, "languageId": language_id, "version": version, "text": placeholder});
        let params = json!({ "textDocument": document });
        Some(json!({"jsonrpc": "2.0", "method": opening.method, "params": params}).to_string())
    }

    /// The text of a placeholder, or else the argument itself.
    pub fn put_back(&self, text: &str) -> Rope {
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        pending.remove(text).unwrap_or_else(|| Rope::from_str(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_text_is_replaced_and_put_back() {
        let texts = TextPlaceholders::new();
        let text = "😀 \"é\"\r\n".repeat(20_000);
        let of = |method: &str, text: &str| {
            let document = json!({"uri": "file:///a b", "languageId": "cpz", "version": 3, "text": text});
            json!({"jsonrpc": "2.0", "method": method, "params": {"textDocument": document}}).to_string()
        };
        let take_out = |method: &str, text: &str| texts.take_out(of(method, text).as_bytes());
        assert_eq!(take_out("textDocument/didOpen", "short"), None);
        assert_eq!(take_out("textDocument/didClose", &text), None);
        let hand_on = |i: usize| -> Value {
            let message = take_out("textDocument/didOpen", &format!("{i}{text}")).expect("a message");
            serde_json::from_str(&message).expect("JSON")
        };
        let arrives = |i: usize, message: Value| {
            let document = &message["params"]["textDocument"];
            assert_eq!((&document["uri"], &document["version"]), (&json!("file:///a b"), &json!(3)));
            let placeholder = document["text"].as_str().expect("a placeholder");
            assert!(placeholder.len() < 100);
            assert_eq!(texts.put_back(placeholder).to_string(), format!("{i}{text}"));
        };
        let (first, second) = (hand_on(0), hand_on(1));
        arrives(0, first);
        // A new text does not overwrite a pending one.
        let third = hand_on(2);
        arrives(1, second);
        arrives(2, third);
        assert_eq!(texts.put_back("short").to_string(), "short");
    }
}
