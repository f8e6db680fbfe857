//! Incremental analysis equals full analysis: after any edits, the segments and their findings are those of the
//! whole text analysed at once.

use crate::checks::edits::{
    analyse_rest, analysed, findings_with_index, full_findings, incremental_findings,
};
use cpz::analysis::{DuplicateIndex, Options};
use cpz::diagnostic::{Finding, Span};
use cpz::syntax::parse;
use proptest::prelude::*;

/// Pieces of random texts: whole puzzles, brackets, braces, quotes and comment signs.
const PIECES: [&str; 40] = [
    "solitaire \"a\" { board .N.R ..B. .... .... solve }\n",
    "solitaire 'b' {\n  board\n    P..P\n    ....\n    ....\n    ....\n  solve\n}\n\n",
    "chess { board 8/8/8/4k3/8/8/8/4K2R move Rh8 => legal mate }\n",
    "draughts \"a\" { board [[\"W\",\"K\",1,1], [\"B\",\"M\",3,3]] capture }",
    "chess3d \"é😀\" { board [###,n##,#rr],[#b#,###,###],[###,###,bRK] mate => yes }\r\n",
    "solitaire { board \".N.R\n..B.\n....\n....\" solve }\n",
    "size 4x4\n",
    "size 5\n",
    "rules solo\n",
    "unique\n",
    "allow unsolvable\n",
    "allow duplicate-puzzle duplicate-name\n",
    "turn black\n",
    "// a note about \"this\"\n",
    "{",
    "}",
    "} // }\n",
    "[",
    "]",
    "\"",
    "'",
    "(",
    ")",
    "=>",
    "// ",
    "\n",
    "\r",
    " ",
    "board",
    " board \"",
    "solve ",
    "solitaire ",
    "solitair { ",
    "{ }",
    "{ { solve }",
    "x",
    "é",
    "\u{0}",
    "allow",
    "😀",
];

fn options() -> Options {
    Options::default()
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&PIECES[..]), 0..24).prop_map(|all| all.concat())
}

/// A place among so many characters, and how many after it go.
type Edit = (prop::sample::Index, usize, String);

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let new = prop::collection::vec(prop::sample::select(&PIECES[..]), 0..3).prop_map(|all| all.concat());
    prop::collection::vec((any::<prop::sample::Index>(), prop_oneof![0usize..4, 0usize..200], new), 1..8)
}

fn boundaries(text: &str) -> Vec<usize> {
    (0..=text.len()).filter(|&i| text.is_char_boundary(i)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn segments_cover_the_text(text in text()) {
        let segments = analysed(&text, &options());
        prop_assert_eq!(incremental_findings(&segments, &text, &options()), full_findings(&text, &options()), "{}", text);
        // The windows of a text together have all of its puzzles.
        let tree = parse(text.clone());
        for puzzle in tree.puzzles() {
            let span = puzzle.span();
            let window = segments.window(text.as_str(), Span::new(span.start, span.end - 1), u32::MAX);
            let here = window.tree.puzzles().map(|p| p.span()).any(|mut s| {
                s.shift(window.start.into());
                s == span
            });
            prop_assert!(here, "{:?} of\n{}", span, text);
        }
    }

    #[test]
    fn incremental_edits_equal_full_analysis(text in text(), edits in edits(), pause in any::<u8>()) {
        let mut text = text;
        let mut segments = analysed(&text, &options());
        let mut index = DuplicateIndex::default();
        index.update("a", Some(&segments), &mut Default::default());
        for (i, (at, length, new)) in edits.into_iter().enumerate() {
            let places = boundaries(&text);
            let first = at.index(places.len());
            let last = (first + length).min(places.len() - 1);
            let span = Span::new(places[first] as u32, places[last] as u32);
            text.replace_range(span.range(), &new);
            segments.edit(span, new.len() as u32);
            // Several edits may arrive before the next analysis.
            if pause >> (i % 8) & 1 == 1 {
                analyse_rest(&mut segments, &text, &options());
                index.update("a", Some(&segments), &mut Default::default());
                prop_assert_eq!(findings_with_index(&index, &segments, &text, &options()), full_findings(&text, &options()), "{}", text);
            }
        }
        analyse_rest(&mut segments, &text, &options());
        index.update("a", Some(&segments), &mut Default::default());
        prop_assert_eq!(findings_with_index(&index, &segments, &text, &options()), full_findings(&text, &options()), "{}", text);
    }
}

/// Long texts have many chunks, and edits that concern several of them.
#[test]
fn incremental_edits_of_long_texts_equal_full_analysis() {
    let puzzle = |i: usize| {
        format!("solitaire \"p{i}\" {{ board P..{} .... .... .... solve }}\n", ['P', 'K', 'N'][i % 3])
    };
    let mut text: String = (0..3000).map(puzzle).collect();
    let mut segments = analysed(&text, &options());
    let (middle, end) = (text.len() / 2, text.len());
    let starts: Vec<usize> = text.match_indices("solitaire").map(|m| m.0).collect();
    for (at, new) in [
        (0..0, "size 2x2\n"),
        (end..end, "solitaire { board QQ size 2x1"),
        (middle..middle, "{ \""),
        (starts[10]..starts[1500], ""),
        (0..9, ""),
        (0..0, "unique allow unsolvable\n"),
    ] {
        let at = at.start.min(text.len())..at.end.min(text.len());
        text.replace_range(at.clone(), new);
        segments.edit(Span::new(at.start as u32, at.end as u32), new.len() as u32);
        analyse_rest(&mut segments, &text, &options());
        assert_eq!(incremental_findings(&segments, &text, &options()), full_findings(&text, &options()));
    }
    let total = text.len();
    text.clear();
    segments.edit(Span::new(0, total as u32), 0);
    analyse_rest(&mut segments, &text, &options());
    assert_eq!((segments.count(), incremental_findings(&segments, &text, &options())), (0, Vec::new()));
}

/// A limited report has the worst findings and the number of the others.
#[test]
fn limited_reports_keep_the_worst_findings() {
    let puzzle = |i: usize| match i % 3 {
        0 => format!("solitaire \"p{i}\" {{ board P..P .... .... .... solve }}\n"),
        1 => format!("chess \"p{i}\" {{ board 8/8/8/8/8/8/8/P7 move Ra1 }}\n"),
        _ => "x { \n".to_string(),
    };
    let text: String = (0..3000).map(puzzle).collect();
    let (segments, severities) = (analysed(&text, &options()), options().config.severities);
    let all = segments.report(&severities, &[]);
    let all: Vec<Finding> = all.findings().into_iter().map(|(f, _)| f.clone()).collect();
    assert!(all.len() > 3000);
    for most in [0, 1, 500, 100_000] {
        let (worst, more) = segments.worst(&severities, most).expect("nothing is allowed");
        let more: usize = more.into_iter().map(|(_, count)| count).sum();
        assert_eq!(worst.len() + more, all.len(), "{most}");
        let mut wanted = all.clone();
        wanted.sort_by_key(|f| (severities.shown(f), f.span.start, f.span.end, f.code));
        wanted.truncate(most);
        let mut worst = worst;
        worst.sort_by_key(|f| (severities.shown(f), f.span.start, f.span.end, f.code));
        worst.truncate(most);
        assert_eq!(worst, wanted, "{most}");
    }
    let allowed = format!("allow unsolvable\n{text}");
    assert!(analysed(&allowed, &options()).worst(&severities, 5).is_none());
}

/// The rows of a string that is not closed are looked for in its puzzle alone, whatever is typed into them.
#[test]
fn rows_without_their_quote_are_read_as_in_a_fresh_text() {
    for typed in ["// ", "} // }\n", "level } II\n", "} // {\n", "level }\n", "{ // "] {
        let mut text =
            "solitaire { board \".N.R\n..B.\n....\n....\" solve }\nallowé { board \".N.R\n..B.\" solve }\n"
                .to_string();
        let mut segments = analysed(&text, &options());
        let at = text.find("....\" solve").expect("the last row");
        text.insert_str(at, typed);
        segments.edit(Span::at(at as u32), typed.len() as u32);
        analyse_rest(&mut segments, &text, &options());
        assert_eq!(
            incremental_findings(&segments, &text, &options()),
            full_findings(&text, &options()),
            "{text}"
        );
    }
}
