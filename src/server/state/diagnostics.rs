//! Findings → LSP diagnostics.

use tower_lsp::ls_types as lsp;

use crate::analysis::Severities;
use crate::diagnostic::{Code, Finding, Severity, visible};
use crate::server::protocol::client_capabilities::Shown;
use crate::server::protocol::convert::{Encoding, range};
use crate::server::session::limits::MAX_DIAGNOSTICS;
use crate::server::state::snapshot::Snapshot;

/// The diagnostics of a file in order of position: the worst [`MAX_DIAGNOSTICS`], and one more that counts the
/// rest. `more` is the number of findings that are not in `findings`. `other` gives the snapshot of a file by
/// its number in the duplicate index, for related places.
pub(crate) fn diagnostics<'a>(
    snapshot: &Snapshot,
    mut findings: Vec<&Finding>,
    more: usize,
    severities: &Severities,
    (encoding, shown): (Encoding, Shown),
    other: impl Fn(u32) -> Option<&'a Snapshot>,
) -> Vec<lsp::Diagnostic> {
    let all = findings.len() + more;
    if all > MAX_DIAGNOSTICS {
        findings.sort_by_key(|f| (severities.shown(f.code), f.span.start));
        findings.truncate(MAX_DIAGNOSTICS);
        findings.sort_by_key(|f| f.span.start);
    }
    let mut out: Vec<lsp::Diagnostic> = findings
        .iter()
        .map(|f| diagnostic(snapshot, f, severities.shown(f.code), (encoding, shown), &other))
        .collect();
    if all > MAX_DIAGNOSTICS {
        let message =
            format!("{} more findings are not shown; `cpz check` prints all", all - MAX_DIAGNOSTICS);
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
        Some(lsp::DiagnosticRelatedInformation { location, message: visible(&r.message).into_owned() })
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
        message: visible(&message).into_owned(),
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
