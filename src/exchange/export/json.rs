//! JSON and JSON Lines: everything about a puzzle. The schema is `docs/schema/export.schema.json`.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::Value as Json;

use crate::export::losses::{Losses, Part};
use crate::export::query::ExportQuery;
use crate::export::search::NEEDS_SEARCH;
use crate::export::source::ExportPuzzle;
use crate::{
    AnswerDocument, DifficultyDocument, RangeDocument, WrittenDocument, answer_document, difficulty_document,
    range_document, written_document,
};
use cpz_check::analysis::{answer_text, line_of, problem_of, request_of, written_play};
use cpz_rules::board::{Colour, square_name};
use cpz_rules::games::{Position, Request, san};
use cpz_text::diagnostic::{Finding, Severity, visible};
use cpz_text::syntax::{GameId, Property, Query};

/// The beginning of the document.
pub(super) const HEAD: &str = "{\"version\":1,\"puzzles\":[";
/// The end of the document.
pub(super) const TAIL: &str = "\n]}\n";

/// The order of the fields is that of the document.
#[derive(Serialize)]
struct PuzzleDocument<'a> {
    id: Option<&'a str>,
    name: Option<&'a str>,
    game: &'a str,
    size: Option<SizeDocument>,
    board: BoardDocument<'a>,
    side: Option<&'static str>,
    castling: Option<String>,
    en_passant: Option<String>,
    rules: Option<&'static str>,
    origin: Option<u8>,
    unique: bool,
    solutions: Option<u32>,
    properties: Members,
    difficulty: DifficultyDocument,
    hints: Vec<String>,
    tags: Vec<String>,
    allow: Vec<String>,
    description: Option<String>,
    queries: Vec<QueryDocument<'a>>,
    findings: Vec<FindingDocument>,
    place: PlaceDocument<'a>,
}

#[derive(Serialize)]
struct SizeDocument {
    columns: u8,
    rows: u8,
    levels: u8,
}

#[derive(Serialize)]
struct BoardDocument<'a> {
    fen: Option<String>,
    rows: Option<Vec<String>>,
    written: Option<&'a str>,
}

#[derive(Serialize)]
struct PlaceDocument<'a> {
    path: &'a str,
    range: RangeDocument,
}

#[derive(Serialize)]
struct QueryDocument<'a> {
    verb: Option<&'static str>,
    asked: &'a str,
    #[serde(rename = "in")]
    length: Option<String>,
    #[serde(rename = "move")]
    requested: Option<MoveDocument>,
    side: Option<&'static str>,
    written: Option<&'a str>,
    remark: Option<&'a str>,
    line: Option<Vec<LineMoveDocument>>,
    /// The written solution of a problem as moves.
    solution: Option<WrittenDocument>,
    answer: AnswerDocument,
    answer_text: Option<String>,
    verdict: &'static str,
    findings: Vec<FindingDocument>,
    range: RangeDocument,
}

/// The move of a `move` query, as far as it is written.
#[derive(Serialize)]
struct MoveDocument {
    side: &'static str,
    piece: Option<&'static str>,
    from: Option<String>,
    to: String,
    promotion: Option<&'static str>,
    castling: Option<&'static str>,
}

/// A legal move of a written line.
#[derive(Serialize)]
struct LineMoveDocument {
    san: String,
    uci: String,
}

#[derive(Serialize)]
struct FindingDocument {
    code: &'static str,
    severity: &'static str,
    message: String,
    range: RangeDocument,
}

/// The members of an object, in their order.
struct Members(Vec<(String, Json)>);

impl Serialize for Members {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

/// A puzzle as an object on one line.
pub(super) fn puzzle(puzzle: &ExportPuzzle<'_>, losses: &mut Losses) -> Option<String> {
    losses.lost(puzzle, &[Part::InnerComments]);
    // Nothing in a document of strings and numbers can fail to be written.
    serde_json::to_string(&puzzle_document(puzzle)).ok()
}

fn puzzle_document<'a>(puzzle: &'a ExportPuzzle<'a>) -> PuzzleDocument<'a> {
    let bound = puzzle.bound.as_ref();
    let rights = bound.map(|b| b.settings.rights).unwrap_or_default();
    let board = puzzle.board();
    let source = puzzle.source;
    let content = puzzle.puzzle.boards().next().and_then(|b| b.content());
    let description = puzzle.description();
    PuzzleDocument {
        id: puzzle.id(),
        name: puzzle.name(),
        game: puzzle.game_word(),
        size: board.map(|b| SizeDocument { columns: b.size.w, rows: b.size.h, levels: b.size.d }),
        board: BoardDocument {
            fen: puzzle.fen(),
            rows: puzzle.rows(),
            written: content.map(|span| puzzle.text_of(span)),
        },
        side: puzzle.side().map(Colour::name),
        castling: rights.castling.map(|(castling, _)| castling.to_string()),
        en_passant: rights.en_passant.map(|(square, _)| square.map_or("-".into(), |s| square_name(s, false))),
        rules: puzzle.dialect().map(|d| d.word()),
        origin: bound.map(|b| b.origin),
        unique: bound.is_some_and(|b| b.settings.unique.is_some()),
        solutions: bound.and_then(|b| b.settings.solutions),
        properties: Members(properties(puzzle)),
        difficulty: difficulty_document(&puzzle.rating()),
        hints: puzzle.hints(),
        tags: puzzle.properties.texts(Property::Tags),
        allow: puzzle.properties.texts(Property::Allow),
        description: (!description.is_empty()).then(|| description.join("\n")),
        queries: puzzle.queries.iter().map(|q| query_document(puzzle, q)).collect(),
        findings: puzzle.findings.iter().map(|f| finding_document(puzzle, f)).collect(),
        place: PlaceDocument { path: source.path, range: range(puzzle, puzzle.puzzle.span()) },
    }
}

/// The descriptive properties that the puzzle has: those that may stand several times as lists.
fn properties(puzzle: &ExportPuzzle<'_>) -> Vec<(String, Json)> {
    let mut all = Vec::new();
    for name in [Property::Author, Property::Source, Property::Note, Property::Hint] {
        let texts = puzzle.properties.texts(name);
        if !texts.is_empty() {
            all.push((name.word().to_string(), Json::from(texts)));
        }
    }
    if let Some(difficulty) = puzzle.properties.texts(Property::Difficulty).into_iter().next() {
        all.push((Property::Difficulty.word().to_string(), Json::String(difficulty)));
    }
    // A list is an error, but all of it is kept.
    let conditions = puzzle.properties.texts(Property::Condition);
    if !conditions.is_empty() {
        all.push((Property::Condition.word().to_string(), Json::String(conditions.join("; "))));
    }
    for name in [Property::HalfDuplex, Property::ZeroPosition] {
        if puzzle.puzzle.has_property(name) {
            all.push((name.word().to_string(), Json::Bool(true)));
        }
    }
    // As a number they are their product.
    if let Some(text) = puzzle.puzzle.ply_counts() {
        all.push((Property::Solutions.word().to_string(), Json::String(text.to_string())));
    }
    all.extend(puzzle.properties.custom().into_iter().map(|(name, value)| (name.to_string(), value)));
    all
}

fn range(puzzle: &ExportPuzzle<'_>, span: cpz_text::diagnostic::Span) -> RangeDocument {
    range_document(puzzle.source.text, puzzle.source.index, span)
}

fn finding_document(puzzle: &ExportPuzzle<'_>, finding: &Finding) -> FindingDocument {
    let severity: Severity = puzzle.source.report.severities.shown(finding);
    FindingDocument {
        code: finding.code.name(),
        severity: severity.name(),
        message: visible(&puzzle.source.search.explained(&finding.message)).into_owned(),
        range: range(puzzle, finding.span),
    }
}

fn query_document<'a>(puzzle: &'a ExportPuzzle<'a>, query: &'a ExportQuery<'a>) -> QueryDocument<'a> {
    let bound = puzzle.bound.as_ref();
    let problem = bound.and_then(|b| problem_of(b, query.query));
    let request = bound.and_then(|b| request_of(b, query.query));
    let origin = puzzle.report.origin;
    let position = problem.as_ref().map(|(position, _)| position).or(puzzle.position.as_ref());
    let text = query.answer().and_then(|a| answer_text(a, origin, puzzle.report.notation, false));
    let side = request.map(|r| r.colour).or(position.map(|p| p.turn));
    QueryDocument {
        verb: query.report.map(|q| q.verb.id()),
        asked: query.asked,
        length: problem.as_ref().map(|(_, stipulation)| stipulation.length()),
        requested: request.map(move_document),
        side: side.filter(|_| puzzle.side().is_some()).map(Colour::name),
        written: query.written,
        remark: query.remark,
        line: line_moves(puzzle, query.query),
        solution: problem.as_ref().and_then(|(start, asked)| {
            let play = written_play(bound?, query.query, start, *asked)?;
            Some(written_document(play, asked.play().has_sequences()))
        }),
        answer: match query.report {
            Some(_) if query.lacks_answer => AnswerDocument::Undecided { undecided: NEEDS_SEARCH.into() },
            Some(report) => answer_document(report, origin, None),
            None => AnswerDocument::Error { error: "the question is unknown".into() },
        },
        answer_text: text,
        verdict: query.verdict.word(),
        findings: query.findings.iter().map(|f| finding_document(puzzle, f)).collect(),
        range: range(puzzle, query.query.span()),
    }
}

fn move_document(request: Request) -> MoveDocument {
    let file = request.from.0.map(|x| char::from(b'a' + x));
    let rank = request.from.1.map(|y| char::from(b'1' + y));
    let from: String = file.into_iter().chain(rank).collect();
    MoveDocument {
        side: request.colour.name(),
        piece: request.kind.map(|k| k.name()),
        from: (!from.is_empty()).then_some(from),
        to: square_name(request.to, false),
        promotion: request.promotion.map(|k| k.name()),
        castling: request.castling.map(|w| w.name()),
    }
}

/// The legal moves of the written line of chess, up to the first that fails.
fn line_moves(puzzle: &ExportPuzzle<'_>, query: Query<'_>) -> Option<Vec<LineMoveDocument>> {
    // A line on a cube has moves that SAN and UCI cannot write.
    let bound = puzzle.bound.as_ref().filter(|bound| bound.id == GameId::Chess)?;
    let replay = line_of(bound, query)?;
    let mut before: Position = puzzle_start(puzzle)?;
    let mut moves = Vec::with_capacity(replay.moves.len());
    for step in replay.moves {
        moves.push(LineMoveDocument { san: san(&before, step.mv), uci: step.mv.uci() });
        before = step.after;
    }
    Some(moves)
}

/// The position that a line begins with.
fn puzzle_start(puzzle: &ExportPuzzle<'_>) -> Option<Position> {
    cpz_check::analysis::position_of(puzzle.bound.as_ref()?)
}
