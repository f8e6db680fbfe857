//! Moves made on a board, written as the answer of a query or of a twin, or as a `line`: legal ones only, step by step, each
//! with its verdict.
//!
//! In a chess problem that has keys the moves become the tree of the solution: the key, then the defences one after the other,
//! each with its answer. A first move that fails, and that one reply refutes, is written as a try if that is asked for.
//!
//! Each file imports only from those before it in this order: `asked`, `sequence`, `tree`, `recording`, `writing`, `verdict`,
//! `mod`.

mod asked;
mod recording;
mod sequence;
mod tree;
#[cfg(test)]
mod tree_tests;
mod verdict;
mod writing;

use crate::board_record::recording::{LegalMove, Recording, State};
use crate::board_record::tree::Played;
use crate::text_edit::{apply, keeps_all_else};
use cpz_check::analysis::{Bound, Defaults, bind_one};
use cpz_rules::board::{Board, Colour, Kind, Square};
use cpz_rules::games::{Budget, ChessMove};
use cpz_text::diagnostic::{Edit, Span};
use cpz_text::syntax::parse;

/// A move that is asked for: its squares, and which of several moves with these squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveGesture {
    /// The square of the piece.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
    /// The [`MoveChoice::id`] of the move, where there are several, and `?` behind it, if a first move that fails is to be
    /// written as a try.
    pub choice: Option<String>,
}

/// What a [`MoveGesture::choice`] ends with that asks for a try.
const AS_TRY: char = '?';

/// One of several moves with the same squares: what a pawn becomes, or the way of a capture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveChoice {
    /// `Q`, `a1:d4:h8`.
    pub id: String,
    /// `queen`, `a1:d4:h8`.
    pub label: String,
}

/// What becomes of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordedMove {
    /// The edits that write it, the move as it is written, and what it does to the puzzle.
    Written {
        /// In order of position.
        edits: Vec<Edit>,
        /// `a2xb2`, `Qb6`.
        name: String,
        /// `keeps it solvable`; empty where nothing is known.
        verdict: String,
    },
    /// Several moves have these squares.
    Choose(Vec<MoveChoice>),
    /// The first move is no key, but one reply refutes it.
    Try {
        /// Why it is no key, for the user.
        why: String,
        /// What writes it as a try.
        choice: MoveChoice,
    },
}

/// The position that the recorded moves lead to.
pub struct RecordedPosition {
    /// The board.
    pub board: Board,
    /// The squares of the last move.
    pub last: Vec<Square>,
    /// The side that begins a chess problem; that of a duplex is another than the diagram's.
    pub first_side: Option<Colour>,
    /// The number of moves.
    pub moves: usize,
    /// What the last move does to the puzzle; empty without one, or where nothing is known.
    pub verdict: String,
    /// In the tree of a chess problem, what is to be done next: `white answers 1...Kd5`.
    pub next: Option<String>,
    /// Whether no move is missing in that tree.
    pub is_complete: bool,
    /// The defences that have no answer yet.
    pub left: Vec<MoveLeft>,
}

/// A defence that has no answer yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveLeft {
    /// The move.
    pub gesture: MoveGesture,
    /// `1...Kd5`
    pub name: String,
}

const CANNOT_WRITE: &str = "the move cannot be added to what is written here; write it by hand";

/// The position after the moves that are written for the query at an offset.
///
/// # Errors
/// Why no move can be added, for the user.
pub fn recorded_position(
    bound: &Bound<'_>,
    offset: u32,
    budget: &Budget<'_>,
) -> Result<RecordedPosition, String> {
    let recording = Recording::read(bound, offset)?;
    let verdict = verdict::of(bound, &recording, budget);
    let tree = if let State::Tree(tree) = &recording.state { Some(tree) } else { None };
    let left = |(mv, name): (ChessMove, String)| MoveLeft {
        gesture: MoveGesture {
            from: mv.from,
            to: mv.to,
            choice: mv.promotion.map(|kind| kind.letter().to_string()),
        },
        name,
    };
    Ok(RecordedPosition {
        next: tree.map(|tree| tree.next()),
        is_complete: tree.is_some_and(|tree| tree.is_complete()),
        left: tree.map_or(Vec::new(), |tree| tree.left()).into_iter().map(left).collect(),
        board: recording.board(),
        last: recording.last_squares(),
        first_side: recording.first_side(),
        moves: recording.moves(),
        verdict,
    })
}

/// The squares that the piece on a square can go to.
///
/// # Errors
/// Why no move can be added, for the user.
pub fn record_targets(bound: &Bound<'_>, offset: u32, from: Square) -> Result<Vec<Square>, String> {
    let recording = Recording::read(bound, offset)?;
    let mut targets: Vec<Square> = recording.legal_moves(bound, from).iter().map(|mv| mv.to).collect();
    targets.sort();
    targets.dedup();
    Ok(targets)
}

/// Adds a move to what is written for the query at an offset.
///
/// # Errors
/// Why it is not legal, or cannot be written, for the user.
pub fn record_move(
    bound: &Bound<'_>,
    defaults: Defaults,
    offset: u32,
    gesture: &MoveGesture,
    budget: &Budget<'_>,
) -> Result<RecordedMove, String> {
    let recording = Recording::read(bound, offset)?;
    let legal = recording.legal_moves(bound, gesture.from);
    let wanted: Vec<&LegalMove> = legal.iter().filter(|mv| mv.to == gesture.to).collect();
    let choice_id = gesture.choice.as_deref();
    let id = choice_id.map(|id| id.strip_suffix(AS_TRY).unwrap_or(id));
    let is_try = id != choice_id;
    let chosen = wanted.iter().find(|mv| id == Some(mv.id.as_str()));
    let chosen = match (wanted.as_slice(), chosen) {
        ([], _) => return Err(recording.why_not(bound, gesture.from, gesture.to)),
        (_, Some(chosen)) => *chosen,
        ([only], None) => only,
        (several, None) => return Ok(RecordedMove::Choose(several.iter().map(|mv| choice(mv)).collect())),
    };
    let (edits, name, verdict) = match (&recording.state, chosen.mv, recording.query) {
        (State::Tree(tree), Some(mv), Some(query)) => {
            let source = bound.puzzle.node().tree().text();
            match tree.played(mv, budget) {
                Played::Try { refutation, name, .. } if is_try => {
                    (tree.try_edits(source, query, (mv, refutation)), name, Some("a try".into()))
                }
                _ if is_try => {
                    let what = "a try is a first move that fails to one reply alone";
                    return Err(format!("{} is no try: {what}", chosen.name));
                }
                Played::Solves(verdict) => {
                    (tree.edits(source, query, mv), chosen.name.clone(), Some(verdict))
                }
                Played::Fails(why) => return Err(why),
                Played::Try { why, name, .. } => {
                    let label = format!("Write the try {name}");
                    let choice = MoveChoice { id: format!("{}{AS_TRY}", chosen.id), label };
                    return Ok(RecordedMove::Try { why, choice });
                }
            }
        }
        _ => (writing::edits(bound, &recording, chosen), chosen.name.clone(), None),
    };
    let edits = edits.ok_or(CANNOT_WRITE)?;
    let after = edited(bound, &edits).ok_or(CANNOT_WRITE)?;
    let tree = parse(&after[..]);
    let shown = tree.puzzles().next().and_then(|puzzle| bind_one(puzzle, defaults)).ok_or(CANNOT_WRITE)?;
    let start = bound.puzzle.span().start;
    let place = recording
        .query_start()
        .map_or_else(|| shown.puzzle.queries().last().map_or(0, |q| q.span().start), |at| at - start);
    let next = Recording::read(&shown, place).map_err(|_| CANNOT_WRITE)?;
    if next.moves() != recording.moves() + if is_try { 2 } else { 1 } {
        return Err(CANNOT_WRITE.into());
    }
    let verdict = verdict.unwrap_or_else(|| verdict::of(&shown, &next, budget));
    Ok(RecordedMove::Written { edits, name, verdict })
}

fn choice(mv: &LegalMove) -> MoveChoice {
    let kind = Some(&mv.id).filter(|id| id.len() == 1).and_then(|id| Kind::from_letter(id.chars().next()?));
    MoveChoice { id: mv.id.clone(), label: kind.map_or(mv.id.clone(), |kind| kind.name().to_string()) }
}

/// The text of the puzzle after edits that change nothing else.
fn edited(bound: &Bound<'_>, edits: &[Edit]) -> Option<String> {
    let (old, start) = (bound.puzzle.node().text(), bound.puzzle.span().start);
    let local = |e: &Edit| {
        Some(Edit {
            span: Span::new(e.span.start.checked_sub(start)?, e.span.end.checked_sub(start)?),
            text: e.text.clone(),
        })
    };
    let local: Vec<Edit> = edits.iter().map(local).collect::<Option<_>>()?;
    if local.iter().any(|e| e.span.range().end > old.len()) {
        return None;
    }
    let new = apply(old, &local);
    keeps_all_else(old, &local, &new).then_some(new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cpz_check::analysis::bound_at;
    use cpz_rules::board::{Size, square_from_words};

    fn square(name: &str) -> Square {
        square_from_words(name, Size::flat(8, 8)).expect("a square")
    }

    /// Plays moves such as `d1b2` or `e7e8=Q`, each on the text that the one before left, and returns the text and the
    /// verdicts.
    fn play(text: &str, moves: &str) -> (String, Vec<String>) {
        let (mut text, mut verdicts) = (text.to_string(), Vec::new());
        for word in moves.split(' ') {
            let (squares, choice) = word.split_once('=').map_or((word, None), |(a, b)| (a, Some(b.into())));
            let gesture = MoveGesture { from: square(&squares[..2]), to: square(&squares[2..]), choice };
            let tree = parse(&text[..]);
            let (bound, defaults) = bound_at(&tree, Defaults::default(), 3).expect("a puzzle");
            let budget = Budget::new(1_000_000, None);
            let recorded = record_move(&bound, defaults, 3, &gesture, &budget);
            match recorded {
                Ok(RecordedMove::Written { edits, verdict, .. }) => {
                    text = apply(&text, &edits);
                    verdicts.push(verdict);
                }
                Ok(RecordedMove::Choose(choices)) => {
                    verdicts.push(choices.iter().map(|c| &c.id[..]).collect::<Vec<_>>().join(" "));
                }
                Ok(RecordedMove::Try { why, .. }) | Err(why) => verdicts.push(format!("refused: {why}")),
            }
        }
        (text, verdicts)
    }

    #[track_caller]
    fn check(text: &str, moves: &str, expected: &str, verdicts: &[&str]) {
        let (found, said) = play(text, moves);
        assert_eq!(found, expected);
        let said: Vec<&str> = said.iter().map(|s| &s[..]).collect();
        assert_eq!(said, verdicts);
    }

    const BOARD: &str = "board .....B..RP.....N";

    #[test]
    fn captures_are_written_in_the_form_of_the_answer() {
        let solved = ["keeps it solvable", "keeps it solvable", "solved"];
        check(
            &format!("solitaire {{ {BOARD} solve }}"),
            "d1b2 a2b2 b2b3",
            &format!("solitaire {{ {BOARD} solve => d1xb2 a2xb2 b2xb3 }}"),
            &solved,
        );
        check(
            &format!("solitaire {{ {BOARD} solve => [[[3,0],[1,1]]] (so) }}"),
            "a2b2 b2b3",
            &format!("solitaire {{ {BOARD} solve => [[[3,0],[1,1]], [[0,1],[1,1]], [[1,1],[1,2]]] (so) }}"),
            &solved[1..],
        );
        check(
            &format!("solitaire {{ {BOARD} solve => \"Nxb2\" }}"),
            "a2b2",
            &format!("solitaire {{ {BOARD} solve => \"Nxb2 a2xb2\" }}"),
            &solved[1..2],
        );
        check(
            &format!("solitaire {{\n  {BOARD} // why\n}}"),
            "d1b2",
            &format!("solitaire {{\n  {BOARD} // why\n  solve => d1xb2\n}}"),
            &solved[..1],
        );
    }

    #[test]
    fn an_illegal_capture_is_refused_with_the_reason() {
        let text = format!("solitaire {{ {BOARD} solve }}");
        check(&text, "d1a2", &text, &["refused: the knight on d1 cannot capture on a2"]);
        let text = format!("solitaire {{ {BOARD} solve => none }}");
        let (found, said) = play(&text, "d1b2");
        assert_eq!(found, text);
        assert!(said[0].starts_with("refused: "), "{said:?}");
    }

    #[test]
    fn chess_moves_are_written_as_a_line() {
        check(
            "chess { board 7k/4P3/5K2/8/8/8/8/8 line mate in 3 }",
            "e7e8 e7e8=Q h8h7",
            "chess { board 7k/4P3/5K2/8/8/8/8/8 line => 1. e8=Q+ Kh7 mate in 3 }",
            &["Q R B N", "keeps the mate in 3", "keeps the mate in 3"],
        );
        check(
            "chess { board 4k3/8/8/8/8/8/8/R3K2R b KQ - line => \"3... Kd7\" }",
            "e1g1 d7d8",
            "chess { board 4k3/8/8/8/8/8/8/R3K2R b KQ - line => \"3... Kd7 4. O-O Kd8\" }",
            &["", ""],
        );
    }

    /// Plays moves on a cube, given as pairs of squares.
    fn play_on_cube(text: &str, moves: &[(&str, &str)]) -> (String, Vec<String>) {
        let (mut text, mut said) = (text.to_string(), Vec::new());
        for &(from, to) in moves {
            let tree = parse(&text[..]);
            let (bound, defaults) = bound_at(&tree, Defaults::default(), 3).expect("a puzzle");
            let board = crate::board_edit::editable_board(&bound).expect("a board");
            let square = |name| crate::board_touch::square_named(board, true, name).expect("a square");
            let gesture = MoveGesture { from: square(from), to: square(to), choice: None };
            match record_move(&bound, defaults, 3, &gesture, &Budget::new(1_000, None)) {
                Ok(RecordedMove::Written { edits, verdict, .. }) => {
                    text = apply(&text, &edits);
                    said.push(verdict);
                }
                Ok(RecordedMove::Choose(_)) => said.push("several".into()),
                Ok(RecordedMove::Try { why, .. }) | Err(why) => said.push(format!("refused: {why}")),
            }
        }
        (text, said)
    }

    #[test]
    fn moves_on_a_cube_are_written_as_a_line() {
        let cube = "chess3d { board [b#b,###,###], [###,###,RNR], [#q#,###,#K#]";
        let text = format!("{cube} mate => check }}");
        let moves = [
            ("b1 (I)", "a1 (I)"),
            ("b3 (I)", "b1 (I)"),
            ("b1 (II)", "b3 (I)"),
            ("a3 (III)", "b2 (II)"),
            ("a1 (II)", "a3 (II)"),
        ];
        let (found, said) = play_on_cube(&text, &moves);
        let line = "\"1. Nb1(II)xb3(I) Ba3(III)-b2(II) 2. Ra1(II)-a3(II)\"";
        assert_eq!(found, format!("{cube} mate => check line => {line} }}"));
        let refused = ["refused: a1 (I) is guarded by the bishop on c3 (III)", "refused: it is white's move"];
        assert_eq!(said, [refused[0], refused[1], "", "", ""]);
        let tree = parse(&found[..]);
        let (puzzle, defaults) =
            cpz_check::analysis::puzzles(&tree, Defaults::default()).next().expect("a puzzle");
        let report =
            cpz_check::analysis::report_of(puzzle, defaults, &cpz_check::analysis::Options::default());
        assert_eq!(report.findings, []);
    }

    #[test]
    fn a_mate_on_a_cube_has_its_mark() {
        let cube = "chess3d { turn black board [###,n##,#r#], [#b#,###,##r], [###,###,bRK]";
        let text = format!("{cube} line }}");
        let (found, said) = play_on_cube(&text, &[("c1 (II)", "c1 (III)"), ("c1 (I)", "c2 (I)")]);
        assert_eq!(found, format!("{cube} line => \"1... Rc1(II)-c1(III)#\" }}"));
        assert_eq!(said, ["mate", "refused: c2 (I) is guarded by the bishop on b3 (II)"]);
    }

    #[test]
    fn captures_of_draughts_are_written_whole() {
        let board = "draughts { board \"W:Wc3:Bd4,f6,h8\"";
        check(
            &format!("{board} capture }}"),
            "c3g7",
            &format!("{board} capture => c3:e5:g7 }}"),
            &["2 captured"],
        );
        check(
            &format!("{board} line => c3:e5:g7 }}"),
            "h8f6",
            &format!("{board} line => c3:e5:g7 h8:f6 }}"),
            &["3 captured"],
        );
    }
}
