//! Pictures, sheets and books: what leaves cpz for paper.
//!
//! Invariant: functions return texts and bytes. Nothing here reads or writes a file, prints, or knows a protocol; boards
//! are drawn by `ide::diagram` alone, as in the editor.

mod answers;
mod captions;
mod diff_page;
mod entries;
mod file_names;
mod html;
mod languages;
mod latex;
mod latex_board;
mod latex_text;
mod layout;
mod mdbook;
mod notebook;
mod pictures;
mod problem_form;
mod sheet;
mod sheet_format;
mod statistics_plot;
mod typst;
mod words;

pub use captions::{Captions, captions};
pub use cpz_ide::Theme;
pub use diff_page::diff_in_html;
pub use entries::{Entry, entries};
pub use file_names::FileNames;
pub use html::html;
pub use languages::Language;
pub use latex::latex;
pub use mdbook::{ProcessedBook, process_book};
pub use notebook::{PuzzleText, ShowOptions, ShownBoard, ShownPuzzle, ShownQuestion, puzzle_texts, show};
#[cfg(feature = "png")]
pub use pictures::png;
pub use pictures::{Moment, PictureOptions, card_picture, picture};
pub use problem_form::Form;
pub use sheet::{Diagram, DifficultyShown, Paper, Placement, SheetOptions, diagram};
pub use sheet_format::SheetFormat;
pub use statistics_plot::plot;
pub use typst::typst;
