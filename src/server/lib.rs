//! The language server, over standard input and output or embedded in another program.
//!
//! Invariant: the only crate with types of the protocol. `lsp` has what both transports share, and is pure.

#![cfg_attr(not(feature = "native"), allow(dead_code, unused_imports))]

pub mod lsp;
#[cfg(feature = "native")]
pub mod server;
pub mod workspace;
