//! The questions of chess problems, such as `mate in 2`, and their misspellings: one finding for each.

use crate::diagnostic::{Code, Edit, Finding, Fix, Span};
use crate::syntax::keywords::{Item, Keyword, Verb, is_length, short_form};
use crate::syntax::lexer::TokenKind as T;
use crate::syntax::parser::Parser;
use crate::syntax::parser::query::is_move_like;
use crate::syntax::tree::NodeKind;

/// The verbs as people write them, and the names of other notations for them.
const HEADS: [(&str, &str); 12] = [
    ("checkmate", "mate"),
    ("mates", "mate"),
    ("mate", "mate"),
    ("self-mate", "selfmate"),
    ("self mate", "selfmate"),
    ("selfmate", "selfmate"),
    ("sm", "selfmate"),
    ("help-mate", "helpmate"),
    ("help mate", "helpmate"),
    ("helpmate", "helpmate"),
    ("hm", "helpmate"),
    ("directmate", "mate"),
];

const MARKS: [&str; 3] = ["s#", "h#", "#"];

const NUMBERS: [&str; 10] = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/// A question as it is written, and what it was meant as.
struct Written {
    /// What it was meant as: `mate in 2`, `s#3`.
    meant: String,
    /// The bytes up to the end of the number and of the signs behind it.
    end: usize,
    /// Whether a colon or a full stop is the last of them, which may be meant as an arrow.
    has_point: bool,
    /// The bytes of the word `moves` behind it.
    moves: Option<std::ops::Range<usize>>,
}

impl Parser<'_> {
    /// The length of a chess problem: `in 3`. Bare `mate` has none.
    pub(super) fn length(&mut self, verb: Verb, keyword: usize) {
        let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
        if self.at(T::Word) && self.on_same_line() && self.word() == "in" {
            let node = self.start(NodeKind::Argument);
            let word = self.pos;
            self.bump();
            if self.at(T::Word) && is_length(self.word()) {
                self.bump();
            } else {
                let message =
                    format!("`in` needs the number of moves after it, as in `{} in 2`", verb.word());
                let misread = self.at_value()
                    && self.on_same_line()
                    && self.arrow_by_mistake().is_none()
                    && (is_number(self.word()) || self.word().bytes().all(|b| b.is_ascii_lowercase()));
                if misread {
                    self.error(self.span_of(self.pos), message);
                    self.bump();
                } else {
                    self.error(self.span_of(word), message);
                }
            }
            self.finish(node);
        } else if self.at(T::Word) && self.on_same_line() && is_number(self.word()) {
            let number = self.span_of(self.pos);
            let message =
                format!("write `in` before the number of moves: `{} in {}`", verb.word(), self.word());
            let fix = Fix::new("insert `in`", Span::at(number.start), "in ", true);
            self.error(number, message).fixes.push(fix);
            let node = self.start(NodeKind::Argument);
            self.bump();
            self.finish(node);
        } else if verb != Verb::Mate {
            let word = verb.word();
            self.error(self.span_of(keyword), format!("`{word}` needs its length, as in `{word} in 2`"));
        }
    }

    /// A misspelt question of a chess problem, with its answer: one finding. Returns whether one was here.
    pub(super) fn misspelt_problem(&mut self) -> bool {
        // This runs for each item: reject nearly all of them at once.
        if !self.at(T::Word) || !may_ask(self.word()) {
            return false;
        }
        let is_spelt = matches!(self.keyword(), Some(Keyword::Item(Item::Query(_))));
        if is_spelt && self.kinds.get(self.pos + 2) != Some(&T::Word) {
            return false;
        }
        let start = self.starts[self.pos] as usize;
        let joins = |i: usize| match self.kinds[i] {
            T::Word | T::Comma => true,
            T::Space => !self.text_of(i).contains(['\n', '\r']),
            _ => false,
        };
        let last = (self.pos..self.kinds.len()).take(12).take_while(|&i| joins(i)).last();
        let Some(last) = last else { return false };
        let line = &self.text[start..self.starts[last + 1] as usize];
        let Some(written) = read_question(line) else { return false };
        let token_end = |end: usize| {
            let end = (start + end) as u32;
            (self.pos..=last).find(|&i| self.starts[i + 1] == end).map(|i| i + 1)
        };
        let Some(end) = token_end(written.end) else { return false };
        let question = &line[..written.end];
        let moves = written.moves.clone().and_then(|moves| Some((moves.clone(), token_end(moves.end)?)));
        let is_right = question.split_ascii_whitespace().eq(written.meant.split(' '));
        if is_right && moves.is_none() {
            return false;
        }
        self.mend_problem(&written, is_right, end, moves);
        true
    }

    /// Takes a misspelt question up to the token `end`, and its answer.
    fn mend_problem(
        &mut self,
        written: &Written,
        is_right: bool,
        end: usize,
        moves: Option<(std::ops::Range<usize>, usize)>,
    ) {
        let start = self.starts[self.pos];
        let node = self.start(NodeKind::Query);
        self.bump();
        if self.pos < end {
            let argument = self.start(NodeKind::Argument);
            (self.pos, self.end) = (end, end);
            self.finish(argument);
        }
        let mut span = Span::new(start, start + written.end as u32);
        let mut finding = Finding::new(Code::Syntax, span, format!("write this as `{}`", written.meant));
        let mut meant = written.meant.clone();
        if let Some((bytes, end)) = moves {
            let place = Span::new(span.end, start + bytes.end as u32);
            let error = self.start(NodeKind::Error);
            (self.pos, self.end) = (end, end);
            self.finish(error);
            if is_right {
                let word = Span::new(start + bytes.start as u32, place.end);
                let message = format!("the word `moves` is not needed: `{meant}`");
                finding = Finding::new(Code::Syntax, word, message);
                finding.fixes.push(Fix {
                    title: "remove it".into(),
                    edits: vec![Edit { span: place, text: String::new() }],
                    safe: true,
                });
            } else {
                span = span.cover(place);
                finding.span = span;
            }
        }
        let arrow = written.has_point && self.at_solution();
        if arrow {
            meant += " =>";
        }
        if finding.fixes.is_empty() {
            finding.fixes.push(Fix::new(format!("replace with `{meant}`"), span, meant, true));
        }
        self.errors.push(finding);
        let arrow = arrow || self.arrow();
        if arrow || self.at_solution() {
            self.answer(arrow);
        }
        self.finish(node);
    }

    /// Whether the answer of a chess problem is next on this line.
    pub(super) fn at_solution(&mut self) -> bool {
        match self.peek() {
            Some(T::String | T::LBracket) => self.on_same_line(),
            Some(T::Word) => self.on_same_line() && self.keyword().is_none() && is_move_like(self.word()),
            _ => false,
        }
    }

    /// Whether the value of a property is next: here, as anywhere on its line, a short form is a word.
    pub(super) fn at_property_value(&mut self) -> bool {
        self.at_value() || self.at(T::Word) && self.on_same_line() && short_form(self.word()).is_some()
    }
}

/// Whether a word may be the first one of the question of a chess problem.
fn may_ask(word: &str) -> bool {
    let begins = |with: &str| word.get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with));
    match word.as_bytes()[0] {
        b'#' => true,
        b'm' | b'M' => begins("mate"),
        b's' | b'S' => begins("self") || begins("sm") || begins("s#"),
        b'h' | b'H' => begins("help") || begins("hm") || begins("h#"),
        b'c' | b'C' => begins("checkmate"),
        b'd' | b'D' => begins("directmate"),
        _ => false,
    }
}

/// Reads the question of a chess problem at the start of a line, however it is spelt.
fn read_question(line: &str) -> Option<Written> {
    let lower = line.to_ascii_lowercase();
    let skip = |at: usize, signs: &[char]| lower.len() - lower[at..].trim_start_matches(signs).len();
    let head = HEADS.iter().find(|(written, _)| lower.starts_with(written));
    let (question, at) = if let Some((written, verb)) = head {
        let gap = skip(written.len(), &[' ', '\t', '-', '_']);
        let number = match lower[gap..].strip_prefix("in") {
            Some(_) => skip(gap + 2, &[' ', '\t', '-', '_']),
            // `mate 1. Qb6` has the number of a move.
            None if *verb != "mate" && gap > written.len() => gap,
            None => return None,
        };
        (format!("{verb} in "), number)
    } else {
        let mark = MARKS.iter().find(|mark| lower.starts_with(*mark))?;
        ((*mark).to_string(), skip(mark.len(), &[' ', '\t']))
    };
    let (number, end) = read_number(&lower, at)?;
    let signs = skip(end, &['.', '!', '?', ';', ':', '…']);
    let has_point = lower[end..signs].ends_with([':', '.', '!']);
    let rest = &lower[signs..];
    let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    let word = rest[blanks..].split([' ', '\t', ',']).next().unwrap_or_default();
    // `move` is a query.
    let is_moves = blanks > 0 && word.trim_end_matches(['.', ':', ';', '!']) == "moves";
    let moves = is_moves.then(|| signs + blanks..signs + blanks + word.len());
    Some(Written { meant: question + &number, end: signs, has_point, moves })
}

/// Reads the number of moves at an offset, in digits or as a word; returns it in digits, and its end.
fn read_number(lower: &str, at: usize) -> Option<(String, usize)> {
    let rest = &lower[at..];
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 {
        let letters = rest.bytes().take_while(u8::is_ascii_lowercase).count();
        let number = NUMBERS.iter().position(|word| *word == &rest[..letters])? + 1;
        return Some((number.to_string(), at + letters));
    }
    let whole = &rest[..digits];
    let tail = &rest[digits..];
    for half in [".5", ",5", "½", " ½", " 1/2"] {
        if tail.starts_with(half) && !tail[half.len()..].starts_with(|c: char| c.is_ascii_digit()) {
            return Some((format!("{whole}.5"), at + digits + half.len()));
        }
    }
    let fraction = tail.strip_prefix('.').map_or(0, |t| t.bytes().take_while(u8::is_ascii_digit).count());
    let end = digits + if fraction > 0 { fraction + 1 } else { 0 };
    Some((rest[..end].to_string(), at + end))
}
