//! `cpz convert`

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::cli::args::Convert;
use crate::cli::out::{DONE, FOUND, Out, report_error};
use crate::cli::rewrite::{Mode, rewrite_all};
use cpz_api::api::{UnchangedBoard, convert_boards};

/// Writes the boards of files in another format.
pub fn run(args: &Convert, out: &mut Out) -> io::Result<u8> {
    let mode = Mode { options: &args.rewrite, verb: "converted" };
    let has_unreadable = AtomicBool::new(false);
    let code = rewrite_all(&args.paths, &mode, out, |input| {
        let (converted, is_unreadable) =
            convert_boards(&input.text, input.config.settings, args.to).map_err(|error| error.to_string())?;
        has_unreadable.fetch_or(is_unreadable, Ordering::Relaxed);
        for UnchangedBoard { line, reason } in &converted.unchanged {
            report_error(&format!("{}:{line}", input.path), &format!("unchanged: {reason}"));
        }
        Ok(converted.text)
    })?;
    Ok(if code == DONE && has_unreadable.into_inner() { FOUND } else { code })
}
