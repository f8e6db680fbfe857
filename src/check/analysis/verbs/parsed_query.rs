//! A query with its argument read, and what makes two queries the same.

use crate::analysis::binding::Bound;
use crate::analysis::verbs::rules;
use crate::analysis::verbs::verb_rules::VerbRules;
use cpz_rules::board::Colour;
use cpz_rules::games::{Question, Request};
use cpz_text::diagnostic::Finding;
use cpz_text::syntax::{Query, Verb};

/// A query with its argument read.
pub(crate) struct ParsedQuery<'t> {
    /// The query.
    pub query: Query<'t>,
    /// Its verb.
    pub verb: Verb,
    /// What is asked, or what is wrong with the argument.
    pub question: Result<Question, Vec<Finding>>,
}

/// What makes two queries the same: the verb and its argument. An argument that cannot be read is only equal to one
/// with the same text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum QueryKey<'t> {
    /// The query could be read.
    Read(Question),
    /// The argument cannot be read; its text.
    Unread(Verb, Option<&'t str>),
}

impl<'t> ParsedQuery<'t> {
    /// Reads a query; nothing where even the verb is unknown.
    pub fn read(query: Query<'t>, bound: &Bound<'_>) -> Option<ParsedQuery<'t>> {
        let verb = query.verb()?;
        Some(ParsedQuery { query, verb, question: rules(verb).question(query, bound) })
    }

    /// What a query asks; nothing where it cannot be read, and where its game is not asked such queries.
    pub fn question_of(query: Query<'t>, bound: &Bound<'_>) -> Option<Question> {
        let parsed = ParsedQuery::read(query, bound)?;
        parsed.question.ok().filter(|_| bound.game.verbs().contains(&parsed.verb))
    }

    /// The rules of its verb.
    pub fn rules(&self) -> &'static dyn VerbRules {
        rules(self.verb)
    }

    /// What it has in common with queries that ask the same.
    pub fn key(&self) -> QueryKey<'t> {
        match &self.question {
            Ok(question) => {
                let request = question.request.map(Request::without_claims);
                QueryKey::Read(Question { request, ..*question })
            }
            Err(_) => {
                let text = self.query.node().tree().text();
                QueryKey::Unread(self.verb, self.query.argument().map(|a| &text[a.span().range()]))
            }
        }
    }

    /// The side that the query itself names.
    pub fn named_side(&self) -> Option<Colour> {
        let question = self.question.as_ref().ok()?;
        if let Some(stipulation) = question.stipulation {
            return Some(stipulation.first_side());
        }
        let request = question.request?;
        self.rules().names_side(self.query).then_some(request.colour)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::bind_one;
    use cpz_text::syntax::parse;

    fn keys(query: &str) -> Vec<String> {
        let tree = parse(format!("chess {{ board 8/8/8/4k3/8/8/8/4K2R {query} }}"));
        let puzzle = tree.puzzles().next().expect("a puzzle");
        let bound = bind_one(puzzle, Default::default()).expect("chess");
        puzzle
            .queries()
            .filter_map(|q| ParsedQuery::read(q, &bound))
            .map(|q| format!("{:?}", q.key()))
            .collect()
    }

    #[test]
    fn queries_with_different_arguments_have_different_keys() {
        let keys = keys("move Rh2 move Rh3 move Rh9 move Rx9 mate");
        for (i, key) in keys.iter().enumerate() {
            assert!(!keys[..i].contains(key), "{key} twice");
        }
        assert_eq!(keys.len(), 5);
    }

    #[test]
    fn queries_that_ask_the_same_have_one_key() {
        let keys = keys("move Rh2 move \"Rh2\" mate mate => check");
        assert_eq!(keys[0], keys[1]);
        assert_eq!(keys[2], keys[3]);
    }
}
