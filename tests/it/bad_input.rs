//! Input that is wrong, huge or hostile. Each gives the contract's diagnostic, nothing crashes, and
//! one mistake never hides another one.

use std::fs;
use std::io::Read;
use std::process::Stdio;

use crate::harness::{
    Finding, MISTAKE, before_mistake, check, command, findings, folder, independent, run, run_with,
    wait_for_end,
};

/// Checks a text with the independent mistake before it.
#[track_caller]
fn after_mistake(text: &str) -> Vec<Finding> {
    independent(&format!("{MISTAKE}{text}"))
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
            wrong.push(format!("{}\n  {why}", crate::harness::head(text)));
        }
    }
    assert!(wrong.is_empty(), "{} of {} fail\n\n{}", wrong.len(), rows.len(), wrong.join("\n\n"));
}

#[test]
fn unfit_boards_and_queries_are_reported() {
    table(&[
        ("", &[]),
        ("// only a comment", &[]),
        ("solitaire { solve }", &["missing-board"]),
        ("chess { mate }", &["missing-board"]),
        ("solitaire { board ...N.....R....B. board NR.............. solve }", &["second-board"]),
        ("solitaire { board ...N.....R....B. mate }", &["not-for-this-game"]),
        ("chess { board 8/8/8/4k3/8/8/8/4K3 solve }", &["not-for-this-game"]),
        ("solitaire { board [] solve }", &["board-shape"]),
        ("solitaire { board \"\" solve }", &["board-shape"]),
        ("chess { board [] mate }", &["board-shape"]),
        ("solitaire { board ................ solve }", &["any"]),
        ("solitaire { board }", &["any"]),
        ("chess { board [[\"W\",\"K\",5,1],[\"B\",\"K\",5,1]] mate }", &["occupied-square"]),
        ("chess { board [[\"W\",\"K\",5,1],[\"W\",\"K\",5,3]] mate }", &["too-many-kings"]),
        ("draughts { board [[\"W\",\"K\",1,2],[\"B\",\"M\",3,3]] capture }", &["light-square"]),
        ("draughts { board [[\"W\",\"M\",2,8],[\"B\",\"M\",3,3]] capture }", &["impossible-position"]),
        ("chess { board 3Pk3/8/8/8/8/8/8/4K3 mate }", &["impossible-position"]),
    ]);
}

#[test]
fn unclosed_tokens_are_reported() {
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
fn byte_order_mark_hides_no_finding() {
    let found = check(&[("a.cpz", &format!("\u{feff}{MISTAKE}"))]);
    assert!(found.iter().any(|f| f.code == "unsolvable"), "{found:?}");
    let found = check(&[("a.cpz", &format!("\u{feff}// first\n{MISTAKE}"))]);
    assert!(found.iter().any(|f| f.code == "unsolvable"), "{found:?}");
}

#[test]
fn numbers_too_large_for_integers_are_reported() {
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
fn boards_with_too_many_cells_or_pieces_are_reported() {
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
fn million_open_brackets_do_not_overflow_the_stack() {
    let brackets = "[".repeat(1_000_000);
    let found = after_mistake(&format!("solitaire {{ board {brackets}"));
    assert!(found.iter().any(|f| f.code == "syntax"));
    let found = before_mistake(&format!("solitaire {{ board {brackets}\n}}"));
    assert!(found.iter().any(|f| f.code == "syntax"));
}

#[test]
fn million_closed_brackets_do_not_overflow_the_stack() {
    let (open, close) = ("[".repeat(1_000_000), "]".repeat(1_000_000));
    let found = before_mistake(&format!("solitaire {{ board {open}{close} }}"));
    assert!(!found.is_empty());
    let found = before_mistake(&format!("solitaire {{ board ...N.....R....B. solve => {open}{close} }}"));
    assert!(!found.is_empty());
}

#[test]
fn deep_nesting_of_other_constructs_is_reported() {
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
        assert!(!found.is_empty(), "{}", crate::harness::head(&text));
    }
}

#[test]
fn very_long_words_and_lines_are_checked() {
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
fn file_of_twenty_megabytes_is_checked() {
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
fn file_of_many_puzzles_is_checked() {
    let text: String =
        (0..5_000).map(|n| format!("solitaire \"{n}\" {{ tags [a b] size 4 note x }}\n")).collect();
    let found = after_mistake(&text);
    assert_eq!(found.len(), 5_000);
    assert!(found.iter().all(|f| f.code == "missing-board"));
}

#[test]
fn file_that_is_not_utf8_is_reported() {
    let dir = folder(&[("b.cpz", MISTAKE)]);
    fs::write(dir.path().join("a.cpz"), b"// caf\xe9\nsolitaire { }\n").expect("a file");
    let run = run(dir.path(), &["check", "--format", "json", "a.cpz", "b.cpz"]).exits(2);
    assert!(run.stderr.contains("a.cpz"), "{}", run.stderr);
    assert!(run.stderr.trim_end().len() > "a.cpz: ".len(), "no reason");
    let found = findings(&run.json());
    assert!(found.iter().any(|f| f.path == "b.cpz" && f.code == "unsolvable"), "{found:?}");
    for args in [&["solve", "a.cpz"][..], &["fmt", "a.cpz"], &["convert", "--to", "text", "a.cpz"]] {
        let run = crate::harness::run(dir.path(), args).exits(2);
        assert!(run.stderr.contains("a.cpz"), "{args:?}: {}", run.stderr);
    }
    let kept = fs::read(dir.path().join("a.cpz")).expect("the file");
    assert_eq!(kept, b"// caf\xe9\nsolitaire { }\n", "it must be left alone");
}

#[test]
fn standard_input_that_is_not_utf8_is_reported() {
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
fn folder_named_like_a_puzzle_file_is_walked() {
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
fn unreadable_file_is_reported() {
    use std::os::unix::fs::PermissionsExt;

    let good = "solitaire { board ...N.....R....B. solve }\n";
    let dir = folder(&[("a.cpz", good), ("b.cpz", MISTAKE)]);
    let path = dir.path().join("a.cpz");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).expect("permissions");
    let run = run(dir.path(), &["check", "--format", "json", "a.cpz", "b.cpz"]);
    // Root can read the file in spite of its mode.
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
fn broken_pipe_ends_the_program_without_a_message() {
    // More output than a pipe holds, so that it is still writing when the reader goes.
    let text = |note: &str| -> String {
        let puzzle = |n| format!("solitaire \"{n}\" {{ note \"{note}\"  board N..R  solve }}\n");
        (0..2_000).map(puzzle).collect()
    };
    let dir = folder(&[("a.cpz", &text("some text")), ("b.cpz", &text("other text"))]);
    for args in [
        &["check", "a.cpz"][..],
        &["check", "--format", "json", "a.cpz"],
        &["check", "--format", "github", "a.cpz"],
        &["check", "--format", "sarif", "a.cpz"],
        &["solve", "--format", "json", "a.cpz"],
        &["fmt", "--diff", "a.cpz"],
        &["convert", "--to", "list", "--diff", "a.cpz"],
        &["diff", "--max", "0", "a.cpz", "b.cpz"],
        &["hint", "a.cpz"],
        &["rate", "a.cpz"],
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
        let code = wait_for_end(&mut child, &args).code();
        let said = reader.join().expect("standard error");
        assert!(!said.contains("panicked"), "cpz {args:?}: {said}");
        assert_eq!(
            code,
            run(dir.path(), args).code,
            "cpz {args:?}: the code of a run that is read to its end"
        );
    }
}

#[test]
fn commands_do_not_damage_unparsable_files() {
    let text = "solitaire { board [[3,3,'N' solve } \" ( \u{0} }\n";
    let dir = folder(&[("a.cpz", text)]);
    for args in [&["fmt"][..], &["solve", "--write", "--all"], &["convert", "--to", "text"]] {
        run(dir.path(), args);
        let now = crate::harness::read(dir.path(), "a.cpz");
        assert_eq!(crate::harness::dense(&now), crate::harness::dense(text), "{args:?}");
    }
}

#[test]
fn queries_of_other_games_end_no_command() {
    const BOARDS: [&str; 4] = [
        "solitaire { board B.N",
        "chess { board 8/8/5n2/1N1Rrk2/8/3K1B2/8/8",
        "chess3d { board [###,###,###],[#k#,###,#K#],[###,###,###]",
        "draughts { board W:WKa1:Bc3",
    ];
    const QUERIES: [&str; 18] = [
        "solve",
        "count",
        "mate",
        "capture",
        "move Ra1",
        "line => \"1. Ra1\"",
        "win",
        "draw => \"1. Ra1\"",
        "#1 => b1",
        "mate in 2",
        "s#2",
        "r#2",
        "h#1.5 *",
        "ser-h#2",
        "=2",
        "set-play",
        "duplex",
        "twin b: a1 to b1",
    ];
    let puzzles =
        BOARDS.iter().flat_map(|board| QUERIES.iter().map(move |query| format!("{board} {query} }}\n")));
    let odd = "chess3d { board ['' ''] ['' ',' ',['] }\nchess3d { board [''''][''','',[ }\n".to_string();
    let text: String = puzzles.chain([odd]).collect();
    let dir = folder(&[("a.cpz", &text)]);
    const FORMATS: [&str; 11] =
        ["json", "jsonl", "csv", "fen", "epd", "pgn", "pdn", "popeye", "olv", "markdown", "anki"];
    let exports =
        FORMATS.iter().map(|format| vec!["export", "--force", "--solve", "-o", "out", "--to", format]);
    let others = [
        "check",
        "solve --tree",
        "repair",
        "hint",
        "rate",
        "stats",
        "print -o p.html --force",
        "draw -o d --force",
        "fmt --check",
        "solve --format json",
    ];
    for mut args in exports.chain(others.iter().map(|line| line.split(' ').collect())) {
        args.extend(["a.cpz"]);
        let run = run(dir.path(), &args);
        assert!(!run.stderr.contains("panicked"), "cpz {args:?}: {}", run.stderr);
    }
}
