//! The verbs: one file for each, and the table of them.
//!
//! A verb's file implements [`VerbRules`]: its argument, its evaluation, reading a written answer, and comparing that
//! with the true one. To add a verb, add its file, its line in [`rules`] and, if its answers are of a new kind, its
//! line in [`answer_text`].
//!
//! A file imports only files before it: written_answer, written_words, capture_words, answer_writer < evaluator <
//! verb_rules < step_syntax, solution_words, path_words < move_text < move_language, move_claims, solution_texts <
//! line_chess < line_cube, line_draughts, solution_text < each verb < the table < parsed_query, answer_reader, sequence <
//! problem_intent, unique, comparison.
//!
//! Invariant: whatever distinguishes two queries is in [`Question`](cpz_rules::games::Question), the argument included.
//! Answers are remembered by it and puzzles are compared by it, so a verb with an argument cannot get the answer to
//! another argument.

mod answer_reader;
mod answer_writer;
mod capture;
mod capture_words;
mod chess_move;
mod chess_problem;
mod comparison;
mod count;
mod evaluator;
mod line;
mod line_chess;
mod line_cube;
mod line_draughts;
mod mate;
mod move_claims;
mod move_language;
mod move_text;
mod parsed_query;
mod path_words;
mod problem_answers;
mod problem_duals;
mod problem_findings;
mod problem_intent;
mod problem_position;
mod problem_sequences;
mod problem_tree;
mod sequence;
mod set_play;
#[allow(dead_code, unused_imports, reason = "the verbs of chess problems are not there yet")]
pub(crate) mod solution_text;
mod solution_texts;
mod solution_words;
mod solve;
mod step_syntax;
mod twin;
mod twin_state;
mod twin_text;
mod unique;
mod unsolved;
mod verb_rules;
mod written_answer;
mod written_words;

use crate::analysis::verbs::verb_rules::VerbRules;
use cpz_text::syntax::Verb;

pub(crate) use answer_reader::{answer_parts, read_answer, unreadable_word};
pub use answer_writer::{answer_text, largest_capture, sequence_in_names, set_play_lines, solution_in_names};
pub(crate) use comparison::{evaluate_query, report_vain_stars};
pub use evaluator::{BUDGET_USED_UP, STOPPED};
pub(crate) use evaluator::{QueryEvaluator, why};
pub use line_chess::{LineMove, LineReplay};
pub(crate) use line_chess::{position_behind, replay_of};
pub(crate) use line_cube::replay_on_cube;
pub use line_draughts::{DraughtsMove, DraughtsReplay};
pub(crate) use line_draughts::{legal_lines, replay_on_draughts};
pub use move_text::{move_number_len, read_move_text};
pub(crate) use parsed_query::{ParsedQuery, QueryKey};
pub(crate) use problem_intent::{claims_nothing, intended_solutions};
pub use problem_intent::{written_captures, written_play};
pub(crate) use problem_position::{first_side_of, position_of_question, problem_position};
pub use problem_tree::{PlayParts, ProblemPlay, play_of, problem_play, stipulation_of};
pub use set_play::begins_with_set_play;
pub use solution_text::{
    Due, TreeSpot, WrittenPlay, WrittenStep, WrittenTree, begins_from, is_solution, position_due,
    solution_movetext,
};
pub use twin::twin_in_signs;
pub(crate) use twin::wrong_letters;
pub(crate) use twin::{asked_on, odd_twin};
pub use twin_state::{TwinState, letter_of_twin, twin_before, twin_continued, twin_start};
pub(crate) use twin_text::wrong_men;
pub use twin_text::{TwinChange, TwinText, read_twin};
pub(crate) use unique::check_unique;
pub use written_answer::AnswerPart;
pub(crate) use written_answer::ParsedAnswer;
pub(crate) use written_words::{numbered, words_of};

/// The table of verbs. No verb uses it, so that the files of the verbs stay below it.
pub(crate) fn rules(verb: Verb) -> &'static dyn VerbRules {
    match verb {
        Verb::Solve => &solve::Solve,
        Verb::Count => &count::Count,
        Verb::Move => &chess_move::Move,
        Verb::Mate => &mate::Mate,
        Verb::Problem(kind) => chess_problem::problem(kind),
        Verb::Twin => &twin::Derived(Verb::Twin),
        Verb::SetPlay => &twin::Derived(Verb::SetPlay),
        Verb::Duplex => &twin::Derived(Verb::Duplex),
        Verb::Unsolved => &unsolved::Unsolved,
        Verb::Win => &line::Line(Verb::Win),
        Verb::Draw => &line::Line(Verb::Draw),
        Verb::Capture => &capture::Capture,
        Verb::Line => &line::Line(Verb::Line),
    }
}
