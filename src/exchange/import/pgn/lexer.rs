//! The tags and the movetext of a game.

use crate::import::record::braces;
use cpz_text::syntax::says_en_passant;

/// A tag: its name and value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tag {
    pub name: String,
    pub value: String,
}

/// A part of the movetext.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'t> {
    /// A move as it is written, without its number.
    Move(&'t str),
    /// `!`, `?!` and the like.
    Mark(&'t str),
    /// `$13`
    Nag(u8),
    /// What stands in braces or behind a semicolon.
    Comment(String),
    Open,
    Close,
}

/// A game in parts.
#[derive(Default)]
pub(super) struct Game<'t> {
    pub tags: Vec<Tag>,
    /// The tokens of the movetext, each with its first byte.
    pub tokens: Vec<(usize, Token<'t>)>,
    pub result: Option<&'t str>,
    /// Where a comment in braces begins that is not closed.
    pub open_comment: Option<usize>,
    /// Whether the game has more tokens than are read.
    pub is_too_long: bool,
}

/// The tokens of a game that are read. The longest games with all their variations have some thousands; what takes more is
/// none, and would need a hundred times the memory of its text.
pub(super) const MAX_TOKENS: usize = 200_000;

/// The tags of a game that are read. Programs write some dozens.
pub(super) const MAX_TAGS: usize = 1000;

/// Splits a game into parts. Whatever it is, this ends.
pub(super) fn read_game(text: &str) -> Game<'_> {
    let mut game = Game::default();
    let mut at = 0;
    let mut line_start = true;
    while let Some(c) = text[at..].chars().next() {
        if game.tokens.len() > MAX_TOKENS || game.tags.len() > MAX_TAGS {
            game.is_too_long = true;
            break;
        }
        let rest = &text[at..];
        let length = match c {
            '\n' | '\r' => {
                line_start = true;
                at += 1;
                continue;
            }
            c if c.is_whitespace() => {
                at += c.len_utf8();
                continue;
            }
            '%' if line_start => rest.find(['\n', '\r']).unwrap_or(rest.len()),
            // Comments may stand above the tags.
            '[' if game.tokens.iter().all(|(_, token)| matches!(token, Token::Comment(_))) => {
                tag(rest, &mut game.tags)
            }
            ';' => {
                let end = rest.find(['\n', '\r']).unwrap_or(rest.len());
                game.tokens.push((at, Token::Comment(rest[1..end].trim().to_string())));
                end
            }
            '{' => {
                let (end, is_closed) = braces(rest);
                if !is_closed {
                    game.open_comment.get_or_insert(at);
                }
                let comment = &rest[1..end - usize::from(is_closed)];
                let comment = comment.split_whitespace().collect::<Vec<_>>().join(" ");
                game.tokens.push((at, Token::Comment(comment)));
                line_start = !is_closed;
                at += end;
                continue;
            }
            '(' => {
                game.tokens.push((at, Token::Open));
                1
            }
            ')' => {
                game.tokens.push((at, Token::Close));
                1
            }
            '$' => {
                let digits = rest[1..].bytes().take_while(u8::is_ascii_digit).count();
                if let Ok(n) = rest[1..=digits].parse() {
                    game.tokens.push((at, Token::Nag(n)));
                }
                1 + digits
            }
            _ => word(rest, at, &mut game),
        };
        line_start = false;
        at += length.max(1);
    }
    game
}

/// Reads `[Name "value"]` and returns its length.
fn tag(text: &str, tags: &mut Vec<Tag>) -> usize {
    let line_end = text.find(['\n', '\r']).unwrap_or(text.len());
    let line = &text[1..line_end];
    let Some((name, rest)) = line.split_once('"') else { return line_end };
    let (mut value, mut escaped, mut length) = (String::new(), false, None);
    for (i, c) in rest.char_indices() {
        match c {
            '\\' if !escaped => escaped = true,
            // Many programs do not escape a quote: only the one before `]` ends the value.
            '"' if !escaped && ends_tag(&rest[i + 1..]) => {
                length = Some(1 + name.len() + 1 + i + 1);
                break;
            }
            c => {
                value.push(c);
                escaped = false;
            }
        }
    }
    let name = name.trim().to_string();
    if !name.is_empty() {
        tags.push(Tag { name, value: value.trim().to_string() });
    }
    let end = length.unwrap_or(line_end);
    end + text[end..line_end].find(']').map_or(0, |i| i + 1)
}

fn ends_tag(rest: &str) -> bool {
    let rest = rest.trim_start();
    rest.is_empty() || rest.starts_with(']')
}

/// What annotators write behind a line: who is better.
const EVALUATIONS: [&str; 16] =
    ["+-", "-+", "=", "+=", "=+", "+/-", "-/+", "+/=", "=/+", "±", "∓", "⩲", "⩱", "∞", "+–", "–+"];

const RESULTS: [&str; 5] = ["1-0", "0-1", "1/2-1/2", "*", "½-½"];

/// The length of the letter in parentheses behind a move of a pawn to the last rank: `(Q)`, `(=D)`.
fn promotion(mv: &str, behind: &str) -> Option<usize> {
    let inner = behind.strip_prefix('(').filter(|_| mv.ends_with(['1', '8']))?;
    let letter = inner.strip_prefix('=').unwrap_or(inner);
    let rest = letter.strip_prefix(char::is_alphabetic)?.strip_prefix(')')?;
    Some(behind.len() - rest.len())
}

/// Reads a word of the movetext and returns its length.
fn word<'t>(text: &'t str, at: usize, game: &mut Game<'t>) -> usize {
    let is_end = |c: char| c.is_whitespace() || "(){};$".contains(c);
    let mut length = text.find(is_end).unwrap_or(text.len());
    // `e8(Q)+` is a promotion, and no variation.
    if let Some(letter) = promotion(&text[..length], &text[length..]) {
        length += letter;
        length += text[length..].find(is_end).unwrap_or(text.len() - length);
    }
    let word = &text[..length];
    if RESULTS.contains(&word) {
        game.result = Some(word);
        return length;
    }
    if EVALUATIONS.contains(&word) {
        game.tokens.push((at, Token::Comment(word.to_string())));
        return length;
    }
    // `1.e4`, `1...e5`, `12.`
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let dots =
        word[digits..].chars().take_while(|c| matches!(c, '.' | '…')).map(char::len_utf8).sum::<usize>();
    let number = if dots > 0 || digits == word.len() { digits + dots } else { 0 };
    let body = &word[number..];
    let marks = body.find(['!', '?']).unwrap_or(body.len());
    let (mv, mark) = body.split_at(marks);
    // `e.p.` belongs to the move before it, which says as much by itself.
    if !mv.is_empty() && !says_en_passant(mv) {
        game.tokens.push((at + number, Token::Move(mv)));
    }
    if !mark.is_empty() {
        let end = mark.find(|c| !matches!(c, '!' | '?')).unwrap_or(mark.len());
        game.tokens.push((at + number + marks, Token::Mark(&mark[..end])));
        // A move may follow without a blank, as in `Qh5!Kd7`.
        return number + marks + end;
    }
    length
}
