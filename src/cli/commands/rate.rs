//! `cpz rate`

use std::io::{self, Write};
use std::sync::atomic::Ordering;

use rayon::prelude::*;

use crate::cli::args::{Rate, RateFormat};
use crate::cli::out::{DONE, FAILED, FOUND, Out, one_line};
use crate::cli::progress::Progress;
use crate::cli::selection::{Chosen, Collection, filter_of, retain};
use cpz_api::api::rating_of;
use cpz_check::authoring::{Rating, rating_in_words};
use cpz_exchange::{RateDocument, RatedDocument, difficulty_document};

/// A puzzle with its rating, or why it has none.
type Rated<'c, 'r> = (&'r Chosen<'c>, Result<Rating, String>);

/// Rates puzzles.
pub fn run(args: &Rate, out: &mut Out) -> io::Result<u8> {
    let Some(filter) = filter_of(&args.choice) else { return Ok(FAILED) };
    let collection = Collection::read(&args.paths);
    let mut chosen = collection.puzzles();
    retain(&mut chosen, &filter, "rate");
    let progress = Progress::new(chosen.len() as u64, "rating", None);
    let one = |chosen: &Chosen<'_>| {
        let rating = rating_of(&chosen.entry, &chosen.search(args.budget.budget));
        progress.done.fetch_add(1, Ordering::Relaxed);
        rating
    };
    let rated: Vec<Rated<'_, '_>> = chosen.par_iter().map(|chosen| (chosen, one(chosen))).collect();
    drop(progress);
    out.code = match rated.iter().any(|(_, rating)| rating.is_err()) {
        _ if collection.failed => FAILED,
        true => FOUND,
        false => DONE,
    };
    match args.format {
        RateFormat::Human => print_for_people(&rated, out)?,
        RateFormat::Json => print_json(&collection, &rated, out)?,
    }
    Ok(out.code)
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

fn print_json(collection: &Collection, rated: &[Rated<'_, '_>], out: &mut Out) -> io::Result<()> {
    let about = |rating| RatedDocument { difficulty: difficulty_document(rating) };
    let puzzles = rated.iter().map(|(chosen, rating)| (*chosen, about(rating)));
    let document = RateDocument { version: 1, files: collection.documents(puzzles.collect()) };
    serde_json::to_writer(&mut out.stdout, &document)?;
    writeln!(out.stdout)
}
