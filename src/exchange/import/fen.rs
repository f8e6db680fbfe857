//! A FEN on each line, with a name or a remark behind it.

use crate::import::chess_text::{check_next_field, fen_fields, read_position};
use crate::import::entry::{BoardText, Entry};
use crate::import::notice::{Item, ReadLine, items_of_position};
use crate::import::reader::Reader;
use crate::import::record::{Boundary, Record};
use cpz_text::syntax::GameId;
use std::borrow::Cow;

/// The reader.
pub(super) struct Fen;

impl Reader for Fen {
    fn boundary(&self) -> Boundary {
        Boundary::Position
    }

    fn read(&self, record: &Record) -> Vec<Item> {
        items_of_position(record, read_line)
    }
}

fn read_line(line: &str) -> Result<ReadLine<'_>, String> {
    Ok((puzzle(line)?, Vec::new()))
}

/// The puzzle of a line.
///
/// # Errors
/// Why it is none.
fn puzzle(line: &str) -> Result<Entry, String> {
    let line = line.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(line);
    let (number, line) = without_number(line);
    let line = &*set_apart(line);
    let words: Vec<&str> = line.split_whitespace().collect();
    let count = fen_fields(&words);
    if count == 0 {
        return Err("no FEN begins here".into());
    }
    check_next_field(&words)?;
    let fields = &words[..count];
    let rest = fields.iter().fold(line, |rest, field| rest.trim_start().strip_prefix(field).unwrap_or(rest));
    let entry = match read_position(fields) {
        Ok(read) => Entry::new(GameId::Chess, BoardText::Inline(read.fen)),
        // A side to move is one of chess.
        Err(why) if count > 1 => return Err(why),
        Err(why) => Entry::new(GameId::Solitaire, solitaire_board(fields[0]).ok_or(why)?),
    };
    let mut entry = named(entry, rest.trim());
    if let Some(number) = number {
        entry.name = Some(match entry.name {
            Some(name) => format!("{number}. {name}"),
            None => number.to_string(),
        });
    }
    Ok(entry)
}

/// The number in front of a FEN in a list, `1. ` or `1) `, and the rest of the line.
pub(super) fn without_number(line: &str) -> (Option<&str>, &str) {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let behind = line[digits..].strip_prefix(['.', ')']).filter(|_| (1..=6).contains(&digits));
    match behind.filter(|rest| rest.starts_with([' ', '\t'])) {
        Some(rest) => (Some(&line[..digits]), rest.trim_start()),
        None => (None, line),
    }
}

/// Puts a blank between the last field and a sign that touches it: `0 1; Name`.
fn set_apart(line: &str) -> Cow<'_, str> {
    let words = line.split_ascii_whitespace().take(6).skip(3);
    let mut touching = words.filter_map(|word| {
        let (field, _) = word.split_once([';', ',', ':', '|', '#'])?;
        let is_field = match field.as_bytes() {
            b"-" | [b'a'..=b'h', b'3' | b'6'] => true,
            digits => !digits.is_empty() && digits.iter().all(u8::is_ascii_digit),
        };
        // The word is a part of the line.
        is_field.then(|| word.as_ptr() as usize - line.as_ptr() as usize + field.len())
    });
    match touching.next() {
        Some(at) => format!("{} {}", &line[..at], &line[at..]).into(),
        None => line.into(),
    }
}

/// Names a puzzle by what stands behind its FEN, and behind the signs that part the two.
fn named(mut entry: Entry, rest: &str) -> Entry {
    // Once only: what stands behind a sign and a blank may begin with a sign itself.
    let rest =
        rest.strip_prefix("//").unwrap_or(rest).trim_start_matches([';', '#', '-', ',', ':', '|']).trim();
    match rest.chars().count() {
        0 => {}
        1..=60 => entry.name = Some(rest.to_string()),
        _ => entry.comments.push(rest.to_string()),
    }
    entry
}

/// The board of a FEN that is not 8×8: all its ranks have one width, and its pieces are those of chess.
fn solitaire_board(placement: &str) -> Option<BoardText> {
    let width = |rank: &str| -> Option<u32> {
        rank.chars().try_fold(0u32, |sum, c| match c.to_digit(10) {
            Some(n) => Some(sum + n),
            None => "KQRBNPkqrbnp".contains(c).then_some(sum + 1),
        })
    };
    let ranks: Vec<&str> = placement.split('/').collect();
    let first = width(ranks[0]).filter(|w| (1..=8).contains(w))?;
    let fits = ranks.len() <= 8 && ranks.iter().all(|rank| width(rank) == Some(first));
    fits.then(|| BoardText::Inline(format!("\"{placement}\"")))
}
