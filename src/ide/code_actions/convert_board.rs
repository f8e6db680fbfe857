//! Boards from one format into another, where they stand.

use crate::analysis::{Bound, Defaults, bind_all, bind_one, bound_at};
use crate::board::{Board, Style, Target, write};
use crate::diagnostic::{Edit, LineEnd, LineIndex, Span};
use crate::syntax::{Property, TokenKind, Tree, set_apart};

/// What a conversion would change.
pub struct Converted {
    /// The edits, in order.
    pub edits: Vec<Edit>,
    /// Boards that stay as they are, and why.
    pub skipped: Vec<(Span, String)>,
}

/// Converts the boards of a text, where `base` is what is configured. A board that would not read back the same stays as it is.
pub fn convert(tree: &Tree, base: Defaults, target: Target) -> Converted {
    let mut converted = Converted { edits: Vec::new(), skipped: Vec::new() };
    let end = LineEnd::of(tree.text()).as_str();
    let index = LineIndex::new(tree.text());
    for (bound, defaults) in bind_all(tree, base) {
        let span = bound.puzzle.span();
        let first = tree.errors().partition_point(|e| e.span.start < span.start);
        if tree.errors().get(first).is_some_and(|e| e.span.start < span.end) {
            converted.skipped.push((bound.puzzle.head(), "it has syntax errors".into()));
            continue;
        }
        match one(&bound, defaults, target, end, &index) {
            Ok(edits) => converted.edits.extend(edits),
            Err(why) => converted.skipped.push((bound.puzzle.head(), why)),
        }
    }
    converted
}

/// Converts the board of the puzzle round an offset.
///
/// # Errors
/// Why it stays as it is.
pub fn convert_at(tree: &Tree, base: Defaults, offset: u32, target: Target) -> Result<Vec<Edit>, String> {
    let Some((bound, defaults)) = bound_at(tree, base, offset) else {
        return Err("there is no puzzle here".into());
    };
    let span = bound.puzzle.span();
    let first = tree.errors().partition_point(|e| e.span.start < span.start);
    if tree.errors().get(first).is_some_and(|e| e.span.start < span.end) {
        return Err("it has syntax errors".into());
    }
    let end = LineEnd::of(tree.text()).as_str();
    one(&bound, defaults, target, end, &LineIndex::new(tree.text()))
}

fn one(
    bound: &Bound<'_>,
    defaults: Defaults,
    target: Target,
    end: &str,
    index: &LineIndex,
) -> Result<Vec<Edit>, String> {
    let format = bound.game.format();
    let good = bound.reading.as_ref().filter(|r| r.is_good()).and_then(|r| r.board.as_ref());
    let node = bound.puzzle.boards().next();
    let (Some(board), Some(node)) = (good, node) else { return Err("its board cannot be read".into()) };
    let noted = bound.reading.as_ref().is_some_and(|r| r.noted);
    if target == Target::Fen && noted {
        return Ok(Vec::new());
    }
    let Some(content) = node.content() else { return Err("its board cannot be read".into()) };
    let source = bound.puzzle.node().tree().text();
    let spread = bound.puzzle.node().text().contains(['\n', '\r']);
    let (line_start, column) = line_of(source, index, node.span().start);
    let line = format!("{end}{}", " ".repeat(column + 2));
    let empty = bound.settings.empty;
    let style = Style { origin: bound.origin, turn: bound.effective_side(), line, spread, empty };
    let Some(text) = write(board, format, target, &style) else {
        return Err(format!(
            "{} has no {}",
            format.game,
            if target == Target::Fen { "FEN" } else { target.name() }
        ));
    };

    // What the new form does not tell has to be said: try as little as will do.
    let own_size = bound.settings.size.filter(|s| s.own).is_some();
    let size = format!(
        "size {}",
        if board.size.w == board.size.h {
            board.size.w.to_string()
        } else {
            format!("{}x{}", board.size.w, board.size.h)
        }
    );
    let turn = format!("turn {}", bound.turn.name());
    let mut additions: Vec<Vec<&str>> = vec![vec![]];
    if !own_size {
        additions.push(vec![&size]);
    }
    if !bound.turn_is_own {
        additions.push(vec![&turn]);
        additions.push(vec![&turn, &size]);
    }
    let add = additions.into_iter().find(|add| reads_back(bound, defaults, add, &text, board));
    let Some(add) = add else { return Err("it would not read back the same".into()) };

    // Comments among the cells move above the board, so that none is lost.
    let comments: Vec<&str> =
        node.node().tokens().filter(|t| t.kind() == TokenKind::Comment).map(|t| t.text()).collect();
    let indent = " ".repeat(column);
    let mut above = String::new();
    for comment in &comments {
        above.push_str(&format!("{comment}{end}{indent}"));
    }
    let gap = if line_start && spread { format!("{end}{indent}") } else { " ".into() };
    // A FEN may say more than a board and a side: that is kept in a note.
    let rest =
        bound.reading.as_ref().and_then(|r| r.rest.as_ref()).map(|rest| format!("note \"FEN {rest}\""));
    for property in rest.iter().map(String::as_str).chain(add.iter().copied()) {
        above.push_str(&format!("{property}{gap}"));
    }
    // From the keyword on all is replaced, white space and comments in between included.
    let lead = if text.starts_with(['\n', '\r']) { "" } else { " " };
    let replaced = Span::new(node.span().start, content.end);
    let whole = set_apart(source, content.end, format!("{above}board{lead}{text}"));
    if whole == source[replaced.range()] {
        return Ok(Vec::new());
    }
    Ok(vec![Edit { span: replaced, text: whole }])
}

/// Whether an offset is the first of its line but for white space, and how far the line is set in.
fn line_of(text: &str, index: &LineIndex, offset: u32) -> (bool, usize) {
    let start = index.span(index.line(offset)).start as usize;
    let rest = &text[start..];
    let indent = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    (start + indent == offset as usize, indent)
}

/// Whether a board written so reads back the same, with the same side to move.
fn reads_back(bound: &Bound<'_>, defaults: Defaults, add: &[&str], text: &str, board: &Board) -> bool {
    let mut small = format!("{} {{ ", bound.game.format().game);
    let own = bound
        .puzzle
        .properties()
        .filter(|p| matches!(p.name(), Some(Property::Size | Property::Origin | Property::Turn)));
    for property in own {
        small.push_str(property.node().text());
        small.push(' ');
    }
    for property in add {
        small.push_str(property);
        small.push(' ');
    }
    small.push_str(&format!("board {text} }}"));
    let tree = crate::syntax::parse(small);
    let Some(puzzle) = tree.puzzles().next() else { return false };
    let same = |b: Bound<'_>| {
        let read = b.reading.as_ref().filter(|r| r.is_good()).and_then(|r| r.board.as_ref());
        read == Some(board) && (b.effective_side() == bound.effective_side() || !bound.game.format().coloured)
    };
    tree.errors().is_empty() && bind_one(puzzle, defaults).is_some_and(same)
}
