//! A further move in the text of a tree, which keeps everything that is written.

use crate::analysis::verbs::solution_text::progress::{TreeSpot, WrittenTree};
use crate::analysis::verbs::solution_text::tree::{Role, SolutionNode, WrittenSolution};
use cpz_rules::games::{ChessMove, Position, Stipulation, after_move, san};

impl WrittenTree<'_> {
    /// What adds a move to the text at its spot: an offset and the words that are inserted there. `None` if there is no place
    /// where the move would be read as one at this spot.
    pub fn with_move(
        &self,
        spot: &TreeSpot,
        mv: ChessMove,
        start: &Position,
        asked: Stipulation,
    ) -> Option<(usize, String)> {
        self.with_line(spot, &[san(&spot.position, mv)], start, asked)
    }

    /// What adds a first move that fails, and the reply that refutes it: `1. Kb6? c4!`. As [`WrittenTree::with_move`], at the
    /// spot of a first move.
    pub fn with_try(
        &self,
        spot: &TreeSpot,
        (mv, refutation): (ChessMove, ChessMove),
        start: &Position,
        asked: Stipulation,
    ) -> Option<(usize, String)> {
        let reply = san(&after_move(&spot.position, mv), refutation);
        self.with_line(spot, &[format!("{}?", san(&spot.position, mv)), format!("{reply}!")], start, asked)
    }

    /// What adds moves, each behind the one before it, to the text at a spot.
    fn with_line(
        &self,
        spot: &TreeSpot,
        line: &[String],
        start: &Position,
        asked: Stipulation,
    ) -> Option<(usize, String)> {
        let ply = spot.line.len();
        let mut expected = shape(&self.written);
        let mut path = spot.behind.map_or(String::new(), |index| path(&self.written, index));
        for name in line {
            path += &format!(" {}", name.trim_end_matches(['!', '?']));
            expected.push(path.clone());
        }
        expected.sort();
        let is_read = |(at, words): &(usize, String)| {
            let mut text = self.text.to_string();
            text.insert_str(*at, words);
            let grown = WrittenTree::read(&text, start, asked);
            grown.written.findings.is_empty() && shape(&grown.written) == expected
        };
        let (number, in_turn) = (self.number(ply), line.join(" "));
        let in_turn = format!("{number}{in_turn}");
        let at_end = self.end_behind(spot.behind);
        // A try of two moves stands on a line of its own wherever the solution runs over lines.
        let is_try = line.len() > 1;
        let beside = self.line_beside(spot).map(String::from);
        let own_line = beside.or_else(|| self.last_line().filter(|_| is_try));
        let own_line = own_line.map(|line| (at_end, format!("{line}{in_turn}")));
        let same_line = Some((at_end, format!(" {in_turn}")));
        // Beside a try the other first moves stand behind it: as a variation they would come before its refutation.
        let is_beside_try = spot.behind.is_none()
            && !self.written.nodes.is_empty()
            && self.written.claims_try(&self.written.children(), 0, false);
        let variation = if is_beside_try { None } else { self.as_variation(spot, line) };
        [variation, own_line, same_line].into_iter().flatten().find(is_read)
    }

    /// The line end and the indent of the moves at a spot, if each is on a line of its own.
    fn line_beside(&self, spot: &TreeSpot) -> Option<&str> {
        let is_beside = |node: &&SolutionNode<'_>| node.parent == spot.behind && node.role == Role::Move;
        let start = self.written.nodes.iter().rfind(is_beside)?.span().start as usize;
        let before = self.text.get(..start)?.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        let line = before.trim_end_matches([' ', '\t']).strip_suffix('\n')?;
        before.get(line.strip_suffix('\r').unwrap_or(line).len()..)
    }

    /// A line end of a text on several lines, and the least indent behind one.
    fn last_line(&self) -> Option<String> {
        let text = self.text.trim_end();
        let end = text.rfind('\n')?;
        let start = text[..end].trim_end_matches('\r').len();
        let indent = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
        let lines = text.split('\n').skip(1).filter(|line| !line.trim().is_empty());
        let least = lines.min_by_key(|line| indent(line))?;
        Some(format!("{}{}", &text[start..=end], &least[..indent(least)]))
    }

    /// The insertion in the form of movetext, with variations in parentheses, if the text has this form.
    fn as_variation(&self, spot: &TreeSpot, line: &[String]) -> Option<(usize, String)> {
        let mut tree = Movetext::of(self)?;
        let old = tree.print();
        if old != words(self.text) {
            return None;
        }
        let mut behind = spot.behind;
        for name in line {
            behind = Some(tree.add(behind, name));
        }
        let new = tree.print();
        let same = |a: &mut dyn Iterator<Item = (u8, u8)>| a.take_while(|(a, b)| a == b).count();
        let before = same(&mut old.bytes().zip(new.bytes()));
        let behind = same(&mut old.bytes().rev().zip(new.bytes().rev())).min(old.len() - before);
        if before + behind < old.len() {
            return None;
        }
        let inserted = new.get(before..new.len() - behind)?;
        Some((place_of(self.text, before)?, inserted.to_string()))
    }

    /// Where the text of a move ends with all that follows it; of none, the end of all.
    fn end_behind(&self, behind: Option<usize>) -> usize {
        let Some(first) = behind else { return self.text.trim_end().len() };
        let nodes = &self.written.nodes;
        let below =
            (first..nodes.len()).filter(|&index| self.written.leads_to(first, index) || index == first);
        below.map(|index| end_of(&self.written, index)).max().unwrap_or(0)
    }
}

/// Where a move ends with its marks.
fn end_of(written: &WrittenSolution<'_>, index: usize) -> usize {
    let node = &written.nodes[index];
    let marks = [node.good, node.bad, node.zugzwang, node.threat].into_iter().flatten();
    let marks = marks.chain(node.moves.iter().filter_map(|m| Some(m.mark?.1)));
    marks.chain([node.span()]).map(|span| span.end as usize).max().unwrap_or(0)
}

/// The moves of a solution, each behind those that lead to it, sorted.
fn shape(written: &WrittenSolution<'_>) -> Vec<String> {
    let mut shape: Vec<String> = (0..written.nodes.len()).map(|index| path(written, index)).collect();
    shape.sort();
    shape
}

/// A move behind those that lead to it.
fn path(written: &WrittenSolution<'_>, index: usize) -> String {
    let node = &written.nodes[index];
    let parent = node.parent.map_or(String::new(), |parent| path(written, parent));
    let moves: Vec<&str> = node.moves.iter().map(|m| m.text).collect();
    let role = match node.role {
        Role::Move => "",
        Role::Threat => "threat:",
        Role::SetPlay => "set:",
        Role::Refutation => "but:",
    };
    format!("{parent} {role}{}", moves.join("/"))
}

/// A text with single blanks.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The offset in a text of an offset in its [`words`].
fn place_of(text: &str, in_words: usize) -> Option<usize> {
    let (mut at, mut left) = (text.len() - text.trim_start().len(), in_words);
    while left > 0 {
        let rest = text.get(at..)?;
        let blanks = rest.len() - rest.trim_start().len();
        at += if blanks > 0 { blanks } else { rest.chars().next()?.len_utf8() };
        left = left.checked_sub(if blanks > 0 { 1 } else { rest.chars().next()?.len_utf8() })?;
    }
    Some(at)
}

/// A tree that is printed as movetext: `1. Rxc5 Ka8 (1... b2 2. Ra1#) 2. Rc8#`.
struct Movetext<'t> {
    tree: &'t WrittenTree<'t>,
    /// The moves as they are written, each with those that follow it.
    moves: Vec<(String, Vec<usize>)>,
    first: Vec<usize>,
    /// Whether Black has the first move, which is numbered `1...`.
    is_black: bool,
}

impl<'t> Movetext<'t> {
    /// The tree of a text; nothing if it has what movetext has not, such as threats.
    fn of(tree: &'t WrittenTree<'t>) -> Option<Movetext<'t>> {
        let written = &tree.written;
        let mut movetext = Movetext {
            tree,
            moves: Vec::new(),
            first: Vec::new(),
            is_black: written.numbers.begins_with_half,
        };
        for (index, node) in written.nodes.iter().enumerate() {
            let is_plain = node.role == Role::Move
                && node.moves.len() == 1
                && node.zugzwang.is_none()
                && node.threat.is_none();
            if !is_plain {
                return None;
            }
            let text = tree.text.get(node.span().start as usize..end_of(written, index))?;
            movetext.add(node.parent, &words(text));
        }
        Some(movetext)
    }

    /// Adds a move, and returns its index.
    fn add(&mut self, behind: Option<usize>, text: &str) -> usize {
        let index = self.moves.len();
        match behind {
            Some(parent) => self.moves[parent].1.push(index),
            None => self.first.push(index),
        }
        self.moves.push((text.to_string(), Vec::new()));
        index
    }

    fn print(&self) -> String {
        self.beside(&self.first, 0, true)
    }

    /// Moves of which one is made, with what follows each: all but the first are variations. Without a number, the first has
    /// one only where something parts it from the move before it.
    fn beside(&self, moves: &[usize], ply: usize, is_parted: bool) -> String {
        let Some((&main, others)) = moves.split_first() else { return String::new() };
        let number = |ply| self.tree.number(ply);
        let is_numbered = is_parted || ply.is_multiple_of(2) != self.is_black;
        let mut text = match is_numbered {
            true => format!("{} {}", number(ply), self.moves[main].0),
            false => self.moves[main].0.clone(),
        };
        for &other in others {
            text +=
                &format!(" ({} {}{})", number(ply), self.moves[other].0, self.behind(other, ply + 1, false));
        }
        text + &self.behind(main, ply + 1, !others.is_empty())
    }

    /// What follows a move.
    fn behind(&self, index: usize, ply: usize, is_parted: bool) -> String {
        match self.beside(&self.moves[index].1, ply, is_parted).as_str() {
            "" => String::new(),
            text => format!(" {text}"),
        }
    }
}
