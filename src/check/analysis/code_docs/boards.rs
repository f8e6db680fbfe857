//! The codes about the text of a puzzle and its board.

use crate::analysis::code_docs::entry::Entry;
use cpz_text::diagnostic::{Code, Severity};

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        code: Code::Syntax,
        severity: Severity::Error,
        title: "syntax error",
        text: "Something is missing, is written twice, or stands where the language does not allow it: a bracket, \
brace or quote that is never closed, a word too many, a second `turn`.\n\ncpz goes on reading behind it, so one \
mistake does not hide the others.",
        wrong: r#"solitaire {
  board [[1, 2, 'B'], [0, 1, 'R']
  solve
}"#,
        right: r#"solitaire {
  board [[1, 2, 'B'], [0, 1, 'R']]
  solve
}"#,
    },
    Entry {
        code: Code::UnknownKeyword,
        severity: Severity::Error,
        title: "a misspelt keyword",
        text: "A word is nearly a keyword, but not quite. Keywords are written in lower case. The fix \
replaces the word with the nearest keyword.",
        wrong: r#"solitaire {
  board ...N.....R....B.
  solv
}"#,
        right: r#"solitaire {
  board ...N.....R....B.
  solve
}"#,
    },
    Entry {
        code: Code::MissingBoard,
        severity: Severity::Error,
        title: "a puzzle without a board",
        text: "A puzzle has one board, and this one has none, so nothing can be asked about it.",
        wrong: r#"chess { move Rh2 }"#,
        right: r#"chess {
  board 8/8/8/4k3/8/8/8/4K2R
  move Rh2
}"#,
    },
    Entry {
        code: Code::SecondBoard,
        severity: Severity::Error,
        title: "a puzzle with two boards",
        text: "A puzzle has one board. The first one counts; the others are shown as mistakes. Give each \
board a puzzle of its own.",
        wrong: r#"chess {
  board 8/8/8/4k3/8/8/8/4K2R
  board 8/8/8/4k3/8/8/8/R3K3
  mate
}"#,
        right: r#"chess {
  board 8/8/8/4k3/8/8/8/4K2R
  mate
}
chess {
  board 8/8/8/4k3/8/8/R7/4K3
  mate
}"#,
    },
    Entry {
        code: Code::NotForThisGame,
        severity: Severity::Error,
        title: "a verb or property of another game",
        text: "Each game has its own questions: solitaire `solve` and `count`, chess `move` and `mate`, \
chess3d `mate`, draughts `capture`. `line` belongs to all but solitaire. The properties `rules` and `unique` belong to solitaire, `turn` \
to the other three.",
        wrong: r#"draughts {
  board [[11, 'K'], [33, 'm']]
  solve
}"#,
        right: r#"draughts {
  board [[11, 'K'], [33, 'm']]
  capture
}"#,
    },
    Entry {
        code: Code::BoardShape,
        severity: Severity::Error,
        title: "a board of the wrong shape",
        text: "The cells do not make a board of this game: rows of different lengths, 63 cells for chess, a \
`size` that contradicts what is shown, no piece at all, or a size beyond the limits (solitaire from \
1×2 to 8×8, chess3d n×n×n with n from 2 to 10, chess and draughts 8×8).",
        wrong: r#"solitaire {
  board
    ....
    .B...
    RP..
    ...N
  solve
}"#,
        right: r#"solitaire {
  board
    ....
    .B..
    RP..
    ...N
  solve
}"#,
    },
    Entry {
        code: Code::UnknownPiece,
        severity: Severity::Error,
        title: "a letter or number that is no piece",
        text: "The letter or number stands for no piece of this game. Letters are K Q R B N P in solitaire \
and chess (small for black), without P in chess3d; draughts has `w b` for men and `W B` for kings in \
text, M and K in coordinates. Numbers are 1 K, 2 Q, 3 R, 4 B, 5 N, 6 P and 0 for an empty cell, in \
draughts 1 man and 2 king; below 0 is black.",
        wrong: r#"solitaire {
  board
    ....
    .B..
    RX..
    ...N
  solve
}"#,
        right: r#"solitaire {
  board
    ....
    .B..
    RP..
    ...N
  solve
}"#,
    },
    Entry {
        code: Code::MixedEmpty,
        severity: Severity::Error,
        title: "a second character for empty cells",
        text: "The empty cell is the commonest character of a board that is no piece letter. This cell holds \
another character that is no letter either, so it is probably a slip. A matrix is all letters or all \
numbers.",
        wrong: r#"solitaire {
  board
    ....
    .B_.
    RP..
    ...N
  solve
}"#,
        right: r#"solitaire {
  board
    ....
    .B..
    RP..
    ...N
  solve
}"#,
    },
    Entry {
        code: Code::OffBoard,
        severity: Severity::Error,
        title: "a square outside the board",
        text: "The coordinates or the name are of no square of this board. Solitaire counts from 0, the \
other games from 1; `origin 0` or `origin 1` changes that. x counts from the left, y from the \
bottom, the level z from the bottom.",
        wrong: r#"solitaire {
  board [[1, 2, 'B'], [0, 1, 'R'], [1, 1, 'P'], [4, 0, 'N']]
  solve
}"#,
        right: r#"solitaire {
  board [[1, 2, 'B'], [0, 1, 'R'], [1, 1, 'P'], [3, 0, 'N']]
  solve
}"#,
    },
    Entry {
        code: Code::OccupiedSquare,
        severity: Severity::Error,
        title: "two pieces on one square",
        text: "Two entries of a board name the same square.",
        wrong: r#"solitaire {
  board [[1, 2, 'B'], [0, 1, 'R'], [0, 1, 'P'], [3, 0, 'N']]
  solve
}"#,
        right: r#"solitaire {
  board [[1, 2, 'B'], [0, 1, 'R'], [1, 1, 'P'], [3, 0, 'N']]
  solve
}"#,
    },
    Entry {
        code: Code::LightSquare,
        severity: Severity::Error,
        title: "a draughts piece on a light square",
        text: "Draughts is played on the dark squares, a1 among them: those where x + y is even.",
        wrong: r#"draughts {
  board [["W", "K", 1, 1], ["B", "M", 3, 4]]
  capture
}"#,
        right: r#"draughts {
  board [["W", "K", 1, 1], ["B", "M", 3, 3]]
  capture
}"#,
    },
    Entry {
        code: Code::TooManyKings,
        severity: Severity::Error,
        title: "two kings of a colour",
        text: "In chess and chess3d a colour has one king or, in an odd position, none. With two, no move \
can be judged.",
        wrong: r#"chess {
  board 8/8/8/4k3/8/8/4K3/4K2R
  mate
}"#,
        right: r#"chess {
  board 8/8/8/4k3/8/8/8/4K2R
  mate
}"#,
    },
    Entry {
        code: Code::TooManyPieces,
        severity: Severity::Warning,
        title: "more pieces than a game begins with",
        text: "A colour has more than 16 pieces or more than 8 pawns in chess, or more than 12 pieces in \
draughts. No game leads there, but the position is answered all the same.",
        wrong: r#"chess {
  board 8/8/8/4k3/8/P7/PPPPPPPP/4K3
  mate
}"#,
        right: r#"chess {
  board 8/8/8/4k3/8/P7/1PPPPPPP/4K3
  mate
}"#,
    },
    Entry {
        code: Code::ImpossiblePosition,
        severity: Severity::Warning,
        title: "a position that no game leads to",
        text: "The side that is not to move is in check, the kings stand side by side, or a pawn or man \
stands on its last rank; or a castling right or an en passant square is one that the pieces cannot have, and \
does not count. The position is answered all the same.\n\nWho is to move is what `turn` or \
the board's notation says; without either it is white, or the colour that a `move` names.",
        wrong: r#"chess {
  board 8/8/8/8/8/8/3kK3/8
  mate
}"#,
        right: r#"chess {
  board 8/8/8/8/8/8/2k1K3/8
  mate
}"#,
    },
];
