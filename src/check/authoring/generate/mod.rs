//! New puzzles: random positions that are tried until they are as wanted.
//!
//! Invariant: the same options and the same seed give the same puzzles on every machine. Attempts follow one another, and
//! random numbers, estimates and comparisons are those of this crate.

mod cube;
mod draughts;
mod kinds;
mod mate;
mod plan;
mod random;
mod solitaire;
mod text;

use rustc_hash::FxHashSet;

use crate::analysis::canonical_form;

use crate::authoring::rating::{Estimate, Facts, estimate_of};
use cpz_rules::games::{Budget, Dialect, Game, Position, Undecided, game};
use cpz_text::syntax::GameId;

pub use cube::CubeOptions;
pub use draughts::DraughtsOptions;
pub use kinds::KindWeights;
pub use mate::MateOptions;
pub use plan::{
    Plan, PlanOption, check_plan_options, chess_positions, read_difficulty, read_size, rules_of_name, side_of,
};
pub use random::Random;
pub use solitaire::SolitaireOptions;
pub use text::puzzle_texts;

/// What is asked of the puzzles besides what their game asks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted {
    /// How many.
    pub count: usize,
    /// The least and the largest estimate, if it matters.
    pub difficulty: Option<(Estimate, Estimate)>,
    /// The seed of the random numbers.
    pub seed: u64,
}

/// A new puzzle.
#[derive(Clone, Debug, PartialEq)]
pub struct GeneratedPuzzle {
    /// The position.
    pub position: Position,
    /// Its estimate.
    pub estimate: Estimate,
}

/// What a generator has made.
#[derive(Clone, Debug)]
pub struct Generated {
    /// The puzzles, in the order in which they were found.
    pub puzzles: Vec<GeneratedPuzzle>,
    /// Why there are fewer than wanted, if a search ended.
    pub ended: Option<Undecided>,
    /// Whether there seem to be no others: only positions came that were known.
    pub is_exhausted: bool,
}

/// Why a position is not used.
pub enum Rejected {
    /// It is not as wanted.
    Unfit,
    /// It is one that is known.
    Known,
    /// A search ended early.
    Undecided(Undecided),
}

impl From<Undecided> for Rejected {
    fn from(undecided: Undecided) -> Rejected {
        Rejected::Undecided(undecided)
    }
}

/// Makes positions of one game.
pub trait Maker {
    /// A random position that is sound.
    ///
    /// # Errors
    /// `Rejected`; a search that ran out of `budget` ends the whole generation.
    fn position(&self, random: &mut Random, budget: &Budget<'_>) -> Result<Position, Rejected>;

    /// The facts of a position that it made.
    ///
    /// # Errors
    /// As [`Maker::position`].
    fn facts(&self, position: &Position, budget: &Budget<'_>) -> Result<Facts, Rejected>;
}

/// The positions that new puzzles must differ from, up to symmetry.
pub struct KnownPositions {
    game: GameId,
    forms: FxHashSet<Vec<u8>>,
}

impl KnownPositions {
    /// No positions of a game.
    pub fn of(game: GameId) -> KnownPositions {
        KnownPositions { game, forms: FxHashSet::default() }
    }

    /// Adds a position, as it is under some rules; returns whether it is new.
    pub fn insert(&mut self, position: &Position, dialect: Dialect) -> bool {
        self.forms.insert(form(game(self.game), position, dialect))
    }

    fn contains(&self, position: &Position) -> bool {
        self.forms.contains(&form(game(self.game), position, position.dialect))
    }
}

fn form(game: &dyn Game, position: &Position, dialect: Dialect) -> Vec<u8> {
    canonical_form(game, &Position { dialect, ..position.clone() })
}

/// The known positions that come one after the other before there seem to be no others: at the least, and for each that is known.
/// A new one may come much more rarely than each of these.
const REPEATS: (usize, usize) = (10_000, 40);

/// Makes puzzles until there are enough, no others seem to be left, or the budget is used up. No two are alike, and none is one of `known`.
pub fn generate_puzzles(
    maker: &dyn Maker,
    wanted: &Wanted,
    mut known: KnownPositions,
    budget: &Budget<'_>,
) -> Generated {
    let mut random = Random::new(wanted.seed);
    let mut generated = Generated { puzzles: Vec::new(), ended: None, is_exhausted: false };
    let mut repeats = 0;
    while generated.puzzles.len() < wanted.count && !generated.is_exhausted {
        match attempt(maker, wanted, &known, &mut random, budget) {
            Ok(puzzle) => {
                known.insert(&puzzle.position, puzzle.position.dialect);
                generated.puzzles.push(puzzle);
                repeats = 0;
            }
            Err(Rejected::Unfit) => {}
            Err(Rejected::Known) => {
                repeats += 1;
                generated.is_exhausted = repeats > REPEATS.0.max(REPEATS.1 * known.forms.len());
            }
            Err(Rejected::Undecided(undecided)) => {
                generated.ended = Some(undecided);
                break;
            }
        }
    }
    generated
}

fn attempt(
    maker: &dyn Maker,
    wanted: &Wanted,
    known: &KnownPositions,
    random: &mut Random,
    budget: &Budget<'_>,
) -> Result<GeneratedPuzzle, Rejected> {
    // A flag that is set must end the loop even where every attempt is refused at once.
    budget.check_cancelled()?;
    let position = maker.position(random, budget)?;
    if known.contains(&position) {
        return Err(Rejected::Known);
    }
    let facts = maker.facts(&position, budget)?;
    let estimate = estimate_of(&facts, &position).ok_or(Rejected::Unfit)?;
    match wanted.difficulty {
        Some((least, most)) if estimate < least || estimate > most => Err(Rejected::Unfit),
        _ => Ok(GeneratedPuzzle { position, estimate }),
    }
}
