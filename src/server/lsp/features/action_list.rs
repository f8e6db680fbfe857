//! The actions of a menu: what the client asks for, what is offered already, and how an action is made.

use ls_types as lsp;

use crate::lsp::features::context::RequestContext;
use crate::lsp::protocol::commands::TextPosition;
use crate::lsp::protocol::convert::FIX_ALL;
use cpz_text::diagnostic::{Edit, plain};

/// The actions found so far, in the order of the menu.
pub(crate) struct ActionList<'a> {
    /// The kinds that the client asks for; `None` for every kind.
    only: Option<&'a [lsp::CodeActionKind]>,
    pub list: Vec<lsp::CodeActionOrCommand>,
    edits: Vec<lsp::WorkspaceEdit>,
}

impl ActionList<'_> {
    pub fn new(only: Option<&[lsp::CodeActionKind]>) -> ActionList<'_> {
        // Every kind is below the empty one.
        let only = only.filter(|kinds| kinds.iter().all(|kind| *kind != lsp::CodeActionKind::EMPTY));
        ActionList { only, list: Vec::new(), edits: Vec::new() }
    }

    /// Whether the client asks for a kind. It has to name `source.fixAll`, which is no action of the menu.
    pub fn is_requested(&self, kind: &lsp::CodeActionKind) -> bool {
        self.only.map_or(*kind != FIX_ALL, |_| self.is_named(kind))
    }

    /// Whether the client asks for a kind by name.
    pub fn is_named(&self, kind: &lsp::CodeActionKind) -> bool {
        self.only.is_some_and(|kinds| {
            kinds.iter().any(|k| {
                kind.as_str() == k.as_str() || kind.as_str().starts_with(&format!("{}.", k.as_str()))
            })
        })
    }

    /// Whether the client asks for this kind and no other.
    pub fn is_exactly(&self, kind: &lsp::CodeActionKind) -> bool {
        self.only == Some(std::slice::from_ref(kind))
    }

    /// Adds an action unless an earlier one has the same edit.
    pub fn add(&mut self, action: lsp::CodeAction) {
        if let Some(edit) = &action.edit {
            if self.edits.contains(edit) {
                return;
            }
            self.edits.push(edit.clone());
        }
        self.list.push(lsp::CodeActionOrCommand::CodeAction(action));
    }
}

/// An action that edits the document.
pub(crate) fn edit_action(
    context: &RequestContext<'_>,
    title: &str,
    kind: lsp::CodeActionKind,
    edits: &[Edit],
) -> lsp::CodeAction {
    let edit = Some(context.workspace_edit(edits));
    lsp::CodeAction { title: plain(title).into_owned(), kind: Some(kind), edit, ..Default::default() }
}

/// An action that runs a command with one argument.
pub(crate) fn command_action(
    title: &str,
    kind: lsp::CodeActionKind,
    command: &str,
    argument: serde_json::Value,
) -> lsp::CodeAction {
    let title = plain(title).into_owned();
    let command =
        lsp::Command { title: title.clone(), command: command.into(), arguments: Some(vec![argument]) };
    lsp::CodeAction { title, kind: Some(kind), command: Some(command), ..Default::default() }
}

/// The argument of a command about a place in the document.
pub(crate) fn text_position(context: &RequestContext<'_>, offset: u32) -> TextPosition {
    TextPosition {
        uri: context.snapshot.uri.clone(),
        version: context.snapshot.version,
        position: context.position(offset),
    }
}
