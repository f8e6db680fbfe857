//! Features on one text, for editors and the command line: hovers, completions, formatting, conversion, answers.
//!
//! Invariant: functions take byte offsets and return plain data. No module here knows a protocol or writes a file.

mod answer_text;
mod board_edit;
mod board_record;
mod board_touch;
mod board_view;
mod code_actions;
mod completion;
mod cursor;
mod diagram;
mod document_symbols;
mod folding;
mod formatting;
mod highlights;
mod hover;
mod inlay_hints;
mod keyword_docs;
mod links;
mod markdown;
mod on_type;
mod outside_puzzles;
mod problem_text;
mod proposals;
mod puzzle_status;
mod rename;
mod selection;
mod semantic_tokens;
mod text_edit;
mod twin_edit;
mod twin_words;

pub use answer_text::capture_path;
pub use answer_text::{AnswerStyle, answer_in_words, first_moves_in_words};
pub use board_edit::{BoardChanges, board_edits, editable_board};
pub use board_record::{
    MoveChoice, MoveGesture, MoveLeft, RecordedMove, RecordedPosition, record_move, record_targets,
    recorded_position,
};
pub use board_touch::{
    PalettePiece, PositionTexts, TouchMode, TouchView, palette_piece, position_texts, size_of, square_action,
    square_named, square_written_at, touch_view,
};
pub use board_view::ascii::text as board_text;
pub use board_view::frames::solution_frames;
pub use board_view::playback::Frame;
pub use board_view::{
    BoardRequest, BoardView, BoardViewBranch, BoardViewQuery, Branch, Choice, RenderedFrame, board_view,
    square_source,
};
pub use code_actions::allow::{allow_in_file, allow_in_puzzle};
pub use code_actions::convert_board::{BoardConversion, convert, convert_at};
pub use code_actions::dialect::switch_dialect;
pub use code_actions::fixes::{MAX_FIX_ROUNDS, apply_fixes, safe_fixes};
pub use code_actions::insert_answer::{
    answers_not_written, insert_answer, insert_answers, insert_puzzle_answers, insert_set_play,
    removes_finding,
};
pub use code_actions::insert_solution::insert_solution;
pub use code_actions::make_puzzles::make_puzzles;
pub use code_actions::slips::{can_be_slip, slip_fixes};
pub use code_actions::sort_coordinates::sort_coordinates;
pub use code_actions::transform::{Transform, transform, transform_title};
pub use completion::{Completion, CompletionKind, completions, completions_after};
pub use diagram::Theme;
pub use diagram::{Background, PictureStyle, SquareMark};
pub use document_symbols::{Symbol, SymbolKind, document_symbols};
pub use folding::{FoldKind, folds};
pub use formatting::{format, format_edits, format_range};
pub use highlights::highlights;
pub use hover::{Hover, hover};
pub use inlay_hints::{InlayHint, inlay_hints};
pub use keyword_docs::keyword_docs;
pub use links::links;
pub use markdown::plain_text;
pub use on_type::on_type;
pub use outside_puzzles::{WritableParts, error_outside_puzzles, is_plain_text};
pub use problem_text::{
    MAX_PLAY_LINES, PlayLine, PlayWords, all_play_lines, play_lines, play_lines_in, short_play,
};
pub use proposals::{
    Proposal, Proposals, REPAIRABLE, asks_for_solution, may_need_repair, propose, why_no_proposals,
};
pub use puzzle_status::{
    PuzzleStatus, depends_on_others, draft_of, forgive_unfinished, is_playable, puzzle_status, query_at,
};
pub use rename::{name_at, references, rename};
pub use selection::selection;
pub use semantic_tokens::{SemanticToken, TokenClass, semantic_tokens};
pub use text_edit::{apply, keeps_all_else, make_the_same, merge_edits};
pub use twin_edit::{TwinBoard, twin_at, twin_edits};
