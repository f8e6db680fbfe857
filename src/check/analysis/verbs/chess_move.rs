//! `move`: whether a chess move is legal. Its argument is a list, UCI or SAN.

use crate::analysis::binding::{Bound, insert_property};
use crate::analysis::verbs::evaluator::QueryEvaluator;
use crate::analysis::verbs::move_claims::{
    may_mean_several, nearest_lists, nearest_moves, the_move, wrong_mark,
};
use crate::analysis::verbs::move_language::{language_of, read_move_in};
use crate::analysis::verbs::move_text::{BOARD, MoveText, move_number};
use crate::analysis::verbs::verb_rules::{ExpectedAnswer, VerbRules};
use crate::analysis::verbs::written_answer::ParsedAnswer;
use cpz_rules::board::{Colour, CoordinateFrame, Kind, Language, Wing, home_rank, read_entry};
use cpz_rules::games::{Answer, Question, Request, Undecided, matching_moves, why_illegal};
use cpz_text::diagnostic::{Code, Edit, Finding, Fix, Span};
use cpz_text::syntax::{Element, Property, Query, Value, Verb};

pub(super) struct Move;

impl VerbRules for Move {
    fn verb(&self) -> Verb {
        Verb::Move
    }

    fn question(&self, query: Query<'_>, bound: &Bound<'_>) -> Result<Question, Vec<Finding>> {
        Ok(Question { request: Some(read_move(query, bound)?), ..Question::of(Verb::Move) })
    }

    fn missing_argument(&self) -> &'static str {
        "the move is missing"
    }

    /// A list begins with the colour of the piece, and `1...` numbers a move of black.
    fn names_side(&self, query: Query<'_>) -> bool {
        match query.argument_text() {
            Some((text, _)) => move_number(text).is_some_and(|n| n.colour == Colour::Black),
            None => matches!(query.argument(), Some(Value::Lists(_))),
        }
    }

    /// A king may castle to the c-file and to the g-file of its home rank.
    fn may_castle(&self, question: &Question) -> bool {
        question.request.is_some_and(|r| {
            let is_king = matches!(r.kind, None | Some(Kind::King));
            is_king
                && r.to.y == home_rank(r.colour)
                && [Wing::King, Wing::Queen].iter().any(|w| w.files().1 == r.to.x)
        })
    }

    fn argument_names_squares(&self) -> bool {
        true
    }

    /// Not remembered: a move is checked faster than an answer is copied.
    fn evaluate(
        &self,
        evaluator: &mut QueryEvaluator<'_, '_>,
        question: &Question,
    ) -> Result<Answer, Undecided> {
        evaluator.answer_once(question)
    }

    fn expected(&self) -> ExpectedAnswer {
        ExpectedAnswer { description: "`legal` or `illegal`", words: &["legal", "illegal", "true", "false"] }
    }

    fn read_word(&self, word: &str) -> Option<ParsedAnswer> {
        match word {
            "legal" | "true" => Some(ParsedAnswer::Truth(true)),
            "illegal" | "false" => Some(ParsedAnswer::Truth(false)),
            _ => None,
        }
    }

    fn synonym(&self, word: &str) -> Option<&'static str> {
        match word {
            "yes" | "ok" | "possible" | "valid" | "да" => Some("legal"),
            "no" | "impossible" | "invalid" | "нет" => Some("illegal"),
            _ => None,
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
        let message = match (answer, written) {
            (Answer::Move(None), ParsedAnswer::Truth(false)) => "this move is legal".to_string(),
            (Answer::Move(Some(reason)), ParsedAnswer::Truth(true)) => {
                format!("this move is illegal: {reason}")
            }
            _ => return,
        };
        evaluator.report_wrong(span, message, Vec::new(), answer);
    }

    fn check_claims(
        &self,
        evaluator: &mut QueryEvaluator<'_, '_>,
        query: Query<'_>,
        question: &Question,
        answer: &Answer,
    ) {
        let (Some(request), Answer::Move(None)) = (&question.request, answer) else { return };
        if !request.one_move || request.mark.is_none() && !may_mean_several(request) {
            return;
        }
        let Some(text) = query.argument_text() else { return };
        let Ok(written) = read_text(text, evaluator.bound) else { return };
        match the_move(&evaluator.position, &written) {
            Ok(mv) => {
                let wrong = mv.and_then(|mv| wrong_mark(&evaluator.position, mv, &written, text));
                wrong.into_iter().for_each(|finding| evaluator.report(finding));
            }
            Err(ambiguous) => evaluator.report(ambiguous),
        }
    }

    fn report_unanswered(&self, evaluator: &mut QueryEvaluator<'_, '_>, query: Query<'_>, answer: &Answer) {
        let Answer::Move(Some(reason)) = answer else { return };
        let span = query.argument_text().map(|a| a.1).or(query.argument().map(|a| a.span()));
        let span = span.unwrap_or(query.asked());
        let mut finding = Finding::new(Code::IllegalMove, span, format!("this move is illegal: {reason}"));
        finding.fixes = legal_instead(evaluator, query, span);
        if !query.has_arrow() {
            let end = Span::at(query.asked().end);
            finding = finding.fix(Fix::if_board_is_right("append `=> illegal`", end, " => illegal"));
        }
        evaluator.report(finding);
    }
}

/// What may be meant by an illegal move: the other side's turn, or a legal move that is nearly the same.
fn legal_instead(evaluator: &QueryEvaluator<'_, '_>, query: Query<'_>, span: Span) -> Vec<Fix> {
    let (bound, position) = (evaluator.bound, &evaluator.position);
    match query.argument_text() {
        Some(argument) => {
            let Ok(written) = read_text(argument, bound) else { return Vec::new() };
            let other = written.request.by_other_side();
            let mut fixes = Vec::new();
            if why_illegal(position, &other).is_none() {
                fixes.push(turn_fix(bound, other.colour));
            }
            let body = Span::new(written.body.start - span.start, written.body.end - span.start);
            let text = query.node().tree().text();
            let text = text.get(span.range()).and_then(|text| text.get(body.range())).unwrap_or("");
            fixes.extend(nearest_moves(position, text, &written));
            fixes
        }
        None => match read_move(query, bound) {
            // A list that is not closed may have swallowed more than the move.
            Ok(request) if is_closed_list(query, span) => {
                nearest_lists(position, &request, bound.origin, span)
            }
            _ => Vec::new(),
        },
    }
}

/// Whether the argument at `span` is one list of words and nothing else.
fn is_closed_list(query: Query<'_>, span: Span) -> bool {
    let text = query.node().tree().text().get(span.range()).unwrap_or_default();
    let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    inner.is_some_and(|inner| !inner.contains(['[', ']', '(', ')', '=', '\n']))
}

/// The fix that gives the turn to a side.
fn turn_fix(bound: &Bound<'_>, side: Colour) -> Fix {
    let text = format!("turn {}", side.name());
    let own = bound.puzzle.properties().find(|p| p.name() == Some(Property::Turn));
    let edit = match own {
        Some(property) => Edit { span: property.span(), text: text.clone() },
        None => insert_property(bound.puzzle, &text),
    };
    Fix { title: format!("set `{text}` (if the move is right)"), edits: vec![edit], safe: false }
}

/// Reads the argument. Where it does not name a side, it is a move of the side to move.
///
/// # Errors
/// What is wrong with it, on its exact place.
fn read_move(query: Query<'_>, bound: &Bound<'_>) -> Result<Request, Vec<Finding>> {
    if let Some(text) = query.argument_text() {
        return read_text(text, bound).map(|written| written.request).map_err(|f| vec![f]);
    }
    let Some(Value::Lists(node)) = query.argument() else { return Err(Vec::new()) };
    let Some(list) = node.children().next() else { return Err(Vec::new()) };
    let frame = CoordinateFrame { origin: bound.origin, size: BOARD };
    let entry = read_entry(Element::List(list), bound.game.format(), frame);
    match (entry.piece, entry.square) {
        (Some((piece, _)), Some(square)) if entry.findings.is_empty() => {
            Ok(Request { kind: Some(piece.kind), ..Request::to(piece.colour, square.square) })
        }
        _ => Err(entry.findings),
    }
}

/// Reads a move that is written as text, perhaps with its number: `1...Rd8` is a move of black.
fn read_text(written: (&str, Span), bound: &Bound<'_>) -> Result<MoveText, Finding> {
    read_text_in(*bound.move_language.get_or_init(|| letters_of(bound)), written, bound)
}

fn read_text_in(
    language: Option<&Language>,
    (text, span): (&str, Span),
    bound: &Bound<'_>,
) -> Result<MoveText, Finding> {
    let Some(number) = move_number(text) else { return read_move_in(language, text, span, bound.turn) };
    let turn = if number.colour == Colour::Black { Colour::Black } else { bound.turn };
    let rest = Span::new(span.start + number.len as u32, span.end);
    read_move_in(language, &text[number.len..], rest, turn)
}

/// The language of the letters in the moves of a puzzle; none if they are English. A move that is legal by its English letters,
/// and not by those of the language, shows that the others have slips.
fn letters_of(bound: &Bound<'_>) -> Option<&'static Language> {
    let language = language_of(moves_of(bound))?;
    let position = bound.position().ok()?;
    let is_legal = |language, text: &str| {
        read_text_in(language, (text, Span::new(0, text.len() as u32)), bound)
            .is_ok_and(|read| !matching_moves(&position, &read.request).is_empty())
    };
    let is_english = |text: &str| is_legal(None, text) && !is_legal(Some(language), text);
    // A move that is said to be illegal shows nothing.
    let whole = bound.puzzle.node().tree().text();
    let is_meant = |query: &Query<'_>| !whole[query.span().range()].trim_end().ends_with("illegal");
    let mut meant =
        bound.puzzle.queries().filter(|query| query.verb() == Some(Verb::Move) && is_meant(query));
    let is_evidence = |query: Query<'_>| query.argument_text().is_some_and(|(text, _)| is_english(text));
    (!meant.any(is_evidence)).then_some(language)
}

/// The moves of a puzzle that are written as text: their letters are those of one language.
fn moves_of<'t>(bound: &Bound<'t>) -> impl Iterator<Item = &'t str> {
    let moves = bound.puzzle.queries().filter(|query| query.verb() == Some(Verb::Move));
    moves.filter_map(|query| query.argument_text()).map(|(text, _)| text)
}
