//! One file a command. `watch` repeats `check`.

pub(crate) mod check;
pub(crate) mod convert;
pub(crate) mod diff;
pub(crate) mod draw;
pub(crate) mod explain;
pub(crate) mod export;
mod fix;
pub(crate) mod fmt;
pub(crate) mod generate;
pub(crate) mod hint;
pub(crate) mod import;
pub(crate) mod lines;
pub(crate) mod lsp;
pub(crate) mod man;
pub(crate) mod mdbook;
pub(crate) mod print;
pub(crate) mod rate;
pub(crate) mod repair;
pub(crate) mod report;
pub(crate) mod schema;
pub(crate) mod solve;
pub(crate) mod sort;
pub(crate) mod stats;
pub(crate) mod watch;
