//! Look-ups in a tree: puzzles with the defaults in force, positions, moves, written answers.

use crate::analysis::binding::{Bound, bind};
use crate::analysis::defaults::{Defaults, PropertyScope};
use crate::analysis::verbs::{self, AnswerPart, DraughtsReplay, LineReplay, ParsedAnswer, ParsedQuery};
use cpz_rules::board::Board;
use cpz_rules::games::{Budget, Line, Position, Request, Step, Stipulation};
use cpz_text::diagnostic::Span;
use cpz_text::syntax::{GameId, Property, PropertyNode, Puzzle, Query, TokenKind, Tree, Verb};

/// The nodes that the replay of a line of draughts may take.
const LINE_NODES: u64 = 1_000_000;

/// Every puzzle of a known game with its properties and its board, and the defaults in force for it: those of the file
/// on top of `base`, the configured ones.
pub fn bind_all(tree: &Tree, base: Defaults) -> Vec<(Bound<'_>, Defaults)> {
    puzzles(tree, base)
        .filter_map(|(puzzle, defaults)| Some((bind_one(puzzle, defaults)?, defaults)))
        .collect()
}

/// Every puzzle with the defaults in force for it: those of the file on top of `base`.
pub fn puzzles(tree: &Tree, base: Defaults) -> impl Iterator<Item = (Puzzle<'_>, Defaults)> {
    let mut defaults = base;
    tree.root().children().filter_map(move |node| {
        if let Some(property) = PropertyNode::cast(node) {
            defaults.set(property, PropertyScope::File);
        }
        Puzzle::cast(node).map(|puzzle| (puzzle, defaults))
    })
}

/// A puzzle with its properties and its board; nothing where its game is unknown.
pub fn bind_one(puzzle: Puzzle<'_>, defaults: Defaults) -> Option<Bound<'_>> {
    bind(puzzle, defaults).bound
}

/// The puzzle around an offset, its end included, with its properties and its board, and the defaults in force for it.
pub fn bound_at(tree: &Tree, base: Defaults, offset: u32) -> Option<(Bound<'_>, Defaults)> {
    let (puzzle, defaults) = puzzle_at(tree, base, offset)?;
    Some((bind_one(puzzle, defaults)?, defaults))
}

/// The puzzle around an offset, its end included, with the defaults in force for it. Where one puzzle begins directly
/// behind another, the offset is in the second one. A puzzle whose brace is not closed goes on to what follows.
pub fn puzzle_at(tree: &Tree, base: Defaults, offset: u32) -> Option<(Puzzle<'_>, Defaults)> {
    let mut defaults = base;
    let mut ends_here = None;
    for node in tree.root().children() {
        let span = node.span();
        if span.start > offset {
            break;
        }
        if span.start < offset {
            ends_here = None;
        }
        if let Some(puzzle) = Puzzle::cast(node) {
            if offset < span.end {
                return Some((puzzle, defaults));
            }
            ends_here = (offset == span.end || is_open(puzzle)).then_some((puzzle, defaults));
        } else if let Some(property) = PropertyNode::cast(node) {
            defaults.set(property, PropertyScope::File);
        }
    }
    ends_here
}

/// Whether the brace of a puzzle is not closed: what is typed behind it belongs to it.
fn is_open(puzzle: Puzzle<'_>) -> bool {
    let opens = puzzle.node().tokens().any(|t| t.kind() == TokenKind::LBrace);
    opens && puzzle.node().last_token().is_none_or(|t| t.kind() != TokenKind::RBrace)
}

/// At most `max` puzzles that touch a range, each with the defaults in force for it.
pub fn puzzles_in(tree: &Tree, base: Defaults, range: Span, max: usize) -> Vec<(Puzzle<'_>, Defaults)> {
    let mut defaults = base;
    let mut found = Vec::new();
    for node in tree.root().children() {
        let span = node.span();
        if span.start > range.end || found.len() == max {
            break;
        }
        if let Some(puzzle) = Puzzle::cast(node) {
            found.extend((span.end >= range.start).then_some((puzzle, defaults)));
        } else if let Some(property) = PropertyNode::cast(node) {
            defaults.set(property, PropertyScope::File);
        }
    }
    found
}

/// The position of a puzzle, if its board can be read.
pub fn position_of(bound: &Bound<'_>) -> Option<Position> {
    bound.position().ok()
}

/// The position of a puzzle.
///
/// # Errors
/// Why its board cannot be read.
pub fn position_or_reason(bound: &Bound<'_>) -> Result<Position, String> {
    bound.position()
}

/// Whether a query is about a move of the side that is not to move, which it names.
pub fn names_other_side(bound: &Bound<'_>) -> bool {
    let named = |q| ParsedQuery::read(q, bound)?.named_side();
    bound.puzzle.queries().filter_map(named).any(|side| side != bound.turn)
}

/// A property of a puzzle, or a default for it, whose value cannot be read: what depends on it is unknown.
pub fn unreadable_property(bound: &Bound<'_>, defaults: Defaults, of: &[Property]) -> Option<Property> {
    let (mut own, mut seen) = (Defaults::default(), Vec::new());
    for property in bound.puzzle.properties() {
        if let Some(name) = property.name().filter(|n| of.contains(n) && !seen.contains(n)) {
            own.set(property, PropertyScope::Puzzle);
            seen.push(name);
        }
    }
    let is_unread = |name: &Property| match seen.contains(name) {
        true => own.unread.has(*name),
        false => defaults.unread.has(*name) && bound.game.takes(*name),
    };
    of.iter().copied().find(is_unread)
}

/// The move of a `move` query, if it can be read.
pub fn request_of(bound: &Bound<'_>, query: Query<'_>) -> Option<Request> {
    // In a game without moves the square may be off the board, which may be smaller than 8×8.
    if !bound.game.verbs().contains(&Verb::Move) {
        return None;
    }
    ParsedQuery::question_of(query, bound)?.request
}

/// What a query asks of a chess problem, and the position that the problem begins with. `None` for other queries, and
/// where there is no position.
pub fn problem_of(bound: &Bound<'_>, query: Query<'_>) -> Option<(Position, Stipulation)> {
    let question = ParsedQuery::question_of(query, bound)?;
    let position = verbs::position_of_question(bound, &position_of(bound)?, &question)?;
    Some((position, question.stipulation?))
}

/// The problem of a puzzle, or the first of several, wherever its set play, its duplex and its twins stand.
pub fn first_problem(bound: &Bound<'_>) -> Option<(Position, Stipulation)> {
    let mut problems = bound.puzzle.queries().filter(|query| matches!(query.verb(), Some(Verb::Problem(_))));
    problems.find_map(|query| problem_of(bound, query))
}

/// The problems of a puzzle that are answered, its twins too, and no set play and duplex, which may stand before them.
pub fn asked_problems<'t>(bound: &Bound<'t>) -> impl Iterator<Item = (Query<'t>, (Position, Stipulation))> {
    let is_other = |query: &Query<'_>| matches!(query.verb(), Some(Verb::SetPlay | Verb::Duplex));
    let queries = bound.puzzle.queries().filter(move |query| !is_other(query));
    queries.filter_map(|query| Some((query, asked_problem_of(bound, query)?)))
}

/// As [`problem_of`]; nothing for a query that is not answered.
pub fn asked_problem_of(bound: &Bound<'_>, query: Query<'_>) -> Option<(Position, Stipulation)> {
    problem_of(bound, query).filter(|_| bound.why_not_asked(query).is_none())
}

/// Whether a query says that there is no solution, as in `solve => none`.
pub fn claims_nothing(bound: &Bound<'_>, query: Query<'_>) -> bool {
    verbs::claims_nothing(bound, query)
}

/// How many keys or solutions a chess problem is meant to have: as many as `solutions` says or are written, 1 at least.
pub fn intended_solutions(bound: &Bound<'_>, query: Query<'_>) -> usize {
    verbs::intended_solutions(bound, query)
}

/// A written solution or draughts path.
pub enum Played {
    /// Its steps with their places, up to the first that cannot be read.
    Steps(Vec<(Step, Span)>),
    /// Its boards with their places.
    Boards(Vec<(Board, Span)>),
}

/// The written solution or draughts path of a query, if any part of it can be read.
pub fn played_of(bound: &Bound<'_>, query: Query<'_>) -> Option<Played> {
    let (verb, value, position) = (query.verb()?, query.answer()?, position_of(bound)?);
    match verbs::read_answer(value, verb, bound, &position.board).ok()? {
        ParsedAnswer::Steps(steps, _) if !steps.is_empty() => Some(Played::Steps(steps)),
        ParsedAnswer::Boards(boards) if !boards.is_empty() => Some(Played::Boards(boards)),
        _ => None,
    }
}

/// The written line of a `line` of chess or chess3d or of a study, replayed.
pub fn line_of(bound: &Bound<'_>, query: Query<'_>) -> Option<LineReplay> {
    if bound.game.format().is_cube() && query.verb() == Some(Verb::Line) {
        let position = position_of(bound)?;
        let read = verbs::read_answer(query.answer()?, Verb::Line, bound, &position.board);
        let Ok(ParsedAnswer::Moves(moves)) = read else { return None };
        return Some(verbs::replay_on_cube(bound.game, &position, &moves));
    }
    if bound.id != GameId::Chess || !matches!(query.verb(), Some(Verb::Line | Verb::Win | Verb::Draw)) {
        return None;
    }
    verbs::replay_of(&position_of(bound)?, query)
}

/// The written `line` of a query of draughts.
///
/// # Errors
/// Why it cannot be read.
pub fn draughts_line_of(bound: &Bound<'_>, query: Query<'_>) -> Result<DraughtsReplay, String> {
    let position = bound.position()?;
    let read = query.answer().map(|value| verbs::read_answer(value, Verb::Line, bound, &position.board));
    let Some(Ok(ParsedAnswer::Moves(moves))) = read else { return Err("the line cannot be read".into()) };
    Ok(verbs::replay_on_draughts(bound.game, &position, &moves, &Budget::new(LINE_NODES, None)))
}

/// The position behind the moves of a text, the part of a line before the cursor; `start` is where the line begins. None where
/// one of the moves fails, and in a game without lines.
pub fn line_position(bound: &Bound<'_>, start: &Position, text: &str) -> Option<Position> {
    let words: Vec<_> = verbs::words_of(text, 0).collect();
    if bound.id == GameId::Chess {
        return verbs::position_behind(start, &words);
    }
    let moves = verbs::numbered(&words);
    let moves: Vec<(String, Span)> = moves.iter().map(|m| (m.word.text.to_string(), m.word.span)).collect();
    match bound.id {
        GameId::Draughts => {
            let budget = Budget::new(LINE_NODES, None);
            let replay = verbs::replay_on_draughts(bound.game, start, &moves, &budget);
            replay.failed.is_none().then(|| replay.end(start).clone())
        }
        GameId::Chess3d => {
            let replay = verbs::replay_on_cube(bound.game, start, &moves);
            let end = replay.moves.last().map_or(start, |last| &last.after);
            replay.failed.is_none().then(|| end.clone())
        }
        GameId::Chess | GameId::Solitaire => None,
    }
}

/// The legal moves of draughts of the side to move, each with its squares; nothing where there are too many captures.
pub fn draughts_moves(bound: &Bound<'_>, position: &Position) -> Vec<Line> {
    verbs::legal_lines(bound.game, position, &Budget::new(LINE_NODES, None)).unwrap_or_default()
}

/// The steps of a written solution or draughts path with their places, up to the first that cannot be read. Nothing
/// for a solution given as boards.
pub fn steps_of(bound: &Bound<'_>, query: Query<'_>) -> Vec<(Step, Span)> {
    match played_of(bound, query) {
        Some(Played::Steps(steps)) => steps,
        _ => Vec::new(),
    }
}

/// The puzzle that an offset refers to, with the defaults in force for it: the one around it, or else the one whose
/// description it is in, or the last one before it, or the first.
pub fn puzzle_near(tree: &Tree, base: Defaults, offset: u32) -> Option<(Puzzle<'_>, Defaults)> {
    let mut before = None;
    for (puzzle, defaults) in puzzles(tree, base) {
        let span = puzzle.span();
        if span.start > offset {
            let described = puzzle.described_from() <= offset;
            return if described { Some((puzzle, defaults)) } else { before.or(Some((puzzle, defaults))) };
        }
        before = Some((puzzle, defaults));
        if offset <= span.end {
            break;
        }
    }
    before
}

/// The squares and boards of a written answer, in order.
pub fn answer_parts(query: Query<'_>) -> Vec<AnswerPart<'_>> {
    let parts = query.verb().zip(query.answer()).map(|(verb, value)| verbs::answer_parts(value, verb));
    parts.unwrap_or_default()
}
