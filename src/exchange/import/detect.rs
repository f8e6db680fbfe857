//! Recognising a format by the name and the beginning of a file.

use crate::import::chess_text::fen_fields;
use crate::import::epd::is_opcode;
use crate::import::fen::without_number;
use crate::import::format::Format;
use crate::import::json::is_json;
use crate::import::record::{is_comment, with_line_feeds};
use crate::import::{lichess, popeye, solitaire};

/// The format of a file: by what it begins with, and by its name where that leaves several.
pub fn detect(name: &str, head: &str) -> Option<Format> {
    let head = &with_line_feeds(head);
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension).to_ascii_lowercase();
    let lines = || head.lines().map(str::trim).filter(|line| !line.is_empty());
    lines().next()?;
    if lichess::has_rows(head) {
        return Some(Format::Lichess);
    }
    if let Some(format) = problem_format(head) {
        return Some(format);
    }
    if is_json(head) {
        return Some(Format::Json);
    }
    if lines().take(200).any(is_draughts_tag) {
        return Some(Format::Pdn);
    }
    if lines().take(200).any(is_pgn_tag) {
        return Some(Format::Pgn);
    }
    let mut positions = lines().filter(|line| !is_comment(line));
    let first = positions.next().unwrap_or_default();
    // An object of another program, though the reader finds no game in it.
    if first.starts_with('{') && first.contains("\"fen\":") {
        return Some(Format::Json);
    }
    let (_, first) = without_number(first);
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
        "olv" => Some(Format::Olv),
        "inp" => Some(Format::Popeye),
        "pdn" => Some(Format::Pdn),
        _ => None,
    }
    .or_else(|| solitaire::has_boards(head).then_some(Format::Solitaire))
}

/// The format of chess problems: men by colour in YAML or JSON, or the word that begins a problem of Popeye.
fn problem_format(head: &str) -> Option<Format> {
    let is_board = |line: &str| {
        let key =
            line.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '-' | '{' | '[' | ',' | '"'));
        key.strip_prefix("algebraic").is_some_and(|rest| rest.trim_start_matches(['"', ' ']).starts_with(':'))
    };
    // JSON may be on one line.
    let has_key = |(at, key): (usize, &str)| {
        head[at + key.len()..]
            .trim_start()
            .strip_prefix(':')
            .is_some_and(|rest| rest.trim_start().starts_with('{'))
    };
    if head.lines().any(is_board) || head.match_indices("\"algebraic\"").any(has_key) {
        return Some(Format::Olv);
    }
    let mut words = head.lines().filter_map(|line| line.split_whitespace().next());
    words.any(popeye::begins_problem).then_some(Format::Popeye).filter(|_| popeye::has_men(head))
}

/// Whether a line is a tag that draughts alone have: the type of the game, or a FEN of draughts.
fn is_draughts_tag(line: &str) -> bool {
    let Some(tag) = line.strip_prefix('[') else { return false };
    let value = || tag.split('"').nth(1).unwrap_or_default();
    let tag = tag.trim_start();
    tag.starts_with("GameType ")
        || tag.starts_with("FEN ") && (value().starts_with("W:") || value().starts_with("B:"))
}

/// Whether a line has an operation of EPD behind four fields.
fn has_operation(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let fields = fen_fields(&words);
    fields >= 4 && words.get(fields).is_some_and(|word| is_opcode(word))
}

/// Whether a line is a tag of PGN, one of those that every game has or that a position needs.
fn is_pgn_tag(line: &str) -> bool {
    let Some(tag) = line.strip_prefix('[') else { return false };
    ["Event ", "FEN ", "White ", "SetUp ", "Site "].iter().any(|name| tag.trim_start().starts_with(name))
        && tag.contains('"')
}
