//! Hover, completion and formatting: a text with a cursor, and the expected result.

use crate::harness::examples::examples;
use crate::harness::full;
use cpz::analysis::{Config, Defaults, Options, report_of};
use cpz::ide;
use cpz::syntax::{Tree, parse};

/// A text without its `$0`, and where it stood.
fn cursor(text: &str) -> (Tree, u32) {
    let at = text.find("$0").expect("a cursor");
    (parse(text.replacen("$0", "", 1)), at as u32)
}

fn hover(tree: &Tree, at: u32) -> Option<ide::Hover> {
    let options = Options { answers: true, nodes: 100_000, ..Options::default() };
    ide::hover(tree, &Config::default(), at, false, |puzzle, settings, _| {
        report_of(puzzle, settings, &options)
    })
}

#[test]
fn hover_explains_what_is_at_the_cursor() {
    let cases = [
        (
            "solitaire { bo$0ard ...N.....R....B. solve }",
            "```text\n 4 . . . N\n 3 . . . .\n 2 . R . .\n 1 . . B .\n   a b c d\n```",
        ),
        ("solitaire { board ...N.....$0R....B. solve }", "The rook on b2: it captures nothing"),
        ("solitaire { board ...N.....R....$0B. solve }", "The bishop on c1: it can go to b2"),
        (
            "chess { board 8/8/8/4k3/8/8/8/4$0K2R mate }",
            "The white king on e1: it can go to d1, f1, d2, e2, f2",
        ),
        (
            "// A *star*\nchess \"x\" { board [[\"W\",\"K\",1,$01]] mate }",
            "The white king on a1: it can go to b1, a2, b2",
        ),
        ("// A *star*\nchess \"$0x\" { board 8/8/8/4k3/8/8/8/4K2R mate }", "A \\*star\\*\n\n```text\n"),
        (
            "solitaire { board .....B..RP.....N solve => [[[3,0], [1,1]], [[0,1], $0[1,1]], [[1,1], [1,2]]] }",
            "After step 2, a2xb2",
        ),
        (
            "solitaire { board .....B..RP.....N solve => [[[3,0], [1,1]], [[0,1], [1,2$0]]] }",
            "Step 2 fails: ",
        ),
        ("chess { board 8/8/8/4k3/8/8/8/4K2R mo$0ve Rh9 }", "✗ h9 is not on this 8×8 board"),
        ("chess { board 8/8/8/4k3/8/8/8/4K2R move R$0h8 }", "legal"),
        ("draughts { board [[\"W\",\"K\",1,1], [\"B\",\"M\",3,3], [\"B\",\"M\",5,5]] ca$0pture }", "2 men"),
        ("solitaire { ru$0les ranger board ...N.....R....B. solve }", "**rules**: the dialect"),
        ("allow not-$0unique", "**not-unique** (warning)"),
        ("chess { board 8/8/8/4k3/8/8/8/4K2R move R$0h8 => legal }", "✓ verified"),
    ];
    for (text, expected) in cases {
        let (tree, at) = cursor(text);
        let found = hover(&tree, at).unwrap_or_else(|| panic!("nothing: {text}"));
        assert!(found.markdown.starts_with(expected), "{text}\n{}", found.markdown);
        assert!(found.span.start <= at && at <= found.span.end, "{text}");
    }
    for text in ["// a $0comment\n", "solitaire { board ...N.....R....B. $0  solve }", "$0"] {
        let (tree, at) = cursor(text);
        assert_eq!(hover(&tree, at), None, "{text}");
    }
}

#[test]
fn hover_explains_mate_escape_by_escape() {
    let (tree, at) = cursor("chess { bo$0ard R5k1/5ppp/8/8/8/8/8/6K1 turn black mate }");
    let found = hover(&tree, at).expect("a hover").markdown;
    assert!(found.contains("Black is checkmated"), "{found}");
    let picture = found.find("```text").expect("a board");
    assert!(found.find("- f8").is_some_and(|reason| reason < picture), "words first: {found}");
    assert!(found.lines().filter(|l| l.starts_with("- ")).count() >= 3, "{found}");
}

#[test]
fn hover_picture_describes_all_pieces() {
    let (tree, at) = cursor("solitaire { bo$0ard ...N.....R....B. solve }");
    let options = Options { answers: true, ..Options::default() };
    let found = ide::hover(&tree, &Config::default(), at, true, |p, s, _| report_of(p, s, &options))
        .expect("a hover");
    let start =
        "![A board of 4×4 squares: rook on b2; bishop on c1; knight on d4.](data:image/svg+xml;base64,";
    assert!(found.markdown.starts_with(start), "{}", found.markdown);
}

#[test]
fn hover_on_a_query_shows_the_board() {
    let (tree, at) = cursor("chess { board R5k1/5ppp/8/8/8/8/8/6K1 turn black ma$0te }");
    let options = Options { answers: true, ..Options::default() };
    let show = |pictures| {
        let found = ide::hover(&tree, &Config::default(), at, pictures, |p, s, _| report_of(p, s, &options));
        found.expect("a hover").markdown
    };
    let (picture, text) = (show(true), show(false));
    let image = picture.find("![").expect("a picture");
    assert!(
        picture[image..].starts_with(
            "![A board of 8×8 squares: white king on g1; white rook on a8; black king on g8; black pawns on "
        ),
        "{picture}"
    );
    let parts = |markdown: &str| {
        markdown.split("\n\n").filter(|p| !p.starts_with("![")).map(String::from).collect::<Vec<_>>()
    };
    assert_eq!(parts(&picture), parts(&text), "the words are the same");
    assert!(picture[..image].contains("- f8: guarded by the rook on a8"), "words come first: {picture}");
    assert!(text.contains("- f8: guarded by the rook on a8"), "{text}");
}

/// An editor with pictures shows the finding itself, in the same window.
#[test]
fn hover_says_nothing_that_a_finding_says() {
    let options = Options { answers: true, ..Options::default() };
    for text in [
        "chess { board 8/8/8/4k3/8/8/8/4K2R move R$0e7 }",
        "solitaire { board P..P .... .... .... so$0lve }",
        "solitaire { board .....B..RP.....N solve => [[[3,0], [1,1]], [[0,1], [1,2$0]]] }",
        "solitaire {\n board\n  . N . .\n  . .$0\n  . . B .\n solve }",
    ] {
        let (tree, at) = cursor(text);
        let found = ide::hover(&tree, &Config::default(), at, true, |p, s, _| report_of(p, s, &options));
        let found = found.expect("a hover").markdown;
        assert!(found.starts_with("![") && !found.contains("\n\n"), "{text}\n{found}");
    }
}

/// In pixels; the levels of a cube are those that the hover is about.
#[test]
fn hover_picture_is_small() {
    let row = "q".repeat(10);
    let level = format!("[{}]", [row.as_str(); 10].join(","));
    let cube = format!("chess3d {{ bo$0ard {} mate }}", vec![level; 10].join(","));
    let one = cube.replacen("bo$0ard", "board", 1).replacen("[qqq", "[qq$0q", 1);
    let options = Options { answers: true, nodes: 1000, ..Options::default() };
    for (text, levels) in [(cube.as_str(), 4), (&one, 1), ("chess { board 8/8/8/4k3/8/8/8/4$0K2R mate }", 0)]
    {
        let (tree, at) = cursor(text);
        let found = ide::hover(&tree, &Config::default(), at, true, |p, s, _| report_of(p, s, &options));
        let found = found.expect("a hover").markdown;
        let data = found.split("base64,").nth(1).and_then(|d| d.split(')').next()).expect("a picture");
        let svg = decoded(data);
        let height = svg.split("height=\"").nth(1).and_then(|h| h.split('"').next()).expect("a height");
        assert!(height.parse::<u32>().is_ok_and(|h| h <= 190), "{height}");
        let titles = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X"];
        let drawn = titles.iter().filter(|t| svg.contains(&format!("data-level=\"{t}\""))).count();
        assert!(drawn == levels || levels == 1 && (1..=4).contains(&drawn), "{drawn} of {levels}");
    }
}

/// Base64 (RFC 4648) as text.
fn decoded(data: &str) -> String {
    let value = |c: u8| match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let mut out = Vec::new();
    for chunk in data.trim_end_matches('=').as_bytes().chunks(4) {
        let bits =
            chunk.iter().fold(0u32, |bits, &c| bits << 6 | u32::from(value(c))) << (6 * (4 - chunk.len()));
        out.extend_from_slice(&bits.to_be_bytes()[1..chunk.len()]);
    }
    String::from_utf8(out).expect("text")
}

#[test]
fn hover_never_panics_in_cut_off_examples() {
    let every = if full() { 97 } else { 389 };
    for (_, text) in examples() {
        let cuts = text.char_indices().map(|(i, _)| i).filter(|i| i % every == 0).chain([text.len()]);
        for cut in cuts {
            let tree = parse(&text[..cut]);
            let from = cut.saturating_sub(60);
            for at in (from..=cut).filter(|&i| text.is_char_boundary(i)) {
                if let Some(found) = hover(&tree, at as u32) {
                    assert!(found.span.start <= at as u32 && at as u32 <= found.span.end);
                }
            }
        }
    }
}

#[test]
fn format_edits_equal_the_formatted_text() {
    for (_, text) in examples() {
        for text in
            [text.clone(), text.replace("  ", "\t "), text.replace('\n', "\r\n"), text.replace('\n', "\r")]
        {
            let tree = parse(text.as_str());
            let edits = ide::format_edits(&tree);
            assert_eq!(Some(ide::apply(&text, &edits)), ide::format(&tree));
            assert!(edits.iter().all(|e| text[e.span.range()].trim().is_empty() && e.text.trim().is_empty()));
        }
    }
}

fn complete(tree: &Tree, at: u32) -> Vec<ide::Completion> {
    let options = Options { answers: true, nodes: 100_000, ..Options::default() };
    ide::completions(tree, Defaults::default(), at, |puzzle, settings| report_of(puzzle, settings, &options))
}

fn accept(text: &str, item: &ide::Completion) -> String {
    format!("{}{}{}", &text[..item.replace.start as usize], item.text, &text[item.replace.end as usize..])
}

#[test]
fn completion_offers_what_fits_at_the_cursor() {
    // A text with its cursor, the first labels, and the text with the first taken.
    let cases: &[(&str, &[&str], &str)] = &[
        ("$0", &["solitaire", "chess", "chess3d", "draughts"], "solitaire"),
        ("dra$0", &["draughts", "draughts puzzle"], "draughts"),
        ("draughts$0", &[], ""),
        ("solitaire { $0 }", &["board", "solve", "count"], "solitaire { board }"),
        (
            "solitaire { board ...N.....R....B. sol$0 }",
            &["solve"],
            "solitaire { board ...N.....R....B. solve }",
        ),
        (
            "solitaire { board ...N.....R....B. so$0ve }",
            &["solve"],
            "solitaire { board ...N.....R....B. solve }",
        ),
        (
            "solitaire { rules $0 board ...N.....R....B. }",
            &["default", "ranger", "solo"],
            "solitaire { rules default board ...N.....R....B. }",
        ),
        ("turn bl$0\n", &["black"], "turn black\n"),
        ("turn b$0\n", &[], ""),
        ("allow not-u$0", &["not-unique"], "allow not-unique"),
        (
            "chess { board 8/8/8/4k3/8/8/8/4K2R move Rh$0 }",
            &["Rh5+", "Rh2"],
            "chess { board 8/8/8/4k3/8/8/8/4K2R move Rh5+ }",
        ),
        (
            "chess { board 8/8/8/4k3/8/8/8/4K2R move e1d$0 }",
            &["e1d1", "e1d2"],
            "chess { board 8/8/8/4k3/8/8/8/4K2R move e1d1 }",
        ),
        ("chess { board 8/8/8/4k3/8/8/8/4K2R move Ra$08 }", &[], ""),
        (
            "chess { board 8/8/8/4k3/8/8/8/4K2R mate => $0 }",
            &["none", "checkmate", "check", "stalemate"],
            "chess { board 8/8/8/4k3/8/8/8/4K2R mate => none }",
        ),
        (
            "chess { board 8/8/8/4k3/8/8/8/4K2R move Rh8 => i$0 }",
            &["illegal"],
            "chess { board 8/8/8/4k3/8/8/8/4K2R move Rh8 => illegal }",
        ),
        (
            "solitaire { board .....B..RP.....N solve => [[[3,0], [1,1]], $0] }",
            &["a2xb2"],
            "solitaire { board .....B..RP.....N solve => [[[3,0], [1,1]], [[0,1], [1,1]]] }",
        ),
        ("// sol$0", &[], ""),
        ("solitaire \"sol$0\" { }", &[], ""),
    ];
    for (marked, labels, after) in cases {
        let (tree, at) = cursor(marked);
        let found = complete(&tree, at);
        let shown: Vec<&str> = found.iter().map(|c| c.label.as_str()).collect();
        assert!(
            shown.starts_with(labels) && (!labels.is_empty() || shown.is_empty()),
            "{marked}\n{found:#?}"
        );
        if let Some(first) = found.first() {
            assert_eq!(accept(tree.text(), first), *after, "{marked}");
        }
    }
}

#[test]
fn completion_replaces_only_the_word_at_the_cursor() {
    for (_, text) in examples() {
        for (at, _) in text.char_indices().filter(|(i, _)| i % 7 == 0) {
            let tree = parse(&text[..]);
            for item in complete(&tree, at as u32).into_iter().take(2) {
                let (start, end) = (item.replace.start as usize, item.replace.end as usize);
                assert!(start <= at && at <= end, "{item:?}");
                // What goes is one word at most, and what goes behind the cursor comes back.
                assert!(
                    !text[start..end].contains(|c: char| c.is_whitespace() || "[]{},".contains(c)),
                    "{item:?}"
                );
                assert!(item.text.ends_with(&text[at..end]), "{item:?}");
                let written = accept(&text, &item);
                let again = parse(written.as_str());
                let done = (start + item.text.trim_end().len()) as u32;
                for twice in complete(&again, done).iter().filter(|c| c.label == item.label) {
                    assert_eq!(accept(&written, twice), written, "{item:?}");
                }
            }
        }
    }
}
