//! The findings about chess problems: no key, cooks and short solutions.

use crate::analysis::binding::insert_property;
use crate::analysis::verbs::answer_writer::sequence_in_names;
use crate::analysis::verbs::evaluator::QueryEvaluator;
use crate::analysis::verbs::move_text::move_number_len;
use crate::analysis::verbs::problem_duals::duals;
use crate::analysis::verbs::solution_texts::solution_texts;
use cpz_rules::board::{Colour, Kind, Piece};
use cpz_rules::games::{
    Answer, Goal, NamedKey, NamedMove, Play, ProblemKind, Prover, Question, Stipulation, Undecided,
    after_move, find_keys, san, solution_tree, tries,
};
use cpz_text::diagnostic::{Code, Edit, Finding, Fix, Span};
use cpz_text::syntax::{Property, Query, Value, Verb, short_form};

/// The most keys or solutions that a message names.
const MAX_NAMED: usize = 6;

/// The nodes that each part of an explanation may take: one move more than asked, and the best try.
pub(super) const ASIDE: u64 = 300_000;

/// A query about a chess problem and its answer.
pub(super) struct ProblemQuery<'t, 'a> {
    pub query: Query<'t>,
    pub stipulation: Stipulation,
    pub answer: &'a Answer,
}

/// Reports what is wrong with a problem whose answer is not written.
pub(super) fn report_unanswered(evaluator: &mut QueryEvaluator<'_, '_>, query: Query<'_>, answer: &Answer) {
    let Some(problem) = ProblemQuery::of(query, answer) else { return };
    if problem.report_undecided(evaluator) {
        return;
    }
    match problem.found() {
        0 => problem.report_unsolvable(evaluator),
        found => problem.report_soundness(evaluator, found, 1, &[]),
    }
    problem.report_helpmate_turn(evaluator);
}

impl<'t, 'a> ProblemQuery<'t, 'a> {
    pub(super) fn of(query: Query<'t>, answer: &'a Answer) -> Option<ProblemQuery<'t, 'a>> {
        match answer {
            &Answer::Keys { stipulation, .. } | &Answer::Sequences { stipulation, .. } => {
                Some(ProblemQuery { query, stipulation, answer })
            }
            _ => None,
        }
    }

    pub(super) fn keys(&self) -> &'a [NamedKey] {
        if let Answer::Keys { keys, .. } = self.answer { keys } else { &[] }
    }

    pub(super) fn solutions(&self) -> &'a [Vec<NamedMove>] {
        if let Answer::Sequences { solutions, .. } = self.answer { solutions } else { &[] }
    }

    /// Whether it is solved by whole sequences of moves.
    pub(super) fn has_sequences(&self) -> bool {
        self.stipulation.play().has_sequences()
    }

    /// The number of keys or solutions.
    pub(super) fn found(&self) -> usize {
        self.keys().len() + self.solutions().len()
    }

    pub(super) fn is_complete(&self) -> bool {
        matches!(self.answer, Answer::Keys { complete: true, .. } | Answer::Sequences { complete: true, .. })
    }

    /// `mate in 2`
    pub(super) fn asked(&self) -> String {
        self.stipulation.in_words()
    }

    /// A key or a solution, each in a few words.
    pub(super) fn names(&self) -> Vec<String> {
        let keys = self.keys().iter().map(|k| format!("1.{}", k.mv.san));
        let solutions = self.solutions().iter().map(|s| sequence_in_names(self.stipulation, s));
        keys.chain(solutions).collect()
    }

    // ---- what is wrong with the problem

    /// Reports that the search ended early; whether it did.
    pub(super) fn report_undecided(&self, evaluator: &mut QueryEvaluator<'_, '_>) -> bool {
        if self.is_complete() {
            return false;
        }
        let (asked, what) = (self.asked(), listed(&self.names()));
        if self.is_cut() {
            self.report_short_sequence(evaluator);
            self.report_cut(evaluator);
            return true;
        }
        let many = if self.found() == 1 { self.one() } else { self.many() };
        let message = format!(
            "`{asked}` is undecided: the search used up its budget after at least {} {many}: {what}",
            self.found()
        );
        evaluator.report(Finding::new(Code::Undecided, self.query.asked(), message));
        true
    }

    /// Whether more solutions were found than are listed.
    fn is_cut(&self) -> bool {
        matches!(self.answer, Answer::Sequences { is_cut: true, .. })
    }

    /// Reports more solutions than are listed: a cook, unless as many are intended.
    fn report_cut(&self, evaluator: &mut QueryEvaluator<'_, '_>) {
        let intended = self.intended(evaluator).map_or(1, |n| n as usize);
        let code = if intended > self.found() { Code::Undecided } else { Code::Cook };
        let message = format!(
            "`{}` has more than {} {}; the others are not listed (`max-solutions`): {}",
            self.asked(),
            self.found(),
            if self.found() == 1 { self.one() } else { self.many() },
            listed(&self.names())
        );
        evaluator.report(Finding::new(code, self.query.asked(), message));
    }

    pub(super) fn one(&self) -> &'static str {
        if self.has_sequences() { "solution" } else { "key" }
    }

    pub(super) fn many(&self) -> &'static str {
        if self.has_sequences() { "solutions" } else { "keys" }
    }

    /// Reports that there is no key or no solution, with the length that works, or with the best try.
    pub(super) fn report_unsolvable(&self, evaluator: &mut QueryEvaluator<'_, '_>) {
        let asked = self.asked();
        let message = match self.has_sequences() {
            true => format!("there is no {asked}"),
            false => format!("no first move forces {asked}"),
        };
        let place = self.query.asked();
        let finding = match self.one_move_more(evaluator) {
            Some((longer, first)) => {
                let message = format!("{message}; {} works: {first}", longer.in_words());
                let finding = Finding::new(Code::Unsolvable, place, message);
                self.with_length(evaluator, finding, longer)
            }
            None => {
                let why = (self.missing_king(evaluator))
                    .or_else(|| self.forced_goal(evaluator))
                    .or_else(|| self.best_try(evaluator).map(|best| format!("; the best try is {best}")));
                Finding::new(Code::Unsolvable, place, message + &why.unwrap_or_default())
            }
        };
        let end = Span::at(place.end);
        let none =
            (!self.query.has_arrow()).then(|| Fix::if_board_is_right("append `=> none`", end, " => none"));
        let mut finding = finding;
        finding.fixes.extend(none);
        evaluator.report(finding);
    }

    /// That there is no king to be mated.
    fn missing_king(&self, evaluator: &QueryEvaluator<'_, '_>) -> Option<String> {
        let position = evaluator.asked_position();
        let victim = match self.stipulation.goal() {
            Goal::Mate | Goal::Check => self.goal_side(position.turn).other(),
            Goal::Stalemate | Goal::Capture | Goal::Arrival => return None,
        };
        let king = Piece::new(victim, Kind::King);
        let has_king = position.board.pieces().any(|(_, piece)| piece == king);
        (!has_king).then(|| format!(": {} has no king", victim.name()))
    }

    /// The move with which the side to move would have to reach the goal of reflex play at once.
    fn forced_goal(&self, evaluator: &mut QueryEvaluator<'_, '_>) -> Option<String> {
        if self.stipulation.play() != Play::Reflex {
            return None;
        }
        let kind = ProblemKind { play: Play::Direct, ..self.stipulation.kind };
        let (position, direct) = (evaluator.asked_position(), Stipulation::new(kind, 2));
        let found =
            evaluator.search_within(ASIDE, |_, _, budget| find_keys(&position, direct, budget)).ok()?;
        let name = san(&position, found.keys.first()?.mv);
        let goal = direct.goal_or_length();
        Some(format!(": {} can give {goal} at once, so it must: 1.{name}", position.turn.name()))
    }

    /// The side that reaches the goal, if `first` begins.
    fn goal_side(&self, first: Colour) -> Colour {
        let is_whole = self.stipulation.plies.is_multiple_of(2);
        let is_first = match self.stipulation.play() {
            Play::Direct | Play::Series => true,
            Play::SelfPlay | Play::Reflex | Play::SemiReflex | Play::SeriesHelp | Play::SeriesSelf => false,
            Play::Help => !is_whole,
            // The last ply that is listed is of the other side.
            Play::HelpSelf => !is_whole,
        };
        if is_first { first } else { first.other() }
    }

    /// The query with another length, in the form in which it is written.
    pub(super) fn written(&self, other: Stipulation) -> String {
        match short_form(self.query.keyword().text()).is_some() {
            true => other.short(),
            false => other.in_words(),
        }
    }

    /// The length of one move more with its first key or solution, if it works.
    fn one_move_more(&self, evaluator: &mut QueryEvaluator<'_, '_>) -> Option<(Stipulation, String)> {
        let plies = self.stipulation.plies + 2;
        let longer = Stipulation { plies, ..self.stipulation };
        if longer.moves() > Stipulation::MAX_MOVES {
            return None;
        }
        let question = Question { stipulation: Some(longer), ..Question::of(self.query.verb()?) };
        let position = evaluator.asked_position();
        let answer =
            evaluator.search_within(ASIDE, |game, _, budget| game.answer(&position, &question, budget));
        let answer = answer.ok()?;
        let found = ProblemQuery { query: self.query, stipulation: longer, answer: &answer };
        let first = found.names().into_iter().next()?;
        Some((longer, first))
    }

    /// `1.Qb6, but 1...Kd5`: a first move with only one refutation.
    fn best_try(&self, evaluator: &mut QueryEvaluator<'_, '_>) -> Option<String> {
        if self.has_sequences() {
            return None;
        }
        let (position, asked) = (evaluator.asked_position(), self.stipulation);
        let found = evaluator.search_within(ASIDE, |_, _, budget| {
            tries(&mut Prover::new(asked, position.turn, budget), &position, asked)
        });
        let best = found.ok()?.tries.into_iter().next()?;
        let after = after_move(&position, best.mv);
        Some(format!("1.{}, but 1...{}", san(&position, best.mv), san(&after, best.refutation)))
    }

    /// A finding with the fix that asks for another length. Nothing where a twin, set play or a duplex is asked the same: their
    /// answers would change with it.
    pub(super) fn with_length(
        &self,
        evaluator: &QueryEvaluator<'_, '_>,
        finding: Finding,
        meant: Stipulation,
    ) -> Finding {
        let is_derived =
            |other: Query<'_>| matches!(other.verb(), Some(Verb::Twin | Verb::SetPlay | Verb::Duplex));
        // A direct problem in one move has no set play.
        let is_star_vain = self.query.star().is_some() && meant.length() == "1";
        match self.query.length() {
            Some((_, span)) if !is_star_vain && !evaluator.bound.puzzle.queries().any(is_derived) => {
                let title = format!("make it `{}` (if the position is right)", self.written(meant));
                finding.fix(Fix::new(title, span, meant.length(), false))
            }
            _ => finding,
        }
    }

    /// Reports a short solution, or more keys or solutions than intended. `written` is the number of those that are
    /// written, `missing` names those that are not.
    pub(super) fn report_soundness(
        &self,
        evaluator: &mut QueryEvaluator<'_, '_>,
        found: usize,
        written: usize,
        missing: &[String],
    ) {
        let is_short = self.report_short_keys(evaluator)
            || self.has_sequences() && self.report_short_sequence(evaluator);
        if self.report_counts(evaluator, missing) {
            return;
        }
        let intended = self.intended(evaluator);
        if intended.is_none() && evaluator.bound.puzzle.has_property(Property::Solutions) {
            // How many are meant cannot be read, which is reported there.
            return;
        }
        let expected = intended.map_or(1, |n| n as usize).max(written);
        if found > expected {
            // Shown where the short solution is not.
            self.report_cook(evaluator, found, expected, missing, !is_short);
        } else if is_short {
            // As many as are intended are not wanted of another length.
        } else if found == expected {
            self.report_duals(evaluator);
        } else if let Some(n) = intended.filter(|&n| (n as usize) > found) {
            let counts = self.query.ply_counts().map(|(text, _)| text);
            let said = match (counts, evaluator.bound.puzzle.ply_counts()) {
                (Some(text), _) => format!("`{text}` is said, so {n} {} are intended", self.many()),
                (None, Some(text)) => {
                    format!("`solutions {text}` is said, so {n} {} are intended", self.many())
                }
                (None, None) => format!("`solutions {n}` is said"),
            };
            let has = if found == 1 { self.one() } else { self.many() };
            let message = format!("{said}, but the problem has {found} {has}: {}", listed(&self.names()));
            evaluator.report(Finding::new(Code::WrongAnswer, self.query.asked(), message));
        }
    }

    /// Reports duals where the severity of `dual` is not `off`: they need the whole tree.
    fn report_duals(&self, evaluator: &mut QueryEvaluator<'_, '_>) {
        if self.has_sequences() || evaluator.options.config.severities.of(Code::Dual).is_none() {
            return;
        }
        let (position, stipulation) = (evaluator.asked_position(), self.stipulation);
        let found = evaluator.search(|_, _, budget| {
            let mut prover = Prover::new(stipulation, position.turn, budget);
            let keys = find_keys(&position, stipulation, budget)?.keys;
            let trees = keys.iter().map(|key| solution_tree(&mut prover, &position, stipulation, key.mv));
            let trees = trees.collect::<Result<Vec<_>, _>>()?;
            let all = trees.iter().flat_map(|tree| duals(&position, tree, stipulation.moves()));
            Ok::<_, Undecided>(all.collect::<Vec<String>>())
        });
        let Ok(found) = found else { return };
        if let [first, rest @ ..] = found.as_slice() {
            let message = match rest.len() {
                0 => format!("a dual: {first}"),
                n => format!("{} duals: {}", n + 1, found.join("; ")),
            };
            evaluator.report(Finding::new(Code::Dual, self.query.asked(), message));
        }
    }

    fn report_cook(
        &self,
        evaluator: &mut QueryEvaluator<'_, '_>,
        found: usize,
        expected: usize,
        missing: &[String],
        has_fixes: bool,
    ) {
        let many = self.many();
        let message = match missing {
            [] => {
                let all = self.names();
                format!("{found} {many}, but {expected} {} intended: {}", is_or_are(expected), listed(&all))
            }
            [other] => format!("cooked: {other} solves too"),
            others => format!("cooked: {} solve too", listed(others)),
        };
        let mut finding = Finding::new(Code::Cook, self.query.asked(), message);
        if !has_fixes {
            return evaluator.report(finding);
        }
        let all = evaluator.text(self.answer).and_then(|text| match self.query.answer() {
            // A tree, a comment, a try and a mark are not taken out.
            Some(answer) if is_plain(self.query) => Some(vec![Edit { span: answer.span(), text }]),
            Some(_) => self.with_missing(missing),
            None => Some(vec![Edit { span: Span::at(self.query.asked().end), text: format!(" => {text}") }]),
        });
        if let Some(edits) = &all {
            let title = format!("write all {found} {many}");
            let fix = Fix::if_board_is_right(title, Span::at(0), "");
            finding.fixes.push(Fix { edits: edits.clone(), ..fix });
        }
        // The number is that of every question of the puzzle, and each answer has to have as many.
        let is_only = evaluator.bound.puzzle.queries().count() == 1 && self.query.ply_counts().is_none();
        let written = self.query.answer().and(all).filter(|_| !missing.is_empty());
        if is_only && (self.query.answer().is_none() || missing.is_empty() || written.is_some()) {
            finding.fixes.push(solutions_fix(evaluator, found, many, written));
        }
        evaluator.report(finding);
    }

    /// Says that white begins a helpmate in which black would, or the reverse.
    pub(super) fn report_helpmate_turn(&self, evaluator: &mut QueryEvaluator<'_, '_>) {
        let usual = self.stipulation.first_side();
        let turn = evaluator.bound.settings.turn;
        // The side that begins a twin, duplex or set play follows from the diagram's.
        let is_diagram = self.query.verb().and_then(Verb::problem).is_some();
        let may_differ = is_diagram && matches!(self.stipulation.play(), Play::Help | Play::SeriesHelp);
        let is_exchanged = evaluator.bound.puzzle.has_property(Property::HalfDuplex);
        if !may_differ || is_exchanged || turn.is_none_or(|turn| turn == usual) {
            return;
        }
        let (other, kind) = (usual.other(), self.stipulation.kind);
        let problem = if kind.goal.has_word() { kind.word().to_string() } else { self.stipulation.short() };
        let reaches = match kind.goal {
            Goal::Mate => format!("{} is mated", self.goal_side(other).other().name()),
            Goal::Stalemate => format!("{} is stalemated", self.goal_side(other).other().name()),
            _ => format!("{} reaches the goal", self.goal_side(other).name()),
        };
        let message = format!(
            "{} begins this {problem}, so that {reaches}; in `{}` {} begins as a rule",
            other.name(),
            self.stipulation.short(),
            usual.name()
        );
        evaluator.report(Finding::new(Code::HelpmateTurn, self.query.asked(), message));
    }
}

/// Whether an answer is keys alone: a tree is never replaced by a key.
pub(super) fn only_keys(answer: &Value<'_>) -> bool {
    let is_key = |text: &str| !text[move_number_len(text)..].contains(char::is_whitespace);
    solution_texts(*answer, false).iter().all(|t| is_key(t.text))
}

/// Whether the answer of a query is keys alone, without comments, tries and marks.
fn is_plain(query: Query<'_>) -> bool {
    query
        .answer()
        .is_some_and(|answer| only_keys(&answer) && !query.node().text().contains(['?', '!', '/', '{', '(']))
}

/// The fix that says how many keys or solutions are intended.
///
/// `written` writes all of them in the place of an answer that leaves some out.
fn solutions_fix(
    evaluator: &QueryEvaluator<'_, '_>,
    found: usize,
    many: &str,
    written: Option<Vec<Edit>>,
) -> Fix {
    let bound = evaluator.bound;
    let own = bound.puzzle.properties().find(|p| p.name() == Some(Property::Solutions));
    let text = format!("solutions {found}");
    let edit = match own {
        Some(property) => Edit { span: property.span(), text: text.clone() },
        None => insert_property(bound.puzzle, &text),
    };
    let more = if written.is_some() { format!(" and write all {found} {many}") } else { String::new() };
    let title = format!("set `{text}`{more} (if they are intended)");
    Fix { title, edits: [edit].into_iter().chain(written.into_iter().flatten()).collect(), safe: false }
}

pub(super) fn is_or_are(n: usize) -> &'static str {
    if n == 1 { "is" } else { "are" }
}

/// Joins names: at most six, and how many more there are.
pub(super) fn listed(names: &[String]) -> String {
    match names.len().saturating_sub(MAX_NAMED) {
        0 => match names {
            [] => String::new(),
            [one] => one.clone(),
            [init @ .., last] => format!("{} and {last}", init.join(", ")),
        },
        more => format!("{} and {more} more", names[..MAX_NAMED].join(", ")),
    }
}
