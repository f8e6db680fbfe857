//! Import of an export gives the same puzzles.
//!
//! Two texts are compared by their exports as JSON, which has everything that cpz knows about a puzzle. Places differ, and
//! so does the form of a board.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use cpz::analysis::{Config, Options, analyse, link};
use cpz::diagnostic::LineIndex;
use cpz::exchange::Filter;
use cpz::exchange::export::{Exporter, Format, Search, Source};
use cpz::exchange::import::{Format as From, ImportOptions, import, reader_of};
use cpz::syntax::parse;
use proptest::prelude::*;
use serde_json::Value;

use crate::ide::typing::puzzles;

/// The nodes of a search: the formats are tested, not the searches.
const NODES: u64 = 200_000;

fn export(text: &str, format: Format) -> String {
    export_with_losses(text, format).0
}

/// Does something with the analysis of a text.
pub fn with_source(text: &str, search: Search, then: impl FnOnce(&Source<'_>)) {
    let config = Arc::new(Config::default());
    let options = Options { answers: true, nodes: search.nodes(), ..Options::new(config.clone()) };
    let mut report = analyse(&parse(text), &options);
    link(&mut [&mut report], |_, _| "elsewhere".into());
    let index = LineIndex::new(text);
    let source =
        Source { path: "a.cpz", text, index: &index, report: &report, config: &config, search, watch: None };
    then(&source);
}

/// An export, and what is not in it.
fn export_with_losses(text: &str, format: Format) -> (String, Vec<String>) {
    let filter = Filter::default();
    let (mut out, mut exporter) = (Vec::new(), Exporter::new(format, &filter));
    with_source(text, Search::Full(NODES), |source| {
        exporter.write(source, &mut out).expect("a vector takes all")
    });
    let exported = exporter.finish(&mut out).expect("a vector takes all");
    (String::from_utf8(out).expect("text"), exported.losses.sentences(format.title()))
}

/// The puzzles of an export, and what was not imported.
fn imported(text: &str, format: From) -> (String, Vec<String>) {
    let reader = reader_of(format, &text[..text.len().min(1000)], &ImportOptions::default());
    let (mut out, mut notices) = (String::new(), Vec::new());
    import(&*reader, &mut text.as_bytes(), &mut |part| {
        out.push_str(&part.text);
        out.push('\n');
        notices.extend(part.notices.into_iter().map(|n| n.reason));
        Ok(())
    })
    .expect("a slice can be read");
    (out, notices)
}

/// The puzzles of a text without places and without the forms of boards.
fn described(text: &str) -> Vec<Value> {
    let document: Value = serde_json::from_str(&export(text, Format::Json)).expect("JSON");
    let mut puzzles = document["puzzles"].as_array().expect("puzzles").clone();
    for puzzle in &mut puzzles {
        let puzzle = puzzle.as_object_mut().expect("an object");
        puzzle.remove("place");
        puzzle["board"].as_object_mut().expect("a board").remove("written");
        strip(&mut puzzle["findings"]);
        for query in puzzle["queries"].as_array_mut().expect("queries") {
            query.as_object_mut().expect("an object").remove("range");
            strip(&mut query["findings"]);
        }
    }
    puzzles
}

/// Keeps the codes of findings only, in the order of the alphabet: a message may name a place, and findings come in the
/// order of the lines, which an import sets anew. Whether a position is impossible depends on whether White's turn is
/// stated, which JSON does not tell.
fn strip(findings: &mut Value) {
    findings.as_array_mut().expect("findings").retain(|f| f["code"] != "impossible-position");
    for finding in findings.as_array_mut().expect("findings") {
        *finding = finding["code"].clone();
    }
    findings.as_array_mut().expect("findings").sort_by(|a, b| a.as_str().cmp(&b.as_str()));
}

/// Whether a puzzle has no error that reading it anew would read otherwise.
fn is_sound(puzzle: &Value) -> bool {
    let is_plain = |findings: &Value| {
        let shape = ["syntax", "unknown-keyword", "second-board", "not-for-this-game", "invalid-value"];
        findings
            .as_array()
            .expect("findings")
            .iter()
            .all(|code| !shape.contains(&code.as_str().unwrap_or("")))
    };
    let queries = puzzle["queries"].as_array().expect("queries");
    !puzzle["board"]["rows"].is_null()
        && is_plain(&puzzle["findings"])
        && queries.iter().all(|q| is_plain(&q["findings"]))
}

/// The same without white space in written answers, which an import formats.
fn without_gaps(value: &Value) -> Value {
    match value {
        Value::Array(all) => all.iter().map(without_gaps).collect(),
        Value::Object(members) => {
            let member = |(name, value): (&String, &Value)| {
                let value = match value {
                    Value::String(text) if name == "written" => {
                        text.split_whitespace().collect::<String>().into()
                    }
                    value => without_gaps(value),
                };
                (name.clone(), value)
            };
            members.iter().map(member).collect()
        }
        value => value.clone(),
    }
}

/// Compares a text with what an export of it becomes.
fn comes_back(text: &str, format: Format) {
    let before = described(text);
    let exported = export(text, format);
    let (after, notices) = imported(&exported, From::Json);
    let after_puzzles = described(&after);
    if before.iter().all(is_sound) {
        assert_eq!(notices, Vec::<String>::new(), "{text}\n{exported}");
    }
    if notices.is_empty() {
        assert_eq!(before.len(), after_puzzles.len(), "{text}\n{after}");
        for (before, after_puzzle) in before.iter().zip(&after_puzzles).filter(|(b, _)| is_sound(b)) {
            assert_eq!(without_gaps(before), without_gaps(after_puzzle), "{text}\n{after}");
        }
    }
}

fn collection() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/collection");
    let mut files: Vec<_> = fs::read_dir(folder).expect("a folder").flatten().map(|e| e.path()).collect();
    files.sort();
    files.iter().map(|path| fs::read_to_string(path).expect("a file")).collect()
}

/// Each collection of `tests/fixtures/export` in each format that is text for people or for other programs, and what is not in
/// it. `CPZ_BLESS=1` writes the expectations.
#[test]
fn each_format_is_written_as_before() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/export");
    for name in ["collection", "details"] {
        let text = fs::read_to_string(folder.join(format!("{name}.cpz"))).expect("a collection");
        let text = text.replace("\r\n", "\n");
        let (mut files, mut losses) = (Vec::new(), String::new());
        for format in Format::ALL {
            // The examples come back from JSON whole, and cards for Anki are no text.
            if matches!(format, Format::Json | Format::Jsonl | Format::Anki) {
                continue;
            }
            let (exported, lost) = export_with_losses(&text, format);
            let exported = exported.replace("\r\n", "\n");
            files.push((format!("{name}.{}", format.name()), exported));
            losses.extend(lost.into_iter().map(|sentence| format!("{sentence}\n")));
        }
        files.push((format!("{name}.losses"), losses));
        for (name, found) in files {
            let path = folder.join(&name);
            if crate::harness::blessing() {
                fs::write(&path, &found).expect("written");
            }
            let wanted = fs::read_to_string(&path).expect("an expectation").replace("\r\n", "\n");
            assert_eq!(found, wanted, "{name}");
        }
    }
}

/// Texts that JSON holds to the last blank.
const BLANKS: &str = "//  two  blanks
//
// and a line
chess \"  a  name \" {
  note \"two  blanks\"
  note \" \ta tab\"
  tags [\"  lead\", \"trail \", \"\"]
  x-text \" x  y \"
  board 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1
  mate in 1 => Ra8# ()
}
";

#[test]
fn the_examples_come_back_from_json() {
    for text in collection().into_iter().chain([BLANKS.to_string()]) {
        comes_back(&text, Format::Json);
        comes_back(&text, Format::Jsonl);
    }
}

/// A short search exports what it knows, and counts the answers that it leaves open.
#[test]
fn a_short_search_tells_what_it_leaves_open() {
    const HELP: &str = "chess { board 8/8/8/8/8/1K6/7R/k7 b helpmate in 1 }";
    const LONG: &str = "chess { board 8/8/8/8/8/1K6/7R/4k3 b helpmate in 5 }";
    const KEY: &str = "chess { board kbK5/pp6/1P6/8/8/8/8/R7 w mate in 2 }";
    let shown = |text, search| {
        let filter = Filter::default();
        let (mut out, mut exporter) = (Vec::new(), Exporter::new(Format::Pgn, &filter));
        with_source(text, search, |source| exporter.write(source, &mut out).expect("a vector takes all"));
        let exported = exporter.finish(&mut out).expect("a vector takes all");
        let out = String::from_utf8(out).expect("text");
        let moves = out.rsplit("]\n").next().unwrap_or_default().trim().to_string();
        (moves, exported.losses.open_answers())
    };
    for (text, search, moves, open) in [
        (HELP, Search::Unasked, "*", Some("1 answer needs a longer search")),
        (HELP, Search::Short, "1... Kb1 2. Rh1# 1-0", None),
        (LONG, Search::Short, "*", Some("1 answer needs a longer search")),
        (LONG, Search::Full(1000), "*", None),
        (KEY, Search::Short, "1. Ra6 bxa6 (1... Bc7 2. Rxa7#) 2. b7# 1-0", None),
    ] {
        let found = shown(text, search);
        assert_eq!((&found.0[..], found.1.as_deref()), (moves, open), "{text} {search:?}");
    }
    // What is worked out for the export has no more nodes than the answers.
    let text = "solitaire { board ...N.....R....B. solve }";
    for (search, difficulty) in [(Search::Unasked, false), (Search::Full(NODES), true)] {
        let filter = Filter::default();
        let (mut out, mut exporter) = (Vec::new(), Exporter::new(Format::Json, &filter));
        with_source(text, search, |source| exporter.write(source, &mut out).expect("a vector takes all"));
        exporter.finish(&mut out).expect("a vector takes all");
        let document: Value = serde_json::from_slice(&out).expect("JSON");
        let found = &document["puzzles"][0]["difficulty"];
        assert_eq!(found["error"].is_null(), difficulty, "{found}");
    }
}

/// A copy of the properties of a file is kept for each of its puzzles.
#[test]
fn a_puzzle_gets_a_hundred_properties_of_its_file() {
    for (count, told) in [(100, false), (101, true)] {
        let properties: String = (1..=count).map(|n| format!("x-p{n} {n}\n")).collect();
        let text = format!("{properties}solitaire {{ board N..R solve }}\n");
        let (exported, losses) = export_with_losses(&text, Format::Jsonl);
        let puzzle: Value = serde_json::from_str(&exported).expect("JSON");
        assert_eq!(puzzle["properties"].as_object().map(serde_json::Map::len), Some(100));
        let is_told = losses.iter().any(|loss| loss.contains("behind the first 100"));
        assert_eq!(is_told, told, "{losses:?}");
    }
}

/// The page shows the second puzzle of its collection.
#[test]
fn the_manual_shows_the_json_of_its_puzzle() {
    let page =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/export.md")).expect("a page");
    let fence = |head: &str| {
        let (_, rest) = page.split_once(&format!("```{head}\n")).expect("a fence");
        rest.split_once("```").expect("its end").0.to_string()
    };
    let shown: Value = serde_json::from_str(&fence("json")).expect("JSON");
    let mut document: Value =
        serde_json::from_str(&export(&fence("cpz,file=bank.cpz"), Format::Json)).expect("JSON");
    let puzzle = &mut document["puzzles"][1];
    puzzle["place"]["path"] = "bank.cpz".into();
    assert_eq!(&shown, puzzle);
}

#[test]
fn json_in_another_layout_is_read() {
    for text in collection().into_iter().take(2) {
        let document: Value = serde_json::from_str(&export(&text, Format::Json)).expect("JSON");
        let pretty = serde_json::to_string_pretty(&document).expect("JSON");
        assert_eq!(described(&imported(&pretty, From::Json).0), described(&text));
        let list = serde_json::to_string_pretty(&document["puzzles"]).expect("JSON");
        assert_eq!(described(&imported(&list, From::Json).0), described(&text));
    }
}

#[test]
fn a_puzzle_of_an_app_needs_little() {
    let text = r#"{"game":"chess","board":{"fen":"7k/8/5KQ1/8/8/8/8/8 w - - 0 1"},"queries":[{"verb":"mate-in","in":"1","written":"Qg7#"}]}"#;
    let (found, notices) = imported(text, From::Json);
    assert_eq!(notices, Vec::<String>::new());
    assert_eq!(found.trim(), "chess {\n  board 7k/8/5KQ1/8/8/8/8/8 w - - 0 1\n  mate in 1 => Qg7#\n}");
}

#[test]
fn a_text_in_json_does_not_end_its_puzzle() {
    let evil = "} chess { board 8/8/8/8/8/8/8/8";
    let bad = |name: &str, value: Value| {
        let mut puzzle =
            serde_json::json!({"game": "chess", "board": {"fen": "7k/8/5KQ1/8/8/8/8/8 w - - 0 1"}});
        *puzzle.pointer_mut(name).unwrap_or(&mut Value::Null) = Value::Null;
        puzzle[name] = value;
        puzzle.to_string()
    };
    let cases = [
        bad("name", evil.into()),
        bad("description", format!("a\n{evil}").into()),
        bad("rules", evil.into()),
        bad("tags", serde_json::json!([evil])),
        bad("queries", serde_json::json!([{"asked": evil}])),
        bad("queries", serde_json::json!([{"asked": "mate", "written": evil, "remark": evil}])),
        bad("board", serde_json::json!({"written": evil})),
        bad("board", serde_json::json!({"rows": [evil]})),
        bad("board", serde_json::json!({"fen": evil})),
        bad("properties", serde_json::json!({"x-a": [[evil, "\"'"]], evil: evil, "note": 5})),
    ];
    for case in cases {
        let (found, notices) = imported(&case, From::Json);
        let tree = parse(found.as_str());
        assert!(tree.puzzles().count() <= 1, "{case}\n{found}");
        assert_eq!(tree.puzzles().count() + notices.len(), 1, "{case}\n{found}\n{notices:?}");
    }
}

/// What a format of chess can hold of a puzzle: its position, and its question with a verdict on the answer.
fn held(puzzle: &Value, verbs: &[&str]) -> Value {
    let queries = puzzle["queries"].as_array().expect("queries");
    let held = queries.iter().find(|q| verbs.iter().any(|verb| q["verb"] == *verb));
    let question = held.map(|q| {
        let is_good = q["verdict"] != "wrong" && q["verdict"] != "error";
        serde_json::json!([q["verb"], q["in"], q["side"], q["answer"], is_good])
    });
    serde_json::json!([puzzle["game"], puzzle["board"]["rows"], puzzle["side"], question])
}

fn chess_comes_back(text: &str, to: Format, from: From, verbs: &[&str]) {
    let exported = export(text, to);
    let (after, notices) = imported(&exported, from);
    assert_eq!(notices, Vec::<String>::new(), "{exported}");
    let is_eight = |p: &Value| p["size"]["columns"] == 8 && p["size"]["rows"] == 8;
    let is_small = |p: &Value| p["game"] == "solitaire" && !is_eight(p) && to == Format::Fen;
    let holds = |p: &&Value| p["game"] == "chess" || is_small(p);
    let before = described(text);
    let before: Vec<&Value> = before.iter().filter(holds).filter(|p| !p["board"]["fen"].is_null()).collect();
    let after_puzzles = described(&after);
    assert_eq!(before.len(), after_puzzles.len(), "{exported}\n{after}");
    for (before, after_puzzle) in before.into_iter().zip(&after_puzzles) {
        // A study has no tag of its own, so one that ends with mate comes back as a mate. The formats have no conditions
        // either, without which nothing is asked.
        let is_study = before["queries"].as_array().expect("queries").iter().any(|q| q["verb"] == "win");
        let has_condition = !before["properties"]["condition"].is_null();
        if !is_study && !has_condition {
            assert_eq!(held(before, verbs), held(after_puzzle, verbs), "{exported}\n{after}");
        }
        let rights = |p: &Value| {
            p["board"]["fen"].as_str().map(|fen| fen.split(' ').take(4).collect::<Vec<_>>().join(" "))
        };
        assert_eq!(rights(before), rights(after_puzzle), "{exported}\n{after}");
    }
}

#[test]
fn the_examples_come_back_from_fen_epd_and_pgn() {
    for text in collection() {
        chess_comes_back(&text, Format::Fen, From::Fen, &[]);
        chess_comes_back(&text, Format::Epd, From::Epd, &["mate-in", "helpmate"]);
        chess_comes_back(&text, Format::Pgn, From::Pgn, &["mate-in", "selfmate", "helpmate"]);
    }
}

/// What a format of problems holds of a puzzle: its position, and what it asks.
fn problem_of(puzzle: &Value) -> Option<Value> {
    let queries = puzzle["queries"].as_array().expect("queries");
    let verbs = ["mate-in", "selfmate", "helpmate"];
    let question = queries.iter().find(|q| verbs.iter().any(|verb| q["verb"] == *verb))?;
    Some(serde_json::json!([puzzle["board"]["rows"], question["verb"], question["in"], question["answer"]]))
}

#[test]
fn the_problems_of_the_examples_come_back_from_popeye_and_olive() {
    let mut problems = 0;
    for text in collection() {
        let before: Vec<Value> = described(&text).iter().filter_map(problem_of).collect();
        problems += before.len();
        for (to, from) in [(Format::Popeye, From::Popeye), (Format::Olv, From::Olv)] {
            let exported = export(&text, to);
            let (after, notices) = imported(&exported, from);
            assert_eq!(notices, Vec::<String>::new(), "{exported}");
            let after_problems: Vec<Value> = described(&after).iter().filter_map(problem_of).collect();
            assert_eq!(before, after_problems, "{exported}\n{after}");
        }
    }
    assert!(problems >= 40, "{problems} problems");
}

#[test]
fn the_draughts_of_the_examples_come_back_from_pdn() {
    let mut positions = 0;
    for text in collection() {
        let held = |text: &str| -> Vec<Value> {
            let all = described(text).into_iter().filter(|p| p["game"] == "draughts");
            let held = all.filter(|p| !p["board"]["fen"].is_null());
            held.map(|p| serde_json::json!([p["board"]["rows"], p["side"]])).collect()
        };
        let before = held(&text);
        positions += before.len();
        let exported = export(&text, Format::Pdn);
        let (after, notices) = imported(&exported, From::Pdn);
        assert_eq!(notices, Vec::<String>::new(), "{exported}");
        assert_eq!(before, held(&after), "{exported}\n{after}");
    }
    assert!(positions >= 15, "{positions} positions");
}

#[test]
fn a_line_that_begins_with_the_capture_comes_back_from_pdn() {
    for (items, comes_back) in [
        ("\"W:Wc3,e1:Bd4,f6,h8\" capture => c3:e5:g7 line => 1. c3:e5:g7 h8:f6", true),
        ("\"W:Wc3,a1,e3:Bd4,f6,h8\" capture => c3:e5:g7 line => 1. c3:e5:g7 h8:f6 2. e3-d4", true),
        ("\"B:Bf6,h8:We5,c3\" capture => f6:d4:b2 line => 1... f6:d4:b2", true),
        // Marks are kept.
        ("\"W:Wc3:Bd4,h8\" capture => c3:e5 line => 1. c3:e5! h8-g7? 2. e5-f6", true),
        // Another line has no place.
        ("\"W:Wc3,e3:Bd4,f6,h8\" capture => c3:e5:g7 line => 1. e3:c5", false),
    ] {
        let (text, losses) = export_with_losses(&format!("draughts {{ board {items} }}"), Format::Pdn);
        assert_eq!(losses.is_empty(), comes_back, "{items}\n{losses:?}");
        // The number of the move is written again behind a variation alone.
        let has_number_again = comes_back && (text.contains('(') || items.contains("1..."));
        assert_eq!(text.contains("1... "), has_number_again, "{text}");
        let (after, notices) = imported(&text, From::Pdn);
        assert_eq!(notices, Vec::<String>::new(), "{text}");
        let queries = |text: &str| -> Vec<Value> {
            let queries = described(text)[0]["queries"].as_array().cloned().unwrap_or_default();
            queries.iter().map(|q| serde_json::json!([q["kind"], q["expected"]])).collect()
        };
        let before = queries(&format!("draughts {{ board {items} }}"));
        let lines = usize::from(!items.contains("1... f6:d4:b2"));
        let kept = if comes_back { 1 + lines } else { 1 };
        assert_eq!(queries(&after), before[..kept], "{text}\n{after}");
    }
}

#[test]
fn pdn_tells_that_a_question_without_a_capture_is_lost() {
    for asked in ["capture", "capture => none"] {
        let (_, losses) =
            export_with_losses(&format!("draughts {{ board \"W:Wa1:Bh8\" {asked} }}"), Format::Pdn);
        let lost = "not exported: the question `capture` of 1 puzzle; PDN has no place for it";
        assert_eq!(losses, [lost], "{asked}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn typed_puzzles_come_back_from_json(numbers in proptest::collection::vec(0u64..1_000_000, 1..6)) {
        let text: String = numbers.iter().map(|&n| puzzles::puzzle(n) + "\n").collect();
        comes_back(&text, Format::Json);
        comes_back(&text, Format::Jsonl);
    }

    #[test]
    fn any_text_is_exported_in_every_format(text in "(chess|draughts|solitaire|[ \\n{}\\[\\]\"()]|board|=>|mate in 2|8/8|[a-zA-Z0-9/:#. ]){0,40}") {
        for format in Format::ALL {
            let _ = export(&text, format);
        }
        let _ = imported(&text, From::Json);
    }

    #[test]
    fn typed_puzzles_are_exported_in_every_format(number in 0u64..1_000_000) {
        for format in Format::ALL {
            let _ = export(&puzzles::puzzle(number), format);
        }
    }
}

#[test]
fn the_items_of_a_problem_stand_in_any_order() {
    let board = "board 8/R7/p7/k7/8/2K5/8/8";
    let twin = "twin b: mirror a1 h1";
    for (other, option) in [("set-play", "SetPlay"), ("duplex", "Duplex"), (twin, "Twin")] {
        let text = format!("condition \"Circe\"\nchess {{\n{board}\n{other}\nh#2\n}}\n");
        for format in [Format::Popeye, Format::Olv] {
            let (found, lost) = export_with_losses(&text, format);
            let swapped = format!("condition \"Circe\"\nchess {{\n{board}\nh#2\n{other}\n}}\n");
            assert_eq!(
                (found.as_str(), lost),
                (export(&swapped, format).as_str(), export_with_losses(&swapped, format).1)
            );
            let is_popeye = format == Format::Popeye;
            assert!(!is_popeye || found.contains("Stipulation h#2\n") && found.contains(option), "{found}");
            assert!(!found.contains("HalfDuplex") && found.contains("Circe"), "{found}");
        }
        // The side to move is that of the problem.
        assert!(export(&text, Format::Fen).contains(" b "), "{other}");
    }
}

#[test]
fn twins_come_back_from_popeye_and_olive() {
    let twins = "chess {
  author \"Dieter Müller and Rolf Wiehagen\"
  solutions 1.1.1.1
  board 8/8/Kp3p2/p1B1pP2/1r1NPpq1/1rk2p2/1p1p4/1B6 b
  helpmate in 2
  twin b: b4 to f3
  twin c: from b, exchange c3 f4
  twin d: remove f5 g4, add white bishop h1
  twin e: helpmate in 3, rotate 90
  twin f: mirror a1 h1, swap colours
  twin g: shift a1 a2, substitute pawn knight
  twin h: from b, h#2.5
}
";
    let questions = |text: &str| -> Vec<String> {
        let tree = parse(text);
        let asked = |query: cpz::syntax::Query<'_>| text[query.asked().range()].to_string();
        tree.puzzles().flat_map(|puzzle| puzzle.queries().map(asked).collect::<Vec<_>>()).collect()
    };
    let (olive, lost) = imported(&export(twins, Format::Olv), From::Olv);
    assert_eq!(lost, [] as [String; 0]);
    assert!(olive.contains("solutions 1.1.1.1"), "{olive}");
    let (popeye, lost) = imported(&export(twins, Format::Popeye), From::Popeye);
    assert_eq!(lost, [] as [String; 0]);
    for text in [&olive, &popeye] {
        let found = questions(text);
        assert_eq!(found[..7], questions(twins)[..7], "{text}");
        // Only the twin before can be continued: a longer way back is written in full.
        assert_eq!(found[7], "twin h: b4 to f3, helpmate in 2.5", "{text}");
    }
}

#[test]
fn studies_come_back_from_olive() {
    let studies = "chess {
  author [\"Richard Réti\", \"Henri Rinck\"]
  board 7K/8/k1P5/7p/8/8/8/8 w
  draw => \"1. Kg7 h4 (1... Kb6 2. Kf6) 2. Kf6 Kb6 3. Ke5 h3 (3... Kxc6 4. Kf4) 4. Kd6 h2 5. c7 Kb7 6. Kd7\"
}

chess {
  board 8/8/8/8/8/pk6/8/1K6 b
  win => \"1... a2+ 2. Ka1 Kc3\"
}
";
    let (olive, lost) = imported(&export(studies, Format::Olv), From::Olv);
    assert_eq!((olive.trim_end(), lost.len()), (studies.trim_end(), 0));
    assert_eq!(export(studies, Format::Popeye), "");
}

#[test]
fn olive_keeps_what_a_position_without_a_question_has() {
    let zero = "chess {
  zeroposition
  board kbK5/pp6/1P6/8/8/8/8/1R6 w
  mate in 2
  twin a: b1 to a1 => \"1.Ra1-a6 ! zugzwang. 1...b7*a6 2.b6-b7 # 1...Bb8-c7 2.Ra6*a7 #\"
}

chess {
  condition \"castling chess\"
  board 4k3/8/8/8/8/8/8/4K2R b
  helpmate in 2
}
";
    let (olive, lost) = imported(&export(zero, Format::Olv), From::Olv);
    assert_eq!((olive.trim_end(), lost.len()), (zero.trim_end(), 0));
}
