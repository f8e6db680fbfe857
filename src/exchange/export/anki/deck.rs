//! Writes the puzzles of files as a package.

use std::io::{self, Write};

use rustc_hash::FxHashSet;
use serde_json::{Map, Value as Json};

use super::collection::collection;
use super::note::{DrawBoard, Note};
use super::zip::Zip;
use crate::export::chosen::{Chosen, Exported};
use crate::export::source::Source;
use crate::filter::Filter;

/// Writes puzzles as cards of Anki. They are in memory until the end.
pub struct DeckExporter<'f> {
    draw: DrawBoard,
    time: i64,
    chosen: Chosen<'f>,
    notes: Vec<Note>,
}

impl<'f> DeckExporter<'f> {
    /// An exporter that has no cards yet. `time` is now, in seconds since 1970.
    pub fn new(filter: &'f Filter, draw: DrawBoard, time: u64) -> DeckExporter<'f> {
        let time = i64::try_from(time).unwrap_or(i64::MAX / 1000).min(i64::MAX / 1000);
        DeckExporter { draw, time, chosen: Chosen::new(filter), notes: Vec::new() }
    }

    /// Adds the puzzles of a file.
    pub fn add(&mut self, source: &Source<'_>) {
        let (draw, notes) = (self.draw, &mut self.notes);
        let take = |note| {
            notes.push(note);
            Ok(())
        };
        let added = self.chosen.each(source, true, |puzzle, losses| Note::of(puzzle, draw, losses), take);
        added.expect("memory takes all notes");
    }

    /// Writes the package.
    ///
    /// # Errors
    /// Those of `out`, and that the package is too large.
    pub fn finish(self, out: &mut dyn Write) -> io::Result<Exported> {
        let mut zip = Zip::new(out);
        zip.add("collection.anki2", &collection(&self.notes, self.time))?;
        let mut seen = FxHashSet::default();
        let pictures = self.notes.iter().map(|note| &note.picture).filter(|(name, _)| seen.insert(name));
        let mut names = Map::new();
        for (nth, (name, svg)) in pictures.enumerate() {
            zip.add(&nth.to_string(), svg.as_bytes())?;
            names.insert(nth.to_string(), Json::from(name.as_str()));
        }
        zip.add("media", Json::Object(names).to_string().as_bytes())?;
        zip.finish()?;
        Ok(self.chosen.done())
    }
}
