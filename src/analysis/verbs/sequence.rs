//! Written sequences of captures: replayed on the position.

use crate::analysis::verbs::evaluator::QueryEvaluator;
use crate::analysis::verbs::solve::captures_between;
use crate::analysis::verbs::verb_rules::{CorrectSequence, VerbRules};
use crate::board::Board;
use crate::diagnostic::{Code, Finding, Fix, Span};
use crate::games::{Answer, ReplayError, Step, Undecided};

/// Checks steps: the captures of a solution, or the steps of a draughts capture. `unread` is what is wrong with the
/// step after the last one, if that cannot be read.
///
/// Reports only the first mistake: the steps after it depend on it.
pub(super) fn check_steps(
    evaluator: &mut QueryEvaluator<'_, '_>,
    rules: &dyn VerbRules,
    span: Span,
    steps: &[(Step, Span)],
    unread: Option<Finding>,
    answer: &Result<Answer, Undecided>,
) {
    let plain: Vec<Step> = steps.iter().map(|s| s.0).collect();
    let error = evaluator.game().follow(&evaluator.position, &plain).err();
    let unread = unread.filter(|_| error.as_ref().is_none_or(|e| e.step >= steps.len()));
    let mut finding = match (unread, error) {
        (Some(finding), _) => finding,
        (None, Some(error)) => failing_step(error, steps, span),
        (None, None) => return,
    };
    if let Ok(answer) = answer
        && finding.code == Code::WrongSolution
    {
        let CorrectSequence { name, note, text } = rules.correct_sequence(evaluator, answer);
        finding.notes.extend(note);
        let title = format!("replace the answer with a correct {name}");
        finding.fixes.extend(text.map(|text| Fix::if_board_is_right(title, span, text)));
    }
    evaluator.report(finding);
}

/// The finding for the step at which a sequence, written at `span`, fails.
fn failing_step(error: ReplayError, steps: &[(Step, Span)], span: Span) -> Finding {
    let ReplayError { step, message, notes } = error;
    // A sequence that stops short is marked on its last step.
    let at = steps.get(step).or(steps.last()).map_or(span, |s| s.1);
    let number = if step < steps.len() { format!("step {} fails: ", step + 1) } else { String::new() };
    let mut finding = Finding::new(Code::WrongSolution, at, format!("{number}{message}"));
    finding.notes = notes;
    finding
}

/// Checks a solution that is given as boards.
pub(super) fn check_boards(
    evaluator: &mut QueryEvaluator<'_, '_>,
    rules: &dyn VerbRules,
    span: Span,
    boards: &[(Board, Span)],
    answer: &Result<Answer, Undecided>,
) {
    let possible_steps = |steps: &[Step]| match evaluator.game().follow(&evaluator.position, steps) {
        Ok(()) => steps.len(),
        Err(error) => error.step,
    };
    match captures_between(boards, &evaluator.position, possible_steps) {
        Ok(steps) => check_steps(evaluator, rules, span, &steps, None, answer),
        Err((i, message)) => evaluator.report(Finding::new(Code::WrongSolution, boards[i].1, message)),
    }
}
