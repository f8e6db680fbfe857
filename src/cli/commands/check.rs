//! `cpz check`

use std::io::{self, Write};
use std::mem::ManuallyDrop;

use crate::cli::analyse::{AnalysedFile, analyse_all};
use crate::cli::args::{Check, CheckFormat, FailOn};
use crate::cli::baseline::{Accepted, Baseline};
use crate::cli::commands::fix;
use crate::cli::inputs::{self, STDIN};
use crate::cli::out::{DONE, FAILED, FOUND, Out, plural, report_error};
use crate::cli::output::{self, CheckResults};
use cpz_check::analysis::Options;
use cpz_exchange::Counts;
use cpz_text::diagnostic::Severity;

/// How many findings a terminal shows in full where nothing else is said.
const MAX_ON_TERMINAL: usize = 200;

/// Checks and reports once.
pub fn run(args: &Check, out: &mut Out) -> io::Result<u8> {
    cpz_allocator::keep_freed_memory();
    let Some(checked) = Checked::new(args) else { return Ok(FAILED) };
    // The process exits next. Dropping a million reports one by one would take longer than many a check.
    ManuallyDrop::new(checked).print(args, out)?;
    Ok(out.code)
}

/// Checks and reports once, for `--watch`. The exit code goes to `out`.
pub(super) fn run_once(args: &Check, out: &mut Out) -> io::Result<()> {
    match Checked::new(args) {
        Some(checked) => checked.print(args, out),
        None => {
            out.code = FAILED;
            Ok(())
        }
    }
}

/// What one check found.
struct Checked {
    files: Vec<AnalysedFile>,
    counts: Counts,
    /// How many fixes were applied.
    fixed: usize,
    /// What the baseline accepts, if there is one.
    accepted: Option<Accepted>,
    /// Whether something could not be read or written.
    failed: bool,
}

impl Checked {
    /// Reads, analyses, fixes, and applies the baseline. `None` where the baseline cannot be used; that is reported.
    fn new(args: &Check) -> Option<Checked> {
        let baseline = open_baseline(args).map_err(|(path, why)| report_error(path, &why)).ok()?;
        let inputs = inputs::read_as(&args.paths, args.from);
        let (mut failed, mut fixed) = (inputs.failed, 0);
        let budget = args.budget.budget;
        let options = Options { hints: shows_hints(args), ..Options::default() };
        let mut files = analyse_all(inputs.texts, &options, budget, "checking");
        if args.fix {
            let result = fix::fix(files, budget, args.force);
            (files, fixed) = (result.files, result.count);
            failed |= result.failed;
        }
        let mut accepted = None;
        if let (Some(baseline), Some(path)) = (&baseline, &args.baseline) {
            let result = apply_baseline(baseline, path, args.accept, &mut files, &mut failed);
            accepted = result.map_err(|why| report_error(path, &why)).ok();
            failed |= accepted.is_none();
        }
        let counts = counts_of(&files, accepted.as_ref());
        Some(Checked { files, counts, fixed, accepted, failed })
    }

    fn exit_code(&self, fail_on: FailOn) -> u8 {
        let limit = match fail_on {
            FailOn::Error => Severity::Error,
            FailOn::Warning => Severity::Warning,
            FailOn::Hint => Severity::Hint,
        };
        match self.counts.worst {
            _ if self.failed => FAILED,
            Some(worst) if worst <= limit => FOUND,
            _ => DONE,
        }
    }

    /// Prints the report, then what was fixed and accepted.
    fn print(&self, args: &Check, out: &mut Out) -> io::Result<()> {
        // Set first, because a reader that stops early must get the right exit code too.
        out.code = self.exit_code(args.fail_on);
        let hints = shows_hints(args);
        let results = CheckResults {
            files: &self.files,
            filter: &|severity| hints || severity != Severity::Hint,
            summary: self.counts.summary,
            hints: if hints { self.counts.hints } else { 0 },
            max: match args.max {
                Some(0) => usize::MAX,
                Some(max) => max,
                None if out.is_terminal => MAX_ON_TERMINAL,
                None => usize::MAX,
            },
            has_table: out.is_terminal,
            accepted: self.accepted.as_ref(),
        };
        output::print(&results, args.format, out)?;
        if self.fixed > 0 {
            // On a terminal this comes after the findings that are left.
            out.stdout.flush()?;
            let _ = writeln!(anstream::stderr(), "cpz: fixed {}", plural(self.fixed, "finding", "findings"));
        }
        if let Some(accepted) = self.accepted.as_ref().filter(|_| args.format != CheckFormat::Human) {
            out.stdout.flush()?;
            let _ = output::text::accepted(accepted, &mut anstream::stderr());
        }
        Ok(())
    }
}

fn shows_hints(args: &Check) -> bool {
    args.hints || args.fail_on == FailOn::Hint
}

/// The baseline that the options name. The error is a path or other subject, and a message.
fn open_baseline(args: &Check) -> Result<Option<Baseline>, (&str, String)> {
    let Some(path) = &args.baseline else { return Ok(None) };
    if args.paths.paths.iter().any(|p| p == "-") {
        return Err((STDIN, "a baseline cannot record findings in standard input".to_string()));
    }
    Baseline::read(path, args.accept).map(Some).map_err(|why| (path.as_str(), why))
}

/// Removes the accepted findings from the reports. With `--accept`, records the current findings first.
fn apply_baseline(
    baseline: &Baseline,
    path: &str,
    accept: bool,
    files: &mut [AnalysedFile],
    failed: &mut bool,
) -> Result<Accepted, String> {
    let mut changed = None;
    if accept {
        match baseline.accept(files) {
            Ok(counts) => changed = Some(counts),
            Err(why) => {
                report_error(path, &why);
                *failed = true;
            }
        }
    }
    // Read it again, so that what was just recorded has the same effect as in the next check.
    let baseline = Baseline::read(path, accept)?;
    Ok(Accepted { changed, ..baseline.apply(files) })
}

/// Numbers of files and findings.
fn counts_of(files: &[AnalysedFile], accepted: Option<&Accepted>) -> Counts {
    let mut counts = Counts::default();
    counts.summary.files = files.iter().filter(|f| !f.input.is_config()).count();
    counts.summary.accepted = accepted.map(|a| a.findings);
    files.iter().for_each(|file| counts.add(&file.report));
    counts
}
