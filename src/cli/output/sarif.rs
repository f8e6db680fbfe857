//! SARIF 2.1.0. The structs have the names and the shapes of the objects in that standard.

use std::io::{self, Write};
use std::path::Path;

use rustc_hash::FxHashMap;
use serde::Serialize;
use serde_json::{Value, json};

use crate::cli::analyse::AnalysedFile;
use crate::cli::baseline::Fingerprints;
use crate::cli::out::Out;
use crate::cli::output::results::{CheckResults, repository_path};
use cpz_check::analysis::code_docs;
use cpz_server::lsp::protocol::uris;
use cpz_text::diagnostic::{Code, Severity, Span, visible};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Result<'a> {
    rule_id: &'a str,
    rule_index: usize,
    level: &'a str,
    message: Message,
    locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location>,
    partial_fingerprints: PartialFingerprints,
}

/// Identifies a finding even if lines are added or removed above it.
#[derive(Serialize)]
struct PartialFingerprints {
    #[serde(rename = "cpzPuzzle/v1")]
    puzzle: String,
}

#[derive(Serialize)]
struct Message {
    text: String,
}

impl Message {
    /// A plain text: braces would be placeholders, and brackets before a parenthesis a link (sections 3.11.5 and 3.11.6
    /// of the standard). Words of a file must be neither.
    fn plain(text: &str) -> Message {
        let mut text = visible(text).replace('{', "{{").replace('}', "}}");
        if text.contains("](") {
            text = text.replace('\\', "\\\\").replace('[', "\\[").replace(']', "\\]");
        }
        Message { text }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: Physical,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message>,
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

/// Lines and columns are 1-based, columns in UTF-16 units; the end is exclusive.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    start_column: u32,
    end_line: u32,
    end_column: u32,
}

fn region(file: &AnalysedFile, span: Span) -> Region {
    let ((text, index), span) = (file.shown(), file.shown_span(span));
    let at = |o| index.position(text, o);
    let (start, end) = (at(span.start), at(span.end));
    Region {
        start_line: start.line + 1,
        start_column: start.character + 1,
        end_line: end.line + 1,
        end_column: end.character + 1,
    }
}

/// A path as a URI reference: characters with a meaning in URIs are percent-encoded.
fn uri(path: &str) -> String {
    if !cfg!(windows) {
        return uris::encode(path);
    }
    // A drive is no folder of a relative reference.
    uris::uri(Path::new(path)).unwrap_or_else(|| uris::encode(&path.replace('\\', "/")))
}

fn location(file: &AnalysedFile, span: Span, message: Option<&str>) -> Location {
    let path = repository_path(&file.input.path);
    Location {
        physical_location: Physical {
            artifact_location: Artifact { uri: uri(path) },
            region: region(file, span),
        },
        message: message.map(Message::plain),
    }
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "note",
    }
}

/// Prints a SARIF log of one run.
pub fn check(results: &CheckResults<'_>, out: &mut Out) -> io::Result<()> {
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "cpz", "version": env!("CARGO_PKG_VERSION"), "rules": rules() } },
            "columnKind": "utf16CodeUnits",
            "results": results_of(results),
        }],
    });
    serde_json::to_writer(&mut out.stdout, &log)?;
    writeln!(out.stdout)
}

/// A rule for each code, in the order of the codes, so that a code is the index of its rule.
fn rules() -> Vec<Value> {
    let rule = |e: &code_docs::Entry| {
        json!({
            "id": e.code.name(),
            "shortDescription": { "text": e.title },
            "fullDescription": { "text": e.text },
            "help": { "text": e.text, "markdown": e.page() },
            "defaultConfiguration": { "level": level(e.severity) },
        })
    };
    code_docs::TABLE.iter().map(rule).collect()
}

fn results_of<'a>(results: &'a CheckResults<'_>) -> Vec<Result<'a>> {
    let mut all = Vec::new();
    for file in results.files {
        // The fingerprint is that of the puzzle, so equal findings of a puzzle are numbered.
        let mut numbers: FxHashMap<(Code, String), usize> = FxHashMap::default();
        let mut fingerprints = Fingerprints::default();
        for (finding, severity, puzzle) in file.findings(results.filter) {
            let fingerprint = fingerprints.of(file, finding, puzzle);
            let number = numbers.entry((finding.code, fingerprint.clone())).or_default();
            *number += 1;
            let related = finding.related.iter().map(|r| {
                let other = r.file.map_or(file, |f| &results.files[f as usize]);
                location(other, r.span, Some(&r.message))
            });
            all.push(Result {
                rule_id: finding.code.name(),
                rule_index: finding.code as usize,
                level: level(severity),
                message: Message::plain(&finding.message),
                locations: vec![location(file, finding.span, None)],
                related_locations: related.collect(),
                partial_fingerprints: PartialFingerprints { puzzle: format!("{fingerprint}:{number}") },
            });
        }
    }
    all
}
