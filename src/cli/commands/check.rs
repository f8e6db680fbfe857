//! `cpz check`

use std::io::{self, Write};

use rayon::prelude::*;

use crate::analysis::{FileReport, Options, PuzzleReport, analyse, link};
use crate::cli::args::{Check, CheckFormat, FailOn};
use crate::cli::baseline::{Accepted, Baseline};
use crate::cli::commands::{rewrite, watch};
use crate::cli::inputs::{self, Input};
use crate::cli::output::json::{CheckDocument, Diagnostic, Summary, range};
use crate::cli::output::{sarif, text};
use crate::cli::progress::Progress;
use crate::cli::{DONE, FAILED, FOUND, Out, complain};
use crate::diagnostic::{Edit, Finding, LineIndex, Severity, Span};
use crate::ide::{apply, keeps_all_else, safe_fixes};
use crate::syntax::parse;

/// Which severities are shown.
pub type Wanted<'a> = dyn Fn(Severity) -> bool + Sync + 'a;

/// A file that was checked.
pub struct Checked {
    pub input: Input,
    pub index: LineIndex,
    pub report: FileReport,
}

impl Checked {
    /// The findings whose severity is `wanted`, with it and their puzzles, in order.
    pub fn shown<'a>(
        &'a self,
        wanted: &'a Wanted<'a>,
    ) -> impl Iterator<Item = (&'a Finding, Severity, Option<&'a PuzzleReport>)> {
        let rated = |(f, p): (&'a Finding, _)| (f, self.report.severities.shown(f.code), p);
        self.report.findings().into_iter().map(rated).filter(|(_, severity, _)| wanted(*severity))
    }

    /// The name of a puzzle without its quotes.
    pub fn name(&self, puzzle: &PuzzleReport) -> Option<&str> {
        puzzle.name_in(&self.input.text)
    }
}

/// Analyses inputs in parallel and links what they share.
/// `nodes` is the budget where not the configuration of each says it.
pub fn analyse_all(
    inputs: Vec<Input>,
    options: &Options,
    nodes: Option<u64>,
    what: &'static str,
) -> Vec<Checked> {
    let progress = Progress::new(inputs.iter().map(|i| i.text.len() as u64).sum(), what);
    let options = &Options { progress: Some(progress.done.clone()), ..options.clone() };
    let mut checked: Vec<Checked> = inputs
        .into_par_iter()
        .map(|mut input| {
            if let Some(mistakes) = &input.mistakes {
                let (index, report) = (LineIndex::new(&input.text), FileReport::of(mistakes.clone()));
                return Checked { input, index, report };
            }
            let tree = parse(std::mem::take(&mut input.text));
            let config = input.config.clone();
            let options = Options { nodes: nodes.unwrap_or(config.nodes), config, ..options.clone() };
            let report = analyse(&tree, &options);
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

/// Checks and reports, once or whenever something changes.
pub fn run(args: &Check, out: &mut Out) -> io::Result<u8> {
    if args.watch {
        return watch::run(args, out);
    }
    let checked = once(args, out)?;
    // The process ends here: giving back a million reports one by one would take longer than many a check.
    std::mem::forget(checked);
    Ok(out.code)
}

/// Checks and reports; the exit code goes to `out`.
pub fn once(args: &Check, out: &mut Out) -> io::Result<Vec<Checked>> {
    if args.baseline.is_some() && args.paths.paths.iter().any(|p| p == "-") {
        complain(inputs::STDIN, "standard input has no place in a baseline");
        out.code = FAILED;
        return Ok(Vec::new());
    }
    let baseline = match args.baseline.as_deref().map(|path| Baseline::read(path, args.accept)).transpose() {
        Ok(baseline) => baseline,
        Err(why) => {
            complain(args.baseline.as_deref().unwrap_or(""), &why);
            out.code = FAILED;
            return Ok(Vec::new());
        }
    };
    let mut inputs = inputs::read(&args.paths);
    let nodes = args.budget.budget;
    let mut checked = analyse_all(std::mem::take(&mut inputs.texts), &Options::default(), nodes, "checking");
    let mut fixed = 0;
    if args.fix {
        let (again, n, failed) = fix(checked, nodes);
        (checked, fixed) = (again, n);
        inputs.failed |= failed;
    }
    let mut accepted = None;
    if let Some(baseline) = &baseline {
        let path = args.baseline.as_deref().unwrap_or("");
        let changed = match args.accept.then(|| baseline.accept(&checked)).transpose() {
            Ok(changed) => changed,
            Err(why) => {
                complain(path, &why);
                inputs.failed = true;
                None
            }
        };
        // What was just written down is read like any other.
        match Baseline::read(path, args.accept) {
            Ok(now) => accepted = Some(Accepted { changed, ..now.apply(&mut checked) }),
            Err(why) => {
                complain(path, &why);
                inputs.failed = true;
            }
        }
    }
    let files = checked.iter().filter(|c| c.input.mistakes.is_none()).count();
    let hints = args.hints || args.fail_on == FailOn::Hint;
    let mut summary =
        Summary { files, accepted: accepted.as_ref().map(|a| a.findings), ..Summary::default() };
    let (mut worst, mut shown_hints) = (None, 0);
    for file in &checked {
        summary.puzzles += file.report.puzzles.len();
        summary.queries += file.report.puzzles.iter().map(|p| p.asked as usize).sum::<usize>();
        for (finding, _) in file.report.unordered() {
            let severity = file.report.severities.shown(finding.code);
            worst = worst.into_iter().chain([severity]).min();
            match severity {
                Severity::Error => summary.errors += 1,
                Severity::Warning => summary.warnings += 1,
                Severity::Hint => shown_hints += usize::from(hints),
            }
        }
    }
    let shown = |s: Severity| hints || s != Severity::Hint;
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
        CheckFormat::Human => text::check(&checked, &summary, (shown_hints, accepted.as_ref()), &shown, out)?,
        CheckFormat::Json => json(&checked, summary, &shown, out)?,
        CheckFormat::Sarif => sarif::sarif(&checked, &shown, out)?,
        CheckFormat::Github => sarif::github(&checked, &shown, out)?,
    }
    if fixed > 0 {
        // On a terminal it stands below what is left.
        out.stdout.flush()?;
        let s = if fixed == 1 { "" } else { "s" };
        let _ = writeln!(anstream::stderr(), "cpz: fixed {fixed} finding{s}");
    }
    if let Some(accepted) = accepted.filter(|_| args.format != CheckFormat::Human) {
        out.stdout.flush()?;
        let _ = text::accepted(&accepted, &mut anstream::stderr());
    }
    Ok(checked)
}

fn json(checked: &[Checked], summary: Summary, shown: &Wanted<'_>, out: &mut Out) -> io::Result<()> {
    let document = CheckDocument { version: 1, files: [], summary };
    let document = serde_json::to_string(&document)?;
    let Some((head, tail)) = document.split_once("[]") else { unreachable!("there is a list of files") };
    write!(out.stdout, "{head}[")?;
    let begin = |file: &Checked| -> io::Result<String> {
        Ok(format!("{{\"path\":{},\"diagnostics\":[", serde_json::to_string(&file.input.path)?))
    };
    if let [file] = checked {
        write!(out.stdout, "{}", begin(file)?)?;
        let shown: Vec<_> = file.shown(shown).collect();
        for (i, text) in in_parts(&shown, PART, |some| listed(file, some)).enumerate() {
            write!(out.stdout, "{}{}", if i > 0 { "," } else { "" }, text?)?;
        }
        write!(out.stdout, "]}}")?;
    } else {
        let whole = |files: &[Checked]| -> io::Result<String> {
            let one = |file: &Checked| {
                let shown: Vec<_> = file.shown(shown).collect();
                Ok(format!("{}{}]}}", begin(file)?, listed(file, &shown)?))
            };
            Ok(files.iter().map(one).collect::<io::Result<Vec<String>>>()?.join(","))
        };
        for (i, text) in in_parts(checked, 16, whole).enumerate() {
            write!(out.stdout, "{}{}", if i > 0 { "," } else { "" }, text?)?;
        }
    }
    writeln!(out.stdout, "]{tail}")
}

/// A finding that is shown, with its puzzle.
type Shown<'a> = (&'a Finding, Severity, Option<&'a PuzzleReport>);

/// Findings of a file as they stand in a list.
fn listed(file: &Checked, some: &[Shown<'_>]) -> io::Result<String> {
    let one = |&(f, severity, puzzle): &Shown<'_>| {
        serde_json::to_string(&Diagnostic {
            code: f.code.name(),
            severity: severity.name(),
            message: &f.message,
            range: range(&file.input.text, &file.index, f.span),
            puzzle: puzzle.and_then(|p| file.name(p)),
        })
    };
    let all: Vec<String> = some.iter().map(one).collect::<Result<_, _>>()?;
    Ok(all.join(","))
}

/// How many findings are put into words at a time.
pub const PART: usize = 1024;
/// How many parts are put into words before they are written.
const PARTS: usize = 64;

/// Puts many things into words by all threads, so many at a time, in their order.
pub fn in_parts<T: Sync>(
    all: &[T],
    size: usize,
    words: impl Fn(&[T]) -> io::Result<String> + Sync + Send,
) -> impl Iterator<Item = io::Result<String>> {
    all.chunks(size * PARTS).flat_map(move |some| -> Vec<io::Result<String>> {
        if some.len() <= size { vec![words(some)] } else { some.par_chunks(size).map(&words).collect() }
    })
}

/// How often fixes are looked for again: one may bring to light what another can mend.
const ROUNDS: usize = 10;

/// Applies safe fixes until none is left; how many, and whether something could not be written.
fn fix(mut checked: Vec<Checked>, nodes: Option<u64>) -> (Vec<Checked>, usize, bool) {
    // What is told of the others says enough; nothing is to be written where the settings are unknown.
    let mut failed = !rewrite::complain_of_broken(checked.iter().map(|c| &c.input));
    let mut fixed = 0;
    for _ in 0..ROUNDS {
        let mut changed = 0;
        for file in &mut checked {
            let Some(path) = &file.input.file else { continue };
            if file.input.broken.is_some() {
                continue;
            }
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
        let inputs = checked.into_iter().map(|c| c.input).collect();
        checked = analyse_all(inputs, &Options::default(), nodes, "checking again");
    }
    if checked.iter().any(|c| c.input.path == inputs::STDIN) {
        complain(inputs::STDIN, "standard input is checked, but not fixed");
    }
    (checked, fixed, failed)
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
