//! Where diagrams stand: the pages, their rows, and the one size that all boards of a sheet have.
//!
//! A row is never split. Its height follows from its texts, so a page with a long text has fewer rows, and the boards stay
//! as large as they are. Heights are estimated a little too large: a page that is full on paper has been full here.

use std::ops::Range;

use crate::print::sheet::{Diagram, GAP_X, GAP_Y, Placement, ROOM, SheetOptions};

/// Millimetres in a point.
const POINT: f64 = 0.3528;
/// What stands above and below the text of a diagram, in millimetres.
const AROUND: f64 = 3.0;

/// How a program that sets a sheet sets its text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Setting {
    /// The height of a line, in sizes of the text.
    pub line: f64,
    /// The mean width of a letter, in sizes of the text.
    pub letter: f64,
    /// Whether the text is only as wide as the board, and not as its column.
    pub is_narrow: bool,
    /// The share of its row that a board has at least, however long the texts are.
    pub least_board: f64,
}

/// The sizes of a sheet in millimetres, and its pages.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Layout {
    /// How many diagrams stand side by side.
    pub columns: usize,
    /// The width of a diagram with its text.
    pub width: f64,
    /// The side of all boards.
    pub board: f64,
    /// The pages.
    pub pages: Vec<Page>,
}

/// A page of diagrams.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Page {
    /// The indices of the diagrams of each row.
    pub rows: Vec<Range<usize>>,
    /// Whether it has as many rows as a page can have: they are spread over all of it.
    pub is_full: bool,
}

impl Layout {
    /// The layout of some diagrams.
    pub(crate) fn of(diagrams: &[Diagram], options: &SheetOptions, setting: Setting) -> Layout {
        let (columns, rows) = options.grid();
        let (width, height) = options.paper.inner();
        let (across, down) = (f64::from(columns), f64::from(rows));
        let width = (width - (across - 1.0) * GAP_X) / across;
        let share = (height - (down - 1.0) * GAP_Y) / down;
        let text_size = POINT * options.text_size();
        let least = setting.least_board * share;
        let text_width = if setting.is_narrow { least.min(width) } else { width };
        let letters = text_width / (setting.letter * text_size);
        let below = |lines: u32| {
            let text = f64::from(lines) * setting.line * text_size;
            AROUND + text + f64::from(options.room()) * ROOM
        };
        let rows_of = rows_of(diagrams.len(), usize::from(options.per_page.max(1)), usize::from(columns));
        // Boards stand side by side, so a row is as high as its longest head and its longest foot.
        let lines_of = |row: &Range<usize>| {
            let own = || diagrams[row.clone()].iter();
            let label = options.language.words().difficulty;
            let head = own().map(|diagram| head_lines(diagram, label, letters)).max().unwrap_or(0);
            head + own().map(|diagram| foot_lines(diagram, options, letters)).max().unwrap_or(0)
        };
        let lines: Vec<u32> = rows_of.iter().map(lines_of).collect();
        // The largest boards with which every page holds as many diagrams as it may. A page whose texts are too long for
        // that does not make all boards small: its last row goes on to the next page.
        let per_page = usize::from(options.per_page.max(1));
        let of_page = |(first, last): (usize, usize)| {
            let gaps = (last - first - 1) as f64 * GAP_Y;
            let texts: f64 = lines[first..last].iter().map(|&lines| below(lines)).sum();
            (height - gaps - texts) / (last - first).max(usize::from(rows)) as f64
        };
        let starts: Vec<usize> =
            (0..rows_of.len()).filter(|&i| rows_of[i].start.is_multiple_of(per_page)).collect();
        let ends = starts.iter().skip(1).copied().chain([rows_of.len()]);
        let sides: Vec<f64> = starts.iter().copied().zip(ends).map(of_page).collect();
        let board = common_side(&sides, least).min(width);
        let heights: Vec<f64> = lines.iter().map(|&lines| board + below(lines)).collect();
        let pages = pages(&rows_of, &heights, height, options);
        Layout { columns: usize::from(columns), width, board, pages }
    }
}

/// The smallest of the sides that the boards of each page may have. A page whose boards would be much smaller than those of
/// most pages does not count.
fn common_side(sides: &[f64], least: f64) -> f64 {
    let mut sorted = sides.to_vec();
    sorted.sort_by(f64::total_cmp);
    let usual = match sorted.len() {
        0..FEW_PAGES => 0.0,
        count => sorted[count / 2],
    };
    sorted.into_iter().find(|&side| side >= least.max(MUCH_SMALLER * usual)).unwrap_or(least)
}

/// On fewer pages than this, no page is unusual.
const FEW_PAGES: usize = 5;
/// The share of the usual side below which a board is much smaller.
const MUCH_SMALLER: f64 = 0.85;

/// The rows of a sheet. Behind as many diagrams as a page may have, a new row begins.
fn rows_of(count: usize, per_page: usize, columns: usize) -> Vec<Range<usize>> {
    let mut rows = Vec::new();
    for first in (0..count).step_by(per_page) {
        let end = count.min(first + per_page);
        rows.extend((first..end).step_by(columns).map(|start| start..end.min(start + columns)));
    }
    rows
}

/// The rows on pages: as many on each as it may have and as fit.
fn pages(rows: &[Range<usize>], heights: &[f64], height: f64, options: &SheetOptions) -> Vec<Page> {
    let most = usize::from(options.grid().1);
    let per_page = usize::from(options.per_page.max(1));
    let mut pages: Vec<Page> = Vec::new();
    let (mut used, mut count) = (0.0, 0);
    for (row, &own) in rows.iter().zip(heights) {
        let fits = used + GAP_Y + own <= height + ROUNDING && count + row.len() <= per_page;
        match pages.last_mut().filter(|page| fits && page.rows.len() < most) {
            Some(page) => {
                page.rows.push(row.clone());
                (used, count) = (used + GAP_Y + own, count + row.len());
            }
            None => {
                pages.push(Page { rows: vec![row.clone()], is_full: false });
                (used, count) = (own, row.len());
            }
        }
    }
    for page in &mut pages {
        page.is_full = page.rows.len() == most;
    }
    pages
}

/// What sums of heights may be off by.
const ROUNDING: f64 = 0.01;

/// How many lines some texts take where a line has so many letters.
fn wrapped<'a>(texts: impl IntoIterator<Item = &'a str>, letters: f64) -> u32 {
    let one = |text: &str| (text.chars().count() as f64 / letters).ceil().max(1.0) as u32;
    texts.into_iter().map(one).sum()
}

/// How many lines a text of long parts takes, which are not broken.
fn filled(text: &str, letters: f64) -> u32 {
    let (mut lines, mut used) = (1, 0.0);
    for part in text.split(' ').map(|part| part.chars().count() as f64) {
        if used > 0.0 && used + 1.0 + part > letters {
            (lines, used) = (lines + 1, 0.0);
        }
        used += part + 1.0;
        lines += ((used - 1.0) / letters).ceil().max(1.0) as u32 - 1;
        used = used.min(letters);
    }
    lines
}

/// The lines above a board. The number, the name and the difficulty share the first one.
fn head_lines(diagram: &Diagram, label: &str, letters: f64) -> u32 {
    let difficulty = match diagram.difficulty.as_str() {
        "" => String::new(),
        difficulty => format!("{label}: {difficulty}"),
    };
    let first = format!("{} {difficulty}     ", diagram.name);
    let credits = diagram.credits.lines().map(String::as_str);
    wrapped([first.as_str()], letters * 0.9) + wrapped(credits, letters)
}

/// The lines below a board.
fn foot_lines(diagram: &Diagram, options: &SheetOptions, letters: f64) -> u32 {
    let mut asked = diagram.asked_in_words(options.form);
    let mut count = 0;
    if let Some(form) = &diagram.form {
        // The first question stands behind the signs, or below them where it is too long for that.
        let first = if asked.is_empty() { "" } else { asked.remove(0) };
        let (line, beside) = (form.line(), letters - form.men.len() as f64 - 2.0);
        count += match wrapped([format!("{line}   {first}").as_str()], beside) {
            1 => 1,
            _ => wrapped([line.as_str()], beside) + wrapped([first], letters),
        };
        count += wrapped(form.conditions.iter().map(String::as_str), letters);
        count += form.twins.iter().map(|twins| filled(twins, letters)).sum::<u32>();
    }
    count += wrapped(asked, letters);
    if options.solutions == Placement::Below {
        count += wrapped(diagram.solution_lines().iter().map(|line| line.text), letters);
    }
    if options.hints == Placement::Below {
        count += wrapped(diagram.hints.iter().map(String::as_str), letters);
    }
    count
}
