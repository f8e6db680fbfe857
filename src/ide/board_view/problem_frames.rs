//! The frames of chess problems: a path through the variations of a key, of a try or of set play; a whole
//! sequence.

use crate::board_view::chess_moves::frame_after_move;
use crate::board_view::playback::{Frame, Playback};
use crate::board_view::variations::{Node, Reply, Variations};
use crate::diagram::{ArrowKind, BoardArrow, SquareMark};
use cpz_rules::board::{Colour, square_name};
use cpz_rules::games::{
    Budget, ChessMove, Goal, NamedKey, NamedMove, Play, Position, Status, Stipulation, Try, Undecided,
    after_in_sequence, after_move, after_pass, legal_moves, san, status_of,
};

/// The most tries that are listed.
const MAX_TRIES: usize = 8;
/// The most threats that have an arrow each.
const MAX_THREAT_ARROWS: usize = 3;
/// The most answers to one reply that are named.
const MAX_NAMED_ANSWERS: usize = 6;

/// What the variations begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Beginning<'r> {
    /// A key.
    Key(&'r NamedKey),
    /// A move of the defender, as if the attacker had passed.
    SetPlay,
    /// A first move that one reply refutes.
    Tries,
}

/// A move that can be chosen where a variation branches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The move with its number: `1...Kd5`, `1.Qc6?`.
    pub label: String,
    /// What answers it: `2.Qd6#`; empty if nothing does or need do so.
    pub answer: String,
    /// The number of the group of moves with the same answer, from 0. Moves of one group are consecutive.
    pub group: usize,
    /// Whether it refutes a try.
    pub refutes: bool,
}

/// The moves that can be chosen where a variation branches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// What they are: `Black's replies to 1.Qb6`.
    pub title: String,
    /// Never empty. Refutations first, then the longest variations.
    pub choices: Vec<Choice>,
    /// The index in `choices` of the move that is played.
    pub chosen: usize,
    /// The index of the frame after that move.
    pub frame: usize,
    /// The index of the first frame at which one of them can be chosen.
    pub(crate) from: usize,
}

/// A path through the variations.
#[derive(Default)]
pub(crate) struct Walk {
    /// Never empty.
    pub frames: Vec<Frame>,
    /// The branches of the path, in its order.
    pub branches: Vec<Branch>,
    /// Whether the budget ran out, so that variations are missing.
    pub is_cut: bool,
}

/// A chess problem that is played.
pub(crate) struct ProblemPlayback<'a> {
    /// The position that the problem begins with.
    pub position: &'a Position,
    pub asked: Stipulation,
}

impl ProblemPlayback<'_> {
    /// The frame before the first move.
    pub fn start(&self) -> Frame {
        let (attacker, defender) = (side(self.position.turn), side(self.position.turn.other()));
        let length = self.asked.length();
        let moves = if length == "1" { "1 move".to_string() } else { format!("{length} moves") };
        let (reaches, reach) = (self.goal_verb(true), self.goal_verb(false));
        let row = if length == "1" { "1 move".to_string() } else { format!("{length} moves in a row") };
        let caption = match self.asked.play() {
            // A single move that mates has no reply.
            Play::Direct if length == "1" => format!("{attacker} {reaches} in {moves}"),
            Play::Direct => format!("{attacker} {reaches} in {moves}, whatever {defender} plays"),
            Play::SelfPlay => format!("{attacker} forces {defender} to {reach} within {moves}"),
            Play::Reflex => {
                format!("{attacker} forces {defender} to {reach} within {moves}; whoever can {reach} must")
            }
            Play::SemiReflex => {
                format!("{attacker} forces {defender} to {reach} within {moves}; {defender} must if it can")
            }
            Play::Help => {
                let helped = side(self.last_side());
                format!("{attacker} moves first, and both sides help {helped} to {reach} in {moves}")
            }
            Play::HelpSelf => {
                let (forcing, forced) = (side(self.last_side().other()), side(self.last_side()));
                format!(
                    "{attacker} moves first, and both sides help {forcing} to make {forced} {reach} in {moves}"
                )
            }
            Play::Series => format!("{attacker} makes {row} and {reaches} with the last one"),
            Play::SeriesHelp => format!("{attacker} makes {row}, then {defender} {reaches}"),
            Play::SeriesSelf => format!("{attacker} makes {row}, then {defender} must {reach}"),
        };
        Frame::new(self.position.board.clone(), caption)
    }

    /// The goal as a verb: `mates`, or `mate` behind `to`.
    fn goal_verb(&self, is_third_person: bool) -> String {
        let (verb, ending, object) = match self.asked.goal() {
            Goal::Mate => ("mate", "s", String::new()),
            Goal::Stalemate => ("stalemate", "s", String::new()),
            Goal::Check => ("give", "s", " check".to_string()),
            Goal::Capture => ("capture", "s", String::new()),
            Goal::Arrival => {
                let square = self.asked.square.map_or(String::new(), |square| square_name(square, false));
                ("move", "s", format!(" to {square}"))
            }
        };
        format!("{verb}{}{object}", if is_third_person { ending } else { "" })
    }

    /// The side that makes the last ply of help play.
    fn last_side(&self) -> Colour {
        match self.asked.plies % 2 {
            0 => self.position.turn.other(),
            _ => self.position.turn,
        }
    }

    /// Whether something is ready for a move of the defender, if that had to move first.
    ///
    /// # Errors
    /// [`Undecided`] if the budget ran out before that is known, or the search was cancelled.
    pub fn has_set_play(&self, budget: &Budget<'_>) -> Result<bool, Undecided> {
        let moves = self.asked.moves() - 1;
        if moves == 0 || matches!(status_of(self.position), Status::Check | Status::Checkmate) {
            return Ok(false);
        }
        Variations::new(self.position, self.asked, budget).has_answers(&after_pass(self.position), moves)
    }

    /// The frames of a solution that is a whole sequence.
    pub fn sequence(&self, play: &Playback<'_, '_>, solution: &[NamedMove]) -> Vec<Frame> {
        let mut frames = vec![self.start()];
        let mut position = self.position.clone();
        for (i, named) in solution.iter().enumerate() {
            let Some(mv) = move_of(&position, &named.uci) else { break };
            let mut frame = frame_after_move(&Playback { bound: play.bound, position: &position }, mv);
            let (number, is_reply) = self.asked.number_of(i);
            let dots = if is_reply { "..." } else { "." };
            frame.caption = format!("{number}{dots}{}: {}", named.san, frame.caption);
            frame.arrows = vec![BoardArrow { from: mv.from, to: mv.to, kind: ArrowKind::Move }];
            frames.push(frame);
            position = after_in_sequence(&position, self.asked, mv, i);
        }
        frames
    }

    /// A path through the variations. `chosen` has the index of the move at each branch; the first move if it ends.
    pub fn walk(
        &self,
        play: &Playback<'_, '_>,
        beginning: Beginning<'_>,
        chosen: &[usize],
        budget: &Budget<'_>,
    ) -> Walk {
        let walker = Walker {
            play,
            problem: self,
            chosen,
            variations: Variations::new(self.position, self.asked, budget),
            position: self.position.clone(),
            number: 1,
            walk: Walk::default(),
        };
        walker.walk(beginning)
    }
}

/// Makes a walk.
struct Walker<'w, 'b> {
    play: &'w Playback<'w, 'w>,
    problem: &'w ProblemPlayback<'w>,
    chosen: &'w [usize],
    variations: Variations<'b>,
    /// The position after the last frame.
    position: Position,
    /// The number of the next move of the attacker, or of the reply to it.
    number: usize,
    walk: Walk,
}

impl Walker<'_, '_> {
    fn walk(mut self, beginning: Beginning<'_>) -> Walk {
        let mut start = self.problem.start();
        let moves = self.problem.asked.moves();
        let (attacker, defender) = (side(self.position.turn), side(self.position.turn.other()));
        match beginning {
            Beginning::Key(key) => {
                self.walk.frames.push(start);
                if let Some(mv) = move_of(&self.position, &key.mv.uci) {
                    self.attack(mv, "!", "", key.mates - 1);
                }
            }
            Beginning::SetPlay => {
                start.caption =
                    format!("Set play: what {attacker} has ready if {defender} had to move first");
                self.position = after_pass(&self.position);
                let mut node = self.variations.node(&self.position, moves - 1);
                node.keep_answered();
                if node.replies.is_empty() && node.is_complete {
                    start.caption = format!("{attacker} has nothing ready if {defender} had to move first");
                }
                self.cut(&mut start, &node);
                self.walk.frames.push(start);
                if let Some(reply) = self.branch(format!("{defender}'s moves in set play"), &node) {
                    self.reply(&reply, "");
                }
            }
            Beginning::Tries => {
                self.walk.frames.push(start);
                self.tries();
            }
        }
        self.walk
    }

    /// The tries, and the path of the chosen one.
    fn tries(&mut self) {
        let found = self.variations.tries(&self.position, self.problem.asked);
        let (tries, is_complete) = found.map_or((Vec::new(), false), |f| (f.tries, f.complete));
        let what = match tries.len() {
            0 if is_complete => "No first move fails to one reply only".to_string(),
            0 => "No try was found".to_string(),
            1 => "1 try: a first move that fails to one reply only".to_string(),
            n => format!("{n} tries: first moves that fail to one reply only"),
        };
        let more = if tries.len() > MAX_TRIES { format!("; {MAX_TRIES} are listed") } else { String::new() };
        let cut = if is_complete { "" } else { "; more first moves were not searched" };
        self.walk.frames[0].caption = format!("{what}{more}{cut}");
        self.walk.is_cut |= !is_complete;
        if tries.is_empty() {
            return;
        }
        let choice = |(group, t): (usize, &Try)| {
            let after = after_move(&self.position, t.mv);
            Choice {
                label: format!("1.{}?", san(&self.position, t.mv)),
                answer: format!("1...{}!", san(&after, t.refutation)),
                group,
                refutes: false,
            }
        };
        let choices: Vec<Choice> = tries.iter().take(MAX_TRIES).enumerate().map(choice).collect();
        let chosen = self.choose(choices.len());
        let title = "Tries, each with its refutation".to_string();
        self.walk.branches.push(Branch { title, choices, chosen, frame: 1, from: 0 });
        let mv = tries[chosen].mv;
        self.attack(mv, "?", "", self.problem.asked.moves() - 1);
    }

    /// The chosen index at the next branch.
    fn choose(&self, length: usize) -> usize {
        self.chosen.get(self.walk.branches.len()).map_or(0, |&i| i.min(length - 1))
    }

    /// A move of the attacker, which then has `moves` moves, and what follows. `before` is the reply that it answers.
    fn attack(&mut self, mv: ChessMove, mark: &str, before: &str, moves: u8) {
        let name = format!("{}.{}{mark}", self.number, san(&self.position, mv));
        let mut frame = self.frame(mv);
        let is_goal = self.variations.is_goal(&self.position, mv);
        self.position = after_move(&self.position, mv);
        let node = match is_goal {
            true => Node { is_complete: true, ..Node::default() },
            false => self.variations.node(&self.position, moves),
        };
        frame.caption = format!("{before}{name}{}", self.what_follows(&node, before.is_empty()));
        if let Some(refutation) = node.replies.first().filter(|r| r.mates.is_none()) {
            let reply = self.reply_name(refutation);
            frame.caption = format!("{}, but fails to {reply}", frame.caption);
        }
        self.cut(&mut frame, &node);
        let threats = node.threats.iter().take(MAX_THREAT_ARROWS);
        frame.arrows.extend(threats.map(|t| BoardArrow { from: t.from, to: t.to, kind: ArrowKind::Threat }));
        self.walk.frames.push(frame);
        let title =
            format!("{}'s replies to {}", side(self.position.turn), name.trim_end_matches(['!', '?']));
        if let Some(reply) = self.branch(title, &node) {
            self.reply(&reply, &name);
        }
    }

    /// A reply of the defender to the move `to`, and what follows.
    fn reply(&mut self, reply: &Reply, to: &str) {
        let name = self.reply_name(reply);
        let mut frame = self.frame(reply.mv);
        let answers = self.answers(reply);
        self.position = after_move(&self.position, reply.mv);
        frame.caption = match reply.mates {
            None => format!("{to} fails to {name}"),
            Some(0) => format!("{name} mates {}", side(self.position.turn)),
            Some(_) => format!("{name}, answered by {answers}"),
        };
        if reply.mates.is_none() {
            frame.arrows[0].kind = ArrowKind::Failed;
            let target = frame.marks.iter_mut().filter(|m| m.0 == reply.mv.to);
            target.for_each(|m| m.1 = SquareMark::Failed);
        }
        self.walk.frames.push(frame);
        if let (Some(moves), Some(&answer)) = (reply.mates, reply.answers.first()) {
            self.number += 1;
            self.attack(answer, "", &format!("{name} "), moves - 1);
        }
    }

    /// The frame after a move, without a caption.
    fn frame(&self, mv: ChessMove) -> Frame {
        let mut frame = frame_after_move(&Playback { bound: self.play.bound, position: &self.position }, mv);
        frame.arrows = vec![BoardArrow { from: mv.from, to: mv.to, kind: ArrowKind::Move }];
        frame.caption.clear();
        frame
    }

    /// ` threatens 2.Qb7#`, ` zugzwang: Black has to move`. A mate is said where nothing is `before` it.
    fn what_follows(&self, node: &Node, is_first: bool) -> String {
        match status_of(&self.position) {
            Status::Checkmate if is_first => " mates".into(),
            Status::Checkmate => String::new(),
            Status::Stalemate => " stalemates".into(),
            Status::Check => " gives check".into(),
            Status::None if node.is_zugzwang => {
                format!(" zugzwang: {} has to move", side(self.position.turn))
            }
            Status::None if node.threats.is_empty() => String::new(),
            Status::None => {
                let passed = after_pass(&self.position);
                let names: Vec<String> = node.threats.iter().map(|&mv| san(&passed, mv)).collect();
                format!(" threatens {}.{}", self.number + 1, listed(&names, " or "))
            }
        }
    }

    /// Says where variations are missing.
    fn cut(&mut self, frame: &mut Frame, node: &Node) {
        if !node.is_complete {
            self.walk.is_cut = true;
            frame.caption.push_str("; more variations were not searched");
        }
    }

    /// `1...Kd5`, `1...Kd5!` where it refutes.
    fn reply_name(&self, reply: &Reply) -> String {
        let mark = if reply.mates.is_none() { "!" } else { "" };
        format!("{}...{}{mark}", self.number, san(&self.position, reply.mv))
    }

    /// What answers a reply: `2.Qd6#`, `2.Qd6#/Qe6#`; nothing if it refutes or mates.
    fn answers(&self, reply: &Reply) -> String {
        match reply.answers.is_empty() {
            true => String::new(),
            false => format!("{}.{}", self.number + 1, listed(&reply.names, "/")),
        }
    }

    /// Adds the branch of a node, and returns the reply that is played.
    fn branch(&mut self, title: String, node: &Node) -> Option<Reply> {
        let choice = |reply: &Reply| Choice {
            label: self.reply_name(reply),
            answer: self.answers(reply),
            group: reply.group,
            refutes: reply.mates.is_none(),
        };
        let choices: Vec<Choice> = node.replies.iter().map(choice).collect();
        if choices.is_empty() {
            return None;
        }
        let (chosen, frame) = (self.choose(choices.len()), self.walk.frames.len());
        self.walk.branches.push(Branch { title, choices, chosen, frame, from: frame - 1 });
        Some(node.replies[chosen].clone())
    }
}

/// Names of moves, at most six.
fn listed(names: &[String], separator: &str) -> String {
    match names.len().checked_sub(MAX_NAMED_ANSWERS + 1) {
        None => names.join(separator),
        Some(more) => format!("{} and {} more", names[..MAX_NAMED_ANSWERS].join(separator), more + 1),
    }
}

fn side(colour: Colour) -> &'static str {
    if colour == Colour::White { "White" } else { "Black" }
}

/// The legal move with a name in the notation of UCI.
fn move_of(position: &Position, uci: &str) -> Option<ChessMove> {
    legal_moves(position).into_iter().find(|mv| mv.uci() == uci)
}
