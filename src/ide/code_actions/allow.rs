//! Silencing a finding by `allow`.

use crate::text_edit::apply;
use cpz_check::analysis::insert_property;
use cpz_text::diagnostic::{Code, Edit, LineEnd, Span};
use cpz_text::syntax::{Element, Property, PropertyNode, Puzzle, TokenKind, Tree, Value, parse, set_apart};

/// The edit that allows a code in a puzzle: another word of its `allow`, or a property of its own. `None` if the puzzle
/// would not be read with the word, because of errors around it.
pub fn allow_in_puzzle(puzzle: Puzzle<'_>, code: Code) -> Option<Edit> {
    let tree = puzzle.node().tree();
    puzzle.node().tokens().find(|t| t.kind() == TokenKind::LBrace)?;
    let edit = merged(puzzle.properties(), code).unwrap_or_else(|| {
        let edit = insert_property(puzzle, &format!("allow {}", code.name()));
        // Before a board it ends with the white space that the board has.
        if edit.text.ends_with(char::is_whitespace) {
            return edit;
        }
        Edit { text: set_apart(tree.text(), edit.span.end, edit.text), ..edit }
    });
    let nth = tree.puzzles().position(|p| p.span() == puzzle.span())?;
    let changed = parse(apply(tree.text(), std::slice::from_ref(&edit)));
    let added = allows_more(puzzle.properties(), changed.puzzles().nth(nth)?.properties(), code);
    (added && is_as_before(tree, &changed)).then_some(edit)
}

/// The edit that allows a code for all puzzles of a file: another word of an `allow` above the first puzzle, or a line
/// of its own there. `top` is the file up to the end of its first puzzle, or more of it. `None` if the file would not
/// be read with it, because of errors around it.
pub fn allow_in_file(top: &Tree, code: Code) -> Option<Edit> {
    let first = top.puzzles().next();
    let is_above = |at: Span| first.is_none_or(|p| at.start < p.span().start);
    let properties = || top.root().children().filter_map(PropertyNode::cast).filter(|p| is_above(p.span()));
    let edit = merged(properties(), code).unwrap_or_else(|| {
        let end = LineEnd::of(top.text()).as_str();
        let described = first.map_or(0, Puzzle::described_from);
        // With the other defaults, or as the first of them above the description of the first puzzle.
        let (at, gap) = match properties().next() {
            Some(property) => (property.span().start, ""),
            None => (described, end),
        };
        let line = top.text()[..at as usize].rfind(['\n', '\r']).map_or(0, |i| i + 1);
        let at = if top.text()[line..at as usize].trim().is_empty() { line as u32 } else { at };
        Edit { span: Span::at(at), text: format!("allow {}{end}{gap}", code.name()) }
    });
    let changed = parse(apply(top.text(), std::slice::from_ref(&edit)));
    fn above(tree: &Tree) -> impl Iterator<Item = PropertyNode<'_>> {
        tree.root().children().filter_map(PropertyNode::cast)
    }
    let added = allows_more(above(top), above(&changed), code);
    (added && is_as_before(top, &changed)).then_some(edit)
}

/// Whether properties allow a code that they did not, and nothing else: a word that stands behind the new one without belonging
/// to it, as in `allow CODE bo ard`, would become a code too.
fn allows_more<'a, 'b>(
    before: impl Iterator<Item = PropertyNode<'a>>,
    after: impl Iterator<Item = PropertyNode<'b>>,
    code: Code,
) -> bool {
    let old = before.map(|p| words(p).len()).sum::<usize>();
    let new: Vec<_> = after.flat_map(words).map(|(word, _)| word).collect();
    new.len() == old + 1 && new.contains(&code.name())
}

/// Adds a word to the last `allow` that has one.
fn merged<'t>(properties: impl Iterator<Item = PropertyNode<'t>>, code: Code) -> Option<Edit> {
    let (property, words) =
        properties.map(|p| (p, words(p))).filter(|(_, words)| !words.is_empty()).last()?;
    let (first, last) = (words.first()?.1, words.last()?.1);
    if matches!(property.value(), Some(Value::Lists(_))) {
        return Some(Edit { span: Span::at(last.end), text: format!(", {}", code.name()) });
    }
    let span = first.cover(last);
    let text = &property.node().tree().text()[span.range()];
    Some(Edit { span, text: format!("[{text}, {}]", code.name()) })
}

/// The words of an `allow` without quotes, and their places with quotes; empty for another property.
fn words(property: PropertyNode<'_>) -> Vec<(&str, Span)> {
    if property.name() != Some(Property::Allow) {
        return Vec::new();
    }
    let elements = property.value().map_or(Vec::new(), Value::elements);
    let word = |element| match element {
        Element::Word(t) | Element::String(t) => Some((t.content().0, t.span())),
        Element::List(_) => None,
    };
    elements.into_iter().map_while(word).collect()
}

/// Whether a tree has the puzzles of another one and no more syntax errors.
fn is_as_before(before: &Tree, after: &Tree) -> bool {
    before.puzzles().count() == after.puzzles().count() && after.errors().len() <= before.errors().len()
}
