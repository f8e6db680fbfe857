//! Slips in a few words: each is one finding with a fix; similar legal text is accepted.

use std::fs;

use crate::harness::{Finding, before_mistake, check, folder, run};

#[test]
fn board_label_is_one_finding_with_a_removal_fix() {
    let board = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
    for (game, board, query, repaired) in [
        ("chess", format!("board fen {board}"), "move Ra8 => legal", format!("board {board}")),
        ("chess", format!("board FEN \"{board}\""), "move Ra8", format!("board \"{board}\"")),
        (
            "chess",
            format!("board fen // a comment\n {board}"),
            "mate",
            format!("board // a comment\n {board}"),
        ),
        ("chess", format!("fen {board}"), "mate", format!("board {board}")),
        ("chess", format!("Position \"{board}\""), "mate", format!("board \"{board}\"")),
        ("draughts", "board pdn W:WKa1:Bc3,e5".into(), "capture", "board W:WKa1:Bc3,e5".into()),
        ("draughts", "board pdn \"W:WKa1:Bb2\"".into(), "capture", "board \"W:WKa1:Bb2\"".into()),
        ("draughts", "pdn W:WKa1:Bb2".into(), "capture", "board W:WKa1:Bb2".into()),
        ("solitaire", "board Text .... .N.. .R.. ...B".into(), "count", "board .... .N.. .R.. ...B".into()),
        ("solitaire", "board text\n '.NR.'".into(), "count", "board '.NR.'".into()),
        ("solitaire", "board list[N,R,.,.]".into(), "count", "board [N,R,.,.]".into()),
        (
            "chess3d",
            "board lists [###,n##,#rr],[#b#,###,###],[###,###,bRK]".into(),
            "mate",
            "board [###,n##,#rr],[#b#,###,###],[###,###,bRK]".into(),
        ),
        (
            "draughts",
            "board coordinates [[11,'K'], [22,'m']]".into(),
            "capture",
            "board [[11,'K'], [22,'m']]".into(),
        ),
    ] {
        let text = |board: &str| format!("{game} {{\n  {board}\n  {query}\n}}\n");
        let found = before_mistake(&text(&board));
        assert_eq!(found.len(), 1, "{board}\n{found:?}");
        assert!(["syntax", "unknown-keyword"].contains(&found[0].code.as_str()), "{board}\n{found:?}");
        let (new, rest) = cpz_fixed(&text(&board));
        assert_eq!((new, rest), (text(&repaired), 0), "{board}");
    }
}

#[test]
fn names_of_other_languages_and_programs_are_fixed() {
    const KINGS: &str = "board [['W','K',5,1], ['B','K',5,8], ['W','R',1,1]]";
    for (before, after) in [
        // Letters of pieces, in German and Russian.
        (
            "chess { board [['W','K',5,1],['B','T',8,1]] mate }",
            "chess { board [['W','K',5,1],['B','R',8,1]] mate }",
        ),
        ("chess { board [[5,1,'K'],[8,1,'t']] mate }", "chess { board [[5,1,'K'],[8,1,'r']] mate }"),
        (
            "chess3d { size 2 board [['W','K',1,1,1],['B','Ф',2,2,2]] mate }",
            "chess3d { size 2 board [['W','K',1,1,1],['B','Q',2,2,2]] mate }",
        ),
        ("solitaire { board .... .S.. ...R .... count }", "solitaire { board .... .N.. ...R .... count }"),
        // Answers.
        ("chess { KINGS move Ra5 => Yes }", "chess { KINGS move Ra5 => legal }"),
        ("chess { KINGS move Rb5 => no }", "chess { KINGS move Rb5 => illegal }"),
        ("chess { KINGS mate => no }", "chess { KINGS mate => false }"),
        (
            "solitaire { board Q......N........ solve => unsolvable }",
            "solitaire { board Q......N........ solve => none }",
        ),
        (
            "draughts { board [[11,'K'], [88,'m']] capture => impossible }",
            "draughts { board [[11,'K'], [88,'m']] capture => none }",
        ),
        // Keywords.
        ("chess { KINGS checkmate => false }", "chess { KINGS mate => false }"),
        (
            "solitaire { board Q......N........ solution => none }",
            "solitaire { board Q......N........ solve => none }",
        ),
        (
            "solitaire { comment 'first' board .... .N.. ..R. .... count }",
            "solitaire { note 'first' board .... .N.. ..R. .... count }",
        ),
        // Boards.
        ("chess { board [4k3/8/8/8/8/8/8/4K2R w] mate }", "chess { board 4k3/8/8/8/8/8/8/4K2R w mate }"),
        ("chess { board 4k3/8/8/8/8/8/8/4К2R mate }", "chess { board 4k3/8/8/8/8/8/8/4K2R mate }"),
        ("chess { board 4k3/8/8/8/8/8/8/4K2В mate }", "chess { board 4k3/8/8/8/8/8/8/4K2B mate }"),
        ("chess { board 4k3/8/8/8/8/8/8/4K2T mate }", "chess { board 4k3/8/8/8/8/8/8/4K2R mate }"),
        ("draughts { board 'W:WKa1:Bс3' capture }", "draughts { board 'W:WKa1:Bc3' capture }"),
        (
            "solitaire { board [0005,0000,0300,0040] count }",
            "solitaire { board [\"0005\",\"0000\",\"0300\",\"0040\"] count }",
        ),
        ("chess3d { board [10,00],[00,03] mate }", "chess3d { board [\"10\",\"00\"],[\"00\",\"03\"] mate }"),
        ("solitaire { board “...N.....R....B.” solve }", "solitaire { board \"...N.....R....B.\" solve }"),
        ("draughts { board „W:WKa1:Bc3,e5“ capture }", "draughts { board \"W:WKa1:Bc3,e5\" capture }"),
        (
            "solitaire { size 3x3 board\n...\n.N.\n.R.\n...\n count }",
            "solitaire { size 3x4 board\n...\n.N.\n.R.\n...\n count }",
        ),
        // A comment without its space.
        ("solitaire { board '.NR.'//easy\n count }", "solitaire { board '.NR.' //easy\n count }"),
    ] {
        let text = |text: &str| text.replace("KINGS", KINGS);
        let found = before_mistake(&text(before));
        assert_eq!(found.len(), 1, "{before}\n{found:?}");
        assert_eq!(cpz_fixed(&text(before)), (text(after), 0), "{before}");
    }
}

#[test]
fn ambiguous_slips_are_not_answered() {
    use cpz::analysis::{Options, Outcome, analyse};
    use cpz::syntax::parse;
    for text in [
        "chess { turn balck board 3R2k1/5ppp/8/8/8/8/8/6K1 mate => none move Ra8 }",
        "chess { turn board 3R2k1/5ppp/8/8/8/8/8/6K1 mate }",
        "turn schwarz chess { board [['W','K',5,1],['B','K',5,8]] mate }",
        "solitaire { rules rangr board P....R..R.R..R.. solve count => 7 unique }",
        "rules rangr solitaire { board P....R..R.R..R.. solve => none }",
        "solitaire { origin 2 board [[0,0,'R'],[4,4,'N']] solve }",
        "origin one draughts { board [['W','K',1,1],['B','M',3,3]] capture => none }",
        "solitaire { size big board RN.. solve }",
        "size big solitaire { board RN.. count }",
        "solitaire { board '.NR.' board 'N..R' solve }",
    ] {
        let found = check(&[("a.cpz", text)]);
        let beyond = |f: &&Finding| !["syntax", "invalid-value", "second-board"].contains(&f.code.as_str());
        assert!(!found.is_empty() && !found.iter().any(|f| beyond(&f)), "{text}\n{found:?}");
        let report = analyse(&parse(text), &Options { answers: true, ..Options::default() });
        let queries: Vec<_> = report.puzzles.iter().flat_map(|p| &p.queries).collect();
        assert!(
            !queries.is_empty() && queries.iter().all(|q| matches!(q.outcome, Outcome::Error(_))),
            "{text}"
        );
    }
    // What does not depend on it is answered.
    for (text, code) in [
        ("chess { turn balck board [['W','K',5,1],['B','K',5,8]] move ['W','K',5,3] }", "illegal-move"),
        ("turn schwarz chess { board 4k3/8/8/8/8/8/8/4K3 w mate => check }", "wrong-answer"),
        ("rules rangr chess { board 4k3/8/8/8/8/8/8/4K3 w mate => check }", "wrong-answer"),
        ("rules rangr solitaire { rules solo board Q......N........ solve }", "unsolvable"),
        ("size big solitaire { board R..\n...\n..N\n solve }", "unsolvable"),
    ] {
        let found = check(&[("a.cpz", text)]);
        assert!(found.iter().any(|f| f.code == code), "{text}\n{found:?}");
    }
}

#[test]
fn fix_and_write_remove_no_written_text() {
    // An allow that is mended would silence what was never seen.
    let text = "allow lightsquare\nallow [False]\ndraughts { board [['W','K',1,1],['B','M',3,4]] capture }\n";
    let w = folder(&[("a.cpz", text)]);
    run(w.path(), &["check", "--fix"]).exits(1);
    assert_eq!(fs::read_to_string(w.path().join("a.cpz")).expect("a file"), text);
    // An answer that is not written is reported.
    let text = "chess { board [[K,e1],[R,h1]] move Rh2 x }\n";
    let w = folder(&[("a.cpz", text)]);
    let done = run(w.path(), &["solve", "--write"]).exits(0);
    assert!(
        done.stderr.contains("a.cpz: 1 answer not written: its puzzle has syntax errors"),
        "{}",
        done.stderr
    );
    assert_eq!(fs::read_to_string(w.path().join("a.cpz")).expect("a file"), text);
}

#[test]
fn legal_text_similar_to_slips_is_accepted() {
    for text in [
        // A letter or none before a whole square.
        "chess { board [['W','R',1,1],['W','K',5,1],['B','K',5,8]] move a1-a7 => legal move Pa1-a7 => illegal }",
        "chess { board [['W','P',1,2],['W','K',5,1],['B','K',5,8]] move a2-a4 => legal move Pa2a4 => legal }",
        // Cells that look like the marks of a notation.
        "chess { board ['k///////','////////','////////','////////','////////','////////','////////','K//////R'] mate }",
        "draughts { board [':b:b:b:b','b:b:b:b:',':b:b:b:b','::::::::','::::::::','w:w:w:w:',':w:w:w:w','w:w:w:w:'] capture }",
        "solitaire { board ’N’’ ’R’’ ’’’’ ’’’’ count }",
        // Numbers with a nought before them.
        "solitaire { board [[00,04],[03,00]] count }",
        // What is unread and does not matter.
        "chess { origin one board 4k3/8/8/8/8/8/8/4K2R mate => none move Ke2 => legal }",
    ] {
        let found = check(&[("a.cpz", text)]);
        let unread = |f: &Finding| f.code == "invalid-value" && f.message.starts_with("`origin`");
        assert!(found.iter().all(unread), "{text}\n{found:?}");
    }
    // Nor is it judged by a guess.
    for text in [
        "solitaire { size 6c6 board [[5,5,R],[4,4,B]] solve }",
        "solitaire { size 3c4 board ....N.....R. solve }",
        "chess { origin x board 4k3/8/8/8/8/8/8/4K2R move ['W','R',0,2] }",
        "solitaire {\n sise 5 board [[0,0,R],[4,4,N]] count }",
    ] {
        let found = check(&[("a.cpz", text)]);
        let before = text.find("sise").is_some();
        assert!(found.len() == 1 || before, "{text}\n{found:?}");
        assert!(!before || found[0].message.contains("`size`"), "{text}\n{found:?}");
    }
    // Neither reading of the Russian knight is taken unasked.
    for text in [
        "chess { board rкbqkbкr/8/8/8/8/8/8/RNBQKBNR mate }\n",
        "solitaire { board Л... .К.. .... ...С count }\n",
    ] {
        let w = folder(&[("a.cpz", text)]);
        run(w.path(), &["check", "--fix"]).exits(1);
        assert_eq!(fs::read_to_string(w.path().join("a.cpz")).expect("a file"), text);
    }
    // Behind what is not yet `board` no string runs over lines.
    let text = "solitaire {\n fen “....\n.N..\n..R.\n....”\n count\n}\n";
    let w = folder(&[("a.cpz", text)]);
    run(w.path(), &["check", "--fix"]).exits(1);
    assert_eq!(fs::read_to_string(w.path().join("a.cpz")).expect("a file"), text);
}

#[test]
fn a_row_one_cell_short_gets_an_empty_cell_at_either_end() {
    use cpz::analysis::{Defaults, Options, analyse};
    use cpz::syntax::parse;
    let [end, start] =
        ["end", "beginning"].map(|at| format!("add an empty cell at the {at} of the row (if it is a slip)"));
    for (game, before, row, after, fixed) in [
        (
            "chess",
            "k......./.......K/......../......../",
            "..B.P..",
            "/......../......../........",
            ["..B.P...", "...B.P.."],
        ),
        (
            "chess",
            "k......./.......K/......../......../",
            ".......",
            "/......../......../........",
            ["........", "........"],
        ),
        (
            "chess",
            "k-------/-------K/--------/--------/",
            "--B-P--",
            "/--------/--------/--------",
            ["--B-P---", "---B-P--"],
        ),
        (
            "chess",
            "......../......../......../......../",
            "rnbqkbn",
            "/......../......../.......K",
            ["rnbqkbn.", ".rnbqkbn"],
        ),
        ("solitaire", ". . . N/", ". R .", "/. . . ./. B . .", [". R . .", ". . R ."]),
        ("chess3d", "k##/###/###/###/", "##", "/###/###/###/##K", ["###", "###"]),
    ] {
        let text = |row: &str| {
            let board = format!("{before}{row}{after}").replace('/', "\n    ");
            format!(
                "{game} {{\n  board\n    {board}\n  {}\n}}\n",
                if game == "solitaire" { "count" } else { "mate" }
            )
        };
        let short = text(row);
        let report = analyse(&parse(&short), &Options::default());
        let found: Vec<_> = report.findings().into_iter().map(|(finding, _)| finding).collect();
        let [finding] = found[..] else { panic!("{short}{found:?}") };
        assert_eq!(finding.code.name(), "board-shape", "{short}");
        let fixes = cpz::ide::slip_fixes(&short, Defaults::default(), finding);
        let offered: Vec<(String, String)> =
            fixes.iter().map(|fix| (fix.title.clone(), cpz::ide::apply(&short, &fix.edits))).collect();
        // Where both give the same board, the end is enough.
        let mut wanted = vec![(end.clone(), text(fixed[0]))];
        wanted.extend((fixed[0] != fixed[1]).then(|| (start.clone(), text(fixed[1]))));
        assert_eq!(offered[..wanted.len()], wanted, "{short}");
        assert!(
            offered.iter().skip(wanted.len()).all(|(title, _)| !title.contains("empty cell")),
            "{offered:?}"
        );
        assert!(fixes.iter().all(|fix| !fix.safe), "only the author chooses between guesses");
    }
    // Two cells are missing: nothing says where.
    let text = "solitaire {\n  board\n    ...N\n    .R\n    ....\n    ..B.\n  count\n}\n";
    let report = analyse(&parse(text), &Options::default());
    for (finding, _) in report.findings() {
        let fixes = cpz::ide::slip_fixes(text, Defaults::default(), finding);
        assert!(fixes.iter().all(|fix| !fix.title.contains("empty cell")), "{fixes:?}");
    }
}

#[test]
fn cube_findings_name_the_level() {
    let message = |board: &str| {
        let found = before_mistake(&format!("chess3d {{ board {board} mate }}"));
        assert_eq!(found.len(), 1, "{board}\n{found:?}");
        assert_eq!(found[0].code, "board-shape");
        (found[0].message.clone(), found[0].range)
    };
    for (board, said, at) in [
        (
            "[k##,###,###],[###,##,###],[###,###,##R]",
            "row 2 of level 2 has 2 cells, the others have 3",
            (35, 37),
        ),
        ("[k##,###,###],[###,###],[###,###,##R]", "level 2 has 2 rows, the others have 3", (31, 38)),
        ("[k##,###,###],[###,###,###,###],[###,###,##R]", "level 2 has 4 rows, the others have 3", (31, 46)),
        ("\nk##\n###\n###\n###\n##\n###\n###\n###\n##R\n", "row 5 has 2 cells, the others have 3", (0, 2)),
    ] {
        let (message, range) = message(board);
        assert_eq!((message.as_str(), (range.start.character, range.end.character)), (said, at), "{board}");
    }
}

/// The text with the first fix of its first finding made, and how many findings are left.
fn cpz_fixed(text: &str) -> (String, usize) {
    use cpz::analysis::{Options, analyse};
    use cpz::syntax::parse;
    let findings = |text: &str| {
        let report = analyse(&parse(text), &Options::default());
        report.findings().into_iter().map(|(f, _)| f.clone()).collect::<Vec<_>>()
    };
    let new = cpz::ide::apply(text, &findings(text)[0].fixes[0].edits);
    let rest = findings(&new).len();
    (new, rest)
}

#[test]
fn fewer_edits_are_tried_in_a_long_text() {
    use cpz::analysis::{Defaults, Options, analyse};
    // The edits of the note come before the word that is missing.
    for (length, is_offered) in [(80, true), (5_000, false)] {
        let note = "a".repeat(length);
        let text =
            format!("chess {{\n  note \"{note}\"\n  Rh8 => legal\n  board 4k3/8/8/8/8/8/8/4K2R w\n}}\n");
        let report = analyse(&cpz::syntax::parse(&text[..]), &Options::default());
        let found: Vec<_> = report.findings().into_iter().map(|(finding, _)| finding).collect();
        let [finding] = found[..] else { panic!("{text}{found:?}") };
        let fixes = cpz::ide::slip_fixes(&text, Defaults::default(), finding);
        let is_word = fixes.iter().any(|fix| fix.title.starts_with("insert `move`"));
        assert_eq!(is_word, is_offered, "{length} letters: {fixes:?}");
    }
}
