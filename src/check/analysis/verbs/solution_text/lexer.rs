//! The tokens of a written solution.

use crate::analysis::verbs::move_language::names_square;
use crate::analysis::verbs::solution_text::tree::WrittenMove;
use crate::analysis::verbs::written_words::WrittenWord;
use cpz_rules::games::Mark;
use cpz_text::diagnostic::{Code, Finding, Fix, Span};
use cpz_text::syntax::is_invisible;

/// A token of a written solution.
#[derive(Clone, Copy, Debug)]
pub(super) enum Token<'t> {
    /// A string begins.
    Start,
    /// `1.`, or `1...` for the side that answers.
    Number {
        /// The number.
        number: u32,
        /// Whether it has more than one dot, or a dash behind them.
        is_reply: bool,
        /// Its place.
        span: Span,
    },
    /// Dots without a number: a half move that is left out.
    Dots,
    /// A move, or a word in the place of one.
    Move(WrittenMove<'t>),
    /// `!` or `$1`.
    Good(Span),
    /// `?` or `$2`.
    Bad(Span),
    /// `+` or `#` that something parts from its move.
    Mark(Mark, Span),
    /// `/`
    Slash(Span),
    /// A comma, or a word such as `or`.
    Comma,
    /// `(`
    Open(Span),
    /// `)`
    Close(Span),
    /// `threat:`
    Threat(Span),
    /// `zugzwang.`
    Zugzwang(Span),
    /// `but`
    But(Span),
    /// `set play:`
    SetPlay,
    /// `b)`, which begins the solution of a twin.
    Twin(Span),
}

/// Words that say what the move before them threatens, in lower case.
const THREATS: [&str; 11] = [
    "threat",
    "threats",
    "threatens",
    "threatening",
    "thr",
    "drohung",
    "droht",
    "dr",
    "menace",
    "menaces",
    "угроза",
];
/// Words that say that the move before them threatens nothing, in lower case.
const ZUGZWANGS: [&str; 9] =
    ["zugzwang", "zugzw", "zz", "zugz", "waiting", "wait", "tempo", "blocus", "цугцванг"];
/// Words before a refutation, in lower case.
const BUTS: [&str; 4] = ["but", "aber", "mais", "но"];
/// Words between moves with the same continuation, in lower case.
const ORS: [&str; 6] = ["or", "and", "oder", "und", "ou", "et"];
/// Headings and other words that say nothing about a move, in lower case.
const HEADINGS: [&str; 12] = [
    "refutes", "refute", "refuted", "by", "key", "keys", "try", "tries", "set", "play", "solution", "actual",
];
/// The heading of set play, in lower case.
const SET_PLAYS: [&str; 3] = ["set play", "set-play", "setplay"];
/// Words for every move that is not written, in lower case.
const ANY: [&str; 3] = ["any", "else", "otherwise"];
/// Words for mate behind a move, in lower case.
const MATES: [&str; 4] = ["mate", "matt", "mat", "mated"];
/// Words for check behind a move, in lower case.
const CHECKS: [&str; 2] = ["ch", "check"];

/// What Popeye prints behind a move that reaches its goal, where that is no mark: arrival on a square, a capture; and words for
/// stalemate.
const GOALS: [&str; 5] = ["z", "x", "stalemate", "pat", "patt"];

/// The longest text in square brackets, in characters.
const MAX_BRACKETED: usize = 100;

/// The tokens of some strings, and what is wrong with them.
pub(super) fn tokens<'t>(strings: &[WrittenWord<'t>]) -> (Vec<Token<'t>>, Vec<Finding>) {
    let (mut tokens, mut findings) = (Vec::new(), Vec::new());
    for string in strings {
        tokens.push(Token::Start);
        let mut lexer = Lexer {
            text: string.text,
            start: string.span.start,
            at: 0,
            is_in_square: false,
            tokens: &mut tokens,
        };
        findings.extend(lexer.run());
    }
    if let Some(&Token::Slash(span)) = tokens.last() {
        let fix = Fix::new("Remove the slash", span, "", false);
        let message = "a slash stands between two moves, and no move follows this one";
        findings.push(Finding::new(Code::InvalidValue, span, message).fix(fix));
    }
    (tokens, findings)
}

struct Lexer<'t, 'o> {
    text: &'t str,
    /// The place of the text.
    start: u32,
    /// The bytes that are read.
    at: usize,
    /// Whether this is in a variation in square brackets.
    is_in_square: bool,
    tokens: &'o mut Vec<Token<'t>>,
}

/// A character that no word has.
fn ends_word(c: char) -> bool {
    c.is_whitespace()
        || matches!(c, ',' | ';' | '(' | ')' | '{' | '}' | '[' | ']' | '/' | '!' | '?' | '…' | '>' | '$')
}

fn is_dash(c: char) -> bool {
    matches!(c, '-' | '–' | '—' | '−')
}

impl<'t> Lexer<'t, '_> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn span(&self, from: usize, to: usize) -> Span {
        Span::new(self.start + from as u32, self.start + to as u32)
    }

    /// The span of the next bytes, which are read.
    fn take(&mut self, len: usize) -> Span {
        let from = self.at;
        self.at += len;
        self.span(from, self.at)
    }

    /// Reads the whole string. An unclosed comment ends it.
    fn run(&mut self) -> Option<Finding> {
        while let Some(c) = self.rest().chars().next() {
            if self.rest().starts_with("/*") || self.rest().starts_with("*/") {
                let span = self.take(2);
                let message = "a comment within a solution stands in braces, `{ … }`";
                return Some(Finding::new(Code::InvalidValue, span, message));
            }
            match c {
                '{' => match self.rest().find('}') {
                    Some(end) => self.at += end + 1,
                    None => {
                        let span = self.take(1);
                        let message = "this comment is not closed; write `}` where it ends";
                        return Some(Finding::new(Code::InvalidValue, span, message));
                    }
                },
                ';' => self.semicolon(),
                '[' => self.square_bracket(),
                '(' => {
                    let span = self.take(1);
                    self.tokens.push(Token::Open(span));
                }
                ']' if self.is_in_square => {
                    self.is_in_square = false;
                    let span = self.take(1);
                    self.tokens.push(Token::Close(span));
                }
                ')' => {
                    let span = self.take(1);
                    self.tokens.push(Token::Close(span));
                }
                '/' => {
                    let span = self.take(1);
                    self.tokens.push(Token::Slash(span));
                }
                ',' => self.push(Token::Comma, 1),
                '!' | '?' => self.judgement(),
                '$' => self.glyph(),
                '>' => {
                    let span = self.take(1);
                    self.tokens.push(Token::Threat(span));
                }
                '…' | '.' => self.dots(),
                '0'..='9' => self.digit(),
                '+' | '#' => self.mark(),
                c if c.is_whitespace()
                    || is_dash(c)
                    || is_invisible(c)
                    || matches!(c, ':' | '*' | '½' | '=') =>
                {
                    self.at += c.len_utf8();
                }
                _ => self.word(),
            }
        }
        None
    }

    fn push(&mut self, token: Token<'t>, len: usize) {
        self.at += len;
        self.tokens.push(token);
    }

    /// A comment up to the end of the line, as in PGN; a separator where the number of a move follows.
    fn semicolon(&mut self) {
        self.at += 1;
        let rest = self.rest().trim_start_matches([' ', '\t']);
        let digits = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let is_number = digits.len() < rest.len() && digits.starts_with(['.', '…']);
        if !is_number {
            self.at += self.rest().find(['\n', '\r']).unwrap_or(self.rest().len());
        }
    }

    /// A label in square brackets, as YACPDB marks mates with `[A]`. Anything else is a word that is no move.
    fn square_bracket(&mut self) {
        let near = self.rest().char_indices().nth(MAX_BRACKETED).map_or(self.rest().len(), |(at, _)| at);
        let near = &self.rest()[..near];
        let inner = near[1..].split(']').next().unwrap_or_default();
        let is_label = inner.len() <= 3 && inner.chars().all(|c| c.is_alphanumeric() || c == '\'');
        let is_closed = near.len() > inner.len() + 1;
        let from = self.at;
        self.at += 1;
        if is_label && is_closed {
            self.at += inner.len() + 1;
            return;
        }
        // `[2.Qb7#]` is a variation or a threat.
        if is_closed && inner.starts_with(|c: char| c.is_ascii_digit()) {
            self.is_in_square = true;
            return self.tokens.push(Token::Open(self.span(from, from + 1)));
        }
        let len = self.rest().find(|c: char| c.is_whitespace()).unwrap_or(self.rest().len());
        self.at += len;
        self.push_move(from, self.at, false);
    }

    /// `!`, `?` and their pairs; `!?` and `?!` claim nothing.
    fn judgement(&mut self) {
        let len = self.rest().len() - self.rest().trim_start_matches(['!', '?']).len();
        let text = &self.rest()[..len];
        let (good, bad) = (text.contains('!'), text.contains('?'));
        let span = self.take(len);
        if good != bad {
            self.tokens.push(if good { Token::Good(span) } else { Token::Bad(span) });
        }
    }

    /// A numeric glyph of PGN.
    fn glyph(&mut self) {
        let len = self.rest()[1..].bytes().take_while(u8::is_ascii_digit).count();
        let number = &self.rest()[1..=len];
        let span = self.span(self.at, self.at + len + 1);
        self.at += len + 1;
        match number {
            "1" | "3" => self.tokens.push(Token::Good(span)),
            "2" | "4" => self.tokens.push(Token::Bad(span)),
            "22" | "23" => self.tokens.push(Token::Zugzwang(span)),
            _ => {}
        }
    }

    /// Dots that belong to the number before them, or stand for a half move that is left out.
    fn dots(&mut self) {
        let rest = self.rest();
        let len = rest.len() - rest.trim_start_matches(['.', '…']).len();
        let is_many = rest[..len].chars().count() > 1 || rest.starts_with('…');
        let dots = self.take(len);
        match self.tokens.last_mut() {
            Some(Token::Number { is_reply, span, .. }) if is_many && !*is_reply => {
                (*is_reply, *span) = (true, span.cover(dots));
            }
            _ if is_many => self.tokens.push(Token::Dots),
            _ => {}
        }
    }

    /// The number of a move, castling with zeros, or the result of a game.
    fn digit(&mut self) {
        let rest = self.rest();
        if rest.starts_with("0-0") {
            return self.word();
        }
        if let Some(result) = ["1-0", "0-1", "1/2-1/2", "1/2"].iter().find(|r| rest.starts_with(**r)) {
            self.at += result.len();
            return;
        }
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let behind = &rest[digits..];
        let dots = behind.len() - behind.trim_start_matches(['.', '…']).len();
        // `1 Qb6` has no dot.
        if dots == 0 && !behind.starts_with(char::is_whitespace) {
            return self.word();
        }
        let mut is_reply = behind[..dots].chars().count() > 1 || behind.starts_with('…');
        let mut len = digits + dots;
        // `1.- Kd5`
        let dash = behind[dots..].trim_start_matches(' ');
        if dots > 0 && dash.starts_with(is_dash) {
            is_reply = true;
            len = rest.len() - dash.trim_start_matches(is_dash).len();
        }
        let number = rest[..digits].parse().unwrap_or(u32::MAX);
        let span = self.take(len);
        self.tokens.push(Token::Number { number, is_reply, span });
    }

    /// A mark behind a comment or a bracket, or the plus of a twin, `+b)`.
    fn mark(&mut self) {
        let rest = self.rest();
        let len = rest.len() - rest.trim_start_matches(['+', '#']).len();
        let mark = if rest[..len].contains('#') { Mark::Mate } else { Mark::Check };
        let is_twin = is_twin(&rest[len..]);
        let span = self.take(len);
        if !is_twin {
            self.tokens.push(Token::Mark(mark, span));
        }
    }

    fn word(&mut self) {
        let rest = self.rest();
        if is_twin(rest) {
            let span = self.take(2);
            return self.tokens.push(Token::Twin(span));
        }
        if let Some(len) = set_play_len(rest) {
            return self.push(Token::SetPlay, len);
        }
        let from = self.at;
        let len = word_len(rest);
        self.at += len;
        let word = &rest[..len];
        let plain = word.trim_end_matches(['.', ':']).to_lowercase();
        let span = self.span(from, self.at);
        let is = |words: &[&str]| words.contains(&plain.as_str());
        if GOALS.contains(&word) && matches!(self.tokens.last(), Some(Token::Move(_))) {
            return;
        }
        let token = if is(&THREATS) {
            Token::Threat(span)
        } else if is(&ZUGZWANGS) {
            Token::Zugzwang(span)
        } else if is(&BUTS) {
            Token::But(span)
        } else if is(&ORS) {
            Token::Comma
        } else if is(&MATES) {
            Token::Mark(Mark::Mate, span)
        } else if is(&CHECKS) {
            Token::Mark(Mark::Check, span)
        } else if is(&HEADINGS) {
            return;
        } else {
            return self.push_move(from, from + len, is(&ANY) || word.contains('~'));
        };
        self.tokens.push(token);
    }

    /// A move with what belongs to it: a promotion in brackets, `ep.`, marks.
    fn push_move(&mut self, from: usize, end: usize, is_any: bool) {
        self.at = end;
        let short_for = self.short_for(&self.text[from..end]);
        self.promotion(from);
        let mut body_end = self.at;
        let mut ahead = self.at;
        loop {
            let rest = &self.text[ahead..];
            let spaces = rest.len() - rest.trim_start().len();
            let rest = &rest[spaces..];
            let marks = rest.len() - rest.trim_start_matches(['+', '#']).len();
            let len = if marks > 0 && !is_twin(&rest[marks..]) { marks } else { en_passant_len(rest) };
            if len == 0 {
                break;
            }
            ahead += spaces + len;
            body_end = ahead;
        }
        self.at = body_end;
        let (text, span) = (&self.text[from..body_end], self.span(from, body_end));
        self.tokens.push(Token::Move(WrittenMove { text, span, mark: None, is_any, short_for }));
    }

    /// What a pawn becomes, behind a square of its last rank: `/Q`, `(Q)`, ` (Q)`.
    fn promotion(&mut self, from: usize) {
        if !self.text[from..self.at].ends_with(['1', '8']) {
            return;
        }
        let rest = self.rest();
        let letter = |text: &str| text.chars().next().filter(|c| c.is_uppercase()).map(char::len_utf8);
        if let Some(open) = rest.trim_start_matches(' ').strip_prefix('(')
            && let open = open.strip_prefix('=').unwrap_or(open)
            && let Some(len) = letter(open)
            && open[len..].starts_with(')')
        {
            self.at = self.text.len() - open.len() + len + 1;
        } else if let Some(slash) = rest.strip_prefix('/')
            && let Some(len) = letter(slash)
            && !slash[len..].starts_with(|c: char| c.is_alphanumeric() || matches!(c, '*' | ':' | '-' | '~'))
            && self.text[from..self.at].starts_with(|c: char| c.is_ascii_lowercase())
        {
            self.at += 1 + len;
        }
    }

    /// The move that a word behind a slash is short for: a square behind a move of a piece, or a letter behind a
    /// promotion.
    fn short_for(&self, word: &str) -> Option<&'t str> {
        let [.., Token::Move(before), Token::Slash(_)] = self.tokens[..] else { return None };
        let whole = before.short_for.unwrap_or(before.text);
        let whole = whole.split([' ', '+', '#']).next().unwrap_or(whole);
        let mut chars = word.trim_end_matches(['+', '#']).chars();
        let (first, second, third) = (chars.next()?, chars.next(), chars.next());
        let is_square =
            ('a'..='h').contains(&first) && second.is_some_and(|c| c.is_ascii_digit()) && third.is_none();
        let of_piece = whole.starts_with(char::is_uppercase) && !whole.starts_with("O-O");
        let is_letter = first.is_uppercase() && second.is_none();
        let promotes =
            whole.starts_with(|c: char| c.is_ascii_lowercase()) && whole.ends_with(char::is_uppercase);
        (is_square && of_piece || is_letter && promotes).then_some(whole)
    }
}

/// Whether a text begins with the head of a twin: `b)`.
fn is_twin(text: &str) -> bool {
    matches!(text.as_bytes(), [b'a'..=b'z', b')', ..])
}

/// The length of the heading of set play, where the text begins with it.
fn set_play_len(text: &str) -> Option<usize> {
    let has = |words: &&&str| {
        let behind = text.get(words.len()..).unwrap_or_default();
        text.get(..words.len()).is_some_and(|head| head.eq_ignore_ascii_case(words))
            && !behind.starts_with(|c: char| c.is_alphanumeric())
    };
    SET_PLAYS.iter().find(has).map(|words| words.len())
}

/// The length of `ep.` with its spelling, where the text begins with it.
fn en_passant_len(text: &str) -> usize {
    let found = ["e.p.", "e.p", "ep.", "ep"].iter().find(|word| text.starts_with(**word));
    let len = found.map_or(0, |word| word.len());
    if text[len..].starts_with(|c: char| c.is_alphanumeric()) { 0 } else { len }
}

/// The length of a word: up to a character that ends it, or to a number behind a mark.
fn word_len(text: &str) -> usize {
    let mut after_mark = false;
    for (at, c) in text.char_indices() {
        if at > 0 && (ends_word(c) || after_mark && !matches!(c, '+' | '#')) {
            return at;
        }
        // `Kc2=` is a stalemate, `c8=Q` a promotion.
        if at > 0 && c == '=' && text[at + 1..].chars().next().is_none_or(ends_word) {
            return at;
        }
        // `f4*d3` has no mark; `Qb6+2.Kc7` has one.
        after_mark = matches!(c, '+' | '#');
    }
    text.len()
}
