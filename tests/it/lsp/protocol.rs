//! Messages of the server: their contents and their order.

use crate::harness::PROGRAM;
use crate::harness::client::{Client, at, span, uri};
use serde_json::{Value, json};

const A: &str = "untitled:a.cpz";
const SOLVABLE: &str = "solitaire { board ...N.....R....B. solve }\n";
const MISTAKE: &str = "chess { board 8/8/8/4k3/8/8/8/4K2R w - - 0 1 move Rh9 }\n";

fn codes(findings: &[Value]) -> Vec<&str> {
    findings.iter().map(|f| f["code"].as_str().unwrap_or("")).collect()
}

fn insert(line: u32, character: u32, text: &str) -> Value {
    json!([{"range": span((line, character), (line, character)), "text": text}])
}

fn document(uri: &str) -> Value {
    json!({"uri": uri})
}

#[test]
fn diagnostics_have_version_code_link_and_fixes_and_clear_on_close() {
    let mut c = Client::new(None, "utf-16");
    c.open(A, "// 😀\nsolitaire { board ...N.....R....B. solv }\n");
    let found = c.findings(A, Some(1));
    assert_eq!(codes(&found), ["unknown-keyword"]);
    assert_eq!(found[0]["range"], span((1, 35), (1, 39)));
    assert_eq!(found[0]["severity"], 1);
    assert_eq!(found[0]["source"], "cpz");
    assert_eq!(found[0]["data"]["fixes"], json!(["replace with `solve`"]));
    c.change(A, 2, insert(1, 39, "e"));
    assert_eq!(c.findings(A, Some(2)), Vec::<Value>::new());
    c.tell("textDocument/didClose", json!({"textDocument": document(A)}));
    assert_eq!(c.findings(A, None), Vec::<Value>::new());
    c.finish();
}

/// A search that needs more nodes than a first pass may visit, for a puzzle directly behind a brace.
#[test]
fn findings_of_a_long_search_belong_to_the_puzzle_behind_a_brace() {
    let first = "chess { board 8/8/8/4k3/8/8/8/4K3 mate => none }";
    let second = "solitaire { board QRBNQRBNQ....... count => 1 }";
    for between in ["", " ", "\n"] {
        let mut c = Client::new(None, "utf-16");
        c.open(A, &format!("{first}{between}{second}\n"));
        let found = c.findings(A, Some(1));
        let found = if found.is_empty() { c.findings(A, Some(1)) } else { found };
        assert_eq!(codes(&found), ["wrong-answer"], "{between:?}");
        c.finish();
    }
}

#[test]
fn edits_apply_in_order_while_a_server_request_is_pending() {
    let mut c = Client::new(None, "utf-8");
    c.polite = false;
    c.open(A, SOLVABLE);
    // A command whose edit the client never answers.
    let place = json!({"uri": A, "version": 1, "position": at(0, 37)});
    c.call("workspace/executeCommand", json!({"command": "cpz.insertAnswer", "arguments": [place]}));
    c.claim("the edit", |m| m["method"] == "workspace/applyEdit");
    let text: Vec<char> = "// é😀 abcdefghij".chars().cycle().take(300).collect();
    let mut column = 0;
    let mut asked = Vec::new();
    c.change(A, 2, insert(1, 0, "solitaire {"));
    for (i, letter) in text.iter().enumerate() {
        c.change(A, 3 + i as i64, insert(0, column, &letter.to_string()));
        column += letter.len_utf8() as u32;
        asked.push(c.ask("textDocument/hover", json!({"textDocument": document(A), "position": at(0, 0)})));
    }
    for id in asked {
        c.answer(id);
    }
    let found = c.findings(A, Some(302));
    // The first line is one comment now, so what is left is the puzzle that was never closed.
    assert!(found.iter().all(|f| f["range"]["start"]["line"] == 1), "{found:#?}");
    assert!(codes(&found).contains(&"syntax"));
    c.finish_but("textDocument/publishDiagnostics");
}

#[test]
fn undecodable_edit_is_reported_and_silences_its_document() {
    let mut c = Client::new(None, "utf-16");
    c.open(A, MISTAKE);
    assert_eq!(codes(&c.findings(A, Some(1))), ["off-board"]);
    c.change(A, 2, json!([{"range": "nonsense", "text": "x"}]));
    c.settle(A);
    let hints =
        c.call("textDocument/inlayHint", json!({"textDocument": document(A), "range": span((0, 0), (9, 0))}));
    assert_eq!(hints, Value::Null, "nothing is said of a text that is out of step");
    c.change(A, 3, json!([{"text": SOLVABLE}]));
    assert_eq!(c.findings(A, Some(3)), Vec::<Value>::new());
    let hints =
        c.call("textDocument/inlayHint", json!({"textDocument": document(A), "range": span((0, 0), (9, 0))}));
    assert!(hints[0]["label"].as_str().unwrap().starts_with("⇒ "));
    c.finish();
}

#[test]
fn odd_positions_and_uris_are_tolerated() {
    let mut c = Client::new(None, "utf-16");
    for name in ["untitled:a b.cpz", "untitled:a[1].cpz", "untitled:é.cpz"] {
        c.open(name, MISTAKE);
        c.change(name, 2, json!([{"range": span((50, 9), (51, 3)), "text": "\n"}]));
        c.change(
            name,
            3,
            json!([{"range": {"start": {"line": 0, "character": 4e9}, "end": at(0, 0)}, "text": "// "}]),
        );
        c.change(
            name,
            4,
            json!([{"range": {"start": {"line": -5, "character": 0}, "end": at(0, 0)}, "text": "// "}]),
        );
        c.claim("a version", |m| m["params"]["version"] == 4);
    }
    c.finish_but("textDocument/publishDiagnostics");
}

#[test]
fn workspace_is_checked_and_duplicates_are_related() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("a.cpz"), SOLVABLE).unwrap();
    std::fs::write(path("b c.cpz"), format!("\n{SOLVABLE}")).unwrap();
    std::fs::write(path("d.cpz"), MISTAKE).unwrap();
    let (a, b, d) = (uri(&path("a.cpz")), uri(&path("b%20c.cpz")), uri(&path("d.cpz")));
    let mut c = Client::new(Some(folder.path()), "utf-16");
    assert_eq!(codes(&c.findings(&d, None)), ["off-board"]);
    let found = c.findings(&a, None);
    assert_eq!(codes(&found), ["duplicate-puzzle"]);
    assert_eq!(found[0]["message"], "this is the same puzzle as b c.cpz:2");
    assert_eq!(found[0]["relatedInformation"][0]["location"]["uri"], b.as_str());
    assert_eq!(codes(&c.findings(&b, None)), ["duplicate-puzzle"]);
    // The same as the command line says of the same folder.
    let said = std::process::Command::new(&*PROGRAM)
        .args(["check", "--format", "json"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let said: Value = serde_json::from_slice(&said.stdout).unwrap();
    assert_eq!(said["files"][0]["diagnostics"][0]["message"], found[0]["message"]);
    assert_eq!(said["files"][0]["diagnostics"][0]["range"], found[0]["range"]);
    // A changed document is no duplicate any more; the diagnostics of the other one are updated.
    c.open(&a, SOLVABLE);
    assert_eq!(codes(&c.findings(&a, Some(1))), ["duplicate-puzzle"]);
    c.change(&a, 2, json!([{"text": SOLVABLE.replace("..N", ".QN")}]));
    c.findings(&a, Some(2));
    assert_eq!(c.findings(&b, None), Vec::<Value>::new());
    // A save starts another scan of the workspace.
    std::fs::write(path("d.cpz"), SOLVABLE.replace("..N", ".KN")).unwrap();
    c.tell("textDocument/didSave", json!({"textDocument": document(&a)}));
    assert_eq!(c.findings(&d, None).iter().filter(|f| f["code"] == "off-board").count(), 0);
    std::fs::write(path("d.cpz"), MISTAKE).unwrap();
    let changed = |kind: u32| json!({"changes": [{"uri": d, "type": kind}]});
    c.tell("workspace/didChangeWatchedFiles", changed(2));
    assert_eq!(codes(&c.findings(&d, None)), ["off-board"]);
    std::fs::remove_file(path("d.cpz")).unwrap();
    c.tell("workspace/didChangeWatchedFiles", changed(3));
    assert_eq!(c.findings(&d, None), Vec::<Value>::new());
    c.finish();
}

#[test]
fn inlay_hints_show_answers_and_insert_them() {
    let mut c = Client::new(None, "utf-16");
    let text = "solitaire { board ...N.....R....B. solve count }\n\
        chess { board 8/8/8/4k3/8/8/8/4K2R w - - 0 1 move Rh8 => legal mate }\n\
        draughts { board [[\"W\",\"K\",1,1], [\"B\",\"M\",3,3], [\"B\",\"M\",5,5]] capture }\n";
    c.open(A, text);
    c.findings(A, Some(1));
    let whole = span((0, 0), (9, 0));
    let hints = c.call("textDocument/inlayHint", json!({"textDocument": document(A), "range": whole}));
    let labels: Vec<&str> = hints.as_array().unwrap().iter().map(|h| h["label"].as_str().unwrap()).collect();
    let solution = labels[0].strip_prefix("⇒ ").unwrap();
    assert_eq!(solution.split(' ').count(), 2, "two captures: {solution}");
    assert!(labels[1].contains("solution"), "{labels:?}");
    assert_eq!(&labels[2..], ["⇒ none", "⇒ 2 men"]);
    assert!(hints[0]["textEdits"][0]["newText"].as_str().unwrap().starts_with(" => "));

    let lenses = c.call("textDocument/codeLens", json!({"textDocument": document(A)}));
    let mut titles = Vec::new();
    for lens in lenses.as_array().unwrap() {
        assert!(lens.get("command").is_none_or(Value::is_null), "resolved lazily");
        let lens = c.call("codeLens/resolve", lens.clone());
        let line = lens["range"]["start"]["line"].as_u64().unwrap();
        titles.push(format!("{line} {}", lens["command"]["title"].as_str().unwrap()));
    }
    assert_eq!(
        titles,
        [
            "0 2 open",
            "0 Insert all",
            "0 Hint",
            "1 1 verified, 1 open",
            "1 Insert",
            "2 1 open",
            "2 Insert",
            "2 Hint"
        ]
    );
    let place = json!({"uri": A, "version": 1, "position": at(0, 0)});
    c.call("workspace/executeCommand", json!({"command": "cpz.insertAllAnswers", "arguments": [place]}));
    let edit = c.claim("the edit", |m| m["method"] == "workspace/applyEdit");
    let edits = edit["params"]["edit"]["changes"][A].as_array().unwrap().clone();
    assert_eq!(edits.len(), 4);
    // Written in, there is nothing left to show, and all of it is right.
    let mut written: Vec<String> = text.lines().map(String::from).collect();
    for edit in edits.iter().rev() {
        let start = &edit["range"]["start"];
        let (line, column) =
            (start["line"].as_u64().unwrap() as usize, start["character"].as_u64().unwrap() as usize);
        written[line].insert_str(column, edit["newText"].as_str().unwrap());
    }
    c.change(A, 2, json!([{"text": written.join("\n")}]));
    assert_eq!(c.findings(A, Some(2)), Vec::<Value>::new());
    let hints =
        c.call("textDocument/inlayHint", json!({"textDocument": document(A), "range": span((0, 0), (9, 0))}));
    assert_eq!(hints, json!([]));
    c.finish();
}

#[test]
fn only_safe_fixes_are_preferred() {
    for (text, at, safe) in [
        ("solitaire { board ...N.....R....B. solv }\n", 36, true),
        ("solitaire { board ...N.....R....B. solve => none }\n", 45, false),
        ("solitaire { board ...N.....R....B. mote }\n", 36, false),
        ("solitaire { board ...N....-R....B. solve }\n", 26, false),
        ("chess { board 4k3/8/8/8/8/8/8/4K2R move Ra7 }\n", 40, false),
        ("chess { board 8/8/8/4k3/8/8/8/4K2R move Rh2+ }\n", 43, true),
        ("chess { board 8/8/8/4k3/8/8/8/4K2R move Rh2# }\n", 43, false),
    ] {
        let mut c = Client::new(None, "utf-16");
        c.open(A, text);
        let context = json!({"diagnostics": c.findings(A, Some(1)), "only": ["quickfix"]});
        let params =
            json!({"textDocument": document(A), "range": span((0, at), (0, at)), "context": context});
        let actions = c.call("textDocument/codeAction", params);
        let actions = actions.as_array().expect("actions");
        assert!(!actions.is_empty(), "{text}");
        assert_eq!(actions[0]["isPreferred"] == true, safe, "{text}{actions:?}");
        assert!(actions[1..].iter().all(|a| a["isPreferred"] != true), "{text}{actions:?}");
        c.finish();
    }
}

#[test]
fn quick_fixes_are_linked_to_their_diagnostics() {
    let mut c = Client::new(None, "utf-16");
    c.open(A, "solitaire { board ...N.....R....B. solv }\n");
    let found = c.findings(A, Some(1));
    let context = json!({"diagnostics": found, "only": ["quickfix"]});
    let params = json!({"textDocument": document(A), "range": span((0, 36), (0, 36)), "context": context});
    let actions = c.call("textDocument/codeAction", params);
    assert_eq!(actions[0]["title"], "Replace with ‘solve’");
    assert_eq!(actions[0]["isPreferred"], true);
    assert_eq!(actions[0]["diagnostics"][0], found[0]);
    assert_eq!(
        actions[0]["edit"]["changes"][A],
        json!([{"range": span((0, 35), (0, 39)), "newText": "solve"}])
    );
    let context = json!({"diagnostics": [], "only": ["source.fixAll"]});
    let params = json!({"textDocument": document(A), "range": span((0, 0), (0, 0)), "context": context});
    let actions = c.call("textDocument/codeAction", params);
    assert_eq!(actions.as_array().unwrap().len(), 1);
    assert_eq!(actions[0]["kind"], "source.fixAll.cpz");
    c.finish();
}

#[test]
fn a_pasted_text_of_another_program_becomes_puzzles() {
    let mut c = Client::new(None, "utf-16");
    let game = "[White \"Mate in one\"]\n[FEN \"6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1\"]\n\n1. Rd8# *\n";
    let whole = "[White \"Greco\"]\n\n1. e4 *\n";
    c.open(A, &format!("{game}\n{whole}\nsolitaire {{ board ...N.....R....B. solve }}\n"));
    let found = c.findings(A, Some(1));
    let context = json!({"diagnostics": found, "only": ["quickfix"]});
    let params = json!({"textDocument": document(A), "range": span((1, 3), (1, 3)), "context": context});
    let actions = c.call("textDocument/codeAction", params);
    assert_eq!(actions[0]["title"], "Make a puzzle of it");
    assert_eq!(actions[0]["diagnostics"][0], found[0]);
    let edit = &actions[0]["edit"]["changes"][A][0];
    assert_eq!(edit["range"], span((0, 0), (7, 7)));
    let expected = "chess {\n  board 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1\n  mate in 1 => Rd8#\n}\n\n\
                    // not imported: this game has no `FEN` tag: it begins with the first move of chess\n\
                    // [White \"Greco\"]\n// 1. e4 *";
    assert_eq!(edit["newText"], expected);
    c.finish();
}

#[test]
fn structure_requests_are_answered() {
    let mut c = Client::new(None, "utf-8");
    c.open(A, "// see https://a.org\nsolitaire \"A\" {\n  board\n    . . . .\n    . B . .\n    R P . .\n    . . . N\n  solve\n}\n");
    c.findings(A, Some(1));
    let params = || json!({"textDocument": document(A)});
    assert_eq!(c.call("textDocument/documentSymbol", params())[0]["name"], "A");
    assert_eq!(c.call("textDocument/foldingRange", params())[0], json!({"startLine": 1, "endLine": 8}));
    assert_eq!(c.call("textDocument/documentLink", params())[0]["target"], "https://a.org");
    assert_eq!(c.call("workspace/symbol", json!({"query": "a"}))[0]["name"], "A");
    let rename = json!({"textDocument": document(A), "position": at(1, 12), "newName": "B"});
    let edits = c.call("textDocument/rename", rename);
    assert_eq!(edits["changes"][A], json!([{"range": span((1, 11), (1, 12)), "newText": "B"}]));
    // What changed since the last tokens leads to what a fresh look finds.
    let tokens = c.call("textDocument/semanticTokens/full", params());
    c.change(A, 2, insert(4, 8, "N"));
    let since = json!({"textDocument": document(A), "previousResultId": tokens["resultId"]});
    let delta = c.call("textDocument/semanticTokens/full/delta", since);
    let mut data: Vec<Value> = tokens["data"].as_array().unwrap().clone();
    for edit in delta["edits"].as_array().unwrap() {
        let (start, gone) =
            (edit["start"].as_u64().unwrap() as usize, edit["deleteCount"].as_u64().unwrap() as usize);
        data.splice(start..start + gone, edit["data"].as_array().unwrap().iter().cloned());
    }
    assert_eq!(Value::from(data), c.call("textDocument/semanticTokens/full", params())["data"]);
    c.findings(A, Some(2));
    c.finish();
}

#[test]
fn workspace_edits_carry_versions_if_supported() {
    let text = "solitaire { board ...N.....R....B. solve }\nsolitair { }\n";
    let ask = |can: bool| {
        let edit = json!({"workspace": {"workspaceEdit": {"documentChanges": can}}});
        let mut c = Client::start().begin(None, json!({"capabilities": edit}));
        c.open(A, text);
        c.change(A, 7, json!([{"range": span((1, 11), (1, 11)), "text": " "}]));
        c.findings(A, Some(7));
        let range = json!({"textDocument": {"uri": A}, "range": span((1, 2), (1, 2)), "context": {"diagnostics": []}});
        let actions = c.call("textDocument/codeAction", range);
        let fix = actions[0]["edit"].clone();
        let place = json!({"uri": A, "version": 7, "position": at(0, 38)});
        c.call("workspace/executeCommand", json!({"command": "cpz.insertAnswer", "arguments": [place]}));
        let asked = c.claim("an edit", |m| m["method"] == "workspace/applyEdit");
        c.finish();
        [fix, asked["params"]["edit"].clone()]
    };
    for edit in ask(true) {
        assert_eq!(edit["documentChanges"][0]["textDocument"], json!({"uri": A, "version": 7}), "{edit}");
        assert_eq!(edit["documentChanges"][0]["edits"].as_array().map(Vec::len), Some(1), "{edit}");
        assert!(edit.get("changes").is_none());
    }
    for edit in ask(false) {
        assert_eq!(edit["changes"][A].as_array().map(Vec::len), Some(1), "{edit}");
        assert!(edit.get("documentChanges").is_none());
    }
}

#[test]
fn board_request_returns_the_board_and_its_squares() {
    for encoding in ["utf-8", "utf-16"] {
        let mut c = Client::new(None, encoding);
        c.open(A, "/*😀*/ solitaire \"é\" { board ...N.....R....B. solve }\n");
        let column = if encoding == "utf-8" { 2 } else { 0 };
        let place = |character: u32| json!({"textDocument": document(A), "position": at(0, character)});
        let board = c.call("cpz/board", place(20));
        assert_eq!(board["name"], "é");
        assert_eq!(
            (&board["game"], &board["frames"], &board["frame"]),
            (&json!("solitaire"), &json!(3), &json!(0))
        );
        assert!(board["svg"].as_str().unwrap().starts_with("<svg "));
        assert_eq!(
            (&board["version"], &board["whole"], &board["step"]),
            (&json!(1), &json!(true), &Value::Null)
        );
        let mut last = place(20);
        (last["frame"], last["line"], last["wait"]) = (json!(2), json!(0), json!(true));
        assert!(c.call("cpz/board", last)["caption"].as_str().unwrap().starts_with("Step 2 of 2"));
        let mut square = place(20);
        square["square"] = json!("b2");
        let found = c.call("cpz/square", square);
        // The emoji is two units or four bytes, the letter one or two.
        let start = 38 + column + if encoding == "utf-8" { 1 } else { 0 };
        assert_eq!(found, span((0, start), (0, start + 1)), "{encoding}");
        // A text that is changed is another board at once.
        c.change(A, 2, insert(1, 0, "chess { board 8/8/8/4k3/8/8/8/4K2R mate }"));
        let below = json!({"textDocument": document(A), "position": at(1, 3)});
        let board = c.call("cpz/board", below.clone());
        assert_eq!((&board["game"], &board["version"]), (&json!("chess"), &json!(2)));
        let unknown = json!({"textDocument": document("untitled:other"), "position": at(1, 3)});
        assert_eq!(c.call("cpz/board", unknown), Value::Null);
        c.settle(A);
        c.finish_but("textDocument/publishDiagnostics");
    }
}

#[test]
fn board_of_a_problem_has_the_replies_that_can_be_chosen() {
    let mut c = Client::new(None, "utf-8");
    c.open(A, "chess { board kbK5/pp6/1P6/8/8/8/8/R7 mate in 2 }\n");
    let mut place = json!({"textDocument": document(A), "position": at(0, 45)});
    assert_eq!(c.call("cpz/board", place.clone())["branch"], Value::Null);
    (place["frame"], place["choices"], place["wait"]) = (json!(3), json!([1]), json!(true));
    let board = c.call("cpz/board", place);
    assert_eq!((&board["caption"], &board["whole"]), (&json!("1...Bc7 2.Rxa7#"), &json!(true)));
    let branch = &board["branch"];
    assert_eq!(
        (&branch["title"], &branch["chosen"], &branch["before"], &branch["frame"]),
        (&json!("Black's replies to 1.Ra6"), &json!(1), &json!([]), &json!(2))
    );
    let first = json!({"label": "1...bxa6", "answer": "2.b7#", "group": 0, "refutes": false});
    assert_eq!(branch["choices"][0], first);
    c.settle(A);
    c.finish_but("textDocument/publishDiagnostics");
}

#[test]
fn long_searches_run_only_on_request() {
    let mut c = Client::new(None, "utf-8");
    // A count that takes a while.
    c.open(A, "solitaire { board [QQQQ, QQQQ, QQ.., ....] count }\n");
    let mut place = json!({"textDocument": document(A), "position": at(0, 3)});
    let board = c.call("cpz/board", place.clone());
    assert_eq!(board["whole"], false);
    assert_eq!(
        board["words"].as_str().map(|w| w.starts_with("A board of 4×4 squares: queens on ")),
        Some(true)
    );
    place["wait"] = json!(true);
    let board = c.call("cpz/board", place);
    assert_eq!(board["whole"], true);
    c.settle(A);
    c.finish_but("textDocument/publishDiagnostics");
}

#[test]
fn code_actions_can_be_filtered_to_conversions() {
    let mut c = Client::new(None, "utf-8");
    c.open(A, "chess { board 8/8/8/4k3/8/8/8/4K2R mate }\n");
    let mut titles = |only: &str| -> Vec<String> {
        let context = json!({"diagnostics": [], "only": [only]});
        let asked = json!({"textDocument": document(A), "range": span((0, 16), (0, 16)), "context": context});
        let actions = c.call("textDocument/codeAction", asked);
        actions.as_array().unwrap().iter().map(|a| a["title"].as_str().unwrap().to_string()).collect()
    };
    let conversions = titles("refactor.rewrite.convert");
    assert!(conversions.len() > 2, "{conversions:?}");
    assert!(conversions.iter().all(|t| t.starts_with("Convert the board to ")), "{conversions:?}");
    let all = titles("refactor.rewrite");
    assert!(all.len() > conversions.len() && conversions.iter().all(|t| all.contains(t)), "{all:?}");
    // The empty kind is the parent of all.
    let every = titles("");
    assert!(every.len() >= all.len() && all.iter().all(|t| every.contains(t)), "{every:?}");
    c.settle(A);
    c.finish_but("textDocument/publishDiagnostics");
}

#[test]
fn answer_is_inserted_once_by_two_commands_on_one_version() {
    let mut c = Client::new(None, "utf-8");
    c.polite = false;
    c.open(A, SOLVABLE);
    let place = json!({"uri": A, "version": 1, "position": at(0, 37)});
    let mut sent = Vec::new();
    for _ in 0..2 {
        c.call(
            "workspace/executeCommand",
            json!({"command": "cpz.insertAnswer", "arguments": [place.clone()]}),
        );
        let either = |m: &Value| m["method"] == "workspace/applyEdit" || m["method"] == "window/showMessage";
        sent.push(c.claim("an edit or a message", either)["method"].clone());
    }
    assert_eq!(sent, ["workspace/applyEdit", "window/showMessage"]);
    c.settle(A);
    c.finish_but("textDocument/publishDiagnostics");
}

#[test]
fn apply_edit_precedes_the_command_response() {
    let mut c = Client::new(None, "utf-8");
    c.polite = false;
    c.open(A, SOLVABLE);
    let place = json!({"uri": A, "version": 1, "position": at(0, 37)});
    let asked =
        c.ask("workspace/executeCommand", json!({"command": "cpz.insertAnswer", "arguments": [place]}));
    let first =
        c.claim("the edit or the answer", |m| m["method"] == "workspace/applyEdit" || m["id"] == asked);
    assert_eq!(first["method"], "workspace/applyEdit", "{first}");
    c.answer(asked);
    c.settle(A);
    c.finish_but("textDocument/publishDiagnostics");
}

#[test]
fn problems_name_their_puzzle_in_plain_text() {
    let mut c = Client::new(None, "utf-16");
    let text = "solitaire \"Evening 5\" { board P..P .... .... .... solve }\n\
        solitaire { board RN.. .... .... .... solv }\n";
    c.open(A, text);
    let found = c.findings(A, Some(1));
    let messages: Vec<&str> = found.iter().map(|f| f["message"].as_str().unwrap()).collect();
    assert_eq!(
        messages,
        ["“Evening 5”: this board has no solution", "unknown keyword ‘solv’; did you mean ‘solve’?"]
    );
    c.finish();
}

/// The manual has no address to which a code could lead.
#[test]
fn a_client_without_pages_is_shown_what_a_code_means() {
    for can in [
        json!({"window": {"showDocument": {"support": true}}}),
        json!({"textDocument": {"publishDiagnostics": {"codeDescriptionSupport": true}}}),
        json!({}),
    ] {
        let is_offered = can != json!({});
        let mut c = Client::start().begin(None, json!({ "capabilities": can }));
        c.open(A, "solitaire { board P..P .... .... .... solve }\n");
        c.findings(A, Some(1));
        let context = json!({"diagnostics": []});
        let range = span((0, 40), (0, 40));
        let params = json!({"textDocument": document(A), "range": range, "context": context});
        let actions = c.call("textDocument/codeAction", params);
        let explain = |a: &&Value| a["title"] == "Explain unsolvable";
        let action = actions.as_array().unwrap().iter().find(explain);
        assert_eq!(action.is_some(), is_offered, "{actions}");
        if let Some(action) = action {
            let command = &action["command"];
            let run = json!({"command": command["command"], "arguments": command["arguments"]});
            c.call("workspace/executeCommand", run);
            let shown = c.claim("the explanation", |m| m["method"] == "window/showMessage");
            let message = shown["params"]["message"].as_str().unwrap();
            assert!(message.starts_with("cpz: unsolvable: ") && !message.contains('`'), "{message}");
        }
        c.finish();
    }
}

/// The other puzzle is elsewhere; the lens counts what is found here.
#[test]
fn duplicates_have_a_lens_and_actions() {
    let experimental = json!({"commands": {"commands": ["cpz.showBoard", "cpz.explain"]}});
    let can = json!({"window": {"showDocument": {"support": true}}, "experimental": experimental});
    let mut c = Client::start().begin(None, json!({ "capabilities": can }));
    let one = "solitaire { board ...N.....R....B. }\n";
    c.open(A, &format!("{one}{one}"));
    c.findings(A, Some(1));
    let lenses = c.call("textDocument/codeLens", json!({"textDocument": document(A)}));
    assert_eq!(lenses.as_array().unwrap().len(), 4, "the board and the state of each");
    let state = c.call("codeLens/resolve", lenses[1].clone());
    assert_eq!(state["command"]["command"], "cpz.goTo", "{state}");
    assert!(
        state["command"]["title"].as_str().unwrap().starts_with("⚠ this is the same puzzle as "),
        "{state}"
    );
    assert_eq!(c.call("codeLens/resolve", lenses[0].clone())["command"]["command"], "cpz.showBoard");
    let context = json!({"diagnostics": []});
    let params = json!({"textDocument": document(A), "range": span((0, 3), (0, 3)), "context": context});
    let actions = c.call("textDocument/codeAction", params);
    let titles: Vec<&str> =
        actions.as_array().unwrap().iter().map(|a| a["title"].as_str().unwrap()).collect();
    let expected = [
        "Go to the other one",
        "Explain duplicate-puzzle",
        "Switch to ‘rules ranger’",
        "Switch to ‘rules solo’",
        "Allow duplicate-puzzle here",
        "Allow duplicate-puzzle in this file",
    ];
    assert_eq!(titles, expected);
    let go = &actions[0]["command"];
    c.call("workspace/executeCommand", json!({"command": go["command"], "arguments": go["arguments"]}));
    let shown = c.claim("a place", |m| m["method"] == "window/showDocument");
    assert_eq!(shown["params"]["selection"]["start"], at(1, 0), "{shown}");
    let page = c.call("cpz/explain", json!({"code": "duplicate-puzzle"}));
    assert!(page["markdown"].as_str().unwrap().starts_with("# duplicate-puzzle\n"), "{page}");
    c.finish();
}
