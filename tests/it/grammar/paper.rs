//! `grammar/cpz.ebnf` has exactly the files in which the parser finds nothing wrong.

use std::sync::LazyLock;

use cpz::syntax::{Keyword, TokenKind, Tree, is_custom_name, nearest_keyword, parse};
use proptest::prelude::*;

use super::ebnf::Grammar;
use super::samples::{all, is_good, piece, read, soup};

static GRAMMAR: LazyLock<Grammar> = LazyLock::new(|| Grammar::read(&read("grammar/cpz.ebnf")));

/// Words in which answers are printed, and that are near keywords.
const PRINTED: &str = "none not true false legal illegal check checkmate checkmated mated stalemate stalemated \
                       solution solutions solved counted distinct more";

const ARROWS: [&str; 8] = ["=", "->", "==", "→", "⇒", ":", "-", "-->"];

/// Whether a word is a slip for a keyword, as the notes of the grammar say.
pub fn is_slip(word: &str) -> bool {
    let bare = word.trim_end_matches([';', ':']);
    if bare.len() < word.len() && Keyword::from_word(bare).is_some() {
        return true;
    }
    let letters = bare.chars().map(|c| cpz::syntax::lookalike(c).unwrap_or(c));
    let letters: Vec<char> = letters.map(|c| c.to_ascii_lowercase()).collect();
    let mut odd: Vec<char> = letters.iter().copied().filter(|c| !"kqrbnpmw".contains(*c)).collect();
    odd.sort_unstable();
    odd.dedup();
    (3..=10).contains(&letters.len())
        && letters.iter().all(char::is_ascii_lowercase)
        && odd.len() > 1
        && nearest_keyword(bare, |k| matches!(k, Keyword::Item(_))).is_some()
}

/// Whether a token is one that a terminal means; a terminal that this does not know is a mistake.
fn fits(terminal: &str, kind: TokenKind, text: &str) -> bool {
    let is_string = kind == TokenKind::String;
    let is_word = kind == TokenKind::Word && Keyword::from_word(text).is_none();
    match terminal {
        "[" => matches!(kind, TokenKind::LBracket | TokenKind::UnclosedLBracket),
        "]" => kind == TokenKind::RBracket,
        "{" => kind == TokenKind::LBrace,
        "}" => kind == TokenKind::RBrace,
        "," => kind == TokenKind::Comma,
        "=>" => kind == TokenKind::Arrow,
        "? a word that is no keyword ?" => is_word,
        "? a word that is no slip for an arrow: none of = == - -> --> : → ⇒ ?" => {
            is_word && !ARROWS.contains(&text)
        }
        "? a word that is no slip for a keyword ?" => is_word && !is_custom_name(text) && !is_slip(text),
        "? a word that is no slip for a keyword or an arrow ?" => {
            is_word
                && !is_custom_name(text)
                && !ARROWS.contains(&text)
                && (!is_slip(text) || PRINTED.split(' ').any(|w| w == text.to_lowercase()))
        }
        "? the name of a custom property ?" => kind == TokenKind::Word && is_custom_name(text),
        "? true or false in any case ?" => {
            is_word && ["true", "false"].contains(&&*text.to_ascii_lowercase())
        }
        "? a string ?" => is_string,
        "? a string that holds a / ?" => is_string && text.contains('/'),
        "? a row that holds a : ?" => is_word && !is_slip(text) && text.contains(':'),
        "? a remark ?" => kind == TokenKind::Remark,
        keyword => {
            assert!(Keyword::from_word(keyword).is_some(), "what is {keyword}?");
            kind == TokenKind::Word && text == keyword
        }
    }
}

/// Whether the grammar has a text.
fn has(tree: &Tree) -> bool {
    let passed_over = |k| matches!(k, TokenKind::Space | TokenKind::Comment);
    let tokens: Vec<Vec<usize>> = tree
        .tokens()
        .filter(|t| !passed_over(t.kind()))
        .map(|t| {
            (0..GRAMMAR.terminals.len())
                .filter(|&i| fits(&GRAMMAR.terminals[i], t.kind(), t.text()))
                .collect()
        })
        .collect();
    GRAMMAR.recognises(&tokens)
}

/// Nothing if the grammar and the parser agree on a text.
fn disagreement(text: &str) -> Option<String> {
    let tree = parse(text);
    let (paper, parser) = (has(&tree), is_good(&tree));
    (paper != parser).then(|| match tree.errors().first() {
        Some(error) => format!("only the parser minds: {} at {:?}\n{text:?}", error.message, error.span),
        None => format!("only the parser has it:\n{text:?}"),
    })
}

/// A text for a terminal.
fn example(terminal: &str, n: usize) -> String {
    let any = |texts: &[&str]| texts[n % texts.len()].to_owned();
    match terminal {
        "? a word that is no keyword ?" => any(&["none", "-5", "e8=Q", "=", "Solve", "a//x", "solv", "é"]),
        "? a word that is no slip for an arrow: none of = == - -> --> : → ⇒ ?" => {
            any(&["Rh2", "h1h2", "=-"])
        }
        "? a word that is no slip for a keyword ?" => {
            any(&["...N", "R", "#b#", "12", "w", "KQkq", "a/b", "-"])
        }
        "? a word that is no slip for a keyword or an arrow ?" => {
            any(&["1.", "Qxf7+", "none", "204", "checkmate", "solutions", "easy"])
        }
        "? the name of a custom property ?" => any(&["x-rating", "x-a_1", "x-En-passant"]),
        "? true or false in any case ?" => any(&["true", "False"]),
        "? a string ?" => any(&["\"a b\"", "''", "'// {'", "\"[ solve\"", "'\"'"]),
        "? a string that holds a / ?" => any(&["\"8/8 w\"", "'/'"]),
        "? a row that holds a : ?" => any(&["W:WKa1:Bc3", ":"]),
        "? a remark ?" => any(&["()", "(don't)", "(a (b) // {)"]),
        literal => literal.to_owned(),
    }
}

/// Texts that the grammar has, as pieces.
pub fn derived() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(any::<usize>(), 0..150).prop_map(|numbers| {
        let mut choices = numbers.iter().copied();
        let terminals = GRAMMAR.derive(&mut choices);
        let pieces = terminals.iter().enumerate().map(|(i, &t)| {
            let n = numbers.get(i % numbers.len().max(1)).map_or(0, |n| n >> 8);
            example(&GRAMMAR.terminals[t], n)
        });
        pieces.collect()
    })
}

/// Such texts with a few pieces lost, doubled, or put in.
pub fn spoilt() -> impl Strategy<Value = String> {
    let change = (any::<prop::sample::Index>(), 0..3usize, piece());
    (derived(), prop::collection::vec(change, 0..3)).prop_map(|(mut pieces, changes)| {
        for (at, what, other) in changes {
            let at = at.index(pieces.len() + 1);
            match what {
                0 if at < pieces.len() => drop(pieces.remove(at)),
                1 if at < pieces.len() => pieces.insert(at, pieces[at].clone()),
                _ => pieces.insert(at, other),
            }
        }
        pieces.join(" ")
    })
}

#[test]
fn ebnf_and_parser_agree_on_project_files() {
    let wrong: Vec<String> =
        all().iter().filter_map(|(name, text)| Some(format!("{name}: {}", disagreement(text)?))).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn texts_derived_from_the_ebnf_parse_without_errors(pieces in derived()) {
        let text = pieces.join("\n");
        let tree = parse(text.clone());
        prop_assert!(is_good(&tree), "{}: {text:?}", tree.errors()[0].message);
    }

    #[test]
    fn ebnf_and_parser_agree_on_damaged_texts(text in spoilt()) {
        prop_assert_eq!(disagreement(&text), None);
    }

    #[test]
    fn ebnf_and_parser_agree_on_random_tokens(text in soup()) {
        prop_assert_eq!(disagreement(&text), None);
    }
}
