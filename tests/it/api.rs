//! The functions of the library give what the commands print, and refuse wrong options.

use std::path::Path;

use cpz::{
    CheckOptions, DrawOptions, Error, ExportOptions, GenerateOptions, ImportOptions, Picture, SolveOptions,
    TextOptions,
};
use serde_json::Value;

use crate::harness::examples::examples;
use crate::harness::{Run, folder, run_with};

/// Small, since the searches are not what is tested.
const BUDGET: u64 = 2000;

fn text_options() -> TextOptions {
    TextOptions { budget: Some(BUDGET), ..TextOptions::default() }
}

/// What a command prints of a text on standard input.
fn printed(dir: &Path, args: &[&str], text: &str) -> Run {
    let budget = BUDGET.to_string();
    let mut all = args.to_vec();
    if !matches!(args[0], "fmt" | "convert" | "import") {
        all.extend(["--budget", &budget]);
    }
    if !matches!(args[0], "lines" | "import") {
        all.extend(["--no-config", "-"]);
    }
    run_with(dir, &all, text.as_bytes())
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn functions_give_what_the_commands_print() {
    let empty = folder(&[]);
    let dir = empty.path();
    for (path, text) in examples() {
        let name = path.display();
        let checked = cpz::check_text(&text, &CheckOptions { hints: true, text: text_options() });
        let command = printed(dir, &["check", "--hints", "--format", "json"], &text);
        assert_eq!(checked.expect("checked"), command.json(), "{name}: check");
        let checked = cpz::check_json(&text, &CheckOptions { hints: true, text: text_options() });
        assert_eq!(json(&checked.expect("checked")), command.json(), "{name}: check as JSON");

        let solved = cpz::solve_text(&text, &SolveOptions { tree: true, text: text_options() });
        let command = printed(dir, &["solve", "--tree", "--format", "json"], &text);
        assert_eq!(solved.expect("solved"), command.json(), "{name}: solve");
        let solved = cpz::solve_json(&text, &SolveOptions { tree: true, text: text_options() });
        assert_eq!(json(&solved.expect("solved")), command.json(), "{name}: solve as JSON");

        let formatted = cpz::format_text(&text).expect("formatted");
        assert_eq!(formatted, printed(dir, &["fmt", "--force"], &text).stdout, "{name}: fmt");

        let converted = cpz::convert_text(&text, "coordinates", &text_options()).expect("converted");
        let command = printed(dir, &["convert", "--force", "--to", "coordinates"], &text);
        assert_eq!(converted.text, command.stdout, "{name}: convert");
        assert_eq!(
            converted.unchanged.len(),
            command.stderr.matches("unchanged:").count(),
            "{name}: convert"
        );

        for to in ["json", "epd"] {
            let options = ExportOptions { text: text_options(), ..ExportOptions::default() };
            let exported = cpz::export_text(&text, to, &options).expect("exported");
            let command = printed(dir, &["export", "--to", to], &text);
            assert_eq!(exported.text, command.stdout, "{name}: export to {to}");
            let notes: String = exported.notes.iter().map(|note| format!("cpz: {note}\n")).collect();
            assert_eq!(notes, command.stderr, "{name}: export to {to}");
            if !exported.text.is_empty() {
                let options = ImportOptions { from: Some(to.into()), ..ImportOptions::default() };
                let imported = cpz::import_text(exported.text.as_bytes(), &options).expect("imported");
                let command = printed(dir, &["import", "--from", to], &exported.text);
                assert_eq!(imported.text, command.stdout, "{name}: import from {to}");
                assert!(
                    command.stderr.contains(&format!("{} puzzle", imported.puzzles)),
                    "{}",
                    command.stderr
                );
            }
        }
    }
}

/// All ways through the tree of solutions that are whole sequences, as the names of their moves.
fn ways(steps: &Value, before: &[Value], found: &mut Vec<Vec<Value>>) {
    for step in steps.as_array().expect("steps") {
        let way: Vec<Value> = before.iter().cloned().chain([step["move"]["uci"].clone()]).collect();
        match step["next"].as_array().expect("steps").is_empty() {
            true => found.push(way),
            false => ways(&step["next"], &way, found),
        }
    }
}

/// Compares the trees of whole sequences with the lists of solutions; returns how many trees there are.
fn compare_sequences(answer: &Value) -> usize {
    let own = answer.get("tree").zip(answer.get("solutions")).map(|(tree, solutions)| {
        let mut found = Vec::new();
        ways(tree, &[], &mut found);
        let uci = |solution: &Value| solution["uci"].as_array().expect("moves").clone();
        let solutions: Vec<Vec<Value>> = solutions.as_array().expect("solutions").iter().map(uci).collect();
        // The replies that the last move of self play forces are no part of the list.
        found.iter_mut().for_each(|way| way.truncate(solutions[0].len()));
        found.dedup();
        assert_eq!(found, solutions);
    });
    let inner = match answer {
        Value::Object(members) => members.values().map(compare_sequences).sum(),
        Value::Array(items) => items.iter().map(compare_sequences).sum(),
        _ => 0,
    };
    inner + usize::from(own.is_some())
}

#[test]
fn tree_of_whole_sequences_has_the_solutions() {
    let trees = examples().into_iter().map(|(_, text)| {
        let options = SolveOptions { tree: true, text: text_options() };
        compare_sequences(&cpz::solve_text(&text, &options).expect("solved"))
    });
    assert!(trees.sum::<usize>() > 20);
}

#[test]
fn tree_of_a_series_selfmate_ends_with_the_forced_mates() {
    let (_, text) = examples().into_iter().find(|(_, text)| text.contains("seriesselfmate")).expect("one");
    let options = SolveOptions { tree: true, ..SolveOptions::default() };
    let solved = cpz::solve_text(&text, &options).expect("solved");
    let puzzles = solved["files"][0]["puzzles"].as_array().expect("puzzles");
    let queries = puzzles.iter().flat_map(|puzzle| puzzle["queries"].as_array().expect("queries"));
    let query = queries.into_iter().find(|query| query["verb"] == "seriesselfmate").expect("a question");
    let mut found = Vec::new();
    ways(&query["answer"]["tree"], &[], &mut found);
    let solutions = query["answer"]["solutions"].as_array().expect("solutions");
    let series = solutions[0]["uci"].as_array().expect("moves").len();
    assert!(found.len() >= solutions.len() && found.iter().all(|way| way.len() == series + 1), "{query}");
}

#[test]
fn export_searches_long_only_if_asked() {
    let (text, empty) = ("chess { board 8/B7/4R1P1/4KR2/8/7k/8/N5b1 w - - 0 1 mate in 4 }", folder(&[]));
    for (solve, arguments, verdict) in
        [(false, [].as_slice(), "undecided"), (true, &["--solve"], "unanswered")]
    {
        let options = ExportOptions { solve, ..ExportOptions::default() };
        let exported = cpz::export_text(text, "json", &options).expect("exported");
        assert_eq!(json(&exported.text)["puzzles"][0]["queries"][0]["verdict"], verdict);
        let all = [&["export", "--to", "json", "--no-config", "-"], arguments].concat();
        let command = run_with(empty.path(), &all, text.as_bytes());
        assert_eq!(exported.text, command.stdout);
        assert_eq!(exported.notes.len(), command.stderr.lines().count());
    }
}

#[test]
fn draw_and_generate_give_what_the_commands_print() {
    let empty = folder(&[]);
    let text =
        "solitaire { board RN.. solve }\nchess \"Mate\" { board 7k/8/5KQ1/8/8/8/8/8 w - - 0 1 mate in 1 }\n";
    for (only, solution) in [("1", true), ("Mate", false)] {
        let options = DrawOptions { only: Some(only.into()), solution, ..DrawOptions::default() };
        let Ok(Picture::Svg(svg)) = cpz::draw_text(text, &options) else { panic!("no picture") };
        let args: &[&str] =
            if solution { &["draw", "--only", only, "--solution"] } else { &["draw", "--only", only] };
        assert_eq!(svg, printed(empty.path(), args, text).stdout);
    }
    let png =
        cpz::draw_text(text, &DrawOptions { only: Some("1".into()), to: "png".into(), ..Default::default() });
    assert!(matches!(png, Ok(Picture::Png(bytes)) if bytes.starts_with(b"\x89PNG")));

    let options = GenerateOptions { count: 3, pieces: Some(4), ..GenerateOptions::default() };
    let generated = cpz::generate_puzzles(&options).expect("generated");
    let args = ["generate", "solitaire", "--count", "3", "--pieces", "4"];
    assert_eq!(generated.text, run_with(empty.path(), &args, b"").stdout);
    // What is known does not come again.
    let known = GenerateOptions { known: Some(generated.text.clone()), ..options };
    let others = cpz::generate_puzzles(&known).expect("generated");
    let together = cpz::check_text(&format!("{}{}", generated.text, others.text), &CheckOptions::default());
    let together = together.expect("checked");
    let found = together["files"][0]["diagnostics"].as_array().expect("findings");
    assert!(found.iter().all(|finding| finding["code"] != "duplicate-puzzle"), "{found:?}");
}

#[test]
fn line_is_answered_as_by_the_command() {
    let empty = folder(&[]);
    for line in ["solitaire { board RN.. solve }", "hello"] {
        let answer = cpz::answer_line(line.as_bytes(), 1, Some(BUDGET)).expect("answered");
        assert_eq!(format!("{answer}\n"), printed(empty.path(), &["lines"], line).stdout);
        assert!(serde_json::from_str::<Value>(&answer).is_ok());
    }
}

#[test]
fn wrong_options_are_errors() {
    let text = "solitaire { board RN.. solve }";
    let budget = |budget| TextOptions { budget: Some(budget), ..TextOptions::default() };
    let check =
        |text_options| cpz::check_text(text, &CheckOptions { text: text_options, hints: false }).err();
    let draw = |options| cpz::draw_text(text, &options).err();
    let generate = |options| cpz::generate_puzzles(&options).err();
    let drawing = DrawOptions::default;
    let making = GenerateOptions::default;
    let some = |text: &str| Some(text.to_string());
    let wrong: Vec<(Option<Error>, &str)> = vec![
        (check(budget(0)), "budget 0"),
        (check(budget(u64::MAX)), "100000000"),
        (check(TextOptions { config: some("rulez = 1"), ..Default::default() }), "configuration"),
        (cpz::convert_text(text, "fan", &TextOptions::default()).err(), "`fan`; choose one of text, list"),
        (cpz::export_text(text, "doc", &ExportOptions::default()).err(), "`doc`"),
        (
            cpz::export_text(text, "json", &ExportOptions { games: vec!["go".into()], ..Default::default() })
                .err(),
            "`go`",
        ),
        (cpz::import_text(b"\x1f\x8b\x08", &ImportOptions::default()).err(), "compressed by gzip"),
        (cpz::import_text(b"\xff", &ImportOptions::default()).err(), "not recognised"),
        (cpz::import_text(b"", &ImportOptions { letters: some("xx"), ..Default::default() }).err(), "`xx`"),
        (draw(DrawOptions { size: 15, ..drawing() }), "between 16 and 4096"),
        (draw(DrawOptions { size: u32::MAX, ..drawing() }), "between 16 and 4096"),
        (draw(DrawOptions { theme: "pink".into(), ..drawing() }), "`pink`"),
        (draw(DrawOptions { to: "gif".into(), ..drawing() }), "`gif`"),
        (draw(DrawOptions { step: Some(1), solution: true, ..drawing() }), "not both"),
        (draw(DrawOptions { step: Some(usize::MAX), ..drawing() }), "step"),
        (draw(DrawOptions { only: some("7"), ..drawing() }), "no puzzles"),
        (cpz::draw_text(&format!("{text}{text}"), &drawing()).err(), "2 puzzles"),
        (generate(GenerateOptions { game: "go".into(), ..making() }), "`go`"),
        (generate(GenerateOptions { count: 0, ..making() }), "between 1 and"),
        (generate(GenerateOptions { count: usize::MAX, ..making() }), "between 1 and"),
        (generate(GenerateOptions { pieces: Some(0), ..making() }), "between 1 and 64"),
        (generate(GenerateOptions { pieces: Some(17), ..making() }), "17 pieces"),
        (generate(GenerateOptions { size: some("9x9"), ..making() }), "8x8"),
        (generate(GenerateOptions { rules: some("odd"), ..making() }), "ranger"),
        (generate(GenerateOptions { kinds: some("?"), ..making() }), ""),
        (generate(GenerateOptions { difficulty: some("11"), ..making() }), "1 to 10"),
        (generate(GenerateOptions { mate: Some(2), ..making() }), "for chess"),
        (generate(GenerateOptions { game: "chess".into(), ..making() }), "`positions`"),
        (
            generate(GenerateOptions {
                game: "chess".into(),
                mate: Some(6),
                positions: some(text),
                ..making()
            }),
            "1 to 5",
        ),
        (
            generate(GenerateOptions {
                game: "chess".into(),
                mate: Some(2),
                positions: some(text),
                ..making()
            }),
            "no position",
        ),
        (generate(GenerateOptions { game: "chess".into(), unique: true, ..making() }), "for solitaire"),
    ];
    for (n, (error, part)) in wrong.iter().enumerate() {
        let message = error.as_ref().unwrap_or_else(|| panic!("number {n} is accepted")).to_string();
        assert!(message.contains(part) && !message.ends_with('.'), "number {n}: {message}");
    }
}
