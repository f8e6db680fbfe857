//! `grammar/cpz.ebnf` has exactly the files in which the parser finds nothing wrong.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use cpz::syntax::{
    Keyword, ProblemKind, Token, TokenKind, Tree, is_custom_name, is_invisible, is_length, nearest_keyword,
    parse,
};
use proptest::prelude::*;

use super::ebnf::Grammar;
use super::samples::{all, is_good, piece, read, soup};

static GRAMMAR: LazyLock<Grammar> = LazyLock::new(|| Grammar::read(&read("grammar/cpz.ebnf")));

/// Words in which answers are printed, and that are near keywords.
const PRINTED: &str = "none not true false legal illegal check checkmate checkmated mated stalemate stalemated \
                       solution solutions solved counted distinct more";

/// The slips for an arrow that the notes of the grammar list.
static ARROWS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let text = read("grammar/cpz.ebnf");
    let line = text.lines().find_map(|l| l.strip_prefix("A slip for an arrow is one of these: "));
    line.expect("a list of slips").split(' ').map(str::to_owned).collect()
});

fn is_arrow_slip(word: &str) -> bool {
    ARROWS.iter().any(|arrow| arrow == word)
}

/// Whether a word is a counter, as the notes of the grammar say.
fn is_counter(word: &str) -> bool {
    let digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
    !digits.is_empty() && digits.chars().all(|c| matches!(c, '.' | '…'))
}

/// Whether a word is a move with an arrow in it, as the notes of the grammar say.
pub fn is_arrowed(word: &str) -> bool {
    let square = |s: &str| matches!(s.as_bytes(), [b'a'..=b'h', b'1'..=b'8']);
    ["->", "→", "–", "—"].iter().any(|arrow| {
        word.split_once(arrow).is_some_and(|(from, to)| {
            let (to, rest) = to.split_at_checked(2).unwrap_or_default();
            square(from.strip_prefix(['K', 'Q', 'R', 'B', 'N', 'S']).unwrap_or(from))
                && square(to)
                && rest.len() <= 3
                && rest.chars().all(|c| "=QRBNSqrbns+#!?".contains(c))
        })
    })
}

/// Whether a word says en passant, as the notes of the grammar say.
fn is_passing(word: &str) -> bool {
    ["e.p.", "ep.", "e.p", "ep"]
        .iter()
        .any(|p| word.strip_prefix(p).is_some_and(|rest| rest.chars().all(|c| "+#!?".contains(c))))
}

/// Whether a remark is a letter, as the notes of the grammar say.
fn is_letter(remark: &str) -> bool {
    let inner = remark.trim_matches(['(', ')', '=']);
    inner.len() == 1 && inner.bytes().all(|b| b.is_ascii_alphabetic())
}

/// Whether a word is a slip for a keyword, as the notes of the grammar say.
pub fn is_slip(word: &str) -> bool {
    let bare = word.trim_end_matches([';', ':']);
    if bare.len() < word.len() && Keyword::from_word(bare).is_some() {
        return true;
    }
    let letters = bare.chars().map(|c| cpz::syntax::lookalike(c).unwrap_or(c));
    let letters: Vec<char> = letters.map(|c| c.to_ascii_lowercase()).collect();
    let mut odd: Vec<char> = letters.iter().copied().filter(|c| !"kqrbnpmw-".contains(*c)).collect();
    odd.sort_unstable();
    odd.dedup();
    let hyphens = letters.iter().filter(|c| **c == '-').count();
    (3..=20).contains(&letters.len())
        && letters.iter().all(|c| c.is_ascii_lowercase() || *c == '-')
        && (hyphens == 0 || hyphens < 3 && letters.len() > 5 && !is_custom_name(bare))
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

/// The list on the line of the notes behind one that ends so.
fn listed(before: &str) -> Vec<&'static str> {
    static TEXT: LazyLock<String> = LazyLock::new(|| read("grammar/cpz.ebnf"));
    let list = TEXT.lines().skip_while(|line| !line.ends_with(before)).nth(1).expect("a list");
    list.split_whitespace().collect()
}

/// What a short form lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lack {
    Nothing,
    Square,
    Length,
}

/// What a word lacks that is a short form, as the notes of the grammar say.
fn short_form(word: &str) -> Option<Lack> {
    static PLAYS: LazyLock<Vec<&str>> = LazyLock::new(|| [listed("perhaps one of"), vec![""]].concat());
    static GOALS: LazyLock<Vec<&str>> = LazyLock::new(|| listed("then one of"));
    if word == "+-" {
        return Some(Lack::Nothing);
    }
    if let Some((moves, rest)) = word.split_once("->")
        && !moves.is_empty()
        && moves.bytes().all(|b| b.is_ascii_digit())
    {
        return short_form(rest).filter(|_| !rest.contains("->")).map(|_| Lack::Nothing);
    }
    if !word.starts_with(|c: char| c.is_ascii_lowercase() || "#=+!".contains(c)) {
        return None;
    }
    let word = word.strip_suffix('*').unwrap_or(word);
    let (exact, word) = word.strip_prefix("exact-").map_or((false, word), |rest| (true, rest));
    let forms = PLAYS.iter().filter_map(|play| Some((play, word.strip_prefix(play)?)));
    let mut forms = forms.flat_map(|(play, rest)| {
        GOALS.iter().filter_map(move |goal| Some((*play, *goal, rest.strip_prefix(goal)?)))
    });
    forms.find_map(|(play, goal, rest)| {
        let needs_square = goal == "z" && !exact && ["", "s", "h", "ser-h"].contains(&play);
        let has_square = goal == "z" && rest.get(..2).is_some_and(is_square);
        let length = if has_square { &rest[2..] } else { rest };
        match (needs_square, has_square) {
            (true, true) if length.is_empty() => Some(Lack::Length),
            _ if !is_length(length) => None,
            (true, false) => Some(Lack::Square),
            _ => Some(Lack::Nothing),
        }
    })
}

fn is_square(word: &str) -> bool {
    matches!(word.as_bytes(), [b'a'..=b'h', b'1'..=b'8'])
}

/// Whether a word is numbers with dots between them.
fn has_counts(word: &str) -> bool {
    let is_number = |n: &str| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit());
    word.contains('.') && word.split('.').all(is_number)
}

/// Where a token stands.
#[derive(Clone, Copy)]
struct Place {
    /// Whether no line ends before it.
    on_line: bool,
    /// Whether an arrow follows.
    before_arrow: bool,
    /// Whether the word before it is a number.
    behind_number: bool,
    /// Whether the word `in` follows on its line.
    before_in: bool,
    /// Whether it is a part of a twin.
    in_twin: bool,
    /// Whether it begins a line of prose.
    begins_prose: bool,
}

/// Whether a word is one of prose, as the notes of the grammar say.
fn is_prose(word: &str) -> bool {
    let word = word.trim_end_matches(['.', ',', ';', ':', '!', '?']);
    let letters: Vec<char> = word.chars().filter(|c| c.is_alphabetic()).collect();
    let others: BTreeSet<char> =
        letters.iter().copied().filter(|c| !"KQRBNPMWkqrbnpmwКФЛСПРкфлспр".contains(*c)).collect();
    let alphabet: String = ('a'..='z').collect();
    letters.len() > 2
        && word.starts_with(char::is_alphabetic)
        && word.chars().all(|c| c.is_alphabetic() || c == '-' || c == '’')
        && letters.iter().any(|c| !c.is_ascii() || "eiuEIU".contains(*c))
        && others.len() > 1
        && !letters.iter().all(|c| "IVX".contains(*c))
        && !alphabet.starts_with(&word.to_ascii_lowercase())
}

/// The places of tokens.
fn places(tokens: &[Token<'_>]) -> Vec<Place> {
    let (mut depth, mut in_twin) = (0usize, false);
    let on_line = |token: &Token<'_>| {
        let gap =
            std::iter::successors(token.previous(), |t| t.previous()).take_while(|t| passed_over(t.kind()));
        gap.into_iter().all(|t| !t.text().contains(['\n', '\r']))
    };
    let mut places = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        let is_word = |i: usize| tokens.get(i).is_some_and(|t| t.kind() == TokenKind::Word);
        let behind_number = i > 0 && is_word(i - 1) && {
            let word = tokens[i - 1].text();
            word.strip_prefix('-').unwrap_or(word).bytes().all(|b| b.is_ascii_digit())
        };
        let on_this_line = on_line(token);
        let behind_equals = token.previous().is_some_and(|t| t.text().ends_with('='));
        let ends_twin = match token.kind() {
            TokenKind::Arrow => !behind_equals,
            TokenKind::Word => ends_changes(token.text()),
            kind => matches!(kind, TokenKind::LBrace | TokenKind::RBrace),
        };
        in_twin &= on_this_line && !ends_twin;
        let begins_line = !on_this_line || i > 0 && tokens[i - 1].text() == "board";
        let rest = tokens[i + 1..].iter().take_while(|t| on_line(t));
        let is_end =
            |t: &Token<'_>| matches!(t.kind(), TokenKind::Arrow | TokenKind::LBrace | TokenKind::RBrace);
        let is_prose = |t: &Token<'_>| t.kind() == TokenKind::Word && is_prose(t.text());
        places.push(Place {
            on_line: on_this_line,
            begins_prose: begins_line
                && is_prose(token)
                && !rest.clone().any(is_end)
                && rest.clone().any(is_prose),
            before_arrow: tokens.get(i + 1).is_some_and(|t| t.kind() == TokenKind::Arrow),
            behind_number,
            before_in: is_word(i + 1) && tokens[i + 1].text() == "in" && on_line(&tokens[i + 1]),
            in_twin,
        });
        match token.kind() {
            TokenKind::LBracket | TokenKind::UnclosedLBracket if !in_twin => depth += 1,
            TokenKind::RBracket if !in_twin => depth = depth.saturating_sub(1),
            TokenKind::Arrow if in_twin => {}
            TokenKind::Arrow | TokenKind::LBrace | TokenKind::RBrace => depth = 0,
            TokenKind::Word => in_twin |= depth == 0 && token.text() == "twin",
            _ => {}
        }
    }
    places
}

/// Whether a word is no part of a twin, as the notes of the grammar say.
fn ends_changes(word: &str) -> bool {
    let is_change = matches!(word, "turn" | "move") || word.ends_with("mate") || short_form(word).is_some();
    match Keyword::from_word(word) {
        Some(Keyword::Game(_)) => false,
        Some(_) => !is_change,
        None => is_custom_name(word),
    }
}

fn passed_over(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Space | TokenKind::Comment)
}

/// Whether a token is one that a terminal means; a terminal that this does not know is a mistake.
fn fits(terminal: &str, kind: TokenKind, text: &str, place: Place) -> bool {
    let Place { on_line, before_arrow, behind_number, before_in, in_twin, begins_prose } = place;
    // The server keeps the kind of a token with wrong marks or characters, beside the error.
    let is_between = |open: char, close: char| text.starts_with(open) && text.ends_with(close);
    let is_visible = !text.contains(is_invisible);
    let is_string = kind == TokenKind::String && (is_between('"', '"') || is_between('\'', '\''));
    let is_remark = kind == TokenKind::Remark && is_between('(', ')');
    let is_any = kind == TokenKind::Word && is_visible;
    if in_twin {
        let is_sign =
            matches!(kind, TokenKind::Comma | TokenKind::LBracket | TokenKind::RBracket | TokenKind::RParen);
        return match terminal {
            "? any word, on the line of the word before it ?" => is_any,
            "? any word, string, remark, comma, bracket or \")\", on the line of the token before it ?" => {
                is_any || is_string || is_remark || is_sign && text.is_ascii() || kind == TokenKind::Arrow
            }
            _ => false,
        };
    }
    let is_keyword = Keyword::from_word(text).is_some() || text == "stalemate" && before_in;
    let is_word = is_any && !is_keyword;
    let short = || if kind == TokenKind::Word { short_form(text) } else { None };
    let is_item = is_word && !is_custom_name(text);
    let curly = ['“', '”', '„', '«', '»', '‘', '’', '‚'];
    let is_quoted = text.starts_with(curly) && text.ends_with(curly) && text.chars().count() > 1;
    let is_row = is_item && !is_slip(text) && !is_quoted && !begins_prose;
    match terminal {
        "[" | "]" | "{" | "}" | "," | "=>" => kind != TokenKind::Word && text == terminal,
        "? a word that is no keyword ?" => is_word,
        "? a short form ?" => short().is_some(),
        "? a short form that lacks nothing ?" => short() == Some(Lack::Nothing),
        "? a short form that lacks its square ?" => short() == Some(Lack::Square),
        "? a short form that lacks its length ?" => short() == Some(Lack::Length),
        "? a short form, on the line of the word before it ?" => on_line && short().is_some(),
        "? the word in, on the line of the word before it ?" => is_word && on_line && text == "in",
        "? a number of moves, perhaps with a star ?" => {
            is_word && is_length(text.strip_suffix('*').unwrap_or(text))
        }
        "? a counter ?" => is_word && is_counter(text),
        "? a word that is no counter, custom name, slip for an arrow or move with an arrow in it ?" => {
            is_item && !is_counter(text) && !is_arrow_slip(text) && !is_arrowed(text)
        }
        "? a word that says en passant ?" => is_word && is_passing(text),
        "? a remark that is a letter ?" => is_remark && is_letter(text),
        "? a word made of + # ! and question marks ?" => is_word && text.chars().all(|c| "+#!?".contains(c)),
        "? a word that is no slip for a keyword ?" => is_row,
        "? a word that is no slip for an arrow, nor for a keyword at the start of a line or before an arrow ?" =>
        {
            let evident = !on_line || before_arrow;
            let bare = text.trim_end_matches(':').to_lowercase();
            is_item
                && !is_arrow_slip(text)
                && (!evident || !is_slip(text) || PRINTED.split(' ').any(|w| w == bare))
        }
        "? the word solutions, on the line of a number before it, with no string or list behind it ?" => {
            kind == TokenKind::Word && text == "solutions" && on_line && behind_number
        }
        "? the word no ?" => is_word && text == "no",
        "? the word of a problem, on the line of the word before it ?" => {
            kind == TokenKind::Word && on_line && ProblemKind::from_word(text).is_some()
        }
        "? a number of moves, on the line of the word before it ?" => is_word && on_line && is_length(text),
        "? the name of a square, on the line of the word before it ?" => {
            is_word && on_line && is_square(text)
        }
        "? a star, on the line of the word before it ?" => is_word && on_line && text == "*",
        "? numbers with dots between them, on the line of the word before it ?" => {
            is_word && on_line && has_counts(text)
        }
        "? any word, on the line of the word before it ?"
        | "? any word, string, remark, comma, bracket or \")\", on the line of the token before it ?" => {
            false
        }
        "? the name of a custom property ?" => kind == TokenKind::Word && is_custom_name(text),
        "? true or false in any case ?" => {
            is_word && ["true", "false"].contains(&&*text.to_ascii_lowercase())
        }
        "? a string ?" | "? a string that may have several lines ?" => is_string,
        "? a string without invisible characters ?" => is_string && is_visible,
        "? a string that holds a / and no invisible characters ?" => {
            is_string && is_visible && text.contains('/')
        }
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
        "? a remark that is the name of a level ?" => is_remark && is_level(text),
        "? a remark ?" => is_remark,
        keyword => {
            let is_known = Keyword::from_word(keyword).is_some() || keyword == "stalemate";
            assert!(is_known, "what is {keyword}?");
            kind == TokenKind::Word && text == keyword
        }
    }
}

/// Whether the grammar has a text.
fn has(tree: &Tree) -> bool {
    let tokens: Vec<_> = tree.tokens().filter(|t| !passed_over(t.kind())).collect();
    let places = places(&tokens);
    let terminals = tokens.iter().zip(&places).map(|(t, &place)| {
        let fits_here = |&i: &usize| fits(&GRAMMAR.terminals[i], t.kind(), t.text(), place);
        (0..GRAMMAR.terminals.len()).filter(fits_here).collect()
    });
    let tokens: Vec<Vec<usize>> = terminals.collect();
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
        "? a short form ?" => any(&["#2", "s#3", "h#2.5", "hz3", "ze5", "pser-h#5"]),
        "? a short form that lacks nothing ?" => any(&[
            "#2",
            "s=3*",
            "h+2.5",
            "ser-x2",
            "semi-r#2",
            "hze53",
            "h##2",
            "exact-#=2",
            "rz3",
            "dia8.5*",
            "3->ser-h#5",
            "+-",
        ]),
        "? a short form that lacks its square ?" => any(&["z3", "hz2.5", "ser-hz12*"]),
        "? a short form that lacks its length ?" => any(&["ze5", "szh1", "ser-hza8*"]),
        // The space keeps them on the line.
        "? a short form, on the line of the word before it ?" => any(&[" #2", " h#3", " h##3", " hz3"]),
        "? the word in, on the line of the word before it ?" => " in".to_owned(),
        "? a number of moves, perhaps with a star ?" => any(&["2", "2.5", "30", "2*"]),
        "? a counter ?" => any(&["1.", "12...", "…", "3.…"]),
        "? a word that is no counter, custom name, slip for an arrow or move with an arrow in it ?" => {
            any(&["Rh2", "h1h2", "=-", "1.e4", "1...Rf8", "ep", "+"])
        }
        "? a word that says en passant ?" => any(&["e.p.", "ep", "ep.+", "e.p#!?"]),
        "? a remark that is a letter ?" => any(&["(Q)", "(=n)", "((R))"]),
        "? a word made of + # ! and question marks ?" => any(&["+", "#!?"]),
        "? a word that is no slip for a keyword ?" => {
            any(&["...N", "R", "#b#", "12", "w", "KQkq", "a/b", "-"])
        }
        "? a word that is no slip for an arrow, nor for a keyword at the start of a line or before an arrow ?" => {
            any(&["1.", "Qxf7+", "none", "204", "checkmate", "solution", "easy"])
        }
        // The number and the space make it a noun behind any other word.
        "? the word solutions, on the line of a number before it, with no string or list behind it ?" => {
            " 204 solutions".to_owned()
        }
        "? the word no ?" => "no".to_owned(),
        "? the word of a problem, on the line of the word before it ?" => {
            any(&[" mate", " selfmate", " helpmate", " stalemate", " serieshelpstalemate"])
        }
        "? the name of a square, on the line of the word before it ?" => any(&[" e5", " a1"]),
        "? a star, on the line of the word before it ?" => " *".to_owned(),
        "? numbers with dots between them, on the line of the word before it ?" => any(&[" 2.1.1.1", " 2.1"]),
        "? any word, on the line of the word before it ?" => {
            any(&[" b:", " b", " mate", " #2", " turn", " ="])
        }
        "? any word, string, remark, comma, bracket or \")\", on the line of the token before it ?" => {
            any(&[
                " a6",
                " to",
                " ,",
                " )",
                " 'a, {'",
                " (b ])",
                " ]",
                " [",
                " chess",
                " move",
                " helpmate",
                " in",
                " 3",
                " -",
            ])
        }
        "? a number of moves, on the line of the word before it ?" => any(&[" 2", " 2.5"]),
        "? the name of a custom property ?" => any(&["x-rating", "x-a_1", "x-En-passant"]),
        "? true or false in any case ?" => any(&["true", "False"]),
        "? a string ?" => any(&["\"a b\"", "''", "'// {'", "\"[ solve\"", "'\"'"]),
        "? a string that may have several lines ?" => any(&["\"1. Qb6\n  Ka8\"", "'a\r\rb // ['", "''"]),
        "? a string without invisible characters ?" => any(&["\"a b\"", "''", "'// x'"]),
        "? a string that holds a / and no invisible characters ?" => any(&["\"8/8 w\"", "'/'"]),
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

/// A line of words among the rows of a board is one finding.
#[test]
fn prose_is_no_row() {
    for text in [
        "chess { board stalemate move in\n solve }",
        "chess { board stalemate stalemate\n}",
        "chess { board K\n the board is easy to solve\n}",
        "chess { board K\n easy to move => none\n}",
        "chess { board да нет\n}",
        "chess { board this is, it\n}",
        "chess { board abcde iii elf this\n}",
    ] {
        assert_eq!(disagreement(text), None);
    }
}

/// An answer of words, one of which is a query if an arrow follows.
#[test]
fn an_answer_ends_before_a_query_with_its_own_answer() {
    for text in ["chess { duplex => no stalemate in 2 => none }", "chess { duplex => no stalemate in 2 }"] {
        assert_eq!(disagreement(text), None);
    }
}

/// The arrow of a substitution, as Popeye writes it, belongs to the change; one behind a blank begins the answer.
#[test]
fn an_arrow_behind_an_equals_sign_belongs_to_a_twin() {
    for text in [
        "chess { twin b: B ==> S }",
        "chess { twin b: B ==> }",
        "chess { twin b: B ==> S => none }",
        "chess { twin b: B = => none }",
        "solitaire { twin a ==> size 4 }",
        "chess { twin b ==>\n mate }",
    ] {
        assert_eq!(disagreement(text), None);
    }
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
