//! Quoted rows whose empty cells are blanks.

use crate::board::game_format::{Format, Sizes};
use crate::board::text::{Cell, CellContent, TextRows};
use cpz_text::diagnostic::{Code, Finding, Fix, Span};

/// The rows of a quoted text in which blanks are cells: all rows are equally long then, and there is no other empty
/// cell. Nothing where white space only separates the cells, or where it is unclear what it is.
pub(super) fn blank_rows((text, span): (&str, Span), format: &Format) -> Option<TextRows> {
    let piece = |c: char| format.piece(c).is_some() || format.figurine(c).is_some();
    if !text.chars().all(|c| matches!(c, ' ' | '\n' | '\r') || piece(c)) {
        return None;
    }
    let mut lines: Vec<Vec<(char, Span)>> = vec![Vec::new()];
    let mut last = ' ';
    for (i, c) in text.char_indices() {
        let start = span.start + i as u32;
        match c {
            '\n' if last == '\r' => {}
            '\n' | '\r' => lines.push(Vec::new()),
            _ => {
                if let Some(line) = lines.last_mut() {
                    line.push((c, Span::new(start, start + c.len_utf8() as u32)));
                }
            }
        }
        last = c;
    }
    // The quotes may stand on lines of their own.
    let blank = |line: &[(char, Span)]| line.iter().all(|(c, _)| *c == ' ');
    let length = lines.get(1)?.len();
    if lines.len() > 2 && lines.last().is_some_and(|l| l.len() != length && blank(l)) {
        lines.pop();
    }
    if lines[0].is_empty() {
        lines.remove(0);
    }
    rows_of_lines(&lines, format)
}

/// The finding for rows of men and blanks that are not equally long, as editors leave them that take blanks off the ends of
/// lines, where the men do not stand below each other: the blanks may be empty cells, or may only part the cells.
pub(super) fn unclear_blanks((text, span): (&str, Span), format: &Format) -> Option<Finding> {
    let is_man = |c: char| c.is_alphabetic() || format.figurine(c).is_some();
    if !text.contains(is_man) || !text.chars().all(|c| matches!(c, ' ' | '\n' | '\r') || is_man(c)) {
        return None;
    }
    let lines: Vec<&str> = text.lines().collect();
    let columns = |line: &str| line.chars().enumerate().filter(|(_, c)| *c != ' ').map(|(x, _)| x).collect();
    // The first line stands behind the quote, so it may begin elsewhere.
    let mut below =
        lines.iter().skip(1).map(|line| columns(line)).skip_while(Vec::is_empty).collect::<Vec<Vec<usize>>>();
    while below.last().is_some_and(Vec::is_empty) {
        below.pop();
    }
    // Behind blanks that are the same in all lines they mean nothing.
    let indent = below.iter().flatten().min().copied().unwrap_or(0);
    let is_packed = |row: &Vec<usize>| row.iter().copied().eq(indent..indent + row.len());
    let is_clear = below.iter().all(|row| !row.is_empty() && is_packed(row));
    if is_clear || below.windows(2).all(|pair| pair[0] == pair[1]) {
        return None;
    }
    let message = "it is unclear whether the blanks are empty cells: write a point for each empty cell";
    let mut finding = Finding::new(Code::BoardShape, span, message);
    let first = usize::from(lines.first().is_some_and(|line| line.trim().is_empty()));
    let last = lines.iter().rposition(|line| !line.trim().is_empty())?;
    let rows = lines.get(first..=last)?;
    let first_row = rows.first()?;
    let width = rows.iter().map(|row| row.trim_end().chars().count()).max()?;
    let fits = match format.sizes {
        Sizes::Fixed(n) => (width, rows.len()) == (n.into(), n.into()),
        Sizes::UpTo { max, .. } => width.max(rows.len()) <= max.into(),
        _ => false,
    };
    if fits {
        let pad = |row: &&str| format!("{:.<width$}", row.trim_end().replace(' ', "."));
        let rows: Vec<String> = rows.iter().map(pad).collect();
        let start = first_row.as_ptr() as usize - text.as_ptr() as usize;
        let place = Span::new(span.start + start as u32, span.start + text.trim_end().len() as u32);
        finding = finding.fix(Fix::new("write points for the blanks", place, rows.join("\n"), false));
    }
    Some(finding)
}

/// The rows of the strings of a list in which blanks are cells.
pub(super) fn blank_strings(strings: &[(&str, Span)], format: &Format) -> Option<Vec<Vec<Cell>>> {
    let piece = |c: char| format.piece(c).is_some() || format.figurine(c).is_some();
    if strings.len() < 2 || !strings.iter().all(|(text, _)| text.chars().all(|c| c == ' ' || piece(c))) {
        return None;
    }
    let chars = |&(text, span): &(&str, Span)| {
        let at = |i: usize, c: char| {
            let start = span.start + i as u32;
            Span::new(start, start + c.len_utf8() as u32)
        };
        text.char_indices().map(|(i, c)| (c, at(i, c))).collect()
    };
    let lines: Vec<Vec<(char, Span)>> = strings.iter().map(chars).collect();
    cells_of_lines(&lines, format)
}

fn rows_of_lines(lines: &[Vec<(char, Span)>], format: &Format) -> Option<TextRows> {
    cells_of_lines(lines, format).map(TextRows::of_rows)
}

/// The cells of lines that are all equally long.
fn cells_of_lines(lines: &[Vec<(char, Span)>], format: &Format) -> Option<Vec<Vec<Cell>>> {
    let (rows, length) = (lines.len(), lines.first()?.len());
    if length < 2 || rows < 2 || lines.iter().any(|line| line.len() != length) {
        return None;
    }
    let is_blank = |x: usize| lines.iter().all(|line| line[x].0 == ' ');
    // Cells with a space between each two.
    let apart = length % 2 == 1 && (1..length).step_by(2).all(is_blank);
    if apart && lines.iter().all(|line| line.iter().step_by(2).all(|(c, _)| *c != ' ')) {
        return None;
    }
    let (start, step) = match format.sizes {
        Sizes::Fixed(n) => {
            let n = usize::from(n);
            // Lines may be indented, all by the same.
            let packed = length.checked_sub(n).filter(|&indent| (0..indent).all(is_blank));
            let spaced = length
                .checked_sub(2 * n - 1)
                .filter(|&indent| (0..indent).all(is_blank) && (indent + 1..length).step_by(2).all(is_blank));
            match (packed, spaced) {
                _ if rows != n => return None,
                (_, Some(indent)) => (indent, 2),
                (Some(indent), None) => (indent, 1),
                (None, None) => return None,
            }
        }
        Sizes::UpTo { max, .. } if rows <= max.into() => {
            let indent = length.checked_sub(rows).filter(|&indent| (0..indent).all(is_blank));
            match apart {
                true if length.div_ceil(2) == rows => (0, 2),
                true if length != rows => return None,
                _ if length <= max.into() => (0, 1),
                _ => (indent?, 1),
            }
        }
        _ => return None,
    };
    let cell = |&(c, span): &(char, Span)| Cell { content: CellContent::Letter(c), span };
    Some(lines.iter().map(|line| line[start..].iter().step_by(step).map(cell).collect()).collect())
}
