//! Files that no command writes: other names, errors outside of puzzles, other encodings.

use super::*;
use cpz::ide::{apply, format_edits};
use cpz::syntax::parse;

/// Every command that writes.
const WRITERS: [&[&str]; 4] =
    [&["fmt"], &["check", "--fix"], &["solve", "--write", "--all"], &["convert", "--to", "list"]];

/// Something to do for every writer.
const UNTIDY: &str = "solitaire   \"x\"{ board ...N.....R....B.  solve }\nsolitaire { board R.N.B slove }\n";

/// Runs a writer on `path`, with options added.
fn write(dir: &Path, writer: &[&str], more: &[&str]) -> crate::harness::Run {
    run(dir, &[writer, more].concat())
}

#[test]
fn no_command_writes_a_file_with_another_name_unless_forced() {
    let readme = "# Puzzles\n\nMade   by hand.\n\n    solitaire   { board ...N.....R....B.  solve }\n";
    for writer in WRITERS {
        let dir = folder(&[("README.md", readme), ("b.cpz", UNTIDY), ("c.txt", UNTIDY)]);
        let said = write(dir.path(), writer, &["README.md", "b.cpz", "c.txt"]).exits(2);
        assert_eq!(read(dir.path(), "README.md"), readme, "{writer:?}");
        assert_eq!(read(dir.path(), "c.txt"), UNTIDY, "{writer:?}");
        assert_ne!(read(dir.path(), "b.cpz"), UNTIDY, "{writer:?}: the rest is done");
        for name in ["README.md", "c.txt"] {
            let lines = said.stderr.lines().filter(|l| l.contains(name) && l.contains("left as it is"));
            assert_eq!(lines.count(), 1, "{writer:?}: {}", said.stderr);
        }
        write(dir.path(), writer, &["--force", "c.txt"]);
        assert_ne!(read(dir.path(), "c.txt"), UNTIDY, "{writer:?}");
    }
}

#[test]
fn a_file_with_another_name_is_checked_and_solved() {
    let dir = folder(&[("a.txt", BROKEN)]);
    let found = findings(&run(dir.path(), &["check", "--format", "json", "a.txt"]).exits(1).json());
    assert_eq!(found.len(), 1, "{found:?}");
    run(dir.path(), &["solve", "a.txt"]).exits(0);
}

#[test]
fn no_command_writes_a_file_with_syntax_errors_outside_of_puzzles() {
    let texts = [
        format!("Some   notes,  made of words.\n\n{UNTIDY}"),
        format!("{UNTIDY}\n\n\n\n[Event   \"?\"]\n"),
        format!("<<<<<<<   ours\n{UNTIDY}=======\n{UNTIDY}>>>>>>> theirs\n"),
        format!("autor   \"A\"\n{UNTIDY}"),
    ];
    for text in texts {
        for writer in WRITERS {
            let dir = folder(&[("a.cpz", &text), ("b.cpz", UNTIDY)]);
            let said = write(dir.path(), writer, &["a.cpz", "b.cpz"]).exits(2);
            assert_eq!(read(dir.path(), "a.cpz"), text, "{writer:?}");
            assert_ne!(read(dir.path(), "b.cpz"), UNTIDY, "{writer:?}: the rest is done");
            assert!(said.stderr.contains("a.cpz: left as it is: line"), "{writer:?}: {}", said.stderr);
            write(dir.path(), writer, &["--force", "a.cpz"]);
            assert_ne!(read(dir.path(), "a.cpz"), text, "{writer:?} --force");
        }
    }
}

#[test]
fn a_filter_passes_a_refused_text_through() {
    let text = format!("Some   notes.\n{UNTIDY}");
    let dir = folder(&[]);
    for args in [&["fmt", "-"][..], &["convert", "--to", "list", "-"], &["solve", "--write", "-"]] {
        let run = run_with(dir.path(), args, text.as_bytes()).exits(2);
        assert_eq!(run.stdout, text, "{args:?}");
    }
    for option in ["--check", "--diff"] {
        let run = run_with(dir.path(), &["fmt", option, "-"], text.as_bytes()).exits(2);
        assert_eq!(run.stdout, "", "{option}: no new text is asked for");
    }
}

#[test]
fn formatting_in_an_editor_changes_puzzles_only_where_there_are_errors_outside() {
    let prose = "Some   notes,\n   made of  words.\n\n\n\n";
    let puzzle = "solitaire   \"x\"{ board ...N.....R....B.  solve }";
    for text in [
        format!("{prose}{puzzle}\n"),
        format!("{puzzle}   \n\n\n\n{prose}"),
        format!("{prose}{puzzle}\n{prose}"),
    ] {
        let tree = parse(&text[..]);
        let done = apply(&text, &format_edits(&tree));
        assert_eq!(done, text.replace(puzzle, "solitaire \"x\" { board ...N.....R....B. solve }"));
    }
}

#[test]
fn utf16_is_one_clear_finding_and_is_not_written() {
    let text = "// note\n\n\n\nsolitaire   \"x\"{ board ...N.....R....B.  solve slove }\n";
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    for bytes in [little, big] {
        for writer in WRITERS {
            let dir = folder(&[]);
            let path = dir.path().join("z.cpz");
            fs::write(&path, &bytes).expect("a file");
            write(dir.path(), writer, &["z.cpz"]).exits(2);
            write(dir.path(), writer, &["--force", "z.cpz"]);
            assert_eq!(fs::read(&path).expect("the file"), bytes, "{writer:?}");
            let json = run(dir.path(), &["check", "--format", "json"]).exits(1).json();
            assert_eq!(json["summary"]["files"], 1, "it is listed, and so counted");
            let found = findings(&json);
            assert!(found.len() == 1 && found[0].message.contains("UTF-16"), "{found:?}");
        }
    }
}

#[test]
fn utf16_of_another_program_is_told_as_such() {
    let text = "[FEN \"6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1\"]\n\n1. Ra8# *\n";
    let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let dir = folder(&[]);
    fs::write(dir.path().join("bare.pgn"), &bytes).expect("a file");
    fs::write(dir.path().join("marked.pgn"), [&b"\xff\xfe"[..], &bytes].concat()).expect("a file");
    let json = run(dir.path(), &["check", "--from", "pgn", "--format", "json", "bare.pgn"]).exits(1).json();
    let found = findings(&json);
    assert!(found.len() == 1 && found[0].message.contains("save it as UTF-8"), "{found:?}");
    for (command, file) in [("check", "marked.pgn"), ("solve", "marked.pgn"), ("solve", "bare.pgn")] {
        let done = run(dir.path(), &[command, "--from", "pgn", file]);
        assert!(done.stderr.contains("save it as UTF-8"), "{command} {file}: {}", done.stderr);
    }
}

#[test]
fn a_text_with_a_nul_character_is_not_written() {
    let text = UNTIDY.replace("\"x\"", "\"x\0\"");
    for writer in WRITERS {
        let dir = folder(&[("a.cpz", &text)]);
        let said = write(dir.path(), writer, &["--force", "a.cpz"]).exits(2);
        assert!(said.stderr.contains("NUL"), "{}", said.stderr);
        assert_eq!(read(dir.path(), "a.cpz"), text, "{writer:?}");
    }
    assert!(format_edits(&parse(text)).is_empty());
}
