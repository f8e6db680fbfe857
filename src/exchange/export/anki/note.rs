//! A puzzle as a note: the fields of its card.

use crate::export::losses::{CORRECTED, Losses, Part};
use crate::export::markdown::conditions;
use crate::export::query::ExportQuery;
use crate::export::solution::{answer_text, movetext};
use crate::export::source::ExportPuzzle;
use cpz_check::analysis::Bound;
use cpz_rules::board::Colour;
use cpz_text::diagnostic::Code;
use cpz_text::syntax::{Property, Verb};

/// The parts of a puzzle that a note holds.
const KEPT: [Part; 13] = [
    Part::Name,
    Part::Id,
    Part::Author,
    Part::Source,
    Part::Note,
    Part::Hint,
    Part::Difficulty,
    Part::Tags,
    Part::Description,
    Part::Remarks,
    Part::Dialect,
    Part::Condition,
    Part::ZeroPosition,
];

/// A board as a picture.
pub struct BoardPicture {
    /// An SVG.
    pub svg: String,
    /// The board in words, for who does not see it.
    pub words: String,
}

/// What draws the board of a puzzle; nothing where it cannot be read.
pub type DrawBoard = fn(&Bound<'_>) -> Option<BoardPicture>;

/// The names of the fields, in order. Anki sorts notes by the first.
pub(super) const FIELDS: [&str; 6] = ["Title", "Board", "Question", "Hints", "Solution", "About"];

/// A note. The fields are HTML.
pub(super) struct Note {
    /// What Anki knows it by when it is imported again; the same for puzzles with the same position and questions.
    pub guid: String,
    /// The title as plain text.
    pub title: String,
    pub fields: [String; FIELDS.len()],
    pub tags: Vec<String>,
    /// The name of its deck.
    pub deck: String,
    /// The name of the file of its picture, and the picture.
    pub picture: (String, String),
}

impl Note {
    /// The note of a puzzle; nothing where it makes no card.
    pub fn of(puzzle: &ExportPuzzle<'_>, draw: DrawBoard, losses: &mut Losses) -> Option<Note> {
        let drawn = puzzle.board().and(puzzle.bound.as_ref()).and_then(draw);
        let Some(picture) = drawn else {
            losses.leave_out("the board cannot be read");
            return None;
        };
        if puzzle.queries.is_empty() {
            losses.leave_out("a card needs a question");
            return None;
        }
        let is_unsolvable =
            |query: &ExportQuery<'_>| query.findings.iter().any(|f| f.code == Code::Unsolvable);
        if puzzle.queries.iter().any(is_unsolvable) {
            losses.leave_out("there is no solution, and no card teaches one; `cpz check` says more");
            return None;
        }
        losses.all_but(puzzle, &KEPT);
        let file = format!("cpz-{:016x}.svg", hash(&picture.svg));
        let title = title(puzzle);
        let fields = [
            escaped(&title),
            format!("<img src=\"{file}\" alt=\"{}\">", escaped(&picture.words)),
            paragraphs(&questions(puzzle)),
            paragraphs(&puzzle.properties.texts(Property::Hint)),
            paragraphs(&solutions(puzzle, losses)),
            paragraphs(&about(puzzle)),
        ];
        let tags = puzzle.properties.texts(Property::Tags);
        Some(Note {
            guid: guid(puzzle),
            title,
            fields,
            tags: tags.iter().map(|tag| tag.split_whitespace().collect::<Vec<_>>().join("_")).collect(),
            deck: deck(puzzle.source.path),
            picture: (file, picture.svg),
        })
    }
}

/// The name or the id; the game where it has neither.
fn title(puzzle: &ExportPuzzle<'_>) -> String {
    let line = puzzle.source.index.line(puzzle.puzzle.span().start) + 1;
    puzzle.title().map_or_else(|| format!("{} (line {line})", puzzle.game_word()), String::from)
}

/// Who is to move, and what is asked. A `move` has a side of its own.
fn questions(puzzle: &ExportPuzzle<'_>) -> Vec<String> {
    let has_turn = puzzle.queries.iter().any(|query| query.query.verb() != Some(Verb::Move));
    let turn = puzzle.side().filter(|_| has_turn).map(|side| match side {
        Colour::White => "White to move.".to_string(),
        Colour::Black => "Black to move.".to_string(),
    });
    let rules = puzzle.dialect().map(|dialect| dialect.word()).filter(|word| *word != "default");
    let rules = rules.map(|word| format!("Rules: {word}."));
    let asked = queries(puzzle).into_iter().map(asked_in_words);
    turn.into_iter().chain(rules).chain(conditions(puzzle)).chain(asked).collect()
}

/// What a query asks, in words: a reader of cards need not know the language of cpz.
fn asked_in_words(query: &ExportQuery<'_>) -> String {
    match query.query.verb() {
        Some(Verb::Solve) => "Capture until one piece is left.".into(),
        Some(Verb::Count) => "How many solutions are there?".into(),
        Some(Verb::Mate) => "Checkmate, check, stalemate or none of them?".into(),
        Some(Verb::Capture) => "What can be captured?".into(),
        Some(Verb::Win) => "Find the way to win.".into(),
        Some(Verb::Draw) => "Find the way to draw.".into(),
        Some(Verb::Line) => "Find the best line.".into(),
        Some(Verb::Move) => match query.asked.split_once(char::is_whitespace) {
            Some((_, mv)) => format!("Is {} legal?", mv.trim()),
            None => query.asked.to_string(),
        },
        _ => query.asked.to_string(),
    }
}

/// The questions, each once.
fn queries<'q, 'a>(puzzle: &'q ExportPuzzle<'a>) -> Vec<&'q ExportQuery<'a>> {
    let mut all: Vec<&ExportQuery<'a>> = Vec::new();
    for query in &puzzle.queries {
        if !all.iter().any(|other| other.asked == query.asked) {
            all.push(query);
        }
    }
    all
}

/// The answers: the moves with their variations where they are not too many, else the answer alone.
fn solutions(puzzle: &ExportPuzzle<'_>, losses: &mut Losses) -> Vec<String> {
    let queries = queries(puzzle);
    let mut all = Vec::new();
    for query in &queries {
        let answer = movetext(puzzle, query, losses).or_else(|| answer_text(puzzle, query));
        if query.written.is_some() && query.is_refuted && query.answer().is_some() {
            losses.note(CORRECTED);
        }
        let answer = answer.unwrap_or_else(|| "No answer is written.".into());
        let remark = query.remark.map(|remark| format!(" ({remark})")).unwrap_or_default();
        let asked = if queries.len() > 1 { format!("{}: ", query.asked) } else { String::new() };
        all.push(format!("{asked}{answer}{remark}"));
    }
    all
}

/// What else is said of the puzzle: on the back, since it may tell the solution.
fn about(puzzle: &ExportPuzzle<'_>) -> Vec<String> {
    let joined = |name| puzzle.properties.texts(name).join(", ");
    let credits: Vec<String> = [Property::Author, Property::Source]
        .into_iter()
        .map(joined)
        .filter(|text| !text.trim().is_empty())
        .collect();
    let difficulty = puzzle.properties.texts(Property::Difficulty);
    let difficulty = difficulty.first().map(|difficulty| format!("Difficulty: {difficulty}"));
    let mut all = vec![puzzle.description().join("\n")];
    all.extend(puzzle.properties.texts(Property::Note));
    all.push(credits.join(". "));
    all.extend(difficulty);
    all
}

/// The name of a deck: that of the file, without its folder and ending. `::` would part decks, a quote ends a search.
fn deck(path: &str) -> String {
    let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let stem = file.strip_suffix(".cpz").unwrap_or(file);
    let plain = |c: char| if c.is_control() || matches!(c, ':' | '"' | '<' | '>') { ' ' } else { c };
    let name = stem.chars().map(plain).collect::<String>().trim().to_string();
    if name.is_empty() || path.starts_with('<') { "Puzzles".into() } else { name }
}

/// What a note is known by: its game and rules, its position and its questions.
fn guid(puzzle: &ExportPuzzle<'_>) -> String {
    let mut parts = vec![puzzle.game_word().to_string()];
    parts.extend(puzzle.dialect().map(|dialect| dialect.word().to_string()));
    // A FEN has the side to move.
    parts.extend(puzzle.fen().or_else(|| {
        Some(format!("{} {}", puzzle.rows()?.join("/"), puzzle.side().map_or("", |side| side.name())))
    }));
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    parts.extend(puzzle.queries.iter().map(|query| words(query.asked)));
    format!("cpz-{:016x}", hash(&parts.join("\n")))
}

/// FNV-1a with 64 bits. Notes in the collections of users are known by it, so it must not change.
fn hash(text: &str) -> u64 {
    let add = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, add)
}

/// Texts as paragraphs, without those that are blank.
fn paragraphs(texts: &[String]) -> String {
    let texts = texts.iter().filter(|text| !text.trim().is_empty());
    texts.map(|text| format!("<div>{}</div>", escaped(text.trim()))).collect()
}

/// A text that Anki shows as it is. Cards are HTML with scripts; besides that, Anki plays `[sound:…]`, runs LaTeX on
/// `[latex]`, and sets `\(…\)` as a formula, in which only a tag parts the characters.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '[' => out.push_str("&#91;"),
            '{' => out.push_str("&#123;"),
            '\\' => out.push_str("<span>\\</span>"),
            '\n' => out.push_str("<br>"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_that_users_have() {
        // The examples of the authors of FNV.
        let examples = [
            ("", 0xcbf2_9ce4_8422_2325),
            ("a", 0xaf63_dc4c_8601_ec8c),
            ("b", 0xaf63_df4c_8601_f1a5),
            ("foobar", 0x8594_4171_f739_67e8),
        ];
        for (text, due) in examples {
            assert_eq!(hash(text), due, "{text:?}");
        }
    }

    #[test]
    fn texts_are_no_markup_of_a_card() {
        let text = "a\u{7}b\tc\nd <i>'\"&amp; [sound:x] {{c1}} \\(x\\)";
        let due = "a b c<br>d &lt;i&gt;&#39;&quot;&amp;amp; &#91;sound:x] &#123;&#123;c1}} \
                   <span>\\</span>(x<span>\\</span>)";
        assert_eq!(escaped(text), due);
    }

    #[test]
    fn decks_are_named_like_their_files() {
        for (path, due) in [
            ("mates.cpz", "mates"),
            ("C:\\x\\my puzzles.cpz", "my puzzles"),
            ("a/b/c:d\"e<f>\u{7}.txt", "c d e f  .txt"),
            ("a/ .cpz", "Puzzles"),
            ("<stdin>", "Puzzles"),
        ] {
            assert_eq!(deck(path), due, "{path}");
        }
    }
}
