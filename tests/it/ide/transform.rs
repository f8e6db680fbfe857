//! Puzzles mirrored, turned, put under other rules and into order: the text before and after.

use crate::harness::examples::examples;
use crate::harness::{Case, blessing, cases, full, selected};
use cpz::analysis::{Defaults, Options, Outcome, bind_one, position_of, puzzles, report_of};
use cpz::board::{Board, Colour, Kind, Piece, Size, Square, Style, Target, write};
use cpz::diagnostic::Edit;
use cpz::games::{Answer, game};
use cpz::ide::{Transform, apply, sort_coordinates, switch_dialect, transform, transform_title};
use cpz::syntax::{GameId, Tree, parse};
use proptest::prelude::*;

const CASES: &str = "tests/fixtures/ide/transform.txt";

/// A text without its `$0`, and where it stood.
fn cursor(text: &str) -> (Tree, u32) {
    let at = text.find("$0").expect("a cursor");
    (parse(text.replacen("$0", "", 1)), at as u32)
}

/// What a case comes to, under a heading.
fn shown(tree: &Tree, heading: &str, after: Result<Vec<Edit>, String>) -> String {
    match after {
        Ok(edits) if edits.is_empty() => format!("--- {heading}: no change\n"),
        Ok(edits) => format!("--- {heading}\n{}\n", apply(tree.text(), &edits)),
        Err(why) => format!("--- not: {why}\n"),
    }
}

fn after(what: &str, before: &str) -> String {
    let (tree, at) = cursor(before);
    match what {
        "Sort" => shown(&tree, "AFTER", sort_coordinates(&tree, Defaults::default(), at)),
        "Rules" => {
            let all = switch_dialect(&tree, Defaults::default(), at);
            all.into_iter().map(|(dialect, edits)| shown(&tree, dialect.word(), Ok(edits))).collect()
        }
        how => {
            let how = Transform::ALL.into_iter().find(|t| format!("{t:?}") == how).expect("a transform");
            shown(&tree, "AFTER", transform(&tree, Defaults::default(), at, how))
        }
    }
}

/// Each case is `=== WHAT`, the text with its cursor, and what comes of it. With `CPZ_BLESS` set, what
/// comes of it is written down in place of being compared.
#[test]
fn transform_cases() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(CASES);
    let text = std::fs::read_to_string(&path).expect("the cases").replace("\r\n", "\n");
    let mut found = String::new();
    for Case { title: what, text: before, .. } in cases(&text) {
        found.push_str(&format!("=== {what}\n{before}\n{}\n", after(what, before)));
    }
    let filtered = std::env::var_os("CPZ_CASE").is_some();
    if blessing() && !filtered && found != text {
        std::fs::write(&path, &found).expect("the cases are written");
        return;
    }
    for (wanted, found) in text.split("\n=== ").zip(found.split("\n=== ")) {
        if !selected(found.lines().next().unwrap_or_default()) {
            continue;
        }
        assert!(wanted.trim_end() == found.trim_end(), "\nFOUND\n{found}\nWANTED\n{wanted}");
    }
}

// ---- properties

fn inverse(how: Transform) -> Transform {
    match how {
        Transform::TurnRight => Transform::TurnLeft,
        Transform::TurnLeft => Transform::TurnRight,
        own => own,
    }
}

/// The text after a transform, if that is offered.
fn offered(text: &str, how: Transform) -> Option<String> {
    let edits = transform(&parse(text), Defaults::default(), 0, how).ok()?;
    Some(apply(text, &edits))
}

/// The text after a transform and the opposite one. The second is offered wherever the first one is.
fn there_and_back(text: &str, how: Transform) -> Option<[String; 2]> {
    let once = offered(text, how)?;
    let back = offered(&once, inverse(how)).unwrap_or_else(|| panic!("{how:?}: no way back\n{text}{once}"));
    Some([once, back])
}

fn board(text: &str) -> Board {
    let tree = parse(text);
    let (puzzle, settings) = puzzles(&tree, Defaults::default()).next().expect("a puzzle");
    let bound = bind_one(puzzle, settings).expect("a game");
    position_of(&bound).unwrap_or_else(|| panic!("no board\n{text}")).board
}

fn solvable(text: &str) -> bool {
    let tree = parse(text);
    let (puzzle, settings) = puzzles(&tree, Defaults::default()).next().expect("a puzzle");
    let report = report_of(puzzle, settings, &Options { answers: true, ..Options::default() });
    match &report.queries[0].outcome {
        Outcome::Answer(Answer::Solve(solution)) => solution.is_some(),
        other => panic!("{other:?}\n{text}"),
    }
}

/// A puzzle in each form that its game has, on lines of their own and on one.
fn forms(id: GameId, board: &Board) -> Vec<String> {
    let format = game(id).format();
    let ask = if id == GameId::Solitaire { "solve" } else { "mate" };
    let mut all = Vec::new();
    for target in Target::ALL {
        for spread in [false, true] {
            let line = "\n    ".to_string();
            let style = Style { origin: format.origin, turn: Colour::White, line, spread, empty: None };
            let Some(text) = write(board, format, target, &style) else { continue };
            let Size { w, h, .. } = board.size;
            all.push(format!("{} {{\n  size {w}x{h}\n  board {text}\n  {ask}\n}}\n", format.game));
        }
    }
    all
}

/// Whatever is offered leads back to the same text, byte by byte.
fn returns(text: &str) {
    let size = board(text).size;
    for how in Transform::ALL {
        match there_and_back(text, how) {
            Some([once, back]) => assert_eq!(back, text, "{how:?}\n{once}"),
            // A column that becomes a row stands in one run from then on.
            None => assert_eq!(size.w.min(size.h), 1, "{how:?} is not offered\n{text}"),
        }
    }
    let quarter = |text: Option<String>, _| offered(&text?, Transform::TurnRight);
    let round = (0..4).fold(Some(text.to_string()), quarter);
    assert!(round.is_none_or(|round| round == text), "{text}");
}

fn pieces(kinds: &'static [Kind], colours: &'static [Colour]) -> impl Strategy<Value = Vec<(usize, Piece)>> {
    let one = (0usize..64, 0..kinds.len(), 0..colours.len());
    let piece = move |(at, k, c): (usize, usize, usize)| (at, Piece::new(colours[c], kinds[k]));
    proptest::collection::vec(one.prop_map(piece), 1..9)
}

fn put(size: Size, pieces: &[(usize, Piece)]) -> Board {
    let mut board = Board::empty(size);
    for &(at, piece) in pieces {
        let cell = at % board.cells.len();
        board.cells[cell] = Some(piece);
    }
    board
}

/// The codes of what is found in a puzzle, sorted.
fn codes(text: &str) -> Vec<&'static str> {
    let tree = parse(text);
    let (puzzle, settings) = puzzles(&tree, Defaults::default()).next().expect("a puzzle");
    let report = report_of(puzzle, settings, &Options { nodes: 100_000, ..Options::default() });
    let mut codes: Vec<&str> = report.findings.iter().map(|f| f.code.name()).collect();
    codes.sort_unstable();
    codes
}

/// The examples, each puzzle by itself.
fn puzzles_of_examples() -> Vec<String> {
    let texts = examples().into_iter();
    texts
        .flat_map(|(_, t)| parse(t).puzzles().map(|p| p.node().text().to_string()).collect::<Vec<_>>())
        .collect()
}

#[test]
fn transforms_of_examples_are_invertible_and_keep_findings() {
    let mut done = 0;
    let texts = puzzles_of_examples().into_iter().enumerate();
    // All kinds of line ends.
    for text in texts.map(|(i, text)| text.replace('\n', ["\n", "\r\n", "\r"][i % 3])) {
        for how in Transform::ALL {
            let Some([once, back]) = there_and_back(&text, how) else { continue };
            if !transform_title(&parse(&text[..]), Defaults::default(), 0, how).contains("castling") {
                assert_eq!(back, text, "{how:?}\n{once}");
            }
            // What has a direction may come to have a solution, and would lose it on the way back.
            let one_way = text.contains(['P', 'p', 'w', 'b', 'm', 'M']) && !text.starts_with("chess3d");
            if text.starts_with("solitaire") && !text.contains("ranger") && !text.contains("solo") || !one_way
            {
                assert_eq!(codes(&once), codes(&text), "{how:?}\n{once}");
                assert_eq!(board(&back), board(&text), "{how:?}\n{text}{once}");
                done += 1;
            }
        }
    }
    assert!(done > 200, "{done}");
}

#[test]
fn cells_of_one_width_move_without_the_blanks_between_them() {
    let text = "solitaire {\n  board\n    R . . N\n    . . B .\n    Q . . .\n    . K . .\n  solve\n}\n";
    for how in Transform::ALL {
        let edits = transform(&parse(text), Defaults::default(), 0, how).expect("it is offered");
        let is_cell = |e: &Edit| e.span.range().len() == 1 && e.text.len() == 1;
        assert!(!edits.is_empty() && edits.iter().all(is_cell), "{how:?}: {edits:?}");
    }
}

#[test]
fn castling_rights_are_lost_with_a_word_in_the_title() {
    let text = "chess { board r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 move Rg1 }";
    let how = Transform::MirrorColumns;
    let title = |text: &str| transform_title(&parse(text), Defaults::default(), 0, how);
    assert_eq!(title(text), "Mirror the board left to right (without castling rights)");
    let [once, back] = there_and_back(text, how).expect("it is offered");
    assert_eq!(title(&once), "Mirror the board left to right");
    assert_eq!(back, text.replace("KQkq", "-"));
    // Nothing is said of castling, and a problem has the rights that its men allow.
    let text = "chess { board 4k3/8/8/8/8/8/8/4K2R mate in 1 => none }";
    assert_eq!(title(text), "Mirror the board left to right (without castling rights)");
    let [once, back] = there_and_back(text, how).expect("it is offered");
    // On the way back they would come to have rights that the mirrored problem has not.
    assert_eq!(title(&once), "Mirror the board left to right (without castling rights)");
    assert_eq!(back, text.replace("board", "castling - board"));
    for (text, mirrored) in [
        (
            "chess { board 8/8/8/8/8/2k5/8/R2K4 #3 => none }",
            "chess { castling - board 8/8/8/8/8/5k2/8/4K2R #3 => none }",
        ),
        (
            "chess { castling K board 4k3/8/8/8/8/8/8/4K2R mate in 1 => none }",
            "chess { castling - board 3k4/8/8/8/8/8/8/R2K4 mate in 1 => none }",
        ),
        (
            "chess { board 8/8/8/8/8/2k5/8/1R1K4 #1 => none twin b: b1 to a1 => none\n}",
            "chess { castling - board 8/8/8/8/8/5k2/8/4K1R1 #1 => none twin b: g1 to h1 => none\n}",
        ),
    ] {
        assert!(title(text).ends_with("(without castling rights)"), "{text}");
        let edits = transform(&parse(text), Defaults::default(), 0, how).expect("it is offered");
        assert_eq!(apply(text, &edits), mirrored);
    }
    let text = "chess { en-passant d6 board 4k3/8/8/3pP3/8/8/8/4K3 move Ke2 }";
    let edits = transform(&parse(text), Defaults::default(), 0, how).expect("it is offered");
    assert_eq!(apply(text, &edits), "chess { en-passant e6 board 3k4/8/8/3Pp3/8/8/8/3K4 move Kd2 }");
}

#[test]
fn transforms_never_panic_in_cut_off_texts() {
    let every = if full() { 7 } else { 23 };
    for text in puzzles_of_examples() {
        for cut in (0..text.len()).step_by(every).filter(|&i| text.is_char_boundary(i)) {
            for end in ["", "}", "]] }"] {
                let tree = parse(format!("{}{end}", &text[..cut]));
                for at in [0, cut as u32 / 2] {
                    let done = Transform::ALL.map(|how| transform(&tree, Defaults::default(), at, how));
                    let sorted = sort_coordinates(&tree, Defaults::default(), at);
                    for edits in done.iter().chain([&sorted]).flatten() {
                        apply(tree.text(), edits);
                    }
                    switch_dialect(&tree, Defaults::default(), at);
                }
            }
        }
    }
}

const KINDS: &[Kind] = &[Kind::King, Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight, Kind::Pawn];

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn solitaire_transforms_are_invertible_and_keep_solvability(
        pieces in pieces(KINDS, &[Colour::White]),
        w in 1u8..6,
        h in 2u8..6,
    ) {
        let board = put(Size::flat(w, h), &pieces);
        for text in forms(GameId::Solitaire, &board) {
            returns(&text);
            let was = solvable(&text);
            for how in Transform::ALL {
                let Some(once) = offered(&text, how) else { continue };
                assert_eq!(solvable(&once), was, "{how:?}\n{text}{once}");
            }
        }
    }

    #[test]
    fn chess_transforms_are_invertible(pieces in pieces(KINDS, &[Colour::White, Colour::Black])) {
        let mut board = put(Size::flat(8, 8), &pieces);
        // A turn that has a pawn stand on a last rank, or give a check that cannot be, is not offered.
        let kings: Vec<Square> = board.pieces().filter(|(_, p)| p.kind == Kind::King).map(|p| p.0).collect();
        for i in 0..board.cells.len() {
            let square = board.square(i);
            let at_edge = [square.x, square.y].iter().any(|&n| n == 0 || n == 7);
            let aside = |k: &Square| k.x.abs_diff(square.x) == 1 && k.y.abs_diff(square.y) == 1;
            let unfit = at_edge || kings.iter().any(aside);
            for piece in board.cells[i].iter_mut().filter(|p| p.kind == Kind::Pawn && unfit) {
                piece.kind = Kind::Knight;
            }
        }
        for text in forms(GameId::Chess, &board) {
            returns(&text);
        }
    }
}
