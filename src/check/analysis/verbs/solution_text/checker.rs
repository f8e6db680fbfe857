//! Replays a written solution and proves what it claims.

use crate::analysis::verbs::solution_text::battle::{Battle, Stop};
use crate::analysis::verbs::solution_text::checked::CheckedSolution;
use crate::analysis::verbs::solution_text::moves::legal_move;
use crate::analysis::verbs::solution_text::sequences::check_sequences;
use crate::analysis::verbs::solution_text::tree::{Role, WrittenMove, WrittenSolution};
use cpz_rules::board::Language;
use cpz_rules::games::{Budget, Position, Stipulation, Undecided};
use cpz_text::diagnostic::{Code, Finding};

/// Checks a solution on the position. `position.turn` is the side that begins, in help play too.
///
/// What stands behind the first mistake is not checked, since most of it follows from that.
pub(crate) fn check_solution(
    written: &WrittenSolution<'_>,
    position: &Position,
    stipulation: Stipulation,
    budget: &Budget<'_>,
) -> CheckedSolution {
    checked_by(written, position, |written| match stipulation.play().has_sequences() {
        true => check_sequences(written, position, stipulation, budget),
        false => check_battle(written, position, stipulation, budget),
    })
}

/// Makes the moves of a problem that has keys, and proves nothing that is claimed: what is wrong may be more.
pub(crate) fn replay_solution(
    written: &WrittenSolution<'_>,
    position: &Position,
    stipulation: Stipulation,
    budget: &Budget<'_>,
) -> CheckedSolution {
    checked_by(written, position, |written| {
        let mut battle = Battle::new(written, position, stipulation, budget);
        if let Err(Stop::Wrong(finding)) = battle.replay() {
            battle.result.findings.push(*finding);
        }
        battle.into_result()
    })
}

/// Checks a solution with its own letters or with English ones, and adds what cannot be read of it.
fn checked_by(
    written: &WrittenSolution<'_>,
    position: &Position,
    check: impl FnOnce(&WrittenSolution<'_>) -> CheckedSolution,
) -> CheckedSolution {
    let in_english;
    let written = match written.language {
        Some(language) if has_english_key(written, language, position) => {
            in_english = WrittenSolution { language: None, ..written.clone() };
            &in_english
        }
        _ => written,
    };
    let mut checked = check(written);
    // A number may contradict its place because of the same slip.
    let is_wrong = checked.has_error();
    let is_known = |finding: &&Finding| is_wrong && finding.code == Code::WrongSolution;
    checked.findings.extend(written.findings.iter().filter(|finding| !is_known(finding)).cloned());
    checked.findings.sort_by_key(|finding| finding.span);
    checked
}

/// Whether a first move of the text is legal by its English letters and not by those of the language in which all can be read:
/// then others have slips.
fn has_english_key(written: &WrittenSolution<'_>, language: &Language, start: &Position) -> bool {
    let first = written.nodes.iter().filter(|node| node.parent.is_none() && node.role == Role::Move);
    let is_english = |written: &WrittenMove<'_>| {
        legal_move(start, written, None).is_ok() && legal_move(start, written, Some(language)).is_err()
    };
    first.flat_map(|node| &node.moves).any(is_english)
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
