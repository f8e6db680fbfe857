//! Statistics as tables, and as the document of `cpz stats --format json`. Its schema is `docs/schema/stats.schema.json`.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use cpz_check::authoring::{Soundness, Statistics};
use cpz_rules::board::Size;

/// A table of statistics.
pub struct StatisticsTable {
    /// Its name in the document.
    pub name: &'static str,
    /// Its title for people.
    pub title: &'static str,
    /// What was counted, and how often.
    pub rows: Vec<(String, usize)>,
}

/// The tables in order.
pub fn statistics_tables(statistics: &Statistics) -> Vec<StatisticsTable> {
    let size = |&(w, h, d): &(u8, u8, u8)| Size { w, h, d }.to_string();
    let sound = |sound: &Soundness| (sound.word().to_string(), statistics.soundness.get(sound).copied());
    let table = |name, title, rows| StatisticsTable { name, title, rows };
    vec![
        table("games", "game", rows(&statistics.games, |game| game.word().into())),
        table("sizes", "size", rows(&statistics.sizes, size)),
        table("pieces", "pieces", rows(&statistics.pieces, ToString::to_string)),
        table("kinds", "kind of piece", rows(&statistics.kinds, |kind| kind.name().into())),
        table("difficulty", "difficulty", rows(&statistics.difficulty, ToString::to_string)),
        table(
            "soundness",
            "soundness",
            Soundness::ALL.iter().map(sound).filter_map(|(word, n)| Some((word, n?))).collect(),
        ),
        table("findings", "finding", rows(&statistics.codes, |code| code.name().into())),
    ]
}

fn rows<K>(table: &BTreeMap<K, usize>, name: impl Fn(&K) -> String) -> Vec<(String, usize)> {
    table.iter().map(|(key, n)| (name(key), *n)).collect()
}

/// The document about so many files.
pub fn statistics_document(files: usize, statistics: &Statistics) -> Value {
    let mut document = Map::new();
    document.insert("version".into(), json!(1));
    document.insert("files".into(), json!(files));
    document.insert("puzzles".into(), json!(statistics.puzzles));
    for table in statistics_tables(statistics) {
        let rows = table.rows.into_iter().map(|(name, n)| (name, json!(n)));
        document.insert(table.name.into(), Value::Object(rows.collect()));
    }
    Value::Object(document)
}
