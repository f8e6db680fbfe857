//! The puzzles of a segmented text, and those by which two copies differ.

use std::sync::Arc;

use crate::analysis::segments::{Chunk, PuzzleEntry, Segment, SegmentedText};

impl SegmentedText {
    /// Its puzzles, in order.
    pub(in crate::analysis) fn entries(&self) -> impl Iterator<Item = PuzzleEntry<'_>> {
        let mut start = 0;
        let segments = self.chunks.iter().flat_map(|c| &c.segments).enumerate();
        segments.flat_map(move |(number, segment)| {
            let entries = segment.entries(number as u32, start);
            start += segment.len;
            entries
        })
    }

    /// The puzzles in which two copies differ: those removed and those added. Only their hashes are meaningful.
    pub(in crate::analysis) fn changes<'a>(
        before: &'a SegmentedText,
        now: &'a SegmentedText,
    ) -> (impl Iterator<Item = PuzzleEntry<'a>>, impl Iterator<Item = PuzzleEntry<'a>>) {
        let (a, b) = without_common_ends(&before.chunks, &now.chunks, Arc::ptr_eq);
        let segments = |chunks: &'a [Arc<Chunk>]| -> Vec<&'a Segment> {
            chunks.iter().flat_map(|c| &c.segments).collect()
        };
        let (mut a, mut b) = (segments(a), segments(b));
        let (start, end) = common_ends(&a, &b, |a, b| a.has_same_puzzles(b));
        a.truncate(a.len() - end);
        b.truncate(b.len() - end);
        let entries =
            move |segments: Vec<&'a Segment>| segments.into_iter().skip(start).flat_map(|s| s.entries(0, 0));
        (entries(a), entries(b))
    }
}

impl Segment {
    /// Whether another segment has the same puzzles, at any place.
    fn has_same_puzzles(&self, other: &Segment) -> bool {
        self.clean == other.clean
            && match (&self.report, &other.report) {
                (None, None) => true,
                (Some(a), Some(b)) => Arc::ptr_eq(a, b),
                _ => false,
            }
    }
}

/// How many elements two slices have in common at their starts, and at the ends of the rest.
fn common_ends<T>(a: &[T], b: &[T], same: impl Fn(&T, &T) -> bool) -> (usize, usize) {
    let start = a.iter().zip(b).take_while(|(a, b)| same(a, b)).count();
    let rest = a.len().min(b.len()) - start;
    let end = a.iter().rev().zip(b.iter().rev()).take(rest).take_while(|(a, b)| same(a, b)).count();
    (start, end)
}

fn without_common_ends<'a, T>(a: &'a [T], b: &'a [T], same: impl Fn(&T, &T) -> bool) -> (&'a [T], &'a [T]) {
    let (start, end) = common_ends(a, b, same);
    (&a[start..a.len() - end], &b[start..b.len() - end])
}
