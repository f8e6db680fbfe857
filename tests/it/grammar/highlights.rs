//! The queries of the tree-sitter grammar; the colours against the server's semantic tokens.

use std::fmt::Write as _;

use cpz::ide::{TokenClass, semantic_tokens};
use cpz::syntax::parse;
use proptest::prelude::*;
use tree_sitter::{Query, QueryCursor, StreamingIterator as _};

use super::paper::derived;
use super::samples::{is_good, shared};
use super::trees::parser;

fn query(text: &str) -> Query {
    Query::new(&tree_sitter_cpz::LANGUAGE.into(), text).expect("a query")
}

/// The captures of the highlights: first and last byte, and name.
fn captures(text: &str) -> Vec<(usize, usize, String)> {
    let query = query(tree_sitter_cpz::HIGHLIGHTS_QUERY);
    let tree = parser().parse(text, None).expect("a tree");
    let mut cursor = QueryCursor::new();
    let mut found = Vec::new();
    let mut all = cursor.captures(&query, tree.root_node(), text.as_bytes());
    while let Some((found_here, i)) = all.next() {
        let capture = found_here.captures[*i];
        let name = query.capture_names()[capture.index as usize];
        found.push((capture.node.start_byte(), capture.node.end_byte(), name.to_owned()));
    }
    found
}

/// Whether a capture means what a class of the server's means. The server knows what a number counts and
/// what a text in quotes is for; a query only sees that they are numbers and texts.
fn means(capture: &str, class: TokenClass, text: &str) -> bool {
    use TokenClass as C;
    let quoted = text.starts_with(['"', '\'']);
    match capture {
        "comment" => matches!(class, C::Comment | C::Remark),
        "keyword" => class == C::Keyword,
        "function" => class == C::Verb,
        "property" => class == C::Property,
        "type" => class == C::Name,
        "operator" => class == C::Operator,
        // The quotes round cells, and those.
        "string" => quoted && !matches!(class, C::Name),
        "constant" => {
            matches!(class, C::Piece | C::Empty) || quoted && matches!(class, C::String | C::Answer)
        }
        "number" => !quoted && !matches!(class, C::Name | C::Keyword | C::Property | C::Verb | C::Operator),
        // `none` is an answer; a word is a text to `note`, and a number to `size`.
        "constant.builtin" => class == C::Answer,
        "variable.parameter" => matches!(class, C::Word | C::String | C::Number),
        "variable" => matches!(class, C::Move | C::Square),
        _ => false,
    }
}

/// Where the two differ in a text.
fn differences(text: &str) -> String {
    let mut wrong = String::new();
    let captures: Vec<_> =
        captures(text).into_iter().filter(|(.., name)| !name.starts_with("punctuation")).collect();
    let tokens = semantic_tokens(&parse(text), None);
    for pair in captures.windows(2).filter(|pair| pair[1].0 < pair[0].1) {
        let _ = writeln!(wrong, "two captures: {pair:?}");
    }
    for token in &tokens {
        let (start, end) = (token.span.start as usize, token.span.end as usize);
        let here = &text[start..end];
        let place = captures.partition_point(|c| c.1 <= start);
        match captures.get(place).filter(|c| c.0 <= start && end <= c.1) {
            None => _ = writeln!(wrong, "{here:?} is {:?}, but has no capture", token.class),
            Some(c) if !means(&c.2, token.class, &text[c.0..c.1]) => {
                _ = writeln!(wrong, "{here:?} is {:?}, but captured as {}", token.class, c.2);
            }
            Some(_) => {}
        }
    }
    for (start, end, name) in captures {
        let touches =
            |t: &&cpz::ide::SemanticToken| (t.span.start as usize) < end && start < t.span.end as usize;
        let blank = text[start..end].trim_matches(['"', '\'']).trim().is_empty();
        if !blank && !tokens.iter().any(|t| touches(&t)) {
            let _ = writeln!(wrong, "{:?} is no token, but captured as {name}", &text[start..end]);
        }
    }
    if wrong.is_empty() { wrong } else { format!("{wrong}{text:?}") }
}

#[test]
fn queries_name_nodes_of_the_grammar() {
    use tree_sitter_cpz as ts;
    for text in
        [ts::HIGHLIGHTS_QUERY, ts::FOLDS_QUERY, ts::INDENTS_QUERY, ts::INJECTIONS_QUERY, ts::TAGS_QUERY]
    {
        assert!(query(text).pattern_count() > 0);
    }
}

#[test]
fn highlights_agree_with_semantic_tokens() {
    let mut wrong = String::new();
    for (name, text) in shared().iter().filter(|(_, text)| is_good(&parse(text.clone()))) {
        let found = differences(text);
        if !found.is_empty() {
            let _ = writeln!(wrong, "{name}:\n{found}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_token_has_one_highlight(pieces in derived()) {
        let text = pieces.join("\n");
        let captures = captures(&text);
        for pair in captures.windows(2) {
            prop_assert!(pair[0].1 <= pair[1].0, "{pair:?} in {text:?}");
        }
    }
}
