//! What `cpz fmt` and `cpz convert` share: compute a new text for each file, then write, compare or print it.

use std::io::{self, Write};

use rayon::prelude::*;
use similar::TextDiff;

use super::atomic_write::replace;
use super::inputs::{self, Input};
use super::write_guard::{refusal, refusal_of_change};
use crate::cli::args::Paths;
use crate::cli::common_args::RewriteOptions;
use crate::cli::out::{DONE, FAILED, FOUND, Out, plural, report_error};

/// What happens to the new texts.
pub struct Mode<'a> {
    pub options: &'a RewriteOptions,
    /// The past participle in messages, such as "formatted".
    pub verb: &'static str,
}

/// Which files the new texts concern.
#[derive(Default)]
struct Counts {
    changed: usize,
    unchanged: usize,
}

/// Rewrites all files that `paths` name. `rewrite` returns the new text, or why it refuses the file. Returns the exit code.
pub fn rewrite_all(
    paths: &Paths,
    mode: &Mode<'_>,
    out: &mut Out,
    rewrite: impl Fn(&Input) -> Result<String, String> + Sync,
) -> io::Result<u8> {
    let mut inputs = inputs::read(paths);
    let failed = inputs.failed | inputs.reject_configs();
    inputs.reject_files_with_invalid_config();
    if !mode.options.check && !mode.options.diff {
        // A filter must not lose the text that it was given.
        out.stdout.write_all(&inputs.refused)?;
    }
    let mut counts = Counts::default();
    out.code = if failed { FAILED } else { DONE };
    let results: Vec<Result<String, String>> = inputs
        .texts
        .par_iter()
        .map(|input| {
            refusal(input, mode.options.force).map_or(Ok(()), Err)?;
            let new = rewrite(input)?;
            let refused = (new != input.text).then(|| refusal_of_change(input, mode.options.force)).flatten();
            refused.map_or(Ok(new), Err)
        })
        .collect();
    for (input, result) in inputs.texts.iter().zip(results) {
        match result {
            Ok(new) => output(input, &new, mode, &mut counts, out)?,
            Err(why) => {
                report_error(&input.path, &why);
                out.code = FAILED;
                if input.file.is_none() && !mode.options.check && !mode.options.diff {
                    out.stdout.write_all(input.text.as_bytes())?;
                }
            }
        }
    }
    if inputs.texts.iter().any(|i| i.file.is_some()) {
        // On a terminal the summary comes after the output that it sums up.
        out.stdout.flush()?;
        let Counts { changed, unchanged } = counts;
        let would = if mode.options.check || mode.options.diff { "would be " } else { "" };
        let files = plural(changed, "file", "files");
        let _ = writeln!(anstream::stderr(), "cpz: {files} {would}{}, {unchanged} unchanged", mode.verb);
    }
    Ok(out.code)
}

/// Writes or prints the new text of one input, as the mode says.
fn output(input: &Input, new: &str, mode: &Mode<'_>, counts: &mut Counts, out: &mut Out) -> io::Result<()> {
    let differs = new != input.text;
    *(if differs { &mut counts.changed } else { &mut counts.unchanged }) += 1;
    if differs && (mode.options.diff || mode.options.check) {
        out.code = out.code.max(FOUND);
    }
    match &input.file {
        _ if !differs && (mode.options.diff || mode.options.check) => {}
        _ if mode.options.diff => {
            let diff = TextDiff::from_lines(input.text.as_str(), new);
            let (a, b) = (format!("a/{}", input.display_path), format!("b/{}", input.display_path));
            write!(out.stdout, "{}", diff.unified_diff().context_radius(3).header(&a, &b))?;
        }
        _ if mode.options.check => writeln!(out.stdout, "{} would be {}", input.display_path, mode.verb)?,
        None => out.stdout.write_all(new.as_bytes())?,
        Some(path) if differs => {
            if let Err(why) = replace(path, &input.text, new) {
                report_error(&input.path, &why);
                out.code = FAILED;
                counts.changed -= 1;
            }
        }
        Some(_) => {}
    }
    Ok(())
}
