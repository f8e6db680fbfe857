//! How written boards are read, by the cases of `tests/fixtures/board/readings.txt`, and that what is written is read again.
//!
//! A case is a game, with a size and an origin if they are stated, and what stands behind the word `board`. Below `---` is what was
//! read: the board and its rights, the text of each piece, the parts of the text, and what is wrong, with what each fix makes of
//! the text; `␣` is a blank, and `␍` a carriage return. `moved` has coordinates with each square and piece replaced by others in
//! the form that they have. A case of `written` shows the board in each format, too.

use std::fmt::Write as _;

use cpz_text::diagnostic::{Edit, Span};
use cpz_text::syntax::{BoardForm, GameId, parse};

use crate::board::{
    Board, Colour, CoordinateFrame, Format, Kind, Piece, Reading, Size, SizeValue, SourceLayout, Square,
    Style, Target, read, read_square, respell, respell_piece, source_layout, square_name, write,
};
use crate::games::game;

/// What is asked about a board.
struct Asked {
    format: &'static Format,
    size: Option<SizeValue>,
    origin: u8,
    is_written: bool,
}

impl Asked {
    /// Reads the title of a case: `chess`, `chess3d size 4 origin 1 written`.
    fn of(title: &str) -> Asked {
        let mut words = title.split(' ');
        let name = words.next().expect("a game");
        let &id = GameId::ALL.iter().find(|id| id.word() == name).expect("a game");
        let format = game(id).format();
        let mut asked = Asked { format, size: None, origin: format.origin, is_written: false };
        while let Some(word) = words.next() {
            match word {
                "size" => asked.size = SizeValue::parse(words.next().expect("a size"), Span::at(0), true),
                "default-size" => {
                    asked.size = SizeValue::parse(words.next().expect("a size"), Span::at(0), false)
                }
                "origin" => asked.origin = words.next().and_then(|n| n.parse().ok()).expect("an origin"),
                _ => {
                    assert_eq!(word, "written");
                    asked.is_written = true;
                }
            }
        }
        asked
    }

    /// Reads a board, and gives it and its form to `then`.
    fn read<T>(&self, board: &str, then: impl FnOnce(&str, BoardForm<'_>, Reading) -> T) -> T {
        let text = format!("{} {{ board {board}\n}}\n", self.format.game);
        let tree = parse(text.as_str());
        let found = tree.puzzles().next().and_then(|puzzle| puzzle.boards().next()).expect("a board");
        let span = found.content().unwrap_or_else(|| found.keyword().span());
        let form = found.form().expect("a form");
        let reading = read(form, self.format, self.origin, self.size, span);
        then(&text, form, reading)
    }
}

/// A text in one line.
fn shown(text: &str) -> String {
    text.replace("\r\n", "␍⏎").replace('\n', "⏎").replace('\r', "␍")
}

fn edited(text: &str, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|edit| std::cmp::Reverse((edit.span.start, edit.span.end)));
    let mut new = text.to_string();
    edits.into_iter().for_each(|edit| new.replace_range(edit.span.range(), &edit.text));
    let start = new.find("board").map_or(0, |at| at + "board".len());
    shown(new[start..].trim().trim_end_matches('}').trim())
}

fn rows(board: &Board, format: &Format) -> String {
    let Size { w, h, d } = board.size;
    let letter = |piece: Option<Piece>| piece.map_or('.', |piece| format.letter(piece));
    let row = |y, z| (0..w).map(|x| letter(board.at(Square { x, y, z }))).collect::<String>();
    let level = |z| (0..h).rev().map(|y| row(y, z)).collect::<Vec<_>>().join("/");
    (0..d).rev().map(level).collect::<Vec<_>>().join(" | ")
}

/// The parts of the text, and for coordinates what they become if each has another square and piece.
fn parts(text: &str, form: BoardForm<'_>, asked: &Asked) -> String {
    let listed = |spans: &[Span], blank: &str| {
        let part = |span: &Span| shown(&text[span.range()]).replace(' ', blank);
        spans.iter().map(part).collect::<Vec<_>>().join(" ")
    };
    match source_layout(form, asked.format) {
        SourceLayout::Cells { spans, flat } => {
            format!("{} {}", if flat { "cells" } else { "rows" }, listed(&spans, "␣"))
        }
        SourceLayout::Fen(spans) => format!("fields {}", listed(&spans, " ")),
        SourceLayout::Pdn => "pdn".into(),
        SourceLayout::Entries(entries) => {
            let spans: Vec<Span> = entries.iter().map(|(_, span)| *span).collect();
            let mut edits = Vec::new();
            for (i, (elements, _)) in entries.iter().enumerate() {
                let square = Square { x: 2, y: 1, z: 2 * u8::from(asked.format.is_cube()) };
                edits.extend(respell(elements, asked.origin, square));
                let kind = asked.format.kinds[i % asked.format.kinds.len()];
                edits.extend(
                    respell_piece(elements, asked.format, Piece::new(Colour::Black, kind))
                        .unwrap_or_default(),
                );
            }
            format!("entries {}\nmoved {}", listed(&spans, " "), edited(text, edits))
        }
    }
}

/// What is found in a board, as a case has it.
fn found(asked: &Asked, written: &str) -> String {
    asked.read(written, |text, form, reading| {
        let mut lines = String::new();
        match &reading.board {
            Some(board) => lines += &format!("board {}\n", rows(board, asked.format)),
            None => lines += "no board\n",
        }
        let source = |span: Span| shown(&text[span.range()]);
        if let Some(turn) = reading.turn {
            let _ = writeln!(lines, "turn {}", turn.name());
        }
        if let Some((castling, span)) = reading.rights.castling {
            let _ = writeln!(lines, "castling {castling} of {}", source(span));
        }
        if let Some((square, span)) = reading.rights.en_passant {
            let square = square.map_or("none".into(), |square| square_name(square, false));
            let _ = writeln!(lines, "en passant {square} of {}", source(span));
        }
        if let Some(rest) = &reading.fen_rest {
            let _ = writeln!(lines, "rest {rest}");
        }
        if let Some(board) = reading.board.as_ref().filter(|_| !reading.places.is_empty()) {
            let place = |cell: u16, span| {
                format!("{}:{}", square_name(board.square(cell.into()), asked.format.is_cube()), source(span))
            };
            let places: Vec<String> = reading.places.iter().map(|p| place(p.cell, p.span)).collect();
            let _ = writeln!(lines, "pieces {}", places.join(" "));
        }
        if reading.is_good() {
            let _ = writeln!(lines, "{}", parts(text, form, asked));
        }
        for finding in &reading.findings {
            let _ =
                writeln!(lines, "{} `{}`: {}", finding.code.name(), source(finding.span), finding.message);
            for note in &finding.notes {
                let _ = writeln!(lines, "  note {note}");
            }
            for related in &finding.related {
                let _ = writeln!(lines, "  `{}`: {}", source(related.span), related.message);
            }
            for fix in &finding.fixes {
                let safe = if fix.safe { " (safe)" } else { "" };
                let _ = writeln!(lines, "  {}{safe} → {}", fix.title, edited(text, fix.edits.clone()));
            }
        }
        if let Some(board) = reading.board.filter(|_| reading.findings.is_empty()) {
            lines += &written_again(&board, asked, reading.turn);
        }
        lines
    })
}

/// Each format in which a board can be written, read again. With `written` they are shown.
fn written_again(board: &Board, asked: &Asked, turn: Option<Colour>) -> String {
    let mut lines = String::new();
    for (target, spread) in Target::ALL.into_iter().flat_map(|target| [(target, false), (target, true)]) {
        let turn = turn.unwrap_or(Colour::Black);
        let style = Style { origin: asked.origin, turn, line: "\n    ".into(), spread, empty: None };
        let Some(new) = write(board, asked.format, target, &style) else { continue };
        let columns = format!("{}x{}", board.size.w, board.size.h);
        let size = SizeValue::parse(&columns, Span::at(0), true);
        let again = Asked { size, is_written: false, ..*asked };
        again.read(&new, |_, _, reading| {
            assert!(reading.findings.is_empty(), "{new}\n{:?}", reading.findings);
            assert_eq!(reading.board.as_ref(), Some(board), "{new}");
            assert!(reading.turn.is_none_or(|read| read == turn), "{new}");
        });
        if asked.is_written {
            let how = if spread { " spread" } else { "" };
            let _ = writeln!(lines, "{}{how} {}", target.name(), shown(&new));
        }
    }
    lines
}

#[test]
fn boards_are_read_as_they_are_meant() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/board/readings.txt");
    let cases = std::fs::read_to_string(path).expect("the fixture").replace("\r\n", "\n");
    let is_blessed = std::env::var_os("CPZ_BLESS").is_some();
    let (head, _) = cases.split_once("=== ").expect("a case");
    let mut all = head.to_string();
    let mut wrong = String::new();
    for case in cases.split("=== ").skip(1) {
        let (title, rest) = case.split_once('\n').expect("a title");
        let board = rest.split("\n---\n").next().unwrap_or_default();
        let written = board.replace('␍', "\r").replace('␣', " ");
        let case_found = format!("{title}\n{board}\n---\n{}\n", found(&Asked::of(title), &written));
        if case.trim_end() != case_found.trim_end() {
            let _ = writeln!(wrong, "FOUND\n{case_found}\nWANTED\n{case}");
        }
        all += &format!("=== {case_found}");
    }
    match is_blessed {
        true => std::fs::write(path, format!("{}\n", all.trim_end())).expect("the fixture is written"),
        false => assert!(wrong.is_empty(), "\n{wrong}"),
    }
}

#[test]
fn figurines_are_those_of_their_pieces() {
    for &id in GameId::ALL {
        let format = game(id).format();
        for &(letter, piece) in format.letters {
            assert_eq!(format.piece(letter), Some(piece));
            let figurine = format.figurine_of(piece).expect("a figurine");
            assert_eq!(('\u{26C0}'..='\u{26C3}').contains(&figurine), piece.kind == Kind::Man, "{piece}");
            assert_eq!(format.figurine(figurine), Some(piece), "{piece}");
        }
    }
}

#[test]
fn squares_are_read_as_numbers_or_names() {
    let format = game(GameId::Chess).format();
    let frame = CoordinateFrame { origin: 1, size: Size::flat(8, 8) };
    let text = "chess { board [[3,1], [e1], [11], e1, [e1,3], [1,2,3], [9,1], [x], [3]] }";
    let tree = parse(text);
    let board = tree.puzzles().next().and_then(|puzzle| puzzle.boards().next()).expect("a board");
    let Some(BoardForm::Lists(squares)) = board.form() else { panic!("lists") };
    let found: Vec<String> = squares
        .elements()
        .into_iter()
        .map(|element| read_square(element, format, frame).map(|read| (read.square, read.span)))
        .map(|read| match read {
            Ok((square, span)) => format!("{} {}", square_name(square, false), &text[span.range()]),
            Err(finding) => format!("{} {}", finding.code.name(), &text[finding.span.range()]),
        })
        .collect();
    let due = [
        "c1 3,1",
        "e1 e1",
        "a1 11",
        "e1 e1",
        "invalid-value [e1,3]",
        "invalid-value [1,2,3]",
        "off-board 9,1",
        "invalid-value [x]",
        "invalid-value [3]",
    ];
    assert_eq!(found, due);
}

#[test]
fn a_board_has_the_squares_within_its_sides() {
    let size = Size { w: 3, h: 4, d: 5 };
    for (x, y, z) in (0..7).flat_map(|x| (0..7).flat_map(move |y| (0..7).map(move |z| (x, y, z)))) {
        assert_eq!(size.has(Square { x, y, z }), x < 3 && y < 4 && z < 5, "{x} {y} {z}");
    }
}
