//! Chess moves as a tree: written movetext replayed with its comments and glyphs, and printed as PGN wants it.

use cpz_check::analysis::{WrittenStep, read_move_text};
use cpz_rules::board::Colour;
use cpz_rules::games::{ChessMove, Position, Status, after_move, matching_moves, san, status_of};
use cpz_text::diagnostic::{Span, wrapped};

/// The deepest variation in a variation.
const MAX_DEPTH: usize = 64;

/// The most comments behind one move.
const MAX_COMMENTS: usize = 100;

/// The largest glyph of PGN.
const MAX_GLYPH: u32 = 255;

/// The results of games, which end a movetext.
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// A move with what is said about it.
struct Node {
    mv: ChessMove,
    san: String,
    after: Position,
    glyphs: Vec<u32>,
    comments: Vec<String>,
    /// The move before it.
    before: Option<usize>,
    /// The moves that follow; the first is the main line.
    next: Vec<usize>,
}

impl Node {
    /// Whether a glyph says that it fails: `?` or `??`.
    fn is_try(&self) -> bool {
        self.glyphs.iter().any(|glyph| matches!(glyph, 2 | 4))
    }
}

/// Moves from a position on.
pub(super) struct MoveTree {
    start: Position,
    nodes: Vec<Node>,
    first: Vec<usize>,
    /// The comments before the first move.
    opening: Vec<String>,
    /// Whether its moves were worked out, not written by a person.
    pub is_worked_out: bool,
}

impl MoveTree {
    /// A tree without moves.
    pub fn new(start: Position) -> MoveTree {
        MoveTree { start, nodes: Vec::new(), first: Vec::new(), opening: Vec::new(), is_worked_out: false }
    }

    /// Reads movetext; nothing where it has something else than legal moves, variations, comments and glyphs.
    pub fn read(start: &Position, text: &str) -> Option<MoveTree> {
        let mut tree = MoveTree::new(start.clone());
        tree.add(text)?;
        (!tree.nodes.is_empty()).then_some(tree)
    }

    /// Adds movetext that begins in the same position. A move that is there already is followed, not added.
    pub fn add(&mut self, text: &str) -> Option<()> {
        let mut reader = Reader { tree: self, at: None, open: Vec::new() };
        reader.run(text)
    }

    /// Adds the moves of a written solution that is no movetext, as Popeye prints it. What is no move of a game becomes a
    /// comment: threats, set play, and `~` for the moves that are not written.
    pub fn add_steps(&mut self, steps: &[WrittenStep]) -> Option<()> {
        self.add_steps_behind(None, steps)
    }

    fn add_steps_behind(&mut self, at: Option<usize>, steps: &[WrittenStep]) -> Option<()> {
        for step in steps {
            let mut reader = Reader { tree: self, at, open: Vec::new() };
            if step.after_pass || step.uci.is_none() {
                reader.comment(&step_in_words(step))?;
                continue;
            }
            reader.play(&step.san)?;
            if let Some(mark) = step.mark {
                reader.glyph(judgement(mark.encode_utf8(&mut [0; 4]))?)?;
            }
            let at = reader.at?;
            if step.zugzwang {
                let side = reader.tree.nodes[at].after.turn;
                reader.glyph(if side == Colour::White { 22 } else { 23 })?;
            }
            self.add_steps_behind(Some(at), &step.next)?;
        }
        Some(())
    }

    /// Puts the tries behind the keys: the first move begins the main line.
    pub fn put_tries_last(&mut self) {
        let is_try = |&i: &usize| self.nodes[i].is_try();
        self.first.sort_by_key(is_try);
    }

    /// Adds a comment before the first move.
    pub fn comment(&mut self, text: &str) {
        self.opening.push(text.to_string());
    }

    /// The first moves in SAN, without those that fail.
    pub fn keys(&self) -> Vec<&str> {
        let first = self.first.iter().map(|&i| &self.nodes[i]);
        first.filter(|node| !node.is_try()).map(|node| node.san.as_str()).collect()
    }

    /// Whether there are moves behind the first ones.
    pub fn has_replies(&self) -> bool {
        self.first.iter().any(|&i| !self.nodes[i].next.is_empty())
    }

    /// Whether no move has another one beside it.
    pub fn is_one_line(&self) -> bool {
        self.first.len() <= 1 && self.nodes.iter().all(|node| node.next.len() <= 1)
    }

    /// Whether it is more than its first moves that solve, or the main line: variations, tries and comments.
    pub fn has_more_than_a_line(&self) -> bool {
        let are_keys = !self.has_replies() && self.keys().len() == self.first.len();
        let has_comments = self.nodes.iter().any(|node| !node.comments.is_empty());
        !self.is_one_line() && !are_keys || has_comments || !self.opening.is_empty()
    }

    /// The main line in SAN.
    pub fn main_line(&self) -> Vec<&str> {
        self.main().map(|node| node.san.as_str()).collect()
    }

    fn main(&self) -> impl Iterator<Item = &Node> {
        let first = self.first.first().map(|&i| &self.nodes[i]);
        std::iter::successors(first, |node| node.next.first().map(|&i| &self.nodes[i]))
    }

    /// The side that mates at the end of the main line.
    pub fn winner(&self) -> Option<Colour> {
        let last = self.main().last()?;
        (status_of(&last.after) == Status::Checkmate).then(|| last.after.turn.other())
    }

    /// The words of the movetext, the first move numbered `number`.
    pub fn words(&self, number: u32) -> Vec<String> {
        let mut words = Vec::new();
        self.opening.iter().for_each(|c| push_comment(&mut words, c));
        let ply = 2 * number.max(1) + u32::from(self.start.turn == Colour::Black);
        self.push_line(&self.first, ply, &mut words);
        words
    }

    /// Appends a line: the first of `moves` with what follows, and the others as variations behind it.
    fn push_line(&self, moves: &[usize], mut ply: u32, words: &mut Vec<String>) {
        let mut moves = moves;
        let mut is_numbered = true;
        while let Some((&main, others)) = moves.split_first() {
            is_numbered = self.push_move(main, ply, is_numbered, words);
            for &other in others {
                words.push("(".into());
                self.push_line(&[other], ply, words);
                words.push(")".into());
                is_numbered = true;
            }
            moves = &self.nodes[main].next;
            ply += 1;
        }
    }

    /// Appends a move; returns whether the next one needs a number.
    fn push_move(&self, index: usize, ply: u32, is_numbered: bool, words: &mut Vec<String>) -> bool {
        let node = &self.nodes[index];
        match ply % 2 {
            0 => words.push(format!("{}.", ply / 2)),
            _ if is_numbered => words.push(format!("{}...", ply / 2)),
            _ => {}
        }
        words.push(node.san.clone());
        words.extend(node.glyphs.iter().map(|n| format!("${n}")));
        node.comments.iter().for_each(|c| push_comment(words, c));
        !node.comments.is_empty()
    }
}

/// A step of a written solution with what follows it, as Popeye prints it: `threat: 2.Qh7#`.
fn step_in_words(step: &WrittenStep) -> String {
    let pass = match (step.after_pass, step.ply) {
        (false, _) => "",
        (true, 0 | 1) => "set play: ",
        (true, _) => "threat: ",
    };
    let dots = if step.ply.is_multiple_of(2) { "." } else { "..." };
    let mark = step.mark.map_or(String::new(), String::from);
    let zugzwang = if step.zugzwang { " zugzwang" } else { "" };
    let mut text = format!("{pass}{}{dots}{}{mark}{zugzwang}", step.ply / 2 + 1, step.san);
    step.next.iter().for_each(|next| text.push_str(&format!(" {}", step_in_words(next))));
    text
}

/// Appends the words of a comment. A brace would end it.
pub(super) fn push_comment(words: &mut Vec<String>, comment: &str) {
    let text = comment.replace('{', "(").replace('}', ")");
    let mut parts: Vec<String> = text.split_whitespace().map(String::from).collect();
    if let Some(first) = parts.first_mut() {
        first.insert(0, '{');
    }
    if let Some(last) = parts.last_mut() {
        last.push('}');
    }
    words.extend(parts);
}

/// Words in lines of at most 79 characters, with a line break behind each. A bracket touches what is inside of it.
pub(super) fn lines_of(words: &[String]) -> String {
    let mut out = wrapped(&in_one_line(words), 79).join("\n");
    out.push('\n');
    out
}

/// Words in one line. A bracket touches what is inside of it.
pub(super) fn in_one_line(words: &[String]) -> String {
    let mut joined: Vec<String> = Vec::with_capacity(words.len());
    let mut is_open = false;
    for word in words {
        match (word.as_str(), joined.last_mut()) {
            (")", Some(last)) => last.push(')'),
            (_, Some(last)) if is_open => last.push_str(word),
            _ => joined.push(word.clone()),
        }
        is_open = word == "(";
    }
    joined.join(" ")
}

/// Reads movetext into a tree.
struct Reader<'t> {
    tree: &'t mut MoveTree,
    /// The move that was read last in this line.
    at: Option<usize>,
    /// Where the lines around this one go on.
    open: Vec<Option<usize>>,
}

impl Reader<'_> {
    fn run(&mut self, text: &str) -> Option<()> {
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let len = match c {
                c if c.is_whitespace() || matches!(c, ',' | '.' | '…') => c.len_utf8(),
                '{' => {
                    let end = rest.find('}')?;
                    self.comment(&rest[1..end])?;
                    end + 1
                }
                ';' => {
                    let end = rest.find(['\n', '\r']).unwrap_or(rest.len());
                    self.comment(&rest[1..end])?;
                    end
                }
                '(' => {
                    self.open.push(self.at);
                    self.at = self.tree.nodes[self.at?].before;
                    if self.open.len() > MAX_DEPTH {
                        return None;
                    }
                    1
                }
                ')' => {
                    self.at = self.open.pop()?;
                    1
                }
                '$' => {
                    let digits = rest[1..].bytes().take_while(u8::is_ascii_digit).count();
                    self.glyph(rest[1..=digits].parse().ok()?)?;
                    digits + 1
                }
                '!' | '?' => {
                    let len = rest.len() - rest.trim_start_matches(['!', '?']).len();
                    self.glyph(judgement(&rest[..len])?)?;
                    len
                }
                _ => self.word(rest)?,
            };
            rest = &rest[len..];
        }
        self.open.is_empty().then_some(())
    }

    fn comment(&mut self, text: &str) -> Option<()> {
        let text = text.trim();
        let comments = match self.at {
            Some(at) => &mut self.tree.nodes[at].comments,
            None => &mut self.tree.opening,
        };
        if !text.is_empty() && !comments.iter().any(|known| known == text) {
            comments.push(text.to_string());
        }
        (comments.len() <= MAX_COMMENTS).then_some(())
    }

    fn glyph(&mut self, number: u32) -> Option<()> {
        if number > MAX_GLYPH {
            return None;
        }
        let glyphs = &mut self.tree.nodes[self.at?].glyphs;
        if !glyphs.contains(&number) {
            glyphs.push(number);
        }
        Some(())
    }

    /// Reads a number, a result or a move; returns its length.
    fn word(&mut self, rest: &str) -> Option<usize> {
        let ends =
            |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '{' | '}' | ';' | ',' | '$' | '!' | '?');
        let word = &rest[..rest.find(ends).unwrap_or(rest.len())];
        if RESULTS.contains(&word) {
            return Some(word.len());
        }
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 && !word.starts_with("0-0") {
            let behind = &word[digits..];
            let dots = behind.len() - behind.trim_start_matches(['.', '…']).len();
            // `1 Qb6` has no dot.
            return (dots > 0 || behind.is_empty()).then_some(digits + dots);
        }
        if cpz_text::syntax::says_en_passant(word) {
            return Some(word.len());
        }
        self.play(word)?;
        Some(word.len())
    }

    fn play(&mut self, word: &str) -> Option<()> {
        let tree = &mut *self.tree;
        let before = self.at.map_or(&tree.start, |at| &tree.nodes[at].after);
        let mv = read_move(before, word)?;
        let next = self.at.map_or(&tree.first, |at| &tree.nodes[at].next);
        if let Some(&known) = next.iter().find(|&&i| tree.nodes[i].mv == mv) {
            self.at = Some(known);
            return Some(());
        }
        let (san, after) = (san(before, mv), after_move(before, mv));
        let index = tree.nodes.len();
        let (glyphs, comments, next) = (Vec::new(), Vec::new(), Vec::new());
        tree.nodes.push(Node { mv, san, after, glyphs, comments, before: self.at, next });
        match self.at {
            Some(at) => tree.nodes[at].next.push(index),
            None => tree.first.push(index),
        }
        self.at = Some(index);
        Some(())
    }
}

/// The glyph of PGN for `!` and its kin.
fn judgement(marks: &str) -> Option<u32> {
    let all = ["!", "?", "!!", "??", "!?", "?!"];
    all.iter().position(|known| *known == marks).map(|i| i as u32 + 1)
}

/// The one legal move that a word means.
fn read_move(position: &Position, word: &str) -> Option<ChessMove> {
    let read = read_move_text(word, Span::new(0, word.len() as u32), position.turn).ok()?;
    match matching_moves(position, &read.request.without_claims())[..] {
        [mv] => Some(mv),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cpz_check::analysis::{bind_one, position_of};
    use cpz_text::syntax::parse;

    fn position(fen: &str) -> Position {
        let tree = parse(format!("chess {{ board {fen} }}"));
        let bound = bind_one(tree.puzzles().next().expect("a puzzle"), Default::default()).expect("chess");
        position_of(&bound).expect("a position")
    }

    #[test]
    fn movetext_keeps_variations_comments_and_glyphs() {
        let start = position("6k1/5ppp/8/8/8/8/5PPP/R5K1 b - - 3 20");
        let text = "{Back rank} 20... h6! (20... Kf8?? {too late} 21. Ra8+) 21. Ra8+ $1 Kh7 *";
        let tree = MoveTree::read(&start, text).expect("moves");
        assert_eq!(tree.keys(), ["h6", "Kf8"]);
        let printed = "{Back rank} 20... h6 $1 (20... Kf8 $4 {too late} 21. Ra8+) 21. Ra8+ $1 Kh7\n";
        assert_eq!(lines_of(&tree.words(20)), printed);
        assert_eq!(tree.winner(), None);
    }

    #[test]
    fn what_is_said_twice_is_kept_once() {
        let start = position("8/8/8/8/8/8/8/K1k5 w - - 0 1");
        let tree = MoveTree::read(&start, "{a} ; b\n{a} {} 1. Ka2 {c} {d} {c} $1 ! $2 (1. Ka2 {d} {e}) Kc2")
            .expect("moves");
        assert_eq!(lines_of(&tree.words(1)), "{a} {b} 1. Ka2 $1 $2 {c} {d} {e} 1... Kc2\n");
        assert!(tree.is_one_line() && tree.has_replies());
        let mut other = MoveTree::read(&start, "1. Ka2 Kc2").expect("moves");
        other.add("1. Ka2 Kd2").expect("moves");
        assert!(!other.is_one_line());
        let first = MoveTree::read(&start, "1. Ka2 (1. Kb1)");
        assert!(first.is_none(), "the white king is beside the black one");
    }

    #[test]
    fn what_is_no_movetext_is_not_read() {
        let start = position("8/8/8/8/8/8/8/K1k5 w - - 0 1");
        for text in
            ["", "1. Ka2 threat: Kb3", "1. Kb1", "1. Ka2 (", "1. Ka2)", "{", "(1. Ka2)", "+", "$", "Ka2 !?!"]
        {
            assert!(MoveTree::read(&start, text).is_none(), "{text}");
        }
        assert!(MoveTree::read(&start, &("1. Ka2 ".to_string() + &"(".repeat(100_000))).is_none());
    }

    #[test]
    fn lines_are_short_and_lines_with_one_beginning_are_merged() {
        let start = position("8/8/8/8/8/8/8/K1k5 w - - 0 1");
        let mut tree = MoveTree::new(start);
        tree.add("1. Ka2 Kc2 2. Ka1").expect("moves");
        tree.add("1. Ka2 Kc2 2. Ka3").expect("moves");
        assert_eq!(lines_of(&tree.words(1)), "1. Ka2 Kc2 2. Ka1 (2. Ka3)\n");
        tree.comment(&"word ".repeat(50));
        assert!(lines_of(&tree.words(1)).lines().all(|line| line.len() <= 80));
    }
}
