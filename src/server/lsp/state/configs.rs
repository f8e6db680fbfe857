//! Which configuration applies in which folder. While a `cpz.toml` has mistakes, its last valid version applies.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::lsp::session::settings::Settings;
use crate::workspace::ConfigFile;
use crate::workspace::FileStamp;
use cpz_check::analysis::Config;
use cpz_check::analysis::config::CONFIG_FILE;

/// Folders with the nearest `cpz.toml` in them or above them.
pub(crate) type FolderConfigs = FxHashMap<PathBuf, Option<Arc<ConfigFile>>>;

/// A `cpz.toml` that was read.
struct StoredConfig {
    current: Arc<ConfigFile>,
    /// The last version without mistakes; the current one if it has none.
    valid: Option<Arc<ConfigFile>>,
}

/// The configurations of the workspace's folders and those of open documents.
///
/// Invariants: `files` has exactly the files that `nearest` refers to; `effective` is a cache.
#[derive(Default)]
pub(crate) struct ConfigStore {
    /// The path of the nearest `cpz.toml` of each folder; nothing for a folder without one.
    nearest: FxHashMap<PathBuf, Option<PathBuf>>,
    files: BTreeMap<PathBuf, StoredConfig>,
    /// Each file's configuration, overridden by the client's settings; also that of no file.
    effective: FxHashMap<Option<PathBuf>, Arc<Config>>,
}

impl ConfigStore {
    /// Takes configurations as they are on the disk. If `kept` is given, `folders` is complete but for these,
    /// and all other folders are forgotten. Returns the paths of files that are new, changed or gone.
    pub fn merge(&mut self, folders: FolderConfigs, kept: Option<FxHashSet<PathBuf>>) -> Vec<PathBuf> {
        if let Some(kept) = kept {
            self.nearest.retain(|folder, _| kept.contains(folder));
        }
        let mut changed = Vec::new();
        for (folder, file) in folders {
            if let Some(file) = &file {
                let known = self.files.get(&file.path).map(|stored| &stored.current);
                if known.is_none_or(|k| k.text != file.text || k.config.is_ok() != file.config.is_ok()) {
                    let last = self.files.remove(&file.path).and_then(|stored| stored.valid);
                    let valid = if file.config.is_ok() { Some(file.clone()) } else { last };
                    self.files.insert(file.path.clone(), StoredConfig { current: file.clone(), valid });
                    changed.push(file.path.clone());
                }
            }
            self.nearest.insert(folder, file.map(|f| f.path.clone()));
        }
        let used: FxHashSet<PathBuf> = self.nearest.values().flatten().cloned().collect();
        let gone: Vec<PathBuf> = self.files.keys().filter(|path| !used.contains(*path)).cloned().collect();
        for path in gone {
            self.files.remove(&path);
            changed.push(path);
        }
        self.effective.clear();
        changed
    }

    /// The client's settings have changed.
    pub fn forget_effective(&mut self) {
        self.effective.clear();
    }

    /// All folders whose configuration is known.
    pub fn folders(&self) -> Vec<PathBuf> {
        self.nearest.keys().cloned().collect()
    }

    /// Whether a folder's configuration is known.
    pub fn knows(&self, folder: &Path) -> bool {
        self.nearest.contains_key(folder)
    }

    /// A file as it is on the disk.
    pub fn current(&self, path: &Path) -> Option<Arc<ConfigFile>> {
        self.files.get(path).map(|stored| stored.current.clone())
    }

    /// The last valid version of each file.
    pub fn last_valid(&self) -> FxHashMap<PathBuf, Arc<ConfigFile>> {
        let valid =
            self.files.iter().filter_map(|(path, stored)| Some((path.clone(), stored.valid.clone()?)));
        valid.collect()
    }

    /// The last valid version of the file that applies to a path.
    pub fn file(&self, path: &Path) -> Option<Arc<ConfigFile>> {
        let nearest = self.nearest.get(path.parent()?)?.as_ref()?;
        self.files.get(nearest)?.valid.clone()
    }

    /// The configuration that applies to a path, overridden by the client's settings; nothing if that of its
    /// folder is not known. Without a path the settings alone apply.
    pub fn of(&mut self, path: Option<&Path>, settings: &Settings) -> Option<Arc<Config>> {
        let nearest = match path.and_then(Path::parent) {
            Some(folder) => self.nearest.get(folder)?.clone(),
            None => None,
        };
        if let Some(known) = self.effective.get(&nearest) {
            return Some(known.clone());
        }
        let file = nearest.as_ref().and_then(|n| self.files.get(n)?.valid.clone());
        let config = file.and_then(|f| f.config.as_ref().ok().cloned()).unwrap_or_default();
        let config = settings.on_top_of(&config);
        self.effective.insert(nearest, config.clone());
        Some(config)
    }
}

/// A hash of the stamps of every `cpz.toml` in some folders, to notice changes without file watchers.
pub(crate) fn config_fingerprint(mut folders: Vec<PathBuf>) -> u64 {
    folders.sort();
    let mut h = DefaultHasher::new();
    for folder in folders {
        if let Some(stamp) = FileStamp::of(&folder.join(CONFIG_FILE)) {
            (folder, stamp).hash(&mut h);
        }
    }
    h.finish()
}
