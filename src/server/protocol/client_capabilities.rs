//! What both sides can do, as it is told in `initialize`.

use tower_lsp::ls_types::*;

use crate::server::handlers::features::COMMANDS;
use crate::server::handlers::structure::legend;
use crate::server::protocol::convert::Encoding;
use crate::server::state::diagnostics::Shown;

/// What a client can do beyond the minimum.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClientCapabilities {
    /// What columns count.
    pub encoding: Encoding,
    /// What of diagnostics it shows.
    pub shown: Shown,
    /// Whether it shows boards as images in Markdown where no setting says otherwise.
    pub pictures: bool,
    /// Whether hovers may be Markdown.
    pub hover_markdown: bool,
    /// Whether the documentation of completions may be.
    pub documentation_markdown: bool,
    /// Whether completions may have places to fill in.
    pub snippets: bool,
    /// Whether it asks for the findings of what it has open.
    pub pulls: bool,
    /// Whether edits may say which version of a document they are for.
    pub versions: bool,
    /// Whether it can be told to ask for hints again.
    pub refresh_hints: bool,
    /// Whether it can be told to ask for lenses again.
    pub refresh_lenses: bool,
    /// Whether it can be asked to tell of files that change.
    pub register_watchers: bool,
    /// Whether it can be asked to tell of settings that change.
    pub register_settings: bool,
    /// Whether it can be asked for its settings.
    pub send_settings: bool,
    /// Whether it shows how far a work is.
    pub progress: bool,
}

impl ClientCapabilities {
    /// What a client declares.
    pub fn by(params: &InitializeParams) -> ClientCapabilities {
        let declared = &params.capabilities;
        let offered = declared.general.as_ref().and_then(|g| g.position_encodings.as_deref());
        let workspace = declared.workspace.clone().unwrap_or_default();
        let documents = declared.text_document.as_ref();
        let completion = documents.and_then(|t| t.completion.as_ref()?.completion_item.as_ref());
        let hover = documents.and_then(|d| d.hover.as_ref());
        // Who says nothing of a feature may show anything; who says nothing of formats knows plain text.
        let marked = |formats: Option<&[MarkupKind]>| formats.unwrap_or(&[]).contains(&MarkupKind::Markdown);
        let yes = |answer: Option<bool>| answer.unwrap_or(false);
        ClientCapabilities {
            encoding: Encoding::choose(offered),
            shown: Shown::by(documents.and_then(|d| d.publish_diagnostics.as_ref())),
            // The protocol has no word for it, so the client says so itself, or is known to show them.
            pictures: params.client_info.as_ref().is_some_and(|c| c.name.starts_with("Visual Studio Code")),
            hover_markdown: hover.is_none_or(|h| marked(h.content_format.as_deref())),
            documentation_markdown: completion.is_none_or(|c| marked(c.documentation_format.as_deref())),
            snippets: yes(completion.and_then(|c| c.snippet_support)),
            // Who cannot be told to ask again would never learn what a slow search found.
            pulls: documents.is_some_and(|d| d.diagnostic.is_some())
                && yes(workspace.diagnostics.and_then(|d| d.refresh_support)),
            versions: yes(workspace.workspace_edit.and_then(|e| e.document_changes)),
            refresh_hints: yes(workspace.inlay_hint.and_then(|c| c.refresh_support)),
            refresh_lenses: yes(workspace.code_lens.and_then(|c| c.refresh_support)),
            register_watchers: yes(workspace.did_change_watched_files.and_then(|c| c.dynamic_registration)),
            register_settings: yes(workspace.did_change_configuration.and_then(|c| c.dynamic_registration)),
            send_settings: yes(workspace.configuration),
            progress: yes(declared.window.as_ref().and_then(|w| w.work_done_progress)),
        }
    }
}

/// What this server can do for such a client.
pub(crate) fn capabilities(agreed: &ClientCapabilities) -> ServerCapabilities {
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::INCREMENTAL),
        save: Some(TextDocumentSyncSaveOptions::Supported(true)),
        ..Default::default()
    };
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
    ServerCapabilities {
        diagnostic_provider: agreed.pulls.then(|| {
            DiagnosticServerCapabilities::Options(DiagnosticOptions {
                identifier: Some("cpz".into()),
                inter_file_dependencies: true,
                workspace_diagnostics: true,
                ..Default::default()
            })
        }),
        position_encoding: Some(agreed.encoding.kind()),
        text_document_sync: Some(TextDocumentSyncCapability::Options(sync)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some([" ", "[", ",", ">"].map(String::from).to_vec()),
            ..Default::default()
        }),
        inlay_hint_provider: Some(OneOf::Left(true)),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(true) }),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![
                CodeActionKind::QUICKFIX,
                CodeActionKind::REFACTOR_INLINE,
                CodeActionKind::REFACTOR_REWRITE,
                CodeActionKind::from("source.fixAll.cpz"),
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
            commands: COMMANDS.map(String::from).to_vec(),
            ..Default::default()
        }),
        workspace: Some(WorkspaceServerCapabilities {
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
        }),
        ..Default::default()
    }
}
