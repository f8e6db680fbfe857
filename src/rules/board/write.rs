//! A board → text in any format.

use crate::board::fen_pdn::{write_fen, write_pdn};
use crate::board::game_format::{Format, Notation};
use crate::board::model::{Board, Colour, Piece, Square};
use crate::board::rights::Rights;

/// A format to write in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// Rows of letters.
    Text,
    /// Nested lists of letters.
    List,
    /// Nested lists of numbers.
    Numbers,
    /// Pieces with their squares.
    Coordinates,
    /// The game's one-line notation.
    Fen,
}

impl Target {
    /// All formats.
    pub const ALL: [Target; 5] =
        [Target::Text, Target::List, Target::Numbers, Target::Coordinates, Target::Fen];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        ["text", "list", "numbers", "coordinates", "fen"][self as usize]
    }
}

/// The layout of a written board.
#[derive(Clone, Debug)]
pub struct Style {
    /// The number of the first column, row and level in coordinates: 0 or 1.
    pub origin: u8,
    /// The side to move, for FEN and PDN.
    pub turn: Colour,
    /// A line break and the indentation of rows.
    pub line: String,
    /// Whether each row gets a line of its own, even if one line shows the board too.
    pub spread: bool,
    /// The empty cell; `None` for [`Format::empty`].
    pub empty: Option<char>,
}

/// The text after the keyword `board`; `None` if the game does not have the format. Not every text shows the size
/// of the board: it may need a `size` property.
pub fn write(board: &Board, format: &Format, target: Target, style: &Style) -> Option<String> {
    match target {
        Target::Text => Some(text(board, format, style)),
        Target::List if format.is_cube() => Some(cube_rows(board, format, style)),
        Target::List => Some(matrix(board, style, |p| match p {
            Some(p) => format!("'{}'", format.letter(p)),
            None => format!("'{}'", style.empty.unwrap_or(format.empty)),
        })),
        Target::Numbers => Some(matrix(board, style, |p| p.map_or(0, |p| format.number(p)).to_string())),
        Target::Coordinates => {
            let entries: Vec<String> =
                board.pieces().map(|(s, p)| entry(s, p, format, style.origin)).collect();
            Some(format!("[{}]", entries.join(", ")))
        }
        Target::Fen => match format.notation {
            Notation::None => None,
            Notation::Fen => Some(format!("{} 0 1", write_fen(board, format, style.turn, Rights::default()))),
            Notation::Pdn => Some(format!("\"{}\"", write_pdn(board, style.turn))),
        },
    }
}

/// The rows from the top row of the top level, each from the left.
fn rows(board: &Board) -> impl Iterator<Item = impl Iterator<Item = Option<Piece>> + '_> + '_ {
    let size = board.size;
    let levels = (0..size.d).rev();
    levels.flat_map(move |z| {
        (0..size.h).rev().map(move |y| (0..size.w).map(move |x| board.at(Square { x, y, z })))
    })
}

fn text(board: &Board, format: &Format, style: &Style) -> String {
    let letter = |p: Option<Piece>| p.map_or(style.empty.unwrap_or(format.empty), |p| format.letter(p));
    let size = board.size;
    let square = size.w == size.h;
    let mut out = String::new();
    if !style.spread && (square || size.h == 1) {
        rows(board).for_each(|row| out.extend(row.map(letter)));
        return out;
    }
    let line = &style.line;
    for (i, row) in rows(board).enumerate() {
        if size.d > 1 && i > 0 && i % size.h as usize == 0 {
            out.push_str(&line[..line.len() - line.trim_start_matches(['\r', '\n']).len()]);
        }
        out.push_str(line);
        for (j, p) in row.enumerate() {
            if j > 0 && size.d == 1 {
                out.push(' ');
            }
            out.push(letter(p));
        }
    }
    out
}

/// Nested lists: rows; in chess3d levels of rows.
fn matrix(board: &Board, style: &Style, cell: impl Fn(Option<Piece>) -> String) -> String {
    let rows: Vec<String> =
        rows(board).map(|r| format!("[{}]", r.map(&cell).collect::<Vec<_>>().join(", "))).collect();
    // Rows are aligned behind `board [`, whose line is indented by two spaces less than rows are.
    let gap = if style.spread { format!(",{}     ", style.line) } else { ", ".into() };
    if board.size.d == 1 {
        return format!("[{}]", rows.join(&gap));
    }
    let levels: Vec<String> =
        rows.chunks(board.size.h as usize).map(|l| format!("[{}]", l.join(", "))).collect();
    format!("[{}]", levels.join(&gap))
}

/// The form of source 003: `[###,n##,#rr],[…],[…]`, levels from the top down.
fn cube_rows(board: &Board, format: &Format, style: &Style) -> String {
    let letter = |p: Option<Piece>| p.map_or(style.empty.unwrap_or(format.empty), |p| format.letter(p));
    let rows: Vec<String> = rows(board).map(|r| r.map(letter).collect()).collect();
    let levels: Vec<String> =
        rows.chunks(board.size.h as usize).map(|l| format!("[{}]", l.join(","))).collect();
    let gap = if style.spread { format!(",{}", style.line) } else { ", ".into() };
    levels.join(&gap)
}

fn entry(s: Square, p: Piece, format: &Format, origin: u8) -> String {
    let numbers = numbers(s, origin, format.is_cube());
    match format.coloured {
        false => format!("[{}, '{}']", numbers.join(", "), p.kind.letter()),
        true => {
            let colour = if p.colour == Colour::White { 'W' } else { 'B' };
            format!("[\"{colour}\",\"{}\",{}]", p.kind.letter(), numbers.join(","))
        }
    }
}

fn numbers(s: Square, origin: u8, cube: bool) -> Vec<String> {
    let all = [s.x, s.y, s.z];
    all[..if cube { 3 } else { 2 }].iter().map(|n| (n + origin).to_string()).collect()
}

/// A square in numbers: `[3,0]`, counted from `origin`.
pub fn write_square(s: Square, origin: u8, cube: bool) -> String {
    format!("[{}]", numbers(s, origin, cube).join(","))
}
