//! Generating.

use serde::Serialize;

use crate::api::options::{Error, named, nodes, tree_of};
use cpz_check::analysis::{Bound, DEFAULT_NODES, Defaults, bind_all};
use cpz_check::authoring::{
    CubeOptions, DraughtsOptions, KindWeights, MateOptions, Plan, PlanOption, SolitaireOptions, Wanted,
    check_plan_options, chess_positions, read_difficulty, read_size, rules_of_name, side_of,
};
use cpz_rules::board::Size;
use cpz_rules::games::{Budget, Dialect};
use cpz_text::syntax::GameId;

/// The most puzzles that are made at once.
const MAX_COUNT: usize = 100_000;

/// The options of [`generate_puzzles`].
#[derive(Clone, Debug)]
pub struct GenerateOptions {
    /// The game: `solitaire`, `chess`, `draughts` or `chess3d`.
    pub game: String,
    /// How many puzzles, 1 to 100,000.
    pub count: usize,
    /// The seed: the same seed makes the same puzzles.
    pub seed: u64,
    /// The number of pieces, 1 to 64; 6 in solitaire, three more than are taken in draughts, and any in chess if it is not
    /// given.
    pub pieces: Option<u32>,
    /// Solitaire: columns and rows, such as `5x4`; 4x4 if they are not given. Chess3d: the side of the cube, 3 to 8; 3 if it is
    /// not given.
    pub size: Option<String>,
    /// Solitaire: the rules `default`, `ranger` or `solo`.
    pub rules: Option<String>,
    /// The kinds of pieces, each with its weight behind it, such as `KQR2B2N2P3`, or `M5K` in draughts; not in chess.
    pub kinds: Option<String>,
    /// Solitaire: only boards with one solution, in any order.
    pub unique: bool,
    /// The least and the largest estimate of difficulty, 1 to 10, such as `3-4.5`.
    pub difficulty: Option<String>,
    /// Draughts: how many pieces the one capture takes, 1 to 12; 3 if it is not given.
    pub captures: Option<u32>,
    /// Chess: mate in so many moves, 1 to 5, with one key.
    pub mate: Option<u8>,
    /// Chess: a text of cpz with the positions to change.
    pub positions: Option<String>,
    /// A text of cpz with puzzles from which the new ones must differ.
    pub known: Option<String>,
    /// The node budget of each puzzle, 1 to 100,000,000.
    pub budget: Option<u64>,
}

impl Default for GenerateOptions {
    fn default() -> GenerateOptions {
        GenerateOptions {
            game: GameId::Solitaire.word().into(),
            count: 1,
            seed: 1,
            pieces: None,
            size: None,
            rules: None,
            kinds: None,
            unique: false,
            difficulty: None,
            captures: None,
            mate: None,
            positions: None,
            known: None,
            budget: None,
        }
    }
}

/// New puzzles.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GeneratedText {
    /// The puzzles as a text of cpz.
    pub text: String,
    /// How many were found. Fewer than wanted: the budget was used up.
    pub puzzles: usize,
}

/// Makes new puzzles, as `cpz generate` does.
///
/// ```
/// # use cpz_api::api as cpz;
/// let generated = cpz::generate_puzzles(&cpz::GenerateOptions { count: 2, pieces: Some(4), ..Default::default() })?;
/// assert_eq!(generated.puzzles, 2);
/// assert_eq!(generated, cpz::generate_puzzles(&cpz::GenerateOptions { count: 2, pieces: Some(4), ..Default::default() })?);
/// # Ok::<(), cpz::Error>(())
/// ```
///
/// # Errors
/// A wrong option, or one that belongs to another game.
pub fn generate_puzzles(options: &GenerateOptions) -> Result<GeneratedText, Error> {
    if !(1..=MAX_COUNT).contains(&options.count) {
        return Err(Error(format!("{} puzzles are not between 1 and {MAX_COUNT}", options.count)));
    }
    if options.pieces.is_some_and(|pieces| !(1..=64).contains(&pieces)) {
        return Err(Error("the number of pieces is not between 1 and 64".into()));
    }
    let game = named("game to generate", &options.game, GameId::ALL, GameId::word)?;
    check_options(game, options)?;
    let plan = match game {
        GameId::Solitaire => solitaire(options)?,
        GameId::Chess => mates(options)?,
        GameId::Draughts => draughts(options)?,
        GameId::Chess3d => cubes(options)?,
    };
    let difficulty = options.difficulty.as_deref().map(read_difficulty).transpose()?;
    let wanted = Wanted { count: options.count, difficulty, seed: options.seed };
    let nodes = nodes(options.budget, DEFAULT_NODES)?.saturating_mul(options.count as u64);
    let known = with_puzzles(options.known.as_deref().unwrap_or_default(), |puzzles| plan.known(puzzles))?;
    let (generated, text) = plan.make(&wanted, known, &Budget::new(nodes, None));
    Ok(GeneratedText { text, puzzles: generated.puzzles.len() })
}

/// Refuses options of other games.
fn check_options(game: GameId, options: &GenerateOptions) -> Result<(), Error> {
    Ok(check_plan_options(
        game,
        &[
            (PlanOption::Size, "size", options.size.is_some()),
            (PlanOption::Rules, "rules", options.rules.is_some()),
            (PlanOption::Kinds, "kinds", options.kinds.is_some()),
            (PlanOption::Unique, "unique", options.unique),
            (PlanOption::Captures, "captures", options.captures.is_some()),
            (PlanOption::Mate, "mate", options.mate.is_some()),
            (PlanOption::Positions, "positions", options.positions.is_some()),
        ],
    )?)
}

fn draughts(options: &GenerateOptions) -> Result<Plan, Error> {
    let kinds = options.kinds.as_deref().map(KindWeights::parse_draughts).transpose()?;
    let kinds = kinds.unwrap_or_else(KindWeights::of_draughts);
    Ok(Plan::captures(DraughtsOptions::new(options.pieces, options.captures, kinds))?)
}

fn cubes(options: &GenerateOptions) -> Result<Plan, Error> {
    let kinds = options.kinds.as_deref().map(KindWeights::parse_cubes).transpose()?;
    let side = options.size.as_deref().map(read_size).transpose()?.map(side_of).transpose()?;
    Ok(Plan::cubes(CubeOptions::new(side, options.pieces, kinds.unwrap_or_else(KindWeights::of_cubes)))?)
}

fn solitaire(options: &GenerateOptions) -> Result<Plan, Error> {
    let kinds = options.kinds.as_deref().map(KindWeights::parse).transpose()?;
    Ok(Plan::solitaire(SolitaireOptions {
        pieces: options.pieces.unwrap_or(6),
        size: options.size.as_deref().map(read_size).transpose()?.unwrap_or(Size::flat(4, 4)),
        dialect: options.rules.as_deref().map(rules_of_name).transpose()?.unwrap_or(Dialect::Default),
        kinds: kinds.unwrap_or_default(),
        unique: options.unique,
    })?)
}

fn mates(options: &GenerateOptions) -> Result<Plan, Error> {
    let (Some(moves @ 1..=5), Some(text)) = (options.mate, &options.positions) else {
        return Err(Error(
            "chess needs `mate`, 1 to 5 moves, and `positions`, a text with positions to change".into(),
        ));
    };
    let from = with_puzzles(text, |puzzles| chess_positions(puzzles))?;
    if from.is_empty() {
        return Err(Error("there is no position of chess in `positions`".into()));
    }
    Ok(Plan::mates(MateOptions { moves, from, pieces: options.pieces }))
}

/// What is made of the puzzles of a text.
fn with_puzzles<T>(text: &str, make: impl FnOnce(Vec<&Bound<'_>>) -> T) -> Result<T, Error> {
    let tree = tree_of(text)?;
    let bound = bind_all(&tree, Defaults::default());
    Ok(make(bound.iter().map(|(bound, _)| bound).collect()))
}
