//! The search for repairs: every change of one piece, then every pair of changes.

use rustc_hash::FxHashSet;

use crate::repair::change::{Change, changed_squares, single_changes};
use crate::repair::checker::{Checker, with_checker};
use crate::repair::goals::Goals;
use cpz_rules::board::{Board, Piece, Square};
use cpz_rules::games::{Answer, Budget, Undecided};

/// What a search for repairs may do.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The nodes that the test of one board may take.
    pub nodes_a_board: u64,
    /// Whether pairs of changes are tried if no single change helps.
    pub pairs: bool,
    /// The most repairs of two changes; the search ends with them.
    pub max_pairs: usize,
}

/// A sound board near the one of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// One change or two, in the order in which they are made.
    pub changes: Vec<Change>,
    /// The board after them.
    pub board: Board,
    /// What is asked of it: the solution, the keys or the helpmates.
    pub answers: Vec<Answer>,
}

/// The repairs of a puzzle.
#[derive(Clone, Debug, Default)]
pub struct Repairs {
    /// The closest first.
    pub found: Vec<Repair>,
    /// Whether the board is sound as it is, and then has no repairs; `None` if the budget ran out before that was known.
    pub is_sound: Option<bool>,
    /// The most changes of a repair that were tried: 1, or 2 if no single one helps.
    pub changes: u8,
    /// Whether none is missing among those; false if the budget ran out, or if there are more pairs than wanted.
    pub complete: bool,
    /// The number of boards that were tested.
    pub tested: u64,
}

/// The repairs of the board of a puzzle; a board of captures keeps two pieces at least. `accept` says of each sound board whether it is wanted, in order.
///
/// # Errors
/// [`Undecided::Cancelled`] if the search was cancelled. If the budget runs out, the repairs are those found before, and
/// are not complete.
pub fn repairs(
    goals: &Goals<'_, '_>,
    limits: Limits,
    budget: &Budget<'_>,
    accept: &mut dyn FnMut(&Repair) -> bool,
) -> Result<Repairs, Undecided> {
    let position = goals.position();
    let run = |checker: Checker<'_>| {
        let result = Repairs { complete: true, ..Repairs::default() };
        let mut search = RepairSearch { checker, limits, accept, result };
        search.run(&position.board).map(|()| search.result)
    };
    with_checker(goals, budget, run)
}

struct RepairSearch<'c, 'a> {
    checker: Checker<'c>,
    limits: Limits,
    accept: &'a mut dyn FnMut(&Repair) -> bool,
    result: Repairs,
}

impl RepairSearch<'_, '_> {
    fn run(&mut self, board: &Board) -> Result<(), Undecided> {
        self.result.tested = 1;
        match self.checker.check(board, u64::MAX) {
            Ok(Some(_)) => {
                self.result.is_sound = Some(true);
                return Ok(());
            }
            Ok(None) => self.result.is_sound = Some(false),
            Err(Undecided::Cancelled) => return Err(Undecided::Cancelled),
            Err(Undecided::Budget) => {
                self.result.complete = false;
                return Ok(());
            }
        }
        let format = self.checker.goals.bound.game.format();
        let singles = single_changes(board, format);
        self.result.changes = 1;
        for &change in &singles {
            if !self.test(board, &[change])? {
                return Ok(());
            }
        }
        if !self.result.found.is_empty() || !self.limits.pairs {
            return Ok(());
        }
        self.result.changes = 2;
        self.pairs(board, &singles)
    }

    /// Tests a board with some changes. Returns whether the budget has nodes left.
    fn test(&mut self, board: &Board, changes: &[Change]) -> Result<bool, Undecided> {
        let mut new = board.clone();
        changes.iter().for_each(|change| change.apply(&mut new));
        if self.checker.goals.solve && new.count() < 2 {
            // One piece alone is solved already: no puzzle is left.
            return Ok(true);
        }
        self.result.tested += 1;
        match self.checker.check(&new, self.limits.nodes_a_board) {
            Ok(None) => {}
            Ok(Some(answers)) => {
                let repair = Repair { changes: changes.to_vec(), board: new, answers };
                if (self.accept)(&repair) {
                    self.result.found.push(repair);
                }
            }
            Err(Undecided::Cancelled) => return Err(Undecided::Cancelled),
            // A board that takes more than its share is left out; the others go on.
            Err(Undecided::Budget) => self.result.complete = false,
        }
        let goes_on = self.checker.budget.left() > 0;
        self.result.complete &= goes_on;
        Ok(goes_on)
    }

    /// Tests all pairs of changes, by the sum of their costs.
    fn pairs(&mut self, board: &Board, singles: &[Change]) -> Result<(), Undecided> {
        let format = self.checker.goals.bound.game.format();
        let mut seen: FxHashSet<u64> = singles.iter().filter_map(|&c| difference(board, &[c])).collect();
        seen.insert(0);
        let (least, most) = (singles.first().map_or(0, Change::cost), singles.last().map_or(0, Change::cost));
        let seconds = |first: &Change| {
            let mut after = board.clone();
            first.apply(&mut after);
            single_changes(&after, format)
        };
        let mut all_seconds: Vec<Option<Vec<Change>>> = vec![None; singles.len()];
        for total in 2 * least..=2 * most {
            for (&first, known) in singles.iter().zip(&mut all_seconds) {
                if first.cost() + least > total {
                    break;
                }
                let seconds = known.get_or_insert_with(|| seconds(&first));
                let wanted = total - first.cost();
                let from = seconds.partition_point(|second| second.cost() < wanted);
                for &second in seconds[from..].iter().take_while(|second| second.cost() == wanted) {
                    let is_new = difference(board, &[first, second]).is_some_and(|key| seen.insert(key));
                    if is_new && !self.test(board, &[first, second])? {
                        return Ok(());
                    }
                    if self.result.found.len() >= self.limits.max_pairs {
                        self.result.complete = false;
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }
}

/// The difference that changes make, as an exact key: twelve bits for each of at most four squares. `None` for a board of
/// more than 64 squares.
fn difference(board: &Board, changes: &[Change]) -> Option<u64> {
    let one = |key: u64, (square, piece): (Square, Option<Piece>)| {
        let cell = board.index(square);
        let piece = piece.map_or(0, |p| 1 + ((p.kind as u64) << 1 | p.colour as u64));
        (cell < 64).then_some(key << 12 | 1 << 11 | piece << 6 | cell as u64)
    };
    changed_squares(board, changes).into_iter().try_fold(0, one)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{Defaults, bind_one};
    use crate::repair::goals::Aim;
    use cpz_rules::board::{Kind, Size};
    use cpz_rules::games::{Dialect, Position, Question, game};
    use cpz_text::syntax::{GameId, Verb, parse};
    use proptest::prelude::*;

    const LIMITS: Limits = Limits { nodes_a_board: u64::MAX, pairs: false, max_pairs: 0 };

    /// Every board that differs from another by one piece, by trying every content of every pair of cells.
    fn naive_neighbours(board: &Board) -> Vec<Board> {
        let contents: Vec<Option<Piece>> =
            std::iter::once(None).chain(Kind::ALL[..6].iter().map(|&k| Some(Piece::white(k)))).collect();
        let mut all = Vec::new();
        for a in 0..board.cells.len() {
            for &content in contents.iter().filter(|&&c| c != board.cells[a]) {
                let mut one = board.clone();
                one.cells[a] = content;
                all.push(one);
            }
            for b in (0..board.cells.len()).filter(|_| board.cells[a].is_some()) {
                if board.cells[b].is_none() {
                    let mut moved = board.clone();
                    moved.cells.swap(a, b);
                    all.push(moved);
                }
            }
        }
        all
    }

    fn is_sound(position: &Position, unique: bool) -> bool {
        let budget = Budget::new(u64::MAX, None);
        let solitaire = game(GameId::Solitaire);
        let answer = solitaire.answer(position, &Question::of(Verb::Solve), &budget);
        let Ok(Answer::Solve(Some(first))) = answer else { return false };
        !unique || solitaire.second(position, &first, &budget) == Ok(None)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        /// The search has to find exactly the sound boards that a plain trial of all neighbours finds, each once; and if the budget
        /// runs out, the first of them.
        #[test]
        fn repairs_are_all_sound_neighbours(
            pieces in prop::collection::btree_map(0usize..12, 0usize..6, 2..7),
            unique in any::<bool>(),
            nodes in 1u64..3_000,
            dialect in prop::sample::select(Dialect::ALL.to_vec()),
        ) {
            let mut cells = ['.'; 12];
            pieces.iter().for_each(|(&cell, &kind)| cells[cell] = Kind::ALL[kind].letter());
            let rows: Vec<String> = cells.chunks(4).map(|row| row.iter().collect()).collect();
            let unique_word = if unique { "unique" } else { "" };
            let text = format!(
                "solitaire {{ rules {} {unique_word} board\n{}\nsolve }}", dialect.word(), rows.join("\n")
            );
            let tree = parse(text);
            let bound = bind_one(tree.puzzles().next().expect("a puzzle"), Defaults::default());
            let bound = bound.expect("solitaire");
            let goals = Goals::new(&bound, Aim::Sound).expect("a query");
            prop_assert_eq!(goals.position().board.size, Size::flat(4, 3));
            let budget = Budget::new(u64::MAX, None);
            let found = repairs(&goals, LIMITS, &budget, &mut |_| true).expect("not cancelled");
            prop_assert_eq!(found.is_sound, Some(is_sound(goals.position(), unique)));
            let mut boards: Vec<Board> = found.found.iter().map(|r| r.board.clone()).collect();
            let neighbours = if found.is_sound == Some(true) { Vec::new() } else { naive_neighbours(&goals.position().board) };
            let sound = |board: &Board| {
                board.count() > 1
                    && is_sound(&Position { board: board.clone(), ..goals.position().clone() }, unique)
            };
            prop_assert_eq!(found.tested, 1 + neighbours.iter().filter(|board| board.count() > 1).count() as u64);
            let mut expected: Vec<Board> = neighbours.into_iter().filter(sound).collect();
            boards.sort_by(|a, b| a.cells.cmp(&b.cells));
            expected.sort_by(|a, b| a.cells.cmp(&b.cells));
            prop_assert_eq!(boards, expected);
            prop_assert!(found.found.is_sorted_by_key(|r| r.changes[0].cost()));
            prop_assert!(found.complete);
            prop_assert_eq!(found.changes, u8::from(found.is_sound == Some(false)));
            if !found.found.is_empty() {
                let with_pairs = Limits { pairs: true, max_pairs: 1, ..LIMITS };
                let same = repairs(&goals, with_pairs, &budget, &mut |_| true).expect("not cancelled");
                prop_assert_eq!((&same.found, same.changes), (&found.found, 1));
            }
            let budget = Budget::new(nodes, None);
            let part = repairs(&goals, LIMITS, &budget, &mut |_| true).expect("not cancelled");
            prop_assert!(found.found.starts_with(&part.found));
            if part.complete {
                prop_assert_eq!((&part.found, part.is_sound), (&found.found, found.is_sound));
            } else {
                prop_assert_eq!(budget.left(), 0);
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]

        /// If no single change helps, the search has to find exactly the sound boards two changes away, each once.
        #[test]
        fn pairs_are_all_sound_boards_two_changes_away(
            pieces in prop::collection::btree_map(0usize..6, 0usize..6, 2..4),
        ) {
            let mut cells = ['.'; 6];
            pieces.iter().for_each(|(&cell, &kind)| cells[cell] = Kind::ALL[kind].letter());
            let rows: Vec<String> = cells.chunks(3).map(|row| row.iter().collect()).collect();
            let tree = parse(format!("solitaire {{ unique board\n{}\nsolve }}", rows.join("\n")));
            let bound = bind_one(tree.puzzles().next().expect("a puzzle"), Defaults::default());
            let bound = bound.expect("solitaire");
            let goals = Goals::new(&bound, Aim::Sound).expect("a query");
            let position = goals.position();
            let budget = Budget::new(u64::MAX, None);
            let limits = Limits { pairs: true, max_pairs: usize::MAX, ..LIMITS };
            // Boards with a sound neighbour have no pairs; so no single change is wanted here.
            let singles: Vec<Board> = naive_neighbours(&position.board);
            let mut wanted = |repair: &Repair| repair.changes.len() == 2;
            let found = repairs(&goals, limits, &budget, &mut wanted).expect("not cancelled");
            if found.is_sound == Some(true) {
                return Ok(());
            }
            let mut boards: Vec<Board> = singles.iter().flat_map(naive_neighbours).collect();
            boards.sort_by(|a, b| a.cells.cmp(&b.cells));
            boards.dedup();
            boards.retain(|board| *board != position.board && !singles.contains(board) && board.count() > 1);
            let tried = singles.iter().filter(|board| board.count() > 1).count() + boards.len();
            prop_assert_eq!((found.tested, found.changes, found.complete), (1 + tried as u64, 2, true));
            boards.retain(|board| is_sound(&Position { board: board.clone(), ..position.clone() }, true));
            let mut found_boards: Vec<Board> = found.found.iter().map(|r| r.board.clone()).collect();
            found_boards.sort_by(|a, b| a.cells.cmp(&b.cells));
            prop_assert_eq!(found_boards, boards);
            let cost = |r: &Repair| r.changes.iter().map(|change| change.cost()).sum::<u32>();
            prop_assert!(found.found.is_sorted_by_key(cost));
            if found.found.len() > 1 {
                let limits = Limits { max_pairs: 1, ..limits };
                let first = repairs(&goals, limits, &budget, &mut wanted).expect("not cancelled");
                prop_assert_eq!((&first.found[..], first.complete), (&found.found[..1], false));
            }
        }
    }

    /// Kings alone have no change that costs less than a step of one. What mates is a step to the edge and a man more.
    #[test]
    fn pairs_of_kings_alone_begin_with_the_closest() {
        let tree = parse("chess { board 8/8/8/8/8/3K4/1k6/8 w mate in 1 }");
        let bound = bind_one(tree.puzzles().next().expect("a puzzle"), Defaults::default()).expect("chess");
        let goals = Goals::new(&bound, Aim::Sound).expect("a query");
        let limits = Limits { pairs: true, max_pairs: 1, ..LIMITS };
        let found = repairs(&goals, limits, &Budget::new(u64::MAX, None), &mut |_| true);
        let found = found.expect("not cancelled");
        let costs: Vec<Vec<u32>> =
            found.found.iter().map(|r| r.changes.iter().map(Change::cost).collect()).collect();
        assert_eq!((costs, found.changes), (vec![vec![3, 4]], 2));
    }
}
