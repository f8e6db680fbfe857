//! Notations of a position in one line: FEN (Forsyth-Edwards) for chess, PDN (portable draughts notation) for
//! draughts.

use crate::board::coordinates::{read_colour, square_from_words};
use crate::board::fen_fields::FenFields;
use crate::board::game_format::Format;
use crate::board::model::{Board, Colour, Kind, Piece, Size, Square, chess_square, square_name};
use crate::board::read_result::{MAX_FINDINGS, Placed, Reading};
use crate::board::rights::{Castling, Rights, WrittenRights};
use crate::board::size::{Layout, SizeValue, resolve};
use crate::board::wrong_letters::signs;
use cpz_text::diagnostic::{Code, Edit, Finding, Fix, Span};
use cpz_text::syntax::{Token, lookalike, merge_latin, written_in_latin};

/// A position read from a FEN or a PDN, with its findings.
pub(crate) struct NotationBoard {
    pub board: Board,
    pub places: Vec<Placed>,
    pub turn: Option<Colour>,
    /// The castling rights and the en passant square of a FEN.
    pub rights: WrittenRights,
    /// The counters of a FEN, unless they are neutral.
    pub fen_rest: Option<String>,
    pub findings: Vec<Finding>,
}

impl NotationBoard {
    fn new() -> NotationBoard {
        let board = Board::empty(Size::flat(8, 8));
        NotationBoard {
            board,
            places: Vec::new(),
            turn: None,
            rights: WrittenRights::default(),
            fen_rest: None,
            findings: Vec::new(),
        }
    }

    fn report(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.findings.push(Finding::new(code, span, message));
    }

    fn place(&mut self, square: Square, piece: Piece, span: Span) {
        let cell = self.board.index(square);
        if self.board.cells[cell].is_some() {
            let other = self.places.iter().find(|p| p.cell as usize == cell).map_or(span, |p| p.span);
            let message = format!("two pieces stand on {}", square_name(square, false));
            self.findings
                .push(Finding::new(Code::OccupiedSquare, span, message).related(other, "the other piece"));
            return;
        }
        self.board.cells[cell] = Some(piece);
        self.places.push(Placed { cell: cell as u16, span });
    }
}

/// The fields of a FEN with their spans, in one string or in words.
pub(super) fn fields<'t>(tokens: &[Token<'t>]) -> Vec<(&'t str, Span)> {
    let mut fields = Vec::new();
    for (content, at) in tokens.iter().map(|t| t.content()) {
        for word in content.split_whitespace() {
            let start = at.start + (word.as_ptr() as usize - content.as_ptr() as usize) as u32;
            fields.push((word, Span::new(start, start + word.len() as u32)));
        }
    }
    fields
}

/// Reads the fields of a FEN. Only the first, the placement, is required.
pub(crate) fn read_fen(fields: &[(&str, Span)], format: &Format) -> NotationBoard {
    let mut board = NotationBoard::new();
    let (placement, span) = fields[0];
    let (mut rows, mut wrong_ranks, mut wrong_letters) = (0usize, Vec::new(), Vec::new());
    let mut offset = span.start;
    for (row, rank) in placement.split('/').enumerate() {
        rows += 1;
        let wrong = |c, at| {
            if wrong_letters.len() <= MAX_FINDINGS {
                wrong_letters.push((c, at));
            }
        };
        let width = read_rank(rank, offset, format, wrong, |x, piece, at| {
            if x < 8 && row < 8 {
                board.place(Square::new(x as u8, 7 - row as u8), piece, at);
            }
        });
        if width != 8 {
            wrong_ranks.push((row, width, Span::new(offset, offset + rank.len() as u32)));
        }
        offset += rank.len() as u32 + 1;
    }
    let slip = comment_behind(placement, span, format).or_else(|| lost_slash(placement, &wrong_letters));
    if let Some(finding) = slip {
        wrong_letters.retain(|(_, at)| at.start < finding.span.start);
        board.findings.push(finding);
    } else {
        // A sign that means nothing may stand for any number of squares, so it makes no rank too wide.
        let is_unknown = |c: char| lookalike(c).or_else(|| format.english_letter(c)).is_none();
        let unknown = |rank: &Span| {
            let within = |at: &Span| rank.start <= at.start && at.end <= rank.end;
            wrong_letters.iter().filter(|(c, at)| is_unknown(*c) && within(at)).count() as u32
        };
        wrong_ranks.retain(|(_, width, rank)| match unknown(rank) {
            n @ 1.. if rows == 8 => *width > 8 + n,
            _ => true,
        });
        if rows != 8 || !wrong_ranks.is_empty() {
            board.findings.push(wrong_shape(placement, span, rows, &wrong_ranks));
        }
    }
    if !wrong_letters.is_empty() {
        let letters = placement_letters(placement, span.start);
        board.findings.extend(format.wrong_letters(&wrong_letters, &letters, span));
    }
    let rest: Vec<&str> = fields.iter().skip(4).map(|f| f.0).collect();
    if rest.iter().zip(["0", "1"]).any(|(field, neutral)| *field != neutral) {
        board.fen_rest = Some(rest.join(" "));
    }
    let fields = FenFields::read(fields);
    (board.turn, board.rights) = (fields.turn, fields.rights);
    board.findings.extend(fields.findings);
    board
}

/// A position that a FEN states.
pub struct FenPosition {
    /// The board.
    pub board: Board,
    /// The side to move, where the FEN says it.
    pub turn: Option<Colour>,
    /// The castling rights, where the FEN says them.
    pub castling: Option<Castling>,
    /// The en passant square.
    pub en_passant: Option<Square>,
}

/// Reads the fields of a FEN that stands by itself.
///
/// # Errors
/// What is wrong with it, in words.
pub fn read_fen_fields(fields: &[&str], format: &Format) -> Result<FenPosition, String> {
    let Some(_) = fields.first() else { return Err("there is no board".to_string()) };
    let fields: Vec<(&str, Span)> = fields.iter().map(|f| (*f, Span::new(0, f.len() as u32))).collect();
    let read = read_fen(&fields, format);
    match read.findings.into_iter().next() {
        Some(finding) => Err(finding.message),
        None => Ok(FenPosition {
            board: read.board,
            turn: read.turn,
            castling: read.rights.castling.map(|c| c.0),
            en_passant: read.rights.en_passant.and_then(|e| e.0),
        }),
    }
}

/// Reads a rank of a FEN and returns its width.
fn read_rank(
    rank: &str,
    offset: u32,
    format: &Format,
    mut wrong: impl FnMut(char, Span),
    mut place: impl FnMut(u32, Piece, Span),
) -> u32 {
    let mut x = 0u32;
    for (i, c, len) in signs(rank) {
        let at = || Span::new(offset + i as u32, offset + (i + len) as u32);
        if let Some(n) = c.to_digit(10) {
            x = x.saturating_add(n);
            continue;
        }
        match format.piece(c).or_else(|| format.figurine(c)) {
            Some(piece) => place(x, piece, at()),
            None => wrong(c, at()),
        }
        x += 1;
    }
    x
}

/// Whether a text is the placement of a FEN of any size: pieces and numbers between slashes, with at least one number;
/// or ranks of pieces and points alone, all of one length.
pub(crate) fn is_placement(text: &str) -> bool {
    let text = text.split_whitespace().next().unwrap_or_default();
    if !text.contains('/') || text.split('/').any(str::is_empty) {
        return false;
    }
    let mut ranks = text.split('/').map(|rank| rank.chars().count());
    let width = ranks.next().unwrap_or(0);
    text.chars()
        .all(|c| matches!(c, '/' | '.') || c.is_alphanumeric() || matches!(c, '\u{2654}'..='\u{265F}'))
        && (!text.contains('.') && text.bytes().any(|b| b.is_ascii_digit())
            || width > 1 && ranks.all(|n| n == width))
}

/// Reads a placement of any size.
pub(crate) fn read_placement(
    placement: &str,
    at: Span,
    format: &Format,
    size: Option<SizeValue>,
    span: Span,
) -> Reading {
    // A point is one empty cell, as in a text board.
    let placement = &placement.replace('.', "1");
    let (mut rows, mut pieces, mut wrong) = (Vec::new(), Vec::new(), Vec::new());
    let mut offset = at.start;
    for (row, rank) in placement.split('/').enumerate().take(100) {
        let width = read_rank(
            rank,
            offset,
            format,
            |c, at| wrong.push((c, at)),
            |x, p, at| pieces.push((x, row, p, at)),
        );
        let end = offset + rank.len() as u32;
        rows.push((width as usize, Span::new(offset, end)));
        offset = end + 1;
    }
    let mut findings = Vec::new();
    let size = resolve(format, &Layout::Rows(rows), size, span, &mut findings);
    let (mut board, mut places) = (size.map(Board::empty), Vec::new());
    if let Some(board) = &mut board {
        for (x, row, piece, span) in pieces {
            let cell = board.index(Square::new(x as u8, board.size.h - 1 - row as u8));
            board.cells[cell] = Some(piece);
            places.push(Placed { cell: cell as u16, span });
        }
    }
    if !wrong.is_empty() {
        findings.extend(format.wrong_letters(&wrong, &placement_letters(placement, at.start), span));
    }
    Reading {
        board,
        places,
        turn: None,
        rights: WrittenRights::default(),
        is_notation: true,
        fen_rest: None,
        findings,
    }
}

/// The letters of a placement with their spans.
fn placement_letters(placement: &str, start: u32) -> Vec<(char, Span)> {
    let mut letters = Vec::new();
    let mut offset = start as usize;
    for rank in placement.split('/') {
        let of_rank = signs(rank).filter(|(_, c, _)| !c.is_ascii_digit());
        letters.extend(of_rank.map(|(i, c, len)| {
            let at = offset + i;
            (c, Span::new(at as u32, (at + len) as u32))
        }));
        offset += rank.len() + 1;
    }
    letters
}

/// The finding for a comment that touches a FEN: its slashes are not those between ranks.
fn comment_behind(placement: &str, span: Span, format: &Format) -> Option<Finding> {
    let (fen, _) = placement.split_once("//")?;
    let width = |rank| read_rank(rank, 0, format, |_, _| {}, |_, _, _| {});
    let is_whole = fen.split('/').count() == 8 && fen.split('/').all(|rank| width(rank) == 8);
    let slashes = Span::new(span.start + fen.len() as u32, span.start + fen.len() as u32 + 2);
    let last = fen.chars().next_back()?;
    let before = Span::new(slashes.start - last.len_utf8() as u32, slashes.start);
    is_whole.then(|| {
        let fix = Fix::new("put a space before it", before, format!("{last} "), false);
        Finding::new(Code::BoardShape, slashes, "a comment has a space before its `//`").fix(fix)
    })
}

/// The finding for a FEN in which a sign that means nothing stands where a `/` is due, or between all its ranks.
fn lost_slash(placement: &str, wrong: &[(char, Span)]) -> Option<Finding> {
    let &(sign, at) = wrong.first()?;
    let mended = wrong.iter().all(|w| w.0 == sign).then(|| placement.replace(sign, "/"))?;
    if !has_whole_ranks(&mended, '/') {
        return None;
    }
    let edits = wrong.iter().map(|&(_, span)| Edit { span, text: "/".into() }).collect();
    let between = if wrong.len() == 1 { "here between two ranks" } else { "between the ranks" };
    let message = format!("`{sign}` stands {between}, in the place of a `/`");
    let fix = Fix { title: "replace with `/`".into(), edits, safe: false };
    Some(Finding::new(Code::BoardShape, at, message).fix(fix))
}

/// Whether a sign parts a text in eight ranks of eight squares.
fn has_whole_ranks(text: &str, sign: char) -> bool {
    let width = |rank: &str| signs(rank).map(|(_, c, _)| c.to_digit(10).unwrap_or(1)).sum::<u32>();
    text.split(sign).count() == 8 && text.split(sign).all(|rank| width(rank) == 8)
}

/// Whether the first word of a text is a FEN with another sign in the place of `/`.
pub(crate) fn has_other_slashes(text: &str) -> bool {
    let placement = text.split_whitespace().next().unwrap_or_default();
    let sign = placement.chars().find(|c| !c.is_ascii_alphanumeric());
    sign.is_some_and(|sign| {
        placement.bytes().any(|b| b.is_ascii_digit())
            && placement.chars().all(|c| c == sign || c.is_ascii_alphanumeric())
            && has_whole_ranks(placement, sign)
    })
}

/// The finding for a FEN whose ranks are not eight of eight squares. `wrong` has row, width and span of each rank of
/// another width.
fn wrong_shape(placement: &str, span: Span, rows: usize, wrong: &[(usize, u32, Span)]) -> Finding {
    let name = |&(row, width, _): &(usize, u32, Span)| match 8usize.checked_sub(row) {
        Some(rank @ 1..) => format!("rank {rank} has {width} square{}", if width == 1 { "" } else { "s" }),
        _ => "this rank is below the first".to_string(),
    };
    let Some(first) = wrong.first() else {
        let message = format!("a FEN has 8 ranks, from the eighth down; this one has {rows}");
        return Finding::new(Code::BoardShape, span, message);
    };
    let inside = wrong.iter().filter(|(row, _, _)| *row < 8);
    let named: Vec<String> = inside.take(3).map(name).collect();
    let count = if rows == 1 { "1 rank".to_string() } else { format!("{rows} ranks") };
    let message = match (rows, named.is_empty()) {
        (8, _) => format!("{}; a FEN's ranks have 8", named.join(", ")),
        (_, true) => format!("a FEN has 8 ranks of 8 squares; this one has {count}"),
        _ => format!("a FEN has 8 ranks of 8 squares; this one has {count}, and {}", named.join(", ")),
    };
    let mut finding = Finding::new(Code::BoardShape, first.2, message);
    for other in wrong.iter().skip(1).take(7) {
        finding = finding.related(other.2, name(other));
    }
    let [(_, width, at)] = *wrong else { return finding };
    if rows == 9 && width == 0 {
        let slash = if at.start > span.start {
            Span::new(at.start - 1, at.start)
        } else {
            Span::new(at.end, at.end + 1)
        };
        return finding.fix(Fix::new("remove one `/`", slash, "", false));
    }
    // Two ranks without the slash between them.
    let rank = &placement[(at.start - span.start) as usize..(at.end - span.start) as usize];
    let mut squares = 0;
    let half = rank.char_indices().find(|&(_, c)| {
        squares += c.to_digit(10).unwrap_or(1);
        squares >= 8
    });
    match half {
        Some((i, c)) if rows == 7 && width == 16 && squares == 8 => {
            let between = Span::at(at.start + (i + c.len_utf8()) as u32);
            finding.fix(Fix::new("insert `/` between the two ranks", between, "/", false))
        }
        _ => finding,
    }
}

/// Reads `W:WKa1:Bc3,e5`: the side to move, then the squares of each colour, with `K` before those of kings.
pub(crate) fn read_pdn(text: &str, span: Span) -> NotationBoard {
    let mut board = NotationBoard::new();
    let body = text.trim_end().trim_end_matches('.');
    let mut offset = span.start;
    for (i, section) in body.split(':').enumerate() {
        let lead = (section.len() - section.trim_start().len()) as u32;
        let at = Span::new(offset + lead, offset + lead + section.trim().len() as u32);
        offset += section.len() as u32 + 1;
        let section = section.trim();
        // lidraughts counts moves behind a position, as a FEN does; these are the counts of a beginning.
        if i > 0 && matches!(section, "H0" | "F1") {
            continue;
        }
        let mut chars = section.chars();
        let colour = chars.next().and_then(|c| read_colour(c.encode_utf8(&mut [0; 4])));
        let Some(colour) = colour else {
            board.report(
                Code::InvalidValue,
                at,
                "write a PDN position as `W:WKa1:Bc3,e5`: the side to move, then each colour's squares",
            );
            continue;
        };
        if i == 0 {
            board.turn = Some(colour);
            if !chars.as_str().is_empty() {
                board.report(
                    Code::InvalidValue,
                    at,
                    "a PDN position begins with the side to move, `W:` or `B:`",
                );
            }
            continue;
        }
        let mut start = at.start + 1;
        for (i, square) in chars.as_str().split(',').enumerate() {
            let lead = (square.len() - square.trim_start().len()) as u32;
            let here = Span::new(start + lead, start + lead + square.trim().len() as u32);
            let comma = if i == 0 { start + square.len() as u32 } else { start - 1 };
            start += square.len() as u32 + 1;
            let comma = Span::new(comma, comma + 1);
            pdn_square(&mut board, square.trim(), here, colour, (section.len() > 1).then_some(comma));
        }
    }
    board.findings = merge_latin(board.findings);
    board
}

/// Reads a square with its man. `comma` is the comma beside it; a side without men has none, and no square.
fn pdn_square(board: &mut NotationBoard, text: &str, span: Span, colour: Colour, comma: Option<Span>) {
    if text.is_empty() {
        if let Some(comma) = comma {
            let finding = Finding::new(Code::InvalidValue, span, "a square is missing here");
            board.findings.push(finding.fix(Fix::new("remove the comma", comma, "", false)));
        }
        return;
    }
    let (kind, name) = match text.strip_prefix(['K', 'k']) {
        // This board has no file k, so a leading K is always a king.
        Some(rest) => (Kind::King, rest),
        None => (Kind::Man, text),
    };
    if !name.is_empty() && name.bytes().all(|b| b.is_ascii_digit()) {
        let message =
            "a square must be named, such as `c3`: programs number the squares from either end of this board";
        // A position with numbers has them throughout: one finding.
        if !board.findings.iter().any(|finding| finding.message == message) {
            board.report(Code::InvalidValue, span, message);
        }
        return;
    }
    let mut letters = name.chars();
    let named = letters.next().is_some_and(|c| c.is_ascii_alphabetic())
        && !letters.as_str().is_empty()
        && letters.as_str().bytes().all(|b| b.is_ascii_digit());
    if !named {
        let (message, fix) = match written_in_latin(text, span, "") {
            Some((message, fix)) => (message, Some(fix)),
            None => {
                let fix =
                    pdn_signs(text).map(|right| Fix::new(format!("make it `{right}`"), span, right, false));
                let begins_side = text.strip_prefix(if colour == Colour::White { 'B' } else { 'W' });
                let other = begins_side.zip(comma);
                match other.filter(|(rest, _)| chess_square(rest).is_some()) {
                    Some((_, comma)) => {
                        let fix = Fix::new("replace `,` with `:`", comma, ":", false);
                        (format!("`{text}` is not a square: the other side begins behind `:`"), Some(fix))
                    }
                    None => (format!("`{text}` is not a square; write names such as `c3` or `Kc3`"), fix),
                }
            }
        };
        let fixes = fix.into_iter().collect();
        board.findings.push(Finding { fixes, ..Finding::new(Code::InvalidValue, span, message) });
        return;
    }
    match square_from_words(name, Size::flat(8, 8)) {
        None => board.report(Code::OffBoard, span, format!("{name} is not on this 8×8 board")),
        Some(square) => board.place(square, Piece::new(colour, kind), span),
    }
}

/// Squares with the signs of PDN between them, if other signs stand there: `c3;e5` and `Ka1 Bc3`.
fn pdn_signs(text: &str) -> Option<String> {
    let is_square = |name: &str| {
        let name = name.strip_prefix('K').unwrap_or(name);
        name.len() == 2 && square_from_words(name, Size::flat(8, 8)).is_some()
    };
    let is_sign = |c: char| c == ' ' || matches!(c, ';' | '/' | '|' | '.');
    let mut right = String::new();
    for part in text.split(is_sign).filter(|part| !part.is_empty()) {
        let is_first = right.is_empty();
        match is_square(part) {
            true => right += if is_first { "" } else { "," },
            false if !is_first && part.strip_prefix(['W', 'B']).is_some_and(is_square) => right += ":",
            false => return None,
        }
        right += part;
    }
    (!right.is_empty()).then_some(right)
}

/// Writes the first four fields of a FEN: placement, side to move, castling rights, en passant square.
pub fn write_fen(board: &Board, format: &Format, turn: Colour, rights: Rights) -> String {
    let turn = if turn == Colour::White { "w" } else { "b" };
    let passed = rights.en_passant.map_or("-".into(), |square| square_name(square, false));
    format!("{} {turn} {} {passed}", write_placement(board, format), rights.castling)
}

/// Writes the placement of a FEN, of a board of any size.
pub fn write_placement(board: &Board, format: &Format) -> String {
    let mut out = String::new();
    for y in (0..board.size.h).rev() {
        let mut empty = 0;
        for x in 0..board.size.w {
            match board.at(Square::new(x, y)) {
                None => empty += 1,
                Some(piece) => {
                    if empty > 0 {
                        out.push_str(&empty.to_string());
                        empty = 0;
                    }
                    out.push(format.letter(piece));
                }
            }
        }
        if empty > 0 {
            out.push_str(&empty.to_string());
        }
        if y > 0 {
            out.push('/');
        }
    }
    out
}

/// Writes a PDN position with named squares.
pub fn write_pdn(board: &Board, turn: Colour) -> String {
    let side = |colour: Colour| {
        let squares: Vec<String> = board
            .pieces()
            .filter(|(_, p)| p.colour == colour)
            .map(|(s, p)| {
                let king = if p.kind == Kind::King { "K" } else { "" };
                format!("{king}{}", square_name(s, false))
            })
            .collect();
        squares.join(",")
    };
    let turn = if turn == Colour::White { 'W' } else { 'B' };
    format!("{turn}:W{}:B{}", side(Colour::White), side(Colour::Black))
}
