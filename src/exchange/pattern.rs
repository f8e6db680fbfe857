//! Patterns for names: `*` stands for any text, `?` for a character, `[a-c]` for one of several, `{one,two}` for one of
//! several texts, and `\` makes the next character an ordinary one. A name that is written out fits, whatever is in it.
//!
//! Not `globset`, whose patterns are for paths of files: there `?` is a byte, and a library for regular expressions, a
//! tenth of the module for browsers, compares them.

use std::iter::Peekable;
use std::str::Chars;

/// How many braces may be inside each other, so that no pattern overflows the call stack.
const MAX_DEPTH: usize = 50;

#[derive(Clone)]
enum Part {
    Character(char),
    AnyCharacter,
    AnyText,
    /// One of several ranges of characters, or none of them.
    Class {
        negated: bool,
        ranges: Vec<(char, char)>,
    },
    OneOf(Vec<Vec<Part>>),
}

/// A pattern that a whole name fits or not.
#[derive(Clone)]
pub(crate) struct Pattern {
    parts: Vec<Part>,
    written: String,
}

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn new(pattern: &str) -> Result<Pattern, String> {
        let mut rest = pattern.chars().peekable();
        let parts = sequence(&mut rest, 0)?;
        match rest.next() {
            None => Ok(Pattern { parts, written: pattern.into() }),
            Some(_) => Err("`}` has no `{` before it".into()),
        }
    }

    /// Whether a name fits.
    pub(crate) fn fits(&self, name: &str) -> bool {
        if name == self.written {
            return true;
        }
        let name: Vec<char> = name.chars().collect();
        let mut reached = vec![false; name.len() + 1];
        reached[0] = true;
        ends(&self.parts, &name, reached)[name.len()]
    }
}

/// The places in a name where parts can end which begin at one of the places `reached`. The work is the length of the pattern
/// times that of the name, whatever they are.
fn ends(parts: &[Part], name: &[char], mut reached: Vec<bool>) -> Vec<bool> {
    for part in parts {
        reached = match part {
            Part::AnyText => {
                let first = reached.iter().position(|&is_reached| is_reached).unwrap_or(reached.len());
                (0..reached.len()).map(|place| place >= first).collect()
            }
            Part::OneOf(texts) => {
                let mut all = vec![false; reached.len()];
                for text in texts {
                    let of_text = ends(text, name, reached.clone());
                    all.iter_mut().zip(of_text).for_each(|(all, one)| *all |= one);
                }
                all
            }
            one => {
                let fitting = name.iter().map(|&c| one.takes(c));
                let moved = fitting.zip(&reached).map(|(fits, &is_reached)| fits && is_reached);
                std::iter::once(false).chain(moved).collect()
            }
        };
    }
    reached
}

impl Part {
    /// Whether a part for one character takes this one.
    fn takes(&self, c: char) -> bool {
        match self {
            Part::Character(own) => *own == c,
            Part::Class { negated, ranges } => {
                ranges.iter().any(|&(first, last)| (first..=last).contains(&c)) != *negated
            }
            Part::AnyCharacter | Part::AnyText | Part::OneOf(_) => true,
        }
    }
}

/// Reads to the end, or within braces to the comma or brace that ends a text.
fn sequence(rest: &mut Peekable<Chars<'_>>, depth: usize) -> Result<Vec<Part>, String> {
    let mut parts = Vec::new();
    while let Some(&c) = rest.peek() {
        if c == '}' || c == ',' && depth > 0 {
            break;
        }
        rest.next();
        parts.push(match c {
            '?' => Part::AnyCharacter,
            '*' => Part::AnyText,
            '[' => {
                let mut inside = rest.clone();
                match class(&mut inside)? {
                    Some(class) => {
                        *rest = inside;
                        class
                    }
                    None => Part::Character('['),
                }
            }
            '{' => one_of(rest, depth + 1)?,
            '\\' => Part::Character(rest.next().ok_or("`\\` has no character after it")?),
            c => Part::Character(c),
        });
    }
    Ok(parts)
}

/// Reads `one,two}`. A text without characters is left out.
fn one_of(rest: &mut Peekable<Chars<'_>>, depth: usize) -> Result<Part, String> {
    if depth > MAX_DEPTH {
        return Err(format!("more than {MAX_DEPTH} braces are inside each other"));
    }
    let mut texts = Vec::new();
    loop {
        texts.push(sequence(rest, depth)?);
        match rest.next() {
            Some(',') => {}
            Some(_) => break,
            None => return Err("`{` has no `}` after it".into()),
        }
    }
    if texts.iter().any(|text| !text.is_empty()) {
        texts.retain(|text| !text.is_empty());
    }
    Ok(Part::OneOf(texts))
}

/// Reads `a-c]`; nothing where the bracket is not closed, which then stands for itself. A bracket that comes first, and a hyphen
/// that comes first or last, do so too.
fn class(rest: &mut Peekable<Chars<'_>>) -> Result<Option<Part>, String> {
    let negated = rest.next_if(|&c| c == '!' || c == '^').is_some();
    let mut ranges = Vec::new();
    loop {
        let Some(first) = rest.next() else { return Ok(None) };
        if first == ']' && !ranges.is_empty() {
            return Ok(Some(Part::Class { negated, ranges }));
        }
        let mut last = first;
        if rest.next_if_eq(&'-').is_some() {
            match rest.peek() {
                Some(']') => ranges.push(('-', '-')),
                _ => match rest.next() {
                    Some(end) => last = end,
                    None => return Ok(None),
                },
            }
        }
        if last < first {
            return Err(format!("`{first}-{last}` goes backwards"));
        }
        ranges.push((first, last));
    }
}

#[cfg(test)]
mod tests {
    use super::Pattern;

    /// Each line: a pattern, names that fit, a bar, names that do not.
    const PATTERNS: &str = "
        four four | Four fours fou
        F?ur Four Füur | Fur Foour
        F?r Für | Fr Füür
        corner-* corner- corner-1 | corner 1-corner-1
        *a*b ab aab xaxb a/b | ba abc
        [ab] a b | c ab
        [a-cx] a c x | d -
        [!a-c] d ü | a c dd
        [^a] b | a
        []a] ] a | b
        [a-] a - | b
        [-a] - a | b
        [äöü]* ä über | a
        {one,two} one two {one,two} | three one,two
        x{1,2{a,b}}y x1y x2ay x2by | xy x2y x12ay
        x{,1} x1 | x
        x{} x | x1
        a,b a,b | a
        \\* * | a
        \\{a {a | a
        **a a ba | b
        [a [a | a
        [a*b [ab [axb | ab
        [] [] | x
        [a- [a- | a
    ";

    #[test]
    fn patterns_fit_whole_names() {
        for line in PATTERNS.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let (pattern, names) = line.split_once(' ').unwrap();
            let (fitting, others) = names.split_once('|').unwrap();
            let pattern = Pattern::new(pattern).unwrap();
            for name in fitting.split_whitespace() {
                assert!(pattern.fits(name), "{name} should fit: {line}");
            }
            for name in others.split_whitespace() {
                assert!(!pattern.fits(name), "{name} should not fit: {line}");
            }
        }
        assert!(Pattern::new("*").unwrap().fits(""));
        assert!(Pattern::new("Set [1]").unwrap().fits("Set [1]"));
    }

    #[test]
    fn wrong_patterns_have_a_reason() {
        let deep = "{".repeat(100_000);
        let wrong = [
            ("[c-a]", "`c-a` goes backwards"),
            ("{a,b", "`{` has no `}` after it"),
            ("a}", "`}` has no `{` before it"),
            ("a\\", "`\\` has no character after it"),
            (&deep, "more than 50 braces are inside each other"),
        ];
        for (pattern, why) in wrong {
            assert_eq!(Pattern::new(pattern).err().as_deref(), Some(why), "{pattern}");
        }
    }

    #[test]
    fn long_patterns_take_no_exponential_time() {
        let pattern = Pattern::new(&"*a{b,*}".repeat(200)).unwrap();
        assert!(!pattern.fits(&"a".repeat(150)));
    }
}
