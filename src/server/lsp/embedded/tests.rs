use proptest::prelude::*;
use serde_json::{Value, json};

use crate::lsp::embedded::{EmbeddedServer, SlowSearches};

const URI: &str = "file:///a.cpz";
/// Needs more nodes than a quick search has.
const SLOW: &str = "solitaire \"slow\" {\n  board NNN. BB.. RR.. QQ..\n  count\n}\n";

fn call(server: &mut EmbeddedServer, message: Value) -> Vec<Value> {
    parsed(server.handle(&message.to_string()))
}

fn parsed(messages: Vec<String>) -> Vec<Value> {
    messages.iter().map(|m| serde_json::from_str(m).expect("JSON")).collect()
}

fn request(server: &mut EmbeddedServer, method: &str, params: Value) -> Value {
    let answers = call(server, json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params}));
    let mut own = answers.into_iter().filter(|m| m["id"] == 7);
    own.next().expect("an answer")
}

fn tell(server: &mut EmbeddedServer, method: &str, params: Value) -> Vec<Value> {
    call(server, json!({"jsonrpc": "2.0", "method": method, "params": params}))
}

fn initialized(slow: SlowSearches) -> EmbeddedServer {
    let mut server = EmbeddedServer::new(slow);
    request(&mut server, "initialize", json!({"capabilities": {}}));
    tell(&mut server, "initialized", json!({}));
    server
}

fn open(server: &mut EmbeddedServer, text: &str) -> Vec<Value> {
    let document = json!({"uri": URI, "languageId": "cpz", "version": 1, "text": text});
    tell(server, "textDocument/didOpen", json!({"textDocument": document}))
}

fn codes(messages: &[Value]) -> Vec<String> {
    let last = messages.iter().rev().find(|m| m["method"] == "textDocument/publishDiagnostics");
    let diagnostics =
        last.expect("published diagnostics")["params"]["diagnostics"].as_array().expect("a list");
    diagnostics.iter().map(|d| d["code"].as_str().unwrap_or("").to_string()).collect()
}

fn hover_count(line: u32) -> Value {
    json!({"textDocument": {"uri": URI}, "position": {"line": line, "character": 3}})
}

#[test]
fn an_edit_publishes_the_findings_of_its_version() {
    let mut server = initialized(SlowSearches::Skipped);
    let messages = open(&mut server, "chess { board 8/8/8/4k3/8/8/8/4K2R move Rg7 }\n");
    assert_eq!(codes(&messages), ["illegal-move"]);
    let at = json!({"start": {"line": 0, "character": 42}, "end": {"line": 0, "character": 43}});
    let messages = tell(
        &mut server,
        "textDocument/didChange",
        json!({"textDocument": {"uri": URI, "version": 2}, "contentChanges": [{"range": at, "text": "1"}]}),
    );
    assert_eq!(messages.last().expect("findings")["params"]["version"], 2);
    assert_eq!(codes(&messages), Vec::<String>::new());
    let messages = tell(&mut server, "textDocument/didClose", json!({"textDocument": {"uri": URI}}));
    assert_eq!(codes(&messages), Vec::<String>::new());
    assert_eq!(request(&mut server, "textDocument/hover", hover_count(0))["result"], Value::Null);
}

#[test]
fn requests_that_cannot_be_answered_get_an_error() {
    let mut server = EmbeddedServer::new(SlowSearches::Skipped);
    let code = |answer: Value| answer["error"]["code"].as_i64();
    assert_eq!(code(request(&mut server, "textDocument/hover", hover_count(0))), Some(-32002));
    request(&mut server, "initialize", json!({"capabilities": {}}));
    assert_eq!(code(request(&mut server, "initialize", json!({"capabilities": {}}))), Some(-32600));
    assert_eq!(code(request(&mut server, "textDocument/nonsense", json!({}))), Some(-32601));
    assert_eq!(code(request(&mut server, "textDocument/hover", json!({"textDocument": 5}))), Some(-32602));
    assert_eq!(code(parsed(server.handle("{")).remove(0)), Some(-32700));
    assert_eq!(code(call(&mut server, json!([1])).remove(0)), Some(-32600));
    assert!(tell(&mut server, "$/cancelRequest", json!({"id": 7})).is_empty());
    assert_eq!(request(&mut server, "shutdown", Value::Null)["result"], Value::Null);
    assert_eq!(code(request(&mut server, "textDocument/hover", hover_count(0))), Some(-32600));
}

#[test]
fn settings_of_initialize_and_later_ones_apply() {
    let mut server = EmbeddedServer::new(SlowSearches::Skipped);
    let off = json!({"severity": {"illegal-move": "off"}});
    request(&mut server, "initialize", json!({"capabilities": {}, "initializationOptions": {"cpz": off}}));
    tell(&mut server, "initialized", json!({}));
    let text = "chess { board 8/8/8/4k3/8/8/8/4K2R move Rg7 }\n";
    assert_eq!(codes(&open(&mut server, text)), Vec::<String>::new());
    let on = json!({"settings": {"cpz": {"severity": {}}}});
    assert_eq!(codes(&tell(&mut server, "workspace/didChangeConfiguration", on)), ["illegal-move"]);
    let wrong = json!({"settings": {"cpz": {"ruls": "solo"}}});
    let messages = tell(&mut server, "workspace/didChangeConfiguration", wrong);
    assert!(messages.iter().any(|m| m["method"] == "window/showMessage"), "{messages:?}");
}

#[test]
fn skipped_searches_leave_an_incomplete_answer_and_queued_ones_complete_it() {
    let mut quick = initialized(SlowSearches::Skipped);
    open(&mut quick, SLOW);
    let answer = request(&mut quick, "textDocument/hover", hover_count(2));
    assert_eq!((answer["incomplete"].as_bool(), quick.pending()), (Some(true), 0), "{answer}");
    let mut slow = initialized(SlowSearches::Queued);
    open(&mut slow, SLOW);
    assert_eq!(slow.pending(), 1, "the search for the diagnostics waits");
    let hover = json!({"jsonrpc": "2.0", "id": 7, "method": "textDocument/hover", "params": hover_count(2)});
    assert!(call(&mut slow, hover).is_empty(), "the answer waits too");
    let answers = parsed(slow.work());
    let complete = answers.iter().find(|m| m["id"] == 7).expect("the request comes before the search");
    assert!(complete.get("incomplete").is_none() && complete["result"] != answer["result"], "{complete}");
    while slow.pending() > 0 {
        slow.work();
    }
    // The result is in the cache now.
    let again = request(&mut slow, "textDocument/hover", hover_count(2));
    assert_eq!(again["result"], complete["result"]);
}

#[test]
fn a_command_sends_its_edit_once() {
    let mut server = initialized(SlowSearches::Skipped);
    open(&mut server, "chess {\n  board 8/8/8/4k3/8/8/8/4K2R\n  move Rh8\n}\n");
    let at = json!({"uri": URI, "version": 1, "position": {"line": 2, "character": 3}});
    let insert = json!({"jsonrpc": "2.0", "id": 7, "method": "workspace/executeCommand",
        "params": {"command": "cpz.insertAnswer", "arguments": [at]}});
    let sent = |messages: &[Value]| messages.iter().filter(|m| m["method"] == "workspace/applyEdit").count();
    let messages = call(&mut server, insert.clone());
    assert_eq!(sent(&messages), 1, "{messages:?}");
    assert_eq!(sent(&call(&mut server, insert.clone())), 0, "the version has an edit under way");
    let refused = json!({"jsonrpc": "2.0", "id": messages[0]["id"], "result": {"applied": false}});
    let messages = call(&mut server, refused);
    assert_eq!(messages[0]["method"], "window/showMessage");
    assert_eq!(sent(&call(&mut server, insert)), 1);
}

/// JSON as a broken client may send it: members of the protocol with values of any kind.
fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (0i64..5).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "(file:///a.cpz|untitled:x|[ -~é😀]{0,8})".prop_map(Value::from),
        Just(Value::from("chess { board K7 move Ka2 }\nsolitaire { board [Ka1, Qa2] solve }\n")),
    ];
    let names = prop::sample::select(vec![
        "uri",
        "textDocument",
        "position",
        "range",
        "line",
        "character",
        "start",
        "end",
        "version",
        "text",
        "contentChanges",
        "context",
        "diagnostics",
        "only",
        "newName",
        "ch",
        "arguments",
        "command",
        "code",
        "gesture",
        "kind",
        "square",
        "data",
        "settings",
        "cpz",
        "query",
        "positions",
        "previousResultId",
    ]);
    leaf.prop_recursive(5, 40, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::hash_map(names.clone().prop_map(String::from), inner, 0..6)
                .prop_map(Value::from_iter),
        ]
    })
}

fn method() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "textDocument/didOpen",
        "textDocument/didChange",
        "textDocument/didClose",
        "textDocument/hover",
        "textDocument/completion",
        "textDocument/codeAction",
        "textDocument/codeLens",
        "codeLens/resolve",
        "textDocument/inlayHint",
        "textDocument/rename",
        "textDocument/formatting",
        "textDocument/onTypeFormatting",
        "textDocument/semanticTokens/full/delta",
        "textDocument/selectionRange",
        "textDocument/diagnostic",
        "workspace/symbol",
        "workspace/executeCommand",
        "workspace/didChangeConfiguration",
        "cpz/board",
        "cpz/edit",
        "cpz/targets",
        "cpz/square",
        "cpz/explain",
        "textDocument/definition",
        "initialize",
        "nonsense",
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn any_message_is_survived_and_each_request_answered_once(
        messages in prop::collection::vec((method(), json_value(), any::<bool>()), 1..12),
        raw in "\\PC{0,40}",
    ) {
        let mut server = initialized(SlowSearches::Skipped);
        open(&mut server, SLOW);
        server.handle(&raw);
        for (method, params, is_request) in messages {
            let mut message = json!({"jsonrpc": "2.0", "method": method, "params": params});
            if is_request {
                message["id"] = 7.into();
            }
            let answers = call(&mut server, message);
            let own = answers.iter().filter(|m| m["id"] == 7 && m.get("method").is_none()).count();
            prop_assert_eq!(own, usize::from(is_request), "{} {:?}", method, answers);
        }
    }
}
