//! Solves chess problems over `cozy-chess` without a table and without an order of moves, for `benches/problems`.
//!
//! `naive [SECONDS]` reads a stipulation and a FEN, separated by a tab, from each line, and prints for each the number
//! of keys or solutions, or `-` after SECONDS (default 10).

use std::io::BufRead as _;
use std::time::{Duration, Instant};

use cozy_chess::{Board, Move};

/// Counts positions, so that a search can be stopped.
struct Search {
    nodes: u64,
    end: Instant,
    stopped: bool,
}

fn moves(board: &Board) -> Vec<Move> {
    let mut all = Vec::new();
    board.generate_moves(|moves| {
        all.extend(moves);
        false
    });
    all
}

fn after(board: &Board, mv: Move) -> Board {
    let mut board = board.clone();
    board.play_unchecked(mv);
    board
}

fn is_mate(board: &Board) -> bool {
    !board.checkers().is_empty() && !board.generate_moves(|_| true)
}

impl Search {
    fn is_over(&mut self) -> bool {
        self.nodes += 1;
        self.stopped |= self.nodes.is_multiple_of(4096) && Instant::now() > self.end;
        self.stopped
    }

    /// True if the move that led to `board` mates in at most `moves_left` moves, itself included.
    fn mates(&mut self, board: &Board, moves_left: usize) -> bool {
        if moves_left == 1 || self.is_over() {
            return is_mate(board);
        }
        let replies = moves(board);
        let answered = |search: &mut Self, reply: Move| {
            let then = after(board, reply);
            moves(&then).into_iter().any(|mv| search.mates(&after(&then, mv), moves_left - 1))
        };
        if replies.is_empty() {
            is_mate(board)
        } else {
            replies.into_iter().all(|reply| answered(self, reply))
        }
    }

    /// True if the move that led to `board` makes the other side mate in at most `moves_left` moves.
    fn selfmates(&mut self, board: &Board, moves_left: usize) -> bool {
        if self.is_over() {
            return false;
        }
        let replies = moves(board);
        let answered = |search: &mut Self, reply: Move| {
            let then = after(board, reply);
            let mut forced = |mv| search.selfmates(&after(&then, mv), moves_left - 1);
            is_mate(&then) || moves_left > 1 && moves(&then).into_iter().any(&mut forced)
        };
        !replies.is_empty() && replies.into_iter().all(|reply| answered(self, reply))
    }

    /// The number of sequences of `plies` moves that end in mate.
    fn helpmates(&mut self, board: &Board, plies: usize) -> usize {
        if plies == 0 || self.is_over() {
            return usize::from(is_mate(board));
        }
        moves(board).into_iter().map(|mv| self.helpmates(&after(board, mv), plies - 1)).sum()
    }

    fn solve(&mut self, stipulation: &str, board: &Board) -> usize {
        let (kind, length) = stipulation.split_once('#').expect("a stipulation such as h#2.5");
        let (whole, half) = length.split_once('.').unwrap_or((length, ""));
        let whole: usize = whole.parse().expect("a number of moves");
        let is_key = |search: &mut Self, mv| match kind {
            "s" => search.selfmates(&after(board, mv), whole),
            _ => search.mates(&after(board, mv), whole),
        };
        match kind {
            "h" => self.helpmates(board, 2 * whole + usize::from(!half.is_empty())),
            _ => moves(board).into_iter().filter(|&mv| is_key(self, mv)).count(),
        }
    }
}

fn main() {
    let seconds = std::env::args().nth(1).map_or(10, |limit| limit.parse().expect("a number of seconds"));
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("text");
        let (stipulation, fen) = line.split_once('\t').expect("a stipulation, a tab and a FEN");
        let board = Board::from_fen(fen, false).unwrap_or_else(|e| panic!("{e}: {fen}"));
        let end = Instant::now() + Duration::from_secs(seconds);
        let mut search = Search { nodes: 0, end, stopped: false };
        let count = search.solve(stipulation, &board);
        println!("{}", if search.stopped { "-".to_string() } else { count.to_string() });
    }
}
