//! Prints solutions as PGN movetext. What is printed is read back, and holds.

use cpz_rules::board::Colour;
use cpz_rules::games::{
    Attack, ChessMove, Defence, Position, SolutionTree, Stipulation, after_in_sequence, after_move, san,
};

/// The solution of a problem that has keys as movetext, with the trees of all keys: `1. Rxc5 Ka8 (1... b2 2. Ra1#)
/// 2. Rc8#`. Defences of full length are written, and one answer to each. Those with the same answer are one variation, that
/// of the first of them.
pub fn solution_movetext(start: &Position, trees: &[SolutionTree]) -> String {
    let printer = Printer { is_black: start.turn == Colour::Black };
    let number = printer.number(0);
    let Some((first, others)) = trees.split_first() else { return String::new() };
    let others = others.iter().map(|tree| format!(" ({number} {})", printer.attack(start, &tree.key, 0, "")));
    let others: String = others.collect();
    format!("{number} {}", printer.attack(start, &first.key, 0, &others))
}

/// A sequence as movetext, numbered as composers do: see [`numbered_moves`].
pub fn sequence_movetext(start: &Position, asked: Stipulation, moves: &[ChessMove]) -> String {
    let mut position = start.clone();
    let mut names = Vec::new();
    for (index, &mv) in moves.iter().enumerate() {
        names.push(san(&position, mv));
        position = after_in_sequence(&position, asked, mv, index);
    }
    numbered_moves(asked, names.iter().map(String::as_str))
}

/// The moves of a sequence with their numbers: `1. Re3 Bf7 2. Rg7 Rh4#`, from `1...` on where a half move is missing, and
/// each move of a series with a number of its own: `1. Kb1 2. Ka1 Qb2#`.
pub fn numbered_moves<'m>(asked: Stipulation, moves: impl Iterator<Item = &'m str>) -> String {
    let word = |(index, name): (usize, &str)| match asked.number_of(index) {
        (number, false) => format!("{number}. {name}"),
        (number, true) if index == 0 => format!("{number}... {name}"),
        _ => name.to_string(),
    };
    moves.enumerate().map(word).collect::<Vec<_>>().join(" ")
}

struct Printer {
    /// Whether Black has the first move, which PGN numbers `1...`.
    is_black: bool,
}

/// Defences with the same continuation.
struct Group {
    /// The first of the defences in SAN, which stands for all.
    name: String,
    /// The answer: two moves may have the same name, one of them en passant.
    mv: Option<ChessMove>,
    /// The answer without its number, and what follows; empty where the defence mates.
    answer: String,
    /// Whether the answer is a threat.
    is_threat: bool,
}

impl Printer {
    fn number(&self, ply: usize) -> String {
        let ply = ply + usize::from(self.is_black);
        format!("{}{}", ply / 2 + 1, if ply.is_multiple_of(2) { "." } else { "..." })
    }

    /// A move of the attacker without its number, what is `beside` it, and all that follows.
    fn attack(&self, before: &Position, attack: &Attack, ply: usize, beside: &str) -> String {
        let mut text = san(before, attack.mv) + beside;
        let after = after_move(before, attack.mv);
        let groups = self.groups(&after, attack, ply + 1);
        let Some((main, others)) = groups.split_first() else { return text };
        // The number of a move of Black is written only where something parts it from that of White.
        if self.is_black || !beside.is_empty() {
            text += &format!(" {}", self.number(ply + 1));
        }
        text += &format!(" {}", main.name);
        for group in others {
            let (number, defence) = (self.number(ply + 1), &group.name);
            text += &format!(" ({number} {defence}{})", self.answer(group, ply + 2, false));
        }
        text + &self.answer(main, ply + 2, !others.is_empty())
    }

    /// The answer to a group, with its number.
    fn answer(&self, group: &Group, ply: usize, is_parted: bool) -> String {
        match (&group.answer[..], self.is_black && !is_parted) {
            ("", _) => String::new(),
            (answer, true) => format!(" {answer}"),
            (answer, false) => format!(" {} {answer}", self.number(ply)),
        }
    }

    /// The defences of full length, those of the threats last.
    fn groups(&self, after: &Position, attack: &Attack, ply: usize) -> Vec<Group> {
        let is_full = |defence: &&Defence| defence.mates + 1 == attack.mates;
        let full: Vec<&Defence> = attack.defences.iter().filter(is_full).collect();
        let answers = |defence: &Defence| {
            let shortest = defence.answers.iter().filter(|answer| answer.mates == defence.mates);
            shortest.map(|answer| answer.mv).collect::<Vec<_>>()
        };
        let all: Vec<ChessMove> = full.iter().flat_map(|defence| answers(defence)).collect();
        let often = |mv: &ChessMove| all.iter().filter(|other| *other == mv).count();
        let mut groups: Vec<Group> = Vec::new();
        for defence in full {
            let next = after_move(after, defence.mv);
            // The answer that most defences have in common; the first of several.
            let best = answers(defence).into_iter().rev().max_by_key(often);
            let best = defence.answers.iter().find(|answer| Some(answer.mv) == best);
            if best.is_none() && defence.mates > 0 {
                continue;
            }
            let answer = best.map_or(String::new(), |best| self.attack(&next, best, ply + 1, ""));
            let name = san(after, defence.mv);
            let mv = best.map(|best| best.mv);
            if groups.iter().all(|group| group.mv != mv || group.answer != answer) {
                let is_threat = best.is_some_and(|best| attack.threats.iter().any(|t| t.mv == best.mv));
                groups.push(Group { name, mv, answer, is_threat });
            }
        }
        groups.sort_by_key(|group| group.is_threat);
        groups
    }
}
