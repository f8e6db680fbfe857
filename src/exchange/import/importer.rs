//! Reads a stream of any format: splits it into records, reads them in parallel, and keeps their order.

use std::collections::BTreeMap;
use std::io::{self, BufRead};

use crate::import::entry::{Entry, write_comments};
use crate::import::format::Format;
use crate::import::notice::{Item, Notice};
use crate::import::reader::{ImportOptions, Reader};
use crate::import::record::{Record, Records, with_line_feeds};
use crate::import::{epd, fen, json, lichess, olv, pdn, pgn, popeye, solitaire};
use cpz_check::parallel::*;

/// The reader of a format. `head` is the beginning of the file.
pub fn reader_of(format: Format, head: &str, options: &ImportOptions) -> Box<dyn Reader> {
    let head = &with_line_feeds(head);
    match format {
        Format::Fen => Box::new(fen::Fen),
        Format::Epd => Box::new(epd::Epd),
        Format::Pgn => Box::new(pgn::Pgn { whole_comments: options.whole_comments, mates: options.mates }),
        Format::Lichess => Box::new(lichess::Lichess::new(head)),
        Format::Json => Box::new(json::JsonPuzzles::new(head)),
        Format::Olv => Box::new(olv::Olv),
        Format::Popeye => Box::new(popeye::Popeye::new(head)),
        Format::Pdn => Box::new(pdn::Pdn),
        Format::Solitaire => Box::new(solitaire::Solitaire::new(head, options)),
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
    /// What was left out, by kind.
    pub left_out: BTreeMap<&'static str, usize>,
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
        for kind in &entry.left_out {
            *self.left_out.entry(kind).or_default() += 1;
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
        for (kind, n) in &other.left_out {
            *self.left_out.entry(kind).or_default() += n;
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
                Item::Comment(lines) if lines.iter().all(|line| line.trim().is_empty()) => {}
                Item::Comment(lines) => {
                    imported.text.push_str(if imported.text.is_empty() { "" } else { "\n" });
                    write_comments(&lines, &mut imported.text);
                }
            }
        }
    }
    imported
}
