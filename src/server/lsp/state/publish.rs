//! From findings to the client: reports are pushed with the version that was analysed, or kept for pulls.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use ls_types::{Diagnostic, DiagnosticSeverity, Location, NumberOrString, Range};

use crate::lsp::protocol::convert::range;
use crate::lsp::session::host::Refresh;
use crate::lsp::session::limits::MAX_DIAGNOSTICS;
use crate::lsp::session::outbox::Publish;
use crate::lsp::state::State;
use crate::lsp::state::diagnostics::{CountBySeverity, diagnostics};
use crate::lsp::state::document::{Document, Found, Origin, Pushed};
use crate::lsp::state::pull::Numbered;
use crate::lsp::state::snapshot::Snapshot;
use cpz_check::analysis::{DuplicateFindings, DuplicateLink, FileReport, allow};
use cpz_text::diagnostic::{Finding, Span};

/// What is published of a document.
struct Report {
    diagnostics: Vec<Diagnostic>,
    /// Only of an open document.
    kept: Option<KeptFindings>,
}

/// What requests about a document need: all findings, and the heads of puzzles with the places of their
/// duplicates.
type KeptFindings = (Vec<Finding>, Vec<(Span, Location)>);

impl State {
    /// Republishes some files whose duplicate findings an edit elsewhere affected. One edit may affect thousands
    /// of files, so this runs only when idle, a few files at a time.
    pub(super) fn publish_affected(&mut self) {
        self.duplicates.touch_referring_files(&mut self.pipeline.affected_files);
        let files = self.pipeline.take_some_affected();
        let keys: Vec<String> = files
            .into_iter()
            .filter_map(|file| self.duplicates.file_name(file).map(str::to_string))
            .collect();
        self.for_each_document(keys, "a report", |state, key| state.publish_document(key, false), |_, _| ());
        self.answer_pulls();
    }

    /// Publishes a document's report. Unless the document itself was `reanalysed`, this does nothing if its
    /// duplicate findings are those already published.
    pub(super) fn publish_document(&mut self, key: &str, reanalysed: bool) {
        let Some(document) = self.documents.get(key) else { return };
        if self.is_suppressed(key, document) || self.waits_for_analysis(key, document) {
            return;
        }
        let Some(found) = document.found.clone() else {
            let snapshot = document.snapshot.clone();
            return self.push_or_store(key, &snapshot, Vec::new());
        };
        let duplicates = self.duplicate_findings(key, document, &found);
        let hash = hash_of_duplicates(&duplicates);
        if !reanalysed && document.published.duplicates == Some(hash) {
            return;
        }
        let places = hash_of_places(&duplicates);
        let report = self.build_report(document, &found, duplicates);
        if let Some((findings, places)) = report.kept {
            found.snapshot.keep_findings(findings, places);
        }
        self.push_or_store(key, &found.snapshot, report.diagnostics);
        if let Some(document) = self.documents.get_mut(key) {
            document.published.duplicates = Some(hash);
            if document.is_open() && document.published.duplicate_places != places {
                self.session.refresh(Refresh::CodeLenses);
            }
            document.published.duplicate_places = places;
        }
    }

    /// The diagnostics of a document under a new number, for a client that pulls though they are pushed to it.
    pub(super) fn result_of(&self, key: &str, document: &Document) -> Option<Numbered> {
        let found = document.found.as_ref().filter(|_| !self.is_suppressed(key, document))?;
        let report = self.build_report(document, found, self.duplicate_findings(key, document, found));
        Some((self.session.results.fetch_add(1, Ordering::Relaxed), Arc::new(report.diagnostics)))
    }

    /// Whether an open document's results are outdated and new ones will come: after its analysis or a save.
    /// A document that never had results and is in no queue is published, without diagnostics.
    fn waits_for_analysis(&self, key: &str, document: &Document) -> bool {
        let has_or_expects_results = document.found.is_some() || self.pipeline.is_pending(key);
        document.is_open() && has_or_expects_results && !document.is_current()
    }

    /// The last results of another document.
    fn found_snapshot(&self, key: &str) -> Option<&Snapshot> {
        Some(&*self.documents.get(key)?.found.as_ref()?.snapshot)
    }

    fn duplicate_findings(&self, key: &str, document: &Document, found: &Found) -> DuplicateFindings {
        let index = if document.standalone { &document.own_duplicates } else { &self.duplicates };
        // An `allow` can hide any of them, so all are needed where there is one.
        let most = if found.segments.allows_something() { usize::MAX } else { MAX_DIAGNOSTICS + 1 };
        let read = |span: Span| String::from(found.snapshot.rope.byte_slice(span.range()));
        let describe = |key: &str, span: Span| {
            let line = |s: &Snapshot| s.rope.byte_to_line(span.start as usize);
            format!("{}:{}", self.workspace.display_name(key), self.found_snapshot(key).map_or(0, line) + 1)
        };
        index.findings_of(key, most, read, describe)
    }

    /// The report of some results and duplicate findings. Changes nothing.
    fn build_report(&self, document: &Document, found: &Found, duplicates: DuplicateFindings) -> Report {
        let Found { snapshot, segments, config_findings } = found;
        let client = self.session.client_capabilities();
        let other = |file: u32| self.found_snapshot(self.duplicates.file_name(file)?);
        let severities = snapshot.config.severities;
        let mut more = CountBySeverity::default();
        let counted = duplicates.more().into_iter().filter(|(code, _)| severities.of(*code).is_some());
        counted.for_each(|(code, count)| more.add(severities.of_shown(code), count));
        // Of very many findings, only those that can be shown are collected.
        let has_many = segments.segments_with_findings() > 4 * MAX_DIAGNOSTICS;
        let worst = if has_many { segments.worst(&severities, MAX_DIAGNOSTICS) } else { None };
        let mut report = match worst {
            _ if document.is_config() => FileReport::of(config_findings.clone()),
            None => segments.report(&severities, &duplicates.findings),
            Some((mut worst, others)) => {
                worst.extend(duplicates.findings.into_iter().map(|(_, finding)| finding));
                others.into_iter().for_each(|(severity, count)| more.add(severity, count));
                FileReport::of(worst).under(severities)
            }
        };
        allow(&mut report);
        let findings: Vec<&Finding> = report.findings().into_iter().map(|(f, _)| f).collect();
        // Requests are about open documents only.
        let kept = snapshot.version.is_some().then(|| {
            let place = |&DuplicateLink { head, file, other: there }: &DuplicateLink| {
                let of = file.map_or(Some(&**snapshot), other)?;
                let range = range(&of.rope, there, client.encoding);
                Some((head, Location { uri: of.uri.parse().ok()?, range }))
            };
            let places = duplicates.links.iter().filter_map(place).collect();
            (findings.iter().map(|&f| f.clone()).collect(), places)
        });
        let shown = (client.encoding, client.shown);
        let text = (&**snapshot, segments);
        let diagnostics = diagnostics(text, findings, more, &severities, shown, other);
        Report { diagnostics, kept }
    }

    /// Hands a document's diagnostics to the client or keeps them for its pulls, if they have changed.
    fn push_or_store(&mut self, key: &str, snapshot: &Snapshot, diagnostics: Vec<Diagnostic>) {
        let client_edited = self.pipeline.is_client_edited(key);
        let Some(document) = self.documents.get_mut(key) else { return };
        if self.mode.keeps_results() {
            let result = document.published.result.as_ref();
            if result.is_none_or(|(_, known)| **known != diagnostics) {
                let number = self.session.results.fetch_add(1, Ordering::Relaxed);
                document.published.result = Some((number, Arc::new(diagnostics.clone())));
                self.pipeline.mark_changed(key);
                // After its own edit the client pulls without being asked.
                if document.is_open() && !client_edited {
                    self.session.refresh(Refresh::Diagnostics);
                }
            }
        }
        if !self.mode.pushes(document.origin) {
            return;
        }
        let hash = hash_of(&diagnostics);
        let pushed = document.published.pushed;
        let is_new = pushed.is_none_or(|pushed| pushed.hash != hash) || client_edited;
        let is_worth_it = document.is_open() || pushed.is_some() || !diagnostics.is_empty();
        if is_new && is_worth_it {
            document.published.pushed = Some(Pushed { hash, is_empty: diagnostics.is_empty() });
            let uri = self.client_uris.of(key, &snapshot.uri);
            self.session.publish(Publish { uri, version: snapshot.version, diagnostics, hash });
        }
    }

    /// Pushes an empty list for a URI.
    pub(super) fn push_empty(&self, uri: String) {
        let diagnostics = Vec::new();
        let hash = hash_of(&diagnostics);
        self.session.publish(Publish { uri, version: None, diagnostics, hash });
    }

    /// Retracts a document's pushed diagnostics, because the client pulls them from now on.
    pub(super) fn retract_pushed(&mut self, key: &str) {
        let Some(document) = self.documents.get_mut(key) else { return };
        if document.published.take_pushed() {
            let uri = self.client_uris.of(key, &document.snapshot.uri);
            self.push_empty(uri);
        }
    }

    /// The client does not pull the workspace: pushes what is known of the files that it does not have open.
    pub(super) fn push_files_on_disk(&mut self) {
        if self.mode.on_workspace_pull_overdue() {
            let on_disk = |d: &Document| d.origin == Origin::OnDisk && d.found.is_some();
            for (key, _) in self.documents.iter().filter(|(_, d)| on_disk(d)) {
                self.pipeline.request_publish(key);
            }
        }
    }
}

/// A hash of a file's duplicate findings, to notice changes.
fn hash_of_duplicates(duplicates: &DuplicateFindings) -> u64 {
    let mut h = DefaultHasher::new();
    duplicates.more().hash(&mut h);
    for (at, finding) in &duplicates.findings {
        (at, &finding.message).hash(&mut h);
        finding.related.iter().for_each(|r| (r.file, r.span).hash(&mut h));
    }
    h.finish()
}

/// A hash of the puzzles with duplicate findings; nothing if there are none.
fn hash_of_places(duplicates: &DuplicateFindings) -> Option<u64> {
    let mut h = DefaultHasher::new();
    duplicates.findings.iter().for_each(|(at, _)| at.hash(&mut h));
    (!duplicates.findings.is_empty()).then(|| h.finish())
}

/// A hash of all that a client shows of diagnostics, to notice changes.
fn hash_of(diagnostics: &[Diagnostic]) -> u64 {
    let mut h = DefaultHasher::new();
    let place = |r: &Range| (r.start.line, r.start.character, r.end.line, r.end.character);
    for one in diagnostics {
        let severities = [DiagnosticSeverity::ERROR, DiagnosticSeverity::WARNING, DiagnosticSeverity::HINT];
        let severity = severities.iter().position(|&s| one.severity == Some(s));
        let code = one.code.as_ref().map(|c| match c {
            NumberOrString::String(name) => name.as_str(),
            NumberOrString::Number(_) => "",
        });
        let data = one.data.as_ref().map(ToString::to_string);
        (place(&one.range), &one.message, severity, code, data).hash(&mut h);
        for other in one.related_information.iter().flatten() {
            (other.location.uri.as_str(), place(&other.location.range), &other.message).hash(&mut h);
        }
    }
    h.finish()
}
