//! The preprocessor of mdBook: a fence of puzzles gets pictures and answers.
//!
//! The words of a fence stand behind `cpz`, parted by commas or blanks: `hide` puts the answers behind a click, `solution`
//! writes whole solutions, `no-board` leaves the pictures out, `board` marks a fence for a book that asks for marks.
//! `finds=…` says that findings are meant to be there.

use serde_json::Value;

use crate::print::answers::{Detail, exercises};
use crate::print::entries::{Entry, entries};
use crate::print::html::escaped;
use crate::print::languages::Language;
use crate::print::pictures::side_to_move;
use cpz_check::analysis::{Config, Options, link, position_or_reason, report_of};
use cpz_ide::{Frame, PictureStyle};
use cpz_text::diagnostic::{LineIndex, Severity, Span};
use cpz_text::syntax::parse;

/// The longer side of a picture in pixels.
const SIDE: u32 = 300;

/// The words of a fence.
const WORDS: [&str; 4] = ["hide", "solution", "no-board", "board"];

/// A book after the preprocessor.
pub struct ProcessedBook {
    /// The book as JSON.
    pub json: String,
    /// The findings in its fences, each with its chapter and its line in the fence.
    pub findings: Vec<String>,
}

/// Reads what mdBook sends, `[context, book]`, and returns the book with pictures and answers.
///
/// # Errors
/// Why it is no book.
pub fn process_book(input: &str) -> Result<ProcessedBook, String> {
    let mut input: Value = serde_json::from_str(input)
        .map_err(|error| format!("standard input is no book: {error}; mdBook runs this command by itself"))?;
    let parts = input.as_array_mut().filter(|parts| parts.len() == 2);
    let Some([context, book]) = parts.map(Vec::as_mut_slice) else {
        return Err("standard input is no book: it has to be a list of a context and a book".into());
    };
    let settings = &context["config"]["preprocessor"]["cpz"];
    let language = context["config"]["book"]["language"].as_str().unwrap_or_default();
    let mut processor = Processor {
        only_marked: settings["only-marked"].as_bool().unwrap_or(false),
        language: Language::from_tag(language),
        findings: Vec::new(),
    };
    // The list was called `sections` before mdBook 0.5.
    for list in ["items", "sections"] {
        if let Some(items) = book.get_mut(list).and_then(Value::as_array_mut) {
            processor.items(items);
        }
    }
    Ok(ProcessedBook { json: book.to_string(), findings: processor.findings })
}

/// A fence of puzzles.
struct Fence {
    words: Vec<String>,
    text: String,
    /// The line that it begins on, from 1.
    line: usize,
}

impl Fence {
    fn has(&self, word: &str) -> bool {
        self.words.iter().any(|w| w == word)
    }

    fn is_marked(&self) -> bool {
        WORDS.iter().any(|word| self.has(word))
    }

    /// The codes of the findings that are meant to be there.
    fn meant(&self) -> Vec<&str> {
        self.words
            .iter()
            .filter_map(|word| word.strip_prefix("finds="))
            .flat_map(|all| all.split('+'))
            .collect()
    }

    /// Words that say nothing. A name with a value may be for another program.
    fn unknown(&self) -> impl Iterator<Item = &String> {
        self.words.iter().filter(|word| !WORDS.contains(&word.as_str()) && !word.contains('='))
    }
}

/// A fence that is open.
struct Open<'t> {
    /// The signs that open it, and close it.
    mark: &'t str,
    /// What stands before its lines: the signs of quotes, and the indentation of list items.
    around: String,
    /// Its puzzles, if it holds some.
    fence: Option<Fence>,
}

struct Processor {
    only_marked: bool,
    language: Language,
    findings: Vec<String>,
}

impl Processor {
    /// Processes chapters and those below them; JSON limits how deep they are nested.
    fn items(&mut self, items: &mut [Value]) {
        for item in items {
            let Some(chapter) = item.get_mut("Chapter") else { continue };
            let name = chapter["name"].as_str().unwrap_or("a chapter").to_string();
            if let Some(content) = chapter.get("content").and_then(Value::as_str) {
                let new = self.chapter(&name, content);
                chapter["content"] = Value::String(new);
            }
            if let Some(below) = chapter.get_mut("sub_items").and_then(Value::as_array_mut) {
                self.items(below);
            }
        }
    }

    /// The text of a chapter with what belongs to its fences.
    fn chapter(&mut self, name: &str, content: &str) -> String {
        let mut out = String::with_capacity(content.len());
        let mut open: Option<Open<'_>> = None;
        let mut raw: Option<&str> = None;
        let mut item = 0;
        for (index, line) in content.split_inclusive('\n').enumerate() {
            let text = line.trim_end_matches(['\n', '\r']);
            out.push_str(line);
            if let Some(end) = raw {
                raw = (!has_end(text, end)).then_some(end);
                continue;
            }
            match &mut open {
                None => {
                    let (around, rest) = around(text);
                    raw = raw_html(rest);
                    open = opening(rest, item).map(|(mark, info)| Open {
                        mark,
                        around: around.clone() + &" ".repeat(rest.len() - rest.trim_start().len()),
                        fence: fence(info, index + 1),
                    });
                    let is_item = around.len() > text.len() - text.trim_start().len();
                    match rest.trim().is_empty() || rest.starts_with(' ') && !is_item {
                        true => {}
                        false => item = if is_item { around.len() } else { 0 },
                    }
                }
                Some(Open { mark, around, fence }) if closes(within(text, around), mark) => {
                    let behind = fence.take().map_or(String::new(), |fence| self.behind(name, &fence));
                    push_behind(&mut out, around, &behind);
                    open = None;
                }
                Some(Open { around, fence, .. }) => {
                    if let Some(fence) = fence {
                        fence.text.push_str(within(line, around));
                    }
                }
            }
        }
        // The end of the chapter closes a fence, too. What stands behind it would be a part of it.
        if let Some(Open { mark, around, fence: Some(fence) }) = open {
            let behind = self.behind(name, &fence);
            if !behind.is_empty() {
                push_behind(&mut out, &around, &format!("{mark}\n{behind}"));
            }
        }
        out
    }

    /// What is written behind a fence, as HTML.
    fn behind(&mut self, chapter: &str, fence: &Fence) -> String {
        if self.only_marked && !fence.is_marked() {
            return String::new();
        }
        let tree = parse(fence.text.as_str());
        let config = Config::default();
        let search = Options { answers: true, ..Options::default() };
        let mut found = cpz_check::analysis::analyse(&tree, &search);
        let index = LineIndex::new(&fence.text);
        let line_of = |span: Span| fence.line + 1 + index.line(span.start) as usize;
        link(&mut [&mut found], |_, span| format!("line {}", line_of(span)));
        let meant = fence.meant();
        let (mut messages, mut told, mut codes) = (Vec::new(), Vec::new(), Vec::new());
        for (finding, _) in found.findings() {
            let severity = found.severities.shown(finding);
            let (code, text) = (finding.code.name(), &finding.message);
            codes.push(code);
            if matches!(severity, Severity::Error | Severity::Warning) {
                let message = format!("{} {code}: {text}", severity.name());
                if !meant.contains(&code) {
                    told.push((line_of(finding.span), message.clone()));
                }
                messages.push(message);
            }
        }
        let missing = meant.iter().filter(|code| !codes.contains(code));
        told.extend(missing.map(|code| (fence.line, format!("`finds={code}`: this is not found here"))));
        let unknown =
            fence.unknown().map(|word| format!("`{word}` is no word of a fence; write {}", WORDS.join(", ")));
        told.extend(unknown.map(|text| (fence.line, text)));
        self.findings.extend(told.iter().map(|(line, text)| format!("{chapter}, line {line}: {text}")));
        let mut out = String::new();
        if !messages.is_empty() {
            let items: String = messages.iter().map(|text| format!("<li>{}</li>", escaped(text))).collect();
            out.push_str(&format!("\n<ul class=\"cpz-findings\" style=\"color:#b3261e\">{items}</ul>\n"));
        }
        for entry in entries(&tree, config.settings) {
            out.push_str(&self.puzzle(&entry, fence, &search));
        }
        // A blank line ends the HTML, so that Markdown may stand directly behind the fence.
        if !out.is_empty() {
            out.push('\n');
        }
        out
    }

    /// The picture and the answers of a puzzle; nothing if its board cannot be read.
    fn puzzle(&self, entry: &Entry<'_>, fence: &Fence, search: &Options) -> String {
        let Some(bound) = &entry.bound else { return String::new() };
        let Ok(position) = position_or_reason(bound) else { return String::new() };
        let words = self.language.words();
        let mut out = String::new();
        if !fence.has("no-board") {
            let frame = Frame::new(position.board.clone(), String::new());
            let style = PictureStyle { turn: side_to_move(bound), ..PictureStyle::default() };
            let picture = frame.picture(bound.game.format()).in_style(style);
            let label = escaped(&picture.words());
            let svg = picture.with_side(SIDE).replacen(
                "<svg ",
                &format!("<svg role=\"img\" aria-label=\"{label}\" "),
                1,
            );
            out.push_str(&format!("\n<div class=\"cpz-board\">{svg}</div>\n"));
        }
        let report = report_of(entry.puzzle, entry.defaults, search);
        let detail = if fence.has("solution") { Detail::Full } else { Detail::Short };
        let mut answers = String::new();
        for exercise in exercises(bound, &report, words, detail, search) {
            let lines: Vec<String> =
                exercise.solution.iter().map(|(depth, line)| indented(*depth, line)).collect();
            answers.push_str(&format!("<p>{} <b>{}</b></p>", escaped(&exercise.asked), lines.join("<br>")));
        }
        if !answers.is_empty() {
            out.push_str(&match fence.has("hide") {
                true => format!(
                    "\n<details class=\"cpz-answers\"><summary>{}</summary>{answers}</details>\n",
                    words.solution
                ),
                false => format!("\n<div class=\"cpz-answers\">{answers}</div>\n"),
            });
        }
        out
    }
}

/// Writes lines below a fence, in what stands around it.
fn push_behind(out: &mut String, around: &str, lines: &str) {
    if !out.ends_with('\n') && !lines.is_empty() {
        out.push('\n');
    }
    for line in lines.lines() {
        out.push_str(format!("{around}{line}").trim_end());
        out.push('\n');
    }
}

/// What ends the HTML that begins with a line and holds no Markdown: a comment, and the elements whose text is shown or run
/// as it is. Nothing where none begins, or where it ends on the same line.
fn raw_html(line: &str) -> Option<&'static str> {
    const ELEMENTS: [(&str, &str); 5] = [
        ("<!--", "-->"),
        ("<pre", "</pre>"),
        ("<script", "</script>"),
        ("<style", "</style>"),
        ("<textarea", "</textarea>"),
    ];
    let text = line.trim_start();
    if line.len() - text.len() > 3 {
        return None;
    }
    let begins = |start: &str| {
        let head = text.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start));
        let behind = text.get(start.len()..).unwrap_or_default();
        head && (start == "<!--" || behind.is_empty() || behind.starts_with([' ', '\t', '>']))
    };
    let (start, end) = ELEMENTS.into_iter().find(|(start, _)| begins(start))?;
    (!has_end(&text[start.len()..], end)).then_some(end)
}

/// Whether the end of raw HTML is on a line.
fn has_end(line: &str, end: &str) -> bool {
    line.to_ascii_lowercase().contains(end)
}

fn indented(depth: usize, line: &str) -> String {
    format!("{}{}", "&emsp;".repeat(depth), escaped(line))
}

/// What stands before the content of a line in quotes and list items, as the lines below it have it, and the content with
/// its indentation: `> - text` goes on with `>   `.
fn around(line: &str) -> (String, &str) {
    let (mut around, mut rest) = (String::new(), line);
    loop {
        let text = rest.trim_start_matches(' ');
        let indent = rest.len() - text.len();
        if let Some(quoted) = text.strip_prefix('>') {
            around.push_str(&format!("{}>", " ".repeat(indent)));
            rest = quoted;
            if let Some(text) = rest.strip_prefix(' ') {
                around.push(' ');
                rest = text;
            }
            continue;
        }
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let sign = if digits > 0 { [".", ")"].as_slice() } else { &["-", "*", "+"] };
        let behind = sign.iter().find_map(|sign| text[digits..].strip_prefix(sign));
        match behind.filter(|behind| behind.starts_with(' ') && !behind.trim().is_empty()) {
            Some(behind) => {
                let content = behind.trim_start_matches(' ');
                around.push_str(&" ".repeat(rest.len() - content.len()));
                rest = content;
            }
            None => return (around, rest),
        }
    }
}

/// A line without what stands before the lines of a fence; one that has less of it, such as an empty one, without that.
fn within<'t>(line: &'t str, around: &str) -> &'t str {
    let mut rest = line;
    for sign in around.chars() {
        rest = rest.strip_prefix(sign).unwrap_or(rest);
    }
    rest
}

/// The mark of a line that opens a fence, and what stands behind it. `item` is the indentation of a list item around it.
fn opening(line: &str, item: usize) -> Option<(&str, &str)> {
    let text = line.trim_start();
    if line.len() - text.len() > item + 3 {
        return None;
    }
    let sign = text.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let info = text.trim_start_matches(sign);
    let mark = &text[..text.len() - info.len()];
    (mark.len() >= 3 && !(sign == '`' && info.contains('`'))).then_some((mark, info))
}

/// Whether a line closes a fence that a mark opened.
fn closes(line: &str, mark: &str) -> bool {
    let text = line.trim();
    let sign = mark.chars().next().unwrap_or('`');
    text.len() >= mark.len() && text.chars().all(|c| c == sign)
}

/// The fence of an opening line, if it holds puzzles.
fn fence(info: &str, line: usize) -> Option<Fence> {
    let mut words = info.split(|c: char| c == ',' || c.is_whitespace()).filter(|word| !word.is_empty());
    (words.next() == Some("cpz")).then(|| Fence {
        words: words.map(String::from).collect(),
        text: String::new(),
        line,
    })
}
