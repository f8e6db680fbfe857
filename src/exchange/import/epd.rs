//! EPD: four fields of a FEN and operations, each an opcode with operands, closed by a semicolon.

use crate::import::chess_text::{ChessPosition, NumberedLine, fen_fields, read_move, read_position};
use crate::import::entry::{Answer, BoardText, Entry};
use crate::import::notice::{Item, ReadLine, items_of_position};
use crate::import::reader::Reader;
use crate::import::record::{Boundary, Record};
use cpz_rules::games::san;
use cpz_text::syntax::GameId;

/// The reader.
pub(super) struct Epd;

/// The longest mate that a query may ask for.
const MAX_MOVES: u32 = 30;

/// What the operations of a line say.
#[derive(Default)]
struct Operations<'r> {
    id: Option<&'r str>,
    name: Option<&'r str>,
    /// The mate distance of `bm #3` or `dm 3`, in moves of the side that mates; negative if the mover is mated.
    mate: Option<i32>,
    /// The half moves of `hm`.
    helpmate: Option<u32>,
    best: Vec<&'r str>,
    line: Vec<&'r str>,
    counters: [Option<&'r str>; 2],
    comments: Vec<&'r str>,
    /// What no puzzle has a place for.
    notes: Vec<String>,
}

impl Reader for Epd {
    fn boundary(&self) -> Boundary {
        Boundary::Position
    }

    fn read(&self, record: &Record) -> Vec<Item> {
        items_of_position(record, read_line)
    }
}

/// The puzzle of a line.
///
/// # Errors
/// Why it is none.
fn read_line(line: &str) -> Result<ReadLine<'_>, String> {
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
    if words.is_empty() {
        return Err("no position begins here".into());
    }
    // Without all four fields what follows is an operation only if it is a known one.
    let next = rest.split_whitespace().next().unwrap_or_default();
    if (1..4).contains(&words.len()) && !next.is_empty() && !is_opcode(next) {
        return Err(format!("`{next}` is neither a field of the position nor a known operation"));
    }
    let (read, operations) = (read_position(&words)?, operations(rest));
    let faults = illegal(&read, &operations);
    Ok((puzzle(&read, &operations), faults))
}

/// The best moves, and the first move of the line, that are none of the position, each with the reason.
fn illegal<'r>(read: &ChessPosition, operations: &Operations<'r>) -> Vec<(&'r str, String)> {
    let mut found: Vec<(&str, String)> = operations
        .best
        .iter()
        .filter_map(|&text| Some((text, read_move(&read.position, text).err()?)))
        .collect();
    if let Err(why) = replay(read, &operations.line) {
        found.push(why);
    }
    found
}

impl Operations<'_> {
    /// Whether another operation has said already what this one is for, and says otherwise or something else.
    fn have_said(&self, opcode: &str, operand: &str) -> bool {
        let is_other_mate = || {
            let number = operand.trim_start_matches(['#', ' ']).parse();
            self.mate.is_some_and(|known| number != Ok(known))
        };
        match opcode {
            "id" => self.id.is_some(),
            "name" => self.name.is_some(),
            "bm" if operand.starts_with('#') => is_other_mate(),
            "dm" => is_other_mate(),
            "bm" => !self.best.is_empty(),
            "hm" => self.helpmate.is_some(),
            "pv" | "PV" => !self.line.is_empty(),
            "hmvc" => self.counters[0].is_some(),
            "fmvn" => self.counters[1].is_some(),
            _ => false,
        }
    }
}

/// The operations of a line. What is no operation, or the second one of its kind, is a note.
fn operations(text: &str) -> Operations<'_> {
    let mut found = Operations::default();
    for operation in split_operations(text) {
        let (opcode, operand) = operation.split_once(char::is_whitespace).unwrap_or((operation, ""));
        let operand = operand.trim();
        let quoted = operand.strip_prefix('"').map(|text| text.strip_suffix('"').unwrap_or(text));
        let plain = quoted.unwrap_or(operand).trim();
        let number = || plain.parse::<i32>().ok();
        match opcode.trim_end_matches(':') {
            opcode if found.have_said(opcode, plain) => found.notes.push(operation.to_string()),
            "id" => found.id = Some(plain),
            "name" => found.name = Some(plain),
            "bm" if plain.starts_with('#') => match plain[1..].trim().parse() {
                Ok(n) => found.mate = Some(n),
                Err(_) => found.notes.push(operation.to_string()),
            },
            "bm" => found.best = plain.split([' ', ',']).filter(|w| !w.is_empty()).collect(),
            "dm" if number().is_some() => found.mate = number(),
            "hm" if plain.parse::<u32>().is_ok() => found.helpmate = plain.parse().ok(),
            "pv" | "PV" => found.line = plain.split_whitespace().collect(),
            "hmvc" if is_counter(plain) => found.counters[0] = Some(plain),
            "fmvn" if is_counter(plain) => found.counters[1] = Some(plain),
            "c0" | "c1" | "c2" | "c3" | "c4" | "c5" | "c6" | "c7" | "c8" | "c9" => {
                found.comments.push(plain);
            }
            _ => found.notes.push(operation.to_string()),
        }
    }
    found
}

/// Whether a word is one of the operations that engines and collections have.
pub(super) fn is_opcode(word: &str) -> bool {
    const OPCODES: [&str; 16] = [
        "bm", "am", "dm", "id", "name", "pv", "PV:", "acd", "acn", "acs", "ce", "hm", "hmvc", "fmvn", "pm",
        "sm",
    ];
    OPCODES.contains(&word) || matches!(word.as_bytes(), [b'c', b'0'..=b'9'])
}

/// Whether a text is a counter of a FEN.
fn is_counter(text: &str) -> bool {
    (1..=5).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit())
}

/// Splits operations at semicolons outside of quotes. A quote behind a backslash is one of the text, unless nothing follows it.
fn split_operations(text: &str) -> impl Iterator<Item = &str> {
    let (mut quoted, mut start, mut parts) = (false, 0, Vec::new());
    for (i, c) in text.char_indices() {
        let is_last = || matches!(text[i + 1..].trim_start().bytes().next(), None | Some(b';'));
        quoted ^= c == '"' && (!text[..i].ends_with('\\') || is_last());
        if c == ';' && !quoted {
            parts.push(&text[start..i]);
            start = i + 1;
        }
    }
    parts.push(&text[start..]);
    parts.into_iter().map(str::trim).filter(|part| !part.is_empty())
}

/// A text without the backslashes in front of its quotes.
fn unescaped(text: &str) -> String {
    text.replace("\\\"", "\"")
}

fn puzzle(read: &ChessPosition, operations: &Operations<'_>) -> Entry {
    let mut fen = read.fen.clone();
    let counters = operations.counters;
    let is_counted = counters.iter().any(Option::is_some);
    let is_short = fen.split(' ').count() == 4;
    if is_counted && is_short {
        fen = format!("{fen} {} {}", counters[0].unwrap_or("0"), counters[1].unwrap_or("1"));
    }
    let mut entry = Entry::new(GameId::Chess, BoardText::Inline(fen));
    entry.name = operations.name.map(unescaped);
    // An export repeats the name of a puzzle without an id, for programs that show only that.
    if let Some(id) = operations.id.filter(|id| operations.name != Some(id)) {
        entry.word("id", id);
    }
    if !is_short {
        let fields = read.fen.split(' ').skip(4);
        for (stated, (name, value)) in fields.zip(["hmvc", "fmvn"].into_iter().zip(counters)) {
            if let Some(value) = value.filter(|value| *value != stated) {
                entry.keep("note", &format!("{name} {value}"));
            }
        }
    }
    let mut best = operations.best.clone();
    let mut is_best_said = false;
    let helpmate = operations.helpmate.filter(|plies| (1..=2 * MAX_MOVES).contains(plies));
    let mate = operations.mate.and_then(|mate| u32::try_from(mate).ok());
    let mate = mate.filter(|moves| (1..=MAX_MOVES).contains(moves));
    if let Some(plies) = operations.helpmate.filter(|_| helpmate.is_none()) {
        entry.keep("mate distance", &format!("helpmate in {plies} half moves"));
    }
    if let Some(moves) = operations.mate.filter(|_| helpmate.is_some() || mate.is_none()) {
        let whose = if moves < 0 { "the side to move is mated in" } else { "mate in" };
        entry.keep("mate distance", &format!("{whose} {}", moves.unsigned_abs()));
    }
    if let Some(plies) = helpmate {
        let half = if plies % 2 == 1 { ".5" } else { "" };
        let answer = line_as_answer(&mut entry, read, &operations.line, plies as usize);
        entry.ask(format!("helpmate in {}{half}", plies / 2), answer);
    } else if let Some(moves) = mate {
        is_best_said = ask_mate(&mut entry, read, moves, operations);
    } else if !operations.line.is_empty() {
        is_best_said = ask_line(&mut entry, read, &operations.line, &best);
    } else if let [only] = best[..] {
        is_best_said = true;
        ask_line(&mut entry, read, &[only], &best);
    }
    if is_best_said {
        best.clear();
    }
    if !best.is_empty() {
        entry.keep("best move", &format!("best: {}", best.join(", ")));
    }
    operations.comments.iter().for_each(|comment| entry.note("note", &unescaped(comment)));
    for note in &operations.notes {
        entry.keep("note", note);
    }
    entry
}

/// A line that has so many half moves, as a written answer; another one is kept in a note.
fn line_as_answer(entry: &mut Entry, read: &ChessPosition, moves: &[&str], plies: usize) -> Option<Answer> {
    let turn = read.position.turn;
    let mut line = NumberedLine::new(read.position.clone());
    // With a half move more the side begins that reaches the goal.
    line.numbered = if plies.is_multiple_of(2) { turn } else { turn.other() };
    match replayed(line, moves) {
        Ok(line) if line.plies == plies => Some(Answer::Text(line.text)),
        Ok(line) if line.plies == 0 => None,
        _ => {
            entry.keep("line", &format!("line: {}", moves.join(" ")));
            None
        }
    }
}

/// Asks for a mate; whether its answer begins with the best moves. A line that the file prints is its written answer where
/// it mates in time or stops before.
fn ask_mate(entry: &mut Entry, read: &ChessPosition, moves: u32, operations: &Operations<'_>) -> bool {
    let question = format!("mate in {moves}");
    let replayed = replay(read, &operations.line);
    let mates = |line: &NumberedLine| line.text.ends_with('#') && line.plies == 2 * moves as usize - 1;
    // A solution may stop before the mate; one that mates too soon or too late, or begins otherwise, is none.
    let begins = |line: &NumberedLine| {
        (1..2 * moves as usize - 1).contains(&line.plies)
            && !line.text.ends_with('#')
            && (operations.best.is_empty() || is_first(read, &operations.best, line))
    };
    match replayed {
        Ok(line) if mates(&line) || begins(&line) => {
            let is_first = is_first(read, &operations.best, &line);
            entry.ask(question, Some(Answer::Text(line.text)));
            is_first
        }
        Ok(line) if line.plies == 0 => {
            let answer = best_as_answer(&operations.best);
            let is_said = answer.is_some();
            entry.ask(question, answer);
            is_said
        }
        Err(_) => {
            entry.ask(question, Some(Answer::Text(operations.line.join(" "))));
            operations.best == operations.line[..1]
        }
        Ok(_) => {
            entry.ask(question, None);
            entry.keep("line", &format!("line: {}", operations.line.join(" ")));
            false
        }
    }
}

/// Whether the only best move is the first of a line.
fn is_first(read: &ChessPosition, best: &[&str], line: &NumberedLine) -> bool {
    let name = |text: &str| read_move(&read.position, text).ok().map(|mv| san(&read.position, mv));
    matches!(best, [only] if line.first.is_some() && name(only) == line.first)
}

/// The best moves as an answer, whether they are legal or not: a check of the puzzle says what is wrong with one.
fn best_as_answer(best: &[&str]) -> Option<Answer> {
    let moves: Vec<String> = best.iter().map(|text| text.to_string()).collect();
    match moves.len() {
        0 => None,
        1 => Some(Answer::Words(moves[0].clone())),
        _ => Some(Answer::List(moves)),
    }
}

/// Writes a line of moves as `line`, as it stands where it cannot be replayed: a check of the puzzle says why. Whether it
/// begins with the best move.
fn ask_line(entry: &mut Entry, read: &ChessPosition, moves: &[&str], best: &[&str]) -> bool {
    match replay(read, moves) {
        Ok(line) if line.plies > 0 => {
            let is_first = is_first(read, best, &line);
            entry.ask("line", Some(Answer::Words(line.text)));
            return is_first;
        }
        Ok(_) => {}
        Err(_) => {
            entry.ask("line", Some(Answer::Words(moves.join(" "))));
            return best == &moves[..1];
        }
    }
    false
}

/// Plays a line.
///
/// # Errors
/// The word that is no move, and why.
fn replay<'r>(read: &ChessPosition, moves: &[&'r str]) -> Result<NumberedLine, (&'r str, String)> {
    replayed(NumberedLine::new(read.position.clone()), moves)
}

/// Makes moves at the end of a line.
fn replayed<'r>(mut line: NumberedLine, moves: &[&'r str]) -> Result<NumberedLine, (&'r str, String)> {
    for text in moves.iter().filter(|text| text.trim_end_matches('.').parse::<u32>().is_err()) {
        let text = text.rsplit('.').next().unwrap_or(text);
        if !text.is_empty() {
            line.push(read_move(&line.position, text).map_err(|why| (text, why))?);
        }
    }
    Ok(line)
}
