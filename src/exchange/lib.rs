//! Exchange with other programs: their files become puzzles, and puzzles become their files.
//!
//! Invariant: it works on texts and streams and opens no file. It decides nothing about puzzles: what it writes is read
//! and checked like any other text.

mod answer_json;
mod begins;
mod check_json;
mod diff;
mod duplex;
pub mod export;
mod fairy;
mod filter;
mod game_tags;
mod hint_json;
pub mod import;
mod lines;
mod pattern;
mod play_json;
mod puzzle_json;
mod range_json;
mod rating_json;
mod solve_json;
mod statistics_json;

pub use answer_json::{AnswerDocument, answer_document, found_answer_document, outcome_document};
pub use check_json::{CheckDocument, CheckFile, Counts, Summary, diagnostic_document};
pub use diff::{
    BoardDiff, BoardRows, BoardSize, Change, CommentsDiff, Diff, DiffFile, DiffSummary, FileDiff,
    FindingState, FindingsDiff, ManDiff, PlainBoard, PropertyDiff, PuzzleDiff, PuzzlePlace, QueryDiff,
    QuestionState, comments_in_words, diff, diff_in_markdown, diff_in_words, finding_in_words,
    findings_in_words, more_in_words, summary_in_words, two_boards,
};
pub use filter::{Candidate, Filter};
pub use hint_json::{HintDocument, HintedDocument};
pub use lines::{answer_line, error_line};
pub use play_json::{WrittenDocument, written_document};
pub use puzzle_json::{FileDocument, PuzzleDocument};
pub use range_json::{RangeDocument, range_document};
pub use rating_json::{DifficultyDocument, RateDocument, RatedDocument, difficulty_document};
pub use solve_json::{SolveDocument, solve_file};
pub use statistics_json::{StatisticsTable, statistics_document, statistics_tables};
