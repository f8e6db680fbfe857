//! Editor features at every offset of arbitrary text.

use std::sync::Arc;

use cpz::analysis::{
    Config, Defaults, Options, PuzzleReport, analyse, link, position_of, puzzles, report_of,
};
use cpz::board::Target;
use cpz::diagnostic::{Edit, Span};
use cpz::games::Budget;
use cpz::ide;
use cpz::syntax::{Puzzle, Tree, parse};

use super::boards::converted;

/// At most so many offsets of a text are tried.
const MAX_OFFSETS: usize = 50;

/// All returned spans are inside the text, and all returned edits can be applied.
pub fn features(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let tree = parse(text);
    let config = Arc::new(Config::default());
    // Long searches would only slow this down.
    let options = Options { nodes: 200, answers: true, ..Options::new(config.clone()) };
    let of = |puzzle: Puzzle<'_>, settings: Defaults| report_of(puzzle, settings, &options);
    check_text(&tree, &options);
    let offsets = (0..=text.len()).filter(|&i| text.is_char_boundary(i));
    let step = text.len().div_ceil(MAX_OFFSETS).max(1);
    for offset in offsets.step_by(step) {
        check_offset(&tree, &config, offset as u32, of);
    }
}

fn check_text(tree: &Tree, options: &Options) {
    let text = tree.text();
    let mut report = analyse(tree, options);
    link(&mut [&mut report], |_, span| format!("{}", span.start));
    for (finding, _) in report.findings() {
        assert_inside(text, finding.span);
        finding.related.iter().for_each(|r| assert_inside(text, r.span));
        finding.fixes.iter().for_each(|f| assert_applicable(text, &f.edits));
    }
    for (puzzle, settings) in puzzles(tree, options.config.settings) {
        let bound = cpz::analysis::bind_one(puzzle, settings);
        let board = bound.and_then(|b| position_of(&b)).map(|p| p.board);
        let report = report_of(puzzle, settings, options);
        for hint in ide::inlay_hints(text, &report, board.as_ref()) {
            assert_inside(text, Span::at(hint.offset));
            hint.insert.iter().for_each(|e| assert_applicable(text, std::slice::from_ref(e)));
        }
        ide::puzzle_status(&report, &options.config.severities, ide::draft_of(puzzle, puzzle.span().end));
        for code in report.findings.iter().map(|f| f.code) {
            let edit = ide::allow_in_puzzle(puzzle, code).into_iter().chain(ide::allow_in_file(tree, code));
            edit.for_each(|e| assert_applicable(text, std::slice::from_ref(&e)));
        }
        for query in &report.queries {
            ide::is_playable(query);
        }
    }
    for all in [false, true] {
        let edits = ide::insert_answers(text, &report, all);
        assert_applicable(text, &edits);
        let new = ide::apply(text, &edits);
        assert!(ide::keeps_all_else(text, &edits, &new), "answers\n{text}\n{new}");
    }
    Target::ALL.into_iter().for_each(|to| converted(text, to, false));
    let middle = (0..=text.len() / 2).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0);
    assert_applicable(text, &ide::format_range(tree, Span::new(0, middle as u32)));
}

fn check_offset(
    tree: &Tree,
    config: &Config,
    offset: u32,
    report: impl Fn(Puzzle<'_>, Defaults) -> PuzzleReport,
) {
    let (text, base) = (tree.text(), config.settings);
    for pictures in [false, true] {
        let hover = ide::hover(tree, config, offset, pictures, |p, s, _| report(p, s));
        if let Some(hover) = hover {
            assert_inside(text, hover.span);
            ide::plain_text(&hover.markdown);
        }
    }
    for item in ide::completions(tree, base, offset, &report) {
        assert_inside(text, item.replace);
        assert!(item.replace.start <= offset && offset <= item.replace.end, "{item:?}");
    }
    for frame in [None, Some(0), Some(3)] {
        let (choices, budget) = ([frame.unwrap_or(0); 2], Budget::new(20_000, None));
        let request = ide::BoardRequest {
            offset,
            line: frame,
            frame,
            choices: &choices,
            across: frame,
            budget: &budget,
        };
        if let Some(view) = ide::board_view(tree, config, &request, &report) {
            assert_inside(text, view.span);
            view.frame.span.iter().for_each(|&s| assert_inside(text, s));
            view.queries.iter().for_each(|q| assert_inside(text, q.span));
        }
    }
    ide::square_source(tree, base, offset, "b2").iter().for_each(|&s| assert_inside(text, s));
    ide::selection(tree, offset).iter().for_each(|&s| assert_inside(text, s));
    ide::highlights(tree, offset).iter().for_each(|&(s, _)| assert_inside(text, s));
    if let Some((span, name)) = ide::name_at(tree, offset) {
        assert_inside(text, span);
        ide::references(tree, &name).iter().for_each(|&s| assert_inside(text, s));
        for new in ["Another", "a \"quoted\" name", "\u{1f600}"] {
            if let Ok(edits) = ide::rename(tree, &name, offset, new) {
                assert_applicable(text, &edits);
            }
        }
    }
    for typed in ['\n', '}'] {
        assert_applicable(text, &ide::on_type(tree, offset, typed));
    }
    for how in ide::Transform::ALL {
        if let Ok(edits) = ide::transform(tree, base, offset, how) {
            assert_applicable(text, &edits);
        }
    }
    for (_, edits) in ide::switch_dialect(tree, base, offset) {
        assert_applicable(text, &edits);
    }
    if let Ok(edits) = ide::sort_coordinates(tree, base, offset) {
        assert_applicable(text, &edits);
    }
    for target in Target::ALL {
        if let Ok(edits) = ide::convert_at(tree, base, offset, target) {
            assert_applicable(text, &edits);
        }
    }
}

/// Asserts that a span is inside the text and does not split a character.
fn assert_inside(text: &str, span: Span) {
    assert!(text.get(span.range()).is_some(), "{span:?}");
}

/// Asserts that edits are inside the text and do not overlap.
fn assert_applicable(text: &str, edits: &[Edit]) {
    let mut spans: Vec<Span> = edits.iter().map(|e| e.span).collect();
    spans.iter().for_each(|&s| assert_inside(text, s));
    spans.sort_by_key(|s| (s.start, s.end));
    assert!(spans.windows(2).all(|w| w[0].end <= w[1].start), "{edits:?}");
}
