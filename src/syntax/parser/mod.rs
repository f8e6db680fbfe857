//! Tokens → tree, by recursive descent with one token of look-ahead; lists by an explicit stack.
//!
//! Every function consumes at least one token or leaves the error to its caller, so parsing ends.

mod lists;
mod recovery;

use super::keywords::{GameId, Item, Keyword, is_sure, nearest_keyword};
use super::lexer::{TokenKind as T, lex};
use super::tree::{NodeData, NodeKind, Tree};
use super::{MAX_TEXT, Property, Verb};
use crate::diagnostic::{Code, Finding, Fix, Span};

/// The tree of a text, and the end of every brace that closes a puzzle.
pub(super) fn parse(text: String) -> (Tree, Vec<u32>) {
    if text.len() > MAX_TEXT {
        return (Tree::too_long(text), Vec::new());
    }
    let tokens = lex(&text);
    let (kinds, starts, errors) = (tokens.kinds, tokens.starts, tokens.errors);
    let nodes = Vec::with_capacity(kinds.len() / 6 + 4);
    let mut parser = Parser {
        text: &text,
        kinds: &kinds,
        starts: &starts,
        nodes,
        errors,
        pos: 0,
        end: 0,
        closed: Vec::new(),
    };
    parser.file();
    let Parser { nodes, mut errors, closed, .. } = parser;
    errors.sort_by_key(|e| (e.span.start, e.span.end));
    (Tree { text, kinds, starts, nodes, errors }, closed)
}

struct Parser<'t> {
    text: &'t str,
    kinds: &'t [T],
    starts: &'t [u32],
    nodes: Vec<NodeData>,
    errors: Vec<Finding>,
    /// The next token.
    pos: usize,
    /// The token after the last one that was consumed: where a node that ends here ends.
    end: usize,
    /// Where puzzles are closed.
    closed: Vec<u32>,
}

/// How an item of a puzzle or a file begins.
enum Start {
    Keyword(Keyword),
    /// A word that is no keyword but nearly one.
    Misspelt(Keyword),
    Other,
}

impl<'t> Parser<'t> {
    // ---- tokens

    fn peek(&mut self) -> Option<T> {
        while self.kinds.get(self.pos).is_some_and(|k| k.is_trivia()) {
            self.pos += 1;
        }
        self.kinds.get(self.pos).copied()
    }

    fn at(&mut self, kind: T) -> bool {
        self.peek() == Some(kind)
    }

    fn at_string(&mut self) -> bool {
        matches!(self.peek(), Some(T::String | T::UnclosedString))
    }

    fn at_list(&mut self) -> bool {
        matches!(self.peek(), Some(T::LBracket | T::UnclosedLBracket))
    }

    /// A word that is not a keyword.
    fn at_word(&mut self) -> bool {
        self.at(T::Word) && self.keyword().is_none()
    }

    fn bump(&mut self) {
        self.pos += 1;
        self.end = self.pos;
    }

    fn eat(&mut self, kind: T) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    fn span_of(&self, token: usize) -> Span {
        match self.starts.get(token + 1) {
            Some(&end) => Span::new(self.starts[token], end),
            None => Span::at(self.text.len() as u32),
        }
    }

    fn text_of(&self, token: usize) -> &'t str {
        &self.text[self.span_of(token).range()]
    }

    /// The next token's text; call after `peek`.
    fn word(&self) -> &'t str {
        self.text_of(self.pos)
    }

    fn keyword(&self) -> Option<Keyword> {
        Keyword::from_word(self.word())
    }

    /// The token after the next one, trivia aside.
    fn second(&self) -> Option<T> {
        self.kinds[self.pos + 1..].iter().copied().find(|k| !k.is_trivia())
    }

    /// The end of the last token that was consumed.
    fn last_end(&self) -> Span {
        Span::at(self.starts[self.end])
    }

    /// Says at which keyword or bracket a mark is missing, which would stand behind what was read last.
    fn missing(&mut self, span: Span, message: String, title: &str, mark: &str) {
        let (at, open) = (self.last_end(), self.ends_open());
        let finding = self.error(span, message);
        if !open {
            finding.fixes.push(Fix::new(title, at, mark, false));
        }
    }

    /// Whether what was read last is a string or remark that is never closed: it would swallow a mark behind it.
    fn ends_open(&self) -> bool {
        let last = self.end.checked_sub(1).map(|i| self.kinds[i]);
        matches!(last, Some(T::UnclosedString | T::UnclosedRemark))
    }

    // ---- nodes and errors

    fn start(&mut self, kind: NodeKind) -> usize {
        self.peek();
        self.nodes.push(NodeData { kind, first: self.pos as u32, end: 0, next: 0 });
        self.nodes.len() - 1
    }

    fn finish(&mut self, node: usize) {
        let next = self.nodes.len() as u32;
        let data = &mut self.nodes[node];
        data.end = (self.end as u32).max(data.first);
        data.next = next;
    }

    fn error(&mut self, span: Span, message: impl Into<String>) -> &mut Finding {
        self.errors.push(Finding::new(Code::Syntax, span, message));
        self.errors.last_mut().expect("just pushed")
    }

    /// Says that a misspelt keyword stands at the next token.
    fn misspelt(&mut self, meant: Keyword) {
        let (span, word) = (self.span_of(self.pos), self.word());
        // Of several as near as each other a guess is offered, and not taken; nor is one behind which an open string
        // would run over the lines to come, as it may behind `board`.
        let safe = is_sure(word) && self.second() != Some(T::UnclosedString);
        let fix = Fix::new(format!("replace with `{}`", meant.word()), span, meant.word(), safe);
        let message = format!("unknown keyword `{word}`; did you mean `{}`?", meant.word());
        self.errors.push(Finding::new(Code::UnknownKeyword, span, message).fix(fix));
    }

    // ---- the grammar

    fn file(&mut self) {
        let file = self.start(NodeKind::File);
        self.nodes[file].first = 0;
        while self.peek().is_some() {
            match self.item_start(|k| !matches!(k, Keyword::Item(Item::Board | Item::Query(_)))) {
                Start::Keyword(Keyword::Game(_)) => self.puzzle(),
                Start::Misspelt(k @ Keyword::Game(_)) if self.opens_puzzle() => {
                    self.misspelt(k);
                    self.puzzle();
                }
                Start::Keyword(Keyword::Item(Item::Property(p))) => self.property(p),
                Start::Misspelt(k @ Keyword::Item(Item::Property(p))) if !self.opens_puzzle() => {
                    self.misspelt(k);
                    self.property(p);
                }
                Start::Keyword(Keyword::Item(item)) => {
                    let message = format!("`{}` stands outside of a puzzle", self.word());
                    self.error(self.span_of(self.pos), message);
                    self.misplaced(item);
                }
                _ if self.at(T::Word) && self.opens_puzzle() => {
                    let span = self.span_of(self.pos);
                    let games: Vec<&str> = GameId::ALL.iter().map(|g| g.word()).collect();
                    let message =
                        format!("unknown game `{}`; the games are {}", self.word(), games.join(", "));
                    self.errors.push(Finding::new(Code::UnknownKeyword, span, message));
                    self.puzzle();
                }
                _ => self.stray("a puzzle", true),
            }
        }
        self.end = self.kinds.len();
        self.finish(file);
    }

    /// Whether the word here is followed by a name or a brace, as a game's keyword is.
    fn opens_puzzle(&self) -> bool {
        matches!(self.second(), Some(T::LBrace | T::String | T::UnclosedString))
    }

    fn item_start(&mut self, fits: impl Fn(Keyword) -> bool) -> Start {
        if !self.at(T::Word) {
            return Start::Other;
        }
        if let Some(k) = self.keyword() {
            return Start::Keyword(k);
        }
        match nearest_keyword(self.word(), fits) {
            Some(k) => Start::Misspelt(k),
            None => Start::Other,
        }
    }

    /// A board or a query outside of a puzzle: kept together, so that it is one mistake and not ten.
    fn misplaced(&mut self, item: Item) {
        let node = self.start(NodeKind::Error);
        match item {
            Item::Board => self.board(),
            Item::Query(v) => self.query(v),
            Item::Property(p) => self.property(p),
        }
        self.finish(node);
    }

    fn puzzle(&mut self) {
        let node = self.start(NodeKind::Puzzle);
        let head = self.pos;
        self.bump();
        if self.at_string() {
            self.bump();
        } else if self.at_word() && self.second() == Some(T::LBrace) {
            let (span, word) = (self.span_of(self.pos), self.word());
            let bare = word.trim_matches(recovery::CURLY);
            let fix = Fix::new("quote the name", span, format!("\"{bare}\""), true);
            self.error(span, "a puzzle's name stands in straight quotes").fixes.push(fix);
            self.bump();
        }
        self.more_than_a_name();
        self.peek();
        let open = self.pos;
        if !self.eat(T::LBrace) {
            let message = format!("`{}` wants a `{{` here", self.text_of(head));
            self.missing(self.span_of(head), message, "insert `{`", " {");
            // Without a brace only what cannot be anything else is taken into the puzzle.
            if !self.at(T::Word) || !matches!(self.keyword(), Some(Keyword::Item(_))) {
                self.finish(node);
                return;
            }
        }
        loop {
            match self.peek() {
                None => break self.unclosed(head, open),
                Some(T::RBrace) => {
                    self.bump();
                    self.closed.push(self.last_end().start);
                    break;
                }
                _ => {}
            }
            match self.item_start(|k| matches!(k, Keyword::Item(_))) {
                Start::Keyword(Keyword::Game(_)) if self.opens_puzzle() => break self.unclosed(head, open),
                Start::Keyword(Keyword::Item(item)) => self.item(item),
                Start::Misspelt(k @ Keyword::Item(item)) if self.second() != Some(T::LBrace) => {
                    self.misspelt(k);
                    self.item(item);
                }
                _ if self.at(T::Word) && self.starts_puzzle_by_mistake() => break self.unclosed(head, open),
                _ => self.stray("a board, a query, a property or `}`", false),
            }
        }
        self.finish(node);
    }

    /// Skips words and strings between a name and its brace.
    fn more_than_a_name(&mut self) {
        if !(self.at_string() || self.at_word()) {
            return;
        }
        let mut ahead = (self.pos..self.kinds.len()).filter(|&i| !self.kinds[i].is_trivia()).take(5);
        let name_like = |i: &usize| {
            matches!(self.kinds[*i], T::Word | T::String) && Keyword::from_word(self.text_of(*i)).is_none()
        };
        if ahead.find(|i| !name_like(i)).map(|i| self.kinds[i]) != Some(T::LBrace) {
            return;
        }
        let node = self.start(NodeKind::Error);
        let first = self.span_of(self.pos);
        while self.at(T::Word) || self.at(T::String) {
            self.bump();
        }
        let span = first.cover(self.span_of(self.end - 1));
        let message = "a puzzle has one name, in one pair of quotes";
        self.error(span, message).fixes.push(Fix::new("remove it", span, "", false));
        self.finish(node);
    }

    /// Whether a misspelt game opens a puzzle here: then the one before it was left open.
    fn starts_puzzle_by_mistake(&self) -> bool {
        self.opens_puzzle() && nearest_keyword(self.word(), |k| matches!(k, Keyword::Game(_))).is_some()
    }

    fn unclosed(&mut self, head: usize, open: usize) {
        if self.kinds.get(open) == Some(&T::LBrace) {
            let message = format!("this brace of `{}` is never closed", self.text_of(head));
            let count = |kind| self.kinds[open..self.end].iter().filter(|&&k| k == kind).count();
            match count(T::LBrace).saturating_sub(count(T::RBrace)) {
                1 => self.missing(self.span_of(open), message, "insert `}`", " }"),
                // Nobody knows which of several is meant to end where.
                _ => drop(self.error(self.span_of(open), message)),
            }
        }
    }

    fn item(&mut self, item: Item) {
        match item {
            Item::Property(p) => self.property(p),
            Item::Board => self.board(),
            Item::Query(v) => self.query(v),
        }
    }

    /// Skips what the grammar has no place for, up to where something begins that it has.
    fn stray(&mut self, wanted: &str, top: bool) {
        let node = self.start(NodeKind::Error);
        let first = self.pos;
        let mut braces = 0;
        loop {
            match self.peek() {
                None => break,
                Some(T::RBrace) if !top && braces == 0 => break,
                Some(T::RBrace) => braces -= 1,
                Some(T::LBrace) => braces += 1,
                Some(T::Word) if self.pos > first => {
                    if self.keyword().is_some() || self.opens_puzzle() {
                        break;
                    }
                    if !top && nearest_keyword(self.word(), |k| matches!(k, Keyword::Item(_))).is_some() {
                        break;
                    }
                }
                _ => {}
            }
            if self.kinds[self.pos] == T::Word && self.keyword().is_some() && self.pos > first {
                break;
            }
            self.bump();
            if braces < 0 {
                braces = 0;
            }
        }
        let span = self.span_of(first).cover(self.span_of(self.end - 1));
        let message = match self.kinds[first] {
            T::RBracket | T::RBrace | T::RParen if self.end == first + 1 => {
                format!("this `{}` closes nothing", self.text_of(first))
            }
            T::Remark | T::UnclosedRemark => "a remark stands only behind an answer".to_string(),
            T::Arrow => "`=>` stands only behind a query".to_string(),
            _ => format!("{} is stray here; expected {wanted}", shown(&self.text[span.range()])),
        };
        let comment = self.text_of(first).starts_with("//");
        let comment = comment.then(|| {
            Fix::new("put a space before it, as before any comment", Span::at(span.start), " ", false)
        });
        let fix = Fix::new("remove it", span, "", false);
        self.error(span, message).fixes.extend(comment.into_iter().chain([fix]));
        self.finish(node);
    }

    fn property(&mut self, property: Property) {
        let node = self.start(NodeKind::Property);
        let keyword = self.pos;
        self.bump();
        if property == Property::Unique {
            // `unique` alone is enough; only its two words belong to it.
            if self.at(T::Word) && ["true", "false"].iter().any(|w| w.eq_ignore_ascii_case(self.word())) {
                self.bump();
            }
        } else if self.at_list() {
            self.list();
        } else if self.at_string() || self.at_word() {
            self.bump();
        } else {
            let name = self.text_of(keyword);
            self.error(self.span_of(keyword), format!("`{name}` wants a value"));
        }
        self.finish(node);
    }

    fn board(&mut self) {
        let node = self.start(NodeKind::Board);
        let keyword = self.pos;
        self.bump();
        if self.at_label() {
            self.labelled_board();
        } else if let Some(last) = self.at_curly_quote() {
            self.curly_board(keyword, last);
        } else if self.at_list() {
            self.lists();
        } else if self.at_string() {
            let fen = self.word().contains('/');
            self.bump();
            while fen && self.at_word() && !self.at_misspelt_item() {
                self.bump();
            }
        } else if self.at_word() && !self.at_misspelt_item() {
            self.bare_board();
        } else {
            self.error(self.span_of(keyword), "`board` wants a board: rows of cells, lists or coordinates");
        }
        self.finish(node);
    }

    fn bare_board(&mut self) {
        // A PDN position may stand without quotes: its commas belong to it.
        let pdn = self.word().contains(':');
        let mut commas = Vec::new();
        loop {
            if self.at_word() && !self.at_misspelt_item() {
                self.bump();
            } else if self.at(T::Comma) && self.second() == Some(T::Word) {
                let comma = self.span_of(self.pos);
                self.bump();
                if !pdn || !self.at_word() || self.at_misspelt_item() {
                    commas.push(comma);
                }
            } else {
                break;
            }
        }
        if let Some(&first) = commas.first() {
            let edits =
                commas.iter().map(|&span| crate::diagnostic::Edit { span, text: " ".into() }).collect();
            let fix = Fix { title: "remove the commas".into(), edits, safe: false };
            self.error(first, "bare rows are separated by spaces, not by commas").fixes.push(fix);
        }
    }

    fn query(&mut self, verb: Verb) {
        let node = self.start(NodeKind::Query);
        let keyword = self.pos;
        self.bump();
        if verb == Verb::Move {
            self.argument(keyword);
        }
        let arrow = self.arrow();
        if arrow || self.at_list() || self.at_answer_word() {
            self.answer(arrow, verb);
        }
        self.finish(node);
    }

    /// A word that can only be an answer: behind a query its arrow is missing.
    fn at_answer_word(&mut self) -> bool {
        const WORDS: [&str; 8] =
            ["none", "true", "false", "legal", "illegal", "checkmate", "check", "stalemate"];
        self.at(T::Word)
            && (WORDS.iter().any(|w| w.eq_ignore_ascii_case(self.word()))
                || self.word().bytes().all(|b| b.is_ascii_digit()))
    }

    fn argument(&mut self, keyword: usize) {
        if (self.at_string() || self.at_word()) && self.second() == Some(T::Comma) {
            // A list without its brackets.
            let node = self.start(NodeKind::Error);
            let first = self.span_of(self.pos);
            while self.at_string() || self.at_word() {
                self.bump();
                if self.at(T::Comma) {
                    self.bump();
                }
            }
            let span = first.cover(self.span_of(self.end - 1));
            let edits = [(span.start, "["), (span.end, "]")];
            let edits = edits
                .map(|(at, text)| crate::diagnostic::Edit { span: Span::at(at), text: text.into() })
                .to_vec();
            let fix = Fix { title: "put it in brackets".into(), edits, safe: true };
            let fix = (!self.ends_open()).then_some(fix);
            self.error(span, "this move wants brackets round it").fixes.extend(fix);
            self.finish(node);
        } else if self.at_list() || self.at_word() && self.arrow_by_mistake().is_none() {
            let node = self.start(NodeKind::Argument);
            if self.at_list() {
                self.list();
            } else {
                self.bump();
            }
            self.finish(node);
        } else if self.at_string() {
            let node = self.start(NodeKind::Argument);
            let (span, word) = (self.span_of(self.pos), self.word());
            let bare = word.trim_matches(['"', '\'']);
            let is_move = |c: char| c.is_ascii_alphanumeric() || "+-#=!?".contains(c);
            let safe = !bare.is_empty() && bare.chars().all(is_move);
            // What the quotes parted stays parted.
            let space = |i: usize| if self.kinds.get(i).is_none_or(|&k| k == T::Space) { "" } else { " " };
            let bare = format!("{}{bare}{}", space(self.pos - 1), space(self.pos + 1));
            let fix = Fix::new("remove the quotes", span, bare, safe);
            self.error(span, "a move is a list or a bare word, as in `move Rh2`").fixes.push(fix);
            self.bump();
            self.finish(node);
        } else {
            let message = "`move` wants a move: `[\"W\",\"R\",8,2]`, `h1h2` or `Rh2`";
            self.error(self.span_of(keyword), message);
        }
    }

    fn arrow(&mut self) -> bool {
        if self.eat(T::Arrow) {
            return true;
        }
        let Some(mut span) = self.arrow_by_mistake() else { return false };
        self.bump();
        // `==>` is a word and an arrow to the lexer.
        if self.kinds.get(self.pos) == Some(&T::Arrow) {
            span = span.cover(self.span_of(self.pos));
            self.bump();
        }
        let message = format!("an answer is written after `=>`, not `{}`", &self.text[span.range()]);
        self.error(span, message).fixes.push(Fix::new("replace with `=>`", span, "=>", true));
        true
    }

    /// The place of a word that was meant to be an arrow.
    fn arrow_by_mistake(&mut self) -> Option<Span> {
        let mistake =
            self.at(T::Word) && matches!(self.word(), "=" | "->" | "==" | "→" | "⇒" | ":" | "-" | "-->");
        mistake.then(|| self.span_of(self.pos))
    }

    fn answer(&mut self, arrow: bool, verb: Verb) {
        if !arrow {
            // A comment needs the space before it.
            let arrow = if self.kinds.get(self.end) == Some(&T::Space) { " =>" } else { " => " };
            let fix = (!self.ends_open()).then(|| Fix::new("insert `=>`", self.last_end(), arrow, true));
            self.error(self.span_of(self.pos), "an answer is written after `=>`").fixes.extend(fix);
        }
        if matches!(verb, Verb::Solve | Verb::Capture) && self.at_notation() {
            self.answer_in_notation();
        } else if !(self.at_list() || self.at_string() || self.at_word()) {
            let span = self.span_of(self.end - 1);
            self.error(span, "`=>` wants an answer").fixes.push(Fix::new("remove it", span, "", false));
        } else {
            let node = self.start(NodeKind::Answer);
            if self.at_list() {
                self.lists();
            } else {
                self.bump();
            }
            self.finish(node);
        }
        if matches!(self.peek(), Some(T::Remark | T::UnclosedRemark)) {
            self.bump();
        }
    }
}

/// A piece of source in a message: quoted, and short.
fn shown(text: &str) -> String {
    let line = text.lines().next().unwrap_or("");
    if line.chars().count() > 24 || line.len() < text.len() {
        format!("`{}…`", line.chars().take(24).collect::<String>().trim_end())
    } else {
        format!("`{line}`")
    }
}

#[cfg(test)]
mod tests {
    use crate::check_test::check;

    #[test]
    fn a_misspelt_keyword_is_reported_with_the_nearest_one() {
        check(
            r#"
solitaire { bord ...N.....R....B. solve }
//          ^^^^ error[unknown-keyword]: unknown keyword `bord`; did you mean `board`?
"#,
        );
    }

    #[test]
    fn an_unclosed_bracket_does_not_hide_other_findings() {
        check(
            r#"
solitaire { board ...N.....R....B. solve => [[[3,3],[1,1]] }
//                                          ^ error[syntax]
//                                           ^^^^^^^^^^^^^ error[wrong-solution]: step 1 fails…
"#,
        );
    }
}
