//! What people type or paste as books and pages have it: one finding for each, with a fix.

use crate::one_finding::{check, findings};

const DIAGRAM: &str = "8/8/5n2/1N1Rrk2/8/3KB3/8/8";

fn puzzle(items: &str) -> String {
    format!("chess {{\n  board 4k3/8/4K3/8/8/8/8/7R\n  {items}\n}}\n")
}

fn twins(items: &str) -> String {
    format!("chess {{\n  board {DIAGRAM}\n  helpmate in 2\n  {items}\n}}\n")
}

#[test]
fn caption_with_the_side_to_move_becomes_a_turn() {
    for (caption, question) in [
        ("White to move", "\n  mate"),
        ("Black to play.", "\n  mate"),
        ("White to move and", " mate in 1"),
        ("white to play,", " mate in 1"),
    ] {
        let side = caption.split(' ').next().expect("a side").to_lowercase();
        check(&puzzle(&format!("{caption}{question}")), &puzzle(&format!("turn {side}{question}")));
    }
    // Below the rows of a board it is no line of prose.
    let rows = "solitaire {\n  board\n    N.R.\n    .B..\n    ....\n    ....\n";
    let found = findings(&format!("{rows}  White to move\n  solve\n}}\n"));
    assert!(
        matches!(&found[..], [only] if only.message == "the side to move is written `turn white`"),
        "{found:#?}"
    );
}

#[test]
fn answer_in_two_words_is_put_together() {
    check(&puzzle("mate => check mate"), &puzzle("mate => checkmate"));
    check(&puzzle("turn black mate => stale mate // so"), &puzzle("turn black mate => stalemate // so"));
    // Another question may follow on the line.
    assert_eq!(findings(&puzzle("mate => none mate in 1 => Rh8")), []);
}

#[test]
fn twin_over_two_lines_is_one_finding() {
    check(&twins("twin b: e3 to f2,\n    remove d5"), &twins("twin b: e3 to f2, remove d5"));
    check(&twins("twin b:\n    e3 to f2"), &twins("twin b: e3 to f2"));
}

#[test]
fn address_of_a_page_becomes_its_position() {
    let at = |address: &str| format!("chess {{\n  board {address}\n  mate in 1\n}}\n");
    for (address, position) in [
        ("https://lichess.org/analysis/4k3/8/4K3/8/8/8/8/7R_w_-_-_0_1", "4k3/8/4K3/8/8/8/8/7R w - - 0 1"),
        ("https://lichess.org/editor/4k3/8/4K3/8/8/8/8/7R?color=white", "4k3/8/4K3/8/8/8/8/7R"),
    ] {
        check(&at(address), &at(position));
    }
    let found = findings(&at("https://lichess.org/study"));
    assert!(found.len() == 1 && found[0].fixes.is_empty(), "{found:#?}");
}

#[test]
fn operations_of_an_epd_line_in_quotes_are_one_finding() {
    let found = findings(r#"chess { board "8/8/8/4k3/8/8/8/4K2R w - - bm Rh5+; id x.2;" mate }"#);
    let messages: Vec<&str> = found.iter().map(|finding| finding.message.as_str()).collect();
    assert!(
        matches!(messages[..], [only] if only.starts_with("these are operations of an EPD line")),
        "{messages:#?}"
    );
}

#[test]
fn empty_cells_of_a_table_become_points() {
    let rows = |rows: &str| format!("solitaire {{\n  board\n{rows}\n  solve\n}}\n");
    let points = "    N . . B\n    . R . R\n    R . . Q\n    . . K N";
    check(&rows("    N\t\t\tB\n    \tR\t\tR\n    R\t\t\tQ\n    \t\tK\tN"), &rows(points));
    // Tabs in front of all rows are their indentation.
    check(&rows("\t\tN\t\t\tB\n\t\t\tR\t\tR\n\t\tR\t\t\tQ\n\t\t\t\tK\tN"), &rows(points));
    // Tabs beside a sign for empty cells, in front of the board and behind its rows say nothing.
    for text in ["\tR\t\t.\n\t.\t\tN", "\tR.\t\t// so\n\t.N\t\t", "\t\tRN\t\t// so\n\t\tNR\t\t"] {
        let found = findings(&rows(text));
        assert!(found.iter().all(|finding| !finding.message.starts_with("cells")), "{text:?} {found:#?}");
    }
    assert_eq!(findings("chess { board\t\t4k3/8/4K3/8/8/8/8/7R\t\tw mate }\n"), []);
    // The formatter keeps what it cannot read.
    for text in
        [rows("    N\t\t\tB\n    \tR\t\tR"), "solitaire { board [\"N\t\tB\", \"\tR\tR\"] solve }\n".into()]
    {
        let found = findings(&text);
        assert!(
            matches!(&found[..], [only] if only.message.starts_with("cells that are empty")),
            "{found:#?}"
        );
        assert_eq!(cpz::ide::format(&cpz::syntax::parse(&text[..])).as_deref(), Some(&text[..]));
    }
}

#[test]
fn tag_of_a_game_becomes_its_position() {
    let at = |board: &str| format!("draughts {{\n  board {board}\n  capture\n}}\n");
    check(&at("[FEN \"W:WKa1:Bc3,e5\"]"), &at("\"W:WKa1:Bc3,e5\""));
    let at = |board: &str| format!("chess {{\n  board {board}\n  mate\n}}\n");
    check(&at("[FEN \"4k3/8/8/8/8/8/8/4K2R w - - 0 1\"]"), &at("\"4k3/8/8/8/8/8/8/4K2R w - - 0 1\""));
}

#[test]
fn letter_o_beside_zeros_is_an_empty_cell() {
    let at = |board: &str| format!("solitaire {{ board {board} solve }}\n");
    check(&at("000N00O00R0000B0"), &at("000N00000R0000B0"));
}

#[test]
fn name_of_one_level_is_that_of_its_place() {
    let levels = ["###\n    ###\n    bRK", "#b#\n    ###\n    ###", "###\n    n##\n    #rr"];
    let board = |names: [&str; 3]| {
        let level = |(name, level): (&str, &str)| format!("    {name}\n    {level}\n");
        let levels: String = names.into_iter().zip(levels).map(level).collect();
        format!("chess3d {{\n  board\n{levels}  mate => checkmate\n}}\n")
    };
    for names in [["III", "", ""], ["", "II", ""], ["", "", "I"], ["III", "", "I"], ["III", "II", "I"]] {
        assert_eq!(findings(&board(names)), [], "{names:?}");
    }
    for (names, meant) in [(["I", "", ""], "III"), (["", "", "III"], "I"), (["III", "I", ""], "II")] {
        let found = findings(&board(names));
        let said = format!("this level is {meant} by its place");
        assert!(matches!(&found[..], [only] if only.message.starts_with(&said)), "{names:?} {found:#?}");
    }
}
