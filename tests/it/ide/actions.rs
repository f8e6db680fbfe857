//! What the menu of an editor offers for a text: fixes of slips, words of `allow`, boards in other formats, answers.

use std::sync::Arc;

use crate::harness::{Case, blessing, cases, selected};
use cpz::analysis::{Config, Defaults, Options, analyse, bound_at, puzzles};
use cpz::board::Target;
use cpz::diagnostic::{Code, Edit, Span};
use cpz::ide;
use cpz::syntax::{MAX_PASTED, parse};

const CASES: &str = "tests/fixtures/ide/actions.txt";

/// The lines that edits change, as they are afterwards, with one above and one below. Signs of line ends that a page does not
/// show are written out.
fn changed(text: &str, edits: &[Edit]) -> String {
    let new = ide::apply(text, edits);
    let lines = |text: &str| text.split_inclusive('\n').map(str::to_string).collect::<Vec<_>>();
    let (old, new) = (lines(text), lines(&new));
    let first = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let last = old[first..].iter().rev().zip(new[first..].iter().rev()).take_while(|(a, b)| a == b).count();
    let around = first.saturating_sub(1)..(new.len() - last + 1).min(new.len());
    let shown = new[around].concat().replace('\r', "␍");
    format!("{}\n", shown.trim_end_matches('\n'))
}

fn offer(heading: &str, text: &str, edits: Option<&[Edit]>) -> String {
    match edits {
        None => format!("--- {heading}: not offered\n"),
        Some([]) => format!("--- {heading}: no change\n"),
        Some(edits) => format!("--- {heading}\n{}", changed(text, edits)),
    }
}

/// The defaults that properties give.
fn configured(properties: &str) -> Defaults {
    let tree = parse(format!("{properties} chess {{}}"));
    puzzles(&tree, Defaults::default()).next().expect("a puzzle").1
}

/// What is offered for a text; `at` is the place of its cursor. Behind `Slips` are the properties of the configuration.
fn offered(what: &str, text: &str, at: u32) -> String {
    let tree = parse(text);
    let report = analyse(&tree, &Options { answers: true, ..Options::default() });
    let none = Defaults::default();
    match what.split_once(' ').unwrap_or((what, "")) {
        ("Slips", properties) => {
            let mut all = String::new();
            let settings = configured(properties);
            let options = Options::new(Arc::new(Config { settings, ..Config::default() }));
            for (finding, _) in analyse(&tree, &options).findings() {
                let fixes = ide::slip_fixes(text, settings, finding);
                all += &format!("--- {} at `{}`\n", finding.code.name(), &text[finding.span.range()]);
                for fix in fixes {
                    assert!(!fix.safe, "only the author chooses between guesses");
                    all += &format!("{}\n{}", fix.title, changed(text, &fix.edits));
                }
            }
            all
        }
        ("Allow", code) => {
            let code = Code::ALL.iter().copied().find(|c| c.name() == code).expect("a code");
            let puzzle = tree.puzzles().find(|p| p.span().start <= at && at <= p.span().end);
            let here = puzzle.and_then(|puzzle| ide::allow_in_puzzle(puzzle, code));
            let there = ide::allow_in_file(&tree, code);
            offer("here", text, here.as_ref().map(std::slice::from_ref))
                + &offer("in the file", text, there.as_ref().map(std::slice::from_ref))
        }
        ("Convert", _) => {
            let one = |target: Target| match ide::convert_at(&tree, none, at, target) {
                Ok(edits) => offer(target.name(), text, Some(&edits)),
                Err(why) => format!("--- {}: {why}\n", target.name()),
            };
            Target::ALL.into_iter().map(one).collect()
        }
        ("Answers", _) => {
            let puzzle = bound_at(&tree, none, at);
            let all = report
                .puzzles
                .iter()
                .zip(tree.puzzles())
                .flat_map(|(known, puzzle)| puzzle.queries().map(move |query| (query, known)));
            let solutions = all.filter_map(|(query, known)| {
                let (bound, _) = puzzle.as_ref().filter(|(b, _)| b.puzzle.span() == known.span)?;
                let asked = ide::query_at(known, query.span().start)?;
                let edit = ide::insert_solution(text, bound, query, asked, &Options::default());
                Some(offer("solution", text, edit.as_ref().map(std::slice::from_ref)))
            });
            let left = [false, true].map(|all| ide::answers_not_written(&report, all));
            offer(
                "without those that remove a finding",
                text,
                Some(&ide::insert_answers(text, &report, false)),
            ) + &offer("all", text, Some(&ide::insert_answers(text, &report, true)))
                + &format!("--- not written: {left:?}\n")
                + &solutions.collect::<String>()
        }
        ("Paste", _) => {
            let fix = ide::make_puzzles(text, Span::new(0, text.len() as u32));
            let title = fix.as_ref().map_or("puzzles", |fix| fix.title.as_str());
            offer(title, text, fix.as_ref().map(|fix| fix.edits.as_slice()))
        }
        _ => panic!("{what} is nothing that is offered"),
    }
}

/// Each case is `=== WHAT`, the text, and what is offered; `$0` is the cursor, and `␍` a line end of Windows. With
/// `CPZ_BLESS` set, what is offered is written down in place of being compared.
#[test]
fn action_cases() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(CASES);
    let text = std::fs::read_to_string(&path).expect("the cases").replace("\r\n", "\n");
    let mut found = String::new();
    for Case { whole: case, title: what, text: before } in cases(&text) {
        let cursor = format!("{before}\n").replace('␍', "\r");
        let at = cursor.find("$0").unwrap_or(0);
        let offered = offered(what, &cursor.replacen("$0", "", 1), at as u32);
        let case_found = format!("{what}\n{before}\n{offered}");
        found.push_str(&format!("=== {case_found}\n"));
        let is_same = case.trim_end() == case_found.trim_end();
        assert!(is_same || blessing() || !selected(what), "\nFOUND\n{case_found}\nWANTED\n{case}");
    }
    if blessing() && std::env::var_os("CPZ_CASE").is_none() && found != text {
        std::fs::write(&path, &found).expect("the cases are written");
    }
}

#[test]
fn pasted_texts_are_read_up_to_a_length() {
    let position = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
    for (length, is_read) in [(MAX_PASTED, true), (MAX_PASTED + 1, false)] {
        let text = format!("{position}{}", "\n".repeat(length - position.len()));
        let fix = ide::make_puzzles(&text, Span::new(0, length as u32));
        assert_eq!(fix.is_some(), is_read, "{length} bytes");
    }
}
