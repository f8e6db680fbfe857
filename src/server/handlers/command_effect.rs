//! What a command of `workspace/executeCommand` does.

use tower_lsp::ls_types as lsp;

/// The effect of a command.
pub(crate) enum Effect {
    /// The request was cancelled, or has to run again.
    Nothing,
    /// An edit of the document at this version.
    Edit(lsp::WorkspaceEdit, Option<i32>),
    /// A message to the user.
    Message(String),
}
