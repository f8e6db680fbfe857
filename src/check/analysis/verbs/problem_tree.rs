//! The play of a chess problem: the trees below its keys, tries and set play.

use crate::analysis::binding::Bound;
use crate::analysis::file_report::Options;
use crate::analysis::verbs::parsed_query::ParsedQuery;
use crate::analysis::verbs::problem_position::position_of_question;
use cpz_rules::games::{
    Budget, Key, Position, Prover, SetPlay, SolutionTree, Stipulation, Tries, Undecided, find_keys, set_play,
    solution_tree, tries,
};
use cpz_text::syntax::{Query, Verb};

/// Everything that is worth showing of a mate in n or a selfmate.
#[derive(Clone, Debug)]
pub struct ProblemPlay {
    /// What is asked.
    pub stipulation: Stipulation,
    /// The position that the problem begins with.
    pub position: Position,
    /// A tree for each key, or for the first of them.
    pub keys: Vec<SolutionTree>,
    /// The first moves that exactly one reply refutes.
    pub tries: Tries,
    /// What is ready for each move of the other side, if that had to move first.
    pub set_play: Vec<SetPlay>,
    /// Whether nothing is missing: false if the budget ran out.
    pub complete: bool,
}

impl ProblemPlay {
    /// A play without trees.
    fn new(position: Position, stipulation: Stipulation) -> ProblemPlay {
        ProblemPlay {
            stipulation,
            position,
            keys: Vec::new(),
            tries: Tries { tries: Vec::new(), complete: true },
            set_play: Vec::new(),
            complete: true,
        }
    }

    /// The play of a problem whose solutions are whole sequences: no more than its position.
    pub(crate) fn of_sequences(bound: &Bound<'_>, query: Query<'_>) -> Option<ProblemPlay> {
        let (position, stipulation) = asked_of(bound, query)?;
        stipulation.play().has_sequences().then(|| ProblemPlay::new(position, stipulation))
    }
}

/// The position that a problem begins with, and what is asked.
fn asked_of(bound: &Bound<'_>, query: Query<'_>) -> Option<(Position, Stipulation)> {
    let question = ParsedQuery::question_of(query, bound)?;
    let stipulation = question.stipulation?;
    Some((position_of_question(bound, &bound.position().ok()?, &question)?, stipulation))
}

/// What a query asks of a chess problem; nothing for other queries.
pub fn stipulation_of(bound: &Bound<'_>, query: Query<'_>) -> Option<Stipulation> {
    ParsedQuery::question_of(query, bound)?.stipulation
}

/// What a play has besides the keys.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum PlayParts {
    /// The keys alone.
    Keys,
    /// Tries and set play too, which take longer than the keys.
    All,
}

/// The play of a mate in n or a selfmate; nothing for other queries, and where there is no position. The keys, and
/// everything else, have the node budget of one search each. Trees are made for at most `max_keys` keys.
pub fn problem_play(
    bound: &Bound<'_>,
    query: Query<'_>,
    max_keys: usize,
    parts: PlayParts,
    options: &Options,
) -> Option<ProblemPlay> {
    // The answer of `set-play` is its variations.
    let is_played = query.verb() != Some(Verb::SetPlay) && bound.why_not_asked(query).is_none();
    let (position, stipulation) = asked_of(bound, query).filter(|_| is_played)?;
    play_of(position, stipulation, max_keys, parts, options)
}

/// The play of a mate in n or a selfmate that begins with a position; nothing for helpmates, and if the search was
/// cancelled.
pub fn play_of(
    position: Position,
    stipulation: Stipulation,
    max_keys: usize,
    parts: PlayParts,
    options: &Options,
) -> Option<ProblemPlay> {
    if stipulation.play().has_sequences() {
        return None;
    }
    let find = |budget: &Budget<'_>| find_keys(&position, stipulation, budget);
    let found = options.search(options.nodes, true, find).ok()?;
    let play = ProblemPlay {
        complete: found.complete && found.keys.len() <= max_keys,
        ..ProblemPlay::new(position.clone(), stipulation)
    };
    let keys = &found.keys[..found.keys.len().min(max_keys)];
    options.search(options.nodes, false, |budget| with_parts(play, keys, stipulation, parts, budget))
}

/// A play with the trees of keys, and with the other parts.
fn with_parts(
    mut play: ProblemPlay,
    keys: &[Key],
    stipulation: Stipulation,
    parts: PlayParts,
    budget: &Budget<'_>,
) -> Option<ProblemPlay> {
    let mut prover = Prover::new(stipulation, play.position.turn, budget);
    for key in keys {
        let tree = solution_tree(&mut prover, &play.position, stipulation, key.mv).ok()?;
        play.complete &= tree.complete;
        play.keys.push(tree);
    }
    if parts == PlayParts::Keys {
        return Some(play);
    }
    match set_play(&mut prover, &play.position, stipulation) {
        Ok(found) => play.set_play = found,
        Err(Undecided::Budget) => play.complete = false,
        Err(Undecided::Cancelled) => return None,
    }
    play.tries = tries(&mut prover, &play.position, stipulation).ok()?;
    play.complete &= play.tries.complete;
    Some(play)
}
