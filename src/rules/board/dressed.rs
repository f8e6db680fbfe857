//! Text boards as they are found: with labels of files and ranks, frames, names of levels, signs of colour.
//!
//! Such boards are looked at only where the plain reading fails.

use crate::board::game_format::Format;
use crate::board::glyphs::{Glyph, Row, cell, drop_invisible, glyph_rows, join_russian_kings};
use crate::board::labels::{drop_labels, is_level_name, split_levels, wrong_level_name};
use crate::board::piece_letters::{Language, languages_of};
use crate::board::text::{Cell, TextRows};
use cpz_text::diagnostic::{Finding, Span};
use cpz_text::syntax::{Token, TokenKind};

/// The rows of a board without what is around them. Nothing if there is nothing around them.
pub(super) fn undressed(tokens: &[Token<'_>], format: &Format) -> Option<TextRows> {
    let mut rows = glyph_rows(tokens)?;
    let mut changed = drop_invisible(&mut rows);
    changed |= join_russian_kings(&mut rows);
    changed |= drop_frames(&mut rows)?;
    changed |= match format.is_cube() {
        true => drop_rules(&mut rows) | split_levels(&mut rows),
        false => drop_labels(&mut rows, format.coloured),
    };
    changed |= join_signs(&mut rows, format);
    rows.retain(|row| !row.is_empty());
    let rows: Vec<Vec<Cell>> = rows.iter().map(|row| row.iter().map(cell).collect()).collect();
    (changed && !rows.is_empty()).then(|| TextRows::of_rows(rows))
}

/// What is wrong with the names of the levels of a cube.
pub(super) fn wrong_levels(tokens: &[Token<'_>]) -> Option<Finding> {
    let mut rows = glyph_rows(tokens)?;
    drop_invisible(&mut rows);
    drop_frames(&mut rows)?;
    drop_rules(&mut rows);
    wrong_level_name(&rows)
}

/// A character of a frame as ASCII: `|`, `-` or `+`.
fn frame_character(c: char) -> char {
    match c {
        '│' | '┃' | '║' | '╎' | '╏' | '┆' | '┇' | '┊' | '┋' | '¦' => '|',
        '─' | '━' | '═' | '╌' | '╍' | '┄' | '┅' | '┈' | '┉' => '-',
        '\u{2500}'..='\u{257F}' => '+',
        c => c,
    }
}

/// Removes the lines of a frame. Nothing if its rows cannot be understood; otherwise whether there was a frame.
fn drop_frames(rows: &mut Vec<Row>) -> Option<bool> {
    for glyph in rows.iter_mut().flatten() {
        glyph.c = frame_character(glyph.c);
    }
    if !rows.iter().flatten().any(|g| matches!(g.c, '|' | '+')) {
        return Some(false);
    }
    let count = rows.len();
    rows.retain(|row| !is_rule(row));
    let ruled = rows.len() < count;
    let is_pipe = |g: &Glyph| g.c == '|';
    let in_frame: Vec<usize> = (0..rows.len()).filter(|&i| rows[i].iter().any(is_pipe)).collect();
    if in_frame.is_empty() {
        return Some(ruled);
    }
    // Lines such as `|       |`, between rows that have no frame.
    if in_frame.len() < rows.len() && in_frame.iter().all(|&i| rows[i].iter().all(is_pipe)) {
        rows.retain(|row| !row.iter().all(is_pipe));
        return Some(true);
    }
    let mut parts: Vec<Vec<Part>> = in_frame.iter().map(|&i| parts(&rows[i])).collect();
    let outside = |part: &Part| part.glyphs.iter().all(|g| g.c.is_ascii_digit()) && part.glyphs.len() <= 2;
    let left = parts.iter().all(|p| p.first().is_some_and(outside));
    let right = parts.iter().all(|p| p.len() > 1 && p.last().is_some_and(outside));
    if !(ruled || left && right || is_grid(rows)) {
        return None;
    }
    let mut labels: Vec<(Vec<Glyph>, Vec<Glyph>)> = Vec::new();
    for part in &mut parts {
        let before = if left { part.remove(0).glyphs } else { Vec::new() };
        let behind = if right { part.pop().map_or(Vec::new(), |p| p.glyphs) } else { Vec::new() };
        labels.push((before, behind));
    }
    let is_cell = |p: &Part| match p.glyphs.as_slice() {
        [] | [_] => true,
        [a, b] => a.c == '-' && !b.begins,
        _ => false,
    };
    let single = parts.iter().flatten().all(is_cell);
    if !single && parts.iter().any(|p| p.len() != 1) {
        return None;
    }
    for ((&i, part), (before, behind)) in in_frame.iter().zip(&parts).zip(labels) {
        let mut row = before;
        for p in part {
            let blank = Glyph { c: ' ', span: p.gap, begins: true, negative: false };
            match p.glyphs.as_slice() {
                [] if single => row.push(blank),
                glyphs => row.extend(
                    glyphs.iter().enumerate().map(|(n, &g)| Glyph { begins: g.begins || n == 0, ..g }),
                ),
            }
        }
        row.extend(behind.into_iter().map(|g| Glyph { begins: true, ..g }).take(1));
        rows[i] = row;
    }
    rows.retain(|row| !row.is_empty());
    Some(true)
}

/// Whether a text board is a grid of vertical lines alone, as `| N |   |` on each line: a plain reading would take the lines
/// for empty cells.
pub(super) fn is_piped<'t>(tokens: impl Iterator<Item = Token<'t>>) -> bool {
    // Reject nearly all boards at once.
    let mut tokens = tokens.filter(|token| token.kind() != TokenKind::Comma).peekable();
    let begins = |token: &Token<'_>| token.content().0.trim_start().chars().next().map(frame_character);
    if tokens.peek().and_then(begins) != Some('|') {
        return false;
    }
    let tokens: Vec<Token<'t>> = tokens.collect();
    let Some(mut rows) = glyph_rows(&tokens) else { return false };
    rows.iter_mut().flatten().for_each(|glyph| glyph.c = frame_character(glyph.c));
    is_grid(&rows)
}

/// Whether all rows have as many cells, each of one character or none, between vertical lines.
fn is_grid(rows: &[Row]) -> bool {
    let cells = |row: &Row| {
        let parts = parts(row);
        let is_closed =
            parts.len() > 3 && [&parts[0], &parts[parts.len() - 1]].iter().all(|p| p.glyphs.is_empty());
        (is_closed && parts.iter().all(|part| part.glyphs.len() < 2)).then_some(parts.len())
    };
    let mut counts = rows.iter().map(cells);
    let first = counts.next().flatten();
    rows.len() > 1 && first.is_some() && counts.all(|count| count == first)
}

/// Whether a row is a line of a frame: `+---+---+`, `|---|---|`, `+---a---b---+`, or dashes alone.
fn is_rule(row: &Row) -> bool {
    let is_dash = |c: char| matches!(c, '-' | '=' | '_');
    let has = |c: char| row.iter().any(|g| g.c == c);
    let dashes = row.iter().filter(|g| is_dash(g.c)).count();
    let mut others = row.iter().map(|g| g.c).filter(|&c| !is_dash(c) && !matches!(c, '+' | '|'));
    let Some(first) = others.next() else {
        // A run of dashes is no row of empty cells, which are between spaces or border on a piece.
        let long = row.windows(2).any(|two| is_dash(two[0].c) && is_dash(two[1].c) && !two[1].begins);
        return dashes > 0 && (has('+') || has('|') && long);
    };
    let names = std::iter::successors(Some(first), |_| others.next());
    has('+') && dashes > 1 && names.zip('a'..).all(|(c, name)| c.eq_ignore_ascii_case(&name))
}

/// Removes the lines of dashes between the levels of a cube, if its rows are as many as its levels have without them.
fn drop_rules(rows: &mut Vec<Row>) -> bool {
    let is_rule = |row: &Row, sign: char| row.iter().all(|g| g.c == sign);
    let parts_levels = |&sign: &char| {
        let (rules, cells): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(|row| is_rule(row, sign));
        if rules.is_empty() {
            return false;
        }
        // The names of the levels may stand between them.
        let cells: Vec<&Row> = cells.into_iter().filter(|row| !is_level_name(row)).collect();
        let count = cells.len();
        let side = cells.iter().map(|row| row.len()).max().unwrap_or(0);
        let is_cell = cells.into_iter().flatten().any(|g| g.c == sign);
        !is_cell && count == side * side
    };
    let sign = ['-', '=', '_'].into_iter().find(parts_levels);
    if let Some(sign) = sign {
        rows.retain(|row| !is_rule(row, sign));
    }
    sign.is_some()
}

/// What is between two lines of a frame.
struct Part {
    glyphs: Vec<Glyph>,
    /// The place of a blank cell.
    gap: Span,
}

/// The parts of a row between its vertical lines.
fn parts(row: &Row) -> Vec<Part> {
    let start = row.first().map_or(0, |g| g.span.start);
    let mut parts = vec![Part { glyphs: Vec::new(), gap: Span::at(start) }];
    let mut from = start;
    for glyph in row {
        let Some(part) = parts.last_mut() else { continue };
        if glyph.c != '|' {
            part.glyphs.push(*glyph);
            continue;
        }
        let middle = from + (glyph.span.start - from) / 2;
        part.gap = if middle < glyph.span.start { Span::new(middle, middle + 1) } else { Span::at(middle) };
        from = glyph.span.end;
        parts.push(Part { glyphs: Vec::new(), gap: Span::at(from) });
    }
    parts
}

/// Joins each `-` with the piece behind it: black, as Popeye prints it, or a negative number.
fn join_signs(rows: &mut [Row], format: &Format) -> bool {
    let is_signed = |row: &Row| {
        row.iter().enumerate().all(|(i, g)| {
            let next = row.get(i + 1).filter(|next| !next.begins);
            g.c != '-' || g.begins && next.is_some_and(|next| next.c.is_alphanumeric())
        })
    };
    let mut glyphs = rows.iter().flatten();
    if !format.coloured || !glyphs.any(|g| g.c == '-') || !rows.iter().all(is_signed) {
        return false;
    }
    for row in rows.iter_mut() {
        let mut i = 0;
        while i + 1 < row.len() {
            if row[i].c == '-' {
                let sign = row.remove(i);
                row[i] = Glyph { span: sign.span.cover(row[i].span), negative: true, begins: true, ..row[i] };
            }
            i += 1;
        }
    }
    popeyes_knights(rows);
    true
}

/// Reads `S` as the knight, as Popeye prints it in English, unless the letters can be those of another language.
fn popeyes_knights(rows: &mut [Row]) {
    let mut letters: Vec<String> =
        rows.iter().flatten().filter(|g| g.c.is_alphabetic()).map(|g| g.c.to_uppercase().collect()).collect();
    letters.sort_unstable();
    letters.dedup();
    let languages = languages_of(letters.iter().map(String::as_str));
    let popeyes = |l: &&'static Language| l.name == "Popeye's";
    // The German `B` is a pawn.
    let sure = languages.iter().any(popeyes) && (languages.len() == 1 || letters.iter().all(|l| l != "B"));
    for glyph in rows.iter_mut().flatten().filter(|g| sure && matches!(g.c, 'S' | 's')) {
        glyph.c = if glyph.c == 'S' { 'N' } else { 'n' };
    }
}
