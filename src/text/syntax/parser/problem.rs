//! The questions of chess problems, such as `mate in 2`, and their misspellings: one finding for each.

use crate::diagnostic::{Code, Edit, Finding, Fix, Span};
use crate::syntax::keywords::{Item, Keyword, Verb, ends_twin, verb_before_in};
use crate::syntax::lexer::TokenKind as T;
use crate::syntax::parser::Parser;
use crate::syntax::parser::query::is_move_like;
use crate::syntax::spelling::nearest;
use crate::syntax::stipulation::{
    Goal, ProblemKind, ShortForm, is_ply_counts, is_short_form, is_square_name, length_before_star,
};
use crate::syntax::tree::NodeKind;
use crate::syntax::twin::{TWIN_CHANGES, begins_popeye_twin, twin_in_words};

/// The parts of the words for kinds of problems, as people write them, and what they are in a word.
const PARTS: [(&str, &str); 14] = [
    ("checkmate", "mate"),
    ("directmate", "mate"),
    ("semi", "semi"),
    ("series", "series"),
    ("self", "self"),
    ("help", "help"),
    ("reflex", "reflex"),
    ("stalemates", "stalemate"),
    ("stalemate", "stalemate"),
    ("mates", "mate"),
    ("mate", "mate"),
    ("sm", "selfmate"),
    ("hm", "helpmate"),
    ("rm", "reflexmate"),
];

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

/// A misspelt question.
struct Misspelt {
    written: Written,
    /// Whether nothing but the word `moves` is wrong.
    is_right: bool,
    /// The token behind it.
    end: usize,
    /// The bytes of the word `moves`, and the token behind that.
    moves: Option<(std::ops::Range<usize>, usize)>,
    /// Whether it is a part of a sentence.
    is_prose: bool,
}

/// What a puzzle says of its twins up to a place.
struct TwinsSoFar {
    /// Whether the diagram is asked, too.
    is_asked: bool,
    /// Whether a problem is asked of which they are made.
    has_problem: bool,
    /// The last letter of the alphabet that names one.
    last: Option<u8>,
    /// How many there are as Popeye writes them, without a letter.
    without_letter: u8,
}

/// Whether words ask for a problem: `mate in 2`, `#2`.
fn is_problem(asked: &str) -> bool {
    let mut words = asked.split(' ');
    words.next().is_some_and(is_short_form) || words.next() == Some("in")
}

/// Whether a word begins a twin as Popeye writes it, with the word `Twin` or without it.
fn is_popeye_twin(word: &str) -> bool {
    word.eq_ignore_ascii_case("twin") || begins_popeye_twin(word)
}

impl Parser<'_> {
    /// The length of a chess problem: `in 3`. Bare `mate` has none.
    pub(super) fn length(&mut self, verb: Verb, keyword: usize) {
        let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
        if self.at(T::Word) && self.on_same_line() && self.word() == "in" {
            let node = self.start(NodeKind::Argument);
            let word = self.pos;
            self.bump();
            if self.at(T::Word) && length_before_star(self.word()).is_some() {
                self.bump();
                self.rest_of_length();
            } else {
                let message =
                    format!("`in` needs the number of moves after it, as in `{} in 2`", kind_word(verb));
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
                format!("write `in` before the number of moves: `{} in {}`", kind_word(verb), self.word());
            let node = self.start(NodeKind::Argument);
            self.bump();
            self.finish(node);
            // Behind a question that is read, a string goes on in the next lines.
            let behind = &self.kinds[self.pos.min(self.kinds.len())..];
            // What stands behind the brace is another puzzle's.
            let mut near = behind.iter().take(6).take_while(|&&kind| kind != T::RBrace);
            let safe = !near.any(|&kind| kind == T::UnclosedString);
            let fix = Fix::new("insert `in`", Span::at(number.start), "in ", safe);
            self.error(number, message).fixes.push(fix);
        } else if verb != Verb::Mate {
            let word = kind_word(verb);
            self.error(self.span_of(keyword), format!("`{word}` needs its length, as in `{word} in 2`"));
        }
    }

    /// What may follow a length: a star, which asks for set play, and the numbers of continuations at each ply.
    pub(super) fn rest_of_length(&mut self) {
        if self.at(T::Word) && self.on_same_line() && self.word() == "*" {
            self.bump();
        }
        if self.at(T::Word) && self.on_same_line() && is_ply_counts(self.word()) {
            self.bump();
        }
    }

    /// The same behind a short form, in a node of its own.
    pub(super) fn rest_of_stipulation(&mut self) {
        let follows =
            |p: &mut Self| p.at(T::Word) && p.on_same_line() && (p.word() == "*" || is_ply_counts(p.word()));
        if follows(self) {
            let node = self.start(NodeKind::Argument);
            self.rest_of_length();
            self.finish(node);
        }
    }

    /// What a short form has in the next word: `3` of `hze5 3`, `e5` of `hz3 e5`.
    pub(super) fn rest_of_short_form(&mut self, short: &ShortForm, keyword: usize) {
        if short.kind.goal != Goal::Arrival || short.length.is_some() && short.square.is_some() {
            return self.rest_of_stipulation();
        }
        let (fits, message): (fn(&str) -> bool, _) = match short.square {
            Some(_) => (has_length, "the number of moves is missing, as in `hze5 3`"),
            None => (is_square_name, "the square is missing, as in `hz3 e5`"),
        };
        if self.at(T::Word) && self.on_same_line() && fits(self.word()) {
            let node = self.start(NodeKind::Argument);
            self.bump();
            self.rest_of_length();
            self.finish(node);
        } else {
            self.error(self.span_of(keyword), message);
            // A slip in the square: `hz7 3`.
            if self.at(T::Word) && self.on_same_line() && has_length(self.word()) {
                let node = self.start(NodeKind::Argument);
                self.bump();
                self.rest_of_length();
                self.finish(node);
            }
        }
    }

    /// A twin as composers write it, `b) wKa6->b6`, with its answer: one finding. Returns whether one was here.
    pub(super) fn misspelt_twin(&mut self) -> bool {
        let Some((last, words)) = self.twin_by_mistake() else { return false };
        let span = self.span_of(self.pos).cover(self.span_of(last));
        // A letter that is missing is a guess, and only chess has twins.
        let safe = self.word() != "twin:" && self.has_problems;
        let node = self.start(NodeKind::Error);
        (self.pos, self.end) = (last + 1, last + 1);
        let fix = Fix::new(format!("replace with `{words}`"), span, words.clone(), safe);
        let message = match words.starts_with("twin") {
            true => format!("write this twin as `{words}`"),
            false => format!("a) is the diagram, so write this as `{words}`"),
        };
        self.error(span, message).fixes.push(fix);
        if self.arrow() {
            self.answer(true);
        }
        self.finish(node);
        true
    }

    /// Whether a twin as composers write it is next.
    pub(super) fn at_twin_by_mistake(&mut self) -> bool {
        self.twin_by_mistake().is_some()
    }

    /// `set play` in two words, with its answer: one finding. Returns whether it was here.
    pub(super) fn misspelt_set_play(&mut self) -> bool {
        let Some(last) = self.set_play_by_mistake() else { return false };
        let span = self.span_of(self.pos).cover(self.span_of(last));
        let node = self.start(NodeKind::Error);
        (self.pos, self.end) = (last + 1, last + 1);
        let fix = Fix::new("replace with `set-play`", span, "set-play", true);
        self.error(span, "`set-play` is one word, with a hyphen").fixes.push(fix);
        if self.arrow() {
            self.answer(true);
        }
        self.finish(node);
        true
    }

    /// The last token of `set play` in two words, if that is next.
    pub(super) fn set_play_by_mistake(&mut self) -> Option<usize> {
        let last = self.pos + 2;
        let is_it = self.at(T::Word)
            && self.word().eq_ignore_ascii_case("set")
            && self.kinds.get(last) == Some(&T::Word)
            && self.text_of(last).eq_ignore_ascii_case("play")
            && !self.text_of(last - 1).contains(['\n', '\r']);
        is_it.then_some(last)
    }

    /// The last token of a twin as composers write it, or without its letter, or as Popeye writes it, and the twin in words.
    fn twin_by_mistake(&mut self) -> Option<(usize, String)> {
        if !self.at(T::Word) {
            return None;
        }
        let has_no_letter = self.word() == "twin:";
        let is_popeye = is_popeye_twin(self.word());
        if !has_no_letter && !is_popeye && self.kinds.get(self.pos + 1) != Some(&T::RParen) {
            return None;
        }
        let on_line = |i: &usize| match self.kinds[*i] {
            T::Space => !self.text_of(*i).contains(['\n', '\r']),
            T::Arrow => self.is_part_of_twin(*i),
            T::RBrace | T::LBrace | T::Comment => false,
            T::Word => !ends_twin(self.text_of(*i)),
            _ => true,
        };
        let line = (self.pos..self.kinds.len()).take(64).take_while(on_line);
        let last = line.filter(|&i| self.kinds[i] != T::Space).last()?;
        let span = self.span_of(self.pos).cover(self.span_of(last));
        let text = &self.text[span.range()];
        if has_no_letter {
            let changes = text["twin:".len()..].trim_start();
            let letter = self.next_twin()?;
            return (!changes.is_empty()).then(|| (last, format!("twin {letter}: {changes}")));
        }
        if is_popeye {
            // Without the word `Twin` it may be a move, where no problem is asked.
            let changes =
                if begins_popeye_twin(self.word()) { text } else { text["twin".len()..].trim_start() };
            let letter = self.next_twin().filter(|_| self.twins_so_far().has_problem)?;
            return twin_in_words(&format!("{letter}) {changes}")).map(|words| (last, words));
        }
        let words = twin_in_words(text)?;
        // What is asked of the diagram.
        if let Some(asked) = words.strip_prefix("twin a: ").filter(|asked| is_problem(asked)) {
            let so_far = self.twins_so_far();
            if so_far.is_asked && !so_far.has_problem {
                return Some((last, asked.to_string()));
            }
        }
        // The diagram is a), unless it is not asked.
        match words.split_once(": from a, ").filter(|_| self.twins_so_far().is_asked) {
            Some((twin, changes)) => Some((last, format!("{twin}: {changes}"))),
            None => Some((last, words)),
        }
    }

    /// The letter of the next twin, where the letters before go on in order.
    fn next_twin(&self) -> Option<char> {
        let so_far = self.twins_so_far();
        let next = so_far.last.map_or(b'a' + u8::from(so_far.is_asked), |last| last + 1);
        let next = next.checked_add(so_far.without_letter)?;
        (next <= b'z').then_some(char::from(next))
    }

    /// What the puzzle says of its twins before the next token; what is far above is left out.
    fn twins_so_far(&self) -> TwinsSoFar {
        /// More than the tokens of twins from a to z.
        const FAR: usize = 512;
        let mut so_far = TwinsSoFar { is_asked: true, has_problem: false, last: None, without_letter: 0 };
        let before =
            (self.pos.saturating_sub(FAR)..self.pos).rev().take_while(|&i| self.kinds[i] != T::LBrace);
        let mut behind = "";
        for at in before.filter(|&i| self.kinds[i] == T::Word) {
            let word = self.text_of(at);
            let begins_line = at > 0 && self.text_of(at - 1).contains(['\n', '\r']);
            match (word, behind.trim_end_matches(':').as_bytes()) {
                ("twin", &[letter @ b'a'..=b'z']) => so_far.last = so_far.last.max(Some(letter)),
                ("zeroposition", _) => so_far.is_asked = false,
                (_, b"in") => so_far.has_problem = true,
                _ if begins_line && is_popeye_twin(word) && word != "twin" => {
                    so_far.without_letter = so_far.without_letter.saturating_add(1);
                }
                _ => so_far.has_problem |= is_short_form(word),
            }
            behind = word;
        }
        so_far
    }

    /// The letter and the changes of a twin: everything on the line before its answer or the next item.
    pub(super) fn twin(&mut self, keyword: usize) {
        let is_part = |kind: Option<T>| {
            matches!(
                kind,
                Some(T::Word | T::Comma | T::RParen | T::String | T::Remark | T::LBracket | T::RBracket)
            )
        };
        if !(self.at(T::Word) && self.on_same_line()) || ends_twin(self.word()) {
            let message = "`twin` needs a letter and a change, as in `twin b: a6 to b6`";
            self.error(self.span_of(keyword), message);
            return;
        }
        let node = self.start(NodeKind::Argument);
        while (is_part(self.peek()) || self.at(T::Arrow) && self.is_part_of_twin(self.pos))
            && !(self.at(T::Word) && ends_twin(self.word()))
            && (self.on_same_line() || self.twin_goes_on())
            && !self.at_other_comment()
        {
            self.bump();
        }
        self.finish(node);
    }

    /// Takes the blank before the next line into the changes of a twin, which go on there behind a comma or a colon: one finding.
    fn twin_goes_on(&mut self) -> bool {
        let (last, gap) = (self.end - 1, self.end);
        let is_open = self.kinds[last] == T::Comma || self.text_of(last).ends_with(':');
        let is_break =
            self.pos == gap + 1 && self.kinds[gap] == T::Space && self.text_of(gap).split('\n').count() == 2;
        let goes_on = is_open
            && is_break
            && self.at(T::Word)
            && (is_square_name(self.word()) || TWIN_CHANGES.contains(&self.word()));
        if goes_on {
            let fix = Fix::new("put both lines together", self.span_of(gap), " ", false);
            let span = self.span_of(last).cover(self.span_of(gap));
            self.error(span, "a twin and its changes stand on one line").fixes.push(fix);
        }
        goes_on
    }

    /// Whether an arrow belongs to the change of a twin as Popeye writes it: `Substitute B ==> S`.
    fn is_part_of_twin(&self, arrow: usize) -> bool {
        self.text[..self.starts[arrow] as usize].ends_with('=')
    }

    /// `stalemate in 2` with a slip in the first word, which alone is no keyword: one finding. Returns whether it was here.
    pub(super) fn misspelt_stalemate(&mut self) -> bool {
        if !self.at_stalemate_by_mistake() {
            return false;
        }
        let meant = Verb::Problem(ProblemKind::STALEMATE);
        let (span, word) = (self.span_of(self.pos), ProblemKind::STALEMATE.word());
        let message = format!("unknown keyword `{}`; did you mean `{word}`?", self.word());
        let fix = Fix::new(format!("replace with `{word}`"), span, word, !self.after_stray);
        self.errors.push(Finding::new(Code::UnknownKeyword, span, message).fix(fix));
        self.query(meant);
        true
    }

    /// Whether a word near `stalemate`, and `in` behind it on its line, are next.
    fn at_stalemate_by_mistake(&mut self) -> bool {
        let word = ProblemKind::STALEMATE.word();
        self.at(T::Word)
            && self.word() != word
            && self.word().len().abs_diff(word.len()) < 3
            && self.ahead(1).any(|(next, new_line)| !new_line && self.text_of(next) == "in")
            && self.keyword().is_none()
            && nearest(self.word(), std::iter::once(word)).is_some()
    }

    /// Whether a misspelt question of a chess problem in words is next: signs such as `#2!` may belong to an answer.
    pub(super) fn at_problem_by_mistake(&mut self) -> bool {
        let has_signs = self.at(T::Word) && self.word().contains(['#', '=']);
        !has_signs && (self.at_stalemate_by_mistake() || self.problem_by_mistake().is_some())
    }

    /// A misspelt question of a chess problem, with its answer: one finding. Returns whether one was here.
    pub(super) fn misspelt_problem(&mut self) -> bool {
        let Some(found) = self.problem_by_mistake() else { return false };
        self.mend_problem(found);
        true
    }

    /// A misspelt question of a chess problem.
    fn problem_by_mistake(&mut self) -> Option<Misspelt> {
        // This runs for each item: reject nearly all of them at once.
        if !self.at(T::Word) || !may_ask(self.word()) {
            return None;
        }
        let is_spelt = matches!(self.keyword(), Some(Keyword::Item(Item::Query(_))));
        if is_spelt && self.kinds.get(self.pos + 2) != Some(&T::Word) {
            return None;
        }
        let start = self.starts[self.pos] as usize;
        let joins = |i: usize| match self.kinds[i] {
            T::Word | T::Comma => true,
            T::Space => !self.text_of(i).contains(['\n', '\r']),
            _ => false,
        };
        let last = (self.pos..self.kinds.len()).take(12).take_while(|&i| joins(i)).last()?;
        let line = &self.text[start..self.starts[last + 1] as usize];
        let written = read_question(line)?;
        let token_end = |end: usize| {
            let end = (start + end) as u32;
            (self.pos..=last).find(|&i| self.starts[i + 1] == end).map(|i| i + 1)
        };
        let end = token_end(written.end)?;
        let question = &line[..written.end];
        let moves = written.moves.clone().and_then(|moves| Some((moves.clone(), token_end(moves.end)?)));
        let is_right = question.split_ascii_whitespace().eq(written.meant.split(' '));
        // Nearly all questions are right.
        if is_right && moves.is_none() {
            return None;
        }
        let is_prose = self.prose_behind(moves.as_ref().map_or(end, |&(_, end)| end) - 1);
        // In other languages `#` begins a comment.
        let is_comment = self.word() == "#" && (is_prose || !self.begins_line());
        (!is_comment).then_some(Misspelt { written, is_right, end, moves, is_prose })
    }

    /// Takes a misspelt question, and its answer.
    fn mend_problem(&mut self, Misspelt { written, is_right, end, moves, is_prose }: Misspelt) {
        let start = self.starts[self.pos];
        let node = self.start(NodeKind::Query);
        self.bump();
        if self.pos < end {
            let argument = self.start(NodeKind::Argument);
            (self.pos, self.end) = (end, end);
            self.finish(argument);
        }
        // Behind a question that is read, a string goes on in the next lines.
        let behind = &self.kinds[self.pos.min(self.kinds.len())..];
        let may_be = self.has_problems && !self.after_stray && !is_prose;
        let safe = may_be && !behind.iter().take(6).any(|&kind| kind == T::UnclosedString);
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
                let message = format!("the word `{}` is not needed: `{meant}`", &self.text[word.range()]);
                finding = Finding::new(Code::Syntax, word, message);
                finding.fixes.push(Fix {
                    title: "remove it".into(),
                    edits: vec![Edit { span: place, text: String::new() }],
                    safe,
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
            finding.fixes.push(Fix::new(format!("replace with `{meant}`"), span, meant, safe));
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
        self.at_value() || self.at(T::Word) && self.on_same_line() && is_short_form(self.word())
    }
}

/// The word of a query before `in`.
fn kind_word(verb: Verb) -> &'static str {
    verb.problem().unwrap_or(ProblemKind::MATE).word()
}

/// Whether a word may be the first one of the question of a chess problem.
fn may_ask(word: &str) -> bool {
    let first = word.as_bytes()[0].to_ascii_lowercase();
    let begins = |with: &str| word.get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with));
    match first {
        b'#' => true,
        b'1'..=b'9' => word.ends_with(['#', '=']),
        b'c' | b'd' | b'h' | b'm' | b'r' | b's' => {
            begins("ser")
                || begins("semi")
                || matches!(word, "h" | "s" | "r" | "hs" | "hr")
                || word.contains(['#', '='])
                || PARTS.iter().any(|(part, _)| begins(part))
        }
        _ => false,
    }
}

/// Reads the word for a kind of problem at the start of a line, however its parts are joined: the word, and its end.
fn read_kind(lower: &str) -> Option<(&'static str, usize)> {
    let (mut word, mut end) = (String::new(), 0);
    loop {
        let gap = match end {
            0 => 0,
            _ => lower[end..].len() - lower[end..].trim_start_matches([' ', '\t', '-', '_']).len(),
        };
        let (written, part) = PARTS.iter().find(|(part, _)| lower[end + gap..].starts_with(part))?;
        word += part;
        end += gap + written.len();
        if let Some(Verb::Problem(kind)) = verb_before_in(&word) {
            return Some((kind.word(), end));
        }
    }
}

/// Reads the beginning of a short form at the start of a line, however its parts are joined: the right one, and its end.
fn read_mark(lower: &str) -> Option<(String, usize)> {
    for kind in ProblemKind::all().filter(|kind| kind.goal.has_word()) {
        let right = kind.short();
        let (letters, sign) = right.split_at(right.len() - 1);
        let torn = format!("{letters} {sign}");
        for written in [right.clone(), right.replace('-', " "), right.replace('-', ""), torn] {
            // A bare `=` is the sign for an answer, meant as an arrow.
            if written != "=" && lower.starts_with(&written) {
                return Some((right, written.len()));
            }
        }
    }
    None
}

/// Reads a short form at the start of a line whose sign stands behind its number: `2#`, `h2#`.
fn read_turned_mark(lower: &str) -> Option<(String, usize)> {
    let letters = lower.bytes().take_while(u8::is_ascii_lowercase).count();
    if !lower.as_bytes().get(letters)?.is_ascii_digit() {
        return None;
    }
    let (number, end) = read_number(lower, letters)?;
    let rest = &lower[end..];
    let sign = rest.chars().next().filter(|c| matches!(c, '#' | '='))?;
    let short = format!("{}{sign}{number}", &lower[..letters]);
    let ends = rest[1..].chars().next().is_none_or(char::is_whitespace);
    (ends && is_short_form(&short)).then_some((short, end + 1))
}

/// Reads the question of a chess problem at the start of a line, however it is spelt.
fn read_question(line: &str) -> Option<Written> {
    let lower = line.to_ascii_lowercase();
    let skip = |at: usize, signs: &[char]| lower.len() - lower[at..].trim_start_matches(signs).len();
    if let Some((meant, end)) = read_turned_mark(&lower) {
        return Some(Written { meant, end, has_point: false, moves: None });
    }
    let (question, at) = if let Some((word, end)) = read_kind(&lower) {
        let gap = skip(end, &[' ', '\t', '-', '_']);
        let number = match lower[gap..].strip_prefix("in") {
            Some(_) => skip(gap + 2, &[' ', '\t', '-', '_']),
            // `mate 1. Qb6` has the number of a move.
            None if word != "mate" && gap > end => gap,
            None => return None,
        };
        (format!("{word} in "), number)
    } else {
        let (mark, end) = read_mark(&lower)?;
        (mark, skip(end, &[' ', '\t']))
    };
    let (number, end) = read_number(&lower, at)?;
    let signs = skip(end, &['.', '!', '?', ';', ':', '…']);
    let has_point = lower[end..signs].ends_with([':', '.', '!']);
    let rest = &lower[signs..];
    let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    let word = rest[blanks..].split([' ', '\t', ',']).next().unwrap_or_default();
    let behind = rest[blanks + word.len()..].trim_start_matches([' ', '\t']);
    let is_moves = match word.trim_end_matches(['.', ':', ';', '!']) {
        "moves" => blanks > 0,
        // With a move behind it, this is a query.
        "move" => blanks > 0 && (behind.is_empty() || behind.starts_with(',')),
        _ => false,
    };
    let moves = is_moves.then(|| signs + blanks..signs + blanks + word.len());
    Some(Written { meant: question + &number, end: signs, has_point, moves })
}

/// Whether a word is a number of moves.
pub(super) fn is_number_word(word: &str) -> bool {
    NUMBERS.contains(&word)
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
    for half in [".5", ",5", "½", " ½", " 1/2", ". 5", " .5", " . 5"] {
        // `h#1. 5.Kb1` has the number of a move.
        let has_gap = half.contains(' ') && half.contains('.');
        let goes_on = |c: char| c.is_ascii_digit() || c == '.' && has_gap;
        if tail.starts_with(half) && !tail[half.len()..].starts_with(goes_on) {
            return Some((format!("{whole}.5"), at + digits + half.len()));
        }
    }
    let fraction = tail.strip_prefix('.').map_or(0, |t| t.bytes().take_while(u8::is_ascii_digit).count());
    let end = digits + if fraction > 0 { fraction + 1 } else { 0 };
    Some((rest[..end].to_string(), at + end))
}

/// Whether a word is a length, with a star behind it or not.
pub(super) fn has_length(word: &str) -> bool {
    length_before_star(word).is_some()
}
