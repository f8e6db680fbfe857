//! Answers in JSON documents. Their schema is part of `docs/schema/solve.schema.json`.

use serde::Serialize;

use crate::play_json::{PlayDocument, StepDocument, play_document, sequence_tree};
use cpz_check::analysis::{Outcome, ProblemPlay, QueryReport};
use cpz_rules::board::Square;
use cpz_rules::games::{Answer, NamedKey, NamedMove, NamedSetPlay};

/// A square as `[x, y]`.
type Numbers = [u8; 2];

/// An answer, its keys in the order of the schema.
#[derive(Serialize)]
#[serde(untagged)]
pub enum AnswerDocument {
    Undecided {
        undecided: String,
    },
    Error {
        error: String,
    },
    Solve {
        solvable: bool,
        moves: Option<Vec<[Numbers; 2]>>,
    },
    Count {
        count: Option<String>,
        distinct: Option<String>,
    },
    Move {
        legal: bool,
        reason: Option<String>,
    },
    /// An object without members: a line has no answer.
    Line {},
    Mate {
        status: &'static str,
        side: &'static str,
    },
    Capture {
        captures: Vec<CaptureDocument>,
        pieces: Vec<PieceDocument>,
    },
    Keys {
        #[serde(rename = "in")]
        length: u8,
        keys: Vec<KeyDocument>,
        complete: bool,
        #[serde(flatten, skip_serializing_if = "Option::is_none")]
        play: Option<PlayDocument>,
    },
    Sequences {
        #[serde(rename = "in")]
        length: String,
        count: usize,
        complete: bool,
        solutions: Vec<LineDocument>,
        #[serde(skip_serializing_if = "Option::is_none")]
        tree: Option<Vec<StepDocument>>,
    },
    SetPlay {
        #[serde(rename = "in")]
        length: u8,
        variations: Vec<VariationDocument>,
        complete: bool,
    },
}

#[derive(Serialize)]
pub struct KeyDocument {
    pub san: String,
    pub uci: String,
    /// The moves that the key needs at most, itself included.
    pub mates: u8,
}

/// A move of the other side in set play, and what answers it.
#[derive(Serialize)]
pub struct VariationDocument {
    pub san: String,
    pub uci: String,
    /// None where the move itself reaches the goal.
    pub answers: Vec<KeyDocument>,
}

/// The moves of one solution.
#[derive(Serialize)]
pub struct LineDocument {
    pub san: Vec<String>,
    pub uci: Vec<String>,
}

#[derive(Serialize)]
pub struct CaptureDocument {
    pub path: Vec<Numbers>,
    pub taken: Vec<Numbers>,
}

#[derive(Serialize)]
pub struct PieceDocument {
    pub square: Numbers,
    pub verdict: &'static str,
}

fn key_document(key: &NamedKey) -> KeyDocument {
    KeyDocument { san: key.mv.san.clone(), uci: key.mv.uci.clone(), mates: key.mates }
}

fn variation_document(set: &NamedSetPlay) -> VariationDocument {
    VariationDocument {
        san: set.mv.san.clone(),
        uci: set.mv.uci.clone(),
        answers: set.answers.iter().map(key_document).collect(),
    }
}

fn line_document(moves: &[NamedMove]) -> LineDocument {
    LineDocument {
        san: moves.iter().map(|m| m.san.clone()).collect(),
        uci: moves.iter().map(|m| m.uci.clone()).collect(),
    }
}

/// The answer to a query. Squares are counted from `origin`, which is 0 or 1.
pub fn answer_document(query: &QueryReport, origin: u8, play: Option<&ProblemPlay>) -> AnswerDocument {
    outcome_document(&query.outcome, origin, play)
}

/// What came of a query. Squares are counted from `origin`, which is 0 or 1.
pub fn outcome_document(outcome: &Outcome, origin: u8, play: Option<&ProblemPlay>) -> AnswerDocument {
    match outcome {
        Outcome::Undecided(why) => AnswerDocument::Undecided { undecided: why.clone() },
        Outcome::Error(why) => AnswerDocument::Error { error: why.clone() },
        Outcome::NotAsked(why) => AnswerDocument::Error { error: (*why).to_string() },
        Outcome::Answer(answer) => found_answer_document(answer, origin, play),
    }
}

/// An answer that was found. Squares are counted from `origin`, which is 0 or 1.
pub fn found_answer_document(answer: &Answer, origin: u8, play: Option<&ProblemPlay>) -> AnswerDocument {
    let square = |s: &Square| [s.x + origin, s.y + origin];
    let squares = |all: &[Square]| all.iter().map(square).collect();
    match answer {
        Answer::Solve(solution) => AnswerDocument::Solve {
            solvable: solution.is_some(),
            moves: solution.as_ref().map(|s| s.iter().map(|c| [square(&c.from), square(&c.to)]).collect()),
        },
        Answer::Count { count, distinct } => AnswerDocument::Count {
            count: count.map(|n| n.to_string()),
            distinct: distinct.map(|n| n.to_string()),
        },
        Answer::Move(reason) => AnswerDocument::Move { legal: reason.is_none(), reason: reason.clone() },
        Answer::Mate { status, side, .. } => {
            AnswerDocument::Mate { status: status.word(), side: side.name() }
        }
        Answer::Line => AnswerDocument::Line {},
        Answer::Keys { stipulation, keys, complete } => AnswerDocument::Keys {
            length: stipulation.moves(),
            keys: keys.iter().map(key_document).collect(),
            complete: *complete,
            play: play.map(play_document),
        },
        Answer::Sequences { stipulation, solutions, complete, .. } => AnswerDocument::Sequences {
            length: stipulation.length(),
            count: solutions.len(),
            complete: *complete,
            solutions: solutions.iter().map(|moves| line_document(moves)).collect(),
            tree: play.map(|play| sequence_tree(&play.position, *stipulation, solutions)),
        },
        // Set play that is not found as a whole is undecided.
        Answer::SetPlay { stipulation, variations } => AnswerDocument::SetPlay {
            length: stipulation.moves(),
            variations: variations.iter().map(variation_document).collect(),
            complete: true,
        },
        Answer::Capture { lines, pieces } => AnswerDocument::Capture {
            captures: lines
                .iter()
                .map(|l| CaptureDocument { path: squares(&l.path), taken: squares(&l.taken) })
                .collect(),
            pieces: pieces
                .iter()
                .map(|(s, v)| PieceDocument { square: square(s), verdict: v.word() })
                .collect(),
        },
    }
}
