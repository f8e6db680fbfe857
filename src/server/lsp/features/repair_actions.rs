//! The actions that change a board so that its puzzle becomes sound, or smaller.
//!
//! The searches for them run only when the user asks: by opening the menu of a finding, or by a command. What an editor asks
//! for by itself, such as a light bulb, gets the command.

use ls_types as lsp;

use crate::lsp::features::action_list::{ActionList, command_action, edit_action, text_position};
use crate::lsp::features::context::RequestContext;
use crate::lsp::features::finding_actions::SelectedFindings;
use crate::lsp::protocol::commands::ServerCommand;
use crate::lsp::session::limits::MENU_NODE_LIMIT;
use cpz_check::analysis::{Defaults, PuzzleReport, STOPPED, puzzle_at};
use cpz_check::repair::Aim;
use cpz_ide::{self as ide, Proposals};
use cpz_text::diagnostic::Finding;
use cpz_text::syntax::Puzzle;

/// The most repairs that a menu or a question shows.
const MAX_SHOWN: usize = 6;

/// An edit with its title.
type Choice = (String, lsp::WorkspaceEdit);

/// Adds the repairs of the first finding that has any, or the command that looks for them.
pub(crate) fn add_repairs(
    context: &RequestContext<'_>,
    findings: &SelectedFindings<'_>,
    reports: &[PuzzleReport],
    is_invoked: bool,
    actions: &mut ActionList<'_>,
) {
    let kind = lsp::CodeActionKind::QUICKFIX;
    if !actions.is_requested(&kind) {
        return;
    }
    let report =
        |f: &Finding| reports.iter().find(|r| r.span.start <= f.span.start && f.span.end <= r.span.end);
    let is_repairable = |f: &&Finding| report(f).is_some_and(|report| ide::may_need_repair(f, report));
    let Some(finding) = findings.all().iter().find(is_repairable) else { return };
    let mut title = "Look for repairs…";
    if is_invoked && let Some(proposals) = in_menu(context, finding) {
        for proposal in proposals.found.iter().take(MAX_SHOWN) {
            let action = edit_action(context, &proposal.title(), kind.clone(), &proposal.edits);
            actions.add(findings.linked(context, finding, action));
        }
        if proposals.found.len() <= MAX_SHOWN && proposals.complete {
            return;
        }
        title = "More repairs…";
    }
    let argument = serde_json::to_value(text_position(context, finding.span.start)).unwrap_or_default();
    let action = command_action(title, kind, ServerCommand::RepairPuzzle.name(), argument);
    actions.add(findings.linked(context, finding, action));
}

/// The repairs that a menu waits for.
fn in_menu(context: &RequestContext<'_>, finding: &Finding) -> Option<Proposals> {
    let (puzzle, settings) = puzzle_at(context.tree(), context.base(), finding.span.start)?;
    let options = context.options_within(MENU_NODE_LIMIT);
    let found = ide::propose(puzzle, settings, Aim::Sound, &options).ok()??;
    context.may_find_more(true, !found.complete);
    Some(found)
}

/// Adds the commands that make a puzzle unique or smaller, at its board.
pub(crate) fn add_reductions(context: &RequestContext<'_>, puzzle: Puzzle<'_>, actions: &mut ActionList<'_>) {
    let kind = lsp::CodeActionKind::REFACTOR_REWRITE;
    if !actions.is_requested(&kind) || !ide::asks_for_solution(puzzle) {
        return;
    }
    let argument = serde_json::to_value(text_position(context, puzzle.span().start)).unwrap_or_default();
    let commands = [
        ("Make the solution the only one…", ServerCommand::MakeUnique),
        ("Shorten the puzzle…", ServerCommand::ShortenPuzzle),
        ("Remove pieces that are not needed…", ServerCommand::RemoveNeedless),
    ];
    for (title, command) in commands {
        actions.add(command_action(title, kind.clone(), command.name(), argument.clone()));
    }
}

/// The changes of a puzzle that a command offers, with the sentence above them. `None` if the search was cancelled or has
/// to run again as a slow one.
///
/// # Errors
/// Why there are none, for the user.
pub(crate) fn repair_choices(
    context: &RequestContext<'_>,
    puzzle: Puzzle<'_>,
    settings: Defaults,
    aim: Aim,
) -> Option<Result<(String, Vec<Choice>), String>> {
    let found = ide::propose(puzzle, settings, aim, &context.options_within(u64::MAX));
    if context.cancelled() {
        return None;
    }
    let proposals = match found {
        Err(why) => return Some(Err(why)),
        Ok(None) => return Some(Err("no query of this puzzle asks for a solution".into())),
        Ok(Some(proposals)) => proposals,
    };
    if context.may_find_more(true, !proposals.complete) {
        return None;
    }
    if proposals.found.is_empty() && context.is_stopped() {
        return Some(Err(STOPPED.into()));
    }
    if proposals.found.is_empty() {
        return Some(Err(ide::why_no_proposals(&proposals, aim).into()));
    }
    let choice = |proposal: &ide::Proposal| (proposal.title(), context.workspace_edit(&proposal.edits));
    let choices: Vec<Choice> = proposals.found.iter().take(MAX_SHOWN).map(choice).collect();
    let message = match proposals.found.len() {
        1 => "cpz: one change is possible:".to_string(),
        n if n <= MAX_SHOWN => format!("cpz: {n} changes are possible:"),
        n => format!("cpz: {n} changes are possible; `cpz repair` prints them all. The closest are:"),
    };
    Some(Ok((message, choices)))
}
