//! Completions at an offset.

mod answers;
mod item;
mod keywords;
mod line;
mod lists;
mod moves;
mod quoted;
mod twins;

use crate::completion::item::InsertionPoint;
use crate::completion::line::Written;
use crate::cursor::floor_char_boundary;
use crate::on_type::is_full;
use cpz_check::analysis::{Defaults, PuzzleReport, bind_one, bound_at, puzzle_at};
use cpz_text::diagnostic::Span;
use cpz_text::syntax::{
    Board, Item, Keyword, NodeKind, ProblemKind, Property, Puzzle, Query, Token, TokenKind, Tree, Verb,
    parse, verb_before_in,
};

pub use item::{Completion, CompletionKind};

/// How many tokens before the cursor are read for the style of its list.
const MAX_LOOK_BACK: usize = 2000;

/// The completions at an offset, sorted by rank. `base` holds the configured defaults; `report` analyses the
/// puzzle and is called only for its answers.
///
/// Nothing is offered for a word that is complete, so that no client changes it or swallows the Enter after it.
pub fn completions(
    tree: &Tree,
    base: Defaults,
    offset: u32,
    report: impl FnOnce(Puzzle<'_>, Defaults) -> PuzzleReport,
) -> Vec<Completion> {
    let at = insertion_point(tree, offset);
    let found = at.map(|(point, before)| (point, completions_at(tree, base, &point, before, report)));
    let Some((point, mut found)) = found.or_else(|| quoted::moves(tree, base, offset)) else {
        return Vec::new();
    };
    if found.iter().any(|c| !point.typed.is_empty() && c.text.trim().eq_ignore_ascii_case(point.typed)) {
        return Vec::new();
    }
    found.retain(|c| point.accepts(c));
    found.sort_by_key(|c| c.rank);
    found
}

/// The completions directly after a trigger character was typed. A blank asks for completions only behind `=>`,
/// `move` and the properties with known values. `[` and `,` do so only where no line ends: clients that select
/// the first item would insert it on Enter.
pub fn completions_after(
    tree: &Tree,
    base: Defaults,
    offset: u32,
    trigger: char,
    report: impl FnOnce(Puzzle<'_>, Defaults) -> PuzzleReport,
) -> Vec<Completion> {
    let Some((point, before)) = insertion_point(tree, offset) else { return Vec::new() };
    let opens = match trigger {
        ' ' => before.is_some_and(|t| t.span().end + 1 == point.offset && values_follow(t)),
        '[' | ',' => before.is_some_and(continues_entry),
        _ => true,
    };
    if opens { completions(tree, base, offset, report) } else { Vec::new() }
}

/// Whether known values follow a token.
fn values_follow(token: Token<'_>) -> bool {
    match Keyword::from_word(token.text()) {
        _ if token.kind() == TokenKind::Arrow => true,
        Some(Keyword::Item(Item::Query(verb))) => verb == Verb::Move,
        Some(Keyword::Item(Item::Property(property))) => keywords::has_known_values(property),
        _ => false,
    }
}

/// Whether a `[` or a comma begins or continues the list of `move`, or a short entry of a longer list.
fn continues_entry(bracket_or_comma: Token<'_>) -> bool {
    let mut words = 0;
    let mut token = bracket_or_comma;
    while !matches!(token.kind(), TokenKind::LBracket | TokenKind::UnclosedLBracket) {
        match token.kind() {
            TokenKind::Word | TokenKind::String if words < 3 => words += 1,
            TokenKind::Comma | TokenKind::Space => {}
            _ => return false,
        }
        let Some(previous) = token.previous() else { return false };
        token = previous;
    }
    let outer = std::iter::successors(token.previous(), |t| t.previous()).find(|t| !t.kind().is_trivia());
    outer.is_some_and(|t| match t.kind() {
        TokenKind::LBracket | TokenKind::UnclosedLBracket | TokenKind::Comma => true,
        _ => Keyword::from_word(t.text()) == Some(Keyword::Item(Item::Query(Verb::Move))),
    })
}

/// The insertion point at an offset, and the last token before it that is no trivia. `None` where no word can
/// begin: in comments, strings, remarks and arrows, and directly behind a quote or a closing bracket.
fn insertion_point(tree: &Tree, offset: u32) -> Option<(InsertionPoint<'_>, Option<Token<'_>>)> {
    let text = tree.text();
    let offset = floor_char_boundary(text, offset);
    let mut typed: Option<Token<'_>> = None;
    let mut before: Option<Token<'_>> = None;
    for token in tree.tokens_in(Span::at(offset)) {
        let (span, kind) = (token.span(), token.kind());
        let within = span.start < offset && offset < span.end;
        let splits_token = within && !kind.is_trivia() && kind != TokenKind::Word;
        let open = matches!(kind, TokenKind::UnclosedString | TokenKind::UnclosedRemark | TokenKind::Comment);
        if splits_token || open && span.start < offset && offset <= span.end {
            return None;
        }
        if kind == TokenKind::Word && span.start < offset && offset <= span.end {
            typed = Some(token);
        }
        if span.end <= offset || span.start < offset && kind.is_trivia() {
            before = Some(token);
        }
    }
    if typed.is_some() {
        before = typed.and_then(Token::previous);
    }
    while let Some(token) = before.filter(|t| t.kind().is_trivia()) {
        before = token.previous();
    }
    let (start, rest) =
        typed.map_or((offset, ""), |t| (t.span().start, &text[offset as usize..t.span().end as usize]));
    if typed.is_none() && text[..offset as usize].ends_with(['"', '\'', ')', ']', '}']) {
        return None;
    }
    let typed = &text[start as usize..offset as usize];
    Some((InsertionPoint { text, typed, rest, start, offset, quoted: false }, before))
}

fn completions_at(
    tree: &Tree,
    base: Defaults,
    point: &InsertionPoint<'_>,
    before: Option<Token<'_>>,
    report: impl FnOnce(Puzzle<'_>, Defaults) -> PuzzleReport,
) -> Vec<Completion> {
    let keyword = before.and_then(|t| Keyword::from_word(t.text()));
    let same_line =
        before.filter(|t| !point.text[t.span().end as usize..point.start as usize].contains(['\n', '\r']));
    if is_free_text(same_line) {
        return Vec::new();
    }
    let property = match keyword {
        Some(Keyword::Item(Item::Property(property))) => Some(property),
        _ => None,
    };
    // The value of `unique` may be left out, and any value may be missing at the end of a line.
    let value_is_next = property.is_some_and(|p| p != Property::Unique) && same_line.is_some();
    let values = |property| {
        let bound = bound_at(tree, base, point.start);
        keywords::property_values(point, property, bound.as_ref().map(|(bound, _)| bound))
    };
    let mut found = property.map(values).unwrap_or_default();
    if value_is_next {
        return found;
    }
    let allow = words_of_allow(point, before);
    if let Some(others_fit) = allow {
        found.extend(values(Property::Allow));
        if !others_fit {
            return found;
        }
    }
    let Some((puzzle, settings)) =
        puzzle_at(tree, base, point.start).filter(|(p, _)| is_inside(*p, point.start))
    else {
        // Only at the start of a line: words behind a game are its name.
        if same_line.is_none_or(|t| t.kind() == TokenKind::RBrace) || property.is_some() {
            found.extend(keywords::top_level(point));
        }
        return found;
    };
    let Some(bound) = bind_one(puzzle, settings) else { return found };
    let item = puzzle.node().children().filter(|n| n.span().start < point.start.max(1)).last();
    if let Some(found) = twins::changes(point, &bound, same_line) {
        return found;
    }
    if let Some(query) = item.and_then(Query::cast) {
        if before.is_some_and(|t| t.kind() == TokenKind::Arrow) {
            return answers::answers(point, &bound, query, &report(puzzle, settings));
        }
        if let Some(depth) = answer_depth(query, point.start) {
            return match query.verb() {
                Some(Verb::Solve) => answers::solution_steps(point, &bound, query, depth),
                Some(Verb::Capture) => lists::capture_list(point, &bound, query, list_quote(tree, point)),
                _ => Written::before(point, query, same_line)
                    .map_or_else(Vec::new, |written| line::answer_moves(point, &bound, query, &written)),
            };
        }
        // A keyword would end the answer: it is offered where a word is begun that is no move.
        if let Some(written) = Written::before(point, query, same_line) {
            let moves = match query.verb() {
                Some(Verb::Solve) => answers::next_captures(point, &bound, query, &written),
                _ => line::answer_moves(point, &bound, query, &written),
            };
            let is_behind_move = point.typed.is_empty() && written.has_moves(query);
            if is_behind_move || moves.iter().any(|item| point.accepts(item)) {
                return moves;
            }
        }
        if query.verb() == Some(Verb::Move) && open_lists(query.node().tokens(), point.start) > 0 {
            return lists::move_list(point, &bound, query, list_quote(tree, point));
        }
        if keyword == Some(Keyword::Item(Item::Query(Verb::Move))) {
            found.extend(moves::moves(point, &bound, query, list_quote(tree, point)));
            if same_line.is_some() {
                return found;
            }
        }
    }
    // Before the arrow of an answer nothing new begins.
    if point.text[point.offset as usize..].trim_start_matches([' ', '\t']).starts_with("=>") {
        return Vec::new();
    }
    if same_line.is_some_and(|t| t.text() == "in") && item.is_some_and(|n| n.kind() == NodeKind::Query) {
        return keywords::problem_lengths(point, "");
    }
    if let Some(word) = same_line.map(Token::text)
        && verb_before_in(word).is_some()
        && item.is_some_and(|n| n.kind() == NodeKind::Query)
        && bound.game.verbs().contains(&Verb::Problem(ProblemKind::MATE))
    {
        if keywords::has_length_behind(point) {
            return Vec::new();
        }
        found.extend(keywords::problem_lengths(point, "in "));
        if word != "mate" {
            return found;
        }
    }
    if keyword == Some(Keyword::Item(Item::Board)) {
        return Vec::new();
    }
    if let Some(node) = item.filter(|n| open_lists(n.tokens(), point.start) > 0) {
        return match node.kind() {
            NodeKind::Board => keywords::pieces(point, &bound, list_quote(tree, point)),
            _ => Vec::new(),
        };
    }
    if item.and_then(Board::cast).is_some_and(|board| is_row(board, point, same_line.is_some())) {
        return Vec::new();
    }
    found.extend(keywords::items(point, &bound));
    found
}

/// Whether the line holds free text without quotes up to the cursor: a note, an author, tags. `last` is the last token on the
/// line before the cursor.
fn is_free_text(last: Option<Token<'_>>) -> bool {
    let line = std::iter::successors(last, |t| t.previous());
    for token in line.take_while(|t| !t.kind().is_trivia() || !t.text().contains(['\n', '\r'])) {
        match Keyword::from_word(token.text()) {
            Some(Keyword::Item(Item::Property(p))) => return !keywords::has_known_values(p),
            Some(_) => return false,
            None if token.text().starts_with("x-") => return true,
            None => {}
        }
    }
    false
}

/// Whether a word other than a code may be at the cursor behind the codes of `allow`; None elsewhere. Codes may stand on
/// several lines within brackets only.
fn words_of_allow(point: &InsertionPoint<'_>, before: Option<Token<'_>>) -> Option<bool> {
    let is_comma = before.is_some_and(|t| t.kind() == TokenKind::Comma);
    let mut is_open = false;
    for token in std::iter::successors(before, |t| t.previous()).take(MAX_LOOK_BACK) {
        match token.kind() {
            TokenKind::Word if token.text() == Property::Allow.word() => {
                let behind = &point.text[token.span().end as usize..point.start as usize];
                let goes_on = is_open || !behind.contains(['\n', '\r']);
                return goes_on.then_some(!is_open && !is_comma);
            }
            TokenKind::Word if Keyword::from_word(token.text()).is_some() => return None,
            TokenKind::LBracket | TokenKind::UnclosedLBracket => is_open = true,
            TokenKind::Word | TokenKind::String | TokenKind::Comma => {}
            kind if kind.is_trivia() => {}
            _ => return None,
        }
    }
    None
}

/// Whether the word at the cursor is a part of a row of an unquoted text board. In a full board, and at the start
/// of a line from the second letter on, it may be a keyword.
fn is_row(board: Board<'_>, point: &InsertionPoint<'_>, same_line: bool) -> bool {
    let start = board.span().start;
    let last = board.node().tokens().take_while(|t| t.span().end <= point.start);
    let last = last.filter(|t| !t.kind().is_trivia()).last();
    if last.is_none_or(|t| t.kind() != TokenKind::Word) {
        return false;
    }
    if !same_line && point.typed.len() > 1 {
        return false;
    }
    if point.typed.is_empty() {
        return same_line;
    }
    // What is being typed is read as a row: judge the board without it.
    let puzzle = puzzle_at(board.node().tree(), Defaults::default(), start).map(|(p, _)| p.span().start);
    let from = puzzle.unwrap_or(start);
    let written = parse(&point.text[from as usize..point.start as usize]);
    !is_full(&written, start - from)
}

/// The quote that the text uses in lists: that of the nearest word of a list before the cursor, which may have none.
fn list_quote<'t>(tree: &'t Tree, point: &InsertionPoint<'_>) -> &'t str {
    let last = tree.tokens_in(Span::at(point.start)).next();
    let mut words = std::iter::successors(last, |t| t.previous()).take(MAX_LOOK_BACK).filter(|t| {
        let outer = std::iter::successors(t.previous(), |t| t.previous()).find(|t| !t.kind().is_trivia());
        let in_list = outer.is_some_and(|t| {
            matches!(t.kind(), TokenKind::LBracket | TokenKind::UnclosedLBracket | TokenKind::Comma)
        });
        let is_number = || t.text().parse::<i64>().is_ok();
        let is_word = t.kind() == TokenKind::String || t.kind() == TokenKind::Word && !is_number();
        in_list && is_word && t.span().end <= point.start
    });
    words.next().map_or("\"", |t| if t.kind() == TokenKind::String { &t.text()[..1] } else { "" })
}

/// Whether an offset is between the braces of a puzzle.
fn is_inside(puzzle: Puzzle<'_>, offset: u32) -> bool {
    let open = puzzle.node().tokens().find(|t| t.kind() == TokenKind::LBrace);
    let close = puzzle.node().last_token().filter(|t| t.kind() == TokenKind::RBrace);
    open.is_some_and(|t| t.span().end <= offset) && close.is_none_or(|t| offset <= t.span().start)
}

/// How many lists of a query's answer are open at an offset; `None` outside of the answer's lists.
fn answer_depth(query: Query<'_>, offset: u32) -> Option<usize> {
    let answer = query.node().tokens().skip_while(|t| t.kind() != TokenKind::Arrow);
    Some(open_lists(answer, offset)).filter(|&depth| depth > 0)
}

/// How many lists are open at an offset.
fn open_lists<'t>(tokens: impl Iterator<Item = Token<'t>>, offset: u32) -> usize {
    tokens.take_while(|t| t.span().end <= offset).fold(0usize, |depth, token| match token.kind() {
        TokenKind::LBracket | TokenKind::UnclosedLBracket => depth + 1,
        TokenKind::RBracket => depth.saturating_sub(1),
        _ => depth,
    })
}
