//! Written answers as words: several words, a string of them, or a list of words and strings.

use cpz_text::diagnostic::{Code, Edit, Finding, Fix, Span};
use cpz_text::syntax::{Element, NodeKind, Value, merge_latin, written_in_latin};

/// A word of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WrittenWord<'t> {
    /// The text without quotes and commas.
    pub text: &'t str,
    /// Its place.
    pub span: Span,
}

/// The number of a move: `1.`, or `1...` before a move of Black.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MoveNumber {
    /// The number.
    pub number: u32,
    /// Whether it has more than one dot.
    pub is_black: bool,
    /// Its place.
    pub span: Span,
}

/// A written move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NumberedWord<'t> {
    /// The number before it, if one is written.
    pub number: Option<MoveNumber>,
    /// The move.
    pub word: WrittenWord<'t>,
}

/// The words of an answer, between white space, commas and semicolons; nothing if a list is among its elements.
pub(crate) fn written_words<'t>(value: Value<'t>) -> Option<Vec<WrittenWord<'t>>> {
    if has_inner_lists(value) {
        return None;
    }
    let mut words = Vec::new();
    for element in value.elements() {
        let (Element::Word(token) | Element::String(token)) = element else { return None };
        let (text, span) = token.content();
        words.extend(words_of(text, span.start));
    }
    Some(words)
}

/// The words of a text that begins at an offset.
pub(crate) fn words_of(text: &str, offset: u32) -> impl Iterator<Item = WrittenWord<'_>> {
    let separates = |c: char| c.is_whitespace() || matches!(c, ',' | ';');
    text.split(separates).filter(|word| !word.is_empty()).map(move |word| {
        let start = offset + (word.as_ptr() as usize - text.as_ptr() as usize) as u32;
        WrittenWord { text: word, span: Span::new(start, start + word.len() as u32) }
    })
}

/// The finding for the long dashes in moves, as word processors write them: `c3–d4`.
pub(crate) fn long_dashes(words: &[WrittenWord<'_>]) -> Option<Finding> {
    let mut edits = Vec::new();
    for word in words.iter().filter(|word| !word.text.is_ascii()) {
        let places = word.text.char_indices().filter(|(i, c)| {
            let is_between = |part: &str| part.contains(|c: char| c.is_alphanumeric());
            matches!(c, '–' | '—' | '−') && is_between(&word.text[..*i]) && is_between(&word.text[*i..])
        });
        edits.extend(places.map(|(i, c)| {
            let start = word.span.start + i as u32;
            Edit { span: Span::new(start, start + c.len_utf8() as u32), text: "-".into() }
        }));
    }
    let finding =
        Finding::new(Code::InvalidValue, edits.first()?.span, "moves have hyphens, not dashes: write `-`");
    Some(finding.fix(Fix { title: "write hyphens".into(), edits, safe: false }))
}

/// The finding for the moves of an answer in Cyrillic letters that look like Latin ones.
pub(crate) fn in_cyrillic(words: &[WrittenWord<'_>]) -> Option<Finding> {
    let findings =
        words.iter().filter(|word| word.text.contains(|c: char| c.is_ascii_digit())).filter_map(|word| {
            let (message, fix) = written_in_latin(word.text, word.span, "")?;
            Some(Finding::new(Code::InvalidValue, word.span, message).fix(fix))
        });
    merge_latin(findings.collect()).pop()
}

/// Words with the parentheses in them as words of their own: those of variations.
pub(crate) fn with_parentheses_apart<'t>(words: &[WrittenWord<'t>]) -> Vec<WrittenWord<'t>> {
    let mut apart = Vec::with_capacity(words.len());
    for word in words {
        for part in word.text.split_inclusive(['(', ')']) {
            let (body, sign) = part.split_at(part.trim_end_matches(['(', ')']).len());
            let start = word.span.start + (part.as_ptr() as usize - word.text.as_ptr() as usize) as u32;
            let place = |text: &str, start: u32| Span::new(start, start + text.len() as u32);
            if !body.is_empty() {
                apart.push(WrittenWord { text: body, span: place(body, start) });
            }
            if !sign.is_empty() {
                apart.push(WrittenWord { text: sign, span: place(sign, start + body.len() as u32) });
            }
        }
    }
    apart
}

/// Whether lists are among the elements of an answer.
fn has_inner_lists(value: Value<'_>) -> bool {
    let Value::Lists(node) = value else { return false };
    let mut lists = node.children().filter(|c| c.kind() == NodeKind::List);
    match (lists.next(), lists.next()) {
        (Some(only), None) => only.children().next().is_some(),
        _ => true,
    }
}

/// An answer as one text in lower case, with one space between two words; nothing if a list is among its elements.
pub(crate) fn phrase(value: Value<'_>) -> Option<String> {
    if let Some((text, _)) =
        value.scalar().filter(|(text, _)| text.bytes().all(|b| b.is_ascii_alphanumeric()))
    {
        return Some(text.to_ascii_lowercase());
    }
    let words: Vec<&str> = written_words(value)?.into_iter().map(|word| word.text).collect();
    Some(words.join(" ").to_lowercase())
}

/// Words as moves: the numbers of moves, `1.` and `1...`, are taken from between them, also where they are joined to the
/// move behind them. The result of a game at the end is left out.
pub(crate) fn numbered<'t>(words: &[WrittenWord<'t>]) -> Vec<NumberedWord<'t>> {
    let is_result =
        |text: &str| matches!(text, "1-0" | "0-1" | "1/2-1/2" | "½-½" | "1-1" | "2-0" | "0-2" | "*");
    let words = match words.split_last() {
        Some((last, before)) if is_result(last.text) => before,
        _ => words,
    };
    let mut moves = Vec::new();
    let mut number = None;
    for word in words {
        let digits = word.text.bytes().take_while(u8::is_ascii_digit).count();
        let dots = word.text[digits..].bytes().take_while(|&b| b == b'.').count();
        let has_ellipsis = word.text[digits + dots..].starts_with('…');
        let dots_end = digits + dots + if has_ellipsis { '…'.len_utf8() } else { 0 };
        let mut rest = *word;
        if dots > 0 || digits > 0 && has_ellipsis {
            let end = word.span.start + dots_end as u32;
            if digits > 0 {
                let place = Span::new(word.span.start, end);
                let value = word.text[..digits].parse().unwrap_or(u32::MAX);
                number = Some(MoveNumber { number: value, is_black: dots > 1 || has_ellipsis, span: place });
            }
            rest = WrittenWord { text: &word.text[dots_end..], span: Span::new(end, word.span.end) };
        }
        if !rest.text.is_empty() {
            moves.push(NumberedWord { number: number.take(), word: rest });
        }
    }
    moves
}

/// The finding for a move number that is not the one that is due.
pub(crate) fn wrong_number(written: MoveNumber, due: u32, is_black: bool) -> Finding {
    if is_black && !written.is_black && due.checked_add(1) == Some(written.number) {
        let message = format!("a move of black is missing before {}.", written.number);
        return Finding::new(Code::WrongSolution, written.span, message);
    }
    let due = format!("{due}{}", if is_black { "..." } else { "." });
    let message = format!("the move here has the number {due}");
    Finding::new(Code::WrongSolution, written.span, message).fix(Fix::new(
        format!("replace with `{due}`"),
        written.span,
        due,
        false,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cpz_text::syntax::parse;

    fn moves(answer: &str) -> Vec<String> {
        let tree = parse(format!("chess {{ line => {answer} }}"));
        let query = tree.puzzles().next().and_then(|p| p.queries().next()).expect("a query");
        let words = written_words(query.answer().expect("an answer")).expect("words");
        let texts = numbered(&words);
        texts.iter().map(|m| format!("{}{}", m.number.map_or(0, |n| n.number), m.word.text)).collect()
    }

    #[test]
    fn words_strings_and_lists_are_the_same_moves() {
        let expected = ["1e4", "0e5", "2Nf3"];
        for answer in [
            "1. e4 e5 2. Nf3",
            "1.e4 e5 2.Nf3 *",
            "\"1. e4, e5; 2. Nf3 1-0\"",
            "[1. e4 e5, 2. Nf3]",
            "['1.e4 e5' '2.Nf3']",
            "1 . e4 1...e5 2. Nf3",
        ] {
            let found = moves(answer);
            if answer.starts_with("1 .") {
                assert_eq!(found, ["01", "0e4", "1e5", "2Nf3"]);
            } else {
                assert_eq!(found, expected, "{answer}");
            }
        }
        assert_eq!(moves("12... Kd4 13 ... c5"), ["12Kd4", "013", "0c5"]);
        assert_eq!(moves("3… Kd4"), ["3Kd4"]);
    }
}
