//! Characters of word processors, web pages and merge tools in the place of the language's own: curly quotes,
//! full-width punctuation, invisible characters, and the markers of merge conflicts.

use crate::diagnostic::{Code, Edit, Finding, Fix, Span};
use crate::syntax::keywords::Keyword;
use crate::syntax::spelling::is_invisible;

/// The finding for invisible characters, with a fix that removes them and nothing else.
pub(super) fn invisible(text: &str, span: Span) -> Finding {
    let c = text[span.range()].chars().next().map_or(0, u32::from);
    let message = format!("an invisible character (U+{c:04X}) is here, as copying leaves it; delete it");
    // Without it a word behind it might become a comment.
    let safe = !text[span.end as usize..].starts_with("//");
    Finding::new(Code::Syntax, span, message).fix(Fix::new("remove the invisible character", span, "", safe))
}

/// The findings for invisible characters in a word or in the text of a board.
pub(super) fn invisible_within(text: &str, span: Span) -> Vec<Finding> {
    let mut findings = Vec::new();
    let inner = &text[span.range()];
    let mut rest = 0;
    while let Some(at) = inner[rest..].find(is_invisible) {
        let start = rest + at;
        let end = inner[start..].find(|c| !is_invisible(c)).map_or(inner.len(), |n| start + n);
        findings.push(invisible(text, Span::new(span.start + start as u32, span.start + end as u32)));
        rest = end;
    }
    findings
}

/// The bytes of invisible characters at the start of `rest`, if a word goes on behind them.
pub(super) fn invisible_inside_word(rest: &str) -> Option<usize> {
    if !rest.starts_with(is_invisible) {
        return None;
    }
    let n = rest.find(|c| !is_invisible(c))?;
    let ends = |c: char| c.is_whitespace() || c.is_control() || "\"'[]{}(),=（）［］｛｝，".contains(c);
    (!rest[n..].starts_with(ends)).then_some(n)
}

/// The quotes that may close a string which begins with `open`: curly ones, and a straight one where only one end was
/// replaced.
fn closers(open: char) -> &'static [char] {
    match open {
        '“' | '”' => &['”', '“', '"'],
        '„' => &['“', '”', '"'],
        '«' => &['»'],
        '»' => &['«'],
        '‘' | '‚' => &['’', '‘', '\''],
        '"' => &['”', '“'],
        '\'' => &['’'],
        _ => &[],
    }
}

/// The length of a string with a curly quote at its start or at its end. `rest` begins with its opening quote; only the
/// text of a board may span lines, and never a brace.
pub(super) fn curly_string(rest: &str, of_board: bool) -> Option<usize> {
    let open = rest.chars().next()?;
    let closers = closers(open);
    let line = rest.find(['\n', '\r']).unwrap_or(rest.len());
    let end_in = |part: &str| {
        let part = part.split("=>").next().unwrap_or(part);
        let mut places = part.char_indices().skip(1).filter(|(_, c)| closers.contains(c));
        // An apostrophe within a word closes nothing.
        let goes_on = |i: usize, c: char| part[i + c.len_utf8()..].starts_with(char::is_alphanumeric);
        let single = |c: char| matches!(c, '’' | '\'' | '‘');
        places.find(|&(i, c)| !(single(c) && goes_on(i, c))).map(|(i, c)| i + c.len_utf8())
    };
    let brace = rest.find(['{', '}']).unwrap_or(rest.len());
    // A line that begins with a keyword is no row.
    let item = rest.match_indices(['\n', '\r']).map(|(i, _)| i + 1).find(|&i| {
        let word = rest[i..].split_whitespace().next().unwrap_or_default();
        i < brace && Keyword::from_word(word).is_some()
    });
    let brace = item.unwrap_or(brace).min(brace);
    end_in(&rest[..line.min(brace)]).or_else(|| of_board.then(|| end_in(&rest[..brace]))?)
}

/// The edits that make the quotes of a string straight; `None` if a straight quote would end it early.
fn straightened(text: &str, span: Span) -> Option<[Edit; 2]> {
    let whole = &text[span.range()];
    let (open, close) = (whole.chars().next()?, whole.chars().next_back()?);
    let inner = &whole[open.len_utf8()..whole.len() - close.len_utf8()];
    let single = matches!(open, '‘' | '‚' | '\'');
    let quotes = if single { ['\'', '"'] } else { ['"', '\''] };
    let quote = quotes.into_iter().find(|&q| !inner.contains(q))?;
    let edit = |start: u32, end: u32| Edit { span: Span::new(start, end), text: quote.into() };
    let (from, to) = (span.start + open.len_utf8() as u32, span.end - close.len_utf8() as u32);
    Some([edit(span.start, from), edit(to, span.end)])
}

/// Reports a string with curly quotes. All of one puzzle are one finding, whose fix makes them all straight; `first` is
/// its place among the errors.
pub(super) fn report_curly(text: &str, span: Span, errors: &mut Vec<Finding>, first: &mut Option<usize>) {
    const MESSAGE: &str = "these are curly quotes; write straight ones, as in \"name\"";
    let finding = Finding::new(Code::Syntax, span, MESSAGE);
    let Some(edits) = straightened(text, span) else { return errors.push(finding) };
    if let Some(fix) = first.and_then(|i| errors[i].fixes.first_mut()) {
        fix.title = "replace all curly quotes of this puzzle with straight ones".into();
        fix.edits.extend(edits);
        return;
    }
    *first = Some(errors.len());
    let fix = Fix { title: "replace with straight quotes".into(), edits: edits.to_vec(), safe: true };
    errors.push(finding.fix(fix));
}

/// The punctuation of the language for a full-width sign.
pub(super) fn full_width(c: char) -> Option<char> {
    let at = "（）［］｛｝，".chars().position(|x| x == c)?;
    "()[]{},".chars().nth(at)
}

/// The finding for a full-width sign.
pub(super) fn full_width_sign(text: &str, span: Span) -> Finding {
    let c = text[span.range()].chars().next().unwrap_or(' ');
    let plain = full_width(c).unwrap_or(c);
    let message = format!("`{c}` is a full-width sign; write `{plain}`");
    Finding::new(Code::Syntax, span, message).fix(Fix::new(
        format!("replace with `{plain}`"),
        span,
        plain,
        true,
    ))
}

/// The finding for control characters.
pub(super) fn control_character(text: &str, span: Span) -> Finding {
    let c = text[span.range()].chars().next().map_or(0, u32::from);
    let message = format!("the control character U+{c:04X} is not allowed here");
    let inked = |c: Option<char>| c.is_some_and(|c| !c.is_whitespace() && !"{}[],".contains(c));
    let behind = &text[span.end as usize..];
    let between = inked(text[..span.start as usize].chars().next_back()) && inked(behind.chars().next());
    // A space keeps separate what the character separated. The fix is not safe if a word would become a comment, a string
    // might become one of several lines, or a brace might be meant as a bracket.
    let next = behind.trim_start();
    // What is before a `}` may be another part of the text.
    let has_brace = text[..span.start as usize].ends_with('{') || behind.starts_with(['{', '}']);
    let safe = !has_brace && !next.starts_with("//") && !next.starts_with(['"', '\'']);
    let fix = match between {
        true => Fix::new("replace with a space", span, " ", safe),
        false => Fix::new("remove it", span, "", safe),
    };
    Finding::new(Code::Syntax, span, message).fix(fix)
}

/// Where the closing quote of an unclosed string evidently is missing: at the end of its line, or before the brace of
/// its puzzle. `span` is the string.
pub(super) fn missing_quote(text: &str, span: Span, of_board: bool) -> Option<Span> {
    let inner = text[span.range()][1..].trim_end();
    let inner = inner.strip_suffix('{').map_or(inner, str::trim_end);
    let ends = |c: char| "{}[]\"'".contains(c);
    let has_words = inner.chars().any(char::is_alphanumeric);
    if !has_words || inner.contains(ends) || inner.contains("=>") || inner.contains("//") {
        return None;
    }
    let is_keyword = |word: &str| Keyword::from_word(word).is_some();
    if inner.split_whitespace().any(is_keyword) {
        return None;
    }
    // The text of a board may go on in the next line.
    let next = text[span.end as usize..].split_whitespace().next().unwrap_or("}");
    let next = next.split('}').next().unwrap_or_default();
    // The word in front of a board may be misspelt.
    let goes_on = if of_board { !next.is_empty() && !is_keyword(next) } else { next.contains("..") };
    (!goes_on).then(|| Span::at(span.start + 1 + inner.len() as u32))
}

/// The fix of a text in single quotes that its apostrophe has closed, `'Don't look'`, so that its last quote, at `close`, opens
/// another one.
pub(super) fn apostrophe(text: &str, close: usize) -> Option<Fix> {
    let from = text[..close].rfind(['\n', '\r', '{', '}', '[', ']', '"']).map_or(0, |at| at + 1);
    let quotes: Vec<usize> = text[from..close].match_indices('\'').map(|(at, _)| from + at).collect();
    let [open, apostrophe] = quotes[..] else { return None };
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphabetic);
    let (before, behind) =
        (|at: usize| text[..at].chars().next_back(), |at: usize| text[at + 1..].chars().next());
    let is_inside = is_letter(before(apostrophe)) && is_letter(behind(apostrophe));
    if !is_inside || before(open).is_some_and(|c| !c.is_whitespace()) || is_letter(behind(close)) {
        return None;
    }
    let double = |at: usize| Edit { span: Span::new(at as u32, at as u32 + 1), text: "\"".into() };
    Some(Fix {
        title: "write the text in double quotes".into(),
        edits: vec![double(open), double(close)],
        safe: false,
    })
}

/// A line of a merge conflict.
pub(super) struct MergeMarker {
    /// The number of bytes from the marker to the end of what is passed over.
    pub length: usize,
    /// The number of bytes of the whole conflict, if it begins here and has no brace; else of the marker's line.
    pub conflict: usize,
}

/// The marker of a merge conflict at an offset, which begins its line. Of a conflict without a brace the first version is
/// read and the second is passed over.
pub(super) fn merge_marker(text: &str, at: usize) -> Option<MergeMarker> {
    let rest = &text[at..];
    let marker = ["<<<<<<<", "|||||||", "=======", ">>>>>>>"].into_iter().find(|m| rest.starts_with(m))?;
    let begins_line = text[..at].trim_end_matches([' ', '\t']);
    let behind = rest[7..].chars().next();
    let stands_alone = behind.is_none_or(char::is_whitespace);
    if !stands_alone || !(begins_line.is_empty() || begins_line.ends_with(['\n', '\r', '}'])) {
        return None;
    }
    let line = rest.find(['\n', '\r']).unwrap_or(rest.len());
    // What is behind a brace may change without this part being read again.
    let end = rest.find(['{', '}']).unwrap_or(rest.len());
    let line_of = |m: &str| {
        let found = rest[..end].match_indices(m).find(|(i, _)| rest[..*i].ends_with(['\n', '\r']));
        found.map(|(i, _)| i + rest[i..].find(['\n', '\r']).unwrap_or(rest.len() - i))
    };
    let last = line_of(">>>>>>>");
    Some(match marker {
        "<<<<<<<" => {
            let whole = last.filter(|&last| line_of("=======").is_some_and(|middle| middle < last));
            MergeMarker { length: line, conflict: whole.unwrap_or(line) }
        }
        "=======" | "|||||||" => MergeMarker { length: last.unwrap_or(line), conflict: line },
        _ => MergeMarker { length: line, conflict: line },
    })
}

/// The finding for a merge conflict.
pub(super) fn merge_conflict(span: Span) -> Finding {
    const MESSAGE: &str = "two versions of this part are here; keep one, and delete the lines that begin with <<<<<<<, ======= and >>>>>>>";
    Finding::new(Code::Syntax, span, MESSAGE)
}
