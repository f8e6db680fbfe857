//! Findings: what is wrong where in a text, how bad it is, and how it can be mended.
//!
//! Invariant: the lowest layer. It holds plain data, and knows neither the grammar nor any game.

mod code;
mod finding;
mod fix;
mod line_index;
mod span;
mod visible;

pub use code::{Code, CodeSet, Severity};
pub use finding::{Finding, Related};
pub use fix::{Edit, Fix};
pub use line_index::{LineEnd, LineIndex, Position};
pub use span::Span;
pub use visible::visible;
