//! The files that every grammar is tried on, and texts made up on the spot.

use std::fs;
use std::path::{Path, PathBuf};

use cpz::diagnostic::Code;
use cpz::syntax::{Keyword, Tree, parse};
use proptest::prelude::*;

use crate::harness::examples::examples;

/// A file of the project, by its path.
pub fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The text of a file of the project.
pub fn read(path: &str) -> String {
    fs::read_to_string(project(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// The sample files of a folder under `grammar/samples`.
fn folder(name: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(project("grammar/samples").join(name)).expect("a folder").flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|e| e == "cpz") {
            found.push((path.display().to_string(), fs::read_to_string(&path).expect("a text")));
        }
    }
    found.sort();
    assert!(found.len() > 5);
    found
}

/// The texts of the fixtures, without their marks.
fn fixtures() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(project("tests/fixtures/contract")).expect("a folder").flatten() {
        let text = fs::read_to_string(entry.path()).expect("a text").replace(['⟦', '⟧'], "");
        for case in text.split("\n=== ").skip(1) {
            let (title, body) = case.split_once('\n').expect("a title");
            let mut lines = body.lines().peekable();
            let mut input = true;
            let mut text = String::new();
            while let Some(line) = lines.next() {
                match line.strip_prefix("--- ") {
                    Some(head) => input = head.starts_with("file"),
                    None if input => text = text + line + "\n",
                    None => {}
                }
                if lines.peek().is_none_or(|l| l.starts_with("--- ")) && !text.is_empty() {
                    found.push((title.to_owned(), std::mem::take(&mut text)));
                }
            }
        }
    }
    assert!(found.len() > 200, "{}", found.len());
    found
}

/// Every text that stands in a file: the examples, the samples and the fixtures.
pub fn all() -> Vec<(String, String)> {
    let mut found = shared();
    found.extend(fixtures());
    found
}

/// The examples and the samples.
pub fn shared() -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> =
        examples().into_iter().map(|(path, text)| (path.display().to_string(), text)).collect();
    for (name, good) in [("good", true), ("broken", false)] {
        for (path, text) in folder(name) {
            assert_eq!(is_good(&parse(text.clone())), good, "{path}");
            found.push((path, text));
        }
    }
    found
}

/// Whether the parser finds nothing that the grammar does not have.
pub fn is_good(tree: &Tree) -> bool {
    assert!(tree.errors().iter().all(|e| matches!(e.code, Code::Syntax | Code::UnknownKeyword)));
    tree.errors().is_empty()
}

/// Pieces of texts that are likely to meet a rule of the grammar.
pub fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => prop::sample::select(Keyword::all().map(|k| k.word().to_string()).collect::<Vec<_>>()),
        6 => prop::sample::select(vec![
            " ", "\n", "\r\n", "\r", "{", "}", "[", "]", ",", "=>", "(", ")", "\"", "'", "// c\n", "//", "/", "=",
            "==>", "...N", "[[1,2,'B'], [0,1,'R']]", "[3,0]", "none", " true ", "Rh2", " (remark) ", "\"/\"", "'a b'",
            "8/8/8/8/8/8/8/4K3 w", "\u{FEFF}", "\0", "\u{85}", "\u{2028}", "é", "😀", "W:WKa1:Bc3,e5", " solv ",
            "https://a.org", "chess {", "board [", "move ", "-> ", "unique TRUE", "x-rating 1500", "tags a, b c", "x-a ", "=> 1. e4 e5", "board \"a\nb\"", "[ board \"",
            "move 1. ", "...", "12.…", " e.p.", " (Q)", "(=n)+", " ep! ", "e2->e4", " – ", " ⟹", "–>", " := ", "\u{200B}",
            "\u{AD}", "（", "］", "｝", "，", "“a b” ", "‘a", "\n=======\n", "\n>>>>>>> ", "mate in 2 => ", "in ", " in 3 ", "2.5", " #2", "h#2.5 => ", "\"1. Qb6\nKa8\"", "\"1. Qb6\nnote \"", "board \"8/8\u{200B}\"",
            "stalemate in 2 ", " stalemate ", " * ", " 2.1.1.1 ", "twin b: a6 to b6, ", "\ntwin ", " no stalemate in 2 ", "hz3 ", " e5 ",
            "ze5 ", "h#2* ", "pser-h#5 => ", "semi-r=2 ", "zeroposition ", "condition ",
        ])
        .prop_map(String::from),
        1 => "\\PC{0,6}",
    ]
}

/// A few words and marks where words are allowed: nearly correct texts.
fn tail() -> impl Strategy<Value = String> {
    let heads = [
        ("chess { move ", " }"),
        ("chess { move Rh2 => ", " }"),
        ("chess { board ", " solve }"),
        ("chess { board 8/8 ", " }"),
        ("chess { board [", "] }"),
        ("tags a ", ""),
        ("chess { mate ", " }"),
        ("chess { mate in ", " }"),
        ("chess { #2 => ", " }"),
        ("chess { #2 ", " }"),
        ("chess { hz3 ", " }"),
        ("chess { ze5 ", " }"),
        ("chess { twin ", " }"),
        ("chess { twin b: ", " }"),
        ("chess { duplex => ", " }"),
        ("id ", ""),
        ("note ", ""),
    ];
    let words = [
        "1.",
        "...",
        "12.…",
        "1.e4",
        "exd8",
        "Rh2",
        "ep",
        "e.p.+",
        "e.p",
        "(Q)",
        "(=n)",
        "((R))",
        "(QQ)",
        "(I)",
        "+",
        "#!?",
        "=",
        ":=",
        "–",
        "–>",
        "—>",
        "＝＞",
        "=＞",
        "⟹",
        "⟶",
        ">",
        ">=",
        "e2->e4",
        "Kd1–e2",
        "e7→e8=Q+",
        "e2",
        "x-a",
        "a//b",
        "\u{200B}",
        "\u{AD}",
        "（",
        "）",
        "［",
        "，",
        "“a”",
        "“a",
        "‘a’",
        "«a b»",
        "\"a”",
        "\"a\u{2060}b\"",
        "'/\u{2060}'",
        "=======",
        ">>>>>>>",
        "<<<<<<<",
        "|||||||",
        ">>>>>>>a",
        "solutions:",
        "move",
        "=> none",
        "(don't)",
        "'a'",
        "'a\nb'",
        "in",
        "2",
        "2.5",
        "#2",
        "s#3",
        "#2!",
        "in2",
        "*",
        "2.1.1.1",
        "e5",
        "a6",
        "stalemate",
        "stalemate in 2",
        "no stalemate in 2",
        "h##2",
        "hz3",
        "ze5*",
        "twin",
        "board",
        ")",
        "=> \"a\nb\"",
        "[",
        "]",
        ",",
    ];
    let gap = prop::sample::select(vec![" ", " ", " ", "\n", ""]);
    let words = prop::collection::vec((prop::sample::select(words.to_vec()), gap), 0..6);
    (prop::sample::select(heads.to_vec()), words).prop_map(|((head, end), words)| {
        let words: String = words.into_iter().flat_map(|(word, gap)| [word, gap]).collect();
        format!("{head}{words}{end}")
    })
}

/// Texts of such pieces.
pub fn soup() -> impl Strategy<Value = String> {
    prop_oneof![prop::collection::vec(piece(), 0..50).prop_map(|v| v.concat()), tail()]
}
