//! Twins: problems that are made of another one by a small change.

use crate::import::popeye::men::{fairy, last_square, read_men};
use crate::import::popeye::tokens::Tokens;
use crate::import::popeye::words::{TwinWord, Words};
use crate::import::task::{Task, square, squares};
use cpz_rules::board::{Kind, Piece, Square, square_name};

/// Makes a twin: reads its changes and applies them to the problem, or to the twin before where it says `continued`.
///
/// All its words are read, whatever becomes of it.
///
/// # Errors
/// Why it cannot be made.
pub(in crate::import) fn make_twin(
    tokens: &mut Tokens<'_>,
    words: &Words,
    problem: &Task,
    before: Option<&Task>,
) -> Result<Task, String> {
    let mut task = problem.clone();
    let mut result = Ok(());
    if words.twin(tokens.peek()) == Some(TwinWord::Continued) {
        tokens.next();
        match before {
            Some(before) => task = before.clone(),
            None => result = Err("the twin before it cannot be made".to_string()),
        }
    }
    let mut changes = 0;
    loop {
        let changed = match words.twin(tokens.peek()) {
            Some(word) => {
                tokens.next();
                change(word, tokens, words, &mut task)
            }
            None => match arrows(tokens.peek(), words, &mut task) {
                Some(changed) => {
                    tokens.next();
                    changed
                }
                None => break,
            },
        };
        changes += 1;
        result = result.and(changed);
    }
    if changes == 0 && result.is_ok() {
        result = Err(format!("`{}` is no change of the position", tokens.peek()));
    }
    result.map(|()| task)
}

/// Reads the rest of a change and applies it.
fn change(word: TwinWord, tokens: &mut Tokens<'_>, words: &Words, task: &mut Task) -> Result<(), String> {
    match word {
        TwinWord::Move | TwinWord::Exchange | TwinWord::Shift => two_squares(word, tokens, task),
        TwinWord::Remove => {
            let mut found = Vec::new();
            while let Some(more) = squares(tokens.peek()) {
                tokens.next();
                found.extend(more);
            }
            if found.is_empty() {
                return Err(format!("`{}` is no square", tokens.next()));
            }
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
            "90" => task.transform(|x, y| (7 - y, x)),
            "180" => task.transform(|x, y| (7 - x, 7 - y)),
            "270" => task.transform(|x, y| (y, 7 - x)),
            other => Err(format!("`{other}` is no turn of the board by 90, 180 or 270 degrees")),
        },
        TwinWord::Mirror => mirror(tokens.next(), task),
        TwinWord::PolishType => {
            // `Polish type` is read too.
            if tokens.peek().eq_ignore_ascii_case("type") {
                tokens.next();
            }
            for cell in &mut task.board.cells {
                *cell = cell.map(|piece| Piece::new(piece.colour.other(), piece.kind));
            }
            Ok(())
        }
        TwinWord::Substitute => substitute(tokens, words, task),
        TwinWord::Stipulation => {
            task.stipulation = read_stipulation_words(tokens);
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

fn two_squares(word: TwinWord, tokens: &mut Tokens<'_>, task: &mut Task) -> Result<(), String> {
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
    if word == TwinWord::Shift {
        let (dx, dy) = (i16::from(to.x) - i16::from(from.x), i16::from(to.y) - i16::from(from.y));
        return task.transform(|x, y| (x + dx, y + dy));
    }
    let moved = task.at(from).ok_or_else(|| nothing_on(from))?;
    let other = task.at(to);
    if word == TwinWord::Exchange && other.is_none() {
        return Err(nothing_on(to));
    }
    task.put(from, other.filter(|_| word == TwinWord::Exchange));
    task.put(to, Some(moved));
    Ok(())
}

/// Mirrors the board; the text names the square that another one becomes: `a1<-->h1`.
fn mirror(text: &str, task: &mut Task) -> Result<(), String> {
    let ends = (text.get(..2).and_then(square), last_square(text));
    let name = |square: Square| square_name(square, false);
    let ends = match ends {
        (Some(first), Some(last)) => format!("{}{}", name(first), name(last)),
        _ => String::new(),
    };
    match ends.as_str() {
        "a1h1" | "h1a1" => task.transform(|x, y| (7 - x, y)),
        "a1a8" | "a8a1" => task.transform(|x, y| (x, 7 - y)),
        "a1h8" | "h8a1" => task.transform(|x, y| (7 - y, 7 - x)),
        "a8h1" | "h1a8" => task.transform(|x, y| (y, x)),
        _ => Err(format!("`{text}` is no mirror; it is named by two corners, such as `a1<-->h1`")),
    }
}

fn substitute(tokens: &mut Tokens<'_>, words: &Words, task: &mut Task) -> Result<(), String> {
    let read = |text: &str| -> Result<Kind, String> {
        let letter = text.chars().next().filter(|_| text.chars().count() == 1);
        letter.and_then(|letter| words.kind(letter)).ok_or_else(|| fairy(text))
    };
    let (from, to) = (read(tokens.next()), read(tokens.next()));
    let (from, to) = (from?, to?);
    for cell in &mut task.board.cells {
        *cell = cell.map(|piece| if piece.kind == from { Piece::new(piece.colour, to) } else { piece });
    }
    Ok(())
}

/// A change as Popeye prints it: `wRh1-->a5`, `a1<-->b2`, `-wPa2`, `+bSa1`. `None` if the word is none.
fn arrows(word: &str, words: &Words, task: &mut Task) -> Option<Result<(), String>> {
    if let Some((from, to)) = word.split_once("<-->") {
        let text = format!("{} {}", name(from)?, name(to)?);
        return Some(two_squares(TwinWord::Exchange, &mut Tokens::new(&text), task));
    }
    if let Some((from, to)) = word.split_once("-->") {
        let text = format!("{} {}", name(from)?, name(to)?);
        return Some(two_squares(TwinWord::Move, &mut Tokens::new(&text), task));
    }
    if let Some(man) = word.strip_prefix('-') {
        return Some(change(TwinWord::Remove, &mut Tokens::new(&name(man)?), words, task));
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
    let mut text = tokens.next().to_string();
    loop {
        let word = tokens.peek();
        let is_keyword =
            word.len() > 2 && (words.command(word).is_some() || in_twin && words.twin(word).is_some());
        if word.is_empty() || is_keyword {
            return text;
        }
        text = format!("{text} {}", tokens.next());
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
