//! Sorts the puzzles of a text. They move with their comments; every byte of a puzzle and its comments is kept.
//!
//! A property outside of puzzles is a default for the puzzles below it, and a comment that stands by itself is a heading:
//! no puzzle moves across them. They divide the text into parts, and each part is sorted.

use std::cmp::Ordering;
use std::sync::atomic::Ordering::Relaxed;

use crate::analysis::{Bound, Defaults, Options, bind_one, position_of, puzzles};
use crate::authoring::rating::{Estimate, rate};
use crate::parallel::*;
use cpz_text::diagnostic::Span;
use cpz_text::syntax::{Property, Puzzle, TokenKind, Tree, parse};

/// What the order depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SortKey {
    /// The estimate of difficulty.
    Difficulty,
    /// The number of pieces.
    Pieces,
    /// The name.
    Name,
    /// The `id`.
    Id,
}

impl SortKey {
    /// All keys.
    pub const ALL: [SortKey; 4] = [SortKey::Difficulty, SortKey::Pieces, SortKey::Name, SortKey::Id];

    /// The word on the command line.
    pub fn word(self) -> &'static str {
        ["difficulty", "pieces", "name", "id"][self as usize]
    }
}

/// A puzzle's place in the order. Puzzles without a value come last, in the order that they have.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Value {
    Estimate(Estimate),
    Pieces(usize),
    Text(String),
}

/// A puzzle with the comments directly above it and behind it.
struct Unit {
    span: Span,
    /// Whether a comment stands behind it on its line.
    ends_in_comment: bool,
    part: usize,
    value: Option<Value>,
}

/// The text of a tree with its puzzles sorted. Each search has the node budget of the options.
///
/// # Errors
/// Why the text cannot be sorted: a puzzle with a syntax error would be read in another way at another place, or a search
/// was cancelled.
pub fn sorted(tree: &Tree, by: SortKey, options: &Options) -> Result<String, String> {
    let text = tree.text();
    let units = units(tree, by, options)?;
    let mut order: Vec<usize> = (0..units.len()).collect();
    order.sort_by(|&a, &b| {
        let (a, b) = (&units[a], &units[b]);
        a.part.cmp(&b.part).then_with(|| compare(a.value.as_ref(), b.value.as_ref()))
    });
    if order.iter().enumerate().all(|(place, &unit)| place == unit) {
        return Ok(text.to_string());
    }
    // It would take in the puzzles that come behind it.
    let is_closed = |puzzle: Puzzle<'_>| {
        puzzle.node().last_token().is_some_and(|token| token.kind() == TokenKind::RBrace)
    };
    if !tree.puzzles().all(is_closed) {
        return Err("not sorted: a puzzle has no `}` at its end; write it first".into());
    }
    let mut out = String::with_capacity(text.len());
    let (mut end, mut ends_in_comment) = (0, false);
    for (place, &unit) in order.iter().enumerate() {
        let gap = &text[end..units[place].span.start as usize];
        let moved = &text[units[unit].span.range()];
        push_gap(&mut out, gap, ends_in_comment, moved.starts_with("//"), text);
        out.push_str(moved);
        ends_in_comment = units[unit].ends_in_comment;
        end = units[place].span.end as usize;
    }
    let rest = &text[end..];
    push_gap(&mut out, rest, ends_in_comment && !rest.is_empty(), false, text);
    match is_rearranged(tree, &parse(out.as_str()), &order) {
        true => Ok(out),
        false => Err("not sorted: a puzzle has a syntax error; correct it first".into()),
    }
}

/// Appends what stands between two puzzles. Before and behind it is a line break where a comment would take in what follows,
/// or would be taken for one of the puzzle before.
fn push_gap(out: &mut String, gap: &str, after_comment: bool, before_comment: bool, text: &str) {
    let line_end = ["\r\n", "\n", "\r"].into_iter().find(|end| text.contains(end)).unwrap_or("\n");
    let breaks = |space: &str| space.contains(['\n', '\r']);
    let leading = &gap[..gap.len() - gap.trim_start().len()];
    if after_comment && !breaks(leading) {
        out.push_str(line_end);
    }
    out.push_str(gap);
    let line = out.rsplit(['\n', '\r']).next().unwrap_or_default();
    if before_comment && !line.trim_start_matches('\u{FEFF}').trim().is_empty() {
        out.push_str(line_end);
    }
}

/// Whether the puzzles of a new text are those of the old one in this order, with the same comments above them.
fn is_rearranged(old: &Tree, new: &Tree, order: &[usize]) -> bool {
    let described = |puzzle: Puzzle<'_>| (puzzle.node().text().to_string(), puzzle.description().join("\n"));
    let before: Vec<_> = old.puzzles().map(described).collect();
    let after: Vec<_> = new.puzzles().map(described).collect();
    let comments = |tree: &Tree| tree.tokens().filter(|t| t.kind() == TokenKind::Comment).count();
    after.len() == order.len()
        && order.iter().zip(&after).all(|(&unit, after)| before.get(unit) == Some(after))
        && comments(old) == comments(new)
}

fn units(tree: &Tree, by: SortKey, options: &Options) -> Result<Vec<Unit>, String> {
    let mut units: Vec<Unit> = Vec::new();
    let mut part = 0;
    let mut end = 0;
    let with_defaults: Vec<(Puzzle<'_>, Defaults)> = puzzles(tree, options.config.settings).collect();
    for &(puzzle, _) in &with_defaults {
        let span = Span { start: puzzle.described_from(), end: end_of(puzzle) };
        // Anything but white space between two puzzles divides them.
        let between = tree.text().get(end as usize..span.start as usize).unwrap_or_default();
        if !between.chars().all(|c| c.is_whitespace() || c == '\u{FEFF}') {
            part += 1;
        }
        end = span.end;
        units.push(Unit { span, ends_in_comment: end > puzzle.span().end, part, value: None });
    }
    units.par_iter_mut().zip(&with_defaults).for_each(|(unit, &(puzzle, defaults))| {
        unit.value = bind_one(puzzle, defaults).and_then(|bound| value_of(&bound, by, options));
    });
    if options.cancel.as_ref().is_some_and(|cancel| cancel.load(Relaxed)) {
        return Err("the search was cancelled".into());
    }
    Ok(units)
}

/// The end of a puzzle with the comment behind its brace, on the same line.
fn end_of(puzzle: Puzzle<'_>) -> u32 {
    let mut end = puzzle.span().end;
    let mut token = puzzle.node().last_token().and_then(|token| token.next());
    while let Some(next) = token {
        match next.kind() {
            TokenKind::Space if !next.text().contains(['\n', '\r']) => {}
            TokenKind::Comment => end = next.span().end,
            _ => break,
        }
        token = next.next();
    }
    end
}

fn value_of(bound: &Bound<'_>, by: SortKey, options: &Options) -> Option<Value> {
    match by {
        SortKey::Difficulty => Some(Value::Estimate(rate(bound, options).ok()?.estimate?)),
        SortKey::Pieces => Some(Value::Pieces(position_of(bound)?.board.count())),
        SortKey::Name => Some(Value::Text(bound.puzzle.name()?.content().0.to_string())),
        SortKey::Id => Some(Value::Text(bound.puzzle.texts_of(Property::Id).next()?.0.to_string())),
    }
}

fn compare(a: Option<&Value>, b: Option<&Value>) -> Ordering {
    match (a, b) {
        (Some(Value::Estimate(a)), Some(Value::Estimate(b))) => a.cmp(b),
        (Some(Value::Pieces(a)), Some(Value::Pieces(b))) => a.cmp(b),
        (Some(Value::Text(a)), Some(Value::Text(b))) => natural(a, b),
        (a, b) => a.is_none().cmp(&b.is_none()),
    }
}

/// Compares texts as people do: numbers by their value, letters whatever their case.
fn natural(a: &str, b: &str) -> Ordering {
    let (mut rest_a, mut rest_b) = (a, b);
    loop {
        let (Some(x), Some(y)) = (rest_a.chars().next(), rest_b.chars().next()) else {
            return rest_a.len().cmp(&rest_b.len()).then_with(|| a.cmp(b));
        };
        if x.is_ascii_digit() && y.is_ascii_digit() {
            let (number_a, number_b) = (leading_number(&mut rest_a), leading_number(&mut rest_b));
            match number_a.len().cmp(&number_b.len()).then(number_a.cmp(number_b)) {
                Ordering::Equal => continue,
                order => return order,
            }
        }
        match x.to_lowercase().cmp(y.to_lowercase()) {
            Ordering::Equal => (rest_a, rest_b) = (&rest_a[x.len_utf8()..], &rest_b[y.len_utf8()..]),
            order => return order,
        }
    }
}

/// Takes the digits at the start of a text; without zeros in front.
fn leading_number<'t>(text: &mut &'t str) -> &'t str {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    *text = rest;
    number.trim_start_matches('0')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by(text: &str, key: SortKey) -> Result<String, String> {
        sorted(&parse(text), key, &Options::default())
    }

    #[test]
    fn puzzles_move_with_their_comments() {
        let text = "// About ten.\nchess \"10\" { board 8/8/8/4k3/8/8/8/4K2R mate }  // behind ten\n\n\
                    // About nine.\n// More.\nchess \"9\" {\n  board 8/8/8/4k3/8/8/8/4K3 mate }\nchess { board 8/8/8/8/8/8/8/4K3 mate }\n";
        let want = "// About nine.\n// More.\nchess \"9\" {\n  board 8/8/8/4k3/8/8/8/4K3 mate }\n\n\
                    // About ten.\nchess \"10\" { board 8/8/8/4k3/8/8/8/4K2R mate }  // behind ten\nchess { board 8/8/8/8/8/8/8/4K3 mate }\n";
        assert_eq!(by(text, SortKey::Name).as_deref(), Ok(want));
        let pieces = by(text, SortKey::Pieces).expect("sorted");
        assert!(pieces.starts_with("chess { board 8/8/8/8/8/8/8/4K3 mate }\n\n// About nine."), "{pieces}");
    }

    #[test]
    fn defaults_and_headings_divide_the_text() {
        let text = "chess \"b\" {}\nchess \"a\" {}\nturn black\nchess \"d\" {}\nchess \"c\" {}\n\n// ---- Part\n\nchess \"f\" {}\nchess \"e\" {}\n";
        let want = "chess \"a\" {}\nchess \"b\" {}\nturn black\nchess \"c\" {}\nchess \"d\" {}\n\n// ---- Part\n\nchess \"e\" {}\nchess \"f\" {}\n";
        assert_eq!(by(text, SortKey::Name).as_deref(), Ok(want));
    }

    #[test]
    fn comments_take_in_no_puzzle() {
        let text = "chess \"c\" {} chess \"b\" {} // behind\n// above\nchess \"a\" {}";
        let new = by(text, SortKey::Name).expect("sorted");
        assert_eq!(parse(new.as_str()).puzzles().count(), 3, "{new}");
        assert_eq!(by(&new, SortKey::Name), Ok(new));
    }

    #[test]
    fn numbers_in_names_count_by_their_value() {
        let mut names = ["b2", "B10", "a", "b02x", "b2a", "", "c"];
        names.sort_by(|a, b| natural(a, b));
        assert_eq!(names, ["", "a", "b2", "b2a", "b02x", "B10", "c"]);
    }
}
