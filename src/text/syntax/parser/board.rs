//! `board` and its content; recovery from labels of formats and from curly quotes.

use crate::diagnostic::{Edit, Fix, Span};
use crate::syntax::keywords::Keyword;
use crate::syntax::lexer::TokenKind as T;
use crate::syntax::parser::Parser;
use crate::syntax::tree::NodeKind;

/// Quotes of word processors.
pub(super) const CURLY: [char; 8] = ['“', '”', '„', '«', '»', '‘', '’', '‚'];

impl Parser<'_> {
    pub(super) fn board(&mut self) {
        let node = self.start(NodeKind::Board);
        let keyword = self.pos;
        self.bump();
        if self.at_label() {
            self.labelled_board();
        } else if let Some(last) = self.at_curly_quote() {
            self.curly_board(keyword, last);
        } else if self.at_list() {
            if !self.fen_tag() {
                self.lists();
            }
        } else if self.at_string() {
            let fen = self.word().contains('/');
            self.bump();
            if fen {
                self.fen_fields();
            }
        } else if self.at_word() && !self.at_misspelt_item() || self.at_level_name() {
            self.bare_board();
        } else {
            self.error(
                self.span_of(keyword),
                "`board` needs a board after it: rows of cells, lists or coordinates",
            );
        }
        let place = self.span_of(keyword).cover(self.span_of(self.end - 1));
        if self.text.as_bytes()[place.range()].contains(&b'\t') {
            self.cells_between_tabs(keyword);
        }
        self.finish(node);
    }

    /// Takes a tag of PGN or PDN at the place of a board, `[FEN "…"]`: one finding. Returns whether it was here.
    fn fen_tag(&mut self) -> bool {
        let parts: Vec<usize> = self.ahead(3).map(|(i, _)| i).collect();
        let [name, value, close] = parts[..] else { return false };
        let kinds = [self.kinds[name], self.kinds[value], self.kinds[close]];
        if kinds != [T::Word, T::String, T::RBracket] || !self.text_of(name).eq_ignore_ascii_case("fen") {
            return false;
        }
        let (node, span) = (self.start(NodeKind::Error), self.span_of(self.pos).cover(self.span_of(close)));
        self.take_to(close);
        self.finish(node);
        let fix = Fix::new("leave only the position", span, self.text_of(value), false);
        self.error(span, "this is a tag of a game; a board is its position alone").fixes.push(fix);
        self.foreign.push(span);
        true
    }

    /// Rows as a table has them, whose empty cells are nothing between two tabs: one finding, since such a cell would be
    /// left out. In a board with a sign for empty cells tabs say nothing.
    fn cells_between_tabs(&mut self, keyword: usize) {
        let is_row = |&i: &usize| matches!(self.kinds[i], T::Word | T::String | T::UnclosedString);
        let Some(first) = (keyword + 1..self.end).find(is_row) else { return };
        let is_letter = |c: char| c.is_alphabetic() || c.is_whitespace() || matches!(c, '"' | '\'');
        if (first..self.end).filter(is_row).any(|i| !self.text_of(i).chars().all(is_letter)) {
            return;
        }
        let has_empty = |&i: &usize| match self.kinds[i] {
            // Between two cells of a row, not behind the last one.
            T::Space => {
                self.text_of(i).contains("\t\t")
                    && !self.text_of(i).contains(['\n', '\r'])
                    && self.kinds[i - 1] == T::Word
                    && self.kinds.get(i + 1) == Some(&T::Word)
            }
            T::String => self.text_of(i).contains("\t\t"),
            _ => false,
        };
        let Some(tabs) = (first..self.end).find(has_empty) else { return };
        let line = self.text[..self.starts[first] as usize].rfind('\n').map_or(0, |at| at + 1);
        let begin = line.max(self.starts[keyword + 1] as usize);
        let indentation = if begin == line { "    " } else { " " };
        let rows = Span::new(begin as u32, self.span_of(self.end - 1).end);
        let is_bare = (first..self.end).all(|i| matches!(self.kinds[i], T::Word | T::Space));
        let fix = is_bare.then(|| table_with_points(&self.text[rows.range()])).flatten();
        let title = "write a point for each empty cell (if a tab ends each cell)";
        let fix = fix.map(|text| Fix::new(title, rows, format!("{indentation}{text}"), false));
        let message = "cells that are empty between tabs are left out; write a sign for each, such as `.`";
        self.error(self.span_of(tabs), message).fixes.extend(fix);
    }

    pub(super) fn bare_board(&mut self) {
        // Most rows have neither sign.
        let has_sign = self.word().bytes().any(|b| matches!(b, b'/' | b':'));
        if has_sign && self.at(T::Word) && is_placement(self.word()) && !self.word().contains("://") {
            self.bump();
            return self.fen_fields();
        }
        if self.men_with_commas() || has_sign && self.address() {
            return;
        }
        // A PDN position needs no quotes, and its commas belong to it.
        let pdn = has_sign && self.word().contains(':');
        let mut commas = Vec::new();
        let first = self.pos;
        loop {
            let is_word = self.at_word();
            if self.pos > first && self.at_other_comment() {
                let at = self.pos;
                self.other_comment();
                self.foreign.push(self.span_of(at).cover(self.span_of(self.end - 1)));
            } else if self.at_prose(is_word) {
                if self.at_torn_item() || self.at_caption_below() {
                    break;
                }
                self.prose();
            } else if is_word && !self.at_misspelt_item() || self.at_level_name() {
                self.bump();
            } else if self.at(T::Comma) && self.second() == Some(T::Word) {
                let comma = self.span_of(self.pos);
                self.bump();
                if pdn && self.at_value() && !self.at_misspelt_item() {
                    self.bump();
                } else {
                    commas.push(comma);
                }
            } else {
                break;
            }
        }
        if let Some(&first) = commas.first() {
            let edits = commas.iter().map(|&span| Edit { span, text: " ".into() }).collect();
            let fix = Fix { title: "remove the commas".into(), edits, safe: false };
            self.error(first, "separate rows by spaces, not by commas").fixes.push(fix);
        }
    }

    /// Whether the next line is prose: it has two words that can be no rows, or one behind a `#`, and no answer. `is_word` says
    /// whether a word that begins no item is next.
    fn at_prose(&mut self, is_word: bool) -> bool {
        // Reject nearly all rows at once.
        let is_remark = self.at(T::Word) && self.word() == "#";
        if !(is_remark || is_word && is_prose(self.word())) || self.at_misspelt_item() {
            return false;
        }
        let begins_line = !self.on_same_line() || self.text_of(self.end - 1) == "board";
        let mut words = 0;
        for i in self.pos..self.kinds.len() {
            match self.kinds[i] {
                T::Space if self.text_of(i).contains(['\n', '\r']) => break,
                T::LBrace | T::RBrace | T::Arrow => return false,
                T::Word => words += usize::from(is_prose(self.text_of(i))),
                // An apostrophe begins one.
                T::UnclosedString => words += 1,
                _ => {}
            }
        }
        begins_line && words > usize::from(!is_remark)
    }

    /// Skips a line of prose among the rows of a board, with one finding.
    fn prose(&mut self) {
        let node = self.start(NodeKind::Error);
        let first = self.span_of(self.pos);
        self.bump();
        while self.peek().is_some() && self.on_same_line() {
            self.bump();
        }
        let span = first.cover(self.span_of(self.end - 1));
        let fix = Fix::new("make it a comment (if it is one)", Span::at(span.start), "// ", false);
        self.error(span, "this line is no row of the board").fixes.push(fix);
        self.foreign.push(span);
        self.finish(node);
    }

    /// Whether the next token is the name of a level of a cube: `(I)`.
    fn at_level_name(&mut self) -> bool {
        self.at(T::Remark) && {
            let name = self.word().trim_matches(['(', ')']).trim();
            let is_numeral = |w: &str| w.bytes().all(|b| b"IVXivx".contains(&b));
            let is_name = |w: &str| is_numeral(w) || ["level", "top", "bottom"].contains(&w);
            !name.is_empty() && name.split_whitespace().all(is_name)
        }
    }

    /// The fields of a FEN behind its placement. They end at the end of the line and before the first other word.
    fn fen_fields(&mut self) {
        for field in 1..=5 {
            if !(self.at_word() && self.on_same_line()) {
                break;
            }
            let is_field = is_fen_field(field, self.word()) || field == 2 && self.at_wrong_castling();
            if !is_field {
                let Some((message, fix)) = self.wrong_field(field) else { break };
                let span = self.span_of(self.pos);
                self.error(span, message).fixes.extend(fix);
            }
            self.bump();
        }
        if self.fields_on_next_line() {
            self.fen_over_two_lines();
        }
        self.epd_operations();
    }

    /// Whether the next word stands where a FEN has castling rights: it has a letter of them, and `-` or a square follows.
    fn at_wrong_castling(&self) -> bool {
        let word = self.word();
        word.len() <= 5 && word.contains(['K', 'Q', 'k', 'q']) && self.is_before_field(3)
    }

    /// Whether the next word is letters alone, and no keyword, and a field of a FEN that is due follows it.
    fn is_before_field(&self, due: usize) -> bool {
        let is_like = self.word().bytes().all(|b| b.is_ascii_alphabetic()) && !self.begins_item();
        let next = (self.pos + 1..self.kinds.len()).find(|&i| self.kinds[i] != T::Space);
        // A letter alone may be a word of a sentence.
        let is_next = |word: &str| (word == "-" || word.len() > 1) && is_fen_field(due, word);
        is_like && next.is_some_and(|i| self.kinds[i] == T::Word && is_next(self.text_of(i)))
    }

    /// What is wrong with the next word if it stands in the place of a field of a FEN, and how to mend it: a long dash, two fields
    /// without a blank between them, a side in words.
    fn wrong_field(&self, field: usize) -> Option<(String, Option<Fix>)> {
        let (word, span) = (self.word(), self.span_of(self.pos));
        if matches!(word, "–" | "—" | "−") && matches!(field, 2 | 3) {
            let fix = Fix::new("replace with `-`", span, "-", true);
            return Some(("this field of a FEN is a hyphen, `-`".into(), Some(fix)));
        }
        // With all fields behind it a word is one field, in which something else is wrong.
        let behind = self.ahead(5).take_while(|&(i, new_line)| {
            !new_line && self.kinds[i] == T::Word && is_fen_field(5, self.text_of(i))
        });
        if let Some(split) = joined_fen_fields(field, word)
            && field + 1 + behind.count() <= 5
        {
            let (first, second) = word.split_at(split);
            let title = format!("insert a blank before `{second}`");
            let fix = Fix::new(title, span, format!("{first} {second}"), true);
            return Some(("a blank stands between two fields of a FEN".into(), Some(fix)));
        }
        let side = side_in_words(word).filter(|_| field == 1);
        if side.is_none() && !(field < 3 && self.is_before_field(field + 1)) {
            return None;
        }
        let expected =
            if field == 1 { "the side to move, w or b" } else { "castling rights, letters of KQkq or -," };
        let fix = side.map(|side| Fix::new(format!("replace with `{side}`"), span, side, false));
        Some((format!("expected {expected} here in the FEN, not `{word}`"), fix))
    }

    /// Whether no line ends between the last consumed token and the next one.
    pub(super) fn on_same_line(&self) -> bool {
        !self.text[self.starts[self.end] as usize..self.starts[self.pos] as usize].contains(['\n', '\r'])
    }

    /// Whether a FEN that is a placement alone has its other fields on the next line.
    fn fields_on_next_line(&mut self) -> bool {
        let is_placement =
            matches!(self.kinds[self.end - 1], T::Word) && self.text_of(self.end - 1).contains('/');
        is_placement
            && self.at_word()
            && self.kinds[self.end..self.pos] == [T::Space]
            && matches!(self.word(), "w" | "b")
            && {
                let second = (self.pos + 1..self.kinds.len()).find(|&i| !self.kinds[i].is_trivia());
                second.is_some_and(|i| self.kinds[i] == T::Word && is_fen_field(2, self.text_of(i)))
            }
    }

    fn fen_over_two_lines(&mut self) {
        let gap = self.span_of(self.end);
        let first = self.span_of(self.pos);
        let fix = Fix::new("put it on one line", gap, " ", true);
        for field in 1..=5 {
            let here = field == 1 || self.on_same_line();
            if !(self.at_word() && here && is_fen_field(field, self.word())) {
                break;
            }
            self.bump();
        }
        let span = first.cover(self.span_of(self.end - 1));
        self.error(span, "a FEN ends at the end of its line; write all its fields on one line")
            .fixes
            .push(fix);
    }

    /// Whether the next word only names the format of the board after it.
    pub(super) fn at_label(&mut self) -> bool {
        if self.at_sign() {
            return true;
        }
        const LABELS: [&str; 8] = ["fen", "pdn", "text", "list", "lists", "matrix", "numbers", "coordinates"];
        // Reject nearly all boards at once.
        if !self.at(T::Word) || !self.word().as_bytes()[0].is_ascii_alphabetic() {
            return false;
        }
        let label =
            |word: &str| LABELS.iter().position(|w| w.eq_ignore_ascii_case(word.trim_end_matches(':')));
        let Some(label) = label(self.word()) else { return false };
        let next = (self.pos + 1..self.kinds.len()).find(|&i| !self.kinds[i].is_trivia());
        next.is_some_and(|i| match self.kinds[i] {
            T::Word | T::String | T::UnclosedString if label < 2 => self.text_of(i).contains(['/', ':']),
            T::Word => label == 2 && Keyword::from_word(self.text_of(i)).is_none(),
            T::String | T::UnclosedString | T::LBracket | T::UnclosedLBracket => label >= 2,
            _ => false,
        })
    }

    /// Whether the next word is the sign of an assignment before a board in quotes or lists: `board = [[…`. One before words may
    /// be an empty cell, which is for the reader of the board to say.
    fn at_sign(&mut self) -> bool {
        let is_arrow = self.at(T::Arrow);
        if !(is_arrow || self.at(T::Word) && matches!(self.word(), "=" | ":" | ":=" | "->" | "→")) {
            return false;
        }
        let next = (self.pos + 1..self.kinds.len()).find(|&i| !self.kinds[i].is_trivia());
        next.is_some_and(|i| match self.kinds[i] {
            T::Word => is_arrow && self.keyword_at(i).is_none(),
            kind => matches!(kind, T::String | T::UnclosedString | T::LBracket | T::UnclosedLBracket),
        })
    }

    /// A board after a label or a sign: one finding instead of one for each cell.
    pub(super) fn labelled_board(&mut self) {
        let node = self.start(NodeKind::Error);
        let (span, label, is_sign) = (self.span_of(self.pos), self.word(), self.at_sign());
        let message = match is_sign {
            true => format!("a board stands directly behind `board`: remove `{label}`"),
            false => format!("cpz recognises the format of a board by itself: remove `{label}`"),
        };
        self.bump();
        let space = self.kinds.get(self.pos) == Some(&T::Space);
        let all = if space { span.cover(self.span_of(self.pos)) } else { span };
        // Where no string ends, its end may change with what stands in front of it.
        let safe = is_sign && !self.at(T::UnclosedString);
        let fix = Fix::new("remove it", all, "", safe);
        self.error(span, message).fixes.push(fix);
        if self.at_list() {
            self.lists();
        }
        while self.at_string() || self.at(T::Comma) || self.at_word() && !self.at_misspelt_item() {
            self.bump();
        }
        self.finish(node);
    }

    /// The last token of a board in curly quotes.
    pub(super) fn at_curly_quote(&mut self) -> Option<usize> {
        if !self.at(T::Word) || self.word().is_ascii() || !self.word().starts_with(CURLY) {
            return None;
        }
        let first = self.pos;
        let is_row = |i: usize| self.kinds[i] == T::Word && Keyword::from_word(self.text_of(i)).is_none();
        let parts = (first..self.kinds.len()).filter(|&i| !self.kinds[i].is_trivia());
        let mut parts = parts.take_while(|&i| self.kinds[i] == T::Comma || is_row(i));
        let closes = |&i: &usize| {
            let word = self.text_of(i);
            word.ends_with(CURLY) && (i > first || word.chars().nth(1).is_some())
        };
        let last = parts.find(closes)?;
        // With rows behind it, it is one of several strings, or its quotes are empty cells.
        parts.next().is_none_or(|i| !is_row(i)).then_some(last)
    }

    pub(super) fn curly_board(&mut self, keyword: usize, last: usize) {
        let node = self.start(NodeKind::Error);
        let begin = self.pos;
        while self.peek().is_some() && self.pos <= last {
            self.bump();
        }
        // In a string the text of a comment would be cells.
        let comments = self.kinds[begin..=last].contains(&T::Comment);
        let all = self.span_of(begin).cover(self.span_of(last));
        let inner = self.text[all.range()].trim_matches(CURLY);
        // A string spans lines only directly after `board`, spelt exactly.
        let safe = self.text_of(keyword) == "board";
        let fix = (!comments && (safe || !inner.contains(['\n', '\r'])))
            .then(|| Fix::new("replace with straight quotes", all, format!("\"{inner}\""), safe));
        self.error(all, "write a board in straight quotes or without quotes").fixes.extend(fix);
        self.finish(node);
    }
}

/// Whether a word can be no row of a board: it has two different letters that are not pieces in English or Russian, and
/// one that is no piece in any language. Names of files and levels are no prose.
fn is_prose(word: &str) -> bool {
    if word.len() < 3 || !word.starts_with(char::is_alphabetic) {
        return false;
    }
    let word = word.trim_end_matches(['.', ',', ';', ':', '!', '?']);
    // Reject nearly all rows before their letters are looked up.
    if word.bytes().any(|b| b.is_ascii() && !b.is_ascii_alphabetic() && b != b'-') {
        return false;
    }
    let letters = || word.chars().filter(|c| c.is_alphabetic());
    let mut odd = letters().filter(|c| !"KQRBNPMWkqrbnpmwКФЛСПРкфлспр".contains(*c));
    let Some(first) = odd.next() else { return false };
    odd.any(|c| c != first)
        && word.chars().all(|c| c.is_alphabetic() || matches!(c, '-' | '’'))
        && letters().count() > 2
        && word.contains(|c: char| !c.is_ascii() || "eiuEIU".contains(c))
        && !word.bytes().all(|b| b"IVX".contains(&b))
        && !word.bytes().zip(b'a'..).all(|(b, name)| b.eq_ignore_ascii_case(&name))
}

/// Whether a word is the placement of a FEN: ranks between slashes. In a text board `/` can be the empty cell; ranks
/// have a digit, or none of them is empty.
fn is_placement(word: &str) -> bool {
    word.contains('/')
        && (word.bytes().any(|b| b.is_ascii_digit()) || word.split('/').all(|rank| !rank.is_empty()))
}

/// Where a word has two fields of a FEN, since the blank between them is lost: `wKQkq`, `KQkq-`, `e60`. `field` is the first of
/// them, 1 for the side to move.
pub fn joined_fen_fields(field: usize, word: &str) -> Option<usize> {
    let is_castling =
        |word: &str| word == "-" || !word.is_empty() && word.bytes().all(|b| b"KQkq".contains(&b));
    let split = match (field, word.as_bytes()) {
        (1, [b'w' | b'b' | b'W' | b'B', ..]) => 1,
        (2, [.., b'-']) => word.len() - 1,
        (3, [b'-', ..]) => 1,
        (3, [b'a'..=b'h', b'3' | b'6', ..]) => 2,
        _ => return None,
    };
    let (first, second) = word.split_at(split);
    let fits = match field {
        1 => is_castling(second),
        2 => is_castling(first),
        _ => !second.is_empty() && second.bytes().all(|b| b.is_ascii_digit()),
    };
    fits.then_some(split)
}

/// The letter of the side that a word names in English or German: of `White`, `whites`, `Schwarz`.
pub fn side_in_words(word: &str) -> Option<&'static str> {
    let begins = |names: [&str; 2]| names.iter().any(|name| word.to_lowercase().starts_with(name));
    match () {
        () if !word.chars().all(char::is_alphabetic) => None,
        () if begins(["whi", "wei"]) => Some("w"),
        () if begins(["blac", "schw"]) => Some("b"),
        () => None,
    }
}

/// Whether a word looks like a field of a FEN. `field` is the number of the field that is due; counted from 1 for the
/// side to move. A field of another place is one too: its reader says which is missing.
fn is_fen_field(field: usize, word: &str) -> bool {
    let bytes = word.as_bytes();
    let all = |set: &[u8]| bytes.iter().all(|b| set.contains(b));
    matches!(word, "-" | "w" | "b" | "W" | "B" | "white" | "black")
        || all(b"0123456789")
        || bytes.len() <= 4 && (all(b"KQkq") || field == 2 && all(b"KQkqABCDEFGHabcdefgh"))
        || matches!(bytes, [b'a'..=b'h' | b'A'..=b'H', b'0'..=b'9'])
}

/// The rows of a table of cells, each ended by a tab, with a point for each empty one. `None` if they have no cells of one sign.
fn table_with_points(table: &str) -> Option<String> {
    // Spaces are the indentation; without them it is the tabs that all rows begin with.
    let tabs = |line: &str| line.bytes().take_while(|&b| b == b'\t').count();
    let indentation = table.lines().map(tabs).min()?;
    let rows =
        table.lines().map(|line| line[indentation..].trim_matches(' ').split('\t').map(str::trim).collect());
    let rows: Vec<Vec<&str>> = rows.collect();
    let last = |row: &Vec<&str>| row.iter().rposition(|cell| !cell.is_empty()).map_or(0, |at| at + 1);
    let width = rows.iter().map(last).max()?;
    let is_cell = |cell: &&str| cell.chars().nth(1).is_none();
    let cell = |row: &Vec<&str>, x: usize| {
        row.get(x).filter(|cell| !cell.is_empty()).map_or(".", |cell| *cell).to_string()
    };
    let row = |row: &Vec<&str>| (0..width).map(|x| cell(row, x)).collect::<Vec<_>>().join(" ");
    let is_table = width > 1 && rows.iter().flatten().all(is_cell);
    is_table.then(|| rows.iter().map(row).collect::<Vec<_>>().join("\n    "))
}
