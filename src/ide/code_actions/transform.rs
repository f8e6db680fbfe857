//! Puzzles mirrored and turned in the form that they have, other rules, and coordinates in order.

use crate::analysis::{
    Bound, Defaults, Options, bind_one, bound_at, code_docs, insert_property, position_of, report_of,
    request_of, steps_of,
};
use crate::board::{Colour, Kind, SourceLayout, Square, source_layout};
use crate::diagnostic::{Code, Edit, Severity, Span};
use crate::games::{Dialect, Position, Request, Step, Symmetry};
use crate::ide::code_actions::rewrite::{Rewrite, cannot};
use crate::ide::text_edit::{apply, keeps_all_else};
use crate::syntax::{GameId, Property, Puzzle, Query, TokenKind, Tree, Verb, parse};

/// A way to mirror or turn a board; in chess3d each level, round the vertical axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Transform {
    MirrorColumns,
    MirrorRows,
    TurnRight,
    TurnLeft,
    TurnHalf,
}

impl Transform {
    /// All of them.
    pub const ALL: [Transform; 5] = [
        Transform::MirrorColumns,
        Transform::MirrorRows,
        Transform::TurnRight,
        Transform::TurnLeft,
        Transform::TurnHalf,
    ];

    /// What it does, as an order.
    pub fn title(self) -> &'static str {
        match self {
            Transform::MirrorColumns => "Mirror the board left to right",
            Transform::MirrorRows => "Mirror the board top to bottom",
            Transform::TurnRight => "Turn the board a quarter right",
            Transform::TurnLeft => "Turn the board a quarter left",
            Transform::TurnHalf => "Turn the board half round",
        }
    }

    fn symmetry(self) -> Symmetry {
        match self {
            Transform::MirrorColumns => Symmetry::MIRROR,
            Transform::MirrorRows => Symmetry::FLIP,
            Transform::TurnRight => Symmetry::RIGHT,
            Transform::TurnLeft => Symmetry::LEFT,
            Transform::TurnHalf => Symmetry::HALF,
        }
    }
}

/// The nodes that a search may visit that proves a written answer still right.
const NODES: u64 = 400_000;

/// The same where the turned puzzle has the same answers by symmetry.
const FEW_NODES: u64 = 20_000;

/// The puzzle round an offset, its board read and free of syntax errors.
fn readable(tree: &Tree, base: Defaults, offset: u32) -> Result<(Bound<'_>, Defaults, Position), String> {
    let Some((bound, defaults)) = bound_at(tree, base, offset) else {
        return Err("there is no puzzle here".into());
    };
    if broken(tree, bound.puzzle) {
        return Err("it has syntax errors".into());
    }
    if bound.puzzle.boards().nth(1).is_some() {
        return Err("it has two boards".into());
    }
    let position = position_of(&bound).ok_or("its board cannot be read")?;
    Ok((bound, defaults, position))
}

fn broken(tree: &Tree, puzzle: Puzzle<'_>) -> bool {
    let span = puzzle.span();
    let first = tree.errors().partition_point(|e| e.span.start < span.start);
    tree.errors().get(first).is_some_and(|e| e.span.start < span.end)
}

/// Mirrors or turns the puzzle round an offset, where `base` is what is configured: its board in the form that it has, its `size`, and the
/// squares and boards of its moves and written answers.
///
/// # Errors
/// Why it stays as it is.
pub fn transform(tree: &Tree, base: Defaults, offset: u32, how: Transform) -> Result<Vec<Edit>, String> {
    let (bound, defaults, position) = readable(tree, base, offset)?;
    if bound.game.format().dark_only && how != Transform::TurnHalf {
        return Err(format!(
            "only half a turn keeps the pieces of {} on dark squares",
            bound.game.format().game
        ));
    }
    let symmetry = how.symmetry();
    let turned = symmetry.board(&position.board);
    let mut rewrite = Rewrite::new(&bound, &position, symmetry, &turned);
    rewrite.board()?;
    for query in bound.puzzle.queries() {
        rewrite.query(query)?;
    }
    let edits = rewrite.done();
    let new = Position { board: turned, ..position.clone() };
    proved(&bound, defaults, &position, &new, symmetry, &edits)?;
    Ok(edits)
}

/// What is wrong in a puzzle by itself, warnings included.
struct Errors {
    /// In each query.
    queries: Vec<usize>,
    /// Elsewhere.
    rest: usize,
    /// Whether a search ended early.
    cut: bool,
}

fn errors(puzzle: Puzzle<'_>, defaults: Defaults, nodes: u64) -> Errors {
    let report = report_of(puzzle, defaults, &Options { nodes, ..Options::default() });
    let wrong: Vec<Span> = report
        .findings
        .iter()
        .filter(|f| code_docs::entry(f.code).severity != Severity::Hint)
        .map(|f| f.span)
        .collect();
    let within =
        |q: Query<'_>| wrong.iter().filter(|s| q.span().start <= s.start && s.end <= q.span().end).count();
    let queries: Vec<usize> = puzzle.queries().map(within).collect();
    let rest = wrong.len() - queries.iter().sum::<usize>();
    Errors {
        queries,
        rest,
        cut: report.hit_budget || report.findings.iter().any(|f| f.code == Code::Undecided),
    }
}

/// Reads the puzzle again with the edits in it: nothing else may have changed, the board and the moves
/// must be the old ones turned, and what was right must be right.
fn proved(
    bound: &Bound<'_>,
    defaults: Defaults,
    old: &Position,
    new: &Position,
    symmetry: Symmetry,
    edits: &[Edit],
) -> Result<(), String> {
    let source = bound.puzzle.node().text();
    let start = bound.puzzle.span().start;
    let local: Vec<Edit> = edits
        .iter()
        .map(|e| Edit { span: Span::new(e.span.start - start, e.span.end - start), text: e.text.clone() })
        .collect();
    let text = apply(source, &local);
    let (before, after) = (parse(source), parse(&text[..]));
    let alone = |tree| -> Option<Puzzle<'_>> { Tree::puzzles(tree).next() };
    let (Some(was), Some(is)) = (alone(&before), alone(&after)) else { return Err(cannot()) };
    let Some(again) = bind_one(is, defaults) else { return Err(cannot()) };
    let faithful = after.errors().is_empty()
        && keeps_all_else(source, &local, &text)
        && position_of(&again).is_some_and(|p| p.board == new.board && p.turn == new.turn);
    if !faithful {
        return Err(cannot());
    }
    let alike = bound.game.symmetries(old);
    let one_way = one_way(old).filter(|_| !alike.contains(&symmetry) && !alike.contains(&Symmetry::FLIP));
    let place = |s| symmetry.apply(s, old.board.size);
    for (a, b) in bound.puzzle.queries().zip(is.queries()) {
        let wanted: Vec<Step> = steps_of(bound, a)
            .iter()
            .map(|(s, _)| Step { from: place(s.from), to: place(s.to), ..*s })
            .collect();
        let found: Vec<Step> = steps_of(&again, b).iter().map(|s| s.0).collect();
        let asked =
            request_of(bound, a).map(|r| if r.castling { r } else { turned_request(r, symmetry, place) });
        if wanted != found || asked != request_of(&again, b) {
            return Err(one_way
                .map_or_else(cannot, |kind| format!("{}, and a move of one is written", another_way(kind))));
        }
    }
    let nodes = if one_way.is_some() { NODES } else { FEW_NODES };
    let (was, now) = (errors(was, defaults, nodes), errors(is, defaults, nodes));
    if was.cut || now.cut {
        return match one_way {
            Some(kind) if bound.puzzle.queries().any(|q| q.answer().is_some()) => {
                Err(format!("{}, and whether a written answer stays right is undecided", another_way(kind)))
            }
            _ => Ok(()),
        };
    }
    for (i, query) in bound.puzzle.queries().enumerate() {
        if now.queries[i] > was.queries[i] {
            return Err(one_way.map_or_else(cannot, |kind| worse(kind, query)));
        }
    }
    if now.rest > was.rest { Err(cannot()) } else { Ok(()) }
}

/// A kind on the board that has a direction.
fn one_way(position: &Position) -> Option<Kind> {
    let kinds = position.board.pieces().map(|(_, p)| p.kind);
    kinds.into_iter().find(|k| matches!(k, Kind::Pawn | Kind::Man))
}

fn another_way(kind: Kind) -> String {
    format!("a {} of this board would move another way", kind.name())
}

fn worse(kind: Kind, query: Query<'_>) -> String {
    let what = match (query.verb(), query.answer().is_some()) {
        (Some(Verb::Solve), true) => "the written solution would be wrong",
        (_, true) => "a written answer would be wrong",
        (Some(Verb::Solve), false) => "there would be no solution",
        (_, false) => "a move would be illegal",
    };
    format!("{}, so {what}", another_way(kind))
}

/// A request of the board turned.
fn turned_request(r: Request, symmetry: Symmetry, place: impl Fn(Square) -> Square) -> Request {
    let swaps = matches!(symmetry, Symmetry::RIGHT | Symmetry::LEFT);
    let part = |x: Option<u8>, y: Option<u8>| {
        let at = place(Square::new(x.unwrap_or(0), y.unwrap_or(0)));
        let (file, rank) = if swaps { (y, x) } else { (x, y) };
        (file.map(|_| at.x), rank.map(|_| at.y))
    };
    Request { to: place(r.to), from: part(r.from.0, r.from.1), ..r }
}

/// The edits that put a solitaire puzzle under each dialect other than the one in force.
pub fn switch_dialect(tree: &Tree, base: Defaults, offset: u32) -> Vec<(Dialect, Vec<Edit>)> {
    let Some((bound, _)) = bound_at(tree, base, offset) else { return Vec::new() };
    if bound.id != GameId::Solitaire || broken(tree, bound.puzzle) {
        return Vec::new();
    }
    let own = bound.puzzle.properties().find(|p| p.name() == Some(Property::Rules)).and_then(|p| p.value());
    let here = bound.settings.dialect.unwrap_or_default();
    let edit = |dialect: Dialect| match own {
        Some(value) => Edit { span: value.span(), text: dialect.word().into() },
        None => insert_property(bound.puzzle, &format!("rules {}", dialect.word())),
    };
    Dialect::ALL.into_iter().filter(|&d| d != here).map(|d| (d, vec![edit(d)])).collect()
}

/// The edits that put the entries of a board of coordinates in order: white first, then by kind as
/// `K Q R B N P`, then by x, y and z. Each entry keeps its text.
///
/// # Errors
/// Why they stay as they are.
pub fn sort_coordinates(tree: &Tree, base: Defaults, offset: u32) -> Result<Vec<Edit>, String> {
    let (bound, _, position) = readable(tree, base, offset)?;
    let board = bound.puzzle.boards().next().ok_or("its board cannot be read")?;
    let format = bound.game.format();
    let Some(SourceLayout::Entries(entries)) = board.form().map(|form| source_layout(form, format)) else {
        return Err("its board is not written in coordinates".into());
    };
    let mut sorted: Vec<((Colour, Kind, Square), Span)> = Vec::new();
    let places = bound.reading.iter().flat_map(|r| &r.places);
    for placed in places {
        let square = position.board.square(placed.cell.into());
        let Some(piece) = position.board.at(square) else { continue };
        sorted.push(((piece.colour, piece.kind, square), placed.span));
    }
    sorted.sort_by_key(|e| e.0);
    let text = tree.text();
    let edits: Vec<Edit> = entries
        .iter()
        .zip(&sorted)
        .filter(|((_, old), (_, new))| old != new)
        .map(|((_, old), (_, new))| Edit { span: *old, text: text[new.range()].to_string() })
        .collect();
    let outside = |at: Span| entries.iter().all(|(_, e)| at.end <= e.start || e.end <= at.start);
    let comment = |t: &crate::syntax::Token<'_>| t.kind() == TokenKind::Comment && outside(t.span());
    if !edits.is_empty() && board.node().tokens().any(|t| comment(&t)) {
        return Err("a comment stands between the entries".into());
    }
    Ok(edits)
}
