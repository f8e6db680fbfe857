//! The JSON schemas. They are here and not in a layer, because the package of a crate has only what is below its folder.

use crate::Error;

/// A JSON schema.
#[derive(Clone, Copy, Debug)]
pub struct JsonSchema {
    /// Its name on the command line.
    pub name: &'static str,
    /// The document that it describes.
    pub describes: &'static str,
    /// The schema itself.
    pub text: &'static str,
}

/// The schemas of all documents that cpz writes and reads.
#[rustfmt::skip] // One line a schema.
pub const SCHEMAS: [JsonSchema; 11] = [
    JsonSchema { name: "check", describes: "What `check --format json` prints", text: include_str!("../docs/schema/check.schema.json") },
    JsonSchema { name: "solve", describes: "What `solve --format json` prints", text: include_str!("../docs/schema/solve.schema.json") },
    JsonSchema { name: "repair", describes: "What `repair --format json` prints", text: include_str!("../docs/schema/repair.schema.json") },
    JsonSchema { name: "rate", describes: "What `rate --format json` prints", text: include_str!("../docs/schema/rate.schema.json") },
    JsonSchema { name: "hint", describes: "What `hint --format json` prints", text: include_str!("../docs/schema/hint.schema.json") },
    JsonSchema { name: "stats", describes: "What `stats --format json` prints", text: include_str!("../docs/schema/stats.schema.json") },
    JsonSchema { name: "diff", describes: "What `diff --format json` prints", text: include_str!("../docs/schema/diff.schema.json") },
    JsonSchema { name: "export", describes: "What `export --to json` writes", text: include_str!("../docs/schema/export.schema.json") },
    JsonSchema { name: "lines", describes: "A line that `lines` prints", text: include_str!("../docs/schema/lines.schema.json") },
    JsonSchema { name: "config", describes: "A cpz.toml", text: include_str!("../docs/schema/config.schema.json") },
    JsonSchema { name: "baseline", describes: "A baseline", text: include_str!("../docs/schema/baseline.schema.json") },
];

/// The JSON schema of a document, as `cpz schema` prints it.
///
/// ```
/// assert!(cpz::schema("check")?.contains("json-schema.org"));
/// # Ok::<(), cpz::Error>(())
/// ```
///
/// # Errors
/// There is no schema of this name.
pub fn schema(of: &str) -> Result<&'static str, Error> {
    let found = SCHEMAS.iter().find(|schema| schema.name == of);
    found.map(|schema| schema.text).ok_or_else(|| {
        let names = SCHEMAS.map(|schema| schema.name).join(", ");
        Error::from(format!("there is no schema `{of}`; choose one of {names}"))
    })
}
