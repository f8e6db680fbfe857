//! The corpus of tree-sitter, without its command line; and whether its parser is up to date.

use std::fs;

use super::samples::{project, read};
use super::trees::parser;

const FOLDER: &str = "grammar/tree-sitter-cpz";

#[test]
fn tree_sitter_corpus_passes() {
    let mut seen = 0;
    for entry in fs::read_dir(project(FOLDER).join("test/corpus")).expect("a folder").flatten() {
        let text = fs::read_to_string(entry.path()).expect("a text");
        let rule = "=".repeat(20) + "\n";
        let mut parts = text.split(&rule).skip(1);
        while let (Some(title), Some(body)) = (parts.next(), parts.next()) {
            let (input, tree) = body.split_once("\n---\n").expect("a line between text and tree");
            let expected: Vec<&str> = tree.split_whitespace().collect();
            let found = parser().parse(input, None).expect("a tree").root_node().to_sexp();
            assert_eq!(found, expected.join(" ").replace(" )", ")"), "{}", title.trim());
            seen += 1;
        }
    }
    assert!(seen > 9, "{seen}");
}

/// The checksum that `cksum` prints.
fn checksum(bytes: &[u8]) -> u32 {
    let step = |crc: u32, byte: u8| {
        (0..8).fold(crc ^ u32::from(byte) << 24, |crc, _| {
            if crc >> 31 == 1 { crc << 1 ^ 0x04C1_1DB7 } else { crc << 1 }
        })
    };
    let length = std::iter::successors(Some(bytes.len()), |n| Some(n >> 8)).take_while(|n| *n > 0);
    !length.map(|n| n as u8).fold(bytes.iter().copied().fold(0, step), step)
}

#[test]
fn the_parser_was_generated_from_the_grammar() {
    assert_eq!(checksum(b"123456789\n"), 1_552_147_931);
    let list = read(&format!("{FOLDER}/generated.cksum"));
    assert!(list.lines().count() > 3);
    for line in list.lines() {
        let mut fields = line.split(' ');
        let sum: u32 = fields.next().and_then(|n| n.parse().ok()).expect("a checksum");
        let file = fields.nth(1).expect("a file");
        let bytes = fs::read(project(FOLDER).join(file)).expect("a file");
        assert_eq!(checksum(&bytes), sum, "{file} has changed; run grammar/tree-sitter-cpz/generate");
    }
}
