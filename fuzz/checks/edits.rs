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
    let mut segments = analysed(&text, &options);
    for piece in pieces.take(16) {
        let [a, b, gone, new @ ..] = piece else { continue };
        let Ok(new) = std::str::from_utf8(new) else { continue };
        let boundary =
            |i: usize| (0..=i.min(text.len())).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0);
        let start = boundary(usize::from(u16::from_be_bytes([*a, *b])) % (text.len() + 1));
        let end = boundary(start + usize::from(*gone)).max(start);
        text.replace_range(start..end, new);
        segments.edit(Span::new(start as u32, end as u32), new.len() as u32);
        analyse_rest(&mut segments, &text, &options);
    }
    assert_eq!(incremental_findings(&segments, &text, &options), full_findings(&text, &options), "{text:?}");
}

/// A new text, completely read and analysed.
pub fn analysed(text: &str, options: &Options) -> SegmentedText {
    let mut segments = SegmentedText::of(text, Defaults::default());
    analyse_rest(&mut segments, text, options);
    segments
}

/// Reads and analyses the edited segments.
pub fn analyse_rest(segments: &mut SegmentedText, text: &str, options: &Options) {
    segments.read(text);
    assert!(segments.is_read());
    assert_eq!(segments.bytes() as usize, text.len());
    segments.analyse(text, &Cache::default(), options, u64::MAX, 0, usize::MAX);
    assert_eq!(segments.stale(), 0);
}

/// The findings of the incremental analysis, as shown.
pub fn incremental_findings(segments: &SegmentedText, text: &str, options: &Options) -> Vec<Finding> {
    let mut index = DuplicateIndex::default();
    index.update("a", Some(segments), &mut Default::default());
    findings_with_index(&index, segments, text, options)
}

/// The same, with a given index of duplicates.
pub fn findings_with_index(
    index: &DuplicateIndex,
    segments: &SegmentedText,
    text: &str,
    options: &Options,
) -> Vec<Finding> {
    let place = |_: &str, s: Span| format!("a:{}", s.start);
    let duplicates = index.findings_of("a", usize::MAX, |s| text[s.range()].to_string(), place);
    let mut report = segments.report(&options.config.severities, &duplicates.findings);
    allow(&mut report);
    sorted(&report)
}

/// The same by a full analysis of the text.
pub fn full_findings(text: &str, options: &Options) -> Vec<Finding> {
    let mut report = analyse(&parse(text), options);
    link(&mut [&mut report], |_, s| format!("a:{}", s.start));
    sorted(&report)
}

fn sorted(report: &FileReport) -> Vec<Finding> {
    let mut all: Vec<Finding> = report.findings().into_iter().map(|(f, _)| f.clone()).collect();
    all.sort_by_key(|f| (f.span, f.code, f.message.clone()));
    all
}
