//! `cpz convert`.

use super::*;

/// All games, and sides and sizes that a format may not hold by itself.
const BOARDS: &str = r#"// kept
solitaire "square" { board ...N.....R....B. solve count }
solitaire "wide" { size 3x2 board R.B.N. solve }
solitaire "tall" {
  board // kept too
    R.
    ..
    N.
  count
}
chess "white" { board [["B","K",5,5], ["W","K",5,1], ["W","R",8,1]] mate move ["W","R",8,2] }
chess "black" { board R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1 mate move g8f8 => illegal }
chess3d "cube" { board [###,n##,#rr],[#b#,###,###],[###,###,bRK] mate }
chess3d "small" { size 2 board [["W","K",1,1,1], ["B","R",1,1,2]] mate }
draughts "white to move" { board [["W","K",1,1], ["B","M",3,3], ["B","M",5,5]] capture }
draughts "black to move" { board "B:WKc3:Bb2,h8" capture }
"#;

fn convert(dir: &Path, to: &str) -> String {
    run(dir, &["convert", "--to", to, "a.cpz"]).exits(0);
    read(dir, "a.cpz")
}

#[test]
fn through_all_formats_and_back_the_position_stays() {
    let dir = folder(&[("a.cpz", BOARDS)]);
    let before = solve(BOARDS);
    assert_eq!(before.len(), 12, "{before:?}");
    let text = convert(dir.path(), "text");
    assert_eq!(solve(&text), before, "{text}");
    let chain = [
        "list",
        "text",
        "numbers",
        "text",
        "coordinates",
        "text",
        "coordinates",
        "numbers",
        "list",
        "coordinates",
        "list",
        "numbers",
        "text",
    ];
    for to in chain {
        let done = convert(dir.path(), to);
        assert_eq!(solve(&done), before, "as {to}:\n{done}");
        assert_eq!(done.matches("// kept").count(), 2, "as {to}:\n{done}");
        let found = check(&[("a.cpz", &done)]);
        assert!(found.is_empty(), "as {to}: {found:?}\n{done}");
        if to == "text" {
            assert_eq!(boards(&done), boards(&text), "{done}");
        }
    }
}

/// The cells of each text board, without comments and layout.
fn boards(text: &str) -> Vec<String> {
    let bare: String =
        text.lines().map(|line| line.split("//").next().expect("a part").to_owned() + "\n").collect();
    bare.split("board")
        .skip(1)
        .map(|rest| {
            let end = ["solve", "count", "mate", "move", "capture", "turn", "size", "}"]
                .iter()
                .filter_map(|stop| rest.find(stop))
                .min()
                .expect("an end");
            dense(&rest[..end]).replace(['"', '\''], "")
        })
        .collect()
}

#[test]
fn the_format_is_the_one_asked_for() {
    let chess = "chess { board [[\"B\",\"K\",5,5], [\"W\",\"K\",5,1]] mate }\n";
    let dir = folder(&[("a.cpz", chess)]);
    assert!(convert(dir.path(), "fen").contains("8/8/8/4k3/8/8/8/4K3"));
    let text = dense(&convert(dir.path(), "text"));
    assert!(!text.contains('/') && !text.contains('['), "{text}");
    let numbers = dense(&convert(dir.path(), "numbers"));
    assert!(numbers.contains("-1") && !numbers.contains('K'), "{numbers}");
    let list = dense(&convert(dir.path(), "list"));
    assert!(list.contains('[') && list.contains('k'), "{list}");
    let coordinates = dense(&convert(dir.path(), "coordinates"));
    assert!(coordinates.contains('5') && coordinates.contains('['), "{coordinates}");
}

#[test]
fn fen_keeps_the_side_to_move() {
    let chess = "chess { turn black board [[\"B\",\"K\",7,8], [\"B\",\"P\",6,7], \
                     [\"B\",\"P\",7,7], [\"B\",\"P\",8,7], [\"W\",\"R\",1,8], [\"W\",\"K\",7,1]] \
                     mate => checkmate }\n";
    let dir = folder(&[("a.cpz", chess)]);
    let before = solve(chess);
    let fen = convert(dir.path(), "fen");
    assert!(fen.contains("R5k1/5ppp/8/8/8/8/8/6K1"), "{fen}");
    assert_eq!(solve(&fen), before, "{fen}");
    let text = convert(dir.path(), "text");
    assert_eq!(solve(&text), before, "{text}");
}

#[test]
fn convert_keeps_the_side_to_move_of_a_fen() {
    let chess = "chess { board R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1 mate }\n";
    for to in ["text", "list", "numbers", "coordinates"] {
        let dir = folder(&[("a.cpz", chess)]);
        let done = convert(dir.path(), to);
        assert_eq!(solve(&done), solve(chess), "as {to}:\n{done}");
    }
}

#[test]
fn origin_is_respected() {
    let text = "origin 0\nchess { board 8/8/8/4k3/8/8/8/4K2R move [\"W\",\"R\",7,1] }\n\
                    solitaire { origin 1 board ...N.....R....B. solve }\n";
    for to in ["text", "list", "numbers", "coordinates"] {
        let dir = folder(&[("a.cpz", text)]);
        let done = convert(dir.path(), to);
        assert_eq!(solve(&done), solve(text), "as {to}:\n{done}");
    }
}

#[test]
fn standard_input_goes_to_standard_output() {
    let dir = folder(&[]);
    let run = run_with(
        dir.path(),
        &["convert", "--to", "fen", "-"],
        b"chess { board [[\"B\",\"K\",5,5], [\"W\",\"K\",5,1]] mate }\n",
    )
    .exits(0);
    assert!(run.stdout.contains("8/8/8/4k3/8/8/8/4K3"), "{}", run.stdout);
    assert_eq!(fs::read_dir(dir.path()).expect("the folder").count(), 0, "nothing is written");
}

#[test]
fn a_property_that_cannot_be_read_refuses_a_conversion() {
    let cases = [
        ("solitaire { origin one board [[1,1,K],[3,3,N],[2,2,B]] solve }\n", "origin"),
        ("origin eins\nsolitaire { board [[1,1,K],[3,3,N],[2,2,B]] solve }\n", "origin"),
        ("chess { origin zero board [['W','K',5,1], ['B','K',5,8]] mate }\n", "origin"),
        ("solitaire { size x43 board R.N.B....... solve }\n", "size"),
        ("size x43\nsolitaire { board [[1,1,K],[3,3,N]] solve }\n", "size"),
        ("chess { turn balck board [['W','K',5,1], ['B','K',5,8]] mate }\n", "turn"),
        ("turn balck\nchess { board [['W','K',5,1], ['B','K',5,8]] mate }\n", "turn"),
        ("turn balck\nchess { board 4k3/8/8/8/8/8/8/4K3 w - - 0 1 mate }\n", "turn"),
    ];
    for (text, property) in cases {
        for to in ["text", "list", "numbers", "coordinates", "fen"] {
            let dir = folder(&[("a.cpz", text)]);
            let said = run(dir.path(), &["convert", "--to", to, "a.cpz"]).exits(1).stderr;
            assert_eq!(read(dir.path(), "a.cpz"), text, "--to {to}");
            assert!(said.contains(&format!("its `{property}` cannot be read")), "--to {to}: {said}");
        }
    }
}

#[test]
fn a_property_that_cannot_be_read_but_does_not_count_is_no_obstacle() {
    for text in [
        "origin eins\nchess { origin 1 board [['W','K',5,1], ['B','K',5,8]] mate }\n",
        "turn balck\nsolitaire { board [[1,1,K],[3,3,N]] solve }\n",
    ] {
        let dir = folder(&[("a.cpz", text)]);
        assert_ne!(convert(dir.path(), "text"), text);
    }
}

/// Converts there and back; the text in between, and the last.
fn there_and_back(text: &str, there: &str, back: &str) -> [String; 2] {
    let dir = folder(&[("a.cpz", text)]);
    [convert(dir.path(), there), convert(dir.path(), back)]
}

#[test]
fn fen_does_not_invent_a_side_to_move() {
    // White gives check, and the moves of both colours are asked for.
    let boards = "board [['B','K',5,8], ['W','R',5,1], ['W','K',1,1]]";
    let queries = [
        "",
        "mate",
        "move ['W','R',5,2]",
        "move ['B','K',4,8]",
        "move ['W','R',5,2] move ['B','K',4,8]",
        "mate move ['B','K',4,8]",
        "move Re2",
    ];
    for turn in ["", "turn white ", "turn black "] {
        for query in queries {
            let text = format!("chess {{ {turn}{boards} {query} }}\n");
            let (answers, found) = (solve(&text), check(&[("a.cpz", &text)]));
            for back in ["text", "list", "numbers", "coordinates"] {
                for text in there_and_back(&text, "fen", back) {
                    assert_eq!(solve(&text), answers, "{text}");
                    assert_eq!(check(&[("a.cpz", &text)]).len(), found.len(), "{text}");
                    assert_eq!(text.matches("turn").count(), usize::from(!turn.is_empty()), "{text}");
                }
            }
        }
    }
}

#[test]
fn the_printed_collection_gains_no_finding_and_no_turn() {
    let folder_of = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/collection");
    for entry in fs::read_dir(folder_of).expect("the collection") {
        let path = entry.expect("a file").path();
        if path.extension().is_none_or(|e| e != "cpz") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a collection");
        let found = check(&[("a.cpz", &text)]).len();
        for text in there_and_back(&text, "fen", "coordinates") {
            assert_eq!(check(&[("a.cpz", &text)]).len(), found, "{}: {text}", path.display());
        }
    }
    let text = fs::read_to_string("examples/collection/chess-moves.cpz").expect("the moves");
    assert_eq!(
        there_and_back(&text, "fen", "coordinates")[1].matches("turn").count(),
        text.matches("turn").count()
    );
}

#[test]
fn castling_rights_and_en_passant_survive_every_format() {
    let fens = ["r3k2r/8/8/8/4Pp2/8/8/R3K2R b KQkq e3 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 5 10"];
    for (fen, default) in fens.into_iter().flat_map(|fen| [(fen, ""), (fen, "castling Q\n")]) {
        let text = format!("{default}chess {{ board {fen} mate move O-O move fxe3 move O-O-O }}\n");
        let expected = solve(&text);
        for there in ["text", "list", "numbers", "coordinates", "fen"] {
            for done in there_and_back(&text, there, "fen") {
                assert_eq!(solve(&done), expected, "--to {there}\n{text}{done}");
            }
        }
    }
}

/// Where a puzzle says nothing of castling, a problem may castle and a move may not; `-` forbids both sides to castle.
#[test]
fn a_converted_problem_castles_as_before() {
    let board = "8/8/8/5p2/5R2/6k1/8/4K2R";
    let text = "........ ........ ........ .....p.. .....R.. ......k. ........ ....K..R";
    let cases = [
        format!("board {board} mate in 2"),
        format!("board {board} w - - 0 1\nmate in 2"),
        format!("board {board} w K - 0 1\nmate in 2"),
        format!("castling - board {board} mate in 2"),
        format!("board \"{text}\" mate in 2 => O-O"),
        format!("castling - board \"{text}\" mate in 2"),
        format!("castling K board \"{text}\" mate in 2"),
        format!("board \"{text}\" mate in 2 move O-O => illegal"),
        format!("board {board} w - - 0 1\nmate in 2 twin b: h1 to g1 twin c: g3 to b3"),
        format!("board \"{text}\" mate in 2 twin b: h1 to a1"),
        format!("board \"{text}\" half-duplex helpmate in 1"),
    ];
    let file: Vec<String> = cases.iter().map(|case| format!("chess {{ {case}\n}}\n")).collect();
    for default in ["", "turn white\n", "turn black\n"] {
        let file = default.to_string() + &file.concat();
        let dir = folder(&[("a.cpz", &file)]);
        let before = solve(&file);
        for to in ["text", "fen", "list", "fen", "coordinates", "fen", "numbers", "text"] {
            let text = convert(dir.path(), to);
            assert_eq!(solve(&text), before, "{to}\n{text}");
        }
    }
}

/// Who begins and who may castle in a problem that is not solved, where it says so and where it does not.
#[test]
fn a_converted_problem_that_is_not_solved_says_as_much_as_before() {
    let placement = "r3k2r/8/8/8/8/8/8/R3K3";
    let mut boards: Vec<String> = ["", " w", " b", " w - - 0 1", " b Qk - 0 1", " w KQkq -"]
        .map(|fields| format!("board {placement}{fields}\n"))
        .to_vec();
    boards.push(format!("turn white castling - board {placement}\n"));
    boards.push(format!("half-duplex board {placement}\n"));
    let puzzle = |asked: &str| boards.iter().map(|board| format!("chess {{ {board}{asked}\n}}\n")).collect();
    let puzzles: Vec<String> = ["h##2", "ser-h#=3", "==2"].map(puzzle).to_vec();
    let file = puzzles.concat();
    let dir = folder(&[("a.cpz", &file)]);
    let exported = || run(dir.path(), &["export", "--to", "popeye", "a.cpz"]).exits(0).stdout;
    let before = exported();
    assert!(before.contains("NoCastling a1h8a8") && before.contains("HalfDuplex"), "{before}");
    for to in ["text", "fen", "list", "fen", "coordinates", "fen", "numbers", "text"] {
        let text = convert(dir.path(), to);
        assert_eq!(exported(), before, "{to}\n{text}");
    }
}

/// A note in a puzzle replaces that of the file.
#[test]
fn counters_of_a_fen_leave_the_note_of_the_file_in_force() {
    let puzzle = "chess \"A\" {\n  board 7k/8/5KQ1/8/8/8/8/8 w - - 3 40\n  mate in 1\n}\n";
    let dir = folder(&[("a.cpz", &format!("note \"From a club book\"\n\n{puzzle}"))]);
    let text = convert(dir.path(), "text");
    assert!(text.contains("  x-fen \"3 40\"\n") && !text.contains("\"FEN"), "{text}");
    let dir = folder(&[("a.cpz", &format!("{puzzle}\nnote \"From a club book\"\n"))]);
    let text = convert(dir.path(), "text");
    assert!(text.contains("  note \"FEN 3 40\"\n"), "{text}");
}

/// Of the rights that a default gives, a FEN has those that its men allow.
#[test]
fn rights_of_a_default_that_the_men_do_not_allow_stay_out_of_a_fen() {
    let puzzle = "chess \"A\" {\n  board [[e1,K], [h1,R], [e8,k], [a8,r]]\n  move O-O => legal\n}\n";
    for (default, fields) in [
        ("castling KQkq", " w Kq - 0 1"),
        ("en-passant e6", ""),
        ("castling KQkq\nen-passant e6", " w Kq - 0 1"),
    ] {
        let dir = folder(&[("a.cpz", &format!("{default}\n\n{puzzle}"))]);
        let before = run(dir.path(), &["check", "--fail-on", "warning", "a.cpz"]).code;
        let text = convert(dir.path(), "fen");
        assert!(text.contains(&format!("board r3k3/8/8/8/8/8/8/4K2R{fields}")), "{text}");
        let after = run(dir.path(), &["check", "--fail-on", "warning", "a.cpz"]);
        assert_eq!(after.code, before, "{default}\n{text}\n{after:?}");
    }
}
