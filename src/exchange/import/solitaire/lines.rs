//! What the lines of a text board are: rows of cells, text, or neither.

use cpz_rules::board::{Kind, Language, RUSSIAN_KING, languages_of};
use cpz_rules::games::game;
use cpz_text::syntax::GameId;
use rustc_hash::FxHashSet;

/// The characters of frames, which are no cells.
const FRAME: [char; 13] = ['|', '│', '┃', '║', '┌', '┐', '└', '┘', '├', '┤', '[', ']', ','];
/// The characters between the cells of a frame.
const BARS: [char; 4] = ['|', '│', '┃', '║'];
/// The signs of empty cells that are letters or digits; any other sign may be one too.
const EMPTY_WORDS: [char; 1] = ['0'];

/// The longest line that is read as a row, in bytes: 64 cells, the most that a board has, with a frame and blanks around each.
/// Looking at each character of a longer one, in each language, would take minutes.
const MAX_ROW: usize = 2048;

/// The sign of an empty cell that is blank between the bars of a frame.
const BETWEEN_BARS: char = '|';

/// The letters by which a file names its pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Letters {
    /// `K Q R B N P`.
    English,
    /// Those of another language.
    Other(&'static Language),
}

/// The codes of the languages, and their English names.
const CODES: [(&str, &str); 9] = [
    ("en", "English"),
    ("de", "German"),
    ("fr", "French"),
    ("es", "Spanish"),
    ("it", "Italian"),
    ("nl", "Dutch"),
    ("pl", "Polish"),
    ("ru", "Russian"),
    ("popeye", "Popeye's"),
];

/// A cell of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cell {
    /// A piece, and whether its letter is a small one or its figurine a black one.
    Piece(Kind, bool),
    /// An empty cell by its sign; a space where blanks are empty cells.
    Empty(char),
}

/// What a line is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// Cells.
    Row(Vec<Cell>),
    /// Text, and how many cells it would have as a row with a slip; none where it does not look like one.
    Text(String, Option<Slip>),
    /// A frame, or the letters of the files: nothing to read.
    Nothing,
}

/// What would be wrong with a text if it were a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slip {
    /// The cells that the row would have.
    pub cells: usize,
    /// The first sign that is neither a piece nor an empty cell.
    pub sign: char,
}

impl Letters {
    /// The letters of a language by its code or its English name.
    pub fn of(name: &str) -> Option<Letters> {
        let same = |text: &str| text.eq_ignore_ascii_case(name.trim());
        let (_, language) = CODES.iter().find(|(code, language)| same(code) || same(language))?;
        match languages_of(std::iter::empty()).into_iter().find(|l| l.name == *language) {
            Some(language) => Some(Letters::Other(language)),
            None => Some(Letters::English),
        }
    }

    /// The letters of all languages, English first.
    pub fn all() -> impl Iterator<Item = Letters> {
        let others = languages_of(std::iter::empty()).into_iter().map(Letters::Other);
        [Letters::English].into_iter().chain(others)
    }

    /// The letters that read the pieces of a text in different ways: of those that read it alike the first. The king of two
    /// letters needs no look of its own: where its first one is written, Russian differs from all others.
    pub fn told_apart(all: impl Iterator<Item = Letters>, text: &str) -> Vec<Letters> {
        let signs: FxHashSet<char> =
            text.chars().filter(|c| !c.is_ascii() || c.is_ascii_alphabetic()).collect();
        let kinds = |letters: Letters| {
            signs.iter().map(|c| letters.kind(c.encode_utf8(&mut [0; 4]))).collect::<Vec<_>>()
        };
        let mut apart: Vec<(Vec<Option<Kind>>, Letters)> = Vec::new();
        for letters in all {
            let kinds = kinds(letters);
            if !apart.iter().any(|(others, _)| *others == kinds) {
                apart.push((kinds, letters));
            }
        }
        apart.into_iter().map(|(_, letters)| letters).collect()
    }

    /// The language in words.
    pub fn name(self) -> &'static str {
        match self {
            Letters::English => "English",
            Letters::Other(language) => language.name,
        }
    }

    /// The kind of a letter, or of a figurine of either colour.
    fn kind(self, letter: &str) -> Option<Kind> {
        let mut chars = letter.chars();
        if let (Some(c), None) = (chars.next(), chars.next())
            && let Some(piece) = game(GameId::Solitaire).format().figurine(c)
        {
            return Some(piece.kind);
        }
        match self {
            Letters::Other(language) => language.kind(letter),
            Letters::English => {
                let mut chars = letter.chars();
                let kind = chars.next().filter(char::is_ascii).and_then(Kind::from_letter)?;
                (kind != Kind::Man && chars.next().is_none()).then_some(kind)
            }
        }
    }
}

/// Reads a line. Spaces between cells say nothing unless `blanks` are empty cells.
pub(super) fn read_line(line: &str, letters: Letters, blanks: bool) -> Line {
    let text = line.trim_end_matches(['\r', '\n']);
    if text.trim().len() > MAX_ROW {
        return Line::Text(text.trim().to_string(), None);
    }
    if is_decoration(text) {
        return Line::Nothing;
    }
    if let Some(cells) = framed(text, letters) {
        return Line::Row(cells);
    }
    let inner = if blanks { text.to_string() } else { without_rank(text).to_string() };
    let mut cells = Vec::new();
    let mut rest = inner.as_str();
    while let Some(c) = rest.chars().next() {
        let len = if rest.starts_with(RUSSIAN_KING) { RUSSIAN_KING.len() } else { c.len_utf8() };
        let cell = match letters.kind(&rest[..len]) {
            Some(kind) => Some(Cell::Piece(kind, is_small(c))),
            None if c.is_whitespace() => blanks.then_some(Cell::Empty(' ')),
            None if FRAME.contains(&c) => None,
            None if is_empty_sign(c) => Some(Cell::Empty(c)),
            None => return Line::Text(text.trim().to_string(), slip(without_rank(text), letters)),
        };
        cells.extend(cell);
        rest = &rest[len..];
    }
    match cells.is_empty() {
        true => Line::Nothing,
        false => Line::Row(cells),
    }
}

/// A row whose cells stand between bars, each a sign or blank: `| N |   |`. `None` for other lines.
fn framed(text: &str, letters: Letters) -> Option<Vec<Cell>> {
    let cell = |part: &str| {
        let mut chars = part.chars();
        match (letters.kind(part), chars.next(), chars.next()) {
            (Some(kind), sign, _) => Some(Cell::Piece(kind, sign.is_some_and(is_small))),
            (None, None, _) => Some(Cell::Empty(BETWEEN_BARS)),
            (None, Some(sign), None) => is_empty_sign(sign).then_some(Cell::Empty(sign)),
            _ => None,
        }
    };
    let parts = between_bars(text);
    (parts.len() > 1).then(|| parts.into_iter().map(cell).collect()).flatten()
}

/// What stands between the bars of a line, with or without those at its ends.
fn between_bars(text: &str) -> Vec<&str> {
    let inner = without_rank(text).trim();
    let inner = inner.strip_prefix(BARS).unwrap_or(inner);
    inner.strip_suffix(BARS).unwrap_or(inner).split(BARS).map(str::trim).collect()
}

/// Whether a line has bars between its cells.
pub(super) fn has_bars(line: &str) -> bool {
    between_bars(line).len() > 1
}

/// What would be wrong with a text as a row. Most signs of a row are cells, or all of them are cells by other letters, and it
/// has no words: all its letters are of one case, and none of its parts is a number beside a word, as in `Nr. 5`.
fn slip(text: &str, letters: Letters) -> Option<Slip> {
    let signs: Vec<char> = text.chars().filter(|c| !c.is_whitespace() && !FRAME.contains(c)).collect();
    let is_cell_by =
        |letters: Letters, c: char| is_empty_sign(c) || letters.kind(c.encode_utf8(&mut [0; 4])).is_some();
    let is_cell = |c: char| is_cell_by(letters, c);
    let is_foreign = || {
        signs.iter().any(|&c| is_empty_sign(c))
            && Letters::all().any(|letters| signs.iter().all(|&c| is_cell_by(letters, c)))
    };
    let has_case = |is_case: fn(char) -> bool| signs.iter().any(|&c| is_case(c));
    let is_number = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    let parts = || text.split_whitespace();
    let has_number = parts().any(is_number) && parts().any(|part| part.chars().count() > 1);
    let is_row = signs.len() > 1
        && (2 * signs.iter().filter(|&&c| is_cell(c)).count() >= signs.len() || is_foreign())
        && !(has_case(char::is_uppercase) && has_case(char::is_lowercase))
        && !has_number;
    let sign = signs.iter().copied().find(|&c| !is_cell(c))?;
    is_row.then_some(Slip { cells: signs.len(), sign })
}

/// Whether a letter is a small one, or a figurine a black one.
fn is_small(c: char) -> bool {
    c.is_lowercase() || ('♚'..='♟').contains(&c)
}

fn is_empty_sign(c: char) -> bool {
    let is_of_draughts = ('⛀'..='⛃').contains(&c);
    EMPTY_WORDS.contains(&c)
        || !c.is_alphanumeric()
            && !is_of_draughts
            && !c.is_control()
            && !matches!(c, '#' | '(' | ')' | '"' | '\'')
}

/// A frame such as `+---+` or `|---|---|`, or the letters of the files, `a b c d`.
fn is_decoration(text: &str) -> bool {
    let signs: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    let is_frame = signs.len() > 2
        && signs.iter().any(|c| matches!(c, '+' | '┌' | '└' | '├' | '╔' | '╚'))
        && signs.iter().all(|c| matches!(c, '+' | '-' | '=' | '|') || ('\u{2500}'..='\u{257F}').contains(c));
    let is_dash = |c: char| matches!(c, '-' | '=' | '─' | '━' | '═');
    let parts = between_bars(text);
    let is_rule =
        parts.len() > 1 && parts.iter().all(|part| part.chars().count() > 1 && part.chars().all(is_dash));
    let is_files = signs.len() > 1 && signs.iter().zip('a'..).all(|(c, file)| c.to_ascii_lowercase() == file);
    is_frame || is_rule || is_files
}

/// A row without the number of its rank, which a space or a frame parts from the cells.
fn without_rank(text: &str) -> &str {
    let body = text.trim_start();
    let is_rank = |digit: &str, behind: &str| {
        digit.len() == 1 && digit != "0" && digit.bytes().all(|b| b.is_ascii_digit()) && !behind.is_empty()
    };
    let is_border = |c: char| c == ' ' || BARS.contains(&c);
    let start = body.split(is_border).next().unwrap_or_default();
    let body = match is_rank(start, body[start.len()..].trim()) {
        true => &body[start.len()..],
        false => body,
    };
    let body = body.trim_end();
    let end = body.rsplit(is_border).next().unwrap_or_default();
    match is_rank(end, body[..body.len() - end.len()].trim()) {
        true => &body[..body.len() - end.len()],
        false => body,
    }
}

impl Cell {
    /// Its piece.
    pub fn kind(self) -> Option<Kind> {
        match self {
            Cell::Piece(kind, _) => Some(kind),
            Cell::Empty(_) => None,
        }
    }

    /// Whether its piece is a small letter or a black figurine.
    pub fn is_small(self) -> bool {
        matches!(self, Cell::Piece(_, true))
    }

    /// The sign of an empty cell.
    pub fn sign(self) -> Option<char> {
        match self {
            Cell::Piece(..) => None,
            Cell::Empty(sign) => Some(sign),
        }
    }
}
