//! Boards as text with their squares named, and pictures of them as Markdown.

use crate::board::{Board, Format, Square, level_name};

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

/// A picture as Markdown, with what it shows in words: the picture itself is in the text, nothing is
/// fetched.
pub fn image(svg: &str, words: &str) -> String {
    format!("![{words}](data:image/svg+xml;base64,{})", base64(svg.as_bytes()))
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
    use crate::board::{Kind, Piece, Size};

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
