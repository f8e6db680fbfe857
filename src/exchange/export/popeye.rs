//! Popeye's input files: a problem for each chess problem, knights with the letter S.

use crate::export::losses::{Losses, Part};
use crate::export::query::ExportQuery;
use crate::export::source::ExportPuzzle;
use cpz_check::analysis::problem_of;
use cpz_rules::board::{Board, Castling, Colour, KING_FILE, Kind, Piece, Square, home_rank, square_name};
use cpz_rules::games::{Position, ProblemKind, Stipulation};
use cpz_text::syntax::{GameId, Property};

/// The parts that a problem holds: the id and notes as remarks.
const KEPT: [Part; 6] = [Part::Name, Part::Id, Part::Author, Part::Source, Part::Note, Part::Allow];

/// A problem without the word that begins it.
pub(super) fn problem(puzzle: &ExportPuzzle<'_>, losses: &mut Losses) -> Option<String> {
    let (query, position, stipulation) = chosen(puzzle, "Popeye", losses)?;
    losses.all_but(puzzle, &KEPT);
    if query.written.is_some() {
        losses.other("the written answer");
    }
    let mut out = String::new();
    let mut line = |word: &str, text: &str| {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        out.push_str(&format!("{word} {text}\n"));
    };
    let texts = |name| puzzle.properties.texts(name);
    texts(Property::Author).iter().for_each(|author| line("Author", author));
    texts(Property::Source).iter().for_each(|source| line("Origin", source));
    puzzle.name().iter().for_each(|name| line("Title", name));
    puzzle.id().iter().for_each(|id| line("Remark", &format!("id {id}")));
    texts(Property::Note).iter().for_each(|note| line("Remark", note));
    let [white, black] = men(&position.board).map(|men| men.join(" "));
    line("Pieces", &format!("White {white} Black {black}"));
    line("Stipulation", &stipulation.short());
    let mut options = options(&position, stipulation);
    if stipulation.kind != ProblemKind::Helpmate {
        options.insert(0, "Variation".into());
    }
    if !options.is_empty() {
        line("Option", &options.join(" "));
    }
    Some(out)
}

/// The first chess problem of a puzzle, with its position. A puzzle without one is left out; other questions are counted
/// as lost.
pub(super) fn chosen<'q, 'a>(
    puzzle: &'q ExportPuzzle<'a>,
    format: &str,
    losses: &mut Losses,
) -> Option<(&'q ExportQuery<'a>, Position, Stipulation)> {
    let found = puzzle.bound.as_ref().filter(|b| b.id == GameId::Chess).and_then(|bound| {
        puzzle.queries.iter().find_map(|q| problem_of(bound, q.query).map(|(p, s)| (q, p, s)))
    });
    let Some(found) = found else {
        losses.leave_out(&format!("{format} is for chess problems: mate, selfmate and helpmate in n"));
        return None;
    };
    for query in puzzle.queries.iter().filter(|q| !std::ptr::eq(*q, found.0)) {
        losses.question(query.query.verb());
    }
    Some(found)
}

/// The men of White and of Black: `Ka3`, `Sb1`.
pub(super) fn men(board: &Board) -> [Vec<String>; 2] {
    const ORDER: [Kind; 6] = [Kind::King, Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight, Kind::Pawn];
    [Colour::White, Colour::Black].map(|colour| {
        let of_kind = |kind: Kind| board.pieces().filter(move |(_, p)| *p == Piece::new(colour, kind));
        let name = |(square, piece): (Square, Piece)| {
            format!("{}{}", letter(piece.kind), square_name(square, false))
        };
        ORDER.into_iter().flat_map(of_kind).map(name).collect()
    })
}

/// The letter of a kind: English, with S for the knight, since N is the nightrider.
pub(super) fn letter(kind: Kind) -> char {
    if kind == Kind::Knight { 'S' } else { kind.letter() }
}

/// What Popeye would assume otherwise: castling where king and rook stand at home, no capture en passant on the first
/// move, and the usual side.
pub(super) fn options(position: &Position, stipulation: Stipulation) -> Vec<String> {
    let mut options = Vec::new();
    let is_half = !stipulation.plies.is_multiple_of(2);
    let first = match stipulation.kind {
        ProblemKind::Helpmate if !is_half => Colour::Black,
        _ => Colour::White,
    };
    if position.turn != first {
        options.push("HalfDuplex".to_string());
    }
    let is_at = |x, colour, kind| {
        position.board.at(Square::new(x, home_rank(colour))) == Some(Piece::new(colour, kind))
    };
    let lost: Vec<String> = Castling::EACH
        .into_iter()
        .filter(|&(colour, wing, _)| {
            is_at(KING_FILE, colour, Kind::King)
                && is_at(wing.files().0, colour, Kind::Rook)
                && !position.rights.castling.has(colour, wing)
        })
        .map(|(colour, wing, _)| square_name(Square::new(wing.files().0, home_rank(colour)), false))
        .collect();
    if !lost.is_empty() {
        options.push(format!("NoCastling {}", lost.concat()));
    }
    if let Some(passed) = position.rights.en_passant {
        let (from, to) = if passed.y == 5 { (6, 4) } else { (1, 3) };
        let squares = [from, passed.y, to].map(|y| square_name(Square::new(passed.x, y), false));
        options.push(format!("EnPassant {}", squares.concat()));
    }
    options
}
