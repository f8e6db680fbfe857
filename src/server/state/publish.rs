//! What is found → what the client is told: pushed with the version that it was found in, or kept until
//! the client asks, never both for one document.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustc_hash::{FxHashMap, FxHashSet};
use tower_lsp::ls_types::{Diagnostic, DiagnosticSeverity, Location, NumberOrString, Range};

use crate::analysis::config::read_config;
use crate::analysis::{
    DuplicateFindings, DuplicateIndex, DuplicateLink, FileReport, Options, Pending, SegmentedText, allow,
    puzzle_at,
};
use crate::diagnostic::{Finding, Span};
use crate::server::protocol::convert::range;
use crate::server::scan::ScanProgress;
use crate::server::session::Session;
use crate::server::session::outbox::Publish;
use crate::server::state::diagnostics::{MOST, diagnostics};
use crate::server::state::document::{Document, Found, Snapshot};
use crate::server::state::{Analysed, Event, State, key};
use crate::syntax::MAX_TEXT;

/// The nodes of the first, fast pass; a search that wants more is done apart.
pub(crate) const QUICK: u64 = 20_000;
/// How many puzzles of an open text are analysed between two messages.
const STEP: usize = 1024;
/// How many files that are not open are analysed at a time.
const PART: usize = 16;

/// Findings with the number that they are known by.
pub(crate) type Numbered = (u64, Arc<Vec<Diagnostic>>);

/// Somebody who asks what is found in a document.
pub(crate) struct DocumentPull {
    pub uri: String,
    /// Called with the findings.
    pub reply: Box<dyn FnOnce(Option<Numbered>) + Send>,
}

/// What became of a file since somebody asked last.
pub(crate) struct News {
    pub uri: String,
    pub version: Option<i32>,
    pub found: Numbered,
}

/// What somebody knows: of each document its URI as they write it, and the number of its findings.
pub(crate) type Known = FxHashMap<String, (String, u64)>;

/// Somebody who asks what is found anywhere: answered as soon as something is new to them.
pub(crate) struct WorkspacePull {
    /// What they know.
    pub known: Known,
    /// Whether all was looked at for them: then what changes from now on matters alone.
    pub seen: bool,
    /// Whether they no longer wait.
    pub cancel: Arc<AtomicBool>,
    /// Called with what is new.
    pub reply: Box<dyn FnOnce(Vec<News>) + Send>,
}

impl State {
    /// Analyses what changed, links it with all else, and tells what is new.
    pub(crate) fn publish(&mut self) {
        let mut apart = Vec::new();
        for key in std::mem::take(&mut self.dirty) {
            // What is configured decides what is found: so that is awaited.
            if !self.is_configured(&key) {
                self.dirty.insert(key);
                continue;
            }
            let on_save = self.settings.on_save;
            let Some(document) = self.documents.get_mut(&key) else { continue };
            if document.open && on_save && !document.due && document.found.is_some() && !document.out_of_step
            {
                // The next save finds that its findings are old.
                continue;
            }
            let silent = document.out_of_step || document.excluded;
            if silent || document.snapshot.rope.len_bytes() > MAX_TEXT {
                document.cancel_searches();
                document.found = None;
                self.unfinished.remove(&key);
                self.fresh.insert(key);
            } else if document.is_config {
                let mistakes = read_config(&String::from(&document.snapshot.rope)).err().unwrap_or_default();
                let (snapshot, parts) = (document.snapshot.clone(), SegmentedText::default());
                document.found = Some(Found { snapshot, parts, mistakes });
                self.fresh.insert(key);
            } else if document.open {
                self.analyse_open(key);
            } else {
                apart.push((key, document.snapshot.clone()));
            }
        }
        let step = self.step.take();
        self.analyse_apart(apart, step);
        self.link();
        // What waits for its configuration is still the client's own change.
        let waits = |key: &String| self.dirty.contains(key) || self.unfinished.contains(key);
        self.edited.retain(waits);
        self.answer_pulls();
    }

    /// Analyses files that nobody has open, on another thread, as a step of a work that may be cancelled.
    fn analyse_apart(&self, files: Vec<(String, Arc<Snapshot>)>, step: Option<ScanProgress>) {
        // Done when the last part is.
        let step = step.map(Arc::new);
        for part in files.chunks(PART) {
            let (session, events, part) = (self.session.clone(), self.events.clone(), part.to_vec());
            let (threads, step) = (session.clone(), step.clone());
            threads.checks.spawn(move || {
                if step.as_ref().is_some_and(|s| s.is_cancelled()) {
                    // The next save finds that nothing was found in them.
                    return;
                }
                let one = |(key, snapshot): (String, Arc<Snapshot>)| {
                    let parts = analyse(&session, &snapshot);
                    Analysed { key, snapshot, parts }
                };
                let _ = events.send(Event::FilesAnalysed(part.into_iter().map(one).collect()));
            });
        }
    }

    /// Analyses what was edited in a text, and if that is much, the rest when nothing else is to be done.
    fn analyse_open(&mut self, key: String) {
        let Some(document) = self.documents.get_mut(&key) else { return };
        document.read();
        step(&self.session, document);
        if document.parts.stale() == 0 {
            self.unfinished.remove(&key);
            self.complete(key);
            return;
        }
        self.unfinished.insert(key.clone());
        if document.complete {
            self.found(key);
        }
    }

    /// Goes on with a text that is not all analysed.
    pub(crate) fn go_on(&mut self) {
        let Some(key) = self.unfinished.first().cloned() else { return };
        let Some(document) = self.documents.get_mut(&key).filter(|d| d.open) else {
            self.unfinished.remove(&key);
            return;
        };
        document.read();
        step(&self.session, document);
        if document.parts.stale() == 0 {
            self.unfinished.remove(&key);
            self.complete(key);
            self.link();
            self.answer_pulls();
        }
    }

    /// Takes in what was found in a document that is not open, if that is still its text.
    pub(crate) fn accept(&mut self, analysed: Analysed) {
        let Analysed { key, snapshot, parts } = analysed;
        let Some(document) = self.documents.get_mut(&key) else { return };
        if Arc::ptr_eq(&document.snapshot, &snapshot) {
            document.parts = parts;
            self.complete(key);
        }
    }

    /// All parts of a document are analysed.
    fn complete(&mut self, key: String) {
        let Some(document) = self.documents.get_mut(&key) else { return };
        document.complete = true;
        document.due = false;
        let pending = document.parts.pending();
        self.search(&key, &pending);
        self.found(key);
    }

    fn found(&mut self, key: String) {
        let Some(document) = self.documents.get_mut(&key) else { return };
        let (snapshot, parts) = (document.snapshot.clone(), document.parts.clone());
        snapshot.keep_parts(&parts);
        document.found = Some(Found { snapshot, parts, mistakes: Vec::new() });
        self.fresh.insert(key);
    }

    /// Starts the searches that a text wants, and ends those that it no longer does.
    fn search(&mut self, key: &str, pending: &[Pending]) {
        let Some(document) = self.documents.get_mut(key) else { return };
        let wanted: FxHashSet<u128> = pending.iter().map(|p| p.key).collect();
        document.searches.retain(|puzzle, cancel| {
            let wanted = wanted.contains(puzzle);
            if !wanted {
                cancel.store(true, Ordering::Relaxed);
            }
            wanted
        });
        for &Pending { key: puzzle, offset } in pending {
            if document.searches.contains_key(&puzzle) {
                continue;
            }
            let cancel = Arc::new(AtomicBool::new(false));
            document.searches.insert(puzzle, cancel.clone());
            let (session, events, key) = (self.session.clone(), self.events.clone(), key.to_string());
            let snapshot = document.snapshot.clone();
            let threads = session.clone();
            // What somebody looks at does not wait for what nobody does.
            let pool = if document.open { &threads.searches } else { &threads.background };
            pool.spawn(move || {
                if cancel.load(Ordering::Relaxed) {
                    return;
                }
                let options = Options { cancel: Some(cancel.clone()), ..snapshot.options() };
                let window = snapshot.window(Span::at(offset), 0);
                if let Some((puzzle, settings)) =
                    puzzle_at(&window.tree, window.defaults, offset - window.start)
                {
                    session.cache.report_full(puzzle, settings, &options);
                }
                if !cancel.load(Ordering::Relaxed) {
                    let _ = events.send(Event::SearchFinished { key, puzzle });
                }
            });
        }
        document.snapshot.set_searched(!document.searches.is_empty());
    }

    /// Takes a document's puzzles out of those that are compared.
    pub(crate) fn unlink(&mut self, key: &str) {
        self.twins.put(key, None, &mut self.beside);
    }

    /// Compares what was analysed with all else, and tells what is new of all that it concerns.
    fn link(&mut self) {
        let fresh = std::mem::take(&mut self.fresh);
        if fresh.is_empty() {
            return;
        }
        for key in &fresh {
            let document = self.documents.get_mut(key);
            let mut compared = None;
            if let Some(document) = document {
                let parts = document.found.as_ref().map(|found| &found.parts);
                if document.apart {
                    document.alone.put(key, parts, &mut FxHashSet::default());
                } else {
                    document.alone = DuplicateIndex::default();
                    compared = parts;
                }
            }
            self.twins.put(key, compared, &mut self.beside);
        }
        for key in &fresh {
            self.tell(key, true);
        }
    }

    /// Tells what others changed in some of the documents that they changed it in: thousands may have a
    /// puzzle of the one that is typed in, and nobody waits for those.
    pub(crate) fn tell_beside(&mut self) {
        self.twins.moved(&mut self.beside);
        let some: Vec<u32> = self.beside.iter().take(PART).copied().collect();
        for file in some {
            self.beside.remove(&file);
            if let Some(key) = self.twins.name(file).map(str::to_string) {
                self.tell(&key, false);
            }
        }
        self.answer_pulls();
    }

    /// Tells what is found in a document: if only others changed, only if that says something new.
    fn tell(&mut self, key: &str, fresh: bool) {
        let Some(document) = self.documents.get(key) else { return };
        let waits = document.found.is_some() || self.unfinished.contains(key) || self.dirty.contains(key);
        if document.quiet || document.open && waits && !document.is_current() {
            // It is told when all is validated again, or when its text is looked at.
            return;
        }
        let Some(Found { snapshot, parts, mistakes }) = document.found.clone() else {
            let snapshot = document.snapshot.clone();
            return self.say(key, &snapshot, Vec::new());
        };
        let of = |key: &str| self.documents.get(key).and_then(|d| d.found.as_ref()).map(|f| &f.snapshot);
        let describe = |key: &str, span: Span| {
            let line = of(key).map_or(0, |s| s.rope.byte_to_line(span.start as usize)) + 1;
            format!("{}:{line}", self.name(key))
        };
        let twins = if document.apart { &document.alone } else { &self.twins };
        let read = |span: Span| String::from(snapshot.rope.byte_slice(span.range()));
        // Which of them are allowed is known once they are all there.
        let most = if parts.allows_something() { usize::MAX } else { MOST + 1 };
        let told = twins.findings_of(key, most, read, describe);
        let stamp = stamp(&told);
        if !fresh && document.said.more == Some(stamp) {
            return;
        }
        let encoding = self.session.agreed().encoding;
        let there = |file: u32| twins.name(file).and_then(of);
        let twin = |&DuplicateLink { head, file, other }: &DuplicateLink| {
            let there = file.map_or(Some(&snapshot), there)?;
            let place = range(&there.rope, other, encoding);
            Some((head, Location { uri: there.uri.parse().ok()?, range: place }))
        };
        let places: Vec<_> = told.links.iter().filter_map(twin).collect();
        let severities = snapshot.config.severities;
        // Of very many findings only those are put together that can be shown.
        let many =
            (parts.segments_with_findings() > 4 * MOST).then(|| parts.worst(&severities, MOST)).flatten();
        let on = told.more().into_iter().filter(|(code, _)| severities.of(*code).is_some());
        let mut more: usize = on.map(|(_, count)| count).sum();
        let mut report = match many {
            _ if document.is_config => FileReport::of(mistakes),
            None => parts.report(&severities, &told.findings),
            Some((mut worst, others)) => {
                worst.extend(told.findings.into_iter().map(|(_, finding)| finding));
                more += others;
                FileReport::of(worst).under(severities)
            }
        };
        allow(&mut report);
        let findings: Vec<&Finding> = report.findings().into_iter().map(|(f, _)| f).collect();
        let other = |file: u32| there(file).map(|s| &**s);
        // What only the whole file tells has its fixes too.
        snapshot.keep_findings(&findings);
        let shown = (encoding, self.session.agreed().shown);
        let found = diagnostics(&snapshot, findings, more, &severities, shown, other);
        snapshot.keep_twins(places);
        self.say(key, &snapshot, found);
        if let Some(document) = self.documents.get_mut(key) {
            document.said.more = Some(stamp);
        }
    }

    /// Tells the client, or keeps it until it asks.
    fn say(&mut self, key: &str, snapshot: &Snapshot, found: Vec<Diagnostic>) {
        let edited = self.edited.contains(key);
        let pulls = self.session.agreed().pulls;
        let Some(document) = self.documents.get_mut(key) else { return };
        if pulls {
            let same = document.said.result.as_ref().is_some_and(|(_, said)| **said == found);
            if !same {
                let number = self.session.results.fetch_add(1, Ordering::Relaxed);
                self.changed.insert(key.to_string());
                document.said.result = Some((number, Arc::new(found.clone())));
                if document.open && !edited {
                    self.session.stale.notify_one();
                }
            }
            if document.open || self.pulls_workspace || !self.pushes_rest {
                return;
            }
        }
        let hash = hash_of(&found);
        let new = document.said.pushed != Some(hash) || edited;
        let worth = document.open || document.said.pushed.is_some() || !found.is_empty();
        if new && worth {
            document.said.pushed = Some(hash);
            document.said.shown = !found.is_empty();
            let uri = self.told(key, &snapshot.uri);
            let version = snapshot.version;
            self.session.outbox.put(Publish { uri, version, diagnostics: found, stamp: hash });
        }
    }

    /// A document's URI as the client writes it.
    pub(crate) fn told(&self, key: &str, uri: &str) -> String {
        self.spellings.get(key).map_or(uri, |told| told).to_string()
    }

    /// Takes back what was pushed under a name.
    pub(crate) fn clear(&self, uri: String) {
        let diagnostics = Vec::new();
        let stamp = hash_of(&diagnostics);
        self.session.outbox.put(Publish { uri, version: None, diagnostics, stamp });
    }

    /// A document was opened: what was pushed of its file goes, if the client asks from now on.
    pub(crate) fn take_over(&mut self, key: &str) {
        if !self.session.agreed().pulls {
            return;
        }
        let Some(document) = self.documents.get_mut(key) else { return };
        document.said.pushed = None;
        if std::mem::take(&mut document.said.shown) {
            let uri = document.snapshot.uri.clone();
            self.clear(self.told(key, &uri));
        }
    }

    // ---- what the client asks for

    pub(crate) fn begin_pull(&mut self, pull: WorkspacePull) {
        if !self.pulls_workspace {
            self.pulls_workspace = true;
            let mut pushed = Vec::new();
            for (key, document) in &mut self.documents {
                document.said.pushed = None;
                if std::mem::take(&mut document.said.shown) {
                    pushed.push((key.clone(), document.snapshot.uri.clone()));
                }
            }
            pushed.into_iter().for_each(|(key, uri)| self.clear(self.told(&key, &uri)));
        }
        self.workspace_pulls.push(pull);
    }

    fn answer_pulls(&mut self) {
        for pull in std::mem::take(&mut self.pulls) {
            let key = key(&pull.uri);
            // What waits for a save is not dirty.
            let behind = self.documents.get(&key).is_some_and(|d| !d.is_current());
            if self.unfinished.contains(&key) || behind && self.dirty.contains(&key) {
                // This text was not looked at yet, or not all of it.
                self.pulls.push(pull);
                continue;
            }
            let found = self.documents.get(&key).and_then(|d| d.said.result.clone());
            (pull.reply)(found);
        }
        let changed = std::mem::take(&mut self.changed);
        for pull in std::mem::take(&mut self.workspace_pulls) {
            if pull.cancel.load(Ordering::Relaxed) {
                continue;
            }
            let news = match pull.seen {
                true => {
                    let one = |key: &String| match self.documents.get(key) {
                        Some(document) => news_of(key, document, &pull.known),
                        None => no_news(key, &pull.known),
                    };
                    changed.iter().filter_map(one).collect()
                }
                false => self.news(&pull.known),
            };
            if news.is_empty() {
                self.workspace_pulls.push(WorkspacePull { seen: true, ..pull });
            } else {
                (pull.reply)(news);
            }
        }
    }

    /// What somebody who has these results does not know.
    fn news(&self, known: &Known) -> Vec<News> {
        let all = self.documents.iter().filter_map(|(key, document)| news_of(key, document, known));
        let mut news: Vec<News> = all.collect();
        let gone = known.keys().filter(|key| !self.documents.contains_key(*key));
        news.extend(gone.filter_map(|key| no_news(key, known)));
        news
    }

    /// A document's name in messages: below its folder of the workspace as `cpz check` has it there.
    fn name(&self, key: &str) -> String {
        let path = Path::new(key);
        let below = self.folders.iter().find_map(|f| path.strip_prefix(f).ok());
        below.map_or_else(|| key.to_string(), |p| p.to_string_lossy().into_owned())
    }
}

/// What a fast pass finds in a text. A panic is that text's own: of others all is said.
fn analyse(session: &Session, snapshot: &Snapshot) -> SegmentedText {
    let run = || {
        let mut parts = SegmentedText::of(&snapshot.rope, snapshot.config.settings);
        parts.read(&snapshot.rope);
        // What is opened meanwhile is analysed there.
        while parts.stale() > 0 && !snapshot.is_outdated() {
            parts.analyse(&snapshot.rope, &session.cache, &snapshot.options(), QUICK, 0, 4 * STEP);
        }
        parts
    };
    let unknown = |_| SegmentedText::unknown(&snapshot.rope, snapshot.config.settings);
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(unknown)
}

/// A fast pass over some of what was edited, first where it was.
fn step(session: &Session, document: &mut Document) {
    let snapshot = document.snapshot.clone();
    let (first, parts) = (document.edited, &mut document.parts);
    let run = || parts.analyse(&snapshot.rope, &session.cache, &snapshot.options(), QUICK, first, STEP);
    if catch_unwind(AssertUnwindSafe(run)).is_err() {
        document.parts = SegmentedText::unknown(&snapshot.rope, snapshot.config.settings);
    }
}

/// What is new in a document to somebody who has these results.
fn news_of(key: &str, document: &Document, known: &Known) -> Option<News> {
    let Some((number, found)) = document.said.result.clone().filter(|_| !document.quiet) else {
        return no_news(key, known);
    };
    let said = known.get(key);
    let worth = said.is_some() || !found.is_empty() || document.open;
    let version = document.found.as_ref().and_then(|f| f.snapshot.version);
    let is_new = said.is_none_or(|(_, n)| *n != number);
    let uri = said.map_or(&document.snapshot.uri, |(uri, _)| uri).clone();
    (worth && is_new).then_some(News { uri, version, found: (number, found) })
}

/// Of what is gone it is said once that there is nothing.
fn no_news(key: &str, known: &Known) -> Option<News> {
    let (uri, _) = known.get(key).filter(|(_, n)| *n != 0)?;
    Some(News { uri: uri.clone(), version: None, found: (0, Arc::default()) })
}

/// What is said of a file because of others.
fn stamp(told: &DuplicateFindings) -> u64 {
    let mut h = DefaultHasher::new();
    told.more().hash(&mut h);
    for (at, finding) in &told.findings {
        (at, &finding.message).hash(&mut h);
        finding.related.iter().for_each(|r| (r.file, r.span).hash(&mut h));
    }
    h.finish()
}

/// Tells whether findings say the same.
fn hash_of(found: &[Diagnostic]) -> u64 {
    let mut h = DefaultHasher::new();
    let place = |r: &Range| (r.start.line, r.start.character, r.end.line, r.end.character);
    for one in found {
        let bad = [DiagnosticSeverity::ERROR, DiagnosticSeverity::WARNING, DiagnosticSeverity::HINT];
        let how_bad = bad.iter().position(|&s| one.severity == Some(s));
        let code = one.code.as_ref().map(|c| match c {
            NumberOrString::String(name) => name.as_str(),
            NumberOrString::Number(_) => "",
        });
        let data = one.data.as_ref().map(ToString::to_string);
        (place(&one.range), &one.message, how_bad, code, data).hash(&mut h);
        for other in one.related_information.iter().flatten() {
            (other.location.uri.as_str(), place(&other.location.range), &other.message).hash(&mut h);
        }
    }
    h.finish()
}
