//! Importing and exporting.

use serde::Serialize;

use crate::api::options::{Error, TextOptions, named, nodes, tree_of};
use crate::api::puzzles::filter;
use crate::print::card_picture;
use cpz_check::analysis::{DEFAULT_NODES, Options, analyse, link};
use cpz_exchange::export::{DeckExporter, Exported, Exporter, Format as ExportFormat, Search, Source};
use cpz_exchange::import::{self, Format as ImportFormat, detect, import as import_stream, reader_of};
use cpz_exchange::{self as exchange, Filter};
use cpz_text::diagnostic::{LineIndex, Span};
use cpz_text::syntax::{MAX_TEXT, Tree};

/// The bytes at the beginning of a file by which its format is recognised.
const HEAD: usize = 1 << 16;

/// The options of [`import_text`].
#[derive(Clone, Debug, Default)]
pub struct ImportOptions {
    /// The format, such as `pgn`, as `cpz import --from` names it; without one it is recognised.
    pub from: Option<String>,
    /// The name of the file, whose ending helps to recognise the format.
    pub path: Option<String>,
    /// The language of the piece letters of a text board: `en`, `de`, `fr`, `es`, `it`, `nl`, `pl`, `ru` or `popeye`.
    pub letters: Option<String>,
    /// Whether the first row of a text board is the lowest.
    pub bottom_up: bool,
    /// Whether a line of PGN of at most four moves that ends in mate asks for that mate.
    pub mates: bool,
}

/// The puzzles of a file of another program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ImportedText {
    /// The puzzles as a text of cpz.
    pub text: String,
    /// How many there are.
    pub puzzles: usize,
    /// The format of the file.
    pub format: &'static str,
    /// What was not read, or read with a fault.
    pub notices: Vec<ImportNotice>,
}

/// What was not read of a file, or read with a fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ImportNotice {
    /// The line in the file, from 1.
    pub line: usize,
    /// Why.
    pub reason: String,
    /// Whether a puzzle was made all the same.
    pub imported: bool,
}

/// Makes puzzles of a file of another program, as `cpz import` does.
///
/// ```
/// # use cpz_api::api as cpz;
/// let fens = b"7k/8/5KQ1/8/8/8/8/8 w - - 0 1\n";
/// let imported = cpz::import_text(fens, &cpz::ImportOptions { from: Some("fen".into()), ..Default::default() })?;
/// assert_eq!(imported.puzzles, 1);
/// assert!(imported.text.starts_with("chess"));
/// # Ok::<(), cpz::Error>(())
/// ```
///
/// # Errors
/// A wrong option, a format that is not recognised, a compressed file, or one longer than 1 GiB.
pub fn import_text(file: &[u8], options: &ImportOptions) -> Result<ImportedText, Error> {
    if file.len() > MAX_TEXT {
        return Err(Error("the file is longer than 1 GiB; split it".into()));
    }
    if let Some(letters) = &options.letters {
        named("language of piece letters", letters, &import::LETTERS, |name| name)?;
    }
    if let Some(program) = compressed_by(file) {
        return Err(Error(format!("the file is compressed by {program}; unpack it first")));
    }
    let head = String::from_utf8_lossy(&file[..file.len().min(HEAD)]);
    let format = match &options.from {
        Some(name) => named("format to import", name, ImportFormat::ALL, ImportFormat::name)?,
        None => detect(options.path.as_deref().unwrap_or_default(), &head).ok_or_else(|| {
            let names: Vec<&str> = ImportFormat::ALL.iter().map(|format| format.name()).collect();
            Error(format!("the format is not recognised; it is one of {}", names.join(", ")))
        })?,
    };
    let reading = import::ImportOptions {
        letters: options.letters.clone(),
        bottom_up: options.bottom_up,
        mates: options.mates,
        ..import::ImportOptions::default()
    };
    let reader = reader_of(format, &head, &reading);
    let mut imported =
        ImportedText { text: String::new(), puzzles: 0, format: format.name(), notices: Vec::new() };
    let read = import_stream(&*reader, &mut &*file, &mut |part| {
        imported.puzzles += part.tally.puzzles;
        if !part.text.is_empty() && !imported.text.is_empty() {
            imported.text.push('\n');
        }
        imported.text.push_str(&part.text);
        let notices = part.notices.iter();
        let notice = |n: &import::Notice| ImportNotice {
            line: n.line,
            reason: n.reason.clone(),
            imported: n.imported,
        };
        imported.notices.extend(notices.map(notice));
        Ok(())
    });
    read.map_err(|error| Error(format!("reading stopped: {error}")))?;
    Ok(imported)
}

/// What compressed a file, by its first bytes.
fn compressed_by(file: &[u8]) -> Option<&'static str> {
    let kinds: [(&[u8], &str); 3] =
        [(b"\x1f\x8b", "gzip"), (b"\x28\xb5\x2f\xfd", "Zstandard"), (b"PK\x03\x04", "zip")];
    kinds.iter().find(|(start, _)| file.starts_with(start)).map(|(_, name)| *name)
}

/// The options of [`export_text`]. A puzzle is chosen that fits all of them.
#[derive(Clone, Debug, Default)]
pub struct ExportOptions {
    /// Only puzzles whose id, name or number fits one of these patterns, such as `mate-*`.
    pub only: Vec<String>,
    /// Only puzzles with one of these tags.
    pub tags: Vec<String>,
    /// Only puzzles of these games.
    pub games: Vec<String>,
    /// Whether every puzzle is solved; so it is with a budget, too. Otherwise only moves are verified, and nothing is searched for.
    pub solve: bool,
    /// When the notes of an Anki package were written, in seconds since 1970; Anki updates a note that it has only by a newer
    /// one.
    pub time: u64,
    /// How the text is read.
    pub text: TextOptions,
}

/// Puzzles in the format of another program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExportedText {
    /// The file; empty where it is no text.
    pub text: String,
    /// The file where it is no text, as an Anki package.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<Vec<u8>>,
    /// How many puzzles it has.
    pub puzzles: usize,
    /// What the format has no place for, in sentences.
    pub notes: Vec<String>,
}

/// Writes the puzzles of a text in the format of another program, such as `json`, `pgn` or `popeye`, as `cpz export` does.
///
/// ```
/// # use cpz_api::api as cpz;
/// let text = "chess \"Mate\" { board 7k/8/5KQ1/8/8/8/8/8 w - - 0 1 mate in 1 => Qg7 }";
/// let exported = cpz::export_text(text, "fen", &cpz::ExportOptions::default())?;
/// assert_eq!(exported.text, "7k/8/5KQ1/8/8/8/8/8 w - - 0 1 Mate\n");
/// # Ok::<(), cpz::Error>(())
/// ```
///
/// # Errors
/// There is no such format or game, a wrong pattern, budget or configuration, or a text longer than 1 GiB.
pub fn export_text(text: &str, to: &str, options: &ExportOptions) -> Result<ExportedText, Error> {
    let format = named("format to export", to, &ExportFormat::ALL, ExportFormat::name)?;
    let filter = filter(&options.only, &options.tags, &options.games)?;
    let analysis = options.text.analysis()?;
    let is_search_asked = options.solve || options.text.budget.is_some();
    let search = if is_search_asked { Search::Full(analysis.nodes) } else { Search::Unasked };
    let (tree, path) = (tree_of(text)?, options.text.path());
    let (mut exported, open) = match format.is_text() {
        true => write(&tree, path, format, &filter, &analysis, search)?,
        false => package(&tree, path, &filter, options.time, &analysis, search)?,
    };
    exported.notes.extend(open.map(|answers| format!("{answers}; the option `solve` asks for it")));
    Ok(exported)
}

/// Writes all puzzles of a text that is parsed, as [`export_text`] does; `solve` says whether they are solved within the
/// nodes of the options, or each within a few nodes, and `time` when an Anki package was written. The second text says how many answers need a longer search than there was, if some do.
///
/// # Errors
/// There is no such format.
pub fn export_tree(
    tree: &Tree,
    path: &str,
    to: &str,
    solve: bool,
    time: u64,
    options: &Options,
) -> Result<(ExportedText, Option<String>), Error> {
    let format = named("format to export", to, &ExportFormat::ALL, ExportFormat::name)?;
    let search = if solve { Search::Full(options.nodes) } else { Search::Short };
    match format.is_text() {
        true => write(tree, path, format, &Filter::default(), options, search),
        false => package(tree, path, &Filter::default(), time, options, search),
    }
}

fn write(
    tree: &Tree,
    path: &str,
    format: ExportFormat,
    filter: &Filter,
    options: &Options,
    search: Search,
) -> Result<(ExportedText, Option<String>), Error> {
    with_source(tree, path, options, search, |source| {
        let (mut out, mut exporter) = (Vec::new(), Exporter::new(format, filter));
        let exported = exporter.write(source, &mut out).and_then(|()| exporter.finish(&mut out));
        let exported = exported.map_err(|error| Error(error.to_string()))?;
        let text = String::from_utf8(out).map_err(|error| Error(error.to_string()))?;
        Ok(told(text, None, format, &exported))
    })
}

/// As [`write`], an Anki package. A function of its own, so that a page that does without it does not load it.
fn package(
    tree: &Tree,
    path: &str,
    filter: &Filter,
    time: u64,
    options: &Options,
    search: Search,
) -> Result<(ExportedText, Option<String>), Error> {
    with_source(tree, path, options, search, |source| {
        let (mut out, mut exporter) = (Vec::new(), DeckExporter::new(filter, card_picture, time));
        exporter.add(source);
        let exported = exporter.finish(&mut out).map_err(|error| Error(error.to_string()))?;
        Ok(told(String::new(), Some(out), ExportFormat::Anki, &exported))
    })
}

/// Analyses a text for an export.
fn with_source<T>(
    tree: &Tree,
    path: &str,
    options: &Options,
    search: Search,
    export: impl FnOnce(&Source<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    let analysis = Options { answers: true, nodes: search.nodes(), ..options.clone() };
    let (mut report, text) = (analyse(tree, &analysis), tree.text());
    let index = LineIndex::new(text);
    link(&mut [&mut report], |_, span: Span| format!("{path}:{}", index.line(span.start) + 1));
    let (config, watch) = (&analysis.config, analysis.watch.as_ref());
    export(&Source { path, text, index: &index, report: &report, config, search, watch })
}

/// A file that was made, with the messages about it.
fn told(
    text: String,
    bytes: Option<Vec<u8>>,
    format: ExportFormat,
    exported: &Exported,
) -> (ExportedText, Option<String>) {
    let notes = exported.losses.sentences(format.title());
    (ExportedText { text, bytes, puzzles: exported.written, notes }, exported.losses.open_answers())
}

/// Answers a line with one puzzle by a line of JSON, as `cpz lines` does. `number` is the number of the line, from 1. The
/// schema is printed by `cpz schema lines`.
///
/// ```
/// # use cpz_api::api as cpz;
/// let answer = cpz::answer_line(b"solitaire { board RN.. solve }", 7, None)?;
/// assert!(answer.starts_with(r#"{"line":7,"canonical":"#));
/// # Ok::<(), cpz::Error>(())
/// ```
///
/// # Errors
/// A wrong budget. A line that is no puzzle is answered by an object with `error`.
pub fn answer_line(line: &[u8], number: u64, budget: Option<u64>) -> Result<String, Error> {
    Ok(exchange::answer_line(line, number, nodes(budget, DEFAULT_NODES)?))
}
