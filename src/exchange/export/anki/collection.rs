//! The database of a package: one row about the collection, the notes, and a card for each.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use super::note::{FIELDS, Note};
use super::sqlite::{Table, Value, database};

/// The id of the note type. Anki knows the type by it when a package is imported again, so it must not change as long as the
/// fields and the templates do not.
const NOTE_TYPE: i64 = 1_764_150_000_000;
/// The id of the first deck; the ids of others are above it. Anki finds a deck by its name.
const FIRST_DECK: i64 = 1_764_150_000_001;

const FRONT: &str = "\
<div class=\"title\">{{Title}}</div>
{{Board}}
<div class=\"question\">{{Question}}</div>
{{#Hints}}<div class=\"hints\">{{hint:Hints}}</div>{{/Hints}}";

const BACK: &str = "\
<div class=\"title\">{{Title}}</div>
{{Board}}
<div class=\"question\">{{Question}}</div>
<hr id=\"answer\">
<div class=\"solution\">{{Solution}}</div>
{{#About}}<div class=\"about\">{{About}}</div>{{/About}}";

const STYLE: &str = "\
.card { font: 20px/1.4 system-ui, sans-serif; text-align: center; overflow-wrap: anywhere; }
.title { margin-bottom: 0.4em; font-size: 1.2em; font-weight: bold; }
img { width: min(400px, 100%); height: auto; }
.question { margin-top: 0.4em; }
.hints { margin-top: 0.4em; font-size: 0.8em; }
.solution { font-size: 1.1em; }
.about { margin-top: 0.8em; font-size: 0.8em; opacity: 0.8; }
";

const COL: &str = "CREATE TABLE col (id integer PRIMARY KEY, crt integer NOT NULL, mod integer NOT NULL, \
    scm integer NOT NULL, ver integer NOT NULL, dty integer NOT NULL, usn integer NOT NULL, ls integer NOT NULL, \
    conf text NOT NULL, models text NOT NULL, decks text NOT NULL, dconf text NOT NULL, tags text NOT NULL)";
// Anki declares `sfld` as an integer, so that numbers are sorted; a title that is one would have to be stored as one.
const NOTES: &str = "CREATE TABLE notes (id integer PRIMARY KEY, guid text NOT NULL, mid integer NOT NULL, \
    mod integer NOT NULL, usn integer NOT NULL, tags text NOT NULL, flds text NOT NULL, sfld text NOT NULL, \
    csum integer NOT NULL, flags integer NOT NULL, data text NOT NULL)";
const CARDS: &str = "CREATE TABLE cards (id integer PRIMARY KEY, nid integer NOT NULL, did integer NOT NULL, \
    ord integer NOT NULL, mod integer NOT NULL, usn integer NOT NULL, type integer NOT NULL, queue integer NOT NULL, \
    due integer NOT NULL, ivl integer NOT NULL, factor integer NOT NULL, reps integer NOT NULL, \
    lapses integer NOT NULL, left integer NOT NULL, odue integer NOT NULL, odid integer NOT NULL, \
    flags integer NOT NULL, data text NOT NULL)";
const REVLOG: &str = "CREATE TABLE revlog (id integer PRIMARY KEY, cid integer NOT NULL, usn integer NOT NULL, \
    ease integer NOT NULL, ivl integer NOT NULL, lastIvl integer NOT NULL, factor integer NOT NULL, \
    time integer NOT NULL, type integer NOT NULL)";
const GRAVES: &str =
    "CREATE TABLE graves (usn integer NOT NULL, oid integer NOT NULL, type integer NOT NULL)";

/// The database of these notes. `time` is when they were written, in seconds since 1970: Anki updates a note that it has
/// only by one that is newer.
pub(super) fn collection(notes: &[Note], time: i64) -> Vec<u8> {
    let mut decks: BTreeMap<&str, i64> = BTreeMap::new();
    for note in notes {
        let next = FIRST_DECK + decks.len() as i64;
        decks.entry(&note.deck).or_insert(next);
    }
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut note_rows, mut card_rows) = (Vec::new(), Vec::new());
    for (nth, note) in (1..).zip(notes) {
        // Ids are times in milliseconds, which Anki shows.
        let id = time.saturating_mul(1000).saturating_add(nth);
        let copies = seen.entry(&note.guid).and_modify(|n| *n += 1).or_insert(1);
        let guid = if *copies == 1 { note.guid.clone() } else { format!("{}-{copies}", note.guid) };
        note_rows.push((id, note_row(note, guid, time)));
        card_rows.push((id, card_row(id, decks[note.deck.as_str()], nth, time)));
    }
    database(&[
        Table { name: "col", sql: COL, rows: vec![(1, collection_row(&decks, time))] },
        Table { name: "notes", sql: NOTES, rows: note_rows },
        Table { name: "cards", sql: CARDS, rows: card_rows },
        Table { name: "revlog", sql: REVLOG, rows: Vec::new() },
        Table { name: "graves", sql: GRAVES, rows: Vec::new() },
    ])
}

fn note_row(note: &Note, guid: String, time: i64) -> Vec<Value> {
    let tags = if note.tags.is_empty() { String::new() } else { format!(" {} ", note.tags.join(" ")) };
    vec![
        Value::Null,
        Value::Text(guid),
        Value::Integer(NOTE_TYPE),
        Value::Integer(time),
        Value::Integer(-1),
        Value::Text(tags),
        Value::Text(note.fields.join("\x1f")),
        Value::Text(note.title.clone()),
        // Anki computes the check sum of the first field when it imports the note.
        Value::Integer(0),
        Value::Integer(0),
        Value::Text(String::new()),
    ]
}

/// A card that is new, the `nth` of the collection.
fn card_row(note: i64, deck: i64, nth: i64, time: i64) -> Vec<Value> {
    let mut row = vec![Value::Null];
    // Note, deck, template, time, not synchronised, type and queue of new cards, place in the queue.
    row.extend([note, deck, 0, time, -1, 0, 0, nth].map(Value::Integer));
    // Interval, ease, reviews, lapses, steps left, and the place before a filtered deck; no flag.
    row.extend([0; 8].map(Value::Integer));
    row.push(Value::Text(String::new()));
    row
}

fn collection_row(decks: &BTreeMap<&str, i64>, time: i64) -> Vec<Value> {
    let text = |json: Json| Value::Text(json.to_string());
    let mut all = serde_json::Map::new();
    all.insert("1".into(), deck(1, "Default", time));
    all.extend(decks.iter().map(|(name, id)| (id.to_string(), deck(*id, name, time))));
    let configuration = json!({
        "activeDecks": [1], "addToCur": true, "collapseTime": 1200, "curDeck": 1, "curModel": NOTE_TYPE.to_string(),
        "dueCounts": true, "estTimes": true, "newSpread": 0, "nextPos": 1, "sortBackwards": false,
        "sortType": "noteFld", "timeLim": 0,
    });
    let options = json!({ "1": {
        "autoplay": true, "id": 1, "maxTaken": 60, "mod": 0, "name": "Default", "replayq": true, "timer": 0, "usn": 0,
        "lapse": { "delays": [10], "leechAction": 0, "leechFails": 8, "minInt": 1, "mult": 0 },
        "new": {
            "bury": true, "delays": [1, 10], "initialFactor": 2500, "ints": [1, 4, 7], "order": 1, "perDay": 20,
            "separate": true,
        },
        "rev": { "bury": true, "ease4": 1.3, "fuzz": 0.05, "ivlFct": 1, "maxIvl": 36500, "minSpace": 1, "perDay": 100 },
    } });
    let mut row = vec![Value::Null];
    // Made, changed, the schema of this collection, that of Anki, and not synchronised.
    let times = [time, time.saturating_mul(1000), time.saturating_mul(1000)];
    row.extend(times.into_iter().chain([11, 0, 0, 0]).map(Value::Integer));
    row.extend(
        [configuration, json!({ NOTE_TYPE.to_string(): note_type(time) }), Json::Object(all), options]
            .map(text),
    );
    row.push(Value::Text("{}".into()));
    row
}

fn deck(id: i64, name: &str, time: i64) -> Json {
    json!({
        "collapsed": false, "conf": 1, "desc": "", "dyn": 0, "extendNew": 10, "extendRev": 50, "id": id,
        "lrnToday": [0, 0], "mod": time, "name": name, "newToday": [0, 0], "revToday": [0, 0], "timeToday": [0, 0],
        "usn": -1,
    })
}

fn note_type(time: i64) -> Json {
    let field = |(ord, name): (usize, &&str)| json!({ "font": "Arial", "media": [], "name": name, "ord": ord, "rtl": false, "size": 20, "sticky": false });
    json!({
        "css": STYLE, "did": FIRST_DECK, "id": NOTE_TYPE, "mod": time, "name": "cpz puzzle", "sortf": 0, "tags": [],
        "type": 0, "usn": -1, "vers": [],
        "flds": FIELDS.iter().enumerate().map(field).collect::<Vec<_>>(),
        "latexPre": "", "latexPost": "",
        "req": [[0, "any", [0, 1, 2]]],
        "tmpls": [{
            "afmt": BACK, "bafmt": "", "bqfmt": "", "did": null, "name": "Puzzle", "ord": 0, "qfmt": FRONT,
        }],
    })
}
