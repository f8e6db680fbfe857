//! `cpz draw`, `cpz print` and `cpz mdbook`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use cpz::print::FileNames;
use proptest::prelude::*;
use serde_json::json;

use crate::harness::{Run, folder, run, run_with};

/// All games and verbs; one board that cannot be read.
const ALL: &str = r#"
author "A. Author"
source "Example Press, 1999"
chess "Two <moves>" { id two difficulty "easy & short" x-year 2001 hint "Look <up>." tags demo
  board 6k1/5ppp/8/8/8/8/8/3R2K1 mate in 1 => Rd8# }
chess "Four" { board 6k1/5ppp/8/8/8/8/7P/3R2K1 mate in 1 mate move ["W","R",4,4] move Kf1 }
chess "Help" { board 8/8/8/7K/1Q2k3/1P6/1B6/6n1 helpmate in 1 }
chess "Self" { board 8/8/8/b7/2B5/1K1B4/5Qq1/k7 selfmate in 1 }
chess "Line" { board r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4 line => Qxf7# }
solitaire "Small" { tags demo board ...N.....R....B. solve count }
chess3d "Cube" { board [###,n##,#rr],[#b#,###,###],[###,###,bRK] mate }
draughts "Men" { board [["W","K",1,1], ["B","M",3,3], ["B","M",5,5]] capture }
"#;

const BROKEN: &str = "chess \"Broken\" { board 9/8 mate }\n";

fn names(dir: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(dir).expect("a folder");
    entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8")).collect()
}

/// Fails unless a picture has shapes alone, and refers to nothing outside of it.
#[track_caller]
fn is_alone(svg: &str) {
    let page = roxmltree::Document::parse(svg).expect("well-formed XML");
    for node in page.descendants().filter(|n| n.is_element()) {
        let name = node.tag_name().name();
        assert!(["svg", "defs", "g", "path", "circle", "polygon", "use"].contains(&name), "{name}");
        if let Some(target) = node.attribute("href") {
            let id = target.strip_prefix('#').expect("a shape of the picture itself");
            assert!(page.descendants().any(|n| n.attribute("id") == Some(id)), "{id}");
        }
    }
}

// ---- draw

#[test]
fn draw_makes_one_picture_of_each_puzzle() {
    let dir = folder(&[("a.cpz", ALL)]);
    for theme in ["wood", "grey", "print"] {
        for coordinates in ["on", "off"] {
            let args = [
                "draw",
                "--to",
                "svg",
                "-o",
                "out",
                "--force",
                "--theme",
                theme,
                "--coordinates",
                coordinates,
            ];
            run(dir.path(), &args).exits(0);
            let made = names(&dir.path().join("out"));
            assert_eq!(made.len(), 8, "{made:?}");
            assert!(made.contains("two.svg") && made.contains("2.svg"), "{made:?}");
            for name in made {
                let svg = fs::read_to_string(dir.path().join("out").join(&name)).expect("a picture");
                is_alone(&svg);
                let named = svg.matches("class=\"name\"").count();
                // The names of levels stay.
                assert_eq!(named > 0, coordinates == "on" || name == "7.svg", "{name}");
                let has_sides = name != "6.svg";
                assert_eq!(svg.contains("class=\"turn "), has_sides, "{name}");
            }
        }
    }
}

#[test]
fn draw_shows_the_solution_only_where_it_is_asked_to() {
    let dir = folder(&[("a.cpz", ALL)]);
    let arrows = |args: &[&str]| {
        let args: Vec<&str> = ["draw", "--only", "Small"].iter().chain(args).copied().collect();
        run(dir.path(), &args).exits(0).stdout.matches("class=\"arrow").count()
    };
    assert_eq!((arrows(&[]), arrows(&["--step", "1"]), arrows(&["--solution"])), (0, 1, 2));
    let run = run(dir.path(), &["draw", "--only", "Small", "--step", "9"]).exits(1);
    assert!(run.stderr.contains("left out: its solution has 2 steps"), "{}", run.stderr);
}

#[test]
fn draw_shows_the_side_that_moves_first() {
    let dir = folder(&[("a.cpz", ALL)]);
    let turn = |name: &str, step: &str| {
        let svg = run(dir.path(), &["draw", "--only", name, "--step", step]).exits(0).stdout;
        ["turn white", "turn black"].map(|class| svg.contains(class))
    };
    assert_eq!(turn("Help", "0"), [false, true]);
    assert_eq!(turn("Help", "1"), [true, false]);
    assert_eq!(turn("Line", "0"), [true, false]);
    // The steps of a capture are one move.
    assert_eq!(turn("Men", "1"), [true, false]);
}

#[test]
fn draw_makes_png_of_the_size_that_is_asked_for() {
    let dir = folder(&[("a.cpz", ALL)]);
    let made = || {
        run(dir.path(), &["draw", "--to", "png", "--size", "90", "-o", "out", "--force"]).exits(0);
        names(&dir.path().join("out"))
            .into_iter()
            .map(|n| fs::read(dir.path().join("out").join(n)).expect("a file"))
    };
    let first: Vec<Vec<u8>> = made().collect();
    for png in &first {
        assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
        let length = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().expect("four bytes"));
        assert_eq!(length(16).max(length(20)), 90);
    }
    assert!(made().eq(first), "the same puzzles give the same bytes");
}

#[test]
fn draw_leaves_out_what_cannot_be_read() {
    let dir = folder(&[("a.cpz", ALL), ("b.cpz", BROKEN)]);
    let run = run(dir.path(), &["draw", "-o", "out"]).exits(1);
    assert!(run.stderr.contains("b.cpz:1: left out: "), "{}", run.stderr);
    assert_eq!(names(&dir.path().join("out")).len(), 8);
}

#[test]
fn one_picture_goes_to_standard_output() {
    let dir = folder(&[("a.cpz", ALL)]);
    is_alone(&run(dir.path(), &["draw", "--only", "two"]).exits(0).stdout);
    let several = run(dir.path(), &["draw"]).exits(2);
    assert!(
        several.stdout.is_empty() && several.stderr.contains("there are 8 puzzles"),
        "{}",
        several.stderr
    );
    run(dir.path(), &["draw", "--only", "no-such-name"]).exits(2);
    run(dir.path(), &["draw", "--only", "{a"]).exits(2);
}

#[test]
fn existing_files_are_replaced_with_force_only() {
    let dir = folder(&[("a.cpz", ALL), ("sheet.html", "mine"), ("out/two.svg", "mine")]);
    let read = |name: &str| fs::read_to_string(dir.path().join(name)).expect("a file");
    let drawn = run(dir.path(), &["draw", "-o", "out"]).exits(2);
    assert!(drawn.stderr.contains("`--force` replaces it"), "{}", drawn.stderr);
    assert_eq!((read("out/two.svg").as_str(), names(&dir.path().join("out")).len()), ("mine", 8));
    run(dir.path(), &["print", "-o", "sheet.html"]).exits(2);
    assert_eq!(read("sheet.html"), "mine");
    run(dir.path(), &["print", "-o", "sheet.html", "--force"]).exits(0);
    assert!(read("sheet.html").starts_with("<!DOCTYPE html>"));
    // Not even then a collection or a folder.
    for output in ["a.cpz", "other.cpz", "out"] {
        let run = run(dir.path(), &["print", "-o", output, "--force"]).exits(2);
        assert!(run.stderr.contains("not written"), "{}", run.stderr);
    }
    assert_eq!(read("a.cpz"), ALL);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn file_names_are_safe_and_different(
        ids in prop::collection::vec(prop_oneof![
            "\\PC{0,12}", "[a-bA-B./\\\\: ]{0,4}", "(?i)(con|nul|com1|lpt9|aux)(\\.txt)?", ".{0,300}",
        ], 1..40)
    ) {
        let mut names = FileNames::new(ids.len());
        let mut seen = BTreeSet::new();
        for (number, id) in ids.iter().enumerate() {
            let name = names.next(Some(id), number + 1);
            prop_assert!(!name.is_empty() && name.len() <= 120, "{id:?} {name:?}");
            prop_assert!(name.chars().all(|c| c.is_alphanumeric() || "-_.".contains(c)), "{id:?} {name:?}");
            prop_assert!(!name.starts_with(['.', '-']) && !name.ends_with('.') && !name.contains(".."));
            let stem = name.split('.').next().unwrap_or_default().to_lowercase();
            prop_assert!(!["con", "nul", "com1", "lpt9", "aux", "prn"].contains(&stem.as_str()), "{id:?} {name:?}");
            prop_assert!(seen.insert(name.to_lowercase()), "{id:?} {name:?}");
        }
    }
}

// ---- print

fn sheet(args: &[&str]) -> String {
    let dir = folder(&[("a.cpz", ALL)]);
    let args: Vec<&str> = ["print"].iter().chain(args).copied().collect();
    run(dir.path(), &args).exits(0).stdout
}

#[test]
fn sheet_has_a_page_for_every_few_diagrams() {
    for per_page in 1..=12_usize {
        let html = sheet(&["--per-page", &per_page.to_string()]);
        assert_eq!(html.matches("<figure ").count(), 8);
        let pages = html.split("<section class=\"page\">").skip(1);
        let counts: Vec<usize> = pages.map(|page| page.matches("<figure ").count()).collect();
        // A text that is longer than its place takes that of other diagrams.
        let (first, fits) = (counts.iter().max(), counts.iter().all(|&n| (1..=per_page).contains(&n)));
        assert!(fits && first >= Some(&per_page.min(4)), "{per_page}: {counts:?}");
    }
}

#[test]
fn sheet_needs_nothing_else() {
    let html = sheet(&["--title", "A <b>title</b>"]);
    for word in
        ["<script", "http", "url(", "@import", "<text", "<img", "<link", "Two <moves>", "<b>title", "<up>"]
    {
        assert!(!html.contains(word), "{word}");
    }
    for text in [
        "Two &lt;moves&gt;",
        "easy &amp; short",
        ">A. Author<",
        ">Example Press, 1999, 2001<",
        "Look &lt;up&gt;.",
    ] {
        assert!(html.contains(text), "{text}");
    }
    for target in html.split("href=\"#").skip(1).filter_map(|rest| rest.split('"').next()) {
        assert_eq!(html.matches(&format!("id=\"{target}\"")).count(), 1, "{target} is defined once");
    }
}

#[test]
fn solutions_and_hints_are_where_the_options_say() {
    let has = |args: &[&str]| {
        let html = sheet(args);
        let count = |text: &str| html.matches(text).count();
        (
            count("<h2>Solutions"),
            count("<summary>Solution<"),
            count("<h2>Hints"),
            count("class=\"paper below\""),
        )
    };
    assert_eq!(has(&[]), (1, 8, 1, 0));
    assert_eq!(has(&["--solutions", "below", "--hints", "none"]), (0, 8, 0, 8));
    assert_eq!(has(&["--solutions", "none", "--hints", "below"]), (0, 0, 0, 1));
    assert!(!sheet(&["--solutions", "none"]).contains("b2xd4"), "no solution is left in the file");
}

#[test]
fn sheet_speaks_five_languages() {
    let spoken = [
        (
            "en",
            [
                "White to move: mate in 1",
                "Black to move: helpmate in 1",
                "legal: Rd4, Kf1?",
                "selfmate in 1",
                "1.Rd8#!",
            ],
        ),
        (
            "de",
            [
                "Weiß am Zug: Matt in 1 Zug",
                "Schwarz am Zug: Hilfsmatt in 1 Zug",
                "erlaubt: Td4, Kf1?",
                "Selbstmatt in 1 Zug",
                "1.Td8#!",
            ],
        ),
        (
            "fr",
            [
                "Les Blancs jouent : mat en 1 coup",
                "mat aidé en 1 coup",
                "légaux : Td4, Rf1 ?",
                "mat inverse en 1 coup",
                "1.Td8#!",
            ],
        ),
        (
            "ru",
            [
                "Ход белых: мат в 1 ход",
                "Ход чёрных: кооперативный мат в 1 ход",
                "возможны: Лd4, Крf1?",
                "обратный мат в 1 ход",
                "1.Лd8#!",
            ],
        ),
        (
            "es",
            [
                "Juegan blancas: mate en 1 jugada",
                "mate ayudado en 1 jugada",
                "legales: Td4, Rf1?",
                "mate inverso en 1 jugada",
                "¿Cuántas soluciones hay?",
            ],
        ),
    ];
    for (language, texts) in spoken {
        let html = sheet(&["--language", language]);
        assert!(html.contains(&format!("<html lang=\"{language}\">")));
        for text in texts {
            assert!(html.contains(text), "{language}: {text}");
        }
        for word in ["to move", "which of", "apture until", "mate in ", "Hints", "distinct<"] {
            assert_eq!(html.contains(word), language == "en" && word != "distinct<", "{language}: {word}");
        }
    }
}

#[test]
fn options_choose_puzzles() {
    let names = |args: &[&str]| sheet(args).matches("<figure ").count();
    assert_eq!(names(&["--game", "chess"]), 5);
    assert_eq!(names(&["--tag", "Demo"]), 2);
    assert_eq!(names(&["--tag", "demo", "--game", "solitaire"]), 1);
    assert_eq!(names(&["--only", "[FH]*"]), 2);
    let dir = folder(&[("a.cpz", "// nothing\n"), ("b.cpz", BROKEN)]);
    run(dir.path(), &["print", "a.cpz"]).exits(2);
    run(dir.path(), &["print", "b.cpz"]).exits(2);
}

#[test]
fn a_lesson_has_words_behind_the_signs() {
    let html = sheet(&["--only", "Help"]);
    assert!(html.contains("helpmate in 1") && html.contains(">h#1<") && html.contains(">(4+2)<"), "{html}");
    assert!(html.contains("class=\"room\""));
    assert!(!sheet(&["--form", "magazine"]).contains("class=\"room\""));
}

// ---- mdbook

fn book(content: &str) -> String {
    let chapter = json!({"Chapter": {"name": "Inner", "content": content, "sub_items": []}});
    let outer = json!({"Chapter": {"name": "Outer", "content": "no puzzles", "sub_items": [chapter]}});
    json!([{"config": {"book": {"language": "en"}}}, {"items": [outer, "Separator"]}]).to_string()
}

fn processed(content: &str) -> (Run, String) {
    let run = run_with(Path::new("."), &["mdbook"], book(content).as_bytes());
    let book: serde_json::Value = serde_json::from_str(&run.stdout).expect("a book");
    let inner = &book["items"][0]["Chapter"]["sub_items"][0]["Chapter"]["content"];
    assert_eq!(book["items"][1], "Separator");
    let text = inner.as_str().expect("a text").to_string();
    (run, text)
}

#[test]
fn book_gets_pictures_and_answers() {
    let fence = |words: &str| format!("Before\n\n```cpz{words}\n{ALL}```\n\nAfter\n\n~~~text\n```cpz\n~~~\n");
    let (run, text) = processed(&fence(""));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(
        text.starts_with(&format!("Before\n\n```cpz\n{ALL}```\n"))
            && text.ends_with("After\n\n~~~text\n```cpz\n~~~\n")
    );
    assert_eq!(text.matches("<svg ").count(), 8);
    assert!(text.contains("mate in 1 <b>1.Rd8#!</b>") && !text.contains("<details"), "{text}");
    let (_, hidden) = processed(&fence(",hide,no-board"));
    assert_eq!((hidden.matches("<svg ").count(), hidden.matches("<details").count()), (0, 8));
    let (_, close) = processed(&format!("```cpz\n{ALL}```\n## Next\n"));
    assert!(close.ends_with("</div>\n\n## Next\n"), "Markdown directly behind a fence: {close}");
    // A blank line would end the HTML in Markdown.
    assert!(!text.split("<svg ").skip(1).any(|svg| svg.split("</svg>").next().unwrap_or("").contains('\n')));
}

#[test]
fn book_keeps_what_it_writes_inside_of_quotes_and_lists() {
    let puzzle = "solitaire { board K.Q. .... .... .... solve }";
    for (first, around) in
        [("> ", "> "), ("- item\n  ", "  "), ("1. ", "   "), ("- > ", "  > "), ("- a\n  - b\n\n    ", "    ")]
    {
        let content = format!("{first}```cpz\n{around}{puzzle}\n{around}```\n\nafter\n");
        let (run, text) = processed(&content);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let (fence, behind) = text.rsplit_once("```\n").expect("the end of a fence");
        assert_eq!(format!("{fence}```\n\nafter\n"), content);
        let behind = behind.strip_suffix("\nafter\n").expect("the end");
        assert!(behind.contains("<svg ") && behind.contains("cpz-answers"), "{text}");
        for line in behind.lines() {
            assert!(line.starts_with(around) || line == around.trim_end(), "{line:?}\n{text}");
        }
    }
    // This is no list, so that so many blanks make a code block.
    let (_, code) = processed(&format!("text\n\n    ```cpz\n    {puzzle}\n    ```\n"));
    assert!(!code.contains("<svg "), "{code}");
}

#[test]
fn book_names_the_chapter_of_a_finding() {
    let content = "```cpz\nchess { board 8/8/8/4k3/8/8/8/4K2R move Rg7 }\n```\n";
    let (run, text) = processed(content);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("Inner, line 2: error illegal-move"), "{}", run.stderr);
    assert!(text.contains("class=\"cpz-findings\"") && text.contains("does not reach g7"), "{text}");
    let (meant, text) = processed(&content.replace("```cpz", "```cpz,finds=illegal-move"));
    assert!(meant.code == Some(0) && text.contains("class=\"cpz-findings\""), "{}", meant.stderr);
    for (words, told) in [
        (",finds=illegal-move+cook", "Inner, line 1: `finds=cook`: this is not found here"),
        (",finds=cook", "Inner, line 2: error illegal-move"),
        (",finds=illegal-move,no-bord", "Inner, line 1: `no-bord` is no word of a fence"),
    ] {
        let (other, _) = processed(&content.replace("```cpz", &format!("```cpz{words}")));
        assert!(other.code == Some(1) && other.stderr.contains(told), "{words}: {}", other.stderr);
    }
    let twice = "chess { board 8/8/8/4k3/8/8/8/4K2R mate }\n".repeat(2);
    let (both, _) = processed(&format!("```cpz,finds=duplicate-puzzle\n{twice}```\n"));
    assert_eq!(both.code, Some(0), "{}", both.stderr);
}

#[test]
fn a_fence_ends_with_its_chapter_and_is_none_in_raw_html() {
    let fence = "```cpz\nsolitaire { board K.Q. .... .... .... solve }";
    for (around, end) in [("", ""), ("", "\n"), ("> ", "\n")] {
        let content = format!("text\n\n{around}{}{end}", fence.replace('\n', &format!("\n{around}")));
        let (run, text) = processed(&content);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let closed = format!("{}\n{around}```\n", content.trim_end());
        let behind = text.strip_prefix(&closed).unwrap_or_else(|| panic!("{closed}\n{text}"));
        assert!(behind.contains("<svg ") && behind.contains("cpz-answers"), "{text}");
    }
    // What stands behind a mark alone would be a text of the fence.
    for content in ["```cpz", "```cpz,hide\n", "~~~text\n```cpz\nsolve"] {
        assert_eq!(processed(content).1, content);
    }
    let broken = fence.replace("solve", "silve");
    for (start, end) in [
        ("<!--", "-->"),
        ("<!-- a\n\nb", "c -->"),
        ("  <pre class=\"a\">", "</PRE>"),
        ("<script>", "</script>"),
    ] {
        let hidden = format!("{start}\n{broken}\n```\n{end}\n");
        let (run, text) = processed(&format!("{hidden}\n{fence}\n```\n"));
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let behind = text.strip_prefix(&hidden).unwrap_or_else(|| panic!("{hidden}\n{text}"));
        assert_eq!(behind.matches("<svg ").count(), 1, "{text}");
    }
    for start in ["<!-- a comment -->\n", "<preface>\n\n", "text <!--\n", "    <!--\n\n"] {
        assert_eq!(processed(&format!("{start}{fence}\n```\n")).1.matches("<svg ").count(), 1, "{start}");
    }
}

#[test]
fn mdbook_refuses_what_is_no_book() {
    for input in ["", "{}", "[1]", "nonsense", "[{}, {\"items\": 3}]", "[[], []]"] {
        let code = run_with(Path::new("."), &["mdbook"], input.as_bytes()).code;
        assert!(matches!(code, Some(0 | 2)), "{input}: {code:?}");
    }
    run(Path::new("."), &["mdbook", "supports", "html"]).exits(0);
    run(Path::new("."), &["mdbook", "supports", "pdf"]).exits(1);
}
