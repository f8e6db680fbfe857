//! `cpz hint`

use std::io::{self, Write};

use rayon::prelude::*;

use crate::cli::args::{Hint, RateFormat};
use crate::cli::out::{DONE, FAILED, FOUND, Out, one_line};
use crate::cli::selection::{Chosen, Collection, filter_of, retain};
use cpz_api::api::hint_of;
use cpz_exchange::{HintDocument, HintedDocument};

/// A puzzle with its hint, or why it has none.
type Hinted<'c, 'r> = (&'r Chosen<'c>, Result<String, String>);

/// Prints a hint for each puzzle.
pub fn run(args: &Hint, out: &mut Out) -> io::Result<u8> {
    let Some(filter) = filter_of(&args.choice) else { return Ok(FAILED) };
    let collection = Collection::read(&args.paths);
    let mut chosen = collection.puzzles();
    retain(&mut chosen, &filter, "hint");
    let one = |chosen: &Chosen<'_>| hint_of(&chosen.entry, args.grade, &chosen.search(args.budget.budget));
    let hinted: Vec<Hinted<'_, '_>> = chosen.par_iter().map(|chosen| (chosen, one(chosen))).collect();
    out.code = match hinted.iter().any(|(_, hint)| hint.is_err()) {
        _ if collection.failed => FAILED,
        true => FOUND,
        false => DONE,
    };
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
        RateFormat::Json => print_json(&collection, hinted, args.grade, out)?,
    }
    Ok(out.code)
}

fn print_json(
    collection: &Collection,
    hinted: Vec<Hinted<'_, '_>>,
    grade: u8,
    out: &mut Out,
) -> io::Result<()> {
    let puzzles = hinted.into_iter().map(|(chosen, hint)| (chosen, HintedDocument::from(hint)));
    let document = HintDocument { version: 1, grade, files: collection.documents(puzzles.collect()) };
    serde_json::to_writer(&mut out.stdout, &document)?;
    writeln!(out.stdout)
}
