//! EPD: four fields of a FEN and operations, each an opcode with operands, closed by a semicolon.

use crate::import::chess_text::{ChessPosition, NumberedLine, fen_fields, read_move, read_position};
use crate::import::entry::{Answer, BoardText, Entry};
use crate::import::notice::Item;
use crate::import::reader::Reader;
use crate::import::record::{Boundary, Record};
use cpz_text::syntax::GameId;

/// The reader.
pub(super) struct Epd;

/// The longest mate that a query may ask for.
const MAX_MOVES: u32 = 30;

/// What the operations of a line say.
#[derive(Default)]
struct Operations<'r> {
    id: Option<&'r str>,
    /// The mate distance of `bm #3` or `dm 3`, in moves of the side that mates; negative if the mover is mated.
    mate: Option<i32>,
    /// The half moves of `hm`.
    helpmate: Option<u32>,
    best: Vec<&'r str>,
    line: Vec<&'r str>,
    counters: [Option<&'r str>; 2],
    notes: Vec<String>,
}

impl Reader for Epd {
    fn boundary(&self) -> Boundary {
        Boundary::Line
    }

    fn read(&self, record: &Record) -> Vec<Item> {
        let line = record.text.trim();
        if line.is_empty() || line.starts_with(['#', ';', '%']) {
            return Vec::new();
        }
        let mut words = Vec::new();
        let mut rest = line;
        while words.len() < 6 {
            let word = rest.split_whitespace().next().unwrap_or_default();
            let mut more = words.clone();
            more.push(word);
            if word.is_empty() || fen_fields(&more) < more.len() {
                break;
            }
            words = more;
            rest = rest.trim_start().strip_prefix(word).unwrap_or_default();
        }
        match read_position(&words) {
            _ if words.is_empty() => vec![Item::skipped(record, 0, "no position begins here")],
            Err(why) => vec![Item::skipped(record, 0, why)],
            Ok(position) => vec![Item::puzzle(puzzle(&position, &operations(rest)))],
        }
    }
}

/// The operations of a line. What is no operation is a note.
fn operations(text: &str) -> Operations<'_> {
    let mut found = Operations::default();
    for operation in split_operations(text) {
        let (opcode, operand) = operation.split_once(char::is_whitespace).unwrap_or((operation, ""));
        let operand = operand.trim();
        let plain = operand.trim_matches('"').trim();
        let number = || plain.parse::<i32>().ok();
        match opcode.trim_end_matches(':') {
            "id" => found.id = Some(plain),
            "bm" if plain.starts_with('#') => match plain[1..].trim().parse() {
                Ok(n) => found.mate = Some(n),
                Err(_) => found.notes.push(operation.to_string()),
            },
            "bm" => found.best = plain.split([' ', ',']).filter(|w| !w.is_empty()).collect(),
            "dm" if number().is_some() => found.mate = number(),
            "hm" if plain.parse::<u32>().is_ok() => found.helpmate = plain.parse().ok(),
            "pv" | "PV" | "pm" => found.line = plain.split_whitespace().collect(),
            "hmvc" => found.counters[0] = Some(plain),
            "fmvn" => found.counters[1] = Some(plain),
            "c0" | "c1" | "c2" | "c3" | "c4" | "c5" | "c6" | "c7" | "c8" | "c9" => {
                found.notes.push(plain.to_string());
            }
            _ => found.notes.push(operation.to_string()),
        }
    }
    found
}

/// Splits operations at semicolons outside of quotes.
fn split_operations(text: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    let parts = text.split(move |c| {
        quoted ^= c == '"';
        c == ';' && !quoted
    });
    parts.map(str::trim).filter(|part| !part.is_empty())
}

fn puzzle(read: &ChessPosition, operations: &Operations<'_>) -> Entry {
    let mut fen = read.fen.clone();
    if let [Some(halfmoves), Some(number)] = operations.counters
        && fen.split(' ').count() == 4
    {
        fen = format!("{fen} {halfmoves} {number}");
    }
    let mut entry = Entry::new(GameId::Chess, BoardText::Inline(fen));
    if let Some(id) = operations.id {
        entry.word("id", id);
    }
    let mut best = operations.best.clone();
    if let Some(plies) = operations.helpmate.filter(|&plies| plies > 0 && plies <= 2 * MAX_MOVES) {
        let half = if plies % 2 == 1 { ".5" } else { "" };
        entry.ask(format!("helpmate in {}{half}", plies / 2), None);
    } else if let Some(mate) = operations.mate {
        match u32::try_from(mate) {
            Ok(n @ 1..=MAX_MOVES) => ask_mate(&mut entry, read, n, operations),
            Ok(n) => entry.keep("mate distance", &format!("mate in {n}")),
            Err(_) => {
                entry.keep("mate distance", &format!("the side to move is mated in {}", mate.unsigned_abs()));
                ask_line(&mut entry, read, &operations.line);
            }
        }
    } else if !operations.line.is_empty() {
        ask_line(&mut entry, read, &operations.line);
    } else if let [only] = best[..] {
        ask_line(&mut entry, read, &[only]);
        best.clear();
    }
    if !best.is_empty() {
        entry.keep("best move", &format!("best: {}", best.join(", ")));
    }
    for note in &operations.notes {
        entry.keep("note", note);
    }
    entry
}

/// Asks for a mate. A line that the file prints is its written answer where it mates in time.
fn ask_mate(entry: &mut Entry, read: &ChessPosition, moves: u32, operations: &Operations<'_>) {
    let question = format!("mate in {moves}");
    let replayed = replay(read, &operations.line);
    let mates = |line: &NumberedLine| line.text.ends_with('#') && line.plies == 2 * moves as usize - 1;
    match replayed {
        Ok(line) if mates(&line) => entry.ask(question, Some(Answer::Text(line.text))),
        Ok(line) if line.plies == 0 => entry.ask(question, best_as_answer(read, &operations.best)),
        _ => {
            entry.ask(question, None);
            entry.keep("line", &format!("line: {}", operations.line.join(" ")));
        }
    }
}

fn best_as_answer(read: &ChessPosition, best: &[&str]) -> Option<Answer> {
    let moves: Vec<String> = best.iter().map(|text| text.to_string()).collect();
    let all_legal = best.iter().all(|text| read_move(&read.position, text).is_ok());
    match moves.len() {
        _ if !all_legal => None,
        0 => None,
        1 => Some(Answer::Words(moves[0].clone())),
        _ => Some(Answer::List(moves)),
    }
}

/// Writes a line of moves as `line`; as a note where it cannot be replayed.
fn ask_line(entry: &mut Entry, read: &ChessPosition, moves: &[&str]) {
    match replay(read, moves) {
        Ok(line) if line.plies > 0 => entry.ask("line", Some(Answer::Words(line.text))),
        Ok(_) => {}
        Err(why) => entry.keep("line", &format!("line: {} ({why})", moves.join(" "))),
    }
}

fn replay(read: &ChessPosition, moves: &[&str]) -> Result<NumberedLine, String> {
    let mut line = NumberedLine::new(read.position.clone());
    for text in moves.iter().filter(|text| text.trim_end_matches('.').parse::<u32>().is_err()) {
        let text = text.rsplit('.').next().unwrap_or(text);
        if !text.is_empty() {
            line.push(read_move(&line.position, text)?);
        }
    }
    Ok(line)
}
