//! Scans of the workspace: when they begin, and what their results change.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::lsp::scan::{FileList, LoadedFile, LoadedFiles, WorkspaceScan};
use crate::lsp::session::host::JobKind;
use crate::lsp::state::document::{Document, Kind, Origin};
use crate::lsp::state::scan_queue::ScanRequest;
use crate::lsp::state::snapshot::Snapshot;
use crate::lsp::state::{Event, State};
use cpz_text::diagnostic::visible;

impl State {
    /// Scans the workspace now, or again when the present scan has finished.
    pub(crate) fn request_scan(&mut self, request: ScanRequest) {
        self.scans.request(request);
        self.begin_scan();
    }

    /// Scans the workspace under new folders or settings: results under the old ones are dropped.
    pub(crate) fn rescan(&mut self) {
        self.scans.invalidate();
        self.request_scan(ScanRequest { show_progress: false, ends_suppression: true });
    }

    /// A scan has ended: begins the next one, if one is requested.
    pub(crate) fn finish_scan(&mut self) {
        self.scans.complete();
        self.begin_scan();
    }

    fn begin_scan(&mut self) {
        let Some((request, id, stop)) = self.scans.begin() else { return };
        let cancel = Arc::new(AtomicBool::new(false));
        let path = |key: &String| Some(PathBuf::from(key)).filter(|p| p.is_absolute());
        let open = self.documents.iter().filter(|(_, d)| d.is_open());
        let on_disk = self.documents.iter().filter(|(_, d)| !d.is_open() && !d.is_config());
        let scan = WorkspaceScan {
            id,
            folders: self.workspace.folders.clone(),
            open: open.filter_map(|(key, _)| path(key)).collect(),
            excludes: self.workspace.excludes.clone(),
            last_valid_configs: self.workspace.configs.last_valid(),
            known: on_disk.map(|(key, d)| (PathBuf::from(key), d.stamp)).collect(),
            stop,
            cancel: cancel.clone(),
            progress: request.show_progress.then(|| self.session.progress(cancel)).flatten(),
        };
        let (events, run_scan) = (self.events.clone(), self.run_scan);
        self.session.spawn(JobKind::Disk, move || {
            run_scan(scan, &|event| {
                let _ = events.send(Event::from(event));
            });
        });
    }

    /// Takes the list of all files: forgets files that are gone, and ends suppression of closed files.
    pub(crate) fn apply_file_list(&mut self, list: FileList) {
        if !self.scans.is_valid(list.scan) {
            return;
        }
        self.scans.set_files(list.files);
        self.warn_of_unread_files(list.unread, list.skipped_folders);
        self.forget_files_unless(|state, key| state.scans.lists(key));
        for (key, standalone) in list.open {
            let document = self.documents.get_mut(&key);
            if let Some(document) = document.filter(|d| d.is_open() && d.standalone != standalone) {
                document.standalone = standalone;
                self.pipeline.request_publish(&key);
            }
        }
        for key in self.scans.end_suppression(list.scan) {
            if self.documents.get(&key).is_some_and(Document::can_be_suppressed) {
                self.pipeline.mark_changed(&key);
                self.pipeline.request_publish(&key);
            }
        }
    }

    /// Whether a document's diagnostics are withheld because its file was closed lately.
    pub(crate) fn is_suppressed(&self, key: &str, document: &Document) -> bool {
        document.can_be_suppressed() && self.scans.is_suppressed(key)
    }

    /// Warns the user once of files that the workspace has but that are not read.
    fn warn_of_unread_files(&mut self, unread: usize, skipped_folders: Vec<String>) {
        let known = &self.workspace.skipped_folders;
        let new: Vec<&String> = skipped_folders.iter().filter(|why| !known.contains(*why)).collect();
        if let Some(first) = new.first() {
            let more = if new.len() > 1 { format!(" (and {} more)", new.len() - 1) } else { String::new() };
            self.session.warn_user(format!("{}{more}", visible(first)));
        }
        self.workspace.skipped_folders = skipped_folders;
        if unread > 0 && !self.workspace.has_unread_files {
            self.session.warn_user(format!(
                "the workspace has more than 128 MiB of puzzles: {unread} of its files are not read until they are \
                 opened; `cpz check` reads all"
            ));
        }
        self.workspace.has_unread_files = unread > 0;
    }

    /// Forgets all files of puzzles that are not open, except those for which `stays` returns true.
    pub(crate) fn forget_files_unless(&mut self, stays: impl Fn(&State, &str) -> bool) {
        let files = self.documents.iter().filter(|(_, d)| !d.is_open() && !d.is_config());
        let gone: Vec<String> = files.map(|(key, _)| key.clone()).filter(|key| !stays(self, key)).collect();
        // The last file first: duplicates refer to earlier files, so this affects the fewest others.
        gone.iter().rev().for_each(|key| self.forget(key));
    }

    /// Takes files that a scan has read, and analyses them.
    pub(crate) fn load_files(&mut self, loaded: LoadedFiles) {
        if !self.scans.is_valid(loaded.scan) {
            return;
        }
        loaded.files.into_iter().for_each(|file| self.load_from_disk(file));
        self.analyse_and_publish(Some(loaded.progress));
    }

    /// Takes a file that was read. The text of an open document is the client's.
    fn load_from_disk(&mut self, file: LoadedFile) {
        let key = file.path.to_string_lossy().into_owned();
        if self.documents.get(&key).is_some_and(Document::is_open) {
            return;
        }
        let Some(text) = file.text else { return self.forget(&key) };
        let config =
            self.workspace.configs.of(Some(&file.path), &self.workspace.settings).unwrap_or_default();
        let known = self.documents.get_mut(&key);
        if let Some(known) = known.filter(|d| d.snapshot.rope == text && d.snapshot.config == config) {
            known.stamp = file.stamp;
            return;
        }
        let snapshot = Snapshot::new(file.uri, None, text, config);
        let mut document = Document::new(snapshot, Origin::OnDisk, Kind::Puzzles);
        if let Some(before) = self.documents.remove(&key) {
            before.end();
            // Other documents' duplicates refer to the last results until this text is analysed.
            (document.published, document.found) = (before.published, before.found);
        }
        document.stamp = file.stamp;
        self.documents.insert(key.clone(), document);
        self.pipeline.request_analysis(&key);
    }
}
