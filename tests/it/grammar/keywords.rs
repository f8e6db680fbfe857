//! Every grammar has the keywords of the language, each in its place, and no others.

use std::collections::BTreeSet;

use cpz::syntax::{Item, Keyword};
use serde_json::Value;

use super::samples::read;

/// `stalemate` is a keyword where `in` follows it.
const BEFORE_IN: &str = "stalemate";

fn words(fits: impl Fn(Keyword) -> bool) -> BTreeSet<String> {
    Keyword::all().filter(|&k| fits(k)).map(|k| k.word().to_owned()).collect()
}

fn keywords() -> BTreeSet<String> {
    &words(|_| true) | &BTreeSet::from([BEFORE_IN.to_owned()])
}

fn kinds() -> [(&'static str, BTreeSet<String>); 4] {
    [
        ("game", words(|k| matches!(k, Keyword::Game(_)))),
        ("property", words(|k| matches!(k, Keyword::Item(Item::Property(_))))),
        ("board", words(|k| k == Keyword::Item(Item::Board))),
        (
            "verb",
            &words(|k| matches!(k, Keyword::Item(Item::Query(_)))) | &BTreeSet::from([BEFORE_IN.to_owned()]),
        ),
    ]
}

/// The texts in quotes of a piece of a grammar that are made of letters.
fn quoted(text: &str) -> BTreeSet<String> {
    let pieces = text.split('"').skip(1).step_by(2);
    let is_word = |p: &&str| p.starts_with(|c: char| c.is_ascii_lowercase());
    pieces.filter(is_word).map(str::to_owned).collect()
}

#[test]
fn ebnf_has_all_keywords() {
    assert_eq!(quoted(read("grammar/cpz.ebnf").split("\n(*").next().expect("the rules")), keywords());
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
fn tree_sitter_has_all_keywords() {
    let grammar: Value =
        serde_json::from_str(&read("grammar/tree-sitter-cpz/src/grammar.json")).expect("JSON");
    for (kind, words) in kinds() {
        let rule = if kind == "verb" { "query" } else { kind };
        assert_eq!(strings(&grammar["rules"][rule]), words, "{kind}");
    }
    assert_eq!(strings(&grammar["rules"]), keywords());
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
fn textmate_has_all_keywords() {
    let grammar: Value = serde_json::from_str(&read("grammar/cpz.tmLanguage.json")).expect("JSON");
    let rules = &grammar["repository"];
    for (kind, expected) in kinds() {
        let of: &[&str] = match kind {
            "game" => &["puzzle-head"],
            "property" => &["property", "text-property", "unique"],
            "board" => &["board"],
            _ => &["query", "move", "problem", "twin", "other-side"],
        };
        let found: BTreeSet<String> =
            of.iter().flat_map(|rule| alternatives(&rules[rule]["begin"])).collect();
        assert_eq!(found, expected, "{kind}");
        // Each ends at any keyword.
        for rule in of {
            assert_eq!(alternatives(&rules[rule]["end"]), words(|_| true), "{rule}");
        }
    }
    assert_eq!(alternatives(&rules["list"]["end"]), words(|_| true));
    assert_eq!(alternatives(&rules["property-list"]["end"]), words(|_| true));
}
