//! `cpz export`

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::cli::analyse::{AnalysedFile, analyse_all};
use crate::cli::args::Export;
use crate::cli::atomic_write::not_written;
use crate::cli::commands::solve::report_no_collection;
use crate::cli::inputs::{self, Input};
use crate::cli::new_file::{NOT_ALL_READ, NewFile};
use crate::cli::out::{DONE, FAILED, FOUND, Out, plural, report_error};
use crate::cli::selection::{NOTHING_FITS, filter_of, is_input};
use cpz_api::print::card_picture;
use cpz_check::analysis::Options;
use cpz_exchange::Filter;
use cpz_exchange::export::{DeckExporter, Exported, Exporter, Search, Source};
use cpz_exchange::import::Format;

/// Writes the chosen puzzles in the format of another program.
pub fn run(args: &Export, out: &mut Out) -> io::Result<u8> {
    let Some(filter) = filter_of(&args.choice) else { return Ok(FAILED) };
    if !args.to.is_text() && args.output.is_none() && io::stdout().is_terminal() {
        report_error(args.to.name(), "this is a file, not text; name it with `-o`");
        return Ok(FAILED);
    }
    let mut inputs = inputs::read(&args.paths);
    let failed = inputs.failed | inputs.reject_configs();
    // Before the searches, which may take a while.
    let mut file = match args.output.as_deref().map(|path| open(path, &inputs.texts, args.force)).transpose()
    {
        Ok(file) => file,
        Err((path, why)) => {
            report_error(&path, &why);
            return Ok(FAILED);
        }
    };
    let options = Options { answers: true, ..Options::default() };
    let nodes = if is_search_asked(args) { args.budget } else { Some(Search::Unasked.nodes()) };
    let files = analyse_all(inputs.texts, &options, nodes, "solving");
    let others = files.iter().filter(|file| report_no_collection(file, how_to_import));
    let has_others = others.count() > 0;
    if files.iter().all(|file| file.report.puzzles.is_empty()) {
        // Of a file that cannot be read it is said already.
        if !failed {
            report_error("export", "there are no puzzles to export");
        }
        return Ok(FAILED);
    }
    let target: &mut dyn Write = match &mut file {
        Some(file) => file,
        None => &mut out.stdout,
    };
    let exported = match write(&files, args, &filter, target) {
        Ok(exported) => exported,
        Err(error) if file.is_some() => {
            report_error(&name(args), &not_written(&error));
            return Ok(FAILED);
        }
        Err(error) => return Err(error),
    };
    if exported.chosen == 0 {
        report_error("export", NOTHING_FITS);
        // An empty file is not to replace one with puzzles.
        if file.is_some() {
            return Ok(FAILED);
        }
    }
    if failed && file.as_ref().is_some_and(NewFile::replaces) {
        report_error(&name(args), NOT_ALL_READ);
        return Ok(FAILED);
    }
    if let Some(why) = file.and_then(|file| file.finish().err()) {
        report_error(&name(args), &why);
        return Ok(FAILED);
    }
    out.stdout.flush()?;
    tell(&exported, args);
    Ok(match exported.losses.left_out() {
        _ if failed => FAILED,
        0 if !has_others => DONE,
        _ => FOUND,
    })
}

fn how_to_import(format: Format) -> String {
    format!("`cpz import --from {}` makes them", format.name())
}

/// Whether the puzzles are to be solved: who gives a budget wants it to be used.
fn is_search_asked(args: &Export) -> bool {
    args.solve || args.budget.is_some()
}

/// Begins the output file, which must not be one of the inputs.
fn open(path: &Path, inputs: &[Input], force: bool) -> Result<NewFile, (String, String)> {
    let named = |why: String| (path.to_string_lossy().into_owned(), why);
    if is_input(path, inputs) {
        return Err(named("not written: this file is one of those that are exported".into()));
    }
    NewFile::create(path, force).map_err(named)
}

/// The name of the output file in messages.
fn name(args: &Export) -> String {
    args.output.as_deref().map(|path| path.to_string_lossy().into_owned()).unwrap_or_default()
}

fn write(
    files: &[AnalysedFile],
    args: &Export,
    filter: &Filter,
    out: &mut dyn Write,
) -> io::Result<Exported> {
    let sources = files.iter().map(|file| Source {
        path: &file.input.path,
        text: &file.input.text,
        index: &file.index,
        report: &file.report,
        config: &file.input.config,
        search: match is_search_asked(args) {
            true => Search::Full(args.budget.unwrap_or(file.input.config.nodes())),
            false => Search::Unasked,
        },
        watch: None,
    });
    if args.to.is_text() {
        let mut exporter = Exporter::new(args.to, filter);
        for source in sources {
            exporter.write(&source, out)?;
        }
        return exporter.finish(out);
    }
    let mut exporter = DeckExporter::new(filter, card_picture, time());
    sources.for_each(|source| exporter.add(&source));
    exporter.finish(out)
}

/// When the output is made, in seconds since 1970: now, or what `SOURCE_DATE_EPOCH` says, so that a build can be repeated.
fn time() -> u64 {
    let given = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|seconds| seconds.parse().ok());
    given.unwrap_or_else(|| SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs())
}

/// Says on standard error what is not in the output.
fn tell(exported: &Exported, args: &Export) {
    let mut stderr = anstream::stderr();
    for sentence in exported.losses.sentences(args.to.title()) {
        let _ = writeln!(stderr, "cpz: {sentence}");
    }
    if let Some(answers) = exported.losses.open_answers() {
        let _ = writeln!(stderr, "cpz: {answers}; `--solve` asks for it");
    }
    if args.output.is_some() {
        let puzzles = plural(exported.written, "puzzle", "puzzles");
        let _ = writeln!(stderr, "cpz: {}: {puzzles} written", name(args));
    }
}
