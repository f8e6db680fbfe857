//! What a game asks for, as people write it in tags.

use cpz_rules::games::ProblemKind;

/// A stipulation: its kind and its length, as in `2.5`.
pub(super) type Asked = (ProblemKind, String);

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

/// A stipulation that is the whole text: `#2`, `h#2.5`.
pub(super) fn short_stipulation(text: &str) -> Option<Asked> {
    let (kind, length) = text.trim().split_once('#')?;
    let kind = match kind {
        "" => ProblemKind::Mate,
        "s" | "S" => ProblemKind::Selfmate,
        "h" | "H" => ProblemKind::Helpmate,
        _ => return None,
    };
    let (whole, half) = length.split_once('.').unwrap_or((length, ""));
    let fits = matches!(half, "" | "5") && (half.is_empty() || kind == ProblemKind::Helpmate);
    let number: u8 = whole.parse().ok().filter(|n| (1..=30).contains(n))?;
    fits.then(|| (kind, if half.is_empty() { number.to_string() } else { format!("{number}.5") }))
}

/// A stipulation somewhere in a text: `White to move and mate in two`.
pub(super) fn stipulation_in(text: &str) -> Option<Asked> {
    if let Some(found) = short_stipulation(text) {
        return Some(found);
    }
    let text = text.to_lowercase();
    let (at, phrase) = PHRASES.iter().filter_map(|p| Some((text.find(p)?, p))).min()?;
    let before = &text[..at];
    let kind = match () {
        () if before.ends_with("self") || before.ends_with("selbst") || before.ends_with("self-") => {
            ProblemKind::Selfmate
        }
        () if before.ends_with("help") || before.ends_with("hilfs") || before.ends_with("help-") => {
            ProblemKind::Helpmate
        }
        () if before.ends_with(char::is_alphabetic) => return None,
        () => ProblemKind::Mate,
    };
    let is_number_end = |c: char| !(c.is_alphanumeric() || c == '.');
    let rest = text[at + phrase.len()..].trim_start();
    let word = rest.split(is_number_end).next().unwrap_or_default().trim_end_matches('.');
    let in_words = NUMBERS.iter().position(|words| words.contains(&word)).map(|i| (i + 1).to_string());
    let length = in_words.unwrap_or_else(|| word.to_string());
    let prefix = match kind {
        ProblemKind::Mate => "",
        ProblemKind::Selfmate => "s",
        ProblemKind::Helpmate => "h",
    };
    short_stipulation(&format!("{prefix}#{length}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stipulations_are_read_as_people_write_them() {
        let short = |text: &str| {
            stipulation_in(text).map(|(kind, length)| format!("{}#{length}", ["", "s", "h"][kind as usize]))
        };
        let cases = [
            ("Mate in two", Some("#2")),
            ("White to play and mate in 3.", Some("#3")),
            ("Matt in drei Zügen", Some("#3")),
            ("Мат в 2 хода", Some("#2")),
            ("Selfmate in 4", Some("s#4")),
            ("helpmate in 2.5", Some("h#2.5")),
            ("h#3", Some("h#3")),
            ("#1 Chess: 5334 Problems", None),
            ("Stalemate in 2", None),
            ("mate in 99", None),
            ("White to move", None),
        ];
        for (text, wanted) in cases {
            assert_eq!(short(text).as_deref(), wanted, "{text}");
        }
    }
}
