//! The language server, as a client sees it.

mod authoring;
mod board_edit;
mod edits;
mod exchange;
mod protocol;
mod repairs;
mod twin_edit;
mod workspace;
