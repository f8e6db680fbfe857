//! Each pruning is turned off by itself: the answers are the same with and without it. What it spares is written here, as the nodes
//! of a search: a pruning that leaves out less changes no answer.

use crate::board::{Castling, Colour, Kind, Piece, Rights, Square, read_fen_fields};
use crate::games::Position;
use crate::games::budget::Budget;
use crate::games::chess_bits::{Followups, IdleMoves, MateSquares, PackedPosition};
use crate::games::chess_problem::goal::tests::{Random, small_position};
use crate::games::chess_problem::prover::Prover;
use crate::games::chess_problem::pruning::Pruning;
use crate::games::chess_problem::search::Search;
use crate::games::chess_problem::sequences::Sequences;
use crate::games::game::{Dialect, Game, ShorterSeries};
use crate::games::stipulation::Stipulation;

/// The short form, the number of positions, the nodes that they take, and the prunings that matter for it.
const TABLE: &[(&str, usize, u64, &[Pruning])] = &[
    ("ser-#2", 400, 5_919, &[Pruning::Layers]),
    ("ser-#3", 60, 11_711, &[Pruning::Layers]),
    ("ser-=2", 400, 51_607, &[Pruning::Layers, Pruning::Stalemate]),
    ("ser-=3", 100, 178_074, &[Pruning::Layers, Pruning::Stalemate]),
    ("ser-=4", 10, 133_576, &[Pruning::Layers, Pruning::Stalemate]),
    ("ser-h#2", 400, 50_865, &[Pruning::Layers, Pruning::Idle]),
    ("ser-h#3", 100, 103_017, &[Pruning::Layers, Pruning::Idle]),
    ("ser-h#4", 15, 429_321, &[Pruning::Layers, Pruning::Idle]),
    ("ser-h=2", 400, 122_111, &[Pruning::Layers, Pruning::Stalemate]),
    ("ser-h=3", 100, 187_811, &[Pruning::Layers, Pruning::Stalemate]),
    ("ser-h=4", 15, 106_634, &[Pruning::Layers, Pruning::Stalemate]),
    ("ser-hx3", 60, 1_627_071, &[Pruning::Layers]),
    ("ser-h+3", 60, 1_351_312, &[Pruning::Layers]),
    ("ser-s#2", 300, 53_753, &[Pruning::Layers, Pruning::Replies]),
    ("ser-s#3", 60, 122_726, &[Pruning::Layers, Pruning::Replies]),
    ("ser-s=2", 300, 108_802, &[Pruning::Layers]),
    ("hs#1.5", 200, 16_817, &[Pruning::Replies]),
    ("hs#2", 60, 61_700, &[Pruning::Replies]),
    ("h#1.5", 200, 24_150, &[Pruning::Idle]),
    ("h#2", 60, 101_477, &[Pruning::Idle]),
    ("h#2.5", 40, 666_465, &[Pruning::MateSquares]),
    ("h#3", 8, 595_987, &[Pruning::MateSquares]),
    ("h=1.5", 200, 143_654, &[Pruning::Stalemate]),
    ("h=2", 60, 517_453, &[Pruning::Stalemate]),
    ("ser-#1", 100, 103, &[]),
    ("ser-h#1", 100, 1_099, &[]),
    ("h+2", 10, 196_997, &[]),
    ("hx1.5", 20, 15_187, &[]),
    ("hzd42", 10, 437_033, &[]),
];

const NODES: u64 = 100_000_000;

/// What a search finds, and the nodes that it takes.
fn solve(position: &Position, asked: Stipulation, without: Option<Pruning>) -> (Sequences, u64) {
    let budget = Budget::new(NODES, None).with_max_solutions(20_000);
    let mut search = Search::new(asked, &budget);
    search.prunings.without = without;
    let found = search.sequences(position, asked).expect("not cancelled");
    (found, NODES - budget.left())
}

/// Fails unless a search takes as many nodes as the table says. With `CPZ_BLESS` set, it prints them in place of that.
fn compare_nodes(short: &str, taken: u64, due: u64) {
    if std::env::var_os("CPZ_BLESS").is_some() {
        println!("{short}: {taken} nodes");
    } else {
        assert_eq!(taken, due, "nodes of {short}: a pruning leaves out more or less than before");
    }
}

#[test]
fn no_pruning_changes_an_answer() {
    let (mut random, mut solved) = (Random(11), 0);
    for &(short, count, nodes, prunings) in TABLE {
        let asked = Stipulation::from_short(short).expect("a stipulation");
        let (mut tested, mut taken) = (0, 0);
        while tested < count {
            let mut position = small_position(&mut random);
            position.turn = if random.below(2) == 0 { Colour::White } else { Colour::Black };
            let p = PackedPosition::new(&position, position.turn);
            if p.is_in_check(position.turn.other()) {
                continue;
            }
            tested += 1;
            let (found, nodes) = solve(&position, asked, None);
            taken += nodes;
            solved += usize::from(!found.solutions.is_empty());
            for &pruning in prunings {
                let (due, _) = solve(&position, asked, Some(pruning));
                assert!(found.solutions == due.solutions, "{short} {pruning:?} {position:?}");
                assert!(found.complete == due.complete && found.is_cut == due.is_cut);
            }
            if let ShorterSeries::First(line) = found.shorter {
                let moves = (1..asked.moves()).find(|&n| asked.with_moves(n).sequence_len() == line.len());
                let shorter = asked.with_moves(moves.expect("a length"));
                let (due, _) = solve(&position, shorter, Some(Pruning::Layers));
                assert_eq!(due.solutions.first(), Some(&line));
            }
        }
        compare_nodes(short, taken, nodes);
    }
    assert!(solved > 250, "{solved} solved");
}

/// The short form, and for 10 positions and 100 numbers of nodes that may be taken how many are decided, their solutions, the nodes,
/// and those with a shorter series.
const FEW_NODES: &[(&str, u64, [u64; 4])] = &[
    ("ser-#3", 2, [297, 693, 74_148, 37]),
    ("ser-=3", 40, [464, 2_963, 515_000, 369]),
    ("ser-h#2", 3, [518, 0, 77_853, 0]),
    ("ser-h=2", 5, [252, 0, 189_242, 0]),
    ("ser-hx2", 5, [237, 2_716, 180_470, 394]),
];

#[test]
fn half_of_the_nodes_is_for_the_search_without_layers() {
    let mut random = Random(71);
    for &(short, step, due) in FEW_NODES {
        let asked = Stipulation::from_short(short).expect("a stipulation");
        let mut sums = [0; 4];
        for _ in 0..10 {
            let position = small_position(&mut random);
            for nodes in (1..=100).map(|n| n * step) {
                let budget = Budget::new(nodes, None).with_max_solutions(8);
                let found = Search::new(asked, &budget).sequences(&position, asked).expect("not cancelled");
                sums[0] += u64::from(found.complete);
                sums[1] += found.solutions.len() as u64;
                sums[2] += nodes - budget.left();
                sums[3] += u64::from(matches!(found.shorter, ShorterSeries::First(_)));
            }
        }
        match std::env::var_os("CPZ_BLESS") {
            Some(_) => println!("{short} by {step}: {sums:?}"),
            None => assert_eq!(sums, due, "{short} with multiples of {step} nodes"),
        }
    }
}

/// A promotion or castling may be the first of two moves, and castling need not mate. What was found is not searched for again.
#[test]
fn mates_in_two_are_those_of_the_keys() {
    let asked = Stipulation::from_short("#2").expect("a stipulation");
    let (mut random, mut found, mut nodes, mut again) = (Random(89), 0, 0, 0);
    let fixed = ["8/kP6/2K5/8/8/8/8/8", "8/8/8/8/4R3/6k1/8/4K2R", "8/8/8/3k4/8/8/8/4K2R"];
    for i in 0..600 {
        let mut position = crowded_position(&mut random);
        if let Some(fen) = fixed.get(i) {
            let format = crate::games::chess::Chess.format();
            position.board = read_fen_fields(&[fen], format).expect("a board").board;
        }
        for _ in 0..if i < fixed.len() { 0 } else { 3 } {
            let cell = &mut position.board.cells[48 + random.below(8) as usize];
            *cell = cell.or(Some(Piece::new(Colour::White, Kind::Pawn)));
        }
        position.turn = Colour::White;
        let p = PackedPosition::new(&position, position.turn);
        if p.is_in_check(Colour::Black) || p.kings().count_ones() != 2 {
            continue;
        }
        let budget = Budget::new(u64::MAX, None);
        let prover = &mut Prover::new(asked, position.turn, &budget);
        let is_mate = prover.attacks(&p, 2).expect("no limit");
        nodes += u64::MAX - budget.left();
        let before = budget.left();
        assert_eq!(prover.attacks(&p, 2), Ok(is_mate), "{position:?}");
        again += before - budget.left();
        let keys = prover.continuations(&position, 2).expect("no limit");
        assert_eq!(is_mate, !keys.is_empty(), "{position:?}");
        found += u64::from(is_mate && keys.iter().all(|key| key.mates == 2));
    }
    assert_eq!(
        [found, nodes, again],
        [24, 26_048, 21],
        "mates in two, their nodes, and those when asked again"
    );
}

/// The stipulation, and the nodes that it takes to ask again.
#[test]
fn what_is_known_of_a_position_is_not_searched_for_again() {
    for (short, due) in [("#3", 0), ("s#2", 0), ("r#2", 48), ("semi-r#2", 0), ("s+2", 0), ("x3", 34)] {
        let asked = Stipulation::from_short(short).expect("a stipulation");
        let (mut random, mut again) = (Random(97), 0);
        for _ in 0..12 {
            let position = small_position(&mut random);
            let p = PackedPosition::new(&position, position.turn);
            let budget = Budget::new(u64::MAX, None);
            let prover = &mut Prover::new(asked, position.turn, &budget);
            let found = prover.attacks(&p, asked.moves());
            let before = budget.left();
            assert_eq!(prover.attacks(&p, asked.moves()), found, "{short} {position:?}");
            again += before - budget.left();
        }
        match std::env::var_os("CPZ_BLESS") {
            Some(_) => println!("{short} again: {again}"),
            None => assert_eq!(again, due, "{short}"),
        }
    }
}

/// No game has such a position, but it may be asked about.
#[test]
fn a_series_may_begin_with_the_other_king_in_check() {
    let (mut random, mut solved, mut tested) = (Random(73), 0, 0);
    while tested < 400 {
        let position = small_position(&mut random);
        if !PackedPosition::new(&position, position.turn).is_in_check(position.turn.other()) {
            continue;
        }
        tested += 1;
        for short in ["ser-#2", "ser-h#2", "ser-=2"] {
            let asked = Stipulation::from_short(short).expect("a stipulation");
            let (found, due) = (
                solve(&position, asked, None).0.solutions,
                solve(&position, asked, Some(Pruning::Layers)).0.solutions,
            );
            assert!(found == due, "{short} {position:?}");
            solved += usize::from(!found.is_empty());
        }
    }
    assert!(solved > 10, "{solved} solved");
}

/// The same for play with keys, with more men.
const KEYS: &[(&str, usize, u64, &[Pruning])] = &[
    ("#2", 600, 35_624, &[Pruning::Followups, Pruning::Refuted]),
    ("#3", 150, 70_062, &[Pruning::Followups, Pruning::Refuted, Pruning::KnownReplies]),
    ("#4", 8, 86_451, &[Pruning::Followups, Pruning::Refuted, Pruning::KnownReplies]),
    ("s#2", 100, 30_425, &[Pruning::Replies, Pruning::Refuted]),
    ("s#3", 6, 40_518, &[Pruning::Replies, Pruning::Refuted]),
    ("=2", 60, 22_012, &[]),
    ("+2", 60, 40_306, &[]),
    ("+3", 20, 48_350, &[Pruning::KnownReplies]),
    ("x2", 60, 41_739, &[]),
    ("r#2", 60, 27_733, &[Pruning::Refuted]),
    ("semi-r#2", 60, 34_228, &[Pruning::Refuted]),
    ("r#3", 4, 16_091, &[Pruning::Refuted]),
    ("semi-r#3", 4, 211_477, &[Pruning::Refuted]),
    ("s+3", 4, 13_458, &[]),
    ("zd42", 60, 26_869, &[]),
    ("szd42", 60, 24_324, &[]),
    ("+4", 2, 30_423, &[Pruning::KnownReplies]),
];

#[test]
fn no_pruning_changes_a_key() {
    let (mut random, mut found) = (Random(17), 0);
    for &(short, count, nodes, prunings) in KEYS {
        let asked = Stipulation::from_short(short).expect("a stipulation");
        let keys = |position: &Position, without| {
            let budget = Budget::new(u64::MAX, None);
            let mut prover = Prover::new(asked, position.turn, &budget);
            prover.prunings.without = without;
            let (p, mut keys) = (PackedPosition::new(position, position.turn), Vec::new());
            prover.keys(&p, asked.moves(), &mut keys).expect("no limit");
            (keys, u64::MAX - budget.left())
        };
        let (mut tested, mut taken) = (0, 0);
        while tested < count {
            let mut position = crowded_position(&mut random);
            position.turn = Colour::White;
            let p = PackedPosition::new(&position, position.turn);
            if p.is_in_check(Colour::Black) || p.kings().count_ones() != 2 {
                continue;
            }
            tested += 1;
            let (all, nodes) = keys(&position, None);
            taken += nodes;
            found += usize::from(!all.is_empty() && all.len() < 10);
            for &pruning in prunings {
                assert!(all == keys(&position, Some(pruning)).0, "{short} {pruning:?} {position:?}");
            }
        }
        compare_nodes(short, taken, nodes);
    }
    assert!(found > 60, "{found} positions with a few keys");
}

/// The small position, with more men of White anywhere, so that lines and batteries arise.
pub(in crate::games) fn crowded_position(random: &mut Random) -> Position {
    let mut position = small_position(random);
    position.rights.castling = Castling::ALL;
    for _ in 0..random.below(5) {
        let kinds =
            [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight, Kind::Pawn, Kind::Rook, Kind::Bishop];
        let colour = if random.below(4) == 0 { Colour::Black } else { Colour::White };
        let kind = kinds[random.below(7) as usize];
        let cell = &mut position.board.cells[random.below(64) as usize];
        *cell = cell.or(Some(Piece::new(colour, kind)));
    }
    position
}

#[test]
fn mates_after_a_reply_are_those_of_the_position_after_it() {
    let (mut random, mut mates, mut spared) = (Random(5), 0, 0u64);
    let (mut positions, mut pairs, mut ruled_out, mut nodes) = (0, 0u64, 0u64, 0);
    // A pawn goes before a rook to a square that the king would have captured on; another one mates by its second move, a capture.
    let fixed = ["8/8/1k6/8/P7/8/8/R6K", "5Kbk/p5pp/8/5P2/8/8/8/8"];
    while positions < 10_000 {
        let mut position = crowded_position(&mut random);
        position.turn = if random.below(4) == 0 { Colour::Black } else { Colour::White };
        if let Some(fen) = fixed.get(positions) {
            let format = crate::games::chess::Chess.format();
            position.board = read_fen_fields(&[fen], format).expect("a board").board;
            position.turn = Colour::White;
        }
        // Nothing is said about a third king.
        let free = position.board.cells.iter().rposition(Option::is_none).filter(|_| positions % 64 == 2);
        if let Some(cell) = free {
            position.board.cells[cell] = Some(Piece::new(position.turn.other(), Kind::King));
        }
        let p = PackedPosition::new(&position, position.turn);
        if p.is_in_check(position.turn.other()) {
            continue;
        }
        positions += 1;
        let (mut firsts, mut replies, mut followups) = (Vec::new(), Vec::new(), Followups::new());
        p.legal_moves(&mut firsts);
        p.after_pass().legal_moves(&mut replies);
        for reply in replies {
            if !followups.look_behind(&p, reply) {
                continue;
            }
            for &first in firsts.iter().filter(|mv| mv.is_plain()) {
                let (mut made, mut made_by_all) = (0, 0);
                let found = followups.mates(&p, first, &mut made);
                let after = p.after(first);
                let due = after
                    .is_legal(reply)
                    .then(|| after.after(reply).each_mate(true, &mut made_by_all, |_| true));
                assert!(found == due, "{first:?} {reply:?} {found:?} {position:?}");
                let is_open = followups.open(&p, first.from(), 1 << first.to()) != 0;
                assert!(is_open || due == Some(false), "{first:?} {reply:?} {position:?}");
                ruled_out += u64::from(!is_open);
                mates += u32::from(found == Some(true));
                spared += u64::from(made == 0);
                nodes += made + made_by_all;
                pairs += 1;
            }
        }
    }
    let found = [u64::from(mates), pairs, spared, ruled_out, nodes];
    assert_eq!(
        found,
        [41_710, 1_159_191, 1_033_397, 799_692, 434_278],
        "mates, pairs, those without a node, those ruled out, and nodes"
    );
}

/// Whether some moves of both sides mate the side that does not make the last one.
fn is_mate_reachable(p: &PackedPosition, plies: u32) -> bool {
    let mut moves = Vec::new();
    p.legal_moves(&mut moves);
    moves.into_iter().any(|mv| match plies {
        1 => p.after(mv).is_mate(),
        _ => is_mate_reachable(&p.after(mv), plies - 1),
    })
}

#[test]
fn a_mate_that_is_ruled_out_is_not_reached() {
    let (mut random, mut reached, mut ruled_out) = (Random(19), 0, 0);
    for i in 0..12_000u32 {
        let plies = if i % 40 == 0 { 3 } else { 1 + i % 2 };
        let mut position = small_position(&mut random);
        position.turn = if random.below(2) == 0 { Colour::White } else { Colour::Black };
        let p = PackedPosition::new(&position, position.turn);
        if p.is_in_check(position.turn.other()) {
            continue;
        }
        let side = if plies == 2 { p.turn() } else { p.turn().other() };
        let may_be = MateSquares::new().may_be_mated(&p, side, plies / 2, plies.div_ceil(2));
        let is = is_mate_reachable(&p, plies);
        assert!(may_be || !is, "{plies} plies of {position:?}");
        reached += u32::from(is);
        ruled_out += u32::from(!may_be);
    }
    assert_eq!([reached, ruled_out], [184, 3_988], "reached, and ruled out");
}

/// The board upside down, with the colours exchanged.
pub(in crate::games) fn turned(position: &Position) -> Position {
    let mut turned = position.clone();
    for (i, cell) in position.board.cells.iter().enumerate() {
        turned.board.cells[i ^ 56] = cell.map(|piece| Piece::new(piece.colour.other(), piece.kind));
    }
    turned.turn = position.turn.other();
    turned.rights.en_passant = position.rights.en_passant.map(|square| Square { y: 7 - square.y, ..square });
    turned
}

/// Lets a pawn of the side that is not to move, White's opponent, have made a double step, if one may have.
fn with_double_step(mut position: Position) -> Position {
    let at = |x, y| position.board.at(Square::new(x, y));
    let black = Some(Piece::new(Colour::Black, Kind::Pawn));
    let file = (0..8).find(|&x| at(x, 4) == black && at(x, 5).is_none() && at(x, 6).is_none());
    position.rights.en_passant = file.map(|x| Square::new(x, 5));
    position
}

#[test]
fn mates_in_one_are_the_moves_that_mate() {
    let (mut random, mut by_pawns, mut odd) = (Random(29), [0; 2], 0);
    for i in 0..40_000 {
        let mut position = crowded_position(&mut random);
        if i % 2 == 1 {
            position = turned(&position);
        }
        let p = PackedPosition::new(&position, position.turn);
        let (mut due, mut found, mut made) = (Vec::new(), Vec::new(), 0);
        p.legal_moves(&mut due);
        let legal = due.len() as u64;
        due.retain(|&mv| p.after(mv).is_mate());
        let is_ended = p.each_mate(false, &mut made, |mv| {
            found.push(mv);
            false
        });
        due.sort_unstable();
        found.sort_unstable();
        assert!(found == due && !is_ended, "{position:?}");
        assert_eq!(p.each_mate(false, &mut 0, |_| true), !due.is_empty(), "{position:?}");
        by_pawns[i % 2] += due.iter().filter(|mv| mv.is_plain() && p.pawns() >> mv.from() & 1 != 0).count();
        // A mate of a king that is in check before the move is looked for among all moves.
        if p.is_in_check(position.turn.other()) {
            assert_eq!(made, legal, "{position:?}");
            odd += due.len();
        }
    }
    assert!(
        by_pawns.iter().all(|&mates| mates > 0) && odd > 0,
        "{by_pawns:?} mates by pawns, {odd} odd ones"
    );
}

/// A rook gives check along the fourth rank, and the king has no flight.
#[test]
fn a_double_step_may_be_the_only_defence() {
    let format = crate::games::chess::Chess.format();
    for (fen, is_mate) in [
        ("7k/8/8/6r1/K6r/2r5/3P4/8", false),
        ("7k/8/8/6r1/K6r/2rn4/3P4/8", true),
        ("7k/8/8/6r1/K6r/2r5/8/3P4", true),
        ("7k/8/8/6r1/K6r/2rP4/8/8", false),
    ] {
        let board = read_fen_fields(&[fen], format).expect("a board").board;
        let (turn, dialect, rights) = (Colour::White, Dialect::Default, Rights::default());
        let position = Position { board, turn, dialect, rights };
        for position in [turned(&position), position] {
            assert_eq!(PackedPosition::new(&position, position.turn).is_mate(), is_mate, "{position:?}");
        }
    }
}

/// What is decided without a list of moves, in positions with many pawns and with kings more than one, where these are the moves of
/// another position, too.
#[test]
fn decisions_without_a_list_are_those_of_the_legal_moves() {
    let (mut random, mut found) = (Random(61), [0; 4]);
    for i in 0..30_000 {
        let mut position = crowded_position(&mut random);
        for _ in 0..random.below(6) {
            let colour = if random.below(2) == 0 { Colour::Black } else { Colour::White };
            let kind = if random.below(4) == 0 { Kind::King } else { Kind::Pawn };
            let cell = &mut position.board.cells[random.below(64) as usize];
            *cell = cell.or(Some(Piece::new(colour, kind)));
        }
        position = with_double_step(position);
        if i % 2 == 1 {
            position = turned(&position);
        }
        let p = PackedPosition::new(&position, position.turn);
        let mut moves = Vec::new();
        p.legal_moves(&mut moves);
        let is_mate = p.is_in_check(p.turn()) && moves.is_empty();
        // A side that has two kings is mated on the first one alone.
        assert_eq!(p.is_mate(), is_mate, "{position:?}");
        assert_eq!(p.has_reply(), !moves.is_empty(), "{position:?}");
        let squares = random.below(1 << 30) << 34 | random.below(1 << 30) << 4;
        let mut to_some = Vec::new();
        p.each_move_to(squares, |mv| {
            to_some.push(mv);
            false
        });
        moves.retain(|mv| squares >> mv.to() & 1 != 0 || mv.is_castling() || mv.is_en_passant());
        moves.sort_unstable();
        to_some.sort_unstable();
        assert!(moves == to_some, "{squares:x} of {position:?}");
        found[0] += u32::from(is_mate);
        found[1] += u32::from(p.is_in_check(p.turn()));
        found[2] += u32::from(moves.iter().any(|mv| mv.is_castling()));
        found[3] += u32::from(moves.iter().any(|mv| mv.is_en_passant()));
    }
    assert!(found.iter().zip([200, 9_000, 10, 100]).all(|(&found, least)| found > least), "{found:?}");
}

#[test]
fn shorter_series_are_told_though_not_all_of_them_are_kept() {
    let (mut random, mut compared, mut crowded) = (Random(43), 0, 0);
    for short in ["ser-#2", "ser-#3", "ser-=2", "ser-h#2", "ser-h=2", "ser-s=2"] {
        let asked = Stipulation::from_short(short).expect("a stipulation");
        for _ in 0..60 {
            let position = small_position(&mut random);
            let p = PackedPosition::new(&position, position.turn);
            if p.is_in_check(position.turn.other()) {
                continue;
            }
            let (all, _) = solve(&position, asked, None);
            let budget = Budget::new(NODES, None).with_max_solutions(1);
            let one = Search::new(asked, &budget).sequences(&position, asked).expect("not cancelled");
            assert_eq!(one.is_cut, all.solutions.len() > 1, "{short} {position:?}");
            assert_eq!(one.solutions.len(), all.solutions.len().min(1), "{short} {position:?}");
            assert!(one.solutions.iter().all(|line| all.solutions.contains(line)), "{short} {position:?}");
            if let (ShorterSeries::First(due), ShorterSeries::First(line)) = (&all.shorter, &one.shorter) {
                assert!(due.len() < asked.sequence_len() && line.len() == due.len(), "{short} {position:?}");
                crowded += 1;
            } else {
                assert_eq!(one.shorter, all.shorter, "{short} {position:?}");
            }
            compared += 1;
        }
    }
    assert!(compared > 200 && crowded >= 10, "{compared} positions, {crowded} with shorter series");
}

#[test]
fn no_mate_follows_a_move_that_is_idle() {
    let (mut random, mut found) = (Random(47), [0; 3]);
    for i in 0..8_000 {
        let mut position = crowded_position(&mut random);
        for _ in 0..random.below(4) {
            let cell = 8 + random.below(32) as usize;
            for cell in [cell, cell + 8] {
                let cell = &mut position.board.cells[cell];
                *cell = cell.or(Some(Piece::new(Colour::White, Kind::Pawn)));
            }
        }
        // White is to mate, and Black where the board is turned.
        position.turn = Colour::Black;
        if i % 2 == 1 {
            position = turned(&position);
        }
        let p = PackedPosition::new(&position, position.turn);
        let Some(idle) = IdleMoves::new(&p).filter(|_| !p.is_in_check(position.turn.other())) else {
            continue;
        };
        let mut moves = Vec::new();
        p.legal_moves(&mut moves);
        for mv in moves {
            let mates = p.after(mv).each_mate(false, &mut 0, |_| true);
            assert!(!mates || !idle.contain(&p, mv), "{mv:?} {position:?}");
            found[0] += u32::from(mates);
            found[1] += u32::from(idle.contain(&p, mv));
            found[2] += 1;
        }
    }
    assert_eq!(found, [69, 5_231, 23_475], "moves before a mate, idle ones, and all");
}
