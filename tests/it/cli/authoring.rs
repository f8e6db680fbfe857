//! The commands of composers and collectors: `rate`, `hint`, `generate`, `sort` and `stats`.

use super::*;

const SAMPLE: &str = "solitaire \"Sample\" { board .....B..RP.....N solve }\n";
const TWO: &str = "// The long one.\nsolitaire \"B\" { board .....B..RP.....N solve }\n\n// The short one.\nsolitaire \"A\" { id i board ...N.....R....B. solve }\n";

#[test]
fn rate_prints_exact_parts_and_an_estimate() {
    let dir = folder(&[("a.cpz", SAMPLE)]);
    let json = run(dir.path(), &["rate", "--format", "json", "a.cpz"]).exits(0).json();
    let rated = &json["files"][0]["puzzles"][0]["difficulty"];
    assert_eq!(rated["pieces"], 4);
    assert_eq!(rated["solitaire"]["steps"], 3);
    let (chance, bits) =
        (rated["chance"].as_f64().expect("a number"), rated["bits"].as_f64().expect("a number"));
    assert!((bits + chance.log2()).abs() < 1e-3 && chance > 0.0 && chance < 1.0, "{rated}");
    let estimate = rated["estimate"].as_f64().expect("a number");
    let text = run(dir.path(), &["rate", "a.cpz"]).exits(0).stdout;
    assert!(text.contains(&format!("about {estimate:.1} of 10")), "{text}");
    // Nothing is rated that cannot be read; the rest is.
    let dir =
        folder(&[("a.cpz", "solitaire { board R.Z solve }\nchess { board 8/8/8/4k3/8/8/8/4K2R mate }")]);
    let json = run(dir.path(), &["rate", "--format", "json"]).exits(1).json();
    for puzzle in json["files"][0]["puzzles"].as_array().expect("puzzles") {
        assert!(puzzle["difficulty"]["error"].is_string(), "{puzzle}");
    }
}

#[test]
fn hints_have_three_grades() {
    let dir = folder(&[("a.cpz", SAMPLE), ("b.cpz", &SAMPLE.replace("board", "hint \"Jump!\" board"))]);
    let hint = |grade: &str, file: &str| {
        let json = run(dir.path(), &["hint", "--grade", grade, "--format", "json", file]).exits(0).json();
        json["files"][0]["puzzles"][0]["hint"].as_str().expect("a hint").to_string()
    };
    assert_eq!(hint("1", "a.cpz"), "the knight on d1 begins");
    assert!(hint("2", "a.cpz").contains("b2") && hint("3", "a.cpz").contains("d1xb2"));
    assert_eq!(hint("1", "b.cpz"), "Jump!");
    assert!(hint("3", "b.cpz").contains("d1xb2"));
    run(dir.path(), &["hint", "--grade", "4"]).exits(2);
}

#[test]
fn generate_makes_the_puzzles_of_a_seed_and_overwrites_nothing() {
    let dir = folder(&[]);
    let wanted = ["generate", "solitaire", "--pieces", "4", "--unique", "--count", "3", "--seed", "5"];
    let first = run(dir.path(), &wanted).exits(0).stdout;
    assert_eq!(run(dir.path(), &wanted).exits(0).stdout, first);
    let other = run(dir.path(), &["generate", "solitaire", "--pieces", "4", "--count", "3", "--seed", "6"]);
    assert_ne!(other.exits(0).stdout, first);
    let to_file = [&wanted[..], &["-o", "new.cpz"]].concat();
    run(dir.path(), &to_file).exits(0);
    assert_eq!(read(dir.path(), "new.cpz"), first);
    run(dir.path(), &to_file).exits(2);
    assert_eq!(read(dir.path(), "new.cpz"), first);
    run(dir.path(), &["check", "--fail-on", "warning", "new.cpz"]).exits(0);
    // It is formatted, and what the folder has is not made again.
    run(dir.path(), &["fmt", "--check"]).exits(0);
    fs::write(dir.path().join("more.cpz"), run(dir.path(), &wanted).exits(0).stdout).expect("written");
    let both = run(dir.path(), &["check", "--format", "json", "."]).json();
    let codes: Vec<String> = findings(&both).iter().map(|f| f.code.clone()).collect();
    assert!(!codes.iter().any(|code| code == "duplicate-puzzle"), "{codes:?}");
}

#[test]
fn generate_says_what_it_cannot_do() {
    let dir = folder(&[]);
    for wrong in [
        &["solitaire", "--pieces", "17"][..],
        &["solitaire", "--size", "9x9"],
        &["solitaire", "--kinds", "KX"],
        &["solitaire", "--difficulty", "4-3"],
        &["solitaire", "--mate", "2"],
        &["chess", "--mate", "2"],
        &["draughts", "--size", "8x8"],
        &["draughts", "--captures", "5", "--pieces", "5"],
        &["draughts", "--kinds", "Q"],
        &["draughts", "--unique"],
        &["chess3d", "--captures", "2"],
        &["chess3d", "--size", "3x4"],
        &["chess3d", "--pieces", "28"],
        &["chess3d", "--size", "2"],
        &["solitaire", "--size", "3x3x3"],
        &["chess", "--mate", "2", "--from", "missing.fen"],
    ] {
        let run = run(dir.path(), &[&["generate"], wrong].concat()).exits(2);
        assert!(!run.stderr.is_empty() && run.stdout.is_empty(), "{wrong:?}");
    }
    let few = [
        "generate",
        "solitaire",
        "--pieces",
        "2",
        "--size",
        "1x2",
        "--kinds",
        "R",
        "--count",
        "9",
        "--budget",
        "10000",
    ];
    let run = run(dir.path(), &few).exits(1);
    assert!(run.stderr.contains("found 1 of 9 puzzles"), "{}", run.stderr);
}

#[test]
fn generate_ends_when_there_are_no_other_boards() {
    let all = ["generate", "solitaire", "--size", "2x2", "--pieces", "2", "--count", "1000"];
    let run = run(folder(&[]).path(), &all).exits(1);
    assert_eq!(run.stdout.matches("solitaire ").count(), 33);
    assert!(run.stderr.contains("found 33 of 1000 puzzles; there seem to be no others"), "{}", run.stderr);
}

#[test]
fn generate_makes_captures_and_mates_on_cubes() {
    for (game, query) in [("draughts", "capture"), ("chess3d", "mate")] {
        let dir = folder(&[]);
        let wanted = ["generate", game, "--count", "4", "--seed", "9", "-o", "new.cpz"];
        run(dir.path(), &wanted).exits(0);
        let first = read(dir.path(), "new.cpz");
        assert_eq!(run(folder(&[]).path(), &wanted[..6]).exits(0).stdout, first);
        assert_eq!(first.matches(&format!("\n  {query}\n")).count(), 4, "{first}");
        run(dir.path(), &["check", "--fail-on", "hint"]).exits(0);
        run(dir.path(), &["fmt", "--check"]).exits(0);
        // What the folder has is not made again, and the difficulty is that of `rate`.
        run(dir.path(), &["generate", game, "--count", "4", "--seed", "9", "-o", "more.cpz"]).exits(0);
        run(dir.path(), &["check", "--fail-on", "warning"]).exits(0);
        let rated = run(dir.path(), &["rate", "--format", "json", "new.cpz"]).exits(0).json();
        for puzzle in rated["files"][0]["puzzles"].as_array().expect("puzzles") {
            let estimate = puzzle["difficulty"]["estimate"].as_f64().expect("a number");
            assert!(first.contains(&format!("difficulty {estimate:.1}\n")), "{puzzle}");
        }
    }
    let few = ["generate", "chess3d", "--pieces", "20", "--budget", "2000"];
    assert!(run(folder(&[]).path(), &few).exits(1).stderr.contains("found 0 of 1 puzzle"));
}

#[test]
fn generate_changes_known_positions() {
    let dir = folder(&[("list.fen", "8/8/8/8/8/2k5/8/K2Q3R w - - 0 1\n7k/8/5K2/6Q1/8/8/5P2/8 w - - 0 1\n")]);
    let wanted = ["generate", "chess", "--mate", "2", "--from", "list.fen", "--count", "2", "-o", "new.cpz"];
    run(dir.path(), &wanted).exits(0);
    run(dir.path(), &["check", "--fail-on", "warning", "new.cpz"]).exits(0);
    let solved = run(dir.path(), &["solve", "--format", "json", "new.cpz"]).exits(0).json();
    for puzzle in solved["files"][0]["puzzles"].as_array().expect("puzzles") {
        assert_eq!(puzzle["queries"][0]["answer"]["keys"].as_array().map(Vec::len), Some(1));
    }
}

#[test]
fn sort_moves_puzzles_with_their_comments() {
    let dir = folder(&[("a.cpz", TWO)]);
    for key in ["difficulty", "pieces", "name", "id"] {
        run(dir.path(), &["sort", "--by", key, "--check"]).exits(1);
        let diff = run(dir.path(), &["sort", "--by", key, "--diff"]).exits(1).stdout;
        assert!(diff.contains("--- a/a.cpz"), "{diff}");
    }
    assert_eq!(read(dir.path(), "a.cpz"), TWO);
    run(dir.path(), &["sort", "--by", "pieces"]).exits(0);
    let sorted = read(dir.path(), "a.cpz");
    assert!(sorted.starts_with("// The short one.\nsolitaire \"A\""), "{sorted}");
    let parts = |text: &str| text.trim().split("\n\n").map(str::to_string).collect::<BTreeSet<_>>();
    assert_eq!(parts(&sorted), parts(TWO));
    run(dir.path(), &["sort", "--by", "pieces", "--check"]).exits(0);
    run(dir.path(), &["sort"]).exits(2);
}

#[test]
fn stats_count_puzzles_and_findings() {
    let dir = folder(&[("a.cpz", TWO), ("b.cpz", BROKEN), ("c.cpz", ODD)]);
    let json = run(dir.path(), &["stats", "--format", "json"]).exits(0).json();
    assert_eq!(json["files"], 3);
    assert_eq!(json["puzzles"], 4);
    assert_eq!(json["games"], json!({"solitaire": 3, "chess": 1}));
    assert_eq!(json["sizes"], json!({"4×4": 3, "8×8": 1}));
    assert_eq!(json["soundness"], json!({"sound": 2, "with warnings": 1, "with errors": 1}));
    assert_eq!(json["findings"]["unsolvable"], 1);
    let text = run(dir.path(), &["stats"]).exits(0).stdout;
    assert!(text.starts_with("3 files, 4 puzzles\n"), "{text}");
    let plot = run(dir.path(), &["stats", "--format", "svg"]).exits(0).stdout;
    roxmltree::Document::parse(&plot).expect("SVG");
}

#[test]
fn check_prints_at_most_max_findings() {
    let all: String = (0..25).map(|_| BROKEN).collect();
    let dir = folder(&[("a.cpz", &all.replace("solve", "allow duplicate-puzzle solve"))]);
    let errors = |args: &[&str]| {
        let text = run(dir.path(), args).exits(1).stdout;
        (text.matches("error[unsolvable]").count(), text)
    };
    assert_eq!(errors(&["check"]).0, 25);
    assert_eq!(errors(&["check", "--max", "0"]).0, 25);
    let (shown, text) = errors(&["check", "--max", "3"]);
    assert_eq!(shown, 3);
    assert!(text.contains("22 more findings; `--max 0` prints all"), "{text}");
    assert!(text.contains("     25  error    unsolvable\n"), "{text}");
}

#[test]
fn explain_has_a_text_for_every_keyword() {
    let dir = folder(&[]);
    for word in ["mate", "solve", "unique", "board", "solitaire", "helpmate", "stalemate"] {
        let text = run(dir.path(), &["explain", word]).exits(0).stdout;
        assert!(text.contains(word) && text.len() > 30, "{word}: {text}");
    }
}

#[test]
fn a_file_without_a_command_names_check() {
    let dir = folder(&[("a.cpz", CLEAN)]);
    let run_it = run(dir.path(), &["a.cpz"]).exits(2);
    assert!(run_it.stderr.contains("`cpz check a.cpz`"), "{}", run_it.stderr);
    assert!(run(dir.path(), &["chek"]).exits(2).stderr.contains("check"));
}
