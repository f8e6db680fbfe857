//! Marked squares and arrows.

use crate::diagram::theme::Theme;
use cpz_rules::board::Square;

/// Why a square is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SquareMark {
    /// The picture is about this square: the class `seen`.
    Subject,
    /// A piece can go there.
    Target,
    /// The square is attacked, or its piece attacks.
    Danger,
    /// The square belongs to a step that fails.
    Failed,
}

impl SquareMark {
    pub(super) const ALL: [SquareMark; 4] =
        [SquareMark::Subject, SquareMark::Target, SquareMark::Danger, SquareMark::Failed];

    pub(super) fn class(self) -> &'static str {
        ["seen", "target", "danger", "failed"][self as usize]
    }

    pub(super) fn colour(self, theme: Theme) -> &'static str {
        let colours = match theme {
            Theme::Wood => ["#f2d14b", "#8fc46c", "#e9a15b", "#e5534b"],
            Theme::Grey => ["#e3cf6e", "#9fc086", "#dcab7b", "#d9706a"],
            Theme::Print => ["#dcdcdc", "#dcdcdc", "#c4c4c4", "#c4c4c4"],
        };
        colours[self as usize]
    }
}

/// A movement from one square to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardArrow {
    pub from: Square,
    pub to: Square,
    pub kind: ArrowKind,
}

/// What an arrow says of its movement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrowKind {
    /// It was made, or can be made.
    Move,
    /// It is illegal, or refutes what was tried.
    Failed,
    /// It would be made next if the other side passed: an outline.
    Threat,
}

impl ArrowKind {
    fn class(self) -> &'static str {
        ["", " failed", " threat"][self as usize]
    }

    /// The attributes of the polygon.
    fn style(self, theme: Theme) -> &'static str {
        match (self, theme) {
            (ArrowKind::Move, Theme::Print) => "fill=\"#000000\" stroke=\"#ffffff\" stroke-width=\"1.5\"",
            (ArrowKind::Failed, Theme::Print) => "fill=\"#ffffff\" stroke=\"#000000\" stroke-width=\"1.5\"",
            (ArrowKind::Threat, Theme::Print) => {
                "fill=\"none\" stroke=\"#000000\" stroke-width=\"1.5\" stroke-dasharray=\"4 3\""
            }
            (ArrowKind::Move, _) => "fill=\"#2f6f3e\" fill-opacity=\"0.85\"",
            // The edge parts it from squares that are red too.
            (ArrowKind::Failed, _) => "fill=\"#c2231a\" stroke=\"#ffffff\" stroke-width=\"1\"",
            (ArrowKind::Threat, _) => {
                "fill=\"#2b6cb0\" fill-opacity=\"0.2\" stroke=\"#2b6cb0\" stroke-width=\"1.5\" stroke-dasharray=\"5 3\""
            }
        }
    }

    /// An arrow between the middles of two squares; nothing if they are one point.
    pub(super) fn polygon(self, theme: Theme, start: (f64, f64), end: (f64, f64)) -> Option<String> {
        let ((x1, y1), (x2, y2)) = (start, end);
        let length = (x2 - x1).hypot(y2 - y1);
        if length < 1.0 {
            return None;
        }
        let (ux, uy) = ((x2 - x1) / length, (y2 - y1) / length);
        // The head ends short of the middle, so that the piece there is seen.
        let (tip, neck) = (length - 8.0, length - 20.0);
        let at = |along: f64, aside: f64| {
            format!("{:.1},{:.1}", x1 + ux * along - uy * aside, y1 + uy * along + ux * aside)
        };
        let points = [
            at(8.0, -2.2),
            at(neck, -2.2),
            at(neck, -7.0),
            at(tip, 0.0),
            at(neck, 7.0),
            at(neck, 2.2),
            at(8.0, 2.2),
        ];
        let (class, style) = (self.class(), self.style(theme));
        Some(format!("<polygon class=\"arrow{class}\" {style} points=\"{}\"/>", points.join(" ")))
    }
}
