//! The command line: exit codes, paths, formats, and the commands that write.

mod answering_lines;
mod authoring;
mod check_formats;
mod converting;
mod diffing;
mod exit_codes;
mod exporting;
mod formatting;
mod importing;
#[cfg(unix)]
mod interrupting;
mod other_commands;
mod other_formats;
mod paths_and_folders;
mod refusals;
mod rewriting;
mod solving;
mod writing_answers;
mod writing_files;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::harness::{
    CODES, Range, answers, check, dense, findings, folder, lines, path_separator, read, run, run_with, solve,
};
use serde_json::{Value, json};

/// Clean, and one puzzle with one query.
const CLEAN: &str = "solitaire { board ...N.....R....B. solve }\n";
/// One error, on the second line.
const BROKEN: &str = "solitaire {\n  board R....N.......... solve\n}\n";
/// One warning.
const ODD: &str = "chess { board 4k3/8/8/8/8/8/8/4R1K1 mate => none }\n";
/// Every game, most formats, comments everywhere, and an odd layout.
const MIXED: &str = r#"// A collection.
author   "A. N. Other"   // its author

// The first one.
solitaire "One" {   // opened
      board   ...N .... .R.. ..B.      // four rows
  solve      // first
  count // second
}
solitaire "Wide" { size 3x2 board R.B.N. solve }

chess "Two" { // chess
  board 8/8/8/4k3/8/8/8/4K2R b - - 0 1 // black to move
  mate // nothing
  move   ["W","R",8,2]  // up
}
chess3d "Three" { board [###,n##,#rr],[#b#,###,###],[###,###,bRK] mate }
draughts "Four" {
  board [["W","K",1,1], ["B","M",3,3], ["B","M",5,5]]
    capture // both
}
// The end.
"#;

/// A frame of Zstandard that holds a short text as it is.
fn zstandard_frame(text: &str) -> Vec<u8> {
    let length = text.len() as u8;
    // The mark, a single segment with its length in one byte, and one last block that is not compressed.
    let head = [0x28, 0xB5, 0x2F, 0xFD, 0x20, length, length << 3 | 1, length >> 5, 0];
    [&head[..], text.as_bytes()].concat()
}

fn paths(json: &Value) -> Vec<String> {
    json["files"]
        .as_array()
        .expect("files")
        .iter()
        .map(|file| file["path"].as_str().expect("a path").replace(path_separator(), "/"))
        .collect()
}

fn keys(value: &Value) -> BTreeSet<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

fn set<const N: usize>(names: [&str; N]) -> BTreeSet<&str> {
    names.into_iter().collect()
}

/// Whether all of `small` stands in `large`, in order.
fn woven(small: &str, large: &str) -> bool {
    let mut rest = large.chars();
    small.chars().all(|c| rest.any(|other| other == c))
}

/// The documents of the contract, letter for letter, their keys in its order.
#[test]
fn json_documents_match_the_contract() {
    let text = "solitaire { board .....B..RP.....N solve count }\nchess { board 4k3/8/8/8/8/8/8/4K2R move Rg3 => illegal move Rh2 }\n\
                chess3d { board [##,r#],[##,#K] mate }\ndraughts { board [[\"W\",\"M\",1,1], [\"B\",\"M\",2,2]] capture }\n";
    let dir = folder(&[("a.cpz", text)]);
    let out = run(dir.path(), &["solve", "--format", "json", "a.cpz"]).exits(0).stdout;
    for wanted in [
        r#"{"version":1,"files":[{"path":"a.cpz","puzzles":[{"id":null,"name":null,"game":"solitaire","range":{"start":{"line":0,"character":0},"end":{"line":0,"character":48}},"queries":[{"verb":"solve","range":"#,
        r#""answer":{"solvable":true,"moves":[[[3,0],[1,1]],[[0,1],[1,1]],[[1,1],[1,2]]]}}"#,
        r#""answer":{"count":"1","distinct":"1"}}"#,
        r#""answer":{"legal":false,"reason":"the rook on h1 does not reach g3"}}"#,
        r#""answer":{"legal":true,"reason":null}}"#,
        r#""answer":{"status":"none","side":"white"}}"#,
        r#""answer":{"captures":[{"path":[[1,1],[3,3]],"taken":[[2,2]]}],"pieces":[{"square":[2,2],"verdict":"directly"}]}}"#,
    ] {
        assert!(out.contains(wanted), "{wanted}\n{out}");
    }
    let out = run(dir.path(), &["check", "--format", "json", "a.cpz"]).exits(0).stdout;
    let clean = r#"{"version":1,"files":[{"path":"a.cpz","diagnostics":[]}],"summary":{"files":1,"puzzles":4,"queries":6,"errors":0,"warnings":0}}"#;
    assert_eq!(out.trim_end(), clean);
}
