//! What is configured where: each `cpz.toml` as it is and as it last was without mistakes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::Config;
use crate::server::scan::Folders;
use crate::server::session::settings::Settings;
use crate::workspace::ConfigFile;

/// A `cpz.toml` that was read.
struct Kept {
    now: Arc<ConfigFile>,
    /// The last one without mistakes: it holds until the mistakes are mended.
    good: Option<Arc<ConfigFile>>,
}

/// The configurations of all folders that matter.
#[derive(Default)]
pub(crate) struct ConfigStore {
    /// The nearest file of each folder.
    nearest: FxHashMap<PathBuf, Option<PathBuf>>,
    files: BTreeMap<PathBuf, Kept>,
    /// What comes of each file with the client's settings on top; of none, too.
    effective: FxHashMap<Option<PathBuf>, Arc<Config>>,
}

impl ConfigStore {
    /// Takes in what is on the disk: of all folders that matter but for some that are `kept`, if those are
    /// given. Returns the files that are others now, or gone.
    pub fn merge(&mut self, folders: Folders, kept: Option<FxHashSet<PathBuf>>) -> Vec<PathBuf> {
        if let Some(kept) = kept {
            self.nearest.retain(|folder, _| kept.contains(folder));
        }
        let mut changed = Vec::new();
        for (folder, file) in folders {
            if let Some(file) = &file {
                let kept = self.files.get(&file.path);
                if kept.is_none_or(|k| k.now.text != file.text || k.now.config.is_ok() != file.config.is_ok())
                {
                    let last = self.files.remove(&file.path).and_then(|k| k.good);
                    let good = if file.config.is_ok() { Some(file.clone()) } else { last };
                    self.files.insert(file.path.clone(), Kept { now: file.clone(), good });
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

    /// The client's settings are others.
    pub fn forget_effective(&mut self) {
        self.effective.clear();
    }

    /// The folders that were looked at.
    pub fn folders(&self) -> Vec<PathBuf> {
        self.nearest.keys().cloned().collect()
    }

    /// Whether a folder was looked at.
    pub fn knows(&self, folder: &Path) -> bool {
        self.nearest.contains_key(folder)
    }

    /// A file as it is.
    pub fn current(&self, path: &Path) -> Option<Arc<ConfigFile>> {
        self.files.get(path).map(|k| k.now.clone())
    }

    /// Each file as it last was without mistakes.
    pub fn good(&self) -> FxHashMap<PathBuf, Arc<ConfigFile>> {
        let good = self.files.iter().filter_map(|(path, kept)| Some((path.clone(), kept.good.clone()?)));
        good.collect()
    }

    /// The file that holds for a path, as it last was without mistakes.
    pub fn file(&self, path: &Path) -> Option<Arc<ConfigFile>> {
        let nearest = self.nearest.get(path.parent()?)?.as_ref()?;
        self.files.get(nearest)?.good.clone()
    }

    /// What holds for a path, with the client's settings on top; nothing where its folder was not looked
    /// at yet. Without a path there are the settings alone.
    pub fn of(&mut self, path: Option<&Path>, settings: &Settings) -> Option<Arc<Config>> {
        let nearest = match path.and_then(Path::parent) {
            Some(folder) => self.nearest.get(folder)?.clone(),
            None => None,
        };
        if let Some(known) = self.effective.get(&nearest) {
            return Some(known.clone());
        }
        let file = nearest.as_ref().and_then(|n| self.files.get(n)?.good.clone());
        let config = file.and_then(|f| f.config.as_ref().ok().cloned()).unwrap_or_default();
        let config = settings.on_top_of(&config);
        self.effective.insert(nearest, config.clone());
        Some(config)
    }
}
