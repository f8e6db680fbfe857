//! Repairs of a puzzle as edits of its text: each with the change in words and the solution that it gives.
//!
//! A proposal is made only if the edited text, analysed as any text, has nothing wrong with it that it did not have before,
//! and none of what the repair is for.

use crate::answer_text::{AnswerStyle, answer_in_words};
use crate::board_edit::{BoardChanges, board_edits, has_comment};
use crate::code_actions::readable_position;
use crate::text_edit::{apply, keeps_all_else};
use cpz_check::analysis::{
    Bound, Defaults, Options, Outcome, PuzzleReport, QueryReport, answer_text, bind_one, code_docs,
    position_of, report_of,
};
use cpz_check::repair::{Aim, Goals, Limits, Repair, Repairs, changed_squares, reductions, repairs};
use cpz_rules::board::Board;
use cpz_rules::games::{Answer, Undecided};
use cpz_text::diagnostic::{Code, Edit, Finding, Severity, Span};
use cpz_text::syntax::{GameId, Property, Puzzle, Verb, parse};
use std::cell::Cell;

/// The codes of the findings that a repair is for.
pub const REPAIRABLE: [Code; 4] = [Code::Unsolvable, Code::NotUnique, Code::Cook, Code::ShortSolution];

/// The most captures or moves of a solution that a title shows.
const MAX_SHOWN_MOVES: usize = 8;

/// One board of a search takes at most this share of the budget.
const BOARDS_A_BUDGET: u64 = 16;

/// The most repairs of two changes.
const MAX_PAIRS: usize = 40;

/// A change of a board, ready to be applied.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// The changes, the new board and the answers that it has.
    pub repair: Repair,
    /// `move the knight from b2 to c3`
    pub words: String,
    /// The new solution: `d1xc3 c3xb4`, `1.Qb6!`.
    pub solution: String,
    /// Whether a written answer is replaced, because it does not fit the new board.
    pub rewrites_answer: bool,
    /// The edits of the text, in order of position.
    pub edits: Vec<Edit>,
}

impl Proposal {
    /// The title of an action: `Move the knight from b2 to c3: d1xc3 c3xb4`. It says if a written answer is replaced.
    pub fn title(&self) -> String {
        let mut letters = self.words.chars();
        let first = letters.next().map(|c| c.to_ascii_uppercase());
        let words: String = first.into_iter().chain(letters).collect();
        let moves: Vec<&str> = self.solution.split(' ').collect();
        let replaces = if self.rewrites_answer { " (replaces the written answer)" } else { "" };
        match moves.len() > MAX_SHOWN_MOVES {
            true => format!("{words}: {} …{replaces}", moves[..MAX_SHOWN_MOVES].join(" ")),
            false => format!("{words}: {}{replaces}", self.solution),
        }
    }
}

/// The repairs of a puzzle.
#[derive(Clone, Debug, Default)]
pub struct Proposals {
    /// Those that keep every written answer first, then the closest.
    pub found: Vec<Proposal>,
    /// Whether the puzzle is as it is meant to be already; `None` if the budget ran out before that was known.
    pub is_sound: Option<bool>,
    /// The most changes that were tried at a time: 1, or 2 if no single one helps.
    pub changes: u8,
    /// Whether none is missing among those.
    pub complete: bool,
    /// The number of boards that were tested.
    pub tested: u64,
    /// Whether a change was left out because its answer would replace a comment.
    pub would_lose_comment: bool,
}

/// The repairs of a puzzle; `None` if no query of it asks for a solution. `defaults` are those in force for it. The search
/// for them has the node budget of one search, and so has each analysis of an edited text.
///
/// # Errors
/// Why it cannot be repaired, for the user.
pub fn propose(
    puzzle: Puzzle<'_>,
    defaults: Defaults,
    aim: Aim,
    options: &Options,
) -> Result<Option<Proposals>, String> {
    let Some(bound) = bind_one(puzzle, defaults) else { return Ok(None) };
    if !bound.puzzle.queries().any(|q| q.verb().is_some_and(may_be_repaired)) {
        return Ok(None);
    }
    let position = readable_position(&bound, defaults)?;
    let Some(goals) = Goals::new(&bound, aim) else { return Ok(None) };
    let limits = Limits { nodes_a_board: options.nodes / BOARDS_A_BUDGET, pairs: true, max_pairs: MAX_PAIRS };
    let editor = Editor::new(&bound, defaults, position.board, options);
    let mut found = Vec::new();
    let mut accept = |repair: &Repair| {
        let proposal = editor.proposal(repair);
        let is_accepted = proposal.is_some();
        found.extend(proposal);
        is_accepted
    };
    let searched = options.search_beside(options.nodes, |budget| match aim {
        Aim::Sound | Aim::Unique => repairs(&goals, limits, budget, &mut accept),
        Aim::Shorter | Aim::Minimal => reductions(&goals, aim, limits, budget, &mut accept),
    });
    let Repairs { is_sound, changes, complete, tested, .. } =
        searched.map_err(|undecided| match undecided {
            Undecided::Cancelled => "the search was cancelled".to_string(),
            Undecided::Budget => "the search used up its budget".to_string(),
        })?;
    // Stable: among those that keep the answers, the closest stays first.
    found.sort_by_key(|proposal| proposal.rewrites_answer);
    let would_lose_comment = editor.would_lose_comment.get();
    Ok(Some(Proposals { found, is_sound, changes, complete, tested, would_lose_comment }))
}

/// Why there are no changes to choose from, in a sentence.
pub fn why_no_proposals(proposals: &Proposals, aim: Aim) -> &'static str {
    match (aim, proposals.is_sound) {
        (_, None) => "whether this puzzle is sound is undecided: the search used up its budget",
        _ if proposals.would_lose_comment => {
            "a change would replace the written answer and the comment in it: move the comment first"
        }
        (Aim::Sound, Some(true)) => "this puzzle is sound already",
        (Aim::Unique, Some(true)) => "this puzzle has one solution only already",
        (Aim::Shorter, Some(true)) => "no smaller puzzle is as sound as this one",
        (Aim::Minimal, Some(true)) => "the solution of this puzzle needs every piece",
        (Aim::Shorter | Aim::Minimal, Some(false)) => "this puzzle is not sound: repair it first",
        (_, Some(false)) if proposals.complete => "no change of one or two pieces makes this puzzle sound",
        (_, Some(false)) => "no repair found: the search used up its budget",
    }
}

/// Whether a query of a puzzle asks for a solution.
pub fn asks_for_solution(puzzle: Puzzle<'_>) -> bool {
    // Under a condition nothing is solved, and a repair changes the diagram, which may not be asked.
    let is_chess = puzzle.game() == Some(GameId::Chess);
    let hides = |property: Property| is_chess && puzzle.has_property(property);
    if hides(Property::Condition) || hides(Property::ZeroPosition) {
        return false;
    }
    puzzle.queries().any(|q| q.verb().is_some_and(|verb| verb != Verb::Count && may_be_repaired(verb)))
}

/// Whether a finding of a puzzle may be corrected by a change of its board: what a repair is for, and a wrong answer where
/// there is no right one.
pub fn may_need_repair(finding: &Finding, report: &PuzzleReport) -> bool {
    let has_no_answer = |outcome: &Outcome| match outcome {
        Outcome::Answer(Answer::Solve(found)) => found.is_none(),
        Outcome::Answer(Answer::Keys { keys, complete, .. }) => *complete && keys.is_empty(),
        Outcome::Answer(Answer::Sequences { solutions, complete, .. }) => *complete && solutions.is_empty(),
        _ => false,
    };
    let is_answer = || matches!(finding.code, Code::WrongAnswer | Code::WrongSolution);
    let of_query = |q: &&QueryReport| q.span.start <= finding.span.start && finding.span.end <= q.span.end;
    REPAIRABLE.contains(&finding.code)
        || is_answer() && report.queries.iter().find(of_query).is_some_and(|q| has_no_answer(&q.outcome))
}

/// Makes the edits of repairs, and proves them.
struct Editor<'a, 't> {
    bound: &'a Bound<'t>,
    defaults: Defaults,
    board: Board,
    options: Options,
    /// The codes of what is wrong with the puzzle as it is.
    before: Vec<Code>,
    /// Set when an answer is not replaced because of a comment in it.
    would_lose_comment: Cell<bool>,
}

impl<'a, 't> Editor<'a, 't> {
    fn new(bound: &'a Bound<'t>, defaults: Defaults, board: Board, options: &Options) -> Editor<'a, 't> {
        let options = Options { answers: true, ..options.clone() };
        let before = wrong(&report_of(bound.puzzle, defaults, &options)).map(|f| f.code).collect();
        Editor { bound, defaults, board, options, before, would_lose_comment: Cell::default() }
    }

    /// The proposal of a repair; `None` if its board cannot be written in the form of the old one, or if something else
    /// would be wrong.
    fn proposal(&self, repair: &Repair) -> Option<Proposal> {
        let squares = changed_squares(&self.board, &repair.changes);
        let board = board_edits(self.bound, self.defaults, &BoardChanges::of_squares(squares)).ok()?;
        let mut edits = board.clone();
        if let Some(answers) = self.try_edits(repair, &edits).ok()? {
            edits.extend(answers);
            edits.sort_by_key(|e| (e.span.start, e.span.end));
            // With the answers replaced nothing may be left to replace.
            if self.try_edits(repair, &edits).ok()?.is_some() {
                return None;
            }
        }
        let format = self.bound.game.format();
        let words: Vec<String> = repair.changes.iter().map(|c| c.in_words(format)).collect();
        let solution = |answer: &Answer| answer_in_words(answer, AnswerStyle::Short(None));
        Some(Proposal {
            repair: repair.clone(),
            words: words.join(" and "),
            solution: repair.answers.iter().map(solution).collect::<Vec<_>>().join("; "),
            rewrites_answer: edits.len() > board.len(),
            edits,
        })
    }

    /// Analyses the puzzle with some edits. Returns the edits that replace the written answers which no longer fit, if
    /// there are any.
    ///
    /// # Errors
    /// Nothing more: the edited puzzle is not what was promised, or has something new that is wrong.
    fn try_edits(&self, repair: &Repair, edits: &[Edit]) -> Result<Option<Vec<Edit>>, ()> {
        let source = self.bound.puzzle.node().text();
        let start = self.bound.puzzle.span().start;
        let local = |e: &Edit| {
            let mut span = e.span;
            span.shift(-i64::from(start));
            Edit { span, text: e.text.clone() }
        };
        let local: Vec<Edit> = edits.iter().map(local).collect();
        let text = apply(source, &local);
        let tree = parse(&text[..]);
        let puzzle = tree.puzzles().next().filter(|_| tree.errors().is_empty()).ok_or(())?;
        let new = bind_one(puzzle, self.defaults).and_then(|bound| position_of(&bound));
        if new.is_none_or(|position| position.board != repair.board) || !keeps_all_else(source, &local, &text)
        {
            return Err(());
        }
        let report = report_of(puzzle, self.defaults, &self.options);
        let mut misfits: Vec<usize> = Vec::new();
        let mut known = self.before.clone();
        for finding in wrong(&report) {
            if let Some(query) = misfit(&report, finding) {
                misfits.push(query);
                continue;
            }
            if REPAIRABLE.contains(&finding.code) || finding.code == Code::Undecided {
                return Err(());
            }
            let index = known.iter().position(|code| *code == finding.code).ok_or(())?;
            known.swap_remove(index);
        }
        misfits.sort_unstable();
        misfits.dedup();
        let replaced: Option<Vec<Edit>> =
            misfits.iter().map(|&query| self.right_answer(&report, puzzle, query, repair)).collect();
        let replaced = replaced.ok_or(())?;
        Ok((!replaced.is_empty()).then_some(replaced))
    }

    /// The edit of the old text that replaces the written answer of a query by the one that the edited puzzle has.
    fn right_answer(
        &self,
        report: &PuzzleReport,
        edited: Puzzle<'_>,
        query: usize,
        repair: &Repair,
    ) -> Option<Edit> {
        let known: &QueryReport = report.queries.get(query)?;
        let Outcome::Answer(found) = &known.outcome else { return None };
        // The solution that is shown.
        let promised = repair.answers.iter().find(|answer| matches!(answer, Answer::Solve(_)));
        let answer = promised.filter(|_| known.verb == Verb::Solve).unwrap_or(found);
        let index = edited.queries().position(|q| q.span() == known.span)?;
        let written = self.bound.puzzle.queries().nth(index)?.answer()?;
        let text = answer_text(answer, report.origin, report.notation, false)?;
        let span = written.span();
        if has_comment(self.bound, span) {
            self.would_lose_comment.set(true);
            return None;
        }
        Some(Edit { span, text })
    }
}

/// Whether a query asks for a solution, or for the number of solutions.
fn may_be_repaired(verb: Verb) -> bool {
    matches!(verb, Verb::Solve | Verb::Count | Verb::Problem(_))
}

/// What is wrong with a puzzle: errors and warnings.
fn wrong(report: &PuzzleReport) -> impl Iterator<Item = &Finding> {
    report.findings.iter().filter(|f| code_docs::entry(f.code).severity != Severity::Hint)
}

/// The query whose written answer a finding is about, if that may be replaced: a solution or the number of solutions.
fn misfit(report: &PuzzleReport, finding: &Finding) -> Option<usize> {
    let is_answer = matches!(
        finding.code,
        Code::WrongAnswer | Code::WrongSolution | Code::WrongMark | Code::AmbiguousMove
    );
    let contains = |span: Span| span.start <= finding.span.start && finding.span.end <= span.end;
    let query = report.queries.iter().position(|q| contains(q.span))?;
    let known = &report.queries[query];
    (is_answer && may_be_repaired(known.verb) && known.answered && finding.span.start >= known.asked.end)
        .then_some(query)
}
