//! Depth-first search for a solution, and for a second one that differs.

use rustc_hash::FxHashSet;

use crate::games::budget::{Budget, Undecided};
use crate::games::game::Capture;
use crate::games::solitaire::graph::{Cells, Graph, PerSlot, State, bits};

/// States remembered as failed; beyond it the search goes on without remembering more.
const MAX_FAILED_STATES: usize = 1 << 22;

/// The most pieces that one can take: a queen, a king and a knight have eight ways.
const MAX_TARGETS: u32 = 8;

struct Search<'g, const W: usize> {
    graph: &'g Graph<W>,
    budget: &'g Budget<'g>,
    failed: FxHashSet<Cells<W>>,
    path: Vec<(usize, usize)>,
}

/// A solution, the empty one for a single piece, or proof that there is none.
pub(super) fn solve<const W: usize>(
    graph: &Graph<W>,
    budget: &Budget<'_>,
) -> Result<Option<Vec<Capture>>, Undecided> {
    let mut search = Search::new(graph, budget);
    let found = search.solve(graph.start())?;
    Ok(found.then(|| search.captures()))
}

/// A solution with another set of captures than `first`.
///
/// All solutions have as many captures, so another set has a capture that `first` has not: the search
/// follows `first` in any order until it deviates once, and from there any solution will do.
pub(super) fn second<const W: usize>(
    graph: &Graph<W>,
    first: &[Capture],
    budget: &Budget<'_>,
) -> Result<Option<Vec<Capture>>, Undecided> {
    let mut goes = vec![usize::MAX; graph.len()];
    for c in first {
        if let (Some(from), Some(to)) = (graph.slot(c.from), graph.slot(c.to)) {
            goes[from] = to;
        }
    }
    let mut search = Search::new(graph, budget);
    let mut seen = FxHashSet::default();
    let found = search.deviate(graph.start(), &goes, &mut seen)?;
    Ok(found.then(|| search.captures()))
}

impl<'g, const W: usize> Search<'g, W> {
    fn new(graph: &'g Graph<W>, budget: &'g Budget<'g>) -> Search<'g, W> {
        Search { graph, budget, failed: FxHashSet::default(), path: Vec::new() }
    }

    fn captures(&self) -> Vec<Capture> {
        self.path.iter().map(|&(from, to)| self.graph.capture(from, to)).collect()
    }

    /// Extends the path to a solution; leaves it as it was where there is none.
    fn solve(&mut self, state: State<W>) -> Result<bool, Undecided> {
        if state.solved() {
            return Ok(true);
        }
        if self.failed.contains(&state.cells) {
            return Ok(false);
        }
        self.budget.spend(self.graph.cost())?;
        if !self.graph.hopeless(&state) {
            let mut targets = PerSlot::<W>::new();
            for from in bits(state.occupied) {
                targets[from] = self.graph.targets(&state, from);
            }
            // Where captures are limited, those that can take the fewest first: they are the first to be
            // left behind. Else they are hardly worth the sorting.
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

    /// Extends the path, so far within the first solution, to one that leaves it.
    fn deviate(
        &mut self,
        state: State<W>,
        goes: &[usize],
        seen: &mut FxHashSet<Cells<W>>,
    ) -> Result<bool, Undecided> {
        if state.solved() || !seen.insert(state.cells) {
            return Ok(false);
        }
        self.budget.spend(self.graph.cost())?;
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
    use crate::board::{Board, Kind, Piece, Size};
    use crate::games::game::{Dialect, Position};
    use proptest::prelude::*;

    /// Whether a state has a solution, by looking at all of it.
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

        /// Every state on the way counts, so one board tests the relaxation thousands of times.
        #[test]
        fn what_is_called_hopeless_has_no_solution(
            pieces in prop::collection::btree_map(0usize..20, 0usize..6, 2..11),
            dialect in prop::sample::select(Dialect::ALL.to_vec()),
        ) {
            let mut board = Board::empty(Size::flat(5, 4));
            for (cell, kind) in pieces {
                board.cells[cell] = Some(Piece::white(Kind::ALL[kind]));
            }
            let position = Position { board, turn: crate::board::Colour::White, dialect };
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
    }
}
