//! What distinguishes the verbs: a trait, which each verb implements in its own file.

use crate::analysis::binding::Bound;
use crate::analysis::verbs::evaluator::QueryEvaluator;
use crate::analysis::verbs::written_answer::{AnswerPart, ParsedAnswer};
use crate::analysis::verbs::written_words::{WrittenWord, in_cyrillic, phrase, written_words};
use cpz_rules::board::Board;
use cpz_rules::games::{Answer, Question, Undecided};
use cpz_text::diagnostic::{Code, Finding, Fix, Span};
use cpz_text::syntax::{Element, Query, Value, Verb, nearest};

/// The answers that may be written after a verb.
pub(crate) struct ExpectedAnswer {
    /// In a sentence.
    pub description: &'static str,
    /// Those that are single words.
    pub words: &'static [&'static str],
}

/// The sequence that a wrong one is replaced with.
#[derive(Default)]
pub(crate) struct CorrectSequence {
    /// What it is called, for the title of the fix.
    pub name: &'static str,
    /// A sentence about it.
    pub note: Option<String>,
    /// Its text.
    pub text: Option<String>,
}

/// A verb.
pub(crate) trait VerbRules: Sync {
    /// Its keyword.
    fn verb(&self) -> Verb;

    // ---- what is asked

    /// Reads the argument. A verb with an argument puts it into the question.
    ///
    /// # Errors
    /// What is wrong with the argument; no finding where it is missing, which the parser reports.
    fn question(&self, _query: Query<'_>, _bound: &Bound<'_>) -> Result<Question, Vec<Finding>> {
        Ok(Question::of(self.verb()))
    }

    /// Why a query without its argument is not evaluated.
    fn missing_argument(&self) -> &'static str {
        ""
    }

    /// Whether a query itself names the side to move.
    fn names_side(&self, _query: Query<'_>) -> bool {
        false
    }

    /// Whether the argument names squares: then a query asks something else of a mirrored board.
    fn argument_names_squares(&self) -> bool {
        false
    }

    /// Whether castling rights may change the answer.
    fn may_castle(&self, _question: &Question) -> bool {
        false
    }

    // ---- the answer

    /// Works out the answer.
    fn evaluate(
        &self,
        evaluator: &mut QueryEvaluator<'_, '_>,
        question: &Question,
    ) -> Result<Answer, Undecided> {
        evaluator.answer(question)
    }

    /// Reports what an answer says about the puzzle where no answer is written.
    fn report_unanswered(
        &self,
        _evaluator: &mut QueryEvaluator<'_, '_>,
        _query: Query<'_>,
        _answer: &Answer,
    ) {
    }

    /// Reports what the argument claims and what does not hold, where the answer is right.
    fn check_claims(
        &self,
        _evaluator: &mut QueryEvaluator<'_, '_>,
        _query: Query<'_>,
        _question: &Question,
        _answer: &Answer,
    ) {
    }

    // ---- written answers

    /// Whether the squares of an answer are shown.
    fn answers_in_squares(&self) -> bool {
        false
    }

    /// What may be written.
    fn expected(&self) -> ExpectedAnswer;

    /// Reads an answer. Most verbs have words and lists.
    ///
    /// # Errors
    /// What cannot be read in it.
    fn read(&self, value: Value<'_>, bound: &Bound<'_>, board: &Board) -> Result<ParsedAnswer, Vec<Finding>> {
        read_by_form(self, value, bound, board)
    }

    /// Whether words that [`VerbRules::read_text`] does not read may be an answer, for the position to say.
    fn may_be_moves(&self, _words: &[WrittenWord<'_>]) -> bool {
        false
    }

    /// Reads a word in any case.
    fn read_text(&self, text: &str) -> Option<ParsedAnswer> {
        // Source 003 prints some of its verdicts in Russian.
        match text.trim().to_lowercase().as_str() {
            "правда" | "верно" => self.read_word("true"),
            "ложь" | "неверно" => self.read_word("false"),
            word => self.read_word(word),
        }
    }

    /// Reads a word, or several with a space between them, in lower case.
    fn read_word(&self, word: &str) -> Option<ParsedAnswer>;

    /// The word for an answer that is commonly called otherwise; `word` is in lower case.
    fn synonym(&self, _word: &str) -> Option<&'static str> {
        None
    }

    /// Reads a list.
    ///
    /// # Errors
    /// What cannot be read in it.
    fn read_list(
        &self,
        value: Value<'_>,
        _bound: &Bound<'_>,
        _board: &Board,
    ) -> Result<ParsedAnswer, Vec<Finding>> {
        Err(vec![self.unreadable(value.span(), "")])
    }

    /// The finding for an answer that cannot be read, with a fix where `text` nearly is one or is another name of one.
    fn unreadable(&self, span: Span, text: &str) -> Finding {
        let ExpectedAnswer { description, words } = self.expected();
        let finding = Finding::new(Code::InvalidValue, span, format!("expected {description} after `=>`"));
        let synonym = self.synonym(text.trim().to_lowercase().as_str());
        // The fix is about one word, with or without quotes.
        let is_one = (span.end - span.start) as usize <= text.len() + 2;
        match synonym.or_else(|| nearest(text, words.iter().copied()).map(|i| words[i])) {
            Some(word) if is_one => {
                finding.fix(Fix::new(format!("replace with `{word}`"), span, word, false))
            }
            _ => finding,
        }
    }

    /// The finding for words that cannot be read: where the first one is an answer, it is about those behind it.
    fn unreadable_words(&self, value: Value<'_>, text: &str) -> Finding {
        let elements = value.elements();
        if let [Element::Word(token) | Element::String(token), second, ..] = elements.as_slice()
            && let Some(last) = elements.last()
            && self.read_text(token.content().0).is_some()
        {
            let answer = token.content().0;
            let rest = second.span().cover(last.span());
            let message =
                format!("this does not belong to the answer `{answer}`, and begins with no keyword");
            return Finding::new(Code::InvalidValue, rest, message);
        }
        let cyrillic = written_words(value).and_then(|words| in_cyrillic(&words));
        cyrillic.unwrap_or_else(|| self.unreadable(value.span(), text))
    }

    /// The squares and boards of a list that has elements.
    fn list_parts<'t>(&self, _elements: Vec<Element<'t>>) -> Vec<AnswerPart<'t>> {
        Vec::new()
    }

    /// The squares of an answer in words.
    fn word_parts<'t>(&self, _words: &[WrittenWord<'t>]) -> Vec<AnswerPart<'t>> {
        Vec::new()
    }

    /// Compares a written word, number or list of verdicts at `span` with the answer, and reports the difference.
    fn compare(
        &self,
        evaluator: &mut QueryEvaluator<'_, '_>,
        query: Query<'_>,
        span: Span,
        answer: &Answer,
        written: &ParsedAnswer,
    );

    /// The sequence that replaces a wrong one.
    fn correct_sequence(&self, _evaluator: &QueryEvaluator<'_, '_>, _answer: &Answer) -> CorrectSequence {
        CorrectSequence::default()
    }
}

/// Reads an answer as a list or as words, depending on its form.
///
/// # Errors
/// What cannot be read in it.
pub(super) fn read_by_form(
    rules: &(impl VerbRules + ?Sized),
    value: Value<'_>,
    bound: &Bound<'_>,
    board: &Board,
) -> Result<ParsedAnswer, Vec<Finding>> {
    match value {
        Value::Lists(_) => rules.read_list(value, bound, board),
        Value::Word(_) | Value::String(_) | Value::Words(..) => {
            let text = phrase(value).unwrap_or_default();
            rules.read_text(&text).ok_or_else(|| vec![rules.unreadable_words(value, &text)])
        }
    }
}
