//! The solution of a duplex, which other programs print as one text: the lines of one side, and behind them those of the other.

use cpz_check::analysis::{begins_from, is_solution};
use cpz_rules::games::{Position, Stipulation};

/// The most bytes that are read to part a text. What needs more has no text of a problem.
const MAX_READ: usize = 8 << 20;

/// The solutions of the side that begins and of the other, whose positions are `starts`. One of them may be empty. `None` if
/// the text can be parted in no way, or in several: the first moves of a part must be possible for its side.
pub(crate) fn duplex_parts<'t>(
    text: &'t str,
    starts: [&Position; 2],
    asked: Stipulation,
) -> Option<[&'t str; 2]> {
    let is_of = |part: &str, start: &Position| {
        matches!(part, "" | "none") || is_solution(part, asked, start.turn) && begins_from(part, start, asked)
    };
    let places = borders(text);
    if places.len().saturating_mul(text.len()) > MAX_READ {
        return None;
    }
    let mut found: Vec<[&str; 2]> =
        places.into_iter().map(|at| [text[..at].trim(), text[at..].trim()]).collect();
    found.dedup();
    found.retain(|[first, second]| is_of(first, starts[0]) && is_of(second, starts[1]));
    match found.as_slice() {
        [only] => Some(*only),
        _ => None,
    }
}

/// Where one solution may end and another begin: at blank lines, at lines with a first move, and at both ends of the text.
fn borders(text: &str) -> Vec<usize> {
    let mut at = 0;
    let mut borders = vec![0];
    for line in text.split_inclusive('\n') {
        let words = line.trim();
        if words.is_empty() || words.starts_with("1.") && !words.starts_with("1..") {
            borders.push(at);
        }
        at += line.len();
    }
    borders.push(text.len());
    borders
}

#[cfg(test)]
mod tests {
    use super::duplex_parts;
    use cpz_rules::board::{Colour, Rights, read_fen_fields};
    use cpz_rules::games::{Dialect, Position, Stipulation, after_pass, game};
    use cpz_text::syntax::GameId;

    /// The parts of a text. White has a king on b3 and a rook on c1 and begins, Black a king on h8 and a rook on h2.
    fn parts(text: &str) -> Option<[&str; 2]> {
        let read = read_fen_fields(&["7k/8/8/8/8/1K6/7r/2R5"], game(GameId::Chess).format());
        let board = read.expect("a board").board;
        let start =
            Position { board, turn: Colour::White, dialect: Dialect::Default, rights: Rights::default() };
        duplex_parts(text, [&start, &after_pass(&start)], Stipulation::from_short("h#1").expect("a helpmate"))
    }

    #[test]
    fn the_first_moves_say_whose_solutions_they_are() {
        for (text, due) in [
            ("1.Rc8+ Kg7\n1.Rb2+ Kxb2", ["1.Rc8+ Kg7", "1.Rb2+ Kxb2"]),
            (
                "1.Rc8+ Kg7\n1.Kb4 Kg8\n\n1.Rb2+ Kxb2\n1.Kg8 Rc8+",
                ["1.Rc8+ Kg7\n1.Kb4 Kg8", "1.Rb2+ Kxb2\n1.Kg8 Rc8+"],
            ),
            ("1.Rc8+ Kg7", ["1.Rc8+ Kg7", ""]),
            ("1.Rb2+ Kxb2", ["", "1.Rb2+ Kxb2"]),
            ("none\n\n1.Rb2+ Kxb2", ["none", "1.Rb2+ Kxb2"]),
        ] {
            assert_eq!(parts(text), Some(due), "{text}");
        }
    }

    #[test]
    fn what_may_be_parted_in_two_ways_or_in_none_is_not_parted() {
        for text in [
            "1.Rc2 Rxc2",
            "1.Rc8+ Kg7\n1.Rb2+ Kxb2\n1.Kb4 Kg8",
            "1.Ra8 Kg7",
            "White wins",
            "1.Rb2+ Kxb2\n1.Rc8+ Kg7",
        ] {
            assert_eq!(parts(text), None, "{text}");
        }
    }
}
