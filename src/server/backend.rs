//! The handlers. Each sends to the state's thread before it awaits anything, so that order is kept.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use rayon::{ThreadPool, ThreadPoolBuilder};
use tokio::sync::oneshot;
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
use crate::analysis::{Cache, Options};

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

    /// What analyses may do.
    pub fn options(&self) -> Options {
        Options { answers: true, ..Options::default() }
    }
}

pub(super) struct Backend {
    client: Client,
    session: Arc<Session>,
    life: Arc<Life>,
    events: Sender<Event>,
    folders: OnceLock<Vec<PathBuf>>,
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
        Backend { client, session, life, events, folders: OnceLock::new() }
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
