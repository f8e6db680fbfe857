//! The movetext of a game, and its moves on a board.

use crate::game_tags::MARKS;
use crate::import::pdn::numbering::Numbering;
use crate::import::pdn::position::WrittenSquare;
use crate::import::record::braces;
use cpz_rules::board::{Board, Colour, Kind, Piece, Rights, Square, square_name};
use cpz_rules::games::{Answer, Budget, Dialect, Line, Position, Question, game};
use cpz_text::syntax::{GameId, Verb};

/// The nodes in which the captures of a position must be found.
const NODES: u64 = 100_000;
/// The results of games; `1-1` is one too, since no move ends where it begins.
const RESULTS: [&str; 9] = ["1-0", "0-1", "1/2-1/2", "2-0", "0-2", "1-1", "0-0", "1/2", "½-½"];

/// A game's moves and what is said about them.
#[derive(Debug, Default)]
pub(super) struct Movetext {
    /// The moves of the main line.
    pub moves: Vec<WrittenMove>,
    /// Comments and variations, in their order.
    pub notes: Vec<Note>,
    /// Words that are neither moves nor anything else of a game.
    pub unread: Vec<String>,
    /// Where a comment in braces begins that is not closed.
    pub open_comment: Option<usize>,
}

/// What is said beside the moves.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Note {
    /// A text behind `after` moves of the main line.
    Comment { after: usize, text: String },
    /// Moves that stand behind `after` moves of the main line, in place of the last of them.
    Variation { after: usize, text: String },
}

/// A move as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WrittenMove {
    pub text: String,
    /// Where it stands in the movetext.
    pub at: usize,
    /// `!`, `?` and the like.
    pub marks: String,
    pub squares: Vec<WrittenSquare>,
    /// Whether a sign says that it captures.
    pub says_capture: bool,
}

/// Reads movetext.
pub(super) fn read_movetext(text: &str) -> Movetext {
    let mut found = Movetext::default();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let len = match c {
            '{' => {
                let (end, is_closed) = braces(rest);
                if !is_closed {
                    found.open_comment.get_or_insert(text.len() - rest.len());
                }
                found.comment(&rest[1..end - usize::from(is_closed)]);
                end
            }
            ';' | '%' if c == ';' || is_line_start(text, rest) => {
                let end = rest.find('\n').unwrap_or(rest.len());
                found.comment(&rest[1..end]);
                end
            }
            '(' => {
                let len = variation(rest);
                let inner = rest[..len].trim_matches(['(', ')', ' ']);
                // `(!)` is the strength of a move.
                let mark: String = inner.chars().filter(|c| !c.is_whitespace()).collect();
                if mark.chars().all(is_mark) {
                    found.mark(&mark, &mark);
                } else {
                    found.notes.push(Note::Variation { after: found.moves.len(), text: inner.to_string() });
                }
                len
            }
            '/' => rest[1..].find('/').map_or(rest.len(), |end| end + 2),
            _ if c.is_whitespace() || c == ')' || c == '}' => c.len_utf8(),
            _ => {
                let ends = |c: char| c.is_whitespace() || matches!(c, '{' | '}' | '(' | ')' | ';' | '$');
                let first = c.len_utf8();
                let len = rest[first..].find(ends).map_or(rest.len(), |end| first + end);
                word(&rest[..len], text.len() - rest.len(), &mut found);
                len
            }
        };
        rest = &rest[len..];
    }
    found
}

impl Movetext {
    /// Adds a comment, unless it is empty. Its lines are one text.
    fn comment(&mut self, text: &str) {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if !text.is_empty() {
            self.notes.push(Note::Comment { after: self.moves.len(), text });
        }
    }

    /// Marks the last move. A mark without a move, or beside another one, becomes a comment, in its own words.
    fn mark(&mut self, mark: &str, words: &str) {
        match self.moves.last_mut() {
            Some(last) if last.marks.is_empty() => last.marks.push_str(mark),
            Some(last) if last.marks == mark => {}
            _ => self.comment(words),
        }
    }
}

fn is_mark(c: char) -> bool {
    matches!(c, '!' | '?')
}

fn is_line_start(text: &str, rest: &str) -> bool {
    let at = text.len() - rest.len();
    at == 0 || text[..at].ends_with('\n')
}

/// The length of a variation with its brackets.
fn variation(text: &str) -> usize {
    let (mut depth, mut in_comment) = (0, false);
    for (at, c) in text.char_indices() {
        match c {
            '{' => in_comment = true,
            '}' => in_comment = false,
            '(' if !in_comment => depth += 1,
            ')' if !in_comment => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    text.len()
}

/// Reads a word that stands at a byte of the movetext.
fn word(word: &str, at: usize, found: &mut Movetext) {
    if let Some(nag) = word.strip_prefix('$') {
        let mark = nag.parse().ok().and_then(|nag: usize| MARKS.get(nag)).filter(|mark| !mark.is_empty());
        return match mark {
            Some(mark) => found.mark(mark, word),
            None => found.comment(word),
        };
    }
    // `1.c3-d4` and `1...c3-d4` have no space.
    let digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let body = match digits.starts_with('.') {
        true => digits.trim_start_matches('.'),
        false => word,
    };
    let plain = body.trim_end_matches(['!', '?', '*', '+', '#']);
    let marks: String = body[plain.len()..].chars().filter(|&c| is_mark(c)).collect();
    if plain.is_empty() && !marks.is_empty() {
        return found.mark(&marks, &marks);
    }
    let is_nothing =
        plain.is_empty() || RESULTS.contains(&plain) || plain.chars().all(|c| matches!(c, '.' | '-' | '…'));
    if is_nothing {
        return;
    }
    match read_move(plain) {
        Some(read) => {
            let at = at + word.len() - body.len();
            found.moves.push(WrittenMove { at, marks, ..read });
        }
        None => found.unread.push(word.to_string()),
    }
}

fn read_move(text: &str) -> Option<WrittenMove> {
    let is_sign = |c: char| matches!(c, '-' | ':' | 'x' | 'X' | '×');
    let mut squares: Option<Vec<WrittenSquare>> = text.split(is_sign).map(WrittenSquare::read).collect();
    // `c3d4` has no sign.
    if !text.contains(is_sign) {
        let halves = text.get(..2).zip(text.get(2..)).filter(|_| text.len() == 4)?;
        squares = [halves.0, halves.1].into_iter().map(WrittenSquare::read).collect();
    }
    let squares = squares.filter(|squares| squares.len() > 1)?;
    let says_capture = text.contains([':', 'x', 'X', '×']);
    Some(WrittenMove { text: text.to_string(), at: 0, marks: String::new(), squares, says_capture })
}

/// The moves of a line on a board.
pub(super) struct Replay {
    /// The moves in named squares, captures with `:`.
    pub words: Vec<String>,
    /// Whether the first one is a capture.
    pub begins_with_capture: bool,
    /// How many moves are legal.
    pub legal: usize,
    /// Whether the first one that is not legal stands where a capture must be made.
    pub must_capture: bool,
}

/// Replays a line as far as its moves are legal. The rest is written as it stands.
pub(super) fn replay(board: &Board, turn: Colour, moves: &[WrittenMove], numbering: Numbering) -> Replay {
    let rights = Rights::default();
    let mut position = Position { board: board.clone(), turn, dialect: Dialect::Default, rights };
    let mut replay = Replay { words: Vec::new(), begins_with_capture: false, legal: 0, must_capture: false };
    let mut is_legal = true;
    for written in moves {
        let path: Option<Vec<Square>> = written.squares.iter().map(|square| square.on(numbering)).collect();
        let Some(path) = path else {
            is_legal = false;
            replay.words.push(written.text.clone());
            continue;
        };
        let line = if is_legal { legal(&position, &path, written.says_capture) } else { None };
        if is_legal && line.is_none() {
            replay.must_capture = !captures(&position).is_empty();
        }
        is_legal = line.is_some();
        let takes = line.as_ref().map_or(written.says_capture, |line| !line.taken.is_empty());
        // PDN leaves out the squares between the ends of a capture, and an answer has them.
        let path = line.as_ref().map_or(&path, |line| &line.path);
        let names: Vec<String> = path.iter().map(|&square| square_name(square, false)).collect();
        replay.words.push(names.join(if takes { ":" } else { "-" }));
        if let Some(line) = line {
            replay.begins_with_capture |= replay.legal == 0 && takes;
            replay.legal += 1;
            position = after(&position, &line);
        }
    }
    replay
}

/// The captures of a position.
pub(super) fn captures(position: &Position) -> Vec<Line> {
    let question = Question::of(Verb::Capture);
    match game(GameId::Draughts).answer(position, &question, &Budget::new(NODES, None)) {
        Ok(Answer::Capture { lines, .. }) => lines,
        _ => Vec::new(),
    }
}

fn legal(position: &Position, path: &[Square], says_capture: bool) -> Option<Line> {
    let lines = captures(position);
    let (&from, &to) = (path.first()?, path.last()?);
    let whole = lines.iter().find(|line| line.path == path);
    // The squares between the ends may be left out.
    let has_ends = |line: &&Line| line.path.first() == Some(&from) && line.path.last() == Some(&to);
    let part = |line: &&Line| has_ends(line) && path.iter().all(|square| line.path.contains(square));
    if let Some(line) = whole.or_else(|| lines.iter().find(part)) {
        return Some(line.clone());
    }
    let is_quiet = !says_capture && path.len() == 2 && lines.is_empty();
    let own = position.board.at(from).is_some_and(|piece| piece.colour == position.turn);
    let reaches = is_quiet && own && game(GameId::Draughts).quiet(position, from).contains(&to);
    reaches.then(|| Line { path: path.to_vec(), taken: Vec::new() })
}

/// The position after a move.
fn after(position: &Position, line: &Line) -> Position {
    let mut next = position.clone();
    let (Some(&from), Some(&to)) = (line.path.first(), line.path.last()) else { return next };
    let moved = position.board.at(from);
    for &square in line.taken.iter().chain([&from]) {
        let index = next.board.index(square);
        next.board.cells[index] = None;
    }
    let last = if position.turn == Colour::White { 7 } else { 0 };
    let crowned = line.path[1..].iter().any(|square| square.y == last);
    let index = next.board.index(to);
    next.board.cells[index] =
        moved.map(|piece| if crowned { Piece { kind: Kind::King, ..piece } } else { piece });
    next.turn = position.turn.other();
    next
}
