//! `cpz solve`

use std::io::{self, Write};

use crate::analysis::{Options, Outcome};
use crate::cli::args::{Solve, SolveFormat};
use crate::cli::commands::check::{Checked, analyse_all};
use crate::cli::commands::rewrite;
use crate::cli::output::json::{SolveDocument, SolveFile, SolvePuzzle, SolveQuery, answer, range};
use crate::cli::output::text;
use crate::cli::{DONE, FAILED, FOUND, Out, complain, inputs};
use crate::ide::{answers_not_written, apply, insert_answers, keeps_all_else};

/// Answers every query and prints or writes the answers.
pub fn run(args: &Solve, out: &mut Out) -> io::Result<u8> {
    let options = Options { answers: true, ..Options::default() };
    let mut inputs = inputs::read(&args.paths);
    let mut failed = inputs.failed | inputs.complain_of_configs();
    if args.write {
        rewrite::complain_of_broken(inputs.texts.iter());
        inputs.texts.retain(|i| i.broken.is_none());
    }
    let solved = analyse_all(inputs.texts, &options, args.budget.budget, "solving");
    let unanswered = solved
        .iter()
        .flat_map(|f| &f.report.puzzles)
        .flat_map(|p| &p.queries)
        .any(|q| !matches!(q.outcome, Outcome::Answer(_)));
    if args.write {
        for file in &solved {
            failed |= !write(file, args.all, out)?;
        }
    }
    // Standard input is written to standard output, which then holds nothing else.
    let piped = args.write && solved.iter().any(|f| f.input.file.is_none());
    match args.format {
        _ if piped => {}
        SolveFormat::Human if args.write => {}
        SolveFormat::Human => text::solve(&solved, out)?,
        SolveFormat::Json => {
            let files = solved.iter().map(document).collect();
            serde_json::to_writer(&mut out.stdout, &SolveDocument { version: 1, files })?;
            writeln!(out.stdout)?;
        }
    }
    Ok(if failed {
        FAILED
    } else if unanswered {
        FOUND
    } else {
        DONE
    })
}

fn document(file: &Checked) -> SolveFile {
    let text = &file.input.text;
    let puzzles = file.report.puzzles.iter().map(|p| SolvePuzzle {
        name: file.name(p).map(String::from),
        game: p.game.map_or_else(
            || {
                text[p.head.range()]
                    .split(|c: char| c.is_whitespace() || c == '{' || c == '"')
                    .next()
                    .unwrap_or("")
                    .into()
            },
            |g| g.word().to_string(),
        ),
        range: range(text, &file.index, p.span),
        queries: p
            .queries
            .iter()
            .map(|q| SolveQuery {
                verb: q.verb.word(),
                range: range(text, &file.index, q.span),
                answer: answer(q, p.origin),
            })
            .collect(),
    });
    SolveFile { path: file.input.path.clone(), puzzles: puzzles.collect() }
}

/// Writes the answers into a file; false if that failed.
fn write(file: &Checked, all: bool, out: &mut Out) -> io::Result<bool> {
    let edits = insert_answers(&file.input.text, &file.report, all);
    let new = apply(&file.input.text, &edits);
    if !keeps_all_else(&file.input.text, &edits, &new) {
        complain(&file.input.path, "not written: an answer would change what stands beside it");
        return Ok(false);
    }
    let kept = answers_not_written(&file.report, all);
    if kept > 0 {
        let (s, what) = if kept == 1 { ("", "its puzzle has") } else { ("s", "their puzzles have") };
        complain(&file.input.path, &format!("{kept} answer{s} not written: {what} syntax errors"));
    }
    let Some(path) = &file.input.file else {
        return out.stdout.write_all(new.as_bytes()).map(|()| true);
    };
    if edits.is_empty() {
        return Ok(true);
    }
    match rewrite::replace(path, &file.input.text, &new) {
        Ok(()) => {
            let n = edits.len();
            let s = if n == 1 { "" } else { "s" };
            let _ = writeln!(anstream::stderr(), "cpz: {}: {n} answer{s} written", file.input.shown);
            Ok(true)
        }
        Err(why) => {
            complain(&file.input.path, &why);
            Ok(false)
        }
    }
}
