//! The middleware before the handlers: repairs malformed parameters, and turns panics of handlers into error
//! responses.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Sender;
use std::task::{Context, Poll};

use futures::FutureExt;
use futures::future::BoxFuture;
use serde_json::Value;
use tower::Service;
use tower_lsp::jsonrpc::{Error, Id, Request, Response};

use crate::lsp::protocol::repair::{Repaired, escape, repair};
use crate::lsp::state::Event;
use crate::server::handlers::whole_documents::METHODS;
use crate::server::transport::frames::UNREADABLE;
use crate::server::transport::log::Log;

pub(crate) struct GuardedService<S> {
    inner: S,
    events: Sender<Event>,
    log: Log,
}

impl<S> GuardedService<S> {
    pub fn new(inner: S, events: Sender<Event>, log: Log) -> GuardedService<S> {
        GuardedService { inner, events, log }
    }

    fn send(&self, event: Event) {
        let _ = self.events.send(event);
    }

    /// The answer to a message that `transport::frames` could not read, from the parameters that it found.
    fn answer_unreadable(&self, params: &Value) -> Response {
        // If it was an edit, the text of its document is out of step.
        let uri = params["uri"].as_str().filter(|u| !u.is_empty());
        if let Some(uri) = uri {
            self.send(Event::EditLost(escape(uri)));
        }
        let is_json = params["json"] == true;
        let error = if is_json { Error::invalid_request() } else { Error::parse_error() };
        let id = match &params["id"] {
            Value::String(id) => Id::String(id.clone()),
            id => id.as_i64().map_or(Id::Null, Id::Number),
        };
        Response::from_error(id, error)
    }

    /// Keeps the client's spelling of a URI that is escaped here, to publish diagnostics under it.
    fn keep_client_uri(&self, params: Option<&Value>) {
        let Some(as_written) = params.and_then(|p| p.pointer("/textDocument/uri")?.as_str()) else { return };
        let uri = escape(as_written);
        if uri != as_written {
            self.send(Event::ClientUri { uri, as_written: as_written.to_string() });
        }
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
            let answer = self.answer_unreadable(&params.unwrap_or_default());
            call.done(Some(&answer));
            return async { Ok(Some(answer)) }.boxed();
        }
        if method == "textDocument/didOpen" {
            self.keep_client_uri(params.as_ref());
        }
        let params = match params.map(|p| repair(&method, p)) {
            None => None,
            Some(Repaired::Params(params)) => Some(params),
            Some(Repaired::Lost(uri)) => {
                self.send(Event::EditLost(uri));
                return async { Ok(None) }.boxed();
            }
        };
        let request_is_optional = method.starts_with("$/");
        let large = METHODS.iter().find(|(name, _)| *name == method);
        let mut request = Request::build(large.map_or(method, |(_, own)| Cow::Borrowed(*own)));
        if let Some(id) = &id {
            request = request.id(id.clone());
        }
        if let Some(params) = params {
            request = request.params(params);
        }
        // tower-lsp answers no request whose method begins with `$/`; the protocol wants an error.
        let optional = id.clone().filter(|_| request_is_optional);
        let failed = move || id.map(|id| Response::from_error(id, Error::internal_error()));
        let called = catch_unwind(AssertUnwindSafe(|| self.inner.call(request.finish())));
        let Ok(future) = called else {
            let answer = failed();
            call.done(answer.as_ref());
            return async move { Ok(answer) }.boxed();
        };
        async move {
            let answered = match AssertUnwindSafe(future).catch_unwind().await {
                Ok(Ok(None)) => Ok(optional.map(|id| Response::from_error(id, Error::method_not_found()))),
                Ok(answered) => answered,
                Err(_) => Ok(failed()),
            };
            call.done(answered.as_ref().ok().and_then(Option::as_ref));
            answered
        }
        .boxed()
    }
}
