//! The play of a chess problem in words: key, threat, variations by the answer to them, tries, set play.

use cpz_check::analysis::ProblemPlay;
use cpz_rules::games::{
    Attack, ChessMove, Defence, Key, Play, Position, SetPlay, Stipulation, after_move, san,
};

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

/// The play in lines: each key with its tree, then set play, then tries. Variations of full length come first.
pub fn play_lines(play: &ProblemPlay) -> Vec<PlayLine> {
    play_lines_in(play, PlayWords::ENGLISH)
}

/// The same in the words of a language; moves are in English notation.
pub fn play_lines_in(play: &ProblemPlay, words: PlayWords) -> Vec<PlayLine> {
    let mut writer = PlayWriter { asked: play.stipulation, words, lines: Vec::new() };
    for tree in &play.keys {
        writer.attack(&play.position, &tree.key, Place { number: 1, depth: 0, before: "", is_key: true });
    }
    writer.set_play(&play.position, &play.set_play);
    for found in &play.tries.tries {
        let after = after_move(&play.position, found.mv);
        let refutation = san(&after, found.refutation);
        let text = format!("1.{}? {refutation}!", san(&play.position, found.mv));
        writer.lines.push(PlayLine { depth: 0, text });
    }
    writer.lines
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

/// Where a move of the attacker stands in the play.
#[derive(Clone, Copy)]
struct Place<'a> {
    /// The number of the move.
    number: usize,
    depth: usize,
    /// What stands before the move on its line: the defences that it answers.
    before: &'a str,
    is_key: bool,
}

struct PlayWriter {
    asked: Stipulation,
    words: PlayWords,
    lines: Vec<PlayLine>,
}

impl PlayWriter {
    /// Writes a move of the attacker, and below it the variations.
    fn attack(&mut self, position: &Position, attack: &Attack, place: Place<'_>) {
        let Place { number, depth, before, is_key } = place;
        let after = after_move(position, attack.mv);
        let mut text = format!("{before}{number}.{}", san(position, attack.mv));
        text.push_str(if is_key { "!" } else { "" });
        if self.is_last(attack) {
            text.push_str(&self.last_replies(&after, attack));
            self.lines.push(PlayLine { depth, text });
            return;
        }
        match attack.threats.as_slice() {
            [] if attack.zugzwang => text.push_str(&format!(" {}", self.words.zugzwang)),
            [] => {}
            threats => {
                let passed = Position { turn: position.turn, ..after.clone() };
                text.push_str(&format!(
                    " {} {}",
                    self.words.threat,
                    self.moves(&passed, threats, number + 1)
                ));
            }
        }
        self.lines.push(PlayLine { depth, text });
        let is_defence = |d: &&Defence| {
            d.answers.is_empty() || !d.answers.iter().any(|a| attack.threats.iter().any(|t| t.mv == a.mv))
        };
        for group in groups(attack.defences.iter().filter(is_defence)) {
            self.variation(&after, &group, number, depth + 1);
        }
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
        let replies: Vec<String> = attack.defences.iter().map(|d| san(after, d.mv)).collect();
        format!(" {}", self.shortened(&replies, "/"))
    }

    /// Writes defences that have the same answers.
    fn variation(&mut self, position: &Position, group: &[&Defence], number: usize, depth: usize) {
        let names: Vec<String> = group.iter().map(|d| san(position, d.mv)).collect();
        let before = format!("{number}...{} ", self.shortened(&names, ", "));
        let first = group[0];
        let after = after_move(position, first.mv);
        match first.answers.as_slice() {
            [] => self.lines.push(PlayLine { depth, text: before.trim_end().to_string() }),
            [only] => {
                self.attack(&after, only, Place { number: number + 1, depth, before: &before, is_key: false })
            }
            all if all.iter().all(|a| self.is_last(a)) && self.asked.play() == Play::Direct => {
                let answers: Vec<String> = all.iter().map(|a| san(&after, a.mv)).collect();
                let text = format!("{before}{}.{}", number + 1, self.shortened(&answers, "/"));
                self.lines.push(PlayLine { depth, text });
            }
            all => {
                for answer in all {
                    let place = Place { number: number + 1, depth, before: &before, is_key: false };
                    self.attack(&after, answer, place);
                }
            }
        }
    }

    /// Writes what is ready for the moves of the other side, by answer.
    fn set_play(&mut self, position: &Position, play: &[SetPlay]) {
        let waiting = Position { turn: position.turn.other(), ..position.clone() };
        let mut rest: Vec<&SetPlay> = play.iter().collect();
        while let Some(&first) = rest.first() {
            let (group, other): (Vec<&SetPlay>, Vec<&SetPlay>) =
                rest.iter().copied().partition(|s| s.answers == first.answers);
            let names: Vec<String> = group.iter().map(|s| san(&waiting, s.mv)).collect();
            let after = after_move(&waiting, first.mv);
            // A move that reaches the goal itself has no answer.
            let answers = match first.answers.is_empty() {
                true => String::new(),
                false => format!(" {}", self.moves(&after, &first.answers, 2)),
            };
            let text = format!("{} 1...{}{answers}", self.words.set_play, self.shortened(&names, ", "));
            self.lines.push(PlayLine { depth: 0, text });
            rest = other;
        }
    }

    /// Moves with their number: `2.Qd7#/Qe6#`.
    fn moves(&self, position: &Position, keys: &[Key], number: usize) -> String {
        let names: Vec<String> = keys.iter().map(|k| name(position, k.mv)).collect();
        format!("{number}.{}", self.shortened(&names, "/"))
    }

    /// Joins names, of which it drops those behind the twelfth.
    fn shortened(&self, names: &[String], separator: &str) -> String {
        match names.len().checked_sub(MAX_GROUP + 1) {
            None => names.join(separator),
            Some(more) => {
                let more = self.words.more.replace("{}", &(more + 1).to_string());
                format!("{} {more}", names[..MAX_GROUP].join(separator))
            }
        }
    }
}

/// Defences with the same answers together: the longest variations first, then in the order of their first moves.
fn groups<'d>(defences: impl Iterator<Item = &'d Defence>) -> Vec<Vec<&'d Defence>> {
    let mut groups: Vec<Vec<&Defence>> = Vec::new();
    for defence in defences {
        match groups.iter_mut().find(|g| g[0].mates == defence.mates && g[0].answers == defence.answers) {
            Some(group) => group.push(defence),
            None => groups.push(vec![defence]),
        }
    }
    groups.sort_by_key(|g| std::cmp::Reverse(g[0].mates));
    groups
}

fn name(position: &Position, mv: ChessMove) -> String {
    san(position, mv)
}
