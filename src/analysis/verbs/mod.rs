//! The queries: what each verb asks, answers, and accepts as a written answer.

pub(crate) mod answer_syntax;
pub(crate) mod chess_move;
pub(crate) mod evaluate;
