//! The edits that undo what a hand does, those that are most often meant first.

use std::borrow::Cow;

use cpz_text::syntax::{Item, Keyword, TokenKind, Tree, nearest_keyword};

use super::unit::Unit;

/// An edit that may undo a slip: `new` takes the place of `from..to`.
pub(super) struct Candidate {
    pub from: usize,
    pub to: usize,
    pub new: Cow<'static, str>,
    /// What it does, where its signs do not say it.
    pub does: Option<&'static str>,
}

/// Words that begin a line about the position, which no comment may take out.
const OF_POSITION: [&str; 8] = ["turn", "castling", "en-passant", "en", "ep", "size", "origin", "rules"];
/// Makes a line a comment.
pub(super) const COMMENT: &str = "// ";

/// The keys of a keyboard, by rows.
const KEYBOARD: [&str; 4] = ["1234567890-=", "qwertyuiop[]", "asdfghjkl;'", "zxcvbnm,./"];

/// The signs of empty squares.
const EMPTY: [char; 4] = ['.', '-', '_', '#'];

/// Words that open an item, and are left out now and then.
const OPENERS: [&str; 7] = ["move ", "solve ", "capture ", "mate ", "count ", "board ", "line "];

/// Words of the language as others write them: German, French, Spanish, Italian, Russian.
const TRANSLATIONS: [(&str, &str); 26] = [
    ("board", "brett tablero échiquier plateau scacchiera stellung position diagram доска"),
    ("mate", "matt mat scacco мат"),
    ("move", "zug coup jugada mossa movimiento ход"),
    ("solve", "löse lösung résoudre resolver solution risolvi"),
    ("count", "zähle compter contar conta anzahl"),
    ("white", "weiss weiß blanc blancs blancas bianco белые"),
    ("black", "schwarz noir noirs negras nero черные чёрные"),
    ("chess", "schach échecs ajedrez scacchi шахматы"),
    ("draughts", "dame dames damas dama checkers шашки"),
    ("solitaire", "solitär solitario солитер"),
    ("capture", "schlage schlagen prise captura cattura"),
    ("author", "autor auteur autore verfasser автор"),
    ("source", "quelle fuente fonte источник"),
    ("size", "größe grösse taille tamaño размер"),
    ("none", "keine kein aucun aucune ninguna nessuna"),
    ("true", "wahr ja vrai oui sí vero yes"),
    ("false", "falsch nein faux non falso no"),
    ("turn", "anzug trait turno tratto side"),
    ("rules", "regeln règles reglas regole"),
    ("helpmate", "hilfsmatt aidé ayudado"),
    ("selfmate", "selbstmatt inverse inverso"),
    ("line", "linie ligne línea linea variante"),
    ("note", "notiz bemerkung nota remarque anmerkung"),
    ("legal", "erlaubt légal permitido ja"),
    ("illegal", "verboten illégal prohibido nein"),
    ("in", "en dans"),
];

/// The edits near a finding, by kind and then by distance. `is_broken` says whether the parser has found a mistake: only then
/// marks can be missing.
pub(super) fn candidates(unit: &Unit, tree: &Tree, is_broken: bool) -> Vec<Candidate> {
    let text = unit.text.as_str();
    let in_comment = |at: usize| {
        let comments = tree.tokens().filter(|t| t.kind() == TokenKind::Comment);
        comments.into_iter().any(|t| (t.span().start as usize) < at && at < t.span().end as usize)
    };
    let places: Vec<(usize, char)> = text[unit.focus.clone()]
        .char_indices()
        .map(|(i, c)| (unit.focus.start + i, c))
        .filter(|&(i, _)| unit.has(i) && !in_comment(i))
        .collect();
    // The number of the kind, and the distance to the finding.
    let mut all: Vec<(u8, usize, Candidate)> = Vec::new();
    let mut add = |kind: u8, from: usize, to: usize, new: Cow<'static, str>| {
        all.push((kind, from.abs_diff(unit.at), Candidate { from, to, new, does: None }));
    };
    words(unit, &mut add);
    lines(unit, &mut add);
    swallowed(unit, &mut add);
    let quoted = quotes(unit);
    for (n, &(at, c)) in places.iter().enumerate() {
        let end = at + c.len_utf8();
        let before = text[..at].chars().next_back();
        let next = places.get(n + 1).filter(|&&(i, _)| i == end).map(|&(_, next)| next);
        if is_broken {
            marks(text, at, c, &mut add);
        }
        if let Some(next) = next.filter(|&next| next != c && !c.is_whitespace() && !next.is_whitespace()) {
            add(1, at, end + next.len_utf8(), format!("{next}{c}").into());
        }
        let is_doubled = before == Some(c) || next == Some(c);
        if !c.is_alphabetic() && !c.is_whitespace() || is_doubled && before != Some(c) && !c.is_whitespace() {
            add(1, at, end, "".into());
        }
        spaces(text, at, c, before, &mut add);
        keys(at, c, before, text[end..].chars().next(), &mut add);
    }
    all.extend(quoted.map(|candidate| (0, 0, candidate)));
    all.sort_by_key(|(kind, distance, _)| (*kind, *distance));
    all.into_iter().map(|(_, _, candidate)| candidate).collect()
}

/// An empty cell at the end or at the beginning of the row that a finding is about, in the signs of its board: a row that
/// is one cell too short is full afterwards.
pub(super) fn empty_cells(unit: &Unit) -> Vec<Candidate> {
    let row = &unit.text[unit.at..unit.end];
    if row.is_empty() || row.contains(|c: char| "[](){}\"',/".contains(c) || c.is_ascii_digit() || c == '\n')
    {
        return Vec::new();
    }
    let board = &unit.text[unit.focus.clone()];
    let around = if row.contains(EMPTY) { row } else { board };
    let count = |sign: &char| (around.matches(*sign).count(), *sign == '.');
    let sign = EMPTY.into_iter().max_by_key(count).unwrap_or('.');
    let blank = if row.contains(' ') { " " } else { "" };
    let cell = |at, new: String, does| Candidate { from: at, to: at, new: new.into(), does: Some(does) };
    vec![
        cell(unit.end, format!("{blank}{sign}"), "add an empty cell at the end of the row"),
        cell(unit.at, format!("{sign}{blank}"), "add an empty cell at the beginning of the row"),
    ]
}

/// A bracket, a quote or a comma that is missing, too many or another.
fn marks(text: &str, at: usize, c: char, add: &mut impl FnMut(u8, usize, usize, Cow<'static, str>)) {
    const BRACKETS: [&str; 6] = ["[", "]", "{", "}", "(", ")"];
    const MISSING: [&str; 8] = ["[", "]", "\"", "'", "{", "}", ",", " => "];
    match c {
        '"' => add(0, at, at + 1, "'".into()),
        '\'' => add(0, at, at + 1, "\"".into()),
        _ => {}
    }
    if BRACKETS.iter().any(|b| b.starts_with(c)) {
        for new in BRACKETS.into_iter().filter(|b| !b.starts_with(c)) {
            add(0, at, at + 1, new.into());
        }
    }
    let opens_nothing = c.is_whitespace() || ",]})".contains(c);
    let is_quoted = text[at..].trim_start().starts_with(['"', '\'']) || text[..at].ends_with(['"', '\'']);
    for new in MISSING {
        let is_doubled = is_quoted && matches!(new, "\"" | "'");
        if !(is_doubled || opens_nothing && matches!(new, "[" | "{")) {
            add(0, at, at, new.into());
        }
    }
}

/// A blank or a line end that is missing or too many.
fn spaces(
    text: &str,
    at: usize,
    c: char,
    before: Option<char>,
    add: &mut impl FnMut(u8, usize, usize, Cow<'static, str>),
) {
    let after_blank = before.is_none_or(char::is_whitespace);
    if !c.is_whitespace() {
        if !after_blank {
            add(2, at, at, " ".into());
        }
        return;
    }
    if after_blank {
        return;
    }
    let gap = &text[at..];
    let end = at + gap.find(|c: char| !c.is_whitespace()).unwrap_or(gap.len());
    if text[at..end].contains('\n') {
        // Nothing at all would glue the last word of an item to the first of the next one.
        add(2, at, end, " ".into());
    } else {
        add(2, at, end, "\n    ".into());
        add(2, at, end, "".into());
    }
}

/// The neighbours of a key, another digit, a letter in the other case, a sign of a board that is missing.
fn keys(
    at: usize,
    c: char,
    before: Option<char>,
    next: Option<char>,
    add: &mut impl FnMut(u8, usize, usize, Cow<'static, str>),
) {
    let end = at + c.len_utf8();
    let small = c.to_ascii_lowercase();
    // A sign that stands for a cell is no piece.
    let is_cell = |c: Option<char>| c.is_none_or(|c| c.is_whitespace() || c == '.');
    let is_sign = !c.is_alphanumeric() && is_cell(before) && is_cell(next);
    if is_sign && matches!(c, ',' | ';' | '/') {
        add(0, at, end, ".".into());
    }
    for (row, keys) in KEYBOARD.iter().enumerate().filter(|_| !is_sign) {
        let Some(i) = keys.find(small) else { continue };
        let beside = [i.checked_sub(1), Some(i + 1)].map(|i| i.and_then(|i| keys.chars().nth(i)));
        let above = row.checked_sub(1).map(|r| [keys_at(r, i), keys_at(r, i + 1)]);
        let below = [keys_at(row + 1, i), i.checked_sub(1).and_then(|i| keys_at(row + 1, i))];
        let near = beside.into_iter().map(|k| (3, k));
        let far = above.into_iter().flatten().chain(below).map(|k| (4, k));
        for (kind, key) in near.chain(far) {
            let Some(key) = key.filter(|key| key.is_ascii_alphanumeric()) else { continue };
            let key = if c.is_ascii_uppercase() { key.to_ascii_uppercase() } else { key };
            add(kind, at, end, key.to_string().into());
        }
    }
    if c.is_ascii_digit() {
        for digit in ('0'..='9').filter(|&d| d != c) {
            add(4, at, end, digit.to_string().into());
        }
    } else if c.is_ascii_uppercase() {
        add(3, at, end, c.to_ascii_lowercase().to_string().into());
    } else if c.is_ascii_lowercase() {
        add(3, at, end, c.to_ascii_uppercase().to_string().into());
    }
    if c.is_ascii_alphabetic() {
        for piece in "KQRBNPkqrbnpwbWB".chars().filter(|&p| p != c) {
            add(5, at, end, piece.to_string().into());
        }
    }
    // Between blanks it would be a word.
    if !(c.is_whitespace() && before.is_none_or(char::is_whitespace)) {
        for sign in "/.-#0123456789".chars() {
            add(5, at, at, sign.to_string().into());
        }
    }
    // Signs of other keyboards, and of pasted boards.
    if let '\u{FF01}'..='\u{FF5E}' = c {
        let ascii = char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c);
        add(0, at, end, ascii.to_string().into());
    }
    if let '♔'..='♟' = c {
        let letter = char::from(b"KQRBNP"[(u32::from(c) - u32::from('♔')) as usize % 6]);
        let letter = if c < '♚' { letter } else { letter.to_ascii_lowercase() };
        add(0, at, end, letter.to_string().into());
    }
}

fn keys_at(row: usize, i: usize) -> Option<char> {
    KEYBOARD.get(row)?.chars().nth(i)
}

/// A word that is there twice, in another language, in other signs, or missing before another.
fn words(unit: &Unit, add: &mut impl FnMut(u8, usize, usize, Cow<'static, str>)) {
    let text = unit.text.as_str();
    let is_edge = |c: char| c.is_whitespace() || "[](){}\"',".contains(c);
    let mut last: Option<(usize, &str)> = None;
    let mut at = unit.focus.start;
    for piece in text[unit.focus.clone()].split_inclusive(is_edge) {
        let word = piece.trim_end_matches(is_edge);
        let start = at;
        at += piece.len();
        if word.is_empty() {
            continue;
        }
        if let Some((before, other)) = last
            && other == word
            && text[before + word.len()..start].chars().all(char::is_whitespace)
        {
            add(0, before, start, "".into());
        }
        let small = word.to_lowercase();
        for (english, others) in TRANSLATIONS {
            if others.split(' ').any(|other| other == small) {
                add(0, start, start + word.len(), english.into());
            }
        }
        if word.chars().all(|c| "=-<>~:＝＞".contains(c)) {
            add(0, start, start + word.len(), "=>".into());
        }
        if word.starts_with(|c: char| c.is_alphanumeric() || "=.".contains(c)) {
            for opener in OPENERS {
                add(6, start, start, opener.into());
            }
        }
        last = Some((start, word));
    }
    let line = text[..unit.at].rfind('\n').map_or(0, |i| i + 1);
    let first = line + text[line..].find(|c: char| !c.is_whitespace()).unwrap_or(0);
    if first <= unit.at {
        for opener in OPENERS.into_iter().filter(|_| text[first..].starts_with(['[', '"', '\''])) {
            add(6, first, first, opener.into());
        }
        // A puzzle that has lost the word for its game is no remark, nor is a query or a property with a slip.
        let own = text[first..].lines().next().unwrap_or("");
        let is_puzzle = own.starts_with(['{', '"', '\'']) && own.contains('{');
        let mut words = own.split_whitespace();
        let is_keyword = |word: &str| word.contains(['#', '=']) || nearest_keyword(word, |_| true).is_some();
        let word = words.next().unwrap_or_default();
        // The keyword may be torn, `tu rn black`, or joined to what follows it, `twinb: a1 to a3`.
        let torn = format!("{word}{}", words.clone().next().unwrap_or_default());
        let is_torn = nearest_keyword(&torn, |_| true).is_some() || word.starts_with("twin");
        let is_item = is_keyword(word) && words.count() < 3;
        let is_of_position = is_torn || OF_POSITION.contains(&word);
        // A text in quotes may be a solution.
        if !is_puzzle && !is_item && !is_of_position && !own.contains("=>") && !own.starts_with(['"', '\'']) {
            add(7, first, first, COMMENT.into());
        }
    }
}

/// The words behind the arrow of a line, or behind the first word of a property, in quotes; of a list each part.
fn quotes(unit: &Unit) -> Option<Candidate> {
    let text = unit.text.as_str();
    let from = text[..unit.at].rfind('\n').map_or(0, |i| i + 1);
    let line = text[from..].lines().next()?;
    let begin = match line.find("=>") {
        Some(arrow) => arrow + 2,
        None => {
            let indent = line.len() - line.trim_start().len();
            let word = line[indent..].split_whitespace().next()?;
            let is_property = matches!(Keyword::from_word(word), Some(Keyword::Item(Item::Property(_))));
            is_property.then_some(indent + word.len())?
        }
    };
    let start = from + begin + (line[begin..].len() - line[begin..].trim_start().len());
    let rest = &text[start..];
    let (words, new, does) = match rest.strip_prefix('[') {
        Some(list) => {
            let list = &list[..list.find(']')?];
            let quoted = |part: &str| match part.trim() {
                part if part.starts_with(['"', '\'']) => part.to_string(),
                part => format!("\"{part}\""),
            };
            let parts: Vec<String> = list.split(',').map(quoted).collect();
            let is_plain = !list.contains(['[', '{', '}', '/']);
            (
                &rest[..is_plain.then_some(list.len() + 2)?],
                format!("[{}]", parts.join(", ")),
                "put each part in quotes",
            )
        }
        None => {
            let words = only_words(rest.lines().next()?);
            let is_plain = !words.contains(['"', '\'', '[', ']', '{', '}']) && words.contains([' ', '(']);
            (is_plain.then_some(words)?, format!("\"{words}\""), "put what is written here in quotes")
        }
    };
    let (to, does) = (start + words.len(), Some(does));
    unit.has(start).then(|| Candidate { from: start, to, new: new.into(), does })
}

/// The beginning of a line up to a comment, a remark, the next item or the end of the puzzle.
fn only_words(line: &str) -> &str {
    let mut end = 0;
    for word in line.split_inclusive(char::is_whitespace) {
        let is_item = end > 0 && matches!(Keyword::from_word(word.trim()), Some(Keyword::Item(_)));
        let is_remark = word.strip_prefix('(').is_some_and(|rest| rest.starts_with(char::is_alphabetic));
        if is_item || is_remark || word.starts_with(['}', '/']) {
            break;
        }
        end += word.len();
    }
    line[..end].trim_end()
}

/// A line that the comment above it has taken into it, as when their line end is lost.
fn swallowed(unit: &Unit, add: &mut impl FnMut(u8, usize, usize, Cow<'static, str>)) {
    let text = unit.text.as_str();
    let from = text[..unit.focus.start].rfind('\n').map_or(0, |i| i + 1);
    let mut at = from;
    for line in text[from..unit.focus.end].split_inclusive('\n') {
        let comment = line.find("//").unwrap_or(line.len());
        let words = line[comment..].char_indices().filter(|(_, c)| c.is_alphabetic());
        for (i, _) in words {
            let rest = &line[comment + i..];
            let word = rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
            if unit.has(at + comment) && Keyword::from_word(word).is_some() {
                add(0, at + comment + i, at + comment + i, "\n".into());
            }
        }
        at += line.len();
    }
}

/// A line that is there twice.
fn lines(unit: &Unit, add: &mut impl FnMut(u8, usize, usize, Cow<'static, str>)) {
    let text = unit.text.as_str();
    let mut at = 0;
    let mut last: Option<(usize, &str)> = None;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        if let Some((before, other)) = last
            && other.trim() == line.trim()
            && !line.trim().is_empty()
            && unit.has(before)
        {
            add(0, before, start, "".into());
        }
        last = Some((start, line));
    }
}

impl Candidate {
    /// Whether it takes away one of two equal words or lines that follow each other.
    pub fn removes_copy(&self, text: &str) -> bool {
        let old = &text[self.from..self.to];
        let is_word = old.len() > 1 && !old.trim().is_empty();
        self.new.is_empty() && is_word && text[self.to..].starts_with(old.trim_end())
    }

    /// What the edit does, in words.
    pub fn title(&self, text: &str) -> String {
        if let Some(does) = self.does {
            return does.into();
        }
        if self.new == COMMENT {
            return "make this line a comment".into();
        }
        let old = &text[self.from..self.to];
        let behind = text[self.to..].split_whitespace().next().unwrap_or_default();
        let behind: String = behind.chars().take(12).collect();
        let (shown_old, shown_new) = (old.trim(), self.new.trim());
        match (shown_old, shown_new) {
            ("", "") if self.new.contains('\n') => format!("begin a new line before `{behind}`"),
            ("", "") if old.contains('\n') => format!("join the line of `{behind}` with the one above"),
            ("", "") if old.is_empty() => format!("insert a blank before `{behind}`"),
            ("", "") => format!("remove the blank before `{behind}`"),
            ("", new) if behind.is_empty() => format!("insert `{new}` at the end"),
            ("", new) => format!("insert `{new}` before `{behind}`"),
            (old, "") if old.chars().count() > 40 => "remove one of the two equal lines".into(),
            (old, "") if behind.is_empty() => format!("remove `{old}` at the end"),
            (old, "") => format!("remove `{old}` before `{behind}`"),
            (old, new) => match self.whole_word(text) {
                Some((word, whole)) => format!("replace `{word}` with `{whole}`"),
                None => format!("replace `{old}` with `{new}` before `{behind}`"),
            },
        }
    }

    /// The word around the edit, before and after it, if it is short.
    fn whole_word(&self, text: &str) -> Option<(String, String)> {
        let is_edge = |c: char| c.is_whitespace() || "[](){}\"',".contains(c);
        let from = text[..self.from]
            .rfind(is_edge)
            .map_or(0, |i| i + text[i..].chars().next().map_or(1, char::len_utf8));
        let to = text[self.to..].find(is_edge).map_or(text.len(), |i| self.to + i);
        let word = &text[from..to];
        let is_short = word.chars().count() < 25 && !text[self.from..self.to].contains(is_edge);
        is_short
            .then(|| (word.into(), format!("{}{}{}", &text[from..self.from], self.new, &text[self.to..to])))
    }
}
