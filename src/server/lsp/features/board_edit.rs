//! `cpz/edit` and `cpz/targets`: what is done on the board of a board view.

use crate::lsp::features::context::RequestContext;
use crate::lsp::protocol::board_ext::{
    EditChoice, EditParams, EditResult, Gesture, SquareParams, TargetsResult,
};
use crate::lsp::protocol::request_error::{RequestError, Result};
use cpz_check::analysis::{Bound, Defaults, bind_one, puzzle_near};
use cpz_ide::{self as ide, BoardChanges};
use cpz_rules::board::{Board, Castling, Piece, Square, read_colour, square_name};
use cpz_text::diagnostic::{Edit, plain};

/// What a gesture comes to.
pub(crate) struct Outcome {
    pub edits: Vec<Edit>,
    words: String,
    verdict: String,
    /// Why nothing is edited though there are choices.
    pub refused: Option<String>,
    pub choices: Vec<EditChoice>,
}

impl Outcome {
    fn new(edits: Vec<Edit>, words: String) -> Outcome {
        Outcome { edits, words, verdict: String::new(), refused: None, choices: Vec::new() }
    }
}

/// # Errors
/// The text has changed since: the client would apply the edits to another text.
pub(crate) fn edit(context: &RequestContext<'_>, params: &EditParams) -> Result<Option<EditResult>> {
    if context.snapshot.version != Some(params.text_document.version) {
        return Err(RequestError {
            message: "the text has changed since".into(),
            ..RequestError::content_modified()
        });
    }
    Ok(Some(edit_result(&context.for_position(params.position), params)))
}

fn edit_result(context: &RequestContext<'_>, params: &EditParams) -> EditResult {
    let outcome = outcome(context, context.offset(params.position), &params.gesture);
    let version = context.snapshot.version;
    match outcome {
        Ok(Outcome { edits, words, verdict, refused, choices }) => {
            let refused = refused.map(|why| plain(&why).into_owned());
            EditResult { version, edits: context.edits(&edits), words, verdict, refused, choices }
        }
        Err(why) => EditResult {
            version,
            edits: Vec::new(),
            words: String::new(),
            verdict: String::new(),
            refused: Some(plain(&why).into_owned()),
            choices: Vec::new(),
        },
    }
}

/// The edits that a gesture means, on the board of the twin at an offset, or of the puzzle at or nearest above it.
///
/// # Errors
/// Why it is refused, for the user.
pub(crate) fn outcome(
    context: &RequestContext<'_>,
    offset: u32,
    gesture: &Gesture,
) -> std::result::Result<Outcome, String> {
    let tree = context.tree();
    let puzzle = puzzle_near(tree, context.base(), offset);
    let bound = puzzle.and_then(|(puzzle, defaults)| Some((bind_one(puzzle, defaults)?, defaults)));
    let (bound, defaults) = bound.ok_or("there is no puzzle here")?;
    if !ide::is_plain_text(tree.text()) {
        return Err("this text contains NUL characters".into());
    }
    if let Gesture::Record { from, to, choice } = gesture {
        return record(context, &bound, defaults, offset, (from.as_deref(), to, choice.clone()));
    }
    // The square at the cursor is one of the diagram.
    let twin = ide::twin_at(&bound, offset).filter(|_| gesture.names_square());
    if let Some(query) = twin {
        let twin = ide::TwinBoard::read(&bound, query)?;
        let (changes, words) = Touched { bound: &bound, board: twin.board(), offset }.changes(gesture)?;
        let words = if words.is_empty() { words } else { format!("{}: {words}", twin.name()) };
        return Ok(Outcome::new(ide::twin_edits(&bound, defaults, query, &changes)?, words));
    }
    let board = ide::editable_board(&bound)?;
    let touched = Touched { bound: &bound, board, offset };
    let (changes, words) = touched.changes(gesture)?;
    Ok(Outcome::new(ide::board_edits(&bound, defaults, &changes)?, words))
}

fn record(
    context: &RequestContext<'_>,
    bound: &Bound<'_>,
    defaults: Defaults,
    offset: u32,
    (from, to, choice): (Option<&str>, &str, Option<String>),
) -> std::result::Result<Outcome, String> {
    let budget = context.search_budget(false);
    let board = ide::editable_board(bound)?;
    let touched = Touched { bound, board, offset };
    let gesture = ide::MoveGesture { from: touched.square(from)?, to: touched.square(Some(to))?, choice };
    Ok(match ide::record_move(bound, defaults, offset, &gesture, &budget)? {
        ide::RecordedMove::Written { edits, name, verdict } => {
            Outcome { verdict, ..Outcome::new(edits, name) }
        }
        ide::RecordedMove::Choose(choices) => {
            let choices = choices.into_iter().map(edit_choice).collect();
            Outcome { choices, ..Outcome::new(Vec::new(), String::new()) }
        }
        ide::RecordedMove::Try { why, choice: of_try } => {
            let choices = vec![edit_choice(of_try)];
            Outcome { refused: Some(why), choices, ..Outcome::new(Vec::new(), String::new()) }
        }
    })
}

fn edit_choice(choice: ide::MoveChoice) -> EditChoice {
    EditChoice { id: choice.id, label: choice.label }
}

/// A board on which something is done.
struct Touched<'a, 't> {
    bound: &'a Bound<'t>,
    board: &'a Board,
    offset: u32,
}

impl Touched<'_, '_> {
    fn is_cube(&self) -> bool {
        self.bound.game.format().is_cube()
    }

    /// A square by its name, or the one that is written at the cursor.
    fn square(&self, name: Option<&str>) -> std::result::Result<Square, String> {
        match name {
            Some(name) => ide::square_named(self.board, self.is_cube(), name)
                .ok_or_else(|| format!("there is no square {name} on this board")),
            None => ide::square_written_at(self.bound, self.offset)
                .ok_or_else(|| "put the cursor on a cell or a piece of the board".into()),
        }
    }

    fn name(&self, square: Square) -> String {
        square_name(square, self.is_cube())
    }

    fn called(&self, piece: Piece) -> String {
        self.bound.game.format().called(piece)
    }

    /// The changes that a gesture means, and what it does in words.
    fn changes(&self, gesture: &Gesture) -> std::result::Result<(BoardChanges, String), String> {
        let none = BoardChanges::default;
        Ok(match gesture {
            Gesture::Put { square, piece } => {
                let square = self.square(square.as_deref())?;
                let piece = ide::palette_piece(self.bound, piece)
                    .ok_or_else(|| format!("{piece} is no piece of {}", self.bound.game.format().game))?;
                let words = format!("{} on {}", self.called(piece), self.name(square));
                (BoardChanges::of_squares([(square, Some(piece))]), words)
            }
            Gesture::Remove { square } => {
                let square = self.square(square.as_deref())?;
                let words = format!("{} is empty", self.name(square));
                (BoardChanges::of_squares([(square, None)]), words)
            }
            Gesture::Move { from, to } => {
                self.moved(self.square(from.as_deref())?, self.square(Some(to))?)?
            }
            Gesture::Clear => {
                let all = self.board.pieces().map(|(square, _)| (square, None));
                (BoardChanges::of_squares(all), "the board is empty".into())
            }
            Gesture::Size { columns, rows } => {
                let size = ide::size_of(self.bound, *columns, *rows)?;
                (BoardChanges { size: Some(size), ..none() }, format!("the board is {size}"))
            }
            Gesture::Side { side } => {
                let turn = read_colour(side).filter(|_| self.bound.game.format().coloured);
                let turn = turn.ok_or("the side to move is white or black")?;
                (BoardChanges { turn: Some(turn), ..none() }, format!("{} to move", turn.name()))
            }
            Gesture::Castling { rights } => {
                let castling = Castling::parse(rights).ok_or("castling rights are letters of KQkq, or -")?;
                let words = format!("castling rights: {castling}");
                (BoardChanges { castling: Some(castling), ..none() }, words)
            }
            Gesture::Record { .. } => (none(), String::new()),
        })
    }

    fn moved(&self, from: Square, to: Square) -> std::result::Result<(BoardChanges, String), String> {
        let piece = self.board.at(from);
        let Some(piece) = piece else { return Err(format!("nothing stands on {}", self.name(from))) };
        if from == to {
            return Ok((BoardChanges::default(), String::new()));
        }
        let words = format!("{} from {} to {}", self.called(piece), self.name(from), self.name(to));
        Ok((BoardChanges::of_squares([(from, None), (to, Some(piece))]), words))
    }
}

pub(crate) fn targets(context: &RequestContext<'_>, params: &SquareParams) -> Option<TargetsResult> {
    let context = context.for_position(params.position);
    let offset = context.offset(params.position);
    let (puzzle, defaults) = puzzle_near(context.tree(), context.base(), offset)?;
    let bound = bind_one(puzzle, defaults)?;
    let is_cube = bound.game.format().is_cube();
    let found = ide::editable_board(&bound).and_then(|board| {
        let from = ide::square_named(board, is_cube, &params.square).ok_or("there is no such square")?;
        ide::record_targets(&bound, offset, from)
    });
    let name = |square| square_name(square, is_cube);
    Some(match found {
        Ok(targets) => TargetsResult { targets: targets.into_iter().map(name).collect(), refused: None },
        Err(why) => TargetsResult { targets: Vec::new(), refused: Some(plain(&why).into_owned()) },
    })
}
