//! The solution of a chess question as moves: the written one where it holds, otherwise the verified one.

use crate::export::losses::{CORRECTED, Losses};
use crate::export::movetext::{MoveTree, in_one_line};
use crate::export::query::{ExportQuery, Verdict};
use crate::export::source::ExportPuzzle;
use cpz_check::analysis::{
    PlayParts, ProblemPlay, answer_text as text_of_answer, position_of, problem_of, problem_play,
    sequence_in_names, solution_movetext, written_play,
};
use cpz_rules::games::{Answer, Position, Stipulation};
use cpz_text::syntax::{Element, GameId, Property, Value, Verb};

/// The most keys whose variations are exported.
pub(super) const MAX_KEYS: usize = 8;

/// The longest movetext that is read with its variations, in characters.
const MAX_MOVETEXT: usize = 1000;

/// The question of a puzzle that a format with one question can hold, with the position that it begins with, what is
/// asked and the solution. A line has no stipulation.
pub(super) struct Solved<'q, 'a> {
    pub query: &'q ExportQuery<'a>,
    pub stipulation: Option<Stipulation>,
    pub tree: Option<MoveTree>,
}

/// The first question of a chess puzzle that is a problem, or a line if `lines` says so. All others are counted as lost.
pub(super) fn solved<'q, 'a>(
    puzzle: &'q ExportPuzzle<'a>,
    lines: bool,
    losses: &mut Losses,
) -> Option<Solved<'q, 'a>> {
    let bound = puzzle.bound.as_ref().filter(|b| b.id == GameId::Chess)?;
    // Without its condition a problem asks something else, and that of a zeroposition is not asked.
    let is_other = !puzzle.properties.texts(Property::Condition).is_empty()
        || puzzle.puzzle.has_property(Property::ZeroPosition);
    let is_problem = |q: &&ExportQuery<'a>| matches!(q.query.verb(), Some(Verb::Problem(_)));
    let problem = |q: &&ExportQuery<'a>| !is_other && is_problem(q) && problem_of(bound, q.query).is_some();
    let line =
        |q: &&ExportQuery<'a>| lines && matches!(q.query.verb(), Some(Verb::Line | Verb::Win | Verb::Draw));
    let chosen = puzzle.queries.iter().find(problem).or_else(|| puzzle.queries.iter().find(line));
    for query in &puzzle.queries {
        if chosen.is_none_or(|c| !std::ptr::eq(c, query)) {
            losses.question(query.query.verb());
        }
    }
    let query = chosen?;
    if query.query.star().is_some() || query.query.keyword().text().ends_with('*') {
        losses.other("the star that asks for set play");
    }
    if query.query.ply_counts().is_some() {
        losses.other("the number of continuations");
    }
    let problem = problem_of(bound, query.query);
    let stipulation = problem.as_ref().map(|(_, stipulation)| *stipulation);
    let start = problem.map(|(position, _)| position).or_else(|| position_of(bound))?;
    let tree = solution(puzzle, query, (&start, stipulation), losses);
    if tree.is_some() && query.written.is_some() && query.is_refuted {
        losses.note(CORRECTED);
    }
    Some(Solved { query, stipulation, tree })
}

/// The solution of a question as moves.
fn solution(
    puzzle: &ExportPuzzle<'_>,
    query: &ExportQuery<'_>,
    (start, asked): (&Position, Option<Stipulation>),
    losses: &mut Losses,
) -> Option<MoveTree> {
    let answer = query.query.answer().filter(|_| !query.is_refuted);
    let mut written = answer
        .and_then(|answer| written_tree(answer, query, start))
        .or_else(|| replayed(puzzle, answer.and(Some(query))?, start, asked?));
    if asked.is_some() {
        written.as_mut().map(MoveTree::put_tries_last);
        written = written.filter(|tree| !tree.keys().is_empty());
    }
    let is_whole = |tree: &MoveTree| {
        tree.has_replies() || matches!(query.query.verb(), Some(Verb::Line | Verb::Win | Verb::Draw))
    };
    match written {
        Some(tree) if is_whole(&tree) => Some(tree),
        keys => verified(puzzle, query, start, losses).or(keys),
    }
}

/// The tree of a written answer; nothing where it is not written as movetext.
fn written_tree(answer: Value<'_>, query: &ExportQuery<'_>, start: &Position) -> Option<MoveTree> {
    let Value::Lists(_) = answer else { return MoveTree::read(start, query.written?) };
    let mut tree = MoveTree::new(start.clone());
    for element in answer.elements() {
        let (Element::Word(token) | Element::String(token)) = element else { return None };
        tree.add(token.content().0)?;
    }
    (!tree.keys().is_empty()).then_some(tree)
}

/// The tree of a written solution as Popeye and Olive print it; nothing where a move of it is none on this board, or where
/// moves in a row are asked, which PGN has not.
fn replayed(
    puzzle: &ExportPuzzle<'_>,
    query: &ExportQuery<'_>,
    start: &Position,
    asked: Stipulation,
) -> Option<MoveTree> {
    let play = written_play(puzzle.bound.as_ref()?, query.query, start, asked)?;
    let text =
        query.written.filter(|text| play.complete && !text.contains(';') && !asked.play().is_series())?;
    let mut tree = MoveTree::new(start.clone());
    let comments = text.split('{').skip(1).filter_map(|text| text.split_once('}'));
    comments.for_each(|(comment, _)| tree.comment(comment.trim()));
    tree.add_steps(&play.steps)?;
    Some(tree)
}

/// The tree of the verified answer.
fn verified(
    puzzle: &ExportPuzzle<'_>,
    query: &ExportQuery<'_>,
    start: &Position,
    losses: &mut Losses,
) -> Option<MoveTree> {
    let mut tree = MoveTree::new(start.clone());
    tree.is_worked_out = true;
    match query.answer()? {
        Answer::Keys { keys, complete: true, .. } if !keys.is_empty() => match play(puzzle, query, losses) {
            Some(play) => tree.add(&solution_movetext(&play.position, &play.keys))?,
            None => keys.iter().try_for_each(|key| tree.add(&key.mv.san))?,
        },
        // PGN has no moves in a row.
        Answer::Sequences { stipulation, .. } if stipulation.play().is_series() => return None,
        Answer::Sequences { stipulation, solutions, complete: true, .. } if !solutions.is_empty() => {
            solutions.iter().try_for_each(|moves| tree.add(&sequence_in_names(*stipulation, moves)))?;
        }
        _ => return None,
    }
    Some(tree)
}

/// The whole play of a problem with few keys. One that a short search does not find is counted.
pub(super) fn play(
    puzzle: &ExportPuzzle<'_>,
    query: &ExportQuery<'_>,
    losses: &mut Losses,
) -> Option<ProblemPlay> {
    let bound = puzzle.bound.as_ref()?;
    let play = problem_play(bound, query.query, MAX_KEYS, PlayParts::Keys, &puzzle.options())?;
    if !play.complete && puzzle.source.search.is_short() && !query.needs_search {
        losses.need_search(1);
    }
    (play.complete && !play.keys.is_empty()).then_some(play)
}

/// The written answer of a question where it holds, otherwise the verified one; a line is the author's.
pub(super) fn answer_text(puzzle: &ExportPuzzle<'_>, query: &ExportQuery<'_>) -> Option<String> {
    let report = puzzle.report;
    let verified = || query.answer().and_then(|a| text_of_answer(a, report.origin, report.notation, true));
    match query.verdict {
        Verdict::Verified => query.written.map(String::from),
        _ => verified().or_else(|| query.written.map(String::from)),
    }
}

/// The solution of a chess problem with its variations, as people read it; without them where they are many. Nothing for
/// other questions, and where only the key is known.
pub(super) fn movetext(
    puzzle: &ExportPuzzle<'_>,
    query: &ExportQuery<'_>,
    losses: &mut Losses,
) -> Option<String> {
    let bound = puzzle.bound.as_ref().filter(|b| b.id == GameId::Chess)?;
    if !puzzle.properties.texts(Property::Condition).is_empty() {
        return None;
    }
    let (start, asked) = problem_of(bound, query.query)?;
    let tree = solution(puzzle, query, (&start, Some(asked)), losses).filter(MoveTree::has_replies)?;
    let whole = in_one_line(&tree.words(1));
    match whole.chars().count() <= MAX_MOVETEXT {
        true => Some(whole),
        false => Some(format!("{} …", tree.main_line().join(" "))),
    }
}
