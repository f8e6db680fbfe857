//! What is generated: the options of a game, and the new puzzles as text.

use crate::analysis::{Bound, position_of, problem_of};
use crate::authoring::generate::cube::CubeOptions;
use crate::authoring::generate::draughts::DraughtsOptions;
use crate::authoring::generate::mate::MateOptions;
use crate::authoring::generate::solitaire::SolitaireOptions;
use crate::authoring::generate::text::puzzle_texts;
use crate::authoring::generate::{Generated, KnownPositions, Maker, Wanted, generate_puzzles};
use crate::authoring::rating::Estimate;
use cpz_rules::board::Size;
use cpz_rules::games::{Budget, Dialect, Position};
use cpz_text::syntax::GameId;

/// An option that only some games have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanOption {
    /// The size of the board.
    Size,
    /// The rules of solitaire.
    Rules,
    /// The kinds of pieces.
    Kinds,
    /// Only one solution.
    Unique,
    /// How many pieces a capture takes.
    Captures,
    /// The length of a mate.
    Mate,
    /// The positions that are changed.
    Positions,
}

impl PlanOption {
    /// The games that have it.
    pub fn games(self) -> &'static [GameId] {
        use GameId::{Chess, Chess3d, Draughts, Solitaire};
        match self {
            PlanOption::Size => &[Solitaire, Chess3d],
            PlanOption::Rules | PlanOption::Unique => &[Solitaire],
            PlanOption::Kinds => &[Solitaire, Draughts, Chess3d],
            PlanOption::Captures => &[Draughts],
            PlanOption::Mate | PlanOption::Positions => &[Chess],
        }
    }
}

/// Refuses an option of other games. `options` has each with its name for the user, and whether it is given.
///
/// # Errors
/// Which games it is for.
pub fn check_plan_options(game: GameId, options: &[(PlanOption, &str, bool)]) -> Result<(), String> {
    let is_foreign =
        |(option, _, given): &&(PlanOption, &str, bool)| *given && !option.games().contains(&game);
    let Some((option, name, _)) = options.iter().find(is_foreign) else { return Ok(()) };
    let games: Vec<&str> = option.games().iter().map(|game| game.word()).collect();
    let why = match option {
        PlanOption::Unique => "; the puzzles of other games always have one solution",
        _ => "",
    };
    Err(format!("`{name}` is for {}{why}", games.join(" and ")))
}

/// What is made.
pub struct Plan {
    /// The game of the puzzles.
    pub game: GameId,
    /// The rules of the puzzles.
    pub dialect: Dialect,
    maker: Box<dyn Maker + Send + Sync>,
    /// The query of each puzzle.
    query: String,
    /// Whether the puzzles say that they are unique.
    unique: bool,
}

impl Plan {
    /// Boards of solitaire.
    ///
    /// # Errors
    /// The board has not so many squares, or there is no piece.
    pub fn solitaire(options: SolitaireOptions) -> Result<Plan, String> {
        if options.size.d > 1 {
            return Err(format!(
                "a board of solitaire has columns and rows, and no levels: {} is a cube",
                options.size
            ));
        }
        if options.pieces == 0 || options.pieces as usize > options.size.cells() {
            return Err(format!("{} pieces do not stand on a board of {}", options.pieces, options.size));
        }
        let (dialect, unique) = (options.dialect, options.unique);
        let maker = Box::new(options);
        Ok(Plan { game: GameId::Solitaire, maker, dialect, query: "solve".into(), unique })
    }

    /// Mates in a number of moves. There must be a position to change.
    pub fn mates(options: MateOptions) -> Plan {
        let query = format!("mate in {}", options.moves);
        Plan {
            game: GameId::Chess,
            maker: Box::new(options),
            dialect: Dialect::Default,
            query,
            unique: false,
        }
    }

    /// Captures of draughts.
    ///
    /// # Errors
    /// No position has so many pieces.
    pub fn captures(options: DraughtsOptions) -> Result<Plan, String> {
        options.check()?;
        Ok(Plan::of(GameId::Draughts, Box::new(options), "capture"))
    }

    /// Mates on cubes.
    ///
    /// # Errors
    /// No position has so many pieces.
    pub fn cubes(options: CubeOptions) -> Result<Plan, String> {
        options.check()?;
        Ok(Plan::of(GameId::Chess3d, Box::new(options), "mate"))
    }

    fn of(game: GameId, maker: Box<dyn Maker + Send + Sync>, query: &str) -> Plan {
        Plan { game, dialect: Dialect::Default, maker, query: query.into(), unique: false }
    }

    /// Makes puzzles until there are enough or the budget is used up; with their text.
    pub fn make(&self, wanted: &Wanted, known: KnownPositions, budget: &Budget<'_>) -> (Generated, String) {
        let generated = generate_puzzles(self.maker.as_ref(), wanted, known, budget);
        let text = puzzle_texts(self.game, &generated.puzzles, &self.query, self.unique);
        (generated, text)
    }

    /// The positions of the plan's game in some puzzles, from which new ones must differ.
    pub fn known<'p>(&self, puzzles: impl IntoIterator<Item = &'p Bound<'p>>) -> KnownPositions {
        let mut known = KnownPositions::of(self.game);
        for bound in puzzles.into_iter().filter(|bound| bound.id == self.game) {
            if let Some(position) = position_of(bound) {
                known.insert(&position, self.dialect);
            }
        }
        known
    }
}

/// The positions of chess in some puzzles, from which mates are made.
pub fn chess_positions<'p>(puzzles: impl IntoIterator<Item = &'p Bound<'p>>) -> Vec<Position> {
    let position = |bound: &Bound<'_>| {
        let problem = bound.puzzle.queries().find_map(|query| problem_of(bound, query));
        problem.map(|(position, _)| position).or_else(|| position_of(bound))
    };
    puzzles.into_iter().filter(|bound| bound.id == GameId::Chess).filter_map(position).collect()
}

/// The rules of solitaire with a name.
///
/// # Errors
/// There are none of this name.
pub fn rules_of_name(name: &str) -> Result<Dialect, String> {
    let found = Dialect::ALL.into_iter().find(|dialect| dialect.word() == name);
    found.ok_or_else(|| "the rules are `default`, `ranger` or `solo`".to_string())
}

/// A size such as `5x4`: columns and rows; with a third number the levels of a cube.
///
/// # Errors
/// It is no such size, or no new board has it.
pub fn read_size(text: &str) -> Result<Size, String> {
    let side = |text: &str| text.parse::<u8>().ok().filter(|n| (1..=8).contains(n));
    let sides: Option<Vec<u8>> = text.split(['x', 'X', '×']).map(|text| side(text.trim())).collect();
    let size = match sides.as_deref() {
        Some(&[side]) => Some(Size::flat(side, side)),
        Some(&[w, h]) => Some(Size::flat(w, h)),
        Some(&[w, h, d]) if d > 1 => Some(Size { w, h, d }),
        _ => None,
    };
    size.filter(|size| size.cells() > 1).ok_or_else(|| {
        "a size is `5x4` (columns x rows), from 1x2 to 8x8; of a cube `3` or `3x3x3`".to_string()
    })
}

/// The side of a cube of such a size: `4` and `4x4` are a cube of 4×4×4, as `4x4x4` is.
///
/// # Errors
/// It is no size of a cube.
pub fn side_of(size: Size) -> Result<u8, String> {
    let is_cube = size.w == size.h && (size.d == 1 || size.d == size.w);
    is_cube
        .then_some(size.w)
        .ok_or_else(|| format!("{size} is no cube; its size is `3` or `3x3x3`, from 3 to 8"))
}

/// The least and the largest estimate of a text such as `4` or `3-4.5`.
///
/// # Errors
/// It is no such text.
pub fn read_difficulty(text: &str) -> Result<(Estimate, Estimate), String> {
    let tenths = |text: &str| {
        let (whole, part) = text.trim().split_once('.').unwrap_or((text.trim(), "0"));
        let (whole, part) = (whole.parse::<u8>().ok()?, part.parse::<u8>().ok()?);
        let tenths = whole.checked_mul(10)?.checked_add(part)?;
        (part < 10 && (10..=100).contains(&tenths)).then_some(tenths)
    };
    let (least, most) = match text.split_once('-') {
        Some((least, most)) => (tenths(least), tenths(most)),
        // A whole number stands for what is rounded to it.
        None if !text.contains('.') => {
            (tenths(text).map(|t| t.saturating_sub(5).max(10)), tenths(text).map(|t| (t + 4).min(100)))
        }
        None => (tenths(text), tenths(text)),
    };
    let range = least.zip(most).filter(|(least, most)| least <= most);
    range.map(|(least, most)| (Estimate::from_tenths(least), Estimate::from_tenths(most))).ok_or_else(|| {
        "a difficulty is a number from 1 to 10, such as `4`, or two with a dash, such as `3-4.5`".into()
    })
}
