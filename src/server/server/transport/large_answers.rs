//! Keeps large answers out of tower-lsp, which makes a tree of values of each answer: for the lenses of a long text that takes
//! twenty times the memory of their JSON, which stays with the process. A handler returns a placeholder, and the output has
//! the answer in its place.

use std::hash::{BuildHasher, RandomState};
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};

use rustc_hash::FxHashMap;
use tokio::io::AsyncWrite;

use crate::server::transport::frames::header;

/// The answers that are not written yet, as JSON, by placeholder.
#[derive(Clone)]
pub(crate) struct LargeAnswers {
    pending: Arc<Mutex<FxHashMap<String, String>>>,
    /// The number of placeholders made, which makes them unique.
    count: Arc<AtomicU64>,
    /// The start of every placeholder. It is random, so that no other answer has one.
    prefix: Arc<str>,
}

impl LargeAnswers {
    pub fn new() -> LargeAnswers {
        let prefix = format!("cpz/answer/{:016x}/", RandomState::new().hash_one(std::process::id()));
        LargeAnswers { pending: Arc::default(), count: Arc::default(), prefix: prefix.into() }
    }

    /// Keeps an answer, and returns its placeholder.
    pub fn keep(&self, json: String) -> String {
        let placeholder = format!("{}{}", self.prefix, self.count.fetch_add(1, Ordering::Relaxed));
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        pending.insert(placeholder.clone(), json);
        placeholder
    }

    /// A message with the answer in the place of its placeholder; `None` if it has none.
    fn put_back(&self, message: &[u8]) -> Option<String> {
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        if pending.is_empty() {
            return None;
        }
        let message = std::str::from_utf8(message).ok()?;
        let (before, rest) = message.split_once(&format!("\"{}", self.prefix))?;
        let (number, behind) = rest.split_once('"')?;
        let answer = pending.remove(&format!("{}{number}", self.prefix))?;
        Some(format!("{before}{answer}{behind}"))
    }
}

/// An output that has the answers in the places of their placeholders.
pub(crate) struct AnswerWriter<W> {
    inner: W,
    answers: LargeAnswers,
    /// The part of a message that has been taken so far.
    raw: Vec<u8>,
    /// What is to be written, and the number of bytes of it that are.
    out: Vec<u8>,
    written: usize,
}

impl<W: AsyncWrite + Unpin> AnswerWriter<W> {
    pub fn new(inner: W, answers: LargeAnswers) -> AnswerWriter<W> {
        AnswerWriter { inner, answers, raw: Vec::new(), out: Vec::new(), written: 0 }
    }

    /// Moves the complete messages from `raw` to `out`.
    fn advance(&mut self) {
        let mut at = 0;
        while let Some((head, Some(length))) = header(&self.raw[at..]) {
            let (start, end) = (at + head, at + head + length);
            let Some(body) = self.raw.get(start..end) else { break };
            match self.answers.put_back(body) {
                Some(message) => {
                    self.out.extend(format!("Content-Length: {}\r\n\r\n", message.len()).into_bytes());
                    self.out.extend(message.into_bytes());
                }
                None => self.out.extend_from_slice(&self.raw[at..end]),
            }
            at = end;
        }
        self.raw.drain(..at);
    }

    fn poll_drain(&mut self, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        while self.written < self.out.len() {
            let n = ready!(Pin::new(&mut self.inner).poll_write(cx, &self.out[self.written..]))?;
            if n == 0 {
                return Poll::Ready(Err(std::io::ErrorKind::WriteZero.into()));
            }
            self.written += n;
        }
        // Frees the memory of a long message.
        (self.out, self.written) = (Vec::new(), 0);
        Poll::Ready(Ok(()))
    }
}

impl<W: AsyncWrite + Unpin> AsyncWrite for AnswerWriter<W> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<std::io::Result<usize>> {
        // What was taken before goes first, so that a slow client is not given more than it reads.
        ready!(self.poll_drain(cx))?;
        self.raw.extend_from_slice(buf);
        self.advance();
        match self.poll_drain(cx) {
            Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
            _ => Poll::Ready(Ok(buf.len())),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        ready!(self.poll_drain(cx))?;
        Pin::new(&mut self.inner).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        ready!(self.poll_drain(cx))?;
        Pin::new(&mut self.inner).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    #[tokio::test]
    async fn an_answer_takes_the_place_of_its_placeholder() {
        let answers = LargeAnswers::new();
        // Shorter than an answer, so that the output has to wait for the reader.
        let (near, mut far) = tokio::io::duplex(100);
        let mut writer = AnswerWriter::new(near, answers.clone());
        let frame = |body: &str| format!("Content-Length: {}\r\n\r\n{body}", body.len());
        let answer = |i: usize| format!("[{}0]", format!("{i}, ").repeat(1000));
        let response =
            |id: usize, result: &str| format!(r#"{{"jsonrpc":"2.0","result":{result},"id":{id}}}"#);
        let first = answers.keep(answer(1));
        let second = answers.keep(answer(2));
        let sent = [
            frame(&response(1, r#"{"é":"cpz/answer/"}"#)),
            frame(&response(2, &format!("\"{second}\""))),
            frame(&response(3, &format!("\"{first}\""))),
            frame(&response(4, "null")),
        ];
        let expected = [
            frame(&response(1, r#"{"é":"cpz/answer/"}"#)),
            frame(&response(2, &answer(2))),
            frame(&response(3, &answer(1))),
            frame(&response(4, "null")),
        ];
        let writing = tokio::spawn(async move {
            // In pieces that end anywhere.
            for piece in sent.concat().as_bytes().chunks(7) {
                writer.write_all(piece).await.expect("written");
            }
            writer.shutdown().await.expect("closed");
        });
        let mut received = String::new();
        far.read_to_string(&mut received).await.expect("read");
        writing.await.expect("no panic");
        assert_eq!(received, expected.concat());
        assert!(answers.pending.lock().unwrap().is_empty());
    }
}
