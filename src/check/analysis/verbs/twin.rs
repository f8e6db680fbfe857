//! Problems that are made of another query's: `twin`, `set-play` and `duplex`.

use crate::analysis::base_query::{base_of_set_play, base_problem, twin_in_front};
use crate::analysis::binding::{Bound, insert_property};
use crate::analysis::file_report::TwinReport;
use crate::analysis::verbs::chess_problem::{problem, question_about, stipulation_behind};
use crate::analysis::verbs::evaluator::QueryEvaluator;
use crate::analysis::verbs::problem_position::{position_of_question, problem_position};
use crate::analysis::verbs::set_play::{self, set_play_of};
use crate::analysis::verbs::twin_state::{
    TwinState, base_of, letter_of_twin, make_twin, twins_before, unsolved_change,
};
use crate::analysis::verbs::twin_text::{TwinChange, TwinText, read_twin};
use crate::analysis::verbs::verb_rules::{ExpectedAnswer, VerbRules};
use crate::analysis::verbs::written_answer::{AnswerPart, ParsedAnswer};
use crate::analysis::verbs::written_words::WrittenWord;
use cpz_rules::board::{Board, Colour, Kind, Piece, Square, square_name, write_fen};
use cpz_rules::games::{
    Answer, Change, CompactPosition, Position, PositionIssue, ProblemKind, Question, Stipulation,
};
use cpz_text::diagnostic::{Code, Edit, Finding, Fix, Span};
use cpz_text::syntax::{NodeKind, Property, Puzzle, Query, Value, Verb};

/// The verb of a problem that is made of another query's.
pub(super) struct Derived(pub Verb);

/// The position of a task. En passant stays on the first move where the same side begins and the men that it is about stand.
fn compact(position: &Position, task: &TwinState) -> CompactPosition {
    let takes = |passed: &Square| (passed.y == 5) == (position.turn == Colour::White);
    let en_passant = position.rights.en_passant.filter(takes).filter(|_| !task.has_moved_all);
    let mut compact = CompactPosition::new(&position.board, position.turn, position.rights.castling);
    compact.en_passant = en_passant;
    compact
}

fn wrong(span: Span, message: impl Into<String>) -> Vec<Finding> {
    vec![Finding::new(Code::InvalidValue, span, message)]
}

/// The question about the position of a task as the problem begins with it.
fn question_of(task: &TwinState, asked: Stipulation, bound: &Bound<'_>, verb: Verb) -> Option<Question> {
    let position = Position { board: task.board.clone(), ..bound.position().ok()? };
    let begin = Position { turn: task.turn(), ..problem_position(bound, &position, asked) };
    Some(Question { stipulation: Some(asked), position: Some(compact(&begin, task)), ..Question::of(verb) })
}

/// The question that a problem, a twin, a duplex or set play would ask of another diagram, and the position that it begins with;
/// none where it cannot be made, and for other queries.
pub(crate) fn asked_on(
    query: Query<'_>,
    bound: &Bound<'_>,
    diagram: &Position,
) -> Option<(Position, Question)> {
    let question = match query.verb()? {
        Verb::Problem(_) => question_about(bound, Some(diagram), stipulation_behind(query).ok()?),
        verb @ (Verb::Twin | Verb::Duplex | Verb::SetPlay) => {
            let state = TwinState::of_diagram(query, bound, diagram.board.clone());
            let (task, asked) = Derived(verb).made(query, bound, state).ok()?;
            question_of(&task, asked, bound, verb)?
        }
        _ => return None,
    };
    Some((position_of_question(bound, diagram, &question)?, question))
}

/// The diagram, if it can be read, and what is asked of it by the problem of which a query is made, if that can be.
fn diagram_of(query: Query<'_>, bound: &Bound<'_>) -> Option<TwinState> {
    Some(TwinState::of_diagram(query, bound, bound.position().ok()?.board))
}

/// The finding for the twins of a puzzle whose letters begin with another one than they should: the diagram is a) unless
/// `zeroposition` says that it is not asked. Of several letters it is one slip.
pub(crate) fn wrong_letters(puzzle: Puzzle<'_>) -> Option<Finding> {
    let twins = || puzzle.queries().filter(|query| query.verb() == Some(Verb::Twin));
    let read: Vec<TwinText<'_>> = twins().filter_map(|query| read_twin(query).ok()).collect();
    let first = read.first().filter(|_| read.len() == twins().count())?;
    let is_asked = !puzzle.has_property(Property::ZeroPosition);
    let is_free = |letter: &str| read.iter().all(|twin| twin.letter.0 != letter);
    let (message, by) = match first.letter.0 {
        "a" if is_asked => {
            ("the diagram is a), so twins begin with b; with `zeroposition` it is not asked", 1)
        }
        "b" if !is_asked && is_free("a") => {
            ("with `zeroposition` the diagram is not asked, so twins begin with a", -1)
        }
        _ => return None,
    };
    let mut finding = Finding::new(Code::InvalidValue, first.letter.1, message);
    let letters = read.iter().flat_map(|twin| [Some(twin.letter), twin.from]).flatten();
    let next = |letter: &str| match letter.as_bytes() {
        &[letter @ b'a'..=b'y'] => Some(char::from(letter.wrapping_add_signed(by)).to_string()),
        _ => None,
    };
    let edits: Option<Vec<Edit>> =
        letters.map(|(letter, span)| Some(Edit { span, text: next(letter)? })).collect();
    finding.fixes.extend(edits.map(|edits| {
        let first = &edits[0].text;
        let what = match read.len() {
            1 => format!("replace with `{first}`"),
            _ => format!("name the twins from `{first}` on"),
        };
        let asked = if is_asked { "asked" } else { "not asked" };
        Fix { title: format!("{what} (if the diagram is {asked})"), edits, safe: false }
    }));
    if is_asked {
        let title = "add `zeroposition` (if the diagram is not asked)".to_string();
        finding.fixes.push(Fix { title, edits: vec![insert_property(puzzle, "zeroposition")], safe: false });
    }
    Some(finding)
}

/// Whether a finding is about the twin from which one goes on.
fn is_about_other(twin: &TwinText<'_>, finding: &Finding) -> bool {
    twin.from.is_some_and(|(_, span)| span == finding.span)
}

/// Whether the twin from which one goes on is reported itself: it cannot be made, or something before cannot be read, which
/// may be the twin that seems to be missing.
fn is_broken_before(
    twin: &TwinText<'_>,
    twins: &[TwinText<'_>],
    query: Query<'_>,
    bound: &Bound<'_>,
) -> bool {
    if twins.iter().any(|other| twin.from.is_some_and(|(letter, _)| other.letter.0 == letter)) {
        return true;
    }
    let start = query.span().start;
    has_error_before(query, bound)
        || (bound.puzzle.queries().filter(|other| other.span().start < start))
            .any(|other| other.verb() == Some(Verb::Twin) && read_twin(other).is_err())
}

/// Whether something in front of a query cannot be read.
fn has_error_before(query: Query<'_>, bound: &Bound<'_>) -> bool {
    let start = query.span().start;
    let mut before = bound.puzzle.node().children().filter(|node| node.span().start < start);
    before.any(|node| node.kind() == NodeKind::Error)
}

/// The task of a `twin`, which differs from the diagram and from all twins before.
fn twin_task(query: Query<'_>, bound: &Bound<'_>, diagram: &TwinState) -> Result<TwinState, Vec<Finding>> {
    let (twin, before) = (read_twin(query)?, twins_before(query, bound));
    let (letter, place) = twin.letter;
    if before.iter().any(|other| other.letter.0 == letter) {
        return Err(wrong(place, format!("there is a twin {letter} already")));
    }
    let task = make_twin(&twin, &before, diagram).map_err(|finding| {
        // One slip is one finding.
        let is_said = is_about_other(&twin, &finding) && is_broken_before(&twin, &before, query, bound);
        if is_said { Vec::new() } else { vec![finding] }
    })?;
    let asked = |task: &TwinState| question_of(task, task.asked?, bound, Verb::Twin);
    if let Some(finding) = unsolved_change(query, &twin) {
        return Err(vec![finding]);
    }
    // What is made of a problem that is kept and not solved is kept, too.
    let Some(made) = asked(&task) else { return Err(Vec::new()) };
    if let Some(finding) = wrong_change(&twin, &before, diagram, &task) {
        return Err(vec![finding]);
    }
    let place = twin.changes.iter().map(|(_, span)| *span).reduce(Span::cover).unwrap_or(query.asked());
    if !bound.puzzle.has_property(Property::ZeroPosition) && asked(diagram).as_ref() == Some(&made) {
        return Err(wrong(place, "this twin is the same as the diagram"));
    }
    let is_same = |index: &usize| {
        make_twin(&before[*index], &before[..*index], diagram)
            .is_ok_and(|other| asked(&other).as_ref() == Some(&made))
    };
    // Twins of another problem ask something else.
    let problem = base_problem(query, bound.puzzle).map(|problem| problem.span().start);
    let start = problem.filter(|&start| start < query.span().start).unwrap_or(0);
    let first = before.partition_point(|other| other.letter.1.start < start);
    match (first..before.len()).find(is_same) {
        Some(index) => Err(wrong(place, format!("this twin is the same as twin {}", before[index].letter.0))),
        None => Ok(task),
    }
}

/// The finding for the first change that takes a king, or a man that an earlier change has put on its square (two men on one
/// square are a slip, though a man may take another one, as in published twins), or that makes a second king of a colour which
/// stays, or for the last one where no man is left; nothing of kings where the twin goes on from one, or a diagram, that has two:
/// that is reported there.
fn wrong_change(
    twin: &TwinText<'_>,
    before: &[TwinText<'_>],
    diagram: &TwinState,
    made: &TwinState,
) -> Option<Finding> {
    let double = |board: &Board| {
        [Colour::White, Colour::Black].into_iter().find(|&colour| {
            let king = Piece::new(colour, Kind::King);
            board.pieces().filter(|(_, man)| *man == king).count() > 1
        })
    };
    let mut state = base_of(twin, before, diagram).ok()?;
    let second_king = double(&made.board).filter(|_| double(&state.board).is_none());
    let mut put = Vec::new();
    for &(change, span) in &twin.changes {
        let wrong = |code, message| Some(Finding::new(code, span, message));
        if let TwinChange::Position(Change::Move(from, to)) = change {
            let name = square_name(to, false);
            put.retain(|square| *square != from);
            if from != to && state.board.at(to).is_some_and(|man| man.kind == Kind::King) {
                let message = format!("a king stands on {name}, which no other man can take");
                return wrong(Code::InvalidValue, message);
            }
            if put.contains(&to) {
                return wrong(Code::InvalidValue, format!("another change has put a man on {name} already"));
            }
            put.push(to);
        }
        state.change(change).ok()?;
        if let Some(colour) = second_king.filter(|_| double(&state.board).is_some()) {
            return wrong(Code::TooManyKings, format!("this twin has two {} kings", colour.name()));
        }
    }
    let last = twin.changes.last().filter(|_| made.board.pieces().next().is_none())?.1;
    Some(Finding::new(Code::BoardShape, last, "this twin leaves no man on the board"))
}

impl Derived {
    /// The position and the problem that are asked.
    fn task(&self, query: Query<'_>, bound: &Bound<'_>) -> Result<(TwinState, Stipulation), Vec<Finding>> {
        let is_problem = |verb| matches!(verb, Verb::Problem(_) | Verb::Unsolved);
        if bound.puzzle.queries().filter_map(Query::verb).any(is_problem) {
            return self.made(query, bound, diagram_of(query, bound).ok_or_else(Vec::new)?);
        }
        // What cannot be read there may be the problem.
        let is_misspelt = |other: Query<'_>| other.verb().is_none();
        if has_error_before(query, bound) || bound.puzzle.queries().any(is_misspelt) {
            return Err(Vec::new());
        }
        let message = format!(
            "`{}` needs a problem of which it is made, as in `helpmate in 2`, before it",
            self.0.word()
        );
        Err(wrong(query.keyword().span(), message))
    }

    /// The position and the problem that are made of a diagram and its problem.
    fn made(
        &self,
        query: Query<'_>,
        bound: &Bound<'_>,
        mut diagram: TwinState,
    ) -> Result<(TwinState, Stipulation), Vec<Finding>> {
        if self.0 == Verb::Twin {
            let task = twin_task(query, bound, &diagram)?;
            let asked = task.asked.ok_or_else(Vec::new)?;
            return Ok((task, asked));
        }
        if let Some(twin) = twin_in_front(query, bound.puzzle) {
            // What is wrong with the twin is reported there.
            let made = read_twin(twin).map_err(|_| Vec::new())?;
            diagram = make_twin(&made, &twins_before(twin, bound), &diagram).map_err(|_| Vec::new())?;
        }
        let asked = diagram.asked.ok_or_else(Vec::new)?;
        let turn = diagram.turn();
        match self.0 {
            Verb::Duplex => {
                diagram.begins_with(turn.other());
                Ok((diagram, asked))
            }
            _ => {
                let base = base_of_set_play(query, bound.puzzle).and_then(Query::verb);
                let turn = if base == Some(Verb::Duplex) { turn.other() } else { turn };
                let (asked, turn) =
                    set_play_of(asked, turn).map_err(|message| wrong(query.keyword().span(), message))?;
                diagram.begins_with(turn);
                Ok((diagram, asked))
            }
        }
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
        let (task, asked) = self.task(query, bound)?;
        question_of(&task, asked, bound, self.0).ok_or_else(Vec::new)
    }

    fn missing_argument(&self) -> &'static str {
        "the problem that it is made of cannot be read, or is not solved"
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
pub(super) fn has_no_set_play(answer: &Answer) -> bool {
    match answer {
        Answer::SetPlay { variations, .. } => variations.is_empty(),
        Answer::Sequences { solutions, complete, .. } => solutions.is_empty() && *complete,
        _ => false,
    }
}

/// Warnings about the position of a twin that what it changes does not have, such as a pawn that comes to its last rank;
/// nothing for other queries.
pub(crate) fn odd_twin(
    query: Query<'_>,
    bound: &Bound<'_>,
    diagram: &Position,
    question: &Question,
) -> Vec<Finding> {
    let Some(made) = question.position.filter(|_| question.verb == Verb::Twin) else { return Vec::new() };
    let (Ok(twin), Some(first)) = (read_twin(query), diagram_of(query, bound)) else { return Vec::new() };
    let Ok(base) = base_of(&twin, &twins_before(query, bound), &first) else { return Vec::new() };
    let issues = |position: &Position| bound.game.validate(position, &[position.turn]);
    let before = issues(&Position { board: base.board.clone(), turn: base.turn(), ..diagram.clone() });
    let is_new = |issue: &PositionIssue| {
        issue.code != Code::TooManyKings && !before.iter().any(|other| other.message == issue.message)
    };
    let place = twin.changes.iter().map(|(_, span)| *span).reduce(Span::cover).unwrap_or(query.asked());
    let new = issues(&diagram.changed(&made)).into_iter().filter(is_new);
    new.map(|issue| Finding::new(issue.code, place, format!("twin {}: {}", twin.letter.0, issue.message)))
        .collect()
}

/// A twin as magazines print it: `b) wKa6→b6`, `c) = b) −bPd4 +wSc3`. Nothing for other queries, and where it cannot be made.
pub fn twin_in_signs(query: Query<'_>, bound: &Bound<'_>) -> Option<String> {
    let twin = read_twin(query).ok().filter(|_| query.verb() == Some(Verb::Twin))?;
    let diagram = diagram_of(query, bound)?;
    let mut words = vec![format!("{})", twin.letter.0)];
    words.extend(twin.from.map(|(letter, _)| format!("= {letter})")));
    let mut task = base_of(&twin, &twins_before(query, bound), &diagram).ok()?;
    for (change, span) in &twin.changes {
        match change {
            TwinChange::Unsolved => words.push(query.node().tree().text()[span.range()].to_string()),
            change => words.push(signs(*change, &task.board)),
        }
        if let TwinChange::Stipulation(_) = change {
            if let (Some(last), Some(_)) = (words.last_mut(), query.star()) {
                last.push('*');
            }
            words.extend(query.ply_counts().map(|(counts, _)| format!(" {counts}")));
        }
        task.change(*change).ok()?;
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
        // It stands as it is written.
        TwinChange::Unsolved => return String::new(),
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
    if evaluator.findings.len() == before {
        return;
    }
    let name = match query.verb() {
        Some(Verb::Twin) => read_twin(query).map_or(String::new(), |twin| format!("twin {}", twin.letter.0)),
        Some(verb) => {
            let mut name = verb.word().replace('-', " ");
            let base = base_of_set_play(query, evaluator.bound.puzzle).and_then(Query::verb);
            if verb == Verb::SetPlay && base == Some(Verb::Duplex) {
                name.push_str(" of the duplex");
            }
            let of = letter_of_twin(query, evaluator.bound.puzzle).map(|letter| format!(" of twin {letter}"));
            format!("{name}{}", of.unwrap_or_default())
        }
        None => return,
    };
    for finding in &mut evaluator.findings[before..] {
        finding.message = format!("{name}: {}", finding.message);
    }
}
