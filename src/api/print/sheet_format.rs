//! The formats of sheets.

use crate::print::html::html;
use crate::print::latex::latex;
use crate::print::problem_form::Form;
use crate::print::sheet::{Diagram, SheetOptions};
use crate::print::typst::typst;

/// A format of sheets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SheetFormat {
    /// One HTML file that needs nothing else.
    Html,
    /// A source for Typst that needs nothing else.
    Typst,
    /// A source for LaTeX with the package chess-problem-diagrams.
    Latex,
}

impl SheetFormat {
    /// All of them.
    pub const ALL: [SheetFormat; 3] = [SheetFormat::Html, SheetFormat::Typst, SheetFormat::Latex];

    /// The word on the command line.
    pub fn name(self) -> &'static str {
        ["html", "typst", "latex"][self as usize]
    }

    /// What stands below chess problems where nothing else is said.
    pub fn form(self) -> Form {
        match self {
            SheetFormat::Html | SheetFormat::Typst => Form::Lesson,
            SheetFormat::Latex => Form::Magazine,
        }
    }

    /// The sheet with these diagrams.
    pub fn sheet(self, diagrams: &[Diagram], options: &SheetOptions) -> String {
        match self {
            SheetFormat::Html => html(diagrams, options),
            SheetFormat::Typst => typst(diagrams, options),
            SheetFormat::Latex => latex(diagrams, options),
        }
    }
}
