//! A chess problem in the form of a problem magazine: its stipulation in signs, its twins, and the count of its men.

use crate::print::answers::{is_asked_besides, is_in_words, twin_in_words};
use crate::print::words::Words;
use cpz_check::analysis::{Bound, base_problem, intended_solutions, problem_of, twin_in_front};
use cpz_rules::board::{Board, Colour, square_name};
use cpz_rules::games::Stipulation;
use cpz_text::syntax::{Property, Query, Verb};

/// What stands below the diagram of a chess problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The stipulation in signs and in words, and lines for an answer.
    Lesson,
    /// The stipulation in signs alone, as problem magazines print it.
    Magazine,
}

impl Form {
    /// All of them.
    pub const ALL: [Form; 2] = [Form::Lesson, Form::Magazine];

    /// The word on the command line.
    pub fn name(self) -> &'static str {
        ["lesson", "magazine"][self as usize]
    }
}

/// What a magazine prints below the diagram of a problem.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ProblemForm {
    /// `h#2*  2.1.1.1`
    pub stipulation: String,
    /// `(4+7)`: white and black men.
    pub men: String,
    /// The side that begins against the rule, `duplex`, `zeroposition`.
    pub notes: Vec<String>,
    /// `Circe`
    pub conditions: Vec<String>,
    /// `b) wKa6→b6`; many twins are one text.
    pub twins: Vec<String>,
}

impl ProblemForm {
    /// The form of a puzzle; `None` where it is no chess problem and no study.
    pub(crate) fn of(bound: &Bound<'_>, board: &Board, words: &Words, form: Form) -> Option<ProblemForm> {
        let mut stipulations: Vec<String> = Vec::new();
        for query in bound.puzzle.queries() {
            let Some(signs) = in_signs(bound, query, words) else { continue };
            if !stipulations.contains(&signs) {
                stipulations.push(signs);
            }
        }
        if stipulations.is_empty() {
            return None;
        }
        let twins = bound.puzzle.queries().filter(|query| query.verb() == Some(Verb::Twin));
        // One that cannot be read stands as it is written.
        let written = |query: Query<'_>| {
            let text = &query.node().tree().text()[query.asked().range()];
            text.strip_prefix(Verb::Twin.word()).unwrap_or(text).trim().to_string()
        };
        let twins =
            twins.map(|query| twin_in_words(bound, query, words).unwrap_or_else(|| written(query))).collect();
        Some(ProblemForm {
            stipulation: stipulations.join(", "),
            men: men(board),
            notes: notes(bound, words, form),
            conditions: conditions(bound),
            twins: run_on(twins),
        })
    }

    /// The stipulation with the notes behind it, in one line.
    pub(crate) fn line(&self) -> String {
        let parts: Vec<&str> =
            [&self.stipulation].into_iter().chain(&self.notes).map(String::as_str).collect();
        parts.join(", ")
    }
}

/// The most twins that have a line each.
const MAX_TWIN_LINES: usize = 3;

/// Many twins in one text, as magazines print them: a line for each would make the boards of the whole sheet small. A twin
/// itself is not broken.
fn run_on(twins: Vec<String>) -> Vec<String> {
    if twins.len() <= MAX_TWIN_LINES {
        return twins;
    }
    let whole: Vec<String> = twins.iter().map(|twin| twin.replace(' ', "\u{a0}")).collect();
    vec![whole.join("; ")]
}

/// `(4+7)`: how many white and how many black men there are.
fn men(board: &Board) -> String {
    let of = |colour| board.pieces().filter(|(_, piece)| piece.colour == colour).count();
    format!("({}+{})", of(Colour::White), of(Colour::Black))
}

/// What a query asks in the signs of composers, which are the same in all languages: `#2`, `h#2*  2.1.1.1`, `+` for a win.
fn in_signs(bound: &Bound<'_>, query: Query<'_>, words: &Words) -> Option<String> {
    let signs = match query.verb()? {
        Verb::Win => return Some("+".to_string()),
        Verb::Draw => return Some("=".to_string()),
        Verb::Unsolved => {
            let written = &query.node().tree().text()[query.asked().range()];
            return Some(written.split_whitespace().collect::<Vec<_>>().join(" "));
        }
        Verb::Problem(_) => short(problem_of(bound, query)?.1),
        _ => return None,
    };
    let is_own = |other: Query<'_>| {
        twin_in_front(other, bound.puzzle).is_none()
            && base_problem(other, bound.puzzle).is_some_and(|base| base.span() == query.span())
    };
    let set_play = bound.puzzle.queries().any(|other| other.verb() == Some(Verb::SetPlay) && is_own(other));
    let star = if query.star().is_some() || set_play { "*" } else { "" };
    let number = match query.ply_counts().map(|(text, _)| text).or_else(|| bound.puzzle.ply_counts()) {
        Some(counts) => format!("  {counts}"),
        None => match intended_solutions(bound, query) {
            1 => String::new(),
            n => format!("  {}", words.many_solutions.replace("{}", &n.to_string())),
        },
    };
    Some(format!("{signs}{star}{number}"))
}

/// The short form as composers write it, in one word: `hze53`.
fn short(asked: Stipulation) -> String {
    let square = asked.square.map(|square| square_name(square, false)).unwrap_or_default();
    format!("{}{square}{}", asked.kind.short(), asked.length())
}

fn notes(bound: &Bound<'_>, words: &Words, form: Form) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    let has = |property| bound.puzzle.has_property(property);
    // The words of a lesson name the side anyway.
    let is_silent = |query: &Query<'_>| form == Form::Magazine || !is_in_words(*query);
    let asked = bound.puzzle.queries().filter(|query| matches!(query.verb(), Some(Verb::Problem(_))));
    if let Some((position, asked)) =
        asked.filter(is_silent).filter_map(|query| problem_of(bound, query)).next()
        && !has(Property::HalfDuplex)
        && position.turn != asked.first_side()
    {
        notes.push(words.begins[usize::from(position.turn == Colour::Black)].to_string());
    }
    // In a study White begins.
    let is_study = |query: Query<'_>| matches!(query.verb(), Some(Verb::Win | Verb::Draw));
    if bound.turn == Colour::Black
        && bound.puzzle.queries().any(|query| is_study(query) && is_silent(&query))
        && notes.is_empty()
    {
        notes.push(words.begins[1].to_string());
    }
    if is_asked_besides(bound, Verb::Duplex, None) {
        notes.push(words.duplex.to_string());
    }
    if has(Property::HalfDuplex) {
        notes.push(words.half_duplex.to_string());
    }
    if has(Property::ZeroPosition) {
        notes.push(words.zero_position.to_string());
    }
    notes
}

/// The condition that the puzzle is played under.
fn conditions(bound: &Bound<'_>) -> Vec<String> {
    let text = bound.puzzle.node().tree().text();
    let text = bound
        .settings
        .condition
        .and_then(|place| text.get(place.range()))
        .map(|text| text.trim().to_string());
    text.filter(|text| !text.is_empty()).into_iter().collect()
}
