//! Findings that are accepted: those of an old collection that nobody mends today.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use crate::analysis::PuzzleReport;
use crate::cli::commands::check::Checked;
use crate::cli::commands::rewrite;
use crate::diagnostic::{Code, Finding, Severity, Span};
use crate::syntax::{TokenKind, parse};

/// The file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    version: u32,
    findings: Vec<Entry>,
}

/// Some equal findings of a puzzle.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// From the folder of the baseline, with slashes.
    path: String,
    code: String,
    /// The puzzle's name, for whoever reads the file.
    puzzle: Option<String>,
    /// What stands in the puzzle, white space and comments aside: 16 hexadecimal digits.
    fingerprint: String,
    count: usize,
}

/// What makes two findings one: path, code and fingerprint.
type Key = (String, String, String);

/// What became of the findings of a run.
#[derive(Clone, Default)]
pub struct Accepted {
    /// How many were accepted.
    pub findings: usize,
    /// Which entries no longer occur: path, code and name of the puzzle.
    pub gone: Vec<(String, String, Option<String>)>,
    /// How many entries came and went, where today's were written down.
    pub changed: Option<(usize, usize)>,
}

/// A baseline on the disk.
pub struct Baseline {
    path: PathBuf,
    folder: PathBuf,
    /// The names on the way to its folder, whatever links lead to it.
    way: Vec<String>,
    entries: Vec<Entry>,
}

/// What was checked, by path from the baseline, and the fingerprints of all puzzles of a file once they are asked for.
struct Today<'c> {
    files: FxHashMap<String, &'c Checked>,
    prints: FxHashMap<String, FxHashSet<String>>,
}

impl Baseline {
    /// Reads it. If it `may_be_new`, a file that is not there is an empty one.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub fn read(path: &str, may_be_new: bool) -> Result<Baseline, String> {
        let whole = std::path::absolute(path).map_err(|e| e.to_string())?;
        let folder = whole.parent().unwrap_or(Path::new("/")).to_path_buf();
        let entries = match std::fs::read_to_string(path) {
            Ok(text) => {
                let document: Document =
                    serde_json::from_str(&text).map_err(|why| format!("this is no baseline: {why}"))?;
                match document.version {
                    1 => document.findings,
                    other => return Err(format!("version {other} of a baseline is not known, only 1")),
                }
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && may_be_new => Vec::new(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err("there is no such file; `--accept` writes it".into());
            }
            Err(error) => return Err(error.to_string()),
        };
        let mut way = parts(&whole);
        // The name of the baseline itself.
        way.pop();
        Ok(Baseline { path: whole, folder, way, entries })
    }

    /// Takes the findings away that are accepted.
    pub fn apply(&self, checked: &mut [Checked]) -> Accepted {
        let mut left: BTreeMap<Key, usize> = BTreeMap::new();
        for e in &self.entries {
            *left.entry((e.path.clone(), e.code.clone(), e.fingerprint.clone())).or_default() += e.count;
        }
        let mut accepted = Accepted::default();
        for file in checked.iter_mut().filter(|c| c.input.mistakes.is_none()) {
            let path = self.relative(file);
            let severities = file.report.severities;
            let text = &file.input.text;
            let mut stays = |finding: &Finding, fingerprint: &str| {
                let key = (path.clone(), finding.code.name().to_string(), fingerprint.to_string());
                let known = left.get_mut(&key).filter(|n| **n > 0);
                let known = known.filter(|_| severities.shown(finding.code) != Severity::Hint);
                known.map(|n| *n -= 1).inspect(|()| accepted.findings += 1).is_none()
            };
            for puzzle in file.report.puzzles.iter_mut().filter(|p| !p.findings.is_empty()) {
                let own = fingerprint(text, puzzle.span);
                puzzle.findings.retain(|f| stays(f, &own));
            }
            file.report.top.retain(|f| stays(f, &fingerprint(text, f.span)));
        }
        let mut today = self.today(checked);
        for e in &self.entries {
            let key = (e.path.clone(), e.code.clone(), e.fingerprint.clone());
            let left = left.remove(&key).is_some_and(|n| n > 0);
            if left && !self.may_still_be(e, &mut today) {
                accepted.gone.push((e.path.clone(), e.code.clone(), e.puzzle.clone()));
            }
        }
        accepted
    }

    /// Writes today's findings down, and says how many entries came and went. What is known of files that were not
    /// checked stays.
    ///
    /// # Errors
    /// Why it cannot be written.
    pub fn accept(&self, checked: &[Checked]) -> Result<(usize, usize), String> {
        let mut entries: BTreeMap<Key, Entry> = BTreeMap::new();
        for file in checked.iter().filter(|c| c.input.mistakes.is_none()) {
            let path = self.relative(file);
            let mut prints = Prints::default();
            for (finding, _, puzzle) in file.shown(&|s| s != Severity::Hint) {
                let text = &file.input.text;
                let fingerprint = prints.of(text, finding, puzzle);
                let key = (path.clone(), finding.code.name().to_string(), fingerprint.clone());
                let entry = entries.entry(key).or_insert_with(|| Entry {
                    path: path.clone(),
                    code: finding.code.name().to_string(),
                    puzzle: puzzle.and_then(|p| file.name(p)).map(String::from),
                    fingerprint,
                    count: 0,
                });
                entry.count += 1;
            }
        }
        let mut today = self.today(checked);
        for e in self.entries.iter().filter(|e| self.may_still_be(e, &mut today)) {
            let key = (e.path.clone(), e.code.clone(), e.fingerprint.clone());
            entries.entry(key).or_insert_with(|| e.clone());
        }
        let mut entries: Vec<Entry> = entries.into_values().collect();
        entries.sort();
        // One line for each: changes are to be read in version control.
        let lines: Vec<String> =
            entries.iter().map(|e| serde_json::to_string(e).unwrap_or_default()).collect();
        let list = if lines.is_empty() { "[]".into() } else { format!("[\n{}\n]", lines.join(",\n")) };
        rewrite::put(&self.path, &format!("{{\"version\":1,\"findings\":{list}}}\n"))?;
        let among = |all: &[Entry], e: &Entry| all.binary_search(e).is_ok();
        let mut before = self.entries.clone();
        before.sort();
        let came = entries.iter().filter(|e| !among(&before, e)).count();
        Ok((came, before.iter().filter(|e| !among(&entries, e)).count()))
    }

    /// Whether an entry may be of today although it was not found: its file was not checked, or the other one of two
    /// duplicates may not have been.
    fn may_still_be(&self, entry: &Entry, today: &mut Today<'_>) -> bool {
        let Some(file) = today.files.get(&entry.path) else { return self.folder.join(&entry.path).exists() };
        if entry.code != Code::DuplicatePuzzle.name() {
            return false;
        }
        let all = || file.report.puzzles.iter().map(|p| fingerprint(&file.input.text, p.span)).collect();
        today.prints.entry(entry.path.clone()).or_insert_with(all).contains(&entry.fingerprint)
    }

    fn today<'c>(&self, checked: &'c [Checked]) -> Today<'c> {
        let files = checked.iter().map(|c| (self.relative(c), c)).collect();
        Today { files, prints: FxHashMap::default() }
    }

    /// Where a file is from the folder of the baseline.
    fn relative(&self, file: &Checked) -> String {
        let Some(path) = &file.input.file else { return file.input.path.clone() };
        let (to, from) = (parts(path), &self.way);
        let shared = to.iter().zip(from).take_while(|(a, b)| a == b).count();
        let up = from.iter().skip(shared).map(|_| "..".to_string());
        up.chain(to.iter().skip(shared).cloned()).collect::<Vec<_>>().join("/")
    }
}

/// The names on the way to a path from the root, whatever links lead to its folder.
fn parts(path: &Path) -> Vec<String> {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let real = |folder: &Path| Some(folder.canonicalize().ok()?.join(whole.file_name()?));
    let whole = whole.parent().and_then(real).unwrap_or(whole);
    let mut parts = Vec::new();
    for part in whole.components() {
        match part {
            Component::ParentDir => drop(parts.pop()),
            other => parts.push(other.as_os_str().to_string_lossy().into_owned()),
        }
    }
    parts
}

/// Fingerprints of the findings of a file, of which a long puzzle may have many.
#[derive(Default)]
pub struct Prints {
    /// Of the last puzzle.
    last: Option<(Span, String)>,
}

impl Prints {
    /// What a finding is recognised by: what stands in its puzzle, or in its own place where it has none.
    pub fn of(&mut self, text: &str, finding: &Finding, puzzle: Option<&PuzzleReport>) -> String {
        let Some(puzzle) = puzzle else { return fingerprint(text, finding.span) };
        if self.last.as_ref().is_none_or(|(span, _)| *span != puzzle.span) {
            self.last = Some((puzzle.span, fingerprint(text, puzzle.span)));
        }
        self.last.as_ref().map_or(String::new(), |(_, print)| print.clone())
    }
}

/// A hash (FNV-1a, 64 bits) of the tokens of a part of a text that are neither white space nor comments. It is
/// written into files, so it stays what it is.
fn fingerprint(text: &str, span: Span) -> String {
    let tree = parse(&text[span.range()]);
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    for token in tree.tokens().filter(|t| !matches!(t.kind(), TokenKind::Space | TokenKind::Comment)) {
        token.text().bytes().for_each(&mut add);
        // No text has this byte: two words are not one.
        add(0xff);
    }
    format!("{hash:016x}")
}
