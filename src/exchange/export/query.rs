//! A question with what is written about it, what is verified, and how the two compare.

use crate::export::search::Search;
use cpz_check::analysis::code_docs::entry;
use cpz_check::analysis::{Outcome, PuzzleReport, QueryReport, Severities};
use cpz_rules::games::Answer;
use cpz_text::diagnostic::{Code, Finding, Severity, Span};
use cpz_text::syntax::{Element, Query, TokenKind, Value};

/// What is known of the written answer of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Everything that is written was checked and holds.
    Verified,
    /// Something that is written does not hold, or the question has a flaw such as a cook.
    Wrong,
    /// No answer is written.
    Unanswered,
    /// The search ended without a full answer.
    Undecided,
    /// The query cannot be evaluated.
    Error,
}

impl Verdict {
    /// The word in the output.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Verified => "verified",
            Verdict::Wrong => "wrong",
            Verdict::Unanswered => "unanswered",
            Verdict::Undecided => "undecided",
            Verdict::Error => "error",
        }
    }
}

/// A query of a puzzle that is exported.
pub(crate) struct ExportQuery<'a> {
    /// The query.
    pub query: Query<'a>,
    /// Its result; nothing where its verb is unknown.
    pub report: Option<&'a QueryReport>,
    /// The question as it is written.
    pub asked: &'a str,
    /// The answer as it is written, a string without its quotes.
    pub written: Option<&'a str>,
    /// The remark behind the answer, without its parentheses.
    pub remark: Option<&'a str>,
    /// How the written answer compares with the verified one.
    pub verdict: Verdict,
    /// Whether a finding says that something in it is an error.
    pub is_refuted: bool,
    /// Whether its answer is not known, or not whole, only because the search was short.
    pub lacks_answer: bool,
    /// Whether its verdict is open only because the search was short.
    pub needs_search: bool,
    /// The errors and warnings about it.
    pub findings: Vec<&'a Finding>,
}

impl<'a> ExportQuery<'a> {
    /// Reads a query.
    pub fn read(
        text: &'a str,
        severities: &Severities,
        known: &Known<'a>,
        query: Query<'a>,
    ) -> ExportQuery<'a> {
        let of_query = known.report_of(query.span());
        let remark = query.node().tokens().find(|t| t.kind() == TokenKind::Remark).map(|t| t.text());
        ExportQuery {
            query,
            report: of_query,
            asked: &text[query.asked().range()],
            written: query.answer().map(|answer| written_text(text, answer)),
            remark: remark.map(|text| text[1..text.len() - 1].trim()),
            verdict: of_query.map_or(Verdict::Error, |q| known.verdict(q, severities)),
            is_refuted: of_query.is_none_or(|q| known.is_refuted(q)),
            lacks_answer: of_query.is_some_and(|q| known.search.is_too_short_for(&q.outcome)),
            needs_search: of_query.is_some_and(|q| known.needs_search(q)),
            findings: of_query.map_or_else(Vec::new, |q| known.findings_in(q, severities)),
        }
    }

    /// The verified answer.
    pub fn answer(&self) -> Option<&'a Answer> {
        match &self.report?.outcome {
            Outcome::Answer(answer) => Some(answer),
            Outcome::Undecided(_) | Outcome::Error(_) | Outcome::NotAsked(_) => None,
        }
    }
}

/// The written answer, each solution of a list apart; a list of lists as it stands.
pub(super) fn written_texts<'a>(query: &ExportQuery<'a>) -> Vec<&'a str> {
    let lists = query.query.answer().filter(|answer| matches!(answer, Value::Lists(_)));
    let text = |element| match element {
        Element::Word(token) | Element::String(token) => Some(token.content().0),
        _ => None,
    };
    let texts = lists.and_then(|lists| lists.elements().into_iter().map(text).collect::<Option<Vec<_>>>());
    texts.unwrap_or_else(|| query.written.into_iter().collect())
}

/// The text of an answer: of a string without its quotes, of lists and words as they stand.
fn written_text<'a>(text: &'a str, answer: Value<'a>) -> &'a str {
    match answer.scalar() {
        Some((content, _)) => content,
        None => &text[answer.span().range()],
    }
}

/// Something that was found, shown or not.
struct Found<'a> {
    place: Span,
    code: Code,
    /// The severity of this finding, where it is not that of its code.
    severity: Option<Severity>,
    /// Nothing where it is silenced.
    shown: Option<&'a Finding>,
}

impl Found<'_> {
    /// Whether it is an error by itself, whatever is configured.
    fn is_error(&self) -> bool {
        self.severity.unwrap_or(entry(self.code).severity) == Severity::Error
    }
}

/// What is known of the queries of a puzzle, by their places.
pub(crate) struct Known<'a> {
    report: &'a PuzzleReport,
    search: Search,
    /// Sorted by place.
    found: Vec<Found<'a>>,
}

impl<'a> Known<'a> {
    /// What a report knows after a search.
    pub fn of(report: &'a PuzzleReport, search: Search) -> Known<'a> {
        let shown = report.findings.iter().map(|f| Found {
            place: f.span,
            code: f.code,
            severity: f.severity,
            shown: Some(f),
        });
        let silenced =
            report.silenced.iter().map(|&(code, place)| Found { place, code, severity: None, shown: None });
        let mut found: Vec<Found<'a>> = shown.chain(silenced).collect();
        found.sort_by_key(|f| (f.place.start, f.place.end, f.code));
        Known { report, search, found }
    }

    /// The report of the query at a place.
    fn report_of(&self, place: Span) -> Option<&'a QueryReport> {
        let queries = &self.report.queries;
        let index = queries.partition_point(|q| q.span.start < place.start);
        queries.get(index).filter(|q| q.span.start == place.start)
    }

    /// What was found in a query.
    fn inside(&self, query: &QueryReport) -> impl Iterator<Item = &Found<'a>> {
        let Span { start, end } = query.span;
        let first = self.found.partition_point(|f| f.place.start < start);
        let behind = self.found.partition_point(|f| f.place.start <= end);
        self.found[first..behind].iter().filter(move |f| f.place.end <= end)
    }

    /// The errors and warnings of a query. The verdict says what a short search leaves open.
    fn findings_in(&self, query: &QueryReport, severities: &Severities) -> Vec<&'a Finding> {
        let shown = self.inside(query).filter_map(|f| f.shown);
        let told = shown.filter(|f| !self.search.is_too_short_for_finding(f, &query.outcome));
        told.filter(|f| severities.shown(f) <= Severity::Warning).collect()
    }

    /// Whether the verdict is open only because the search was short.
    fn needs_search(&self, query: &QueryReport) -> bool {
        let mut shown = self.inside(query).filter_map(|f| f.shown);
        self.search.is_too_short_for(&query.outcome)
            || shown.any(|f| self.search.is_too_short_for_finding(f, &query.outcome))
    }

    /// The errors and warnings that belong to no query.
    pub fn other_findings(&self, severities: &Severities) -> Vec<&'a Finding> {
        let queries = &self.report.queries;
        let is_outside = |place: Span| {
            let index = queries.partition_point(|q| q.span.start <= place.start);
            index.checked_sub(1).is_none_or(|i| queries[i].span.end < place.end)
        };
        let shown = self.found.iter().filter(|f| is_outside(f.place)).filter_map(|f| f.shown);
        shown.filter(|f| severities.shown(f) <= Severity::Warning).collect()
    }

    fn verdict(&self, query: &QueryReport, severities: &Severities) -> Verdict {
        let answer = match &query.outcome {
            Outcome::Error(_) => return Verdict::Error,
            Outcome::NotAsked(_) => return Verdict::Unanswered,
            Outcome::Undecided(_) => return Verdict::Undecided,
            Outcome::Answer(answer) => answer,
        };
        let is_undecided = || self.inside(query).any(|f| f.code == Code::Undecided);
        match (query.answered, is_complete(answer)) {
            (false, true) => Verdict::Unanswered,
            (false, false) => Verdict::Undecided,
            (true, _) if self.report.broken => Verdict::Error,
            (true, _) if self.is_flawed(query, severities) => Verdict::Wrong,
            (true, false) => Verdict::Undecided,
            (true, true) if is_undecided() => Verdict::Undecided,
            (true, true) => Verdict::Verified,
        }
    }

    /// Whether a finding about a query is an error or a warning other than that it is undecided. What an author allows
    /// is accepted, but an error is one all the same: a wrong answer does not become right by `allow`.
    fn is_flawed(&self, query: &QueryReport, severities: &Severities) -> bool {
        let is_flaw = |f: &&'a Finding| f.code != Code::Undecided && severities.shown(f) <= Severity::Warning;
        self.inside(query).filter_map(|f| f.shown).any(|f| is_flaw(&f)) || self.is_refuted(query)
    }

    /// Whether a finding about a query is an error by itself, whatever is configured or allowed.
    fn is_refuted(&self, query: &QueryReport) -> bool {
        self.inside(query).any(Found::is_error)
    }
}

/// Whether nothing is missing in an answer.
fn is_complete(answer: &Answer) -> bool {
    match answer {
        Answer::Keys { complete, .. } | Answer::Sequences { complete, .. } => *complete,
        Answer::Count { count, .. } => count.is_some(),
        _ => true,
    }
}
