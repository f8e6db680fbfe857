//! The stream of messages before tower-lsp reads it.
//!
//! tower-lsp stops reading for good at the first message that it cannot decode. So only messages that it can decode
//! are passed on: known faults are repaired, and any other broken message is replaced by a message with the
//! method `UNREADABLE`, which the middleware answers with an error.

use std::borrow::Cow;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use tokio::io::{AsyncRead, AsyncReadExt, ReadBuf};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::server::transport::large_texts::TextPlaceholders;
use crate::server::transport::lifecycle::Lifecycle;

/// The method of the message that replaces an unreadable one.
pub(crate) const UNREADABLE: &str = "cpz/unreadable";

/// The longest message, in bytes. A larger `Content-Length` is taken for a broken header.
const MAX_MESSAGE: usize = 1 << 31;
/// The number of bytes read at a time.
const CHUNK: usize = 1 << 16;

/// An input with decodable messages only. A task reads the original input as fast as it arrives, so that `exit` and
/// the end of the input are noticed even if many messages are pending.
pub(crate) struct Frames {
    chunks: UnboundedReceiver<Vec<u8>>,
    /// The current chunk, and the number of its bytes that were read.
    chunk: Vec<u8>,
    consumed: usize,
}

impl Frames {
    /// Starts the task that reads `input`.
    pub fn new(
        input: impl AsyncRead + Unpin + Send + 'static,
        lifecycle: Arc<Lifecycle>,
        texts: TextPlaceholders,
    ) -> Frames {
        let (sender, chunks) = unbounded_channel();
        tokio::spawn(repair_input(input, lifecycle, texts, sender));
        Frames { chunks, chunk: Vec::new(), consumed: 0 }
    }
}

async fn repair_input(
    mut input: impl AsyncRead + Unpin,
    lifecycle: Arc<Lifecycle>,
    texts: TextPlaceholders,
    sender: UnboundedSender<Vec<u8>>,
) {
    let mut splitter = Splitter { raw: Vec::new(), texts };
    let mut chunk = vec![0; CHUNK];
    while let Ok(n @ 1..) = input.read(&mut chunk).await {
        splitter.raw.extend_from_slice(&chunk[..n]);
        let messages = splitter.advance(|method, is_request| lifecycle.observe(method, is_request));
        if !messages.is_empty() && sender.send(messages).is_err() {
            return;
        }
    }
    lifecycle.end();
}

impl AsyncRead for Frames {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        let this = &mut *self;
        if this.consumed == this.chunk.len() {
            // Free the memory of a long message.
            this.chunk = Vec::new();
            this.consumed = 0;
            let Some(chunk) = ready!(this.chunks.poll_recv(cx)) else { return Poll::Ready(Ok(())) };
            (this.chunk, this.consumed) = (chunk, 0);
        }
        let n = buf.remaining().min(this.chunk.len() - this.consumed);
        buf.put_slice(&this.chunk[this.consumed..this.consumed + n]);
        this.consumed += n;
        Poll::Ready(Ok(()))
    }
}

/// Splits the input into messages and repairs them.
struct Splitter {
    /// The bytes read that belong to no complete message yet.
    raw: Vec<u8>,
    texts: TextPlaceholders,
}

impl Splitter {
    /// Takes the complete messages out of `raw`, each with a header that tower-lsp can read. Calls `observe` with the
    /// method of each and whether it is a request.
    fn advance(&mut self, mut observe: impl FnMut(&str, bool)) -> Vec<u8> {
        let (mut out, mut at) = (Vec::new(), 0);
        while let Some((header, length)) = header(&self.raw[at..]) {
            let Some(length) = length else {
                // The header has no valid length: the next bytes are read as another header.
                out.extend(unreadable(b""));
                at += header;
                continue;
            };
            let (start, end) = (at + header, at + header + length);
            if self.raw.len() < end {
                self.raw.reserve(end - self.raw.len());
                break;
            }
            if let Some(message) = self.texts.take_out(&self.raw[start..end]) {
                out.extend(frame(&message));
                at = end;
                continue;
            }
            match readable(&self.raw[start..end]) {
                Some((text, method, is_request)) => {
                    observe(&method, is_request);
                    out.extend(frame(&text));
                }
                None => out.extend(unreadable(&self.raw[start..end])),
            }
            at = end;
        }
        self.raw.drain(..at);
        // No header is as long as that: drop the bytes before the last chunk.
        if self.raw.len() > 2 * CHUNK && header(&self.raw[..2 * CHUNK]).is_none() {
            out.extend(unreadable(b""));
            self.raw.drain(..self.raw.len() - CHUNK);
        }
        if self.raw.is_empty() && self.raw.capacity() > 16 * CHUNK {
            self.raw = Vec::new();
        }
        out
    }
}

/// The length of the header, and of the message after it if the header has a valid length. `None` if the header is
/// incomplete.
pub(super) fn header(raw: &[u8]) -> Option<(usize, Option<usize>)> {
    let end = find(raw, b"\r\n\r\n")?;
    let mut length = None;
    for line in raw[..end].split(|&b| b == b'\n') {
        let line = String::from_utf8_lossy(line).to_ascii_lowercase();
        // The text before it is the rest of a truncated message.
        if let Some((_, value)) = line.rsplit_once("content-length:") {
            length = value.trim().parse().ok().filter(|&n: &usize| n <= MAX_MESSAGE);
        }
    }
    Some((end + 4, length))
}

fn find(text: &[u8], pattern: &[u8]) -> Option<usize> {
    text.windows(pattern.len()).position(|w| w == pattern)
}

fn frame(body: &str) -> Vec<u8> {
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

/// The replacement of an unreadable message. Its parameters: the id of the request if it can be found, whether the
/// message is JSON, and the URI of the document if it was an edit.
fn unreadable(body: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(body);
    let is_json = serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
    let partial = serde_json::from_str::<PartialMessage>(&text).ok();
    let id = partial.as_ref().filter(|m| m.method.is_some()).and_then(|m| m.id.as_ref());
    let params = serde_json::json!({ "uri": uri_in(body), "json": is_json, "id": id });
    let message = serde_json::json!({"jsonrpc": "2.0", "id": null, "method": UNREADABLE, "params": params});
    frame(&message.to_string())
}

/// A message that can be decoded, repaired if necessary, with its method and whether it is a request.
fn readable(body: &[u8]) -> Option<(Cow<'_, str>, String, bool)> {
    let mut text = String::from_utf8_lossy(body);
    let found = method(&text).or_else(|| {
        text = Cow::Owned(repair_surrogates(&text));
        method(&text)
    });
    found.map(|(method, is_request)| (text, method, is_request))
}

/// Replaces lone surrogates, which editors send when an edit splits a pair, by U+FFFD, which has the same length in
/// UTF-16.
fn repair_surrogates(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = bytes.to_vec();
    let unit = |at: usize| {
        let is_escape = bytes.get(at) == Some(&b'\\') && bytes.get(at + 1) == Some(&b'u');
        let hex = text.get(at + 2..at + 6).filter(|_| is_escape)?;
        u32::from_str_radix(hex, 16).ok()
    };
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] != b'\\' {
            at += 1;
            continue;
        }
        match unit(at) {
            Some(0xD800..=0xDBFF) if matches!(unit(at + 6), Some(0xDC00..=0xDFFF)) => at += 12,
            Some(0xD800..=0xDFFF) => {
                out[at + 2..at + 6].copy_from_slice(b"fffd");
                at += 6;
            }
            Some(_) => at += 6,
            None => at += 2,
        }
    }
    String::from_utf8(out).unwrap_or_else(|_| text.to_string())
}

/// The method of a message that tower-lsp can decode, and whether it is a request.
fn method(text: &str) -> Option<(String, bool)> {
    let is_object = text.trim_start().starts_with('{');
    if !is_object || serde_json::from_str::<Discard>(text).is_err() {
        return None;
    }
    let shape = serde_json::from_str::<Shape<'_>>(text).ok().filter(|s| s.jsonrpc == "2.0")?;
    Some((shape.method.into_owned(), shape.id.is_some()))
}

/// The fields that make a JSON object a message.
#[derive(Deserialize)]
struct Shape<'a> {
    #[serde(borrow)]
    jsonrpc: Cow<'a, str>,
    #[serde(borrow, default)]
    method: Cow<'a, str>,
    #[serde(default)]
    id: Option<Id>,
    #[serde(default, rename = "params")]
    _params: serde::de::IgnoredAny,
}

#[derive(Deserialize, serde::Serialize)]
#[serde(untagged)]
enum Id {
    Number(i64),
    Text(String),
}

/// The id and method of an unreadable message. Its other fields are skipped without limits of depth or number.
#[derive(Deserialize)]
struct PartialMessage {
    id: Option<Id>,
    method: Option<serde::de::IgnoredAny>,
}

/// The URI of the document in a broken edit; empty if it cannot be found.
fn uri_in(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    if !text.contains("textDocument/didChange") && !text.contains(r"textDocument\/didChange") {
        return String::new();
    }
    let after_key = |text: &'_ str, name: &str| {
        let at = text.find(name)? + name.len();
        Some(text[at..].trim_start().strip_prefix(':')?.to_string())
    };
    let document = after_key(&text, "\"textDocument\"");
    let value = document.and_then(|document| after_key(&document, "\"uri\""));
    // The text after it may be truncated.
    let read = |value: String| serde_json::Deserializer::from_str(&value).into_iter().next()?.ok();
    value.and_then(read).unwrap_or_default()
}

/// Any JSON value, parsed with the limits of `serde_json::Value` and discarded.
struct Discard;

impl<'de> Deserialize<'de> for Discard {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Discard, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Discard;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("JSON")
            }

            fn visit_bool<E: Error>(self, _: bool) -> Result<Discard, E> {
                Ok(Discard)
            }

            fn visit_i64<E: Error>(self, _: i64) -> Result<Discard, E> {
                Ok(Discard)
            }

            fn visit_u64<E: Error>(self, _: u64) -> Result<Discard, E> {
                Ok(Discard)
            }

            fn visit_f64<E: Error>(self, _: f64) -> Result<Discard, E> {
                Ok(Discard)
            }

            fn visit_str<E: Error>(self, _: &str) -> Result<Discard, E> {
                Ok(Discard)
            }

            fn visit_unit<E: Error>(self) -> Result<Discard, E> {
                Ok(Discard)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Discard, A::Error> {
                while list.next_element::<Discard>()?.is_some() {}
                Ok(Discard)
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Discard, A::Error> {
                while map.next_entry::<Discard, Discard>()?.is_some() {}
                Ok(Discard)
            }
        }
        deserializer.deserialize_any(Any)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tower_lsp::jsonrpc::Request;

    #[test]
    fn lone_surrogates_are_replaced() {
        let odd = r#"{"jsonrpc":"2.0","method":"a","params":["\ud83d\ude00 \ud83d \ude00\\ud83d"]}"#;
        let (repaired, ..) = readable(odd.as_bytes()).expect("a message");
        assert_eq!(repaired, odd.replace(r"\ud83d \ude00", r"\ufffd \ufffd"));
        assert_eq!(repaired.len(), odd.len());
    }

    #[test]
    fn readable_messages_can_be_decoded() {
        let deep =
            format!(r#"{{"jsonrpc":"2.0","method":"a","params":{}1{}}}"#, "[".repeat(200), "]".repeat(200));
        let odd = [
            "",
            "{",
            "[]",
            "5",
            "null",
            "{}",
            "{\"jsonrpc\":2}",
            "{\"jsonrpc\":\"1.0\"}",
            &deep,
            r#"{"jsonrpc":"2.0","method":5}"#,
            r#"{"jsonrpc":"2.0","id":1.5}"#,
            r#"["2.0","a",null,1]"#,
            r#"{"jsonrpc":"2.0","params":1e999}"#,
            r#"{"jsonrpc":"2.0","method":"a","method":"b"}"#,
        ];
        for odd in odd {
            assert_eq!(readable(odd.as_bytes()), None, "{odd}");
        }
        for good in [r#"{"jsonrpc":"2.0"}"#, r#" {"jsonrpc":"2.0","id":null,"method":"x","more":[{}]}"#] {
            assert!(
                serde_json::from_str::<Request>(good).is_ok() && readable(good.as_bytes()).is_some(),
                "{good}"
            );
        }
    }

    #[test]
    fn unreadable_message_keeps_id_and_uri() {
        let of = |body: &str| {
            let frame = unreadable(body.as_bytes());
            let body = &frame[header(&frame).expect("a header").0..];
            serde_json::from_slice::<serde_json::Value>(body).expect("JSON")["params"].clone()
        };
        let deep = format!(
            r#"{{"jsonrpc":"2.0","id":7,"method":"a","params":{}1{}}}"#,
            "[".repeat(200),
            "]".repeat(200)
        );
        assert_eq!(of(&deep)["id"], 7);
        assert_eq!(of(r#"{"jsonrpc":"2.0","id":"x","method":"a","params":1e999}"#)["id"], "x");
        assert_eq!(of(r#"{"jsonrpc":"2.0","id":7,"result":1e999}"#)["id"], serde_json::Value::Null);
        let torn = r#"{"id":"uri","method":"textDocument\/didChange","params":{"textDocument":{"version":2,"uri" : "file:\/\/\/\u0061.cpz"},"contentChanges":[{"text":"\x"}"#;
        assert_eq!(of(torn), serde_json::json!({"uri": "file:///a.cpz", "json": false, "id": null}));
    }

    proptest! {
        /// For any input in chunks of any size: the output is complete messages, and a good message after the
        /// input is one of them.
        #[test]
        fn good_message_after_any_bytes_is_passed_on(
            odd in prop::collection::vec(any::<u8>(), 0..40), wrong_length in 0usize..60, pieces in 1usize..50
        ) {
            let good = r#"{"jsonrpc":"2.0","method":"good"}"#;
            let mut all = format!("Content-Length: {}\r\n\r\n", odd.len()).into_bytes();
            all.extend(&odd);
            all.extend(format!("Content-Length: {wrong_length}\r\nX: y\r\n\r\n").into_bytes());
            all.extend(vec![b' '; wrong_length]);
            all.extend(b"X: nothing\r\n\r\n");
            all.extend(frame(good));
            let (mut splitter, mut messages) = (Splitter { raw: Vec::new(), texts: TextPlaceholders::new() }, Vec::new());
            for piece in all.chunks(pieces) {
                splitter.raw.extend_from_slice(piece);
                messages.extend(splitter.advance(|_, _| ()));
            }
            let mut out = &messages[..];
            let mut last = String::new();
            while !out.is_empty() {
                let (start, length) = header(out).expect("a header");
                let end = start + length.expect("a length");
                // The only form of the header that every reader accepts.
                let wanted = format!("Content-Length: {}\r\n\r\n", end - start);
                prop_assert!(out.starts_with(wanted.as_bytes()));
                let body = std::str::from_utf8(&out[start..end]).expect("text");
                prop_assert!(serde_json::from_str::<Request>(body).is_ok(), "{}", body);
                last = body.to_string();
                out = &out[end..];
            }
            prop_assert_eq!(last, good);
        }
    }
}
