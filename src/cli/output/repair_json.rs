//! The repairs of puzzles as a JSON document. Its schema is `docs/schema/repair.schema.json`.

use std::io::{self, Write};

use serde::Serialize;

use crate::cli::out::Out;
use crate::cli::selection::{Chosen, Collection};
use cpz_check::repair::{Aim, Change};
use cpz_exchange::{AnswerDocument, RangeDocument, found_answer_document, range_document};
use cpz_ide::{Proposal, Proposals};
use cpz_rules::board::{Format, Piece, Square, Style, Target, write};
use cpz_text::diagnostic::LineIndex;

#[derive(Serialize)]
struct PuzzleDocument<'a> {
    id: Option<&'a str>,
    name: Option<&'a str>,
    game: &'static str,
    range: RangeDocument,
    sound: Option<bool>,
    changes: u8,
    complete: bool,
    tested: u64,
    found: usize,
    repairs: Vec<ProposalDocument<'a>>,
}

#[derive(Serialize)]
struct ProposalDocument<'a> {
    title: String,
    changes: Vec<ChangeDocument>,
    board: String,
    solution: &'a str,
    answers: Vec<AnswerDocument>,
    #[serde(rename = "rewritesAnswer")]
    rewrites_answer: bool,
    edits: Vec<EditDocument<'a>>,
}

#[derive(Serialize)]
struct ChangeDocument {
    change: &'static str,
    piece: String,
    from: Option<Vec<u8>>,
    to: Option<Vec<u8>>,
    becomes: Option<String>,
}

#[derive(Serialize)]
struct EditDocument<'a> {
    range: RangeDocument,
    text: &'a str,
}

/// Prints the document puzzle by puzzle, with at most `max` repairs of each: all of them together may be large.
pub struct JsonPrinter<'c> {
    max: usize,
    /// The paths and texts that are left, in order.
    files: Vec<(&'c str, &'c str)>,
    /// The path and the lines of the file that is being printed.
    file: Option<(&'c str, LineIndex)>,
    is_first: bool,
}

impl<'c> JsonPrinter<'c> {
    /// Prints the beginning.
    pub fn new(
        collection: &'c Collection,
        aim: Aim,
        max: usize,
        out: &mut Out,
    ) -> io::Result<JsonPrinter<'c>> {
        let aim = match aim {
            Aim::Sound => "sound",
            Aim::Unique => "unique",
            Aim::Shorter => "shorter",
            Aim::Minimal => "minimal",
        };
        write!(out.stdout, "{{\"version\":1,\"aim\":\"{aim}\",\"files\":[")?;
        let mut files: Vec<(&str, &str)> = collection.texts().collect();
        files.reverse();
        Ok(JsonPrinter { max, files, file: None, is_first: true })
    }

    /// Prints the beginning of the next file; whether there is one.
    fn next_file(&mut self, out: &mut Out) -> io::Result<bool> {
        let Some((path, text)) = self.files.pop() else { return Ok(false) };
        let end = if self.file.is_some() { "]}," } else { "" };
        write!(out.stdout, "{end}{{\"path\":{},\"puzzles\":[", serde_json::to_string(path)?)?;
        (self.file, self.is_first) = (Some((path, LineIndex::new(text))), true);
        Ok(true)
    }

    /// Prints the repairs of a puzzle. Puzzles come in the order of the files.
    pub fn puzzle(&mut self, chosen: &Chosen<'_>, proposals: &Proposals, out: &mut Out) -> io::Result<()> {
        let path = chosen.input.path.as_str();
        while self.file.as_ref().is_none_or(|(current, _)| *current != path) {
            if !self.next_file(out)? {
                return Ok(());
            }
        }
        let Some((_, index)) = &self.file else { return Ok(()) };
        let Some(document) = puzzle(chosen, proposals, self.max, index) else { return Ok(()) };
        let comma = if self.is_first { "" } else { "," };
        self.is_first = false;
        write!(out.stdout, "{comma}{}", serde_json::to_string(&document)?)
    }

    /// Prints the end.
    pub fn end(&mut self, out: &mut Out) -> io::Result<()> {
        while self.next_file(out)? {}
        let end = if self.file.is_some() { "]}" } else { "" };
        writeln!(out.stdout, "{end}]}}")
    }
}

fn puzzle<'a>(
    chosen: &'a Chosen<'_>,
    proposals: &'a Proposals,
    max: usize,
    index: &LineIndex,
) -> Option<PuzzleDocument<'a>> {
    let bound = chosen.entry.bound.as_ref()?;
    let (format, text) = (bound.game.format(), &chosen.input.text);
    let one = |proposal: &'a Proposal| {
        let style =
            Style { origin: bound.origin, turn: bound.turn, line: "\n".into(), spread: false, empty: None };
        let repair = &proposal.repair;
        ProposalDocument {
            title: proposal.title(),
            changes: repair.changes.iter().map(|c| change(c, bound.origin, format)).collect(),
            board: write(&repair.board, format, Target::Text, &style).unwrap_or_default(),
            solution: &proposal.solution,
            answers: repair.answers.iter().map(|a| found_answer_document(a, bound.origin, None)).collect(),
            rewrites_answer: proposal.rewrites_answer,
            edits: (proposal.edits.iter())
                .map(|e| EditDocument { range: range_document(text, index, e.span), text: &e.text })
                .collect(),
        }
    };
    Some(PuzzleDocument {
        id: chosen.entry.id,
        name: chosen.entry.name,
        game: format.game,
        range: range_document(text, index, chosen.entry.span()),
        sound: proposals.is_sound,
        changes: proposals.changes,
        complete: proposals.complete,
        tested: proposals.tested,
        found: proposals.found.len(),
        repairs: proposals.found.iter().take(max).map(one).collect(),
    })
}

fn change(change: &Change, origin: u8, format: &Format) -> ChangeDocument {
    let square = |s: Square| {
        let all = [s.x, s.y, s.z].map(|n| n + origin);
        Some(all[..if format.is_cube() { 3 } else { 2 }].to_vec())
    };
    let of = |change, piece: Piece, from, to, becomes| ChangeDocument {
        change,
        piece: format.called(piece),
        from,
        to,
        becomes,
    };
    match *change {
        Change::Kind { at, piece, to } => {
            let new = format.called(Piece::new(piece.colour, to));
            of("kind", piece, square(at), square(at), Some(new))
        }
        Change::Remove { at, piece } => of("remove", piece, square(at), None, None),
        Change::Move { from, to, piece } => of("move", piece, square(from), square(to), None),
        Change::Add { at, piece } => of("add", piece, None, square(at), None),
    }
}
