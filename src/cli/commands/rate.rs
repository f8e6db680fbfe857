//! `cpz rate`

use std::io::{self, Write};
use std::sync::atomic::Ordering;

use rayon::prelude::*;
use serde::Serialize;

use crate::cli::args::{Rate, RateFormat};
use crate::cli::inputs::Input;
use crate::cli::out::{DONE, FAILED, FOUND, Out, one_line};
use crate::cli::progress::Progress;
use crate::cli::selection::{Chosen, Collection, filter_of};
use cpz_check::analysis::Options;
use cpz_check::authoring::{Rating, rate, rating_in_words};
use cpz_exchange::{DifficultyDocument, RangeDocument, difficulty_document, range_document};
use cpz_text::diagnostic::LineIndex;

/// A puzzle with its rating, or why it has none.
type Rated<'c, 'r> = (&'r Chosen<'c>, Result<Rating, String>);

/// Rates puzzles.
pub fn run(args: &Rate, out: &mut Out) -> io::Result<u8> {
    let Some(filter) = filter_of(&args.choice) else { return Ok(FAILED) };
    let collection = Collection::read(&args.paths);
    let mut chosen = collection.puzzles();
    chosen.retain(|chosen| chosen.passes(&filter));
    let progress = Progress::new(chosen.len() as u64, "rating", None);
    let one = |chosen| {
        let rating = rating_of(chosen, args.budget.budget);
        progress.done.fetch_add(1, Ordering::Relaxed);
        (chosen, rating)
    };
    let rated: Vec<Rated<'_, '_>> = chosen.par_iter().map(one).collect();
    drop(progress);
    match args.format {
        RateFormat::Human => print_for_people(&rated, out)?,
        RateFormat::Json => print_json(&collection, &rated, out)?,
    }
    Ok(match rated.iter().any(|(_, rating)| rating.is_err()) {
        _ if collection.failed => FAILED,
        true => FOUND,
        false => DONE,
    })
}

/// The rating of a puzzle. `budget` is the node budget of each search, instead of the one of the configuration.
pub(super) fn rating_of(chosen: &Chosen<'_>, budget: Option<u64>) -> Result<Rating, String> {
    let config = chosen.input.config.clone();
    let options = Options { nodes: budget.unwrap_or(config.nodes()), ..Options::new(config) };
    let bound = chosen.entry.bound.as_ref().ok_or("the game is unknown")?;
    rate(bound, &options)
}

fn print_for_people(rated: &[Rated<'_, '_>], out: &mut Out) -> io::Result<()> {
    for (chosen, rating) in rated {
        writeln!(out.stdout, "{}", chosen.headline())?;
        match rating {
            Ok(rating) => {
                for line in rating_in_words(rating) {
                    writeln!(out.stdout, "  {line}")?;
                }
            }
            Err(why) => writeln!(out.stdout, "  not rated: {}", one_line(why))?,
        }
    }
    Ok(())
}

#[derive(Serialize)]
struct RateDocument<'a> {
    version: u32,
    files: Vec<RateFile<'a>>,
}

#[derive(Serialize)]
struct RateFile<'a> {
    path: &'a str,
    puzzles: Vec<RatePuzzle<'a>>,
}

#[derive(Serialize)]
struct RatePuzzle<'a> {
    id: Option<&'a str>,
    name: Option<&'a str>,
    game: &'a str,
    range: RangeDocument,
    difficulty: DifficultyDocument,
}

fn print_json<'c>(collection: &'c Collection, rated: &[Rated<'_, '_>], out: &mut Out) -> io::Result<()> {
    let mut rated = rated.iter().peekable();
    let of_file = |input: &'c Input| {
        let index = LineIndex::new(&input.text);
        let mut puzzles = Vec::new();
        while let Some((chosen, rating)) = rated.next_if(|(chosen, _)| std::ptr::eq(chosen.input, input)) {
            let entry = &chosen.entry;
            puzzles.push(RatePuzzle {
                id: entry.id,
                name: entry.name,
                game: entry.puzzle.keyword().text(),
                range: range_document(&input.text, &index, entry.span()),
                difficulty: difficulty_document(rating),
            });
        }
        RateFile { path: &input.path, puzzles }
    };
    let inputs: Vec<&Input> = collection.inputs().collect();
    let files = inputs.into_iter().map(of_file).collect();
    serde_json::to_writer(&mut out.stdout, &RateDocument { version: 1, files })?;
    writeln!(out.stdout)
}
