//! PDN: games of Russian draughts with a position of their own.
//!
//! The files import each other in this order: numbering < position < moves < this file.

mod moves;
mod numbering;
mod position;

use crate::game_tags::{AUTHOR_TAGS, each_once, is_read, says_something, several};
use crate::import::entry::{Answer, BoardText, Entry};
use crate::import::notice::Item;
use crate::import::reader::Reader;
use crate::import::record::{Boundary, Record, braces};
use cpz_rules::board::{Board, Colour, Rights};
use cpz_rules::games::{Dialect, Position};
use cpz_text::syntax::{GameId, is_custom_name};
use moves::{Movetext, Note, Replay, captures, read_movetext, replay};
use numbering::{Numbering, game_name, read_game_type};
use position::{WrittenPosition, WrittenSquare, board_text, has_man_at_home_of_kings, read_position};

/// The number of Russian draughts in a `GameType`.
const RUSSIAN: u32 = 25;

/// The reader.
pub(super) struct Pdn;

impl Reader for Pdn {
    fn boundary(&self) -> Boundary {
        Boundary::Game
    }

    fn read(&self, record: &Record) -> Vec<Item> {
        if record.text.trim().is_empty() {
            return Vec::new();
        }
        let game = read_game(&record.text);
        let is_only_a_result = game.tags.is_empty() && {
            let read = read_movetext(game.movetext);
            read.moves.is_empty() && read.notes.is_empty() && read.unread.is_empty()
        };
        if is_only_a_result {
            return Vec::new();
        }
        match puzzle(record, &game) {
            Ok(items) => items,
            Err(why) => vec![Item::skipped(record, game.at, why)],
        }
    }
}

/// A game: the comments above its tags, its tags and its moves.
struct Game<'r> {
    at: usize,
    comments: &'r str,
    tags: Vec<(&'r str, String)>,
    movetext: &'r str,
}

impl Game<'_> {
    fn tag(&self, name: &str) -> Option<&str> {
        let same = |(tag, _): &&(&str, String)| tag.eq_ignore_ascii_case(name);
        let value = self.tags.iter().find(same).map(|(_, value)| value.trim());
        value.filter(|value| says_something(value))
    }
}

/// Reads the tags at the beginning of a game.
fn read_game(text: &str) -> Game<'_> {
    let mut tags = Vec::new();
    let mut rest = text.trim_start();
    let at = text.len() - rest.len();
    while let Some(length) = comment(rest) {
        rest = rest[length..].trim_start();
    }
    // Without tags they are a part of the movetext.
    if !rest.starts_with('[') {
        rest = text.trim_start();
    }
    let comments = &text[at..text.len() - rest.len()];
    loop {
        if rest.starts_with('%') {
            rest = rest.find('\n').map_or("", |end| &rest[end..]).trim_start();
            continue;
        }
        let Some(inner) = rest.strip_prefix('[') else { break };
        let Some((name, behind)) = inner.split_once('"') else { break };
        let mut value = String::new();
        let mut chars = behind.char_indices();
        let mut end = behind.len();
        while let Some((at, c)) = chars.next() {
            match c {
                '\\' => value.extend(chars.next().map(|(_, c)| c)),
                '"' => {
                    end = at + 1;
                    break;
                }
                // The quote is not closed. The next line is another tag.
                '\n' => {
                    end = at;
                    break;
                }
                _ => value.push(c),
            }
        }
        tags.push((name.trim(), value));
        let line = behind[end..].split('\n').next().unwrap_or_default();
        let close = line.find(']').map_or(0, |at| at + 1);
        rest = behind[end + close..].trim_start();
    }
    Game { at, comments, tags, movetext: rest }
}

/// The length of the comment that a text begins with.
fn comment(text: &str) -> Option<usize> {
    match text.as_bytes().first()? {
        b'{' => Some(braces(text).0),
        b';' | b'%' => Some(text.find('\n').unwrap_or(text.len())),
        _ => None,
    }
}

/// A position by one numbering, with its line.
struct Reading {
    numbering: Numbering,
    board: Board,
    replay: Replay,
}

fn puzzle(record: &Record, game: &Game<'_>) -> Result<Vec<Item>, String> {
    let game_type = match game.tag("GameType") {
        None => None,
        Some(text) => Some(read_game_type(text).ok_or_else(|| format!("`{text}` is no GameType"))?),
    };
    if let Some(other) = game_type.filter(|t| t.game != RUSSIAN) {
        return Err(format!(
            "this is {} (GameType {}), whose rules are not those of Russian draughts",
            game_name(other.game),
            other.game
        ));
    }
    let fen = game.tag("FEN").ok_or("this game has no position of its own (no FEN tag)")?;
    let position = read_position(fen)?;
    let text = read_movetext(game.movetext);
    // Named squares are those of Russian draughts and of its relatives; the moves tell whether its rules hold.
    let is_named = text.moves.iter().all(|mv| !mv.squares.iter().any(WrittenSquare::is_number));
    if game_type.is_none() && position.has_numbers() && (text.moves.is_empty() || !is_named) {
        return Err("no GameType says which draughts this is; Russian draughts is 25".to_string());
    }
    let (reading, others) = readings(&position, &text, game_type.and_then(|t| t.numbering))?;
    let board = BoardText::Inline(board_text(&reading.board, position.turn));
    let mut entry = Entry::new(GameId::Draughts, board);
    write_tags(game, &mut entry);
    if game_type.is_none() {
        entry.keep("game", "no GameType is given; it was read as Russian draughts");
    }
    if others > 0 {
        let corner = reading.numbering.corner();
        entry.keep("numbering", &format!("the squares were read as numbered from the {corner}"));
    }
    let above = read_movetext(game.comments);
    for note in above.notes.iter().chain(&text.notes) {
        match note {
            Note::Comment { after: 0, text } => entry.note("comment", text),
            Note::Comment { after, text } => {
                let mv = numbered_word(&reading.replay.words, after - 1, position.turn);
                entry.keep("comment", &format!("{mv}: {text}"));
            }
            Note::Variation { after, text }
                if *after == 1 && is_other_capture(&reading, position.turn, text) => {}
            Note::Variation { text, .. } => entry.keep("variation", &format!("variation: {text}")),
        }
    }
    if !text.unread.is_empty() {
        entry.keep("words", &format!("not read: {}", text.unread.join(" ")));
    }
    ask(&mut entry, &reading, &text, position.turn);
    let mut items = vec![Item::puzzle(entry)];
    let movetext = record.text.len() - game.movetext.len();
    if let Some(wrong) = text.moves.get(reading.replay.legal) {
        let why = match reading.replay.must_capture {
            true => "a capture is possible, and must be made",
            false => "it is not possible",
        };
        items.push(Item::remark(record, movetext + wrong.at, format!("`{}` is illegal: {why}", wrong.text)));
    }
    if let Some(at) = text.open_comment.map(|at| movetext + at).or(above.open_comment.map(|at| game.at + at))
    {
        items.push(Item::remark(record, at, "a comment in braces is not closed"));
    }
    Ok(items)
}

/// The numbering by which a game is read, and how many others would do. Where `GameType` does not say it, the moves
/// decide; the position decides only where they do not.
///
/// # Errors
/// No numbering fits.
fn readings(
    position: &WrittenPosition,
    text: &Movetext,
    stated: Option<Numbering>,
) -> Result<(Reading, usize), String> {
    let has_numbers =
        position.has_numbers() || text.moves.iter().any(|mv| mv.squares.iter().any(WrittenSquare::is_number));
    let numberings = match (has_numbers, stated) {
        (false, _) => vec![Numbering::BottomLeft],
        (true, Some(stated)) => vec![stated],
        (true, None) => Numbering::ALL.to_vec(),
    };
    let is_choice = numberings.len() > 1;
    let mut first_error = None;
    let mut found = Vec::new();
    for numbering in numberings {
        match position.board(numbering) {
            Ok(board) => {
                let replay = replay(&board, position.turn, &text.moves, numbering);
                found.push(Reading { numbering, board, replay });
            }
            Err(why) => _ = first_error.get_or_insert(why),
        }
    }
    if is_choice {
        found.retain(|reading| reading.replay.legal == text.moves.len());
        if found.is_empty() {
            return Err(
                "the moves are possible by no numbering of the squares, and no GameType says which one it is"
                    .to_string(),
            );
        }
        if found.iter().any(|reading| !has_man_at_home_of_kings(&reading.board)) {
            found.retain(|reading| !has_man_at_home_of_kings(&reading.board));
        }
    }
    let others = if is_choice { found.len() } else { 0 };
    let first = found.into_iter().next();
    first.map(|reading| (reading, others)).ok_or_else(|| first_error.unwrap_or_default())
}

/// The name, the source and other tags.
fn write_tags(game: &Game<'_>, entry: &mut Entry) {
    // Where a tag of its own says it, the roster only repeats the title and the author.
    let is_repeated = |name: &str, value: &str| match name {
        "Event" => ["Title", "Id"].iter().any(|own| game.tag(own) == Some(value)),
        "White" => game.tag("Author") == Some(value),
        _ => false,
    };
    let get = |name: &str| game.tag(name).filter(|value| !is_repeated(name, value));
    let players = match (get("White"), get("Black")) {
        (Some(white), Some(black)) => Some(format!("{white} – {black}")),
        (one, other) => one.or(other).map(str::to_string),
    };
    // The games of an event have one name, so the players tell them apart.
    let heading = match (get("Event"), players) {
        (Some(event), Some(players)) => Some(format!("{event}: {players}")),
        (event, players) => event.map(str::to_string).or(players),
    };
    let mut titles = ["Title", "Name"].iter().filter_map(|name| game.tag(name));
    let title = titles.next().map(str::to_string);
    let other_title = titles.next().filter(|other| title.as_deref() != Some(other));
    let (name, heading) = if title.is_some() { (title, heading) } else { (heading, None) };
    entry.name = name;
    entry.word("id", game.tag("Id").unwrap_or_default());
    let authors = AUTHOR_TAGS.iter().filter_map(|name| game.tag(name));
    entry.texts("author", each_once(authors.flat_map(several)));
    let date = game.tag("Date").map(|date| date.trim_end_matches([' ', '.', '?']));
    let parts = heading.as_deref().into_iter().chain(game.tag("Site")).chain(game.tag("Source")).chain(date);
    // An export writes the sources of a list one behind the other.
    let source = match parts.collect::<Vec<_>>().as_slice() {
        [only] => several(only),
        parts => vec![parts.join(", ")],
    };
    entry.texts("source", source);
    entry.word("difficulty", game.tag("Difficulty").unwrap_or_default());
    entry.keep("tags", &other_title.map_or_else(String::new, |title| format!("Name: {title}")));
    for (i, (name, value)) in game.tags.iter().enumerate() {
        // The first one of its name was read.
        let mut earlier = game.tags[..i].iter().filter(|(other, _)| other.eq_ignore_ascii_case(name));
        if let Some((_, first)) = earlier.next() {
            if value != first && says_something(value.trim()) {
                entry.keep("tags", &format!("{name}: {value}"));
            }
            continue;
        }
        if is_read(name) || name.is_empty() || !says_something(value.trim()) {
            continue;
        }
        let property = format!("x-{}", name.to_lowercase());
        match is_custom_name(&property) {
            true => entry.word(&property, value),
            false => entry.keep("tags", &format!("{name}: {value}")),
        }
    }
}

/// Whether a variation beside the first move is another capture of the position, which the question `capture` has by itself.
fn is_other_capture(reading: &Reading, turn: Colour, text: &str) -> bool {
    let variation = read_movetext(text);
    let is_one_move = matches!(&variation.moves[..], [only] if only.marks.is_empty())
        && variation.notes.is_empty()
        && variation.unread.is_empty();
    reading.replay.begins_with_capture
        && is_one_move
        && replay(&reading.board, turn, &variation.moves, reading.numbering).begins_with_capture
}

/// Asks for the captures where the line begins with one, and for the line where it goes on. A mark has its place in the line.
fn ask(entry: &mut Entry, reading: &Reading, text: &Movetext, turn: Colour) {
    let words = &reading.replay.words;
    if reading.replay.begins_with_capture {
        entry.ask("capture", Some(Answer::Words(words[0].clone())));
    }
    let marked: Vec<String> =
        words.iter().zip(&text.moves).map(|(word, written)| format!("{word}{}", written.marks)).collect();
    if words.len() > 1 || words.len() == 1 && (!reading.replay.begins_with_capture || marked != *words) {
        entry.ask("line", Some(Answer::Words(numbered(&marked, turn))));
    }
    let position =
        Position { board: reading.board.clone(), turn, dialect: Dialect::Default, rights: Rights::default() };
    if words.is_empty() && !captures(&position).is_empty() {
        entry.ask("capture", None);
    }
}

/// Moves with numbers from 1.
fn numbered(words: &[String], turn: Colour) -> String {
    let word = |i: usize| match (i + usize::from(turn == Colour::Black)) % 2 {
        1 if i > 0 => words[i].clone(),
        _ => numbered_word(words, i, turn),
    };
    (0..words.len()).map(word).collect::<Vec<_>>().join(" ")
}

/// A move with its number.
fn numbered_word(words: &[String], index: usize, turn: Colour) -> String {
    let ply = index + usize::from(turn == Colour::Black);
    let dots = if ply.is_multiple_of(2) { "." } else { "..." };
    format!("{}{dots} {}", ply / 2 + 1, words[index])
}
