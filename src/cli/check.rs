//! `cpz check`

use std::io::{self, Write};

use rayon::prelude::*;

use super::args::{Check, CheckFormat, FailOn};
use super::inputs::{self, Input};
use super::json::{CheckDocument, CheckFile, Diagnostic, Summary, range};
use super::progress::Progress;
use super::{DONE, FAILED, FOUND, Out, complain, human, machine, rewrite};
use crate::analysis::{FileReport, Options, PuzzleReport, analyse, codes, link};
use crate::ide::{apply, keeps_all_else, safe_fixes};
use crate::syntax::{Finding, LineIndex, Severity, Span, parse};

/// A file that was checked.
pub struct Checked {
    pub input: Input,
    pub index: LineIndex,
    pub report: FileReport,
}

impl Checked {
    /// The name of a puzzle without its quotes.
    pub fn name(&self, puzzle: &PuzzleReport) -> Option<&str> {
        puzzle.name_in(&self.input.text)
    }
}

/// Analyses inputs in parallel and links what they share.
pub fn analyse_all(inputs: Vec<Input>, options: &Options, what: &'static str) -> Vec<Checked> {
    let progress = Progress::new(inputs.iter().map(|i| i.text.len() as u64).sum(), what);
    let options = &Options { progress: Some(progress.done.clone()), ..options.clone() };
    let mut checked: Vec<Checked> = inputs
        .into_par_iter()
        .map(|mut input| {
            let tree = parse(std::mem::take(&mut input.text));
            let report = analyse(&tree, options);
            input.text = tree.into_text();
            let index = LineIndex::new(&input.text);
            Checked { input, index, report }
        })
        .collect();
    let (places, mut reports): (Vec<_>, Vec<_>) =
        checked.iter_mut().map(|c| ((&c.input, &c.index), &mut c.report)).unzip();
    link(&mut reports, |file, span: Span| {
        let (input, index) = places[file];
        let line = index.line(span.start) + 1;
        format!("{}:{line}", input.path)
    });
    checked
}

/// Checks and reports.
pub fn run(args: &Check, out: &mut Out) -> io::Result<u8> {
    let options = Options { nodes: args.budget.budget, ..Options::default() };
    let mut inputs = inputs::read(&args.paths.paths);
    let mut checked = analyse_all(std::mem::take(&mut inputs.texts), &options, "checking");
    if args.fix {
        let (again, failed) = fix(checked, &options);
        checked = again;
        inputs.failed |= failed;
    }
    let hints = args.hints || args.fail_on == FailOn::Hint;
    let mut summary = Summary { files: checked.len(), ..Summary::default() };
    let mut worst = None;
    for file in &checked {
        summary.puzzles += file.report.puzzles.len();
        summary.queries += file.report.puzzles.iter().map(|p| p.asked as usize).sum::<usize>();
        for (finding, _) in file.report.findings() {
            let severity = codes::entry(finding.code).severity;
            worst = worst.into_iter().chain([severity]).min();
            match severity {
                Severity::Error => summary.errors += 1,
                Severity::Warning => summary.warnings += 1,
                Severity::Hint => {}
            }
        }
    }
    let shown = |f: &Finding| hints || codes::entry(f.code).severity != Severity::Hint;
    match args.format {
        CheckFormat::Human => human::check(&checked, &summary, &shown, out)?,
        CheckFormat::Json => json(&checked, summary, &shown, out)?,
        CheckFormat::Sarif => machine::sarif(&checked, &shown, out)?,
        CheckFormat::Github => machine::github(&checked, &shown, out)?,
    }
    let limit = match args.fail_on {
        FailOn::Error => Severity::Error,
        FailOn::Warning => Severity::Warning,
        FailOn::Hint => Severity::Hint,
    };
    Ok(if inputs.failed {
        FAILED
    } else if worst.is_some_and(|w| w <= limit) {
        FOUND
    } else {
        DONE
    })
}

fn json(
    checked: &[Checked],
    summary: Summary,
    shown: &dyn Fn(&Finding) -> bool,
    out: &mut Out,
) -> io::Result<()> {
    let file = |c: &Checked| {
        let findings = c.report.findings();
        let diagnostics = findings.iter().filter(|(f, _)| shown(f)).map(|(f, puzzle)| Diagnostic {
            code: f.code.name(),
            severity: codes::entry(f.code).severity.name(),
            message: f.message.clone(),
            range: range(&c.input.text, &c.index, f.span),
            puzzle: puzzle.and_then(|p| c.name(p)).map(String::from),
        });
        CheckFile { path: c.input.path.clone(), diagnostics: diagnostics.collect() }
    };
    let document = CheckDocument { version: 1, files: checked.iter().map(file).collect(), summary };
    serde_json::to_writer(&mut out.stdout, &document)?;
    writeln!(out.stdout)
}

/// Applies safe fixes until none is left, and says whether something could not be written.
fn fix(checked: Vec<Checked>, options: &Options) -> (Vec<Checked>, bool) {
    let mut failed = false;
    let mut inputs: Vec<Input> = Vec::new();
    let mut changed = 0;
    for mut file in checked {
        let edits = safe_fixes(file.report.findings().into_iter().map(|(f, _)| f));
        let Some(path) = file.input.file.clone().filter(|_| !edits.is_empty()) else {
            inputs.push(file.input);
            continue;
        };
        let new = apply(&file.input.text, &edits);
        if !keeps_all_else(&file.input.text, &edits, &new) {
            complain(&file.input.path, "not fixed: a fix would change more than it should");
            failed = true;
        } else if let Err(why) = rewrite::replace(&path, &file.input.text, &new) {
            complain(&file.input.path, &why);
            failed = true;
        } else {
            changed += edits.len();
            file.input.text = new;
        }
        inputs.push(file.input);
    }
    if changed > 0 {
        let _ = writeln!(
            anstream::stderr(),
            "cpz: fixed {changed} finding{}",
            if changed == 1 { "" } else { "s" }
        );
    }
    (analyse_all(inputs, options, "checking again"), failed)
}
