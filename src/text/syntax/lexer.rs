//! Text → tokens. Every byte is in exactly one token; white space and comments are tokens too.

use logos::Logos;

use crate::diagnostic::{Code, Edit, Finding, Fix, Span};
use crate::syntax::extents::{
    doubled_quote, is_tuple, line_rest, other_comment_rest, remark_rest, string_rest, unclosed_rows,
    word_rest,
};
use crate::syntax::keywords::ends_twin;
use crate::syntax::stipulation::{Goal, ShortForm, is_ply_counts, is_short_form, is_square_name, short_form};
use crate::syntax::typography::{
    apostrophe, control_character, curly_string, full_width, full_width_sign, invisible,
    invisible_inside_word, invisible_within, merge_conflict, merge_marker, missing_quote, report_curly,
};

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum TokenKind {
    /// White space and line ends; a byte order mark too.
    Space,
    /// `//` to the end of its line.
    Comment,
    /// A run of characters other than white space, quotes, brackets and commas.
    Word,
    /// A string with both quotes.
    String,
    /// A string without its closing quote: it ends with the line.
    UnclosedString,
    /// Text in parentheses, with both.
    Remark,
    /// A remark without its closing parenthesis: it ends with the line.
    UnclosedRemark,
    /// `[` with a `]` that closes it.
    LBracket,
    /// `[` that is not closed before the next brace, arrow or end of the text.
    UnclosedLBracket,
    /// `]`
    RBracket,
    /// `{`
    LBrace,
    /// `}`
    RBrace,
    /// `,`
    Comma,
    /// `=>`
    Arrow,
    /// `)` outside of a remark.
    RParen,
    /// What the parser passes over, always with an error: control characters, invisible characters, and the markers
    /// of a merge conflict.
    Control,
}

impl TokenKind {
    /// Whether the parser skips it.
    pub fn is_trivia(self) -> bool {
        matches!(self, TokenKind::Space | TokenKind::Comment | TokenKind::Control)
    }
}

/// The beginnings of tokens, from the table-driven lexer.
///
/// Words, strings, remarks and comments depend on their context; [`lex`] extends them.
#[derive(Logos, Clone, Copy, PartialEq)]
enum Raw {
    #[regex(r"[ \t\r\n\x0B\x0C\u{85}\u{A0}\u{1680}\u{2000}-\u{200A}\u{2028}\u{2029}\u{202F}\u{205F}\u{3000}\u{FEFF}]+")]
    Space,
    #[regex(r#"[^ \t\r\n\x0B\x0C\u{85}\u{A0}\u{1680}\u{2000}-\u{200A}\u{2028}\u{2029}\u{202F}\u{205F}\u{3000}\u{FEFF}\u{AD}\u{200B}-\u{200F}\u{202A}-\u{202E}\u{2060}-\u{2064}\u{2066}-\u{2069}（）［］｛｝，\x00-\x08\x0E-\x1F\x7F"'\[\]{}(),=]+"#)]
    Word,
    #[token("=")]
    Equals,
    #[token("=>")]
    Arrow,
    #[regex(r#"["']"#)]
    Quote,
    #[token("(")]
    LParen,
    #[token(")")]
    RParen,
    #[token("[")]
    LBracket,
    #[token("]")]
    RBracket,
    #[token("{")]
    LBrace,
    #[token("}")]
    RBrace,
    #[token(",")]
    Comma,
    #[regex(r"[\x00-\x08\x0E-\x1F\x7F]+")]
    Control,
    #[regex(r"[\u{AD}\u{200B}-\u{200F}\u{202A}-\u{202E}\u{2060}-\u{2064}\u{2066}-\u{2069}]+")]
    Invisible,
    #[regex("[（）［］｛｝，]")]
    FullWidth,
}

/// The tokens of a text: `kinds[i]` has the bytes `starts[i]..starts[i + 1]`.
pub(super) struct Tokens<'t> {
    pub text: &'t str,
    pub kinds: Vec<TokenKind>,
    pub starts: Vec<u32>,
    pub errors: Vec<Finding>,
}

impl<'t> Tokens<'t> {
    /// The tokens other than white space, comments included.
    pub fn significant(&self) -> impl Iterator<Item = (TokenKind, &'t str)> + '_ {
        self.kinds.iter().enumerate().filter(|(_, k)| **k != TokenKind::Space).map(|(i, &k)| {
            // Whether a bracket is closed depends on its neighbours, not on the token.
            let kind = if k == TokenKind::UnclosedLBracket { TokenKind::LBracket } else { k };
            (kind, &self.text[self.starts[i] as usize..self.starts[i + 1] as usize])
        })
    }
}

/// Whether the question of a chess problem continues behind a word: with the length, or the square.
fn needs_length(word: &str) -> bool {
    let is_open = |short: &ShortForm| short.kind.goal == Goal::Arrival;
    word.eq_ignore_ascii_case("in") || short_form(word).as_ref().is_some_and(is_open)
}

/// Splits a text into tokens.
pub(super) fn lex(text: &str) -> Tokens<'_> {
    use TokenKind as T;
    let guess = text.len() / 3 + 8;
    let mut lexer = Lexer {
        text,
        raw: Raw::lexer(text),
        kinds: Vec::with_capacity(guess),
        errors: Vec::new(),
        open: Vec::new(),
        last: None,
        after_board: false,
        after_in: false,
        in_twin: false,
        asks_problem: false,
        after_problem: false,
        in_board: false,
        curly: None,
        conflict: 0,
        brackets: None,
        braced: None,
    };
    let mut starts = Vec::with_capacity(guess);
    while let Some(token) = lexer.raw.next() {
        let start = lexer.raw.span().start;
        let kind = lexer.token(token, start);
        match kind {
            // Those of a twin are no lists.
            T::LBracket | T::RBracket if lexer.in_twin => {}
            T::LBracket => lexer.open.push(lexer.kinds.len()),
            T::RBracket => drop(lexer.open.pop()),
            T::LBrace | T::RBrace | T::Arrow => {
                for i in lexer.open.drain(..) {
                    lexer.kinds[i] = T::UnclosedLBracket;
                }
                if kind == T::RBrace {
                    lexer.curly = None;
                }
            }
            _ => {}
        }
        match kind {
            T::Space | T::Comment | T::Control => {
                if lexer.in_twin && text[start..lexer.raw.span().end].contains(['\n', '\r']) {
                    (lexer.in_twin, lexer.asks_problem) = (false, true);
                }
            }
            _ => lexer.follow(kind, start, &starts),
        }
        lexer.kinds.push(kind);
        starts.push(start as u32);
    }
    let Lexer { mut kinds, errors, open, .. } = lexer;
    for i in open {
        kinds[i] = T::UnclosedLBracket;
    }
    starts.push(text.len() as u32);
    Tokens { text, kinds, starts, errors }
}

struct Lexer<'t> {
    text: &'t str,
    raw: logos::Lexer<'t, Raw>,
    kinds: Vec<TokenKind>,
    errors: Vec<Finding>,
    /// The brackets that are open here.
    open: Vec<usize>,
    /// The last token that is no trivia.
    last: Option<TokenKind>,
    /// Whether that is the keyword `board`.
    after_board: bool,
    /// Whether the last token is the word `in`, or a short form that continues in the next word: `hze5 3`.
    after_in: bool,
    /// Whether the line has been the question of a twin so far.
    in_twin: bool,
    /// Whether the last token ends the question of a chess problem: `in 2`, `#2`.
    asks_problem: bool,
    /// Whether the last token is the arrow behind such a question.
    after_problem: bool,
    /// Whether the lists that may come next are those of a board.
    in_board: bool,
    /// The error about the curly quotes of this puzzle.
    curly: Option<usize>,
    /// The end of the last merge conflict that was reported.
    conflict: usize,
    /// The error about the wrong brackets of this list.
    brackets: Option<usize>,
    /// The last brace that opens a list.
    braced: Option<usize>,
}

impl Lexer<'_> {
    /// The kind of a token that begins as `token` says; takes the rest of it.
    fn token(&mut self, token: Result<Raw, ()>, start: usize) -> TokenKind {
        use TokenKind as T;
        match token {
            Ok(Raw::Space) => T::Space,
            Ok(Raw::Word) => self.word(start),
            Ok(Raw::Equals) => {
                if self.raw.remainder().starts_with("======") && self.merge_marker(start) {
                    return T::Control;
                }
                self.raw.bump(word_rest(self.raw.remainder()));
                T::Word
            }
            Ok(Raw::Arrow) => T::Arrow,
            Ok(Raw::Quote) => self.string(start),
            Ok(Raw::LParen) if self.remark_is_list() => {
                self.wrong_bracket('(', '[');
                T::LBracket
            }
            Ok(Raw::LParen) => self.remark(start),
            Ok(Raw::RParen) if !self.open.is_empty() => {
                self.wrong_bracket(')', ']');
                T::RBracket
            }
            Ok(Raw::RParen) => T::RParen,
            Ok(Raw::LBracket) => T::LBracket,
            Ok(Raw::RBracket) => T::RBracket,
            Ok(Raw::LBrace) if self.opens_list() || self.brace_is_list() => {
                self.wrong_bracket('{', '[');
                T::LBracket
            }
            Ok(Raw::LBrace) => T::LBrace,
            Ok(Raw::RBrace) if self.closes_inner_list() => {
                self.wrong_bracket('}', ']');
                T::RBracket
            }
            Ok(Raw::RBrace) => T::RBrace,
            Ok(Raw::Comma) => T::Comma,
            Ok(Raw::Invisible) => {
                self.errors.push(invisible(self.text, self.span(start)));
                T::Control
            }
            Ok(Raw::FullWidth) => self.full_width(start),
            Ok(Raw::Control) | Err(()) => {
                self.errors.push(control_character(self.text, self.span(start)));
                T::Control
            }
        }
    }

    /// Keeps what a token that is no trivia means for those behind it.
    fn follow(&mut self, kind: TokenKind, start: usize, starts: &[u32]) {
        use TokenKind as T;
        self.last = Some(kind);
        if kind == T::Word {
            return self.follow_word(start, starts);
        }
        // Popeye's `Substitute B ==> S`.
        let is_part = kind == T::Arrow && self.in_twin && self.text[..start].ends_with('=');
        self.after_problem = kind == T::Arrow && !is_part && (self.asks_problem || self.in_twin);
        (self.after_board, self.asks_problem, self.after_in) = (false, false, false);
        match kind {
            T::LBrace | T::RBrace | T::Arrow => {
                self.brackets = None;
                self.in_twin = is_part;
                // These close all lists.
                self.in_board = false;
            }
            T::RParen => self.in_twin |= self.begins_twin(starts),
            _ => {}
        }
    }

    /// The same for a word.
    fn follow_word(&mut self, start: usize, starts: &[u32]) {
        let word = &self.text[start..self.raw.span().end];
        // In a list or a twin `board` is an ordinary word.
        let is_outside = self.open.is_empty();
        if is_outside {
            self.brackets = None;
        }
        self.in_twin = self.in_twin && !ends_twin(word);
        self.after_board = is_outside && !self.in_twin && word == "board";
        self.after_problem = false;
        self.asks_problem = self.ends_problem(word);
        self.in_twin = match word {
            "twin" => is_outside,
            _ => self.in_twin || self.begins_misspelt_twin(word, starts),
        };
        self.after_in = needs_length(word);
        if is_outside {
            self.in_board = self.after_board;
        }
    }

    /// The span from an offset to the end of what was taken.
    fn span(&self, start: usize) -> Span {
        Span::new(start as u32, self.raw.span().end as u32)
    }

    fn word(&mut self, start: usize) -> TokenKind {
        use TokenKind as T;
        let before = self.kinds.last().copied();
        let begins_line_or_gap = matches!(
            before,
            None | Some(T::Space | T::LBracket | T::RBracket | T::LBrace | T::RBrace | T::Comma)
        );
        let first = self.raw.slice().as_bytes()[0];
        match first {
            b'/' if begins_line_or_gap && self.raw.slice().starts_with("//") => {
                self.raw.bump(line_rest(self.raw.remainder()));
                return T::Comment;
            }
            // A comment of another language is one word, whatever quotes it has; what is behind a brace is another part.
            b'/' if begins_line_or_gap && self.raw.slice().starts_with("/*") => {
                if !self.raw.slice()[2..].contains("*/") {
                    self.raw.bump(other_comment_rest(self.raw.remainder()));
                }
                return T::Word;
            }
            b'<' | b'>' | b'|' if self.merge_marker(start) => return T::Control,
            // The first byte of a curly quote.
            0xC2 | 0xE2 => {
                let taken = self.raw.slice().len();
                let length = curly_string(&self.text[start..], self.after_board).filter(|&n| n >= taken);
                if let Some(n) = length {
                    self.raw.bump(n - taken);
                    let span = self.span(start);
                    report_curly(self.text, span, &mut self.errors, &mut self.curly);
                    if self.after_board {
                        self.errors.extend(invisible_within(self.text, span));
                    }
                    return T::String;
                }
            }
            _ => {}
        }
        match self.raw.remainder().as_bytes() {
            [b'=', ..] => self.raw.bump(word_rest(self.raw.remainder())),
            [b'(', letter, b')', ..] | [b'(', b'=', letter, b')', ..] if self.names_promotion(*letter) => {
                self.raw.bump(if *letter == self.raw.remainder().as_bytes()[1] { 3 } else { 4 });
                self.raw.bump(word_rest(self.raw.remainder()));
            }
            _ => {}
        }
        while self.raw.remainder().as_bytes().first().is_some_and(|&b| b >= 0x80)
            && let Some(n) = invisible_inside_word(self.raw.remainder())
        {
            let end = self.raw.span().end as u32;
            self.errors.push(invisible(self.text, Span::new(end, end + n as u32)));
            self.raw.bump(n);
            self.raw.bump(word_rest(self.raw.remainder()));
        }
        T::Word
    }

    /// Whether a letter in parentheses behind a word is what a pawn becomes, as in `e8(Q)` and `e8(=Q)`: a capital, behind a square
    /// of a last rank. I, V and X name the levels of a cube.
    fn names_promotion(&self, letter: u8) -> bool {
        let is_square = matches!(self.raw.slice().as_bytes(), [.., b'a'..=b'h', b'1' | b'8']);
        is_square && letter.is_ascii_uppercase() && !matches!(letter, b'I' | b'V' | b'X')
    }

    /// Takes the marker of a merge conflict, if one is here.
    fn merge_marker(&mut self, start: usize) -> bool {
        let Some(marker) = merge_marker(self.text, start) else { return false };
        self.raw.bump(marker.length - self.raw.slice().len());
        if start >= self.conflict {
            self.conflict = start + marker.conflict.max(marker.length);
            self.errors.push(merge_conflict(Span::new(start as u32, self.conflict as u32)));
        }
        true
    }

    /// Whether the token before is a letter at the start of a line, which a `)` behind it makes a twin: `b) Ka6->b6`.
    fn begins_twin(&self, starts: &[u32]) -> bool {
        let [.., before, TokenKind::Word] = self.kinds[..] else { return false };
        let [.., gap, word] = starts[..] else { return false };
        let letter = &self.text[word as usize..self.raw.span().start];
        let begins_line =
            before == TokenKind::Space && self.text[gap as usize..word as usize].contains(['\n', '\r']);
        self.open.is_empty() && begins_line && matches!(letter.as_bytes(), [b'a'..=b'z' | b'A'..=b'Z'])
    }

    /// Whether a word is the letter behind a misspelt `twin` at the start of a line: `twn b:`.
    fn begins_misspelt_twin(&self, word: &str, starts: &[u32]) -> bool {
        if !matches!(word.as_bytes(), [letter, b':'] if letter.is_ascii_alphabetic()) || !self.open.is_empty()
        {
            return false;
        }
        let [.., before, TokenKind::Word, TokenKind::Space] = self.kinds[..] else { return false };
        let [.., gap, keyword, blank] = starts[..] else { return false };
        let keyword_text = &self.text[keyword as usize..blank as usize];
        before == TokenKind::Space
            && self.text[gap as usize..keyword as usize].contains(['\n', '\r'])
            && keyword_text.as_bytes()[0].eq_ignore_ascii_case(&b't')
            && (3..=5).contains(&keyword_text.len())
    }

    /// Whether a word is the last one of the question of a chess problem.
    fn ends_problem(&self, word: &str) -> bool {
        match word.as_bytes()[0] {
            b'0'..=b'9' if self.after_in || self.asks_problem && is_ply_counts(word) => true,
            b'0'..=b'9' => word.contains("->") && is_short_form(word),
            b'a'..=b'h' if self.after_in && is_square_name(word) => true,
            b'*' => self.asks_problem && word == "*",
            b'd' | b's' if matches!(word, "duplex" | "set-play") => true,
            _ => is_short_form(word),
        }
    }

    fn string(&mut self, start: usize) -> TokenKind {
        let quote = self.raw.slice().as_bytes()[0];
        if let Some(n) = doubled_quote(self.raw.remainder(), quote) {
            self.raw.bump(n);
            let first = Span::new(start as u32, start as u32 + 1);
            let finding = Finding::new(Code::Syntax, first, "one quote is enough at the beginning of a text");
            self.errors.push(finding.fix(Fix::new("remove it", first, "", false)));
            return TokenKind::String;
        }
        let has_lines = self.after_board || self.after_problem;
        let (mut n, mut closed) = string_rest(self.raw.remainder(), quote, has_lines);
        let is_of_board = self.after_board && self.open.is_empty();
        let has_lines = || !closed || self.raw.remainder()[..n].contains(['\n', '\r']);
        let rows = if is_of_board && has_lines() { unclosed_rows(self.raw.remainder()) } else { None };
        if let Some(rows) = rows {
            (n, closed) = (rows, false);
        }
        let curly = || curly_string(&self.text[start..], self.after_board).filter(|&curly| curly < n);
        // A brace in it, or an arrow in a later line, says that the straight quote opens another string, unless the curly ones are pairs.
        let inner = &self.raw.remainder()[..n];
        let kind: &[char] =
            if quote == b'"' { &['“', '”', '„', '«', '»'] } else { &['‘', '’', '‚'] };
        let is_arrow_behind_line = || inner.find('\n').is_some_and(|line| inner[line..].contains("=>"));
        let are_pairs = || inner.matches(kind).count().is_multiple_of(2);
        if closed
            && (inner.is_ascii()
                || !(inner.contains('{') || is_arrow_behind_line())
                || are_pairs()
                || curly().is_none())
        {
            self.raw.bump(n);
            let of_board = self.after_board || self.in_board && !self.open.is_empty();
            if of_board && !self.raw.slice().is_ascii() {
                self.errors.extend(invisible_within(self.text, self.span(start)));
            }
            return TokenKind::String;
        }
        if let Some(n) = curly_string(&self.text[start..], self.after_board) {
            self.raw.bump(n - 1);
            let span = self.span(start);
            report_curly(self.text, span, &mut self.errors, &mut self.curly);
            if self.after_board {
                self.errors.extend(invisible_within(self.text, span));
            }
            return TokenKind::String;
        }
        self.raw.bump(n);
        let span = self.span(start);
        if self.after_board && !self.raw.slice().is_ascii() {
            self.errors.extend(invisible_within(self.text, span));
        }
        let closed_before = (quote == b'\'').then(|| apostrophe(self.text, start)).flatten();
        let message = match rows {
            _ if closed_before.is_some() => "the apostrophe has closed this text; write it in double quotes",
            Some(_) => "this string is not closed",
            None => "this string is not closed on its line",
        };
        let mut finding = Finding::new(Code::Syntax, span, message);
        if let Some(fix) = closed_before {
            finding = finding.fix(fix);
        } else if rows.is_some() {
            let close = Fix::new("close the string", Span::at(span.end), char::from(quote), false);
            finding = finding.fix(close);
        } else if self.open.is_empty() {
            let at = missing_quote(self.text, span, self.after_board);
            finding.fixes.extend(at.map(|at| Fix::new("close the string", at, char::from(quote), false)));
        }
        self.errors.push(finding);
        TokenKind::UnclosedString
    }

    fn remark(&mut self, start: usize) -> TokenKind {
        let (n, open) = remark_rest(self.raw.remainder());
        self.raw.bump(n);
        if open == 0 {
            return TokenKind::Remark;
        }
        let span = self.span(start);
        let mut finding = Finding::new(Code::Syntax, span, "this remark is not closed on its line");
        let text = self.raw.slice().trim_end();
        // Behind a brace, a list or a comment the place is unknown. A parenthesis alone is no remark that goes on.
        if text.len() > 1 && !text.contains(['{', '}', '[', ']']) && !text.contains("//") {
            let end = span.start + text.len() as u32;
            finding = finding.fix(match text.ends_with('）') && open == 1 {
                true => Fix::new("replace with `)`", Span::new(end - 3, end), ")", false),
                // It may go on in the next line, and end there. What is behind a brace is read without what is before it.
                false => {
                    let next =
                        self.raw.remainder().trim_start().split(['\n', '\r', '}']).next().unwrap_or_default();
                    let goes_on = next.matches(')').count() > next.matches('(').count();
                    let title =
                        if goes_on { "close the remark (if it ends here)" } else { "close the remark" };
                    Fix::new(title, Span::at(span.end), ")".repeat(open), false)
                }
            });
        }
        self.errors.push(finding);
        TokenKind::UnclosedRemark
    }

    /// Whether the bracket that is next can only open a list: one may begin here, and an element follows.
    fn opens_list(&self) -> bool {
        let element = |c: char| c.is_ascii_alphanumeric() || matches!(c, '"' | '\'');
        self.is_in_list() && self.raw.remainder().starts_with(element)
    }

    /// Whether an element of a list comes next.
    fn is_in_list(&self) -> bool {
        !self.open.is_empty() && matches!(self.last, Some(TokenKind::LBracket | TokenKind::Comma))
    }

    /// Whether the first list behind `board`, `move` or an arrow, or the next one of a board, comes next.
    fn is_before_list(&self) -> bool {
        use TokenKind as T;
        if !self.open.is_empty() || self.in_twin {
            return false;
        }
        let kinds = self.kinds.strip_suffix(&[T::Space]).unwrap_or(&self.kinds);
        match kinds {
            [.., T::Arrow] | [.., T::RBracket, T::Comma] => true,
            [.., T::Word] => {
                self.after_board || self.text[..self.raw.span().start].trim_end().ends_with("move")
            }
            _ => false,
        }
    }

    /// Whether the brace that is next opens the lists of a board: `board {["W", …` and `board {{"W", …`.
    fn brace_is_list(&self) -> bool {
        let begins_list = self.raw.remainder().trim_start().starts_with(['[', '{']);
        self.after_board && begins_list && self.is_before_list()
    }

    /// Whether the brace that is next is meant to close a list: it touches an element of a list within a list, of which the end
    /// of a puzzle would have to have lost both brackets, or one that a brace has opened. What is behind the brace may change
    /// without this part being read again.
    fn closes_inner_list(&self) -> bool {
        use TokenKind as T;
        let is_braced = self.open.len() == 1 && self.braced == self.open.first().copied();
        let touches = matches!(self.kinds.last(), Some(T::Word | T::String | T::RBracket));
        (self.open.len() > 1 && touches || is_braced && self.last == Some(T::RBracket)) && !self.in_twin
    }

    /// Whether what a parenthesis begins is the content of a list.
    fn remark_is_list(&self) -> bool {
        let is_next = self.is_in_list();
        if !is_next && !self.is_before_list() {
            return false;
        }
        let (n, open) = remark_rest(self.raw.remainder());
        // What is behind a brace may change without this part being read again.
        let inner = self.raw.remainder()[..n].split(['{', '}']).next().unwrap_or_default();
        (open == 0 || !inner.starts_with('[')) && is_tuple(inner)
            || is_next
                && self.opens_list()
                && (open > 0 && inner.contains(']') || inner.trim_start().starts_with(['"', '\'']))
    }

    /// Reports a bracket that is none of a list. Those of one list are one finding.
    fn wrong_bracket(&mut self, written: char, meant: char) {
        let span = self.span(self.raw.span().start);
        if written == '{' && self.open.is_empty() {
            self.braced = Some(self.kinds.len());
        }
        if let Some(fix) = self.brackets.and_then(|first| self.errors[first].fixes.first_mut()) {
            fix.title = "write all of them as square brackets".into();
            fix.edits.push(Edit { span, text: meant.into() });
            return;
        }
        self.brackets = Some(self.errors.len());
        let message = format!("a list has square brackets: write `{meant}` instead of `{written}`");
        let fix = Fix::new(format!("replace with `{meant}`"), span, meant, false);
        self.errors.push(Finding::new(Code::Syntax, span, message).fix(fix));
    }

    fn full_width(&mut self, start: usize) -> TokenKind {
        use TokenKind as T;
        let c = self.raw.slice().chars().next().unwrap_or(' ');
        self.errors.push(full_width_sign(self.text, self.span(start)));
        match full_width(c) {
            Some('(') => {
                let rest = self.raw.remainder();
                let line = &rest[..line_rest(rest)];
                let close = line.find(['）', ')']);
                let Some(close) = close else {
                    self.raw.bump(line.len());
                    return T::UnclosedRemark;
                };
                let end = &line[close..];
                let n = end.chars().next().map_or(0, char::len_utf8);
                if n > 1
                    && let Some(fix) = self.errors.last_mut().and_then(|e| e.fixes.first_mut())
                {
                    let at = (self.raw.span().end + close) as u32;
                    fix.title = "replace with `(` and `)`".into();
                    fix.edits.push(Edit { span: Span::new(at, at + n as u32), text: ")".into() });
                }
                self.raw.bump(close + n);
                T::Remark
            }
            Some(')') => T::RParen,
            Some('[') => T::LBracket,
            Some(']') => T::RBracket,
            Some('{') => T::LBrace,
            Some('}') => T::RBrace,
            _ => T::Comma,
        }
    }
}

/// The number of tokens of the generated lexer, without the rules above.
pub(super) fn raw_tokens(text: &str) -> usize {
    Raw::lexer(text).count()
}
