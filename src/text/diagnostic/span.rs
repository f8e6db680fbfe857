//! Byte ranges of a text.

use std::ops::Range;

/// A half-open range of bytes, 0-based, always on character boundaries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    /// The range from `start` up to `end`.
    pub fn new(start: u32, end: u32) -> Span {
        debug_assert!(start <= end);
        Span { start, end }
    }

    /// The empty range at `offset`.
    pub fn at(offset: u32) -> Span {
        Span { start: offset, end: offset }
    }

    /// The smallest range that contains both.
    pub fn cover(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The range as indices into a `str`.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Moves it by a number of bytes; an offset below 0 becomes 0.
    pub fn shift(&mut self, by: i64) {
        let moved = |n: u32| (i64::from(n) + by).clamp(0, i64::from(u32::MAX)) as u32;
        (self.start, self.end) = (moved(self.start), moved(self.end));
    }

    /// Whether it has no bytes.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}
