//! The printed solution of an entry: its comments, and the parts of its twins.

/// A printed solution.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Printed {
    /// The text of each twin with its letter; one part, without a letter, where the text names no twin.
    pub parts: Vec<(Option<char>, String)>,
    /// The comments in braces, and the words before the first move of a part.
    pub comments: Vec<String>,
}

/// Reads a solution of a problem with twins of these letters.
pub(super) fn read_printed(text: &str, twins: &[char]) -> Printed {
    let mut printed = Printed::default();
    let text = without_comments(without_quotes(text), &mut printed.comments);
    let text = without_roman_numbers(&text);
    let heads = twin_heads(&text, twins);
    let mut begin = 0;
    let mut letter = None;
    for (at, len, next) in heads.into_iter().chain([(text.len(), 0, ' ')]) {
        let part = &text[begin..at];
        let is_of_change = |text: &str| text.contains("->") || text.starts_with(['+', '-']);
        // Popeye prints the change alone where a twin has no solution.
        let is_alone = letter.is_some() && is_of_change(part.trim()) && !part.contains('.');
        let begin_of_moves = match first_move(part) {
            _ if is_alone => part.len(),
            // One side of a duplex has no solution.
            at if part[..at].trim() == "none" => 0,
            at => at,
        };
        let (head, moves) = part.split_at(begin_of_moves);
        let head = head.trim();
        let is_change = is_of_change(head) || head.contains('#');
        if letter.is_none() || !is_change {
            printed.comments.extend((!head.is_empty()).then(|| head.to_string()));
        }
        let (before, moves) = moves.split_at(double_step(moves));
        printed.comments.extend((!before.is_empty()).then(|| before.trim().to_string()));
        if letter.is_some() || !moves.trim().is_empty() {
            printed.parts.push((letter, moves.to_string()));
        }
        (begin, letter) = (at + len, Some(next));
    }
    printed
}

/// A text that stands in quotes of its own.
fn without_quotes(text: &str) -> &str {
    let text = text.trim();
    let quote = if text.starts_with('\'') { '\'' } else { '"' };
    text.trim_matches(quote).trim()
}

/// A text without its comments in braces.
fn without_comments(text: &str, comments: &mut Vec<String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, comment)) = rest.split_once('{') {
        out.push_str(before);
        out.push(' ');
        let (comment, behind) = comment.split_once('}').unwrap_or((comment, ""));
        let comment = comment.trim();
        comments.extend((!comment.is_empty()).then(|| comment.to_string()));
        rest = behind;
    }
    out + rest
}

/// The heads of twins, `a)` or `+b)`: where each stands, its length and its letter. They come in order, but for those of twins
/// that are known, at the beginning of a line.
fn twin_heads(text: &str, twins: &[char]) -> Vec<(usize, usize, char)> {
    let (mut heads, mut due, mut depth) = (Vec::<(usize, usize, char)>::new(), b'a', 0usize);
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let starts_word = at == 0 || bytes[at - 1].is_ascii_whitespace();
        let plus = usize::from(bytes[at] == b'+');
        let is_known = |letter: u8| {
            let letter = char::from(letter);
            let begins_line = text[..at].trim_end_matches([' ', '\t']).ends_with('\n') || at == 0;
            begins_line && twins.contains(&letter) && heads.iter().all(|head| head.2 != letter)
        };
        match bytes[at] {
            _ if depth == 0
                && starts_word
                && bytes.get(at + plus + 1) == Some(&b')')
                && ((due..=due.saturating_add(1).min(b'z')).contains(&bytes[at + plus])
                    || is_known(bytes[at + plus])) =>
            {
                heads.push((at, plus + 2, char::from(bytes[at + plus])));
                due = due.max(bytes[at + plus] + 1);
                at += plus + 1;
            }
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += 1;
    }
    heads
}

/// Where the first move of a part begins: at a number with a dot, but not at that of `h#2.5`. Without numbers all of it
/// is moves.
fn first_move(part: &str) -> usize {
    let starts = part.char_indices().filter(|&(at, c)| {
        let before = part[..at].chars().next_back();
        let is_start = before.is_none_or(|b| !b.is_ascii_digit() && b != '#' && !b.is_ascii_alphabetic());
        c.is_ascii_digit() && is_start
    });
    let is_number = |&(at, _): &(usize, char)| {
        let rest = part[at..].trim_start_matches(|c: char| c.is_ascii_digit());
        let behind = rest.trim_start().strip_prefix(['.', '…']);
        behind.is_some_and(|b| !b.starts_with(|c: char| c.is_ascii_digit()) || b.starts_with("0-0"))
    };
    starts.into_iter().find(is_number).map_or(0, |(at, _)| at)
}

/// The length of the move before the first one, `0...g7-g5`, which en passant needs.
fn double_step(moves: &str) -> usize {
    match moves.strip_prefix("0.").and_then(|rest| rest.find("1.")) {
        Some(at) => at + 2,
        None => 0,
    }
}

/// A text without the numbers `I)`, `II)` of its solutions.
fn without_roman_numbers(text: &str) -> String {
    let line = |line: &str| {
        let body = line.trim_start();
        let digits = body.trim_start_matches(['I', 'V', 'X']);
        match digits.strip_prefix(')') {
            Some(rest) if digits.len() < body.len() => rest.to_string(),
            _ => line.to_string(),
        }
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Vec<(Option<char>, String)> {
        let one_line = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
        read_printed(text, &[]).parts.into_iter().map(|(letter, text)| (letter, one_line(text))).collect()
    }

    #[test]
    fn a_solution_is_parted_by_its_twins() {
        let both = [(Some('a'), "1.Bc7 Sb5 2.Kf4 Sxc7".to_string()), (Some('b'), "1.Bg5 Ba7".to_string())];
        assert_eq!(parts("a) 1.Bc7 Sb5  2.Kf4 Sxc7\nb) 1.Bg5 Ba7"), both);
        assert_eq!(parts("\"a)\n1.Bc7 Sb5 2.Kf4 Sxc7\n\nb) wRh1-->a5\n1.Bg5 Ba7\""), both);
        assert_eq!(parts("a) 1.Bc7 Sb5 2.Kf4 Sxc7 +b) h#2.5 1.Bg5 Ba7"), both);
        assert_eq!(parts("1.a1=Q (1...a) 2.b1"), [(None, "1.a1=Q (1...a) 2.b1".to_string())]);
        assert_eq!(parts("I)\n1.Sc8 b8\nII) 1.Sd8 c8"), [(None, "1.Sc8 b8 1.Sd8 c8".to_string())]);
    }

    #[test]
    fn a_change_alone_is_no_solution() {
        let found = parts("a)\n1.Sf6*d5 Kd3-e2\nb) wBe3-->f2\n+c) -wRd5");
        let due = [('a', "1.Sf6*d5 Kd3-e2"), ('b', ""), ('c', "")];
        assert_eq!(found, due.map(|(letter, moves)| (Some(letter), moves.to_string())));
    }

    #[test]
    fn known_twins_may_come_in_any_order() {
        let printed = read_printed("c)\n1.Bc7 Sb5\n\nb)\n1.Bg5 Ba7 c) 1.Kf4", &['b', 'c']);
        let letters: Vec<Option<char>> = printed.parts.iter().map(|(letter, _)| *letter).collect();
        assert_eq!(letters, [Some('c'), Some('b')]);
    }

    #[test]
    fn comments_are_kept_apart() {
        let printed = read_printed("Key: 1.Qa1 {the point} Kb2 {open", &[]);
        assert_eq!(printed.comments, ["the point", "open", "Key:"]);
        assert_eq!(printed.parts[0].1.trim(), "1.Qa1   Kb2");
    }
}
