//! Replays a written solution and proves what it claims.

use crate::analysis::verbs::solution_text::battle::{Battle, Stop};
use crate::analysis::verbs::solution_text::checked::CheckedSolution;
use crate::analysis::verbs::solution_text::sequences::check_sequences;
use crate::analysis::verbs::solution_text::tree::WrittenSolution;
use cpz_rules::games::{Budget, Position, Stipulation, Undecided};

/// Checks a solution on the position. `position.turn` is the side that begins, in help play too.
///
/// What stands behind the first mistake is not checked, since most of it follows from that.
pub(crate) fn check_solution(
    written: &WrittenSolution<'_>,
    position: &Position,
    stipulation: Stipulation,
    budget: &Budget<'_>,
) -> CheckedSolution {
    let mut checked = match stipulation.play().has_sequences() {
        true => check_sequences(written, position, stipulation, budget),
        false => check_battle(written, position, stipulation, budget),
    };
    checked.findings.extend(written.findings.iter().cloned());
    checked.findings.sort_by_key(|finding| finding.span);
    checked
}

/// Checks the tree of a problem that has keys.
fn check_battle(
    written: &WrittenSolution<'_>,
    start: &Position,
    stipulation: Stipulation,
    budget: &Budget<'_>,
) -> CheckedSolution {
    let end = written.findings.first().map_or(u32::MAX, |finding| finding.span.start);
    let mut battle = Battle::new(written, start, stipulation, budget);
    match battle.check_up_to(end) {
        Ok(()) if written.findings.is_empty() => {
            if let Err(Undecided::Cancelled) = battle.report_missing_variations() {
                battle.result.undecided = Some(Undecided::Cancelled);
            }
        }
        Ok(()) => {}
        Err(Stop::Wrong(finding)) => battle.result.findings.push(*finding),
        Err(Stop::Undecided(undecided)) => battle.result.undecided = Some(undecided),
    }
    battle.into_result()
}
