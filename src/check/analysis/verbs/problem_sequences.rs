//! The findings about problems whose solutions are whole sequences: the continuations at each ply, and short
//! solutions.

use crate::analysis::defaults::product_of_counts;
use crate::analysis::verbs::answer_writer::sequence_in_names;
use crate::analysis::verbs::evaluator::QueryEvaluator;
use crate::analysis::verbs::problem_findings::{ASIDE, ProblemQuery, is_or_are, listed};
use crate::analysis::verbs::solution_text::sequence_movetext;
use cpz_rules::games::{Answer, NamedMove, ShorterSeries, find_sequences};
use cpz_text::diagnostic::{Code, Finding, Fix};
use cpz_text::syntax::Verb;

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

    /// How many keys or solutions are meant: as many as the numbers behind the stipulation say, or else `solutions`.
    pub(super) fn intended(&self, evaluator: &QueryEvaluator<'_, '_>) -> Option<u32> {
        let own = self.query.ply_counts().and_then(|(text, _)| product_of_counts(text));
        own.filter(|_| self.query.verb() != Some(Verb::SetPlay)).or(evaluator.bound.settings.solutions)
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

    /// Compares the tree of all solutions with the numbers of continuations at each ply, and reports the first difference;
    /// whether there are such numbers.
    pub(super) fn report_counts(&self, evaluator: &mut QueryEvaluator<'_, '_>) -> bool {
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
                evaluator.report(Finding::new(code, self.query.asked(), message));
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
