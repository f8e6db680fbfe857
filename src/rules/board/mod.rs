//! Boards of every game in every format, both ways: reading, writing, converting.
//!
//! Invariant: knows how positions are written and nothing of how pieces move. What differs between
//! games comes in as a [`Format`], which each game supplies.
//!
//! Each file imports only from those before it in this order: `model`, `piece_letters`, `game_format`,
//! `wrong_letters`, `size`, `coordinates`, `rights`, `read_result`, `fen_fields`, `fen_pdn`, `text`, `blanks`, `list_slips`, `lists`,
//! `glyphs`, `labels`, `dressed`, `read`, `write`, `source_layout`.

mod blanks;
mod coordinates;
mod dressed;
mod fen_fields;
mod fen_pdn;
mod game_format;
mod glyphs;
mod labels;
mod list_slips;
mod lists;
mod model;
mod piece_letters;
mod read;
mod read_result;
mod rights;
mod size;
mod source_layout;
mod text;
mod torn_fen;
mod write;
mod wrong_letters;

pub use coordinates::{
    CoordinateEntry, CoordinateFrame, SquareText, read_colour, read_entry, read_square, read_square_parts,
    square_from_words,
};
pub use fen_pdn::{FenPosition, read_fen_fields, write_fen, write_pdn, write_placement};
pub use game_format::{Format, Notation, Sizes, english_piece};
pub use model::{Board, Colour, Kind, Piece, Size, Square, chess_square, level_name, square_name};
pub use piece_letters::{Language, RUSSIAN_KING, languages_of};
pub use read::{read, read_element};
pub use read_result::{Placed, Reading};
pub use rights::{Castling, KING_FILE, Rights, Wing, WrittenRights, home_rank, read_en_passant};
pub use size::SizeValue;
pub use source_layout::{
    EntryParts, SourceLayout, element_layout, respell, respell_colour, respell_piece, source_layout,
};
pub use write::{Style, Target, write, write_square};
