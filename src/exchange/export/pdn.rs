//! PDN: a game for each draughts puzzle, in Russian draughts with named squares.

use crate::export::losses::{CORRECTED, Losses, Part};
use crate::export::movetext::{lines_of, push_comment};
use crate::export::pgn::{KEPT, escaped, push_own_tags};
use crate::export::query::ExportQuery;
use crate::export::source::ExportPuzzle;
use crate::game_tags::{OwnTags, RESULTS};
use cpz_check::analysis::largest_capture;
use cpz_rules::board::{Colour, square_name};
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
    puzzle.properties.texts(Property::Note).iter().for_each(|note| push_comment(&mut words, note));
    words.extend(moves(puzzle, turn, losses));
    words.push(result.into());
    Some(format!("{out}\n{}\n", lines_of(&words)))
}

/// The words of the first question that has moves; of a capture those of the line that begins with it, too.
fn moves(puzzle: &ExportPuzzle<'_>, turn: Colour, losses: &mut Losses) -> Vec<String> {
    let has_moves = |q: &&ExportQuery<'_>| matches!(q.query.verb(), Some(Verb::Capture | Verb::Line));
    let chosen = puzzle.queries.iter().find(has_moves);
    let mut words = chosen.map_or_else(Vec::new, |query| moves_of(query, turn, losses));
    let is_capture = chosen.is_some_and(|query| query.query.verb() == Some(Verb::Capture));
    let behind = |query: &ExportQuery<'_>| {
        let written =
            query.written.filter(|_| !query.is_refuted && query.query.verb() == Some(Verb::Line))?;
        let mut line = line(written, turn);
        (is_capture && line.get(1) == Some(words.get(1)?)).then(|| line.split_off(2))
    };
    let rest = puzzle.queries.iter().enumerate().find_map(|(i, query)| Some((i, behind(query)?)));
    for (i, query) in puzzle.queries.iter().enumerate() {
        let is_exported =
            chosen.is_some_and(|c| std::ptr::eq(c, query)) || rest.as_ref().is_some_and(|r| r.0 == i);
        if !is_exported {
            losses.question(query.query.verb());
        }
    }
    if let Some((_, rest)) = rest.filter(|(_, rest)| !rest.is_empty()) {
        // Behind a variation the number of the move is written again.
        if words.len() > 2 && turn == Colour::White {
            words.push("1...".into());
        }
        words.extend(rest);
    }
    words
}

/// The words of one question.
fn moves_of(query: &ExportQuery<'_>, turn: Colour, losses: &mut Losses) -> Vec<String> {
    if let Some(Answer::Capture { lines, .. }) = query.answer() {
        if lines.is_empty() {
            // What asks for a capture in a game is one that is there.
            losses.question(Some(Verb::Capture));
            return Vec::new();
        }
        if query.written.is_some() && query.is_refuted {
            losses.note(CORRECTED);
        } else if query.written.is_some_and(|written| !is_path(written)) {
            losses.other("the written answer");
        }
        return captures(query, lines, turn);
    }
    let is_capture = query.query.verb() == Some(Verb::Capture);
    match query.written.filter(|written| !query.is_refuted && (!is_capture || is_path(written))) {
        Some(written) => line(written, turn),
        None => {
            if query.written.is_some() {
                losses.other("the written answer");
            } else if query.query.verb() == Some(Verb::Line) {
                losses.question(Some(Verb::Line));
            }
            Vec::new()
        }
    }
}

/// Whether a written answer is the path of a capture: `c3:e5:g7`. Verdicts, steps in brackets and `none` are not.
fn is_path(written: &str) -> bool {
    let squares = || written.split([':', 'x', 'X', '-', '*']).map(str::trim);
    squares().count() > 1 && squares().all(|square| square.len() == 2)
}

/// The written capture, or else the largest one, and the others as variations.
fn captures(query: &ExportQuery<'_>, lines: &[Line], turn: Colour) -> Vec<String> {
    let number = if turn == Colour::White { "1." } else { "1..." };
    let name = |line: &Line| line.path.iter().map(|&s| square_name(s, false)).collect::<Vec<_>>().join(":");
    let written = query.written.map(|text| text.replace(['x', 'X', '-', '*'], ":"));
    let is_written = |line: &&Line| written.as_deref() == Some(name(line).as_str());
    let Some(main) = lines.iter().find(is_written).or_else(|| largest_capture(lines)) else {
        return Vec::new();
    };
    let mut words = vec![number.to_string(), name(main)];
    for other in lines.iter().filter(|line| *line != main) {
        words.extend(["(".into(), number.into(), name(other), ")".into()]);
    }
    words
}

/// The moves of a verified line, numbered from 1: `c3-d4`, `d6:b4`.
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
        words.push(mv.replace(['x', '*'], ":").trim_end_matches(['!', '?']).to_string());
    }
    words
}
