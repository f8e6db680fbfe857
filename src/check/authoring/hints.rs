//! Hints that give away as little as possible, in three grades: which piece begins, where it goes, the move.

use crate::analysis::{Bound, Options, asked_problem_of, position_or_reason, steps_of, why};
use cpz_rules::board::{Piece, Square, square_name};
use cpz_rules::games::{
    Answer, Budget, Position, Question, Sequences, Stipulation, Undecided, find_keys, find_sequences, san,
    solving_captures,
};
use cpz_text::syntax::{GameId, Query, Verb};

/// The number of grades: 1 gives away the least, 3 is the move.
pub const HINT_GRADES: u8 = 3;

/// What the first move of a solution is, and how many pieces may make one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstMove {
    /// The number of pieces that can begin a solution.
    pub can_begin: u32,
    /// The piece of this solution.
    pub piece: Piece,
    /// Its square.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
    /// The move as cpz writes it: `d1xb2`, `Qb6`, `c3:e5`.
    pub text: String,
}

/// The first move of a solution of a puzzle: that of its first query with a solution. Each search has the node budget of
/// the options.
///
/// # Errors
/// Why there is none: the board cannot be read, no query has moves as its answer, it has no solution, or the budget ran
/// out.
pub fn first_move(bound: &Bound<'_>, options: &Options) -> Result<FirstMove, String> {
    let position = position_or_reason(bound)?;
    let asked = bound.puzzle.queries().filter_map(|query| Some((query, asked_problem_of(bound, query)?)));
    // Behind the first one the problems of the diagram: a hint does not say that it is about a twin.
    let of_diagram = |query: &Query<'_>| query.verb().is_some_and(|verb| verb.problem().is_some());
    let problems: Vec<(Position, Stipulation)> = asked
        .enumerate()
        .filter(|(i, (q, _))| *i == 0 || of_diagram(q))
        .map(|(_, (_, asked))| asked)
        .collect();
    let found = options.search_beside(options.nodes, |budget| match (bound.id, problems.as_slice()) {
        (GameId::Solitaire, _) => Some(first_capture(bound, &position, budget)),
        (GameId::Chess, [_, ..]) => Some(first_of_problems(&problems, budget)),
        (GameId::Draughts, _) if has(bound, Verb::Capture) => {
            Some(first_of_capture(bound, &position, budget))
        }
        (GameId::Chess | GameId::Draughts | GameId::Chess3d, _) => None,
    });
    // A problem under a condition, or a diagram that is not asked.
    let unasked = || bound.puzzle.queries().find_map(|query| bound.why_not_asked(query));
    match found.ok_or_else(|| unasked().unwrap_or(NO_MOVES))? {
        Ok(Some(found)) => Ok(found),
        Ok(None) => Err("it has no solution".into()),
        Err(undecided) => Err(why(undecided).into()),
    }
}

const NO_MOVES: &str = "it asks nothing that is answered with moves";

fn has(bound: &Bound<'_>, verb: Verb) -> bool {
    bound.puzzle.queries().any(|query| query.verb() == Some(verb))
}

/// The first capture of the written solution if that can be solved, or else of the first one by its squares.
fn first_capture(
    bound: &Bound<'_>,
    position: &Position,
    budget: &Budget<'_>,
) -> Result<Option<FirstMove>, Undecided> {
    let captures = solving_captures(position, budget)?;
    let written = |query: Query<'_>| steps_of(bound, query).first().map(|(step, _)| (step.from, step.to));
    let written: Vec<(Square, Square)> = bound.puzzle.queries().filter_map(written).collect();
    let is_written = |c: &&cpz_rules::games::Capture| written.contains(&(c.from, c.to));
    let Some(capture) = captures.iter().find(is_written).or(captures.first()) else { return Ok(None) };
    let name = |square| square_name(square, false);
    let text = format!("{}x{}", name(capture.from), name(capture.to));
    let starts = captures.iter().map(|c| c.from).collect();
    Ok(found(position, starts, (capture.from, capture.to), text))
}

/// The first move of the first problem that has a solution.
fn first_of_problems(
    problems: &[(Position, Stipulation)],
    budget: &Budget<'_>,
) -> Result<Option<FirstMove>, Undecided> {
    for (position, asked) in problems {
        if let Some(found) = first_of_problem(position, *asked, budget)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

fn first_of_problem(
    position: &Position,
    asked: Stipulation,
    budget: &Budget<'_>,
) -> Result<Option<FirstMove>, Undecided> {
    let moves: Vec<_> = match asked.play().has_sequences() {
        true => {
            let Sequences { solutions, complete, .. } = find_sequences(position, asked, budget)?;
            if solutions.is_empty() && !complete {
                return Err(Undecided::Budget);
            }
            solutions.iter().filter_map(|line| line.first().copied()).collect()
        }
        false => {
            let keys = find_keys(position, asked, budget)?;
            if keys.keys.is_empty() && !keys.complete {
                return Err(Undecided::Budget);
            }
            keys.keys.iter().map(|key| key.mv).collect()
        }
    };
    let Some(&first) = moves.first() else { return Ok(None) };
    let starts = moves.iter().map(|mv| mv.from).collect();
    Ok(found(position, starts, (first.from, first.to), san(position, first)))
}

/// The capture that takes the most pieces.
fn first_of_capture(
    bound: &Bound<'_>,
    position: &Position,
    budget: &Budget<'_>,
) -> Result<Option<FirstMove>, Undecided> {
    let answer = bound.game.answer(position, &Question::of(Verb::Capture), budget)?;
    let Answer::Capture { lines, .. } = answer else { return Ok(None) };
    let Some(best) = lines.iter().rev().max_by_key(|line| line.taken.len()) else { return Ok(None) };
    let names: Vec<String> = best.path.iter().map(|&square| square_name(square, false)).collect();
    let starts = lines.iter().filter_map(|line| line.path.first().copied()).collect();
    let [from, to, ..] = best.path[..] else { return Ok(None) };
    Ok(found(position, starts, (from, to), names.join(":")))
}

fn found(
    position: &Position,
    mut starts: Vec<Square>,
    (from, to): (Square, Square),
    text: String,
) -> Option<FirstMove> {
    starts.sort_unstable();
    starts.dedup();
    let piece = position.board.at(from)?;
    Some(FirstMove { can_begin: starts.len() as u32, piece, from, to, text })
}

impl FirstMove {
    /// The hint of a grade, 1 to [`HINT_GRADES`], in English and without a full stop.
    pub fn hint(&self, bound: &Bound<'_>, grade: u8) -> String {
        let name = |square| square_name(square, false);
        let piece = bound.game.format().called(self.piece);
        match (grade, self.can_begin) {
            (0 | 1, 1) => format!("the {piece} on {} begins", name(self.from)),
            (0 | 1, n) => format!("{n} pieces can begin"),
            (2, 1) => format!("the {piece} on {} goes to {}", name(self.from), name(self.to)),
            (2, _) => format!("one solution begins with a move to {}", name(self.to)),
            _ => format!("the first move is {}", self.text),
        }
    }
}

/// The hint of a grade: the author's own of that number, or else one that is worked out. `first` is the first move of a
/// solution.
///
/// # Errors
/// That of `first`, if the author wrote fewer hints.
pub fn hint_of_grade(
    own: &[&str],
    bound: &Bound<'_>,
    first: &Result<FirstMove, String>,
    grade: u8,
) -> Result<String, String> {
    match own.get(usize::from(grade.max(1)) - 1) {
        Some(own) => Ok(own.to_string()),
        None => first.as_ref().map(|first| first.hint(bound, grade)).map_err(String::clone),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::bind_one;
    use cpz_text::syntax::parse;

    fn hints(text: &str) -> Vec<String> {
        let tree = parse(text);
        let bound = bind_one(tree.puzzles().next().expect("a puzzle"), Default::default()).expect("a game");
        let first = first_move(&bound, &Options::default());
        let hint =
            |grade| hint_of_grade(&["Look up"][..usize::from(text.contains("hint"))], &bound, &first, grade);
        (1..=HINT_GRADES).map(|grade| hint(grade).unwrap_or_else(|why| format!("no: {why}"))).collect()
    }

    #[test]
    fn each_grade_gives_away_more() {
        let sample = "solitaire { board .....B..RP.....N solve }";
        assert_eq!(hints(sample)[0], "the knight on d1 begins");
        assert_eq!(hints(sample)[2], "the first move is d1xb2");
        let mate = "chess { board kbK5/pp6/1P6/8/8/8/8/R7 mate in 2 }";
        assert_eq!(
            hints(mate),
            ["the white rook on a1 begins", "the white rook on a1 goes to a6", "the first move is Ra6"]
        );
        let two = "chess { board kbK5/pp6/1P6/8/8/8/8/R7 #1 => none #2 }";
        assert_eq!(hints(two)[2], "the first move is Ra6");
        let capture = "draughts { board [[\"W\",\"K\",1,1], [\"B\",\"M\",3,3], [\"B\",\"M\",5,5]] capture }";
        assert_eq!(hints(capture)[0], "the white king on a1 begins");
        // Nothing stands on the square of the second grade, or what does is captured.
        let many = hints("solitaire { board KQ solve }");
        assert_eq!(
            many,
            ["2 pieces can begin", "one solution begins with a move to b1", "the first move is a1xb1"]
        );
    }

    #[test]
    fn own_hints_come_first() {
        let mate = "chess { hint \"Look up\" board kbK5/pp6/1P6/8/8/8/8/R7 mate in 2 }";
        assert_eq!(hints(mate)[0], "Look up");
        assert_eq!(hints(mate)[1], "the white rook on a1 goes to a6");
    }

    #[test]
    fn without_a_solution_there_is_a_reason() {
        assert_eq!(hints("solitaire { board R....N.......... solve }")[0], "no: it has no solution");
        let asks = hints("chess { board 8/8/8/4k3/8/8/8/4K2R mate }");
        assert_eq!(asks[0], "no: it asks nothing that is answered with moves");
    }
}
