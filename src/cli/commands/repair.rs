//! `cpz repair`

use std::io;

use rayon::prelude::*;

use crate::cli::out::{DONE, FAILED, FOUND, Out};
use crate::cli::output::repair_json::JsonPrinter;
use crate::cli::output::repair_text::TextPrinter;
use crate::cli::progress::Progress;
use crate::cli::repair_args::{Repair, RepairFormat};
use crate::cli::selection::{Chosen, Collection, filter_of, retain};
use cpz_check::repair::Aim;
use cpz_ide::{Proposals, propose};

/// How many proposals of a puzzle are printed for people.
const MAX_FOR_PEOPLE: usize = 5;

/// How many puzzles are searched before they are printed.
const BATCH: usize = 64;

/// Prints the repairs of the puzzles that are not what they are meant to be. Writes nothing.
pub fn run(args: &Repair, out: &mut Out) -> io::Result<u8> {
    let Some(filter) = filter_of(&args.choice) else { return Ok(FAILED) };
    let aim = match (args.unique, args.shorten, args.minimal) {
        (true, _, _) => Aim::Unique,
        (_, true, _) => Aim::Shorter,
        (_, _, true) => Aim::Minimal,
        _ => Aim::Sound,
    };
    let collection = Collection::read(&args.paths);
    let mut selected = collection.puzzles();
    retain(&mut selected, &filter, "repair");
    let max = match (args.max, args.format) {
        (None, RepairFormat::Human) => MAX_FOR_PEOPLE,
        (None | Some(0), _) => usize::MAX,
        (Some(max), _) => max,
    };
    let mut printer = match args.format {
        RepairFormat::Human => Printer::Text(TextPrinter::new(aim, max)),
        RepairFormat::Json => Printer::Json(JsonPrinter::new(&collection, aim, max, out)?),
    };
    let progress = Progress::new(selected.len() as u64, "repairing", None);
    out.code = if collection.failed { FAILED } else { DONE };
    // The repairs of all puzzles together may take much memory.
    for batch in selected.chunks(BATCH) {
        let searched: Vec<_> =
            batch.par_iter().map(|chosen| search(chosen, aim, args.budget.budget, &progress)).collect();
        for (chosen, found) in batch.iter().zip(searched) {
            match found {
                Ok(Some(proposals)) => {
                    let is_found = match aim {
                        Aim::Sound | Aim::Unique => proposals.is_sound != Some(true),
                        Aim::Shorter | Aim::Minimal => !proposals.found.is_empty(),
                    };
                    out.code = out.code.max(if is_found { FOUND } else { DONE });
                    printer.puzzle(chosen, &proposals, out)?;
                }
                Ok(None) => {}
                Err(why) => chosen.report_left_out(&why),
            }
        }
    }
    printer.end(out)?;
    Ok(out.code)
}

/// The repairs of a puzzle.
fn search(
    chosen: &Chosen<'_>,
    aim: Aim,
    budget: Option<u64>,
    progress: &Progress,
) -> Result<Option<Proposals>, String> {
    let found = propose(chosen.entry.puzzle, chosen.entry.defaults, aim, &chosen.search(budget));
    progress.done.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    found
}

/// Where the repairs go.
enum Printer<'c> {
    Text(TextPrinter),
    Json(JsonPrinter<'c>),
}

impl Printer<'_> {
    fn puzzle(&mut self, chosen: &Chosen<'_>, proposals: &Proposals, out: &mut Out) -> io::Result<()> {
        match self {
            Printer::Text(printer) => printer.puzzle(chosen, proposals, out),
            Printer::Json(printer) => printer.puzzle(chosen, proposals, out),
        }
    }

    fn end(&mut self, out: &mut Out) -> io::Result<()> {
        match self {
            Printer::Text(printer) => printer.end(out),
            Printer::Json(printer) => printer.end(out),
        }
    }
}
