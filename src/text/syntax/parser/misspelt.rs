//! Misspelt keywords, and words at the place of a keyword that are none.
//!
//! A word is taken for a misspelt keyword only where a keyword must stand, and only if what follows fits the keyword:
//! `mtae => none` is `mate`, but `date 1999` is not, and no word of a sentence is.

use crate::diagnostic::{Code, Edit, Finding, Fix, Span};
use crate::syntax::keywords::{
    Item, Keyword, Property, Verb, is_custom_name, is_custom_word, is_sure, nearest_keyword,
};
use crate::syntax::lexer::TokenKind as T;
use crate::syntax::parser::Parser;
use crate::syntax::parser::problem::is_number_word;
use crate::syntax::parser::query::{has_square, is_answer, is_move_like};
use crate::syntax::spelling::{in_latin, plain};
use crate::syntax::tree::NodeKind;
use std::borrow::Cow;

/// Words that people write in collections and that are near keywords, but mean something else.
const OTHER_WORDS: [&str; 33] = [
    "date", "rate", "rated", "rating", "site", "side", "mode", "more", "made", "male", "late", "gate",
    "none", "not", "vote", "love", "moves", "moved", "solved", "solves", "counts", "counted", "captures",
    "captured", "mates", "mated", "notes", "noted", "one", "once", "sources", "authors", "boards",
];

/// The titles of the fixes of a board that has lost its keyword, or a blank beside it.
const LOST_BOARD: [&str; 3] =
    ["insert `board`", "insert a blank behind `board`", "insert a blank in front of `board`"];

/// Whether an error of the parser says that a board has lost its keyword: then the puzzle has a board.
pub fn is_lost_board(error: &Finding) -> bool {
    error.fixes.iter().any(|fix| {
        LOST_BOARD.contains(&fix.title.as_str()) || fix.title.starts_with("write `board` together")
    })
}

impl Parser<'_> {
    /// The keyword that the next word is meant as: it is near, and what follows fits it.
    pub(super) fn meant(&self, fits: impl Fn(Keyword) -> bool) -> Option<Keyword> {
        let word = self.word();
        // At the beginning of a line `solves` is a query with a letter too many.
        let is_form = || word.strip_suffix('s').and_then(Keyword::from_word).is_some() && self.begins_line();
        if OTHER_WORDS.contains(&word) && self.second() != Some(T::Arrow) && !is_form() {
            return None;
        }
        nearest_keyword(word, |k| fits(k) && self.fits(k))
    }

    /// The next tokens that are no trivia, at most `n`, with whether each begins a line.
    pub(super) fn ahead(&self, n: usize) -> impl Iterator<Item = (usize, bool)> + '_ {
        self.behind(self.pos, n)
    }

    /// The same behind a token.
    fn behind(&self, token: usize, n: usize) -> impl Iterator<Item = (usize, bool)> + '_ {
        let mut begins_line = false;
        let all = (token + 1..self.kinds.len()).filter_map(move |i| {
            if self.kinds[i].is_trivia() {
                begins_line |= self.text_of(i).contains(['\n', '\r']);
                return None;
            }
            let found = (i, begins_line);
            begins_line = false;
            Some(found)
        });
        all.take(n)
    }

    /// Whether words that belong to no item and no answer follow a token on its line: then the line is a sentence.
    pub(super) fn prose_behind(&self, token: usize) -> bool {
        let is_prose = |i: usize| {
            let word = self.text_of(i);
            word.starts_with(|c: char| c.is_ascii_lowercase())
                && !self.begins_item_at(i)
                && !is_move_like(word)
                && !is_number_word(word)
                && !matches!(word.trim_end_matches(['.', '!']), "and" | "in" | "move" | "moves")
        };
        let on_line = |&(i, new_line): &(usize, bool)| !new_line && self.kinds[i] == T::Word;
        self.behind(token, 12).take_while(on_line).any(|(i, _)| is_prose(i))
    }

    /// Whether a token is a keyword or the name of a custom property.
    pub(super) fn begins_item_at(&self, token: usize) -> bool {
        self.kinds[token] == T::Word
            && (self.keyword_at(token).is_some() || is_custom_word(self.text_of(token)))
    }

    /// Whether what follows the next word fits a keyword in its place.
    fn fits(&self, keyword: Keyword) -> bool {
        let mut ahead = self.ahead(2);
        let Some((next, new_line)) = ahead.next() else { return !matches!(keyword, Keyword::Game(_)) };
        let after = ahead.next();
        let (kind, text) = (self.kinds[next], plain(self.text_of(next)));
        let text = text.as_ref();
        // A colon behind it is the same slip.
        let has_colon = |i: usize| {
            self.text_of(i).strip_suffix([':', ';']).is_some_and(|word| Keyword::from_word(word).is_some())
        };
        let is_keyword = |i: usize| self.begins_item_at(i) || has_colon(i);
        let ends_item = |at: Option<(usize, bool)>| {
            at.is_none_or(|(i, new_line)| new_line || self.kinds[i] == T::RBrace || is_keyword(i))
        };
        let is_string = matches!(kind, T::String | T::UnclosedString);
        let is_list = matches!(kind, T::LBracket | T::UnclosedLBracket);
        let is_word = kind == T::Word && !is_keyword(next);
        let digits = |t: &str| t.bytes().next().is_some_and(|b| b.is_ascii_digit());
        match keyword {
            Keyword::Game(_) => kind == T::LBrace || is_string || is_word && after.is_some(),
            Keyword::Item(Item::Board) => {
                let prose = |w: &str| w.len() > 2 && w.bytes().all(|b| b.is_ascii_lowercase()) && !is_row(w);
                is_string || is_list || is_word && !prose(text) && !text.starts_with('=')
            }
            Keyword::Item(Item::Property(property)) => match property {
                Property::Unique => {
                    is_string_like(text, &["true", "false"]) && kind == T::Word
                        || ends_item(Some((next, new_line)))
                }
                Property::HalfDuplex | Property::ZeroPosition => ends_item(Some((next, new_line))),
                Property::Size => is_word && digits(text) && ends_item(after),
                Property::Origin => is_word && matches!(text, "0" | "1") && ends_item(after),
                Property::Turn => {
                    is_word && is_string_like(text, &["white", "black", "w", "b"]) && ends_item(after)
                }
                Property::Tags | Property::Allow => (is_string || is_list || is_word) && !new_line,
                Property::EnPassant => is_word && ends_item(after),
                _ if is_word && ends_with_square(text) => false,
                _ => is_string || is_list || is_word && !new_line && ends_item(after),
            },
            Keyword::Item(Item::Query(Verb::Move)) => {
                is_list
                    || is_string && !text.contains(char::is_whitespace)
                    || is_word && text.bytes().any(|b| b.is_ascii_digit() || b == b'-')
            }
            Keyword::Item(Item::Query(Verb::Twin)) => {
                !new_line
                    && is_word
                    && matches!(text.as_bytes(), [letter, b':'] if letter.is_ascii_alphabetic())
            }
            Keyword::Item(Item::Query(verb)) => {
                let answer = [
                    "none",
                    "true",
                    "false",
                    "check",
                    "checkmate",
                    "stalemate",
                    "yes",
                    "no",
                    "in",
                    "=",
                    "->",
                    "→",
                    "-",
                ];
                kind == T::Arrow
                    || is_list && !new_line && !matches!(verb, Verb::Mate | Verb::Count)
                    || is_word && answer.contains(&text)
                    || verb == Verb::Count && digits(text)
                    || kind == T::Remark
                    || ends_item(Some((next, new_line)))
            }
        }
    }

    /// The fix that moves the blank behind a keyword: in `boardN ...` and `board4 k3/8` it stands one place too late, in
    /// `boar dN...` too early.
    fn blank_beside(&self, meant: Keyword) -> Option<Fix> {
        let (span, word) = (self.span_of(self.pos), self.word());
        let next = self.ahead(1).next().filter(|&(i, new_line)| !new_line && self.kinds[i] == T::Word)?.0;
        // What begins like an arrow is one, but for cells of a board.
        let is_arrow =
            meant != Keyword::Item(Item::Board) && self.text_of(next).starts_with(['=', '-', '<', '>', ':']);
        if self.keyword_at(next).is_some() || self.text_of(next) == "in" || is_arrow {
            return None;
        }
        let gap = Span::new(span.end, self.starts[next]);
        let remove = Edit { span: gap, text: String::new() };
        let (title, place) = match word.strip_prefix(meant.word()) {
            // A plural.
            Some("s") => return None,
            Some(rest)
                if rest.len() == 1 && rest.bytes().all(|b| b.is_ascii_alphabetic())
                    || rest.bytes().all(|b| b.is_ascii_digit()) =>
            {
                (format!("move the blank in front of `{rest}`"), span.end - rest.len() as u32)
            }
            Some(_) => return None,
            None => {
                let lost = meant.word().strip_prefix(word).filter(|lost| lost.len() == 1)?;
                self.text_of(next).strip_prefix(lost).filter(|rest| !rest.is_empty())?;
                (format!("move the blank behind `{lost}`"), gap.end + 1)
            }
        };
        let blank = Edit { span: Span::at(place), text: " ".into() };
        let edits = if place < gap.start { vec![blank, remove] } else { vec![remove, blank] };
        Some(Fix { title, edits, safe: false })
    }

    /// Reports that the next token is a misspelt keyword.
    pub(super) fn misspelt(&mut self, meant: Keyword) {
        let (span, word) = (self.span_of(self.pos), self.word());
        if plain(word) == meant.word() {
            // An invisible character in it has been reported.
            return;
        }
        // The fix is not safe if several keywords are equally near, if the word may begin another word, behind unexpected
        // text, and behind a text that is not closed on its line, which may go on with the word.
        let bare = word.trim_end_matches([';', ':']);
        let same_start = bare.chars().next().map(|c| c.to_ascii_lowercase()) == meant.word().chars().next();
        let rotated =
            bare.len() >= meant.word().len() - 1 && bare.as_bytes()[0] == meant.word().as_bytes()[1];
        let latin = !bare.is_ascii();
        let before = self.kinds[..self.pos].iter().rev().find(|kind| !kind.is_trivia());
        let in_text = matches!(before, Some(T::UnclosedRemark | T::UnclosedString));
        let safe = is_sure(word) && (same_start || rotated || latin) && !self.after_stray && !in_text;
        let moved = self.blank_beside(meant);
        // What is no letter of the keyword may be a man or a part of the next word.
        let safe = safe && moved.is_none();
        // A number that stands directly behind a word is not lost.
        let unmarked = bare.trim_end_matches(['?', '!', '.', ',']);
        let number = &unmarked[unmarked.trim_end_matches(|c: char| c.is_ascii_digit()).len()..];
        let has_number = !number.is_empty() && !meant.word().ends_with(number);
        let problem = match meant {
            Keyword::Item(Item::Query(Verb::Mate | Verb::Problem(_))) if has_number => {
                Some(format!("{} in {number}", meant.word()))
            }
            _ => None,
        };
        let safe = safe && (!has_number || problem.is_some());
        // A name of the author's own is written in small letters.
        let lower = word.to_ascii_lowercase();
        let own = Some(lower.as_str()).filter(|lower| *lower != word && is_custom_name(lower));
        let name = problem.as_deref().or(own).unwrap_or(meant.word());
        let fix = match self.torn() {
            Some((whole, both)) => Fix::new(
                format!("write `{}` together (if it is one word)", whole.word()),
                both,
                whole.word(),
                false,
            ),
            // Such as `checkmate`, which may have lost what it answers.
            None if is_answer(bare) => {
                Fix::new(format!("replace with `{name}` (if it is asked)"), span, name, false)
            }
            None => Fix::new(format!("replace with `{name}`"), span, name, safe || own.is_some()),
        };
        let message = format!("unknown keyword `{word}`; did you mean `{name}`?");
        let finding = Finding::new(Code::UnknownKeyword, span, message);
        // Behind `board` an unclosed string spans the next lines: it has to be closed first.
        let spans_lines = self.second() == Some(T::UnclosedString);
        let fixes = match moved {
            // A board or a move loses what is taken off its first word.
            Some(moved) if matches!(meant, Keyword::Item(Item::Board | Item::Query(Verb::Move))) => {
                vec![moved]
            }
            moved => moved.into_iter().chain([fix]).collect(),
        };
        self.errors.push(match spans_lines {
            true => finding,
            false => Finding { fixes, ..finding },
        });
    }

    /// The keyword that two words on a line make together, the first of which is a token, and the place of both: `m ate`.
    pub(super) fn joined(&self, first: usize) -> Option<(Keyword, Span)> {
        // The letters may be Cyrillic ones that look alike.
        let latin = |i: usize| in_latin(self.text_of(i)).map_or(Cow::Borrowed(self.text_of(i)), Cow::Owned);
        let is_word = |i: usize| {
            self.kinds.get(i) == Some(&T::Word)
                && latin(i).bytes().all(|b| b.is_ascii_lowercase() || b == b'-')
        };
        let is_gap =
            self.kinds.get(first + 1) == Some(&T::Space) && !self.text_of(first + 1).contains(['\n', '\r']);
        if !is_gap || !is_word(first) || !is_word(first + 2) {
            return None;
        }
        let (one, other) = (latin(first), latin(first + 2));
        let keyword = Keyword::from_word(&format!("{one}{other}")).or_else(|| {
            let has_hyphen = matches!((&*one, &*other), ("en", "passant") | ("half", "duplex"));
            has_hyphen.then(|| Keyword::from_word(&format!("{one}-{other}")))?
        })?;
        Some((keyword, self.span_of(first).cover(self.span_of(first + 2))))
    }

    /// The keyword that the next word and the one before it make together.
    fn torn(&self) -> Option<(Keyword, Span)> {
        self.joined(self.pos.checked_sub(2)?)
    }

    /// Whether an item begins here whose keyword is torn into two words.
    pub(super) fn at_torn_item(&self) -> bool {
        matches!(self.joined(self.pos), Some((Keyword::Item(_), _))) && !self.begins_item_at(self.pos + 2)
    }

    /// A keyword that is torn into two words, neither of which is one, with all that belongs to it: one finding. Returns
    /// whether one was here.
    pub(super) fn torn_keyword(&mut self, is_outside: bool) -> bool {
        if !self.at(T::Word) || self.begins_item() {
            return false;
        }
        let Some((keyword, span)) = self.joined(self.pos) else { return false };
        let behind = self.kinds.iter().skip(self.pos + 3).find(|kind| !kind.is_trivia());
        let fits = match keyword {
            Keyword::Game(_) => {
                is_outside && matches!(behind, Some(T::LBrace | T::String | T::UnclosedString))
            }
            Keyword::Item(Item::Property(_)) => true,
            Keyword::Item(_) => !is_outside,
        };
        // The second word of `half duplex` is a keyword itself.
        if !fits || self.begins_item_at(self.pos + 2) && !keyword.word().contains('-') {
            return false;
        }
        let node = self.start(NodeKind::Error);
        let word = keyword.word();
        let how = if word.contains('-') { "with its hyphen" } else { "together" };
        let fix = Fix::new(format!("write `{word}` {how} (if it is one word)"), span, word, false);
        let message = format!("unknown keyword `{}`; did you mean `{word}`?", &self.text[span.range()]);
        self.errors.push(Finding::new(Code::UnknownKeyword, span, message).fix(fix));
        self.bump();
        self.peek();
        match keyword {
            Keyword::Item(item) => {
                self.item(item);
                self.finish(node);
            }
            // A puzzle is no part of an error.
            Keyword::Game(_) => {
                self.finish(node);
                self.puzzle();
            }
        }
        true
    }

    /// The rest of a text without quotes behind its first word, as in `author Ann Lee`: one finding.
    pub(super) fn unquoted_text(&mut self, keyword: usize) {
        let value = self.end - 1;
        let goes_on = |p: &mut Self| {
            (p.at_word() || p.at(T::Comma)) && !p.begins_line() && p.second() != Some(T::Arrow)
        };
        if self.apostrophe(value) || !self.at_word() || !goes_on(self) || self.arrow_by_mistake().is_some() {
            return;
        }
        let node = self.start(NodeKind::Error);
        while goes_on(self) {
            self.bump();
        }
        let has_apostrophe = self.apostrophe(value);
        self.finish(node);
        if has_apostrophe {
            return;
        }
        // The lexer has reported the last quote of a text that has lost its first one.
        if self.at(T::UnclosedString) {
            return;
        }
        let span = self.span_of(value).cover(self.span_of(self.end - 1));
        let text = &self.text[span.range()];
        let name = self.text_of(keyword).trim_end_matches(':');
        let is_plain =
            !text.contains(['"', '\n', '\r']) && !self.kinds[value..self.end].contains(&T::Comment);
        let fix = is_plain.then(|| {
            Fix::new(
                format!("put it in quotes (if all of it is the `{name}`)"),
                span,
                format!("\"{text}\""),
                false,
            )
        });
        let message = format!("`{name}` takes one word, or a text in quotes: `{name} \"…\"`");
        self.error(span, message).fixes.extend(fix);
    }

    /// A board without its keyword: one finding. Returns whether one was there.
    pub(super) fn lost_board(&mut self) -> bool {
        let row = |word: &str| {
            let cells = word.bytes().all(|b| b.is_ascii_alphanumeric() || b"./#-_".contains(&b));
            word.len() > 2 && cells && word.contains(['.', '/', '#']) && !word.starts_with('/')
        };
        let is_row = |word: &str| row(word) || word.strip_prefix("board=").is_some_and(row);
        let begins = self.at_list() || self.at(T::Word) && is_row(self.word());
        let behind = (self.pos..self.kinds.len()).take(400).take_while(|&i| self.kinds[i] != T::RBrace);
        let named = |i: usize| self.kinds[i] == T::Word && self.text_of(i) == "board";
        if self.has_board || self.after_stray || !begins || behind.into_iter().any(named) {
            return false;
        }
        let node = self.start(NodeKind::Error);
        let span = self.span_of(self.pos);
        let before = self.end - 1;
        if self.kinds[before] == T::Word
            && let Some(value) = self.text_of(before).strip_suffix("board").filter(|value| !value.is_empty())
        {
            // The keyword has joined the value of a property: `id aboard`.
            let (place, message) =
                (self.span_of(before), format!("a blank is missing between `{value}` and `board`"));
            let fix = Fix::new(LOST_BOARD[2], Span::at(place.end - 5), " ", false);
            match self.at_list() {
                true => self.lists(),
                false => self.bare_board(),
            }
            self.finish(node);
            self.has_board = true;
            self.error(place, message).fixes.push(fix);
            return true;
        }
        if self.at(T::Word)
            && let Some(row) = self.word().strip_prefix("board")
        {
            let (sign, row) = (u32::from(row.starts_with('=')), row.trim_start_matches('='));
            let message = format!("a blank is missing between `board` and `{row}`");
            let fix = Fix::new(LOST_BOARD[1], Span::new(span.start + 5, span.start + 5 + sign), " ", false);
            self.bare_board();
            self.finish(node);
            self.has_board = true;
            self.error(span, message).fixes.push(fix);
            return true;
        }
        if self.at_list() {
            self.lists();
        } else {
            self.bare_board();
        }
        self.finish(node);
        self.has_board = true;
        let fix = Fix::new(LOST_BOARD[0], Span::at(span.start), "board ", false);
        self.error(span, "the word `board` is missing before this board").fixes.push(fix);
        true
    }

    /// Whether the puzzle around a token has a `turn`, perhaps a misspelt one, as far as a few hundred tokens tell.
    fn has_turn(&self, token: usize) -> bool {
        let is_turn = |k| k == Keyword::Item(Item::Property(Property::Turn));
        let turn = |&i: &usize| {
            self.kinds[i] == T::Word
                && nearest_keyword(&plain(self.text_of(i)), |_| true).is_some_and(is_turn)
        };
        let before =
            (0..token).rev().take(400).take_while(|&i| !matches!(self.kinds[i], T::LBrace | T::RBrace));
        let behind = (token..self.kinds.len()).take(400).take_while(|&i| self.kinds[i] != T::RBrace);
        before.chain(behind).any(|i| turn(&i))
    }

    /// The word or string behind the next word on its line, if nothing else of the same item follows.
    fn only_value(&self) -> Option<usize> {
        let mut ahead = self.ahead(2);
        let (value, new_line) = ahead.next()?;
        let is_keyword = |i: usize| self.begins_item_at(i);
        let ends = |(i, new_line): (usize, bool)| new_line || self.kinds[i] == T::RBrace || is_keyword(i);
        let is_value = self.kinds[value] == T::String || self.kinds[value] == T::Word && !is_keyword(value);
        (!new_line && is_value && ahead.next().is_none_or(ends)).then_some(value)
    }

    /// The side of `White to move`, if that is next, and the last token of it, with the `and` or the comma before a question.
    fn side_with_its_words(&self) -> Option<(&'static str, usize)> {
        let is_side = |side: &&str| self.word().eq_ignore_ascii_case(side);
        let side = ["white", "black"].into_iter().find(is_side)?;
        let last = self.to_move_behind(self.pos)?;
        let ahead: Vec<(usize, bool)> = self.behind(last, 2).collect();
        match ahead[..] {
            [(joint, false), ref next @ ..]
                if self.kinds[joint] == T::Comma || self.text_of(joint) == "and" =>
            {
                let asks = next.first().is_some_and(|&(i, _)| self.begins_item_at(i));
                asks.then_some((side, joint))
            }
            _ => Some((side, last)),
        }
    }

    /// Whether `White to move` is next and the rows of the board end there: an item or the end of the puzzle follows.
    pub(super) fn at_caption_below(&self) -> bool {
        let behind = |(_, last)| {
            self.behind(last, 1)
                .next()
                .is_none_or(|(i, _)| self.kinds[i] == T::RBrace || self.begins_item_at(i))
        };
        self.side_with_its_words().is_some_and(behind)
    }

    /// `White to move` at the place of a property: one finding. Returns whether it was there.
    fn side_to_move(&mut self) -> bool {
        let Some((side, last)) = self.side_with_its_words() else { return false };
        let span = self.span_of(self.pos).cover(self.span_of(last));
        let safe = !self.prose_behind(last);
        let fix = Fix::new(format!("replace with `turn {side}`"), span, format!("turn {side}"), safe);
        let message = format!("the side to move is written `turn {side}`");
        let fix = (!self.has_turn(last)).then_some(fix);
        let node = self.start(NodeKind::Error);
        self.take_to(last);
        self.finish(node);
        self.error(span, message).fixes.extend(fix);
        true
    }

    /// The last token of `to move` behind a word on its line.
    fn to_move_behind(&self, word: usize) -> Option<usize> {
        let ahead: Vec<(usize, bool)> = self.behind(word, 3).collect();
        let is = |n: usize, words: &[&str]| {
            ahead.get(n).is_some_and(|&(i, line)| !line && words.contains(&self.text_of(i)))
        };
        let is_move = ahead
            .get(2)
            .is_none_or(|&(i, line)| line || self.kinds[i] != T::LBracket && !has_square(self.text_of(i)));
        if is(0, &["to"]) && is(1, &["move", "move.", "play", "play."]) && is_move {
            return Some(ahead[1].0);
        }
        is(0, &["begins", "begins.", "moves", "plays", "starts", "starts."]).then(|| ahead[0].0)
    }

    /// Takes all tokens up to one.
    pub(super) fn take_to(&mut self, last: usize) {
        while self.peek().is_some() && self.pos <= last {
            self.bump();
        }
    }

    /// `to move`, or other words for it, behind the value of `turn`: one finding.
    pub(super) fn words_behind_turn(&mut self) {
        // The value is the last token that was taken.
        let at = self.end - 1;
        if let Some(last) = self.to_move_behind(at) {
            self.peek();
            let span = self.span_of(self.pos).cover(self.span_of(last));
            let node = self.start(NodeKind::Error);
            self.take_to(last);
            self.finish(node);
            let from = Span::new(self.starts[at + 1], span.end);
            let fix = Fix::new(format!("remove `{}`", &self.text[span.range()]), from, "", true);
            self.error(span, "`turn` needs no more than the side to move").fixes.push(fix);
        }
    }

    /// A yes or no behind a property that says it by being there, as in `half-duplex yes`.
    pub(super) fn yes_behind(&mut self, keyword: usize) {
        if !self.at(T::Word) || !self.on_same_line() {
            return;
        }
        let word = self.word().to_ascii_lowercase();
        let is_yes = match word.as_str() {
            "yes" | "true" | "on" => true,
            "no" | "false" | "off" => false,
            _ => return,
        };
        let (span, name) = (self.span_of(self.pos), self.text_of(keyword));
        let node = self.start(NodeKind::Error);
        self.bump();
        self.finish(node);
        if is_yes {
            let from = Span::new(self.span_of(keyword).end, span.end);
            let fix = Fix::new(format!("remove `{word}`"), from, "", true);
            self.error(span, format!("`{name}` needs no word behind it")).fixes.push(fix);
        } else {
            self.error(span, format!("leave `{name}` out if it does not hold"));
        }
    }

    /// A word with a value at the place of a property, as in `date 1999`: one finding. Returns whether one was there.
    pub(super) fn unknown_property(&mut self) -> bool {
        if self.after_stray {
            return false;
        }
        if self.side_to_move() {
            return true;
        }
        let word = self.word().trim_end_matches(':');
        let named = |b: &u8| b.is_ascii_lowercase() || matches!(b, b'-' | b'_');
        if word.len() < 3 || !word.as_bytes().iter().all(named) {
            return false;
        }
        let Some(value) = self.only_value() else { return false };
        let (span, value_text) = (self.span_of(self.pos), self.text_of(value));
        let node = self.start(NodeKind::Error);
        self.bump();
        self.peek();
        self.bump();
        self.finish(node);
        let side = is_string_like(value_text, &["white", "black", "w", "b"]);
        let (advice, fix) = if side {
            let fix = Fix::new("replace with `turn` (if it is the side to move)", span, "turn", false);
            (
                format!("the side to move is written `turn {value_text}`"),
                (!self.has_turn(value)).then_some(fix),
            )
        } else {
            let name = word.strip_prefix("x_").filter(|name| !name.starts_with(['-', '_'])).unwrap_or(word);
            let title = format!("write `x-{name}` (if it is a field of your own)");
            let fix = Fix::new(title, span, format!("x-{name}"), false);
            (format!("a field of your own is written `x-{name} {value_text}`"), Some(fix))
        };
        let message = format!("unknown property `{word}`; {advice}");
        let mut finding = Finding::new(Code::UnknownKeyword, span, message);
        finding.fixes.extend(fix);
        self.errors.push(finding);
        true
    }
}

/// Whether a word can be a row of cells: it has letters of pieces only.
fn is_row(word: &str) -> bool {
    word.bytes().all(|b| b"kqrbnpmw".contains(&b))
}

/// Whether a word ends as a move does: `d1d8`, `Rd8#`.
fn ends_with_square(word: &str) -> bool {
    let bytes = word.trim_end_matches(['+', '#', '!', '?']).as_bytes();
    matches!(bytes, [.., b'a'..=b'h', b'1'..=b'8'])
}

fn is_string_like(text: &str, words: &[&str]) -> bool {
    words.iter().any(|w| w.eq_ignore_ascii_case(text))
}
