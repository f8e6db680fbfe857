//! The part of a text that a slip can concern.

use cpz_text::diagnostic::Span;
use cpz_text::syntax::{Keyword, NodeKind, nearest_keyword, parse};

/// The longest part that is looked at, in bytes.
const MAX_UNIT: usize = 6000;

/// The bytes around a finding in which a slip is looked for.
const REACH: usize = 240;

/// The puzzles that a finding may concern, behind the defaults above them.
pub(super) struct Unit {
    /// The defaults of the file above the puzzles, and the puzzles.
    pub text: String,
    /// Where the puzzles begin in `text`.
    begin: usize,
    /// Where they begin in the whole text.
    offset: usize,
    /// Where in `text` a slip is looked for.
    pub focus: std::ops::Range<usize>,
    /// The beginning of the finding in `text`.
    pub at: usize,
    /// Its end.
    pub end: usize,
}

impl Unit {
    /// The part around a finding: from the line that opens its puzzle to the line that opens the next one.
    pub fn around(text: &str, finding: Span) -> Option<Unit> {
        let at = finding.start as usize;
        let heads: Vec<usize> = opening_lines(text).collect();
        // A puzzle that nothing closes goes on behind the next head.
        let is_open = |from: usize, to: usize| !text[from..to].contains('}');
        let here = heads.iter().rposition(|&head| head <= at);
        let mut start = here.map_or(0, |i| heads[i]);
        if let Some(above) = here.and_then(|i| i.checked_sub(1)).map(|i| heads[i])
            && is_open(above, start)
        {
            start = above;
        }
        let mut ends = heads.iter().filter(|&&head| head > at.max(start)).copied().chain([text.len()]);
        let mut end = ends.next().unwrap_or(text.len());
        if is_open(start, end) {
            end = ends.next().unwrap_or(end);
        }
        if end - start > MAX_UNIT {
            return None;
        }
        let above = parse(&text[..start]);
        let properties = above.root().children().filter(|n| n.kind() == NodeKind::Property);
        let mut unit: String = properties.map(|n| format!("{}\n", &text[n.span().range()])).collect();
        let begin = unit.len();
        unit.push_str(&text[start..end]);
        let local = |offset: usize| begin + offset.clamp(start, end) - start;
        let at = local(at);
        // A slip stands in the line of its finding, or in the one before: what closes nothing may be opened there.
        let line = |from: usize| unit[begin..from].rfind('\n').map_or(begin, |i| begin + i);
        let first = line(line(at)).max(at.saturating_sub(REACH));
        let last = unit[at..].find('\n').map_or(unit.len(), |i| at + i);
        let last = last.max(local(finding.end as usize)).min(at + REACH);
        let boundary = |mut i: usize| {
            while !unit.is_char_boundary(i) {
                i -= 1;
            }
            i
        };
        let focus = boundary(first.min(unit.len()))..boundary(last.min(unit.len()));
        Some(Unit { begin, offset: start, focus, at, end: local(finding.end as usize), text: unit })
    }

    /// A range of `text` in the whole text.
    pub fn span_of(&self, from: usize, to: usize) -> Span {
        let global = |i: usize| (i - self.begin + self.offset) as u32;
        Span::new(global(from), global(to))
    }

    /// Whether a place belongs to the puzzles.
    pub fn has(&self, at: usize) -> bool {
        at >= self.begin
    }
}

/// The offsets of the lines whose first word is a game, or nearly so.
fn opening_lines(text: &str) -> impl Iterator<Item = usize> + '_ {
    let mut offset = 0;
    text.split_inclusive('\n').filter_map(move |line| {
        let start = offset;
        offset += line.len();
        let word = line.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        is_game(word).then_some(start)
    })
}

/// Whether a word opens a puzzle, as far as one can read it.
fn is_game(word: &str) -> bool {
    word.len() > 3 && nearest_keyword(word, |k| matches!(k, Keyword::Game(_))).is_some()
}
