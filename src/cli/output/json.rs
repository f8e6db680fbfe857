//! The JSON documents of `check` and `solve`. Their schemas are in `docs/schema`.

use std::io::{self, Write};

use crate::cli::analyse::{AnalysedFile, RatedFinding};
use crate::cli::out::Out;
use crate::cli::output::results::{CHUNK, CheckResults, format_chunks};
use crate::cli::plays::Plays;
use cpz_exchange::{
    CheckDocument, RangeDocument, SolveDocument, diagnostic_document, range_document, solve_file,
};
use cpz_text::diagnostic::Span;

/// Prints the document of `check`. There may be millions of findings, so the list is written bit by bit.
pub fn check(results: &CheckResults<'_>, out: &mut Out) -> io::Result<()> {
    let document = CheckDocument { version: 1, files: Vec::new(), summary: results.summary };
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
    let mut all = Vec::new();
    for &(finding, severity, puzzle) in findings {
        if !all.is_empty() {
            all.push(b',');
        }
        let (range, name) = (shown_range(file, finding.span), puzzle.and_then(|p| file.name(p)));
        serde_json::to_writer(&mut all, &diagnostic_document(finding, severity, range, name))?;
    }
    String::from_utf8(all).map_err(io::Error::other)
}

/// Prints the document of `solve`.
pub fn solve(files: &[AnalysedFile], plays: &Plays, out: &mut Out) -> io::Result<()> {
    let answers = |(i, file): (usize, &AnalysedFile)| {
        let (range, play) = (|span| shown_range(file, span), |start| plays.get(i, start));
        solve_file(&file.input.path, &file.input.text, &file.report, &range, &play)
    };
    let files = files.iter().enumerate().map(answers).collect();
    serde_json::to_writer(&mut out.stdout, &SolveDocument { version: 1, files })?;
    writeln!(out.stdout)
}
