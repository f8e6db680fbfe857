//! What the segments report, put together for the whole text.

use crate::analysis::config::Severities;
use crate::analysis::report::{FileReport, PuzzleReport};
use crate::analysis::segments::{CleanPuzzle, Pending, PuzzlePlace, SegmentedText};
use crate::diagnostic::{Code, Finding, Severity};

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

    /// Whether there is an `allow`.
    pub fn allows_something(&self) -> bool {
        self.chunks.iter().any(|c| c.allows)
    }

    /// At least `max` findings, the worst first, or all; and the number of the others. Nothing where there is an `allow`,
    /// which must be applied to all findings. The cost depends on the number of findings, not on the length of the text.
    pub fn worst(&self, severities: &Severities, max: usize) -> Option<(Vec<Finding>, usize)> {
        if self.allows_something() {
            return None;
        }
        let is_on = |code: Code| severities.of(code).is_some();
        let codes = || self.chunks.iter().flat_map(|c| &c.codes).filter(|c| is_on(c.0));
        let total: usize = codes().map(|c| c.1 as usize).sum();
        let mut found = Vec::new();
        for severity in [Severity::Error, Severity::Warning, Severity::Hint] {
            let is_wanted = |code: Code| is_on(code) && severities.shown(code) == severity;
            let mut start = 0;
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
        }
        let others = total - found.len();
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

impl CleanPuzzle {
    /// The parts of its report that findings about duplicates need.
    fn report(&self, start: u32, file_allows: u32) -> PuzzleReport {
        let mut report = PuzzleReport::empty(self.head, self.head);
        report.name = self.name();
        report.identity = self.identity();
        report.file_allows = file_allows;
        report.shift(start.into());
        report
    }
}
