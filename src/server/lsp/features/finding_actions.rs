//! The actions of findings: to correct them, to go to the other place that they are about, to explain them, and, last,
//! to silence them.

use std::sync::Arc;

use ls_types as lsp;
use serde_json::json;

use crate::lsp::features::action_list::{ActionList, command_action, edit_action};
use crate::lsp::features::context::RequestContext;
use crate::lsp::protocol::commands::{ClientCommand, ServerCommand};
use crate::lsp::protocol::convert::{FIX_ALL, range};
use cpz_check::analysis::{PuzzleReport, puzzles_in};
use cpz_ide as ide;
use cpz_text::diagnostic::{Code, Edit, Finding, Fix, Span};

const KIND: lsp::CodeActionKind = lsp::CodeActionKind::QUICKFIX;

/// The findings of a selection for which a slip is looked for. Each takes up to some ten milliseconds.
const MAX_SLIPS: usize = 4;

/// The findings that touch the selection, and the client's own diagnostics of them.
pub(crate) struct SelectedFindings<'a> {
    findings: Vec<Finding>,
    diagnostics: &'a [lsp::Diagnostic],
}

impl<'a> SelectedFindings<'a> {
    pub fn new(
        context: &RequestContext<'_>,
        selection: Span,
        reports: &[PuzzleReport],
        diagnostics: &'a [lsp::Diagnostic],
    ) -> SelectedFindings<'a> {
        let mut findings = findings(context, reports);
        findings.retain(|f| f.span.start <= selection.end && selection.start <= f.span.end);
        SelectedFindings { findings, diagnostics }
    }

    /// Adds the fixes, then the ways to the other place and to the explanation.
    pub fn add_fixes(&self, context: &RequestContext<'_>, actions: &mut ActionList<'_>) {
        if !actions.is_requested(&KIND) {
            return;
        }
        let mut searched = 0;
        for finding in &self.findings {
            for (i, fix) in finding.fixes.iter().enumerate() {
                let mut action = edit_action(context, &capitalised(&fix.title), KIND, &fix.edits);
                action.is_preferred = (i == 0 && fix.safe).then_some(true);
                actions.add(self.linked(context, finding, action));
            }
            let is_searched = may_be_slip(finding) && searched < MAX_SLIPS;
            searched += usize::from(is_searched);
            let slips = if is_searched { slips_of(context, finding) } else { Vec::new() };
            let text = context.tree().text();
            for fix in puzzles_of(context, finding).into_iter().chain(slips) {
                let is_new = |other: &Fix| !ide::make_the_same(text, &other.edits, &fix.edits);
                if finding.fixes.iter().all(is_new) {
                    let action = edit_action(context, &capitalised(&fix.title), KIND, &fix.edits);
                    actions.add(self.linked(context, finding, action));
                }
            }
        }
        for finding in &self.findings {
            let other = other_place(context, finding).and_then(|o| serde_json::to_value(o).ok());
            if let Some(other) = other.filter(|_| context.client().show_document) {
                let action = command_action("Go to the other one", KIND, ServerCommand::GoTo.name(), other);
                actions.add(self.linked(context, finding, action));
            }
        }
        // A client without the page is shown a message.
        let client = context.client();
        let command = match client.explain {
            true => Some(ClientCommand::Explain.name()),
            false => (client.show_document || client.code_description).then(|| ServerCommand::Explain.name()),
        };
        for (finding, code) in self.codes() {
            let Some(command) = command else { break };
            let (title, argument) =
                (format!("Explain {code}", code = code.name()), json!({"code": code.name()}));
            let action = command_action(&title, KIND, command, argument);
            actions.add(self.linked(context, finding, action));
        }
    }

    /// Adds the ways to silence the findings.
    pub fn add_allows(&self, context: &RequestContext<'_>, actions: &mut ActionList<'_>) {
        if !actions.is_requested(&KIND) || self.findings.is_empty() || context.snapshot.uri.ends_with(".toml")
        {
            return;
        }
        for (finding, code) in self.codes() {
            let here = puzzles_in(context.tree(), context.base(), finding.span, 2);
            let contains = |span: Span| span.start <= finding.span.start && finding.span.start < span.end;
            let here = here.iter().find(|(p, _)| contains(p.span()));
            let edit = here.and_then(|(puzzle, _)| ide::allow_in_puzzle(*puzzle, code));
            let mut add = |context: &RequestContext<'_>, edit: Option<Edit>, title: String| {
                let action = edit.map(|edit| edit_action(context, &title, KIND, &[edit]));
                actions.list.extend(
                    action.map(|a| lsp::CodeActionOrCommand::CodeAction(self.linked(context, finding, a))),
                );
            };
            add(context, edit, format!("Allow {} here", code.name()));
            let top = context.for_position(lsp::Position::default());
            add(&top, ide::allow_in_file(top.tree(), code), format!("Allow {} in this file", code.name()));
        }
    }

    /// The findings.
    pub fn all(&self) -> &[Finding] {
        &self.findings
    }

    /// The codes of the findings, each once, with the first finding that has it.
    fn codes(&self) -> Vec<(&Finding, Code)> {
        let mut codes: Vec<(&Finding, Code)> = Vec::new();
        for finding in &self.findings {
            if codes.iter().all(|(_, code)| *code != finding.code) {
                codes.push((finding, finding.code));
            }
        }
        codes
    }

    /// An action with the client's own diagnostic of its finding.
    pub fn linked(
        &self,
        context: &RequestContext<'_>,
        finding: &Finding,
        action: lsp::CodeAction,
    ) -> lsp::CodeAction {
        let range = context.range(finding.span);
        let is_same = |d: &&lsp::Diagnostic| {
            let code = matches!(&d.code, Some(lsp::NumberOrString::String(c)) if c == finding.code.name());
            code && d.range == range
        };
        lsp::CodeAction {
            diagnostics: self.diagnostics.iter().find(is_same).cloned().map(|d| vec![d]),
            ..action
        }
    }
}

/// The fix that makes puzzles of a text of another program.
fn puzzles_of(context: &RequestContext<'_>, finding: &Finding) -> Option<Fix> {
    let tree = context.tree();
    let is_inside =
        || tree.puzzles().any(|p| p.span().start <= finding.span.start && finding.span.start < p.span().end);
    let is_candidate = finding.code == Code::Syntax && finding.fixes.is_empty() && !finding.span.is_empty();
    (is_candidate && !is_inside()).then(|| ide::make_puzzles(tree.text(), finding.span))?
}

/// Whether one slip may have caused a finding that has no safe fix.
fn may_be_slip(finding: &Finding) -> bool {
    ide::can_be_slip(finding.code) && !finding.fixes.iter().any(|fix| fix.safe)
}

/// The fixes that undo one slip. They take some milliseconds, so they are left to the attempt that may take them.
fn slips_of(context: &RequestContext<'_>, finding: &Finding) -> Vec<Fix> {
    if context.cancelled() || context.leaves_to_slow_pass() {
        return Vec::new();
    }
    ide::slip_fixes(context.tree().text(), context.base(), finding)
}

/// Adds all safe fixes of the whole text in one action.
pub(crate) fn add_fix_all(context: &RequestContext<'_>, actions: &mut ActionList<'_>) {
    if !actions.is_requested(&FIX_ALL) {
        return;
    }
    let context = context.for_whole_text();
    let writable = ide::WritableParts::of(context.tree());
    let mut fixes = ide::safe_fixes(all_findings(&context).iter());
    fixes.retain(|edits| edits.iter().all(|edit| writable.contain(edit)));
    let edits = fixes.concat();
    let text = context.tree().text();
    if ide::is_plain_text(text)
        && !edits.is_empty()
        && ide::keeps_all_else(text, &edits, &ide::apply(text, &edits))
    {
        actions.add(edit_action(&context, "Fix all that is safe to fix", FIX_ALL, &edits));
    }
}

/// The other puzzle or name that a finding about duplicates refers to.
fn other_place(context: &RequestContext<'_>, finding: &Finding) -> Option<lsp::Location> {
    if !matches!(finding.code, Code::DuplicatePuzzle | Code::DuplicateName | Code::DuplicateId) {
        return None;
    }
    let start = context.start() + finding.span.start;
    if finding.code == Code::DuplicatePuzzle {
        return context.snapshot.duplicate_at(start).flatten();
    }
    // The finding has places in the window only; the published one has those of the whole text.
    let published = context.snapshot.findings()?;
    let same = |f: &&Finding| f.code == finding.code && f.span.start == start;
    let other = published.iter().find(same)?.related.iter().find(|r| r.file.is_none())?.span;
    let range = range(&context.snapshot.rope, other, context.client().encoding);
    Some(lsp::Location { uri: context.snapshot.uri.parse().ok()?, range })
}

/// The findings of the window as published last. If none were published yet, those of the reports, without the
/// findings that need other files.
fn findings(context: &RequestContext<'_>, reports: &[PuzzleReport]) -> Vec<Finding> {
    let Some(published) = context.snapshot.findings() else {
        let is_reported =
            |e: &&Finding| reports.iter().any(|r| r.span.start <= e.span.start && e.span.start < r.span.end);
        let outside = context.tree().errors().iter().filter(|e| !is_reported(e));
        return reports.iter().flat_map(|r| &r.findings).chain(outside).cloned().collect();
    };
    let (start, end) = (context.start(), context.start() + context.full_span().end);
    let here = published.iter().filter(|f| start <= f.span.start && f.span.end <= end);
    here.map(|f| {
        let mut finding = f.clone();
        finding.shift(-i64::from(start));
        finding
    })
    .collect()
}

/// The findings of the whole text, for a context without a window.
fn all_findings(context: &RequestContext<'_>) -> Arc<Vec<Finding>> {
    if let Some(published) = context.snapshot.findings() {
        return published;
    }
    let puzzles = puzzles_in(context.tree(), context.base(), context.full_span(), usize::MAX);
    let reports: Vec<PuzzleReport> = puzzles
        .into_iter()
        .filter_map(|(puzzle, settings)| context.report_if_quick(puzzle, settings))
        .collect();
    Arc::new(findings(context, &reports))
}

fn capitalised(title: &str) -> String {
    let mut letters = title.chars();
    letters.next().map(|c| c.to_ascii_uppercase()).into_iter().chain(letters).collect()
}
