//! The set play of a chess problem: what would happen if the other side had to move first.
//!
//! Where the solutions are whole sequences, set play is a problem of its own, a half move shorter. Where there are keys, it
//! is what answers each move of the other side.

use crate::analysis::verbs::evaluator::QueryEvaluator;
use crate::analysis::verbs::problem_findings::listed;
use crate::analysis::verbs::problem_position::position_of_question;
use crate::analysis::verbs::solution_text::{Role, check_solution, read_set_play};
use crate::analysis::verbs::solution_texts::solution_texts;
use crate::analysis::verbs::written_answer::ParsedAnswer;
use cpz_rules::board::Colour;
use cpz_rules::games::{
    Answer, CompactPosition, NamedSetPlay, Play, Position, ProblemKind, Question, Stipulation, Undecided,
};
use cpz_text::diagnostic::{Code, Finding, Fix, Span};
use cpz_text::syntax::{Query, Verb};

/// What is asked as the set play of a problem, and the side that begins with it.
///
/// # Errors
/// Why such a problem has no set play.
pub(super) fn set_play_of(asked: Stipulation, turn: Colour) -> Result<(Stipulation, Colour), &'static str> {
    let shorter = Stipulation { plies: asked.plies - 1, ..asked };
    match asked.play() {
        Play::Direct | Play::SelfPlay | Play::Reflex | Play::SemiReflex => Ok((asked, turn)),
        Play::Help if asked.plies > 1 => Ok((shorter, turn.other())),
        Play::HelpSelf if asked.plies > 2 => Ok((shorter, turn.other())),
        Play::Help | Play::HelpSelf => Err("a problem of one move has no set play"),
        // The move that reaches the goal, without the series before it.
        Play::SeriesHelp => {
            let kind = ProblemKind { play: Play::Help, ..asked.kind };
            Ok((Stipulation { kind, plies: 1, ..asked }, turn.other()))
        }
        Play::Series | Play::SeriesSelf => Err(
            "a series of one side alone has no set play, since the other side does not move before its end",
        ),
    }
}

/// Whether a written solution begins with set play, as Popeye prints it: moves from `1...` on, and behind them those from `1.` on.
pub fn begins_with_set_play(solution: &str) -> bool {
    let Some(behind) = solution.trim_start().strip_prefix("1...") else { return false };
    let moves = |at: usize| !behind[at..].trim_start().starts_with('.');
    behind
        .match_indices("1.")
        .any(|(at, number)| behind[..at].ends_with(char::is_whitespace) && moves(at + number.len()))
}

/// The question about the set play of a problem that is asked by a question.
pub(super) fn question_of_set_play(
    evaluator: &QueryEvaluator<'_, '_>,
    question: &Question,
) -> Option<Question> {
    let position = position_of_question(evaluator.bound, &evaluator.position, question)?;
    let (asked, turn) = set_play_of(question.stipulation?, position.turn).ok()?;
    Some(question_from(&position, asked, turn))
}

/// The question about set play from a position.
pub(super) fn question_from(position: &Position, asked: Stipulation, turn: Colour) -> Question {
    let position = CompactPosition::new(&position.board, turn, position.rights.castling);
    Question { stipulation: Some(asked), position: Some(position), ..Question::of(Verb::SetPlay) }
}

/// Reports that there is no set play though a query asks for it.
pub(super) fn report_none(evaluator: &mut QueryEvaluator<'_, '_>, query: Query<'_>) {
    let (asked, end) = (query.asked(), Span::at(query.asked().end));
    let fix = Fix::if_board_is_right("append `=> none`", end, " => none");
    let finding = Finding::new(Code::Unsolvable, asked, "there is none");
    evaluator.report(if query.has_arrow() { finding } else { finding.fix(fix) });
}

/// Compares the written set play of a problem that has keys, at `span`, with all of it.
pub(super) fn compare(
    evaluator: &mut QueryEvaluator<'_, '_>,
    query: Query<'_>,
    span: Span,
    answer: &Answer,
    written: &ParsedAnswer,
) {
    let Answer::SetPlay { stipulation, variations } = answer else { return };
    let names = || variations.iter().map(|set| format!("1...{}", set.mv.san)).collect::<Vec<_>>();
    match written {
        ParsedAnswer::Nothing if variations.is_empty() => {}
        ParsedAnswer::Nothing => {
            let message = format!("there is an answer to {}", listed(&names()));
            evaluator.report_wrong(span, message, Vec::new(), answer);
        }
        ParsedAnswer::Number(number, _) => {
            if *number != Some(variations.len() as u128) {
                let message = format!("{} moves have an answer: {}", variations.len(), listed(&names()));
                evaluator.report_wrong(span, message, Vec::new(), answer);
            }
        }
        _ => compare_text(evaluator, query, span, *stipulation, variations),
    }
}

/// The first move of a text that begins without a number.
fn unnumbered(text: &str) -> Option<&str> {
    let word = text.split_whitespace().next()?;
    let is_move = word.starts_with(|c: char| c.is_alphabetic()) || word.starts_with("0-0");
    is_move.then_some(word)
}

fn compare_text(
    evaluator: &mut QueryEvaluator<'_, '_>,
    query: Query<'_>,
    span: Span,
    asked: Stipulation,
    variations: &[NamedSetPlay],
) {
    let (position, Some(value)) = (evaluator.asked_position(), query.answer()) else { return };
    let begins = format!("it begins with a move of {}, as in `1...Kd5 2.Qd4#`", position.turn.other().name());
    // Each string begins anew.
    let texts = solution_texts(value, false);
    let (mut written, mut is_any, mut unanswered) = (Vec::new(), false, Vec::new());
    for text in &texts {
        let solution = read_set_play(std::slice::from_ref(text), asked, position.turn);
        if let Some(number) = wrong_first_number(text.text) {
            let start = text.span.start + text.text.find(number).unwrap_or(0) as u32;
            let place = Span::new(start, start + number.len() as u32);
            return evaluator.report(Finding::new(Code::WrongSolution, place, begins));
        }
        if let Some(first) = unnumbered(text.text) {
            let start = text.span.start + (text.text.len() - text.text.trim_start().len()) as u32;
            let fix = Fix::new("insert `1...`", Span::at(start), "1...", false);
            let place = Span::new(start, start + first.len() as u32);
            return evaluator.report(Finding::new(Code::WrongSolution, place, begins).fix(fix));
        }
        let checked = evaluator.search(|_, _, budget| check_solution(&solution, &position, asked, budget));
        evaluator.hit_budget |= checked.undecided.is_some();
        let has_error =
            checked.findings.iter().any(|f| !matches!(f.code, Code::MissingVariation | Code::WrongMark));
        checked.findings.into_iter().for_each(|finding| evaluator.report(finding));
        if checked.undecided == Some(Undecided::Budget) {
            evaluator.report(Finding::new(Code::Undecided, span, "whether it holds is undecided"));
            return;
        }
        if has_error {
            return;
        }
        if let Some(key) = checked.keys.first().or(checked.tries.first()) {
            evaluator.report(Finding::new(Code::WrongAnswer, key.span, begins));
            return;
        }
        let first = checked.moves.iter().filter(|mv| mv.after_pass && mv.parent.is_none());
        let moves: Vec<String> = first.map(|mv| mv.mv.uci()).collect();
        // Several moves may share an answer: `1... Bc7/Bd6 2. Rxa7#`.
        if checked.moves.iter().all(|mv| mv.parent.is_none()) {
            unanswered.extend(moves.iter().cloned());
        }
        written.extend(moves);
        is_any |= solution
            .nodes
            .iter()
            .any(|node| node.role == Role::SetPlay && node.moves.iter().any(|mv| mv.is_any));
    }
    let is_written = |set: &&NamedSetPlay| written.contains(&set.mv.uci);
    let answers: Vec<&str> = variations
        .iter()
        .filter(is_written)
        .flat_map(|set| &set.answers)
        .map(|key| key.mv.uci.as_str())
        .collect();
    // As in a tree, a move with an answer that is written behind another one may be left out.
    let has_written_answer =
        |set: &NamedSetPlay| set.answers.iter().any(|key| answers.contains(&key.mv.uci.as_str()));
    let left_out: Vec<String> = variations
        .iter()
        .filter(|set| !is_written(set) && !has_written_answer(set))
        .map(|set| format!("1...{}", set.mv.san))
        .collect();
    let lacks_answer = |set: &&NamedSetPlay| unanswered.contains(&set.mv.uci);
    let open: Vec<String> =
        variations.iter().filter(lacks_answer).map(|set| format!("1...{}", set.mv.san)).collect();
    if !open.is_empty() {
        let message = format!("the answer to {} is left out", listed(&open));
        evaluator.report(Finding::new(Code::MissingVariation, span, message));
    }
    if !left_out.is_empty() && !is_any {
        let verb = if left_out.len() == 1 { "is" } else { "are" };
        let message = format!("{} {verb} left out, though there is an answer", listed(&left_out));
        evaluator.report(Finding::new(Code::MissingVariation, span, message));
    }
}

/// The number with which a text of set play begins, if it is not 1: `2...` of `2... Bc7 2. Rxa7#`.
fn wrong_first_number(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let dots = text[digits..].bytes().take_while(|b| *b == b'.').count();
    (digits > 0 && dots > 1 && &text[..digits] != "1").then(|| &text[..digits + dots])
}
