//! How a list that is begun goes on: the move of `move`, and the captures of draughts.
//!
//! All that could be written is laid out as items; what is written must be their beginning, and what
//! stands behind the cursor their end.

use crate::analysis::{Bound, position_of, request_of, steps_of};
use crate::board::{Colour, Kind, Piece, Square, read_colour, square_name};
use crate::games::{Answer, Budget, Line, Position, Question, Step, Verdict};
use crate::ide::answer_text::capture_path;
use crate::ide::board_view::playback::Playback;
use crate::ide::completion::{Completion, CompletionKind, NODES, Place};
use crate::syntax::{Query, Token, TokenKind, Verb};

/// A part of a list.
#[derive(Clone, Copy, PartialEq)]
enum Item {
    Open,
    Close,
    Number(u8),
    Colour(Colour),
    Kind(Kind),
    /// A piece by its letter, whose case is the colour.
    Letter(Piece),
    Name(Square),
    Verdict(Verdict),
}

impl Item {
    fn is(self, token: Token<'_>) -> bool {
        let text = token.content().0;
        match (self, token.kind()) {
            (Item::Open, kind) => matches!(kind, TokenKind::LBracket | TokenKind::UnclosedLBracket),
            (Item::Close, kind) => kind == TokenKind::RBracket,
            (Item::Number(n), TokenKind::Word) => text.parse() == Ok(n),
            (_, TokenKind::LBracket | TokenKind::UnclosedLBracket | TokenKind::RBracket) => false,
            (Item::Number(_), _) => false,
            (Item::Colour(colour), _) => read_colour(text) == Some(colour),
            // `["B",…` is a colour first.
            (Item::Letter(piece), _) => text == piece.letter().to_string() && read_colour(text).is_none(),
            (Item::Kind(kind), _) => text.eq_ignore_ascii_case(&kind.letter().to_string()),
            (Item::Name(square), _) => text.eq_ignore_ascii_case(&square_name(square, false)),
            (Item::Verdict(verdict), _) => text.eq_ignore_ascii_case(verdict.word()),
        }
    }

    fn text(self, quote: &str) -> String {
        let word = match self {
            Item::Open => return "[".into(),
            Item::Close => return "]".into(),
            Item::Number(n) => return n.to_string(),
            Item::Colour(Colour::White) => "W".into(),
            Item::Colour(Colour::Black) => "B".into(),
            Item::Kind(kind) => kind.letter().to_string(),
            Item::Letter(piece) => piece.letter().to_string(),
            Item::Name(square) => square_name(square, false),
            Item::Verdict(verdict) => verdict.word().to_string(),
        };
        format!("{quote}{word}{quote}")
    }
}

/// Items with commas between them.
fn text_of(items: &[Item], quote: &str) -> String {
    let mut text = String::new();
    for (i, &item) in items.iter().enumerate() {
        match items[..i].last() {
            None | Some(Item::Open) => {}
            Some(_) if item == Item::Close => {}
            Some(Item::Close) => text.push_str(", "),
            Some(_) => text.push(','),
        }
        text.push_str(&item.text(quote));
    }
    text
}

/// A list that could be written.
struct Whole {
    items: Vec<Item>,
    /// What it says.
    detail: String,
    rank: u8,
}

impl Whole {
    fn new(parts: &[&[Item]], detail: impl Into<String>, rank: u8) -> Whole {
        let items = [&[Item::Open], parts.concat().as_slice(), &[Item::Close]].concat();
        Whole { items, detail: detail.into(), rank }
    }
}

/// What is written of a list on either side of the cursor, without commas and the word that is begun.
struct Written<'t> {
    before: Vec<Token<'t>>,
    behind: Vec<Token<'t>>,
}

impl<'t> Written<'t> {
    fn of(tokens: impl Iterator<Item = Token<'t>>, place: &Place<'_>) -> Written<'t> {
        let (mut before, mut behind) = (Vec::new(), Vec::new());
        let mut depth = 0usize;
        for token in tokens.filter(|t| !t.kind().is_trivia() && t.kind() != TokenKind::Comma) {
            if token.span().end <= place.start {
                before.push(token);
            } else if token.span().start >= place.offset {
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
        Written { before, behind }
    }

    /// The quotes of words here: none where one is begun or stands without them.
    fn quote(&self, place: &Place<'_>) -> &'static str {
        let bare = |t: &Token<'_>| t.kind() == TokenKind::Word && t.text().parse::<i64>().is_err();
        if !place.typed.is_empty() || self.before.iter().chain(&self.behind).any(bare) { "" } else { "\"" }
    }
}

/// How a list goes on: what comes next in each of those that could be written, once.
fn go_on(place: &Place<'_>, written: &Written<'_>, all: &[Whole]) -> Vec<Completion> {
    let quote = written.quote(place);
    let mut found: Vec<(Completion, usize)> = Vec::new();
    for whole in all {
        let Some(next) = next(&whole.items, written) else { continue };
        let text = text_of(next, quote);
        if let Some((_, more)) = found.iter_mut().find(|(c, _)| c.label == text) {
            *more += 1;
            continue;
        }
        let (kind, detail) = match next {
            [Item::Colour(colour)] => (CompletionKind::Piece, colour.name().to_string()),
            [Item::Kind(kind)] => (CompletionKind::Piece, kind.name().to_string()),
            [Item::Letter(piece)] => (CompletionKind::Piece, piece.to_string()),
            [Item::Verdict(_)] => (CompletionKind::Answer, whole.detail.clone()),
            _ => (CompletionKind::Move, whole.detail.clone()),
        };
        let item = place.writes(kind, &text, text.clone(), detail);
        found.push((Completion { rank: whole.rank, ..item }, 0));
    }
    let told = |(mut c, more): (Completion, usize)| {
        if more > 0 && c.kind == CompletionKind::Move {
            c.detail = format!("{}, and {more} more", c.detail);
        }
        c
    };
    found.into_iter().map(told).collect()
}

/// Whether tokens are what items would be written as, as far as both go.
fn agree(items: &[Item], tokens: &[Token<'_>]) -> bool {
    items.iter().zip(tokens).all(|(item, token)| item.is(*token))
}

/// What of a list comes next at the cursor; nothing where another list is written.
fn next<'i>(items: &'i [Item], written: &Written<'_>) -> Option<&'i [Item]> {
    let at = written.before.len();
    if at >= items.len() || !agree(items, &written.before) {
        return None;
    }
    let rest = &items[at..];
    let len = match rest[0] {
        Item::Close => return None,
        Item::Open => {
            let mut depth = 0usize;
            1 + rest.iter().position(|item| {
                match item {
                    Item::Open => depth += 1,
                    Item::Close => depth -= 1,
                    _ => {}
                }
                depth == 0
            })?
        }
        // The numbers of a square come together where none stands behind the cursor.
        Item::Number(_) if written.behind.is_empty() => {
            rest.iter().take_while(|i| matches!(i, Item::Number(_))).count()
        }
        _ => 1,
    };
    let end = &rest[len..];
    let fits = written.behind.is_empty() || written.behind.len() <= end.len() && agree(end, &written.behind);
    fits.then_some(&rest[..len])
}

/// Says why nothing can be written. It writes what is there already: it is there to be read.
pub(crate) fn reason(place: &Place<'_>, why: String) -> Vec<Completion> {
    let typed = if place.typed.is_empty() { "(no move)" } else { place.typed };
    let item = place.writes(CompletionKind::Move, typed, place.typed.to_string(), why);
    vec![Completion { rank: 9, ..item }]
}

/// Whether a completion would still be listed for what is typed.
fn fits(found: &[Completion], place: &Place<'_>) -> bool {
    let typed = place.typed.to_lowercase();
    found.iter().any(|c| crate::ide::completion::fits(&c.label.to_lowercase(), &typed))
}

/// A move that a list can name: any piece of a kind may make it.
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
fn legal(bound: &Bound<'_>, position: &Position, colour: Colour) -> Vec<Move> {
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

fn numbers(s: Square, origin: u8) -> [Item; 2] {
    [Item::Number(s.x + origin), Item::Number(s.y + origin)]
}

/// How the list of `move` goes on: colours, kinds and targets of legal moves.
pub(crate) fn move_list(place: &Place<'_>, bound: &Bound<'_>, query: Query<'_>) -> Vec<Completion> {
    let Some(position) = position_of(bound) else { return Vec::new() };
    let tokens = query.node().tokens().skip(1).take_while(|t| t.kind() != TokenKind::Arrow);
    let written = Written::of(tokens, place);
    let first = written.before.len() < 2;
    let mut all = Vec::new();
    for colour in [bound.turn, bound.turn.other()] {
        let rank = u8::from(colour != bound.turn);
        for one in legal(bound, &position, colour) {
            let who = [Item::Colour(colour), Item::Kind(one.piece.kind)];
            let (letter, name) = ([Item::Letter(one.piece)], [Item::Name(one.to)]);
            let at = numbers(one.to, bound.origin);
            let mut add = |parts: &[&[Item]], rank| all.push(Whole::new(parts, one.detail(), rank));
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
    let found = go_on(place, &written, &all);
    if fits(&found, place) {
        return found;
    }
    // What stands behind the cursor is a move already, or the end of one.
    if !written.behind.is_empty() {
        return Vec::new();
    }
    let why = match request_of(bound, query) {
        None => no_move(&position, &written),
        Some(request) => {
            let question = Question { verb: Verb::Move, request: Some(request) };
            match bound.game.answer(&position, &question, &Budget::new(NODES, None)) {
                Ok(Answer::Move(Some(reason))) => format!("illegal: {reason}"),
                _ => return Vec::new(),
            }
        }
    };
    reason(place, why)
}

/// Why a list of a colour and perhaps a kind begins no legal move.
fn no_move(position: &Position, written: &Written<'_>) -> String {
    let text = |i: usize| written.before.get(i).map(|t| t.content().0);
    let Some(colour) = text(1).and_then(read_colour) else { return "no legal move begins so".into() };
    let name = colour.name();
    let letter = text(2).and_then(|t| t.chars().next().filter(|_| t.len() == 1));
    match letter.and_then(Kind::from_letter) {
        None if written.before.len() == 2 => format!("{name} has no legal move"),
        Some(kind) if position.board.pieces().all(|(_, p)| p != Piece::new(colour, kind)) => {
            format!("{name} has no {}", kind.name())
        }
        Some(kind) if written.before.len() == 3 => format!("no {} of {name} has a legal move", kind.name()),
        _ => "no legal move begins so".into(),
    }
}

/// The legal moves of colours as whole lists, for a board that is written in coordinates.
pub(crate) fn whole_moves(
    place: &Place<'_>,
    bound: &Bound<'_>,
    position: &Position,
    colours: &[Colour],
) -> Vec<Completion> {
    let moves = colours.iter().flat_map(|&colour| legal(bound, position, colour));
    let whole = |one: Move| {
        let who = [Item::Colour(one.piece.colour), Item::Kind(one.piece.kind)];
        let list = Whole::new(&[&who, &numbers(one.to, bound.origin)], one.detail(), 0);
        place.item(CompletionKind::Move, &text_of(&list.items, "\""), list.detail)
    };
    moves.map(whole).collect()
}

/// How the list of a draughts capture goes on: as a path, as steps or as verdicts.
pub(crate) fn capture_list(place: &Place<'_>, bound: &Bound<'_>, query: Query<'_>) -> Vec<Completion> {
    let Some(position) = position_of(bound) else { return Vec::new() };
    let question = Question { verb: Verb::Capture, request: None };
    let answer = bound.game.answer(&position, &question, &Budget::new(NODES, None));
    let Ok(Answer::Capture { lines, pieces }) = answer else { return Vec::new() };
    let tokens = query.node().tokens().skip_while(|t| t.kind() != TokenKind::Arrow).skip(1);
    let written = Written::of(tokens, place);
    let forms: Vec<Whole> = lines.iter().flat_map(|line| line_forms(line, bound.origin)).collect();
    let mut found = go_on(place, &written, &forms);
    // Verdicts come in any order: those that are there are passed over.
    let (rest, unjudged) = unlisted(&written, &pieces, bound.origin);
    let verdicts: Vec<Whole> = rest.iter().map(|&(s, v)| verdict_form(s, v, bound.origin)).collect();
    found.extend(go_on(place, &unjudged, &verdicts));
    let ended = |w: &Whole| w.items.len() == written.before.len() + 1 && agree(&w.items, &written.before);
    let judged = unjudged.before.len() < written.before.len();
    if judged || fits(&found, place) || !written.behind.is_empty() || forms.iter().any(ended) {
        return found;
    }
    if lines.is_empty() {
        return reason(place, "there is no capture".into());
    }
    let steps = steps_of(bound, query).into_iter().filter(|(_, at)| at.end <= place.start);
    let steps: Vec<Step> = steps.map(|s| s.0).collect();
    let why = match bound.game.follow(&position, &steps) {
        Err(slip) if slip.step < steps.len() => format!("step {} fails: {}", slip.step + 1, slip.message),
        _ => "no capture goes on so".into(),
    };
    reason(place, why)
}

/// A capture as a path and as steps, in numbers and in names.
fn line_forms(line: &Line, origin: u8) -> Vec<Whole> {
    let number = |&s: &Square| [&[Item::Open], numbers(s, origin).as_slice(), &[Item::Close]].concat();
    let name = |&s: &Square| vec![Item::Name(s)];
    let mut forms = Vec::new();
    for (squares, rank) in [
        (line.path.iter().map(number).collect::<Vec<_>>(), 1),
        (line.path.iter().map(name).collect::<Vec<_>>(), 4),
    ] {
        let steps: Vec<Item> = squares
            .windows(2)
            .flat_map(|pair| [&[Item::Open], pair.concat().as_slice(), &[Item::Close]].concat())
            .collect();
        forms.push(Whole::new(&[&squares.concat()], capture_path(line), rank));
        forms.push(Whole::new(&[&steps], capture_path(line), rank + 1));
    }
    forms
}

fn verdict_form(s: Square, verdict: Verdict, origin: u8) -> Whole {
    let detail = format!("{} {}", square_name(s, false), verdict.word());
    Whole::new(&[&[Item::Open], &numbers(s, origin), &[Item::Verdict(verdict), Item::Close]], detail, 3)
}

/// The pieces that can be taken and have no verdict yet, and what is written without those that have.
fn unlisted<'t>(
    written: &Written<'t>,
    pieces: &[(Square, Verdict)],
    origin: u8,
) -> (Vec<(Square, Verdict)>, Written<'t>) {
    let mut rest: Vec<(Square, Verdict)> = pieces.iter().copied().filter(|p| p.1 != Verdict::No).collect();
    let mut before = written.before.clone();
    while let Some(end) = before.iter().position(|t| t.kind() == TokenKind::RBracket) {
        let entry = before.get(1..end).unwrap_or_default();
        let verdict = |t: &Token<'_>| Verdict::ALL.into_iter().any(|v| Item::Verdict(v).is(*t));
        if !entry.iter().any(verdict) {
            break;
        }
        let at = |s: Square| {
            let [x, y] = numbers(s, origin);
            entry.windows(2).any(|w| x.is(w[0]) && y.is(w[1])) || entry.iter().any(|t| Item::Name(s).is(*t))
        };
        rest.retain(|p| !at(p.0));
        before.drain(1..=end);
    }
    (rest, Written { before, behind: written.behind.clone() })
}
