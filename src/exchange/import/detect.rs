//! Recognising a format by the name and the beginning of a file.

use crate::exchange::import::chess_text::fen_fields;
use crate::exchange::import::format::Format;
use crate::exchange::import::json::is_json;

/// The format of a file: by what it begins with, and by its name where that leaves several.
pub fn detect(name: &str, head: &str) -> Option<Format> {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension).to_ascii_lowercase();
    let lines = || head.lines().map(str::trim).filter(|line| !line.is_empty());
    if lines().next()?.starts_with("PuzzleId,") || lines().take(3).any(is_lichess_row) {
        return Some(Format::Lichess);
    }
    if is_json(head) {
        return Some(Format::Json);
    }
    if lines().take(200).any(is_pgn_tag) {
        return Some(Format::Pgn);
    }
    let mut positions = lines().filter(|line| !line.starts_with(['#', '%', ';']));
    let first = positions.next().unwrap_or_default();
    let words: Vec<&str> = first.split_whitespace().take(6).collect();
    if fen_fields(&words) >= 2 || fen_fields(&words) == 1 && first.split_whitespace().count() == 1 {
        let is_epd = extension == "epd" || lines().take(20).any(has_operation);
        return Some(if is_epd { Format::Epd } else { Format::Fen });
    }
    match extension.as_str() {
        "epd" => Some(Format::Epd),
        "pgn" => Some(Format::Pgn),
        "fen" => Some(Format::Fen),
        "json" | "jsonl" => Some(Format::Json),
        _ => None,
    }
}

/// Whether a line has an operation of EPD behind four fields.
fn has_operation(line: &str) -> bool {
    const OPCODES: [&str; 14] =
        ["bm", "am", "dm", "id", "pv", "PV:", "c0", "acd", "acn", "ce", "hm", "hmvc", "fmvn", "pm"];
    let words: Vec<&str> = line.split_whitespace().collect();
    let fields = fen_fields(&words);
    fields >= 4 && words.get(fields).is_some_and(|word| OPCODES.contains(word))
}

/// Whether a line is a tag of PGN, one of those that every game has or that a position needs.
fn is_pgn_tag(line: &str) -> bool {
    let Some(tag) = line.strip_prefix('[') else { return false };
    ["Event ", "FEN ", "White ", "SetUp ", "Site "].iter().any(|name| tag.trim_start().starts_with(name))
        && tag.contains('"')
}

fn is_lichess_row(line: &str) -> bool {
    let fields: Vec<&str> = line.split(',').collect();
    let is_uci = |text: &str| text.len() >= 4 && text.as_bytes()[1].is_ascii_digit();
    fields.len() >= 8
        && fen_fields(&fields[1].split_whitespace().collect::<Vec<_>>()) >= 4
        && fields[2].split_whitespace().all(is_uci)
}
