//! `cpz report`: what a bug report wants to know, and nothing of what the puzzles hold.

use std::collections::{BTreeMap, VecDeque};
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Write};
use std::path::PathBuf;
use std::time::Instant;

use crate::analysis::Options;
use crate::cli::args::Report;
use crate::cli::commands::check::analyse_all;
use crate::cli::{DONE, FAILED, Out, complain, inputs};
use crate::diagnostic::visible;

/// How many lines of a log are shown.
const MOST_LINES: usize = 200;

/// Prints the report, in Markdown.
pub fn run(args: &Report, out: &mut Out) -> io::Result<u8> {
    let start = Instant::now();
    let inputs = inputs::read(&args.paths);
    let read = start.elapsed();
    let mut failed = inputs.failed;
    let configs = inputs.configs;
    let bytes: usize = inputs.texts.iter().map(|i| i.text.len()).sum();
    let checked = analyse_all(inputs.texts, &Options::default(), None, "checking");
    let all = start.elapsed();

    let o = &mut out.stdout;
    writeln!(o, "# cpz {}\n", env!("CARGO_PKG_VERSION"))?;
    writeln!(o, "- system: {} {}, {} threads", std::env::consts::OS, std::env::consts::ARCH, threads())?;
    let build = if cfg!(debug_assertions) { "debug" } else { "release" };
    let program = std::env::current_exe().map(home).unwrap_or_default();
    writeln!(o, "- program: {program} ({build})")?;
    writeln!(
        o,
        "- standard output: {}",
        if io::stdout().is_terminal() { "a terminal" } else { "no terminal" }
    )?;
    for name in ["TERM", "LANG", "LC_ALL", "NO_COLOR"] {
        if let Ok(value) = std::env::var(name) {
            writeln!(o, "- {name}: {}", inputs::plain(&value))?;
        }
    }

    writeln!(o, "\n## Configuration\n")?;
    if configs.is_empty() {
        writeln!(o, "no cpz.toml")?;
    }
    for (path, text) in &configs {
        // A longer fence than any in it.
        let text = visible(text);
        let longest = text.lines().map(|l| l.trim_start().chars().take_while(|&c| c == '~').count()).max();
        let fence = "~".repeat(3.max(longest.unwrap_or(0) + 1));
        let path = inputs::plain(&home(path.clone()));
        writeln!(o, "{path}\n\n{fence}toml\n{}\n{fence}\n", text.trim_end())?;
    }

    writeln!(o, "\n## Collection\n")?;
    let files = checked.iter().filter(|c| c.input.mistakes.is_none()).count();
    let puzzles: usize = checked.iter().map(|c| c.report.puzzles.len()).sum();
    let queries: usize = checked.iter().flat_map(|c| &c.report.puzzles).map(|p| p.asked as usize).sum();
    writeln!(o, "- files: {files}, bytes: {bytes}, puzzles: {puzzles}, queries: {queries}")?;
    let (read, all) = (read.as_secs_f64(), all.as_secs_f64());
    writeln!(o, "- read in {read:.3} s, checked after {all:.3} s")?;
    let mut codes: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for file in &checked {
        for (finding, severity, _) in file.shown(&|_| true) {
            *codes.entry((severity.name(), finding.code.name())).or_default() += 1;
        }
    }
    for ((severity, code), n) in codes {
        writeln!(o, "- {severity} {code}: {n}")?;
    }

    if let Some(path) = &args.log {
        writeln!(o, "\n## Log\n")?;
        match last_lines(path) {
            Ok(lines) => {
                writeln!(o, "~~~~~~~~text")?;
                for line in lines {
                    writeln!(o, "{}", inputs::plain(&line))?;
                }
                writeln!(o, "~~~~~~~~")?;
            }
            Err(error) => {
                complain(path, &error.to_string());
                failed = true;
            }
        }
    }
    Ok(if failed { FAILED } else { DONE })
}

fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// A path without the name of whoever lives in it.
fn home(path: PathBuf) -> String {
    let home = std::env::var_os("HOME").or_else(|| std::env::var_os("USERPROFILE")).map(PathBuf::from);
    match home.as_ref().and_then(|h| path.strip_prefix(h).ok()) {
        Some(below) => format!("~/{}", below.display()),
        None => path.display().to_string(),
    }
}

fn last_lines(path: &str) -> io::Result<VecDeque<String>> {
    let mut last = VecDeque::new();
    for line in BufReader::new(File::open(path)?).split(b'\n') {
        if last.len() == MOST_LINES {
            last.pop_front();
        }
        last.push_back(String::from_utf8_lossy(&line?).into_owned());
    }
    Ok(last)
}
