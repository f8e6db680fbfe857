//! `textDocument/codeLens` and `codeLens/resolve`: one line above each puzzle. The first answer has the ranges only, so
//! that the client can reserve the line at once; the titles are resolved when it shows the line, because they may need a
//! search.

use ls_types as lsp;
use serde::{Deserialize, Serialize};

use crate::lsp::features::action_list::text_position;
use crate::lsp::features::context::RequestContext;
use crate::lsp::features::execute_command::insertions;
use crate::lsp::protocol::commands::{ClientCommand, ServerCommand, Target, TextPosition};
use crate::lsp::protocol::document_params::DocumentParams;
use crate::lsp::protocol::request_error::{RequestError, Result};
use cpz_check::analysis::{Defaults, bind_one, puzzle_at, puzzles_in, star_asks_for_set_play};
use cpz_ide as ide;
use cpz_text::diagnostic::{Span, plain};
use cpz_text::syntax::{Property, Puzzle, Query, TokenKind, Verb};

/// The most puzzles with lenses in one document: the request has no range.
const MAX_PUZZLES: usize = 10_000;

/// A lens of the line, in its order.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum LensKind {
    /// Shows the board.
    Board,
    /// The state of a puzzle; a click leads to its first trouble.
    Puzzle,
    /// Inserts the answer of a query.
    Insert,
    /// Inserts the key of a chess problem.
    InsertKey,
    /// Inserts the whole solution of a chess problem.
    InsertSolution,
    /// Inserts the set play that a star asks for.
    InsertSetPlay,
    /// Inserts every missing answer of the puzzle.
    InsertAll,
    /// Shows a hint.
    Hint,
}

/// The data of a lens that is not resolved.
#[derive(Clone, Serialize, Deserialize)]
struct LensData {
    kind: LensKind,
    #[serde(flatten)]
    at: TextPosition,
}

/// A [`lsp::CodeLens`] that is not resolved: there may be 30,000, so its data is no JSON value.
#[derive(Serialize)]
pub(crate) struct Lens {
    range: lsp::Range,
    data: LensData,
}

pub(crate) fn code_lens(context: &RequestContext<'_>, _: &lsp::CodeLensParams) -> Option<Vec<Lens>> {
    Some(lenses(context))
}

/// A lens to be resolved.
pub(crate) struct UnresolvedLens {
    lens: lsp::CodeLens,
    data: LensData,
}

impl UnresolvedLens {
    /// # Errors
    /// The lens is not from this server.
    pub fn of(lens: lsp::CodeLens) -> Result<UnresolvedLens> {
        let data = lens.data.clone().and_then(|d| serde_json::from_value::<LensData>(d).ok());
        match data {
            Some(data) => Ok(UnresolvedLens { lens, data }),
            None => Err(RequestError::invalid_params("`data` of this code lens is not from this server")),
        }
    }
}

impl DocumentParams for UnresolvedLens {
    fn uri(&self) -> &str {
        &self.data.at.uri
    }
}

pub(crate) fn code_lens_resolve(
    context: &RequestContext<'_>,
    unresolved: &UnresolvedLens,
) -> Option<lsp::CodeLens> {
    let UnresolvedLens { lens, data } = unresolved;
    let command = command(&context.for_position(data.at.position), data);
    Some(lsp::CodeLens { command: Some(command), ..lens.clone() })
}

/// All lenses of a document, unresolved.
fn lenses(context: &RequestContext<'_>) -> Vec<Lens> {
    let (mut lenses, mut puzzles) = (Vec::new(), 0);
    for window in context.windows() {
        let all = puzzles_in(window.tree(), window.base(), window.full_span(), MAX_PUZZLES - puzzles);
        puzzles += all.len();
        for (puzzle, settings) in all {
            if window.cancelled() {
                break;
            }
            add_lenses(&window, puzzle, settings, &mut lenses);
        }
        if puzzles >= MAX_PUZZLES {
            break;
        }
    }
    lenses
}

/// Adds the lenses of a puzzle. A word that no brace follows is not a puzzle yet.
fn add_lenses(context: &RequestContext<'_>, puzzle: Puzzle<'_>, settings: Defaults, lenses: &mut Vec<Lens>) {
    if !puzzle.node().tokens().any(|t| t.kind() == TokenKind::LBrace) {
        return;
    }
    let head = puzzle.head();
    // The board first: it keeps its place, and a long state does not push it out of a narrow editor.
    if context.client().show_board {
        lenses.push(unresolved(context, head, LensKind::Board, head.start));
    }
    lenses.push(unresolved(context, head, LensKind::Puzzle, head.start));
    let may_hide = settings.condition.is_some()
        || puzzle.has_property(Property::Condition)
        || puzzle.has_property(Property::ZeroPosition);
    let bound = if may_hide { bind_one(puzzle, settings) } else { None };
    let is_asked = |q: &Query<'_>| bound.as_ref().is_none_or(|bound| bound.why_not_asked(*q).is_none());
    let open: Vec<Query<'_>> = puzzle.queries().filter(|q| !q.has_arrow() && is_asked(q)).collect();
    if open.is_empty() && puzzle.queries().any(|query| star_asks_for_set_play(query, puzzle)) {
        // A report that needs a search counts as if there were set play.
        let report = context.report_if_quick(puzzle, settings);
        if report.is_none_or(|report| !insertions(context.tree().text(), &report).is_empty()) {
            lenses.push(unresolved(context, head, LensKind::InsertSetPlay, head.start));
        }
    }
    if let Some(first) = open.first() {
        // A report that needs a search counts as if every query had an answer.
        let report = context.report_if_quick(puzzle, settings);
        let insertions = report.map(|report| insertions(context.tree().text(), &report));
        let starts = insertions.as_ref().map_or(open.len(), Vec::len);
        // An answer may be there for a twin alone.
        let is_answered = |q: &&Query<'_>| {
            insertions.as_ref().is_none_or(|edits| edits.iter().any(|e| e.span.start == q.asked().end))
        };
        match starts {
            0 => {}
            1 => {
                let kind = match first.verb().and_then(Verb::problem) {
                    Some(kind) if kind.play.has_sequences() => LensKind::InsertSolution,
                    Some(_) => LensKind::InsertKey,
                    None => LensKind::Insert,
                };
                lenses.push(unresolved(context, head, kind, first.asked().start));
            }
            _ => lenses.push(unresolved(context, head, LensKind::InsertAll, head.start)),
        }
        let is_forced =
            |q: &&Query<'_>| q.verb().and_then(Verb::problem).is_some_and(|kind| !kind.play.has_sequences());
        if let Some(query) = open.iter().filter(is_answered).find(is_forced) {
            lenses.push(unresolved(context, head, LensKind::InsertSolution, query.asked().start));
        }
        let has_moves = |q: &Query<'_>| q.verb().is_some_and(is_answered_with_moves);
        if open.iter().filter(is_answered).any(has_moves) {
            lenses.push(unresolved(context, head, LensKind::Hint, head.start));
        }
    }
}

/// Whether a hint can be given for such a query.
fn is_answered_with_moves(verb: Verb) -> bool {
    matches!(verb, Verb::Solve | Verb::Problem(_) | Verb::Capture)
}

fn unresolved(context: &RequestContext<'_>, span: Span, kind: LensKind, offset: u32) -> Lens {
    Lens { range: context.range(span), data: LensData { kind, at: text_position(context, offset) } }
}

/// The title and command of a lens.
fn command(context: &RequestContext<'_>, data: &LensData) -> lsp::Command {
    let arguments = serde_json::to_value(&data.at).ok().map(|a| vec![a]);
    let runs = |title: &str, command: &str| lsp::Command {
        title: title.into(),
        command: command.into(),
        arguments: arguments.clone(),
    };
    match data.kind {
        LensKind::Puzzle => state_command(context, data),
        LensKind::Insert => runs("Insert", ServerCommand::InsertPuzzleAnswers.name()),
        LensKind::InsertKey => runs("Insert key", ServerCommand::InsertPuzzleAnswers.name()),
        LensKind::InsertSolution => runs("Insert solution", ServerCommand::InsertSolution.name()),
        LensKind::InsertSetPlay => runs("Insert set play", ServerCommand::InsertPuzzleAnswers.name()),
        LensKind::InsertAll => runs("Insert all", ServerCommand::InsertPuzzleAnswers.name()),
        LensKind::Hint => runs("Hint", ServerCommand::ShowHint.name()),
        LensKind::Board => runs("Board", ClientCommand::ShowBoard.name()),
    }
}

/// The state of a puzzle. If it has a trouble, the command leads there.
fn state_command(context: &RequestContext<'_>, data: &LensData) -> lsp::Command {
    let status = puzzle_of(context, data).and_then(|(puzzle, settings)| status(context, puzzle, settings));
    let Some(status) = status else {
        return lsp::Command { title: "…".into(), command: String::new(), arguments: None };
    };
    let target = status.trouble.filter(|_| context.client().show_document).and_then(|span| {
        let target = Target { uri: context.snapshot.uri.parse().ok()?, range: context.range(span) };
        serde_json::to_value(target).ok()
    });
    lsp::Command {
        title: plain(&status.text).into_owned(),
        command: target.as_ref().map_or("", |_| ServerCommand::GoTo.name()).into(),
        arguments: target.map(|t| vec![t]),
    }
}

/// The puzzle that a lens belongs to; `None` if its text has changed.
fn puzzle_of<'t>(context: &'t RequestContext<'_>, data: &LensData) -> Option<(Puzzle<'t>, Defaults)> {
    let offset = context.offset(data.at.position);
    let is_current = context.snapshot.version == data.at.version;
    puzzle_at(context.tree(), context.base(), offset).filter(|_| is_current)
}

/// The status of a puzzle; `None` if it is not known yet.
fn status(context: &RequestContext<'_>, puzzle: Puzzle<'_>, settings: Defaults) -> Option<ide::PuzzleStatus> {
    // A slow search for diagnostics ends with a refresh of the lenses, so this request need not wait for it.
    let will_refresh = context.client().refresh_lenses && context.snapshot.is_searched();
    let mut report = match will_refresh {
        true => context.report_if_quick(puzzle, settings)?,
        false => context.report_full(puzzle, settings),
    };
    report.findings.extend(context.others_in(puzzle));
    if let Some(at) = context.edited_at() {
        ide::forgive_unfinished(&mut report, puzzle, at);
    }
    let severities = &context.snapshot.config.severities;
    Some(ide::puzzle_status(&report, severities, context.draft_of(puzzle)))
}
