//! `cpz print`

use std::io::{self, Write};
use std::path::Path;

use rayon::prelude::*;

use crate::cli::new_file::{EXISTS, FOLDER, NOT_ALL_READ, write_new};
use crate::cli::out::{DONE, FAILED, FOUND, Out, one_line, plural, report_error};
use crate::cli::print_args::{Print, Switch};
use crate::cli::progress::Progress;
use crate::cli::selection::{Chosen, Collection, filter_of};
use cpz_api::print::{Diagram, Form, SheetOptions, Theme, diagram};
use cpz_server::workspace::is_collection;

/// Makes a sheet.
pub fn run(args: &Print, out: &mut Out) -> io::Result<u8> {
    let Some(filter) = filter_of(&args.choice) else { return Ok(FAILED) };
    let collection = Collection::read(&args.paths);
    if let Some(path) = &args.output
        && let Some(why) = refusal(path, &collection, args.force)
    {
        report_error(&path.to_string_lossy(), why);
        return Ok(FAILED);
    }
    let mut selected = collection.puzzles();
    selected.retain(|chosen| chosen.passes(&filter));
    let options = options(args);
    let diagrams = diagrams(args, &selected, &options);
    let left_out = selected.len() - diagrams.len();
    if diagrams.is_empty() {
        report_error("print", "there are no puzzles to print");
        return Ok(FAILED);
    }
    let sheet = args.to.sheet(&diagrams, &options);
    match &args.output {
        None => out.stdout.write_all(sheet.as_bytes())?,
        Some(path) => {
            let shown = path.to_string_lossy();
            if collection.failed && path.exists() {
                report_error(&shown, NOT_ALL_READ);
                return Ok(FAILED);
            }
            if let Err(why) = write_new(path, sheet.as_bytes(), args.force) {
                report_error(&shown, &why);
                return Ok(FAILED);
            }
            let puzzles = plural(diagrams.len(), "puzzle", "puzzles");
            let _ = writeln!(anstream::stderr(), "cpz: {puzzles} on {}", one_line(&shown));
        }
    }
    Ok(match collection.failed {
        true => FAILED,
        false if left_out > 0 => FOUND,
        false => DONE,
    })
}

/// Why a sheet must not be written to a path. What is known before the search is said before it.
fn refusal(path: &Path, collection: &Collection, force: bool) -> Option<&'static str> {
    match () {
        () if path.is_dir() => Some(FOLDER),
        () if collection.contains(path) => Some("not written: this is one of the files to print"),
        () if is_collection(path) => Some("not written: a name that ends in `.cpz` is one of a collection"),
        () if !force && path.symlink_metadata().is_ok() => Some(EXISTS),
        () => None,
    }
}

/// The puzzles that can be printed. Those that cannot are reported.
fn diagrams(args: &Print, selected: &[Chosen<'_>], options: &SheetOptions) -> Vec<Diagram> {
    let progress = Progress::new(selected.len() as u64, "solving", None);
    let one = |chosen: &Chosen<'_>| {
        let made = diagram(&chosen.entry, options, &chosen.search(args.budget.budget));
        progress.done.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        made
    };
    let made: Vec<Result<Diagram, String>> = selected.par_iter().map(one).collect();
    drop(progress);
    let mut diagrams = Vec::new();
    for (chosen, made) in selected.iter().zip(made) {
        match made {
            Ok(diagram) => diagrams.push(diagram),
            Err(why) => chosen.report_left_out(&why),
        }
    }
    diagrams
}

fn options(args: &Print) -> SheetOptions {
    let form = args.form.unwrap_or(args.to.form());
    SheetOptions {
        title: args.title.clone().filter(|title| !title.trim().is_empty()),
        language: args.language,
        paper: args.paper,
        per_page: args.per_page,
        form,
        solutions: args.solutions,
        hints: args.hints,
        added_hints: args.add_hints,
        difficulty: args.difficulty,
        theme: args.look.theme.unwrap_or(Theme::Print),
        coordinates: args.look.coordinates.map_or(form == Form::Lesson, |switch| switch == Switch::On),
    }
}
