//! `textDocument/codeAction`: one provider for each kind of action. The menu begins with what corrects a finding and
//! ends with what silences it; in between is what belongs to the place of the cursor.

use ls_types as lsp;

use crate::lsp::features::action_list::{ActionList, command_action, edit_action, text_position};
use crate::lsp::features::context::RequestContext;
use crate::lsp::features::execute_command::insertions;
use crate::lsp::features::finding_actions::{SelectedFindings, add_fix_all};
use crate::lsp::features::repair_actions::{add_reductions, add_repairs};
use crate::lsp::protocol::commands::{ClientCommand, ServerCommand};
use crate::lsp::protocol::convert::{CONVERT_BOARD, INSERT_ANSWERS, SORT_PUZZLES};
use cpz_check::analysis::{PuzzleReport, bound_at, position_of, puzzles_in};
use cpz_check::authoring::SortKey;
use cpz_ide as ide;
use cpz_rules::board::Target;
use cpz_text::diagnostic::{Edit, Span};
use cpz_text::syntax::{Property, PropertyNode, Puzzle};

/// The most puzzles of one request; a selection may have more.
const MAX_PUZZLES: usize = 64;

pub(crate) fn code_action(
    context: &RequestContext<'_>,
    params: &lsp::CodeActionParams,
) -> Option<lsp::CodeActionResponse> {
    Some(code_actions(&context.for_range(params.range), params))
}

fn code_actions(
    context: &RequestContext<'_>,
    params: &lsp::CodeActionParams,
) -> Vec<lsp::CodeActionOrCommand> {
    let selection = context.span(params.range);
    let puzzles = puzzles_in(context.tree(), context.base(), selection, MAX_PUZZLES);
    let reports: Vec<PuzzleReport> =
        puzzles.iter().filter_map(|&(puzzle, settings)| context.report_if_quick(puzzle, settings)).collect();
    let mut actions = ActionList::new(params.context.only.as_deref());
    let findings = SelectedFindings::new(context, selection, &reports, &params.context.diagnostics);
    findings.add_fixes(context, &mut actions);
    let is_invoked = params.context.trigger_kind == Some(lsp::CodeActionTriggerKind::INVOKED);
    add_repairs(context, &findings, &reports, is_invoked, &mut actions);
    add_fix_all(context, &mut actions);
    add_insertions(context, selection, &reports, &mut actions);
    if let [(puzzle, _)] = puzzles[..] {
        let place = Place::of(puzzle, selection);
        add_rewrites(context, selection, place, &mut actions);
        add_conversions(context, selection, place, &mut actions);
        if place == Place::Board {
            add_reductions(context, puzzle, &mut actions);
        }
    }
    findings.add_allows(context, &mut actions);
    add_sorts(context, selection, &mut actions);
    actions.list
}

/// Sorted puzzles, for those who ask for source actions by name. Commands and no edits, because ratings may need slow searches.
fn add_sorts(context: &RequestContext<'_>, selection: Span, actions: &mut ActionList<'_>) {
    if !actions.is_named(&SORT_PUZZLES) {
        return;
    }
    for key in SortKey::ALL {
        let mut argument = serde_json::to_value(text_position(context, selection.start)).unwrap_or_default();
        argument["by"] = key.word().into();
        let title = format!("Sort the puzzles by {}", key.word());
        actions.add(command_action(&title, SORT_PUZZLES, ServerCommand::SortPuzzles.name(), argument));
    }
}

/// The part of a puzzle at the cursor.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Board,
    /// The game, the name, or the property `rules`.
    Rules,
    Elsewhere,
}

impl Place {
    fn of(puzzle: Puzzle<'_>, selection: Span) -> Place {
        let is_rules = |p: &PropertyNode<'_>| p.name() == Some(Property::Rules);
        match () {
            () if puzzle.boards().any(|b| touches(b.span(), selection)) => Place::Board,
            () if touches(puzzle.head(), selection) => Place::Rules,
            () if puzzle.properties().filter(is_rules).any(|p| touches(p.span(), selection)) => Place::Rules,
            () => Place::Elsewhere,
        }
    }
}

/// Answers of the selected queries that have none.
fn add_insertions(
    context: &RequestContext<'_>,
    selection: Span,
    reports: &[PuzzleReport],
    actions: &mut ActionList<'_>,
) {
    let kind = lsp::CodeActionKind::REFACTOR_INLINE;
    let text = context.tree().text();
    let mut has_open_query = false;
    for report in reports.iter().filter(|r| !r.broken) {
        let touched = || report.queries.iter().filter(|q| touches(q.span, selection));
        for edit in touched().filter_map(|query| ide::insert_set_play(text, query, report)) {
            if actions.is_requested(&kind) {
                let title = format!("Insert the set play: `{}`", edit.text.trim());
                actions.add(edit_action(context, &title, kind.clone(), &[edit]));
            }
        }
        let selected: Vec<_> = touched().filter(|q| !q.answered).collect();
        has_open_query |= !selected.is_empty();
        if selected.is_empty() || !actions.is_requested(&kind) {
            continue;
        }
        for edit in selected.iter().filter_map(|query| ide::insert_answer(text, query, report)) {
            let title = format!("Insert the answer: `{}`", edit.text.trim_start_matches(" => ").trim());
            actions.add(edit_action(context, &title, kind.clone(), &[edit]));
        }
        let edits = insertions(text, report);
        if edits.len() > 1 {
            actions.add(edit_action(context, "Insert all answers of this puzzle", kind.clone(), &edits));
        }
        let playable = selected.iter().filter(|q| ide::is_playable(q));
        for query in playable.filter(|_| context.client().show_board) {
            let at = text_position(context, query.span.start);
            let mut argument = serde_json::to_value(&at).unwrap_or_default();
            argument["frame"] = "next".into();
            let command = ClientCommand::ShowBoard.name();
            actions.add(command_action("Show the next move", kind.clone(), command, argument));
        }
    }
    // A command and no edit, because the answers may need slow searches. Who asks for it by name gets it anywhere.
    if actions.is_named(&INSERT_ANSWERS) || has_open_query && actions.is_requested(&INSERT_ANSWERS) {
        let argument = serde_json::to_value(text_position(context, selection.start)).unwrap_or_default();
        let (title, command) = ("Insert all answers in the file", ServerCommand::InsertAllAnswers.name());
        actions.add(command_action(title, INSERT_ANSWERS, command, argument));
    }
}

/// Symmetries of the selected puzzle and sorted coordinates at its board, other rules at its head.
fn add_rewrites(context: &RequestContext<'_>, selection: Span, place: Place, actions: &mut ActionList<'_>) {
    let kind = lsp::CodeActionKind::REFACTOR_REWRITE;
    if !actions.is_requested(&kind) || place == Place::Elsewhere {
        return;
    }
    let (tree, base) = (context.tree(), context.base());
    let mut offer = |title: &str, edits: Vec<Edit>| {
        if !edits.is_empty() {
            actions.add(edit_action(context, title, kind.clone(), &edits));
        }
    };
    if place == Place::Board {
        if let Some((title, edits)) = ide::square_action(tree, base, selection) {
            offer(&title, edits);
        }
        for transform in ide::Transform::ALL.into_iter().take_while(|_| !context.cancelled()) {
            let edits = ide::transform(tree, base, selection.start, transform).unwrap_or_default();
            offer(&ide::transform_title(tree, base, selection.start, transform), edits);
        }
        offer("Sort the coordinates", ide::sort_coordinates(tree, base, selection.start).unwrap_or_default());
        return;
    }
    // Other rules say nothing about a board that cannot be read.
    let bound = bound_at(tree, base, selection.start);
    if bound.is_some_and(|(bound, _)| position_of(&bound).is_some()) {
        for (dialect, edits) in ide::switch_dialect(tree, base, selection.start) {
            offer(&format!("Switch to `rules {}`", dialect.word()), edits);
        }
    }
}

/// The board in other formats. Who asks for conversions by name gets them anywhere in the puzzle.
fn add_conversions(
    context: &RequestContext<'_>,
    selection: Span,
    place: Place,
    actions: &mut ActionList<'_>,
) {
    let is_wanted = actions.is_exactly(&CONVERT_BOARD) || place == Place::Board;
    if !is_wanted || !actions.is_requested(&CONVERT_BOARD) {
        return;
    }
    for target in Target::ALL {
        let Ok(edits) = ide::convert_at(context.tree(), context.base(), selection.start, target) else {
            continue;
        };
        if !edits.is_empty() {
            let title = match target {
                Target::Fen => "Convert the board to FEN".to_string(),
                _ => format!("Convert the board to {}", target.name()),
            };
            actions.add(edit_action(context, &title, CONVERT_BOARD, &edits));
        }
    }
}

fn touches(span: Span, selection: Span) -> bool {
    span.start <= selection.end && selection.start <= span.end
}
