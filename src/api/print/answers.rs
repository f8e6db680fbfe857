//! What a puzzle asks, and its solution, in the words of a language.

use crate::print::words::Words;
use cpz_check::analysis::{
    Bound, Options, Outcome, PlayParts, PuzzleReport, QueryReport, base_problem, letter_of_twin, problem_of,
    problem_play, read_twin, request_of, sequence_in_names, set_play_lines, solution_in_names, twin_in_front,
    twin_in_signs,
};
use cpz_ide::{PlayWords, capture_path, play_lines_in, query_at, short_play};
use cpz_rules::board::{Board, Colour, Kind, Piece, Square, square_name};
use cpz_rules::games::{Answer, NamedMove, Stipulation};
use cpz_text::syntax::{Element, Property, Query, Value, Verb};

/// The most lines of a solution of a chess problem.
const MAX_LINES: usize = 12;
/// The most lines of one that stands below its diagram; of a longer one only the keys are printed.
const MAX_COMPACT_LINES: usize = 3;
/// The most keys whose variations are printed.
const MAX_KEYS: usize = 4;
/// The most solutions of a helpmate, and captures of draughts.
const MAX_LISTED: usize = 12;

/// A question of a puzzle with its solution.
pub(crate) struct Exercise {
    /// `White to move: mate in 2`
    pub asked: String,
    /// What stands before its solution where the puzzle has several: `b)`, `set play:`, or what is asked.
    pub label: String,
    /// Whether `asked` says in words what no sign of composers says.
    pub in_words: bool,
    /// Whether the signs of composers say it.
    pub has_signs: bool,
    /// The lines of the solution; the first says the most. Each with its depth among the variations.
    pub solution: Vec<(usize, String)>,
}

/// How much of a solution is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    /// The answer in one line.
    Short,
    /// The variations where they are few.
    Compact,
    /// The variations too.
    Full,
}

/// The questions of a puzzle, each once.
pub(crate) fn exercises(
    bound: &Bound<'_>,
    report: &PuzzleReport,
    words: &Words,
    detail: Detail,
    search: &Options,
) -> Vec<Exercise> {
    let mut all = legality(bound, report, words);
    let has_moves = !all.is_empty();
    let is_asked = |query: &Query<'_>| match query.verb() {
        Some(Verb::Move) => !has_moves,
        // The diagram of a zeroposition is not asked.
        Some(Verb::Problem(_)) => !bound.puzzle.has_property(Property::ZeroPosition),
        _ => true,
    };
    for query in bound.puzzle.queries().filter(is_asked) {
        let Some(asked) = asked(bound, query, words) else { continue };
        if all.iter().any(|exercise| exercise.asked == asked) {
            continue;
        }
        let known = query_at(report, query.span().start);
        let solver = Solver { bound, query, words, detail, search };
        let label = label(bound, query, words).unwrap_or_else(|| asked.clone());
        let in_words = is_in_words(query);
        let has_signs = matches!(query.verb(), Some(Verb::Problem(_) | Verb::Win | Verb::Draw));
        let solution = solver.solution(known).into_iter().chain(solver.starred_set_play(known)).collect();
        all.push(Exercise { asked, label, in_words, has_signs, solution });
    }
    all
}

/// Whether a question has words of its own, and not only the signs of composers.
pub(crate) fn is_in_words(query: Query<'_>) -> bool {
    !matches!(query.verb(), Some(Verb::Twin | Verb::SetPlay | Verb::Duplex | Verb::Unsolved))
}

/// Whether set play or a duplex is asked of a twin, or, without one, of the diagram.
pub(crate) fn is_asked_besides(bound: &Bound<'_>, verb: Verb, twin: Option<Query<'_>>) -> bool {
    let twin = twin.map(|twin| twin.span());
    let of = |query: Query<'_>| twin_in_front(query, bound.puzzle).map(|twin| twin.span());
    bound.puzzle.queries().any(|query| query.verb() == Some(verb) && of(query) == twin)
}

/// A twin as magazines print it, with what is asked of it and not of the diagram: `b) wKa6→b6, duplex`.
pub(crate) fn twin_in_words(bound: &Bound<'_>, twin: Query<'_>, words: &Words) -> Option<String> {
    let mut text = words.signs(&twin_in_signs(twin, bound)?);
    let set_play = words.set_play.trim_end_matches([':', ' ']);
    for (verb, name) in [(Verb::SetPlay, set_play), (Verb::Duplex, words.duplex)] {
        if is_asked_besides(bound, verb, Some(twin)) && !is_asked_besides(bound, verb, None) {
            text.push_str(&format!(", {name}"));
        }
    }
    Some(text)
}

/// `b) ` for what is asked about a twin besides; nothing for what is asked about a diagram.
fn twin_letter(bound: &Bound<'_>, query: Query<'_>) -> String {
    letter_of_twin(query, bound.puzzle).map_or(String::new(), |letter| format!("{letter}) "))
}

/// `a)` for the diagram of a problem with twins, `b)` for a twin, `set play:`, `b) set play:`.
fn label(bound: &Bound<'_>, query: Query<'_>, words: &Words) -> Option<String> {
    match query.verb()? {
        Verb::Twin => Some(format!("{})", read_twin(query).ok()?.letter.0)),
        Verb::SetPlay => Some(format!("{}{}", twin_letter(bound, query), words.set_play)),
        Verb::Duplex => Some(format!("{}{}:", twin_letter(bound, query), words.duplex)),
        Verb::Unsolved => {
            let has_twin = bound
                .puzzle
                .queries()
                .any(|other| other.verb() == Some(Verb::Twin) && base_problem(other, bound.puzzle).is_none());
            has_twin.then(|| "a)".to_string())
        }
        Verb::Problem(_) => {
            let is_own = |other: Query<'_>| {
                base_problem(other, bound.puzzle).is_some_and(|base| base.span() == query.span())
            };
            let has = |verb| bound.puzzle.queries().any(|q| q.verb() == Some(verb) && is_own(q));
            match () {
                () if has(Verb::Twin) => Some("a)".to_string()),
                () if has(Verb::Duplex) => {
                    let side = problem_of(bound, query).map_or(bound.turn, |(position, _)| position.turn);
                    Some(format!("{}:", words.side(side)))
                }
                () if has(Verb::SetPlay) => Some(format!("{}:", words.solution)),
                () => None,
            }
        }
        _ => None,
    }
}

/// The questions about several moves, one for each side; none where there is only one move.
fn legality(bound: &Bound<'_>, report: &PuzzleReport, words: &Words) -> Vec<Exercise> {
    let moves: Vec<Query<'_>> = bound.puzzle.queries().filter(|q| q.verb() == Some(Verb::Move)).collect();
    if moves.len() < 2 {
        return Vec::new();
    }
    let mut all = Vec::new();
    for side in [Colour::White, Colour::Black] {
        let (mut names, mut verdicts) = (Vec::new(), Vec::new());
        for &query in &moves {
            let Some((_, name)) = move_name(bound, query, words).filter(|named| named.0 == side) else {
                continue;
            };
            let verdict = match query_at(report, query.span().start).map(|known| &known.outcome) {
                Some(Outcome::Answer(Answer::Move(None))) => words.legal,
                Some(Outcome::Answer(Answer::Move(Some(_)))) => words.illegal,
                _ => words.undecided,
            };
            let verdict = format!("{name} {verdict}");
            if !names.contains(&name) {
                names.push(name);
                verdicts.push(verdict);
            }
        }
        if !names.is_empty() {
            let question = if names.len() > 1 { words.legal_moves } else { words.legal_move };
            let asked = words.asked(Some(side), &question.replace("{}", &names.join(", ")));
            let solution = vec![(0, verdicts.join(", "))];
            all.push(Exercise { label: asked.clone(), asked, in_words: true, has_signs: false, solution });
        }
    }
    all
}

/// What a query asks.
fn asked(bound: &Bound<'_>, query: Query<'_>, words: &Words) -> Option<String> {
    let mut turn = bound.game.format().coloured.then_some(bound.turn);
    let question = match query.verb()? {
        Verb::Solve => words.solve.to_string(),
        Verb::Count => words.count.to_string(),
        Verb::Line => words.line.to_string(),
        Verb::Win => words.studies[0].to_string(),
        Verb::Draw => words.studies[1].to_string(),
        // Who begins depends on what is asked.
        Verb::Unsolved => return Some(query.keyword().text().to_string()),
        Verb::Mate => words.status.to_string(),
        Verb::Capture => words.capture.to_string(),
        Verb::Move => {
            let (side, name) = move_name(bound, query, words)?;
            turn = turn.and(Some(side));
            words.legal_move.replace("{}", &name)
        }
        Verb::Twin => return twin_in_words(bound, query, words),
        Verb::SetPlay => {
            let name = words.set_play.trim_end_matches([':', ' ']);
            return Some(format!("{}{name}", twin_letter(bound, query)));
        }
        Verb::Duplex => return Some(format!("{}{}", twin_letter(bound, query), Verb::Duplex.word())),
        Verb::Problem(_) => {
            let (position, stipulation) = problem_of(bound, query)?;
            turn = Some(position.turn);
            words.problem(stipulation)
        }
    };
    Some(words.asked(turn, &question))
}

/// The side and the name of the move of a `move`.
fn move_name(bound: &Bound<'_>, query: Query<'_>, words: &Words) -> Option<(Colour, String)> {
    let request = request_of(bound, query);
    if let Some((text, _)) = query.argument_text() {
        return Some((request.map_or(bound.turn, |r| r.colour), words.moves(text.trim())));
    }
    let request = request?;
    let letter = request.kind.map_or("", |kind| if kind == Kind::Pawn { "" } else { words.letter(kind) });
    Some((request.colour, format!("{letter}{}", square_name(request.to, false))))
}

struct Solver<'a, 't> {
    bound: &'a Bound<'t>,
    query: Query<'t>,
    words: &'a Words,
    detail: Detail,
    search: &'a Options,
}

impl Solver<'_, '_> {
    fn solution(&self, known: Option<&QueryReport>) -> Vec<(usize, String)> {
        let words = self.words;
        let answer = match known.map(|known| &known.outcome) {
            Some(Outcome::Answer(answer)) => answer,
            // What is not solved keeps what its author wrote.
            None | Some(Outcome::Error(_)) if self.is_kept() && !self.written_lines().is_empty() => {
                return self.written_lines();
            }
            Some(Outcome::Undecided(_)) | None => return vec![(0, words.undecided.to_string())],
            Some(Outcome::Error(_)) if self.is_kept() => return vec![(0, words.unsolved.to_string())],
            Some(Outcome::Error(why)) if words.code == "en" => return vec![(0, why.clone())],
            Some(Outcome::Error(_)) => return vec![(0, words.faulty.to_string())],
            Some(Outcome::NotAsked(_)) => return Vec::new(),
        };
        let line = match answer {
            Answer::Solve(None) => words.no_solution.to_string(),
            Answer::Solve(Some(captures)) if captures.is_empty() => words.solved_already.to_string(),
            Answer::Solve(Some(captures)) => solution_in_names(captures),
            Answer::Count { count, distinct } => self.counts(*count, *distinct),
            Answer::Move(None) => words.legal.to_string(),
            Answer::Move(Some(why)) if words.code == "en" => format!("{}: {why}", words.illegal),
            Answer::Move(Some(_)) => words.illegal.to_string(),
            Answer::Mate { status, .. } => words.status_of(*status).to_string(),
            Answer::Capture { lines, .. } if lines.is_empty() => words.no_capture.to_string(),
            Answer::Capture { lines, .. } => self.listed(lines.iter().map(capture_path).collect(), ", "),
            Answer::Keys { keys, complete, stipulation } => {
                let keys: Vec<&NamedMove> = keys.iter().map(|key| &key.mv).collect();
                let plays = self.detail != Detail::Short && stipulation.moves() > 1;
                let lines = if plays && !keys.is_empty() { self.variations() } else { None };
                return lines.unwrap_or_else(|| vec![(0, self.keys(&keys, *complete))]);
            }
            Answer::Sequences { stipulation, solutions, complete, .. } => {
                return self.sequences(*stipulation, solutions, *complete);
            }
            Answer::SetPlay { variations, .. } if variations.is_empty() => words.no_solution.to_string(),
            Answer::SetPlay { variations, .. } => {
                return set_play_lines(variations).iter().map(|line| (0, words.moves(line))).collect();
            }
            Answer::Line => self.written_line(),
        };
        vec![(0, line)]
    }

    /// The set play that a star asks for, where no query does.
    fn starred_set_play(&self, known: Option<&QueryReport>) -> Vec<(usize, String)> {
        let lines = match known.and_then(|known| known.set_play.as_deref()) {
            Some(Outcome::Answer(Answer::SetPlay { variations, .. })) => set_play_lines(variations),
            Some(Outcome::Answer(Answer::Sequences { stipulation, solutions, .. })) => {
                solutions.iter().map(|moves| sequence_in_names(*stipulation, moves)).collect()
            }
            _ => Vec::new(),
        };
        let named = |line: &String| (0, format!("{} {}", self.words.set_play, self.words.moves(line)));
        lines.iter().take(MAX_LISTED).map(named).collect()
    }

    /// The keys with their variations.
    fn variations(&self) -> Option<Vec<(usize, String)>> {
        let words = self.words;
        let play_words = PlayWords {
            threat: words.threat,
            zugzwang: words.zugzwang,
            set_play: words.set_play,
            more: words.more,
        };
        let play = problem_play(self.bound, self.query, MAX_KEYS, PlayParts::Keys, self.search)?;
        let lines = play_lines_in(&play, play_words);
        let kept = match self.detail {
            Detail::Compact if lines.len() > MAX_COMPACT_LINES => {
                lines.iter().filter(|l| l.depth == 0).collect()
            }
            _ => short_play(&lines, MAX_LINES).0,
        };
        let lines: Vec<_> = kept.iter().map(|line| (line.depth, words.moves(&line.text))).collect();
        (!lines.is_empty()).then_some(lines)
    }

    /// `1.Qb6!`, `1.Qb6! 1.Qc7!`.
    fn keys(&self, keys: &[&NamedMove], complete: bool) -> String {
        if keys.is_empty() {
            return if complete { self.words.no_solution } else { self.words.undecided }.to_string();
        }
        let named = keys.iter().map(|key| format!("1.{}!", self.words.moves(&key.san))).collect();
        let at_least = if complete { String::new() } else { format!("{} ", self.words.at_least) };
        format!("{at_least}{}", self.listed(named, " "))
    }

    fn sequences(
        &self,
        asked: Stipulation,
        solutions: &[Vec<NamedMove>],
        complete: bool,
    ) -> Vec<(usize, String)> {
        if solutions.is_empty() {
            let word = if complete { self.words.no_solution } else { self.words.undecided };
            return vec![(0, word.to_string())];
        }
        let named = |moves: &Vec<NamedMove>| (0, self.words.moves(&sequence_in_names(asked, moves)));
        let mut lines: Vec<_> = solutions.iter().take(MAX_LISTED).map(named).collect();
        if let Some(more) = solutions.len().checked_sub(MAX_LISTED + 1) {
            lines.push((0, self.words.more.replace("{}", &(more + 1).to_string())));
        }
        lines
    }

    /// Whether the query is known and not solved.
    fn is_kept(&self) -> bool {
        self.query.verb() == Some(Verb::Unsolved) || self.bound.has_condition()
    }

    /// The lines of the written answer, each with its depth among the indented ones.
    fn written_lines(&self) -> Vec<(usize, String)> {
        let elements = self.query.answer().map(|answer| answer.elements()).unwrap_or_default();
        let texts = elements.iter().filter_map(|element| match element {
            Element::Word(token) | Element::String(token) => Some(token.content().0),
            Element::List(_) => None,
        });
        let lines: Vec<&str> = texts.flat_map(str::lines).filter(|line| !line.trim().is_empty()).collect();
        let indent = |line: &str| line.len() - line.trim_start().len();
        let mut indents: Vec<usize> = lines.iter().map(|line| indent(line)).collect();
        indents.sort_unstable();
        indents.dedup();
        let depth = |line: &str| indents.iter().position(|&other| other == indent(line)).unwrap_or_default();
        let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        lines.iter().map(|line| (depth(line), self.words.moves(&words(line)))).collect()
    }

    /// The moves that the author wrote behind a `line`.
    fn written_line(&self) -> String {
        let text = match self.query.answer() {
            Some(Value::String(token)) => token.content().0,
            Some(value) => &self.query.node().tree().text()[value.span().range()],
            None => return self.words.no_solution.to_string(),
        };
        self.words.moves(&text.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    fn counts(&self, count: Option<u128>, distinct: Option<u128>) -> String {
        let words = self.words;
        let put = |text: &str, n: u128| text.replace("{}", &n.to_string());
        match (count, distinct) {
            (Some(0), _) => words.no_solution.to_string(),
            (Some(1), _) => words.one_solution.to_string(),
            (Some(n), Some(d)) => format!("{}, {}", put(words.many_solutions, n), put(words.distinct, d)),
            (Some(n), None) => put(words.many_solutions, n),
            (None, Some(d)) => put(words.distinct, d),
            (None, None) => words.undecided.to_string(),
        }
    }

    /// The first texts of a list, and how many more there are.
    fn listed(&self, mut texts: Vec<String>, separator: &str) -> String {
        let more = texts.len().saturating_sub(MAX_LISTED);
        texts.truncate(MAX_LISTED);
        let text = texts.join(separator);
        match more {
            0 => text,
            more => format!("{text} {}", self.words.more.replace("{}", &more.to_string())),
        }
    }
}

/// The pieces of a board in the letters of a language, for those who cannot see it: `White: Ke1, Rh1. Black: Ke8`.
pub(crate) fn pieces_in_words(bound: &Bound<'_>, board: &Board, words: &Words) -> String {
    let format = bound.game.format();
    let of = |colour: Colour| {
        let mut own: Vec<_> = board.pieces().filter(|(_, piece)| piece.colour == colour).collect();
        own.sort_by_key(|&(square, piece)| (piece.kind, square));
        let name = |(square, piece): &(Square, Piece)| {
            format!("{}{}", words.letter(piece.kind), square_name(*square, format.is_cube()))
        };
        own.iter().map(name).collect::<Vec<_>>().join(", ")
    };
    match format.coloured {
        false => of(Colour::White),
        true => {
            let side = |colour| format!("{}: {}", words.side(colour), of(colour));
            format!("{}. {}", side(Colour::White), side(Colour::Black))
        }
    }
}
