//! The workspace: folders, settings, and the configurations that apply in them.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ropey::Rope;
use rustc_hash::FxHashSet;

use crate::lsp::protocol::uris;
use crate::lsp::session::host::JobKind;
use crate::lsp::session::settings::{Excludes, Settings};
use crate::lsp::state::configs::{ConfigStore, FolderConfigs, config_fingerprint};
use crate::lsp::state::document::{Document, Found, Kind, Origin, SilenceReason};
use crate::lsp::state::scan_queue::ScanRequest;
use crate::lsp::state::snapshot::Snapshot;
use crate::lsp::state::{Event, State};
use crate::workspace::{Configs, is_config};
use cpz_check::analysis::{Config, SegmentedText};

/// Invariants: `excludes` is computed from `settings` and `folders`; `configs` caches configurations under
/// `settings`. So all three change together, through the methods.
#[derive(Default)]
pub(crate) struct Workspace {
    pub folders: Vec<PathBuf>,
    pub settings: Settings,
    pub excludes: Excludes,
    pub configs: ConfigStore,
    /// Folders whose configuration is being read because an open document needs it.
    pending_configs: FxHashSet<PathBuf>,
    /// The last value of [`config_fingerprint`], shared with the polls.
    polled: Arc<AtomicU64>,
    /// Why folders of the workspace are skipped, in sentences: the user is warned once.
    pub skipped_folders: Vec<String>,
    /// Whether the user was warned that the workspace is too large to be read completely.
    pub has_unread_files: bool,
}

impl Workspace {
    fn set_folders(&mut self, added: Vec<PathBuf>, removed: &[PathBuf]) {
        self.folders.retain(|f| !removed.contains(f));
        let new: Vec<PathBuf> = added.into_iter().filter(|f| !self.folders.contains(f)).collect();
        self.folders.extend(new);
        self.excludes = self.settings.excludes(&self.folders);
    }

    fn set_settings(&mut self, settings: Settings) {
        self.settings = settings;
        self.excludes = self.settings.excludes(&self.folders);
        self.configs.forget_effective();
    }

    /// Whether a path is in one of the folders.
    pub fn contains(&self, path: &Path) -> bool {
        self.folders.iter().any(|f| path.starts_with(f))
    }

    /// A document's name in messages: its path relative to its folder, as in the output of `cpz check`.
    pub fn display_name(&self, key: &str) -> String {
        let path = Path::new(key);
        let relative = self.folders.iter().find_map(|f| path.strip_prefix(f).ok());
        relative.map_or_else(|| key.to_string(), |p| p.to_string_lossy().into_owned())
    }

    /// The path that decides which configuration applies to a document. A document without a path has the
    /// configuration of the first folder.
    fn config_path(&self, key: &str) -> Option<PathBuf> {
        let path = PathBuf::from(key);
        match path.is_absolute() {
            true => Some(path),
            false => self.folders.first().map(|f| f.join("untitled.cpz")),
        }
    }

    /// The configuration of a document; nothing while it is being read.
    pub fn config_of(&mut self, key: &str) -> Option<Arc<Config>> {
        let path = self.config_path(key);
        self.configs.of(path.as_deref(), &self.settings)
    }

    fn excludes(&self, key: &str) -> bool {
        let path = Path::new(key);
        path.is_absolute() && self.excludes.holds(path, self.configs.file(path).as_deref())
    }
}

impl State {
    /// Workspace folders were added or removed.
    pub(super) fn change_folders(&mut self, added: Vec<PathBuf>, removed: &[PathBuf]) {
        self.workspace.set_folders(added, removed);
        self.session.background_work.reset();
        self.forget_files_unless(|state, key| state.workspace.contains(Path::new(key)));
        self.rescan();
    }

    pub(super) fn change_settings(&mut self, settings: Settings) {
        self.workspace.set_settings(settings);
        self.reconfigure();
        // Other files may be excluded now.
        self.rescan();
        if !self.workspace.settings.on_save {
            for (key, _) in self.documents.iter().filter(|(_, d)| d.is_open() && !d.is_current()) {
                self.pipeline.request_analysis(key);
            }
        }
    }

    /// Files changed on the disk: only puzzles of the workspace and configurations anywhere matter.
    pub(super) fn apply_file_changes(&mut self, uris: &[String]) {
        let mut paths = uris.iter().filter_map(|u| uris::path(u));
        if paths.any(|p| self.workspace.contains(&p) || is_config(&p)) {
            self.request_scan(ScanRequest { show_progress: false, ends_suppression: true });
        }
    }

    /// Whether a document's configuration is known. If not, it is read on another thread, and
    /// [`Event::ConfigsLoaded`] follows.
    pub(super) fn is_configured(&mut self, key: &str) -> bool {
        let path = self.workspace.config_path(key);
        let Some(folder) = path.and_then(|p| p.parent().map(Path::to_path_buf)) else {
            return true;
        };
        if self.workspace.configs.knows(&folder) {
            return true;
        }
        if self.workspace.pending_configs.insert(folder.clone()) {
            let events = self.events.clone();
            self.session.spawn(JobKind::Config, move || {
                let mut configs = Configs::default();
                configs.of_folder(&folder);
                let _ = events.send(Event::ConfigsLoaded { folders: configs.into_folders(), scan: None });
            });
        }
        false
    }

    /// Takes configurations that were read: with the id of a scan those of all folders.
    pub(super) fn load_configs(&mut self, folders: FolderConfigs, scan: Option<u64>) {
        if scan.is_some_and(|scan| !self.scans.is_valid(scan)) {
            return;
        }
        self.workspace.pending_configs.retain(|folder| !folders.contains_key(folder));
        // A document may have been opened since the scan began: its folder stays.
        let open = self.documents.iter().filter(|(_, d)| d.is_open());
        let kept = open.filter_map(|(key, _)| Path::new(key).parent().map(Path::to_path_buf)).collect();
        let changed = self.workspace.configs.merge(folders, scan.is_some().then_some(kept));
        for path in changed {
            self.publish_config_on_disk(&path);
        }
        self.reconfigure();
    }

    /// Looks for changed configurations on another thread; [`Event::ConfigsChanged`] follows if there are any.
    pub(super) fn poll_configs(&self) {
        let (folders, events) = (self.workspace.configs.folders(), self.events.clone());
        let last = self.workspace.polled.clone();
        self.session.spawn(JobKind::Disk, move || {
            let now = config_fingerprint(folders);
            if last.swap(now, Ordering::Relaxed) != now {
                let _ = events.send(Event::ConfigsChanged);
            }
        });
    }

    /// Applies the present configuration and exclusion to every document.
    fn reconfigure(&mut self) {
        let keys: Vec<String> = self.documents.keys().cloned().collect();
        let mut changed = false;
        for key in keys {
            let Some(config) = self.workspace.config_of(&key) else { continue };
            self.update_excluded(&key);
            let Some(document) = self.documents.get_mut(&key).filter(|d| !d.is_config()) else { continue };
            if document.snapshot.config != config {
                changed = true;
                document.cancel_searches();
                document.configure(config);
                document.force_analysis = true;
                self.pipeline.request_analysis(&key);
            }
        }
        if changed {
            self.session.refresh_answers();
        }
    }

    /// Determines whether a document is excluded.
    pub(super) fn update_excluded(&mut self, key: &str) {
        let excluded = self.workspace.excludes(key);
        let Some(document) = self.documents.get_mut(key) else { return };
        if document.silenced.set(SilenceReason::Excluded, excluded) {
            document.force_analysis = true;
            self.pipeline.request_analysis(key);
        }
    }

    /// Publishes the mistakes of a configuration on the disk, unless the client has it open.
    pub(super) fn publish_config_on_disk(&mut self, path: &Path) {
        let key = path.to_string_lossy().into_owned();
        if self.documents.get(&key).is_some_and(Document::is_open) {
            return;
        }
        let file = self.workspace.configs.current(path);
        let findings = file.as_ref().and_then(|f| f.config.as_ref().err()).cloned();
        let (Some(file), Some(config_findings), Some(uri)) = (file, findings, uris::uri(path)) else {
            return self.forget(&key);
        };
        let snapshot = Snapshot::new(uri, None, Rope::from_str(&file.text), Arc::default());
        let mut document = Document::new(snapshot, Origin::OnDisk, Kind::Config);
        if let Some(before) = self.documents.remove(&key) {
            document.published = before.published;
        }
        let snapshot = document.snapshot.clone();
        document.found = Some(Found { snapshot, segments: SegmentedText::default(), config_findings });
        self.documents.insert(key.clone(), document);
        self.pipeline.request_publish(&key);
    }
}
