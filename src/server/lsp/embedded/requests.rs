//! The requests that an embedded server answers: one line a method.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ls_types as lsp;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::lsp::embedded::EmbeddedServer;
use crate::lsp::embedded::host::Json;
use crate::lsp::embedded::params::{Params, read_params};
use crate::lsp::features::code_lens::UnresolvedLens;
use crate::lsp::features::context::{IS_COMPLETE, RequestContext, attempt};
use crate::lsp::features::pulled_diagnostics::{document_report, known_results, workspace_report};
use crate::lsp::features::symbols::workspace_symbols;
use crate::lsp::features::{
    authoring, board, board_edit, code_action, code_lens, completion, exchange, explain, formatting, hover,
    inlay_hints, navigation, ranges, semantic_tokens, symbols,
};
use crate::lsp::protocol::document_params::DocumentParams;
use crate::lsp::protocol::request_error::{RequestError, Result};
use crate::lsp::session::host::JobKind;
use crate::lsp::state::Event;
use crate::lsp::state::pull::{DocumentPull, WorkspacePull};

/// What a request does with the snapshot of its document. Boxed, and with answers as JSON, so that the code that runs jobs
/// is there once, not for each request.
type Job<T> = Box<dyn Fn(&RequestContext<'_>) -> T + Send>;

/// Takes the answer of a job, which is `None` for an unknown document, and whether a slow search would improve it.
type Finish<T> = Box<dyn FnOnce(Result<Option<T>>, bool) + Send>;

impl EmbeddedServer {
    /// Answers a request, now or later.
    ///
    /// These are the requests that a page makes by itself as soon as it shows a text. A server that is not complete leaves all
    /// others to the complete one, which takes its place once it is loaded.
    ///
    /// # Errors
    /// The answer is this error.
    #[rustfmt::skip] // One line a method.
    pub(super) fn request(&mut self, id: &Value, method: &str, params: Value) -> Result<()> {
        self.check_phase(method)?;
        match method {
            "initialize" => self.initialize(id, params),
            "shutdown" => self.shut_down(id),
            "textDocument/inlayHint" => self.answer(id, read(params)?, inlay_hints::inlay_hint),
            "textDocument/codeLens" => self.answer(id, read(params)?, code_lens::code_lens),
            "codeLens/resolve" => self.resolve(id, whole(params)?)?,
            "textDocument/semanticTokens/range" => self.answer(id, read(params)?, semantic_tokens::range),
            "textDocument/documentSymbol" => self.answer(id, read(params)?, symbols::document_symbol),
            "textDocument/foldingRange" => self.answer(id, read(params)?, ranges::folding_range),
            "cpz/board" => self.answer(id, whole(params)?, board::board),
            _ if IS_COMPLETE => self.further_request(id, method, params)?,
            _ => self.leave_out(id),
        }
        Ok(())
    }

    /// Answers one of the other requests.
    #[rustfmt::skip]
    fn further_request(&self, id: &Value, method: &str, params: Value) -> Result<()> {
        match method {
            "textDocument/diagnostic" => self.document_diagnostic(id, read(params)?),
            "workspace/diagnostic" => self.workspace_diagnostic(id, read(params)?),
            "workspace/symbol" => self.workspace_symbol(id, read(params)?),
            "workspace/executeCommand" => self.execute_command(id, whole(params)?)?,
            "textDocument/hover" => self.answer(id, read(params)?, hover::hover),
            "textDocument/completion" => self.answer(id, read(params)?, completion::completion),
            "textDocument/codeAction" => self.answer(id, read(params)?, code_action::code_action),
            "textDocument/formatting" => self.answer(id, read(params)?, formatting::formatting),
            "textDocument/rangeFormatting" => self.answer(id, read(params)?, formatting::range_formatting),
            "textDocument/onTypeFormatting" => self.answer(id, read(params)?, formatting::on_type_formatting),
            "textDocument/semanticTokens/full" => self.answer(id, read(params)?, semantic_tokens::full),
            "textDocument/semanticTokens/full/delta" => self.answer(id, read(params)?, semantic_tokens::full_delta),
            "textDocument/selectionRange" => self.answer(id, read(params)?, ranges::selection_range),
            "textDocument/documentLink" => self.answer(id, read(params)?, ranges::document_link),
            "textDocument/definition" => self.answer(id, read(params)?, definition),
            "textDocument/references" => self.answer(id, read(params)?, navigation::references),
            "textDocument/documentHighlight" => self.answer(id, read(params)?, navigation::document_highlight),
            "textDocument/prepareRename" => self.answer(id, read(params)?, navigation::prepare_rename),
            "textDocument/rename" => self.try_answer(id, read(params)?, navigation::rename),
            "cpz/square" => self.answer(id, whole(params)?, board::square),
            "cpz/edit" => self.try_answer(id, whole(params)?, board_edit::edit),
            "cpz/targets" => self.answer(id, whole(params)?, board_edit::targets),
            "cpz/hint" => self.answer(id, whole(params)?, authoring::hint_request),
            "cpz/import" => self.host.respond(id, Ok(Json::of(exchange::import(&whole(params)?)?))),
            "cpz/export" => self.try_answer(id, whole(params)?, exchange::export),
            "cpz/captions" => self.answer(id, whole(params)?, exchange::captions),
            "cpz/explain" => self.host.respond(id, Ok(Json::of(explain::explain(&whole(params)?)?))),
            _ => return Err(RequestError::method_not_found()),
        }
        Ok(())
    }

    /// Answers that a complete server knows the answer.
    fn leave_out(&self, id: &Value) {
        self.host.respond_with(id, Err(RequestError::method_not_found()), true);
    }

    /// Answers a request about a document.
    fn answer<P, T>(&self, id: &Value, params: P, feature: fn(&RequestContext<'_>, &P) -> Option<T>)
    where
        P: DocumentParams + Send + 'static,
        T: Serialize + Send + 'static,
    {
        let uri = params.uri().to_string();
        self.respond_from(id, uri, Box::new(move |context| Ok(feature(context, &params).map(Json::of))));
    }

    /// Answers a request about a document that may be refused.
    fn try_answer<P, T>(
        &self,
        id: &Value,
        params: P,
        feature: fn(&RequestContext<'_>, &P) -> Result<Option<T>>,
    ) where
        P: DocumentParams + Send + 'static,
        T: Serialize + Send + 'static,
    {
        let uri = params.uri().to_string();
        self.respond_from(id, uri, Box::new(move |context| Ok(feature(context, &params)?.map(Json::of))));
    }

    fn respond_from(&self, id: &Value, uri: String, job: Job<Result<Option<Json>>>) {
        let (host, id) = (self.host.clone(), id.clone());
        let finish = move |answer: Result<Option<_>>, is_incomplete| {
            let answer = answer.and_then(Option::transpose).map(Option::flatten);
            host.respond_with(&id, answer.map(|answer| answer.unwrap_or_else(Json::null)), is_incomplete);
        };
        self.run(uri, job, Box::new(finish));
    }

    /// Runs a job with the snapshot of a document.
    ///
    /// The first attempt runs without slow searches. If the job needs them and they are allowed, it runs again in
    /// [`EmbeddedServer::work`].
    pub(super) fn run<T: 'static>(&self, uri: String, job: Job<T>, finish: Finish<T>) {
        let (session, never) = (self.session.clone(), Arc::new(AtomicBool::new(false)));
        self.send(Event::WithSnapshot(
            uri,
            Box::new(move |snapshot| {
                let Some(snapshot) = snapshot else { return finish(Ok(None), false) };
                let first = attempt(&job, &session, &snapshot, &never, false);
                if !first.needs_slow_pass || !session.runs_slow_searches() {
                    return finish(first.answer.map(Some), first.needs_slow_pass | first.is_incomplete);
                }
                let queue = session.clone();
                queue.spawn(JobKind::SlowRequest, move || {
                    let answer = match snapshot.is_outdated() {
                        true => Err(RequestError::content_modified()),
                        false => attempt(&job, &session, &snapshot, &never, true).answer.map(Some),
                    };
                    finish(answer, false);
                });
            }),
        ));
    }

    fn resolve(&self, id: &Value, lens: lsp::CodeLens) -> Result<()> {
        let unresolved = UnresolvedLens::of(lens.clone())?;
        let uri = unresolved.uri().to_string();
        let (host, id) = (self.host.clone(), id.clone());
        let job =
            Box::new(move |context: &RequestContext<'_>| code_lens::code_lens_resolve(context, &unresolved));
        let finish = move |answer: Result<Option<Option<_>>>, is_incomplete| {
            let lens = answer.map(|answer| Json::of(answer.flatten().unwrap_or(lens)));
            host.respond_with(&id, lens, is_incomplete);
        };
        self.run(uri, job, Box::new(finish));
        Ok(())
    }

    fn document_diagnostic(&self, id: &Value, params: lsp::DocumentDiagnosticParams) {
        let (host, id, previous) = (self.host.clone(), id.clone(), params.previous_result_id);
        let reply = Box::new(move |found| host.respond(&id, Ok(Json::of(document_report(found, previous)))));
        let uri = params.text_document.uri.as_str().into();
        self.send(Event::PullDocument(DocumentPull { uri, reply }));
    }

    /// Answers when a document has other diagnostics than the client knows.
    fn workspace_diagnostic(&self, id: &Value, params: lsp::WorkspaceDiagnosticParams) {
        let (host, id) = (self.host.clone(), id.clone());
        self.send(Event::PullWorkspace(WorkspacePull {
            known: known_results(params),
            seen: false,
            cancel: Arc::default(),
            reply: Box::new(move |news| host.respond(&id, Ok(Json::of(workspace_report(news))))),
        }));
    }

    fn workspace_symbol(&self, id: &Value, params: lsp::WorkspaceSymbolParams) {
        let (session, host, id) = (self.session.clone(), self.host.clone(), id.clone());
        self.send(Event::WithAllSnapshots(Box::new(move |snapshots| {
            let run = || workspace_symbols(&session, &snapshots, &params.query, &Arc::default());
            let found = catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| Err(RequestError::internal()));
            host.respond(&id, found.map(Json::of));
        })));
    }
}

/// The place of a definition. All diagnostics are known before a request runs, so it need not ask twice.
fn definition(context: &RequestContext<'_>, params: &lsp::GotoDefinitionParams) -> Option<lsp::Location> {
    navigation::definition(context, params.text_document_position_params.position).0
}

/// The parameters of a request.
fn read<P: Params>(params: Value) -> Result<P> {
    read_params(params).map_err(|error| RequestError::invalid_params(error.to_string()))
}

/// The parameters of a request without mixed-in fields.
fn whole<P: DeserializeOwned>(params: Value) -> Result<P> {
    serde_json::from_value(params).map_err(|error| RequestError::invalid_params(error.to_string()))
}
