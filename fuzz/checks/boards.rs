//! Writes boards in every format of their game and converts each format into each.

use cpz::analysis::{Bound, Defaults, bind_one, position_of, puzzles};
use cpz::board::{Board, Colour, Format, Piece, Size, Sizes, Style, Target, write};
use cpz::games::{Dialect, game};
use cpz::ide::{apply, convert, keeps_all_else};
use cpz::syntax::{GameId, parse};

/// A board is the same when it is read back from any format, and after every conversion.
///
/// Input bytes: game, style, size, and two for each piece: square and kind.
pub fn boards(data: &[u8]) {
    let [which, how, size, pieces @ ..] = data else { return };
    let id = [GameId::Solitaire, GameId::Chess, GameId::Chess3d, GameId::Draughts][usize::from(*which % 4)];
    let format = game(id).format();
    let board = board(format, *size, pieces);
    if board.count() == 0 {
        return;
    }
    let turn = if how & 1 == 0 { Colour::White } else { Colour::Black };
    let origin = if how & 2 == 0 { format.origin } else { 1 - format.origin };
    let line = ["\n    ", "\r\n\t", "\r"][usize::from(how >> 4) % 3].to_string();
    let style = Style { origin, turn, line, spread: how & 4 != 0, empty: None };
    for from in Target::ALL {
        let Some(written) = write(&board, format, from, &style) else { continue };
        let text = puzzle(id, &board, &style, &written, how & 8 != 0);
        let position = position(&text).unwrap_or_else(|| panic!("{from:?} cannot be read back\n{text}"));
        assert_eq!(position.0, board, "{from:?}\n{text}");
        if id != GameId::Solitaire {
            assert_eq!(position.1, turn, "{from:?}\n{text}");
        }
        for to in Target::ALL {
            converted(&text, to, write(&board, format, to, &style).is_some());
        }
    }
}

/// Converts all boards of a text and asserts that they stay the same. `must`: no board may be skipped.
pub fn converted(text: &str, to: Target, must: bool) {
    let done = convert(&parse(text), Defaults::default(), to);
    assert!(!must || done.skipped.is_empty(), "{to:?} {:?}\n{text}", done.skipped);
    let new = apply(text, &done.edits);
    assert!(keeps_all_else(text, &done.edits, &new), "{to:?}\n{text}\n{new}");
    assert_eq!(positions(text), positions(&new), "{to:?}\n{text}\n{new}");
    let again = convert(&parse(new.as_str()), Defaults::default(), to);
    assert_eq!(apply(&new, &again.edits), new, "{to:?} a second time\n{text}");
}

fn board(format: &Format, size: u8, pieces: &[u8]) -> Board {
    let size = match format.sizes {
        Sizes::Fixed(n) => Size::flat(n, n),
        Sizes::Cube(least, most) => {
            let n = least + size % (most - least + 1);
            Size { w: n, h: n, d: n }
        }
        Sizes::UpTo { max, .. } => Size::flat(1 + size % max, 1 + size / max % max),
    };
    let mut board = Board::empty(size);
    let all: Vec<Piece> = format.letters.iter().map(|&(_, piece)| piece).collect();
    for two in pieces.chunks_exact(2).take(64) {
        let cell = usize::from(two[0]) * 7 % size.cells();
        let square = board.square(cell);
        if size.cells() > 1 && (!format.dark_only || (square.x + square.y).is_multiple_of(2)) {
            board.cells[cell] = Some(all[usize::from(two[1]) % all.len()]);
        }
    }
    board
}

fn puzzle(id: GameId, board: &Board, style: &Style, written: &str, size_below: bool) -> String {
    let Size { w, h, d } = board.size;
    let size = if d > 1 { format!("size {d}") } else { format!("size {w}x{h}") };
    let (above, below) = if size_below { (String::new(), size) } else { (size, String::new()) };
    let line = &style.line;
    let turn = match id {
        GameId::Solitaire => String::new(),
        _ => format!("turn {}", style.turn.name()),
    };
    let origin = style.origin;
    format!(
        "{} {{{line}{above}{line}origin {origin} {turn}{line}board {written} // a remark{line}{below}{line}}}{line}",
        id.word()
    )
}

fn position(text: &str) -> Option<PuzzlePosition> {
    positions(text).pop()?
}

/// The position of a puzzle: pieces, side to move, dialect.
type PuzzlePosition = (Board, Colour, Dialect);

fn positions(text: &str) -> Vec<Option<PuzzlePosition>> {
    let tree = parse(text);
    let bound = puzzles(&tree, Defaults::default()).map(|(puzzle, settings)| bind_one(puzzle, settings));
    let position = |b: Bound<'_>| {
        let found = position_of(&b)?;
        // The side to move may come from the notation of the board.
        Some((found.board, b.turn, found.dialect))
    };
    bound.map(|b| b.and_then(position)).collect()
}
