//! Fixes that may be applied without asking.

use crate::text_edit::{apply, keeps_all_else};
use cpz_text::diagnostic::{Edit, Finding};

/// The most rounds of fixes: one fix may uncover a finding that another can fix.
pub const MAX_FIX_ROUNDS: usize = 10;

/// The edits of the first safe fix of each finding, in order of position. A fix that touches or overlaps an
/// earlier one is left out.
pub fn safe_fixes<'f>(findings: impl Iterator<Item = &'f Finding>) -> Vec<Vec<Edit>> {
    let fixes = findings.filter_map(|f| f.fixes.iter().find(|x| x.safe));
    let mut all: Vec<Vec<Edit>> = fixes.map(|f| f.edits.clone()).collect();
    let start = |edits: &[Edit]| edits.iter().map(|e| e.span.start).min();
    all.sort_by_key(|edits| start(edits));
    let mut end = None;
    all.retain(|edits| {
        let free = end.is_none_or(|e| start(edits) > Some(e));
        if free {
            end = edits.iter().map(|e| e.span.end).max();
        }
        free
    });
    all
}

/// The text after all fixes that change nothing but their own range, and the number of those.
pub fn apply_fixes(text: &str, fixes: &[Vec<Edit>]) -> (String, usize) {
    let edits: Vec<Edit> = fixes.concat();
    let new = apply(text, &edits);
    if keeps_all_else(text, &edits, &new) {
        return (new, fixes.len());
    }
    // Find the fixes that change more by bisection.
    match fixes.len() {
        0 | 1 => (text.to_string(), 0),
        n => {
            // The later half first, so that the offsets of the earlier half stay valid.
            let (late, a) = apply_fixes(text, &fixes[n / 2..]);
            let (both, b) = apply_fixes(&late, &fixes[..n / 2]);
            (both, a + b)
        }
    }
}
