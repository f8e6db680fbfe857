//! The server over its pipes: arbitrary bytes, and sessions of edits.

use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Read, Write};
use std::thread::JoinHandle;

use serde_json::{Value, json};

const DOCUMENT: &str = "untitled:a.cpz";

/// A server in this process, with its pipes.
struct Server {
    thread: JoinHandle<i32>,
    input: PipeWriter,
    output: BufReader<PipeReader>,
    next: i64,
}

impl Server {
    fn start(encoding: &str) -> Server {
        let (read, input) = std::io::pipe().expect("a pipe");
        let (output, write) = std::io::pipe().expect("a pipe");
        let thread = std::thread::spawn(move || cpz::server::serve(read, write));
        let mut server = Server { thread, input, output: BufReader::new(output), next: 0 };
        let general = json!({"positionEncodings": [encoding]});
        let id = server.request("initialize", json!({"capabilities": {"general": general}}));
        let answer = server.answer(id);
        assert_eq!(answer["result"]["capabilities"]["positionEncoding"], encoding, "{answer}");
        server.notify("initialized", json!({}));
        server
    }

    fn send(&mut self, message: &Value) {
        let body = message.to_string();
        // Ignore errors: the server may have ended.
        let _ = write!(self.input, "Content-Length: {}\r\n\r\n{body}", body.len());
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    fn request(&mut self, method: &str, params: Value) -> i64 {
        self.next += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params}));
        self.next
    }

    /// The next message; `None` at the end of the output.
    fn receive(&mut self) -> Option<Value> {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line).ok()? == 0 {
                return None;
            }
            match line.trim_end().strip_prefix("Content-Length: ") {
                Some(n) => length = n.parse().expect("a number"),
                None if line == "\r\n" => break,
                None => panic!("no header: {line:?}"),
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).expect("a whole message");
        let message: Value = serde_json::from_slice(&body).expect("JSON");
        assert_ne!(message["error"]["code"], -32603, "{message}");
        Some(message)
    }

    fn answer(&mut self, id: i64) -> Value {
        loop {
            let message = self.receive().expect("an answer");
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
        }
    }

    fn open(&mut self, uri: &str, text: &str) {
        let document = json!({"uri": uri, "languageId": "cpz", "version": 1, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
    }

    /// Closes the input and returns all messages until the end of the output.
    fn finish(mut self) -> Vec<Value> {
        drop(std::mem::replace(&mut self.input, std::io::pipe().expect("a pipe").1));
        let messages = std::iter::from_fn(|| self.receive()).collect();
        self.thread.join().expect("the server ends without a panic");
        messages
    }
}

/// For any input the server writes only complete messages, answers no request twice, and ends.
///
/// The first byte chooses: the others are sent unchanged or, split at the byte 255, as bodies of messages. A document
/// is opened before them, and a hover requested after them.
pub fn bytes(data: &[u8]) {
    let Some((first, data)) = data.split_first() else { return };
    let mut server = Server::start("utf-16");
    server.open(DOCUMENT, "solitaire { board ...N.....R....B. solve }\n");
    if first % 2 == 0 {
        let _ = server.input.write_all(data);
    } else {
        for body in data.split(|&b| b == 255) {
            let _ = write!(server.input, "Content-Length: {}\r\n\r\n", body.len());
            let _ = server.input.write_all(body);
        }
    }
    let position = json!({"line": 0, "character": 3});
    let id = server
        .request("textDocument/hover", json!({"textDocument": {"uri": DOCUMENT}, "position": position}));
    // Inside an incomplete message, or after `exit`, the server does not see the request.
    let text = String::from_utf8_lossy(data);
    if first % 2 == 1 && !text.contains("exit") && !text.contains("shutdown") {
        server.answer(id);
    }
    let messages = server.finish();
    let answers = messages.iter().filter(|m| m.get("method").is_none());
    let answered: Vec<String> = answers.map(|m| m["id"].to_string()).filter(|id| id != "null").collect();
    if first % 2 == 0 {
        return;
    }
    // Each use of an id is answered, and an invalid message may still have a readable id.
    let last = id.to_string();
    let bodies: Vec<_> = data.split(|&b| b == 255).map(String::from_utf8_lossy).collect();
    for id in &answered {
        let asked = bodies.iter().filter(|body| body.contains(id.as_str())).count();
        let times = answered.iter().filter(|other| *other == id).count();
        assert!(times <= asked + usize::from(*id == last), "{id}");
    }
}

/// After edits all answers equal those for a freshly opened document, in both position encodings.
///
/// Input bytes: the first chooses the encoding; then a text and edits, separated by the byte 255. An edit is two
/// offsets (two bytes each) and the inserted text.
pub fn session(data: &[u8]) {
    let Some((first, data)) = data.split_first() else { return };
    let mut pieces = data.split(|&b| b == 255);
    let Some(Ok(text)) = pieces.next().map(std::str::from_utf8) else { return };
    let encoding = if first % 2 == 0 { "utf-8" } else { "utf-16" };
    let mut server = Server::start(encoding);
    server.open(DOCUMENT, text);
    let mut text = text.to_string();
    for (n, piece) in pieces.take(8).enumerate() {
        let [a, b, c, d, new @ ..] = piece else { continue };
        let Ok(new) = std::str::from_utf8(new) else { continue };
        let (a, b) = (u16::from_be_bytes([*a, *b]), u16::from_be_bytes([*c, *d]));
        let place = |n: u16| boundary(&text, usize::from(n) % (text.len() + 1));
        let (start, end) = (place(a).min(place(b)), place(a).max(place(b)));
        let range = json!({"start": column(&text, start, encoding), "end": column(&text, end, encoding)});
        let document = json!({"uri": DOCUMENT, "version": n + 2});
        let changes = json!([{"range": range, "text": new}]);
        server.notify("textDocument/didChange", json!({"textDocument": document, "contentChanges": changes}));
        text.replace_range(start..end, new);
    }
    server.open("untitled:b.cpz", &text);
    for method in
        ["textDocument/diagnostic", "textDocument/semanticTokens/full", "textDocument/documentSymbol"]
    {
        let of = |server: &mut Server, uri: &str| {
            let id = server.request(method, json!({"textDocument": {"uri": uri}}));
            let mut answer = server.answer(id);
            if let Some(object) = answer["result"].as_object_mut() {
                object.remove("resultId");
            }
            answer["result"].to_string().replace("untitled:b.cpz", DOCUMENT)
        };
        let (edited, fresh) = (of(&mut server, DOCUMENT), of(&mut server, "untitled:b.cpz"));
        // Both texts are open, so each puzzle of one, and its `id`, is also in the other.
        let names_the_other = |answer: &str| answer.contains("\"duplicate-");
        if !names_the_other(&edited) && !names_the_other(&fresh) {
            assert_eq!(edited, fresh, "{method} {text:?}");
        }
    }
    server.finish();
}

/// The last offset up to `at` that splits neither a character nor a line end.
pub(super) fn boundary(text: &str, at: usize) -> usize {
    let good = |i: &usize| {
        text.is_char_boundary(*i) && !(text[..*i].ends_with('\r') && text[*i..].starts_with('\n'))
    };
    (0..=at).rev().find(good).unwrap_or(0)
}

/// The LSP position of an offset, computed without the line index.
pub(super) fn column(text: &str, at: usize, encoding: &str) -> Value {
    let before = text[..at].replace("\r\n", "\n").replace('\r', "\n");
    let line = before.matches('\n').count();
    let last = before.rsplit('\n').next().unwrap_or("");
    let character = if encoding == "utf-8" { last.len() } else { last.encode_utf16().count() };
    json!({"line": line, "character": character})
}
