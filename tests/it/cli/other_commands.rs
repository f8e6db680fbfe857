//! The other commands.

use super::*;

#[test]
fn explain_lists_every_code() {
    let dir = folder(&[]);
    let run = run(dir.path(), &["explain", "--list"]).exits(0);
    for code in CODES.iter() {
        assert!(run.stdout.contains(code), "{code} is not listed");
    }
}

#[test]
fn explain_has_a_page_for_every_code() {
    let dir = folder(&[]);
    let mut pages = BTreeSet::new();
    for code in CODES.iter() {
        let page = run(dir.path(), &["explain", code]).exits(0).stdout;
        assert!(page.contains(code), "{code}: {page}");
        assert!(page.len() > code.len() + 20, "{code}: {page}");
        pages.insert(page);
    }
    assert_eq!(pages.len(), CODES.len(), "two codes share a page");
}

#[test]
fn explain_of_an_unknown_code_fails() {
    let dir = folder(&[]);
    let run = run(dir.path(), &["explain", "no-such-code"]);
    assert_ne!(run.code, Some(0));
    assert!(!run.stderr.is_empty());
}

#[test]
fn completions_for_bash_are_printed() {
    let dir = folder(&[]);
    let run = run(dir.path(), &["completions", "bash"]).exits(0);
    for word in ["cpz", "check", "solve", "convert", "explain"] {
        assert!(run.stdout.contains(word), "{word}");
    }
}

#[test]
fn completions_for_an_unknown_shell_fail() {
    let dir = folder(&[]);
    run(dir.path(), &["completions", "no-such-shell"]).exits(2);
}

#[test]
fn version_is_printed() {
    let dir = folder(&[]);
    let run = run(dir.path(), &["--version"]).exits(0);
    assert!(run.stdout.starts_with("cpz "), "{}", run.stdout);
    assert!(run.stdout.contains(env!("CARGO_PKG_VERSION")));
}

#[test]
fn help_names_every_command() {
    let dir = folder(&[]);
    let run = run(dir.path(), &["--help"]).exits(0);
    for word in ["check", "solve", "fmt", "convert", "explain", "lsp", "completions"] {
        assert!(run.stdout.contains(word), "{word}");
    }
}

/// The texts of several commands share their parts, which may not speak of what only one of them has.
#[test]
fn help_names_only_options_that_the_command_has() {
    let dir = folder(&[]);
    let option = |word: &str| {
        let word = word.trim_start_matches(['`', '(', '[']);
        let end = word.find(|c: char| !c.is_ascii_lowercase() && c != '-').unwrap_or(word.len());
        word.starts_with("--").then(|| word[..end].to_string())
    };
    for command in ["check", "solve", "fmt", "convert", "draw", "print", "import", "export", "generate"] {
        let help = run(dir.path(), &[command, "--help"]).exits(0).stdout;
        let declared = help.lines().map(str::trim_start).filter(|line| line.starts_with('-'));
        let declared: BTreeSet<String> =
            declared.flat_map(|line| line.split(' ').filter_map(option)).collect();
        let named: BTreeSet<String> = help.split_whitespace().filter_map(option).collect();
        assert!(declared.len() > 2 && named.is_subset(&declared), "{command}: {:?}", &named - &declared);
    }
}

#[test]
fn help_and_manual_name_the_same_budget() {
    let dir = folder(&[]);
    let manual = include_str!("../../../docs/command-line.md");
    for command in ["check", "solve", "repair"] {
        let help = run(dir.path(), &[command, "--help"]).exits(0).stdout;
        let part = manual.split(&format!("\n## cpz {command}\n")).nth(1).expect("a part");
        let row = part.lines().find(|line| line.starts_with("| `--budget NODES`")).expect("a row");
        let number = row.trim_end_matches([' ', '|']).rsplit(' ').next().expect("a number").replace(',', "");
        assert!(help.contains(&format!("else {number}]")), "{command}: {row}");
    }
}

#[test]
fn explain_names_the_queries_of_a_game() {
    let dir = folder(&[]);
    for game in ["solitaire", "chess3d", "draughts"] {
        let page = run(dir.path(), &["explain", game]).exits(0).stdout;
        let tree = cpz::syntax::parse(format!("{game} {{}}"));
        let (bound, _) =
            cpz::analysis::bound_at(&tree, cpz::analysis::Defaults::default(), 0).expect("a game");
        for verb in bound.game.verbs() {
            assert!(page.contains(&format!("`{}`", verb.word())), "{game} has `{}`: {page}", verb.word());
        }
    }
}
