//! A whole file of another program, with the puzzles made of it and the places from which they come.

use std::ops::Range;

use crate::import::entry::write_comments;
use crate::import::notice::{Item, Notice};
use crate::import::reader::Reader;
use crate::import::record::{Record, Records};
use cpz_check::parallel::*;
use cpz_text::diagnostic::Span;

/// The file that puzzles were made of.
#[derive(Debug, Default)]
pub struct Original {
    /// Its text, in UTF-8.
    pub text: String,
    parts: Vec<Part>,
    /// The end of the puzzles' text. Places behind it are those of the original, counted from here.
    end: usize,
}

/// A puzzle and the record that it comes from.
#[derive(Debug)]
struct Part {
    puzzle: Range<usize>,
    record: Range<usize>,
}

/// The puzzles of a whole file.
pub struct ImportedFile {
    /// The puzzles.
    pub text: String,
    /// The file that they were made of.
    pub original: Original,
    /// What could not be read.
    pub notices: Vec<Notice>,
}

/// Imports a whole file, so that what is found in its puzzles can be shown in the file.
///
/// # Errors
/// A message if the file cannot be split into records.
pub fn import_file(reader: &dyn Reader, bytes: &[u8]) -> Result<ImportedFile, String> {
    let mut input = bytes;
    let mut records = Records::without_limit(&mut input, reader.boundary());
    let mut all: Vec<Record> = Vec::new();
    while let Some(record) = records.next().map_err(|e| e.to_string())? {
        all.push(record);
    }
    let items: Vec<Vec<Item>> = all.par_iter().map(|record| reader.read(record)).collect();
    let mut file = ImportedFile { text: String::new(), original: Original::default(), notices: Vec::new() };
    for (record, items) in all.iter().zip(items) {
        for item in items {
            match item {
                Item::Notice(notice) => file.notices.push(notice),
                Item::Comment(lines) => {
                    file.text.push_str(if file.text.is_empty() { "" } else { "\n" });
                    write_comments(&lines, &mut file.text);
                }
                Item::Puzzle(entry) => {
                    if !file.text.is_empty() {
                        file.text.push('\n');
                    }
                    let start = file.text.len();
                    entry.write(&mut file.text);
                    let record = record.offset..record.offset + record.text.len();
                    file.original.parts.push(Part { puzzle: start..file.text.len(), record });
                }
            }
        }
    }
    file.original.text = all.iter().map(|record| record.text.as_str()).collect();
    file.original.end = file.text.len() + 1;
    Ok(file)
}

impl Original {
    /// The number of puzzles.
    pub fn puzzles(&self) -> usize {
        self.parts.len()
    }

    /// The span, among those of the puzzles, that stands for the line of a notice.
    pub fn span_of(&self, notice: &Notice) -> Span {
        let line = line_at(&self.text, notice.offset..self.text.len());
        Span::new((self.end + line.start) as u32, (self.end + line.end) as u32)
    }

    /// The place in the original of a span of the puzzles: the same words in the record, or else its first line.
    pub fn place(&self, puzzles: &str, span: Span) -> Span {
        if span.start as usize >= self.end {
            return Span::new(span.start - self.end as u32, span.end - self.end as u32);
        }
        let start = span.start as usize;
        let part = self.parts.partition_point(|part| part.puzzle.end <= start);
        let Some(part) = self.parts.get(part).or(self.parts.last()) else { return Span::at(0) };
        let found = self.same_words(puzzles, part, span.range());
        let found = found.unwrap_or_else(|| line_at(&self.text, part.record.clone()));
        Span::new(found.start as u32, found.end as u32)
    }

    /// What stands at a span: a part of the puzzles, or of the original where it is one of those.
    pub fn text_at<'t>(&'t self, puzzles: &'t str, span: Span) -> &'t str {
        match span.start as usize >= self.end {
            true => &self.text[self.place(puzzles, span).range()],
            false => &puzzles[span.range()],
        }
    }

    /// Where the words of a span stand in the record, or the letters of one word, such as a man in a FEN.
    fn same_words(&self, puzzles: &str, part: &Part, span: Range<usize>) -> Option<Range<usize>> {
        let whole = whole_word(puzzles, span.clone());
        let (before, len) = (span.start - whole.start, span.len());
        let found = self.same_phrase(puzzles, part, whole);
        let inside = found.map(|found| found.start + before..found.start + before + len);
        inside.or_else(|| self.same_phrase(puzzles, part, span))
    }

    /// Where the words of a span stand in the record: as often before it as in the item of the puzzle.
    fn same_phrase(&self, puzzles: &str, part: &Part, span: Range<usize>) -> Option<Range<usize>> {
        let wanted = puzzles.get(span.clone())?;
        if wanted.trim().is_empty() || wanted.contains('\n') || span.start < part.puzzle.start {
            return None;
        }
        let before = &puzzles[part.puzzle.start..span.start];
        // Items are indented by two blanks, what belongs to them by more.
        let item = before
            .match_indices("\n  ")
            .filter(|(i, _)| !before[i + 3..].starts_with(' '))
            .last()
            .map_or(0, |(i, _)| i);
        let earlier = words(&before[item..], wanted).count();
        let record = &self.text[part.record.clone()];
        let places: Vec<usize> = words(record, wanted).collect();
        let place = places.get(earlier).or(places.last())?;
        let start = part.record.start + place;
        Some(start..start + wanted.len())
    }
}

/// A span with the rest of the words that it begins and ends in.
fn whole_word(text: &str, span: Range<usize>) -> Range<usize> {
    let parts = |c: char| c.is_whitespace() || "'\"()[]{},".contains(c);
    let before = text[..span.start].rsplit(parts).next().map_or(0, str::len);
    let behind = text[span.end..].split(parts).next().map_or(0, str::len);
    span.start - before..span.end + behind
}

/// The places of a word or phrase in a text, not as a part of other words.
fn words<'t>(text: &'t str, wanted: &'t str) -> impl Iterator<Item = usize> + 't {
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    text.match_indices(wanted).map(|(at, _)| at).filter(move |&at| {
        let joins_before = is_letter(wanted.chars().next()) && is_letter(text[..at].chars().next_back());
        let joins_after =
            is_letter(wanted.chars().next_back()) && is_letter(text[at + wanted.len()..].chars().next());
        !joins_before && !joins_after
    })
}

/// The first line with something on it in a range of a text, without white space around it.
fn line_at(text: &str, range: Range<usize>) -> Range<usize> {
    let part = &text[range.start.min(text.len())..range.end.min(text.len())];
    let start = part.len() - part.trim_start().len();
    let line = part[start..].lines().next().unwrap_or_default().trim_end();
    range.start + start..range.start + start + line.len()
}
