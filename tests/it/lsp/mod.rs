//! The language server, as a client sees it.

mod edits;
mod protocol;
mod workspace;
