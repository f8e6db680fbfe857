//! The tags of games in PGN and PDN: which of them hold a part of a puzzle, and which a property of its own.

use serde_json::Value as Json;

/// The results of games.
pub(crate) const RESULTS: [&str; 7] = ["1-0", "0-1", "1/2-1/2", "2-0", "0-2", "1-1", "0-0"];

/// The marks of the first six numeric annotation glyphs.
pub(crate) const MARKS: [&str; 7] = ["", "!", "?", "!!", "??", "!?", "?!"];

/// Tags that hold a part of a puzzle, or repeat what its board or its moves say: an import makes no property of them.
const READ: [&str; 21] = [
    "Event",
    "Site",
    "Date",
    "White",
    "Black",
    "SetUp",
    "FEN",
    "GameType",
    "Variant",
    "Stipulation",
    "Title",
    "Name",
    "ChapterName",
    "Author",
    "Authors",
    "Composer",
    "Source",
    "Id",
    "Difficulty",
    "PlyCount",
    "UTCDate",
];

/// The tags of authors.
pub(crate) const AUTHOR_TAGS: [&str; 3] = ["Author", "Composer", "Authors"];

/// Tags whose names programs know with capitals within.
const SPELLED: [&str; 12] = [
    "ECO",
    "NIC",
    "WhiteElo",
    "BlackElo",
    "WhiteTitle",
    "BlackTitle",
    "WhiteTeam",
    "BlackTeam",
    "EventDate",
    "SubVariation",
    "TimeControl",
    "UTCTime",
];

/// Whether an import reads a tag as a part of a puzzle, or as one that repeats another.
pub(crate) fn is_read(name: &str) -> bool {
    READ.iter().any(|read| read.eq_ignore_ascii_case(name))
}

/// Whether the value of a tag says something: it is neither unknown nor a default.
pub(crate) fn says_something(value: &str) -> bool {
    let is_sign = |c| matches!(c, '?' | '.' | '-' | '*');
    !value.chars().all(is_sign) && !matches!(value, "NN" | "N.N" | "N. N" | "N.N.")
}

/// The texts of a tag, which an export parts by semicolons.
pub(crate) fn several(value: &str) -> Vec<String> {
    value.split("; ").map(|text| text.trim().to_string()).collect()
}

/// Texts without those that are there already.
pub(crate) fn each_once(texts: impl Iterator<Item = String>) -> Vec<String> {
    texts.fold(Vec::new(), |mut all, text| {
        if !all.contains(&text) {
            all.push(text);
        }
        all
    })
}

/// The custom properties of a puzzle as tags, in order.
pub(crate) struct OwnTags<'p> {
    pub round: Option<&'p str>,
    pub result: Option<&'p str>,
    /// All others, each with its name.
    pub others: Vec<(String, &'p str)>,
    /// Whether there are properties that no tag holds as they are.
    pub is_cut: bool,
}

impl<'p> OwnTags<'p> {
    /// The tags of some custom properties.
    pub fn of(properties: &'p [(&'p str, Json)]) -> OwnTags<'p> {
        let others: Vec<_> = properties.iter().filter_map(|(name, value)| tag_of(name, value)).collect();
        let is_cut = others.len() < properties.len();
        let mut tags = OwnTags { round: None, result: None, others, is_cut };
        tags.round = tags.take("Round");
        tags.result = tags.take("Result");
        tags
    }

    fn take(&mut self, name: &str) -> Option<&'p str> {
        let index = self.others.iter().position(|(tag, _)| tag == name)?;
        Some(self.others.remove(index).1)
    }
}

/// The tag of a custom property, from which an import makes that property again: `WhiteElo` of `x-whiteelo`.
fn tag_of<'p>(property: &str, value: &'p Json) -> Option<(String, &'p str)> {
    let name = property.strip_prefix("x-").filter(|name| !name.contains(|c: char| c.is_ascii_uppercase()))?;
    let value = value.as_str().filter(|value| says_something(value) && *value == value.trim())?;
    if is_read(name) || value.contains(char::is_control) {
        return None;
    }
    let spelled = SPELLED.iter().find(|spelled| spelled.eq_ignore_ascii_case(name));
    let capital = || name[..1].to_ascii_uppercase() + &name[1..];
    Some((spelled.map_or_else(capital, |spelled| spelled.to_string()), value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_property_has_a_tag_where_an_import_makes_the_property_of_it() {
        for (property, value, tag) in [
            ("x-whiteelo", "2700", Some("WhiteElo")),
            ("x-annotator", "A. N. Other", Some("Annotator")),
            ("x-my-rating", "5", Some("My-rating")),
            // Its case would be lost.
            ("x-myRating", "5", None),
            // These would become something else, or nothing.
            ("x-event", "A match", None),
            ("x-eco", "?", None),
        ] {
            let value = Json::from(value);
            assert_eq!(tag_of(property, &value).map(|(name, _)| name).as_deref(), tag, "{property}");
        }
        assert_eq!(tag_of("x-moves", &Json::from(vec!["a", "b"])), None);
    }
}
