//! Boards as text, with the names of files and ranks.

use crate::board::{Board, Format, Square, level_name};

/// How many levels of chess3d are printed side by side.
const LEVELS_PER_ROW: usize = 4;

/// A board as text: ranks from the top with their numbers, file letters below. Levels of chess3d are side by
/// side, the top level first, each under its name.
pub(crate) fn text(board: &Board, format: &Format) -> String {
    let size = board.size;
    let mut out = String::new();
    let levels: Vec<u8> = (0..size.d).rev().collect();
    for group in levels.chunks(LEVELS_PER_ROW) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Kind, Piece, Size};

    #[test]
    fn text_names_files_ranks_and_levels() {
        let mut board = Board::empty(Size::flat(3, 2));
        board.cells[4] = Some(Piece::white(Kind::Rook));
        let format = crate::games::game(crate::syntax::GameId::Solitaire).format();
        assert_eq!(text(&board, format), " 2 . R .\n 1 . . .\n   a b c\n");
        let cube = Board::empty(Size { w: 2, h: 2, d: 2 });
        let format = crate::games::game(crate::syntax::GameId::Chess3d).format();
        assert_eq!(text(&cube, format).lines().next(), Some("   II     I"));
        assert_eq!(text(&cube, format).lines().last(), Some("   a b    a b"));
    }
}
