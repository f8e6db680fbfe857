//! The names of puzzles: definitions, references and renaming.

use crate::cursor::token_at_cursor;
use cpz_text::diagnostic::{Edit, Span};
use cpz_text::syntax::{Property, PropertyNode, Puzzle, Token, TokenKind, Tree, Value};

/// The puzzle name at an offset, with its range without quotes. This is the name of a puzzle, or a `source` or
/// `note` that consists of the name of a puzzle.
pub fn name_at(tree: &Tree, offset: u32) -> Option<(Span, String)> {
    let token = token_at_cursor(tree, offset).filter(|t| is_closed(*t))?;
    let at = token.span();
    let node =
        tree.root().children().find(|n| n.span().end >= at.end).filter(|n| n.span().start <= at.start)?;
    let (name, span) = token.content();
    let is_name = Puzzle::cast(node).and_then(Puzzle::name).is_some_and(|n| n.index() == token.index());
    let properties = node.children().chain([node]).filter_map(PropertyNode::cast);
    let mentioned = || properties.filter_map(mention).any(|t| t.index() == token.index());
    // A note refers to a puzzle only if a puzzle has that name.
    let refers = is_name || mentioned() && names(tree).any(|n| n.content().0 == name);
    (refers && !name.is_empty()).then(|| (span, name.to_string()))
}

/// The ranges of a puzzle name without quotes, in order of position: where it names a puzzle, and where it is the
/// value of a `source` or a `note`. Empty if no puzzle has the name.
pub fn references(tree: &Tree, name: &str) -> Vec<Span> {
    tokens_of(tree, name).into_iter().map(|t| t.content().1).collect()
}

/// The edits that rename a puzzle and the references to it. If several puzzles have the name, only the name at
/// `offset` changes, so that each can get a name of its own.
///
/// # Errors
/// Why the new name is not possible, for the user.
pub fn rename(tree: &Tree, name: &str, offset: u32, new: &str) -> Result<Vec<Edit>, String> {
    if new.trim().is_empty() {
        return Err("a name needs at least one character".into());
    }
    let is_hidden =
        |c: char| matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}') || c.is_control();
    if new.contains(|c| is_hidden(c) && !matches!(c, '\n' | '\r')) {
        return Err("a name cannot contain tabs or invisible characters".into());
    }
    if new.contains(['\n', '\r']) {
        return Err("a name cannot contain a line break".into());
    }
    if new.contains('"') && new.contains('\'') {
        return Err("a name cannot contain both \" and ': one of them must enclose it".into());
    }
    if new != name && names(tree).any(|t| t.content().0 == new) {
        return Err(format!("another puzzle in this file already has the name `{new}`"));
    }
    let mut found = tokens_of(tree, name);
    if names(tree).filter(|t| t.content().0 == name).nth(1).is_some() {
        found.retain(|t| t.span().start <= offset && offset <= t.span().end);
    }
    if new == name || found.is_empty() {
        return if found.is_empty() {
            Err(format!("no puzzle has the name `{name}`"))
        } else {
            Ok(Vec::new())
        };
    }
    let edit = |token: &Token<'_>| {
        let (_, inner) = token.content();
        let quote = token.text().chars().next().filter(|q| matches!(q, '"' | '\''));
        match quote {
            Some(quote) if !new.contains(quote) => Edit { span: inner, text: new.to_string() },
            _ => {
                let quote = if new.contains('"') { '\'' } else { '"' };
                Edit { span: token.span(), text: format!("{quote}{new}{quote}") }
            }
        }
    };
    Ok(found.iter().map(edit).collect())
}

/// Whether a token is a word or a closed string: a string that is not closed contains also the text behind the name.
fn is_closed(token: Token<'_>) -> bool {
    matches!(token.kind(), TokenKind::Word | TokenKind::String)
}

fn names(tree: &Tree) -> impl Iterator<Item = Token<'_>> {
    tree.puzzles().filter_map(Puzzle::name).filter(|t| is_closed(*t))
}

/// The string of a `source` or a `note`.
fn mention(node: PropertyNode<'_>) -> Option<Token<'_>> {
    match (node.name()?, node.value()?) {
        (Property::Source | Property::Note, Value::String(token)) if is_closed(token) => Some(token),
        _ => None,
    }
}

fn tokens_of<'t>(tree: &'t Tree, name: &str) -> Vec<Token<'t>> {
    let mut found = Vec::new();
    let mut named = false;
    for node in tree.root().children() {
        let own =
            Puzzle::cast(node).and_then(Puzzle::name).filter(|t| is_closed(*t) && t.content().0 == name);
        named |= own.is_some();
        found.extend(own);
        let properties = node.children().chain([node]).filter_map(PropertyNode::cast);
        found.extend(properties.filter_map(mention).filter(|t| t.content().0 == name));
    }
    if !named {
        found.clear();
    }
    found
}
