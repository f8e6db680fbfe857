//! Edits, requests and odd messages.

use super::*;

#[test]
fn edits_apply_in_the_order_sent() {
    let mut c = Client::new(None, "utf-16");
    c.open(A, "solitaire \"\" { board BN count }\n");
    let letters: Vec<char> = ('a'..='z').chain('0'..='9').cycle().take(600).collect();
    for (i, letter) in letters.iter().enumerate() {
        c.change(A, 2 + i as i64, insert(0, 11 + i as u32, &letter.to_string()));
        if i % 3 == 0 {
            c.ask("textDocument/hover", json!({"textDocument": document(A), "position": at(0, 0)}));
        }
    }
    let links =
        c.call("textDocument/prepareRename", json!({"textDocument": document(A), "position": at(0, 12)}));
    assert_eq!(links["placeholder"], letters.iter().collect::<String>());
}

#[test]
fn requests_use_the_latest_text() {
    let mut c = Client::new(None, "utf-16");
    c.open(A, "solitaire \"\" { board BN count }\n");
    let mut expected = String::new();
    for i in 0..60u32 {
        let letter = char::from(b'a' + (i % 26) as u8);
        c.change(A, 2 + i64::from(i), insert(0, 11 + i, &letter.to_string()));
        expected.push(letter);
        let shown = name(&mut c);
        let short: String = expected.chars().take(shown.trim_end_matches('…').chars().count()).collect();
        assert_eq!(shown.trim_end_matches('…'), short);
        assert!(short.len() == expected.len() || shown.ends_with('…'));
    }
}

#[test]
fn definition_uses_the_latest_text() {
    let two = "solitaire { board BN... size 5x1 count }\n".repeat(2);
    let mut c = Client::new(None, "utf-16");
    c.open(A, &two);
    for i in 0..20 {
        c.change(A, 2 + i, insert(0, 0, "\n"));
        let line = i as u32 + 1;
        let place = json!({"textDocument": document(A), "position": at(line, 2)});
        let other = c.call("textDocument/definition", place);
        assert_eq!(other["range"]["start"], at(line + 1, 0));
    }
}

#[test]
fn pending_requests_and_slow_clients_cause_no_deadlock() {
    // 300 edits while a request of the server waits for its answer.
    let mut c = Client::new(None, "utf-16");
    c.polite = false;
    c.open(A, GOOD);
    let place = json!({"uri": A, "version": 1, "position": at(0, 37)});
    c.call("workspace/executeCommand", json!({"command": "cpz.insertAnswer", "arguments": [place]}));
    c.claim("the edit", |m| m["method"] == "workspace/applyEdit");
    for i in 0..300 {
        c.change(A, 2 + i, insert(0, 0, "\n"));
    }
    c.findings(A, Some(301));
    // A client that reads nothing while it writes: pipes hold 64 KiB each way.
    let mut c = Client::spawn().begin(None, json!({}));
    let release = c.deaf();
    let many = format!("{}\n", "solv ".repeat(400));
    c.open(A, &many);
    for i in 0..300 {
        c.change(A, 2 + i, json!([{"text": format!("{many}// {}", "x".repeat(900 + i as usize))}]));
    }
    drop(release);
    c.findings(A, Some(301));
}

#[test]
fn odd_client_messages_cause_no_panic_and_no_silent_loss() {
    let mut c = Client::new(None, "utf-16");
    for name in ["untitled:a b.cpz", "untitled:a[1].cpz", "untitled:é.cpz", "vscode-vfs://x/a.cpz"] {
        c.open(name, BAD);
        // Diagnostics use the URI as the client writes it.
        assert_eq!(codes(&c.findings(name, Some(1))), ["unsolvable"], "{name}");
        for (i, range) in [
            span((50, 9), (51, 3)),
            json!({"start": {"line": 0, "character": 4e9}, "end": {"line": 0, "character": 5e9}}),
            json!({"start": {"line": -5, "character": 0}, "end": at(0, 0)}),
        ]
        .into_iter()
        .enumerate()
        {
            c.change(name, 2 + i as i64, json!([{"range": range, "text": "\n"}]));
        }
        assert_eq!(codes(&c.findings(name, Some(4))), ["unsolvable"], "{name}");
        // An edit that cannot be read: silence until the whole text comes.
        c.tell(
            "textDocument/didChange",
            json!({"textDocument": {"uri": name, "version": 5}, "contentChanges": 7}),
        );
        c.claim("silence", |m| m["params"]["uri"] == name && m["params"]["diagnostics"] == json!([]));
        c.change(name, 6, json!([{"text": BAD}]));
        assert_eq!(codes(&c.findings(name, Some(6))), ["unsolvable"], "{name}");
        c.tell("textDocument/didClose", json!({"textDocument": document(name)}));
    }
    // JSON that is none, messages that are no messages, and headers that say nothing: each is answered.
    for odd in ["{", "[]", "5", "null", "{\"method\":5}", "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"x\"}"]
    {
        c.raw(format!("Content-Length: {}\r\n\r\n{odd}", odd.len()).as_bytes());
        let code = if odd == "{" { -32700 } else { -32600 };
        c.claim("an error", |m| m["error"]["code"] == code && m["id"].is_null());
    }
    c.raw(b"Content-Length: x\r\n\r\n");
    // An edit that holds half a character is an edit; one that is torn has the text out of step.
    c.open(A, BAD);
    c.findings(A, Some(1));
    let edit = |text: &str| {
        let body = format!(
            r#"{{"jsonrpc":"2.0","method":"textDocument/didChange","params":{{"textDocument":{{"uri":"{A}","version":2}},"contentChanges":[{{"range":{{"start":{{"line":0,"character":0}},"end":{{"line":0,"character":0}}}},"text":"{text}"}}]}}}}"#
        );
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    };
    c.raw(edit("// \\ud83d").as_bytes());
    assert_eq!(c.findings(A, Some(2)), Vec::<Value>::new());
    c.raw(edit("\t\\x").as_bytes());
    c.claim("an error", |m| m["error"]["code"] == -32700);
    assert_eq!(
        c.call("textDocument/hover", json!({"textDocument": document(A), "position": at(0, 0)})),
        Value::Null
    );
}

#[test]
fn positions_inside_characters_cause_no_panic() {
    let text = "// é😀\r\nsolitaire \"😀é\" {\r board '….😀.B'\n solve => [['é',[0,0]]] (😀) }\u{2028}\u{b}é";
    for encoding in ["utf-16", "utf-8"] {
        let mut c = Client::new(None, encoding);
        c.open(A, text);
        for line in 0..6 {
            for column in 0..30 {
                for (method, params) in requests(A, line, column) {
                    let id = c.ask(method, params);
                    let answer = c.answer(id);
                    let internal = answer.get("error").is_some_and(|e| e["code"] == -32603);
                    assert!(!internal, "{method} at {line}:{column}: {answer}");
                }
            }
        }
        // Edits in the middle of characters.
        for (i, column) in (0..12).enumerate() {
            c.change(
                A,
                2 + i as i64,
                json!([{"range": span((0, column), (1, 12)), "text": "é😀\r\nsolitaire \"😀"}]),
            );
        }
        c.findings(A, Some(13));
    }
}

#[test]
fn deep_nesting_and_huge_texts_do_not_end_the_server() {
    let mut c = Client::new(None, "utf-16");
    for (i, n) in [10_000, 1_000_000].into_iter().enumerate() {
        let text = format!("solitaire {{ board {} solve }}\n{BAD}", "[".repeat(n));
        let name = format!("untitled:{i}.cpz");
        c.open(&name, &text);
        let found = c.findings(&name, Some(1));
        assert!(codes(&found).contains(&"syntax") && codes(&found).contains(&"unsolvable"), "{n}");
        for (method, params) in requests(&name, 0, 20).into_iter().chain(whole(&name)) {
            let id = c.ask(method, params);
            assert!(c.answer(id).get("error").is_none_or(|e| e["code"] != -32603), "{method}");
        }
        c.tell("textDocument/didClose", json!({"textDocument": document(&name)}));
    }
    // Very many findings.
    c.open(A, &BAD.repeat(5000));
    assert_eq!(c.findings(A, Some(1)).len(), 1001);
}

#[test]
fn every_request_has_exactly_one_response() {
    let mut c = Client::new(None, "utf-16");
    c.open(A, GOOD);
    let mut asked = Vec::new();
    for round in 0..20 {
        for (method, params) in requests(A, 0, round).into_iter().chain(whole(A)) {
            asked.push(c.ask(method, params));
            if round % 3 == 0 {
                let id = asked[asked.len() - 1];
                c.tell("$/cancelRequest", json!({"id": id}));
            }
        }
        asked.push(c.ask("no/such", json!({})));
        asked.push(c.ask("textDocument/hover", json!({"position": "nonsense"})));
        asked.push(c.ask("workspace/executeCommand", json!({"command": "cpz.insertAnswer"})));
        asked.push(c.ask("codeLens/resolve", json!({"range": span((0, 0), (0, 0)), "data": 5})));
        c.change(A, 2 + i64::from(round), insert(0, 0, " "));
    }
    for id in asked {
        c.answer(id);
    }
    // Malformed requests get a response too.
    for (params, code) in [("1e999", -32600), (&format!("{}{}", "[".repeat(500), "]".repeat(500)), -32600)] {
        let body =
            format!(r#"{{"jsonrpc":"2.0","id":"odd","method":"textDocument/hover","params":{params}}}"#);
        c.raw(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
        let answer = c.claim("an answer", |m| m["id"] == "odd");
        assert_eq!(answer["error"]["code"], code, "{answer}");
    }
    // Any second answer to one of them would be left over.
    c.findings(A, Some(21));
    c.finish();
}

#[test]
fn server_exits_when_its_client_is_gone() {
    let mut c = Client::spawn().begin(None, json!({}));
    c.tell("exit", Value::Null);
    assert_eq!(c.ends(), Some(1), "exit without shutdown");
    let mut c = Client::spawn().begin(None, json!({}));
    c.close_input();
    assert_eq!(c.ends(), Some(1), "end of input");
    let mut c = Client::spawn().begin(None, json!({}));
    c.call("shutdown", Value::Null);
    c.close_input();
    assert_eq!(c.ends(), Some(0), "end of input after shutdown");
    let mut c = Client::spawn().begin(None, json!({}));
    c.call("shutdown", Value::Null);
    c.tell("exit", Value::Null);
    assert_eq!(c.ends(), Some(0), "exit after shutdown");
    // Both in one write.
    let mut c = Client::spawn().begin(None, json!({}));
    let both = [
        json!({"jsonrpc": "2.0", "id": 9, "method": "shutdown"}),
        json!({"jsonrpc": "2.0", "method": "exit"}),
    ];
    c.raw(&both.iter().flat_map(frame).collect::<Vec<u8>>());
    assert_eq!(c.ends(), Some(0), "exit right behind shutdown");
    // A client that is gone before it says so: its process has ended and standard input stays open.
    let mut gone = std::process::Command::new("true").spawn().expect("a process");
    gone.wait().expect("its end");
    let mut c = Client::spawn();
    c.ask("initialize", json!({"processId": gone.id(), "rootUri": null, "capabilities": {}}));
    assert_eq!(c.ends(), Some(1), "the editor's death");
    // In the middle of a search without end.
    let mut c = Client::spawn().begin(None, json!({"initializationOptions": {"budget": BOUNDLESS}}));
    c.open(A, ENDLESS);
    c.findings(A, Some(1));
    c.ask("textDocument/hover", json!({"textDocument": document(A), "position": at(0, 48)}));
    c.tell("exit", Value::Null);
    assert_eq!(c.ends(), Some(1), "exit while searching");
}
