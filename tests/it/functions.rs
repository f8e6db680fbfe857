//! The table of the manual that says what there is as a command, as a function and as a request has all of each.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use cpz::lsp::embedded::{EmbeddedServer, SlowSearches};
use serde_json::{Value, json};

use crate::harness::{command_names, folder, run};

fn source(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect(path)
}

/// The words in backticks.
fn quoted(cell: &str) -> Vec<String> {
    cell.split('`').skip(1).step_by(2).map(String::from).collect()
}

/// The rows of the table: the words of the command, of Python, of JavaScript and of the server.
fn rows() -> Vec<[Vec<String>; 4]> {
    let page = source("docs/functions.md");
    let lines = page.lines().filter(|line| line.starts_with('|')).skip(2);
    let cells = lines.map(|line| line.trim_matches('|').split('|').map(quoted).collect::<Vec<_>>());
    cells.map(|cells| cells.try_into().expect("four cells")).collect()
}

/// All words of a column; each has one row, except for a request that does several things.
fn column(index: usize, may_repeat: &str) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for word in rows().into_iter().flat_map(|row| row[index].clone()) {
        assert!(all.insert(word.clone()) || word == may_repeat, "`{word}` has two rows");
    }
    all
}

fn set<'a>(words: impl IntoIterator<Item = &'a str>) -> BTreeSet<String> {
    words.into_iter().map(String::from).collect()
}

#[test]
fn table_of_functions_has_every_command() {
    let empty = folder(&[]);
    let commands = column(0, "");
    let own = |command: &String| !command.contains(' ');
    assert_eq!(
        commands.iter().filter(|command| own(command)).cloned().collect::<BTreeSet<_>>(),
        command_names().into_iter().collect()
    );
    for command in commands.iter().filter(|command| !own(command)) {
        let (name, option) = command.split_once(' ').expect("two words");
        let option = option.split(' ').next().expect("an option");
        let help = run(empty.path(), &[name, "--help"]).stdout;
        assert!(help.contains(option), "cpz {name} has no option {option}");
    }
}

#[test]
fn table_of_functions_has_every_function() {
    let module = source("packages/python/cpz/__init__.py");
    let exported =
        module.split("__all__ = [").nth(1).and_then(|rest| rest.split(']').next()).expect("a list");
    let python = set(exported.split('"').skip(1).step_by(2).filter(|name| *name != "__version__"));
    assert_eq!(column(1, ""), python);

    let types = source("packages/npm/lib/index.d.ts");
    let names = types.lines().filter_map(|line| line.strip_prefix("export function ")?.split('(').next());
    assert_eq!(column(2, ""), set(names));

    for [command, python, javascript, _] in rows() {
        let camel = |name: &String| {
            let mut words = name.split('_').map(String::from);
            let first = words.next().unwrap_or_default();
            words.fold(first, |all, word| all + &word[..1].to_uppercase() + &word[1..])
        };
        let names: Vec<String> = python.iter().map(camel).collect();
        assert!(names == javascript || command.is_empty(), "{command:?}: {python:?} and {javascript:?}");
    }
}

#[test]
fn table_of_functions_has_every_request() {
    let mut server = EmbeddedServer::new(SlowSearches::Skipped);
    let request =
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "capabilities": {} } });
    let answers = server.handle(&request.to_string());
    let answer: Value = serde_json::from_str(&answers[0]).expect("JSON");
    let commands =
        answer["result"]["capabilities"]["executeCommandProvider"]["commands"].as_array().expect("a list");
    let commands = set(commands.iter().filter_map(Value::as_str));
    assert!(commands.len() > 10);

    // One line a method.
    let index = source("src/server/lsp/embedded/requests.rs");
    let arms = index.lines().filter_map(|line| line.trim_start().split_once(" => "));
    let methods = set(arms.flat_map(|(arm, _)| arm.split('"').skip(1).step_by(2)));
    assert!(methods.len() > 30);
    let all = &(&methods | &commands) - &set(["initialize", "shutdown"]);
    assert_eq!(column(3, "textDocument/codeAction"), all);
}
