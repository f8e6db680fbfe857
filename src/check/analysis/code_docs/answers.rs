//! The codes about questions and answers.

use crate::analysis::code_docs::entry::Entry;
use cpz_text::diagnostic::{Code, Severity};

pub(super) const ENTRIES: &[Entry] = &[
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
        text: "The search was complete and found nothing. If there is meant to be nothing, write `=> none` behind the \
question, as in `solve => none`.\n\nIn solitaire every sequence of captures leaves more than one piece. Collections \
differ in their rules, so the other dialects are tried too, and where one works the message says so: \
`rules default` (pawns capture in all diagonal directions), `rules ranger` (upwards only), `rules \
solo` (upwards only, no piece captures more than twice, a king is never captured).\n\nIn a chess problem no first move \
forces what is asked, or there is no helpmate or series of this length, in a twin or a duplex just as in the diagram. The \
message names the length that works if one move more does, or else the best try: a first move with only one refutation.\n\n`cpz repair`, and the actions of an editor, propose the changes of one piece after \
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
        text: "The answer after `=>` differs from the one that cpz found: a verdict, a number, a capture, a key that does \
not force what is asked, `none` where there is something, or a key or solution that is written twice. A fix replaces it with \
the right one; but the mistake may be in the board instead.",
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
replaced by the fix, which `cpz check --fix` makes behind a `move` and leaves to you in a written line. `#` where it is no \
mate is an error, because the answer rests on it; the message gives a way out. A \
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
        text: "The problem asks for mate in so many moves, and a first move forces it in fewer, or in a helpmate or a series \
fewer moves reach it. The message names that move, or those moves. Composers call this a short solution.\n\n`cpz repair`, and the actions of an editor, propose the changes of one \
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
with a `condition` is kept with its solution and not solved; nothing is claimed about it, and it is not compared with others. \
A name that is no well-known condition may be a slip: the warning asks about it.",
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
of the search, so the same puzzle is decided, or not, on every machine. Nothing is guessed. A search \
that counts solutions says how many it has found: there are at least as many.\n\nA larger budget may decide it: `--budget` on the command line, or `budget` in `cpz.toml`.",
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
];
