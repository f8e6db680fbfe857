//! `cpz hint`

use std::io::{self, Write};

use rayon::prelude::*;
use serde::Serialize;

use crate::cli::args::{Hint, RateFormat};
use crate::cli::out::{DONE, FAILED, FOUND, Out, one_line};
use crate::cli::selection::{Chosen, Collection, filter_of};
use cpz_check::analysis::Options;
use cpz_check::authoring::{HINT_GRADES, first_move, hint_of_grade};
use cpz_exchange::{RangeDocument, range_document};
use cpz_text::diagnostic::LineIndex;

/// A puzzle with its hint, or why it has none.
type Hinted<'c, 'r> = (&'r Chosen<'c>, Result<String, String>);

/// Prints a hint for each puzzle.
pub fn run(args: &Hint, out: &mut Out) -> io::Result<u8> {
    let Some(filter) = filter_of(&args.choice) else { return Ok(FAILED) };
    let collection = Collection::read(&args.paths);
    let mut chosen = collection.puzzles();
    chosen.retain(|chosen| chosen.passes(&filter));
    let one = |chosen| (chosen, hint_of(chosen, args.grade, args.budget.budget));
    let hinted: Vec<Hinted<'_, '_>> = chosen.par_iter().map(one).collect();
    match args.format {
        RateFormat::Human => {
            for (chosen, hint) in &hinted {
                writeln!(out.stdout, "{}", chosen.headline())?;
                match hint {
                    Ok(hint) => writeln!(out.stdout, "  {}", one_line(hint))?,
                    Err(why) => writeln!(out.stdout, "  no hint: {}", one_line(why))?,
                }
            }
        }
        RateFormat::Json => print_json(&collection, &hinted, args.grade, out)?,
    }
    Ok(match hinted.iter().any(|(_, hint)| hint.is_err()) {
        _ if collection.failed => FAILED,
        true => FOUND,
        false => DONE,
    })
}

/// The hint of a grade. Only what the author did not write is searched.
fn hint_of(chosen: &Chosen<'_>, grade: u8, budget: Option<u64>) -> Result<String, String> {
    let entry = &chosen.entry;
    if let Some(own) = entry.hints.get(usize::from(grade.clamp(1, HINT_GRADES)) - 1) {
        return Ok(own.to_string());
    }
    let config = chosen.input.config.clone();
    let options = Options { nodes: budget.unwrap_or(config.nodes()), ..Options::new(config) };
    let bound = entry.bound.as_ref().ok_or("the game is unknown")?;
    hint_of_grade(&entry.hints, bound, &first_move(bound, &options), grade)
}

#[derive(Serialize)]
struct HintDocument<'a> {
    version: u32,
    grade: u8,
    files: Vec<HintFile<'a>>,
}

#[derive(Serialize)]
struct HintFile<'a> {
    path: &'a str,
    puzzles: Vec<HintPuzzle<'a>>,
}

#[derive(Serialize)]
struct HintPuzzle<'a> {
    id: Option<&'a str>,
    name: Option<&'a str>,
    game: &'a str,
    range: RangeDocument,
    hint: Option<&'a str>,
    error: Option<&'a str>,
}

fn print_json<'c>(
    collection: &'c Collection,
    hinted: &[Hinted<'c, '_>],
    grade: u8,
    out: &mut Out,
) -> io::Result<()> {
    let mut files = Vec::new();
    let mut hinted = hinted.iter().peekable();
    for input in collection.inputs() {
        let index = LineIndex::new(&input.text);
        let mut puzzles = Vec::new();
        while let Some((chosen, hint)) = hinted.next_if(|(chosen, _)| std::ptr::eq(chosen.input, input)) {
            let entry = &chosen.entry;
            puzzles.push(HintPuzzle {
                id: entry.id,
                name: entry.name,
                game: entry.puzzle.keyword().text(),
                range: range_document(&input.text, &index, entry.span()),
                hint: hint.as_ref().ok().map(String::as_str),
                error: hint.as_ref().err().map(String::as_str),
            });
        }
        files.push(HintFile { path: &input.path, puzzles });
    }
    serde_json::to_writer(&mut out.stdout, &HintDocument { version: 1, grade, files })?;
    writeln!(out.stdout)
}
