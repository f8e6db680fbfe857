//! Boards through every format and back.

use cpz::analysis::{Defaults, bind_all};
use cpz::board::{Board, Colour, Format, Piece, Size, Sizes, Target};
use cpz::games::game;
use cpz::ide::convert;
use cpz::ide::{apply, keeps_all_else};
use cpz::syntax::{GameId, parse};
use proptest::prelude::*;

/// A random board with at least one piece; the number of kings and the colour of squares are not checked.
pub fn boards(id: GameId) -> impl Strategy<Value = Board> {
    let format = game(id).format();
    let size = match format.sizes {
        Sizes::Fixed(n) => Just(Size::flat(n, n)).boxed(),
        Sizes::UpTo { max, .. } => (1..=max, 1..=max)
            .prop_filter("two cells", |(w, h)| w * h > 1)
            .prop_map(|(w, h)| Size::flat(w, h))
            .boxed(),
        Sizes::Cube(min, _) => (min..=4u8).prop_map(|n| Size { w: n, h: n, d: n }).boxed(),
    };
    size.prop_flat_map(move |size| {
        let piece = (0..format.kinds.len(), any::<bool>());
        let pieces = prop::collection::vec((0..size.cells(), piece), 1..12);
        pieces.prop_map(move |pieces| fill(size, format, &pieces))
    })
}

fn fill(size: Size, format: &Format, pieces: &[(usize, (usize, bool))]) -> Board {
    let mut board = Board::empty(size);
    for &(cell, (kind, black)) in pieces {
        let square = board.square(cell);
        let dark = if format.dark_only && (square.x + square.y) % 2 == 1 { cell ^ 1 } else { cell };
        let colour = if black && format.coloured { Colour::Black } else { Colour::White };
        board.cells[dark] = Some(Piece::new(colour, format.kinds[kind]));
    }
    board
}

pub fn read(text: &str) -> (Board, Colour) {
    let tree = parse(text);
    assert!(tree.errors().is_empty(), "{text}\n{:?}", tree.errors());
    let (bound, _) = bind_all(&tree, Defaults::default()).into_iter().next().expect("a puzzle");
    let reading = bound.reading.expect("a board");
    assert!(reading.is_good(), "{text}\n{:?}", reading.findings);
    (reading.board.expect("a board"), bound.turn)
}

/// A board as coordinates, written without the writer that is under test.
fn plain(id: GameId, board: &Board, turn: Colour, layout: &str) -> String {
    let format = game(id).format();
    let o = format.origin;
    let entries: Vec<String> = board
        .pieces()
        .map(|(s, p)| {
            let z = if format.is_cube() { format!(",{}", s.z + o) } else { String::new() };
            let colour = if format.coloured { format!("\"{}\",", p.colour.name()) } else { String::new() };
            format!("[{colour}\"{}\",{},{}{z}]", p.kind.letter(), s.x + o, s.y + o)
        })
        .collect();
    let size = match format.sizes {
        Sizes::Fixed(_) => String::new(),
        _ => format!("size {}x{}{layout}", board.size.w, board.size.h),
    };
    let turn = if format.coloured { format!("turn {}{layout}", turn.name()) } else { String::new() };
    format!(
        "// above\n{} \"n\" {{{layout}{size}{turn}board [{}]{layout}// below{layout}}}\n",
        id.word(),
        entries.join(", ")
    )
}

fn round(
    id: GameId,
    board: Board,
    targets: Vec<Target>,
    black: bool,
    spread: bool,
) -> Result<(), TestCaseError> {
    let turn = if black && game(id).format().coloured { Colour::Black } else { Colour::White };
    let mut text = plain(id, &board, turn, if spread { "\n  " } else { " " });
    if !spread {
        text = text.replace("// below ", "");
    }
    prop_assert_eq!(&read(&text), &(board.clone(), turn), "{}", text);
    for target in targets {
        let tree = parse(text.clone());
        let converted = convert(&tree, Defaults::default(), target);
        let possible = target != Target::Fen || matches!(id, GameId::Chess | GameId::Draughts);
        prop_assert_eq!(converted.skipped.is_empty(), possible, "{:?} {:?}", target, converted.skipped);
        let new = apply(&text, &converted.edits);
        prop_assert!(keeps_all_else(&text, &converted.edits, &new), "{}\n{}", text, new);
        prop_assert_eq!(&read(&new), &(board.clone(), turn), "{:?}\n{}", target, new);
        prop_assert!(new.contains("// above"));
        text = new;
        // Converting to the same format again changes nothing.
        if possible {
            prop_assert!(
                convert(&parse(text.clone()), Defaults::default(), target).edits.is_empty(),
                "{:?}\n{}",
                target,
                text
            );
        }
    }
    Ok(())
}

fn targets() -> impl Strategy<Value = Vec<Target>> {
    prop::collection::vec(prop::sample::select(Target::ALL.to_vec()), 1..6)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn solitaire_boards_survive_conversion(b in boards(GameId::Solitaire), t in targets(), spread: bool) {
        round(GameId::Solitaire, b, t, false, spread)?;
    }

    #[test]
    fn chess_boards_survive_conversion(b in boards(GameId::Chess), t in targets(), black: bool, spread: bool) {
        round(GameId::Chess, b, t, black, spread)?;
    }

    #[test]
    fn chess3d_boards_survive_conversion(b in boards(GameId::Chess3d), t in targets(), black: bool, spread: bool) {
        round(GameId::Chess3d, b, t, black, spread)?;
    }

    #[test]
    fn draughts_boards_survive_conversion(b in boards(GameId::Draughts), t in targets(), black: bool, spread: bool) {
        round(GameId::Draughts, b, t, black, spread)?;
    }
}

#[test]
fn conversion_keeps_all_other_text() {
    for (target, before, after) in [
        // What a FEN says beyond the position and the side goes into a note.
        (
            Target::Text,
            "chess { board r3k2r/8/8/8/8/8/8/R3K2R b KQkq e3 5 10 mate }",
            "chess { note \"FEN 5 10\" turn black castling KQkq en-passant e3 board r...k..r................................................R...K..R mate }",
        ),
        // A field that is already written stays unchanged.
        (
            Target::Fen,
            "chess { board r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 5 10 mate }",
            "chess { board r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 5 10 mate }",
        ),
        // Where only moves tell whose turn it is, the notation says nothing.
        (
            Target::Fen,
            "chess { board [[\"B\",\"K\",7,6],[\"W\",\"Q\",7,2],[\"W\",\"K\",1,1]] move [\"B\",\"K\",6,6] }",
            "chess { board 8/8/6k1/8/8/8/6Q1/K7 move [\"B\",\"K\",6,6] }",
        ),
        // The converted board does not merge with the text after it.
        (
            Target::Text,
            "solitaire { board [[3,3,'N'],[1,1,'R']]solve }",
            "solitaire { board ...N.....R...... solve }",
        ),
        // One row of four would be read as two of two.
        (
            Target::Text,
            "solitaire { board [['R','.','.','B']] solve }",
            "solitaire { size 4x1 board R..B solve }",
        ),
        (
            Target::Coordinates,
            "size 5\nsolitaire { board R..B\n  .... solve }",
            "size 5\nsolitaire { size 4x2 board [[0, 1, 'R'], [3, 1, 'B']] solve }",
        ),
        // Comments among the rows move above the board.
        (
            Target::List,
            "solitaire {\n  board // top\n    R . // right\n    . B\n  solve\n}\n",
            "solitaire {\n  // top\n  // right\n  board [['R', '.'],\n         ['.', 'B']]\n  solve\n}\n",
        ),
        // A puzzle that cannot be read whole stays as it is.
        (
            Target::Text,
            "solitaire { board [[3,3,'N'], [1,1,'R'] solve }",
            "solitaire { board [[3,3,'N'], [1,1,'R'] solve }",
        ),
        (Target::Fen, "solitaire { board RB.. solve }", "solitaire { board RB.. solve }"),
    ] {
        let tree = parse(before);
        let edits = convert(&tree, Defaults::default(), target).edits;
        let new = apply(before, &edits);
        assert!(keeps_all_else(before, &edits, &new), "{new}");
        assert_eq!(new, after);
    }
}
