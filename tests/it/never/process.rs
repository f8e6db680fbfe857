//! The process: output, memory, start, cancellation, frames.

use super::*;

#[test]
#[cfg(unix)]
fn initialize_never_waits_for_the_disk() {
    // Reading a pipe without a writer blocks.
    let w = folder(&[]);
    for name in ["cpz.toml", "a.cpz", "in/cpz.toml"] {
        let path = w.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        let made = std::process::Command::new("mkfifo").arg(&path).status().expect("mkfifo");
        assert!(made.success());
    }
    let mut c = Client::new(Some(w.path()), "utf-16");
    let a = uri(&w.path().join("in/b.cpz"));
    c.open(&a, BAD);
    assert_eq!(codes(&c.findings(&a, Some(1))), ["unsolvable"]);
    let mut c = Client::new(Some(Path::new("/no/such/folder")), "utf-16");
    c.open(A, BAD);
    assert_eq!(codes(&c.findings(A, Some(1))), ["unsolvable"]);
    let notice = c.claim("a notice", |m| m["method"] == "window/showMessage");
    assert_eq!(notice["params"]["message"], "/no/such/folder: skipped: no such file or folder");
    c.finish();
}

#[test]
fn standard_output_has_only_protocol_messages() {
    // The client fails on anything that is no message.
    for set in [("RUST_LOG", "trace"), ("RUST_BACKTRACE", "1")] {
        let mut c = Client::spawn_with(&[set]).begin(None, json!({}));
        c.open(A, "solv \u{0} [[[ 😀");
        c.findings(A, Some(1));
        c.raw(b"Content-Length: 3\r\n\r\n{{{");
        for (method, params) in requests(A, 0, 3).into_iter().chain(whole(A)) {
            let id = c.ask(method, params);
            c.answer(id);
        }
        c.call("shutdown", Value::Null);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn memory_stays_flat_over_many_edits() {
    let mut c = Client::spawn().begin(None, json!({}));
    let resident = |c: &Client| {
        let status = fs::read_to_string(format!("/proc/{}/status", c.process())).expect("a process");
        let line = status.lines().find(|l| l.starts_with("VmRSS:")).expect("its size");
        line.split_whitespace().nth(1).and_then(|n| n.parse::<u64>().ok()).expect("a number")
    };
    c.open(A, &"solitaire { board ...N.....R....B. count }\n".repeat(50));
    let mut version = 1;
    let mut edits = |c: &mut Client, n: i64| {
        for i in 0..n {
            version += 1;
            // Every text is one that was never there before.
            c.change(A, version, json!([{"range": span((0, 0), (0, 0)), "text": format!("// {version}\n")}]));
            version += 1;
            let board: String = (0..16).map(|b| if (version >> b) & 1 == 1 { 'N' } else { '.' }).collect();
            c.change(A, version, json!([{"range": span((0, 0), (2, 0)), "text": format!("solitaire {{ board {board} count }}\n")}]));
            c.change(A, version, insert(0, 0, ""));
            if i % 100 == 0 {
                let all = json!({"textDocument": document(A)});
                c.call("textDocument/semanticTokens/full", all);
                c.settle_quickly();
            }
        }
        let all = json!({"textDocument": document(A)});
        c.call("textDocument/semanticTokens/full", all);
        c.settle_quickly();
    };
    edits(&mut c, 3000);
    let first = resident(&c);
    edits(&mut c, 9000);
    let last = resident(&c);
    assert!(last < first + first / 4, "{first} kB and then {last} kB");
}

#[test]
fn completion_replaces_only_words() {
    let text = "solitaire \"a\" {\n  board ...N.....R....B.\n  solve => [[[3,3],[1,1]], \n  cou\n}\nchess { board 8/8/8/4k3/8/8/8/4K2R move R mate }\nsolitaire";
    let mut c = Client::new(None, "utf-16");
    c.open(A, text);
    let mut seen = 0;
    for (line, row) in text.lines().enumerate() {
        for column in 0..=row.len() {
            let place = json!({"textDocument": document(A), "position": at(line as u32, column as u32)});
            for item in c.call("textDocument/completion", place)["items"].as_array().expect("items") {
                let (range, new) =
                    (&item["textEdit"]["range"], item["textEdit"]["newText"].as_str().expect("a text"));
                let start = range["start"]["character"].as_u64().expect("a column") as usize;
                let end = range["end"]["character"].as_u64().expect("a column") as usize;
                assert_eq!((&range["start"]["line"], &range["end"]["line"]), (&json!(line), &json!(line)));
                assert!(start <= column && column <= end, "{item}");
                // Only a word is replaced, and what follows it stays.
                assert!(!row[start..end].contains([' ', '"', '[', ']', ',']), "{item}");
                assert!(
                    end == column || new.ends_with(&row[column..end]),
                    "{item} eats {:?}",
                    &row[column..end]
                );
                seen += 1;
            }
        }
    }
    assert!(seen > 100);
}

#[test]
#[cfg(unix)]
fn workspace_cannot_set_commands_or_lead_outside() {
    let outside = folder(&[("secret.cpz", BAD)]);
    let w = folder(&[("a.cpz", GOOD), ("cpz.toml", "server = { path = '/bin/false' }\n")]);
    std::os::unix::fs::symlink(outside.path().join("secret.cpz"), w.path().join("link.cpz")).expect("a link");
    std::os::unix::fs::symlink(outside.path(), w.path().join("linked")).expect("a link");
    let mut c = Client::new(Some(w.path()), "utf-16");
    // A path in it is no setting.
    assert_eq!(codes(&c.findings(&uri(&w.path().join("cpz.toml")), None)), ["unknown-keyword"]);
    let id = c.ask("workspace/executeCommand", json!({"command": "/bin/false", "arguments": []}));
    assert_eq!(c.answer(id)["error"]["code"], -32602);
    // Nothing outside is read, not even where links lead.
    c.tell(
        "workspace/didChangeWatchedFiles",
        json!({"changes": [{"uri": uri(&outside.path().join("secret.cpz")), "type": 2}]}),
    );
    c.tell("textDocument/didSave", json!({"textDocument": document(&uri(&w.path().join("a.cpz")))}));
    assert_eq!(c.settle(&uri(&w.path().join("link.cpz"))), None);
    c.finish();
}

#[test]
fn long_searches_do_not_delay_edits() {
    let mut c = boundless();
    c.open(A, &format!("{ENDLESS}{BAD}"));
    // Findings that need no search come first, and after every edit.
    assert_eq!(codes(&c.findings(A, Some(1))), ["unsolvable"]);
    for i in 0..20 {
        c.change(A, 2 + i, insert(1, 0, " "));
        assert_eq!(codes(&c.findings(A, Some(2 + i))), ["unsolvable"]);
    }
    // Requests that search do not delay those that do not, and an edit cancels them.
    let hover = || json!({"textDocument": document(A), "position": at(0, 48)});
    let lens = |kind: &str| json!({"range": span((0, 48), (0, 53)), "data": {"kind": kind, "uri": A, "version": 21, "position": at(0, 48)}});
    let insert_all = || json!({"command": "cpz.insertAllAnswers", "arguments": [{"uri": A, "version": 21, "position": at(0, 0)}]});
    let mut busy: Vec<i64> = (0..8).map(|_| c.ask("textDocument/hover", hover())).collect();
    busy.extend(["Puzzle", "Puzzle"].map(|kind| c.ask("codeLens/resolve", lens(kind))));
    let inserts = c.ask("workspace/executeCommand", insert_all());
    let keyword = json!({"textDocument": document(A), "position": at(0, 3)});
    assert!(c.call("textDocument/hover", keyword)["contents"]["value"].is_string());
    for (method, params) in whole(A) {
        c.call(method, params);
    }
    // The search of the new text ends although the first one was endless.
    let medium = format!("solitaire {{ rules solo board NNN. BBB. RRR. .... count => 5 }}\n{BAD}");
    c.change(A, 30, json!([{ "text": medium }]));
    assert_eq!(codes(&c.findings(A, Some(30))), ["unsolvable"]);
    assert_eq!(codes(&c.findings(A, Some(30))), ["wrong-answer", "unsolvable"]);
    for id in busy {
        assert_eq!(c.answer(id)["error"]["code"], -32801);
    }
    assert_eq!(c.answer(inserts)["result"], Value::Null);
    let notice = c.claim("a word about it", |m| m["method"] == "window/showMessage");
    assert!(notice["params"]["message"].as_str().expect("words").contains("changed"), "{notice}");
    c.finish();
    // A search that reaches its budget stops and is reported.
    let mut c = Client::start().begin(None, json!({"initializationOptions": {"budget": 50_000}}));
    c.open(A, ENDLESS);
    let mut found = c.findings(A, Some(1));
    while codes(&found) != ["undecided"] {
        found = c.findings(A, Some(1));
    }
    c.finish();
}

#[test]
fn cancel_works_while_all_workers_are_busy() {
    let mut c = boundless();
    c.open(A, ENDLESS);
    c.findings(A, Some(1));
    // These requests keep all threads for long requests busy.
    let wanted = json!({"textDocument": document(A), "position": at(0, 48)});
    let wanted: Vec<i64> = (0..4).map(|_| c.ask("textDocument/hover", wanted.clone())).collect();
    // More requests than threads, and each search is endless.
    let hover = || json!({"textDocument": document(A), "position": at(0, 48)});
    let busy: Vec<i64> = (0..40).map(|_| c.ask("textDocument/hover", hover())).collect();
    for id in &busy {
        c.tell("$/cancelRequest", json!({"id": id}));
    }
    for id in busy {
        assert_eq!(c.answer(id)["error"]["code"], -32800);
    }
    let keyword = json!({"textDocument": document(A), "position": at(0, 3)});
    assert!(c.call("textDocument/hover", keyword)["contents"]["value"].is_string());
    for id in &wanted {
        c.tell("$/cancelRequest", json!({"id": id}));
    }
    for id in wanted {
        assert_eq!(c.answer(id)["error"]["code"], -32800);
    }
    c.finish();
}

#[test]
fn hundreds_of_pending_requests_do_not_block_edits_or_shutdown() {
    let mut c = Client::spawn().begin(None, json!({"initializationOptions": {"budget": BOUNDLESS}}));
    c.open(A, ENDLESS);
    c.findings(A, Some(1));
    let hover = || json!({"textDocument": document(A), "position": at(0, 48)});
    let busy: Vec<i64> = (0..600).map(|_| c.ask("textDocument/hover", hover())).collect();
    // Edits are applied and their diagnostics published.
    c.open("untitled:b.cpz", BAD);
    assert_eq!(codes(&c.findings("untitled:b.cpz", Some(1))), ["unsolvable"]);
    for id in &busy[..300] {
        c.tell("$/cancelRequest", json!({"id": id}));
    }
    for id in &busy[..300] {
        assert_eq!(c.answer(*id)["error"]["code"], -32800);
    }
    c.tell("shutdown", Value::Null);
    let id = c.ask("shutdown", Value::Null);
    c.answer(id);
    c.tell("exit", Value::Null);
    assert_eq!(c.ends(), Some(0));
}

#[test]
fn header_variants_are_accepted() {
    let open = json!({"uri": A, "languageId": "cpz", "version": 1, "text": BAD});
    let body = json!({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": open}});
    let body = body.to_string();
    let n = body.len();
    for header in [
        format!("content-length: {n}\r\n\r\n"),
        format!("Content-Type: application/vscode-jsonrpc; charset=UTF-8\r\nContent-Length: {n}\r\n\r\n"),
        format!("Content-Length:{n}\r\nContent-Type: application/json\r\nX-A: b\r\nX-C: d\r\n\r\n"),
        format!("\r\nContent-Length: {n}\r\n\r\n"),
        format!("\u{feff}Content-Length: {n}\r\n\r\n"),
    ] {
        let mut c = Client::new(None, "utf-16");
        c.raw(header.as_bytes());
        c.raw(body.as_bytes());
        assert_eq!(codes(&c.findings(A, Some(1))), ["unsolvable"], "{header:?}");
        c.finish();
    }
}

#[test]
fn frames_may_arrive_in_pieces_or_together() {
    let mut c = Client::new(None, "utf-16");
    let open = json!({"uri": A, "languageId": "cpz", "version": 1, "text": BAD});
    let open =
        frame(&json!({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": open}}));
    for piece in open.chunks(7) {
        c.raw(piece);
    }
    assert_eq!(codes(&c.findings(A, Some(1))), ["unsolvable"]);
    c.finish();
}
