//! Chess problems by plain brute force over `cozy-chess`, and random positions that have solutions.

use crate::harness::batch::Rng;
use crate::harness::full;
use cozy_chess::{Board as Position, BoardBuilder, Color, File, Move, Piece as Kind, Rank, Square};

/// What is asked of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Genre {
    Mate,
    Selfmate,
    Helpmate,
}

/// A genre and a length in plies: 4 for `#2`, 5 for `h#2.5`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task {
    pub(super) genre: Genre,
    pub(super) plies: usize,
}

impl Task {
    /// `mate in 2` or `#2`.
    pub(super) fn query(self, short: bool) -> String {
        let (word, sign) = match self.genre {
            Genre::Mate => ("mate", "#"),
            Genre::Selfmate => ("selfmate", "s#"),
            Genre::Helpmate => ("helpmate", "h#"),
        };
        let length = self.length();
        if short { format!("{sign}{length}") } else { format!("{word} in {length}") }
    }

    /// `2`, `2.5`.
    pub(super) fn length(self) -> String {
        format!("{}{}", self.plies / 2, if self.plies % 2 == 1 { ".5" } else { "" })
    }

    pub(super) fn moves(self) -> usize {
        self.plies / 2
    }
}

pub(super) fn all_moves(position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    position.generate_moves(|piece_moves| {
        moves.extend(piece_moves);
        false
    });
    moves
}

pub(super) fn after(position: &Position, mv: Move) -> Position {
    let mut after = position.clone();
    after.play_unchecked(mv);
    after
}

/// A move in UCI; the library lets a castling king take its rook.
pub(super) fn uci(position: &Position, mv: Move) -> String {
    if position.color_on(mv.to) == Some(position.side_to_move()) {
        let file = if mv.to.file() > mv.from.file() { File::G } else { File::C };
        return format!("{}{}", mv.from, Square::new(file, mv.from.rank()));
    }
    mv.to_string()
}

/// The position after a move in UCI, `None` if the move is illegal.
pub(super) fn play_uci(position: &Position, text: &str) -> Option<Position> {
    let mv = all_moves(position).into_iter().find(|&mv| uci(position, mv) == text)?;
    Some(after(position, mv))
}

pub(super) fn is_mate(position: &Position) -> bool {
    !position.checkers().is_empty() && all_moves(position).is_empty()
}

/// True if the attacker, who has just moved, mates with this move or at most `moves - 1` later ones.
pub(super) fn mates(position: &Position, moves: usize) -> bool {
    let defences = all_moves(position);
    if defences.is_empty() {
        return is_mate(position);
    }
    moves > 1
        && defences.into_iter().all(|defence| {
            let then = after(position, defence);
            all_moves(&then).into_iter().any(|mv| mates(&after(&then, mv), moves - 1))
        })
}

/// True if the other side must mate the side that has just moved, in at most `moves` of its moves.
pub(super) fn is_made_to_mate(position: &Position, moves: usize) -> bool {
    let defences = all_moves(position);
    !defences.is_empty()
        && defences.into_iter().all(|defence| {
            let then = after(position, defence);
            let forced =
                |then: &Position, mv: Move| moves > 1 && is_made_to_mate(&after(then, mv), moves - 1);
            is_mate(&then) || all_moves(&then).into_iter().any(|mv| forced(&then, mv))
        })
}

/// True if a first move that led to `position` solves the task in at most `moves` moves.
pub(super) fn is_key(position: &Position, genre: Genre, moves: usize) -> bool {
    match genre {
        Genre::Mate => mates(position, moves),
        Genre::Selfmate => is_made_to_mate(position, moves),
        Genre::Helpmate => unreachable!("a helpmate has no key"),
    }
}

/// The keys in UCI with the moves that each needs at most, sorted.
pub(super) fn keys(position: &Position, task: Task) -> Vec<(String, usize)> {
    let shortest = |mv: &Move| {
        let then = after(position, *mv);
        (1..=task.moves()).find(|&moves| is_key(&then, task.genre, moves))
    };
    let mut keys: Vec<_> =
        all_moves(position).into_iter().filter_map(|mv| Some((uci(position, mv), shortest(&mv)?))).collect();
    keys.sort();
    keys
}

/// All sequences of `plies` moves that end in mate, in UCI, sorted.
pub(super) fn helpmates(position: &Position, plies: usize) -> Vec<Vec<String>> {
    fn walk(position: &Position, plies: usize, line: &mut Vec<String>, found: &mut Vec<Vec<String>>) {
        for mv in all_moves(position) {
            let then = after(position, mv);
            line.push(uci(position, mv));
            if plies > 1 {
                walk(&then, plies - 1, line, found);
            } else if is_mate(&then) {
                found.push(line.clone());
            }
            line.pop();
        }
    }
    let mut found = Vec::new();
    walk(position, plies, &mut Vec::new(), &mut found);
    found.sort();
    found
}

/// True if the task has at least one solution.
pub(super) fn has_solution(position: &Position, task: Task) -> bool {
    fn reaches(position: &Position, plies: usize) -> bool {
        if plies == 0 {
            return is_mate(position);
        }
        all_moves(position).into_iter().any(|mv| reaches(&after(position, mv), plies - 1))
    }
    match task.genre {
        Genre::Helpmate => reaches(position, task.plies),
        genre => all_moves(position).into_iter().any(|mv| is_key(&after(position, mv), genre, task.moves())),
    }
}

/// The number of positions of a kind: all with `CI_FULL`, otherwise as many as the ordinary run has time for.
pub(super) fn number(ordinary: usize) -> usize {
    if full() { 3_000 } else { ordinary }
}

/// The position in one of the ways to write it, its rights stated.
pub(super) fn body(position: &Position, rng: &mut Rng) -> String {
    if rng.chance(50) {
        return format!("board \"{position}\"\n");
    }
    let fen = position.to_string();
    let fields: Vec<&str> = fen.split(' ').collect();
    let turn = if position.side_to_move() == Color::White { "white" } else { "black" };
    let (castling, en_passant) = (fields[2], fields[3]);
    format!("board {}\nturn {turn}\ncastling {castling}\nen-passant {en_passant}\n", fields[0])
}

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
    let (own, other) = match genre {
        Genre::Mate => ((2, 7), (0, 7)),
        Genre::Selfmate => ((3, 8), (1, 7)),
        Genre::Helpmate => ((1, 4), (0, 5)),
    };
    let kings = [any_square(rng), any_square(rng)];
    let mut men = vec![(kings[0], Kind::King, Color::White), (kings[1], Kind::King, Color::Black)];
    let counts = [(Color::White, rng.range(own.0, own.1)), (Color::Black, rng.range(other.0, other.1))];
    for (colour, count) in counts {
        for _ in 0..count {
            let kind =
                rng.pick(&[Kind::Queen, Kind::Rook, Kind::Rook, Kind::Bishop, Kind::Knight, Kind::Pawn]);
            // The king that is to be mated; in a selfmate, either.
            let centre = if genre == Genre::Selfmate && rng.chance(50) { kings[0] } else { kings[1] };
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
    let swap = rng.chance(50);
    let mut builder = BoardBuilder::empty();
    for &(square, kind, colour) in men {
        let (square, colour) = if swap { (square.flip_rank(), !colour) } else { (square, colour) };
        *builder.square_mut(square) = Some((kind, colour));
    }
    // White mates, or makes Black mate, before the colours are changed.
    let begins = task.genre != Genre::Helpmate || task.plies % 2 == 1;
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
fn work(position: &Position, plies: usize) -> usize {
    let own = all_moves(position).len().max(1);
    let other = position.null_move().map_or(own, |then| all_moves(&then).len().max(1));
    own.pow(plies.div_ceil(2) as u32).saturating_mul(other.pow((plies / 2) as u32))
}

/// Positions for a task; at least `solved` in a hundred have a solution. `max_work` bounds the tree of all moves.
pub(super) fn positions(
    rng: &mut Rng,
    task: Task,
    count: usize,
    solved: usize,
    max_work: usize,
) -> Vec<Position> {
    let mut positions: Vec<Position> = Vec::new();
    let mut kept: Vec<Men> = Vec::new();
    let mut unsolved = 0;
    while positions.len() < count {
        let men = match kept.len() {
            0 => random_men(rng, task.genre),
            // A change of a position with a solution often has one, too.
            n if rng.chance(60) => {
                let at = rng.below(n);
                changed_men(rng, &kept[at])
            }
            _ => random_men(rng, task.genre),
        };
        let Some(position) = position_of(rng, &men, task) else { continue };
        if all_moves(&position).is_empty() || work(&position, task.plies) > max_work {
            continue;
        }
        let many_unsolved = unsolved * 100 >= count * (100 - solved);
        if task.genre == Genre::Selfmate && many_unsolved && !may_be_selfmate(&position) {
            continue;
        }
        if has_solution(&position, task) {
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
        moves.len() < 14 && moves.into_iter().any(|mv| is_mate(&after(&then, mv)))
    })
}
