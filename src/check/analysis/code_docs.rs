//! The table of diagnostic codes. `check`, `explain`, SARIF, the server and the manual read it.

use cpz_text::diagnostic::{Code, Severity};

/// What a code means.
pub struct Entry {
    /// The code.
    pub code: Code,
    /// Its default severity.
    pub severity: Severity,
    /// A few words, for lists.
    pub title: &'static str,
    /// The explanation, in Markdown, without a heading.
    pub text: &'static str,
    /// A text with such a finding.
    pub wrong: &'static str,
    /// The text without the finding.
    pub right: &'static str,
}

impl Entry {
    /// The whole explanation with its examples, in Markdown, without a heading.
    pub fn page(&self) -> String {
        let shown = |text: &str| text.lines().map(|l| format!("    {l}\n")).collect::<String>();
        format!(
            "{}\n\nFor example:\n\n{}\nand without it:\n\n{}",
            self.text,
            shown(self.wrong),
            shown(self.right)
        )
    }
}

/// The entry of a code.
pub fn entry(code: Code) -> &'static Entry {
    &TABLE[code as usize]
}

/// All entries, in the order of the manual.
pub static TABLE: &[Entry] = &[
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
chess3d `mate`, draughts `capture`. The properties `rules` and `unique` belong to solitaire, `turn` \
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
    Entry {
        code: Code::IllegalMove,
        severity: Severity::Error,
        title: "a move that cannot be made",
        text: "No piece of that colour and kind can make the move; the message says why for each that comes \
near. Castling and en passant are legal where the puzzle says that they are: in a FEN's third and fourth field. If the \
move is meant to be illegal, write that as its answer: `move Rh2 => illegal`.",
        wrong: r#"chess {
  board 8/8/8/4k3/8/8/8/4K2R
  move Rg7
}"#,
        right: r#"chess {
  board 8/8/8/4k3/8/8/8/4K2R
  move Rg7 => illegal
}"#,
    },
    Entry {
        code: Code::Unsolvable,
        severity: Severity::Error,
        title: "a puzzle without a solution",
        text: "Every sequence of captures leaves more than one piece; the search was complete. Collections \
differ in their rules, so the other dialects are tried too, and where one works the message says so: \
`rules default` (pawns capture in all diagonal directions), `rules ranger` (upwards only), `rules \
solo` (upwards only, no piece captures more than twice, a king is never captured). If it is meant to \
have none, write `solve => none`.\n\n`cpz repair`, and the actions of an editor, propose the changes of one piece after \
which the board has a solution.",
        wrong: r#"solitaire {
  rules ranger
  board
    ....
    .P..
    R...
    ....
  solve
}"#,
        right: r#"solitaire {
  rules default
  board
    ....
    .P..
    R...
    ....
  solve
}"#,
    },
    Entry {
        code: Code::WrongAnswer,
        severity: Severity::Error,
        title: "a written answer that is wrong",
        text: "The answer after `=>` differs from the one that cpz found. The fix replaces it with that one; \
but the mistake may be in the board instead.",
        wrong: r#"chess {
  board 8/8/8/4k3/8/8/8/4K2R
  move Rh8 => illegal
}"#,
        right: r#"chess {
  board 8/8/8/4k3/8/8/8/4K2R
  move Rh8 => legal
}"#,
    },
    Entry {
        code: Code::WrongSolution,
        severity: Severity::Error,
        title: "a written solution that does not work",
        text: "A step of the written sequence cannot be made, or the sequence stops short. Steps are \
replayed one by one; the first that fails is marked, with what stands there and what it could \
capture instead. The notes say which step was the last one before which the board could still be solved, \
or the mate was still there: every such claim is proved.",
        wrong: r#"solitaire {
  board
    ....
    .B..
    RP..
    ...N
  solve => [[[3,0], [1,1]], [[0,1], [1,2]]]
}"#,
        right: r#"solitaire {
  board
    ....
    .B..
    RP..
    ...N
  solve => [[[3,0], [1,1]], [[0,1], [1,1]], [[1,1], [1,2]]]
}"#,
    },
    Entry {
        code: Code::WrongMark,
        severity: Severity::Warning,
        title: "a mark of check or mate that does not hold",
        text: "`+` behind a move says that it gives check, `#` that it is mate. A mark that does not hold is removed or \
replaced by the fix. `#` where it is no mate is an error, because the answer rests on it; the message gives a way out. A \
severity in `cpz.toml` applies to both.",
        wrong: r#"chess {
  board 8/8/8/4k3/8/8/8/4K2R
  move Rh4+
}"#,
        right: r#"chess {
  board 8/8/8/4k3/8/8/8/4K2R
  move Rh4
}"#,
    },
    Entry {
        code: Code::AmbiguousMove,
        severity: Severity::Error,
        title: "a written move that means several",
        text: "Two pieces can make the move as it is written, or a pawn reaches its last rank and the move does not say \
what it becomes. Each fix writes one of the moves in full. A move as a list, `[\"W\",\"N\",4,2]`, asks whether any \
such piece can make it, and is never ambiguous.",
        wrong: r#"chess {
  board 4k3/8/8/8/8/5N2/8/1N2K3
  move Nd2
}"#,
        right: r#"chess {
  board 4k3/8/8/8/8/5N2/8/1N2K3
  move Nbd2
}"#,
    },
    Entry {
        code: Code::NotUnique,
        severity: Severity::Warning,
        title: "a second solution to a unique puzzle",
        text: "The puzzle says `unique`, and has two solutions with different sets of captures. The same \
captures in another order are the same solution here.\n\n`cpz repair`, and the actions of an editor, propose the changes of \
one piece after which there is one solution.",
        wrong: r#"solitaire {
  unique
  board
    ....
    ....
    ....
    RRR.
  solve
}"#,
        right: r#"solitaire {
  board
    ....
    ....
    ....
    RRR.
  solve
}"#,
    },
    Entry {
        code: Code::ShortSolution,
        severity: Severity::Warning,
        title: "a mate in fewer moves than the problem says",
        text: "The problem asks for mate in so many moves, and a first move forces it in fewer. The message names that \
move. Composers call this a short solution.\n\n`cpz repair`, and the actions of an editor, propose the changes of one \
piece after which the problem is sound.",
        wrong: r#"chess {
  board 4k3/R7/8/8/8/8/8/4K2R w - - 0 1
  mate in 2
}"#,
        right: r#"chess {
  board 4k3/R7/8/8/8/8/8/4K2R w - - 0 1
  mate in 1
}"#,
    },
    Entry {
        code: Code::Cook,
        severity: Severity::Warning,
        title: "more keys or solutions than intended",
        text: "A problem has one key, and a helpmate one solution, unless `solutions` or a written list says how many are \
intended. Another first move that solves too is a cook: the problem is faulty.\n\nIf all of them are intended, write them all \
as the answer, or `solutions 2`.\n\n`cpz repair`, and the actions of an editor, propose the changes of one piece after \
which the problem is sound.",
        wrong: r#"chess {
  board 7k/8/6K1/8/8/8/8/RR6 w - - 0 1
  mate in 1 => Rb8#
}"#,
        right: r#"chess {
  board 7k/8/6K1/8/8/8/8/RR6 w - - 0 1
  mate in 1 => [Ra8#, Rb8#]
}"#,
    },
    Entry {
        code: Code::Dual,
        severity: Severity::Hint,
        title: "a second continuation after the key",
        text: "In a variation of full length the attacker has a second move that mates in time. Threats and shorter lines \
are not counted. Many sound problems have duals, so this code is off: `dual = \"hint\"` under `[severity]` in `cpz.toml` \
turns it on.",
        wrong: r#"chess {
  board 8/8/8/8/8/K3Q3/B1k5/8 w - - 0 1
  mate in 2
}"#,
        right: r#"chess {
  board 1Q6/8/8/8/8/k2K4/8/8 w - - 0 1
  mate in 2
}"#,
    },
    Entry {
        code: Code::MissingVariation,
        severity: Severity::Hint,
        title: "a defence that a written tree leaves out",
        text: "A written solution names some of the defences, and leaves out one after which the attacker needs all of \
his moves. A tree with one variation for each answer is complete.",
        wrong: r#"chess {
  board 1Q6/8/8/8/8/k2K4/8/8 w - - 0 1
  mate in 2 => "1. Kc3 Ka2 2. Qb2#"
}"#,
        right: r#"chess {
  board 1Q6/8/8/8/8/k2K4/8/8 w - - 0 1
  mate in 2 => "1. Kc3 Ka2 (1... Ka4 2. Qb4#) 2. Qb2#"
}"#,
    },
    Entry {
        code: Code::HelpmateTurn,
        severity: Severity::Hint,
        title: "a helpmate that the other side begins",
        text: "In a helpmate of whole moves black begins and is mated; with half a move more white begins. The puzzle, or \
its FEN, says otherwise, so that the other colour is mated. FENs of helpmates often say `w` by mistake.",
        wrong: r#"chess {
  board r7/8/8/8/8/6k1/8/6K1 w - - 0 1
  helpmate in 1
}"#,
        right: r#"chess {
  board 6k1/8/6K1/8/8/8/8/R7 b - - 0 1
  helpmate in 1
}"#,
    },
    Entry {
        code: Code::UnsupportedStipulation,
        severity: Severity::Warning,
        title: "a stipulation that is kept and not solved",
        text: "Composers ask more than cpz solves: double mates, parry series, captures en passant and the like. Such a \
stipulation is named here once. It is kept as it is, with its solution, also in exports; nothing is claimed about it, and \
the puzzle is not compared with others.",
        wrong: r#"chess {
  board 7k/8/6K1/8/8/8/8/R7 w - - 0 1
  h##2
}"#,
        right: r#"chess {
  board 7k/8/6K1/8/8/8/8/R7 w - - 0 1
  #1
}"#,
    },
    Entry {
        code: Code::UnsupportedCondition,
        severity: Severity::Warning,
        title: "a condition that is kept and not solved",
        text: "A fairy condition, such as Circe, changes the rules. cpz solves problems under the rules of chess, so a problem \
with a `condition` is kept with its solution and not solved; nothing is claimed about it, and it is not compared with others.",
        wrong: r#"chess {
  board 7k/8/6K1/8/8/8/8/R7 w - - 0 1
  condition "Circe"
  mate in 1
}"#,
        right: r#"chess {
  board 7k/8/6K1/8/8/8/8/R7 w - - 0 1
  mate in 1
}"#,
    },
    Entry {
        code: Code::Undecided,
        severity: Severity::Warning,
        title: "a search that used up its budget",
        text: "The answer was not found within the work allowed for one query. The work is counted in nodes \
of the search, so the same puzzle is decided, or not, on every machine. Nothing is guessed.\n\nA larger budget may decide it: `--budget` on the command line, or `budget` in `cpz.toml`.",
        wrong: r#"solitaire {
  board
    NNNNNNNN
    ........
    BBBBBBBB
    ........
    PPPPPPPP
    KKKKKKKK
    ........
    RRRRRRRR
  solve
}"#,
        right: r#"solitaire {
  board
    NN
    BB
    RR
  solve
}"#,
    },
    Entry {
        code: Code::DuplicatePuzzle,
        severity: Severity::Warning,
        title: "the same puzzle twice",
        text: "Two puzzles that are checked together have the same game, rules, side to move, position and \
queries. Unless a query names a move, a turned or mirrored board is the same too: in solitaire by \
all eight symmetries of a square (only left and right under `ranger` and `solo` where pawns are on \
the board), in chess left and right, in chess3d the 48 of the cube, in draughts none. In chess the colours may be \
exchanged too, with the side to move, except in helpmates. Moves that are spelt in two ways, such as `Rd8` and \
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
        text: "`allow` names a code that was not found here, or no code at all. It can be removed.",
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
value is not used.",
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_every_code_in_order() {
        let codes: Vec<Code> = TABLE.iter().map(|e| e.code).collect();
        assert_eq!(codes, Code::ALL);
    }
}
