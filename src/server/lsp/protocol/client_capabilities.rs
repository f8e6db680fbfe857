//! What the client declares in `initialize`.

use serde_json::Value;

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
    fn by(declared: Option<&Value>) -> Shown {
        let Some(declared) = declared else {
            return Shown { related: true, data: true, tags: true };
        };
        Shown {
            related: is_true(declared.get("relatedInformation")),
            data: is_true(declared.get("dataSupport")),
            tags: declared.get("tagSupport").is_some_and(|tags| !tags.is_null()),
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
    /// Whether the choices of a question may have more than their titles.
    pub choice_properties: bool,
    /// Whether it has the command `cpz.showBoard`.
    pub show_board: bool,
    /// Whether it has the command `cpz.explain`.
    pub explain: bool,
    /// Whether it links the code of a diagnostic to its page.
    pub code_description: bool,
}

impl ClientCapabilities {
    /// Reads the parameters of `initialize`, as JSON: the types of all capabilities are a large part of a program.
    pub fn from_params(params: &Value) -> ClientCapabilities {
        let declared = |path: &str| {
            let found = params.pointer(&format!("/capabilities/{path}"));
            found.filter(|value| !value.is_null())
        };
        let yes = |path: &str| is_true(declared(path));
        // A client that omits the whole feature may support Markdown; one that omits only the formats
        // supports plain text.
        let markdown = |feature: &str, formats: &str| {
            declared(feature).is_none() || has_text(declared(&format!("{feature}/{formats}")), "markdown")
        };
        let name = params.pointer("/clientInfo/name").and_then(Value::as_str);
        // The commands of the client itself are where rust-analyzer has them too.
        let has =
            |command: ClientCommand| has_text(declared("experimental/commands/commands"), command.name());
        ClientCapabilities {
            // UTF-8 if the client offers it, because bytes need no conversion.
            encoding: match has_text(declared("general/positionEncodings"), "utf-8") {
                true => Encoding::Utf8,
                false => Encoding::Utf16,
            },
            shown: Shown::by(declared("textDocument/publishDiagnostics")),
            // The protocol has no capability for images: VS Code is known to show them.
            pictures: name.is_some_and(|name| name.starts_with("Visual Studio Code")),
            hover_markdown: markdown("textDocument/hover", "contentFormat"),
            documentation_markdown: markdown("textDocument/completion/completionItem", "documentationFormat"),
            snippets: yes("textDocument/completion/completionItem/snippetSupport"),
            label_details: yes("textDocument/completion/completionItem/labelDetailsSupport"),
            // Without `refreshSupport` the results of slow searches would never reach the client.
            pulls: declared("textDocument/diagnostic").is_some()
                && yes("workspace/diagnostics/refreshSupport"),
            versions: yes("workspace/workspaceEdit/documentChanges"),
            refresh_hints: yes("workspace/inlayHint/refreshSupport"),
            refresh_lenses: yes("workspace/codeLens/refreshSupport"),
            register_watchers: yes("workspace/didChangeWatchedFiles/dynamicRegistration"),
            register_settings: yes("workspace/didChangeConfiguration/dynamicRegistration"),
            send_settings: yes("workspace/configuration"),
            progress: yes("window/workDoneProgress"),
            show_document: yes("window/showDocument/support"),
            choice_properties: yes("window/showMessage/messageActionItem/additionalPropertiesSupport"),
            show_board: has(ClientCommand::ShowBoard),
            explain: has(ClientCommand::Explain),
            code_description: yes("textDocument/publishDiagnostics/codeDescriptionSupport"),
        }
    }
}

fn is_true(value: Option<&Value>) -> bool {
    value.is_some_and(|value| *value == true)
}

/// Whether a list has a text.
fn has_text(list: Option<&Value>, text: &str) -> bool {
    list.and_then(Value::as_array).is_some_and(|list| list.iter().any(|item| item == text))
}
