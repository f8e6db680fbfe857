//! Inserting the whole solution of a chess problem as the answer of its query.

use crate::on_type::indent_of;
use cpz_check::analysis::{Bound, Options, PlayParts, QueryReport, problem_play, solution_movetext};
use cpz_text::diagnostic::{Edit, LineEnd, Span, wrapped};
use cpz_text::syntax::{Query, set_apart};

/// The longest line of an inserted solution in characters.
const MAX_LINE: usize = 88;

/// The most keys whose trees are inserted.
const MAX_KEYS: usize = 8;

/// The edit that inserts the solution of a mate in n or a selfmate behind its query, as movetext with variations.
/// `None` if an answer is written, if there is no key, or if the tree is not complete.
pub fn insert_solution(
    text: &str,
    bound: &Bound<'_>,
    query: Query<'_>,
    report: &QueryReport,
    options: &Options,
) -> Option<Edit> {
    let play = problem_play(bound, query, MAX_KEYS, PlayParts::Keys, options)
        .filter(|play| !report.answered && play.complete)?;
    if play.keys.is_empty() {
        return None;
    }
    let movetext = solution_movetext(&play.position, &play.keys);
    let end = query.asked().end;
    let before = &text[..query.span().start as usize];
    let line = before.rfind(['\n', '\r']).map_or(0, |i| i as u32 + 1);
    let indent = format!("{}  ", indent_of(text, line));
    let end_of_line = LineEnd::of(text).as_str();
    let lines = wrapped(&movetext, MAX_LINE.saturating_sub(indent.len()));
    let solution = match lines.as_slice() {
        [only] => format!(" => \"{only}\""),
        lines => {
            let gap = format!("{end_of_line}{indent}");
            format!(" => \"{gap}{}\"", lines.join(&gap))
        }
    };
    Some(Edit { span: Span::at(end), text: set_apart(text, end, solution) })
}
