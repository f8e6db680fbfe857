//! Depth-first search for a solution, and for a second one that differs.

use rustc_hash::FxHashSet;

use crate::games::budget::{Budget, Undecided};
use crate::games::game::{Capture, Step};
use crate::games::solitaire::graph::{Cells, Graph, PerSlot, State, bits, cost_of};

/// States without a solution that a search stores. A larger search goes on without storing more.
const MAX_FAILED_STATES: usize = 1 << 22;

/// Pieces that one piece can capture: a queen, a king and a knight have eight directions.
const MAX_TARGETS: u32 = 8;

pub(super) struct Search<'g, const W: usize> {
    graph: &'g Graph<W>,
    budget: &'g Budget<'g>,
    /// The nodes that a state counts as.
    cost: u64,
    failed: FxHashSet<Cells<W>>,
    path: Vec<(usize, usize)>,
}

/// A solution, empty for a single piece; `None` if there is none.
pub(super) fn solve<const W: usize>(
    graph: &Graph<W>,
    budget: &Budget<'_>,
) -> Result<Option<Vec<Capture>>, Undecided> {
    Search::new(graph, budget).first(graph.start())
}

/// The first captures that keep a solution, in the order of the slots.
pub(super) fn solving_captures<const W: usize>(
    graph: &Graph<W>,
    budget: &Budget<'_>,
) -> Result<Vec<Capture>, Undecided> {
    let mut search = Search::new(graph, budget);
    let start = graph.start();
    let mut found = Vec::new();
    for from in bits(start.occupied) {
        for to in bits(graph.targets(&start, from)) {
            if search.solve(graph.after(&start, from, to))? {
                found.push(graph.capture(from, to));
            }
            search.path.clear();
        }
    }
    Ok(found)
}

/// A solution with another set of captures than `first`.
///
/// All solutions have the same number of captures, so another set has a capture that is not in `first`. The search
/// makes captures of `first` in any order, then one that is not in it; any solution from there differs.
pub(super) fn second<const W: usize>(
    graph: &Graph<W>,
    first: &[Capture],
    budget: &Budget<'_>,
) -> Result<Option<Vec<Capture>>, Undecided> {
    Search::new(graph, budget).second(graph.start(), first)
}

/// The most first steps of a sequence of captures after which there is still a solution, and the rest of a solution from
/// there; `None` if there is none from the beginning. A step that is no capture of two slots ends the sequence.
pub(super) fn last_solvable<const W: usize>(
    graph: &Graph<W>,
    steps: &[Step],
    budget: &Budget<'_>,
) -> Result<Option<(usize, Vec<Capture>)>, Undecided> {
    let mut states = vec![graph.start()];
    for step in steps {
        let state = states[states.len() - 1];
        let slots = graph.slot(step.from).zip(graph.slot(step.to));
        let Some((from, to)) = slots.filter(|&(from, _)| state.occupied >> from & 1 != 0) else { break };
        if graph.targets(&state, from) >> to & 1 == 0 {
            break;
        }
        states.push(graph.after(&state, from, to));
    }
    let mut search = Search::new(graph, budget);
    for (made, &state) in states.iter().enumerate().rev() {
        if let Some(rest) = search.first(state)? {
            return Ok(Some((made, rest)));
        }
    }
    Ok(None)
}

impl<'g, const W: usize> Search<'g, W> {
    pub(super) fn new(graph: &'g Graph<W>, budget: &'g Budget<'g>) -> Search<'g, W> {
        Search { graph, budget, cost: graph.cost(), failed: FxHashSet::default(), path: Vec::new() }
    }

    /// A solution of a state of the graph.
    pub(super) fn first(&mut self, state: State<W>) -> Result<Option<Vec<Capture>>, Undecided> {
        self.path.clear();
        self.cost = cost_of(state.occupied.count_ones() as usize);
        let found = self.solve(state)?;
        Ok(found.then(|| self.captures()))
    }

    /// A solution of a state of the graph with another set of captures than `first`.
    pub(super) fn second(
        &mut self,
        state: State<W>,
        first: &[Capture],
    ) -> Result<Option<Vec<Capture>>, Undecided> {
        let mut goes = vec![usize::MAX; self.graph.len()];
        for c in first {
            if let (Some(from), Some(to)) = (self.graph.slot(c.from), self.graph.slot(c.to)) {
                goes[from] = to;
            }
        }
        self.path.clear();
        self.cost = cost_of(state.occupied.count_ones() as usize);
        let found = self.deviate(state, &goes, &mut FxHashSet::default())?;
        Ok(found.then(|| self.captures()))
    }

    fn captures(&self) -> Vec<Capture> {
        self.path.iter().map(|&(from, to)| self.graph.capture(from, to)).collect()
    }

    /// Extends the path to a solution; if there is none, leaves the path unchanged.
    fn solve(&mut self, state: State<W>) -> Result<bool, Undecided> {
        if state.solved() {
            return Ok(true);
        }
        if let Some((a, b)) = state.last_two() {
            // No relaxation and no table is as quick as the two captures that are left.
            let capture = [(a, b), (b, a)]
                .into_iter()
                .find(|&(from, to)| self.graph.targets(&state, from) >> to & 1 == 1);
            self.path.extend(capture);
            return Ok(capture.is_some());
        }
        if self.failed.contains(&state.cells) {
            return Ok(false);
        }
        self.budget.spend(self.cost)?;
        if !self.graph.hopeless(&state) {
            let mut targets = PerSlot::<u64, W>::new();
            for from in bits(state.occupied) {
                targets[from] = self.graph.targets(&state, from);
            }
            // Where captures are limited, try the pieces with the fewest targets first: they are the first to be
            // left without any. Elsewhere the order gains less than sorting costs.
            let most = if self.graph.limited() { MAX_TARGETS } else { 1 };
            for count in 1..=most {
                let comes_now = |s: &usize| most == 1 || targets[*s].count_ones() == count;
                for from in bits(state.occupied).filter(comes_now) {
                    for to in bits(targets[from]) {
                        self.path.push((from, to));
                        if self.solve(self.graph.after(&state, from, to))? {
                            return Ok(true);
                        }
                        self.path.pop();
                    }
                }
            }
        }
        if self.failed.len() < MAX_FAILED_STATES {
            self.failed.insert(state.cells);
        }
        Ok(false)
    }

    /// Extends the path, which has only captures of the first solution, to a solution with another one.
    fn deviate(
        &mut self,
        state: State<W>,
        goes: &[usize],
        seen: &mut FxHashSet<Cells<W>>,
    ) -> Result<bool, Undecided> {
        if state.solved() || !seen.insert(state.cells) {
            return Ok(false);
        }
        self.budget.spend(self.cost)?;
        for from in bits(state.occupied) {
            for to in bits(self.graph.targets(&state, from)) {
                let next = self.graph.after(&state, from, to);
                self.path.push((from, to));
                let found =
                    if goes[from] == to { self.deviate(next, goes, seen)? } else { self.solve(next)? };
                if found {
                    return Ok(true);
                }
                self.path.pop();
            }
        }
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Kind, Piece, Size, Square};
    use crate::games::game::{Dialect, Position};
    use proptest::prelude::*;

    /// Whether a state has a solution, by exhaustive search.
    fn solvable(
        graph: &Graph<1>,
        state: State<1>,
        known: &mut rustc_hash::FxHashMap<Cells<1>, bool>,
    ) -> bool {
        if state.solved() {
            return true;
        }
        if let Some(&known) = known.get(&state.cells) {
            return known;
        }
        let found = bits(state.occupied).any(|from| {
            bits(graph.targets(&state, from)).any(|to| solvable(graph, graph.after(&state, from, to), known))
        });
        known.insert(state.cells, found);
        found
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        /// Checks every state that can be reached, so one board tests the relaxation thousands of times.
        #[test]
        fn hopeless_states_have_no_solution(
            pieces in prop::collection::btree_map(0usize..20, 0usize..6, 2..11),
            dialect in prop::sample::select(Dialect::ALL.to_vec()),
        ) {
            let mut board = Board::empty(Size::flat(5, 4));
            for (cell, kind) in pieces {
                board.cells[cell] = Some(Piece::white(Kind::ALL[kind]));
            }
            let position = Position { board, turn: crate::board::Colour::White, dialect, rights: Default::default() };
            let graph = Graph::<1>::new(&position);
            let mut known = rustc_hash::FxHashMap::default();
            let truth = solvable(&graph, graph.start(), &mut known);
            let mut states = vec![graph.start()];
            let mut seen = FxHashSet::default();
            while let Some(state) = states.pop() {
                if state.solved() || !seen.insert(state.cells) {
                    continue;
                }
                let has = solvable(&graph, state, &mut known);
                prop_assert!(!(has && graph.hopeless(&state)), "{:?}", position);
                for from in bits(state.occupied) {
                    states.extend(bits(graph.targets(&state, from)).map(|to| graph.after(&state, from, to)));
                }
            }
            let budget = Budget::new(u64::MAX, None);
            prop_assert_eq!(solve(&graph, &budget).map(|s| s.is_some()), Ok(truth));
        }

        /// Plays captures at random, and compares with an exhaustive search after each of them.
        #[test]
        fn the_last_solvable_step_is_the_last_one(
            pieces in prop::collection::btree_map(0usize..16, 0usize..6, 2..8),
            choices in prop::collection::vec(0usize..64, 8),
            dialect in prop::sample::select(Dialect::ALL.to_vec()),
        ) {
            let mut board = Board::empty(Size::flat(4, 4));
            for (cell, kind) in pieces {
                board.cells[cell] = Some(Piece::white(Kind::ALL[kind]));
            }
            let position = Position { board, turn: crate::board::Colour::White, dialect, rights: Default::default() };
            let graph = Graph::<1>::new(&position);
            let mut known = rustc_hash::FxHashMap::default();
            let (mut state, mut steps) = (graph.start(), Vec::new());
            let mut expected = solvable(&graph, state, &mut known).then_some(0);
            for choice in choices {
                let possible: Vec<(usize, usize)> = bits(state.occupied)
                    .flat_map(|from| bits(graph.targets(&state, from)).map(move |to| (from, to)).collect::<Vec<_>>())
                    .collect();
                if possible.is_empty() {
                    break;
                }
                let (from, to) = possible[choice % possible.len()];
                state = graph.after(&state, from, to);
                let Capture { from, to } = graph.capture(from, to);
                steps.push(Step { from, to, taken: None });
                if solvable(&graph, state, &mut known) {
                    expected = Some(steps.len());
                }
            }
            // What cannot be made ends the steps.
            steps.push(Step { from: Square::new(3, 3), to: Square::new(3, 3), taken: None });
            let budget = Budget::new(u64::MAX, None);
            let found = last_solvable(&graph, &steps, &budget).expect("the budget suffices");
            prop_assert_eq!(found.as_ref().map(|(made, _)| *made), expected);
            if let Some((made, rest)) = found {
                let rest = rest.iter().map(|c| Step { from: c.from, to: c.to, taken: None });
                let all: Vec<Step> = steps[..made].iter().copied().chain(rest).collect();
                prop_assert_eq!(crate::games::solitaire::replay::follow(&position, &all), Ok(()));
            }
        }
    }
}
