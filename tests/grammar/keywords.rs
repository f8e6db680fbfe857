//! Every grammar has the keywords of the language, each in its place, and no others.

use std::collections::BTreeSet;

use cpz::syntax::{GameId, Item, Keyword, Property, Verb};
use serde_json::Value;

use crate::samples::read;

fn words(fits: impl Fn(Keyword) -> bool) -> BTreeSet<String> {
    Keyword::all().filter(|&k| fits(k)).map(|k| k.word().to_owned()).collect()
}

fn kinds() -> [(&'static str, BTreeSet<String>); 4] {
    [
        ("game", words(|k| matches!(k, Keyword::Game(_)))),
        ("property", words(|k| matches!(k, Keyword::Item(Item::Property(_))))),
        ("board", words(|k| k == Keyword::Item(Item::Board))),
        ("verb", words(|k| matches!(k, Keyword::Item(Item::Query(_))))),
    ]
}

/// The texts in quotes of a piece of a grammar that are made of letters.
fn quoted(text: &str) -> BTreeSet<String> {
    let pieces = text.split('"').skip(1).step_by(2);
    let is_word = |p: &&str| p.starts_with(|c: char| c.is_ascii_lowercase());
    pieces.filter(is_word).map(str::to_owned).collect()
}

#[test]
fn on_paper() {
    assert_eq!(quoted(read("grammar/cpz.ebnf").split("\n(*").next().expect("the rules")), words(|_| true));
}

/// The strings of a rule of a tree-sitter grammar.
fn strings(rule: &Value) -> BTreeSet<String> {
    match rule {
        Value::Object(o) if o.get("type").is_some_and(|t| t == "STRING") => {
            let text = o["value"].as_str().expect("a text");
            text.starts_with(|c: char| c.is_ascii_lowercase()).then(|| text.to_owned()).into_iter().collect()
        }
        Value::Object(o) => o.values().flat_map(strings).collect(),
        Value::Array(a) => a.iter().flat_map(strings).collect(),
        _ => BTreeSet::new(),
    }
}

#[test]
fn of_tree_sitter() {
    let grammar: Value =
        serde_json::from_str(&read("grammar/tree-sitter-cpz/src/grammar.json")).expect("JSON");
    for (kind, words) in kinds() {
        let rule = if kind == "verb" { "query" } else { kind };
        assert_eq!(strings(&grammar["rules"][rule]), words, "{kind}");
    }
    assert_eq!(strings(&grammar["rules"]), words(|_| true));
    let scanner = read("grammar/tree-sitter-cpz/src/scanner.c");
    let list = scanner.split("KEYWORDS[] = {").nth(1).expect("a list").split("};").next().expect("its end");
    assert_eq!(quoted(list), words(|_| true));
}

/// The words of a TextMate pattern: `(?:a|b)` at its start.
fn alternatives(pattern: &Value) -> BTreeSet<String> {
    let pattern = pattern.as_str().expect("a pattern");
    let words = pattern.split("(?:").nth(1).expect("a group").split(')').next().expect("its end");
    words.split('|').map(str::to_owned).collect()
}

#[test]
fn of_textmate() {
    let grammar: Value = serde_json::from_str(&read("grammar/cpz.tmLanguage.json")).expect("JSON");
    let rules = &grammar["repository"];
    let of = |rule: &str| alternatives(&rules[rule]["begin"]);
    for (kind, words) in kinds() {
        let found = match kind {
            "game" => of("puzzle-head"),
            "property" => &of("property") | &of("unique"),
            "board" => of("board"),
            _ => &of("query") | &of("move"),
        };
        assert_eq!(found, words, "{kind}");
    }
    // A rule ends at any keyword.
    let ends: Vec<&str> = ["puzzle-head", "property", "unique", "board", "query", "move"]
        .map(|rule| rules[rule]["end"].as_str().expect("an end"))
        .to_vec();
    for end in ends {
        for keyword in Keyword::all() {
            assert!(
                end.contains(&format!("|{}", keyword.word()))
                    || end.contains(&format!("({}", keyword.word()))
                    || end.contains(&format!(":{}", keyword.word())),
                "{} in {end}",
                keyword.word()
            );
        }
    }
    assert_eq!(GameId::ALL.len() + Property::ALL.len() + Verb::ALL.len() + 1, Keyword::all().count());
}
