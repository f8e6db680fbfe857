//! One file a command. `check` and `--watch` call each other: `check --watch` runs `watch`, which repeats the check.

pub(crate) mod check;
pub(crate) mod convert;
pub(crate) mod explain;
mod fix;
pub(crate) mod fmt;
pub(crate) mod lsp;
pub(crate) mod man;
pub(crate) mod report;
pub(crate) mod schema;
pub(crate) mod solve;
mod watch;
