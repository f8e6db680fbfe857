//! Solutions of solitaire in chess notation, read on the position: what a word leaves out, the board must tell.

use crate::analysis::verbs::capture_words::CaptureWord;
use crate::analysis::verbs::written_answer::ParsedAnswer;
use crate::analysis::verbs::written_words::{NumberedWord, WrittenWord, numbered, wrong_number};
use cpz_rules::board::{Board, Kind, Square, square_name};
use cpz_rules::games::{Game, Position, Step};
use cpz_text::diagnostic::{Code, Finding, Fix, Span};

/// Whether words are captures, whatever the position.
pub(crate) fn are_captures(words: &[WrittenWord<'_>]) -> bool {
    let moves = numbered(words);
    !moves.is_empty() && moves.iter().all(|m| CaptureWord::read(m.word.text, m.word.span).is_some())
}

/// Reads a solution, up to the first step that cannot be read or claims what does not hold.
///
/// # Errors
/// A word that is no capture.
pub fn read_solution(
    words: &[WrittenWord<'_>],
    game: &dyn Game,
    position: Position,
) -> Result<ParsedAnswer, Finding> {
    let mut replay = Replay { game, start: position.clone(), board: position.board, steps: Vec::new() };
    for NumberedWord { number, word } in numbered(words) {
        let due = replay.steps.len() as u32 + 1;
        if let Some(number) = number.filter(|n| n.number != due) {
            return Ok(replay.ends_with(wrong_number(number, due, false)));
        }
        let Some(capture) = CaptureWord::read(word.text, word.span) else {
            let message = format!("`{}` is no capture; write captures as in `d1xb2` or `Nxb2`", word.text);
            return Err(Finding::new(Code::InvalidValue, word.span, message));
        };
        if let Err(finding) = replay.play(&capture) {
            return Ok(replay.ends_with(finding));
        }
    }
    Ok(ParsedAnswer::Steps(replay.steps, None))
}

/// The steps so far, and the board after them.
struct Replay<'g> {
    game: &'g dyn Game,
    start: Position,
    board: Board,
    steps: Vec<(Step, Span)>,
}

impl Replay<'_> {
    fn ends_with(self, finding: Finding) -> ParsedAnswer {
        ParsedAnswer::Steps(self.steps, Some(finding))
    }

    /// Adds the captures of a word.
    fn play(&mut self, word: &CaptureWord) -> Result<(), Finding> {
        let mut from = None;
        for &(taken, to, place) in &word.to {
            let size = self.board.size;
            let squares = from.is_none().then(|| word.start()).flatten().into_iter().chain([to]);
            if let Some(off) = squares.into_iter().find(|s| s.x >= size.w || s.y >= size.h) {
                let message = format!("{} is not on this {size} board", square_name(off, false));
                return Err(Finding::new(Code::OffBoard, word.span, message));
            }
            let start = match from {
                Some(from) => from,
                None => self.start_of(word, taken, to)?,
            };
            let span = if word.to.len() > 1 { place } else { word.span };
            self.steps.push((Step { from: start, to, taken }, span));
            let (a, b) = (self.board.index(start), self.board.index(to));
            if a != b
                && let Some(piece) = self.board.cells[a].take()
            {
                self.board.cells[b] = Some(piece);
            }
            from = Some(to);
        }
        Ok(())
    }

    /// The square of the piece that a word means.
    fn start_of(&self, word: &CaptureWord, taken: Option<Kind>, to: Square) -> Result<Square, Finding> {
        let step = self.steps.len() + 1;
        let fails = |message: String| {
            Finding::new(Code::WrongSolution, word.span, format!("step {step} fails: {message}"))
        };
        let target = square_name(to, false);
        if let Some(start) = word.start() {
            // The replay says where nothing stands.
            return match (word.kind, self.board.at(start)) {
                (Some(kind), Some(piece)) if piece.kind != kind => {
                    let (name, is) = (square_name(start, false), piece.kind.name());
                    let fix = format!("{}{name}x{target}", piece.kind.letter());
                    Err(fails(format!("the piece on {name} is a {is}, not a {}", kind.name())).fix(Fix::new(
                        format!("replace with `{fix}`"),
                        word.span,
                        fix,
                        false,
                    )))
                }
                _ => Ok(start),
            };
        }
        let kind = word.kind.unwrap_or(Kind::Pawn);
        let of_kind = || self.board.pieces().filter(|(_, p)| p.kind == kind).map(|(s, _)| s);
        let able: Vec<Square> =
            of_kind().filter(|&s| word.may_start_on(s) && self.can(s, to, taken)).collect();
        let name = kind.name();
        match able.as_slice() {
            &[only] => Ok(only),
            [] => {
                let mut finding = fails(match of_kind().next() {
                    None => format!("no {name} is left"),
                    Some(_) => format!("no {name} can capture on {target}"),
                });
                let others = self.board.pieces().filter(|&(s, p)| p.kind != kind && self.can(s, to, None));
                let others: Vec<String> = others
                    .map(|(s, p)| format!("the {} on {} can", p.kind.name(), square_name(s, false)))
                    .collect();
                finding.notes = others;
                Err(finding)
            }
            several => {
                let names: Vec<String> = several.iter().map(|&s| square_name(s, false)).collect();
                let message = format!(
                    "step {step} is ambiguous: several pieces can capture on {target}: {}",
                    names.join(", ")
                );
                let fix = |name: &String| {
                    let text = format!("{}{name}x{target}", kind.letter());
                    Fix::new(format!("replace with `{text}`"), word.span, text, false)
                };
                let finding = Finding::new(Code::WrongSolution, word.span, message);
                Err(names.iter().map(fix).fold(finding, Finding::fix))
            }
        }
    }

    /// Whether the next step may be a capture from one square to another.
    fn can(&self, from: Square, to: Square, taken: Option<Kind>) -> bool {
        let mut steps: Vec<Step> = self.steps.iter().map(|s| s.0).collect();
        steps.push(Step { from, to, taken });
        let error = self.game.follow(&self.start, &steps).err();
        from != to && error.is_none_or(|e| e.step >= steps.len())
    }
}
