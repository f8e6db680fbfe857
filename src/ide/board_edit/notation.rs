//! Changed ranks of a FEN, and changed pieces of a PDN position.

use crate::board_edit::change::{Change, differences, source};
use cpz_check::analysis::Bound;
use cpz_rules::board::{Board, Colour, Format, Kind, Piece, Square, read_colour, square_name};
use cpz_text::diagnostic::{Edit, Span};
use cpz_text::syntax::Token;

/// The edits of the ranks that differ. `fields` are those of the FEN.
pub(super) fn fen_edits(
    bound: &Bound<'_>,
    board: &Board,
    target: &Board,
    fields: &[Span],
) -> Option<Vec<Edit>> {
    let text = source(bound);
    let placement = *fields.first()?;
    let written = &text[placement.range()];
    let letters: String = written.chars().filter(|c| c.is_alphabetic() || !c.is_ascii()).collect();
    let form = FenForm {
        format: bound.game.format(),
        figurines: !letters.is_empty() && letters.chars().all(|c| !c.is_ascii()),
        small: !letters.is_empty() && letters.chars().all(|c| c.is_ascii_lowercase()),
    };
    let (mut edits, mut start) = (Vec::new(), placement.start);
    for (row, rank) in written.split('/').enumerate() {
        let y = board.size.h.checked_sub(row as u8 + 1)?;
        let cells = |board: &Board| -> Vec<Option<Piece>> {
            (0..board.size.w).map(|x| board.at(Square::new(x, y))).collect()
        };
        let span = Span::new(start, start + rank.len() as u32);
        if cells(board) != cells(target) {
            edits.push(Edit { span, text: form.rank(&cells(target)) });
        }
        start = span.end + 1;
    }
    Some(edits)
}

/// How a FEN writes its pieces.
struct FenForm {
    format: &'static Format,
    figurines: bool,
    /// Whether solitaire is written in small letters.
    small: bool,
}

impl FenForm {
    fn rank(&self, cells: &[Option<Piece>]) -> String {
        let (mut out, mut empty) = (String::new(), 0);
        for cell in cells {
            let Some(piece) = *cell else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                out.push_str(&empty.to_string());
            }
            empty = 0;
            let letter = self.format.letter(piece);
            out.push(match self.format.figurine_of(piece).filter(|_| self.figurines) {
                Some(figurine) => figurine,
                None if self.small && !self.format.coloured => letter.to_ascii_lowercase(),
                None => letter,
            });
        }
        if empty > 0 {
            out.push_str(&empty.to_string());
        }
        out
    }
}

/// The edits of the pieces of a PDN position.
pub(super) fn pdn_edits(bound: &Bound<'_>, board: &Board, target: &Board) -> Option<Vec<Edit>> {
    let text = source(bound);
    let reading = bound.reading.as_ref()?;
    let body = PdnBody::of(bound)?;
    let capital = reading
        .places
        .iter()
        .all(|p| text[..p.span.end as usize - 1].ends_with(|c: char| c.is_ascii_uppercase()));
    let name = |square: Square| match square_name(square, false) {
        name if capital && !reading.places.is_empty() => name.to_uppercase(),
        name => name,
    };
    let written = |square: Square, piece: Piece| {
        format!("{}{}", if piece.kind == Kind::King { "K" } else { "" }, name(square))
    };
    let place = |square: Square| reading.place(board.index(square));
    let (mut removed, mut added, mut replaced) = (Vec::new(), Vec::new(), Vec::new());
    for Change { square, before, after } in differences(board, target) {
        match (before, after) {
            (Some(old), Some(new)) if old.colour == new.colour => {
                replaced.push((place(square)?, written(square, new), new.colour));
            }
            (old, new) => {
                removed.extend(old.map(|piece| (square, piece)));
                added.extend(new.map(|piece| (square, piece)));
            }
        }
    }
    let mut new = Vec::new();
    for (square, piece) in added {
        match removed.iter().position(|r| r.1 == piece) {
            Some(i) => replaced.push((place(removed.remove(i).0)?, written(square, piece), piece.colour)),
            None => new.push((written(square, piece), piece.colour)),
        }
    }
    let mut edits = Vec::new();
    for colour in [Colour::White, Colour::Black] {
        let gone = removed.iter().filter(|r| r.1.colour == colour).map(|r| Some((place(r.0)?, None)));
        let mut changed = gone.collect::<Option<Vec<_>>>()?;
        let keeps_count = changed.is_empty();
        let come: Vec<&str> = new.iter().filter(|n| n.1 == colour).map(|n| n.0.as_str()).collect();
        let other = replaced.iter().filter(|r| r.2 == colour);
        changed.extend(other.map(|(span, text, _)| (*span, Some(text.as_str()))));
        if keeps_count && come.is_empty() {
            edits.extend(
                changed.into_iter().filter_map(|(span, text)| Some(Edit { span, text: text?.into() })),
            );
        } else {
            edits.push(body.section_edit(colour, &changed, &come)?);
        }
    }
    Some(edits)
}

/// The text of a PDN position. Between its words everything is a space.
struct PdnBody {
    text: String,
    start: u32,
}

impl PdnBody {
    fn of(bound: &Bound<'_>) -> Option<PdnBody> {
        let node = bound.puzzle.boards().next()?.node();
        let tokens: Vec<Token<'_>> = node.tokens().skip(1).filter(|t| !t.kind().is_trivia()).collect();
        let contents = || tokens.iter().map(|t| t.content());
        let start = contents().next()?.1.start;
        let end = contents().next_back()?.1.end;
        let mut text = " ".repeat((end - start) as usize);
        for (content, span) in contents() {
            let at = (span.start - start) as usize;
            text.replace_range(at..at + content.len(), content);
        }
        Some(PdnBody { text, start })
    }

    /// The edit of the squares of a colour: some are changed or gone, some come behind the others.
    fn section_edit(&self, colour: Colour, changed: &[(Span, Option<&str>)], come: &[&str]) -> Option<Edit> {
        let mut at = 0;
        for (i, section) in self.text.split(':').enumerate() {
            let from = at;
            at += section.len() + 1;
            let inner = section.trim_start();
            let mark = inner.get(..1).and_then(read_colour);
            if i == 0 || mark != Some(colour) {
                continue;
            }
            let end = section.trim_end().trim_end_matches('.').len();
            let start = section.len() - inner.len() + 1;
            let squares = &section[start..end.max(start)];
            let (mut kept, mut offset) = (Vec::new(), from + start);
            for square in squares.split(',').filter(|_| !squares.trim().is_empty()) {
                let lead = square.len() - square.trim_start().len();
                let place = self.start + (offset + lead) as u32;
                offset += square.len() + 1;
                match changed.iter().find(|(span, _)| span.start == place) {
                    None => kept.push(square.to_string()),
                    Some((_, Some(new))) => kept.push(format!("{}{new}", &square[..lead])),
                    Some((_, None)) => {}
                }
            }
            let gap = if squares.contains(", ") { " " } else { "" };
            for square in come {
                let gap = if kept.is_empty() { "" } else { gap };
                kept.push(format!("{gap}{square}"));
            }
            if let Some(first) = kept.first_mut() {
                *first = first.trim_start().to_string();
            }
            let begin = self.start + (from + start) as u32;
            return Some(Edit { span: Span::new(begin, begin + squares.len() as u32), text: kept.join(",") });
        }
        // The colour has no pieces yet, and is not named.
        let end = self.text.trim_end().trim_end_matches('.').len();
        let mark = if colour == Colour::White { 'W' } else { 'B' };
        let text = format!(":{mark}{}", come.join(","));
        changed.is_empty().then(|| Edit { span: Span::at(self.start + end as u32), text })
    }
}
