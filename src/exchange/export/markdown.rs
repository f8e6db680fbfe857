//! Markdown: a heading, the board, the questions, and the answers behind a click.

use crate::export::losses::{Losses, Part};
use crate::export::query::ExportQuery;
use crate::export::solution::answer_text;
use crate::export::source::ExportPuzzle;
use cpz_rules::board::{Colour, level_name, square_name};
use cpz_text::syntax::Property;

/// The parts that a section holds.
const KEPT: [Part; 13] = [
    Part::Name,
    Part::Id,
    Part::Author,
    Part::Source,
    Part::Note,
    Part::Hint,
    Part::Difficulty,
    Part::Description,
    Part::Remarks,
    Part::Dialect,
    Part::Condition,
    Part::ZeroPosition,
    Part::Allow,
];

/// A section.
pub(super) fn section(puzzle: &ExportPuzzle<'_>, losses: &mut Losses) -> Option<String> {
    losses.all_but(puzzle, &KEPT);
    let mut out = format!("## {}\n\n", heading(puzzle));
    let mut paragraph = |text: &str| {
        if !text.trim().is_empty() {
            out.push_str(&format!("{text}\n\n"));
        }
    };
    paragraph(&escaped_markdown(&puzzle.description().join("\n")));
    let credits = [Property::Author, Property::Source]
        .map(|name| escaped_markdown(&puzzle.properties.texts(name).join(", ")));
    paragraph(&credits.iter().filter(|text| !text.is_empty()).cloned().collect::<Vec<_>>().join(". "));
    let board = board(puzzle).or_else(|| written_board(puzzle)).unwrap_or_default();
    let fence = code_fence(&board);
    paragraph(&format!("{fence}text\n{board}\n{fence}"));
    let turn =
        puzzle.side().map(|side| if side == Colour::White { "White to move." } else { "Black to move." });
    let rules = puzzle.dialect().map(|d| d.word()).filter(|word| *word != "default");
    let rules = rules.map(|word| format!("Rules: {word}."));
    let difficulty = puzzle.properties.texts(Property::Difficulty).into_iter().next();
    let difficulty = match difficulty {
        Some(text) => Some(format!("Difficulty: {}.", escaped_markdown(&text))),
        None => {
            let estimate = puzzle.rating().ok().and_then(|rating| rating.estimate);
            estimate.map(|estimate| format!("Difficulty: about {estimate} of 10."))
        }
    };
    let conditions = conditions(puzzle).map(|text| escaped_markdown(&text));
    let facts = [turn.map(String::from)].into_iter().chain(rights(puzzle)).chain(conditions.map(Some));
    let facts = facts.chain([rules, difficulty]);
    let facts: Vec<String> = facts.flatten().collect();
    paragraph(&facts.join(" "));
    puzzle.properties.texts(Property::Note).iter().for_each(|note| paragraph(&escaped_markdown(note)));
    for (i, hint) in puzzle.properties.texts(Property::Hint).iter().enumerate() {
        paragraph(&details(&format!("Hint {}", i + 1), &escaped_markdown(hint)));
    }
    for query in &puzzle.queries {
        paragraph(&format!("**{}**", escaped_markdown(query.asked)));
        if let Some(answer) = answer(puzzle, query) {
            paragraph(&details("Answer", &answer));
        }
    }
    Some(out)
}

/// What makes other questions of those of a chess problem, in sentences: its condition, and that only its twins are asked.
pub(super) fn conditions(puzzle: &ExportPuzzle<'_>) -> impl Iterator<Item = String> {
    let texts = puzzle.properties.texts(Property::Condition);
    let is_zero = puzzle.puzzle.has_property(Property::ZeroPosition);
    let conditions = texts.into_iter().map(|text| format!("Condition: {text}."));
    conditions.chain(is_zero.then(|| "Only the twins are asked.".to_string()))
}

/// The rights that are stated: to castle, and to capture en passant.
fn rights(puzzle: &ExportPuzzle<'_>) -> [Option<String>; 2] {
    let rights = puzzle.bound.as_ref().map(|bound| bound.settings.rights).unwrap_or_default();
    let castling = rights.castling.map(|(castling, _)| format!("Castling: {castling}."));
    // A FEN says of each position that there is none.
    let square = rights.en_passant.and_then(|(square, _)| square);
    [castling, square.map(|square| format!("En passant: {}.", square_name(square, false)))]
}

/// The name or the id; the game where it has neither.
fn heading(puzzle: &ExportPuzzle<'_>) -> String {
    let place = || {
        format!("{} (line {})", puzzle.game_word(), puzzle.source.index.line(puzzle.puzzle.span().start) + 1)
    };
    escaped_markdown(&puzzle.title().map_or_else(place, String::from))
}

/// The answer with its remark.
fn answer(puzzle: &ExportPuzzle<'_>, query: &ExportQuery<'_>) -> Option<String> {
    let answer = answer_text(puzzle, query)?;
    let remark = query.remark.map(|remark| format!(" ({remark})")).unwrap_or_default();
    Some(escaped_markdown(&format!("{answer}{remark}")))
}

fn details(summary: &str, text: &str) -> String {
    format!("<details><summary>{summary}</summary>\n\n{text}\n\n</details>")
}

/// The board with the names of ranks and files; the levels of a cube one below the other.
fn board(puzzle: &ExportPuzzle<'_>) -> Option<String> {
    let (rows, size) = (puzzle.rows()?, puzzle.board()?.size);
    let files: String = (0..size.w).map(|x| format!(" {}", char::from(b'a' + x))).collect();
    let mut out = Vec::new();
    for (level, rows) in rows.chunks(usize::from(size.h)).enumerate() {
        if size.d > 1 {
            out.push(format!("level {}", level_name(size.d - 1 - level as u8)));
        }
        for (i, row) in rows.iter().enumerate() {
            let cells: String = row.chars().map(|c| format!(" {c}")).collect();
            out.push(format!("{:>2}{cells}", usize::from(size.h) - i));
        }
        out.push(format!("  {files}"));
    }
    Some(out.join("\n"))
}

/// A board that cannot be read, as it is written.
fn written_board(puzzle: &ExportPuzzle<'_>) -> Option<String> {
    let content = puzzle.puzzle.boards().next()?.content()?;
    Some(puzzle.text_of(content).to_string())
}

/// The marks around a code block, more of them than the text has in a row.
pub(crate) fn code_fence(text: &str) -> String {
    let mut longest = 2;
    let mut run = 0;
    for c in text.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    "`".repeat(longest + 1)
}

/// A text without the signs of Markdown and HTML; its lines stay lines.
fn escaped_markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (i, line) in text.lines().enumerate() {
        out.push_str(if i > 0 { "  \n" } else { "" });
        let line = line.trim();
        // `1.` and `1)` begin a list.
        let digits = line.bytes().take_while(u8::is_ascii_digit).count();
        for (at, c) in line.char_indices() {
            match c {
                '#' | '+' | '-' | '=' if at == 0 => out.extend(['\\', c]),
                '.' | ')' if at > 0 && at == digits => out.extend(['\\', c]),
                c => escape(c, &mut out),
            }
        }
    }
    out
}

/// A part of a line without the signs of Markdown and HTML; what begins a line means nothing in it.
pub(crate) fn escaped_within(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    text.chars().for_each(|c| escape(if c == '\n' { ' ' } else { c }, &mut out));
    out
}

fn escape(c: char, out: &mut String) {
    match c {
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        '&' => out.push_str("&amp;"),
        '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' => out.extend(['\\', c]),
        c => out.push(c),
    }
}
