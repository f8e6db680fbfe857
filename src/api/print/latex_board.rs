//! A board as the package `chess-problem-diagrams` draws it.
//!
//! Chess pieces are those of the package. Men of draughts are its discs, and their kings its queens; the levels of chess3d
//! stand side by side on one board whose other squares are blank.

use std::fmt::Write;

use crate::print::latex_text::tex;
use crate::print::sheet::Diagram;
use crate::print::words::Words;
use cpz_rules::board::{Colour, Kind, Notation, Piece, Square, level_name};

/// A board in the commands of the package.
pub(crate) struct Board {
    /// Columns and rows.
    pub size: (usize, usize),
    /// The size of its squares and what else comes before the pieces, in lines.
    pub setup: String,
    /// `\pieces[1+2]{wKa1, sKh8, sBe4}`
    pub pieces: String,
    /// What a piece means that stands for another one.
    pub remark: Option<String>,
}

/// Points in a millimetre.
const POINTS: f64 = 2.845;
/// The widths of the frame around a board on both sides, without and with the names of files and ranks, in points.
const FRAME: f64 = 7.6;
const LEGEND: f64 = 34.0;
/// The sizes in which the fonts of the package are drawn: the sides of their squares in points. Metafont cannot draw them
/// in all others.
const FONTS: [u8; 15] = [6, 7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 20, 24, 32, 36];
/// The package sets short remarks in columns of four squares.
const LEAST_COLUMNS: usize = 4;
/// The columns that the package has letters for.
const MOST_COLUMNS: usize = 26;

/// The board of a diagram, whose longer side is `side` millimetres.
pub(crate) fn board(diagram: &Diagram, side: f64, coordinates: bool, words: &Words) -> Board {
    let is_cube = diagram.format.is_cube();
    let levels = Levels::of(diagram);
    let size = levels.size();
    let longest = size.0.max(size.1);
    let frame = if coordinates && !is_cube { LEGEND } else { FRAME };
    let square = (side * POINTS - frame) / longest.max(LEAST_COLUMNS) as f64;
    let font = FONTS.iter().rev().find(|&&font| f64::from(font) <= square).unwrap_or(&FONTS[0]);
    // The texts are as wide as so many squares: narrow boards stand in the middle.
    let wide = longest.max(LEAST_COLUMNS).max(((side * POINTS - frame) / f64::from(*font)) as usize);
    let mut setup = format!("  \\squares{{{wide}}}{{{font}}}\n");
    if is_cube {
        setup.push_str(&levels.drawn());
    }
    let pieces = pieces(diagram, &levels);
    let has_kings = diagram.board.pieces().any(|(_, piece)| piece.kind == Kind::King);
    let is_draughts = diagram.format.notation == Notation::Pdn;
    let remark =
        (is_draughts && has_kings).then(|| format!("\\wD{{}}\\sD{{}} = {}", tex(words.draughts_king)));
    Board { size, setup, pieces, remark }
}

fn pieces(diagram: &Diagram, levels: &Levels) -> String {
    let is_draughts = diagram.format.notation == Notation::Pdn;
    let mut groups: Vec<(String, String)> = Vec::new();
    let mut all: Vec<(Square, Piece)> = diagram.board.pieces().collect();
    all.sort_by_key(|&(square, piece)| (piece.colour == Colour::Black, piece.kind, square));
    for (square, piece) in all {
        let colour = if piece.colour == Colour::White { 'w' } else { 's' };
        let name = format!("{colour}{}", letter(piece.kind, is_draughts));
        let place = levels.place(square);
        match groups.last_mut().filter(|group| group.0 == name) {
            Some(group) => group.1.push_str(&place),
            None => groups.push((name, place)),
        }
    }
    let list: Vec<String> = groups.into_iter().map(|(name, places)| name + &places).collect();
    // The package counts, and says so if a man is missing.
    let men = diagram.form.as_ref().map(|form| form.men.trim_matches(['(', ')']));
    let checked = men.map(|men| format!("[{men}]")).unwrap_or_default();
    format!("\\pieces{checked}{{{}}}", list.join(", "))
}

/// The letter of a piece in the package, which is that of German problemists.
fn letter(kind: Kind, is_draughts: bool) -> char {
    match kind {
        Kind::King if is_draughts => 'D',
        Kind::King => 'K',
        Kind::Queen => 'D',
        Kind::Rook => 'T',
        Kind::Bishop => 'L',
        Kind::Knight => 'S',
        Kind::Pawn => 'B',
        Kind::Man => 'C',
    }
}

/// How the levels of a board stand on the one that is drawn.
struct Levels {
    files: usize,
    ranks: usize,
    count: usize,
    across: usize,
    /// The blank columns and rows between levels: an even step keeps the colours of the squares.
    gap: usize,
}

impl Levels {
    fn of(diagram: &Diagram) -> Levels {
        let size = diagram.board.size;
        let (files, ranks, count) = (usize::from(size.w), usize::from(size.h), usize::from(size.d));
        let gap = if files % 2 == 0 { 2 } else { 1 };
        let fits = (MOST_COLUMNS + gap) / (files + gap);
        // As square as it can be.
        let across = (1..).find(|n| n * n >= count).unwrap_or(1).clamp(1, fits.max(1));
        Levels { files, ranks, count, across, gap }
    }

    fn down(&self) -> usize {
        self.count.div_ceil(self.across)
    }

    fn size(&self) -> (usize, usize) {
        match self.count {
            1 => (self.files, self.ranks),
            _ => (self.across * (self.files + self.gap) - self.gap, self.down() * (self.ranks + self.gap)),
        }
    }

    /// The column and row of the first square of a level. The highest level comes first; its name stands below it.
    fn corner(&self, level: usize) -> (usize, usize) {
        if self.count == 1 {
            return (0, 0);
        }
        let nth = self.count - 1 - level;
        let (column, row) = (nth % self.across, self.down() - 1 - nth / self.across);
        (column * (self.files + self.gap), row * (self.ranks + self.gap) + self.gap)
    }

    fn place(&self, square: Square) -> String {
        let (x, y) = self.corner(usize::from(square.z));
        named(x + usize::from(square.x), y + usize::from(square.y))
    }

    /// The frames and names of the levels, and the squares between them.
    fn drawn(&self) -> String {
        let (mut lines, mut names) = (Vec::new(), Vec::new());
        let (columns, rows) = self.size();
        let mut is_board = vec![false; columns * rows];
        for level in 0..self.count {
            let (x, y) = self.corner(level);
            for edge in [x, x + self.files] {
                lines.push(format!("v{{{edge}}}{{{y}}}{{{}}}", self.ranks));
            }
            for edge in [y, y + self.ranks] {
                lines.push(format!("h{{{x}}}{{{edge}}}{{{}}}", self.files));
            }
            let name = level_name(u8::try_from(level).unwrap_or(u8::MAX));
            names.push(format!("{{\\small {name}}}{}", named(x, y - 1)));
            for row in y..y + self.ranks {
                is_board[row * columns + x..][..self.files].fill(true);
            }
        }
        let mut blank = String::new();
        for (i, _) in is_board.iter().enumerate().filter(|(_, is_board)| !**is_board) {
            let _ = write!(
                blank,
                "{}{}",
                if blank.is_empty() { "" } else { ", " },
                named(i % columns, i / columns)
            );
        }
        format!(
            "  \\levels\\nofields{{{blank}}}\n  \\gridlines{{{}}}\n  \\fieldtext{{{}}}\n",
            lines.join(", "),
            names.join(", ")
        )
    }
}

/// A square by its column and row: `a1`, `b{12}`.
fn named(column: usize, row: usize) -> String {
    let file = char::from(b'a' + u8::try_from(column).unwrap_or(0).min(25));
    match row + 1 {
        rank @ 1..=9 => format!("{file}{rank}"),
        rank => format!("{file}{{{rank}}}"),
    }
}
