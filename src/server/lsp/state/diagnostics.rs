//! Findings → LSP diagnostics.

use ls_types as lsp;

use crate::lsp::protocol::client_capabilities::Shown;
use crate::lsp::protocol::convert::{Encoding, range};
use crate::lsp::session::limits::MAX_DIAGNOSTICS;
use crate::lsp::state::snapshot::Snapshot;
use cpz_check::analysis::{SegmentedText, Severities};
use cpz_text::diagnostic::{Code, Finding, Severity, Span, plain, visible};

/// The longest name of a puzzle in a message, in characters.
const MAX_NAME_CHARS: usize = 40;

/// A number of findings of each severity.
#[derive(Clone, Copy, Default)]
pub(crate) struct CountBySeverity([usize; 3]);

impl CountBySeverity {
    pub fn add(&mut self, severity: Severity, count: usize) {
        self.0[severity as usize] += count;
    }

    fn total(self) -> usize {
        self.0.iter().sum()
    }

    /// `2 more errors and 6102 more warnings`.
    fn in_words(self) -> String {
        let severities = [Severity::Error, Severity::Warning, Severity::Hint];
        let known = severities.iter().zip(self.0).filter(|(_, n)| *n > 0);
        let part = |(severity, n): (&Severity, usize)| {
            format!("{n} more {}{}", severity.name(), if n == 1 { "" } else { "s" })
        };
        let parts: Vec<String> = known.map(part).collect();
        match parts.split_last() {
            Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
            _ => parts.concat(),
        }
    }
}

/// The diagnostics of a file in order of position: the worst [`MAX_DIAGNOSTICS`], and one more that counts the
/// rest. `more` is the number of findings that are not in `findings`. `other` gives the snapshot of a file by
/// its number in the duplicate index, for related places.
pub(crate) fn diagnostics<'a>(
    (snapshot, segments): (&Snapshot, &SegmentedText),
    mut findings: Vec<&Finding>,
    mut more: CountBySeverity,
    severities: &Severities,
    (encoding, shown): (Encoding, Shown),
    other: impl Fn(u32) -> Option<&'a Snapshot>,
) -> Vec<lsp::Diagnostic> {
    if findings.len() + more.total() > MAX_DIAGNOSTICS {
        findings.sort_by_key(|f| (severities.shown(f), f.span.start));
        let shown = findings.len().min(MAX_DIAGNOSTICS);
        findings.drain(shown..).for_each(|f| more.add(severities.shown(f), 1));
        findings.sort_by_key(|f| f.span.start);
    }
    let names = segments.names_at(findings.iter().map(|f| f.span.start));
    let mut out: Vec<lsp::Diagnostic> = findings
        .iter()
        .zip(names)
        .map(|(f, name)| {
            let mut one = diagnostic(snapshot, f, severities.shown(f), (encoding, shown), &other);
            let name = name.filter(|_| f.code != Code::DuplicateName);
            if let Some(name) = name.and_then(|at| name_of(snapshot, at)) {
                one.message = format!("“{name}”: {}", one.message);
            }
            one
        })
        .collect();
    if more.total() > 0 {
        let message = format!("{} are not shown; ‘cpz check’ prints all", more.in_words());
        let start = lsp::Position::default();
        out.push(lsp::Diagnostic {
            range: lsp::Range { start, end: start },
            severity: Some(lsp::DiagnosticSeverity::INFORMATION),
            source: Some("cpz".into()),
            message,
            ..Default::default()
        });
    }
    out
}

/// The name of a puzzle without its quotes, shortened; nothing for a blank one.
fn name_of(snapshot: &Snapshot, at: Span) -> Option<String> {
    let text = String::from(snapshot.rope.get_byte_slice(at.range())?);
    let name = visible(text.trim_matches(['"', '\'']).trim()).into_owned();
    match name.char_indices().nth(MAX_NAME_CHARS) {
        Some((end, _)) => Some(format!("{}…", name[..end].trim_end())),
        None => Some(name).filter(|n| !n.is_empty()),
    }
}

fn diagnostic<'a>(
    snapshot: &Snapshot,
    finding: &Finding,
    how_bad: Severity,
    (encoding, shown): (Encoding, Shown),
    other: &impl Fn(u32) -> Option<&'a Snapshot>,
) -> lsp::Diagnostic {
    let related = finding.related.iter().filter_map(|r| {
        let there = match r.file {
            None => snapshot,
            Some(file) => other(file)?,
        };
        let location =
            lsp::Location { uri: there.uri.parse().ok()?, range: range(&there.rope, r.span, encoding) };
        Some(lsp::DiagnosticRelatedInformation { location, message: plain(&r.message).into_owned() })
    });
    let related: Vec<_> = related.collect();
    let mut message = finding.message.clone();
    for note in &finding.notes {
        message.push('\n');
        message.push_str(note);
    }
    let fixes = || finding.fixes.iter().map(|f| f.title.as_str()).collect::<Vec<_>>();
    lsp::Diagnostic {
        range: range(&snapshot.rope, finding.span, encoding),
        severity: Some(severity(how_bad)),
        code: Some(lsp::NumberOrString::String(finding.code.name().into())),
        // The manual has no public address yet.
        code_description: None,
        source: Some("cpz".into()),
        message: plain(&message).into_owned(),
        related_information: (shown.related && !related.is_empty()).then_some(related),
        tags: (shown.tags && finding.code == Code::UnusedAllow)
            .then(|| vec![lsp::DiagnosticTag::UNNECESSARY]),
        data: (shown.data && !finding.fixes.is_empty()).then(|| serde_json::json!({ "fixes": fixes() })),
    }
}

fn severity(severity: Severity) -> lsp::DiagnosticSeverity {
    match severity {
        Severity::Error => lsp::DiagnosticSeverity::ERROR,
        Severity::Warning => lsp::DiagnosticSeverity::WARNING,
        Severity::Hint => lsp::DiagnosticSeverity::HINT,
    }
}
