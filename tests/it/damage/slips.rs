//! Realistic slips of a person who types, pastes or merges: each changes a text in one place, or in the one way of a
//! word processor.

/// A small generator of pseudo-random numbers (xorshift), so that a case is named by its seed.
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Rng {
        let mut rng = Rng(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        (0..8).for_each(|_| {
            rng.next();
        });
        rng
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16
    }

    /// A number below `n`, which is not 0.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        (!from.is_empty()).then(|| &from[self.below(from.len())])
    }
}

pub type Slip = fn(&str, &mut Rng) -> Option<String>;

/// The slips by name.
pub const SLIPS: &[(&str, Slip)] = &[
    ("lost row", lost_row),
    ("doubled comma", |t, r| at_char(t, r, |c| c == ',', ",,")),
    ("swapped letters", swapped_letters),
    ("wrong letter", wrong_letter),
    ("lost letter", lost_letter),
    ("doubled letter", doubled_letter),
    ("pasted line", pasted_line),
    ("pasted sentence", pasted_sentence),
    ("wrong bracket", wrong_bracket),
    ("lost bracket", |t, r| at_char(t, r, |c| "[]".contains(c), "")),
    ("doubled bracket", doubled_bracket),
    ("smart quotes everywhere", smart_quotes),
    ("smart quotes of one string", smart_string),
    ("smart quote", |t, r| at_char(t, r, |c| c == '"', "“")),
    ("lost quote", |t, r| at_char(t, r, |c| "\"'".contains(c), "")),
    ("tab", |t, r| at_char(t, r, |c| c == ' ', "\t")),
    ("tab in a word", |t, r| inside_word(t, r, "\t")),
    ("look-alike letter", lookalike),
    ("lost brace", |t, r| at_char(t, r, |c| "{}".contains(c), "")),
    ("merge markers", merge_markers),
    ("lost slash", lost_slash),
    ("lost `board`", |t, r| at_word(t, r, |w| w == "board", "")),
    ("lost verb", |t, r| at_word(t, r, |w| ["solve", "move", "mate", "capture", "count"].contains(&w), "")),
    ("lost arrow", |t, r| at_word(t, r, |w| w == "=>", "")),
    ("arrow in other signs", other_arrow),
    ("spaced move", spaced_move),
    ("zero-width space", |t, r| beside_word(t, r, "\u{200B}")),
    ("zero-width space in a word", |t, r| inside_word(t, r, "\u{200B}")),
    ("no-break space", |t, r| at_char(t, r, |c| c == ' ', "\u{A0}")),
    ("full-width sign", full_width),
    ("figurine", figurine),
    ("long dots and dashes", long_signs),
    ("space in a word", |t, r| inside_word(t, r, " ")),
    ("joined words", |t, r| at_char(t, r, |c| c == ' ', "")),
    ("joined lines", |t, r| at_char(t, r, |c| c == '\n', "")),
    ("broken line", |t, r| at_char(t, r, |c| c == ' ', "\n")),
    ("capital letter", capital_letter),
    ("colon behind a word", |t, r| behind_word(t, r, ":")),
    ("semicolon behind a word", |t, r| behind_word(t, r, ";")),
    ("unknown property", unknown_property),
    ("neighbouring key", neighbouring_key),
    ("wrong digit", wrong_digit),
    ("swapped signs", swapped_signs),
    ("doubled line", doubled_line),
    ("doubled word", doubled_word),
    ("word in capitals", word_in_capitals),
    ("word of another language", other_language),
];

/// Slips that take away what nothing else in the text says. No finding can tell of it, so only what comes back is counted.
pub const LOSSES: &[(&str, Slip)] =
    &[("lost word", |t, r| at_word(t, r, |_| true, "")), ("pasted half", pasted_half)];

/// The text with `from..to` replaced.
fn spliced(text: &str, from: usize, to: usize, new: &str) -> String {
    format!("{}{new}{}", &text[..from], &text[to..])
}

fn at_char(text: &str, rng: &mut Rng, fits: fn(char) -> bool, new: &str) -> Option<String> {
    let places: Vec<(usize, char)> = text.char_indices().filter(|&(_, c)| fits(c)).collect();
    let &(at, c) = rng.pick(&places)?;
    Some(spliced(text, at, at + c.len_utf8(), new))
}

/// The runs of characters that are no white space, outside of comments.
fn words(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let code = &line[..line.find("//").unwrap_or(line.len())];
        let mut rest = 0;
        for word in code.split(|c: char| c.is_whitespace() || "[]{}(),\"'".contains(c)) {
            if !word.is_empty() {
                found.push((at + rest, word));
            }
            rest += word.len();
            rest += code[rest..].chars().next().map_or(0, char::len_utf8);
        }
        at += line.len();
    }
    found
}

fn at_word(text: &str, rng: &mut Rng, fits: impl Fn(&str) -> bool, new: &str) -> Option<String> {
    let places: Vec<_> = words(text).into_iter().filter(|(_, w)| fits(w)).collect();
    let &(at, word) = rng.pick(&places)?;
    Some(spliced(text, at, at + word.len(), new))
}

fn inside_word(text: &str, rng: &mut Rng, new: &str) -> Option<String> {
    let places: Vec<_> = words(text).into_iter().filter(|(_, w)| w.len() > 1 && w.is_ascii()).collect();
    let &(at, word) = rng.pick(&places)?;
    let at = at + 1 + rng.below(word.len() - 1);
    Some(spliced(text, at, at, new))
}

fn beside_word(text: &str, rng: &mut Rng, new: &str) -> Option<String> {
    let places = words(text);
    let &(at, word) = rng.pick(&places)?;
    let at = if rng.below(2) == 0 { at } else { at + word.len() };
    Some(spliced(text, at, at, new))
}

fn behind_word(text: &str, rng: &mut Rng, new: &str) -> Option<String> {
    let letters = |w: &str| w.bytes().all(|b| b.is_ascii_lowercase());
    let places: Vec<_> = words(text).into_iter().filter(|(_, w)| letters(w)).collect();
    let &(at, word) = rng.pick(&places)?;
    Some(spliced(text, at + word.len(), at + word.len(), new))
}

/// The place of a letter within a word of letters, and the word.
fn letter(text: &str, rng: &mut Rng, at_least: usize) -> Option<usize> {
    let letters = |w: &str| w.len() >= at_least && w.bytes().all(|b| b.is_ascii_alphabetic());
    let places: Vec<_> = words(text).into_iter().filter(|(_, w)| letters(w)).collect();
    let &(at, word) = rng.pick(&places)?;
    Some(at + rng.below(word.len()))
}

fn swapped_letters(text: &str, rng: &mut Rng) -> Option<String> {
    let at = letter(text, rng, 3)?;
    let pair = text.get(at..at + 2).filter(|p| p.bytes().all(|b| b.is_ascii_alphabetic()))?;
    let swapped: String = pair.chars().rev().collect();
    Some(spliced(text, at, at + 2, &swapped))
}

fn wrong_letter(text: &str, rng: &mut Rng) -> Option<String> {
    let at = letter(text, rng, 1)?;
    let new = char::from(b'a' + rng.below(26) as u8).to_string();
    Some(spliced(text, at, at + 1, &new))
}

fn lost_letter(text: &str, rng: &mut Rng) -> Option<String> {
    let at = letter(text, rng, 3)?;
    Some(spliced(text, at, at + 1, ""))
}

fn doubled_letter(text: &str, rng: &mut Rng) -> Option<String> {
    let at = letter(text, rng, 2)?;
    Some(spliced(text, at, at, &text[at..at + 1]))
}

fn capital_letter(text: &str, rng: &mut Rng) -> Option<String> {
    let at = letter(text, rng, 3)?;
    Some(spliced(text, at, at + 1, &text[at..at + 1].to_uppercase()))
}

/// The byte ranges of the lines, with their ends.
fn lines(text: &str) -> Vec<(usize, &str)> {
    let mut at = 0;
    let line = |line: &'_ str| {
        at += line.len();
        at - line.len()
    };
    let starts: Vec<usize> = text.split_inclusive('\n').map(line).collect();
    starts.into_iter().zip(text.split_inclusive('\n')).collect()
}

fn lost_row(text: &str, rng: &mut Rng) -> Option<String> {
    let keyword =
        |l: &str| l.trim_start().starts_with(|c: char| c.is_ascii_lowercase() && c != 'r' && c != 'n');
    let places: Vec<_> =
        lines(text).into_iter().filter(|(_, l)| !l.contains(['{', '}']) && !keyword(l)).collect();
    let &(at, line) = rng.pick(&places)?;
    (!line.contains("//")).then(|| spliced(text, at, at + line.len(), ""))
}

fn pasted_line(text: &str, rng: &mut Rng) -> Option<String> {
    let lines = lines(text);
    let (&(_, line), &(at, _)) = (rng.pick(&lines)?, rng.pick(&lines)?);
    Some(spliced(text, at, at, &format!("{}\n", line.trim_end_matches('\n'))))
}

fn pasted_sentence(text: &str, rng: &mut Rng) -> Option<String> {
    const SENTENCES: [&str; 6] = [
        "White to move and win.",
        "not easy, one moves a rook; once more",
        "1. Rb8 Kg7 2. Rb7+ Kf6 *",
        "Diagram 12: from a note of 1999 (counts as solved)",
        "[Event \"?\"]",
        "- - - 8< - - -",
    ];
    let lines = lines(text);
    let &(at, _) = rng.pick(&lines)?;
    Some(spliced(text, at, at, &format!("  {}\n", rng.pick(&SENTENCES)?)))
}

fn wrong_bracket(text: &str, rng: &mut Rng) -> Option<String> {
    let places: Vec<(usize, char)> = text.char_indices().filter(|(_, c)| "[]{}()".contains(*c)).collect();
    let &(at, c) = rng.pick(&places)?;
    let &new = rng.pick(&["[", "]", "{", "}", "(", ")"])?;
    (!new.contains(c)).then(|| spliced(text, at, at + 1, new))
}

fn doubled_bracket(text: &str, rng: &mut Rng) -> Option<String> {
    let places: Vec<(usize, char)> = text.char_indices().filter(|(_, c)| "[]".contains(*c)).collect();
    let &(at, _) = rng.pick(&places)?;
    Some(spliced(text, at, at, &text[at..at + 1]))
}

/// Straight quotes, as a word processor replaces them.
fn smart(text: &str) -> String {
    let mut before = ' ';
    let smart = |c| {
        // One that follows a letter, a digit or another sign closes.
        let open = before.is_whitespace() || "[{(,".contains(before);
        before = c;
        match c {
            '"' if open => '“',
            '"' => '”',
            '\'' if open => '‘',
            '\'' => '’',
            c => c,
        }
    };
    text.chars().map(smart).collect()
}

fn smart_quotes(text: &str, _: &mut Rng) -> Option<String> {
    text.contains(['"', '\'']).then(|| smart(text))
}

fn smart_string(text: &str, rng: &mut Rng) -> Option<String> {
    let quotes: Vec<usize> = text.match_indices('"').map(|(i, _)| i).collect();
    let pairs: Vec<&[usize]> = quotes.chunks_exact(2).collect();
    let &pair = rng.pick(&pairs)?;
    Some(spliced(text, pair[0], pair[1] + 1, &smart(&text[pair[0]..=pair[1]])))
}

fn lookalike(text: &str, rng: &mut Rng) -> Option<String> {
    const LATIN: &str = "ABEKMHOPCTXaeopcyxk";
    const CYRILLIC: &str = "АВЕКМНОРСТХаеорсухк";
    let places: Vec<_> = words(text).into_iter().filter(|(_, w)| w.contains(|c| LATIN.contains(c))).collect();
    let &(at, word) = rng.pick(&places)?;
    let letters: Vec<(usize, char)> = word.char_indices().filter(|(_, c)| LATIN.contains(*c)).collect();
    let &(i, c) = rng.pick(&letters)?;
    let new = CYRILLIC.chars().nth(LATIN.chars().position(|l| l == c)?)?;
    Some(spliced(text, at + i, at + i + 1, &new.to_string()))
}

fn merge_markers(text: &str, rng: &mut Rng) -> Option<String> {
    let lines = lines(text);
    let first = rng.below(lines.len());
    let end = (first + 1 + rng.below(3)).min(lines.len());
    let ours: String = lines[first..end].iter().map(|(_, l)| format!("{}\n", l.trim_end())).collect();
    let theirs = match rng.below(3) {
        0 => ours.clone(),
        1 => String::new(),
        _ => wrong_letter(&ours, rng)?,
    };
    let conflict = format!("<<<<<<< HEAD\n{ours}=======\n{theirs}>>>>>>> branch\n");
    let last = lines[end - 1];
    Some(spliced(text, lines[first].0, last.0 + last.1.len(), &conflict))
}

fn lost_slash(text: &str, rng: &mut Rng) -> Option<String> {
    let places: Vec<usize> = text.match_indices("// ").map(|(i, _)| i).collect();
    let &at = rng.pick(&places)?;
    Some(spliced(text, at, at + 1, ""))
}

fn other_arrow(text: &str, rng: &mut Rng) -> Option<String> {
    let &new = rng.pick(&["= >", "->", "→", "⟹", ">=", "=", "==>", "=> =>", "> ", "=-", ":", "-"])?;
    at_word(text, rng, |w| w == "=>", new)
}

fn spaced_move(text: &str, rng: &mut Rng) -> Option<String> {
    let is_move = |w: &str| {
        let b = w.as_bytes();
        b.len() == 4
            && [b[0], b[2]].iter().all(|c| (b'a'..=b'h').contains(c))
            && [b[1], b[3]].iter().all(|c| (b'1'..=b'8').contains(c))
    };
    let places: Vec<_> = words(text).into_iter().filter(|(_, w)| is_move(w)).collect();
    let &(at, word) = rng.pick(&places)?;
    let between = rng.pick(&[" - ", " -> ", " → ", "->", " – ", " "])?;
    Some(spliced(text, at, at + 4, &format!("{}{between}{}", &word[..2], &word[2..])))
}

fn full_width(text: &str, rng: &mut Rng) -> Option<String> {
    let places: Vec<(usize, char)> = text.char_indices().filter(|(_, c)| "[]{}(),=>".contains(*c)).collect();
    let &(at, c) = rng.pick(&places)?;
    let new = char::from_u32(u32::from(c) + 0xFEE0)?;
    Some(spliced(text, at, at + 1, &new.to_string()))
}

fn figurine(text: &str, rng: &mut Rng) -> Option<String> {
    // Figurines come of pasted boards and moves: rows of cells, and names of pieces before a square.
    let row = |w: &str| w.len() > 2 && w.bytes().all(|b| b".KQRBNPkqrbnp".contains(&b)) && w.contains('.');
    let is_move =
        |w: &str| matches!(w.as_bytes(), [b'K' | b'Q' | b'R' | b'B' | b'N', b'a'..=b'h', b'1'..=b'8', ..]);
    let pieces = |w: &str| row(w) || is_move(w);
    let places: Vec<_> = words(text).into_iter().filter(|(_, w)| pieces(w)).collect();
    let &(at, word) = rng.pick(&places)?;
    let i = if is_move(word) { at } else { at + rng.below(word.len()) };
    let new = "♔♕♖♗♘♙♚♛♜♝♞♟".chars().nth("KQRBNPkqrbnp".find(&text[i..i + 1])?)?;
    Some(spliced(text, i, i + 1, &new.to_string()))
}

fn long_signs(text: &str, rng: &mut Rng) -> Option<String> {
    let (old, new) = rng.pick(&[("...", "…"), ("-", "–"), ("--", "—"), ("=>", "⇒")])?;
    let places: Vec<usize> = text.match_indices(old).map(|(i, _)| i).collect();
    let &at = rng.pick(&places)?;
    Some(spliced(text, at, at + old.len(), new))
}

fn unknown_property(text: &str, rng: &mut Rng) -> Option<String> {
    const LINES: [&str; 8] = [
        "side black",
        "date 1999",
        "site London",
        "mode solo",
        "rate 5",
        "theme \"fork\"",
        "level 3",
        "white Tal",
    ];
    let at = text.find('{')? + 1;
    Some(spliced(text, at, at, &format!(" {}\n", rng.pick(&LINES)?)))
}

/// A letter or digit becomes one beside it on the keyboard.
fn neighbouring_key(text: &str, rng: &mut Rng) -> Option<String> {
    const ROWS: [&str; 4] = ["1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm"];
    let (at, old) = alphanumeric(text, rng)?;
    let small = old.to_ascii_lowercase();
    let (row, i) = ROWS.iter().find_map(|row| Some((row, row.find(small)?)))?;
    let beside = [i.checked_sub(1), Some(i + 1)];
    let beside: Vec<u8> =
        beside.into_iter().flatten().filter_map(|i| row.as_bytes().get(i).copied()).collect();
    let new = char::from(*rng.pick(&beside)?);
    let new = if old.is_ascii_uppercase() { new.to_ascii_uppercase() } else { new };
    Some(spliced(text, at, at + 1, &new.to_string()))
}

/// The place of a letter or digit within a word, and itself.
fn alphanumeric(text: &str, rng: &mut Rng) -> Option<(usize, char)> {
    let places: Vec<_> = words(text).into_iter().filter(|(_, w)| w.is_ascii()).collect();
    let &(at, word) = rng.pick(&places)?;
    let places: Vec<_> = word.char_indices().filter(|(_, c)| c.is_ascii_alphanumeric()).collect();
    let &(i, c) = rng.pick(&places)?;
    Some((at + i, c))
}

fn wrong_digit(text: &str, rng: &mut Rng) -> Option<String> {
    let new = rng.below(10).to_string();
    at_char(text, rng, |c| c.is_ascii_digit(), &new)
}

/// Two signs that follow each other change places, whatever they are.
fn swapped_signs(text: &str, rng: &mut Rng) -> Option<String> {
    let places: Vec<_> = words(text).into_iter().filter(|(_, w)| w.len() > 1 && w.is_ascii()).collect();
    let &(at, word) = rng.pick(&places)?;
    let at = at + rng.below(word.len() - 1);
    let swapped: String = text[at..at + 2].chars().rev().collect();
    Some(spliced(text, at, at + 2, &swapped))
}

fn doubled_line(text: &str, rng: &mut Rng) -> Option<String> {
    let lines: Vec<_> = lines(text).into_iter().filter(|(_, l)| !l.trim().is_empty()).collect();
    let &(at, line) = rng.pick(&lines)?;
    Some(spliced(text, at, at, &format!("{}\n", line.trim_end_matches('\n'))))
}

fn doubled_word(text: &str, rng: &mut Rng) -> Option<String> {
    let words = words(text);
    let &(at, word) = rng.pick(&words)?;
    Some(spliced(text, at, at, &format!("{word} ")))
}

fn word_in_capitals(text: &str, rng: &mut Rng) -> Option<String> {
    let places: Vec<_> =
        words(text).into_iter().filter(|(_, w)| w.contains(|c: char| c.is_ascii_lowercase())).collect();
    let &(at, word) = rng.pick(&places)?;
    Some(spliced(text, at, at + word.len(), &word.to_uppercase()))
}

/// A word of the language as a German, a French or a Spanish writer would put it.
fn other_language(text: &str, rng: &mut Rng) -> Option<String> {
    const WORDS: [(&str, &[&str]); 22] = [
        ("board", &["Brett", "brett", "tablero", "échiquier"]),
        ("mate", &["matt", "mat"]),
        ("move", &["Zug", "zug", "coup", "jugada"]),
        ("solve", &["löse", "résoudre", "resolver"]),
        ("count", &["zähle", "compter", "contar"]),
        ("white", &["weiss", "weiß", "blanc", "blancas"]),
        ("black", &["schwarz", "noir", "negras"]),
        ("chess", &["schach", "Schach", "échecs", "ajedrez"]),
        ("draughts", &["dame", "Dame", "dames", "damas", "checkers"]),
        ("solitaire", &["solitär", "solitario"]),
        ("capture", &["schlage", "prise", "captura"]),
        ("author", &["Autor", "autor", "auteur"]),
        ("source", &["Quelle", "quelle", "fuente"]),
        ("size", &["Größe", "größe", "taille"]),
        ("none", &["keine", "aucun", "ninguna"]),
        ("true", &["wahr", "ja", "vrai"]),
        ("false", &["falsch", "nein", "faux"]),
        ("turn", &["Anzug", "trait", "turno"]),
        ("rules", &["Regeln", "regeln", "règles"]),
        ("helpmate", &["Hilfsmatt", "hilfsmatt", "aidé"]),
        ("selfmate", &["Selbstmatt", "selbstmatt", "inverse"]),
        ("date", &["Datum", "datum", "fecha"]),
    ];
    let known = |w: &str| WORDS.iter().find(|(word, _)| *word == w);
    let places: Vec<_> = words(text).into_iter().filter(|(_, w)| known(w).is_some()).collect();
    let &(at, word) = rng.pick(&places)?;
    let &new = rng.pick(known(word)?.1)?;
    Some(spliced(text, at, at + word.len(), new))
}

/// A text of which the end, or the beginning, was not copied.
fn pasted_half(text: &str, rng: &mut Rng) -> Option<String> {
    let places: Vec<usize> = text.char_indices().map(|(i, _)| i).skip(1).collect();
    let &at = rng.pick(&places)?;
    Some(if rng.below(2) == 0 { format!("{}\n", &text[..at]) } else { text[at..].to_string() })
}
