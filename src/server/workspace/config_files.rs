//! Finds and reads the `cpz.toml` that applies to a file.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::paths::leads_out;
use super::paths::reason;
use cpz_check::analysis::config::{CONFIG_FILE, Config, MAX_CONFIG_BYTES, read_config};
use cpz_check::analysis::exclude::Exclude;
use cpz_text::diagnostic::{Code, Finding, Span};

/// Whether a path has the name of a configuration.
pub fn is_config(path: &Path) -> bool {
    path.file_name().is_some_and(|n| n == CONFIG_FILE)
}

/// Whether configurations are read: a small server has no files. A constant, so that the compiler leaves the reader out.
pub const READS_CONFIG: bool = cfg!(feature = "complete");

/// A `cpz.toml`.
#[derive(Debug)]
pub struct ConfigFile {
    pub path: PathBuf,
    /// Empty where it cannot be read.
    pub text: String,
    /// The configuration, or the findings that make it invalid.
    pub config: Result<Arc<Config>, Vec<Finding>>,
    exclude: Exclude,
}

impl ConfigFile {
    fn read(path: PathBuf) -> ConfigFile {
        let text = read_text(&path);
        let config = match &text {
            Ok(text) => read_config(text).map(Arc::new),
            Err(why) => Err(vec![Finding::new(Code::Syntax, Span::at(0), why.as_str())]),
        };
        let folder = path.parent().unwrap_or(Path::new(""));
        let exclude = config.as_ref().map_or(Exclude::new(folder, &[]), |c| Exclude::new(folder, &c.exclude));
        ConfigFile { path, text: text.unwrap_or_default(), config, exclude }
    }

    /// Whether its `exclude` matches a file.
    pub fn excludes(&self, file: &Path) -> bool {
        self.exclude.holds(file)
    }
}

/// The text of a configuration, or why there is none. A folder received from elsewhere must not make cpz read files
/// outside it, nor more bytes than a configuration needs.
fn read_text(path: &Path) -> Result<String, String> {
    if leads_out(path) {
        return Err("this is a link out of its folder, which is not followed".into());
    }
    let mut bytes = Vec::new();
    let file = File::open(path);
    let read = file.and_then(|f| f.take(MAX_CONFIG_BYTES as u64 + 1).read_to_end(&mut bytes));
    read.map_err(|error| format!("this file cannot be read: {}", reason(&error)))?;
    if bytes.len() > MAX_CONFIG_BYTES {
        return Err("this file is too long for a configuration".into());
    }
    String::from_utf8(bytes).map_err(|_| "this file is not UTF-8".into())
}

/// The configurations of folders, each read once.
#[derive(Default)]
pub struct Configs {
    by_folder: FxHashMap<PathBuf, Option<Arc<ConfigFile>>>,
}

impl Configs {
    /// The nearest `cpz.toml` in a folder or above it. The path must be absolute.
    pub fn of_folder(&mut self, folder: &Path) -> Option<Arc<ConfigFile>> {
        if let Some(known) = self.by_folder.get(folder) {
            return known.clone();
        }
        let own = folder.join(CONFIG_FILE);
        let found = match READS_CONFIG && own.is_file() {
            true => Some(Arc::new(ConfigFile::read(own))),
            false => folder.parent().and_then(|above| self.of_folder(above)),
        };
        self.by_folder.insert(folder.to_path_buf(), found.clone());
        found
    }

    /// The `cpz.toml` that applies to a file. The path must be absolute.
    pub fn of(&mut self, file: &Path) -> Option<Arc<ConfigFile>> {
        file.parent().and_then(|folder| self.of_folder(folder))
    }

    /// The result for every folder that was looked up, and for those above it.
    pub fn into_folders(self) -> FxHashMap<PathBuf, Option<Arc<ConfigFile>>> {
        self.by_folder
    }
}
