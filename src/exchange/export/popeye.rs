//! Popeye's input files: a problem for each chess problem, knights with the letter S.

use crate::begins::first_side;
use crate::export::losses::{Losses, Part};
use crate::export::query::ExportQuery;
use crate::export::source::{ExportPuzzle, unsolved_turn};
use crate::import::has_popeye_command;
use cpz_check::analysis::{Bound, TwinChange, TwinText, position_of, problem_of, read_twin, twin_in_front};
use cpz_rules::board::{
    Board, Castling, Colour, KING_FILE, Kind, Piece, Square, Wing, home_rank, square_name,
};
use cpz_rules::games::{Change, Position, Stipulation};
use cpz_text::syntax::{GameId, Property, Verb};

/// The parts that a problem holds: the id and notes as remarks, of the custom properties the award.
const KEPT: [Part; 9] = [
    Part::Name,
    Part::Id,
    Part::Author,
    Part::Source,
    Part::Note,
    Part::Custom,
    Part::Condition,
    Part::ZeroPosition,
    Part::Allow,
];

/// The property that an import makes of an award.
pub(super) const AWARD: &str = "x-award";

/// A problem without the word that begins it.
pub(super) fn problem(puzzle: &ExportPuzzle<'_>, losses: &mut Losses) -> Option<String> {
    let chosen = chosen(puzzle, "Popeye", false, losses)?;
    let position = &chosen.position;
    let conditions = conditions(puzzle);
    if conditions.iter().any(|condition| has_popeye_command(condition)) {
        losses.leave_out("its condition has a word that Popeye would take for a command");
        return None;
    }
    losses.all_but(puzzle, &KEPT);
    let (award, is_cut) = custom_text(puzzle, AWARD);
    if is_cut {
        losses.lost(puzzle, &[Part::Custom]);
    }
    if puzzle.queries.iter().any(|query| query.written.is_some()) {
        losses.other("the written answer");
    }
    if chosen.query.query.ply_counts().is_some() {
        losses.other("the number of continuations");
    }
    let mut out = String::new();
    let mut line = |word: &str, text: &str| {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        out.push_str(&format!("{word} {text}\n"));
    };
    let texts = |name| puzzle.properties.texts(name);
    texts(Property::Author).iter().for_each(|author| line("Author", author));
    texts(Property::Source).iter().for_each(|source| line("Origin", source));
    puzzle.name().iter().for_each(|name| line("Title", name));
    award.iter().for_each(|award| line("Award", award));
    // A remark of several words is only a remark.
    match puzzle.id() {
        Some(id) if id.contains(char::is_whitespace) => losses.lost(puzzle, &[Part::Id]),
        id => id.iter().for_each(|id| line("Remark", &format!("id {id}"))),
    }
    texts(Property::Note).iter().for_each(|note| line("Remark", note));
    let [white, black] = men(&position.board).map(|men| men.join(" "));
    line("Pieces", &format!("White {white} Black {black}"));
    conditions.iter().for_each(|condition| line("Condition", condition));
    line("Stipulation", &chosen.stipulation);
    let twins = twins(puzzle, position, losses);
    if twins.is_empty() && has_only_twins(puzzle) {
        losses.leave_out(NO_TWIN);
        return None;
    }
    let mut options = options(puzzle, &chosen, !twins.is_empty(), losses);
    if chosen.asked.is_some_and(|asked| !asked.play().has_sequences()) {
        options.insert(0, "Variation".into());
    }
    if !options.is_empty() {
        line("Option", &options.join(" "));
    }
    let is_zero = has_only_twins(puzzle);
    // Popeye gives them letters in their order.
    let due = if is_zero { 'a'..='z' } else { 'b'..='z' };
    if due.zip(&twins).any(|(letter, (own, _))| !own.chars().eq([letter])) {
        losses.note("with other letters of its twins, which Popeye gives them in their order");
    }
    for (index, (_, changes)) in twins.into_iter().enumerate() {
        line(if index == 0 && is_zero { "ZeroPosition" } else { "Twin" }, &changes);
    }
    Some(out)
}

/// The twins of a puzzle: the letter of each, and its changes as Popeye and Olive write them. A change that they have no
/// word for is counted as lost, with its twin.
pub(super) fn twins(
    puzzle: &ExportPuzzle<'_>,
    diagram: &Position,
    losses: &mut Losses,
) -> Vec<(String, String)> {
    let queries = derived(puzzle, Verb::Twin);
    let (read, unread): (Vec<_>, Vec<_>) =
        queries.map(|query| read_twin(query.query)).partition(Result::is_ok);
    if !unread.is_empty() {
        losses.other("a twin that cannot be read");
    }
    let read: Vec<TwinText<'_>> = read.into_iter().flatten().collect();
    let mut found: Vec<(String, String)> = Vec::new();
    'twins: for (index, twin) in read.iter().enumerate() {
        let is_last = |letter: &str| found.last().is_some_and(|(last, _)| last == letter);
        let mut words = Vec::new();
        let mut chain = vec![twin];
        // Both only go on from the twin before: a longer way back is written in full.
        while let Some((letter, _)) = chain[0].from {
            let Some(before) = read[..index].iter().find(|other| other.letter.0 == letter) else {
                // Without it this is another position.
                losses.other("a twin made of one that cannot be read");
                continue 'twins;
            };
            if chain.len() == 1 && is_last(letter) {
                words.push("Continued".to_string());
                break;
            }
            chain.insert(0, before);
        }
        let mut board = diagram.board.clone();
        let earlier = if words.is_empty() { &[][..] } else { &read[..index] };
        replay(&mut board, earlier, twin);
        let changes = chain.iter().flat_map(|twin| &twin.changes);
        let said: Option<Vec<String>> = changes
            .map(|(change, span)| match change {
                TwinChange::Unsolved => {
                    Some(format!("Stipulation {}", &puzzle.puzzle.node().tree().text()[span.range()]))
                }
                change => popeye_words(*change, &mut board),
            })
            .collect();
        match said {
            Some(said) => {
                for change in said {
                    // Several men are removed at once.
                    match (words.last_mut(), change.strip_prefix("Remove ")) {
                        (Some(last), Some(more)) if last.starts_with("Remove ") => {
                            *last += &format!(" {more}")
                        }
                        _ => words.push(change),
                    }
                }
                found.push((twin.letter.0.to_string(), words.join(" ")));
            }
            None => losses.other("a twin that the format has no words for"),
        }
    }
    found
}

/// The boards of the twins that can be read.
fn twin_boards(puzzle: &ExportPuzzle<'_>, diagram: &Board) -> Vec<Board> {
    let read: Vec<TwinText<'_>> =
        derived(puzzle, Verb::Twin).filter_map(|query| read_twin(query.query).ok()).collect();
    let board = |(index, twin): (usize, &TwinText<'_>)| {
        let mut board = diagram.clone();
        replay(&mut board, &read[..index], twin);
        make_changes(&mut board, twin);
        board
    };
    read.iter().enumerate().map(board).collect()
}

/// Makes the changes of the twin from which another one goes on.
fn replay(board: &mut Board, earlier: &[TwinText<'_>], twin: &TwinText<'_>) {
    let Some((letter, _)) = twin.from else { return };
    let Some(index) = earlier.iter().position(|other| other.letter.0 == letter) else { return };
    replay(board, &earlier[..index], &earlier[index]);
    make_changes(board, &earlier[index]);
}

/// Makes the changes of a twin.
fn make_changes(board: &mut Board, twin: &TwinText<'_>) {
    for (change, _) in &twin.changes {
        if let TwinChange::Position(change) = change {
            // A twin that cannot be made is a finding of its own.
            let _ = change.apply(board);
        }
    }
}

/// A change in Popeye's words, made on the board. `None` if Popeye has none for it.
fn popeye_words(change: TwinChange, board: &mut Board) -> Option<String> {
    let name = |square: Square| square_name(square, false);
    let add = |man: Piece, square: Square| {
        let colour = if man.colour == Colour::White { "White" } else { "Black" };
        format!("Add {colour} {}{}", letter(man.kind), name(square))
    };
    let change = match change {
        TwinChange::Position(change) => change,
        TwinChange::Stipulation(asked) => {
            return Some(format!("Stipulation {}", asked.short().replace(' ', "")));
        }
        TwinChange::Turn(_) | TwinChange::Unsolved => return None,
    };
    let words = match change {
        Change::Move(from, to) => format!("Move {} {}", name(from), name(to)),
        Change::Remove(square) => format!("Remove {}", name(square)),
        Change::Add(man, square) => add(man, square),
        Change::Exchange(a, b) => format!("Exchange {} {}", name(a), name(b)),
        Change::Instead(kind, to, from) => {
            let man = Piece::new(board.at(from)?.colour, kind);
            format!("Remove {} {}", name(from), add(man, to))
        }
        Change::Shift(from, to) => format!("Shift {} {}", name(from), name(to)),
        Change::Rotate(angle) => format!("Rotate {angle}"),
        Change::Mirror(from, to) => format!("Mirror {}<-->{}", name(from), name(to)),
        Change::SwapColours => "PolishType".to_string(),
        Change::Substitute(from, to) => format!("Substitute {} {}", letter(from), letter(to)),
    };
    change.apply(board).ok()?;
    Some(words)
}

/// The problem of a puzzle that Popeye and Olive have a place for.
pub(super) struct Chosen<'q, 'a> {
    pub query: &'q ExportQuery<'a>,
    /// The position that it begins with.
    pub position: Position,
    /// What is asked; none where it is known and not solved.
    pub asked: Option<Stipulation>,
    /// What is asked as a short form.
    pub stipulation: String,
}

impl<'q, 'a> Chosen<'q, 'a> {
    /// A query as a problem; none where it is none.
    fn read(bound: &Bound<'_>, query: &'q ExportQuery<'a>) -> Option<Chosen<'q, 'a>> {
        let is_problem = matches!(query.query.verb(), Some(Verb::Problem(_)));
        if let Some((position, asked)) = problem_of(bound, query.query).filter(|_| is_problem) {
            let stipulation = asked.short().replace(' ', "");
            return Some(Chosen { query, position, asked: Some(asked), stipulation });
        }
        query.query.verb().filter(|verb| *verb == Verb::Unsolved)?;
        let word = query.query.keyword().text().trim_end_matches('*');
        let mut position = position_of(bound)?;
        position.turn = unsolved_turn(bound, word);
        if bound.settings.rights.castling.is_none() {
            let all = Castling::EACH.into_iter();
            position.rights.castling =
                all.fold(Castling::NONE, |rights, (colour, wing, _)| rights.with(colour, wing));
        }
        Some(Chosen { query, position, asked: None, stipulation: word.to_string() })
    }

    /// A query as a study; none where it is none.
    fn study(bound: &Bound<'_>, query: &'q ExportQuery<'a>) -> Option<Chosen<'q, 'a>> {
        let sign = match query.query.verb()? {
            Verb::Win => "+",
            Verb::Draw => "=",
            _ => return None,
        };
        Some(Chosen { query, position: position_of(bound)?, asked: None, stipulation: sign.to_string() })
    }

    /// The side that begins where nothing else is said.
    fn first_side(&self) -> Colour {
        self.asked.map_or_else(|| first_side(&self.stipulation), Stipulation::first_side)
    }
}

/// Why a puzzle is left out that asks nothing but twins.
pub(super) const NO_TWIN: &str = "the format has no words for its twins, and the diagram itself is not asked";

/// Whether the diagram itself is not asked.
pub(super) fn has_only_twins(puzzle: &ExportPuzzle<'_>) -> bool {
    puzzle.puzzle.has_property(Property::ZeroPosition)
}

/// The text of a custom property, and whether a puzzle has others, or that one as a list.
pub(super) fn custom_text(puzzle: &ExportPuzzle<'_>, name: &str) -> (Option<String>, bool) {
    let custom = puzzle.properties.custom();
    let found = custom.iter().find(|(own, _)| *own == name);
    let text = found.and_then(|(_, value)| value.as_str()).filter(|text| !text.trim().is_empty());
    (text.map(String::from), custom.len() > usize::from(text.is_some()))
}

/// The conditions of a puzzle, one by one.
pub(super) fn conditions(puzzle: &ExportPuzzle<'_>) -> Vec<String> {
    let texts = puzzle.properties.texts(Property::Condition);
    let parts = texts.iter().flat_map(|text| text.split(';')).map(str::trim);
    parts.filter(|part| !part.is_empty()).map(String::from).collect()
}

/// The first chess problem of a puzzle, or its first study where the format `has_studies`, with its position. A puzzle
/// without one is left out; other questions are counted as lost.
pub(super) fn chosen<'q, 'a>(
    puzzle: &'q ExportPuzzle<'a>,
    format: &str,
    has_studies: bool,
    losses: &mut Losses,
) -> Option<Chosen<'q, 'a>> {
    let bound = puzzle.bound.as_ref().filter(|b| b.id == GameId::Chess);
    let first = |bound: &Bound<'_>| {
        let mut queries = puzzle.queries.iter();
        let problem = queries.clone().find_map(|query| Chosen::read(bound, query));
        problem.or_else(|| queries.find_map(|query| Chosen::study(bound, query)).filter(|_| has_studies))
    };
    let found = bound.and_then(first);
    let Some(found) = found else {
        losses
            .leave_out(&format!("{format} is for chess problems, such as mate, selfmate and helpmate in n"));
        return None;
    };
    let others = puzzle.queries.iter().filter(|q| !std::ptr::eq(*q, found.query));
    let is_own = |other: &ExportQuery<'_>| {
        let mut own = DERIVED.into_iter().flat_map(|verb| derived(puzzle, verb));
        own.any(|query| std::ptr::eq(query, other))
    };
    for query in others.filter(|other| !is_own(other)) {
        losses.question(query.query.verb());
    }
    Some(found)
}

/// What is made of a problem.
const DERIVED: [Verb; 3] = [Verb::Twin, Verb::SetPlay, Verb::Duplex];

/// The twins, the duplex or the set play of the first problem of a puzzle.
pub(super) fn derived<'p, 'a>(
    puzzle: &'p ExportPuzzle<'a>,
    verb: Verb,
) -> impl Iterator<Item = &'p ExportQuery<'a>> {
    let is_problem = |query: &&ExportQuery<'_>| matches!(query.query.verb(), Some(Verb::Problem(_)));
    let second = puzzle.queries.iter().filter(is_problem).nth(1).map(|query| query.query.span().start);
    let is_own = move |query: &ExportQuery<'_>| second.is_none_or(|start| query.query.span().start < start);
    puzzle.queries.iter().filter(move |query| query.query.verb() == Some(verb) && is_own(query))
}

/// The men of White and of Black: `Ka3`, `Sb1`.
pub(super) fn men(board: &Board) -> [Vec<String>; 2] {
    const ORDER: [Kind; 6] = [Kind::King, Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight, Kind::Pawn];
    [Colour::White, Colour::Black].map(|colour| {
        let of_kind = |kind: Kind| board.pieces().filter(move |(_, p)| *p == Piece::new(colour, kind));
        let name = |(square, piece): (Square, Piece)| {
            format!("{}{}", letter(piece.kind), square_name(square, false))
        };
        ORDER.into_iter().flat_map(of_kind).map(name).collect()
    })
}

/// The letter of a kind: English, with S for the knight, since N is the nightrider.
pub(super) fn letter(kind: Kind) -> char {
    if kind == Kind::Knight { 'S' } else { kind.letter() }
}

/// What Popeye would assume otherwise: castling where king and rook stand at home, no capture en passant on the first
/// move, the usual side, and neither set play nor the same for the other side. Popeye asks that of all twins too: what is asked
/// of some of them alone is counted as lost.
pub(super) fn options(
    puzzle: &ExportPuzzle<'_>,
    chosen: &Chosen<'_, '_>,
    has_twins: bool,
    losses: &mut Losses,
) -> Vec<String> {
    let position = &chosen.position;
    let stated = puzzle.bound.as_ref().and_then(|bound| bound.settings.rights.castling);
    let mut options = Vec::new();
    if position.turn != chosen.first_side() {
        options.push("HalfDuplex".to_string());
    }
    // What stands behind the problem and what stands behind a twin is asked of that alone.
    let of_twin = |query: &ExportQuery<'_>| twin_in_front(query.query, puzzle.puzzle).map(|twin| twin.span());
    let is_asked_of_all = |verb: Verb| {
        let twins = derived(puzzle, Verb::Twin).filter(|_| has_twins).map(|twin| Some(twin.query.span()));
        let diagram = (!has_only_twins(puzzle)).then_some(None);
        diagram.into_iter().chain(twins).all(|task| derived(puzzle, verb).any(|query| of_twin(query) == task))
    };
    let asks =
        |verb: Verb| derived(puzzle, verb).any(|query| !has_only_twins(puzzle) || of_twin(query).is_some());
    let query = chosen.query.query;
    let has_star = query.star().is_some() || query.keyword().text().ends_with('*');
    let has_starred_twin = derived(puzzle, Verb::Twin).any(|twin| has_twins && twin.query.star().is_some());
    if asks(Verb::SetPlay) || has_star || has_starred_twin {
        options.push("SetPlay".into());
        if has_twins && !has_star && !is_asked_of_all(Verb::SetPlay) {
            losses.note("with the set play of all twins asked, not of some alone");
        }
    }
    if asks(Verb::SetPlay) {
        losses.note("with a star in place of the question `set-play`");
    }
    match asks(Verb::Duplex) {
        true if !is_asked_of_all(Verb::Duplex) => losses.other("the question `duplex` of some twins alone"),
        true => options.push("Duplex".into()),
        false => {}
    }
    let is_lost = |board: &Board, rights: Castling, (colour, wing): (Colour, Wing)| {
        let is_at = |x, kind| board.at(Square::new(x, home_rank(colour))) == Some(Piece::new(colour, kind));
        is_at(KING_FILE, Kind::King) && is_at(wing.files().0, Kind::Rook) && !rights.has(colour, wing)
    };
    let twins: Vec<(Board, Castling)> = stated.map_or(Vec::new(), |(rights, _)| {
        twin_boards(puzzle, &position.board).into_iter().map(|board| (board, rights)).collect()
    });
    let is_lost_somewhere = |side| {
        is_lost(&position.board, position.rights.castling, side)
            || twins.iter().any(|(board, rights)| is_lost(board, *rights, side))
    };
    let lost: Vec<String> = Castling::EACH
        .into_iter()
        .filter(|&(colour, wing, _)| is_lost_somewhere((colour, wing)))
        .map(|(colour, wing, _)| square_name(Square::new(wing.files().0, home_rank(colour)), false))
        .collect();
    if !lost.is_empty() {
        options.push(format!("NoCastling {}", lost.concat()));
    }
    if let Some(passed) = position.rights.en_passant {
        let (from, to) = if passed.y == 5 { (6, 4) } else { (1, 3) };
        let squares = [from, passed.y, to].map(|y| square_name(Square::new(passed.x, y), false));
        options.push(format!("EnPassant {}", squares.concat()));
    }
    options
}
