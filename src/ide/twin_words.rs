//! The words of the changes of a twin, and the squares that they and problems name.

use cpz_check::analysis::read_twin;
use cpz_rules::games::Goal;
use cpz_text::diagnostic::Span;
use cpz_text::syntax::{Query, TokenKind, Verb, short_form};

/// The words of each change of a twin with their places, in the order of the text; none of another query, nor of a twin that
/// cannot be read.
pub(crate) fn words_of_changes<'t>(query: Query<'t>) -> Vec<Vec<(&'t str, Span)>> {
    let Some(Ok(twin)) = (query.verb() == Some(Verb::Twin)).then(|| read_twin(query)) else {
        return Vec::new();
    };
    let mut places: Vec<Span> = twin.changes.iter().map(|(_, span)| *span).collect();
    // The men of one `remove` share their place.
    places.dedup();
    let words_of = |place: Span| {
        let is_in = |span: Span| place.start <= span.start && span.end <= place.end;
        let words = query.argument_tokens().filter(|token| token.kind() == TokenKind::Word);
        words.map(|token| (token.text(), token.span())).filter(|(_, span)| is_in(*span)).collect()
    };
    places.into_iter().map(words_of).collect()
}

/// The part of a word that may be the name of a square: all of it, or the square of the arrival that a short form asks.
pub(crate) fn square_part(word: &str, span: Span) -> (&str, Span) {
    match short_form(word).and_then(|short| short.square) {
        Some(part) => {
            (&word[part.clone()], Span::new(span.start + part.start as u32, span.start + part.end as u32))
        }
        None => (word, span),
    }
}

/// The square of an arrival that a problem asks, with its place.
pub(crate) fn arrival_square<'t>(query: Query<'t>) -> Option<(&'t str, Span)> {
    let is_arrival = query.verb().and_then(Verb::problem).is_some_and(|kind| kind.goal == Goal::Arrival);
    query.goal_square().filter(|_| is_arrival)
}
