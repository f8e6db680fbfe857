//! Each pruning is turned off by itself: the answers are the same with and without it. What it spares is written here, as the nodes
//! of a search: a pruning that leaves out less changes no answer.

use crate::board::{Castling, Colour, Kind, Piece};
use crate::games::Position;
use crate::games::budget::Budget;
use crate::games::chess_bits::{Followups, MateSquares, PackedPosition};
use crate::games::chess_problem::goal::tests::{Random, small_position};
use crate::games::chess_problem::prover::Prover;
use crate::games::chess_problem::pruning::Pruning;
use crate::games::chess_problem::search::Search;
use crate::games::chess_problem::sequences::Sequences;
use crate::games::game::ShorterSeries;
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
fn crowded_position(random: &mut Random) -> Position {
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
    while positions < 10_000 {
        let mut position = crowded_position(&mut random);
        position.turn = if random.below(4) == 0 { Colour::Black } else { Colour::White };
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
        [41_966, 1_172_429, 1_045_042, 808_508, 439_651],
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
