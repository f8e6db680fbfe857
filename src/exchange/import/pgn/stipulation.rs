//! What a game asks for, as people write it in tags.

use cpz_rules::board::Colour;
use cpz_rules::games::{ProblemKind, Stipulation};

/// Numbers in words, in the languages of the tags that are read.
const NUMBERS: [&[&str]; 8] = [
    &["one", "einem", "einen", "ein", "un", "uno", "один"],
    &["two", "zwei", "deux", "dos", "due", "два"],
    &["three", "drei", "trois", "tres", "tre", "три"],
    &["four", "vier", "quatre", "cuatro", "quattro", "четыре"],
    &["five", "fünf", "cinq", "cinco", "cinque", "пять"],
    &["six", "sechs", "seis", "sei", "шесть"],
    &["seven", "sieben", "sept", "siete", "sette", "семь"],
    &["eight", "acht", "huit", "ocho", "otto", "восемь"],
];

/// `mate in` in these languages. What stands before it makes it a selfmate or a helpmate.
const PHRASES: [&str; 9] =
    ["mate in", "mates in", "matt in", "mat en", "mate en", "matto in", "мат в", "мат за", "mat in"];

/// The other words of a text that says what is asked and nothing else.
const WORDS: [&str; 41] = [
    "white",
    "black",
    "to",
    "play",
    "plays",
    "move",
    "moves",
    "and",
    "mate",
    "mates",
    "in",
    "win",
    "wins",
    "draw",
    "draws",
    "weiß",
    "weiss",
    "schwarz",
    "zieht",
    "am",
    "zug",
    "setzt",
    "matt",
    "zügen",
    "züge",
    "mat",
    "en",
    "coup",
    "coups",
    "matto",
    "mossa",
    "mosse",
    "jugada",
    "jugadas",
    "мат",
    "в",
    "за",
    "ход",
    "хода",
    "ходов",
    "series",
];

/// Whether all words of a text are those by which a task is stated: they say nothing else.
pub(super) fn has_only_words_of_tasks(text: &str) -> bool {
    let text = text.to_lowercase();
    let is_known = |word: &str| {
        WORDS.contains(&word)
            || NUMBERS.iter().any(|words| words.contains(&word))
            || word.bytes().all(|b| b.is_ascii_digit())
            || is_kind(word)
    };
    text.split(|c: char| !c.is_alphanumeric()).all(is_known)
}

/// Whether a word is a kind of problem, such as `selfmate` and `Hilfsmatt`, or the part of one before `mate`.
fn is_kind(word: &str) -> bool {
    let word = word.replace("selbst", "self").replace("hilfs", "help").replace("matt", "mate");
    ProblemKind::from_word(&word).or_else(|| ProblemKind::from_word(&format!("{word}mate"))).is_some()
}

/// The side that a text names first.
pub(super) fn side_in(text: &str) -> Option<Colour> {
    let text = text.to_lowercase();
    text.split(|c: char| !c.is_alphanumeric()).find_map(|word| match word {
        "white" | "weiß" | "weiss" => Some(Colour::White),
        "black" | "schwarz" => Some(Colour::Black),
        _ => None,
    })
}

/// A stipulation that is the whole text: `#2`, `h#2.5`, `ser-h=4`.
pub(super) fn short_stipulation(text: &str) -> Option<Stipulation> {
    let text = text.trim();
    let lower = text.to_ascii_lowercase();
    Stipulation::from_short(&lower.replace(' ', ""))
}

/// A stipulation somewhere in a text: `White to move and mate in two`.
pub(super) fn stipulation_in(text: &str) -> Option<Stipulation> {
    if let Some(found) = short_stipulation(text) {
        return Some(found);
    }
    let text = text.to_lowercase();
    let (at, phrase) = PHRASES.iter().filter_map(|p| Some((text.find(p)?, p))).min()?;
    // `selfmate`, `Hilfsmatt`, `series helpmate`: what stands before the word, without signs between its parts.
    let before = text[..at].replace("selbst", "self").replace("hilfs", "help");
    let joined = |from: usize| format!("{}mate", before[from..].replace(['-', ' '], ""));
    let starts = before.char_indices().map(|(at, _)| at).chain([before.len()]);
    let is_word = |&at: &usize| !before[..at].ends_with(char::is_alphanumeric);
    let kind = starts.filter(is_word).find_map(|at| ProblemKind::from_word(&joined(at)))?;
    let is_number_end = |c: char| !(c.is_alphanumeric() || c == '.');
    let rest = text[at + phrase.len()..].trim_start();
    let word = rest.split(is_number_end).next().unwrap_or_default().trim_end_matches('.');
    let in_words = NUMBERS.iter().position(|words| words.contains(&word)).map(|i| (i + 1).to_string());
    let length = in_words.unwrap_or_else(|| word.to_string());
    Stipulation::from_short(&format!("{}{length}", kind.short()))
}

/// What a study asks for, where the whole text of a tag for it says so: `win`, or `+` as in collections of studies.
pub(in crate::import) fn short_study(text: &str) -> Option<&'static str> {
    match text.trim().to_lowercase().as_str() {
        "win" | "+" | "+-" => Some("win"),
        "draw" | "=" => Some("draw"),
        _ => None,
    }
}

/// What a study asks for, in a sentence such as `White to play and win`.
pub(super) fn study_in(text: &str) -> Option<&'static str> {
    let text = text.trim().trim_end_matches(['.', '!']).to_lowercase();
    let begins = ["white to play and ", "white to move and ", "black to play and ", "black to move and "];
    begins.iter().find_map(|begin| match text.strip_prefix(begin)? {
        "win" | "wins" => Some("win"),
        "draw" | "draws" => Some("draw"),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stipulations_are_read_as_people_write_them() {
        let short = |text: &str| stipulation_in(text).map(Stipulation::short);
        let cases = [
            ("Mate in two", Some("#2")),
            ("White to play and mate in 3.", Some("#3")),
            ("Matt in drei Zügen", Some("#3")),
            ("Мат в 2 хода", Some("#2")),
            ("Selfmate in 4", Some("s#4")),
            ("helpmate in 2.5", Some("h#2.5")),
            ("h#3", Some("h#3")),
            ("#1 Chess: 5334 Problems", None),
            ("Stalemate in 2", Some("=2")),
            ("Seriesselfmate in 3", Some("ser-s#3")),
            ("White: semi-reflexmate in two", Some("semi-r#2")),
            ("h=2.5", Some("h=2.5")),
            ("mate in 99", None),
            ("White to move", None),
        ];
        for (text, wanted) in cases {
            assert_eq!(short(text).as_deref(), wanted, "{text}");
        }
    }

    #[test]
    fn studies_are_told_from_results() {
        for (text, wanted) in [
            ("White to play and win", Some("win")),
            ("Black to move and draw.", Some("draw")),
            ("White to move", None),
            ("White wins", None),
        ] {
            assert_eq!(study_in(text), wanted, "{text}");
        }
        assert_eq!(["+", "draw", "1-0"].map(short_study), [Some("win"), Some("draw"), None]);
    }
}
