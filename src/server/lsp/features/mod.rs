//! The requests about documents, one file for each group: functions from a [`context::RequestContext`] and the
//! parameters to the answer.
//!
//! Invariant: pure functions of the snapshot and the session. Who calls them decides about threads and sends the answer.

mod action_list;
pub(crate) mod authoring;
pub(crate) mod board;
pub(crate) mod board_edit;
pub(crate) mod code_action;
pub(crate) mod code_lens;
pub(crate) mod command_effect;
pub(crate) mod completion;
pub(crate) mod context;
pub(crate) mod exchange;
pub(crate) mod execute_command;
pub(crate) mod explain;
mod finding_actions;
pub(crate) mod formatting;
pub(crate) mod hover;
pub(crate) mod inlay_hints;
pub(crate) mod navigation;
pub(crate) mod pulled_diagnostics;
pub(crate) mod ranges;
mod repair_actions;
pub(crate) mod semantic_tokens;
pub(crate) mod symbols;
