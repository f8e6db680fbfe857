//! Limits that keep the server responsive and its memory bounded.

/// Nodes per puzzle in the first pass over a text and in requests that must answer at once. A search that
/// needs more nodes runs later, on a pool for slow searches.
pub(crate) const QUICK_NODE_LIMIT: u64 = 20_000;

/// Nodes of a search for repairs whose result a menu shows: a fraction of a second, for which the user waits.
pub(crate) const MENU_NODE_LIMIT: u64 = 500_000;

/// Nodes of all slow searches for files that are not open, from one change of the folders to the next: about half an hour
/// of one processor. A few kilobytes of a folder from an untrusted source can ask for weeks.
pub(crate) const MAX_BACKGROUND_NODES: u64 = 2_000_000_000;

/// Bytes of puzzle files that are read from the folders of a workspace. An analysed text takes about ten
/// times its length in memory, and a folder from an untrusted source must not use all of it.
pub(crate) const MAX_WORKSPACE_BYTES: u64 = 128 << 20;

/// Findings that are published for one file; the worst ones are chosen.
pub(crate) const MAX_DIAGNOSTICS: usize = 1000;

/// Files that are handed over at a time: from the scan to the state, from the state to the analysis pool,
/// and that are republished at a time because of duplicates elsewhere.
pub(crate) const FILES_PER_BATCH: usize = 16;

/// Puzzles of an open text that are analysed between two messages of the client.
pub(crate) const PUZZLES_PER_BATCH: usize = 1024;

/// Events that are applied before results are published in between.
pub(crate) const MAX_EVENTS_PER_TURN: usize = 4096;
