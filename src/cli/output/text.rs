//! Reports for people, in the style of rustc.

use std::io::{self, Write};

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use crate::analysis::{Outcome, QueryReport};
use crate::board::square_name;
use crate::cli::Out;
use crate::cli::baseline::Accepted;
use crate::cli::commands::check::{Checked, PART, Wanted, in_parts};
use crate::cli::inputs::plain;
use crate::cli::output::json::Summary;
use crate::diagnostic::{Finding, LineIndex, Severity, Span};
use crate::games::{Answer, Reason, Verdict};
use crate::ide::{AnswerStyle, answer_in_words};
use crate::syntax::Verb;

/// Lines longer than this, in bytes, are shown in part.
const LONG: usize = 400;

/// Lines further apart than this are shown in two pieces.
const NEAR: u32 = 8;

/// Prints findings and a summary.
pub fn check(
    checked: &[Checked],
    summary: &Summary,
    (hints, accepted): (usize, Option<&Accepted>),
    shown: &Wanted<'_>,
    out: &mut Out,
) -> io::Result<()> {
    let renderer = if out.colour { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.decor_style(DecorStyle::Ascii);
    let findings: Vec<(&Checked, &Finding, Severity)> =
        checked.iter().flat_map(|c| c.shown(shown).map(move |(f, severity, _)| (c, f, severity))).collect();
    let part = |some: &[(&Checked, &Finding, Severity)]| {
        let one = |&(file, f, severity): &(&Checked, _, _)| {
            format!("{}\n\n", render(file, checked, f, severity, &renderer))
        };
        Ok(some.iter().map(one).collect::<String>())
    };
    for text in in_parts(&findings, PART, part) {
        out.stdout.write_all(text?.as_bytes())?;
    }
    let count = |n: usize, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
    let counts = [
        (summary.errors, "error", "errors"),
        (summary.warnings, "warning", "warnings"),
        (hints, "hint", "hints"),
    ];
    let found: Vec<String> = counts.iter().filter(|c| c.0 > 0).map(|c| count(c.0, c.1, c.2)).collect();
    let found = if found.is_empty() { "nothing found".to_string() } else { found.join(", ") };
    writeln!(
        out.stdout,
        "checked {}, {}, {}: {found}",
        count(summary.files, "file", "files"),
        count(summary.puzzles, "puzzle", "puzzles"),
        count(summary.queries, "query", "queries"),
    )?;
    accepted.map_or(Ok(()), |accepted| self::accepted(accepted, &mut out.stdout))
}

/// How many entries of a baseline that no longer occur are named.
const MOST_GONE: usize = 10;

/// Prints what became of a baseline.
pub fn accepted(accepted: &Accepted, out: &mut dyn Write) -> io::Result<()> {
    let s = |n: usize| if n == 1 { "" } else { "s" };
    let Accepted { findings, gone, changed } = accepted;
    write!(out, "accepted {findings} finding{}", s(*findings))?;
    match (changed, gone.len()) {
        // What one puzzle has more than once of a code is one line.
        (Some((came, went)), _) => {
            return writeln!(out, "; the baseline gained {came} line{} and lost {went}", s(*came));
        }
        (None, 0) => return writeln!(out),
        (None, 1) => writeln!(out, "; 1 that is recorded no longer occurs, and `--accept` takes it out:")?,
        (None, n) => {
            writeln!(out, "; {n} that are recorded no longer occur, and `--accept` takes them out:")?
        }
    }
    for (path, code, puzzle) in gone.iter().take(MOST_GONE) {
        let puzzle = puzzle.as_ref().map_or(String::new(), |p| format!(" \"{}\"", plain(p)));
        writeln!(out, "  {}: {}{puzzle}", plain(path), plain(code))?;
    }
    match gone.len().saturating_sub(MOST_GONE) {
        0 => Ok(()),
        n => writeln!(out, "  and {n} more"),
    }
}

/// A part of a file that is shown, with the place of its first byte.
struct Window {
    text: String,
    start: u32,
    line: u32,
    /// Whether it begins within a line, so that its columns are not the file's.
    cut: bool,
}

/// The whole lines round a span, or the part of a long line that it stands on.
fn window(text: &str, index: &LineIndex, span: Span) -> Window {
    let (first, last) = (index.line(span.start), index.line(span.end));
    let lines = index.span(first).cover(index.span(last));
    let (mut start, mut end) = (lines.start as usize, lines.end as usize);
    let cut = end - start > LONG;
    if cut {
        start = start.max((span.start as usize).saturating_sub(LONG / 4));
        end = end.min(span.start as usize + LONG / 2).max(start);
        while !text.is_char_boundary(start) {
            start -= 1;
        }
        while !text.is_char_boundary(end) {
            end += 1;
        }
    }
    // A lone carriage return ends a line too; the renderer knows only the others.
    let mut shown = text[start..end].to_string();
    if shown.contains('\r') {
        shown = shown.replace("\r\n", " \n").replace('\r', "\n");
    }
    Window { text: shown, start: start as u32, line: first + 1, cut }
}

impl Window {
    fn holds(&self, span: Span) -> bool {
        self.start <= span.start && span.end as usize <= self.start as usize + self.text.len()
    }

    fn range(&self, span: Span) -> std::ops::Range<usize> {
        let at = |o: u32| {
            (o.saturating_sub(self.start) as usize).min(self.text.trim_end_matches(['\n', ' ']).len().max(1))
        };
        at(span.start)..at(span.end).max(at(span.start))
    }

    fn snippet<'a>(&'a self, path: &'a str) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
        let snippet = Snippet::source(self.text.as_str()).line_start(self.line as usize).fold(false);
        if self.cut { snippet } else { snippet.path(path) }
    }
}

fn render(
    file: &Checked,
    all: &[Checked],
    finding: &Finding,
    severity: Severity,
    renderer: &Renderer,
) -> String {
    let (text, index, path) = (&file.input.text, &file.index, file.input.shown.as_str());
    let level = match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Hint => Level::HELP.with_name("hint"),
    };
    let own = |r: &&crate::diagnostic::Related| r.file.is_none();
    let near = |span: Span| {
        let (a, b) = (index.line(span.start), index.line(finding.span.start));
        a.abs_diff(b) <= NEAR
    };
    let whole = finding
        .related
        .iter()
        .filter(own)
        .map(|r| r.span)
        .filter(|&s| near(s))
        .fold(finding.span, Span::cover);
    let main = match window(text, index, whole) {
        w if w.cut => window(text, index, finding.span),
        w => w,
    };
    let mut snippet = main.snippet(path).annotation(AnnotationKind::Primary.span(main.range(finding.span)));
    let mut others = Vec::new();
    for related in &finding.related {
        if related.file.is_none() && main.holds(related.span) {
            snippet = snippet.annotation(
                AnnotationKind::Context.span(main.range(related.span)).label(related.message.as_str()),
            );
        } else {
            let other = related.file.map_or(file, |f| &all[f as usize]);
            others.push((other, window(&other.input.text, &other.index, related.span), related));
        }
    }
    let title = level.primary_title(finding.message.as_str()).id(finding.code.name());
    let mut group: Group<'_> = Group::with_title(title);
    if main.cut {
        let place = index.position(text, finding.span.start);
        let origin =
            Origin::path(path).line(place.line as usize + 1).char_column(place.character as usize + 1);
        group = group.element(origin);
    }
    group = group.element(snippet);
    for (other, window, related) in &others {
        let annotation =
            AnnotationKind::Context.span(window.range(related.span)).label(related.message.as_str());
        if window.cut {
            let place = other.index.position(&other.input.text, related.span.start);
            group = group.element(
                Origin::path(other.input.shown.as_str())
                    .line(place.line as usize + 1)
                    .char_column(place.character as usize + 1),
            );
        }
        group = group.element(window.snippet(other.input.shown.as_str()).annotation(annotation));
    }
    for note in &finding.notes {
        group = group.element(Level::NOTE.message(note.as_str()));
    }
    for fix in &finding.fixes {
        group = group.element(Level::HELP.message(fix.title.as_str()));
    }
    renderer.render(&[group])
}

/// Prints the answers of files.
pub fn solve(files: &[Checked], out: &mut Out) -> io::Result<()> {
    for file in files {
        for puzzle in &file.report.puzzles {
            let line = file.index.line(puzzle.span.start) + 1;
            let game = puzzle.game.map_or("?", |g| g.word());
            let name = file.name(puzzle).map_or(String::new(), |n| format!(" \"{}\"", plain(n)));
            writeln!(out.stdout, "{}:{line} {game}{name}", file.input.shown)?;
            for query in &puzzle.queries {
                let asked = asked(&file.input.text[query.asked.range()]);
                writeln!(out.stdout, "  {asked} ⇒ {}", plain(&answer(query)))?;
                for line in reasons(query) {
                    writeln!(out.stdout, "      {line}")?;
                }
            }
        }
    }
    Ok(())
}

/// A query on one line, without comments.
fn asked(text: &str) -> String {
    let lines = text.split(['\n', '\r']).map(|line| line.split(" //").next().unwrap_or(""));
    let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
    plain(&words.join(" "))
}

/// An answer in a few words, with squares by name.
fn answer(query: &QueryReport) -> String {
    match &query.outcome {
        Outcome::Undecided(why) => format!("undecided: {why}"),
        Outcome::Error(why) => format!("error: {why}"),
        Outcome::Answer(answer) => answer_in_words(answer, AnswerStyle::Listing),
    }
}

fn reasons(query: &QueryReport) -> Vec<String> {
    match &query.outcome {
        Outcome::Answer(Answer::Mate { reasons, .. }) if query.verb == Verb::Mate => Reason::texts(reasons),
        Outcome::Answer(Answer::Capture { pieces, .. }) => pieces
            .iter()
            .map(|(s, v)| {
                let how = match v {
                    Verdict::Directly => "taken directly",
                    Verdict::After => "taken only after another",
                    Verdict::No => "not taken",
                };
                format!("{}: {how}", square_name(*s, false))
            })
            .collect(),
        _ => Vec::new(),
    }
}
