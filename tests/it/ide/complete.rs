//! Completion of moves and captures, and what holds of every completion.

use crate::harness::examples::examples;
use crate::harness::{blessing, full, selected};
use cpz::analysis::{Defaults, Options, analyse, report_of};
use cpz::diagnostic::{Code, Edit};
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
                // A brace that touches an element of an inner list is read as its bracket.
                let touches_brace = text[range.end..].starts_with('}') && text[..at].contains("[[");
                if item.text.contains(['{', '\n']) || touches_brace {
                    continue;
                }
                let edit = [Edit { span: item.replace, text: item.text.clone() }];
                let written = accept(&text, &item);
                assert!(keeps_all_else(&text, &edit, &written), "at {at}: {item:?}\n{text}");
            }
        }
    }
}

/// The text before and behind the cursor after each of several choices of what is offered there: the one with a number, counted
/// from the first again where there are fewer. It ends where nothing is offered.
fn walk(start: &str, behind: &str, choices: impl IntoIterator<Item = usize>) -> String {
    let mut before = start.to_string();
    for choice in choices {
        let text = format!("{before}{behind}");
        let found = completions(&parse(&text[..]), before.len() as u32);
        let Some(item) = found.get(choice % found.len().max(1)) else { break };
        before = format!("{}{} ", &before[..item.replace.start as usize], item.text.trim());
    }
    before + behind
}

/// The errors of a text that do not depend on a solution.
fn mistakes(text: &str) -> Vec<String> {
    let options = Options { answers: true, nodes: 1_000, ..Options::default() };
    let codes = [Code::Syntax, Code::InvalidValue, Code::WrongSolution, Code::WrongMark, Code::AmbiguousMove];
    let report = analyse(&parse(text), &options);
    let wrong = report.findings().into_iter().filter(|(f, _)| codes.contains(&f.code));
    wrong.map(|(f, _)| f.message.clone()).collect()
}

#[test]
fn offered_moves_make_lines_that_are_right() {
    let boards = [
        "chess { board r3k2r/1P4pp/2n2n2/3pP3/8/2N2N2/6PP/R3K2R en-passant d6",
        "draughts { board \"W:Wc3,e3,Kg1:Bf6,b6,d6\"",
        "chess3d { size 3 board [[\"W\",\"K\",1,1,1], [\"W\",\"R\",2,1,1], [\"B\",\"K\",3,3,3]]",
    ];
    for board in boards {
        let (open, close) = if board.starts_with("chess3d") { ("[", "] }") } else { ("", "}") };
        for start in ["", "1. ", "1."].iter().take(if open.is_empty() { 3 } else { 1 }) {
            for seed in 0..4usize {
                let choices = (1..=6).map(|step| seed * 5 + step * step * seed);
                let text = walk(&format!("{board} line => {open}{start}"), close, choices);
                assert_eq!(mistakes(&text), [""; 0], "{text}");
                let moves = text.split("=>").nth(1).expect("an answer");
                assert!(moves.split_whitespace().count() >= 3, "few moves are offered: {text}");
            }
        }
    }
}

#[test]
fn offered_changes_make_twins_that_can_be_made() {
    let start = "chess { board 8/8/5n2/1N1Rrk2/8/3KB3/8/8 h#2 twin b: remove b5\n twin c: ";
    let first = completions(&parse(start), start.len() as u32).len();
    assert!(first > 15, "words and squares are offered");
    for head in 0..first {
        for then in [0, 3] {
            let text = walk(start, "\n}", [head, then, then + 1, then + 2, then]);
            let text = text.replace(" in \n", " in 2\n");
            let mut wrong = mistakes(&text);
            // The side that begins may be named again.
            wrong.retain(|message| message != "this twin is the same as the diagram");
            assert_eq!(wrong, [""; 0], "{text}");
        }
    }
}
