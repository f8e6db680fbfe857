//! The play of a chess problem in the document of `solve --tree`.

use serde::Serialize;

use cpz_check::analysis::ProblemPlay;
use cpz_rules::games::{Attack, ChessMove, Defence, Key, Position, Try, after_move, san};

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
    san: String,
    uci: String,
    /// The moves that it needs at most, itself included.
    mates: u8,
    /// What it threatens; with none and without a check it is zugzwang.
    threats: Vec<MoveDocument>,
    zugzwang: bool,
    defences: Vec<DefenceDocument>,
}

/// A reply, with all moves that go on to the goal.
#[derive(Serialize)]
struct DefenceDocument {
    san: String,
    uci: String,
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
}

pub fn play_document(play: &ProblemPlay) -> PlayDocument {
    let position = &play.position;
    let waiting = Position { turn: position.turn.other(), ..position.clone() };
    let set_play = play.set_play.iter().map(|set| {
        let after = after_move(&waiting, set.mv);
        let answers = set.answers.iter().map(|key| leaf(&after, key)).collect();
        DefenceDocument { san: san(&waiting, set.mv), uci: set.mv.uci(), answers }
    });
    PlayDocument {
        tree: play.keys.iter().map(|tree| attack(position, &tree.key)).collect(),
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
        san: san(position, attack.mv),
        uci: attack.mv.uci(),
        mates: attack.mates,
        threats: attack.threats.iter().map(|key| named(&passed, key.mv)).collect(),
        zugzwang: attack.zugzwang,
        defences: attack.defences.iter().map(|d| defence(&after, d)).collect(),
    }
}

fn leaf(position: &Position, key: &Key) -> AttackDocument {
    AttackDocument {
        san: san(position, key.mv),
        uci: key.mv.uci(),
        mates: key.mates,
        threats: Vec::new(),
        zugzwang: false,
        defences: Vec::new(),
    }
}

fn defence(position: &Position, defence: &Defence) -> DefenceDocument {
    let after = after_move(position, defence.mv);
    DefenceDocument {
        san: san(position, defence.mv),
        uci: defence.mv.uci(),
        answers: defence.answers.iter().map(|a| attack(&after, a)).collect(),
    }
}

fn named(position: &Position, mv: ChessMove) -> MoveDocument {
    MoveDocument { san: san(position, mv), uci: mv.uci() }
}

fn try_document(position: &Position, found: &Try) -> TryDocument {
    let after = after_move(position, found.mv);
    TryDocument {
        san: san(position, found.mv),
        uci: found.mv.uci(),
        refutation: san(&after, found.refutation),
    }
}
