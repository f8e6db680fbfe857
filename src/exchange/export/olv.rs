//! The YAML of Olive and YACPDB: a document for each chess problem, and for each study.
//!
//! Scalars are quoted with the escapes of JSON, which YAML has too: an unquoted `#2` is a comment, and `=` a tag.

use crate::duplex::duplex_parts;
use crate::export::losses::{CORRECTED, Losses, Part};
use crate::export::popeye::{
    AWARD, NO_TWIN, chosen, conditions, custom_text, derived, has_only_twins, men, options, twins,
};
use crate::export::popeye_play::{play_text, sequence_text};
use crate::export::query::{ExportQuery, written_texts};
use crate::export::solution::play;
use crate::export::source::ExportPuzzle;
use crate::fairy::fairy_keyword;
use cpz_check::analysis::{begins_with_set_play, problem_of, read_twin, twin_in_front};
use cpz_rules::games::{Answer, Position};
use cpz_text::diagnostic::Span;
use cpz_text::syntax::{Property, Verb};

/// The parts that a document holds.
const KEPT: [Part; 10] = [
    Part::Id,
    Part::Author,
    Part::Source,
    Part::Note,
    Part::Tags,
    Part::Custom,
    Part::Solutions,
    Part::Condition,
    Part::ZeroPosition,
    Part::Allow,
];

/// A document with the line that begins it.
pub(super) fn document(puzzle: &ExportPuzzle<'_>, losses: &mut Losses) -> Option<String> {
    let chosen = chosen(puzzle, "Olive", true, losses)?;
    let (query, position) = (chosen.query, &chosen.position);
    losses.all_but(puzzle, &KEPT);
    let (award, is_cut) = custom_text(puzzle, AWARD);
    if is_cut {
        losses.lost(puzzle, &[Part::Custom]);
    }
    losses.parted(puzzle, &[Property::Source]);
    let texts = |name| puzzle.properties.texts(name);
    let mut out = String::from("---\n");
    // YACPDB numbers its entries.
    let id = |id: &str| if id.bytes().all(|b| b.is_ascii_digit()) { id.to_string() } else { quoted(id) };
    puzzle.id().iter().for_each(|own| out.push_str(&format!("id: {}\n", id(own))));
    let authors = authors(&texts(Property::Author));
    if authors.iter().any(|name| name.matches(',').count() == 1 && !name.ends_with(',')) {
        losses.note("with an author whose given names come first after an import");
    }
    push_list(&mut out, "authors", &authors);
    let source = texts(Property::Source).join("; ");
    if !source.is_empty() {
        out.push_str(&format!("source:\n  name: {}\n", quoted(&source)));
    }
    if let Some(award) = award {
        out.push_str(&format!("award:\n  distinction: {}\n", quoted(&award)));
    }
    out.push_str("algebraic:\n");
    for (colour, men) in ["white", "black"].into_iter().zip(men(&position.board)) {
        if !men.is_empty() {
            out.push_str(&format!("  {colour}: [{}]\n", men.join(", ")));
        }
    }
    out.push_str(&format!("stipulation: {}\n", quoted(&chosen.stipulation)));
    let conditions = conditions(puzzle);
    push_list(&mut out, "conditions", &conditions);
    if conditions.is_empty() && fairy_keyword(&texts(Property::Tags)).is_some() {
        // Otherwise the keyword would say that there are some.
        out.push_str("conditions: []\n");
    }
    let twins = twins(puzzle, position, losses);
    if twins.is_empty() && has_only_twins(puzzle) {
        losses.leave_out(NO_TWIN);
        return None;
    }
    let options = options(puzzle, &chosen, !twins.is_empty(), losses);
    push_list(&mut out, "options", &options);
    if !twins.is_empty() {
        out.push_str("twins:\n");
        twins
            .iter()
            .for_each(|(letter, changes)| out.push_str(&format!("  {letter}: {}\n", quoted(changes))));
    }
    let is_duplex = options.iter().any(|option| option == "Duplex");
    let parts = solution_parts(puzzle, query, position, is_duplex, losses);
    for other in puzzle.queries.iter().filter(|other| other.written.is_some()) {
        let is_printed = |(_, _, printed): &SolutionPart<'_, '_>| {
            printed.iter().any(|printed| std::ptr::eq(*printed, other))
        };
        match other.query.verb() {
            Some(Verb::SetPlay | Verb::Duplex) if parts.iter().any(is_printed) => {}
            Some(verb @ (Verb::SetPlay | Verb::Duplex)) => {
                losses.other(&format!("the answer of `{}`", verb.word()));
            }
            _ => {}
        }
    }
    match parts.as_slice() {
        [] => {}
        [(_, only, _)] if twins.is_empty() => push_block(&mut out, "solution", only),
        parts => {
            let all: Vec<String> = parts.iter().map(|(head, text, _)| format!("{head})\n{text}")).collect();
            push_block(&mut out, "solution", &all.join("\n\n"));
        }
    }
    if let Some(intended) = intended_solutions(puzzle, query) {
        out.push_str(&format!("intended-solutions: {intended}\n"));
    }
    push_list(&mut out, "keywords", &texts(Property::Tags));
    push_list(&mut out, "comments", &texts(Property::Note));
    Some(out)
}

/// The authors one by one, of whom one text may name several: `Ann Able, Ben Bold and Cy Cole`. A family name before its
/// given names, `Able, Ann`, is one author.
fn authors(texts: &[String]) -> Vec<String> {
    let mut names = Vec::new();
    for part in texts.iter().flat_map(|text| text.split(" and ")) {
        let parts: Vec<&str> = part.split(", ").collect();
        match parts.iter().all(|name| name.trim().contains(' ')) {
            true => names.extend(parts),
            false => names.push(part),
        }
    }
    names.into_iter().map(str::trim).filter(|name| !name.is_empty()).map(String::from).collect()
}

/// The letter of a problem or a twin, its solution, and the questions about set play and duplex whose answers are in that.
type SolutionPart<'p, 'a> = (String, String, Vec<&'p ExportQuery<'a>>);

/// The solutions of the problem and its twins, each with its letter.
fn solution_parts<'p, 'a>(
    puzzle: &'p ExportPuzzle<'a>,
    query: &ExportQuery<'_>,
    start: &Position,
    is_duplex: bool,
    losses: &mut Losses,
) -> Vec<SolutionPart<'p, 'a>> {
    let mut parts = Vec::new();
    let twins = derived(puzzle, Verb::Twin);
    // What is not solved has a letter, too.
    let letter = |other: &ExportQuery<'_>| read_twin(other.query).ok().map(|twin| twin.letter.0.to_string());
    let diagram = (!has_only_twins(puzzle)).then(|| (Some("a".to_string()), query));
    for (head, of) in diagram.into_iter().chain(twins.map(|other| (letter(other), other))) {
        let begins = puzzle
            .bound
            .as_ref()
            .and_then(|bound| problem_of(bound, of.query))
            .map_or(start.clone(), |p| p.0);
        let duplex = derived(puzzle, Verb::Duplex).filter(|_| is_duplex);
        let duplex = duplex.filter(|other| twin_of(puzzle, other) == twin_of(puzzle, of)).last();
        let mut printed = Vec::new();
        let own = solution_text(puzzle, of, &begins, losses).map(|text| {
            // A key without its number cannot be told from what stands before it.
            let is_numbered = text.trim_start().starts_with(|c: char| c.is_ascii_digit());
            if is_numbered && !begins_with_set_play(&text) {
                // What stands behind the duplex is the set play of that.
                let is_own = |set_play: &&ExportQuery<'_>| {
                    duplex.is_none_or(|other| set_play.query.span().start < other.query.span().start)
                };
                printed = printed_set_play(puzzle, of).into_iter().filter(is_own).collect();
            }
            let texts = printed.iter().flat_map(|set_play| written_texts(set_play)).map(unindented);
            texts.chain([text]).collect::<Vec<_>>().join("\n\n")
        });
        let text = match duplex {
            None => own,
            Some(duplex) => {
                let both = both_solutions(puzzle, own.unwrap_or_default(), of, duplex, losses);
                if both.is_none() && of.written.is_some() {
                    losses.other("the written answer beside `duplex`");
                }
                printed.push(duplex);
                both
            }
        };
        parts.extend(head.zip(text).map(|(head, text)| (head, text, printed)));
    }
    parts
}

/// The solution of a problem or a twin, and behind a blank line that of its duplex; nothing where there is none, or where the two
/// could not be told apart.
fn both_solutions(
    puzzle: &ExportPuzzle<'_>,
    own: String,
    of: &ExportQuery<'_>,
    duplex: &ExportQuery<'_>,
    losses: &mut Losses,
) -> Option<String> {
    let bound = puzzle.bound.as_ref()?;
    let ((start, asked), (other_start, _)) = (problem_of(bound, of.query)?, problem_of(bound, duplex.query)?);
    let other = solution_text(puzzle, duplex, &other_start, losses).unwrap_or_default();
    let both = format!("{own}\n\n{other}").trim().to_string();
    let parts = duplex_parts(&both, [&start, &other_start], asked)?;
    (parts == [own.trim(), other.trim()] && !both.is_empty()).then_some(both)
}

/// The twin that a duplex or set play is about, or the twin itself; none for the diagram.
fn twin_of(puzzle: &ExportPuzzle<'_>, query: &ExportQuery<'_>) -> Option<Span> {
    match query.query.verb() {
        Some(Verb::Twin) => Some(query.query.span()),
        _ => twin_in_front(query.query, puzzle.puzzle).map(|twin| twin.span()),
    }
}

/// The verified solution as it is printed, or the written answer.
fn solution_text(
    puzzle: &ExportPuzzle<'_>,
    query: &ExportQuery<'_>,
    start: &Position,
    losses: &mut Losses,
) -> Option<String> {
    let solution = solution(puzzle, query, start, losses);
    if query.written.is_some() && query.is_refuted && solution.is_some() {
        losses.note(CORRECTED);
    }
    solution.or_else(|| query.written.map(|_| numbered_texts(query)))
}

/// A written answer. Of several texts without numbers, such as keys, each gets one: on lines of their own they would be one line of
/// play.
fn numbered_texts(of: &ExportQuery<'_>) -> String {
    let texts = written_texts(of);
    let is_numbered = |text: &&str| text.trim_start().starts_with(|c: char| c.is_ascii_digit());
    match texts.len() > 1 && !texts.iter().any(is_numbered) {
        true => texts.iter().map(|text| format!("1.{}", text.trim())).collect::<Vec<_>>().join("\n\n"),
        false => texts.join("\n"),
    }
}

/// The questions about the set play of a problem or a twin whose answers can stand in front of its solution, as in print.
fn printed_set_play<'p, 'a>(puzzle: &'p ExportPuzzle<'a>, of: &ExportQuery<'_>) -> Vec<&'p ExportQuery<'a>> {
    let is_of = |set_play: &ExportQuery<'_>| twin_of(puzzle, set_play) == twin_of(puzzle, of);
    let is_printed = |set_play: &ExportQuery<'_>| {
        let texts = if set_play.is_refuted { Vec::new() } else { written_texts(set_play) };
        !texts.is_empty() && texts.iter().all(|text| text.trim_start().starts_with("1."))
    };
    derived(puzzle, Verb::SetPlay).filter(|set_play| is_of(set_play) && is_printed(set_play)).collect()
}

/// How many solutions are intended, as it is written: `2`, `2.1.1.1`.
fn intended_solutions(puzzle: &ExportPuzzle<'_>, query: &ExportQuery<'_>) -> Option<String> {
    if let Some((counts, _)) = query.query.ply_counts() {
        return Some(counts.to_string());
    }
    let bound = puzzle.bound.as_ref()?;
    let own = bound.puzzle.properties().find(|own| own.name() == Some(Property::Solutions));
    let written = own.and_then(|own| own.value()?.scalar().map(|(text, _)| text.to_string()));
    written.or(bound.settings.solutions.map(|n| n.to_string()))
}

/// The written solution where it holds and is more than keys, otherwise the verified one as Popeye prints it.
fn solution(
    puzzle: &ExportPuzzle<'_>,
    query: &ExportQuery<'_>,
    start: &Position,
    losses: &mut Losses,
) -> Option<String> {
    let written = query.written.filter(|_| !query.is_refuted);
    // Keys have no numbers behind the first move.
    if let Some(written) = written.filter(|text| text.contains("2.") && !text.starts_with('[')) {
        return Some(unindented(written));
    }
    match query.answer()? {
        Answer::Keys { complete: true, .. } => play(puzzle, query, losses).map(|play| play_text(&play)),
        Answer::Sequences { stipulation, solutions, complete: true, .. } if !solutions.is_empty() => {
            let lines: Option<Vec<String>> =
                solutions.iter().map(|s| sequence_text(start, *stipulation, s)).collect();
            lines.map(|lines| lines.join("\n"))
        }
        _ => None,
    }
}

fn push_list(out: &mut String, name: &str, items: &[String]) {
    if !items.is_empty() {
        out.push_str(&format!("{name}:\n"));
        items.iter().for_each(|item| out.push_str(&format!("  - {}\n", quoted(item))));
    }
}

/// Writes a text of several lines as it stands, with its indentation.
fn push_block(out: &mut String, name: &str, text: &str) {
    if text.contains(|c: char| c.is_control() && c != '\n' && c != '\r') {
        out.push_str(&format!("{name}: {}\n", quoted(text)));
        return;
    }
    out.push_str(&format!("{name}: |2\n"));
    let lines = text.trim_end().lines().map(str::trim_end).skip_while(|line| line.is_empty());
    for line in lines {
        out.push_str(&if line.is_empty() { "\n".to_string() } else { format!("  {line}\n") });
    }
}

/// A written text without the indentation that its lines have in the puzzle. The first begins behind a quote.
fn unindented(text: &str) -> String {
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let rest = text.lines().skip(1).filter(|line| !line.trim().is_empty());
    let common = rest.map(indent).min().unwrap_or(0);
    let cut = |(i, line): (usize, &str)| match i {
        0 => line.trim_start().to_string(),
        _ => line[common.min(indent(line))..].to_string(),
    };
    text.lines().enumerate().map(cut).collect::<Vec<_>>().join("\n")
}

/// A text in quotes, on one line.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::authors;

    #[test]
    fn authors_are_parted_where_whole_names_are() {
        for (text, names) in [
            ("Ann Able", vec!["Ann Able"]),
            ("Able, Ann", vec!["Able, Ann"]),
            ("Ann Able and Ben Bold", vec!["Ann Able", "Ben Bold"]),
            ("Ann Able, Ben Bold and Cy Cole", vec!["Ann Able", "Ben Bold", "Cy Cole"]),
            ("Able, Ann and Bold, Ben", vec!["Able, Ann", "Bold, Ben"]),
        ] {
            assert_eq!(authors(&[text.to_string()]), names, "{text}");
        }
    }
}
