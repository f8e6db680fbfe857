//! The board beside the text: what is drawn, step by step, and where its squares stand in the text.

use std::collections::BTreeMap;

use crate::harness::examples::examples;
use cpz::analysis::{Config, Defaults, Options, bind_one, position_of, puzzle_at, puzzles, report_of};
use cpz::board::square_name;
use cpz::games::Budget;
use cpz::ide::{BoardRequest, BoardView, board_view, square_source};
use cpz::syntax::{Tree, parse};

fn show(tree: &Tree, at: u32, line: Option<usize>, frame: Option<usize>) -> Option<BoardView> {
    show_chosen(tree, at, line, frame, &[])
}

fn show_chosen(
    tree: &Tree,
    offset: u32,
    line: Option<usize>,
    frame: Option<usize>,
    choices: &[usize],
) -> Option<BoardView> {
    let options = Options { answers: true, nodes: 100_000, ..Options::default() };
    let budget = Budget::new(1_000_000, None);
    let request = BoardRequest { offset, line, frame, choices, across: None, budget: &budget };
    board_view(tree, &Config::default(), &request, |puzzle, settings| report_of(puzzle, settings, &options))
}

/// A text with a cursor at `$0`.
fn at(text: &str, line: Option<usize>, frame: Option<usize>) -> (Tree, BoardView) {
    let at = text.find("$0").expect("a cursor") as u32;
    let tree = parse(text.replacen("$0", "", 1));
    let found = show(&tree, at, line, frame).expect("a board");
    (tree, found)
}

/// What a picture says of its squares: name, class and what stands there.
fn squares(svg: &str) -> BTreeMap<String, (String, String)> {
    if svg.is_empty() {
        return BTreeMap::new();
    }
    let page = roxmltree::Document::parse(svg).expect("well-formed XML");
    let squares = page.descendants().filter(|n| n.has_attribute("data-square"));
    let square = |n: roxmltree::Node<'_, '_>| {
        let name = n.attribute("data-square").unwrap().to_string();
        let label = n.attribute("aria-label").unwrap();
        let stands = label.strip_prefix(&format!("{name}, ")).expect("a name first").to_string();
        let is_piece =
            |c: &roxmltree::Node<'_, '_>| c.attribute("class").is_some_and(|c| c.starts_with("piece"));
        let drawn = n.children().filter(is_piece).count();
        assert_eq!(drawn, usize::from(stands != "empty" && stands != "missing"), "{label}");
        (name, (n.attribute("class").unwrap().to_string(), stands))
    };
    squares.map(square).collect()
}

fn pieces(svg: &str) -> BTreeMap<String, String> {
    squares(svg)
        .into_iter()
        .filter(|(_, (_, s))| s != "empty" && s != "missing")
        .map(|(n, (_, s))| (n, s))
        .collect()
}

fn marked(svg: &str, class: &str) -> Vec<String> {
    let has = |c: &str| c.split(' ').any(|c| c == class);
    squares(svg).into_iter().filter(|(_, (c, _))| has(c)).map(|(n, _)| n).collect()
}

/// The pages that show pictures load nothing from elsewhere.
fn is_alone(svg: &str) {
    if svg.is_empty() {
        return;
    }
    let page = roxmltree::Document::parse(svg).expect("well-formed XML");
    for node in page.descendants().filter(|n| n.is_element()) {
        assert!(
            !["script", "style", "image", "foreignObject", "a"].contains(&node.tag_name().name()),
            "{svg}"
        );
        for a in node.attributes() {
            assert!(!a.name().starts_with("on") && a.name() != "style", "{} in {svg}", a.name());
            if a.name() == "href" {
                let id = a.value().strip_prefix('#').expect("a shape of the picture itself");
                assert!(page.descendants().any(|n| n.attribute("id") == Some(id)), "{id}");
            }
        }
    }
}

#[test]
fn panel_shows_a_failing_step_on_the_board_before_it() {
    let text = include_str!("../../../examples/mistakes/source002-printed-solution.cpz");
    let cursor = text.replacen("[[3,1], [1,3]]]", "[[3,1$0], [1,3]]]", 1);
    let (tree, found) = at(&cursor, None, None);
    assert_eq!((found.frame.number, found.frames, found.frame.failed), (5, 6, true));
    assert_eq!(found.frame.caption, "Step 5 of 5 fails: the pawn on d2 cannot capture on b4");
    assert_eq!(&tree.text()[found.frame.span.unwrap().range()], "[[3,1], [1,3]]");
    assert_eq!(marked(&found.frame.svg, "failed"), ["b4", "d2"]);
    assert_eq!(pieces(&found.frame.svg).len(), 2);
    assert_eq!(found.state, "✗ step 5: the pawn on d2 cannot capture on b4");
    // Beside it a solution that works.
    assert_eq!(found.lines, ["as written", "a solution that works"]);
    let (_, good) = at(&cursor, Some(1), Some(99));
    assert_eq!((good.frame.number, good.frame.failed), (5, false));
    assert_eq!(pieces(&good.frame.svg).len(), 1);
}

#[test]
fn panel_has_captions_and_frames() {
    // A text with its cursor, the way to play, the picture, and: how many pictures, whether it fails, the
    // caption's beginning, the pieces that are left.
    let cases: &[(&str, usize, usize, usize, bool, &str, usize)] = &[
        ("solitaire { bo$0ard ...N.....R....B. solve }", 0, 0, 3, false, "The start: 3 pieces", 3),
        ("solitaire { board ...N.....R....B. sol$0ve }", 0, 2, 3, false, "Step 2 of 2: the ", 1),
        ("solitaire { board ...N.....R....B. solve$0 => [] }", 0, 9, 1, true, "the solution stops short", 3),
        (
            "solitaire { board ...N.....R....B. solve$0 => [[[2,0],[1,1]]] }",
            0,
            9,
            3,
            true,
            "the solution stops short",
            2,
        ),
        (
            "solitaire { board ...N.....R....B. solve$0 => [[[2,0],[1,1]],[[1,1],[9,9]]] }",
            0,
            9,
            3,
            true,
            "this is off the 4×4 board",
            2,
        ),
        (
            "draughts { board W:Wc3,e1:Bd6,f6 line$0 => c3-d4 f6-e5 d4xf6 }",
            0,
            3,
            4,
            false,
            "Move 3 of 3: d4:f6",
            3,
        ),
        (
            "draughts { board W:Wc3,e1:Bd6,f6 line$0 => c3-d4 f6-f5 }",
            0,
            9,
            3,
            true,
            "step 2 fails: f5 is a light",
            4,
        ),
        ("solitaire { board R... sol$0ve }", 0, 0, 1, false, "Solved already", 1),
        ("solitaire { board R..N cou$0nt }", 0, 0, 1, false, "no solution", 2),
        (
            "chess { board 8/8/8/4k3/8/8/8/4K2R mo$0ve Rh8 }",
            0,
            0,
            2,
            false,
            "Rh8 is legal: the white rook on h1 goes to h8",
            3,
        ),
        (
            "chess { board 8/8/8/4k3/8/8/8/4K2R mo$0ve Rh8 }",
            0,
            1,
            2,
            false,
            "the white rook on h1 goes to h8",
            3,
        ),
        (
            "chess { board 8/P7/8/4k3/8/8/8/4K3 mo$0ve a8=N }",
            0,
            1,
            2,
            false,
            "the white pawn on a7 goes to a8",
            3,
        ),
        ("chess { board 8/8/8/4k3/8/8/8/4K2R mo$0ve Re7 }", 0, 9, 1, true, "this move is illegal", 3),
        ("chess { board 8/8/8/4k3/8/8/8/4K2R mo$0ve O-O }", 0, 9, 1, true, "", 3),
        (
            "chess { board R5k1/5ppp/8/8/8/8/8/6K1 turn black ma$0te }",
            0,
            0,
            13,
            false,
            "Black is checkmated",
            6,
        ),
        (
            "chess { board R5k1/5ppp/8/8/8/8/8/6K1 turn black ma$0te }",
            0,
            2,
            13,
            false,
            "Reason 2 of 12: f7: occupied by its own pawn",
            6,
        ),
        (
            "chess { board R5k1/5ppp/8/8/8/8/8/6K1 turn black ma$0te => false }",
            0,
            0,
            13,
            true,
            "black is checkmated",
            6,
        ),
        (
            "draughts { board [[\"W\",\"K\",1,1],[\"B\",\"M\",3,3]] cap$0ture }",
            0,
            0,
            2,
            false,
            "The start: 2",
            2,
        ),
        (
            "draughts { board [[\"W\",\"K\",1,1],[\"B\",\"M\",3,3]] cap$0ture }",
            0,
            1,
            2,
            false,
            "Step 1 of 1: the white king on a1 jumps to d4 and takes the black man on c3",
            1,
        ),
        ("chess { board 8/8/8/4k3/8/8/8/4$0K2R }", 0, 0, 1, false, "3 pieces", 3),
        ("chess { board 8/8/8/4k3/8/8/8/4$0K2 mate }", 0, 0, 1, false, "The board so far: 8 of 8 rows", 2),
        ("chess { board 8/8/8/4k3/8/8/8/4K2 ma$0te }", 0, 0, 1, true, "rank 1 has 7", 2),
        ("chess { ma$0te }", 0, 0, 1, true, "this puzzle has no board", 0),
        ("solitaire { $0 }", 0, 0, 1, false, "No board yet", 0),
        ("solitaire {\n board\n  . . . N$0 }", 0, 0, 1, false, "The board so far: 1 row, 4 columns", 1),
        (
            "solitaire {\n board\n  . . . N\n  . B$0\n}",
            0,
            0,
            1,
            false,
            "The board so far: 2 rows, 4 columns",
            2,
        ),
        (
            "solitaire {\n board\n  . . . N\n  . B . .\n  sol$0\n}",
            0,
            0,
            1,
            false,
            "The board so far: 2 rows",
            2,
        ),
        ("solitaire$0 {\n board\n  . . . N\n  . B\n  solve }", 0, 0, 1, true, "row 2 has 2 cells", 2),
        ("chess {\n board\n  rnbqkbnr\n  ppp$0 }", 0, 0, 1, false, "The board so far: 2 of 8 rows", 11),
        (
            "draughts { board [[\"W\",\"K\",1,1],[\"B\",\"M\",3,3],[\"B\",\"M\",5,5]] cap$0ture => [a1, d4, f6] }",
            0,
            1,
            3,
            false,
            "Step 1 of 2: the white king on a1 jumps to d4 and takes the black man on c3",
            3,
        ),
    ];
    for &(text, line, frame, frames, failed, caption, left) in cases {
        let (_, found) = at(text, Some(line), Some(frame));
        let got = (found.frames, found.frame.failed, pieces(&found.frame.svg).len());
        assert_eq!(got, (frames, failed, left), "{text}\n{}", found.frame.caption);
        assert!(found.frame.caption.starts_with(caption), "{text}\n{}", found.frame.caption);
        // Each sentence begins with a capital, unless with the name of a square.
        let words = &found.frame.words;
        let small = |sentence: &str| sentence.starts_with(char::is_lowercase) && &sentence[1..2] > "9";
        assert!(!words.split(". ").any(small), "{text}\n{words}");
    }
}

/// Nothing is red while a board is typed, in any game and form, and no headline blames what is not finished.
#[test]
fn panel_blames_no_board_while_it_is_typed() {
    for text in [
        "solitaire {\n  board\n    . . . N\n    R P . .\n  solve\n}\n",
        "chess {\n  board 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w\n  mate in 1\n}\n",
        "chess {\n  board\n    r n b q k b n r\n    p p p p p p p p p\n    . . . . . . . .\n}\n",
        "chess {\n  board [[\"W\",\"K\",5,1], [\"B\",\"K\",5,8]]\n  mate\n}\n",
        "chess3d {\n  size 3\n  board\n    ###\n    ##k\n    #K#\n\n    ###\n    #r#\n    ###\n\n    ###\n    ###\n    ###\n  mate\n}\n",
        "draughts {\n  board \"W:WKa1:Bc3,e5\"\n  capture\n}\n",
    ] {
        let first = text.find(" board").unwrap() + 2;
        for end in first..text.len() - 2 {
            let typed = format!("{}$0\n}}\n", &text[..end]);
            let (_, found) = at(&typed, None, None);
            assert!(!found.frame.failed, "{typed}\n{}", found.frame.caption);
            assert!(!found.state.starts_with('✗'), "{typed}\n{}", found.state);
        }
    }
}

/// Every prefix of a board that a person types has a picture of its rows, and none is red.
#[test]
fn panel_draws_a_board_while_it_is_typed() {
    let text = "solitaire \"x\" {\n  board\n    . . . N\n    . B . .\n    R P . .\n    . . . Q\n  solve\n}\n";
    let (first, last) = (text.find(". . . N").unwrap(), text.find("  solve").unwrap());
    for end in first + 1..last {
        let typed = format!("{}$0\n}}\n", &text[..end]);
        let (_, found) = at(&typed, None, None);
        assert!(!found.frame.failed, "{typed}\n{}", found.frame.caption);
        let columns = squares(&found.frame.svg).keys().filter(|name| name.ends_with('1')).count();
        let written = |line: &str| line.chars().filter(|c| !c.is_whitespace()).count();
        let rows: Vec<usize> = text[first..end].lines().map(written).filter(|&n| n > 0).collect();
        assert_eq!(Some(columns), rows.iter().copied().max(), "{typed}");
        assert_eq!(squares(&found.frame.svg).len(), columns * rows.len(), "{typed}");
        assert_eq!(
            marked(&found.frame.svg, "missing").len(),
            columns * rows.len() - rows.iter().sum::<usize>()
        );
    }
}

#[test]
fn panel_removes_jumped_pieces_after_the_capture() {
    let text = "draughts { board [[\"W\",\"K\",1,1],[\"B\",\"M\",3,3],[\"B\",\"M\",5,5]] cap$0ture => [a1, d4, f6] }";
    let danger = |line, frame| marked(&at(text, Some(line), Some(frame)).1.frame.svg, "danger");
    for line in 0..2 {
        assert_eq!(
            [danger(line, 0), danger(line, 1), danger(line, 2)],
            [vec![], vec!["c3".to_string()], vec![]]
        );
        let last = at(text, Some(line), Some(2)).1.frame.svg;
        assert_eq!(pieces(&last).len(), 1);
        assert_eq!(last.matches("class=\"ghost black\"").count(), 2, "the captured men are seen faintly");
    }
}

#[test]
fn panel_shows_both_solutions_of_a_puzzle_that_is_not_unique() {
    let text = "solitaire { board [N.R., ...., .P.., B...] uni$0que solve }";
    let (_, first) = at(text, Some(0), Some(0));
    assert_eq!(first.lines.first().map(String::as_str), Some("solution"), "{:?}", first.state);
    let other = first.lines.get(1).expect("a second solution").clone();
    let step: usize =
        other.strip_prefix("another solution, from step ").expect("where they part").parse().unwrap();
    let (_, at_fork) = at(text, Some(1), Some(step));
    assert!(at_fork.frame.caption.ends_with("(here the solutions part)"), "{}", at_fork.frame.caption);
    let (_, before) = at(text, Some(0), Some(step));
    assert_ne!(before.frame.svg, at_fork.frame.svg);
}

#[test]
fn panel_shows_the_puzzle_at_or_near_the_cursor() {
    let text = "note 'x'\n\n// of a\nsolitaire \"a\" { board R..N solve }\n\nturn black\n// of b\nchess \"b\" { board 8/8/8/4k3/8/8/8/4K2R mate }\n";
    let tree = parse(text);
    for (part, name) in
        [("note", "a"), ("of a", "a"), ("R..N", "a"), ("turn", "a"), ("of b", "b"), ("mate", "b")]
    {
        let offset = text.find(part).unwrap() as u32;
        let found = show(&tree, offset, None, None).expect("a board");
        assert_eq!(found.name.as_deref(), Some(name), "{part}");
        assert_eq!(found.description, [format!("of {name}")]);
    }
    assert!(show(&parse("// nothing\n"), 3, None, None).is_none());
}

#[test]
fn panel_names_queries_without_their_answers() {
    let text = "chess {\n  board 7k/8/5K2/8/8/8/8/R7\n  h#2 => \"1. Kg8 Kg6 2. Kf8 Ra8#\"\n  twin b: a1 to b1 => \"1. Kg8 Kg6 2. Kf8 Rb8#\"\n}\n";
    let found = show(&parse(text), 3, None, None).expect("a board");
    let labels: Vec<&str> = found.queries.iter().map(|query| query.label.as_str()).collect();
    assert_eq!(labels, ["h#2", "twin b: a1 to b1"]);
}

#[test]
fn panel_svg_of_every_example_is_well_formed() {
    for (path, text) in examples() {
        let tree = parse(text.clone());
        for (puzzle, _) in puzzles(&tree, Defaults::default()) {
            let places = puzzle.queries().map(|q| q.span().start).chain([puzzle.span().start]);
            for offset in places {
                let first = show(&tree, offset, None, None).expect("a board");
                for line in 0..first.lines.len() {
                    let frames = show(&tree, offset, Some(line), Some(0)).expect("a board").frames;
                    let mut before: Option<BoardView> = None;
                    for frame in 0..frames {
                        let found = show(&tree, offset, Some(line), Some(frame)).expect("a board");
                        assert_eq!((found.line, found.frame.number), (line, frame));
                        is_alone(&found.frame.svg);
                        assert!(!found.frame.caption.is_empty(), "{path:?} {:?}", found.name);
                        // What is in the picture is what is said of it.
                        let board = found.frame.words.split(". ").next().unwrap_or_default();
                        let said: usize = board.matches([',', ';']).count();
                        let drawn = pieces(&found.frame.svg).len();
                        assert!(drawn == 0 || said + 1 == drawn, "{}", found.frame.words);
                        if let Some(span) = found.frame.span {
                            assert!(puzzle.span().start <= span.start && span.end <= puzzle.span().end);
                        }
                        // Steps take one piece off at most, and only captures do.
                        if let Some(before) = before
                            && found.game == "solitaire"
                            && !found.frame.failed
                        {
                            assert_eq!(pieces(&before.frame.svg).len(), drawn + 1, "{path:?}");
                        }
                        before = Some(found);
                    }
                    if let Some(last) = before
                        && last.game == "solitaire"
                        && last.frames > 1
                        && !last.frame.failed
                    {
                        assert_eq!(pieces(&last.frame.svg).len(), 1, "{path:?} {:?}", last.name);
                    }
                }
            }
        }
    }
}

#[test]
fn panel_shows_the_step_at_the_cursor() {
    for (path, text) in examples() {
        let tree = parse(text.clone());
        for (puzzle, settings) in puzzles(&tree, Defaults::default()) {
            let Some(bound) = bind_one(puzzle, settings) else { continue };
            for query in puzzle.queries() {
                for (i, (_, span)) in cpz::analysis::steps_of(&bound, query).into_iter().enumerate() {
                    let found = show(&tree, span.start, None, None).expect("a board");
                    // Behind a step that fails there is nothing to show.
                    if found.frame.span == Some(span) {
                        assert_eq!(found.frame.number, i + 1, "{path:?}");
                    } else {
                        assert!(found.state.starts_with('✗'), "{path:?} {:?}", found.name);
                    }
                }
            }
        }
    }
}

#[test]
fn panel_square_leads_to_its_text() {
    let mut empties = 0;
    for (path, text) in examples() {
        let tree = parse(text.clone());
        for (puzzle, settings) in puzzles(&tree, Defaults::default()) {
            let Some(bound) = bind_one(puzzle, settings) else { continue };
            let (Some(position), Some(board)) = (position_of(&bound), puzzle.boards().next()) else {
                continue;
            };
            let format = bound.game.format();
            let offset = puzzle.span().start;
            for cell in 0..position.board.cells.len() {
                let square = position.board.square(cell);
                let name = square_name(square, format.is_cube());
                let found = square_source(&tree, Defaults::default(), offset, &name);
                let Some(piece) = position.board.at(square) else {
                    if let Some(span) = found {
                        let letters = text[span.range()].trim_matches(['\'', '"']);
                        assert!(
                            letters.chars().all(|c| !c.is_alphabetic() && !('1'..='9').contains(&c)),
                            "{letters}"
                        );
                        empties += 1;
                    }
                    continue;
                };
                let span = found.unwrap_or_else(|| panic!("{path:?} {name} is written nowhere"));
                assert!(board.span().start <= span.start && span.end <= board.span().end);
                let written = text[span.range()].to_uppercase();
                let number = format.number(piece).abs().to_string();
                let letter = piece.kind.letter().to_string();
                // PDN writes a man as his square alone.
                let alone = name.to_uppercase();
                let texts = [format.letter(piece).to_uppercase().to_string(), letter, number, alone];
                assert!(texts.iter().any(|t| written.contains(t.as_str())), "{path:?} {name}: {written}");
            }
        }
    }
    assert!(empties > 500, "empty squares of text and matrices are found too: {empties}");
    let tree = parse("chess { board 8/8/8/4k3/8/8/8/4K2R mate }");
    assert_eq!(square_source(&tree, Defaults::default(), 0, "a1"), None);
    assert_eq!(square_source(&tree, Defaults::default(), 0, "z9"), None);
}

#[test]
fn panel_never_panics_in_cut_off_examples() {
    for (_, text) in examples() {
        for (end, _) in text.char_indices().filter(|(i, _)| i % 61 == 0) {
            let tree = parse(text[..end].to_string());
            for offset in [end.saturating_sub(7), end] {
                if let Some(found) = show(&tree, offset as u32, None, Some(3)) {
                    is_alone(&found.frame.svg);
                    assert!(found.frame.number < found.frames);
                }
                let _ = puzzle_at(&tree, Defaults::default(), offset as u32);
            }
        }
    }
}

#[test]
fn picture_of_a_large_cube_fits_a_hover() {
    // An editor shows no more of a hover than 100,000 characters.
    let row = "q".repeat(10);
    let level = format!("[{}]", vec![row; 10].join(","));
    let text = format!("chess3d {{ board {} mate }}", vec![level; 10].join(","));
    let tree = parse(text);
    let options = Options { answers: true, ..Options::default() };
    let found = cpz::ide::hover(&tree, &Config::default(), 12, true, |p, s, _| report_of(p, s, &options));
    let length = found.expect("a hover").markdown.len();
    assert!(length < 100_000, "{length}");
}
