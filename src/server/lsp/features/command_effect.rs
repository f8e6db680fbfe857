//! What a command of `workspace/executeCommand` does.

use ls_types as lsp;

/// The effect of a command.
pub(crate) enum Effect {
    /// The request was cancelled, or has to run again.
    Nothing,
    /// An edit of the document at this version.
    Edit(lsp::WorkspaceEdit, Option<i32>),
    /// Edits of the document at this version, of which the user chooses one: a sentence, and a title for each edit.
    Choice(String, Vec<(String, lsp::WorkspaceEdit)>, Option<i32>),
    /// A message to the user.
    Message(String),
    /// Messages of which the user asks for the next one.
    Messages(Vec<String>),
}
