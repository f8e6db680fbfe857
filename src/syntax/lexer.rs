//! Text → tokens. Every byte is in exactly one token; white space and comments are tokens too.

use logos::Logos;

use crate::diagnostic::{Code, Finding, Fix, Span};

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
    /// Control characters: always an error.
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
    #[regex(r#"[^ \t\r\n\x0B\x0C\u{85}\u{A0}\u{1680}\u{2000}-\u{200A}\u{2028}\u{2029}\u{202F}\u{205F}\u{3000}\u{FEFF}\x00-\x08\x0E-\x1F\x7F"'\[\]{}(),=]+"#)]
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

/// The number of bytes of `rest` that continue a word.
fn word_rest(rest: &str) -> usize {
    let ends = |c: char| {
        c.is_whitespace()
            || matches!(c, '\0'..='\x08' | '\x0E'..='\x1F' | '\x7F')
            || matches!(c, '"' | '\'' | '[' | ']' | '{' | '}' | '(' | ')' | ',' | '\u{FEFF}')
    };
    let mut chars = rest.char_indices().peekable();
    while let Some((i, c)) = chars.next() {
        if ends(c) || c == '=' && chars.peek().is_some_and(|&(_, d)| d == '>') {
            return i;
        }
    }
    rest.len()
}

/// The number of bytes of `rest` before the end of its first line.
fn line_rest(rest: &str) -> usize {
    rest.bytes().position(|b| b == b'\n' || b == b'\r').unwrap_or(rest.len())
}

/// The length of a string after its opening quote, and whether it is closed.
fn string_rest(rest: &str, quote: u8, of_board: bool) -> (usize, bool) {
    let stop = rest.bytes().position(|b| b == quote || b == b'\n' || b == b'\r');
    let Some(stop) = stop else { return (rest.len(), false) };
    if rest.as_bytes()[stop] == quote {
        return (stop + 1, true);
    }
    if of_board {
        // Only the string of a board may span lines, and never a brace: so an unclosed quote cannot swallow
        // the puzzles below it.
        let end = rest.bytes().position(|b| b == quote || b == b'{' || b == b'}');
        if let Some(end) = end.filter(|&e| rest.as_bytes()[e] == quote) {
            return (end + 1, true);
        }
    }
    (stop, false)
}

/// The length of a remark after its opening parenthesis, and the number of unclosed parentheses at its end.
fn remark_rest(rest: &str) -> (usize, usize) {
    let mut depth = 1usize;
    for (i, b) in rest.bytes().enumerate() {
        match b {
            b'(' => depth += 1,
            b')' => depth -= 1,
            b'\n' | b'\r' => return (i, depth),
            _ => {}
        }
        if depth == 0 {
            return (i + 1, 0);
        }
    }
    (rest.len(), depth)
}

/// Splits a text into tokens.
pub(super) fn lex(text: &str) -> Tokens<'_> {
    use TokenKind as T;
    let mut raw = Raw::lexer(text);
    let guess = text.len() / 4 + 8;
    let mut kinds: Vec<T> = Vec::with_capacity(guess);
    let mut starts = Vec::with_capacity(guess);
    let mut errors = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut after_board = false;

    while let Some(token) = raw.next() {
        let start = raw.span().start;
        let before = kinds.last().copied();
        let kind = match token {
            Ok(Raw::Space) => T::Space,
            Ok(Raw::Word) => {
                let begins_line_or_gap = matches!(
                    before,
                    None | Some(T::Space | T::LBracket | T::RBracket | T::LBrace | T::RBrace | T::Comma)
                );
                if begins_line_or_gap && raw.slice().starts_with("//") {
                    raw.bump(line_rest(raw.remainder()));
                    T::Comment
                } else {
                    if raw.remainder().starts_with('=') {
                        raw.bump(word_rest(raw.remainder()));
                    }
                    T::Word
                }
            }
            Ok(Raw::Equals) => {
                raw.bump(word_rest(raw.remainder()));
                T::Word
            }
            Ok(Raw::Arrow) => T::Arrow,
            Ok(Raw::Quote) => {
                let quote = raw.slice().as_bytes()[0];
                let (n, closed) = string_rest(raw.remainder(), quote, after_board);
                raw.bump(n);
                if !closed {
                    let span = Span::new(start as u32, raw.span().end as u32);
                    let fix = Fix::new("close the string", Span::at(span.end), char::from(quote), false);
                    errors.push(
                        Finding::new(Code::Syntax, span, "this string is not closed on its line").fix(fix),
                    );
                }
                if closed { T::String } else { T::UnclosedString }
            }
            Ok(Raw::LParen) => {
                let (n, open) = remark_rest(raw.remainder());
                raw.bump(n);
                if open > 0 {
                    let span = Span::new(start as u32, raw.span().end as u32);
                    let fix = Fix::new("close the remark", Span::at(span.end), ")".repeat(open), false);
                    errors.push(
                        Finding::new(Code::Syntax, span, "this remark is not closed on its line").fix(fix),
                    );
                }
                if open == 0 { T::Remark } else { T::UnclosedRemark }
            }
            Ok(Raw::RParen) => T::RParen,
            Ok(Raw::LBracket) => {
                open.push(kinds.len());
                T::LBracket
            }
            Ok(Raw::RBracket) => {
                open.pop();
                T::RBracket
            }
            Ok(Raw::LBrace) => T::LBrace,
            Ok(Raw::RBrace) => T::RBrace,
            Ok(Raw::Comma) => T::Comma,
            Ok(Raw::Control) | Err(()) => {
                let span = Span::new(start as u32, raw.span().end as u32);
                let c = raw.slice().chars().next().map_or(0, u32::from);
                let message = format!("the control character U+{c:04X} is not allowed here");
                let inked = |c: Option<char>| c.is_some_and(|c| !c.is_whitespace() && !"{}[],".contains(c));
                let between =
                    inked(text[..start].chars().next_back()) && inked(text[raw.span().end..].chars().next());
                // A space keeps separate what the character separated. The fix is not safe if a word would become a
                // comment, or a string might become one of several lines.
                let next = text[raw.span().end..].trim_start();
                let safe = !next.starts_with("//") && !next.starts_with(['"', '\'']);
                let fix = match between {
                    true => Fix::new("replace with a space", span, " ", safe),
                    false => Fix::new("remove it", span, "", safe),
                };
                errors.push(Finding::new(Code::Syntax, span, message).fix(fix));
                T::Control
            }
        };
        if matches!(kind, T::LBrace | T::RBrace | T::Arrow) {
            for i in open.drain(..) {
                kinds[i] = T::UnclosedLBracket;
            }
        }
        if !kind.is_trivia() {
            // In a list `board` is an ordinary word.
            after_board = kind == T::Word && open.is_empty() && &text[start..raw.span().end] == "board";
        }
        kinds.push(kind);
        starts.push(start as u32);
    }
    for i in open {
        kinds[i] = T::UnclosedLBracket;
    }
    starts.push(text.len() as u32);
    Tokens { text, kinds, starts, errors }
}

/// The number of tokens of the generated lexer, without the rules above.
pub(super) fn raw_tokens(text: &str) -> usize {
    Raw::lexer(text).count()
}
