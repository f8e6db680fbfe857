//! Accepted findings: those of an old collection that cannot be corrected today.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use super::analyse::AnalysedFile;
use super::atomic_write;
use crate::cli::inputs::is_named_pipe;
use cpz_check::analysis::{FileReport, PuzzleReport};
use cpz_text::diagnostic::{Code, Finding, Severity, Span};
use cpz_text::syntax::{TokenKind, parse};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BaselineDocument {
    version: u32,
    findings: Vec<BaselineEntry>,
}

/// The findings of one code in one puzzle.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BaselineEntry {
    /// Relative to the folder of the baseline, with slashes.
    path: String,
    code: String,
    /// The name of the puzzle, for readers of the file.
    puzzle: Option<String>,
    /// A hash of the puzzle without white space and comments: 16 hexadecimal digits.
    fingerprint: String,
    count: usize,
}

/// What identifies an entry: path, code and fingerprint.
type Key = (String, String, String);

/// The effect of a baseline on a check.
#[derive(Clone, Default)]
pub struct Accepted {
    /// How many findings it accepts.
    pub findings: usize,
    /// Entries without a finding: path, code and name of the puzzle.
    pub obsolete: Vec<(String, String, Option<String>)>,
    /// How many entries `--accept` added and removed.
    pub changed: Option<(usize, usize)>,
}

/// A baseline file.
pub struct Baseline {
    path: PathBuf,
    folder: PathBuf,
    /// The components of its folder, with links resolved.
    folder_components: Vec<String>,
    entries: Vec<BaselineEntry>,
}

/// The checked files, by path relative to the baseline.
struct CheckedFiles<'c> {
    files: FxHashMap<String, &'c AnalysedFile>,
    /// The fingerprints of all puzzles of a file, computed on first use.
    fingerprints: FxHashMap<String, FxHashSet<String>>,
}

impl Baseline {
    /// Reads a baseline. With `may_be_new`, a missing file counts as an empty one.
    ///
    /// # Errors
    /// A message that says why it cannot be read.
    pub fn read(path: &str, may_be_new: bool) -> Result<Baseline, String> {
        let absolute = std::path::absolute(path).map_err(|e| e.to_string())?;
        let folder = absolute.parent().unwrap_or(Path::new("/")).to_path_buf();
        if is_named_pipe(Path::new(path)) {
            return Err("this is a named pipe, not a baseline".into());
        }
        let entries = match std::fs::read(path) {
            Ok(text) => read_entries(&text)?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && may_be_new => Vec::new(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err("no such file; `--accept` creates it".into());
            }
            Err(error) => return Err(error.to_string()),
        };
        let mut folder_components = components(&absolute);
        // Remove the name of the baseline.
        folder_components.pop();
        Ok(Baseline { path: absolute, folder, folder_components, entries })
    }

    /// Removes the accepted findings from the reports.
    pub fn apply(&self, files: &mut [AnalysedFile]) -> Accepted {
        let mut left: BTreeMap<Key, usize> = BTreeMap::new();
        for e in &self.entries {
            *left.entry((e.path.clone(), e.code.clone(), e.fingerprint.clone())).or_default() += e.count;
        }
        let mut accepted = Accepted::default();
        for file in files.iter_mut().filter(|f| f.input.config_findings.is_none()) {
            let path = self.relative(file);
            let severities = file.report.severities;
            let mut report = std::mem::replace(&mut file.report, FileReport::of(Vec::new()));
            let mut is_reported = |finding: &Finding, fingerprint: &str| {
                let key = (path.clone(), finding.code.name().to_string(), fingerprint.to_string());
                let known = left.get_mut(&key).filter(|n| **n > 0);
                let known = known.filter(|_| severities.shown(finding) != Severity::Hint);
                known.map(|n| *n -= 1).inspect(|()| accepted.findings += 1).is_none()
            };
            for puzzle in report.puzzles.iter_mut().filter(|p| !p.findings.is_empty()) {
                let own = fingerprint(file, puzzle.span);
                puzzle.findings.retain(|f| is_reported(f, &own));
            }
            report.top.retain(|f| is_reported(f, &fingerprint(file, f.span)));
            file.report = report;
        }
        let mut checked = self.checked_files(files);
        for e in &self.entries {
            let key = (e.path.clone(), e.code.clone(), e.fingerprint.clone());
            let left = left.remove(&key).is_some_and(|n| n > 0);
            if left && !self.may_still_occur(e, &mut checked) {
                accepted.obsolete.push((e.path.clone(), e.code.clone(), e.puzzle.clone()));
            }
        }
        accepted
    }

    /// Records the current findings, and keeps the entries of files that were not checked. Returns how many entries were
    /// added and removed.
    ///
    /// # Errors
    /// A message that says why it cannot be written.
    pub fn accept(&self, files: &[AnalysedFile]) -> Result<(usize, usize), String> {
        let mut counts = (0, 0);
        // Another command may have recorded the findings of other files since this one read the baseline.
        atomic_write::update(&self.path, |now| {
            let mut before = now.map_or(Ok(Vec::new()), read_entries)?;
            before.sort();
            let entries = self.merged(files, &before);
            let contains = |all: &[BaselineEntry], e: &BaselineEntry| all.binary_search(e).is_ok();
            let added = entries.iter().filter(|e| !contains(&before, e)).count();
            let removed = before.iter().filter(|e| !contains(&entries, e)).count();
            counts = (added, removed);
            // One entry a line, so that version control shows readable differences.
            let lines: Vec<String> =
                entries.iter().map(|e| serde_json::to_string(e).unwrap_or_default()).collect();
            let list = if lines.is_empty() { "[]".into() } else { format!("[\n{}\n]", lines.join(",\n")) };
            Ok(format!("{{\"version\":1,\"findings\":{list}}}\n"))
        })?;
        Ok(counts)
    }

    /// The current findings, and those of `before` that may still occur, sorted.
    fn merged(&self, files: &[AnalysedFile], before: &[BaselineEntry]) -> Vec<BaselineEntry> {
        let mut entries: BTreeMap<Key, BaselineEntry> = BTreeMap::new();
        for file in files.iter().filter(|f| f.input.config_findings.is_none()) {
            let path = self.relative(file);
            let mut fingerprints = Fingerprints::default();
            for (finding, _, puzzle) in file.findings(&|s| s != Severity::Hint) {
                let fingerprint = fingerprints.of(file, finding, puzzle);
                let key = (path.clone(), finding.code.name().to_string(), fingerprint.clone());
                let entry = entries.entry(key).or_insert_with(|| BaselineEntry {
                    path: path.clone(),
                    code: finding.code.name().to_string(),
                    puzzle: puzzle.and_then(|p| file.name(p)).map(String::from),
                    fingerprint,
                    count: 0,
                });
                entry.count += 1;
            }
        }
        let mut checked = self.checked_files(files);
        for e in before.iter().filter(|e| self.may_still_occur(e, &mut checked)) {
            let key = (e.path.clone(), e.code.clone(), e.fingerprint.clone());
            entries.entry(key).or_insert_with(|| e.clone());
        }
        let mut entries: Vec<BaselineEntry> = entries.into_values().collect();
        entries.sort();
        entries
    }

    /// Whether the finding of an entry may still occur although this check did not report it: its file was not checked,
    /// or it is a duplicate of a puzzle in a file that was not checked.
    fn may_still_occur(&self, entry: &BaselineEntry, checked: &mut CheckedFiles<'_>) -> bool {
        let Some(file) = checked.files.get(&entry.path) else {
            return self.folder.join(&entry.path).exists();
        };
        if entry.code != Code::DuplicatePuzzle.name() {
            return false;
        }
        let all = || file.report.puzzles.iter().map(|p| fingerprint(file, p.span)).collect();
        checked.fingerprints.entry(entry.path.clone()).or_insert_with(all).contains(&entry.fingerprint)
    }

    fn checked_files<'c>(&self, files: &'c [AnalysedFile]) -> CheckedFiles<'c> {
        let files = files.iter().map(|f| (self.relative(f), f)).collect();
        CheckedFiles { files, fingerprints: FxHashMap::default() }
    }

    /// The path of a file relative to the folder of the baseline.
    fn relative(&self, file: &AnalysedFile) -> String {
        let Some(path) = &file.input.file else { return file.input.path.clone() };
        let (to, from) = (components(path), &self.folder_components);
        let shared = to.iter().zip(from).take_while(|(a, b)| a == b).count();
        let up = from.iter().skip(shared).map(|_| "..".to_string());
        up.chain(to.iter().skip(shared).cloned()).collect::<Vec<_>>().join("/")
    }
}

/// The entries of the text of a baseline, or why it is none.
fn read_entries(text: &[u8]) -> Result<Vec<BaselineEntry>, String> {
    let document: BaselineDocument =
        serde_json::from_slice(text).map_err(|why| format!("this is not a baseline: {why}"))?;
    match document.version {
        1 => Ok(document.findings),
        other => Err(format!("version {other} of a baseline is unknown; expected version 1")),
    }
}

/// The components of a path from the root, with the links on the way to its folder resolved.
fn components(path: &Path) -> Vec<String> {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let real = |folder: &Path| Some(folder.canonicalize().ok()?.join(absolute.file_name()?));
    let absolute = absolute.parent().and_then(real).unwrap_or(absolute);
    let mut names = Vec::new();
    for component in absolute.components() {
        match component {
            Component::ParentDir => drop(names.pop()),
            other => names.push(other.as_os_str().to_string_lossy().into_owned()),
        }
    }
    names
}

/// Computes the fingerprints of the findings of one file, in order. It caches that of the last puzzle, since a long
/// puzzle may have many findings.
#[derive(Default)]
pub struct Fingerprints {
    last: Option<(Span, String)>,
}

impl Fingerprints {
    /// The fingerprint of a finding: that of its puzzle, or of its own span where it is in no puzzle.
    pub fn of(&mut self, file: &AnalysedFile, finding: &Finding, puzzle: Option<&PuzzleReport>) -> String {
        let Some(puzzle) = puzzle else { return fingerprint(file, finding.span) };
        if self.last.as_ref().is_none_or(|(span, _)| *span != puzzle.span) {
            self.last = Some((puzzle.span, fingerprint(file, puzzle.span)));
        }
        self.last.as_ref().map_or(String::new(), |(_, fingerprint)| fingerprint.clone())
    }
}

/// A hash (FNV-1a, 64 bits) of the tokens of a part of a text that are neither white space nor comments. Baselines
/// contain it, so it must not change.
fn fingerprint(file: &AnalysedFile, span: Span) -> String {
    let tree = parse(file.text_at(span));
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    for token in tree.tokens().filter(|t| !matches!(t.kind(), TokenKind::Space | TokenKind::Comment)) {
        token.text().bytes().for_each(&mut add);
        // Separates tokens: this byte is in no UTF-8 text.
        add(0xff);
    }
    format!("{hash:016x}")
}
