//! The commands that code lenses and code actions run: those of `workspace/executeCommand`, and those of the client.

use ls_types as lsp;
use serde::{Deserialize, Serialize};

use cpz_check::repair::Aim;

/// A command of this server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ServerCommand {
    /// Inserts the answer of the query at the position.
    InsertAnswer,
    /// Inserts the whole solution of the chess problem at the position.
    InsertSolution,
    /// Inserts every missing answer of the puzzle at the position.
    InsertPuzzleAnswers,
    /// Inserts every missing answer of the file.
    InsertAllAnswers,
    /// Does something on the board at the position: its argument has a `gesture` too.
    EditBoard,
    /// Offers the changes that make the puzzle at the position sound.
    RepairPuzzle,
    /// Offers the changes that leave the puzzle at the position one solution.
    MakeUnique,
    /// Offers smaller puzzles that are as sound as the one at the position.
    ShortenPuzzle,
    /// Offers to remove the pieces that the solution of the puzzle at the position does not need.
    RemoveNeedless,
    /// Sorts the puzzles of the file; `by` says by what.
    SortPuzzles,
    /// Shows a hint for the puzzle at the position; `grade` says how much it gives away.
    ShowHint,
    /// Adds a new puzzle of solitaire; `wanted` says which.
    GeneratePuzzle,
    /// Shows a place: its argument is a [`Target`].
    GoTo,
    /// Shows what a diagnostic code means: its argument is `{code}`.
    Explain,
}

impl ServerCommand {
    pub const ALL: [ServerCommand; 14] = [
        ServerCommand::InsertAnswer,
        ServerCommand::InsertSolution,
        ServerCommand::InsertPuzzleAnswers,
        ServerCommand::InsertAllAnswers,
        ServerCommand::EditBoard,
        ServerCommand::RepairPuzzle,
        ServerCommand::MakeUnique,
        ServerCommand::ShortenPuzzle,
        ServerCommand::RemoveNeedless,
        ServerCommand::SortPuzzles,
        ServerCommand::ShowHint,
        ServerCommand::GeneratePuzzle,
        ServerCommand::GoTo,
        ServerCommand::Explain,
    ];

    /// The name in the protocol.
    pub fn name(self) -> &'static str {
        match self {
            ServerCommand::InsertAnswer => "cpz.insertAnswer",
            ServerCommand::InsertSolution => "cpz.insertWholeSolution",
            ServerCommand::InsertPuzzleAnswers => "cpz.insertPuzzleAnswers",
            ServerCommand::InsertAllAnswers => "cpz.insertAllAnswers",
            ServerCommand::EditBoard => "cpz.editBoard",
            ServerCommand::RepairPuzzle => "cpz.repair",
            ServerCommand::MakeUnique => "cpz.makeUnique",
            ServerCommand::ShortenPuzzle => "cpz.shorten",
            ServerCommand::RemoveNeedless => "cpz.removeNeedless",
            ServerCommand::SortPuzzles => "cpz.sortPuzzles",
            ServerCommand::ShowHint => "cpz.showHint",
            ServerCommand::GeneratePuzzle => "cpz.generatePuzzle",
            ServerCommand::GoTo => "cpz.goTo",
            ServerCommand::Explain => "cpz.explainCode",
        }
    }

    /// What a command that offers changes of a board is meant to reach; `None` for the others.
    pub fn aim(self) -> Option<Aim> {
        match self {
            ServerCommand::RepairPuzzle => Some(Aim::Sound),
            ServerCommand::MakeUnique => Some(Aim::Unique),
            ServerCommand::ShortenPuzzle => Some(Aim::Shorter),
            ServerCommand::RemoveNeedless => Some(Aim::Minimal),
            _ => None,
        }
    }
    /// The command with a name in the protocol.
    pub fn from_name(name: &str) -> Option<ServerCommand> {
        ServerCommand::ALL.into_iter().find(|command| command.name() == name)
    }
}

/// A command of the client, offered only to clients that declare it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClientCommand {
    /// Shows the board of the puzzle at a [`TextPosition`].
    ShowBoard,
    /// Shows the page of a diagnostic code: its argument is `{code}`.
    Explain,
}

impl ClientCommand {
    /// The name in the protocol.
    pub fn name(self) -> &'static str {
        match self {
            ClientCommand::ShowBoard => "cpz.showBoard",
            ClientCommand::Explain => "cpz.explain",
        }
    }
}

/// The argument of most commands: a position in a text of a known version.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct TextPosition {
    pub uri: String,
    #[serde(default)]
    pub version: Option<i32>,
    #[serde(default)]
    pub position: lsp::Position,
}

/// The argument of [`ServerCommand::GoTo`].
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Target {
    pub uri: lsp::Uri,
    pub range: lsp::Range,
}
