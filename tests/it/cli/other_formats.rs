//! `check --from` and `solve --from`.

use super::*;

/// A text of each format in which the first entry is read, and a later one is not.
const WITH_A_FAULT: [(&str, &str, &str); 6] = [
    ("fen", "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1 One\nwrong é\n", "wrong é"),
    ("epd", "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - dm 1;\nwrong é\n", "wrong é"),
    (
        "pgn",
        "[FEN \"6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1\"]\n\n1. Ra8# *\n\n[Event \"É\"]\n\n1. e4 *\n",
        "[Event \"É\"]",
    ),
    (
        "lichess",
        "PuzzleId,FEN,Moves,Rating\na,6k1/5ppp/8/8/8/8/5PPP/R5K1 b - - 0 1,g8f8 a1a8,1\nwrong,\n",
        "wrong,",
    ),
    (
        "olv",
        "algebraic: {white: [Kg1, Ra1], black: [Kg8]}\nstipulation: \"#2\"\n---\nalgebraic: {white: [Ra9]}\n",
        "",
    ),
    ("solitaire", "...N\n.R..\n\n...N\n.X.R\n", ""),
];

#[test]
fn every_report_shows_what_is_not_read() {
    for (format, text, line) in WITH_A_FAULT {
        let dir = folder(&[("a.txt", text)]);
        let with = |report: &str| run(dir.path(), &["check", "--from", format, "--format", report, "a.txt"]);
        let json = with("json").exits(1).json();
        let found = findings(&json);
        let told = found.iter().filter(|f| f.message.starts_with("not read: ")).collect::<Vec<_>>();
        assert_eq!(told.len(), 1, "{format}: {found:?}");
        let place = &told[0].range.start;
        let shown = text.lines().nth(place.line).unwrap_or_default();
        assert!(shown.contains(line) && !shown.is_empty(), "{format}: {place:?}");
        let (line, column) = (place.line + 1, place.character + 1);
        let solved = run(dir.path(), &["solve", "--from", format, "a.txt"]).exits(1).stderr;
        assert!(solved.contains(&format!("a.txt:{line}: not read: ")), "{format}: {solved}");
        for (report, wanted) in [
            ("human", format!("a.txt:{line}:{column}\n")),
            ("github", format!("line={line},col={column},")),
            ("sarif", format!("\"startColumn\":{column},\"startLine\":{line}}}")),
        ] {
            let said = with(report).exits(1).stdout;
            assert!(said.contains(&wanted), "{format} as {report}: {wanted}");
        }
    }
}

#[test]
fn a_baseline_knows_what_is_not_read_by_its_own_text() {
    let text = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - dm 1;\nwrong\n";
    let dir = folder(&[("a.epd", text)]);
    let check = |more: &[&str]| {
        let all = [&["check", "--from", "epd", "--baseline", "known.json"], more, &["a.epd"]].concat();
        run(dir.path(), &all)
    };
    check(&["--accept"]).exits(0);
    // Other lines change nothing.
    fs::write(dir.path().join("a.epd"), format!("# new\n{text}")).expect("written");
    check(&[]).exits(0);
    fs::write(dir.path().join("a.epd"), text.replace("wrong", "worse")).expect("written");
    check(&[]).exits(1);
}

#[test]
fn compressed_files_are_checked_and_solved() {
    let csv = "00008,6k1/5ppp/8/8/8/8/5PPP/R5K1 b - - 0 1,g8f8 a1a8,1000,75,95,1,mateIn1,,\n";
    let pgn = "[FEN \"6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1\"]\n\n1. Ra8# *\n";
    for (format, name, text) in [("lichess", "a.csv.zst", csv), ("pgn", "b.PGN.zst", pgn)] {
        let dir = folder(&[("plain.txt", text)]);
        fs::write(dir.path().join(name), zstandard_frame(text)).expect("written");
        for command in ["check", "solve"] {
            let said = |path: &str| {
                let said = run(dir.path(), &[command, "--from", format, path]).exits(0);
                assert_eq!(said.stderr, "");
                said.stdout
            };
            assert_eq!(said(name), said("plain.txt").replace("plain.txt", name));
            assert_eq!(said("."), said(name).replace(name, &format!(".{}{name}", path_separator())));
        }
        fs::write(dir.path().join(name), &zstandard_frame(text)[..20]).expect("written");
        let said = run(dir.path(), &["check", "--from", format, name]).exits(2).stderr;
        assert!(said.contains("its end is missing"), "{said}");
    }
}

#[test]
fn findings_stand_in_the_order_of_the_file_and_at_their_words() {
    for (format, text, wanted) in [
        (
            "epd",
            "8/8/8/8/8/8/8/R4KK1 w - - id \"K\";\nwrong\n4k3/8/8/8/8/8/8/4R1K1 w - - bm Kg3;\n",
            &[
                (0, "too-many-kings", "K"),
                (1, "syntax", "wrong"),
                (2, "impossible-position", "k"),
                (2, "wrong-solution", "Kg3"),
            ][..],
        ),
        (
            "pgn",
            "[Event \"kings K\"]\n[FEN \"4k3/8/8/8/8/8/8/3KK3 w - - 0 1\"]\n\n1. Kd2 *\n\n[Event \"b\"]\n\n1. e4 *\n\n[Event \"é\"]\n[FEN \"4k3/8/8/8/8/8/8/4R1K1 w - - 0 1\"]\n\n1. Kg2 *\n",
            &[(1, "too-many-kings", "K"), (5, "syntax", "[Event \"b\"]"), (10, "impossible-position", "k")],
        ),
    ] {
        let dir = folder(&[("a.txt", text)]);
        let json = run(dir.path(), &["check", "--from", format, "--format", "json", "a.txt"]).exits(1).json();
        let found = findings(&json);
        let found: Vec<(usize, &str, String)> = found
            .iter()
            .map(|f| {
                let line: Vec<u16> =
                    text.lines().nth(f.range.start.line).expect("a line").encode_utf16().collect();
                let shown = &line[f.range.start.character..f.range.end.character];
                (f.range.start.line, f.code.as_str(), String::from_utf16_lossy(shown))
            })
            .collect();
        let wanted: Vec<(usize, &str, String)> =
            wanted.iter().map(|&(l, c, t)| (l, c, t.to_string())).collect();
        assert_eq!(found, wanted, "{format}");
    }
}
