//! Fixes that may be applied without asking.

use cpz_text::diagnostic::{Edit, Finding};

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
