//! Bytes and JSON between the client and tower-lsp; the end of the process; the log.
//!
//! Invariant: knows no document and no state.

pub(crate) mod frames;
pub(crate) mod large_answers;
pub(crate) mod large_texts;
pub(crate) mod lifecycle;
pub(crate) mod log;
