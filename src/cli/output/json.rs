//! The JSON documents of `check` and `solve`. Their schemas are in `docs/schema`.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;

use crate::analysis::{ProblemPlay, QueryReport};
use crate::cli::analyse::{AnalysedFile, RatedFinding};
use crate::cli::out::Out;
use crate::cli::output::results::{CHUNK, CheckResults, Summary, format_chunks};
use crate::cli::plays::Plays;
use crate::diagnostic::{Span, visible};
use crate::exchange::{AnswerDocument, RangeDocument, answer_document, range_document};

/// The document of `check`.
#[derive(Serialize)]
struct CheckDocument {
    version: u32,
    /// Always empty: there may be millions of diagnostics, so [`check`] writes the list bit by bit.
    files: [(); 0],
    summary: Summary,
}

#[derive(Serialize)]
struct Diagnostic<'a> {
    code: &'static str,
    severity: &'static str,
    message: Cow<'a, str>,
    range: RangeDocument,
    puzzle: Option<&'a str>,
}

/// The document of `solve`.
#[derive(Serialize)]
struct SolveDocument {
    version: u32,
    files: Vec<SolveFile>,
}

#[derive(Serialize)]
struct SolveFile {
    path: String,
    puzzles: Vec<SolvePuzzle>,
}

#[derive(Serialize)]
struct SolvePuzzle {
    id: Option<String>,
    name: Option<String>,
    game: String,
    range: RangeDocument,
    queries: Vec<SolveQuery>,
}

#[derive(Serialize)]
struct SolveQuery {
    verb: &'static str,
    range: RangeDocument,
    answer: AnswerDocument,
}

/// Prints the document of `check`.
pub fn check(results: &CheckResults<'_>, out: &mut Out) -> io::Result<()> {
    let document = CheckDocument { version: 1, files: [], summary: results.summary };
    let document = serde_json::to_string(&document)?;
    let Some((head, tail)) = document.split_once("[]") else {
        unreachable!("the document has a list of files")
    };
    write!(out.stdout, "{head}[")?;
    if let [file] = results.files {
        // One file may be large: parallel by finding.
        write!(out.stdout, "{}", file_head(file)?)?;
        let findings: Vec<_> = file.findings(results.filter).collect();
        write_list(format_chunks(&findings, CHUNK, |some| diagnostics(file, some)), out)?;
        write!(out.stdout, "]}}")?;
    } else {
        let one = |file: &AnalysedFile| {
            let findings: Vec<_> = file.findings(results.filter).collect();
            Ok(format!("{}{}]}}", file_head(file)?, diagnostics(file, &findings)?))
        };
        let some = |files: &[AnalysedFile]| -> io::Result<String> {
            Ok(files.iter().map(one).collect::<io::Result<Vec<String>>>()?.join(","))
        };
        write_list(format_chunks(results.files, FILES_PER_CHUNK, some), out)?;
    }
    writeln!(out.stdout, "]{tail}")
}

/// How many files one thread formats at a time.
const FILES_PER_CHUNK: usize = 16;

fn write_list(items: impl Iterator<Item = io::Result<String>>, out: &mut Out) -> io::Result<()> {
    for (i, text) in items.enumerate() {
        write!(out.stdout, "{}{}", if i > 0 { "," } else { "" }, text?)?;
    }
    Ok(())
}

fn file_head(file: &AnalysedFile) -> io::Result<String> {
    Ok(format!("{{\"path\":{},\"diagnostics\":[", serde_json::to_string(&file.input.path)?))
}

/// A place in the text in which it is shown.
fn shown_range(file: &AnalysedFile, span: Span) -> RangeDocument {
    let (text, index) = file.shown();
    range_document(text, index, file.shown_span(span))
}

/// Findings of one file, separated by commas.
fn diagnostics(file: &AnalysedFile, findings: &[RatedFinding<'_>]) -> io::Result<String> {
    let one = |&(finding, severity, puzzle): &RatedFinding<'_>| {
        serde_json::to_string(&Diagnostic {
            code: finding.code.name(),
            severity: severity.name(),
            message: visible(&finding.message),
            range: shown_range(file, finding.span),
            puzzle: puzzle.and_then(|p| file.name(p)),
        })
    };
    let all: Vec<String> = findings.iter().map(one).collect::<Result<_, _>>()?;
    Ok(all.join(","))
}

/// Prints the document of `solve`.
pub fn solve(files: &[AnalysedFile], plays: &Plays, out: &mut Out) -> io::Result<()> {
    let play = |file: usize| move |start: u32| plays.get(file, start);
    let files = files.iter().enumerate().map(|(i, file)| solve_file(file, &play(i))).collect();
    serde_json::to_writer(&mut out.stdout, &SolveDocument { version: 1, files })?;
    writeln!(out.stdout)
}

fn solve_file<'p>(file: &AnalysedFile, play: &dyn Fn(u32) -> Option<&'p ProblemPlay>) -> SolveFile {
    let text = &file.input.text;
    // A game that cpz does not know is named as the file names it.
    let first_word = |head: Span| {
        let ends = |c: char| c.is_whitespace() || c == '{' || c == '"';
        text[head.range()].split(ends).next().unwrap_or("").to_string()
    };
    let query = |q: &QueryReport, origin| SolveQuery {
        verb: q.verb.id(),
        range: shown_range(file, q.span),
        answer: answer_document(q, origin, play(q.span.start)),
    };
    let puzzles = file.report.puzzles.iter().map(|p| SolvePuzzle {
        id: p.id_in(&file.input.text).map(String::from),
        name: file.name(p).map(String::from),
        game: p.game.map_or_else(|| first_word(p.head), |g| g.word().to_string()),
        range: shown_range(file, p.span),
        queries: p.queries.iter().map(|q| query(q, p.origin)).collect(),
    });
    SolveFile { path: file.input.path.clone(), puzzles: puzzles.collect() }
}
