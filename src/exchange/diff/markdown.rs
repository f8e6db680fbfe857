//! The differences as Markdown, for the comment of a review or the summary of a workflow. Boards are blocks of text: GitHub
//! removes pictures that are in the text itself.

use crate::diff::boards::two_boards;
use crate::diff::model::{Diff, PuzzleDiff};
use crate::diff::words::{
    capital, comments_in_words, diff_in_words, findings_in_words, more_in_words, summary_in_words,
};
use crate::export::{code_fence, escaped_within};
use cpz_text::diagnostic::visible;

/// The differences as Markdown. At most `max` puzzles are described; the others are counted.
pub fn diff_in_markdown(diff: &Diff, max: usize) -> String {
    let mut out = format!("**{}**\n\n", capital(&summary_in_words(&diff.summary)));
    for puzzle in diff.puzzles.iter().take(max) {
        section(puzzle, &mut out);
    }
    if let Some(more) = more_in_words(diff.puzzles.len().saturating_sub(max)) {
        out.push_str(&format!("{more}\n\n"));
    }
    for file in &diff.files {
        out.push_str(&format!("### {}\n\n", escaped_within(file.shown_path())));
        items(
            comments_in_words(&file.comments).into_iter().chain(findings_in_words(&file.findings)),
            &mut out,
        );
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

fn section(puzzle: &PuzzleDiff, out: &mut String) {
    let Some(place) = puzzle.place() else { return };
    let change = puzzle.change.title();
    let name = place.name.as_deref().or(place.id.as_deref());
    let name = name.map(|name| format!(" “{}”", escaped_within(&visible(name)))).unwrap_or_default();
    let (game, path) = (escaped_within(&place.game), escaped_within(place.shown_path()));
    out.push_str(&format!("### {change}: {game}{name} ({path}:{})\n\n", place.line));
    items(diff_in_words(puzzle).into_iter().chain(findings_in_words(&puzzle.findings)), out);
    if let Some(board) = &puzzle.board {
        let boards = two_boards(board.old.as_ref(), board.new.as_ref());
        if !boards.is_empty() {
            let fence = code_fence(&boards);
            out.push_str(&format!("{fence}text\n{boards}\n{fence}\n\n"));
        }
    }
}

fn items(sentences: impl Iterator<Item = String>, out: &mut String) {
    let before = out.len();
    for sentence in sentences {
        out.push_str(&format!("- {}\n", in_code_and_text(&sentence)));
    }
    if out.len() > before {
        out.push('\n');
    }
}

/// A sentence in which what stands in backticks stays code.
fn in_code_and_text(sentence: &str) -> String {
    let parts: Vec<&str> = sentence.split('`').collect();
    // Backticks in pairs, or an odd number of them, come from a quoted text, and then the places of code are not known.
    let is_unsure = parts.iter().skip(1).rev().skip(1).any(|part| part.is_empty());
    if is_unsure || parts.len().is_multiple_of(2) {
        return escaped_within(sentence);
    }
    let part = |(i, part): (usize, &&str)| match i % 2 {
        0 => escaped_within(part),
        _ => format!("`{part}`"),
    };
    parts.iter().enumerate().map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_in_a_sentence_stays_code() {
        let text = escaped_within;
        for (sentence, due) in [
            ("*a*", text("*a*")),
            ("*a* `*b*` *c*", format!("{}`*b*`{}", text("*a* "), text(" *c*"))),
            ("`*a*` *b* `_c_`", format!("`*a*`{}`_c_`", text(" *b* "))),
            ("*a* `*b*", text("*a* `*b*")),
            ("*a* ``*b*`` *c*", text("*a* ``*b*`` *c*")),
        ] {
            assert_eq!(in_code_and_text(sentence), due, "{sentence}");
        }
    }
}
