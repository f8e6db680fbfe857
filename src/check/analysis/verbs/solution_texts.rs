//! The texts of which a written solution consists.

use crate::analysis::verbs::move_text::move_number;
use crate::analysis::verbs::written_words::WrittenWord;
use cpz_rules::board::Colour;
use cpz_text::diagnostic::Span;
use cpz_text::syntax::{Element, Node, Value, says_en_passant};

/// The texts of a written solution: each has keys, a line or a tree. Bare words from the number of a move on are one text up to
/// the next `1.` or comma, as cpz prints moves; so are all bare words of play whose solutions are sequences.
pub(super) fn solution_texts<'t>(answer: Value<'t>, has_sequences: bool) -> Vec<WrittenWord<'t>> {
    let elements = answer.elements();
    let words = texts_of(&elements);
    let (Value::Words(node, _) | Value::Lists(node)) = answer else { return words };
    let words = with_en_passant(words, node);
    let Value::Words(..) = answer else { return words };
    if !elements.iter().all(|element| matches!(element, Element::Word(_))) {
        return words;
    }
    let text = |span: Span| {
        let start = node.span().start;
        &node.text()[(span.start - start) as usize..(span.end - start) as usize]
    };
    let mut joined: Vec<WrittenWord<'t>> = Vec::new();
    for word in words {
        let begins = move_number(word.text).is_some_and(|n| n.number == 1 && n.colour == Colour::White);
        let last = joined.last_mut().filter(|last| {
            let gap = text(Span::new(last.span.end, word.span.start));
            !begins && (has_sequences || move_number(last.text).is_some()) && gap.trim_start().is_empty()
        });
        match last {
            Some(last) => {
                last.span = last.span.cover(word.span);
                last.text = text(last.span);
            }
            None => joined.push(word),
        }
    }
    joined
}

/// The words and strings of an answer, each as one text.
fn texts_of<'t>(elements: &[Element<'t>]) -> Vec<WrittenWord<'t>> {
    let mut texts = Vec::new();
    for &element in elements {
        match element {
            Element::Word(token) | Element::String(token) => {
                let (text, span) = token.content();
                texts.push(WrittenWord { text, span });
            }
            Element::List(list) => texts.extend(texts_of(&list.elements().collect::<Vec<_>>())),
        }
    }
    texts
}

/// The texts with an `e.p.` behind a move as a part of its text.
fn with_en_passant<'t>(words: Vec<WrittenWord<'t>>, node: Node<'t>) -> Vec<WrittenWord<'t>> {
    if !words.iter().any(|word| says_en_passant(word.text)) {
        return words;
    }
    let text = node.tree().text();
    let mut joined: Vec<WrittenWord<'t>> = Vec::new();
    for word in words {
        let between =
            |last: &&mut WrittenWord<'t>| text[last.span.end as usize..word.span.start as usize].trim();
        match joined.last_mut().filter(|last| says_en_passant(word.text) && between(last).is_empty()) {
            Some(last) => {
                last.span = last.span.cover(word.span);
                last.text = &text[last.span.range()];
            }
            None => joined.push(word),
        }
    }
    joined
}
