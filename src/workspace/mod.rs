//! The files of a collection: which there are, which `cpz.toml` holds for each, and their texts.
//!
//! Invariant: used by the command line and the server alike; knows neither.

pub(crate) mod files;
