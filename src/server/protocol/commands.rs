//! The commands of `workspace/executeCommand`, which code lenses and code actions run.

use serde::{Deserialize, Serialize};
use tower_lsp::ls_types as lsp;

/// A command of this server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ServerCommand {
    /// Inserts the answer of the query at the position.
    InsertAnswer,
    /// Inserts every missing answer of the file.
    InsertAllAnswers,
    /// Shows the next move of the query's solution in a message.
    ShowNextMove,
}

impl ServerCommand {
    pub const ALL: [ServerCommand; 3] =
        [ServerCommand::InsertAnswer, ServerCommand::InsertAllAnswers, ServerCommand::ShowNextMove];

    /// The name in the protocol.
    pub fn name(self) -> &'static str {
        match self {
            ServerCommand::InsertAnswer => "cpz.insertAnswer",
            ServerCommand::InsertAllAnswers => "cpz.insertAllAnswers",
            ServerCommand::ShowNextMove => "cpz.showNextMove",
        }
    }

    /// The command with a name in the protocol.
    pub fn from_name(name: &str) -> Option<ServerCommand> {
        ServerCommand::ALL.into_iter().find(|command| command.name() == name)
    }
}

/// The argument of every command: a position in a text of a known version.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct TextPosition {
    pub uri: String,
    #[serde(default)]
    pub version: Option<i32>,
    #[serde(default)]
    pub position: lsp::Position,
}
