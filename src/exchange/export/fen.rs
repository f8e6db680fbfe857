//! FEN and EPD: a puzzle a line.

use crate::export::losses::{Losses, Part};
use crate::export::movetext::MoveTree;
use crate::export::solution::solved;
use crate::export::source::ExportPuzzle;
use cpz_rules::games::ProblemKind;
use cpz_text::syntax::{GameId, Property, Verb};

/// The longest text behind a FEN that an import takes for a name, in characters.
const MAX_TITLE: usize = 60;

/// A FEN with the name or the id behind it. A solitaire board is the first field of a FEN of its size.
pub(super) fn line(puzzle: &ExportPuzzle<'_>, losses: &mut Losses) -> Option<String> {
    let is_eight = puzzle.board().is_some_and(|b| b.size.w == 8 && b.size.h == 8);
    match puzzle.game() {
        Some(GameId::Chess) => {}
        // Nothing would tell it from a chess board.
        Some(GameId::Solitaire) if is_eight => {
            losses.leave_out("a solitaire board of 8×8 would be read as chess in a FEN");
            return None;
        }
        Some(GameId::Solitaire) => {}
        _ => {
            losses.leave_out("FEN is for chess and solitaire");
            return None;
        }
    }
    let Some(fen) = puzzle.fen() else {
        losses.leave_out(match puzzle.board() {
            Some(_) => "a board of one row or column has no FEN",
            None => "the board cannot be read",
        });
        return None;
    };
    let kept: &[Part] =
        if puzzle.name().is_some() { &[Part::Name, Part::Allow] } else { &[Part::Id, Part::Allow] };
    losses.all_but(puzzle, kept);
    puzzle.queries.iter().for_each(|q| losses.question(q.query.verb()));
    let title = in_one_line(puzzle.title().unwrap_or_default());
    if puzzle.name().is_none() && puzzle.id().is_some() {
        losses.note("with the `id` in the place of the name");
    } else if title.chars().count() > MAX_TITLE {
        losses.note("with a name so long that it comes back as a comment");
    }
    // The side to move and the signs between a FEN and its title would not be read as the title.
    let first = title.split(' ').next().unwrap_or_default();
    let is_sign = first.starts_with([';', '#', '-', ',', ':']);
    let parted = match is_sign || matches!(first, "w" | "b" | "W" | "B") {
        true => format!(" ; {title}"),
        false => format!(" {title}"),
    };
    Some(format!("{fen}{}\n", parted.trim_end()))
}

/// A position with its operations, in the order of their names.
pub(super) fn epd(puzzle: &ExportPuzzle<'_>, losses: &mut Losses) -> Option<String> {
    if puzzle.game() != Some(GameId::Chess) {
        losses.leave_out("EPD is for chess");
        return None;
    }
    let Some(fen) = puzzle.fen() else {
        losses.leave_out("the board cannot be read");
        return None;
    };
    losses.all_but(puzzle, &[Part::Id, Part::Name, Part::Note, Part::Allow]);
    let fields: Vec<&str> = fen.split(' ').collect();
    let mut operations: Vec<(&str, String)> = Vec::new();
    // Programs show `id`. Where that is the name, an operation that they do not know says so.
    if puzzle.id().is_some() && puzzle.id() == puzzle.name() {
        losses.lost(puzzle, &[Part::Id]);
    }
    operations.extend(puzzle.id().or(puzzle.name()).map(|id| ("id", quoted(id))));
    operations.extend(puzzle.name().map(|name| ("name", quoted(name))));
    const COMMENTS: [&str; 10] = ["c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9"];
    let notes = puzzle.properties.texts(Property::Note);
    if notes.len() > COMMENTS.len() {
        losses.other("the notes behind the tenth");
    }
    operations.extend(COMMENTS.into_iter().zip(notes.iter().map(|note| quoted(note))));
    if let [_, _, _, _, halfmoves, number] = fields[..]
        && (halfmoves, number) != ("0", "1")
    {
        operations.push(("hmvc", halfmoves.into()));
        operations.push(("fmvn", number.into()));
    }
    if let Some(solved) = solved(puzzle, true, losses) {
        let kind = solved.stipulation.map(|s| s.kind);
        let is_helpmate = kind == Some(ProblemKind::HELPMATE);
        match (kind, solved.stipulation) {
            (Some(ProblemKind::MATE), Some(s)) => operations.push(("dm", s.moves().to_string())),
            (Some(ProblemKind::HELPMATE), Some(s)) => operations.push(("hm", s.plies.to_string())),
            (Some(_), _) => losses.question(solved.query.query.verb()),
            // A study comes back as the line that it is.
            (None, _) => {
                if let Some(verb @ (Verb::Win | Verb::Draw)) = solved.query.query.verb() {
                    losses.question(Some(verb));
                }
            }
        }
        match &solved.tree {
            // One of several solutions would be a wrong answer, and the first move of what EPD does not ask, such as a selfmate,
            // is not the best.
            Some(tree)
                if matches!(kind, None | Some(ProblemKind::MATE)) || is_helpmate && tree.is_one_line() =>
            {
                if !tree.is_worked_out && tree.has_more_than_a_line() {
                    losses.other("the variations and comments");
                }
                operations.extend(moves(tree, kind));
            }
            _ if solved.query.written.is_some() => losses.other("the written answer"),
            _ if solved.query.query.verb() == Some(Verb::Line) => losses.question(Some(Verb::Line)),
            _ => {}
        }
    }
    let mut own = puzzle.id().into_iter().chain(puzzle.name()).chain(notes.iter().map(String::as_str));
    if own.any(|text| text.contains('"')) {
        losses.note("with single quotes in the place of double ones");
    }
    operations.sort_by_key(|(name, _)| *name);
    let operations: String = operations.iter().map(|(name, operand)| format!(" {name} {operand};")).collect();
    Some(format!("{}{operations}\n", fields[..fields.len().min(4)].join(" ")))
}

/// The best moves, and the main line where that is one line.
fn moves(tree: &MoveTree, kind: Option<ProblemKind>) -> Vec<(&'static str, String)> {
    let keys = tree.keys();
    let line = || ("pv", tree.main_line().join(" "));
    match kind {
        // The first move of a helpmate is not the best one.
        Some(ProblemKind::HELPMATE) => vec![line()],
        // The line of a mistake.
        _ if keys.is_empty() => vec![line()],
        _ if keys.len() == 1 && tree.has_replies() => vec![("bm", keys.join(" ")), line()],
        _ => vec![("bm", keys.join(" "))],
    }
}

/// A text in quotes, which it cannot have itself.
fn quoted(text: &str) -> String {
    format!("\"{}\"", in_one_line(text).replace('"', "'"))
}

/// A text without line breaks and other control characters.
fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace(|c: char| c.is_control(), "")
}
