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
use crate::syntax::{Edit, Finding, LineIndex, Severity, Span, parse};

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
    let (mut worst, mut shown_hints) = (None, 0);
    for file in &checked {
        summary.puzzles += file.report.puzzles.len();
        summary.queries += file.report.puzzles.iter().map(|p| p.asked as usize).sum::<usize>();
        for (finding, _) in file.report.findings() {
            let severity = codes::entry(finding.code).severity;
            worst = worst.into_iter().chain([severity]).min();
            match severity {
                Severity::Error => summary.errors += 1,
                Severity::Warning => summary.warnings += 1,
                Severity::Hint => shown_hints += usize::from(hints),
            }
        }
    }
    let shown = |f: &Finding| hints || codes::entry(f.code).severity != Severity::Hint;
    let limit = match args.fail_on {
        FailOn::Error => Severity::Error,
        FailOn::Warning => Severity::Warning,
        FailOn::Hint => Severity::Hint,
    };
    // Whoever stops reading half-way still gets the right exit code.
    out.code = if inputs.failed {
        FAILED
    } else if worst.is_some_and(|w| w <= limit) {
        FOUND
    } else {
        DONE
    };
    match args.format {
        CheckFormat::Human => human::check(&checked, &summary, shown_hints, &shown, out)?,
        CheckFormat::Json => json(&checked, summary, &shown, out)?,
        CheckFormat::Sarif => machine::sarif(&checked, &shown, out)?,
        CheckFormat::Github => machine::github(&checked, &shown, out)?,
    }
    Ok(out.code)
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

/// How often fixes are looked for again: one may bring to light what another can mend.
const ROUNDS: usize = 10;

/// Applies safe fixes until none is left, and says whether something could not be written.
fn fix(mut checked: Vec<Checked>, options: &Options) -> (Vec<Checked>, bool) {
    let (mut failed, mut fixed) = (false, 0);
    for _ in 0..ROUNDS {
        let mut changed = 0;
        for file in &mut checked {
            let Some(path) = &file.input.file else { continue };
            let fixes = safe_fixes(file.report.findings().into_iter().map(|(f, _)| f));
            let (new, applied) = apply_all(&file.input.text, &fixes);
            if applied == 0 {
                continue;
            }
            match rewrite::replace(path, &file.input.text, &new) {
                Ok(()) => {
                    changed += applied;
                    file.input.text = new;
                }
                Err(why) => {
                    complain(&file.input.path, &why);
                    failed = true;
                }
            }
        }
        if changed == 0 {
            break;
        }
        fixed += changed;
        checked = analyse_all(checked.into_iter().map(|c| c.input).collect(), options, "checking again");
    }
    if fixed > 0 {
        let _ =
            writeln!(anstream::stderr(), "cpz: fixed {fixed} finding{}", if fixed == 1 { "" } else { "s" });
    }
    if checked.iter().any(|c| c.input.file.is_none()) {
        complain(inputs::STDIN, "standard input is checked, but not fixed");
    }
    (checked, failed)
}

/// The text after all fixes; one that would change more than it should is left out.
fn apply_all(text: &str, fixes: &[Vec<Edit>]) -> (String, usize) {
    let edits: Vec<Edit> = fixes.concat();
    let new = apply(text, &edits);
    if keeps_all_else(text, &edits, &new) {
        return (new, fixes.len());
    }
    // Look for those that do it: half of them at a time.
    match fixes.len() {
        0 | 1 => (text.to_string(), 0),
        n => {
            // The later half first, so that the places of the earlier ones stay true.
            let (late, a) = apply_all(text, &fixes[n / 2..]);
            let (both, b) = apply_all(&late, &fixes[..n / 2]);
            (both, a + b)
        }
    }
}
