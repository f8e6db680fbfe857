//! Castling and en passant: which rights the pieces can have, and when a right can be used.

use crate::board::{
    Board, Castling, Colour, KING_FILE, Kind, Piece, Rights, Square, Wing, home_rank, square_name,
};
use crate::games::chess_rules::rules::{ChessRules, EnPassant, Trial};
use crate::games::game::{Position, RightsIssue};

/// What keeps a side from castling.
pub(super) enum CastlingObstacle {
    /// The king is not on this cell.
    King(usize),
    /// No own rook is on this cell.
    Rook(usize),
    /// No right is recorded.
    NoRight,
    /// The piece of this cell is in the way.
    Between(usize),
    /// The king is in check from these cells.
    InCheck(Vec<usize>),
    /// The king passes through this cell, which those attack.
    Through(usize, Vec<usize>),
    /// The king would stand on this cell, which those attack.
    Into(usize, Vec<usize>),
}

/// The cells of a castling.
pub(super) struct CastlingCells {
    pub king: usize,
    pub rook: usize,
    pub king_to: usize,
    pub rook_to: usize,
}

impl CastlingCells {
    pub(super) fn of(colour: Colour, wing: Wing) -> CastlingCells {
        let cell = |file: u8| usize::from(8 * home_rank(colour) + file);
        let (rook, king_to, rook_to) = wing.files();
        CastlingCells {
            king: cell(KING_FILE),
            rook: cell(rook),
            king_to: cell(king_to),
            rook_to: cell(rook_to),
        }
    }

    /// The wing that a king castles to if it goes from a cell to another.
    pub(super) fn wing(colour: Colour, from: usize, to: usize) -> Option<Wing> {
        [Wing::King, Wing::Queen].into_iter().find(|&wing| {
            let cells = CastlingCells::of(colour, wing);
            (cells.king, cells.king_to) == (from, to)
        })
    }
}

/// The double step behind an en passant square, if the pieces can have made it: the pawn stands in front of the square,
/// and the square and the one behind it are empty.
fn double_step(board: &Board, square: Square) -> Option<EnPassant> {
    let (by, taken, start) = match square.y {
        5 => (Colour::White, 4, 6),
        2 => (Colour::Black, 3, 1),
        _ => return None,
    };
    let on = |y: u8| board.at(Square { y, ..square });
    let made = on(taken) == Some(Piece::new(by.other(), Kind::Pawn))
        && on(square.y).is_none()
        && on(start).is_none();
    made.then(|| EnPassant { to: board.index(square), taken: board.index(Square { y: taken, ..square }), by })
}

impl<'b> ChessRules<'b> {
    /// The rules on a position of chess with its rights. An en passant square that the pieces cannot have is left out.
    pub(crate) fn with_rights(board: &'b Board, rights: Rights) -> ChessRules<'b> {
        let en_passant = rights.en_passant.and_then(|square| double_step(board, square));
        ChessRules { castling: rights.castling, en_passant, ..ChessRules::new(board) }
    }

    /// Whether king and rook stand where they castle from.
    fn stand_at_home(&self, colour: Colour, wing: Wing) -> bool {
        let cells = CastlingCells::of(colour, wing);
        let is = |cell: usize, kind| self.board.cells[cell] == Some(Piece::new(colour, kind));
        is(cells.king, Kind::King) && is(cells.rook, Kind::Rook)
    }

    /// Whether a king's move of two squares is meant as castling: a right is recorded, or king and rook are at home.
    pub(super) fn means_castling(&self, colour: Colour, wing: Wing) -> bool {
        self.castling.has(colour, wing) || self.stand_at_home(colour, wing)
    }

    /// What keeps a side from castling; `None` if it can castle.
    pub(super) fn castling_obstacle(&self, colour: Colour, wing: Wing) -> Option<CastlingObstacle> {
        let cells = CastlingCells::of(colour, wing);
        let is = |cell: usize, kind| self.board.cells[cell] == Some(Piece::new(colour, kind));
        if !is(cells.king, Kind::King) {
            return Some(CastlingObstacle::King(cells.king));
        }
        if !is(cells.rook, Kind::Rook) {
            return Some(CastlingObstacle::Rook(cells.rook));
        }
        if !self.castling.has(colour, wing) {
            return Some(CastlingObstacle::NoRight);
        }
        let (first, last) = (cells.king.min(cells.rook) + 1, cells.king.max(cells.rook));
        if let Some(cell) = (first..last).find(|&cell| self.board.cells[cell].is_some()) {
            return Some(CastlingObstacle::Between(cell));
        }
        let attackers = |to: usize| {
            let trial = (to != cells.king).then_some(Trial { from: cells.king, to });
            self.attackers(to, colour.other(), trial)
        };
        let checks = attackers(cells.king);
        if !checks.is_empty() {
            return Some(CastlingObstacle::InCheck(checks));
        }
        // The king passes over the square where the rook ends.
        let through = attackers(cells.rook_to);
        if !through.is_empty() {
            return Some(CastlingObstacle::Through(cells.rook_to, through));
        }
        let into = attackers(cells.king_to);
        (!into.is_empty()).then_some(CastlingObstacle::Into(cells.king_to, into))
    }

    /// The wing to which the piece of a cell castles by going to another.
    pub(super) fn castles(&self, from: usize, to: usize) -> Option<Wing> {
        let king = self.board.cells[from].filter(|p| p.kind == Kind::King && !self.cube)?;
        CastlingCells::wing(king.colour, from, to)
    }

    /// Whether a move is a capture en passant.
    pub(super) fn takes_en_passant(&self, from: usize, to: usize) -> bool {
        self.en_passant.is_some_and(|e| {
            let files = |cell: usize| (cell % 8) as i8;
            let behind = if e.by == Colour::White { to.wrapping_sub(8) } else { to + 8 };
            e.to == to
                && self.board.cells[from] == Some(Piece::new(e.by, Kind::Pawn))
                && from / 8 == behind / 8
                && (files(from) - files(to)).abs() == 1
        })
    }

    /// Asks the rules about the board without the pawn that is taken en passant.
    pub(super) fn without_taken<T>(&self, taken: usize, ask: impl FnOnce(&ChessRules<'_>) -> T) -> T {
        let mut board = self.board.clone();
        board.cells[taken] = None;
        ask(&ChessRules { board: &board, en_passant: None, ..*self })
    }

    /// The cells of the pawns that can legally capture en passant.
    pub(super) fn en_passant_captures(&self) -> impl Iterator<Item = usize> + '_ {
        let to = self.en_passant.map(|e| e.to);
        let beside = self.en_passant.into_iter().flat_map(|e| {
            let file = e.taken % 8;
            [(file > 0).then(|| e.taken - 1), (file < 7).then(|| e.taken + 1)].into_iter().flatten()
        });
        beside.filter(move |&from| {
            to.is_some_and(|to| self.takes_en_passant(from, to) && self.safe(Trial { from, to }))
        })
    }
}

/// The rights of a position that can be used now or later: castling where king and rook stand at home, and an en
/// passant square onto which a pawn can capture.
pub(crate) fn effective_rights(position: &Position) -> Rights {
    if position.rights == Rights::default() {
        return Rights::default();
    }
    let rules = ChessRules::with_rights(&position.board, position.rights);
    let usable = |&&(colour, wing, _): &&(Colour, Wing, char)| {
        position.rights.castling.has(colour, wing) && rules.stand_at_home(colour, wing)
    };
    let castling = Castling::EACH.iter().filter(usable).fold(Castling::NONE, |all, e| all.with(e.0, e.1));
    let en_passant = position.rights.en_passant.filter(|_| rules.en_passant_captures().next().is_some());
    Rights { castling, en_passant }
}

/// The rights that the pieces cannot have.
pub(crate) fn rights_issues(position: &Position, sides: &[Colour]) -> Vec<RightsIssue> {
    let rules = ChessRules::with_rights(&position.board, position.rights);
    castling_issue(&rules).into_iter().chain(en_passant_issue(position, sides)).collect()
}

fn castling_issue(rules: &ChessRules<'_>) -> Option<RightsIssue> {
    let rights = rules.castling;
    let mut correct = Castling::NONE;
    let mut message = rights.names_other_file().then(|| {
        "this castling right is one of Chess960; cpz castles with the rooks of the a-file and the h-file"
            .to_string()
    });
    for (colour, wing, letter) in Castling::EACH.into_iter().filter(|e| rights.has(e.0, e.1)) {
        let missing = match rules.stand_at_home(colour, wing) {
            true => {
                correct = correct.with(colour, wing);
                continue;
            }
            false => {
                let cells = CastlingCells::of(colour, wing);
                let king = rules.board.cells[cells.king] == Some(Piece::new(colour, Kind::King));
                match king {
                    true => format!("no {} rook is on {}", colour.name(), rules.name(cells.rook)),
                    false => format!("the {} king is not on {}", colour.name(), rules.name(cells.king)),
                }
            }
        };
        message.get_or_insert_with(|| {
            format!("`{letter}` says that {} can castle {}, but {missing}", colour.name(), wing.name())
        });
    }
    message.map(|message| RightsIssue { en_passant: false, message, correct: correct.to_string() })
}

fn en_passant_issue(position: &Position, sides: &[Colour]) -> Option<RightsIssue> {
    let square = position.rights.en_passant?;
    let name = square_name(square, false);
    let issue = |message: String, correct: &str| {
        Some(RightsIssue { en_passant: true, message, correct: correct.to_string() })
    };
    let (by, ahead, start) = match square.y {
        5 => (Colour::White, 4, 6),
        2 => (Colour::Black, 3, 1),
        y => {
            // The square of the pawn is often written instead of the one that it passed over.
            let passed = Square { y: if y == 4 { 5 } else { 2 }, ..square };
            let meant = (matches!(y, 3 | 4) && double_step(&position.board, passed).is_some())
                .then(|| square_name(passed, false));
            let message =
                "the en passant square is the one that the pawn passed over, on the third or the sixth rank";
            return issue(message.to_string(), meant.as_deref().unwrap_or("-"));
        }
    };
    let on = |y: u8| position.board.at(Square { y, ..square });
    let at = |y: u8| square_name(Square { y, ..square }, false);
    let mover = by.other().name();
    if let Some(piece) = on(square.y) {
        return issue(format!("no pawn can have passed over {name}: the {piece} stands there"), "-");
    }
    if on(ahead) != Some(Piece::new(by.other(), Kind::Pawn)) {
        return issue(
            format!("no pawn can have passed over {name}: there is no {mover} pawn on {}", at(ahead)),
            "-",
        );
    }
    if let Some(piece) = on(start) {
        return issue(
            format!(
                "no pawn can have passed over {name}: the {piece} stands on {}, where it began",
                at(start)
            ),
            "-",
        );
    }
    if !sides.contains(&by) {
        return issue(
            format!("{mover} has just moved if a pawn passed over {name}, but it is {mover}'s move"),
            "-",
        );
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Size};
    use crate::games::game::Dialect;

    /// The square that is written, and the one that is meant; `-` where no pawn has passed over any.
    #[test]
    fn the_square_of_a_pawn_is_often_written_for_the_one_that_it_passed() {
        let mut board = Board::empty(Size::flat(8, 8));
        for (x, y, colour) in [(0, 4, Colour::Black), (1, 3, Colour::White), (2, 2, Colour::White)] {
            let cell = board.index(Square::new(x, y));
            board.cells[cell] = Some(Piece::new(colour, Kind::Pawn));
        }
        let (turn, dialect) = (Colour::White, Dialect::Default);
        let due = ["- - - - a6 good - -", "- - good b3 - - - -", "- - - - - - - -"];
        for (x, due) in due.into_iter().enumerate() {
            let correct = |y| {
                let rights = Rights { en_passant: Some(Square::new(x as u8, y)), ..Rights::default() };
                let position = Position { board: board.clone(), turn, dialect, rights };
                en_passant_issue(&position, &[Colour::White, Colour::Black]).map(|issue| issue.correct)
            };
            let found: Vec<String> = (0..8).map(|y| correct(y).unwrap_or_else(|| "good".into())).collect();
            assert_eq!(found.join(" "), due);
        }
    }
}
