//! Applies the fixes of findings.

use cpz::analysis::{FileReport, Options, analyse, link};
use cpz::diagnostic::{Code, Edit, Finding, Severity};
use cpz::ide::{apply, keeps_all_else, safe_fixes};
use cpz::syntax::parse;

/// A fix removes its finding and adds no error, except errors that a syntax error hid; a safe fix changes nothing else.
pub fn fixes(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let before = report(text);
    for (finding, _) in before.findings().iter().take(20) {
        for fix in &finding.fixes {
            let new = apply(text, &fix.edits);
            let after = report(&new);
            assert_fixed(text, &before, finding, &new, &after, &fix.title);
            if fix.safe {
                assert!(keeps_all_else(text, &fix.edits, &new), "{}\n{text}\n{new}", fix.title);
            }
        }
    }
    let all = safe_fixes(before.findings().into_iter().map(|(f, _)| f));
    let edits: Vec<Edit> = all.concat();
    // Syntax errors may hide any number of errors after them.
    if hiding(&before) == 0 {
        assert!(errors(&report(&apply(text, &edits))).len() <= errors(&before).len(), "{text}");
    }
}

/// Asserts that a fix has removed its finding.
fn assert_fixed(
    text: &str,
    before: &FileReport,
    finding: &Finding,
    new: &str,
    after: &FileReport,
    title: &str,
) {
    let messages =
        |r: &FileReport| r.findings().iter().map(|(f, _)| f.message.clone()).collect::<Vec<_>>().join("\n  ");
    let details = || format!("{finding:?}\n{title}\nBEFORE\n{text}\nAFTER\n{new}\n  {}", messages(after));
    let like = |f: &Finding| f.code == finding.code && f.message == finding.message;
    let all = |r: &FileReport| r.findings().iter().filter(|(f, _)| like(f)).count();
    // A syntax error may hide a similar finding after it, but not the same one at the same place, unless there were
    // several side by side.
    let same = |text: &str, f: &Finding| (f.span.start, text[f.span.range()].to_string());
    let here = same(text, finding);
    let stays = || after.findings().iter().any(|(f, _)| like(f) && same(new, f) == here);
    let may_recur = hides_others(finding.code) || hiding(before) > 0;
    let gone = all(after) < all(before) || may_recur && !stays();
    assert!(gone, "the finding is still there\n{}", details());
    if !hides_others(finding.code) && hiding(before) == 0 {
        assert!(errors(after).len() <= errors(before).len(), "a new error\n{}", details());
    }
}

/// Whether a finding means that a part could not be parsed, so that it may hide others.
fn hides_others(code: Code) -> bool {
    (code as usize) <= Code::TooManyKings as usize || code == Code::InvalidValue
}

/// The number of findings that may hide others.
fn hiding(report: &FileReport) -> usize {
    report.findings().iter().filter(|(f, _)| hides_others(f.code)).count()
}

fn errors(report: &FileReport) -> Vec<Code> {
    let all = report.findings();
    all.iter().filter(|(f, _)| report.severities.shown(f) == Severity::Error).map(|(f, _)| f.code).collect()
}

fn report(text: &str) -> FileReport {
    let options = Options { nodes: 2000, ..Options::default() };
    let mut report = analyse(&parse(text), &options);
    link(&mut [&mut report], |_, span| format!("{}", span.start));
    report
}
