//! A blank too many within a FEN, or one too few behind its board, and what else stands behind it.

use crate::board::fen_pdn::fields;
use crate::board::game_format::{Format, Notation};
use cpz_text::diagnostic::{Code, Finding, Fix, Span};
use cpz_text::syntax::Token;

/// The one finding for a FEN with a blank within its ranks, `2k5 /8/8`, or without the one behind them, `3R2K1w - -`.
pub(super) fn torn_fen<'t>(
    tokens: impl Iterator<Item = Token<'t>> + Clone,
    format: &Format,
) -> Option<Finding> {
    match format.notation {
        Notation::Fen => parts_of_placement(tokens.clone(), format)
            .or_else(|| ranks_apart(tokens.clone(), format))
            .or_else(|| glued_turn(tokens, format)),
        Notation::None if !format.coloured => torn_rows(&tokens.collect::<Vec<_>>(), format),
        _ => None,
    }
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
        // `k6 b - -` is a rank that is too short and the side to move, not a rank with a bishop.
        let is_turn = !spans.is_empty() && matches!(text, "w" | "b");
        if is_turn || !text.chars().all(|c| c == '/' || c.is_ascii_digit() || format.piece(c).is_some()) {
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
    if !are_next_to_each_other(&spans, whole) {
        return None;
    }
    let many = if spans.len() == 2 { "a blank stands" } else { "blanks stand" };
    let title = if spans.len() == 2 { "remove the blank" } else { "remove the blanks" };
    let message = format!("{many} within the board of this FEN");
    // The words are written again: an edit between them would make one token of two.
    let place = spans[0].cover(spans[spans.len() - 1]);
    Some(Finding::new(Code::BoardShape, place, message).fix(Fix::new(title, place, joined, true)))
}

/// Eight words that are the ranks of a placement, with blanks in the place of the slashes: `kbK5 pp6 1P6 8 8 8 8 R7`.
fn ranks_apart<'t>(tokens: impl Iterator<Item = Token<'t>>, format: &Format) -> Option<Finding> {
    let mut ranks: Vec<(&str, Span)> = Vec::new();
    let mut whole = "";
    for token in tokens.take(8) {
        whole = token.tree().text();
        let rank = token.content();
        if width(rank.0, format) != Some(8) {
            return None;
        }
        ranks.push(rank);
    }
    let spans: Vec<Span> = ranks.iter().map(|rank| rank.1).collect();
    let joined = ranks.iter().map(|rank| rank.0).collect::<Vec<_>>().join("/");
    // Eight letters, or digits, in each may be the cells of a row.
    let has_numbers = ranks.iter().any(|rank| rank.0.chars().count() < 8);
    if !has_numbers || !is_whole(&joined, format) || !are_next_to_each_other(&spans, whole) {
        return None;
    }
    let place = spans[0].cover(spans[7]);
    let message = "slashes part the ranks of a FEN, not blanks";
    let fix = Fix::new("write slashes (if these are its ranks)", place, joined, false);
    Some(Finding::new(Code::BoardShape, place, message).fix(fix))
}

/// Whether nothing but blanks stands between places, so that nothing is lost if they are put together.
fn are_next_to_each_other(spans: &[Span], whole: &str) -> bool {
    spans.windows(2).all(|pair| {
        whole[pair[0].end as usize..pair[1].start as usize].trim_matches([' ', '\t', '\n', '\r']).is_empty()
    })
}

/// The rows of a placement of any size with blanks between them, `3N/4 1R2/2B1`, or with a slash too many at an end.
fn torn_rows(tokens: &[Token<'_>], format: &Format) -> Option<Finding> {
    let mut joined = String::new();
    let mut has_all_slashes = true;
    for (word, _) in fields(tokens) {
        if !joined.is_empty() && !joined.ends_with('/') && !word.starts_with('/') {
            has_all_slashes = false;
            joined.push('/');
        }
        joined += word;
    }
    let joined = joined.trim_matches('/');
    let mut widths = joined.split('/').map(|row| width(row, format));
    let first =
        widths.next()?.filter(|_| joined.contains('/') && joined.bytes().any(|b| b.is_ascii_digit()))?;
    let spans: Vec<Span> = tokens.iter().map(|token| token.content().1).collect();
    let text = tokens.first()?.tree().text();
    if !widths.all(|width| width == Some(first)) || !are_next_to_each_other(&spans, text) {
        return None;
    }
    let place = spans[0].cover(spans[spans.len() - 1]);
    if text[place.range()] == *joined {
        return None;
    }
    let message = "the rows of a FEN are parted by one `/` each, and by nothing else";
    let condition = if has_all_slashes { "" } else { " (if these are its rows)" };
    let fix = Fix::new(format!("write `{joined}`{condition}"), place, joined, has_all_slashes);
    Some(Finding::new(Code::BoardShape, place, message).fix(fix))
}

/// What stands behind a placement of any size and is no other field of a FEN.
pub(super) fn behind_placement(tokens: &[Token<'_>], format: &Format) -> Option<Finding> {
    let fields = fields(tokens);
    let is_field = |(i, (word, _)): (usize, &(&str, Span))| match i {
        0 => matches!(*word, "w" | "b"),
        1 => *word == "-" || word.bytes().all(|b| b"KQkq".contains(&b)),
        2 => *word == "-" || matches!(word.as_bytes(), [b'a'..=b'h', b'3' | b'6']),
        _ => i < 5 && word.bytes().all(|b| b.is_ascii_digit()),
    };
    let wrong = fields[1..].iter().enumerate().find(|field| !is_field(*field))?.1;
    torn_rows(tokens, format).or_else(|| {
        let message = format!("`{}` stands behind the FEN of this board, and is no part of it", wrong.0);
        Some(Finding::new(Code::BoardShape, wrong.1, message))
    })
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
    text.split('/').count() == 8 && text.split('/').all(|rank| width(rank, format) == Some(8))
}

/// How many squares a rank has; `None` if it has something else.
fn width(rank: &str, format: &Format) -> Option<u32> {
    rank.chars().try_fold(0, |width, c| match c.to_digit(10) {
        Some(n) => Some(width + n),
        None => format.piece(c).map(|_| width + 1),
    })
}
