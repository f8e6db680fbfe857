//! Values of the layers below as values of options, by their names and with their help texts.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use cpz_api::print::Theme;
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
