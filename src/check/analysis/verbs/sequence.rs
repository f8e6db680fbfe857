//! Written sequences of captures: replayed on the position.

use crate::analysis::verbs::answer_writer::solution_in_names;
use crate::analysis::verbs::evaluator::QueryEvaluator;
use crate::analysis::verbs::solve::captures_between;
use crate::analysis::verbs::verb_rules::{CorrectSequence, VerbRules};
use cpz_rules::board::Board;
use cpz_rules::games::{Answer, Capture, ReplayError, Step, Undecided};
use cpz_text::diagnostic::{Code, Finding, Fix, Related, Span};

/// The nodes that finding the last step before which a board can be solved may take.
const ASIDE: u64 = 300_000;

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
        add_last_solvable(evaluator, steps, &plain, &mut finding);
        let title = format!("replace the answer with a correct {name}");
        finding.fixes.extend(text.map(|text| Fix::if_board_is_right(title, span, text)));
    }
    evaluator.report(finding);
}

/// Says in the finding of a wrong solution which step was the last one before which, or after which, the board could still
/// be solved. `plain` are the steps without their places.
fn add_last_solvable(
    evaluator: &mut QueryEvaluator<'_, '_>,
    steps: &[(Step, Span)],
    plain: &[Step],
    finding: &mut Finding,
) {
    let possible = match evaluator.game().follow(&evaluator.position, plain) {
        Ok(()) => plain.len(),
        Err(error) => error.step.min(plain.len()),
    };
    let found = evaluator.search_within(ASIDE, |game, position, budget| {
        game.last_solvable(position, &plain[..possible], budget)
    });
    let Ok(Some((made, rest))) = found else { return };
    let rest = solution_in_names(&rest);
    if made == possible {
        // Before the first step this is the solution that the finding names anyway.
        let note = match rest.is_empty() {
            true => format!("after step {made} it is solved"),
            false => format!("after step {made} it can still be solved: {rest}"),
        };
        finding.notes.extend((made > 0).then_some(note));
        return;
    }
    let Some(&(step, span)) = steps.get(made) else { return };
    let name = solution_in_names(&[Capture { from: step.from, to: step.to }]);
    finding.notes.push(format!("step {}, {name}, is the mistake: after it there is no solution", made + 1));
    if made > 0 {
        finding.notes.push(format!("before that step it could still be solved: {rest}"));
    }
    finding.related.push(Related {
        file: None,
        span,
        message: format!("after this step there is no solution; before it there is: {rest}"),
    });
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
