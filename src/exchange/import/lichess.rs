//! The puzzle database of Lichess: a row of CSV for each puzzle.
//!
//! The position of a row is one move early: its first move is that of the opponent, and the puzzle begins after it.

use crate::import::chess_text::{NumberedLine, fen_fields, fen_of, read_position};
use crate::import::entry::{Answer, BoardText, Entry, Value};
use crate::import::notice::Item;
use crate::import::reader::Reader;
use crate::import::record::{Boundary, Record};
use cpz_rules::games::{after_move, uci_with_san};
use cpz_text::syntax::GameId;

/// The columns that are read, in the order of files without a header.
const COLUMNS: [&str; 11] = [
    "PuzzleId",
    "FEN",
    "Moves",
    "Rating",
    "RatingDeviation",
    "Popularity",
    "NbPlays",
    "Themes",
    "GameUrl",
    "OpeningTags",
    "DailyDate",
];

/// What parts the fields: a comma, or what spreadsheets write in its place.
const SEPARATORS: [char; 3] = [',', ';', '\t'];

/// The reader.
pub(super) struct Lichess {
    /// What parts the fields of a row.
    separator: char,
    /// Where each of [`COLUMNS`] stands in a row.
    places: [Option<usize>; COLUMNS.len()],
    /// Other columns of the header, which are kept in notes: where they stand, and their names.
    others: Vec<(usize, String)>,
}

impl Lichess {
    /// The reader of a file that begins with `head`.
    pub fn new(head: &str) -> Lichess {
        let separator = separator(head).unwrap_or(',');
        let (header, places) = header(head, separator);
        if places[1].is_none() || places[2].is_none() {
            return Lichess { separator, places: std::array::from_fn(Some), others: Vec::new() };
        }
        let names = header.iter().enumerate().filter(|(place, _)| !places.contains(&Some(*place)));
        let others = names.map(|(place, name)| (place, name.trim().to_string())).collect();
        Lichess { separator, places, others }
    }
}

/// The fields of the first line, and where each of [`COLUMNS`] stands in it.
fn header(head: &str, separator: char) -> (Vec<std::borrow::Cow<'_, str>>, [Option<usize>; COLUMNS.len()]) {
    let first = head.trim_start_matches('\u{FEFF}').lines().next().unwrap_or_default();
    let header = fields(first, separator);
    let place = |name: &str| header.iter().position(|field| field.trim().eq_ignore_ascii_case(name));
    let places = COLUMNS.map(place);
    (header, places)
}

/// Whether a file begins with a header or with rows of the database, each field in quotes or not.
pub(super) fn has_rows(head: &str) -> bool {
    separator(head).is_some()
}

/// What parts the fields of a header or of rows of the database, if a file begins with them.
fn separator(head: &str) -> Option<char> {
    let lines = || head.lines().map(str::trim).filter(|line| !line.is_empty());
    SEPARATORS.into_iter().find(|&separator| {
        let (_, places) = header(head, separator);
        places[..3].iter().all(Option::is_some) || lines().take(3).any(|line| is_row(line, separator))
    })
}

fn is_row(line: &str, separator: char) -> bool {
    let fields = fields(line, separator);
    let is_uci = |text: &str| text.len() >= 4 && text.as_bytes()[1].is_ascii_digit();
    fields.len() >= 8
        && fen_fields(&fields[1].split_whitespace().collect::<Vec<_>>()) >= 4
        && fields[2].split_whitespace().all(is_uci)
}

/// A row by the names of its columns.
struct Row<'r> {
    fields: Vec<std::borrow::Cow<'r, str>>,
    columns: &'r Lichess,
}

impl Row<'_> {
    fn get(&self, column: &str) -> &str {
        let place = COLUMNS.iter().position(|name| *name == column).and_then(|i| self.columns.places[i]);
        place.and_then(|i| self.fields.get(i)).map_or("", |field| field.trim())
    }
}

impl Reader for Lichess {
    fn boundary(&self) -> Boundary {
        Boundary::CsvRow
    }

    fn read(&self, record: &Record) -> Vec<Item> {
        // A tab may part an empty field at the end.
        let text = record.text.trim_matches(|c: char| c.is_whitespace() && c != '\t');
        if text.trim().is_empty() {
            return Vec::new();
        }
        let row = Row { fields: fields(text, self.separator), columns: self };
        if row.get("FEN").eq_ignore_ascii_case("FEN") {
            return Vec::new();
        }
        match puzzle(&row) {
            Ok(entry) => vec![Item::puzzle(entry)],
            Err(why) => vec![Item::skipped(record, 0, why)],
        }
    }
}

fn puzzle(row: &Row<'_>) -> Result<Entry, String> {
    let fen: Vec<&str> = row.get("FEN").split_whitespace().collect();
    if fen.is_empty() {
        let columns = row.fields.len();
        let columns = if columns == 1 { "1 column".to_string() } else { format!("{columns} columns") };
        return Err(format!("this row has no position: it has {columns} of 9 to 11"));
    }
    let start = read_position(&fen)?;
    let mut moves = row.get("Moves").split_whitespace();
    let first = moves.next().ok_or("this row has no moves")?;
    let wrong = |text: &str| format!("`{text}` is not a legal move there");
    let (opening, _) = uci_with_san(&start.position, first).ok_or_else(|| wrong(first))?;
    let mut line = NumberedLine::new(after_move(&start.position, opening));
    let board = fen_of(&line.position);
    for text in moves {
        if !line.push_uci(text) {
            return Err(wrong(text));
        }
    }
    let mut entry = Entry::new(GameId::Chess, BoardText::Inline(board));
    entry.word("id", row.get("PuzzleId"));
    entry.word("source", row.get("GameUrl"));
    entry.word("x-rating", row.get("Rating"));
    let words = |text: &str| text.split_whitespace().map(str::to_string).collect::<Vec<_>>();
    let themes = words(row.get("Themes"));
    let mate = themes.iter().find_map(|theme| theme.strip_prefix("mateIn")?.parse::<usize>().ok());
    for (name, list) in [("tags", themes), ("x-opening", words(row.get("OpeningTags")))] {
        if !list.is_empty() {
            entry.properties.push((name.to_string(), Value::List(list)));
        }
    }
    entry.word("x-daily-date", row.get("DailyDate"));
    for (place, name) in &row.columns.others {
        if let Some(value) = row.fields.get(*place).filter(|value| !value.trim().is_empty()) {
            entry.keep("column", &format!("{name}: {}", value.trim()));
        }
    }
    match mate {
        Some(moves) if line.text.ends_with('#') && moves.checked_mul(2) == Some(line.plies + 1) => {
            entry.ask(format!("mate in {moves}"), Some(answer(&line)));
        }
        _ if line.plies > 0 => entry.ask("line", Some(Answer::Words(line.text))),
        _ => return Err("this row has no move of the solver".to_string()),
    }
    if !row.get("Popularity").is_empty() {
        entry.left_out.push("statistics (deviation of the rating, popularity, plays)");
    }
    Ok(entry)
}

/// The key alone for a mate in one, otherwise the line.
fn answer(line: &NumberedLine) -> Answer {
    match (&line.first, line.plies) {
        (Some(first), 1) => Answer::Words(first.clone()),
        _ => Answer::Text(line.text.clone()),
    }
}

/// The fields of a row of CSV.
fn fields(row: &str, separator: char) -> Vec<std::borrow::Cow<'_, str>> {
    if !row.contains('"') {
        return row.split(separator).map(Into::into).collect();
    }
    let mut fields = Vec::new();
    let mut rest = row;
    loop {
        match rest.strip_prefix('"') {
            None => {
                let end = rest.find(separator).unwrap_or(rest.len());
                fields.push(rest[..end].into());
                rest = &rest[end..];
            }
            Some(quoted) => {
                let (text, behind) = unquoted(quoted, separator);
                fields.push(text.into());
                rest = behind;
            }
        }
        match rest.strip_prefix(separator) {
            Some(next) => rest = next,
            None => return fields,
        }
    }
}

/// The text of a quoted field, in which a doubled quote is one, and what stands behind it.
fn unquoted(quoted: &str, separator: char) -> (String, &str) {
    let mut text = String::new();
    let mut rest = quoted;
    while let Some(end) = rest.find('"') {
        text.push_str(&rest[..end]);
        rest = &rest[end + 1..];
        match rest.strip_prefix('"') {
            Some(next) => {
                text.push('"');
                rest = next;
            }
            None => {
                // What stands between the closing quote and the separator belongs to the field all the same.
                let end = rest.find(separator).unwrap_or(rest.len());
                text.push_str(&rest[..end]);
                return (text, &rest[end..]);
            }
        }
    }
    text.push_str(rest);
    (text, "")
}
