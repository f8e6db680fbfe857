//! Completions at an offset.

mod answers;
mod item;
mod keywords;
mod lists;
mod moves;

use crate::analysis::{Defaults, PuzzleReport, bind_one, puzzle_at};
use crate::diagnostic::Span;
use crate::ide::completion::item::{InsertionPoint, RANK_EXPLANATION, label_matches};
use crate::ide::cursor::floor_char_boundary;
use crate::syntax::{Item, Keyword, NodeKind, Puzzle, Query, Token, TokenKind, Tree, Verb};

pub use item::{Completion, CompletionKind};

/// The completions at an offset, sorted by rank. `base` holds the configured defaults; `report` analyses the
/// puzzle and is called only for its answers.
pub fn completions(
    tree: &Tree,
    base: Defaults,
    offset: u32,
    report: impl FnOnce(Puzzle<'_>, Defaults) -> PuzzleReport,
) -> Vec<Completion> {
    let Some((point, before)) = insertion_point(tree, offset) else { return Vec::new() };
    let mut found = completions_at(tree, base, &point, before, report);
    // Editors filter by the typed word: do not send what they would discard.
    let typed = point.typed.to_lowercase();
    found.retain(|c| {
        let is_explanation = c.kind == CompletionKind::Move && c.rank == RANK_EXPLANATION;
        label_matches(&c.label.to_lowercase(), &typed) || is_explanation
    });
    found.sort_by_key(|c| c.rank);
    found
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
    Some((InsertionPoint { text, typed, rest, start, offset }, before))
}

fn completions_at(
    tree: &Tree,
    base: Defaults,
    point: &InsertionPoint<'_>,
    before: Option<Token<'_>>,
    report: impl FnOnce(Puzzle<'_>, Defaults) -> PuzzleReport,
) -> Vec<Completion> {
    let keyword = before.and_then(|t| Keyword::from_word(t.text()));
    if let Some(Keyword::Item(Item::Property(property))) = keyword {
        let (puzzle, _) = puzzle_at(tree, base, point.start).unzip();
        return keywords::property_values(point, property, puzzle);
    }
    let Some((puzzle, settings)) =
        puzzle_at(tree, base, point.start).filter(|(p, _)| is_inside(*p, point.start))
    else {
        return match keyword {
            Some(Keyword::Game(_)) => Vec::new(),
            _ => keywords::top_level(point),
        };
    };
    let Some(bound) = bind_one(puzzle, settings) else { return Vec::new() };
    let item = puzzle.node().children().filter(|n| n.span().start < point.start.max(1)).last();
    let behind_arrow = before.is_some_and(|t| t.kind() == TokenKind::Arrow);
    if let Some(query) = item.and_then(Query::cast) {
        if behind_arrow {
            return answers::answers(point, &bound, query, &report(puzzle, settings));
        }
        if let Some(depth) = answer_depth(query, point.start) {
            return match query.verb() {
                Some(Verb::Solve) if depth == 1 => answers::solution_steps(point, &bound, query),
                Some(Verb::Capture) => lists::capture_list(point, &bound, query),
                _ => Vec::new(),
            };
        }
        if query.verb() == Some(Verb::Move) && open_lists(query.node().tokens(), point.start) > 0 {
            return lists::move_list(point, &bound, query);
        }
        if keyword == Some(Keyword::Item(Item::Query(Verb::Move))) {
            return moves::moves(point, &bound, query);
        }
    }
    if keyword == Some(Keyword::Item(Item::Board)) {
        return Vec::new();
    }
    let in_list = item.filter(|n| open_lists(n.tokens(), point.start) > 0);
    match in_list.map(|n| n.kind()) {
        Some(NodeKind::Board) => keywords::pieces(point, &bound),
        Some(_) => Vec::new(),
        None => keywords::items(point, &bound),
    }
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
