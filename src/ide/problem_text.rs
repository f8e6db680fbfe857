//! The play of a chess problem in words: key, threat, variations by the answer to them, tries, set play.

use cpz_check::analysis::ProblemPlay;
use cpz_rules::games::{Attack, Defence, Key, Position, SetPlay, Stipulation, after_move, san};

/// The most lines that a hover and a listing show of a play.
pub const MAX_PLAY_LINES: usize = 30;

/// The most moves that one variation names where they have the same answer.
const MAX_GROUP: usize = 12;

/// A line of the play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayLine {
    /// How deep it is in the tree: 0 for a key, 1 for the variations after it.
    pub depth: usize,
    /// `1.Qb6! threat: 2.Qd7#`, `1...Kd5, Kd4 2.Qd6#`
    pub text: String,
}

/// The words of a play.
#[derive(Clone, Copy, Debug)]
pub struct PlayWords {
    /// Before the threats.
    pub threat: &'static str,
    /// Where the other side has to move.
    pub zugzwang: &'static str,
    /// Before set play.
    pub set_play: &'static str,
    /// Behind moves of which some are left out: `{}` is their number.
    pub more: &'static str,
}

impl PlayWords {
    /// In English.
    pub const ENGLISH: PlayWords =
        PlayWords { threat: "threat:", zugzwang: "zugzwang", set_play: "set play:", more: "and {} more" };
}

/// The play in lines: each key with its tree, then set play, then tries. Variations of full length come first. Of many moves
/// with the same continuation the first are named.
pub fn play_lines(play: &ProblemPlay) -> Vec<PlayLine> {
    play_lines_in(play, PlayWords::ENGLISH)
}

/// The same with every move.
pub fn all_play_lines(play: &ProblemPlay) -> Vec<PlayLine> {
    PlayWriter { asked: play.stipulation, words: PlayWords::ENGLISH, max_group: usize::MAX }.lines(play)
}

/// The lines of [`play_lines`] in the words of a language; moves are in English notation.
pub fn play_lines_in(play: &ProblemPlay, words: PlayWords) -> Vec<PlayLine> {
    PlayWriter { asked: play.stipulation, words, max_group: MAX_GROUP }.lines(play)
}

/// At most `max` lines of a play: the deepest ones are left out first. And how many are left out.
pub fn short_play(lines: &[PlayLine], max: usize) -> (Vec<&PlayLine>, usize) {
    let within = |depth: usize| lines.iter().filter(move |l| l.depth <= depth);
    let deepest = lines.iter().map(|l| l.depth).max().unwrap_or(0);
    let depth = (0..=deepest).rev().find(|&depth| within(depth).count() <= max);
    let mut kept: Vec<&PlayLine> = match depth {
        Some(depth) if depth > 0 || deepest == 0 => within(depth).collect(),
        // The first variations, and the tries and set play behind them.
        _ => {
            let mut left = max.saturating_sub(within(0).count());
            let mut fits = |l: &&PlayLine| {
                let fits = l.depth == 0 || l.depth == 1 && left > 0;
                left -= usize::from(fits && l.depth == 1);
                fits
            };
            lines.iter().filter(&mut fits).collect()
        }
    };
    kept.truncate(max);
    let dropped = lines.len() - kept.len();
    (kept, dropped)
}

/// A move of the attacker as it is written: `Qb6`, ` threat: 2.Qd7#` behind it, and the variations below it.
struct WrittenAttack {
    name: String,
    told: Told,
}

/// What the play says of a move. Moves of which it says the same stand on one line.
#[derive(PartialEq, Eq)]
struct Told {
    /// What stands behind the move on its line.
    behind: String,
    below: Vec<PlayLine>,
}

struct PlayWriter {
    asked: Stipulation,
    words: PlayWords,
    /// The most moves that are named where they have the same continuation.
    max_group: usize,
}

impl PlayWriter {
    fn lines(&self, play: &ProblemPlay) -> Vec<PlayLine> {
        let mut lines = Vec::new();
        for tree in &play.keys {
            let WrittenAttack { name, told } = self.attack(&play.position, &tree.key, 1, 0);
            lines.push(PlayLine { depth: 0, text: format!("1.{name}!{}", told.behind) });
            lines.extend(told.below);
        }
        lines.extend(self.set_play(&play.position, &play.set_play));
        // In a mate in one move a move that does not mate is no try.
        let is_long = self.asked.moves() > 1 || self.asked.play().is_against_itself();
        lines.extend(play.tries.tries.iter().filter(|_| is_long).map(|found| {
            let after = after_move(&play.position, found.mv);
            let refutation = san(&after, found.refutation);
            let text = format!("1.{}? {refutation}!", san(&play.position, found.mv));
            PlayLine { depth: 0, text }
        }));
        lines
    }

    /// A move of the attacker and the variations after it. `number` is that of the move, `depth` that of its line.
    fn attack(&self, position: &Position, attack: &Attack, number: usize, depth: usize) -> WrittenAttack {
        let (name, after) = (san(position, attack.mv), after_move(position, attack.mv));
        if self.is_last(attack) {
            let told = Told { behind: self.last_replies(&after, attack), below: Vec::new() };
            return WrittenAttack { name, told };
        }
        let behind = match attack.threats.as_slice() {
            [] if attack.zugzwang => format!(" {}", self.words.zugzwang),
            [] => String::new(),
            threats => {
                let passed = Position { turn: position.turn, ..after.clone() };
                format!(" {} {}", self.words.threat, self.moves(&passed, threats, number + 1))
            }
        };
        // A threat that is no last move is shown with what follows it.
        let is_threat = |a: &Attack| self.is_last(a) && attack.threats.iter().any(|t| t.mv == a.mv);
        let is_defence = |d: &&Defence| !d.answers.iter().any(is_threat);
        // The longest variations first, then in the order of their first moves.
        let mut defences: Vec<&Defence> = attack.defences.iter().filter(is_defence).collect();
        defences.sort_by_key(|defence| std::cmp::Reverse(defence.mates));
        let told = defences
            .into_iter()
            .map(|defence| (san(&after, defence.mv), self.answers(&after, defence, number + 1, depth + 1)));
        let mut below = Vec::new();
        for (names, blocks) in grouped(told) {
            let before = format!("{number}...{}", self.shortened(&names, ", "));
            if blocks.is_empty() {
                below.push(PlayLine { depth: depth + 1, text: before });
                continue;
            }
            for block in blocks {
                let text = format!("{before} {}.{}", number + 1, block.behind);
                below.push(PlayLine { depth: depth + 1, text });
                below.extend(block.below);
            }
        }
        WrittenAttack { name, told: Told { behind, below } }
    }

    /// The answers to a defence. Answers of which the play says the same are one line. `number` is the number of these moves.
    fn answers(&self, position: &Position, defence: &Defence, number: usize, depth: usize) -> Vec<Told> {
        let after = after_move(position, defence.mv);
        let written = defence.answers.iter().map(|answer| {
            let WrittenAttack { name, told } = self.attack(&after, answer, number, depth);
            (name, told)
        });
        let line = |(names, told): (Vec<String>, Told)| {
            let behind = self.listed(names) + &told.behind;
            Told { behind, below: told.below }
        };
        grouped(written).into_iter().map(line).collect()
    }

    /// Whether a move of the attacker is the last one of its line: it mates, or every reply to it does.
    fn is_last(&self, attack: &Attack) -> bool {
        attack.mates <= 1
    }

    /// The mates of a selfmate behind the attacker's last move: ` b2#`.
    fn last_replies(&self, after: &Position, attack: &Attack) -> String {
        if !self.asked.play().is_against_itself() || attack.defences.is_empty() {
            return String::new();
        }
        let replies = attack.defences.iter().map(|d| san(after, d.mv)).collect();
        format!(" {}", self.listed(replies))
    }

    /// Writes what is ready for the moves of the other side, by answer.
    fn set_play(&self, position: &Position, play: &[SetPlay]) -> Vec<PlayLine> {
        let waiting = Position { turn: position.turn.other(), ..position.clone() };
        let told = play.iter().map(|set| {
            // A move that reaches the goal itself has no answer.
            let answers = match set.answers.is_empty() {
                true => String::new(),
                false => format!(" {}", self.moves(&after_move(&waiting, set.mv), &set.answers, 2)),
            };
            (san(&waiting, set.mv), answers)
        });
        let line = |(names, answers): (Vec<String>, String)| {
            let text = format!("{} 1...{}{answers}", self.words.set_play, self.shortened(&names, ", "));
            PlayLine { depth: 0, text }
        };
        grouped(told).into_iter().map(line).collect()
    }

    /// Moves with their number: `2.Qd7#/Qe6#`.
    fn moves(&self, position: &Position, keys: &[Key], number: usize) -> String {
        let names = keys.iter().map(|key| san(position, key.mv)).collect();
        format!("{number}.{}", self.listed(names))
    }

    /// Moves between slashes. Those of pawns come first: behind a piece, `d4` may be short for a move of that piece.
    fn listed(&self, mut names: Vec<String>) -> String {
        names.sort_by_key(|name| name.starts_with(char::is_uppercase));
        self.shortened(&names, "/")
    }

    /// Joins names, of which it drops those behind the most that are named.
    fn shortened(&self, names: &[String], separator: &str) -> String {
        match names.len().checked_sub(self.max_group).filter(|more| *more > 0) {
            None => names.join(separator),
            Some(more) => {
                let more = self.words.more.replace("{}", &more.to_string());
                format!("{} {more}", names[..self.max_group].join(separator))
            }
        }
    }
}

/// The names of which the same is told, in the order of the first of them.
fn grouped<T: PartialEq>(told: impl Iterator<Item = (String, T)>) -> Vec<(Vec<String>, T)> {
    let mut groups: Vec<(Vec<String>, T)> = Vec::new();
    for (name, told) in told {
        match groups.iter_mut().find(|(_, other)| *other == told) {
            Some((names, _)) => names.push(name),
            None => groups.push((vec![name], told)),
        }
    }
    groups
}
