//! What is known about positions, found by the position itself: two positions are never taken for each other.

use crate::games::chess_bits::{PackedMove, PackedPosition};

/// What a search knows about a position.
#[derive(Clone, Copy)]
pub(super) struct Known {
    /// A bit for each number of moves or plies within which the goal is not reached. For forced goals the bits up to a
    /// number are set together.
    pub fails: u64,
    /// The number of moves within which the goal is forced; [`Known::NOT_YET`] if no number is known.
    pub within: u8,
    /// The move that decided.
    pub best: PackedMove,
}

impl Known {
    pub(super) const NOT_YET: u8 = u8::MAX;
    pub(super) const NOTHING: Known = Known { fails: 0, within: Known::NOT_YET, best: PackedMove::NONE };
}

#[derive(Clone, Copy)]
struct Entry {
    position: PackedPosition,
    known: Known,
}

/// A table that is made when it is first written to, and grows to a limit.
///
/// Most positions that are looked for are not there. So a row of places, which fills a line of the cache, says so in nearly
/// all cases; what is known lies elsewhere, in the order in which it came.
pub(super) struct Table {
    rows: Vec<Row>,
    entries: Vec<Entry>,
}

/// The places of an entry: the upper half of the hash, eight bits for how deep was looked, and the index plus one; 0 if free.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Row([u64; PROBES]);

/// The neighbours that an entry may be in.
const PROBES: usize = 8;
const FIRST_ROWS: usize = 1 << 5;
const MAX_ROWS: usize = 1 << 17;
const INDEX_BITS: u32 = 24;

/// The place of an entry.
#[inline(always)]
fn place(hash: u64, fails: u64, index: usize) -> u64 {
    let depth = u64::from(u64::BITS - fails.leading_zeros());
    hash >> 32 << 32 | depth << INDEX_BITS | (index as u64 + 1)
}

/// The index of the entry of a place that is taken.
#[inline(always)]
fn index(place: u64) -> usize {
    (place & ((1 << INDEX_BITS) - 1)) as usize - 1
}

impl Table {
    pub(super) fn new() -> Table {
        Table { rows: Vec::new(), entries: Vec::new() }
    }

    #[inline(always)]
    fn find(&self, row: &Row, hash: u64, position: &PackedPosition) -> Option<usize> {
        let is_same =
            |&&at: &&u64| (at ^ hash) >> 32 == 0 && at != 0 && self.entries[index(at)].position == *position;
        row.0.iter().find(is_same).map(|&at| index(at))
    }

    /// What is known about a position.
    #[inline]
    pub(super) fn get(&self, position: &PackedPosition) -> Known {
        if self.rows.is_empty() {
            return Known::NOTHING;
        }
        let hash = position.hash();
        let row = &self.rows[hash as usize & (self.rows.len() - 1)];
        self.find(row, hash, position).map_or(Known::NOTHING, |i| self.entries[i].known)
    }

    /// Stores what is known about a position; if its places are taken, what took the least depth is given up.
    pub(super) fn set(&mut self, position: &PackedPosition, known: Known) {
        if self.entries.len() * 2 >= self.rows.len() * PROBES && self.rows.len() < MAX_ROWS {
            self.grow();
        }
        let (hash, mask) = (position.hash(), self.rows.len() - 1);
        let row = &self.rows[hash as usize & mask];
        let free = row.0.iter().position(|&at| at == 0);
        let (i, at) = match self.find(row, hash, position) {
            Some(i) => (i, row.0.iter().position(|&at| at != 0 && index(at) == i)),
            None if free.is_some() => (self.entries.len(), free),
            None => {
                let least = (0..PROBES).min_by_key(|&i| row.0[i] as u32 >> INDEX_BITS).unwrap_or(0);
                (index(row.0[least]), Some(least))
            }
        };
        let entry = Entry { position: *position, known };
        match self.entries.get_mut(i) {
            Some(old) => *old = entry,
            None => self.entries.push(entry),
        }
        if let Some(at) = at {
            self.rows[hash as usize & mask].0[at] = place(hash, known.fails, i);
        }
    }

    fn grow(&mut self) {
        let size = (self.rows.len() * 4).clamp(FIRST_ROWS, MAX_ROWS);
        self.rows = vec![Row([0; PROBES]); size];
        let mut kept = 0;
        for i in 0..self.entries.len() {
            let entry = self.entries[i];
            let hash = entry.position.hash();
            let row = &mut self.rows[hash as usize & (size - 1)].0;
            if let Some(free) = row.iter_mut().find(|at| **at == 0) {
                *free = place(hash, entry.known.fails, kept);
                self.entries[kept] = entry;
                kept += 1;
            }
        }
        self.entries.truncate(kept);
    }
}

/// A set of positions, exact as the table is. It is made when it is first written to, and grows to a limit; then old ones give
/// way to new ones.
pub(super) struct PositionSet {
    /// For each row the places of its positions, the newest first: the upper bits of a hash, and the index of the position. Only
    /// where these are equal the positions are compared.
    rows: Vec<[u32; WAYS]>,
    /// In the order in which they came. The first one is a board without men, which free places have.
    positions: Vec<PackedPosition>,
}

/// The places of a row.
const WAYS: usize = 4;
const FIRST_SETS: usize = 1 << 6;
/// A place for each position of a long search would save another thirtieth of the nodes, and be slower: these fit into a cache.
const MAX_SETS: usize = 1 << 12;
/// The bits of an index: one for each place, and that of the board without men.
const INDEX: u32 = 2 * (MAX_SETS * WAYS) as u32 - 1;

impl PositionSet {
    pub(super) fn new() -> PositionSet {
        PositionSet { rows: Vec::new(), positions: Vec::new() }
    }

    /// Whether a position with a hash is in the set.
    #[inline]
    pub(super) fn contains(&self, position: &PackedPosition, hash: u64) -> bool {
        if self.rows.is_empty() {
            return false;
        }
        let row = self.rows[hash as usize & (self.rows.len() - 1)];
        row.iter().any(|&at| {
            (at ^ (hash >> 32) as u32) & !INDEX == 0 && self.positions[(at & INDEX) as usize] == *position
        })
    }

    /// Adds a position with a hash.
    #[inline]
    pub(super) fn insert(&mut self, position: &PackedPosition, hash: u64) {
        let filled = self.positions.len().saturating_sub(1);
        if filled * 2 >= self.rows.len() * WAYS && self.rows.len() < MAX_SETS {
            self.grow();
        }
        let next = self.positions.len();
        let row = hash as usize & (self.rows.len() - 1);
        let index = self.place(row, hash, next as u32);
        match self.positions.get_mut(index as usize) {
            Some(old) => *old = *position,
            None => self.positions.push(*position),
        }
    }

    /// Makes a place in a row: the index of the oldest position, or the next one where a place is free.
    #[inline(always)]
    fn place(&mut self, row: usize, hash: u64, next: u32) -> u32 {
        let [a, b, c, oldest] = self.rows[row];
        let index = if oldest & INDEX == 0 { next } else { oldest & INDEX };
        self.rows[row] = [(hash >> 32) as u32 & !INDEX | index, a, b, c];
        index
    }

    #[cold]
    fn grow(&mut self) {
        let size = (self.rows.len() * 4).clamp(FIRST_SETS, MAX_SETS);
        self.rows = vec![[0; WAYS]; size];
        let old = std::mem::replace(&mut self.positions, vec![PackedPosition::EMPTY]);
        for position in old.iter().filter(|p| !p.is_empty()) {
            self.insert(position, position.hash());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::chess_problem::goal::tests::{Random, small_position};
    use rustc_hash::FxHashSet;

    /// Some positions, each once.
    fn positions(count: usize) -> Vec<PackedPosition> {
        let (mut random, mut seen) = (Random(23), FxHashSet::default());
        std::iter::repeat_with(|| small_position(&mut random))
            .map(|position| PackedPosition::new(&position, position.turn))
            .filter(|p| seen.insert(*p))
            .take(count)
            .collect()
    }

    #[test]
    fn a_place_holds_hash_depth_and_index() {
        assert_eq!(place(0xDEAD_BEEF << 32 | 5, 0b1010, 6), 0xDEAD_BEEF << 32 | 4 << INDEX_BITS | 7);
        assert_eq!(index(place(0xDEAD_BEEF << 32 | 5, 0b1010, 6)), 6);
        assert_eq!(place(0, 0, 0), 1);
    }

    #[test]
    fn a_table_has_what_was_stored_last_and_nothing_else() {
        let all = positions(3_000);
        let (stored, others) = all.split_at(2_000);
        let known = |i: usize| Known {
            fails: 1 << (i % 60),
            within: (i % 7) as u8,
            best: PackedMove::new((i % 64) as u8, (i / 64) as u8),
        };
        let parts = |known: Known| (known.fails, known.within, known.best);
        let mut table = Table::new();
        for shift in [0, 1] {
            stored.iter().enumerate().for_each(|(i, p)| table.set(p, known(i + shift)));
            let is_kept = |&(i, p): &(usize, &PackedPosition)| parts(table.get(p)) == parts(known(i + shift));
            let kept = stored.iter().enumerate().filter(is_kept).count();
            assert!(kept > 1_900 && table.entries.len() <= 2_000, "{kept} of {}", table.entries.len());
            // Half of the places are free.
            assert_eq!(table.rows.len(), 512);
        }
        for (p, other) in stored.iter().zip(others) {
            assert_eq!(parts(table.get(other)), parts(Known::NOTHING));
            // Not even if it had the same hash.
            let row = &table.rows[p.hash() as usize & 511];
            assert_eq!(table.find(row, p.hash(), other), None);
        }
    }

    #[test]
    fn a_set_has_most_of_what_was_added_and_nothing_else() {
        let all = positions(4_000);
        let (added, others) = all.split_at(3_000);
        let mut set = PositionSet::new();
        added.iter().for_each(|p| set.insert(p, p.hash()));
        let kept = added.iter().filter(|p| set.contains(p, p.hash())).count();
        assert!(kept > 2_700, "{kept} of 3,000");
        for (p, other) in added.iter().zip(others) {
            assert!(!set.contains(other, other.hash()) && !set.contains(other, p.hash()));
        }
    }
}
