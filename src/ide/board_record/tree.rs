//! The solution of a problem that has keys: the key, and then the defences one after the other, each with its answer.

use crate::board_record::asked::{Asked, first_answer};
use cpz_check::analysis::{Bound, Due, TreeSpot, WrittenTree, claims_nothing};
use cpz_rules::board::{Colour, Square};
use cpz_rules::games::{
    Budget, ChessMove, Play, Position, ProblemKind, Prover, Stipulation, after_move, legal_moves, san,
};
use cpz_text::diagnostic::{Edit, Span};
use cpz_text::syntax::{Query, Value};

/// The nodes that finding the next place may take. A constant, so that the board which is shown and the move which is made
/// on it agree about the place.
const PLACE_NODES: u64 = 1_000_000;

/// The most moves that a sentence names.
const MAX_NAMED: usize = 6;

/// The written tree of a problem, and where it goes on.
pub(super) struct TreeMoves {
    pub asked: Asked,
    /// The tree without quotes, with the number of its first move; nothing where no answer is written.
    text: String,
    /// The answer as it is written.
    answer: Option<WrittenAnswer>,
    pub spot: TreeSpot,
    /// The number of moves that are written.
    pub moves: usize,
    /// Whether a key is among them.
    has_key: bool,
}

/// What becomes of a move of the side that solves the problem.
pub(super) enum Played {
    /// It is a part of the solution; what is said of it, empty where the budget ran out.
    Solves(String),
    /// It is none, for this reason.
    Fails(String),
    /// It is none, for this reason, and a first move that one reply refutes.
    Try { why: String, refutation: ChessMove, name: String },
}

/// How an answer is written.
#[derive(Clone, Copy)]
struct WrittenAnswer {
    /// The place of the moves, without quotes.
    span: Span,
    is_quoted: bool,
}

impl TreeMoves {
    /// Reads the answer of a query.
    ///
    /// # Errors
    /// Why no move can be added to it, for the user.
    pub fn read(bound: &Bound<'_>, query: Query<'_>) -> Result<TreeMoves, String> {
        let asked = Asked::read(bound, query)?;
        let name = &asked.name;
        if claims_nothing(bound, query) {
            return Err(format!("`none` is written as the answer of {name}; remove it first"));
        }
        let source = query.node().tree().text();
        let (mut text, mut answer) = (String::new(), None);
        match query.answer() {
            None => {}
            Some(Value::Lists(_)) => {
                return Err(format!("the keys of {name} are written as a list; write variations by hand"));
            }
            Some(Value::String(token)) => {
                let (content, span) = token.content();
                text = content.to_string();
                answer = Some(WrittenAnswer { span, is_quoted: true });
            }
            Some(value) => {
                let span = value.span();
                let written = source.get(span.range()).unwrap_or_default();
                let is_numbered = written.starts_with(|c: char| c.is_ascii_digit());
                let number = if is_numbered { String::new() } else { format!("{} ", first_number(&asked)) };
                text = format!("{number}{written}");
                answer = Some(WrittenAnswer { span, is_quoted: false });
            }
        }
        let tree = WrittenTree::read(&text, &asked.start, asked.stipulation);
        let spot = tree.spot(asked.intended, &Budget::new(PLACE_NODES, None));
        let spot = spot.map_err(|why| format!("{why}; correct the answer of {} first", asked.name))?;
        let (moves, has_key) = (tree.moves(), tree.has_key());
        Ok(TreeMoves { asked, text, answer, spot, moves, has_key })
    }

    /// The moves that can be made.
    pub fn legal(&self) -> Vec<ChessMove> {
        let mut moves = match self.spot.due {
            Due::Nothing if !self.spot.line.is_empty() => Vec::new(),
            _ => legal_moves(&self.spot.position),
        };
        moves.retain(|mv| !self.spot.written.contains(mv));
        if let Due::Defence(_) = self.spot.due
            && let Ok(replies) = self.prover(&Budget::new(PLACE_NODES, None)).replies(&self.spot.position)
        {
            moves.retain(|mv| replies.contains(mv));
        }
        moves
    }

    fn prover<'b>(&self, budget: &'b Budget<'_>) -> Prover<'b> {
        Prover::new(self.asked.stipulation, self.asked.start.turn, budget)
    }

    /// What a move does.
    pub fn played(&self, mv: ChessMove, budget: &Budget<'_>) -> Played {
        let (spot, asked) = (&self.spot, self.asked.stipulation);
        let made = (spot.line.len() / 2 + 1) as u8;
        if let Due::Defence(_) = spot.due {
            let reaches = self.prover(budget).is_goal_of_reply(&spot.position, mv);
            return Played::Solves(if reaches { reached(&self.asked) } else { String::new() });
        }
        let left = asked.moves().saturating_sub(made);
        match self.prover(budget).after_attack(&spot.position, mv, left) {
            Ok(None) => self.fails(mv, left, budget),
            _ if spot.due == Due::Nothing => {
                Played::Fails(format!("the solution of {} is complete", self.asked.name))
            }
            Ok(Some(0)) if !asked.play().is_against_itself() => Played::Solves(reached(&self.asked)),
            Ok(Some(_)) => Played::Solves(format!("keeps the {}", asked.with_moves(left + 1).in_words())),
            Err(_) => Played::Solves(String::new()),
        }
    }

    /// Why a legal move cannot be added, for the user; nothing if it can, or is not legal.
    pub fn why_not(&self, from: Square, to: Square) -> Option<String> {
        let written = self.spot.written.iter().find(|mv| (mv.from, mv.to) == (from, to));
        match written {
            Some(&mv) => {
                let name = self.numbered(self.spot.line.len(), &self.spot.position, mv);
                Some(format!("{name} is written already"))
            }
            None if self.spot.due == Due::Nothing => {
                Some(format!("the solution of {} is complete", self.asked.name))
            }
            None => None,
        }
    }

    /// Why a move of the attacker is no part of a solution, and whether it is a try.
    fn fails(&self, mv: ChessMove, left: u8, budget: &Budget<'_>) -> Played {
        let (spot, after) = (&self.spot, after_move(&self.spot.position, mv));
        let goal = self.asked.stipulation.with_moves(left + 1).in_words();
        let name = self.numbered(spot.line.len(), &spot.position, mv);
        let why = format!("{name} does not force {goal}");
        let refutations = self.prover(budget).refutations(&after, left, 2).unwrap_or_default();
        let Some(&refutation) = refutations.first() else { return Played::Fails(why) };
        let why = format!("{why}: {}", self.numbered(spot.line.len() + 1, &after, refutation));
        match refutations.len() == 1 && spot.line.is_empty() {
            true => Played::Try { why, refutation, name: format!("{name}? {}!", san(&after, refutation)) },
            false => Played::Fails(why),
        }
    }

    /// What is to be done next, for the user.
    pub fn next(&self) -> String {
        let spot = &self.spot;
        let side = spot.position.turn.name();
        let last = || {
            let (before, mv) = spot.line.last()?;
            Some(self.numbered(spot.line.len() - 1, before, *mv))
        };
        match (&spot.due, last()) {
            (Due::Nothing, None) => {
                "The solution is complete. A first move that one reply refutes can be added as a try".into()
            }
            (Due::Nothing, _) => "The solution is complete".into(),
            (Due::Key, _) if self.has_key => format!("{side} plays another key"),
            (Due::Defence(Some(left)), Some(last)) if self.is_end(left) => {
                format!("{side} replies to {last} with {}, one of {}", reached(&self.asked), self.names(left))
            }
            (Due::Defence(Some(left)), Some(last)) => {
                let count = match left.len() {
                    1 => "one defence is left".to_string(),
                    n => format!("{n} defences are left"),
                };
                format!("{side} replies to {last}; {count}: {}", self.names(left))
            }
            (Due::Defence(None), Some(last)) => {
                format!("{side} replies to {last}; which defences are left was not searched")
            }
            (Due::Answer, Some(last)) => format!("{side} answers {last}"),
            _ => format!("{side} plays the key"),
        }
    }

    /// Whether defences reach the goal themselves, as at the end of a selfmate. One of them ends the variation.
    fn is_end(&self, left: &[ChessMove]) -> bool {
        let budget = Budget::new(PLACE_NODES, None);
        let prover = self.prover(&budget);
        left.iter().all(|&mv| prover.is_goal_of_reply(&self.spot.position, mv))
    }

    fn names(&self, moves: &[ChessMove]) -> String {
        let shown = moves.iter().take(MAX_NAMED).map(|&mv| san(&self.spot.position, mv));
        let names = shown.collect::<Vec<_>>().join(", ");
        match moves.len().saturating_sub(MAX_NAMED) {
            0 => names,
            more => format!("{names} and {more} more"),
        }
    }

    /// Whether no move is missing.
    pub fn is_complete(&self) -> bool {
        self.spot.due == Due::Nothing
    }

    /// The defences that are left, by name.
    pub fn left(&self) -> Vec<(ChessMove, String)> {
        let Due::Defence(Some(left)) = &self.spot.due else { return Vec::new() };
        let (spot, ply) = (&self.spot, self.spot.line.len());
        left.iter().map(|&mv| (mv, self.numbered(ply, &spot.position, mv))).collect()
    }

    /// A move with its number, as composers count: `1.Qb6`, `1...Kd5`.
    fn numbered(&self, ply: usize, before: &Position, mv: ChessMove) -> String {
        format!("{}{}{}", ply / 2 + 1, if ply.is_multiple_of(2) { "." } else { "..." }, san(before, mv))
    }

    /// The edits that add a move to the answer of a query.
    pub fn edits(&self, source: &str, query: Query<'_>, mv: ChessMove) -> Option<Vec<Edit>> {
        let name = san(&self.spot.position, mv);
        let Some(answer) = self.answer else { return Some(first_answer(source, query, &name)) };
        let tree = WrittenTree::read(&self.text, &self.asked.start, self.asked.stipulation);
        let grown = tree.with_move(&self.spot, mv, &self.asked.start, self.asked.stipulation)?;
        Some(vec![self.grown(answer, grown)])
    }

    /// The edits that add a first move which fails, and the reply that refutes it, to the answer of a query.
    pub fn try_edits(
        &self,
        source: &str,
        query: Query<'_>,
        (mv, refutation): (ChessMove, ChessMove),
    ) -> Option<Vec<Edit>> {
        let Some(answer) = self.answer else {
            let position = &self.spot.position;
            let first = format!("{} {}?", first_number(&self.asked), san(position, mv));
            let number = if self.asked.start.turn == Colour::Black { "2. " } else { "" };
            let refutation = san(&after_move(position, mv), refutation);
            return Some(first_answer(source, query, &format!("\"{first} {number}{refutation}!\"")));
        };
        let tree = WrittenTree::read(&self.text, &self.asked.start, self.asked.stipulation);
        let moves = (mv, refutation);
        let grown = tree.with_try(&self.spot, moves, &self.asked.start, self.asked.stipulation)?;
        Some(vec![self.grown(answer, grown)])
    }

    /// The edit that inserts words at an offset of the tree.
    fn grown(&self, answer: WrittenAnswer, (at, new): (usize, String)) -> Edit {
        if answer.is_quoted {
            return Edit { span: Span::at(answer.span.start + at as u32), text: new };
        }
        // Parentheses behind words would be a remark.
        let mut grown = self.text.clone();
        grown.insert_str(at, &new);
        Edit { span: answer.span, text: format!("\"{grown}\"") }
    }
}

/// What is said of the last move of a variation.
fn reached(asked: &Asked) -> String {
    let kind = ProblemKind { play: Play::Direct, ..asked.stipulation.kind };
    Stipulation { kind, plies: 2, ..asked.stipulation }.goal_or_length()
}

fn first_number(asked: &Asked) -> &'static str {
    if asked.start.turn == Colour::Black { "1..." } else { "1." }
}
