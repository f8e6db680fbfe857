//! `cpz schema`

use std::io::{self, Write};

use crate::cli::args::{Schema, SchemaOf};
use crate::cli::out::{DONE, Out};

/// Prints a JSON schema.
pub fn run(args: &Schema, out: &mut Out) -> io::Result<u8> {
    let text = match args.of {
        SchemaOf::Check => include_str!("../../../docs/schema/check.schema.json"),
        SchemaOf::Solve => include_str!("../../../docs/schema/solve.schema.json"),
        SchemaOf::Repair => include_str!("../../../docs/schema/repair.schema.json"),
        SchemaOf::Rate => include_str!("../../../docs/schema/rate.schema.json"),
        SchemaOf::Hint => include_str!("../../../docs/schema/hint.schema.json"),
        SchemaOf::Stats => include_str!("../../../docs/schema/stats.schema.json"),
        SchemaOf::Export => include_str!("../../../docs/schema/export.schema.json"),
        SchemaOf::Lines => include_str!("../../../docs/schema/lines.schema.json"),
        SchemaOf::Config => include_str!("../../../docs/schema/config.schema.json"),
        SchemaOf::Baseline => include_str!("../../../docs/schema/baseline.schema.json"),
    };
    out.stdout.write_all(text.as_bytes()).map(|()| DONE)
}
