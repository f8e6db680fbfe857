//! What every message passes first: repair of what clients write loosely, and a net under panics.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Sender;
use std::task::{Context, Poll};

use futures::FutureExt;
use futures::future::BoxFuture;
use tower::Service;
use tower_lsp::jsonrpc::{Error, Id, Request, Response};

use crate::server::state::Event;
use crate::server::transport::frames::UNREADABLE;
use crate::server::transport::log::Log;
use crate::server::transport::repair::{Repaired, escape, repair};

/// The service behind its net.
pub(crate) struct GuardedService<S> {
    inner: S,
    events: Sender<Event>,
    log: Log,
}

impl<S> GuardedService<S> {
    pub fn new(inner: S, events: Sender<Event>, log: Log) -> GuardedService<S> {
        GuardedService { inner, events, log }
    }
}

impl<S> Service<Request> for GuardedService<S>
where
    S: Service<Request, Response = Option<Response>>,
    S::Future: Send + 'static,
    S::Error: Send + 'static,
{
    type Response = Option<Response>;
    type Error = S::Error;
    type Future = BoxFuture<'static, Result<Option<Response>, S::Error>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let (method, id, params) = request.into_parts();
        let call = self.log.call(&method, id.as_ref());
        if method == UNREADABLE {
            // If it was an edit, its text is no longer known.
            let params = params.unwrap_or_default();
            let uri = params["uri"].as_str().filter(|u| !u.is_empty());
            if let Some(uri) = uri {
                let _ = self.events.send(Event::EditLost(escape(uri)));
            }
            let is_json = params["json"] == true;
            let error = if is_json { Error::invalid_request() } else { Error::parse_error() };
            let id = match &params["id"] {
                serde_json::Value::String(id) => Id::String(id.clone()),
                id => id.as_i64().map_or(Id::Null, Id::Number),
            };
            let answer = Response::from_error(id, error);
            call.done(Some(&answer));
            return async { Ok(Some(answer)) }.boxed();
        }
        if method == "textDocument/didOpen"
            && let Some(told) = params.as_ref().and_then(|p| p.pointer("/textDocument/uri")?.as_str())
        {
            let uri = escape(told);
            if uri != told {
                // Whoever writes it so looks for findings under that name.
                let _ = self.events.send(Event::ClientUri { uri, as_written: told.to_string() });
            }
        }
        let params = match params.map(|p| repair(&method, p)) {
            None => None,
            Some(Repaired::Params(params)) => Some(params),
            Some(Repaired::Lost(uri)) => {
                // The text is no longer known: nothing is said of it until it arrives whole.
                let _ = self.events.send(Event::EditLost(uri));
                return async { Ok(None) }.boxed();
            }
        };
        let request = Request::build(method);
        let request = match &id {
            Some(id) => request.id(id.clone()),
            None => request,
        };
        let request = match params {
            Some(params) => request.params(params),
            None => request,
        };
        let failed = move || id.map(|id| Response::from_error(id, Error::internal_error()));
        let called = catch_unwind(AssertUnwindSafe(|| self.inner.call(request.finish())));
        let Ok(future) = called else {
            let answer = failed();
            call.done(answer.as_ref());
            return async move { Ok(answer) }.boxed();
        };
        async move {
            let answered = match AssertUnwindSafe(future).catch_unwind().await {
                Ok(answered) => answered,
                Err(_) => Ok(failed()),
            };
            call.done(answered.as_ref().ok().and_then(Option::as_ref));
            answered
        }
        .boxed()
    }
}
