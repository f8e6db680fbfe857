//! Writes the puzzles of files in a format.

use std::io::{self, Write};

use crate::export::format::Format;
use crate::export::losses::Losses;
use crate::export::source::{ExportPuzzle, Placed, Source, placed};
use crate::filter::Filter;
use cpz_check::parallel::*;
use cpz_text::syntax::parse;

/// How many puzzles are in memory as text: their solutions may be long.
const CHUNK: usize = 256;

/// Writes puzzles in one format, one file after the other.
pub struct Exporter<'f> {
    format: Format,
    filter: &'f Filter,
    done: Exported,
    /// How many puzzles were read.
    read: usize,
    /// Whether the head is written.
    has_begun: bool,
}

/// What was exported.
#[derive(Clone, Debug, Default)]
pub struct Exported {
    /// How many puzzles the filter let through.
    pub chosen: usize,
    /// How many of them are in the output.
    pub written: usize,
    /// What is not in the output.
    pub losses: Losses,
}

impl<'f> Exporter<'f> {
    /// An exporter that has not written anything.
    pub fn new(format: Format, filter: &'f Filter) -> Exporter<'f> {
        Exporter { format, filter, done: Exported::default(), read: 0, has_begun: false }
    }

    /// Writes the puzzles of a file.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&mut self, source: &Source<'_>, out: &mut dyn Write) -> io::Result<()> {
        self.begin(out)?;
        let tree = parse(source.text);
        let mut puzzles = placed(source, &tree);
        loop {
            let chunk: Vec<Placed<'_>> = puzzles.by_ref().take(CHUNK).collect();
            if chunk.is_empty() {
                return Ok(());
            }
            let first = self.read + 1;
            let text = |(i, placed): (usize, &Placed<'_>)| self.text(source, placed, first + i);
            let texts: Vec<(Option<String>, Losses)> =
                chunk.par_iter().enumerate().filter_map(text).collect();
            self.read += chunk.len();
            for (text, losses) in texts {
                self.done.chosen += 1;
                self.done.losses.add(losses);
                let Some(text) = text else { continue };
                out.write_all(self.format.before(self.done.written == 0).as_bytes())?;
                out.write_all(text.as_bytes())?;
                self.done.written += 1;
            }
        }
    }

    /// Writes the end of the output.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn finish(mut self, out: &mut dyn Write) -> io::Result<Exported> {
        self.begin(out)?;
        out.write_all(self.format.tail(self.done.written == 0).as_bytes())?;
        Ok(self.done)
    }

    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if !std::mem::replace(&mut self.has_begun, true) {
            out.write_all(self.format.head().as_bytes())?;
        }
        Ok(())
    }

    /// The text of a puzzle, and what it does not hold; nothing where the puzzle is not chosen.
    fn text(
        &self,
        source: &Source<'_>,
        placed: &Placed<'_>,
        number: usize,
    ) -> Option<(Option<String>, Losses)> {
        let puzzle = ExportPuzzle::read(source, placed);
        if !puzzle.is_chosen(self.filter, number) {
            return None;
        }
        let mut losses = Losses::default();
        let text = self.format.puzzle(&puzzle, &mut losses);
        if text.is_some() && self.format.has_answers() {
            losses.need_search(puzzle.queries.iter().filter(|query| query.needs_search).count());
        }
        Some((text, losses))
    }
}
