//! Which files are meant, and what is in them.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::args::Paths;
use super::complain;
use crate::analysis::Config;
use crate::diagnostic::{Finding, LineIndex, visible};
use crate::syntax::MAX_TEXT;
use crate::workspace::{ConfigFile, Configs, reason, sort_and_dedup, walk};

/// The name of standard input in reports.
pub const STDIN: &str = "<stdin>";

/// A text to work on.
#[derive(Default)]
pub struct Input {
    /// The path as given, or below a folder as given.
    pub path: String,
    /// The same for people: it may have come from anywhere, and is not to take over their terminal.
    pub shown: String,
    /// The file; nothing for standard input.
    pub file: Option<PathBuf>,
    /// Its text.
    pub text: String,
    /// What is configured where it stands; the defaults where that cannot be read.
    pub config: Arc<Config>,
    /// Where a `cpz.toml` is that would hold for it and is broken.
    pub broken: Option<String>,
    /// What is wrong with it, if it is itself a `cpz.toml`.
    pub mistakes: Option<Vec<Finding>>,
}

/// The inputs, sorted by path.
pub struct Inputs {
    /// Those that could be read, and each `cpz.toml` that holds for some of them and is broken.
    pub texts: Vec<Input>,
    /// Each `cpz.toml` that was met, with its text.
    pub configs: Vec<(PathBuf, String)>,
    /// Whether some could not be read, which standard error has been told.
    pub failed: bool,
}

/// Finds and reads what the paths name: files as they are, folders as ripgrep walks them without what
/// is excluded, `-` for standard input, and the current folder for none.
pub fn read(args: &Paths) -> Inputs {
    let (mut files, mut failed) = (Vec::new(), false);
    let here = [".".to_string()];
    let mut known = Known { configs: Configs::default(), used: !args.no_config, broken: Vec::new() };
    for path in if args.paths.is_empty() { &here[..] } else { &args.paths } {
        if path == "-" {
            files.push((STDIN.to_string(), None));
        } else if Path::new(path).is_dir() {
            let (found, why) = walk(Path::new(path));
            why.iter().for_each(|why| complain(path, why));
            if found.is_empty() && why.is_empty() {
                complain(path, "no .cpz files here");
            }
            failed |= !why.is_empty();
            if !found.is_empty() && found.iter().all(|f| known.excludes(f)) {
                complain(path, "all .cpz files here are left out by a cpz.toml");
            }
            for file in found.into_iter().filter(|f| !known.excludes(f)) {
                if file.to_str().is_none() {
                    complain(&file.to_string_lossy(), "left out: its name is not UTF-8");
                    failed = true;
                    continue;
                }
                // Without a path nobody has written the dot.
                let shown =
                    if args.paths.is_empty() { file.strip_prefix("./").unwrap_or(&file) } else { &file };
                files.push((shown.to_string_lossy().into_owned(), Some(file)));
            }
        } else {
            files.push((path.to_string(), Some(PathBuf::from(path))));
        }
    }
    // One file under two names is one file, or it would be a duplicate of itself.
    let files = files.into_iter().map(|(path, file)| (path, file.unwrap_or_else(|| STDIN.into()))).collect();
    let files = sort_and_dedup(files, &mut FxHashSet::default());
    let from_file = |(path, file): (String, PathBuf)| (path, Some(file).filter(|f| f != Path::new(STDIN)));
    let files = files.into_iter().map(from_file);
    let files: Vec<_> = files
        .map(|(path, file)| {
            let (config, broken) = known.of(file.as_deref().unwrap_or(Path::new("-")));
            Input { shown: plain(&path), path, file, config, broken, ..Input::default() }
        })
        .collect();
    let texts: Vec<Option<Input>> = files
        .into_par_iter()
        .map(|input| match load(input.file.as_deref()) {
            Ok(text) => Some(Input { text, ..input }),
            Err(why) => {
                complain(&input.path, &why);
                None
            }
        })
        .collect();
    failed |= texts.iter().any(Option::is_none);
    let mut texts: Vec<Input> = texts.into_iter().flatten().chain(known.broken).collect();
    texts.sort_by(|a, b| a.path.cmp(&b.path));
    let configs = known.configs.into_folders().into_values().flatten();
    let mut configs: Vec<_> = configs.map(|c| (c.path.clone(), c.text.clone())).collect();
    configs.sort();
    configs.dedup();
    Inputs { texts, configs, failed }
}

impl Inputs {
    /// Says on standard error what is wrong with configurations, for commands that report no findings,
    /// and takes them out; whether there were such.
    pub fn complain_of_configs(&mut self) -> bool {
        let all = self.texts.len();
        self.texts.retain(|input| {
            let index = LineIndex::new(&input.text);
            for finding in input.mistakes.iter().flatten() {
                let line = index.line(finding.span.start) + 1;
                complain(&format!("{}:{line}", input.path), &finding.message);
            }
            input.mistakes.is_none()
        });
        self.texts.len() < all
    }
}

/// The configurations met so far.
struct Known {
    configs: Configs,
    /// Whether they count.
    used: bool,
    broken: Vec<Input>,
}

impl Known {
    fn find(&mut self, file: &Path) -> Option<Arc<ConfigFile>> {
        // Links are not followed: a file belongs to the folder that it is listed in.
        let whole = std::path::absolute(file).ok().filter(|_| self.used)?;
        self.configs.of(&whole)
    }

    fn excludes(&mut self, file: &Path) -> bool {
        let whole = std::path::absolute(file).unwrap_or_default();
        self.find(file).is_some_and(|c| c.excludes(&whole))
    }

    /// The configuration of a file, and where it is if it is broken.
    fn of(&mut self, file: &Path) -> (Arc<Config>, Option<String>) {
        let Some(found) = self.find(file) else { return (Arc::default(), None) };
        match &found.config {
            Ok(config) => (config.clone(), None),
            Err(findings) => {
                let here = std::env::current_dir().unwrap_or_default();
                let path =
                    found.path.strip_prefix(here).unwrap_or(&found.path).to_string_lossy().into_owned();
                if !self.broken.iter().any(|b| b.path == path) {
                    let (text, mistakes) = (found.text.clone(), Some(findings.clone()));
                    let shown = plain(&path);
                    self.broken.push(Input { path: path.clone(), shown, text, mistakes, ..Input::default() });
                }
                (Arc::default(), Some(path))
            }
        }
    }
}

fn load(file: Option<&Path>) -> Result<String, String> {
    let why = |error: std::io::Error| reason(&error);
    let mut bytes = Vec::new();
    match file {
        Some(path) => {
            let file = std::fs::File::open(path).map_err(why)?;
            let length = file.metadata().map_or(0, |m| m.len());
            if length > MAX_TEXT as u64 {
                return Err("longer than 1 GiB; split the collection".into());
            }
            bytes.reserve_exact(length as usize);
            file.take(MAX_TEXT as u64 + 1).read_to_end(&mut bytes).map_err(why)?;
        }
        None => {
            std::io::stdin().lock().take(MAX_TEXT as u64 + 1).read_to_end(&mut bytes).map_err(why)?;
        }
    }
    if bytes.len() > MAX_TEXT {
        return Err("longer than 1 GiB; split the collection".into());
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..at].iter().filter(|&&b| b == b'\n').count() + 1;
        format!("not UTF-8: byte {at}, on line {line}, begins no character")
    })
}

/// A text on one line, as it can be shown anywhere.
pub fn plain(text: &str) -> String {
    visible(text).replace('\n', "\\n").replace('\t', "\\t")
}
