//! Edits that a person can ask for.

pub(crate) mod convert_board;
pub(crate) mod insert_answer;
pub(crate) mod rewrite;
pub(crate) mod transform;
