//! Values of the layers below as values of options, by their names and with their help texts.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::schema::{JsonSchema, SCHEMAS};
use cpz_api::print::{DifficultyShown, Form, Language, Paper, Placement, SheetFormat, Theme};
use cpz_check::authoring::SortKey;
use cpz_exchange::{export, import};
use cpz_rules::board::Target;
use cpz_text::syntax::GameId;

/// A parser of the names of these values.
fn one_of<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    describe: fn(&T) -> PossibleValue,
) -> impl TypedValueParser<Value = T> {
    let chosen = move |name: String| all.iter().find(|value| describe(value).get_name() == name);
    PossibleValuesParser::new(all.iter().map(describe))
        .try_map(move |name| chosen(name).copied().ok_or("this value is not in the list"))
}

pub fn target() -> impl TypedValueParser<Value = Target> {
    one_of(&Target::ALL, |target| {
        let help = match target {
            Target::Text => "Rows of letters",
            Target::List => "Nested lists of letters",
            Target::Numbers => "Nested lists of numbers",
            Target::Coordinates => "Pieces with their squares",
            Target::Fen => "FEN of chess, PDN of draughts",
        };
        PossibleValue::new(target.name()).help(help)
    })
}

pub fn import_format() -> impl TypedValueParser<Value = import::Format> {
    one_of(import::Format::ALL, |format| PossibleValue::new(format.name()).help(format.description()))
}

pub fn export_format() -> impl TypedValueParser<Value = export::Format> {
    one_of(&export::Format::ALL, |format| PossibleValue::new(format.name()).help(format.description()))
}

pub fn game() -> impl TypedValueParser<Value = GameId> {
    one_of(GameId::ALL, |game| PossibleValue::new(game.word()))
}

pub fn sort_key() -> impl TypedValueParser<Value = SortKey> {
    one_of(&SortKey::ALL, |key| {
        let help = match key {
            SortKey::Difficulty => "The estimate of `cpz rate`",
            SortKey::Pieces => "The number of pieces",
            SortKey::Name => "The name; numbers in it by their value",
            SortKey::Id => "The id; numbers in it by their value",
        };
        PossibleValue::new(key.word()).help(help)
    })
}

pub fn theme() -> impl TypedValueParser<Value = Theme> {
    one_of(&[Theme::Wood, Theme::Grey, Theme::Print], |theme| {
        let help = match theme {
            Theme::Wood => "Brown squares",
            Theme::Grey => "Grey squares",
            Theme::Print => "Black and white: dark squares are hatched",
        };
        PossibleValue::new(theme.name()).help(help)
    })
}

pub fn schema() -> impl TypedValueParser<Value = JsonSchema> {
    one_of(&SCHEMAS, |schema| PossibleValue::new(schema.name).help(schema.describes))
}

pub fn sheet_format() -> impl TypedValueParser<Value = SheetFormat> {
    one_of(&SheetFormat::ALL, |format| {
        let help = match format {
            SheetFormat::Html => "One HTML file that needs nothing else",
            SheetFormat::Typst => "A source for Typst that needs nothing else",
            SheetFormat::Latex => "A source for LaTeX with the package chess-problem-diagrams",
        };
        PossibleValue::new(format.name()).help(help)
    })
}

pub fn form() -> impl TypedValueParser<Value = Form> {
    one_of(&Form::ALL, |form| {
        let help = match form {
            Form::Lesson => "The stipulation in signs and in words, and lines for an answer",
            Form::Magazine => "The stipulation in signs alone, as problem magazines print it",
        };
        PossibleValue::new(form.name()).help(help)
    })
}

pub fn paper() -> impl TypedValueParser<Value = Paper> {
    one_of(&Paper::ALL, |paper| {
        let help = match paper {
            Paper::A4 => "210 mm x 297 mm",
            Paper::Letter => "8.5 in x 11 in",
        };
        PossibleValue::new(paper.name()).help(help)
    })
}

pub fn placement() -> impl TypedValueParser<Value = Placement> {
    one_of(&Placement::ALL, |placement| {
        let help = match placement {
            Placement::Apart => "On pages of their own",
            Placement::Below => "Below each diagram",
            Placement::Nowhere => "Nowhere",
        };
        PossibleValue::new(placement.name()).help(help)
    })
}

pub fn difficulty() -> impl TypedValueParser<Value = DifficultyShown> {
    one_of(&DifficultyShown::ALL, |shown| {
        let help = match shown {
            DifficultyShown::Written => "What the author wrote",
            DifficultyShown::Estimate => "What the author wrote, or else the estimate of `cpz rate`",
            DifficultyShown::Nothing => "None",
        };
        PossibleValue::new(shown.name()).help(help)
    })
}

pub fn language() -> impl TypedValueParser<Value = Language> {
    one_of(&Language::ALL, |language| {
        let help = match language {
            Language::English => "English",
            Language::German => "German",
            Language::French => "French",
            Language::Russian => "Russian",
            Language::Spanish => "Spanish",
        };
        PossibleValue::new(language.code()).help(help)
    })
}
