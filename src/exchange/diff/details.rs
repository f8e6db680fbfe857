//! What differs between the old and the new version of a puzzle.

use crate::diff::men::{men, named};
use crate::diff::model::{
    BoardDiff, BoardRows, BoardSize, CommentsDiff, FindingState, FindingsDiff, ManDiff, PlainBoard,
    PropertyDiff, QueryDiff, QuestionState,
};
use crate::export::{ExportPuzzle, ExportQuery, in_one_line};
use cpz_check::analysis::{Severities, answer_text, canonical_form, letter_of_twin};
use cpz_rules::board::{Board, Castling, Colour, square_name};
use cpz_rules::games::Stipulation;
use cpz_text::diagnostic::{Code, Finding, Severity, visible};
use cpz_text::syntax::{Property, Token, TokenKind, Tree, parse};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// The most findings of a puzzle that are compared: a text that is no puzzle may have thousands.
const MAX_FINDINGS: usize = 100;

/// A puzzle on one of two sides.
pub(super) type Version<'p, 'a> = Option<&'p ExportPuzzle<'a>>;

/// The boards, if they differ.
pub(super) fn board(old: Version<'_, '_>, new: Version<'_, '_>) -> Option<BoardDiff> {
    let of = |puzzle: Version<'_, '_>| puzzle.and_then(rows);
    let diff = |turned: bool, men: Vec<ManDiff>| {
        let boards = [old, new].map(|puzzle| plain_board(puzzle?));
        BoardDiff { old: of(old), new: of(new), turned, men, boards }
    };
    let (Some(before), Some(after)) = (old, new) else {
        return [old, new]
            .into_iter()
            .flatten()
            .any(|puzzle| puzzle.board().is_some())
            .then(|| diff(false, Vec::new()));
    };
    let (Some(a), Some(b)) = (before.board(), after.board()) else {
        let written = |puzzle| written_board(puzzle).map(|text| one_line(&text));
        let differs = of(old) != of(new) || written(before) != written(after);
        return differs.then(|| diff(false, Vec::new()));
    };
    if a == b {
        return None;
    }
    let found = men(a, b);
    let format = after.bound.as_ref().map(|bound| bound.game.format());
    let men = format.map(|format| found.into_iter().map(|man| named(man, format)).collect());
    Some(diff(is_turned(before, after), men.unwrap_or_default()))
}

/// Whether the boards of two puzzles of one game differ by a symmetry of that game.
fn is_turned(old: &ExportPuzzle<'_>, new: &ExportPuzzle<'_>) -> bool {
    let form = |puzzle: &ExportPuzzle<'_>| {
        let (bound, position) = (puzzle.bound.as_ref()?, puzzle.position.as_ref()?);
        Some((bound.id, canonical_form(bound.game, position)))
    };
    form(old).is_some_and(|old| form(new) == Some(old))
}

fn rows(puzzle: &ExportPuzzle<'_>) -> Option<BoardRows> {
    let Board { size, .. } = puzzle.board()?;
    let size = BoardSize { columns: size.w, rows: size.h, levels: size.d };
    Some(BoardRows { size, rows: puzzle.rows()? })
}

fn plain_board(puzzle: &ExportPuzzle<'_>) -> Option<PlainBoard> {
    let format = puzzle.bound.as_ref()?.game.format();
    Some(PlainBoard { board: puzzle.board()?.clone(), format })
}

/// The board as it is written.
fn written_board(puzzle: &ExportPuzzle<'_>) -> Option<String> {
    let content = puzzle.puzzle.boards().next()?.content()?;
    Some(puzzle.text_of(content).to_string())
}

/// The properties that differ.
pub(super) fn properties(old: Version<'_, '_>, new: Version<'_, '_>) -> Vec<PropertyDiff> {
    let (before, after) = (old.map(described).unwrap_or_default(), new.map(described).unwrap_or_default());
    // Of equal names the first counts.
    let by_name =
        |all: &[(String, String)]| -> FxHashMap<String, String> { all.iter().rev().cloned().collect() };
    let (old_of, new_of) = (by_name(&before), by_name(&after));
    let mut seen = FxHashSet::default();
    let names = before.iter().chain(&after).map(|(name, _)| name).filter(|name| seen.insert(*name));
    let diff = |name: &String| {
        let (old, new) = (old_of.get(name).cloned(), new_of.get(name).cloned());
        (old != new).then(|| PropertyDiff { name: name.clone(), old, new })
    };
    names.filter_map(diff).collect()
}

/// What a puzzle says besides its board and its questions, by name. What is at its default is left out.
fn described(puzzle: &ExportPuzzle<'_>) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    let mut add = |name: &str, value: String| {
        if !value.trim().is_empty() {
            all.push((name.to_string(), visible(value.trim()).into_owned()));
        }
    };
    add("name", puzzle.name().unwrap_or_default().to_string());
    add("game", puzzle.game_word().to_string());
    if puzzle.side() == Some(Colour::Black) {
        add("turn", Colour::Black.name().to_string());
    }
    if let Some(position) = &puzzle.position {
        let rights = position.rights;
        let castling =
            Castling::EACH.into_iter().filter(|&(colour, wing, _)| rights.castling.has(colour, wing));
        add("castling", castling.map(|(_, _, letter)| letter).collect());
        let square = rights.en_passant.map(|square| square_name(square, false));
        add("en-passant", square.unwrap_or_default());
    }
    let rules = puzzle.dialect().map(|dialect| dialect.word()).filter(|word| *word != "default");
    add("rules", rules.unwrap_or_default().to_string());
    let settings = puzzle.bound.as_ref().map(|bound| &bound.settings);
    if settings.is_some_and(|settings| settings.unique.is_some()) {
        add("unique", "true".into());
    }
    let solutions =
        settings.filter(|_| !puzzle.puzzle.has_property(Property::Solutions)).and_then(|own| own.solutions);
    add("solutions", solutions.map(|n| n.to_string()).unwrap_or_default());
    let read = [
        Property::Turn,
        Property::Castling,
        Property::EnPassant,
        Property::Rules,
        Property::Unique,
        // How a board and its answers are written.
        Property::Size,
        Property::Origin,
    ];
    let mut seen: Vec<Property> = Vec::new();
    for name in puzzle.properties.names() {
        if !read.contains(&name) && !seen.contains(&name) {
            seen.push(name);
            let values = puzzle.properties.texts(name).join(", ");
            add(name.word(), if values.is_empty() { "true".into() } else { values });
        }
    }
    for (name, value) in puzzle.properties.custom() {
        add(name, in_one_line(&value));
    }
    let inner = puzzle.puzzle.node().tokens().filter(|token| token.kind() == TokenKind::Comment);
    let comments = puzzle.description().into_iter().chain(inner.map(|token| token.text()));
    let comments: Vec<&str> = comments.map(|text| text.trim_start_matches('/').trim()).collect();
    add("comment", comments.join("\n"));
    all
}

/// The comments that belong to no puzzle and that only one of two texts has.
pub(super) fn comments(old: Option<&Tree>, new: Option<&Tree>) -> CommentsDiff {
    let of = |tree: Option<&Tree>| tree.map(outside_comments).unwrap_or_default();
    let (old, new) = (of(old), of(new));
    let without = |some: &[String], others: &[String]| -> Vec<String> {
        let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
        others.iter().for_each(|text| *counts.entry(text).or_default() += 1);
        let is_left = |text: &&String| match counts.get_mut(text.as_str()) {
            Some(n @ 1..) => {
                *n -= 1;
                false
            }
            _ => true,
        };
        some.iter().filter(is_left).cloned().collect()
    };
    CommentsDiff { came: without(&new, &old), gone: without(&old, &new) }
}

/// The comments that are neither in a puzzle nor directly above one, without their slashes; none that is empty.
fn outside_comments(tree: &Tree) -> Vec<String> {
    let mut puzzles = tree.puzzles().map(|puzzle| (puzzle.described_from(), puzzle.span().end)).peekable();
    let is_outside = |token: &Token<'_>| {
        let at = token.span().start;
        while puzzles.next_if(|(_, end)| *end <= at).is_some() {}
        puzzles.peek().is_none_or(|(start, _)| at < *start)
    };
    let comments = tree.tokens().filter(|token| token.kind() == TokenKind::Comment).filter(is_outside);
    let text = |token: Token<'_>| token.text().trim_start_matches('/').trim().to_string();
    comments.map(text).filter(|text| !text.is_empty()).collect()
}

/// The questions that differ. Those that are asked alike are compared; of the others the first with the first and so on.
pub(super) fn queries(old: Version<'_, '_>, new: Version<'_, '_>) -> Vec<QueryDiff> {
    let of = |puzzle: Version<'_, '_>| -> Vec<QuestionState> {
        puzzle.map_or_else(Vec::new, |puzzle| {
            puzzle.queries.iter().map(|query| question(puzzle, query)).collect()
        })
    };
    let (mut before, mut after) = (of(old).into_iter().map(Some).collect::<Vec<_>>(), of(new));
    let mut pairs: Vec<(Option<QuestionState>, Option<QuestionState>)> = Vec::new();
    let mut places: FxHashMap<String, VecDeque<usize>> = FxHashMap::default();
    for (i, old) in before.iter().flatten().enumerate() {
        places.entry(old.meaning.clone()).or_default().push_back(i);
    }
    for question in &after {
        let place = places.get_mut(&question.meaning).and_then(VecDeque::pop_front);
        pairs.push((place.and_then(|i| before[i].take()), None));
    }
    let mut left = before.into_iter().flatten();
    for ((old, new), question) in pairs.iter_mut().zip(after.drain(..)) {
        if old.is_none() {
            *old = left.next();
        }
        *new = Some(question);
    }
    pairs.extend(left.map(|question| (Some(question), None)));
    pairs.retain(|(old, new)| old != new);
    pairs.into_iter().map(|(old, new)| QueryDiff { old, new }).collect()
}

fn question(puzzle: &ExportPuzzle<'_>, query: &ExportQuery<'_>) -> QuestionState {
    let (origin, notation) = (puzzle.report.origin, puzzle.report.notation);
    let answer = query.answer().and_then(|answer| answer_text(answer, origin, notation, true));
    let written = query.written.map(|text| match query.remark {
        Some(remark) => format!("{} ({})", in_one_form(text), one_line(remark)),
        None => in_one_form(text),
    });
    // The same words behind another twin ask something else.
    let twin = letter_of_twin(query.query, puzzle.puzzle);
    let of = twin.map_or(String::new(), |letter| format!(" of twin {letter}"));
    let asked = one_line(query.asked);
    let words = asked.replace('*', " *");
    let (short, rest) = words.split_once(' ').unwrap_or((&words, ""));
    let in_words = Stipulation::from_short(short).map(|problem| format!("{} {rest}", problem.in_words()));
    let meaning = one_line(&in_words.unwrap_or(words)) + &of;
    QuestionState { asked: asked + &of, meaning, written, answer: answer.map(|text| one_line(&text)) }
}

/// A written answer in one line. The white space of a list, a comma behind its last element, and the brackets around a single word
/// are no difference.
fn in_one_form(text: &str) -> String {
    if !text.starts_with('[') {
        return one_line(text);
    }
    let tree = parse(text);
    let mut tokens = tree.tokens().filter(|token| !token.kind().is_trivia()).peekable();
    let mut line = String::new();
    while let Some(token) = tokens.next() {
        let next = tokens.peek().map(|token| token.kind());
        let closes = next == Some(TokenKind::RBracket);
        if token.kind() == TokenKind::Comma && closes {
            continue;
        }
        line.push_str(token.text());
        let parts = closes || next == Some(TokenKind::Comma) || token.kind() == TokenKind::LBracket;
        if next.is_some() && !parts {
            line.push(' ');
        }
    }
    let inner = line.strip_prefix('[').and_then(|line| line.strip_suffix(']'));
    let word = inner.filter(|inner| !inner.contains(['[', ']', ',', ' ', '"', '\'']));
    one_line(word.unwrap_or(&line))
}

/// A text without line ends, and with one space where there are several.
fn one_line(text: &str) -> String {
    visible(&text.split_whitespace().collect::<Vec<_>>().join(" ")).into_owned()
}

/// Findings with the severities of their file; nothing where there is no file.
pub(super) struct Found<'f, I> {
    pub findings: I,
    pub severities: Option<&'f Severities>,
}

/// The errors and warnings that have come or gone.
pub(super) fn findings<'f>(
    old: Found<'f, impl Iterator<Item = &'f Finding>>,
    new: Found<'f, impl Iterator<Item = &'f Finding>>,
) -> FindingsDiff {
    let (mut gone, mut came) = (states(old), states(new));
    came.retain(|finding| {
        let same = gone.iter().position(|other| is_same(other, finding));
        same.is_none_or(|at| {
            gone.remove(at);
            false
        })
    });
    FindingsDiff { came, gone }
}

fn states<'f>(found: Found<'f, impl Iterator<Item = &'f Finding>>) -> Vec<FindingState> {
    let mut all: Vec<(u32, FindingState)> = Vec::new();
    let Some(severities) = found.severities else { return Vec::new() };
    for finding in found.findings {
        let severity = severities.shown(finding);
        if severity <= Severity::Warning && all.len() < MAX_FINDINGS {
            let (code, severity) = (finding.code.name(), severity.name());
            let message = visible(&finding.message).into_owned();
            all.push((finding.span.start, FindingState { code, severity, message }));
        }
    }
    all.sort_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, state)| state).collect()
}

/// Whether two findings say the same. What is said of duplicates names the place of the other puzzle, which may be another
/// line by now.
fn is_same(one: &FindingState, other: &FindingState) -> bool {
    let names_places = [Code::DuplicatePuzzle, Code::DuplicateId, Code::DuplicateName].map(Code::name);
    one.code == other.code
        && one.severity == other.severity
        && (one.message == other.message || names_places.contains(&one.code))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cpz_text::diagnostic::Span;

    /// How many findings have come and gone from one list to the other.
    fn changes(old: &[Finding], new: &[Finding]) -> [usize; 2] {
        let severities = Severities::default();
        let [old, new] =
            [old, new].map(|findings| Found { findings: findings.iter(), severities: Some(&severities) });
        let FindingsDiff { came, gone } = findings(old, new);
        [came.len(), gone.len()]
    }

    fn found(code: Code, severity: Severity, message: &str) -> Finding {
        Finding { severity: Some(severity), ..Finding::new(code, Span::new(0, 1), message) }
    }

    #[test]
    fn findings_are_the_same_by_code_severity_and_message() {
        use Severity::{Error, Hint, Warning};
        let one = found(Code::Cook, Warning, "one");
        let duplicate = found(Code::DuplicatePuzzle, Warning, "line 1");
        for (old, new, due) in [
            (&one, found(Code::Cook, Warning, "one"), [0, 0]),
            (&one, found(Code::Cook, Warning, "two"), [1, 1]),
            (&one, found(Code::Cook, Error, "one"), [1, 1]),
            (&one, found(Code::WrongAnswer, Warning, "one"), [1, 1]),
            (&one, found(Code::Cook, Hint, "one"), [0, 1]),
            (&duplicate, found(Code::DuplicatePuzzle, Warning, "line 2"), [0, 0]),
            (&duplicate, found(Code::DuplicatePuzzle, Error, "line 2"), [1, 1]),
            (&duplicate, found(Code::DuplicateName, Warning, "line 1"), [1, 1]),
        ] {
            assert_eq!(changes(std::slice::from_ref(old), std::slice::from_ref(&new)), due, "{new:?}");
        }
        let many: Vec<Finding> =
            (0..150).map(|n| found(Code::Cook, Warning, &format!("finding {n}"))).collect();
        assert_eq!(changes(&[], &many), [MAX_FINDINGS, 0]);
    }
}
