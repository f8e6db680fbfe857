//! Values of YAML and JSON.

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::import) enum Yaml {
    /// Nothing.
    Null,
    /// A scalar of any kind.
    Text(String),
    /// A list.
    List(Vec<Yaml>),
    /// A map, in the order of the file.
    Map(Vec<(String, Yaml)>),
}

impl Yaml {
    /// The value of a key of a map.
    pub fn get(&self, name: &str) -> Option<&Yaml> {
        match self {
            Yaml::Map(entries) => entries.iter().find(|(key, _)| key == name).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The value in words: a list as its parts with commas, a map as names with values.
    pub fn in_words(&self) -> String {
        match self {
            Yaml::Null => String::new(),
            // Python writes `None` for nothing.
            Yaml::Text(text) if text.trim() == "None" => String::new(),
            Yaml::Text(text) => text.trim().to_string(),
            Yaml::List(parts) => {
                parts.iter().map(Yaml::in_words).filter(|p| !p.is_empty()).collect::<Vec<_>>().join(", ")
            }
            Yaml::Map(entries) => {
                let parts = entries.iter().map(|(name, value)| format!("{name} {}", value.in_words()));
                parts.collect::<Vec<_>>().join(", ")
            }
        }
    }

    /// The parts of a list in words; a value that is no list is its only part.
    pub fn parts(&self) -> Vec<String> {
        let parts: Vec<String> = match self {
            Yaml::List(parts) => parts.iter().map(Yaml::in_words).collect(),
            other => vec![other.in_words()],
        };
        parts.into_iter().filter(|part| !part.is_empty()).collect()
    }
}
