//! What makes a position of solitaire easy or hard, by one pass over the states that can be reached.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::games::budget::{Budget, Undecided};
use crate::games::solitaire::graph::{Cells, Graph, State, bits};

/// States that are stored. A position with more is undecided.
const MAX_STATES: usize = 1 << 20;

/// The cost of a state in nodes, as of a count.
const NODES_A_STATE: u64 = 4;

/// What makes a position of solitaire easy or hard. Every number is exact; the chance is rounded as a number of 53 bits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolitaireFacts {
    /// The captures that are legal at the start.
    pub first_captures: u32,
    /// Those of them after which the position can still be solved.
    pub solving_captures: u32,
    /// The first step, from 1, at which a capture can lose the solution although none before it did; `None` if no
    /// capture can.
    pub earliest_trap: Option<u32>,
    /// The steps at which exactly one capture keeps the solution, in every position that can still be solved.
    pub forced_steps: u32,
    /// The captures of a solution.
    pub steps: u32,
    /// The number of solutions, each order of the captures by itself. `None` for a number beyond 128 bits.
    pub orders: Option<u128>,
    /// The chance that a player solves it who chooses each capture at random among the legal ones: 0 to 1.
    pub chance: f64,
}

/// The facts of a position.
pub(super) fn facts<const W: usize>(
    graph: &Graph<W>,
    budget: &Budget<'_>,
) -> Result<SolitaireFacts, Undecided> {
    let start = graph.start();
    let mut play = RandomPlay { graph, budget, known: FxHashMap::default() };
    let Chance { chance, orders } = play.of(start)?;
    let mut facts = SolitaireFacts {
        first_captures: bits(start.occupied).map(|from| graph.targets(&start, from).count_ones()).sum(),
        solving_captures: 0,
        earliest_trap: None,
        forced_steps: 0,
        steps: start.occupied.count_ones().saturating_sub(1),
        orders,
        chance,
    };
    // The states of one step after the other that can still be solved.
    let mut layer = if chance > 0.0 { vec![start] } else { Vec::new() };
    for step in 1..=facts.steps {
        let (mut next, mut seen) = (Vec::new(), FxHashSet::default());
        let (mut is_forced, mut is_trap) = (!layer.is_empty(), false);
        for state in &layer {
            let (mut keeps, mut loses) = (0, 0);
            for from in bits(state.occupied) {
                for to in bits(graph.targets(state, from)) {
                    let after = graph.after(state, from, to);
                    if play.of(after)?.chance == 0.0 {
                        loses += 1;
                        continue;
                    }
                    keeps += 1;
                    if seen.insert(after.cells) {
                        next.push(after);
                    }
                }
            }
            is_forced &= keeps == 1;
            is_trap |= loses > 0;
            if step == 1 {
                facts.solving_captures = keeps;
            }
        }
        facts.forced_steps += u32::from(is_forced);
        facts.earliest_trap = facts.earliest_trap.or(is_trap.then_some(step));
        layer = next;
    }
    Ok(facts)
}

/// The chance of random play, and the number of solutions.
#[derive(Clone, Copy)]
struct Chance {
    chance: f64,
    orders: Option<u128>,
}

struct RandomPlay<'g, const W: usize> {
    graph: &'g Graph<W>,
    budget: &'g Budget<'g>,
    known: FxHashMap<Cells<W>, Chance>,
}

impl<const W: usize> RandomPlay<'_, W> {
    /// The mean of the chances after each legal capture. The sum has the order of the slots, so that its rounding is the
    /// same on every machine.
    fn of(&mut self, state: State<W>) -> Result<Chance, Undecided> {
        if state.solved() {
            return Ok(Chance { chance: 1.0, orders: Some(1) });
        }
        if let Some(&known) = self.known.get(&state.cells) {
            return Ok(known);
        }
        self.budget.spend(NODES_A_STATE * self.graph.cost())?;
        if self.known.len() >= MAX_STATES {
            return Err(Undecided::Budget);
        }
        let (mut sum, mut orders, mut captures) = (0.0, Some(0u128), 0u32);
        if !self.graph.hopeless(&state) {
            for from in bits(state.occupied) {
                for to in bits(self.graph.targets(&state, from)) {
                    let after = self.of(self.graph.after(&state, from, to))?;
                    captures += 1;
                    sum += after.chance;
                    orders = orders.zip(after.orders).and_then(|(a, b)| a.checked_add(b));
                }
            }
        }
        let chance = Chance { chance: if captures > 0 { sum / f64::from(captures) } else { 0.0 }, orders };
        self.known.insert(state.cells, chance);
        Ok(chance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Colour, Kind, Piece, Size, Square};
    use crate::games::game::{Dialect, Position, Step};
    use crate::games::solitaire::replay;
    use proptest::prelude::*;

    /// A fraction of whole numbers that has not been rounded.
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Fraction(u128, u128);

    impl Fraction {
        fn plus(self, other: Fraction) -> Fraction {
            Fraction(self.0 * other.1 + other.0 * self.1, self.1 * other.1).reduced()
        }

        fn reduced(self) -> Fraction {
            let (mut a, mut b) = (self.0.max(1), self.1);
            while b != 0 {
                (a, b) = (b, a % b);
            }
            if self.0 == 0 { Fraction(0, 1) } else { Fraction(self.0 / a, self.1 / a) }
        }
    }

    /// The legal captures and those that keep a solution, and for each step whether one alone keeps it in each position that can be
    /// solved, and whether one loses it.
    #[derive(Default)]
    struct Told {
        legal: u32,
        keeps: u32,
        steps: Vec<(bool, bool)>,
    }

    /// The chance and the number of solutions by the rules of the replay alone, without tables and pruning.
    fn plain(position: &Position, steps: &mut Vec<Step>, told: &mut Told) -> (Fraction, u128) {
        let squares: Vec<Square> = position.board.pieces().map(|(s, _)| s).collect();
        if steps.len() + 1 == squares.len() {
            return (Fraction(1, 1), 1);
        }
        let (mut sum, mut orders, mut legal, mut keeps) = (Fraction(0, 1), 0, 0, 0);
        for &from in &squares {
            for &to in &squares {
                steps.push(Step { from, to, taken: None });
                let fails = replay::follow(position, steps).err().is_some_and(|e| e.step < steps.len());
                if !fails {
                    let (chance, more) = plain(position, steps, told);
                    (sum, orders, legal) = (sum.plus(chance), orders + more, legal + 1);
                    keeps += u32::from(more > 0);
                }
                steps.pop();
            }
        }
        let step = steps.len();
        told.steps.resize(told.steps.len().max(step + 1), (true, false));
        if orders > 0 {
            let (is_forced, is_trap) = told.steps[step];
            told.steps[step] = (is_forced && keeps == 1, is_trap || u128::from(keeps) < legal);
        }
        (told.legal, told.keeps) = (legal as u32, keeps);
        (if legal == 0 { sum } else { Fraction(sum.0, sum.1 * legal).reduced() }, orders)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn facts_are_those_of_plain_play(
            pieces in prop::collection::btree_map(0usize..16, 0usize..6, 2..6),
            dialect in prop::sample::select(Dialect::ALL.to_vec()),
        ) {
            let mut board = Board::empty(Size::flat(4, 4));
            for (cell, kind) in pieces {
                board.cells[cell] = Some(Piece::white(Kind::ALL[kind]));
            }
            let position = Position { board, turn: Colour::White, dialect, rights: Default::default() };
            let budget = Budget::new(u64::MAX, None);
            let facts = facts(&Graph::<1>::new(&position), &budget).unwrap();
            let mut told = Told::default();
            let (Fraction(a, b), orders) = plain(&position, &mut Vec::new(), &mut told);
            prop_assert!((facts.chance - a as f64 / b as f64).abs() <= 1e-14 * facts.chance);
            prop_assert_eq!(facts.orders, Some(orders));
            prop_assert_eq!((facts.first_captures, facts.solving_captures), (told.legal, told.keeps));
            let told = if orders > 0 { told.steps } else { Vec::new() };
            prop_assert_eq!(facts.forced_steps as usize, told.iter().filter(|step| step.0).count());
            let trap = told.iter().position(|step| step.1).map(|step| step as u32 + 1);
            prop_assert_eq!(facts.earliest_trap, trap);
            if orders > 0 {
                // Without a trap every player solves it.
                prop_assert_eq!(facts.earliest_trap.is_none(), facts.chance == 1.0);
            }
        }
    }
}
