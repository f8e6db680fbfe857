//! A blank too many within a FEN, or one too few behind its board.

use crate::board::game_format::{Format, Notation};
use cpz_text::diagnostic::{Code, Finding, Fix, Span};
use cpz_text::syntax::Token;

/// The one finding for a FEN with a blank within its ranks, `2k5 /8/8`, or without the one behind them, `3R2K1w - -`.
pub(super) fn torn_fen<'t>(
    tokens: impl Iterator<Item = Token<'t>> + Clone,
    format: &Format,
) -> Option<Finding> {
    if format.notation != Notation::Fen {
        return None;
    }
    parts_of_placement(tokens.clone(), format).or_else(|| glued_turn(tokens, format))
}

/// Words that are a placement once nothing parts them.
fn parts_of_placement<'t>(tokens: impl Iterator<Item = Token<'t>>, format: &Format) -> Option<Finding> {
    let mut joined = String::new();
    let mut spans: Vec<Span> = Vec::new();
    // No more words than ranks.
    let mut whole = "";
    for token in tokens.take(8) {
        let (text, span) = token.content();
        whole = token.tree().text();
        if !text.chars().all(|c| c == '/' || c.is_ascii_digit() || format.piece(c).is_some()) {
            return None;
        }
        joined += text;
        spans.push(span);
        if is_whole(&joined, format) {
            break;
        }
    }
    if spans.len() < 2 || !is_whole(&joined, format) {
        return None;
    }
    // Nothing may be lost that stands between them.
    let is_blank = |pair: &[Span]| {
        whole[pair[0].end as usize..pair[1].start as usize].trim_matches([' ', '\t', '\n', '\r']).is_empty()
    };
    if !spans.windows(2).all(is_blank) {
        return None;
    }
    let many = if spans.len() == 2 { "a blank stands" } else { "blanks stand" };
    let title = if spans.len() == 2 { "remove the blank" } else { "remove the blanks" };
    let message = format!("{many} within the board of this FEN");
    // The words are written again: an edit between them would make one token of two.
    let place = spans[0].cover(spans[spans.len() - 1]);
    Some(Finding::new(Code::BoardShape, place, message).fix(Fix::new(title, place, joined, true)))
}

/// The side to move without a blank before it.
fn glued_turn<'t>(mut tokens: impl Iterator<Item = Token<'t>>, format: &Format) -> Option<Finding> {
    let (text, span) = tokens.next()?.content();
    let placement = text.strip_suffix(['w', 'b']).filter(|placement| is_whole(placement, format))?;
    let is_castling = |text: &str| text == "-" || text.bytes().all(|b| b"KQkq".contains(&b));
    tokens.next().filter(|next| is_castling(next.content().0))?;
    let (placement, side) = text.split_at(placement.len());
    let message = "a blank is missing between the board of this FEN and the side to move";
    let fix = Fix::new("insert a blank", span, format!("{placement} {side}"), true);
    Some(Finding::new(Code::BoardShape, span, message).fix(fix))
}

/// Whether a text is a placement of eight ranks with eight squares each.
fn is_whole(text: &str, format: &Format) -> bool {
    let width = |rank: &str| {
        rank.chars().try_fold(0, |width, c| match c.to_digit(10) {
            Some(n) => Some(width + n),
            None => format.piece(c).map(|_| width + 1),
        })
    };
    text.split('/').count() == 8 && text.split('/').all(|rank| width(rank) == Some(8))
}
