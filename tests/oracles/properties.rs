//! Properties that hold of any text and any board. Each run of the binary takes many files, since a
//! run costs more than a file does.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;

use crate::brute;
use crate::harness::{answers, consistent, dense, findings, lines, run};
use proptest::prelude::*;
use serde_json::{Value, json};
use tempfile::TempDir;

fn few() -> ProptestConfig {
    ProptestConfig {
        cases: 8,
        max_shrink_iters: 100,
        // No files beside the sources.
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn spread(texts: &[String]) -> TempDir {
    let dir = tempfile::tempdir().expect("a temporary folder");
    for (n, text) in texts.iter().enumerate() {
        fs::write(dir.path().join(name(n)), text).expect("a file");
    }
    dir
}

fn name(n: usize) -> String {
    format!("{n:03}.cpz")
}

fn gather(dir: &TempDir, texts: &[String]) -> Vec<String> {
    (0..texts.len()).map(|n| crate::harness::read(dir.path(), &name(n))).collect()
}

/// `check` ends with 0 or 1, its numbers agree, and all ranges lie inside of their files.
fn checks(texts: &[String]) {
    let dir = spread(texts);
    let run = run(dir.path(), &["check", "--format", "json", "."]);
    let json = run.json();
    let found = findings(&json);
    consistent(&run, &json, &found);
    assert_eq!(json["files"].as_array().expect("files").len(), texts.len(), "every file is reported");
    for finding in found {
        let n: usize = finding
            .path
            .rsplit(['/', '\\'])
            .next()
            .and_then(|file| file.strip_suffix(".cpz"))
            .and_then(|digits| digits.parse().ok())
            .expect("one of the files");
        if let Err(why) = finding.range.inside(&lines(&texts[n])) {
            panic!("{finding:?}: {why}\n{:?}", texts[n]);
        }
        assert!(crate::harness::CODES.contains(&finding.code.as_str()), "{finding:?}");
    }
}

/// `fmt` changes white space only, and nothing the second time.
fn formats(texts: &[String]) {
    let dir = spread(texts);
    run(dir.path(), &["fmt", "."]);
    let once = gather(&dir, texts);
    run(dir.path(), &["fmt", "."]);
    let twice = gather(&dir, texts);
    for ((text, once), twice) in texts.iter().zip(&once).zip(&twice) {
        assert_eq!(dense(text), dense(once), "of {text:?}");
        assert_eq!(once, twice, "of {text:?}");
    }
}

/// Words that the language knows, and what confuses it.
const TOKENS: &[&str] = &[
    "solitaire",
    "chess",
    "chess3d",
    "draughts",
    "board",
    "solve",
    "count",
    "mate",
    "capture",
    "move",
    "size",
    "origin",
    "turn",
    "rules",
    "author",
    "source",
    "note",
    "tags",
    "allow",
    "unique",
    "true",
    "false",
    "none",
    "legal",
    "illegal",
    "{",
    "}",
    "{",
    "}",
    "[",
    "]",
    "[",
    "]",
    "(",
    ")",
    "=>",
    "=>",
    ",",
    ",",
    "\"",
    "'",
    "\"a b\"",
    "'c'",
    "// comment\n",
    "//",
    "\n",
    "\n",
    "\r\n",
    "\r",
    " ",
    "\t",
    "...N.....R....B.",
    "R....N..........",
    "....",
    ".R..",
    "X",
    "é",
    "😀",
    "[[3,3,'N'],[1,1,'R']]",
    "[[[2,0],[1,1]]]",
    "[\"W\",\"K\",5,1]",
    "8/8/8/4k3/8/8/8/4K2R",
    "w",
    "-",
    "h1h2",
    "Rh2",
    "0",
    "1",
    "3",
    "-6",
    "5x6",
    "99999999999999999999",
    "ranger",
    "solo",
    "duplicate-puzzle",
    "\"W:WKa1:Bc3\"",
    "[###,n##,#rr],[#b#,###,###],[###,###,bRK]",
    "\u{feff}",
    "\u{0}",
    "\u{2028}",
    "solitaire { board ...N.....R....B. solve }\n",
    "chess { board 8/8/8/4k3/8/8/8/4K2R move h1h2 mate }\n",
];

fn soup() -> impl Strategy<Value = String> {
    let token = (0..TOKENS.len(), any::<bool>()).prop_map(|(n, space)| {
        let mut token = TOKENS[n].to_owned();
        if space {
            token.push(' ');
        }
        token
    });
    prop::collection::vec(token, 0..40).prop_map(|tokens| tokens.concat())
}

/// A file that is right but for a few characters.
fn damaged() -> impl Strategy<Value = String> {
    let text = include_str!("../fixtures/contract/grammar.txt");
    let start = text.find("// The sample").expect("the sample");
    let end = text.find("--- check").expect("its end");
    let sample: Vec<char> = text[start..end].chars().collect();
    let edit = (0..sample.len(), any::<bool>(), 0..TOKENS.len());
    prop::collection::vec(edit, 1..6).prop_map(move |edits| {
        let mut chars = sample.clone();
        for (at, delete, token) in edits {
            let at = at.min(chars.len() - 1);
            if delete {
                chars.remove(at);
            } else {
                chars.splice(at..at, TOKENS[token].chars());
            }
        }
        chars.into_iter().collect()
    })
}

fn texts(one: impl Strategy<Value = String>, many: usize) -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(one, 1..=many)
}

proptest! {
    #![proptest_config(few())]

    #[test]
    fn any_text_can_be_checked(texts in texts("(?s).{0,300}", 40)) {
        checks(&texts);
    }

    #[test]
    fn any_ascii_can_be_checked(texts in texts("[ -~\n\r\t]{0,300}", 40)) {
        checks(&texts);
    }

    #[test]
    fn any_tokens_can_be_checked(texts in texts(soup(), 60)) {
        checks(&texts);
    }

    #[test]
    fn damaged_files_can_be_checked(texts in texts(damaged(), 40)) {
        checks(&texts);
    }

    #[test]
    fn any_text_can_be_formatted(texts in texts("(?s).{0,300}", 40)) {
        formats(&texts);
    }

    #[test]
    fn any_tokens_can_be_formatted(texts in texts(soup(), 60)) {
        formats(&texts);
    }

    #[test]
    fn damaged_files_can_be_formatted(texts in texts(damaged(), 40)) {
        formats(&texts);
    }

    #[test]
    fn any_tokens_can_be_solved_written_and_converted(texts in texts(soup(), 40)) {
        // A file with NUL characters is taken for one in UTF-16, which no command reads.
        let texts: Vec<String> = texts.into_iter().map(|text| text.replace('\0', "")).collect();
        let dir = spread(&texts);
        let json = run(dir.path(), &["solve", "--format", "json", "."]);
        prop_assert!(matches!(json.code, Some(0 | 1)), "{:?}", json);
        json.json();
        run(dir.path(), &["solve", "--write", "--all", "."]);
        run(dir.path(), &["convert", "--to", "coordinates", "."]);
        run(dir.path(), &["check", "--fix", "."]);
        let left = run(dir.path(), &["check", "."]);
        prop_assert!(matches!(left.code, Some(0 | 1)), "{:?}", left);
    }
}

/// Formatting a file that is right never changes what it says.
#[test]
fn formatted_samples_have_the_same_findings() {
    let text = include_str!("../fixtures/contract/sources.txt");
    let inputs: Vec<String> = text
        .split("\n=== ")
        .skip(1)
        .map(|case| {
            let (_, body) = case.split_once('\n').expect("a title");
            let input = body.split("--- ").next().expect("an input");
            input.replace(['⟦', '⟧'], "")
        })
        .collect();
    let dir = spread(&inputs);
    let snapshot_of = |dir: &TempDir| {
        let json = run(dir.path(), &["check", "--format", "json", "."]).json();
        let found: Vec<(String, String)> = findings(&json).into_iter().map(|f| (f.path, f.code)).collect();
        let solved = run(dir.path(), &["solve", "--format", "json", "."]).json();
        (found, answers(&solved))
    };
    let before = snapshot_of(&dir);
    run(dir.path(), &["fmt", "."]).exits(0);
    assert_eq!(snapshot_of(&dir), before);
    for to in ["coordinates", "list", "text", "numbers", "text"] {
        run(dir.path(), &["convert", "--to", to, "."]).exits(0);
        assert_eq!(snapshot_of(&dir).1, before.1, "as {to}");
    }
}

// Boards. The solitaire rules are written here a second time, as plainly as can be, so that two
// readings of the source have to agree.

type Square = (i32, i32);
type Pieces = BTreeMap<Square, char>;

#[derive(Clone, Debug)]
struct Puzzle {
    width: i32,
    height: i32,
    rules: &'static str,
    pieces: Pieces,
}

fn puzzle() -> impl Strategy<Value = Puzzle> {
    let rules = prop::sample::select(vec!["default", "default", "ranger", "solo"]);
    ((2..=5i32, 2..=4i32), rules)
        .prop_flat_map(|((width, height), rules)| {
            let square = (0..width, 0..height);
            let kind = prop::sample::select(vec!['K', 'Q', 'R', 'B', 'N', 'P', 'N', 'R']);
            let pieces = prop::collection::btree_map(square, kind, 1..=5);
            (Just((width, height, rules)), pieces)
        })
        .prop_map(|((width, height, rules), pieces)| Puzzle { width, height, rules, pieces })
}

impl Puzzle {
    fn text(&self, queries: &str) -> String {
        let mut text =
            format!("solitaire {{ rules {} size {}x{}\n  board \"", self.rules, self.width, self.height);
        for y in (0..self.height).rev() {
            for x in 0..self.width {
                text.push(*self.pieces.get(&(x, y)).unwrap_or(&'.'));
            }
            text.push('\n');
        }
        let _ = writeln!(text, "\"\n  {queries}\n}}");
        text
    }

    /// Every way to the end, each as its captures in order.
    fn solutions(&self) -> Vec<Vec<(Square, Square)>> {
        let start = self.pieces.iter().map(|(at, kind)| (*at, (*kind, 0)));
        let mut found = Vec::new();
        brute::search(self.rules, &start.collect(), &mut Vec::new(), &mut found);
        found
    }
}

proptest! {
    #![proptest_config(few())]

    #[test]
    fn counts_agree_with_a_plain_search(puzzles in prop::collection::vec(puzzle(), 1..=40)) {
        let inputs: Vec<String> = puzzles.iter().map(|p| p.text("count solve")).collect();
        let dir = spread(&inputs);
        let json = run(dir.path(), &["solve", "--format", "json", "."]).exits(0).json();
        let all = answers(&json);
        prop_assert_eq!(all.len(), 2 * puzzles.len());
        for (n, puzzle) in puzzles.iter().enumerate() {
            let solutions = puzzle.solutions();
            let distinct: BTreeSet<BTreeSet<_>> =
                solutions.iter().map(|s| s.iter().copied().collect()).collect();
            prop_assert_eq!(
                &all[2 * n].1,
                &json!({
                    "count": solutions.len().to_string(),
                    "distinct": distinct.len().to_string(),
                }),
                "{}", inputs[n]
            );
            let answer = &all[2 * n + 1].1;
            prop_assert_eq!(&answer["solvable"], &json!(!solutions.is_empty()), "{}", inputs[n]);
            if answer["solvable"] == true {
                let ours: Vec<Value> = solutions.iter().map(|s| {
                    json!(s.iter().map(|(a, b)| [[a.0, a.1], [b.0, b.1]]).collect::<Vec<_>>())
                }).collect();
                prop_assert!(ours.contains(&answer["moves"]), "{}: {}", inputs[n], answer);
            }
        }
    }

    #[test]
    fn written_answers_are_clean(puzzles in prop::collection::vec(puzzle(), 1..=40)) {
        let inputs: Vec<String> = puzzles
            .iter()
            .map(|p| format!("allow duplicate-puzzle\n{}", p.text("solve // why\n count")))
            .collect();
        let dir = spread(&inputs);
        run(dir.path(), &["solve", "--write", "--all", "."]).exits(0);
        let json = run(dir.path(), &["check", "--format", "json", "."]).exits(0).json();
        prop_assert!(findings(&json).is_empty(), "{:?}", findings(&json));
        for (before, after) in inputs.iter().zip(gather(&dir, &inputs)) {
            prop_assert_eq!(after.matches("=>").count(), 2, "{}", after);
            prop_assert_eq!(before.lines().count(), after.lines().count(), "{}", after);
        }
    }

    #[test]
    fn unique_agrees_with_a_plain_search(puzzles in prop::collection::vec(puzzle(), 1..=30)) {
        let inputs: Vec<String> = puzzles
            .iter()
            .map(|p| p.text("unique allow [duplicate-puzzle unsolvable] solve"))
            .collect();
        let dir = spread(&inputs);
        let json = run(dir.path(), &["check", "--format", "json", "."]).exits(0).json();
        for (n, puzzle) in puzzles.iter().enumerate() {
            let distinct: BTreeSet<BTreeSet<_>> =
                puzzle.solutions().iter().map(|s| s.iter().copied().collect()).collect();
            let flagged = findings(&json)
                .iter()
                .any(|f| f.path.ends_with(&name(n)) && f.code == "not-unique");
            prop_assert_eq!(flagged, distinct.len() > 1, "{}", inputs[n]);
        }
    }

    #[test]
    fn turning_a_board_keeps_the_number_of_solutions(puzzle in puzzle()) {
        // Pawns of the other dialects look up, and would not turn with the board.
        let turned = |map: &dyn Fn(Square) -> Square, width, height| Puzzle {
            width,
            height,
            rules: "default",
            pieces: puzzle.pieces.iter().map(|(at, kind)| (map(*at), *kind)).collect(),
        };
        let (w, h) = (puzzle.width, puzzle.height);
        let inputs: Vec<String> = [
            turned(&|(x, y)| (x, y), w, h),
            turned(&|(x, y)| (w - 1 - x, y), w, h),
            turned(&|(x, y)| (x, h - 1 - y), w, h),
            turned(&|(x, y)| (y, x), h, w),
            turned(&|(x, y)| (y, w - 1 - x), h, w),
        ]
        .iter()
        .map(|p| p.text("count"))
        .collect();
        let dir = spread(&inputs);
        let json = run(dir.path(), &["solve", "--format", "json", "."]).exits(0).json();
        let all = answers(&json);
        for (_, answer) in &all {
            prop_assert_eq!(answer, &all[0].1, "{}", inputs[0]);
        }
    }

    #[test]
    fn every_format_has_the_same_answers(puzzles in prop::collection::vec(puzzle(), 1..=30)) {
        let inputs: Vec<String> = puzzles.iter().map(|p| p.text("count solve // kept")).collect();
        let dir = spread(&inputs);
        let solved = || answers(&run(dir.path(), &["solve", "--format", "json", "."]).json());
        let before = solved();
        for to in ["coordinates", "numbers", "list", "text", "list", "coordinates", "text"] {
            run(dir.path(), &["convert", "--to", to, "."]).exits(0);
            prop_assert_eq!(&solved(), &before, "as {}", to);
        }
        for text in gather(&dir, &inputs) {
            prop_assert!(text.contains("// kept"), "{}", text);
        }
    }
}
