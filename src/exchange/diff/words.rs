//! The differences in sentences.

use crate::diff::model::{
    BoardDiff, BoardSize, Change, CommentsDiff, DiffSummary, FindingState, FindingsDiff, ManDiff,
    PropertyDiff, PuzzleDiff, QueryDiff, QuestionState,
};

/// The most pieces that are named; with more another position is meant.
const MAX_MEN: usize = 8;

/// The longest value that is quoted, in characters.
const MAX_QUOTED: usize = 200;

/// `1 puzzle added, 2 changed, 10 unchanged`; without numbers that are 0.
pub fn summary_in_words(summary: &DiffSummary) -> String {
    let DiffSummary { added, removed, changed, unchanged } = *summary;
    let parts = [(added, "added"), (removed, "removed"), (changed, "changed"), (unchanged, "unchanged")];
    let mut parts = parts.into_iter().filter(|&(n, _)| n > 0);
    let Some((n, what)) = parts.next() else { return "no puzzles".into() };
    let first = format!("{n} {} {what}", if n == 1 { "puzzle" } else { "puzzles" });
    parts.fold(first, |all, (n, what)| format!("{all}, {n} {what}"))
}

/// What has changed in a puzzle, in sentences without full stops, apart from its findings. Of a puzzle that is added or removed
/// its questions.
pub fn diff_in_words(puzzle: &PuzzleDiff) -> Vec<String> {
    let mut all = Vec::new();
    if puzzle.change != Change::Changed {
        let side = |query: &QueryDiff| {
            query.new.as_ref().or(query.old.as_ref()).map(|question| match known_answer(question) {
                Some(answer) => format!("asks `{}`: {}", question.asked, quoted(answer)),
                None => format!("asks `{}`", question.asked),
            })
        };
        all.extend(puzzle.queries.iter().filter_map(side));
        return all;
    }
    all.extend(moved(puzzle));
    all.extend(puzzle.properties.iter().map(property));
    if let Some(board) = &puzzle.board {
        men(board, &mut all);
    }
    for query in &puzzle.queries {
        questions(query.old.as_ref(), query.new.as_ref(), &mut all);
    }
    all
}

/// How many puzzles are not described; nothing for none.
pub fn more_in_words(more: usize) -> Option<String> {
    match more {
        0 => None,
        1 => Some("1 more puzzle differs.".into()),
        more => Some(format!("{more} more puzzles differ.")),
    }
}

/// The findings that have come, and those that are gone.
pub fn findings_in_words(findings: &FindingsDiff) -> impl Iterator<Item = String> {
    let came = findings.came.iter().map(|finding| format!("new: {}", finding_in_words(finding)));
    came.chain(findings.gone.iter().map(|finding| format!("gone: {}", finding_in_words(finding))))
}

/// A text with a capital letter at its beginning.
pub(super) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}

/// What has become of the comments of a file, in sentences without full stops.
pub fn comments_in_words(comments: &CommentsDiff) -> Vec<String> {
    let came = comments.came.iter().map(|text| format!("the comment is new: {}", in_marks(text)));
    came.chain(comments.gone.iter().map(|text| format!("the comment is gone: {}", in_marks(text)))).collect()
}

/// `error[wrong-answer]: the position is check`.
pub fn finding_in_words(finding: &FindingState) -> String {
    format!("{}[{}]: {}", finding.severity, finding.code, finding.message)
}

fn moved(puzzle: &PuzzleDiff) -> Option<String> {
    let (old, new) = puzzle.old.as_ref().zip(puzzle.new.as_ref()).filter(|_| puzzle.moved)?;
    Some(match old.key == new.key {
        true if old.number == new.number => {
            format!("stands between other puzzles of its file than before, in place {} again", new.number)
        }
        true => format!("has moved from place {} to place {} of its file", old.number, new.number),
        false => format!("has moved here from {}", old.shown_path()),
    })
}

fn property(property: &PropertyDiff) -> String {
    let PropertyDiff { name, old, new } = property;
    let turn = |value: &Option<String>| if value.as_deref() == Some("black") { "Black" } else { "White" };
    match (name.as_str(), old, new) {
        ("turn", _, _) => format!("{} is to move, was {}", turn(new), turn(old)),
        ("name" | "comment", Some(old), Some(new)) => {
            format!("the {name} is {}, was {}", in_marks(new), in_marks(old))
        }
        ("name" | "comment", None, Some(new)) => format!("the {name} is new: {}", in_marks(new)),
        ("name" | "comment", Some(old), None) => format!("the {name} is gone: {}", in_marks(old)),
        (_, Some(old), Some(new)) => format!("`{name}` is {}, was {}", in_marks(new), in_marks(old)),
        (_, None, Some(new)) if new == "true" => format!("`{name}` is new"),
        (_, None, Some(new)) => format!("`{name}` is new: {}", in_marks(new)),
        (_, Some(old), None) if old == "true" => format!("`{name}` is gone"),
        (_, Some(old), None) => format!("`{name}` is gone: {}", in_marks(old)),
        (_, None, None) => format!("`{name}` differs"),
    }
}

fn men(board: &BoardDiff, all: &mut Vec<String>) {
    match (&board.old, &board.new) {
        (Some(old), Some(new)) if old.size != new.size => {
            let size = |BoardSize { columns, rows, levels }: BoardSize| match levels {
                1 => format!("{columns}×{rows}"),
                _ => format!("{columns}×{rows}×{levels}"),
            };
            all.push(format!("the board is {}, was {}", size(new.size), size(old.size)));
        }
        (None, Some(_)) => all.push("the board can be read now".into()),
        (Some(_), None) => all.push("the board cannot be read any more".into()),
        (None, None) => all.push("the board differs, and cannot be read".into()),
        _ => {}
    }
    if board.turned {
        all.push("the board is the old one turned or mirrored".into());
    }
    if board.men.len() > MAX_MEN {
        all.push(format!("it is another position: {} pieces differ", board.men.len()));
    } else if !board.turned {
        all.extend(board.men.iter().map(man));
    }
}

fn man(man: &ManDiff) -> String {
    match man {
        ManDiff::Moved { piece, from, to } => format!("the {piece} has moved from {from} to {to}"),
        ManDiff::Replaced { square, old, new } => format!("the {old} on {square} has become a {new}"),
        ManDiff::Added { piece, square } => format!("a {piece} is new on {square}"),
        ManDiff::Removed { piece, square } => format!("the {piece} on {square} is gone"),
    }
}

/// The answer that is known: the right one, or else the one that is written.
fn known_answer(question: &QuestionState) -> Option<&str> {
    question.answer.as_deref().or(question.written.as_deref())
}

fn questions(old: Option<&QuestionState>, new: Option<&QuestionState>, all: &mut Vec<String>) {
    let answer = |question: &QuestionState| {
        known_answer(question).map_or("not known".to_string(), |answer| quoted(answer).into_owned())
    };
    let (old, new) = match (old, new) {
        (Some(old), Some(new)) => (old, new),
        (None, Some(new)) => {
            return all.push(format!("asks `{}` now: {}", new.asked, answer(new)));
        }
        (Some(old), None) => return all.push(format!("does not ask `{}` any more", old.asked)),
        (None, None) => return,
    };
    if old.meaning != new.meaning {
        all.push(format!("asks `{}` now, asked `{}`", new.asked, old.asked));
    }
    let asked = &new.asked;
    if old.answer != new.answer {
        all.push(format!("the answer to `{asked}` is {}, was {}", answer(new), answer(old)));
    }
    match (&old.written, &new.written) {
        (Some(old), Some(new)) if old != new => {
            all.push(format!("the written answer to `{asked}` is {}, was {}", quoted(new), quoted(old)));
        }
        (None, Some(written)) => {
            all.push(format!("the answer to `{asked}` is written now: {}", quoted(written)))
        }
        (Some(_), None) => all.push(format!("no answer to `{asked}` is written any more")),
        _ => {}
    }
}

/// A text that is cut where it is long.
fn quoted(text: &str) -> std::borrow::Cow<'_, str> {
    match text.char_indices().nth(MAX_QUOTED) {
        None => text.into(),
        Some((at, _)) => format!("{}…", &text[..at]).into(),
    }
}

fn in_marks(text: &str) -> String {
    format!("\"{}\"", quoted(&text.replace('\n', " / ")))
}
