//! Text boards of solitaire chess: rows of letters, parted by blank lines, with a line of text above as a name.

mod lines;

use crate::import::entry::{BoardText, Entry};
use crate::import::notice::Item;
use crate::import::reader::{ImportOptions, Reader};
use crate::import::record::{Boundary, Record};
use cpz_rules::board::Kind;
use cpz_text::syntax::GameId;
use lines::{Cell, Letters, Line, Slip, has_bars, read_line};

/// The longest side of a board.
const MAX_SIDE: usize = 8;
/// The longest name, in characters; a longer text is a comment.
const MAX_NAME: usize = 80;

/// The reader.
pub(super) struct Solitaire {
    letters: Option<String>,
    /// The letters of the most rows at the beginning of the file.
    own: Letters,
    bottom_up: bool,
}

impl Solitaire {
    /// The reader of a file that begins with `head`, with what a person says about it.
    pub fn new(head: &str, options: &ImportOptions) -> Solitaire {
        let rows = |letters| head.split("\n\n").map(|text| row_count(&blocks(text, letters))).sum();
        let own = most(Letters::told_apart(Letters::all(), head), rows);
        Solitaire { letters: options.letters.clone(), own, bottom_up: options.bottom_up }
    }
}

impl Reader for Solitaire {
    fn boundary(&self) -> Boundary {
        Boundary::Block
    }

    fn read(&self, record: &Record) -> Vec<Item> {
        if record.text.trim().is_empty() {
            return Vec::new();
        }
        let letters = match &self.letters {
            // Other letters than those of the file are read only where they make more lines rows: a line that is none by the
            // letters of its file is rather a slip.
            None => {
                let all = [self.own].into_iter().chain(Letters::all());
                most(Letters::told_apart(all, &record.text), |letters| {
                    row_count(&blocks(&record.text, letters))
                })
            }
            Some(name) => match Letters::of(name) {
                Some(letters) => letters,
                None => {
                    let why = format!(
                        "`{name}` is no language of piece letters; write en, de, fr, es, it, nl, pl or ru"
                    );
                    return vec![Item::skipped(record, 0, why)];
                }
            },
        };
        self.items(record, letters, blocks(&record.text, letters))
    }
}

/// The first letters by which the most lines are rows.
fn most(all: Vec<Letters>, rows: impl Fn(Letters) -> usize) -> Letters {
    let mut best = (0, Letters::English);
    for (i, letters) in all.into_iter().enumerate() {
        let rows = rows(letters);
        if i == 0 || rows > best.0 {
            best = (rows, letters);
        }
    }
    best.1
}

/// The rows of some boards, whether these are whole or not.
fn row_count(blocks: &[Block]) -> usize {
    blocks.iter().map(|block| block.rows.len()).sum()
}

impl Solitaire {
    fn items(&self, record: &Record, letters: Letters, blocks: Vec<Block>) -> Vec<Item> {
        let mut items: Vec<Item> = Vec::new();
        for block in blocks {
            let board = match block.board() {
                Ok(board) => board,
                Err((at, why)) => {
                    items.push(Item::skipped(record, at, why));
                    continue;
                }
            };
            let is_chess = is_chess(&board);
            let game = if is_chess { GameId::Chess } else { GameId::Solitaire };
            let mut entry = Entry::new(game, self.board_text(&board, is_chess));
            for text in block.titles {
                match entry.name.is_none() && text.chars().count() <= MAX_NAME {
                    true => entry.name = Some(text),
                    false => entry.comments.push(text),
                }
            }
            // A single row is no square of cells.
            if board.len() == 1 {
                entry.word("size", &format!("{}x1", board[0].len()));
            }
            if self.letters.is_none() && (letters, self.own) != (Letters::English, Letters::English) {
                entry.keep("letters", &format!("the letters were read as {} ones", letters.name()));
            }
            for text in block.remarks {
                entry.keep("text", &text);
            }
            if !is_chess {
                entry.ask("solve", None);
            }
            items.push(Item::puzzle(entry));
        }
        if items.is_empty() {
            items.push(Item::skipped(
                record,
                0,
                "no board begins here: a row has piece letters and signs for empty cells",
            ));
        }
        items
    }

    fn board_text(&self, board: &[Vec<Cell>], has_colours: bool) -> BoardText {
        let letter = |cell: &Cell| match cell.kind().map(Kind::letter) {
            Some(letter) if has_colours && cell.is_small() => letter.to_ascii_lowercase(),
            letter => letter.unwrap_or('.'),
        };
        let row =
            |row: &Vec<Cell>| row.iter().map(|cell| letter(cell).to_string()).collect::<Vec<_>>().join(" ");
        let rows = board.iter().map(row);
        BoardText::Rows(if self.bottom_up { rows.rev().collect() } else { rows.collect() })
    }
}

/// Whether a board is one of chess: it has 8 by 8 cells and one king of each colour.
fn is_chess(board: &[Vec<Cell>]) -> bool {
    let kings = |is_small: bool| {
        let cells = board.iter().flatten();
        cells.filter(|cell| cell.kind() == Some(Kind::King) && cell.is_small() == is_small).count()
    };
    board.len() == 8 && board[0].len() == 8 && kings(true) == 1 && kings(false) == 1
}

/// The rows of a board with the text around them.
#[derive(Debug, Default)]
struct Block {
    /// Where its first line begins.
    at: usize,
    titles: Vec<String>,
    rows: Vec<Vec<Cell>>,
    /// Lines among its rows that look like a row and are none: where each begins, its text, and what is wrong.
    slips: Vec<(usize, String, Slip)>,
    remarks: Vec<String>,
}

/// The boards of a text: rows that follow each other, each with the text above it. Text below the last one belongs to
/// that.
fn blocks(text: &str, letters: Letters) -> Vec<Block> {
    let blanks = has_blank_cells(text, letters);
    let mut blocks: Vec<Block> = Vec::new();
    let mut titles: Vec<(usize, String)> = Vec::new();
    let (mut is_open, mut at, mut slip) = (false, 0, None);
    for line in text.split_inclusive('\n') {
        let is_blank = match blanks {
            true => line.trim_end_matches(['\r', '\n']).is_empty(),
            false => line.trim().is_empty(),
        };
        match read_line(line, letters, blanks) {
            _ if is_blank => is_open = false,
            Line::Nothing => {}
            Line::Row(cells) if is_open && !is_flat(&cells) => {
                if let Some(block) = blocks.last_mut() {
                    block.rows.push(cells);
                }
            }
            // A row alone without an empty cell is rather a word, unless it is in a frame.
            Line::Row(cells)
                if !has_bars(line)
                    && cells.iter().all(|cell| cell.sign().is_none())
                    && !goes_on(&text[at..], letters, blanks) =>
            {
                is_open = false;
                titles.extend(slip.take().map(|(at, words, _)| (at, words)));
                titles.push((at, line.trim().to_string()));
            }
            Line::Row(cells) => {
                // The row above it may have a slip.
                let slips: Vec<(usize, String, Slip)> = slip.take().into_iter().collect();
                let first = titles.first().map_or(at, |(at, _)| *at);
                let titles = titles.drain(..).map(|(_, text)| text).collect();
                is_open = !is_flat(&cells);
                blocks.push(Block { at: first, titles, rows: vec![cells], slips, remarks: Vec::new() });
            }
            Line::Text(words, wrong) => {
                let above = blocks.last().filter(|_| is_open).map(|block| &block.rows);
                let width = match above {
                    Some(rows) => rows.first().map(Vec::len),
                    None => next_row(&text[at + line.len()..], letters, blanks),
                };
                // Among rows one of another length has their empty cells.
                let mut signs = above.into_iter().flatten().flatten().filter_map(|cell| cell.sign());
                let has_sign = signs.any(|sign| words.contains(sign));
                match (wrong.filter(|slip| has_sign || width == Some(slip.cells)), blocks.last_mut()) {
                    (Some(wrong), Some(block)) if is_open => block.slips.push((at, words, wrong)),
                    (Some(wrong), _) => slip = Some((at, words, wrong)),
                    (None, _) => {
                        is_open = false;
                        titles.push((at, words));
                    }
                }
            }
        }
        at += line.len();
    }
    if let Some(last) = blocks.last_mut() {
        last.remarks.extend(titles.into_iter().map(|(_, text)| text));
    }
    blocks
}

/// Whether a text has a board, with a piece and an empty cell: rows that follow each other, whole or not, or one run of cells.
pub(super) fn has_boards(text: &str) -> bool {
    let is_board = |block: &Block| {
        let cells = || block.rows.iter().flatten();
        let has_sign = cells().any(|cell| cell.sign().is_some_and(|sign| sign != ' '));
        let has_piece = cells().any(|cell| cell.kind().is_some());
        has_sign && has_piece && (block.rows.len() > 1 || is_flat(&block.rows[0]) && block.board().is_ok())
    };
    let mut all = Letters::told_apart(Letters::all(), text).into_iter();
    all.any(|letters| blocks(text, letters).iter().any(is_board))
}

/// The cells of the row that a text begins with.
fn next_row(text: &str, letters: Letters, blanks: bool) -> Option<usize> {
    match read_line(text.lines().next()?, letters, blanks) {
        Line::Row(cells) => Some(cells.len()),
        _ => None,
    }
}

/// Whether the line behind the first one is a row too.
fn goes_on(text: &str, letters: Letters, blanks: bool) -> bool {
    text.lines().nth(1).is_some_and(|line| matches!(read_line(line, letters, blanks), Line::Row(_)))
}

/// Whether a row is a whole board in one run of cells.
fn is_flat(cells: &[Cell]) -> bool {
    cells.len() > MAX_SIDE
}

/// Whether blanks are the empty cells: no sign is one, and the letters are not simply parted by spaces.
fn has_blank_cells(text: &str, letters: Letters) -> bool {
    let mut rows = 0;
    let mut is_even = true;
    for line in text.lines() {
        let Line::Row(cells) = read_line(line, letters, false) else { continue };
        // Between bars a blank is no cell but the place around one.
        if has_bars(line) && cells.iter().all(|cell| cell.sign().is_none()) {
            continue;
        }
        if cells.iter().any(|cell| matches!(cell, Cell::Empty(_))) {
            return false;
        }
        rows += 1;
        let words: Vec<&str> = line.trim_end().split(' ').collect();
        is_even &= words.len() == cells.len() || words.len() == 1 && !line.starts_with(' ');
    }
    rows > 1 && !is_even
}

impl Block {
    /// The cells from the first row down.
    ///
    /// # Errors
    /// Why the rows are no board.
    fn board(&self) -> Result<Vec<Vec<Cell>>, (usize, String)> {
        if let Some((at, text, Slip { sign, .. })) = self.slips.first() {
            let why = format!(
                "`{sign}` in the row `{text}` is no piece letter and no empty cell; if this is text, an empty line parts it from the board"
            );
            return Err((*at, why));
        }
        self.cells().map_err(|why| (self.at, why))
    }

    /// The cells of rows without slips.
    ///
    /// # Errors
    /// Why the rows are no board.
    fn cells(&self) -> Result<Vec<Vec<Cell>>, String> {
        let mut rows = self.rows.clone();
        let is_blank_mode = rows.iter().flatten().any(|cell| *cell == Cell::Empty(' '));
        if is_blank_mode {
            let width = rows.iter().map(Vec::len).max().unwrap_or(0);
            rows.iter_mut().for_each(|row| row.resize(width, Cell::Empty(' ')));
        }
        if let [run] = &rows[..]
            && is_flat(run)
        {
            let side = (2..=MAX_SIDE).find(|side| side * side == run.len());
            let side =
                side.ok_or_else(|| format!("a row of {} cells is no board of up to 8 by 8", run.len()))?;
            rows = run.chunks(side).map(<[Cell]>::to_vec).collect();
        }
        let width = rows.first().map_or(0, Vec::len);
        if let Some(wrong) = rows.iter().position(|row| row.len() != width) {
            return Err(format!(
                "row {} has {} cells, and the first one has {width}",
                wrong + 1,
                rows[wrong].len()
            ));
        }
        if rows.len() > MAX_SIDE || width > MAX_SIDE || rows.len() * width < 2 {
            return Err(format!("a board of {width} by {} cells is beyond 1 by 2 and 8 by 8", rows.len()));
        }
        let mut signs: Vec<char> = rows.iter().flatten().filter_map(|cell| cell.sign()).collect();
        signs.sort_unstable();
        signs.dedup();
        if let [first, second, ..] = signs[..] {
            return Err(format!(
                "`{first}` and `{second}` stand for empty cells; one board has one sign for them"
            ));
        }
        match rows.iter().flatten().any(|cell| cell.kind().is_some()) {
            true => Ok(rows),
            false => Err("this board has no pieces".to_string()),
        }
    }
}
