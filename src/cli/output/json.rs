//! The JSON documents of `check` and `solve`. Their schemas are in `docs/schema`.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;

use crate::analysis::{Outcome, ProblemPlay, QueryReport};
use crate::board::Square;
use crate::cli::analyse::{AnalysedFile, RatedFinding};
use crate::cli::out::Out;
use crate::cli::output::play_json::{PlayDocument, play_document};
use crate::cli::output::results::{CHUNK, CheckResults, Summary, format_chunks};
use crate::cli::plays::Plays;
use crate::diagnostic::{LineIndex, Position, Span, visible};
use crate::games::{Answer, NamedKey, NamedMove};

/// Both numbers are 0-based; `character` is in UTF-16 units.
#[derive(Serialize)]
struct JsonPosition {
    line: u32,
    character: u32,
}

/// The end is exclusive.
#[derive(Serialize)]
struct JsonRange {
    start: JsonPosition,
    end: JsonPosition,
}

fn range(text: &str, index: &LineIndex, span: Span) -> JsonRange {
    let place = |offset| {
        let Position { line, character } = index.position(text, offset);
        JsonPosition { line, character }
    };
    JsonRange { start: place(span.start), end: place(span.end) }
}

/// The document of `check`.
#[derive(Serialize)]
struct CheckDocument {
    version: u32,
    /// Always empty: there may be millions of diagnostics, so [`check`] writes the list bit by bit.
    files: [(); 0],
    summary: Summary,
}

#[derive(Serialize)]
struct Diagnostic<'a> {
    code: &'static str,
    severity: &'static str,
    message: Cow<'a, str>,
    range: JsonRange,
    puzzle: Option<&'a str>,
}

/// The document of `solve`.
#[derive(Serialize)]
struct SolveDocument {
    version: u32,
    files: Vec<SolveFile>,
}

#[derive(Serialize)]
struct SolveFile {
    path: String,
    puzzles: Vec<SolvePuzzle>,
}

#[derive(Serialize)]
struct SolvePuzzle {
    id: Option<String>,
    name: Option<String>,
    game: String,
    range: JsonRange,
    queries: Vec<SolveQuery>,
}

#[derive(Serialize)]
struct SolveQuery {
    verb: &'static str,
    range: JsonRange,
    answer: AnswerDocument,
}

/// A square as `[x, y]`.
type Numbers = [u8; 2];

/// An answer, its keys in the order of the schema.
#[derive(Serialize)]
#[serde(untagged)]
enum AnswerDocument {
    Undecided {
        undecided: String,
    },
    Error {
        error: String,
    },
    Solve {
        solvable: bool,
        moves: Option<Vec<[Numbers; 2]>>,
    },
    Count {
        count: Option<String>,
        distinct: Option<String>,
    },
    Move {
        legal: bool,
        reason: Option<String>,
    },
    /// An object without members: a line has no answer.
    Line {},
    Mate {
        status: &'static str,
        side: &'static str,
    },
    Capture {
        captures: Vec<CaptureDocument>,
        pieces: Vec<PieceDocument>,
    },
    Keys {
        #[serde(rename = "in")]
        length: u8,
        keys: Vec<KeyDocument>,
        complete: bool,
        #[serde(flatten, skip_serializing_if = "Option::is_none")]
        play: Option<PlayDocument>,
    },
    Helpmates {
        #[serde(rename = "in")]
        length: String,
        count: usize,
        complete: bool,
        solutions: Vec<LineDocument>,
    },
}

#[derive(Serialize)]
struct KeyDocument {
    san: String,
    uci: String,
    /// The moves that the key needs at most, itself included.
    mates: u8,
}

/// The moves of one solution.
#[derive(Serialize)]
struct LineDocument {
    san: Vec<String>,
    uci: Vec<String>,
}

#[derive(Serialize)]
struct CaptureDocument {
    path: Vec<Numbers>,
    taken: Vec<Numbers>,
}

#[derive(Serialize)]
struct PieceDocument {
    square: Numbers,
    verdict: &'static str,
}

/// Prints the document of `check`.
pub fn check(results: &CheckResults<'_>, out: &mut Out) -> io::Result<()> {
    let document = CheckDocument { version: 1, files: [], summary: results.summary };
    let document = serde_json::to_string(&document)?;
    let Some((head, tail)) = document.split_once("[]") else {
        unreachable!("the document has a list of files")
    };
    write!(out.stdout, "{head}[")?;
    if let [file] = results.files {
        // One file may be large: parallel by finding.
        write!(out.stdout, "{}", file_head(file)?)?;
        let findings: Vec<_> = file.findings(results.filter).collect();
        write_list(format_chunks(&findings, CHUNK, |some| diagnostics(file, some)), out)?;
        write!(out.stdout, "]}}")?;
    } else {
        let one = |file: &AnalysedFile| {
            let findings: Vec<_> = file.findings(results.filter).collect();
            Ok(format!("{}{}]}}", file_head(file)?, diagnostics(file, &findings)?))
        };
        let some = |files: &[AnalysedFile]| -> io::Result<String> {
            Ok(files.iter().map(one).collect::<io::Result<Vec<String>>>()?.join(","))
        };
        write_list(format_chunks(results.files, FILES_PER_CHUNK, some), out)?;
    }
    writeln!(out.stdout, "]{tail}")
}

/// How many files one thread formats at a time.
const FILES_PER_CHUNK: usize = 16;

fn write_list(items: impl Iterator<Item = io::Result<String>>, out: &mut Out) -> io::Result<()> {
    for (i, text) in items.enumerate() {
        write!(out.stdout, "{}{}", if i > 0 { "," } else { "" }, text?)?;
    }
    Ok(())
}

fn file_head(file: &AnalysedFile) -> io::Result<String> {
    Ok(format!("{{\"path\":{},\"diagnostics\":[", serde_json::to_string(&file.input.path)?))
}

/// A place in the text in which it is shown.
fn shown_range(file: &AnalysedFile, span: Span) -> JsonRange {
    let (text, index) = file.shown();
    range(text, index, file.shown_span(span))
}

/// Findings of one file, separated by commas.
fn diagnostics(file: &AnalysedFile, findings: &[RatedFinding<'_>]) -> io::Result<String> {
    let one = |&(finding, severity, puzzle): &RatedFinding<'_>| {
        serde_json::to_string(&Diagnostic {
            code: finding.code.name(),
            severity: severity.name(),
            message: visible(&finding.message),
            range: shown_range(file, finding.span),
            puzzle: puzzle.and_then(|p| file.name(p)),
        })
    };
    let all: Vec<String> = findings.iter().map(one).collect::<Result<_, _>>()?;
    Ok(all.join(","))
}

/// Prints the document of `solve`.
pub fn solve(files: &[AnalysedFile], plays: &Plays, out: &mut Out) -> io::Result<()> {
    let play = |file: usize| move |start: u32| plays.get(file, start);
    let files = files.iter().enumerate().map(|(i, file)| solve_file(file, &play(i))).collect();
    serde_json::to_writer(&mut out.stdout, &SolveDocument { version: 1, files })?;
    writeln!(out.stdout)
}

fn solve_file<'p>(file: &AnalysedFile, play: &dyn Fn(u32) -> Option<&'p ProblemPlay>) -> SolveFile {
    let text = &file.input.text;
    // A game that cpz does not know is named as the file names it.
    let first_word = |head: Span| {
        let ends = |c: char| c.is_whitespace() || c == '{' || c == '"';
        text[head.range()].split(ends).next().unwrap_or("").to_string()
    };
    let query = |q: &QueryReport, origin| SolveQuery {
        verb: q.verb.id(),
        range: shown_range(file, q.span),
        answer: answer(q, origin, play(q.span.start)),
    };
    let puzzles = file.report.puzzles.iter().map(|p| SolvePuzzle {
        id: p.id_in(&file.input.text).map(String::from),
        name: file.name(p).map(String::from),
        game: p.game.map_or_else(|| first_word(p.head), |g| g.word().to_string()),
        range: shown_range(file, p.span),
        queries: p.queries.iter().map(|q| query(q, p.origin)).collect(),
    });
    SolveFile { path: file.input.path.clone(), puzzles: puzzles.collect() }
}

fn key_document(key: &NamedKey) -> KeyDocument {
    KeyDocument { san: key.mv.san.clone(), uci: key.mv.uci.clone(), mates: key.mates }
}

fn line_document(moves: &[NamedMove]) -> LineDocument {
    LineDocument {
        san: moves.iter().map(|m| m.san.clone()).collect(),
        uci: moves.iter().map(|m| m.uci.clone()).collect(),
    }
}

/// The answer to a query. Squares are counted from `origin`, which is 0 or 1.
fn answer(query: &QueryReport, origin: u8, play: Option<&ProblemPlay>) -> AnswerDocument {
    let square = |s: &Square| [s.x + origin, s.y + origin];
    let squares = |all: &[Square]| all.iter().map(square).collect();
    match &query.outcome {
        Outcome::Undecided(why) => AnswerDocument::Undecided { undecided: why.clone() },
        Outcome::Error(why) => AnswerDocument::Error { error: why.clone() },
        Outcome::Answer(Answer::Solve(solution)) => AnswerDocument::Solve {
            solvable: solution.is_some(),
            moves: solution.as_ref().map(|s| s.iter().map(|c| [square(&c.from), square(&c.to)]).collect()),
        },
        Outcome::Answer(Answer::Count { count, distinct }) => AnswerDocument::Count {
            count: count.map(|n| n.to_string()),
            distinct: distinct.map(|n| n.to_string()),
        },
        Outcome::Answer(Answer::Move(reason)) => {
            AnswerDocument::Move { legal: reason.is_none(), reason: reason.clone() }
        }
        Outcome::Answer(Answer::Mate { status, side, .. }) => {
            AnswerDocument::Mate { status: status.word(), side: side.name() }
        }
        Outcome::Answer(Answer::Line) => AnswerDocument::Line {},
        Outcome::Answer(Answer::Keys { stipulation, keys, complete }) => AnswerDocument::Keys {
            length: stipulation.moves(),
            keys: keys.iter().map(key_document).collect(),
            complete: *complete,
            play: play.map(play_document),
        },
        Outcome::Answer(Answer::Helpmates { stipulation, solutions, complete }) => {
            AnswerDocument::Helpmates {
                length: stipulation.length(),
                count: solutions.len(),
                complete: *complete,
                solutions: solutions.iter().map(|moves| line_document(moves)).collect(),
            }
        }
        Outcome::Answer(Answer::Capture { lines, pieces }) => AnswerDocument::Capture {
            captures: lines
                .iter()
                .map(|l| CaptureDocument { path: squares(&l.path), taken: squares(&l.taken) })
                .collect(),
            pieces: pieces
                .iter()
                .map(|(s, v)| PieceDocument { square: square(s), verdict: v.word() })
                .collect(),
        },
    }
}
