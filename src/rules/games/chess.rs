//! Chess move legality and mate (source 001), with the rights that a position has; odd positions are answered.

use crate::board::{Colour, Format, Kind, Notation, Piece, Rights, Sizes};
use crate::games::budget::{Budget, Undecided};
use crate::games::chess_move::ChessMove;
use crate::games::chess_moves::{after_move, after_pass, san, status_of, why_illegal};
use crate::games::chess_problem::{
    Key, Keys, Prover, Sequences, SetPlay, after_in_sequence, find_keys, find_sequences, set_play,
};
use crate::games::chess_rules::{ChessRules, effective_rights, rights_issues};
use crate::games::game::{
    Answer, Game, NamedKey, NamedMove, NamedSetPlay, Position, PositionIssue, Question, RightsIssue,
    ShorterSeries, Status,
};
use crate::games::stipulation::Stipulation;
use crate::games::symmetry::Symmetry;
use cpz_text::diagnostic::Code;
use cpz_text::syntax::{Property, Verb};
use std::sync::LazyLock;

/// Chess.
pub struct Chess;

/// The verbs of chess, in the order of the manual.
fn verbs() -> &'static [Verb] {
    static VERBS: LazyLock<Vec<Verb>> = LazyLock::new(|| {
        Verb::all().filter(|verb| !matches!(verb, Verb::Solve | Verb::Count | Verb::Capture)).collect()
    });
    &VERBS
}

static FORMAT: Format = Format {
    game: "chess",
    origin: 1,
    sizes: Sizes::Fixed(8),
    empty: '.',
    letters: &[
        ('K', Piece::white(Kind::King)),
        ('Q', Piece::white(Kind::Queen)),
        ('R', Piece::white(Kind::Rook)),
        ('B', Piece::white(Kind::Bishop)),
        ('N', Piece::white(Kind::Knight)),
        ('P', Piece::white(Kind::Pawn)),
        ('k', Piece::black(Kind::King)),
        ('q', Piece::black(Kind::Queen)),
        ('r', Piece::black(Kind::Rook)),
        ('b', Piece::black(Kind::Bishop)),
        ('n', Piece::black(Kind::Knight)),
        ('p', Piece::black(Kind::Pawn)),
    ],
    kinds: &[Kind::King, Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight, Kind::Pawn],
    numbers: &[Kind::King, Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight, Kind::Pawn],
    coloured: true,
    dark_only: false,
    notation: Notation::Fen,
};

impl Game for Chess {
    fn format(&self) -> &'static Format {
        &FORMAT
    }

    fn verbs(&self) -> &'static [Verb] {
        verbs()
    }

    fn takes(&self, property: Property) -> bool {
        // `size` is allowed: `size 8` is redundant, but not wrong.
        !matches!(property, Property::Rules | Property::Unique)
    }

    fn validate(&self, position: &Position, sides: &[Colour]) -> Vec<PositionIssue> {
        let board = &position.board;
        let mut found = ChessRules::new(board).validate(sides);
        for colour in [Colour::White, Colour::Black] {
            let own = || {
                board
                    .cells
                    .iter()
                    .enumerate()
                    .filter_map(|(i, p)| p.filter(|p| p.colour == colour).map(|p| (i, p)))
            };
            let pawns = || own().filter(|(_, p)| p.kind == Kind::Pawn);
            let many = |n: usize, cell: Option<usize>, what: &str, most: usize| {
                cell.map(|cell| PositionIssue {
                    code: Code::TooManyPieces,
                    cell,
                    message: format!(
                        "{} has {n} {what}, but a side never has more than {most}",
                        colour.name()
                    ),
                    other: None,
                })
            };
            found.extend(many(own().count(), own().nth(16).map(|p| p.0), "pieces", 16));
            found.extend(many(pawns().count(), pawns().nth(8).map(|p| p.0), "pawns", 8));
            let last = if colour == Colour::White { 7 } else { 0 };
            for (cell, _) in pawns().filter(|&(i, _)| board.square(i).y == last) {
                let message = format!("a {} pawn stands on its last rank", colour.name());
                found.push(PositionIssue { code: Code::ImpossiblePosition, cell, message, other: None });
            }
        }
        found
    }

    fn rights_issues(&self, position: &Position, sides: &[Colour]) -> Vec<RightsIssue> {
        rights_issues(position, sides)
    }

    fn effective_rights(&self, position: &Position) -> Rights {
        effective_rights(position)
    }

    fn answer(
        &self,
        position: &Position,
        question: &Question,
        budget: &Budget<'_>,
    ) -> Result<Answer, Undecided> {
        budget.step()?;
        if let Some(stipulation) = question.stipulation {
            let changed = question.position.map(|other| position.changed(&other));
            let position = changed.as_ref().unwrap_or(position);
            let has_sequences = stipulation.play().has_sequences();
            return match question.verb == Verb::SetPlay {
                true if !has_sequences => set_play_of(position, stipulation, budget),
                // The side to move cannot pass while it is in check: the other side would take the king.
                true if is_in_check(&after_pass(position)) => Ok(no_sequences(stipulation)),
                _ => solve_problem(position, stipulation, budget),
            };
        }
        Ok(match question.request {
            Some(request) => Answer::Move(why_illegal(position, &request)),
            None => {
                let rules = ChessRules::with_rights(&position.board, position.rights);
                let (status, (explained, reasons)) = (status_of(position), rules.explained(position.turn));
                debug_assert_eq!(status, explained, "the decision agrees with the reasons");
                Answer::Mate { status, side: position.turn, reasons }
            }
        })
    }

    fn status(&self, position: &Position) -> Option<Status> {
        Some(status_of(position))
    }

    /// Those of the pieces: castling rights have none.
    fn symmetries(&self, _: &Position) -> &'static [Symmetry] {
        &[Symmetry::IDENTITY, Symmetry::MIRROR]
    }
}

/// All keys of a problem, or all its sequences, with their names.
fn solve_problem(
    position: &Position,
    stipulation: Stipulation,
    budget: &Budget<'_>,
) -> Result<Answer, Undecided> {
    let (is_empty, answer) = match stipulation.play().has_sequences() {
        false => {
            let Keys { keys, complete } = find_keys(position, stipulation, budget)?;
            let named = |key: &Key| NamedKey { mv: named_move(position, key.mv), mates: key.mates };
            let keys: Vec<NamedKey> = keys.iter().map(named).collect();
            (keys.is_empty() && !complete, Answer::Keys { stipulation, keys, complete })
        }
        true => {
            let Sequences { solutions, complete, is_cut, shorter } =
                find_sequences(position, stipulation, budget)?;
            let solutions: Vec<_> =
                solutions.iter().map(|line| named_line(position, stipulation, line)).collect();
            (
                solutions.is_empty() && !complete,
                Answer::Sequences { stipulation, solutions, complete, is_cut, shorter },
            )
        }
    };
    // Nothing found by a search that ended early is no answer.
    if is_empty { Err(Undecided::Budget) } else { Ok(answer) }
}

fn is_in_check(position: &Position) -> bool {
    matches!(status_of(position), Status::Check | Status::Checkmate)
}

fn no_sequences(stipulation: Stipulation) -> Answer {
    let (solutions, shorter) = (Vec::new(), ShorterSeries::Unknown);
    Answer::Sequences { stipulation, solutions, complete: true, is_cut: false, shorter }
}

/// What is ready for each move of the other side, if that had to move first, with names.
fn set_play_of(position: &Position, asked: Stipulation, budget: &Budget<'_>) -> Result<Answer, Undecided> {
    let mut prover = Prover::new(asked, position.turn, budget);
    let found = set_play(&mut prover, position, asked)?;
    let passed = after_pass(position);
    let named = |set: &SetPlay| {
        let after = after_move(&passed, set.mv);
        let answer = |key: &Key| NamedKey { mv: named_move(&after, key.mv), mates: key.mates };
        NamedSetPlay { mv: named_move(&passed, set.mv), answers: set.answers.iter().map(answer).collect() }
    };
    Ok(Answer::SetPlay { stipulation: asked, variations: found.iter().map(named).collect() })
}

fn named_move(position: &Position, mv: ChessMove) -> NamedMove {
    NamedMove { san: san(position, mv), uci: mv.uci() }
}

fn named_line(position: &Position, asked: Stipulation, moves: &[ChessMove]) -> Vec<NamedMove> {
    let mut position = position.clone();
    let mut name = |(i, &mv): (usize, &ChessMove)| {
        let named = named_move(&position, mv);
        position = after_in_sequence(&position, asked, mv, i);
        named
    };
    moves.iter().enumerate().map(&mut name).collect()
}
