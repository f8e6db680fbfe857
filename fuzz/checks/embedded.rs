//! The server inside a page: a function from one message to messages.

use cpz::lsp::embedded::{EmbeddedServer, SlowSearches};
use serde_json::{Value, json};

use super::protocol::{boundary, column};

const DOCUMENT: &str = "file:///a.cpz";

/// What a page and editors ask.
const METHODS: [&str; 27] = [
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/inlayHint",
    "textDocument/codeLens",
    "textDocument/codeAction",
    "textDocument/formatting",
    "textDocument/rangeFormatting",
    "textDocument/onTypeFormatting",
    "textDocument/semanticTokens/full",
    "textDocument/semanticTokens/range",
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/selectionRange",
    "textDocument/definition",
    "textDocument/references",
    "textDocument/documentHighlight",
    "textDocument/prepareRename",
    "textDocument/rename",
    "textDocument/diagnostic",
    "workspace/symbol",
    "cpz/board",
    "cpz/square",
    "cpz/edit",
    "cpz/targets",
    "cpz/hint",
    "cpz/export",
    "cpz/captions",
];

const COMMANDS: [&str; 12] = [
    "cpz.insertAnswer",
    "cpz.insertWholeSolution",
    "cpz.insertPuzzleAnswers",
    "cpz.insertAllAnswers",
    "cpz.repair",
    "cpz.makeUnique",
    "cpz.shorten",
    "cpz.removeNeedless",
    "cpz.sortPuzzles",
    "cpz.showHint",
    "cpz.generatePuzzle",
    "cpz.goTo",
];

/// Any messages in any order: all that the server writes is JSON, and each request has one response, at once from the server
/// that skips slow searches, and from the other one after them. Answers that are not marked as incomplete are those of the other
/// server, and an edited text has the diagnostics of the same text opened afresh.
///
/// Input bytes: one chooses; then a text and steps, separated by the byte 255. A step is one byte for its kind and its arguments: an
/// edit (two offsets of two bytes each, and the new text), a request (its method, an offset of two bytes, a variant), a message as
/// it is, or one of a few others.
pub fn embedded(data: &[u8]) {
    let Some((first, data)) = data.split_first() else { return };
    let mut pieces = data.split(|&b| b == 255);
    let Some(Ok(text)) = pieces.next().map(std::str::from_utf8) else { return };
    let mut page = Page::new();
    if first & 1 == 0 {
        page.initialize(first & 2 != 0);
        page.open(text);
    }
    for piece in pieces.take(12) {
        page.step(piece, text);
    }
    page.end();
}

/// A client of both servers, which get the same messages.
struct Page {
    quick: EmbeddedServer,
    slow: EmbeddedServer,
    /// What the slow server has sent while slow searches waited.
    late: Vec<Value>,
    next: i64,
    version: i64,
    /// The open document.
    text: Option<String>,
    /// Whether a message may have changed what this client does not know.
    is_wild: bool,
    is_running: bool,
    is_pulling: bool,
}

impl Page {
    fn new() -> Page {
        Page {
            quick: EmbeddedServer::new(SlowSearches::Skipped),
            slow: EmbeddedServer::new(SlowSearches::Queued),
            late: Vec::new(),
            next: 0,
            version: 0,
            text: None,
            is_wild: false,
            is_running: false,
            is_pulling: false,
        }
    }

    fn initialize(&mut self, is_pulling: bool) {
        let pull = json!({"textDocument": {"diagnostic": {}}});
        let capabilities = if is_pulling { pull } else { json!({}) };
        // Long searches would only slow this down.
        let options = json!({"cpz": {"budget": 300}});
        self.request("initialize", json!({"capabilities": capabilities, "initializationOptions": options}));
        self.notify("initialized", json!({}));
        (self.is_running, self.is_pulling) = (true, is_pulling);
    }

    /// Sends a message to both servers. Returns the messages of the quick one.
    fn send(&mut self, message: &str) -> Vec<Value> {
        let slow = read(self.slow.handle(message));
        self.late.extend(slow);
        read(self.quick.handle(message))
    }

    fn notify(&mut self, method: &str, params: Value) -> Vec<Value> {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string())
    }

    /// Asks both servers, and lets the slow one search. Compares what they answer.
    fn request(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        // No message as it is has such an id.
        let id = format!("own-{}", self.next);
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        let quick = self.send(&message.to_string());
        let quick = response(&quick, &id).unwrap_or_else(|| panic!("no answer: {message}"));
        while self.slow.pending() > 0 {
            let messages = read(self.slow.work());
            self.late.extend(messages);
        }
        let slow = response(&self.late, &id).unwrap_or_else(|| panic!("no late answer: {message}"));
        self.late.clear();
        assert!(slow.get("incomplete").is_none(), "{message}\n{slow}");
        // What a command does to the text arrives in another message, and the versions of results may differ.
        let is_command = method == "workspace/executeCommand";
        if quick.get("incomplete").is_none() && !is_command && !self.is_wild {
            assert_eq!(plain(&quick), plain(&slow), "{message}\n{:?}", self.text);
        }
        quick
    }

    fn open(&mut self, text: &str) {
        let document = json!({"uri": DOCUMENT, "languageId": "cpz", "version": 1, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
        (self.version, self.text) = (1, self.is_running.then(|| text.to_string()));
    }

    fn step(&mut self, piece: &[u8], first_text: &str) {
        let [kind, arguments @ ..] = piece else { return };
        match kind % 8 {
            0 => self.raw(arguments),
            1 | 2 => self.edit(arguments, first_text),
            3 => self.command(arguments),
            4 => self.control(arguments, first_text),
            _ => self.ask(arguments),
        }
    }

    /// A message as it is, or the body of a request.
    fn raw(&mut self, bytes: &[u8]) {
        self.is_wild = true;
        let messages = self.send(&String::from_utf8_lossy(bytes));
        self.is_running &= !String::from_utf8_lossy(bytes).contains("shutdown");
        assert!(messages.iter().filter(|m| m.get("method").is_none()).count() <= 1, "{messages:?}");
    }

    fn edit(&mut self, arguments: &[u8], first_text: &str) {
        let [a, b, c, d, new @ ..] = arguments else { return };
        let Ok(new) = std::str::from_utf8(new) else { return };
        let Some(mut text) = self.text.take() else { return self.open(first_text) };
        let place =
            |hi: u8, lo: u8| boundary(&text, usize::from(u16::from_be_bytes([hi, lo])) % (text.len() + 1));
        let (one, two) = (place(*a, *b), place(*c, *d));
        let (start, end) = (one.min(two), one.max(two));
        let range = json!({"start": column(&text, start, "utf-16"), "end": column(&text, end, "utf-16")});
        self.version += 1;
        let document = json!({"uri": DOCUMENT, "version": self.version});
        let changes = json!([{"range": range, "text": new}]);
        self.notify("textDocument/didChange", json!({"textDocument": document, "contentChanges": changes}));
        text.replace_range(start..end, new);
        self.text = Some(text);
    }

    fn position(&self, hi: u8, lo: u8) -> Value {
        let text = self.text.as_deref().unwrap_or_default();
        let at = usize::from(u16::from_be_bytes([hi, lo])) % (text.len() + 1);
        column(text, boundary(text, at), "utf-16")
    }

    fn ask(&mut self, arguments: &[u8]) {
        let [method, hi, lo, variant, ..] = arguments else { return };
        let method = METHODS[usize::from(*method) % METHODS.len()];
        let position = self.position(*hi, *lo);
        let number = usize::from(variant / 16);
        let square = format!("{}{}", char::from(b'a' + variant % 8), 1 + variant / 8 % 8);
        let gestures = [
            json!({"kind": "put", "square": square, "piece": (["K", "q", "N", "p", "W", "1"][number % 6])}),
            json!({"kind": "remove", "square": square}),
            json!({"kind": "move", "from": square, "to": "d4"}),
            json!({"kind": "clear"}),
            json!({"kind": "size", "columns": number, "rows": variant % 8}),
            json!({"kind": "side", "side": (["white", "black"][number % 2])}),
            json!({"kind": "castling", "rights": (["-", "KQ", "q"][number % 3])}),
            json!({"kind": "record", "from": square, "to": "d4"}),
        ];
        let formats = ["json", "pgn", "popeye", "olv", "anki", "csv", "fen"];
        let params = json!({
            "textDocument": {"uri": DOCUMENT, "version": self.version},
            "position": position,
            "positions": [position],
            "range": {"start": position, "end": position},
            "context": {"diagnostics": [], "includeDeclaration": variant % 2 == 0},
            "options": {"tabSize": 2, "insertSpaces": true},
            "ch": (["\n", "}"][usize::from(variant % 2)]),
            "newName": (["new", "a\"b", ""][number % 3]),
            "query": (["", "mate"][number % 2]),
            "line": number,
            "frame": variant % 16,
            "choices": [variant % 4, number],
            "wait": variant & 1 != 0,
            "mode": if variant & 2 == 0 { Value::Null } else { json!(["edit", "record"][number % 2]) },
            "square": square,
            "gesture": gestures[usize::from(variant % 8)],
            "grade": number % 4,
            "to": formats[number % formats.len()],
            "solve": variant % 2 == 0,
        });
        self.request(method, params);
    }

    fn command(&mut self, arguments: &[u8]) {
        let [command, hi, lo, variant, ..] = arguments else { return };
        let command = COMMANDS[usize::from(*command) % COMMANDS.len()];
        let argument = json!({
            "uri": DOCUMENT,
            "version": self.version - i64::from(variant % 3 == 2),
            "position": self.position(*hi, *lo),
            "by": (["difficulty", "pieces", "name"][usize::from(variant % 3)]),
            "grade": variant % 4,
            "wanted": {},
        });
        self.request("workspace/executeCommand", json!({"command": command, "arguments": [argument]}));
    }

    fn control(&mut self, arguments: &[u8], first_text: &str) {
        match arguments.first().map(|byte| byte % 6) {
            Some(0) => {
                let messages = read(self.slow.work());
                self.late.extend(messages);
            }
            Some(1) => {
                self.notify("textDocument/didClose", json!({"textDocument": {"uri": DOCUMENT}}));
                self.text = None;
            }
            Some(2) => self.open(first_text),
            Some(3) => {
                self.is_wild = true;
                let settings = json!({"rules": "solo", "severity": {"unsolvable": "hint"}, "budget": 200});
                self.notify("workspace/didChangeConfiguration", json!({"settings": {"cpz": settings}}));
            }
            Some(4) => {
                self.request("shutdown", Value::Null);
                self.is_running = false;
                // It cannot be started again.
                self.is_wild = true;
            }
            _ if self.is_running => {}
            _ => self.initialize(true),
        }
    }

    /// Compares the diagnostics of the document with those of its text in a new server.
    fn end(mut self) {
        let Some(text) = self.text.take().filter(|_| self.is_running && !self.is_wild) else { return };
        let mut fresh = Page::new();
        fresh.initialize(self.is_pulling);
        fresh.open(&text);
        let params = json!({"textDocument": {"uri": DOCUMENT}});
        let (edited, opened) = (
            self.request("textDocument/diagnostic", params.clone()),
            fresh.request("textDocument/diagnostic", params),
        );
        assert_eq!(plain(&edited), plain(&opened), "{text:?}");
    }
}

/// The messages of a server: each is an object of JSON, and none tells of an internal error.
fn read(messages: Vec<String>) -> Vec<Value> {
    let read = |message: &String| -> Value {
        let value: Value = serde_json::from_str(message).unwrap_or_else(|why| panic!("{why}: {message}"));
        assert!(value["jsonrpc"] == "2.0" && value["error"]["code"] != -32603, "{message}");
        value
    };
    messages.iter().map(read).collect()
}

/// The response to a request; it has not two.
fn response(messages: &[Value], id: &str) -> Option<Value> {
    let mut all = messages.iter().filter(|message| message["id"] == id && message.get("method").is_none());
    let response = all.next().cloned();
    assert!(all.next().is_none(), "two answers: {messages:?}");
    response
}

/// A response without its number, and without the names of results, which are new in each server.
fn plain(response: &Value) -> Value {
    let mut plain = response.clone();
    if let Some(object) = plain.as_object_mut() {
        object.remove("id");
    }
    if let Some(result) = plain["result"].as_object_mut() {
        result.remove("resultId");
    }
    plain
}
