//! `cpz import`

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::sync::atomic::Ordering;

use crate::cli::args::Import;
use crate::cli::atomic_write::not_written;
use crate::cli::inputs::{DEVICE, is_endless, is_named_pipe};
use crate::cli::new_file::{NOT_ALL_READ, NewFile};
use crate::cli::out::{DONE, FAILED, FOUND, Out, plural, report_error};
use crate::cli::progress::Progress;
use crate::cli::unpacked::{Unpacked, is_packed};
use cpz_exchange::import::{Format, ImportOptions, Notice, Tally, detect, import, reader_of};

/// The bytes at the beginning of a file by which its format is recognised.
const HEAD: usize = 1 << 16;

/// The notices that are printed for a file; the rest are counted.
const MAX_NOTICES: usize = 1000;

/// Where the puzzles go.
enum Target<'o> {
    Stdout(&'o mut Out),
    File(NewFile, String),
}

impl Target<'_> {
    fn write(&mut self, text: &str) -> Result<(), Failure> {
        match self {
            Target::Stdout(out) => out.stdout.write_all(text.as_bytes()).map_err(Failure::Stdout),
            Target::File(file, name) => {
                file.write_all(text.as_bytes()).map_err(|e| Failure::File(name.clone(), not_written(&e)))
            }
        }
    }
}

/// Why nothing more is written.
enum Failure {
    Stdout(io::Error),
    File(String, String),
}

/// What was imported so far.
#[derive(Default)]
struct Totals {
    tally: Tally,
    told: usize,
    unread: usize,
    has_text: bool,
}

/// Imports files of other programs.
pub fn run(args: &Import, out: &mut Out) -> io::Result<u8> {
    let target = match args.output.as_deref() {
        None | Some("-") => Ok(Target::Stdout(out)),
        Some(path) if args.files.iter().any(|file| is_same_file(file, path)) => {
            Err("not written: this is one of the files to import".to_string())
        }
        Some(path) => {
            NewFile::create(Path::new(path), args.force).map(|file| Target::File(file, path.to_string()))
        }
    };
    let mut target = match target {
        Ok(target) => target,
        Err(why) => {
            report_error(args.output.as_deref().unwrap_or_default(), &why);
            return Ok(FAILED);
        }
    };
    let mut totals = Totals::default();
    let stdin = ["-".to_string()];
    for path in if args.files.is_empty() { &stdin[..] } else { &args.files } {
        match import_file(path, args, &mut target, &mut totals) {
            Ok(()) => {}
            Err(Failure::Stdout(error)) => return Err(error),
            Err(Failure::File(path, why)) => {
                report_error(&path, &why);
                return Ok(FAILED);
            }
        }
    }
    if let Target::File(file, name) = &target
        && totals.unread > 0
        && file.replaces()
    {
        report_error(name, NOT_ALL_READ);
        return Ok(FAILED);
    }
    if totals.tally.puzzles > 0
        && let Target::File(file, name) = target
        && let Err(why) = file.finish()
    {
        report_error(&name, &why);
        return Ok(FAILED);
    }
    Ok(match &totals {
        Totals { tally: Tally { puzzles: 0, .. }, .. } => FAILED,
        Totals { told: 0, unread: 0, .. } => DONE,
        _ => FOUND,
    })
}

/// Whether two paths lead to one file that exists.
fn is_same_file(one: &str, other: &str) -> bool {
    let real = |path: &str| Path::new(path).canonicalize().ok();
    real(one).is_some() && real(one) == real(other)
}

/// Imports one file, and says what became of it.
fn import_file(
    path: &str,
    args: &Import,
    target: &mut Target<'_>,
    totals: &mut Totals,
) -> Result<(), Failure> {
    let (mut input, size) = match open(path) {
        Ok(opened) => opened,
        Err(why) => {
            report_error(path, &why);
            totals.unread += 1;
            return Ok(());
        }
    };
    let head = match head_of(&mut input) {
        Ok(head) => head,
        Err(error) => {
            report_error(path, &format!("cannot be read: {error}"));
            totals.unread += 1;
            return Ok(());
        }
    };
    let Some(format) = args.from.or_else(|| detect(path.trim_end_matches(".zst"), &head)) else {
        let names: Vec<&str> = Format::ALL.iter().map(|format| format.name()).collect();
        report_error(
            path,
            &format!("its format is not recognised; say it with `--from`: {}", names.join(", ")),
        );
        totals.unread += 1;
        return Ok(());
    };
    let options = ImportOptions {
        letters: args.letters.clone(),
        bottom_up: args.rows == "bottom-up",
        mates: args.mates,
        ..ImportOptions::default()
    };
    let reader = reader_of(format, &head, &options);
    let (mut tally, mut skipped, mut told) = (Tally::default(), 0, 0);
    let mut failure = None;
    let progress = Progress::new(size, "importing", None);
    let result = import(&*reader, &mut input, &mut |part| {
        progress.done.fetch_add(part.bytes as u64, Ordering::Relaxed);
        tally.add(&part.tally);
        for notice in &part.notices {
            told += 1;
            skipped += usize::from(!notice.imported);
            if told <= MAX_NOTICES {
                report_notice(path, notice);
            }
        }
        if part.text.is_empty() {
            return Ok(());
        }
        let gap = if totals.has_text { "\n" } else { "" };
        totals.has_text = true;
        target.write(gap).and_then(|()| target.write(&part.text)).map_err(|why| {
            failure = Some(why);
            io::Error::other("the output ended")
        })
    });
    drop(progress);
    if let Some(failure) = failure {
        return Err(failure);
    }
    if let Err(error) = result {
        report_error(path, &format!("reading stopped: {error}"));
        totals.unread += 1;
    }
    if told > MAX_NOTICES {
        report_error(path, &format!("{} more entries have a fault", told - MAX_NOTICES));
    }
    if tally.puzzles == 0 && skipped == 0 {
        report_error(path, &format!("there is nothing to import as `{}`", format.name()));
    }
    summarise(path, format, &tally, (told, skipped));
    totals.tally.add(&tally);
    totals.told += told;
    Ok(())
}

fn report_notice(path: &str, notice: &Notice) {
    let what = if notice.imported { "imported, but" } else { "not imported:" };
    report_error(&format!("{path}:{}", notice.line), &format!("{what} {}", notice.reason));
}

/// Prints how many puzzles were made of a file, of which kind, and what was kept in notes.
fn summarise(path: &str, format: Format, tally: &Tally, (told, skipped): (usize, usize)) {
    let mut kinds: Vec<(&String, &usize)> = tally.questions.iter().collect();
    kinds.sort_by_key(|(_, n)| std::cmp::Reverse(**n));
    let listed: Vec<String> = kinds.iter().take(8).map(|(kind, n)| format!("{n} {kind}")).collect();
    let more = kinds.len().saturating_sub(8);
    let mut text = format!("{} from {path} ({})", plural(tally.puzzles, "puzzle", "puzzles"), format.name());
    if !listed.is_empty() {
        text.push_str(": ");
        text.push_str(&listed.join(", "));
    }
    if more > 0 {
        text.push_str(&format!(", and {more} other kinds"));
    }
    if !tally.kept.is_empty() {
        let kept: Vec<String> = tally.kept.iter().map(|(kind, n)| format!("{kind} ({n})")).collect();
        text.push_str(&format!("; kept in notes: {}", kept.join(", ")));
    }
    if !tally.left_out.is_empty() {
        let left_out: Vec<String> = tally.left_out.iter().map(|(kind, n)| format!("{kind} ({n})")).collect();
        text.push_str(&format!("; left out: {}", left_out.join(", ")));
    }
    if told > skipped {
        text.push_str(&format!("; {} with a fault", told - skipped));
    }
    if skipped > 0 {
        text.push_str(&format!("; {} not imported", plural(skipped, "entry", "entries")));
    }
    let _ = writeln!(anstream::stderr(), "cpz: {text}");
}

/// Opens a file, or standard input for `-`, and unpacks it if it is compressed by Zstandard. Returns its size too, as
/// far as it is known.
fn open(path: &str) -> Result<(Box<dyn BufRead>, u64), String> {
    let (mut input, size): (Box<dyn BufRead>, u64) = match path {
        "-" => (Box::new(BufReader::new(io::stdin())), 0),
        _ if Path::new(path).is_dir() => return Err("this is a folder; name its files".into()),
        _ if is_named_pipe(Path::new(path)) => {
            return Err("this is a named pipe; use `-` and `<` to read from it".into());
        }
        _ => {
            let file = File::open(path).map_err(|e| format!("cannot be read: {e}"))?;
            let metadata = file.metadata().map_err(|e| format!("cannot be read: {e}"))?;
            if is_endless(&file, &metadata) {
                return Err(DEVICE.into());
            }
            let size = metadata.len();
            (Box::new(BufReader::with_capacity(HEAD, file)), size)
        }
    };
    let begins = input.fill_buf().map_err(|e| format!("cannot be read: {e}"))?;
    if is_packed(begins) {
        return Ok((Box::new(BufReader::with_capacity(HEAD, Unpacked::new(input))), size));
    }
    if begins.starts_with(&[0xFF, 0xFE]) || begins.starts_with(&[0xFE, 0xFF]) {
        return Err("this is UTF-16, which cpz does not read: save it as UTF-8".into());
    }
    Ok((input, size))
}

/// The beginning of a stream, which stays in it.
fn head_of(input: &mut Box<dyn BufRead>) -> io::Result<String> {
    let mut bytes = Vec::new();
    (&mut *input).take(HEAD as u64).read_to_end(&mut bytes)?;
    let head = String::from_utf8_lossy(&bytes).into_owned();
    let rest = std::mem::replace(input, Box::new(io::empty()));
    *input = Box::new(BufReader::with_capacity(HEAD, io::Cursor::new(bytes).chain(rest)));
    Ok(head)
}
