//! One puzzle on a line, and its answer on another: for programs that spread a corpus over many machines.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value as Json;

use crate::export::{Exporter, Format, Search, Source};
use crate::filter::Filter;
use crate::import::{self, ImportOptions, import_file, reader_of};
use cpz_check::analysis::{Config, FileReport, Options, analyse};
use cpz_text::diagnostic::LineIndex;
use cpz_text::syntax::{Puzzle, Tree, parse};

/// The members that an answer begins with.
#[derive(Serialize)]
struct Head {
    line: u64,
    canonical: Option<String>,
}

/// The answer to a line that is not read.
#[derive(Serialize)]
struct Unread<'a> {
    line: u64,
    error: &'a str,
}

/// The JSON object that answers a line, without a line break: what `export --to jsonl` writes of its puzzle, with the
/// number of the line, from 1, and the canonical form. A line that is no puzzle is answered by an object with `error`.
/// `nodes` is the budget of one search. The answer depends on the line and on `nodes` alone.
pub fn answer_line(line: &[u8], number: u64, nodes: u64) -> String {
    let answered = catch_unwind(AssertUnwindSafe(|| answer(line, number, nodes)));
    let answered =
        answered.unwrap_or_else(|_| Err("cpz failed on this line, which is a fault of cpz".into()));
    answered.unwrap_or_else(|why| error_line(number, &why))
}

/// The answer to a line that is not read.
pub fn error_line(number: u64, why: &str) -> String {
    // Neither a number nor a text can fail to be written.
    serde_json::to_string(&Unread { line: number, error: why }).unwrap_or_default()
}

fn answer(line: &[u8], number: u64, nodes: u64) -> Result<String, String> {
    let text = str::from_utf8(line).map_err(|error| {
        format!("this line is not UTF-8: byte {} cannot be read", error.valid_up_to() + 1)
    })?;
    let text = text.trim().trim_start_matches('\u{FEFF}').trim_end_matches(',');
    let tree = match text {
        "" => return Err("this line is empty".into()),
        text if text.starts_with('{') => parse(puzzle_of_json(text)?),
        text => parse(text),
    };
    only_puzzle(&tree)?;
    let config = Arc::new(Config::default());
    let options = Options { answers: true, nodes, ..Options::new(config.clone()) };
    let report = analyse(&tree, &options);
    let canonical = report.puzzles.first().and_then(|puzzle| puzzle.canonical());
    let document = document(&tree, &report, &config, nodes)?;
    let head = serde_json::to_string(&Head { line: number, canonical }).map_err(|error| error.to_string())?;
    // Both are objects with members.
    Ok(format!("{},{}", head.trim_end_matches('}'), document.trim_start_matches('{')))
}

/// The puzzle of an object as `export --to jsonl` writes it.
fn puzzle_of_json(text: &str) -> Result<String, String> {
    let reader = reader_of(import::Format::Json, text, &ImportOptions::default());
    let imported = import_file(&*reader, text.as_bytes()).map_err(|error| error.to_string())?;
    match imported.notices.into_iter().find(|notice| !notice.imported) {
        Some(notice) => Err(notice.reason),
        None => all_asked(text, &imported.text).map(|()| imported.text),
    }
}

/// Whether a puzzle asks all that an object asks. An import keeps in a note what is no question of a game.
fn all_asked(object: &str, puzzle: &str) -> Result<(), String> {
    let object: Json = serde_json::from_str(object).map_err(|error| error.to_string())?;
    let wanted = object["queries"].as_array().map_or(&[][..], Vec::as_slice);
    let tree = parse(puzzle);
    let asked = tree.puzzles().next().map_or(0, |puzzle| puzzle.queries().count());
    let unread = wanted.len().saturating_sub(asked);
    let name = |query: &Json| query["asked"].as_str().or(query["verb"].as_str()).unwrap_or("?").to_string();
    let names = || wanted.iter().map(name).collect::<Vec<_>>().join("`, `");
    match unread {
        0 => Ok(()),
        _ => Err(format!("{unread} of its questions cannot be read: `{}`", names())),
    }
}

fn only_puzzle(tree: &Tree) -> Result<(), String> {
    let first_error = || tree.errors().first().map_or(String::new(), |error| format!(": {}", error.message));
    let is_alone = |puzzle: &Puzzle<'_>| puzzle.game().is_none() && puzzle.node().children().next().is_none();
    match tree.puzzles().filter(|puzzle| !is_alone(puzzle)).count() {
        1 => Ok(()),
        0 => Err(format!("this line has no puzzle{}", first_error())),
        n => Err(format!("this line has {n} puzzles; write each on a line of its own")),
    }
}

fn document(tree: &Tree, report: &FileReport, config: &Arc<Config>, nodes: u64) -> Result<String, String> {
    let (text, filter) = (tree.text(), Filter::default());
    let index = LineIndex::new(text);
    let source = Source {
        path: "<stdin>",
        text,
        index: &index,
        report,
        config,
        search: Search::Full(nodes),
        watch: None,
    };
    let (mut out, mut exporter) = (Vec::new(), Exporter::new(Format::Jsonl, &filter));
    let written = exporter.write(&source, &mut out).and_then(|()| exporter.finish(&mut out));
    written.map_err(|error| error.to_string())?;
    let text = String::from_utf8(out).map_err(|error| error.to_string())?;
    Ok(text.trim_end().to_string())
}
