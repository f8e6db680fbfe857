//! What the segments report, put together for the whole text.

use crate::analysis::config::Severities;
use crate::analysis::file_report::{FileReport, PuzzleReport};
use crate::analysis::segments::{CleanPuzzle, Pending, PuzzlePlace, Segment, SegmentedText};
use cpz_text::diagnostic::{Code, Finding, Severity, Span};

/// The worst findings of a text, and the number of its others of each severity.
pub type WorstFindings = (Vec<Finding>, Vec<(Severity, usize)>);

impl SegmentedText {
    /// The report of the text, without puzzles that have no findings. `duplicates` are findings to add to puzzles, in
    /// order.
    pub fn report(&self, severities: &Severities, duplicates: &[(PuzzlePlace, Finding)]) -> FileReport {
        let mut report = FileReport::of(Vec::new());
        report.severities = *severities;
        let (mut number, mut start) = (0u32, 0u32);
        let mut duplicates = duplicates.iter().peekable();
        for chunk in &self.chunks {
            let next_chunk = number + chunk.segments.len() as u32;
            if chunk.reported == 0 && duplicates.peek().is_none_or(|d| d.0.segment >= next_chunk) {
                (number, start) = (next_chunk, start + chunk.bytes);
                continue;
            }
            for segment in &chunk.segments {
                let first = report.puzzles.len();
                let allows_above = self.defaults[segment.defaults as usize].allows;
                if let Some(found) = &segment.report {
                    let by = i64::from(start);
                    let shifted = |f: &Finding| {
                        let mut finding = f.clone();
                        finding.shift(by);
                        finding
                    };
                    report.top.extend(found.top.iter().map(shifted));
                    report.allows.extend(found.allows.iter().map(|a| a.shifted(by)));
                    report.puzzles.extend(found.puzzles.iter().map(|p| {
                        let mut puzzle = p.clone();
                        puzzle.shift(by);
                        // The words of this segment are counted already.
                        puzzle.file_allows += allows_above;
                        puzzle
                    }));
                }
                while let Some((place, finding)) = duplicates.next_if(|d| d.0.segment == number) {
                    if segment.report.is_none() && report.puzzles.len() == first {
                        report.puzzles.push(segment.clean.report(start, allows_above));
                    }
                    if let Some(puzzle) = report.puzzles.get_mut(first + place.puzzle as usize) {
                        puzzle.findings.push(finding.clone());
                    }
                }
                (number, start) = (number + 1, start + segment.len);
            }
        }
        report
    }

    /// The name of the puzzle at each of some offsets in ascending order, with quotes; nothing where there is no puzzle
    /// or it has no name.
    pub fn names_at(&self, offsets: impl Iterator<Item = u32>) -> Vec<Option<Span>> {
        let mut offsets = offsets.peekable();
        let (mut names, mut start) = (Vec::new(), 0);
        for chunk in &self.chunks {
            let end = start + chunk.bytes;
            if offsets.peek().is_none_or(|&at| at >= end) {
                start = end;
                continue;
            }
            for segment in &chunk.segments {
                let next = start + segment.len;
                while let Some(at) = offsets.next_if(|&at| at < next) {
                    names.push(segment.name_at(at.saturating_sub(start)).map(|mut name| {
                        name.shift(start.into());
                        name
                    }));
                }
                start = next;
            }
        }
        names.extend(offsets.map(|_| None));
        names
    }

    /// Whether there is an `allow`.
    pub fn allows_something(&self) -> bool {
        self.chunks.iter().any(|c| c.allows)
    }

    /// At least `max` findings, the worst first, or all. Nothing where there is an `allow`, which must be applied to all
    /// findings. The cost depends on the number of findings, not on the length of the text.
    pub fn worst(&self, severities: &Severities, max: usize) -> Option<WorstFindings> {
        if self.allows_something() {
            return None;
        }
        let is_on = |code: Code| severities.of(code).is_some();
        let codes = || self.chunks.iter().flat_map(|c| &c.codes).filter(|c| is_on(c.0));
        let (mut found, mut others) = (Vec::new(), Vec::new());
        for severity in [Severity::Error, Severity::Warning, Severity::Hint] {
            let is_wanted = |code: Code| is_on(code) && severities.of_shown(code) == severity;
            let (mut start, before) = (0, found.len());
            for chunk in &self.chunks {
                if found.len() >= max {
                    break;
                }
                if chunk.codes.iter().any(|c| is_wanted(c.0)) {
                    let mut start = start;
                    for segment in &chunk.segments {
                        let here = segment.report.iter().flat_map(|r| r.findings());
                        found.extend(here.filter(|f| is_wanted(f.code)).map(|f| {
                            let mut finding = f.clone();
                            finding.shift(start.into());
                            finding
                        }));
                        start += segment.len;
                    }
                }
                start += chunk.bytes;
            }
            let all: usize = codes().filter(|c| is_wanted(c.0)).map(|c| c.1 as usize).sum();
            others.push((severity, all - (found.len() - before)));
        }
        Some((found, others))
    }

    /// The puzzles whose searches ended at the quick node limit, in order.
    pub fn pending(&self) -> Vec<Pending> {
        let mut found = Vec::new();
        let mut start = 0;
        for chunk in &self.chunks {
            if chunk.reported > 0 {
                let mut start = start;
                for segment in &chunk.segments {
                    let here = segment.report.iter().flat_map(|r| &r.pending);
                    found.extend(here.map(|p| Pending { key: p.key, offset: start + p.offset }));
                    start += segment.len;
                }
            }
            start += chunk.bytes;
        }
        found
    }
}

impl Segment {
    /// The name of its puzzle at an offset that counts from its start.
    fn name_at(&self, offset: u32) -> Option<Span> {
        let inside = |p: &&PuzzleReport| p.span.start <= offset && offset < p.span.end;
        match &self.report {
            Some(report) => report.puzzles.iter().find(inside)?.name,
            None => self.clean.name().filter(|_| self.clean.head.start <= offset),
        }
    }
}

impl CleanPuzzle {
    /// The parts of its report that findings about duplicates need.
    fn report(&self, start: u32, file_allows: u32) -> PuzzleReport {
        let mut report = PuzzleReport::empty(self.head, self.head);
        report.name = self.name();
        (report.id, report.id_hash) = (self.id(), self.id_hash);
        report.identity = self.identity();
        report.file_allows = file_allows;
        report.shift(start.into());
        report
    }
}
