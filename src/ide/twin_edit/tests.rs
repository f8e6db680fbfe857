use super::*;
use cpz_check::analysis::bind_all;
use cpz_rules::board::{Kind, Size};
use proptest::prelude::*;

/// White: Kd3, Be3, Nb5, Rd5, Pa2. Black: Kf5, Re5, Nf6, Pa7.
const DIAGRAM: &str = "8/p7/5n2/1N1Rrk2/8/3KB3/P7/8";

fn square(name: &str) -> Square {
    cpz_rules::board::square_from_words(name, Size::flat(8, 8)).expect("a square")
}

fn with_twin<T>(text: &str, which: usize, f: impl FnOnce(&Bound<'_>, Defaults, Query<'_>) -> T) -> T {
    let tree = parse(text);
    let all = bind_all(&tree, Defaults::default());
    let (bound, defaults) = all.first().expect("a puzzle");
    let query = bound.puzzle.queries().filter(|q| q.verb() == Some(Verb::Twin)).nth(which).expect("a twin");
    f(bound, *defaults, query)
}

/// What is done on a board: `e3-f2` moves, `+Qd4` puts, `-d4` removes, `clear`, `white`.
fn changes_of(board: &Board, gesture: &str) -> BoardChanges {
    let format = cpz_rules::games::game(GameId::Chess).format();
    let colour = |turn| BoardChanges { turn: Some(turn), ..BoardChanges::default() };
    match gesture {
        "white" => colour(Colour::White),
        "black" => colour(Colour::Black),
        "clear" => BoardChanges::of_squares(board.pieces().map(|(square, _)| (square, None))),
        _ if gesture.starts_with('-') => BoardChanges::of_squares([(square(&gesture[1..]), None)]),
        _ if gesture.starts_with('+') => {
            let piece = gesture[1..].chars().next().and_then(|letter| format.piece(letter));
            BoardChanges::of_squares([(square(&gesture[2..]), piece)])
        }
        _ => {
            let (from, to) = gesture.split_once('-').expect("two squares");
            let (from, to) = (square(from), square(to));
            BoardChanges::of_squares([(from, None), (to, board.at(from))])
        }
    }
}

fn after(text: &str, which: usize, gesture: &str) -> Result<String, String> {
    with_twin(text, which, |bound, defaults, query| {
        let twin = TwinBoard::read(bound, query)?;
        let changes = changes_of(twin.board(), gesture);
        Ok(apply(text, &twin_edits(bound, defaults, query, &changes)?))
    })
}

/// The words of twin b after gestures, each on the text that the one before left.
fn words_after(words: &str, gestures: &str) -> String {
    let around = |words: &str| {
        format!(
            "chess \"T\" {{\n  board {DIAGRAM}\n  helpmate in 2\n  twin b:{words} => \"1. Kd3\" // kept\n  twin c: remove a2\n}}\n"
        )
    };
    let (empty, mut text) = (around(""), around(words));
    let at = empty.find(" => \"1.").expect("the answer");
    for gesture in gestures.split(' ') {
        text = match after(&text, 0, gesture) {
            Ok(text) => text,
            Err(why) => return format!("refused: {why}"),
        };
    }
    assert_eq!(&text[..at], &empty[..at]);
    let end = text.len() - (empty.len() - at);
    assert_eq!(&text[end..], &empty[at..]);
    text[at..end].to_string()
}

#[track_caller]
fn check(cases: &[(&str, &str, &str)]) {
    for (words, gestures, expected) in cases {
        assert_eq!(words_after(words, gestures), *expected, "{words} after {gestures}");
    }
}

#[test]
fn a_man_of_the_diagram_gets_a_change_of_its_own() {
    check(&[
        (" e3 to f2", "b5-c3", " e3 to f2, b5 to c3"),
        (" e3 to f2", "-b5", " e3 to f2, remove b5"),
        (" e3 to f2", "+pg7", " e3 to f2, add black pawn g7"),
        (" e3 to f2", "+Nd5", " e3 to f2, knight d5 for d5"),
        (" e3 to f2", "+nd5", " e3 to f2, remove d5, add black knight d5"),
        (" remove b5", "-a2", " remove b5 a2"),
    ]);
}

#[test]
fn a_man_that_was_changed_already_has_its_change_altered() {
    check(&[
        (" e3 to f2", "f2-g1", " e3 to g1"),
        (" e3 to f2", "-f2", " remove e3"),
        (" e3 to f2", "+Qf2", " queen f2 for e3"),
        (" queen f2 for e3", "f2-g1", " queen g1 for e3"),
        (" queen f2 for e3", "+Bf2", " e3 to f2"),
        (" queen f2 for e3", "-f2", " remove e3"),
        (" add black pawn g7", "g7-g6", " add black pawn g6"),
        (" add black pawn g7", "+qg7", " add black queen g7"),
        (" e3 to f2, add black pawn g7", "-g7", " e3 to f2"),
        (" add black pawn g7, e3 to f2", "-g7", " e3 to f2"),
        (" e3 to f2, b5 to c3", "f2-e3", " b5 to c3"),
        (" e3 to f2, b5 to c3", "c3-b5", " e3 to f2"),
        (" remove b5 a2, e3 to f2", "+Pa2", " remove b5, e3 to f2"),
        (" remove b5 a2 f6, e3 to f2", "+Nb5", " remove a2 f6, e3 to f2"),
        (" remove d5, e3 to f2", "+Qd5", " queen d5 for d5, e3 to f2"),
    ]);
}

#[test]
fn a_man_is_captured() {
    check(&[
        (" b5 to c3", "e3-f6", " b5 to c3, e3 to f6"),
        (" e3 to f2", "f2-f6", " e3 to f6"),
        (" e3 to f2", "b5-f2", " remove e3, b5 to f2"),
        (" add black pawn g7", "f6-g7", " f6 to g7"),
        (" e3 to f6", "f6-g7", " e3 to g7, remove f6"),
    ]);
}

#[test]
fn two_men_change_places() {
    check(&[
        (" b5 to c3", "e3-h8 d5-e3 h8-d5", " b5 to c3, exchange d5 e3"),
        (" exchange e3 d5", "d5-c4", " exchange e3 d5, d5 to c4"),
    ]);
}

#[test]
fn the_side_to_move_is_a_change() {
    check(&[
        (" e3 to f2", "white", " e3 to f2, turn white"),
        (" e3 to f2", "black", " e3 to f2"),
        (" turn white, e3 to f2", "black", " e3 to f2"),
        (" e3 to f2, turn white", "black", " e3 to f2"),
        (" e3 to f2, helpmate in 2.5", "black", " e3 to f2, helpmate in 2.5, turn black"),
    ]);
}

#[test]
fn a_twin_keeps_a_change() {
    let same = "refused: without this change twin b would be the same as the diagram; make another change first, or remove \
                the twin in the text";
    check(&[
        (" e3 to f2", "f2-e3", same),
        (" add black pawn g7", "-g7", same),
        (" turn white", "black", same),
        (" helpmate in 3, e3 to f2", "f2-e3", " helpmate in 3"),
        ("", "e3-f2", " e3 to f2"),
    ]);
}

#[test]
fn changes_behind_one_of_the_whole_board_are_in_its_squares() {
    check(&[
        (" e3 to f2, mirror a1 h1", "c2-d1", " e3 to f2, mirror a1 h1, c2 to d1"),
        (" mirror a1 h1, d3 to c2", "c2-b1", " mirror a1 h1, d3 to b1"),
        (" rotate 180, swap colours", "+pa3", " rotate 180, swap colours, add black pawn a3"),
        (" shift a1 b1", "-b2", " shift a1 b1, remove b2"),
    ]);
}

#[test]
fn the_words_of_the_person_stay() {
    check(&[
        (" Q f2 for e3,b5 to c3", "f2-g1", " Q g1 for e3,b5 to c3"),
        ("   e3 to f2  ,  b5 to c3", "c3-b5", "   e3 to f2"),
        (" add b P g7", "g7-g6", " add b P g6"),
        (" e3 to f2,  b5 to c3 ,remove a2", "f2-e3", " b5 to c3 ,remove a2"),
    ]);
}

#[test]
fn a_cleared_twin_has_no_men() {
    check(&[
        (" e3 to f2, helpmate in 3", "clear", " helpmate in 3, remove a2 d3 e3 b5 d5 e5 f5 f6 a7"),
        (" e3 to f2", "clear", " remove a2 d3 e3 b5 d5 e5 f5 f6 a7"),
    ]);
}

#[test]
fn a_twin_that_goes_on_from_another_one_has_changes_of_its_own() {
    let text = |words: &str| {
        format!("chess {{ board {DIAGRAM} helpmate in 2\n twin b: e3 to f2\n twin c: from b{words} }}")
    };
    for (words, gesture, expected) in [
        (", remove a2", "f2-g1", ", remove a2, f2 to g1"),
        (", f2 to g1", "g1-h2", ", f2 to h2"),
        ("", "f2-g1", ", f2 to g1"),
        (", remove a2", "-b5", ", remove a2 b5"),
    ] {
        assert_eq!(after(&text(words), 1, gesture), Ok(text(expected)), "{words} {gesture}");
    }
    let refused = after(&text(", f2 to g1"), 1, "g1-f2");
    assert!(refused.is_err_and(|why| why.contains("would be the same as twin b")));
}

#[test]
fn what_cannot_be_edited_is_refused() {
    for (words, expected) in [
        (" e4 to f2", "correct twin b first: nothing stands on e4"),
        (" from a", "correct the twin first: there is no twin a before this one"),
        (" e3 to f9", "correct the twin first: `f9` is no square"),
    ] {
        assert_eq!(words_after(words, "b5-c3"), format!("refused: {expected}"));
    }
    let text = format!("chess {{ board {DIAGRAM} helpmate in 2\n twin b: remove a2 }}");
    let castling = BoardChanges { castling: Some(Default::default()), ..BoardChanges::default() };
    let refused = with_twin(&text, 0, |bound, defaults, query| twin_edits(bound, defaults, query, &castling));
    assert!(refused.is_err_and(|why| why.contains("castling rights of the diagram")));
}

#[test]
fn a_twin_of_an_unsolved_problem_is_edited_too() {
    let text = |words: &str| format!("chess {{ board {DIAGRAM} h==2\n twin b: {words} }}");
    assert_eq!(after(&text("remove a2"), 0, "e3-f2"), Ok(text("remove a2, e3 to f2")));
}

/// A change of single men on a board, or of all, that can be made; numbers choose it.
fn random_change(board: &Board, which: u8, a: usize, b: usize) -> Option<String> {
    let men: Vec<(Square, Piece)> = board.pieces().collect();
    let name = |square: Square| square_name(square, false);
    let (from, _) = *men.get(a % men.len().max(1))?;
    let (other, _) = men[b % men.len()];
    let to = board.square(b % 64);
    let kind = Kind::ALL.into_iter().filter(|kind| *kind != Kind::Man).nth(b % 6)?;
    Some(match which % 14 {
        0..3 => format!("{} to {}", name(from), name(to)),
        3..5 => format!("remove {}", name(from)),
        5 if from != other => format!("remove {} {}", name(from), name(other)),
        6..8 => format!("add {} {} {}", ["white", "black"][a % 2], kind.name(), name(to)),
        8 => format!("exchange {} {}", name(from), name(other)),
        9 => format!("{} {} for {}", kind.name(), name(to), name(from)),
        10 => format!("rotate {}", [90, 180, 270][a % 3]),
        11 => format!("mirror {}", ["a1 h1", "a1 a8", "a1 h8", "a8 h1"][a % 4]),
        12 => ["swap colours", "turn white", "turn black", "helpmate in 3", "h#2.5", "shift a1 b1"][a % 6]
            .to_string(),
        _ => format!("substitute {} {}", men[a % men.len()].1.kind.name(), kind.name()),
    })
}

/// A problem with a twin `b` of random changes that can be made, and a twin `c` that goes on from it if `is_continued`.
fn random_problem(men: &[(usize, usize)], changes: &[(u8, usize, usize)], is_continued: bool) -> String {
    let format = cpz_rules::games::game(GameId::Chess).format();
    let mut board = Board::empty(Size::flat(8, 8));
    for &(cell, letter) in men {
        board.cells[cell % 64] = Some(format.letters[letter % format.letters.len()].1);
    }
    let placement = cpz_rules::board::write_placement(&board, format);
    let text = |words: &[String]| {
        let twin = match is_continued && words.len() > 2 {
            true => format!("twin b: {}\n  twin c: from b, {}", words[0], words[1..].join(", ")),
            false => format!("twin b: {}", words.join(", ")),
        };
        format!(
            "chess \"R\" {{\n  board {placement}\n  helpmate in 2\n  {twin} => \"1. Kd3\" // a remark\n  line\n}}\n"
        )
    };
    let mut words: Vec<String> = Vec::new();
    for &(which, a, b) in changes {
        let now = match words.is_empty() {
            true => Some(board.clone()),
            false => shown(&text(&words)).map(|twin| twin.0),
        };
        let Some(word) = now.and_then(|now| random_change(&now, which, a, b)) else { continue };
        words.push(word);
        if shown(&text(&words)).is_none() {
            words.pop();
        }
    }
    text(&words)
}

/// The position of the last twin of a text.
fn shown(text: &str) -> Option<(Board, Colour)> {
    let tree = parse(text);
    let all = bind_all(&tree, Defaults::default());
    let (bound, _) = all.first()?;
    let query = bound.puzzle.queries().filter(|q| q.verb() == Some(Verb::Twin)).last()?;
    let twin = TwinBoard::read(bound, query).ok()?;
    Some((twin.board().clone(), twin.turn()))
}

/// What stands outside of the changes of the last twin.
fn around(text: &str) -> (String, String) {
    let start = text.rfind("twin ").expect("a twin");
    let end = text.find(" => ").expect("its answer");
    (text[..start + 7].to_string(), text[end..].to_string())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn the_twin_has_the_position_that_was_made_and_all_else_stays(
        men in proptest::collection::vec((0..64usize, 0..32usize), 1..9),
        changes in proptest::collection::vec((0..14u8, 0..64usize, 0..64usize), 1..6),
        gestures in proptest::collection::vec((0..9u8, 0..64usize, 0..64usize), 1..7),
        is_continued: bool,
    ) {
        let format = cpz_rules::games::game(GameId::Chess).format();
        let mut text = random_problem(&men, &changes, is_continued);
        let which = text.matches("twin ").count() - 1;
        for (what, a, b) in gestures {
            let Some((board, turn)) = shown(&text) else { break };
            let on: Vec<Square> = board.pieces().map(|(square, _)| square).collect();
            let from = on.get(a % on.len().max(1)).copied().unwrap_or(Square::new(0, 0));
            let to = board.square(b);
            let piece = format.letters[a % format.letters.len()].1;
            let made = match what {
                0..4 => BoardChanges::of_squares([(from, None), (to, board.at(from))]),
                4..6 => BoardChanges::of_squares([(to, Some(piece))]),
                6 => BoardChanges::of_squares([(from, None)]),
                7 if b == 0 => BoardChanges::of_squares(on.iter().map(|square| (*square, None))),
                7 => BoardChanges::of_squares([(from, Some(piece))]),
                _ => BoardChanges { turn: Some(turn.other()), ..BoardChanges::default() },
            };
            let mut wanted = board.clone();
            for &(square, piece) in &made.squares {
                let cell = wanted.index(square);
                wanted.cells[cell] = piece;
            }
            let edits = with_twin(&text, which, |bound, defaults, query| twin_edits(bound, defaults, query, &made));
            let edits = match edits {
                Ok(edits) => edits,
                // A twin without changes is refused, one with two kings of a colour, and a capture of a king or of a man that
                // the twin has put there.
                Err(why) => {
                    let diagram = text.lines().nth(1).unwrap_or_default();
                    let has_two_kings = [Colour::White, Colour::Black].into_iter().any(|colour| {
                        let king = Some(Piece::new(colour, Kind::King));
                        let letter = Piece::new(colour, Kind::King).letter();
                        wanted.cells.iter().filter(|cell| **cell == king).count() > 1
                            || diagram.matches(letter).count() > 1
                    });
                    let is_capture = what < 6 && board.at(to).is_some();
                    let is_meant = why.contains("would be the same as") || has_two_kings || is_capture;
                    prop_assert!(is_meant, "{} in {}", why, text);
                    continue;
                }
            };
            let new = apply(&text, &edits);
            prop_assert_eq!(shown(&new), Some((wanted, made.turn.unwrap_or(turn))), "{}\n{}", text, new);
            prop_assert_eq!(around(&text), around(&new));
            prop_assert_eq!(parse(&new[..]).errors().len(), parse(&text[..]).errors().len(), "{}", new);
            text = new;
        }
    }
}
