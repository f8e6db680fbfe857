//! Reports for other programs: SARIF and the annotations of GitHub's workflows.

use std::io::{self, Write};

use rustc_hash::FxHashMap;
use serde::Serialize;
use serde_json::json;

use crate::analysis::code_docs;
use crate::cli::commands::check::{Checked, Wanted};
use crate::cli::inputs::plain;
use crate::cli::{Out, baseline};
use crate::diagnostic::{Code, Severity, Span};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Result<'a> {
    rule_id: &'a str,
    rule_index: usize,
    level: &'a str,
    message: Message<'a>,
    locations: Vec<Location<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location<'a>>,
    partial_fingerprints: Fingerprints,
}

/// What a finding is recognised by after other lines have come or gone.
#[derive(Serialize)]
struct Fingerprints {
    #[serde(rename = "cpzPuzzle/v1")]
    puzzle: String,
}

#[derive(Serialize)]
struct Message<'a> {
    text: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location<'a> {
    physical_location: Physical,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: Artifact,
    region: Region,
}

#[derive(Serialize)]
struct Artifact {
    uri: String,
}

/// 1-based lines and columns in UTF-16 units, the end exclusive.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    start_column: u32,
    end_line: u32,
    end_column: u32,
}

fn region(file: &Checked, span: Span) -> Region {
    let at = |o| file.index.position(&file.input.text, o);
    let (start, end) = (at(span.start), at(span.end));
    Region {
        start_line: start.line + 1,
        start_column: start.character + 1,
        end_line: end.line + 1,
        end_column: end.character + 1,
    }
}

/// A path as a URI reference: what could be mistaken in one is percent-encoded.
fn uri(path: &str) -> String {
    let mut out = String::new();
    let path = if cfg!(windows) { path.replace('\\', "/") } else { path.to_string() };
    for b in path.bytes() {
        match b {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => out.push(b as char),
            _ => out.push_str(&format!("%{b:02X}")),
        }
    }
    out
}

/// A path as it is known in a repository, to whose files findings are matched.
fn below(path: &str) -> &str {
    path.strip_prefix("./").unwrap_or(path)
}

fn location<'a>(file: &'a Checked, span: Span, message: Option<&'a str>) -> Location<'a> {
    let path = below(&file.input.path);
    Location {
        physical_location: Physical {
            artifact_location: Artifact { uri: uri(path) },
            region: region(file, span),
        },
        message: message.map(|text| Message { text }),
    }
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "note",
    }
}

/// Prints a SARIF 2.1.0 log of one run.
pub fn sarif(checked: &[Checked], shown: &Wanted<'_>, out: &mut Out) -> io::Result<()> {
    let rules: Vec<_> = code_docs::TABLE
        .iter()
        .map(|e| {
            json!({
                "id": e.code.name(),
                "shortDescription": { "text": e.title },
                "fullDescription": { "text": e.text },
                "help": { "text": e.text, "markdown": e.page() },
                "defaultConfiguration": { "level": level(e.severity) },
            })
        })
        .collect();
    let mut results = Vec::new();
    for file in checked {
        let mut met: FxHashMap<(Code, String), usize> = FxHashMap::default();
        let mut prints = baseline::Prints::default();
        for (finding, severity, puzzle) in file.shown(shown) {
            let own = prints.of(&file.input.text, finding, puzzle);
            let nth = met.entry((finding.code, own.clone())).or_default();
            *nth += 1;
            let related = finding.related.iter().map(|r| {
                let other = r.file.map_or(file, |f| &checked[f as usize]);
                location(other, r.span, Some(&r.message))
            });
            results.push(Result {
                rule_id: finding.code.name(),
                rule_index: finding.code as usize,
                level: level(severity),
                message: Message { text: &finding.message },
                locations: vec![location(file, finding.span, None)],
                related_locations: related.collect(),
                partial_fingerprints: Fingerprints { puzzle: format!("{own}:{nth}") },
            });
        }
    }
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "cpz", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "columnKind": "utf16CodeUnits",
            "results": results,
        }],
    });
    serde_json::to_writer(&mut out.stdout, &log)?;
    writeln!(out.stdout)
}

/// Prints workflow commands that GitHub turns into annotations.
pub fn github(checked: &[Checked], shown: &Wanted<'_>, out: &mut Out) -> io::Result<()> {
    let escape = |s: &str| plain(&s.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A"));
    for file in checked {
        for (finding, severity, _) in file.shown(shown) {
            let kind = match severity {
                Severity::Hint => "notice",
                other => other.name(),
            };
            let r = region(file, finding.span);
            // The values of properties may hold neither commas nor colons.
            let path = escape(below(&file.input.path)).replace(':', "%3A").replace(',', "%2C");
            writeln!(
                out.stdout,
                "::{kind} file={path},line={},col={},endLine={},endColumn={},title={}::{}",
                r.start_line,
                r.start_column,
                r.end_line,
                r.end_column,
                finding.code.name(),
                escape(&finding.message),
            )?;
        }
    }
    Ok(())
}
