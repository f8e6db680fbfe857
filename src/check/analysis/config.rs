//! `cpz.toml`: settings for all puzzles below a folder.
//!
//! This module reads texts only. The command line and the server find the files, and decide what to do about one that
//! cannot be read. The settings of an editor have the same keys, and are read by the same code.

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use crate::analysis::code_docs;
use crate::analysis::defaults::{Defaults, SquareStyle};
use crate::analysis::exclude::pattern_error;
use cpz_rules::games::{DEFAULT_MAX_SOLUTIONS, Dialect};
use cpz_text::diagnostic::{Code, CodeSet, Finding, Fix, Severity, Span};
use cpz_text::syntax::nearest;

/// The name of the file.
pub const CONFIG_FILE: &str = "cpz.toml";

/// The maximal length of the file in bytes.
pub const MAX_CONFIG_BYTES: usize = 1 << 20;

/// The largest budget in a `cpz.toml`: a minute or two of work. The file may be part of a folder from another person;
/// only the user may allow longer searches, with `--budget` or in an editor's settings.
pub const MAX_BUDGET: u64 = 100_000_000;

/// The default node budget of one search: a second or two of work at most.
pub const DEFAULT_NODES: u64 = 4_000_000;

/// The default node budget of one search that the user asked for and watches: ten seconds or so. It decides each of 107
/// published mates in five, of 31 in six, and of 55 helpmates in three.
pub const DEFAULT_NODES_WATCHED: u64 = 64_000_000;

/// The largest `max-solutions`: some ten megabytes of moves.
const MAX_MAX_SOLUTIONS: i64 = 100_000;

/// The severity of each code; nothing for those that are turned off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Severities {
    of: [Option<Severity>; Code::ALL.len()],
    /// The codes whose severity is configured.
    configured: CodeSet,
    /// Whether the hints about puzzles that are checked together are looked for.
    all_hints: bool,
}

impl Severities {
    /// The severity of a code; nothing if it is turned off.
    pub fn of(&self, code: Code) -> Option<Severity> {
        self.of[code as usize]
    }

    /// The same where all hints are wanted: with the codes that are off otherwise.
    #[must_use]
    fn with_all_hints(mut self) -> Severities {
        self.all_hints = true;
        if !self.configured.contains(Code::Dual) {
            self.of[Code::Dual as usize] = Some(code_docs::entry(Code::Dual).severity);
        }
        self
    }

    /// Whether all findings of a code are looked for. Duals need the whole tree, and boards that are asked something else and
    /// names of other files need all files, so these are looked for only where hints are wanted.
    pub(crate) fn looks_for(&self, code: Code) -> bool {
        match code {
            Code::Dual => self.of(code).is_some(),
            Code::DuplicatePuzzle | Code::DuplicateName => self.all_hints,
            _ => true,
        }
    }

    /// The severity of a code whose findings are shown.
    pub fn of_shown(&self, code: Code) -> Severity {
        self.of(code).unwrap_or(code_docs::entry(code).severity)
    }

    /// The severity of a finding that is shown.
    pub fn shown(&self, finding: &Finding) -> Severity {
        let own = finding.severity.filter(|_| !self.configured.contains(finding.code));
        own.unwrap_or_else(|| self.of_shown(finding.code))
    }
}

impl Default for Severities {
    fn default() -> Severities {
        // Many sound problems have duals, so only who asks for them hears of them.
        let shown = |code: Code| (code != Code::Dual).then_some(code_docs::entry(code).severity);
        let of = std::array::from_fn(|i| shown(Code::ALL[i]));
        Severities { of, configured: CodeSet::default(), all_hints: false }
    }
}

/// A configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// The defaults of files.
    pub settings: Defaults,
    /// The node budget of one search; none where nothing says one.
    pub budget: Option<u64>,
    /// The number of solutions of a chess problem that are listed at most.
    pub max_solutions: usize,
    /// The severity of each code.
    pub severities: Severities,
    /// Patterns of files and folders to skip, as in a `.gitignore` in the folder of the file.
    pub exclude: Vec<String>,
}

impl Config {
    /// The node budget of one search.
    pub fn nodes(&self) -> u64 {
        self.budget.unwrap_or(DEFAULT_NODES)
    }

    /// The node budget of one search that the user asked for, watches and can stop.
    pub fn nodes_watched(&self) -> u64 {
        self.budget.unwrap_or(DEFAULT_NODES_WATCHED)
    }

    /// The same where all hints are wanted.
    #[must_use]
    pub fn with_all_hints(&self) -> Config {
        Config { severities: self.severities.with_all_hints(), ..self.clone() }
    }
}

impl Default for Config {
    fn default() -> Config {
        Config {
            settings: Defaults::default(),
            budget: None,
            max_solutions: DEFAULT_MAX_SOLUTIONS,
            severities: Severities::default(),
            exclude: Vec::new(),
        }
    }
}

/// Reads the text of a `cpz.toml`.
///
/// # Errors
/// All mistakes in it.
pub fn read_config(text: &str) -> Result<Config, Vec<Finding>> {
    let (table, errors) = DeTable::parse_recoverable(text);
    let mut reader =
        Reader { config: Config::default(), findings: Vec::new(), others: &[], max_budget: MAX_BUDGET };
    for error in errors {
        let span = error.span().map_or(Span::at(0), |s| Span::new(s.start as u32, s.end as u32));
        reader.findings.push(unreadable(text, span, error.message()));
    }
    reader.findings.sort_by_key(|f| f.span.start);
    let line = |at: u32| text.as_bytes()[..at as usize].iter().filter(|&&byte| byte == b'\n').count();
    // What cannot be read of a line is one slip, and one of a header moves the keys below it to another table.
    reader.findings.dedup_by_key(|finding| line(finding.span.start));
    let broken: Vec<usize> = reader.findings.iter().map(|finding| line(finding.span.start)).collect();
    let is_header = |line: &usize| text.lines().nth(*line).is_some_and(|l| l.trim_start().starts_with('['));
    let header = broken.iter().copied().find(is_header).unwrap_or(usize::MAX);
    let slips = reader.findings.len();
    reader.table(entries(table.get_ref()));
    let mut index = 0;
    reader.findings.retain(|finding| {
        index += 1;
        let at = line(finding.span.start);
        // A value that cannot be read has no place.
        index <= slips || !broken.contains(&at) && at < header && !(slips > 0 && finding.span.is_empty())
    });
    reader.findings.sort_by_key(|f| f.span.start);
    if reader.findings.is_empty() { Ok(reader.config) } else { Err(reader.findings) }
}

/// The finding for text that is no TOML. The library that reads it speaks to programmers.
fn unreadable(text: &str, span: Span, message: &str) -> Finding {
    let is = |start: &str| message.starts_with(start);
    let value = &text[span.range()];
    // A word that was meant as a text.
    let is_word = !value.is_empty() && value.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    let plain = if is("invalid basic string") {
        "this text is not closed on its line; write `\"` where it ends"
    } else if is("invalid literal string") {
        "this text is not closed on its line; write `'` where it ends"
    } else if is("unclosed array") {
        "this list is not closed; write `]` where it ends"
    } else if is("unclosed table") {
        "this heading is not closed; write `]` where it ends"
    } else if is("duplicate key") {
        "this is set twice"
    } else if is("invalid unquoted key") {
        "expected a name and its value, as in `budget = 1000000`"
    } else if is("string values must be quoted") && value.is_empty() {
        "a value is missing here"
    } else if is("string values must be quoted") && is_word {
        let fix = Fix::new("put it in quotes", span, format!("\"{value}\""), true);
        return Finding::new(Code::Syntax, span, format!("a text stands in quotes: `\"{value}\"`")).fix(fix);
    } else if is("string values must be quoted") {
        "this is no value; a value is a number, `true`, `false`, a text in quotes, or a list"
    } else {
        message.trim_end_matches('.')
    };
    Finding::new(Code::Syntax, span, plain)
}

/// Reads settings with the same keys on top of a configuration, and returns the mistakes in them. Keys in `others` are
/// skipped.
pub fn add_settings(
    config: &mut Config,
    settings: Vec<Entry>,
    others: &'static [&'static str],
) -> Vec<Finding> {
    let mut reader = Reader { config: config.clone(), findings: Vec::new(), others, max_budget: u64::MAX };
    reader.table(settings);
    *config = reader.config;
    reader.findings
}

/// A value of a setting, from TOML or from an editor.
#[derive(Clone, Debug)]
pub enum Setting {
    /// A string.
    Text(String),
    /// A whole number.
    Number(i64),
    /// A list, with the place of each element.
    List(Vec<(Setting, Span)>),
    /// A table.
    Table(Vec<Entry>),
    /// A value of a kind that no key has.
    Other,
}

/// A key and its value.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// The place of the key.
    pub at: Span,
    /// Its value.
    pub value: Setting,
    /// The place of the value.
    pub span: Span,
}

fn place(range: std::ops::Range<usize>) -> Span {
    Span::new(range.start as u32, range.end as u32)
}

fn entries(table: &DeTable<'_>) -> Vec<Entry> {
    let entry = |(key, value): (&Spanned<DeString<'_>>, &Spanned<DeValue<'_>>)| Entry {
        key: key.get_ref().to_string(),
        at: place(key.span()),
        value: setting(value.get_ref()),
        span: place(value.span()),
    };
    let mut entries: Vec<Entry> = table.iter().map(entry).collect();
    entries.sort_by_key(|e| e.at.start);
    entries
}

fn setting(value: &DeValue<'_>) -> Setting {
    match value {
        DeValue::String(text) => Setting::Text(text.to_string()),
        DeValue::Integer(n) => {
            i64::from_str_radix(n.as_str(), n.radix()).map_or(Setting::Other, Setting::Number)
        }
        DeValue::Array(list) => {
            Setting::List(list.iter().map(|e| (setting(e.get_ref()), place(e.span()))).collect())
        }
        DeValue::Table(table) => Setting::Table(entries(table)),
        DeValue::Float(_) | DeValue::Boolean(_) | DeValue::Datetime(_) => Setting::Other,
    }
}

/// The keys of a file.
pub const KEYS: &[&str] = &["rules", "empty", "budget", "max-solutions", "exclude", "answers", "severity"];
/// The values of `severity`.
const LEVELS: &[&str] = &["error", "warning", "hint", "off"];

struct Reader {
    config: Config,
    findings: Vec<Finding>,
    others: &'static [&'static str],
    /// The largest budget.
    max_budget: u64,
}

impl Reader {
    fn wrong(&mut self, span: Span, message: impl Into<String>) {
        self.findings.push(Finding::new(Code::InvalidValue, span, message));
    }

    /// Reports an unknown key, with a fix if it is nearly a known one.
    fn unknown(&mut self, entry: &Entry, what: &str, known: &[&str]) {
        let key = &entry.key;
        let finding = match nearest(key, known.iter().copied()) {
            Some(i) => {
                let message = format!("there is no {what} `{key}`; did you mean `{}`?", known[i]);
                let fix = Fix::new(format!("replace with `{}`", known[i]), entry.at, known[i], false);
                Finding::new(Code::UnknownKeyword, entry.at, message).fix(fix)
            }
            None => {
                let message = format!("there is no {what} `{key}`, only {}", known.join(", "));
                Finding::new(Code::UnknownKeyword, entry.at, message)
            }
        };
        self.findings.push(finding);
    }

    /// The index of a value among the words that a key takes.
    fn word(&mut self, entry: &Entry, words: &[&str]) -> Option<usize> {
        let Setting::Text(text) = &entry.value else {
            self.wrong(entry.span, format!("`{}` is one of {}, in quotes", entry.key, words.join(", ")));
            return None;
        };
        let found = words.iter().position(|w| w == text);
        if found.is_none() {
            let message = format!("`{}` is one of {}", entry.key, words.join(", "));
            let mut finding = Finding::new(Code::InvalidValue, entry.span, message);
            if let Some(i) = nearest(text, words.iter().copied()) {
                let text = format!("\"{}\"", words[i]);
                finding = finding.fix(Fix::new(format!("replace with {text}"), entry.span, text, false));
            }
            self.findings.push(finding);
        }
        found
    }

    fn table(&mut self, entries: Vec<Entry>) {
        for entry in &entries {
            match entry.key.as_str() {
                "rules" => {
                    let words = Dialect::ALL.map(Dialect::word);
                    if let Some(i) = self.word(entry, &words) {
                        self.config.settings.dialect = Some(Dialect::ALL[i]);
                    }
                }
                "empty" => self.empty(entry),
                "budget" => match entry.value {
                    Setting::Number(n) if n > 0 && n as u64 <= self.max_budget => {
                        self.config.budget = Some(n as u64)
                    }
                    Setting::Number(n) if n > 0 => {
                        let message = "`budget` is 100,000,000 nodes at most; `--budget` and an editor's own settings take more";
                        let fix = Fix::new("lower it", entry.span, self.max_budget.to_string(), false);
                        self.findings.push(Finding::new(Code::InvalidValue, entry.span, message).fix(fix));
                    }
                    _ => self.wrong(entry.span, "`budget` is a number of nodes above 0"),
                },
                "max-solutions" => match entry.value {
                    Setting::Number(n) if (1..=MAX_MAX_SOLUTIONS).contains(&n) => {
                        self.config.max_solutions = n as usize;
                    }
                    _ => self.wrong(entry.span, "`max-solutions` is a number of solutions from 1 to 100,000"),
                },
                "exclude" => self.exclude(entry),
                "answers" => self.inner(entry, Reader::answers),
                "severity" => self.inner(entry, Reader::severity),
                key if self.others.contains(&key) => {}
                _ => {
                    let known: Vec<&str> = KEYS.iter().chain(self.others).copied().collect();
                    self.unknown(entry, "setting", &known);
                }
            }
        }
    }

    fn inner(&mut self, entry: &Entry, each: impl Fn(&mut Reader, &Entry)) {
        match &entry.value {
            Setting::Table(table) => table.iter().for_each(|e| each(self, e)),
            _ => self
                .wrong(entry.span, format!("`{}` takes a group of settings, not a single value", entry.key)),
        }
    }

    fn empty(&mut self, entry: &Entry) {
        let mut letters = match &entry.value {
            Setting::Text(text) => text.chars(),
            _ => "".chars(),
        };
        match (letters.next(), letters.next()) {
            // The language reads any other character as a piece, a number or a sign of its own.
            (Some(c), None)
                if !c.is_alphanumeric() && !c.is_whitespace() && !c.is_control() && !"'\"[]{}(),/".contains(c) =>
            {
                self.config.settings.empty = Some(c);
            }
            _ => self.wrong(entry.span, "`empty` is one character that is neither a letter, a number, white space nor one of ' \" [ ] { } ( ) , /"),
        }
    }

    fn exclude(&mut self, entry: &Entry) {
        let Setting::List(list) = &entry.value else {
            return self
                .wrong(entry.span, "`exclude` is a list of patterns, as in [\"drafts/\", \"old-*.cpz\"]");
        };
        self.config.exclude.clear();
        for (pattern, span) in list {
            let Setting::Text(pattern) = pattern else {
                self.wrong(*span, "a pattern is a text in quotes");
                continue;
            };
            match pattern_error(pattern) {
                None => self.config.exclude.push(pattern.clone()),
                Some(error) => self.wrong(*span, format!("this pattern cannot be read: {error}")),
            }
        }
    }

    fn answers(&mut self, entry: &Entry) {
        match entry.key.as_str() {
            "squares" => {
                if let Some(i) = self.word(entry, &SquareStyle::ALL.map(|s| s.1)) {
                    self.config.settings.notation.squares = SquareStyle::ALL[i].0;
                }
            }
            "verdicts" => {
                if let Some(i) = self.word(entry, &["words", "booleans"]) {
                    self.config.settings.notation.booleans = i == 1;
                }
            }
            _ => self.unknown(entry, "setting of `answers`", &["squares", "verdicts"]),
        }
    }

    fn severity(&mut self, entry: &Entry) {
        let Some(code) = Code::from_name(&entry.key) else {
            let names: Vec<&str> = Code::ALL.iter().map(|c| c.name()).collect();
            return self.unknown(entry, "diagnostic code", &names);
        };
        if let Some(i) = self.word(entry, LEVELS) {
            let levels = [Some(Severity::Error), Some(Severity::Warning), Some(Severity::Hint), None];
            self.config.severities.of[code as usize] = levels[i];
            self.config.severities.configured.insert(code);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::analysis::defaults::Notation;
    use crate::analysis::exclude::Exclude;

    #[test]
    fn each_mistake_is_reported_at_its_place() {
        let text = "rule = 'solo'\nempty = 'x'\nbudget = 0\nexclude = ['[z-a]', '[z', 5]\n[answers]\nsquares = \"name\"\n\
                    [severity]\ntoo-many-kings = 'of'\nunsolvabel = 'off'\n";
        let found: Vec<(&str, String)> = read_config(text)
            .expect_err("mistakes")
            .iter()
            .map(|f| {
                (&text[f.span.range()], f.fixes.first().map_or(String::new(), |f| f.edits[0].text.clone()))
            })
            .collect();
        let found: Vec<(&str, &str)> = found.iter().map(|(a, b)| (*a, b.as_str())).collect();
        let expected = [
            ("rule", "rules"),
            ("'x'", ""),
            ("0", ""),
            ("'[z-a]'", ""),
            ("'[z'", ""),
            ("5", ""),
            ("\"name\"", "\"names\""),
            ("'of'", "\"off\""),
            ("unsolvabel", "unsolvable"),
        ];
        // Without the feature every pattern is accepted.
        let is_found = |(place, _): &(&str, &str)| cfg!(feature = "native") || !place.starts_with("'[z");
        assert_eq!(found, expected.into_iter().filter(is_found).collect::<Vec<_>>());
        let torn = "rules = \"solo\nempty = '.'\nbudget = = 5\n";
        assert!(read_config(torn).expect_err("torn").len() >= 2, "one mistake must not hide another");
    }

    #[test]
    fn every_key_is_read() {
        let text = "rules = 'solo'\nempty = '·'\nbudget = 0x10\nexclude = ['drafts/']\n\
                    [answers]\nsquares = 'names'\nverdicts = 'booleans'\n[severity]\ntoo-many-kings = 'off'\nundecided = 'error'\n";
        let config = read_config(text).expect("it is good");
        let settings = config.settings;
        assert_eq!((settings.dialect, settings.empty), (Some(Dialect::Solo), Some('·')));
        assert_eq!(settings.notation, Notation { squares: SquareStyle::Names, booleans: true });
        assert_eq!((config.nodes(), config.severities.of(Code::TooManyKings)), (16, None));
        assert_eq!(config.severities.of(Code::Undecided), Some(Severity::Error));
        let mark = Finding::new(Code::WrongMark, Span::at(0), "").severity(Severity::Error);
        assert_eq!(config.severities.shown(&mark), Severity::Error, "its own");
        let undecided = Finding::new(Code::Undecided, Span::at(0), "").severity(Severity::Hint);
        assert_eq!(config.severities.shown(&undecided), Severity::Error, "the configured one");
        let exclude = Exclude::new(Path::new("/w"), &config.exclude);
        assert_eq!(exclude.holds(Path::new("/w/a/drafts/b.cpz")), cfg!(feature = "native"));
        assert!(!exclude.holds(Path::new("/w/a/drafts.cpz")));
        assert_eq!(read_config("").expect("nothing is no mistake"), Config::default());
    }

    #[test]
    fn what_is_no_toml_is_said_in_plain_words() {
        for (text, place, part) in [
            ("rules = \"ranger\n", "", "write `\"` where it ends"),
            ("rules = 'ranger\n", "", "write `'` where it ends"),
            ("exclude = ['a',\n", "", "this list is not closed"),
            ("[severity\n", "", "this heading is not closed"),
            ("budget = 10\nbudget = 20\n", "budget", "set twice"),
            ("budget: 100\n", ":", "a name and its value"),
            ("budget = \n", "", "a value is missing"),
            ("budget = 1 000\n", "1 000", "this is no value"),
            ("rules = ranger\n", "ranger", "`\"ranger\"`"),
        ] {
            let Err(findings) = read_config(text) else { panic!("{text}: nothing found") };
            let [finding] = &findings[..] else { panic!("{text}: {findings:#?}") };
            assert!(finding.message.contains(part), "{text}: {}", finding.message);
            assert_eq!(&text[finding.span.range()], place, "{text}");
            if let Some(fix) = finding.fixes.first() {
                let fixed = text.replace(place, &fix.edits[0].text);
                assert!(fix.safe && read_config(&fixed).is_ok(), "{fixed}");
            }
        }
    }
}
