//! Diagrams: boards drawn as SVG, for hovers, the board view, sheets and files.
//!
//! A picture contains no scripts, styles, fonts or text, and fetches nothing: letters are paths, so it looks the same
//! everywhere. Colours are attributes, so that a picture needs no style sheet. Every part has a class, so that a page can
//! apply the colours of its theme: style sheets take precedence over attributes.

mod letters;
mod marks;
mod picture;
mod pieces;
mod theme;

pub use marks::{ArrowKind, BoardArrow, SquareMark};
pub use picture::{Background, LEVELS_PER_ROW, Picture, PictureStyle, piece_picture};
pub use theme::Theme;
