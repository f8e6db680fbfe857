//! Who made a problem, where it appeared and what it won.

use crate::import::yaml::Yaml;

/// Names as people read them: `Shire, David J.` becomes `David J. Shire`.
pub(super) fn names(authors: &[String]) -> Vec<String> {
    let name = |author: &String| match author.split_once(',') {
        Some((family, given)) if !given.contains(',') && !given.trim().is_empty() => {
            format!("{} {}", given.trim(), family.trim())
        }
        _ => author.trim().to_string(),
    };
    authors.iter().map(name).collect()
}

/// A source in words: its name, volume, issue, number and date.
pub(super) fn source(value: &Yaml) -> String {
    let Yaml::Map(parts) = value else { return value.in_words() };
    let mut words = Vec::new();
    // The order is that of a citation, whatever that of the file.
    for (key, label) in [
        ("name", ""),
        ("volume", "volume "),
        ("issue", "issue "),
        ("round", "round "),
        ("pagenumber", "page "),
        ("problemid", "no. "),
    ] {
        let text = value.get(key).map(Yaml::in_words).unwrap_or_default();
        words.extend((!text.is_empty()).then(|| format!("{label}{text}")));
    }
    words.extend(value.get("date").map(date).filter(|date| !date.is_empty()));
    const KNOWN: [&str; 7] = ["name", "volume", "issue", "round", "pagenumber", "problemid", "date"];
    for (key, other) in parts.iter().filter(|(key, _)| !KNOWN.contains(&key.as_str())) {
        words.push(format!("{key}: {}", other.in_words()));
    }
    words.join(", ")
}

/// A date: `1965`, `1965-03`, `1965-03-01`.
pub(super) fn date(value: &Yaml) -> String {
    let part = |name: &str| value.get(name).map(Yaml::in_words).filter(|text| !text.is_empty());
    let Yaml::Map(_) = value else { return value.in_words() };
    let parts = [part("year"), part("month"), part("day")];
    let two_digits = |text: String| if text.len() == 1 { format!("0{text}") } else { text };
    parts.into_iter().map_while(|part| part.map(two_digits)).collect::<Vec<_>>().join("-")
}

/// An award: the distinction and the tourney.
pub(super) fn award(value: &Yaml) -> String {
    let Yaml::Map(_) = value else { return value.in_words() };
    let distinction = value.get("distinction").map(Yaml::in_words);
    let tourney = value.get("tourney").map(source);
    let parts = [distinction, tourney].into_iter().flatten().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(", ")
}
