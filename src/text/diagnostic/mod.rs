//! Findings in a text: their codes, places, messages and fixes, and the positions that other layers share.
//!
//! Invariant: the lowest layer. It has plain data only, and knows neither the grammar nor any game.

mod code;
mod finding;
mod fix;
mod line_index;
mod span;
mod visible;
mod wrap;

pub use code::{Code, CodeSet, Severity};
pub use finding::{Finding, Related};
pub use fix::{Edit, Fix};
pub use line_index::{LineEnd, LineIndex, Position};
pub use span::Span;
pub use visible::{plain, visible};
pub use wrap::wrapped;
