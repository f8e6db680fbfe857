//! Splitting a stream into the records that are read one by one: lines, games, documents.

use crate::game_tags::is_read;
use std::borrow::Cow;
use std::io::{self, BufRead};
use std::sync::OnceLock;

use cpz_text::diagnostic::LineIndex;

/// The bytes that a record may have. A longer one is skipped and told.
pub(super) const MAX_RECORD: usize = 16 << 20;

/// A record: one entry of the file, or a few.
pub struct Record {
    /// Its text.
    pub text: String,
    /// Its first line, from 1.
    pub line: usize,
    /// Its first byte in the whole text, once that is UTF-8.
    pub offset: usize,
    /// Whether the record was longer than a record may be: the text is its beginning.
    pub cut: bool,
    /// Its lines, once a notice has asked: a record may have as many notices as lines.
    lines: OnceLock<LineIndex>,
}

impl Record {
    /// The line of one of its bytes, from 1 in the file.
    pub(super) fn line_at(&self, at: usize) -> usize {
        self.line + self.lines.get_or_init(|| LineIndex::new(&self.text)).line(at as u32) as usize
    }
}

/// Where records begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Boundary {
    /// Each line is a record.
    Line,
    /// Each line is a record, with the empty lines and the comments above it.
    Position,
    /// A line is a record, unless it has a quote that is still open.
    CsvRow,
    /// A game begins with the first tag after moves, as in PGN and PDN.
    Game,
    /// A document begins with `---`, as in YAML.
    Document,
    /// Empty lines part records, but a single line, such as a title, belongs to what follows it. A line of spaces is
    /// not empty.
    Block,
    /// A record ends with a line that begins with one of these words, in any case. Each has its shortest form, and the
    /// whole word.
    After(&'static [(&'static str, &'static str)]),
    /// The text is one record.
    Whole,
}

/// Splits a stream into records.
pub struct Records<'r> {
    input: &'r mut dyn BufRead,
    boundary: Boundary,
    encoding: Encoding,
    /// The next line, its terminator included; it begins a record.
    pending: String,
    line: usize,
    offset: usize,
    state: State,
    ended: bool,
    /// The bytes that a record may have.
    limit: usize,
}

/// What is known of the record that is being read.
#[derive(Default)]
struct State {
    /// Whether a game has tags already.
    has_tags: bool,
    /// Whether a game has moves already, or a comment behind its tags.
    has_moves: bool,
    /// The lines that are not empty.
    lines: usize,
    /// Whether a comment in braces is open.
    in_braces: bool,
    /// Whether the line above is empty.
    is_behind_empty: bool,
    /// Whether a quote is open.
    in_quotes: bool,
}

impl<'r> Records<'r> {
    /// The records of a stream.
    pub fn new(input: &'r mut dyn BufRead, boundary: Boundary) -> Records<'r> {
        Records {
            input,
            boundary,
            encoding: Encoding::default(),
            pending: String::new(),
            line: 1,
            offset: 0,
            state: State::default(),
            ended: false,
            limit: MAX_RECORD,
        }
    }

    /// The records of a text that is in memory already, whatever their length.
    pub fn without_limit(input: &'r mut dyn BufRead, boundary: Boundary) -> Records<'r> {
        Records { limit: usize::MAX, ..Records::new(input, boundary) }
    }

    /// The next record; `None` at the end.
    ///
    /// # Errors
    /// Those of the stream.
    pub fn next(&mut self) -> io::Result<Option<Record>> {
        let mut record = Record {
            text: String::new(),
            line: self.line,
            offset: self.offset,
            cut: false,
            lines: OnceLock::new(),
        };
        loop {
            if self.pending.is_empty() && !self.ended {
                self.ended = !self.read_line()?;
            }
            if self.pending.is_empty() {
                return Ok((!record.text.is_empty() || record.cut).then_some(record));
            }
            if (!record.text.is_empty() || record.cut) && self.begins_record() {
                self.state = State::default();
                return Ok(Some(record));
            }
            self.note_line();
            self.line += usize::from(self.pending.ends_with('\n'));
            self.offset += self.pending.len();
            if self.pending.len() > self.limit && !self.pending.ends_with('\n') {
                self.skip_line()?;
                // What the rest of the line closes is not known: nothing stays open.
                (self.state.in_quotes, self.state.in_braces) = (false, false);
            }
            match record.text.len() + self.pending.len() > self.limit {
                true => record.cut = true,
                false => record.text.push_str(&self.pending),
            }
            self.pending.clear();
            if self.is_record() {
                self.state = State::default();
                return Ok(Some(record));
            }
        }
    }

    /// Skips the rest of a line that is too long for a record: one line is one entry, and is told once.
    fn skip_line(&mut self) -> io::Result<()> {
        loop {
            let mut bytes = Vec::new();
            let has_end = read_to_end_of_line(self.input, 1 << 16, &mut bytes)?;
            self.offset += bytes.len();
            self.line += usize::from(has_end);
            if has_end || bytes.is_empty() {
                return Ok(());
            }
        }
    }

    /// Reads a line; false at the end.
    fn read_line(&mut self) -> io::Result<bool> {
        let mut bytes = Vec::new();
        let has_end = read_to_end_of_line(self.input, self.limit.saturating_add(1), &mut bytes)?;
        if bytes.is_empty() {
            return Ok(false);
        }
        // Old programs end lines with a carriage return alone.
        if has_end && bytes.ends_with(b"\r") {
            bytes.pop();
            bytes.push(b'\n');
        }
        if self.offset == 0 && self.line == 1 && bytes.starts_with(b"\xEF\xBB\xBF") {
            bytes.drain(..3);
        }
        self.pending = self.encoding.decode(bytes);
        if self.pending.is_empty() {
            return self.read_line();
        }
        Ok(true)
    }

    /// Whether the pending line begins another record than the one before it.
    fn begins_record(&self) -> bool {
        let line = self.pending.trim_start();
        match self.boundary {
            Boundary::Line => true,
            Boundary::Game => self.state.has_moves && self.state.is_at_tag(line),
            Boundary::Document => is_document_start(&self.pending),
            Boundary::Position
            | Boundary::CsvRow
            | Boundary::Block
            | Boundary::After(_)
            | Boundary::Whole => false,
        }
    }

    /// Whether the record ends with the line that was read last.
    fn is_record(&self) -> bool {
        match self.boundary {
            Boundary::Line => true,
            Boundary::CsvRow => !self.state.in_quotes,
            Boundary::Position | Boundary::Block | Boundary::After(_) => self.state.has_moves,
            Boundary::Game | Boundary::Document | Boundary::Whole => false,
        }
    }

    /// Notes what the pending line changes.
    fn note_line(&mut self) {
        let line = self.pending.trim();
        let state = &mut self.state;
        match self.boundary {
            Boundary::Game => {
                if state.is_at_tag(line) {
                    (state.in_braces, state.has_tags) = (false, true);
                    return;
                }
                state.is_behind_empty = line.is_empty();
                if line.starts_with('%') {
                    return;
                }
                // Comments above its tags belong to a game.
                state.has_moves |= state.has_tags && !line.is_empty();
                for c in line.bytes() {
                    match c {
                        b'}' => state.in_braces = false,
                        _ if state.in_braces => {}
                        b';' => break,
                        b'{' => state.in_braces = true,
                        _ => state.has_moves |= !c.is_ascii_whitespace(),
                    }
                }
            }
            Boundary::Position => state.has_moves = !is_comment(line),
            Boundary::CsvRow => {
                state.in_quotes ^= line.bytes().filter(|&b| b == b'"').count() % 2 == 1;
            }
            Boundary::Block => {
                let is_empty = self.pending.trim_end_matches(['\r', '\n']).is_empty();
                state.lines += usize::from(!is_empty);
                state.has_moves = is_empty && state.lines > 1;
            }
            Boundary::After(words) => {
                let first = line.split_whitespace().next().unwrap_or_default();
                state.has_moves = words.iter().any(|(shortest, whole)| {
                    let begins = |text: &str, start: &str| {
                        text.get(..start.len()).is_some_and(|s| s.eq_ignore_ascii_case(start))
                    };
                    begins(first, shortest) && begins(whole, first)
                });
            }
            Boundary::Line | Boundary::Document | Boundary::Whole => {}
        }
    }
}

/// Reads up to the end of a line, with the characters that end it, and at most `limit` bytes; whether the end was reached.
fn read_to_end_of_line(input: &mut dyn BufRead, limit: usize, line: &mut Vec<u8>) -> io::Result<bool> {
    loop {
        let bytes = input.fill_buf()?;
        let bytes = &bytes[..bytes.len().min(limit - line.len())];
        let end = bytes.iter().position(|b| matches!(b, b'\n' | b'\r'));
        let length = end.map_or(bytes.len(), |end| end + 1);
        line.extend_from_slice(&bytes[..length]);
        input.consume(length);
        match end {
            // A line feed behind a carriage return belongs to it, though it may be in the next part of the stream.
            Some(_) if line.ends_with(b"\r") && input.fill_buf()?.starts_with(b"\n") => {
                line.push(b'\n');
                input.consume(1);
                return Ok(true);
            }
            Some(_) => return Ok(true),
            None if length == 0 => return Ok(false),
            None => {}
        }
    }
}

/// A text whose lines end with a line feed, also where the file has a carriage return alone.
pub(super) fn with_line_feeds(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let is_alone = |&(at, byte): &(usize, &u8)| *byte == b'\r' && bytes.get(at + 1) != Some(&b'\n');
    match bytes.iter().enumerate().any(|place| is_alone(&place)) {
        true => text.replace("\r\n", "\n").replace('\r', "\n").into(),
        false => text.into(),
    }
}

/// A record of a position in parts: the comments above it, those that an empty line parts from each other apart, and the
/// line itself with its first byte. The last comments touch it, unless they are empty.
pub(super) struct PositionRecord<'r> {
    /// The comments, each without the sign that begins it.
    pub comments: Vec<Vec<String>>,
    /// Where the line of the position begins.
    pub at: usize,
    /// The line; empty behind the last position of a file.
    pub line: &'r str,
}

impl<'r> PositionRecord<'r> {
    /// Reads a record of [`Boundary::Position`].
    pub fn read(record: &'r Record) -> PositionRecord<'r> {
        let mut read = PositionRecord { comments: vec![Vec::new()], at: 0, line: "" };
        for line in record.text.split_inclusive('\n') {
            let text = line.trim();
            match text.trim_start_matches(['#', ';', '%', '/']).trim() {
                _ if !is_comment(text) => {
                    read.line = text;
                    return read;
                }
                "" if text.is_empty() => read.comments.push(Vec::new()),
                comment => read.comments.last_mut().into_iter().for_each(|c| c.push(comment.to_string())),
            }
            read.at += line.len();
        }
        read
    }
}

/// Whether a line of positions is empty or a comment.
pub(super) fn is_comment(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with(['#', ';', '%']) || line.starts_with("//")
}

impl State {
    /// Whether a line of a game begins with a tag.
    fn is_at_tag(&self, line: &str) -> bool {
        match self.in_braces {
            true => begins_game(line, self.is_behind_empty),
            false => is_tag(line),
        }
    }
}

/// Whether a line in a comment in braces begins a game, so that the comment was not closed: a tag behind an empty line, or one
/// that games have.
fn begins_game(line: &str, is_behind_empty: bool) -> bool {
    let name = || line[1..].split_whitespace().next().unwrap_or_default();
    is_tag(line) && (is_behind_empty || is_read(name()))
}

/// The length of the comment in braces that a text begins with, and whether it is closed. One that is not ends above the
/// next game.
pub(super) fn braces(text: &str) -> (usize, bool) {
    // Nearly all end on their line, which may be much longer than they are.
    if let Some(end) = text.find(['}', '\n']).filter(|&end| text.as_bytes()[end] == b'}') {
        return (end + 1, true);
    }
    let (mut at, mut is_behind_empty) = (0, false);
    for line in text.split_inclusive('\n') {
        if at > 0 && begins_game(line.trim(), is_behind_empty) {
            break;
        }
        if let Some(end) = line.find('}') {
            return (at + end + 1, true);
        }
        is_behind_empty = line.trim().is_empty();
        at += line.len();
    }
    (at, false)
}

fn is_tag(line: &str) -> bool {
    let Some(rest) = line.strip_prefix('[') else { return false };
    let name = rest.trim_start();
    name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.contains('"')
}

fn is_document_start(line: &str) -> bool {
    line.strip_prefix("---").is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\r', '\n']))
}

/// How bytes that are not UTF-8 are read: by what was seen so far, since nothing says it.
#[derive(Default)]
struct Encoding {
    /// High bytes beside another high byte: words of another alphabet.
    adjacent: usize,
    /// High bytes between others: accents.
    isolated: usize,
}

impl Encoding {
    fn decode(&mut self, bytes: Vec<u8>) -> String {
        String::from_utf8(bytes).unwrap_or_else(|error| {
            let bytes = error.into_bytes();
            let is_high = |i: usize| bytes.get(i).is_some_and(|b| *b >= 0xC0);
            for i in (0..bytes.len()).filter(|&i| is_high(i)) {
                match is_high(i + 1) || i > 0 && is_high(i - 1) {
                    true => self.adjacent += 1,
                    false => self.isolated += 1,
                }
            }
            let is_cyrillic = self.adjacent > 2 * self.isolated;
            let table: &[char] = if is_cyrillic { &WINDOWS_1251 } else { &WINDOWS_1252 };
            let letters = bytes.iter().map(|&b| match b {
                0..0x80 => char::from(b),
                0xC0.. if is_cyrillic => char::from_u32(0x410 + u32::from(b) - 0xC0).unwrap_or('?'),
                0xA0.. if !is_cyrillic => char::from(b),
                _ => table[usize::from(b) - 0x80],
            });
            letters.collect()
        })
    }
}

/// The characters of Windows-1252 from 0x80 to 0x9F; the rest is Latin-1.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž', '\u{8F}', '\u{90}',
    '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}', 'ž', 'Ÿ',
];

/// The characters of Windows-1251 from 0x80 to 0xBF; the letters from А to я follow.
const WINDOWS_1251: [char; 64] = [
    'Ђ', 'Ѓ', '‚', 'ѓ', '„', '…', '†', '‡', '€', '‰', 'Љ', '‹', 'Њ', 'Ќ', 'Ћ', 'Џ', 'ђ', '‘', '’', '“', '”',
    '•', '–', '—', '\u{98}', '™', 'љ', '›', 'њ', 'ќ', 'ћ', 'џ', '\u{A0}', 'Ў', 'ў', 'Ј', '¤', 'Ґ', '¦', '§',
    'Ё', '©', 'Є', '«', '¬', '\u{AD}', '®', 'Ї', '°', '±', 'І', 'і', 'ґ', 'µ', '¶', '·', 'ё', '№', 'є', '»',
    'ј', 'Ѕ', 'ѕ', 'ї',
];

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &[u8], boundary: Boundary) -> Vec<(usize, String)> {
        let mut input = text;
        let mut records = Records::new(&mut input, boundary);
        let next = || records.next().expect("no error in a slice").map(|r| (r.line, r.text));
        std::iter::from_fn(next).collect()
    }

    fn texts(text: &str, boundary: Boundary) -> Vec<(usize, String)> {
        split(text.as_bytes(), boundary)
    }

    #[test]
    fn every_byte_is_in_one_record() {
        let text = "[A \"1\"]\n\n1. e4 {\n[B \"x\"]\n} *\n[C \"2\"]\n*\n---\n\n\"a\nb\",c\n";
        let all = [
            Boundary::Line,
            Boundary::Position,
            Boundary::CsvRow,
            Boundary::Game,
            Boundary::Document,
            Boundary::Block,
        ];
        for boundary in all.into_iter().chain([Boundary::Whole, Boundary::After(&[("--", "---")])]) {
            let found: String = texts(text, boundary).into_iter().map(|r| r.1).collect();
            assert_eq!(found, text, "{boundary:?}");
        }
    }

    #[test]
    fn a_line_that_is_too_long_is_one_record() {
        for boundary in [Boundary::Line, Boundary::CsvRow] {
            let mut input = &b"short\n\"123456789012345678901234567890\"\nlast\n"[..];
            let mut records = Records { limit: 8, ..Records::new(&mut input, boundary) };
            let next = || records.next().expect("no error in a slice").map(|r| (r.line, r.cut));
            let found: Vec<_> = std::iter::from_fn(next).collect();
            assert_eq!(found, [(1, false), (2, true), (3, false)], "{boundary:?}");
        }
    }

    #[test]
    fn a_carriage_return_ends_a_line_in_any_part_of_a_stream() {
        for end in ["\n", "\r", "\r\n"] {
            let text = format!("[A \"1\"]{end}{end}1. e4 *{end}{end}[B \"2\"]{end}*{end}");
            for size in 1..text.len() {
                let mut input = std::io::BufReader::with_capacity(size, text.as_bytes());
                let mut records = Records::new(&mut input, Boundary::Game);
                let next = || records.next().expect("no error in a slice").map(|r| (r.line, r.offset));
                let found: Vec<_> = std::iter::from_fn(next).collect();
                assert_eq!(found, [(1, 0), (5, 14 + 4 * end.len())], "{end:?} {size}");
            }
        }
    }

    #[test]
    fn a_comment_belongs_to_the_position_below_it() {
        let positions = texts("# a\n\n8/8\n8/8\n; b\n", Boundary::Position);
        assert_eq!(positions.iter().map(|p| p.0).collect::<Vec<_>>(), [1, 4, 5]);
    }

    #[test]
    fn a_game_begins_with_a_tag_behind_moves() {
        let text = "[A \"1\"]\n\n1. e4 {\n[B \"x\"]\n} *\n\n[C \"2\"]\n*\n";
        let games = texts(text, Boundary::Game);
        assert_eq!(games.iter().map(|g| g.0).collect::<Vec<_>>(), [1, 7]);
    }

    #[test]
    fn a_comment_that_is_not_closed_ends_above_the_next_game() {
        for (text, lines) in [
            ("[A \"1\"]\n1. e4 {a\n\n[B \"2\"]\n1. e4 {b}\n\n[C \"3\"]\n", &[1, 4, 7][..]),
            ("[A \"1\"]\n1. e4 {a\n[White \"2\"]\n1. e4 *\n", &[1, 3]),
            ("; a\n{b\nc}\n% d\n\n[A \"1\"]\n1. e4 *\n{e}\n[B \"2\"]\n", &[1, 9]),
            ("{a\n\n[A \"1\"]\n1. e4 *\n[B \"2\"]\n", &[1, 5]),
            ("[A \"1\"]\n{a}\n[B \"2\"]\n; b\n[C \"2\"]\n", &[1, 3, 5]),
        ] {
            let games = texts(text, Boundary::Game);
            assert_eq!(games.iter().map(|g| g.0).collect::<Vec<_>>(), lines, "{text}");
        }
    }

    #[test]
    fn other_encodings_are_told_apart_by_their_letters() {
        let latin = split(b"L\xE1szl\xF3 Polg\xE1r\n", Boundary::Line);
        assert_eq!(latin[0].1, "László Polgár\n");
        let cyrillic = split(b"\xC8\xE2\xE0\xED\xEE\xE2\n", Boundary::Line);
        assert_eq!(cyrillic[0].1, "Иванов\n");
    }
}
