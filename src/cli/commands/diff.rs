//! `cpz diff`

use std::io::{self, Write};
use std::path::Path;

use crate::cli::args::Paths;
use crate::cli::diff_args::{Diff, DiffFormat};
use crate::cli::inputs::{self, Input, STDIN};
use crate::cli::out::{DONE, FAILED, FOUND, Out, report_error};
use crate::cli::output::diff_text;
use cpz_api::print::diff_in_html;
use cpz_exchange::{DiffFile, diff, diff_in_markdown};

/// The texts of one side.
struct Side {
    inputs: Vec<Input>,
    /// The names of the files in their collection.
    keys: Vec<String>,
    failed: bool,
}

/// Says what has changed between two collections. Writes nothing.
pub fn run(args: &Diff, out: &mut Out) -> io::Result<u8> {
    if let Err(why) = check_paths(&args.old, &args.new) {
        report_error("diff", &why);
        return Ok(FAILED);
    }
    let (old, new) = (read(&args.old, args.no_config), read(&args.new, args.no_config));
    if old.failed || new.failed {
        return Ok(FAILED);
    }
    let found = diff(&files(&old), &files(&new), args.budget.budget);
    let max = match args.max {
        None | Some(0) => usize::MAX,
        Some(max) => max,
    };
    out.code = if found.is_empty() { DONE } else { FOUND };
    match args.format {
        DiffFormat::Human => diff_text::print(&found, max, out)?,
        DiffFormat::Json => {
            serde_json::to_writer(&mut out.stdout, &found)?;
            writeln!(out.stdout)?;
        }
        DiffFormat::Markdown => out.stdout.write_all(diff_in_markdown(&found, max).as_bytes())?,
        DiffFormat::Html => out.stdout.write_all(diff_in_html(&found, max).as_bytes())?,
    }
    Ok(out.code)
}

/// Two files can be compared, or two folders.
fn check_paths(old: &str, new: &str) -> Result<(), String> {
    if old == "-" && new == "-" {
        return Err("standard input can be one of the two collections, not both".into());
    }
    let is_folder = |path: &str| Path::new(path).is_dir();
    match (is_folder(old), is_folder(new)) {
        (true, false) => Err(one_folder(old, new)),
        (false, true) => Err(one_folder(new, old)),
        _ => Ok(()),
    }
}

fn one_folder(folder: &str, other: &str) -> String {
    format!("{folder} is a folder and {other} is none; compare two files or two folders")
}

/// Reads a side. What cannot be read is reported.
fn read(path: &str, no_config: bool) -> Side {
    let paths = Paths { paths: vec![path.to_string()], no_config };
    let mut inputs = inputs::read(&paths);
    let failed = inputs.failed | inputs.reject_configs();
    let keys = inputs.texts.iter().map(|input| key(path, input)).collect();
    Side { inputs: inputs.texts, keys, failed }
}

/// The name of a file in its collection: the path below a folder. Two files that are named are versions of one.
fn key(path: &str, input: &Input) -> String {
    let below =
        input.file.as_deref().filter(|_| input.path != STDIN).and_then(|file| file.strip_prefix(path).ok());
    below.map(|below| below.to_string_lossy().into_owned()).unwrap_or_default()
}

fn files(side: &Side) -> Vec<DiffFile<'_>> {
    fn file<'s>((input, key): (&'s Input, &'s String)) -> DiffFile<'s> {
        DiffFile { path: &input.path, key, text: &input.text, config: &input.config }
    }
    side.inputs.iter().zip(&side.keys).map(file).collect()
}
