//! Measures the searches of the games for `benches/table`.
//!
//! `solver [BOARDS]` prints a line for each row: name, mean in microseconds, maximum in milliseconds, number of
//! boards, number of searches that hit their budget, separated by tabs. BOARDS is the number for the rows of
//! small boards; the other rows use a fraction of it.

#[path = "random.rs"]
#[expect(dead_code, reason = "this program makes boards, not texts")]
mod random;

use std::hint::black_box;
use std::time::{Duration, Instant};

use cpz::board::{Board, Colour, Kind, Piece, Rights, Size, Square};
use cpz::games::{Answer, Budget, Dialect, Game, Position, Question, Request, game};
use cpz::syntax::{GameId, Verb};
use random::Random;

/// The times of many searches.
#[derive(Default)]
struct Times {
    all: Vec<Duration>,
    undecided: usize,
}

impl Times {
    fn take<T, E>(&mut self, run: impl FnOnce() -> Result<T, E>) -> Option<T> {
        let start = Instant::now();
        let result = run();
        self.all.push(start.elapsed());
        self.undecided += usize::from(result.is_err());
        result.ok()
    }

    fn print(&self, what: &str) {
        let (count, sum) = (self.all.len(), self.all.iter().sum::<Duration>());
        let worst = self.all.iter().max().copied().unwrap_or_default();
        let mean = sum.as_secs_f64() * 1e6 / count as f64;
        println!("{what}\t{mean:.3}\t{:.3}\t{count}\t{}", worst.as_secs_f64() * 1e3, self.undecided);
    }
}

fn flat(side: u8, dialect: Dialect) -> Position {
    Position {
        board: Board::empty(Size::flat(side, side)),
        turn: Colour::White,
        dialect,
        rights: Rights::default(),
    }
}

/// A 4×4 board with exactly `pieces` pieces.
fn small(random: &mut Random, pieces: usize) -> Position {
    let mut position = flat(4, Dialect::Default);
    while position.board.count() < pieces {
        let cell = random.below(16);
        position.board.cells[cell] = Some(Piece::white(Kind::ALL[random.below(6)]));
    }
    position
}

/// An 8×8 board with exactly `pieces` pieces and a solution under `rules solo`, made by captures played backwards
/// from the last piece: a king or, as often, another piece.
fn solo(random: &mut Random, pieces: usize) -> Position {
    let ways = |kind: Kind| -> (Vec<(i8, i8)>, bool) {
        let knight = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
        let all = [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)];
        match kind {
            Kind::Knight => (knight.to_vec(), false),
            Kind::Pawn => (vec![(1, 1), (-1, 1)], false),
            Kind::Rook => (all[..4].to_vec(), true),
            Kind::Bishop => (all[4..].to_vec(), true),
            Kind::Queen => (all.to_vec(), true),
            _ => (all.to_vec(), false),
        }
    };
    loop {
        let mut position = flat(8, Dialect::Solo);
        let board = &mut position.board;
        let mut made = vec![0; 64];
        let last = if random.below(2) == 0 { Kind::King } else { Kind::ALL[1 + random.below(5)] };
        board.cells[random.below(64)] = Some(Piece::white(last));
        for _ in 0..1000 {
            if board.count() == pieces {
                return position;
            }
            let standing: Vec<(Square, Piece)> = board.pieces().collect();
            let (to, piece) = standing[random.below(standing.len() as u64)];
            if made[board.index(to)] == 2 {
                continue;
            }
            // The square that the capture came from; the squares between are empty.
            let (ways, slides) = ways(piece.kind);
            let (dx, dy) = ways[random.below(ways.len() as u64)];
            let (mut x, mut y, mut from) = (to.x as i8, to.y as i8, Vec::new());
            loop {
                (x, y) = (x - dx, y - dy);
                let inside = (0..8).contains(&x) && (0..8).contains(&y);
                if !inside || board.at(Square::new(x as u8, y as u8)).is_some() {
                    break;
                }
                from.push(Square::new(x as u8, y as u8));
                if !slides {
                    break;
                }
            }
            if from.is_empty() {
                continue;
            }
            let from = from[random.below(from.len() as u64)];
            let (here, there) = (board.index(from), board.index(to));
            board.cells[here] = board.cells[there].take();
            made[here] = made[there] + 1;
            board.cells[there] = Some(Piece::white(Kind::ALL[1 + random.below(5)]));
            made[there] = 0;
        }
    }
}

/// A chess position of two kings and up to thirty other pieces, and a move of a piece of the side to move to a
/// random square.
fn chess(random: &mut Random) -> (Position, Request) {
    let mut position = flat(8, Dialect::Default);
    let king = random.below(64);
    position.board.cells[king] = Some(Piece { kind: Kind::King, colour: Colour::White });
    position.board.cells[(king + 1 + random.below(63)) % 64] =
        Some(Piece { kind: Kind::King, colour: Colour::Black });
    for _ in 0..random.below(31) {
        let (cell, kind) = (random.below(64), Kind::ALL[1 + random.below(5)]);
        let colour = [Colour::White, Colour::Black][random.below(2)];
        let pawn_there = kind == Kind::Pawn && !(8..56).contains(&cell);
        if position.board.cells[cell].is_none() && !pawn_there {
            position.board.cells[cell] = Some(Piece { kind, colour });
        }
    }
    let own: Vec<Square> =
        position.board.pieces().filter(|p| p.1.colour == Colour::White).map(|p| p.0).collect();
    let from = own[random.below(own.len() as u64)];
    let to = Square::new(random.below(8) as u8, random.below(8) as u8);
    let from = (Some(from.x), Some(from.y));
    let request = Request { from, ..Request::to(Colour::White, to) };
    (position, request)
}

/// A 10×10×10 cube with a white king and thirty black pieces.
fn cube(random: &mut Random) -> Position {
    let size = Size { w: 10, h: 10, d: 10 };
    let mut position = Position {
        board: Board::empty(size),
        turn: Colour::White,
        dialect: Dialect::Default,
        rights: Rights::default(),
    };
    position.board.cells[random.below(1000)] = Some(Piece { kind: Kind::King, colour: Colour::White });
    while position.board.count() < 31 {
        let (cell, kind) = (random.below(1000), Kind::ALL[1 + random.below(4)]);
        position.board.cells[cell].get_or_insert(Piece { kind, colour: Colour::Black });
    }
    position
}

/// Solves the position and searches for a second solution.
fn unique(game: &dyn Game, position: &Position) -> Result<(), cpz::games::Undecided> {
    let work = Budget::new(u64::MAX, None);
    let question = Question::of(Verb::Solve);
    if let Answer::Solve(Some(first)) = game.answer(position, &question, &work)? {
        game.second(position, &first, &work)?;
    }
    Ok(())
}

fn main() {
    let boards = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(100_000);
    let solitaire = game(GameId::Solitaire);
    let mut random = Random(11);
    for (what, least, most) in [("3-6 pieces", 3, 6), ("2-16 pieces", 2, 16)] {
        let mut times = Times::default();
        for _ in 0..boards {
            let pieces = least + random.below((most - least + 1) as u64);
            let position = small(&mut random, pieces);
            times.take(|| unique(solitaire, &position));
        }
        times.print(&format!("4×4, {what}: solve and test uniqueness"));
    }
    for (what, least, most) in [("2-10 pieces", 2, 10), ("10 pieces", 10, 10)] {
        let mut times = Times::default();
        for _ in 0..boards / 100 {
            let pieces = least + random.below((most - least + 1) as u64);
            let position = small(&mut random, pieces);
            let question = Question::of(Verb::Count);
            let work = Budget::new(u64::MAX, None);
            times.take(|| solitaire.answer(&position, &question, &work));
        }
        times.print(&format!("4×4, {what}: count solutions and sets"));
    }
    for pieces in [8, 10, 12, 14] {
        let (mut times, question) = (Times::default(), Question::of(Verb::Solve));
        for _ in 0..boards / 100 {
            let position = solo(&mut random, pieces);
            let work = Budget::new(u64::MAX, None);
            let answer = times.take(|| solitaire.answer(&position, &question, &work));
            assert!(matches!(answer, Some(Answer::Solve(Some(_)))), "every board has a solution");
        }
        times.print(&format!("8×8, `rules solo`, {pieces} pieces: solve"));
    }
    // Many queries are faster than the resolution of the clock, so 1,000 are measured together.
    let positions: Vec<(Position, Request)> = (0..1000).map(|_| chess(&mut random)).collect();
    let ask = |(position, request): &(Position, Request)| {
        let question = Question { request: Some(*request), ..Question::of(Verb::Move) };
        black_box(game(GameId::Chess).answer(position, &question, &Budget::new(u64::MAX, None))).is_ok()
    };
    let status =
        |(position, _): &(Position, Request)| black_box(game(GameId::Chess).status(position)).is_some();
    type Ask<'a> = &'a dyn Fn(&(Position, Request)) -> bool;
    let rows: [(&str, Ask<'_>); 2] = [("legality of a move", &ask), ("status", &status)];
    for (what, one) in rows {
        let mut times = Times::default();
        for _ in 0..boards / 1000 {
            times.take(|| positions.iter().all(one).then_some(()).ok_or(()));
        }
        times.print(&format!("chess, random positions: {what}, a thousand times"));
    }
    let mut times = Times::default();
    for _ in 0..boards / 100 {
        let position = cube(&mut random);
        let question = Question::of(Verb::Mate);
        times.take(|| game(GameId::Chess3d).answer(&position, &question, &Budget::new(u64::MAX, None)));
    }
    times.print("chess3d, a side of 10, 31 pieces: status");
}
