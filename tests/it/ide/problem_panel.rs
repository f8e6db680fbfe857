//! The board beside a chess problem: the ways to play it, the path through its variations, and what can be chosen.

use cpz::analysis::{Config, Options, report_of};
use cpz::games::Budget;
use cpz::ide::{BoardRequest, BoardView, board_view};
use cpz::syntax::parse;

/// Paul Morphy, 1849: a zugzwang with set play and a try.
const MORPHY: &str = "kbK5/pp6/1P6/8/8/8/8/R7 mate in 2";
const TWO_KEYS: &str = "7k/8/5K2/8/8/8/8/R7 mate in 2";
const THREE_MOVES: &str = "7k/8/8/4K3/8/8/8/R7 mate in 3";
const SELFMATE: &str = "8/8/8/8/1p6/k7/p7/K5Q1 selfmate in 2";
/// Thomas Rayner Dawson, 1932: a helpmate whose star asks for set play.
const STARRED: &str = "8/R7/p7/k7/8/2K5/8/8 h#2*";
const HELPMATE: &str = "7k/8/5K2/8/8/8/8/R7 helpmate in 1.5";

fn show_within(nodes: u64, puzzle: &str, line: usize, frame: usize, choices: &[usize]) -> BoardView {
    let tree = parse(format!("chess {{ board {puzzle} }}"));
    let offset = tree.text().len() as u32 - 3;
    let options = Options { answers: true, nodes: 1_000_000, ..Options::default() };
    let budget = Budget::new(nodes, None);
    let request =
        BoardRequest { offset, line: Some(line), frame: Some(frame), choices, across: None, budget: &budget };
    let report = |puzzle: cpz::syntax::Puzzle<'_>, settings| report_of(puzzle, settings, &options);
    board_view(&tree, &Config::default(), &request, report).expect("a board")
}

fn show(puzzle: &str, line: usize, frame: usize, choices: &[usize]) -> BoardView {
    show_within(1_000_000, puzzle, line, frame, choices)
}

/// The choices of a view on lines: the moves of a group, then their answer; the chosen one in parentheses, a refutation
/// with a cross.
fn choices_of(view: &BoardView) -> Vec<String> {
    let Some(shown) = &view.branch else { return Vec::new() };
    let mut lines: Vec<(usize, Vec<String>, &str)> = Vec::new();
    for (i, choice) in shown.branch.choices.iter().enumerate() {
        let cross = if choice.refutes { "✗" } else { "" };
        let label = match i == shown.branch.chosen {
            true => format!("({}){cross}", choice.label),
            false => format!("{}{cross}", choice.label),
        };
        match lines.last_mut() {
            Some((group, labels, answer)) if *group == choice.group => {
                assert_eq!(*answer, choice.answer);
                labels.push(label);
            }
            _ => lines.push((choice.group, vec![label], &choice.answer)),
        }
    }
    assert!(lines.iter().enumerate().all(|(i, l)| l.0 == i), "{lines:?}");
    lines
        .into_iter()
        .map(|(_, labels, answer)| format!("{} {answer}", labels.join(" ")).trim().into())
        .collect()
}

#[test]
fn problems_have_a_line_for_each_way_to_play() {
    let cases: &[(&str, &[&str])] = &[
        (MORPHY, &["1.Ra6!", "set play", "tries"]),
        (TWO_KEYS, &["1.Kf7!", "1.Kg6!", "tries"]),
        ("7k/8/5K2/8/8/8/8/R7 mate in 1", &["#1"]),
        ("8/8/8/3k4/R7/1R6/8/4K3 mate in 2 => none", &["tries"]),
        ("kbK5/pp6/1P6/8/8/8/8/R7 mate in 2 => Ra5", &["#2", "1.Ra6!", "set play", "tries"]),
        (SELFMATE, &["1.Qd1!", "set play", "tries"]),
        // Set play that ends with the move of the other side.
        ("8/8/8/8/8/2k5/2q4P/K7 s#1 => none set-play", &["set play"]),
        ("8/8/8/8/8/2k5/2q4P/K7 r#2 set-play", &["set play"]),
        (HELPMATE, &["1... Kg6 2. Kg8 Ra8#", "1... Kf7 2. Kh7 Rh1#"]),
        (STARRED, &["1. Ka4 Ra8 2. Ka3 Rxa6#", "set play: 1... Kc4 2. Ka4 Rxa6#"]),
    ];
    for (puzzle, lines) in cases {
        let mut found = show(puzzle, 0, 0, &[]).lines;
        let mut expected: Vec<String> = lines.iter().map(|l| l.to_string()).collect();
        if *puzzle == HELPMATE {
            found.sort();
            expected.sort();
        }
        assert_eq!(found, expected, "{puzzle}");
    }
}

#[test]
fn problems_have_captions_and_frames() {
    // The puzzle, the line, the picture, what is chosen, and: how many pictures, the caption.
    type Case = (&'static str, usize, usize, &'static [usize], usize, &'static str);
    let cases: &[Case] = &[
        (MORPHY, 0, 0, &[], 4, "White mates in 2 moves, whatever Black plays"),
        (MORPHY, 0, 1, &[], 4, "1.Ra6! zugzwang: Black has to move"),
        (MORPHY, 0, 2, &[], 4, "1...bxa6, answered by 2.b7#"),
        (MORPHY, 0, 3, &[], 4, "1...bxa6 2.b7#"),
        (MORPHY, 0, 3, &[4], 4, "1...Bf4 2.Rxa7#"),
        (MORPHY, 0, 3, &[99, 99], 4, "1...Bh2 2.Rxa7#"),
        (MORPHY, 1, 0, &[], 3, "Set play: what White has ready if Black had to move first"),
        (MORPHY, 1, 2, &[1], 3, "1...Bd6 2.Rxa7#"),
        (MORPHY, 2, 0, &[], 3, "2 tries: first moves that fail to one reply only"),
        (MORPHY, 2, 1, &[], 3, "1.Ra5? zugzwang: Black has to move, but fails to 1...a6!"),
        (MORPHY, 2, 2, &[], 3, "1.Ra5? fails to 1...a6!"),
        (MORPHY, 2, 3, &[0, 1], 4, "1...Bc7 2.Rxa7#"),
        (MORPHY, 2, 1, &[1], 3, "1.Rxa7+? gives check, but fails to 1...Bxa7!"),
        ("6k1/5ppp/8/8/8/8/8/R6K mate in 1", 0, 0, &[], 2, "White mates in 1 move"),
        (TWO_KEYS, 0, 1, &[], 4, "1.Kf7! threatens 2.Rh1#"),
        (THREE_MOVES, 0, 1, &[], 6, "1.Kf6! threatens 2.Kf7 or Kg6"),
        (THREE_MOVES, 0, 3, &[], 6, "1...Kg8 2.Rh1 zugzwang: Black has to move"),
        (THREE_MOVES, 0, 5, &[1], 6, "2...Kh6 3.Rh8#"),
        (SELFMATE, 0, 0, &[], 5, "White forces Black to mate within 2 moves"),
        (SELFMATE, 0, 4, &[], 5, "2...b2# mates White"),
        (STARRED, 1, 0, &[], 4, "White moves first, and both sides help White to mate in 1.5 moves"),
        (STARRED, 1, 1, &[], 4, "1...Kc4: the white king on c3 goes to c4"),
        (
            STARRED,
            1,
            3,
            &[],
            4,
            "2...Rxa6#: the white rook on a7 goes to a6 and captures the black pawn on a6",
        ),
        (HELPMATE, 0, 0, &[], 4, "White moves first, and both sides help White to mate in 1.5 moves"),
        ("8/8/8/3k4/R7/1R6/8/4K3 mate in 2", 0, 0, &[], 1, "no first move forces mate in 2"),
    ];
    for &(puzzle, line, frame, choices, frames, caption) in cases {
        let found = show(puzzle, line, frame, choices);
        assert_eq!((found.frame.caption.as_str(), found.frames), (caption, frames), "{puzzle} {choices:?}");
        assert!(!found.is_cut);
    }
    let last = show(HELPMATE, 0, 3, &[]).frame.caption;
    assert!(last.starts_with("2.") && last.contains("#: the white rook on a1 goes to"), "{last}");
}

#[test]
fn problems_list_what_can_be_chosen() {
    type Case = (&'static str, usize, usize, &'static [usize], &'static [&'static str]);
    let cases: &[Case] = &[
        (MORPHY, 0, 0, &[], &[]),
        (MORPHY, 0, 1, &[], &["(1...bxa6) 2.b7#", "1...Bc7 1...Bd6 1...Be5 1...Bf4 1...Bg3 1...Bh2 2.Rxa7#"]),
        (
            MORPHY,
            0,
            3,
            &[2],
            &["1...bxa6 2.b7#", "1...Bc7 (1...Bd6) 1...Be5 1...Bf4 1...Bg3 1...Bh2 2.Rxa7#"],
        ),
        (MORPHY, 2, 0, &[], &["(1.Ra5?) 1...a6!", "1.Rxa7+? 1...Bxa7!"]),
        (MORPHY, 2, 2, &[1], &["(1...Bxa7!)✗"]),
        // What meets a threat comes behind the longer variations.
        (THREE_MOVES, 0, 1, &[1], &["1...Kg8 2.Rh1", "(1...Kh7) 2.Ra8"]),
        (THREE_MOVES, 0, 3, &[1], &["(2...Kh6) 3.Rh8#"]),
    ];
    for &(puzzle, line, frame, choices, expected) in cases {
        let found = show(puzzle, line, frame, choices);
        assert_eq!(choices_of(&found), expected, "{puzzle} {line} {frame} {choices:?}");
        // What the view returns leads back to it.
        if let Some(shown) = &found.branch {
            let path: Vec<usize> = shown.before.iter().copied().chain([shown.branch.chosen]).collect();
            let again = show(puzzle, line, shown.branch.frame, &path);
            let label = &shown.branch.choices[shown.branch.chosen].label;
            assert!(again.frame.caption.contains(label.as_str()), "{} {label}", again.frame.caption);
        }
    }
}

#[test]
fn problems_have_arrows_for_threats_and_refutations() {
    let count = |view: &BoardView, class: &str| view.frame.svg.matches(&format!("class=\"{class}\"")).count();
    let key = show(TWO_KEYS, 0, 1, &[]);
    assert_eq!((count(&key, "arrow"), count(&key, "arrow threat"), count(&key, "arrow failed")), (1, 1, 0));
    let refuted = show(MORPHY, 2, 2, &[]);
    assert_eq!((count(&refuted, "arrow"), count(&refuted, "arrow failed")), (0, 1));
    assert!(!refuted.frame.failed, "a try is no mistake of the text");
}

#[test]
fn problems_say_where_the_budget_ends() {
    for (line, nodes) in [(0, 40), (0, 200), (2, 40)] {
        let found = show_within(nodes, THREE_MOVES, line, if line == 0 { 1 } else { 0 }, &[]);
        assert!(found.is_cut, "{line} {nodes}: {}", found.frame.caption);
        assert!(found.frame.caption.contains("not searched"), "{line} {nodes}: {}", found.frame.caption);
    }
}

#[test]
fn set_play_that_reaches_the_goal_is_played() {
    let view = show("8/8/8/8/8/2k5/2q4P/K7 s#1 => none set-play", 0, 1, &[]);
    assert_eq!(choices_of(&view), ["(1...Qb2#)"]);
}
