//! What becomes of a text whose findings are mended.

use cpz::analysis::{FileReport, Options, analyse, link};
use cpz::diagnostic::{Code, Edit, Finding, Severity};
use cpz::ide::{apply, keeps_all_else, safe_fixes};
use cpz::syntax::parse;

/// A fix takes its finding away and brings no error but such as it laid bare; a safe one can be made unasked.
pub fn fixes(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let before = report(text);
    for (finding, _) in before.findings().iter().take(20) {
        for fix in &finding.fixes {
            let new = apply(text, &fix.edits);
            let after = report(&new);
            mended(text, &before, finding, &new, &after, &fix.title);
            if fix.safe {
                assert!(keeps_all_else(text, &fix.edits, &new), "{}\n{text}\n{new}", fix.title);
            }
        }
    }
    let all = safe_fixes(before.findings().into_iter().map(|(f, _)| f));
    let edits: Vec<Edit> = all.concat();
    // Behind a part that could not be read any number may wait.
    if laid_bare(&before) == 0 {
        assert!(errors(&report(&apply(text, &edits))).len() <= errors(&before).len(), "{text}");
    }
}

fn mended(text: &str, before: &FileReport, finding: &Finding, new: &str, after: &FileReport, title: &str) {
    let told =
        |r: &FileReport| r.findings().iter().map(|(f, _)| f.message.clone()).collect::<Vec<_>>().join("\n  ");
    let said = || format!("{finding:?}\n{title}\nBEFORE\n{text}\nAFTER\n{new}\n  {}", told(after));
    let like = |f: &Finding| f.code == finding.code && f.message == finding.message;
    let all = |r: &FileReport| r.findings().iter().filter(|(f, _)| like(f)).count();
    // Where a part could not be read another like it may wait behind, but not the same in the same place: unless it
    // was one of several that stand side by side.
    let same = |text: &str, f: &Finding| (f.span.start, text[f.span.range()].to_string());
    let here = same(text, finding);
    let stays = || after.findings().iter().any(|(f, _)| like(f) && same(new, f) == here);
    let torn = reads(finding.code) || laid_bare(before) > 0;
    let gone = all(after) < all(before) || torn && !stays();
    assert!(gone, "it is found again\n{}", said());
    if !reads(finding.code) && laid_bare(before) == 0 {
        assert!(errors(after).len() <= errors(before).len(), "an error came\n{}", said());
    }
}

/// Whether a finding says that a part could not be read, so that behind it another may wait.
fn reads(code: Code) -> bool {
    (code as usize) <= Code::TooManyKings as usize
}

fn laid_bare(report: &FileReport) -> usize {
    report.findings().iter().filter(|(f, _)| reads(f.code)).count()
}

fn errors(report: &FileReport) -> Vec<Code> {
    let all = report.findings();
    all.iter().map(|(f, _)| f.code).filter(|&c| report.severities.shown(c) == Severity::Error).collect()
}

fn report(text: &str) -> FileReport {
    let options = Options { nodes: 2000, ..Options::default() };
    let mut report = analyse(&parse(text), &options);
    link(&mut [&mut report], |_, span| format!("{}", span.start));
    report
}
