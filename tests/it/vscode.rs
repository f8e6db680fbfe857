//! The manifest and sources of the VS Code extension agree with the program.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::harness::check;
use cpz::diagnostic::Code;
use cpz::syntax::GameId;
use serde_json::Value;

fn file(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("editors/vscode").join(name);
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn json(name: &str) -> Value {
    serde_json::from_str(&file(name)).expect("JSON")
}

fn settings() -> serde_json::Map<String, Value> {
    let pages = json("package.json")["contributes"]["configuration"].clone();
    let all = pages.as_array().unwrap().iter().flat_map(|p| p["properties"].as_object().unwrap().clone());
    all.collect()
}

#[test]
fn extension_has_the_version_of_the_server() {
    assert_eq!(json("package.json")["version"], env!("CARGO_PKG_VERSION"));
}

#[test]
fn extension_settings_match_the_server() {
    let settings = settings();
    let severities = settings["cpz.severity"]["properties"].as_object().unwrap();
    let known: BTreeSet<&str> = severities.keys().map(String::as_str).collect();
    assert_eq!(known, Code::ALL.iter().map(|c| c.name()).collect());
    // Every value that it offers is one that the server reads, and no setting is one that it does not know.
    for (key, schema) in &settings {
        let key = key.strip_prefix("cpz.").expect("a setting of cpz");
        if matches!(key, "server.path" | "validate.run" | "images") {
            continue;
        }
        let values: Vec<Value> = match (schema.get("enum"), key) {
            (Some(values), _) => {
                values.as_array().unwrap().iter().filter(|v| !v.is_null()).cloned().collect()
            }
            (_, "severity") => {
                let all = severities.iter();
                all.flat_map(|(code, s)| {
                    let levels = s["enum"].as_array().unwrap().clone();
                    levels.into_iter().map(move |l| serde_json::json!({ code: l }))
                })
                .collect()
            }
            (_, "exclude") => vec![serde_json::json!(["drafts/"])],
            (_, "budget" | "max-solutions") => vec![serde_json::json!(1000)],
            (_, "empty") => vec![serde_json::json!("_")],
            _ => panic!("{key} is offered without values"),
        };
        for value in values {
            let text = match key.split_once('.') {
                Some((table, key)) => format!("[{table}]\n{key} = {value}"),
                None if value.is_object() => {
                    let (code, level) = value.as_object().unwrap().iter().next().unwrap();
                    format!("[{key}]\n{code} = {level}")
                }
                None => format!("{key} = {value}"),
            };
            let read = cpz::analysis::config::read_config(&text);
            assert!(read.is_ok(), "{text}: {read:?}");
        }
    }
    // The extension offers every setting of the server.
    for key in cpz::analysis::config::KEYS {
        let found = settings.keys().any(|s| {
            let rest = s.strip_prefix("cpz.").and_then(|s| s.strip_prefix(key));
            rest.is_some_and(|r| r.is_empty() || r.starts_with('.'))
        });
        assert!(found, "{key} cannot be set");
    }
}

#[test]
fn extension_commands_exist() {
    let source = file("src/extension.ts");
    let package = json("package.json");
    let contributes = &package["contributes"];
    for command in contributes["commands"].as_array().unwrap() {
        let command = command["command"].as_str().unwrap();
        assert!(source.contains(&format!("on('{command}', ")), "{command} does nothing");
    }
    // What a menu, a key or the walkthrough calls is a command.
    let own = |name: &str| source.contains(&format!("on('{name}', "));
    let text = package.to_string();
    for (at, _) in text.match_indices("command:cpz.") {
        let name: String =
            text[at + 8..].chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '.').collect();
        assert!(own(&name), "{name}");
    }
}

#[test]
fn new_puzzle_templates_are_clean_puzzles() {
    let mut games = BTreeSet::new();
    // All boards of all templates in one text: New Puzzle may be chosen several times.
    let mut text = String::new();
    for (_, template) in json("../board/templates.json").as_object().unwrap() {
        let words = |list: &Value| -> Vec<String> {
            list.as_array().unwrap().iter().map(|l| l.as_str().unwrap().to_string()).collect()
        };
        let body = words(&template["body"]).join("\n");
        for board in template["boards"].as_array().unwrap() {
            let mut puzzle = body.replace("${1:name}", &format!("{}", text.len()));
            for (nth, value) in words(board).iter().enumerate() {
                let stop = format!("${{{}}}", nth + 2);
                assert!(puzzle.contains(&stop), "{puzzle} has no place for {value}");
                puzzle = puzzle.replace(&stop, value);
            }
            let puzzle = filled(&puzzle);
            games.insert(puzzle.split_whitespace().next().unwrap().to_string());
            text += &format!("{puzzle}\n\n");
        }
    }
    assert_eq!(check(&[("a.cpz", &text)]).len(), 0, "{text}");
    let all: BTreeSet<String> = GameId::ALL.iter().map(|g| g.word().to_string()).collect();
    assert_eq!(games, all, "a puzzle of each game");
}

#[test]
fn extension_defaults_leave_typed_text_alone() {
    let contributes = json("package.json")["contributes"].clone();
    // A static snippet would be offered inside of rows and names.
    assert!(contributes.get("snippets").is_none());
    let defaults = &contributes["configurationDefaults"]["[cpz]"];
    for (setting, value) in [
        ("editor.acceptSuggestionOnEnter", "smart"),
        ("editor.suggest.selectionMode", "never"),
        ("editor.autoClosingBrackets", "never"),
        ("editor.autoClosingQuotes", "never"),
        ("editor.wordBasedSuggestions", "off"),
    ] {
        assert_eq!(defaults[setting], value, "{setting}");
    }
    assert_eq!(defaults["editor.quickSuggestions"]["strings"], "off");
    assert_eq!(defaults["editor.formatOnType"], true);
}

/// A snippet with its places filled in as they are offered; of a choice the first.
fn filled(snippet: &str) -> String {
    let mut out = String::new();
    let mut rest = snippet;
    while let Some(at) = rest.find('$') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(place) = rest.strip_prefix('{') {
            let end = place.find('}').expect("a place that is closed");
            let (_, text) = place[..end].split_once([':', '|']).expect("a place with a text");
            out.push_str(
                text.trim_end_matches('|').split(',').next().filter(|_| text.ends_with('|')).unwrap_or(text),
            );
            rest = &place[end + 1..];
        } else {
            rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        }
    }
    out + rest
}

#[test]
fn panel_page_has_a_strict_content_policy() {
    let source = file("src/board.ts");
    let policy = source.lines().find(|l| l.contains("const policy")).expect("a policy");
    assert!(policy.contains("default-src 'none'") && policy.contains("'nonce-"), "{policy}");
    assert!(!policy.contains("unsafe") && !policy.contains("http"), "{policy}");
    let page = file("../board/page/board.ts");
    for way in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("] {
        assert!(!page.contains(way), "{way}");
    }
}

#[test]
fn extension_makes_no_network_requests() {
    let editors = Path::new(env!("CARGO_MANIFEST_DIR")).join("editors");
    let folders = ["vscode/src", "vscode/src/native", "vscode/src/web", "board", "board/page"];
    for name in folders.iter().flat_map(|folder| fs::read_dir(editors.join(folder)).unwrap().flatten()) {
        let Ok(source) = fs::read_to_string(name.path()) else { continue };
        // The name of a kind of elements, which looks like an address.
        let source = source.replace("'http://www.w3.org/2000/svg'", "");
        for way in [
            "fetch(",
            "XMLHttpRequest",
            "'http",
            "'node:http",
            "'node:net'",
            "createTelemetryLogger",
            "https://",
        ] {
            assert!(!source.contains(way), "{way} in {}", name.path().display());
        }
    }
    let package = json("package.json");
    let trust = &package["capabilities"]["untrustedWorkspaces"];
    assert_eq!(trust["supported"], "limited");
    assert_eq!(trust["restrictedConfigurations"], serde_json::json!(["cpz.server.path"]));
    assert_eq!(settings()["cpz.server.path"]["scope"], "machine-overridable");
}
