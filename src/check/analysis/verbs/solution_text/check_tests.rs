//! What is found in written solutions. The positions are endings of a few men, which a person checks by hand.

use proptest::prelude::*;

use crate::analysis::verbs::problem_position::problem_position;
use crate::analysis::verbs::solution_text::{
    CheckedSolution, check_solution, read_solution, sequence_movetext, solution_movetext,
};
use crate::analysis::verbs::written_words::WrittenWord;
use crate::analysis::{bind_one, position_of};
use cpz_rules::games::{Budget, Position, Prover, Stipulation, find_keys, find_sequences, solution_tree};
use cpz_text::diagnostic::Span;
use cpz_text::syntax::parse;

/// Two moves: 1.Rxc5! zugzwang, Ka8 2.Rc8#. The try 1.Kb6 is refuted by 1...c4.
const ROOK: &str = "1k6/8/K1R5/2p5/8/8/8/8 w";
/// Two moves: 1.Kc7! threatens 2.Ra1#.
const CORNER: &str = "k7/8/2K5/8/8/8/8/1R6 w";
/// Two moves: 1.Qe5! Kxf3 2.O-O#, Kxh1 2.Qh2#.
const CASTLING: &str = "8/8/4pN2/8/8/2Q2N2/6k1/4K2R w K";
/// Selfmate in two: 1.Qd1! zugzwang, b3 2.Qg4 b2#.
const SELFMATE: &str = "8/8/8/8/1p6/k7/p7/K5Q1 w";
/// Helpmate in two with twelve solutions, such as 1.Rg2 Qc1 2.Rg8 Qh6#.
const HELPMATE: &str = "7k/8/8/6Q1/8/5K2/8/6r1 b";

/// The mirror of [`ROOK`]: Black mates.
const BLACK: &str = "8/8/8/8/2P5/k1r5/8/1K6 b";

fn stipulation(text: &str) -> Stipulation {
    Stipulation::from_short(text).expect("a stipulation")
}

fn position(board: &str, asked: Stipulation) -> Position {
    let tree = parse(format!("chess {{ board \"{board}\" }}"));
    let bound = bind_one(tree.puzzles().next().expect("a puzzle"), Default::default()).expect("chess");
    problem_position(&bound, &position_of(&bound).expect("a position"), asked)
}

fn strings<'t>(texts: &[&'t str]) -> Vec<WrittenWord<'t>> {
    let mut start = 0;
    let word = |&text: &&'t str| {
        let span = Span::new(start, start + text.len() as u32);
        start = span.end;
        WrittenWord { text, span }
    };
    texts.iter().map(word).collect()
}

fn checked(board: &str, asked: &str, texts: &[&str]) -> CheckedSolution {
    let asked = stipulation(asked);
    let start = position(board, asked);
    let written = read_solution(&strings(texts), asked, start.turn);
    check_solution(&written, &start, asked, &Budget::new(1_000_000, None))
}

/// Checks the findings in a solution, each as `code "place": message`.
#[track_caller]
fn found(board: &str, asked: &str, text: &str, expected: &[&str]) {
    let checked = checked(board, asked, &[text]);
    let line = |f: &cpz_text::diagnostic::Finding| {
        format!("{} {:?}: {}", f.code.name(), &text[f.span.range()], f.message)
    };
    let findings: Vec<String> = checked.findings.iter().map(line).collect();
    assert_eq!(findings, expected, "{text}");
    assert_eq!(checked.undecided, None);
}

#[track_caller]
fn holds(board: &str, asked: &str, text: &str) {
    found(board, asked, text, &[]);
    let checked = checked(board, asked, &[text]);
    assert!(checked.keys.iter().all(|key| key.mates.is_some()), "{text}");
}

#[test]
fn trees_that_hold_are_clean() {
    holds(ROOK, "#2", "1. Rxc5 Ka8 2. Rc8#");
    holds(ROOK, "#2", "1.Rc6*c5 ! zugzwang.  1...Kb8-a8  2.Rc5-c8 #");
    let printed = "
      1...Kb8-a8
          2.Rc6-c8 #

   1.Ka6-b6 ? zugzwang.
      1...Kb8-a8
          2.Rc6-c8 #
    but
      1...c5-c4 !

   1.Rc6*c5 ! zugzwang.
      1...Kb8-a8
          2.Rc5-c8 #

   1.Rc6-c8 + ?
    but
      1...Kb8*c8 !
";
    holds(ROOK, "#2", printed);
    holds("7k/8/5K2/8/8/8/6P1/6Q1 w", "#2", "1.Qa7! (2.Qg7#) 1.Kf7! [2.Qh2#, Qh1#]");
    holds(CORNER, "#2", "1.Tb1-b2? but 1.- Ka7! 1.Kc7! droht 2.Ta1#");
    holds(CASTLING, "#2", "1.Qe5! ~ 2.Qh2# 1...Kxf3 2.O-O#");
    holds(CASTLING, "#2", "23. Qe5! Kxf3 (23... Kxh1 24. Qh2#) 24. O-O#");
    holds(CASTLING, "#2", "1.Qe5! K~ 2.Qh2# 1...Kxf3 2.O-O#");
    holds("7k/5K2/8/6Q1/8/8/8/8 w", "=1", "1. Qg6 stalemate");
    // A line behind a try without marks, as games have it, claims no mate.
    holds("7k/8/5KQ1/8/8/8/8/8 w", "#1", "1. Qg7# (1. Qh5+? Kg8)");
    holds(ROOK, "#2", "1. Rxc5 (1. Rc8+? Kxc8 2. Kb6 Kb8) 1... Ka8 2. Rc8#");
    holds(BLACK, "#2", "1... Rxc4 2. Ka1 Rc1#");
    holds(BLACK, "#2", "1...Ka1 2.Rc1# 1.Rxc4! zz 1...Ka1 2.Rc1#");
    holds(SELFMATE, "s#2", "1...b3 2.Qg4 b2#  1.Qg8? b3 2.Qc4 b2# but 1...Ka4!  1.Qd1! zz 1...b3 2.Qg4 b2#");
}

#[test]
fn keys_and_tries_are_named() {
    let checked = checked(ROOK, "#2", &["1.Kb6? c4! 1.Rxc5!", "Rc7", "1.Rc8+"]);
    let keys: Vec<_> = checked.keys.iter().map(|k| (k.mv.uci(), k.mates, k.refutation.is_some())).collect();
    let tries: Vec<_> = checked.tries.iter().map(|k| k.mv.uci()).collect();
    let names = [("c6c5", Some(2), false), ("c6c7", None, true), ("c6c8", None, true)];
    assert_eq!(keys, names.map(|(mv, mates, refuted)| (mv.to_string(), mates, refuted)));
    assert_eq!(tries, ["a6b6"]);
    let moves: Vec<_> = checked.moves.iter().map(|m| (m.mv.uci(), m.parent)).collect();
    assert_eq!(moves[..3], [("a6b6".into(), None), ("c5c4".into(), Some(0)), ("c6c5".into(), None)]);
}

#[test]
fn the_first_wrong_step_is_reported() {
    let cases = [
        ("1. Rxc5 Ka8 2. Rc7#", "\"Rc7#\": 2.Rc7 does not mate: no check, and Kb8 is possible"),
        ("1. Rxc5 Ka7 2. Rc9#", "\"Ka7\": this move is illegal: a7 is guarded by the king on a6"),
        ("1. Rxc5 Ka8 2. Rc8# Kb8", "\"Kb8\": this line is longer than a mate in 2"),
        ("1. Rxc5 Ka8 3. Rc8#", "\"3.\": the move here has the number 2."),
        ("1. Rxc5 Ka8 2. Rd8#", "\"Rd8#\": this move is illegal: the rook on c5 does not reach d8"),
        ("1. Rxc5 (1. Rc8+? Kxc8 2. Rc7)", "\"Rc7\": this move is illegal: white has no rook"),
    ];
    for (text, expected) in cases {
        found(ROOK, "#2", text, &[&format!("wrong-solution {expected}")]);
    }
    let cases = [
        ("1. Rxc5 Ka8 2. Rc7 Kb8 3. Ra7", "\"Rc7\": 2.Rc7 does not force a mate in 2: 2...Kb8 and no mate"),
        ("1. Rxc5 Ka8 2. Rc8# Ka7", "\"Ka7\": nothing can follow, since the move before this is mate"),
    ];
    for (text, expected) in cases {
        found(ROOK, "#3", text, &[&format!("wrong-solution {expected}")]);
    }
    let queen = ["wrong-solution \"Qf1\": 2.Qf1 does not force mate: 2...Ka4 is possible"];
    found(SELFMATE, "s#2", "1.Qd1! b3 2.Qf1 b2#", &queen);
}

#[test]
fn a_wrong_step_has_the_right_one_as_a_fix() {
    let fixes = |text: &str| -> Vec<String> {
        let checked = checked(ROOK, "#2", &[text]);
        checked.findings.iter().flat_map(|f| &f.fixes).map(|f| f.title.clone()).collect()
    };
    assert_eq!(fixes("1. Rxc5 Ka8 2. Rc7#"), ["replace with `Rc8#` (if the board is right)"]);
    assert_eq!(fixes("1. Rxc5 Ka8 2. Rd8#")[0], "replace with `Rc8`");
    // The right one is there already; this one may have lost the reply that it answers.
    let beside = "1.Rc6*c5 !\n  1...Kb8-a8\n    2.Rc5-c8 #\n    2.Rc5-c7 #";
    found(
        ROOK,
        "#2",
        beside,
        &["wrong-solution \"Rc5-c7 #\": 2.Rc7 does not mate: no check, and Kb8 is possible"],
    );
    assert!(fixes(beside).is_empty());
}

#[test]
fn claims_are_checked_as_such() {
    let cases = [
        ("1.Rxc5? Ka8! 1.Rxc5!", "\"Rxc5\": 1.Rxc5 is no try: it solves"),
        ("1.Kb6? Ka8! 1.Rxc5!", "\"Ka8\": 1...Ka8 does not refute: 2.Rc8#"),
        ("1.Rc7? Kxc7! 1.Rxc5!", "\"Rc7\": 1.Rc7 is no try: 1...c4 and 1...Kxc7 refute it"),
        ("1.Rxc5! (2.Rc8#) Ka8 2.Rc8#", "\"Rc8#\": 2.Rc8+ is no threat: check, but Kxc8"),
        ("1.Rxc5! threat: 1...Ka8 2.Rc8#", "\"threat:\": this move threatens nothing"),
        ("1...c4 2.Rc8# 1.Rxc5!", "\"Rc8#\": 2.Rc8+ does not mate: check, but Kxc8"),
        ("1.Rc8? zz but 1...Kxc8! 1.Rxc5!", "\"zz\": this is no zugzwang, since the move gives check"),
    ];
    for (text, expected) in cases {
        found(ROOK, "#2", text, &[&format!("wrong-solution {expected}")]);
    }
    holds(ROOK, "#2", "1.Rc7? but 1...Kxc7! 1...c4! 1.Rxc5!");
    let zugzwang = ["wrong-solution \"zugzwang.\": this is no zugzwang: it threatens 2.Ra1#"];
    found(CORNER, "#2", "1.Kc7! zugzwang. 1...Ka7 2.Ra1#", &zugzwang);
    let any = ["wrong-solution \"O-O#\": `~` has another answer too: this does not hold after each move"];
    found(CASTLING, "#2", "1.Qe5! ~ 2.O-O#", &any);
}

#[test]
fn a_solution_of_another_position_is_one_finding() {
    let foreign = "wrong-solution \"Qd1\": this is the solution of another position: white has no queen";
    found(ROOK, "#2", "1.Qd1! zz 1...b3 2.Qg4 b2# 1...Kb3 2.Qd3#", &[foreign]);
    let foreign = "wrong-solution \"Be3\": this is the solution of another position: black has no bishop";
    found(HELPMATE, "h#2", "1.Be3 Kc1 2.Bg7 Qd8#", &[foreign]);
}

#[test]
fn what_cannot_be_read_is_one_finding() {
    let open = ["invalid-value \"(\": this variation is not closed; write `)` where it ends"];
    found(ROOK, "#2", "1. Rxc5 (1. Kb6 Kc7 2. Rc8# 2. Rc8#", &open);
    let prose = ["invalid-value \"White\": `White` is no move, and no word of a solution"];
    found(ROOK, "#2", "1. Rxc5 and White wins easily", &prose);
}

#[test]
fn marks_and_ambiguous_moves_are_reported() {
    let marks =
        ["wrong-mark \"+\": this move gives no check", "wrong-mark \"+\": this is mate, not only check"];
    found(ROOK, "#2", "1. Rxc5+ Ka8 2. Rc8+", &marks);
    found(ROOK, "#2", "1. Rxc5# Ka8 2. Rc8#", &["wrong-mark \"#\": this is no mate, and not even check"]);
    let rooks = ["ambiguous-move \"Re1\": the rooks on d1 and h1 can both make this move; write which"];
    found("k7/8/1K6/8/8/8/8/3R3R w", "#1", "1.Re1 1.Rh8#", &rooks);
}

#[test]
fn left_out_variations_are_hints() {
    let left_out = ["missing-variation \"Qe5\": 1...Kxh1 is left out, though it lasts to the last move"];
    found(CASTLING, "#2", "1.Qe5! Kxf3 2.O-O#", &left_out);
    let answer = ["missing-variation \"Kxh1\": the answer to `Kxh1` is not written"];
    found(CASTLING, "#2", "1.Qe5! Kxf3 2.O-O# 1...Kxh1", &answer);
    found(CASTLING, "#2", "1.Qe5!", &[]);
    found(CORNER, "#2", "1.Kc7! (2.Ra1#) 1...Ka7 2.Ra1#", &[]);
}

#[test]
fn helpmates_are_lines_of_their_length() {
    holds(HELPMATE, "h#2", "1.Rg2 Qc1 2.Rg8 Qh6#  1.Rg2 Qd2 2.Rg8 Qh6#");
    holds(HELPMATE, "h#2", "1. Rg2 Qc1 (1... Qd2 2. Rg8 Qh6#) 2. Rg8 Qh6#");
    holds(HELPMATE, "h#2", "1...Kf4? 2.Rg2 1.Rg2 Qc1 2.Rg8 Qh6#");
    let lines = checked(HELPMATE, "h#2", &["1.Rg2 Qc1 2.Rg8 Qh6#", "Rg2 Qd2 Rg8 Qh6#"]).lines;
    assert_eq!(lines.len(), 2);
    let cases = [
        ("1.Rg2 Qc1 2.Rg8 Qh1#", "\"Qh1#\": this line does not end with mate"),
        ("1.Rg2 Qc1 2.Rg8", "\"Rg8\": this line ends before mate: it has 3 half moves of 4"),
        ("1.Kh7 Kf4 2.Rg2 Qd8 3.Rg8", "\"Rg8\": this line has 5 half moves; a helpmate in 2 has 4"),
        (
            "1.Rg2/Rg4 Qc1 2.Rg8 Qh6#",
            "\"Rg4\": write each solution as a line of its own: a problem of this kind has no variations",
        ),
    ];
    for (text, expected) in cases {
        found(HELPMATE, "h#2", text, &[&format!("wrong-solution {expected}")]);
    }
}

#[test]
fn what_is_printed_is_read_back_and_holds() {
    let battles =
        [(ROOK, "#2"), (CORNER, "#2"), (CORNER, "#3"), (CASTLING, "#2"), (SELFMATE, "s#2"), (BLACK, "#2")];
    for (board, asked) in battles {
        let (budget, stipulation) = (Budget::new(10_000_000, None), stipulation(asked));
        let start = position(board, stipulation);
        let keys = find_keys(&start, stipulation, &budget).expect("keys").keys;
        let mut prover = Prover::new(stipulation, start.turn, &budget);
        let tree = |key: &cpz_rules::games::Key| solution_tree(&mut prover, &start, stipulation, key.mv);
        let trees: Vec<_> = keys.iter().map(tree).collect::<Result<_, _>>().expect("trees");
        let text = solution_movetext(&start, &trees);
        let read = checked(board, asked, &[&text]);
        assert!(read.findings.is_empty(), "{text}: {:?}", read.findings);
        assert_eq!(read.keys.len(), keys.len(), "{text}");
    }
    let stipulation = stipulation("h#2");
    let start = position(HELPMATE, stipulation);
    let all = find_sequences(&start, stipulation, &Budget::new(10_000_000, None)).expect("solutions");
    let texts: Vec<String> =
        all.solutions.iter().map(|moves| sequence_movetext(&start, stipulation, moves)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let read = checked(HELPMATE, "h#2", &texts);
    assert!(read.findings.is_empty(), "{:?}", read.findings);
    assert!(read.lines.iter().map(|line| &line.moves).eq(&all.solutions));
}

#[test]
fn movetext_has_a_variation_for_each_answer() {
    let stipulation = stipulation("#2");
    let budget = Budget::new(10_000_000, None);
    let text = |board: &str, key: usize| {
        let start = position(board, stipulation);
        let keys = find_keys(&start, stipulation, &budget).expect("keys").keys;
        let mut prover = Prover::new(stipulation, start.turn, &budget);
        let tree = solution_tree(&mut prover, &start, stipulation, keys[key].mv).expect("a tree");
        solution_movetext(&start, &[tree])
    };
    assert_eq!(text(ROOK, 0), "1. Rxc5 Ka8 2. Rc8#");
    assert_eq!(text(BLACK, 0), "1... Rxc4 2. Ka1 Rc1#");
    assert_eq!(text(CASTLING, 0), "1. Qe5 Kxf3 (1... Kxh1 2. Qh2#) 2. O-O#");
}

#[test]
fn long_texts_are_read_in_linear_time() {
    for part in ["[", ";1.", "(", "1...~ 1...Ka8 ", "1...~ ", "1.Rxc5/", "a1/", "+", "1.Rxc5 (2.Rc8#) "] {
        let text = part.repeat(10_000);
        for asked in ["#3", "h#3"] {
            checked(ROOK, asked, &[&text]);
        }
    }
}

/// Parts of solutions, to be put together at random.
const PARTS: [&str; 48] = [
    "1.",
    "1...",
    "2.",
    "2...",
    "3.",
    "0",
    "1…",
    " ",
    "\n",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "{or ",
    ";",
    ",",
    "/",
    "!",
    "?",
    "+",
    "#",
    "$1",
    "~",
    "...",
    "-",
    "–",
    "zugzwang.",
    "threat:",
    "but",
    "a)",
    "Kb8-a8",
    "Rxc5",
    "Rc8#",
    "c4",
    "c8=Q",
    "/S",
    "(N)",
    "exd6",
    "ep.",
    "O-O",
    "0-0-0",
    "Крa8",
    "é",
    "S~",
    ">",
    "Ka8/b8",
];

proptest! {
    #[test]
    fn any_text_is_read_and_checked(
        parts in proptest::collection::vec((0..PARTS.len(), any::<bool>()), 0..40),
        noise in ".{0,6}",
        kind in 0..3usize,
    ) {
        let mut text: String = noise;
        for (part, has_space) in parts {
            text += PARTS[part];
            if has_space {
                text.push(' ');
            }
        }
        let asked = ["#2", "s#3", "h#2.5"][kind];
        for board in [ROOK, CASTLING, SELFMATE] {
            for finding in checked(board, asked, &[&text]).findings {
                prop_assert!(text.get(finding.span.range()).is_some(), "{:?}", finding.span);
                for edit in finding.fixes.iter().flat_map(|fix| &fix.edits) {
                    prop_assert!(text.get(edit.span.range()).is_some(), "{:?}", edit.span);
                }
            }
        }
    }
}
