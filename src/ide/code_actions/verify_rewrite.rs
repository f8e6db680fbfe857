//! The proof that a mirrored or turned puzzle is the same puzzle.

use std::fmt;

use crate::code_actions::ROUND_TRIP_FAILED;
use crate::code_actions::rewrite::{Rewrite, castling_edits};
use crate::text_edit::{apply, keeps_all_else};
use cpz_check::analysis::{
    Bound, Defaults, Options, bind_one, code_docs, position_of, problem_of, report_of, request_of, steps_of,
    stipulation_of,
};
use cpz_rules::board::{Kind, Square};
use cpz_rules::games::{Position, Request, Step, Symmetry};
use cpz_text::diagnostic::{Code, Edit, Finding, Severity, Span};
use cpz_text::syntax::{Puzzle, Query, Tree, Verb, parse};

/// The node budget that checks a written answer again.
const NODES: u64 = 400_000;

/// The same if the rewritten puzzle has the same answers by symmetry.
const NODES_IF_SYMMETRIC: u64 = 20_000;

/// Why a rewritten puzzle is refused.
pub(crate) enum Refusal {
    /// The opposite rewrite does not lead to the old text.
    NoWayBack,
    /// The text does not parse back to the expected board and moves, or has new errors.
    RoundTripFailed,
    /// Pieces of this kind move in one direction, and a written move is one of theirs.
    DirectedMove(Kind),
    /// Pieces of this kind move in one direction, and the search for the answers hit its budget.
    Undecided(Kind),
    /// Pieces of this kind move in one direction, and a query has new errors; which, for the user.
    NewErrors(Kind, &'static str),
}

impl fmt::Display for Refusal {
    /// The reason, for the user.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let other_way =
            |kind: &Kind| format!("a {} of this board would move in another direction", kind.name());
        match self {
            Refusal::RoundTripFailed => f.write_str(ROUND_TRIP_FAILED),
            Refusal::NoWayBack => f.write_str("the way back would not lead to the same text"),
            Refusal::DirectedMove(kind) => {
                write!(f, "{}, and the puzzle contains a move of one", other_way(kind))
            }
            Refusal::Undecided(kind) => {
                write!(f, "{}, and whether a written answer stays right is undecided", other_way(kind))
            }
            Refusal::NewErrors(kind, what) => write!(f, "{}, so {what}", other_way(kind)),
        }
    }
}

/// A rewrite to be verified.
pub(crate) struct VerifyRewrite<'a, 't> {
    /// The puzzle before the rewrite.
    pub bound: &'a Bound<'t>,
    /// The defaults of the puzzle.
    pub defaults: Defaults,
    /// The position before the rewrite.
    pub old: &'a Position,
    /// The position that the rewritten puzzle must have.
    pub new: &'a Position,
    /// Maps the old squares to the new ones.
    pub symmetry: Symmetry,
}

impl VerifyRewrite<'_, '_> {
    /// Parses the puzzle with the edits applied. No other text may have changed, the board and the moves must be
    /// the old ones under the symmetry, and there may be no new errors.
    pub(crate) fn check(&self, edits: &[Edit]) -> Result<(), Refusal> {
        let source = self.bound.puzzle.node().text();
        let start = self.bound.puzzle.span().start;
        let local: Vec<Edit> = edits
            .iter()
            .map(|e| Edit { span: Span::new(e.span.start - start, e.span.end - start), text: e.text.clone() })
            .collect();
        let text = apply(source, &local);
        let (before, after) = (parse(source), parse(&text[..]));
        let first = |tree| -> Option<Puzzle<'_>> { Tree::puzzles(tree).next() };
        let (old_puzzle, new_puzzle) = first(&before).zip(first(&after)).ok_or(Refusal::RoundTripFailed)?;
        let rewritten = bind_one(new_puzzle, self.defaults).ok_or(Refusal::RoundTripFailed)?;
        let faithful = after.errors().is_empty()
            && keeps_all_else(source, &local, &text)
            && position_of(&rewritten).is_some_and(|p| p.board == self.new.board && p.turn == self.new.turn);
        if !faithful {
            return Err(Refusal::RoundTripFailed);
        }
        let directed = self.directed_kind();
        self.check_moves(&rewritten, directed)?;
        self.check_errors(old_puzzle, new_puzzle, directed)?;
        match self.way_back(&rewritten, &text) {
            Some(back) if self.is_same_but_for_castling(source, &back) => Ok(()),
            _ => Err(Refusal::NoWayBack),
        }
    }

    /// The text after the opposite rewrite of the rewritten puzzle.
    fn way_back(&self, rewritten: &Bound<'_>, text: &str) -> Option<String> {
        let position = position_of(rewritten)?;
        let mut rewrite = Rewrite::new(rewritten, &position, self.symmetry.inverse(), &self.old.board);
        rewrite.board().ok()?;
        rewritten.puzzle.queries().try_for_each(|query| rewrite.query(query)).ok()?;
        Some(apply(text, &rewrite.into_edits()))
    }

    /// Whether the way back leads to the old text. Castling rights do not come back: they are lost wherever kings and
    /// rooks leave their first squares.
    fn is_same_but_for_castling(&self, source: &str, back: &str) -> bool {
        let mut edits = castling_edits(self.bound, self.symmetry);
        let start = -i64::from(self.bound.puzzle.span().start);
        edits.iter_mut().for_each(|edit| edit.span.shift(start));
        back == apply(source, &edits)
    }

    /// A kind of piece on the board that moves in one direction, if the symmetry changes that direction.
    fn directed_kind(&self) -> Option<Kind> {
        let kinds = self.old.board.pieces().map(|(_, p)| p.kind);
        let directed = kinds.into_iter().find(|k| matches!(k, Kind::Pawn | Kind::Man));
        let same_rules = self.bound.game.symmetries(self.old);
        directed.filter(|_| !same_rules.contains(&self.symmetry) && !same_rules.contains(&Symmetry::FLIP))
    }

    /// The written steps and the `move`s must be the old ones under the symmetry.
    fn check_moves(&self, rewritten: &Bound<'_>, directed: Option<Kind>) -> Result<(), Refusal> {
        let place = |s| self.symmetry.apply(s, self.old.board.size);
        for (a, b) in self.bound.puzzle.queries().zip(rewritten.puzzle.queries()) {
            let expected = steps_of(self.bound, a).into_iter().map(|(s, _)| Step {
                from: place(s.from),
                to: place(s.to),
                ..s
            });
            let same_steps = expected.eq(steps_of(rewritten, b).into_iter().map(|s| s.0));
            let request = request_of(self.bound, a)
                .map(|r| if r.castling.is_some() { r } else { moved_request(r, self.symmetry, place) });
            let arrival = |bound, query| stipulation_of(bound, query).and_then(|asked| asked.square);
            let same_arrival = arrival(self.bound, a).map(place) == arrival(rewritten, b);
            let same_problem = self.is_same_problem(a, rewritten, b);
            if !same_steps || !same_arrival || !same_problem || request != request_of(rewritten, b) {
                return Err(directed.map_or(Refusal::RoundTripFailed, Refusal::DirectedMove));
            }
        }
        Ok(())
    }

    /// Whether a problem, a twin or what else is made of one begins with the old position under the symmetry.
    fn is_same_problem(&self, old: Query<'_>, rewritten: &Bound<'_>, new: Query<'_>) -> bool {
        let turned = |position: &Position| (self.symmetry.board(&position.board), position.turn);
        let begun = problem_of(self.bound, old).map(|(position, _)| turned(&position));
        begun == problem_of(rewritten, new).map(|(position, _)| (position.board, position.turn))
    }

    /// Neither a query nor the rest may have more errors than before, nor fewer: then there is no way back.
    fn check_errors(&self, old: Puzzle<'_>, new: Puzzle<'_>, directed: Option<Kind>) -> Result<(), Refusal> {
        let nodes = if directed.is_some() { NODES } else { NODES_IF_SYMMETRIC };
        let (before, after) =
            (count_errors(old, self.defaults, nodes), count_errors(new, self.defaults, nodes));
        if before.hit_budget || after.hit_budget {
            return match directed {
                Some(kind) if self.bound.puzzle.queries().any(|q| q.answer().is_some()) => {
                    Err(Refusal::Undecided(kind))
                }
                _ => Ok(()),
            };
        }
        for (i, query) in self.bound.puzzle.queries().enumerate() {
            // An error in the place of a warning is a new one.
            if after.queries[i].0 > before.queries[i].0 || after.queries[i].1 > before.queries[i].1 {
                let refusal = |kind| Refusal::NewErrors(kind, consequence(query));
                return Err(directed.map_or(Refusal::RoundTripFailed, refusal));
            }
            if after.queries[i] != before.queries[i] {
                return Err(Refusal::NoWayBack);
            }
        }
        if after.elsewhere == before.elsewhere { Ok(()) } else { Err(Refusal::RoundTripFailed) }
    }
}

/// What new errors of a query mean for the user.
fn consequence(query: Query<'_>) -> &'static str {
    match (query.verb(), query.answer().is_some()) {
        (Some(Verb::Solve), true) => "the written solution would be wrong",
        (_, true) => "a written answer would be wrong",
        (Some(Verb::Solve), false) => "there would be no solution",
        (_, false) => "a move would be illegal",
    }
}

/// The numbers of errors and warnings of a puzzle analysed alone.
struct ErrorCounts {
    /// For each query: the errors, and both.
    queries: Vec<(usize, usize)>,
    elsewhere: usize,
    /// Whether a search hit its node budget.
    hit_budget: bool,
}

fn count_errors(puzzle: Puzzle<'_>, defaults: Defaults, nodes: u64) -> ErrorCounts {
    let report = report_of(puzzle, defaults, &Options { nodes, ..Options::default() });
    let severity = |f: &&Finding| code_docs::entry(f.code).severity;
    let shown = || report.findings.iter().filter(|f| severity(f) != Severity::Hint);
    let is_in = |f: &Finding, q: Query<'_>| q.span().start <= f.span.start && f.span.end <= q.span().end;
    let within = |q: Query<'_>| {
        let errors = shown().filter(|f| is_in(f, q) && severity(f) == Severity::Error).count();
        (errors, shown().filter(|f| is_in(f, q)).count())
    };
    let queries: Vec<(usize, usize)> = puzzle.queries().map(within).collect();
    let elsewhere = shown().count() - queries.iter().map(|(_, all)| all).sum::<usize>();
    let hit_budget = report.hit_budget || report.findings.iter().any(|f| f.code == Code::Undecided);
    ErrorCounts { queries, elsewhere, hit_budget }
}

/// A request on the board under a symmetry.
fn moved_request(r: Request, symmetry: Symmetry, place: impl Fn(Square) -> Square) -> Request {
    let swaps = matches!(symmetry, Symmetry::RIGHT | Symmetry::LEFT);
    let part = |x: Option<u8>, y: Option<u8>| {
        let at = place(Square::new(x.unwrap_or(0), y.unwrap_or(0)));
        // A quarter turn makes a rank of a file.
        let (file, rank) = if swaps { (y, x) } else { (x, y) };
        (file.map(|_| at.x), rank.map(|_| at.y))
    };
    Request { to: place(r.to), from: part(r.from.0, r.from.1), ..r }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A puzzle, and whether its moves are those of the puzzle before, mirrored.
    fn has_the_moves(before: &str, after: &str) -> bool {
        let (old, new) = (parse(before), parse(after));
        let bound = |tree| bind_one(Tree::puzzles(tree).next().expect("a puzzle"), Defaults::default());
        let (old, new) = (bound(&old).expect("a game"), bound(&new).expect("a game"));
        let (from, to) = (position_of(&old).expect("a position"), position_of(&new).expect("a position"));
        let (defaults, symmetry) = (Defaults::default(), Symmetry::MIRROR);
        assert_eq!(symmetry.board(&from.board), to.board, "{after}");
        let verified = VerifyRewrite { bound: &old, defaults, old: &from, new: &to, symmetry };
        let found = [None, Some(Kind::Pawn)].map(|directed| verified.check_moves(&new, directed));
        match found {
            [Ok(()), Ok(())] => true,
            [Err(Refusal::RoundTripFailed), Err(Refusal::DirectedMove(Kind::Pawn))] => false,
            _ => panic!("another refusal: {after}"),
        }
    }

    #[test]
    fn each_part_of_a_query_has_to_be_rewritten() {
        // The boards, and the parts of a query that are rewritten.
        for (from, to, parts) in [
            (
                "solitaire { board N.../.R../..P./....",
                "solitaire { board ...N/..R./.P../....",
                vec![("solve => a4xc3", "solve => d4xb3"), ("solve => a4xc3 c3xb3", "solve => d4xb3 b3xc3")],
            ),
            (
                "chess { board 8/8/5n2/1N1Rrk2/8/3KB3/8/8",
                "chess { board 8/8/2n5/2krR1N1/8/3BK3/8/8",
                vec![
                    ("move Nd6+", "move Ne6+"),
                    ("hze5 2", "hzd5 2"),
                    ("zd4 1", "ze4 1"),
                    ("h#2\n twin b: exchange f6 e3", "h#2\n twin b: exchange c6 d3"),
                ],
            ),
        ] {
            for (old, new) in parts {
                let before = format!("{from} {old} }}");
                assert!(has_the_moves(&before, &format!("{to} {new} }}")), "{new}");
                assert!(!has_the_moves(&before, &format!("{to} {old} }}")), "{old}");
            }
        }
    }
}
