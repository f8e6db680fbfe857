//! Prints the repairs of puzzles as a JSON document. Its schema is `docs/schema/repair.schema.json`.

use std::io::{self, Write};

use crate::cli::out::Out;
use crate::cli::selection::{Chosen, Collection};
use cpz_api::api::{aim_word, repair_document};
use cpz_check::repair::Aim;
use cpz_ide::Proposals;
use cpz_text::diagnostic::LineIndex;

/// Prints the document puzzle by puzzle, with at most `max` repairs of each: all of them together may be large.
pub struct JsonPrinter<'c> {
    max: usize,
    /// The paths and texts that are left, in order.
    files: Vec<(&'c str, &'c str)>,
    /// The path and the lines of the file that is being printed.
    file: Option<(&'c str, LineIndex)>,
    is_first: bool,
}

impl<'c> JsonPrinter<'c> {
    /// Prints the beginning.
    pub fn new(
        collection: &'c Collection,
        aim: Aim,
        max: usize,
        out: &mut Out,
    ) -> io::Result<JsonPrinter<'c>> {
        write!(out.stdout, "{{\"version\":1,\"aim\":\"{}\",\"files\":[", aim_word(aim))?;
        let mut files: Vec<(&str, &str)> = collection.texts().collect();
        files.reverse();
        Ok(JsonPrinter { max, files, file: None, is_first: true })
    }

    /// Prints the beginning of the next file; whether there is one.
    fn next_file(&mut self, out: &mut Out) -> io::Result<bool> {
        let Some((path, text)) = self.files.pop() else { return Ok(false) };
        let end = if self.file.is_some() { "]}," } else { "" };
        write!(out.stdout, "{end}{{\"path\":{},\"puzzles\":[", serde_json::to_string(path)?)?;
        (self.file, self.is_first) = (Some((path, LineIndex::new(text))), true);
        Ok(true)
    }

    /// Prints the repairs of a puzzle. Puzzles come in the order of the files.
    pub fn puzzle(&mut self, chosen: &Chosen<'_>, proposals: &Proposals, out: &mut Out) -> io::Result<()> {
        let path = chosen.input.path.as_str();
        while self.file.as_ref().is_none_or(|(current, _)| *current != path) {
            if !self.next_file(out)? {
                return Ok(());
            }
        }
        let Some((_, index)) = &self.file else { return Ok(()) };
        let document = repair_document(&chosen.entry, &chosen.input.text, index, proposals, self.max);
        let Some(document) = document else { return Ok(()) };
        let comma = if self.is_first { "" } else { "," };
        self.is_first = false;
        write!(out.stdout, "{comma}{}", serde_json::to_string(&document)?)
    }

    /// Prints the end.
    pub fn end(&mut self, out: &mut Out) -> io::Result<()> {
        while self.next_file(out)? {}
        let end = if self.file.is_some() { "]}" } else { "" };
        writeln!(out.stdout, "{end}]}}")
    }
}
