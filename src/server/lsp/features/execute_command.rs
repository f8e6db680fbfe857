//! `workspace/executeCommand`: inserting answers, editing boards, repairs.

use ls_types as lsp;

use crate::lsp::features::authoring::{self, AuthoringArguments};
use crate::lsp::features::board_edit;
use crate::lsp::features::command_effect::Effect;
use crate::lsp::features::context::RequestContext;
use crate::lsp::features::explain::{self, ExplainParams};
use crate::lsp::features::repair_actions::repair_choices;
use crate::lsp::protocol::board_ext::Gesture;
use crate::lsp::protocol::commands::{ServerCommand, Target, TextPosition};
use crate::lsp::protocol::document_params::DocumentParams;
use crate::lsp::protocol::repair::escape;
use crate::lsp::protocol::request_error::{RequestError, Result};
use cpz_check::analysis::{Defaults, PuzzleReport, STOPPED, bind_one, puzzle_at, puzzles_in};
use cpz_check::repair::Aim;
use cpz_ide as ide;
use cpz_text::diagnostic::Edit;
use cpz_text::syntax::{Puzzle, Query, Verb};

/// The most edits of a text in one message. VS Code makes one edit of 1,000 or more, and moves the cursor to its end.
const MAX_EDITS: usize = 900;

/// The message for a text that has changed since a command was offered.
pub(crate) const TEXT_CHANGED: &str = "the text has changed since; please try again";

/// The button that asks for the next hint.
pub(crate) const NEXT_HINT: &str = "Next hint";

/// A command with its arguments.
pub(crate) struct CommandCall {
    command: ServerCommand,
    at: TextPosition,
    gesture: Option<Gesture>,
    arguments: AuthoringArguments,
}

/// What a client asks for with `workspace/executeCommand`.
pub(crate) enum Requested {
    /// A command about a place in a text.
    Call(CommandCall),
    /// To show a place.
    GoTo(Target),
    /// To show a message that needs no text: what a code means.
    Message(String),
}

impl Requested {
    /// # Errors
    /// There is no such command, or its argument is another one.
    pub fn of(params: lsp::ExecuteCommandParams) -> Result<Requested> {
        let Some(command) = ServerCommand::from_name(&params.command) else {
            let message = format!("there is no command `{}`", params.command);
            return Err(RequestError::invalid_params(message));
        };
        let argument = params.arguments.into_iter().next();
        if command == ServerCommand::GoTo {
            let target = argument.and_then(|a| serde_json::from_value::<Target>(a).ok());
            let missing = || RequestError::invalid_params("the argument of this command is `{uri, range}`");
            return target.map(Requested::GoTo).ok_or_else(missing);
        }
        let argument = argument.unwrap_or_default();
        if command == ServerCommand::Explain {
            let missing = |_| RequestError::invalid_params("the argument of this command is `{code}`");
            let params = serde_json::from_value::<ExplainParams>(argument).map_err(missing)?;
            return explain::message(&params).map(Requested::Message);
        }
        let gesture = argument.get("gesture").and_then(|g| serde_json::from_value::<Gesture>(g.clone()).ok());
        // What is wanted otherwise than it can be had is not forgotten.
        let arguments = match argument.is_object() {
            true => serde_json::from_value::<AuthoringArguments>(argument.clone()).map_err(|error| {
                RequestError::invalid_params(format!("the argument of this command: {error}"))
            })?,
            false => AuthoringArguments::default(),
        };
        let at = serde_json::from_value::<TextPosition>(argument).ok();
        let Some(mut at) = at.filter(|_| gesture.is_some() || command != ServerCommand::EditBoard) else {
            return Err(RequestError::invalid_params(match command {
                ServerCommand::EditBoard => {
                    "the argument of this command is `{uri, position, version, gesture}`"
                }
                _ => "the argument of this command is `{uri, position, version}`",
            }));
        };
        at.uri = escape(&at.uri);
        Ok(Requested::Call(CommandCall { command, at, gesture, arguments }))
    }
}

impl DocumentParams for CommandCall {
    fn uri(&self) -> &str {
        &self.at.uri
    }
}

impl CommandCall {
    /// What it is called while it searches.
    #[cfg(feature = "native")]
    pub(crate) fn title(&self) -> &'static str {
        match self.command.aim() {
            Some(Aim::Sound) => "Looking for repairs",
            Some(_) => "Looking for changes",
            None => SOLVING,
        }
    }
}

/// What a request is called while it solves puzzles.
#[cfg(feature = "native")]
pub(crate) const SOLVING: &str = "Solving";

/// What a command does. Changes nothing: the caller sends the effect to the client.
pub(crate) fn execute(context: &RequestContext<'_>, call: &CommandCall) -> Effect {
    let CommandCall { command, at, gesture, arguments } = call;
    let command = *command;
    if at.version.is_some() && at.version != context.snapshot.version {
        return Effect::Message(TEXT_CHANGED.into());
    }
    if let Some(aim) = command.aim() {
        return repair(&context.for_position(at.position), aim, at.position);
    }
    match command {
        ServerCommand::InsertAllAnswers => insert_all(context, at.position),
        ServerCommand::EditBoard => match gesture {
            Some(gesture) => edit_board(&context.for_position(at.position), at.position, gesture),
            None => Effect::Nothing,
        },
        ServerCommand::SortPuzzles => authoring::sort(context, arguments),
        ServerCommand::GeneratePuzzle => authoring::generate(context, arguments),
        ServerCommand::ShowHint => {
            let context = context.for_position(at.position);
            authoring::hint(&context, arguments, context.offset(at.position))
        }
        _ => insert_at(&context.for_position(at.position), command, at.position),
    }
}

fn edit_board(context: &RequestContext<'_>, position: lsp::Position, gesture: &Gesture) -> Effect {
    match board_edit::outcome(context, context.offset(position), gesture) {
        Err(why) => Effect::Message(why),
        Ok(outcome) if !outcome.choices.is_empty() => {
            let ids: Vec<&str> = outcome.choices.iter().map(|c| &c.id[..]).collect();
            let why = outcome.refused.map_or(String::new(), |why| format!("{why}; "));
            Effect::Message(format!("{why}name one of these as `choice`: {}", ids.join(", ")))
        }
        Ok(outcome) if outcome.edits.is_empty() => Effect::Message("the board is so already".into()),
        Ok(outcome) => Effect::Edit(context.workspace_edit(&outcome.edits), context.snapshot.version),
    }
}

/// Looks for repairs of the puzzle at a position.
fn repair(context: &RequestContext<'_>, aim: Aim, position: lsp::Position) -> Effect {
    let (tree, offset) = (context.tree(), context.offset(position));
    let Some((puzzle, settings)) = puzzle_at(tree, context.base(), offset) else {
        return Effect::Message("there is no puzzle here".into());
    };
    match repair_choices(context, puzzle, settings, aim) {
        None => Effect::Nothing,
        Some(Err(message)) => Effect::Message(message),
        Some(Ok((message, choices))) => Effect::Choice(message, choices, context.snapshot.version),
    }
}

fn insert_all(context: &RequestContext<'_>, cursor: lsp::Position) -> Effect {
    let text = context.tree().text();
    let mut edits = Vec::new();
    for (puzzle, settings) in puzzles_in(context.tree(), context.base(), context.full_span(), usize::MAX) {
        if context.cancelled() || context.needs_slow_pass() {
            return Effect::Nothing;
        }
        edits.extend(insertions(text, &context.report_full(puzzle, settings)));
    }
    match insert(context, &edits, "there is nothing to insert in this file") {
        Effect::Edit(_, version) => {
            let edits = ide::merge_edits(text, edits, context.offset(cursor), MAX_EDITS);
            Effect::Edit(context.workspace_edit(&edits), version)
        }
        effect => effect,
    }
}

/// Inserts the answer of the query at a position, or of the first query of the puzzle there, or all answers of the
/// puzzle.
fn insert_at(context: &RequestContext<'_>, command: ServerCommand, position: lsp::Position) -> Effect {
    let (tree, offset) = (context.tree(), context.offset(position));
    let Some((puzzle, settings)) = puzzle_at(tree, context.base(), offset) else {
        return Effect::Message("there is no puzzle here".into());
    };
    let report = context.report_full(puzzle, settings);
    if command == ServerCommand::InsertPuzzleAnswers {
        return insert(
            context,
            &insertions(tree.text(), &report),
            "there is nothing to insert in this puzzle",
        );
    }
    if command == ServerCommand::InsertSolution {
        return insert_solution(context, &report, puzzle, settings, offset);
    }
    let query = ide::query_at(&report, offset).or(report.queries.first());
    let Some(query) = query else { return Effect::Message("this puzzle has no query".into()) };
    let edit = ide::insert_answer(tree.text(), query, &report).filter(|_| !report.broken);
    insert(context, edit.as_slice(), "there is no answer to insert here")
}

/// Inserts the whole solution of the chess problem at an offset.
fn insert_solution(
    context: &RequestContext<'_>,
    report: &PuzzleReport,
    puzzle: Puzzle<'_>,
    settings: Defaults,
    offset: u32,
) -> Effect {
    if context.needs_slow_pass() {
        return Effect::Nothing;
    }
    let at_offset = |q: &Query<'_>| q.span().start <= offset && offset <= q.span().end;
    let bound = bind_one(puzzle, settings);
    let found = bound.as_ref().zip(puzzle.queries().find(at_offset));
    let edit = found.filter(|_| !report.broken).and_then(|(bound, query)| {
        let known = ide::query_at(report, query.span().start)?;
        if ide::removes_finding(known, report) {
            return None;
        }
        if query.verb().and_then(Verb::problem).is_some_and(|kind| kind.play.has_sequences()) {
            return ide::insert_answer(context.tree().text(), known, report);
        }
        ide::insert_solution(context.tree().text(), bound, query, known, &context.options())
    });
    insert(context, edit.as_slice(), "there is no solution to insert here")
}

/// The edits if they change only the answers, or else a message.
fn insert(context: &RequestContext<'_>, edits: &[Edit], if_empty: &str) -> Effect {
    let text = context.tree().text();
    if edits.is_empty() {
        return Effect::Message(if context.is_stopped() { STOPPED } else { if_empty }.into());
    }
    if !ide::is_plain_text(text) {
        return Effect::Message("nothing inserted: this text contains NUL characters".into());
    }
    if !ide::keeps_all_else(text, edits, &ide::apply(text, edits)) {
        return Effect::Message("nothing inserted: the answer would merge with the text next to it".into());
    }
    Effect::Edit(context.workspace_edit(edits), context.snapshot.version)
}

/// The answers that `cpz solve --write` would insert into a puzzle. Answers such as `none`, which turn a finding
/// off, are left out.
pub(crate) fn insertions(text: &str, report: &PuzzleReport) -> Vec<Edit> {
    if report.broken { Vec::new() } else { ide::insert_puzzle_answers(text, report, false) }
}
