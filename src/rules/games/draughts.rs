//! Captures of Russian draughts (source 004 gives the board; the official rules decide).
//!
//! Men and flying kings. Men capture backwards too. A capture goes on while it can, and a king must land
//! where it can go on. A captured piece leaves the board after the move and is jumped only once. A man that
//! reaches the last rank goes on as a king.

use crate::board::{Board, Colour, Format, Kind, Notation, Piece, Sizes, Square, square_name};
use crate::games::budget::{Budget, Undecided};
use crate::games::game::{
    Answer, Game, Line, Position, PositionIssue, Question, ReplayError, Step, Verdict, join_words,
};
use cpz_text::diagnostic::Code;
use cpz_text::syntax::{Property, Verb};

/// Draughts.
pub struct Draughts;

static FORMAT: Format = Format {
    game: "draughts",
    origin: 1,
    sizes: Sizes::Fixed(8),
    empty: '.',
    letters: &[
        ('w', Piece::white(Kind::Man)),
        ('b', Piece::black(Kind::Man)),
        ('W', Piece::white(Kind::King)),
        ('B', Piece::black(Kind::King)),
    ],
    kinds: &[Kind::Man, Kind::King],
    numbers: &[Kind::Man, Kind::King],
    coloured: true,
    dark_only: true,
    notation: Notation::Pdn,
};

impl Game for Draughts {
    fn format(&self) -> &'static Format {
        &FORMAT
    }

    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Capture, Verb::Line]
    }

    fn takes(&self, property: Property) -> bool {
        !matches!(
            property,
            Property::Rules
                | Property::Unique
                | Property::Castling
                | Property::EnPassant
                | Property::Solutions
                | Property::Condition
                | Property::HalfDuplex
                | Property::ZeroPosition
        )
    }

    fn validate(&self, position: &Position, _: &[Colour]) -> Vec<PositionIssue> {
        let board = &position.board;
        let mut found = Vec::new();
        for colour in [Colour::White, Colour::Black] {
            let own =
                || board.cells.iter().enumerate().filter(move |(_, p)| p.is_some_and(|p| p.colour == colour));
            if let Some((cell, _)) = own().nth(12) {
                let message = format!(
                    "{} has {} pieces, but a side never has more than 12",
                    colour.name(),
                    own().count()
                );
                found.push(PositionIssue { code: Code::TooManyPieces, cell, message, other: None });
            }
            for (cell, p) in own() {
                if p.is_some_and(|p| p.kind == Kind::Man) && board.square(cell).y == last_rank(colour) {
                    let message =
                        format!("a {} man stands on its last rank; it would be a king", colour.name());
                    found.push(PositionIssue { code: Code::ImpossiblePosition, cell, message, other: None });
                }
            }
        }
        found
    }

    fn answer(&self, position: &Position, _: &Question, budget: &Budget<'_>) -> Result<Answer, Undecided> {
        let mut lines = captures(position, budget)?;
        lines.sort();
        lines.dedup();
        let mut pieces: Vec<(Square, Verdict)> = position
            .board
            .pieces()
            .filter(|(_, p)| p.colour != position.turn)
            .map(|(s, _)| {
                let verdict = if lines.iter().any(|l| l.taken[0] == s) {
                    Verdict::Directly
                } else if lines.iter().any(|l| l.taken.contains(&s)) {
                    Verdict::After
                } else {
                    Verdict::No
                };
                (s, verdict)
            })
            .collect();
        pieces.sort_by_key(|p| p.0);
        Ok(Answer::Capture { lines, pieces })
    }

    fn follow(&self, position: &Position, steps: &[Step]) -> Result<(), ReplayError> {
        follow(position, steps)
    }

    fn quiet(&self, position: &Position, from: Square) -> Vec<Square> {
        let Some(piece) = position.board.at(from) else { return Vec::new() };
        let king = piece.kind == Kind::King;
        let ahead = if piece.colour == Colour::White { 1 } else { -1 };
        let ways = WAYS.iter().filter(|way| king || way.1 == ahead);
        let free = |&s: &Square| position.board.at(s).is_none();
        ways.flat_map(|&way| ray(from, way).take(if king { 8 } else { 1 }).take_while(free)).collect()
    }
}

fn last_rank(colour: Colour) -> u8 {
    if colour == Colour::White { 7 } else { 0 }
}

fn go(s: Square, (dx, dy): (i8, i8)) -> Option<Square> {
    let x = s.x.checked_add_signed(dx).filter(|&x| x < 8)?;
    let y = s.y.checked_add_signed(dy).filter(|&y| y < 8)?;
    Some(Square::new(x, y))
}

fn ray(from: Square, way: (i8, i8)) -> impl Iterator<Item = Square> {
    std::iter::successors(go(from, way), move |&s| go(s, way))
}

const WAYS: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

/// An unfinished capture.
#[derive(Clone)]
struct Jumper<'b> {
    board: &'b Board,
    colour: Colour,
    king: bool,
    /// The square where the move began, which is empty now.
    start: Square,
    at: Square,
    taken: Vec<Square>,
}

impl Jumper<'_> {
    fn piece(&self, s: Square) -> Option<Piece> {
        if s == self.start { None } else { self.board.at(s) }
    }

    /// One capture in a direction: the captured piece, and every square behind it to land on.
    fn jump(&self, way: (i8, i8)) -> Option<(Square, Vec<Square>)> {
        let reach = if self.king { 8 } else { 1 };
        let victim = ray(self.at, way).take(reach).find(|&s| self.piece(s).is_some())?;
        // A captured piece stays on its square until the end of the move, and cannot be jumped again.
        if self.piece(victim)?.colour == self.colour || self.taken.contains(&victim) {
            return None;
        }
        let landings: Vec<Square> =
            ray(victim, way).take(reach).take_while(|&s| self.piece(s).is_none()).collect();
        (!landings.is_empty()).then_some((victim, landings))
    }

    /// Why the piece cannot capture and land on a square; `nexts` are the captures that it can make.
    fn why_not(&self, to: Square, who: &str, nexts: &[Self]) -> String {
        let lands = WAYS.iter().filter_map(|&w| self.jump(w)).find(|(_, l)| l.contains(&to));
        let Some((victim, _)) = lands else { return self.why_no_capture(to, who) };
        let onward = nexts.iter().filter(|n| n.taken.last() == Some(&victim)).map(|n| n.at);
        let (taken, onward) = (square_name(victim, false), squares(&onward.collect::<Vec<_>>()));
        format!("having taken on {taken}, {who} must land where it can go on: on {onward}")
    }

    /// Why no capture of the piece can land on a square.
    fn why_no_capture(&self, to: Square, who: &str) -> String {
        let target = square_name(to, false);
        if (to.x + to.y) % 2 == 1 {
            return format!("{target} is a light square");
        }
        if self.piece(to).is_some() {
            return format!("{target} is occupied");
        }
        let way = WAYS.iter().find(|&&way| ray(self.at, way).any(|s| s == to));
        let passed: Vec<Square> = match way {
            Some(&way) => {
                ray(self.at, way).take_while(|&s| s != to).filter(|&s| self.piece(s).is_some()).collect()
            }
            None => return format!("{target} is not on a diagonal of {who}"),
        };
        match passed.as_slice() {
            [] => format!("{who} captures nothing on the way to {target}"),
            [one] if self.taken.contains(one) => {
                format!("the piece on {} was captured before and cannot be jumped again", squares(&passed))
            }
            [_] if !self.king => format!("{who} must land on the square right behind the piece it takes"),
            [_] => format!("{who} cannot pass over a piece of its own on {}", squares(&passed)),
            _ => format!("{who} cannot pass over {} at once: each capture takes one piece", squares(&passed)),
        }
    }

    fn landed(&self, victim: Square, at: Square) -> Self {
        let mut next = self.clone();
        next.taken.push(victim);
        next.at = at;
        next.king |= at.y == last_rank(self.colour);
        next
    }

    fn can_go_on(&self) -> bool {
        WAYS.iter().any(|&way| self.jump(way).is_some())
    }

    /// Every next capture. Of several squares to land on only those where the capture can go on, if there is one.
    fn next(&self) -> Vec<Self> {
        let mut all = Vec::new();
        for (victim, landings) in WAYS.iter().filter_map(|&way| self.jump(way)) {
            let nexts: Vec<Self> = landings.iter().map(|&s| self.landed(victim, s)).collect();
            let onward: Vec<bool> = nexts.iter().map(Jumper::can_go_on).collect();
            let must = onward.contains(&true);
            all.extend(nexts.into_iter().zip(onward).filter(|&(_, o)| o || !must).map(|(n, _)| n));
        }
        all
    }
}

fn jumpers(position: &Position) -> impl Iterator<Item = Jumper<'_>> {
    position.board.pieces().filter(|(_, p)| p.colour == position.turn).map(|(s, p)| Jumper {
        board: &position.board,
        colour: p.colour,
        king: p.kind == Kind::King,
        start: s,
        at: s,
        taken: Vec::new(),
    })
}

/// Every complete capture of the side to move, in the order of the search.
fn captures(position: &Position, budget: &Budget<'_>) -> Result<Vec<Line>, Undecided> {
    fn extend(
        j: &Jumper<'_>,
        path: &mut Vec<Square>,
        out: &mut Vec<Line>,
        budget: &Budget<'_>,
    ) -> Result<(), Undecided> {
        budget.step()?;
        let nexts = j.next();
        if nexts.is_empty() && !j.taken.is_empty() {
            out.push(Line { path: path.clone(), taken: j.taken.clone() });
        }
        for next in nexts {
            path.push(next.at);
            extend(&next, path, out, budget)?;
            path.pop();
        }
        Ok(())
    }
    let mut out = Vec::new();
    for jumper in jumpers(position) {
        extend(&jumper, &mut vec![jumper.at], &mut out, budget)?;
    }
    Ok(out)
}

fn squares(squares: &[Square]) -> String {
    join_words(&squares.iter().map(|&s| square_name(s, false)).collect::<Vec<_>>())
}

/// Replays a written capture; the error is the first step that fails, or that the capture must go on.
fn follow(position: &Position, steps: &[Step]) -> Result<(), ReplayError> {
    let error = |step: usize, message: String| ReplayError { step, message, notes: Vec::new() };
    let Some(first) = steps.first() else {
        return Err(error(0, "a capture takes at least one piece".into()));
    };
    let name = square_name(first.from, false);
    let Some(mut jumper) = jumpers(position).find(|j| j.at == first.from) else {
        let what = match position.board.at(first.from) {
            Some(p) => format!("the {p} on {name} is not {}'s to move", position.turn.name()),
            None => format!("nothing stands on {name}"),
        };
        return Err(error(0, what));
    };
    for (i, step) in steps.iter().enumerate() {
        let who =
            format!("the {} on {}", if jumper.king { "king" } else { "man" }, square_name(jumper.at, false));
        if step.from != jumper.at {
            let message = format!(
                "this step begins on {}, but the one before ends on {}",
                square_name(step.from, false),
                square_name(jumper.at, false)
            );
            return Err(error(i, message));
        }
        let nexts = jumper.next();
        if let Some(next) = nexts.iter().find(|n| n.at == step.to) {
            jumper = next.clone();
            continue;
        }
        let message = jumper.why_not(step.to, &who, &nexts);
        let mut error = error(i, message);
        let mut can: Vec<Square> = nexts.iter().map(|n| n.at).collect();
        can.sort();
        error.notes.push(match can.is_empty() {
            true => format!("{who} can capture nothing"),
            false => format!("{who} can land on {}", squares(&can)),
        });
        return Err(error);
    }
    let nexts = jumper.next();
    if nexts.is_empty() {
        return Ok(());
    }
    let mut victims: Vec<Square> = nexts.iter().filter_map(|n| n.taken.last().copied()).collect();
    victims.sort();
    victims.dedup();
    let message = format!(
        "the capture stops short on {}: it must go on and take on {}",
        square_name(jumper.at, false),
        squares(&victims)
    );
    Err(error(steps.len(), message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Rights, Size, chess_square};
    use crate::games::game::Dialect;

    /// The men of each side by their squares, with `K` before kings; the steps of White; and why they are no capture.
    const REASONS: &[(&str, &str, &str, &str)] = &[
        ("c3", "d4", "c3", "a capture takes at least one piece"),
        ("c3", "d4", "d4 e5", "the black man on d4 is not white's to move"),
        ("c3", "d4", "e3 d4", "nothing stands on e3"),
        ("c3", "d4", "c3 d5", "d5 is a light square; the man on c3 can land on e5"),
        ("c3", "d4", "c3 d4", "d4 is occupied; the man on c3 can land on e5"),
        ("c3", "d4", "c3 c5", "c5 is not on a diagonal of the man on c3; the man on c3 can land on e5"),
        (
            "c3",
            "d4",
            "c3 b4",
            "the man on c3 captures nothing on the way to b4; the man on c3 can land on e5",
        ),
        (
            "c3",
            "d4",
            "c3 f6",
            "the man on c3 must land on the square right behind the piece it takes; the man on c3 can land on e5",
        ),
        (
            "c3",
            "",
            "c3 e5",
            "the man on c3 captures nothing on the way to e5; the man on c3 can capture nothing",
        ),
        (
            "Kc3 d4",
            "",
            "c3 f6",
            "the king on c3 cannot pass over a piece of its own on d4; the king on c3 can capture nothing",
        ),
        (
            "Kc3",
            "d4 e5",
            "c3 f6",
            "the king on c3 cannot pass over d4 and e5 at once: each capture takes one piece; the king on c3 can capture nothing",
        ),
        (
            "Kc3",
            "d4 f6",
            "c3 h8",
            "the king on c3 cannot pass over d4 and f6 at once: each capture takes one piece; the king on c3 can land on e5",
        ),
        (
            "Kc1",
            "e3 e5",
            "c1 g5",
            "having taken on e3, the king on c1 must land where it can go on: on f4; the king on c1 can land on f4",
        ),
        (
            "c3",
            "d4",
            "c3 e5 c3",
            "the piece on d4 was captured before and cannot be jumped again; the man on e5 can capture nothing",
        ),
        ("c3", "d4 d6", "c3 e5", "the capture stops short on e5: it must go on and take on d6"),
        ("c3", "d4 d6", "c3 e5 d7", "d7 is a light square; the man on e5 can land on c7"),
    ];

    fn squares_of(text: &str) -> Vec<Square> {
        text.split_whitespace().map(|name| chess_square(name).expect("a square")).collect()
    }

    #[test]
    fn a_capture_that_is_none_has_its_reason() {
        for &(white, black, steps, due) in REASONS {
            let mut board = Board::empty(Size::flat(8, 8));
            for (colour, men) in [(Colour::White, white), (Colour::Black, black)] {
                for man in men.split_whitespace() {
                    let (kind, name) =
                        man.strip_prefix('K').map_or((Kind::Man, man), |name| (Kind::King, name));
                    let cell = board.index(squares_of(name)[0]);
                    board.cells[cell] = Some(Piece::new(colour, kind));
                }
            }
            let (turn, dialect, rights) = (Colour::White, Dialect::Default, Rights::default());
            let path = squares_of(steps);
            let steps: Vec<Step> =
                path.windows(2).map(|pair| Step { from: pair[0], to: pair[1], taken: None }).collect();
            let found = follow(&Position { board, turn, dialect, rights }, &steps);
            let ReplayError { message, notes, .. } = found.expect_err("a reason");
            assert_eq!([vec![message], notes].concat().join("; "), due);
        }
    }

    /// What a piece can do without a capture, with a man of the other side in the way.
    #[test]
    fn men_go_ahead_and_kings_go_far() {
        let mut board = Board::empty(Size::flat(8, 8));
        for (name, piece) in [
            ("c3", Piece::white(Kind::Man)),
            ("g3", Piece::black(Kind::Man)),
            ("e1", Piece::white(Kind::King)),
            ("d6", Piece::black(Kind::King)),
        ] {
            let cell = board.index(squares_of(name)[0]);
            board.cells[cell] = Some(piece);
        }
        let (turn, dialect, rights) = (Colour::White, Dialect::Default, Rights::default());
        let position = Position { board, turn, dialect, rights };
        for (from, due) in [
            ("c3", "b4 d4"),
            ("g3", "f2 h2"),
            ("e1", "d2 f2"),
            ("d6", "a3 b4 b8 c5 c7 e5 e7 f4 f8"),
            ("e5", ""),
        ] {
            let mut found = Draughts.quiet(&position, squares_of(from)[0]);
            found.sort_unstable();
            assert_eq!(squares(&found), squares(&squares_of(due)), "{from}");
        }
    }
}
