//! The language server without its transport: what the protocol says, the state of the texts, and the answers to requests.
//!
//! Invariant: names no thread, clock, file or connection. The program around it implements
//! `session::host::Host`: `server` with thread pools and tokio, [`embedded`] with a queue that its caller works off.
//!
//! Order inside: `protocol` < `session` < `scan` < `state` < `features` < `embedded`.

pub mod embedded;
pub(crate) mod features;
pub mod protocol;
pub(crate) mod scan;
pub(crate) mod session;
pub(crate) mod state;
