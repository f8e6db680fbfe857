//! Which files belong to a collection, and what is configured for them: the command line asks here too,
//! so that it and the server speak of the same files.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ignore::WalkBuilder;
use ropey::Rope;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::config::{CONFIG_FILE, Config, Exclude, MOST_CONFIG, read_config};
use crate::diagnostic::{Code, Finding, Span};
use crate::syntax::MAX_TEXT;

/// The files in which a folder says what of it is left out.
pub(crate) const IGNORES: [&str; 2] = [".gitignore", ".ignore"];

/// How far down folders are looked into. Finding out where a file is takes the longer the deeper it is.
const MOST_DEEP: usize = 200;

/// The longest of them that is read, in bytes.
const MOST_IGNORE: u64 = 1 << 20;

/// The files of a folder as ripgrep walks it, in any order, and what could not be looked into. What a link in it
/// leads to counts if it lies in it too: a folder that somebody sent is not to have files from elsewhere
/// read. What `.git` holds or leads to is not read either.
pub(crate) fn walk(folder: &Path) -> (Vec<PathBuf>, Vec<String>) {
    let (mut files, mut failed) = (Vec::new(), Vec::new());
    // Those of the folders above it count too, which are the person's own and may be links.
    let whole = std::path::absolute(folder).unwrap_or_default();
    let above = || whole.ancestors().skip(1).find_map(|f| bad_ignore(f, true));
    if let Some(why) = bad_ignore(folder, false).or_else(above) {
        return (files, vec![why]);
    }
    let bad = Arc::new(Mutex::new(Vec::new()));
    let met = bad.clone();
    let mut walk = WalkBuilder::new(folder);
    walk.git_exclude(false).max_depth(Some(MOST_DEEP)).filter_entry(move |entry| {
        let is_folder = entry.file_type().is_some_and(|t| t.is_dir());
        let deep = is_folder && entry.depth() == MOST_DEEP;
        let left_out = || format!("{} is left out: it is {MOST_DEEP} folders deep", entry.path().display());
        let why = match is_folder {
            true => deep.then(left_out).or_else(|| bad_ignore(entry.path(), false)),
            false => None,
        };
        let good = why.is_none();
        met.lock().unwrap_or_else(PoisonError::into_inner).extend(why);
        good
    });
    let real = folder.canonicalize();
    let leads_inside = |link: &Path| {
        let target = link.canonicalize().ok().filter(|t| t.is_file());
        target.zip(real.as_ref().ok()).is_some_and(|(target, real)| target.starts_with(real))
    };
    for entry in walk.build() {
        match entry {
            Ok(entry) => {
                let path = entry.path();
                let is_file = entry.file_type().is_some_and(|t| t.is_file());
                if is_collection(path) && (is_file || entry.path_is_symlink() && leads_inside(path)) {
                    files.push(entry.into_path());
                }
            }
            Err(error) => failed.push(left_out(&error)),
        }
    }
    failed.append(&mut bad.lock().unwrap_or_else(PoisonError::into_inner));
    (files, failed)
}

/// Which folder could not be looked into, and why.
fn left_out(error: &ignore::Error) -> String {
    use ignore::Error;
    match error {
        Error::WithDepth { err, .. } => left_out(err),
        Error::WithPath { path, err } => format!("{} is left out: {}", path.display(), left_out(err)),
        _ => error.io_error().map_or_else(|| error.to_string(), reason),
    }
}

/// Why something could not be read, without numbers for the common reasons.
pub(crate) fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "no such file or folder".into(),
        std::io::ErrorKind::PermissionDenied => "permission denied".into(),
        _ => error.to_string(),
    }
}

/// What is wrong with the file in which a folder says what is left out: a pipe would be waited for, a device read
/// for ever, and a link could lead anywhere, unless `links` may. Then nobody knows which of its files are meant.
fn bad_ignore(folder: &Path, links: bool) -> Option<String> {
    IGNORES.iter().find_map(|name| {
        let path = folder.join(name);
        path.symlink_metadata().ok()?;
        let harmless = |m: std::fs::Metadata| m.is_dir() || m.is_file() && m.len() <= MOST_IGNORE;
        let leads_nowhere = links && path.metadata().is_err();
        let good = leads_nowhere || path.metadata().is_ok_and(harmless) && (links || !leads_out(&path));
        (!good).then(|| {
            let whose = if links { "what is below it" } else { "it" };
            format!(
                "{}: {whose} is left out: its {name} is no file of its own of 1 MiB at most",
                folder.display()
            )
        })
    })
}

/// Files sorted by their names, each once: of a file with two names the first counts. What they lead to is
/// added to `seen`.
pub(crate) fn in_order(
    mut files: Vec<(String, PathBuf)>,
    seen: &mut FxHashSet<PathBuf>,
) -> Vec<(String, PathBuf)> {
    files.sort();
    files.retain(|(_, path)| seen.insert(real_path(path)));
    files
}

/// Where a file is whatever links lead to it.
pub(crate) fn real_path(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

/// Whether a path is that of a collection.
pub(crate) fn is_collection(path: &Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("cpz"))
}

/// Whether a path is that of a configuration.
pub(crate) fn is_config(path: &Path) -> bool {
    path.file_name().is_some_and(|n| n == CONFIG_FILE)
}

/// The text of a file; nothing where it cannot be read or is none.
pub(crate) fn load(path: &Path) -> Option<Rope> {
    let fits = |m: &std::fs::Metadata| m.is_file() && m.len() <= MAX_TEXT as u64;
    std::fs::metadata(path).ok().filter(fits)?;
    let file = std::fs::File::open(path).ok()?.take(MAX_TEXT as u64 + 1);
    Rope::from_reader(file).ok().filter(|text| text.len_bytes() <= MAX_TEXT)
}

/// A `cpz.toml`.
#[derive(Debug)]
pub(crate) struct ConfigFile {
    /// Where it is.
    pub path: PathBuf,
    /// Its text; empty where it cannot be read.
    pub text: String,
    /// What it says, or what is wrong with it.
    pub config: Result<Arc<Config>, Vec<Finding>>,
    exclude: Exclude,
}

impl ConfigFile {
    fn read(path: PathBuf) -> ConfigFile {
        let text = read_start(&path);
        let config = match &text {
            Ok(text) => read_config(text).map(Arc::new),
            Err(why) => Err(vec![Finding::new(Code::Syntax, Span::at(0), why.as_str())]),
        };
        let folder = path.parent().unwrap_or(Path::new(""));
        let exclude = config.as_ref().map_or(Exclude::new(folder, &[]), |c| Exclude::new(folder, &c.exclude));
        ConfigFile { path, text: text.unwrap_or_default(), config, exclude }
    }

    /// Whether it leaves a file out.
    pub fn excludes(&self, file: &Path) -> bool {
        self.exclude.holds(file)
    }
}

/// The text of a configuration, or why there is none. A folder that somebody sent is not to have files from
/// elsewhere read, nor more than a configuration needs.
fn read_start(path: &Path) -> Result<String, String> {
    if leads_out(path) {
        return Err("this is a link out of its folder, which is not followed".into());
    }
    let mut start = Vec::new();
    let file = std::fs::File::open(path);
    let read = file.and_then(|f| f.take(MOST_CONFIG as u64 + 1).read_to_end(&mut start));
    read.map_err(|error| format!("this file cannot be read: {}", reason(&error)))?;
    if start.len() > MOST_CONFIG {
        return Err("this file is too long for a configuration".into());
    }
    String::from_utf8(start).map_err(|_| "this file is not UTF-8".into())
}

/// Whether a file is a link to somewhere that is not below its folder.
fn leads_out(path: &Path) -> bool {
    let folder = path.parent().and_then(|f| f.canonicalize().ok());
    path.is_symlink() && !folder.is_some_and(|folder| real_path(path).starts_with(folder))
}

/// The configurations of folders, each read once.
#[derive(Default)]
pub(crate) struct Configs {
    /// By folder.
    known: FxHashMap<PathBuf, Option<Arc<ConfigFile>>>,
}

impl Configs {
    /// The nearest `cpz.toml` in a folder or above it. The path is to be absolute.
    pub fn of_folder(&mut self, folder: &Path) -> Option<Arc<ConfigFile>> {
        if let Some(known) = self.known.get(folder) {
            return known.clone();
        }
        let own = folder.join(CONFIG_FILE);
        let found = match own.is_file() {
            true => Some(Arc::new(ConfigFile::read(own))),
            false => folder.parent().and_then(|above| self.of_folder(above)),
        };
        self.known.insert(folder.to_path_buf(), found.clone());
        found
    }

    /// The one that holds for a file. The path is to be absolute.
    pub fn of(&mut self, file: &Path) -> Option<Arc<ConfigFile>> {
        file.parent().and_then(|folder| self.of_folder(folder))
    }

    /// All folders that were asked for, and those above them.
    pub fn into_folders(self) -> FxHashMap<PathBuf, Option<Arc<ConfigFile>>> {
        self.known
    }
}
