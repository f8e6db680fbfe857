//! Input that is wrong, huge or hostile. Each gives the contract's diagnostic, nothing crashes, and
//! one mistake never hides another one.

mod common;

use std::fs;
use std::io::Read;
use std::process::Stdio;
use std::time::Instant;

use common::{Finding, PATIENCE, check, command, findings, folder, run, run_with};

/// A mistake of its own: every file here holds it too, and it must be reported whatever else is.
const MISTAKE: &str = "solitaire \"independent\" { board R....N.......... solve }\n";

/// Checks a text with the independent mistake before it.
#[track_caller]
fn after_mistake(text: &str) -> Vec<Finding> {
    independent(&format!("{MISTAKE}{text}"))
}

/// Checks a text with the independent mistake behind it.
#[track_caller]
fn before_mistake(text: &str) -> Vec<Finding> {
    independent(&format!("{text}\n{MISTAKE}"))
}

#[track_caller]
fn independent(text: &str) -> Vec<Finding> {
    let mut found = check(&[("a.cpz", text)]);
    let at = found.iter().position(|f| f.code == "unsolvable" && f.puzzle == "independent");
    let shown: String = text.chars().take(300).collect();
    let at = at.unwrap_or_else(|| panic!("the other mistake is hidden in\n{shown}\n{found:?}"));
    found.remove(at);
    found
}

/// Runs a table of texts and the codes of which at least one must be found; lists all that fail.
#[track_caller]
fn table(rows: &[(&str, &[&str])]) {
    let mut wrong = Vec::new();
    for (text, expected) in rows {
        let outcome = std::panic::catch_unwind(|| {
            let before = before_mistake(text);
            let after = after_mistake(text);
            for found in [&before, &after] {
                let hit = found.iter().any(|f| expected.contains(&f.code.as_str()) || (expected == &["any"]));
                assert!(
                    hit != expected.is_empty() && (hit || found.is_empty()),
                    "expected one of {expected:?}, found {found:?}"
                );
            }
        });
        if let Err(cause) = outcome {
            let why = cause.downcast_ref::<String>().cloned().unwrap_or_else(|| "a failed assertion".into());
            wrong.push(format!("{}\n  {why}", common::head(text)));
        }
    }
    assert!(wrong.is_empty(), "{} of {} fail\n\n{}", wrong.len(), rows.len(), wrong.join("\n\n"));
}

#[test]
fn boards_and_queries_that_do_not_fit() {
    table(&[
        ("", &[]),
        ("// only a comment", &[]),
        ("solitaire { solve }", &["missing-board"]),
        ("chess { mate }", &["missing-board"]),
        ("solitaire { board ...N.....R....B. board NR.............. solve }", &["second-board"]),
        ("solitaire { board ...N.....R....B. mate }", &["wrong-query"]),
        ("chess { board 8/8/8/4k3/8/8/8/4K3 solve }", &["wrong-query"]),
        ("solitaire { board [] solve }", &["board-shape"]),
        ("solitaire { board \"\" solve }", &["board-shape"]),
        ("chess { board [] mate }", &["board-shape"]),
        ("solitaire { board ................ solve }", &["any"]),
        ("solitaire { board }", &["any"]),
        ("chess { board [[\"W\",\"K\",5,1],[\"B\",\"K\",5,1]] mate }", &["occupied-square"]),
        ("chess { board [[\"W\",\"K\",5,1],[\"W\",\"K\",5,3]] mate }", &["kings"]),
        ("draughts { board [[\"W\",\"K\",1,2],[\"B\",\"M\",3,3]] capture }", &["light-square"]),
        ("draughts { board [[\"W\",\"M\",2,8],[\"B\",\"M\",3,3]] capture }", &["impossible-position"]),
        ("chess { board 3Pk3/8/8/8/8/8/8/4K3 mate }", &["impossible-position"]),
    ]);
}

#[test]
fn tokens_that_never_end() {
    table(&[
        ("solitaire { board ...N.....R....B. solve } }", &["syntax"]),
        ("solitaire { board ...N.....R....B. note \"abc \n}", &["syntax"]),
        ("solitaire { board ...N.....R....B. note 'abc \n}", &["syntax"]),
        ("solitaire { board [[1,2,'B'] \n}", &["syntax"]),
        ("solitaire { board [[1,2,'B'], [0,1 \n}", &["syntax"]),
        ("solitaire { board ...N.....R....B. solve => [[[2,0],[1,1 \n}", &["syntax"]),
        ("chess { board 8/8/8/4k3/8/8/8/4K3 mate => none (never closed \n}", &["syntax"]),
        ("solitaire { board \"...N\n....\n}", &["syntax"]),
        ("] ] ] )", &["syntax"]),
        ("=> => =>", &["syntax"]),
        ("zzz", &["syntax", "unknown-keyword"]),
        ("\u{0}", &["any"]),
        ("solitaire { board ...N.....R....B. \u{0} solve }", &["any"]),
        ("solitaire { board [[3,3,'N'],[1,1,'R']] \u{7} }", &["any"]),
    ]);
    // Nothing can follow a puzzle that is never closed, so the mistake stands before these.
    for text in [
        "solitaire {",
        "solitaire { board [[[[[",
        "solitaire { board \"",
        "solitaire { board ...N.....R....B. note \"",
        "solitaire { board ...N.....R....B. solve => (",
        "solitaire { board ...N.....R....B. solve =>",
        "solitaire { board ...N.....R....B. solve",
        "solitaire \"",
        "solitaire",
        "tags [",
        "note",
        "\"",
        "'",
        "(",
        "[",
        "{",
    ] {
        let found = after_mistake(text);
        assert!(found.iter().any(|f| f.code == "syntax"), "{text}: {found:?}");
    }
}

#[test]
fn a_lone_carriage_return_ends_a_line() {
    let text = format!("// a comment\r{}", MISTAKE.trim_end());
    let found = check(&[("a.cpz", &text)]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].range.start.line, 1);
    let found = check(&[("a.cpz", "\r\r\r")]);
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn a_byte_order_mark_hides_nothing() {
    let found = check(&[("a.cpz", &format!("\u{feff}{MISTAKE}"))]);
    assert!(found.iter().any(|f| f.code == "unsolvable"), "{found:?}");
    let found = check(&[("a.cpz", &format!("\u{feff}// first\n{MISTAKE}"))]);
    assert!(found.iter().any(|f| f.code == "unsolvable"), "{found:?}");
}

#[test]
fn numbers_beyond_every_integer() {
    let long = "9".repeat(300);
    let rows: Vec<(String, &[&str])> = vec![
        (format!("solitaire {{ board [[{long},0,'R'],[0,0,'N']] }}"), &["off-board"]),
        (format!("solitaire {{ board [[-{long},0,'R'],[0,0,'N']] }}"), &["off-board"]),
        ("chess { board [[\"W\",\"K\",9223372036854775808,1]] mate }".into(), &["off-board"]),
        ("chess { board [[\"W\",\"K\",-9223372036854775809,1]] mate }".into(), &["off-board"]),
        ("chess { board [[\"W\",\"K\",18446744073709551617,1]] mate }".into(), &["off-board"]),
        ("chess { board [[\"W\",\"K\",4294967301,1]] mate }".into(), &["off-board"]),
        ("draughts { board [[\"W\",\"K\",-1,-1]] capture }".into(), &["off-board"]),
        ("chess3d { size 3 board [[\"W\",\"K\",1,1,-1]] mate }".into(), &["off-board"]),
        (format!("solitaire {{ board ...N.....R....B. count => {long} }}"), &["wrong-answer"]),
        ("solitaire { board ...N.....R....B. count => 18446744073709551617 }".into(), &["wrong-answer"]),
        (format!("solitaire {{ size {long} board [[0,0,'R']] }}"), &["any"]),
        ("solitaire { size 4294967300x4294967300 board [[0,0,'R']] }".into(), &["any"]),
        (format!("chess3d {{ size {long} board [[\"W\",\"K\",1,1,1]] }}"), &["any"]),
        (format!("solitaire {{ board [[{long},0],[0,0]] }}"), &["any"]),
        (format!("chess {{ board 8/8/8/{long}/8/8/8/4K3 mate }}"), &["any"]),
        (format!("solitaire {{ origin {long} board ...N.....R....B. }}"), &["any"]),
        (
            format!("solitaire {{ board ...N.....R....B. solve => [[[2,0],[1,1]],[[1,1],[{long},3]]] }}"),
            &["wrong-solution", "off-board"],
        ),
        (format!("solitaire {{ board [[{long},'R'],[0,0,'N']] }}"), &["off-board"]),
    ];
    let rows: Vec<(&str, &[&str])> = rows.iter().map(|(text, c)| (text.as_str(), *c)).collect();
    table(&rows);
}

#[test]
fn boards_of_too_many_cells_and_pieces() {
    let cells = ".".repeat(10_000);
    let rows = format!("{}\n", ".".repeat(100)).repeat(100);
    let numbers = "0,".repeat(10_000);
    let crowd: String = (0..40).map(|n| format!("[\"W\",\"N\",{},{}],", n % 8 + 1, n / 8 + 1)).collect();
    let repeated = "[\"W\",\"N\",1,1],".repeat(1000);
    let rows: Vec<(String, &[&str])> = vec![
        (format!("solitaire {{ board {cells} }}"), &["board-shape"]),
        (format!("solitaire {{ board \"{cells}\" }}"), &["board-shape"]),
        (format!("solitaire {{ board {rows} }}"), &["board-shape"]),
        (format!("solitaire {{ board [{numbers}] }}"), &["board-shape"]),
        (format!("chess {{ board {cells} }}"), &["board-shape"]),
        (format!("chess3d {{ board {cells} }}"), &["board-shape"]),
        (format!("draughts {{ board {cells} }}"), &["board-shape"]),
        (format!("chess {{ board [{crowd}] mate }}"), &["too-many-pieces"]),
        (format!("chess {{ board [{repeated}] mate }}"), &["occupied-square"]),
        (format!("chess {{ board {} mate }}", "8/".repeat(10_000)), &["any"]),
    ];
    let rows: Vec<(&str, &[&str])> = rows.iter().map(|(text, c)| (text.as_str(), *c)).collect();
    table(&rows);
}

#[test]
fn a_million_open_brackets() {
    let brackets = "[".repeat(1_000_000);
    let found = after_mistake(&format!("solitaire {{ board {brackets}"));
    assert!(found.iter().any(|f| f.code == "syntax"));
    let found = before_mistake(&format!("solitaire {{ board {brackets}\n}}"));
    assert!(found.iter().any(|f| f.code == "syntax"));
}

#[test]
fn a_million_brackets_open_and_closed() {
    let (open, close) = ("[".repeat(1_000_000), "]".repeat(1_000_000));
    let found = before_mistake(&format!("solitaire {{ board {open}{close} }}"));
    assert!(!found.is_empty());
    let found = before_mistake(&format!("solitaire {{ board ...N.....R....B. solve => {open}{close} }}"));
    assert!(!found.is_empty());
}

#[test]
fn deep_nesting_of_everything_else() {
    for text in [
        "(".repeat(200_000),
        "{".repeat(20_000),
        "}".repeat(20_000),
        "solitaire {".repeat(2_000),
        "\"".repeat(20_001),
        "=>".repeat(20_000),
        "board ".repeat(2_000),
        "solitaire { board ...N.....R....B. solve => none ".to_owned() + &"(".repeat(200_000),
    ] {
        let found = after_mistake(&text);
        assert!(!found.is_empty(), "{}", common::head(&text));
    }
}

#[test]
fn one_very_long_word_and_line() {
    let word = "x".repeat(1_000_000);
    let found = before_mistake(&format!("solitaire {{ note {word} board ...N.....R....B. }}"));
    assert!(found.is_empty(), "{found:?}");
    let found = before_mistake(&format!("// {word}"));
    assert!(found.is_empty(), "{found:?}");
    let found = before_mistake(&format!("solitaire \"{word}\" {{ board ...N.....R....B. }}"));
    assert!(found.is_empty(), "{found:?}");
    // Not of the ASCII, where a lexer may count otherwise.
    let word = "é😀".repeat(100_000);
    let found = before_mistake(&format!(
        "// {word}\nsolitaire \"{word}\" {{ board ...N.....R....B. note \"{word}\" }}"
    ));
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn a_file_of_twenty_megabytes() {
    let comment = "// A comment of forty characters or so.\n".repeat(400_000);
    let word = "y".repeat(4_000_000);
    let text = format!("{comment}// {word}\n");
    assert!(text.len() >= 20_000_000 - 4_000_000);
    let dir = folder(&[("a.cpz", &format!("{text}{MISTAKE}"))]);
    let run = run(dir.path(), &["check", "--format", "json", "a.cpz"]).exits(1);
    let found = findings(&run.json());
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].code, "unsolvable");
    assert_eq!(found[0].range.start.line, 400_001);
}

#[test]
fn a_file_of_many_puzzles() {
    let text: String =
        (0..5_000).map(|n| format!("solitaire \"{n}\" {{ tags [a b] size 4 note x }}\n")).collect();
    let found = after_mistake(&text);
    assert_eq!(found.len(), 5_000);
    assert!(found.iter().all(|f| f.code == "missing-board"));
}

#[test]
fn a_file_that_is_not_utf8() {
    let dir = folder(&[("b.cpz", MISTAKE)]);
    fs::write(dir.path().join("a.cpz"), b"// caf\xe9\nsolitaire { }\n").expect("a file");
    let run = run(dir.path(), &["check", "--format", "json", "a.cpz", "b.cpz"]).exits(2);
    assert!(run.stderr.contains("a.cpz"), "{}", run.stderr);
    assert!(run.stderr.trim_end().len() > "a.cpz: ".len(), "no reason");
    let found = findings(&run.json());
    assert!(found.iter().any(|f| f.path == "b.cpz" && f.code == "unsolvable"), "{found:?}");
    for args in [&["solve", "a.cpz"][..], &["fmt", "a.cpz"], &["convert", "--to", "text", "a.cpz"]] {
        let run = common::run(dir.path(), args).exits(2);
        assert!(run.stderr.contains("a.cpz"), "{args:?}: {}", run.stderr);
    }
    let kept = fs::read(dir.path().join("a.cpz")).expect("the file");
    assert_eq!(kept, b"// caf\xe9\nsolitaire { }\n", "it must be left alone");
}

#[test]
fn standard_input_that_is_not_utf8() {
    let dir = folder(&[]);
    let run = run_with(dir.path(), &["check", "-"], b"\xff\xfe\x00s").exits(2);
    assert!(run.stderr.contains("stdin"), "{}", run.stderr);
}

#[test]
fn an_empty_file_is_clean() {
    for text in ["", "\n", "   ", "\t\r\n\r\n", "\u{feff}"] {
        let found = check(&[("a.cpz", text)]);
        if text != "\u{feff}" {
            assert!(found.is_empty(), "{text:?}: {found:?}");
        }
    }
}

#[test]
fn an_empty_file_can_be_formatted_and_solved() {
    let dir = folder(&[("a.cpz", "")]);
    for args in [&["solve"][..], &["solve", "--write"], &["fmt"], &["convert", "--to", "text"]] {
        run(dir.path(), args).exits(0);
    }
}

#[test]
fn a_folder_that_is_named_like_a_file() {
    let dir = folder(&[("x.cpz/inner.cpz", MISTAKE)]);
    for args in [&["check", "--format", "json", "x.cpz"][..], &["check", "--format", "json"]] {
        let run = run(dir.path(), args).exits(1);
        let found = findings(&run.json());
        assert_eq!(found.len(), 1, "{args:?}: {found:?}");
        assert!(found[0].path.ends_with("x.cpz/inner.cpz"));
    }
}

#[cfg(unix)]
#[test]
fn a_file_without_permission() {
    use std::os::unix::fs::PermissionsExt;

    let good = "solitaire { board ...N.....R....B. solve }\n";
    let dir = folder(&[("a.cpz", good), ("b.cpz", MISTAKE)]);
    let path = dir.path().join("a.cpz");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).expect("permissions");
    let run = run(dir.path(), &["check", "--format", "json", "a.cpz", "b.cpz"]);
    // The superuser reads it all the same.
    if fs::read(&path).is_ok() {
        assert_eq!(run.code, Some(1), "{run:?}");
    } else {
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(run.stderr.contains("a.cpz"), "{}", run.stderr);
    }
    let found = findings(&run.json());
    assert!(found.iter().any(|f| f.path == "b.cpz"), "{found:?}");
}

#[test]
fn a_broken_pipe_ends_it_quietly() {
    // More output than a pipe holds, so that it is still writing when the reader goes.
    let text: String = (0..5_000).map(|n| format!("solitaire \"{n}\" {{ note \"some text\" }}\n")).collect();
    let dir = folder(&[("a.cpz", &text)]);
    for args in [
        &["check", "a.cpz"][..],
        &["check", "--format", "json", "a.cpz"],
        &["check", "--format", "github", "a.cpz"],
        &["check", "--format", "sarif", "a.cpz"],
        &["solve", "--format", "json", "a.cpz"],
        &["fmt", "--diff", "a.cpz"],
        &["explain", "--list"],
        &["completions", "bash"],
    ] {
        let mut child = command(dir.path(), args)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        drop(child.stdout.take());
        let mut stderr = child.stderr.take().expect("piped");
        let reader = std::thread::spawn(move || {
            let mut text = Vec::new();
            let _ = stderr.read_to_end(&mut text);
            String::from_utf8_lossy(&text).into_owned()
        });
        let start = Instant::now();
        while child.try_wait().expect("the child").is_none() {
            if start.elapsed() > PATIENCE {
                child.kill().expect("the child can be ended");
                panic!("cpz {args:?} does not end when nobody reads");
            }
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        let said = reader.join().expect("standard error");
        assert!(!said.contains("panicked"), "cpz {args:?}: {said}");
    }
}

#[test]
fn no_command_writes_a_file_that_it_cannot_parse_into_something_else() {
    let text = "solitaire { board [[3,3,'N' solve } \" ( \u{0} }\n";
    let dir = folder(&[("a.cpz", text)]);
    for args in [&["fmt"][..], &["solve", "--write", "--all"], &["convert", "--to", "text"]] {
        run(dir.path(), args);
        let now = common::read(dir.path(), "a.cpz");
        assert_eq!(common::dense(&now), common::dense(text), "{args:?}");
    }
}

#[test]
fn a_label_of_a_board_is_one_mistake_and_its_removal_a_repair() {
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
fn what_others_call_the_same_is_repaired() {
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
        ("chess { KINGS move Ta5 }", "chess { KINGS move Ra5 }"),
        ("chess { KINGS move Крf2 => legal }", "chess { KINGS move Kf2 => legal }"),
        ("chess { board [['W','P',5,7]] move e8=D }", "chess { board [['W','P',5,7]] move e8=Q }"),
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
        // Answers as they are shown.
        (
            "solitaire { board ...N.....R....B. solve => c1xb2 b2xd4 }",
            "solitaire { board ...N.....R....B. solve => [[c1, b2], [b2, d4]] }",
        ),
        (
            "solitaire { board ...N.....R....B. solve => c1xb2, b2xd4 (so) }",
            "solitaire { board ...N.....R....B. solve => [[c1, b2], [b2, d4]] (so) }",
        ),
        (
            "solitaire { board ...N.....R....B. solve => [c1xb2, b2xd4] }",
            "solitaire { board ...N.....R....B. solve => [[c1, b2], [b2, d4]] }",
        ),
        (
            "solitaire { board ...N.....R....B. solve => 'c1xb2 b2xd4' }",
            "solitaire { board ...N.....R....B. solve => [[c1, b2], [b2, d4]] }",
        ),
        (
            "draughts { board 'W:WKa1:Bc3,e5' capture => a1:d4:h8 }",
            "draughts { board 'W:WKa1:Bc3,e5' capture => [a1, d4, h8] }",
        ),
        (
            "draughts { board 'W:WKa1:Bc3' capture => a1:d4 }",
            "draughts { board 'W:WKa1:Bc3' capture => [[a1, d4]] }",
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
fn nothing_is_answered_by_a_guess() {
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
        let beyond = |f: &&Finding| !["syntax", "second-board"].contains(&f.code.as_str());
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
fn what_a_person_wrote_is_not_taken_away_unasked() {
    // An allow that is mended would silence what was never seen.
    let text = "allow lightsquare\nallow [False]\ndraughts { board [['W','K',1,1],['B','M',3,4]] capture }\n";
    let w = folder(&[("a.cpz", text)]);
    run(w.path(), &["check", "--fix"]).exits(1);
    assert_eq!(fs::read_to_string(w.path().join("a.cpz")).expect("a file"), text);
    // An answer that is not written is told of.
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
fn what_is_legal_beside_these_slips_is_read() {
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
        let unread = |f: &Finding| f.code == "syntax" && f.message.starts_with("`origin`");
        assert!(found.iter().all(unread), "{text}\n{found:?}");
    }
    // Nor is it judged by a guess.
    for text in [
        "solitaire { size 6c6 board [[5,5,R],[4,4,B]] solve }",
        "solitaire { size 3c4 board ....N.....R. solve }",
        "chess { origin x board 4k3/8/8/8/8/8/8/4K2R move ['W','R',0,2] }",
        "solitaire {\n side 5 board [[0,0,R],[4,4,N]] count }",
    ] {
        let found = check(&[("a.cpz", text)]);
        let before = text.find("side").is_some();
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
fn what_is_odd_in_a_cube_is_told_by_its_level() {
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
