//! Documents that the client opens, edits, saves and closes.

use std::path::{Path, PathBuf};
use std::sync::PoisonError;

use ls_types::TextDocumentContentChangeEvent;
use ropey::Rope;
use rustc_hash::FxHashMap;

use crate::lsp::protocol::convert::span;
use crate::lsp::protocol::uris;
use crate::lsp::state::document::{Document, Kind, Origin, SilenceReason};
use crate::lsp::state::scan_queue::ScanRequest;
use crate::lsp::state::snapshot::Snapshot;
use crate::lsp::state::{State, key};
use crate::workspace::is_config;

/// The client's own spelling of URIs that we normalise. Diagnostics are pushed under it: the client looks for
/// them there.
#[derive(Default)]
pub(crate) struct ClientUris {
    /// By document key.
    by_key: FxHashMap<String, String>,
    /// Client spellings of URIs that are not opened yet, by the percent-encoded URI.
    pending: FxHashMap<String, String>,
}

impl ClientUris {
    /// The next document that is opened as `uri` was written otherwise by the client.
    pub fn announce(&mut self, uri: String, as_written: String) {
        self.pending.insert(uri, as_written);
    }

    /// Takes the client's spelling of a URI that is being opened.
    fn take_announced(&mut self, uri: &str) -> String {
        self.pending.remove(uri).unwrap_or_else(|| uri.to_string())
    }

    /// A document's URI as the client writes it.
    pub fn of(&self, key: &str, uri: &str) -> String {
        self.by_key.get(key).map_or(uri, |as_written| as_written).to_string()
    }
}

impl State {
    /// The order of the effects matters:
    /// 1. The client's URI: diagnostics pushed under another URI must be retracted before that is forgotten.
    /// 2. The configuration: a snapshot is created under it and never changes it.
    /// 3. The document is put in place with the results of its predecessor, to which other documents'
    ///    duplicates refer until it is analysed.
    /// 4. What was pushed is retracted if the client pulls open documents; exclusion is determined. Both look
    ///    the document up.
    /// 5. A scan is requested if it is unknown whether the file belongs to the workspace. The scan copies the
    ///    set of open documents, so it comes after the insertion.
    pub(super) fn open(&mut self, uri: String, version: i32, text: Rope) {
        let key = key(&uri);
        let mut before = self.documents.remove(&key);
        let client_uri = self.client_uris.take_announced(&uri);
        if let Some(before) = &mut before {
            let former = self.client_uris.of(&key, &before.snapshot.uri);
            if former != client_uri && before.published.take_pushed() {
                self.push_empty(former);
            }
        }
        self.client_uris.by_key.insert(key.clone(), client_uri);

        // Most files are opened as they are on the disk: then both versions share their text.
        let same = before.as_ref().map(|d| &d.snapshot.rope).filter(|rope| **rope == text);
        let text = same.cloned().unwrap_or(text);
        let config = self.workspace.config_of(&key).unwrap_or_default();
        let kind = if is_config(Path::new(&key)) { Kind::Config } else { Kind::Puzzles };
        let snapshot = Snapshot::new(uri, Some(version), text, config);
        let mut document = Document::new(snapshot, Origin::Open, kind);
        document.standalone = self.is_standalone(&key);
        if let Some(before) = before {
            before.end();
            let (old, new) = (&before.snapshot, &document.snapshot);
            if old.rope == new.rope && old.config == new.config && before.segments.stale() == 0 {
                document.segments = before.segments;
            }
            (document.published, document.found) = (before.published, before.found);
        }
        self.documents.insert(key.clone(), document);

        self.scans.end_suppression_of(&key);
        if !self.mode.pushes(Origin::Open) {
            self.retract_pushed(&key);
        }
        self.update_excluded(&key);
        if !self.scans.lists(&key) && Path::new(&key).is_absolute() {
            self.request_scan(ScanRequest::default());
        }
        self.pipeline.request_analysis_of_edit(&key);
    }

    /// Whether an opened document is not compared with others, as far as the last file list says. A scan
    /// decides later about files that it had not listed.
    fn is_standalone(&self, key: &str) -> bool {
        match Path::new(key).is_absolute() {
            // A new file, a file from elsewhere, or another path of a listed file.
            true => self.scans.has_listed() && !self.scans.lists(key),
            // Another version of a file, which the client shows under a scheme of its own.
            false => uris::path_of_any(key)
                .is_some_and(|path| self.scans.lists(&path) || self.documents.contains_key(&path)),
        }
    }

    /// Applies the changes of an edit. If that panics, the text differs from the client's.
    pub(super) fn change_or_lose(
        &mut self,
        key: &str,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
    ) {
        if self.catch_panic("an edit", |state| state.change(key, version, changes)).is_none() {
            self.lose_edit(key);
        }
    }

    fn change(&mut self, key: &str, version: i32, changes: Vec<TextDocumentContentChangeEvent>) {
        let encoding = self.session.client_capabilities().encoding;
        let Some(document) = self.documents.get_mut(key).filter(|d| d.is_open()) else { return };
        let mut rope = document.snapshot.rope.clone();
        let mut edited_at = None;
        for change in changes {
            match change.range {
                None => {
                    rope = Rope::from_str(&change.text);
                    let config = document.snapshot.config.clone();
                    document.reset_segments(&rope, &config);
                    document.silenced.set(SilenceReason::OutOfStep, false);
                }
                Some(range) => {
                    let span = span(&rope, range, encoding);
                    document.segments.edit(span, change.text.len() as u32);
                    document.last_edit_offset = span.start;
                    edited_at = Some(span.start + change.text.len() as u32);
                    let chars = rope.byte_to_char(span.start as usize)..rope.byte_to_char(span.end as usize);
                    let at = chars.start;
                    rope.remove(chars);
                    rope.insert(at, &change.text);
                }
            }
        }
        let (uri, config) = (document.snapshot.uri.clone(), document.snapshot.config.clone());
        let mut snapshot = Snapshot::new(uri, Some(version), rope, config);
        snapshot.edited_at = edited_at;
        document.replace(snapshot);
        self.pipeline.request_analysis_of_edit(key);
    }

    /// A save validates everything that has waited for it, and what has changed on the disk.
    pub(super) fn save(&mut self) {
        for (key, document) in self.documents.iter_mut().filter(|(_, d)| !d.is_current()) {
            document.force_analysis = true;
            self.pipeline.request_analysis(key);
        }
        self.request_scan(ScanRequest { show_progress: true, ends_suppression: true });
    }

    /// From now on the file on the disk counts: a scan loads it, and other documents are compared with it. Its own
    /// diagnostics are suppressed until a scan that ends suppression.
    pub(super) fn close(&mut self, key: &str) {
        let Some(document) = self.documents.get_mut(key) else { return };
        let uri = document.snapshot.uri.clone();
        // Otherwise `forget` would retract them, too.
        document.published.take_pushed();
        self.forget(key);
        // Even if nothing was pushed: clients expect an empty list after `didClose`.
        if self.mode.pushes(Origin::Open) {
            self.push_empty(self.client_uris.of(key, &uri));
        }
        if !Path::new(key).is_absolute() {
            self.client_uris.by_key.remove(key);
        }
        let path = PathBuf::from(key);
        if is_config(&path) {
            // The file on the disk may have mistakes.
            self.publish_config_on_disk(&path);
        }
        if path.is_absolute() {
            self.scans.suppress(key);
            self.request_scan(ScanRequest::default());
        }
    }

    /// Removes a document, and retracts its diagnostics.
    pub(super) fn forget(&mut self, key: &str) {
        let Some(document) = self.documents.remove(key) else { return };
        document.end();
        let mut tokens = self.session.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        tokens.remove(&document.snapshot.uri);
        drop(tokens);
        if document.published.is_shown() {
            self.push_empty(self.client_uris.of(key, &document.snapshot.uri));
        }
        self.pipeline.remove(key);
        self.duplicates.update(key, None, &mut self.pipeline.affected_files);
    }
}
