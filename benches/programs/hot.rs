//! Runs the hot paths for `benches/counts`, which counts their instructions.
//!
//! `hot NAME TIMES` runs one of them TIMES times. The difference between two runs and one has no start-up cost.

#[path = "random.rs"]
mod random;

use cpz::analysis::{Cache, Defaults, DuplicateIndex, Options, SegmentedText, allow, analyse, link};
use cpz::diagnostic::Span;
use cpz::games::{Budget, Question, game};
use cpz::syntax::{Verb, parse};
use random::{Random, collection};

/// Answers the queries of a text.
fn ask(text: &str, verb: Verb) {
    let tree = parse(text);
    for (bound, _) in cpz::analysis::bind_all(&tree, Defaults::default()) {
        let position = cpz::analysis::position_of(&bound).expect("a position");
        let request = bound.puzzle.queries().next().and_then(|q| cpz::analysis::request_of(&bound, q));
        let question = Question { request, ..Question::of(verb) };
        let work = Budget::new(cpz::analysis::DEFAULT_NODES, None);
        let answer = game(bound.id).answer(&position, &question, &work);
        assert!(answer.is_ok());
    }
}

fn main() {
    let mut args = std::env::args().skip(1);
    let (name, times) =
        (args.next().unwrap_or_default(), args.next().and_then(|n| n.parse().ok()).unwrap_or(1));
    let mut run: Box<dyn FnMut()> = match name.as_str() {
        "parse" => {
            let text = collection(2000);
            Box::new(move || drop(parse(text.as_str())))
        }
        "check" => {
            let text = collection(500);
            Box::new(move || {
                let mut report = analyse(&parse(text.as_str()), &Options::default());
                link(&mut [&mut report], |_, s| s.start.to_string());
            })
        }
        "key-stroke" => {
            // Types a letter in the middle of a long text and removes it.
            let mut random = Random(6);
            // 7×7 boards, so that all puzzles are different.
            let puzzle = |i| format!("solitaire \"p{i}\" {{\n  board {}\n  count\n}}\n", random.board(49, 5));
            let mut text: String = (0..20_000).map(puzzle).collect();
            let at = text[text.len() / 2..].find("count").expect("a query") + text.len() / 2;
            let (cache, options) = (Cache::default(), Options::default());
            let mut segments = SegmentedText::of(text.as_str(), Defaults::default());
            let mut index = DuplicateIndex::default();
            let mut refresh = move |segments: &mut SegmentedText, text: &str| {
                segments.read(text);
                segments.analyse(text, &cache, &options, 20_000, at as u32, usize::MAX);
                index.update("a", Some(segments), &mut Default::default());
                let told =
                    index.findings_of("a", 1000, |s| text[s.range()].to_string(), |_, s| s.start.to_string());
                allow(&mut segments.report(&options.config.severities, &told.findings));
            };
            refresh(&mut segments, &text);
            Box::new(move || {
                for new in ["x", ""] {
                    let old = Span::new(at as u32, at as u32 + u32::from(new.is_empty()));
                    text.replace_range(old.range(), new);
                    segments.edit(old, new.len() as u32);
                    refresh(&mut segments, &text);
                }
            })
        }
        "solo" => {
            let mut random = Random(8);
            let one =
                |_| format!("solitaire {{ rules solo size 8x8 board {} solve }}\n", random.board(64, 10));
            let text: String = (0..20).map(one).collect();
            Box::new(move || ask(&text, Verb::Solve))
        }
        "legality" => {
            let text = "chess { board r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R move Bxe6 }\n"
                .repeat(200);
            Box::new(move || ask(&text, Verb::Move))
        }
        "chess3d" => {
            let mut random = Random(3);
            let one = |_| {
                let pieces = (0..30).map(|_| {
                    let (letter, x, y, z) = (
                        ["q", "r", "b", "n"][random.below(4)],
                        random.below(10),
                        random.below(10),
                        random.below(10),
                    );
                    format!("[{x},{y},{z},\"{letter}\"]")
                });
                let pieces: Vec<String> = pieces.collect();
                format!("chess3d {{ size 10 origin 0 board [[5,5,5,\"K\"],{}] mate }}\n", pieces.join(","))
            };
            let text: String = (0..10).map(one).collect();
            Box::new(move || {
                let report = analyse(&parse(text.as_str()), &Options::default());
                assert_eq!(report.puzzles.len(), 10);
            })
        }
        "captures" => {
            let men =
                "[\"B\",\"M\",2,2],[\"B\",\"M\",4,4],[\"B\",\"M\",6,6],[\"B\",\"M\",2,6],[\"B\",\"M\",6,2]";
            let text = format!("draughts {{ board [[\"W\",\"K\",1,1],{men}] capture }}\n").repeat(50);
            Box::new(move || ask(&text, Verb::Capture))
        }
        other => panic!("there is no {other}"),
    };
    for _ in 0..times {
        run();
    }
}
