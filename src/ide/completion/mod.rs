//! What could be written at a place.

mod lists;
mod moves;

use crate::analysis::{
    Bound, Defaults, Outcome, PuzzleReport, answer_text, bind_one, code_docs, position_of, puzzle_at,
    steps_of,
};
use crate::board::{Board, Square, square_name, write_square};
use crate::diagnostic::Span;
use crate::games::{Answer, Budget, Capture, Dialect, Position, Question, Status, Step};
use crate::ide::answer_text::{AnswerStyle, answer_in_words, capture_path};
use crate::ide::board_view::playback::board_after;
use crate::ide::keyword_docs::keyword_docs;
use crate::syntax::{
    GameId, Item, Keyword, NodeKind, Property, Puzzle, Query, Token, TokenKind, Tree, Verb, set_apart,
};

/// What a completion is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompletionKind {
    /// A reserved word.
    Keyword,
    /// A whole puzzle.
    Snippet,
    /// A piece's letter.
    Piece,
    /// A square that is free.
    Square,
    /// A value of a property.
    Value,
    /// A move or a capture.
    Move,
    /// An answer.
    Answer,
}

/// Something that could be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// What is listed.
    pub label: String,
    /// What it is.
    pub kind: CompletionKind,
    /// A few words beside it.
    pub detail: String,
    /// What it means, in Markdown.
    pub documentation: Option<&'static str>,
    /// What it takes the place of: what is typed of it, and nothing else.
    pub replace: Span,
    /// What is written.
    pub text: String,
    /// The same with the places to fill in marked `${1:…}`, for editors that go from one to the next.
    pub snippet: Option<String>,
    /// Those with a smaller one come first.
    pub rank: u8,
}

/// How many nodes a look ahead may take, so that a list of captures comes at once.
const NODES: u64 = 20_000;

/// Where in a text something is to be written.
struct Place<'t> {
    text: &'t str,
    /// The word that is begun, up to the cursor.
    typed: &'t str,
    /// What of that word stands behind the cursor.
    rest: &'t str,
    start: u32,
    offset: u32,
}

impl Place<'_> {
    fn item(&self, kind: CompletionKind, label: &str, detail: impl Into<String>) -> Completion {
        self.writes(kind, label, label.to_string(), detail)
    }

    fn writes(
        &self,
        kind: CompletionKind,
        label: &str,
        text: String,
        detail: impl Into<String>,
    ) -> Completion {
        // What stands behind the cursor goes only where it is a part of what comes.
        let whole = !self.rest.is_empty() && text.ends_with(self.rest);
        let end = self.offset + if whole { self.rest.len() as u32 } else { 0 };
        let replace = Span::new(self.start, end);
        // What begins right behind the cursor is another word, and stays one.
        let begun = !self.typed.is_empty() || text.is_empty();
        let text = if begun { text } else { set_apart(self.text, end, text) };
        let (label, detail) = (label.to_string(), detail.into());
        Completion { label, kind, detail, documentation: None, replace, text, snippet: None, rank: 1 }
    }

    fn keyword(&self, keyword: Keyword) -> Completion {
        let what = match keyword {
            Keyword::Game(_) => "game",
            Keyword::Item(Item::Board) => "board",
            Keyword::Item(Item::Property(_)) => "property",
            Keyword::Item(Item::Query(_)) => "query",
        };
        let item = self.item(CompletionKind::Keyword, keyword.word(), what);
        Completion { documentation: Some(keyword_docs(keyword)), ..item }
    }
}

/// What could be written at an offset, the likeliest first. `base` is what is configured; `report` gives
/// what is known of the puzzle.
pub fn complete(
    tree: &Tree,
    base: Defaults,
    offset: u32,
    report: impl FnOnce(Puzzle<'_>, Defaults) -> PuzzleReport,
) -> Vec<Completion> {
    let text = tree.text();
    let mut offset = offset.min(text.len() as u32);
    while !text.is_char_boundary(offset as usize) {
        offset -= 1;
    }
    let mut typed: Option<Token<'_>> = None;
    let mut before: Option<Token<'_>> = None;
    for token in tree.tokens_in(Span::at(offset)) {
        let (span, kind) = (token.span(), token.kind());
        let within = span.start < offset && offset < span.end;
        // In a string, a remark or an arrow nothing begins.
        let raw = within && !kind.is_trivia() && kind != TokenKind::Word;
        let open = matches!(kind, TokenKind::UnclosedString | TokenKind::UnclosedRemark | TokenKind::Comment);
        if raw || open && span.start < offset && offset <= span.end {
            return Vec::new();
        }
        if kind == TokenKind::Word && span.start < offset && offset <= span.end {
            typed = Some(token);
        }
        if span.end <= offset || span.start < offset && kind.is_trivia() {
            before = Some(token);
        }
    }
    if typed.is_some() {
        before = typed.and_then(Token::previous);
    }
    while let Some(token) = before.filter(|t| t.kind().is_trivia()) {
        before = token.previous();
    }
    let (start, rest) =
        typed.map_or((offset, ""), |t| (t.span().start, &text[offset as usize..t.span().end as usize]));
    // Right behind a quote or a bracket nothing can begin without a space.
    if typed.is_none() && text[..offset as usize].ends_with(['"', '\'', ')', ']', '}']) {
        return Vec::new();
    }
    let place = Place { text, typed: &text[start as usize..offset as usize], rest, start, offset };
    let mut found = at(tree, base, &place, before, report);
    // Editors filter by what is typed; what they would take away need not be sent.
    let typed = place.typed.to_lowercase();
    found.retain(|c| fits(&c.label.to_lowercase(), &typed) || c.kind == CompletionKind::Move && c.rank == 9);
    found.sort_by_key(|c| c.rank);
    found
}

/// Whether the letters typed stand in a label in that order, the first at its beginning.
fn fits(label: &str, typed: &str) -> bool {
    let mut letters = label.chars();
    typed.chars().enumerate().all(|(i, c)| match i {
        0 => letters.next() == Some(c),
        _ => letters.any(|l| l == c),
    })
}

fn at(
    tree: &Tree,
    base: Defaults,
    place: &Place<'_>,
    before: Option<Token<'_>>,
    report: impl FnOnce(Puzzle<'_>, Defaults) -> PuzzleReport,
) -> Vec<Completion> {
    let keyword = before.and_then(|t| Keyword::from_word(t.text()));
    if let Some(Keyword::Item(Item::Property(property))) = keyword {
        let (puzzle, _) = puzzle_at(tree, base, place.start).unzip();
        return values(place, property, puzzle);
    }
    let Some((puzzle, settings)) =
        puzzle_at(tree, base, place.start).filter(|(p, _)| is_inside(*p, place.start))
    else {
        return if matches!(keyword, Some(Keyword::Game(_))) { Vec::new() } else { top(place) };
    };
    let Some(bound) = bind_one(puzzle, settings) else { return Vec::new() };
    let item = puzzle.node().children().filter(|n| n.span().start < place.start.max(1)).last();
    let arrow = before.is_some_and(|t| t.kind() == TokenKind::Arrow);
    if let Some(query) = item.and_then(Query::cast) {
        if arrow {
            return answers(place, &bound, query, &report(puzzle, settings));
        }
        if let Some(depth) = depth(query, place.start) {
            return match query.verb() {
                Some(Verb::Solve) if depth == 1 => captures(place, &bound, query),
                Some(Verb::Capture) => lists::capture_list(place, &bound, query),
                _ => Vec::new(),
            };
        }
        if query.verb() == Some(Verb::Move) && lists(query.node().tokens(), place.start) > 0 {
            return lists::move_list(place, &bound, query);
        }
        if keyword == Some(Keyword::Item(Item::Query(Verb::Move))) {
            return moves::moves(place, &bound, query);
        }
    }
    if keyword == Some(Keyword::Item(Item::Board)) {
        return Vec::new();
    }
    let listed = item.filter(|n| lists(n.tokens(), place.start) > 0);
    match listed.map(|n| n.kind()) {
        Some(NodeKind::Board) => return pieces(place, &bound),
        Some(_) => return Vec::new(),
        None => {}
    }
    items(place, &bound)
}

/// Whether an offset stands between a puzzle's braces.
fn is_inside(puzzle: Puzzle<'_>, offset: u32) -> bool {
    let open = puzzle.node().tokens().find(|t| t.kind() == TokenKind::LBrace);
    let close = puzzle.node().last_token().filter(|t| t.kind() == TokenKind::RBrace);
    open.is_some_and(|t| t.span().end <= offset) && close.is_none_or(|t| offset <= t.span().start)
}

/// How deep in the lists of a query's answer an offset stands; nothing where it stands in none.
fn depth(query: Query<'_>, offset: u32) -> Option<usize> {
    let answer = query.node().tokens().skip_while(|t| t.kind() != TokenKind::Arrow);
    Some(lists(answer, offset)).filter(|&d| d > 0)
}

/// How many lists are open at an offset.
fn lists<'t>(tokens: impl Iterator<Item = Token<'t>>, offset: u32) -> usize {
    tokens.take_while(|t| t.span().end <= offset).fold(0usize, |depth, token| match token.kind() {
        TokenKind::LBracket | TokenKind::UnclosedLBracket => depth + 1,
        TokenKind::RBracket => depth.saturating_sub(1),
        _ => depth,
    })
}

/// Puzzles and the defaults of a file.
fn top(place: &Place<'_>) -> Vec<Completion> {
    let mut found: Vec<Completion> = GameId::ALL.iter().map(|&g| place.keyword(Keyword::Game(g))).collect();
    for (i, &game) in GameId::ALL.iter().enumerate() {
        let (rows, ask) = match game {
            GameId::Solitaire => (vec![". . . ."; 4], "solve"),
            GameId::Chess => (vec![". . . . . . . ."; 8], "mate"),
            GameId::Chess3d => (vec!["...", "...", "...", "...", "...", "...", "...", "...", "..."], "mate"),
            GameId::Draughts => (vec![". . . . . . . ."; 8], "capture"),
        };
        let body = |name: &str, ask: &str| {
            let rows: String = rows.iter().map(|r| format!("    {r}\n")).collect();
            format!("{} \"{name}\" {{\n  board\n{rows}  {ask}\n}}", game.word())
        };
        let label = format!("{} puzzle", game.word());
        let item = place.writes(CompletionKind::Snippet, &label, body("", ask), "a whole puzzle");
        let snippet = body("${1:name}", &format!("${{2:{ask}}}")).replace('}', "\\}");
        let snippet = snippet
            .replace("${1:name\\}", "${1:name}")
            .replace(&format!("${{2:{ask}\\}}"), &format!("${{2:{ask}}}"));
        found.push(Completion { snippet: Some(snippet), rank: 2 + u8::from(i > 3), ..item });
    }
    let properties = Property::ALL
        .iter()
        .map(|&p| Completion { rank: 3, ..place.keyword(Keyword::Item(Item::Property(p))) });
    found.extend(properties);
    found
}

/// What may stand in a puzzle and does not yet.
fn items(place: &Place<'_>, bound: &Bound<'_>) -> Vec<Completion> {
    let mut found = Vec::new();
    let puzzle = bound.puzzle;
    if puzzle.boards().next().is_none() {
        found.push(Completion { rank: 0, ..place.keyword(Keyword::Item(Item::Board)) });
    }
    found.extend(bound.game.verbs().iter().map(|&v| place.keyword(Keyword::Item(Item::Query(v)))));
    let again = |p: Property| {
        matches!(p, Property::Note | Property::Source | Property::Author | Property::Allow | Property::Tags)
    };
    let there =
        |p: Property| puzzle.properties().any(|n| n.name() == Some(p) && n.span().start != place.start);
    for &property in Property::ALL.iter().filter(|&&p| bound.game.takes(p) && (again(p) || !there(p))) {
        found.push(Completion { rank: 2, ..place.keyword(Keyword::Item(Item::Property(property))) });
    }
    found
}

fn values(place: &Place<'_>, property: Property, puzzle: Option<Puzzle<'_>>) -> Vec<Completion> {
    let value = |word: &str, what: &str| place.item(CompletionKind::Value, word, what);
    match property {
        Property::Turn => vec![value("white", "white is to move"), value("black", "black is to move")],
        Property::Origin => {
            vec![value("0", "coordinates count from 0"), value("1", "coordinates count from 1")]
        }
        Property::Unique => vec![value("true", "one solution"), value("false", "as many as there are")],
        Property::Rules => {
            let what = |d: Dialect| match d {
                Dialect::Default => "pawns capture in every diagonal direction",
                Dialect::Ranger => "pawns capture upwards only",
                Dialect::Solo => "pawns upwards, at most two captures each, the king remains",
            };
            Dialect::ALL.iter().map(|&d| value(d.word(), what(d))).collect()
        }
        Property::Size => match puzzle.and_then(Puzzle::game) {
            Some(GameId::Chess | GameId::Draughts) => vec![value("8", "8×8")],
            _ => vec![value("3", "a side of 3"), value("4", "a side of 4"), value("5x6", "columns x rows")],
        },
        Property::Allow => code_docs::TABLE.iter().map(|e| value(e.code.name(), e.title)).collect(),
        Property::Author | Property::Source | Property::Note | Property::Tags => Vec::new(),
    }
}

/// Pieces and free squares, in a list.
fn pieces(place: &Place<'_>, bound: &Bound<'_>) -> Vec<Completion> {
    let format = bound.game.format();
    let mut found = Vec::new();
    if format.coloured {
        for (word, what) in [("\"W\"", "white"), ("\"B\"", "black")] {
            found.push(place.item(CompletionKind::Piece, word, what));
        }
    }
    for kind in format.kinds {
        found.push(place.item(CompletionKind::Piece, &format!("'{}'", kind.letter()), kind.name()));
    }
    if !format.is_cube()
        && let Some(board) = bound.reading.as_ref().and_then(|r| r.board.as_ref())
    {
        let free = (0..board.cells.len()).filter(|&i| board.cells[i].is_none()).map(|i| board.square(i));
        let free = free.filter(|s| !format.dark_only || (s.x + s.y) % 2 == 0);
        for square in free {
            let name = format!("'{}'", square_name(square, false));
            found.push(Completion { rank: 2, ..place.item(CompletionKind::Square, &name, "free") });
        }
    }
    found
}

/// The answers that a query takes, the right one first.
fn answers(place: &Place<'_>, bound: &Bound<'_>, query: Query<'_>, report: &PuzzleReport) -> Vec<Completion> {
    let Some(verb) = query.verb() else { return Vec::new() };
    let answer = |text: &str, detail: &str| place.item(CompletionKind::Answer, text, detail);
    let found = report.queries.iter().find(|q| q.span.start == query.span().start);
    let mut all = Vec::new();
    if let Some(Outcome::Answer(right)) = found.map(|q| &q.outcome) {
        let board = position_of(bound).map(|p| p.board);
        if let Some(text) = answer_text(right, bound.origin, bound.settings.notation, false) {
            all.push(Completion {
                rank: 0,
                ..answer(
                    &text,
                    &format!("right: {}", answer_in_words(right, AnswerStyle::Short(board.as_ref()))),
                )
            });
        }
        if let Answer::Capture { lines, .. } = right {
            for line in lines {
                let path: Vec<String> =
                    line.path.iter().map(|&s| write_square(s, bound.origin, false)).collect();
                let item = answer(&format!("[{}]", path.join(", ")), &capture_path(line));
                all.push(Completion { rank: 1, ..item });
            }
        }
    }
    let words: Vec<&str> = match verb {
        Verb::Solve | Verb::Capture => vec!["none"],
        Verb::Count => Vec::new(),
        Verb::Move => vec!["legal", "illegal"],
        Verb::Mate => {
            [Status::Checkmate, Status::Check, Status::Stalemate, Status::None].map(Status::word).to_vec()
        }
    };
    for word in words {
        if !all.iter().any(|c| c.text == word) {
            all.push(Completion { rank: 2, ..answer(word, "") });
        }
    }
    // An arrow with nothing behind it: what is written stands apart from it.
    if place.typed.is_empty() && place.text[..place.offset as usize].ends_with('>') {
        all.iter_mut().for_each(|c| c.text.insert(0, ' '));
    }
    all
}

/// The captures possible at a point of a written solution; those that keep it solvable first.
fn captures(place: &Place<'_>, bound: &Bound<'_>, query: Query<'_>) -> Vec<Completion> {
    let (Some(position), Some(Verb::Solve)) = (position_of(bound), query.verb()) else { return Vec::new() };
    let written: Vec<Step> =
        steps_of(bound, query).iter().filter(|(_, s)| s.end <= place.start).map(|s| s.0).collect();
    let board = board_after(&position.board, &written, false);
    let pieces: Vec<Square> = board.pieces().map(|p| p.0).collect();
    let mut found = Vec::new();
    for &from in &pieces {
        for &to in pieces.iter().filter(|&&to| to != from) {
            let mut steps = written.clone();
            steps.push(Step { from, to, taken: None });
            let possible = match bound.game.follow(&position, &steps) {
                Ok(()) => true,
                Err(slip) => slip.step > written.len(),
            };
            if !possible {
                continue;
            }
            let name = crate::analysis::solution_in_names(&[Capture { from, to }]);
            let (rank, then) =
                match solvable(bound, &position, board_after(&board, &steps[written.len()..], false)) {
                    Some(true) => (0, ", keeps it solvable"),
                    Some(false) => (2, ", then there is no solution"),
                    None => (1, ""),
                };
            let square = |s| write_square(s, bound.origin, false);
            let text = format!("[{}, {}]", square(from), square(to));
            let item = place.writes(CompletionKind::Move, &name, text, format!("{name}{then}"));
            found.push(Completion { rank, ..item });
        }
    }
    found
}

/// Whether a board can be solved from here; nothing where that is not known.
fn solvable(bound: &Bound<'_>, position: &Position, board: Board) -> Option<bool> {
    // Under solo it matters what each piece has done before, which a board does not tell.
    if position.dialect == Dialect::Solo {
        return None;
    }
    let question = Question { verb: Verb::Solve, request: None };
    let next = Position { board, ..position.clone() };
    match bound.game.answer(&next, &question, &Budget::new(NODES, None)) {
        Ok(Answer::Solve(solution)) => Some(solution.is_some()),
        _ => None,
    }
}
