//! The legend of the semantic tokens.

use ls_types::{SemanticTokenType, SemanticTokensLegend};

use cpz_ide::TokenClass;

/// The names of the token types, in the order of their numbers. Several classes may share a name.
pub(crate) fn legend() -> SemanticTokensLegend {
    let mut names: Vec<&str> = Vec::new();
    for class in TokenClass::ALL {
        if !names.contains(&class.name()) {
            names.push(class.name());
        }
    }
    let names: Vec<_> = names.into_iter().map(|n| SemanticTokenType::from(n.to_string())).collect();
    SemanticTokensLegend { token_types: names, token_modifiers: Vec::new() }
}
