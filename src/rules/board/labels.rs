//! Labels beside a text board: names of files and ranks, and of the levels of a cube.

use crate::board::glyphs::{Glyph, Row};
use crate::board::model::level_name;
use cpz_text::diagnostic::{Code, Finding, Span};

/// Removes the names of files and ranks of a board of one level, and turns a board that is seen from black's side: where only
/// ranks or only files have names, those are turned with them if the board has `sides`, white's and black's.
pub(super) fn drop_labels(rows: &mut Vec<Row>, sides: bool) -> bool {
    let (mut named, mut reversed) = (false, false);
    while rows.len() > 1 {
        let (first, last) = (file_names(&rows[0]), file_names(&rows[rows.len() - 1]));
        let Some(order) = first.or(last) else { break };
        let names = if first.is_some() { &rows[0] } else { &rows[rows.len() - 1] };
        let others = rows.iter().filter(|row| !std::ptr::eq(*row, names));
        let is_label = match names[0].c.is_ascii_digit() {
            true => others.flatten().any(|g| !g.c.is_ascii_digit()),
            // One letter names the file of a board of one column.
            false => names.len() > 1 || others.into_iter().all(|row| row[0].c.is_ascii_digit()),
        };
        if !is_label {
            break;
        }
        (named, reversed) = (true, order == Order::Descending);
        rows.remove(if first.is_some() { 0 } else { rows.len() - 1 });
    }
    let has_files = named;
    let (mut has_ranks, mut upside_down) = (false, false);
    for take in [take_leading, take_trailing] {
        let stripped: Option<Vec<(u32, Row)>> = rows.iter().map(take).collect();
        let Some(stripped) = stripped else { continue };
        let falls = stripped.windows(2).all(|two| two[0].0 > two[1].0);
        let rises = stripped.windows(2).all(|two| two[0].0 < two[1].0);
        if !(falls || rises) || stripped.len() == 1 && !(named && stripped[0].0 <= 1) {
            continue;
        }
        upside_down = rises && stripped.len() > 1;
        *rows = stripped.into_iter().map(|s| s.1).collect();
        (named, has_ranks) = (true, true);
    }
    if upside_down || sides && reversed && !has_ranks {
        rows.reverse();
    }
    if reversed || sides && upside_down && !has_files {
        rows.iter_mut().for_each(|row| row.reverse());
    }
    named
}

#[derive(Clone, Copy, PartialEq)]
enum Order {
    Ascending,
    Descending,
}

/// Whether a row has only the names of files, `a b c` or numbers, and in which order. Those of several levels may
/// follow each other.
fn file_names(row: &Row) -> Option<Order> {
    let at = |c: char| match c {
        'a'..='j' => Some(c as i32 - 'a' as i32),
        'A'..='J' => Some(c as i32 - 'A' as i32),
        _ => None,
    };
    let digits = row.first()?.c.is_ascii_digit();
    let name = |g: &Glyph| if digits { g.c.to_digit(10).map(|n| n as i32) } else { at(g.c) };
    let mut names = row.iter().map(name).collect::<Option<Vec<i32>>>()?;
    let order = if names.len() > 1 && names[1] < names[0] { Order::Descending } else { Order::Ascending };
    if order == Order::Descending {
        names.reverse();
    }
    let first = if digits && names[0] == 1 { 1 } else { 0 };
    // The names of levels side by side follow each other.
    let again = names.iter().skip(1).position(|&n| n == first).map_or(names.len(), |i| i + 1);
    let consecutive = names[0] == first
        && (again > 1 || !digits && names.len() == 1)
        && (again == names.len() || !digits)
        && names.chunks(again).all(|level| level.iter().zip(first..).all(|(n, at)| *n == at));
    consecutive.then_some(order)
}

/// A row without the number at its beginning.
fn take_leading(row: &Row) -> Option<(u32, Row)> {
    let digits =
        row.iter().enumerate().take_while(|(i, g)| g.c.is_ascii_digit() && (*i == 0 || !g.begins)).count();
    split_number(&row[..digits], &row[digits..])
}

/// A row without the number at its end.
fn take_trailing(row: &Row) -> Option<(u32, Row)> {
    let last = row.iter().rposition(|g| g.begins)?;
    let digits = row[last..].iter().all(|g| g.c.is_ascii_digit());
    digits.then(|| split_number(&row[last..], &row[..last]))?
}

fn split_number(number: &[Glyph], rest: &[Glyph]) -> Option<(u32, Row)> {
    let text: String = number.iter().map(|g| g.c).collect();
    let small = (1..=2).contains(&text.len()) && !rest.is_empty();
    small.then(|| text.parse().ok())?.map(|n| (n, rest.to_vec()))
}

/// Rows of a cube between two names: each has the cells of as many levels as stand side by side.
#[derive(Default)]
struct Group {
    names: Vec<u8>,
    rows: Vec<(Option<u32>, Vec<Row>)>,
}

/// Whether a row is the name of a level and nothing else.
pub(super) fn is_level_name(row: &Row) -> bool {
    names_of_levels(row).is_some_and(|(_, length)| length == row.len())
}

/// Puts the rows of the levels of a cube below each other, without names and numbers.
pub(super) fn split_levels(rows: &mut Vec<Row>) -> bool {
    let mut groups = vec![Group::default()];
    let mut changed = false;
    for row in rows.iter() {
        let mut row = row.clone();
        if let Some((names, length)) = names_of_levels(&row) {
            changed = true;
            if groups.last().is_some_and(|g| !g.rows.is_empty() || !g.names.is_empty()) {
                groups.push(Group::default());
            }
            if let Some(group) = groups.last_mut() {
                group.names = names;
            }
            row.drain(..length);
            if row.is_empty() {
                continue;
            }
        }
        if file_names(&row).is_some() {
            changed = true;
            continue;
        }
        let Some(group) = groups.last_mut() else { continue };
        let (number, parts) = side_by_side(&row, group.names.len());
        changed |= number.is_some() || parts.len() > 1;
        // The numbers fall from the top of a level to its bottom.
        let resets = matches!((group.rows.last(), number), (Some((Some(last), _)), Some(n)) if n >= *last);
        match resets {
            true => groups.push(Group { names: Vec::new(), rows: vec![(number, parts)] }),
            false => group.rows.push((number, parts)),
        }
    }
    if !changed {
        return false;
    }
    let mut levels: Vec<(Option<u8>, Vec<Row>)> = Vec::new();
    for group in groups {
        let most = group.rows.iter().map(|r| r.1.len()).max().unwrap_or(0);
        for i in 0..most {
            let level = group.rows.iter().filter_map(|r| r.1.get(i).cloned()).collect();
            levels.push((group.names.get(i).copied(), level));
        }
    }
    if levels.iter().all(|l| l.0.is_some()) {
        levels.sort_by_key(|l| std::cmp::Reverse(l.0));
    }
    *rows = levels.into_iter().flat_map(|l| l.1).collect();
    true
}

/// The finding for a name of a level that is not its place, where other levels have no name; `None` where all have one, or the
/// places are not known.
fn misplaced_level_name(rows: &[Row]) -> Option<Option<Finding>> {
    let cells: Vec<&Row> =
        rows.iter().filter(|row| !row.is_empty() && names_of_levels(row).is_none()).collect();
    let width = cells.first().map_or(0, |row| row.len());
    if width == 0 || cells.iter().any(|row| row.len() != width || file_names(row).is_some()) {
        return None;
    }
    let levels = cells.len() / width;
    let (mut above, mut names) = (0, Vec::new());
    for row in rows.iter().filter(|row| !row.is_empty()) {
        match names_of_levels(row) {
            None => above += 1,
            Some((of_row, length)) if of_row.len() == 1 && length == row.len() && above % width == 0 => {
                let place = row[..length].iter().map(|glyph| glyph.span).reduce(Span::cover)?;
                names.push((usize::from(of_row[0]), levels.saturating_sub(above / width), place));
            }
            Some(_) => return None,
        }
    }
    if levels > 10 || levels * width != cells.len() || names.len() >= levels {
        return None;
    }
    let wrong = names.iter().find(|(name, meant, _)| name != meant && *meant > 0);
    let Some(&(name, meant, place)) = wrong else { return Some(None) };
    let name_of = |level: usize| level_name(level as u8 - 1);
    let message = format!(
        "this level is {} by its place, not {}; name all levels if they stand in another order",
        name_of(meant),
        name_of(name)
    );
    Some(Some(Finding::new(Code::BoardShape, place, message)))
}

/// The finding for the first name of a level that another level has, or that is beyond the number of levels that have a name, or
/// that is not its place where others have none: no order of the levels follows from such names.
pub(super) fn wrong_level_name(rows: &[Row]) -> Option<Finding> {
    let mut names: Vec<(u8, Span)> = Vec::new();
    for row in rows {
        let Some((of_row, length)) = names_of_levels(row) else { continue };
        let place = row[..length].iter().map(|glyph| glyph.span).reduce(Span::cover)?;
        names.extend(of_row.into_iter().map(|name| (name, place)));
    }
    let usual = || (0..names.len().min(10) as u8).rev().map(level_name).collect::<Vec<_>>().join(", ");
    let is_twice = |&(at, &(name, _)): &(usize, &(u8, Span))| names[..at].iter().any(|other| other.0 == name);
    // A first level without a name may be any.
    let are_all_named =
        rows.iter().find(|row| !row.is_empty()).is_some_and(|row| names_of_levels(row).is_some());
    let is_beyond =
        |name: &&(u8, Span)| are_all_named && names.len() > 1 && usize::from(name.0) > names.len();
    let (name, place, what) = match names.iter().enumerate().find(is_twice) {
        Some((_, &(name, place))) => (name, place, "is the name of another level, too".to_string()),
        None => {
            if let Some(misplaced) = misplaced_level_name(rows) {
                return misplaced;
            }
            let &(name, place) = names.iter().find(is_beyond)?;
            (name, place, format!("is beyond the {} levels that have a name", names.len()))
        }
    };
    let message = format!("{} {what}; the names of the levels are {}", level_name(name - 1), usual());
    Some(Finding::new(Code::BoardShape, place, message))
}

/// The names of levels at the beginning of a row, from 1 for the bottom level, and the number of characters that they
/// have: `III  II  I`, `level I`, `Level 1`, `(I)`, `II:`. In front of cells a name needs a colon or parentheses.
fn names_of_levels(row: &Row) -> Option<(Vec<u8>, usize)> {
    let starts: Vec<usize> = (0..row.len()).filter(|&i| row[i].begins).collect();
    let mut names = Vec::new();
    let mut is_named = false;
    for (n, &start) in starts.iter().enumerate() {
        let end = starts.get(n + 1).copied().unwrap_or(row.len());
        let word: String = row[start..end].iter().map(|g| g.c).collect();
        let bare = word.trim_matches(['(', ')', ':', '[', ']']);
        let is_name =
            |z: &u8| level_name(*z).eq_ignore_ascii_case(bare) || is_named && bare.parse() == Ok(z + 1);
        if let Some(z) = (0..10u8).find(is_name) {
            names.push(z + 1);
            let rest = row.get(end..).unwrap_or_default();
            let more = rest.iter().all(|g| "IVXivx():[]".contains(g.c));
            if !more && word.ends_with([':', ')']) && names.len() == 1 {
                return Some((names, end));
            }
        } else if !["level", "top", "bottom"].iter().any(|w| w.eq_ignore_ascii_case(bare)) {
            return None;
        }
        is_named = bare.eq_ignore_ascii_case("level");
    }
    (!names.is_empty()).then_some((names, row.len()))
}

/// The parts of a row that belong to levels side by side, each behind the same number; the number.
fn side_by_side(row: &Row, names: usize) -> (Option<u32>, Vec<Row>) {
    let Some((number, _)) = take_leading(row) else {
        // Without numbers the words are those of the levels.
        let words: Vec<Row> = row.iter().fold(Vec::new(), |mut words: Vec<Row>, glyph| {
            match words.last_mut().filter(|_| !glyph.begins) {
                Some(word) => word.push(*glyph),
                None => words.push(vec![*glyph]),
            }
            words
        });
        return match names > 1 && words.len().is_multiple_of(names) {
            true => (None, words.chunks(words.len() / names).map(|c| c.concat()).collect()),
            false => (None, vec![row.clone()]),
        };
    };
    let mut parts: Vec<Row> = Vec::new();
    let mut rest = row.clone();
    while let Some((n, behind)) = take_leading(&rest).filter(|(n, _)| *n == number) {
        let ends = (1..behind.len())
            .find(|&i| behind[i].begins && take_leading(&behind[i..].to_vec()).is_some_and(|(m, _)| m == n));
        let end = ends.unwrap_or(behind.len());
        parts.push(behind[..end].to_vec());
        rest = behind[end..].to_vec();
    }
    (Some(number), parts)
}
