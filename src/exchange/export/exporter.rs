//! Writes the puzzles of files in a format that is text.

use std::io::{self, Write};

use crate::export::chosen::{Chosen, Exported};
use crate::export::format::Format;
use crate::export::source::Source;
use crate::filter::Filter;

/// Writes puzzles in one format, one file after the other.
pub struct Exporter<'f> {
    format: Format,
    chosen: Chosen<'f>,
    /// Whether the head is written.
    has_begun: bool,
}

impl<'f> Exporter<'f> {
    /// An exporter that has not written anything. The format is text.
    pub fn new(format: Format, filter: &'f Filter) -> Exporter<'f> {
        Exporter { format, chosen: Chosen::new(filter), has_begun: false }
    }

    /// Writes the puzzles of a file.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&mut self, source: &Source<'_>, out: &mut dyn Write) -> io::Result<()> {
        self.begin(out)?;
        let format = self.format;
        let mut is_first = self.chosen.written() == 0;
        let take = |text: String| {
            out.write_all(format.before(is_first).as_bytes())?;
            is_first = false;
            out.write_all(text.as_bytes())
        };
        self.chosen.each(source, format.has_answers(), |puzzle, losses| format.puzzle(puzzle, losses), take)
    }

    /// Writes the end of the output.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn finish(mut self, out: &mut dyn Write) -> io::Result<Exported> {
        self.begin(out)?;
        out.write_all(self.format.tail(self.chosen.written() == 0).as_bytes())?;
        Ok(self.chosen.done())
    }

    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if !std::mem::replace(&mut self.has_begun, true) {
            out.write_all(self.format.head().as_bytes())?;
        }
        Ok(())
    }
}
