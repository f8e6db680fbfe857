//! Incremental analysis: an edited text against a fresh one. The tests of incremental analysis use these helpers.

use cpz::analysis::{
    Cache, Defaults, DuplicateIndex, FileReport, Options, SegmentedText, allow, analyse, link,
};
use cpz::diagnostic::{Finding, Span};
use cpz::syntax::parse;

/// After edits the findings are those of a full analysis of the text.
///
/// Input bytes: a text and edits, separated by the byte 255, which UTF-8 never contains. An edit is an offset (two
/// bytes), the number of removed bytes (one byte), and the inserted text.
pub fn edits(data: &[u8]) {
    let mut pieces = data.split(|&b| b == 255);
    let Some(Ok(first)) = pieces.next().map(std::str::from_utf8) else { return };
    // Long searches would only slow this down.
    let (mut text, options) = (first.to_string(), Options { nodes: 1000, ..Options::default() });
    let mut parts = fresh(&text, &options);
    for piece in pieces.take(16) {
        let [a, b, gone, new @ ..] = piece else { continue };
        let Ok(new) = std::str::from_utf8(new) else { continue };
        let boundary =
            |i: usize| (0..=i.min(text.len())).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0);
        let start = boundary(usize::from(u16::from_be_bytes([*a, *b])) % (text.len() + 1));
        let end = boundary(start + usize::from(*gone)).max(start);
        text.replace_range(start..end, new);
        parts.edit(Span::new(start as u32, end as u32), new.len() as u32);
        finish(&mut parts, &text, &options);
    }
    assert_eq!(found(&parts, &text, &options), whole(&text, &options), "{text:?}");
}

/// A new text, completely read and analysed.
pub fn fresh(text: &str, options: &Options) -> SegmentedText {
    let mut parts = SegmentedText::of(text, Defaults::default());
    finish(&mut parts, text, options);
    parts
}

/// Reads and analyses the edited parts.
pub fn finish(parts: &mut SegmentedText, text: &str, options: &Options) {
    parts.read(text);
    assert!(parts.is_read());
    assert_eq!(parts.bytes() as usize, text.len());
    parts.analyse(text, &Cache::default(), options, u64::MAX, 0, usize::MAX);
    assert_eq!(parts.stale(), 0);
}

/// The findings of the incremental analysis, as shown.
pub fn found(parts: &SegmentedText, text: &str, options: &Options) -> Vec<Finding> {
    let mut twins = DuplicateIndex::default();
    twins.put("a", Some(parts), &mut Default::default());
    told(&twins, parts, text, options)
}

/// The same, with a given index of duplicates.
pub fn told(twins: &DuplicateIndex, parts: &SegmentedText, text: &str, options: &Options) -> Vec<Finding> {
    let place = |_: &str, s: Span| format!("a:{}", s.start);
    let told = twins.findings_of("a", usize::MAX, |s| text[s.range()].to_string(), place);
    let mut report = parts.report(&options.config.severities, &told.findings);
    allow(&mut report);
    sorted(&report)
}

/// The same by a full analysis of the text.
pub fn whole(text: &str, options: &Options) -> Vec<Finding> {
    let mut report = analyse(&parse(text), options);
    link(&mut [&mut report], |_, s| format!("a:{}", s.start));
    sorted(&report)
}

fn sorted(report: &FileReport) -> Vec<Finding> {
    let mut all: Vec<Finding> = report.findings().into_iter().map(|(f, _)| f.clone()).collect();
    all.sort_by_key(|f| (f.span, f.code, f.message.clone()));
    all
}
