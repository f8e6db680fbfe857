//! `cpz report`: information for a bug report, without the contents of puzzles.

use std::collections::{BTreeMap, VecDeque};
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::cli::analyse::{AnalysedFile, analyse_all};
use crate::cli::args::Report;
use crate::cli::inputs;
use crate::cli::out::{DONE, FAILED, Out, one_line, report_error};
use cpz_check::analysis::Options;
use cpz_text::diagnostic::visible;

/// How many lines of a log are printed, counted from its end.
const MAX_LOG_LINES: usize = 200;

/// Prints the report, in Markdown.
pub fn run(args: &Report, out: &mut Out) -> io::Result<u8> {
    let start = Instant::now();
    let inputs = inputs::read(&args.paths);
    let read = start.elapsed();
    let mut failed = inputs.failed;
    let bytes: usize = inputs.texts.iter().map(|i| i.text.len()).sum();
    let files = analyse_all(inputs.texts, &Options::default(), None, "checking");
    let checked = start.elapsed();

    let o = &mut out.stdout;
    environment(o)?;
    configurations(&inputs.configs, o)?;
    collection(&files, bytes, read, checked, o)?;
    if let Some(path) = &args.log
        && let Err(why) = log(path, o)?
    {
        report_error(path, &why);
        failed = true;
    }
    Ok(if failed { FAILED } else { DONE })
}

fn environment(o: &mut dyn Write) -> io::Result<()> {
    writeln!(o, "# cpz {}\n", env!("CARGO_PKG_VERSION"))?;
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    writeln!(o, "- system: {} {}, {threads} threads", std::env::consts::OS, std::env::consts::ARCH)?;
    let build = if cfg!(debug_assertions) { "debug" } else { "release" };
    let program = std::env::current_exe().map(|path| without_home(&path)).unwrap_or_default();
    writeln!(o, "- program: {program} ({build})")?;
    let kind = if io::stdout().is_terminal() { "a terminal" } else { "no terminal" };
    writeln!(o, "- standard output: {kind}")?;
    for name in ["TERM", "LANG", "LC_ALL", "NO_COLOR"] {
        if let Ok(value) = std::env::var(name) {
            writeln!(o, "- {name}: {}", one_line(&value))?;
        }
    }
    Ok(())
}

fn configurations(configs: &[(PathBuf, String)], o: &mut dyn Write) -> io::Result<()> {
    writeln!(o, "\n## Configuration\n")?;
    if configs.is_empty() {
        writeln!(o, "no cpz.toml")?;
    }
    for (path, text) in configs {
        // The fence must be longer than any in the text.
        let text = visible(text);
        let longest = text.lines().map(|l| l.trim_start().chars().take_while(|&c| c == '~').count()).max();
        let fence = "~".repeat(3.max(longest.unwrap_or(0) + 1));
        let path = one_line(&without_home(path));
        writeln!(o, "{path}\n\n{fence}toml\n{}\n{fence}\n", text.trim_end())?;
    }
    Ok(())
}

fn collection(
    files: &[AnalysedFile],
    bytes: usize,
    read: Duration,
    checked: Duration,
    o: &mut dyn Write,
) -> io::Result<()> {
    writeln!(o, "\n## Collection\n")?;
    let count = files.iter().filter(|f| !f.input.is_config()).count();
    let puzzles: usize = files.iter().map(|f| f.report.puzzles.len()).sum();
    let queries: usize = files.iter().flat_map(|f| &f.report.puzzles).map(|p| p.asked as usize).sum();
    writeln!(o, "- files: {count}, bytes: {bytes}, puzzles: {puzzles}, queries: {queries}")?;
    let (read, checked) = (read.as_secs_f64(), checked.as_secs_f64());
    writeln!(o, "- read in {read:.3} s, checked after {checked:.3} s")?;
    let mut codes: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for file in files {
        for (finding, severity, _) in file.findings(&|_| true) {
            *codes.entry((severity.name(), finding.code.name())).or_default() += 1;
        }
    }
    for ((severity, code), n) in codes {
        writeln!(o, "- {severity} {code}: {n}")?;
    }
    Ok(())
}

/// Prints the end of a log. The inner error says why it could not be read.
fn log(path: &str, o: &mut dyn Write) -> io::Result<Result<(), String>> {
    writeln!(o, "\n## Log\n")?;
    let lines = match last_lines(path) {
        Ok(lines) => lines,
        Err(error) => return Ok(Err(error.to_string())),
    };
    writeln!(o, "~~~~~~~~text")?;
    for line in lines {
        writeln!(o, "{}", one_line(&line))?;
    }
    writeln!(o, "~~~~~~~~")?;
    Ok(Ok(()))
}

/// A path with `~` for the home folder, which contains the user's name.
fn without_home(path: &Path) -> String {
    let home = std::env::var_os("HOME").or_else(|| std::env::var_os("USERPROFILE")).map(PathBuf::from);
    match home.as_ref().and_then(|h| path.strip_prefix(h).ok()) {
        Some(below) => format!("~/{}", below.display()),
        None => path.display().to_string(),
    }
}

fn last_lines(path: &str) -> io::Result<VecDeque<String>> {
    let mut last = VecDeque::new();
    for line in BufReader::new(File::open(path)?).split(b'\n') {
        if last.len() == MAX_LOG_LINES {
            last.pop_front();
        }
        last.push_back(String::from_utf8_lossy(&line?).into_owned());
    }
    Ok(last)
}
