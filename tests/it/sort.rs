//! Sorting loses nothing.

use cpz::analysis::Options;
use cpz::authoring::{SortKey, sorted};
use cpz::syntax::{TokenKind, parse};
use proptest::prelude::*;

fn by(text: &str, key: SortKey) -> Result<String, String> {
    sorted(&parse(text), key, &Options::default())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn nothing_is_lost_and_twice_is_once(
        parts in prop::collection::vec(
            (0usize..12, 0usize..5, 0usize..5, 0usize..4), 0..8),
        crlf in any::<bool>(), key in prop::sample::select(SortKey::ALL.to_vec()),
    ) {
        let mut text = String::new();
        for (name, above, gap, board) in parts {
            let above = ["", "// one\n", "// one\n// two\n", "// heading\n\n", "author \"A\"\n"][above];
            let board = ["8/8/8/4k3/8/8/8/4K2R", "8/8/8/4k3/8/8/8/4K3", "kbK5/pp6/1P6/8/8/8/8/R7", "8/8/"][board];
            let gap = ["\n", "\n\n", " ", "", " // behind\n"][gap];
            text.push_str(&format!("{above}chess \"{name}\" {{ id i{name} board {board} mate in 2 }}{gap}"));
        }
        let text = if crlf { text.replace('\n', "\r\n") } else { text };
        let Ok(once) = by(&text, key) else { return Ok(()) };
        prop_assert_eq!(by(&once, key), Ok(once.clone()));
        let all = |text: &str| {
            let tree = parse(text);
            let mut all: Vec<_> =
                tree.puzzles().map(|p| (p.node().text().to_string(), p.description().join("\n"))).collect();
            all.sort();
            let mut comments: Vec<_> = tree.tokens().filter(|t| t.kind() == TokenKind::Comment)
                .map(|t| t.text().to_string()).collect();
            comments.sort();
            (all, comments)
        };
        prop_assert_eq!(all(&once), all(&text));
    }
}

#[test]
fn puzzle_without_its_brace_stays_where_it_is() {
    let text = "solitaire \"B\" { board N..R..... solve }\nsolitaire \"A\" { board Q..R..... solve\n";
    let refused = by(text, SortKey::ALL.into_iter().find(|key| key.word() == "name").expect("by name"));
    assert_eq!(refused, Err("not sorted: a puzzle has no `}` at its end; write it first".into()));
}
