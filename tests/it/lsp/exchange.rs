//! Files of other programs, for editors without a disk.

use crate::harness::client::Client;
use serde_json::{Value, json};

#[test]
fn files_of_other_programs_are_imported_and_exported() {
    let mut c = Client::new(None, "utf-16");
    assert_eq!(c.capabilities["experimental"]["requests"], json!(["cpz/import", "cpz/export"]));
    let pgn = "[Event \"Mate\"]\n[FEN \"7k/8/5KQ1/8/8/8/8/8 w - - 0 1\"]\n[SetUp \"1\"]\n\n1. Qg7# *\n\n\
               [Event \"A whole game\"]\n\n1. e4 e5 *\n";
    let imported = c.call("cpz/import", json!({"name": "mates.pgn", "text": pgn}));
    let text = imported["text"].as_str().unwrap();
    assert!(text.starts_with("chess {\n  source \"Mate\"\n"), "{text}");
    let notices = imported["notices"].as_array().unwrap();
    assert_eq!(notices.len(), 1);
    assert!(notices[0].as_str().unwrap().starts_with("line 7: "), "{notices:?}");

    let uri = "untitled:mates.cpz";
    c.open(uri, text);
    assert_eq!(c.findings(uri, Some(1)), Vec::<Value>::new());
    let document = json!({"uri": uri});
    let exported = c.call("cpz/export", json!({"textDocument": document, "to": "fen"}));
    assert_eq!(
        (&exported["text"], &exported["data"]),
        (&json!("7k/8/5KQ1/8/8/8/8/8 w - - 0 1\n"), &Value::Null)
    );
    // The bytes of a zip archive begin with `PK`, 3 and 4.
    let cards = c.call("cpz/export", json!({"textDocument": document, "to": "anki", "time": 1_700_000_000}));
    assert!(cards["text"] == "" && cards["data"].as_str().unwrap().starts_with("UEsDB"), "{cards}");
    c.finish();
}

#[test]
fn an_export_says_which_answers_take_long_and_solves_on_request() {
    let mut c = Client::new(None, "utf-16");
    let uri = "untitled:long.cpz";
    c.open(uri, "chess { board 8/B7/4R1P1/4KR2/8/7k/8/N5b1 w - - 0 1 mate in 4 }\n");
    assert_eq!(c.findings(uri, Some(1)), Vec::<Value>::new());
    let mut export = |solve: bool| {
        let params = json!({"textDocument": {"uri": uri}, "to": "json", "solve": solve});
        let exported = c.call("cpz/export", params);
        let file: Value = serde_json::from_str(exported["text"].as_str().expect("a text")).expect("JSON");
        (exported["open"].clone(), file["puzzles"][0]["queries"][0]["answer"].clone())
    };
    let (open, answer) = export(false);
    assert_eq!(open, "1 answer needs a longer search");
    assert!(answer["undecided"].is_string(), "{answer}");
    let (open, answer) = export(true);
    assert_eq!((open, &answer["keys"][0]["san"]), (Value::Null, &json!("Bxg1")));
    c.finish();
}

#[test]
fn captions_are_those_of_a_magazine() {
    let mut c = Client::new(None, "utf-16");
    let uri = "untitled:a.cpz";
    c.open(
        uri,
        "author \"A. Author\"\nsource \"Paper\"\nchess \"Twins\" {\n  x-year 1999\n  x-award \"2nd prize\"\n  \
         board 7k/8/5K2/8/8/8/8/R7\n  h#2\n  twin b: a1 to b1\n}\nsolitaire { board NR.. solve }\n",
    );
    c.findings(uri, Some(1));
    let found = c.call("cpz/captions", json!({"textDocument": {"uri": uri}}));
    let without_range = |mut one: Value| {
        one.as_object_mut().expect("an object").remove("range").expect("a range");
        one
    };
    let twins = json!({
        "authors": "A. Author", "source": "Paper, 1999", "award": "2nd prize", "signs": "h#2", "men": "(2+1)", "asked": [],
        "below": ["b) wRa1→b1"],
    });
    let other = json!({
        "authors": "A. Author", "source": "Paper", "award": "", "signs": "", "men": "", "asked": ["solve"], "below": [],
    });
    assert_eq!(found[0]["range"]["start"], json!({"line": 2, "character": 0}));
    let found: Vec<Value> = found.as_array().expect("captions").iter().cloned().map(without_range).collect();
    assert_eq!(found, [twins, other]);
    c.finish();
}

#[test]
fn exchange_of_unknown_formats_is_refused_with_the_known_ones() {
    let mut c = Client::new(None, "utf-16");
    let asked =
        c.ask("cpz/import", json!({"name": "prose.txt", "text": "It was a dark and stormy night.\n"}));
    let wrong = c.answer(asked);
    assert!(wrong["error"]["message"].as_str().unwrap().contains("fen, epd, pgn"), "{wrong}");
    let uri = "untitled:a.cpz";
    c.open(uri, "");
    c.findings(uri, Some(1));
    let asked = c.ask("cpz/export", json!({"textDocument": {"uri": uri}, "to": "doc"}));
    let wrong = c.answer(asked);
    assert!(
        wrong["error"]["message"].as_str().unwrap().contains("there is no format to export `doc`"),
        "{wrong}"
    );
    c.finish();
}
