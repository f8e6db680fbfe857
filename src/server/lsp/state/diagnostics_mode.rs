//! How diagnostics reach the client.

use crate::lsp::protocol::client_capabilities::ClientCapabilities;
use crate::lsp::state::document::Origin;

/// Which documents' diagnostics are pushed, and which wait for a pull.
///
/// Invariant: at no time are the diagnostics of one document both pushed and pullable, except that a client
/// which pulls for the first time may still see what was pushed before; that is retracted then. A client that has not
/// said that it pulls is answered when it does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum DiagnosticsMode {
    /// The client cannot pull, or would not learn of changes: push everything.
    #[default]
    Push,
    /// The client pulls open documents. Whether it pulls the workspace is not known yet: push nothing.
    PullOpen,
    /// The client has not pulled the workspace in time: push the files that it does not have open.
    PullOpenPushRest,
    /// The client pulls the workspace: push nothing.
    PullAll,
}

impl DiagnosticsMode {
    /// The mode at the start of a session.
    pub fn negotiated(client: &ClientCapabilities) -> DiagnosticsMode {
        if client.pulls { DiagnosticsMode::PullOpen } else { DiagnosticsMode::Push }
    }

    /// Whether results are numbered and kept until the client pulls them.
    pub fn keeps_results(self) -> bool {
        self != DiagnosticsMode::Push
    }

    /// Whether diagnostics of documents of this origin are pushed.
    pub fn pushes(self, origin: Origin) -> bool {
        match self {
            DiagnosticsMode::Push => true,
            DiagnosticsMode::PullOpenPushRest => origin == Origin::OnDisk,
            DiagnosticsMode::PullOpen | DiagnosticsMode::PullAll => false,
        }
    }

    /// The client pulls the workspace. Returns whether that is new, so that pushed diagnostics must be retracted.
    pub fn on_workspace_pull(&mut self) -> bool {
        let is_new = matches!(self, DiagnosticsMode::PullOpen | DiagnosticsMode::PullOpenPushRest);
        if is_new {
            *self = DiagnosticsMode::PullAll;
        }
        is_new
    }

    /// The time for the first workspace pull is over. Returns whether files on the disk are pushed from now on.
    pub fn on_workspace_pull_overdue(&mut self) -> bool {
        let is_new = *self == DiagnosticsMode::PullOpen;
        if is_new {
            *self = DiagnosticsMode::PullOpenPushRest;
        }
        is_new
    }
}
