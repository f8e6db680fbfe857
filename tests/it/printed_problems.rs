//! Chess problems on sheets, in the form of problem magazines, and sheets for LaTeX.

use cpz::print::{DifficultyShown, Form, Language, Paper, Placement, SheetOptions, Theme, latex};
use proptest::prelude::*;

use crate::harness::{folder, run};

/// Each problem with the lines of its form as a comment before it: signs, notes, count of men, and what stands below.
const PROBLEMS: &str = r#"
// #2 | | (2+1) |
chess "Plain" { board 7k/8/5K2/8/8/8/8/R7 mate in 2 }
// h#2*  2.1.1.1 | | (2+1) |
chess "Star" { board 7k/8/5K2/8/8/8/8/R7 h#2* 2.1.1.1 }
// h#2.5  2 solutions | | (2+1) | b) wRa1→b1 | c) −wRa1 +wQa1
chess "Twins" { solutions 2 board 7k/8/5K2/8/8/8/8/R7
  h#2.5
  twin b: a1 to b1
  twin c: remove a1, add white queen a1
}
// hze53 | zeroposition | (2+1) | a) wRa1→b1
chess "Zero" { zeroposition board 7k/8/5K2/8/8/8/8/R7 hze5 3 twin a: a1 to b1 }
// #2 | Black begins, duplex | (2+1) |
chess "Duplex" { turn black board 7k/8/5K2/8/8/8/8/R7 mate in 2 duplex }
// ser-h#5 | | (2+1) | Circe
chess "Conditions" { allow unsupported-condition condition "Circe" board 7k/8/5K2/8/8/8/8/R7 ser-h#5 }
// pser-#3 | | (2+1) |
chess "Unsolved" { allow unsupported-stipulation board 7k/8/5K2/8/8/8/8/R7 pser-#3 => "
  1.Ra1-a2 !
    1...Kh8-h7
      2.Ra2-h2 #" }
// + | | (2+1) |
chess "Study" { board 7k/8/5K2/8/8/8/8/R7 win => "1. Ra8+" }
"#;

/// Boards of other games.
const GAMES: &str = r#"
author "A. Author"
source "Example Press, 1999"
solitaire "Two <moves>" { x-year 2001 board ...N.....R....B. solve }
draughts "Men" { board [["W","K",1,1], ["B","M",3,3], ["B","M",5,5]] capture }
"#;

/// The texts between tags of the parts of a sheet with a class.
fn texts(html: &str, class: &str) -> Vec<String> {
    let page = roxmltree::Document::parse(html.trim_start_matches("<!DOCTYPE html>").trim());
    let page = page.expect("a part that is well-formed");
    let of_class = |node: &roxmltree::Node<'_, '_>| node.attribute("class") == Some(class);
    let text = |node: roxmltree::Node<'_, '_>| {
        node.descendants().filter(|n| n.is_text()).filter_map(|n| n.text()).collect::<String>()
    };
    page.descendants().filter(of_class).map(text).collect()
}

#[test]
fn problems_have_signs_and_counts_of_men() {
    let dir = folder(&[("a.cpz", PROBLEMS)]);
    let html = run(dir.path(), &["print", "--form", "magazine"]).exits(0).stdout;
    let forms: Vec<&str> = PROBLEMS.lines().filter_map(|line| line.strip_prefix("// ")).collect();
    let figures: Vec<&str> = html.split("<figcaption>").skip(1).collect();
    assert_eq!(figures.len(), forms.len());
    for (figure, form) in figures.iter().zip(forms) {
        let end = figure.find("<details").expect("a solution");
        let figure = format!("<div>{}</div>", &figure[..end]);
        let mut expected = form.split('|').map(str::trim);
        let (signs, notes) = (expected.next().expect("signs"), expected.next().expect("notes"));
        let line = if notes.is_empty() { signs.to_string() } else { format!("{signs}, {notes}") };
        let men = expected.next().expect("a count of men");
        assert_eq!(texts(&figure, "form"), [format!("{men}{line}")], "{form}");
        let below: Vec<&str> = expected.filter(|text| !text.is_empty()).collect();
        let found = [texts(&figure, "condition"), texts(&figure, "twin")].concat();
        assert_eq!(found, below, "{form}");
        assert!(!figure.contains("to move"), "a magazine has no words: {form}");
    }
}

#[test]
fn what_is_not_solved_is_said_in_the_language_of_the_sheet() {
    let unsolved = "chess { condition \"Circe\" board 7k/8/5K2/8/8/8/8/R7 w #3 }
chess { board 7k/8/5K2/8/8/8/8/R7 w h##2 }
";
    let dir = folder(&[("a.cpz", unsolved)]);
    for (language, said) in [
        ("en", "cpz does not solve problems of this kind"),
        ("de", "cpz löst solche Aufgaben nicht"),
        ("fr", "cpz ne résout pas les problèmes de ce genre"),
        ("ru", "cpz не решает таких задач"),
        ("es", "cpz no resuelve problemas de este tipo"),
    ] {
        let html = run(dir.path(), &["print", "--language", language]).exits(0).stdout;
        // Below each board, and among the solutions.
        assert_eq!(html.matches(said).count(), 4, "{language}: {html}");
        assert!(!html.contains("not solved"), "{language}: {html}");
    }
}

#[test]
fn many_twins_run_on_and_leave_the_boards_large() {
    let twins = |letters: &[char]| -> String {
        letters
            .iter()
            .zip("bcdefgh".chars())
            .map(|(letter, file)| format!("\n twin {letter}: a1 to {file}1"))
            .collect()
    };
    let problem = |twins: &str| format!("chess {{ board 7k/8/5K2/8/8/8/8/R7 h#2{twins}\n}}\n");
    let sheet = |twins: &str| {
        let text = problem(twins) + &problem("").repeat(5).replace("R7", "1R6");
        let dir = folder(&[("a.cpz", &text)]);
        run(dir.path(), &["print", "--form", "magazine", "--per-page", "6"]).exits(0).stdout
    };
    let html = sheet(&twins(&['b', 'c', 'd', 'e', 'f', 'g']));
    let expected = ["b) wRa1→b1", "c) wRa1→c1", "d) wRa1→d1", "e) wRa1→e1", "f) wRa1→f1", "g) wRa1→g1"]
        .map(|twin| twin.replace(' ', "\u{a0}"));
    assert!(html.contains(&format!("<p class=\"twin\">{}</p>", expected.join("; "))), "{html}");
    let side = |html: &str| -> f64 {
        let from = html.find("figure svg { height: ").expect("a side") + "figure svg { height: ".len();
        let text = &html[from..];
        text[..text.find("mm").expect("millimetres")].parse().expect("a number")
    };
    let few = sheet(&twins(&['b', 'c', 'd']));
    assert!(few.contains("<p class=\"twin\">b) wRa1→b1</p>"));
    assert!(side(&html) >= side(&few), "{} and {}", side(&html), side(&few));
}

#[test]
fn solutions_name_twins_and_keep_what_is_not_solved() {
    let dir = folder(&[("a.cpz", PROBLEMS)]);
    let html = run(dir.path(), &["print"]).exits(0).stdout;
    let answers = html.split("<h2>Solutions").nth(1).expect("solutions");
    for text in [">a)</span>", ">b)</span>", ">c)</span>", ">Black:</span>", ">duplex:</span>"] {
        assert!(answers.contains(text), "{text}");
    }
    for line in
        ["<p class=\"d0\">1.Ra1-a2 !</p>", "<p class=\"d1\">1...Kh8-h7</p>", "<p class=\"d2\">2.Ra2-h2 #</p>"]
    {
        assert!(answers.contains(line), "{line}");
    }
}

#[test]
fn award_stands_behind_the_source() {
    let text = "chess { author \"B. Author\" source \"Paper\" x-year 1900 x-award \"2nd prize\" board 7k/8/8/8/8/8/8/K7 mate }";
    let dir = folder(&[("a.cpz", text)]);
    let html = run(dir.path(), &["print"]).exits(0).stdout;
    let order = [
        "class=\"author\">B. Author<",
        "class=\"source\">Paper, 1900<",
        "class=\"award\">2nd prize<",
        "<svg viewBox",
    ];
    let places: Vec<usize> = order.iter().map(|text| html.find(text).expect(text)).collect();
    assert!(places.is_sorted(), "{places:?}");
}

/// What is asked, with the words of a sheet in English and German.
const WORDS: [(&str, &str, &str); 21] = [
    ("#2", "White to move: mate in 2", "Weiß am Zug: Matt in 2 Zügen"),
    ("=2", "White to move: stalemate in 2", "Weiß am Zug: Patt in 2 Zügen"),
    ("s#2", "White to move: selfmate in 2", "Weiß am Zug: Selbstmatt in 2 Zügen"),
    ("s=2", "White to move: selfstalemate in 2", "Weiß am Zug: Selbstpatt in 2 Zügen"),
    ("r#2", "White to move: reflexmate in 2", "Weiß am Zug: Reflexmatt in 2 Zügen"),
    ("semi-r#2", "White to move: semi-reflexmate in 2", "Weiß am Zug: Semireflexmatt in 2 Zügen"),
    ("h#1.5", "White to move: helpmate in 1½", "Weiß am Zug: Hilfsmatt in 1½ Zügen"),
    ("h=2", "Black to move: helpstalemate in 2", "Schwarz am Zug: Hilfspatt in 2 Zügen"),
    ("hs#2", "White to move: help-selfmate in 2", "Weiß am Zug: Hilfsselbstmatt in 2 Zügen"),
    ("ser-#3", "White to move: series-mate in 3", "Weiß am Zug: Serienzugmatt in 3 Zügen"),
    ("ser-h#3", "Black to move: series-helpmate in 3", "Schwarz am Zug: Serienzughilfsmatt in 3 Zügen"),
    ("ser-s#3", "White to move: series-selfmate in 3", "Weiß am Zug: Serienzugselbstmatt in 3 Zügen"),
    ("+2", "White to move: check in 2", "Weiß am Zug: Schach in 2 Zügen"),
    ("ze5 2", "White to move: reach e5 in 2", "Weiß am Zug: Ankunft auf e5 in 2 Zügen"),
    ("h+2", "Black to move: check in 2, help play", "Schwarz am Zug: Schach in 2 Zügen, Hilfsspiel"),
    ("hx1.5", "White to move: capture in 1½, help play", "Weiß am Zug: Schlag in 1½ Zügen, Hilfsspiel"),
    ("s+2", "White to move: check in 2, self play", "Weiß am Zug: Schach in 2 Zügen, Selbstspiel"),
    (
        "hze5 2",
        "Black to move: reach e5 in 2, help play",
        "Schwarz am Zug: Ankunft auf e5 in 2 Zügen, Hilfsspiel",
    ),
    (
        "ser-h+3",
        "Black to move: check in 3, series help play",
        "Schwarz am Zug: Schach in 3 Zügen, Serienhilfsspiel",
    ),
    ("win", "White to move: win", "Weiß am Zug: Gewinn"),
    ("draw", "White to move: draw", "Weiß am Zug: Remis"),
];

#[test]
fn a_sheet_says_every_stipulation_in_words() {
    let text: String =
        WORDS.iter().map(|(asked, ..)| format!("chess {{ board 8/8/8/8/8/8/8/k1K4R {asked} }}\n")).collect();
    let dir = folder(&[("a.cpz", &text)]);
    for (language, column) in [("en", 0), ("de", 1)] {
        let html = run(dir.path(), &["print", "--language", language, "--solutions", "none"]).exits(0).stdout;
        for (asked, english, german) in WORDS {
            let words = [english, german][column];
            assert!(html.contains(&format!(">{words}<")), "{asked}: {words}");
        }
    }
}

#[test]
fn twins_have_the_letters_of_the_language() {
    let dir = folder(&[(
        "a.cpz",
        "chess { board 7k/1p3B2/5K2/8/8/5n2/8/R7 h#2\n twin b: b7 to a7\n twin c: f7 to e5\n twin d: substitute bishop knight, turn white }",
    )]);
    for (language, twins) in [
        ("en", ["b) bPb7→a7", "c) wBf7→e5", "d) B→S White begins"]),
        ("de", ["b) sBb7→a7", "c) wLf7→e5", "d) L→S Weiß beginnt"]),
        ("fr", ["b) nPb7→a7", "c) bFf7→e5", "d) F→C les Blancs commencent"]),
    ] {
        let html = run(dir.path(), &["print", "--form", "magazine", "--language", language]).exits(0).stdout;
        assert_eq!(texts(&figure(&html), "twin"), twins, "{language}");
    }
}

/// What stands below the first diagram of a sheet.
fn figure(html: &str) -> String {
    let figure = html.split("<figcaption>").nth(1).expect("a diagram");
    format!("<div>{}</div>", &figure[..figure.find("<details").expect("a solution")])
}

// ---- LaTeX

/// Fails unless a text of LaTeX sets characters and nothing else: its commands name characters, and its braces match.
#[track_caller]
fn is_inert(tex: &str) {
    const NAMED: [&str; 21] = [
        "slash",
        "textbackslash",
        "textasciicircum",
        "textasciitilde",
        "textquotedbl",
        "textasciigrave",
        "cyrillic",
        "unknown",
        "ensuremath",
        "leftrightarrow",
        "Rightarrow",
        "approx",
        "neq",
        "leq",
        "geq",
        "infty",
        "u",
        "r",
        "H",
        "v",
        "c",
    ];
    let mut letters = tex.chars().peekable();
    let mut depth = 0_i32;
    while let Some(c) = letters.next() {
        match c {
            '\\' => {
                let mut name = String::new();
                while let Some(c) = letters.next_if(char::is_ascii_alphabetic) {
                    name.push(c);
                }
                let is_figurine = name.len() == 2 && name.starts_with(['w', 's']);
                match name.is_empty() {
                    true => assert!(letters.next().is_some_and(|c| "{}$&#_%`'^~=.\"k".contains(c)), "{tex}"),
                    false => {
                        assert!(NAMED.contains(&name.as_str()) || name == "k" || is_figurine, "{name}: {tex}")
                    }
                }
                // A command ends where it is written to end.
                assert!(
                    name.is_empty() || letters.peek().is_none_or(|&c| "{}\\-".contains(c)),
                    "{name}: {tex}"
                );
            }
            '{' => depth += 1,
            '}' => depth -= 1,
            '$' | '&' | '#' | '^' | '_' | '%' | '"' | '`' => panic!("{c} is a command in {tex}"),
            c => assert!(!c.is_control(), "{c:?} in {tex}"),
        }
        assert!(depth >= 0, "{tex}");
    }
    assert_eq!(depth, 0, "{tex}");
}

/// The text of a title on a sheet of LaTeX.
fn title_in_latex(title: &str) -> String {
    let options = SheetOptions {
        title: Some(title.to_string()),
        language: Language::English,
        paper: Paper::A4,
        per_page: 6,
        form: Form::Magazine,
        solutions: Placement::Nowhere,
        hints: Placement::Nowhere,
        added_hints: false,
        difficulty: DifficultyShown::Nothing,
        theme: Theme::Print,
        coordinates: false,
    };
    let source = latex(&[], &options);
    let (_, rest) = source.split_once("\\Huge\\bfseries ").expect("a title");
    rest.split_once("\\par}\\vspace{6mm}").expect("its end").0.to_string()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_is_a_command_of_latex(
        text in prop_oneof![
            "[ a-c\\\\{}$&#^_~%\"'`<>,;!?|@\\[\\]\n\t-]{0,24}",
            "(\\\\(par|input|end|def|catcode)|\\^\\^M|%|\\}|[\u{300}-\u{328}a\u{410}-\u{44f} ]){0,8}",
            ".{0,40}",
        ]
    ) {
        is_inert(&title_in_latex(&text));
    }
}

#[test]
fn latex_spells_what_ascii_cannot() {
    for (text, tex) in [
        ("50 % & #2", "50 \\% \\& \\#2"),
        ("Хорошо, да! Yes", "\\cyrillic{Хорошо}, \\cyrillic{да}! Yes"),
        ("два слова", "\\cyrillic{два слова}"),
        ("Vukčević", "Vukčević"),
        ("Vukc\u{30c}evic\u{301}", "Vuk\\v{c}evi\\'{c}"),
        ("wKa6→b6 ♔ 字", "wKa6→b6 \\wK{} \\unknown{5B57}"),
        ("a--b ''c''", "a-{}-b '{}'c'{}'"),
        ("Re1/Re2, 1/2", "Re1\\slash{}Re2, 1/2"),
    ] {
        assert_eq!(title_in_latex(text), tex);
    }
}

#[test]
fn latex_has_the_fields_of_the_package() {
    let dir = folder(&[("a.cpz", PROBLEMS), ("b.cpz", GAMES)]);
    let tex = run(dir.path(), &["print", "--to", "latex"]).exits(0).stdout;
    for text in [
        "\\pieces[2+1]{wKf6, wTa1, sKh8}",
        "\\stipulation{\\textbf{h\\#2*\\quad 2.1.1.1}}",
        "\\twins{{b) wRa1→b1}; {c) \\ensuremath{-}wRa1 +wQa1}}",
        "\\condition{{Circe}}",
        "\\stipulation{\\textbf{\\#2}, Black begins, duplex}",
        "\\problemname{Two <moves>}",
        "\\author{A. Author}",
        "\\source{Example Press, 1999, 2001}",
        "\\begin{diagram}[4x4]",
        "\\pieces{wDa1, sCc3e5}",
        "\\putsol",
    ] {
        assert!(tex.contains(text), "{text}\n{tex}");
    }
    let none = run(dir.path(), &["print", "--to", "latex", "--solutions", "none"]).exits(0).stdout;
    assert!(!none.contains("\\solution{") && !none.contains("\\putsol"), "no solution is left in the file");
}
