//! The properties that describe a puzzle, its own and those of its file.

use rustc_hash::FxHashSet;
use serde_json::Value as Json;

use cpz_text::syntax::{Element, GameId, Property, PropertyNode, Puzzle, Value};

/// The most properties of a file that its puzzles get: a copy of them is kept for each of the puzzles in memory.
const MAX_INHERITED: usize = 100;

/// The properties of a file that are defaults for the puzzles below them. Of several of one name the last counts, but
/// those that no puzzle parts count together: two authors at the top of a file are two authors.
#[derive(Clone, Default)]
pub(crate) struct Inherited<'a> {
    nodes: Vec<PropertyNode<'a>>,
    /// How many of the nodes were there before the last puzzle.
    old: usize,
    /// Whether there were more than [`MAX_INHERITED`].
    is_cut: bool,
}

impl<'a> Inherited<'a> {
    /// Adds a property of the file.
    pub fn add(&mut self, node: PropertyNode<'a>) {
        if node.custom_name().is_none() && !node.name().is_some_and(describes) {
            return;
        }
        let old = if adds_up(node) { 0 } else { self.old };
        let mut index = 0;
        self.nodes.retain(|known| {
            let keep = index >= old || !is_same_name(*known, node);
            self.old -= usize::from(index < old && !keep);
            index += 1;
            keep
        });
        match self.nodes.len() < MAX_INHERITED {
            true => self.nodes.push(node),
            false => self.is_cut = true,
        }
    }

    /// Whether all properties stand above a puzzle.
    pub fn is_closed(&self) -> bool {
        self.old == self.nodes.len()
    }

    /// Marks that a puzzle follows the properties.
    pub fn close(&mut self) {
        self.old = self.nodes.len();
    }
}

fn is_same_name(a: PropertyNode<'_>, b: PropertyNode<'_>) -> bool {
    a.custom_name() == b.custom_name() && a.name() == b.name()
}

/// Whether a property of a file says something about its puzzles that no answer of cpz depends on.
fn describes(name: Property) -> bool {
    use Property as P;
    matches!(
        name,
        P::Author | P::Source | P::Note | P::Hint | P::Difficulty | P::Tags | P::Allow | P::Condition
    )
}

/// Whether a property of a puzzle adds to that of its file.
fn adds_up(node: PropertyNode<'_>) -> bool {
    node.name() == Some(Property::Allow)
}

/// The properties that describe a puzzle.
pub(crate) struct Properties<'a> {
    nodes: Vec<PropertyNode<'a>>,
    /// Whether the file has more properties than a puzzle gets.
    pub is_cut: bool,
}

impl<'a> Properties<'a> {
    /// Those of a puzzle, and those of its file that it does not have itself.
    pub fn of(puzzle: Puzzle<'a>, inherited: &Inherited<'a>) -> Properties<'a> {
        let own: Vec<PropertyNode<'a>> = puzzle.properties().collect();
        let is_own = |node: &PropertyNode<'a>| own.iter().any(|o| is_same_name(*o, *node));
        let fits = |node: &PropertyNode<'a>| {
            node.name() != Some(Property::Condition) || puzzle.game() == Some(GameId::Chess)
        };
        let mut nodes: Vec<PropertyNode<'a>> =
            inherited.nodes.iter().filter(|n| fits(n) && (adds_up(**n) || !is_own(n))).copied().collect();
        nodes.extend(own);
        Properties { nodes, is_cut: inherited.is_cut }
    }

    /// The names of the properties that the language has, in order; each as often as it is given.
    pub fn names(&self) -> impl Iterator<Item = Property> {
        self.nodes.iter().filter_map(|node| node.name())
    }

    /// The values of a property, in order.
    pub fn values(&self, name: Property) -> impl Iterator<Item = Value<'a>> {
        self.nodes.iter().filter(move |n| n.name() == Some(name)).filter_map(|n| n.value())
    }

    /// The texts of a property, in order. Those of a list are one after the other.
    pub fn texts(&self, name: Property) -> Vec<String> {
        self.values(name).flat_map(Value::elements).map(element_text).collect()
    }

    /// The custom properties with their values, in order; of two with one name the first.
    pub fn custom(&self) -> Vec<(&'a str, Json)> {
        let mut seen = FxHashSet::default();
        let named = self.nodes.iter().filter_map(|node| node.custom_name().zip(node.value()));
        let first = named.filter(|(name, _)| seen.insert(*name));
        first.map(|(name, value)| (name, json_value(value))).collect()
    }
}

/// A value as it is written: the text of a word or a string, or a list of values.
pub(super) fn json_value(value: Value<'_>) -> Json {
    match value.scalar() {
        Some((text, _)) => Json::String(text.to_string()),
        None => Json::Array(value.elements().into_iter().map(json_element).collect()),
    }
}

fn json_element(element: Element<'_>) -> Json {
    match element {
        Element::List(node) => Json::Array(node.elements().map(json_element).collect()),
        Element::Word(token) | Element::String(token) => Json::String(token.content().0.to_string()),
    }
}

/// The text of a word or a string; a list as it is written.
fn element_text(element: Element<'_>) -> String {
    match element {
        Element::List(node) => node.text().to_string(),
        Element::Word(token) | Element::String(token) => token.content().0.to_string(),
    }
}

/// A value of JSON in one line: `pin, fork`.
pub(crate) fn in_one_line(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        Json::Array(all) => all.iter().map(in_one_line).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}
