//! `move`: whether a chess move is legal. Its argument is a list, UCI or SAN.

use crate::analysis::binding::Bound;
use crate::analysis::verbs::evaluator::QueryEvaluator;
use crate::analysis::verbs::verb_rules::{ExpectedAnswer, VerbRules};
use crate::analysis::verbs::written_answer::ParsedAnswer;
use crate::board::{
    Colour, CoordinateFrame, KING_FILE, Kind, Size, Square, Wing, english_piece, home_rank, read_entry,
    square_from_words,
};
use crate::diagnostic::{Code, Finding, Fix, Span};
use crate::games::{Answer, Question, Request, Undecided};
use crate::syntax::{Element, Query, Value, Verb, in_latin, lookalike};

const BOARD: Size = Size::flat(8, 8);

pub(super) struct Move;

impl VerbRules for Move {
    fn verb(&self) -> Verb {
        Verb::Move
    }

    fn question(&self, query: Query<'_>, bound: &Bound<'_>) -> Result<Question, Vec<Finding>> {
        let argument = query.argument().ok_or_else(Vec::new)?;
        Ok(Question { verb: Verb::Move, request: Some(read_move(argument, bound)?) })
    }

    fn missing_argument(&self) -> &'static str {
        "the move is missing"
    }

    /// A list begins with the colour of the piece.
    fn names_side(&self, query: Query<'_>) -> bool {
        matches!(query.argument(), Some(Value::Lists(_)))
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

    fn report_unanswered(&self, evaluator: &mut QueryEvaluator<'_, '_>, query: Query<'_>, answer: &Answer) {
        let Answer::Move(Some(reason)) = answer else { return };
        let span = query.argument().map_or(query.asked(), |a| a.span());
        let mut finding = Finding::new(Code::IllegalMove, span, format!("this move is illegal: {reason}"));
        if !query.has_arrow() {
            let end = Span::at(query.asked().end);
            finding = finding.fix(Fix::if_board_is_right("append `=> illegal`", end, " => illegal"));
        }
        evaluator.report(finding);
    }
}

/// Reads a move. Where it does not name a side, it is the one of the side to move.
///
/// # Errors
/// What is wrong with it, on its exact place.
fn read_move(value: Value<'_>, bound: &Bound<'_>) -> Result<Request, Vec<Finding>> {
    match value {
        Value::Lists(node) => {
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
        // The argument is one word or one list.
        Value::Words(..) => Err(Vec::new()),
        Value::Word(t) | Value::String(t) => {
            let (text, span) = t.content();
            word(text, span, bound.turn).map_err(|f| vec![f])
        }
    }
}

/// Castling of a side.
fn castling(colour: Colour, wing: Wing) -> Request {
    let (rank, (_, to, _)) = (home_rank(colour), wing.files());
    Request {
        kind: Some(Kind::King),
        from: (Some(KING_FILE), Some(rank)),
        castling: Some(wing),
        ..Request::to(colour, Square::new(to, rank))
    }
}

fn word(text: &str, span: Span, turn: Colour) -> Result<Request, Finding> {
    let bad = || {
        let message = format!("`{text}` is no move; write `[\"W\",\"R\",8,2]`, `h1h2` or `Rh2`");
        let finding = Finding::new(Code::InvalidValue, span, message);
        let piece = |c: char| english_piece(c).or_else(|| lookalike(c)).unwrap_or(c);
        let english: String = text.replace("Кр", "K").chars().map(piece).collect();
        let mut ways: Vec<_> = in_latin(text).map(|latin| (latin, "Latin")).into_iter().collect();
        ways.push((english, "English"));
        ways.dedup_by(|a, b| a.0 == b.0);
        ways.into_iter().filter(|(way, _)| way != text && word(way, span, turn).is_ok()).fold(
            finding,
            |finding, (way, letters)| {
                let title = format!("make it `{way}`, in {letters} letters");
                finding.fix(Fix::new(title, span, way, false))
            },
        )
    };
    let bare = text.trim_end_matches(['+', '#', '!', '?']);
    match bare {
        "O-O" | "0-0" | "o-o" => return Ok(castling(turn, Wing::King)),
        "O-O-O" | "0-0-0" | "o-o-o" => return Ok(castling(turn, Wing::Queen)),
        _ => {}
    }
    if !bare.is_ascii() {
        return Err(bad());
    }
    let square = |s: &str| {
        let named = s.len() == 2 && s.as_bytes()[0].is_ascii_lowercase() && s.as_bytes()[1].is_ascii_digit();
        named.then(|| {
            let off = Finding::new(Code::OffBoard, span, format!("{s} is not on this 8×8 board"));
            square_from_words(s, BOARD).ok_or(off)
        })
    };
    // UCI: two squares and perhaps a small letter.
    if let (4 | 5, Some(from), Some(to)) =
        (bare.len(), bare.get(..2).and_then(square), bare.get(2..4).and_then(square))
    {
        let (from, to) = (from?, to?);
        let promotion = match bare[4..].chars().next() {
            None => None,
            Some(c) => Some(Kind::from_letter(c).filter(|_| c.is_ascii_lowercase()).ok_or_else(bad)?),
        };
        return Ok(Request { from: (Some(from.x), Some(from.y)), promotion, ..Request::to(turn, to) });
    }
    // SAN: a capital, what tells pieces apart, `x`, the target, a promotion.
    let kind = bare.chars().next().filter(char::is_ascii_uppercase).and_then(Kind::from_letter);
    if kind == Some(Kind::Man) {
        return Err(bad());
    }
    let mut rest = if kind.is_some() { &bare[1..] } else { bare };
    let lettered = kind.is_some();
    let mut kind = Some(kind.unwrap_or(Kind::Pawn));
    let mut promotion = None;
    if kind == Some(Kind::Pawn)
        && let Some(c) = rest.chars().last().filter(char::is_ascii_uppercase)
    {
        promotion = Some(Kind::from_letter(c).ok_or_else(bad)?);
        rest = rest[..rest.len() - 1].trim_end_matches('=');
    }
    let at = rest.len().checked_sub(2).ok_or_else(bad)?;
    let to = square(&rest[at..]).ok_or_else(bad)??;
    let mut before = &rest[..at];
    let captures = before.ends_with(['x', ':']);
    if captures {
        before = &before[..before.len() - 1];
    }
    let before = before.trim_end_matches('-');
    let mut from = (None, None);
    for c in before.chars() {
        match c {
            'a'..='h' if from == (None, None) => from.0 = Some(c as u8 - b'a'),
            '1'..='8' if from.1.is_none() => from.1 = Some(c as u8 - b'1'),
            _ => return Err(bad()),
        }
    }
    // A pawn that names no file stays on that of its target; it captures only with one. Where the whole square is
    // named, whatever stands there is meant.
    match from {
        (None, _) if kind == Some(Kind::Pawn) => from.0 = Some(to.x),
        (Some(_), Some(_)) if !lettered => kind = None,
        _ => {}
    }
    Ok(Request { kind, from, captures, promotion, ..Request::to(turn, to) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notations_name_the_same_move() {
        let read = |s: &str| word(s, Span::at(0), Colour::White).map_err(|f| f.code);
        let e4 = Square::new(4, 3);
        assert_eq!(read("e4").unwrap().to, e4);
        assert_eq!(read("e2e4").unwrap().from, (Some(4), Some(1)));
        assert_eq!(read("Nbd2+").unwrap().from, (Some(1), None));
        assert_eq!(
            read("R1xe4#").unwrap(),
            Request {
                kind: Some(Kind::Rook),
                from: (None, Some(0)),
                captures: true,
                ..Request::to(Colour::White, e4)
            }
        );
        assert_eq!(read("exd8=Q").unwrap().promotion, Some(Kind::Queen));
        assert_eq!(read("e7e8n").unwrap().promotion, Some(Kind::Knight));
        assert_eq!(read("O-O").unwrap().castling, Some(Wing::King));
        assert_eq!(read("0-0-0+").unwrap().to, Square::new(2, 0));
        for bad in ["", "R", "Rh", "hello", "e2-", "Zh2", "é", "e2e4e5", "Kx", "e7e8Q"] {
            assert_eq!(read(bad), Err(Code::InvalidValue), "{bad}");
        }
        assert_eq!(read("Rh9"), Err(Code::OffBoard));
        assert_eq!(read("i1h1"), Err(Code::OffBoard));
    }
}
