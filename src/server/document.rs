//! A text as the client has it, at one version.

use std::sync::{Arc, OnceLock};

use ropey::Rope;

use crate::analysis::{Config, Options};
use crate::syntax::{Tree, parse};

/// One version of a document. Never changes: an edit makes the next one.
pub(super) struct Snapshot {
    /// Its URI, with what has no place in one escaped.
    pub uri: String,
    /// The client's number for it; nothing for a file that is not open.
    pub version: Option<i32>,
    /// The text.
    pub rope: Rope,
    /// What is configured where it stands, with the client's settings on top.
    pub config: Arc<Config>,
    tree: OnceLock<Arc<Tree>>,
}

impl Snapshot {
    pub fn new(uri: String, version: Option<i32>, rope: Rope, config: Arc<Config>) -> Snapshot {
        Snapshot { uri, version, rope, config, tree: OnceLock::new() }
    }

    /// The same text under another configuration.
    #[expect(dead_code)]
    pub fn under(&self, config: Arc<Config>) -> Snapshot {
        let (uri, rope) = (self.uri.clone(), self.rope.clone());
        Snapshot { uri, version: self.version, rope, config, tree: self.tree.clone() }
    }

    /// What analyses of it may do.
    pub fn options(&self) -> Options {
        Options { answers: true, ..Options::new(self.config.clone()) }
    }

    /// Its tree, parsed when it is first asked for.
    pub fn tree(&self) -> &Arc<Tree> {
        self.tree.get_or_init(|| Arc::new(parse(String::from(&self.rope))))
    }
}
