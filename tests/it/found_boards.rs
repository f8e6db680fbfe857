//! Boards as they are found in other texts: with labels and frames, in other languages, with slips; and texts of other
//! formats.

use cpz::analysis::{Options, analyse};
use cpz::board::{Board, Colour, Size, level_name};
use cpz::diagnostic::{Finding, Fix};
use cpz::games::game;
use cpz::ide::apply;
use cpz::syntax::{GameId, parse};
use proptest::prelude::*;

use crate::boards::{boards, read};

fn findings(text: &str) -> Vec<Finding> {
    let report = analyse(&parse(text), &Options::default());
    report.findings().into_iter().map(|(finding, _)| finding.clone()).collect()
}

fn applied(text: &str, fix: &Fix) -> String {
    apply(text, &fix.edits)
}

/// The rows of each level, from the top.
fn rows(id: GameId, board: &Board, letter: impl Fn(char) -> String) -> Vec<Vec<Vec<String>>> {
    let format = game(id).format();
    let Size { w, h, d } = board.size;
    let cell = |x, y, z| {
        let piece = board.at(cpz::board::Square { x, y, z });
        letter(piece.map_or(format.empty, |p| format.letter(p)))
    };
    let row = |y, z| (0..w).map(|x| cell(x, y, z)).collect();
    let level = |z| (0..h).rev().map(|y| row(y, z)).collect();
    (0..d).rev().map(level).collect()
}

fn figurine(id: GameId, c: char) -> String {
    let (letters, figurines) = match id {
        GameId::Draughts => ("wWbB", "⛀⛁⛂⛃"),
        _ => ("KQRBNPkqrbnp", "♔♕♖♗♘♙♚♛♜♝♞♟"),
    };
    let at = letters.chars().position(|l| l == c);
    at.and_then(|i| figurines.chars().nth(i)).unwrap_or(c).to_string()
}

/// A board of one level in one of several dresses.
fn dressed(id: GameId, board: &Board, dress: usize) -> String {
    let figures = dress >= 9;
    let rows = rows(id, board, |c| if figures { figurine(id, c) } else { c.to_string() }).remove(0);
    let (w, h) = (rows[0].len(), rows.len());
    let files: Vec<String> = (0..w).map(|x| char::from(b'a' + x as u8).to_string()).collect();
    let rank = |i: usize| h - i;
    let lines: Vec<String> = match dress % 9 {
        // As cpz shows a board.
        0 => rows
            .iter()
            .enumerate()
            .map(|(i, row)| format!("{:>2} {}", rank(i), row.join(" ")))
            .chain([format!("   {}", files.join(" "))])
            .collect(),
        // With labels on all sides.
        1 => {
            let names = format!("   {}", files.join(" "));
            let rows = rows.iter().enumerate().map(|(i, row)| format!("{0} {1} {0}", rank(i), row.join(" ")));
            [names.clone()].into_iter().chain(rows).chain([names]).collect()
        }
        // In a frame with blank cells.
        2 => {
            let rule = format!("   +{}", "---+".repeat(w));
            let cell =
                |c: &String| if *c == game(id).format().empty.to_string() { " ".into() } else { c.clone() };
            let mut lines = vec![rule.clone()];
            for (i, row) in rows.iter().enumerate() {
                let cells: Vec<String> = row.iter().map(cell).collect();
                lines.push(format!(" {} | {} |", rank(i), cells.join(" | ")));
                lines.push(rule.clone());
            }
            lines.push(format!("     {}", files.join("   ")));
            lines
        }
        // In box drawing characters.
        3 => {
            let mut lines = vec![format!("┌{}┐", vec!["───"; w].join("┬"))];
            for (i, row) in rows.iter().enumerate() {
                if i > 0 {
                    lines.push(format!("├{}┤", vec!["───"; w].join("┼")));
                }
                lines.push(format!("│ {} │", row.join(" │ ")));
            }
            lines.push(format!("└{}┘", vec!["───"; w].join("┴")));
            lines
        }
        // In a border.
        4 => {
            let rule = format!("+{}+", "-".repeat(2 * w + 1));
            let rows = rows.iter().map(|row| format!("| {} |", row.join(" ")));
            [rule.clone()].into_iter().chain(rows).chain([rule]).collect()
        }
        // In vertical lines alone, with blank cells.
        5 if w > 1 && h > 1 => {
            let cell =
                |c: &String| if *c == game(id).format().empty.to_string() { " " } else { c }.to_string();
            let cells = |row: &Vec<String>| row.iter().map(cell).collect::<Vec<_>>().join(" | ");
            rows.iter().map(|row| format!("| {} |", cells(row))).collect()
        }
        // From black's side, with names of ranks and files, of ranks, or of files.
        dress => {
            let mut files = files;
            files.reverse();
            // Without colours a board has no side.
            let part = if game(id).format().coloured && w > 1 && h > 1 { dress.saturating_sub(6) } else { 0 };
            let name = |i: usize| if part < 2 { format!("{} ", rank(i)) } else { String::new() };
            let turned = |(i, row): (usize, &Vec<String>)| {
                let row: Vec<String> = row.iter().rev().cloned().collect();
                format!("{}{}", name(i), row.join(" "))
            };
            let mut lines: Vec<String> = rows.iter().enumerate().rev().map(turned).collect();
            if part != 1 {
                lines.push(format!("  {}", files.join(" ")));
            }
            lines
        }
    };
    lines.iter().map(|l| format!("\n    {l}")).collect()
}

fn same_when_dressed(id: GameId, board: Board, dress: usize, quoted: bool) -> Result<(), TestCaseError> {
    let board_text = dressed(id, &board, dress);
    let quote = if quoted { "\"" } else { "" };
    let text = format!("{} {{\n  board {quote}{board_text}{quote}\n}}\n", id.word());
    prop_assert_eq!(&read(&text).0, &board, "{}", text);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn labels_frames_and_figurines_do_not_change_a_chess_board(
        b in boards(GameId::Chess), dress in 0..18usize, quoted in any::<bool>(),
    ) {
        same_when_dressed(GameId::Chess, b, dress, quoted)?;
    }

    #[test]
    fn labels_frames_and_figurines_do_not_change_a_draughts_board(
        b in boards(GameId::Draughts), dress in 0..18usize, quoted in any::<bool>(),
    ) {
        same_when_dressed(GameId::Draughts, b, dress, quoted)?;
    }

    #[test]
    fn labels_frames_and_figurines_do_not_change_a_solitaire_board(
        b in boards(GameId::Solitaire), dress in 0..18usize, quoted in any::<bool>(),
    ) {
        prop_assume!(b.size.w > 1 && b.size.h > 1 && b.count() < b.size.cells());
        same_when_dressed(GameId::Solitaire, b, dress, quoted)?;
    }

    #[test]
    fn placements_of_solitaire_are_read(b in boards(GameId::Solitaire)) {
        prop_assume!(b.size.w > 1 && b.size.h > 1);
        let text = format!(
            "solitaire {{ board {} }}",
            cpz::board::write_placement(&b, game(GameId::Solitaire).format())
        );
        prop_assert_eq!(&read(&text).0, &b, "{}", text);
        let rows = rows(GameId::Solitaire, &b, |c| c.to_string());
        let rows: Vec<String> = rows[0].iter().map(|row| row.concat()).collect();
        let text = format!("solitaire {{ board {} }}", rows.join("/"));
        prop_assert_eq!(&read(&text).0, &b, "{}", text);
    }

    #[test]
    fn levels_with_names_are_read(
        b in boards(GameId::Chess3d), how in 0..4usize, is_ruled in any::<bool>(),
    ) {
        let levels = rows(GameId::Chess3d, &b, |c| c.to_string());
        let top = levels.len();
        let mut text = String::from("chess3d {\n  board\n");
        for (i, level) in levels.iter().enumerate() {
            let name = level_name((top - 1 - i) as u8);
            let glued: Vec<String> = level.iter().map(|row| row.concat()).collect();
            if is_ruled && i > 0 && matches!(how, 0 | 2) {
                text += "    -----\n";
            }
            text += &match how {
                0 => format!("    level {name}\n      {}\n", glued.join("\n      ")),
                1 => format!("    {name}: {}\n", glued.join(" ")),
                2 => format!("    ({name})\n      {}\n", glued.join("\n      ")),
                _ => format!("    ({name}) {}\n", glued.join(" ")),
            };
        }
        text += "}\n";
        prop_assert_eq!(&read(&text).0, &b, "{}", text);
    }

    #[test]
    fn boards_in_another_language_are_one_finding_that_rewrites_them(
        b in boards(GameId::Chess), which in 0..6usize,
    ) {
        const LETTERS: [&str; 6] = ["KDTLSB", "RDTFCP", "RDTACP", "KDTLPO", "KHWGSP", "КФЛСКП"];
        let translated = |c: char| {
            let at = "KQRBNP".chars().position(|l| l == c.to_ascii_uppercase());
            let Some(foreign) = at.and_then(|i| LETTERS[which].chars().nth(i)) else { return c.to_string() };
            let foreign = if which == 5 && at == Some(0) { "Кр".to_string() } else { foreign.to_string() };
            if c.is_lowercase() { foreign.to_lowercase() } else { foreign }
        };
        let kings = |colour| b.pieces().filter(|(_, p)| p.colour == colour && p.kind == cpz::board::Kind::King).count();
        prop_assume!(kings(Colour::White) < 2 && kings(Colour::Black) < 2);
        let rows = rows(GameId::Chess, &b, translated).remove(0);
        let rows: Vec<String> = rows.iter().map(|row| row.join(" ")).collect();
        let text = format!("chess {{\n  board\n    {}\n}}\n", rows.join("\n    "));
        let found: Vec<Finding> =
            findings(&text).into_iter().filter(|f| f.code.name() == "unknown-piece").collect();
        // A board of letters that English has too cannot be told from an English one.
        if found.is_empty() {
            return Ok(());
        }
        prop_assert_eq!(found.len(), 1, "{}\n{:?}", text, found);
        prop_assert!(found[0].message.contains("letters"), "{}\n{:?}", text, found);
        let original = |fix: &Fix| {
            let new = applied(&text, fix);
            findings(&new).iter().all(|f| f.code.name() != "unknown-piece") && read(&new).0 == b
        };
        prop_assert!(found[0].fixes.iter().any(original), "{}\n{:?}", text, found);
        prop_assert!(found[0].fixes.iter().filter(|f| f.safe).all(original), "{}\n{:?}", text, found);
    }

    #[test]
    fn a_slip_in_an_english_board_is_never_taken_for_a_language(
        b in boards(GameId::Chess), slip in prop::sample::select("DTLSFCAOHGdtlsfcaohgКФЛП".chars().collect::<Vec<_>>()),
        at in 0..64usize,
    ) {
        let mut cells: Vec<char> = rows(GameId::Chess, &b, |c| c.to_string()).concat().concat().iter()
            .flat_map(|c| c.chars()).collect();
        cells[at] = slip;
        let text = format!("chess {{ board {} }}", cells.iter().collect::<String>());
        for finding in findings(&text) {
            prop_assert!(finding.fixes.iter().all(|f| !f.safe), "{}\n{:?}", text, finding);
        }
    }
}

/// Boards without a slip: rows on lines of their own.
const BOARDS: [(&str, &[&str]); 5] = [
    (
        "chess",
        &["........", "..k..q..", "........", "...r....", "..B.....", "....N..p", "P.......", "....K..R"],
    ),
    (
        "chess",
        &[
            ". . . . . . . .",
            ". . k . . q . .",
            ". . . . . . . .",
            ". . . r . . . .",
            ". . B . . . . .",
            ". . . . N . . p",
            "P . . . . . . .",
            ". . . . K . . R",
        ],
    ),
    (
        "draughts",
        &[".......b", "b.......", ".b......", "........", "........", "w.......", ".w......", "W......."],
    ),
    ("solitaire", &["...N", ".B..", "RP..", "...K"]),
    ("solitaire", &["-----", "-Q-P-", "-----", "B---N", "--R--"]),
];

#[test]
fn one_slip_is_one_finding() {
    type Slip = fn(&[&str]) -> Vec<String>;
    let slips: [(&str, Slip); 9] = [
        ("a lost cell", |r| edited(r, 1, |row| row[..row.len() - 1].trim_end().to_string())),
        ("a cell too many", |r| edited(r, 1, |row| format!("{row}{}", &row[..1]))),
        ("a line of prose", |r| {
            let mut rows: Vec<String> = r.iter().map(|s| s.to_string()).collect();
            rows.insert(2, "White's queen wins the exchange in three steps.".into());
            rows
        }),
        ("prose at the top", |r| {
            let mut rows: Vec<String> = r.iter().map(|s| s.to_string()).collect();
            rows.insert(0, "The diagram after Black has castled".into());
            rows
        }),
        ("an unknown letter, three times", |r| edited(r, 0, |row| replaced(row, 3, 'Z'))),
        ("another empty cell, twice", |r| edited(r, 0, |row| replaced(row, 2, '*'))),
        ("a letter that looks Latin", |r| {
            let mut rows: Vec<String> = r.iter().map(|s| s.to_string()).collect();
            let row = rows.iter_mut().find(|row| row.contains(['B', 'b', 'N', 'P'])).expect("a piece");
            *row = row.replacen(['B', 'b', 'N', 'P'], "М", 1).replace('М', "Р");
            rows
        }),
        ("a row in two lines", |r| edited(r, 1, |row| format!("{}\n    {}", &row[..2], &row[2..]))),
        ("a cell in the next row", |r| {
            let mut rows: Vec<String> = r.iter().map(|s| s.to_string()).collect();
            let last = rows[1].pop().expect("a cell");
            rows[1] = rows[1].trim_end().to_string();
            let gap = if rows[2].contains(' ') { " " } else { "" };
            rows[2] = format!("{last}{gap}{}", rows[2]);
            rows
        }),
    ];
    let mut wrong = Vec::new();
    for (game, rows) in BOARDS {
        let board = |rows: &[String]| format!("{game} {{\n  board\n    {}\n}}\n", rows.join("\n    "));
        let plain: Vec<String> = rows.iter().map(|s| s.to_string()).collect();
        let found = findings(&board(&plain));
        assert!(found.is_empty(), "{}\n{found:?}", board(&plain));
        for (name, slip) in slips {
            if name.contains("Latin") && game == "draughts" {
                continue;
            }
            let text = board(&slip(rows));
            let found = findings(&text);
            if found.len() != 1 {
                let messages: Vec<&str> = found.iter().map(|f| f.message.as_str()).collect();
                wrong.push(format!("{name}: {messages:?}\n{text}"));
            }
        }
        if game != "solitaire" {
            let found = findings(&board(&plain[1..]));
            if found.len() != 1 {
                wrong.push(format!("a lost row: {found:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} slips\n{}", wrong.len(), wrong.join("\n"));
}

fn edited(rows: &[&str], at: usize, edit: impl Fn(&str) -> String) -> Vec<String> {
    rows.iter().enumerate().map(|(i, row)| if i == at { edit(row) } else { row.to_string() }).collect()
}

fn replaced(row: &str, n: usize, c: char) -> String {
    let empty = if row.contains('-') { '-' } else { '.' };
    row.replacen(empty, &c.to_string(), n)
}

#[test]
fn a_fen_ends_with_its_line_or_before_another_word() {
    for (text, count) in [
        ("chess { board 8/8/8/4k3/8/8/8/4K2R w - - 0 1 extra mate }", 1),
        ("chess { board 8/8/8/4k3/8/8/8/4K2R w - - 0 1 7 mate }", 1),
        ("chess { board 8/8/8/4k3/8/8/8/4K2R mates }", 1),
        ("chess { board 8/8/9/4k3/8/8/8/4K2R mate }", 1),
        ("chess { board 8/8/8/4k38/8/8/4K2R mate }", 1),
        ("chess { board 8/8/8/4k3//8/8/8/4K2R mate }", 1),
        ("chess { board 8/8/8/4kZ2/8/ZZ6/8/4K2R mate }", 1),
        ("chess { board 8/8/8/4k3/8/8/8/4K2R\n  w - - 0 1\n  mate }", 1),
        ("chess { board 8/8/8/4k3/8/8/8/4K2R w - - bm Rh8; id \"a\";\n mate }", 1),
        ("chess { board\n  8/8/8/4k3/8/8/8/4K2R b - -\n  mate }", 0),
    ] {
        let found = findings(text);
        assert_eq!(found.len(), count, "{text}\n{found:?}");
    }
    let text = "chess { board 8/8/8/4k3/8/8/8/4K2R w - - 0 1 extra mate }";
    assert_eq!(read_with_errors(text), "8/8/8/4k3/8/8/8/4K2R");
}

/// The position of a puzzle whatever the errors around it.
fn read_with_errors(text: &str) -> String {
    let tree = parse(text);
    let (bound, _) = cpz::analysis::bind_all(&tree, cpz::analysis::Defaults::default())
        .into_iter()
        .next()
        .expect("a puzzle");
    let board = bound.reading.and_then(|r| r.board).expect("a board");
    cpz::board::write_placement(&board, game(GameId::Chess).format())
}

#[test]
fn a_text_of_another_format_is_one_finding() {
    let puzzle = "solitaire { board R....N.......... solve }\n";
    for (name, text) in [
        (
            "PGN",
            "[Event \"A\"]\n[Site \"?\"]\n\n1. e4 e5 {White's comment} 2. Nf3 (2. f4 exf4) Nc6 $1 1-0\n\n",
        ),
        ("PGN", "1. e4 e5 2. Nf3 Nc6 1/2-1/2\n"),
        ("PGN", "[Event \"A\"]\n\n1. d4 *\n\n[Event \"B\"]\n\n1. c4 *\n"),
        ("PDN", "[Event \"A\"]\n[GameType \"25\"]\n[FEN \"W:Wa1,Kc3:Bd4\"]\n\n1. c3:e5 2-0\n"),
        ("Popeye", "BeginProblem\nPieces White Ka1 Black Ka3\nStipulation #2\nEndProblem\n"),
        ("Popeye", "beg\nstip #2 pieces white ka1 black ka3\nend\n"),
        ("Popeye", "anfang\nautor F A\nsteine weiss ka1 schwarz ka3\nforderung #2\nende\n"),
        ("Popeye", "DebutProbleme\npieces blanc ra1 noir ra3\nenonce #2\nFinProbleme\n"),
        (
            "YAML",
            "---\nauthors:\n  - Loyd, Sam\nalgebraic:\n  white: [Kh1, Pa2]\n  black: [Ka8]\nstipulation: \"#2\"\n",
        ),
        (
            "YAML",
            "authors:\n  - Loyd, Sam\nstipulation: \"#2\"\nsolution: |\n  1.Kb6 !\n      1...a/b 2.Q#\n",
        ),
        ("CSV", "PuzzleId,FEN,Moves,Rating\n00sHx,8/8/8/4k3/8/8/8/4K2R w - - 0 1,e5e4 h1h4,1700\n"),
        ("CSV", "00sHx,8/8/8/4k3/8/8/8/4K2R w - - 0 1,e5e4 h1h4,1700,80,83,72,mate mateIn2\n"),
        ("FEN", "8/8/8/4k3/8/8/8/4K2R w - - 0 1\n\n8/8/8/4k3/8/8/8/4K1R1 b - - 0 1\n"),
        ("FEN", "8/8/1k6/8/6p1/P7/3K4/8 b - - 0 1 {Study 5} draw\n"),
        (
            "EPD",
            "8/8/1k6/8/6p1/P7/3K4/8 b - - bm Kc5; id \"{draw\";\n8/8/8/4k3/8/8/8/4K2R w - - bm Rh8; id \"{two}\";\n",
        ),
        ("EPD", "# a list\n8/8/8/4k3/8/8/8/4K2R w - - bm Rh8; id \"one\";\n"),
        ("PGN", "; my games\n[Event \"A\"]\n[Site \"?\"]\n\n1. e4 e5 *\n"),
        ("PGN", "% c\n{my\ngames}\n\n[Event \"A\"]\n[Site \"?\"]\n\n1. e4 {it} e5 *\n"),
        ("PDN", "{header}\n[Event \"A\"]\n[GameType \"25\"]\n[FEN \"W:Wa1,Kc3:Bd4\"]\n\n1. c3:e5 2-0\n"),
    ] {
        for whole in [
            text.to_string(),
            format!("{text}{puzzle}"),
            format!("{puzzle}{text}"),
            format!("{puzzle}{text}\n{puzzle}"),
        ] {
            let found = findings(&whole);
            let foreign: Vec<&Finding> = found.iter().filter(|f| f.code.name() == "syntax").collect();
            assert_eq!(foreign.len(), 1, "{whole}\n{found:?}");
            assert!(foreign[0].message.contains(name), "{whole}\n{}", foreign[0].message);
            let puzzles = whole.matches("solitaire").count();
            let unsolvable = found.iter().filter(|f| f.code.name() == "unsolvable").count();
            assert_eq!(unsolvable, puzzles, "{whole}\n{found:?}");
            let fix = cpz::ide::make_puzzles(&whole, foreign[0].span);
            assert!(fix.is_some() || !["FEN", "EPD"].contains(&name), "{whole}");
            let Some(fix) = fix else { continue };
            let new = applied(&whole, &fix);
            assert!(!fix.safe);
            assert!(findings(&new).iter().all(|f| f.code.name() != "syntax"), "{new}");
            if ["FEN", "EPD"].contains(&name) {
                let positions = text.lines().filter(|l| l.contains('/')).count();
                assert_eq!(parse(new.as_str()).puzzles().count(), puzzles + positions);
                // `bm` becomes the question `line`.
                for word in text.split_whitespace().filter(|word| !["bm", "#"].contains(word)) {
                    let word = word.trim_matches([';', '"']);
                    assert!(new.contains(word), "{word} is lost\n{new}");
                }
            }
        }
    }
    // Of a line with a puzzle, the position is foreign, with its side to move.
    let position = "8/8/1k6/8/6p1/P7/3K4/8 b - - 0 1";
    for rest in [puzzle, "}\n", "{\n"] {
        let found = findings(&format!("{position} {rest}"));
        assert!(found[0].message.contains("FEN"), "{rest}\n{found:?}");
        assert_eq!(found[0].span.range(), 0..position.len(), "{rest}");
    }
}
