//! The documents of commands as the library makes them, whole: what a command prints of them is tested in `cli`.

use std::sync::Arc;

use cpz::analysis::{Config, Options, analyse};
use cpz::authoring::Statistics;
use cpz::diagnostic::Span;
use cpz::exchange::import::{Format, ImportOptions, import_file, reader_of};
use cpz::exchange::{Counts, answer_line, error_line, statistics_document, statistics_tables};
use cpz::syntax::parse;
use serde_json::{Value, json};

/// Two files: puzzles of three games, with errors, a warning and a hint.
const FILES: [&str; 2] = [
    "chess { board 6k1/5ppp/8/8/8/8/5PPP/R5K1 w mate in 1 => Ra8# move Ra8 => legal }
chess { board 6k1/5ppp/8/8/8/8/5PPP/R5K1 w mate in 1 => Ra7# }
chess { board 6k1/8/8/8/8/PPPPP3/PPPP4/6K1 w mate => none }
chess { board 6k1/5ppp/8/8/8/8/5PPP/R5K1 w mate in 1 => Rb8 mate in 1 => Rc8 }
",
    "solitaire { board N..R solve count }
solitaire { board N..B solve }
solitaire { board N..R solve }
checkers { board 8 }
chess { board 8/8/8/8/8/1K6/2R5/k7 w helpmate in 1 }
",
];

#[test]
fn puzzles_and_findings_of_all_files_are_counted() {
    let mut counts = Counts::default();
    for text in FILES {
        counts.add(&analyse(&parse(text), &Options { answers: true, ..Options::default() }));
    }
    let summary = serde_json::to_value(counts.summary).expect("JSON");
    assert_eq!(summary, json!({ "files": 0, "puzzles": 9, "queries": 11, "errors": 9, "warnings": 1 }));
    assert_eq!((counts.hints, counts.worst.map(|worst| worst.name())), (1, Some("error")));
}

#[test]
fn statistics_have_a_table_for_each_kind_of_number() {
    let options = Options { answers: true, ..Options::new(Arc::new(Config::default())) };
    let mut statistics = Statistics::default();
    for text in FILES {
        let tree = parse(text);
        statistics.add(&tree, &analyse(&tree, &options), &options);
    }
    let document = statistics_document(2, &statistics);
    let wanted = json!({
        "version": 1,
        "files": 2,
        "puzzles": 9,
        "games": { "chess": 5, "draughts": 1, "solitaire": 3 },
        "sizes": { "2×2": 3, "8×8": 5 },
        "pieces": { "2": 3, "3": 1, "9": 3, "11": 1 },
        "kinds": { "king": 10, "rook": 6, "bishop": 1, "knight": 3, "pawn": 27 },
        "difficulty": { "1": 1, "2": 3 },
        "soundness": { "sound": 2, "with warnings": 1, "with errors": 6 },
        "findings": {
            "board-shape": 1,
            "helpmate-turn": 1,
            "too-many-pieces": 1,
            "unknown-keyword": 1,
            "unknown-piece": 1,
            "unsolvable": 3,
            "wrong-answer": 1,
            "wrong-solution": 2,
        },
    });
    assert_eq!(document, wanted, "{document}");
    for table in statistics_tables(&statistics) {
        let rows = table.rows.into_iter().map(|(name, n)| (name, json!(n)));
        assert_eq!(document[table.name], Value::Object(rows.collect()), "{}", table.name);
    }
}

#[test]
fn lines_are_answered_with_the_puzzle_or_the_reason() {
    const SOLITAIRE: &str = "solitaire { board N..R solve }";
    let json = r#"{"game":"solitaire","board":{"rows":["N..R"]},"queries":[{"asked":"solve"}]}"#;
    for (line, members) in [
        (SOLITAIRE, Ok(("solitaire", "solve"))),
        (" \u{FEFF}solitaire { board N..R solve },", Ok(("solitaire", "solve"))),
        (json, Ok(("solitaire", "solve"))),
        ("", Err("this line is empty")),
        ("nothing", Err("this line has no puzzle: unexpected `nothing`; expected a puzzle")),
        (
            "solitaire { board N..R solve } solitaire { board N..R solve }",
            Err("this line has 2 puzzles; write each on a line of its own"),
        ),
        ("{\"game\":", Err("this is no puzzle in JSON: EOF while parsing a value at line 1 column 8")),
        ("{\"game\":\"go\"}", Err("`go` is no game that cpz knows")),
    ] {
        let answer: Value = serde_json::from_str(&answer_line(line.as_bytes(), 7, 1000)).expect("JSON");
        assert_eq!(answer["line"], 7, "{line}");
        match members {
            Ok((game, asked)) => {
                let found = (&answer["game"], &answer["queries"][0]["asked"]);
                assert_eq!(found, (&json!(game), &json!(asked)), "{line}: {answer}");
                assert!(answer["canonical"].is_string(), "{answer}");
            }
            Err(why) => assert_eq!(answer, json!({ "line": 7, "error": why }), "{line}"),
        }
    }
    assert_eq!(error_line(3, "no"), "{\"line\":3,\"error\":\"no\"}");
}

/// A word, which of them it is in the puzzles, and which one in the file.
type Word<'t> = (&'t str, usize, usize);

/// A word of a puzzle is found in the file of another program: in the record of the puzzle, and there as often before it as in
/// the same property or question.
#[test]
fn places_in_an_imported_file_are_those_of_its_words() {
    let epd = "\n; One\n6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8; id \"Ra8\";\n\
               6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8; id \"first\";\n\
               6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8; id \"Ra8\";\n";
    let moves = "1. Kb1 Kb8 2. Kc1 Kc8 ".repeat(5).replace("1. K", "K").replace("2. K", "K");
    let pgn = format!(
        "[Event \"x\"]\n[FEN \"k7/8/8/8/8/8/8/K7 w - - 0 1\"]\n\n*\n\n[Event \"Moves\"]\n\
         [FEN \"2k5/8/8/8/8/8/8/2K5 w - - 0 1\"]\n\n{moves}*\n"
    );
    let cases: [(Format, &str, &[Word<'_>]); 2] = [
        (
            Format::Epd,
            epd,
            &[("R5K1", 0, 0), ("Ra8", 1, 0), ("Rd8", 0, 0), ("first", 0, 0), ("R5K1", 1, 1), ("Ra8", 3, 2)],
        ),
        (
            Format::Pgn,
            &pgn,
            &[("k7", 0, 0), ("2k5", 0, 0), ("Kb8", 0, 0), ("Kb8", 3, 3), ("Kc8", 4, 4), ("Kb1", 1, 1)],
        ),
    ];
    for (format, text, words) in cases {
        let reader = reader_of(format, text, &ImportOptions::default());
        let file = import_file(&*reader, text.as_bytes()).expect("records");
        assert_eq!((&file.original.text[..], file.notices.len()), (text, 0));
        for &(word, from, to) in words {
            let nth = |text: &str, n| text.match_indices(word).nth(n).map(|(at, _)| at);
            let start =
                nth(&file.text, from).unwrap_or_else(|| panic!("{word} {from}\n{}", file.text)) as u32;
            let place = file.original.place(&file.text, Span::new(start, start + word.len() as u32));
            let due = nth(text, to).map(|at| at..at + word.len());
            assert_eq!(Some(place.range()), due, "{word} {from}\n{}", file.text);
        }
        // What has no words of the file is the first line of the record.
        let keyword = file.text.rfind("board").expect("a board") as u32;
        let place = file.original.place(&file.text, Span::new(keyword, keyword + 5));
        let last = if format == Format::Epd { text.lines().last() } else { Some("[Event \"Moves\"]") };
        assert_eq!(text.get(place.range()), last);
    }
}
