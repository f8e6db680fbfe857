//! Completions of the next move in an answer: of a line, of a study, and of the solution of a chess problem.
//!
//! The words before the cursor are replayed; nothing is searched.

use crate::completion::item::{Completion, CompletionKind, InsertionPoint};
use crate::completion::moves::{MoveNotation, next_moves};
use cpz_check::analysis::{
    Bound, draughts_moves, line_position, move_number_len, position_due, position_of, problem_of,
};
use cpz_rules::board::{Colour, square_name};
use cpz_rules::games::{ChessMove, Line, Position, cube_move_name, cube_moves};
use cpz_text::syntax::{GameId, Query, Token, TokenKind, Verb};

/// How many puzzles of the file are read for the notation of their moves.
const MAX_PUZZLES: usize = 100;

/// What is written of an answer before the cursor.
#[derive(Default)]
pub(super) struct Written {
    /// The words, without quotes and brackets.
    pub text: String,
    /// Whether a list is open.
    pub in_list: bool,
}

impl Written {
    /// The part of a query's answer before the cursor, which is between or in its words. `same_line` is the last token on the
    /// line. None where the answer has ended, or may have: in the next line only the number of a move asks for more.
    pub fn before(
        point: &InsertionPoint<'_>,
        query: Query<'_>,
        same_line: Option<Token<'_>>,
    ) -> Option<Written> {
        let before = query.node().tokens().take_while(|t| t.span().end <= point.start);
        let mut behind = before.skip_while(|t| t.kind() != TokenKind::Arrow);
        let arrow = behind.next()?;
        let (mut last, mut strings, mut depth) = (arrow, false, 0usize);
        for token in behind.filter(|t| t.kind() != TokenKind::Space) {
            match token.kind() {
                TokenKind::Word | TokenKind::Comma => {}
                TokenKind::String => strings = true,
                TokenKind::LBracket | TokenKind::UnclosedLBracket => depth += 1,
                _ => return None,
            }
            last = token;
        }
        let goes_on = same_line.is_some() || last.kind() == TokenKind::Arrow || is_number(last.text());
        let is_open = match depth {
            0 => !strings && goes_on,
            depth => depth == 1,
        };
        let text = &point.text[arrow.span().end as usize..point.start as usize];
        is_open.then(|| Written { text: text.replace(['[', '"', '\''], " "), in_list: depth == 1 })
    }

    /// The words before the cursor.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.text.split([' ', ',', ';', '\t', '\r', '\n']).filter(|word| !word.is_empty())
    }

    /// Whether the last word is a move, or the number of one.
    pub fn has_moves(&self, query: Query<'_>) -> bool {
        let has_digit = |word: &str| word.bytes().any(|b| b.is_ascii_digit());
        query.verb() != Some(Verb::Count) && self.words().last().is_some_and(has_digit)
    }

    /// The number that the next move has, with a space behind it where the others have one; nothing where the moves have no
    /// numbers, or where it is written or not due.
    fn next_number(&self, position: &Position) -> Option<String> {
        if position.turn != Colour::White || self.words().last().is_none_or(is_number) {
            return None;
        }
        let numbered = |word: &str| {
            let digits = word.bytes().take_while(u8::is_ascii_digit).count();
            let has_dot = word[digits..].starts_with(['.', '…']);
            Some((word[..digits].parse::<u32>().ok()?, is_number(word))).filter(|_| has_dot)
        };
        let (number, is_apart) = self.words().filter_map(numbered).last()?;
        Some(format!("{}.{}", number.checked_add(1)?, if is_apart { " " } else { "" }))
    }
}

/// Whether a word is the number of a move: `1.`, `1...`.
fn is_number(word: &str) -> bool {
    !word.is_empty() && move_number_len(word) == word.len()
}

/// A word at the cursor without its number.
pub(super) fn without_number<'t>(point: &InsertionPoint<'t>) -> InsertionPoint<'t> {
    let (number, typed) = point.typed.split_at(move_number_len(point.typed));
    InsertionPoint { typed, start: point.start + number.len() as u32, ..*point }
}

/// Whether words of a query stand behind the word at the cursor: a move that is put before them would make them illegal.
pub(super) fn has_words_behind(point: &InsertionPoint<'_>, query: Query<'_>) -> bool {
    let end = point.word().end;
    query.node().tokens().any(|token| token.kind() == TokenKind::Word && token.span().start >= end)
}

/// The moves that may follow what is written of the answer of a query, mates, checks and captures first. In a list of a chess
/// problem the keys are, of which each is a first move.
pub(super) fn answer_moves(
    point: &InsertionPoint<'_>,
    bound: &Bound<'_>,
    query: Query<'_>,
    written: &Written,
) -> Vec<Completion> {
    let is_line = matches!(query.verb(), Some(Verb::Line | Verb::Win | Verb::Draw));
    let is_key = written.in_list && !is_line && query.verb() != Some(Verb::SetPlay);
    let plain = without_number(point);
    if !is_key && plain.typed.is_empty() && has_words_behind(point, query) {
        return Vec::new();
    }
    let position = match query.verb() {
        Some(Verb::Problem(_) | Verb::Twin | Verb::Duplex | Verb::SetPlay) => problem_of(bound, query)
            .and_then(|(start, asked)| position_due(if is_key { "" } else { &written.text }, &start, asked)),
        _ if is_line => position_of(bound).and_then(|start| line_position(bound, &start, &written.text)),
        _ => None,
    };
    let Some(position) = position else { return Vec::new() };
    let mut found = match bound.id {
        GameId::Chess => next_moves(&plain, &position, notation(bound, written)),
        GameId::Draughts => draughts(&plain, bound, &position, written),
        GameId::Chess3d => cube(&plain, &position, written),
        GameId::Solitaire => Vec::new(),
    };
    if found.iter().any(|c| !plain.typed.is_empty() && c.label == plain.typed) {
        return Vec::new();
    }
    if is_key {
        let same =
            |a: &str, b: &str| a.trim_end_matches(['+', '#', '!']) == b.trim_end_matches(['+', '#', '!']);
        found.retain(|c| !written.words().any(|word| same(word, &c.label)));
    }
    let joined = &point.typed[..move_number_len(point.typed)];
    match written.next_number(&position).filter(|_| is_line && joined.is_empty()) {
        Some(number) => found.iter_mut().for_each(|c| c.text.insert_str(0, &number)),
        None => found.iter_mut().for_each(|c| {
            c.replace.start = point.start;
            c.label.insert_str(0, joined);
            c.text.insert_str(0, joined);
        }),
    }
    found
}

/// The notation of the moves of an answer: that of its last move, else the one that most moves of the file are in.
fn notation(bound: &Bound<'_>, written: &Written) -> MoveNotation {
    fn moves(text: &str) -> impl Iterator<Item = &str> {
        let words = text.split(|c: char| c.is_whitespace() || "[],;\"'".contains(c));
        let words = words.map(|w| w.trim_start_matches(|c: char| c.is_ascii_digit() || ".…".contains(c)));
        words.filter(|w| w.bytes().any(|b| b.is_ascii_digit()))
    }
    if let Some(last) = moves(&written.text).last() {
        return MoveNotation::of_word(last);
    }
    let puzzles = bound.puzzle.node().tree().puzzles().filter(|p| p.game() == Some(bound.id));
    let queries = puzzles.take(MAX_PUZZLES).flat_map(|puzzle| puzzle.queries());
    let first = |query: Query<'_>| {
        let text = query.node().tree().text();
        let value = if query.verb() == Some(Verb::Move) { query.argument() } else { query.answer() }?;
        moves(&text[value.span().range()]).next().map(MoveNotation::of_word)
    };
    MoveNotation::of_most(queries.filter_map(first)).unwrap_or(MoveNotation::San)
}

/// The next moves of a line of draughts: `c3-d4`, `c3:e5:g7`.
fn draughts(
    point: &InsertionPoint<'_>,
    bound: &Bound<'_>,
    position: &Position,
    written: &Written,
) -> Vec<Completion> {
    let takes = if written.text.contains('x') || point.typed.contains('x') { "x" } else { ":" };
    let item = |line: Line| {
        let squares: Vec<String> = line.path.iter().map(|&s| square_name(s, false)).collect();
        let kind = position.board.at(line.path[0]).map_or("piece", |piece| piece.kind.name());
        let target = squares.last().map_or("", String::as_str);
        let (sign, detail) = match line.taken.len() {
            0 => ("-", format!("{kind} to {target}")),
            count => (takes, format!("{kind} takes {count} and ends on {target}")),
        };
        (line.taken.len(), point.item(CompletionKind::Move, &squares.join(sign), detail))
    };
    let mut found: Vec<(usize, Completion)> = draughts_moves(bound, position).into_iter().map(item).collect();
    found.sort_by_key(|(taken, _)| std::cmp::Reverse(*taken));
    found.dedup_by(|a, b| a.1.label == b.1.label);
    found.into_iter().map(|(_, item)| item).collect()
}

/// The next moves of a line of chess3d, in quotes, because they contain parentheses.
fn cube(point: &InsertionPoint<'_>, position: &Position, written: &Written) -> Vec<Completion> {
    // Behind the first move without quotes no other one can stand.
    if !point.quoted && !written.in_list && written.words().any(|word| !is_number(word)) {
        return Vec::new();
    }
    let item = |mv: ChessMove| {
        let name = cube_move_name(position, mv);
        let order = match name.chars().next_back() {
            Some('#') => 0,
            Some('+') => 1,
            _ => 3 - u8::from(name.contains('x')),
        };
        let kind = position.board.at(mv.from).map_or("piece", |piece| piece.kind.name());
        let how = if name.contains('x') { "takes" } else { "to" };
        let detail = format!("{kind} {how} {}", square_name(mv.to, true));
        let quote = if point.quoted { "" } else { "\"" };
        (order, point.item_writing(CompletionKind::Move, &name, format!("{quote}{name}{quote}"), detail))
    };
    let mut found: Vec<(u8, Completion)> = cube_moves(position).into_iter().map(item).collect();
    found.sort_by_key(|(order, _)| *order);
    found.into_iter().map(|(_, item)| item).collect()
}
