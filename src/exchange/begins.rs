//! Which side begins a problem whose stipulation is known only by its signs.

use cpz_rules::board::Colour;

/// The side that begins. Black begins in helpmates and other help play, unless half a move more is asked.
pub(crate) fn first_side(stipulation: &str) -> Colour {
    let text = stipulation.trim().to_lowercase();
    let is_help = |text: &str| text.starts_with('h') && !text.starts_with("hs") && !text.starts_with("hr");
    let helps = is_help(&text) || text.split('-').skip(1).any(is_help);
    let is_black = text.contains("black") || helps != text.contains(".5");
    if is_black { Colour::Black } else { Colour::White }
}
