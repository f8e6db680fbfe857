//! Long texts on their way round the library, which would hold each of them several times and keep the room.

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use ropey::{Rope, RopeBuilder};
use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// The length of a message, in bytes, from which on its text goes another way.
const LONG: usize = 1 << 16;

/// The texts that are on their way, by the words that stand for them.
#[derive(Clone)]
pub(crate) struct TextPlaceholders {
    on_the_way: Arc<Mutex<FxHashMap<String, Rope>>>,
    /// How many there were.
    count: Arc<AtomicU64>,
    /// What no text of a client begins with by chance.
    sign: Arc<str>,
}

/// A `didOpen`, as far as it is needed to hand on all but its text.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Opening<'a> {
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
    /// As it is written in the message: unescaped it would be there twice.
    #[serde(borrow)]
    text: &'a RawValue,
}

/// How much of a text is unescaped at a time, in bytes.
const PIECE: usize = 1 << 16;

/// The text of a JSON string.
fn unescaped(written: &RawValue) -> Option<Rope> {
    let mut rest = written.get().strip_prefix('"')?.strip_suffix('"')?;
    let mut rope = RopeBuilder::new();
    while !rest.is_empty() {
        // No escape has a space in it.
        let space = rest.bytes().skip(PIECE).position(|b| b == b' ');
        let (piece, others) = rest.split_at(space.map_or(rest.len(), |i| PIECE + i));
        rope.append(&serde_json::from_str::<String>(&format!("\"{piece}\"")).ok()?);
        rest = others;
    }
    Some(rope.finish())
}

impl TextPlaceholders {
    pub fn new() -> TextPlaceholders {
        let sign = format!("\u{1}cpz/long/{:016x}/", RandomState::new().hash_one(std::process::id()));
        TextPlaceholders { on_the_way: Arc::default(), count: Arc::default(), sign: sign.into() }
    }

    /// Takes the text out of a message that opens a long one: the message without it.
    pub fn take_out(&self, message: &[u8]) -> Option<String> {
        if message.len() < LONG {
            return None;
        }
        let message = std::str::from_utf8(message).ok().filter(|m| m.contains("didOpen"))?;
        let opening = serde_json::from_str::<Opening>(message).ok()?;
        let is_open = opening.jsonrpc == "2.0" && opening.method == "textDocument/didOpen";
        if !is_open || opening.id.is_some() {
            return None;
        }
        let Document { uri, language_id, version, text } = opening.params.text_document;
        let rope = unescaped(text)?;
        let mut kept = self.on_the_way.lock().unwrap_or_else(PoisonError::into_inner);
        let word = format!("{}{}", self.sign, self.count.fetch_add(1, Ordering::Relaxed));
        kept.insert(word.clone(), rope);
        let document = json!({"uri": uri, "languageId": language_id, "version": version, "text": word});
        let params = json!({ "textDocument": document });
        Some(json!({"jsonrpc": "2.0", "method": opening.method, "params": params}).to_string())
    }

    /// The text that words stand for, or the words themselves.
    pub fn put_back(&self, text: &str) -> Rope {
        let mut kept = self.on_the_way.lock().unwrap_or_else(PoisonError::into_inner);
        kept.remove(text).unwrap_or_else(|| Rope::from_str(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_arrives_whole() {
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
            let words = document["text"].as_str().expect("words");
            assert!(words.len() < 100);
            assert_eq!(texts.put_back(words).to_string(), format!("{i}{text}"));
        };
        let (first, second) = (hand_on(0), hand_on(1));
        arrives(0, first);
        // One that comes now takes the place of none.
        let third = hand_on(2);
        arrives(1, second);
        arrives(2, third);
        assert_eq!(texts.put_back("short").to_string(), "short");
    }
}
