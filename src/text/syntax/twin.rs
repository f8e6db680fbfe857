//! The changes of twins as composers and other programs write them, in the words of this language.

use crate::syntax::stipulation::{is_length, is_square_name, short_form, verb_words};

/// The names of pieces by their letters, S for the knight as problemists write it.
const PIECES: [(char, &str); 7] = [
    ('K', "king"),
    ('Q', "queen"),
    ('R', "rook"),
    ('B', "bishop"),
    ('S', "knight"),
    ('N', "knight"),
    ('P', "pawn"),
];

/// The words with which Popeye begins a change of a twin.
const POPEYE: [&str; 10] = [
    "Move",
    "Remove",
    "Add",
    "Exchange",
    "Shift",
    "Rotate",
    "Mirror",
    "PolishType",
    "Substitute",
    "Stipulation",
];

/// Whether Popeye begins a change of a twin with a word, which has a capital letter there.
pub fn begins_popeye_twin(word: &str) -> bool {
    POPEYE.contains(&word)
}

/// A twin in the words of this language: `b) wKa6->b6` is `twin b: a6 to b6`, and `c) = b) + bPg6` is `twin c: from b, add
/// black pawn g6`. `None` if it is none, or has a change that cannot be said.
pub fn twin_in_words(text: &str) -> Option<String> {
    let (letter, rest) = text.trim().trim_start_matches('+').split_once([')', ':'])?;
    let letter = letter.trim();
    if letter.is_empty()
        || letter.len() > 2
        || !letter.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
    {
        return None;
    }
    let mut changes = Vec::new();
    let mut rest = rest.trim();
    // `+c)` and `Cont` go on from the twin before.
    let is_continued = text.trim().starts_with('+');
    if let Some(behind) = behind_cont(rest).or(is_continued.then_some(rest)) {
        changes.push(format!("from {}", letter_before(letter)?));
        rest = behind.trim();
    }
    // `=2` asks for stalemate.
    let is_letter = |(from, _): &(&str, &str)| matches!(from.trim().as_bytes(), [b'a'..=b'z']);
    let continued = rest.strip_prefix('=').and_then(|continued| {
        let by = |sign| continued.split_once(sign).filter(is_letter);
        by(')').or_else(|| by('+'))
    });
    if let Some((from, more)) = continued {
        changes.push(format!("from {}", from.trim()));
        rest = more.trim();
    }
    for part in rest.split([',', ';', '&']) {
        changes.extend(changes_in_words(part)?);
    }
    (!changes.is_empty()).then(|| format!("twin {letter}: {}", changes.join(", ")))
}

/// The words with which a change of a twin begins, if no square or man does.
pub const TWIN_CHANGES: [&str; 9] =
    ["remove", "add", "exchange", "shift", "rotate", "mirror", "swap", "substitute", "turn"];

/// The men of the diagram that a twin as composers write it names: the `Qe1` of `b) Qe1->e2, +wPe3`, as where it begins, the
/// letter of its colour if there is one, the one of its piece, and its square. A man that is added is none of the diagram, nor
/// is one on a square of which an earlier change speaks, nor any where the twin goes on from another one.
pub fn men_named(text: &str) -> Vec<(usize, Option<char>, char, &str)> {
    let goes_on = |words: String| words.contains(": from ");
    if twin_in_words(text).is_some_and(goes_on) || behind_cont(text).is_some() {
        return Vec::new();
    }
    let (mut men, mut seen) = (Vec::new(), Vec::new());
    let mut is_added = false;
    let mut at = 0;
    for word in text.split_inclusive(|c: char| !c.is_ascii_alphanumeric()) {
        let (start, name) = (at, word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric()));
        at += word.len();
        is_added |= name.eq_ignore_ascii_case("add");
        let is_new = is_added || text[..start].trim_end().ends_with('+') || is_behind_arrow(&text[..start]);
        let ends = word.ends_with([',', ';', '&']);
        is_added &= !ends;
        let (before, square) = name.split_at_checked(name.len().saturating_sub(2)).unwrap_or_default();
        if !is_square_name(square) || seen.contains(&square) {
            continue;
        }
        seen.push(square);
        let mut letters = before.chars();
        let (colour, letter) = match (letters.next(), letters.next(), letters.next()) {
            (Some(letter), None, None) => (None, letter),
            (colour @ Some('w' | 'b' | 's' | 'n'), Some(letter), None) => (colour, letter),
            _ => continue,
        };
        if PIECES.iter().any(|(known, _)| *known == letter) && !is_new {
            men.push((start, colour, letter, square));
        }
    }
    men
}

/// Whether a text ends with a square and an arrow, behind which a man comes to stand; both men of an exchange stand there.
fn is_behind_arrow(text: &str) -> bool {
    let before = text.trim_end_matches([' ', '-', '–', '—', '>', '→', '=']);
    let arrow = &text[before.len()..];
    // A sign before a man takes it away: `-Pd4 -Pe4`.
    let is_arrow = !arrow.trim().is_empty()
        && (arrow.ends_with(' ') || !arrow.starts_with(' ') || arrow.contains(['>', '→']));
    is_arrow && before.get(before.len().saturating_sub(2)..).is_some_and(is_square_name)
}

/// What stands behind the word with which Popeye continues the twin before.
pub fn behind_cont(text: &str) -> Option<&str> {
    let (word, rest) = text.split_once(char::is_whitespace)?;
    ["cont", "continued"].contains(&word.to_ascii_lowercase().as_str()).then_some(rest)
}

/// The letter of the twin before a twin; nothing where that may be the diagram.
pub fn letter_before(letter: &str) -> Option<char> {
    match letter.as_bytes() {
        &[own @ b'c'..=b'z'] => Some(char::from(own - 1)),
        _ => None,
    }
}

/// One or several changes in the words of this language: `Move a6 b6`, `-wPd4 +bBc3`, `a8<->h8`, `PolishType`. `None` if one
/// of them cannot be said.
pub fn changes_in_words(text: &str) -> Option<Vec<String>> {
    // An arrow joins the squares beside it, and another sign belongs to the man behind it.
    let arrows = [" --> ", " -> ", " → ", " – ", " — ", " - ", " > ", " to "];
    let text = arrows.iter().fold(text.to_string(), |text, arrow| text.replace(arrow, "->"));
    let text = text.replace("+ ", "+").replace("- ", "-");
    let words: Vec<&str> = text.split_whitespace().collect();
    let (&first, rest) = words.split_first()?;
    // Popeye's changes have nothing between them: `Move a6 b6 Remove d4`.
    if let Some(next) = rest.iter().position(|word| POPEYE.iter().any(|head| head.eq_ignore_ascii_case(word)))
    {
        let [before, behind] =
            [&words[..=next], &words[next + 1..]].map(|part| changes_in_words(&part.join(" ")));
        return Some([before?, behind?].concat());
    }
    let lower = first.to_ascii_lowercase();
    let squares = |count: usize| {
        let words = rest.iter().flat_map(|word| word.split("<-->"));
        let names = words.filter(|word| !word.is_empty() && !word.chars().all(|c| "-=>→<".contains(c)));
        // No other word is lost.
        let found: Vec<String> = names.map(square).collect::<Option<_>>()?;
        (found.len() == count).then_some(found)
    };
    let one = match (lower.trim_end_matches(':'), rest) {
        ("move", [_, _]) => squares(2).map(|s| format!("{} to {}", s[0], s[1]))?,
        ("exchange", _) => squares(2).map(|s| format!("exchange {} {}", s[0], s[1]))?,
        ("shift", _) => squares(2).map(|s| format!("shift {} {}", s[0], s[1]))?,
        ("mirror", _) => squares(2).map(|s| format!("mirror {} {}", s[0], s[1]))?,
        ("remove", men) => {
            format!("remove {}", men.iter().map(|man| square(man)).collect::<Option<Vec<_>>>()?.join(" "))
        }
        ("rotate", [angle]) if ["90", "180", "270"].contains(&angle.trim_end_matches('°')) => {
            format!("rotate {}", angle.trim_end_matches('°'))
        }
        ("polishtype" | "polish", []) => "swap colours".to_string(),
        ("add", men @ [_, _, ..]) => {
            let (mut colour, mut added) = (String::new(), Vec::new());
            for word in men {
                match word.to_ascii_lowercase() {
                    lower if ["white", "black"].contains(&lower.as_str()) => colour = lower,
                    _ if colour.is_empty() => return None,
                    _ => added.push(format!("add {colour} {} {}", piece(word)?, square(word)?)),
                }
            }
            return (!added.is_empty()).then_some(added);
        }
        ("substitute", [from, _, to] | [from, to]) => {
            format!("substitute {} {}", letter(from.chars().next()?)?, letter(to.chars().next()?)?)
        }
        ("stipulation" | "stip", [asked]) if short_form(asked).is_some() => (*asked).to_string(),
        (_, []) if short_form(first).is_some() => first.to_string(),
        (word, ["in", length]) if verb_words(word) && is_length(length) => words.join(" "),
        _ => return words.iter().map(|word| sign_in_words(word)).collect(),
    };
    Some(vec![one])
}

/// A change as it is printed: `wKa6->b6`, `a8<->h8`, `-wPd4`, `+bBc3`.
fn sign_in_words(word: &str) -> Option<String> {
    for sign in ["<-->", "<->", "↔", "⇔", "<=>"] {
        if let Some((a, b)) = word.split_once(sign) {
            return Some(format!("exchange {} {}", square(a)?, square(b)?));
        }
    }
    for sign in ["-->", "->", "→", "=>", ">", "-", "–", "—"] {
        if let Some((from, to)) = word.split_once(sign).filter(|(from, _)| !from.is_empty()) {
            return moved(man(from)?, man(to)?);
        }
    }
    if let Some(man) = word.strip_prefix(['-', '–', '−']) {
        return Some(format!("remove {}", square(man)?));
    }
    let man = word.strip_prefix('+')?;
    let colour = match man.chars().next()? {
        'w' => "white",
        'b' | 's' => "black",
        _ => return None,
    };
    Some(format!("add {colour} {} {}", piece(&man[1..])?, square(man)?))
}

/// A man as it is printed: the letter of its colour, the name of its piece, and its square.
type Man<'t> = (Option<char>, Option<&'static str>, &'t str);

/// Reads `wSb3`, `Sb3`, `wb3` or `b3`.
fn man(text: &str) -> Option<Man<'_>> {
    let (before, square) = text.split_at_checked(text.len().checked_sub(2)?)?;
    let colour = before.chars().next().filter(|first| "wbsn".contains(*first));
    let piece = &before[colour.map_or(0, char::len_utf8)..];
    let piece = match piece.len() {
        0 => None,
        1 => Some(letter(piece.chars().next()?)?),
        _ => return None,
    };
    is_square_name(square).then_some((colour, piece, square))
}

/// A man that goes to another square, or to the same one, and may become another man there.
fn moved((colour, piece, from): Man<'_>, (new_colour, new_piece, to): Man<'_>) -> Option<String> {
    let is_white = |colour: char| colour == 'w';
    match (new_colour.map(is_white), new_piece) {
        (Some(is_new_white), new) if colour.map(is_white) != Some(is_new_white) => {
            let colour = if is_new_white { "white" } else { "black" };
            Some(format!("remove {from}, add {colour} {} {to}", new.or(piece)?))
        }
        (_, Some(new)) if piece != new_piece => Some(format!("{new} {to} for {from}")),
        _ => Some(format!("{from} to {to}")),
    }
}

/// The square at the end of a man: `b3` of `wSb3`.
fn square(text: &str) -> Option<String> {
    man(text).map(|(_, _, square)| square.to_string())
}

/// The piece of a man without a colour: `bishop` of `Bc3`, `pawn` of `c3`.
fn piece(text: &str) -> Option<&'static str> {
    match man(text)? {
        (None, piece, _) => Some(piece.unwrap_or("pawn")),
        _ => None,
    }
}

fn letter(letter: char) -> Option<&'static str> {
    PIECES.iter().find(|(other, _)| *other == letter).map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twins_of_composers_are_said_in_words() {
        for (written, words) in [
            ("b) Ka6->b6", "twin b: a6 to b6"),
            ("b) wKa6→b6", "twin b: a6 to b6"),
            ("b) Ka6>b6", "twin b: a6 to b6"),
            ("b) -wPd4", "twin b: remove d4"),
            ("b) +bBc3", "twin b: add black bishop c3"),
            ("b) a6<->h8", "twin b: exchange a6 h8"),
            ("b) h#3", "twin b: h#3"),
            ("b) =2", "twin b: =2"),
            ("b) wPd4→wSc3", "twin b: knight c3 for d4"),
            ("b) wPd4→wSd4", "twin b: knight d4 for d4"),
            ("b) Pd4->Nd5", "twin b: knight d5 for d4"),
            ("b) wSd4→Nd5", "twin b: d4 to d5"),
            ("b) sSd4→bSd5", "twin b: d4 to d5"),
            ("b) wPd4→bPd4", "twin b: remove d4, add black pawn d4"),
            ("b) wPd4→bd5", "twin b: remove d4, add black pawn d5"),
            ("b) a6 to b6", "twin b: a6 to b6"),
            ("c) = b) + bPg6", "twin c: from b, add black pawn g6"),
            ("d) -wPd4 +bSc3", "twin d: remove d4, add black knight c3"),
            ("b) Move a6 b6", "twin b: a6 to b6"),
            ("b) Remove d4", "twin b: remove d4"),
            ("b) Move a6 b6 Remove d4", "twin b: a6 to b6, remove d4"),
            (
                "b) Add White Sc3 Black Pb7 h2",
                "twin b: add white knight c3, add black pawn b7, add black pawn h2",
            ),
            ("b) Add black Bc3", "twin b: add black bishop c3"),
            ("b) Exchange a6 h8", "twin b: exchange a6 h8"),
            ("b) Shift a1 b1", "twin b: shift a1 b1"),
            ("b) Rotate 90", "twin b: rotate 90"),
            ("b) Mirror a1<-->h1", "twin b: mirror a1 h1"),
            ("b) PolishType", "twin b: swap colours"),
            ("b) Substitute B ==> S", "twin b: substitute bishop knight"),
            ("b) Stipulation h#3", "twin b: h#3"),
            ("+c) +bPf6", "twin c: from b, add black pawn f6"),
            ("c) Cont Remove e3", "twin c: from b, remove e3"),
        ] {
            assert_eq!(twin_in_words(written).as_deref(), Some(words), "{written}");
        }
        for other in [
            "b) ",
            "b) Circe",
            "1) 1.Qa1",
            "b) Ka6->z9",
            "Qa1)",
            "b) +Bc3",
            "b) wd4→bd4",
            "b) Gd4→d5",
            "b) Add black wBc3",
            "b) Add Bc3 black",
            "+b) +bPg6",
            "b) add queen d5",
            "b) 1.Kb3 Rc6 2.Bc4#",
            "b) Shift a1 a2 >  Qf1",
        ] {
            assert_eq!(twin_in_words(other), None, "{other}");
        }
    }
}
