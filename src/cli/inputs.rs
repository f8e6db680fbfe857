//! Finds and reads the files that a command line names.

use std::collections::BTreeMap;
use std::fs::{File, Metadata};
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::cli::args::Paths;
use crate::cli::out::{one_line, report_error};
use crate::cli::unpacked::{Unpacked, is_packed};
use cpz_check::analysis::{Config, Options};
use cpz_exchange::import::{Format, ImportOptions, Original, import_file, reader_of};
use cpz_server::workspace::{ConfigFile, Configs, looks_like_utf16, reason, sort_and_dedup, walk_for};
use cpz_text::diagnostic::{Code, Finding, LineIndex, Span};
use cpz_text::syntax::MAX_TEXT;

/// The name of standard input in reports.
pub const STDIN: &str = "<stdin>";

const TOO_LONG: &str = "longer than 1 GiB; split the collection";

const LOOKS_LIKE_UTF16: &str = "this file looks like UTF-16";

/// A text to work on.
#[derive(Default)]
pub struct Input {
    /// The path as given on the command line, or one below a folder that was given.
    pub path: String,
    /// The path with control characters made visible: a name may come from anywhere, and must not control the terminal.
    pub display_path: String,
    /// `None` for standard input.
    pub file: Option<PathBuf>,
    pub text: String,
    /// The configuration that applies; the defaults where that is invalid.
    pub config: Arc<Config>,
    /// The path of the `cpz.toml` that applies, if it is invalid.
    pub invalid_config: Option<String>,
    /// The findings, if this is itself an invalid `cpz.toml`, or a text in an encoding that cpz does not read.
    pub config_findings: Option<Vec<Finding>>,
    /// The file that the text was made of, if it is one of another program.
    pub original: Option<Original>,
    /// The findings about what of that file could not be read.
    pub not_imported: Vec<Finding>,
    /// The absolute path, if this is itself an invalid `cpz.toml`.
    file_of_config: Option<PathBuf>,
}

impl Input {
    /// How the puzzles are searched. `budget` is the node budget of each search, instead of the one of the configuration.
    pub fn search(&self, budget: Option<u64>) -> Options {
        let config = self.config.clone();
        Options { nodes: budget.unwrap_or(config.nodes()), ..Options::new(config) }
    }

    /// Whether this is itself an invalid `cpz.toml`, and so no file of the collection.
    pub fn is_config(&self) -> bool {
        self.file_of_config.is_some()
    }
}

/// All inputs of a command.
pub struct Inputs {
    /// The texts that could be read and the invalid configurations that apply to them, sorted by path.
    pub texts: Vec<Input>,
    /// Every `cpz.toml` that applies to one of the texts or is in a folder above it, with its text.
    pub configs: Vec<(PathBuf, String)>,
    /// Whether something could not be read. That is reported already.
    pub failed: bool,
    /// What was read from standard input, if that is none of the texts: a filter must not lose it.
    pub refused: Vec<u8>,
}

/// Reads what the paths name: files, the collections in folders that no configuration excludes, and standard input for
/// `-`. Without paths, reads the current folder.
pub fn read(args: &Paths) -> Inputs {
    read_as(args, None)
}

/// As [`read`], but files of another format if one is given: their puzzles are the texts.
pub fn read_as(args: &Paths, format: Option<Format>) -> Inputs {
    let configs = Configs::default();
    let mut configs = ConfigLookup { configs, is_enabled: !args.no_config, invalid: Vec::new() };
    let (files, mut failed) = list(args, format, &mut configs);
    // A file with two names is read once, or it would be a duplicate of itself.
    let files = sort_and_dedup(files, &mut FxHashSet::default());
    let without_texts: Vec<Input> = files
        .into_iter()
        .map(|(path, file)| {
            let file = Some(file).filter(|f| f != Path::new(STDIN));
            let (config, invalid_config) = configs.of(file.as_deref().unwrap_or(Path::new("-")), &path);
            Input { display_path: one_line(&path), path, file, config, invalid_config, ..Input::default() }
        })
        .collect();
    let loaded: Vec<Result<Input, Unread>> =
        without_texts.into_par_iter().map(|input| load_as(format, input)).collect();
    let mut texts = configs.invalid;
    let mut refused = Vec::new();
    for loaded in loaded {
        match loaded {
            Ok(input) => texts.push(input),
            Err(unread) => {
                report_error(&unread.path, &unread.why);
                refused.extend(unread.bytes);
                failed = true;
            }
        }
    }
    texts.sort_by(|a, b| a.path.cmp(&b.path));
    let configs = configs.configs.into_folders().into_values().flatten();
    let mut configs: Vec<_> = configs.map(|c| (c.path.clone(), c.text.clone())).collect();
    configs.sort();
    configs.dedup();
    Inputs { texts, configs, failed, refused }
}

/// The files that the paths name, each as it is reported and as it is opened; whether a folder or file was skipped.
fn list(args: &Paths, format: Option<Format>, configs: &mut ConfigLookup) -> (Vec<(String, PathBuf)>, bool) {
    let (mut files, mut failed) = (Vec::new(), false);
    let current = [".".to_string()];
    for path in if args.paths.is_empty() { &current[..] } else { &args.paths } {
        if path == "-" {
            files.push((STDIN.to_string(), PathBuf::from(STDIN)));
        } else if Path::new(path).is_dir() {
            for file in list_folder(path, format, configs, &mut failed) {
                // Only a `.` that the user wrote is part of the reported path.
                let reported =
                    if args.paths.is_empty() { file.strip_prefix("./").unwrap_or(&file) } else { &file };
                files.push((reported.to_string_lossy().into_owned(), file));
            }
        } else {
            files.push((path.to_string(), PathBuf::from(path)));
        }
    }
    (files, failed)
}

/// The collections below a folder that no configuration excludes, or the files of another format.
fn list_folder(
    path: &str,
    format: Option<Format>,
    configs: &mut ConfigLookup,
    failed: &mut bool,
) -> Vec<PathBuf> {
    let endings = format.map_or(&["cpz"][..], Format::extensions);
    // Each format may be compressed; an own collection is not.
    let packed: Vec<String> = match format {
        Some(_) => endings.iter().map(|ending| format!("{ending}.zst")).collect(),
        None => Vec::new(),
    };
    let all: Vec<&str> = endings.iter().copied().chain(packed.iter().map(String::as_str)).collect();
    let (mut files, skipped) = walk_for(Path::new(path), &all);
    let names = endings.iter().map(|ending| format!(".{ending}")).collect::<Vec<_>>().join(" or ");
    skipped.iter().for_each(|why| report_error(path, why));
    *failed |= !skipped.is_empty();
    if files.is_empty() {
        if skipped.is_empty() {
            report_error(path, &format!("no {names} files here"));
        }
        return files;
    }
    files.retain(|f| !configs.excludes(f));
    if files.is_empty() {
        report_error(path, &format!("all {names} files here are excluded by a cpz.toml"));
    }
    files.retain(|file| {
        let is_utf8 = file.to_str().is_some();
        if !is_utf8 {
            report_error(&file.to_string_lossy(), "skipped: its name is not UTF-8");
            *failed = true;
        }
        is_utf8
    });
    files
}

impl Inputs {
    /// Reports the findings in configurations on standard error, and removes these inputs: for commands that report no
    /// findings. Returns whether there were any.
    pub fn reject_configs(&mut self) -> bool {
        let all = self.texts.len();
        for input in &self.texts {
            let index = LineIndex::new(&input.text);
            for finding in input.config_findings.iter().flatten() {
                let line = index.line(finding.span.start) + 1;
                report_error(&format!("{}:{line}", input.path), &finding.message);
            }
        }
        self.retain(|input| input.config_findings.is_none());
        self.texts.len() < all
    }

    /// Reports and removes the files to which an invalid configuration applies: for commands that write.
    pub fn reject_files_with_invalid_config(&mut self) {
        report_not_written(self.texts.iter());
        self.retain(|input| input.invalid_config.is_none());
    }

    /// Removes the inputs that are not wanted.
    fn retain(&mut self, is_wanted: impl Fn(&Input) -> bool) {
        self.texts.retain(|input| {
            if !is_wanted(input) && input.path == STDIN {
                self.refused.extend_from_slice(input.text.as_bytes());
            }
            is_wanted(input)
        });
    }
}

/// Reports the files that must not be written because their configuration is invalid: it could exclude them, or set how
/// they are written. Returns whether there are any.
pub fn report_not_written<'i>(inputs: impl Iterator<Item = &'i Input>) -> bool {
    let mut files_by_config: BTreeMap<&str, usize> = BTreeMap::new();
    for config in inputs.filter_map(|i| i.invalid_config.as_deref()) {
        *files_by_config.entry(config).or_default() += 1;
    }
    for (config, n) in &files_by_config {
        let files = if *n == 1 { "1 file is".to_string() } else { format!("{n} files are") };
        report_error(config, &format!("{files} not written, because this configuration has a mistake"));
    }
    !files_by_config.is_empty()
}

/// The path of a configuration, named like the file that it applies to: from the folder that the user gave, or else from
/// the current folder up.
fn path_of_config(config: &Path, reported: &str) -> String {
    let folder = config.parent().unwrap_or(Path::new("/"));
    let name = config.file_name().unwrap_or_default();
    // The last ancestor of a relative path is empty: the current folder.
    let given = Path::new(reported).ancestors().skip(1);
    let absolute = |given: &Path| match given.as_os_str().is_empty() {
        true => std::env::current_dir().ok(),
        false => std::path::absolute(given).ok(),
    };
    let mut given = given.filter(|given| absolute(given).as_deref() == Some(folder));
    let current = std::env::current_dir().unwrap_or_default();
    let path = match given.next() {
        Some(given) => given.join(name),
        None if Path::new(reported).is_absolute() => config.to_path_buf(),
        None => match current.strip_prefix(folder) {
            Ok(below) => below.components().map(|_| "..").collect::<PathBuf>().join(name),
            Err(_) => config.strip_prefix(&current).unwrap_or(config).to_path_buf(),
        },
    };
    path.to_string_lossy().into_owned()
}

/// Finds the configurations of files.
struct ConfigLookup {
    configs: Configs,
    /// False with `--no-config`.
    is_enabled: bool,
    /// The invalid configurations found so far.
    invalid: Vec<Input>,
}

impl ConfigLookup {
    fn find(&mut self, file: &Path) -> Option<Arc<ConfigFile>> {
        // Links are not resolved: the folder that lists a file configures it.
        let absolute = std::path::absolute(file).ok().filter(|_| self.is_enabled)?;
        self.configs.of(&absolute)
    }

    fn excludes(&mut self, file: &Path) -> bool {
        let absolute = std::path::absolute(file).unwrap_or_default();
        self.find(file).is_some_and(|c| c.excludes(&absolute))
    }

    /// The configuration of a file that is reported as `reported`, and its path if it is invalid.
    fn of(&mut self, file: &Path, reported: &str) -> (Arc<Config>, Option<String>) {
        let Some(found) = self.find(file) else { return (Arc::default(), None) };
        let findings = match &found.config {
            Ok(config) => return (config.clone(), None),
            Err(findings) => findings.clone(),
        };
        // Two files may be given in different ways; the configuration is reported once.
        if let Some(known) = self.invalid.iter().find(|i| i.file_of_config.as_ref() == Some(&found.path)) {
            return (Arc::default(), Some(known.path.clone()));
        }
        let path = path_of_config(&found.path, reported);
        self.invalid.push(Input {
            path: path.clone(),
            display_path: one_line(&path),
            text: found.text.clone(),
            config_findings: Some(findings),
            file_of_config: Some(found.path.clone()),
            ..Input::default()
        });
        (Arc::default(), Some(path))
    }
}

/// Whether a path leads to a named pipe: opening one waits for a program that writes to it, perhaps for ever. A shell
/// gives the output of a command, as in `<(command)`, a name below `/dev` or `/proc`; that one is open already.
pub(super) fn is_named_pipe(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        let is_open = path.starts_with("/dev") || path.starts_with("/proc");
        !is_open && path.metadata().is_ok_and(|m| m.file_type().is_fifo())
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}

/// Why a device is not read.
pub(super) const DEVICE: &str = "this is a device, not a file; some never end";

/// Whether an open file is a device that may never end, such as `/dev/zero`: any but a terminal, on which a person ends the
/// text, and one without contents, such as `/dev/null`.
pub(super) fn is_endless(mut file: &File, metadata: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        let kind = metadata.file_type();
        (kind.is_char_device() || kind.is_block_device())
            && !file.is_terminal()
            && file.read(&mut [0]).map_or(true, |read| read > 0)
    }
    #[cfg(not(unix))]
    {
        let _ = (&mut file, metadata);
        false
    }
}

/// The finding of a text in UTF-16 without a byte order mark. All of its bytes may be valid UTF-8.
fn utf16(text: &str) -> Option<Vec<Finding>> {
    let message = format!("{LOOKS_LIKE_UTF16}, which cpz does not read: save it as UTF-8");
    looks_like_utf16(text.as_bytes()).then(|| vec![Finding::new(Code::Syntax, Span::at(0), message)])
}

/// An input that is no text to work on.
struct Unread {
    path: String,
    why: String,
    /// What was read, if it is standard input.
    bytes: Vec<u8>,
}

/// An input with its text.
fn load_as(format: Option<Format>, input: Input) -> Result<Input, Unread> {
    let file = input.file.as_deref();
    let bytes = load_bytes(file).map_err(without_bytes);
    let loaded = match format {
        None => bytes.and_then(utf8).map(|text| (text, None)),
        Some(format) => bytes.and_then(unpacked).and_then(|bytes| {
            if looks_like_utf16(&bytes) {
                return utf8(bytes).map(|text| (text, None));
            }
            let head = String::from_utf8_lossy(&bytes[..bytes.len().min(1 << 16)]);
            let reader = reader_of(format, &head, &ImportOptions::default());
            let imported = import_file(&*reader, &bytes).map_err(without_bytes);
            imported.map(|imported| (String::new(), Some(imported)))
        }),
    };
    match loaded {
        Err((why, bytes)) => {
            let bytes = if file.is_none() { bytes } else { Vec::new() };
            Err(Unread { path: input.path, why, bytes })
        }
        Ok((text, None)) => Ok(Input { config_findings: utf16(&text), text, ..input }),
        Ok((_, Some(imported))) => {
            let skipped = imported.notices.iter().filter(|notice| !notice.imported);
            let not_imported = skipped.map(|notice| {
                let span = imported.original.span_of(notice);
                Finding::new(Code::Syntax, span, format!("not read: {}", notice.reason))
            });
            let not_imported = not_imported.collect();
            Ok(Input { text: imported.text, original: Some(imported.original), not_imported, ..input })
        }
    }
}

/// Why nothing can be read of a text.
fn without_bytes(why: String) -> (String, Vec<u8>) {
    (why, Vec::new())
}

/// The bytes of a file, unpacked if they are compressed by Zstandard.
fn unpacked(bytes: Vec<u8>) -> Result<Vec<u8>, (String, Vec<u8>)> {
    if !is_packed(&bytes) {
        return Ok(bytes);
    }
    let mut all = Vec::new();
    let packed = Unpacked::new(Box::new(io::Cursor::new(bytes)));
    let read = packed.take(MAX_TEXT as u64 + 1).read_to_end(&mut all);
    match read.map_err(|error| reason(&error)) {
        Ok(_) if all.len() > MAX_TEXT => Err(without_bytes(TOO_LONG.into())),
        Ok(_) => Ok(all),
        Err(why) => Err(without_bytes(why)),
    }
}

/// The text that bytes are, or why they are none, and the bytes.
fn utf8(bytes: Vec<u8>) -> Result<String, (String, Vec<u8>)> {
    String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..offset].iter().filter(|&&b| b == b'\n').count() + 1;
        let why = match looks_like_utf16(error.as_bytes()) {
            true => format!("{LOOKS_LIKE_UTF16}, which cpz does not read: save it as UTF-8"),
            false => format!("not UTF-8: byte {offset}, on line {line}, does not begin a character"),
        };
        (why, error.into_bytes())
    })
}

/// The bytes of a file or of standard input, or why they cannot be read.
fn load_bytes(file: Option<&Path>) -> Result<Vec<u8>, String> {
    let why = |error: io::Error| reason(&error);
    let too_long = || Err(TOO_LONG.into());
    let mut bytes = Vec::new();
    match file {
        Some(path) => {
            if is_named_pipe(path) {
                return Err("this is a named pipe; use `-` and `<` to read from it".into());
            }
            let file = File::open(path).map_err(why)?;
            let metadata = file.metadata().map_err(why)?;
            if is_endless(&file, &metadata) {
                return Err(DEVICE.into());
            }
            let length = metadata.len();
            if length > MAX_TEXT as u64 {
                return too_long();
            }
            bytes.reserve_exact(length as usize);
            file.take(MAX_TEXT as u64 + 1).read_to_end(&mut bytes).map_err(why)?;
        }
        None => {
            io::stdin().lock().take(MAX_TEXT as u64 + 1).read_to_end(&mut bytes).map_err(why)?;
        }
    }
    if bytes.len() > MAX_TEXT {
        return too_long();
    }
    Ok(bytes)
}
