//! `solve`: a sequence of captures that leaves one piece, written as steps or as boards.

use crate::analysis::binding::{Bound, insert_property};
use crate::analysis::verbs::answer_writer::solution_in_names;
use crate::analysis::verbs::capture_words::{CaptureWord, in_other_signs};
use crate::analysis::verbs::evaluator::{DialectSolution, QueryEvaluator};
use crate::analysis::verbs::solution_words::{are_captures, read_solution};
use crate::analysis::verbs::step_syntax::{
    is_list_like_step, looks_like_step, read_step, read_steps, step_parts, steps_parts,
};
use crate::analysis::verbs::verb_rules::{CorrectSequence, ExpectedAnswer, VerbRules, read_by_form};
use crate::analysis::verbs::written_answer::{AnswerPart, ParsedAnswer};
use crate::analysis::verbs::written_words::{WrittenWord, in_cyrillic, numbered, written_words};
use cpz_rules::board::{Board, SizeValue, read_element};
use cpz_rules::games::{Answer, Dialect, Position, Question, Step};
use cpz_text::diagnostic::{Code, Edit, Finding, Fix, Span};
use cpz_text::syntax::{Element, Query, TokenKind, Value, Verb};

pub(super) const QUESTION: Question = Question::of(Verb::Solve);

pub(super) struct Solve;

impl VerbRules for Solve {
    fn verb(&self) -> Verb {
        Verb::Solve
    }

    fn answers_in_squares(&self) -> bool {
        true
    }

    fn expected(&self) -> ExpectedAnswer {
        ExpectedAnswer {
            description: "captures such as `d1xb2 a2xb2`, a list of boards, or `none`",
            words: &["none"],
        }
    }

    fn read_word(&self, word: &str) -> Option<ParsedAnswer> {
        match word {
            "none" | "no solution" | "false" | "0" | "" => Some(ParsedAnswer::Nothing),
            "solved already" | "solved" => Some(ParsedAnswer::Steps(Vec::new(), None)),
            _ => None,
        }
    }

    fn synonym(&self, word: &str) -> Option<&'static str> {
        matches!(word, "no" | "impossible" | "unsolvable" | "нет").then_some("none")
    }

    fn read(&self, value: Value<'_>, bound: &Bound<'_>, board: &Board) -> Result<ParsedAnswer, Vec<Finding>> {
        let words = written_words(value);
        if let Some(finding) = words.as_ref().and_then(|words| in_cyrillic(words)) {
            return Err(vec![finding]);
        }
        let are_moves = words.as_ref().is_some_and(|words| self.may_be_moves(words));
        if !are_moves && let Some(finding) = words.as_ref().and_then(|words| in_other_signs(words, "x")) {
            return Err(vec![finding]);
        }
        match words {
            Some(words) if are_moves => {
                let position = Position { board: board.clone(), ..bound.position().map_err(|_| Vec::new())? };
                read_solution(&words, bound.game, position).map_err(|f| vec![f])
            }
            _ => read_by_form(self, value, bound, board),
        }
    }

    fn may_be_moves(&self, words: &[WrittenWord<'_>]) -> bool {
        if let [WrittenWord { text: "none", .. }] = words {
            return false;
        }
        // One word that is no capture among others is a slip in a solution; boards and answers have none.
        let is_capture = |word: &WrittenWord<'_>| CaptureWord::read(word.text, word.span).is_some();
        are_captures(words) || words.len() > 1 && words.iter().any(is_capture)
    }

    fn word_parts<'t>(&self, words: &[WrittenWord<'t>]) -> Vec<AnswerPart<'t>> {
        numbered(words).into_iter().map(|m| AnswerPart::Move(m.word.text, m.word.span)).collect()
    }

    fn read_list(
        &self,
        value: Value<'_>,
        bound: &Bound<'_>,
        board: &Board,
    ) -> Result<ParsedAnswer, Vec<Finding>> {
        let elements = value.elements();
        if elements.is_empty() {
            return Ok(ParsedAnswer::Steps(Vec::new(), None));
        }
        if looks_like_step(&elements) {
            // One capture without the brackets of the list of captures.
            let step = read_step(&elements, value.span(), bound, board);
            return step.map(|s| ParsedAnswer::Steps(vec![s], None)).map_err(|f| vec![f]);
        }
        if elements.iter().any(|&e| is_list_like_step(e)) {
            return Ok(read_steps(&elements, bound, board));
        }
        if let Some(finding) = squares_in_a_row(&elements, value).or_else(|| names_in_a_row(&elements, value))
        {
            return Err(vec![finding]);
        }
        if !elements.iter().all(looks_like_board) {
            return Err(vec![self.unreadable(value.span(), "")]);
        }
        read_boards(value, elements, bound, board)
    }

    fn list_parts<'t>(&self, elements: Vec<Element<'t>>) -> Vec<AnswerPart<'t>> {
        if looks_like_step(&elements) {
            return step_parts(elements);
        }
        match elements.iter().any(|&e| is_list_like_step(e)) {
            true => steps_parts(elements),
            false => elements.into_iter().map(AnswerPart::Board).collect(),
        }
    }

    fn compare(
        &self,
        evaluator: &mut QueryEvaluator<'_, '_>,
        _query: Query<'_>,
        span: Span,
        answer: &Answer,
        written: &ParsedAnswer,
    ) {
        if let (Answer::Solve(Some(solution)), ParsedAnswer::Nothing) = (answer, written) {
            let message = match solution.is_empty() {
                true => "this board is solved already: it has one piece".to_string(),
                false => format!("this board has a solution: {}", solution_in_names(solution)),
            };
            evaluator.report_wrong(span, message, Vec::new(), answer);
        }
    }

    fn report_unanswered(&self, evaluator: &mut QueryEvaluator<'_, '_>, query: Query<'_>, answer: &Answer) {
        if matches!(answer, Answer::Solve(None)) {
            let finding = unsolvable(evaluator, query);
            evaluator.report(finding);
        }
    }

    fn correct_sequence(&self, evaluator: &QueryEvaluator<'_, '_>, answer: &Answer) -> CorrectSequence {
        match answer {
            Answer::Solve(None) => CorrectSequence {
                name: "solution",
                note: Some("this board has no solution".into()),
                text: None,
            },
            Answer::Solve(Some(solution)) => CorrectSequence {
                name: "solution",
                note: Some(format!("a solution: {}", solution_in_names(solution))),
                text: evaluator.text(answer),
            },
            _ => CorrectSequence::default(),
        }
    }
}

/// The finding for squares that stand in a row, two for each capture: `[[2,0],[1,1],[1,1],[3,3]]`.
fn squares_in_a_row(elements: &[Element<'_>], value: Value<'_>) -> Option<Finding> {
    let is_number = |element: Element<'_>| match element {
        Element::Word(token) => token.text().bytes().all(|b| b.is_ascii_digit()),
        _ => false,
    };
    let is_square = |element: &Element<'_>| match element {
        Element::List(list) => list.elements().count() == 2 && list.elements().all(is_number),
        _ => false,
    };
    if !elements.len().is_multiple_of(2) || !elements.iter().all(is_square) {
        return None;
    }
    let brackets = |pair: &[Element<'_>]| {
        let (start, end) = (pair[0].span().start, pair[1].span().end);
        let edit = |at, text: &str| Edit { span: Span::at(at), text: text.into() };
        [edit(start, "["), edit(end, "]")]
    };
    let edits = elements.chunks_exact(2).flat_map(brackets).collect();
    let fix = Fix { title: "put each capture in brackets".into(), edits, safe: false };
    let message = "a capture is a list of two squares: `[[2,0],[1,1]]`";
    Some(Finding::new(Code::InvalidValue, value.span(), message).fix(fix))
}

/// The finding for names of squares in a row, two for each capture: `[c1,b2,b2,d4]`.
fn names_in_a_row(elements: &[Element<'_>], value: Value<'_>) -> Option<Finding> {
    let mut names = Vec::new();
    for element in elements {
        let Element::Word(token) = element else { return None };
        let rank = token.text().strip_prefix(|c: char| c.is_ascii_lowercase())?;
        if rank.is_empty() || !rank.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        names.push(token.text());
    }
    if !names.len().is_multiple_of(2) {
        return None;
    }
    let captures: Vec<String> = names.chunks_exact(2).map(|pair| pair.join("x")).collect();
    let captures = captures.join(" ");
    let message = format!("write the captures as `{captures}`");
    let fix = Fix::new(format!("replace with `{captures}`"), value.span(), captures, false);
    Some(Finding::new(Code::InvalidValue, value.span(), message).fix(fix))
}

// ---- a solution as boards

fn looks_like_board(element: &Element<'_>) -> bool {
    match element {
        Element::List(n) => n.elements().next().is_some(),
        Element::Word(t) | Element::String(t) => {
            t.kind() != TokenKind::UnclosedString && t.content().0.len() > 1
        }
    }
}

fn read_boards(
    value: Value<'_>,
    elements: Vec<Element<'_>>,
    bound: &Bound<'_>,
    board: &Board,
) -> Result<ParsedAnswer, Vec<Finding>> {
    let (mut boards, mut findings) = (Vec::new(), Vec::new());
    // A board in one run of cells has the puzzle's size.
    let (columns, rows) = (board.size.w.into(), board.size.h.into());
    let size = SizeValue { columns, rows, span: value.span(), own: false };
    for element in elements {
        let reading = read_element(element, bound.game.format(), bound.origin, Some(size));
        let is_good = reading.is_good();
        match reading.board {
            Some(board) if is_good => boards.push((board, element.span())),
            _ => findings.extend(reading.findings),
        }
    }
    if findings.is_empty() { Ok(ParsedAnswer::Boards(boards)) } else { Err(findings) }
}

/// The captures between each board and the next. `possible_steps` counts the steps of a sequence up to the first
/// impossible one.
///
/// # Errors
/// The index of the first board that does not follow from the one before, and why.
pub(super) fn captures_between(
    boards: &[(Board, Span)],
    position: &Position,
    possible_steps: impl Fn(&[Step]) -> usize,
) -> Result<Vec<(Step, Span)>, (usize, String)> {
    if boards[0].0 != position.board {
        return Err((0, "the first board is not the one of this puzzle".to_string()));
    }
    let mut steps: Vec<(Step, Span)> = Vec::new();
    for (i, pair) in boards.windows(2).enumerate() {
        let (before, after) = (&pair[0].0, &pair[1].0);
        if after.size != before.size {
            return Err((i + 1, format!("this board is {}, and the one before {}", after.size, before.size)));
        }
        let candidates = capture_candidates(before, after).ok_or_else(|| {
            (i + 1, "this board does not follow from the one before by one capture".to_string())
        })?;
        let mut tried: Vec<Step> = steps.iter().map(|s| s.0).collect();
        let possible = candidates.iter().copied().find(|&step| {
            tried.push(step);
            let possible = possible_steps(&tried);
            tried.pop();
            possible > i
        });
        // Of several impossible ones any will do: the caller replays the sequence and reports it.
        steps.push((possible.unwrap_or(candidates[0]), pair[1].1));
    }
    Ok(steps)
}

/// The captures that may lead from one board to another of its size, one at least; nothing where no capture does. There
/// are several if a piece captured another of its kind: the boards do not show which.
fn capture_candidates(before: &Board, after: &Board) -> Option<Vec<Step>> {
    let cells = 0..before.cells.len();
    let mut left = cells.clone().filter(|&c| before.cells[c].is_some() && after.cells[c].is_none());
    let (Some(from), None) = (left.next(), left.next()) else { return None };
    let mut arrived =
        cells.clone().filter(|&c| after.cells[c].is_some() && after.cells[c] != before.cells[c]);
    let step = |to: usize| Step { from: before.square(from), to: before.square(to), taken: None };
    let candidates: Vec<Step> = match (arrived.next(), arrived.next()) {
        (None, _) => {
            cells.filter(|&c| c != from && before.cells[c] == before.cells[from]).map(step).collect()
        }
        (Some(to), None) if after.cells[to] == before.cells[from] && before.cells[to].is_some() => {
            vec![step(to)]
        }
        _ => return None,
    };
    (!candidates.is_empty()).then_some(candidates)
}

// ---- no solution

fn unsolvable(evaluator: &mut QueryEvaluator<'_, '_>, query: Query<'_>) -> Finding {
    let here = evaluator.position.dialect.word();
    let mut finding = Finding::new(Code::Unsolvable, query.asked(), "this board has no solution");
    for (other, solution) in other_dialects(evaluator) {
        let word = other.word();
        finding.message = match finding.fixes.is_empty() {
            true => {
                format!(
                    "this board has no solution under `rules {here}`, but it has one under `rules {word}`"
                )
            }
            false => format!("{} and `rules {word}`", finding.message),
        };
        finding.notes.push(format!("under `rules {word}` it has one: {}", solution_in_names(&solution)));
        let edit = match evaluator.bound.rules {
            Some(span) => Edit { span, text: word.into() },
            None => insert_property(evaluator.bound.puzzle, &format!("rules {word}")),
        };
        finding.fixes.push(Fix {
            title: format!("use `rules {word}` (if the board is right)"),
            edits: vec![edit],
            safe: false,
        });
    }
    // Another answer says that the board has no solution under these rules.
    let says_none = |other: Query<'_>| {
        let words = other.answer().and_then(Value::scalar);
        words.is_some_and(|(text, _)| matches!(text, "none" | "false" | "0" | ""))
    };
    if evaluator.bound.puzzle.queries().any(says_none) {
        finding.fixes.clear();
    }
    if !query.has_arrow() {
        let end = Span::at(query.asked().end);
        finding.fixes.push(Fix::if_board_is_right("append `=> none`", end, " => none"));
    }
    finding
}

/// The other dialects under which the position has a solution.
fn other_dialects(evaluator: &mut QueryEvaluator<'_, '_>) -> Vec<DialectSolution> {
    if let Some(found) = &evaluator.other_dialects {
        return found.clone();
    }
    let mut found = Vec::new();
    let here = evaluator.position.dialect;
    for dialect in Dialect::ALL.into_iter().filter(|&d| d != here) {
        let position = Position { dialect, ..evaluator.position.clone() };
        let answer = evaluator.search(|game, _, budget| game.answer(&position, &QUESTION, budget));
        evaluator.note(&answer);
        if let Ok(Answer::Solve(Some(solution))) = answer {
            found.push((dialect, solution));
        }
    }
    evaluator.other_dialects = Some(found.clone());
    found
}
