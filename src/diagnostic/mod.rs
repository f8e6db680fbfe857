//! Findings: what is wrong where in a text, how bad it is, and how it can be mended.
//!
//! Invariant: the lowest layer. It holds plain data, and knows neither the grammar nor any game.

mod finding;
mod line_index;
mod span;
mod visible;

pub use finding::{Code, Edit, Finding, Fix, Related, Severity};
pub use line_index::{LineEnd, LineIndex, Position};
pub use span::Span;
pub use visible::visible;
