//! `cpz stats`

use std::io::{self, Write};

use crate::cli::analyse::analyse_all;
use crate::cli::args::{Stats, StatsFormat};
use crate::cli::inputs;
use crate::cli::out::{DONE, FAILED, Out, plural};
use cpz_api::print::plot;
use cpz_check::analysis::Options;
use cpz_check::authoring::Statistics;
use cpz_exchange::{statistics_document, statistics_tables};
use cpz_text::syntax::parse;

/// Prints statistics of a collection.
pub fn run(args: &Stats, out: &mut Out) -> io::Result<u8> {
    let mut inputs = inputs::read(&args.paths);
    let failed = inputs.failed | inputs.reject_configs();
    let files = analyse_all(inputs.texts, &Options::default(), args.budget.budget, "checking");
    let mut statistics = Statistics::default();
    for file in &files {
        let options = file.input.search(args.budget.budget);
        statistics.add(&parse(file.input.text.as_str()), &file.report, &options);
    }
    match args.format {
        StatsFormat::Human => print_tables(files.len(), &statistics, out)?,
        StatsFormat::Json => writeln!(out.stdout, "{}", statistics_document(files.len(), &statistics))?,
        StatsFormat::Svg => out.stdout.write_all(plot(&statistics).as_bytes())?,
    }
    Ok(if failed { FAILED } else { DONE })
}

fn print_tables(files: usize, statistics: &Statistics, out: &mut Out) -> io::Result<()> {
    let (files, puzzles) = (plural(files, "file", "files"), plural(statistics.puzzles, "puzzle", "puzzles"));
    writeln!(out.stdout, "{files}, {puzzles}")?;
    for table in statistics_tables(statistics).iter().filter(|table| !table.rows.is_empty()) {
        writeln!(out.stdout, "\n{}", table.title)?;
        let most = table.rows.iter().map(|row| row.1).max().unwrap_or(1).max(1);
        for (name, n) in &table.rows {
            // The bars are at most 30 characters long.
            let bar = "#".repeat((n * 30).div_ceil(most));
            writeln!(out.stdout, "  {name:<20} {n:>7}  {bar}")?;
        }
    }
    Ok(())
}
