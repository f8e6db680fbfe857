//! What stands around a board on paper, as texts: for an editor that prints by itself.

use cpz_check::analysis::{Defaults, position_or_reason};
use cpz_text::diagnostic::{Span, plain};
use cpz_text::syntax::Tree;
use serde::Serialize;

use crate::print::answers::is_in_words;
use crate::print::entries::{Entry, entries};
use crate::print::languages::Language;
use crate::print::problem_form::{Form, ProblemForm};
use crate::print::sheet::credits;

/// What is printed of a puzzle besides its name and its board. Any of the texts may be empty; none has control characters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Captions {
    /// The puzzle in the text.
    #[serde(skip)]
    pub span: Span,
    /// Who made it: `Samuel Loyd`.
    pub authors: String,
    /// Where it was published: `New York Illustrated News, 1860`.
    pub source: String,
    /// What it won: `1st prize`.
    pub award: String,
    /// What is asked of a chess problem in signs: `h#2*  2.1.1.1, duplex`.
    pub signs: String,
    /// The white and black men of a chess problem: `(4+7)`.
    pub men: String,
    /// What is asked in words, as it is written.
    pub asked: Vec<String>,
    /// The conditions and twins of a chess problem: `b) wKa6→b6`.
    pub below: Vec<String>,
}

/// The captions of the first puzzles of a text. `base` are the configured defaults.
pub fn captions(tree: &Tree, base: Defaults, max: usize) -> Vec<Captions> {
    entries(tree, base).iter().take(max).map(|entry| of_entry(tree, entry)).collect()
}

fn of_entry(tree: &Tree, entry: &Entry<'_>) -> Captions {
    let credits = credits(entry);
    let own = Captions {
        span: entry.span(),
        authors: plain(&credits.authors).into_owned(),
        source: plain(&credits.source).into_owned(),
        award: plain(&credits.award).into_owned(),
        ..Captions::default()
    };
    let Some(bound) = &entry.bound else { return own };
    let words = Language::English.words();
    let position = position_or_reason(bound).ok();
    let form = position.and_then(|position| ProblemForm::of(bound, &position.board, words, Form::Magazine));
    let written = |span: Span| {
        let words = tree.text()[span.range()].split_whitespace().collect::<Vec<_>>().join(" ");
        plain(&words).into_owned()
    };
    let queries = bound.puzzle.queries().filter(|query| is_in_words(*query));
    // The short form of a problem is its signs.
    let is_short =
        |asked: &String| form.as_ref().is_some_and(|form| form.stipulation.starts_with(asked.as_str()));
    let asked = queries.map(|query| written(query.asked())).filter(|asked| !is_short(asked)).collect();
    let Some(form) = form else { return Captions { asked, ..own } };
    let below = form.conditions.iter().chain(&form.twins).map(|text| plain(text).into_owned()).collect();
    Captions { signs: form.line(), men: form.men, asked, below, ..own }
}
