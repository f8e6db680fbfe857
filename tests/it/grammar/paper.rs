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

/// Whether a word is the placement of a FEN, as the notes of the grammar say.
fn is_placement(word: &str) -> bool {
    let ranks: Vec<&str> = word.split('/').collect();
    ranks.len() > 1 && (word.contains(|c: char| c.is_ascii_digit()) || ranks.iter().all(|r| !r.is_empty()))
}

/// Whether a word is a field of a FEN, as the notes of the grammar say.
fn is_field(word: &str, rights: bool) -> bool {
    let made_of = |set: &str| word.len() < 5 && word.chars().all(|c| set.contains(c));
    let is_square =
        |b: &[u8]| b.len() == 2 && b"abcdefgh".contains(&b[0].to_ascii_lowercase()) && b[1].is_ascii_digit();
    ["-", "w", "b", "W", "B", "white", "black"].contains(&word)
        || word.chars().all(|c| c.is_ascii_digit())
        || made_of("KQkq")
        || rights && made_of("KQkqABCDEFGHabcdefgh")
        || is_square(word.as_bytes())
}

/// Whether a remark is the name of a level, as the notes of the grammar say.
fn is_level(remark: &str) -> bool {
    let name = remark.trim_matches(['(', ')']).trim();
    let fits = |w: &str| ["level", "top", "bottom"].contains(&w) || w.chars().all(|c| "IVXivx".contains(c));
    !name.is_empty() && name.split_whitespace().all(fits)
}

/// Whether a token is one that a terminal means; a terminal that this does not know is a mistake. `on_line` says that no
/// line ends before it.
fn fits(terminal: &str, kind: TokenKind, text: &str, on_line: bool) -> bool {
    let is_string = kind == TokenKind::String;
    let is_word = kind == TokenKind::Word && Keyword::from_word(text).is_none();
    let is_item = is_word && !is_custom_name(text);
    let is_row = is_item && !is_slip(text);
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
        "? a word that is no slip for a keyword ?" => is_row,
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
        "? a row that holds a : and is no placement of a FEN ?" => {
            is_row && text.contains(':') && !is_placement(text)
        }
        "? a row that is no placement of a FEN ?" => is_row && !is_placement(text),
        "? a row that is the placement of a FEN ?" => is_row && is_placement(text),
        "? a field of a FEN, on the line of the word before it ?" => {
            is_item && on_line && is_field(text, false)
        }
        "? a field of a FEN or castling rights with files, on the line of the word before it ?" => {
            is_item && on_line && is_field(text, true)
        }
        "? a remark that is the name of a level ?" => kind == TokenKind::Remark && is_level(text),
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
            let mut gap =
                std::iter::successors(t.previous(), |t| t.previous()).take_while(|t| passed_over(t.kind()));
            let on_line = gap.all(|t| !t.text().contains(['\n', '\r']));
            let fits_here = |&i: &usize| fits(&GRAMMAR.terminals[i], t.kind(), t.text(), on_line);
            (0..GRAMMAR.terminals.len()).filter(fits_here).collect()
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
        "? a row that holds a : and is no placement of a FEN ?" => any(&["W:WKa1:Bc3", ":"]),
        "? a row that is no placement of a FEN ?" => any(&["...N", "R", "12", "/", "w", "-"]),
        "? a row that is the placement of a FEN ?" => any(&["8/8", "a/b", "/1"]),
        // The space keeps them on the line.
        "? a field of a FEN, on the line of the word before it ?" => any(&[" w", " -", " 12", " e3", " KQ"]),
        "? a field of a FEN or castling rights with files, on the line of the word before it ?" => {
            any(&[" KQkq", " HAha", " -", " 0"])
        }
        "? a remark that is the name of a level ?" => any(&["(I)", "( level IV)", "(top)"]),
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

/// Pieces on lines of their own, but for those that begin with a space.
pub fn lines(pieces: &[String]) -> String {
    pieces.join("\n").replace("\n ", " ")
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
        let text = lines(&pieces);
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
