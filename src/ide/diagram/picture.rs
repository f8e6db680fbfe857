//! A board drawn as SVG: by itself, as an interactive part of a page, or in parts that a sheet shares.

use std::fmt::Write;

use crate::diagram::letters::{LETTER_STROKE, write_word};
use crate::diagram::marks::{BoardArrow, SquareMark};
use crate::diagram::pieces::{PIECE_STROKE, shape_definition, shape_id};
use crate::diagram::theme::Theme;
use cpz_rules::board::{Board, Colour, Format, Kind, Piece, Size, Square, level_name, square_name};

/// In pixels: the side of a square, the margin for the names of files and ranks, the gap between levels.
const CELL: u32 = 40;
const MARGIN: u32 = 18;
const GAP: u32 = 14;
/// The margin of a board without names, and on the sides without them.
const EDGE: u32 = 2;
/// The width of the strip with the dot of the side to move.
const DOT_STRIP: u32 = 20;
/// How many levels of chess3d are drawn side by side.
pub const LEVELS_PER_ROW: usize = 4;

/// The most pieces that [`Picture::words`] names one by one.
const MAX_NAMED_PIECES: usize = 100;

/// How a picture looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PictureStyle {
    pub theme: Theme,
    /// Whether files and ranks are named.
    pub coordinates: bool,
    /// The side whose move a dot beside the board shows.
    pub turn: Option<Colour>,
}

impl Default for PictureStyle {
    fn default() -> PictureStyle {
        PictureStyle { theme: Theme::default(), coordinates: true, turn: None }
    }
}

/// What the background of a picture depends on: pictures with equal ones can share it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Background {
    width: u8,
    height: u8,
    levels: Vec<u8>,
    is_cube: bool,
    missing: Vec<Square>,
}

/// A board to be drawn.
#[derive(Clone, Debug)]
pub struct Picture<'a> {
    pub board: &'a Board,
    /// The format of the game; it selects the shape of kings, which is another one in draughts.
    pub format: &'a Format,
    /// The coloured squares; the last mark of a square counts.
    pub marks: Vec<(Square, SquareMark)>,
    /// Drawn above the pieces.
    pub arrows: Vec<BoardArrow>,
    /// Squares that the text lacks: hatched, without a colour.
    pub missing: &'a [Square],
    /// Pieces that have just been taken off: drawn faintly on empty squares.
    pub ghosts: &'a [(Square, Piece)],
    /// The levels to draw, from the top down.
    pub levels: Vec<u8>,
    /// How many levels are side by side, 1 or more.
    pub across: usize,
    pub style: PictureStyle,
}

impl Picture<'_> {
    /// The same picture in a style.
    pub fn in_style(self, style: PictureStyle) -> Self {
        Picture { style, ..self }
    }

    /// The same picture with another number of levels side by side, if one is given.
    pub fn with_levels_across(self, across: Option<usize>) -> Self {
        Picture { across: across.unwrap_or(self.across).clamp(1, 10), ..self }
    }

    /// A picture without elements for single squares: the squares of one colour are one path, which keeps it
    /// small. It is shown at most `max_height` pixels high.
    pub fn standalone(&self, max_height: u32) -> String {
        let (width, height) = self.size();
        let shown = height.min(max_height);
        self.whole(width * shown / height, shown)
    }

    /// The same picture, whose longer side is `side` pixels long.
    pub fn with_side(&self, side: u32) -> String {
        let (width, height) = self.size();
        let longer = width.max(height);
        let scaled = |length: u32| (length * side + longer / 2).div_euclid(longer).max(1);
        self.whole(scaled(width), scaled(height))
    }

    fn whole(&self, shown_width: u32, shown_height: u32) -> String {
        let (width, height) = self.size();
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{shown_width}\" height=\"{shown_height}\" \
             viewBox=\"0 0 {width} {height}\" {JOINS}>"
        );
        if self.style.theme == Theme::Print {
            let _ = write!(out, "<path fill=\"#ffffff\" d=\"M0 0h{width}v{height}h-{width}z\"/>");
        }
        self.definitions(&mut out);
        out.push_str(&self.background());
        out.push_str(&self.foreground());
        out + "</svg>"
    }

    /// What the background depends on, but for the style.
    pub fn background_key(&self) -> Background {
        let Size { w: width, h: height, .. } = self.board.size;
        let (levels, missing) = (self.levels.clone(), self.missing.to_vec());
        Background { width, height, levels, is_cube: self.is_cube(), missing }
    }

    /// The shapes of the pieces on the board, by id.
    pub fn shapes(&self) -> Vec<(&'static str, String)> {
        let mut kinds: Vec<Kind> = self.board.pieces().map(|(_, p)| p.kind).collect();
        kinds.extend(self.ghosts.iter().map(|(_, p)| p.kind));
        kinds.sort_unstable();
        kinds.dedup();
        let shape = |kind| (shape_id(self.format, kind), shape_definition(self.format, kind));
        kinds.into_iter().map(shape).collect()
    }

    /// The squares, the frame and the names.
    pub fn background(&self) -> String {
        let (mut out, theme) = (String::new(), self.style.theme);
        for &z in &self.levels {
            self.squares_of(&mut out, z, ("light", theme.light()), |s| !is_dark(s) && !self.is_missing(s));
            let is_drawn = |s| is_dark(s) && !self.is_missing(s);
            match theme.is_hatched() {
                true => self.hatched_squares(&mut out, z, is_drawn),
                false => self.squares_of(&mut out, z, ("dark", theme.dark()), is_drawn),
            }
            let ((left, top), (w, h)) = (self.origin(z), self.level_side());
            let colour = theme.frame();
            let _ = write!(
                out,
                "<path class=\"frame\" fill=\"none\" stroke=\"{colour}\" d=\"M{left} {top}h{w}v{h}h-{w}z\"/>"
            );
            self.names(&mut out, z);
        }
        out
    }

    /// The marks, the pieces, the arrows and the dot of the side to move.
    pub fn foreground(&self) -> String {
        let (mut out, theme) = (String::new(), self.style.theme);
        for &z in &self.levels {
            for mark in SquareMark::ALL {
                let fill = (mark.class(), mark.colour(theme));
                self.squares_of(&mut out, z, fill, |s| self.mark(s) == Some(mark));
            }
            if theme.is_hatched() {
                // The lines of a hatched square end before the piece.
                let style = format!(
                    "fill=\"#ffffff\" stroke=\"#ffffff\" color=\"#ffffff\" stroke-width=\"{HALO_STROKE}\""
                );
                let is_dark = |s| is_dark(s) && self.mark(s).is_none();
                self.pieces_of(&mut out, z, &style, |s, _| is_dark(s));
            }
            for colour in [Colour::White, Colour::Black] {
                let style = piece_style(theme, colour);
                self.pieces_of(&mut out, z, &style, |_, piece| piece.colour == colour);
            }
            self.squares(z).filter(|&s| self.is_missing(s)).for_each(|s| self.hatching(&mut out, s));
        }
        self.arrows(&mut out);
        self.dot(&mut out);
        out
    }

    /// Draws some squares of a level as one path.
    fn squares_of(&self, out: &mut String, z: u8, fill: (&str, &str), is_drawn: impl Fn(Square) -> bool) {
        let mut path = String::new();
        for s in self.squares(z).filter(|&s| is_drawn(s)) {
            let (x, y) = self.corner(s);
            let _ = write!(path, "M{x} {y}h{CELL}v{CELL}h-{CELL}z");
        }
        if !path.is_empty() {
            let (class, colour) = fill;
            let _ = write!(out, "<path class=\"{class}\" fill=\"{colour}\" d=\"{path}\"/>");
        }
    }

    /// Draws dark squares of a level as diagonal lines.
    fn hatched_squares(&self, out: &mut String, z: u8, is_drawn: impl Fn(Square) -> bool) {
        self.squares_of(out, z, ("dark", "#ffffff"), &is_drawn);
        let mut path = String::new();
        for s in self.squares(z).filter(|&s| is_drawn(s)) {
            let (x, y) = self.corner(s);
            for along in (HATCH..CELL).step_by(HATCH as usize) {
                let rest = CELL - along;
                let _ = write!(
                    path,
                    "M{x} {}l{along}-{along}M{} {}l{rest}-{rest}",
                    y + along,
                    x + along,
                    y + CELL
                );
            }
            let _ = write!(path, "M{x} {}l{CELL}-{CELL}", y + CELL);
        }
        let colour = self.style.theme.dark();
        let _ = write!(
            out,
            "<path class=\"dark\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"0.9\" stroke-linecap=\"butt\" \
             d=\"{path}\"/>"
        );
    }

    /// Draws some pieces of a level in one style.
    fn pieces_of(&self, out: &mut String, z: u8, style: &str, is_drawn: impl Fn(Square, Piece) -> bool) {
        let all = self.squares(z).filter_map(|s| Some((s, self.board.at(s)?)));
        let mut drawn = all.filter(|&(s, piece)| is_drawn(s, piece)).peekable();
        if drawn.peek().is_none() {
            return;
        }
        let _ = write!(out, "<g {style}>");
        for (s, piece) in drawn {
            let (x, y) = self.corner(s);
            let _ = write!(out, "<use href=\"#{}\" x=\"{x}\" y=\"{y}\"/>", shape_id(self.format, piece.kind));
        }
        out.push_str("</g>");
    }

    /// A picture for a page: every square is an element with its name, so that a reader can select it and a
    /// screen reader can read it. Levels have the ARIA role `grid`, ranks `row`, squares `gridcell`.
    pub fn interactive(&self) -> String {
        let (width, height) = self.size();
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" {JOINS}>"
        );
        self.definitions(&mut out);
        let (cube, theme) = (self.is_cube(), self.style.theme);
        for &z in &self.levels {
            let label = if cube { format!("level {}", level_name(z)) } else { "board".to_string() };
            out.push_str(&format!("<g role=\"grid\" class=\"level\" aria-label=\"{label}\">"));
            for y in (0..self.board.size.h).rev() {
                out.push_str("<g role=\"row\">");
                for x in 0..self.board.size.w {
                    let s = Square { x, y, z };
                    let name = square_name(s, cube);
                    let stands = match self.board.at(s) {
                        Some(piece) => self.format.called(piece),
                        None if self.is_missing(s) => "missing".to_string(),
                        None => "empty".to_string(),
                    };
                    let (left, top) = self.corner(s);
                    let mark = self.mark(s);
                    let (shade, colour) = match () {
                        () if self.is_missing(s) => ("missing", "none"),
                        () if is_dark(s) => ("dark", theme.dark()),
                        () => ("light", theme.light()),
                    };
                    let fill = mark.map_or(colour, |mark| mark.colour(theme));
                    let class = mark.map_or(String::new(), |m| format!(" marked {}", m.class()));
                    out.push_str(&format!(
                        "<g role=\"gridcell\" class=\"square {shade}{class}\" tabindex=\"-1\" data-square=\"{name}\" \
                         data-x=\"{x}\" data-y=\"{y}\" data-z=\"{z}\" aria-label=\"{name}, {stands}\">\
                         <rect x=\"{left}\" y=\"{top}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{fill}\"/>"
                    ));
                    if self.is_missing(s) {
                        self.hatching(&mut out, s);
                    }
                    out.extend(self.piece(s).or_else(|| self.ghost(s)));
                    out.push_str("</g>");
                }
                out.push_str("</g>");
            }
            out.push_str("</g>");
            self.names(&mut out, z);
        }
        self.arrows(&mut out);
        out + "</svg>"
    }

    /// The pieces in words; beyond [`MAX_NAMED_PIECES`] only their number.
    pub fn words(&self) -> String {
        if self.board.count() > MAX_NAMED_PIECES {
            return format!("A board of {} squares with {} pieces.", self.board.size, self.board.count());
        }
        let cube = self.format.is_cube();
        let mut all: Vec<(Square, Piece)> = self.board.pieces().collect();
        all.sort_by_key(|(_, p)| (p.colour == Colour::Black, p.kind));
        let parts: Vec<String> = all
            .chunk_by(|a, b| a.1 == b.1)
            .map(|same| {
                let names: Vec<String> = same.iter().map(|&(s, _)| square_name(s, cube)).collect();
                let mut called = self.format.called(same[0].1);
                if same.len() > 1 {
                    called = match called.strip_suffix("man") {
                        Some(before) => format!("{before}men"),
                        None => format!("{called}s"),
                    };
                }
                format!("{called} on {}", names.join(", "))
            })
            .collect();
        let size = self.board.size;
        match parts.is_empty() {
            true => format!("An empty board of {size} squares."),
            false => format!("A board of {size} squares: {}.", parts.join("; ")),
        }
    }

    fn is_cube(&self) -> bool {
        self.format.is_cube()
    }

    fn is_missing(&self, square: Square) -> bool {
        self.missing.contains(&square)
    }

    /// The diagonal lines of a square that the text lacks.
    fn hatching(&self, out: &mut String, square: Square) {
        let (x, y) = self.corner(square);
        out.push_str("<path class=\"hatch\" stroke=\"#8a8a8a\" stroke-width=\"1\" fill=\"none\" d=\"");
        for i in [10, 20, 30, 40] {
            out.push_str(&format!("M{x} {}L{} {y}", y + i, x + i));
        }
        for i in [10, 20, 30] {
            out.push_str(&format!("M{} {}L{} {}", x + i, y + CELL, x + CELL, y + i));
        }
        out.push_str("\"/>");
    }

    fn mark(&self, square: Square) -> Option<SquareMark> {
        self.marks.iter().rev().find(|(s, _)| *s == square).map(|m| m.1)
    }

    fn squares(&self, z: u8) -> impl Iterator<Item = Square> + use<> {
        let (w, h) = (self.board.size.w, self.board.size.h);
        (0..h).rev().flat_map(move |y| (0..w).map(move |x| Square { x, y, z }))
    }

    /// The width and height of the squares of one level.
    fn level_side(&self) -> (u32, u32) {
        (u32::from(self.board.size.w) * CELL, u32::from(self.board.size.h) * CELL)
    }

    /// The margins of a level: on the left, on top, on the right and at the bottom.
    fn margins(&self) -> [u32; 4] {
        let named = if self.style.coordinates { MARGIN } else { EDGE };
        [named, if self.is_cube() { MARGIN } else { EDGE }, EDGE, named]
    }

    /// The width and height of one level, its margins included.
    fn level(&self) -> (u32, u32) {
        let ((w, h), [left, top, right, bottom]) = (self.level_side(), self.margins());
        (left + w + right, top + h + bottom)
    }

    /// The width and height of the picture.
    pub fn size(&self) -> (u32, u32) {
        let ((w, h), d) = (self.level(), self.levels.len().max(1));
        let (across, down) = (d.min(self.across) as u32, d.div_ceil(self.across) as u32);
        let strip = if self.style.turn.is_some() { DOT_STRIP } else { 0 };
        (across * w + (across - 1) * GAP + strip, down * h + (down - 1) * GAP)
    }

    /// The top left corner of the squares of a level.
    fn origin(&self, z: u8) -> (u32, u32) {
        let ((w, h), [left, top, ..]) = (self.level(), self.margins());
        let nth = self.levels.iter().position(|&level| level == z).unwrap_or(0);
        ((nth % self.across) as u32 * (w + GAP) + left, (nth / self.across) as u32 * (h + GAP) + top)
    }

    fn corner(&self, s: Square) -> (u32, u32) {
        let (left, top) = self.origin(s.z);
        (left + u32::from(s.x) * CELL, top + u32::from(self.board.size.h - 1 - s.y) * CELL)
    }

    /// The names of files and ranks, and of the level.
    fn names(&self, out: &mut String, z: u8) {
        let ((left, top), size) = (self.origin(z), self.board.size);
        let mut path = String::new();
        let half = f64::from(CELL / 2);
        if self.is_cube() {
            let title = match (z, size.d) {
                (0, _) => format!("{} (bottom)", level_name(z)),
                (z, d) if z + 1 == d => format!("{} (top)", level_name(z)),
                _ => level_name(z).to_string(),
            };
            write_word(&mut path, &title, f64::from(left) + f64::from(size.w) * half, f64::from(top) - 5.0);
        }
        if self.style.coordinates {
            for y in 0..size.h {
                let middle = f64::from(top + u32::from(size.h - 1 - y) * CELL) + half;
                write_word(&mut path, &(y + 1).to_string(), f64::from(left - MARGIN / 2), middle + 4.0);
            }
            for x in 0..size.w {
                let middle = f64::from(left + u32::from(x) * CELL) + half;
                let base = f64::from(top + u32::from(size.h) * CELL + 13);
                write_word(&mut path, &char::from(b'a' + x).to_string(), middle, base);
            }
        }
        if !path.is_empty() {
            let (colour, level) = (self.style.theme.names(), level_name(z));
            let level = if self.is_cube() { format!(" data-level=\"{level}\"") } else { String::new() };
            let _ = write!(
                out,
                "<path class=\"name\"{level} fill=\"none\" stroke=\"{colour}\" stroke-width=\"{LETTER_STROKE}\" \
                 d=\"{path}\"/>"
            );
        }
    }

    /// The dot of the side to move: beside White's first rank or Black's.
    fn dot(&self, out: &mut String) {
        let Some(turn) = self.style.turn else { return };
        let ((width, height), [_, top, _, bottom]) = (self.size(), self.margins());
        let y = match turn {
            Colour::White => height - bottom - CELL / 2,
            Colour::Black => top + CELL / 2,
        };
        let colours = self.style.theme.piece(turn);
        let _ = write!(
            out,
            "<circle class=\"turn {}\" cx=\"{}\" cy=\"{y}\" r=\"6\" fill=\"{}\" stroke=\"{}\" stroke-width=\"1.5\"/>",
            turn.name(),
            width - DOT_STRIP / 2,
            colours.fill,
            colours.stroke
        );
    }

    /// Defines the shapes of the pieces on the board.
    fn definitions(&self, out: &mut String) {
        let shapes = self.shapes();
        if !shapes.is_empty() {
            out.push_str("<defs>");
            shapes.iter().for_each(|(_, shape)| out.push_str(shape));
            out.push_str("</defs>");
        }
    }

    fn piece(&self, square: Square) -> Option<String> {
        let piece = self.board.at(square)?;
        let (x, y) = self.corner(square);
        let style = piece_style(self.style.theme, piece.colour);
        let id = shape_id(self.format, piece.kind);
        Some(format!("<use {style} href=\"#{id}\" x=\"{x}\" y=\"{y}\"/>"))
    }

    /// The ghost on an empty square. It is no `piece`: a page may count those.
    fn ghost(&self, square: Square) -> Option<String> {
        let &(_, piece) = self.ghosts.iter().find(|g| g.0 == square && self.board.at(square).is_none())?;
        let (x, y) = self.corner(square);
        let style = piece_style(self.style.theme, piece.colour).replacen("piece ", "ghost ", 1);
        let id = shape_id(self.format, piece.kind);
        Some(format!("<use {style} opacity=\"0.35\" href=\"#{id}\" x=\"{x}\" y=\"{y}\"/>"))
    }

    fn arrows(&self, out: &mut String) {
        let is_drawn = |s: Square| self.levels.contains(&s.z);
        for arrow in self.arrows.iter().filter(|a| is_drawn(a.from) && is_drawn(a.to)) {
            let middle = |s: Square| {
                let (x, y) = self.corner(s);
                (f64::from(x + CELL / 2), f64::from(y + CELL / 2))
            };
            out.extend(arrow.kind.polygon(self.style.theme, middle(arrow.from), middle(arrow.to)));
        }
    }
}

/// A piece by itself, in a square of 40 by 40.
pub fn piece_picture(format: &Format, piece: Piece) -> String {
    let (shape, id) = (shape_definition(format, piece.kind), shape_id(format, piece.kind));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {CELL} {CELL}\" width=\"{CELL}\" height=\"{CELL}\" \
         {JOINS}><defs>{shape}</defs><use {} href=\"#{id}\"/></svg>",
        piece_style(Theme::default(), piece.colour)
    )
}

/// The class and the colours of the pieces of a side.
fn piece_style(theme: Theme, colour: Colour) -> String {
    let colours = theme.piece(colour);
    format!(
        "class=\"piece {}\" fill=\"{}\" stroke=\"{}\" color=\"{}\" stroke-width=\"{PIECE_STROKE}\"",
        colour.name(),
        colours.fill,
        colours.stroke,
        colours.inner
    )
}

fn is_dark(s: Square) -> bool {
    (s.x + s.y + s.z).is_multiple_of(2)
}

/// How lines end and meet, in pieces, letters and frames.
pub(super) const JOINS: &str = "stroke-linejoin=\"round\" stroke-linecap=\"round\"";

/// The distance between the lines of a hatched square.
const HATCH: u32 = 5;

/// The width of the white line around a piece on a hatched square.
const HALO_STROKE: &str = "4.5";
