//! `cpz solve`

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::cli::analyse::{AnalysedFile, analyse_all};
use crate::cli::args::{Solve, SolveFormat};
use crate::cli::atomic_write::replace;
use crate::cli::inputs;
use crate::cli::interrupt::{INTERRUPTED, stop_after, stop_on_ctrl_c};
use crate::cli::out::{DONE, FAILED, FOUND, Out, one_line, plural, report_error};
use crate::cli::output::{json, text};
use crate::cli::plays::Plays;
use crate::cli::write_guard::{refusal, refusal_of_change};
use cpz_check::analysis::{Options, Outcome, Watch};
use cpz_exchange::import::{Format, detect};
use cpz_ide::{answers_not_written, apply, insert_answers, keeps_all_else};
use cpz_text::diagnostic::{Finding, Severity};

/// Evaluates every query, and prints or writes the answers.
pub fn run(args: &Solve, out: &mut Out) -> io::Result<u8> {
    let watch = Arc::new(Watch::default());
    let options = Options { answers: true, watch: Some(watch.clone()), ..Options::default() };
    let mut inputs = inputs::read_as(&args.paths, args.from);
    let mut failed = inputs.failed | inputs.reject_configs();
    if args.write {
        inputs.reject_files_with_invalid_config();
        // A filter must not lose the text that it was given.
        out.stdout.write_all(&inputs.refused)?;
    }
    let has_refused = !inputs.refused.is_empty();
    let is_interrupted = stop_on_ctrl_c(&watch);
    args.time.iter().for_each(|&seconds| stop_after(seconds, &watch));
    let files = analyse_all(inputs.texts, &options, args.budget, "solving");
    let is_other = |file: &&AnalysedFile| match file.input.original {
        Some(_) => report_not_read(file),
        None => report_no_collection(file, how_to_read) || report_stray(file),
    };
    let has_others = files.iter().filter(is_other).count() > 0;
    if args.write {
        // Ctrl+C in the searches ends them, and what they proved is written; while files are written it ends that.
        let was_interrupted = is_interrupted.load(Ordering::Relaxed);
        for file in &files {
            if !was_interrupted && is_interrupted.load(Ordering::Relaxed) {
                break;
            }
            failed |= !write(file, args, out)?;
        }
    }
    let is_json = args.format == SolveFormat::Json;
    let plays = match args.write || is_json && !args.tree {
        true => Plays::default(),
        false => Plays::of(&files, args.budget, &watch),
    };
    // With standard input, standard output has the new text and must contain nothing else.
    let is_piped = args.write && (has_refused || files.iter().any(|f| f.input.file.is_none()));
    let code = || {
        let mut queries = files.iter().flat_map(|f| &f.report.puzzles).flat_map(|p| &p.queries);
        match queries.any(|q| !matches!(q.outcome, Outcome::Answer(_) | Outcome::NotAsked(_))) {
            _ if failed => FAILED,
            _ if is_interrupted.load(Ordering::Relaxed) => INTERRUPTED,
            no_answer if no_answer || has_others => FOUND,
            _ => DONE,
        }
    };
    out.code = code();
    match args.format {
        _ if is_piped => {}
        SolveFormat::Human if args.write => {}
        SolveFormat::Human => text::solve(&files, &plays, args.tree, watch.is_stopped(), out)?,
        SolveFormat::Json => json::solve(&files, &plays, out)?,
    }
    Ok(code())
}

/// Reports what of a file of another program is not read; whether there is something.
fn report_not_read(file: &AnalysedFile) -> bool {
    for finding in &file.report.top {
        report_error(&format!("{}:{}", file.input.path, file.shown_line(finding.span)), &finding.message);
    }
    !file.report.top.is_empty()
}

/// Reports that there is something between the puzzles of a file that cannot be read; whether there is.
fn report_stray(file: &AnalysedFile) -> bool {
    let is_error = |finding: &&Finding| file.report.severities.shown(finding) == Severity::Error;
    let Some(first) = file.report.top.iter().find(is_error) else { return false };
    let why = format!("not all of this file can be read: {}", one_line(&first.message));
    report_error(&format!("{}:{}", file.input.path, file.shown_line(first.span)), &why);
    true
}

fn how_to_read(format: Format) -> String {
    format!("`--from {}` reads its format", format.name())
}

/// Reports a file that has no puzzle and is none of cpz; whether it is one. `advice` says what to do with one of another
/// program.
pub(super) fn report_no_collection(file: &AnalysedFile, advice: impl Fn(Format) -> String) -> bool {
    let has_error =
        || file.report.top.iter().any(|finding| file.report.severities.shown(finding) == Severity::Error);
    if !file.report.puzzles.is_empty() || !has_error() {
        return false;
    }
    let text = &file.input.text;
    let head: String = text.chars().take(1 << 16).collect();
    let why = match detect(&file.input.path, &head) {
        Some(format) => format!("no puzzles of cpz here; {}", advice(format)),
        None => "no puzzles here; `cpz check` says why".to_string(),
    };
    report_error(&file.input.path, &why);
    true
}

/// Writes the answers into a file, or prints its new text if it is standard input. Returns whether that succeeded.
fn write(file: &AnalysedFile, args: &Solve, out: &mut Out) -> io::Result<bool> {
    let all = args.all;
    let edits = insert_answers(&file.input.text, &file.report, all);
    let new = apply(&file.input.text, &edits);
    let of_change = || (!edits.is_empty()).then(|| refusal_of_change(&file.input, args.force)).flatten();
    let merges = || {
        let merges = !keeps_all_else(&file.input.text, &edits, &new);
        merges.then(|| "not written: an answer would merge with the text next to it".to_string())
    };
    if let Some(why) = refusal(&file.input, args.force).or_else(of_change).or_else(merges) {
        report_error(&file.input.path, &why);
        if file.input.file.is_none() {
            out.stdout.write_all(file.input.text.as_bytes())?;
        }
        return Ok(false);
    }
    let skipped = answers_not_written(&file.report, all);
    if skipped > 0 {
        let answers = plural(skipped, "answer", "answers");
        let puzzles = if skipped == 1 { "its puzzle has" } else { "their puzzles have" };
        report_error(&file.input.path, &format!("{answers} not written: {puzzles} syntax errors"));
    }
    let Some(path) = &file.input.file else {
        return out.stdout.write_all(new.as_bytes()).map(|()| true);
    };
    if edits.is_empty() {
        return Ok(true);
    }
    match replace(path, &file.input.text, &new) {
        Ok(()) => {
            let answers = plural(edits.len(), "answer", "answers");
            let _ = writeln!(anstream::stderr(), "cpz: {}: {answers} written", file.input.display_path);
            Ok(true)
        }
        Err(why) => {
            report_error(&file.input.path, &why);
            Ok(false)
        }
    }
}
