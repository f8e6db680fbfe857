//! A written line of chess3d: `Ka1(I)-b2(II) Rc3(III)xb2(II)+`, replayed on the position.

use crate::analysis::verbs::evaluator::QueryEvaluator;
use crate::analysis::verbs::line_chess::{LineMove, LineReplay};
use cpz_rules::board::{Kind, Square, level_name, square_name};
use cpz_rules::games::{
    ChessMove, Game, Mark, Position, Status, after_cube_move, cube_move_name, cube_moves, why_illegal_on_cube,
};
use cpz_text::diagnostic::{Code, Finding, Fix, Severity, Span};

/// How a move is written.
const EXAMPLE: &str = "write it with its levels and in quotes, as in `\"Kc1(I)-c2(I)\"`";

/// The most moves that a message names.
const MAX_NAMED: usize = 3;

/// A move as it is written.
struct CubeWord {
    kind: Option<Kind>,
    /// Nothing where only the target is written.
    from: Option<Square>,
    to: Square,
    captures: bool,
    /// The claim behind it, and its place.
    mark: Option<(Mark, Span)>,
}

impl CubeWord {
    /// Reads a word; nothing where it is no move.
    fn read(text: &str, span: Span) -> Option<CubeWord> {
        let text = text.trim_end_matches(['!', '?']);
        let (body, mark) = match text.chars().next_back()? {
            '#' => (&text[..text.len() - 1], Some(Mark::Mate)),
            '+' => (&text[..text.len() - 1], Some(Mark::Check)),
            _ => (text, None),
        };
        let end = span.start + text.len() as u32;
        let mark = mark.map(|mark| (mark, Span::new(end - 1, end)));
        let (kind, rest) = lettered(body);
        let (first, rest) = square(rest)?;
        if rest.is_empty() {
            return Some(CubeWord { kind, from: None, to: first, captures: false, mark });
        }
        // At most one sign, and no letter behind it.
        let target = rest.strip_prefix(['-', 'x', '×', ':', '*']);
        let captures = target.is_some() && !rest.starts_with('-');
        let (to, rest) = square(target.unwrap_or(rest))?;
        rest.is_empty().then_some(CubeWord { kind, from: Some(first), to, captures, mark })
    }
}

/// The text behind the letter of a piece, if it begins with one.
fn lettered(text: &str) -> (Option<Kind>, &str) {
    let letter = text.chars().next().filter(char::is_ascii_uppercase);
    match letter.and_then(Kind::from_letter).filter(|kind| !matches!(kind, Kind::Pawn | Kind::Man)) {
        Some(kind) => (Some(kind), &text[1..]),
        None => (None, text),
    }
}

/// The square that a text begins with, such as `c2(I)`, and the rest.
fn square(text: &str) -> Option<(Square, &str)> {
    let file = *text.as_bytes().first().filter(|file| (b'a'..=b'j').contains(file))?;
    let digits = text[1..].bytes().take_while(u8::is_ascii_digit).count();
    let rank: u8 = text[1..1 + digits].parse().ok()?;
    let (level, rest) = text[1 + digits..].strip_prefix('(')?.split_once(')')?;
    let z = (0..10).find(|&z| level_name(z).eq_ignore_ascii_case(level))?;
    Some((Square { x: file - b'a', y: rank.checked_sub(1)?, z }, rest))
}

/// Replays a line up to the first move that fails.
pub(crate) fn replay_on_cube(game: &dyn Game, start: &Position, moves: &[(String, Span)]) -> LineReplay {
    let (mut position, mut result) = (start.clone(), LineReplay::default());
    for (i, (text, span)) in moves.iter().enumerate() {
        let word = CubeWord::read(text, *span).ok_or_else(|| format!("`{text}` is no move; {EXAMPLE}"));
        match word.and_then(|word| Ok((the_move(&position, &word)?, word))) {
            Ok((mv, word)) => {
                let after = after_cube_move(&position, mv);
                result.findings.extend(wrong_mark(game, &after, &word));
                position = after.clone();
                result.moves.push(LineMove { mv, span: *span, after });
            }
            Err(message) => {
                let message = format!("step {} fails: {message}", i + 1);
                result.findings.push(Finding::new(Code::WrongSolution, *span, message));
                result.failed = Some(*span);
                return result;
            }
        }
    }
    result
}

/// Replays a line and reports what is wrong with it.
pub(super) fn check_line(evaluator: &mut QueryEvaluator<'_, '_>, moves: &[(String, Span)]) {
    let replay = replay_on_cube(evaluator.bound.game, &evaluator.position, moves);
    replay.findings.into_iter().for_each(|finding| evaluator.report(finding));
}

/// The legal move that a written one means.
///
/// # Errors
/// Why it is not legal, or that several are meant.
fn the_move(position: &Position, word: &CubeWord) -> Result<ChessMove, String> {
    let (size, side) = (position.board.size, position.turn.name());
    let name = |square: Square| square_name(square, true);
    if let Some(off) = word.from.iter().chain([&word.to]).find(|&&square| !size.has(square)) {
        return Err(format!("{} is not on this {size} board", name(*off)));
    }
    let Some(from) = word.from else {
        let is_meant = |mv: &ChessMove| {
            let kind = position.board.at(mv.from).map(|piece| piece.kind);
            mv.to == word.to && (word.kind.is_none() || word.kind == kind)
        };
        let kind = word.kind.map_or("piece", Kind::name);
        let found: Vec<ChessMove> = cube_moves(position).into_iter().filter(is_meant).collect();
        return match found[..] {
            [mv] => Ok(mv),
            [] => Err(format!("no {kind} of {side} can go to {}", name(word.to))),
            _ => {
                let names: Vec<String> =
                    found.iter().take(MAX_NAMED).map(|&mv| cube_move_name(position, mv)).collect();
                Err(format!("several moves are meant; write one of them: {}", names.join(", ")))
            }
        };
    };
    let Some(piece) = position.board.at(from) else {
        return Err(format!("nothing stands on {}", name(from)));
    };
    if piece.colour != position.turn {
        return Err(format!("the {piece} on {} is not {side}'s to move", name(from)));
    }
    if let Some(kind) = word.kind.filter(|&kind| kind != piece.kind) {
        return Err(format!("a {} stands on {}, not a {}", piece.kind.name(), name(from), kind.name()));
    }
    if let Some(why) = why_illegal_on_cube(position, from, word.to) {
        return Err(why);
    }
    if word.captures && position.board.at(word.to).is_none() {
        return Err(format!("there is nothing to capture on {}", name(word.to)));
    }
    let is_it = |mv: &ChessMove| (mv.from, mv.to) == (from, word.to);
    cube_moves(position).into_iter().find(is_it).ok_or_else(|| "this move is illegal".to_string())
}

/// What is wrong with the mark of a move that leads to a position.
fn wrong_mark(game: &dyn Game, after: &Position, word: &CubeWord) -> Option<Finding> {
    let (mark, place) = word.mark?;
    let finding = |message: &str| Finding::new(Code::WrongMark, place, message);
    let with =
        |finding: Finding, title: &str, text: &str| finding.fix(Fix::if_board_is_right(title, place, text));
    match (mark, game.status(after)?) {
        (Mark::Mate, Status::Checkmate) | (Mark::Check, Status::Check) => None,
        (Mark::Mate, Status::Check) => {
            let finding = finding("this is no mate, only check").severity(Severity::Error);
            Some(with(finding, "replace with `+`", "+"))
        }
        (Mark::Mate, _) => {
            let finding = finding("this is no mate, and not even check").severity(Severity::Error);
            Some(with(finding, "remove the mark", ""))
        }
        (Mark::Check, Status::Checkmate) => {
            let finding = finding("this is mate, not only check");
            Some(finding.fix(Fix::new("replace with `#`", place, "#", true)))
        }
        (Mark::Check, _) => Some(with(finding("this move gives no check"), "remove the mark", "")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_has_one_sign_and_one_letter() {
        let read = |text: &str| {
            let word = CubeWord::read(text, Span::new(0, text.len() as u32))?;
            Some((word.kind, word.captures))
        };
        let king = Some(Kind::King);
        assert_eq!(read("Ka3(III)-b3(III)"), Some((king, false)));
        assert_eq!(read("Ka3(III)xb3(iii)#!"), Some((king, true)));
        assert_eq!(read("Ka3(III):b3(III)"), Some((king, true)));
        assert_eq!(read("a3(III)b3(III)"), Some((None, false)));
        assert_eq!(read("Kb3(III)"), Some((king, false)));
        for wrong in
            ["Ka3(III)-Qb3(III)", "Ka3(III)::b3(III)", "Ka3(III)-xb3(III)", "Ka3(III)-", "Ka3(III)-b3(III)x"]
        {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
