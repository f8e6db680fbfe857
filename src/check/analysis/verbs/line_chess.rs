//! A written line of chess: replayed on the position, with its numbers and its marks.

use crate::analysis::verbs::evaluator::QueryEvaluator;
use crate::analysis::verbs::move_claims::{nearest_moves, the_move, wrong_mark};
use crate::analysis::verbs::move_language::{language_of, read_move_in};
use crate::analysis::verbs::move_text::{MoveNumber, MoveText, move_number};
use crate::analysis::verbs::written_words::{WrittenWord, with_parentheses_apart, written_words};
use cpz_rules::board::{Colour, Language};
use cpz_rules::games::{
    ChessMove, Position, ProblemKind, Prover, Stipulation, Undecided, after_move, san, unmarked_san,
    why_illegal,
};
use cpz_text::diagnostic::{Code, Finding, Fix, Related, Severity, Span};
use cpz_text::syntax::{Query, Verb, says_en_passant};

/// The nodes that finding the last mate of a line may take.
const ASIDE: u64 = 300_000;

/// The most moves of one side that are taken back in search of a mate.
const MAX_MATE: usize = 4;

/// A legal move of a line.
#[derive(Clone, Debug)]
pub struct LineMove {
    /// The move.
    pub mv: ChessMove,
    /// Its place.
    pub span: Span,
    /// The position after it.
    pub after: Position,
}

/// A line up to the first move that fails. The variations of a study are replayed too, and have only findings.
#[derive(Clone, Debug, Default)]
pub struct LineReplay {
    /// The legal moves.
    pub moves: Vec<LineMove>,
    /// The place of the move that fails.
    pub failed: Option<Span>,
    /// What is wrong: with numbers and marks, and with the move that fails.
    pub findings: Vec<Finding>,
}

/// The numbers of moves in a line.
struct Numbers {
    /// The number of the first full move, once one is written.
    first: Option<i64>,
    /// The number of moves before the current one, counted from a move of white.
    plies: i64,
}

impl Numbers {
    /// What is wrong with a number before a move of `turn`: only the first that is wrong is reported.
    fn check(&mut self, number: MoveNumber, turn: Colour, at: Span) -> Option<Finding> {
        let finding = |message: String| Finding::new(Code::WrongSolution, at, message);
        let dots = if number.colour == Colour::White { "." } else { "..." };
        if number.colour != turn {
            let side = number.colour.name();
            let written =
                format!("`{}{dots}` is {side}'s move, but it is {}'s move here", number.number, turn.name());
            let is_first = self.plies == i64::from(turn == Colour::Black);
            return Some(finding(written + if is_first { "; is the side wrong?" } else { "" }));
        }
        let number = i64::from(number.number);
        let first = *self.first.get_or_insert(number - self.plies / 2);
        let expected = first + self.plies / 2;
        (number != expected).then(|| {
            self.first = Some(number - self.plies / 2);
            // Where the first number is not 1, that may be the slip.
            let only_if = if first == 1 { "" } else { " (if the first number is right)" };
            let title = format!("replace with `{expected}{dots}`{only_if}");
            let fix = Fix::new(title, at, format!("{expected}{dots}"), false);
            finding(format!("this is move {expected}, not move {number}")).fix(fix)
        })
    }
}

/// A place in a line between two moves.
#[derive(Clone)]
struct Spot {
    position: Position,
    /// The half moves before it, counted from a move of White.
    plies: i64,
}

/// A line that is being replayed, or a variation in it.
struct Branch {
    at: Spot,
    /// Before the last move, which a variation replaces; none where no move is made yet.
    before: Option<Spot>,
    /// Where its parenthesis opens; none of the line itself.
    open: Option<Span>,
    /// Whether a move in it fails: what follows up to its end is not read.
    has_failed: bool,
}

/// The deepest nesting of variations that is read.
const MAX_DEPTH: usize = 64;

struct Replayer {
    /// The line, and the variations that are open.
    branches: Vec<Branch>,
    numbers: Numbers,
    /// The language of the letters of pieces, where they are not English.
    language: Option<&'static Language>,
    result: LineReplay,
}

/// Replays the words of a line, in which parentheses stand alone.
fn replay(start: &Position, words: &[WrittenWord<'_>]) -> LineReplay {
    let Replayer { mut result, branches, .. } = replayed(start, words);
    if let (Some(open), None) = (branches.last().and_then(|branch| branch.open), result.failed) {
        result.findings.push(Finding::new(Code::WrongSolution, open, "this variation is not closed"));
    }
    result
}

/// The position behind the words of a line that is being written, in the variation that is open there; none where one of its
/// moves fails.
pub(crate) fn position_behind(start: &Position, words: &[WrittenWord<'_>]) -> Option<Position> {
    let Replayer { mut branches, .. } = replayed(start, &with_parentheses_apart(words));
    branches.pop().filter(|branch| !branch.has_failed).map(|branch| branch.at.position)
}

fn replayed(start: &Position, words: &[WrittenWord<'_>]) -> Replayer {
    let at = Spot { position: start.clone(), plies: i64::from(start.turn == Colour::Black) };
    let line = Branch { at, before: None, open: None, has_failed: false };
    let mut replayer = Replayer {
        branches: vec![line],
        numbers: Numbers { first: None, plies: 0 },
        language: language_of(words.iter().map(|word| word.text)),
        result: LineReplay::default(),
    };
    let mut words = words.iter().copied().peekable();
    while let (Some(word), None) = (words.next(), replayer.result.failed) {
        match word.text {
            "(" => replayer.open(word.span),
            ")" => replayer.close(word.span),
            _ => replayer.word(word, &mut words),
        }
    }
    replayer
}

impl Replayer {
    /// The line or variation that is read.
    fn branch(&mut self) -> &mut Branch {
        let last = self.branches.len() - 1;
        &mut self.branches[last]
    }

    /// Reports what is wrong in the line or variation, which ends with it.
    fn fail(&mut self, at: Span, finding: Finding) {
        self.result.findings.push(finding);
        self.branch().has_failed = true;
        if self.branches.len() == 1 {
            self.result.failed = Some(at);
        }
    }

    /// Begins a variation, which replaces the last move.
    fn open(&mut self, span: Span) {
        let depth = self.branches.len();
        let Branch { before, has_failed, at, .. } = self.branch();
        let (before, skipped) = (before.clone(), *has_failed);
        let from = before.clone().unwrap_or_else(|| at.clone());
        if !skipped && (before.is_none() || depth > MAX_DEPTH) {
            let why = match before {
                None => "a variation stands behind the move that it replaces",
                Some(_) => "variations are nested too deeply here",
            };
            self.result.findings.push(Finding::new(Code::WrongSolution, span, why));
        }
        let has_failed = skipped || before.is_none() || depth > MAX_DEPTH;
        self.branches.push(Branch { at: from, before: None, open: Some(span), has_failed });
    }

    fn close(&mut self, span: Span) {
        if self.branches.len() > 1 {
            self.branches.pop();
        } else {
            self.fail(span, Finding::new(Code::WrongSolution, span, "no variation is open here"));
        }
    }

    /// Reads a word of the line: a number, a move, or both.
    fn word<'w>(
        &mut self,
        mut word: WrittenWord<'w>,
        words: &mut std::iter::Peekable<impl Iterator<Item = WrittenWord<'w>>>,
    ) {
        if self.branch().has_failed {
            return;
        }
        if let Some(mut number) = move_number(word.text) {
            let len = word.text[..number.len].trim_end().len();
            let mut at = Span::new(word.span.start, word.span.start + len as u32);
            let is_alone = number.len == word.text.len();
            // `1. ... Kd5`
            if is_alone && let Some(dots) = words.next_if(|next| is_dots(next.text)) {
                (number.colour, at) = (Colour::Black, at.cover(dots.span));
            }
            let (turn, plies) = (self.branch().at.position.turn, self.branch().at.plies);
            self.numbers.plies = plies;
            if let Some(finding) = self.numbers.check(number, turn, at) {
                if number.colour != turn {
                    return self.fail(at, finding);
                }
                self.result.findings.push(finding);
            }
            if is_alone {
                return;
            }
            word = WrittenWord {
                text: &word.text[number.len..],
                span: Span::new(word.span.start + number.len as u32, word.span.end),
            };
        }
        if !is_no_move(word.text, words.peek().is_none()) {
            self.make(word, words);
        }
    }

    /// Makes the move of a word.
    fn make<'w>(
        &mut self,
        mut word: WrittenWord<'w>,
        words: &mut std::iter::Peekable<impl Iterator<Item = WrittenWord<'w>>>,
    ) {
        let Spot { position, plies } = self.branch().at.clone();
        let start = self.branches[0].at.plies - self.result.moves.len() as i64;
        let read = read_move_in(self.language, word.text, word.span, position.turn);
        let read = read.map(|mut read| {
            if let Some(passed) = words.next_if(|next| says_en_passant(next.text)) {
                read.request.en_passant = true;
                read.passed = Some(passed.span);
                word.span = word.span.cover(passed.span);
            }
            read
        });
        let made = (plies - start) as usize;
        match read.and_then(|read| Ok((the_legal_move(&position, &read, word, made)?, read))) {
            Ok((mv, read)) => {
                self.result.findings.extend(wrong_mark(&position, mv, &read, (word.text, word.span)));
                let after = after_move(&position, mv);
                if self.branches.len() == 1 {
                    self.result.moves.push(LineMove { mv, span: word.span, after: after.clone() });
                }
                let branch = self.branch();
                branch.before = Some(Spot { position, plies });
                branch.at = Spot { position: after, plies: plies + 1 };
            }
            Err(finding) => self.fail(word.span, finding),
        }
    }
}

fn is_dots(text: &str) -> bool {
    text.chars().all(|c| matches!(c, '.' | '…'))
}

/// Whether a word of a game's text is no move: a comment sign, a glyph, or the result at the end.
fn is_no_move(text: &str, is_last: bool) -> bool {
    let is_result = matches!(
        text,
        "1-0" | "0-1" | "1/2-1/2" | "½-½" | "*" | "+-" | "-+" | "+−" | "−+" | "=" | "±" | "∓" | "∞"
    );
    let is_glyph = text.strip_prefix('$').is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()));
    is_glyph || is_last && is_result || text.chars().all(|c| matches!(c, '!' | '?' | '.' | '…'))
}

/// The move that a written one means.
///
/// # Errors
/// Why it is illegal, or that it means several.
fn the_legal_move(
    position: &Position,
    read: &MoveText,
    word: WrittenWord<'_>,
    before: usize,
) -> Result<ChessMove, Finding> {
    if let Some(mv) = the_move(position, read)? {
        return Ok(mv);
    }
    let reason = why_illegal(position, &read.request).unwrap_or_default();
    let message = format!("step {} fails: {reason}", before + 1);
    let mut finding = Finding::new(Code::WrongSolution, word.span, message);
    let offset = (read.body.end - word.span.start) as usize;
    finding.fixes = nearest_moves(position, &word.text[..offset.min(word.text.len())], read);
    Err(finding)
}

/// The replay of the written line of a query.
pub(crate) fn replay_of(start: &Position, query: Query<'_>) -> Option<LineReplay> {
    let mut words = query.answer().and_then(written_words)?;
    if query.verb() != Some(Verb::Line) {
        words = with_parentheses_apart(&words);
    }
    Some(replay(start, &words))
}

/// Replays a line and reports what is wrong with it.
pub(super) fn check_line(evaluator: &mut QueryEvaluator<'_, '_>, query: Query<'_>) {
    let Some(mut replay) = replay_of(&evaluator.position, query) else { return };
    add_last_mate(evaluator, &mut replay);
    replay.findings.into_iter().for_each(|finding| evaluator.report(finding));
}

/// Says in the finding of a last move that is given as mate, and is none, before which move the mate was still there.
fn add_last_mate(evaluator: &mut QueryEvaluator<'_, '_>, replay: &mut LineReplay) {
    let Some((last, played)) = replay.moves.iter().enumerate().next_back() else { return };
    let is_about_last = |f: &&mut Finding| {
        f.code == Code::WrongMark
            && f.severity == Some(Severity::Error)
            && played.span.start <= f.span.start
            && f.span.end <= played.span.end
    };
    let Some(finding) = replay.findings.iter_mut().find(is_about_last) else { return };
    let start = evaluator.position.clone();
    let before = |index: usize| match index.checked_sub(1) {
        None => &start,
        Some(index) => &replay.moves[index].after,
    };
    let own_moves = (0..=last).rev().step_by(2).take(MAX_MATE);
    let attacker = before(last).turn;
    let found = evaluator.search_within(ASIDE, |_, _, budget| {
        let mut prover = Prover::new(Stipulation::new(ProblemKind::MATE, 2), attacker, budget);
        for (length, index) in (1..).zip(own_moves) {
            let keys = prover.continuations(before(index), length)?;
            if let Some(&key) = keys.iter().min_by_key(|key| key.mates) {
                return Ok(Some((index, key)));
            }
        }
        Ok::<_, Undecided>(None)
    });
    let Ok(Some((index, key))) = found else { return };
    let mate = format!("mate in {} was there: {}", key.mates, san(before(index), key.mv));
    if index == last {
        finding.notes.push(format!("before this move {mate}"));
        return;
    }
    let mistake = unmarked_san(before(index), replay.moves[index].mv);
    let message = format!("{mistake} is the mistake: before it {mate}");
    finding.notes.push(message.clone());
    finding.related.push(Related { file: None, span: replay.moves[index].span, message });
}
