//! The colours of boards and pieces.

use cpz_rules::board::Colour;

/// The colours of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Brown squares.
    #[default]
    Wood,
    /// Grey squares.
    Grey,
    /// Black and white alone: dark squares are hatched.
    Print,
}

/// The colours of the pieces of a side.
pub(super) struct PieceColours {
    pub fill: &'static str,
    /// The outline.
    pub stroke: &'static str,
    /// The lines inside.
    pub inner: &'static str,
}

impl Theme {
    /// The word on the command line.
    pub fn name(self) -> &'static str {
        ["wood", "grey", "print"][self as usize]
    }

    pub(super) fn light(self) -> &'static str {
        ["#eeddc0", "#ececec", "#ffffff"][self as usize]
    }

    /// The colour of dark squares; that of their lines where they are hatched.
    pub(super) fn dark(self) -> &'static str {
        ["#b0845e", "#a8a8a8", "#000000"][self as usize]
    }

    pub(super) fn is_hatched(self) -> bool {
        self == Theme::Print
    }

    /// The names of files, ranks and levels.
    pub(super) fn names(self) -> &'static str {
        ["#8a8a8a", "#666666", "#000000"][self as usize]
    }

    /// The line around the board.
    pub(super) fn frame(self) -> &'static str {
        ["#7a5638", "#6e6e6e", "#000000"][self as usize]
    }

    pub(super) fn piece(self, colour: Colour) -> PieceColours {
        let ink = if self == Theme::Print { "#000000" } else { "#1f1f1f" };
        match colour {
            Colour::White => PieceColours { fill: "#ffffff", stroke: ink, inner: ink },
            Colour::Black => PieceColours { fill: ink, stroke: ink, inner: "#ffffff" },
        }
    }
}
