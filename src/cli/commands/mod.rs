//! One file a command.

pub(crate) mod check;
pub(crate) mod documents;
pub(crate) mod explain;
pub(crate) mod report;
pub(crate) mod rewrite;
pub(crate) mod solve;
pub(crate) mod watch;
