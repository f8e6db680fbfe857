//! Benchmarks of a collection of 100,000 one-line puzzles (lexing, parsing, checking) and of single searches.
//!
//! `cargo bench` prints times, megabytes per second and allocations. Compare rows of the same run; `logos_alone`
//! is the lower bound for reading.

#[path = "programs/random.rs"]
mod random;

use cpz::analysis::{Defaults, Options, analyse, bind_all, link};
use cpz::diagnostic::{Code, LineIndex};
use cpz::games::{Budget, Question, game};
use cpz::repair::{Aim, Goals, Limits, repairs, single_changes};
use cpz::syntax::{GameId, Verb, parse, raw_tokens};
use divan::counter::{BytesCount, ItemsCount};
use divan::{AllocProfiler, Bencher, black_box};
use random::{Random, collection};

#[global_allocator]
static ALLOCATIONS: AllocProfiler = AllocProfiler::system();

fn main() {
    let text = collection(100_000);
    let tree = parse(text.clone());
    let (source, memory) = (text.len(), tree.memory());
    println!(
        "100,000 puzzles: {source} bytes of text, {memory} of tree: {:.1} times",
        memory as f64 / source as f64
    );
    divan::main();
}

#[divan::bench]
fn logos_alone(b: Bencher<'_, '_>) {
    let text = collection(100_000);
    b.counter(BytesCount::of_str(&text)).bench(|| raw_tokens(black_box(&text)));
}

#[divan::bench]
fn parse_collection(b: Bencher<'_, '_>) {
    let text = collection(100_000);
    b.counter(BytesCount::of_str(&text)).with_inputs(|| text.clone()).bench_values(parse);
}

/// Parses the text, and reads the properties and the board of each puzzle.
#[divan::bench]
fn parse_and_bind_collection(b: Bencher<'_, '_>) {
    let text = collection(100_000);
    b.counter(BytesCount::of_str(&text))
        .with_inputs(|| text.clone())
        .bench_values(|text| bind_all(&parse(text), Defaults::default()).len());
}

#[divan::bench]
fn index_lines(b: Bencher<'_, '_>) {
    let text = collection(100_000);
    b.counter(BytesCount::of_str(&text)).bench(|| LineIndex::new(black_box(&text)));
}

#[divan::bench(sample_count = 10)]
fn check_collection(b: Bencher<'_, '_>) {
    let text = collection(100_000);
    b.counter(BytesCount::of_str(&text))
        .counter(ItemsCount::new(100_000usize))
        .with_inputs(|| text.clone())
        .bench_values(|text| {
            let tree = parse(text);
            let mut report = analyse(&tree, &Options::default());
            link(&mut [&mut report], |_, _| String::new());
            report
        });
}

/// 1,000 random boards of one size and number of pieces.
fn positions(side: u64, pieces: usize) -> Vec<cpz::games::Position> {
    let mut random = Random(7);
    let text: String =
        (0..1000).map(|_| format!("solitaire {{ board {} }}\n", random.board(side * side, pieces))).collect();
    let tree = parse(text);
    cpz::analysis::bind_all(&tree, Default::default())
        .into_iter()
        .filter_map(|(bound, _)| {
            let (turn, dialect) = (bound.turn, bound.settings.dialect.unwrap_or_default());
            Some(cpz::games::Position {
                board: bound.reading?.board?,
                turn,
                dialect,
                rights: Default::default(),
            })
        })
        .collect()
}

/// Answers a query for each of 1,000 random boards of one size and number of pieces.
fn ask(b: Bencher<'_, '_>, side: u64, pieces: usize, verb: Verb) {
    let positions = positions(side, pieces);
    let question = Question::of(verb);
    b.counter(ItemsCount::new(positions.len())).bench(|| {
        for position in &positions {
            let work = cpz::games::Budget::new(cpz::analysis::DEFAULT_NODES, None);
            let _ = black_box(game(GameId::Solitaire).answer(black_box(position), &question, &work));
        }
    });
}

#[divan::bench(args = [4, 8, 12, 16], sample_count = 10)]
fn solve_4x4(b: Bencher<'_, '_>, pieces: usize) {
    ask(b, 4, pieces, Verb::Solve);
}

#[divan::bench(args = [8, 11, 14], sample_count = 10)]
fn solve_8x8(b: Bencher<'_, '_>, pieces: usize) {
    ask(b, 8, pieces, Verb::Solve);
}

#[divan::bench(args = [4, 6, 8], sample_count = 5)]
fn count_4x4(b: Bencher<'_, '_>, pieces: usize) {
    ask(b, 4, pieces, Verb::Count);
}

/// Twenty random boards of 4×4 without a solution.
fn unsolvable(pieces: usize) -> String {
    let mut random = Random(11);
    let mut text = String::new();
    let mut found = 0;
    while found < 20 {
        let one = format!("solitaire {{ board {} solve }}\n", random.board(16, pieces));
        let tree = parse(one.as_str());
        let report = analyse(&tree, &Options::default());
        if report.puzzles[0].findings.iter().any(|f| f.code == Code::Unsolvable) {
            text.push_str(&one);
            found += 1;
        }
    }
    text
}

const LIMITS: Limits = Limits { nodes_a_board: u64::MAX, pairs: false, max_pairs: 0 };

/// All changes of one piece of each of twenty boards, with the search that they share.
#[divan::bench(args = [4, 6, 8, 10, 12], sample_count = 10)]
fn repair_4x4(b: Bencher<'_, '_>, pieces: usize) {
    let tree = parse(unsolvable(pieces));
    let all = bind_all(&tree, Defaults::default());
    b.counter(ItemsCount::new(all.len())).bench(|| {
        for (bound, _) in &all {
            let goals = Goals::new(bound, Aim::Sound).expect("a query");
            let work = Budget::new(u64::MAX, None);
            let _ = black_box(repairs(&goals, LIMITS, &work, &mut |_| true));
        }
    });
}

/// The same with a search of its own for each changed board: what `repair_4x4` is compared with.
#[divan::bench(args = [4, 6, 8, 10, 12], sample_count = 10)]
fn repair_4x4_board_by_board(b: Bencher<'_, '_>, pieces: usize) {
    let tree = parse(unsolvable(pieces));
    let all = bind_all(&tree, Defaults::default());
    let question = Question::of(Verb::Solve);
    b.counter(ItemsCount::new(all.len())).bench(|| {
        for (bound, _) in &all {
            let goals = Goals::new(bound, Aim::Sound).expect("a query");
            for change in single_changes(&goals.position().board, bound.game.format()) {
                let mut position = goals.position().clone();
                change.apply(&mut position.board);
                let work = Budget::new(u64::MAX, None);
                let _ = black_box(bound.game.answer(&position, &question, &work));
            }
        }
    });
}

/// What a rating costs, to compare with `count_4x4`.
#[divan::bench(args = [4, 6, 8], sample_count = 5)]
fn rate_4x4(b: Bencher<'_, '_>, pieces: usize) {
    let positions = positions(4, pieces);
    b.counter(ItemsCount::new(positions.len())).bench(|| {
        for position in &positions {
            let work = cpz::games::Budget::new(cpz::analysis::DEFAULT_NODES, None);
            let _ = black_box(cpz::games::solitaire_facts(black_box(position), &work));
        }
    });
}
