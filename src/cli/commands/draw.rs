//! `cpz draw`

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use rayon::prelude::*;

use crate::cli::new_file::write_new;
use crate::cli::out::{DONE, FAILED, FOUND, Out, plural, report_error};
use crate::cli::print_args::{Draw, PictureFormat, Switch};
use crate::cli::selection::{Chosen, Collection, filter_of};
use cpz_api::print::{FileNames, Moment, PictureOptions, picture, png};

/// How many pictures are drawn before they are written, so that few are in memory.
const BATCH: usize = 64;

/// Draws pictures.
pub fn run(args: &Draw, out: &mut Out) -> io::Result<u8> {
    let Some(filter) = filter_of(&args.choice) else { return Ok(FAILED) };
    let collection = Collection::read(&args.paths);
    let all = collection.puzzles();
    let mut names = FileNames::new(all.len());
    // A name does not depend on what else is selected.
    let named = all.into_iter().map(|chosen| (names.next(chosen.entry.id, chosen.number), chosen));
    let selected: Vec<(String, Chosen<'_>)> = named.filter(|(_, chosen)| chosen.passes(&filter)).collect();
    if selected.is_empty() {
        report_error("draw", "there are no puzzles to draw");
        return Ok(FAILED);
    }
    match &args.output {
        Some(folder) => write_all(args, folder, &selected, collection.failed),
        None => print_one(args, &selected, collection.failed, out),
    }
}

/// Prints the only picture on standard output.
fn print_one(args: &Draw, selected: &[(String, Chosen<'_>)], failed: bool, out: &mut Out) -> io::Result<u8> {
    let [(_, chosen)] = selected else {
        let message = format!(
            "there are {} puzzles: name a folder for their pictures with `-o`, or choose one puzzle with `--only`",
            selected.len()
        );
        report_error("draw", &message);
        return Ok(FAILED);
    };
    if args.to == PictureFormat::Png && io::stdout().is_terminal() {
        report_error("draw", "a terminal does not show PNG: name a folder with `-o`, or write `> FILE`");
        return Ok(FAILED);
    }
    match drawn(args, chosen) {
        Ok(bytes) => {
            out.stdout.write_all(&bytes)?;
            Ok(if failed { FAILED } else { DONE })
        }
        Err(why) => {
            chosen.report_left_out(&why);
            Ok(if failed { FAILED } else { FOUND })
        }
    }
}

/// Writes the pictures into a folder.
fn write_all(args: &Draw, folder: &Path, selected: &[(String, Chosen<'_>)], failed: bool) -> io::Result<u8> {
    let shown = folder.to_string_lossy();
    if let Err(error) = std::fs::create_dir_all(folder) {
        report_error(&shown, &format!("no folder for the pictures: {error}"));
        return Ok(FAILED);
    }
    let extension = if args.to == PictureFormat::Svg { "svg" } else { "png" };
    let (mut written, mut left_out, mut failed) = (0, 0, failed);
    for batch in selected.chunks(BATCH) {
        let pictures: Vec<_> = batch.par_iter().map(|(_, chosen)| drawn(args, chosen)).collect();
        for ((name, chosen), picture) in batch.iter().zip(pictures) {
            let bytes = match picture {
                Ok(bytes) => bytes,
                Err(why) => {
                    chosen.report_left_out(&why);
                    left_out += 1;
                    continue;
                }
            };
            let path = folder.join(format!("{name}.{extension}"));
            match write_new(&path, &bytes, args.force) {
                Ok(()) => written += 1,
                Err(why) => {
                    report_error(&path.to_string_lossy(), &why);
                    failed = true;
                }
            }
        }
    }
    let pictures = plural(written, "picture", "pictures");
    let _ = writeln!(anstream::stderr(), "cpz: {pictures} written to {}", crate::cli::out::one_line(&shown));
    Ok(match failed {
        true => FAILED,
        false if left_out > 0 => FOUND,
        false => DONE,
    })
}

/// The picture of a puzzle, or why there is none.
fn drawn(args: &Draw, chosen: &Chosen<'_>) -> Result<Vec<u8>, String> {
    let moment = match args.step {
        Some(step) => Moment::Step(step),
        None if args.solution => Moment::Solution,
        None => Moment::Start,
    };
    let options = PictureOptions {
        size: args.size,
        theme: args.look.theme.unwrap_or_default(),
        coordinates: args.look.coordinates != Some(Switch::Off),
        moment,
    };
    let svg = picture(&chosen.entry, &options, &chosen.search(args.budget.budget))?;
    match args.to {
        PictureFormat::Svg => Ok(svg.into_bytes()),
        PictureFormat::Png => png(&svg),
    }
}
