//! What is forced, compared with a search of all moves that knows nothing but legal moves and goals.

use crate::games::budget::Budget;
use crate::games::chess_bits::{PackedMove, PackedPosition};
use crate::games::chess_move::ChessMove;
use crate::games::chess_moves::after_move;
use crate::games::chess_problem::goal::GoalTest;
use crate::games::chess_problem::goal::tests::Random;
use crate::games::chess_problem::keys::{Key, find_keys, find_sound_keys};
use crate::games::chess_problem::prover::Prover;
use crate::games::chess_problem::search_tests::crowded_position;
use crate::games::chess_problem::tree::{Attack, Defence, SetPlay, Try, set_play, solution_tree, tries};
use crate::games::stipulation::Stipulation;
use cpz_text::syntax::{Goal, Play};

/// A search of all moves.
struct Brute {
    play: Play,
    goal: GoalTest,
}

/// The legal moves, by start, then file and rank of the target, then promotion.
fn moves_of(p: &PackedPosition) -> Vec<PackedMove> {
    let mut moves = Vec::new();
    p.legal_moves(&mut moves);
    moves.sort_by_key(|mv| {
        let mv = mv.unpacked();
        (mv.from.y, mv.from.x, mv.to.x, mv.to.y, mv.promotion.map(|kind| kind as u8))
    });
    moves
}

impl Brute {
    fn is_against_itself(&self) -> bool {
        self.play != Play::Direct
    }

    fn reaches(&self, p: &PackedPosition, mv: PackedMove) -> bool {
        self.goal.is_reached_by(p, mv, &p.after(mv))
    }

    fn can_reach(&self, p: &PackedPosition) -> bool {
        moves_of(p).into_iter().any(|mv| self.reaches(p, mv))
    }

    /// In reflex play a side that can reach the goal has to.
    fn must_reach(&self, p: &PackedPosition) -> bool {
        self.play == Play::Reflex && self.can_reach(p)
    }

    fn is_ended_by_defender(&self, p: &PackedPosition) -> bool {
        matches!(self.play, Play::Reflex | Play::SemiReflex) && self.can_reach(p)
    }

    /// Whether a move of the attacker forces the goal with some more moves.
    fn forces(&self, p: &PackedPosition, mv: PackedMove, left: u8) -> bool {
        let after = p.after(mv);
        if !self.is_against_itself() && self.reaches(p, mv) || self.is_ended_by_defender(&after) {
            return true;
        }
        let replies = moves_of(&after);
        !replies.is_empty() && replies.into_iter().all(|reply| self.is_lost(&after, reply, left))
    }

    /// Whether a reply reaches the goal, or lets the attacker force it with some more moves.
    fn is_lost(&self, p: &PackedPosition, reply: PackedMove, left: u8) -> bool {
        let own_goal = self.is_against_itself() && self.reaches(p, reply);
        own_goal || !self.keys(&p.after(reply), left).is_empty()
    }

    /// The replies that the defender may choose from.
    fn replies(&self, p: &PackedPosition) -> Vec<PackedMove> {
        let must_reach = self.is_ended_by_defender(p);
        moves_of(p).into_iter().filter(|&mv| !must_reach || self.reaches(p, mv)).collect()
    }

    /// The moves that force the goal in at most some moves, with the fewest that each needs.
    fn keys(&self, p: &PackedPosition, moves: u8) -> Vec<(PackedMove, u8)> {
        if moves == 0 || self.must_reach(p) {
            return Vec::new();
        }
        let needs = |mv| (1..=moves).find(|&length| self.forces(p, mv, length - 1));
        moves_of(p).into_iter().filter_map(|mv| Some((mv, needs(mv)?))).collect()
    }

    fn named(keys: &[(PackedMove, u8)]) -> Vec<Key> {
        keys.iter().map(|&(mv, mates)| Key { mv: mv.unpacked(), mates }).collect()
    }

    /// The tree below a move that needs `mates` moves, in at most `moves`.
    fn tree(&self, p: &PackedPosition, (mv, mates): (PackedMove, u8), moves: u8) -> Attack {
        let after = p.after(mv);
        let mut attack =
            Attack { mv: mv.unpacked(), mates, threats: Vec::new(), zugzwang: false, defences: Vec::new() };
        let replies = self.replies(&after);
        if replies.is_empty() || mates == 1 && !self.is_against_itself() {
            return attack;
        }
        if moves > 1 && !after.is_in_check(after.turn()) {
            attack.threats = Brute::named(&self.keys(&after.after_pass(), moves - 1));
            attack.zugzwang = attack.threats.is_empty();
        }
        for reply in replies {
            let next = after.after(reply);
            let Some(mates) = (0..moves).find(|&length| self.is_lost(&after, reply, length)) else {
                continue;
            };
            let answers = if mates > 0 { self.keys(&next, moves - 1) } else { Vec::new() };
            let answers = answers.into_iter().map(|key| self.tree(&next, key, moves - 1)).collect();
            attack.defences.push(Defence { mv: reply.unpacked(), mates, answers });
        }
        attack
    }

    fn tries(&self, p: &PackedPosition, moves: u8) -> Vec<Try> {
        let mut found = Vec::new();
        for mv in moves_of(p).into_iter().filter(|&mv| self.is_against_itself() || !self.reaches(p, mv)) {
            if let [refutation] = self.refutations(&p.after(mv), moves - 1)[..] {
                found.push(Try { mv: mv.unpacked(), refutation: refutation.unpacked() });
            }
        }
        found
    }

    fn refutations(&self, p: &PackedPosition, left: u8) -> Vec<PackedMove> {
        let ends = self.is_ended_by_defender(p);
        moves_of(p).into_iter().filter(|&reply| !ends && !self.is_lost(p, reply, left)).collect()
    }

    /// What is ready for each move of the defender if it had to move first.
    fn set_play(&self, p: &PackedPosition, moves: u8) -> Vec<SetPlay> {
        let passed = p.after_pass();
        if passed.is_in_check(p.turn()) {
            return Vec::new();
        }
        let ends = self.is_ended_by_defender(&passed) || moves == 1 && self.is_against_itself();
        let play = moves_of(&passed).into_iter().filter_map(|reply| {
            let answers = if ends { Vec::new() } else { self.keys(&passed.after(reply), moves - 1) };
            let is_shown = ends && self.reaches(&passed, reply) || !answers.is_empty();
            is_shown.then(|| SetPlay { mv: reply.unpacked(), answers: Brute::named(&answers) })
        });
        play.collect()
    }
}

/// The short form, and how many positions with few keys are compared.
const ASKED: [(&str, usize); 12] = [
    ("#1", 6),
    ("#2", 6),
    ("=2", 3),
    ("+2", 3),
    ("x2", 3),
    ("zd42", 2),
    ("s#1", 16),
    ("s#2", 3),
    ("s+2", 4),
    ("sx2", 3),
    ("r#2", 3),
    ("semi-r#2", 3),
];

#[test]
fn what_is_forced_is_what_a_search_of_all_moves_forces() {
    let mut random = Random(31);
    for (short, count) in ASKED {
        let asked = Stipulation::from_short(short).expect("a stipulation");
        let (brute, moves) = (Brute { play: asked.play(), goal: GoalTest::new(asked) }, asked.moves());
        let (mut compared, mut without) = (0, 0);
        while compared < count {
            let position = crowded_position(&mut random);
            let p = PackedPosition::new(&position, position.turn);
            if p.is_in_check(position.turn.other()) || p.kings().count_ones() != 2 {
                continue;
            }
            let budget = Budget::new(u64::MAX, None);
            let found = find_keys(&position, asked, &budget).expect("no limit");
            let has_few = (1..4).contains(&found.keys.len());
            if !has_few && (without == 3 || !found.keys.is_empty()) {
                continue;
            }
            compared += usize::from(has_few);
            without += usize::from(!has_few);
            let keys = brute.keys(&p, moves);
            assert_eq!((found.keys, found.complete), (Brute::named(&keys), true), "{short} {position:?}");
            for wanted in 0..4 {
                let is_sound = keys.len() == wanted && keys.iter().all(|key| key.1 == moves);
                let found = find_sound_keys(&position, asked, wanted, &budget).expect("no limit");
                assert_eq!(found, is_sound.then(|| Brute::named(&keys)), "{wanted} {short} {position:?}");
            }
            let prover = &mut Prover::new(asked, position.turn, &budget);
            let fewest = keys.iter().map(|key| key.1).min();
            assert_eq!(prover.attack(&position, moves), Ok(fewest), "{short} {position:?}");
            let due = (brute.tries(&p, moves), brute.set_play(&p, moves));
            let found = tries(prover, &position, asked).expect("no limit");
            assert_eq!((&found.tries, found.complete), (&due.0, true), "{short} {position:?}");
            assert_eq!(set_play(prover, &position, asked), Ok(due.1), "{short} {position:?}");
            assert_eq!(prover.continuations(&position, moves), Ok(Brute::named(&keys)), "{short}");
            for &(mv, mates) in &keys {
                assert_eq!(prover.after_attack(&position, mv.unpacked(), moves), Ok(Some(mates - 1)));
            }
            // The tree of a try leaves out the reply that refutes it.
            let tries = found.tries.iter().take(3).map(|found| (found.mv.into(), moves));
            for (mv, mates) in keys.iter().copied().chain(tries) {
                let tree = solution_tree(prover, &position, asked, mv.unpacked()).expect("no limit");
                let due = brute.tree(&p, (mv, mates), moves);
                assert_eq!((tree.key, tree.complete), (due, true), "{short} {position:?}");
            }
            for mv in moves_of(&p).into_iter().take(8).chain(keys.iter().map(|key| key.0)) {
                let (after, next) = (after_move(&position, mv.unpacked()), p.after(mv));
                let due: Vec<ChessMove> =
                    brute.refutations(&next, moves - 1).into_iter().map(PackedMove::unpacked).collect();
                for limit in [1, 99] {
                    let due = &due[..due.len().min(limit)];
                    assert_eq!(prover.refutations(&after, moves - 1, limit).as_deref(), Ok(due), "{short}");
                }
                let replies = brute.replies(&next).into_iter().map(PackedMove::unpacked).collect();
                assert_eq!(prover.replies(&after), Ok(replies), "{mv:?} {short} {position:?}");
                if !matches!(asked.goal(), Goal::Capture | Goal::Arrival) {
                    let due = keys.iter().find(|key| key.0 == mv).map(|key| key.1 - 1);
                    assert_eq!(prover.defence(&after, moves - 1), Ok(due), "{mv:?} {short} {position:?}");
                }
            }
            let mut other = position.clone();
            other.turn = position.turn.other();
            for reply in moves_of(&p.after_pass()) {
                let is_goal = brute.is_against_itself() && brute.reaches(&p.after_pass(), reply);
                assert_eq!(
                    prover.is_goal_of_reply(&other, reply.unpacked()),
                    is_goal,
                    "{short} {position:?}"
                );
            }
        }
    }
}

#[test]
fn a_tree_for_which_the_nodes_do_not_suffice_is_not_complete() {
    let asked = Stipulation::from_short("#2").expect("a stipulation");
    let (mut random, mut ended) = (Random(37), 0);
    while ended < 10 {
        let position = crowded_position(&mut random);
        let (whole, start) = (Budget::new(100_000, None), PackedPosition::new(&position, position.turn));
        if start.is_in_check(position.turn.other()) {
            continue;
        }
        let keys = find_keys(&position, asked, &whole).expect("not cancelled").keys;
        let Some(key) = keys.iter().find(|key| key.mates == 2) else { continue };
        let before = whole.left();
        let tree = solution_tree(&mut Prover::new(asked, position.turn, &whole), &position, asked, key.mv);
        assert!(tree.expect("not cancelled").complete);
        let taken = before - whole.left();
        for (nodes, is_complete) in [(taken, true), (taken - 1, false), (taken / 2, false), (1, false)] {
            let budget = Budget::new(nodes, None);
            let prover = &mut Prover::new(asked, position.turn, &budget);
            let tree = solution_tree(prover, &position, asked, key.mv).expect("not cancelled");
            assert_eq!(
                (tree.key.mv, tree.complete),
                (key.mv, is_complete),
                "{nodes} of {taken} {position:?}"
            );
        }
        ended += 1;
    }
}
