//! Men, as `pieces`, `forsyth` and the twins of Popeye name them.

use crate::import::popeye::tokens::Tokens;
use crate::import::popeye::words::{MenColour, Words};
use crate::import::task::{Task, square, squares};
use cpz_rules::board::{Colour, Piece, Square, square_name};

/// Popeye's fairy men with a name that could be a square: bouncers and grasshoppers. `G2b1` is one man on b1.
const NAMES_LIKE_SQUARES: [&str; 5] = ["b1", "b2", "b3", "g2", "g3"];

/// Reads men behind colours and puts them on the board. What is no orthodox man is told in `problems`.
pub(in crate::import) fn read_men(
    tokens: &mut Tokens<'_>,
    words: &Words,
    task: &mut Task,
    problems: &mut Vec<String>,
) {
    let mut groups = 0;
    while let Some(colour) = words.colour(tokens.peek()) {
        let name = tokens.next();
        groups += 1;
        let colour = match colour {
            MenColour::White => Some(Colour::White),
            MenColour::Black => Some(Colour::Black),
            MenColour::Neutral => None,
            MenColour::Invisible => {
                tokens.skip_number();
                problems.push(format!("`{name}` are men that are not shown"));
                continue;
            }
        };
        if colour.is_none() {
            problems.push("it has neutral men".to_string());
        }
        while words.is_attribute(tokens.peek()) {
            problems.push(format!("it has fairy men (`{}`)", tokens.next()));
        }
        read_group(tokens, words, colour, task, problems);
    }
    if groups == 0 {
        problems.push(format!("a colour must stand before men, not `{}`", tokens.peek()));
    }
}

/// Reads the men of one colour: a letter, then squares without a break.
fn read_group(
    tokens: &mut Tokens<'_>,
    words: &Words,
    colour: Option<Colour>,
    task: &mut Task,
    problems: &mut Vec<String>,
) {
    let mut last = String::new();
    loop {
        let before = tokens.start();
        let Some((name, squares)) = read_man(tokens, &last) else { return };
        if tokens.start() == before {
            return;
        }
        let letter = name.chars().next().filter(|_| name.len() == 1);
        match letter.and_then(|letter| words.kind(letter)) {
            Some(kind) => {
                for square in squares {
                    if task.at(square).is_some() {
                        task.replaced.push(square);
                    }
                    task.put(square, colour.map(|colour| Piece::new(colour, kind)));
                }
            }
            None => problems.push(fairy(&name)),
        }
        last = name;
    }
}

/// Why a man cannot stand where another one does.
pub(in crate::import) fn two_men(square: Square) -> String {
    format!("two men stand on {}", square_name(square, false))
}

/// Why a man cannot stand on a board of chess.
pub(in crate::import) fn fairy(name: &str) -> String {
    match name {
        "n" | "N" => "it has fairy men (`N` is a nightrider; knights are `S`)".to_string(),
        _ => format!("it has fairy men (`{name}`)"),
    }
}

/// Reads the next man and its squares, which may be a word of their own. `last` has the squares that stand alone.
fn read_man(tokens: &mut Tokens<'_>, last: &str) -> Option<(String, Vec<Square>)> {
    let word = tokens.peek();
    if !word.is_ascii() || word.is_empty() {
        return None;
    }
    let is_fairy = word.len() > 2 && NAMES_LIKE_SQUARES.contains(&word[..2].to_ascii_lowercase().as_str());
    if let (false, false, Some(squares)) = (is_fairy, last.is_empty(), squares(word)) {
        tokens.next();
        return Some((last.to_string(), squares));
    }
    // Hunters such as `R/Ba1` have a slash; other names have one letter, or two.
    let len = match word.contains('/') {
        true => word.len() - word.len().min(2),
        false => 2 - word.len() % 2,
    };
    let (name, rest) = word.split_at(len.min(word.len()));
    if !rest.is_empty() {
        let squares = squares(rest)?;
        tokens.next();
        return Some((name.to_string(), squares));
    }
    let mut ahead = Tokens::new(tokens.after_next());
    let squares = squares(ahead.next())?;
    tokens.next();
    tokens.next();
    Some((name.to_string(), squares))
}

/// Puts the men of a Forsyth notation on the board. A number of blank squares may go over several ranks, slashes may
/// be left out, and blank squares at the end may be left out.
pub(in crate::import) fn read_forsyth(
    text: &str,
    words: &Words,
    task: &mut Task,
    problems: &mut Vec<String>,
) {
    let mut chars = text.chars().peekable();
    let mut at = 0usize;
    while let Some(c) = chars.next() {
        match c {
            '/' if at.is_multiple_of(8) => {}
            '/' => {
                return problems.push("a rank of the Forsyth notation does not have 8 squares".to_string());
            }
            '0'..='9' => {
                let mut count = c.to_digit(10).unwrap_or(0);
                if let Some(digit) = chars.peek().and_then(|c| c.to_digit(10)) {
                    count = 10 * count + digit;
                    chars.next();
                }
                at += count as usize;
            }
            '=' | '+' | '-' | '.' => {
                problems.push("it has fairy men (`.` or a sign in the Forsyth notation)".to_string());
                return;
            }
            _ => match words.kind(c) {
                None => return problems.push(fairy(&c.to_string())),
                Some(kind) => {
                    let colour = if c.is_uppercase() { Colour::White } else { Colour::Black };
                    if at >= 64 {
                        return problems.push("the Forsyth notation has more than 64 squares".to_string());
                    }
                    let square = Square::new((at % 8) as u8, 7 - (at / 8) as u8);
                    task.put(square, Some(Piece::new(colour, kind)));
                    at += 1;
                }
            },
        }
    }
}

/// The square at the end of a man such as `wKa1`.
pub(in crate::import) fn last_square(text: &str) -> Option<Square> {
    text.get(text.len().checked_sub(2)?..).and_then(square)
}
