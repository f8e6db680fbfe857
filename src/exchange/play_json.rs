//! The play of a chess problem: as `solve --tree` finds it, and as it is written.

use serde::Serialize;

use cpz_check::analysis::{ProblemPlay, WrittenPlay, WrittenStep};
use cpz_rules::games::{
    Attack, ChessMove, Defence, Key, NamedMove, Position, Stipulation, Try, after_in_sequence, after_move,
    legal_moves, san,
};

/// The trees below the keys, and the tries.
#[derive(Serialize)]
pub struct PlayDocument {
    /// One tree for each key.
    tree: Vec<AttackDocument>,
    tries: Vec<TryDocument>,
    /// What the attacker has ready for each move of the other side, if that had to move first.
    set_play: Vec<DefenceDocument>,
    /// Whether nothing is missing in the trees and tries.
    tree_complete: bool,
}

/// A move of the attacker.
#[derive(Serialize)]
struct AttackDocument {
    #[serde(rename = "move")]
    mv: MoveDocument,
    /// `!` for a key.
    #[serde(skip_serializing_if = "Option::is_none")]
    mark: Option<&'static str>,
    /// The moves that it needs at most, itself included.
    mates: u8,
    /// What it threatens; with nothing and without a check it is zugzwang.
    threat: Vec<AttackDocument>,
    zugzwang: bool,
    defences: Vec<DefenceDocument>,
}

/// A reply, with all moves that go on to the goal.
#[derive(Serialize)]
struct DefenceDocument {
    #[serde(rename = "move")]
    mv: MoveDocument,
    /// `!` for a refutation.
    #[serde(skip_serializing_if = "Option::is_none")]
    mark: Option<&'static str>,
    answers: Vec<AttackDocument>,
}

#[derive(Serialize)]
struct MoveDocument {
    san: String,
    uci: String,
}

/// A first move that one reply refutes.
#[derive(Serialize)]
struct TryDocument {
    san: String,
    uci: String,
    /// The refutation in SAN.
    refutation: String,
    /// The same as a part of the tree.
    #[serde(rename = "move")]
    mv: MoveDocument,
    mark: &'static str,
    /// The refutation alone.
    defences: Vec<DefenceDocument>,
}

/// A move of solutions that are whole sequences. Solutions that begin alike share their first moves.
#[derive(Serialize)]
pub struct StepDocument {
    #[serde(rename = "move")]
    mv: MoveDocument,
    /// What follows it in the solutions.
    next: Vec<StepDocument>,
}

pub fn play_document(play: &ProblemPlay) -> PlayDocument {
    let position = &play.position;
    let waiting = Position { turn: position.turn.other(), ..position.clone() };
    let set_play = play.set_play.iter().map(|set| {
        let after = after_move(&waiting, set.mv);
        let answers = set.answers.iter().map(|key| leaf(&after, key)).collect();
        DefenceDocument { mv: named(&waiting, set.mv), mark: None, answers }
    });
    let key = |key: &Attack| AttackDocument { mark: Some("!"), ..attack(position, key) };
    PlayDocument {
        tree: play.keys.iter().map(|tree| key(&tree.key)).collect(),
        tries: play.tries.tries.iter().map(|found| try_document(position, found)).collect(),
        set_play: set_play.collect(),
        tree_complete: play.complete,
    }
}

fn attack(position: &Position, attack: &Attack) -> AttackDocument {
    let after = after_move(position, attack.mv);
    // As if the other side had passed.
    let passed = Position { turn: position.turn, ..after.clone() };
    AttackDocument {
        mv: named(position, attack.mv),
        mark: None,
        mates: attack.mates,
        threat: attack.threats.iter().map(|key| leaf(&passed, key)).collect(),
        zugzwang: attack.zugzwang,
        defences: attack.defences.iter().map(|d| defence(&after, d)).collect(),
    }
}

/// A move of the attacker without what follows it.
fn leaf(position: &Position, key: &Key) -> AttackDocument {
    AttackDocument {
        mv: named(position, key.mv),
        mark: None,
        mates: key.mates,
        threat: Vec::new(),
        zugzwang: false,
        defences: Vec::new(),
    }
}

fn defence(position: &Position, defence: &Defence) -> DefenceDocument {
    let after = after_move(position, defence.mv);
    DefenceDocument {
        mv: named(position, defence.mv),
        mark: None,
        answers: defence.answers.iter().map(|a| attack(&after, a)).collect(),
    }
}

fn named(position: &Position, mv: ChessMove) -> MoveDocument {
    MoveDocument { san: san(position, mv), uci: mv.uci() }
}

fn try_document(position: &Position, found: &Try) -> TryDocument {
    let after = after_move(position, found.mv);
    let refutation = named(&after, found.refutation);
    TryDocument {
        san: san(position, found.mv),
        uci: found.mv.uci(),
        refutation: refutation.san.clone(),
        mv: named(position, found.mv),
        mark: "?",
        defences: vec![DefenceDocument { mv: refutation, mark: Some("!"), answers: Vec::new() }],
    }
}

/// The tree of solutions that are whole sequences: where they begin alike, their moves are there once. Behind the last move
/// of self play stand the replies that it forces.
pub fn sequence_tree(
    start: &Position,
    asked: Stipulation,
    solutions: &[Vec<NamedMove>],
) -> Vec<StepDocument> {
    let lines: Vec<&[NamedMove]> = solutions.iter().map(Vec::as_slice).collect();
    steps(start, asked, &lines, 0)
}

/// What follows in lines whose first `ply` moves are made.
fn steps(position: &Position, asked: Stipulation, lines: &[&[NamedMove]], ply: usize) -> Vec<StepDocument> {
    let mut steps = Vec::new();
    let mut rest = lines;
    while let Some(first) = rest.first().and_then(|line| line.get(ply)) {
        // Solutions are in the order of their moves, so that those with the same beginning stand together.
        let same = rest.partition_point(|line| line.get(ply).is_some_and(|mv| mv.uci == first.uci));
        let (group, others) = rest.split_at(same);
        let made = legal_moves(position).into_iter().find(|mv| mv.uci() == first.uci);
        let next = made.map_or(Vec::new(), |mv| {
            let after = after_in_sequence(position, asked, mv, ply);
            match group.iter().any(|line| line.len() > ply + 1) {
                true => self::steps(&after, asked, group, ply + 1),
                false if asked.play().is_against_itself() => forced(&after),
                false => Vec::new(),
            }
        });
        let mv = MoveDocument { san: first.san.clone(), uci: first.uci.clone() };
        steps.push(StepDocument { mv, next });
        rest = others;
    }
    steps
}

/// The replies of which each reaches the goal.
fn forced(position: &Position) -> Vec<StepDocument> {
    let replies = legal_moves(position).into_iter();
    replies.map(|mv| StepDocument { mv: named(position, mv), next: Vec::new() }).collect()
}

/// The written solution of a problem. A move is as in the document of `solve --tree`, without what only a search knows.
#[derive(Serialize)]
pub struct WrittenDocument {
    /// The keys and tries, or the first moves of the solutions.
    tree: Vec<WrittenMoveDocument>,
    /// What is written as play in which the side to move passes.
    set_play: Vec<WrittenMoveDocument>,
    /// Whether it has every move of the text.
    complete: bool,
}

#[derive(Serialize)]
struct WrittenMoveDocument {
    #[serde(rename = "move")]
    mv: WrittenNameDocument,
    #[serde(skip_serializing_if = "Option::is_none")]
    mark: Option<char>,
    #[serde(flatten)]
    following: FollowingDocument,
}

#[derive(Serialize)]
struct WrittenNameDocument {
    san: String,
    /// Nothing for `~`, which stands for several moves.
    uci: Option<String>,
}

/// What follows a move of the side that begins, a reply, and a move of a sequence.
#[derive(Serialize)]
#[serde(untagged)]
enum FollowingDocument {
    Attack { threat: Vec<WrittenMoveDocument>, zugzwang: bool, defences: Vec<WrittenMoveDocument> },
    Defence { answers: Vec<WrittenMoveDocument> },
    Sequence { next: Vec<WrittenMoveDocument> },
}

/// The document of a written solution, whose solutions are sequences or trees.
pub fn written_document(play: WrittenPlay, has_sequences: bool) -> WrittenDocument {
    let (set_play, tree) = written_moves(play.steps, has_sequences);
    WrittenDocument { tree, set_play, complete: play.complete }
}

/// The moves before which the other side passes, and the others.
fn written_moves(
    steps: Vec<WrittenStep>,
    has_sequences: bool,
) -> (Vec<WrittenMoveDocument>, Vec<WrittenMoveDocument>) {
    let (passed, others): (Vec<_>, Vec<_>) = steps.into_iter().partition(|step| step.after_pass);
    let all = |steps: Vec<WrittenStep>| steps.into_iter().map(|step| written_move(step, has_sequences));
    (all(passed).collect(), all(others).collect())
}

fn written_move(step: WrittenStep, has_sequences: bool) -> WrittenMoveDocument {
    let (threat, next) = written_moves(step.next, has_sequences);
    let following = match step.ply % 2 {
        _ if has_sequences => FollowingDocument::Sequence { next },
        0 => FollowingDocument::Attack { threat, zugzwang: step.zugzwang, defences: next },
        _ => FollowingDocument::Defence { answers: next },
    };
    let mv = WrittenNameDocument { san: step.san, uci: step.uci };
    WrittenMoveDocument { mv, mark: step.mark, following }
}
