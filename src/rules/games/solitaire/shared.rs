//! One search for many boards of one size that differ by a few pieces.
//!
//! The slots are all squares of the size, so that a state is the same on every board: what one board has shown to have no
//! solution is known for all others. Boards that differ by one piece meet in most of their states.

use crate::board::{Board, Size};
use crate::games::budget::{Budget, Undecided};
use crate::games::game::{Capture, Dialect};
use crate::games::solitaire::graph::Graph;
use crate::games::solitaire::search::Search;

/// A search that keeps what it has learnt from one board to the next. The answers are those of a search for the board
/// alone.
pub trait SharedSearch {
    /// A solution of a board of the size of the search; `None` if there is none.
    ///
    /// # Errors
    /// [`Undecided`] if the budget ran out or the search was cancelled.
    fn first(&mut self, board: &Board) -> Result<Option<Vec<Capture>>, Undecided>;

    /// A solution with another set of captures than `first`; `None` if there is none.
    ///
    /// # Errors
    /// As [`SharedSearch::first`].
    fn second(&mut self, board: &Board, first: &[Capture]) -> Result<Option<Vec<Capture>>, Undecided>;
}

struct Shared<'g, const W: usize> {
    graph: &'g Graph<W>,
    search: Search<'g, W>,
}

impl<const W: usize> SharedSearch for Shared<'_, W> {
    fn first(&mut self, board: &Board) -> Result<Option<Vec<Capture>>, Undecided> {
        self.search.first(self.graph.state(board))
    }

    fn second(&mut self, board: &Board, first: &[Capture]) -> Result<Option<Vec<Capture>>, Undecided> {
        self.search.second(self.graph.state(board), first)
    }
}

/// Runs `run` with a search for boards of a size, which has at most 64 squares.
pub fn with_shared_search<T>(
    size: Size,
    dialect: Dialect,
    budget: &Budget<'_>,
    run: impl FnOnce(&mut dyn SharedSearch) -> T,
) -> T {
    match size.cells() {
        0..=16 => run(&mut Shared::<1>::new(&Graph::of_all_squares(size, dialect), budget)),
        17..=32 => run(&mut Shared::<2>::new(&Graph::of_all_squares(size, dialect), budget)),
        _ => run(&mut Shared::<4>::new(&Graph::of_all_squares(size, dialect), budget)),
    }
}

impl<'g, const W: usize> Shared<'g, W> {
    fn new(graph: &'g Graph<W>, budget: &'g Budget<'g>) -> Shared<'g, W> {
        Shared { graph, search: Search::new(graph, budget) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Colour, Kind, Piece};
    use crate::games::game::{Answer, Game, Position, Question};
    use crate::games::solitaire::Solitaire;
    use cpz_text::syntax::Verb;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        /// The boards that a search has seen before must not change its answers, and the answers must be the same
        /// solutions, since a repair promises the one that an analysis of the board gives.
        #[test]
        fn a_shared_search_answers_as_a_search_of_its_own(
            boards in prop::collection::vec(prop::collection::btree_map(0usize..20, 0usize..6, 1..9), 1..12),
            dialect in prop::sample::select(Dialect::ALL.to_vec()),
            size in prop::sample::select(vec![Size::flat(4, 4), Size::flat(5, 4), Size::flat(7, 6)]),
        ) {
            let budget = Budget::new(u64::MAX, None);
            let outcome: Result<(), TestCaseError> = with_shared_search(size, dialect, &budget, |shared| {
                for pieces in &boards {
                    let mut board = Board::empty(size);
                    for (cell, kind) in pieces {
                        board.cells[cell % size.cells()] = Some(Piece::white(Kind::ALL[*kind]));
                    }
                    let own = Position {
                        board: board.clone(), turn: Colour::White, dialect, rights: Default::default(),
                    };
                    let first = shared.first(&board);
                    let alone = Solitaire.answer(&own, &Question::of(Verb::Solve), &budget);
                    prop_assert_eq!(&first.clone().map(Answer::Solve), &alone);
                    if let Ok(Some(first)) = first {
                        prop_assert_eq!(shared.second(&board, &first), Solitaire.second(&own, &first, &budget));
                    }
                }
                Ok(())
            });
            outcome?;
        }
    }
}
