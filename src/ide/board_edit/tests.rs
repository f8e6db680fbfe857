use cpz_text::diagnostic::Span;
use proptest::prelude::*;

use super::*;
use cpz_check::analysis::bind_all;
use cpz_rules::board::Kind;

/// Boards in every form, as they are found.
const FORMS: [&str; 38] = [
    "solitaire { board .....B..RP.....N solve }",
    "solitaire \"A\" {\n  // why\n  board\n    . . . .\n    . B . .\n    R P . .\n    . . . N // last\n  solve => d1xb2 // x\n}",
    "solitaire { board \"....\n.n..\nr...\n....\" }",
    "solitaire { size 5x2 board '..R..\n...N.' }",
    "solitaire { board [['.','B'],['R','.']] solve }",
    "solitaire { board [[0,4],\n [0,5]] }",
    "solitaire { board [.B.., ...., R..., ....] }",
    "solitaire { board [\"..B.\", '.R..'] }",
    "solitaire { board [['','B'],['R','']] }",
    "solitaire { board [[1,2,'B'], [0,1,'R']] solve }",
    "solitaire {\n  board [\n    [0,1,'r'], // the rook\n    [1,2,'b'],\n  ]\n}",
    "solitaire { board [[\"b2\" 'K'] [c3 N]] }",
    "solitaire { board [11,'K'] }",
    "solitaire { origin 1 board [1,1,'R'], [2,2,'B'] }",
    "solitaire { board 4/1k1r/4/n3 }",
    "solitaire { size 2x3 board [[0,0,'R']] }",
    "solitaire { board 0400\n0000\n0050\n0000 }",
    "solitaire { board\n    +---+---+\n    | R | . |\n    +---+---+\n    | . | N |\n    +---+---+\n}",
    "chess { board 8/8/8/4k3/8/8/8/4K2R w K - 0 1 mate }",
    "chess { board \"4k3/8/8/8/8/8/8/4K3\" turn black mate }",
    "chess { board\n  r . . . k . . .\n  . . . . . . . .\n  . . . . . . . .\n  . . . . . . . .\n  . . . . . . . .\n  . . . . . . . .\n  . . . . . . . .\n  . . . . K . . .\n}",
    "chess { board ♜...♚.......................................................♔... }",
    "chess { board [[\"B\",\"K\",3,8], [\"W\",\"K\",5,1], ['W','R',8,1]]\n move Rh2 }",
    "chess { board [[white K e1] [black k e8]] }",
    "chess { board [['e1','K'],[e8,'k'],\n    [a1,'R']] }",
    "chess { board [[ 0, 0, 0, 0, -1, 0, 0, 0],\n [ 0, 0, 0, 0,  0, 0, 0, 0],\n [ 0, 0, 0, 0,  0, 0, 0, 0],\n [ 0, 0, 0, 0,  0, 0, 0, 0],\n [ 0, 0, 0, 0,  0, 0, 0, 0],\n [ 0, 0, 0, 0,  0, 0, 0, 0],\n [ 0, 0, 0, 0,  0, 0, 0, 0],\n [ 0, 0, 0, 0,  1, 0, 0, 0]] }",
    "chess { board\n8 r . . . k . . .\n7 . . . . . . . .\n6 . . . . . . . .\n5 . . . . . . . .\n4 . . . . . . . .\n3 . . . . . . . .\n2 . . . . . . . .\n1 . . . . K . . .\n  a b c d e f g h\n}",
    "chess3d { board [###,n##,#rr],[#b#,###,###],[###,###,bRK] mate => true }",
    "chess3d { size 3 board [[\"W\",\"K\",3,1,1], [\"B\",\"R\",1,2,3]] }",
    "chess3d { size 2 board [['a1 (I)', 'K'], ['b2 (II)', 'k']] }",
    "chess3d { board [[[1,0],[0,0]],[[0,0],[0,-1]]] }",
    "chess3d { board K......k }",
    "draughts { board [[\"W\",\"K\",1,1], [\"B\",\"M\",3,3], [\"B\",\"M\",5,5]] capture }",
    "draughts { board [['w',11], ['B',33]] }",
    "draughts { board \"W:WKa1,c1:Bc3, e5\" capture }",
    "draughts { board \"B:BA7.\" }",
    "draughts { board\n  . . . . . . . .\n  . . . . . . . .\n  . . . . . . . .\n  . . . . . . . .\n  . . . . . . . .\n  . . b . . . . .\n  . . . . . . . .\n  W . . . . . . .\n}",
    "draughts { board [[0,0,0,0,0,0,0,-1],[0,0,0,0,0,0,0,0],[0,0,0,0,0,0,0,0],[0,0,0,0,0,0,0,0],[0,0,0,0,0,0,0,0],[0,0,0,0,0,0,0,0],[0,0,0,0,0,0,0,0],[1,0,0,0,0,0,0,0]] }",
];

fn with_bound<T>(text: &str, f: impl FnOnce(&Bound<'_>, Defaults) -> T) -> T {
    let tree = parse(text);
    let all = bind_all(&tree, Defaults::default());
    let (bound, defaults) = all.first().expect("a puzzle");
    f(bound, *defaults)
}

fn edited(text: &str, changes: &BoardChanges) -> Result<String, String> {
    with_bound(text, |bound, defaults| Ok(apply(text, &board_edits(bound, defaults, changes)?)))
}

fn square(name: &str) -> Square {
    cpz_rules::board::square_from_words(name, Size::flat(8, 8)).expect("a square")
}

/// Puts pieces on squares: `+Nb2`, `-b2`, black in small letters.
fn put(text: &str, changes: &str) -> String {
    let format = with_bound(text, |bound, _| bound.game.format());
    let change = |word: &str| match word.split_at(1) {
        ("-", name) => (square(name), None),
        (_, rest) => (square(&rest[1..]), format.piece(rest.chars().next().expect("a letter"))),
    };
    edited(text, &BoardChanges::of_squares(changes.split(' ').map(change))).expect("the board can be edited")
}

#[track_caller]
fn check(text: &str, changes: &str, expected: &str) {
    assert_eq!(put(text, changes), expected);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]

    #[test]
    fn an_edited_text_shows_the_edited_board_and_keeps_all_else(
        which in 0..FORMS.len(), changes in proptest::collection::vec((0..1000usize, 0..16usize), 0..6),
        remove in 0..40usize,
    ) {
        let text = FORMS[which];
        let (squares, before) = with_bound(text, |bound, _| {
            let board = editable_board(bound).expect("a board").clone();
            let format = bound.game.format();
            let mut squares: Vec<(Square, Option<Piece>)> = changes.iter().map(|&(cell, letter)| {
                let square = board.square(cell % board.cells.len());
                (square, format.letters.get(letter).map(|l| l.1))
            }).collect();
            if format.dark_only {
                squares.retain(|(s, _)| (s.x + s.y).is_multiple_of(2));
            }
            // Often a piece is removed or moves, once all of them go.
            squares.extend(board.pieces().filter(|_| remove == 0).map(|(s, _)| (s, None)));
            squares.extend(board.pieces().nth(remove).map(|(s, _)| (s, None)));
            (squares, board)
        });
        let mut expected = before.clone();
        for &(square, piece) in &squares {
            let cell = expected.index(square);
            expected.cells[cell] = piece;
        }
        let changes = BoardChanges::of_squares(squares);
        let new = edited(text, &changes);
        prop_assert!(new.is_ok(), "{new:?} in {text}");
        let new = new.unwrap_or_default();
        let shown = with_bound(&new, |bound, _| editable_board(bound).cloned());
        prop_assert_eq!(shown.as_ref(), Ok(&expected), "{}", new);
        prop_assert_eq!(new == text, expected == before, "{}", new);
        prop_assert_eq!(outside_board(text), outside_board(&new));
        // What is as asked for needs no edit.
        prop_assert_eq!(edited(&new, &changes), Ok(new.clone()));
        // The edit is undone by the opposite one, in a form that can be read.
        let all = (0..before.cells.len()).map(|i| (before.square(i), before.cells[i]));
        let back = edited(&new, &BoardChanges::of_squares(all));
        prop_assert!(back.is_ok(), "{back:?} in {new}");
    }

    #[test]
    fn boards_grow_and_shrink_in_their_form(which in 0..FORMS.len(), w in 1..=8u8, h in 1..=8u8) {
        let text = FORMS[which];
        let (before, target) = with_bound(text, |bound, _| {
            let board = editable_board(bound).expect("a board").clone();
            let d = if bound.game.format().is_cube() { w } else { 1 };
            let h = if d > 1 { w } else { h };
            let size = Size { w, h, d };
            let target = resize::resized(bound, &board, size);
            (board, target)
        });
        let size = Size { w, h: if before.size.d > 1 { w } else { h }, d: if before.size.d > 1 { w } else { 1 } };
        let new = edited(text, &BoardChanges { size: Some(size), ..BoardChanges::default() });
        match (target, new) {
            (Ok(target), Ok(new)) => {
                let shown = with_bound(&new, |bound, _| editable_board(bound).cloned());
                prop_assert_eq!(shown, Ok(target), "{}", new);
            }
            (Err(_), Err(_)) => {}
            (Ok(_), Err(why)) => prop_assert!(why.contains("by hand"), "{why} in {text} to {size}"),
            (Err(why), Ok(_)) => prop_assert_eq!(size, before.size, "{}", why),
        }
    }
}

/// The tokens of a puzzle that are not in its board.
fn outside_board(text: &str) -> Vec<String> {
    let tree = parse(text);
    let board = tree.puzzles().next().and_then(|p| p.boards().next()).map(|b| b.span()).unwrap_or_default();
    let outside = |s: Span| s.end <= board.start || board.end <= s.start;
    let tokens =
        tree.tokens().filter(|t| outside(t.span()) || t.kind() == cpz_text::syntax::TokenKind::Comment);
    tokens.filter(|t| !t.text().trim().is_empty()).map(|t| t.text().to_string()).collect()
}

#[test]
fn each_form_keeps_its_spacing_and_order() {
    check(FORMS[0], "-b3 +Qc1", "solitaire { board ........RP....QN solve }");
    check(FORMS[8], "+Na1", "solitaire { board [['','B'],['N','']] }");
    check(FORMS[25], "-e8 +kd8 +qh8", &FORMS[25].replace("0, -1, 0, 0, 0]", "-1,  0, 0, 0, -2]"));
}

#[test]
fn entries_keep_their_order_and_their_comments() {
    let text = FORMS[10];
    check(text, "-b3 +Bd4", &text.replace("[1,2,'b']", "[3,3,'b']"));
    check(text, "-a2", &text.replace("[0,1,'r'], //", "//"));
    check(text, "+Na1", &text.replace("[1,2,'b'],", "[1,2,'b'],\n    [0,0,'n'],"));
}

#[test]
fn a_fen_changes_in_the_touched_rank() {
    check(FORMS[18], "-e5 +kd6", "chess { board 8/8/3k4/8/8/8/8/4K2R w K - 0 1 mate }");
    check(FORMS[34], "-c3 +be3 -c1", "draughts { board \"W:WKa1:Be3, e5\" capture }");
    check(FORMS[35], "+Wa1", "draughts { board \"B:BA7:WKA1.\" }");
}

#[test]
fn turn_and_castling_change_where_they_are_written() {
    let turn = |text, turn| edited(text, &BoardChanges { turn: Some(turn), ..BoardChanges::default() });
    let (white, black) = (Colour::White, Colour::Black);
    assert_eq!(turn(FORMS[18], black).as_deref(), Ok(FORMS[18].replace(" w K", " b K").as_str()));
    assert_eq!(turn(FORMS[18], white).as_deref(), Ok(FORMS[18]));
    assert_eq!(turn(FORMS[19], white).as_deref(), Ok(FORMS[19].replace("black", "white").as_str()));
    assert_eq!(turn(FORMS[34], black).as_deref(), Ok(FORMS[34].replace("W:W", "B:W").as_str()));
    assert_eq!(
        turn(FORMS[27], black).as_deref(),
        Ok(FORMS[27].replace("board", "turn black board").as_str())
    );
    let castling = |text, rights| {
        let castling = Castling::parse(rights);
        edited(text, &BoardChanges { castling, turn: Some(black), ..BoardChanges::default() })
    };
    assert_eq!(castling(FORMS[18], "-").as_deref(), Ok(FORMS[18].replace("w K", "b -").as_str()));
    assert_eq!(
        castling(FORMS[20], "q").as_deref(),
        Ok(FORMS[20].replace("board", "turn black castling q board").as_str())
    );
    assert!(castling(FORMS[27], "q").is_err());
}

#[test]
fn what_cannot_be_is_refused() {
    let change = |text, name, piece| edited(text, &BoardChanges::of_squares([(square(name), Some(piece))]));
    assert!(change(FORMS[32], "a2", Piece::white(Kind::Man)).is_err_and(|why| why.contains("light square")));
    assert!(
        change(FORMS[0], "h8", Piece::white(Kind::King)).is_err_and(|why| why.contains("no such square"))
    );
    assert!(change(FORMS[0], "a1", Piece::black(Kind::King)).is_err());
    assert!(change("solitaire { board ....B }", "a1", Piece::white(Kind::King)).is_ok());
    assert!(change("solitaire { board 'R.\n.. }", "a1", Piece::white(Kind::King)).is_err());
    let shrink = BoardChanges { size: Some(Size::flat(3, 3)), ..BoardChanges::default() };
    assert!(edited(FORMS[1], &shrink).is_err_and(|why| why.contains("would be lost")));
}

#[test]
fn rows_and_columns_are_added_in_the_form_of_the_others() {
    let resize =
        |text, w, h| edited(text, &BoardChanges { size: Some(Size::flat(w, h)), ..BoardChanges::default() });
    assert_eq!(resize(FORMS[0], 5, 5).as_deref(), Ok("solitaire { board ...........B...RP......N. solve }"));
    let spread = "\n    . . . . .\n    . B . . .\n    R P . . .\n    . . . N . // last";
    let text = resize(FORMS[1], 5, 4).expect("it can grow");
    assert!(text.contains(spread), "{text}");
    assert_eq!(
        resize(FORMS[6], 5, 5).as_deref(),
        Ok("solitaire { board [....., .B..., ....., R...., .....] }")
    );
    assert_eq!(resize(FORMS[9], 5, 6).as_deref(), Ok(FORMS[9].replace("board", "size 5x6 board").as_str()));
}
