//! Misspelt words: the nearest of some candidates, and Cyrillic letters that look like Latin ones.

use std::borrow::Cow;

use crate::diagnostic::{Finding, Fix, Related, Span};

/// The Latin letter that looks like a Cyrillic one. Texts pasted from Russian pages often have such letters.
pub fn lookalike(c: char) -> Option<char> {
    if c.is_ascii() {
        return None;
    }
    const CYRILLIC: &str = "АВЕКМНОРСТХавекмнорстух";
    const LATIN: &str = "ABEKMHOPCTXabekmhopctyx";
    CYRILLIC.chars().position(|x| x == c).and_then(|i| LATIN.chars().nth(i))
}

/// A text with its Cyrillic letters replaced by the Latin ones that look the same; `None` if it is ASCII, or if other
/// characters remain.
pub fn in_latin(text: &str) -> Option<String> {
    let latin = || text.chars().map(|c| lookalike(c).unwrap_or(c)).collect::<String>();
    (!text.is_ascii()).then(latin).filter(|latin| latin.is_ascii())
}

/// The message and the fix for a word with Cyrillic letters, of which a reader sees no difference from the Latin ones. `quote`
/// stands around the word. The fix is safe where the letters can be nothing else: in Russian `а` and `е` are no pieces, and
/// neither is `с` before a digit.
pub fn written_in_latin(word: &str, span: Span, quote: &str) -> Option<(String, Fix)> {
    let latin = in_latin(word)?;
    let message = format!("`{word}` has{CYRILLIC}`{latin}` with Latin ones");
    let is_square = |i: usize| word.as_bytes().get(i + 2).is_some_and(u8::is_ascii_digit);
    let is_sure = |(i, c): (usize, char)| c.is_ascii() || "аех".contains(c) || c == 'с' && is_square(i);
    let safe = word.char_indices().all(is_sure);
    let fix =
        Fix::new(format!("replace with the Latin `{latin}`"), span, format!("{quote}{latin}{quote}"), safe);
    Some((message, fix))
}

const CYRILLIC: &str = " Cyrillic letters; write ";

/// Makes one finding of those that [`written_in_latin`] gave.
pub fn merge_latin(findings: Vec<Finding>) -> Vec<Finding> {
    let mut merged: Vec<Finding> = Vec::new();
    let mut first = None;
    for finding in findings {
        let is_latin = finding.message.contains(CYRILLIC);
        let Some(first) = first.filter(|_| is_latin).map(|first: usize| &mut merged[first]) else {
            first = first.or(is_latin.then_some(merged.len()));
            merged.push(finding);
            continue;
        };
        first.message = format!("these have{CYRILLIC}Latin ones");
        if first.related.len() < 8 {
            first.related.push(Related { file: None, span: finding.span, message: "here too".into() });
        }
        for (all, one) in first.fixes.iter_mut().zip(finding.fixes) {
            all.title = "replace with Latin letters".into();
            all.safe &= one.safe;
            all.edits.extend(one.edits);
        }
    }
    merged
}

/// Whether a character has no width and no meaning in a puzzle: zero-width spaces and joiners, soft hyphens, marks of
/// direction.
pub fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{2069}'
    )
}

/// A word without its invisible characters.
pub(super) fn plain(word: &str) -> Cow<'_, str> {
    match word.is_ascii() || !word.contains(is_invisible) {
        true => Cow::Borrowed(word),
        false => Cow::Owned(word.replace(is_invisible, "")),
    }
}

/// The index of the candidate nearest to `word`, within 1 edit (2 for words of more than 5 letters); the first of
/// several.
pub fn nearest<'a>(word: &str, mut candidates: impl Iterator<Item = &'a str>) -> Option<usize> {
    near(word, &mut candidates).into_iter().min().map(|(_, i)| i)
}

/// The candidates within reach of a typing error, as distance and index.
pub(super) fn near(word: &str, candidates: &mut dyn Iterator<Item = &str>) -> Vec<(usize, usize)> {
    let word = plain(word);
    if word.len() > 24 || word.len() < 2 {
        return Vec::new();
    }
    let latin: String = word.chars().map(|c| lookalike(c).unwrap_or(c)).collect();
    if !latin.is_ascii() {
        return Vec::new();
    }
    let lower = latin.to_ascii_lowercase();
    let allowed = if lower.len() <= 5 { 1 } else { 2 };
    let far = |c: &str| c.len().abs_diff(lower.len()) > allowed;
    let distances =
        candidates.enumerate().filter(|(_, c)| !far(c)).map(|(i, c)| (edit_distance(&lower, c), i));
    distances.filter(|&(d, _)| d <= allowed).collect()
}

/// The edit distance of two words: insertions, deletions, replacements and swaps of neighbours.
pub fn edit_distance(a: &str, b: &str) -> usize {
    strsim::osa_distance(a, b)
}
