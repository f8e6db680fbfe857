//! The facts of a chess problem.

use crate::analysis::{Options, PlayParts, play_of};
use cpz_rules::games::{
    Attack, ChessMove, Position, Sequences, Status, Stipulation, Undecided, after_in_sequence, after_move,
    find_keys, find_sequences, gives_check_too_early, legal_moves, status_of,
};

/// The most keys that are searched to their ends.
const MAX_KEYS: usize = 8;

/// What makes a chess problem easy or hard.
#[derive(Clone, Debug, PartialEq)]
pub struct ProblemFacts {
    /// The length as it is written: `2`, `2.5`.
    pub length: String,
    /// The legal first moves.
    pub first_moves: u32,
    /// The keys, or the solutions of a helpmate.
    pub keys: u32,
    /// The first moves that give check.
    pub checks: u32,
    /// The first moves that exactly one reply refutes; `None` in helpmates, and if the budget ran out.
    pub tries: Option<u32>,
    /// How the first key looks, or the first move of the first solution; `None` without one.
    pub key: Option<KeyKind>,
    /// The chance, 0 to 1, that a player solves it who chooses each move at random among the legal ones, against the
    /// best defence; in a helpmate both sides play so. `None` if the budget ran out.
    pub chance: Option<f64>,
}

/// How a key looks. Of two that fit the later one counts, but a check is a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyKind {
    /// It gives check.
    Check,
    /// It captures.
    Capture,
    /// It does none of this.
    Quiet,
    /// It does not capture, and the piece that moved, no pawn, can be captured.
    Sacrifice,
}

/// The word of a kind of key.
pub fn key_words(key: KeyKind) -> &'static str {
    ["check", "capture", "quiet", "sacrifice"][key as usize]
}

/// The facts of a problem that begins with `position`.
pub(in crate::authoring) fn facts_of_problem(
    position: &Position,
    asked: Stipulation,
    options: &Options,
) -> Result<ProblemFacts, Undecided> {
    let moves = moves_of(position, asked, 0);
    let gives_check =
        |mv: &&ChessMove| matches!(status_of(&after_move(position, **mv)), Status::Check | Status::Checkmate);
    let mut facts = ProblemFacts {
        length: asked.length(),
        first_moves: moves.len() as u32,
        keys: 0,
        checks: moves.iter().filter(gives_check).count() as u32,
        tries: None,
        key: None,
        chance: None,
    };
    if asked.play().has_sequences() {
        let found = options.search_beside(options.nodes, |budget| find_sequences(position, asked, budget))?;
        let Sequences { solutions, complete, .. } = found;
        facts.keys = solutions.len() as u32;
        facts.key = solutions.first().and_then(|line| line.first()).map(|&mv| kind_of(position, mv));
        facts.chance = complete
            .then(|| solutions.iter().map(|line| chance_of_line(position, asked, line)).sum::<f64>() + 0.0);
        return if complete { Ok(facts) } else { Err(Undecided::Budget) };
    }
    let found = options.search_beside(options.nodes, |budget| find_keys(position, asked, budget))?;
    if !found.complete {
        return Err(Undecided::Budget);
    }
    facts.keys = found.keys.len() as u32;
    facts.key = found.keys.first().map(|key| kind_of(position, key.mv));
    if found.keys.is_empty() {
        facts.chance = Some(0.0);
    }
    if let Some(play) = play_of(position.clone(), asked, MAX_KEYS, PlayParts::All, options) {
        facts.tries = play.tries.complete.then_some(play.tries.tries.len() as u32);
        if play.complete {
            let keys: Vec<&Attack> = play.keys.iter().map(|tree| &tree.key).collect();
            facts.chance = Some(chance_of_attacks(position, &keys));
        }
    }
    Ok(facts)
}

fn kind_of(position: &Position, mv: ChessMove) -> KeyKind {
    let after = after_move(position, mv);
    let captures = position.board.count() > after.board.count();
    let is_pawn = position.board.at(mv.from).is_some_and(|p| p.kind == cpz_rules::board::Kind::Pawn);
    match () {
        () if matches!(status_of(&after), Status::Check | Status::Checkmate) => KeyKind::Check,
        () if captures => KeyKind::Capture,
        () if !is_pawn && legal_moves(&after).iter().any(|reply| reply.to == mv.to) => KeyKind::Sacrifice,
        () => KeyKind::Quiet,
    }
}

/// The moves that a problem allows: only the last one of a series may give check. `index` is the 0-based index of the move.
fn moves_of(position: &Position, asked: Stipulation, index: usize) -> Vec<ChessMove> {
    let mut moves = legal_moves(position);
    moves.retain(|&mv| !gives_check_too_early(position, asked, mv, index));
    moves
}

/// The chance that random moves of both sides are those of a line.
fn chance_of_line(position: &Position, asked: Stipulation, line: &[ChessMove]) -> f64 {
    let mut position = position.clone();
    let mut chance = 1.0;
    for (index, &mv) in line.iter().enumerate() {
        chance /= moves_of(&position, asked, index).len().max(1) as f64;
        position = after_in_sequence(&position, asked, mv, index);
    }
    chance
}

/// The chance that random moves of the attacker reach the goal; `attacks` are all moves that force it.
fn chance_of_attacks(position: &Position, attacks: &[&Attack]) -> f64 {
    let legal = legal_moves(position).len().max(1) as f64;
    attacks.iter().map(|attack| chance_after(&after_move(position, attack.mv), attack)).sum::<f64>() / legal
}

/// The same after a move of the attacker: the defender chooses the reply that leaves the least chance.
fn chance_after(position: &Position, attack: &Attack) -> f64 {
    let mut least = 1.0f64;
    for defence in &attack.defences {
        // A selfmate that the reply has completed.
        if defence.mates == 0 {
            continue;
        }
        let answers: Vec<&Attack> = defence.answers.iter().collect();
        least = least.min(chance_of_attacks(&after_move(position, defence.mv), &answers));
    }
    least
}
