//! What the two sides can do, and conversions between our data and LSP types.
//!
//! Invariant: pure functions; knows no document and no state.

pub(crate) mod client_capabilities;
pub(crate) mod convert;
pub(crate) mod uris;
