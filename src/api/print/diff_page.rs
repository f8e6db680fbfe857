//! What has changed between two collections, as one HTML page with pictures. It needs no scripts, no network and no fonts.

use std::fmt::Write;

use crate::print::html::escaped;
use cpz_exchange::{
    BoardDiff, Change, Diff, PlainBoard, PuzzleDiff, comments_in_words, diff_in_words, findings_in_words,
    more_in_words, summary_in_words,
};
use cpz_ide::{Frame, SquareMark};
use cpz_rules::board::Square;
use cpz_text::diagnostic::visible;

/// The longer side of a picture in pixels.
const BOARD_SIDE: u32 = 320;

/// The differences as a page. At most `max` puzzles are described; the others are counted.
pub fn diff_in_html(diff: &Diff, max: usize) -> String {
    let summary = escaped(&summary_in_words(&diff.summary));
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<meta name=\"generator\" content=\"cpz\">\n\
         <title>{summary}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{summary}</h1>\n"
    );
    for puzzle in diff.puzzles.iter().take(max) {
        section(puzzle, &mut out);
    }
    if let Some(more) = more_in_words(diff.puzzles.len().saturating_sub(max)) {
        let _ = writeln!(out, "<p>{more}</p>");
    }
    for file in &diff.files {
        let _ = writeln!(out, "<section>\n<h2>{}</h2>", escaped(&visible(file.shown_path())));
        items(
            comments_in_words(&file.comments).into_iter().chain(findings_in_words(&file.findings)),
            &mut out,
        );
        out.push_str("</section>\n");
    }
    out + "</main>\n</body>\n</html>\n"
}

fn section(puzzle: &PuzzleDiff, out: &mut String) {
    let Some(place) = puzzle.place() else { return };
    let name = place.name.as_deref().or(place.id.as_deref());
    let name = name.map(|name| format!(" “{}”", escaped(&visible(name)))).unwrap_or_default();
    let (title, game) = (puzzle.change.title(), escaped(&visible(&place.game)));
    let class = title.to_ascii_lowercase();
    let (path, line) = (escaped(&visible(place.shown_path())), place.line);
    let _ = writeln!(
        out,
        "<section>\n<h2><span class=\"{class}\">{title}</span> {game}{name} <small>{path}:{line}</small></h2>"
    );
    if let Some(board) = &puzzle.board {
        pictures(puzzle.change, board, out);
    }
    items(diff_in_words(puzzle).into_iter().chain(findings_in_words(&puzzle.findings)), out);
    out.push_str("</section>\n");
}

/// The boards side by side. The squares that differ are marked on both.
fn pictures(change: Change, diff: &BoardDiff, out: &mut String) {
    let [old, new] = &diff.boards;
    let differs = old.as_ref().zip(new.as_ref()).map(|(old, new)| squares_that_differ(old, new));
    out.push_str("<div class=\"boards\">\n");
    for (board, caption) in [(old, "before"), (new, "after")] {
        let picture = board.as_ref().map(|board| picture(board, differs.as_deref().unwrap_or_default()));
        match (picture, change) {
            (Some(picture), Change::Changed) => {
                let _ = writeln!(out, "<figure>{picture}<figcaption>{caption}</figcaption></figure>");
            }
            (Some(picture), _) => {
                let _ = writeln!(out, "<figure>{picture}</figure>");
            }
            (None, Change::Changed) => {
                let _ = writeln!(out, "<p>The board {caption} cannot be read.</p>");
            }
            (None, _) => {}
        }
    }
    out.push_str("</div>\n");
}

fn squares_that_differ(old: &PlainBoard, new: &PlainBoard) -> Vec<Square> {
    let (a, b) = (&old.board, &new.board);
    let at = |board: &cpz_rules::board::Board, s: Square| board.size.has(s).then(|| board.at(s)).flatten();
    let mut all: Vec<Square> = a.pieces().chain(b.pieces()).map(|(square, _)| square).collect();
    all.sort_unstable_by_key(|s| (s.z, s.y, s.x));
    all.dedup();
    all.retain(|&square| at(a, square) != at(b, square));
    all
}

fn picture(PlainBoard { board, format }: &PlainBoard, marked: &[Square]) -> String {
    let frame = Frame::new(board.clone(), String::new());
    let mut picture = frame.picture(format);
    let on_board = marked.iter().filter(|square| board.size.has(**square));
    picture.marks.extend(on_board.map(|square| (*square, SquareMark::Subject)));
    let words = escaped(&picture.words());
    picture.with_side(BOARD_SIDE).replacen("<svg ", &format!("<svg role=\"img\" aria-label=\"{words}\" "), 1)
}

/// Sentences, in which what stands between backticks is code.
fn items(sentences: impl Iterator<Item = String>, out: &mut String) {
    let mut sentences = sentences.peekable();
    if sentences.peek().is_none() {
        return;
    }
    out.push_str("<ul>\n");
    for sentence in sentences {
        let parts: Vec<String> = sentence.split('`').map(escaped).collect();
        // An odd number of backticks comes from a quoted text.
        let is_paired = parts.len() % 2 == 1;
        let part = |(i, part): (usize, &String)| match i % 2 {
            0 => part.clone(),
            _ => format!("<code>{part}</code>"),
        };
        let shown: String =
            if is_paired { parts.iter().enumerate().map(part).collect() } else { escaped(&sentence) };
        let _ = writeln!(out, "<li>{shown}</li>");
    }
    out.push_str("</ul>\n");
}

const STYLE: &str = "\
:root { color-scheme: light dark; }
body { margin: 0; padding: 24px 16px; color: #1d1d1b; background: #f4f3f0; font: 15px/1.45 system-ui, sans-serif; }
main { max-width: 760px; margin: 0 auto; }
h1 { margin: 0 0 16px; font-size: 22px; }
section { margin-bottom: 16px; padding: 16px 20px; background: #fff; border-radius: 8px; break-inside: avoid; }
h2 { margin: 0 0 10px; font-size: 16px; overflow-wrap: anywhere; }
h2 small { color: #6b6a66; font-weight: normal; }
.added { color: #1a7037; }
.removed { color: #b3261e; }
.boards { display: flex; flex-wrap: wrap; gap: 12px 24px; align-items: flex-start; }
figure { margin: 0; max-width: 100%; }
figure svg { display: block; max-width: 100%; height: auto; stroke-linejoin: round; stroke-linecap: round; }
figcaption { color: #6b6a66; text-align: center; }
ul { margin: 10px 0 0; padding-left: 20px; }
li { overflow-wrap: anywhere; white-space: pre-wrap; }
code { font: 14px/1.4 ui-monospace, monospace; }
@media (prefers-color-scheme: dark) {
  body { color: #e6e4df; background: #1b1b1a; }
  section { background: #262624; }
  h2 small, figcaption { color: #a3a19b; }
  .added { color: #6fcf8a; }
  .removed { color: #ff9b92; }
}
@media print { body { padding: 0; background: #fff; } section { padding: 0; } }
";
