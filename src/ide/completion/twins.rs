//! Completions of the changes of a twin: their words, the squares of the men as they stand there, and pieces.

use crate::completion::item::{Completion, CompletionKind, InsertionPoint};
use crate::completion::keywords;
use cpz_check::analysis::{Bound, position_of, read_twin, twin_before};
use cpz_rules::board::{Board, Colour, Kind, Square, chess_square, square_name};
use cpz_rules::games::Change;
use cpz_text::syntax::{ProblemKind, Query, Token, TokenKind, Verb, verb_before_in};

/// The words with which a change begins, and what it does.
const HEADS: [(&str, &str); 9] = [
    ("remove", "takes men away"),
    ("add", "puts a man on an empty square"),
    ("exchange", "two men change places"),
    ("shift", "all men go as far as from one square to another"),
    ("rotate", "turns the board"),
    ("mirror", "mirrors the board so that one corner becomes another"),
    ("swap colours", "all men change their colours"),
    ("substitute", "all men of a kind become men of another"),
    ("turn", "the side that begins"),
];

/// What may be written next in the twin at the cursor; None outside of twins. `same_line` is the last token on the line.
pub(super) fn changes(
    point: &InsertionPoint<'_>,
    bound: &Bound<'_>,
    same_line: Option<Token<'_>>,
) -> Option<Vec<Completion>> {
    let words = twin_words(point, same_line)?;
    let twins = bound.puzzle.queries().filter(|q| q.verb() == Some(Verb::Twin));
    let query = twins.take_while(|q| q.span().start < point.start).last()?;
    let letters = letters_before(bound, query);
    let words: Vec<&str> = words.iter().map(|token| token.text()).collect();
    let behind_letter = match words.as_slice() {
        [] => return Some(vec![next_letter(point, &letters)]),
        [letter, rest @ ..] if letter.ends_with(':') => rest,
        [_, ":" | ")", rest @ ..] => rest,
        [_, rest @ ..] => rest,
    };
    let comma = behind_letter.iter().rposition(|word| *word == ",");
    let change = comma.map_or(behind_letter, |at| &behind_letter[at + 1..]);
    let diagram = position_of(bound)?.board;
    let Some(state) = twin_before(query, bound, &diagram, point.start) else { return Some(Vec::new()) };
    let twin = Twin { point, board: &state.board };
    let mut found = twin.next(change);
    if change.is_empty() && comma.is_none() {
        let from = |letter: &&str| twin.goes_on(&format!("from {letter}"));
        found.extend(letters.iter().map(|letter| Completion { rank: 2, ..from(letter) }));
    }
    if let [word, rest @ ..] = change
        && verb_before_in(word).is_some()
    {
        match rest {
            [] => found.extend(keywords::problem_lengths(point, "in ")),
            ["in"] => found.extend(keywords::problem_lengths(point, "")),
            _ => {}
        }
    }
    if let ["from"] = change {
        found.extend(letters.iter().map(|letter| twin.goes_on(letter)));
    }
    Some(found)
}

/// The words of the twin before the cursor, without those of trivia; None where the cursor is in none, or in its answer.
fn twin_words<'t>(point: &InsertionPoint<'_>, same_line: Option<Token<'t>>) -> Option<Vec<Token<'t>>> {
    let mut words = Vec::new();
    for token in std::iter::successors(same_line, |t| t.previous()) {
        if token.kind().is_trivia() {
            if token.kind() == TokenKind::Comment || token.text().contains(['\n', '\r']) {
                return None;
            }
            continue;
        }
        match token.kind() {
            TokenKind::Word if token.text() == Verb::Twin.word() => {
                // The letter may stand directly behind `twin` only in what is no twin.
                return (token.span().end < point.start).then(|| {
                    words.reverse();
                    words
                });
            }
            TokenKind::Word | TokenKind::Comma | TokenKind::RParen => words.push(token),
            _ => return None,
        }
    }
    None
}

/// The letters of the twins before a twin.
fn letters_before<'t>(bound: &Bound<'t>, query: Query<'_>) -> Vec<&'t str> {
    let before = bound.puzzle.queries().take_while(|q| q.span().start < query.span().start);
    let twins = before.filter(|q| q.verb() == Some(Verb::Twin));
    twins.filter_map(|q| Some(read_twin(q).ok()?.letter.0)).collect()
}

/// The letter that follows those of other twins.
fn next_letter(point: &InsertionPoint<'_>, letters: &[&str]) -> Completion {
    let free = ('b'..='z').find(|c| !letters.contains(&c.to_string().as_str())).unwrap_or('z');
    point.item(CompletionKind::Value, &format!("{free}:"), "the letter of the twin")
}

/// A twin that is being written.
struct Twin<'a> {
    point: &'a InsertionPoint<'a>,
    /// Its men after the changes before the one at the cursor.
    board: &'a Board,
}

impl Twin<'_> {
    fn value(&self, text: &str, detail: &str) -> Completion {
        self.point.item(CompletionKind::Value, text, detail)
    }

    /// The twin from which this one goes on; its changes follow behind a comma.
    fn goes_on(&self, words: &str) -> Completion {
        let text = format!("{words},");
        self.point.item_writing(CompletionKind::Value, words, text, "goes on from this twin")
    }

    /// What may follow the words of a change.
    fn next(&self, change: &[&str]) -> Vec<Completion> {
        match *change {
            [] => self.first(),
            ["add"] | ["turn"] => {
                [Colour::White, Colour::Black].map(|c| self.value(c.name(), "a colour")).to_vec()
            }
            ["add", _] => self.kinds(Kind::ALL),
            ["add", _, _] => self.empty_squares(),
            ["remove", ref others @ ..] => self.men(others),
            ["exchange"] => self.men(&[]),
            ["exchange", first] => self.men(&[first]),
            ["shift"] => self.men(&[]),
            ["shift", from] => chess_square(from).map_or_else(Vec::new, |from| {
                self.squares(|to| to != from && self.can(Change::Shift(from, to)), "where it comes to stand")
            }),
            ["rotate"] => ["90", "180", "270"].map(|angle| self.value(angle, "degrees")).to_vec(),
            ["mirror"] => Change::MIRRORS
                .map(|(a, b)| format!("{} {}", square_name(a, false), square_name(b, false)))
                .map(|pair| self.value(&pair, "this corner becomes that one"))
                .to_vec(),
            ["mirror", from] => chess_square(from).map_or_else(Vec::new, |from| {
                self.squares(|to| Change::is_mirror(from, to), "the corner that it becomes")
            }),
            ["swap"] => vec![self.value("colours", "all men change their colours")],
            ["substitute"] => self.kinds(
                Kind::ALL.into_iter().filter(|kind| self.board.pieces().any(|(_, p)| p.kind == *kind)),
            ),
            ["substitute", from] => self.kinds(Kind::ALL.into_iter().filter(|kind| kind.name() != from)),
            [man] if is_kind(man) => self.empty_squares(),
            [man, _] if is_kind(man) => vec![self.value("for", "in place of the man of a square")],
            [man, _, "for"] if is_kind(man) => self.men(&[]),
            [from] if chess_square(from).is_some() => vec![self.value("to", "where the man goes")],
            [from, "to"] => chess_square(from).map_or_else(Vec::new, |from| {
                let mut found = self.empty_squares();
                let others = self.board.pieces().filter(|(square, _)| *square != from);
                found.extend(others.map(|(square, man)| {
                    let detail = format!("takes the {man}");
                    Completion { rank: 2, ..self.square(square, &detail) }
                }));
                found
            }),
            _ => Vec::new(),
        }
    }

    /// What may begin a change: its word, the square of a man that goes elsewhere, a man for another one, or what is asked.
    fn first(&self) -> Vec<Completion> {
        let mut found: Vec<Completion> = HEADS.iter().map(|(word, does)| self.value(word, does)).collect();
        found.extend(self.men(&[]));
        let kinds = self.kinds(Kind::ALL).into_iter();
        found.extend(kinds.map(|c| Completion { rank: 3, detail: "stands for another man".into(), ..c }));
        let asked = |kind: &ProblemKind| self.value(&format!("{} in", kind.word()), "asks this");
        let kinds = [ProblemKind::MATE, ProblemKind::SELFMATE, ProblemKind::HELPMATE];
        found.extend(kinds.iter().map(|kind| Completion { rank: 3, ..asked(kind) }));
        found
    }

    fn kinds(&self, kinds: impl IntoIterator<Item = Kind>) -> Vec<Completion> {
        let kinds = kinds.into_iter().filter(|kind| *kind != Kind::Man);
        kinds.map(|kind| self.value(kind.name(), "a piece")).collect()
    }

    fn square(&self, square: Square, detail: &str) -> Completion {
        self.point.item(CompletionKind::Square, &square_name(square, false), detail)
    }

    /// The squares of the men, without those that are named.
    fn men(&self, without: &[&str]) -> Vec<Completion> {
        let men = self.board.pieces().map(|(square, man)| self.square(square, &man.to_string()));
        men.filter(|item| !without.contains(&item.label.as_str())).collect()
    }

    fn empty_squares(&self) -> Vec<Completion> {
        self.squares(|square| self.board.at(square).is_none(), "empty square")
    }

    fn squares(&self, wanted: impl Fn(Square) -> bool, detail: &str) -> Vec<Completion> {
        let all = (0..self.board.cells.len()).map(|cell| self.board.square(cell));
        all.filter(|square| wanted(*square)).map(|square| self.square(square, detail)).collect()
    }

    fn can(&self, change: Change) -> bool {
        change.apply(&mut self.board.clone()).is_ok()
    }
}

fn is_kind(word: &str) -> bool {
    Kind::ALL
        .into_iter()
        .any(|kind| kind != Kind::Man && (kind.name() == word || kind.letter().to_string() == word))
}
