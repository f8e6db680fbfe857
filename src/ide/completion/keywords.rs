//! Completions of puzzles, items, values of properties, and pieces.

use crate::completion::item::{Completion, CompletionKind, InsertionPoint};
use cpz_check::analysis::{Bound, code_docs, position_of};
use cpz_rules::board::{Castling, Colour, Rights, Square, read_colour, square_name};
use cpz_rules::games::{Dialect, Position, RightsIssue};
use cpz_text::syntax::{GameId, Item, Keyword, ProblemKind, Property, Query, Verb};

/// The completions outside of puzzles: games, a new puzzle of each game, and properties of the file.
pub(super) fn top_level(point: &InsertionPoint<'_>) -> Vec<Completion> {
    let mut found: Vec<Completion> = GameId::ALL.iter().map(|&g| point.keyword(Keyword::Game(g))).collect();
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
        let item = point.item_writing(CompletionKind::Snippet, &label, body("", ask), "a new puzzle");
        let snippet = body("${1:name}", &format!("${{2:{ask}}}")).replace('}', "\\}");
        let snippet = snippet
            .replace("${1:name\\}", "${1:name}")
            .replace(&format!("${{2:{ask}\\}}"), &format!("${{2:{ask}}}"));
        found.push(Completion { snippet: Some(snippet), rank: 2 + u8::from(i > 3), ..item });
    }
    let properties = Property::ALL
        .iter()
        .map(|&p| Completion { rank: 3, ..point.keyword(Keyword::Item(Item::Property(p))) });
    found.extend(properties);
    found
}

/// The items that the puzzle may have: properties that it has already are left out unless they may be repeated.
pub(super) fn items(point: &InsertionPoint<'_>, bound: &Bound<'_>) -> Vec<Completion> {
    let mut found = Vec::new();
    let puzzle = bound.puzzle;
    // What stands behind it on its line would belong to a twin.
    let rest = point.text[point.offset as usize..].lines().next().unwrap_or_default().trim();
    let ends_twin = |query: Query<'_>| {
        query.verb() == Some(Verb::Twin)
            && query.span().start < point.offset
            && point.offset <= query.span().end
    };
    if !rest.is_empty() && puzzle.queries().any(ends_twin) {
        // The answer of the twin would be that of the item.
        return found;
    }
    if puzzle.boards().next().is_none() {
        found.push(Completion { rank: 0, ..point.keyword(Keyword::Item(Item::Board)) });
    }
    let is_offered = |verb: &&Verb| match verb {
        Verb::Problem(kind) => kind.goal.has_word(),
        Verb::Twin => rest.is_empty() || rest.starts_with(['}', '/']),
        Verb::Unsolved => false,
        _ => true,
    };
    for &verb in bound.game.verbs().iter().filter(is_offered) {
        let item = point.keyword(Keyword::Item(Item::Query(verb)));
        found.push(match verb {
            // Without its length the word asks nothing.
            Verb::Problem(kind) if kind != ProblemKind::MATE => {
                let text = format!("{} in", kind.word());
                let whole = point.item_writing(CompletionKind::Keyword, &text, text.clone(), item.detail);
                Completion { documentation: item.documentation, ..whole }
            }
            _ => item,
        });
    }
    let repeatable = |p: Property| {
        matches!(
            p,
            Property::Note
                | Property::Hint
                | Property::Source
                | Property::Author
                | Property::Allow
                | Property::Tags
        )
    };
    let exists =
        |p: Property| puzzle.properties().any(|n| n.name() == Some(p) && n.span().start != point.start);
    for &property in Property::ALL.iter().filter(|&&p| bound.game.takes(p) && (repeatable(p) || !exists(p))) {
        found.push(Completion { rank: 2, ..point.keyword(Keyword::Item(Item::Property(property))) });
    }
    found
}

/// Whether a number is behind the cursor, or behind the word there: then the length of the problem is written.
pub(super) fn has_length_behind(point: &InsertionPoint<'_>) -> bool {
    let behind = &point.text[point.offset as usize..];
    let begins = |text: &str| text.trim_start_matches([' ', '\t']).starts_with(|c: char| c.is_ascii_digit());
    begins(behind) || begins(behind.trim_start_matches(|c: char| c.is_ascii_alphanumeric()))
}

/// The lengths of a chess problem behind its verb, each behind `word`.
pub(super) fn problem_lengths(point: &InsertionPoint<'_>, word: &str) -> Vec<Completion> {
    let lengths = [("2", "in two moves"), ("3", "in three moves"), ("4", "in four moves")];
    if has_length_behind(point) {
        return Vec::new();
    }
    let length = |(length, what)| point.item(CompletionKind::Value, &format!("{word}{length}"), what);
    lengths.into_iter().map(length).collect()
}

/// Whether the values of a property are known words, not free text.
pub(super) fn has_known_values(property: Property) -> bool {
    matches!(
        property,
        Property::Size
            | Property::Origin
            | Property::Turn
            | Property::Rules
            | Property::Unique
            | Property::Castling
            | Property::EnPassant
            | Property::Allow
    )
}

/// The values of a property.
pub(super) fn property_values(
    point: &InsertionPoint<'_>,
    property: Property,
    bound: Option<&Bound<'_>>,
) -> Vec<Completion> {
    let value = |word: &str, what: &str| point.item(CompletionKind::Value, word, what);
    match property {
        // `w` and `b` are complete.
        Property::Turn if read_colour(point.typed).is_some() => Vec::new(),
        Property::Turn => vec![value("white", "white is to move"), value("black", "black is to move")],
        Property::Origin => {
            vec![value("0", "coordinates count from 0"), value("1", "coordinates count from 1")]
        }
        Property::Unique => {
            vec![value("true", "exactly one solution"), value("false", "any number of solutions")]
        }
        Property::Rules => {
            let rules = |d: Dialect| match d {
                Dialect::Default => "pawns capture in every diagonal direction",
                Dialect::Ranger => "pawns capture upwards only",
                Dialect::Solo => "as `ranger`; no piece captures more than twice, no king is captured",
            };
            Dialect::ALL.iter().map(|&d| value(d.word(), rules(d))).collect()
        }
        Property::Size => match bound.map(|bound| bound.id) {
            Some(GameId::Chess | GameId::Draughts) => vec![value("8", "8×8")],
            _ => vec![value("3", "a side of 3"), value("4", "a side of 4"), value("5x6", "columns x rows")],
        },
        Property::Solutions => {
            vec![
                value("2", "two keys, or two solutions of a helpmate"),
                value("3", "three"),
                value("2.1.1.1", "two solutions that part with the first move"),
            ]
        }
        Property::Allow => code_docs::TABLE.iter().map(|e| value(e.code.name(), e.title)).collect(),
        // `KQ` is complete.
        Property::Castling if !point.typed.is_empty() => Vec::new(),
        Property::Castling => {
            let what = |word: &str| if word == "-" { "no castling" } else { "who may still castle" };
            castlings(bound).iter().map(|word| value(word, what(word))).collect()
        }
        Property::EnPassant => {
            let passed = "the square behind the pawn that has just moved two steps";
            let mut found: Vec<Completion> = passed_squares(bound)
                .into_iter()
                .map(|square| value(&square_name(square, false), passed))
                .collect();
            found.push(value("-", "no pawn has just moved two steps"));
            found
        }
        Property::Author
        | Property::Source
        | Property::Note
        | Property::Hint
        | Property::Condition
        | Property::HalfDuplex
        | Property::ZeroPosition
        | Property::Difficulty
        | Property::Id
        | Property::Tags => Vec::new(),
    }
}

/// What the men of a puzzle cannot have of some rights; nothing where there is no position.
fn rights_issues(bound: Option<&Bound<'_>>, rights: Rights) -> Vec<RightsIssue> {
    let position = bound.and_then(|bound| Some((bound, position_of(bound)?)));
    position.map_or_else(Vec::new, |(bound, position)| {
        bound.game.rights_issues(&Position { rights, ..position }, &[Colour::White, Colour::Black])
    })
}

/// The castling rights that the men may have: all, each, and none.
fn castlings(bound: Option<&Bound<'_>>) -> Vec<String> {
    let all = "KQkq";
    let rights = Rights { castling: Castling::parse(all).unwrap_or_default(), ..Rights::default() };
    let possible = rights_issues(bound, rights).pop().map_or_else(|| all.to_string(), |issue| issue.correct);
    let mut words: Vec<String> = possible.chars().chain(['-']).map(String::from).collect();
    words.insert(0, possible);
    words.dedup();
    words
}

/// The squares that a pawn may just have passed.
fn passed_squares(bound: Option<&Bound<'_>>) -> Vec<Square> {
    if bound.and_then(position_of).is_none() {
        return Vec::new();
    }
    let mut all: Vec<Square> = (0..16).map(|at| Square::new(at % 8, if at < 8 { 5 } else { 2 })).collect();
    all.retain(|&square| {
        rights_issues(bound, Rights { en_passant: Some(square), ..Rights::default() }).is_empty()
    });
    all
}

/// Pieces and empty squares for a list of a board, in the quote that the text uses.
pub(super) fn pieces(point: &InsertionPoint<'_>, bound: &Bound<'_>, quote: &str) -> Vec<Completion> {
    let quote = if point.typed.is_empty() { quote } else { "" };
    let format = bound.game.format();
    let mut found = Vec::new();
    if format.coloured {
        for (word, what) in [("W", "white"), ("B", "black")] {
            found.push(point.item(CompletionKind::Piece, &format!("{quote}{word}{quote}"), what));
        }
    }
    for kind in format.kinds {
        found.push(point.item(
            CompletionKind::Piece,
            &format!("{quote}{}{quote}", kind.letter()),
            kind.name(),
        ));
    }
    if !format.is_cube()
        && let Some(board) = bound.reading.as_ref().and_then(|r| r.board.as_ref())
    {
        let empty = (0..board.cells.len()).filter(|&i| board.cells[i].is_none()).map(|i| board.square(i));
        let empty = empty.filter(|s| !format.dark_only || (s.x + s.y) % 2 == 0);
        for square in empty {
            let name = format!("{quote}{}{quote}", square_name(square, false));
            found.push(Completion { rank: 2, ..point.item(CompletionKind::Square, &name, "empty square") });
        }
    }
    found
}
