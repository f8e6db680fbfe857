//! Pulled diagnostics: answers to `textDocument/diagnostic` and `workspace/diagnostic`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ls_types::Diagnostic;
use rustc_hash::FxHashMap;

use crate::lsp::state::document::Document;
use crate::lsp::state::{State, key};

/// Diagnostics with their result id. Id 0 stands for no diagnostics of a file that is gone.
pub(crate) type Numbered = (u64, Arc<Vec<Diagnostic>>);

/// A pull of one document: answered when the document's present text is analysed.
pub(crate) struct DocumentPull {
    pub uri: String,
    pub reply: Box<dyn FnOnce(Option<Numbered>) + Send>,
}

/// The changed diagnostics of a file.
pub(crate) struct News {
    pub uri: String,
    pub version: Option<i32>,
    pub found: Numbered,
}

/// What a client has: for each document key its URI as the client writes it, and its result id.
pub(crate) type Known = FxHashMap<String, (String, u64)>;

/// A pull of the workspace: answered as soon as the client does not have everything.
pub(crate) struct WorkspacePull {
    pub known: Known,
    /// True after the first full comparison with `known`; from then on only documents that change are
    /// compared.
    pub seen: bool,
    /// Set when the client cancels the request.
    pub cancel: Arc<AtomicBool>,
    pub reply: Box<dyn FnOnce(Vec<News>) + Send>,
}

/// The pulls that wait for an answer.
#[derive(Default)]
pub(crate) struct Pulls {
    pub documents: Vec<DocumentPull>,
    workspace: Vec<WorkspacePull>,
}

impl Pulls {
    /// Shutdown: answers every workspace pull with an empty report.
    pub fn end(&mut self) {
        self.workspace.drain(..).for_each(|pull| (pull.reply)(Vec::new()));
    }
}

impl State {
    /// Adds a pull of the workspace. The first one retracts what was pushed before. A client to which everything is pushed
    /// has nothing to wait for.
    pub(super) fn add_workspace_pull(&mut self, pull: WorkspacePull) {
        if !self.mode.keeps_results() {
            return (pull.reply)(Vec::new());
        }
        if self.mode.on_workspace_pull() {
            let keys: Vec<String> = self.documents.keys().cloned().collect();
            keys.iter().for_each(|key| self.retract_pushed(key));
        }
        self.pulls.workspace.push(pull);
    }

    /// Answers the pulls whose results are known.
    pub(super) fn answer_pulls(&mut self) {
        for pull in std::mem::take(&mut self.pulls.documents) {
            let key = key(&pull.uri);
            if self.is_analysis_pending(&key) {
                self.pulls.documents.push(pull);
                continue;
            }
            let document = self.documents.get(&key);
            (pull.reply)(document.and_then(|document| match self.mode.keeps_results() {
                true => document.published.result.clone(),
                false => self.result_of(&key, document),
            }));
        }
        let changed = self.pipeline.take_changed();
        for pull in std::mem::take(&mut self.pulls.workspace) {
            if pull.cancel.load(Ordering::Relaxed) {
                continue;
            }
            let news: Vec<News> = match pull.seen {
                true => changed.iter().filter_map(|key| self.news_of(key, &pull.known)).collect(),
                false => self.all_news(&pull.known),
            };
            if news.is_empty() {
                self.pulls.workspace.push(WorkspacePull { seen: true, ..pull });
            } else {
                (pull.reply)(news);
            }
        }
    }

    /// Whether results of a document's present text are still to come. A document that waits for a save is in
    /// no queue: its last results are the answer.
    fn is_analysis_pending(&self, key: &str) -> bool {
        let is_outdated = self.documents.get(key).is_some_and(|d| !d.is_current());
        self.pipeline.is_partially_analysed(key) || is_outdated && self.pipeline.needs_analysis(key)
    }

    /// Everything that a client with these results does not have.
    fn all_news(&self, known: &Known) -> Vec<News> {
        let gone = known.keys().filter(|key| !self.documents.contains_key(*key));
        self.documents.keys().chain(gone).filter_map(|key| self.news_of(key, known)).collect()
    }

    /// What a client with these results does not have of a document.
    fn news_of(&self, key: &str, known: &Known) -> Option<News> {
        let document = self.documents.get(key).filter(|d| !self.is_suppressed(key, d));
        match document {
            Some(document @ Document { published, .. }) if published.result.is_some() => {
                news_of_result(document, known.get(key))
            }
            _ => end_of_news(key, known),
        }
    }
}

/// The result of a document, if it is not the one that the client has. An empty result is reported only if the
/// client has another one or has the document open.
fn news_of_result(document: &Document, known: Option<&(String, u64)>) -> Option<News> {
    let (number, diagnostics) = document.published.result.clone()?;
    let is_worth_it = known.is_some() || !diagnostics.is_empty() || document.is_open();
    let is_new = known.is_none_or(|(_, id)| *id != number);
    let version = document.found.as_ref().and_then(|f| f.snapshot.version);
    let uri = known.map_or(&document.snapshot.uri, |(uri, _)| uri).clone();
    (is_worth_it && is_new).then_some(News { uri, version, found: (number, diagnostics) })
}

/// An empty result, once, for a document that has no result any more.
fn end_of_news(key: &str, known: &Known) -> Option<News> {
    let (uri, _) = known.get(key).filter(|(_, id)| *id != 0)?;
    Some(News { uri: uri.clone(), version: None, found: (0, Arc::default()) })
}
