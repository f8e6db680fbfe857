//! Messages to the state's thread, applied in the order in which they were sent.

use std::path::PathBuf;
use std::sync::Arc;

use ls_types::TextDocumentContentChangeEvent;
use ropey::Rope;
use rustc_hash::FxHashMap;

use crate::lsp::scan::{FileList, LoadedFiles, ScanEvent};
use crate::lsp::session::settings::Settings;
use crate::lsp::state::diagnostics_mode::DiagnosticsMode;
use crate::lsp::state::pull::{DocumentPull, WorkspacePull};
use crate::lsp::state::snapshot::Snapshot;
use crate::workspace::ConfigFile;
use cpz_check::analysis::SegmentedText;

/// Runs with a document's snapshot, or with nothing if the document is unknown or out of step.
pub(crate) type Job = Box<dyn FnOnce(Option<Arc<Snapshot>>) + Send>;

/// The first analysis of a file that is not open.
pub(crate) struct AnalysedFile {
    pub key: String,
    pub snapshot: Arc<Snapshot>,
    pub segments: SegmentedText,
}

pub(crate) enum Event {
    /// `initialize` has chosen how diagnostics reach the client.
    Initialized(DiagnosticsMode),
    /// The next `DidOpen` of `uri` was written `as_written` by the client.
    ClientUri {
        uri: String,
        as_written: String,
    },
    DidOpen {
        uri: String,
        version: i32,
        text: Rope,
    },
    DidChange {
        uri: String,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
    },
    /// An edit of this document could not be read, so its text is unknown.
    EditLost(String),
    DidSave,
    DidClose(String),
    WithSnapshot(String, Job),
    /// Runs with the snapshots of all documents that are neither excluded nor out of step.
    WithAllSnapshots(Box<dyn FnOnce(Vec<Arc<Snapshot>>) + Send>),
    PullDocument(DocumentPull),
    PullWorkspace(WorkspacePull),
    /// The client has had time for its first workspace pull.
    WorkspacePullOverdue,
    /// Time to look whether a `cpz.toml` has changed; sent to clients without file watchers only.
    PollConfigs,
    /// URIs of files that were created, changed, deleted or renamed.
    FilesChanged(Vec<String>),
    FoldersChanged {
        added: Vec<PathBuf>,
        removed: Vec<PathBuf>,
    },
    SettingsChanged(Settings),
    /// The poll has found a changed `cpz.toml`.
    ConfigsChanged,
    /// The nearest `cpz.toml` of some folders. With the id of a scan: of all folders that the scan knew.
    ConfigsLoaded {
        folders: FxHashMap<PathBuf, Option<Arc<ConfigFile>>>,
        scan: Option<u64>,
    },
    ScanListed(FileList),
    ScanLoaded(LoadedFiles),
    ScanFinished,
    FilesAnalysed(Vec<AnalysedFile>),
    /// A slow search for the puzzle with this key has finished; the result is in the cache.
    SearchFinished {
        key: String,
        puzzle: u128,
    },
    /// `shutdown`: answer every pending workspace-diagnostics request with an empty report.
    Shutdown,
    /// The connection is closed: end the thread.
    Stop,
}

impl Event {
    /// Whether the event waits until no message of the client is left. Deferred events keep their order.
    pub fn is_deferred(&self) -> bool {
        use Event::{FilesAnalysed, ScanFinished, ScanListed, ScanLoaded};
        matches!(self, ScanListed(_) | ScanLoaded(_) | ScanFinished | FilesAnalysed(_))
    }
}

impl From<ScanEvent> for Event {
    fn from(event: ScanEvent) -> Event {
        match event {
            ScanEvent::ConfigsLoaded { scan, folders } => Event::ConfigsLoaded { folders, scan: Some(scan) },
            ScanEvent::Listed(list) => Event::ScanListed(list),
            ScanEvent::Loaded(files) => Event::ScanLoaded(files),
            ScanEvent::Finished => Event::ScanFinished,
        }
    }
}
