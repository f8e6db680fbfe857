//! Reads a solution: text into a tree. Never fails, and knows no position.
//!
//! The numbers of moves say where they belong: a move follows the last one before it whose half move is earlier.
//! Indents, line ends and the order of variations say nothing, so all printed forms are read in one way.

use crate::analysis::verbs::move_language::{language_of, names_square};
use crate::analysis::verbs::solution_text::lexer::{Token, tokens};
use crate::analysis::verbs::solution_text::tree::{
    Numbers, Role, SolutionNode, WrittenMove, WrittenSolution,
};
use crate::analysis::verbs::written_words::WrittenWord;
use cpz_rules::board::{Colour, Language};
use cpz_rules::games::{ProblemKind, Stipulation};
use cpz_text::diagnostic::{Code, Finding, Fix, Span};

/// The most half moves of a line: more than the longest problem has.
const MAX_PLIES: i64 = 2 * Stipulation::MAX_MOVES as i64 + 2;
/// The deepest nesting of variations.
const MAX_NESTING: usize = 64;

/// Reads the strings of an answer as one solution. `first` is the side that begins.
pub fn read_solution<'t>(
    strings: &[WrittenWord<'t>],
    stipulation: Stipulation,
    first: Colour,
) -> WrittenSolution<'t> {
    read_by_numbers(strings, stipulation, |tokens| numbers(tokens, stipulation, first))
}

/// Reads the strings of an answer as the set play of a problem that has keys, as [`read_solution`] does. It begins with
/// `1...` if either side moves first.
pub fn read_set_play<'t>(
    strings: &[WrittenWord<'t>],
    stipulation: Stipulation,
    first: Colour,
) -> WrittenSolution<'t> {
    read_by_numbers(strings, stipulation, |tokens| Numbers {
        begins_with_half: false,
        ..numbers(tokens, stipulation, first)
    })
}

fn read_by_numbers<'t>(
    strings: &[WrittenWord<'t>],
    stipulation: Stipulation,
    numbers: impl FnOnce(&[Token<'t>]) -> Numbers,
) -> WrittenSolution<'t> {
    let (tokens, findings) = tokens(strings);
    let mut reader = Reader {
        has_lines: stipulation.play().has_sequences(),
        written: WrittenSolution {
            findings,
            language: language(&tokens),
            numbers: numbers(&tokens),
            nodes: Vec::new(),
        },
        line: Vec::new(),
        variations: Vec::new(),
        number: None,
        next: Next::InTurn,
        is_misplaced: false,
    };
    for (index, &token) in tokens.iter().enumerate() {
        let following = tokens.get(index + 1).copied();
        if !reader.read(token, following) {
            break;
        }
    }
    reader.end_string();
    reader.written.findings.sort_by_key(|f| f.span);
    reader.written
}

/// Whether a text can be read as a solution: all its words are moves or say something about one, and its brackets are
/// closed. Whether the moves are possible is not asked.
pub fn is_solution(text: &str, stipulation: Stipulation, first: Colour) -> bool {
    let string = WrittenWord { text, span: Span::new(0, text.len() as u32) };
    let written = read_solution(&[string], stipulation, first);
    let is_move = |text: &str| {
        let text = text.trim_start_matches('(');
        names_square(text) || text.starts_with("0-0") || text.starts_with("O-O") || text.starts_with("o-o")
    };
    let mut moves = written.nodes.iter().flat_map(|node| &node.moves);
    !written.nodes.is_empty()
        && written.findings.iter().all(|finding| finding.code != Code::InvalidValue)
        && moves.all(|m| m.is_any || m.short_for.is_some() || is_move(m.text))
}

/// How the moves of a text are numbered.
fn numbers(tokens: &[Token<'_>], stipulation: Stipulation, first: Colour) -> Numbers {
    let all = || {
        tokens.iter().filter_map(|token| match token {
            Token::Number { number, is_reply, .. } if *number > 0 => Some((i64::from(*number), *is_reply)),
            _ => None,
        })
    };
    let Some((first_number, is_reply)) = all().next() else { return Numbers::default() };
    // A move without a number comes first: the numbers that follow it count from 1.
    let is_numbered = |token: &Token<'_>| matches!(token, Token::Number { number: 1.., .. });
    let is_first = |token: &&Token<'_>| is_numbered(token) || matches!(token, Token::Move(_));
    let base = if tokens.iter().find(is_first).is_some_and(is_numbered) { first_number } else { 1 };
    let moves = i64::from(stipulation.plies / 2);
    if stipulation.play().is_series() {
        return Numbers { base, begins_with_half: false, series: Some(moves) };
    }
    // Set play begins with `1...` too: then a move `1.` or no move `n + 1.` follows.
    let by_colours = first == Colour::Black
        && !all().any(|other| other == (base, false))
        && (!stipulation.play().has_sequences() || all().any(|(n, _)| n >= base + moves));
    let begins_with_half = is_reply && base == first_number && (stipulation.plies % 2 == 1 || by_colours);
    Numbers { base, begins_with_half, series: None }
}

/// The language of the letters of pieces, where they are not English.
fn language(tokens: &[Token<'_>]) -> Option<&'static Language> {
    language_of(tokens.iter().filter_map(|token| match token {
        Token::Move(written) => Some(written.text),
        _ => None,
    }))
}

/// Where a move without a number belongs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// It follows the last move.
    InTurn,
    /// It is another move in the place of the last one: a variation begins.
    Instead,
    /// It has the same continuation as the last one.
    Joined,
    /// The last move threatens it.
    Threatened,
    /// It refutes the last first move.
    Refuting,
    /// It begins set play.
    Set,
}

struct Reader<'t> {
    /// Whether the solutions are lines without variations.
    has_lines: bool,
    written: WrittenSolution<'t>,
    /// The moves up to the last one, as indices of nodes.
    line: Vec<usize>,
    /// The variations that are not closed: where each opens, and the line before it.
    variations: Vec<(Span, Vec<usize>)>,
    /// The number of the next move: its half move and place.
    number: Option<(i64, Span)>,
    next: Next,
    /// Whether a number that contradicts its place is reported.
    is_misplaced: bool,
}

impl<'t> Reader<'t> {
    /// Reads a token. False where the rest belongs to another position.
    fn read(&mut self, token: Token<'t>, following: Option<Token<'t>>) -> bool {
        match token {
            Token::Start => {
                self.end_string();
                if self.has_lines || !matches!(following, Some(Token::Number { .. })) {
                    self.line.clear();
                }
            }
            Token::Number { number: 0, span, .. } => {
                self.wrong(
                    span,
                    "this move is before the solution; `en-passant` says that a pawn has just moved",
                );
                return false;
            }
            Token::Number { number, is_reply, span } => {
                let ply = self.written.numbers.ply(number, is_reply);
                let a_move = if self.written.numbers.series.is_some() { 1 } else { 2 };
                if let Some((_, before)) = self.number.filter(|(before, _)| ply >= before + a_move) {
                    self.without_move(before);
                }
                self.number = Some((ply, span));
            }
            Token::Dots => self.number = None,
            Token::Move(written) => return self.place(written),
            Token::Good(span) => self.last(|node| node.good = node.good.or(Some(span))),
            Token::Bad(span) => self.last(|node| node.bad = node.bad.or(Some(span))),
            Token::Mark(mark, span) => self.last(|node| {
                if let Some(last) = node.moves.last_mut() {
                    last.mark = last.mark.or(Some((mark, span)));
                }
            }),
            Token::Slash(_) => self.next = Next::Joined,
            Token::Comma => {
                if !self.has_lines && matches!(following, Some(Token::Move(_) | Token::Number { .. })) {
                    self.next = Next::Joined;
                }
            }
            Token::Open(span) => return self.open(span),
            Token::Close(span) => match self.variations.pop() {
                Some((_, line)) => {
                    (self.line, self.number, self.next) = (line, None, Next::InTurn);
                }
                None => self.wrong(span, "this closes no variation; write `(` where one begins"),
            },
            Token::Threat(span) => {
                self.next = Next::Threatened;
                self.last(|node| node.threat = node.threat.or(Some(span)));
            }
            Token::Zugzwang(span) => self.last(|node| node.zugzwang = node.zugzwang.or(Some(span))),
            Token::But(_) => self.next = Next::Refuting,
            // What follows stands at the beginning, not behind the moves before it.
            Token::SetPlay if !self.has_lines => {
                self.line.clear();
                (self.number, self.next) = (None, Next::Set);
            }
            Token::SetPlay => {}
            // `a)` before the first move, or before a variation.
            Token::Twin(_)
                if self.written.nodes.is_empty()
                    || matches!(following, Some(Token::Number { is_reply: true, .. })) => {}
            Token::Twin(span) => {
                self.wrong(span, "the solution of a twin begins here; write it behind its `twin`");
                return false;
            }
        }
        true
    }

    fn wrong(&mut self, span: Span, message: &str) {
        self.written.findings.push(Finding::new(Code::InvalidValue, span, message));
    }

    fn last(&mut self, change: impl FnOnce(&mut SolutionNode<'t>)) {
        if let Some(&last) = self.line.last() {
            change(&mut self.written.nodes[last]);
        }
    }

    fn open(&mut self, span: Span) -> bool {
        if self.variations.len() == MAX_NESTING {
            self.wrong(span, "variations are nested too deep");
            return false;
        }
        self.variations.push((span, self.line.clone()));
        // A threat may stand in brackets, behind a word that says so or in front of one.
        if self.next != Next::Threatened {
            self.next = Next::Instead;
        }
        self.number = None;
        true
    }

    /// Ends a string: variations that are open are reported once.
    fn end_string(&mut self) {
        if let Some((span, line)) = self.variations.first() {
            let (span, line) = (*span, line.clone());
            self.wrong(span, "this variation is not closed; write `)` where it ends");
            self.line = line;
            self.variations.clear();
        }
        (self.number, self.next) = (None, Next::InTurn);
    }

    fn ply_of(&self, node: Option<&usize>) -> i64 {
        node.map_or(-1, |&index| i64::from(self.written.nodes[index].ply))
    }

    /// Places a move in the tree. False where the line is too long.
    fn place(&mut self, written: WrittenMove<'t>) -> bool {
        let (number, next) = (self.number.take(), std::mem::replace(&mut self.next, Next::InTurn));
        let last = self.ply_of(self.line.last());
        let joins = next == Next::Joined && number.is_none_or(|(ply, _)| ply == last);
        if joins && let Some(&last) = self.line.last() {
            self.written.nodes[last].moves.push(written);
            return true;
        }
        let unnumbered = match next {
            Next::Instead => last.max(0),
            Next::Threatened if last % 2 == 0 => last + 2,
            Next::Refuting | Next::Set => 1,
            Next::Threatened | Next::InTurn | Next::Joined => last + 1,
        };
        let mut ply = number.map_or(unnumbered, |(ply, _)| ply);
        if let Some((_, span)) = number
            && !self.fits(ply)
        {
            self.misplaced(span, ply, last + 1);
            ply = last + 1;
        }
        if ply > MAX_PLIES {
            self.wrong(written.span, "this line is longer than any problem");
            return false;
        }
        let parent = self.earlier(ply);
        let role = match ply - self.ply_of(parent.as_ref()) {
            1 if next == Next::Refuting && ply % 2 == 1 => Role::Refutation,
            1 => Role::Move,
            _ if parent.is_none() => Role::SetPlay,
            _ => Role::Threat,
        };
        self.line.retain(|&index| i64::from(self.written.nodes[index].ply) < ply);
        self.line.push(self.written.nodes.len());
        let ply = ply.max(0) as u32;
        self.written.nodes.push(SolutionNode {
            parent,
            ply,
            moves: vec![written],
            role,
            good: None,
            bad: None,
            zugzwang: None,
            threat: None,
        });
        true
    }

    /// The last move of the line that is earlier than a half move.
    fn earlier(&self, ply: i64) -> Option<usize> {
        self.line.iter().rev().copied().find(|&index| i64::from(self.written.nodes[index].ply) < ply)
    }

    /// Whether a move may have a number here: it answers a move, is a threat, or begins the solution or its set play.
    fn fits(&self, ply: i64) -> bool {
        let parent = self.earlier(ply);
        match ply - self.ply_of(parent.as_ref()) {
            1 => ply >= 0,
            2 if self.written.numbers.series.is_some() => false,
            2 => parent.is_none() || ply % 2 == 0 && !self.has_lines,
            _ => false,
        }
    }

    /// Reports a number with another one behind it instead of a move. The numbers that follow contradict their places then.
    fn without_move(&mut self, number: Span) {
        if !std::mem::replace(&mut self.is_misplaced, true) {
            let message = "the move behind this number is missing";
            self.written.findings.push(Finding::new(Code::WrongSolution, number, message));
        }
    }

    /// Reports a number that contradicts the place of its move; only the first, since others follow from it.
    fn misplaced(&mut self, span: Span, written: i64, due: i64) {
        if std::mem::replace(&mut self.is_misplaced, true) {
            return;
        }
        // A number of the other side is another slip.
        let is_same_side = (written - due) % 2 == 0;
        let due = self.written.numbers.text(due);
        let finding = Finding::new(Code::WrongSolution, span, format!("the move here has the number {due}"));
        // Where the first number is not 1, that may be the slip.
        let only_if = if self.written.numbers.base == 1 { "" } else { " (if the first number is right)" };
        let fix = Fix::new(format!("replace with `{due}`{only_if}"), span, due, false);
        self.written.findings.push(if is_same_side { finding.fix(fix) } else { finding });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MATE_IN_2: Stipulation = Stipulation::new(ProblemKind::MATE, 4);
    const MATE_IN_3: Stipulation = Stipulation::new(ProblemKind::MATE, 6);
    const HELPMATE_IN_2: Stipulation = Stipulation::new(ProblemKind::HELPMATE, 4);
    const HELPMATE_IN_2_5: Stipulation = Stipulation::new(ProblemKind::HELPMATE, 5);

    fn strings<'t>(texts: &[&'t str]) -> Vec<WrittenWord<'t>> {
        let mut start = 0;
        let word = |&text: &&'t str| {
            let span = Span::new(start, start + text.len() as u32);
            start = span.end + 4;
            WrittenWord { text, span }
        };
        texts.iter().map(word).collect()
    }

    /// A line for each move: the half move, how it follows, the move, what is said of it; below, the findings.
    fn outline(texts: &[&str], stipulation: Stipulation, first: Colour) -> String {
        let written = read_solution(&strings(texts), stipulation, first);
        let mut lines = Vec::new();
        for node in &written.nodes {
            let role = match node.role {
                Role::Move => "",
                Role::Threat => "threat ",
                Role::SetPlay => "set ",
                Role::Refutation => "but ",
            };
            let moves: Vec<_> = node.moves.iter().map(|m| m.in_full(written.language)).collect();
            let parent = node.parent.map_or(String::new(), |parent| format!("{parent}>"));
            let said =
                [(node.good, " !"), (node.bad, " ?"), (node.zugzwang, " zz"), (node.threat, " threat:")];
            let said: String = said.iter().filter(|(at, _)| at.is_some()).map(|(_, text)| *text).collect();
            lines.push(format!("{parent}{} {role}{}{said}", node.ply, moves.join("/")));
        }
        let text = texts.join("    ");
        let found = |f: &Finding| format!("{:?}: {}", &text[f.span.range()], f.message);
        lines.extend(written.findings.iter().map(found));
        lines.join("\n")
    }

    #[track_caller]
    fn mates(text: &str, expected: &[&str]) {
        assert_eq!(outline(&[text], MATE_IN_3, Colour::White), expected.join("\n"));
    }

    #[test]
    fn movetext_has_variations_comments_and_glyphs() {
        let tree = ["0 Rxc5", "0>1 Ka8", "0>1 b2", "2>2 Ra1#", "1>2 Rc8#"];
        mates("1. Rxc5 Ka8 (1... b2 2. Ra1#) 2. Rc8#", &tree);
        mates("1. Rxc5 {the key} Ka8 ({or} b2 $10 2. Ra1#) 2. Rc8# 1-0", &tree);
        mates("1. Rxc5 Ka8 ; the king\n(1... b2 2. Ra1#) 2. Rc8# *", &tree);
        mates("1.Rxc5 Ka8 (1…b2 2.Ra1#)\n2.Rc8#", &tree);
        mates("Rxc5 Ka8 (b2 Ra1#) 2.Rc8#", &tree);
        mates("23. Rxc5 Ka8 (23... b2 24. Ra1#) 24. Rc8#", &tree);
        mates(
            "1. Rxc5! Kb7 $2 2. Kb5 $1 (2. Kd5 $2 Kc8)",
            &["0 Rxc5 !", "0>1 Kb7 ?", "1>2 Kb5 !", "1>2 Kd5 ?", "3>3 Kc8"],
        );
    }

    #[test]
    fn trees_are_placed_by_their_numbers() {
        mates(
            "      1...Kb8-a8\n          2.Rc6-c8 #\n\n   1.Rc6*c5 ! zugzwang.\n      1...Kb8-a8\n          2.Rc5-c8 #\n",
            &["1 set Kb8-a8", "0>2 Rc6-c8 #", "0 Rc6*c5 ! zz", "2>1 Kb8-a8", "3>2 Rc5-c8 #"],
        );
        mates(
            "1.Rh1-f1 ! threat:\n2.Rf2-f8 +\n2...Ke8-d7\n3.Bh3*e6 #\n2.Bh3*e6 threat:\n3.Rf2-f8 #\n1...Bb6*a5\n2.Rf2-f8 +",
            &[
                "0 Rh1-f1 ! threat:",
                "0>2 threat Rf2-f8 +",
                "1>3 Ke8-d7",
                "2>4 Bh3*e6 #",
                "0>2 threat Bh3*e6 threat:",
                "4>4 threat Rf2-f8 #",
                "0>1 Bb6*a5",
                "6>2 Rf2-f8 +",
            ],
        );
    }

    #[test]
    fn tries_have_refutations() {
        mates("1.Ka1-b1 ?\n but\n  1...b3-b2 !", &["0 Ka1-b1 ?", "0>1 but b3-b2 !"]);
        mates("1.Qa1? (2.Qh8#) but Kd5!", &["0 Qa1 ?", "0>2 threat Qh8#", "0>1 but Kd5 !"]);
        mates("1.Qa1? Kd5! 1.Qb1!", &["0 Qa1 ?", "0>1 Kd5 !", "0 Qb1 !"]);
        mates("1.Qa1 ?? but 1...Kd5 ! refutes.", &["0 Qa1 ?", "0>1 but Kd5 !"]);
    }

    #[test]
    fn moves_with_one_continuation_are_one_node() {
        mates("1.Sb3! zz 1...Sf3/c2+/g2 2.Sc1#", &["0 Sb3 ! zz", "0>1 Sf3/Sc2+/Sg2", "1>2 Sc1#"]);
        mates(
            "1.Ba8-h1! (2.Sb6-d5#) 1...Sc4-a3,Sc4-a5 2.Qc8xc1#",
            &["0 Ba8-h1 !", "0>2 threat Sb6-d5#", "0>1 Sc4-a3/Sc4-a5", "2>2 Qc8xc1#"],
        );
        mates("1.Qa1 1...Kd1, 1...Kd3 2.Qa2#", &["0 Qa1", "0>1 Kd1/Kd3", "1>2 Qa2#"]);
        mates(
            "1.Rc2! ~ 2.Qc6, Qc7 # 1.- Kd7 2.d8=Q/S+",
            &["0 Rc2 !", "0>1 ~", "1>2 Qc6/Qc7 #", "0>1 Kd7", "3>2 d8=Q/d8=S+"],
        );
    }

    #[test]
    fn moves_keep_their_promotions_marks_and_labels() {
        mates(
            "1.exd8/Q 1...b1/R 2.d7-d8=S # ! 2...c4xd3 ep. + 3.e8 (Q)",
            &["0 exd8/Q", "0>1 b1/R", "1>2 d7-d8=S # !", "2>3 c4xd3 ep. +", "3>4 e8 (Q)"],
        );
        mates("1.0-0-0 ! [A] 1...Ne5[a] 2.Nd6{x}#[B]", &["0 0-0-0 !", "0>1 Ne5", "1>2 Nd6"]);
        mates("1.Qb6+2.Kc7", &["0 Qb6+", "0>2 threat Kc7"]);
        mates("1. ... Kd7 2. Q:d5#", &["1 set Kd7", "0>2 Q:d5#"]);
        mates("1.Qa1 mate", &["0 Qa1"]);
        mates("1.h2-h3 z ! 1...g4*h3 ep. + x", &["0 h2-h3 !", "0>1 g4*h3 ep. +"]);
        mates("1.h2-h3 zz", &["0 h2-h3 zz"]);
    }

    #[test]
    fn letters_of_other_languages_are_read_where_all_fit() {
        mates(
            "1.Da7-f2 ! Drohung: 2.0-0 # 1...Lb1-d3 2.Ta1#",
            &["0 Qa7-f2 ! threat:", "0>2 threat 0-0 #", "0>1 Bb1-d3", "2>2 Ra1#"],
        );
        mates("1.Крa1 Фb2", &["0 Ka1", "0>1 Qb2"]);
        mates("1.Qa1 Dd5", &["0 Qa1", "0>1 Dd5"]);
    }

    #[test]
    fn helpmates_are_lines() {
        let help = |text: &str, stipulation: Stipulation, first: Colour, expected: &[&str]| {
            assert_eq!(outline(&[text], stipulation, first), expected.join("\n"));
        };
        let line = ["0 Te6-e3", "0>1 Ld5-f7", "1>2 Tg4-g7", "2>3 Td4-h4 #"]
            .map(|l| l.replace('T', "R").replace('L', "B"));
        let line: Vec<&str> = line.iter().map(String::as_str).collect();
        help("1.Te6-e3 Ld5-f7   2.Tg4-g7 Td4-h4 #", HELPMATE_IN_2, Colour::Black, &line);
        help(
            "1... Te6-e3 2. Ld5-f7 Tg4-g7 3. Td4-h4#",
            HELPMATE_IN_2,
            Colour::Black,
            &[line[0], line[1], line[2], "2>3 Rd4-h4#"],
        );
        help(
            "1...b8=S 2.Ka4 Sd7 3.b4 Sc5#",
            HELPMATE_IN_2_5,
            Colour::White,
            &["0 b8=S", "0>1 Ka4", "1>2 Sd7", "2>3 b4", "3>4 Sc5#"],
        );
        help(
            "1...Rc4 2.Kd3 Rd4#\n1.e1=S Rc4 2.Sd3 Rc2#",
            HELPMATE_IN_2,
            Colour::Black,
            &["1 set Rc4", "0>2 Kd3", "1>3 Rd4#", "0 e1=S", "3>1 Rc4", "4>2 Sd3", "5>3 Rc2#"],
        );
        let both =
            outline(&["1.Sc8 dxc8=Q 2.b1=B, Qc5#", "b1=R d8=S 2.Rb5 Sc6#"], HELPMATE_IN_2, Colour::Black);
        let expected =
            ["0 Sc8", "0>1 dxc8=Q", "1>2 b1=B", "2>3 Qc5#", "0 b1=R", "4>1 d8=S", "5>2 Rb5", "6>3 Sc6#"];
        assert_eq!(both, expected.join("\n"));
    }

    #[test]
    fn strings_of_a_list_are_one_solution() {
        let keys = outline(&["Bh5", "1.Bb3!"], MATE_IN_2, Colour::White);
        assert_eq!(keys, "0 Bh5\n0 Bb3 !");
        let tree = outline(&["1.Bh5!", "1...Ka8 2.Rc8#"], MATE_IN_2, Colour::White);
        assert_eq!(tree, "0 Bh5 !\n0>1 Ka8\n1>2 Rc8#");
        let by_colours = outline(&["1... Qb6 2. Ka1 (2. Kc1 Qb1#) Qb2#"], MATE_IN_2, Colour::Black);
        assert_eq!(by_colours, "0 Qb6\n0>1 Ka1\n0>1 Kc1\n2>2 Qb1#\n1>2 Qb2#");
    }

    #[test]
    fn a_slip_of_the_form_is_one_finding() {
        let cases = [
            (
                "1. Rxc5 Ka8 (1... b2 2. Ra1# 2. Rc8#",
                "\"(\": this variation is not closed; write `)` where it ends",
            ),
            ("1. Rxc5 {Ka8 2. Rc8#", "\"{\": this comment is not closed; write `}` where it ends"),
            ("1. Rxc5 Ka8) 2. Rc8#", "\")\": this closes no variation; write `(` where one begins"),
            ("1. Rxc5 Ka8 3. Rc8# Kb7 4. Rb8", "\"3.\": the move here has the number 2."),
            ("1. Rxc5 Ka8 2... Rc8# ", "\"2...\": the move here has the number 2."),
            ("1.  2. Rc8# Kb7 3. Rb8", "\"1.\": the move behind this number is missing"),
            ("1. Rxc5 Ka8 2. 4 3. Rc8#", "\"2.\": the move behind this number is missing"),
            ("a) 1.Qa1 b) 1.Qb1", "\"b)\": the solution of a twin begins here; write it behind its `twin`"),
        ];
        for (text, expected) in cases {
            let outline = outline(&[text], MATE_IN_2, Colour::White);
            let findings: Vec<&str> = outline.lines().filter(|line| line.starts_with('"')).collect();
            assert_eq!(findings, [expected], "{text}");
        }
        let nested = "(".repeat(1000);
        let found = outline(&[&nested], MATE_IN_2, Colour::White);
        assert!(found.contains("too deep"), "{found}");
    }
}
