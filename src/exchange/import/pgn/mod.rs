//! PGN: a game with a `FEN` tag becomes a puzzle.
//!
//! What it asks for stands in a tag, in the names of the players, or in its first comment; where the tag `Stipulation` says
//! it, or with a dash that nothing is asked, no other text does. Without any of these, the movetext is the line of the puzzle;
//! a short line that ends in mate asks for that mate where the person says so.

mod lexer;
mod stipulation;
mod tree;

use crate::game_tags::{AUTHOR_TAGS, each_once, is_read, says_something, several};
use crate::import::chess_text::read_position;
use crate::import::entry::{Answer, BoardText, Entry};
use crate::import::notice::Item;
use crate::import::reader::Reader;
use crate::import::record::{Boundary, Record};
use cpz_check::analysis::is_solution;
use cpz_rules::board::Colour;
use cpz_rules::games::{Goal, Play, ProblemKind, Stipulation};
use cpz_text::syntax::{GameId, is_custom_name};
use rustc_hash::FxHashSet;

use lexer::{Game, MAX_TAGS, MAX_TOKENS, Token, read_game};
pub(super) use stipulation::short_study;
use stipulation::{has_only_words_of_tasks, short_stipulation, side_in, stipulation_in, study_in};
use tree::MoveTree;

/// The reader.
pub(super) struct Pgn {
    /// Whether comments keep commands such as clock times.
    pub whole_comments: bool,
    /// Whether a short line that ends in mate asks for that mate.
    pub mates: bool,
}

/// The answer that a problem has no solution, which an export writes in a comment.
const NO_SOLUTION: &str = "none";

/// The longest mate that the end of a line asks for. A longer one is as a rule not forced.
const MAX_MATE: usize = 4;

/// The tags that say what is asked, and those in which people write it.
const STIPULATION: &str = "Stipulation";
const STIPULATION_TAGS: [&str; 2] = [STIPULATION, "Termination"];
const TEXT_TAGS: [&str; 7] = ["Title", "Name", "White", "Black", "Event", "ChapterName", "Opening"];

impl Reader for Pgn {
    fn boundary(&self) -> Boundary {
        Boundary::Game
    }

    fn read(&self, record: &Record) -> Vec<Item> {
        let game = read_game(&record.text);
        if game.tags.is_empty() && game.tokens.is_empty() {
            return Vec::new();
        }
        let start = record.text.len() - record.text.trim_start().len();
        if game.is_too_long {
            let why = format!(
                "this game has more than {MAX_TAGS} tags, or more than {MAX_TOKENS} moves and other words"
            );
            return vec![Item::skipped(record, start, why)];
        }
        match puzzle(record, &game, self) {
            Ok(items) => items,
            Err(why) => vec![Item::skipped(record, start, why)],
        }
    }
}

/// The solution of a study as movetext; nothing where it has other words than moves, or a move that is illegal on the board
/// of the puzzle.
pub(super) fn study_line(puzzle: &Entry, solution: &str) -> Option<String> {
    let BoardText::Inline(fen) = &puzzle.board else { return None };
    let read = read_position(&fen.split_whitespace().collect::<Vec<_>>()).ok()?;
    let game = read_game(solution);
    let tree = MoveTree::new(&read.position, &game.tokens);
    let is_whole = !game.is_too_long
        && game.tags.is_empty()
        && tree.illegal.is_none()
        && !tree.is_unbalanced
        && tree.comments.is_empty();
    (is_whole && !tree.roots.is_empty()).then(|| tree.movetext(&tree.roots, read.position.turn))
}

/// The value of a tag that says something.
fn tag<'g>(game: &'g Game<'_>, name: &str) -> Option<&'g str> {
    let found = game.tags.iter().find(|tag| tag.name.eq_ignore_ascii_case(name))?;
    says_something(&found.value).then_some(found.value.as_str())
}

/// Whether the tag for it says what is asked, or with a dash that nothing is: then no other text says it, as in an export, whose
/// titles and notes are what they are.
fn is_stated(game: &Game<'_>) -> bool {
    let stated = game.tags.iter().find(|tag| tag.name.eq_ignore_ascii_case(STIPULATION));
    stated.is_some_and(|tag| tag.value == "-" || is_task(&tag.value) || short_study(&tag.value).is_some())
}

fn puzzle(record: &Record, game: &Game<'_>, options: &Pgn) -> Result<Vec<Item>, String> {
    let variant = tag(game, "Variant").unwrap_or("Standard");
    if !["standard", "chess", "from position", "normal"].contains(&variant.to_lowercase().as_str()) {
        return Err(format!("this is {variant}, which has other rules than chess"));
    }
    let fen = tag(game, "FEN").ok_or("this game has no `FEN` tag: it begins with the first move of chess")?;
    let read = read_position(&fen.split_whitespace().collect::<Vec<_>>())?;
    let mut tree = MoveTree::new(&read.position, &game.tokens);
    let mut entry = Entry::new(GameId::Chess, BoardText::Inline(read.fen.clone()));
    let turn = read.position.turn;
    let has_star = is_stated(game) && tag(game, STIPULATION).is_some_and(|text| text.trim().ends_with('*'));
    let task = Task { asked: stated(game, &tree, turn), has_star, study: study(game), turn };
    let series = task
        .asked
        .filter(|_| tree.illegal.is_some())
        .and_then(|asked| series_text(record, game, asked, turn));
    if series.is_some() {
        tree = MoveTree::new(&read.position, &[]);
    }
    write_tags(&mut entry, game, &tree, &task);
    ask(&mut entry, &task, (&mut tree, options.mates));
    if let (Some(series), Some(query)) = (series, entry.queries.last_mut()) {
        query.answer = Some(Answer::Text(series));
    }
    let is_task = |text: &str| !is_stated(game) && task.is_all_of(text);
    write_comments(&mut entry, &tree, task.numbers_from(), (options.whole_comments, &is_task));
    let mut items = Vec::new();
    let positions = game.tags.iter().filter(|tag| tag.name.eq_ignore_ascii_case("FEN"));
    if positions.into_iter().any(|tag| tag.value != fen) {
        items.push(Item::remark(record, 0, "the tag `FEN` is there twice; the first one was read"));
    }
    if let Some((at, why)) = &tree.illegal {
        items.push(Item::remark(record, *at, why));
    } else if tree.is_unbalanced {
        items.push(Item::remark(record, 0, "a parenthesis of its variations is not closed, or closed twice"));
    }
    if let Some(at) = game.open_comment {
        items.push(Item::remark(record, at, "a comment in braces is not closed"));
    }
    items.insert(0, Item::puzzle(entry));
    Ok(items)
}

/// The movetext of a series, in which one side moves several times in a row, as it stands; nothing where it is none.
fn series_text(record: &Record, game: &Game<'_>, asked: Stipulation, first: Colour) -> Option<String> {
    let is_plain = |token: &Token<'_>| matches!(token, Token::Move(_) | Token::Mark(_));
    let (start, _) = game.tokens.first().filter(|_| game.tokens.iter().all(|(_, token)| is_plain(token)))?;
    let is_number = |c: char| c.is_ascii_digit() || c == '.' || c.is_whitespace();
    let text = &record.text[record.text[..*start].trim_end_matches(is_number).len()..];
    let text = game.result.and_then(|result| text.trim_end().strip_suffix(result)).unwrap_or(text);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_series = matches!(asked.play(), Play::Series | Play::SeriesHelp | Play::SeriesSelf);
    (is_series && is_solution(&text, asked, first)).then_some(text)
}

/// Name, author, source and all other tags.
fn write_tags(entry: &mut Entry, game: &Game<'_>, tree: &MoveTree, task: &Task) {
    // Where a tag of its own says it, the roster only repeats the title and the author.
    let is_repeated = |name: &str, value: &str| match name {
        "Event" => ["Title", "Id"].iter().any(|own| tag(game, own) == Some(value)),
        "White" => tag(game, "Author") == Some(value),
        "Black" => study_of_export(game) == Some(value),
        _ => false,
    };
    let is_stated = is_stated(game);
    let is_question =
        |name: &str, value: &str| task.is_all_of(value) && (!is_stated || ["White", "Black"].contains(&name));
    let get =
        |name: &str| tag(game, name).filter(|value| !is_question(name, value) && !is_repeated(name, value));
    let (white, black) = (get("White"), get("Black"));
    let players = white.zip(black).map(|(white, black)| format!("{white} – {black}"));
    // Where only one of the two says something, it is the heading of a chapter.
    let heading = if players.is_none() { white.or(black) } else { None };
    let mut titles = ["Title", "Name", "ChapterName"].iter().filter_map(|name| Some((*name, get(name)?)));
    let title = titles.next().map(|(_, title)| title.to_string());
    let other_titles = titles.filter(|(_, other)| title.as_deref() != Some(other));
    let source = ["Event", "Site", "Source"].iter().filter_map(|name| get(name)).map(str::to_string);
    let date =
        tag(game, "Date").or(tag(game, "UTCDate")).map(|date| date.trim_end_matches(".??").to_string());
    let mut source: Vec<String> = heading.map(str::to_string).into_iter().chain(source).chain(date).collect();
    // An export writes the sources of a list, and the authors, one behind the other.
    source = match source.as_slice() {
        [only] => several(only),
        parts => vec![parts.join(", ")],
    };
    let authors = AUTHOR_TAGS.iter().filter_map(|name| get(name));
    entry.name = title.clone().or_else(|| players.clone());
    entry.word("id", tag(game, "Id").unwrap_or_default());
    entry.texts("author", each_once(authors.flat_map(several)));
    entry.texts("source", source);
    if title.is_some() {
        entry.text("x-players", &players.unwrap_or_default());
    }
    entry.word("difficulty", tag(game, "Difficulty").unwrap_or_default());
    let last = tree.roots.first().and_then(|&root| tree.main_line(root).last().copied());
    let mate = last.map(|last| &tree.nodes[last]).filter(|last| last.text.ends_with('#'));
    let winner = mate.map(|mate| match mate.ply.is_multiple_of(2) == (task.turn == Colour::White) {
        true => "1-0",
        false => "0-1",
    });
    let is_problem = tag_of_problem(game);
    for (name, title) in other_titles {
        entry.keep("tag", &format!("{name}: {title}"));
    }
    for (i, tag) in game.tags.iter().enumerate() {
        // The first one of its name was read.
        let mut earlier = game.tags[..i].iter().filter(|other| other.name.eq_ignore_ascii_case(&tag.name));
        if let Some(first) = earlier.next() {
            if tag.value != first.value && says_something(&tag.value) {
                entry.keep("tag", &format!("{}: {}", tag.name, tag.value));
            }
            continue;
        }
        let is = |name: &str| tag.name.eq_ignore_ascii_case(name);
        // The result of a problem, or behind a mate, only says who mates.
        let is_told = tag.value == "*" || is_problem || winner == Some(tag.value.as_str());
        let is_default = is("Result") && is_told;
        let names = if is_stated { &STIPULATION_TAGS[..1] } else { &STIPULATION_TAGS };
        let is_stipulation = names.iter().any(|name| is(name)) && task.is_all_of(&tag.value);
        if is_read(&tag.name) && !is(STIPULATION) || is_default || is_stipulation {
            continue;
        }
        if says_something(&tag.value) {
            let name = format!("x-{}", tag.name.to_lowercase());
            if is_custom_name(&name) {
                entry.word(&name, &tag.value);
            } else {
                entry.keep("tag", &format!("{}: {}", tag.name, tag.value));
            }
        }
    }
}

/// Whether a text is the word for what a study asks.
fn is_study(value: &str) -> bool {
    ["win", "draw"].iter().any(|word| value.eq_ignore_ascii_case(word))
}

/// What an export writes in the place of Black's name for a study. A player may have that name, so the place of White's has the
/// author, or none.
fn study_of_export<'g>(game: &'g Game<'_>) -> Option<&'g str> {
    let white = tag(game, "White");
    let is_export = white.is_none_or(|white| white == "?") || white == tag(game, "Author");
    tag(game, "Black").filter(|value| is_export && is_study(value))
}

/// Whether a tag says that the game is a problem.
fn tag_of_problem(game: &Game<'_>) -> bool {
    let names = if is_stated(game) { &STIPULATION_TAGS[..1] } else { &STIPULATION_TAGS };
    names.iter().any(|name| tag(game, name).is_some_and(is_task)) || study(game).is_some()
}

/// What a study asks for, `win` or `draw`, where a tag says it.
fn study(game: &Game<'_>) -> Option<&'static str> {
    if is_stated(game) {
        return tag(game, STIPULATION).and_then(short_study);
    }
    let short = STIPULATION_TAGS.iter().find_map(|name| short_study(tag(game, name)?));
    let side = || study_of_export(game).and_then(short_study);
    short.or_else(side).or_else(|| {
        let texts = STIPULATION_TAGS.iter().chain(&TEXT_TAGS);
        texts.filter_map(|name| tag(game, name)).find_map(study_in)
    })
}

/// Whether a text says only what is asked or who moves, as `White to move` in the tag `Black` does.
fn is_task(value: &str) -> bool {
    let text = value.to_lowercase();
    stipulation_in(value).is_some() && text.split_whitespace().count() <= 8 && !text.contains(':')
        || ["white to move", "black to move", "white to play", "black to play"]
            .iter()
            .any(|t| text.starts_with(t))
}

/// The stipulation that the tags or the first comment state. What says that the other side mates is none.
fn stated(game: &Game<'_>, tree: &MoveTree, turn: Colour) -> Option<Stipulation> {
    if is_stated(game) {
        return tag(game, STIPULATION).and_then(stipulation_in);
    }
    let fits = |text: &str, asked: &Stipulation| {
        asked.play().has_sequences() || side_in(text).is_none_or(|side| side == turn)
    };
    let read = |text: &str| stipulation_in(text).filter(|asked| fits(text, asked));
    let tags = STIPULATION_TAGS.iter().filter_map(|name| read(tag(game, name)?));
    let texts = TEXT_TAGS.iter().filter_map(|name| {
        let value = tag(game, name)?;
        if value.contains('#') { short_stipulation(value) } else { read(value) }
    });
    let comments = tree.comments.iter().filter(|(after, _)| after.is_none());
    tags.chain(texts).chain(comments.filter_map(|(_, text)| read(text))).next()
}

/// What a game asks, and the side that begins.
struct Task {
    asked: Option<Stipulation>,
    /// Whether a star behind it asks for its set play.
    has_star: bool,
    study: Option<&'static str>,
    turn: Colour,
}

impl Task {
    /// Whether a text says what is asked, who begins, or both, and nothing else.
    fn is_all_of(&self, text: &str) -> bool {
        let (asked, side) = (stipulation_in(text), side_in(text));
        let study = study_in(text).or_else(|| short_study(text));
        let is_short = short_stipulation(text).is_some() || short_study(text).is_some();
        (is_short || has_only_words_of_tasks(text))
            && (asked.is_some() || study.is_some() || side.is_some())
            && asked.is_none_or(|asked| Some(asked) == self.asked)
            && study.is_none_or(|study| Some(study) == self.study)
            && side.is_none_or(|side| side == self.turn)
    }

    /// The question about a stipulation.
    fn question(&self, asked: Stipulation) -> String {
        format!("{}{}", asked.in_words(), if self.has_star { " *" } else { "" })
    }

    /// The side whose moves have the numbers, as if it were White: of help play the one that begins, or with a half move more the
    /// other one.
    fn numbers_from(&self) -> Colour {
        match self.asked {
            Some(asked) if matches!(asked.play(), Play::Help | Play::HelpSelf) => {
                if asked.plies.is_multiple_of(2) { Colour::White } else { Colour::Black }
            }
            Some(asked) if asked.first_side() == Colour::Black => Colour::White,
            _ => self.turn,
        }
    }
}

/// Asks what is stated, with the movetext as its answer. `mates` says whether a short line that ends in mate states it.
fn ask(entry: &mut Entry, task: &Task, (tree, mates): (&mut MoveTree, bool)) {
    let first = task.numbers_from();
    if let Some(asked) = task.asked.filter(|asked| asked.goal() == Goal::Mate) {
        // In play with keys the other side may do what it likes.
        let chooses = |ply: usize| asked.play().has_sequences() || ply.is_multiple_of(2);
        let others = tree.take_side_lines(first, chooses);
        entry.keep(
            "variation",
            &others.iter().map(|line| format!("variation: {line}")).collect::<Vec<_>>().join("; "),
        );
    }
    let tree = &*tree;
    let main = tree.roots.first().map(|&root| tree.main_line(root)).unwrap_or_default();
    let by_mate = || {
        if !mates || task.study.is_some() {
            return None;
        }
        let last = tree.nodes[*main.last()?].text.as_str();
        let moves = main.len().div_ceil(2);
        let is_mate =
            last.ends_with('#') && main.len() % 2 == 1 && moves <= MAX_MATE && tree.illegal.is_none();
        is_mate.then(|| Stipulation::new(ProblemKind::MATE, 2 * moves as u8))
    };
    let text = || tree.movetext(&tree.roots, first);
    let none = || task.asked.and_then(|asked| answer_in_comment(tree, asked, task.turn));
    match task.asked.or_else(by_mate) {
        Some(asked) if asked.play().has_sequences() => {
            let solutions: Vec<String> =
                tree.roots.iter().map(|&root| tree.movetext(&[root], first)).collect();
            let answer = match solutions.len() {
                0 => none(),
                1 => Some(Answer::Text(text())),
                _ => Some(Answer::Texts(solutions)),
            };
            entry.ask(task.question(asked), answer);
        }
        Some(asked) => {
            let answer = match (main.len(), tree.has_variations()) {
                (0, _) => none(),
                (1, false) => Some(Answer::Words(tree.nodes[main[0]].text.clone())),
                _ => Some(Answer::Text(text())),
            };
            entry.ask(task.question(asked), answer);
        }
        None if task.study.is_some() => {
            let answer = (!main.is_empty()).then(|| Answer::Text(text()));
            entry.ask(task.study.unwrap_or_default(), answer);
        }
        None if main.is_empty() => {}
        None => {
            let words: Vec<String> =
                main.iter().map(|&node| line_word(tree, node, first, node == main[0])).collect();
            entry.ask("line", Some(Answer::Words(words.join(" "))));
            if tree.has_variations() {
                entry.keep("variation", &format!("variations: {}", text()));
            }
        }
    }
}

/// The solution of a problem in a comment, where moves would stand: that there is none, or moves that are none of PGN, as
/// those in series.
fn answer_in_comment(tree: &MoveTree, asked: Stipulation, first: Colour) -> Option<Answer> {
    let comments = || tree.comments.iter().filter(|_| tree.roots.is_empty()).map(|(_, text)| text);
    if comments().any(|text| text == NO_SOLUTION) {
        return Some(Answer::Words(NO_SOLUTION.into()));
    }
    let mut solutions: Vec<String> =
        comments().filter(|text| is_solution(text, asked, first)).cloned().collect();
    match solutions.len() {
        0 | 1 => solutions.pop().map(Answer::Text),
        _ => Some(Answer::Texts(solutions)),
    }
}

/// The texts of an answer, each of which may have been a comment.
fn texts_of(answer: &Answer) -> &[String] {
    match answer {
        Answer::Words(text) | Answer::Text(text) => std::slice::from_ref(text),
        Answer::Texts(texts) => texts,
        Answer::List(_) | Answer::Raw(_) => &[],
    }
}

/// A move of a line, with a number where White moves or the line begins.
fn line_word(tree: &MoveTree, node: usize, first: Colour, begins: bool) -> String {
    let is_white = tree.nodes[node].ply.is_multiple_of(2) == (first == Colour::White);
    match is_white || begins {
        true => tree.numbered(node, first),
        false => format!("{}{}", tree.nodes[node].text, tree.nodes[node].marks),
    }
}

/// Keeps comments, each with the move that it follows. Clock times and drawings are for screens.
fn write_comments(
    entry: &mut Entry,
    tree: &MoveTree,
    first: Colour,
    (whole, is_task): (bool, &dyn Fn(&str) -> bool),
) {
    let answers = entry.queries.iter().filter_map(|query| query.answer.as_ref()).flat_map(texts_of);
    let answers: FxHashSet<String> = answers.cloned().collect();
    for (after, text) in &tree.comments {
        let plain = if whole { text.clone() } else { without_commands(text) };
        if plain.len() < text.len() && text.contains("[%") {
            entry.left_out.push("clock times, evaluations and drawings");
        }
        let text = plain;
        if after.is_none() && is_task(&text) {
            continue;
        }
        if after.is_none() && answers.contains(&text) {
            continue;
        }
        match after {
            None => entry.note("comment", &text),
            Some(_) if text.is_empty() => {}
            Some(node) => entry.keep("comment", &format!("{}: {text}", tree.numbered(*node, first))),
        }
    }
}

/// A comment without `[%clk 0:01:00]` and the like.
fn without_commands(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("[%") {
        let Some(end) = rest[start..].find(']') else { break };
        out.push_str(&rest[..start]);
        rest = &rest[start + end + 1..];
    }
    out.push_str(rest);
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}
