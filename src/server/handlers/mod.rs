//! The handlers. Each sends to the state's thread before it awaits anything, so that order is kept.

pub(crate) mod board;
pub(crate) mod code_lens;
pub(crate) mod features;
pub(crate) mod middleware;
pub(crate) mod structure;
use std::cell::{Cell, OnceCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::sync::mpsc::unbounded_channel;
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::ls_types::*;
use tower_lsp::{Client, LanguageServer};

use crate::server::Cancel;
use crate::server::handlers::board::{Board, BoardParams, SquareParams};
use crate::server::handlers::code_lens::LensData;
use crate::server::handlers::features::{At, COMMANDS, Executed, RequestContext};
use crate::server::handlers::structure::workspace_symbols;
use crate::server::protocol::client_capabilities::capabilities;
use crate::server::session::Session;
use crate::server::session::progress;
use crate::server::session::settings::Settings;
use crate::server::state::document::Snapshot;
use crate::server::state::mode::DiagnosticsMode;
use crate::server::state::pull::{DocumentPull, News, Numbered, WorkspacePull};
use crate::server::state::{Event, State, key};
use crate::server::transport::large_texts::TextPlaceholders;
use crate::server::transport::lifecycle::Lifecycle;
use crate::server::transport::log::Log;

/// How long a client that asks for findings may take to ask for those of the workspace; some never do.
const UNASKED: Duration = Duration::from_secs(2);
/// How often configurations are looked at where the client does not watch files.
const POLL: Duration = Duration::from_secs(1);
/// How long after its end a text is taken from the disk again.
const CLOSED: Duration = Duration::from_millis(200);
/// How long an answer waits for the client's own to an edit that was sent before it.
const SHORTLY: Duration = Duration::from_millis(50);
/// How long the client may take to answer what it is asked.
const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) struct Backend {
    client: Client,
    session: Arc<Session>,
    life: Arc<Lifecycle>,
    texts: TextPlaceholders,
    events: Sender<Event>,
    folders: OnceLock<Vec<PathBuf>>,
    /// The settings that came with `initialize`.
    first_settings: OnceLock<serde_json::Value>,
}

impl Backend {
    pub fn new(client: Client, life: Arc<Lifecycle>, texts: TextPlaceholders, log: Log) -> Backend {
        let session = Arc::new(Session::new(log));
        let (events, inbox) = channel();
        let state = State::new(session.clone(), events.clone());
        std::thread::Builder::new()
            .name("state".into())
            .spawn(move || state.run(&inbox))
            .expect("a thread can be started");
        tokio::spawn(session.outbox.clone().send_to(client.clone()));
        Backend {
            client,
            session,
            life,
            texts,
            events,
            folders: OnceLock::new(),
            first_settings: OnceLock::new(),
        }
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

    fn touched(&self, uris: impl Iterator<Item = String>) {
        self.tell(Event::FilesChanged(uris.map(|u| crate::server::transport::repair::escape(&u)).collect()));
    }

    /// Takes in the client's settings, and tells the person what is wrong with them.
    fn settings(&self, section: &serde_json::Value) {
        take_settings(section, &self.client, &self.session, &self.events);
    }

    /// Asks for the settings, where the client can be asked.
    fn fetch_settings(&self) {
        if !self.session.agreed().send_settings {
            return;
        }
        let (client, session, events) = (self.client.clone(), self.session.clone(), self.events.clone());
        tokio::spawn(async move {
            let item = ConfigurationItem { scope_uri: None, section: Some("cpz".into()) };
            let asked = tokio::time::timeout(PATIENCE, client.configuration(vec![item])).await;
            if let Ok(Ok(sections)) = asked
                && let Some(section) = sections.first().filter(|s| !s.is_null())
            {
                take_settings(section, &client, &session, &events);
            }
        });
    }

    /// Asks to be told of files and settings that change.
    fn register(&self) {
        let can = self.session.agreed();
        let mut wanted = Vec::new();
        if can.register_watchers {
            let watch = |glob: &str| serde_json::json!({ "globPattern": glob });
            wanted.push(Registration {
                id: "cpz-files".into(),
                method: "workspace/didChangeWatchedFiles".into(),
                register_options: Some(
                    serde_json::json!({ "watchers": [watch("**/*.cpz"), watch("**/cpz.toml")] }),
                ),
            });
        }
        if can.register_settings {
            wanted.push(Registration {
                id: "cpz-settings".into(),
                method: "workspace/didChangeConfiguration".into(),
                register_options: Some(serde_json::json!({ "section": "cpz" })),
            });
        }
        if !wanted.is_empty() {
            let client = self.client.clone();
            tokio::spawn(
                async move { tokio::time::timeout(PATIENCE, client.register_capability(wanted)).await },
            );
        }
    }

    /// `window/workDoneProgress/cancel`
    pub async fn cancel_work(&self, params: WorkDoneProgressCancelParams) {
        if let ProgressToken::String(token) = params.token {
            self.session.cancel(&token);
        }
    }

    /// `cpz/board`
    pub async fn board(&self, params: BoardParams) -> Result<Option<Board>> {
        let uri = params.text_document.uri.as_str().to_string();
        Ok(self.ask(&uri, move |a| a.at(params.position).board(&params)).await?.flatten())
    }

    /// `cpz/square`
    pub async fn square(&self, params: SquareParams) -> Result<Option<Range>> {
        let uri = params.text_document.uri.as_str().to_string();
        Ok(self.ask(&uri, move |a| a.at(params.position).square(&params)).await?.flatten())
    }

    /// Runs a job with the document as all messages before this one have left it; nothing where it is
    /// unknown. If the client cancels, the job's flag is set and its answer dropped. A job that takes long
    /// is done again apart, so that it holds up none that does not, and ends when its text changes.
    fn ask<T, J>(&self, uri: &str, job: J) -> impl Future<Output = Result<Option<T>>> + use<T, J>
    where
        T: Send + 'static,
        J: Fn(&RequestContext<'_>) -> T + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let flag = Arc::new(AtomicBool::new(false));
        let cancel = Cancel(flag.clone());
        let session = self.session.clone();
        self.tell(Event::WithSnapshot(
            uri.to_string(),
            Box::new(move |snapshot| {
                if flag.load(Ordering::Relaxed) {
                    // Nobody waits any more.
                    return;
                }
                let Some(snapshot) = snapshot else { return drop(reply.send(Ok(None))) };
                let (answer, cut_short) = attempt(&job, &session, &snapshot, &flag, false);
                if !cut_short {
                    let _ = reply.send(answer.map(Some));
                    return;
                }
                let threads = session.clone();
                threads.slow_request_pool.spawn(move || {
                    snapshot.ends(&flag);
                    if flag.load(Ordering::Relaxed) && !snapshot.is_outdated() {
                        return;
                    }
                    let (answer, _) = attempt(&job, &session, &snapshot, &flag, true);
                    let stale = snapshot.is_outdated();
                    let _ = reply.send(if stale { Err(Error::content_modified()) } else { answer.map(Some) });
                });
            }),
        ));
        async move {
            let answer = answer.await;
            drop(cancel);
            answer.unwrap_or_else(|_| Err(Error::internal_error()))
        }
    }
}

/// How often it is looked whether the duplicates of a text are known, each time a millisecond later: half a second
/// in all.
const DEFINITION_WAITS: u64 = 32;

/// Runs a job, and says whether it was cut short because it takes long.
fn attempt<T>(
    job: &impl Fn(&RequestContext<'_>) -> T,
    session: &Session,
    snapshot: &Snapshot,
    cancel: &Arc<AtomicBool>,
    patient: bool,
) -> (Result<T>, bool) {
    let cut_short = Cell::new(false);
    let whole = OnceCell::new();
    let asked =
        RequestContext { session, snapshot, cancel, patient, cut_short: &cut_short, window: None, whole };
    let answer = catch_unwind(AssertUnwindSafe(|| job(&asked)));
    (answer.map_err(|_| Error::internal_error()), cut_short.get())
}

fn take_settings(section: &serde_json::Value, client: &Client, session: &Session, events: &Sender<Event>) {
    let warn = |wrong: String| {
        let client = client.clone();
        tokio::spawn(async move { client.show_message(MessageType::WARNING, wrong).await });
    };
    // In some languages an empty object is an empty list.
    let nothing = section.is_null() || section.as_array().is_some_and(Vec::is_empty);
    let section = if nothing { &serde_json::Value::Null } else { section };
    if !section.is_object() && !nothing {
        return warn("the settings of cpz are an object".into());
    }
    let (settings, wrong) = Settings::read(section);
    let images = settings.images.unwrap_or(session.agreed().pictures);
    session.pictures.store(images, Ordering::Relaxed);
    let _ = events.send(Event::SettingsChanged(settings));
    if !wrong.is_empty() {
        warn(wrong.join("\n"));
    }
}

fn full((number, items): Numbered) -> FullDocumentDiagnosticReport {
    let items = Arc::try_unwrap(items).unwrap_or_else(|shared| Vec::clone(&shared));
    FullDocumentDiagnosticReport { result_id: Some(number.to_string()), items }
}

fn paths(folders: Vec<WorkspaceFolder>) -> Vec<PathBuf> {
    folders.iter().filter_map(|f| f.uri.to_file_path().map(|p| p.into_owned())).collect()
}

impl LanguageServer for Backend {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        let agreed = self.session.agree(&params);
        self.tell(Event::Initialized(DiagnosticsMode::negotiated(&agreed)));
        if agreed.progress {
            let (sender, mut works) = unbounded_channel();
            let _ = self.session.works.set(sender);
            let client = self.client.clone();
            tokio::spawn(async move {
                while let Some(work) = works.recv().await {
                    tokio::spawn(progress::show(client.clone(), work));
                }
            });
        }
        let _ = self.first_settings.set(params.initialization_options.unwrap_or_default());
        if let Some(client) = params.process_id {
            self.life.watch(client);
        }
        #[allow(deprecated)]
        let root = params.root_uri.and_then(|u| u.to_file_path().map(|p| p.into_owned()));
        let folders = params.workspace_folders.filter(|f| !f.is_empty()).map(paths);
        let _ = self.folders.set(folders.unwrap_or_else(|| root.into_iter().collect()));
        Ok(InitializeResult {
            capabilities: capabilities(&agreed),
            server_info: Some(ServerInfo {
                name: "cpz".into(),
                version: Some(env!("CARGO_PKG_VERSION").into()),
            }),
            ..Default::default()
        })
    }

    async fn initialized(&self, _: InitializedParams) {
        let can = self.session.agreed();
        // Answers that took long are asked for again, where the client can be told to.
        if can.refresh_hints {
            let (client, session) = (self.client.clone(), self.session.clone());
            tokio::spawn(async move {
                loop {
                    session.refresh_hints.notified().await;
                    let _ = tokio::time::timeout(PATIENCE, client.inlay_hint_refresh()).await;
                }
            });
        }
        if can.refresh_lenses {
            let (client, session) = (self.client.clone(), self.session.clone());
            tokio::spawn(async move {
                loop {
                    session.refresh_lenses.notified().await;
                    let _ = tokio::time::timeout(PATIENCE, client.code_lens_refresh()).await;
                }
            });
        }
        let (client, session) = (self.client.clone(), self.session.clone());
        if can.pulls {
            let events = self.events.clone();
            tokio::spawn(async move {
                tokio::time::sleep(UNASKED).await;
                let _ = events.send(Event::WorkspacePullOverdue);
            });
            tokio::spawn(async move {
                loop {
                    session.refresh_diagnostics.notified().await;
                    let _ = tokio::time::timeout(PATIENCE, client.workspace_diagnostic_refresh()).await;
                }
            });
        }
        // Only now may the client be told what is wrong with them.
        if let Some(settings) = self.first_settings.get() {
            self.settings(settings.get("cpz").unwrap_or(settings));
        }
        if !can.register_watchers {
            // Nobody tells of a `cpz.toml` that is saved, so somebody has to look.
            let events = self.events.clone();
            tokio::spawn(async move {
                loop {
                    tokio::time::sleep(POLL).await;
                    if events.send(Event::PollConfigs).is_err() {
                        return;
                    }
                }
            });
        }
        self.register();
        self.fetch_settings();
        let added = self.folders.get().cloned().unwrap_or_default();
        self.tell(Event::FoldersChanged { added, removed: Vec::new() });
    }

    async fn shutdown(&self) -> Result<()> {
        self.tell(Event::Shutdown);
        Ok(())
    }

    async fn did_open(&self, params: DidOpenTextDocumentParams) {
        let TextDocumentItem { uri, version, text, .. } = params.text_document;
        let text = self.texts.put_back(&text);
        self.tell(Event::DidOpen { uri: uri.as_str().into(), version, text });
    }

    async fn did_change(&self, params: DidChangeTextDocumentParams) {
        let VersionedTextDocumentIdentifier { uri, version } = params.text_document;
        self.tell(Event::DidChange { uri: uri.as_str().into(), version, changes: params.content_changes });
    }

    async fn did_save(&self, _: DidSaveTextDocumentParams) {
        self.tell(Event::DidSave);
    }

    async fn did_close(&self, params: DidCloseTextDocumentParams) {
        let uri: String = params.text_document.uri.as_str().into();
        self.tell(Event::DidClose(uri.clone()));
        if self.session.agreed().pulls {
            // What was closed without being saved is as it is on the disk. Who asks for findings cleared
            // those of the text by itself, and asks again.
            let events = self.events.clone();
            tokio::spawn(async move {
                tokio::time::sleep(CLOSED).await;
                let _ =
                    events.send(Event::FilesChanged(vec![crate::server::transport::repair::escape(&uri)]));
            });
        }
    }

    async fn did_change_configuration(&self, params: DidChangeConfigurationParams) {
        if self.session.agreed().send_settings {
            return self.fetch_settings();
        }
        // Some clients send all that anybody has settings for, and some nothing at all.
        let settings = params.settings;
        let section = settings.get("cpz").or(Some(&settings).filter(|s| Settings::are_ours(s)));
        if let Some(section) = section.filter(|s| !s.is_null()) {
            self.settings(section);
        }
    }

    async fn did_create_files(&self, params: CreateFilesParams) {
        self.touched(params.files.into_iter().map(|f| f.uri));
    }

    async fn did_rename_files(&self, params: RenameFilesParams) {
        self.touched(params.files.into_iter().flat_map(|f| [f.old_uri, f.new_uri]));
    }

    async fn did_delete_files(&self, params: DeleteFilesParams) {
        self.touched(params.files.into_iter().map(|f| f.uri));
    }

    async fn diagnostic(&self, params: DocumentDiagnosticParams) -> Result<DocumentDiagnosticReportResult> {
        let (reply, answer) = oneshot::channel();
        let reply = Box::new(move |found| drop(reply.send(found)));
        self.tell(Event::PullDocument(DocumentPull { uri: params.text_document.uri.as_str().into(), reply }));
        let Ok(found) = answer.await else { return Err(Error::internal_error()) };
        let (number, items) = found.unwrap_or_default();
        let report = match params.previous_result_id {
            Some(known) if known == number.to_string() => {
                let unchanged = UnchangedDocumentDiagnosticReport { result_id: known };
                DocumentDiagnosticReport::Unchanged(RelatedUnchangedDocumentDiagnosticReport {
                    unchanged_document_diagnostic_report: unchanged,
                    related_documents: None,
                })
            }
            _ => DocumentDiagnosticReport::Full(RelatedFullDocumentDiagnosticReport {
                full_document_diagnostic_report: full((number, items)),
                related_documents: None,
            }),
        };
        Ok(report.into())
    }

    async fn workspace_diagnostic(
        &self,
        params: WorkspaceDiagnosticParams,
    ) -> Result<WorkspaceDiagnosticReportResult> {
        let (reply, answer) = oneshot::channel();
        // A number that is none of ours is one that nothing has.
        let known = params
            .previous_result_ids
            .into_iter()
            .map(|p| (key(p.uri.as_str()), (p.uri.to_string(), p.value.parse().unwrap_or(u64::MAX))));
        let flag = Arc::new(AtomicBool::new(false));
        let cancel = Cancel(flag.clone());
        let reply = Box::new(move |news| drop(reply.send(news)));
        self.tell(Event::PullWorkspace(WorkspacePull {
            known: known.collect(),
            seen: false,
            cancel: flag,
            reply,
        }));
        let answer = answer.await;
        drop(cancel);
        let Ok(news) = answer else { return Err(Error::internal_error()) };
        let report = |news: News| {
            let report = WorkspaceFullDocumentDiagnosticReport {
                uri: news.uri.parse().ok()?,
                version: news.version.map(i64::from),
                full_document_diagnostic_report: full(news.found),
            };
            Some(WorkspaceDocumentDiagnosticReport::Full(report))
        };
        Ok(WorkspaceDiagnosticReport { items: news.into_iter().filter_map(report).collect() }.into())
    }

    async fn did_change_watched_files(&self, params: DidChangeWatchedFilesParams) {
        self.touched(params.changes.into_iter().map(|c| c.uri.as_str().into()));
    }

    async fn did_change_workspace_folders(&self, params: DidChangeWorkspaceFoldersParams) {
        let (added, removed) = (paths(params.event.added), paths(params.event.removed));
        self.tell(Event::FoldersChanged { added, removed });
    }

    async fn hover(&self, params: HoverParams) -> Result<Option<Hover>> {
        let TextDocumentPositionParams { text_document, position } = params.text_document_position_params;
        let found = self.ask(text_document.uri.as_str(), move |a| a.at(position).hover(position)).await?;
        Ok(found.flatten())
    }

    async fn completion(&self, params: CompletionParams) -> Result<Option<CompletionResponse>> {
        let TextDocumentPositionParams { text_document, position } = params.text_document_position;
        let found =
            self.ask(text_document.uri.as_str(), move |a| a.at(position).completions(position)).await?;
        // What keeps a solution going depends on what is typed, so it is asked for again.
        let list = |items| CompletionResponse::List(CompletionList { is_incomplete: true, items });
        Ok(found.map(list))
    }

    async fn inlay_hint(&self, params: InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
        self.ask(params.text_document.uri.as_str(), move |a| a.near(params.range).inlay_hints(params.range))
            .await
    }

    async fn code_lens(&self, params: CodeLensParams) -> Result<Option<Vec<CodeLens>>> {
        self.ask(params.text_document.uri.as_str(), |a| a.lenses()).await
    }

    async fn code_lens_resolve(&self, lens: CodeLens) -> Result<CodeLens> {
        let data = lens.data.clone().and_then(|d| serde_json::from_value::<LensData>(d).ok());
        let Some(data) = data else { return Err(Error::invalid_params("this lens is not from here")) };
        let uri = data.at.uri.clone();
        let kept = lens.clone();
        Ok(self.ask(&uri, move |a| a.at(data.at.position).resolve(&lens, &data)).await?.unwrap_or(kept))
    }

    async fn code_action(&self, params: CodeActionParams) -> Result<Option<CodeActionResponse>> {
        let uri = params.text_document.uri.as_str().to_string();
        self.ask(&uri, move |a| a.near(params.range).actions(&params)).await
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
        let found = self
            .ask(params.text_document.uri.as_str(), move |a| a.near(range).semantic_tokens_range(range))
            .await?;
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
        self.tell(Event::WithAllSnapshots(Box::new(move |all| {
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
        self.ask(text_document.uri.as_str(), move |a| a.at(position).highlights(position)).await
    }

    async fn references(&self, params: ReferenceParams) -> Result<Option<Vec<Location>>> {
        let TextDocumentPositionParams { text_document, position } = params.text_document_position;
        self.ask(text_document.uri.as_str(), move |a| a.references(position)).await
    }

    async fn goto_definition(&self, params: GotoDefinitionParams) -> Result<Option<GotoDefinitionResponse>> {
        let TextDocumentPositionParams { text_document, position } = params.text_document_position_params;
        let ask = || self.ask(text_document.uri.as_str(), move |a| a.definition(position));
        let (mut found, mut known) = ask().await?.unwrap_or_default();
        for wait in 0..DEFINITION_WAITS {
            if known {
                break;
            }
            // Its duplicates are known once its findings are told, which are on their way.
            tokio::time::sleep(Duration::from_millis(wait)).await;
            (found, known) = ask().await?.unwrap_or_default();
        }
        Ok(found.map(GotoDefinitionResponse::Scalar))
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
        self.ask(text_document.uri.as_str(), move |a| a.at(position).on_type(position, &params.ch)).await
    }

    async fn execute_command(&self, params: ExecuteCommandParams) -> Result<Option<LSPAny>> {
        if !COMMANDS.contains(&params.command.as_str()) {
            return Err(Error::invalid_params(format!("there is no command `{}`", params.command)));
        }
        let at = params.arguments.into_iter().next().and_then(|a| serde_json::from_value::<At>(a).ok());
        let Some(mut at) = at else {
            return Err(Error::invalid_params("this command takes `{uri, position, version}`"));
        };
        at.uri = crate::server::transport::repair::escape(&at.uri);
        let uri = at.uri.clone();
        let changed = || self.say("the text has changed since; please try again".into());
        let done = match self.ask(&uri, move |a| a.execute(&params.command, &at)).await {
            Err(error) if error.code == ErrorCode::ContentModified => {
                changed();
                return Ok(None);
            }
            done => done?,
        };
        match done {
            None => self.say("this document is not open".into()),
            Some(Executed::Nothing) => {}
            Some(Executed::Say(what)) => self.say(what),
            Some(Executed::Edit(edit, version)) => {
                // It may have taken its time.
                if self.ask(&uri, |a| a.snapshot.version).await? != Some(version) {
                    changed();
                    return Ok(None);
                }
                // Hardly awaited here: the client may want an answer of ours first. Some handle one message
                // of two that come together, so the answer does not come with the edit.
                let client = self.client.clone();
                let applied = tokio::spawn(async move {
                    let applied = tokio::time::timeout(PATIENCE, client.apply_edit(edit)).await;
                    if let Ok(Ok(ApplyWorkspaceEditResponse { applied: false, failure_reason, .. })) = applied
                    {
                        let why = failure_reason.unwrap_or_else(|| "the editor did not say why".into());
                        client.show_message(MessageType::WARNING, format!("not inserted: {why}")).await;
                    }
                });
                let _ = tokio::time::timeout(SHORTLY, applied).await;
            }
        }
        Ok(None)
    }
}
