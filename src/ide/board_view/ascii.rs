//! Boards as text, with the names of files and ranks.

use cpz_rules::board::{Board, Format, Square, level_name};

/// How many levels of chess3d are printed side by side.
const LEVELS_PER_ROW: usize = 4;

/// A board as text: ranks from the top with their numbers, file letters below. Levels of chess3d are side by
/// side, the top level first, each under its name.
pub fn text(board: &Board, format: &Format) -> String {
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
    use cpz_rules::board::{Kind, Piece, Size};

    fn pasted_back(id: cpz_text::syntax::GameId, board: &Board) -> Option<Board> {
        let format = cpz_rules::games::game(id).format();
        let source = format!("{} {{\n  board\n{}}}\n", id.word(), text(board, format));
        let tree = cpz_text::syntax::parse(source);
        let found = tree.puzzles().next()?.boards().next()?;
        let span = found.content()?;
        let reading = cpz_rules::board::read(found.form()?, format, format.origin, None, span);
        reading.board.filter(|_| reading.findings.is_empty())
    }

    proptest::proptest! {
        #[test]
        fn text_can_be_pasted_back_as_a_board(
            which in 0..4usize, w in 1..=8u8, h in 1..=8u8, pieces in proptest::collection::vec((0..512usize, 0..12usize), 1..20),
        ) {
            let id = cpz_text::syntax::GameId::ALL[which];
            let format = cpz_rules::games::game(id).format();
            let size = match format.sizes {
                cpz_rules::board::Sizes::Fixed(n) => Size::flat(n, n),
                cpz_rules::board::Sizes::UpTo { .. } => Size::flat(w, h.max(2)),
                cpz_rules::board::Sizes::Cube(..) => Size { w: w.max(2), h: w.max(2), d: w.max(2) },
            };
            let mut board = Board::empty(size);
            for (cell, letter) in pieces {
                let cell = cell % size.cells();
                let square = board.square(cell);
                if !format.dark_only || (square.x + square.y).is_multiple_of(2) {
                    board.cells[cell] = Some(format.letters[letter % format.letters.len()].1);
                }
            }
            if board.count() > 0 {
                proptest::prop_assert_eq!(pasted_back(id, &board), Some(board.clone()), "{}", text(&board, format));
            }
        }
    }

    #[test]
    fn text_names_files_ranks_and_levels() {
        let mut board = Board::empty(Size::flat(3, 2));
        board.cells[4] = Some(Piece::white(Kind::Rook));
        let format = cpz_rules::games::game(cpz_text::syntax::GameId::Solitaire).format();
        assert_eq!(text(&board, format), " 2 . R .\n 1 . . .\n   a b c\n");
        let cube = Board::empty(Size { w: 2, h: 2, d: 2 });
        let format = cpz_rules::games::game(cpz_text::syntax::GameId::Chess3d).format();
        assert_eq!(text(&cube, format).lines().next(), Some("   II     I"));
        assert_eq!(text(&cube, format).lines().last(), Some("   a b    a b"));
    }
}
