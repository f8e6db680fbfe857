//! Fixture files: many small cases, each an input and what must be found in it.
//!
//! ```text
//! Free text about the file.
//! === title of a case
//! solitaire { board ⟦X⟧..N.....R....B. solve }
//! --- check
//! error unknown-piece = 1
//! --- answers
//! {"solvable":true}
//! ```
//!
//! `⟦…⟧` marks a range and is taken out before the binary sees the text; ranges are numbered by
//! their opening brackets, from 1. `--- file NAME` starts a further file of the same case.
//!
//! After `--- check`, or `--- check --hints`, each line is a finding, `SEVERITY CODE [PLACE] [~ WORDS]`:
//! - SEVERITY and CODE may be `any`; CODE may be several with `|` between them.
//! - PLACE is `= N` (this very range), `in N` (nothing outside of it), `on N` (starts on its line);
//!   where it is left out the contract does not say where.
//! - WORDS must stand in the message, in any case.
//! - `some` before it means one or more such findings; `maybe` means any number, none too.
//! - `no CODE` forbids a code, and `others` allows findings that are not listed.
//!
//! Nothing listed means that the file is clean.
//!
//! After `--- answers` stands one JSON value to a line for each query of `solve --format json`.
//! Keys left out are not compared, `"*"` stands for any text, and `any` for any answer.
//!
//! `CPZ_CASE='words of a title'` runs only the cases with these words in their titles. `CPZ_BLESS=1` rewrites the
//! expectations that fail and leaves all else as it is, byte by byte: rules that hold stay, others go, and a
//! finding without a rule gets one.

use serde_json::Value;
use std::fmt::Write as _;

use super::{CODES, Finding, Position, Range};

pub struct Case {
    pub title: String,
    pub files: Vec<(String, String)>,
    pub marks: Vec<(String, Range)>,
    pub check: Option<Vec<Rule>>,
    /// Whether hints are findings too.
    pub hints: bool,
    pub answers: Option<Vec<String>>,
    /// As written, for the report of a failure.
    source: String,
}

#[derive(Clone, Debug)]
pub enum Rule {
    Finding { line: String, times: Times, severity: String, codes: Vec<String>, place: Place, words: String },
    No(String),
    Others,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Times {
    One,
    Some,
    Maybe,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Anywhere,
    Exactly(usize),
    Inside(usize),
    OnLine(usize),
}

/// Reads the cases of a fixture file. Panics on a fixture that says nothing or too much: a case
/// that is not compared is worse than none.
pub fn read(text: &str) -> Vec<Case> {
    let mut cases = Vec::new();
    for part in text.split(START).skip(1) {
        let (title, body) = part.split_once('\n').expect("a title on its own line");
        cases.push(case(title.trim(), body));
    }
    assert!(!cases.is_empty(), "the file holds no case");
    let mut titles: Vec<_> = cases.iter().map(|c| &c.title).collect();
    titles.sort();
    titles.dedup();
    assert_eq!(titles.len(), cases.len(), "two cases share a title");
    cases
}

/// The text of a fixture file with the expectations of some cases, by their number, as these turned out.
pub fn blessed(text: &str, outcomes: &[(usize, Outcome)]) -> String {
    let mut parts: Vec<String> = text.split(START).map(str::to_owned).collect();
    for (case, outcome) in outcomes {
        parts[case + 1] = outcome.bless(&parts[case + 1]);
    }
    parts.join(START)
}

/// What divides the cases of a file.
const START: &str = "\n=== ";

/// What became of a case.
#[derive(Default)]
pub struct Outcome {
    /// What is wrong; empty when the case passes.
    pub failure: String,
    /// The lines after `--- check` that do not hold, and those that are missing.
    check: Option<(Vec<String>, Vec<String>)>,
    /// The lines after `--- answers` as they should be.
    answers: Option<Vec<String>>,
}

impl Outcome {
    /// The text of a case, from its title on, with the expectations as they turned out.
    fn bless(&self, part: &str) -> String {
        let trimmed = part.trim_end();
        let end = trimmed.len() + part[trimmed.len()..].find('\n').map_or(0, |at| at + 1);
        let (mut out, mut section) = (String::new(), "");
        // What is missing goes behind the last line of its section.
        let close = |out: &mut String, section: &str| {
            let more = match (section, &self.check) {
                ("check" | "check --hints", Some((_, missing))) if !missing.is_empty() => missing,
                _ => return,
            };
            let rest = out.split_off(out.trim_end().len() + 1);
            more.iter().for_each(|line| out.push_str(&format!("{line}\n")));
            out.push_str(&rest);
        };
        let mut wrong = self.check.as_ref().map(|(wrong, _)| wrong.clone()).unwrap_or_default();
        let mut answers = self.answers.iter().flatten();
        for line in part[..end].split_inclusive('\n') {
            let bare = line.trim_end_matches(['\n', '\r']);
            if let Some(head) = line.strip_prefix("--- ") {
                close(&mut out, section);
                section = head.trim_end();
                out.push_str(line);
                if section == "answers" && self.answers.is_some() {
                    // All of them, since their number may have changed.
                    answers.by_ref().for_each(|answer| out.push_str(&format!("{answer}\n")));
                }
                continue;
            }
            match section {
                "check" | "check --hints" if wrong.iter().any(|w| w == bare) => {
                    let at = wrong.iter().position(|w| w == bare).expect("just found");
                    wrong.remove(at);
                }
                "answers" if self.answers.is_some() && !bare.trim().is_empty() => {}
                _ => out.push_str(line),
            }
        }
        if !out.ends_with('\n') {
            out.push('\n');
        }
        close(&mut out, section);
        out + &part[end..]
    }
}

fn case(title: &str, body: &str) -> Case {
    let mut case = Case {
        title: title.to_owned(),
        files: Vec::new(),
        marks: Vec::new(),
        check: None,
        hints: false,
        answers: None,
        source: body.trim_end().to_owned(),
    };
    let mut name = "a.cpz".to_owned();
    let mut input = String::new();
    let mut section = "file";
    for line in body.trim_end().lines() {
        if let Some(head) = line.strip_prefix("--- ") {
            if section == "file" {
                case.file(&name, &input);
                input.clear();
            }
            section = match head.split_once(' ') {
                Some(("file", next)) => {
                    name = next.to_owned();
                    "file"
                }
                _ if head == "check" || head == "check --hints" => {
                    case.hints = head != "check";
                    case.check = Some(Vec::new());
                    "check"
                }
                _ if head == "answers" => {
                    case.answers = Some(Vec::new());
                    "answers"
                }
                _ => panic!("{title}: unknown section {head}"),
            };
            continue;
        }
        match section {
            "file" => {
                input.push_str(line);
                input.push('\n');
            }
            _ if line.trim().is_empty() => {}
            "check" => {
                let rule =
                    rule(line, case.marks.len()).unwrap_or_else(|| panic!("{title}: cannot read {line:?}"));
                case.check.as_mut().expect("opened above").push(rule);
            }
            _ => {
                assert!(
                    line == "any" || serde_json::from_str::<Value>(line).is_ok(),
                    "{title}: {line} is no JSON"
                );
                let answers = case.answers.as_mut().expect("opened above");
                answers.push(line.to_owned());
            }
        }
    }
    assert!(section != "file", "{title}: nothing is expected of the case");
    case
}

impl Case {
    /// Takes the marks out of a text and keeps their ranges.
    fn file(&mut self, name: &str, marked: &str) {
        let mut text = String::new();
        let mut open = Vec::new();
        let mut at = Position { line: 0, character: 0 };
        for c in marked.chars() {
            match c {
                '⟦' => {
                    open.push(self.marks.len());
                    self.marks.push((name.to_owned(), Range { start: at, end: at }));
                }
                '⟧' => self.marks[open.pop().expect("an open mark")].1.end = at,
                '\n' => {
                    text.push(c);
                    at = Position { line: at.line + 1, character: 0 };
                }
                _ => {
                    text.push(c);
                    at.character += c.len_utf16();
                }
            }
        }
        assert!(open.is_empty(), "{}: a mark is not closed", self.title);
        self.files.push((name.to_owned(), text));
    }

    /// Runs the case.
    pub fn run(&self) -> Outcome {
        let mut outcome = Outcome::default();
        let mut wrong = String::new();
        let files: Vec<(&str, &str)> =
            self.files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        if let Some(rules) = &self.check {
            let options: &[&str] = if self.hints { &["--hints"] } else { &[] };
            // A panic in here is one more way to fail, and must not hide the cases after it.
            match std::panic::catch_unwind(|| super::check_with(&files, options)) {
                Ok(found) => {
                    let (message, broken, missing) = self.compare(rules, &found);
                    wrong += &message;
                    if !broken.is_empty() || !missing.is_empty() {
                        outcome.check = Some((broken, missing));
                    }
                }
                Err(cause) => {
                    let _ = writeln!(wrong, "  check: {}", panic_message(cause.as_ref()));
                }
            }
        }
        if let Some(expected) = &self.answers {
            match std::panic::catch_unwind(|| super::solve(files[0].1)) {
                Ok(actual) => {
                    let message = compare_answers(expected, &actual);
                    if !message.is_empty() {
                        outcome.answers = Some(bless_answers(expected, &actual));
                    }
                    wrong += &message;
                }
                Err(cause) => {
                    let _ = writeln!(wrong, "  solve: {}", panic_message(cause.as_ref()));
                }
            }
        }
        if !wrong.is_empty() {
            outcome.failure = format!("=== {}\n{}\n{wrong}", self.title, self.source);
        }
        outcome
    }

    /// What is wrong, the lines of the rules that do not hold, and the lines that are missing.
    fn compare(&self, rules: &[Rule], found: &[Finding]) -> (String, Vec<String>, Vec<String>) {
        let mut broken = Vec::new();
        let mut wrong = String::new();
        let mut used = vec![false; found.len()];
        // Exact places first, so that a vague rule does not take what a strict one needs.
        let mut order: Vec<&Rule> = rules.iter().collect();
        order.sort_by_key(|rule| match rule {
            Rule::Finding { times, place, .. } => (*times as usize, usize::from(*place == Place::Anywhere)),
            Rule::No(_) | Rule::Others => (3, 0),
        });
        for rule in order {
            match rule {
                Rule::Finding { line, times, .. } => {
                    let mut hits = 0;
                    for (n, finding) in found.iter().enumerate() {
                        if !used[n] && (*times != Times::One || hits == 0) && self.fits(rule, finding) {
                            used[n] = true;
                            hits += 1;
                        }
                    }
                    if hits == 0 && *times != Times::Maybe {
                        let _ = writeln!(wrong, "  missing: {line}");
                        broken.push(line.clone());
                    }
                }
                Rule::No(code) => {
                    for finding in found.iter().filter(|f| f.code == *code) {
                        let _ = writeln!(wrong, "  forbidden: {}", show(finding));
                        broken.push(format!("no {code}"));
                    }
                }
                Rule::Others => used.fill(true),
            }
        }
        let mut missing = Vec::new();
        for (finding, _) in found.iter().zip(used).filter(|(_, used)| !used) {
            let _ = writeln!(wrong, "  not expected: {}", show(finding));
            missing.push(self.rule_for(finding));
        }
        if !wrong.is_empty() && !found.is_empty() {
            wrong += "  all findings:\n";
            for finding in found {
                let _ = writeln!(wrong, "    {}", show(finding));
            }
        }
        broken.dedup();
        (wrong, broken, missing)
    }

    /// The narrowest rule that a finding fits.
    fn rule_for(&self, finding: &Finding) -> String {
        let Finding { path, code, severity, message, range, .. } = finding;
        let marks = || (1..).zip(&self.marks).filter(|(_, (name, _))| name == path);
        let equal = marks().find(|(_, (_, mark))| mark == range).map(|(n, _)| format!(" = {n}"));
        let inside = || marks().filter(|(_, (_, mark))| mark.holds(range)).last();
        let on_line = || marks().find(|(_, (_, mark))| mark.start.line == range.start.line);
        let place = equal
            .or_else(|| inside().map(|(n, _)| format!(" in {n}")))
            .or_else(|| on_line().map(|(n, _)| format!(" on {n}")))
            .unwrap_or_default();
        format!("{severity} {code}{place} ~ {message}")
    }

    fn fits(&self, rule: &Rule, finding: &Finding) -> bool {
        let Rule::Finding { severity, codes, place, words, .. } = rule else {
            return false;
        };
        let mark = |n: usize| {
            let (name, range) = &self.marks[n - 1];
            (*name == finding.path).then_some(*range)
        };
        let range = finding.range;
        (severity == "any" || *severity == finding.severity)
            && (codes[0] == "any" || codes.contains(&finding.code))
            && finding.message.to_lowercase().contains(&words.to_lowercase())
            && match *place {
                Place::Anywhere => true,
                Place::Exactly(n) => mark(n) == Some(range),
                Place::Inside(n) => mark(n).is_some_and(|m| m.holds(&range)),
                Place::OnLine(n) => mark(n).is_some_and(|m| m.start.line == range.start.line),
            }
    }
}

fn rule(line: &str, marks: usize) -> Option<Rule> {
    if line == "others" {
        return Some(Rule::Others);
    }
    let known = |code: &str| CODES.contains(&code) || code == "any";
    let (rest, words) = line.split_once(" ~ ").unwrap_or((line, ""));
    let mut parts: Vec<&str> = rest.split_whitespace().collect();
    if let ["no", code] = parts[..] {
        return known(code).then(|| Rule::No(code.to_owned()));
    }
    let times = match parts[0] {
        "some" => Times::Some,
        "maybe" => Times::Maybe,
        _ => Times::One,
    };
    if times != Times::One {
        parts.remove(0);
    }
    let place = match parts.get(2..)? {
        [] => Place::Anywhere,
        [how, n] => {
            let n: usize = n.parse().ok().filter(|n| (1..=marks).contains(n))?;
            match *how {
                "=" => Place::Exactly(n),
                "in" => Place::Inside(n),
                "on" => Place::OnLine(n),
                _ => return None,
            }
        }
        _ => return None,
    };
    let severity = ["error", "warning", "hint", "any"].contains(&parts[0]).then(|| parts[0].to_owned())?;
    let codes: Vec<String> = parts[1].split('|').map(str::to_owned).collect();
    codes.iter().all(|code| known(code)).then(|| Rule::Finding {
        line: line.to_owned(),
        times,
        severity,
        codes,
        place,
        words: words.to_owned(),
    })
}

fn compare_answers(expected: &[String], actual: &[(String, Value)]) -> String {
    let mut wrong = String::new();
    if expected.len() != actual.len() {
        let _ = writeln!(wrong, "  {} answers and not {}: {actual:?}", actual.len(), expected.len());
    }
    for (n, (expected, (verb, actual))) in expected.iter().zip(actual).enumerate() {
        if expected == "any" {
            continue;
        }
        let expected = ordered(serde_json::from_str(expected).expect("read before"));
        if !covers(&expected, &ordered(actual.clone())) {
            let _ =
                writeln!(wrong, "  query {}, {verb}:\n    expected {expected}\n    actual   {actual}", n + 1);
        }
    }
    wrong
}

/// The lines of the answers as they should be: those that hold as they are written.
fn bless_answers(expected: &[String], actual: &[(String, Value)]) -> Vec<String> {
    let line = |(n, (verb, answer)): (usize, &(String, Value))| match expected.get(n) {
        Some(line)
            if compare_answers(std::slice::from_ref(line), &[(verb.clone(), answer.clone())]).is_empty() =>
        {
            line.clone()
        }
        _ => answer.to_string(),
    };
    actual.iter().enumerate().map(line).collect()
}

/// Sorts the lists whose order the contract leaves open.
fn ordered(mut value: Value) -> Value {
    let text = |v: &Value| v.to_string();
    if let Some(list) = value.get_mut("pieces").and_then(Value::as_array_mut) {
        list.sort_by_key(text);
    }
    if let Some(list) = value.get_mut("captures").and_then(Value::as_array_mut) {
        for capture in list {
            if let Some(taken) = capture.get_mut("taken").and_then(Value::as_array_mut) {
                taken.sort_by_key(text);
            }
        }
    }
    value
}

/// Whether everything that is expected is there.
fn covers(expected: &Value, actual: &Value) -> bool {
    match (expected, actual) {
        (Value::String(any), Value::String(text)) if any == "*" => !text.is_empty(),
        (Value::Object(wanted), Value::Object(_)) => {
            wanted.iter().all(|(key, value)| actual.get(key).is_some_and(|a| covers(value, a)))
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| covers(a, b))
        }
        _ => expected == actual,
    }
}

fn show(finding: &Finding) -> String {
    let Range { start, end } = finding.range;
    format!(
        "{} {} {} {}:{}-{}:{} ~ {}",
        finding.path,
        finding.severity,
        finding.code,
        start.line,
        start.character,
        end.line,
        end.character,
        finding.message
    )
}

/// The message of a caught panic.
fn panic_message(cause: &(dyn std::any::Any + Send)) -> String {
    cause
        .downcast_ref::<String>()
        .cloned()
        .or_else(|| cause.downcast_ref::<&str>().map(|s| (*s).to_owned()))
        .unwrap_or_default()
}
