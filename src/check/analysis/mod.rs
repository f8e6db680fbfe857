//! Puzzles → answers and findings; what holds across a file and across all that is checked together.
//!
//! Invariant: the command line and the server call the same functions here, so they cannot disagree;
//! nothing here prints, and nothing knows of an editor.
//!
//! A file imports only files before it: parse_parts, allow_word, code_docs, conditions < defaults < config < report < binding <
//! verbs < lookup, plays, duplicates/identity < puzzle < suppress, cache, duplicates/{findings, batch, names, hints} < file <
//! segments < duplicates/incremental.

mod allow_word;
mod base_query;
mod binding;
mod cache;
pub mod code_docs;
mod conditions;
pub mod config;
mod consequences;
mod defaults;
mod duplicates;
pub mod exclude;
mod file;
mod file_report;
mod lookup;
mod parse_parts;
mod plays;
mod puzzle;
mod segments;
mod suppress;
mod verbs;
mod watch;

pub use base_query::{base_problem, star_asks_for_set_play, twin_in_front};
pub use binding::{Bound, insert_property};
pub use cache::{Cache, QuickReport};
pub use config::{Config, DEFAULT_NODES, Severities};
pub use defaults::{Defaults, Notation, SquareStyle, intended_number};
pub use duplicates::{
    DuplicateFindings, DuplicateIndex, DuplicateLink, Placed, add_collection_hints, canonical_form,
    duplicates, link,
};
pub use file::analyse;
pub use file_report::{FileReport, Options, Outcome, PuzzleReport, QueryReport, TwinReport};
pub use lookup::{
    Played, answer_parts, asked_problem_of, asked_problems, bind_all, bind_one, bound_at, claims_nothing,
    draughts_line_of, draughts_moves, first_problem, intended_solutions, line_of, line_position,
    names_other_side, played_of, position_of, position_or_reason, problem_of, puzzle_at, puzzle_near,
    puzzles, puzzles_in, request_of, steps_of, unreadable_property,
};
pub use parse_parts::parse_in_parts;
pub use plays::problem_plays;
pub use puzzle::report_of;
pub use segments::{Pending, PuzzlePlace, SegmentedText, Source, Window};
pub use suppress::allow;
pub use verbs::{
    AnswerPart, BUDGET_USED_UP, DraughtsMove, DraughtsReplay, LineMove, LineReplay, PlayParts, ProblemPlay,
    STOPPED, answer_text, begins_with_set_play, largest_capture, play_of, problem_play, sequence_in_names,
    set_play_lines, solution_in_names, stipulation_of,
};
pub use verbs::{
    Due, TreeSpot, TwinChange, TwinState, TwinText, WrittenPlay, WrittenStep, WrittenTree, begins_from,
    is_solution, letter_of_twin, move_number_len, position_due, read_move_text, read_twin, solution_movetext,
    twin_before, twin_continued, twin_in_signs, twin_start, written_captures, written_play,
};
pub(crate) use verbs::{asked_on, why};
pub use watch::Watch;
