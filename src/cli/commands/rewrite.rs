//! `cpz fmt` and `cpz convert`, and how files are replaced.

use std::collections::BTreeMap;
use std::fs::Metadata;
use std::io::{self, Write};
use std::path::Path;

use rayon::prelude::*;
use similar::TextDiff;
use tempfile::NamedTempFile;

use crate::board::Target;
use crate::cli::args::{Convert, Fmt, Form, Paths};
use crate::cli::inputs::{self, Input};
use crate::cli::{DONE, FAILED, FOUND, Out, complain};
use crate::diagnostic::LineIndex;
use crate::ide;
use crate::syntax::parse;

/// Puts a new text in a file's place, all at once: whoever reads the file meets the old text or the
/// new one and never a mixture. A file that no longer holds `old` is left alone.
///
/// # Errors
/// Why it could not be done.
pub fn replace(path: &Path, old: &str, new: &str) -> Result<(), String> {
    let failed = |e: io::Error| format!("cannot be written: {e}");
    // A link is followed, so that it stays a link.
    let path = path.canonicalize().map_err(failed)?;
    let metadata = path.metadata().map_err(failed)?;
    if metadata.permissions().readonly() {
        return Err("cannot be written: it is read-only".into());
    }
    let is_old = || match std::fs::read(&path).map_err(failed)? == old.as_bytes() {
        true => Ok(()),
        false => Err("not written: it was changed by somebody else meanwhile".to_string()),
    };
    is_old()?;
    let file = beside(&path, new, Some(&metadata))?;
    // To write it may take a while.
    is_old()?;
    file.persist(&path).map(drop).map_err(|e| failed(e.error))
}

/// Writes a file that is the program's own, new or not, all at once.
///
/// # Errors
/// Why it could not be done.
pub fn put(path: &Path, new: &str) -> Result<(), String> {
    let path = &path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let known = path.metadata().ok();
    if known.as_ref().is_some_and(|m| m.permissions().readonly()) {
        return Err("cannot be written: it is read-only".into());
    }
    let file = beside(path, new, known.as_ref())?;
    file.persist(path).map(drop).map_err(|e| format!("cannot be written: {}", e.error))
}

/// A temporary file beside another, with a text, and with the other's permissions and owner.
fn beside(path: &Path, text: &str, like: Option<&Metadata>) -> Result<NamedTempFile, String> {
    let failed = |e: io::Error| format!("cannot be written: {e}");
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".cpz-");
    #[cfg(unix)]
    if like.is_none() {
        // Those of any new file; but what is to be like another is nobody else's until it has its permissions.
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder).map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)?;
    if let Some(like) = like {
        #[cfg(unix)]
        keep_owner(file.as_file(), like);
        file.as_file().set_permissions(like.permissions()).map_err(failed)?;
    }
    file.as_file().sync_all().map_err(failed)?;
    Ok(file)
}

/// Gives a file the owner and group of another, as far as that is allowed: who works as root writes files of others.
#[cfg(unix)]
fn keep_owner(file: &std::fs::File, like: &Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};
    if fchown(file, Some(like.uid()), Some(like.gid())).is_err() {
        let _ = fchown(file, None, Some(like.gid()));
    }
}

/// Says which files are not to be written since their settings are unknown: they could be excluded, or be
/// written in a way that nobody wants. Whether there are none.
pub fn complain_of_broken<'i>(inputs: impl Iterator<Item = &'i Input>) -> bool {
    let mut broken: BTreeMap<&str, usize> = BTreeMap::new();
    for config in inputs.filter_map(|i| i.broken.as_deref()) {
        *broken.entry(config).or_default() += 1;
    }
    for (config, n) in &broken {
        let files = if *n == 1 { "1 file is".to_string() } else { format!("{n} files are") };
        complain(config, &format!("{files} not written: this configuration is broken"));
    }
    broken.is_empty()
}

/// What a writing command does with what it would write.
struct Mode {
    check: bool,
    diff: bool,
    /// What it has done to a file, in the past tense.
    done: &'static str,
}

/// `cpz fmt`
pub fn fmt(args: &Fmt, out: &mut Out) -> io::Result<u8> {
    let mode = Mode { check: args.check, diff: args.diff, done: "formatted" };
    run(&args.paths, &mode, out, |input| {
        let tree = parse(input.text.clone());
        ide::format(&tree).ok_or_else(|| "not formatted: a token or comment would change".to_string())
    })
}

/// `cpz convert`
pub fn convert(args: &Convert, out: &mut Out) -> io::Result<u8> {
    let mode = Mode { check: args.check, diff: args.diff, done: "converted" };
    let target = match args.to {
        Form::Text => Target::Text,
        Form::List => Target::List,
        Form::Numbers => Target::Numbers,
        Form::Coordinates => Target::Coordinates,
        Form::Fen => Target::Fen,
    };
    run(&args.paths, &mode, out, |input| {
        let tree = parse(input.text.clone());
        let converted = ide::convert(&tree, input.config.settings, target);
        let index = LineIndex::new(&input.text);
        for (span, why) in &converted.skipped {
            let line = index.line(span.start) + 1;
            complain(&format!("{}:{line}", input.path), &format!("left as it is: {why}"));
        }
        let new = ide::apply(&input.text, &converted.edits);
        if !ide::keeps_all_else(&input.text, &converted.edits, &new) {
            return Err("not converted: a token or comment beside a board would change".to_string());
        }
        Ok(new)
    })
}

fn run(
    paths: &Paths,
    mode: &Mode,
    out: &mut Out,
    change: impl Fn(&Input) -> Result<String, String> + Sync,
) -> io::Result<u8> {
    let mut inputs = inputs::read(paths);
    let mut failed = inputs.failed | inputs.complain_of_configs();
    complain_of_broken(inputs.texts.iter());
    inputs.texts.retain(|i| i.broken.is_none());
    let results: Vec<Result<String, String>> = inputs.texts.par_iter().map(&change).collect();
    let (mut changed, mut same) = (0usize, 0usize);
    for (input, result) in inputs.texts.iter().zip(results) {
        let new = match result {
            Ok(new) => new,
            Err(why) => {
                complain(&input.path, &why);
                failed = true;
                continue;
            }
        };
        let differs = new != input.text;
        *(if differs { &mut changed } else { &mut same }) += 1;
        if mode.diff && differs {
            let diff = TextDiff::from_lines(input.text.as_str(), new.as_str());
            let (a, b) = (format!("a/{}", input.shown), format!("b/{}", input.shown));
            write!(out.stdout, "{}", diff.unified_diff().context_radius(3).header(&a, &b))?;
        } else if mode.check {
            if differs {
                writeln!(out.stdout, "{} would be {}", input.shown, mode.done)?;
            }
        } else if !mode.diff {
            match &input.file {
                None => out.stdout.write_all(new.as_bytes())?,
                Some(path) if differs => {
                    if let Err(why) = replace(path, &input.text, &new) {
                        complain(&input.path, &why);
                        failed = true;
                        changed -= 1;
                    }
                }
                Some(_) => {}
            }
        }
    }
    if inputs.texts.iter().any(|i| i.file.is_some()) {
        // On a terminal it stands below what it sums up.
        out.stdout.flush()?;
        let s = |n: usize| if n == 1 { "" } else { "s" };
        let would = if mode.check || mode.diff { "would be " } else { "" };
        let _ = writeln!(
            anstream::stderr(),
            "cpz: {changed} file{} {would}{}, {same} left as {} {}",
            s(changed),
            mode.done,
            if same == 1 { "it" } else { "they" },
            if same == 1 { "is" } else { "are" },
        );
    }
    Ok(if failed {
        FAILED
    } else if changed > 0 && (mode.check || mode.diff) {
        FOUND
    } else {
        DONE
    })
}
