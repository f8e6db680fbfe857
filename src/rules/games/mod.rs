//! The games: rules and search.
//!
//! Invariant: a game knows positions and nothing of texts, editors or time. Searches count their nodes
//! and stop at the limit; they never guess.
//!
//! The games import from `budget`, `symmetry` and `game`, never from each other or from this file.

#[cfg(test)]
mod board_tests;
mod budget;
mod chess;
mod chess3d;
mod chess_bits;
mod chess_move;
mod chess_moves;
mod chess_problem;
#[cfg(test)]
mod chess_reason_tests;
mod chess_rules;
mod compact_position;
mod draughts;
mod game;
mod solitaire;
mod stipulation;
mod symmetry;
mod twin;

use cpz_text::syntax::GameId;

pub use budget::{Budget, DEFAULT_MAX_SOLUTIONS, FirstMoves, SearchState, Undecided};
pub use chess_move::ChessMove;
pub use chess_moves::{
    after_move, after_pass, legal_moves, matching_moves, perft, san, status_of, uci_with_san, unmarked_san,
    why_illegal,
};
pub use chess_problem::{
    Attack, Defence, Key, Keys, Prover, Sequences, SetPlay, SolutionTree, Tries, Try, after_in_sequence,
    ends_sequence, find_keys, find_sequences, find_sound_keys, gives_check_too_early, set_play,
    solution_tree, tries,
};
pub use chess3d::{after_cube_move, cube_move_name, cube_moves, why_illegal_on_cube};
pub use compact_position::CompactPosition;
pub use cpz_text::syntax::{Goal, Play, ProblemKind};
pub use game::{
    Answer, Capture, Dialect, Game, Line, Mark, NamedKey, NamedMove, NamedSetPlay, Position, PositionIssue,
    Question, Reason, ReplayError, Request, RightsIssue, ShorterSeries, Status, Step, Verdict,
};
pub use solitaire::{
    SharedSearch, SolitaireFacts, solitaire_facts, solitaire_origins, solving_captures, with_shared_search,
};
pub use stipulation::Stipulation;
pub use symmetry::Symmetry;
pub use twin::Change;

/// The game of a keyword. A new game adds its line here.
pub fn game(id: GameId) -> &'static dyn Game {
    match id {
        GameId::Solitaire => &solitaire::Solitaire,
        GameId::Chess => &chess::Chess,
        GameId::Chess3d => &chess3d::Chess3d,
        GameId::Draughts => &draughts::Draughts,
    }
}
