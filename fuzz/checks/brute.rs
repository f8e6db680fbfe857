//! Brute-force search for solitaire: tries every capture in every order. Shares no code with the solver.

use std::collections::{BTreeMap, BTreeSet};

use cpz::analysis::{Options, Outcome, analyse};
use cpz::games::Answer;
use cpz::syntax::parse;

/// Column and row, 0-based.
pub type Square = (i32, i32);
/// The piece on each square: its letter and the number of its captures.
pub type Pieces = BTreeMap<Square, (char, u32)>;
/// From one square to another.
pub type Capture = (Square, Square);

/// The solver finds a solution if there is one, and its counts equal those of the brute-force search.
///
/// Input bytes: dialect, width, height, and two for each piece: square and kind.
pub fn solver(data: &[u8]) {
    let [rules, width, height, pieces @ ..] = data else { return };
    let rules = ["default", "ranger", "solo"][usize::from(rules % 3)];
    let (width, height) = (i32::from(width % 6) + 1, i32::from(height % 6) + 1);
    let mut board = Pieces::new();
    for two in pieces.chunks_exact(2) {
        let at = (i32::from(two[0]) % width, i32::from(two[0]) / width % height);
        board.insert(at, (char::from(b"KQRBNP"[usize::from(two[1] % 6)]), 0));
        if board.len() == 6 {
            break;
        }
    }
    if width * height < 2 || board.is_empty() {
        return;
    }
    let mut all = Vec::new();
    search(rules, &board, &mut Vec::new(), &mut all);
    let distinct: BTreeSet<BTreeSet<Capture>> = all.iter().map(|s| s.iter().copied().collect()).collect();

    let text = text(rules, width, height, &board);
    let options = Options { answers: true, nodes: u64::MAX, ..Options::default() };
    let report = analyse(&parse(text.as_str()), &options);
    let [solve, count] = &report.puzzles[0].queries[..] else { panic!("two queries\n{text}") };
    match &solve.outcome {
        Outcome::Answer(Answer::Solve(None)) => assert!(all.is_empty(), "{:?}\n{text}", all[0]),
        Outcome::Answer(Answer::Solve(Some(solution))) => {
            let square = |s: cpz::board::Square| (i32::from(s.x), i32::from(s.y));
            let ours: Vec<Capture> = solution.iter().map(|c| (square(c.from), square(c.to))).collect();
            assert!(all.contains(&ours), "{ours:?}\n{text}");
        }
        other => panic!("{other:?}\n{text}"),
    }
    match &count.outcome {
        Outcome::Answer(Answer::Count { count, distinct: sets }) => {
            assert_eq!(count.map(|n| n.to_string()), Some(all.len().to_string()), "{text}");
            assert_eq!(sets.map(|n| n.to_string()), Some(distinct.len().to_string()), "{text}");
        }
        other => panic!("{other:?}\n{text}"),
    }
    let codes: Vec<&str> = report.findings().iter().map(|(f, _)| f.code.name()).collect();
    assert_eq!(codes.contains(&"unsolvable"), all.is_empty(), "{codes:?}\n{text}");
    assert_eq!(codes.contains(&"not-unique"), distinct.len() > 1, "{codes:?}\n{text}");
}

fn text(rules: &str, width: i32, height: i32, board: &Pieces) -> String {
    let row = |y| (0..width).map(|x| board.get(&(x, y)).map_or('.', |p| p.0)).collect::<String>();
    let rows: Vec<String> = (0..height).rev().map(row).collect();
    let rows = rows.join("\n");
    format!("solitaire {{ rules {rules} size {width}x{height} unique board \"{rows}\" solve count }}\n")
}

/// All solutions, each as its captures in order.
pub fn search(rules: &str, board: &Pieces, path: &mut Vec<Capture>, found: &mut Vec<Vec<Capture>>) {
    if board.len() == 1 {
        found.push(path.clone());
        return;
    }
    for (&from, &(kind, done)) in board {
        for (&to, &(taken, _)) in board {
            let barred = rules == "solo" && (done == 2 || taken == 'K');
            if from == to || barred || !reaches(rules, board, kind, from, to) {
                continue;
            }
            let mut next = board.clone();
            next.remove(&from);
            next.insert(to, (kind, done + 1));
            path.push((from, to));
            search(rules, &next, path, found);
            path.pop();
        }
    }
}

fn reaches(rules: &str, board: &Pieces, kind: char, from: Square, to: Square) -> bool {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let (ax, ay) = (dx.abs(), dy.abs());
    let straight = dx == 0 || dy == 0;
    let slides = match kind {
        'K' => return ax.max(ay) == 1,
        'N' => return ax.min(ay) == 1 && ax.max(ay) == 2,
        'P' => return ax == 1 && ay == 1 && (rules == "default" || dy == 1),
        'R' => straight,
        'B' => ax == ay,
        _ => straight || ax == ay,
    };
    slides
        && (1..ax.max(ay)).all(|n| !board.contains_key(&(from.0 + n * dx.signum(), from.1 + n * dy.signum())))
}
