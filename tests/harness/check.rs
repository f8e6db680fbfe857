//! `check`: a puzzle file as a test, with the expected findings below the text that they are about.
//!
//! ```text
//! check(r#"
//! solitaire { board R....N.......... solve }
//! //                                 ^^^^^ error[unsolvable]: no capture is possible…
//! "#);
//! ```
//!
//! A line that consists of `//` and carets is an annotation. It is removed before the text is analysed, and
//! expects a finding in the nearest line above it that is no annotation:
//! - `//   ^^^ SEVERITY[CODE]`: the range has the columns of the carets.
//! - `//   ^^^ SEVERITY[CODE]: MESSAGE`: the message too; a message that ends with `…` is the beginning of one.
//! - `//@COLUMN+LENGTH SEVERITY[CODE]`: the same with numbers, in characters and 0-based. For ranges that begin
//!   below the slashes, are empty, or go over several lines (a line break counts as a character).
//!
//! The findings are those of `cpz check --hints`. Every finding needs an annotation and every annotation a
//! finding; no annotation means that the text is clean. A failure prints the text with the actual findings as
//! annotations, to be pasted into the test.

use std::fmt::Write as _;

use cpz::analysis::{Options, analyse, link};
use cpz::syntax::parse;

/// A finding, or what an annotation says of it. Positions are counted in characters of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Expected {
    start: usize,
    length: usize,
    /// `error[illegal-move]`
    head: String,
    /// Empty: any message.
    message: String,
}

impl Expected {
    fn claims(&self, found: &Expected) -> bool {
        let message = match self.message.strip_suffix('…') {
            Some(beginning) => found.message.starts_with(beginning),
            None => self.message.is_empty() || self.message == found.message,
        };
        message && (self.start, self.length, &self.head) == (found.start, found.length, &found.head)
    }
}

/// Column, length and the rest of an annotation; `None` for any other line.
fn annotation(line: &str) -> Option<(usize, usize, &str)> {
    let marks = line.trim_start().strip_prefix("//")?.trim_start();
    if let Some(numbers) = marks.strip_prefix('@') {
        let (numbers, rest) = numbers.split_once(' ')?;
        let (column, length) = numbers.split_once('+')?;
        return Some((column.parse().ok()?, length.parse().ok()?, rest));
    }
    let rest = marks.trim_start_matches('^');
    let length = marks.len() - rest.len();
    let column = line[..line.len() - marks.len()].chars().count();
    (length > 0).then_some((column, length, rest))
}

/// The text without its annotations, and what these expect.
fn split(marked: &str) -> (String, Vec<Expected>) {
    let (mut text, mut all) = (String::new(), Vec::new());
    // Where the last line of the text begins.
    let (mut line_start, mut end) = (None, 0);
    for line in marked.split_inclusive('\n') {
        let Some((column, length, rest)) = annotation(line.trim_end()) else {
            line_start = Some(end);
            end += line.chars().count();
            text.push_str(line);
            continue;
        };
        let line_start = line_start.expect("an annotation needs a line above it");
        let (head, message) = rest.split_once(':').unwrap_or((rest, ""));
        let (head, message) = (head.trim().to_owned(), message.trim().to_owned());
        assert!(head.ends_with(']') && head.contains('['), "not SEVERITY[CODE]: {rest}");
        all.push(Expected { start: line_start + column, length, head, message });
    }
    (text, all)
}

/// The findings of a text, in order.
fn findings(text: &str) -> Vec<Expected> {
    let mut report = analyse(&parse(text), &Options::default());
    link(&mut [&mut report], |_, span| format!("{:?}", &text[span.range()]));
    let characters = |end: usize| text[..end].chars().count();
    let found = report.findings().into_iter().map(|(finding, _)| {
        let (start, end) = (characters(finding.span.range().start), characters(finding.span.range().end));
        let severity = report.severities.shown(finding).name();
        let head = format!("{severity}[{}]", finding.code.name());
        Expected { start, length: end - start, head, message: finding.message.clone() }
    });
    found.collect()
}

/// A text with findings as annotations.
fn annotated(text: &str, findings: &[Expected]) -> String {
    let mut out = String::new();
    let mut start = 0;
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    for (n, line) in lines.iter().enumerate() {
        let length = line.chars().count();
        // The end of the text belongs to its last line.
        let end = if n + 1 == lines.len() { usize::MAX } else { start + length };
        out.push_str(line);
        for found in findings.iter().filter(|f| (start..end).contains(&f.start)) {
            if !out.ends_with('\n') {
                out.push('\n');
            }
            let column = found.start - start;
            let fits =
                column >= 2 && found.length > 0 && column + found.length <= line.trim_end().chars().count();
            let _ = match fits {
                true => write!(out, "//{}{}", " ".repeat(column - 2), "^".repeat(found.length)),
                false => write!(out, "//@{column}+{}", found.length),
            };
            let _ = writeln!(out, " {}: {}", found.head, found.message);
        }
        start += length;
    }
    out
}

/// Compares the findings of a text with its annotations; see the top of this file.
#[track_caller]
pub fn check(marked: &str) {
    let (text, expected) = split(marked);
    let found = findings(&text);
    let mut unclaimed: Vec<&Expected> = found.iter().collect();
    let mut missing = Vec::new();
    for one in &expected {
        match unclaimed.iter().position(|f| one.claims(f)) {
            Some(at) => drop(unclaimed.remove(at)),
            None => missing.push(one),
        }
    }
    assert!(
        missing.is_empty() && unclaimed.is_empty(),
        "{} annotations without a finding, {} findings without an annotation; the actual findings:\n{}",
        missing.len(),
        unclaimed.len(),
        annotated(&text, &found)
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotated_findings_read_back_as_they_were() {
        let text =
            "solv\n\nsolitaire { board ...N }\nчёрные \"x\" solitaire { board R....N.......... solve\n}\n";
        let found = findings(text);
        assert!(found.len() >= 3, "{found:?}");
        let marked = annotated(text, &found);
        assert_eq!(split(&marked), (text.to_owned(), found.clone()), "{marked}");
        check(&marked);
    }

    #[test]
    #[should_panic(expected = "0 annotations without a finding, 1 findings without")]
    fn a_finding_without_annotation_fails() {
        check("solitaire { board R....N.......... solve }\n");
    }

    #[test]
    #[should_panic(expected = "1 annotations without a finding, 0 findings without")]
    fn an_annotation_without_finding_fails() {
        check("solitaire { board ...N.....R....B. solve }\n//        ^^^^^ error[syntax]\n");
    }
}
