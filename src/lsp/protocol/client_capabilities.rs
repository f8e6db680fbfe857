//! What the client declares in `initialize`.

use ls_types::{InitializeParams, MarkupKind, PublishDiagnosticsClientCapabilities};

use crate::lsp::protocol::commands::ClientCommand;
use crate::lsp::protocol::convert::Encoding;

/// The optional fields of a diagnostic that a client can use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shown {
    pub related: bool,
    pub data: bool,
    pub tags: bool,
}

impl Shown {
    /// Reads the client's declaration. A client that declares nothing gets every field.
    pub fn by(declared: Option<&PublishDiagnosticsClientCapabilities>) -> Shown {
        let Some(declared) = declared else {
            return Shown { related: true, data: true, tags: true };
        };
        Shown {
            related: declared.related_information == Some(true),
            data: declared.data_support == Some(true),
            tags: declared.tag_support.is_some(),
        }
    }
}

/// The optional abilities of a client that change what the server sends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClientCapabilities {
    /// The unit of columns.
    pub encoding: Encoding,
    /// The optional fields of a diagnostic.
    pub shown: Shown,
    /// Whether boards are images in Markdown, unless the setting `images` says otherwise.
    pub pictures: bool,
    /// Whether hovers may be Markdown.
    pub hover_markdown: bool,
    /// Whether the documentation of completions may be Markdown.
    pub documentation_markdown: bool,
    /// Whether completions may be snippets.
    pub snippets: bool,
    /// Whether completions may have label details.
    pub label_details: bool,
    /// Whether it pulls diagnostics.
    pub pulls: bool,
    /// Whether an edit may name the version of its document.
    pub versions: bool,
    /// Whether it supports `workspace/inlayHint/refresh`.
    pub refresh_hints: bool,
    /// Whether it supports `workspace/codeLens/refresh`.
    pub refresh_lenses: bool,
    /// Whether file watchers can be registered.
    pub register_watchers: bool,
    /// Whether `workspace/didChangeConfiguration` can be registered.
    pub register_settings: bool,
    /// Whether it supports `workspace/configuration`.
    pub send_settings: bool,
    /// Whether it shows work-done progress.
    pub progress: bool,
    /// Whether it supports `window/showDocument`.
    pub show_document: bool,
    /// Whether it has the command `cpz.showBoard`.
    pub show_board: bool,
    /// Whether it has the command `cpz.explain`.
    pub explain: bool,
}

impl ClientCapabilities {
    /// Reads the parameters of `initialize`.
    pub fn from_params(params: &InitializeParams) -> ClientCapabilities {
        let declared = &params.capabilities;
        let offered = declared.general.as_ref().and_then(|g| g.position_encodings.as_deref());
        let workspace = declared.workspace.clone().unwrap_or_default();
        let documents = declared.text_document.as_ref();
        let completion = documents.and_then(|t| t.completion.as_ref()?.completion_item.as_ref());
        let hover = documents.and_then(|d| d.hover.as_ref());
        // A client that omits the whole feature may support Markdown; one that omits only the formats
        // supports plain text.
        let marked = |formats: Option<&[MarkupKind]>| formats.unwrap_or(&[]).contains(&MarkupKind::Markdown);
        let yes = |answer: Option<bool>| answer.unwrap_or(false);
        let window = declared.window.as_ref();
        let has = |command: ClientCommand| client_commands(params).any(|name| name == command.name());
        ClientCapabilities {
            encoding: Encoding::choose(offered),
            shown: Shown::by(documents.and_then(|d| d.publish_diagnostics.as_ref())),
            // The protocol has no capability for images: VS Code is known to show them.
            pictures: params.client_info.as_ref().is_some_and(|c| c.name.starts_with("Visual Studio Code")),
            hover_markdown: hover.is_none_or(|h| marked(h.content_format.as_deref())),
            documentation_markdown: completion.is_none_or(|c| marked(c.documentation_format.as_deref())),
            snippets: yes(completion.and_then(|c| c.snippet_support)),
            label_details: yes(completion.and_then(|c| c.label_details_support)),
            // Without `refreshSupport` the results of slow searches would never reach the client.
            pulls: documents.is_some_and(|d| d.diagnostic.is_some())
                && yes(workspace.diagnostics.and_then(|d| d.refresh_support)),
            versions: yes(workspace.workspace_edit.and_then(|e| e.document_changes)),
            refresh_hints: yes(workspace.inlay_hint.and_then(|c| c.refresh_support)),
            refresh_lenses: yes(workspace.code_lens.and_then(|c| c.refresh_support)),
            register_watchers: yes(workspace.did_change_watched_files.and_then(|c| c.dynamic_registration)),
            register_settings: yes(workspace.did_change_configuration.and_then(|c| c.dynamic_registration)),
            send_settings: yes(workspace.configuration),
            progress: yes(window.and_then(|w| w.work_done_progress)),
            show_document: window.and_then(|w| w.show_document.as_ref()).is_some_and(|s| s.support),
            show_board: has(ClientCommand::ShowBoard),
            explain: has(ClientCommand::Explain),
        }
    }
}

/// The commands of the client itself: `experimental.commands.commands`, where rust-analyzer has them too.
fn client_commands(params: &InitializeParams) -> impl Iterator<Item = &str> {
    let experimental = params.capabilities.experimental.as_ref();
    let names = experimental.and_then(|e| e.get("commands")?.get("commands")?.as_array());
    names.into_iter().flatten().filter_map(|name| name.as_str())
}
