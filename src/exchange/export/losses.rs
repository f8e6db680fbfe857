//! What a format cannot hold, counted by kind: nothing is dropped in silence.

use std::collections::BTreeMap;

use crate::export::source::ExportPuzzle;
use cpz_rules::games::Dialect;
use cpz_text::syntax::{Property, Verb};

/// A part of a puzzle that a format may have no place for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    Name,
    Id,
    Author,
    Source,
    Note,
    Hint,
    Difficulty,
    Tags,
    Custom,
    Description,
    InnerComments,
    Remarks,
    Dialect,
    Unique,
    Solutions,
    Condition,
    ZeroPosition,
    Allow,
}

impl Part {
    const ALL: [Part; 18] = [
        Part::Name,
        Part::Id,
        Part::Author,
        Part::Source,
        Part::Note,
        Part::Hint,
        Part::Difficulty,
        Part::Tags,
        Part::Custom,
        Part::Description,
        Part::InnerComments,
        Part::Remarks,
        Part::Dialect,
        Part::Unique,
        Part::Solutions,
        Part::Condition,
        Part::ZeroPosition,
        Part::Allow,
    ];

    /// The property that it is, if it is one with texts.
    fn property(self) -> Option<Property> {
        match self {
            Part::Author => Some(Property::Author),
            Part::Source => Some(Property::Source),
            Part::Note => Some(Property::Note),
            Part::Hint => Some(Property::Hint),
            Part::Difficulty => Some(Property::Difficulty),
            Part::Tags => Some(Property::Tags),
            Part::Condition => Some(Property::Condition),
            Part::Allow => Some(Property::Allow),
            _ => None,
        }
    }

    /// What a message calls it.
    fn words(self) -> &'static str {
        match self {
            Part::Name => "the name",
            Part::Id => "the `id`",
            Part::Author => "the author",
            Part::Source => "the source",
            Part::Note => "the note",
            Part::Hint => "the hints",
            Part::Difficulty => "the difficulty",
            Part::Tags => "the tags",
            Part::Custom => "the `x-` properties",
            Part::Description => "the description",
            Part::InnerComments => "the comments inside",
            Part::Remarks => "the remarks",
            Part::Dialect => "the `rules`",
            Part::Unique => "the `unique`",
            Part::Solutions => "the `solutions`",
            Part::Condition => "the condition",
            Part::ZeroPosition => "the `zeroposition`",
            Part::Allow => "the `allow`",
        }
    }

    /// Whether a puzzle has it.
    fn is_in(self, puzzle: &ExportPuzzle<'_>) -> bool {
        let settings = puzzle.bound.as_ref().map(|b| &b.settings);
        match self {
            Part::Name => puzzle.name().is_some(),
            Part::Id => puzzle.id().is_some(),
            Part::Custom => !puzzle.properties.custom().is_empty(),
            Part::Description => !puzzle.description().is_empty(),
            Part::InnerComments => puzzle.has_inner_comments(),
            Part::Remarks => puzzle.queries.iter().any(|q| q.remark.is_some()),
            Part::Dialect => puzzle.dialect().is_some_and(|d| d != Dialect::Default),
            Part::Unique => settings.is_some_and(|s| s.unique.is_some()),
            Part::Solutions => settings.is_some_and(|s| s.solutions.is_some()),
            Part::ZeroPosition => puzzle.puzzle.has_property(Property::ZeroPosition),
            part => part.property().is_some_and(|p| puzzle.properties.values(p).next().is_some()),
        }
    }

    /// Whether a text of it has a control character, which is no part of a line.
    fn has_control(self, puzzle: &ExportPuzzle<'_>) -> bool {
        let is_in = |text: &str| text.contains(|c: char| c.is_control() && c != '\t');
        match self {
            Part::Name => puzzle.name().is_some_and(is_in),
            Part::Id => puzzle.id().is_some_and(is_in),
            part => {
                part.property().is_some_and(|p| puzzle.properties.texts(p).iter().any(|text| is_in(text)))
            }
        }
    }
}

/// What was not exported, each kind with the number of puzzles. Each puzzle counts its own, once for each kind, before they
/// are added.
#[derive(Clone, Debug, Default)]
pub struct Losses {
    left_out: BTreeMap<String, usize>,
    parts: BTreeMap<(u8, String), usize>,
    notes: BTreeMap<&'static str, usize>,
    /// The answers that a short search did not find, or not as a whole.
    unsearched: usize,
}

/// Said where a written answer is not exported because it is wrong.
pub(super) const CORRECTED: &str = "with the verified answer, since the written one does not hold";

impl Losses {
    /// Counts a puzzle that is left out; the reason is the rest of a sentence: `EPD is for chess`.
    pub(super) fn leave_out(&mut self, reason: &str) {
        *self.left_out.entry(reason.to_string()).or_default() += 1;
    }

    /// Counts the parts of a puzzle that are not in `kept`.
    pub(super) fn all_but(&mut self, puzzle: &ExportPuzzle<'_>, kept: &[Part]) {
        let lost: Vec<Part> = Part::ALL.into_iter().filter(|part| !kept.contains(part)).collect();
        self.lost(puzzle, &lost);
        if kept.iter().any(|part| part.has_control(puzzle)) {
            self.note("with a control character that an import does not keep");
        }
    }

    /// Counts those of some parts that a puzzle has.
    pub(super) fn lost(&mut self, puzzle: &ExportPuzzle<'_>, parts: &[Part]) {
        for part in parts.iter().filter(|part| part.is_in(puzzle)) {
            self.parts.insert((*part as u8, part.words().into()), 1);
        }
        if puzzle.properties.is_cut {
            self.other("the properties of the file behind the first 100");
        }
    }

    /// Counts a puzzle for a question that is not exported.
    pub(super) fn question(&mut self, verb: Option<Verb>) {
        let words = match verb {
            None => "a question".into(),
            Some(Verb::Unsolved) => "a question that cpz does not solve".into(),
            Some(verb) => format!("the question `{}`", verb.word()),
        };
        self.other(&words);
    }

    /// Counts something else that a puzzle is exported without: `the written answer`.
    pub(super) fn other(&mut self, words: &str) {
        self.parts.insert((u8::MAX, words.to_string()), 1);
    }

    /// Notes become comments of PGN or PDN, in which a brace would end one.
    pub(super) fn braces_in_notes(&mut self, notes: &[String]) {
        if notes.iter().any(|note| note.contains(['{', '}'])) {
            self.note("with parentheses in the place of braces in a note");
        }
    }

    /// Counts a puzzle that is exported otherwise than it is written: `with the verified answer`.
    pub(super) fn note(&mut self, words: &'static str) {
        self.notes.insert(words, 1);
    }

    /// Counts a puzzle where a text of a property has the semicolon that parts several texts in a format which has one place for
    /// them.
    pub(super) fn parted(&mut self, puzzle: &ExportPuzzle<'_>, names: &[Property]) {
        if names.iter().flat_map(|name| puzzle.properties.texts(*name)).any(|text| text.contains("; ")) {
            self.note("with a source or an author that an import parts at its semicolon");
        }
    }

    /// Counts answers that a short search did not find, or not as a whole.
    pub(super) fn need_search(&mut self, answers: usize) {
        self.unsearched += answers;
    }

    /// Adds what was counted elsewhere.
    pub(super) fn add(&mut self, other: Losses) {
        for (reason, n) in other.left_out {
            *self.left_out.entry(reason).or_default() += n;
        }
        for (part, n) in other.parts {
            *self.parts.entry(part).or_default() += n;
        }
        for (words, n) in other.notes {
            *self.notes.entry(words).or_default() += n;
        }
        self.unsearched += other.unsearched;
    }

    /// How many puzzles were left out.
    pub fn left_out(&self) -> usize {
        self.left_out.values().sum()
    }

    /// One sentence for each kind, without a full stop; first what was left out. `format` is the name of the format.
    pub fn sentences(&self, format: &str) -> Vec<String> {
        let puzzles = |n: usize| if n == 1 { "1 puzzle".to_string() } else { format!("{n} puzzles") };
        let left_out = self.left_out.iter().map(|(reason, &n)| format!("{} left out: {reason}", puzzles(n)));
        let parts = self.parts.iter().map(|((_, words), &n)| {
            format!("not exported: {words} of {}; {format} has no place for it", puzzles(n))
        });
        let notes = self.notes.iter().map(|(words, &n)| format!("{} exported {words}", puzzles(n)));
        left_out.chain(parts).chain(notes).collect()
    }

    /// `2 answers need a longer search`, if some do.
    pub fn open_answers(&self) -> Option<String> {
        match self.unsearched {
            0 => None,
            1 => Some("1 answer needs a longer search".into()),
            n => Some(format!("{n} answers need a longer search")),
        }
    }
}
