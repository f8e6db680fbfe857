//! Reports for people, in the style of rustc.

use std::collections::BTreeMap;
use std::io::{self, Write};

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use crate::cli::analyse::AnalysedFile;
use crate::cli::baseline::Accepted;
use crate::cli::out::one_line;
use crate::cli::out::{Out, plural};
use crate::cli::output::results::{CHUNK, CheckResults, format_chunks};
use crate::cli::plays::Plays;
use cpz_check::analysis::{BUDGET_USED_UP, Outcome, ProblemPlay, QueryReport, STOPPED, sequence_in_names};
use cpz_ide::{AnswerStyle, MAX_PLAY_LINES, all_play_lines, answer_in_words, play_lines, short_play};
use cpz_rules::board::square_name;
use cpz_rules::games::{Answer, NamedKey, Reason, Verdict};
use cpz_text::diagnostic::{Code, Finding, LineIndex, Related, Severity, Span};
use cpz_text::syntax::Verb;

/// A snippet with more bytes than this, such as a long line, is cut.
const MAX_SNIPPET_BYTES: usize = 400;

/// Spans that are at most this many lines apart are shown in one snippet.
const MAX_LINES_APART: u32 = 8;

/// More findings than this are summed up in a table.
const MIN_FOR_TABLE: usize = 20;

/// How many obsolete entries of a baseline are listed.
const MAX_OBSOLETE: usize = 10;

/// A finding to print, with its file and its severity.
type FileFinding<'a> = (&'a AnalysedFile, &'a Finding, Severity);

/// Prints findings and a summary.
pub fn check(results: &CheckResults<'_>, out: &mut Out) -> io::Result<()> {
    let renderer = if out.colour { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.decor_style(DecorStyle::Ascii);
    let of_file =
        |file| AnalysedFile::findings(file, results.filter).map(move |(f, severity, _)| (file, f, severity));
    let findings: Vec<FileFinding<'_>> = results.files.iter().flat_map(of_file).collect();
    let format = |some: &[FileFinding<'_>]| {
        let one = |&finding: &FileFinding<'_>| format!("{}\n\n", render(finding, results.files, &renderer));
        Ok(some.iter().map(one).collect::<String>())
    };
    let shown = &findings[..findings.len().min(results.max)];
    for text in format_chunks(shown, CHUNK, format) {
        out.stdout.write_all(text?.as_bytes())?;
    }
    if shown.len() < findings.len() {
        let more = plural(findings.len() - shown.len(), "more finding", "more findings");
        writeln!(out.stdout, "{more}; `--max 0` prints all\n")?;
    }
    if findings.len() > MIN_FOR_TABLE && (results.has_table || shown.len() < findings.len()) {
        write_table(&findings, out)?;
    }
    let summary = &results.summary;
    let counts = [
        (summary.errors, "error", "errors"),
        (summary.warnings, "warning", "warnings"),
        (results.hints, "hint", "hints"),
    ];
    let found: Vec<String> = counts.iter().filter(|c| c.0 > 0).map(|c| plural(c.0, c.1, c.2)).collect();
    let found = if found.is_empty() { "nothing found".to_string() } else { found.join(", ") };
    writeln!(
        out.stdout,
        "checked {}, {}, {}: {found}",
        plural(summary.files, "file", "files"),
        plural(summary.puzzles, "puzzle", "puzzles"),
        plural(summary.queries, "query", "queries"),
    )?;
    results.accepted.map_or(Ok(()), |accepted| self::accepted(accepted, &mut out.stdout))
}

/// How many findings there are of each code, the most frequent first.
fn write_table(findings: &[FileFinding<'_>], out: &mut Out) -> io::Result<()> {
    let mut counts: BTreeMap<Code, (usize, Severity)> = BTreeMap::new();
    for (_, finding, severity) in findings {
        counts.entry(finding.code).or_insert((0, *severity)).0 += 1;
    }
    let mut rows: Vec<(Code, (usize, Severity))> = counts.into_iter().collect();
    rows.sort_by_key(|(code, (n, _))| (std::cmp::Reverse(*n), *code));
    for (code, (n, severity)) in rows {
        writeln!(out.stdout, "{n:>7}  {:<8} {}", severity.name(), code.name())?;
    }
    writeln!(out.stdout)
}

/// Prints the effect of a baseline.
pub fn accepted(accepted: &Accepted, out: &mut dyn Write) -> io::Result<()> {
    let Accepted { findings, obsolete, changed } = accepted;
    write!(out, "accepted {}", plural(*findings, "finding", "findings"))?;
    if let Some((added, removed)) = changed {
        // Lines, not findings: equal findings in a puzzle share a line.
        let gained = plural(*added, "line", "lines");
        return writeln!(out, "; the baseline gained {gained} and lost {removed}");
    }
    match obsolete.len() {
        0 => return writeln!(out),
        1 => writeln!(out, "; 1 baseline entry no longer occurs; `--accept` removes it:")?,
        n => writeln!(out, "; {n} baseline entries no longer occur; `--accept` removes them:")?,
    }
    for (path, code, puzzle) in obsolete.iter().take(MAX_OBSOLETE) {
        let puzzle = puzzle.as_ref().map_or(String::new(), |p| format!(" \"{}\"", one_line(p)));
        writeln!(out, "  {}: {}{puzzle}", one_line(path), one_line(code))?;
    }
    match obsolete.len().saturating_sub(MAX_OBSOLETE) {
        0 => Ok(()),
        n => writeln!(out, "  and {n} more"),
    }
}

/// The part of a file that a snippet shows.
struct Window {
    text: String,
    /// The offset of its first byte in the file.
    start: u32,
    /// The 1-based number of its first line.
    line: u32,
    /// Whether it may begin within a line, so that the renderer's columns are not those of the file.
    is_cut: bool,
}

/// The complete lines of a span, or the part around its start if they are too long.
fn window(text: &str, index: &LineIndex, span: Span) -> Window {
    let (first, last) = (index.line(span.start), index.line(span.end));
    let lines = index.span(first).cover(index.span(last));
    let (mut start, mut end) = (lines.start as usize, lines.end as usize);
    let is_cut = end - start > MAX_SNIPPET_BYTES;
    if is_cut {
        start = start.max((span.start as usize).saturating_sub(MAX_SNIPPET_BYTES / 4));
        end = end.min(span.start as usize + MAX_SNIPPET_BYTES / 2).max(start);
        while !text.is_char_boundary(start) {
            start -= 1;
        }
        while !text.is_char_boundary(end) {
            end += 1;
        }
    }
    // A lone carriage return ends a line for cpz, but not for the renderer. The length must stay the same.
    let mut shown = text[start..end].to_string();
    if shown.contains('\r') {
        shown = shown.replace("\r\n", " \n").replace('\r', "\n");
    }
    // The renderer shows other control characters, but not these, of which U+009B begins a sequence for the terminal. All
    // of them are two bytes long.
    let is_c1 = |c: char| ('\u{80}'..='\u{9f}').contains(&c);
    if shown.contains(is_c1) {
        shown = shown.replace(is_c1, "¤");
    }
    Window { text: shown, start: start as u32, line: first + 1, is_cut }
}

impl Window {
    fn contains(&self, span: Span) -> bool {
        self.start <= span.start && span.end as usize <= self.start as usize + self.text.len()
    }

    /// The range of a span in the text of the window, within its last line.
    fn range(&self, span: Span) -> std::ops::Range<usize> {
        let at = |o: u32| {
            (o.saturating_sub(self.start) as usize).min(self.text.trim_end_matches(['\n', ' ']).len().max(1))
        };
        at(span.start)..at(span.end).max(at(span.start))
    }

    fn snippet<'a>(&'a self, path: &'a str) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
        let snippet = Snippet::source(self.text.as_str()).line_start(self.line as usize).fold(false);
        if self.is_cut { snippet } else { snippet.path(path) }
    }
}

/// Formats a finding. `files` are those that related places refer to by index.
fn render((file, finding, severity): FileFinding<'_>, files: &[AnalysedFile], renderer: &Renderer) -> String {
    let level = match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Hint => Level::HELP.with_name("hint"),
    };
    let finding = &as_shown(file, finding, files);
    let main = main_window(file, finding);
    let path = file.input.display_path.as_str();
    let mut snippet = main.snippet(path).annotation(AnnotationKind::Primary.span(main.range(finding.span)));
    let mut others = Vec::new();
    for related in &finding.related {
        if related.file.is_none() && main.contains(related.span) {
            let annotation = AnnotationKind::Context.span(main.range(related.span));
            snippet = snippet.annotation(annotation.label(related.message.as_str()));
        } else {
            let other = related.file.map_or(file, |f| &files[f as usize]);
            let (text, index) = other.shown();
            others.push((other, window(text, index, related.span), related));
        }
    }
    let title = level.primary_title(finding.message.as_str()).id(finding.code.name());
    let mut group: Group<'_> = Group::with_title(title);
    if main.is_cut {
        group = group.element(origin(file, finding.span));
    }
    group = group.element(snippet);
    for (other, window, related) in &others {
        if window.is_cut {
            group = group.element(origin(other, related.span));
        }
        let annotation = AnnotationKind::Context.span(window.range(related.span));
        let snippet = window.snippet(other.input.display_path.as_str());
        group = group.element(snippet.annotation(annotation.label(related.message.as_str())));
    }
    for note in &finding.notes {
        group = group.element(Level::NOTE.message(note.as_str()));
    }
    for fix in &finding.fixes {
        group = group.element(Level::HELP.message(fix.title.as_str()));
    }
    renderer.render(&[group])
}

/// A finding with its places in the texts in which they are shown.
fn as_shown(file: &AnalysedFile, finding: &Finding, files: &[AnalysedFile]) -> Finding {
    let mut finding = finding.clone();
    finding.span = file.shown_span(finding.span);
    for related in &mut finding.related {
        let file = related.file.map_or(file, |f| &files[f as usize]);
        related.span = file.shown_span(related.span);
    }
    if file.input.original.is_some() {
        // Both may come from the line that stands for the whole entry.
        let place = finding.span;
        finding.related.retain(|related| related.file.is_some() || related.span != place);
    }
    finding
}

/// The window of a finding and of the related places near it, or that of the finding alone if this would be cut.
fn main_window(file: &AnalysedFile, finding: &Finding) -> Window {
    let (text, index) = file.shown();
    let is_near = |r: &&Related| {
        let (a, b) = (index.line(r.span.start), index.line(finding.span.start));
        r.file.is_none() && a.abs_diff(b) <= MAX_LINES_APART
    };
    let spans = finding.related.iter().filter(is_near).map(|r| r.span);
    match window(text, index, spans.fold(finding.span, Span::cover)) {
        window if window.is_cut => self::window(text, index, finding.span),
        window => window,
    }
}

/// The path, line and column of a span, for a snippet that cannot show them itself.
fn origin(file: &AnalysedFile, span: Span) -> Origin<'_> {
    let (text, index) = file.shown();
    let position = index.position(text, span.start);
    Origin::path(file.input.display_path.as_str())
        .line(position.line as usize + 1)
        .char_column(position.character as usize + 1)
}

/// Prints the answers to the queries of files.
///
/// Of the play of a chess problem at most thirty lines, or all of it with `whole`.
pub fn solve(
    files: &[AnalysedFile],
    plays: &Plays,
    whole: bool,
    is_stopped: bool,
    out: &mut Out,
) -> io::Result<()> {
    for (index, file) in files.iter().enumerate() {
        for puzzle in &file.report.puzzles {
            let line = file.shown_line(puzzle.span);
            let game = puzzle.game.map_or("?", |g| g.word());
            let name = file.name(puzzle).map_or(String::new(), |n| format!(" \"{}\"", one_line(n)));
            writeln!(out.stdout, "{}:{line} {game}{name}", file.input.display_path)?;
            for query in &puzzle.queries {
                let text = query_text(&file.input.text[query.asked.range()]);
                writeln!(out.stdout, "  {text} ⇒ {}", one_line(&answer(query)))?;
                for line in reasons(query, whole).into_iter().chain(set_play(query)) {
                    writeln!(out.stdout, "      {line}")?;
                }
                let play = plays.get(index, query.span.start);
                if play.is_none_or(|play| play.keys.is_empty()) {
                    // The play was not searched any more; the keys are proved all the same.
                    keys(query).try_for_each(|key| writeln!(out.stdout, "      1.{}!", key.mv.san))?;
                }
                if let Some(play) = play {
                    write_play(play, &answer(query), whole, is_stopped, out)?;
                }
                if let Some(line) = searched(query, is_stopped) {
                    writeln!(out.stdout, "      {line}")?;
                }
            }
        }
    }
    Ok(())
}

/// Writes the play below `answer`, unless that says it all.
fn write_play(
    play: &ProblemPlay,
    answer: &str,
    whole: bool,
    is_stopped: bool,
    out: &mut Out,
) -> io::Result<()> {
    let lines = if whole { all_play_lines(play) } else { play_lines(play) };
    if play.complete && lines.iter().all(|line| answer.contains(&line.text)) {
        return Ok(());
    }
    let (shown, more) = short_play(&lines, if whole { lines.len() } else { MAX_PLAY_LINES });
    for line in shown {
        writeln!(out.stdout, "      {}{}", "  ".repeat(line.depth), line.text)?;
    }
    if more > 0 {
        writeln!(out.stdout, "      and {}; `--tree` prints all", plural(more, "more line", "more lines"))?;
    }
    if !play.complete {
        let why = if is_stopped { STOPPED } else { BUDGET_USED_UP };
        writeln!(out.stdout, "      the play was not searched to the end: {why}")?;
    }
    Ok(())
}

/// What was searched for the answer of a chess problem: composers call what was searched to the end `C+`.
fn searched(query: &QueryReport, is_stopped: bool) -> Option<String> {
    let Outcome::Answer(answer) = &query.outcome else { return None };
    let why = if is_stopped { STOPPED } else { BUDGET_USED_UP };
    let (what, one, found, complete, is_cut) = match answer {
        Answer::Keys { keys, complete, .. } => ("all first moves", "key", keys.len(), *complete, false),
        Answer::Sequences { solutions, complete, is_cut, .. } => {
            ("all moves", "solution", solutions.len(), *complete, *is_cut)
        }
        _ => return None,
    };
    let other = if found == 0 { "" } else { "other " };
    Some(match () {
        () if !query.is_searched_problem() => return None,
        () if complete => {
            let nodes = plural(query.nodes as usize, "node", "nodes");
            format!("{what} searched; no {other}{one}; {nodes}")
        }
        () if is_cut => "there are more solutions, which are not listed (`max-solutions`)".to_string(),
        () => format!("there may be {other}{one}s: {why}"),
    })
}

/// A query on one line, without comments.
fn query_text(text: &str) -> String {
    let lines = text.split(['\n', '\r']).map(|line| line.split(" //").next().unwrap_or(""));
    let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
    one_line(&words.join(" "))
}

/// An answer in a few words, with squares by name.
fn answer(query: &QueryReport) -> String {
    match &query.outcome {
        Outcome::Undecided(why) => format!("undecided: {why}"),
        Outcome::Error(why) => format!("error: {why}"),
        Outcome::NotAsked(why) => (*why).to_string(),
        Outcome::Answer(answer) => answer_in_words(answer, AnswerStyle::Listing),
    }
}

/// The keys that were found.
fn keys(query: &QueryReport) -> impl Iterator<Item = &NamedKey> {
    let keys = match &query.outcome {
        Outcome::Answer(Answer::Keys { keys, .. }) => &keys[..],
        _ => &[],
    };
    keys.iter()
}

/// The set play of play that is solved by whole sequences; that of other problems stands among their variations.
fn set_play(query: &QueryReport) -> Vec<String> {
    match query.set_play.as_deref() {
        Some(Outcome::Answer(answer @ Answer::Sequences { .. })) => {
            let text = answer_in_words(answer, AnswerStyle::Long(None));
            text.lines().map(|line| format!("set play: {line}")).collect()
        }
        Some(Outcome::Undecided(why)) => vec![format!("set play: undecided: {why}")],
        _ => Vec::new(),
    }
}

/// The reasons of a mate, the verdicts of a capture, or the solutions of a problem that has several.
fn reasons(query: &QueryReport, whole: bool) -> Vec<String> {
    match &query.outcome {
        Outcome::Answer(Answer::Sequences { solutions, stipulation, complete, .. })
            if solutions.len() > usize::from(*complete) =>
        {
            let most = if whole { solutions.len() } else { MAX_PLAY_LINES };
            let listed = solutions.iter().take(most).map(|moves| sequence_in_names(*stipulation, moves));
            let more = solutions.len().saturating_sub(most);
            let rest =
                (more > 0).then(|| format!("and {}; `--tree` prints all", plural(more, "more", "more")));
            listed.chain(rest).collect()
        }
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
