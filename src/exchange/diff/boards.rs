//! Two boards side by side, as text.

use crate::diff::model::BoardRows;
use cpz_rules::board::level_name;

/// What stands between two boards.
const GAP: &str = "    ";

/// Two boards side by side, with the names of files and ranks; the squares that differ are in brackets. The levels of a cube
/// stand one below the other. A board that there is not is left out.
pub fn two_boards(old: Option<&BoardRows>, new: Option<&BoardRows>) -> String {
    let drawn = |board: Option<&BoardRows>, other: Option<&BoardRows>| board.map(|board| drawn(board, other));
    match (drawn(old, new), drawn(new, old)) {
        (Some(old), Some(new)) => beside(&titled("before", old), &titled("after", new)),
        (Some(lines), None) | (None, Some(lines)) => lines.join("\n"),
        (None, None) => String::new(),
    }
}

fn titled(title: &str, lines: Vec<String>) -> Vec<String> {
    std::iter::once(format!("   {title}")).chain(lines).collect()
}

fn beside(left: &[String], right: &[String]) -> String {
    let width = left.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let line = |i: usize| {
        let (left, right) = (left.get(i).map_or("", String::as_str), right.get(i).map_or("", String::as_str));
        format!("{left:width$}{GAP}{right}").trim_end().to_string()
    };
    (0..left.len().max(right.len())).map(line).collect::<Vec<_>>().join("\n")
}

/// Files, ranks and levels.
fn sides(board: &BoardRows) -> (usize, usize, usize) {
    let size = board.size;
    (size.columns.into(), size.rows.into(), size.levels.into())
}

/// The letter of a square, counted from the bottom left of the lowest level.
fn letter(board: &BoardRows, (x, y, z): (usize, usize, usize)) -> Option<char> {
    let (w, h, d) = sides(board);
    let is_on_board = x < w && y < h && z < d;
    is_on_board.then(|| board.rows.get((d - 1 - z) * h + (h - 1 - y))?.chars().nth(x))?
}

fn drawn(board: &BoardRows, other: Option<&BoardRows>) -> Vec<String> {
    let (w, h, d) = sides(board);
    let differs = |x: usize, y: usize, z: usize| {
        let square = (x, y, z);
        x < w && other.is_some_and(|other| letter(other, square) != letter(board, square))
    };
    let mut lines = Vec::new();
    for z in (0..d).rev() {
        if d > 1 {
            lines.push(format!("   level {}", level_name(z as u8)));
        }
        for y in (0..h).rev() {
            let mut line = format!("{:>2}", y + 1);
            for x in 0..=w {
                let is_behind = x > 0 && differs(x - 1, y, z);
                line.push(match (is_behind, differs(x, y, z)) {
                    (true, true) => '|',
                    (true, false) => ']',
                    (false, true) => '[',
                    (false, false) => ' ',
                });
                line.extend(letter(board, (x, y, z)));
            }
            lines.push(line.trim_end().to_string());
        }
        let files: String = (0..w).map(|x| format!(" {}", char::from(b'a' + x as u8))).collect();
        lines.push(format!("  {files}"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diff::model::BoardSize;

    fn board([columns, rows, levels]: [u8; 3], letters: &[&str]) -> BoardRows {
        let size = BoardSize { columns, rows, levels };
        BoardRows { size, rows: letters.iter().map(|row| row.to_string()).collect() }
    }

    #[test]
    fn squares_that_differ_are_in_brackets() {
        let (old, new) = (board([3, 2, 1], &["R..", "..K"]), board([3, 2, 1], &[".R.", "..K"]));
        let drawn = two_boards(Some(&old), Some(&new));
        assert_eq!(
            drawn,
            "   before       after\n 2[R|.].      2[.|R].\n 1 . . K      1 . . K\n   a b c        a b c"
        );
        let (small, cube) = (board([1, 1, 1], &["R"]), board([1, 1, 2], &["K", "R"]));
        let drawn = two_boards(Some(&small), Some(&cube));
        assert_eq!(
            drawn,
            "   before       after\n 1 R            level II\n   a          1[K]\n                a\n                level I\n              1 R\n                a"
        );
        assert_eq!(two_boards(None, Some(&small)), " 1 R\n   a");
    }
}
