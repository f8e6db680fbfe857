//! What the commands that rewrite files print, and how they end: with each option, and where files are refused.

use super::*;
use crate::harness::command;
use std::process::Stdio;

/// Laid out, not laid out, and with something in front that is no puzzle.
const TIDY: &str = "solitaire { board ...N.....R....B. solve }\n";
const UNTIDY: &str = "solitaire   { board ...N.....R....B. solve }\n";
const OTHER: &str = "Some   notes.\nsolitaire   { board ...N.....R....B. solve }\n";

const OTHER_REFUSED: &str = "left as it is: line 1 is not in a puzzle and cannot be read; correct it, put `//` before it, or add `--force`";
const NAME_REFUSED: &str =
    "left as it is: its name does not end in `.cpz`; rename it, or add `--force` if it holds puzzles";
const INVALID: &str = "there is no setting `bugdet`; did you mean `budget`?";

/// One run of `cpz fmt`: its arguments, standard input, exit code, standard output, and the lines of standard error.
type Case<'a> = (&'a [&'a str], &'a str, i32, &'a str, &'a [&'a str]);

/// Checks runs in a folder that each of them finds as the first one did; of the files only those of `written` may change.
fn check_all(dir: &Path, written: &[&str], cases: &[Case]) {
    let files: Vec<_> =
        fs::read_dir(dir).expect("a folder").map(|entry| entry.expect("a file").path()).collect();
    let texts: Vec<_> = files.iter().map(|file| fs::read_to_string(file).expect("a text")).collect();
    for (args, input, code, stdout, stderr) in cases {
        let done = run_with(dir, &[&["fmt"], *args].concat(), input.as_bytes());
        // Windows has another sign between the parts of a path.
        let stderr_of_run = done.stderr.replace(".\\", "./");
        let mut said: Vec<_> = stderr_of_run.lines().collect();
        // Files are read by several threads.
        said.sort_unstable();
        let mut expected = stderr.to_vec();
        expected.sort_unstable();
        assert_eq!(
            (done.code, &done.stdout[..], said),
            (Some(*code), *stdout, expected),
            "cpz fmt {args:?} with {input:?}"
        );
        for (file, text) in files.iter().zip(&texts) {
            let name = file.file_name().expect("a name").to_string_lossy();
            let now = fs::read_to_string(file).expect("a text");
            assert!(now == *text || written.contains(&&*name), "{args:?}: {name} is changed: {now}");
            if now != *text {
                fs::write(file, text).expect("the text of before");
            }
        }
    }
}

#[test]
fn fmt_says_what_it_has_done_and_what_it_would_do() {
    let dir = folder(&[
        ("tidy.cpz", TIDY),
        ("u.cpz", UNTIDY),
        ("v.cpz", UNTIDY),
        ("w.txt", UNTIDY),
        ("x.cpz", OTHER),
    ]);
    let other = format!("cpz: x.cpz: {OTHER_REFUSED}");
    let other_of_input = format!("cpz: <stdin>: {OTHER_REFUSED}");
    let name = format!("cpz: w.txt: {NAME_REFUSED}");
    let gone = "cpz: gone.cpz: no such file or folder";
    let diff = |name: &str| format!("--- a/{name}\n+++ b/{name}\n@@ -1 +1 @@\n-{UNTIDY}+{TIDY}");
    let later = "// note\n\n\n\nautor 1\n";
    let line = format!("cpz: <stdin>: {}", OTHER_REFUSED.replace("line 1", "line 5"));
    check_all(
        dir.path(),
        &["u.cpz", "v.cpz", "w.txt", "x.cpz"],
        &[
            (&["tidy.cpz"], "", 0, "", &["cpz: 0 files formatted, 1 unchanged"]),
            (&["u.cpz"], "", 0, "", &["cpz: 1 file formatted, 0 unchanged"]),
            (&["tidy.cpz", "u.cpz", "v.cpz"], "", 0, "", &["cpz: 2 files formatted, 1 unchanged"]),
            (&["."], "", 2, "", &[&other.replace("x.cpz", "./x.cpz"), "cpz: 2 files formatted, 1 unchanged"]),
            (&["u.cpz", "w.txt"], "", 2, "", &[&name, "cpz: 1 file formatted, 0 unchanged"]),
            (&["--force", "w.txt", "x.cpz"], "", 0, "", &["cpz: 2 files formatted, 0 unchanged"]),
            (&["gone.cpz", "u.cpz"], "", 2, "", &[gone, "cpz: 1 file formatted, 0 unchanged"]),
            (&["gone.cpz"], "", 2, "", &[gone]),
            (&["--check", "tidy.cpz"], "", 0, "", &["cpz: 0 files would be formatted, 1 unchanged"]),
            (
                &["--check", "tidy.cpz", "u.cpz", "v.cpz"],
                "",
                1,
                "u.cpz would be formatted\nv.cpz would be formatted\n",
                &["cpz: 2 files would be formatted, 1 unchanged"],
            ),
            (
                &["--check", "u.cpz", "x.cpz"],
                "",
                2,
                "u.cpz would be formatted\n",
                &[&other, "cpz: 1 file would be formatted, 0 unchanged"],
            ),
            (&["--diff", "tidy.cpz"], "", 0, "", &["cpz: 0 files would be formatted, 1 unchanged"]),
            (
                &["--diff", "tidy.cpz", "u.cpz"],
                "",
                1,
                &diff("u.cpz"),
                &["cpz: 1 file would be formatted, 1 unchanged"],
            ),
            (
                &["--diff", "--check", "u.cpz"],
                "",
                1,
                &diff("u.cpz"),
                &["cpz: 1 file would be formatted, 0 unchanged"],
            ),
            (&["-"], UNTIDY, 0, TIDY, &[]),
            (&["-"], TIDY, 0, TIDY, &[]),
            (&["-"], "", 0, "", &[]),
            (&["--check", "-"], UNTIDY, 1, "<stdin> would be formatted\n", &[]),
            (&["--check", "-"], TIDY, 0, "", &[]),
            (&["--diff", "-"], UNTIDY, 1, &diff("<stdin>"), &[]),
            (&["--diff", "-"], TIDY, 0, "", &[]),
            (&["-"], OTHER, 2, OTHER, &[&other_of_input]),
            (&["--check", "-"], OTHER, 2, "", &[&other_of_input]),
            (&["--diff", "-"], OTHER, 2, "", &[&other_of_input]),
            (&["-"], &format!("{later}{UNTIDY}"), 2, &format!("{later}{UNTIDY}"), &[&line]),
            (&["-", "u.cpz"], UNTIDY, 0, TIDY, &["cpz: 2 files formatted, 0 unchanged"]),
        ],
    );
}

#[test]
fn a_file_that_cannot_be_written_is_not_counted_as_formatted() {
    let dir = folder(&[("u.cpz", UNTIDY), ("v.cpz", UNTIDY), ("w.cpz", TIDY)]);
    for name in ["v.cpz", "w.cpz"] {
        let path = dir.path().join(name);
        let mut rights = path.metadata().expect("the file").permissions();
        rights.set_readonly(true);
        fs::set_permissions(&path, rights).expect("a read-only file");
    }
    let refused = "cpz: v.cpz: cannot be written: it is read-only";
    check_all(
        dir.path(),
        &["u.cpz"],
        &[
            (&["w.cpz"], "", 0, "", &["cpz: 0 files formatted, 1 unchanged"]),
            (&["v.cpz"], "", 2, "", &[refused, "cpz: 0 files formatted, 0 unchanged"]),
            (
                &["."],
                "",
                2,
                "",
                &[&refused.replace("v.cpz", "./v.cpz"), "cpz: 1 file formatted, 1 unchanged"],
            ),
            (
                &["--check", "v.cpz"],
                "",
                1,
                "v.cpz would be formatted\n",
                &["cpz: 1 file would be formatted, 0 unchanged"],
            ),
        ],
    );
}

#[test]
fn a_mistake_in_a_configuration_is_said_once_and_nothing_is_written_below_it() {
    let dir = folder(&[("cpz.toml", "bugdet = 3\n"), ("u.cpz", UNTIDY)]);
    let [invalid, one, two] = [
        format!("cpz: cpz.toml:1: {INVALID}"),
        "cpz: cpz.toml: 1 file is not written, because this configuration has a mistake".to_string(),
        "cpz: cpz.toml: 2 files are not written, because this configuration has a mistake".to_string(),
    ];
    let gone = "cpz: gone.cpz: no such file or folder";
    check_all(
        dir.path(),
        &["u.cpz"],
        &[
            (&["u.cpz"], "", 2, "", &[&invalid, &one]),
            (&["gone.cpz", "u.cpz"], "", 2, "", &[gone, &invalid, &one]),
            (&["--check", "u.cpz"], "", 2, "", &[&invalid, &one]),
            (&["-", "u.cpz"], TIDY, 2, TIDY, &[&invalid, &two]),
            (&["-"], UNTIDY, 2, UNTIDY, &[&invalid, &one]),
            (&["--check", "-"], UNTIDY, 2, "", &[&invalid, &one]),
            (&["--no-config", "-"], UNTIDY, 0, TIDY, &[]),
        ],
    );
}

/// A program that puts a text through a command, as editors do, gets it back whatever the command does with it.
#[test]
fn a_filter_gives_back_what_is_no_text_to_work_on() {
    const FILTERS: [&[&str]; 4] = [
        &["fmt", "-"],
        &["solve", "--write", "-"],
        &["sort", "--by", "name", "-"],
        &["convert", "--to", "list", "-"],
    ];
    let utf16 = UNTIDY.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let marked = [&b"\xff\xfe"[..], &utf16].concat();
    let latin1 = b"solitaire \"\xe9\" { board ...N.....R....B. solve }\n".to_vec();
    for (config, text) in
        [("", &utf16), ("", &marked), ("", &latin1), ("bugdet = 3\n", &UNTIDY.as_bytes().to_vec())]
    {
        let dir = folder(&[("cpz.toml", config)]);
        for filter in FILTERS {
            let mut child = command(dir.path(), filter)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .expect("cpz starts");
            std::io::Write::write_all(&mut child.stdin.take().expect("its input"), text).expect("it reads");
            let done = child.wait_with_output().expect("it ends");
            assert_eq!(done.status.code(), Some(2), "{filter:?}");
            assert_eq!(&done.stdout, text, "{filter:?}: {}", String::from_utf8_lossy(&done.stdout));
            assert!(!done.stderr.is_empty(), "{filter:?}");
        }
    }
}
