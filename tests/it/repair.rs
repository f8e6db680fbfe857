//! Repairs: each proposal, applied to the text, is what it promises; none is missing; nothing is written.

use crate::harness::examples::examples;
use crate::harness::{folder, full, run};
use cpz::analysis::{Defaults, Options, Outcome, analyse, bind_all, puzzles};
use cpz::board::Kind;
use cpz::diagnostic::Code;
use cpz::games::Answer;
use cpz::ide::{Proposal, Proposals, REPAIRABLE, apply, propose, why_no_proposals};
use cpz::repair::{Aim, Change, single_changes};
use cpz::syntax::{GameId, parse};
use proptest::prelude::*;
use serde_json::json;
use std::fs;

fn options(nodes: u64) -> Options {
    Options { nodes, answers: true, ..Options::default() }
}

/// The repairs of the puzzle with a number in a text.
fn repairs_of(text: &str, number: usize, aim: Aim, nodes: u64) -> Option<Proposals> {
    let tree = parse(text);
    let (puzzle, defaults) = puzzles(&tree, Defaults::default()).nth(number)?;
    propose(puzzle, defaults, aim, &options(nodes)).ok()?
}

/// Applies a proposal to the whole text, and compares the analysis of the result with what was promised.
#[track_caller]
fn keeps_its_promise(text: &str, number: usize, proposal: &Proposal) {
    let new = apply(text, &proposal.edits);
    let tree = parse(&new[..]);
    let report = analyse(&tree, &options(1 << 24));
    let puzzle = &report.puzzles[number];
    let codes: Vec<Code> = puzzle.findings.iter().map(|f| f.code).collect();
    assert!(!codes.iter().any(|code| REPAIRABLE.contains(code)), "{codes:?}\n{text}\n{new}");
    assert!(!codes.contains(&Code::WrongSolution) && !codes.contains(&Code::WrongAnswer), "{codes:?}\n{new}");
    for promised in &proposal.repair.answers {
        let is_kept =
            puzzle.queries.iter().any(|q| matches!(&q.outcome, Outcome::Answer(a) if a == promised));
        assert!(is_kept, "{promised:?} is not in {:?}\n{new}", puzzle.queries);
    }
    assert_eq!(report.puzzles.len(), parse(text).puzzles().count(), "{new}");
}

/// A board of solitaire in one of the forms that a text can have.
fn written(cells: &[char; 16], form: usize) -> String {
    let rows: Vec<String> = cells.chunks(4).map(|row| row.iter().collect()).collect();
    let spaced = |row: &String| row.chars().map(String::from).collect::<Vec<_>>().join(" ");
    match form {
        0 => format!("\n    {}\n ", rows.iter().map(spaced).collect::<Vec<_>>().join("\n    ")),
        1 => rows.concat(),
        2 => format!("[{}]", rows.join(", ")),
        3 => {
            let entry =
                |(i, c): (usize, &char)| (*c != '.').then(|| format!("[{}, {}, '{c}']", i % 4, 3 - i / 4));
            format!("[{}]", cells.iter().enumerate().filter_map(entry).collect::<Vec<_>>().join(", "))
        }
        _ => format!("'{}'", rows.join("/")),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn repairs_of_any_form_keep_their_promise(
        pieces in prop::collection::btree_map(0usize..16, 0usize..6, 2..7),
        form in 0usize..5,
        unique in any::<bool>(),
        answer in prop::sample::select(vec!["", " => none", " => a1xb2 b2xc3", " => [[[0,0],[1,1]]]"]),
    ) {
        let mut cells = ['.'; 16];
        pieces.iter().for_each(|(&cell, &kind)| cells[cell] = Kind::ALL[kind].letter());
        let unique = if unique { " unique" } else { "" };
        let text = format!(
            "rules default\nsolitaire \"before\" {{ board ...N.....R....B. solve }}\n\
             solitaire \"one\" {{{unique} board {} solve{answer} }} // behind\n",
            written(&cells, form)
        );
        let Some(found) = repairs_of(&text, 1, Aim::Sound, 1 << 22) else { return Ok(()) };
        prop_assert!(found.is_sound.is_some());
        for proposal in found.found.iter().take(30) {
            keeps_its_promise(&text, 1, proposal);
            prop_assert_eq!(proposal.repair.changes.len(), usize::from(found.changes));
        }
        // The same again: nothing depends on anything but the text and the budget.
        let again = repairs_of(&text, 1, Aim::Sound, 1 << 22).expect("repairs");
        let titles = |all: &Proposals| all.found.iter().map(Proposal::title).collect::<Vec<_>>();
        prop_assert_eq!(titles(&found), titles(&again));
    }
}

/// Damages each sound puzzle of the examples by one change: the change back has to be among the repairs. With `CI_FULL=1`
/// by more changes.
#[test]
fn the_way_back_from_every_damage_is_found() {
    let (some, least) = if full() { (5, 60) } else { (1, 25) };
    let mut damaged = 0;
    for (path, text) in examples() {
        let tree = parse(&text[..]);
        for (number, (bound, _)) in bind_all(&tree, Defaults::default()).iter().enumerate() {
            let Some(position) = cpz::analysis::position_of(bound) else { continue };
            let is_small = bound.puzzle.node().text().len() < 700 && !path.ends_with("problems.cpz");
            let deep = ["#3", "#4", "in 3", "in 4", "in 5", "h#", "helpmate", "s#", "selfmate"];
            let is_quick = !deep.iter().any(|word| bound.puzzle.node().text().contains(word));
            let sound =
                || repairs_of(&text, number, Aim::Sound, 1 << 20).is_some_and(|p| p.is_sound == Some(true));
            if !is_small || !is_quick || !matches!(bound.id, GameId::Solitaire | GameId::Chess) || !sound() {
                continue;
            }
            let changes = single_changes(&position.board, bound.game.format());
            // Some changes of each kind, spread over the board.
            for change in changes.iter().skip(number % 7).step_by(changes.len() / some + 1) {
                damaged += usize::from(has_way_back(&text, number, change, &position.board));
            }
        }
    }
    assert!(damaged > least, "only {damaged} puzzles were damaged");
}

/// Whether a change makes a puzzle unsound. Then the repairs have to lead back to the old board.
fn has_way_back(text: &str, number: usize, change: &Change, old: &cpz::board::Board) -> bool {
    let tree = parse(text);
    let Some((puzzle, defaults)) = puzzles(&tree, Defaults::default()).nth(number) else { return false };
    let bound = cpz::analysis::bind_one(puzzle, defaults).expect("a known game");
    let changes = cpz::ide::BoardChanges::of_squares(change.squares());
    let Ok(edits) = cpz::ide::board_edits(&bound, defaults, &changes) else { return false };
    let damaged = apply(text, &edits);
    let Some(found) = repairs_of(&damaged, number, Aim::Sound, 1 << 24) else { return false };
    if found.is_sound != Some(false) {
        return false;
    }
    let back = found.found.iter().find(|p| p.repair.board == *old);
    assert!(back.is_some() || !found.complete, "no way back from {change:?} in\n{damaged}");
    if let Some(back) = back {
        keeps_its_promise(&damaged, number, back);
    }
    true
}

#[test]
fn every_solvable_board_of_the_examples_can_be_made_unique() {
    let mut made = 0;
    for (path, text) in examples() {
        let tree = parse(&text[..]);
        for (number, (puzzle, _)) in puzzles(&tree, Defaults::default()).enumerate() {
            if puzzle.game() != Some(GameId::Solitaire) {
                continue;
            }
            let Some(found) = repairs_of(&text, number, Aim::Unique, 1 << 22) else { continue };
            let is_solvable =
                repairs_of(&text, number, Aim::Sound, 1 << 22).is_some_and(|p| p.is_sound == Some(true));
            if is_solvable && found.is_sound == Some(false) {
                assert!(!found.found.is_empty(), "{}: {}", path.display(), puzzle.node().text());
                made += 1;
            }
        }
    }
    assert!(made > 0);
}

/// With a piece less the solution is the old one without a step, and nothing else can be left out.
#[test]
fn needless_pieces_are_found_and_needed_ones_stay() {
    let text = "solitaire { board\n . . . N\n . . . .\n . R . .\n . . B .\n solve }";
    let found = repairs_of(text, 0, Aim::Minimal, 1 << 20).expect("a puzzle");
    let words: Vec<&str> = found.found.iter().map(|p| p.words.as_str()).collect();
    assert_eq!(words, ["remove the knight from d4"]);
    let smaller = repairs_of(text, 0, Aim::Shorter, 1 << 20).expect("a puzzle");
    assert!(smaller.found.len() >= found.found.len());
    for proposal in &smaller.found {
        keeps_its_promise(text, 0, proposal);
    }
}

/// What is proposed, in one line: whether the puzzle is sound, how many boards were tried, whether that was all, and the first
/// proposals.
#[test]
fn problems_become_sound_and_smaller() {
    let shown = |(text, aim, nodes): (&str, Aim, u64)| {
        let found = repairs_of(text, 0, aim, nodes).expect("a puzzle");
        let shown = |p: &Proposal| format!("; {}: {}", p.words, p.solution);
        let (sound, all) = (found.is_sound.unwrap_or_default(), if found.complete { "all" } else { "some" });
        let (changes, first) = (found.changes, found.found.iter().take(2).map(shown).collect::<String>());
        format!("{sound}, {all} {} boards, {changes}, {} found{first}", found.tested, found.found.len())
    };
    const ENOUGH: u64 = 1 << 20;
    const TWO_ROOKS: &str = "chess { board 6k1/5ppp/8/8/8/8/R7/R5K1 w mate in 1 }";
    const TWO_HELPERS: &str = "chess { board 8/8/8/8/8/1K5R/7R/k7 b helpmate in 1 }";
    const PAWN: &str = "chess { board 7k/8/5KQ1/8/8/8/P7/8 w mate in 1 }";
    const BLOCKED: &str = "chess { board 6k1/5ppp/8/8/8/8/P7/R5K1 w mate in 1 }";
    const SET_PLAY: &str = "chess { board kbK5/pp6/1P6/8/8/8/7P/R7 #2 set-play }";
    const SHORTER_TOO: &str = "chess { board 8/8/8/8/8/2K5/k7/3R4 b helpmate in 2 }";
    const ONE_OF_TWO: &str = "chess { solutions 2 board 8/8/8/8/8/1K5P/7R/1k6 b helpmate in 1 }";
    const CAPTURES: &str = "solitaire { board ...N.....R....B. solve }";
    for (case, wanted) in [
        (
            (TWO_ROOKS, Aim::Shorter, ENOUGH),
            "true, all 6 boards, 1, 2 found; remove the white rook from a1: 1.Ra8#!; remove the white rook from a2: 1.Ra8#!",
        ),
        (
            (TWO_ROOKS, Aim::Minimal, ENOUGH),
            "true, all 6 boards, 1, 1 found; remove the white rook from a1: 1.Ra8#!",
        ),
        ((TWO_ROOKS, Aim::Minimal, 300), "true, some 6 boards, 1, 0 found"),
        (
            (TWO_HELPERS, Aim::Shorter, ENOUGH),
            "true, all 3 boards, 1, 2 found; remove the white rook from h2: 1. Kb1 Rh1#; remove the white rook from h3: 1. Kb1 Rh1#",
        ),
        (
            (TWO_HELPERS, Aim::Minimal, ENOUGH),
            "true, all 3 boards, 1, 1 found; remove the white rook from h3: 1. Kb1 Rh1#",
        ),
        (
            (SET_PLAY, Aim::Minimal, ENOUGH),
            "true, all 7 boards, 1, 1 found; remove the white pawn from h2: 1.Ra6!; 1... Bc7/Bd6/Be5/Bf4/Bg3/Bh2 2. Rxa7#",
        ),
        ((PAWN, Aim::Sound, ENOUGH), "true, all 1 boards, 0, 0 found"),
        (
            (PAWN, Aim::Minimal, ENOUGH),
            "true, all 3 boards, 1, 1 found; remove the white pawn from a2: 1.Qg7#!",
        ),
        ((PAWN, Aim::Minimal, 300), "true, some 3 boards, 1, 0 found"),
        (
            (BLOCKED, Aim::Sound, ENOUGH),
            "false, all 916 boards, 1, 133 found; make the white pawn on a2 a queen: 1.Qa8#!; make the white pawn on a2 a rook: 1.Ra8#!",
        ),
        (
            (BLOCKED, Aim::Unique, ENOUGH),
            "false, all 916 boards, 1, 133 found; make the white pawn on a2 a queen: 1.Qa8#!; make the white pawn on a2 a rook: 1.Ra8#!",
        ),
        ((BLOCKED, Aim::Sound, 300), "false, some 26 boards, 1, 0 found"),
        ((BLOCKED, Aim::Minimal, ENOUGH), "false, all 1 boards, 1, 0 found"),
        (
            (ONE_OF_TWO, Aim::Sound, ENOUGH),
            "false, all 806 boards, 1, 94 found; add a white rook on a2: 2 solutions; add a white rook on b2: 2 solutions",
        ),
        ((SHORTER_TOO, Aim::Shorter, ENOUGH), "false, all 1 boards, 1, 0 found"),
        ((ONE_OF_TWO, Aim::Shorter, ENOUGH), "false, all 1 boards, 1, 0 found"),
        (
            (CAPTURES, Aim::Shorter, ENOUGH),
            "true, all 5 boards, 1, 2 found; remove the knight from d4: c1xb2; remove the rook from b2 and move the bishop from c1 to b2: b2xd4",
        ),
        (
            (CAPTURES, Aim::Minimal, ENOUGH),
            "true, all 4 boards, 1, 1 found; remove the knight from d4: c1xb2",
        ),
        ((CAPTURES, Aim::Minimal, 2), "true, some 1 boards, 1, 0 found"),
    ] {
        assert_eq!(shown(case), wanted, "{case:?}");
    }
}

/// With less budget nothing else is said of a helpmate than with more, but less. That it has too many solutions is known before
/// all are found.
#[test]
fn a_budget_decides_when_but_not_what() {
    const ONE: &str = "chess { board 8/8/8/8/8/1K6/7R/k7 b helpmate in 1 }";
    const TWO: &str = "chess { board 8/3P4/pn6/k7/p7/8/1p1K4/8 b solutions 2 helpmate in 2 }";
    const MANY: &str = "chess { board 8/8/8/8/8/1K6/6QR/k7 b helpmate in 2 }";
    for (text, verdict, step, is_early) in
        [(ONE, true, 1, false), (TWO, true, 97, false), (MANY, false, 97, true)]
    {
        let sound = |nodes| repairs_of(text, 0, Aim::Minimal, nodes).expect("a problem").is_sound;
        let is_whole = |nodes| {
            let options = Options { nodes, answers: true, ..Options::default() };
            let report = analyse(&parse(text), &options);
            matches!(
                &report.puzzles[0].queries[0].outcome,
                Outcome::Answer(Answer::Sequences { complete: true, .. })
            )
        };
        let (mut nodes, mut early) = (1, false);
        while !is_whole(nodes) {
            let found = sound(nodes);
            assert!(found.is_none_or(|found| found == verdict), "{text} {nodes}: {found:?}");
            early |= found.is_some();
            nodes += step;
        }
        assert_eq!((sound(1 << 20), early), (Some(verdict), is_early), "{text} {nodes}");
    }
}

/// Of several solutions it is the shown one that loses a step.
#[test]
fn a_smaller_puzzle_shows_what_is_left_of_the_solution() {
    let text = "solitaire { board\n . . . N\n . . P .\n . R . B\n . . N .\n solve }";
    let found = repairs_of(text, 0, Aim::Minimal, 1 << 20).expect("a puzzle");
    let shown: Vec<(&str, &str)> =
        found.found.iter().map(|p| (p.words.as_str(), p.solution.as_str())).collect();
    assert_eq!(shown, [("remove the knight from d4", "d2xc1 c1xb2 b2xc3")]);
}

#[test]
fn an_answer_with_a_comment_in_it_is_not_replaced() {
    let text = "solitaire { board \"R.N. .... .B.. ....\" solve => [ c4xb2 // first\n b2xa4 ] }";
    let without = text.replace(" // first\n", "");
    let of = |text: &str| repairs_of(text, 0, Aim::Minimal, 1 << 20).expect("a puzzle");
    assert!(!of(&without).found.is_empty());
    let found = of(text);
    assert!(found.found.is_empty());
    assert_eq!(
        why_no_proposals(&found, Aim::Minimal),
        "a change would replace the written answer and the comment in it: move the comment first"
    );
}

#[test]
fn a_small_budget_gives_fewer_repairs_and_says_so() {
    let text = "solitaire { unique board QQR. ..N. .B.K P..N solve }";
    let all = repairs_of(text, 0, Aim::Sound, 1 << 22).expect("a puzzle");
    for nodes in [1, 10, 100, 1000, 10_000] {
        let some = repairs_of(text, 0, Aim::Sound, nodes).expect("a puzzle");
        assert!(!some.complete, "{nodes}");
        assert!(some.tested < all.tested);
    }
}

#[test]
fn a_puzzle_without_a_question_has_no_repairs() {
    for text in [
        "solitaire { board ...N.....R....B. count }",
        "solitaire { board R....N.......... solve => none }",
        "chess { board 8/8/8/4k3/8/8/8/4K2R mate }",
        "draughts { board [['W','M',1,1]] capture }",
    ] {
        assert!(repairs_of(text, 0, Aim::Sound, 1000).is_none(), "{text}");
    }
}

const BROKEN: &str = "solitaire \"Far away\" { board R....N.......... solve }\n";

#[test]
fn the_command_names_the_option_for_a_longer_search() {
    let w = folder(&[("a.cpz", "solitaire { unique board QQR. ..N. .B.K P..N solve }\n")]);
    let ran = run(w.path(), &["repair", "--budget", "1"]).exits(1);
    assert!(ran.stdout.contains("used up its budget; a larger `--budget` may decide it"), "{}", ran.stdout);
}

#[test]
fn the_command_prints_boards_and_writes_nothing() {
    let w = folder(&[("a.cpz", BROKEN), ("b.cpz", "solitaire { board ...N.....R....B. solve }\n")]);
    let ran = run(w.path(), &["repair"]).exits(1);
    assert!(ran.stdout.starts_with("a.cpz:1 solitaire \"Far away\"\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("  1. "), "{}", ran.stdout);
    assert!(ran.stdout.ends_with("2 puzzles with a solution to find: 1 sound, 1 not\n"), "{}", ran.stdout);
    run(w.path(), &["repair", "b.cpz"]).exits(0);
    run(w.path(), &["repair", "--only", "Far*", "--unique"]).exits(1);
    run(w.path(), &["repair", "--unique", "--minimal"]).exits(2);
    assert_eq!(fs::read_to_string(w.path().join("a.cpz")).expect("a file"), BROKEN);
    let document = run(w.path(), &["repair", "--format", "json"]).json();
    let puzzle = &document["files"][0]["puzzles"][0];
    assert_eq!((&puzzle["sound"], &puzzle["complete"]), (&json!(false), &json!(true)));
    assert_eq!(puzzle["repairs"].as_array().map(Vec::len), puzzle["found"].as_u64().map(|n| n as usize));
    assert_eq!(document["files"][1]["puzzles"][0]["sound"], true);
}

#[test]
fn titles_say_the_change_and_the_solution() {
    let found = repairs_of(BROKEN, 0, Aim::Sound, 1 << 20).expect("a puzzle");
    let titles: Vec<String> = found.found.iter().map(Proposal::title).collect();
    assert!(titles.iter().all(|t| t.contains(": ") && t.starts_with(char::is_uppercase)), "{titles:#?}");
    // One piece alone would be solved already.
    let is_removal = |p: &Proposal| matches!(p.repair.changes[..], [Change::Remove { .. }]);
    assert!(!found.found.iter().any(is_removal), "{titles:#?}");
    assert!(matches!(found.found[0].repair.answers[..], [Answer::Solve(Some(_))]));
}

/// The notes of the only finding of a text.
fn notes(text: &str) -> (Vec<String>, usize) {
    let report = analyse(&parse(text), &options(1 << 22));
    let [finding] = &report.puzzles[0].findings[..] else { panic!("{:?}", report.puzzles[0].findings) };
    (finding.notes.clone(), finding.related.len())
}

#[test]
fn a_wrong_solution_says_which_step_was_the_mistake() {
    let board = "board\n . . . N\n . . P .\n . R . B\n . . N .\n";
    // The first step loses, the second fails.
    let (lost, places) = notes(&format!("solitaire {{ {board} solve => b2xd2 d2xc1 }}"));
    assert!(lost.iter().any(|n| n.starts_with("step 1, b2xd2, is the mistake")), "{lost:?}");
    assert_eq!(places, 1);
    // Nothing is lost before the step that fails.
    let (kept, places) = notes(&format!("solitaire {{ {board} solve => d2xc1 c1xb2 b2xd3 }}"));
    assert!(kept.contains(&"after step 2 it can still be solved: b2xc3 c3xd4".to_string()), "{kept:?}");
    assert_eq!(places, 0);
    // A board without a solution has no step that loses it.
    let (none, _) = notes("solitaire { board R....N.......... solve => a4xb3 }");
    assert!(none.iter().all(|n| !n.contains("mistake") && !n.contains("still")), "{none:?}");
}

#[test]
fn a_line_without_its_mate_says_where_the_mate_was() {
    let board = "board k7/8/1K6/8/8/8/7R/8 w - - 0 1";
    let (at_once, _) = notes(&format!("chess {{ {board} line => Rg2# }}"));
    assert_eq!(at_once, ["before this move mate in 1 was there: Rh8#"]);
    let (before, places) = notes(&format!("chess {{ {board} line => 1.Kc5 Kb7 2.Rh7# }}"));
    assert_eq!(before, ["Kc5 is the mistake: before it mate in 1 was there: Rh8#"]);
    assert_eq!(places, 1);
}

/// A twin and a duplex are asked as the diagram is, and what the budget does not decide is neither sound nor unsound.
#[test]
fn a_problem_is_as_sound_as_its_twins() {
    const PROBLEM: &str = "chess { board kbK5/pp6/1P6/8/8/8/8/R7 #2 => Ra6 ";
    for (rest, budget, summary) in [
        ("}", "300000", "1 sound, 0 not"),
        ("twin b: a1 to a2 }", "300000", "1 sound, 0 not"),
        ("twin b: a1 to b1 }", "300000", "0 sound, 1 not"),
        ("twin b: a1 to b1 => none }", "300000", "1 sound, 0 not"),
        ("duplex }", "300000", "0 sound, 1 not"),
        ("duplex => none }", "300000", "1 sound, 0 not"),
        ("}", "5", "0 sound, 0 not, 1 undecided"),
    ] {
        let dir = folder(&[("a.cpz", &format!("{PROBLEM}{rest}\n"))]);
        let repaired = run(dir.path(), &["repair", "--budget", budget, "a.cpz"]);
        let last = repaired.stdout.lines().last().unwrap_or_default();
        assert!(last.ends_with(summary), "{rest}: {last}");
    }
}

/// Whether a problem is sound is what `check` finds, also where the answer to a part of it is the only thing that is wrong.
#[test]
fn what_is_sound_is_what_check_says() {
    const KEY: &str = "kbK5/pp6/1P6/8/8/8/8/R7";
    const HELP: &str = "board K4k2/1Q1r4/8/8/1b6/8/8/8 h#2";
    const PASSED: &str = "board \"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1\" x1 => exd6";
    let texts = [
        format!("board {KEY} #2* set-play"),
        "board k7/8/1K6/8/8/8/8/7R #1 set-play".to_string(),
        format!("{HELP}* set-play => none"),
        format!("{HELP}* set-play"),
        "board 8/R7/p7/k7/8/2K5/8/8 h#2* set-play => Kc4 Ka4 Rxa6#".to_string(),
        format!("half-duplex board {KEY} #2"),
        format!("half-duplex turn black board {KEY} #2"),
        format!("{HELP} => Rf7 Qh1 Be7 Qh8# duplex => Kb8 Ba5 Kc8 Rd8#"),
        format!("{HELP} => \"1. Rf7 Qh1 2. Be7 Qh8#\" duplex"),
        PASSED.to_string(),
        format!("{PASSED} twin b: e8 to d8"),
        format!("board {KEY} #2 twin b: h1 to h2"),
        format!("board {KEY} #2 twin b: a1 to a2 twin c: from b, remove b8"),
        format!("zeroposition board {KEY} #2 twin a: a1 to a2 twin b: a1 to b1"),
        format!("zeroposition board {KEY} #2 twin a: a1 to a2"),
    ];
    let mut sound = 0;
    for text in texts.map(|text| format!("chess {{ {text} }}")) {
        let found = analyse(&parse(&text), &options(1 << 20)).puzzles[0].findings.clone();
        let is_wrong = found.iter().any(|f| REPAIRABLE.contains(&f.code) || f.code == Code::InvalidValue);
        let repairs = repairs_of(&text, 0, Aim::Sound, 1 << 15).expect("a problem");
        assert_eq!(repairs.is_sound, Some(!is_wrong), "{text}: {found:?}");
        repairs.found.iter().take(2).for_each(|proposal| keeps_its_promise(&text, 0, proposal));
        sound += usize::from(!is_wrong);
    }
    assert!((5..=10).contains(&sound), "{sound}");
}
