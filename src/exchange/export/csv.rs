//! CSV as RFC 4180 has it: a row for each question.
//!
//! A spreadsheet takes a cell that begins with a sign such as `=` for a formula, and some formulas start programs or fetch
//! addresses. Such a cell gets an apostrophe, as OWASP advises, and so does one that has apostrophes before such a sign: thus a
//! program that takes one away from every cell of that form has the texts of the puzzles.

use crate::export::losses::{Losses, Part};
use crate::export::properties::in_one_line;
use crate::export::query::ExportQuery;
use crate::export::source::ExportPuzzle;
use cpz_check::analysis::{answer_text, problem_of, twin_in_front};
use cpz_rules::board::{Colour, write_fen};
use cpz_text::diagnostic::Finding;
use cpz_text::syntax::Property;

/// The names of the columns.
const COLUMNS: [&str; 33] = [
    "path",
    "line",
    "id",
    "name",
    "game",
    "fen",
    "rows",
    "side",
    "rules",
    "author",
    "source",
    "note",
    "hints",
    "difficulty",
    "tags",
    "x",
    "description",
    "verb",
    "question",
    "written",
    "remark",
    "answer",
    "verdict",
    "findings",
    "unique",
    "solutions",
    "estimate",
    "condition",
    "half_duplex",
    "zeroposition",
    "twin",
    "changes",
    "position",
];

/// The row of the names.
pub(super) fn head() -> String {
    row(&COLUMNS.map(String::from))
}

/// The rows of a puzzle; one without a question where it asks none.
pub(super) fn rows(puzzle: &ExportPuzzle<'_>, losses: &mut Losses) -> Option<String> {
    losses.lost(puzzle, &[Part::InnerComments]);
    let mut out = String::new();
    let estimate = puzzle.rating().ok().and_then(|rating| rating.estimate);
    let estimate = estimate.map(|estimate| estimate.to_string()).unwrap_or_default();
    if puzzle.queries.is_empty() {
        out.push_str(&row(&cells(puzzle, None, &estimate)));
    }
    for query in &puzzle.queries {
        out.push_str(&row(&cells(puzzle, Some(query), &estimate)));
    }
    Some(out)
}

fn cells(puzzle: &ExportPuzzle<'_>, query: Option<&ExportQuery<'_>>, estimate: &str) -> Vec<String> {
    let place = query.map_or(puzzle.puzzle.span(), |q| q.query.span());
    let line = puzzle.source.index.line(place.start) + 1;
    let texts = |name| puzzle.properties.texts(name).join("\n");
    let custom: Vec<String> = puzzle
        .properties
        .custom()
        .iter()
        .map(|(name, value)| format!("{name}={}", in_one_line(value)))
        .collect();
    let text = |text: Option<&str>| text.unwrap_or_default().to_string();
    let settings = puzzle.bound.as_ref().map(|b| &b.settings);
    let report = query.and_then(|q| q.report);
    let answer = query
        .and_then(|q| q.answer())
        .and_then(|answer| answer_text(answer, puzzle.report.origin, puzzle.report.notation, false));
    let finding = |f: &&Finding| format!("{}: {}", f.code.name(), f.message);
    let findings: Vec<String> = query.map_or_else(Vec::new, |q| q.findings.iter().map(finding).collect());
    let number = || settings.and_then(|s| s.solutions).map(|n| n.to_string());
    let mut cells = vec![
        puzzle.source.path.to_string(),
        line.to_string(),
        text(puzzle.id()),
        text(puzzle.name()),
        puzzle.game_word().to_string(),
        puzzle.fen().unwrap_or_default(),
        puzzle.rows().map(|rows| rows.join("/")).unwrap_or_default(),
        text(puzzle.side().map(Colour::name)),
        text(puzzle.dialect().map(|d| d.word())),
        texts(Property::Author),
        texts(Property::Source),
        texts(Property::Note),
        texts(Property::Hint),
        texts(Property::Difficulty),
        puzzle.properties.texts(Property::Tags).join(" "),
        custom.join("; "),
        puzzle.description().join("\n"),
        text(report.map(|q| q.verb.id())),
        text(query.map(|q| q.asked)),
        text(query.and_then(|q| q.written)),
        text(query.and_then(|q| q.remark)),
        answer.unwrap_or_default(),
        text(query.map(|q| q.verdict.word())),
        findings.join("\n"),
        settings.is_some_and(|s| s.unique.is_some()).to_string(),
        puzzle.puzzle.ply_counts().map(String::from).or_else(number).unwrap_or_default(),
        estimate.to_string(),
    ];
    cells.extend(problem_cells(puzzle, query));
    cells
}

/// The last cells, which chess problems alone have: what the puzzle says of all questions, and the twin that one asks, or that its
/// set play or duplex is of.
fn problem_cells(puzzle: &ExportPuzzle<'_>, query: Option<&ExportQuery<'_>>) -> [String; 6] {
    let flag = |name| if puzzle.puzzle.has_property(name) { "true".to_string() } else { String::new() };
    let of_twin = |query: &ExportQuery<'_>| {
        let twin = twin_in_front(query.query, puzzle.puzzle)?.span();
        puzzle.queries.iter().find(|other| other.query.span() == twin)?.report?.twin.as_deref()
    };
    let twin = query.and_then(|q| q.report?.twin.as_deref().or_else(|| of_twin(q)));
    let asked = query.zip(puzzle.bound.as_ref()).and_then(|(q, bound)| problem_of(bound, q.query));
    let position = asked.zip(puzzle.bound.as_ref()).map(|((position, _), bound)| {
        write_fen(&position.board, bound.game.format(), position.turn, position.rights)
    });
    [
        puzzle.properties.texts(Property::Condition).join("; "),
        flag(Property::HalfDuplex),
        flag(Property::ZeroPosition),
        twin.map(|twin| twin.letter.clone()).unwrap_or_default(),
        twin.map(|twin| twin.changes.join(", ")).unwrap_or_default(),
        position.unwrap_or_default(),
    ]
}

/// The first characters of a formula. The last four are wide forms that some spreadsheets take for the others.
const FORMULA: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

/// Cells with commas between them, and the line end of RFC 4180.
fn row(cells: &[String]) -> String {
    cells.iter().map(|cell| quoted(&inert(cell))).collect::<Vec<_>>().join(",") + "\r\n"
}

/// A cell that no spreadsheet takes for a formula.
fn inert(cell: &str) -> String {
    let is_formula = cell.trim_start_matches('\'').starts_with(FORMULA);
    if is_formula { format!("'{cell}") } else { cell.to_string() }
}

fn quoted(cell: &str) -> String {
    // A reader that also parts cells at semicolons or tabs must not find the start of another cell here.
    match cell.contains(['"', ',', ';', '\t', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_string(),
    }
}
