//! Problems that are made of another query's: `twin`, `set-play` and `duplex`.

use crate::analysis::binding::Bound;
use crate::analysis::file_report::TwinReport;
use crate::analysis::verbs::chess_problem::{problem, stipulation_behind};
use crate::analysis::verbs::evaluator::QueryEvaluator;
use crate::analysis::verbs::problem_position::problem_position;
use crate::analysis::verbs::set_play::{self, set_play_of};
use crate::analysis::verbs::twin_text::{TwinChange, TwinText, read_twin};
use crate::analysis::verbs::verb_rules::{ExpectedAnswer, VerbRules};
use crate::analysis::verbs::written_answer::{AnswerPart, ParsedAnswer};
use crate::analysis::verbs::written_words::WrittenWord;
use cpz_rules::board::{Board, Colour, Kind, Piece, Square, square_name, write_fen};
use cpz_rules::games::{Answer, Change, CompactPosition, Position, ProblemKind, Question, Stipulation};
use cpz_text::diagnostic::{Code, Finding, Span};
use cpz_text::syntax::{Node, NodeKind, Property, Query, Value, Verb};

/// The verb of a problem that is made of another query's.
pub(super) struct Derived(pub Verb);

/// What is asked of the diagram, or of a twin before it is solved.
#[derive(Clone)]
struct Task {
    position: Position,
    asked: Stipulation,
    /// The side that begins, where the text says one.
    turn: Option<Colour>,
}

impl Task {
    /// The first problem of a puzzle.
    fn of_diagram(bound: &Bound<'_>) -> Option<Task> {
        let mut asked = bound.puzzle.queries().filter(|query| matches!(query.verb(), Some(Verb::Problem(_))));
        let asked = stipulation_behind(asked.next()?).ok()?;
        Some(Task { position: bound.position().ok()?, asked, turn: bound.settings.turn })
    }

    /// The question about the position as the problem begins with it.
    fn question(&self, bound: &Bound<'_>, verb: Verb) -> Question {
        let begin = problem_position(bound, &self.position, self.asked);
        let turn = self.turn.unwrap_or(self.asked.first_side());
        let begin = Position { turn, ..begin };
        Question { stipulation: Some(self.asked), position: Some(compact(&begin)), ..Question::of(verb) }
    }

    /// Makes the changes of a twin.
    fn change(&mut self, twin: &TwinText<'_>) -> Result<(), Finding> {
        for &(change, span) in &twin.changes {
            match change {
                TwinChange::Position(change) => change
                    .apply(&mut self.position.board)
                    .map_err(|why| Finding::new(Code::InvalidValue, span, why))?,
                TwinChange::Turn(turn) => self.turn = Some(turn),
                TwinChange::Stipulation(asked) => {
                    // The other side begins where it began before.
                    let is_usual = self.turn.is_none_or(|turn| turn == self.asked.first_side());
                    self.turn = Some(if is_usual { asked.first_side() } else { asked.first_side().other() });
                    self.asked = asked;
                }
            }
        }
        Ok(())
    }
}

fn compact(position: &Position) -> CompactPosition {
    CompactPosition::new(&position.board, position.turn, position.rights.castling)
}

fn wrong(span: Span, message: impl Into<String>) -> Vec<Finding> {
    vec![Finding::new(Code::InvalidValue, span, message)]
}

/// The twins of a puzzle before a query, as far as they can be read.
fn twins_before<'t>(query: Query<'_>, bound: &Bound<'t>) -> Vec<TwinText<'t>> {
    let before = bound.puzzle.queries().take_while(|other| other.span().start < query.span().start);
    before
        .filter(|other| other.verb() == Some(Verb::Twin))
        .filter_map(|other| read_twin(other).ok())
        .collect()
}

/// The task that a twin changes: that of the diagram, or of the twin before from which it goes on.
///
/// # Errors
/// Why there is none; nothing where that twin cannot be made itself, which is reported there.
fn base_of(twin: &TwinText<'_>, before: &[TwinText<'_>], diagram: &Task) -> Result<Task, Vec<Finding>> {
    let Some((letter, span)) = twin.from else { return Ok(diagram.clone()) };
    match before.iter().position(|other| other.letter.0 == letter) {
        None => Err(wrong(span, format!("there is no twin {letter} before this one"))),
        Some(index) => make_twin(&before[index], &before[..index], diagram).map_err(|_| Vec::new()),
    }
}

/// Whether something before a query cannot be read, so that a twin that seems to be missing may be that.
fn is_torn_before(query: Query<'_>, bound: &Bound<'_>) -> bool {
    let start = query.span().start;
    let before = |node: &Node<'_>| node.span().start < start;
    bound.puzzle.node().children().filter(before).any(|node| node.kind() == NodeKind::Error)
        || (bound.puzzle.queries().filter(|other| other.span().start < start))
            .any(|other| other.verb() == Some(Verb::Twin) && read_twin(other).is_err())
}

/// The task of a twin.
fn make_twin(twin: &TwinText<'_>, before: &[TwinText<'_>], diagram: &Task) -> Result<Task, Vec<Finding>> {
    let mut task = base_of(twin, before, diagram)?;
    task.change(twin).map_err(|finding| vec![finding])?;
    Ok(task)
}

/// The task of a `twin`, which differs from the diagram and from all twins before.
fn twin_task(query: Query<'_>, bound: &Bound<'_>, diagram: &Task) -> Result<Task, Vec<Finding>> {
    let (twin, before) = (read_twin(query)?, twins_before(query, bound));
    let (letter, place) = twin.letter;
    if before.iter().any(|other| other.letter.0 == letter) {
        return Err(wrong(place, format!("there is a twin {letter} already")));
    }
    let task = match make_twin(&twin, &before, diagram) {
        Err(_) if twin.from.is_some() && is_torn_before(query, bound) => return Err(Vec::new()),
        made => made?,
    };
    let asked = |task: &Task| task.question(bound, Verb::Twin);
    let made = asked(&task);
    let place = twin.changes.iter().map(|(_, span)| *span).reduce(Span::cover).unwrap_or(query.asked());
    if !bound.has_flag(Property::ZeroPosition) && made == asked(diagram) {
        return Err(wrong(place, "this twin is the same as the diagram"));
    }
    let is_same = |index: &usize| {
        make_twin(&before[*index], &before[..*index], diagram).is_ok_and(|other| asked(&other) == made)
    };
    match (0..before.len()).find(is_same) {
        Some(index) => Err(wrong(place, format!("this twin is the same as twin {}", before[index].letter.0))),
        None => Ok(task),
    }
}

impl Derived {
    fn task(&self, query: Query<'_>, bound: &Bound<'_>) -> Result<Task, Vec<Finding>> {
        let Some(mut diagram) = Task::of_diagram(bound) else {
            let has_problem =
                bound.puzzle.queries().any(|other| matches!(other.verb(), Some(Verb::Problem(_))));
            if has_problem {
                return Err(Vec::new());
            }
            let message = format!(
                "`{}` needs a problem of which it is made, as in `helpmate in 2`, before it",
                self.0.word()
            );
            return Err(wrong(query.keyword().span(), message));
        };
        let turn = diagram.turn.unwrap_or(diagram.asked.first_side());
        match self.0 {
            Verb::Twin => return twin_task(query, bound, &diagram),
            Verb::Duplex => diagram.turn = Some(turn.other()),
            _ => {
                let (asked, turn) = set_play_of(diagram.asked, turn)
                    .map_err(|message| wrong(query.keyword().span(), message))?;
                (diagram.asked, diagram.turn) = (asked, Some(turn));
            }
        }
        Ok(diagram)
    }
}

/// The rules for reading answers, which are those of any problem.
fn any() -> &'static dyn VerbRules {
    problem(ProblemKind::MATE)
}

impl VerbRules for Derived {
    fn verb(&self) -> Verb {
        self.0
    }

    fn question(&self, query: Query<'_>, bound: &Bound<'_>) -> Result<Question, Vec<Finding>> {
        Ok(self.task(query, bound)?.question(bound, self.0))
    }

    fn missing_argument(&self) -> &'static str {
        "the problem that it is made of cannot be read"
    }

    fn may_castle(&self, _: &Question) -> bool {
        true
    }

    fn argument_names_squares(&self) -> bool {
        self.0 == Verb::Twin
    }

    fn expected(&self) -> ExpectedAnswer {
        let description = "a key, as in `Qb6`, a solution in quotes, a list of them, or `none`";
        ExpectedAnswer { description, words: &["none"] }
    }

    fn read(&self, value: Value<'_>, bound: &Bound<'_>, board: &Board) -> Result<ParsedAnswer, Vec<Finding>> {
        any().read(value, bound, board)
    }

    fn may_be_moves(&self, words: &[WrittenWord<'_>]) -> bool {
        !words.is_empty()
    }

    fn word_parts<'t>(&self, words: &[WrittenWord<'t>]) -> Vec<AnswerPart<'t>> {
        any().word_parts(words)
    }

    fn read_word(&self, word: &str) -> Option<ParsedAnswer> {
        any().read_word(word)
    }

    fn report_unanswered(&self, evaluator: &mut QueryEvaluator<'_, '_>, query: Query<'_>, answer: &Answer) {
        named(evaluator, query, |evaluator| match (self.0, answer) {
            (Verb::SetPlay, answer) if has_no_set_play(answer) => set_play::report_none(evaluator, query),
            (_, answer) => any().report_unanswered(evaluator, query, answer),
        });
    }

    fn compare(
        &self,
        evaluator: &mut QueryEvaluator<'_, '_>,
        query: Query<'_>,
        span: Span,
        answer: &Answer,
        written: &ParsedAnswer,
    ) {
        named(evaluator, query, |evaluator| match answer {
            Answer::SetPlay { .. } => set_play::compare(evaluator, query, span, answer, written),
            _ => any().compare(evaluator, query, span, answer, written),
        });
    }
}

/// Whether it is proved that there is no set play.
fn has_no_set_play(answer: &Answer) -> bool {
    match answer {
        Answer::SetPlay { variations, .. } => variations.is_empty(),
        Answer::Sequences { solutions, complete, .. } => solutions.is_empty() && *complete,
        _ => false,
    }
}

/// A twin as magazines print it: `b) wKa6→b6`, `c) = b) −bPd4 +wSc3`. Nothing for other queries, and where it cannot be made.
pub fn twin_in_signs(query: Query<'_>, bound: &Bound<'_>) -> Option<String> {
    let twin = read_twin(query).ok().filter(|_| query.verb() == Some(Verb::Twin))?;
    let diagram = Task::of_diagram(bound)?;
    let mut words = vec![format!("{})", twin.letter.0)];
    words.extend(twin.from.map(|(letter, _)| format!("= {letter})")));
    let mut task = base_of(&twin, &twins_before(query, bound), &diagram).ok()?;
    for (change, _) in &twin.changes {
        words.push(signs(*change, &task.position.board));
        if let TwinChange::Position(change) = change {
            change.apply(&mut task.position.board).ok()?;
        }
    }
    Some(words.join(" "))
}

/// A change of a board in the signs of composers, S for a knight.
fn signs(change: TwinChange, board: &Board) -> String {
    let letter = |kind: Kind| if kind == Kind::Knight { 'S' } else { kind.letter() };
    let name = |square: Square| square_name(square, false);
    let man = |piece: Piece| {
        let colour = if piece.colour == Colour::White { 'w' } else { 'b' };
        format!("{colour}{}", letter(piece.kind))
    };
    let on = |square: Square| board.at(square).map_or(String::new(), man);
    let change = match change {
        TwinChange::Position(change) => change,
        TwinChange::Turn(turn) => return format!("{} begins", turn.name()),
        TwinChange::Stipulation(asked) => return asked.short(),
    };
    match change {
        Change::Move(from, to) => format!("{}{}→{}", on(from), name(from), name(to)),
        Change::Remove(square) => format!("−{}{}", on(square), name(square)),
        Change::Add(piece, square) => format!("+{}{}", man(piece), name(square)),
        Change::Exchange(a, b) => format!("{}{}↔{}{}", on(a), name(a), on(b), name(b)),
        Change::Instead(kind, to, from) => {
            let piece = board.at(from).map(|piece| Piece::new(piece.colour, kind));
            format!("−{}{} +{}{}", on(from), name(from), piece.map_or(String::new(), man), name(to))
        }
        Change::Shift(from, to) => format!("{}→{} (all)", name(from), name(to)),
        Change::Rotate(angle) => format!("{angle}°"),
        Change::Mirror(from, to) => format!("{}↔{} (mirror)", name(from), name(to)),
        Change::SwapColours => "w↔b".to_string(),
        Change::Substitute(from, to) => format!("{}→{}", letter(from), letter(to)),
    }
}

/// The letter, the changes and the position of a twin; nothing for other queries.
pub(super) fn twin_report(
    query: Query<'_>,
    bound: &Bound<'_>,
    diagram: &Position,
    question: &Question,
) -> Option<TwinReport> {
    let position = diagram.changed(question.position.as_ref().filter(|_| question.verb == Verb::Twin)?);
    let twin = read_twin(query).ok()?;
    let text = query.node().tree().text();
    let from = twin.from.map(|(letter, _)| format!("from {letter}"));
    // Several squares behind `remove` are one change of the text.
    let mut spans: Vec<Span> = twin.changes.iter().map(|(_, span)| *span).collect();
    spans.dedup();
    let changes =
        spans.iter().map(|span| text[span.range()].split_whitespace().collect::<Vec<_>>().join(" "));
    Some(TwinReport {
        letter: twin.letter.0.to_string(),
        changes: from.into_iter().chain(changes).collect(),
        fen: write_fen(&position.board, bound.game.format(), position.turn, position.rights),
    })
}

/// Reports something about a twin, duplex or set play, whose name stands before each message.
fn named(
    evaluator: &mut QueryEvaluator<'_, '_>,
    query: Query<'_>,
    report: impl FnOnce(&mut QueryEvaluator<'_, '_>),
) {
    let before = evaluator.findings.len();
    report(evaluator);
    let name = match query.verb() {
        Some(Verb::Twin) => read_twin(query).map_or(String::new(), |twin| format!("twin {}", twin.letter.0)),
        Some(verb) => verb.word().replace('-', " "),
        None => return,
    };
    for finding in &mut evaluator.findings[before..] {
        finding.message = format!("{name}: {}", finding.message);
    }
}
