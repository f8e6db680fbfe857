//! Of which query of a puzzle a twin, a duplex or set play is made.

use cpz_text::diagnostic::Span;
use cpz_text::syntax::{Puzzle, Query, Verb};

/// The last query of some verbs before another one, or else the first problem of the puzzle.
fn last_before<'t>(query: Query<'_>, puzzle: Puzzle<'t>, may_be: fn(Verb) -> bool) -> Option<Query<'t>> {
    let is_before = |other: &Query<'_>| other.span().start < query.span().start;
    let before = puzzle.queries().take_while(is_before);
    let is_problem = |other: &Query<'_>| matches!(other.verb(), Some(Verb::Problem(_)));
    let last = before.filter(|other| other.verb().is_some_and(may_be)).last();
    last.or_else(|| puzzle.queries().find(is_problem))
}

/// The problem of which a twin, a duplex or set play is made: the last one before it, or else the first of the puzzle.
pub fn base_problem<'t>(query: Query<'_>, puzzle: Puzzle<'t>) -> Option<Query<'t>> {
    last_before(query, puzzle, |verb| matches!(verb, Verb::Problem(_)))
}

/// The problem, the twin or the duplex whose set play a query asks for: the one that it stands behind.
pub(crate) fn base_of_set_play<'t>(query: Query<'_>, puzzle: Puzzle<'t>) -> Option<Query<'t>> {
    last_before(query, puzzle, |verb| matches!(verb, Verb::Problem(_) | Verb::Twin | Verb::Duplex))
}

/// The twin that a duplex or set play is about, since it stands behind that; none where it is about the diagram, and for other
/// queries.
pub fn twin_in_front<'t>(query: Query<'_>, puzzle: Puzzle<'t>) -> Option<Query<'t>> {
    if !matches!(query.verb(), Some(Verb::Duplex | Verb::SetPlay)) {
        return None;
    }
    let base = last_before(query, puzzle, |verb| matches!(verb, Verb::Problem(_) | Verb::Twin));
    base.filter(|base| base.verb() == Some(Verb::Twin))
}

/// The star that asks for the set play of a problem, of its duplex or of a twin: its own, or that of what it is made of.
pub(crate) fn star_of(query: Query<'_>, puzzle: Puzzle<'_>) -> Option<Span> {
    match query.verb()? {
        Verb::Problem(_) => query.star(),
        Verb::Twin => query.star().or_else(|| base_problem(query, puzzle)?.star()),
        Verb::Duplex => {
            let base = twin_in_front(query, puzzle).or_else(|| base_problem(query, puzzle))?;
            star_of(base, puzzle)
        }
        _ => None,
    }
}

/// Whether a query asks for the set play of another one, behind which it stands.
fn is_set_play_asked(of: Query<'_>, puzzle: Puzzle<'_>) -> bool {
    let asks = |other: Query<'_>| {
        other.verb() == Some(Verb::SetPlay)
            && base_of_set_play(other, puzzle).is_some_and(|base| base.span() == of.span())
    };
    puzzle.queries().any(asks)
}

/// Whether a star asks for the set play of a problem, of its duplex or of a twin, and no query behind it does.
pub fn star_asks_for_set_play(query: Query<'_>, puzzle: Puzzle<'_>) -> bool {
    star_of(query, puzzle).is_some() && !is_set_play_asked(query, puzzle)
}
