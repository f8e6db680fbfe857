//! `cpz stats`

use std::io::{self, Write};

use serde_json::{Map, Value, json};

use crate::cli::analyse::analyse_all;
use crate::cli::args::{Stats, StatsFormat};
use crate::cli::inputs;
use crate::cli::out::{DONE, FAILED, Out, plural};
use cpz_api::print::plot;
use cpz_check::analysis::Options;
use cpz_check::authoring::{Soundness, Statistics};
use cpz_rules::board::Size;
use cpz_text::syntax::parse;

/// Prints statistics of a collection.
pub fn run(args: &Stats, out: &mut Out) -> io::Result<u8> {
    let mut inputs = inputs::read(&args.paths);
    let failed = inputs.failed | inputs.reject_configs();
    let files = analyse_all(inputs.texts, &Options::default(), args.budget.budget, "checking");
    let mut statistics = Statistics::default();
    for file in &files {
        let config = file.input.config.clone();
        let options = Options { nodes: args.budget.budget.unwrap_or(config.nodes()), ..Options::new(config) };
        statistics.add(&parse(file.input.text.as_str()), &file.report, &options);
    }
    let tables = tables(&statistics);
    match args.format {
        StatsFormat::Human => print_tables(files.len(), &statistics, &tables, out)?,
        StatsFormat::Json => print_json(files.len(), &statistics, &tables, out)?,
        StatsFormat::Svg => out.stdout.write_all(plot(&statistics).as_bytes())?,
    }
    Ok(if failed { FAILED } else { DONE })
}

/// A table: its name in JSON, its title, and its rows.
struct Table {
    name: &'static str,
    title: &'static str,
    rows: Vec<(String, usize)>,
}

fn tables(statistics: &Statistics) -> Vec<Table> {
    let size = |&(w, h, d): &(u8, u8, u8)| Size { w, h, d }.to_string();
    let sound = |sound: &Soundness| (sound.word().to_string(), statistics.soundness.get(sound).copied());
    vec![
        Table { name: "games", title: "game", rows: rows(&statistics.games, |game| game.word().into()) },
        Table { name: "sizes", title: "size", rows: rows(&statistics.sizes, size) },
        Table { name: "pieces", title: "pieces", rows: rows(&statistics.pieces, ToString::to_string) },
        Table {
            name: "kinds",
            title: "kind of piece",
            rows: rows(&statistics.kinds, |kind| kind.name().into()),
        },
        Table {
            name: "difficulty",
            title: "difficulty",
            rows: rows(&statistics.difficulty, ToString::to_string),
        },
        Table {
            name: "soundness",
            title: "soundness",
            rows: Soundness::ALL.iter().map(sound).filter_map(|(word, n)| Some((word, n?))).collect(),
        },
        Table {
            name: "findings",
            title: "finding",
            rows: rows(&statistics.codes, |code| code.name().into()),
        },
    ]
}

fn rows<K>(
    table: &std::collections::BTreeMap<K, usize>,
    name: impl Fn(&K) -> String,
) -> Vec<(String, usize)> {
    table.iter().map(|(key, n)| (name(key), *n)).collect()
}

fn print_tables(files: usize, statistics: &Statistics, tables: &[Table], out: &mut Out) -> io::Result<()> {
    let (files, puzzles) = (plural(files, "file", "files"), plural(statistics.puzzles, "puzzle", "puzzles"));
    writeln!(out.stdout, "{files}, {puzzles}")?;
    for table in tables.iter().filter(|table| !table.rows.is_empty()) {
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

fn print_json(files: usize, statistics: &Statistics, tables: &[Table], out: &mut Out) -> io::Result<()> {
    let mut document = Map::new();
    document.insert("version".into(), json!(1));
    document.insert("files".into(), json!(files));
    document.insert("puzzles".into(), json!(statistics.puzzles));
    for table in tables {
        let rows = table.rows.iter().map(|(name, n)| (name.clone(), json!(n)));
        document.insert(table.name.into(), Value::Object(rows.collect()));
    }
    writeln!(out.stdout, "{}", Value::Object(document))
}
