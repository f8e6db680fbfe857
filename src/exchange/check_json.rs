//! The document of `cpz check --format json`. Its schema is `docs/schema/check.schema.json`.

use std::borrow::Cow;

use serde::Serialize;

use crate::RangeDocument;
use cpz_check::analysis::{FileReport, PuzzleReport};
use cpz_check::parallel::*;
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
        let of_puzzles = |puzzles: &[PuzzleReport]| {
            let mut counts = Counts::default();
            counts.summary.puzzles = puzzles.len();
            for puzzle in puzzles {
                counts.summary.queries += puzzle.asked as usize;
                counts.add_findings(report, &puzzle.findings);
            }
            counts
        };
        let parts: Vec<Counts> = report.puzzles.par_chunks(PARALLEL_FROM).map(of_puzzles).collect();
        for Counts { summary: part, hints, worst } in parts {
            let summary = &mut self.summary;
            summary.puzzles += part.puzzles;
            summary.queries += part.queries;
            summary.errors += part.errors;
            summary.warnings += part.warnings;
            self.hints += hints;
            self.worst = self.worst.into_iter().chain(worst).min();
        }
        self.add_findings(report, &report.top);
    }

    fn add_findings(&mut self, report: &FileReport, findings: &[Finding]) {
        for finding in findings {
            let severity = report.severities.shown(finding);
            self.worst = self.worst.into_iter().chain([severity]).min();
            match severity {
                Severity::Error => self.summary.errors += 1,
                Severity::Warning => self.summary.warnings += 1,
                Severity::Hint => self.hints += 1,
            }
        }
    }
}
