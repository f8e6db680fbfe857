//! The editor features of the library: a text with a cursor, and what is expected there.

mod actions;
mod basics;
mod complete;
mod panel;
mod problem_panel;
mod structure;
mod transform;
pub(crate) mod typing;
