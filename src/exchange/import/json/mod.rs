//! What `cpz export --to json` and `--to jsonl` write, also if another program has written it anew.
//!
//! Verified answers, verdicts and places are not read: cpz works them out again.

mod puzzle;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value as Json;

use crate::import::chess_text::{fen_fields, is_fen_field, read_position};
use crate::import::entry::{Answer, BoardText, Entry, Value, push_string};
use crate::import::notice::Item;
use crate::import::reader::Reader;
use crate::import::record::{Boundary, Record};
use cpz_rules::games::game;
use cpz_text::syntax::{GameId, Puzzle, TokenKind, Verb, is_custom_name, parse};
use puzzle::{PuzzleJson, QueryJson};

/// The version of the documents that are read.
const VERSION: u64 = 1;

/// The reader.
pub(super) struct JsonPuzzles {
    /// Whether each line has a puzzle, as cpz writes them.
    by_lines: bool,
}

impl JsonPuzzles {
    /// The reader of a file that begins with `head`.
    pub fn new(head: &str) -> JsonPuzzles {
        let head = head.trim_start_matches('\u{FEFF}').trim_start();
        let (first, has_more) = head.split_once('\n').map_or((head, false), |(first, _)| (first, true));
        let first = first.trim().trim_end_matches(',');
        // A first line that is unfinished begins a document that is spread over lines, unless cpz wrote it. The line may be
        // longer than the head.
        let is_open = || serde_json::from_str::<IgnoredAny>(first).is_err_and(|error| error.is_eof());
        JsonPuzzles { by_lines: !has_more || first.len() > 1 && first.ends_with('[') || !is_open() }
    }
}

/// Whether a file begins with puzzles in JSON, with blanks between the signs or without.
pub(super) fn is_json(head: &str) -> bool {
    let first: String = head.chars().filter(|c| !c.is_whitespace() && *c != '\u{FEFF}').take(3).collect();
    let begins = ["{\"", "[{\""].iter().any(|signs| first.starts_with(signs));
    begins && ["\"board\"", "\"puzzles\"", "\"game\""].iter().any(|name| head.contains(name))
}

impl Reader for JsonPuzzles {
    fn boundary(&self) -> Boundary {
        if self.by_lines { Boundary::Line } else { Boundary::Whole }
    }

    fn read(&self, record: &Record) -> Vec<Item> {
        let text = record.text.trim().trim_start_matches('\u{FEFF}').trim_end_matches(',');
        if self.by_lines && matches!(text, "" | "[" | "]" | "]}") {
            return Vec::new();
        }
        // The first line of a document: its puzzles are on the lines behind it.
        let whole = match text.strip_suffix('[') {
            Some(_) if self.by_lines => format!("{text}]}}"),
            _ => text.to_string(),
        };
        match serde_json::from_str::<Document>(&whole) {
            Ok(document) => document.items(record),
            Err(error) => vec![Item::skipped(record, 0, format!("this is no puzzle in JSON: {error}"))],
        }
    }
}

/// What a record may hold.
#[derive(Deserialize)]
#[serde(untagged)]
enum Document {
    All { version: u64, puzzles: Vec<Json> },
    List(Vec<Json>),
    One(Json),
}

impl Document {
    fn items(self, record: &Record) -> Vec<Item> {
        let puzzles = match self {
            Document::All { version, .. } if version != VERSION => {
                let why =
                    format!("this is version {version} of the document; this cpz reads version {VERSION}");
                return vec![Item::skipped(record, 0, why)];
            }
            Document::All { puzzles, .. } | Document::List(puzzles) => puzzles,
            Document::One(puzzle) => vec![puzzle],
        };
        puzzles.into_iter().map(|puzzle| item(record, puzzle)).collect()
    }
}

fn item(record: &Record, puzzle: Json) -> Item {
    match PuzzleJson::read(puzzle).and_then(|puzzle| entry(&puzzle)) {
        Ok(entry) => Item::puzzle(entry),
        Err(why) => Item::skipped(record, 0, why),
    }
}

/// The puzzle.
///
/// # Errors
/// Why it is none.
fn entry(puzzle: &PuzzleJson) -> Result<Entry, String> {
    let game = GameId::ALL.iter().copied().find(|game| game.word() == puzzle.game);
    let game = game.ok_or_else(|| match puzzle.game.as_str() {
        "" => "it names no game".to_string(),
        other => format!("`{other}` is no game that cpz knows"),
    })?;
    let mut entry = Entry::new(game, BoardText::Inline(String::new()));
    entry.name = puzzle.name.clone();
    entry.comments.extend(puzzle.description.clone());
    if let Some(id) = &puzzle.id {
        entry.word("id", id);
    }
    entry.board = board(puzzle, &mut entry)?;
    rules(puzzle, &mut entry);
    descriptions(puzzle, &mut entry);
    for query in &puzzle.queries {
        ask(&mut entry, query);
    }
    custom(puzzle, &mut entry);
    for (name, value) in &puzzle.others {
        entry.keep("member", &format!("{name}: {}", plain(value)));
    }
    let mut text = String::new();
    entry.write(&mut text);
    let tree = parse(text);
    if tree.puzzles().count() != 1 || tree.root().children().count() != 1 {
        return Err("a text in it would end the puzzle".into());
    }
    let puzzle = tree.puzzles().next();
    let has_all = |puzzle: &Puzzle<'_>| {
        puzzle.boards().count() == 1
            && puzzle.queries().count() == entry.queries.len()
            && puzzle.properties().count() == entry.properties.len()
    };
    match puzzle.filter(has_all) {
        Some(_) if tree.errors().is_empty() => Ok(entry),
        Some(_) => Err("its text would not be read as a puzzle: a sign in it is at the wrong place".into()),
        None => Err("a text in it would be read as another part of the puzzle".into()),
    }
}

/// The board, with the properties that it needs.
///
/// # Errors
/// That there is none.
fn board(puzzle: &PuzzleJson, entry: &mut Entry) -> Result<BoardText, String> {
    if let Some(side) = puzzle.side.as_deref().filter(|side| !["white", "black"].contains(side)) {
        return Err(format!("`{side}` is no side: write `white` or `black`"));
    }
    let fields = [(&puzzle.castling, "castling", 2), (&puzzle.en_passant, "en_passant", 3)];
    for (value, name, field) in fields {
        if let Some(value) = value.as_deref().filter(|value| !is_fen_field(field, value)) {
            return Err(format!("`{value}` is no `{name}` of a FEN"));
        }
    }
    let fen = puzzle.board.fen.as_deref().map(str::trim).filter(|fen| !fen.is_empty());
    match (entry.game, fen, &puzzle.board.rows) {
        (GameId::Chess, Some(fen), _) => {
            let fields: Vec<&str> = fen.split_whitespace().collect();
            let read = fen_fields(&fields);
            if let Some(word) = fields.get(read) {
                return Err(format!("`{word}` is no part of a FEN"));
            }
            read_position(&fields)?;
            Ok(BoardText::Inline(chess_fen(puzzle, entry, fen)))
        }
        (GameId::Draughts, Some(fen), _) => Ok(BoardText::Inline(format!("\"{}\"", fen.replace('"', "")))),
        (GameId::Solitaire, Some(fen), None) => {
            Ok(BoardText::Inline(format!("\"{}\"", fen.replace('"', ""))))
        }
        (_, _, Some(rows)) if rows.iter().any(|row| !row.trim().is_empty()) => {
            check_rows(rows)?;
            let width = rows.iter().map(|row| row.chars().count()).max().unwrap_or(0);
            // One row shows no size, and one column looks like one row.
            if entry.game == GameId::Solitaire && (rows.len() == 1 || width == 1) {
                entry.word("size", &format!("{width}x{}", rows.len()));
            }
            if let Some(side) = stated_side(puzzle) {
                entry.word("turn", side);
            }
            rights(puzzle, entry);
            Ok(BoardText::Rows(rows.clone()))
        }
        _ => match puzzle.board.written.as_deref().map(str::trim).filter(|text| !text.is_empty()) {
            Some(written) => Ok(BoardText::Inline(written.to_string())),
            None => Err("it has no board".into()),
        },
    }
}

/// Checks that rows are rows of cells.
///
/// # Errors
/// Which is none.
fn check_rows(rows: &[String]) -> Result<(), String> {
    let is_cell = |c: char| !c.is_whitespace() && !c.is_control() && !"\"'(){}[],/".contains(c);
    let width = |row: &String| row.chars().count();
    for (index, row) in rows.iter().enumerate() {
        if let Some(c) = row.chars().find(|&c| !is_cell(c)) {
            return Err(format!(
                "row {} of its board has `{}`, which is no cell",
                index + 1,
                c.escape_debug()
            ));
        }
        if width(row) != width(&rows[0]) {
            let (own, first) = (width(row), width(&rows[0]));
            return Err(format!(
                "row {} of its board has {own} cells, and the first one has {first}",
                index + 1
            ));
        }
    }
    Ok(())
}

/// A FEN with the fields that the puzzle states: a field that is not there says nothing, which is more than `-`.
fn chess_fen(puzzle: &PuzzleJson, entry: &mut Entry, fen: &str) -> String {
    let fields: Vec<&str> = fen.split_whitespace().collect();
    let is_stated = |name: &Option<String>| name.is_some();
    // A program that states nothing but a FEN means all of it.
    if puzzle.board.rows.is_none() && puzzle.side.is_none() {
        for (name, value, field) in [("castling", &puzzle.castling, 2), ("en-passant", &puzzle.en_passant, 3)]
        {
            match (value, fields.get(field)) {
                (Some(value), None) => entry.word(name, value),
                (Some(value), Some(own)) if own != value => entry.keep("member", &format!("{name}: {value}")),
                _ => {}
            }
        }
        return fields.join(" ");
    }
    let Some(side) = stated_side(puzzle) else {
        rights(puzzle, entry);
        return fields.first().copied().unwrap_or_default().to_string();
    };
    let side = if side == "black" { "b" } else { "w" };
    let placement = fields.first().copied().unwrap_or_default();
    match (&puzzle.castling, &puzzle.en_passant) {
        (Some(castling), Some(en_passant)) => {
            let counters = fields.get(4..).unwrap_or_default().join(" ");
            format!("{placement} {side} {castling} {en_passant} {counters}").trim_end().to_string()
        }
        (castling, en_passant) => {
            if is_stated(castling) || is_stated(en_passant) {
                rights(puzzle, entry);
            }
            format!("{placement} {side}")
        }
    }
}

/// Adds the rights as properties.
fn rights(puzzle: &PuzzleJson, entry: &mut Entry) {
    for (name, value) in [("castling", &puzzle.castling), ("en-passant", &puzzle.en_passant)] {
        if let Some(value) = value {
            entry.word(name, value);
        }
    }
}

/// The side to move where the puzzle seems to state it. White is to move where nothing does, and each problem begins with
/// the side of its own rule.
fn stated_side(puzzle: &PuzzleJson) -> Option<&'static str> {
    let side = match puzzle.side.as_deref() {
        Some("white") => "white",
        Some("black") => "black",
        _ => return None,
    };
    // What is made of another question has a side of its own.
    let derived = [Verb::Twin, Verb::SetPlay, Verb::Duplex].map(Verb::word);
    let own = || {
        let is_own = |q: &&QueryJson| q.verb.as_deref().is_none_or(|verb| !derived.contains(&verb));
        puzzle.queries.iter().filter(is_own)
    };
    let others = [Verb::Move, Verb::Mate, Verb::Line, Verb::Win, Verb::Draw, Verb::Capture].map(Verb::word);
    let is_problem = |q: &&QueryJson| q.verb.as_deref().is_some_and(|verb| !others.contains(&verb));
    let is_other = |q: &QueryJson| q.side.as_deref().is_some_and(|other| other != side);
    let has_other_problem = own().filter(is_problem).any(is_other);
    // Both rights are stated together by a FEN, which states the side too.
    let is_fen = puzzle.castling.is_some() && puzzle.en_passant.is_some();
    let has_other = || side == "white" && !is_fen && own().any(is_other);
    // With `half-duplex` the other side begins than the one that is stated.
    let is_other_side = puzzle.properties.get("half-duplex") == Some(&Json::Bool(true));
    let stated = match (side, is_other_side) {
        ("white", true) => "black",
        ("black", true) => "white",
        (side, _) => side,
    };
    (!has_other_problem && !has_other()).then_some(stated)
}

/// Adds the properties that rules depend on.
fn rules(puzzle: &PuzzleJson, entry: &mut Entry) {
    let default_origin = game(entry.game).format().origin;
    if let Some(origin) = puzzle.origin.filter(|&origin| origin != default_origin) {
        entry.word("origin", &origin.to_string());
    }
    if let Some(rules) = puzzle.rules.as_deref().filter(|rules| *rules != "default") {
        entry.word("rules", rules);
    }
    if puzzle.unique {
        entry.word("unique", "true");
    }
    match (puzzle.properties.get("solutions"), puzzle.solutions) {
        (Some(Json::String(counts)), _) => entry.word("solutions", counts),
        (_, Some(solutions)) => entry.word("solutions", &solutions.to_string()),
        _ => {}
    }
}

/// Adds the properties that describe the puzzle, each text as it is, with its blanks.
fn descriptions(puzzle: &PuzzleJson, entry: &mut Entry) {
    let properties = &puzzle.properties;
    let mut add = |name: &str, value: Value| entry.properties.push((name.to_string(), value));
    for name in ["author", "source", "note", "hint", "difficulty"] {
        match properties.get(name) {
            Some(Json::Array(texts)) => texts.iter().for_each(|text| add(name, Value::Text(plain(text)))),
            Some(text) => add(name, Value::Word(plain(text))),
            None => {}
        }
    }
    for (name, list) in [("tags", &puzzle.tags), ("allow", &puzzle.allow)] {
        if !list.is_empty() {
            add(name, Value::List(list.clone()));
        }
    }
    if let Some(condition) = properties.get("condition") {
        add("condition", Value::Text(plain(condition)));
    }
    for name in ["half-duplex", "zeroposition"] {
        if properties.get(name) == Some(&Json::Bool(true)) {
            entry.properties.push((name.to_string(), Value::Raw(String::new())));
        }
    }
    const KNOWN: [&str; 9] = [
        "author",
        "source",
        "note",
        "hint",
        "difficulty",
        "condition",
        "half-duplex",
        "zeroposition",
        "solutions",
    ];
    let known = |name: &str| is_custom_name(name) || KNOWN.contains(&name);
    for (name, value) in properties.iter().filter(|(name, _)| !known(name)) {
        entry.keep("property", &format!("{name}: {}", plain(value)));
    }
}

/// Adds the custom properties.
fn custom(puzzle: &PuzzleJson, entry: &mut Entry) {
    let properties = &puzzle.properties;
    for (name, value) in properties.iter().filter(|(name, _)| is_custom_name(name)) {
        let value = match value {
            Json::Array(_) | Json::Object(_) => Value::Raw(list(value)),
            other => Value::Word(plain(other)),
        };
        entry.properties.push((name.clone(), value));
    }
}

/// A value on one line.
fn plain(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// A list as the language writes it, each text in quotes.
fn list(value: &Json) -> String {
    match value {
        Json::Array(all) => format!("[{}]", all.iter().map(list).collect::<Vec<_>>().join(", ")),
        other => {
            let mut out = String::new();
            push_string(&mut out, &plain(other));
            out
        }
    }
}

/// Adds a question, or keeps it in a note where it cannot be one.
fn ask(entry: &mut Entry, query: &QueryJson) {
    let question = match (query.asked.as_deref().map(str::trim), query.verb.as_deref(), &query.length) {
        (Some(asked), ..) if !asked.is_empty() => asked.to_string(),
        (_, Some("mate-in"), Some(length)) => format!("mate in {length}"),
        (_, Some(verb @ ("selfmate" | "helpmate")), Some(length)) => format!("{verb} in {length}"),
        (_, Some(verb), _) => verb.to_string(),
        _ => return,
    };
    let keep =
        |entry: &mut Entry, what: &'static str, text: &str| entry.keep(what, &format!("{what}: {text}"));
    if !is_query(entry.game, &question, None, None) {
        keep(entry, "question", &question);
        query.written.iter().for_each(|written| keep(entry, "answer", written));
        return;
    }
    let remark = query.remark.as_deref().map(str::trim);
    let Some(written) = query.written.as_deref() else {
        return entry.ask(question, None);
    };
    let texts = [written.to_string(), format!("\"{written}\""), format!("'{written}'")];
    // Moves with spaces between them are a string, lists and single words stand as they are.
    let is_bare = written.starts_with('[') || !written.contains(char::is_whitespace);
    let order = if is_bare { [0, 1, 2] } else { [1, 2, 0] };
    let fits = |text: &&String| is_query(entry.game, &question, Some((text, written)), None);
    let Some(answer) = order.iter().map(|&i| &texts[i]).find(fits) else {
        keep(entry, "answer", written);
        return entry.ask(question, None);
    };
    let with_remark = remark.map(|remark| (format!("{} ({remark})", spaced(answer)), remark));
    match with_remark.filter(|(text, remark)| {
        is_query(entry.game, &question, Some((text, &spaced(written))), Some(remark))
    }) {
        Some((text, _)) => entry.ask(question, Some(Answer::Raw(text))),
        None => {
            entry.ask(question, Some(Answer::Raw(spaced(answer))));
            remark.iter().for_each(|remark| keep(entry, "remark", remark));
        }
    }
}

/// An answer with the blanks that the formatter sets in a list: behind a comma before a list, and otherwise as they are
/// written, each gap one blank.
fn spaced(answer: &str) -> String {
    if !answer.starts_with('[') || answer.contains("//") {
        return answer.to_string();
    }
    let mut out = String::with_capacity(answer.len());
    let mut quote = None;
    for c in answer.chars() {
        let is_gap = c.is_whitespace();
        match quote {
            Some(sign) => quote = (c != sign).then_some(sign),
            None if is_gap && out.ends_with(['[', ' ']) => continue,
            None if matches!(c, ']' | ',') => out.truncate(out.trim_end().len()),
            None if c == '[' && out.ends_with(',') => out.push(' '),
            None => quote = matches!(c, '"' | '\'').then_some(c),
        }
        out.push(if is_gap && quote.is_none() { ' ' } else { c });
    }
    out
}

/// Whether a text is one question, with an answer that is read as `written`, and a remark.
fn is_query(game: GameId, question: &str, answer: Option<(&str, &str)>, remark: Option<&str>) -> bool {
    let arrow = answer.map(|(text, _)| format!(" => {text}")).unwrap_or_default();
    let tree = parse(format!("{} {{\nboard 8\n{question}{arrow}\n}}", game.word()));
    let mut puzzles = tree.puzzles();
    let (Some(puzzle), None) = (puzzles.next(), puzzles.next()) else { return false };
    let mut queries = puzzle.queries();
    let (Some(query), None) = (queries.next(), queries.next()) else { return false };
    let text_of = |span: cpz_text::diagnostic::Span| &tree.text()[span.range()];
    let found = query.answer().map(|value| match value.scalar() {
        Some((content, _)) => content,
        None => text_of(value.span()),
    });
    let found_remark = query.node().tokens().find(|t| t.kind() == TokenKind::Remark).map(|t| t.text());
    tree.errors().is_empty()
        && puzzle.properties().next().is_none()
        && text_of(query.asked()) == question
        && found == answer.map(|(_, written)| written)
        && found_remark.map(|text| text[1..text.len() - 1].trim()) == remark
}
