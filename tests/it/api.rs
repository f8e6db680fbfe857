//! The functions of the library give what the commands print, and refuse wrong options.

use std::path::Path;

use cpz::{
    CheckOptions, DrawOptions, Error, ExportOptions, GenerateOptions, HintOptions, ImportOptions, Picture,
    PrintOptions, RateOptions, RepairOptions, SolveOptions, TextOptions,
};
use serde_json::Value;

use crate::harness::examples::examples;
use crate::harness::{Run, folder, read, run, run_with};

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

/// The values of an option take turns, so that each example costs one run of a command.
#[test]
fn functions_for_authors_give_what_the_commands_print() {
    let empty = folder(&[]);
    let dir = empty.path();
    for (turn, (path, text)) in examples().into_iter().enumerate() {
        let name = path.display();
        let rated = cpz::rate_text(&text, &RateOptions { text: text_options(), ..RateOptions::default() });
        let command = printed(dir, &["rate", "--format", "json"], &text);
        // A number that is read differs from one that is computed in its last bit.
        assert_eq!(json(&rated.expect("rated").to_string()), command.json(), "{name}: rate");

        let grade = ["1", "2", "3"][turn % 3];
        let options = HintOptions {
            grade: grade.parse().expect("a number"),
            text: text_options(),
            ..HintOptions::default()
        };
        let command = printed(dir, &["hint", "--format", "json", "--grade", grade], &text);
        assert_eq!(cpz::hint_text(&text, &options).expect("hinted"), command.json(), "{name}: hint {grade}");

        let by = ["difficulty", "pieces", "name", "id"][turn % 4];
        let command = printed(dir, &["sort", "--force", "--by", by], &text);
        match cpz::sort_text(&text, by, &text_options()) {
            Ok(sorted) => assert_eq!(sorted, command.stdout, "{name}: sort by {by}"),
            Err(why) => assert!(command.stderr.contains(&why.to_string()), "{name}: {why}"),
        }

        let command = printed(dir, &["stats", "--format", "json"], &text);
        let counted = cpz::stats_text(&text, &text_options()).expect("counted");
        assert_eq!(counted, command.json(), "{name}: stats");
        let command = printed(dir, &["stats", "--format", "svg"], &text);
        assert_eq!(cpz::plot_text(&text, &text_options()).expect("drawn"), command.stdout, "{name}: plot");

        let aim = [None, Some("unique"), Some("shorten"), Some("minimal")][turn % 4];
        let options = RepairOptions {
            unique: aim == Some("unique"),
            shorten: aim == Some("shorten"),
            minimal: aim == Some("minimal"),
            max: Some(turn % 3),
            text: text_options(),
            ..RepairOptions::default()
        };
        let (max, flag) = ((turn % 3).to_string(), aim.map(|aim| format!("--{aim}")));
        let mut args = vec!["repair", "--format", "json", "--max", &max];
        args.extend(flag.as_deref());
        let repaired = cpz::repair_text(&text, &options).expect("repaired");
        assert_eq!(repaired, printed(dir, &args, &text).json(), "{name}: {args:?}");

        let to = ["html", "typst", "latex"][turn % 3];
        let options = PrintOptions { to: to.into(), text: text_options(), ..PrintOptions::default() };
        let command = printed(dir, &["print", "--to", to], &text);
        match cpz::print_text(&text, &options) {
            Ok(printed) => {
                assert_eq!(printed.text, command.stdout, "{name}: print");
                let left_out = printed.left_out.iter().map(|p| format!("{}: left out: {}", p.line, p.reason));
                assert!(left_out.clone().all(|part| command.stderr.contains(&part)), "{}", command.stderr);
                assert_eq!(left_out.count(), command.stderr.matches(": left out: ").count(), "{name}");
            }
            Err(_) => assert!(command.stdout.is_empty(), "{name}: print"),
        }

        let fixed = cpz::fix_text(&text, &text_options()).expect("fixed");
        let files = folder(&[("a.cpz", &text)]);
        let budget = BUDGET.to_string();
        let args = ["check", "--fix", "--force", "--no-config", "--budget", &budget, "a.cpz"];
        let command = run(files.path(), &args);
        assert_eq!(fixed.text, read(files.path(), "a.cpz"), "{name}: fix");
        let said = command.stderr.split("fixed ").nth(1).and_then(|rest| rest.split(' ').next());
        assert_eq!(fixed.fixed.to_string(), said.unwrap_or("0"), "{name}: fix");
    }
}

#[test]
fn options_of_printing_are_those_of_the_command() {
    let empty = folder(&[]);
    let text = "chess \"Mate\" { board 7k/8/5KQ1/8/8/8/8/8 w - - 0 1 mate in 1 }\n\
                solitaire \"Row\" { tags [easy] board RN.. solve }\nsolitaire { board ? }\n";
    let default = PrintOptions::default;
    let words = |text: &str| vec![text.to_string()];
    let some = |text: &str| Some(text.to_string());
    let cases: [(PrintOptions, &[&str]); 12] = [
        (PrintOptions { only: words("M*"), ..default() }, &["--only", "M*"]),
        (PrintOptions { tags: words("easy"), ..default() }, &["--tag", "easy"]),
        (PrintOptions { games: words("chess"), ..default() }, &["--game", "chess"]),
        (PrintOptions { theme: "wood".into(), ..default() }, &["--theme", "wood"]),
        (PrintOptions { coordinates: Some(false), ..default() }, &["--coordinates", "off"]),
        (
            PrintOptions { paper: "letter".into(), per_page: 1, ..default() },
            &["--paper", "letter", "--per-page", "1"],
        ),
        (PrintOptions { form: some("magazine"), ..default() }, &["--form", "magazine"]),
        (PrintOptions { solutions: "below".into(), ..default() }, &["--solutions", "below"]),
        (
            PrintOptions { hints: "below".into(), add_hints: true, ..default() },
            &["--hints", "below", "--add-hints"],
        ),
        (PrintOptions { difficulty: "estimate".into(), ..default() }, &["--difficulty", "estimate"]),
        (PrintOptions { language: "ru".into(), ..default() }, &["--language", "ru"]),
        (PrintOptions { title: some("Mates"), ..default() }, &["--title", "Mates"]),
    ];
    let plain = printed(empty.path(), &["print"], text).stdout;
    for (options, args) in cases {
        let options = PrintOptions { text: text_options(), ..options };
        let sheet = cpz::print_text(text, &options).expect("a sheet");
        assert_eq!(sheet.text, printed(empty.path(), &[&["print"], args].concat(), text).stdout, "{args:?}");
        assert_ne!(sheet.text, plain, "{args:?}");
    }
}

#[test]
fn codes_keywords_and_schemas_are_those_of_the_command() {
    let empty = folder(&[]);
    let list: String =
        cpz::codes().map(|each| format!("{:<20} {:<8} {}\n", each.code, each.severity, each.title)).collect();
    assert_eq!(list, run(empty.path(), &["explain", "--list"]).stdout);
    for name in ["cook", "unused-allow", "mate", "solve"] {
        let explained = cpz::explain(name).expect("an explanation");
        let title = explained.title.zip(explained.severity);
        let head = title.map(|(title, severity)| format!("{name}: {title} ({severity})\n\n"));
        let whole = head.unwrap_or_default() + &explained.text;
        assert_eq!(whole, run(empty.path(), &["explain", name]).stdout);
    }
    for name in ["check", "config", "baseline"] {
        assert_eq!(cpz::schema(name).expect("a schema"), run(empty.path(), &["schema", name]).stdout);
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
    let print = |options| cpz::print_text(text, &options).err();
    let sheet = PrintOptions::default;
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
        (cpz::rate_text(text, &RateOptions { only: vec!["{".into()], ..Default::default() }).err(), "`{`"),
        (cpz::hint_text(text, &HintOptions { grade: 4, ..Default::default() }).err(), "between 1 and 3"),
        (cpz::sort_text(text, "colour", &TextOptions::default()).err(), "choose one of difficulty, pieces"),
        (cpz::sort_text("s\0o\0", "name", &TextOptions::default()).err(), "NUL"),
        (cpz::fix_text("s\0o\0", &TextOptions::default()).err(), "NUL"),
        (cpz::stats_text(text, &budget(0)).err(), "budget 0"),
        (
            cpz::repair_text(text, &RepairOptions { unique: true, minimal: true, ..Default::default() })
                .err(),
            "choose one of `unique`",
        ),
        (print(PrintOptions { to: "pdf".into(), ..sheet() }), "html, typst, latex"),
        (print(PrintOptions { per_page: 13, ..sheet() }), "between 1 and 12"),
        (print(PrintOptions { hints: "above".into(), ..sheet() }), "apart, below, none"),
        (print(PrintOptions { language: "la".into(), ..sheet() }), "en, de, fr, ru, es"),
        (print(PrintOptions { only: vec!["7".into()], ..sheet() }), "no puzzles"),
        (cpz::print_text("solitaire { board ? }", &sheet()).err(), "nothing to print: "),
        (cpz::explain("cok").err(), "did you mean `cook`?"),
        (cpz::schema("checks").err(), "choose one of check, solve"),
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
        (generate(GenerateOptions { game: "draughts".into(), size: some("8x8"), ..making() }), "chess3d"),
        (generate(GenerateOptions { game: "draughts".into(), captures: Some(13), ..making() }), "1 to 12"),
        (generate(GenerateOptions { game: "chess3d".into(), kinds: some("M"), ..making() }), "Q, R, B or N"),
        (cpz::diff_texts(text, text, &cpz::DiffOptions { text: budget(0), max: None }).err(), "budget 0"),
    ];
    for (n, (error, part)) in wrong.iter().enumerate() {
        let message = error.as_ref().unwrap_or_else(|| panic!("number {n} is accepted")).to_string();
        assert!(message.contains(part) && !message.ends_with('.'), "number {n}: {message}");
    }
}
