//! Chess problems by plain brute force over `cozy-chess`.

mod positions;
mod rng;

pub use positions::{Wanted, positions};
pub use rng::Rng;

use cozy_chess::{Board as Position, File, Move, Square};

/// How the sides play towards a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Play {
    Direct,
    Self_,
    Help,
    Reflex,
    SemiReflex,
    HelpSelf,
    Series,
    SeriesHelp,
    SeriesSelf,
}

/// What the last move does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    Mate,
    Stalemate,
    Check,
    Capture,
    Arrival(Square),
}

/// What is asked of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Genre {
    pub play: Play,
    pub goal: Goal,
}

impl Genre {
    pub const MATE: Self = Self { play: Play::Direct, goal: Goal::Mate };
    pub const SELFMATE: Self = Self { play: Play::Self_, goal: Goal::Mate };
    pub const HELPMATE: Self = Self { play: Play::Help, goal: Goal::Mate };

    /// True if first moves solve it, and not lists of moves.
    pub fn has_keys(self) -> bool {
        matches!(self.play, Play::Direct | Play::Self_ | Play::Reflex | Play::SemiReflex)
    }

    /// True if the opponent of the solving side reaches the goal.
    pub fn is_against_solver(self) -> bool {
        !matches!(self.play, Play::Direct | Play::Help | Play::Series | Play::SeriesHelp)
    }

    /// `mate`, `serieshelpstalemate`; `None` where there is only a short form.
    fn word(self) -> Option<String> {
        let goal = match self.goal {
            Goal::Mate => "mate",
            Goal::Stalemate => "stalemate",
            Goal::Check | Goal::Capture | Goal::Arrival(_) => return None,
        };
        let play = match self.play {
            Play::Direct => "",
            Play::Self_ => "self",
            Play::Help => "help",
            Play::Reflex => "reflex",
            Play::SemiReflex => "semireflex",
            Play::HelpSelf => "helpself",
            Play::Series => "series",
            Play::SeriesHelp => "serieshelp",
            Play::SeriesSelf => "seriesself",
        };
        Some(format!("{play}{goal}"))
    }

    /// What JSON calls the query.
    pub fn verb(self) -> Option<String> {
        let word = self.word()?;
        Some(if self.play == Play::Direct { format!("{word}-in") } else { word })
    }
}

/// A genre and twice its length: 4 for `#2`, 5 for `h#2.5`.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    pub genre: Genre,
    pub plies: usize,
}

impl Task {
    /// `mate in 2` or `#2`.
    pub fn query(self, short: bool) -> String {
        let length = self.length();
        match self.genre.word() {
            Some(word) if !short => return format!("{word} in {length}"),
            _ => {}
        }
        let play = match self.genre.play {
            Play::Direct => "",
            Play::Self_ => "s",
            Play::Help => "h",
            Play::Reflex => "r",
            Play::SemiReflex => "semi-r",
            Play::HelpSelf => "hs",
            Play::Series => "ser-",
            Play::SeriesHelp => "ser-h",
            Play::SeriesSelf => "ser-s",
        };
        match self.genre.goal {
            Goal::Mate => format!("{play}#{length}"),
            Goal::Stalemate => format!("{play}={length}"),
            Goal::Check => format!("{play}+{length}"),
            Goal::Capture => format!("{play}x{length}"),
            Goal::Arrival(square) if short => format!("{play}z{square} {length}"),
            Goal::Arrival(square) => format!("{play}z{length} {square}"),
        }
    }

    /// `2`, `2.5`.
    pub fn length(self) -> String {
        format!("{}{}", self.plies / 2, if self.plies % 2 == 1 { ".5" } else { "" })
    }

    pub fn moves(self) -> usize {
        self.plies / 2
    }

    /// The moves that a solution lists.
    pub fn listed(self) -> usize {
        match self.genre.play {
            Play::HelpSelf => self.plies - 1,
            Play::Series | Play::SeriesSelf => self.moves(),
            Play::SeriesHelp => self.moves() + 1,
            _ => self.plies,
        }
    }

    /// The moves after which the same side moves again.
    pub fn passes(self) -> usize {
        match self.genre.play {
            Play::Series | Play::SeriesHelp | Play::SeriesSelf => self.moves() - 1,
            _ => 0,
        }
    }
}

pub fn all_moves(position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    position.generate_moves(|piece_moves| {
        moves.extend(piece_moves);
        false
    });
    moves
}

pub fn after(position: &Position, mv: Move) -> Position {
    let mut after = position.clone();
    after.play_unchecked(mv);
    after
}

/// A move in UCI; the library lets a castling king take its rook.
pub fn uci(position: &Position, mv: Move) -> String {
    if position.color_on(mv.to) == Some(position.side_to_move()) {
        let file = if mv.to.file() > mv.from.file() { File::G } else { File::C };
        return format!("{}{}", mv.from, Square::new(file, mv.from.rank()));
    }
    mv.to_string()
}

/// The position after a move in UCI, `None` if the move is illegal.
pub fn play_uci(position: &Position, text: &str) -> Option<Position> {
    let mv = all_moves(position).into_iter().find(|&mv| uci(position, mv) == text)?;
    Some(after(position, mv))
}

pub fn is_mate(position: &Position) -> bool {
    !position.checkers().is_empty() && all_moves(position).is_empty()
}

/// True if a move, which led to `then`, reaches the goal.
fn reaches(goal: Goal, position: &Position, mv: Move, then: &Position) -> bool {
    let is_check = !then.checkers().is_empty();
    match goal {
        Goal::Mate => is_check && all_moves(then).is_empty(),
        Goal::Stalemate => !is_check && all_moves(then).is_empty(),
        Goal::Check => is_check,
        Goal::Capture => then.occupied().len() < position.occupied().len(),
        Goal::Arrival(square) => uci(position, mv)[2..4] == square.to_string(),
    }
}

/// True if the side to move can reach the goal at once.
pub fn can_reach(goal: Goal, position: &Position) -> bool {
    all_moves(position).into_iter().any(|mv| reaches(goal, position, mv, &after(position, mv)))
}

/// True if the side to move has moves, and reaches the goal with each of them.
fn must_reach(goal: Goal, position: &Position) -> bool {
    let moves = all_moves(position);
    !moves.is_empty() && moves.into_iter().all(|mv| reaches(goal, position, mv, &after(position, mv)))
}

/// True if the side to move has to reach the goal, and so solves nothing.
pub fn is_obliged(position: &Position, genre: Genre) -> bool {
    genre.play == Play::Reflex && can_reach(genre.goal, position)
}

/// True if a move solves the task in at most `moves` moves.
pub fn is_key(position: &Position, mv: Move, genre: Genre, moves: usize) -> bool {
    let then = after(position, mv);
    let replies = all_moves(&then);
    let continues = |last: &Position| {
        moves > 1
            && !is_obliged(last, genre)
            && all_moves(last).into_iter().any(|mv| is_key(last, mv, genre, moves - 1))
    };
    let mut lasts = replies.iter().map(|&reply| (reply, after(&then, reply)));
    let is_done = |(reply, last): &(Move, Position)| reaches(genre.goal, &then, *reply, last);
    match genre.play {
        Play::Direct if reaches(genre.goal, position, mv, &then) => true,
        _ if replies.is_empty() => false,
        Play::Direct => moves > 1 && lasts.all(|(_, last)| continues(&last)),
        Play::Self_ => lasts.all(|next| is_done(&next) || continues(&next.1)),
        Play::Reflex | Play::SemiReflex => {
            lasts.clone().any(|next| is_done(&next)) || moves > 1 && lasts.all(|(_, last)| continues(&last))
        }
        _ => unreachable!("{genre:?} has no key"),
    }
}

/// The keys in UCI with the moves that each needs at most, sorted.
pub fn keys(position: &Position, task: Task) -> Vec<(String, usize)> {
    if is_obliged(position, task.genre) {
        return Vec::new();
    }
    let shortest = |mv: &Move| (1..=task.moves()).find(|&moves| is_key(position, *mv, task.genre, moves));
    let mut keys: Vec<_> =
        all_moves(position).into_iter().filter_map(|mv| Some((uci(position, mv), shortest(&mv)?))).collect();
    keys.sort();
    keys
}

/// A reply of set play, and the keys that answer it with the moves that each needs at most.
type SetReply = (String, Vec<(String, usize)>);

/// What is set in a problem with keys: the other side moves first, and each of its moves that is answered in one move less is
/// a reply. A move that has to reach the goal needs no answer; in self play that is so where one move is asked.
pub fn set_play(position: &Position, task: Task) -> Vec<SetReply> {
    let Genre { play, goal } = task.genre;
    let Some(passed) = position.null_move() else { return Vec::new() };
    let has_duty = matches!(play, Play::Reflex | Play::SemiReflex);
    let ends = has_duty && can_reach(goal, &passed) || task.genre.is_against_solver() && task.moves() == 1;
    let mut replies = Vec::new();
    for mv in all_moves(&passed) {
        let then = after(&passed, mv);
        let answers = if ends { Vec::new() } else { keys(&then, Task { plies: task.plies - 2, ..task }) };
        if ends && reaches(goal, &passed, mv, &then) || !answers.is_empty() {
            replies.push((uci(&passed, mv), answers));
        }
    }
    replies
}

/// True if help play ends with a move since the side that gives the goal reaches it before its last move. A mate or
/// stalemate leaves no move by itself.
fn ends_early(position: &Position, mv: Move, then: &Position, task: Task, made: usize) -> bool {
    let Genre { play, goal } = task.genre;
    let is_giver = (task.listed() - made).is_multiple_of(2);
    play == Play::Help
        && is_giver
        && !matches!(goal, Goal::Mate | Goal::Stalemate)
        && reaches(goal, position, mv, then)
}

/// All lists of moves in UCI that solve a task without keys, sorted; of more than `most`, the first that are found.
pub fn solutions(position: &Position, task: Task, most: usize) -> Vec<Vec<String>> {
    fn walk(
        position: &Position,
        task: Task,
        most: usize,
        line: &mut Vec<String>,
        found: &mut Vec<Vec<String>>,
    ) {
        for mv in all_moves(position) {
            if found.len() > most {
                return;
            }
            let then = after(position, mv);
            line.push(uci(position, mv));
            if line.len() == task.listed() {
                let is_solved = match task.genre.play {
                    Play::HelpSelf | Play::SeriesSelf => must_reach(task.genre.goal, &then),
                    _ => reaches(task.genre.goal, position, mv, &then),
                };
                if is_solved {
                    found.push(line.clone());
                }
            } else if line.len() > task.passes() {
                if ends_early(position, mv, &then, task, line.len()) {
                    line.pop();
                    continue;
                }
                walk(&then, task, most, line, found);
            } else if let Some(passed) = then.null_move() {
                // A series does not give check before its end.
                walk(&passed, task, most, line, found);
            }
            line.pop();
        }
    }
    let mut found = Vec::new();
    walk(position, task, most, &mut Vec::new(), &mut found);
    found.sort();
    found
}

/// True if the task has at least one solution.
pub fn has_solution(position: &Position, task: Task) -> bool {
    if !task.genre.has_keys() {
        return !solutions(position, task, 0).is_empty();
    }
    let is_key = |mv| is_key(position, mv, task.genre, task.moves());
    !is_obliged(position, task.genre) && all_moves(position).into_iter().any(is_key)
}

/// True if the task has a solution that needs all its moves.
pub fn has_long_solution(position: &Position, task: Task) -> bool {
    if !task.genre.has_keys() {
        return has_solution(position, task);
    }
    let is_long = |mv| {
        let is_key = |moves| moves > 0 && is_key(position, mv, task.genre, moves);
        is_key(task.moves()) && !is_key(task.moves() - 1)
    };
    !is_obliged(position, task.genre) && all_moves(position).into_iter().any(is_long)
}
