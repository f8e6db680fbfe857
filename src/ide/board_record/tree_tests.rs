//! Tests of recording the tree of a chess problem. Only tests read files here.

#[cfg(test)]
use std::fs;

use crate::board_record::recording::{Recording, State};
use crate::board_record::tree::{Played, TreeMoves};
use crate::board_record::{MoveGesture, RecordedMove, record_move, recorded_position};
use crate::text_edit::apply;
use cpz_check::analysis::{Defaults, Due, Options, bind_all, bound_at, report_of};
use cpz_rules::board::{Size, square_from_words};
use cpz_rules::games::{Budget, ChessMove, Prover, SolutionTree};
use cpz_text::diagnostic::{Code, Edit, Severity, Span};
use cpz_text::syntax::{Query, parse};

/// The cursor in a text of the fixture.
const CURSOR: &str = "$0";

/// The place in a text of the query that is recorded.
fn place(query: Query<'_>) -> u32 {
    query.span().start
}

/// Makes a move on the board: the text after it, or why it is refused.
fn made(text: &str, at: u32, gesture: &MoveGesture) -> Result<String, String> {
    let tree = parse(text);
    let (bound, defaults) = bound_at(&tree, Defaults::default(), at).expect("a puzzle");
    match record_move(&bound, defaults, at, gesture, &Budget::new(3_000_000, None))? {
        RecordedMove::Written { edits, .. } => Ok(apply(text, &edits)),
        RecordedMove::Choose(_) => Err("several moves are possible".into()),
        RecordedMove::Try { why, choice } => Err(format!("{why} [{}: {}]", choice.id, choice.label)),
    }
}

fn gesture(mv: ChessMove) -> MoveGesture {
    let choice = mv.promotion.map(|kind| kind.letter().to_string());
    MoveGesture { from: mv.from, to: mv.to, choice }
}

/// Asks something about the tree that is written in a text.
fn with_tree<T>(text: &str, at: u32, ask: impl FnOnce(&TreeMoves) -> T) -> Result<T, String> {
    let tree = parse(text);
    let (bound, _) = bound_at(&tree, Defaults::default(), at).expect("a puzzle");
    match Recording::read(&bound, at)?.state {
        State::Tree(tree) => Ok(ask(&tree)),
        _ => Err("no tree".into()),
    }
}

/// The move that a solver makes next: the first defence that is left, or the quickest answer.
fn solving_move(tree: &TreeMoves) -> Option<ChessMove> {
    let (spot, asked) = (&tree.spot, tree.asked.stipulation);
    match &spot.due {
        Due::Nothing => None,
        Due::Defence(left) => left.as_ref()?.first().copied(),
        Due::Key | Due::Answer => {
            let budget = Budget::new(100_000_000, None);
            let moves = asked.moves() - (spot.line.len() / 2) as u8;
            let keys =
                Prover::new(asked, tree.asked.start.turn, &budget).continuations(&spot.position, moves);
            let keys = keys.ok()?.into_iter().filter(|key| !spot.written.contains(&key.mv));
            Some(keys.min_by_key(|key| key.mates)?.mv)
        }
    }
}

/// The errors in a text, and the variations that its trees leave out.
fn wrong(text: &str) -> Vec<String> {
    let tree = parse(text);
    let options = Options::default();
    let (puzzle, defaults) =
        cpz_check::analysis::puzzles(&tree, Defaults::default()).next().expect("a puzzle");
    let report = report_of(puzzle, defaults, &options);
    let severities = &options.config.severities;
    let found = report.findings.iter();
    let found = found.filter(|f| {
        severities.shown(f) == Severity::Error
            || f.code == Code::MissingVariation
            || f.code == Code::WrongMark
    });
    found.map(|f| format!("{}: {}", f.code.name(), f.message)).collect()
}

fn is_left_out(finding: &str) -> bool {
    finding.starts_with(Code::MissingVariation.name())
}

/// Every problem with keys of the collection of examples is recorded from an empty answer to the end.
#[test]
fn every_recorded_solution_is_right() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/collection");
    let mut recorded = 0;
    for file in fs::read_dir(folder).expect("the examples") {
        let text = fs::read_to_string(file.expect("a file").path()).expect("a text");
        let tree = parse(&text[..]);
        for (bound, _) in bind_all(&tree, Defaults::default()) {
            let queries = bound.puzzle.queries().filter(|q| q.verb().is_some_and(|v| v.problem().is_some()));
            let Some(query) = queries.take(1).next() else { continue };
            let start = bound.puzzle.span().start;
            let asked = query.asked().end;
            let answer = Span::new(asked - start, query.answer().map_or(asked, |a| a.span().end) - start);
            let puzzle = apply(bound.puzzle.node().text(), &[Edit { span: answer, text: String::new() }]);
            recorded += usize::from(is_recorded(&puzzle, place(query) - start));
        }
    }
    assert!(recorded > 25, "{recorded}");
}

/// Problems of every kind with keys, as random positions and composers make them.
#[test]
fn every_recorded_solution_of_a_list_of_positions_is_right() {
    let kinds = ["mate2", "mate3", "stalemate2", "check3", "capture3", "self2", "selfstalemate2", "reflex2"];
    for kind in kinds {
        let path = format!("{}/../../benches/positions/{kind}.jsonl", env!("CARGO_MANIFEST_DIR"));
        let lines = fs::read_to_string(path).expect("the positions");
        let puzzles = lines.lines().filter(|line| !line.contains("[]")).take(6).map(|line| {
            let fields: Vec<&str> = line.split('"').collect();
            format!("chess {{ board \"{}\" {} }}", fields[3], fields[7])
        });
        let recorded = puzzles.filter(|puzzle| is_recorded(puzzle, 3)).count();
        assert!(recorded > 2, "{kind}: {recorded}");
    }
}

/// Records a solution, with an empty answer at first; whether there is one to be recorded.
fn is_recorded(puzzle: &str, at: u32) -> bool {
    let mut text = puzzle.to_string();
    let Ok(moves) = with_tree(&text, at, |tree| tree.asked.stipulation.moves()) else { return false };
    if moves > 3 {
        return false;
    }
    for made_so_far in 0..SolutionTree::MAX_MOVES {
        let next = with_tree(&text, at, |tree| (solving_move(tree), tree.next(), tree.moves));
        let (next, due, written) = next.unwrap_or_else(|why| panic!("{why}: {text}"));
        assert_eq!(written, made_so_far, "{text}");
        let Some(mv) = next else {
            if made_so_far == 0 {
                return false;
            }
            assert!(due.starts_with("The solution is complete"), "{due}: {text}");
            assert_eq!(wrong(&text), [""; 0], "{text}");
            with_one_try(&text, at, written);
            return true;
        };
        let grown = made(&text, at, &gesture(mv)).unwrap_or_else(|why| panic!("{due}: {why}: {text}"));
        if moves <= 2 {
            let wrong = wrong(&grown).into_iter().filter(|f| !is_left_out(f)).collect::<Vec<_>>();
            assert_eq!(wrong, [""; 0], "{grown}");
        }
        text = grown;
    }
    panic!("this solution has no end: {text}");
}

/// Adds the first move that is a try to a solution, if there is one: two moves, and no finding.
fn with_one_try(text: &str, at: u32, written: usize) {
    let first_try = with_tree(text, at, |tree| {
        let budget = Budget::new(3_000_000, None);
        tree.legal().into_iter().find(|&mv| matches!(tree.played(mv, &budget), Played::Try { .. }))
    });
    let Some(mv) = first_try.expect("a tree") else { return };
    let refused = made(text, at, &gesture(mv)).expect_err("a try is not written unasked");
    assert!(refused.contains("Write the try"), "{refused}: {text}");
    let MoveGesture { from, to, choice } = gesture(mv);
    let as_try = MoveGesture { from, to, choice: Some(choice.unwrap_or_default() + "?") };
    let grown = made(text, at, &as_try).unwrap_or_else(|why| panic!("{why}: {text}"));
    assert_eq!(with_tree(&grown, at, |tree| tree.moves), Ok(written + 2), "{grown}");
    assert_eq!(wrong(&grown), [""; 0], "{grown}");
}

/// Makes moves such as `d1b2` with the cursor at an offset, and returns the text and what is due or was reached then, or why
/// the last move is refused.
fn play(text: &str, at: u32, moves: &str) -> (String, String) {
    let mut text = text.to_string();
    let square = |name: &str| square_from_words(name, Size::flat(8, 8)).expect("a square");
    for word in moves.split_whitespace() {
        let (squares, choice) = word.split_once('=').map_or((word, None), |(a, b)| (a, Some(b.into())));
        let gesture = MoveGesture { from: square(&squares[..2]), to: square(&squares[2..]), choice };
        match made(&text, at, &gesture) {
            Ok(grown) => text = grown,
            Err(why) => return (text, format!("refused: {why}")),
        }
    }
    let tree = parse(&text[..]);
    let (bound, _) = bound_at(&tree, Defaults::default(), at).expect("a puzzle");
    let recorded = recorded_position(&bound, at, &Budget::new(1_000_000, None));
    let due = recorded.map_or_else(|why| format!("refused: {why}"), |r| r.next.unwrap_or(r.verdict));
    (text, due)
}

/// A text with a marker at a query, the moves that are made there, the text afterwards, and why the last move is refused.
#[test]
fn a_duplex_and_set_play_have_moves_of_their_own() {
    for (text, moves, expected) in [
        (
            "chess { turn black board K4k2/1Q1r4/8/8/1b6/8/8/8 h#2 ^duplex }",
            "b4a5 a8b8 b4a5 b8c8 d7d8",
            "chess { turn black board K4k2/1Q1r4/8/8/1b6/8/8/8 h#2 duplex => \"1. Kb8 Ba5 2. Kc8 Rd8#\" } it is white's move",
        ),
        (
            "chess { turn black board 8/R7/p7/k7/8/2K5/8/8 h#2* ^set-play }",
            "a5a4 c3c4",
            "chess { turn black board 8/R7/p7/k7/8/2K5/8/8 h#2* set-play => \"1... Kc4\" } it is white's move",
        ),
        (
            "chess { board kbK5/pp6/1P6/8/8/8/8/R7 #2* ^set-play }",
            "b7a6",
            "chess { board kbK5/pp6/1P6/8/8/8/8/R7 #2* set-play } \
             the variations of set play are not recorded; write them by hand, as in `1...Kd5 2.Qd4#`",
        ),
    ] {
        let at = text.find('^').expect("a marker");
        let (mut text, mut refused) = (text.replace('^', ""), String::new());
        let square = |name: &str| square_from_words(name, Size::flat(8, 8)).expect("a square");
        for word in moves.split_whitespace() {
            let gesture = MoveGesture { from: square(&word[..2]), to: square(&word[2..]), choice: None };
            match made(&text, at as u32, &gesture) {
                Ok(grown) => text = grown,
                Err(why) => refused = why,
            }
        }
        assert_eq!(format!("{text} {refused}"), expected);
    }
}

#[test]
fn trees_grow_in_the_form_in_which_they_are_written() {
    let cases = include_str!("../../../tests/fixtures/ide/record.txt");
    let mut found = String::new();
    for case in cases.split("\n---\n") {
        let mut parts = case.splitn(3, "\n\n");
        let (text, moves) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default().trim_end());
        let first = text;
        // Where no place is marked, the cursor is at the start of the puzzle.
        let at = first.find(CURSOR).map_or(3, |at| at as u32);
        let (mut text, mut after) = (first.replace(CURSOR, ""), String::new());
        for word in moves.split_whitespace() {
            let (grown, due) = play(&text, at, word);
            after += &format!("\n{word}: {due}");
            text = grown;
        }
        let left_out = wrong(&text).join("; ");
        found += &format!("{first}\n\n{moves}\n\n{text}{after}\n{left_out}\n---\n");
    }
    let found = format!("{}\n", found.trim_end_matches("---\n").trim_end());
    if std::env::var_os("CPZ_BLESS").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/ide/record.txt");
        fs::write(path, &found).expect("the fixture is written");
    }
    assert_eq!(found, cases);
}
