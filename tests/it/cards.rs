//! Packages of cards for Anki: what is in them, read by the description of the format.

use cpz::exchange::Filter;
use cpz::exchange::export::{BoardPicture, DeckExporter, DrawBoard, Search};
use serde_json::json;

use crate::export::with_source;

/// A title, and the paragraphs of the other fields.
type Card<'t> = (&'t str, &'t [&'t str], &'t [&'t str], &'t [&'t str], &'t [&'t str]);

/// The package of a text, each puzzle with the same picture.
fn package(text: &str) -> Vec<u8> {
    let filter = Filter::default();
    let draw: DrawBoard = |_| Some(BoardPicture { svg: "<svg/>".into(), words: "a <board>".into() });
    let mut deck = DeckExporter::new(&filter, draw, 0);
    with_source(text, Search::Full(10_000), |source| deck.add(source));
    let mut out = Vec::new();
    deck.finish(&mut out).expect("a vector takes all");
    out
}

fn number(bytes: &[u8]) -> usize {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte))
}

/// The check sum of a file in an archive, bit by bit.
fn sum(bytes: &[u8]) -> u32 {
    let step = |sum: u32| (sum >> 1) ^ if sum & 1 == 1 { 0xedb8_8320 } else { 0 };
    !bytes.iter().fold(!0, |sum, &byte| (0..8).fold(sum ^ u32::from(byte), |sum, _| step(sum)))
}

/// The files of an archive, as its directory names them.
fn files(archive: &[u8]) -> Vec<(String, Vec<u8>)> {
    let end = &archive[archive.len() - 22..];
    assert!(end.starts_with(b"PK\x05\x06"), "the end of the directory");
    let (count, size, start) = (number(&end[10..12]), number(&end[12..16]), number(&end[16..20]));
    assert_eq!((number(&end[8..10]), start + size), (count, archive.len() - 22));
    let mut directory = &archive[start..start + size];
    let (mut files, mut at) = (Vec::new(), 0);
    for _ in 0..count {
        let (entry, rest) = directory.split_at(46 + number(&directory[28..30]));
        directory = rest;
        assert_eq!((&entry[..4], number(&entry[42..46])), (&b"PK\x01\x02"[..], at));
        let local = &archive[at..];
        let name = &entry[46..];
        assert_eq!((&local[..4], &local[4..30]), (&b"PK\x03\x04"[..], &entry[6..32]));
        assert_eq!(&local[30..30 + name.len()], name);
        let (packed, length) = (number(&entry[20..24]), number(&entry[24..28]));
        let content = &local[30 + name.len()..][..length];
        assert_eq!((packed, number(&entry[16..20]) as u32), (length, sum(content)));
        files.push((String::from_utf8(name.to_vec()).expect("UTF-8"), content.to_vec()));
        at += 30 + name.len() + length;
    }
    assert!(
        directory.is_empty() && at == start,
        "the files follow each other, and the directory follows them"
    );
    files
}

#[test]
fn a_package_has_the_cards_and_a_picture_for_equal_boards() {
    let text = "chess \"A study\" { author [\"A. Able\", \"B. Bold\"] source \"A paper\" difficulty 1500 tags [\"two words\", end]
  board 8/8/8/7p/8/8/P7/K6k w - - 0 1 hint \"Run.\" win => \"1. a4 h4\" (it runs) note \"Look\" }
chess { board 8/8/8/7p/8/8/P7/K6k b - - 0 1 draw line => 1... h4 move h4 mate move h4 => legal move h5h4 }
solitaire \"Ranger\" { rules ranger board .NRQ...........B solve count }
draughts { board \"W:WKa1:Bc3,e5\" capture => a1:d4:h8 }
chess \"Mate\" { board 6k1/5ppp/8/8/8/8/5PPP/R5K1 w mate in 1 => Ra8# }
chess \"Two moves\" { condition Circe board kbK5/pp6/1P6/8/8/8/8/R7 w mate in 2 }
chess \"Two moves\" { board kbK5/pp6/1P6/8/8/8/8/R7 w mate in 2 }
";
    let files = files(&package(text));
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["collection.anki2", "0", "media"]);
    assert_eq!(files[1].1, b"<svg/>");
    let media: serde_json::Value = serde_json::from_slice(&files[2].1).expect("JSON");
    let picture = media["0"].as_str().expect("a name").to_string();
    assert_eq!(media, json!({ "0": picture }));
    assert!(files[0].1.starts_with(b"SQLite format 3\0"));
    let database = String::from_utf8_lossy(&files[0].1);
    let board = format!("<img src=\"{picture}\" alt=\"a &lt;board&gt;\">");
    let divs = |texts: &[&str]| texts.iter().map(|text| format!("<div>{text}</div>")).collect::<String>();
    let cards: [Card<'_>; 7] = [
        (
            "A study",
            &["White to move.", "Find the way to win."],
            &["Run."],
            &["1. a4 h4 (it runs)"],
            &["Look", "A. Able, B. Bold. A paper", "Difficulty: 1500"],
        ),
        (
            "chess (line 3)",
            &[
                "Black to move.",
                "Find the way to draw.",
                "Find the best line.",
                "Is h4 legal?",
                "Checkmate, check, stalemate or none of them?",
                "Is h5h4 legal?",
            ],
            &[],
            &[
                "draw: No answer is written.",
                "line: 1... h4",
                "move h4: legal",
                "mate: none",
                "move h5h4: legal",
            ],
            &[],
        ),
        (
            "Ranger",
            &["Rules: ranger.", "Capture until one piece is left.", "How many solutions are there?"],
            &[],
            &["solve: c4xb4 b4xd4 d4xd1", "count: 1"],
            &[],
        ),
        ("draughts (line 5)", &["White to move.", "What can be captured?"], &[], &["a1:d4:h8"], &[]),
        ("Mate", &["White to move.", "mate in 1"], &[], &["Ra8#"], &[]),
        (
            "Two moves",
            &["White to move.", "Condition: Circe.", "mate in 2"],
            &[],
            &["No answer is written."],
            &[],
        ),
        (
            "Two moves",
            &["White to move.", "mate in 2"],
            &[],
            &["1. Ra6 bxa6 (1... Bc7 2. Rxa7#) 2. b7#"],
            &[],
        ),
    ];
    for (title, question, hints, solution, about) in cards {
        let fields = [title, &board, &divs(question), &divs(hints), &divs(solution), &divs(about)];
        let card = fields.join("\x1f") + title;
        assert!(database.contains(&card), "{card:?}");
    }
}

#[test]
fn a_puzzle_without_a_solution_makes_no_card() {
    let text = "chess { board 8/8/8/8/8/8/8/k1K4R w mate in 2 }
solitaire { board K..Q .... .... .... solve }
solitaire { board N..B .... .... .... solve }
chess { board 8/8/8/8/8/8/8/k1K4R w mate in 1 => none }
chess { allow unsolvable board 8/8/8/8/8/8/8/k1K5 w mate in 1 }
chess { board 6k1/5ppp/8/8/8/8/5PPP/R5K1 w mate in 1 => Rb1 }
";
    let filter = Filter::default();
    let draw: DrawBoard = |_| Some(BoardPicture { svg: "<svg/>".into(), words: String::new() });
    let mut deck = DeckExporter::new(&filter, draw, 0);
    with_source(text, Search::Full(10_000), |source| deck.add(source));
    let exported = deck.finish(&mut Vec::new()).expect("a vector takes all");
    assert_eq!(exported.written, 4);
    assert_eq!(
        exported.losses.sentences("Anki"),
        [
            "2 puzzles left out: there is no solution, and no card teaches one; `cpz check` says more",
            "not exported: the `allow` of 1 puzzle; Anki has no place for it",
            "1 puzzle exported with the verified answer, since the written one does not hold",
        ]
    );
}
