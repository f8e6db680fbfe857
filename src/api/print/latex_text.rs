//! Any text as a text of LaTeX: nothing in it is a command, and pdfLaTeX knows each character.

use std::fmt::Write;

/// The characters beyond ASCII that LaTeX has in the encodings T1 and TS1 of Latin writing, as ranges.
const LATIN: [(char, char); 48] = [
    ('\u{A1}', '\u{AC}'),
    ('\u{AE}', '\u{125}'),
    ('\u{128}', '\u{137}'),
    ('\u{139}', '\u{13E}'),
    ('\u{141}', '\u{148}'),
    ('\u{14A}', '\u{165}'),
    ('\u{168}', '\u{17E}'),
    ('\u{192}', '\u{192}'),
    ('\u{1C4}', '\u{1D4}'),
    ('\u{1E2}', '\u{1E3}'),
    ('\u{1E6}', '\u{1EB}'),
    ('\u{1F0}', '\u{1F0}'),
    ('\u{1F4}', '\u{1F5}'),
    ('\u{218}', '\u{21B}'),
    ('\u{232}', '\u{233}'),
    ('\u{237}', '\u{237}'),
    ('\u{1E02}', '\u{1E03}'),
    ('\u{1E0D}', '\u{1E0D}'),
    ('\u{1E1E}', '\u{1E21}'),
    ('\u{1E25}', '\u{1E25}'),
    ('\u{1E30}', '\u{1E31}'),
    ('\u{1E37}', '\u{1E37}'),
    ('\u{1E43}', '\u{1E43}'),
    ('\u{1E45}', '\u{1E45}'),
    ('\u{1E47}', '\u{1E47}'),
    ('\u{1E5B}', '\u{1E5B}'),
    ('\u{1E63}', '\u{1E63}'),
    ('\u{1E6D}', '\u{1E6D}'),
    ('\u{1E8E}', '\u{1E91}'),
    ('\u{1E9E}', '\u{1E9E}'),
    ('\u{1EF2}', '\u{1EF3}'),
    ('\u{2010}', '\u{2016}'),
    ('\u{2018}', '\u{201A}'),
    ('\u{201C}', '\u{201E}'),
    ('\u{2020}', '\u{2022}'),
    ('\u{2026}', '\u{2026}'),
    ('\u{2030}', '\u{2031}'),
    ('\u{2039}', '\u{203B}'),
    ('\u{203D}', '\u{203D}'),
    ('\u{2044}', '\u{2044}'),
    ('\u{204E}', '\u{204E}'),
    ('\u{20A1}', '\u{20A1}'),
    ('\u{20AB}', '\u{20AC}'),
    ('\u{2103}', '\u{2103}'),
    ('\u{2116}', '\u{2117}'),
    ('\u{211E}', '\u{211E}'),
    ('\u{2122}', '\u{2122}'),
    ('\u{2190}', '\u{2193}'),
];

/// The Cyrillic letters of the encoding T2A.
const CYRILLIC: [(char, char); 13] = [
    ('\u{400}', '\u{45F}'),
    ('\u{490}', '\u{493}'),
    ('\u{496}', '\u{49D}'),
    ('\u{4A0}', '\u{4A5}'),
    ('\u{4AA}', '\u{4AB}'),
    ('\u{4AE}', '\u{4B3}'),
    ('\u{4B6}', '\u{4BB}'),
    ('\u{4C0}', '\u{4C2}'),
    ('\u{4D0}', '\u{4DF}'),
    ('\u{4E2}', '\u{4E9}'),
    ('\u{4EC}', '\u{4EF}'),
    ('\u{4F0}', '\u{4F5}'),
    ('\u{4F8}', '\u{4F9}'),
];

fn is_in(ranges: &[(char, char)], c: char) -> bool {
    ranges.iter().any(|&(first, last)| (first..=last).contains(&c))
}

/// Whether a text needs the encoding of Cyrillic letters.
pub(crate) fn has_cyrillic(text: &str) -> bool {
    text.chars().any(|c| is_in(&CYRILLIC, c))
}

/// A text for LaTeX. Runs of Cyrillic are arguments of `\cyrillic`; a character that LaTeX does not know is its number
/// in Unicode as an argument of `\unknown`.
pub(crate) fn tex(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut letters = text.chars().peekable();
    let mut is_cyrillic = false;
    while let Some(c) = letters.next() {
        let next = letters.peek().copied();
        // A space within a run belongs to it, so that the run may be broken into lines.
        let goes_on = is_in(&CYRILLIC, c) || c == ' ' && next.is_some_and(|next| is_in(&CYRILLIC, next));
        if is_cyrillic && !goes_on {
            out.push('}');
        } else if !is_cyrillic && is_in(&CYRILLIC, c) {
            out.push_str("\\cyrillic{");
        }
        is_cyrillic = goes_on && (is_cyrillic || c != ' ');
        if let Some(accent) = next.and_then(accent).filter(|_| c.is_ascii_alphabetic()) {
            let _ = write!(out, "\\{accent}{{{c}}}");
            letters.next();
        } else {
            push(&mut out, c, next);
        }
    }
    if is_cyrillic {
        out.push('}');
    }
    out
}

/// One character. `next` stands behind it.
fn push(out: &mut String, c: char, next: Option<char>) {
    match c {
        '\\' => out.push_str("\\textbackslash{}"),
        '^' => out.push_str("\\textasciicircum{}"),
        '~' => out.push_str("\\textasciitilde{}"),
        '"' => out.push_str("\\textquotedbl{}"),
        '`' => out.push_str("\\textasciigrave{}"),
        '{' | '}' | '$' | '&' | '#' | '_' | '%' => out.extend(['\\', c]),
        // A line may end behind it, so that a list of moves is not wider than its column.
        '/' if next.is_some_and(char::is_alphabetic) => out.push_str("\\slash{}"),
        // Two of them would be one other character.
        '-' | '<' | '>' | ',' | '\'' => {
            out.push(c);
            if next == Some(c) {
                out.push_str("{}");
            }
        }
        ' '..='~' => out.push(c),
        '\u{A0}' | '\u{202F}' => out.push('~'),
        c if c.is_control() || c.is_whitespace() => out.push(' '),
        // Soft hyphens, and what is not seen.
        '\u{AD}'
        | '\u{200B}'..='\u{200F}'
        | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{2069}'
        | '\u{FEFF}' => {}
        '\u{FE00}'..='\u{FE0F}' => {}
        '↔' => out.push_str("\\ensuremath{\\leftrightarrow}"),
        '⇒' => out.push_str("\\ensuremath{\\Rightarrow}"),
        '−' => out.push_str("\\ensuremath{-}"),
        '≈' => out.push_str("\\ensuremath{\\approx}"),
        '≠' => out.push_str("\\ensuremath{\\neq}"),
        '≤' => out.push_str("\\ensuremath{\\leq}"),
        '≥' => out.push_str("\\ensuremath{\\geq}"),
        '∞' => out.push_str("\\ensuremath{\\infty}"),
        '\u{2654}'..='\u{265F}' => {
            let index = c as usize - 0x2654;
            let colour = if index < 6 { 'w' } else { 's' };
            let letter = ["K", "D", "T", "L", "S", "B"][index % 6];
            let _ = write!(out, "\\{colour}{letter}{{}}");
        }
        c if is_in(&LATIN, c) || is_in(&CYRILLIC, c) => out.push(c),
        c => {
            let _ = write!(out, "\\unknown{{{:X}}}", c as u32);
        }
    }
}

/// The command of a combining accent.
fn accent(c: char) -> Option<char> {
    Some(match c {
        '\u{300}' => '`',
        '\u{301}' => '\'',
        '\u{302}' => '^',
        '\u{303}' => '~',
        '\u{304}' => '=',
        '\u{306}' => 'u',
        '\u{307}' => '.',
        '\u{308}' => '"',
        '\u{30A}' => 'r',
        '\u{30B}' => 'H',
        '\u{30C}' => 'v',
        '\u{327}' => 'c',
        '\u{328}' => 'k',
        _ => return None,
    })
}
