//! Annotations of a GitHub workflow.

use std::io::{self, Write};

use crate::cli::out::Out;
use crate::cli::out::one_line;
use crate::cli::output::results::{CheckResults, repository_path};
use cpz_text::diagnostic::Severity;

/// Prints workflow commands, which GitHub turns into annotations.
pub fn check(results: &CheckResults<'_>, out: &mut Out) -> io::Result<()> {
    for file in results.files {
        for (finding, severity, _) in file.findings(results.filter) {
            let kind = match severity {
                Severity::Hint => "notice",
                other => other.name(),
            };
            // The values of properties must contain neither commas nor colons.
            let path = escape(repository_path(&file.input.path)).replace(':', "%3A").replace(',', "%2C");
            let ((text, index), span) = (file.shown(), file.shown_span(finding.span));
            let (start, end) = (index.position(text, span.start), index.position(text, span.end));
            writeln!(
                out.stdout,
                "::{kind} file={path},line={},col={},endLine={},endColumn={},title={}::{}",
                start.line + 1,
                start.character + 1,
                end.line + 1,
                end.character + 1,
                finding.code.name(),
                escape(&finding.message),
            )?;
        }
    }
    Ok(())
}

fn escape(text: &str) -> String {
    one_line(&text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A"))
}
