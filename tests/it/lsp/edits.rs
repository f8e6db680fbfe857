//! Random edit scripts: afterwards the server has the diagnostics and tokens of a fresh open of the same text.

use crate::harness::client::{Client, at};
use proptest::prelude::*;
use serde_json::{Value, json};

/// What is typed: letters of every width, every line end, what opens and closes, and whole puzzles.
const PIECES: [&str; 30] = [
    "a",
    " ",
    "\n",
    "\r\n",
    "\r",
    "é",
    "😀",
    "\u{2028}",
    "\u{b}",
    "{",
    "}",
    "[",
    "]",
    "\"",
    "'",
    "(",
    ")",
    "//",
    " // c\n",
    "=>",
    "solve",
    " count ",
    "board ",
    "rules solo\n",
    "allow unsolvable\n",
    "solitaire { board ...N.....R....B. solve }\n",
    "solitaire \"😀é\" { board R....N.......... solve }\r\n",
    "chess { board 8/8/8/4k3/8/8/8/4K2R move Rh9 mate }\r",
    "draughts {\n board [[\"W\",\"K\",1,1], [\"B\",\"M\",3,3]]\n capture\n}\n",
    "solitaire \"😀é\" { board ...N.....R....B. solve => [[[3,3],[1,1]]] }\n",
];

/// An edit: where it begins and ends, as parts of the text, and what comes.
type Edit = (f64, f64, Vec<usize>);

/// A text as the client has it, with no code of the server's.
struct Text(Vec<char>);

impl Text {
    /// The position of a character, in units of an encoding.
    fn position(&self, index: usize, utf16: bool) -> Value {
        let (mut line, mut column) = (0, 0);
        for (i, &c) in self.0[..index].iter().enumerate() {
            let ends = c == '\n' || c == '\r' && self.0.get(i + 1) != Some(&'\n');
            if ends {
                (line, column) = (line + 1, 0);
            } else {
                column += if utf16 { c.len_utf16() } else { c.len_utf8() } as u32;
            }
        }
        // Between the two characters of a line end nothing can be pointed at.
        at(line, column)
    }

    /// Where an edit may begin: never within a line end.
    fn place(&self, part: f64) -> usize {
        let index = (part * (self.0.len() + 1) as f64) as usize;
        let index = index.min(self.0.len());
        let within = index > 0 && self.0[index - 1] == '\r' && self.0.get(index) == Some(&'\n');
        index - usize::from(within)
    }
}

/// The findings of a document, without related places in others, and its tokens.
fn said(c: &mut Client, uri: &str, version: i64) -> (Vec<Value>, Value) {
    let mut found = c.findings(uri, Some(version));
    for finding in &mut found {
        finding["relatedInformation"] = Value::Null;
    }
    let tokens = c.call("textDocument/semanticTokens/full", json!({"textDocument": {"uri": uri}}));
    (found, tokens["data"].clone())
}

fn close(c: &mut Client, uri: &str) {
    c.tell("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
    c.findings(uri, None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn edited_document_has_the_findings_of_a_fresh_open(
        start in prop::collection::vec(0..PIECES.len(), 0..8),
        script in prop::collection::vec(
            prop::collection::vec((0.0..1.0f64, 0.0..0.15f64, prop::collection::vec(0..PIECES.len(), 0..3)), 1..4),
            1..10
        ),
        utf16: bool,
    ) {
        let written = |pieces: &[usize]| pieces.iter().map(|&p| PIECES[p]).collect::<String>();
        let mut text = Text(written(&start).chars().collect());
        let mut c = Client::new(None, if utf16 { "utf-16" } else { "utf-8" });
        let uri = "untitled:a.cpz";
        c.open(uri, &text.0.iter().collect::<String>());
        let mut tokens = c.call("textDocument/semanticTokens/full", json!({"textDocument": {"uri": uri}}));
        let mut version = 1;
        for batch in &script {
            let mut changes = Vec::new();
            for (begin, length, pieces) in batch as &Vec<Edit> {
                let (a, b) = (text.place(*begin), text.place((begin + length).min(1.0)));
                let range = json!({"start": text.position(a, utf16), "end": text.position(b, utf16)});
                changes.push(json!({"range": range, "text": written(pieces)}));
                text.0.splice(a..b, written(pieces).chars());
            }
            version += 1;
            c.change(uri, version, Value::from(changes));
        }
        // What changed since the first tokens leads to the last ones.
        let since = json!({"textDocument": {"uri": uri}, "previousResultId": tokens["resultId"]});
        let delta = c.call("textDocument/semanticTokens/full/delta", since);
        let mut data = tokens["data"].as_array_mut().map(std::mem::take).unwrap_or_default();
        for edit in delta["edits"].as_array().into_iter().flatten() {
            let from = edit["start"].as_u64().unwrap_or(0) as usize;
            let gone = edit["deleteCount"].as_u64().unwrap_or(0) as usize;
            data.splice(from..from + gone, edit["data"].as_array().into_iter().flatten().cloned());
        }
        let edited = said(&mut c, uri, version);
        prop_assert_eq!(&Value::from(data), &edited.1);
        close(&mut c, uri);
        let whole: String = text.0.iter().collect();
        let other = "untitled:b.cpz";
        c.open(other, &whole);
        let mut fresh = said(&mut c, other, 1);
        // A duplicate says in which file the other one is.
        for finding in &mut fresh.0 {
            let message = finding["message"].as_str().unwrap_or("").replace(other, uri);
            finding["message"] = message.into();
        }
        prop_assert_eq!(edited, fresh, "{:?}", whole);
        close(&mut c, other);
        c.finish();
    }
}
