//! What the state has of the disk: which files there are, what they hold, and when they are looked at again.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ropey::Rope;

use crate::analysis::SegmentedText;
use crate::diagnostic::visible;
use crate::server::protocol::uris;
use crate::server::scan::{FileList, LoadedFile, WorkspaceScan, config_stamps};
use crate::server::state::document::{Document, Found, Snapshot};
use crate::server::state::{Event, State};
use crate::workspace::is_config;

/// A survey that is to be begun.
#[derive(Clone, Copy, Default)]
pub(crate) struct ScanRequest {
    /// Whether its progress is shown.
    pub shown: bool,
    /// Whether what was closed is told of again.
    pub all: bool,
}

impl State {
    /// Takes in which files there are: what is not there is gone.
    pub(crate) fn list(&mut self, listed: FileList) {
        self.listed = listed.files;
        self.has_listed = true;
        self.tell_of_gaps(listed.beyond, listed.failed);
        self.keep_only(|state, key| state.listed.contains(key));
        for (key, apart) in listed.open {
            if let Some(document) = self.documents.get_mut(&key).filter(|d| d.open && d.apart != apart) {
                document.apart = apart;
                self.fresh.insert(key);
            }
        }
        if self.tells_all {
            self.closed.retain(|_, first| *first > listed.number);
            for (key, document) in self.documents.iter_mut().filter(|(_, d)| d.quiet) {
                document.quiet = self.closed.contains_key(key);
                if !document.quiet {
                    self.changed.insert(key.clone());
                    self.fresh.insert(key.clone());
                }
            }
        }
    }

    /// Tells the person once what of the workspace is not read.
    fn tell_of_gaps(&mut self, beyond: usize, failed: Vec<String>) {
        let fresh: Vec<&String> = failed.iter().filter(|why| !self.gaps.contains(*why)).collect();
        if let Some(first) = fresh.first() {
            let more =
                if fresh.len() > 1 { format!(" (and {} more)", fresh.len() - 1) } else { String::new() };
            self.session.outbox.say(format!("{}{more}", visible(first)));
        }
        self.gaps = failed;
        if beyond > 0 && !self.beyond {
            self.session.outbox.say(format!(
                "the workspace has more than 128 MiB of puzzles: {beyond} of its files are not read until they are \
                 opened; `cpz check` reads all"
            ));
        }
        self.beyond = beyond > 0;
    }

    /// Forgets what is not open, but for configurations and some others.
    pub(crate) fn keep_only(&mut self, stays: impl Fn(&State, &str) -> bool) {
        let gone = self.documents.iter().filter(|(_, d)| !d.open && !d.is_config);
        let gone: Vec<String> = gone.map(|(key, _)| key.clone()).filter(|key| !stays(self, key)).collect();
        // From the last, which others say the least of.
        gone.iter().rev().for_each(|key| self.forget(key));
    }

    /// A text from the disk; that of an open document is the client's business.
    pub(crate) fn take_in(&mut self, file: LoadedFile) {
        let key = file.path.to_string_lossy().into_owned();
        let known = self.documents.get_mut(&key);
        if known.as_ref().is_some_and(|d| d.open) {
            return;
        }
        let Some(text) = file.text else { return self.forget(&key) };
        let config = self.configs.of(Some(&file.path), &self.settings).unwrap_or_default();
        let mut document = match known {
            Some(known) if known.snapshot.rope == text && known.snapshot.config == config => {
                known.stamp = file.stamp;
                return;
            }
            _ => Document::new(Snapshot::new(file.uri, None, text, config), false),
        };
        if let Some(before) = self.documents.remove(&key) {
            before.end();
            // What was found before is still what others point at, until this is analysed.
            (document.said, document.found) = (before.said, before.found);
        }
        document.quiet = self.closed.contains_key(&key);
        document.stamp = file.stamp;
        self.documents.insert(key.clone(), document);
        self.dirty.insert(key);
    }

    /// Whether a path is below the workspace's folders.
    pub(crate) fn holds(&self, path: &Path) -> bool {
        self.folders.iter().any(|f| path.starts_with(f))
    }

    pub(crate) fn touched(&mut self, uris: &[String]) {
        let mut paths = uris.iter().filter_map(|u| uris::path(u));
        if paths.any(|p| self.holds(&p) || is_config(&p)) {
            self.survey(ScanRequest { shown: false, all: true });
        }
    }

    /// Looks for configurations that changed, where nobody tells.
    pub(crate) fn poll(&self) {
        let (folders, events, last) = (self.configs.folders(), self.events.clone(), self.polled.clone());
        self.session.disk.spawn(move || {
            let now = config_stamps(folders);
            if last.swap(now, Ordering::Relaxed) != now {
                let _ = events.send(Event::ConfigsChanged);
            }
        });
    }

    /// Looks at the whole workspace again, once the last look is at its end.
    pub(crate) fn survey(&mut self, how: ScanRequest) {
        let wanted = self.wanted.unwrap_or_default();
        self.wanted = Some(ScanRequest { shown: wanted.shown | how.shown, all: wanted.all | how.all });
        self.begin_survey();
    }

    /// The same where what the last look finds is not to count.
    pub(crate) fn survey_anew(&mut self) {
        self.first = self.surveys + 1;
        self.surveying.iter().for_each(|stop| stop.store(true, Ordering::Relaxed));
        self.survey(ScanRequest { shown: false, all: true });
    }

    pub(crate) fn begin_survey(&mut self) {
        if self.surveying.is_some() {
            return;
        }
        let Some(wanted) = self.wanted.take() else { return };
        self.surveys += 1;
        self.tells_all = wanted.all;
        let (stop, cancel) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        self.surveying = Some(stop.clone());
        let path = |key: &String| Some(PathBuf::from(key)).filter(|p| p.is_absolute());
        let closed = self.documents.iter().filter(|(_, d)| !d.open && !d.is_config);
        let survey = WorkspaceScan {
            number: self.surveys,
            folders: self.folders.clone(),
            open: self.documents.iter().filter(|(_, d)| d.open).filter_map(|(key, _)| path(key)).collect(),
            excludes: self.excludes.clone(),
            good: self.configs.good(),
            known: closed.map(|(key, d)| (PathBuf::from(key), d.stamp)).collect(),
            stop,
            cancel: cancel.clone(),
            progress: wanted.shown.then(|| self.session.progress(cancel)).flatten(),
        };
        let events = self.events.clone();
        self.session.disk.spawn(move || survey.run(&events));
    }

    /// Says what is wrong with a configuration on the disk, unless the client has it open.
    pub(crate) fn show_config(&mut self, path: &Path) {
        let key = path.to_string_lossy().into_owned();
        if self.documents.get(&key).is_some_and(|d| d.open) {
            return;
        }
        let file = self.configs.current(path);
        let findings = file.as_ref().and_then(|f| f.config.as_ref().err()).cloned();
        let (Some(file), Some(findings), Some(uri)) = (file, findings, uris::uri(path)) else {
            return self.forget(&key);
        };
        let mut document =
            Document::new(Snapshot::new(uri, None, Rope::from_str(&file.text), Arc::default()), false);
        if let Some(before) = self.documents.remove(&key) {
            document.said = before.said;
        }
        document.is_config = true;
        let snapshot = document.snapshot.clone();
        document.found = Some(Found { snapshot, parts: SegmentedText::default(), mistakes: findings });
        self.documents.insert(key.clone(), document);
        self.fresh.insert(key);
    }
}
