//! The formatter. It changes only white space, and formatting twice changes nothing more.
//!
//! A puzzle on one line stays on one line; in any other puzzle each item begins a line. Line breaks inside of a list
//! or a board stay where they are. Nodes with syntax errors are not changed.

use crate::cursor::{count_line_breaks, floor_char_boundary, spans_touch};
use crate::outside_puzzles::{WritableParts, is_plain_text};
use cpz_text::diagnostic::{Edit, LineEnd, Span};
use cpz_text::syntax::{Node, NodeKind, Token, TokenKind as T, Tree, parse, same_tokens};

/// The formatted text. `None` if it would have other tokens or comments: a bug.
pub fn format(tree: &Tree) -> Option<String> {
    let (text, _) = print(tree);
    same_tokens(tree.text(), &text).then_some(text)
}

/// The edits that format a text, each within one run of white space. Empty if [`format()`] is `None`, or if the text
/// has NUL characters. With a syntax error outside of puzzles, nothing changes there.
pub fn format_edits(tree: &Tree) -> Vec<Edit> {
    if !is_plain_text(tree.text()) {
        return Vec::new();
    }
    let (text, mut edits) = print(tree);
    if !same_tokens(tree.text(), &text) {
        return Vec::new();
    }
    let writable = WritableParts::of(tree);
    edits.retain(|edit| writable.contain(edit));
    edits
}

/// The edits of [`format_edits`] within the lines and the puzzles that a range touches.
pub fn format_range(tree: &Tree, span: Span) -> Vec<Edit> {
    let text = tree.text();
    let (start, end) =
        (floor_char_boundary(text, span.start) as usize, floor_char_boundary(text, span.end) as usize);
    let line_start = text[..start].rfind(['\n', '\r']).map_or(0, |i| i + 1);
    let line_end = text[end..].find(['\n', '\r']).map_or(text.len(), |i| end + i);
    let lines = Span::new(line_start as u32, line_end as u32);
    let touched = tree.root().children().map(|n| n.span()).filter(|s| spans_touch(*s, lines));
    let region = touched.fold(lines, Span::cover);
    let mut edits = format_edits(tree);
    edits.retain(|e| region.start <= e.span.start && e.span.end <= region.end);
    edits
}

/// How often a text with syntax errors is laid out until nothing changes: a line that is broken may be read otherwise.
const MAX_ROUNDS: usize = 4;

/// The formatted text, and the edits that lead to it.
fn print(tree: &Tree) -> (String, Vec<Edit>) {
    let (mut text, edits) = print_once(tree);
    if tree.errors().is_empty() {
        return (text, edits);
    }
    let mut is_first = true;
    for _ in 1..MAX_ROUNDS {
        let next = print_once(&parse(text.as_str())).0;
        if next == text || !same_tokens(tree.text(), &next) {
            break;
        }
        (text, is_first) = (next, false);
    }
    let edits = if is_first { edits } else { edits_between(tree, &parse(text.as_str())) };
    (text, edits)
}

/// The edits of the white space between the tokens of a text that make it another one with the same tokens.
fn edits_between(old: &Tree, new: &Tree) -> Vec<Edit> {
    let gaps = |tree: &Tree| {
        let (mut gaps, mut gap) = (Vec::new(), String::new());
        for token in tree.tokens() {
            match token.kind() {
                T::Space => gap = token.text().to_string(),
                _ => gaps.push((std::mem::take(&mut gap), token.span().start)),
            }
        }
        gaps.push((gap, tree.text().len() as u32));
        gaps
    };
    let pairs = gaps(old).into_iter().zip(gaps(new));
    pairs.filter_map(|((old, end), (new, _))| gap_edit(&old, end, &new)).collect()
}

fn print_once(tree: &Tree) -> (String, Vec<Edit>) {
    let end = LineEnd::of(tree.text());
    let printed = print_with(tree, end);
    match LineEnd::of(&printed.0) {
        same if same == end => printed,
        // The removed blank lines had other line ends than the unchanged parts: print with those of the result.
        other => print_with(tree, other),
    }
}

fn print_with(tree: &Tree, end: LineEnd) -> (String, Vec<Edit>) {
    let text = tree.text();
    let mut printer = Printer {
        out: String::with_capacity(text.len() + text.len() / 8),
        end: end.as_str(),
        indent: 0,
        column: 0,
        lists: Vec::new(),
        roles: roles(tree),
    };
    let mut edits = Vec::new();
    let mut before: Option<Token<'_>> = None;
    let mut gap = "";
    for token in tree.tokens() {
        if token.kind() == T::Space {
            gap = token.text();
            continue;
        }
        let written = printer.out.len();
        printer.token(before, gap, token);
        let new = &printer.out[written..printer.out.len() - token.text().len()];
        edits.extend(gap_edit(gap, token.span().start, new));
        before = Some(token);
        gap = "";
    }
    let written = printer.out.len();
    if gap.contains('\u{FEFF}') {
        printer.out.push_str(gap);
    } else if before.is_some() {
        printer.out.push_str(printer.end);
    }
    edits.extend(gap_edit(gap, text.len() as u32, &printer.out[written..]));
    (printer.out, edits)
}

/// The edit that turns the white space `old`, which ends at `end`, into `new`. It leaves out the common start and
/// end, so that a cursor there does not move.
fn gap_edit(old: &str, end: u32, new: &str) -> Option<Edit> {
    if old == new {
        return None;
    }
    // Editors have no position inside of `\r\n`.
    let cuts = |text: &str, at: usize| {
        !text.is_char_boundary(at) || text[..at].ends_with('\r') && text[at..].starts_with('\n')
    };
    let common = old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count();
    let front = (0..=common).rev().find(|&i| !cuts(old, i) && !cuts(new, i)).unwrap_or(0);
    let (rest, new_rest) = (&old[front..], &new[front..]);
    let common = rest.bytes().rev().zip(new_rest.bytes().rev()).take_while(|(a, b)| a == b).count();
    let fits = |i: usize| !cuts(old, old.len() - i) && !cuts(new, new.len() - i);
    let back = (0..=common).rev().find(|&i| fits(i)).unwrap_or(0);
    let start = end - old.len() as u32;
    Some(Edit {
        span: Span::new(start + front as u32, end - back as u32),
        text: new[front..new.len() - back].to_string(),
    })
}

/// The role of a token in the layout.
#[derive(Clone, Copy, Default, PartialEq)]
struct Role {
    /// The white space before it is not changed.
    raw: bool,
    /// In a puzzle that spans several lines.
    spread: bool,
    /// In a puzzle, and not its first token.
    inside: bool,
    /// The first token of a puzzle, of a property of the file or of an item, or the closing brace.
    begins: bool,
    /// The first row of an unquoted text board with several rows.
    first_row: bool,
    /// Inside of an item: continuation lines are indented once more.
    within: bool,
}

fn roles(tree: &Tree) -> Vec<Role> {
    let mut roles = vec![Role::default(); tree.tokens().count()];
    let mut errors = tree.errors().iter().map(|e| e.span).peekable();
    for node in tree.root().children() {
        let span = node.span();
        while errors.next_if(|e| e.end <= span.start).is_some() {}
        let broken = node.kind() == NodeKind::Error || errors.peek().is_some_and(|e| e.start < span.end);
        let Some(first) = node.first_token() else { continue };
        let spread = node.kind() == NodeKind::Puzzle && spans_lines(node);
        for (i, token) in node.tokens().enumerate() {
            let role = &mut roles[token.index() as usize];
            role.raw = broken && i > 0;
            role.spread = spread;
            role.inside = node.kind() == NodeKind::Puzzle && i > 0;
            role.within = node.kind() == NodeKind::Property && i > 0;
        }
        // A word that cannot be read on the line of something else might be read otherwise on its own.
        let is_on_line = |token: Token<'_>| count_line_breaks(token.text()) == 0;
        let is_word = node.kind() == NodeKind::Error && first.kind() == T::Word;
        match is_word && first.previous().is_some_and(is_on_line) {
            true => roles[first.index() as usize].raw = true,
            false => roles[first.index() as usize].begins = true,
        }
        if node.kind() != NodeKind::Puzzle {
            continue;
        }
        for item in node.children() {
            mark_item(item, &mut roles);
        }
        if let Some(last) = node.last_token().filter(|t| t.kind() == T::RBrace) {
            roles[last.index() as usize].begins = true;
        }
    }
    roles
}

fn mark_item(item: Node<'_>, roles: &mut [Role]) {
    for (i, token) in item.tokens().enumerate() {
        let role = &mut roles[token.index() as usize];
        role.begins = i == 0;
        role.within = i > 0;
    }
    if item.kind() == NodeKind::Board {
        let mut words = item.tokens().skip(1).filter(|t| !t.kind().is_trivia());
        let Some(first) = words.next().filter(|t| t.kind() == T::Word) else { return };
        let rows = item.tokens().skip_while(|t| t.index() <= first.index());
        if rows.into_iter().any(|t| t.kind() == T::Space && count_line_breaks(t.text()) > 0) {
            if has_labels_or_frame(item) {
                // The columns stay aligned.
                item.tokens().skip(1).for_each(|t| roles[t.index() as usize].raw = true);
                return;
            }
            roles[first.index() as usize].first_row = true;
        }
    }
}

/// Whether an unquoted board has labels or a frame around its cells.
fn has_labels_or_frame(board: Node<'_>) -> bool {
    let (mut one, mut two, mut others) = (false, false, false);
    for token in board.tokens().skip(1).filter(|t| t.kind() == T::Word) {
        let word = token.text();
        if word.contains(|c: char| c == '|' || matches!(c, '\u{2500}'..='\u{257F}')) {
            return true;
        }
        one |= word == "1";
        two |= word == "2";
        others |= !word.bytes().all(|b| b.is_ascii_digit());
    }
    // Letters with these numbers are a board with labels.
    one && two && others
}

/// Whether a node contains a line break outside of strings.
fn spans_lines(node: Node<'_>) -> bool {
    node.tokens().any(|t| t.kind() == T::Space && count_line_breaks(t.text()) > 0)
}

/// The columns of an open list: that of its elements, and that of a closing bracket on a line of its own.
#[derive(Clone, Copy)]
struct List {
    inner: usize,
    close: usize,
}

struct Printer<'t> {
    out: String,
    end: &'t str,
    /// The indentation of the current line.
    indent: usize,
    /// The number of characters on the current line.
    column: usize,
    /// The open lists, the innermost last.
    lists: Vec<List>,
    roles: Vec<Role>,
}

impl Printer<'_> {
    fn token(&mut self, before: Option<Token<'_>>, gap: &str, token: Token<'_>) {
        let role = self.roles[token.index() as usize];
        match before {
            // Before the first token only a byte order mark is kept.
            None => self.out.extend(gap.chars().filter(|&c| c == '\u{FEFF}')),
            Some(_) if role.raw || gap.contains('\u{FEFF}') => self.raw(gap),
            Some(before) => self.gap(before, gap, token, role),
        }
        if role.begins {
            self.lists.clear();
        }
        match token.kind() {
            // Elements are aligned with the first one, unless a line break follows the bracket.
            T::LBracket | T::UnclosedLBracket => {
                self.lists.push(List { inner: self.column + 1, close: self.column });
            }
            T::RBracket => drop(self.lists.pop()),
            _ => {}
        }
        self.out.push_str(token.text());
        let last_line = token.text().rsplit(['\n', '\r']).next().unwrap_or("");
        self.column =
            last_line.chars().count() + if last_line.len() == token.text().len() { self.column } else { 0 };
    }

    fn line(&mut self, blank: bool, indent: usize) {
        self.out.push_str(self.end);
        if blank {
            self.out.push_str(self.end);
        }
        self.out.extend(std::iter::repeat_n(' ', indent));
        self.indent = indent;
        self.column = indent;
    }

    /// Prints white space unchanged.
    fn raw(&mut self, gap: &str) {
        self.out.push_str(gap);
        let last_line = gap.rsplit(['\n', '\r']).next().unwrap_or("");
        self.column = last_line.chars().count() + if last_line.len() == gap.len() { self.column } else { 0 };
        if last_line.len() != gap.len() {
            self.indent = self.column;
        }
    }

    fn gap(&mut self, before: Token<'_>, gap: &str, token: Token<'_>, role: Role) {
        // A word that begins with `//` would become a comment behind white space.
        if gap.is_empty() && token.kind() == T::Word && token.text().starts_with("//") {
            return;
        }
        let lines = count_line_breaks(gap);
        let (kind, last) = (token.kind(), before.kind());
        let opened = last == T::LBrace && role.inside;
        let closes = kind == T::RBrace && role.begins;
        if kind == T::Comment && lines == 0 {
            return self.space_if(true);
        }
        let top = !role.inside && !role.within;
        // Whether a line break is required, or allowed because there is one; then the indentation.
        let must = last == T::Comment
            || role.begins && (top || role.spread)
            || role.first_row
            || opened && role.spread && kind == T::Comment;
        let breaks_line = must || lines > 0 && (top || role.spread || role.within);
        if breaks_line
            && matches!(last, T::LBracket | T::UnclosedLBracket)
            && let Some(list) = self.lists.last_mut()
        {
            *list = List { inner: self.indent + 2, close: self.indent };
        }
        if breaks_line {
            let blank = lines > 1 && !opened && !closes;
            let indent = match (top, self.lists.last()) {
                (true, _) => 0,
                _ if closes => 0,
                _ if role.begins => 2,
                (_, Some(list)) if kind == T::RBracket => list.close,
                (_, Some(list)) => list.inner,
                _ if role.within && role.inside => 4,
                _ => 2,
            };
            return self.line(blank, indent);
        }
        let space = match (last, kind) {
            (_, T::Comma) | (T::LBracket | T::UnclosedLBracket, _) | (_, T::RBracket) => false,
            (T::Comma, T::LBracket | T::UnclosedLBracket) => true,
            // Keep the alignment of numbers in columns.
            (T::Comma, T::Word)
                if gap.len() > 1 && gap.bytes().all(|b| b == b' ') && is_number(token.text()) =>
            {
                return self.raw(gap);
            }
            // Between scalars keep either style: `[3,0]` and `[3, 0]`.
            (T::Comma, _) => !gap.is_empty(),
            _ => true,
        };
        self.space_if(space);
    }

    fn space_if(&mut self, space: bool) {
        if space {
            self.out.push(' ');
            self.column += 1;
        }
    }
}

fn is_number(text: &str) -> bool {
    text.trim_start_matches('-').bytes().all(|b| b.is_ascii_digit())
}
