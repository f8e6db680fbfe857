//! Puzzles mirrored and turned: the board, its size, moves and written answers keep the form that they have.

use crate::code_actions::readable_puzzle;
use crate::code_actions::rewrite::{Rewrite, castling_edits};
use crate::code_actions::verify_rewrite::VerifyRewrite;
use cpz_check::analysis::{Bound, Defaults, TwinChange, bound_at, problem_of, read_twin};
use cpz_rules::board::Castling;
use cpz_rules::games::{Position, Symmetry};
use cpz_text::diagnostic::{Edit, Span};
use cpz_text::syntax::{Query, Tree, Verb};

/// A way to mirror or turn a board. In chess3d it applies to each level: the vertical axis stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Transform {
    MirrorColumns,
    MirrorRows,
    TurnRight,
    TurnLeft,
    TurnHalf,
}

impl Transform {
    /// All of them.
    pub const ALL: [Transform; 5] = [
        Transform::MirrorColumns,
        Transform::MirrorRows,
        Transform::TurnRight,
        Transform::TurnLeft,
        Transform::TurnHalf,
    ];

    /// The title of the code action.
    pub fn title(self) -> &'static str {
        match self {
            Transform::MirrorColumns => "Mirror the board left to right",
            Transform::MirrorRows => "Mirror the board top to bottom",
            Transform::TurnRight => "Turn the board a quarter right",
            Transform::TurnLeft => "Turn the board a quarter left",
            Transform::TurnHalf => "Turn the board half round",
        }
    }

    fn symmetry(self) -> Symmetry {
        match self {
            Transform::MirrorColumns => Symmetry::MIRROR,
            Transform::MirrorRows => Symmetry::FLIP,
            Transform::TurnRight => Symmetry::RIGHT,
            Transform::TurnLeft => Symmetry::LEFT,
            Transform::TurnHalf => Symmetry::HALF,
        }
    }
}

/// The title of a transform of the puzzle at an offset. It says what is lost.
pub fn transform_title(tree: &Tree, base: Defaults, offset: u32, how: Transform) -> String {
    // A problem may castle where its FEN says nothing, too.
    let castles = |bound: &Bound<'_>| {
        let mut problems = bound.puzzle.queries().filter_map(|query| problem_of(bound, query));
        problems.any(|(position, _)| position.rights.castling != Castling::NONE)
    };
    match bound_at(tree, base, offset) {
        Some((bound, _)) if !castling_edits(&bound, how.symmetry()).is_empty() || castles(&bound) => {
            format!("{} (without castling rights)", how.title())
        }
        _ => how.title().to_string(),
    }
}

/// Mirrors or turns the puzzle at an offset: its board in the form that it has, its `size`, and the squares and
/// boards of its moves and written answers. `base` holds the configured defaults. The opposite transform is possible
/// afterwards, and leads to the same text, but for castling rights.
///
/// # Errors
/// Why the puzzle cannot be transformed, for the user.
pub fn transform(tree: &Tree, base: Defaults, offset: u32, how: Transform) -> Result<Vec<Edit>, String> {
    let (bound, defaults, position) = readable_puzzle(tree, base, offset)?;
    if bound.game.format().dark_only && how != Transform::TurnHalf {
        return Err(format!(
            "only half a turn keeps the pieces of {} on dark squares",
            bound.game.format().game
        ));
    }
    if let Some(why) = bound.puzzle.queries().find_map(not_read) {
        return Err(why);
    }
    let symmetry = how.symmetry();
    let turned = symmetry.board(&position.board);
    let mut rewrite = Rewrite::new(&bound, &position, symmetry, &turned);
    rewrite.board()?;
    rewrite.castling();
    for query in bound.puzzle.queries() {
        rewrite.query(query)?;
    }
    let edits = rewrite.into_edits();
    let new = Position { board: turned, ..position.clone() };
    let verify = VerifyRewrite { bound: &bound, defaults, old: &position, new: &new, symmetry };
    verify.check(&edits).map_err(|refusal| refusal.to_string())?;
    Ok(edits)
}

/// Why the squares of a query are not known, for the user: they would stay those of the old board.
fn not_read(query: Query<'_>) -> Option<String> {
    let is_twin = query.verb() == Some(Verb::Twin);
    let twin = is_twin.then(|| read_twin(query));
    if matches!(twin, Some(Err(_))) {
        return Some("a twin of it cannot be read".into());
    }
    let is_unsolved = |(change, _): &(TwinChange, Span)| matches!(change, TwinChange::Unsolved);
    let unsolved = query.verb() == Some(Verb::Unsolved)
        || twin.and_then(Result::ok).is_some_and(|twin| twin.changes.iter().any(is_unsolved));
    (unsolved && query.answer().is_some())
        .then(|| "it has an answer to what cpz does not solve, whose moves are not read".into())
}
