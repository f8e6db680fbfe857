//! Chess problems against a plain recursion over the legal moves.

use crate::chess_positions::position_of;
use crate::chess_reference::{Board, Piece, Square};
use crate::harness::batch::Rng;
use cpz::board::Kind;
use cpz::games::{
    Budget, ChessMove, Position, ProblemKind, Prover, Status, Stipulation, after_move, find_keys,
    find_sequences, legal_moves, solution_tree, status_of, tries,
};

/// Two kings and a few men, close to each other so that mates are common; sometimes with rights.
fn small_position(rng: &mut Rng, men: usize) -> Position {
    let mut board = Board::empty();
    let (x, y) = (rng.range(1, 5) as i8, rng.range(1, 5) as i8);
    let near = |rng: &mut Rng| -> Square { (x + rng.below(4) as i8, y + rng.below(4) as i8) };
    for _ in 0..men {
        let kind = rng.pick(&['Q', 'R', 'R', 'B', 'N', 'P', 'P']);
        board.put(near(rng), Some(Piece { white: rng.chance(60), kind }));
    }
    let home = rng.chance(15);
    if home {
        board.put((8, 1), Some(Piece { white: true, kind: 'R' }));
        board.castling = "K".to_string();
    }
    let mut king = if home { (5, 1) } else { near(rng) };
    board.put(king, Some(Piece { white: true, kind: 'K' }));
    while board.at(king).is_some_and(|man| man.kind == 'K' && man.white) {
        king = near(rng);
    }
    board.put(king, Some(Piece { white: false, kind: 'K' }));
    position_of(&board, rng.chance(70))
}

/// White's king in a corner behind its own men, a black man before it and White's heavy men around the black king, so
/// that Black may have to mate.
fn selfmate_position(rng: &mut Rng) -> Position {
    let mut board = Board::empty();
    let mut put = |at: Square, white: bool, kind: char| {
        if board.at(at).is_none() {
            board.put(at, Some(Piece { white, kind }));
        }
    };
    put((8, 1), true, 'K');
    put((7, 1), true, rng.pick(&['N', 'B', 'R']));
    put((8, 2), true, rng.pick(&['P', 'B', 'R']));
    put(if rng.chance(50) { (7, 2) } else { (6, 1) }, true, rng.pick(&['N', 'P']));
    put((1, 8), false, 'K');
    put((1, 7), rng.chance(50), rng.pick(&['P', 'P', 'N']));
    for _ in 0..rng.range(1, 2) {
        put((rng.range(1, 8) as i8, rng.range(2, 8) as i8), false, rng.pick(&['R', 'B', 'Q', 'B']));
    }
    for _ in 0..rng.range(2, 4) {
        put((rng.range(1, 8) as i8, rng.range(2, 8) as i8), true, rng.pick(&['Q', 'Q', 'R', 'N', 'B']));
    }
    position_of(&board, true)
}

fn mated(position: &Position) -> bool {
    status_of(position) == Status::Checkmate
}

/// The moves that the attacker needs at most, as the contract says it.
fn attack(position: &Position, kind: ProblemKind, moves: u8) -> bool {
    moves > 0 && legal_moves(position).iter().any(|&mv| defence(&after_move(position, mv), kind, moves - 1))
}

fn defence(position: &Position, kind: ProblemKind, moves: u8) -> bool {
    let replies = legal_moves(position);
    match kind {
        ProblemKind::MATE if replies.is_empty() => mated(position),
        ProblemKind::MATE => {
            moves > 0 && replies.iter().all(|&mv| attack(&after_move(position, mv), kind, moves))
        }
        _ => {
            !replies.is_empty()
                && replies.iter().all(|&mv| {
                    let next = after_move(position, mv);
                    mated(&next) || attack(&next, kind, moves)
                })
        }
    }
}

fn plain_keys(position: &Position, kind: ProblemKind, moves: u8) -> Vec<(ChessMove, u8)> {
    let needs = |mv| (1..=moves).find(|&n| defence(&after_move(position, mv), kind, n - 1));
    legal_moves(position).into_iter().filter_map(|mv| Some((mv, needs(mv)?))).collect()
}

fn plain_helpmates(
    position: &Position,
    plies: u8,
    line: &mut Vec<ChessMove>,
    found: &mut Vec<Vec<ChessMove>>,
) {
    if plies == 0 {
        if mated(position) {
            found.push(line.clone());
        }
        return;
    }
    for mv in legal_moves(position) {
        line.push(mv);
        plain_helpmates(&after_move(position, mv), plies - 1, line, found);
        line.pop();
    }
}

/// Whether the keys of a position are those of the plain recursion, and whether there is one.
fn check_keys(position: &Position, kind: ProblemKind, moves: u8) -> bool {
    let budget = Budget::new(u64::MAX, None);
    let asked = Stipulation::new(kind, 2 * moves);
    let keys = find_keys(position, asked, &budget).expect("not cancelled");
    assert!(keys.complete);
    let found: Vec<(ChessMove, u8)> = keys.keys.iter().map(|key| (key.mv, key.mates)).collect();
    assert_eq!(found, plain_keys(position, kind, moves), "{asked:?} of {position:?}");
    !found.is_empty()
}

#[test]
fn keys_of_mates_are_those_of_a_plain_recursion() {
    let mut rng = Rng::new(51);
    for (moves, men, count) in [(1, 6, 3_000), (2, 5, 600), (3, 2, 40)] {
        let keys =
            (0..count).filter(|_| check_keys(&small_position(&mut rng, men), ProblemKind::MATE, moves));
        let solved = keys.count();
        assert!(solved * 50 >= count, "{solved} of {count} have a key, too few to prove anything");
    }
}

/// Few positions have a selfmate, so many are tried, and those that have one are changed by a man.
#[test]
fn keys_of_selfmates_are_those_of_a_plain_recursion() {
    let mut rng = Rng::new(54);
    for (moves, count, wanted) in [(1, 60_000, 40), (2, 4_000, 4)] {
        let asked = Stipulation::new(ProblemKind::SELFMATE, 2 * moves);
        let mut solved = 0;
        for i in 0..count {
            let position = selfmate_position(&mut rng);
            let budget = Budget::new(u64::MAX, None);
            let has_key = !find_keys(&position, asked, &budget).expect("not cancelled").keys.is_empty();
            if has_key || i % (20 * usize::from(moves)) == 0 {
                check_keys(&position, asked.kind, moves);
            }
            if has_key {
                solved += 1;
                for cell in 0..64 {
                    let mut changed = position.clone();
                    if changed.board.cells[cell].take().is_some_and(|man| man.kind != Kind::King) {
                        check_keys(&changed, asked.kind, moves);
                    }
                }
            }
        }
        assert!(solved >= wanted, "{solved} of {count} have a key, too few to prove anything");
    }
}

#[test]
fn helpmates_are_those_of_a_plain_recursion() {
    let mut rng = Rng::new(56);
    for (plies, men, count) in [(2, 5, 1_500), (3, 4, 400), (4, 3, 40), (5, 1, 6)] {
        let mut solved = 0;
        for _ in 0..count {
            let position = small_position(&mut rng, men);
            let budget = Budget::new(u64::MAX, None);
            let asked = Stipulation::new(ProblemKind::HELPMATE, plies);
            let found = find_sequences(&position, asked, &budget).expect("not cancelled");
            let mut expected = Vec::new();
            plain_helpmates(&position, plies, &mut Vec::new(), &mut expected);
            expected.sort();
            solved += usize::from(!expected.is_empty());
            if expected.len() <= 1_000 {
                assert_eq!(found.solutions, expected, "{asked:?} of {position:?}");
                assert!(found.complete);
            }
        }
        assert!(plies == 5 || solved * 50 >= count, "{solved} of {count} have a solution");
    }
}

#[test]
fn tries_and_trees_agree_with_the_plain_recursion() {
    let mut rng = Rng::new(57);
    let asked = Stipulation::new(ProblemKind::MATE, 4);
    for _ in 0..300 {
        let position = small_position(&mut rng, 4);
        let budget = Budget::new(u64::MAX, None);
        let mut prover = Prover::new(asked, position.turn, &budget);
        let found = tries(&mut prover, &position, asked).expect("not cancelled");
        let refuted = |mv: ChessMove| -> Vec<ChessMove> {
            let after = after_move(&position, mv);
            let holds = |reply: &ChessMove| attack(&after_move(&after, *reply), asked.kind, 1);
            legal_moves(&after).into_iter().filter(|reply| !holds(reply)).collect()
        };
        let expected: Vec<(ChessMove, ChessMove)> = legal_moves(&position)
            .into_iter()
            .filter_map(|mv| match refuted(mv)[..] {
                [reply] => Some((mv, reply)),
                _ => None,
            })
            .collect();
        assert_eq!(found.tries.iter().map(|t| (t.mv, t.refutation)).collect::<Vec<_>>(), expected);
        for (key, mates) in plain_keys(&position, asked.kind, 2) {
            let tree = solution_tree(&mut prover, &position, asked, key).expect("not cancelled");
            assert!(tree.complete && tree.key.mates == mates);
            let after = after_move(&position, key);
            let replies: Vec<ChessMove> = tree.key.defences.iter().map(|d| d.mv).collect();
            assert_eq!(replies, legal_moves(&after));
            for defence in &tree.key.defences {
                let next = after_move(&after, defence.mv);
                let answers: Vec<(ChessMove, u8)> = defence.answers.iter().map(|a| (a.mv, a.mates)).collect();
                assert_eq!(answers, plain_keys(&next, asked.kind, 1));
            }
        }
    }
}
