//! Twins of chess problems: their boards against another implementation of the changes, and their answers against those of the
//! same boards without the twins.

use cpz::{SolveOptions, TextOptions, fix_text, solve_text};
use serde_json::{Value, json};

use super::fixes;

/// The nodes of a search.
const BUDGET: u64 = 500;

const STIPULATIONS: [&str; 16] = [
    "#1", "#2", "s#1", "r#1", "=1", "+1", "x1", "ze51", "h#1", "h#1.5", "h#2", "h=1.5", "hs#1", "ser-#2",
    "ser-h#1", "ser-s#1",
];

const KINDS: [(char, &str); 6] =
    [('K', "king"), ('Q', "queen"), ('R', "rook"), ('B', "bishop"), ('N', "knight"), ('P', "pawn")];

/// File and rank, 0-based.
type At = (usize, usize);
/// The men of a board by their letters in FEN: rank by rank from the first, file by file.
type Men = [[Option<char>; 8]; 8];

/// Each twin has the board that its changes make, and the answer that this board has by itself; the notation of composers means
/// the same.
///
/// Input bytes: a text with a brace is taken as it is, and its fixes are tried too. Other bytes are: the question, the number of
/// men, two for each man, and the twins: one for the number of changes and the twin before them, and four for each change.
pub fn twins(data: &[u8]) {
    match std::str::from_utf8(data) {
        Ok(text) if text.contains('{') => {
            if text.contains("twin") {
                twins_and_queries_agree(text);
                fixes(data);
            }
        }
        _ => {
            let Some(problem) = Problem::of(data) else { return };
            problem.check();
        }
    }
}

fn solved(text: &str) -> Value {
    let text_options = TextOptions { budget: Some(BUDGET), ..TextOptions::default() };
    solve_text(text, &SolveOptions { text: text_options, tree: false }).expect("solved")
}

fn list<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    value[name].as_array().map_or(&[], Vec::as_slice)
}

/// The twins in the answer of a problem are those whose query has an answer, in their order.
fn twins_and_queries_agree(text: &str) {
    let document = solved(text);
    for puzzle in list(&document["files"][0], "puzzles") {
        let queries = list(puzzle, "queries");
        let own = queries.iter().filter(|query| query["verb"] == "twin").map(|query| query["answer"].clone());
        let own: Vec<Value> = own.filter(|answer| answer.get("error").is_none()).collect();
        let of_problem = queries.iter().flat_map(|query| list(&query["answer"], "twins"));
        let of_problem: Vec<Value> = of_problem.map(answer_of).collect();
        if !of_problem.is_empty() {
            assert_eq!(own, of_problem, "{text}");
        }
    }
}

/// The answer of a twin, with its set play.
fn answer_of(twin: &Value) -> Value {
    let mut answer = twin["answers"][0].clone();
    if let Some(set_play) = twin.get("set_play") {
        answer["set_play"] = set_play.clone();
    }
    answer
}

/// A change of a twin.
struct Change {
    /// As cpz writes it.
    words: String,
    /// As composers write it, where they do: `Ka6->b6`.
    notation: Option<String>,
}

struct Twin {
    letter: char,
    from: Option<char>,
    changes: Vec<Change>,
    /// What it asks.
    asked: &'static str,
    /// What the changes make of the board; nothing where they cannot be made.
    men: Option<Men>,
}

struct Problem {
    men: Men,
    asked: &'static str,
    twins: Vec<Twin>,
}

impl Problem {
    fn of(data: &[u8]) -> Option<Problem> {
        let [question, count, rest @ ..] = data else { return None };
        let asked = STIPULATIONS[usize::from(*question) % STIPULATIONS.len()];
        let (placed, mut rest) = rest.split_at_checked(usize::from(count % 8) * 2)?;
        let mut men = Men::default();
        for (index, two) in placed.chunks_exact(2).enumerate() {
            let (x, y) = square(two[0]);
            let letter = match index {
                0 => 'K',
                1 => 'k',
                _ => letter(two[1] % 5 + 1, two[1] & 128 != 0),
            };
            men[y][x] = Some(letter);
        }
        let mut problem = Problem { men, asked, twins: Vec::new() };
        while let [head, changes @ ..] = rest {
            let index = problem.twins.len();
            let before = problem.twins.get(usize::from(head >> 4)).filter(|_| head & 8 != 0);
            let (mut made, mut asked) = match before {
                Some(twin) => (twin.men, twin.asked),
                None => (Some(men), asked),
            };
            let (now, later) = changes.split_at_checked((1 + usize::from(head % 3)) * 4)?;
            let mut twin = Twin {
                letter: char::from(b'b' + index as u8),
                from: before.map(|twin| twin.letter),
                changes: Vec::new(),
                asked,
                men: None,
            };
            for four in now.chunks_exact(4) {
                let change = change(four, &mut made, &mut asked);
                twin.changes.push(change);
            }
            (twin.asked, twin.men, rest) = (asked, made, later);
            problem.twins.push(twin);
            if problem.twins.len() == 4 {
                break;
            }
        }
        (!problem.twins.is_empty()).then_some(problem)
    }

    /// The problem as a text of cpz; with the signs of composers where a twin has them.
    fn text(&self, is_notation: bool) -> String {
        let mut text = format!("chess {{\n  board {}\n  {}\n", placement(&self.men), self.asked);
        for twin in &self.twins {
            let signs: Option<Vec<&str>> =
                twin.changes.iter().map(|change| change.notation.as_deref()).collect();
            let from = twin.from.map_or(String::new(), |letter| format!("from {letter}, "));
            let words: Vec<&str> = twin.changes.iter().map(|change| &*change.words).collect();
            text += &match signs.filter(|_| is_notation && twin.from.is_none()) {
                Some(signs) => format!("  {}) {}\n", twin.letter, signs.join(", ")),
                None => format!("  twin {}: {from}{}\n", twin.letter, words.join(", ")),
            };
        }
        text + "}\n"
    }

    fn check(&self) {
        let text = self.text(false);
        let document = solved(&text);
        let queries = list(&document["files"][0]["puzzles"][0], "queries");
        let answers = list(&queries[0]["answer"], "twins");
        for (twin, query) in self.twins.iter().zip(&queries[1..]) {
            let id = twin.letter.to_string();
            let found = answers.iter().find(|answer| answer["id"] == id);
            let Some(found) = found else {
                let why = query["answer"]["error"].as_str().unwrap_or_default();
                assert!(
                    !why.is_empty() || queries[0]["answer"].get("twins").is_none(),
                    "{id}: {query}\n{text}"
                );
                continue;
            };
            let fen = found["fen"].as_str().expect("a FEN");
            let men = twin.men.as_ref().unwrap_or_else(|| panic!("{id} cannot be made: {fen}\n{text}"));
            assert_eq!(fen.split(' ').next(), Some(&*placement(men)), "{id}\n{text}");
            assert_eq!(list(found, "answers")[0], query["answer"], "{id}\n{text}");
            // The board by itself has the same answer; a search that ends early may end elsewhere.
            let alone = solved(&format!("chess {{ board \"{fen}\" {} }}", twin.asked));
            let alone = &list(&alone["files"][0]["puzzles"][0], "queries")[0]["answer"];
            if alone.get("undecided").is_none() && query["answer"].get("undecided").is_none() {
                assert_eq!(*alone, query["answer"], "{id} {fen}\n{text}");
            }
        }
        let signs = self.text(true);
        if signs != text {
            let fixed =
                fix_text(&signs, &TextOptions { budget: Some(1), ..TextOptions::default() }).expect("fixed");
            assert_eq!(
                without_places(&solved(&fixed.text)),
                without_places(&document),
                "{signs}\n{}",
                fixed.text
            );
        }
        fixes(text.as_bytes());
    }
}

/// The answers of a document, without places in the text.
fn without_places(document: &Value) -> Vec<Value> {
    let puzzles = list(&document["files"][0], "puzzles");
    let queries = puzzles.iter().flat_map(|puzzle| list(puzzle, "queries"));
    queries.map(|query| json!([query["verb"], query["answer"]])).collect()
}

fn square(byte: u8) -> At {
    (usize::from(byte % 8), usize::from(byte / 8 % 8))
}

fn name((x, y): At) -> String {
    format!("{}{}", char::from(b'a' + x as u8), y + 1)
}

fn letter(kind: u8, is_black: bool) -> char {
    let letter = KINDS[usize::from(kind) % 6].0;
    if is_black { letter.to_ascii_lowercase() } else { letter }
}

fn kind(man: char) -> char {
    man.to_ascii_uppercase()
}

fn placement(men: &Men) -> String {
    let rank = |rank: &[Option<char>; 8]| {
        let mut text = String::new();
        for cell in rank {
            match (cell, text.chars().last().and_then(|c| c.to_digit(10))) {
                (Some(man), _) => text.push(*man),
                (None, Some(n)) => {
                    text.pop();
                    text += &(n + 1).to_string();
                }
                (None, None) => text.push('1'),
            }
        }
        text
    };
    men.iter().rev().map(rank).collect::<Vec<_>>().join("/")
}

/// All men at the squares that a function says; nothing where one leaves the board.
fn moved(men: &Men, to: impl Fn(i32, i32) -> (i32, i32)) -> Option<Men> {
    let mut new = Men::default();
    for (y, rank) in men.iter().enumerate() {
        for (x, man) in rank.iter().enumerate() {
            if man.is_some() {
                let (x, y) = to(x as i32, y as i32);
                let cell = new.get_mut(usize::try_from(y).ok()?)?.get_mut(usize::try_from(x).ok()?)?;
                *cell = *man;
            }
        }
    }
    Some(new)
}

/// Reads a change from four bytes, and makes it.
fn change(four: &[u8], made: &mut Option<Men>, asked: &mut &'static str) -> Change {
    let (a, b, other) = (square(four[1]), square(four[2]), four[3]);
    let (first, second) = (name(a), name(b));
    let men = made.unwrap_or_default();
    let at = |(x, y): At| men[y][x];
    let with = |changes: &[(At, Option<char>)]| {
        let mut new = men;
        changes.iter().for_each(|&((x, y), man)| new[y][x] = man);
        Some(new)
    };
    let signed =
        |man: Option<char>| man.map(kind).filter(|&k| k != 'P').map(String::from).unwrap_or_default();
    let coloured = |man: char| format!("{}{}", if man.is_ascii_uppercase() { 'w' } else { 'b' }, kind(man));
    let added = letter(other % 5 + 1, other & 128 != 0);
    let word = |letter: char| KINDS.iter().find(|(l, _)| *l == kind(letter)).expect("a kind").1;
    let (words, notation, new) = match four[0] % 11 {
        0 => {
            let notation = at(a).map(|man| format!("{}{first}->{second}", signed(Some(man))));
            (
                format!("{first} to {second}"),
                notation,
                at(a).and_then(|man| with(&[(a, None), (b, Some(man))])),
            )
        }
        1 => {
            let notation = at(a).map(|man| format!("-{}{first}", coloured(man)));
            (format!("remove {first}"), notation, at(a).and_then(|_| with(&[(a, None)])))
        }
        2 => {
            let colour = if added.is_ascii_uppercase() { "white" } else { "black" };
            let new = if at(a).is_none() { with(&[(a, Some(added))]) } else { None };
            (
                format!("add {colour} {} {first}", word(added)),
                Some(format!("+{}{first}", coloured(added))),
                new,
            )
        }
        3 => {
            let both = at(a).zip(at(b)).filter(|_| a != b);
            let new = both.and_then(|(one, two)| with(&[(a, Some(two)), (b, Some(one))]));
            (format!("exchange {first} {second}"), Some(format!("{first}<->{second}")), new)
        }
        4 => {
            let new = at(b).filter(|_| a == b || at(a).is_none()).and_then(|man| {
                with(&[(b, None), (a, Some(letter(other % 5 + 1, man.is_ascii_lowercase())))])
            });
            (format!("{} {first} for {second}", word(added)), None, new)
        }
        5 => {
            let (dx, dy) = (b.0 as i32 - a.0 as i32, b.1 as i32 - a.1 as i32);
            (format!("shift {first} {second}"), None, moved(&men, |x, y| (x + dx, y + dy)))
        }
        6 => {
            let turns = 1 + other % 3;
            let turned = (0..turns).try_fold(men, |men, _| moved(&men, |x, y| (7 - y, x)));
            (format!("rotate {}", u32::from(turns) * 90), None, turned)
        }
        7 => {
            let (corners, new) = match other % 4 {
                0 => ("a1 h1", moved(&men, |x, y| (7 - x, y))),
                1 => ("a1 a8", moved(&men, |x, y| (x, 7 - y))),
                2 => ("a1 h8", moved(&men, |x, y| (7 - y, 7 - x))),
                _ => ("a8 h1", moved(&men, |x, y| (y, x))),
            };
            (format!("mirror {corners}"), None, new)
        }
        8 => {
            let swap = |man: char| match man.is_ascii_uppercase() {
                true => man.to_ascii_lowercase(),
                false => man.to_ascii_uppercase(),
            };
            ("swap colours".to_string(), None, Some(men.map(|rank| rank.map(|man| man.map(swap)))))
        }
        9 => {
            let from = letter(four[1] % 5 + 1, false);
            let there = men.iter().flatten().flatten().any(|man| kind(*man) == from) && from != kind(added);
            let substitute = |man: char| match kind(man) == from {
                true => letter(other % 5 + 1, man.is_ascii_lowercase()),
                false => man,
            };
            let new = there.then(|| men.map(|rank| rank.map(|man| man.map(substitute))));
            (format!("substitute {} {}", word(from), word(added)), None, new)
        }
        _ => {
            *asked = STIPULATIONS[usize::from(other) % STIPULATIONS.len()];
            (asked.to_string(), Some(asked.to_string()), Some(men))
        }
    };
    *made = made.and(new);
    Change { words, notation }
}
