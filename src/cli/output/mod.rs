//! Reports: one file a format.

pub(crate) mod json;
pub(crate) mod sarif;
pub(crate) mod text;
