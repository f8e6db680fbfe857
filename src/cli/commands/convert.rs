//! `cpz convert`

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::cli::args::Convert;
use crate::cli::out::{DONE, FOUND, Out, report_error};
use crate::cli::rewrite::{Mode, rewrite_all};
use crate::diagnostic::LineIndex;
use crate::ide;
use crate::syntax::parse;

/// Writes the boards of files in another format.
pub fn run(args: &Convert, out: &mut Out) -> io::Result<u8> {
    let mode = Mode { check: args.check, diff: args.diff, force: args.force, verb: "converted" };
    let has_unreadable = AtomicBool::new(false);
    let code = rewrite_all(&args.paths, &mode, out, |input| {
        let tree = parse(input.text.clone());
        let converted = ide::convert(&tree, input.config.settings, args.to);
        has_unreadable.fetch_or(converted.has_unreadable_property, Ordering::Relaxed);
        let index = LineIndex::new(&input.text);
        for (span, why) in &converted.skipped {
            let line = index.line(span.start) + 1;
            report_error(&format!("{}:{line}", input.path), &format!("unchanged: {why}"));
        }
        let new = ide::apply(&input.text, &converted.edits);
        if !ide::keeps_all_else(&input.text, &converted.edits, &new) {
            return Err("not converted: a word or a comment next to a board would change".to_string());
        }
        Ok(new)
    })?;
    Ok(if code == DONE && has_unreadable.into_inner() { FOUND } else { code })
}
