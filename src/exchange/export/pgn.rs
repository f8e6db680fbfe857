//! PGN: a game for each chess puzzle, from its position on.

use crate::export::losses::{Losses, Part};
use crate::export::movetext::{lines_of, push_comment};
use crate::export::query::written_texts;
use crate::export::solution::solved;
use crate::export::source::ExportPuzzle;
use crate::game_tags::OwnTags;
use cpz_rules::board::Colour;
use cpz_text::syntax::{GameId, Property, Verb};

/// The parts that a game holds.
pub(super) const KEPT: [Part; 8] = [
    Part::Name,
    Part::Id,
    Part::Author,
    Part::Source,
    Part::Note,
    Part::Difficulty,
    Part::Custom,
    Part::Allow,
];

/// The results of games of chess.
const RESULTS: [&str; 3] = ["1-0", "0-1", "1/2-1/2"];

/// Adds the tags of games that hold the parts of a puzzle by themselves: title, author, id, difficulty, custom properties.
pub(super) fn push_own_tags(out: &mut String, puzzle: &ExportPuzzle<'_>, own: &OwnTags<'_>) {
    let texts = |name| Some(puzzle.properties.texts(name).join("; ")).filter(|text| !text.is_empty());
    let parts = [
        ("Title", puzzle.name().map(String::from)),
        ("Author", texts(Property::Author)),
        ("Id", puzzle.id().map(String::from)),
        ("Difficulty", texts(Property::Difficulty)),
    ];
    let parts = parts.iter().filter_map(|(name, value)| Some((*name, value.as_deref()?)));
    let custom = own.others.iter().map(|(name, value)| (name.as_str(), *value));
    parts.chain(custom).for_each(|(name, value)| out.push_str(&format!("[{name} \"{}\"]\n", escaped(value))));
}

/// A game with its tags. Lists of games show `White` and `Black` first, so the author is White, as in collections of
/// studies, and the question is Black. Title, author, id and question have tags of their own too, so that a reader need not
/// guess: a dash says that nothing is asked that a title or a note may seem to ask.
pub(super) fn game(puzzle: &ExportPuzzle<'_>, losses: &mut Losses) -> Option<String> {
    if puzzle.game() != Some(GameId::Chess) {
        losses.leave_out("PGN is for chess");
        return None;
    }
    let Some(fen) = puzzle.fen() else {
        losses.leave_out("the board cannot be read");
        return None;
    };
    losses.all_but(puzzle, &KEPT);
    losses.parted(puzzle, &[Property::Source, Property::Author]);
    let solved = solved(puzzle, true, losses);
    let stipulation = solved.as_ref().and_then(|s| s.stipulation);
    let verb = solved.as_ref().and_then(|s| s.query.query.verb());
    let study = verb.filter(|verb| matches!(verb, Verb::Win | Verb::Draw)).map(Verb::word);
    let asked = stipulation.map(|s| s.in_words());
    let asked = asked.or(study.map(String::from));
    if let Some(query) = solved.as_ref().filter(|s| s.tree.is_none() && asked.is_none()).map(|s| s.query) {
        losses.question(query.query.verb());
    }
    // An answer that is no moves of a game is kept as a comment.
    let other = solved.as_ref().filter(|s| s.tree.is_none()).map_or(Vec::new(), |s| written_texts(s.query));
    if !other.is_empty() {
        losses.note("with the written answer as a comment");
    }
    let tree = solved.and_then(|s| s.tree);
    if tree.as_ref().is_some_and(|tree| tree.leaves_out) {
        losses.note("without what is no move in its written answer, such as threats, set play and `~`");
    }
    let custom = puzzle.properties.custom();
    let own = OwnTags::of(&custom);
    let winner = tree.as_ref().and_then(|tree| tree.winner());
    let result = match (winner, own.result) {
        (Some(Colour::White), _) => "1-0",
        (Some(Colour::Black), _) => "0-1",
        // That of a problem would be taken for what it asks.
        (None, Some(stated)) if asked.is_none() && RESULTS.contains(&stated) => stated,
        (None, _) => "*",
    };
    // What the moves say, or the question, is no property of its own.
    let is_said = asked.is_some() || winner.is_some();
    if own.is_cut || own.result.is_some_and(|stated| stated != result || is_said) {
        losses.lost(puzzle, &[Part::Custom]);
    }
    let texts = |name| Some(puzzle.properties.texts(name).join("; ")).filter(|text| !text.is_empty());
    let or_unknown = |text: Option<String>| text.unwrap_or_else(|| "?".into());
    let mut out = String::new();
    let mut tag = |name: &str, value: &str| out.push_str(&format!("[{name} \"{}\"]\n", escaped(value)));
    tag("Event", puzzle.title().unwrap_or("?"));
    tag("Site", &or_unknown(texts(Property::Source)));
    tag("Date", "????.??.??");
    tag("Round", own.round.unwrap_or("-"));
    tag("White", &or_unknown(texts(Property::Author)));
    tag("Black", &or_unknown(asked));
    tag("Result", result);
    tag("SetUp", "1");
    tag("FEN", &fen);
    let short = stipulation.map(|asked| asked.short()).or(study.map(String::from));
    tag("Stipulation", short.as_deref().unwrap_or("-"));
    push_own_tags(&mut out, puzzle, &own);
    let number = fen.rsplit(' ').next().and_then(|n| n.parse().ok()).unwrap_or(1);
    let mut words = Vec::new();
    let notes = puzzle.properties.texts(Property::Note);
    losses.braces_in_notes(&notes);
    match tree {
        Some(mut tree) => {
            notes.iter().for_each(|note| tree.comment(note));
            words.extend(tree.words(number));
        }
        None => {
            let texts = notes.iter().map(String::as_str).chain(other);
            texts.for_each(|text| push_comment(&mut words, text));
        }
    }
    words.push(result.to_string());
    Some(format!("{out}\n{}\n", lines_of(&words)))
}

/// A text between the quotes of a tag.
pub(super) fn escaped(text: &str) -> String {
    let plain = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    plain.collect::<String>().replace('\\', "\\\\").replace('"', "\\\"")
}
