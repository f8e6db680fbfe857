//! A FEN on each line, with a name or a remark behind it.

use crate::import::chess_text::{fen_fields, read_position};
use crate::import::entry::{BoardText, Entry};
use crate::import::notice::Item;
use crate::import::reader::Reader;
use crate::import::record::{Boundary, Record};
use cpz_text::syntax::GameId;

/// The reader.
pub(super) struct Fen;

impl Reader for Fen {
    fn boundary(&self) -> Boundary {
        Boundary::Line
    }

    fn read(&self, record: &Record) -> Vec<Item> {
        let line = record.text.trim();
        if line.is_empty() || line.starts_with(['#', ';', '%']) || line.starts_with("//") {
            return Vec::new();
        }
        let words: Vec<&str> = line.trim_matches('"').split_whitespace().collect();
        let count = fen_fields(&words);
        if count == 0 {
            return vec![Item::skipped(record, 0, "no FEN begins here")];
        }
        let (fields, rest) = words.split_at(count);
        let entry = match read_position(fields) {
            Ok(read) => Entry::new(GameId::Chess, BoardText::Inline(read.fen)),
            Err(why) => match solitaire_board(fields[0]) {
                Some(board) => Entry::new(GameId::Solitaire, board),
                None => return vec![Item::skipped(record, 0, why)],
            },
        };
        vec![Item::puzzle(named(entry, &rest.join(" ")))]
    }
}

/// Names a puzzle by what stands behind its FEN.
fn named(mut entry: Entry, rest: &str) -> Entry {
    let rest = rest.trim_start_matches([';', '#', '-', ',', ':']).trim();
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
