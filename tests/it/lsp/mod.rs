//! The language server, as a client sees it.

mod authoring;
mod edits;
mod protocol;
mod workspace;
