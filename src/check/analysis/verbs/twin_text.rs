//! Reads what stands behind `twin`: its letter, and the changes that make it of the diagram.

use cpz_rules::board::{Board, Colour, Kind, Piece, Square, chess_square, read_colour};
use cpz_rules::games::{Change, Stipulation};
use cpz_text::diagnostic::{Code, Edit, Finding, Fix, LineEnd, Span};
use cpz_text::syntax::{
    Keyword, ProblemKind, Query, TWIN_CHANGES, TokenKind, begins_popeye_twin, behind_cont, changes_in_words,
    in_latin, is_length, is_ply_counts, letter_before, men_named, merge_latin, nearest, short_form,
    unsolved_form, written_in_latin,
};

/// A twin as it is written.
#[derive(Clone, Debug)]
pub struct TwinText<'t> {
    /// Its letter, with its place.
    pub letter: (&'t str, Span),
    /// The letter of the twin that it continues, with its place.
    pub from: Option<(&'t str, Span)>,
    /// Its changes in their order, each with its place.
    pub changes: Vec<(TwinChange, Span)>,
}

/// A change of a twin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TwinChange {
    /// Of the position.
    Position(Change),
    /// Of the side that begins.
    Turn(Colour),
    /// Of what is asked.
    Stipulation(Stipulation),
    /// To something that is known and not solved; its place has the words.
    Unsolved,
}

/// What a change may be, for messages.
const FORMS: &str = "a change is one of `a6 to b6`, `remove d4`, `add black bishop c3`, `exchange a6 h8`, `bishop b3 for d4`, \
                     `shift a1 b1`, `rotate 90`, `mirror a1 h1`, `swap colours`, `substitute bishop knight`, `turn black`, \
                     `helpmate in 3`";

/// The most characters of the letter of a twin: behind `z` Popeye and the import go on with `z1`, up to `z999`.
const MAX_LETTER: usize = 4;

/// A word of the argument, or a comma.
type Word<'t> = (&'t str, Span);

/// Reads the argument of a `twin`.
///
/// # Errors
/// What cannot be read, on its words; nothing where the argument is missing, which the parser reports.
pub fn read_twin(query: Query<'_>) -> Result<TwinText<'_>, Vec<Finding>> {
    let words = words(query);
    read_words(query, &words).map_err(|findings| match cyrillic(&words) {
        found if found.is_empty() => findings,
        found => found,
    })
}

/// Findings for the letters and squares of which a reader sees no difference from those in Latin letters.
fn cyrillic(words: &[Word<'_>]) -> Vec<Finding> {
    let is_meant = |latin: &str, at: usize| at == 0 && latin.len() == 1 || chess_square(latin).is_some();
    let found = words.iter().enumerate().filter_map(|(at, &(word, span))| {
        let (message, fix) = written_in_latin(word, span, "")?;
        is_meant(&in_latin(word)?, at).then(|| Finding::new(Code::InvalidValue, span, message).fix(fix))
    });
    merge_latin(found.collect())
}

fn read_words<'t>(query: Query<'t>, words: &[Word<'t>]) -> Result<TwinText<'t>, Vec<Finding>> {
    let Some((&head, rest)) = words.split_first() else { return Err(Vec::new()) };
    let (letter, rest) = letter(head, rest).map_err(|finding| vec![finding])?;
    let mut twin = TwinText { letter, from: None, changes: Vec::new() };
    let parts: Vec<&[Word<'_>]> = rest.split(|(text, _)| *text == ",").collect();
    for (index, part) in parts.iter().enumerate() {
        let Some((first, last)) = part.first().zip(part.last()) else {
            let place = part_place(head.1, words, parts[..index].iter().map(|part| part.len() + 1).sum());
            return Err(vec![Finding::new(
                Code::InvalidValue,
                place,
                format!("a change is missing here; {FORMS}"),
            )]);
        };
        let span = first.1.cover(last.1);
        match *part {
            [("from", _), from] if twin.from.is_none() && twin.changes.is_empty() => twin.from = Some(*from),
            [("from", _), ..] => {
                let message = "`from` names one twin, before the changes: `twin d: from c, remove a2`";
                return Err(vec![Finding::new(Code::InvalidValue, span, message)]);
            }
            _ => {
                if let &[(word, _)] = part
                    && unsolved_form(word).is_some()
                {
                    twin.changes.push((TwinChange::Unsolved, span));
                    continue;
                }
                if let Some(at) = change_behind(part) {
                    return Err(vec![without_comma(part[at], part[at - 1].1)]);
                }
                if let Some(at) = item_behind(part) {
                    return Err(vec![on_its_own_line(&part[at..], query)]);
                }
                // `from` stands before the changes.
                let before =
                    letter_before(letter.0).filter(|_| twin.from.is_none() && twin.changes.is_empty());
                let changes = changes(part).map_err(|message| vec![unread(query, before, span, message)])?;
                twin.changes.extend(changes.into_iter().map(|change| (change, span)));
            }
        }
    }
    Ok(twin)
}

/// The index of the keyword of an item that stands behind a change on its line: of `twin` in `a5 to b5 twin c: #2`.
fn item_behind(part: &[Word<'_>]) -> Option<usize> {
    let is_change = |words: &[Word<'_>]| !words.is_empty() && changes(words).is_ok();
    let is_item = |word: &str| Keyword::from_word(word).is_some() || short_form(word).is_some();
    (1..part.len()).find(|&at| is_item(part[at].0) && is_change(&part[..at]))
}

/// The index of the word with which a second change begins where no comma parts the two: of `add` in `remove a6 add white queen h1`.
/// `turn` begins a change or an item.
fn change_behind(part: &[Word<'_>]) -> Option<usize> {
    let begins = |word: &str| TWIN_CHANGES.contains(&word) && Keyword::from_word(word).is_none();
    (1..part.len()).find(|&at| begins(part[at].0) && changes(&part[..at]).is_ok())
}

/// The finding for a comma that is missing behind a word.
fn without_comma((word, span): Word<'_>, before: Span) -> Finding {
    let message = format!("write a comma before `{word}`, since commas part the changes of a twin");
    Finding::new(Code::InvalidValue, span, message).fix(Fix::new(
        "insert a comma",
        Span::at(before.end),
        ",",
        true,
    ))
}

/// The finding for an item on the line of a twin, which takes all of its line. `turn black` and `#2` may be changes of the twin
/// behind a comma that is missing.
fn on_its_own_line(rest: &[Word<'_>], query: Query<'_>) -> Finding {
    let (text, (word, span)) = (query.node().tree().text(), rest[0]);
    let is_change = changes(rest).is_ok();
    let before = &text[..span.start as usize];
    let gap = before.len() - before.trim_end_matches([' ', '\t']).len();
    let line = before.rfind(['\n', '\r']).map_or(0, |at| at + 1);
    let indent: String = before[line..].chars().take_while(|c| matches!(c, ' ' | '\t')).collect();
    let message = format!("a twin takes all of its line; write `{word}` on a line of its own");
    let place = Span::new(span.start - gap as u32, span.start);
    let end = LineEnd::at(text, span.start as usize).as_str();
    let next_line = format!("put `{word}` on the next line");
    let break_line = Fix::new(next_line, place, format!("{end}{indent}"), !is_change);
    let finding = Finding::new(Code::InvalidValue, span, message);
    match is_change {
        true => {
            let comma =
                Fix::new("insert a comma (if it is a change of the twin)", Span::at(place.start), ",", false);
            finding.fix(comma).fix(break_line)
        }
        false => finding.fix(break_line),
    }
}

/// A twin of which only the letter is written so far.
pub(super) fn begun_twin(query: Query<'_>) -> Option<TwinText<'_>> {
    let words = words(query);
    let (&head, rest) = words.split_first()?;
    let (letter, rest) = letter(head, rest).ok()?;
    rest.is_empty().then_some(TwinText { letter, from: None, changes: Vec::new() })
}

/// A twin with the changes that end with a comma before an offset.
pub(super) fn changes_before(query: Query<'_>, offset: u32) -> Option<TwinText<'_>> {
    let words = words(query);
    let (&head, rest) = words.split_first()?;
    let (letter, rest) = letter(head, rest).ok()?;
    let mut twin = TwinText { letter, from: None, changes: Vec::new() };
    let end = rest.iter().rposition(|(text, span)| *text == "," && span.end <= offset);
    for part in rest[..end.unwrap_or_default()].split(|(text, _)| *text == ",") {
        match *part {
            [] => {}
            [("from", _), from] => twin.from = Some(from),
            [first, ..] => {
                twin.changes.extend(changes(part).ok()?.into_iter().map(|change| (change, first.1)))
            }
        }
    }
    Some(twin)
}

/// The finding for a change that cannot be read, with a fix where other programs and composers write it so. `before` is the letter
/// of the twin from which this one may go on.
fn unread(query: Query<'_>, before: Option<char>, span: Span, message: String) -> Finding {
    let text = &query.node().tree().text()[span.range()];
    let in_words = |text: &str| changes_in_words(text).map(|changes| changes.join(", "));
    let words = match behind_cont(text) {
        Some(rest) => before.zip(in_words(rest)).map(|(before, changes)| format!("from {before}, {changes}")),
        None => in_words(text),
    };
    // `remove` alone names no square.
    match words.filter(|words| words != text && !words.ends_with(' ')) {
        Some(words) => Finding::new(Code::InvalidValue, span, format!("write this change as `{words}`"))
            .fix(Fix::new(format!("replace with `{words}`"), span, words, true)),
        None => {
            let meant = meant_move(text).map_or_else(|| meant_changes(text), |meant| vec![meant]);
            let message = match &meant[..] {
                [] => message,
                [one] => format!("cannot read this change; did you mean `{one}`?"),
                [one, ..] => {
                    let all: Vec<String> = meant.iter().map(|one| format!("`{one}`")).collect();
                    let all = all.join(" or ");
                    match one.starts_with("add") {
                        true => format!("a man that is added has a colour: {all}"),
                        false => format!("cannot read this change; did you mean {all}?"),
                    }
                }
            };
            let fix = |meant: &String| Fix {
                title: format!("replace with `{meant}`"),
                edits: word_edits(text, span, meant),
                safe: false,
            };
            let fixes = meant.iter().map(fix).collect();
            Finding { fixes, ..Finding::new(Code::InvalidValue, span, message) }
        }
    }
}

/// The edits that make one text of another: of the words that differ, where both have as many.
fn word_edits(text: &str, span: Span, meant: &str) -> Vec<Edit> {
    let (old, new): (Vec<&str>, Vec<&str>) =
        (text.split_whitespace().collect(), meant.split_whitespace().collect());
    if old.len() != new.len() {
        return vec![Edit { span, text: meant.into() }];
    }
    let edit = |(old, new): (&str, &str)| {
        let start = span.start + (old.as_ptr() as usize - text.as_ptr() as usize) as u32;
        Edit { span: Span::new(start, start + old.len() as u32), text: new.into() }
    };
    old.into_iter().zip(new).filter(|(old, new)| old != new).map(edit).collect()
}

/// The changes that are meant where a word is misspelt or another one, `swap e3 b5`, where semicolons part them, or where the
/// colour is missing, which may be either.
fn meant_changes(text: &str) -> Vec<String> {
    let reads = |text: &str| {
        let words: Vec<Word<'_>> = text.split_whitespace().map(|word| (word, Span::at(0))).collect();
        !words.is_empty() && changes(&words).is_ok()
    };
    let parted = text.replace(';', ",");
    if text.contains(';') && parted.split(',').all(reads) {
        return vec![parted];
    }
    if let [from, to] = text.split_whitespace().collect::<Vec<_>>()[..] {
        let both = [format!("{from} to {to}"), format!("exchange {from} {to}")];
        if both.iter().all(|meant| reads(meant)) {
            return both.into();
        }
    }
    let known = TWIN_CHANGES.into_iter().chain(["colours", "white", "black"]);
    let known: Vec<&str> = known.chain(Kind::ALL.map(Kind::name)).collect();
    let spelt = |(index, word): (usize, &'_ str)| match word {
        "swap" | "switch" if index == 0 && !text.contains('c') => "exchange".to_string(),
        "delete" | "without" | "minus" if index == 0 => "remove".to_string(),
        "plus" | "put" | "place" if index == 0 => "add".to_string(),
        _ if chess_square(word).is_some() => word.to_string(),
        _ => nearest(word, known.iter().copied()).map_or(word, |near| known[near]).to_string(),
    };
    // Words of a sentence that a change has not: `substitute bishop with knight`.
    let is_filler = |word: &str| ["a", "an", "and", "at", "by", "on", "the", "to", "with"].contains(&word);
    let spell = |is_needed: &dyn Fn(&str) -> bool| -> Vec<String> {
        text.split_whitespace().enumerate().filter(|(_, word)| is_needed(word)).map(spelt).collect()
    };
    let words = spell(&|_| true);
    let (meant, brief) = (words.join(" "), spell(&|word| !is_filler(word)).join(" "));
    match words.first().map(String::as_str) {
        _ if reads(&meant) => vec![meant],
        // `remove b3 to b4` would take two men away.
        Some(first) if first != "remove" && reads(&brief) => vec![brief],
        Some("add") => {
            let colours = [Colour::White, Colour::Black].map(|colour| format!("add {}", colour.name()));
            let both = colours.map(|head| brief.replacen("add", &head, 1));
            both.into_iter().filter(|meant| reads(meant)).collect()
        }
        _ => Vec::new(),
    }
}

/// The move of a man that is meant by `e3 too f2`, `move e3 to f2`, `the bishop from e3 to f2` or `e3f2`, or the removal of one by
/// `remove the knight on f6`.
fn meant_move(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    // `for` puts a man in the place of another one.
    let is_to = |word: &str| word.len() <= 3 && word.contains('t') && word != "the" && word != "at";
    if let [word @ ("remove" | "delete" | "without" | "minus"), ref man @ .., square] = words[..] {
        let is_removal = word != "remove" || !man.is_empty();
        return (is_removal && says_who(man) && chess_square(square).is_some())
            .then(|| format!("remove {square}"));
    }
    let (from, to) = match words[..] {
        [both] => both.split_at_checked(2)?,
        [ref man @ .., from, between, to]
            if is_to(between) && says_who(man.strip_prefix(&["move"][..]).unwrap_or(man)) =>
        {
            (from, to)
        }
        _ => return None,
    };
    (chess_square(from).is_some() && chess_square(to).is_some()).then(|| format!("{from} to {to}"))
}

/// Whether words only say which man stands on the square behind them: `the white knight on`. The square alone is enough.
fn says_who(words: &[&str]) -> bool {
    let says = |word: &&str| {
        ["a", "at", "black", "from", "man", "on", "piece", "the", "white"].contains(word)
            || Kind::ALL.iter().any(|kind| kind.name() == *word)
    };
    words.iter().all(says)
}

/// Findings for men that a twin as composers write it names where others stand on the diagram: the twin or the diagram is wrong, and
/// the twin in the words of this language would not show it. `place` is where the text is.
pub(crate) fn wrong_men(text: &str, place: Span, board: &Board) -> Vec<Finding> {
    let named = men_named(text).into_iter().filter_map(|(start, colour, letter, square)| {
        let kind = if letter == 'S' { Kind::Knight } else { Kind::from_letter(letter)? };
        let stands = board.at(chess_square(square)?)?;
        let is_colour = colour.is_none_or(|colour| (colour == 'w') == (stands.colour == Colour::White));
        if stands.kind == kind && is_colour {
            return None;
        }
        let colour = colour.map_or("", |colour| if colour == 'w' { "white " } else { "black " });
        let (stands, kind) = (format!("{} {}", stands.colour.name(), stands.kind.name()), kind.name());
        let message = format!("a {stands} stands on {square}, not a {colour}{kind}; is the diagram right?");
        let start = place.start + start as u32;
        let length = u32::from(!colour.is_empty()) + 3;
        Some(Finding::new(Code::InvalidValue, Span::new(start, start + length), message))
    });
    named.collect()
}

/// The place of a part that is missing: the word before it.
fn part_place(head: Span, words: &[Word<'_>], at: usize) -> Span {
    words.get(at).map_or(head, |word| word.1)
}

fn words(query: Query<'_>) -> Vec<Word<'_>> {
    let tokens = query.argument_tokens().filter(|token| !token.kind().is_trivia());
    let mut words = Vec::new();
    for token in tokens {
        let (text, span) = (token.text(), token.span());
        match text.strip_suffix(':').filter(|text| !text.is_empty() && token.kind() == TokenKind::Word) {
            Some(letter) => words.push((letter, Span::new(span.start, span.end - 1))),
            None => words.push((text, span)),
        }
    }
    words
}

/// The letter, and the words behind it and its colon.
fn letter<'w, 't>(head: Word<'t>, rest: &'w [Word<'t>]) -> Result<(Word<'t>, &'w [Word<'t>]), Finding> {
    let is_letter = (1..=MAX_LETTER).contains(&head.0.len())
        && head.0.bytes().all(|b| b.is_ascii_alphanumeric())
        && !begins_popeye_twin(head.0);
    if !is_letter {
        let message = "a twin has a letter and a colon, as in `twin b: a6 to b6`";
        let finding = Finding::new(Code::InvalidValue, head.1, message);
        // `b;` and `b.` are a slip of one key.
        return Err(match head.0.strip_suffix([';', '.']) {
            Some(letter) if letter.len() == 1 && letter.as_bytes()[0].is_ascii_alphabetic() => {
                finding.fix(Fix::new(format!("replace with `{letter}:`"), head.1, format!("{letter}:"), true))
            }
            _ => finding,
        });
    }
    match rest {
        [(":" | ")", _), rest @ ..] => Ok((head, rest)),
        rest => Ok((head, rest)),
    }
}

fn square((text, _): &Word<'_>) -> Result<Square, String> {
    chess_square(text).ok_or_else(|| format!("`{text}` is no square"))
}

fn kind((text, _): &Word<'_>) -> Result<Kind, String> {
    let named = Kind::ALL.into_iter().find(|kind| *kind != Kind::Man && kind.name() == *text);
    let letter = || {
        let mut letters = text.chars();
        match (letters.next(), letters.next()) {
            (Some('S'), None) => Some(Kind::Knight),
            (Some(letter), None) if letter.is_ascii_uppercase() => {
                Kind::from_letter(letter).filter(|kind| *kind != Kind::Man)
            }
            _ => None,
        }
    };
    named
        .or_else(letter)
        .ok_or_else(|| format!("`{text}` is no piece; write king, queen, rook, bishop, knight or pawn"))
}

/// Reads one change, which may be several: `remove a2 b3`.
fn changes(words: &[Word<'_>]) -> Result<Vec<TwinChange>, String> {
    let position = |change: Change| Ok(vec![TwinChange::Position(change)]);
    match words {
        [from, ("to", _), to] => position(Change::Move(square(from)?, square(to)?)),
        [("remove", _), squares @ ..] if !squares.is_empty() => {
            squares.iter().map(|s| Ok(TwinChange::Position(Change::Remove(square(s)?)))).collect()
        }
        [("add", _), colour, man, at] => {
            let colour = read_colour(colour.0)
                .ok_or_else(|| format!("`{}` is no colour; write white or black", colour.0))?;
            position(Change::Add(Piece::new(colour, kind(man)?), square(at)?))
        }
        [("exchange", _), a, b] => position(Change::Exchange(square(a)?, square(b)?)),
        [man, to, ("for", _), from] => position(Change::Instead(kind(man)?, square(to)?, square(from)?)),
        [("shift", _), from, to] => position(Change::Shift(square(from)?, square(to)?)),
        [("rotate", _), (angle @ ("90" | "180" | "270"), _)] => {
            position(Change::Rotate(angle.parse().unwrap_or(180)))
        }
        [("rotate", _), ..] => Err("the board is rotated by 90, 180 or 270 degrees: `rotate 90`".into()),
        [("mirror", _), a, b] => {
            let (a, b) = (square(a)?, square(b)?);
            match Change::is_mirror(a, b) {
                true => position(Change::Mirror(a, b)),
                false => {
                    Err("a mirror is named by two corners: `mirror a1 h1`, `a1 a8`, `a1 h8` or `a8 h1`"
                        .into())
                }
            }
        }
        [("swap", _), ("colours" | "colors", _)] => position(Change::SwapColours),
        [("substitute", _), from, to] => position(Change::Substitute(kind(from)?, kind(to)?)),
        [("turn", _), colour] => {
            let turn = read_colour(colour.0)
                .ok_or_else(|| format!("`{}` is no colour; write white or black", colour.0))?;
            Ok(vec![TwinChange::Turn(turn)])
        }
        _ => match stipulation(words) {
            Some(stipulation) => Ok(vec![TwinChange::Stipulation(stipulation?)]),
            None => Err(unknown(words)),
        },
    }
}

/// Reads `helpmate in 3`, `h#3`, `hze5 3`, with the numbers of continuations behind it or without: `h#3 2.1.1.1.1.1`; nothing
/// where the words are none.
fn stipulation(words: &[Word<'_>]) -> Option<Result<Stipulation, String>> {
    if let [asked @ .., (counts, _)] = words
        && is_ply_counts(counts)
        && let Some(Ok(asked)) = stipulation(asked)
    {
        return Some(Ok(asked));
    }
    let too_long = || {
        Err(format!(
            "a problem has 1 to {} moves, and only help play may have half a move",
            Stipulation::MAX_MOVES
        ))
    };
    match words {
        [(word, _)] if short_form(word).is_some() => {
            Some(Stipulation::from_short(word).map_or_else(too_long, Ok))
        }
        [(word, _), (rest, _)] if short_form(word).is_some() => {
            let joined = [
                format!("{word}{rest}"),
                format!("{}{rest}{}", &word[..word.len() - 1], &word[word.len() - 1..]),
            ];
            Some(joined.iter().find_map(|text| Stipulation::from_short(text)).map_or_else(too_long, Ok))
        }
        [(word, _), ("in", _), (length, _)] if is_length(length) => {
            let kind = ProblemKind::from_word(word)?;
            Some(Stipulation::from_short(&format!("{}{length}", kind.short())).map_or_else(too_long, Ok))
        }
        _ => None,
    }
}

fn unknown(words: &[Word<'_>]) -> String {
    let first = words[0].0;
    if TWIN_CHANGES.contains(&first)
        && let Some(form) = FORMS.split('`').find(|form| form.starts_with(first))
    {
        return format!("write this change as in `{form}`");
    }
    match nearest(first, TWIN_CHANGES.iter().copied()) {
        Some(index) => format!("unknown change `{first}`; did you mean `{}`?", TWIN_CHANGES[index]),
        None => FORMS.to_string(),
    }
}
