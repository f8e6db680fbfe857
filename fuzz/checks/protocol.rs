//! The server as a client meets it: bytes that may be no messages, and sessions of edits.

use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Read, Write};
use std::thread::JoinHandle;

use serde_json::{Value, json};

const DOCUMENT: &str = "untitled:a.cpz";

/// A server in this process, and what it says.
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
        let id = server.ask("initialize", json!({"capabilities": {"general": general}}));
        let answer = server.answer(id);
        assert_eq!(answer["result"]["capabilities"]["positionEncoding"], encoding, "{answer}");
        server.tell("initialized", json!({}));
        server
    }

    fn send(&mut self, message: &Value) {
        let body = message.to_string();
        // It may have been told to end.
        let _ = write!(self.input, "Content-Length: {}\r\n\r\n{body}", body.len());
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    fn ask(&mut self, method: &str, params: Value) -> i64 {
        self.next += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params}));
        self.next
    }

    /// The next message; nothing at the end.
    fn hear(&mut self) -> Option<Value> {
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
            let message = self.hear().expect("an answer");
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
        }
    }

    fn open(&mut self, uri: &str, text: &str) {
        let document = json!({"uri": uri, "languageId": "cpz", "version": 1, "text": text});
        self.tell("textDocument/didOpen", json!({"textDocument": document}));
    }

    /// Closes its input and hears all that is said until it has ended.
    fn end(mut self) -> Vec<Value> {
        drop(std::mem::replace(&mut self.input, std::io::pipe().expect("a pipe").1));
        let said = std::iter::from_fn(|| self.hear()).collect();
        self.thread.join().expect("the server ends in peace");
        said
    }
}

/// Whatever comes, what the server says are whole messages, no request is answered twice, and it ends.
///
/// The first byte tells whether the others come as they are or, parted by the byte 255, as the bodies of
/// messages. Then a person opens a text and asks.
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
    let id =
        server.ask("textDocument/hover", json!({"textDocument": {"uri": DOCUMENT}, "position": position}));
    // In the middle of a message, or behind the end, nobody hears it.
    let text = String::from_utf8_lossy(data);
    if first % 2 == 1 && !text.contains("exit") && !text.contains("shutdown") {
        server.answer(id);
    }
    let said = server.end();
    let answers = said.iter().filter(|m| m.get("method").is_none());
    let answered: Vec<String> = answers.map(|m| m["id"].to_string()).filter(|id| id != "null").collect();
    if first % 2 == 0 {
        return;
    }
    // Who uses a number twice is answered twice, and of what is no message the number may be read all the same.
    let last = id.to_string();
    let bodies: Vec<_> = data.split(|&b| b == 255).map(String::from_utf8_lossy).collect();
    for id in &answered {
        let asked = bodies.iter().filter(|body| body.contains(id.as_str())).count();
        let times = answered.iter().filter(|other| *other == id).count();
        assert!(times <= asked + usize::from(*id == last), "{id}");
    }
}

/// A text that was edited is what it would be if it were opened now, in both ways of counting columns.
///
/// The byte 255 parts the text from the edits, and these from each other: each is two places (two bytes each)
/// and what comes. The first byte of all tells how columns are counted.
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
        server.tell("textDocument/didChange", json!({"textDocument": document, "contentChanges": changes}));
        text.replace_range(start..end, new);
    }
    server.open("untitled:b.cpz", &text);
    for method in
        ["textDocument/diagnostic", "textDocument/semanticTokens/full", "textDocument/documentSymbol"]
    {
        let of = |server: &mut Server, uri: &str| {
            let id = server.ask(method, json!({"textDocument": {"uri": uri}}));
            let mut answer = server.answer(id);
            if let Some(object) = answer["result"].as_object_mut() {
                object.remove("resultId");
            }
            answer["result"].to_string().replace("untitled:b.cpz", DOCUMENT)
        };
        let (edited, fresh) = (of(&mut server, DOCUMENT), of(&mut server, "untitled:b.cpz"));
        // Both texts are open, so each puzzle of one is also in the other: duplicates name the other text.
        if !edited.contains("duplicate-puzzle") {
            assert_eq!(edited, fresh, "{method} {text:?}");
        }
    }
    server.end();
}

/// A place where a text can be edited: no character is parted, and no line end.
fn boundary(text: &str, at: usize) -> usize {
    let good = |i: &usize| {
        text.is_char_boundary(*i) && !(text[..*i].ends_with('\r') && text[*i..].starts_with('\n'))
    };
    (0..=at).rev().find(good).unwrap_or(0)
}

/// Line and column of a place, worked out plainly.
fn column(text: &str, at: usize, encoding: &str) -> Value {
    let before = text[..at].replace("\r\n", "\n").replace('\r', "\n");
    let line = before.matches('\n').count();
    let last = before.rsplit('\n').next().unwrap_or("");
    let character = if encoding == "utf-8" { last.len() } else { last.encode_utf16().count() };
    json!({"line": line, "character": character})
}
