//! `cpz check --fix`

use rustc_hash::FxHashSet;

use crate::cli::analyse::{AnalysedFile, analyse_all};
use crate::cli::atomic_write::replace;
use crate::cli::inputs::{self, STDIN};
use crate::cli::out::report_error;
use crate::cli::write_guard::{refusal, refusal_of_change};
use cpz_check::analysis::Options;
use cpz_ide::{MAX_FIX_ROUNDS, apply_fixes, safe_fixes};

/// The result of fixing files.
pub(super) struct Fixed {
    /// The files with their new texts, analysed again.
    pub files: Vec<AnalysedFile>,
    /// How many fixes were applied.
    pub count: usize,
    /// Whether some file could not be written.
    pub failed: bool,
}

/// Applies the safe fixes of files until none is left, and writes the files. Standard input is not changed, nor are
/// files whose configuration is invalid: it could exclude them.
pub(super) fn fix(mut files: Vec<AnalysedFile>, budget: Option<u64>, force: bool) -> Fixed {
    let mut failed = inputs::report_not_written(files.iter().map(|f| &f.input));
    let mut refused = FxHashSet::default();
    for input in files.iter().map(|f| &f.input).filter(|i| i.file.is_some()) {
        if let Some(why) = refusal(input, force) {
            report_error(&input.path, &why);
            refused.insert(input.path.clone());
        }
    }
    let mut count = 0;
    for _ in 0..MAX_FIX_ROUNDS {
        let mut changed = 0;
        for file in &mut files {
            if refused.contains(&file.input.path) {
                continue;
            }
            match fix_file(file, force) {
                Ok(applied) => changed += applied,
                Err(why) => {
                    report_error(&file.input.path, &why);
                    refused.insert(file.input.path.clone());
                }
            }
        }
        if changed == 0 {
            break;
        }
        count += changed;
        let inputs = files.into_iter().map(|f| f.input).collect();
        files = analyse_all(inputs, &Options::default(), budget, "checking again");
    }
    if files.iter().any(|f| f.input.path == STDIN) {
        report_error(STDIN, "standard input is checked, but not fixed");
    }
    failed |= !refused.is_empty();
    Fixed { files, count, failed }
}

/// Applies the safe fixes of one file and writes it. Returns their number, or why it could not be written.
fn fix_file(file: &mut AnalysedFile, force: bool) -> Result<usize, String> {
    let Some(path) = file.input.file.as_ref().filter(|_| file.input.invalid_config.is_none()) else {
        return Ok(0);
    };
    let fixes = safe_fixes(file.report.findings().into_iter().map(|(finding, _)| finding));
    let (new, applied) = apply_fixes(&file.input.text, &fixes);
    if applied > 0 {
        refusal_of_change(&file.input, force).map_or(Ok(()), Err)?;
        replace(path, &file.input.text, &new)?;
        file.input.text = new;
    }
    Ok(applied)
}
