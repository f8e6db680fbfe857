//! Completions inside of lists: the move of `move`, and the captures of draughts.
//!
//! Every list that could be written is built as a sequence of items. A list is offered if the typed tokens are
//! its beginning and the tokens behind the cursor its end.

use crate::answer_text::capture_path;
use crate::board_view::playback::Playback;
use crate::completion::item::{Completion, CompletionKind, InsertionPoint, LOOK_AHEAD_NODES};
use cpz_check::analysis::{Bound, position_of, request_of, steps_of};
use cpz_rules::board::{Colour, Kind, Piece, Square, read_colour, square_name};
use cpz_rules::games::{Answer, Budget, Line, Position, Question, Step, Verdict};
use cpz_text::syntax::{Query, Token, TokenKind, Verb};

/// A token of a list; commas are left out.
#[derive(Clone, Copy, PartialEq)]
enum ListItem {
    Open,
    Close,
    Number(u8),
    Colour(Colour),
    Kind(Kind),
    /// A piece by its letter, the colour by its case.
    Letter(Piece),
    Name(Square),
    Verdict(Verdict),
}

impl ListItem {
    /// Whether a token spells this item.
    fn matches(self, token: Token<'_>) -> bool {
        let text = token.content().0;
        match (self, token.kind()) {
            (ListItem::Open, kind) => matches!(kind, TokenKind::LBracket | TokenKind::UnclosedLBracket),
            (ListItem::Close, kind) => kind == TokenKind::RBracket,
            (ListItem::Number(n), TokenKind::Word) => text.parse() == Ok(n),
            (_, TokenKind::LBracket | TokenKind::UnclosedLBracket | TokenKind::RBracket) => false,
            (ListItem::Number(_), _) => false,
            (ListItem::Colour(colour), _) => read_colour(text) == Some(colour),
            // `B` and `W` are colours, not pieces.
            (ListItem::Letter(piece), _) => text == piece.letter().to_string() && read_colour(text).is_none(),
            (ListItem::Kind(kind), _) => text.eq_ignore_ascii_case(&kind.letter().to_string()),
            (ListItem::Name(square), _) => text.eq_ignore_ascii_case(&square_name(square, false)),
            (ListItem::Verdict(verdict), _) => text.eq_ignore_ascii_case(verdict.word()),
        }
    }

    fn text(self, quote: &str) -> String {
        let word = match self {
            ListItem::Open => return "[".into(),
            ListItem::Close => return "]".into(),
            ListItem::Number(n) => return n.to_string(),
            ListItem::Colour(Colour::White) => "W".into(),
            ListItem::Colour(Colour::Black) => "B".into(),
            ListItem::Kind(kind) => kind.letter().to_string(),
            ListItem::Letter(piece) => piece.letter().to_string(),
            ListItem::Name(square) => square_name(square, false),
            ListItem::Verdict(verdict) => verdict.word().to_string(),
        };
        format!("{quote}{word}{quote}")
    }
}

/// The source text of items, with commas.
fn text_of(items: &[ListItem], quote: &str) -> String {
    let mut text = String::new();
    for (i, &item) in items.iter().enumerate() {
        match items[..i].last() {
            None | Some(ListItem::Open) => {}
            Some(_) if item == ListItem::Close => {}
            Some(ListItem::Close) => text.push_str(", "),
            Some(_) => text.push(','),
        }
        text.push_str(&item.text(quote));
    }
    text
}

/// A list that could be written.
struct CompleteList {
    items: Vec<ListItem>,
    /// The detail of its completions.
    detail: String,
    rank: u8,
}

impl CompleteList {
    fn new(parts: &[&[ListItem]], detail: impl Into<String>, rank: u8) -> CompleteList {
        let items = [&[ListItem::Open], parts.concat().as_slice(), &[ListItem::Close]].concat();
        CompleteList { items, detail: detail.into(), rank }
    }
}

/// The tokens of the list at the cursor, without commas and the typed word.
struct TypedList<'t> {
    before: Vec<Token<'t>>,
    behind: Vec<Token<'t>>,
}

impl<'t> TypedList<'t> {
    fn new(tokens: impl Iterator<Item = Token<'t>>, point: &InsertionPoint<'_>) -> TypedList<'t> {
        let (mut before, mut behind) = (Vec::new(), Vec::new());
        let mut depth = 0usize;
        for token in tokens.filter(|t| !t.kind().is_trivia() && t.kind() != TokenKind::Comma) {
            if token.span().end <= point.start {
                before.push(token);
            } else if token.span().start >= point.offset {
                behind.push(token);
            }
            match token.kind() {
                TokenKind::LBracket | TokenKind::UnclosedLBracket => depth += 1,
                TokenKind::RBracket => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 && !behind.is_empty() {
                break;
            }
        }
        if behind.iter().all(|t| t.kind() == TokenKind::RBracket) {
            behind.clear();
        }
        TypedList { before, behind }
    }

    /// The quote around words: none if a word is typed, else that of the other words of this list, else `usual`.
    fn quote<'q>(&self, point: &InsertionPoint<'_>, usual: &'q str) -> &'q str
    where
        't: 'q,
    {
        let is_word = |t: &&Token<'t>| match t.kind() {
            TokenKind::String => true,
            kind => kind == TokenKind::Word && t.text().parse::<i64>().is_err(),
        };
        match self.before.iter().rev().chain(&self.behind).find(is_word) {
            _ if !point.typed.is_empty() => "",
            Some(token) if token.kind() == TokenKind::String => &token.text()[..1],
            Some(_) => "",
            None => usual,
        }
    }
}

/// The next items of each list that fits the typed tokens, without repetitions.
fn continuations(
    point: &InsertionPoint<'_>,
    typed_list: &TypedList<'_>,
    all: &[CompleteList],
    usual_quote: &str,
) -> Vec<Completion> {
    let quote = typed_list.quote(point, usual_quote);
    let mut found: Vec<(Completion, usize)> = Vec::new();
    for list in all {
        let Some(next) = next_items(&list.items, typed_list) else { continue };
        let text = text_of(next, quote);
        if let Some((_, more)) = found.iter_mut().find(|(c, _)| c.label == text) {
            *more += 1;
            continue;
        }
        let (kind, detail) = match next {
            [ListItem::Colour(colour)] => (CompletionKind::Piece, colour.name().to_string()),
            [ListItem::Kind(kind)] => (CompletionKind::Piece, kind.name().to_string()),
            [ListItem::Letter(piece)] => (CompletionKind::Piece, piece.to_string()),
            [ListItem::Verdict(_)] => (CompletionKind::Answer, list.detail.clone()),
            _ => (CompletionKind::Move, list.detail.clone()),
        };
        let item = point.item_writing(kind, &text, text.clone(), detail);
        found.push((Completion { rank: list.rank, ..item }, 0));
    }
    let with_count = |(mut c, more): (Completion, usize)| {
        if more > 0 && c.kind == CompletionKind::Move {
            c.detail = format!("{}, and {more} more", c.detail);
        }
        c
    };
    found.into_iter().map(with_count).collect()
}

/// Whether tokens spell items, up to the end of the shorter sequence.
fn tokens_match(items: &[ListItem], tokens: &[Token<'_>]) -> bool {
    items.iter().zip(tokens).all(|(item, token)| item.matches(*token))
}

/// The items of a list that come next at the cursor; `None` if other tokens are typed.
fn next_items<'i>(items: &'i [ListItem], typed_list: &TypedList<'_>) -> Option<&'i [ListItem]> {
    let at = typed_list.before.len();
    if at >= items.len() || !tokens_match(items, &typed_list.before) {
        return None;
    }
    let rest = &items[at..];
    let len = match rest[0] {
        ListItem::Close => return None,
        ListItem::Open => {
            let mut depth = 0usize;
            1 + rest.iter().position(|item| {
                match item {
                    ListItem::Open => depth += 1,
                    ListItem::Close => depth -= 1,
                    _ => {}
                }
                depth == 0
            })?
        }
        // Both numbers of a square are inserted at once, unless tokens follow the cursor.
        ListItem::Number(_) if typed_list.behind.is_empty() => {
            rest.iter().take_while(|i| matches!(i, ListItem::Number(_))).count()
        }
        _ => 1,
    };
    let end = &rest[len..];
    let fits = typed_list.behind.is_empty()
        || typed_list.behind.len() <= end.len() && tokens_match(end, &typed_list.behind);
    fits.then_some(&rest[..len])
}

/// A move as a list names it: without the square that the piece comes from.
#[derive(Clone, Copy, PartialEq)]
struct Move {
    piece: Piece,
    to: Square,
    takes: bool,
}

impl Move {
    fn detail(self) -> String {
        let how = if self.takes { "takes" } else { "to" };
        format!("{} {how} {}", self.piece.kind.name(), square_name(self.to, false))
    }
}

/// The legal moves of a colour, each once.
fn legal_moves(bound: &Bound<'_>, position: &Position, colour: Colour) -> Vec<Move> {
    let (play, mut all) = (Playback { bound, position }, Vec::<Move>::new());
    for (from, piece) in position.board.pieces().filter(|(_, p)| p.colour == colour) {
        for to in play.destinations(from) {
            let one = Move { piece, to, takes: position.board.at(to).is_some() };
            if !all.contains(&one) {
                all.push(one);
            }
        }
    }
    all.sort_by_key(|m| (m.piece.kind, m.to));
    all
}

fn numbers(s: Square, origin: u8) -> [ListItem; 2] {
    [ListItem::Number(s.x + origin), ListItem::Number(s.y + origin)]
}

/// Completions in the list of `move`: colours, kinds of piece and targets of legal moves.
pub(super) fn move_list(
    point: &InsertionPoint<'_>,
    bound: &Bound<'_>,
    query: Query<'_>,
    quote: &str,
) -> Vec<Completion> {
    let Some(position) = position_of(bound) else { return Vec::new() };
    let tokens = query.node().tokens().skip(1).take_while(|t| t.kind() != TokenKind::Arrow);
    let typed_list = TypedList::new(tokens, point);
    let first = typed_list.before.len() < 2;
    let mut all = Vec::new();
    for colour in [bound.turn, bound.turn.other()] {
        let rank = u8::from(colour != bound.turn);
        for one in legal_moves(bound, &position, colour) {
            let who = [ListItem::Colour(colour), ListItem::Kind(one.piece.kind)];
            let (letter, name) = ([ListItem::Letter(one.piece)], [ListItem::Name(one.to)]);
            let at = numbers(one.to, bound.origin);
            let mut add =
                |parts: &[&[ListItem]], rank| all.push(CompleteList::new(parts, one.detail(), rank));
            add(&[&who, &at], rank);
            if first {
                continue;
            }
            add(&[&who, &name], 2);
            add(&[&letter, &at], rank);
            add(&[&letter, &name], 2);
            for square in [at.as_slice(), &name] {
                add(&[square, &who], rank);
                add(&[square, &letter], rank);
            }
        }
    }
    let found = continuations(point, &typed_list, &all, quote);
    if point.matches_any(&found) {
        return found;
    }
    // The tokens behind the cursor are a move already, or the end of one.
    if !typed_list.behind.is_empty() {
        return Vec::new();
    }
    let why = match request_of(bound, query) {
        None => no_move(&position, &typed_list),
        Some(request) => {
            let question = Question { request: Some(request), ..Question::of(Verb::Move) };
            match bound.game.answer(&position, &question, &Budget::new(LOOK_AHEAD_NODES, None)) {
                Ok(Answer::Move(Some(reason))) => format!("illegal: {reason}"),
                _ => return Vec::new(),
            }
        }
    };
    point.explanation(why)
}

/// Why no legal move begins with the typed colour and kind, for the user.
fn no_move(position: &Position, typed_list: &TypedList<'_>) -> String {
    let text = |i: usize| typed_list.before.get(i).map(|t| t.content().0);
    let Some(colour) = text(1).and_then(read_colour) else { return "no legal move begins like this".into() };
    let name = colour.name();
    let letter = text(2).and_then(|t| t.chars().next().filter(|_| t.len() == 1));
    match letter.and_then(Kind::from_letter) {
        None if typed_list.before.len() == 2 => format!("{name} has no legal move"),
        Some(kind) if position.board.pieces().all(|(_, p)| p != Piece::new(colour, kind)) => {
            format!("{name} has no {}", kind.name())
        }
        Some(kind) if typed_list.before.len() == 3 => {
            format!("no {} of {name} has a legal move", kind.name())
        }
        _ => "no legal move begins like this".into(),
    }
}

/// The legal moves of colours as complete lists, for a board with coordinates.
pub(super) fn complete_moves(
    point: &InsertionPoint<'_>,
    bound: &Bound<'_>,
    position: &Position,
    colours: &[Colour],
    quote: &str,
) -> Vec<Completion> {
    let moves = colours.iter().flat_map(|&colour| legal_moves(bound, position, colour));
    let item = |one: Move| {
        let who = [ListItem::Colour(one.piece.colour), ListItem::Kind(one.piece.kind)];
        let list = CompleteList::new(&[&who, &numbers(one.to, bound.origin)], one.detail(), 0);
        point.item(CompletionKind::Move, &text_of(&list.items, quote), list.detail)
    };
    moves.map(item).collect()
}

/// Completions in the answer of a draughts `capture`: a path, steps, or verdicts.
pub(super) fn capture_list(
    point: &InsertionPoint<'_>,
    bound: &Bound<'_>,
    query: Query<'_>,
    quote: &str,
) -> Vec<Completion> {
    let Some(position) = position_of(bound) else { return Vec::new() };
    let question = Question::of(Verb::Capture);
    let answer = bound.game.answer(&position, &question, &Budget::new(LOOK_AHEAD_NODES, None));
    let Ok(Answer::Capture { lines, pieces }) = answer else { return Vec::new() };
    let tokens = query.node().tokens().skip_while(|t| t.kind() != TokenKind::Arrow).skip(1);
    let typed_list = TypedList::new(tokens, point);
    let forms: Vec<CompleteList> = lines.iter().flat_map(|line| line_forms(line, bound.origin)).collect();
    let mut found = continuations(point, &typed_list, &forms, quote);
    // Verdicts may be in any order: skip those that are written.
    let (rest, unjudged) = without_verdict(&typed_list, &pieces, bound.origin);
    let verdicts: Vec<CompleteList> = rest.iter().map(|&(s, v)| verdict_form(s, v, bound.origin)).collect();
    found.extend(continuations(point, &unjudged, &verdicts, quote));
    let ended = |w: &CompleteList| {
        w.items.len() == typed_list.before.len() + 1 && tokens_match(&w.items, &typed_list.before)
    };
    let judged = unjudged.before.len() < typed_list.before.len();
    if judged || point.matches_any(&found) || !typed_list.behind.is_empty() || forms.iter().any(ended) {
        return found;
    }
    if lines.is_empty() {
        return point.explanation("there is no capture".into());
    }
    let steps = steps_of(bound, query).into_iter().filter(|(_, at)| at.end <= point.start);
    let steps: Vec<Step> = steps.map(|s| s.0).collect();
    let why = match bound.game.follow(&position, &steps) {
        Err(error) if error.step < steps.len() => format!("step {} fails: {}", error.step + 1, error.message),
        _ => "no capture continues like this".into(),
    };
    point.explanation(why)
}

/// A capture as a path and as steps, in numbers and in names of squares.
fn line_forms(line: &Line, origin: u8) -> Vec<CompleteList> {
    let number =
        |&s: &Square| [&[ListItem::Open], numbers(s, origin).as_slice(), &[ListItem::Close]].concat();
    let name = |&s: &Square| vec![ListItem::Name(s)];
    let mut forms = Vec::new();
    for (squares, rank) in [
        (line.path.iter().map(number).collect::<Vec<_>>(), 1),
        (line.path.iter().map(name).collect::<Vec<_>>(), 4),
    ] {
        let steps: Vec<ListItem> = squares
            .windows(2)
            .flat_map(|pair| [&[ListItem::Open], pair.concat().as_slice(), &[ListItem::Close]].concat())
            .collect();
        forms.push(CompleteList::new(&[&squares.concat()], capture_path(line), rank));
        forms.push(CompleteList::new(&[&steps], capture_path(line), rank + 1));
    }
    forms
}

fn verdict_form(s: Square, verdict: Verdict, origin: u8) -> CompleteList {
    let detail = format!("{} {}", square_name(s, false), verdict.word());
    CompleteList::new(
        &[&[ListItem::Open], &numbers(s, origin), &[ListItem::Verdict(verdict), ListItem::Close]],
        detail,
        3,
    )
}

/// The pieces that can be captured and have no verdict yet, and the typed list without the written verdicts.
fn without_verdict<'t>(
    typed_list: &TypedList<'t>,
    pieces: &[(Square, Verdict)],
    origin: u8,
) -> (Vec<(Square, Verdict)>, TypedList<'t>) {
    let mut rest: Vec<(Square, Verdict)> = pieces.iter().copied().filter(|p| p.1 != Verdict::No).collect();
    let mut before = typed_list.before.clone();
    while let Some(end) = before.iter().position(|t| t.kind() == TokenKind::RBracket) {
        let entry = before.get(1..end).unwrap_or_default();
        let verdict = |t: &Token<'_>| Verdict::ALL.into_iter().any(|v| ListItem::Verdict(v).matches(*t));
        if !entry.iter().any(verdict) {
            break;
        }
        let at = |s: Square| {
            let [x, y] = numbers(s, origin);
            entry.windows(2).any(|w| x.matches(w[0]) && y.matches(w[1]))
                || entry.iter().any(|t| ListItem::Name(s).matches(*t))
        };
        rest.retain(|p| !at(p.0));
        before.drain(1..=end);
    }
    (rest, TypedList { before, behind: typed_list.behind.clone() })
}
