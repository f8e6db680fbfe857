//! A robot types puzzles letter by letter, as VS Code, Neovim, Helix and Emacs would pass them to the server. The text
//! afterwards is the text that was typed, up to white space at the start of lines.

mod popup;
pub(crate) mod puzzles;

use std::path::Path;

use crate::harness::blessing;
use crate::harness::client::{Client, at};
use crate::harness::full;
use popup::{
    Document, EMACS, Editor, HELIX, Item, NEOVIM, TRIGGERS, Trigger, VSCODE, VSCODE_PLAIN, type_text,
};
use puzzles::{PUZZLES, puzzle};
use serde_json::{Value, json};

const URI: &str = "untitled:typed.cpz";
const FIXTURE: &str = "tests/fixtures/ide/typing.txt";

/// A document of the server.
struct Typed {
    client: Client,
    version: i64,
    before: String,
    /// What stands behind the cursor.
    behind: &'static str,
}

impl Typed {
    fn open() -> Typed {
        // With CPZ_SERVER, another program is tested.
        let client = match std::env::var("CPZ_SERVER") {
            Ok(program) => Client::spawn_program(&program, &[]),
            Err(_) => Client::start(),
        };
        let completion = json!({"completionItem": {"labelDetailsSupport": true}, "contextSupport": true});
        let capabilities = json!({"textDocument": {"completion": completion, "diagnostic": {}}});
        let mut client = client.begin(None, json!({"capabilities": capabilities}));
        let named = client.capabilities["completionProvider"]["triggerCharacters"].clone();
        let named: Vec<&str> = named.as_array().expect("a list").iter().filter_map(Value::as_str).collect();
        assert!(named.iter().all(|c| TRIGGERS.contains(c)), "{named:?} are not all modelled");
        client.open(URI, "");
        Typed { client, version: 1, before: String::new(), behind: "" }
    }

    /// Replaces the whole text by what will be behind the cursor.
    fn begin(&mut self, behind: &'static str) {
        self.version += 1;
        self.client.change(URI, self.version, json!([{"text": behind}]));
        (self.before, self.behind) = (String::new(), behind);
        self.client.settle_quickly();
    }

    fn position(&self, offset: usize) -> Value {
        let line = self.before[..offset].matches('\n').count() as u32;
        let start = self.before[..offset].rfind('\n').map_or(0, |i| i + 1);
        at(line, self.before[start..offset].encode_utf16().count() as u32)
    }

    /// The offset of a position before the cursor.
    fn offset(&self, position: &Value) -> usize {
        let (line, column) = (position["line"].as_u64().expect("a line"), position["character"].as_u64());
        let start: usize = self.before.split_inclusive('\n').take(line as usize).map(str::len).sum();
        let mut left = column.expect("a column") as usize;
        let within = self.before[start..].char_indices().find(|(_, c)| {
            let found = left == 0;
            left = left.saturating_sub(c.len_utf16());
            found
        });
        within.map_or(self.before.len(), |(i, _)| start + i)
    }

    fn ask(&mut self, method: &str, extra: (&str, Value)) -> Value {
        let here = self.position(self.before.len());
        let mut params = json!({"textDocument": {"uri": URI}, "position": here});
        params[extra.0] = extra.1;
        self.client.call(method, params)
    }
}

impl Document for Typed {
    fn insert(&mut self, replaced: usize, text: &str) {
        let len = self.before.len();
        let from = self.before.char_indices().rev().take(replaced).last().map_or(len, |(i, _)| i);
        let range = json!({"start": self.position(from), "end": self.position(len)});
        self.version += 1;
        self.client.change(URI, self.version, json!([{"range": range, "text": text}]));
        self.before.replace_range(from.., text);
    }

    fn offered(&mut self, trigger: Trigger) -> Vec<Item> {
        let triggers = self.client.capabilities["completionProvider"]["triggerCharacters"].to_string();
        let context = match trigger {
            Trigger::Character(c) if !triggers.contains(&format!("\"{c}\"")) => return Vec::new(),
            Trigger::Character(c) => json!({"triggerKind": 2, "triggerCharacter": c.to_string()}),
            Trigger::Word => json!({"triggerKind": 1}),
        };
        let found = self.ask("textDocument/completion", ("context", context));
        let mut all: Vec<&Value> =
            found["items"].as_array().map_or_else(Vec::new, |all| all.iter().collect());
        all.sort_by_key(|item| item["sortText"].as_str().unwrap_or_default());
        let item = |item: &&Value| {
            let text = |key: &str| item[key].as_str().map(str::to_string);
            let edit = &item["textEdit"];
            let from = self.offset(&edit["range"]["start"]);
            Item {
                filter: text("filterText").or_else(|| text("label")).unwrap_or_default(),
                replaces: self.before[from..].chars().count(),
                text: edit["newText"].as_str().unwrap_or_default().to_string(),
            }
        };
        all.iter().map(item).collect()
    }

    fn format(&mut self, typed: char) {
        let options = json!({"tabSize": 2, "insertSpaces": true});
        let here = self.position(self.before.len());
        let params = json!({"textDocument": {"uri": URI}, "position": here, "ch": typed.to_string(), "options": options});
        let edits = self.client.call("textDocument/onTypeFormatting", params);
        for edit in edits.as_array().into_iter().flatten() {
            let (start, end) = (self.offset(&edit["range"]["start"]), self.offset(&edit["range"]["end"]));
            let text = edit["newText"].as_str().expect("a text");
            assert!(text.trim().is_empty() && self.before[start..end].trim().is_empty(), "{edit}");
            let range = edit["range"].clone();
            self.version += 1;
            self.client.change(URI, self.version, json!([{"range": range, "text": text}]));
            self.before.replace_range(start..end, text);
        }
        self.client.settle_quickly();
    }

    fn before(&self) -> &str {
        &self.before
    }
}

/// A text without white space at the start of its lines.
fn unindented(text: &str) -> String {
    text.split('\n').map(str::trim_start).collect::<Vec<_>>().join("\n")
}

/// Types the puzzles, every third one above another puzzle: every seventh, with `CI_FULL=1` all. Returns what became
/// something else.
fn changed_texts(editor: &Editor) -> Vec<String> {
    let mut typed = Typed::open();
    let mut changed = Vec::new();
    for number in (0..PUZZLES).step_by(if full() { 1 } else { 7 }) {
        let text = puzzle(number);
        let behind = "\nchess \"Below\" {\n  board 4k3/8/8/8/8/8/8/R3K3\n  move Ra8+\n}\n";
        typed.begin(if number % 3 == 0 { behind } else { "" });
        type_text(editor, &mut typed, &text);
        typed.client.settle_quickly();
        if unindented(typed.before()) != text {
            changed.push(format!("puzzle {number}:\n{text}became\n{}", typed.before()));
        }
    }
    changed
}

fn types_all(editor: &Editor) {
    let changed = changed_texts(editor);
    let first: Vec<&String> = changed.iter().take(5).collect();
    assert!(changed.is_empty(), "{}: {} texts changed\n{first:#?}", editor.name, changed.len());
}

#[test]
fn vscode_keeps_what_is_typed() {
    types_all(&VSCODE);
}

#[test]
fn vscode_without_defaults_keeps_what_is_typed() {
    types_all(&VSCODE_PLAIN);
}

#[test]
fn neovim_keeps_what_is_typed() {
    types_all(&NEOVIM);
}

#[test]
fn helix_keeps_what_is_typed() {
    types_all(&HELIX);
}

#[test]
fn emacs_keeps_what_is_typed() {
    types_all(&EMACS);
}

/// Texts that clients with a selected first item once turned into others: `. . . note`, `solvecount`, `move e2e4`,
/// `turn blackmove e5`, `move Nf6mate`.
#[test]
fn every_editor_keeps_rows_and_complete_words() {
    let start = "board rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\n";
    let texts = [
        "solitaire {\nboard\n. . . N\n. . . R\nR . . .\n. . . .\nsolve\ncount\n}\n".to_string(),
        format!("chess {{\n{start}move e4\nmate\n}}\n"),
        format!("chess {{\n{start}turn black\nmove e5\nmove Nf6\nmate\n}}\n"),
    ];
    let mut changed = Vec::new();
    for editor in [&VSCODE, &VSCODE_PLAIN, &NEOVIM, &HELIX, &EMACS] {
        let mut typed = Typed::open();
        for text in &texts {
            typed.begin("");
            type_text(editor, &mut typed, text);
            if unindented(typed.before()) != *text {
                changed.push(format!("{}: {}", editor.name, unindented(typed.before())));
            }
        }
    }
    assert!(changed.is_empty(), "{changed:#?}");
}

/// A server that offers keywords and moves for every word, whole words and rows included.
struct Pushy(String);

impl Document for Pushy {
    fn insert(&mut self, replaced: usize, text: &str) {
        let from = self.0.char_indices().rev().take(replaced).last().map_or(self.0.len(), |(i, _)| i);
        self.0.replace_range(from.., text);
    }

    fn offered(&mut self, _: Trigger) -> Vec<Item> {
        let replaces = self.0.chars().rev().take_while(|c| !c.is_whitespace()).count();
        let item = |word: &str| Item { filter: word.to_string(), replaces, text: word.to_string() };
        ["note", "solve", "count", "e2e4"].map(item).to_vec()
    }

    fn format(&mut self, _: char) {}

    fn before(&self) -> &str {
        &self.0
    }
}

#[test]
fn robot_notices_what_a_pushy_server_changes() {
    let typed = |editor: &Editor, text: &str| {
        let mut document = Pushy(String::new());
        type_text(editor, &mut document, text);
        document.0
    };
    for (text, became) in
        [(". . . N\n", ". . . note"), ("solve\ncount\n", "solvecount\n"), ("move e4\n", "move e2e4")]
    {
        assert_eq!(typed(&VSCODE_PLAIN, text), became);
        assert_eq!(typed(&VSCODE, text), text);
        assert_eq!(typed(&HELIX, text), text);
    }
    // The list of company needs three letters, or is open already.
    assert_eq!(typed(&EMACS, "solv\n"), "solve");
}

/// The scene in `editors/vscode/test` types the same puzzles in a real VS Code.
#[test]
fn fixture_has_the_puzzles_of_the_robot() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(FIXTURE);
    let all: String = (0..PUZZLES).map(|n| format!("=== {n}\n{}", puzzle(n))).collect();
    if blessing() {
        std::fs::write(&path, &all).expect("the puzzles are written");
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(written == all, "run this test with CPZ_BLESS=1");
}
