//! The stream of messages before the library reads it.
//!
//! The library stops reading for good at the first message that it cannot decode. So only what it can
//! is handed on: what is broken in a known way is mended, and in the place of the rest goes a message of
//! our own, which is answered with an error.

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

/// The method that stands for a message that cannot be read.
pub(crate) const UNREADABLE: &str = "cpz/unreadable";

/// The longest message that is read: longer ones come of a broken header.
const MOST: usize = 1 << 31;
/// How much is read at a time.
const CHUNK: usize = 1 << 16;

/// Input that holds only messages that can be decoded. It is read as fast as it comes, whatever becomes of
/// it, so that the end of it and an `exit` are heard however much waits.
pub(crate) struct Frames {
    chunks: UnboundedReceiver<Vec<u8>>,
    /// What is handed on, and how much of it is gone.
    out: Vec<u8>,
    gone: usize,
}

impl Frames {
    /// Reads an input from now on.
    pub fn of(
        input: impl AsyncRead + Unpin + Send + 'static,
        life: Arc<Lifecycle>,
        texts: TextPlaceholders,
    ) -> Frames {
        let (sender, chunks) = unbounded_channel();
        tokio::spawn(pump(input, life, texts, sender));
        Frames { chunks, out: Vec::new(), gone: 0 }
    }
}

async fn pump(
    mut input: impl AsyncRead + Unpin,
    life: Arc<Lifecycle>,
    texts: TextPlaceholders,
    sender: UnboundedSender<Vec<u8>>,
) {
    let mut mender = Mender { raw: Vec::new(), texts };
    let mut chunk = vec![0; CHUNK];
    while let Ok(n @ 1..) = input.read(&mut chunk).await {
        mender.raw.extend_from_slice(&chunk[..n]);
        let mended = mender.advance(|method, is_request| life.hear(method, is_request));
        if !mended.is_empty() && sender.send(mended).is_err() {
            return;
        }
    }
    life.end();
}

impl AsyncRead for Frames {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        let this = &mut *self;
        if this.gone == this.out.len() {
            // Long messages are rare, and their room is not kept.
            this.out = Vec::new();
            this.gone = 0;
            let Some(chunk) = ready!(this.chunks.poll_recv(cx)) else { return Poll::Ready(Ok(())) };
            (this.out, this.gone) = (chunk, 0);
        }
        let n = buf.remaining().min(this.out.len() - this.gone);
        buf.put_slice(&this.out[this.gone..this.gone + n]);
        this.gone += n;
        Poll::Ready(Ok(()))
    }
}

/// Cuts what is read into messages.
struct Mender {
    /// What was read and not looked at yet.
    raw: Vec<u8>,
    /// Where long texts go.
    texts: TextPlaceholders,
}

impl Mender {
    /// The whole messages of what was read, each with a header that the library can read; `heard` is told
    /// of the method of each, and whether it is a request.
    fn advance(&mut self, mut heard: impl FnMut(&str, bool)) -> Vec<u8> {
        let (mut out, mut at) = (Vec::new(), 0);
        while let Some((header, length)) = header(&self.raw[at..]) {
            let Some(length) = length else {
                // A header that says nothing: what follows is taken for another.
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
                    heard(&method, is_request);
                    out.extend(frame(&text));
                }
                None => out.extend(unreadable(&self.raw[start..end])),
            }
            at = end;
        }
        self.raw.drain(..at);
        // No header is that long: what stands before its last part belongs to no message.
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

/// How long a header is, and how long it says that the message is; nothing while it is not all there.
fn header(raw: &[u8]) -> Option<(usize, Option<usize>)> {
    let end = find(raw, b"\r\n\r\n")?;
    let mut length = None;
    for line in raw[..end].split(|&b| b == b'\n') {
        let line = String::from_utf8_lossy(line).to_ascii_lowercase();
        // What stands before it is left from a message that was cut off.
        if let Some((_, value)) = line.rsplit_once("content-length:") {
            length = value.trim().parse().ok().filter(|&n: &usize| n <= MOST);
        }
    }
    Some((end + 4, length))
}

fn find(text: &[u8], what: &[u8]) -> Option<usize> {
    text.windows(what.len()).position(|w| w == what)
}

fn frame(body: &str) -> Vec<u8> {
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

/// What stands for a message that cannot be read: the request's number if it can be made out, whether it
/// is JSON at least, and of which document it was an edit, if it was one.
fn unreadable(body: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(body);
    let is_json = serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
    let loose = serde_json::from_str::<Loose>(&text).ok();
    let id = loose.as_ref().filter(|l| l.method.is_some()).and_then(|l| l.id.as_ref());
    let params = serde_json::json!({ "uri": uri_in(body), "json": is_json, "id": id });
    let message = serde_json::json!({"jsonrpc": "2.0", "id": null, "method": UNREADABLE, "params": params});
    frame(&message.to_string())
}

/// A message as it can be decoded, as it is or mended, with its method and whether it is a request.
fn readable(body: &[u8]) -> Option<(Cow<'_, str>, String, bool)> {
    let mut text = String::from_utf8_lossy(body);
    let found = method(&text).or_else(|| {
        text = Cow::Owned(mend_surrogates(&text));
        method(&text)
    });
    found.map(|(method, is_request)| (text, method, is_request))
}

/// Halves of surrogate pairs, which editors send when a pair is parted, become U+FFFD: as long in UTF-16.
fn mend_surrogates(text: &str) -> String {
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

/// The method of a message that the library can decode, and whether it is a request.
fn method(text: &str) -> Option<(String, bool)> {
    let is_object = text.trim_start().starts_with('{');
    if !is_object || serde_json::from_str::<Discard>(text).is_err() {
        return None;
    }
    let shape = serde_json::from_str::<Shape<'_>>(text).ok().filter(|s| s.jsonrpc == "2.0")?;
    Some((shape.method.into_owned(), shape.id.is_some()))
}

/// What a message must have, for it to be one.
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

/// What a message may have that is none: whatever is deep or long in it is not looked at.
#[derive(Deserialize)]
struct Loose {
    id: Option<Id>,
    method: Option<serde::de::IgnoredAny>,
}

/// The URI in a broken edit, if it can be made out.
fn uri_in(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    if !text.contains("textDocument/didChange") && !text.contains(r"textDocument\/didChange") {
        return String::new();
    }
    let behind = |text: &'_ str, name: &str| {
        let at = text.find(name)? + name.len();
        Some(text[at..].trim_start().strip_prefix(':')?.to_string())
    };
    let document = behind(&text, "\"textDocument\"");
    let value = document.and_then(|document| behind(&document, "\"uri\""));
    // Whatever stands behind it may be torn.
    let read = |value: String| serde_json::Deserializer::from_str(&value).into_iter().next()?.ok();
    value.and_then(read).unwrap_or_default()
}

/// Any JSON, read as a value is, with its limits of depth and number, and thrown away.
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
    fn halves_of_pairs_are_mended_and_pairs_stay() {
        let odd = r#"{"jsonrpc":"2.0","method":"a","params":["\ud83d\ude00 \ud83d \ude00\\ud83d"]}"#;
        let (mended, ..) = readable(odd.as_bytes()).expect("a message");
        assert_eq!(mended, odd.replace(r"\ud83d \ude00", r"\ufffd \ufffd"));
        assert_eq!(mended.len(), odd.len());
    }

    #[test]
    fn what_is_handed_on_can_be_decoded() {
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
    fn what_cannot_be_read_says_whose_it_was() {
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
        /// Whatever comes, in whatever pieces: what is handed on is whole messages, and a good message
        /// behind it is among them.
        #[test]
        fn a_good_message_behind_anything_is_handed_on(
            odd in prop::collection::vec(any::<u8>(), 0..40), wrong_length in 0usize..60, pieces in 1usize..50
        ) {
            let good = r#"{"jsonrpc":"2.0","method":"good"}"#;
            let mut all = format!("Content-Length: {}\r\n\r\n", odd.len()).into_bytes();
            all.extend(&odd);
            all.extend(format!("Content-Length: {wrong_length}\r\nX: y\r\n\r\n").into_bytes());
            all.extend(vec![b' '; wrong_length]);
            all.extend(b"X: nothing\r\n\r\n");
            all.extend(frame(good));
            let (mut mender, mut mended) = (Mender { raw: Vec::new(), texts: TextPlaceholders::new() }, Vec::new());
            for piece in all.chunks(pieces) {
                mender.raw.extend_from_slice(piece);
                mended.extend(mender.advance(|_, _| ()));
            }
            let mut out = &mended[..];
            let mut last = String::new();
            while !out.is_empty() {
                let (start, length) = header(out).expect("a header");
                let end = start + length.expect("a length");
                // The only header that every reader reads.
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
