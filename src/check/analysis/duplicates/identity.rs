//! The identity of a puzzle: hashes that are equal for puzzles that are the same.

use std::hash::{DefaultHasher, Hash, Hasher};

use smallvec::SmallVec;

use crate::analysis::base_query::{base_of_set_play, star_of, twin_in_front};
use crate::analysis::binding::Bound;
use crate::analysis::file_report::PuzzleIdentity;
use crate::analysis::verbs::{ParsedQuery, QueryKey, first_side_of, problem_position};
use cpz_rules::board::{Board, Castling, Colour, Piece, Rights, Size, Square};
use cpz_rules::games::{ChessMove, Game, Position, Question, Symmetry, matching_moves};
use cpz_text::diagnostic::Span;
use cpz_text::syntax::{GameId, Verb};

/// The identity of a puzzle with these queries. Of the symmetric forms of its position the least one is hashed; in chess
/// also of those with the colours exchanged.
pub(in crate::analysis) fn identity_of(
    bound: &Bound<'_>,
    position: &Position,
    queries: &[ParsedQuery<'_>],
) -> PuzzleIdentity {
    let rights = rights_that_matter(bound, position, queries);
    // A problem says itself who begins, unless the puzzle does.
    let turn_of = |query: &ParsedQuery<'_>| first_side_of(bound, query.question.as_ref().ok()?);
    let turn = queries.iter().find_map(turn_of).unwrap_or(position.turn);
    let exact = Cells::new(&position.board, rights.en_passant);
    let names_squares = queries.iter().any(|q| q.rules().argument_names_squares());
    let symmetries = match names_squares {
        true => &[Symmetry::IDENTITY],
        false => bound.game.symmetries(position),
    };
    let form = |cells: &Cells, turn: Colour, castling: Castling| Form {
        // Castling differs on the two wings.
        bytes: least_form(cells, if castling == Castling::NONE { symmetries } else { &[Symmetry::IDENTITY] }),
        turn,
        castling,
    };
    let own = form(&exact, turn, rights.castling);
    let other = (!names_squares && bound.id == GameId::Chess)
        .then(|| form(&exact.with_other_colours(), turn.other(), exchanged(rights.castling)));
    let is_exchanged = other.as_ref().is_some_and(|other| *other < own);
    let least = other.filter(|_| is_exchanged).unwrap_or(own);
    // Whether set play of a query is asked: by a star, or by a query behind it.
    let set_play = queries.iter().filter(|query| query.verb == Verb::SetPlay);
    let bases: Vec<Span> = set_play
        .filter_map(|query| base_of_set_play(query.query, bound.puzzle))
        .map(|base| base.span())
        .collect();
    let mut keys: SmallVec<[(SameQuery<'_>, bool, bool); 2]> = queries
        .iter()
        .filter(|query| query.verb != Verb::SetPlay)
        .map(|query| {
            let is_reversed = turn_of(query).unwrap_or(position.turn) != turn;
            let key = SameQuery::of(query, bound, position);
            (
                key,
                is_reversed,
                star_of(query.query, bound.puzzle).is_some()
                    || bases.binary_search(&query.query.span()).is_ok(),
            )
        })
        .collect();
    keys.sort();
    let zero = bound.zero_position;
    let more: SmallVec<[(bool, bool); 2]> =
        keys.iter().map(|&(_, reversed, set_play)| (reversed, set_play)).collect();
    let keys: SmallVec<[SameQuery<'_>; 2]> = keys.into_iter().map(|(key, ..)| key).collect();
    let mut common = PortableHasher::default();
    (bound.id, position.dialect, &keys).hash(&mut common);
    if zero || more.iter().any(|&(reversed, set_play)| reversed || set_play) {
        (zero, &more).hash(&mut common);
    }
    let salted = |h: &PortableHasher, salt: u8| {
        let mut h = h.clone();
        h.write_u8(salt);
        h.finish()
    };
    let mut h = common.clone();
    (least.turn, least.castling, &least.bytes[..]).hash(&mut h);
    let canonical = |salt| u128::from(salted(&h, salt));
    let exact_hash = {
        let mut h = common;
        (turn, rights.castling, &exact.bytes[..]).hash(&mut h);
        salted(&h, 3)
    };
    PuzzleIdentity {
        // The odd keys are those of an `id`.
        canonical_hash: (canonical(1) << 64 | canonical(2)) & !1,
        exact_hash: exact_hash & !1 | u64::from(is_exchanged),
    }
}

/// The standard hasher with lengths and variants of 64 bits on every machine: canonical forms of several machines are
/// compared.
#[derive(Clone)]
struct PortableHasher {
    hasher: DefaultHasher,
    /// What was written last. A hasher takes one long text faster than many short ones, with the same result.
    pending: [u8; 64],
    used: usize,
}

impl Default for PortableHasher {
    fn default() -> PortableHasher {
        PortableHasher { hasher: DefaultHasher::default(), pending: [0; 64], used: 0 }
    }
}

impl Hasher for PortableHasher {
    fn finish(&self) -> u64 {
        let mut hasher = self.hasher.clone();
        hasher.write(&self.pending[..self.used]);
        hasher.finish()
    }

    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        if self.used + bytes.len() > self.pending.len() {
            self.hasher.write(&self.pending[..self.used]);
            self.used = 0;
            if bytes.len() > self.pending.len() {
                return self.hasher.write(bytes);
            }
        }
        self.pending[self.used..self.used + bytes.len()].copy_from_slice(bytes);
        self.used += bytes.len();
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn write_isize(&mut self, number: isize) {
        self.write_i64(number as i64);
    }
}

/// The bytes of a board, which those of two dimensions have in place.
type Bytes = SmallVec<[u8; 72]>;

/// One of the forms of a position that are the same.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Form {
    bytes: Bytes,
    turn: Colour,
    castling: Castling,
}

/// The rights of the other colours.
fn exchanged(castling: Castling) -> Castling {
    let own = Castling::EACH.into_iter().filter(|&(colour, wing, _)| castling.has(colour, wing));
    own.fold(Castling::NONE, |all, (colour, wing, _)| all.with(colour.other(), wing))
}

/// What makes two queries of one position the same: moves that are spelt in different ways may be the same legal moves.
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
enum SameQuery<'t> {
    Moves(Vec<ChessMove>),
    Other(QueryKey<'t>),
}

impl<'t> SameQuery<'t> {
    fn of(query: &ParsedQuery<'t>, bound: &Bound<'t>, position: &Position) -> SameQuery<'t> {
        // A query of another game may be here by mistake.
        let question = query.question.as_ref().ok().filter(|_| bound.id == GameId::Chess);
        let request = question.and_then(|question| question.request);
        let moves = request.map(|request| matching_moves(position, &request)).unwrap_or_default();
        match query.key() {
            _ if !moves.is_empty() => SameQuery::Moves(moves),
            // The diagram, of which it is made, is compared by itself.
            QueryKey::Read(question)
                if query.verb != Verb::Twin && twin_in_front(query.query, bound.puzzle).is_none() =>
            {
                SameQuery::Other(QueryKey::Read(Question { position: None, ..question }))
            }
            key => SameQuery::Other(key),
        }
    }
}

/// The least of the symmetric forms of a position, as bytes: equal for positions of a game that differ by a symmetry.
pub fn canonical_form(game: &dyn Game, position: &Position) -> Vec<u8> {
    least_form(&Cells::new(&position.board, position.rights.en_passant), game.symmetries(position)).into_vec()
}

/// A hash of what a question is about: game, rules, side to move and board, equal for boards that differ by a symmetry;
/// never 0.
pub(in crate::analysis) fn board_hash(bound: &Bound<'_>, position: &Position) -> u64 {
    let mut h = DefaultHasher::new();
    (bound.id, position.dialect, position.turn, canonical_form(bound.game, position)).hash(&mut h);
    h.finish().max(1)
}

/// The least of the forms of some cells under some symmetries.
fn least_form(cells: &Cells, symmetries: &[Symmetry]) -> Bytes {
    let (mut least, mut bytes) = (cells.bytes.clone(), Bytes::new());
    for &symmetry in symmetries.iter().filter(|&&symmetry| symmetry != Symmetry::IDENTITY) {
        cells.turned(symmetry, &mut bytes);
        if bytes < least {
            std::mem::swap(&mut bytes, &mut least);
        }
    }
    least
}

/// The rights that can change an answer: en passant if a pawn can capture so, castling if a query may castle. Where nothing
/// is said of castling, a chess problem has the rights that its men allow, and other queries have none.
fn rights_that_matter(bound: &Bound<'_>, position: &Position, queries: &[ParsedQuery<'_>]) -> Rights {
    let asked = || queries.iter().filter_map(|q| Some((q, q.question.as_ref().ok()?)));
    if let Some(asked) = asked().find_map(|(_, question)| question.stipulation) {
        return problem_position(bound, position, asked).rights;
    }
    if position.rights == Rights::default() {
        return Rights::default();
    }
    let rights = bound.game.effective_rights(position);
    let castles = asked().any(|(query, question)| query.rules().may_castle(question));
    Rights { castling: if castles { rights.castling } else { Castling::NONE }, ..rights }
}

/// A board as bytes: its size, and a code for each cell.
struct Cells {
    size: Size,
    pieces: SmallVec<[(Square, u8); 32]>,
    bytes: Bytes,
}

/// The bit of a black piece.
const BLACK: u8 = 8;

/// The code of an en passant square, which is empty.
const EN_PASSANT: u8 = 16;

impl Cells {
    /// The cells of a board; an en passant square has a code of its own.
    fn new(board: &Board, en_passant: Option<Square>) -> Cells {
        let code = |p: Piece| p.kind as u8 | if p.colour == Colour::Black { BLACK } else { 0 };
        let pieces = board.pieces().map(|(s, p)| (s, code(p)));
        // A default may name a square that a man stands on.
        let passed = en_passant.filter(|&square| board.at(square).is_none());
        let pieces = pieces.chain(passed.map(|square| (square, EN_PASSANT))).collect();
        Cells::of(board.size, pieces)
    }

    /// The cells with the colours exchanged and the board turned upside down, so that pawns go on moving forward.
    fn with_other_colours(&self) -> Cells {
        let other = |code: u8| if code == EN_PASSANT { code } else { code ^ BLACK };
        let flipped = |&(square, code): &(Square, u8)| (Symmetry::FLIP.apply(square, self.size), other(code));
        Cells::of(self.size, self.pieces.iter().map(flipped).collect())
    }

    fn of(size: Size, pieces: SmallVec<[(Square, u8); 32]>) -> Cells {
        let mut bytes = Bytes::new();
        let mut cells = Cells { size, pieces, bytes: Bytes::new() };
        cells.turned(Symmetry::IDENTITY, &mut bytes);
        cells.bytes = bytes;
        cells
    }

    /// Puts the bytes of the board under a symmetry into `bytes`.
    fn turned(&self, symmetry: Symmetry, bytes: &mut Bytes) {
        let Size { w, h, d } = symmetry.size(self.size);
        bytes.clear();
        bytes.extend_from_slice(&[w, h, d]);
        bytes.resize(3 + self.size.cells(), 0);
        let cell = symmetry.cells(self.size);
        for &(square, code) in &self.pieces {
            bytes[3 + cell(square)] = code;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::bind_one;
    use cpz_text::syntax::parse;

    fn identity(puzzle: &str) -> PuzzleIdentity {
        let tree = parse(puzzle);
        let puzzle = tree.puzzles().next().expect("a puzzle");
        let bound = bind_one(puzzle, Default::default()).expect("a known game");
        let queries: Vec<_> = puzzle.queries().filter_map(|q| ParsedQuery::read(q, &bound)).collect();
        identity_of(&bound, &bound.position().expect("a position"), &queries)
    }

    #[test]
    fn puzzles_that_differ_in_an_argument_are_not_the_same() {
        let of = |query: &str| identity(&format!("chess {{ board 8/8/8/4k3/8/8/8/4K2R {query} }}"));
        let queries = ["move Rh2", "move Rh3", "move Rh9", "move Rx9", "mate", "move Rh2 move Rh3"];
        for (i, a) in queries.iter().enumerate() {
            for b in &queries[..i] {
                assert!(of(a).canonical_hash != of(b).canonical_hash, "{a} and {b}");
            }
        }
        assert!(of("move Rh2 mate") == of("mate move \"Rh2\" => legal"), "order, quotes and answers");
    }

    /// Canonical forms are kept in files, so a new version of the compiler must not change them either.
    #[test]
    fn canonical_forms_do_not_change() {
        let mate = "chess { board 7k/8/5KQ1/8/8/8/8/8 w - - 0 1 mate in 1 }";
        assert_eq!(identity(mate).canonical_hash, 0x493b_6465_a252_b278_6ddd_de6d_b627_8dea);
    }

    #[test]
    fn moves_that_are_spelt_otherwise_are_the_same() {
        let of = |query: &str| {
            identity(&format!("chess {{ board 6k1/5ppp/8/8/8/8/8/3R2K1 {query} }}")).canonical_hash
        };
        assert!(of("move Rd8#") == of("move d1d8") && of("move d1d8") == of("move [\"W\",\"R\",4,8]"));
        assert!(of("move Rd8#") != of("move Rd7"));
        // A query of another game asks nothing.
        let other = "solitaire { board ...N.....R....B. move h1h2 }";
        assert!(identity(other) == identity(&other.replace("board", "tags x board")));
    }

    #[test]
    fn colours_may_be_exchanged_with_the_side() {
        let of = |text: &str| identity(&format!("chess {{ board {text} }}"));
        let (white, black) = ("6k1/5ppp/8/8/8/8/8/3R2K1 w - - 0 1", "3r2k1/8/8/8/8/8/5PPP/6K1 b - - 0 1");
        let (a, b) = (of(&format!("{white} mate in 1")), of(&format!("{black} mate in 1")));
        assert!(a.canonical_hash == b.canonical_hash && a.exact_hash & 1 != b.exact_hash & 1);
        let mirrored = of("1r2k3/8/8/8/8/8/PPP5/1K6 b - - 0 1 mate in 1");
        assert!(mirrored.canonical_hash != a.canonical_hash, "another position");
        let other_side = of("3r2k1/8/8/8/8/8/5PPP/6K1 w - - 0 1 mate in 1");
        assert!(other_side.canonical_hash != a.canonical_hash, "another side");
        for (query, is_same) in [("helpmate in 2", true), ("move Kf8", false)] {
            let (a, b) = (of(&format!("{white} {query}")), of(&format!("{black} {query}")));
            assert_eq!(a.canonical_hash == b.canonical_hash, is_same, "{query}");
        }
        let home = |white: &str, black: &str| {
            let (a, b) = (
                format!("r3k2r/8/8/8/8/8/8/4K3 w {white} - 0 1 mate in 2"),
                format!("4k3/8/8/8/8/8/8/R3K2R b {black} - 0 1 mate in 2"),
            );
            of(&a).canonical_hash == of(&b).canonical_hash
        };
        assert!(home("kq", "KQ") && home("k", "K") && !home("k", "Q"));
    }

    #[test]
    fn rights_count_as_far_as_they_change_an_answer() {
        let same = |a: &str, b: &str| {
            let of = |text: &str| identity(&format!("chess {{ board {text} }}")).canonical_hash;
            of(a) == of(b)
        };
        let home = "r3k2r/8/8/8/8/8/8/R3K2R w";
        assert!(
            same(&format!("{home} KQkq - 0 1 mate"), &format!("{home} - - 0 1 mate")),
            "mate never castles"
        );
        assert!(!same(&format!("{home} KQkq - 0 1 move O-O"), &format!("{home} - - 0 1 move O-O")));
        assert!(!same(&format!("{home} KQ - 0 1 move e1g1"), &format!("{home} kq - 0 1 move e1g1")));
        assert!(same("8/8/8/4k3/8/8/8/4K2R w KQ - 0 1 move O-O", "8/8/8/4k3/8/8/8/4K2R w K - 0 1 move O-O"));
        let passed = "4k3/8/8/3pP3/8/8/8/4K3 w";
        assert!(!same(&format!("{passed} - d6 0 1 mate"), &format!("{passed} - - 0 1 mate")));
        let alone = "4k3/8/8/3p4/8/8/4P3/4K3 w";
        assert!(
            same(&format!("{alone} - d6 0 1 mate"), &format!("{alone} - - 0 1 mate")),
            "no pawn can capture"
        );
        assert!(
            same(&format!("{passed} - d6 0 1 mate"), "3k4/8/8/3Pp3/8/8/8/3K4 w - e6 0 1 mate"),
            "mirrored"
        );
    }

    #[test]
    fn mirrored_boards_are_the_same_unless_a_move_names_squares() {
        let of = |board: &str, query: &str| identity(&format!("chess {{ board {board} {query} }}"));
        let (board, mirrored) = ("8/8/8/4k3/8/8/8/4K2R", "8/8/8/3k4/8/8/8/R2K4");
        let (a, b) = (of(board, "mate"), of(mirrored, "mate"));
        assert!(a.canonical_hash == b.canonical_hash && a.exact_hash != b.exact_hash);
        assert!(of(board, "move Ke2").canonical_hash != of(mirrored, "move Ke2").canonical_hash);
    }
}
