//! Boards drawn: as text, as SVG, and in the panel beside the text.

pub mod ascii;
pub(crate) mod panel;
pub(crate) mod playback;
pub(crate) mod svg;
