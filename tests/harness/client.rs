//! A client of the server, in this process or as the binary. It fails on any message that a test did not claim.

use std::collections::{BTreeMap, HashMap};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use cpz::lsp::embedded::{EmbeddedServer, SlowSearches};
use serde_json::{Value, json};

use crate::harness::HUNG;

/// Where the server is.
enum Server {
    /// In this process.
    Here(Option<JoinHandle<i32>>),
    /// The binary.
    Process(Child),
}

pub struct Client {
    server: Server,
    stdin: Option<Box<dyn Write>>,
    inbox: Receiver<Value>,
    waiting: Vec<Value>,
    next: i64,
    /// Whether requests of the server are answered with null.
    pub polite: bool,
    /// What the server says that it can do.
    pub capabilities: Value,
    /// The last version that findings were pushed of, by document: an older one must never follow.
    versions: HashMap<String, i64>,
    /// Held while a test wants nothing to be read.
    ears: Arc<Mutex<()>>,
}

pub fn frame(message: &Value) -> Vec<u8> {
    let body = message.to_string();
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

fn read(stdout: impl Read, mut sink: impl FnMut(Value)) {
    let mut stdout = BufReader::new(stdout);
    loop {
        let mut length = None;
        loop {
            let mut line = String::new();
            if stdout.read_line(&mut line).unwrap_or(0) == 0 {
                return;
            }
            let line = line.trim_end();
            if line.is_empty() {
                break;
            }
            if let Some(n) = line.strip_prefix("Content-Length: ") {
                length = n.parse::<usize>().ok();
            } else {
                panic!("not a header on standard output: {line}");
            }
        }
        let mut body = vec![0; length.expect("a length")];
        if stdout.read_exact(&mut body).is_err() {
            return;
        }
        sink(serde_json::from_slice(&body).expect("JSON"));
    }
}

impl Client {
    /// Starts the binary without a word to it.
    pub fn spawn() -> Client {
        Client::spawn_with(&[])
    }

    /// Starts the binary with these in its environment.
    pub fn spawn_with(environment: &[(&str, &str)]) -> Client {
        Client::spawn_program(&super::PROGRAM, environment)
    }

    /// Starts a program with these in its environment.
    pub fn spawn_program(program: &str, environment: &[(&str, &str)]) -> Client {
        let mut child = Command::new(program)
            .args(["lsp", "--stdio"])
            .envs(environment.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the server starts");
        let (stdin, stdout) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
        Client::over(Server::Process(child), stdin, stdout)
    }

    /// Starts a server in this process. With `CPZ_TRANSPORT=embedded` in the environment that is the one without threads
    /// and files, so that its answers are tested by the same tests; with `CPZ_TRANSPORT=pipes` it is the program.
    pub fn start() -> Client {
        match std::env::var("CPZ_TRANSPORT").as_deref() {
            Ok("embedded") => return Client::embedded(),
            Ok("pipes") => return Client::spawn(),
            _ => {}
        }
        let ((input, stdin), (stdout, output)) =
            (std::io::pipe().expect("a pipe"), std::io::pipe().expect("a pipe"));
        let server = std::thread::spawn(move || cpz::server::serve(input, output));
        Client::over(Server::Here(Some(server)), stdin, stdout)
    }

    fn embedded() -> Client {
        let ((input, stdin), (stdout, mut output)) =
            (std::io::pipe().expect("a pipe"), std::io::pipe().expect("a pipe"));
        let (sender, messages) = channel();
        std::thread::spawn(move || read(input, |message| drop(sender.send(message))));
        let server = std::thread::spawn(move || {
            let mut server = EmbeddedServer::new(SlowSearches::Queued);
            let mut is_shut_down = false;
            loop {
                let next = match server.pending() {
                    0 => messages.recv().ok(),
                    _ => messages.try_recv().ok(),
                };
                let answers = match next {
                    Some(message) if message["method"] == "exit" => return i32::from(!is_shut_down),
                    Some(message) => {
                        is_shut_down |= message["method"] == "shutdown";
                        server.handle(&message.to_string())
                    }
                    None if server.pending() == 0 => return i32::from(!is_shut_down),
                    None => server.work(),
                };
                for answer in answers {
                    let answer = serde_json::from_str(&answer).expect("JSON");
                    drop(output.write_all(&frame(&answer)));
                }
            }
        });
        Client::over(Server::Here(Some(server)), stdin, stdout)
    }

    /// Reads nothing until what is returned is dropped.
    pub fn deaf(&self) -> MutexGuard<'static, ()> {
        let ears: &'static Arc<Mutex<()>> = Box::leak(Box::new(self.ears.clone()));
        ears.lock().expect("ears")
    }

    /// The number of the server's process.
    pub fn process(&self) -> u32 {
        match &self.server {
            Server::Process(child) => child.id(),
            Server::Here(_) => std::process::id(),
        }
    }

    fn over(server: Server, stdin: impl Write + 'static, stdout: impl Read + Send + 'static) -> Client {
        let (sender, inbox) = channel();
        let ears = Arc::new(Mutex::new(()));
        let listening = ears.clone();
        std::thread::spawn(move || {
            read(stdout, |message| {
                drop(listening.lock());
                drop(sender.send(message));
            });
        });
        let stdin: Option<Box<dyn Write>> = Some(Box::new(stdin));
        Client {
            server,
            stdin,
            inbox,
            waiting: Vec::new(),
            next: 0,
            polite: true,
            capabilities: Value::Null,
            versions: HashMap::new(),
            ears,
        }
    }

    /// A session in this process with a folder or none, as a client that can do little.
    pub fn new(folder: Option<&std::path::Path>, encoding: &str) -> Client {
        let capabilities = json!({"general": {"positionEncodings": [encoding]}});
        let client = Client::start().begin(folder, json!({"capabilities": capabilities}));
        assert_eq!(client.capabilities["positionEncoding"], encoding);
        client
    }

    /// Says what a client says first: `params` on top of what is always there.
    pub fn begin(mut self, folder: Option<&std::path::Path>, params: Value) -> Client {
        let folders = folder.map(|f| json!([{"uri": uri(f), "name": "w"}]));
        let mut all = json!({"processId": std::process::id(), "rootUri": null, "workspaceFolders": folders,
            "capabilities": {}});
        for (key, value) in params.as_object().expect("an object") {
            all[key] = value.clone();
        }
        self.capabilities = self.call("initialize", all)["capabilities"].clone();
        self.tell("initialized", json!({}));
        self
    }

    pub fn raw(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("standard input is open");
        stdin.write_all(bytes).and_then(|()| stdin.flush()).expect("the server reads");
    }

    pub fn send(&mut self, message: &Value) {
        self.raw(&frame(message));
    }

    pub fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Sends a request and returns its number.
    pub fn ask(&mut self, method: &str, params: Value) -> i64 {
        self.next += 1;
        let id = self.next;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// The first message that fits; others wait to be claimed.
    pub fn claim(&mut self, what: &str, fits: impl Fn(&Value) -> bool) -> Value {
        if let Some(i) = self.waiting.iter().position(&fits) {
            return self.waiting.remove(i);
        }
        let end = Instant::now() + HUNG;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.inbox.recv_timeout(left) {
                Ok(message) => {
                    self.note(&message);
                    if self.polite && message.get("method").is_some() && message.get("id").is_some() {
                        self.send(&json!({"jsonrpc": "2.0", "id": message["id"], "result": null}));
                    }
                    if fits(&message) {
                        return message;
                    }
                    self.waiting.push(message);
                }
                Err(RecvTimeoutError::Timeout) => panic!("no {what}; waiting: {:#?}", self.waiting),
                Err(RecvTimeoutError::Disconnected) => panic!("the server is gone before {what}"),
            }
        }
    }

    /// No findings may be older than those before them.
    fn note(&mut self, message: &Value) {
        let params = &message["params"];
        if message["method"] != "textDocument/publishDiagnostics" {
            return;
        }
        let uri = params["uri"].as_str().expect("a URI").to_string();
        match params.get("version").and_then(Value::as_i64) {
            None => drop(self.versions.remove(&uri)),
            Some(version) => {
                let last = self.versions.insert(uri, version);
                assert!(last.is_none_or(|l| l <= version), "stale: {last:?} and then {message}");
            }
        }
    }

    pub fn answer(&mut self, id: i64) -> Value {
        self.claim(&format!("answer {id}"), |m| m["id"] == id && m.get("method").is_none())
    }

    /// Asks, and returns the result.
    pub fn call(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        let answer = self.answer(id);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    pub fn open(&mut self, uri: &str, text: &str) {
        let document = json!({"uri": uri, "languageId": "cpz", "version": 1, "text": text});
        self.tell("textDocument/didOpen", json!({"textDocument": document}));
    }

    pub fn change(&mut self, uri: &str, version: i64, changes: Value) {
        let document = json!({"uri": uri, "version": version});
        self.tell("textDocument/didChange", json!({"textDocument": document, "contentChanges": changes}));
    }

    /// The findings of a version, the last if it was said more than once; earlier ones are claimed too.
    pub fn findings(&mut self, uri: &str, version: Option<i64>) -> Vec<Value> {
        loop {
            let said = self.claim(&format!("findings of {uri} {version:?}"), |m| {
                m["method"] == "textDocument/publishDiagnostics" && m["params"]["uri"] == uri
            });
            let is = said["params"].get("version").and_then(Value::as_i64);
            assert!(is <= version || version.is_none(), "findings of a version not sent yet: {said}");
            if is == version {
                return said["params"]["diagnostics"].as_array().expect("a list").clone();
            }
        }
    }

    /// Claims whatever findings of a document come in a while.
    pub fn settle(&mut self, uri: &str) -> Option<Vec<Value>> {
        let mut last = None;
        let id = self.ask(
            "textDocument/hover",
            json!({"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}}),
        );
        self.answer(id);
        // See `settle_all`.
        std::thread::sleep(Duration::from_millis(300));
        while let Ok(message) = self.inbox.try_recv() {
            self.note(&message);
            self.waiting.push(message);
        }
        self.waiting.retain(|m| {
            let fits = m["method"] == "textDocument/publishDiagnostics" && m["params"]["uri"] == uri;
            if fits {
                last = m["params"]["diagnostics"].as_array().cloned();
            }
            !fits
        });
        last
    }

    /// Keeps what is shown of each document until it is what is expected, and a while longer, in which nothing may change.
    pub fn shown_when(
        &mut self,
        expected: impl Fn(&BTreeMap<String, Vec<Value>>) -> bool,
    ) -> BTreeMap<String, Vec<Value>> {
        let (mut shown, end) = (BTreeMap::new(), Instant::now() + HUNG);
        loop {
            let is_quiet = !self.settle_all(&mut shown);
            if is_quiet && expected(&shown) {
                return shown;
            }
            assert!(
                Instant::now() < end,
                "what is shown does not become what is expected: {:?}",
                shown.keys()
            );
        }
    }

    /// Claims whatever findings come in a while, and keeps what is shown of each document; whether any came.
    fn settle_all(&mut self, shown: &mut BTreeMap<String, Vec<Value>>) -> bool {
        // No event says that nothing comes. A busy machine makes the pause too short; then less is noticed, and no test fails.
        std::thread::sleep(Duration::from_millis(300));
        while let Ok(message) = self.inbox.try_recv() {
            self.note(&message);
            self.waiting.push(message);
        }
        let (found, rest) = std::mem::take(&mut self.waiting)
            .into_iter()
            .partition::<Vec<Value>, _>(|m| m["method"] == "textDocument/publishDiagnostics");
        self.waiting = rest;
        for said in &found {
            let uri = said["params"]["uri"].as_str().expect("a URI").to_string();
            let diagnostics = said["params"]["diagnostics"].as_array().expect("a list");
            match diagnostics.is_empty() {
                true => shown.remove(&uri),
                false => shown.insert(uri, diagnostics.clone()),
            };
        }
        !found.is_empty()
    }

    /// Forgets whatever has come.
    pub fn settle_quickly(&mut self) {
        while let Ok(message) = self.inbox.try_recv() {
            self.note(&message);
        }
        self.waiting.clear();
    }

    /// Ends the session as a client should: nothing may be left unclaimed.
    pub fn finish(self) {
        self.finish_but(None);
    }

    /// The same, whatever came of a method, which may go on while the session ends.
    pub fn finish_but(mut self, forgotten: impl Into<Option<&'static str>>) {
        let last = self.call("shutdown", Value::Null);
        assert_eq!(last, Value::Null);
        self.tell("exit", Value::Null);
        assert_eq!(self.ends(), Some(0));
        // The server has closed its output, so this ends.
        while let Ok(message) = self.inbox.recv_timeout(HUNG) {
            self.waiting.push(message);
        }
        let forgotten = forgotten.into();
        self.waiting.retain(|m| forgotten.is_none_or(|f| m["method"] != f));
        assert!(self.waiting.is_empty(), "unclaimed messages: {:#?}", self.waiting);
    }

    pub fn close_input(&mut self) {
        self.stdin = None;
    }

    /// The exit code of the process; nothing after a signal, or where the server hangs.
    pub fn ends(&mut self) -> Option<i32> {
        let end = Instant::now() + HUNG;
        while Instant::now() < end {
            match &mut self.server {
                Server::Process(child) => {
                    if let Some(status) = child.try_wait().expect("a child") {
                        return status.code();
                    }
                }
                Server::Here(server) => {
                    if server.as_ref().is_some_and(JoinHandle::is_finished) {
                        return server.take().map(|s| s.join().expect("the server does not panic"));
                    }
                }
            }
            // The standard library has no wait with a limit.
            std::thread::sleep(Duration::from_millis(10));
        }
        None
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        if let Server::Process(child) = &mut self.server {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// The URI of a file. `CPZ_DRIVE` is the drive, such as `Z%3A`, on which a program for Windows finds the files of this
/// system.
pub fn uri(path: &std::path::Path) -> String {
    let drive = std::env::var("CPZ_DRIVE").map_or(String::new(), |drive| format!("/{drive}"));
    let path = path.display().to_string().replace(super::path_separator(), "/");
    format!("file://{drive}{path}")
}

pub fn at(line: u32, character: u32) -> Value {
    json!({"line": line, "character": character})
}

pub fn span(a: (u32, u32), b: (u32, u32)) -> Value {
    json!({"start": at(a.0, a.1), "end": at(b.0, b.1)})
}
