//! Whatever cpz prints as an answer can be pasted behind `=>`, and is read and found right; a spoilt one is not.

use cpz::analysis::{Config, Notation, Options, Outcome, SquareStyle, analyse, answer_text};
use cpz::board::square_name;
use cpz::games::{Answer, Capture};
use cpz::ide::{AnswerStyle, answer_in_words};
use cpz::syntax::{Verb, parse};
use proptest::prelude::*;

/// The findings of a puzzle, and the answers to its queries with the ends of these.
fn report(text: &str) -> (Vec<String>, Vec<(Verb, u32, Outcome)>) {
    let options = Options { nodes: 50_000, answers: true, ..Options::new(Config::default().into()) };
    let report = analyse(&parse(text), &options);
    let findings =
        report.findings().iter().map(|(f, _)| format!("{}: {}", f.code.name(), f.message)).collect();
    let queries = report.puzzles.into_iter().flat_map(|p| p.queries);
    (findings, queries.map(|q| (q.verb, q.asked.end, q.outcome)).collect())
}

/// Everything that cpz prints or inserts as this answer.
fn printed(answer: &Answer, board: &cpz::board::Board, origin: u8) -> Vec<String> {
    let mut all = vec![
        answer_in_words(answer, AnswerStyle::Short(Some(board))),
        answer_in_words(answer, AnswerStyle::Short(None)),
        answer_in_words(answer, AnswerStyle::Listing),
    ];
    let long = answer_in_words(answer, AnswerStyle::Long(Some(board)));
    all.extend(long.lines().next().map(String::from));
    if let Answer::Capture { lines, .. } = answer {
        // The captures of a hover and of a tooltip, one a line.
        all.extend(long.lines().skip(1).map(String::from));
        assert_eq!(long.lines().count(), lines.len() + 1);
    }
    for (squares, _) in SquareStyle::ALL {
        for booleans in [false, true] {
            for remark in [false, true] {
                all.extend(answer_text(answer, origin, Notation { squares, booleans }, remark));
            }
        }
    }
    if let Answer::Solve(Some(captures)) = answer {
        all.extend(spellings(captures, board));
    }
    all.retain(|text| !text.contains('?') && text != "solutions not counted");
    all.sort();
    all.dedup();
    all
}

/// A solution in other spellings of chess notation.
fn spellings(captures: &[Capture], board: &cpz::board::Board) -> Vec<String> {
    if captures.is_empty() {
        return Vec::new();
    }
    let mut board = board.clone();
    let (mut plain, mut lettered, mut taken, mut numbered) = (vec![], vec![], vec![], vec![]);
    for (i, c) in captures.iter().enumerate() {
        let (from, to) = (square_name(c.from, false), square_name(c.to, false));
        let (a, b) = (board.index(c.from), board.index(c.to));
        let letter = |cell: usize| board.cells[cell].map_or('?', |p| p.kind.letter());
        plain.push(format!("{from}{to}"));
        lettered.push(format!("{}{from}x{to}!", letter(a)));
        taken.push(format!("{from}-{}{to}", letter(b)));
        numbered.push(format!("{}. {from}×{to}", i + 1));
        board.cells[b] = board.cells[a].take();
    }
    vec![
        plain.join(" "),
        lettered.join(", "),
        format!("[{}]", taken.join(", ")),
        format!("\"{}\"", numbered.join(" ")),
        format!("['{}']", plain.join("' '")),
    ]
}

/// Wrong answers that are nearly right.
fn spoilt(answer: &Answer) -> Vec<String> {
    match answer {
        Answer::Solve(None) => vec!["a1xa2".into(), "[]".into()],
        Answer::Solve(Some(captures)) => {
            let text = cpz::analysis::solution_in_names(captures);
            let steps: Vec<&str> = text.split_whitespace().collect();
            let mut all = vec!["none".to_string(), "no solution".into()];
            if let [first, rest @ ..] = steps.as_slice() {
                all.push(format!("{first} {text}"));
                all.push(format!("2. {text}"));
                all.push([&steps[..steps.len() - 1], &["none"]].concat().join(" "));
                all.push(format!("{first}x {}", rest.join(" ")));
                all.push("[]".into());
            }
            all
        }
        Answer::Count { count: Some(n), distinct } => {
            let mut all = vec![(n + 1).to_string(), format!("{} solutions", n + 1)];
            all.extend(distinct.map(|d| format!("{n} solutions, {} distinct", d + 1)));
            all
        }
        Answer::Keys { keys, .. } => match keys.len() {
            0 => vec!["1 key".into()],
            n => vec!["none".into(), format!("{} keys", n + 1)],
        },
        Answer::Sequences { solutions, .. } => match solutions.len() {
            0 => vec!["1 solution".into()],
            n => vec!["none".into(), format!("{} solutions", n + 1)],
        },
        Answer::SetPlay { variations, .. } => match variations.len() {
            0 => vec!["\"1...Ka1 2.Kb1\"".into()],
            _ => vec!["none".into()],
        },
        Answer::Count { .. } | Answer::Line => Vec::new(),
        Answer::Move(reason) => vec![if reason.is_none() { "illegal" } else { "legal" }.into()],
        Answer::Mate { status, side, .. } => {
            let wrong = if status.word() == "check" { "stalemate" } else { "check" };
            vec![wrong.into(), format!("{} is {}", side.other().name(), status.word())]
        }
        Answer::Capture { lines, .. } if lines.is_empty() => vec!["a1:c3".into(), "1 man".into()],
        Answer::Capture { lines, .. } => {
            let path =
                |l: &cpz::games::Line| l.path.iter().map(|&s| square_name(s, false)).collect::<Vec<_>>();
            let first = path(&lines[0]);
            let most = lines.iter().map(|l| l.taken.len()).max().unwrap_or(0);
            vec![
                "none".into(),
                first[..first.len() - 1].join(":"),
                format!("{} and {} more", first.join(":"), lines.len()),
                format!("{0} {0}", first.join(":")),
                format!("{} pieces", most + 1),
            ]
        }
    }
}

/// Checks every printed and every spoilt answer of a puzzle without answers.
fn check(text: &str) -> Result<(), TestCaseError> {
    let (before, queries) = report(text);
    let tree = parse(text);
    let puzzle = tree.puzzles().next().expect("a puzzle");
    let Some(bound) = cpz::analysis::bind_one(puzzle, Default::default()) else { return Ok(()) };
    let Some(position) = cpz::analysis::position_of(&bound) else { return Ok(()) };
    for (verb, end, outcome) in queries {
        let Outcome::Answer(answer) = outcome else { continue };
        let with = |written: &str| format!("{} => {written}{}", &text[..end as usize], &text[end as usize..]);
        for written in printed(&answer, &position.board, bound.origin) {
            let (after, _) = report(&with(&written));
            let new: Vec<&String> = after.iter().filter(|f| !before.contains(f)).collect();
            prop_assert!(new.is_empty(), "{} => {written}\n{new:?}\n{text}", verb.word());
            // The answer takes away the finding of a query without one.
            let open = match verb {
                Verb::Solve => "unsolvable",
                Verb::Move => "illegal-move",
                _ => continue,
            };
            let missed = after.iter().any(|f| f.starts_with(open));
            prop_assert!(!missed, "{written} is not read\n{after:?}\n{text}");
        }
        for written in spoilt(&answer) {
            let (after, _) = report(&with(&written));
            let is_found = after.iter().any(|f| !before.contains(f));
            prop_assert!(is_found, "{} => {written} has no finding\n{text}", verb.word());
        }
    }
    Ok(())
}

fn cells(
    letters: &'static str,
    cells: usize,
    pieces: std::ops::Range<usize>,
) -> impl Strategy<Value = String> {
    let piece = (0..cells, prop::sample::select(letters.chars().collect::<Vec<char>>()));
    prop::collection::vec(piece, pieces).prop_map(move |placed| {
        let mut board = vec!['.'; cells];
        for (at, letter) in placed {
            // The dark squares of draughts.
            let dark = cells == 64 && letters.len() == 4;
            let at = if dark { at / 2 * 2 + usize::from(at / 8 % 2 == 0) } else { at };
            board[at] = letter;
        }
        board.into_iter().collect()
    })
}

fn rows(cells: &str, width: usize) -> String {
    let cells: Vec<char> = cells.chars().collect();
    cells.chunks(width).map(|row| row.iter().collect::<String>()).collect::<Vec<_>>().join(" ")
}

fn solitaire() -> impl Strategy<Value = String> {
    let rules = prop::sample::select(vec!["default", "ranger", "solo"]);
    let size = prop::sample::select(vec![(4usize, 16usize), (5, 15), (3, 9)]);
    (rules, size, 0..2u8).prop_flat_map(|(rules, (width, count), origin)| {
        cells("KQRBNPP", count, 1..7).prop_map(move |board| {
            format!("solitaire {{ rules {rules} origin {origin} board {} solve count }}", rows(&board, width))
        })
    })
}

fn chess() -> impl Strategy<Value = String> {
    let turn = prop::sample::select(vec!["white", "black"]);
    let target = (0..8u8, 1..9u8, prop::sample::select(vec!["K", "Q", "R", "N", ""]));
    (cells("QRBNPqrbnp", 64, 0..8), 0..64usize, 0..64usize, turn, target).prop_map(
        |(board, k, q, turn, to)| {
            let mut board: Vec<char> = board.chars().collect();
            (board[k], board[q]) = ('K', if k == q { 'K' } else { 'k' });
            let board: String = board.into_iter().collect();
            let to = format!("{}{}{}", to.2, char::from(b'a' + to.0), to.1);
            format!("chess {{ turn {turn} board {} mate move {to} }}", rows(&board, 8))
        },
    )
}

fn cube() -> impl Strategy<Value = String> {
    cells("QRBNqrbbn", 27, 0..9).prop_map(|board| {
        let mut board: Vec<char> = board.chars().collect();
        (board[0], board[26]) = ('K', 'k');
        format!("chess3d {{ board {} mate }}", rows(&board.into_iter().collect::<String>(), 3))
    })
}

fn draughts() -> impl Strategy<Value = String> {
    let turn = prop::sample::select(vec!["white", "black"]);
    (cells("wbWB", 64, 1..12), turn)
        .prop_map(|(board, turn)| format!("draughts {{ turn {turn} board {} capture }}", rows(&board, 8)))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn printed_solutions_and_counts_are_read(text in solitaire()) { check(&text)?; }

    #[test]
    fn printed_verdicts_of_chess_are_read(text in chess()) { check(&text)?; }

    #[test]
    fn printed_verdicts_of_chess3d_are_read(text in cube()) { check(&text)?; }

    #[test]
    fn printed_captures_of_draughts_are_read(text in draughts()) { check(&text)?; }
}

#[test]
fn the_words_of_a_person_are_read_too() {
    crate::harness::check::check(
        r#"
allow duplicate-puzzle
solitaire { board ...N.....R....B. solve => Bxb2 Bxd4 }
solitaire { board ...N.....R....B. solve => Bc1xRb2! 2. Bb2xNd4 }
solitaire { board R....N.......... solve => no solution solve => NONE }
solitaire { board .....Q.......... solve => solved already }
chess { board 4k3/8/8/8/8/8/8/4K2R mate => White is neither in check nor stalemated }
chess { turn black board 4k2R/8/4K3/8/8/8/8/8 mate => Black is checkmated mate => 'black is checkmated' }
draughts { board W:WKa1:Bc3,e5 capture => a1xd4xh8 capture => a1:d4, d4:h8 capture => 2 men capture => c3 directly, e5 after }
draughts { board W:WKa1:Bc3,d4 capture => 'no capture' capture => false }
"#,
    );
}

#[test]
fn the_step_that_fails_is_marked() {
    crate::harness::check::check(
        r#"
allow duplicate-puzzle
solitaire { board ...N.....R....B. solve => Nc1xb2 b2xd4 }
//                                          ^^^^^^ error[wrong-solution]: step 1 fails: the piece on c1 is a bishop, not a knight
solitaire { board ...N.....R....B. solve => c1xb2, b2xQd4 }
//                                                 ^^^^^^ error[wrong-solution]: step 2 fails: the piece captured on d4 is a knight, not a queen
solitaire { board ...N.....R....B. solve => "1. c1xb2 3. b2xd4" }
//                                                    ^^ error[wrong-solution]: the move here has the number 2.
solitaire { board ...N.....R....B. solve => c1xb2 b2-xd4 }
//                                                ^^^^^^ error[invalid-value]: `b2-xd4` is no capture…
solitaire { board N.......N...R... solve => Nxa1 }
//                                          ^^^^ error[wrong-solution]: step 1 fails: no knight can capture on a1
solitaire { board ....N.N......R.. solve => Nxb1 }
//                                          ^^^^ error[wrong-solution]: step 1 is ambiguous: several pieces can capture on b1: a3, c3
solitaire { board N.N..R.......... solve => c4xb3 }
//                                          ^^^^^ error[wrong-solution]
draughts { board W:WKa1:Bc3,e5 capture => a1:d4 }
//                                        ^^^^^ error[wrong-solution]: the capture stops short…
draughts { board W:WKa1:Bc3,e5 capture => 3 men }
//                                        ^^^^^ error[wrong-answer]: the largest capture takes 2 pieces: a1:d4:f6
"#,
    );
}

/// Problems in which moves with one answer differ in how that is written, or have to be told apart behind a stroke; problems
/// without a key, and mates in one move.
const PROBLEMS: &str = "
allow cook, short-solution
chess { board 5rb1/1p1R1P1q/1P1Q3P/2pK1k2/2P1n1RB/5p2/5N1n/1B1N4 selfmate in 2 }
chess { board 8/8/8/8/8/p1P5/ppQ5/k1nRK3 mate in 3 }
chess { board B4R2/5q1r/1n6/3NP2p/p2K2NB/Rb3kP1/5n2/5Qb1 mate in 2 }
chess { board k2B4/P2R4/1p1N3K/Q1p2P2/2N5/3R4/1q2B3/5r2 mate in 3 }
chess { board Q4R1r/1p3Ppr/7p/3P4/3k2PN/2pP1P2/B3bN2/4K3 mate in 3 }
chess { board 8/8/4Pp2/3PkN2/2PRBp2/2NQ1P2/pp1PR3/5K2 mate in 3 }
chess { board 8/p1ppppp1/1p5p/4P3/3B4/4P1P1/PRPP1P1P/k3K2R mate in 1 }
chess { board 3K4/qrp1R2B/pp5k/Q5pP/PPP4b/1p4Pp/1PP4P/2B5 mate in 2 }
chess { board 8/6pk/6p1/6P1/p7/8/1Q6/1K1B4 mate in 3 }
chess { board Q1b4k/1N1P3P/7P/8/8/8/7P/n5BK r#2 }
";

#[test]
fn printed_plays_of_problems_are_read() {
    use cpz::analysis::problem_plays;
    use cpz::board::write_fen;
    use cpz::ide::{PlayLine, all_play_lines, play_lines};
    let texts = crate::harness::examples::examples().into_iter().map(|(_, text)| text);
    let options = Options { nodes: 50_000, answers: true, ..Options::new(Config::default().into()) };
    let format = cpz::games::game(cpz::syntax::GameId::Chess).format();
    let (mut plays, mut tries) = (0, 0);
    for text in texts.chain([PROBLEMS.to_string()]) {
        let analysed = analyse(&parse(text.clone()), &options);
        for (_, play) in problem_plays(&text, &analysed, &options) {
            let lines = all_play_lines(&play);
            // What is shortened says how much is left out.
            if lines.is_empty()
                || !play.complete
                || lines.len() > 500
                || lines != play_lines(&play) && lines.len() > 200
            {
                continue;
            }
            let fen = write_fen(&play.position.board, format, play.position.turn, play.position.rights);
            let joined = |separator: &str| {
                lines.iter().map(|line: &PlayLine| line.text.as_str()).collect::<Vec<_>>().join(separator)
            };
            let asked = play.stipulation.in_words();
            let printed = format!("chess {{ board {fen} 0 1 {asked} => \"{}\" }}", joined(" "));
            let (findings, _) = report(&printed);
            let wrong = |finding: &&String| {
                ["wrong-", "ambiguous", "syntax", "invalid"].iter().any(|code| finding.starts_with(code))
            };
            assert_eq!(findings.iter().find(wrong), None, "{printed}");
            plays += 1;
            tries += usize::from(play.keys.is_empty());
        }
    }
    assert!(plays > 60 && tries > 1, "{plays} {tries}");
}
