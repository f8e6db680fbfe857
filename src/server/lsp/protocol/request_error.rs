//! Errors that answer requests.

use std::borrow::Cow;

/// An error of JSON-RPC or of the protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RequestError {
    pub code: i64,
    pub message: Cow<'static, str>,
}

/// The result of a request.
pub(crate) type Result<T> = std::result::Result<T, RequestError>;

impl RequestError {
    /// The parameters are wrong, in a sentence.
    pub fn invalid_params(message: impl Into<Cow<'static, str>>) -> RequestError {
        RequestError { code: -32602, message: message.into() }
    }

    /// The method is unknown.
    pub fn method_not_found() -> RequestError {
        RequestError { code: -32601, message: "Method not found".into() }
    }

    /// The message is no JSON.
    pub fn parse_error() -> RequestError {
        RequestError { code: -32700, message: "Parse error".into() }
    }

    /// The message is no message of JSON-RPC.
    pub fn invalid_request() -> RequestError {
        RequestError { code: -32600, message: "Invalid request".into() }
    }

    /// `initialize` has not come yet.
    pub fn not_initialized() -> RequestError {
        RequestError { code: -32002, message: "Server not initialized".into() }
    }

    /// A defect of the server.
    pub fn internal() -> RequestError {
        RequestError { code: -32603, message: "Internal error".into() }
    }

    /// The text has changed since.
    pub fn content_modified() -> RequestError {
        RequestError { code: RequestError::CONTENT_MODIFIED, message: "Content modified".into() }
    }

    /// The code of [`RequestError::content_modified`].
    pub const CONTENT_MODIFIED: i64 = -32801;
}
