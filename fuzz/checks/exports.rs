//! Puzzles in the formats of other programs, and back.

use cpz::diagnostic::Severity;
use cpz::exchange::export::Format;
use cpz::syntax::parse;
use cpz::{CheckOptions, ExportOptions, ImportOptions, SolveOptions, TextOptions};
use serde_json::{Value, json};

/// The nodes of a search: what is asked is compared, and what is found within the same budget.
const BUDGET: u64 = 3000;

/// At most so many puzzles of a text go through the formats.
const MAX_PUZZLES: usize = 4;

/// A text of any kind can be exported, and of each puzzle without an error comes back what was there, or cpz says what is
/// left out.
pub fn exports(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if text.contains('\0') {
        return;
    }
    for format in Format::ALL {
        let (file, notes) = export(text, format.name());
        assert!(notes.iter().all(|note| !note.is_empty()));
        match format {
            Format::Json => assert!(serde_json::from_str::<Value>(&file).is_ok(), "{file}"),
            Format::Jsonl => {
                assert!(file.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()), "{file}");
            }
            _ => {}
        }
    }
    for puzzle in single_puzzles(text).iter().filter(|puzzle| has_no_error(puzzle)).take(MAX_PUZZLES) {
        let game = parse(puzzle.as_str()).puzzles().next().and_then(|puzzle| puzzle.game());
        for format in formats_of(game.map_or("", |game| game.word())) {
            nothing_is_invented(puzzle, format);
        }
        for format in PROBLEM_FORMATS {
            comes_back(puzzle, format);
        }
    }
}

fn has_no_error(puzzle: &str) -> bool {
    let options = CheckOptions { text: text_options(), ..CheckOptions::default() };
    let found = cpz::check_text(puzzle, &options).expect("checked");
    found["summary"]["errors"] == json!(0)
}

fn text_options() -> TextOptions {
    TextOptions { budget: Some(BUDGET), ..TextOptions::default() }
}

/// The export of a text, and what it leaves out.
pub fn export(text: &str, to: &str) -> (String, Vec<String>) {
    let options = ExportOptions { text: text_options(), ..ExportOptions::default() };
    let exported = cpz::export_text(text, to, &options).expect("exported");
    (exported.text, exported.notes)
}

pub fn import(text: &str, from: &str) -> String {
    let options = ImportOptions { from: Some(from.into()), ..ImportOptions::default() };
    let imported = cpz::import_text(text.as_bytes(), &options).expect("imported");
    assert!(imported.notices.is_empty(), "{:?}\n{text}", imported.notices);
    imported.text
}

fn list<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    value[name].as_array().map_or(&[], Vec::as_slice)
}

/// The questions that chess problems are made of.
fn is_derived(query: &Value) -> bool {
    ["twin", "set-play", "duplex"].iter().any(|verb| query["verb"] == *verb)
}

fn is_twin(query: &Value) -> bool {
    query["verb"] == "twin"
}

/// Of each twin, whether its duplex is asked.
fn twins_with_duplex(queries: &[Value]) -> Vec<bool> {
    let twins = queries.iter().enumerate().filter(|(_, query)| is_twin(query));
    let own = |from: usize| queries[from + 1..].iter().take_while(|query| !is_twin(query));
    twins.map(|(from, _)| own(from).any(|query| query["verb"] == "duplex")).collect()
}

/// Whether a question is one of a chess problem, solved or not.
fn is_problem(query: &Value) -> bool {
    let verb = query["verb"].as_str().unwrap_or_default();
    let other = ["move", "mate", "line", "win", "draw", "solve", "count", "capture"].contains(&verb);
    !other && !is_derived(query)
}

/// Whether something in a puzzle cannot be read.
fn is_broken(puzzle: &Value) -> bool {
    let is_error = |f: &Value| f["code"] == "invalid-value" && f["severity"] == "error";
    let broken = |value: &Value| list(value, "findings").iter().any(is_error);
    broken(puzzle) || list(puzzle, "queries").iter().any(broken)
}

/// Whether a king and a rook that stand at home may not castle: all that is said of the rights of unsolved problems.
fn is_barred(puzzle: &Value) -> bool {
    let row = |index: usize| puzzle["board"]["rows"][index].as_str().unwrap_or_default().to_string();
    let is_home = |row: String, king: char, rook: char| row.find(king) == Some(4) && row.contains(rook);
    puzzle["castling"] == "-" && (is_home(row(7), 'K', 'R') || is_home(row(0), 'k', 'r'))
}

/// What a chess problem asks: its parts by name. Nothing for other puzzles.
fn asked(puzzle: &Value, solved: &Value) -> Option<Value> {
    let queries = list(puzzle, "queries");
    let (first, query) = queries.iter().enumerate().find(|(_, query)| is_problem(query))?;
    // What stands behind a twin is about that.
    let of_diagram = || queries.iter().enumerate().filter(|(i, _)| !queries[..*i].iter().any(is_twin));
    let of = |verb: &str| of_diagram().any(|(_, query)| query["verb"] == verb);
    let signs = query["asked"].as_str()?;
    let (is_unsolved, condition) = (query["verb"] == "unsupported", &puzzle["properties"]["condition"]);
    let fen = puzzle["board"]["fen"].as_str()?;
    let rights: Vec<&str> = fen.split(' ').skip(2).take(2).collect();
    let twins: Vec<Value> = match &list(solved, "queries")[first]["answer"]["twins"] {
        Value::Array(twins) if condition.is_null() => {
            twins.iter().map(|twin| json!([twin["id"], twin["fen"], twin["answers"]])).collect()
        }
        // Under a condition no twin is made.
        _ => {
            let twins = queries.iter().filter(|query| query["verb"] == "twin");
            twins.map(|twin| json!(twin["asked"].as_str().map(plain))).collect()
        }
    };
    let counts = signs.rsplit(' ').next().filter(|word| word.matches('.').count() > 1);
    let counts = counts.or(puzzle["properties"]["solutions"].as_str()).map(Value::from);
    Some(json!({
        "rows": puzzle["board"]["rows"],
        "rights": if is_unsolved { json!(is_barred(puzzle)) } else { json!(rights) },
        "verb": query["verb"],
        "in": query["in"],
        "side": query["side"],
        "signs": if is_unsolved { json!(signs.trim_end_matches(['*', ' '])) } else { Value::Null },
        "answer": query["answer"],
        "condition": condition.as_str().map(|text| text.replace(' ', "")),
        "zeroposition": puzzle["properties"]["zeroposition"],
        "set_play": signs.contains('*') || of("set-play"),
        "duplex": of("duplex"),
        "twins_duplex": twins_with_duplex(queries),
        "solutions": counts.unwrap_or(puzzle["solutions"].clone()),
        "twins": twins,
    }))
}

/// A question with one space between its words.
fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The problems of a text that can be read.
fn problems(text: &str) -> Vec<Value> {
    let exported: Value = serde_json::from_str(&export(text, "json").0).expect("JSON");
    let options = SolveOptions { text: text_options(), tree: false };
    let solved = cpz::solve_text(text, &options).expect("solved");
    let puzzles = list(&exported, "puzzles").iter().zip(list(&solved["files"][0], "puzzles"));
    let chess = puzzles.filter(|(puzzle, _)| puzzle["game"] == "chess" && !is_broken(puzzle));
    chess.filter_map(|(puzzle, solved)| asked(puzzle, solved)).collect()
}

/// What a note says to be lost: members of [`asked`].
const LOSSES: [(&str, &str); 10] = [
    ("a twin that the format has no words for", "twins"),
    // Without its first twin the diagram is asked itself.
    ("a twin that the format has no words for", "zeroposition"),
    ("a twin that the format has no words for", "duplex"),
    ("a twin that the format has no words for", "answer"),
    ("a twin that the format has no words for", "twins_duplex"),
    ("`duplex` of some twins alone", "duplex"),
    ("`duplex` of some twins alone", "twins_duplex"),
    ("the `solutions`", "solutions"),
    ("the number of continuations", "solutions"),
    ("en passant", "rights"),
];

/// Compares the problem of a text with what becomes of it; whether nothing of it is lost. Nothing where there is none.
pub fn comes_back(text: &str, format: &str) -> Option<bool> {
    let mut before = problems(text).pop()?;
    let (exported, notes) = export(text, format);
    let imported = import(&exported, format);
    let mut after = problems(&imported);
    if after.is_empty() && notes.iter().any(|note| note.contains("left out")) {
        return Some(false);
    }
    assert_eq!(after.len(), 1, "{format}\n{text}\n{exported}\n{imported}\n{notes:?}");
    let lost = LOSSES.iter().filter(|(note, _)| notes.iter().any(|told| told.contains(note)));
    let mut is_whole = true;
    for (_, member) in lost {
        before[member] = Value::Null;
        after[0][member] = Value::Null;
        is_whole = false;
    }
    assert_eq!(before, after[0], "{format}\n{text}\n{exported}\n{imported}\n{notes:?}");
    Some(is_whole)
}

/// The formats of chess problems.
pub const PROBLEM_FORMATS: [&str; 3] = ["json", "popeye", "olv"];

/// The puzzles of a text, each without what stands before it.
pub fn single_puzzles(text: &str) -> Vec<String> {
    let tree = parse(text);
    tree.puzzles().map(|puzzle| text[puzzle.span().range()].to_string()).collect()
}

/// The formats that hold a game, besides JSON, which holds all.
pub fn formats_of(game: &str) -> &'static [&'static str] {
    match game {
        "chess" => &["pgn", "epd", "popeye", "olv", "fen"],
        "solitaire" => &["fen"],
        "draughts" => &["pdn"],
        _ => &[],
    }
}

/// A question: what it asks, whether it has a star, and whether it has an answer.
type Question = (String, bool, bool);

/// What a person wrote of a puzzle, as far as another form of the same words does not change it: its texts and its
/// questions.
fn written(puzzle: &Value, is_study_a_line: bool) -> (Vec<(String, Value)>, Vec<Question>) {
    let named = ["id", "name", "tags", "solutions", "description"]
        .map(|name| (name.to_string(), puzzle[name].clone()));
    let properties = puzzle["properties"].as_object().expect("properties").clone();
    let is_text = |value: &Value| match value {
        Value::String(text) => !text.trim().is_empty(),
        Value::Array(texts) => texts.iter().any(|text| *text != json!("")),
        other => !other.is_null(),
    };
    let texts = named.into_iter().chain(properties).filter(|(_, value)| is_text(value)).collect();
    let is_answer = |value: &Value| match value {
        Value::String(text) => !text.trim_matches(['"', '\'', ' ']).is_empty(),
        other => !other.is_null(),
    };
    let question = |query: &Value| {
        let asked = query["asked"].as_str().unwrap_or_default();
        let verb = match query["verb"].as_str().unwrap_or_default() {
            "win" | "draw" if is_study_a_line => "line",
            "unsupported" => asked.trim_end_matches(['*', ' ']),
            verb => verb,
        };
        let words = format!("{verb} {} {}", query["in"], query["side"]);
        (words, asked.ends_with('*'), is_answer(&query["written"]))
    };
    (texts, list(puzzle, "queries").iter().map(question).collect())
}

/// A text without white space, control characters and what stands for them.
fn dense(text: &str) -> String {
    text.replace(|c: char| c.is_control() || c.is_whitespace() || c == char::REPLACEMENT_CHARACTER, "")
}

/// The JSON of a text without control characters and what stands for them.
fn visible(text: &Value) -> String {
    match text {
        Value::String(text) => dense(text),
        Value::Array(texts) => texts.iter().map(visible).collect::<Vec<_>>().join("\n"),
        other => other.to_string(),
    }
}

/// Texts without the white space around them, which is no part of them, and with a blank for each other white space in a line.
fn trimmed(text: &Value) -> Value {
    match text {
        Value::String(text) => {
            let blank = |c: char| if c.is_whitespace() && c != '\n' { ' ' } else { c };
            text.trim().chars().map(blank).collect::<String>().into()
        }
        Value::Array(texts) => texts.iter().map(trimmed).collect(),
        other => other.clone(),
    }
}

/// Compares what a person wrote of a puzzle with what comes back: nothing is there that was not, and what is not there any
/// more is told.
pub fn nothing_is_invented(text: &str, format: &str) {
    let exported = |text: &str| -> Value { serde_json::from_str(&export(text, "json").0).expect("JSON") };
    let (between, notes) = export(text, format);
    if between.is_empty() {
        assert!(!notes.is_empty(), "{format}\n{text}");
        return;
    }
    let after_text = import(&between, format);
    let (before, after) = (exported(text), exported(&after_text));
    let case = format!("{format}\n{text}\n{between}\n{after_text}\n{notes:?}");
    assert_eq!(list(&after, "puzzles").len(), 1, "{case}");
    let (texts, questions) = written(&before["puzzles"][0], format == "epd");
    let (texts_after, questions_after) = written(&after["puzzles"][0], format == "epd");
    let has_control = notes.iter().any(|told| told.contains("a control character"));
    // Where a format closes a text with a sign, another one stands for it.
    let has_others = notes.iter().any(|told| told.contains(" in the place of "));
    let others = |text: String| text.replace('"', "'").replace('{', "(").replace('}', ")");
    for (name, value) in &texts_after {
        // A FEN has one place for a name.
        let is_named = name == "name" && format == "fen" && before["puzzles"][0]["id"] == *value;
        // An answer that the other form cannot read as moves comes back as a note.
        let is_written = |part: &str| {
            let moves = ["solution: ", "line: "].iter().find_map(|label| part.strip_prefix(label));
            dense(text).contains(&dense(moves.unwrap_or(part)))
        };
        let is_solution = |note: &Value| note.as_str().is_some_and(|note| note.split("; ").all(is_written));
        // A comment above the puzzle is its description.
        let is_kept = matches!(name.as_str(), "note" | "description")
            && (notes.iter().any(|told| told.ends_with("as a comment"))
                || value.as_array().is_some_and(|notes| notes.iter().all(is_solution)));
        let is_same = |own: &Value| {
            trimmed(own) == trimmed(value)
                || has_control && visible(own) == visible(value)
                || has_others && others(visible(own)) == others(visible(value))
        };
        let is_there = is_named || is_kept || texts.iter().any(|(n, v)| n == name && is_same(v));
        assert!(is_there, "{name} {value}\n{case}");
    }
    let is_told = !notes.is_empty();
    assert!(is_told || texts_after.len() == texts.len(), "{case}");
    let mut rest = questions.iter();
    for question in &questions_after {
        // An answer that was verified is exported too.
        let is_same = |(asked, star, answer): &Question| {
            *asked == question.0 && (is_told || *star == question.1) && (is_told || question.2 >= *answer)
        };
        // EPD keeps the key of what it cannot ask, which comes back as a line.
        let is_key = format == "epd" && is_told && question.0.starts_with("line");
        assert!(is_key || rest.any(is_same), "{question:?} of {questions:?}\n{case}");
    }
    assert!(is_told || questions_after.len() == questions.len(), "{case}");
}
