//! A twin has the answer of a puzzle in which the changed board stands from the start. `CI_FULL=1` asks ten times as much.

use crate::harness::batch::{Batch, Rng};
use crate::harness::full;
use cozy_chess::{BoardBuilder, Color, Piece as Kind, Rank, Square};
use serde_json::Value;

/// A change in words, and the board that it makes; `None` where it does not fit the board.
type Change = fn(&mut Rng, &BoardBuilder) -> Option<(String, BoardBuilder)>;

/// Every kind of change.
const CHANGES: &[(&str, Change)] = &[
    ("move", |rng, board| {
        let (from, to) = (man(rng, board)?, free(rng, board));
        Some((format!("{from} to {to}"), with(board, &[(to, board.square(from)), (from, None)])))
    }),
    ("remove", |rng, board| {
        let square = man(rng, board)?;
        Some((format!("remove {square}"), with(board, &[(square, None)])))
    }),
    ("remove two", |rng, board| {
        let (a, b) = (man(rng, board)?, man(rng, board)?);
        (a != b).then(|| (format!("remove {a} {b}"), with(board, &[(a, None), (b, None)])))
    }),
    ("add", |rng, board| {
        let (square, kind, colour) = (free(rng, board), kind(rng), rng.pick(&Color::ALL));
        let words = format!("add {} {} {square}", colour_name(colour), name(kind));
        Some((words, with(board, &[(square, Some((kind, colour)))])))
    }),
    ("exchange", |rng, board| {
        let (a, b) = (man(rng, board)?, man(rng, board)?);
        let changed = with(board, &[(a, board.square(b)), (b, board.square(a))]);
        (board.square(a) != board.square(b)).then(|| (format!("exchange {a} {b}"), changed))
    }),
    ("for", |rng, board| {
        let (from, to, kind) = (man(rng, board)?, free(rng, board), kind(rng));
        let colour = board.square(from)?.1;
        let changed = with(board, &[(from, None), (to, Some((kind, colour)))]);
        Some((format!("{} {to} for {from}", name(kind)), changed))
    }),
    ("shift", |rng, board| {
        let (from, to) = (any(rng), any(rng));
        let (files, ranks) = (to.file() as i8 - from.file() as i8, to.rank() as i8 - from.rank() as i8);
        let changed = carried(board, |square| square.try_offset(files, ranks))?;
        (from != to).then(|| (format!("shift {from} {to}"), changed))
    }),
    ("rotate", |rng, board| {
        let quarters = rng.range(1, 3);
        let mut changed = board.clone();
        for _ in 0..quarters {
            // The corners go around against the clock: a1, h1, h8, a8.
            changed = carried(&changed, |square| Some(on_diagonal(square).flip_file()))?;
        }
        Some((format!("rotate {}", 90 * quarters), changed))
    }),
    ("mirror a1 h1", |_, board| Some(("mirror a1 h1".into(), carried(board, |s| Some(s.flip_file()))?))),
    ("mirror a1 a8", |_, board| Some(("mirror a1 a8".into(), carried(board, |s| Some(s.flip_rank()))?))),
    ("mirror a8 h1", |_, board| Some(("mirror a8 h1".into(), carried(board, |s| Some(on_diagonal(s)))?))),
    ("mirror a1 h8", |_, board| {
        let half_turn_and_mirror = |s: Square| Some(on_diagonal(s.flip_file().flip_rank()));
        Some(("mirror a1 h8".into(), carried(board, half_turn_and_mirror)?))
    }),
    ("swap colours", |_, board| {
        let mut changed = board.clone();
        for square in Square::ALL {
            *changed.square_mut(square) = board.square(square).map(|(kind, colour)| (kind, !colour));
        }
        Some(("swap colours".into(), changed))
    }),
    ("substitute", |rng, board| {
        let (from, to) = (board.square(man(rng, board)?)?.0, kind(rng));
        let mut changed = board.clone();
        for square in Square::ALL {
            let man = board.square(square);
            *changed.square_mut(square) = man.map(|(kind, c)| (if kind == from { to } else { kind }, c));
        }
        (from != to && from != Kind::King)
            .then(|| (format!("substitute {} {}", name(from), name(to)), changed))
    }),
    ("turn", |_, board| {
        let mut changed = board.clone();
        changed.side_to_move = !board.side_to_move;
        Some((format!("turn {}", colour_name(changed.side_to_move)), changed))
    }),
];

/// What is asked, and which side begins where nothing is said.
const QUERIES: &[(&str, Color)] = &[
    ("mate in 2", Color::White),
    ("=2", Color::White),
    ("selfmate in 2", Color::White),
    ("r=2", Color::White),
    ("helpmate in 2", Color::Black),
    ("h=1.5", Color::White),
    ("hx1.5", Color::White),
    ("hs#1.5", Color::Black),
    ("seriesmate in 3", Color::White),
    ("ser-h=2", Color::Black),
    ("ser-s=2", Color::White),
    ("+2", Color::White),
];

fn any(rng: &mut Rng) -> Square {
    Square::index(rng.below(64))
}

/// `None` where the changes before have left no man.
fn man(rng: &mut Rng, board: &BoardBuilder) -> Option<Square> {
    let mut men = Square::ALL.to_vec();
    men.retain(|&square| board.square(square).is_some());
    (!men.is_empty()).then(|| rng.pick(&men))
}

fn free(rng: &mut Rng, board: &BoardBuilder) -> Square {
    std::iter::repeat_with(|| any(rng)).find(|&square| board.square(square).is_none()).expect("a free square")
}

fn kind(rng: &mut Rng) -> Kind {
    rng.pick(&[Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight, Kind::Pawn])
}

fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::Pawn => "pawn",
        Kind::Knight => "knight",
        Kind::Bishop => "bishop",
        Kind::Rook => "rook",
        Kind::Queen => "queen",
        Kind::King => "king",
    }
}

fn colour_name(colour: Color) -> &'static str {
    if colour == Color::White { "white" } else { "black" }
}

/// The square on the other side of the diagonal from a1 to h8.
fn on_diagonal(square: Square) -> Square {
    let (file, rank) = (square.file() as usize, square.rank() as usize);
    Square::index(8 * file + rank)
}

/// The board with other contents of some squares, in their order.
fn with(board: &BoardBuilder, squares: &[(Square, Option<(Kind, Color)>)]) -> BoardBuilder {
    let mut changed = board.clone();
    for &(square, man) in squares {
        *changed.square_mut(square) = man;
    }
    changed
}

/// The board with all its men on other squares; `None` where one has no square.
fn carried(board: &BoardBuilder, to: impl Fn(Square) -> Option<Square>) -> Option<BoardBuilder> {
    let mut changed = BoardBuilder::empty();
    changed.side_to_move = board.side_to_move;
    for square in Square::ALL {
        if let Some(man) = board.square(square) {
            *changed.square_mut(to(square)?) = Some(man);
        }
    }
    Some(changed)
}

fn placement(board: &BoardBuilder) -> String {
    let mut rows = Vec::new();
    for rank in Rank::ALL.into_iter().rev() {
        let mut row = String::new();
        let mut gap = 0;
        for square in Square::ALL.into_iter().filter(|square| square.rank() == rank) {
            let Some((kind, colour)) = board.square(square) else {
                gap += 1;
                continue;
            };
            if gap > 0 {
                row += &gap.to_string();
                gap = 0;
            }
            let letter: char = kind.into();
            row.push(if colour == Color::White { letter.to_ascii_uppercase() } else { letter });
        }
        rows.push(if gap > 0 { format!("{row}{gap}") } else { row });
    }
    rows.join("/")
}

/// True if the position can be played: kings apart, and no side may capture a king.
fn is_sound(board: &BoardBuilder) -> bool {
    let Ok(position) = board.build() else { return false };
    let (white, black) = (position.king(Color::White), position.king(Color::Black));
    let apart = |a: usize, b: usize| a.abs_diff(b) > 1;
    apart(white.file() as usize, black.file() as usize) || apart(white.rank() as usize, black.rank() as usize)
}

/// A few men around a king, at times with a king and a rook at home.
fn diagram(rng: &mut Rng, begins: Color) -> BoardBuilder {
    loop {
        let mut board = BoardBuilder::empty();
        board.side_to_move = begins;
        let centre = any(rng);
        for number in 0..rng.range(5, 9) {
            let near = || centre.try_offset(rng.below(5) as i8 - 2, rng.below(5) as i8 - 2);
            let square = std::iter::repeat_with(near).flatten().next().expect("a square");
            let colour =
                if number == 0 || number > 1 && rng.chance(65) { Color::White } else { Color::Black };
            *board.square_mut(square) = Some((if number < 2 { Kind::King } else { kind(rng) }, colour));
        }
        if rng.chance(20) {
            let home = [(Square::E1, Kind::King), (Square::H1, Kind::Rook)];
            let men =
                Square::ALL.map(|s| (s, board.square(s).filter(|&man| man != (Kind::King, Color::White))));
            board = with(&board, &men);
            board = with(&board, &home.map(|(square, kind)| (square, Some((kind, Color::White)))));
        }
        if is_sound(&board) {
            return board;
        }
    }
}

/// A puzzle with twins, and for each of them the board and the query that it stands for.
struct Twins {
    text: String,
    made: Vec<(BoardBuilder, String)>,
}

fn puzzle(board: &BoardBuilder, query: &str) -> String {
    format!("board {}\nturn {}\n{query}\n", placement(board), colour_name(board.side_to_move))
}

/// Twins with one change, the change of `change`, and with more changes, of the diagram or of the twin before.
fn twins(rng: &mut Rng, change: Change) -> Twins {
    let (query, begins) = rng.pick(QUERIES);
    let diagram = diagram(rng, begins);
    let mut text = puzzle(&diagram, query);
    let mut made: Vec<(BoardBuilder, String)> = Vec::new();
    while made.len() < 3 {
        let continued = !made.is_empty() && rng.chance(50);
        let mut board = if continued { made[made.len() - 1].0.clone() } else { diagram.clone() };
        let mut words = Vec::new();
        if continued {
            words.push(format!("from {}", ["b", "c"][made.len() - 1]));
        }
        let number = if made.is_empty() { 1 } else { rng.range(1, 3) };
        for at in 0..number {
            let change = if at == 0 { change } else { rng.pick(CHANGES).1 };
            if let Some((said, changed)) = change(rng, &board) {
                words.push(said);
                board = changed;
            }
        }
        let is_new = |other: &BoardBuilder| {
            placement(other) != placement(&board) || other.side_to_move != board.side_to_move
        };
        if is_sound(&board) && is_new(&diagram) && made.iter().all(|(other, _)| is_new(other)) {
            text += &format!("twin {}: {}\n", ["b", "c", "d"][made.len()], words.join(", "));
            made.push((board, query.to_string()));
        } else if rng.chance(10) {
            // No twin of the diagram may be possible.
            return twins(rng, change);
        }
    }
    Twins { text, made }
}

/// True if an answer has a key or a solution.
fn is_solved(answer: &Value) -> bool {
    ["keys", "solutions"].iter().any(|name| answer[name].as_array().is_some_and(|list| !list.is_empty()))
}

/// Compares the answers to twins with those of the puzzles for which they stand; some of them must have solutions.
fn compare(all: &[Twins]) {
    let (mut batch, mut by_hand) = (Batch::new(), Batch::new());
    for twins in all {
        batch.push("chess", &twins.text);
        for (board, query) in &twins.made {
            by_hand.push("chess", &puzzle(board, query));
        }
    }
    let mut due = by_hand.solve().into_iter().enumerate();
    let mut solved = 0;
    for (i, (answers, twins)) in batch.solve().iter().zip(all).enumerate() {
        let found = answers[0]["twins"].as_array().expect("twins");
        assert_eq!(found.len(), twins.made.len(), "for\n{}", batch.puzzle(i));
        for (twin, (at, (board, _))) in found.iter().enumerate().map(|(at, t)| (t, (at, &twins.made[at]))) {
            let (index, due) = due.next().expect("as many puzzles as twins");
            let case = format!("{}and\n{}", batch.puzzle(i), by_hand.puzzle(index));
            assert_eq!(twin["answers"], Value::from(due.clone()), "for\n{case}");
            assert_eq!(answers[1 + at], due[0], "for\n{case}");
            let fen = twin["fen"].as_str().expect("a FEN");
            let turn = &colour_name(board.side_to_move)[..1];
            assert!(fen.starts_with(&format!("{} {turn} ", placement(board))), "{fen} for\n{case}");
            solved += usize::from(is_solved(&due[0]));
        }
    }
    let count = by_hand.len();
    assert!(solved * 6 >= count, "only {solved} of {count} twins have a solution");
}

fn number(ordinary: usize) -> usize {
    if full() { 10 * ordinary } else { ordinary }
}

#[test]
fn twins_have_the_answers_of_their_changed_boards() {
    let mut rng = Rng::new(8100);
    let of_change = |&(_, change): &(&str, Change)| (0..number(12)).map(move |_| change).collect::<Vec<_>>();
    let all: Vec<Twins> = CHANGES.iter().flat_map(of_change).map(|change| twins(&mut rng, change)).collect();
    compare(&all);
}

/// A twin may ask something else, of the diagram or of a changed board.
#[test]
fn twins_with_a_stipulation_have_the_answers_of_puzzles_that_ask_it() {
    let mut rng = Rng::new(8200);
    let mut all = Vec::new();
    while all.len() < number(40) {
        let (query, begins) = rng.pick(QUERIES);
        let (other, other_begins) = rng.pick(QUERIES);
        let stated = rng.chance(40).then(|| rng.pick(&[Color::White, Color::Black]));
        let diagram = diagram(&mut rng, stated.unwrap_or(begins));
        let Some((said, mut changed)) = rng.pick(CHANGES).1(&mut rng, &diagram) else { continue };
        let mut same = diagram.clone();
        // The side begins that begins what the twin asks, or the other one where the puzzle exchanges the colours, unless the twin
        // says one, wherever it does.
        same.side_to_move =
            if stated.is_some_and(|side| side != begins) { !other_begins } else { other_begins };
        if !said.starts_with("turn") {
            changed.side_to_move = same.side_to_move;
        }
        let words = if rng.chance(50) { format!("{other}, {said}") } else { format!("{said}, {other}") };
        let is_same = same.side_to_move == changed.side_to_move && placement(&same) == placement(&changed);
        if query == other || is_same || !is_sound(&same) || !is_sound(&changed) {
            continue;
        }
        let turn = stated.map_or(String::new(), |side| format!("turn {}\n", colour_name(side)));
        let twins = format!("twin b: {other}\ntwin c: {words}\n");
        let text = format!("board {}\n{turn}{query}\n{twins}", placement(&diagram));
        all.push(Twins { text, made: vec![(same, other.to_string()), (changed, other.to_string())] });
    }
    compare(&all);
}
