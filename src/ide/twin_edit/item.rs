//! A change in the list of a twin, and its words.

use cpz_check::analysis::TwinChange;
use cpz_rules::board::{Colour, Piece, Square, square_name};
use cpz_rules::games::Change;

/// A change of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Item {
    pub change: TwinChange,
    /// The number of the change in the text that it is, or that it takes the place of.
    pub written: Option<usize>,
}

impl Item {
    pub fn new(change: TwinChange) -> Item {
        Item { change, written: None }
    }
}

/// The words of a change of single men or of the side to move.
pub(super) fn words_of(change: TwinChange) -> Vec<String> {
    let name = |square: Square| square_name(square, false);
    let colour = |colour: Colour| colour.name().to_string();
    let words = |words: &[&str]| words.iter().map(|word| word.to_string()).collect::<Vec<_>>();
    let change = match change {
        TwinChange::Turn(turn) => return words(&["turn", &colour(turn)]),
        TwinChange::Stipulation(asked) => return words(&[&asked.in_words()]),
        // A twin with one is not edited.
        TwinChange::Unsolved => return Vec::new(),
        TwinChange::Position(change) => change,
    };
    match change {
        Change::Move(from, to) => words(&[&name(from), "to", &name(to)]),
        Change::Remove(square) => words(&["remove", &name(square)]),
        Change::Add(Piece { colour: side, kind, .. }, square) => {
            words(&["add", &colour(side), kind.name(), &name(square)])
        }
        Change::Exchange(a, b) => words(&["exchange", &name(a), &name(b)]),
        Change::Instead(kind, to, from) => words(&[kind.name(), &name(to), "for", &name(from)]),
        // The others are never written here.
        _ => Vec::new(),
    }
}

/// The changes of a part of the list in words; several that remove a man are one change.
pub(super) fn joined(items: &[Item]) -> String {
    let mut text = String::new();
    let mut removes = false;
    for item in items {
        let words = words_of(item.change);
        let is_remove = is_remove(item);
        match (text.is_empty(), removes && is_remove) {
            (true, _) => text = words.join(" "),
            (false, true) => text = format!("{text} {}", words[1..].join(" ")),
            (false, false) => text = format!("{text}, {}", words.join(" ")),
        }
        removes = is_remove;
    }
    text
}

/// Whether a change takes one man away.
pub(super) fn is_remove(item: &Item) -> bool {
    matches!(item.change, TwinChange::Position(Change::Remove(_)))
}
