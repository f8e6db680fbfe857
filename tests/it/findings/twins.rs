//! Findings about twins (contract: stipulations, 3).

use super::stipulations::{ZILAHI, answers, findings, only};
use cpz::diagnostic::{Code, Finding};
use cpz::ide::apply;

#[test]
fn printed_twins_hold() {
    assert_eq!(findings(ZILAHI), []);
    // What breaks one twin breaks those that go on from it.
    let broken = ZILAHI.replace("b4 to f3", "b4 to f2");
    let names: Vec<String> = findings(&broken).iter().map(|f| f.message[..6].to_string()).collect();
    assert_eq!(names, ["twin b", "twin c", "twin d"]);
}

#[test]
fn a_wrong_twin_is_one_finding_on_its_words() {
    for (twin, place, message) in [
        ("twin b: a5 to a6", "a5 to a6", "nothing stands on a5"),
        ("twin b: b3 to c3, a5 to a6", "a5 to a6", "nothing stands on a5"),
        ("twin b: add black pawn h1", "add black pawn h1", "a man stands on h1 already"),
        ("twin b: shift a1 d1", "shift a1 d1", "the man on h1 would leave the board"),
        ("twin b: rotate 45", "rotate 45", "the board is rotated by 90, 180 or 270 degrees: `rotate 90`"),
        ("twin b: from a, remove h1", "a", "there is no twin a before this one"),
        ("twin b: substitute rook knight", "substitute rook knight", "there is no rook to substitute"),
        ("twin b: remuve h1", "remuve h1", "cannot read this change; did you mean `remove h1`?"),
        ("twin b: h1 to h2, h2 to h1", "h1 to h2, h2 to h1", "this twin is the same as the diagram"),
        ("twin b: remove a1 b3 h1", "remove a1 b3 h1", "this twin leaves no man on the board"),
        ("twin", "twin", "`twin` needs a letter and a change, as in `twin b: a6 to b6`"),
    ] {
        let text = format!("chess {{ board 8/8/8/8/8/1K6/8/k6Q b\n helpmate in 1 => none\n {twin}\n}}\n");
        let (_, at, found) = only(&text);
        assert_eq!((at.as_str(), found.as_str()), (place, message), "{twin}");
    }
    let twice = "chess { board 8/8/8/8/8/1K6/8/k6Q b\n helpmate in 1 => none\n twin b: h1 to h2 => none\n twin b: h1 to h3\n}\n";
    assert_eq!(only(&twice.replace("h1 to h2 => none", "remove h1 => none")).2, "there is a twin b already");
    let same = "chess { board 8/8/8/8/8/1K6/8/k6Q b zeroposition\n helpmate in 1\n twin a: remove h1 => none\n twin b: exchange b3 h1, remove b3, h1 to b3\n}\n";
    assert_eq!(only(same).2, "this twin is the same as twin a");
}

#[test]
fn a_slip_in_a_change_has_the_fixes_that_ask() {
    for (written, meant) in [
        ("swap b3 h1", &["exchange b3 h1"][..]),
        ("delete h1", &["remove h1"]),
        ("without h1", &["remove h1"]),
        ("put white rook c3", &["add white rook c3"]),
        ("turn whit", &["turn white"]),
        ("swap colurs", &["swap colours"]),
        ("h1 to h2; remove h2", &["h1 to h2, remove h2"]),
        ("add rook c3", &["add white rook c3", "add black rook c3"]),
        ("add white roook c3", &["add white rook c3"]),
        ("shift a1 b", &[]),
        ("swap h1", &[]),
        ("h1 to h2; remove", &[]),
    ] {
        let text =
            format!("chess {{ board 8/8/8/8/8/1K6/8/k6Q b\n helpmate in 1 => none\n twin b: {written}\n}}\n");
        let found = findings(&text);
        assert_eq!(found.len(), 1, "{written}\n{found:?}");
        let fixed: Vec<String> = found[0].fixes.iter().map(|fix| apply(&text, &fix.edits)).collect();
        let expected: Vec<String> = meant.iter().map(|meant| text.replace(written, meant)).collect();
        assert_eq!(fixed, expected, "{written}");
        assert!(found[0].fixes.iter().all(|fix| !fix.safe), "{written}");
    }
}

#[test]
fn twins_are_read_as_composers_and_popeye_write_them() {
    for (written, words) in [
        ("b) Kb3->c3", "twin b: b3 to c3"),
        ("b) wKb3→c3", "twin b: b3 to c3"),
        ("b) Kb3 – c3", "twin b: b3 to c3"),
        ("b) Kb3–c3", "twin b: b3 to c3"),
        ("b) Kb3 to c3", "twin b: b3 to c3"),
        ("b) Kb3>c3", "twin b: b3 to c3"),
        ("b) wKb3→wSc3", "twin b: knight c3 for b3"),
        ("b) wKb3→bKb3", "twin b: remove b3, add black king b3"),
        ("b) -wQh1", "twin b: remove h1"),
        ("b) +bBc3", "twin b: add black bishop c3"),
        ("b) b3<->h1", "twin b: exchange b3 h1"),
        ("b) h#2", "twin b: h#2"),
        ("Twin Move b3 c3", "twin b: b3 to c3"),
        ("Twin Remove h1", "twin b: remove h1"),
        (
            "TWIN Add black Bc3 d4 White Sc5",
            "twin b: add black bishop c3, add black pawn d4, add white knight c5",
        ),
        ("Move b3 c3", "twin b: b3 to c3"),
        ("Remove h1 Add White Sc3", "twin b: remove h1, add white knight c3"),
        ("twin b: Move b3 c3", "twin b: b3 to c3"),
        ("twin b: Add black Bc3", "twin b: add black bishop c3"),
        ("twin b: PolishType", "twin b: swap colours"),
        ("twin b: Mirror a1<-->h1", "twin b: mirror a1 h1"),
    ] {
        let text = format!("chess {{ board 8/8/8/8/8/1K6/8/k6Q b\n helpmate in 1 => none\n {written}\n}}\n");
        let found = findings(&text);
        assert_eq!(found.len(), 1, "{written}: {found:#?}");
        assert!(found[0].fixes[0].safe, "{written}");
        let after = apply(&text, &found[0].fixes[0].edits);
        assert_eq!(after, text.replace(written, words), "{written}");
    }
}

#[test]
fn a_change_of_popeye_behind_no_problem_is_no_twin() {
    for written in ["Move b3 c3", "Remove h1"] {
        let text = format!("chess {{ board 8/8/8/8/8/1K6/8/k6Q b\n {written}\n}}\n");
        let twins = findings(&text).into_iter().flat_map(|found| found.fixes);
        assert!(!twins.flat_map(|fix| fix.edits).any(|edit| edit.text.contains("twin")), "{written}");
    }
    // The letters go on in order.
    let text =
        "chess {\n board 8/8/8/8/8/1K6/8/k6Q b\n h#1\n twin b: h1 to h2\n Twin Move b3 c3\n Remove h1\n}\n";
    let all: Vec<_> =
        findings(text).into_iter().flat_map(|found| found.fixes).flat_map(|fix| fix.edits).collect();
    let (c, d) = ("\n twin c: b3 to c3\n", " twin d: remove h1\n");
    assert!(apply(text, &all).contains(&format!("{c}{d}")), "{all:#?}");
    // A letter has to be there.
    let text = "chess { board 8/8/8/8/8/1K6/8/k6Q b\n helpmate in 1 => none\n twin Move b3 c3\n}\n";
    assert_eq!(only(text).2, "a twin has a letter and a colon, as in `twin b: a6 to b6`");
}

#[test]
fn a_twin_that_names_another_man_asks_before_the_name_is_lost() {
    for (written, man, message) in [
        ("b) Qb3->c3", "Qb3", "a white king stands on b3, not a queen; is the diagram right?"),
        ("b) bKb3->c3", "bKb3", "a white king stands on b3, not a black king; is the diagram right?"),
        ("b) -bRh1 +wBc3", "bRh1", "a white queen stands on h1, not a black rook; is the diagram right?"),
        ("twin b: Sb3->c3", "Sb3", "a white king stands on b3, not a knight; is the diagram right?"),
    ] {
        let text = format!("chess {{ board 8/8/8/8/8/1K6/8/k6Q b\n helpmate in 1 => none\n {written}\n}}\n");
        let found = findings(&text);
        let named: Vec<_> = found.iter().filter(|f| text[f.span.range()] == *man).collect();
        assert!(named.len() == 1 && named[0].message == message, "{written}: {found:#?}");
        assert!(found.len() == 2 && found.iter().all(|f| f.fixes.iter().all(|fix| !fix.safe)), "{found:#?}");
    }
    // Behind an arrow or in quotes stands a solution.
    for answer in ["\"1. Qh2 Kb1\"", "'1. Qh2'", "1. Qh2"] {
        let found =
            findings(&format!("chess {{ board 8/8/8/8/8/1K6/8/k6Q b\n h#1\n b) Kb3->c3 => {answer}\n}}\n"));
        assert!(!found.iter().any(|f| f.message.contains("is the diagram right")), "{answer}: {found:#?}");
    }
    // A man that is added, one that stands where a change has put it, and one of another twin are none of the diagram.
    for written in [
        "b) wKb3→wSh1",
        "b) Kb3 - Sh1",
        "b) +bQc3",
        "b) Kb3->c3, Kc3->d3",
        "twin b: remove h1\n c) = b) Qb3->c3",
        "b) Qc3->d3",
    ] {
        let text = format!("chess {{ board 8/8/8/8/8/1K6/8/k6Q b\n helpmate in 1 => none\n {written}\n}}\n");
        let found = findings(&text);
        assert!(!found.iter().any(|f| f.message.contains("is the diagram right")), "{written}: {found:#?}");
    }
}

#[test]
fn what_a_twin_asks_may_carry_its_numbers_of_continuations() {
    for (twin, message) in [
        ("h2 to h3, h#2 9.1.1.1", "2 continuations at the first ply, but 9 are intended: 1.Ka2 and 1.Kb1"),
        ("h2 to h3, helpmate in 2 2.9", "16 continuations after 1. Ka2, but 9 are intended: 1...Kc2, "),
        ("h#2 2.1.1.1, h2 to h3", "16 continuations after 1. Ka2, but 1 is intended: 1...Kc2, "),
    ] {
        let text = format!("chess {{ board 8/8/8/8/8/2K5/7Q/k7 b\n h#2 => none\n twin b: {twin}\n}}\n");
        let found = findings(&text);
        let of_twin: Vec<&str> = found.iter().filter_map(|f| f.message.strip_prefix("twin b: ")).collect();
        assert!(matches!(of_twin[..], [one] if one.starts_with(message)), "{twin}: {found:#?}");
    }
}

#[test]
fn a_twin_is_a_position_of_two_kings_and_one_man_on_a_square() {
    for (changes, at, message) in [
        ("add white king a1", "add white king a1", "this twin has two white kings"),
        ("substitute bishop king", "substitute bishop king", "this twin has two white kings"),
        ("swap colours, add white king a8", "add white king a8", "this twin has two white kings"),
        ("e3 to d3", "e3 to d3", "a king stands on d3, which no other man can take"),
        ("e3 to a1, d5 to a1", "d5 to a1", "another change has put a man on a1 already"),
        ("substitute bishop bishop", "substitute bishop bishop", "a bishop for a bishop changes nothing"),
    ] {
        let text = format!(
            "chess {{ board 8/8/5n2/1N1Rrk2/8/3KB3/8/8\n h#2 => \"1. Nxd5 Ke2 2. Ke4 Nd6#\"\n twin b: {changes}\n}}\n"
        );
        let found = findings(&text);
        assert!(
            matches!(&found[..], [one] if one.message == message && text[one.span.range()] == *at),
            "{found:#?}"
        );
    }
}

#[test]
fn a_twin_has_the_warnings_that_its_changes_bring() {
    let pawn = "a white pawn stands on its last rank";
    for (twins, told) in [
        ("twin b: add white pawn a8", vec![("add white pawn a8", format!("twin b: {pawn}"))]),
        ("twin b: c6 to d8", vec![("c6 to d8", format!("twin b: {pawn}"))]),
        // What a twin has of another one is told there.
        (
            "twin b: add white pawn a8\n twin c: from b, remove h5",
            vec![("add white pawn a8", format!("twin b: {pawn}"))],
        ),
        ("twin b: h5 to g1", Vec::new()),
    ] {
        let text = format!("chess {{ board 7K/8/2P5/k6r/8/8/8/8\n h#2 => none\n {twins}\n}}\n");
        let found = findings(&text);
        let found = found.iter().filter(|f| f.code == Code::ImpossiblePosition);
        let found: Vec<_> = found.map(|f| (&text[f.span.range()], f.message.clone())).collect();
        assert_eq!(found, told, "{text}");
    }
}

#[test]
fn a_letter_of_a_twin_may_have_a_number_behind_it() {
    let text =
        "chess { board 8/8/8/8/8/1K6/8/k6Q b\n helpmate in 1 => none\n twin z100: b3 to c3 => none\n}\n";
    let found = findings(text);
    assert!(found.iter().all(|finding| finding.code != Code::InvalidValue), "{found:#?}");
}

#[test]
fn twins_are_changed_in_the_order_of_their_words() {
    let text = "chess { board 8/8/8/8/8/1K6/8/k6Q b
        helpmate in 1
        twin b: h1 to h2, b3 to c3
        twin c: remove h1, add white rook h8
        twin d: rook g8 for h1
        twin e: from b, h2 to g2
        twin f: mirror a1 h1
        twin g: swap colours, turn white
        twin h: mate in 2, turn white
    }";
    let expected = [
        "no helpmate in 1",
        "1. Kb1 Qb2#",
        "1. Kb1 Rh1#",
        "1. Kb1 Rg1#",
        "1. Kb1 Qb2#",
        "no helpmate in 1",
        "no helpmate in 1",
        "no mate in 2",
    ];
    let found = answers(text);
    assert_eq!(found[..7], expected[..7], "{found:?}");
}

#[test]
fn an_item_on_the_line_of_a_twin_goes_to_the_next_line() {
    let twin = "chess { board 8/R7/p7/k7/8/2K5/8/8 b\n  h#2 => \"1. Ka4 Ra8 2. Ka3 Rxa6#\"\n  solutions 2\n  twin b: a5 to b5";
    // What can be a change of the twin may lack a comma before it.
    for (item, is_change) in [
        ("move Kb4 => legal", false),
        ("#2 => none", true),
        ("mate in 2 => none", true),
        ("turn white", true),
    ] {
        let text = format!("{twin} {item}\n}}");
        let word = item.split(' ').next().unwrap_or_default();
        let found: Vec<Finding> =
            findings(&text).into_iter().filter(|f| f.code == Code::InvalidValue).collect();
        assert_eq!(found.len(), 1, "{text}\n{found:#?}");
        assert_eq!(&text[found[0].span.range()], word);
        let fixed: Vec<String> = found[0].fixes.iter().map(|fix| apply(&text, &fix.edits)).collect();
        let next_line = format!("{twin}\n  {item}\n}}");
        match is_change {
            true => assert_eq!(fixed, [format!("{twin}, {item}\n}}"), next_line]),
            false => assert_eq!(fixed, [next_line]),
        }
        assert!(found[0].fixes.iter().all(|fix| fix.safe != is_change), "{item}");
    }
    // The keyword of an item that no change has ends the twin.
    for item in ["twin c: h#2.5", "tags x", "x-a b", "note \"a {\"", "duplex", "twin c: a5 to b6, turn white"]
    {
        let (one_line, lines) = (format!("{twin} {item}\n}}"), format!("{twin}\n  {item}\n}}"));
        let messages = |text: &str| findings(text).into_iter().map(|f| f.message).collect::<Vec<_>>();
        assert_eq!(messages(&one_line), messages(&lines), "{item}");
        assert!(
            !messages(&one_line).iter().any(|m| m.contains("change")),
            "{item}: {:?}",
            messages(&one_line)
        );
    }
    let text = "chess { board r3k2r/8/2p5/8/8/1B2P3/8/R3K2R h#2\n twin b: a1 to a2, cont remove e3\n}";
    let found = findings(text);
    let found: Vec<&Finding> = found.iter().filter(|f| f.code == Code::InvalidValue).collect();
    assert!(
        matches!(found[..], [one] if one.message.starts_with("a change is one of") && one.fixes.is_empty())
    );
}

#[test]
fn a_comma_that_is_missing_between_changes_is_one_finding() {
    for (changes, word, mended) in [
        ("remove a7 add white queen h1", "add", "remove a7, add white queen h1"),
        ("a5 to b5 exchange a7 c3 rotate 90", "exchange", "a5 to b5, exchange a7 c3 rotate 90"),
    ] {
        let text = format!("chess {{ board 8/R7/p7/k7/8/2K5/8/8 b\n h#2\n twin b: {changes}\n}}");
        let found = findings(&text);
        let found: Vec<&Finding> = found.iter().filter(|f| f.code == Code::InvalidValue).collect();
        assert_eq!(found.len(), 1, "{found:#?}");
        assert_eq!(&text[found[0].span.range()], word);
        let fixed: Vec<String> = found[0].fixes.iter().map(|fix| apply(&text, &fix.edits)).collect();
        assert_eq!(fixed, [text.replace(changes, mended)]);
    }
}

#[test]
fn twins_begin_with_the_letter_behind_the_diagram() {
    for (written, fixed) in [
        ("|h#2\ntwin a$: b3 to b4", &["|h#2\ntwin b: b3 to b4", "zeroposition |h#2\ntwin a: b3 to b4"][..]),
        (
            "|h#2\ntwin a$: b3 to b4\ntwin b: from a, h1 to h2",
            &[
                "|h#2\ntwin b: b3 to b4\ntwin c: from b, h1 to h2",
                "zeroposition |h#2\ntwin a: b3 to b4\ntwin b: from a, h1 to h2",
            ],
        ),
        ("zeroposition |h#2\ntwin b$: b3 to b4", &["zeroposition |h#2\ntwin a: b3 to b4"]),
        (
            "zeroposition |h#2\ntwin b$: b3 to b4\ntwin c: from b, h1 to h2",
            &["zeroposition |h#2\ntwin a: b3 to b4\ntwin b: from a, h1 to h2"],
        ),
        ("|h#2\ntwin b: b3 to b4", &[]),
        ("|h#2\ntwin c: b3 to b4", &[]),
        ("zeroposition |h#2\ntwin a: b3 to b4\ntwin b: h1 to h2", &[]),
    ] {
        let puzzle =
            |text: &str| format!("chess {{ {} }}", text.replacen('|', "board 8/8/8/8/8/1K6/8/k6Q\n", 1));
        let text = puzzle(&written.replacen('$', "", 1));
        let about = |text: &str| {
            findings(text).into_iter().filter(|f| f.message.contains("begin with")).collect::<Vec<_>>()
        };
        let found = about(&text);
        let places: Vec<usize> = found.iter().map(|f| f.span.range().end).collect();
        assert_eq!(places, Vec::from_iter(puzzle(written).find('$')), "{written}: {found:#?}");
        let fixes = found.iter().flat_map(|f| &f.fixes);
        assert!(fixes.clone().all(|fix| !fix.safe && !fix.title.is_empty()));
        let after: Vec<String> = fixes.map(|fix| apply(&text, &fix.edits)).collect();
        assert_eq!(after, fixed.iter().map(|text| puzzle(text)).collect::<Vec<_>>(), "{written}");
        assert!(after.iter().all(|text| about(text).is_empty()), "{after:?}");
    }
}

#[test]
fn a_move_of_a_twin_with_a_slip_has_a_fix_that_asks() {
    for written in [
        "b3 too b4",
        "move b3 to b4",
        "king b3 to b4",
        "king from b3 to b4",
        "move the white king on b3 to b4",
        "b3b4",
        "b3 ot b4",
        "move b3 too b4",
    ] {
        let text = format!("chess {{ board 8/8/8/8/8/1K6/8/k6Q\nh#1 => none\ntwin b: {written}\n}}\n");
        let (code, place, message) = only(&text);
        assert_eq!((code, place.as_str()), (Code::InvalidValue, written));
        assert_eq!(message, "cannot read this change; did you mean `b3 to b4`?");
        let fix = &findings(&text)[0].fixes[0];
        assert!(!fix.safe);
        assert_eq!(apply(&text, &fix.edits), text.replace(written, "b3 to b4"));
    }
    for (written, meant) in [
        ("b3 f2", &["b3 to f2", "exchange b3 f2"][..]),
        ("substitute queen with rook", &["substitute queen rook"]),
        ("exchange b3 and h1", &["exchange b3 h1"]),
        ("add a white bishop to f2", &["add white bishop f2"]),
        ("add bishop on f2", &["add white bishop f2", "add black bishop f2"]),
        ("remove the queen on h1", &["remove h1"]),
        ("without white queen h1", &["remove h1"]),
    ] {
        let text = format!("chess {{ board 8/8/8/8/8/1K6/8/k6Q\nh#1 => none\ntwin b: {written}\n}}\n");
        assert_eq!(only(&text).1, written);
        let found = &findings(&text)[0];
        let after: Vec<String> = found.fixes.iter().map(|fix| apply(&text, &fix.edits)).collect();
        assert_eq!(after, meant.iter().map(|meant| text.replace(written, meant)).collect::<Vec<_>>());
        assert!(found.fixes.iter().all(|fix| !fix.safe));
    }
    for other in ["king b3 fro h1", "b3 f9", "b3 too b9", "remove b3 to b4", "remove the queen"] {
        let text = format!("chess {{ board 8/8/8/8/8/1K6/8/k6Q\nh#2\ntwin b: {other}\n}}\n");
        assert!(!findings(&text).iter().any(|f| f.message.contains("did you mean")), "{other}");
    }
}

#[test]
fn cyrillic_letters_in_a_twin_are_named() {
    let text = |b: &str, c: &str| {
        format!("chess {{ board 8/8/8/8/8/1K6/8/k6Q b\n helpmate in 1 => none\n {b}\n {c}\n}}\n")
    };
    let before = text("twin b: h1 to е3", "twin с: remove h1, add white rook с6");
    let found = findings(&before);
    let messages: Vec<&str> = found.iter().map(|f| f.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "`е3` has Cyrillic letters; write `e3` with Latin ones",
            "these have Cyrillic letters; write Latin ones"
        ]
    );
    let edits: Vec<_> = found.iter().flat_map(|f| f.fixes[0].edits.clone()).collect();
    assert_eq!(apply(&before, &edits), text("twin b: h1 to e3", "twin c: remove h1, add white rook c6"));
}

/// What the puzzle says of en passant is true of a twin while the pawns of which it speaks stand, and the same side begins.
#[test]
fn a_twin_keeps_en_passant_while_its_men_stand() {
    let text = |twin: &str| {
        format!("chess {{ en-passant d6\n board 8/8/8/3pP3/8/8/8/k1K5\n x1 => exd6\n twin b: {twin}\n}}\n")
    };
    for right in [
        "c1 to d1 => exd6",
        "zd6 1 => exd6",
        "add black rook h8 => exd6",
        "d5 to d4 => none",
        "e5 to e4 => exd5",
        "mirror a1 h1 => none",
    ] {
        let found = findings(&text(right));
        assert!(found.is_empty(), "{right}: {found:#?}");
    }
}
