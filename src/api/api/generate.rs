//! Generating.

use serde::Serialize;

use crate::api::options::{Error, named, nodes, tree_of};
use cpz_check::analysis::{Bound, DEFAULT_NODES, Defaults, bind_all};
use cpz_check::authoring::{
    KindWeights, MateOptions, Plan, SolitaireOptions, Wanted, chess_positions, read_difficulty, read_size,
    rules_of_name,
};
use cpz_rules::board::Size;
use cpz_rules::games::Dialect;
use cpz_text::syntax::GameId;

/// The most puzzles that are made at once.
const MAX_COUNT: usize = 100_000;

/// The options of [`generate_puzzles`].
#[derive(Clone, Debug)]
pub struct GenerateOptions {
    /// The game: `solitaire` or `chess`.
    pub game: String,
    /// How many puzzles, 1 to 100,000.
    pub count: usize,
    /// The seed: the same seed makes the same puzzles.
    pub seed: u64,
    /// The number of pieces, 1 to 64; 6 in solitaire and any in chess if it is not given.
    pub pieces: Option<u32>,
    /// Solitaire: columns and rows, such as `5x4`; 4x4 if they are not given.
    pub size: Option<String>,
    /// Solitaire: the rules `default`, `ranger` or `solo`.
    pub rules: Option<String>,
    /// Solitaire: the kinds of pieces, each with its weight behind it, such as `KQR2B2N2P3`.
    pub kinds: Option<String>,
    /// Solitaire: only boards with one solution, in any order.
    pub unique: bool,
    /// The least and the largest estimate of difficulty, 1 to 10, such as `3-4.5`.
    pub difficulty: Option<String>,
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
/// A wrong option, or one that belongs to the other game.
pub fn generate_puzzles(options: &GenerateOptions) -> Result<GeneratedText, Error> {
    if !(1..=MAX_COUNT).contains(&options.count) {
        return Err(Error(format!("{} puzzles are not between 1 and {MAX_COUNT}", options.count)));
    }
    if options.pieces.is_some_and(|pieces| !(1..=64).contains(&pieces)) {
        return Err(Error("the number of pieces is not between 1 and 64".into()));
    }
    let plan = match named("game to generate", &options.game, &["solitaire", "chess"], |name| name)? {
        "chess" => mates(options)?,
        _ => solitaire(options)?,
    };
    let difficulty = options.difficulty.as_deref().map(read_difficulty).transpose()?;
    let wanted = Wanted { count: options.count, difficulty, seed: options.seed };
    let nodes = nodes(options.budget, DEFAULT_NODES)?.saturating_mul(options.count as u64);
    let known = with_puzzles(options.known.as_deref().unwrap_or_default(), |puzzles| plan.known(puzzles))?;
    let (generated, text) = plan.make(&wanted, known, nodes);
    Ok(GeneratedText { text, puzzles: generated.puzzles.len() })
}

fn solitaire(options: &GenerateOptions) -> Result<Plan, Error> {
    if options.mate.is_some() || options.positions.is_some() {
        return Err(Error("`mate` and `positions` are for chess".into()));
    }
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
    if options.size.is_some() || options.kinds.is_some() || options.rules.is_some() || options.unique {
        let why = "`size`, `kinds`, `rules` and `unique` are for solitaire; mates always have one key";
        return Err(Error(why.into()));
    }
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
