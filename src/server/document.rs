//! A text as the client has it, at one version.

use std::sync::{Arc, OnceLock};

use ropey::Rope;

use crate::syntax::{Tree, parse};

/// One version of a document. Never changes: an edit makes the next one.
pub(super) struct Snapshot {
    /// Its URI, with what has no place in one escaped.
    pub uri: String,
    /// The client's number for it; nothing for a file that is not open.
    pub version: Option<i32>,
    /// The text.
    pub rope: Rope,
    tree: OnceLock<Arc<Tree>>,
}

impl Snapshot {
    pub fn new(uri: String, version: Option<i32>, rope: Rope) -> Snapshot {
        Snapshot { uri, version, rope, tree: OnceLock::new() }
    }

    /// Its tree, parsed when it is first asked for.
    pub fn tree(&self) -> &Arc<Tree> {
        self.tree.get_or_init(|| Arc::new(parse(String::from(&self.rope))))
    }
}
