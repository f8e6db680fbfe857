//! The handlers. Each sends to the state's thread before it awaits anything, so that order is kept.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use rayon::{ThreadPool, ThreadPoolBuilder};
use rustc_hash::FxHashMap;
use tokio::sync::{Notify, oneshot};
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::*;
use tower_lsp::{Client, LanguageServer};

use super::Cancel;
use super::convert::Encoding;
use super::document::Snapshot;
use super::features::{Asked, At, COMMANDS, Executed, LensData};
use super::life::Life;
use super::outbox::Outbox;
use super::state::{Event, State};
use super::structure::{legend, workspace_symbols};
use crate::analysis::Cache;
use crate::syntax::Span;

/// How long the client may take to answer what it is asked.
const PATIENCE: Duration = Duration::from_secs(30);

/// What all threads of a session share.
pub(super) struct Session {
    /// Agreed on in `initialize`.
    encoding: OnceLock<Encoding>,
    /// Whether the client shows images in Markdown.
    pictures: OnceLock<bool>,
    /// Whether it fills in snippets.
    snippets: OnceLock<bool>,
    /// What is known of puzzles.
    pub cache: Cache,
    /// The tokens that each document was last said to have, for what changes in them.
    pub tokens: Mutex<FxHashMap<String, (String, Vec<SemanticToken>)>>,
    /// Counts such results.
    pub results: AtomicU64,
    /// The duplicates of each document: a puzzle's head, and the other one.
    pub twins: Mutex<FxHashMap<String, Vec<(Span, Location)>>>,
    /// Told when answers are known that were not when they were asked for.
    pub refresh: Notify,
    /// What is to be sent.
    pub outbox: Outbox,
    /// Runs what the client asks.
    pub pool: ThreadPool,
    /// Runs slow searches.
    pub searches: ThreadPool,
    /// Reads files.
    pub disk: ThreadPool,
}

impl Session {
    fn new() -> Session {
        let pool = |threads, name: &'static str| {
            let named = move |i| format!("{name}-{i}");
            // A panic in a job is the job's own: its answer is an error, and the pool goes on.
            let builder = ThreadPoolBuilder::new().num_threads(threads).thread_name(named);
            builder.panic_handler(|_| ()).build().expect("threads can be started")
        };
        Session {
            encoding: OnceLock::new(),
            pictures: OnceLock::new(),
            snippets: OnceLock::new(),
            cache: Cache::default(),
            tokens: Mutex::default(),
            results: AtomicU64::new(1),
            twins: Mutex::default(),
            refresh: Notify::new(),
            outbox: Outbox::default(),
            pool: pool(2, "ask"),
            searches: pool(1, "search"),
            disk: pool(1, "disk"),
        }
    }

    /// What columns count.
    pub fn encoding(&self) -> Encoding {
        self.encoding.get().copied().unwrap_or_default()
    }

    /// Whether boards are drawn as images.
    pub fn pictures(&self) -> bool {
        self.pictures.get().copied().unwrap_or_default()
    }

    /// Whether completions may have places to fill in.
    pub fn snippets(&self) -> bool {
        self.snippets.get().copied().unwrap_or_default()
    }
}

pub(super) struct Backend {
    client: Client,
    session: Arc<Session>,
    life: Arc<Life>,
    events: Sender<Event>,
    folders: OnceLock<Vec<PathBuf>>,
    /// Whether the client can be told to ask for hints and lenses again.
    refreshes: OnceLock<(bool, bool)>,
}

impl Backend {
    pub fn new(client: Client, life: Arc<Life>) -> Backend {
        let session = Arc::new(Session::new());
        let (events, inbox) = channel();
        let state = State::new(session.clone(), events.clone());
        std::thread::Builder::new()
            .name("state".into())
            .spawn(move || state.run(&inbox))
            .expect("a thread can be started");
        tokio::spawn(session.outbox.clone().send_to(client.clone()));
        Backend { client, session, life, events, folders: OnceLock::new(), refreshes: OnceLock::new() }
    }

    /// Where events are sent.
    pub fn events(&self) -> Sender<Event> {
        self.events.clone()
    }

    fn tell(&self, event: Event) {
        // Without the state's thread every request fails, which says it better than anything here.
        let _ = self.events.send(event);
    }

    fn say(&self, what: String) {
        let client = self.client.clone();
        tokio::spawn(async move { client.show_message(MessageType::INFO, what).await });
    }

    /// Runs a job with the document as all messages before this one have left it; nothing where it is
    /// unknown. If the client cancels, the job's flag is set and its answer dropped.
    fn ask<T, J>(&self, uri: &str, job: J) -> impl Future<Output = Result<Option<T>>> + use<T, J>
    where
        T: Send + 'static,
        J: FnOnce(&Asked<'_>) -> T + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let flag = Arc::new(AtomicBool::new(false));
        let cancel = Cancel(flag.clone());
        let session = self.session.clone();
        self.tell(Event::Ask(
            uri.to_string(),
            Box::new(move |snapshot| {
                let asked = |snapshot: &Snapshot| job(&Asked { session: &session, snapshot, cancel: &flag });
                let run = || snapshot.map(|s| asked(&s));
                let _ = reply.send(catch_unwind(AssertUnwindSafe(run)));
            }),
        ));
        async move {
            let answer = answer.await;
            drop(cancel);
            match answer {
                Ok(Ok(found)) => Ok(found),
                _ => Err(Error::internal_error()),
            }
        }
    }
}

fn capabilities(encoding: Encoding) -> ServerCapabilities {
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::INCREMENTAL),
        save: Some(TextDocumentSyncSaveOptions::Supported(true)),
        ..Default::default()
    };
    ServerCapabilities {
        position_encoding: Some(encoding.kind()),
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
            ..Default::default()
        }),
        ..Default::default()
    }
}

fn paths(folders: Vec<WorkspaceFolder>) -> Vec<PathBuf> {
    folders.iter().filter_map(|f| f.uri.to_file_path().map(|p| p.into_owned())).collect()
}

impl LanguageServer for Backend {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        let offered = params.capabilities.general.as_ref().and_then(|g| g.position_encodings.as_deref());
        let encoding = *self.session.encoding.get_or_init(|| Encoding::choose(offered));
        // The protocol has no word for it, so the client says so itself, or is known to show them.
        let told = params.initialization_options.as_ref().and_then(|o| o.get("images")?.as_bool());
        let known = params.client_info.as_ref().is_some_and(|c| c.name.starts_with("Visual Studio Code"));
        let _ = self.session.pictures.set(told.unwrap_or(known));
        let workspace = params.capabilities.workspace.as_ref();
        let hints = workspace.and_then(|w| w.inlay_hint.as_ref()?.refresh_support).unwrap_or(false);
        let lenses = workspace.and_then(|w| w.code_lens.as_ref()?.refresh_support).unwrap_or(false);
        let _ = self.refreshes.set((hints, lenses));
        let completion = params.capabilities.text_document.as_ref().and_then(|t| t.completion.as_ref());
        let item = completion.and_then(|c| c.completion_item.as_ref());
        let _ = self.session.snippets.set(item.and_then(|i| i.snippet_support).unwrap_or(false));
        if let Some(client) = params.process_id {
            self.life.watch(client);
        }
        #[allow(deprecated)]
        let root = params.root_uri.and_then(|u| u.to_file_path().map(|p| p.into_owned()));
        let folders = params.workspace_folders.filter(|f| !f.is_empty()).map(paths);
        let _ = self.folders.set(folders.unwrap_or_else(|| root.into_iter().collect()));
        Ok(InitializeResult {
            capabilities: capabilities(encoding),
            server_info: Some(ServerInfo {
                name: "cpz".into(),
                version: Some(env!("CARGO_PKG_VERSION").into()),
            }),
            ..Default::default()
        })
    }

    async fn initialized(&self, _: InitializedParams) {
        // Answers that took long are asked for again, where the client can be told to.
        let (client, session) = (self.client.clone(), self.session.clone());
        let (hints, lenses) = self.refreshes.get().copied().unwrap_or_default();
        tokio::spawn(async move {
            loop {
                session.refresh.notified().await;
                if hints {
                    let _ = tokio::time::timeout(PATIENCE, client.inlay_hint_refresh()).await;
                }
                if lenses {
                    let _ = tokio::time::timeout(PATIENCE, client.code_lens_refresh()).await;
                }
            }
        });
        let added = self.folders.get().cloned().unwrap_or_default();
        self.tell(Event::Folders { added, removed: Vec::new() });
    }

    async fn shutdown(&self) -> Result<()> {
        Ok(())
    }

    async fn did_open(&self, params: DidOpenTextDocumentParams) {
        let TextDocumentItem { uri, version, text, .. } = params.text_document;
        self.tell(Event::Open { uri: uri.as_str().into(), version, text });
    }

    async fn did_change(&self, params: DidChangeTextDocumentParams) {
        let VersionedTextDocumentIdentifier { uri, version } = params.text_document;
        self.tell(Event::Change { uri: uri.as_str().into(), version, changes: params.content_changes });
    }

    async fn did_save(&self, _: DidSaveTextDocumentParams) {
        self.tell(Event::Save);
    }

    async fn did_close(&self, params: DidCloseTextDocumentParams) {
        self.tell(Event::Close(params.text_document.uri.as_str().into()));
    }

    async fn did_change_watched_files(&self, params: DidChangeWatchedFilesParams) {
        self.tell(Event::Touched(params.changes.iter().map(|c| c.uri.as_str().into()).collect()));
    }

    async fn did_change_workspace_folders(&self, params: DidChangeWorkspaceFoldersParams) {
        let (added, removed) = (paths(params.event.added), paths(params.event.removed));
        self.tell(Event::Folders { added, removed });
    }

    async fn hover(&self, params: HoverParams) -> Result<Option<Hover>> {
        let TextDocumentPositionParams { text_document, position } = params.text_document_position_params;
        let found = self.ask(text_document.uri.as_str(), move |a| a.hover(position)).await?;
        Ok(found.flatten())
    }

    async fn completion(&self, params: CompletionParams) -> Result<Option<CompletionResponse>> {
        let TextDocumentPositionParams { text_document, position } = params.text_document_position;
        let found = self.ask(text_document.uri.as_str(), move |a| a.completions(position)).await?;
        // What keeps a solution going depends on what is typed, so it is asked for again.
        let list = |items| CompletionResponse::List(CompletionList { is_incomplete: true, items });
        Ok(found.map(list))
    }

    async fn inlay_hint(&self, params: InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
        self.ask(params.text_document.uri.as_str(), move |a| a.inlay_hints(params.range)).await
    }

    async fn code_lens(&self, params: CodeLensParams) -> Result<Option<Vec<CodeLens>>> {
        self.ask(params.text_document.uri.as_str(), |a| a.lenses()).await
    }

    async fn code_lens_resolve(&self, lens: CodeLens) -> Result<CodeLens> {
        let data = lens.data.clone().and_then(|d| serde_json::from_value::<LensData>(d).ok());
        let Some(data) = data else { return Err(Error::invalid_params("this lens is not from here")) };
        let uri = data.at.uri.clone();
        let kept = lens.clone();
        Ok(self.ask(&uri, move |a| a.resolve(lens, &data)).await?.unwrap_or(kept))
    }

    async fn code_action(&self, params: CodeActionParams) -> Result<Option<CodeActionResponse>> {
        let uri = params.text_document.uri.as_str().to_string();
        self.ask(&uri, move |a| a.actions(&params)).await
    }

    async fn formatting(&self, params: DocumentFormattingParams) -> Result<Option<Vec<TextEdit>>> {
        self.ask(params.text_document.uri.as_str(), |a| a.format(None)).await
    }

    async fn range_formatting(&self, params: DocumentRangeFormattingParams) -> Result<Option<Vec<TextEdit>>> {
        self.ask(params.text_document.uri.as_str(), move |a| a.format(Some(params.range))).await
    }

    async fn semantic_tokens_full(
        &self,
        params: SemanticTokensParams,
    ) -> Result<Option<SemanticTokensResult>> {
        let found = self.ask(params.text_document.uri.as_str(), |a| a.semantic_tokens()).await?;
        Ok(found.map(SemanticTokensResult::Tokens))
    }

    async fn semantic_tokens_full_delta(
        &self,
        params: SemanticTokensDeltaParams,
    ) -> Result<Option<SemanticTokensFullDeltaResult>> {
        let since = params.previous_result_id;
        self.ask(params.text_document.uri.as_str(), move |a| a.semantic_tokens_delta(&since)).await
    }

    async fn semantic_tokens_range(
        &self,
        params: SemanticTokensRangeParams,
    ) -> Result<Option<SemanticTokensRangeResult>> {
        let range = params.range;
        let found =
            self.ask(params.text_document.uri.as_str(), move |a| a.semantic_tokens_range(range)).await?;
        Ok(found.map(SemanticTokensRangeResult::Tokens))
    }

    async fn document_symbol(&self, params: DocumentSymbolParams) -> Result<Option<DocumentSymbolResponse>> {
        let found = self.ask(params.text_document.uri.as_str(), |a| a.symbols()).await?;
        Ok(found.map(DocumentSymbolResponse::Nested))
    }

    async fn symbol(&self, params: WorkspaceSymbolParams) -> Result<Option<WorkspaceSymbolResponse>> {
        let (reply, answer) = oneshot::channel();
        let flag = Arc::new(AtomicBool::new(false));
        let cancel = Cancel(flag.clone());
        let session = self.session.clone();
        self.tell(Event::AskAll(Box::new(move |all| {
            let run = || workspace_symbols(&session, &all, &params.query, &flag);
            let _ = reply.send(catch_unwind(AssertUnwindSafe(run)));
        })));
        let answer = answer.await;
        drop(cancel);
        match answer {
            Ok(Ok(found)) => Ok(Some(WorkspaceSymbolResponse::Nested(found))),
            _ => Err(Error::internal_error()),
        }
    }

    async fn folding_range(&self, params: FoldingRangeParams) -> Result<Option<Vec<FoldingRange>>> {
        self.ask(params.text_document.uri.as_str(), |a| a.folds()).await
    }

    async fn selection_range(&self, params: SelectionRangeParams) -> Result<Option<Vec<SelectionRange>>> {
        self.ask(params.text_document.uri.as_str(), move |a| a.selections(&params.positions)).await
    }

    async fn document_link(&self, params: DocumentLinkParams) -> Result<Option<Vec<DocumentLink>>> {
        self.ask(params.text_document.uri.as_str(), |a| a.links()).await
    }

    async fn document_highlight(
        &self,
        params: DocumentHighlightParams,
    ) -> Result<Option<Vec<DocumentHighlight>>> {
        let TextDocumentPositionParams { text_document, position } = params.text_document_position_params;
        self.ask(text_document.uri.as_str(), move |a| a.highlights(position)).await
    }

    async fn references(&self, params: ReferenceParams) -> Result<Option<Vec<Location>>> {
        let TextDocumentPositionParams { text_document, position } = params.text_document_position;
        self.ask(text_document.uri.as_str(), move |a| a.references(position)).await
    }

    async fn goto_definition(&self, params: GotoDefinitionParams) -> Result<Option<GotoDefinitionResponse>> {
        let TextDocumentPositionParams { text_document, position } = params.text_document_position_params;
        let found = self.ask(text_document.uri.as_str(), move |a| a.definition(position)).await?;
        Ok(found.flatten().map(GotoDefinitionResponse::Scalar))
    }

    async fn prepare_rename(
        &self,
        params: TextDocumentPositionParams,
    ) -> Result<Option<PrepareRenameResponse>> {
        let position = params.position;
        let found = self.ask(params.text_document.uri.as_str(), move |a| a.prepare_rename(position)).await?;
        Ok(found.flatten())
    }

    async fn rename(&self, params: RenameParams) -> Result<Option<WorkspaceEdit>> {
        let TextDocumentPositionParams { text_document, position } = params.text_document_position;
        let new = params.new_name;
        let found = self.ask(text_document.uri.as_str(), move |a| a.rename(position, &new)).await?;
        found.transpose()
    }

    async fn on_type_formatting(
        &self,
        params: DocumentOnTypeFormattingParams,
    ) -> Result<Option<Vec<TextEdit>>> {
        let TextDocumentPositionParams { text_document, position } = params.text_document_position;
        self.ask(text_document.uri.as_str(), move |a| a.on_type(position, &params.ch)).await
    }

    async fn execute_command(&self, params: ExecuteCommandParams) -> Result<Option<LSPAny>> {
        if !COMMANDS.contains(&params.command.as_str()) {
            return Err(Error::invalid_params(format!("there is no command `{}`", params.command)));
        }
        let at = params.arguments.into_iter().next().and_then(|a| serde_json::from_value::<At>(a).ok());
        let Some(mut at) = at else {
            return Err(Error::invalid_params("this command takes `{uri, position, version}`"));
        };
        at.uri = super::repair::escape(&at.uri);
        let uri = at.uri.clone();
        match self.ask(&uri, move |a| a.execute(&params.command, &at)).await? {
            None => self.say("this document is not open".into()),
            Some(Executed::Nothing) => {}
            Some(Executed::Say(what)) => self.say(what),
            Some(Executed::Edit(edit)) => {
                // Never awaited here: the client may want an answer of ours first.
                let client = self.client.clone();
                tokio::spawn(async move {
                    let applied = tokio::time::timeout(PATIENCE, client.apply_edit(edit)).await;
                    if let Ok(Ok(ApplyWorkspaceEditResponse { applied: false, failure_reason, .. })) = applied
                    {
                        let why = failure_reason.unwrap_or_else(|| "the editor did not say why".into());
                        client.show_message(MessageType::WARNING, format!("not inserted: {why}")).await;
                    }
                });
            }
        }
        Ok(None)
    }
}
