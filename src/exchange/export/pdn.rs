//! PDN: a game for each draughts puzzle, in Russian draughts with named squares.

use crate::export::losses::{CORRECTED, Losses, Part};
use crate::export::movetext::{lines_of, push_comment};
use crate::export::pgn::{KEPT, escaped, push_own_tags};
use crate::export::query::ExportQuery;
use crate::export::source::ExportPuzzle;
use crate::game_tags::{OwnTags, RESULTS};
use cpz_check::analysis::{largest_capture, written_captures};
use cpz_rules::board::{Colour, Square, square_name};
use cpz_rules::games::{Answer, Line};
use cpz_text::syntax::{GameId, Property, Verb};

/// Russian draughts: White begins, 8×8, squares by letters from the bottom left, no flipped board.
const GAME_TYPE: &str = "25,W,8,8,A0,0";

/// A game with its tags. As in PGN title, author and id have tags of their own too.
pub(super) fn game(puzzle: &ExportPuzzle<'_>, losses: &mut Losses) -> Option<String> {
    if puzzle.game() != Some(GameId::Draughts) {
        losses.leave_out("PDN is for draughts");
        return None;
    }
    let (Some(fen), Some(turn)) = (puzzle.fen(), puzzle.side()) else {
        losses.leave_out("the board cannot be read");
        return None;
    };
    losses.all_but(puzzle, &KEPT);
    losses.parted(puzzle, &[Property::Source, Property::Author]);
    let texts = |name| Some(puzzle.properties.texts(name).join("; ")).filter(|text| !text.is_empty());
    let or_unknown = |text: Option<String>| text.unwrap_or_else(|| "?".into());
    let custom = puzzle.properties.custom();
    let own = OwnTags::of(&custom);
    let result = own.result.filter(|result| RESULTS.contains(result)).unwrap_or("*");
    if own.is_cut || own.result.is_some_and(|stated| stated != result) {
        losses.lost(puzzle, &[Part::Custom]);
    }
    let mut out = String::new();
    let mut tag = |name: &str, value: &str| out.push_str(&format!("[{name} \"{}\"]\n", escaped(value)));
    tag("Event", puzzle.title().unwrap_or("?"));
    tag("Site", &or_unknown(texts(Property::Source)));
    tag("Date", "????.??.??");
    tag("Round", own.round.unwrap_or("-"));
    tag("White", &or_unknown(texts(Property::Author)));
    tag("Black", "?");
    tag("Result", result);
    tag("GameType", GAME_TYPE);
    tag("SetUp", "1");
    tag("FEN", &fen);
    push_own_tags(&mut out, puzzle, &own);
    let mut words = Vec::new();
    let notes = puzzle.properties.texts(Property::Note);
    losses.braces_in_notes(&notes);
    notes.iter().for_each(|note| push_comment(&mut words, note));
    words.extend(moves(puzzle, turn, losses));
    words.push(result.into());
    Some(format!("{out}\n{}\n", lines_of(&words)))
}

/// The words of the first question that has moves; of a capture those of the line that begins with it, too.
fn moves(puzzle: &ExportPuzzle<'_>, turn: Colour, losses: &mut Losses) -> Vec<String> {
    let (mut words, mut told) = (Vec::new(), Vec::new());
    for (i, query) in puzzle.queries.iter().enumerate() {
        if words.is_empty() && matches!(query.query.verb(), Some(Verb::Capture | Verb::Line)) {
            words = moves_of(puzzle, query, turn, losses);
            told.push(i);
        }
    }
    let chosen = told.last().map(|&i| &puzzle.queries[i]);
    let is_capture = chosen.is_some_and(|query| query.query.verb() == Some(Verb::Capture));
    let behind = |query: &ExportQuery<'_>| {
        let written =
            query.written.filter(|_| !query.is_refuted && query.query.verb() == Some(Verb::Line))?;
        let mut line = line(written, turn);
        let unmarked = line.get(1)?.trim_end_matches(['!', '?']);
        (is_capture && unmarked == words.get(1)?).then(|| line.split_off(1))
    };
    let rest = puzzle.queries.iter().enumerate().find_map(|(i, query)| Some((i, behind(query)?)));
    told.extend(rest.as_ref().map(|(i, _)| *i));
    for (_, query) in puzzle.queries.iter().enumerate().filter(|(i, _)| !told.contains(i)) {
        losses.question(query.query.verb());
    }
    if let Some((_, mut rest)) = rest {
        // The first move with its mark.
        words[1] = rest.remove(0);
        if rest.is_empty() {
            return words;
        }
        // Behind a variation the number of the move is written again.
        if words.len() > 2 && turn == Colour::White {
            words.push("1...".into());
        }
        words.extend(rest);
    }
    words
}

/// The words of one question; what of it is not in them is counted.
fn moves_of(
    puzzle: &ExportPuzzle<'_>,
    query: &ExportQuery<'_>,
    turn: Colour,
    losses: &mut Losses,
) -> Vec<String> {
    let is_line = query.query.verb() == Some(Verb::Line);
    let holds = query.written.filter(|_| !query.is_refuted);
    let bound = puzzle.bound.as_ref().filter(|_| !is_line && holds.is_some());
    let mut written: Vec<String> =
        bound.map_or_else(Vec::new, |b| written_captures(b, query.query)).iter().map(|p| name(p)).collect();
    if let Some(Answer::Capture { lines, .. }) = query.answer() {
        if lines.is_empty() {
            // What asks for a capture in a game is one that is there.
            losses.question(Some(Verb::Capture));
            return Vec::new();
        }
        written.retain(|written| lines.iter().any(|line| name(&line.path) == *written));
        if query.written.is_some() && query.is_refuted {
            losses.note(CORRECTED);
        } else if query.written.is_some() && written.is_empty() {
            losses.other("the written answer");
        }
        return captures(&written, lines, turn);
    }
    match holds {
        Some(text) if is_line => line(text, turn),
        Some(_) if !written.is_empty() => alternatives(&written, turn),
        _ => {
            if query.written.is_some() {
                losses.other("the written answer");
            } else if is_line {
                losses.question(Some(Verb::Line));
            }
            Vec::new()
        }
    }
}

/// The squares of a capture: `c3:e5:g7`.
fn name(path: &[Square]) -> String {
    path.iter().map(|&square| square_name(square, false)).collect::<Vec<_>>().join(":")
}

/// The written captures, or else the largest one, and then the others.
fn captures(written: &[String], lines: &[Line], turn: Colour) -> Vec<String> {
    let largest = largest_capture(lines).filter(|_| written.is_empty());
    let mut names: Vec<String> =
        written.iter().cloned().chain(largest.map(|line| name(&line.path))).collect();
    for other in lines.iter().map(|line| name(&line.path)) {
        if !names.contains(&other) {
            names.push(other);
        }
    }
    alternatives(&names, turn)
}

/// A first move, and the others as variations.
fn alternatives(names: &[String], turn: Colour) -> Vec<String> {
    let number = if turn == Colour::White { "1." } else { "1..." };
    let Some((main, others)) = names.split_first() else { return Vec::new() };
    let mut words = vec![number.to_string(), main.clone()];
    for other in others {
        words.extend(["(".into(), number.into(), other.clone(), ")".into()]);
    }
    words
}

/// The moves of a verified line with their marks, numbered from 1: `c3-d4!`, `d6:b4`.
fn line(written: &str, turn: Colour) -> Vec<String> {
    let separates = |c: char| c.is_whitespace() || matches!(c, ',' | ';');
    let without_number = |word: &str| {
        let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
        if rest.len() < word.len() && rest.starts_with(['.', '…']) {
            rest.trim_start_matches(['.', '…']).into()
        } else {
            word.to_string()
        }
    };
    let is_move = |word: &String| {
        word.bytes().any(|b| b.is_ascii_digit()) && word.starts_with(|c: char| c.is_ascii_lowercase())
    };
    let moves = written.split(separates).map(without_number).filter(is_move);
    let mut words = Vec::new();
    for (i, mv) in moves.enumerate() {
        let ply = i + usize::from(turn == Colour::Black);
        match ply % 2 {
            0 => words.push(format!("{}.", ply / 2 + 1)),
            _ if i == 0 => words.push("1...".into()),
            _ => {}
        }
        words.push(mv.replace(['x', '*'], ":"));
    }
    words
}
