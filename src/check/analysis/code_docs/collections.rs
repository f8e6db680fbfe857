//! The codes about several puzzles, and about single words.

use crate::analysis::code_docs::entry::Entry;
use cpz_text::diagnostic::{Code, Severity};

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        code: Code::DuplicatePuzzle,
        severity: Severity::Warning,
        title: "the same puzzle twice",
        text: "Two puzzles that are checked together have the same game, rules, side to move, position and \
queries. Unless a query names a move, a turned or mirrored board is the same too: in solitaire by \
all eight symmetries of a square (only left and right under `ranger` and `solo` where pawns are on \
the board), in chess left and right, in chess3d the 48 of the cube, in draughts none. In chess the colours may be \
exchanged too, with the side to move. Moves that are spelt in two ways, such as `Rd8` and \
`d1d8`, are the same where they mean the same move. `cpz check --hints` also names, as a hint, a puzzle with the \
same board and another question. `allow \
duplicate-puzzle` on a puzzle is for copies that are meant.",
        wrong: r#"chess {
  board 8/8/8/4k3/8/8/8/4K2R
  mate
}
chess {
  board 8/8/8/3k4/8/8/8/R2K4
  mate
}"#,
        right: r#"allow duplicate-puzzle
chess {
  board 8/8/8/4k3/8/8/8/4K2R
  mate
}
chess {
  board 8/8/8/3k4/8/8/8/R2K4
  mate
}"#,
    },
    Entry {
        code: Code::DuplicateName,
        severity: Severity::Warning,
        title: "a name used twice in a file",
        text: "Two puzzles of a file have the same name. `cpz check --hints` also names, as a hint, a name that a puzzle of \
another file has.",
        wrong: r#"chess "Rook" {
  board 8/8/8/4k3/8/8/8/4K2R
  mate
}
chess "Rook" {
  board 8/8/8/4k3/8/8/R7/4K3
  mate
}"#,
        right: r#"chess "Rook on h1" {
  board 8/8/8/4k3/8/8/8/4K2R
  mate
}
chess "Rook on a2" {
  board 8/8/8/4k3/8/8/R7/4K3
  mate
}"#,
    },
    Entry {
        code: Code::DuplicateId,
        severity: Severity::Error,
        title: "an id that another puzzle has",
        text: "An earlier puzzle of all that is checked together has the same `id`. Other programs find a puzzle by its \
               `id`, so each needs one of its own.",
        wrong: r#"chess {
  id rook-1
  board 8/8/8/4k3/8/8/8/4K2R
  mate
}
chess {
  id rook-1
  board 8/8/8/4k3/8/8/R7/4K3
  mate
}"#,
        right: r#"chess {
  id rook-1
  board 8/8/8/4k3/8/8/8/4K2R
  mate
}
chess {
  id rook-2
  board 8/8/8/4k3/8/8/R7/4K3
  mate
}"#,
    },
    Entry {
        code: Code::UnusedAllow,
        severity: Severity::Hint,
        title: "an allow that silences nothing",
        text: "`allow` names a code that was not found here, or no code at all. It can be removed. Of `dual`, \
`duplicate-name` and `duplicate-puzzle` only `cpz check --hints` says so, because it alone looks for all that they silence.",
        wrong: r#"chess {
  allow unsolvable
  board 8/8/8/4k3/8/8/8/4K2R
  mate
}"#,
        right: r#"chess {
  board 8/8/8/4k3/8/8/8/4K2R
  mate
}"#,
    },
    Entry {
        code: Code::KingLetter,
        severity: Severity::Hint,
        title: "a capital that stands for a king",
        text: "In draughts a lone `B` or `W` is a king, as in text boards; men are `b` and `w`, or `m` and \
`M`. Where a man was meant the fix makes it one.",
        wrong: r#"draughts {
  board [['K', 11], ['B', 33]]
  capture
}"#,
        right: r#"draughts {
  board [['K', 11], ['b', 33]]
  capture
}"#,
    },
    Entry {
        code: Code::InvalidValue,
        severity: Severity::Error,
        title: "a value that cannot be read",
        text: "The value of a property, a move or a written answer is not one that belongs there: `origin 2`, \
`turn green`, a move that names no square, a word where a number belongs. The message says what \
may stand there. What depends on the value is not judged until it can be read. A `cpz.toml` with such a \
value is not used. A star behind a stipulation, as in `#2*`, is a warning if the problem has no set play.",
        wrong: r#"solitaire {
  rules strict
  board ...N.....R....B.
  solve
}"#,
        right: r#"solitaire {
  rules ranger
  board ...N.....R....B.
  solve
}"#,
    },
];
