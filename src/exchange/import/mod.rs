//! Import: the files of other programs become puzzles.
//!
//! A stream is split into records, records are read in parallel, and their puzzles are written in order, so that a file
//! of any length needs little memory. A record that cannot be read is told with its line and the reason.

mod chess_text;
mod detect;
mod entry;
mod epd;
mod fen;
mod lichess;
mod notice;
mod pgn;
mod record;

use std::collections::BTreeMap;
use std::io::{self, BufRead};

use rayon::prelude::*;

pub use detect::detect;
pub use entry::{Answer, BoardText, Entry, QueryText, Value};
pub use notice::{Item, Notice};
use record::Records;
pub use record::{Boundary, Record};

/// A format that is imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Format {
    /// A FEN on each line.
    Fen,
    /// Extended position description: a position and operations on each line.
    Epd,
    /// Games, of which those with a position of their own are puzzles.
    Pgn,
    /// The puzzle database of Lichess.
    Lichess,
}

impl Format {
    /// All formats.
    pub const ALL: &'static [Format] = &[Format::Fen, Format::Epd, Format::Pgn, Format::Lichess];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Format::Fen => "fen",
            Format::Epd => "epd",
            Format::Pgn => "pgn",
            Format::Lichess => "lichess",
        }
    }

    /// What it is, for a list of formats.
    pub fn description(self) -> &'static str {
        match self {
            Format::Fen => "A FEN on each line",
            Format::Epd => "Positions with operations, as engines use them",
            Format::Pgn => "Games of chess with a FEN tag",
            Format::Lichess => "The puzzle database of Lichess: CSV, plain or compressed (.zst)",
        }
    }
}

/// What a person says about a file besides its format.
#[derive(Clone, Debug, Default)]
pub struct ImportOptions {
    /// The language of the piece letters, such as `fr`.
    pub letters: Option<String>,
    /// Whether the first row of a board is the lowest.
    pub bottom_up: bool,
}

/// Reads the records of one format.
pub trait Reader: Sync {
    /// Where records begin.
    fn boundary(&self) -> Boundary;

    /// The puzzles of a record, and what of it cannot be read.
    fn read(&self, record: &Record) -> Vec<Item>;
}

/// The reader of a format. `head` is the beginning of the file.
pub fn reader(format: Format, head: &str, _options: &ImportOptions) -> Box<dyn Reader> {
    match format {
        Format::Fen => Box::new(fen::Fen),
        Format::Epd => Box::new(epd::Epd),
        Format::Pgn => Box::new(pgn::Pgn),
        Format::Lichess => Box::new(lichess::Lichess::new(head)),
    }
}

/// What became of a record.
pub struct Imported {
    /// The puzzles, as the formatter writes them.
    pub text: String,
    /// What could not be read.
    pub notices: Vec<Notice>,
    /// The puzzles that were made.
    pub tally: Tally,
    /// The bytes of the record, for a progress bar.
    pub bytes: usize,
}

/// The puzzles that were made, by kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The number of puzzles.
    pub puzzles: usize,
    /// The questions that they ask, such as `mate in 2`; `no question` where none is known.
    pub questions: BTreeMap<String, usize>,
    /// What was kept in notes, by kind.
    pub kept: BTreeMap<&'static str, usize>,
}

impl Tally {
    fn count(&mut self, entry: &Entry) {
        self.puzzles += 1;
        let question = match entry.queries.first() {
            None => "no question",
            Some(query) if query.question.starts_with("move ") => "move",
            Some(query) => &query.question,
        };
        match self.questions.get_mut(question) {
            Some(n) => *n += 1,
            None => _ = self.questions.insert(question.to_string(), 1),
        }
        for kind in &entry.kept {
            *self.kept.entry(kind).or_default() += 1;
        }
    }

    /// Adds another tally.
    pub fn add(&mut self, other: &Tally) {
        self.puzzles += other.puzzles;
        for (question, n) in &other.questions {
            *self.questions.entry(question.clone()).or_default() += n;
        }
        for (kind, n) in &other.kept {
            *self.kept.entry(kind).or_default() += n;
        }
    }
}

/// The records that are read at once, and the bytes after which fewer are.
const BATCH: usize = 4096;
const BATCH_BYTES: usize = 1 << 20;

/// Imports a stream: `sink` gets what became of each record, in order.
///
/// # Errors
/// Those of the stream and of `sink`.
pub fn import(
    reader: &dyn Reader,
    input: &mut dyn BufRead,
    sink: &mut dyn FnMut(Imported) -> io::Result<()>,
) -> io::Result<()> {
    let mut records = Records::new(input, reader.boundary());
    loop {
        let (mut batch, mut bytes) = (Vec::new(), 0);
        while batch.len() < BATCH && bytes < BATCH_BYTES {
            let Some(record) = records.next()? else { break };
            bytes += record.text.len();
            batch.push(record);
        }
        if batch.is_empty() {
            return Ok(());
        }
        let chunks: Vec<Imported> =
            batch.par_chunks(64).map(|records| import_records(reader, records)).collect();
        chunks.into_iter().try_for_each(&mut *sink)?;
    }
}

fn import_records(reader: &dyn Reader, records: &[Record]) -> Imported {
    let mut imported = Imported {
        text: String::new(),
        notices: Vec::new(),
        tally: Tally::default(),
        bytes: records.iter().map(|record| record.text.len()).sum(),
    };
    for record in records {
        if record.cut {
            let why = "this entry is longer than 16 MiB".to_string();
            imported.notices.push(Notice::at(record, 0, why));
            continue;
        }
        for item in reader.read(record) {
            match item {
                Item::Puzzle(entry) => {
                    if !imported.text.is_empty() {
                        imported.text.push('\n');
                    }
                    entry.write(&mut imported.text);
                    imported.tally.count(&entry);
                }
                Item::Notice(notice) => imported.notices.push(notice),
            }
        }
    }
    imported
}
