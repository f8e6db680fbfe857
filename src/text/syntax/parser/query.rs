//! Queries: verb, argument, arrow and answer.

use crate::diagnostic::{Edit, Fix, Span};
use crate::syntax::keywords::{Item, Keyword, Verb, verb_before_in};
use crate::syntax::lexer::TokenKind as T;
use crate::syntax::parser::Parser;
use crate::syntax::stipulation::{is_length, short_form};
use crate::syntax::tree::NodeKind;

impl Parser<'_> {
    pub(super) fn query(&mut self, verb: Verb) {
        let node = self.start(NodeKind::Query);
        let keyword = self.pos;
        self.bump();
        let colon = verb == Verb::Move && self.move_with_colon();
        match verb {
            Verb::Move if colon => {}
            Verb::Move => self.argument(keyword),
            Verb::Twin => self.twin(keyword),
            Verb::Mate | Verb::Problem(_) => match short_form(self.text_of(keyword)) {
                Some(short) => self.rest_of_short_form(&short, keyword),
                None => self.length(verb, keyword),
            },
            Verb::Unsolved => self.rest_of_stipulation(),
            Verb::Win | Verb::Draw => self.length_of_study(verb),
            _ => {}
        }
        if matches!(verb, Verb::Mate | Verb::Problem(_)) && self.end - keyword > 0 {
            self.slip_behind_length();
        }
        let is_problem = match verb {
            Verb::Mate | Verb::Problem(_) => {
                self.end - keyword > 1 || short_form(self.text_of(keyword)).is_some()
            }
            verb => verb.is_problem(),
        };
        if self.at(T::Word) && self.word().starts_with('/') && self.at_other_comment() && self.on_same_line()
        {
            self.other_comment();
        }
        let arrow = colon || self.arrow();
        if arrow || self.at_answer_without_arrow(verb) || is_problem && self.at_solution() {
            self.answer(arrow);
        }
        self.finish(node);
    }

    /// Whether an answer is next, though its arrow is missing: a word that can only be one, or a list, which is the
    /// board if there is none before it.
    fn at_answer_without_arrow(&mut self, verb: Verb) -> bool {
        match self.at_list() {
            true => matches!(verb, Verb::Solve | Verb::Capture) && (self.has_board || !self.begins_line()),
            false => self.at_answer_word(verb),
        }
    }

    /// Whether the next word can only be an answer.
    fn at_answer_word(&mut self, verb: Verb) -> bool {
        self.at_value()
            && (is_answer(self.word())
                || verb == Verb::Count && self.word().bytes().all(|b| b.is_ascii_digit())
                || matches!(verb, Verb::Solve | Verb::Capture) && names_two_squares(self.word())
                || verb == Verb::Line && !self.begins_line() && is_move_like(self.word()))
    }

    /// A move with a colon in the place of the arrow, as in `Rh5: legal`: one finding. Returns whether it was there.
    fn move_with_colon(&mut self) -> bool {
        let Some(mv) = self.at(T::Word).then(|| self.word().strip_suffix(':')).flatten() else {
            return false;
        };
        let is_verdict = |(i, new_line): (usize, bool)| !new_line && is_answer(self.text_of(i));
        if !has_square(mv) || !self.ahead(1).next().is_some_and(is_verdict) {
            return false;
        }
        let node = self.start(NodeKind::Error);
        let colon = Span::new(self.span_of(self.pos).end - 1, self.span_of(self.pos).end);
        let (whole, meant) = (self.span_of(self.pos), format!("{mv} =>"));
        self.bump();
        self.finish(node);
        let fix = Fix::new(format!("replace with `{meant}`"), whole, meant, true);
        self.error(colon, "an answer is written after `=>`, not `:`").fixes.push(fix);
        self.peek();
        true
    }

    pub(super) fn argument(&mut self, keyword: usize) {
        if self.spaced_move() {
            return;
        }
        if self.list_without_brackets() {
        } else if self.at_list() || self.at_word() && self.arrow_by_mistake().is_none() {
            let node = self.start(NodeKind::Argument);
            if self.at_list() {
                self.list();
            } else {
                self.spelled_move();
            }
            self.finish(node);
        } else if self.at_string() {
            let node = self.start(NodeKind::Argument);
            let (span, word) = (self.span_of(self.pos), self.word());
            let bare = word.trim_matches(['"', '\'']);
            let is_move = |c: char| c.is_ascii_alphanumeric() || "+-#=!?".contains(c);
            // A string above that is not closed may end with one of the quotes.
            let before = &self.kinds[self.pos.saturating_sub(256)..self.pos];
            let safe = !bare.is_empty() && bare.chars().all(is_move) && !before.contains(&T::UnclosedString);
            // A space keeps separate what the quotes separated. Several words are no move.
            let space = |i: usize| if self.kinds.get(i).is_none_or(|&k| k == T::Space) { "" } else { " " };
            let behind = bare.split_once(char::is_whitespace).map(|(_, behind)| behind.trim());
            // The first of the parts of a move that has lost its brackets is no move.
            let is_part = self.second() == Some(T::Comma);
            let bare = (!is_part && behind.is_none_or(says_en_passant))
                .then(|| format!("{}{bare}{}", space(self.pos - 1), space(self.pos + 1)));
            let fix = bare.map(|bare| Fix::new("remove the quotes", span, bare, safe));
            // The lexer has reported a string that is not closed.
            if self.at(T::String) {
                let message = "write a move without quotes, as in `move Rh2`, or as a list";
                self.error(span, message).fixes.extend(fix);
            }
            self.bump();
            self.finish(node);
        } else {
            let message = "`move` needs a move after it: `[\"W\",\"R\",8,2]`, `h1h2` or `Rh2`";
            self.error(self.span_of(keyword), message);
        }
    }

    /// A move as text: perhaps counters before it (`1. Rd8`), perhaps words behind it (`exd6 e.p.`, `exd8 (Q)+`).
    fn spelled_move(&mut self) {
        while self.at(T::Word) && is_counter(self.word()) {
            self.bump();
        }
        if !self.at_word() || self.arrow_by_mistake().is_some() {
            return;
        }
        self.bump();
        if self.at(T::Word) && says_en_passant(self.word()) {
            self.bump();
        }
        if self.at(T::Remark) && is_promotion(self.word()) {
            self.bump();
            if self.at(T::Word) && self.word().chars().all(|c| MARKS.contains(&c)) {
                self.bump();
            }
        }
    }

    /// A move as a list without its brackets: four words with commas between them on one line. Returns whether one was
    /// here.
    fn list_without_brackets(&mut self) -> bool {
        if !(self.at_string() || self.at_word()) {
            return false;
        }
        let on_line = (self.pos..self.kinds.len())
            .take_while(|&i| !(self.kinds[i] == T::Space && self.text_of(i).contains(['\n', '\r'])))
            .filter(|&i| !self.kinds[i].is_trivia());
        let tokens: Vec<usize> = on_line.take(8).collect();
        let is_part = |(i, &token): (usize, &usize)| match self.kinds[token] {
            T::Comma => i % 2 == 1,
            T::String | T::Word => i % 2 == 0 && Keyword::from_word(self.text_of(token)).is_none(),
            _ => false,
        };
        let parts = tokens.iter().enumerate().take_while(|part| is_part(*part)).count();
        let is_number = |i: usize| self.text_of(tokens[i]).bytes().all(|b| b.is_ascii_digit());
        if parts < 7 || !is_number(4) || !is_number(6) {
            return false;
        }
        let node = self.start(NodeKind::Error);
        let first = self.span_of(self.pos);
        for _ in 0..7 {
            self.peek();
            self.bump();
        }
        let span = first.cover(self.span_of(self.end - 1));
        let edits = [(span.start, "["), (span.end, "]")];
        let edits = edits.map(|(at, text)| Edit { span: Span::at(at), text: text.into() }).to_vec();
        // A bracket behind it is one of the two.
        let fix = match tokens.get(7).is_some_and(|&i| self.kinds[i] == T::RBracket) {
            true => Fix::new("insert `[`", Span::at(span.start), "[", false),
            false => Fix { title: "put it in brackets".into(), edits, safe: true },
        };
        self.error(span, "a move with commas needs brackets around it").fixes.push(fix);
        self.finish(node);
        self.eat(T::RBracket);
        true
    }

    /// A move with spaces or an arrow between its squares, as in `e2 - e4`. Returns whether one was here.
    fn spaced_move(&mut self) -> bool {
        self.peek();
        let mut ahead = (self.pos..self.kinds.len()).filter(|&i| !self.kinds[i].is_trivia());
        let Some(start) = ahead.find(|&i| self.kinds[i] != T::Word || !is_counter(self.text_of(i))) else {
            return false;
        };
        if self.kinds[start] != T::Word {
            return false;
        }
        let from = self.text_of(start);
        let dash =
            |i: usize| matches!(self.text_of(i), "-" | "–" | "—" | "->" | "→" | "⇒" | "-->" | "x" | "×");
        let (first, second) = (ahead.next(), ahead.next());
        let (from, to, last) = match (split_move(from), first) {
            (Some((from, to)), _) => (from, to, start),
            (None, Some(i)) if is_square(from) && dash(i) => match second {
                Some(last) => (from, self.text_of(last), last),
                None => return false,
            },
            (None, Some(i)) if is_square(from) => (from, self.text_of(i), i),
            _ => return false,
        };
        let piece = from.len() > 2;
        if !is_target(to) || self.kinds[last] != T::Word {
            return false;
        }
        // A long dash is a hyphen: `e7–e8n`.
        let has_dash = last == start && self.text_of(start).contains(['–', '—']);
        let is_twice = from == to;
        let joined = match piece || has_dash {
            _ if is_twice => to.to_string(),
            true => format!("{from}-{to}"),
            false => format!("{from}{to}"),
        };
        let node = self.start(NodeKind::Error);
        let span = self.span_of(start).cover(self.span_of(last));
        self.take_to(last);
        let comment = self.kinds[start..self.end].contains(&T::Comment);
        let fix =
            (!comment).then(|| Fix::new(format!("replace with `{joined}`"), span, joined.as_str(), false));
        let message = match is_twice {
            true => format!("the square `{to}` is written twice"),
            false => format!("write the squares of a move together: `{joined}`"),
        };
        self.error(span, message).fixes.extend(fix);
        self.finish(node);
        true
    }

    pub(super) fn arrow(&mut self) -> bool {
        if self.eat(T::Arrow) {
            return true;
        }
        let Some(mut span) = self.arrow_by_mistake() else { return false };
        let first = self.word();
        self.bump();
        // `==>` is a word and an arrow to the lexer, `= >` is two words.
        let arrow = self.kinds.get(self.pos) == Some(&T::Arrow);
        if arrow || matches!(first, "=" | "-" | "–") && self.at(T::Word) && self.word() == ">" {
            span = span.cover(self.span_of(self.pos));
            self.bump();
        }
        let message = format!("an answer is written after `=>`, not `{}`", &self.text[span.range()]);
        // Without an answer behind it, it may mean something else.
        let answer = self.at_list()
            || self.at(T::Word) && (is_answer(self.word()) || has_square(self.word()))
            || self.at(T::String) && self.word().split_whitespace().any(has_square);
        // The arrow may be behind the next word, and a comment inside it would be lost.
        let is_whole = !self.text[span.range()].contains("//");
        let fix = (is_whole && self.second() != Some(T::Arrow))
            .then(|| Fix::new("replace with `=>`", span, "=>", answer));
        self.error(span, message).fixes.extend(fix);
        true
    }

    /// The span of a word that was probably meant as an arrow.
    pub(super) fn arrow_by_mistake(&mut self) -> Option<Span> {
        const ARROWS: [&str; 18] = [
            "=", "->", "==", "→", "⇒", "⟹", "⟶", ":", "-", "–", "-->", ">", ">=", "＝＞", "=＞", "–>", "—>",
            ":=",
        ];
        (self.at(T::Word) && ARROWS.contains(&self.word())).then(|| self.span_of(self.pos))
    }

    /// Takes the word of a question that stands for an answer, at the end of its line or puzzle: `mate => mate`, and `=> move`,
    /// which as a question would need a move.
    fn question_as_answer(&mut self) -> bool {
        let arrow = self.end - 1;
        if !self.at(T::Word) || self.begins_line() {
            return false;
        }
        let asked = (0..arrow).rev().find(|&i| !self.kinds[i].is_trivia());
        let fix = match self.keyword() {
            Some(Keyword::Item(Item::Query(Verb::Mate)))
                if asked.is_some_and(|i| self.text_of(i) == "mate") =>
            {
                let span = self.span_of(self.pos);
                Some(Fix::new("replace with `checkmate`", span, "checkmate", false))
            }
            Some(Keyword::Item(Item::Query(Verb::Move))) => None,
            _ => return false,
        };
        let ends = self.ends_line_behind(self.pos);
        if ends {
            let node = self.start(NodeKind::Error);
            let (span, word) = (self.span_of(self.pos), self.word());
            self.error(span, format!("`{word}` is a question, not an answer")).fixes.extend(fix);
            self.bump();
            self.finish(node);
        }
        ends
    }

    /// Whether nothing but a comment stands behind a token on its line, or the end of the puzzle.
    fn ends_line_behind(&self, token: usize) -> bool {
        let behind = (token + 1..self.kinds.len()).find(|&i| self.kinds[i] != T::Space);
        behind.is_none_or(|i| {
            let gap = &self.text[self.starts[token + 1] as usize..self.starts[i] as usize];
            gap.contains(['\n', '\r']) || matches!(self.kinds[i], T::RBrace | T::Comment | T::Remark)
        })
    }

    /// Takes `check mate` and `stale mate`, answers in two words, of which the second would be a question. Returns whether they were
    /// here.
    fn answer_in_two_words(&mut self) -> bool {
        let is_first = |(word, _): &(&str, &str)| self.word().eq_ignore_ascii_case(word);
        let words = [("check", "checkmate"), ("stale", "stalemate")];
        let Some((_, meant)) = words.into_iter().find(is_first).filter(|_| self.at(T::Word)) else {
            return false;
        };
        let next = self.ahead(1).next();
        let is_mate = |&(i, new_line): &(usize, bool)| {
            !new_line && self.text_of(i).eq_ignore_ascii_case("mate") && self.ends_line_behind(i)
        };
        let Some((mate, _)) = next.filter(is_mate) else { return false };
        let span = self.span_of(self.pos).cover(self.span_of(mate));
        let node = self.start(NodeKind::Error);
        self.take_to(mate);
        self.finish(node);
        let fix = Fix::new(format!("replace with `{meant}`"), span, meant, true);
        self.error(span, format!("this answer is one word: `{meant}`")).fixes.push(fix);
        true
    }

    pub(super) fn answer(&mut self, arrow: bool) {
        if !arrow {
            // A comment needs a space before it.
            let arrow = if self.kinds.get(self.end) == Some(&T::Space) { " =>" } else { " => " };
            // In the next line it may belong to something else, and what is invisible has a finding of its own.
            // `solve =2 b2xd4` is no slip in an arrow alone.
            let is_sign = self.text_of(self.end - 1).starts_with('=');
            let is_plain = !is_sign && !self.kinds[self.end..self.pos].contains(&T::Control);
            let safe = !self.begins_line() && is_plain;
            let fix = (!self.ends_open()).then(|| Fix::new("insert `=>`", self.last_end(), arrow, safe));
            self.error(self.span_of(self.pos), "an answer is written after `=>`").fixes.extend(fix);
        }
        if arrow && self.at(T::Arrow) {
            let span = self.span_of(self.pos);
            self.error(span, "one `=>` is enough").fixes.push(Fix::new("remove it", span, "", false));
            self.bump();
        }
        if self.question_as_answer() || self.answer_in_two_words() {
        } else if !(self.at_list() || self.at_string() || self.at_value()) {
            let span = self.span_of(self.end - 1);
            // What follows may be the answer.
            let nothing = self.peek().is_none_or(|kind| kind == T::RBrace || kind == T::Word);
            let fix = nothing.then(|| Fix::new("remove it", span, "", false));
            self.error(span, "`=>` needs an answer after it").fixes.extend(fix);
        } else {
            let node = self.start(NodeKind::Answer);
            if self.at_list() {
                self.lists();
            } else if self.at_string() {
                let first = self.span_of(self.pos);
                self.bump();
                self.torn_text();
                self.strings_without_brackets(first);
            } else if self.at_no_mate() {
                (0..4).for_each(|_| {
                    self.peek();
                    self.bump();
                });
                self.more_words(false);
            } else {
                self.bump();
                self.more_words(false);
            }
            self.finish(node);
        }
        if matches!(self.peek(), Some(T::Remark | T::UnclosedRemark)) {
            self.bump();
        }
    }
}

impl Parser<'_> {
    /// Whether `no mate in 2` is next, as hints print it: the only answer with a keyword in it. Before an arrow it is the
    /// answer `no` and a query.
    fn at_no_mate(&mut self) -> bool {
        if self.peek().is_none() || self.word() != "no" {
            return false;
        }
        let ahead: Vec<(usize, bool)> = self.ahead(4).collect();
        let [(kind, false), (within, false), (length, false), ref behind @ ..] = ahead[..] else {
            return false;
        };
        verb_before_in(self.text_of(kind)).is_some()
            && self.text_of(within) == "in"
            && is_length(self.text_of(length))
            && behind.first().is_none_or(|&(i, _)| self.kinds[i] != T::Arrow)
    }
}

/// Check and judgements behind a move.
const MARKS: [char; 4] = ['+', '#', '!', '?'];

/// Whether a word is the number of a move, or only dots: `1.`, `1...`, `…`.
fn is_counter(word: &str) -> bool {
    let number = word.trim_end_matches(['.', '…']);
    number.len() < word.len() && number.bytes().all(|b| b.is_ascii_digit())
}

/// The words that say that a capture is en passant.
pub const EN_PASSANT_WORDS: [&str; 4] = ["e.p.", "ep.", "e.p", "ep"];

/// Whether a word behind a move says that it captures en passant; marks may follow.
pub fn says_en_passant(word: &str) -> bool {
    EN_PASSANT_WORDS.contains(&word.trim_end_matches(MARKS))
}

/// Whether a remark behind a move is the letter of a piece: `(Q)`, `(=Q)`.
fn is_promotion(remark: &str) -> bool {
    let mut letters = remark.trim_matches(['(', ')', '=']).chars();
    letters.next().is_some_and(|c| c.is_ascii_alphabetic()) && letters.next().is_none()
}

/// Whether a word is an answer in itself.
pub(super) fn is_answer(word: &str) -> bool {
    const WORDS: [&str; 8] = ["none", "true", "false", "legal", "illegal", "checkmate", "check", "stalemate"];
    WORDS.iter().any(|w| w.eq_ignore_ascii_case(word))
}

/// Whether a word looks like a move, with or without its number: `Qb6`, `1.exd5!`, `O-O`.
pub(super) fn is_move_like(word: &str) -> bool {
    has_square(word) || is_counter(word) || word.replace('0', "O").starts_with("O-O")
}

/// Whether a word names a square, as moves do.
pub(super) fn has_square(word: &str) -> bool {
    word.as_bytes().windows(2).any(|pair| matches!(pair, [b'a'..=b'h', b'1'..=b'8']))
}

/// Whether a word names two squares next to each other, or with a sign and a letter between them, as captures do.
fn names_two_squares(word: &str) -> bool {
    let mut squares = word.as_bytes().windows(2).enumerate();
    let is_square = |(at, pair): (usize, &[u8])| match pair {
        [b'a'..=b'z', b'1'..=b'9'] => Some(at),
        _ => None,
    };
    let (first, second) = (squares.find_map(is_square), squares.find_map(is_square));
    first.zip(second).is_some_and(|(first, second)| (2..=4).contains(&(second - first)))
}

/// Whether a word is a square, or a piece and a square.
fn is_square(word: &str) -> bool {
    let square = word.strip_prefix(['K', 'Q', 'R', 'B', 'N', 'S']).unwrap_or(word);
    matches!(square.as_bytes(), [b'a'..=b'h', b'1'..=b'8'])
}

/// Whether a word is a square with what may follow it: a promotion, check, a judgement.
fn is_target(word: &str) -> bool {
    let tail = |t: &[u8]| t.len() <= 3 && t.iter().all(|b| b"=QRBNSqrbns+#!?".contains(b));
    matches!(word.as_bytes(), [b'a'..=b'h', b'1'..=b'8', rest @ ..] if tail(rest))
}

/// The squares of a move with an arrow between them, as in `e2->e4`.
fn split_move(word: &str) -> Option<(&str, &str)> {
    let (from, to) = ["->", "→", "–", "—"].into_iter().find_map(|mark| word.split_once(mark))?;
    (is_square(from) && is_target(to)).then_some((from, to))
}
