//! Boards drawn: as text with their squares named, and as a small picture.

use crate::board::{Board, Colour, Format, Kind, Piece, Square, level_name};

/// The levels of chess3d that stand side by side in text.
const ABREAST: u8 = 4;

/// A board as text: rows from the top with their numbers, files below; levels side by side, the top one
/// first, each under its name.
pub fn text(board: &Board, format: &Format) -> String {
    let size = board.size;
    let mut out = String::new();
    let levels: Vec<u8> = (0..size.d).rev().collect();
    for group in levels.chunks(ABREAST as usize) {
        let width = 3 + 2 * usize::from(size.w);
        let mut lines = vec![String::new(); usize::from(size.h) + 2];
        for &z in group {
            let name = if size.d > 1 { level_name(z) } else { "" };
            lines[0].push_str(&format!("{:<width$}", format!("   {name}")));
            for y in (0..size.h).rev() {
                let row = usize::from(size.h - y);
                let mut cells = format!("{:>2} ", y + 1);
                for x in 0..size.w {
                    let piece = board.at(Square { x, y, z });
                    cells.push(piece.map_or(format.empty, |p| format.letter(p)));
                    cells.push(' ');
                }
                lines[row].push_str(&format!("{cells:<width$}"));
            }
            let files: String = (0..size.w).flat_map(|x| [char::from(b'a' + x), ' ']).collect();
            lines[usize::from(size.h) + 1].push_str(&format!("{:<width$}", format!("   {files}")));
        }
        for line in lines.iter().map(|l| l.trim_end()).skip(usize::from(size.d == 1)) {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

/// The side of a square of a picture, and the margin for the names of squares.
const CELL: u32 = 32;
const MARGIN: u32 = 16;

/// A board as an SVG picture without anything from elsewhere: marked squares are coloured, levels stand
/// side by side.
pub fn svg(board: &Board, marks: &[Square]) -> String {
    let size = board.size;
    let (w, h, d) = (u32::from(size.w), u32::from(size.h), u32::from(size.d));
    let level = w * CELL + MARGIN;
    let (width, height) = (level * d + 4, h * CELL + MARGIN + 2 + if d > 1 { MARGIN } else { 0 });
    let top = if d > 1 { MARGIN } else { 0 };
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"11\" text-anchor=\"middle\">"
    );
    for z in 0..size.d {
        let left = u32::from(size.d - 1 - z) * level + MARGIN;
        if d > 1 {
            out.push_str(&label(left + w * CELL / 2, 12, level_name(z)));
        }
        for y in 0..size.h {
            let above = top + (h - 1 - u32::from(y)) * CELL;
            out.push_str(&label(left - MARGIN / 2, above + CELL / 2 + 4, &(y + 1).to_string()));
            for x in 0..size.w {
                let square = Square { x, y, z };
                let across = left + u32::from(x) * CELL;
                let dark = (x + y + z) % 2 == 0;
                let fill = match (marks.contains(&square), dark) {
                    (true, _) => "#e8c84a",
                    (false, true) => "#b58863",
                    (false, false) => "#f0d9b5",
                };
                out.push_str(&format!(
                    "<rect x=\"{across}\" y=\"{above}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{fill}\"/>"
                ));
                if let Some(piece) = board.at(square) {
                    out.push_str(&drawn(piece, across + CELL / 2, above + CELL / 2));
                }
            }
        }
        for x in 0..size.w {
            let name = char::from(b'a' + x).to_string();
            out.push_str(&label(left + u32::from(x) * CELL + CELL / 2, top + h * CELL + 12, &name));
        }
    }
    out + "</svg>"
}

fn label(x: u32, y: u32, text: &str) -> String {
    format!("<text x=\"{x}\" y=\"{y}\" fill=\"#888\">{text}</text>")
}

/// A piece round the middle of its square.
fn drawn(piece: Piece, x: u32, y: u32) -> String {
    let white = piece.colour == Colour::White;
    if piece.kind == Kind::Man {
        let (fill, stroke) = if white { ("#fff", "#333") } else { ("#333", "#000") };
        return format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"11\" fill=\"{fill}\" stroke=\"{stroke}\"/>");
    }
    // The filled glyphs for both colours, so that white pieces are not seen through.
    let glyph = ['♚', '♛', '♜', '♝', '♞', '♟', '●'][piece.kind as usize - 1];
    let (fill, stroke) = if white { ("#fff", "#000") } else { ("#000", "#fff") };
    format!(
        "<text x=\"{x}\" y=\"{}\" font-size=\"26\" fill=\"{fill}\" stroke=\"{stroke}\" \
         stroke-width=\"0.6\">{glyph}\u{FE0E}</text>",
        y + 9
    )
}

/// A picture as Markdown: the picture itself is in the text, nothing is fetched.
pub fn image(svg: &str) -> String {
    format!("![board](data:image/svg+xml;base64,{})", base64(svg.as_bytes()))
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let n = chunk.iter().fold(0u32, |n, &b| n << 8 | u32::from(b)) << (8 * (3 - chunk.len()));
        for i in 0..4 {
            let letter = LETTERS[(n >> (18 - 6 * i)) as usize & 63];
            out.push(if i <= chunk.len() { letter.into() } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;

    #[test]
    fn boards_have_their_squares_named() {
        let mut board = Board::empty(Size::flat(3, 2));
        board.cells[4] = Some(Piece::white(Kind::Rook));
        let format = crate::games::game(crate::syntax::GameId::Solitaire).format();
        assert_eq!(text(&board, format), " 2 . R .\n 1 . . .\n   a b c\n");
        let cube = Board::empty(Size { w: 2, h: 2, d: 2 });
        let format = crate::games::game(crate::syntax::GameId::Chess3d).format();
        assert_eq!(text(&cube, format).lines().next(), Some("   II     I"));
        assert_eq!(text(&cube, format).lines().last(), Some("   a b    a b"));
    }

    #[test]
    fn base64_is_that_of_rfc_4648() {
        for (plain, coded) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")]
        {
            assert_eq!(base64(plain.as_bytes()), coded);
        }
    }
}
