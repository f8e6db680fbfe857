//! The tree of a written solution.

use std::borrow::Cow;

use crate::analysis::verbs::move_language::in_english;
use cpz_rules::board::Language;
use cpz_rules::games::Mark;
use cpz_text::diagnostic::{Finding, Span};

/// A solution as it is written.
#[derive(Clone, Debug, Default)]
pub(crate) struct WrittenSolution<'t> {
    /// The moves in the order of the text, each behind its parent.
    pub nodes: Vec<SolutionNode<'t>>,
    /// The language of the letters of pieces, where they are not English.
    pub language: Option<&'static Language>,
    /// How its moves are numbered.
    pub numbers: Numbers,
    /// What cannot be read, such as a variation that is not closed or a number that contradicts its place.
    pub findings: Vec<Finding>,
}

/// How moves are numbered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbers {
    /// The number of the first move.
    pub base: i64,
    /// Whether the first move is written `1...`: help play of n.5, or Black's move where PGN numbers by colours.
    pub begins_with_half: bool,
    /// The moves of a series, each of which has a number of its own. Then a half move is a move.
    pub series: Option<i64>,
}

impl Default for Numbers {
    fn default() -> Numbers {
        Numbers { base: 1, begins_with_half: false, series: None }
    }
}

impl Numbers {
    /// The half move of a number.
    pub fn ply(self, number: u32, is_reply: bool) -> i64 {
        let moves = i64::from(number) - self.base;
        match self.series {
            Some(_) => moves + i64::from(is_reply),
            None => 2 * moves + i64::from(is_reply) - i64::from(self.begins_with_half),
        }
    }

    /// The number of a half move, with its dots.
    pub fn text(self, ply: i64) -> String {
        if let Some(moves) = self.series {
            let is_reply = ply >= moves;
            return format!(
                "{}{}",
                self.base + ply - i64::from(is_reply),
                if is_reply { "..." } else { "." }
            );
        }
        let ply = ply + i64::from(self.begins_with_half);
        format!("{}{}", self.base + ply / 2, if ply % 2 == 0 { "." } else { "..." })
    }
}

/// A move of a written solution, or several with the same continuation: `1...a/b/c`.
#[derive(Clone, Debug)]
pub(crate) struct SolutionNode<'t> {
    /// The index of the move before it; none where the solution begins.
    pub parent: Option<usize>,
    /// Half moves before it, counted from the first move of the side that begins: 0 for a key, 1 for a defence.
    pub ply: u32,
    /// At least one.
    pub moves: Vec<WrittenMove<'t>>,
    /// What the move is, as far as its place says it.
    pub role: Role,
    /// The place of a `!` behind it, which makes a first move a key and a defence a refutation.
    pub good: Option<Span>,
    /// The place of a `?` behind it, which makes a first move a try.
    pub bad: Option<Span>,
    /// The place of `zugzwang` or `zz` behind it.
    pub zugzwang: Option<Span>,
    /// The place of `threat:` behind it.
    pub threat: Option<Span>,
}

/// What a move is by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// It answers the move before it, or is a first move.
    Move,
    /// It follows a move of its own side, as if the other side had passed.
    Threat,
    /// A move of the other side where the solution begins, as if the side to move had passed.
    SetPlay,
    /// Behind `but`: it refutes the move before it.
    Refutation,
}

/// A move as it is written, without its number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WrittenMove<'t> {
    /// The move, with a mark and `ep.` that follow it.
    pub text: &'t str,
    /// Its place.
    pub span: Span,
    /// A mark that something parts from the move.
    pub mark: Option<(Mark, Span)>,
    /// Whether it is `~` or `S~`, which stand for the moves that are not written beside it.
    pub is_any: bool,
    /// The move that it is short for, in a list: `Sf3` of `c2` in `Sf3/c2`, `e8=Q` of `S` in `e8=Q/S`.
    pub short_for: Option<&'t str>,
}

impl WrittenSolution<'_> {
    /// The moves that follow each move.
    pub fn children(&self) -> Vec<Vec<usize>> {
        let mut children = vec![Vec::new(); self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate() {
            if let Some(parent) = node.parent {
                children[parent].push(index);
            }
        }
        children
    }

    /// Whether a move of the attacker is given as one that fails. `children` are those of [`WrittenSolution::children`],
    /// and `in_try` says whether the move follows a try.
    pub fn claims_try(&self, children: &[Vec<usize>], index: usize, in_try: bool) -> bool {
        let node = &self.nodes[index];
        let is_refuted = |&child: &usize| {
            let reply = &self.nodes[child];
            let is_last = children[child].is_empty();
            let may_be = node.parent.is_none() || in_try;
            reply.role == Role::Refutation || may_be && is_last && reply.good.is_some()
        };
        node.bad.is_some() || node.good.is_none() && children[index].iter().any(is_refuted)
    }

    /// Whether a move is another one or leads to it.
    pub fn leads_to(&self, from: usize, to: usize) -> bool {
        let mut at = Some(to);
        while let Some(index) = at.filter(|&index| index > from) {
            at = self.nodes[index].parent;
        }
        at == Some(from)
    }
}

impl SolutionNode<'_> {
    /// The place of its moves.
    pub fn span(&self) -> Span {
        let spans = self.moves.iter().map(|m| m.span);
        spans.reduce(Span::cover).unwrap_or_default()
    }
}

impl<'t> WrittenMove<'t> {
    /// The move in full, with English letters.
    pub fn in_full(&self, language: Option<&Language>) -> Cow<'t, str> {
        let text = in_english(self.text, language);
        let Some(whole) = self.short_for else { return text };
        let whole = in_english(whole, language);
        let is_promotion = text.chars().next().is_some_and(|c| c.is_ascii_uppercase());
        let kept = match is_promotion {
            true => whole.trim_end_matches(|c: char| c.is_ascii_alphabetic()),
            false => whole.get(..1).unwrap_or_default(),
        };
        Cow::Owned(format!("{kept}{text}"))
    }
}
