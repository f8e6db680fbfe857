//! Captures in the notation that cpz prints (`d1xb2`), which the language does not have, as lists.

use crate::diagnostic::{Code, Finding, Fix, Span};

/// The finding for captures in printed notation; `None` for other words.
pub fn captures_as_shown(words: &[&str], span: Span, code: Code) -> Option<Finding> {
    let list = captures_in_lists(words)?;
    let finding = Finding::new(code, span, "write captures as a list, as in `[[c1,b2], [b2,d4]]`");
    Some(finding.fix(Fix::new("write it as a list", span, list, false)))
}

/// The list for captures in printed notation: a list of steps for `d1xb2 a2xb2`, a path for `a1:d4:h8`. `None` for
/// other words.
pub(super) fn captures_in_lists(words: &[&str]) -> Option<String> {
    let ways = words.iter().map(|word| way(word)).collect::<Option<Vec<_>>>()?;
    match ways.as_slice() {
        [] => None,
        [path] if path.len() > 2 => Some(format!("[{}]", path.join(", "))),
        steps if steps.iter().all(|step| step.len() == 2) => {
            let steps: Vec<String> = steps.iter().map(|step| format!("[{}]", step.join(", "))).collect();
            Some(format!("[{}]", steps.join(", ")))
        }
        _ => None,
    }
}

/// The squares of `d1xb2`: two or more.
fn way(word: &str) -> Option<Vec<&str>> {
    let square = |s: &&str| matches!(s.as_bytes(), [b'a'..=b'h', b'1'..=b'8']);
    let squares: Vec<&str> = word.trim_end_matches([',', ';']).split(['x', '×', ':', '-']).collect();
    (squares.len() > 1 && squares.iter().all(square)).then_some(squares)
}

#[cfg(test)]
mod tests {
    use super::captures_in_lists;

    #[test]
    fn printed_captures_become_lists() {
        let list = |text: &str| captures_in_lists(&text.split(' ').collect::<Vec<_>>());
        assert_eq!(list("d1xb2 a2xb2").as_deref(), Some("[[d1, b2], [a2, b2]]"));
        assert_eq!(list("a1:d4:h8").as_deref(), Some("[a1, d4, h8]"));
        assert_eq!(list("a1:d4").as_deref(), Some("[[a1, d4]]"));
        for other in ["", "none", "a1", "a1:", "x", "a1:d4:h8 a1:d4", "i1xb2", "[[d1,b2]]", "e8=Q", "8/8"] {
            assert_eq!(list(other), None, "{other}");
        }
    }
}
