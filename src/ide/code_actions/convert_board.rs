//! Converting boards in place from one format into another.

use crate::code_actions::{ROUND_TRIP_FAILED, has_syntax_errors, require_readable};
use cpz_check::analysis::{
    Bound, Defaults, bind_all, bind_one, bound_at, names_other_side, position_of, problem_of,
};
use cpz_rules::board::{Board, Notation, Style, Target, square_name, write};
use cpz_text::diagnostic::{Edit, LineEnd, LineIndex, Span};
use cpz_text::syntax::{Property, PropertyNode, TokenKind, Tree, Verb, set_apart};

/// The result of a conversion.
pub struct BoardConversion {
    /// The edits, in order.
    pub edits: Vec<Edit>,
    /// The heads of puzzles whose boards are not converted, and why, for the user.
    pub skipped: Vec<(Span, String)>,
    /// Whether one of them has a property that must be corrected first.
    pub has_unreadable_property: bool,
}

/// The properties that a board and the side to move may depend on.
const DECISIVE: [Property; 5] =
    [Property::Size, Property::Origin, Property::Turn, Property::Castling, Property::EnPassant];

/// Converts the boards of a text; `base` holds the configured defaults. A board that would not parse back to the same
/// position is skipped.
pub fn convert(tree: &Tree, base: Defaults, target: Target) -> BoardConversion {
    let mut converted =
        BoardConversion { edits: Vec::new(), skipped: Vec::new(), has_unreadable_property: false };
    let end = LineEnd::of(tree.text()).as_str();
    let index = LineIndex::new(tree.text());
    let noted_from = first_note(tree);
    for (bound, defaults) in bind_all(tree, base) {
        if has_syntax_errors(tree, bound.puzzle) {
            converted.skipped.push((bound.puzzle.head(), "it has syntax errors".into()));
            continue;
        }
        if let Err(why) = require_readable(&bound, defaults, &DECISIVE) {
            converted.skipped.push((bound.puzzle.head(), why));
            converted.has_unreadable_property = true;
            continue;
        }
        match convert_one(&bound, defaults, noted_from, target, end, &index) {
            Ok(edits) => converted.edits.extend(edits),
            Err(why) => converted.skipped.push((bound.puzzle.head(), why)),
        }
    }
    converted
}

/// Converts the board of the puzzle at an offset. No edits if it has the format already.
///
/// # Errors
/// Why the board cannot be converted, for the user.
pub fn convert_at(tree: &Tree, base: Defaults, offset: u32, target: Target) -> Result<Vec<Edit>, String> {
    let Some((bound, defaults)) = bound_at(tree, base, offset) else {
        return Err("there is no puzzle here".into());
    };
    if has_syntax_errors(tree, bound.puzzle) {
        return Err("it has syntax errors".into());
    }
    require_readable(&bound, defaults, &DECISIVE)?;
    let end = LineEnd::of(tree.text()).as_str();
    convert_one(&bound, defaults, first_note(tree), target, end, &LineIndex::new(tree.text()))
}

/// Where the first note stands that is a default of a file.
fn first_note(tree: &Tree) -> Option<u32> {
    let mut properties = tree.root().children().filter_map(PropertyNode::cast);
    properties.find(|property| property.name() == Some(Property::Note)).map(|note| note.node().span().start)
}

/// The edits of one puzzle. Notes of the file begin at `noted_from`.
fn convert_one(
    bound: &Bound<'_>,
    defaults: Defaults,
    noted_from: Option<u32>,
    target: Target,
    end: &str,
    index: &LineIndex,
) -> Result<Vec<Edit>, String> {
    let format = bound.game.format();
    let good = bound.reading.as_ref().filter(|r| r.is_good()).and_then(|r| r.board.as_ref());
    let node = bound.puzzle.boards().next();
    let (Some(board), Some(node)) = (good, node) else { return Err("its board cannot be read".into()) };
    let noted = bound.reading.as_ref().is_some_and(|r| r.is_notation);
    if target == Target::Fen && noted {
        return Ok(Vec::new());
    }
    let Some(content) = node.content() else { return Err("its board cannot be read".into()) };
    let source = bound.puzzle.node().tree().text();
    let spread = bound.puzzle.node().text().contains(['\n', '\r']);
    let (line_start, column) = line_of(source, index, node.span().start);
    let line = format!("{end}{}", " ".repeat(column + 2));
    let empty = bound.settings.empty;
    let style = Style { origin: bound.origin, turn: bound.turn, line, spread, empty };
    let Some(mut text) = write(board, format, target, &style) else {
        return Err(format!(
            "{} has no {}",
            format.game,
            if target == Target::Fen { "FEN" } else { target.name() }
        ));
    };

    if target == Target::Fen && format.notation == Notation::Fen && !has_side(bound) {
        text.truncate(text.find(' ').unwrap_or(text.len()));
    }
    if target == Target::Fen {
        // The fields of a FEN take precedence over a default.
        text = text.replace(" - - ", &format!(" {} ", fen_fields(bound)));
    }
    // Nothing said and `-` are not the same to a chess problem, which has the rights that its men allow if nothing is said.
    let forms = match (target, format.notation) {
        (Target::Fen, Notation::Fen) => {
            // A side to move that a default of the file gives need not be in the FEN.
            let first_fields = |n: usize| text.split(' ').take(n).collect::<Vec<_>>().join(" ");
            let (silent, placement) = (first_fields(2), first_fields(1));
            vec![(text, false), (silent, false), (placement, false)]
        }
        _ => vec![(text.clone(), false), (text, true)],
    };
    let found = forms.into_iter().find_map(|(text, is_full)| {
        let rights = rights_properties(bound, defaults, is_full);
        let mut added = added_properties(bound, defaults, board, &text, &rights)?;
        added.extend(rights);
        Some((text, added))
    });
    let Some((text, added)) = found else { return Err(ROUND_TRIP_FAILED.into()) };

    // Move comments among the cells above the board, so that none is lost.
    let comments: Vec<&str> =
        node.node().tokens().filter(|t| t.kind() == TokenKind::Comment).map(|t| t.text()).collect();
    // A board of this format would only lose which of its rows they are about.
    let written = node.node().tokens().skip(1).filter(|t| !t.kind().is_trivia());
    let plain = |text: &str| text.split_whitespace().collect::<String>();
    if !comments.is_empty() && plain(&written.map(|t| t.text()).collect::<String>()) == plain(&text) {
        return Ok(Vec::new());
    }
    let indent = " ".repeat(column);
    let mut above = String::new();
    for comment in &comments {
        above.push_str(&format!("{comment}{end}{indent}"));
    }
    let gap = if line_start && spread { format!("{end}{indent}") } else { " ".into() };
    // Keep the counters of a FEN in a note, or in a property of its own where a note would replace that of the file.
    let takes_note = bound.puzzle.has_property(Property::Note)
        || noted_from.is_none_or(|start| start > bound.puzzle.head().start);
    let rest = bound.reading.as_ref().and_then(|r| r.fen_rest.as_ref()).map(|rest| match takes_note {
        true => format!("note \"FEN {rest}\""),
        false => format!("x-fen \"{rest}\""),
    });
    for property in rest.iter().map(String::as_str).chain(added.iter().map(String::as_str)) {
        above.push_str(&format!("{property}{gap}"));
    }
    // Replace everything from the keyword on, with the white space and comments in between.
    let lead = if text.starts_with(['\n', '\r']) { "" } else { " " };
    let replaced = Span::new(node.span().start, content.end);
    let whole = set_apart(source, content.end, format!("{above}board{lead}{text}"));
    if whole == source[replaced.range()] {
        return Ok(Vec::new());
    }
    Ok(vec![Edit { span: replaced, text: whole }])
}

/// Whether a FEN may tell the side to move. It must not invent one for a puzzle that asks for moves of both: the side
/// that is not to move may be in check, which is a finding only if it is known; nor for one that is not solved.
fn has_side(bound: &Bound<'_>) -> bool {
    bound.settings.turn.is_some() || !names_other_side(bound) && !is_unsolved(bound)
}

/// Whether a puzzle asks what is known and not solved, such as `h##2`: who begins and who may castle where nothing is said is
/// up to the solver of another program.
fn is_unsolved(bound: &Bound<'_>) -> bool {
    bound.puzzle.queries().any(|query| query.verb() == Some(Verb::Unsolved))
}

/// The castling rights and the en passant square as fields of a FEN: of those of a default what the men allow.
fn fen_fields(bound: &Bound<'_>) -> String {
    let (own, rights) = (bound.rights, bound.settings.rights);
    let position = (rights != own).then(|| position_of(bound)).flatten();
    let issues = position.map(|position| bound.game.rights_issues(&position, &[bound.turn]));
    let allowed = |is_own: bool, en_passant: bool| {
        let mut issues = issues.iter().flatten().filter(|_| !is_own);
        issues.find(|issue| issue.en_passant == en_passant).map(|issue| issue.correct.clone())
    };
    let castling = rights.castling.filter(|(c, _)| !c.names_other_file());
    let castling = castling
        .map(|(castling, _)| allowed(own.castling.is_some(), false).unwrap_or_else(|| castling.to_string()));
    let en_passant = rights.en_passant.and_then(|(square, _)| square);
    let en_passant = en_passant
        .map(|square| allowed(own.en_passant.is_some(), true).unwrap_or_else(|| square_name(square, false)));
    let none = || "-".to_string();
    format!("{} {}", castling.unwrap_or_else(none), en_passant.unwrap_or_else(none))
}

/// The properties that keep the rights of a FEN which the new format does not have. A field that says that there are none
/// is one if a default says something else, or if `is_full`.
fn rights_properties(bound: &Bound<'_>, defaults: Defaults, is_full: bool) -> Vec<String> {
    let Some(reading) = bound.reading.as_ref().filter(|r| r.is_notation) else { return Vec::new() };
    let source = bound.puzzle.node().tree().text();
    let is_own = |name| bound.puzzle.properties().any(|p| p.name() == Some(name));
    let property = |name: Property, span: Option<Span>, has_default: bool| {
        let field = span.map(|span| &source[span.range()]).filter(|field| *field != "-" || has_default)?;
        (!is_own(name)).then(|| format!("{} {field}", name.word()))
    };
    let (written, default) = (reading.rights, defaults.rights);
    let castling =
        property(Property::Castling, written.castling.map(|c| c.1), is_full || default.castling.is_some());
    let square = written.en_passant.map(|e| e.1);
    let en_passant = property(Property::EnPassant, square, default.en_passant.is_some());
    castling.into_iter().chain(en_passant).collect()
}

/// The fewest properties that record what the new format does not; `None` if no properties suffice.
fn added_properties(
    bound: &Bound<'_>,
    defaults: Defaults,
    board: &Board,
    text: &str,
    rights: &[String],
) -> Option<Vec<String>> {
    let has_size = bound.settings.size.filter(|s| s.own).is_some();
    let size = match (board.size.w, board.size.h) {
        (w, h) if w == h => format!("size {w}"),
        (w, h) => format!("size {w}x{h}"),
    };
    let turn = format!("turn {}", bound.turn.name());
    let mut candidates: Vec<Vec<String>> = vec![vec![]];
    if !has_size {
        candidates.push(vec![size.clone()]);
    }
    if !bound.turn_is_own {
        candidates.push(vec![turn.clone()]);
        candidates.push(vec![turn, size]);
    }
    let is_enough = |properties: &Vec<String>| {
        parses_back(bound, defaults, &[properties.as_slice(), rights].concat(), text, board)
    };
    candidates.into_iter().find(is_enough)
}

/// Whether only white space precedes an offset on its line, and the indentation of the line.
fn line_of(text: &str, index: &LineIndex, offset: u32) -> (bool, usize) {
    let start = index.span(index.line(offset)).start as usize;
    let rest = &text[start..];
    let indent = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    (start + indent == offset as usize, indent)
}

/// Whether a board written as `text`, with the properties `add`, parses back to the same board and side to move.
fn parses_back(bound: &Bound<'_>, defaults: Defaults, add: &[String], text: &str, board: &Board) -> bool {
    let mut source = format!("{} {{ ", bound.game.format().game);
    let decides = |name: Property| DECISIVE.contains(&name) || name == Property::HalfDuplex;
    let own = bound.puzzle.properties().filter(|p| p.name().is_some_and(decides));
    for property in own {
        source.push_str(property.node().text());
        source.push(' ');
    }
    for property in add {
        source.push_str(property);
        source.push(' ');
    }
    source.push_str(&format!("board {text}"));
    // The rights of a chess problem depend on what is asked.
    let written = bound.puzzle.node().tree().text();
    let mut asked = Vec::new();
    for query in bound.puzzle.queries() {
        if let Some(problem) = problem_of(bound, query) {
            asked.push(Some(problem));
            source.push_str(&format!("\n{}", &written[query.asked().range()]));
        }
    }
    source.push_str("\n}");
    let tree = cpz_text::syntax::parse(source);
    let Some(puzzle) = tree.puzzles().next() else { return false };
    let same = |b: Bound<'_>| {
        let read = b.reading.as_ref().filter(|r| r.is_good()).and_then(|r| r.board.as_ref());
        let says_as_much = b.turn_is_explicit == bound.turn_is_explicit || !names_other_side(bound);
        let same_side = b.turn == bound.turn && says_as_much;
        // Of the rights of a default, those count that the men allow.
        let by_default = bound.rights != bound.settings.rights;
        let rights = |b: &Bound<'_>| {
            position_of(b).map(|p| if by_default { b.game.effective_rights(&p) } else { p.rights })
        };
        let stated = |b: &Bound<'_>| (b.settings.turn, b.settings.rights.castling.map(|c| c.0));
        read == Some(board)
            && (!is_unsolved(bound) || stated(&b) == stated(bound))
            && rights(&b) == rights(bound)
            && (same_side || !bound.game.format().coloured)
            && b.puzzle.queries().map(|query| problem_of(&b, query)).eq(asked)
    };
    tree.errors().is_empty() && bind_one(puzzle, defaults).is_some_and(same)
}
