//! The document of `cpz check --format json`. Its schema is `docs/schema/check.schema.json`.

use std::borrow::Cow;

use serde::Serialize;

use crate::RangeDocument;
use cpz_check::analysis::FileReport;
use cpz_text::diagnostic::{Finding, Severity, visible};

/// The document.
#[derive(Serialize)]
pub struct CheckDocument<'a> {
    /// The version of the document.
    pub version: u32,
    /// The files in order.
    pub files: Vec<CheckFile<'a>>,
    /// Numbers of puzzles and findings.
    pub summary: Summary,
}

/// The findings of a file.
#[derive(Serialize)]
pub struct CheckFile<'a> {
    /// The path of the file.
    pub path: &'a str,
    /// Its findings, in the order of the text.
    pub diagnostics: Vec<DiagnosticDocument<'a>>,
}

/// A finding.
#[derive(Serialize)]
pub struct DiagnosticDocument<'a> {
    code: &'static str,
    severity: &'static str,
    message: Cow<'a, str>,
    range: RangeDocument,
    puzzle: Option<&'a str>,
}

/// A finding with the severity and the place that are shown, and the name of its puzzle.
pub fn diagnostic_document<'a>(
    finding: &'a Finding,
    severity: Severity,
    range: RangeDocument,
    puzzle: Option<&'a str>,
) -> DiagnosticDocument<'a> {
    let message = visible(&finding.message);
    DiagnosticDocument { code: finding.code.name(), severity: severity.name(), message, range, puzzle }
}

/// Numbers for the end of a report. The order of the fields is that of the JSON document.
#[derive(Clone, Copy, Default, Serialize)]
pub struct Summary {
    /// The files that were read.
    pub files: usize,
    /// Their puzzles.
    pub puzzles: usize,
    /// The queries of these.
    pub queries: usize,
    /// The errors that were found.
    pub errors: usize,
    /// The warnings that were found.
    pub warnings: usize,
    /// How many findings the baseline accepts, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accepted: Option<usize>,
}

/// Numbers of puzzles and findings.
#[derive(Clone, Copy, Default)]
pub struct Counts {
    /// What the report says.
    pub summary: Summary,
    /// The findings that are hints.
    pub hints: usize,
    /// The highest severity.
    pub worst: Option<Severity>,
}

impl Counts {
    /// Adds the puzzles and the findings of a file; the file itself is not counted.
    pub fn add(&mut self, report: &FileReport) {
        let summary = &mut self.summary;
        summary.puzzles += report.puzzles.len();
        summary.queries += report.puzzles.iter().map(|p| p.asked as usize).sum::<usize>();
        for (finding, _) in report.unordered() {
            let severity = report.severities.shown(finding);
            self.worst = self.worst.into_iter().chain([severity]).min();
            match severity {
                Severity::Error => summary.errors += 1,
                Severity::Warning => summary.warnings += 1,
                Severity::Hint => self.hints += 1,
            }
        }
    }
}
