//! The entries of Olive and YACPDB, in YAML of both ages or in JSON.
//!
//! The files import each other in this order: solution, men, source < this file.

mod men;
mod solution;
mod source;

use crate::duplex::duplex_parts;
use crate::fairy::fairy_keyword;
use crate::import::entry::{Answer, Entry, Value};
use crate::import::notice::Item;
use crate::import::pgn::study_line;
use crate::import::popeye::{Tokens, Twin, ask_twins, english, make_twin, read_options};
use crate::import::reader::Reader;
use crate::import::record::{Boundary, Record};
use crate::import::task::Task;
use crate::import::yaml::{Field, Yaml, documents};
use cpz_check::analysis::is_solution;
use cpz_rules::games::{Stipulation, after_pass};
use cpz_text::syntax::is_ply_counts;
use men::{fairy_effect, read_men};
use solution::{Printed, read_printed};

/// The bytes of a printed solution that is read. The longest that programs print have some ten thousand.
const MAX_SOLUTION: usize = 1 << 19;

/// The kind of change that only a keyword tells.
const FAIRY_KEYWORD: &str = "fairy keyword";

/// The reader.
pub(super) struct Olv;

impl Reader for Olv {
    fn boundary(&self) -> Boundary {
        Boundary::Document
    }

    fn read(&self, record: &Record) -> Vec<Item> {
        let is_blank = |line: &str| {
            let line = line.trim();
            line.is_empty() || line.starts_with(['%', '#']) || line == "---" || line == "..."
        };
        if record.text.lines().all(is_blank) {
            return Vec::new();
        }
        let entries = documents(&record.text, "algebraic");
        let mut items: Vec<Item> = Vec::new();
        for fields in entries {
            let at = fields.first().map_or(0, |field| field.at);
            match problem(&fields) {
                Ok(problem) => {
                    items.extend(problem.items(record, at));
                    items.extend(problem.broken.into_iter().map(|(at, why)| Item::remark(record, at, why)));
                }
                Err(why) => items.push(Item::skipped(record, at, why)),
            }
        }
        if items.is_empty() {
            items.push(Item::skipped(record, 0, "this is no entry: it has no `algebraic` with its men"));
        }
        items
    }
}

/// An entry that was read.
struct Problem {
    task: Task,
    /// What all twins have: id, author, source and the like.
    properties: Entry,
    /// The letters of the twins and how they are made.
    twins: Vec<(String, String)>,
    printed: Printed,
    /// Why the solution is no answer.
    unreadable: bool,
    intended: Option<String>,
    /// What is wrong with fields, and where they begin.
    broken: Vec<(usize, String)>,
}

/// Reads the fields of an entry.
///
/// # Errors
/// Why it has no board.
fn problem(fields: &[Field]) -> Result<Problem, String> {
    let mut boards = fields.iter().filter(|field| field.name == "algebraic");
    let board = boards.next().ok_or("this is no entry: it has no `algebraic` with its men")?;
    if boards.next().is_some() {
        return Err("it has two boards; `---` must part two entries".to_string());
    }
    if let Some(why) = board.broken {
        return Err(format!("`algebraic` breaks off: {why}"));
    }
    let mut task = Task::new();
    read_men(&board.value, &mut task)?;
    let mut problem = Problem {
        properties: task.entry(),
        task,
        twins: Vec::new(),
        printed: Printed::default(),
        unreadable: false,
        intended: None,
        broken: Vec::new(),
    };
    let mut sources = Vec::new();
    // The letters of the twins part the solution, wherever they stand.
    let (twins, others): (Vec<_>, Vec<_>) = fields.iter().partition(|field| field.name == "twins");
    for field in twins.into_iter().chain(others) {
        problem.field(field, &mut sources);
    }
    // In the order of a citation, whatever that of the file.
    sources.sort();
    let sources: Vec<String> = sources.into_iter().map(|(_, text)| text).filter(|t| !t.is_empty()).collect();
    // An export writes the sources of a list one behind the other.
    let sources = match sources.as_slice() {
        [only] => only.split("; ").map(String::from).collect(),
        parts => vec![parts.join(", ")],
    };
    problem.properties.texts("source", sources);
    // A citation comes before what is said of the problem.
    let rank = |name: &str| ["id", "author", "source", "x-award"].iter().position(|n| *n == name);
    problem.properties.properties.sort_by_key(|(name, _)| match name.as_str() {
        "note" => 9,
        name => rank(name).unwrap_or(8),
    });
    // Where conditions are stated, even that there are none, what keywords and moves say is no news.
    if problem.task.has_condition() || fields.iter().any(|field| field.name == "conditions") {
        problem.task.changes.retain(|(kind, _)| *kind != FAIRY_KEYWORD);
    } else if let Some(effect) = problem.printed.parts.iter().find_map(|(_, text)| fairy_effect(text)) {
        let text = format!("the solution has `{effect}`, which no move of chess does");
        problem.task.changes.push(("fairy effect", text));
    }
    Ok(problem)
}

impl Problem {
    /// Reads a field.
    fn field(&mut self, field: &Field, sources: &mut Vec<(u8, String)>) {
        let (value, text) = (&field.value, field.value.in_words());
        let entry = &mut self.properties;
        match field.name.as_str() {
            "algebraic" => {}
            "stipulation" => self.task.stipulation = text,
            "solution" if text.len() > MAX_SOLUTION => {
                self.broken.push((field.at, "its solution is longer than 512 KiB, and is not read".into()));
                self.unreadable = true;
            }
            "solution" => {
                let letter = |name: &String| name.chars().next().filter(|_| name.len() == 1);
                let letters: Vec<char> = self.twins.iter().filter_map(|(name, _)| letter(name)).collect();
                self.printed = read_printed(&text, &letters);
                self.unreadable = field.broken.is_some();
            }
            "twins" => self.read_twins(value),
            "options" => self.read_options(&value.parts()),
            "conditions" => self.read_conditions(&value.parts()),
            "intended-solutions" => self.intended = Some(text),
            "id" => entry.word("id", &text),
            "ash" => entry.word("x-ash", &text),
            "authors" | "author" => entry.texts("author", source::names(&value.parts())),
            "source" => sources.push((0, source::source(value))),
            "source-id" => sources.push((1, text)),
            "date" => sources.push((2, source::date(value))),
            "award" => entry.text("x-award", &source::award(value)),
            "distinction" => entry.text("x-award", &text),
            "keywords" => {
                let keywords = value.parts();
                if let Some(keyword) = fairy_keyword(&keywords) {
                    self.task.changes.push((FAIRY_KEYWORD, keyword.clone()));
                }
                if !keywords.is_empty() {
                    entry.properties.push(("tags".to_string(), Value::List(keywords)));
                }
            }
            "comments" | "comment" => value.parts().iter().for_each(|part| entry.note("comment", part)),
            _ if text.is_empty() => {}
            name => entry.keep("other field", &format!("{name}: {text}")),
        }
        if let Some(why) = field.broken {
            self.broken.push((field.at, format!("`{}` breaks off: {why}", field.name)));
        }
    }

    fn read_twins(&mut self, value: &Yaml) {
        match value {
            Yaml::Map(twins) => {
                self.twins = twins.iter().map(|(name, text)| (name.clone(), text.in_words())).collect();
            }
            Yaml::Null => {}
            // Some files list them without their letters.
            other => {
                let letters = (b'b'..=b'z').map(|letter| char::from(letter).to_string());
                self.twins = letters.zip(other.parts()).collect();
            }
        }
    }

    /// Reads options and fairy conditions, which the format mixes.
    fn read_options(&mut self, options: &[String]) {
        for option in options {
            let mut tokens = Tokens::new(option);
            let first = tokens.peek().to_string();
            match english().option(&first) {
                Some(_) => read_options(&mut tokens, english(), &mut self.task),
                None => self.task.changes.push(("condition", option.clone())),
            }
            if !tokens.is_done() && english().option(&first).is_some() {
                self.task.changes.push(("option", option.clone()));
            }
        }
    }

    /// Reads fairy conditions, among which old files have options. A condition may begin as the name of an option does, so
    /// that only a whole name is one.
    fn read_conditions(&mut self, conditions: &[String]) {
        for condition in conditions {
            let first = Tokens::new(condition).next().to_string();
            let is_option = |(name, _): &(&str, _)| name.eq_ignore_ascii_case(&first);
            match english().option(&first).filter(is_option) {
                Some(_) => self.read_options(std::slice::from_ref(condition)),
                None => self.task.changes.push(("condition", condition.clone())),
            }
        }
    }

    /// The puzzles of the entry: one for each twin.
    fn items(&self, record: &Record, at: usize) -> Vec<Item> {
        if self.twins.is_empty() {
            return self.task.items(self.puzzle(&self.task, None), self.duplex_answer(&self.task, None));
        }
        // A file may make `a` from a position that is not to be solved itself.
        let is_zero = self.twins.iter().any(|(name, _)| name == "a");
        if let Some(entry) = self.twinned(is_zero) {
            return vec![Item::puzzle(entry)];
        }
        let made = self.made_twins();
        let twins = || self.twins.iter().zip(&made);
        // The first puzzle keeps the words of the twins that are none.
        let mut lost: Vec<String> = twins()
            .filter(|(_, made)| made.is_err())
            .map(|((name, change), _)| self.words_of(name, change))
            .collect();
        let mut puzzle = |task: &Task, twin: (&str, &str)| {
            let mut entry = self.puzzle(task, Some(twin));
            lost.drain(..).for_each(|words| entry.keep("twin", &words));
            task.items(entry, self.duplex_answer(task, Some(twin.0)))
        };
        let mut items = Vec::new();
        if !is_zero {
            items.extend(puzzle(&self.task, ("a", "")));
        }
        for ((name, change), made) in twins() {
            match made {
                Ok(twin) => items.extend(puzzle(&twin.task, (name, change))),
                Err(why) => {
                    let why = format!("the twin {name}) `{change}` cannot be made: {why}");
                    items.push(Item::skipped(record, at, why));
                }
            }
        }
        items
    }

    /// A twin as it is written, with its solution.
    fn words_of(&self, name: &str, change: &str) -> String {
        let solution = self.part(Some(name)).map_or(String::new(), |text| format!(", solution: {text}"));
        format!("twin {name}) {change}{solution}")
    }

    /// The twins, as far as they can be made.
    fn made_twins(&self) -> Vec<Result<Twin, String>> {
        let mut twins: Vec<Result<Twin, String>> = Vec::new();
        for (index, (_, change)) in self.twins.iter().enumerate() {
            let mut tokens = Tokens::new(change);
            let before = match index.checked_sub(1).map(|last| (&self.twins[last].0, &twins[last])) {
                None => Some(("", &self.task)),
                Some((letter, twin)) => twin.as_ref().ok().map(|twin| (letter.as_str(), &twin.task)),
            };
            let made = make_twin(&mut tokens, english(), &self.task, before);
            twins.push(match tokens.is_done() {
                true => made,
                false => made.and(Err(format!("`{}` is no change of a position", tokens.peek()))),
            });
        }
        twins
    }

    /// The entry as one puzzle with its twins; none where one of them cannot be said.
    fn twinned(&self, is_zero: bool) -> Option<Entry> {
        if self.unreadable {
            return None;
        }
        let made = self.made_twins();
        let twins = self.twins.iter().zip(&made);
        let twins: Vec<(String, &Twin)> = twins
            .map(|((name, _), twin)| Some((name.clone(), twin.as_ref().ok()?)))
            .collect::<Option<_>>()?;
        let mut entry = self.puzzle(&self.task, Some(("a", "")));
        if is_zero {
            // The diagram is not asked: its solution is that of the twin `a`.
            entry.queries.iter_mut().for_each(|query| query.answer = None);
        }
        entry.comments.clear();
        entry.properties.retain(|(name, _)| name != "x-twin");
        for (key, value) in &mut entry.properties {
            if let (true, Value::Word(id)) = (key == "id", value) {
                id.truncate(id.len() - "-a".len());
            }
        }
        let solutions = |letter: &str| {
            let text = self.part(Some(letter))?;
            let task =
                twins.iter().find(|(name, _)| name == letter).map_or(&self.task, |(_, twin)| &twin.task);
            match task.asked() {
                Some(asked) => answers(task, asked, text),
                // Under a condition nothing is solved, and any text is kept. Nothing parts that of a duplex.
                None if task.is_duplex => None,
                None => solution_answer(text, |_| task.question().is_some()).map(|own| [Some(own), None]),
            }
        };
        // A part that is no solution would be lost.
        let is_whole =
            twins.iter().all(|(name, _)| self.part(Some(name)).is_none() || solutions(name).is_some());
        let solutions = |letter: &str| solutions(letter).unwrap_or_default();
        (is_whole && ask_twins(&mut entry, &self.task, is_zero, &twins, solutions)).then_some(entry)
    }

    /// The puzzle of a twin, or of the entry if it has none.
    fn puzzle(&self, task: &Task, twin: Option<(&str, &str)>) -> Entry {
        let mut entry = task.entry();
        entry.properties = self.properties.properties.clone();
        entry.kept = self.properties.kept.clone();
        if let Some((name, change)) = twin {
            entry.comments.push(format!("{name}) {change}").trim().to_string());
            // An id is that of one puzzle.
            for (key, value) in &mut entry.properties {
                if let (true, Value::Word(id)) = (key == "id", value) {
                    id.push_str(&format!("-{name}"));
                }
            }
            entry.word("x-twin", name);
        }
        let (asked, problem) = (task.asked(), task.problem());
        let counts = self.intended.as_deref().map(|text| text.trim_end_matches(['.', '…']));
        if let Some(counts) = counts.filter(|text| is_ply_counts(text) && task.question().is_some()) {
            entry.word("solutions", counts);
        } else if let Some(n) =
            problem.zip(self.intended.as_deref()).and_then(|(asked, text)| intended(asked, text))
        {
            entry.word("solutions", &n.to_string());
        } else if let Some(n) =
            counts.filter(|_| task.question().is_some()).and_then(|n| n.parse::<u16>().ok())
        {
            entry.word("solutions", &n.to_string());
        } else if let Some(text) = &self.intended {
            entry.keep("intended solutions", &format!("intended solutions: {text}"));
        }
        task.finish(&mut entry);
        self.printed.comments.iter().for_each(|comment| entry.keep("comment", comment));
        let text = self.part(twin.map(|(name, _)| name));
        let is_first = twin.is_none_or(|(name, _)| name == "a");
        let is_unsolved = asked.is_none() && task.question().is_some();
        let answer = match (asked, text) {
            (None, Some(text)) if task.study().is_some() && !task.has_condition() => {
                let line = study_line(&task.entry(), text).filter(|_| !self.unreadable);
                if line.is_none() {
                    entry.keep("solution", &format!("solution: {text}"));
                }
                line.map(Answer::Text)
            }
            (None, Some(text)) if is_unsolved && !self.unreadable => solution_answer(text, |_| true),
            (Some(asked), Some(text)) if !self.unreadable => {
                let answers = answers(task, asked, text);
                if answers.is_none() {
                    entry.keep("solution", &format!("solution: {text}"));
                }
                answers.and_then(|[own, _]| own)
            }
            (_, Some(text)) => {
                entry.keep("solution", &format!("solution: {text}"));
                None
            }
            (_, None) => None,
        };
        if is_first {
            self.keep_other_parts(&mut entry, twin.is_some());
        }
        task.ask(&mut entry, answer);
        // The note stands last.
        entry.properties.sort_by_key(|(name, _)| name == "note");
        entry
    }

    /// The answer of the duplex of a problem or a twin.
    fn duplex_answer(&self, task: &Task, twin: Option<&str>) -> Option<Answer> {
        let text = self.part(twin).filter(|_| task.is_duplex && !self.unreadable)?;
        let [_, other] = answers(task, task.asked()?, text)?;
        other
    }

    /// The printed solution of a twin: the part with its letter, or the only one where there are no twins.
    fn part(&self, name: Option<&str>) -> Option<&str> {
        let letter = name.unwrap_or("a");
        let parts = &self.printed.parts;
        let named = parts.iter().find(|(l, _)| l.is_some_and(|l| letter.chars().eq([l])));
        let only = || parts.iter().find(|(l, _)| name.is_none() && l.is_none());
        named.or_else(only).map(|(_, text)| text.trim()).filter(|text| !text.is_empty())
    }

    /// Keeps the parts of a solution that belong to no twin of the entry.
    fn keep_other_parts(&self, entry: &mut Entry, is_twinned: bool) {
        for (letter, text) in &self.printed.parts {
            let is_used = match letter {
                None => !is_twinned,
                Some('a') => true,
                Some(letter) => self.twins.iter().any(|(name, _)| name.chars().eq([*letter])),
            };
            if !is_used && !text.trim().is_empty() {
                let head = letter.map_or(String::new(), |letter| format!(" {letter})"));
                entry.keep("solution", &format!("solution{head}: {}", text.trim()));
            }
        }
    }
}

/// The answers of a task and of its duplex that a printed solution has; `None` if it cannot be read as these.
fn answers(task: &Task, asked: Stipulation, text: &str) -> Option<[Option<Answer>; 2]> {
    if !task.is_duplex {
        let own = solution_answer(text, |text| is_solution(text, asked, task.turn()))?;
        return Some([Some(own), None]);
    }
    let start = task.start();
    let parts = duplex_parts(text, [&start, &after_pass(&start)], asked)?;
    Some(parts.map(|part| solution_answer(part, |part| !part.is_empty())))
}

/// A printed solution as a written answer, if it can be read as one. `none` says that there is no solution.
fn solution_answer(text: &str, is_read: impl Fn(&str) -> bool) -> Option<Answer> {
    match text {
        "none" => Some(Answer::Words(text.to_string())),
        _ => is_read(text).then(|| Answer::Text(text.to_string())),
    }
}

/// The number of keys or solutions of `intended-solutions`: `3`, or one number for each half move, `2.1.1…`.
fn intended(asked: Stipulation, text: &str) -> Option<u32> {
    let numbers: Vec<u32> = text.split('.').map_while(|part| part.trim().parse().ok()).collect();
    let count = match () {
        _ if asked.play().has_sequences() => numbers.iter().try_fold(1u32, |all, n| all.checked_mul(*n))?,
        _ => *numbers.first()?,
    };
    (!numbers.is_empty() && (1..=1000).contains(&count)).then_some(count)
}
