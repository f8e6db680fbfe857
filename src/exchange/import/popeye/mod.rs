//! The input of Popeye, in English, German or French.
//!
//! The files import each other in this order: words, tokens < men, options < twins < this file.

mod men;
mod options;
mod tokens;
mod twins;
mod words;

use std::ops::Range;

use crate::import::entry::{Answer, Entry, Value};
use crate::import::notice::Item;
use crate::import::reader::Reader;
use crate::import::record::{Boundary, Record};
use crate::import::task::Task;
use cpz_rules::board::Castling;
use cpz_text::syntax::Verb;
pub(super) use men::two_men;
use men::{read_forsyth, read_men};
pub(super) use options::read_options;
pub(super) use tokens::Tokens;
pub(super) use twins::{Twin, make_twin};
use twins::{read_condition, read_stipulation_words};
use words::{Command, LANGUAGES, begins};
pub(super) use words::{Words, english};

/// The words that end a problem: their shortest form, and the whole word.
const ENDS: [(&str, &str); 6] = [
    ("end", "endproblem"),
    ("next", "nextproblem"),
    ("end", "EndeProblem"),
    ("weit", "WeiteresProblem"),
    ("fin", "FinProbleme"),
    ("asu", "asuivre"),
];

/// The men of a game at its start.
const INITIAL_ARRAY: &str = "rsbqkbsr/pppppppp/32/PPPPPPPP/RSBQKBSR";

/// The reader.
pub(super) struct Popeye {
    /// The language that the file begins with.
    words: &'static Words,
}

impl Popeye {
    /// The reader of a file that begins with `head`.
    pub fn new(head: &str) -> Popeye {
        Popeye { words: language_of(head).unwrap_or(english()) }
    }
}

impl Reader for Popeye {
    fn boundary(&self) -> Boundary {
        Boundary::After(&ENDS)
    }

    fn read(&self, record: &Record) -> Vec<Item> {
        if record.text.trim().is_empty() {
            return Vec::new();
        }
        let words = language_of(&record.text).unwrap_or(self.words);
        let mut reading = Reading { words, record, problem: Problem::new(0), items: Vec::new() };
        reading.read();
        if reading.items.is_empty() && !is_only_an_end(&record.text) {
            reading.items.push(Item::skipped(record, 0, "no problem begins here"));
        }
        reading.items
    }
}

/// Whether a text has no word but the one that ends a problem, or the last one of a file.
fn is_only_an_end(text: &str) -> bool {
    let mut tokens = Tokens::new(text);
    let word = tokens.next();
    tokens.is_done()
        && ENDS.iter().any(|(shortest, whole)| word.len() >= shortest.len() && begins(whole, word))
}

/// The language of the word that begins a problem; without one that whose words begin most lines.
pub(super) fn language_of(text: &str) -> Option<&'static Words> {
    let mut lines = text.lines().map(|line| line.split_whitespace().next().unwrap_or_default());
    let begin =
        lines.find_map(|word| LANGUAGES.iter().find(|words| word.len() > 2 && begins(words.begin, word)));
    if begin.is_some() {
        return begin;
    }
    let scores = LANGUAGES.iter().map(|words| words.score(text)).collect::<Vec<_>>();
    let best = scores.iter().copied().max().filter(|best| *best > 0)?;
    let mut found = (0..LANGUAGES.len()).filter(|&i| scores[i] == best);
    let first = found.next()?;
    found.next().is_none().then(|| &LANGUAGES[first])
}

/// Whether a text among the words of an English input has one that begins a command.
pub(crate) fn has_popeye_command(text: &str) -> bool {
    let mut tokens = Tokens::new(text);
    let mut words = std::iter::from_fn(|| (!tokens.is_done()).then(|| tokens.next()));
    words.any(|word| english().is_command(word))
}

/// Whether a word begins a problem, in any of the languages.
pub(super) fn begins_problem(word: &str) -> bool {
    word.len() > 2 && LANGUAGES.iter().any(|words| begins(words.begin, word))
}

/// Whether a text has a command that places men.
pub(super) fn has_men(text: &str) -> bool {
    let places = |word: &str| {
        let is_placing = |words: &Words| {
            word.len() > 2 && matches!(words.command(word), Some(Command::Pieces | Command::Forsyth))
        };
        LANGUAGES.iter().any(is_placing)
    };
    text.split_whitespace().any(places)
}

/// A problem that is being read.
struct Problem {
    /// Where it begins.
    at: usize,
    task: Task,
    /// The twins with their changes, as far as they can be made.
    twins: Vec<(String, Result<Twin, String>)>,
    /// Whether the position is not to be solved itself.
    is_zero: bool,
    authors: Vec<String>,
    origins: Vec<String>,
    titles: Vec<String>,
    awards: Vec<String>,
    remarks: Vec<String>,
    /// The first word that is none of Popeye's: where it stands. What it was meant to change is not known, so that there is no
    /// problem.
    unread: Option<(usize, String)>,
    /// The words behind a twin that cannot be made, which may belong to it.
    of_twin: Vec<String>,
    /// Why its position cannot stand on a board.
    problems: Vec<String>,
    /// Whether any command was read.
    is_begun: bool,
}

impl Problem {
    fn new(at: usize) -> Problem {
        Problem {
            at,
            task: Task::new(),
            twins: Vec::new(),
            is_zero: false,
            authors: Vec::new(),
            origins: Vec::new(),
            titles: Vec::new(),
            awards: Vec::new(),
            remarks: Vec::new(),
            unread: None,
            of_twin: Vec::new(),
            problems: Vec::new(),
            is_begun: false,
        }
    }
}

impl Problem {
    /// Whether nothing of it is wrong.
    fn is_whole(&self) -> bool {
        self.unread.is_none() && self.problems.is_empty()
    }

    /// Notes a word that is none of Popeye's. Behind a twin it leaves the problem above as it is.
    fn cannot_read(&mut self, at: usize, word: &str) {
        match self.twins.last_mut() {
            Some((_, Err(_))) => self.of_twin.push(word.to_string()),
            Some((_, twin)) => *twin = Err(not_read(word)),
            None if self.problems.is_empty() => {
                self.unread.get_or_insert_with(|| (at, word.to_string()));
            }
            None => {}
        }
    }
}

/// Why a problem with a word that is none of Popeye's cannot be read.
fn not_read(word: &str) -> String {
    format!("`{word}` is neither a command nor a part of the one before it")
}

struct Reading<'r> {
    words: &'static Words,
    record: &'r Record,
    problem: Problem,
    items: Vec<Item>,
}

impl Reading<'_> {
    fn read(&mut self) {
        let mut tokens = Tokens::new(&self.record.text);
        while !tokens.is_done() {
            let at = tokens.start();
            let word = tokens.next();
            match self.words.command(word) {
                None => self.problem.cannot_read(at, word),
                Some(Command::Begin) => {
                    match self.problem.is_begun {
                        true => self.end(),
                        // Popeye ignores what stands before the first problem.
                        false => self.items.push(self.comment(self.problem.at..at)),
                    }
                    self.problem = Problem::new(at);
                }
                Some(Command::End | Command::Next) => {
                    self.end();
                    self.problem = Problem::new(tokens.start());
                }
                Some(command) => {
                    if !self.problem.is_begun {
                        self.problem.at = at;
                    }
                    self.problem.is_begun = true;
                    self.command(command, &mut tokens);
                }
            }
        }
        self.end();
    }

    /// A text that belongs to no problem.
    fn comment(&self, range: Range<usize>) -> Item {
        let lines = self.record.text[range].lines().map(str::trim).filter(|line| !line.is_empty());
        Item::Comment(lines.map(String::from).collect())
    }

    fn command(&mut self, command: Command, tokens: &mut Tokens<'_>) {
        let (words, problem) = (self.words, &mut self.problem);
        match command {
            Command::Remark => problem.remarks.push(tokens.rest_of_line().to_string()),
            Command::Author => problem.authors.push(tokens.rest_of_line().to_string()),
            Command::Origin => problem.origins.push(tokens.rest_of_line().to_string()),
            Command::Title => problem.titles.push(tokens.rest_of_line().to_string()),
            Command::Award => problem.awards.push(tokens.rest_of_line().to_string()),
            Command::Protocol | Command::LaTeX | Command::LaTeXPieces => _ = tokens.rest_of_line(),
            Command::Stipulation => problem.task.stipulation = read_stipulation_words(tokens),
            // It may have several lines, as a condition may.
            Command::StructuredStipulation => {
                problem.task.stipulation = read_condition(tokens, words, false);
            }
            Command::Condition => {
                let text = read_condition(tokens, words, false);
                problem.task.changes.push(("condition", text));
            }
            Command::Option => read_options(tokens, words, &mut problem.task),
            Command::Pieces => read_men(tokens, words, &mut problem.task, &mut problem.problems),
            Command::Forsyth => {
                read_forsyth(tokens.next(), words, &mut problem.task, &mut problem.problems);
            }
            Command::InitialArray => {
                read_forsyth(INITIAL_ARRAY, english(), &mut problem.task, &mut problem.problems);
            }
            Command::Twin | Command::ZeroPosition => {
                problem.is_zero |= command == Command::ZeroPosition;
                let start = tokens.start();
                let first = usize::from(!problem.is_zero);
                let letter = twin_label((first + problem.twins.len()).saturating_sub(1));
                let before = match problem.twins.last() {
                    None => Some(("", &problem.task)),
                    Some((_, before)) => {
                        before.as_ref().ok().map(|twin| (letter.trim_end_matches(')'), &twin.task))
                    }
                };
                let twin = make_twin(tokens, words, &problem.task, before);
                let text = self.record.text.get(start..tokens.start()).unwrap_or_default();
                let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
                problem.twins.push((text, twin));
            }
            Command::Begin | Command::End | Command::Next => {}
        }
    }

    /// Makes puzzles of the problem and its twins.
    fn end(&mut self) {
        let items = self.items_of_problem();
        self.items.extend(items);
        for &square in self.problem.task.replaced.iter().filter(|_| self.problem.is_whole()) {
            let why = format!("{}; the one that is named last was read, as Popeye does", two_men(square));
            self.items.push(Item::remark(self.record, self.problem.at, why));
        }
    }

    fn items_of_problem(&self) -> Vec<Item> {
        let problem = &self.problem;
        match &problem.unread {
            Some((at, _)) if !problem.is_begun => {
                return vec![Item::skipped(self.record, *at, "no problem begins here")];
            }
            Some((at, word)) => return vec![Item::skipped(self.record, *at, not_read(word))],
            None if !problem.is_begun => return Vec::new(),
            None => {}
        }
        if let Some(why) = problem.problems.first() {
            return vec![Item::skipped(self.record, problem.at, why.clone())];
        }
        if problem.task.board.count() == 0 && problem.twins.is_empty() {
            return vec![Item::skipped(self.record, problem.at, "this problem has no men")];
        }
        let mut items = Vec::new();
        let is_twinned = !problem.twins.is_empty();
        if let Some(entry) = self.twinned() {
            return vec![Item::puzzle(entry)];
        }
        let without_men = |label: &str| {
            let why = format!("the twin {label} has no men");
            Item::skipped(self.record, problem.at, why)
        };
        if !problem.is_zero && problem.task.board.count() == 0 {
            items.push(without_men("a)"));
        } else if !problem.is_zero {
            let head = is_twinned.then(|| "a)".to_string());
            items.extend(problem.task.items(self.puzzle(&problem.task, head.as_deref(), ""), None));
        }
        let first = if problem.is_zero { 0 } else { 1 };
        for (i, (text, twin)) in problem.twins.iter().enumerate() {
            let label = twin_label(first + i);
            items.extend(match twin {
                Ok(twin) if twin.task.board.count() == 0 => vec![without_men(&label)],
                Ok(twin) => twin.task.items(self.puzzle(&twin.task, Some(&label), text), None),
                Err(why) => {
                    let why = format!("the twin {label} cannot be made: {why}");
                    vec![Item::skipped(self.record, problem.at, why)]
                }
            });
        }
        items
    }

    /// The problem as one puzzle with its twins; none where it has none, or one that cannot be said.
    fn twinned(&self) -> Option<Entry> {
        let problem = &self.problem;
        let first = usize::from(!problem.is_zero);
        let label = |i: usize| twin_label(first + i).trim_end_matches(')').to_string();
        let twins = problem.twins.iter().enumerate();
        let twins: Vec<(String, &Twin)> =
            twins.map(|(i, (_, twin))| Some((label(i), twin.as_ref().ok()?))).collect::<Option<_>>()?;
        if twins.is_empty() {
            return None;
        }
        let mut entry = self.puzzle(&problem.task, None, "");
        ask_twins(&mut entry, &problem.task, problem.is_zero, &twins, |_| [None, None]).then_some(entry)
    }

    fn puzzle(&self, task: &Task, label: Option<&str>, change: &str) -> Entry {
        let problem = &self.problem;
        let mut entry = task.entry();
        // Two puzzles of a file have two names.
        let name = format!("{} {}", problem.titles.join(" "), label.unwrap_or_default());
        entry.name = (!problem.titles.is_empty()).then(|| name.trim().to_string());
        entry.comments.extend(label.map(|label| format!("{label} {change}").trim().to_string()));
        let (ids, remarks): (Vec<&String>, Vec<&String>) =
            problem.remarks.iter().partition(|remark| id_of(remark).is_some());
        // An id is that of one puzzle.
        let id = ids.first().and_then(|remark| id_of(remark));
        let of_twin = label.map_or(String::new(), |label| format!("-{}", label.trim_end_matches(')')));
        entry.word("id", &id.map_or(String::new(), |id| id.to_string() + &of_twin));
        entry.texts("author", problem.authors.clone());
        entry.texts("source", problem.origins.clone());
        entry.text("x-award", &problem.awards.join(", "));
        if let Some(label) = label {
            entry.word("x-twin", label.trim_end_matches(')'));
        }
        task.finish(&mut entry);
        for remark in remarks.iter().chain(ids.iter().skip(1)) {
            entry.note("remark", remark);
        }
        if !problem.of_twin.is_empty() {
            entry.keep("words", &format!("not read: {}", problem.of_twin.join(" ")));
        }
        task.ask(&mut entry, None);
        entry
    }
}

/// Adds the twins of a problem to its puzzle, with the answer of each letter and that of its duplex; whether all of them can be said and asked.
pub(super) fn ask_twins(
    entry: &mut Entry,
    diagram: &Task,
    is_zero: bool,
    twins: &[(String, &Twin)],
    answers: impl Fn(&str) -> [Option<Answer>; 2],
) -> bool {
    // A stipulation that the diagram does not have would have to stand with each twin.
    let is_problem = |task: &Task| task.may_have_twins() && task.changes == diagram.changes;
    let is_alike =
        |task: &Task| is_problem(task) && (task.problem().is_some() || diagram.problem().is_none());
    if !is_problem(diagram) || twins.iter().any(|(_, twin)| !is_alike(&twin.task)) {
        return false;
    }
    // The rights of the diagram are those of a twin, as far as its kings and rooks stand at home. One that comes home in a
    // twin has none, and a capture en passant is one of the diagram alone.
    let castling = diagram.castling();
    let has_rights = |twin: &Task| {
        let own = twin.castling();
        Castling::EACH.into_iter().all(|(colour, wing, _)| {
            !own.has(colour, wing) || castling.has(colour, wing) || diagram.no_castling.is_empty()
        })
    };
    if !diagram.en_passant.is_empty() || !twins.iter().all(|(_, twin)| has_rights(&twin.task)) {
        return false;
    }
    if is_zero {
        entry.properties.push(("zeroposition".to_string(), Value::Raw(String::new())));
    }
    // The duplex of the diagram and of each twin stands behind that.
    let ask_duplex = |entry: &mut Entry, answer: Option<Answer>| {
        if diagram.is_duplex {
            entry.ask(Verb::Duplex.word(), answer);
        }
    };
    if !is_zero {
        let [_, answer] = answers("a");
        ask_duplex(entry, answer);
    }
    for (letter, twin) in twins {
        let Some(words) = &twin.words else { return false };
        let [own, other] = answers(letter);
        entry.ask(format!("twin {letter}: {}", words.join(", ")), own);
        ask_duplex(entry, other);
    }
    true
}

/// The id that a remark states, as an export writes it.
fn id_of(remark: &str) -> Option<&str> {
    let id = remark.trim().strip_prefix("id ")?.trim();
    (!id.is_empty() && !id.contains(char::is_whitespace)).then_some(id)
}

/// The label of a twin: `a)` for 0; behind `z)` numbers follow, as Popeye has them.
fn twin_label(index: usize) -> String {
    match u8::try_from(index) {
        Ok(index @ 0..26) => format!("{})", char::from(b'a' + index)),
        _ => format!("z{})", index - 25),
    }
}
