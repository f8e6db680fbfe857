//! Formatting keeps what is written.

use super::*;

fn tokens_of(text: &str) -> Vec<String> {
    let tree = cpz::syntax::parse(text.to_string());
    let all = tree.tokens_in(cpz::diagnostic::Span::new(0, text.len() as u32));
    let words = all.filter(|t| t.kind() != cpz::syntax::TokenKind::Space);
    words.map(|t| t.text().trim_end().to_string()).collect()
}

#[test]
fn formatting_is_idempotent_and_keeps_tokens() {
    let mut c = Client::new(None, "utf-16");
    for (i, text) in samples().into_iter().enumerate() {
        let name = format!("untitled:{i}.cpz");
        c.open(&name, &text);
        let format =
            json!({"textDocument": document(&name), "options": {"tabSize": 2, "insertSpaces": true}});
        let edits = c.call("textDocument/formatting", format.clone());
        let once = apply(&text, &edits);
        assert_eq!(tokens_of(&text), tokens_of(&once), "{text}");
        c.change(&name, 2, json!([{"text": once}]));
        assert_eq!(c.call("textDocument/formatting", format), json!([]), "the second time:\n{once}");
    }
}

#[test]
fn formatting_never_mixes_line_ends() {
    for end in ["\r\n", "\r", "\n"] {
        let mut c = Client::new(None, "utf-16");
        let text = "solitaire \"a\" {\n    board\n  . . . .\n   . B . .\n  R P . .\n  . . . N\n solve\n}\n\
                    solitaire { board [[1,2,'B'],\n [0,1,'R']]\n solve }\n"
            .replace('\n', end);
        c.open(A, &text);
        let mut all = vec![c.call(
            "textDocument/formatting",
            json!({"textDocument": document(A), "options": {"tabSize": 2, "insertSpaces": true}}),
        )];
        for line in [2, 9] {
            let params = json!({"textDocument": document(A), "range": span((line, 3), (line, 3)), "context": {"diagnostics": []}});
            for action in c.call("textDocument/codeAction", params).as_array().expect("actions") {
                all.push(action["edit"]["changes"][A].clone());
            }
        }
        assert!(all.len() > 8, "{all:#?}");
        for edits in all {
            let after = apply(&text, &edits);
            let rest = after.replace(end, "");
            assert!(!rest.contains(['\r', '\n']), "{end:?}: {after:?}");
        }
    }
}
