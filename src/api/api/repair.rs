//! Repairing.

use serde::Serialize;
use serde_json::Value;

use crate::api::options::{Error, TextOptions, tree_of};
use crate::api::puzzles::{chosen, filter, puzzle_document};
use crate::print::Entry;
use cpz_check::analysis::Bound;
use cpz_check::parallel::*;
use cpz_check::repair::{Aim, Change};
use cpz_exchange::{
    AnswerDocument, FileDocument, PuzzleDocument, RangeDocument, found_answer_document, range_document,
};
use cpz_ide::{Proposal, Proposals, propose};
use cpz_rules::board::{Format, Piece, Square, Style, Target, write};
use cpz_text::diagnostic::{Edit, LineIndex};

/// The options of [`repair_text`].
#[derive(Clone, Debug, Default)]
pub struct RepairOptions {
    /// Only puzzles whose id, name or number fits one of these patterns, such as `mate-*`.
    pub only: Vec<String>,
    /// Only puzzles with one of these tags.
    pub tags: Vec<String>,
    /// Only puzzles of these games.
    pub games: Vec<String>,
    /// Whether each solution is made the only one, also where the puzzle does not say `unique`.
    pub unique: bool,
    /// Whether smaller puzzles are made that are as sound.
    pub shorten: bool,
    /// Whether pieces are taken away that the solution does not need.
    pub minimal: bool,
    /// The most repairs of each puzzle in the document; all of them without a number or with 0.
    pub max: Option<usize>,
    /// How the text is read.
    pub text: TextOptions,
}

/// Finds changes that make unsound puzzles sound. The document is that of `cpz repair --format json`, with one file; its
/// schema is printed by `cpz schema repair`. A puzzle that cannot be repaired, such as one whose board cannot be read, is not
/// in it.
///
/// ```
/// # use cpz_api::api as cpz;
/// let text = "solitaire { board R....N.......... solve }";
/// let repaired = cpz::repair_text(text, &cpz::RepairOptions { max: Some(1), ..Default::default() })?;
/// let puzzle = &repaired["files"][0]["puzzles"][0];
/// assert_eq!(puzzle["sound"], false);
/// assert_eq!(puzzle["repairs"][0]["changes"].as_array().map(Vec::len), Some(1));
/// # Ok::<(), cpz::Error>(())
/// ```
///
/// # Errors
/// Two of `unique`, `shorten` and `minimal`, no such game, a wrong pattern, budget or configuration, or a text longer than
/// 1 GiB.
pub fn repair_text(text: &str, options: &RepairOptions) -> Result<Value, Error> {
    let aim = match (options.unique, options.shorten, options.minimal) {
        (false, false, false) => Aim::Sound,
        (true, false, false) => Aim::Unique,
        (false, true, false) => Aim::Shorter,
        (false, false, true) => Aim::Minimal,
        _ => return Err(Error("choose one of `unique`, `shorten` and `minimal`".into())),
    };
    let filter = filter(&options.only, &options.tags, &options.games)?;
    let search = options.text.analysis()?;
    let tree = tree_of(text)?;
    let entries = chosen(&tree, &filter, &search);
    let found: Vec<Option<Proposals>> =
        entries.par_iter().map(|entry| propose(entry.puzzle, entry.defaults, aim, &search).ok()?).collect();
    let max = options.max.filter(|&max| max > 0).unwrap_or(usize::MAX);
    let index = LineIndex::new(text);
    let document = |(entry, found)| repair_document(entry, text, &index, found, max);
    let with_proposals =
        entries.iter().zip(&found).filter_map(|(entry, found)| Some((entry, found.as_ref()?)));
    let puzzles = with_proposals.filter_map(document).collect();
    let files = vec![FileDocument { path: options.text.path(), puzzles }];
    serde_json::to_value(RepairDocument { version: 1, aim: aim_word(aim), files })
        .map_err(|error| Error(error.to_string()))
}

/// The document. The command prints it file by file.
#[derive(Serialize)]
struct RepairDocument<'a> {
    version: u32,
    aim: &'static str,
    files: Vec<FileDocument<'a, RepairedDocument<'a>>>,
}

/// The word of an aim in the document.
pub fn aim_word(aim: Aim) -> &'static str {
    match aim {
        Aim::Sound => "sound",
        Aim::Unique => "unique",
        Aim::Shorter => "shorter",
        Aim::Minimal => "minimal",
    }
}

/// The repairs of a puzzle.
#[derive(Serialize)]
pub struct RepairedDocument<'a> {
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

/// What the document says about a puzzle, with at most `max` of its repairs; `None` if its game is unknown.
pub fn repair_document<'a>(
    entry: &'a Entry<'_>,
    text: &str,
    index: &LineIndex,
    proposals: &'a Proposals,
    max: usize,
) -> Option<PuzzleDocument<'a, RepairedDocument<'a>>> {
    let bound = entry.bound.as_ref()?;
    let one = |proposal: &'a Proposal| proposal_document(proposal, bound, text, index);
    let repaired = RepairedDocument {
        sound: proposals.is_sound,
        changes: proposals.changes,
        complete: proposals.complete,
        tested: proposals.tested,
        found: proposals.found.len(),
        repairs: proposals.found.iter().take(max).map(one).collect(),
    };
    Some(puzzle_document(entry, text, index, repaired))
}

fn proposal_document<'a>(
    proposal: &'a Proposal,
    bound: &Bound<'_>,
    text: &str,
    index: &LineIndex,
) -> ProposalDocument<'a> {
    let (format, repair) = (bound.game.format(), &proposal.repair);
    let style =
        Style { origin: bound.origin, turn: bound.turn, line: "\n".into(), spread: false, empty: None };
    let edits = proposal.edits.iter();
    let edit = |e: &'a Edit| EditDocument { range: range_document(text, index, e.span), text: &e.text };
    ProposalDocument {
        title: proposal.title(),
        changes: repair.changes.iter().map(|c| change(c, bound.origin, format)).collect(),
        board: write(&repair.board, format, Target::Text, &style).unwrap_or_default(),
        solution: &proposal.solution,
        answers: repair.answers.iter().map(|a| found_answer_document(a, bound.origin, None)).collect(),
        rewrites_answer: proposal.rewrites_answer,
        edits: edits.map(edit).collect(),
    }
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
