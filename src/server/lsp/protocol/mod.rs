//! What client and server declare, and conversions between our data and LSP types.
//!
//! Invariant: pure functions and data; knows no document and no state.

pub(crate) mod board_ext;
pub(crate) mod client_capabilities;
pub(crate) mod commands;
pub(crate) mod convert;
pub(crate) mod document_params;
pub(crate) mod exchange_ext;
pub(crate) mod initialize;
pub(crate) mod repair;
pub(crate) mod request_error;
pub(crate) mod server_capabilities;
pub(crate) mod token_legend;
pub mod uris;
