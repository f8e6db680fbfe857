//! Solitaire chess (source 002): every move captures, and one piece remains.

mod count;
mod directions;
mod facts;
mod graph;
mod replay;
mod search;
mod shared;

use crate::board::{Board, Format, Kind, Notation, Piece, Sizes, Square};
use crate::games::budget::{Budget, Undecided};
use crate::games::game::{Answer, Capture, Dialect, Game, Position, Question, ReplayError, Step};
use crate::games::symmetry::Symmetry;
use cpz_text::syntax::{Property, Verb};
use graph::Graph;

pub use facts::SolitaireFacts;
pub use shared::{SharedSearch, with_shared_search};

/// Solitaire chess.
pub struct Solitaire;

static FORMAT: Format = Format {
    game: "solitaire",
    origin: 0,
    sizes: Sizes::UpTo { default: 4, max: 8 },
    empty: '.',
    letters: &[
        ('K', Piece::white(Kind::King)),
        ('Q', Piece::white(Kind::Queen)),
        ('R', Piece::white(Kind::Rook)),
        ('B', Piece::white(Kind::Bishop)),
        ('N', Piece::white(Kind::Knight)),
        ('P', Piece::white(Kind::Pawn)),
        ('k', Piece::white(Kind::King)),
        ('q', Piece::white(Kind::Queen)),
        ('r', Piece::white(Kind::Rook)),
        ('b', Piece::white(Kind::Bishop)),
        ('n', Piece::white(Kind::Knight)),
        ('p', Piece::white(Kind::Pawn)),
    ],
    kinds: &[Kind::King, Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight, Kind::Pawn],
    numbers: &[Kind::King, Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight, Kind::Pawn],
    coloured: false,
    dark_only: false,
    notation: Notation::None,
};

/// Evaluates an expression with the smallest [`Graph`] that has a slot for each piece; `$k` is the number of words
/// of a set of captures, `$m` that of a bit for each capture.
macro_rules! with_graph {
    ($position:expr, $graph:ident, $k:ident, $m:ident => $body:expr) => {
        match $position.board.count() {
            0..=16 => {
                const $k: usize = 1;
                const $m: usize = 4;
                let $graph = Graph::<1>::new($position);
                $body
            }
            17..=32 => {
                const $k: usize = 4;
                const $m: usize = 16;
                let $graph = Graph::<2>::new($position);
                $body
            }
            _ => {
                const $k: usize = 8;
                const $m: usize = 64;
                let $graph = Graph::<4>::new($position);
                $body
            }
        }
    };
}

/// The empty squares from which a piece on `to` may have captured there: what a capture is taken back to.
pub fn solitaire_origins(board: &Board, kind: Kind, to: Square, dialect: Dialect) -> Vec<Square> {
    let (steps, slides) = directions::directions(kind, dialect);
    let mut origins = Vec::new();
    for &(dx, dy) in steps {
        let mut at = to;
        while let Some(next) = back(at, dx, dy, board).filter(|&next| board.at(next).is_none()) {
            origins.push(next);
            at = next;
            if !slides {
                break;
            }
        }
    }
    origins
}

/// The square from which a step leads to another one.
fn back(to: Square, dx: i8, dy: i8, board: &Board) -> Option<Square> {
    let x = to.x.checked_add_signed(-dx).filter(|&x| x < board.size.w)?;
    let y = to.y.checked_add_signed(-dy).filter(|&y| y < board.size.h)?;
    Some(Square::new(x, y))
}

/// The first captures of solitaire that keep a solution, by their starts.
///
/// # Errors
/// [`Undecided`] if the budget ran out or the search was cancelled.
pub fn solving_captures(position: &Position, budget: &Budget<'_>) -> Result<Vec<Capture>, Undecided> {
    with_graph!(position, graph, _K, _M => search::solving_captures(&graph, budget))
}

/// What makes a position of solitaire easy or hard.
///
/// # Errors
/// [`Undecided`] if the budget ran out or the search was cancelled.
pub fn solitaire_facts(position: &Position, budget: &Budget<'_>) -> Result<SolitaireFacts, Undecided> {
    with_graph!(position, graph, _K, _M => facts::facts(&graph, budget))
}

impl Game for Solitaire {
    fn format(&self) -> &'static Format {
        &FORMAT
    }

    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Solve, Verb::Count]
    }

    fn takes(&self, property: Property) -> bool {
        !matches!(
            property,
            Property::Turn
                | Property::Castling
                | Property::EnPassant
                | Property::Solutions
                | Property::Condition
                | Property::HalfDuplex
                | Property::ZeroPosition
        )
    }

    fn answer(
        &self,
        position: &Position,
        question: &Question,
        budget: &Budget<'_>,
    ) -> Result<Answer, Undecided> {
        with_graph!(position, graph, K, M => match question.verb {
            Verb::Count => {
                let (count, distinct) = count::count::<_, K, M>(&graph, budget)?;
                Ok(Answer::Count { count, distinct })
            }
            _ => search::solve(&graph, budget).map(Answer::Solve),
        })
    }

    fn answer_in_brief(
        &self,
        position: &Position,
        question: &Question,
        budget: &Budget<'_>,
    ) -> Result<Answer, Undecided> {
        if question.verb != Verb::Count {
            return self.answer(position, question, budget);
        }
        let count = with_graph!(position, graph, _K, _M => count::count_solutions(&graph, budget))?;
        Ok(Answer::Count { count, distinct: None })
    }

    fn follow(&self, position: &Position, steps: &[Step]) -> Result<(), ReplayError> {
        replay::follow(position, steps)
    }

    fn second(
        &self,
        position: &Position,
        first: &[Capture],
        budget: &Budget<'_>,
    ) -> Result<Option<Vec<Capture>>, Undecided> {
        with_graph!(position, graph, _K, _M => search::second(&graph, first, budget))
    }

    fn last_solvable(
        &self,
        position: &Position,
        steps: &[Step],
        budget: &Budget<'_>,
    ) -> Result<Option<(usize, Vec<Capture>)>, Undecided> {
        with_graph!(position, graph, _K, _M => search::last_solvable(&graph, steps, budget))
    }

    fn symmetries(&self, position: &Position) -> &'static [Symmetry] {
        let pawns = position.board.cells.iter().flatten().any(|p| p.kind == Kind::Pawn);
        if pawns && position.dialect != Dialect::Default {
            return &[Symmetry::IDENTITY, Symmetry::MIRROR];
        }
        Symmetry::plane(position.board.size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Colour, Size};

    /// Width and height, pieces, and the nodes that the answers to each question take in the three sets of rules: a solution, a second
    /// one, the number of solutions, first captures that keep a solution, and facts.
    type Nodes = ([u8; 2], usize, [[u64; 5]; 3]);
    const NODES: &[Nodes] = &[
        (
            [4, 4],
            7,
            [
                [186, 244, 49_727, 1_941, 49_096],
                [154, 219, 36_491, 1_455, 36_188],
                [499, 1_165, 13_416, 1_948, 13_400],
            ],
        ),
        (
            [5, 4],
            9,
            [
                [313, 499, 280_746, 3_302, 279_404],
                [460, 602, 306_490, 4_651, 304_632],
                [1_105, 2_465, 107_660, 11_355, 107_584],
            ],
        ),
        (
            [6, 6],
            18,
            [
                [2_152, 2_622, 400_000, 76_742, 400_000],
                [924, 1_238, 400_000, 47_616, 400_000],
                [25_694, 164, 40_144, 41_372, 40_144],
            ],
        ),
        (
            [8, 8],
            34,
            [
                [12_345, 13_190, 400_000, 363_920, 400_000],
                [3_935, 4_660, 400_000, 357_585, 400_000],
                [20_095, 0, 20_380, 27_985, 20_380],
            ],
        ),
    ];

    /// What is known of hopeless states, of states that were seen and of sets of captures changes no answer; it spares nodes.
    #[test]
    fn searches_take_as_many_nodes_as_before() {
        const MOST: u64 = 20_000;
        let mut state = 3u64;
        let mut below = |n: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % n
        };
        for &([w, h], men, due) in NODES {
            let mut sums = [[0; 5]; 3];
            for i in 0..60 {
                let mut board = Board::empty(Size::flat(w, h));
                while board.count() < men {
                    let cell = below(board.cells.len());
                    board.cells[cell] = Some(Piece::white(Kind::ALL[below(6)]));
                }
                let dialect = Dialect::ALL[i % 3];
                let position = Position { board, turn: Colour::White, dialect, rights: Default::default() };
                let mut asked = 0;
                let mut add = |ask: &dyn Fn(&Budget<'_>)| {
                    let budget = Budget::new(MOST, None);
                    ask(&budget);
                    sums[i % 3][asked] += MOST - budget.left();
                    asked += 1;
                };
                let answer =
                    |verb, budget: &Budget<'_>| Solitaire.answer(&position, &Question::of(verb), budget);
                add(&|budget| drop(answer(Verb::Solve, budget)));
                add(&|budget| {
                    if let Ok(Answer::Solve(Some(first))) = answer(Verb::Solve, &Budget::new(MOST, None)) {
                        drop(Solitaire.second(&position, &first, budget));
                    }
                });
                add(&|budget| drop(answer(Verb::Count, budget)));
                add(&|budget| drop(solving_captures(&position, budget)));
                add(&|budget| {
                    let _ = solitaire_facts(&position, budget);
                });
            }
            match std::env::var_os("CPZ_BLESS") {
                Some(_) => println!("{w} {h}: {sums:?}"),
                None => assert_eq!(sums, due, "nodes of {men} men on {w} by {h} squares"),
            }
        }
    }

    /// Pawns go ahead, but in the rules in which they go to all sides.
    #[test]
    fn boards_with_pawns_are_turned_only_where_pawns_go_to_all_sides() {
        for (kind, due) in [(Kind::Knight, [8, 8, 8]), (Kind::Pawn, [8, 2, 2])] {
            let mut board = Board::empty(Size::flat(4, 4));
            board.cells[5] = Some(Piece::white(kind));
            let counts = Dialect::ALL.map(|dialect| {
                let (turn, rights) = (Colour::White, Default::default());
                let position = Position { board: board.clone(), turn, dialect, rights };
                Solitaire.symmetries(&position).len()
            });
            assert_eq!(counts, due, "{kind:?}");
        }
    }

    /// A piece reaches a square from just those empty squares to which a capture of it there is taken back.
    #[test]
    fn captures_are_taken_back_to_where_they_may_have_begun() {
        let mut state = 5u64;
        let mut below = |n: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % n
        };
        for i in 0..120 {
            let mut board = Board::empty(Size::flat(1 + below(6) as u8, 1 + below(6) as u8));
            for _ in 0..below(board.cells.len()) {
                let cell = below(board.cells.len());
                board.cells[cell] = Some(Piece::white(Kind::Pawn));
            }
            let dialect = Dialect::ALL[i % 3];
            for (to, kind) in
                (0..board.cells.len()).flat_map(|to| (0..6).map(move |kind| (to, Kind::ALL[kind])))
            {
                let to = board.square(to);
                let origins = solitaire_origins(&board, kind, to, dialect);
                let may_begin = |&from: &Square| {
                    let mut before = board.clone();
                    let (start, target) = (board.index(from), board.index(to));
                    if from == to || board.cells[start].is_some() {
                        return false;
                    }
                    before.cells[start] = Some(Piece::white(kind));
                    before.cells[target] = Some(Piece::white(Kind::Pawn));
                    let (turn, rights) = (Colour::White, Default::default());
                    let graph = Graph::<4>::new(&Position { board: before, turn, dialect, rights });
                    let slot = |square| graph.slot(square).expect("a man");
                    graph.targets(&graph.start(), slot(from)) >> slot(to) & 1 != 0
                };
                let due: Vec<Square> =
                    (0..board.cells.len()).map(|cell| board.square(cell)).filter(may_begin).collect();
                assert_eq!(origins.len(), due.len(), "{kind:?} {to:?} {dialect:?} {board:?}");
                assert!(
                    due.iter().all(|from| origins.contains(from)),
                    "{kind:?} {to:?} {dialect:?} {board:?}"
                );
            }
        }
    }

    /// Why a capture is none, in each set of rules, with what the piece can capture instead.
    #[test]
    fn a_replay_says_why_a_piece_does_not_capture() {
        // The board, from the top: a king, a pawn and a rook; a rook and a bishop; a pawn and a knight.
        let rows = ["KPR", "R.B", "P.N"];
        let mut board = Board::empty(Size::flat(3, 3));
        for (y, row) in rows.iter().rev().enumerate() {
            for (x, c) in row.chars().enumerate() {
                let kind = Kind::ALL.into_iter().find(|kind| kind.letter() == c);
                board.cells[3 * y + x] = kind.map(Piece::white);
            }
        }
        let told = |(from, to): (usize, usize), dialect| {
            let (turn, rights) = (Colour::White, Default::default());
            let position = Position { board: board.clone(), turn, dialect, rights };
            let (from, to) = (board.square(from), board.square(to));
            let step = Step { from, to, taken: None };
            let ReplayError { message, notes, .. } =
                replay::follow(&position, &[step]).expect_err("a reason");
            format!("{message}; {}", notes.join(", "))
        };
        let [plain, solo] = [Dialect::Default, Dialect::Solo];
        for (step, dialect, due) in [
            (
                (7, 6),
                plain,
                "the pawn on b3 cannot capture on a3; the pawn on b3 can capture the bishop on c2 and the rook on a2",
            ),
            (
                (7, 6),
                solo,
                "a king is never captured under `rules solo`; the pawn on b3 can capture nothing here",
            ),
            (
                (7, 3),
                solo,
                "the pawn on b3 cannot capture on a2: pawns capture upwards only under these rules; the pawn on b3 can capture nothing here",
            ),
            (
                (8, 2),
                plain,
                "the rook on c3 cannot capture on c1: the bishop on c2 is in the way; the rook on c3 can capture the bishop on c2 and the pawn on b3",
            ),
            (
                (8, 3),
                plain,
                "the rook on c3 cannot capture on a2; the rook on c3 can capture the bishop on c2 and the pawn on b3",
            ),
            (
                (3, 6),
                solo,
                "a king is never captured under `rules solo`; the rook on a2 can capture the bishop on c2 and the pawn on a1",
            ),
            (
                (3, 7),
                solo,
                "the rook on a2 cannot capture on b3; the rook on a2 can capture the bishop on c2 and the pawn on a1",
            ),
        ] {
            assert_eq!(told(step, dialect), due);
        }
    }
}
