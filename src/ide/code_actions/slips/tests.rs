//! Which edits are tried, in which order, where, and how they are called.

use std::ops::Range;

use cpz_text::diagnostic::Span;
use cpz_text::syntax::parse;

use super::candidates::{Candidate, candidates, empty_cells};
use super::unit::Unit;

/// The text without its marks, and the range between them.
fn unmarked(marked: &str) -> (String, Range<usize>) {
    let from = marked.find('⟦').expect("a mark");
    let to = marked.find('⟧').expect("a mark") - '⟦'.len_utf8();
    (marked.replace(['⟦', '⟧'], ""), from..to)
}

fn shown(text: &str) -> String {
    match text {
        "" => "∅".into(),
        _ => text.replace(' ', "␣").replace('\n', "⏎").replace('\r', "␍"),
    }
}

/// A part of a text, which may be empty.
fn shown_range(text: &str) -> String {
    if text.is_empty() { String::new() } else { shown(text) }
}

/// The edits, those of one place that follow each other in one line: the sign before the place, what is replaced, and by what.
fn listed(text: &str, edits: &[Candidate]) -> String {
    let mut lines = String::new();
    let mut last = None;
    for Candidate { from, to, new, .. } in edits {
        if last.replace((*from, *to)) != Some((*from, *to)) {
            let before = text[..*from].chars().next_back().map_or(String::new(), |c| shown(&c.to_string()));
            lines += &format!(
                "\n{from} {before}⟦{}⟧",
                if from == to { "".into() } else { shown(&text[*from..*to]) }
            );
        }
        lines += &format!(" {}", shown(new));
    }
    lines
}

/// Cases of `tests/fixtures/ide/slips.txt`: what is asked, and a text in which a finding is marked. `Signs` are all edits, `Words`
/// those of more than two signs, `Cells` those of a row that is too short, and `Titles` has what is replaced and by what, and the
/// title of that.
fn found(what: &str, marked: &str) -> String {
    let marked = if what == "Titles" { marked.replace('⏎', "\n") } else { marked.into() };
    let (text, at) = unmarked(&marked);
    if what == "Titles" {
        let (old, new) = text[at.clone()].split_once('→').expect("an arrow");
        let text = format!("{}{old}{}", &text[..at.start], &text[at.end..]);
        let edit =
            Candidate { from: at.start, to: at.start + old.len(), new: new.to_string().into(), does: None };
        return format!("\n{}{}", edit.title(&text), if edit.removes_copy(&text) { " (a copy)" } else { "" });
    }
    let Some(unit) = Unit::around(&text, Span::new(at.start as u32, at.end as u32)) else {
        return "\nno unit".into();
    };
    let (start, end) =
        (unit.span_of(unit.at, unit.end).start as usize, unit.span_of(unit.at, unit.end).end as usize);
    assert_eq!((start, end), (at.start, at.end), "{what}");
    let tree = parse(unit.text.as_str());
    let mut edits = candidates(&unit, &tree, !tree.errors().is_empty());
    match what {
        "Words" => edits.retain(|c| {
            let is_word = |text: &str| (text.chars().count() > 2 && text != " => ") || text.contains('\n');
            is_word(&c.new) || is_word(&unit.text[c.from..c.to])
        }),
        "Cells" => edits = empty_cells(&unit),
        "Unit" => edits.clear(),
        _ => assert_eq!(what, "Signs"),
    }
    let [before, focus, behind] =
        [&unit.text[..unit.focus.start], &unit.text[unit.focus.clone()], &unit.text[unit.focus.end..]]
            .map(shown_range);
    format!("\n{before}⟦{focus}⟧{behind}{}", listed(&unit.text, &edits))
}

#[test]
fn edits_that_are_tried_are_those_of_a_hand() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/ide/slips.txt");
    let cases = std::fs::read_to_string(path).expect("the fixture").replace("\r\n", "\n");
    let mut all = String::new();
    for case in cases.split("=== ").skip(1) {
        let (what, rest) = case.split_once('\n').expect("a title");
        let marked = rest.split("\n---\n").next().unwrap_or_default();
        let case_found = format!("{what}\n{marked}\n---{}\n", found(what, marked));
        let is_same = case.trim_end() == case_found.trim_end();
        assert!(is_same || std::env::var_os("CPZ_BLESS").is_some(), "\nFOUND\n{case_found}\nWANTED\n{case}");
        all += &format!("=== {case_found}\n");
    }
    if std::env::var_os("CPZ_BLESS").is_some() {
        std::fs::write(path, format!("{}\n", all.trim_end())).expect("the fixture is written");
    }
}

#[test]
fn slips_are_looked_for_in_short_parts_only() {
    let finding = Span::new(8, 9);
    for (length, is_short) in [(5_999, true), (6_000, true), (6_001, false)] {
        let text = format!("chess {{ x{}", " ".repeat(length - 9));
        assert_eq!(Unit::around(&text, finding).is_some(), is_short, "{length} bytes");
        // What is below does not count.
        let text =
            format!("chess {{ x{}\nsolitaire {{ y{}}}\n", " ".repeat(length - 11) + "}", " ".repeat(9_000));
        assert_eq!(Unit::around(&text, finding).is_some(), is_short, "{length} bytes above others");
        // Nor does what is above.
        let (above, below) =
            (Span::new(finding.start + 12, finding.end + 12), format!("chess {{ a }}\n{text}"));
        assert_eq!(Unit::around(&below, above).is_some(), is_short, "{length} bytes between others");
    }
}

#[test]
fn a_slip_is_looked_for_between_whole_signs() {
    for first in ["", "y"] {
        let text = format!("chess {{ {}{first}x{}", "é".repeat(200), "é".repeat(200));
        let at = text.find('x').expect("the finding");
        let unit = Unit::around(&text, Span::new(at as u32, at as u32 + 1)).expect("a puzzle");
        let (before, behind) = (at - unit.focus.start, unit.focus.end - at);
        assert!(
            (240..=241).contains(&before) && (239..=240).contains(&behind),
            "{before} and {behind} bytes"
        );
    }
}
