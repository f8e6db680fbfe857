//! The commands of composers and collectors: sort the puzzles of a text, show a hint, add a new puzzle.

use std::ops::RangeInclusive;

use serde::Deserialize;

use crate::lsp::features::command_effect::Effect;
use crate::lsp::features::context::RequestContext;
use crate::lsp::protocol::board_ext::{HintParams, HintResult};
use cpz_check::analysis::{bind_one, puzzle_near, puzzles};
use cpz_check::authoring::{
    CubeOptions, DraughtsOptions, Estimate, HINT_GRADES, KindWeights, Plan, SolitaireOptions, SortKey,
    Wanted, first_move, hint_of_grade, rules_of_name, sorted,
};
use cpz_rules::board::Size;
use cpz_rules::games::{Budget, Dialect};
use cpz_text::diagnostic::{Edit, Span, plain};
use cpz_text::syntax::{GameId, Property};

/// What these commands need besides a position in a text.
#[derive(Clone, Default, Deserialize)]
pub(crate) struct AuthoringArguments {
    /// The key of a sort: `difficulty`, `pieces`, `name` or `id`.
    #[serde(default)]
    by: Option<String>,
    /// The grade of a hint, 1 to 3.
    #[serde(default)]
    grade: Option<u8>,
    /// What kind of puzzle is wanted.
    #[serde(default)]
    wanted: WantedPuzzle,
}

/// A new puzzle. What is left out is as in `cpz generate`; what another game has is ignored.
#[derive(Clone, Default, Deserialize)]
#[serde(default)]
struct WantedPuzzle {
    /// `solitaire`, which it is if it is left out, `draughts` or `chess3d`.
    game: Option<String>,
    pieces: Option<u32>,
    kinds: Option<String>,
    /// Solitaire: the board, its rules, and whether it has one solution in any order.
    columns: Option<u8>,
    rows: Option<u8>,
    rules: Option<String>,
    unique: bool,
    /// Draughts: how many pieces the one capture takes.
    captures: Option<u32>,
    /// Chess3d: the side of the cube.
    side: Option<u8>,
    /// The least and the largest estimate.
    difficulty: Option<(f64, f64)>,
    seed: Option<u64>,
}

/// Sorts the puzzles of the text.
pub(crate) fn sort(context: &RequestContext<'_>, arguments: &AuthoringArguments) -> Effect {
    let by = arguments.by.as_deref().unwrap_or(SortKey::Difficulty.word());
    let Some(by) = SortKey::ALL.into_iter().find(|key| key.word() == by) else {
        return Effect::Message("puzzles are sorted by `difficulty`, `pieces`, `name` or `id`".into());
    };
    // Ratings that a small budget cuts would be in another order.
    if by == SortKey::Difficulty && context.may_find_more(true, true) {
        return Effect::Nothing;
    }
    let text = context.tree().text();
    match sorted(context.tree(), by, &context.options()) {
        Err(why) => Effect::Message(why),
        Ok(new) if new == text => Effect::Message(
            "the puzzles are in this order already, and none moves across what stands between them".into(),
        ),
        Ok(new) => Effect::Edit(context.workspace_edit(&[difference(text, &new)]), context.snapshot.version),
    }
}

/// One edit that makes a text another one, without the lines at both ends that are the same.
fn difference(old: &str, new: &str) -> Edit {
    let same = |a: &str, b: &str| a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let line_start = |at: usize| old[..at].rfind('\n').map_or(0, |i| i + 1);
    let mut start = same(old, new);
    while !old.is_char_boundary(start) {
        start -= 1;
    }
    let start = line_start(start);
    let (old_rest, new_rest) = (&old[start..], &new[start..]);
    let tail = old_rest.bytes().rev().zip(new_rest.bytes().rev()).take_while(|(a, b)| a == b).count();
    let mut end = old_rest.len() - tail;
    while !old_rest.is_char_boundary(end) {
        end += 1;
    }
    let end = old_rest[end..].find('\n').map_or(old_rest.len(), |i| end + i + 1);
    let new_end = new_rest.len() - (old_rest.len() - end);
    let span = Span::new(start as u32, (start + end) as u32);
    Edit { span, text: new_rest[..new_end].to_string() }
}

/// Shows the hint of a grade for the puzzle at an offset; without a grade all hints, one after the other.
pub(crate) fn hint(context: &RequestContext<'_>, arguments: &AuthoringArguments, offset: u32) -> Effect {
    let hints = match arguments.grade {
        Some(grade) => hints_at(context, offset, grade..=grade),
        None => hints_at(context, offset, 1..=HINT_GRADES),
    };
    match hints {
        None => Effect::Nothing,
        Some(Err(why)) => Effect::Message(why),
        Some(Ok(hints)) => Effect::Messages(hints),
    }
}

/// The hints of some grades for the puzzle at an offset, or why there are none; `None` if they need a slow search.
fn hints_at(
    context: &RequestContext<'_>,
    offset: u32,
    grades: RangeInclusive<u8>,
) -> Option<Result<Vec<String>, String>> {
    let Some((puzzle, settings)) = puzzle_near(context.tree(), context.base(), offset) else {
        return Some(Err("there is no puzzle here".into()));
    };
    let Some(bound) = bind_one(puzzle, settings) else {
        return Some(Err("no hint: the game is unknown".into()));
    };
    let own: Vec<&str> = puzzle.texts_of(Property::Hint).map(|(text, _)| text).collect();
    let is_own = |grade: u8| usize::from(grade) <= own.len();
    let grades = grades.map(|grade| grade.clamp(1, HINT_GRADES));
    let first = match grades.clone().all(is_own) {
        true => Err(String::new()),
        false if context.may_find_more(true, true) => return None,
        false => first_move(&bound, &context.options()),
    };
    let hints: Vec<Result<String, String>> =
        grades.map(|grade| hint_of_grade(&own, &bound, &first, grade)).collect();
    // The author's own hints are shown even if none can be worked out.
    let why = hints.iter().find_map(|hint| hint.clone().err());
    let found: Vec<String> = hints.into_iter().flatten().collect();
    Some(match (found.is_empty(), why) {
        (true, Some(why)) => Err(format!("no hint: {why}")),
        _ => Ok(found),
    })
}

/// `cpz/hint`: the hint of a grade for the puzzle at a position.
pub(crate) fn hint_request(context: &RequestContext<'_>, params: &HintParams) -> Option<HintResult> {
    let context = context.for_position(params.position);
    let offset = context.offset(params.position);
    let (hint, refused) = match hints_at(&context, offset, params.grade..=params.grade) {
        None => (None, None),
        Some(Ok(hints)) => (hints.into_iter().next(), None),
        Some(Err(why)) => (None, Some(why)),
    };
    let plain = |text: Option<String>| text.map(|text| plain(&text).into_owned());
    Some(HintResult { hint: plain(hint), refused: plain(refused), grades: HINT_GRADES })
}

/// Adds a new puzzle at the end of the text.
pub(crate) fn generate(context: &RequestContext<'_>, arguments: &AuthoringArguments) -> Effect {
    let plan = match plan_of(&arguments.wanted) {
        Ok(plan) => plan,
        Err(why) => return Effect::Message(why),
    };
    if arguments.wanted.difficulty.is_some_and(|(least, most)| least > most) {
        return Effect::Message("the least difficulty comes first: a range such as 3 to 4.5".into());
    }
    if context.may_find_more(true, true) {
        return Effect::Nothing;
    }
    let (tree, text) = (context.tree(), context.tree().text());
    let bound: Vec<_> =
        puzzles(tree, context.base()).map(|(puzzle, settings)| bind_one(puzzle, settings)).collect();
    let known = plan.known(bound.iter().flatten());
    let count = bound.len();
    let tenths = |value: f64| Estimate::from_tenths((value * 10.0).round().clamp(10.0, 100.0) as u8);
    let wanted = Wanted {
        count: 1,
        difficulty: arguments.wanted.difficulty.map(|(least, most)| (tenths(least), tenths(most))),
        seed: arguments.wanted.seed.unwrap_or(count as u64),
    };
    let search = context.options();
    let budget = Budget::new(search.nodes, search.cancel.as_deref());
    let (generated, new) = plan.make(&wanted, known, &budget);
    if generated.puzzles.is_empty() {
        return Effect::Message(
            "no such puzzle was found; ask for another number of pieces or difficulty".into(),
        );
    }
    let gap = match text {
        "" => "",
        _ if text.ends_with("\n\n") => "",
        _ if text.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let at = Span::new(text.len() as u32, text.len() as u32);
    let edit = Edit { span: at, text: format!("{gap}{new}").replace('\n', line_end) };
    Effect::Edit(context.workspace_edit(&[edit]), context.snapshot.version)
}

fn plan_of(wanted: &WantedPuzzle) -> Result<Plan, String> {
    let word = wanted.game.as_deref().unwrap_or(GameId::Solitaire.word());
    let kinds = wanted.kinds.as_deref();
    match GameId::ALL.iter().find(|game| game.word() == word) {
        Some(GameId::Solitaire) => Plan::solitaire(solitaire_options(wanted)?),
        Some(GameId::Draughts) => {
            let kinds = kinds.map_or_else(|| Ok(KindWeights::of_draughts()), KindWeights::parse_draughts)?;
            Plan::captures(DraughtsOptions::new(wanted.pieces, wanted.captures, kinds))
        }
        Some(GameId::Chess3d) => {
            let kinds = kinds.map_or_else(|| Ok(KindWeights::of_cubes()), KindWeights::parse_cubes)?;
            Plan::cubes(CubeOptions::new(wanted.side, wanted.pieces, kinds))
        }
        // Mates are made of positions, which a command has not.
        _ => Err("new puzzles are of `solitaire`, `draughts` or `chess3d`; mates of chess are made by `cpz generate chess`".into()),
    }
}

fn solitaire_options(wanted: &WantedPuzzle) -> Result<SolitaireOptions, String> {
    let size = Size::flat(wanted.columns.unwrap_or(4), wanted.rows.unwrap_or(4));
    if ![size.w, size.h].iter().all(|side| (1..=8).contains(side)) || size.cells() < 2 {
        return Err("a board has 1 to 8 columns and rows".into());
    }
    let dialect = wanted.rules.as_deref().map_or(Ok(Dialect::Default), rules_of_name)?;
    let kinds = wanted.kinds.as_deref().map_or_else(|| Ok(KindWeights::default()), KindWeights::parse)?;
    Ok(SolitaireOptions { pieces: wanted.pieces.unwrap_or(6), size, dialect, kinds, unique: wanted.unique })
}
