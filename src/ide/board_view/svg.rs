//! Boards drawn as SVG, for hovers and the board view.
//!
//! Colours are attributes, so that a picture needs no style sheet. Every part has a class, so that a page can
//! apply the colours of its theme: style sheets take precedence over attributes. A picture contains no scripts
//! and no styles, uses fonts only for the names of squares, and fetches nothing.

use crate::board::{Board, Colour, Format, Kind, Piece, Square, level_name, square_name};

/// In pixels: the side of a square, the margin for the names of files and ranks, the gap between levels.
const CELL: u32 = 40;
const MARGIN: u32 = 18;
const GAP: u32 = 14;
/// How many levels of chess3d are drawn side by side.
pub(crate) const LEVELS_PER_ROW: usize = 4;

/// The most pieces that [`Picture::words`] names one by one.
const MAX_NAMED_PIECES: usize = 100;

/// Why a square is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SquareMark {
    /// The picture is about this square: the class `seen`.
    Subject,
    /// A piece can go there.
    Target,
    /// The square is attacked, or its piece attacks.
    Danger,
    /// The square belongs to a step that fails.
    Failed,
}

impl SquareMark {
    fn class(self) -> &'static str {
        ["seen", "target", "danger", "failed"][self as usize]
    }

    fn colour(self) -> &'static str {
        ["#f2d14b", "#8fc46c", "#e9a15b", "#e5534b"][self as usize]
    }
}

/// A movement from one square to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BoardArrow {
    pub from: Square,
    pub to: Square,
    pub kind: ArrowKind,
}

/// What an arrow says of its movement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArrowKind {
    /// It was made, or can be made.
    Move,
    /// It is illegal, or refutes what was tried.
    Failed,
    /// It would be made next if the other side passed: an outline.
    Threat,
}

impl ArrowKind {
    fn class(self) -> &'static str {
        ["", " failed", " threat"][self as usize]
    }

    /// The attributes of the polygon.
    fn style(self) -> &'static str {
        match self {
            ArrowKind::Move => "fill=\"#2f6f3e\" fill-opacity=\"0.85\"",
            // The edge parts it from squares that are red too.
            ArrowKind::Failed => "fill=\"#c2231a\" stroke=\"#ffffff\" stroke-width=\"1\"",
            ArrowKind::Threat => {
                "fill=\"#2b6cb0\" fill-opacity=\"0.2\" stroke=\"#2b6cb0\" stroke-width=\"1.5\" stroke-dasharray=\"5 3\""
            }
        }
    }
}

/// A board to be drawn.
#[derive(Clone, Debug)]
pub(crate) struct Picture<'a> {
    pub board: &'a Board,
    /// The format of the game; it selects the shape of kings, which is another one in draughts.
    pub format: &'a Format,
    /// The coloured squares; the last mark of a square counts.
    pub marks: Vec<(Square, SquareMark)>,
    /// Drawn above the pieces.
    pub arrows: Vec<BoardArrow>,
    /// Squares that the text lacks: hatched, without a colour.
    pub missing: &'a [Square],
    /// The levels to draw, from the top down.
    pub levels: Vec<u8>,
}

impl Picture<'_> {
    /// A picture without elements for single squares: the squares of one colour are one path, which keeps it
    /// small. It is shown at most `max_height` pixels high.
    pub fn standalone(&self, max_height: u32) -> String {
        let (width, height) = self.size();
        let shown = height.min(max_height);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{shown}\" \
             viewBox=\"0 0 {width} {height}\" {TEXT}>",
            width * shown / height
        );
        self.definitions(&mut out);
        for &z in &self.levels {
            let mut shape = |class: &str, fill: &str, of: &dyn Fn(Square) -> bool| {
                let mut path = String::new();
                for s in self.squares(z).filter(|&s| of(s)) {
                    let (x, y) = self.corner(s);
                    path.push_str(&format!("M{x} {y}h{CELL}v{CELL}h-{CELL}z"));
                }
                if !path.is_empty() {
                    out.push_str(&format!("<path class=\"{class}\" fill=\"{fill}\" d=\"{path}\"/>"));
                }
            };
            shape("light", LIGHT, &|s| !is_dark(s) && !self.is_missing(s));
            shape("dark", DARK, &|s| is_dark(s) && !self.is_missing(s));
            for mark in [SquareMark::Subject, SquareMark::Target, SquareMark::Danger, SquareMark::Failed] {
                shape(mark.class(), mark.colour(), &|s| self.mark(s) == Some(mark));
            }
            for colour in [Colour::White, Colour::Black] {
                let all = self.squares(z).filter_map(|s| Some((s, self.board.at(s)?)));
                let mut own = all.filter(|(_, p)| p.colour == colour).peekable();
                if own.peek().is_none() {
                    continue;
                }
                let (class, fill, stroke) = piece_style(colour);
                out.push_str(&format!("<g class=\"piece {class}\" fill=\"{fill}\" stroke=\"{stroke}\">"));
                for (s, piece) in own {
                    let (x, y) = self.corner(s);
                    out.push_str(&format!("<use href=\"#{}\" x=\"{x}\" y=\"{y}\"/>", shape_id(piece.kind)));
                }
                out.push_str("</g>");
            }
            self.squares(z).filter(|&s| self.is_missing(s)).for_each(|s| self.hatching(&mut out, s));
            self.names(&mut out, z);
        }
        self.arrows(&mut out);
        out + "</svg>"
    }

    /// A picture for a page: every square is an element with its name, so that a reader can select it and a
    /// screen reader can read it. Levels have the ARIA role `grid`, ranks `row`, squares `gridcell`.
    pub fn interactive(&self) -> String {
        let (width, height) = self.size();
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" {TEXT}>"
        );
        self.definitions(&mut out);
        let cube = self.format.is_cube();
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
                        () if is_dark(s) => ("dark", DARK),
                        () => ("light", LIGHT),
                    };
                    let fill = mark.map_or(colour, SquareMark::colour);
                    let class = mark.map_or(String::new(), |m| format!(" marked {}", m.class()));
                    out.push_str(&format!(
                        "<g role=\"gridcell\" class=\"square {shade}{class}\" tabindex=\"-1\" data-square=\"{name}\" \
                         data-x=\"{x}\" data-y=\"{y}\" data-z=\"{z}\" aria-label=\"{name}, {stands}\">\
                         <rect x=\"{left}\" y=\"{top}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{fill}\"/>"
                    ));
                    if self.is_missing(s) {
                        self.hatching(&mut out, s);
                    }
                    out.extend(self.piece(s));
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

    /// The width and height of one level, the names of files and ranks included.
    fn level(&self) -> (u32, u32) {
        let size = self.board.size;
        let title = if self.format.is_cube() { MARGIN } else { 0 };
        (u32::from(size.w) * CELL + MARGIN, u32::from(size.h) * CELL + MARGIN + title)
    }

    fn size(&self) -> (u32, u32) {
        let ((w, h), d) = (self.level(), self.levels.len().max(1));
        let (across, down) = (d.min(LEVELS_PER_ROW) as u32, d.div_ceil(LEVELS_PER_ROW) as u32);
        (across * w + (across - 1) * GAP + 2, down * h + (down - 1) * GAP + 2)
    }

    /// The top left corner of the squares of a level.
    fn origin(&self, z: u8) -> (u32, u32) {
        let (w, h) = self.level();
        let nth = self.levels.iter().position(|&level| level == z).unwrap_or(0);
        let title = if self.format.is_cube() { MARGIN } else { 0 };
        (
            (nth % LEVELS_PER_ROW) as u32 * (w + GAP) + MARGIN,
            (nth / LEVELS_PER_ROW) as u32 * (h + GAP) + title + 1,
        )
    }

    fn corner(&self, s: Square) -> (u32, u32) {
        let (left, top) = self.origin(s.z);
        (left + u32::from(s.x) * CELL, top + u32::from(self.board.size.h - 1 - s.y) * CELL)
    }

    fn names(&self, out: &mut String, z: u8) {
        let ((left, top), size) = (self.origin(z), self.board.size);
        let mut name = |x: u32, y: u32, text: &str| {
            out.push_str(&format!("<text class=\"name\" x=\"{x}\" y=\"{y}\" fill=\"#8a8a8a\">{text}</text>"));
        };
        if self.format.is_cube() {
            let title = match (z, size.d) {
                (0, _) => format!("{} (bottom)", level_name(z)),
                (z, d) if z + 1 == d => format!("{} (top)", level_name(z)),
                _ => level_name(z).to_string(),
            };
            name(left + u32::from(size.w) * CELL / 2, top - 5, &title);
        }
        for y in 0..size.h {
            let middle = top + u32::from(size.h - 1 - y) * CELL + CELL / 2 + 4;
            name(left - MARGIN / 2, middle, &(y + 1).to_string());
        }
        for x in 0..size.w {
            let middle = left + u32::from(x) * CELL + CELL / 2;
            name(middle, top + u32::from(size.h) * CELL + 13, &char::from(b'a' + x).to_string());
        }
    }

    /// Defines the shapes of the pieces on the board.
    fn definitions(&self, out: &mut String) {
        let mut kinds: Vec<Kind> = self.board.pieces().map(|(_, p)| p.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        if kinds.is_empty() {
            return;
        }
        out.push_str("<defs>");
        for kind in kinds {
            out.push_str(&format!("<g id=\"{}\">{}</g>", shape_id(kind), self.shape(kind)));
        }
        out.push_str("</defs>");
    }

    fn shape(&self, kind: Kind) -> &'static str {
        let disc = self.format.kinds.contains(&Kind::Man);
        match kind {
            Kind::King if disc => CROWNED,
            Kind::Man => MAN,
            Kind::King => KING,
            Kind::Queen => QUEEN,
            Kind::Rook => ROOK,
            Kind::Bishop => BISHOP,
            Kind::Knight => KNIGHT,
            Kind::Pawn => PAWN,
        }
    }

    fn piece(&self, square: Square) -> Option<String> {
        let piece = self.board.at(square)?;
        let (x, y) = self.corner(square);
        let (class, fill, stroke) = piece_style(piece.colour);
        Some(format!(
            "<use class=\"piece {class}\" href=\"#{}\" x=\"{x}\" y=\"{y}\" fill=\"{fill}\" stroke=\"{stroke}\"/>",
            shape_id(piece.kind)
        ))
    }

    fn arrows(&self, out: &mut String) {
        let is_drawn = |s: Square| self.levels.contains(&s.z);
        for arrow in self.arrows.iter().filter(|a| is_drawn(a.from) && is_drawn(a.to)) {
            let middle = |s: Square| {
                let (x, y) = self.corner(s);
                (f64::from(x + CELL / 2), f64::from(y + CELL / 2))
            };
            let ((x1, y1), (x2, y2)) = (middle(arrow.from), middle(arrow.to));
            let length = (x2 - x1).hypot(y2 - y1);
            if length < 1.0 {
                continue;
            }
            let (ux, uy) = ((x2 - x1) / length, (y2 - y1) / length);
            // The head ends short of the middle, so that the piece there is seen.
            let (tip, neck) = (length - 8.0, length - 20.0);
            let at = |along: f64, aside: f64| {
                format!("{:.1},{:.1}", x1 + ux * along - uy * aside, y1 + uy * along + ux * aside)
            };
            let points = [
                at(8.0, -2.2),
                at(neck, -2.2),
                at(neck, -7.0),
                at(tip, 0.0),
                at(neck, 7.0),
                at(neck, 2.2),
                at(8.0, 2.2),
            ];
            let (class, style) = (arrow.kind.class(), arrow.kind.style());
            out.push_str(&format!(
                "<polygon class=\"arrow{class}\" {style} points=\"{}\"/>",
                points.join(" ")
            ));
        }
    }
}

/// The class, the fill and the stroke of the pieces of a side.
fn piece_style(colour: Colour) -> (&'static str, &'static str, &'static str) {
    match colour {
        Colour::White => ("white", "#ffffff", "#2b2b2b"),
        Colour::Black => ("black", "#2b2b2b", "#f4f4f4"),
    }
}

/// The id of the shape of a piece. A page may contain several pictures, so one id must always be the same
/// shape. The exception is the king of draughts, which no page mixes with other kings.
fn shape_id(kind: Kind) -> String {
    format!("cpz{}", kind.letter())
}

fn is_dark(s: Square) -> bool {
    (s.x + s.y + s.z).is_multiple_of(2)
}

const LIGHT: &str = "#eeddc0";
const DARK: &str = "#b0845e";

/// The font of the names. Pieces contain no text, so they look the same with any font.
const TEXT: &str =
    "font-family=\"sans-serif\" font-size=\"11\" text-anchor=\"middle\" stroke-linejoin=\"round\"";

// The pieces, each in a square of 40 by 40. They inherit fill and stroke from the element that uses them; inner
// lines have the colour of the stroke.

const KING: &str = "<path d=\"M20 3.5v7M16.8 6.4h6.4\" fill=\"none\" stroke-width=\"2.2\"/>\
    <path d=\"M20 13c2.5-4.6 12-4.2 12 2.6 0 4.6-4.4 7.4-5.2 12.4h-13.6c-.8-5-5.2-7.8-5.2-12.4 0-6.8 9.5-7.2 12-2.6z\"/>\
    <path d=\"M20 13v9M13 25.4q7-2.2 14 0\" fill=\"none\"/><path d=\"M9.5 35v-2.2q0-2 2.5-2h16q2.5 0 2.5 2v2.2z\"/>";
const QUEEN: &str = "<path d=\"M8 12.5l4.6 15.5h14.8l4.6-15.5-6.6 7.5-1.8-11-3.6 10.5-3.6-10.5-1.8 11z\"/>\
    <circle cx=\"7.5\" cy=\"10.5\" r=\"2.2\"/><circle cx=\"16\" cy=\"7\" r=\"2.2\"/>\
    <circle cx=\"24\" cy=\"7\" r=\"2.2\"/><circle cx=\"32.5\" cy=\"10.5\" r=\"2.2\"/>\
    <path d=\"M13 25q7-2.2 14 0\" fill=\"none\"/><path d=\"M9.5 35v-2.2q0-2 2.5-2h16q2.5 0 2.5 2v2.2z\"/>";
const ROOK: &str = "<path d=\"M13.5 28l1.2-12h10.6l1.2 12z\"/>\
    <path d=\"M11 16.2v-8.7h4v3h3v-3h4v3h3v-3h4v8.7z\"/><path d=\"M9.5 35v-2.7q0-1.8 2-1.8h1.3l.7-2.5h13l.7 2.5h1.3q2 0 2 1.8v2.7z\"/>";
const BISHOP: &str = "<circle cx=\"20\" cy=\"6.4\" r=\"2.3\"/>\
    <path d=\"M20 8.7c5.6 4 8 8.2 8 12 0 3.2-1.8 5.2-3.6 7.3h-8.8c-1.8-2.1-3.6-4.1-3.6-7.3 0-3.8 2.4-8 8-12z\"/>\
    <path d=\"M20 14.5v7M16.7 18h6.6M14.5 25.5h11\" fill=\"none\"/><path d=\"M9.5 35v-2.2q0-2 2.5-2h16q2.5 0 2.5 2v2.2z\"/>";
const KNIGHT: &str = "<path d=\"M12.5 30.8c0-6.6 6.5-8.6 7.2-13.2-2 1.8-4.2 2.2-5.6 3.6-1 1-1.6 2.6-3.2 2.6-1.8 0-3.4-2-3-4.2 2.4-4 4-8.4 7.8-10.8l.6-3.8 3.3 3c8 1 11.4 8.6 10.4 22.8z\"/>\
    <circle cx=\"15.6\" cy=\"13\" r=\".9\"/><path d=\"M22.5 9.8c3.8 2.4 5.4 8 4.8 17.2\" fill=\"none\"/><path d=\"M9.5 35v-2.2q0-2 2.5-2h16q2.5 0 2.5 2v2.2z\"/>";
const PAWN: &str = "<path d=\"M13 30.8c0-5 4.2-6 4.9-11.3h-2.9v-2.3h3.2a5.3 5.3 0 1 1 3.6 0h3.2v2.3h-2.9c.7 5.3 4.9 6.3 4.9 11.3z\"/>\
    <path d=\"M10.5 35v-2.2q0-2 2.5-2h14q2.5 0 2.5 2v2.2z\"/>";
const MAN: &str = "<circle cx=\"20\" cy=\"20\" r=\"14\" stroke-width=\"1.5\"/><circle cx=\"20\" cy=\"20\" r=\"8.5\" fill=\"none\"/>";
const CROWNED: &str = "<circle cx=\"20\" cy=\"20\" r=\"14\" stroke-width=\"1.5\"/>\
    <path d=\"M12.5 15.5l2.2 10h10.6l2.2-10-4.4 4.2-3.1-6.7-3.1 6.7z\" stroke-width=\"1.4\"/>";
