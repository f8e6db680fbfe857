//! The size of a board: from `size`, from its rows, or the default.

use crate::board::game_format::{Format, Sizes};
use crate::board::model::Size;
use cpz_text::diagnostic::{Code, Finding, Fix, Span};

/// The value of a `size` property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeValue {
    /// Columns as written: may be beyond all limits.
    pub columns: u32,
    /// Rows as written.
    pub rows: u32,
    /// The span of the value.
    pub span: Span,
    /// Whether the property is in the puzzle. A default of the file applies only to boards that it fits.
    pub own: bool,
}

impl SizeValue {
    /// Reads `5` or `5x6`: columns, then rows.
    pub fn parse(text: &str, span: Span, own: bool) -> Option<SizeValue> {
        let number = |s: &str| {
            let digits = !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
            digits.then(|| s.parse::<u32>().unwrap_or(u32::MAX))
        };
        let (columns, rows) = match text.split_once(['x', 'X', '×', '*']) {
            Some((c, r)) => (number(c)?, number(r)?),
            None => (number(text)?, number(text)?),
        };
        Some(SizeValue { columns, rows, span, own })
    }

    /// The size, if the boards of a game can have it.
    ///
    /// # Errors
    /// A `board-shape` finding with the sizes that the game has.
    pub fn check(self, format: &Format) -> Result<Size, Finding> {
        let game = format.game;
        let bad = |message: String| Err(Finding::new(Code::BoardShape, self.span, message));
        let (c, r) = (self.columns, self.rows);
        match format.sizes {
            Sizes::Fixed(n) if c == u32::from(n) && r == u32::from(n) => Ok(Size::flat(n, n)),
            Sizes::Fixed(n) => bad(format!("a {game} board is {n}×{n}")),
            Sizes::Cube(min, max) if c == r && (min.into()..=max.into()).contains(&c) => {
                Ok(Size { w: c as u8, h: c as u8, d: c as u8 })
            }
            Sizes::Cube(min, max) => bad(format!("a {game} board is n×n×n with n from {min} to {max}")),
            Sizes::UpTo { max, .. }
                if c >= 1 && r >= 1 && c <= max.into() && r <= max.into() && c * r >= 2 =>
            {
                Ok(Size::flat(c as u8, r as u8))
            }
            Sizes::UpTo { max, .. } => bad(format!("a {game} board is between 1×2 and {max}×{max}")),
        }
    }
}

/// The arrangement of the cells of a board in the text.
pub(super) enum Layout {
    /// Cells in one run, without rows: their number.
    Flat(usize),
    /// Rows from the top down: the number of cells and the span of each.
    Rows(Vec<(usize, Span)>),
    /// The rows of all levels, from the top level down, and the number of rows of each level.
    Levels(Vec<(usize, Span)>, Vec<usize>),
}

impl Layout {
    /// The same layout without some cells. A row that loses all of its cells is none, except within levels.
    pub(super) fn without(&self, cells: &[Span]) -> Layout {
        let within = |row: &Span| cells.iter().filter(|c| row.start <= c.start && c.end <= row.end).count();
        let shorter = |rows: &[(usize, Span)]| -> Vec<(usize, Span)> {
            rows.iter().map(|(n, row)| (n.saturating_sub(within(row)), *row)).collect()
        };
        match self {
            Layout::Flat(n) => Layout::Flat(n.saturating_sub(cells.len())),
            Layout::Rows(rows) => {
                let all = shorter(rows);
                Layout::Rows(
                    all.into_iter().zip(rows).filter(|(a, b)| a.0 > 0 || b.0 == 0).map(|(a, _)| a).collect(),
                )
            }
            Layout::Levels(rows, levels) => Layout::Levels(shorter(rows), levels.clone()),
        }
    }
}

/// The integer root of `n`, if `n` is such a power.
fn root(n: usize, power: u32) -> Option<u8> {
    (1..=100u8).find(|&r| (r as usize).pow(power) == n)
}

/// The size of a board from its layout and the `size` property; every contradiction is a finding.
pub(super) fn resolve(
    format: &Format,
    layout: &Layout,
    size: Option<SizeValue>,
    span: Span,
    findings: &mut Vec<Finding>,
) -> Option<Size> {
    let before = findings.len();
    let stated = match size.map(|s| s.check(format)) {
        Some(Ok(s)) => Some(s),
        Some(Err(e)) if size.is_some_and(|s| s.own) => {
            findings.push(e);
            None
        }
        _ => None,
    };
    // A default of the file applies only to boards that it fits.
    let fits =
        |s: &Size| size.is_some_and(|v| v.own) || !matches!(layout, Layout::Flat(n) if *n != s.cells());
    let stated = stated.filter(fits);
    let found = match format.sizes {
        Sizes::Cube(min, max) => cube(format, layout, (min, max), span, findings),
        Sizes::Fixed(n) => {
            let wanted = n as usize;
            let shown = plane(format, layout, Some(Size::flat(n, n)), span, findings)?;
            if (shown.0, shown.1) != (wanted, wanted) {
                let game = format.game;
                let message = match (shown, layout) {
                    ((cells, 1), Layout::Flat(_)) => {
                        format!("{cells} cells are written; a {game} board has {}", wanted * wanted)
                    }
                    ((w, h), _) if w == wanted => {
                        format!("{h} row{} of cells, where a {game} board has {n}", plural(h))
                    }
                    ((w, h), _) => {
                        format!(
                            "this board is {w} square{} wide and {h} high; a {game} board is {n}×{n}",
                            plural(w)
                        )
                    }
                };
                findings.push(Finding::new(Code::BoardShape, span, message));
            }
            Some(Size::flat(n, n))
        }
        Sizes::UpTo { max, .. } => {
            let (w, h) = plane(format, layout, stated, span, findings)?;
            if w > max.into() || h > max.into() || w * h < 2 {
                let message = format!(
                    "this board is {w} square{} wide and {h} high; a {} board is between 1×2 and {max}×{max}{}",
                    plural(w),
                    format.game,
                    if h == 1 { "; write each row on a line of its own" } else { "" }
                );
                findings.push(Finding::new(Code::BoardShape, span, message));
                return None;
            }
            Some(Size::flat(w as u8, h as u8))
        }
    };
    if let (Some(found), Some(stated), Some(value)) = (found, stated, size)
        && found != stated
        && value.own
        && findings.len() == before
    {
        let message = format!("`size` says {stated}, but the board shows {found}");
        let shown = if found.w == found.h { found.w.to_string() } else { format!("{}x{}", found.w, found.h) };
        let fix = Fix::new(format!("make it `{shown}` (if no row is missing)"), value.span, shown, false);
        findings
            .push(Finding::new(Code::BoardShape, value.span, message).related(span, "the board").fix(fix));
    }
    (findings.len() == before).then_some(found).flatten()
}

/// Columns and rows of a board of one level.
fn plane(
    format: &Format,
    layout: &Layout,
    stated: Option<Size>,
    span: Span,
    findings: &mut Vec<Finding>,
) -> Option<(usize, usize)> {
    match layout {
        Layout::Flat(n) => {
            if let Some(size) = stated {
                if size.cells() != *n {
                    let cells = if *n == 1 { "1 cell is".into() } else { format!("{n} cells are") };
                    let message = format!("{cells} written; a board of {size} has {}", size.cells());
                    findings.push(Finding::new(Code::BoardShape, span, message));
                    return None;
                }
                return Some((size.w.into(), size.h.into()));
            }
            Some(root(*n, 2).map_or((*n, 1), |r| (r.into(), r.into())))
        }
        Layout::Rows(rows) => ragged(rows, None, findings).map(|w| (w, rows.len())),
        Layout::Levels(..) => {
            let message =
                format!("these lists are nested too deep for a {} board: it has rows of cells", format.game);
            findings.push(Finding::new(Code::BoardShape, span, message));
            None
        }
    }
}

/// The most frequent length; the greatest of several that are equally frequent.
fn commonest(lengths: impl Iterator<Item = usize> + Clone) -> Option<usize> {
    lengths.clone().max_by_key(|&n| (lengths.clone().take(100).filter(|&m| m == n).count(), n))
}

/// What the second half of a row that is broken in two is called.
const OTHER_PART: &str = "the other part";

/// Adds the fix for the row of a text that is broken over two lines, if nothing is written between them.
pub(super) fn join_broken_row(finding: &mut Finding, text: &str) {
    if let Some(other) = finding.related.first().filter(|related| related.message == OTHER_PART) {
        let gap = Span::new(finding.span.end, other.span.start);
        if text[gap.range()].chars().all(char::is_whitespace) {
            finding.fixes.push(Fix::new("put both parts in one line", gap, " ", false));
        }
    }
}

/// The most frequent length of rows. Rows of another length are findings. `levels` has the number of rows of each
/// level.
fn ragged(rows: &[(usize, Span)], levels: Option<&[usize]>, findings: &mut Vec<Finding>) -> Option<usize> {
    let usual = commonest(rows.iter().map(|r| r.0))?;
    let before = findings.len();
    let mut odd = rows.iter().enumerate().filter(|(_, r)| r.0 != usual).peekable();
    while let Some((i, &(n, span))) = odd.next() {
        if findings.len() == before + 10 {
            break;
        }
        let name = row_name(i, levels);
        // A row that is broken in two, or a cell that slipped into the next row, is one mistake.
        let next = odd.next_if(|&(j, r)| j == i + 1 && usual > 0 && (r.0 + n).is_multiple_of(usual));
        findings.push(match next {
            Some((j, &(m, other))) if n + m == usual => {
                let message = format!(
                    "{name} has {n} cell{} and row {} has {m}; together they are one row of {usual}",
                    plural(n),
                    row_name(j, levels).trim_start_matches("row "),
                );
                Finding::new(Code::BoardShape, span, message).related(other, OTHER_PART)
            }
            Some((j, &(m, other))) => {
                let message = format!("{name} has {n} cell{}, the others have {usual}", plural(n));
                let what = format!("{} has {m}", row_name(j, levels));
                Finding::new(Code::BoardShape, span, message).related(other, what)
            }
            None => {
                let message = format!("{name} has {n} cell{}, the others have {usual}", plural(n));
                Finding::new(Code::BoardShape, span, message)
            }
        });
    }
    (findings.len() == before).then_some(usual)
}

/// The spans of the rows of another length than most.
pub(super) fn odd_rows(layout: &Layout) -> Vec<Span> {
    let (Layout::Rows(rows) | Layout::Levels(rows, _)) = layout else { return Vec::new() };
    let Some(usual) = commonest(rows.iter().map(|r| r.0)) else { return Vec::new() };
    rows.iter().filter(|r| r.0 != usual).map(|r| r.1).collect()
}

/// `row 3`, or `row 3 of level 2`: both numbers from 1, counted from the top.
fn row_name(mut i: usize, levels: Option<&[usize]>) -> String {
    for (level, &rows) in levels.unwrap_or_default().iter().enumerate() {
        if i < rows {
            return format!("row {} of level {}", i + 1, level + 1);
        }
        i -= rows;
    }
    format!("row {}", i + 1)
}

fn plural(n: usize) -> &'static str {
    if n == 1 { "" } else { "s" }
}

/// Reports the levels whose number of rows differs from the most frequent one.
fn uneven(rows: &[(usize, Span)], levels: &[usize], findings: &mut Vec<Finding>) -> Option<()> {
    let usual = commonest(levels.iter().copied())?;
    let before = findings.len();
    let mut first = 0;
    for (i, &n) in levels.iter().enumerate() {
        let of_level = &rows[first..first + n];
        first += n;
        if let ([(_, start), ..], [.., (_, end)], true) = (of_level, of_level, n != usual)
            && findings.len() < before + 10
        {
            let message = format!("level {} has {n} row{}, the others have {usual}", i + 1, plural(n));
            findings.push(Finding::new(Code::BoardShape, start.cover(*end), message));
        }
    }
    (findings.len() == before).then_some(())
}

/// The size of a cube from its cells.
fn cube(
    format: &Format,
    layout: &Layout,
    (min, max): (u8, u8),
    span: Span,
    findings: &mut Vec<Finding>,
) -> Option<Size> {
    let (total, rows, levels) = match layout {
        Layout::Flat(n) => (*n, None, None),
        Layout::Rows(rows) => (rows.iter().map(|r| r.0).sum(), Some(rows), None),
        Layout::Levels(rows, levels) => (rows.iter().map(|r| r.0).sum(), Some(rows), Some(levels)),
    };
    if let Some(rows) = rows
        && rows.len() > 1
    {
        ragged(rows, levels.map(Vec::as_slice), findings)?;
    }
    if let (Some(rows), Some(levels)) = (rows, levels) {
        uneven(rows, levels, findings)?;
    }
    let side = root(total, 3).filter(|n| (min..=max).contains(n));
    let Some(n) = side else {
        let message =
            format!("{total} cells are shown; a {} board has n×n×n with n from {min} to {max}", format.game);
        findings.push(Finding::new(Code::BoardShape, span, message));
        return None;
    };
    let side = n as usize;
    // A row has n cells, or the n×n cells of a level: the reading order is the same.
    let rows_fit = rows.is_none_or(|r| r.len() == 1 || r[0].0 == side || r[0].0 == side * side);
    let levels_fit = levels.is_none_or(|l| l.len() == side && l.iter().all(|&k| k == l[0]));
    if !rows_fit || !levels_fit {
        let message = format!("a {n}×{n}×{n} board has {n} levels of {n} rows of {n} cells");
        findings.push(Finding::new(Code::BoardShape, span, message));
        return None;
    }
    Some(Size { w: n, h: n, d: n })
}
