//! What the server offers in the answer to `initialize`.

use ls_types::*;
use serde_json::json;

use crate::lsp::protocol::client_capabilities::ClientCapabilities;
use crate::lsp::protocol::commands::ServerCommand;
use crate::lsp::protocol::convert::{FIX_ALL, INSERT_ANSWERS, SORT_PUZZLES};
use crate::lsp::protocol::token_legend::legend;

/// The requests about files of other programs, which an editor with a disk leaves to the command line.
const REQUESTS: [&str; 2] = ["cpz/import", "cpz/export"];

/// The capabilities offered to a client with these abilities.
pub(crate) fn server_capabilities(client: &ClientCapabilities) -> ServerCapabilities {
    ServerCapabilities {
        diagnostic_provider: client.pulls.then(|| {
            DiagnosticServerCapabilities::Options(DiagnosticOptions {
                identifier: Some("cpz".into()),
                inter_file_dependencies: true,
                workspace_diagnostics: true,
                ..Default::default()
            })
        }),
        position_encoding: Some(client.encoding.kind()),
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::INCREMENTAL),
            save: Some(TextDocumentSyncSaveOptions::Supported(true)),
            ..Default::default()
        })),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some([" ", "[", ","].map(String::from).to_vec()),
            ..Default::default()
        }),
        inlay_hint_provider: Some(OneOf::Left(true)),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(true) }),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![
                CodeActionKind::QUICKFIX,
                CodeActionKind::REFACTOR_INLINE,
                CodeActionKind::REFACTOR_REWRITE,
                FIX_ALL,
                INSERT_ANSWERS,
                SORT_PUZZLES,
            ]),
            ..Default::default()
        })),
        semantic_tokens_provider: Some(SemanticTokensServerCapabilities::SemanticTokensOptions(
            SemanticTokensOptions {
                legend: legend(),
                range: Some(true),
                full: Some(SemanticTokensFullOptions::Delta { delta: Some(true) }),
                ..Default::default()
            },
        )),
        document_symbol_provider: Some(OneOf::Left(true)),
        workspace_symbol_provider: Some(OneOf::Left(true)),
        folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
        selection_range_provider: Some(SelectionRangeProviderCapability::Simple(true)),
        document_link_provider: Some(DocumentLinkOptions {
            resolve_provider: Some(false),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        }),
        document_highlight_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        definition_provider: Some(OneOf::Left(true)),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        })),
        document_on_type_formatting_provider: Some(DocumentOnTypeFormattingOptions {
            first_trigger_character: "\n".into(),
            more_trigger_character: Some(vec!["}".into()]),
        }),
        document_formatting_provider: Some(OneOf::Left(true)),
        document_range_formatting_provider: Some(OneOf::Left(true)),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: ServerCommand::ALL.map(|command| command.name().to_string()).to_vec(),
            ..Default::default()
        }),
        workspace: Some(workspace()),
        // The requests that are no part of the protocol, for clients that can do without them.
        experimental: Some(json!({ "requests": REQUESTS })),
        ..Default::default()
    }
}

/// Workspace folders and file operations.
fn workspace() -> WorkspaceServerCapabilities {
    let filter = |glob: &str, matches| FileOperationFilter {
        scheme: Some("file".into()),
        pattern: FileOperationPattern { glob: glob.into(), matches: Some(matches), options: None },
    };
    let files = FileOperationRegistrationOptions {
        filters: vec![
            filter("**/{*.cpz,cpz.toml}", FileOperationPatternKind::File),
            filter("**", FileOperationPatternKind::Folder),
        ],
    };
    WorkspaceServerCapabilities {
        workspace_folders: Some(WorkspaceFoldersServerCapabilities {
            supported: Some(true),
            change_notifications: Some(OneOf::Left(true)),
        }),
        file_operations: Some(WorkspaceFileOperationsServerCapabilities {
            did_create: Some(files.clone()),
            did_rename: Some(files.clone()),
            did_delete: Some(files),
            ..Default::default()
        }),
    }
}
