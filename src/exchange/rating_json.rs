//! Ratings in JSON documents, and the document of `cpz rate --format json`. Its schema is `docs/schema/rate.schema.json`.

use serde::Serialize;

use crate::FileDocument;
use cpz_check::authoring::{Facts, Rating, key_words};

/// The document of `cpz rate`.
#[derive(Serialize)]
pub struct RateDocument<'a> {
    /// The version of the document.
    pub version: u32,
    /// The files in order.
    pub files: Vec<FileDocument<'a, RatedDocument>>,
}

/// What the document says about a puzzle.
#[derive(Serialize)]
pub struct RatedDocument {
    /// How hard it is.
    pub difficulty: DifficultyDocument,
}

/// How hard a puzzle is, or why that is not known.
#[derive(Serialize)]
#[serde(untagged)]
pub enum DifficultyDocument {
    /// The rating.
    Rated {
        /// The estimate, 1 to 10; null without a solution.
        estimate: Option<f64>,
        /// The chance of random play.
        chance: Option<f64>,
        /// Its -log2.
        bits: Option<f64>,
        /// The pieces on the board.
        pieces: u32,
        /// What is exact, by the kind of puzzle.
        #[serde(flatten)]
        facts: FactsDocument,
    },
    /// Why there is no rating.
    NotRated {
        /// A sentence without a full stop.
        error: String,
    },
}

/// The exact parts, under the name of the kind of puzzle.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FactsDocument {
    /// A board of solitaire.
    Solitaire {
        first_captures: u32,
        solving_captures: u32,
        earliest_trap: Option<u32>,
        forced_steps: u32,
        steps: u32,
        orders: Option<String>,
    },
    /// A chess problem.
    Problem {
        #[serde(rename = "in")]
        length: String,
        first_moves: u32,
        keys: u32,
        checks: u32,
        tries: Option<u32>,
        key: Option<&'static str>,
    },
    /// Captures of draughts.
    Capture { captures: u32, longest: u32 },
    /// A status.
    Mate { status: &'static str, reasons: u32 },
}

/// A rating, or why there is none.
pub fn difficulty_document(rating: &Result<Rating, String>) -> DifficultyDocument {
    let rating = match rating {
        Ok(rating) => rating,
        Err(why) => return DifficultyDocument::NotRated { error: why.clone() },
    };
    let facts = match &rating.facts {
        Facts::Solitaire(facts) => FactsDocument::Solitaire {
            first_captures: facts.first_captures,
            solving_captures: facts.solving_captures,
            earliest_trap: facts.earliest_trap,
            forced_steps: facts.forced_steps,
            steps: facts.steps,
            orders: facts.orders.map(|n| n.to_string()),
        },
        Facts::Problem(facts) => FactsDocument::Problem {
            length: facts.length.clone(),
            first_moves: facts.first_moves,
            keys: facts.keys,
            checks: facts.checks,
            tries: facts.tries,
            key: facts.key.map(key_words),
        },
        &Facts::Captures { captures, longest } => FactsDocument::Capture { captures, longest },
        &Facts::Status { status, reasons } => FactsDocument::Mate { status: status.word(), reasons },
    };
    DifficultyDocument::Rated {
        estimate: rating.estimate.map(|estimate| f64::from(estimate.tenths()) / 10.0),
        chance: rating.facts.chance(),
        bits: rating.facts.bits().map(|bits| (bits * 1e4).round() / 1e4),
        pieces: rating.pieces,
        facts,
    }
}
