//! Completion of moves and captures, and what holds of every completion.

use crate::harness::examples::examples;
use crate::harness::{blessing, full, selected};
use cpz::analysis::{Defaults, Options, report_of};
use cpz::diagnostic::Edit;
use cpz::ide::{self, Completion, keeps_all_else};
use cpz::syntax::{Tree, parse};

const CASES: &str = "tests/fixtures/ide/complete.txt";

fn completions(tree: &Tree, at: u32) -> Vec<Completion> {
    let options = Options { answers: true, nodes: 100_000, ..Options::default() };
    ide::completions(tree, Defaults::default(), at, |puzzle, settings| report_of(puzzle, settings, &options))
}

fn accept(text: &str, item: &Completion) -> String {
    format!("{}{}{}", &text[..item.replace.start as usize], item.text, &text[item.replace.end as usize..])
}

/// The first ten that are offered, how many more, and the text with the first.
fn offered(marked: &str) -> String {
    let at = marked.find("$0").expect("a cursor");
    let tree = parse(marked.replacen("$0", "", 1));
    let found = completions(&tree, at as u32);
    let Some(first) = found.first() else { return "nothing\n".into() };
    let mut out = String::new();
    for item in found.iter().take(10) {
        out.push_str(&format!("{} {}: {}\n", item.rank, item.label, item.detail));
    }
    if found.len() > 10 {
        out.push_str(&format!("and {} more\n", found.len() - 10));
    }
    out + &format!("--> {}\n", accept(tree.text(), first))
}

/// Each case is `=== ` with the text and its cursor, and what is offered there. With `CPZ_BLESS` set,
/// what is offered is written down in place of being compared.
#[test]
fn completion_cases() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(CASES);
    let text = std::fs::read_to_string(&path).expect("the cases").replace("\r\n", "\n");
    let marked = text.lines().filter_map(|line| line.strip_prefix("=== "));
    let filtered = marked.clone().any(|m| !selected(m));
    let found: Vec<String> = marked.map(|m| format!("=== {m}\n{}\n", offered(m))).collect();
    if blessing() && !filtered && found.concat() != text {
        std::fs::write(&path, found.concat()).expect("the cases are written");
        return;
    }
    for (wanted, found) in text.split("\n=== ").zip(&found) {
        let found = found.trim_end();
        if !selected(found.lines().next().unwrap_or_default()) {
            continue;
        }
        assert!(found.trim_start_matches("=== ") == wanted.trim_start_matches("=== ").trim_end(), "{found}");
    }
}

/// Each puzzle of each example by itself, and each cut off behind its last arrow's brackets.
fn texts() -> Vec<String> {
    let mut all = Vec::new();
    for (_, text) in examples() {
        for puzzle in parse(&text[..]).puzzles() {
            let text = puzzle.node().text();
            all.push(text.to_string());
            if let Some(at) = text.rfind("]]") {
                all.push(format!("{} }}", &text[..at]));
            }
        }
    }
    all
}

#[test]
fn completion_keeps_the_text_on_both_sides() {
    let every = if full() { 1 } else { 3 };
    for text in texts() {
        let tree = parse(&text[..]);
        for at in (0..=text.len()).step_by(every).filter(|&at| text.is_char_boundary(at)) {
            for item in completions(&tree, at as u32) {
                let range = item.replace.range();
                assert!(range.start <= at && at <= range.end, "{item:?}\n{text}");
                assert!(
                    !text[range.clone()].contains(['\n', '\r', '[', ']', ',', '{', '}']),
                    "{item:?}\n{text}"
                );
                assert!(item.text.ends_with(&text[at..range.end]), "{item:?}\n{text}");
                if item.text.contains(['{', '\n']) {
                    continue;
                }
                let edit = [Edit { span: item.replace, text: item.text.clone() }];
                let written = accept(&text, &item);
                assert!(keeps_all_else(&text, &edit, &written), "at {at}: {item:?}\n{text}");
            }
        }
    }
}
