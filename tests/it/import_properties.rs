//! What holds for every text that is imported, in every format: generated from parts of real files, and damaged.

use cpz::exchange::import::{Format, ImportOptions, detect};
use proptest::prelude::*;

use crate::checks::importers::imported;

/// Words and lines that mean something in one of the formats.
const PARTS: &[&str] = &[
    "---\n",
    "algebraic:\n",
    "  white: [Kc8, Ra1, Pb6]\n",
    "  black: [Ka8, Bb8, Pa7, Pb7]\n",
    "stipulation: #2\n",
    "algebraic: {white: [Ka1], black: [Kc1, Qb3]}\n",
    "stipulation: \"h#2.5\"\n",
    "stipulation: =\n",
    "solution: \"1.Ra1-a6 ! {a comment} but 1...Kd5 !\"\n",
    "solution: |\n",
    "solution: '1.Sc8 ''x",
    "intended-solutions: 2.1...\n",
    "twins: {b: Move a1 a2, c: Continued Mirror a1<-->h1}\n",
    "  b: \"Shift a1 b8\"\n",
    "authors: ['Morphy, Paul']\n",
    "- ",
    "comments:\n",
    "options: [Circe, NoCastling e1, EnPassant g6]\n",
    "keywords: [a, b]\n",
    "!!python/unicode ",
    "\\u00e9",
    "beginproblem\n",
    "anfang\n",
    "debut\n",
    "pieces white ka1 qb3 black kc1\n",
    "steine weiss ka1 db3 schwarz kc1\n",
    "pieces blanc ra1 db3 noir rc1\n",
    "stip h#2\n",
    "ford s#3\n",
    "forsyth 8/8/kK6/32\n",
    "opti setplay vari\n",
    "cond circe\n",
    "twin cont rem a1 add white qe8\n",
    "zero rotate 90\n",
    "title A \"name\"\n",
    "author x\n",
    "remark {}\n",
    "next\n",
    "endproblem\n",
    "[GameType \"25\"]\n",
    "[FEN \"W:W21-23,K29:B12,K4\"]\n",
    "[FEN \"W:Wc3,e1:Bd4,f6,h8.\"]\n",
    "[Event \"x\"]\n",
    "1. c3:e5:g7! {note} h8:f6 (2. e1-d2) 1-1\n",
    "1. 22-18 *\n",
    "[FEN \"8/8/8/8/8/2K5/R7/k7 w - - 0 1\"]\n",
    "1. Rb2# 1-0\n",
    "8/8/8/8/8/2K5/R7/k7 w - - bm Rb2; id \"x\";\n",
    "id,8/8/8/8/8/2K5/R7/k7 b - - 0 1,a1b1 a2b2,1,2,3,4,mate,url\n",
    "R . .\n",
    ". N .\n",
    "R  N\n",
    "Кр Ф\n",
    "\n",
    "\r\n",
    "\t",
    " ",
    "\"",
    "'",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "=>",
    "//",
    "a",
    "1",
    ".",
    "#",
    "\u{0}",
    "é",
];

fn text() -> impl Strategy<Value = Vec<u8>> {
    let part = prop_oneof![
        9 => proptest::sample::select(PARTS).prop_map(|part| part.as_bytes().to_vec()),
        1 => proptest::collection::vec(any::<u8>(), 0..6),
    ];
    let parts = proptest::collection::vec(part, 0..40).prop_map(|parts| parts.concat());
    (parts, any::<prop::sample::Index>(), 0..4u8).prop_map(|(mut text, at, cut)| {
        if cut == 0 && !text.is_empty() {
            text.truncate(at.index(text.len()));
        }
        text
    })
}

fn options() -> impl Strategy<Value = ImportOptions> {
    let letters = proptest::sample::select(vec![None, Some("fr"), Some("en"), Some("ru"), Some("xx")]);
    (letters, any::<bool>(), any::<bool>(), any::<bool>()).prop_map(
        |(letters, bottom_up, whole_comments, mates)| ImportOptions {
            mates,
            letters: letters.map(str::to_string),
            bottom_up,
            whole_comments,
        },
    )
}

/// Whether a text has a word that is no comment and no marker of its format.
fn has_content(kind: Format, text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    let mut lines = text.lines().map(str::trim);
    match kind {
        Format::Olv => lines.any(|l| l.contains("algebraic") && !l.starts_with(['#', '%'])),
        Format::Popeye => text.split_whitespace().any(|w| w == "pieces" || w == "forsyth"),
        Format::Pdn => lines.any(|l| l.starts_with("[GameType \"25\"]")),
        Format::Solitaire => lines.any(|l| l == "R . ." || l == ". N ."),
        _ => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn imports_are_formatted_texts_without_syntax_errors(text in text(), options in options()) {
        let _ = detect("file", &String::from_utf8_lossy(&text));
        for &kind in Format::ALL {
            let puzzles = imported(kind, &text, &options);
            if has_content(kind, &text) {
                let is_told = !puzzles.notices.is_empty() || !puzzles.text.is_empty();
                prop_assert!(is_told, "{kind:?}: neither a puzzle nor a notice");
            }
        }
    }
}
