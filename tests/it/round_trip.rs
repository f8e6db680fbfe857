//! Chess problems come back from Popeye, Olive and JSON with everything that they ask, or cpz says what it leaves out.

use cpz::syntax::ProblemKind;
use cpz::{ExportOptions, ImportOptions, SolveOptions, TextOptions};
use serde_json::{Value, json};

use crate::harness::examples::examples;

/// The nodes of a search: what is asked is compared, and what is found within the same budget.
const BUDGET: u64 = 3000;

fn text_options() -> TextOptions {
    TextOptions { budget: Some(BUDGET), ..TextOptions::default() }
}

/// The export of a text, and what it leaves out.
fn export(text: &str, to: &str) -> (String, Vec<String>) {
    let options = ExportOptions { text: text_options(), ..ExportOptions::default() };
    let exported = cpz::export_text(text, to, &options).expect("exported");
    (exported.text, exported.notes)
}

fn import(text: &str, from: &str) -> String {
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

/// Whether a question is one of a chess problem, solved or not.
fn is_problem(query: &Value) -> bool {
    let verb = query["verb"].as_str().unwrap_or_default();
    let other = ["move", "mate", "line", "win", "draw", "solve", "count", "capture"].contains(&verb);
    !other && !is_derived(query)
}

/// Whether something in a puzzle cannot be read.
fn is_broken(puzzle: &Value) -> bool {
    let broken = |value: &Value| list(value, "findings").iter().any(|f| f["code"] == "invalid-value");
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
    let of = |verb: &str| queries.iter().any(|query| query["verb"] == verb);
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
const LOSSES: [(&str, &str); 5] = [
    ("a twin that the format has no words for", "twins"),
    ("`duplex` beside twins", "duplex"),
    ("the `solutions`", "solutions"),
    ("the number of continuations", "solutions"),
    ("en passant", "rights"),
];

/// Compares the problem of a text with what becomes of it; whether nothing of it is lost. Nothing where there is none.
fn comes_back(text: &str, format: &str) -> Option<bool> {
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

const FORMATS: [&str; 3] = ["json", "popeye", "olv"];

/// The puzzles of a text, each with what stands before it.
fn single_puzzles(text: &str) -> Vec<String> {
    let tree = cpz::syntax::parse(text);
    tree.puzzles().map(|puzzle| text[puzzle.span().range()].to_string()).collect()
}

#[test]
fn problems_of_the_examples_come_back() {
    let (mut whole, mut all) = (0, 0);
    for (_, text) in examples() {
        for puzzle in single_puzzles(&text) {
            for format in FORMATS {
                let found = comes_back(&puzzle, format);
                all += usize::from(found.is_some());
                whole += usize::from(found == Some(true));
            }
        }
    }
    assert!(all > 300 && whole * 10 > all * 9, "{whole} of {all} came back whole");
}

/// Numbers that depend on the first one alone.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn one<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// Placements of few men; on the first two a king may castle, on the last one in its mirror.
const BOARDS: [&str; 5] = [
    "8/8/8/8/8/p4k2/7p/R3K2R",
    "r3k3/7P/8/4K3/8/8/1Q6/8",
    "7k/5K2/8/6Q1/8/8/p7/8",
    "8/8/8/8/1n6/k1K5/p7/1R6",
    "3k3r/8/8/8/8/8/8/3K3R",
];

/// Changes that can be made of each of these boards, and the last that no format has words for.
const CHANGES: [&str; 9] = [
    "rotate 90",
    "swap colours",
    "mirror a1 h1",
    "add black bishop d7, add white pawn g4",
    "add black pawn c6",
    "add white knight g4, rotate 180",
    "helpmate in 2",
    "stalemate in 2",
    "turn black, add white pawn g4",
];

/// A stipulation: mostly one that is solved.
fn stipulation(numbers: &mut Numbers) -> String {
    if numbers.below(6) == 0 {
        return numbers.one(&["h##2", "==2", "pser-h#3", "ser-ze52", "r+2", "sct3", "h#=2.5"]).to_string();
    }
    let kinds: Vec<ProblemKind> = ProblemKind::all().collect();
    let kind = numbers.one(&kinds);
    let square = if kind.short().ends_with('z') { "e5" } else { "" };
    let half = kind.short().starts_with('h') && numbers.below(3) == 0;
    format!("{}{square}{}", kind.short(), if half { "2.5" } else { numbers.one(&["1", "2"]) })
}

/// A problem with some of everything.
fn problem(numbers: &mut Numbers) -> String {
    let mut text = String::from("chess {\n");
    let is_zero = numbers.below(5) == 0;
    let mut line = |is_there: bool, words: String| {
        if is_there {
            text.push_str(&format!("  {words}\n"));
        }
    };
    line(numbers.below(5) == 0, "condition \"Circe\"".into());
    line(numbers.below(8) == 0, "half-duplex".into());
    line(is_zero, "zeroposition".into());
    line(numbers.below(4) == 0, format!("solutions {}", numbers.one(&["2", "3", "2.1.1"])));
    let side = numbers.one(&["", " w", " b", " w KQkq -", " b - -"]);
    line(true, format!("board \"{}{side}\"", numbers.one(&BOARDS)));
    let asked = stipulation(numbers);
    let is_long_help = asked.starts_with("h") && !asked.starts_with("hs") && !asked.contains(['1']);
    line(true, format!("{asked}{}", numbers.one(&["", "", "*", " *"])));
    line(is_long_help && numbers.below(3) == 0, "set-play".into());
    line(numbers.below(5) == 0, "duplex".into());
    let twins = if is_zero { 1 + numbers.below(2) } else { numbers.below(3) };
    let mut before = 0;
    for index in 0..twins {
        let letter = char::from(if is_zero { b'a' } else { b'b' } + index as u8);
        // Each twin adds a man of its own, so that no two are the same.
        let own = format!("add white pawn {}6", char::from(b'f' + index as u8));
        let from = match index {
            1 if numbers.below(2) == 0 => format!("from {}, ", char::from(letter as u8 - 1)),
            _ => String::new(),
        };
        before = numbers.below(if before == 8 { 8 } else { CHANGES.len() });
        line(true, format!("twin {letter}: {from}{own}, {}", CHANGES[before]));
    }
    text + "}\n"
}

#[test]
fn problems_with_everything_come_back() {
    let (mut whole, mut all, mut numbers) = (0, 0, Numbers(2024));
    for _ in 0..400 {
        let text = problem(&mut numbers);
        for format in FORMATS {
            let found = comes_back(&text, format);
            all += usize::from(found.is_some());
            whole += usize::from(found == Some(true));
        }
    }
    assert!(all > 600 && whole * 2 > all, "{whole} of {all} came back whole");
}

/// Puzzles that are easily read as something else.
const MORE: [&str; 33] = [
    "chess { author [\"Theodor Steudel\", \"Günter Glaß\"] source [\"A paper, 1932\", \"A book\"] note \"n1\" note \"n2\"
       board 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1 mate in 1 => Ra8# }",
    "chess { tags [series-movers] board 8/7p/p7/8/3k4/Q1p1p1B1/r7/4K1b1
       ser-h#4 => \"1. Kd3 2. Kc2 3. Kb1 4. Ka1 Qc1#\"
       twin b: remove a2 => \"1. Kd5 2. Kc6 3. Kb7 4. Ka8 Qxa6#\" }",
    "chess { tags [patrol] board kbK5/pp6/1P6/8/8/8/8/R7 w mate in 2 => Ra6 }",
    "chess \"A rook wins\" { author \"Vladimir Bron\" source \"Shakhmaty v SSSR, 1932\" board 8/8/8/8/8/1k6/2R5/K7 w
       win => \"1. Rc8 Kb4 2. Rc7\" }",
    "chess { board 7K/8/k1P5/7p/8/8/8/8 w draw => \"1. Kg7 h4 2. Kf6\" }",
    "chess { board r3k3/8/5n2/8/8/8/8/4K3 w q - 0 1 draw => \"1. Kd1 O-O-O+\" }",
    "chess { board 8/8/8/8/8/8/8/k1K5 turn black helpmate in 2 => none }",
    "chess { board 8/8/8/8/8/8/8/k1K5 w mate in 2 => none }",
    "chess \"A & B;\" { author \"Ann Able;\" board 6k1/5ppp/8/8/8/8/5PPP/R5K1 w mate in 1 => Ra8# }",
    "chess { id odd-1 board 6k1/5ppp/8/8/8/8/5PPP/R5K1 w mate in 1 => Ra8# }",
    "chess \"Draw\" { id odd-2 note \"a draw\" board 6k1/5ppp/8/8/8/8/5PPP/R5K1 w h+1.5 }",
    "chess { board b2k4/3r4/8/2P5/2q5/8/N4K2/8\n h#2 *\n}",
    "chess { board b2k4/3r4/8/2P5/2q5/8/N4K2/8\n h#2\n set-play\n}",
    "chess { board b2k4/3r4/8/2P5/2q5/8/N4K2/8\n h#2
       twin b: knight for c5, substitute bishop knight\n twin c: from b, remove c4\n twin d: remove d7\n}",
    "chess { solutions 2.1.1.1 board 6n1/2K5/4N3/8/1p1q4/8/N7/4k3\n #=2\n}",
    "chess { board b2k4/3r4/8/2P5/2q5/8/N4K2/8\n condition \"Madrasi\"\n win => \"1. c6\"\n}",
    "chess { board \"8/8/8/8/8/2k5/8/K6r b - - 3 44\" note \"a\" note \"b\" line => \"1... Kb3#\" move Kb3 move Kb4 }",
    "chess { castling Kq en-passant d6 board \"r...k... ........ ........ ...pP... ........ ........ ........ ....K..R\" move exd6 => legal }",
    // Texts that seem to ask something, or to end something.
    "chess \"Mate in 3\" { author \"Win\" note \"Mate in 2\" source \"Mate in 3 moves\" board 6k1/5ppp/8/8/8/8/5PPP/R5K1 w line => \"1. Ra8#\" }",
    "chess \"Mate in 2\" { note \"White to move\" board 6k1/5ppp/8/8/8/8/5PPP/R5K1 w mate in 1 => Ra8# }",
    "chess \"Mate in 2\" { board 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1 }",
    "chess { condition \"Circe stipulation h#3 option maxsol 1\" board 6k1/5ppp/8/8/8/8/5PPP/R5K1 w #2 }",
    "chess { condition \"Circe, Madrasi\" board 6k1/5ppp/8/8/8/8/5PPP/R5K1 w #2 }",
    "chess { x-award \"1st Prize, A tourney\" id 5 board 6k1/5ppp/8/8/8/8/5PPP/R5K1 w mate in 1 => Ra8# }",
    "chess { x-whiteelo 2700 x-eco A00 x-annotator me x-round 3 x-result \"0-1\" x-termination \"mate in 2\"
       board 6k1/5ppp/8/8/8/8/5PPP/R5K1 w line => \"1. Ra7\" }",
    "chess { x-result 1-0 x-list [a, b] x-Event x x-site x x-eco ? board 6k1/5ppp/8/8/8/8/5PPP/R5K1 w mate in 1 => Ra8# }",
    "chess \"same\" { id same board 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1 mate in 1 => Ra8# }",
    "chess \"; z\" { board 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1 mate in 1 => Ra8# }",
    "solitaire \"w\" { board K.Q. .... .... .... solve }",
    "solitaire \"b KQ\" { id x board K.Q. .... .... ...R solve }",
    "draughts \"a\" { author \"X\" source \"Y\" id d1 difficulty 3 x-round 2 x-result 2-0 note \"n1\" note \"n2\"
       board \"B:Wa1,Kc3:Bd4,Ke7\" capture => d4:b2 }",
    "draughts { author [\"X\", \"Y\"] board \"W:Wc3:Bd4,f6\" capture => [[4,4,\"directly\"],[6,6,\"after\"]] }",
    "draughts { board \"W:Wc3,g3:Bd4,h4,b4\" capture => c3:e5 }",
];

/// The formats that hold a game, besides JSON, which holds all.
fn formats_of(game: &str) -> &'static [&'static str] {
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
    let is_text = |value: &Value| !value.is_null() && *value != json!([]);
    let texts = named.into_iter().chain(properties).filter(|(_, value)| is_text(value)).collect();
    let question = |query: &Value| {
        let asked = query["asked"].as_str().unwrap_or_default();
        let verb = match query["verb"].as_str().unwrap_or_default() {
            "win" | "draw" if is_study_a_line => "line",
            "unsupported" => asked.trim_end_matches(['*', ' ']),
            verb => verb,
        };
        let words = format!("{verb} {} {}", query["in"], query["side"]);
        (words, asked.ends_with('*'), !query["written"].is_null())
    };
    (texts, list(puzzle, "queries").iter().map(question).collect())
}

/// Compares what a person wrote of a puzzle with what comes back: nothing is there that was not, and what is not there any
/// more is told.
fn nothing_is_invented(text: &str, format: &str) {
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
    for (name, value) in &texts_after {
        // A FEN has one place for a name.
        let is_named = name == "name" && format == "fen" && before["puzzles"][0]["id"] == *value;
        assert!(is_named || texts.iter().any(|(n, v)| n == name && v == value), "{name} {value}\n{case}");
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

#[test]
fn what_comes_back_was_there_and_what_does_not_is_told() {
    let collection =
        examples().into_iter().filter(|(path, _)| path.parent().is_some_and(|f| f.ends_with("collection")));
    let examples: Vec<String> = collection.flat_map(|(_, text)| single_puzzles(&text)).collect();
    let mut compared = 0;
    for text in MORE.into_iter().chain(examples.iter().map(String::as_str)) {
        let game = text.split_whitespace().next().unwrap_or_default();
        for format in formats_of(game).iter().chain(&["json"]) {
            nothing_is_invented(text, format);
            compared += 1;
        }
    }
    assert!(compared > 500, "{compared} puzzles in formats");
}

#[test]
fn what_a_format_has_no_form_for_is_told() {
    let mate = "board 6k1/5ppp/8/8/8/8/5PPP/R5K1 w mate in 1 => Ra8#";
    let line = "board 6k1/5ppp/8/8/8/8/5PPP/R5K1 w line";
    let (parted, given) = ("parts at its semicolon", "given names come first");
    for (game, text, format, told) in [
        ("chess", format!("source \"Times; London\" {mate}"), "pgn", parted),
        ("chess", format!("author \"Able; Bold\" {mate}"), "pgn", parted),
        ("chess", format!("source \"Times; London\" {mate}"), "olv", parted),
        ("chess", format!("author \"Loyd, Samuel\" {mate}"), "olv", given),
        ("chess", line.to_string(), "epd", "question `line`"),
        (
            "draughts",
            "board [[\"W\",\"K\",1,1], [\"B\",\"K\",8,8]] line".to_string(),
            "pdn",
            "question `line`",
        ),
    ] {
        let (_, notes) = export(&format!("{game} {{ {text} }}"), format);
        assert!(notes.iter().any(|note| note.contains(told)), "{format} {text}: {notes:?}");
    }
    for format in ["pgn", "olv"] {
        let text = format!("chess {{ source [\"Times\", \"London\"] author \"Samuel Loyd\" {mate} }}");
        assert_eq!(export(&text, format).1, [""; 0], "{format}");
    }
}
