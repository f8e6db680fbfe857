//! The numbers of squares, and what `GameType` says about them.

use cpz_rules::board::Square;

/// The corner of square 1, seen from White's side. Square 2 is beside it on the same rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Numbering {
    BottomLeft,
    BottomRight,
    TopLeft,
    TopRight,
}

/// What a `GameType` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GameType {
    /// The number of the game; 25 is Russian draughts.
    pub game: u32,
    /// How squares are numbered, where it says so.
    pub numbering: Option<Numbering>,
}

impl Numbering {
    /// The numberings, the most common ones first: that of Lidraughts begins at the top left.
    pub const ALL: [Numbering; 4] =
        [Numbering::TopLeft, Numbering::BottomLeft, Numbering::BottomRight, Numbering::TopRight];

    /// The corner in words.
    pub fn corner(self) -> &'static str {
        match self {
            Numbering::BottomLeft => "bottom left",
            Numbering::BottomRight => "bottom right",
            Numbering::TopLeft => "top left",
            Numbering::TopRight => "top right",
        }
    }

    /// The dark square of a number from 1 to 32.
    pub fn square(self, number: u8) -> Option<Square> {
        let index = number.checked_sub(1).filter(|index| *index < 32)?;
        let (row, column) = (index / 4, index % 4);
        let from_top = matches!(self, Numbering::TopLeft | Numbering::TopRight);
        let from_right = matches!(self, Numbering::BottomRight | Numbering::TopRight);
        let y = if from_top { 7 - row } else { row };
        let place = if from_right { 3 - column } else { column };
        Some(Square::new(2 * place + y % 2, y))
    }

    fn turned(self) -> Numbering {
        match self {
            Numbering::BottomLeft => Numbering::TopRight,
            Numbering::BottomRight => Numbering::TopLeft,
            Numbering::TopLeft => Numbering::BottomRight,
            Numbering::TopRight => Numbering::BottomLeft,
        }
    }
}

/// Reads a `GameType`: `25`, or `25,W,8,8,A0,0`. Its corner is seen by the side that starts.
pub(super) fn read_game_type(text: &str) -> Option<GameType> {
    let mut fields = text.split(',').map(str::trim);
    let game = fields.next()?.parse().ok()?;
    let fields: Vec<&str> = fields.collect();
    let numbering = fields.get(3).and_then(|notation| {
        let corner = match notation.strip_prefix(['N', 'n'])? {
            "0" => Numbering::BottomLeft,
            "1" => Numbering::BottomRight,
            "2" => Numbering::TopLeft,
            "3" => Numbering::TopRight,
            _ => return None,
        };
        Some(if fields[0].eq_ignore_ascii_case("b") { corner.turned() } else { corner })
    });
    Some(GameType { game, numbering })
}

/// The name of a game that is not Russian draughts.
pub(super) fn game_name(game: u32) -> &'static str {
    match game {
        0 => "chess",
        20 => "international draughts",
        21 => "English draughts",
        22 => "Italian draughts",
        23 => "American pool checkers",
        24 => "Spanish draughts",
        26 => "Brazilian draughts",
        27 => "Canadian draughts",
        28 => "Portuguese draughts",
        29 => "Czech draughts",
        30 => "Turkish draughts",
        31 => "Thai draughts",
        40 => "Frisian draughts",
        41 => "Spantsiretti draughts",
        _ => "another game",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cpz_rules::board::square_name;

    #[test]
    fn squares_are_numbered_from_a_corner() {
        let name = |numbering: Numbering, n: u8| numbering.square(n).map(|s| square_name(s, false));
        let named = |numbering, numbers: [u8; 3]| numbers.map(|n| name(numbering, n).unwrap_or_default());
        assert_eq!(named(Numbering::TopLeft, [1, 5, 32]), ["b8", "a7", "g1"]);
        assert_eq!(named(Numbering::BottomLeft, [1, 5, 32]), ["a1", "b2", "h8"]);
        assert_eq!(named(Numbering::BottomRight, [1, 4, 32]), ["g1", "a1", "b8"]);
        assert_eq!(name(Numbering::TopLeft, 33), None);
        let english = read_game_type("21,B,8,8,N1,0").expect("a type");
        assert_eq!((english.game, english.numbering), (21, Some(Numbering::TopLeft)));
        assert_eq!(read_game_type("25,W,8,8,A0,0").and_then(|t| t.numbering), None);
    }
}
