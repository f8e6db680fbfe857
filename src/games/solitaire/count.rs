//! How many solutions, and how many distinct sets of captures.
//!
//! Sequences are counted by dynamic programming over states. Sets are kept as a zero-suppressed
//! decision diagram for each state: the sets after each capture, with it, united. Both are exact.

use rustc_hash::FxHashMap;

use super::graph::{Cells, Graph, State, bits};
use crate::games::{Undecided, Work};

/// Both numbers; one alone where the work ran out for the other; undecided where it did for both.
pub(super) fn count<const W: usize>(
    graph: &Graph<W>,
    work: &Work<'_>,
) -> Result<(Option<u128>, Option<u128>), Undecided> {
    let mut sequences = Sequences { graph, work, known: FxHashMap::default() };
    let count = match sequences.count(graph.start()) {
        Ok(n) => n,
        // The states of the sets are the same ones and cost more.
        Err(why) => return Err(why),
    };
    if count == Some(0) {
        return Ok((count, Some(0)));
    }
    let alive = sequences.known;
    let mut sets = Sets::new(graph, work, alive);
    let distinct = match sets.of(graph.start()) {
        Ok(root) => sets.count(root),
        Err(Undecided::Cancelled) => return Err(Undecided::Cancelled),
        Err(Undecided::Budget) => None,
    };
    if count.is_none() && distinct.is_none() {
        return Err(Undecided::Budget);
    }
    Ok((count, distinct))
}

struct Sequences<'g, const W: usize> {
    graph: &'g Graph<W>,
    work: &'g Work<'g>,
    /// Nothing for a number beyond 128 bits.
    known: FxHashMap<Cells<W>, Option<u128>>,
}

impl<const W: usize> Sequences<'_, W> {
    fn count(&mut self, state: State<W>) -> Result<Option<u128>, Undecided> {
        if state.solved() {
            return Ok(Some(1));
        }
        if let Some(&n) = self.known.get(&state.cells) {
            return Ok(n);
        }
        self.work.step()?;
        let mut sum = Some(0u128);
        if !self.graph.hopeless(&state) {
            for from in bits(state.occupied) {
                for to in bits(self.graph.targets(&state, from)) {
                    let n = self.count(self.graph.after(&state, from, to))?;
                    sum = sum.zip(n).and_then(|(a, b)| a.checked_add(b));
                }
            }
        }
        self.known.insert(state.cells, sum);
        Ok(sum)
    }
}

/// A family of sets: an index into the diagram's nodes.
type Family = u32;

/// No set at all.
const NONE: Family = 0;

/// The empty set alone.
const UNIT: Family = 1;

/// The sets with `item` and the sets without; items grow downwards.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    item: u16,
    without: Family,
    with: Family,
}

struct Sets<'g, const W: usize> {
    graph: &'g Graph<W>,
    work: &'g Work<'g>,
    alive: FxHashMap<Cells<W>, Option<u128>>,
    known: FxHashMap<Cells<W>, Family>,
    nodes: Vec<Node>,
    unique: FxHashMap<Node, Family>,
    unions: FxHashMap<(Family, Family), Family>,
    joins: FxHashMap<(u16, Family), Family>,
}

impl<'g, const W: usize> Sets<'g, W> {
    fn new(graph: &'g Graph<W>, work: &'g Work<'g>, alive: FxHashMap<Cells<W>, Option<u128>>) -> Sets<'g, W> {
        let end = Node { item: u16::MAX, without: NONE, with: NONE };
        Sets {
            graph,
            work,
            alive,
            known: FxHashMap::default(),
            nodes: vec![end, end],
            unique: FxHashMap::default(),
            unions: FxHashMap::default(),
            joins: FxHashMap::default(),
        }
    }

    /// The sets of captures that solve a state.
    fn of(&mut self, state: State<W>) -> Result<Family, Undecided> {
        if state.solved() {
            return Ok(UNIT);
        }
        if self.alive.get(&state.cells) == Some(&Some(0)) {
            return Ok(NONE);
        }
        if let Some(&family) = self.known.get(&state.cells) {
            return Ok(family);
        }
        let mut family = NONE;
        for from in bits(state.occupied) {
            for to in bits(self.graph.targets(&state, from)) {
                let rest = self.of(self.graph.after(&state, from, to))?;
                let with = self.join((from * self.graph.len() + to) as u16, rest)?;
                family = self.union(family, with)?;
            }
        }
        self.known.insert(state.cells, family);
        Ok(family)
    }

    fn node(&mut self, item: u16, without: Family, with: Family) -> Result<Family, Undecided> {
        if with == NONE {
            return Ok(without);
        }
        let node = Node { item, without, with };
        if let Some(&found) = self.unique.get(&node) {
            return Ok(found);
        }
        self.work.step()?;
        let family = self.nodes.len() as Family;
        self.nodes.push(node);
        self.unique.insert(node, family);
        Ok(family)
    }

    /// Each set with one item more, which none of them has.
    fn join(&mut self, item: u16, family: Family) -> Result<Family, Undecided> {
        if family == NONE {
            return Ok(NONE);
        }
        let top = self.nodes[family as usize];
        if top.item > item {
            return self.node(item, NONE, family);
        }
        if let Some(&found) = self.joins.get(&(item, family)) {
            return Ok(found);
        }
        let without = self.join(item, top.without)?;
        let with = self.join(item, top.with)?;
        let joined = self.node(top.item, without, with)?;
        self.joins.insert((item, family), joined);
        Ok(joined)
    }

    fn union(&mut self, a: Family, b: Family) -> Result<Family, Undecided> {
        let (a, b) = (a.min(b), a.max(b));
        if a == NONE || a == b {
            return Ok(b);
        }
        if let Some(&found) = self.unions.get(&(a, b)) {
            return Ok(found);
        }
        let (x, y) = (self.nodes[a as usize], self.nodes[b as usize]);
        let item = x.item.min(y.item);
        // All sets of a family have one size, so the empty set meets no other here.
        let split = |n: Node, whole: Family| if n.item == item { (n.without, n.with) } else { (whole, NONE) };
        let ((x0, x1), (y0, y1)) = (split(x, a), split(y, b));
        let without = self.union(x0, y0)?;
        let with = self.union(x1, y1)?;
        let joined = self.node(item, without, with)?;
        self.unions.insert((a, b), joined);
        Ok(joined)
    }

    /// The number of sets; nothing beyond 128 bits.
    fn count(&self, root: Family) -> Option<u128> {
        // A node's parts were made before it.
        let mut counts: Vec<Option<u128>> = vec![Some(0), Some(1)];
        for node in &self.nodes[2..] {
            let parts = counts[node.without as usize].zip(counts[node.with as usize]);
            counts.push(parts.and_then(|(a, b)| a.checked_add(b)));
        }
        counts[root as usize]
    }
}
