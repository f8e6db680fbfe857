//! Another dialect for a solitaire puzzle.

use crate::code_actions::has_syntax_errors;
use cpz_check::analysis::{Defaults, bound_at, insert_property};
use cpz_rules::games::Dialect;
use cpz_text::diagnostic::Edit;
use cpz_text::syntax::{GameId, Property, Tree};

/// For the solitaire puzzle at an offset: each dialect but its own, with the edit of `rules` that selects it.
/// Empty for other games and for a puzzle with syntax errors.
pub fn switch_dialect(tree: &Tree, base: Defaults, offset: u32) -> Vec<(Dialect, Vec<Edit>)> {
    let Some((bound, _)) = bound_at(tree, base, offset) else { return Vec::new() };
    if bound.id != GameId::Solitaire || has_syntax_errors(tree, bound.puzzle) {
        return Vec::new();
    }
    let own = bound.puzzle.properties().find(|p| p.name() == Some(Property::Rules)).and_then(|p| p.value());
    let current = bound.settings.dialect.unwrap_or_default();
    let edit = |dialect: Dialect| match own {
        Some(value) => Edit { span: value.span(), text: dialect.word().into() },
        None => insert_property(bound.puzzle, &format!("rules {}", dialect.word())),
    };
    Dialect::ALL.into_iter().filter(|&d| d != current).map(|d| (d, vec![edit(d)])).collect()
}
