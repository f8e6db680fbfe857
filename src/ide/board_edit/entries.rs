//! Changed entries of coordinates: a moved piece stays where it is in the list, a new one comes last.

use crate::board_edit::change::{Change, differences, has_comment, source};
use crate::text_edit::apply;
use cpz_check::analysis::Bound;
use cpz_rules::board::{Board, EntryParts, Piece, Square, Style, Target, respell, respell_piece, write};
use cpz_text::diagnostic::{Edit, Span};
use cpz_text::syntax::{Element, Token, TokenKind};

/// The edits of the entries of a board. `None` if the entries are not the pieces of the board.
pub(super) fn edits(
    bound: &Bound<'_>,
    board: &Board,
    target: &Board,
    entries: &[EntryParts<'_>],
) -> Option<Vec<Edit>> {
    let content = bound.puzzle.boards().next()?.content()?;
    if entries.is_empty() {
        let all = all_entries(bound, target)?;
        let inner = all.strip_prefix('[').and_then(|all| all.strip_suffix(']'))?;
        return Some(vec![Edit { span: Span::at(content.start + 1), text: inner.into() }]);
    }
    // Without brackets around the entries nothing would be left.
    if target.count() == 0 && entries[0].1.start == content.start {
        return (!has_comment(bound, content)).then(|| vec![Edit { span: content, text: "[]".into() }]);
    }
    let list = EntryList { bound, board, entries };
    let (mut removed, mut added, mut edits) = (Vec::new(), Vec::new(), Vec::new());
    for Change { square, before, after } in differences(board, target) {
        match (before, after) {
            (Some(_), None) => removed.push(square),
            (Some(_), Some(piece)) => {
                edits.extend(respell_piece(&list.at(square)?.0, bound.game.format(), piece)?)
            }
            (None, Some(piece)) => added.push((square, piece)),
            (None, None) => {}
        }
    }
    // A piece that leaves one square and comes to another one has moved. One that captures takes the place of the other
    // in the text as on the board.
    let mut new = Vec::new();
    for (square, piece) in added {
        match removed.iter().position(|&from| board.at(from) == Some(piece)) {
            Some(i) => edits.extend(respell(&list.at(removed.remove(i))?.0, bound.origin, square)),
            None => new.push((square, piece)),
        }
    }
    if removed.len() == entries.len() && !new.is_empty() {
        // One entry remains for the others to follow.
        let ((parts, _), (square, piece)) = (list.at(removed.remove(0))?, new.remove(0));
        edits.extend(respell(parts, bound.origin, square));
        edits.extend(respell_piece(parts, bound.game.format(), piece)?);
    }
    edits.extend(list.without(&removed)?);
    let is_removed =
        |entry: &EntryParts<'_>| removed.iter().any(|&s| list.at(s).is_some_and(|e| e.1 == entry.1));
    if let Some(last) = entries.iter().rev().find(|e| !is_removed(e)).or(entries.last()) {
        edits.extend(list.with(last, &new)?);
    }
    Some(edits)
}

/// All entries in the form of cpz.
fn all_entries(bound: &Bound<'_>, board: &Board) -> Option<String> {
    let style =
        Style { origin: bound.origin, turn: bound.turn, line: " ".into(), spread: false, empty: None };
    write(board, bound.game.format(), Target::Coordinates, &style)
}

struct EntryList<'a, 't> {
    bound: &'a Bound<'t>,
    board: &'a Board,
    entries: &'a [EntryParts<'t>],
}

impl<'t> EntryList<'_, 't> {
    /// The entry of the piece on a square.
    fn at(&self, square: Square) -> Option<&EntryParts<'t>> {
        let span = self.bound.reading.as_ref()?.place(self.board.index(square))?;
        self.entries.iter().find(|e| e.1 == span)
    }

    /// The edits that remove the entries of squares, each with a comma and its white space. Comments stay.
    fn without(&self, squares: &[Square]) -> Option<Vec<Edit>> {
        let mut spans: Vec<Span> = squares.iter().map(|&s| Some(self.at(s)?.1)).collect::<Option<_>>()?;
        spans.sort();
        let mut edits: Vec<Edit> = Vec::new();
        for span in spans {
            let mut range = self.range_to_remove(span);
            // The separator before it may be gone with the entry before it.
            if let Some(last) = edits.last_mut().filter(|last| last.span.end > range.start) {
                range.start = last.span.end;
            }
            edits.push(Edit { span: range, text: String::new() });
        }
        Some(edits)
    }

    fn range_to_remove(&self, entry: Span) -> Span {
        let text = source(self.bound);
        let tree = self.bound.puzzle.node().tree();
        let next =
            tree.tokens_in(Span::new(entry.end, text.len() as u32)).find(|t| t.span().start >= entry.end);
        let after = |token: Option<Token<'t>>| token.filter(|t| !t.kind().is_trivia());
        let comma = next.filter(|t| t.kind() == TokenKind::Comma).or_else(|| {
            let space = next.filter(|t| t.kind() == TokenKind::Space)?;
            after(space.next()).filter(|t| t.kind() == TokenKind::Comma)
        });
        let Some(comma) = comma else { return self.range_with_comma_before(entry, next) };
        let rest = &text[comma.span().end as usize..];
        let spaces = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let line = line_break(&rest[spaces..]);
        let before = &text[..entry.start as usize];
        let indent = before.len() - before.trim_end_matches([' ', '\t']).len();
        let is_line = before[..before.len() - indent].ends_with(['\n', '\r']);
        let end = comma.span().end + spaces as u32;
        match line {
            // The entry has a line of its own.
            Some(length) if is_line => Span::new(entry.start - indent as u32, end + length as u32),
            Some(_) => Span::new(entry.start - indent as u32, comma.span().end),
            None => Span::new(entry.start, end),
        }
    }

    /// The range of an entry that no comma follows: with the comma before it, as far as no comment is between.
    fn range_with_comma_before(&self, entry: Span, next: Option<Token<'t>>) -> Span {
        let first = next.map(|t| t.previous()).unwrap_or_default();
        let start = std::iter::successors(first, |t| t.previous()).find(|t| t.span().end <= entry.start);
        let mut from = entry.start;
        for token in std::iter::successors(start, |t| t.previous()) {
            match token.kind() {
                TokenKind::Space => from = token.span().start,
                TokenKind::Comma => {
                    from = token.span().start;
                    let space = token.previous().filter(|t| t.kind() == TokenKind::Space);
                    return Span::new(space.map_or(from, |t| t.span().start), entry.end);
                }
                TokenKind::Comment => return entry,
                _ => break,
            }
        }
        if from < entry.start && self.entries.first().is_some_and(|first| first.1 != entry) {
            return Span::new(from, entry.end);
        }
        entry
    }

    /// The edits that add pieces behind an entry, in its form.
    fn with(&self, last: &EntryParts<'t>, pieces: &[(Square, Piece)]) -> Option<Vec<Edit>> {
        if pieces.is_empty() {
            return Some(Vec::new());
        }
        let separator = self.separator();
        let mut added = String::new();
        for &(square, piece) in pieces {
            added.push_str(&separator);
            added.push_str(&self.written_as(last, square, piece)?);
        }
        let text = source(self.bound);
        let rest = &text[last.1.end as usize..];
        let tail = &rest[..rest.find(['\n', '\r']).unwrap_or(rest.len())];
        let is_behind = |t: &Token<'t>| t.kind() == TokenKind::Comment && t.span().start >= last.1.end;
        let line = Span::new(last.1.end, last.1.end + tail.len() as u32);
        let comment = self.bound.puzzle.node().tree().tokens_in(line).find(is_behind);
        let Some(comment) = comment.filter(|_| separator.contains(['\n', '\r'])) else {
            return Some(vec![Edit { span: Span::at(last.1.end), text: added }]);
        };
        // The comment belongs to the entry before it.
        let has_comma = tail.trim_start().starts_with(',');
        let comma = if has_comma || !separator.starts_with(',') { "" } else { "," };
        let first = added.trim_start_matches(',').to_string();
        Some(vec![
            Edit { span: Span::at(last.1.end), text: comma.into() },
            Edit { span: Span::at(comment.span().end), text: first },
        ])
    }

    /// What stands between two entries, without comments.
    fn separator(&self) -> String {
        let [.., (_, a), (_, b)] = self.entries else { return ", ".into() };
        let between = &source(self.bound)[a.end as usize..b.start as usize];
        let comma = if between.contains(',') { "," } else { "" };
        match between.rfind(['\n', '\r']) {
            Some(at) => {
                let start = if between[..at].ends_with('\r') { at - 1 } else { at };
                format!("{comma}{}", &between[start..])
            }
            None if between.chars().all(|c| c == ',' || c.is_whitespace()) => between.into(),
            None => format!("{comma} "),
        }
    }

    /// An entry for a piece in the form of another one.
    fn written_as(&self, like: &EntryParts<'t>, square: Square, piece: Piece) -> Option<String> {
        let (parts, span) = like;
        let mut edits = respell(parts, self.bound.origin, square);
        edits.extend(respell_piece(parts, self.bound.game.format(), piece)?);
        for edit in &mut edits {
            edit.span.shift(-i64::from(span.start));
        }
        let written = apply(&source(self.bound)[span.range()], &edits);
        let is_list = parts.iter().all(|p| !matches!(p, Element::List(_)));
        (is_list && !has_comment(self.bound, *span)).then_some(written)
    }
}

/// The length of the line break at the start of a text.
fn line_break(text: &str) -> Option<usize> {
    ["\r\n", "\n", "\r"].iter().find(|end| text.starts_with(**end)).map(|end| end.len())
}
