//! What holds of any bytes. Fuzzers call these, and the tests call them with what fuzzers have kept.

#![allow(dead_code, reason = "each fuzzer calls one of them")]

use cpz::analysis::{Cache, FileReport, Options, Parts, Settings, Twins, allow, analyse, link};
use cpz::ide;
use cpz::syntax::{Finding, Span, parse};

/// A tree has all of its text, and what an editor is told of it stands within it.
pub fn text(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let tree = parse(text);
    let printed: String = tree.tokens().map(|token| token.text()).collect();
    assert_eq!(printed, text);
    let good = |s: Span| text.get(s.range()).is_some();
    assert!(tree.errors().iter().all(|e| good(e.span)));
    assert!(ide::semantic_tokens(&tree, None).iter().all(|t| good(t.span)));
    assert!(ide::folds(&tree, 1000).iter().all(|(s, _)| good(*s)));
    assert!(ide::links(&tree).iter().all(|(s, _)| good(*s)));
    for symbol in ide::document_symbols(&tree, Settings::default(), 0, 1000) {
        assert!(good(symbol.span) && good(symbol.selection));
    }
    for offset in [0, text.len() / 3, text.len() / 2, text.len()] {
        let offset = offset as u32;
        assert!(ide::selection(&tree, offset).iter().all(|s| good(*s)));
        assert!(ide::highlights(&tree, offset).iter().all(|(s, _)| good(*s)));
        for typed in ['\n', '}'] {
            assert!(ide::on_type(&tree, offset, typed).iter().all(|e| good(e.span)));
        }
    }
}

/// Formatting changes white space only, and nothing the second time.
pub fn format(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Some(once) = ide::format(&parse(text)) else { return };
    let dense = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    assert_eq!(dense(&once), dense(text));
    let comments = |text: &str| {
        let tree = parse(text);
        let comments = tree.tokens().filter(|t| t.text().starts_with("//"));
        comments.map(|t| t.text().trim_end().to_string()).collect::<Vec<_>>()
    };
    assert_eq!(comments(&once), comments(text));
    assert_eq!(ide::format(&parse(once.as_str())).as_ref(), Some(&once));
}

/// A text that is edited is known as one that is opened anew.
///
/// No text has the byte 255. It parts the text from the edits, and these from each other: each is a place (two
/// bytes), how much goes (one byte), and what comes.
pub fn edits(data: &[u8]) {
    let mut pieces = data.split(|&b| b == 255);
    let Some(Ok(first)) = pieces.next().map(std::str::from_utf8) else { return };
    // What is long to search says nothing about edits.
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

/// A text's parts, all of them known.
pub fn fresh(text: &str, options: &Options) -> Parts {
    let mut parts = Parts::of(text, Settings::default());
    finish(&mut parts, text, options);
    parts
}

/// Reads and analyses what was edited.
pub fn finish(parts: &mut Parts, text: &str, options: &Options) {
    parts.read(text);
    assert!(parts.is_read());
    assert_eq!(parts.bytes() as usize, text.len());
    parts.analyse(text, &Cache::default(), options, u64::MAX, (0, usize::MAX));
    assert_eq!(parts.stale(), 0);
}

/// What is found, as it is shown.
pub fn found(parts: &Parts, text: &str, options: &Options) -> Vec<Finding> {
    let mut twins = Twins::default();
    twins.put("a", Some(parts), &mut Default::default());
    told(&twins, parts, text, options)
}

/// The same by what is known of duplicates.
pub fn told(twins: &Twins, parts: &Parts, text: &str, options: &Options) -> Vec<Finding> {
    let place = |_: &str, s: Span| format!("a:{}", s.start);
    let told = twins.of("a", usize::MAX, |s| text[s.range()].to_string(), place);
    let mut report = parts.report(&options.config.severities, &told.findings);
    allow(&mut report);
    sorted(&report)
}

/// The same by the analysis of the whole text at once.
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
