//! A written line of chess: replayed on the position.

use crate::analysis::verbs::evaluator::QueryEvaluator;
use crate::diagnostic::Span;

/// Replays the moves of a line, written at `span`, and reports the first that fails.
pub(super) fn check_line(_evaluator: &mut QueryEvaluator<'_, '_>, _span: Span, _moves: &[(String, Span)]) {}
