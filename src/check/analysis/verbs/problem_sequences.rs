//! The findings about problems whose solutions are whole sequences: the continuations at each ply, and short
//! solutions.

use crate::analysis::defaults::intended_number;
use crate::analysis::verbs::answer_writer::sequence_in_names;
use crate::analysis::verbs::evaluator::QueryEvaluator;
use crate::analysis::verbs::problem_findings::{ASIDE, ProblemQuery, is_or_are, listed};
use crate::analysis::verbs::solution_text::sequence_movetext;
use crate::analysis::verbs::solution_texts::solution_texts;
use cpz_rules::games::{Answer, NamedMove, ShorterSeries, find_sequences};
use cpz_text::diagnostic::{Code, Edit, Finding, Fix, Span};
use cpz_text::syntax::{Property, Value, Verb};

impl ProblemQuery<'_, '_> {
    /// The intended numbers of continuations at each ply: those behind the stipulation, or else those of `solutions`.
    fn counts(&self, evaluator: &QueryEvaluator<'_, '_>) -> Option<Vec<usize>> {
        if self.query.verb() == Some(Verb::SetPlay) {
            return None;
        }
        let own = self.query.ply_counts().map(|(text, _)| text);
        let text = own.or_else(|| evaluator.bound.puzzle.ply_counts())?;
        text.split('.').map(|number| number.parse().ok()).collect()
    }

    /// How many keys or solutions are meant, where something says so.
    pub(super) fn intended(&self, evaluator: &QueryEvaluator<'_, '_>) -> Option<u32> {
        intended_number(self.query, evaluator.bound.settings.solutions)
    }

    /// Reports more numbers of continuations behind a stipulation than its solutions have plies.
    fn report_more_counts(&self, evaluator: &mut QueryEvaluator<'_, '_>, counts: &[usize]) {
        let plies = self.stipulation.sequence_len();
        let Some((text, span)) = self.query.ply_counts().filter(|_| counts.len() > plies) else { return };
        let message = format!("these are {} numbers, but a solution has {plies} plies", counts.len());
        let (at, _) = text.match_indices('.').nth(plies - 1).unwrap_or((text.len(), ""));
        let fewer = &text[..at];
        let fix = Fix::new(format!("make it `{fewer}` (if the length is right)"), span, fewer, false);
        evaluator.report(Finding::new(Code::InvalidValue, span, message).fix(fix));
    }

    /// The fix that writes the numbers that the solutions have, and those solutions that a written answer leaves out; none where
    /// the numbers differ within a ply, or are those of other questions too.
    fn counts_fix(&self, evaluator: &QueryEvaluator<'_, '_>, missing: &[String]) -> Option<Fix> {
        let puzzle = evaluator.bound.puzzle;
        let of_puzzle = || {
            let own = puzzle.properties().find(|own| own.name() == Some(Property::Solutions))?;
            own.value()?.scalar().filter(|_| puzzle.queries().count() == 1)
        };
        let (_, span) = self.query.ply_counts().or_else(of_puzzle)?;
        let number = |ply: usize| {
            let groups = self.solutions().chunk_by(|a, b| a[..ply] == b[..ply]);
            let numbers = groups.map(|same| same.chunk_by(|a, b| a[ply] == b[ply]).count());
            numbers.map(Some).reduce(|a, b| a.filter(|_| a == b)).flatten()
        };
        let numbers: Vec<String> = (0..self.stipulation.sequence_len())
            .map(|ply| Some(number(ply)?.to_string()))
            .collect::<Option<_>>()?;
        let numbers = numbers.join(".");
        let written = match (self.query.answer(), missing) {
            (None, _) | (_, []) => Vec::new(),
            _ => self.with_missing(missing)?,
        };
        let more = if written.is_empty() { "" } else { " and write all solutions" };
        let title = format!("replace with `{numbers}`{more} (if they are intended)");
        let edits = [Edit { span, text: numbers }].into_iter().chain(written).collect();
        Some(Fix { title, edits, safe: false })
    }

    /// The edits that write keys or solutions behind those of a written answer, which stays as it is: they make a list of it. None
    /// where nothing is missing, and for a text over lines, which is in no list.
    pub(super) fn with_missing(&self, missing: &[String]) -> Option<Vec<Edit>> {
        let (answer, tree) = (self.query.answer().filter(|_| !missing.is_empty())?, self.query.node().tree());
        let item = |name: &String| match self.has_sequences() {
            true => format!("\"{name}\""),
            false => name.trim_start_matches("1.").to_string(),
        };
        let more = missing.iter().map(item).collect::<Vec<_>>().join(", ");
        let (span, text) = (answer.span(), &tree.text()[answer.span().range()]);
        let insert = |at: u32, text: String| Edit { span: Span::at(at), text };
        match answer {
            Value::Lists(_) => {
                let before = text.strip_suffix(']')?.trim_end();
                let comma = if before.ends_with(',') { " " } else { ", " };
                Some(vec![insert(span.start + before.len() as u32, format!("{comma}{more}"))])
            }
            _ if text.contains(['\n', '\r']) => None,
            Value::Word(_) | Value::String(_) => {
                Some(vec![insert(span.start, "[".into()), insert(span.end, format!(", {more}]"))])
            }
            // In a list each bare word would be a solution.
            Value::Words(..) if text.contains(['"', '\'']) || text.contains("//") => None,
            Value::Words(..) => {
                let own = solution_texts(answer, self.has_sequences());
                let own: Vec<String> =
                    own.iter().map(|own| format!("\"{}\"", own.text.trim_end_matches(','))).collect();
                Some(vec![Edit { span, text: format!("[{}, {more}]", own.join(", ")) }])
            }
        }
    }

    /// Compares the tree of all solutions with the numbers of continuations at each ply, and reports the first difference;
    /// whether there are such numbers. `missing` names the solutions that are not written.
    pub(super) fn report_counts(&self, evaluator: &mut QueryEvaluator<'_, '_>, missing: &[String]) -> bool {
        let Some(counts) = self.counts(evaluator).filter(|_| self.has_sequences()) else { return false };
        let asked = self.stipulation;
        self.report_more_counts(evaluator, &counts);
        for (ply, &due) in counts.iter().enumerate().take(asked.sequence_len()) {
            for line in self.solutions() {
                let before = &line[..ply];
                let same = self.solutions().iter().filter(|other| other[..ply] == *before);
                let mut next: Vec<&NamedMove> = same.map(|other| &other[ply]).collect();
                next.dedup();
                if next.len() == due {
                    continue;
                }
                let place = match before {
                    [] => "at the first ply".to_string(),
                    _ => format!("after {}", sequence_in_names(asked, before)),
                };
                let (number, is_reply) = asked.number_of(ply);
                let dots = if is_reply { "..." } else { "." };
                let names: Vec<String> = next.iter().map(|mv| format!("{number}{dots}{}", mv.san)).collect();
                let message = format!(
                    "{} {} {place}, but {due} {} intended: {}",
                    next.len(),
                    if next.len() == 1 { "continuation" } else { "continuations" },
                    is_or_are(due),
                    listed(&names)
                );
                let code = if next.len() > due { Code::Cook } else { Code::WrongAnswer };
                let mut finding = Finding::new(code, self.query.asked(), message);
                finding.fixes.extend(self.counts_fix(evaluator, missing).filter(|_| code == Code::Cook));
                evaluator.report(finding);
                return true;
            }
        }
        true
    }

    /// Reports that the goal is forced in fewer moves; whether it is.
    pub(super) fn report_short_keys(&self, evaluator: &mut QueryEvaluator<'_, '_>) -> bool {
        let shortest = self.keys().iter().min_by_key(|k| k.mates);
        let key = shortest.filter(|k| k.mates < self.stipulation.moves());
        if let Some(key) = key {
            let shorter = self.stipulation.with_moves(key.mates);
            let (short, place) = (shorter.in_words(), self.query.length());
            let message = format!("{short} is forced already: 1.{}", key.mv.san);
            let finding =
                Finding::new(Code::ShortSolution, place.map_or(self.query.asked(), |p| p.1), message);
            // Keys that are written and need more moves would be wrong.
            let is_written =
                self.query.has_arrow() && self.keys().iter().any(|other| other.mates > key.mates);
            evaluator.report(match is_written {
                true => finding,
                false => self.with_length(evaluator, finding, shorter),
            });
        }
        key.is_some()
    }

    /// Reports that fewer moves of help play or of a series are enough; whether they are.
    pub(super) fn report_short_sequence(&self, evaluator: &mut QueryEvaluator<'_, '_>) -> bool {
        // Set play has the length that the problem gives it.
        if self.query.verb() == Some(Verb::SetPlay) {
            return false;
        }
        let position = evaluator.asked_position();
        let known = match &self.answer {
            Answer::Sequences { shorter, .. } => shorter,
            _ => &ShorterSeries::Unknown,
        };
        if known == &ShorterSeries::None {
            return false;
        }
        for shorter in self.stipulation.shorter() {
            let solution = match known {
                ShorterSeries::First(line) => (line.len() == shorter.sequence_len()).then(|| line.clone()),
                _ => {
                    let found = evaluator
                        .search_within(ASIDE, |_, _, budget| find_sequences(&position, shorter, budget));
                    found.ok().and_then(|found| found.solutions.into_iter().next())
                }
            };
            let Some(solution) = solution else { continue };
            let (short, place) = (shorter.in_words(), self.query.length());
            let message = format!("{short} is enough: {}", sequence_movetext(&position, shorter, &solution));
            let span = place.map_or(self.query.asked(), |p| p.1);
            let finding = Finding::new(Code::ShortSolution, span, message);
            // Solutions that are written have the length that is asked.
            evaluator.report(match self.query.has_arrow() {
                true => finding,
                false => self.with_length(evaluator, finding, shorter),
            });
            return true;
        }
        false
    }
}
