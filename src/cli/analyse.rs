//! Runs the analysis on inputs, for every command that needs reports.

use rayon::prelude::*;

use super::inputs::Input;
use super::progress::Progress;
use cpz_check::analysis::{
    FileReport, Options, PuzzleReport, add_collection_hints, analyse, link, parse_in_parts,
};
use cpz_text::diagnostic::{Finding, LineIndex, Severity, Span};

/// Selects the severities that are shown.
pub type SeverityFilter<'a> = dyn Fn(Severity) -> bool + Sync + 'a;

/// A finding with its configured severity, and the puzzle that it is in, if any.
pub type RatedFinding<'a> = (&'a Finding, Severity, Option<&'a PuzzleReport>);

/// A file and its report.
pub struct AnalysedFile {
    pub input: Input,
    pub index: LineIndex,
    pub report: FileReport,
    /// The lines of the file that the puzzles were made of, if that is one of another program.
    original_index: Option<LineIndex>,
}

impl AnalysedFile {
    /// The findings that the filter lets through, in the order of the shown text.
    pub fn findings<'a>(&'a self, filter: &'a SeverityFilter<'a>) -> impl Iterator<Item = RatedFinding<'a>> {
        let rated = |(f, p): (&'a Finding, _)| (f, self.report.severities.shown(f), p);
        let mut all = self.report.findings();
        if self.input.original.is_some() {
            all.sort_by_cached_key(|(finding, _)| self.shown_span(finding.span).start);
        }
        all.into_iter().map(rated).filter(|(_, severity, _)| filter(*severity))
    }

    /// The text in which places are shown: the file that the puzzles were made of, if that is one of another program.
    pub fn shown(&self) -> (&str, &LineIndex) {
        match (&self.input.original, &self.original_index) {
            (Some(original), Some(index)) => (&original.text, index),
            _ => (&self.input.text, &self.index),
        }
    }

    /// A place in the shown text.
    pub fn shown_span(&self, span: Span) -> Span {
        match &self.input.original {
            Some(original) => original.place(&self.input.text, span),
            None => span,
        }
    }

    /// The line that a place begins on, from 1 in the shown text.
    pub fn shown_line(&self, span: Span) -> u32 {
        self.shown().1.line(self.shown_span(span).start) + 1
    }

    /// What stands at a span of a finding.
    pub fn text_at(&self, span: Span) -> &str {
        match &self.input.original {
            Some(original) => original.text_at(&self.input.text, span),
            None => &self.input.text[span.range()],
        }
    }

    /// The name of a puzzle without its quotes.
    pub fn name(&self, puzzle: &PuzzleReport) -> Option<&str> {
        puzzle.name_in(&self.input.text)
    }
}

/// Analyses inputs in parallel, then finds duplicates between them. `budget` is in nodes and overrides that of the
/// configurations. `progress_label` names the work in the progress bar.
pub fn analyse_all(
    inputs: Vec<Input>,
    options: &Options,
    budget: Option<u64>,
    progress_label: &'static str,
) -> Vec<AnalysedFile> {
    let bytes = inputs.iter().map(|i| i.text.len() as u64).sum();
    let progress = Progress::new(bytes, progress_label, options.watch.clone());
    let options = &Options { progress: Some(progress.done.clone()), ..options.clone() };
    let mut files: Vec<AnalysedFile> =
        inputs.into_par_iter().map(|input| analyse_one(input, options, budget)).collect();
    let mut reports: Vec<FileReport> =
        files.iter_mut().map(|f| std::mem::replace(&mut f.report, FileReport::of(Vec::new()))).collect();
    let describe = |file: usize, span: Span| {
        let file = &files[file];
        format!("{}:{}", file.input.path, file.shown_line(span))
    };
    let mut all: Vec<&mut FileReport> = reports.iter_mut().collect();
    if options.hints {
        let texts: Vec<&str> = files.iter().map(|file| file.input.text.as_str()).collect();
        add_collection_hints(&mut all, &texts, describe);
    }
    link(&mut all, describe);
    for (file, mut report) in files.iter_mut().zip(reports) {
        if file.input.original.is_some() {
            // A fix would change the puzzles, not the file that they were made of.
            let findings = report.puzzles.iter_mut().flat_map(|p| &mut p.findings);
            findings.chain(&mut report.top).for_each(|finding| finding.fixes.clear());
            report.top.append(&mut file.input.not_imported);
        }
        file.report = report;
    }
    files
}

fn analyse_one(mut input: Input, options: &Options, budget: Option<u64>) -> AnalysedFile {
    if let Some(findings) = &input.config_findings {
        let (index, report) = (LineIndex::new(&input.text), FileReport::of(findings.clone()));
        return AnalysedFile { input, index, report, original_index: None };
    }
    let tree = parse_in_parts(std::mem::take(&mut input.text));
    let mut config = input.config.clone();
    if options.hints {
        config = config.with_all_hints().into();
    }
    let default = if options.watch.is_some() { config.nodes_watched() } else { config.nodes() };
    let options = Options { nodes: budget.unwrap_or(default), config, ..options.clone() };
    let (report, index) = rayon::join(|| analyse(&tree, &options), || LineIndex::new(tree.text()));
    input.text = tree.into_text();
    let original_index = input.original.as_ref().map(|original| LineIndex::new(&original.text));
    AnalysedFile { input, index, report, original_index }
}
