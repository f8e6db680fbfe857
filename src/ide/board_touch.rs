//! The board view of a board that is edited or played on: what can be put on it, its size, its side to move, and what the
//! board is worth now.

use crate::answer_text::{AnswerStyle, answer_in_words, status_sentence};
use crate::board_edit::{BoardChanges, board_edits, editable_board};
use crate::board_record::{MoveLeft, RecordedPosition, recorded_position};
use crate::board_view::playback::{Frame, count_of_pieces};
use crate::board_view::{BoardRequest, ascii};
use crate::diagram::{SquareMark, piece_picture};
use crate::puzzle_status::query_at;
use crate::twin_edit::{TwinBoard, twin_at, twin_position};
use cpz_check::analysis::{Bound, Defaults, Outcome, PuzzleReport, bound_at, position_of};
use cpz_rules::board::{
    Board, Colour, Notation, Piece, Size, SizeValue, Sizes, SourceLayout, Square, source_layout, square_name,
    write_pdn, write_placement,
};
use cpz_rules::games::{Answer, Budget, Position, Question};
use cpz_text::diagnostic::{Edit, Span};
use cpz_text::syntax::{GameId, Property, Query, Tree, Verb};

/// The most queries whose answers a verdict names.
const MAX_ANSWERS: usize = 3;

/// What gestures on a board do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TouchMode {
    /// They change the position.
    Edit,
    /// They are moves, which are written as an answer.
    Record,
}

/// A board that can be touched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TouchView {
    /// The board as SVG; empty if it cannot be touched.
    pub svg: String,
    /// The board in words.
    pub words: String,
    /// Why it cannot be touched, for the user.
    pub refused: Option<String>,
    /// The pieces of the game.
    pub palette: Vec<PalettePiece>,
    /// The side to move, in games of two sides.
    pub side: Option<Colour>,
    /// The castling rights as a FEN has them, in chess. A twin has those of the diagram, so that they are not shown.
    pub castling: Option<String>,
    /// Columns, rows and levels.
    pub size: (u8, u8, u8),
    /// The least and the greatest side of boards of the game; equal if boards have one size.
    pub sides: (u8, u8),
    /// What the board is worth now: `one solution`, `keeps it solvable`.
    pub verdict: String,
    /// Whether the verdict is good or bad; `None` if it is neither.
    pub is_good: Option<bool>,
    /// Whether the budget ran out before the verdict was known.
    pub is_cut: bool,
    /// The defences of a chess problem that have no answer yet, where one of them is to be recorded.
    pub left: Vec<MoveLeft>,
}

/// A piece that can be put on a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PalettePiece {
    /// Its letter in text.
    pub letter: char,
    /// `white knight`, or `knight` in a game of one colour.
    pub name: String,
    /// Its picture as SVG.
    pub svg: String,
}

/// The board of a puzzle, or of the twin that the offset of the request is in, to be edited, or played on from the position
/// that the recorded moves lead to. The offset is in the query that is recorded.
pub fn touch_view(
    bound: &Bound<'_>,
    report: &PuzzleReport,
    mode: TouchMode,
    request: &BoardRequest<'_>,
) -> TouchView {
    let &BoardRequest { offset, budget, .. } = request;
    let format = bound.game.format();
    let mut view = empty_view(bound);
    let twin = twin_at(bound, offset);
    if twin.is_some() {
        view.castling = None;
    }
    let (frame, verdict) = match mode {
        TouchMode::Edit => {
            let edited = match twin {
                Some(query) => TwinBoard::read(bound, query).map(|twin| {
                    view.side = Some(twin.turn());
                    (twin.board().clone(), twin_verdict(report, query, &twin))
                }),
                None => editable_board(bound)
                    .map(|board| (board.clone(), board_verdict(bound, report, board, budget))),
            };
            match edited {
                Ok((board, verdict)) => (Frame::new(board, String::new()), verdict),
                Err(why) => return TouchView { refused: Some(why), ..view },
            }
        }
        TouchMode::Record => match recorded_position(bound, offset, budget) {
            Ok(recorded) => {
                let mut frame = Frame::new(recorded.board.clone(), String::new());
                frame.marks = recorded.last.iter().map(|&s| (s, SquareMark::Subject)).collect();
                let verdict = recorded_verdict(&recorded);
                view.side = recorded.first_side.or(view.side);
                view.left = recorded.left;
                (frame, verdict)
            }
            Err(why) => return TouchView { refused: Some(why), ..view },
        },
    };
    let picture = frame.picture(format).with_levels_across(request.across);
    view.svg = picture.interactive();
    view.words = picture.words();
    let size = frame.board.size;
    view.size = (size.w, size.h, size.d);
    (view.verdict, view.is_good, view.is_cut) = (verdict.text, verdict.is_good, verdict.is_cut);
    view
}

/// The view without a board.
fn empty_view(bound: &Bound<'_>) -> TouchView {
    let format = bound.game.format();
    let mut palette: Vec<PalettePiece> = Vec::new();
    for &(letter, piece) in format.letters {
        let name = format.called(piece);
        if palette.iter().all(|p| p.name != name) {
            palette.push(PalettePiece { letter, name, svg: piece_picture(format, piece) });
        }
    }
    let castling = bound.game.takes(Property::Castling);
    TouchView {
        svg: String::new(),
        words: String::new(),
        refused: None,
        palette,
        side: format.coloured.then_some(bound.turn),
        castling: castling.then(|| bound.settings.rights.values().castling.to_string()),
        size: (0, 0, 0),
        sides: match format.sizes {
            Sizes::UpTo { max, .. } => (1, max),
            Sizes::Fixed(n) => (n, n),
            Sizes::Cube(min, max) => (min, max),
        },
        verdict: String::new(),
        is_good: None,
        is_cut: false,
        left: Vec::new(),
    }
}

struct Verdict {
    text: String,
    is_good: Option<bool>,
    is_cut: bool,
}

impl Verdict {
    fn new(text: impl Into<String>, is_good: Option<bool>) -> Verdict {
        Verdict { text: text.into(), is_good, is_cut: false }
    }
}

/// What is recorded, and what is to be done next.
fn recorded_verdict(recorded: &RecordedPosition) -> Verdict {
    let (moves, verdict) = (recorded.moves, recorded.verdict.as_str());
    let count = format!("{moves} {} written", if moves == 1 { "move" } else { "moves" });
    if let Some(next) = &recorded.next {
        let next = match moves {
            0 => capitalized(next),
            _ => format!("{count}. {}", capitalized(next)),
        };
        return Verdict::new(next, recorded.is_complete.then_some(true));
    }
    let is_good = match () {
        () if verdict.starts_with("loses") => Some(false),
        () if verdict.starts_with("keeps") || verdict == "solved" => Some(true),
        () => None,
    };
    let text = match verdict {
        "" if moves == 0 => "Make the first move on the board".to_string(),
        "" => count,
        verdict => format!("{count}; the last one: {verdict}"),
    };
    Verdict::new(text, is_good)
}

fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}

/// What a board is worth, whatever is written as an answer.
fn board_verdict(bound: &Bound<'_>, report: &PuzzleReport, board: &Board, budget: &Budget<'_>) -> Verdict {
    if board.count() == 0 {
        return Verdict::new("The board is empty", None);
    }
    let Some(position) = position_of(bound) else {
        let first = bound.reading.as_ref().and_then(|r| r.findings.first());
        return Verdict::new(first.map_or("the board cannot be read", |f| &f.message), Some(false));
    };
    if bound.id == GameId::Solitaire {
        return solitaire_verdict(bound, &position, budget);
    }
    let mut words = Vec::new();
    let mut is_cut = false;
    for query in report.queries.iter().take(MAX_ANSWERS) {
        match &query.outcome {
            Outcome::Answer(Answer::Mate { side, status, .. }) => words.push(status_sentence(*side, *status)),
            Outcome::Answer(Answer::Line) => {}
            Outcome::Answer(answer @ Answer::Capture { .. }) => {
                words.push(match answer_in_words(answer, AnswerStyle::Short(Some(board))).as_str() {
                    "none" => "nothing can be captured".into(),
                    most => format!("captures {most}"),
                });
            }
            Outcome::Answer(answer) => {
                words.push(answer_in_words(answer, AnswerStyle::Short(Some(board))));
            }
            _ => is_cut = true,
        }
    }
    if words.is_empty() {
        let status = bound.game.status(&position).map(|status| status_sentence(position.turn, status));
        words.push(status.unwrap_or_else(|| count_of_pieces(board)));
    }
    Verdict { text: words.join("; "), is_good: None, is_cut }
}

/// What the board of a twin is worth: its answer, or what is wrong with its changes.
fn twin_verdict(report: &PuzzleReport, query: Query<'_>, twin: &TwinBoard<'_>) -> Verdict {
    let (name, board) = (twin.name(), twin.board());
    let place = query.asked();
    let wrong = || report.findings.iter().find(|f| place.start <= f.span.start && f.span.end <= place.end);
    let said = |what: &str| format!("{name}: {what}");
    match query_at(report, query.span().start).map(|known| &known.outcome) {
        Some(Outcome::Answer(answer)) => {
            Verdict::new(said(&answer_in_words(answer, AnswerStyle::Short(Some(board)))), None)
        }
        Some(Outcome::Undecided(_)) => {
            Verdict { is_cut: true, ..Verdict::new(said("not decided yet"), None) }
        }
        _ => match wrong() {
            Some(finding) => Verdict::new(said(&finding.message), Some(false)),
            None => Verdict::new(said(&count_of_pieces(board)), None),
        },
    }
}

/// How many solutions there are.
fn solitaire_verdict(bound: &Bound<'_>, position: &Position, budget: &Budget<'_>) -> Verdict {
    let answer = |verb| bound.game.answer(position, &Question::of(verb), budget);
    match answer(Verb::Count) {
        Ok(Answer::Count { distinct: Some(0), .. }) => return Verdict::new("No solution", Some(false)),
        Ok(Answer::Count { distinct: Some(1), .. }) => return Verdict::new("One solution", Some(true)),
        Ok(Answer::Count { distinct: Some(n), .. }) => {
            let is_good = bound.settings.unique.map(|_| false);
            return Verdict::new(format!("{n} different solutions"), is_good);
        }
        _ => {}
    }
    match answer(Verb::Solve) {
        Ok(Answer::Solve(None)) => Verdict::new("No solution", Some(false)),
        Ok(_) => {
            Verdict { is_cut: true, ..Verdict::new("Solvable; the solutions are not counted", Some(true)) }
        }
        Err(_) => Verdict { is_cut: true, ..Verdict::new("Not decided yet", None) },
    }
}

/// The square of a name as the board view shows it: `b2`, `c2 (I)`.
pub fn square_named(board: &Board, is_cube: bool, name: &str) -> Option<Square> {
    let squares = (0..board.cells.len()).map(|cell| board.square(cell));
    squares.into_iter().find(|&s| square_name(s, is_cube) == name)
}

/// The square whose cell or entry is written at an offset.
pub fn square_written_at(bound: &Bound<'_>, offset: u32) -> Option<Square> {
    let board = editable_board(bound).ok()?;
    let touches = |span: &Span| span.start <= offset && offset < span.end;
    let reading = bound.reading.as_ref()?;
    if let Some(placed) = reading.places.iter().find(|p| touches(&p.span)) {
        return Some(board.square(placed.cell.into()));
    }
    let form = bound.puzzle.boards().next()?.form()?;
    let SourceLayout::Cells { spans, .. } = source_layout(form, bound.game.format()) else { return None };
    if spans.len() != board.cells.len() {
        return None;
    }
    // Behind the last letter of a row the cursor is still on it.
    let at = spans.iter().position(touches).or_else(|| spans.iter().position(|s| s.end == offset))?;
    let squares = (0..board.cells.len()).map(|cell| board.square(cell));
    squares.into_iter().find(|&s| board.size.reading_index(s) == at)
}

/// What can be done with the piece at the start of a selection in a board, and its edits: remove it, or move it to the cell at
/// the end of the selection. For editors without a board view.
pub fn square_action(tree: &Tree, base: Defaults, selection: Span) -> Option<(String, Vec<Edit>)> {
    let (bound, defaults) = bound_at(tree, base, selection.start)?;
    let board = editable_board(&bound).ok()?;
    let from = square_written_at(&bound, selection.start)?;
    let piece = board.at(from)?;
    let format = bound.game.format();
    let (called, name) = (format.called(piece), |s| square_name(s, format.is_cube()));
    let last = selection.end.saturating_sub(1).max(selection.start);
    let to = square_written_at(&bound, last).filter(|&to| to != from);
    let (title, changes) = match to {
        Some(to) => (
            format!("Move the {called} from {} to {}", name(from), name(to)),
            BoardChanges::of_squares([(from, None), (to, Some(piece))]),
        ),
        None => (format!("Remove the {called} on {}", name(from)), BoardChanges::of_squares([(from, None)])),
    };
    Some((title, board_edits(&bound, defaults, &changes).ok()?))
}

/// The piece of a letter of the palette.
pub fn palette_piece(bound: &Bound<'_>, letter: &str) -> Option<Piece> {
    let mut letters = letter.chars();
    let only = letters.next().filter(|_| letters.next().is_none())?;
    bound.game.format().piece(only)
}

/// A size of the game's boards, of columns and rows; a cube has as many levels.
///
/// # Errors
/// The sizes that the game has.
pub fn size_of(bound: &Bound<'_>, columns: u32, rows: u32) -> Result<Size, String> {
    let value = SizeValue { columns, rows, span: Span::at(0), own: true };
    value.check(bound.game.format()).map_err(|finding| finding.message)
}

/// The position of a puzzle, written to be copied.
pub struct PositionTexts {
    /// As a FEN or PDN, if the game has one.
    pub fen: Option<String>,
    /// As rows with the names of files and ranks.
    pub text: String,
}

/// The position of a puzzle, or of the twin at an offset, as texts; `None` if its board cannot be read.
pub fn position_texts(bound: &Bound<'_>, offset: u32) -> Option<PositionTexts> {
    let (diagram, format) = (position_of(bound)?, bound.game.format());
    let position = match twin_at(bound, offset) {
        Some(query) => twin_position(bound, query, diagram),
        None => diagram,
    };
    let turn = position.turn;
    let fen = match format.notation {
        Notation::None => None,
        Notation::Pdn => Some(write_pdn(&position.board, turn)),
        Notation::Fen => {
            let placement = write_placement(&position.board, format);
            let side = &turn.name()[..1];
            let castling = position.rights.castling;
            let passed = position.rights.en_passant.map_or("-".to_string(), |s| square_name(s, false));
            Some(format!("{placement} {side} {castling} {passed} 0 1"))
        }
    };
    Some(PositionTexts { fen, text: ascii::text(&position.board, format) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text_edit::apply;

    fn done(text: &str, start: u32, end: u32) -> Option<(String, String)> {
        let tree = cpz_text::syntax::parse(text);
        let (title, edits) = square_action(&tree, Defaults::default(), Span::new(start, end))?;
        Some((title, apply(text, &edits)))
    }

    #[test]
    fn the_piece_at_the_cursor_is_removed_or_moved_to_the_end_of_the_selection() {
        let text = "solitaire { board [.B, R.] solve }";
        let found = |a, b| done(text, a, b).map(|(title, text)| format!("{title}: {}", &text[18..26]));
        assert_eq!(found(20, 20).as_deref(), Some("Remove the bishop on b2: [.., R.]"));
        assert_eq!(found(20, 25).as_deref(), Some("Move the bishop from b2 to b1: [.., RB]"));
        assert_eq!(found(19, 19), None);
        assert_eq!(done("solitaire { board [.B, R.] solve }", 30, 30), None);
    }
}
