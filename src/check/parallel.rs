//! Iterators that share their work between threads: those of rayon. Without the feature `threads`, those of the standard
//! library under the same names.

#[cfg(feature = "threads")]
pub use rayon::prelude::*;
#[cfg(not(feature = "threads"))]
pub use sequential::*;

/// The number of small items, such as puzzles that are analysed already, from which on several threads share the work.
pub const PARALLEL_FROM: usize = 4096;

#[cfg(not(feature = "threads"))]
mod sequential {
    use std::slice::{Chunks, Iter, IterMut};

    /// The methods of rayon for slices.
    pub trait ParallelSlice<T> {
        fn par_iter(&self) -> Iter<'_, T>;
        fn par_iter_mut(&mut self) -> IterMut<'_, T>;
        fn par_chunks(&self, size: usize) -> Chunks<'_, T>;
        fn par_sort_unstable(&mut self)
        where
            T: Ord;
        fn par_sort_by_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K);
    }

    impl<T> ParallelSlice<T> for [T] {
        fn par_iter(&self) -> Iter<'_, T> {
            self.iter()
        }

        fn par_iter_mut(&mut self) -> IterMut<'_, T> {
            self.iter_mut()
        }

        fn par_chunks(&self, size: usize) -> Chunks<'_, T> {
            self.chunks(size)
        }

        fn par_sort_unstable(&mut self)
        where
            T: Ord,
        {
            self.sort_unstable();
        }

        fn par_sort_by_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K) {
            self.sort_by_key(key);
        }
    }

    /// The methods of rayon for iterators that the standard library does not have.
    pub trait ParallelIterator: Iterator + Sized {
        fn with_min_len(self, _: usize) -> Self {
            self
        }

        fn with_max_len(self, _: usize) -> Self {
            self
        }

        fn flat_map_iter<I: IntoIterator, F: FnMut(Self::Item) -> I>(
            self,
            f: F,
        ) -> impl Iterator<Item = I::Item> {
            self.flat_map(f)
        }
    }

    impl<I: Iterator> ParallelIterator for I {}
}
