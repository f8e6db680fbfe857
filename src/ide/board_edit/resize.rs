//! Boards that grow and shrink, and boards that are written anew in their form.

use crate::board_edit::cell_form::CellForm;
use crate::board_edit::change::{CANNOT_EDIT, has_comment, source};
use crate::board_edit::properties::{fen_fields, own_value};
use cpz_check::analysis::{Bound, insert_property};
use cpz_rules::board::{
    Board, Size, SizeValue, SourceLayout, Square, Style, Target, source_layout, square_name, write,
    write_placement,
};
use cpz_text::diagnostic::{Edit, LineEnd, Span};
use cpz_text::syntax::Property;

/// The board at another size. The square at the bottom left keeps its name.
///
/// # Errors
/// The game has no such boards, or a piece would be lost.
pub(super) fn resized(bound: &Bound<'_>, board: &Board, size: Size) -> Result<Board, String> {
    let format = bound.game.format();
    let (columns, rows) = (size.w.into(), size.h.into());
    let allowed = SizeValue { columns, rows, span: Span::at(0), own: true }.check(format);
    if allowed.map_err(|finding| finding.message)? != size {
        return Err(format!("{} has no boards of {size}", format.game));
    }
    let mut target = Board::empty(size);
    for (square, piece) in board.pieces() {
        if !size.has(square) {
            let name = square_name(square, format.is_cube());
            return Err(format!("the {} on {name} would be lost; move it first", format.called(piece)));
        }
        let cell = target.index(square);
        target.cells[cell] = Some(piece);
    }
    Ok(target)
}

/// The edits that give a board another size in its form.
pub(super) fn resize(bound: &Bound<'_>, board: &Board, target: &Board) -> Result<Vec<Edit>, String> {
    let form = bound.puzzle.boards().next().and_then(|b| b.form()).ok_or(CANNOT_EDIT)?;
    match source_layout(form, bound.game.format()) {
        SourceLayout::Entries(_) => Ok(size_edit(bound, target.size).into_iter().collect()),
        SourceLayout::Cells { spans, flat: false }
            if board.size.d == 1 && spans.len() == board.cells.len() =>
        {
            let mut edits = rows(bound, board, target.size, &spans)?;
            if own_value(bound, Property::Size).is_some() {
                edits.extend(size_edit(bound, target.size));
            }
            Ok(edits)
        }
        _ => rewritten(bound, board, target),
    }
}

/// Cells that are added or removed at the ends of rows, and rows at the top.
fn rows(bound: &Bound<'_>, board: &Board, size: Size, spans: &[Span]) -> Result<Vec<Edit>, String> {
    let text = source(bound);
    let whole = spans[0].cover(spans[spans.len() - 1]);
    if has_comment(bound, whole) {
        return Err("there is a comment among the cells; change the size by hand".into());
    }
    let form = CellForm::of(text, spans, board, bound.game.format(), bound.settings.empty);
    let (old_w, old_h) = (usize::from(board.size.w), usize::from(board.size.h));
    let (new_w, new_h) = (usize::from(size.w), usize::from(size.h));
    let gap = |i: usize| &text[spans[i].end as usize..spans[i + 1].start as usize];
    let inner = if old_w > 1 { gap(0) } else { " " };
    let outer = if old_h > 1 { gap(old_w - 1) } else { return rewritten_rows(bound) };
    let empty = form.write(&text[spans[0].range()], None);
    let mut edits = Vec::new();
    for row in old_h.saturating_sub(new_h)..old_h {
        let last = spans[row * old_w + old_w - 1];
        if new_w > old_w {
            // The edit covers a cell, since a row can be one word.
            let added = format!("{inner}{empty}").repeat(new_w - old_w);
            edits.push(Edit { span: last, text: format!("{}{added}", &text[last.range()]) });
        } else if new_w < old_w {
            let kept = spans[row * old_w + new_w - 1];
            edits.push(Edit { span: Span::new(kept.end, last.end), text: String::new() });
        }
    }
    if new_h < old_h {
        let first = spans[(old_h - new_h) * old_w];
        edits.push(Edit { span: Span::new(spans[0].start, first.start), text: String::new() });
    } else if new_h > old_h {
        let row = vec![empty.as_str(); new_w].join(inner);
        let added = format!("{row}{outer}").repeat(new_h - old_h);
        let first = spans[0];
        match edits.iter_mut().find(|e| e.span == first) {
            Some(edit) => edit.text.insert_str(0, &added),
            None => edits.push(Edit { span: first, text: format!("{added}{}", &text[first.range()]) }),
        }
    }
    Ok(edits)
}

/// A board of one row shows no gap between rows, so there is nothing to repeat.
fn rewritten_rows<T>(bound: &Bound<'_>) -> Result<T, String> {
    let game = bound.game.format().game;
    Err(format!("this {game} board has one row; write the next one by hand"))
}

/// The edit that sets `size`; none if it is so already.
fn size_edit(bound: &Bound<'_>, size: Size) -> Option<Edit> {
    let square = |separator: &str| match size.w == size.h && separator.is_empty() {
        true => size.w.to_string(),
        false => format!("{}{}{}", size.w, if separator.is_empty() { "x" } else { separator }, size.h),
    };
    match own_value(bound, Property::Size) {
        Some(span) => {
            let text = &source(bound)[span.range()];
            Some(Edit { span, text: square(text.trim_matches(|c: char| c.is_ascii_digit())) })
        }
        None => Some(insert_property(bound.puzzle, &format!("size {}", square("")))),
    }
}

/// The edits that write a board anew in its form.
///
/// # Errors
/// A comment would be lost.
pub(super) fn rewritten(bound: &Bound<'_>, board: &Board, target: &Board) -> Result<Vec<Edit>, String> {
    let node = bound.puzzle.boards().next().ok_or(CANNOT_EDIT)?;
    let (content, form) = node.content().zip(node.form()).ok_or(CANNOT_EDIT)?;
    if has_comment(bound, content) {
        return Err("there is a comment among the cells; change the board by hand".into());
    }
    let (text, format) = (source(bound), bound.game.format());
    let written = &text[content.range()];
    let mut edits = Vec::new();
    let (kind, flat) = match source_layout(form, format) {
        SourceLayout::Fen(_) => {
            let span = *fen_fields(bound).first().ok_or(CANNOT_EDIT)?;
            edits.push(Edit { span, text: write_placement(target, format) });
            return Ok(edits);
        }
        SourceLayout::Pdn => (Target::Fen, true),
        SourceLayout::Entries(_) => (Target::Coordinates, true),
        SourceLayout::Cells { spans, flat } => {
            let is_number = |span: &Span| text[span.range()].trim_matches(['"', '\'']).parse::<i64>().is_ok();
            let kind = match written.starts_with('[') {
                _ if !spans.is_empty() && spans.iter().all(is_number) => Target::Numbers,
                true => Target::List,
                false => Target::Text,
            };
            (kind, flat)
        }
    };
    let line_start = text[..node.span().start as usize].rfind(['\n', '\r']).map_or(0, |at| at + 1);
    let indent: String = text[line_start..].chars().take_while(|c| matches!(c, ' ' | '\t')).collect();
    let line = format!("{}{indent}  ", LineEnd::of(text).as_str());
    let empty = empty_cell(bound, board, &source_layout(form, format)).or(bound.settings.empty);
    let spread = !flat && written.contains(['\n', '\r']);
    let style = Style { origin: bound.origin, turn: bound.turn, line, spread, empty };
    let new = write(target, format, kind, &style).ok_or(CANNOT_EDIT)?;
    let shows_size = board.size.w != board.size.h || new.contains(['\n', '[']) || target.size.d > 1;
    let keyword = node.keyword().span().end;
    let start = if new.starts_with(['\n', '\r']) { keyword } else { content.start };
    edits.push(Edit { span: Span::new(start, content.end), text: new });
    let is_own = own_value(bound, Property::Size).is_some();
    let needed = kind == Target::Coordinates || !shows_size && target.size.w != target.size.h;
    if target.size != board.size && (is_own || needed) {
        edits.extend(size_edit(bound, target.size));
    }
    Ok(edits)
}

/// The character of the empty cells of a board.
fn empty_cell(bound: &Bound<'_>, board: &Board, layout: &SourceLayout<'_>) -> Option<char> {
    let SourceLayout::Cells { spans, .. } = layout else { return None };
    let is_empty = |s: &Square| board.at(*s).is_none();
    let square = (0..board.cells.len()).map(|i| board.square(i)).find(is_empty)?;
    let span = spans.get(board.size.reading_index(square))?;
    let cell = source(bound)[span.range()].trim_matches(['"', '\'']);
    cell.chars().next().filter(|c| !c.is_whitespace() && !c.is_ascii_digit())
}
