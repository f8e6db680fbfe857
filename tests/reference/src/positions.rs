//! Random positions that have solutions.

use crate::{Genre, Goal, Play, Rng, Task, all_moves, can_reach, has_solution};
use cozy_chess::{Board as Position, BoardBuilder, Color, File, Piece as Kind, Rank, Square};

/// Men on squares.
type Men = Vec<(Square, Kind, Color)>;

fn may_stand(kind: Kind, square: Square) -> bool {
    kind != Kind::Pawn || !matches!(square.rank(), Rank::First | Rank::Eighth)
}

fn near(rng: &mut Rng, centre: Square, distance: i8) -> Square {
    loop {
        let step = |rng: &mut Rng| rng.range(0, 2 * distance as usize) as i8 - distance;
        let (file, rank) = (centre.file() as i8 + step(rng), centre.rank() as i8 + step(rng));
        if (0..8).contains(&file) && (0..8).contains(&rank) {
            return Square::new(File::index(file as usize), Rank::index(rank as usize));
        }
    }
}

fn any_square(rng: &mut Rng) -> Square {
    Square::index(rng.below(64))
}

/// A king with men of both sides around it, as composers put them.
fn random_men(rng: &mut Rng, genre: Genre) -> Men {
    let (own, other) = match (genre.play, genre.goal) {
        (Play::Direct, Goal::Mate) => ((2, 7), (0, 7)),
        (Play::Self_, Goal::Mate) => ((3, 8), (1, 7)),
        (_, Goal::Stalemate) if genre.is_against_solver() => ((0, 3), (1, 4)),
        (_, Goal::Stalemate) => ((1, 4), (0, 2)),
        _ if genre.is_against_solver() => ((1, 4), (1, 5)),
        _ => ((1, 4), (0, 5)),
    };
    let mut kings = [any_square(rng), any_square(rng)];
    // The side that is to have no move.
    let victim = usize::from(!genre.is_against_solver());
    if genre.goal == Goal::Stalemate && rng.chance(70) {
        kings[victim] = Square::new(kings[victim].file(), rng.pick(&[Rank::First, Rank::Eighth]));
    }
    let mut men = vec![(kings[0], Kind::King, Color::White), (kings[1], Kind::King, Color::Black)];
    let counts = [(Color::White, rng.range(own.0, own.1)), (Color::Black, rng.range(other.0, other.1))];
    for (colour, count) in counts {
        for _ in 0..count {
            let kind =
                rng.pick(&[Kind::Queen, Kind::Rook, Kind::Rook, Kind::Bishop, Kind::Knight, Kind::Pawn]);
            // Where the goal is reached; if the solver is the victim, near its opponent, too.
            let centre = match genre.goal {
                Goal::Arrival(square) => square,
                _ if victim == 0 && rng.chance(50) => kings[0],
                _ => kings[1],
            };
            let square = if rng.chance(25) { any_square(rng) } else { near(rng, centre, 3) };
            if may_stand(kind, square) && men.iter().all(|man| man.0 != square) {
                men.push((square, kind, colour));
            }
        }
    }
    if rng.chance(20) {
        send_home(rng, &mut men);
    }
    men
}

/// Puts a king at home, with one or two rooks, where nothing stands in the way.
fn send_home(rng: &mut Rng, men: &mut Men) {
    let (colour, rank) = rng.pick(&[(Color::White, Rank::First), (Color::Black, Rank::Eighth)]);
    men.retain(|man| man.0.rank() != rank && (man.1, man.2) != (Kind::King, colour));
    if men.iter().filter(|man| man.1 == Kind::King).count() == 0 {
        men.push((any_square(rng), Kind::King, !colour));
    }
    men.push((Square::new(File::E, rank), Kind::King, colour));
    for file in [File::A, File::H] {
        if rng.chance(70) {
            men.push((Square::new(file, rank), Kind::Rook, colour));
        }
    }
}

/// The men with one to three of them moved, removed or added.
fn changed_men(rng: &mut Rng, men: &Men) -> Men {
    let mut men = men.clone();
    for _ in 0..rng.range(1, 3) {
        let (at, target) = (rng.below(men.len()), any_square(rng));
        let free = men.iter().all(|man| man.0 != target);
        match rng.below(4) {
            0 if men[at].1 != Kind::King && men.len() > 4 => {
                men.swap_remove(at);
            }
            1 if free => {
                let kind = rng.pick(&[Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight, Kind::Pawn]);
                if may_stand(kind, target) {
                    men.push((target, kind, rng.pick(&[Color::White, Color::Black])));
                }
            }
            _ if free && may_stand(men[at].1, target) => men[at].0 = target,
            _ => {}
        }
    }
    men
}

/// Castling rights for kings and rooks at home, or some of them.
fn add_castling(rng: &mut Rng, builder: &mut BoardBuilder) {
    for (colour, rank) in [(Color::White, Rank::First), (Color::Black, Rank::Eighth)] {
        let stands = |file, kind| builder.square(Square::new(file, rank)) == Some((kind, colour));
        if !stands(File::E, Kind::King) {
            continue;
        }
        let (short, long) = (stands(File::H, Kind::Rook), stands(File::A, Kind::Rook));
        let rights = builder.castle_rights_mut(colour);
        rights.short = (short && rng.chance(70)).then_some(File::H);
        rights.long = (long && rng.chance(70)).then_some(File::A);
    }
}

/// A pawn that has just gone two squares, beside an enemy pawn.
fn add_en_passant(rng: &mut Rng, builder: &mut BoardBuilder) {
    let (rank, behind, from) = match builder.side_to_move {
        Color::White => (Rank::Fifth, Rank::Sixth, Rank::Seventh),
        Color::Black => (Rank::Fourth, Rank::Third, Rank::Second),
    };
    let file = File::index(rng.below(7));
    let next = File::index(file as usize + 1);
    let (passed, taker) = if rng.chance(50) { (file, next) } else { (next, file) };
    let king = |square| matches!(builder.square(square), Some((Kind::King, _)));
    let used = [
        Square::new(passed, rank),
        Square::new(taker, rank),
        Square::new(passed, behind),
        Square::new(passed, from),
    ];
    if used.into_iter().any(king) {
        return;
    }
    *builder.square_mut(used[0]) = Some((Kind::Pawn, !builder.side_to_move));
    *builder.square_mut(used[1]) = Some((Kind::Pawn, builder.side_to_move));
    *builder.square_mut(used[2]) = None;
    *builder.square_mut(used[3]) = None;
    builder.en_passant = Some(used[2]);
}

/// A legal position with some rights. The colours are changed in half of them.
fn position_of(rng: &mut Rng, men: &Men, task: Task) -> Option<Position> {
    // A goal on a square has its side.
    let swap = !matches!(task.genre.goal, Goal::Arrival(_)) && rng.chance(50);
    let mut builder = BoardBuilder::empty();
    for &(square, kind, colour) in men {
        let (square, colour) = if swap { (square.flip_rank(), !colour) } else { (square, colour) };
        *builder.square_mut(square) = Some((kind, colour));
    }
    // White solves before the colours are changed.
    let begins = match task.genre.play {
        Play::Help => task.plies % 2 == 1,
        Play::HelpSelf => task.plies.is_multiple_of(2),
        Play::SeriesHelp => false,
        _ => true,
    };
    builder.side_to_move = if begins != swap { Color::White } else { Color::Black };
    add_castling(rng, &mut builder);
    if rng.chance(8) {
        add_en_passant(rng, &mut builder);
    }
    let position = builder.build().ok()?;
    // The library takes kings side by side, and then sees no check between them.
    let (a, b) = (position.king(Color::White), position.king(Color::Black));
    let far = |a: usize, b: usize| a.abs_diff(b) > 1;
    let apart = far(a.file() as usize, b.file() as usize) || far(a.rank() as usize, b.rank() as usize);
    apart.then_some(position)
}

/// The leaves of a tree of all moves, as far as the first moves tell.
fn work(position: &Position, task: Task) -> usize {
    let own = all_moves(position).len().max(1);
    let other = position.null_move().map_or(own, |then| all_moves(&then).len().max(1));
    // The moves that a series has more than those that alternate.
    let (listed, series) = (task.listed(), task.passes());
    let own_moves = series + (listed - series).div_ceil(2);
    own.saturating_pow(own_moves as u32).saturating_mul(other.saturating_pow((listed - own_moves) as u32))
}

/// Which positions are wanted.
pub struct Wanted {
    pub count: usize,
    /// At least so many in a hundred have a solution.
    pub solved: usize,
    /// Bounds the tree of all moves.
    pub max_work: usize,
    pub is_solved: fn(&Position, Task) -> bool,
    /// FENs with solutions, White solving, where chance alone finds few.
    pub bases: Vec<&'static str>,
}

impl Wanted {
    pub fn new(count: usize, solved: usize, max_work: usize) -> Self {
        Self { count, solved, max_work, is_solved: has_solution, bases: Vec::new() }
    }
}

fn men_of(fen: &str) -> Men {
    let position: Position = fen.parse().expect("a FEN");
    let man = |square| Some((square, position.piece_on(square)?, position.color_on(square)?));
    Square::ALL.into_iter().filter_map(man).collect()
}

/// Positions for a task.
pub fn positions(rng: &mut Rng, task: Task, wanted: &Wanted) -> Vec<Position> {
    let mut positions: Vec<Position> = Vec::new();
    let mut kept: Vec<Men> = wanted.bases.iter().map(|fen| men_of(fen)).collect();
    let mut unsolved = 0;
    while positions.len() < wanted.count {
        let men = match kept.len() {
            0 => random_men(rng, task.genre),
            // A change of a position with a solution often has one, too.
            n if rng.chance(if wanted.bases.is_empty() { 60 } else { 90 }) => {
                let at = rng.below(n);
                changed_men(rng, &kept[at])
            }
            _ => random_men(rng, task.genre),
        };
        let Some(position) = position_of(rng, &men, task) else { continue };
        if all_moves(&position).is_empty() || work(&position, task) > wanted.max_work {
            continue;
        }
        let many_unsolved = unsolved * 100 >= wanted.count * (100 - wanted.solved);
        if task.genre == Genre::SELFMATE && many_unsolved && !may_be_selfmate(&position) {
            continue;
        }
        if (wanted.is_solved)(&position, task) {
            kept.push(men);
        } else if many_unsolved {
            continue;
        } else {
            unsolved += 1;
        }
        positions.push(position);
    }
    positions
}

/// Whether the other side could mate at once and has few moves: a quick test before a long search.
fn may_be_selfmate(position: &Position) -> bool {
    position.null_move().is_some_and(|then| {
        let moves = all_moves(&then);
        moves.len() < 14 && can_reach(Goal::Mate, &then)
    })
}
