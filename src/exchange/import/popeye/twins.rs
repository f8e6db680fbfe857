//! Twins: problems that are made of another one by a small change.

use crate::import::popeye::men::{fairy, last_square, read_men};
use crate::import::popeye::tokens::Tokens;
use crate::import::popeye::words::{TwinWord, Words};
use crate::import::task::{Task, question, read_stipulation, square, squares};
use cpz_rules::board::{Kind, Piece, Square, square_name};
use cpz_rules::games::Change;

/// A twin.
#[derive(Clone)]
pub(in crate::import) struct Twin {
    /// What it asks.
    pub task: Task,
    /// Its changes in the words of the language; none where one of them cannot be said.
    pub words: Option<Vec<String>>,
}

/// Makes a twin: reads its changes and applies them to the problem, or to the twin before, with its letter, where it says
/// `continued`.
///
/// All its words are read, whatever becomes of it.
///
/// # Errors
/// Why it cannot be made.
pub(in crate::import) fn make_twin(
    tokens: &mut Tokens<'_>,
    words: &Words,
    problem: &Task,
    before: Option<(&str, &Task)>,
) -> Result<Twin, String> {
    let mut task = problem.clone();
    let mut result = Ok(());
    let mut said = Some(Vec::new());
    if words.twin(tokens.peek()) == Some(TwinWord::Continued) {
        tokens.next();
        match before {
            // The first twin goes on from the diagram, which has no letter.
            Some(("", before)) => task = before.clone(),
            Some((letter, before)) => {
                task = before.clone();
                said = Some(vec![format!("from {letter}")]);
            }
            None => result = Err("the twin before it cannot be made".to_string()),
        }
    }
    let mut changes = 0;
    loop {
        let earlier = task.clone();
        let mut in_words = None;
        let changed = match words.twin(tokens.peek()) {
            Some(word) => {
                tokens.next();
                change(word, tokens, words, &mut task, &mut in_words)
            }
            None => match arrows(tokens.peek(), words, &mut task, &mut in_words) {
                Some(changed) => {
                    tokens.next();
                    changed
                }
                None => break,
            },
        };
        changes += 1;
        let in_words = in_words.or_else(|| added(&earlier, &task));
        said = said.zip(in_words).map(|(mut said, words)| {
            said.push(words);
            said
        });
        result = result.and(changed);
    }
    if changes == 0 && result.is_ok() {
        result = Err(format!("`{}` is no change of the position", tokens.peek()));
    }
    result.map(|()| Twin { task, words: said })
}

/// The men that were added, in words; none where something else was changed.
fn added(before: &Task, after: &Task) -> Option<String> {
    let is_new = |(square, piece): &(Square, Piece)| before.at(*square) != Some(*piece);
    let new: Vec<(Square, Piece)> = after.board.pieces().filter(is_new).collect();
    let is_only =
        before.board.count() + new.len() == after.board.count() && before.stipulation == after.stipulation;
    let words = new.iter().map(|(square, piece)| {
        format!("add {} {} {}", piece.colour.name(), piece.kind.name(), square_name(*square, false))
    });
    (is_only && before.changes == after.changes && !new.is_empty())
        .then(|| words.collect::<Vec<_>>().join(", "))
}

/// Reads the rest of a change, applies it, and says it in words where that is not the men that were added.
fn change(
    word: TwinWord,
    tokens: &mut Tokens<'_>,
    words: &Words,
    task: &mut Task,
    said: &mut Option<String>,
) -> Result<(), String> {
    match word {
        TwinWord::Move | TwinWord::Exchange | TwinWord::Shift => two_squares(word, tokens, task, said),
        TwinWord::Remove => {
            let mut found = Vec::new();
            while let Some(more) = squares(tokens.peek()) {
                tokens.next();
                found.extend(more);
            }
            if found.is_empty() {
                return Err(format!("`{}` is no square", tokens.next()));
            }
            let names: Vec<String> = found.iter().map(|&square| square_name(square, false)).collect();
            *said = Some(format!("remove {}", names.join(" ")));
            found.iter().try_for_each(|&square| match task.at(square) {
                None => Err(nothing_on(square)),
                Some(_) => {
                    task.put(square, None);
                    Ok(())
                }
            })
        }
        TwinWord::Add => {
            let mut problems = Vec::new();
            read_men(tokens, words, task, &mut problems);
            problems.into_iter().next().map_or(Ok(()), Err)
        }
        TwinWord::Rotate => match tokens.next() {
            angle @ ("90" | "180" | "270") => {
                *said = Some(format!("rotate {angle}"));
                Change::Rotate(angle.parse().unwrap_or(180)).apply(&mut task.board)
            }
            other => Err(format!("`{other}` is no turn of the board by 90, 180 or 270 degrees")),
        },
        TwinWord::Mirror => mirror(tokens.next(), task, said),
        TwinWord::PolishType => {
            // `Polish type` is read too.
            if tokens.peek().eq_ignore_ascii_case("type") {
                tokens.next();
            }
            *said = Some("swap colours".to_string());
            Change::SwapColours.apply(&mut task.board)
        }
        TwinWord::Substitute => substitute(tokens, words, task, said),
        TwinWord::Stipulation => {
            task.stipulation = read_stipulation_words(tokens);
            *said = read_stipulation(&task.stipulation).map(question);
            Ok(())
        }
        TwinWord::StructuredStipulation => {
            task.stipulation = tokens.rest_of_line().to_string();
            Ok(())
        }
        TwinWord::Condition => {
            task.changes.retain(|(kind, _)| *kind != "condition");
            let text = read_condition(tokens, words, true);
            task.changes.push(("condition", text));
            Ok(())
        }
        TwinWord::Continued => Err("`continued` must be the first word of a twin".to_string()),
    }
}

fn nothing_on(square: Square) -> String {
    format!("nothing stands on {}", square_name(square, false))
}

fn two_squares(
    word: TwinWord,
    tokens: &mut Tokens<'_>,
    task: &mut Task,
    said: &mut Option<String>,
) -> Result<(), String> {
    let read = |text: &str| square(text).ok_or_else(|| format!("`{text}` is no square"));
    // `a1b2` is read as two squares too.
    let (from, to) = match squares(tokens.peek()).as_deref() {
        Some(&[from, to]) => {
            tokens.next();
            (Ok(from), Ok(to))
        }
        _ => (read(tokens.next()), read(tokens.next())),
    };
    let (from, to) = (from?, to?);
    let (a, b) = (square_name(from, false), square_name(to, false));
    let (change, words) = match word {
        TwinWord::Shift => (Change::Shift(from, to), format!("shift {a} {b}")),
        TwinWord::Exchange => (Change::Exchange(from, to), format!("exchange {a} {b}")),
        _ => (Change::Move(from, to), format!("{a} to {b}")),
    };
    *said = Some(words);
    change.apply(&mut task.board)
}

/// Mirrors the board; the text names the square that another one becomes: `a1<-->h1`.
fn mirror(text: &str, task: &mut Task, said: &mut Option<String>) -> Result<(), String> {
    let ends = text.get(..2).and_then(square).zip(last_square(text));
    match ends.filter(|&(first, last)| Change::is_mirror(first, last)) {
        Some((first, last)) => {
            *said = Some(format!("mirror {} {}", square_name(first, false), square_name(last, false)));
            Change::Mirror(first, last).apply(&mut task.board)
        }
        None => Err(format!("`{text}` is no mirror; it is named by two corners, such as `a1<-->h1`")),
    }
}

fn substitute(
    tokens: &mut Tokens<'_>,
    words: &Words,
    task: &mut Task,
    said: &mut Option<String>,
) -> Result<(), String> {
    let read = |text: &str| -> Result<Kind, String> {
        let letter = text.chars().next().filter(|_| text.chars().count() == 1);
        letter.and_then(|letter| words.kind(letter)).ok_or_else(|| fairy(text))
    };
    // Popeye prints an arrow between the two, which may touch them.
    let first = tokens.next();
    let (first, behind) = first.split_once("==>").unwrap_or((first, ""));
    let second = match (behind, tokens.peek()) {
        ("", next) if next.starts_with("==>") => tokens.next().trim_start_matches("==>"),
        _ => behind,
    };
    let second = if second.is_empty() { tokens.next() } else { second };
    let (from, to) = (read(first)?, read(second)?);
    *said = Some(format!("substitute {} {}", from.name(), to.name()));
    Change::Substitute(from, to).apply(&mut task.board)
}

/// A change as Popeye prints it: `wRh1-->a5`, `a1<-->b2`, `-wPa2`, `+bSa1`; or as people write it for Olive: `Rh1-a5`,
/// `a1<->b2`. `None` if the word is none.
fn arrows(
    word: &str,
    words: &Words,
    task: &mut Task,
    said: &mut Option<String>,
) -> Option<Result<(), String>> {
    if let Some((from, to)) = word.split_once("<-->").or_else(|| word.split_once("<->")) {
        let text = format!("{} {}", name(from)?, name(to)?);
        return Some(two_squares(TwinWord::Exchange, &mut Tokens::new(&text), task, said));
    }
    let parts = ["-->", "->", "→", "-"].iter().find_map(|sign| word.split_once(sign));
    if let Some((from, to)) = parts.filter(|(from, _)| !from.is_empty()) {
        let text = format!("{} {}", name(from)?, name(to)?);
        return Some(two_squares(TwinWord::Move, &mut Tokens::new(&text), task, said));
    }
    if let Some(man) = word.strip_prefix('-') {
        return Some(change(TwinWord::Remove, &mut Tokens::new(&name(man)?), words, task, said));
    }
    let man = word.strip_prefix('+')?;
    let colour = match man.chars().next()? {
        'w' => "white",
        'b' | 's' | 'n' => "black",
        _ => return None,
    };
    let text = format!("{colour} {}", &man[1..]);
    let mut problems = Vec::new();
    read_men(&mut Tokens::new(&text), words, task, &mut problems);
    Some(problems.into_iter().next().map_or(Ok(()), Err))
}

fn name(man: &str) -> Option<String> {
    last_square(man).map(|square| square_name(square, false))
}

/// Reads a condition, which ends before the next command or change. It is a text that no query can say.
pub(super) fn read_condition(tokens: &mut Tokens<'_>, words: &Words, in_twin: bool) -> String {
    let begin = tokens.rest_from_next();
    let mut length = tokens.next().len();
    loop {
        let word = tokens.peek();
        let is_keyword = words.is_command(word) || in_twin && word.len() > 2 && words.twin(word).is_some();
        if word.is_empty() || is_keyword {
            // With the commas between its words.
            return begin[..length].split_whitespace().collect::<Vec<_>>().join(" ");
        }
        tokens.next();
        length = begin.len() - tokens.rest().len();
    }
}

/// Reads a stipulation, whose number may be a word of its own.
pub(super) fn read_stipulation_words(tokens: &mut Tokens<'_>) -> String {
    let mut text = tokens.next().to_string();
    let number = tokens.peek();
    let is_number = number.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    if is_number && !number.is_empty() && !text.ends_with(|c: char| c.is_ascii_digit()) {
        text.push_str(tokens.next());
    }
    text
}
