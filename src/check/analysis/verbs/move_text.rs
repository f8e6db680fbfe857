//! Reads one chess move as text: SAN as programs and people spell it, long notation as Popeye prints it, UCI.

use std::borrow::Cow;

use crate::analysis::verbs::written_words::{WrittenWord, long_dashes};
use cpz_rules::board::{
    Colour, KING_FILE, Kind, Size, Square, Wing, english_piece, home_rank, square_from_words,
};
use cpz_rules::games::{Mark, Request};
use cpz_text::diagnostic::{Code, Finding, Fix, Span};
use cpz_text::syntax::{EN_PASSANT_WORDS, in_latin, lookalike, written_in_latin};

pub(crate) const BOARD: Size = Size::flat(8, 8);

/// A move as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveText {
    /// What it asks for, with its mark.
    pub request: Request,
    /// The place of `+` or `#`.
    pub mark: Option<Span>,
    /// The place of the move itself, without marks, `e.p.` and what is said about a promotion.
    pub core: Span,
    /// The place of the move without marks and `e.p.`.
    pub body: Span,
    /// The place of `e.p.`.
    pub passed: Option<Span>,
    /// Whether it is written as its two squares.
    pub is_uci: bool,
}

/// The number before a move: `12.` for white, `12...` for black.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MoveNumber {
    pub number: u32,
    pub colour: Colour,
    /// The length in bytes, with white space after it.
    pub len: usize,
}

/// The number that a text begins with.
pub(crate) fn move_number(text: &str) -> Option<MoveNumber> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &text[digits..];
    let dots = rest.len() - rest.trim_start_matches(['.', '…']).len();
    if digits == 0 || dots == 0 {
        return None;
    }
    let is_black = rest[..dots].chars().count() > 1 || rest.starts_with('…');
    let len = text.len() - rest[dots..].trim_start().len();
    let colour = if is_black { Colour::Black } else { Colour::White };
    Some(MoveNumber { number: text[..digits].parse().ok()?, colour, len })
}

/// The length of the number that a word begins with, as `1.` and `1...`, with its dots; 0 where it has none.
pub fn move_number_len(word: &str) -> usize {
    move_number(word).map_or(0, |number| number.len)
}

/// What follows a move: marks, and words that say that it is en passant.
struct Suffix {
    /// The length of the text before all of it.
    body: usize,
    /// The range of `e.p.`.
    passed: Option<(usize, usize)>,
    /// The mark with its range.
    mark: Option<(Mark, usize, usize)>,
}

fn suffix(text: &str) -> Suffix {
    let mut found = Suffix { body: 0, passed: None, mark: None };
    let mut body = text.trim_end();
    loop {
        let before = body.len();
        body = body.trim_end_matches(['!', '?']).trim_end();
        let unmarked = body.trim_end_matches(['+', '#']);
        if unmarked.len() < body.len() && found.mark.is_none() {
            let is_mate = body[unmarked.len()..].contains('#');
            let mark = if is_mate { Mark::Mate } else { Mark::Check };
            found.mark = Some((mark, unmarked.len(), body.len()));
            body = unmarked.trim_end();
        }
        let behind = |c: char| c.is_ascii_digit() || c.is_whitespace();
        let is_passed = |word: &&&str| body.strip_suffix(**word).is_some_and(|rest| rest.ends_with(behind));
        if let Some(word) = EN_PASSANT_WORDS.iter().find(is_passed) {
            let start = body.len() - word.len();
            found.passed = found.passed.or(Some((start, body.len())));
            body = body[..start].trim_end();
        }
        if body.len() == before {
            break;
        }
    }
    found.body = body.len();
    found
}

/// Reads a move without its number. `span` is the place of the text.
///
/// # Errors
/// What is wrong with it.
pub fn read_move_text(text: &str, span: Span, turn: Colour) -> Result<MoveText, Finding> {
    let plain = plain_letters(text);
    let bad = || no_move(text, span, turn);
    if !plain.is_ascii() {
        return Err(bad());
    }
    // Only the first letter can have another length in the text: all places are counted from the end.
    let place = |from: usize, to: usize| {
        let back = |at: usize| span.end - (plain.len() - at) as u32;
        Span::new(if from == 0 { span.start } else { back(from) }, back(to))
    };
    let suffix = suffix(&plain);
    let body = &plain[..suffix.body];
    let mut read = MoveText {
        request: Request::to(turn, Square::new(0, 0)),
        mark: suffix.mark.map(|(_, from, to)| place(from, to)),
        core: place(0, suffix.body),
        body: place(0, suffix.body),
        passed: suffix.passed.map(|(from, to)| place(from, to)),
        is_uci: false,
    };
    match body {
        "O-O" | "0-0" | "o-o" => read.request = castling(turn, Wing::King),
        "O-O-O" | "0-0-0" | "o-o-o" => read.request = castling(turn, Wing::Queen),
        _ => {
            let (rest, promotion) = promotion(body);
            read.core = place(0, rest.len());
            read.is_uci = is_uci(rest);
            let asked = match read.is_uci {
                true => uci(rest, turn),
                false => san(rest, turn),
            };
            read.request = asked.map_err(|wrong| wrong.map_or_else(bad, |name| off_board(&name, span)))?;
            read.request.promotion = match promotion {
                // A capital may be what tells pieces apart, but only pawns are promoted.
                Some(letter) => Some(kind_of(letter.to_ascii_uppercase()).ok_or_else(bad)?),
                None => None,
            };
            if read.request.promotion.is_some()
                && matches!(read.request.kind, Some(kind) if kind != Kind::Pawn)
            {
                return Err(bad());
            }
        }
    }
    read.request.en_passant = suffix.passed.is_some();
    read.request.mark = suffix.mark.map(|m| m.0);
    read.request.one_move = true;
    Ok(read)
}

fn off_board(name: &str, span: Span) -> Finding {
    Finding::new(Code::OffBoard, span, format!("{name} is not on this 8×8 board"))
}

/// Castling of a side.
pub(crate) fn castling(colour: Colour, wing: Wing) -> Request {
    let (rank, (_, to, _)) = (home_rank(colour), wing.files());
    Request {
        kind: Some(Kind::King),
        from: (Some(KING_FILE), Some(rank)),
        castling: Some(wing),
        ..Request::to(colour, Square::new(to, rank))
    }
}

/// A text with the letters of figurines and the plain form of typographic signs.
fn plain_letters(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let plain = |c: char| match c {
        '♔' | '♚' => Some('K'),
        '♕' | '♛' => Some('Q'),
        '♖' | '♜' => Some('R'),
        '♗' | '♝' => Some('B'),
        '♘' | '♞' => Some('N'),
        '♙' | '♟' => Some('P'),
        '\u{fe0e}' | '\u{fe0f}' => None,
        c => Some(c),
    };
    Cow::Owned(text.chars().filter_map(plain).collect())
}

/// The kind of a capital; `S` is a knight too, as problemists write it.
fn kind_of(letter: char) -> Option<Kind> {
    if letter == 'S' { Some(Kind::Knight) } else { Kind::from_letter(letter) }
}

/// Splits off what a pawn becomes: `=Q`, `Q`, `/Q`, `(Q)`, or a small letter behind the square.
fn promotion(body: &str) -> (&str, Option<char>) {
    let bare = body.strip_suffix(')').unwrap_or(body);
    let Some(letter) = bare.chars().last().filter(char::is_ascii_alphabetic) else { return (body, None) };
    let rest = bare[..bare.len() - 1].trim_end_matches(['(', '=', '/', ' ']);
    if rest.len() > 1 && rest.ends_with(|c: char| c.is_ascii_digit()) {
        (rest, Some(letter))
    } else {
        (body, None)
    }
}

/// A square by its name, or the name if it is not on the board; nothing for what names no square.
fn square(name: &str) -> Option<Result<Square, String>> {
    let bytes = name.as_bytes();
    let is_name = bytes.len() == 2 && bytes[0].is_ascii_lowercase() && bytes[1].is_ascii_digit();
    is_name.then(|| square_from_words(name, BOARD).ok_or_else(|| name.to_string()))
}

/// Two squares: `e2e4` or `e2-e4`.
fn is_uci(body: &str) -> bool {
    let to = if body.len() == 5 && body.as_bytes()[2] == b'-' { 3 } else { 2 };
    body.len() == to + 2 && [&body[..2], &body[to..]].iter().all(|name| square(name).is_some())
}

/// Why a text is no move: a square that is not on the board, or nothing more.
type NoMove = Option<String>;

fn uci(body: &str, turn: Colour) -> Result<Request, NoMove> {
    let from = square(&body[..2]).ok_or(None)?.map_err(Some)?;
    let to = square(&body[body.len() - 2..]).ok_or(None)?.map_err(Some)?;
    Ok(Request { from: (Some(from.x), Some(from.y)), ..Request::to(turn, to) })
}

/// SAN and long notation: a capital, what tells pieces apart, `x`, the target.
fn san(body: &str, turn: Colour) -> Result<Request, NoMove> {
    let letter = body.chars().next().filter(char::is_ascii_uppercase);
    let kind = letter.and_then(kind_of);
    if kind == Some(Kind::Man) || letter.is_some() != kind.is_some() {
        return Err(None);
    }
    let rest = if kind.is_some() { &body[1..] } else { body };
    let at = rest.len().checked_sub(2).ok_or(None)?;
    let to = square(rest.get(at..).ok_or(None)?).ok_or(None)?.map_err(Some)?;
    let mut before = &rest[..at];
    let captures = before.ends_with(['x', ':', '*']);
    if captures {
        before = &before[..before.len() - 1];
    }
    let before = before.trim_end_matches('-');
    let mut from = (None, None);
    for c in before.chars() {
        match c {
            'a'..='h' if from == (None, None) => from.0 = Some(c as u8 - b'a'),
            '1'..='8' if from.1.is_none() => from.1 = Some(c as u8 - b'1'),
            _ => return Err(None),
        }
    }
    // A pawn that names no file stays on that of its target, unless it captures. Where the whole square is named, whatever
    // stands there is meant.
    let kind = match (kind, from) {
        (None, (Some(_), Some(_))) => None,
        (kind, _) => Some(kind.unwrap_or(Kind::Pawn)),
    };
    if kind == Some(Kind::Pawn) && from.0.is_none() && !captures {
        from.0 = Some(to.x);
    }
    Ok(Request { kind, from, captures, ..Request::to(turn, to) })
}

/// The finding for a text that is no move, with what may be meant.
fn no_move(text: &str, span: Span, turn: Colour) -> Finding {
    let is_move = |way: &str| read_move_text(way, span, turn).is_ok();
    let word = WrittenWord { text, span };
    if let Some(finding) = long_dashes(&[word]).filter(|_| is_move(&text.replace(['–', '—', '−'], "-")))
    {
        return finding;
    }
    let latin = in_latin(text).filter(|latin| is_move(latin));
    let finding = match latin.as_ref().and_then(|_| written_in_latin(text, span, "")) {
        Some((message, fix)) => Finding::new(Code::InvalidValue, span, message).fix(fix),
        None => {
            let message = format!("`{text}` is no move; write `Rh2` or `h1h2`");
            Finding::new(Code::InvalidValue, span, message)
        }
    };
    let piece = |c: char| english_piece(c).or_else(|| lookalike(c)).unwrap_or(c);
    let english: String = text.replace("Кр", "K").chars().map(piece).collect();
    // Where the letters can be nothing else there is nothing to choose.
    let is_sure = finding.fixes.iter().any(|fix| fix.safe);
    match !is_sure && english != text && Some(&english) != latin.as_ref() && is_move(&english) {
        true => {
            let title = format!("replace with `{english}` (if its letters are of another language)");
            finding.fix(Fix::new(title, span, english, false))
        }
        false => finding,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<MoveText, Code> {
        read_move_text(text, Span::new(0, text.len() as u32), Colour::White).map_err(|f| f.code)
    }

    #[test]
    fn notations_name_the_same_move() {
        let request = |text: &str| read(text).unwrap().request;
        let e4 = Square::new(4, 3);
        assert_eq!(request("e4").to, e4);
        assert_eq!(request("e2e4").from, (Some(4), Some(1)));
        assert_eq!(request("Nbd2+").from, (Some(1), None));
        let rook = Request {
            kind: Some(Kind::Rook),
            from: (None, Some(0)),
            captures: true,
            mark: Some(Mark::Mate),
            one_move: true,
            ..Request::to(Colour::White, e4)
        };
        assert_eq!(request("R1xe4#"), rook);
        for text in ["R1*e4#", "R1:e4#!", "♖1xe4#", "R1xe4 #"] {
            assert_eq!(request(text), rook, "{text}");
        }
        assert_eq!(request("Qb1-b6").from, (Some(1), Some(0)));
        assert_eq!((request("Pxd5"), request("xd5").from), (request("xd5"), (None, None)));
        assert_eq!((request("Pe4"), request("e4").from.0), (request("e4"), Some(4)));
        assert_eq!(request("Sf3"), request("Nf3"));
        assert_eq!(request("O-O").castling, Some(Wing::King));
        assert_eq!(request("0-0-0+").to, Square::new(2, 0));
        for text in ["exd6 e.p.", "exd6ep", "exd6ep.", "exd6 ep", "exd6e.p.+"] {
            assert!(request(text).en_passant && request(text).captures, "{text}");
        }
    }

    #[test]
    fn promotions_are_read_in_every_spelling() {
        for text in ["exd8=Q", "exd8Q", "exd8/Q", "exd8(Q)", "exd8 (Q)", "exd8=Q+", "exd8q"] {
            let request = read(text).unwrap().request;
            assert_eq!((request.promotion, request.to), (Some(Kind::Queen), Square::new(3, 7)), "{text}");
        }
        for text in ["e7e8n", "e7-e8n", "e7-e8=S", "e7e8N"] {
            let request = read(text).unwrap().request;
            assert_eq!((request.promotion, request.from), (Some(Kind::Knight), (Some(4), Some(6))), "{text}");
        }
    }

    #[test]
    fn marks_and_numbers_have_places() {
        let read = read("♕f8#!?").unwrap();
        assert_eq!((read.mark, read.core), (Some(Span::new(5, 6)), Span::new(0, 5)));
        let number = |text: &str| move_number(text).map(|n| (n.number, n.colour, n.len));
        assert_eq!(number("1.Rd8"), Some((1, Colour::White, 2)));
        assert_eq!(number("12... Kd5"), Some((12, Colour::Black, 6)));
        assert_eq!(number("3…Kd5"), Some((3, Colour::Black, 4)));
        assert_eq!((number("0-0"), number("e4"), number("1")), (None, None, None));
    }

    #[test]
    fn what_names_no_square_is_no_move() {
        for bad in ["", "R", "Rh", "hello", "e2-", "Zh2", "é", "e2e4e5", "Kx", "Rh2=Q", "ep", "+", "#"] {
            assert_eq!(read(bad), Err(Code::InvalidValue), "{bad}");
        }
        assert_eq!(read("Rh9"), Err(Code::OffBoard));
        assert_eq!(read("i1h1"), Err(Code::OffBoard));
    }
}
