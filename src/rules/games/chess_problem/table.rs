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
pub(super) struct Table {
    entries: Vec<Option<Entry>>,
    filled: usize,
}

const FIRST_ENTRIES: usize = 1 << 8;
const MAX_ENTRIES: usize = 1 << 20;
/// The neighbours that an entry may be in.
const PROBES: usize = 4;

impl Table {
    pub(super) fn new() -> Table {
        Table { entries: Vec::new(), filled: 0 }
    }

    #[inline]
    fn start(&self, position: &PackedPosition) -> usize {
        position.hash() as usize & (self.entries.len() - 1) & !(PROBES - 1)
    }

    /// What is known about a position.
    #[inline]
    pub(super) fn get(&self, position: &PackedPosition) -> Known {
        if self.entries.is_empty() {
            return Known::NOTHING;
        }
        let start = self.start(position);
        let row = &self.entries[start..start + PROBES];
        let found = row.iter().flatten().find(|e| e.position == *position);
        found.map_or(Known::NOTHING, |e| e.known)
    }

    /// Stores what is known about a position; if its places are taken, what took the least depth is given up.
    pub(super) fn set(&mut self, position: &PackedPosition, known: Known) {
        if self.filled * 2 >= self.entries.len() && self.entries.len() < MAX_ENTRIES {
            self.grow();
        }
        let start = self.start(position);
        let row = &mut self.entries[start..start + PROBES];
        let same = row.iter().position(|e| e.as_ref().is_none_or(|e| e.position == *position));
        let depth = |e: &Option<Entry>| e.as_ref().map_or(0, |e| e.known.fails);
        let place = match same {
            Some(place) => place,
            None => (0..PROBES).min_by_key(|&i| depth(&row[i])).unwrap_or(0),
        };
        self.filled += usize::from(row[place].is_none());
        row[place] = Some(Entry { position: *position, known });
    }

    fn grow(&mut self) {
        let size = (self.entries.len() * 4).clamp(FIRST_ENTRIES, MAX_ENTRIES);
        let old = std::mem::replace(&mut self.entries, vec![None; size]);
        self.filled = 0;
        for entry in old.into_iter().flatten() {
            let start = self.start(&entry.position);
            let free = (start..start + PROBES).find(|&i| self.entries[i].is_none());
            if let Some(place) = free {
                self.entries[place] = Some(entry);
                self.filled += 1;
            }
        }
    }
}

/// A set of positions, exact as the table is. It is made when it is first written to, and grows to a limit; then old ones give
/// way to new ones.
pub(super) struct PositionSet {
    /// A position without men stands for none.
    places: Vec<PackedPosition>,
    filled: usize,
}

/// A place for each position of a long search would save another thirtieth of the nodes, and be slower: these fit into a cache.
const MAX_PLACES: usize = 1 << 14;

impl PositionSet {
    pub(super) fn new() -> PositionSet {
        PositionSet { places: Vec::new(), filled: 0 }
    }

    #[inline]
    fn start(&self, position: &PackedPosition) -> usize {
        position.hash() as usize & (self.places.len() - 1) & !(PROBES - 1)
    }

    #[inline]
    pub(super) fn contains(&self, position: &PackedPosition) -> bool {
        if self.places.is_empty() {
            return false;
        }
        let start = self.start(position);
        self.places[start..start + PROBES].contains(position)
    }

    pub(super) fn insert(&mut self, position: &PackedPosition) {
        if self.filled * 2 >= self.places.len() && self.places.len() < MAX_PLACES {
            self.grow();
        }
        let start = self.start(position);
        let row = &mut self.places[start..start + PROBES];
        if row[PROBES - 1].is_empty() {
            self.filled += 1;
        }
        // The newest comes first, the oldest is lost.
        row.copy_within(..PROBES - 1, 1);
        row[0] = *position;
    }

    fn grow(&mut self) {
        let size = (self.places.len() * 4).clamp(FIRST_ENTRIES, MAX_PLACES);
        let old = std::mem::replace(&mut self.places, vec![PackedPosition::EMPTY; size]);
        self.filled = 0;
        for position in old.into_iter().filter(|p| !p.is_empty()) {
            self.insert(&position);
        }
    }
}
