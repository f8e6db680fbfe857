//! The puzzles of a text with what is printed of them besides the board: name, author, source, hints and so on.

use cpz_check::analysis::{Bound, Defaults, bind_one, puzzles};
use cpz_text::diagnostic::Span;
use cpz_text::syntax::{Element, Property, PropertyNode, Puzzle, Tree, Value};

/// A puzzle of a text.
pub struct Entry<'t> {
    /// The puzzle.
    pub puzzle: Puzzle<'t>,
    /// The properties in force for it.
    pub defaults: Defaults,
    /// Its properties and its board; `None` if its game is unknown.
    pub bound: Option<Bound<'t>>,
    /// Its `id`.
    pub id: Option<&'t str>,
    /// Its name, without quotes.
    pub name: Option<&'t str>,
    /// Its authors, or those of a default above it.
    pub authors: Vec<&'t str>,
    /// Its sources, or those of a default above it.
    pub sources: Vec<&'t str>,
    /// Its `x-year`, or else its `x-date`.
    pub year: Option<&'t str>,
    /// Its `x-award`: the distinction and the tourney.
    pub award: Option<&'t str>,
    /// Its `difficulty`.
    pub difficulty: Option<&'t str>,
    /// Its hints, mildest first.
    pub hints: Vec<&'t str>,
    /// Its tags, or those of a default above it.
    pub tags: Vec<&'t str>,
}

/// Properties that may be a default for the puzzles below them.
const INHERITED: [Property; 4] = [Property::Author, Property::Source, Property::Difficulty, Property::Tags];

/// The puzzles of a text in order. `base` are the configured defaults.
pub fn entries(tree: &Tree, base: Defaults) -> Vec<Entry<'_>> {
    let mut inherited: Vec<Vec<PropertyNode<'_>>> = vec![Vec::new(); INHERITED.len()];
    let mut above: Option<Property> = None;
    let mut all = Vec::new();
    let mut with_defaults = puzzles(tree, base);
    for node in tree.root().children() {
        if let Some(property) = PropertyNode::cast(node) {
            // Of several in a row all count; one further down replaces them.
            if let Some(index) = INHERITED.iter().position(|&name| Some(name) == property.name()) {
                if above != property.name() {
                    inherited[index].clear();
                }
                inherited[index].push(property);
            }
            above = property.name();
        } else if Puzzle::cast(node).is_some() {
            above = None;
            let Some((puzzle, defaults)) = with_defaults.next() else { break };
            all.push(entry(puzzle, defaults, &inherited));
        }
    }
    all
}

fn entry<'t>(puzzle: Puzzle<'t>, defaults: Defaults, inherited: &[Vec<PropertyNode<'t>>]) -> Entry<'t> {
    let of = |name: Property| -> Vec<&'t str> {
        let own: Vec<PropertyNode<'t>> = puzzle.properties().filter(|p| p.name() == Some(name)).collect();
        let default = INHERITED.iter().position(|&n| n == name).map_or(&[][..], |i| &inherited[i]);
        let nodes = if own.is_empty() { default } else { &own };
        nodes.iter().filter_map(|node| node.value()).flat_map(texts).collect()
    };
    let custom = |name: &str| {
        let node = puzzle.properties().find(|p| p.custom_name() == Some(name))?;
        node.value().and_then(Value::scalar).map(|(text, _)| text).filter(|text| !text.trim().is_empty())
    };
    let name = puzzle.name().map(|token| token.content().0).filter(|name| !name.trim().is_empty());
    Entry {
        bound: bind_one(puzzle, defaults),
        puzzle,
        defaults,
        id: of(Property::Id).first().copied(),
        name,
        authors: of(Property::Author),
        sources: of(Property::Source),
        year: custom("x-year").or_else(|| custom("x-date")),
        award: custom("x-award"),
        difficulty: of(Property::Difficulty).first().copied(),
        hints: of(Property::Hint),
        tags: of(Property::Tags),
    }
}

/// The words and strings of a value that are not blank.
fn texts(value: Value<'_>) -> Vec<&str> {
    let mut all = Vec::new();
    for element in value.elements() {
        if let Element::Word(token) | Element::String(token) = element {
            all.push(token.content().0.trim());
        }
    }
    all.retain(|text| !text.is_empty());
    all
}

impl Entry<'_> {
    /// The puzzle in the text.
    pub fn span(&self) -> Span {
        self.puzzle.span()
    }
}
