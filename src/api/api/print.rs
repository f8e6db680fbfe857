//! Printing.

use serde::Serialize;

use crate::api::options::{Error, TextOptions, named, tree_of};
use crate::api::puzzles::{chosen, filter};
use crate::print::{
    Diagram, DifficultyShown, Form, Language, Paper, Placement, SheetFormat, SheetOptions, Theme, diagram,
};
use cpz_check::parallel::*;
use cpz_text::diagnostic::LineIndex;

/// The options of [`print_text`].
#[derive(Clone, Debug)]
pub struct PrintOptions {
    /// The format: `html`, `typst` or `latex`.
    pub to: String,
    /// Only puzzles whose id, name or number fits one of these patterns, such as `mate-*`.
    pub only: Vec<String>,
    /// Only puzzles with one of these tags.
    pub tags: Vec<String>,
    /// Only puzzles of these games.
    pub games: Vec<String>,
    /// The colours: `wood`, `grey` or `print`.
    pub theme: String,
    /// Whether files and ranks are named; without a value, they are in the form `lesson`.
    pub coordinates: Option<bool>,
    /// The size of the paper: `a4` or `letter`.
    pub paper: String,
    /// How many diagrams a page has at most, 1 to 12.
    pub per_page: u8,
    /// What stands below chess problems: `lesson` or `magazine`; without one `magazine` for LaTeX, else `lesson`.
    pub form: Option<String>,
    /// Where the solutions are: `apart`, `below` or `none`.
    pub solutions: String,
    /// Where the hints are: `apart`, `below` or `none`.
    pub hints: String,
    /// Whether puzzles without hints get those of [`hint_text`](crate::api::hint_text).
    pub add_hints: bool,
    /// Which difficulty is shown: `written`, `estimate` or `none`.
    pub difficulty: String,
    /// The language of the sheet: `en`, `de`, `fr`, `ru` or `es`.
    pub language: String,
    /// The title of a title page.
    pub title: Option<String>,
    /// How the text is read.
    pub text: TextOptions,
}

impl Default for PrintOptions {
    fn default() -> PrintOptions {
        PrintOptions {
            to: SheetFormat::Html.name().into(),
            only: Vec::new(),
            tags: Vec::new(),
            games: Vec::new(),
            theme: Theme::Print.name().into(),
            coordinates: None,
            paper: Paper::A4.name().into(),
            per_page: 6,
            form: None,
            solutions: Placement::Apart.name().into(),
            hints: Placement::Apart.name().into(),
            add_hints: false,
            difficulty: DifficultyShown::Written.name().into(),
            language: Language::English.code().into(),
            title: None,
            text: TextOptions::default(),
        }
    }
}

/// A sheet of diagrams.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PrintedText {
    /// The sheet.
    pub text: String,
    /// How many puzzles it has.
    pub puzzles: usize,
    /// The puzzles that are not on it.
    pub left_out: Vec<LeftOutPuzzle>,
}

/// A puzzle that is not printed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LeftOutPuzzle {
    /// Its line, from 1.
    pub line: u32,
    /// Why it is not printed.
    pub reason: String,
}

/// Makes a sheet of diagrams for paper, as `cpz print` does.
///
/// ```
/// # use cpz_api::api as cpz;
/// let sheet = cpz::print_text("solitaire { board RN.. solve }", &cpz::PrintOptions::default())?;
/// assert!(sheet.text.starts_with("<!DOCTYPE html>"));
/// assert_eq!(sheet.puzzles, 1);
/// # Ok::<(), cpz::Error>(())
/// ```
///
/// # Errors
/// A wrong option, or no puzzle that can be printed.
pub fn print_text(text: &str, options: &PrintOptions) -> Result<PrintedText, Error> {
    let to = named("format of sheets", &options.to, &SheetFormat::ALL, SheetFormat::name)?;
    let sheet = sheet_options(to, options)?;
    let filter = filter(&options.only, &options.tags, &options.games)?;
    let search = options.text.analysis()?;
    let tree = tree_of(text)?;
    let entries = chosen(&tree, &filter, &search);
    let made: Vec<Result<Diagram, String>> =
        entries.par_iter().map(|entry| diagram(entry, &sheet, &search)).collect();
    let (mut diagrams, mut left_out) = (Vec::new(), Vec::new());
    let index = LineIndex::new(text);
    for (entry, made) in entries.iter().zip(made) {
        match made {
            Ok(diagram) => diagrams.push(diagram),
            Err(reason) => {
                left_out.push(LeftOutPuzzle { line: index.line(entry.span().start) + 1, reason });
            }
        }
    }
    match (diagrams.is_empty(), left_out.first()) {
        (false, _) => {}
        (true, None) => return Err(Error("there are no puzzles to print".into())),
        (true, Some(first)) => return Err(Error(format!("there is nothing to print: {}", first.reason))),
    }
    Ok(PrintedText { text: to.sheet(&diagrams, &sheet), puzzles: diagrams.len(), left_out })
}

fn sheet_options(to: SheetFormat, options: &PrintOptions) -> Result<SheetOptions, Error> {
    if !(1..=12).contains(&options.per_page) {
        return Err(Error(format!("{} diagrams a page are not between 1 and 12", options.per_page)));
    }
    let placement = |what, name| named(what, name, &Placement::ALL, Placement::name);
    let form = options.form.as_deref().map(|form| named("form", form, &Form::ALL, Form::name));
    let form = form.transpose()?.unwrap_or(to.form());
    Ok(SheetOptions {
        title: options.title.clone().filter(|title| !title.trim().is_empty()),
        language: named("language", &options.language, &Language::ALL, Language::code)?,
        paper: named("paper", &options.paper, &Paper::ALL, Paper::name)?,
        per_page: options.per_page,
        form,
        solutions: placement("place of solutions", &options.solutions)?,
        hints: placement("place of hints", &options.hints)?,
        added_hints: options.add_hints,
        difficulty: named("difficulty", &options.difficulty, &DifficultyShown::ALL, DifficultyShown::name)?,
        theme: named("theme", &options.theme, &[Theme::Wood, Theme::Grey, Theme::Print], Theme::name)?,
        coordinates: options.coordinates.unwrap_or(form == Form::Lesson),
    })
}
