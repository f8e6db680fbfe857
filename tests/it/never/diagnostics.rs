//! Diagnostics are neither stale nor missing.

use cpz::diagnostic::plain;

use super::*;

#[test]
fn closed_or_removed_files_keep_no_diagnostics() {
    let w = folder(&[("a.cpz", BAD), ("b.cpz", &BAD.replace("R....N", "B..N..")), ("c.cpz", "solv")]);
    let of = |name: &str| uri(&w.path().join(name));
    let mut c = Client::new(Some(w.path()), "utf-16");
    for name in ["a.cpz", "b.cpz", "c.cpz"] {
        assert!(!c.findings(&of(name), None).is_empty());
    }
    // Deleted.
    fs::remove_file(w.path().join("a.cpz")).expect("removed");
    c.tell("workspace/didChangeWatchedFiles", json!({"changes": [{"uri": of("a.cpz"), "type": 3}]}));
    assert_eq!(c.findings(&of("a.cpz"), None), Vec::<Value>::new());
    // Renamed.
    fs::rename(w.path().join("b.cpz"), w.path().join("d.cpz")).expect("renamed");
    c.tell("workspace/didRenameFiles", json!({"files": [{"oldUri": of("b.cpz"), "newUri": of("d.cpz")}]}));
    assert_eq!(c.findings(&of("b.cpz"), None), Vec::<Value>::new());
    assert_eq!(codes(&c.findings(&of("d.cpz"), None)), ["unsolvable"]);
    // Left out.
    fs::write(w.path().join("cpz.toml"), "exclude = ['d.cpz']").expect("written");
    c.tell("workspace/didChangeWatchedFiles", json!({"changes": [{"uri": of("cpz.toml"), "type": 1}]}));
    assert_eq!(c.findings(&of("d.cpz"), None), Vec::<Value>::new());
    // Closed.
    c.open(&of("c.cpz"), "solv");
    c.findings(&of("c.cpz"), Some(1));
    c.tell("textDocument/didClose", json!({"textDocument": document(&of("c.cpz"))}));
    assert_eq!(c.findings(&of("c.cpz"), None), Vec::<Value>::new());
    c.finish();
}

#[test]
fn running_analysis_leaves_no_stale_diagnostics() {
    let names: Vec<String> = (0..400).map(|i| format!("x/f{i:03}.cpz")).collect();
    let mut files: Vec<(&str, &str)> = names.iter().map(|n| (n.as_str(), "solv")).collect();
    files.push(("y/a.cpz", BAD));
    // What is left when all that comes has come.
    let only_kept_is_left = |c: &mut Client, kept: &str| {
        c.tell("textDocument/didSave", json!({"textDocument": document(kept)}));
        c.shown_when(|shown| shown.keys().eq([kept]));
    };
    // Different waits meet different moments of the scan; what is left is the same after each.
    for wait in [0, 3, 10, 30] {
        // A folder removed while its files are read.
        let w = folder(&files);
        let [x, y] = ["x", "y"].map(|n| json!({"uri": uri(&w.path().join(n)), "name": n}));
        let kept = uri(&w.path().join("y/a.cpz"));
        let mut c = Client::start().begin(None, json!({"workspaceFolders": [x, y]}));
        std::thread::sleep(std::time::Duration::from_millis(wait));
        c.tell("workspace/didChangeWorkspaceFolders", json!({"event": {"added": [], "removed": [x]}}));
        only_kept_is_left(&mut c, &kept);
        // Files deleted while they are read, and more looks than one are wanted.
        let mut c = Client::new(Some(w.path()), "utf-16");
        c.tell("textDocument/didSave", json!({"textDocument": document(&kept)}));
        std::thread::sleep(std::time::Duration::from_millis(wait));
        fs::remove_dir_all(w.path().join("x")).expect("removed");
        let gone = uri(&w.path().join("x"));
        c.tell("workspace/didDeleteFiles", json!({"files": [{"uri": gone}]}));
        only_kept_is_left(&mut c, &kept);
    }
}

#[test]
fn settings_during_a_scan_lose_no_file() {
    let names: Vec<String> = (0..600).map(|i| format!("f{i:03}.cpz")).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|n| (n.as_str(), "solv")).collect();
    let w = folder(&files);
    let hour_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
    for name in &names {
        let file = fs::File::options().write(true).open(w.path().join(name)).expect("a file");
        file.set_modified(hour_ago).expect("its time");
    }
    // Different waits meet different moments of the scan.
    for wait in [0, 5, 20, 50] {
        let mut c = Client::new(Some(w.path()), "utf-16");
        std::thread::sleep(std::time::Duration::from_millis(wait));
        c.tell("workspace/didChangeConfiguration", json!({"settings": {"cpz": {"budget": 1000}}}));
        c.shown_when(|shown| shown.len() == 600);
    }
}

#[test]
fn diagnostics_are_never_of_an_older_version() {
    let mut c = Client::new(None, "utf-16");
    c.open(A, ENDLESS);
    for i in 0..500 {
        c.change(A, 2 + i, insert(0, 0, if i % 2 == 0 { "\n" } else { BAD }));
    }
    // The client itself looks at the order of versions of whatever comes.
    let found = c.findings(A, Some(501));
    assert!(codes(&found).contains(&"unsolvable"));
    c.settle(A);
}

#[test]
fn syntax_errors_hide_no_other_finding() {
    let mut c = Client::new(None, "utf-16");
    let odd =
        ["solitaire { board [[", "\"", "}", "{", "solv", "solitaire {", "solitaire { board 'ab", "=> ("];
    for (i, odd) in odd.iter().enumerate() {
        let name = format!("untitled:{i}.cpz");
        c.open(&name, &format!("{BAD}{odd}\n{BAD}chess {{ board 8/8/8/4k3/8/8/8/4K2R move Rh9 }}\n"));
        let found = c.findings(&name, Some(1));
        let found = codes(&found);
        assert!(found.contains(&"syntax") || found.contains(&"unknown-keyword"), "{odd}: {found:?}");
        assert!(found.contains(&"unsolvable") && found.contains(&"off-board"), "{odd}: {found:?}");
    }
}

/// Asserts that an editor shows what the command prints: with the name of the puzzle before each message, and with
/// quotation marks instead of backticks.
fn assert_same(found: &[Value], expected: &[Value], path: &Path) {
    let text = fs::read_to_string(path).expect("a text");
    let without_name = |mut summary: Value| {
        let message = summary[3].as_str().expect("a message").to_owned();
        if let Some((name, rest)) = message.strip_prefix('“').and_then(|m| m.split_once("”: ")) {
            assert!(text.contains(name), "{name} in {}", path.display());
            summary[3] = json!(rest);
        }
        summary
    };
    let in_editor = |mut summary: Value| {
        summary[3] = json!(plain(summary[3].as_str().expect("a message")));
        summary
    };
    let found: Vec<Value> = found.iter().cloned().map(without_name).collect();
    let expected: Vec<Value> = expected.iter().cloned().map(in_editor).collect();
    assert_eq!(found, expected, "{}", path.display());
}

#[test]
fn server_and_command_line_agree() {
    let mut files: Vec<(String, String)> =
        samples().into_iter().enumerate().map(|(i, t)| (format!("{}é {i}.cpz", i % 3), t)).collect();
    files.push(("in/x.cpz".into(), BAD.into()));
    files.push(("in/cpz.toml".into(), "[severity]\nunsolvable = 'hint'\nduplicate-puzzle = 'off'\n".into()));
    files.push(("out/x.cpz".into(), GOOD.into()));
    files.push(("out/cpz.toml".into(), "budget = 'no'\n".into()));
    files.push(("left/x.cpz".into(), BAD.into()));
    files.push(("cpz.toml".into(), "rules = 'ranger'\nexclude = ['left/']\n".into()));
    // One puzzle under two budgets, and files that do not belong to the collection.
    let slow = "solitaire { board NNN. BB.. RR.. QQ.. count }\n";
    files.push(("few/x.cpz".into(), slow.into()));
    files.push(("few/cpz.toml".into(), "budget = 10\n".into()));
    files.push(("many/x.cpz".into(), slow.into()));
    files.push((".ignore".into(), "build/\n".into()));
    files.push(("build/x.cpz".into(), BAD.into()));
    files.push((".hidden/x.cpz".into(), BAD.into()));
    let plain: Vec<(&str, &str)> = files.iter().map(|(n, t)| (n.as_str(), t.as_str())).collect();
    let w = folder(&plain);
    #[cfg(unix)]
    {
        let outside = folder(&[("x.cpz", BAD)]);
        for (to, link) in [("in/x.cpz", "twin.cpz"), ("build/x.cpz", "door.cpz")] {
            std::os::unix::fs::symlink(w.path().join(to), w.path().join(link)).expect("a link");
        }
        std::os::unix::fs::symlink(outside.path().join("x.cpz"), w.path().join("out.cpz")).expect("a link");
    }
    let mut out = crate::harness::run(w.path(), &["check", "--format", "json", "--hints"]).json();
    // The command line alone looks for names and boards that occur elsewhere too, because that needs all files at once.
    for file in out["files"].as_array_mut().expect("files") {
        let is_collection_hint = |d: &Value| {
            let code = d["code"].as_str().unwrap_or_default();
            d["severity"] == "hint" && matches!(code, "duplicate-puzzle" | "duplicate-name")
        };
        file["diagnostics"].as_array_mut().expect("a list").retain(|d| !is_collection_hint(d));
    }
    let mut c = Client::new(Some(w.path()), "utf-16");
    // Of files that do not belong to it nothing is said, also when they are named; and what is open of
    // them is no duplicate.
    let strangers =
        ["build/x.cpz", ".hidden/x.cpz", "twin.cpz", "left/x.cpz"].map(|n| uri(&w.path().join(n)));
    let changes: Vec<Value> = strangers.iter().map(|u| json!({"uri": u, "type": 1})).collect();
    c.tell("workspace/didChangeWatchedFiles", json!({ "changes": changes }));
    let checked = out["files"].as_array().expect("files").iter();
    let wrong = checked.filter(|f| f["diagnostics"].as_array().is_some_and(|d| !d.is_empty()));
    let wrong = wrong.map(|f| uri(&w.path().join(f["path"].as_str().expect("a path"))));
    let wrong: BTreeSet<String> = wrong.map(|u| u.replace('é', "%C3%A9").replace(' ', "%20")).collect();
    let said = c.shown_when(|said| said.keys().eq(&wrong));
    assert!(wrong.iter().any(|u| u.ends_with("door.cpz")) && wrong.iter().any(|u| u.ends_with("few/x.cpz")));
    for stranger in &strangers {
        c.open(stranger, GOOD);
        assert_eq!(c.findings(stranger, Some(1)), Vec::<Value>::new());
    }
    let mut seen = 0;
    for file in out["files"].as_array().expect("files") {
        let path = w.path().join(file["path"].as_str().expect("a path"));
        let name = uri(&path).replace('é', "%C3%A9").replace(' ', "%20");
        let summary = |d: &Value, severity: Value| {
            json!([d["code"], d["range"], severity, d["message"].as_str().expect("a message").lines().next()])
        };
        let number = |d: &Value| match d["severity"].as_str() {
            Some("error") => json!(1),
            Some("warning") => json!(2),
            _ => json!(4),
        };
        let expected: Vec<Value> =
            file["diagnostics"].as_array().expect("a list").iter().map(|d| summary(d, number(d))).collect();
        if path.extension().is_some_and(|e| e == "cpz") {
            c.open(&name, &fs::read_to_string(&path).expect("a text"));
            let mut found = c.findings(&name, Some(1));
            // What takes a long search comes when it is done.
            while found.len() != expected.len() {
                found = c.findings(&name, Some(1));
            }
            let found: Vec<Value> = found.iter().map(|d| summary(d, d["severity"].clone())).collect();
            assert_same(&found, &expected, &path);
        } else {
            let said: Vec<Value> = said[&name].iter().map(|d| summary(d, d["severity"].clone())).collect();
            assert_same(&said, &expected, &path);
        }
        seen += expected.len();
    }
    assert!(seen > 20, "{seen}");
}

#[test]
fn broken_config_is_always_reported() {
    for broken in
        ["rules = ", "rules = 5", "rulez = 'solo'", "[severity]\nking = 'off'", "exclude = 'x'", "\u{0}"]
    {
        let w = folder(&[("cpz.toml", broken), ("a.cpz", "")]);
        let mut c = Client::new(Some(w.path()), "utf-16");
        let found = c.findings(&uri(&w.path().join("cpz.toml")), None);
        assert!(!found.is_empty() && found[0]["severity"] == 1, "{broken}");
    }
    // Looked at in the editor and closed, and below another folder: it stays broken.
    let w = folder(&[("cpz.toml", "rulez = 5"), ("a/a.cpz", ""), ("b/b.cpz", "")]);
    let [toml, a, b] = ["cpz.toml", "a", "b"].map(|n| uri(&w.path().join(n)));
    let mut c = Client::new(Some(&w.path().join("a")), "utf-16");
    assert_eq!(codes(&c.findings(&toml, None)), ["unknown-keyword"]);
    c.open(&toml, "rules = 'solo'");
    assert_eq!(c.findings(&toml, Some(1)), Vec::<Value>::new());
    c.tell("textDocument/didClose", json!({"textDocument": document(&toml)}));
    let mut found = c.findings(&toml, None);
    if found.is_empty() {
        // What was said of the text that is closed went first.
        found = c.findings(&toml, None);
    }
    assert_eq!(codes(&found), ["unknown-keyword"]);
    let [a, b] = [a, b].map(|uri| json!({"uri": uri, "name": "x"}));
    c.tell("workspace/didChangeWorkspaceFolders", json!({"event": {"added": [b], "removed": [a]}}));
    c.tell("textDocument/didSave", json!({"textDocument": document(&toml)}));
    assert_eq!(c.settle(&toml), None, "nothing else was said of it");
    c.finish();
    let w = folder(&[("a.cpz", "")]);
    fs::write(w.path().join("cpz.toml"), b"rules = '\xff'").expect("written");
    let mut c = Client::new(Some(w.path()), "utf-16");
    assert_eq!(codes(&c.findings(&uri(&w.path().join("cpz.toml")), None)), ["syntax"]);
    let mut c =
        Client::start().begin(None, json!({"initializationOptions": {"severity": {"too-many-kings": "of"}}}));
    let notice = c.claim("a warning", |m| m["method"] == "window/showMessage");
    assert!(notice["params"]["message"].as_str().expect("words").contains("too-many-kings"), "{notice}");
}
