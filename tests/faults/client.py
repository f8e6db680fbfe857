"""A low-level LSP client for `cpz lsp`: sends messages or raw bytes, counts responses, and measures memory.

It can violate the protocol: stop reading, send invalid messages, and end without `shutdown`.
"""

import json
import os
import signal
import subprocess
import tempfile
import threading
import time
from pathlib import Path

GIB = 1 << 30
PROBE = "untitled:probe.cpz"
PROBE_TEXT = 'solitaire "probe" { board ...N.....R....B. solve }\n'
PROBE_AT = {"line": 0, "character": 46}
PROBE_WORD = "c1xb2 b2xd4"
"""A part of the correct hover on `solve` in PROBE_TEXT; `Server.probe` searches for it."""

CAPABILITIES = {
    "general": {"positionEncodings": ["utf-16"]},
    "workspace": {"applyEdit": True, "configuration": False, "workspaceFolders": True},
    "textDocument": {
        "publishDiagnostics": {"versionSupport": True, "relatedInformation": True},
        "hover": {"contentFormat": ["markdown", "plaintext"]},
        "completion": {"completionItem": {"documentationFormat": ["markdown", "plaintext"], "snippetSupport": True}},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "refactor"]}}},
    },
}


def pull_capabilities() -> dict:
    """The capabilities of a client that pulls diagnostics."""
    declared = json.loads(json.dumps(CAPABILITIES))
    declared["textDocument"]["diagnostic"] = {"dynamicRegistration": False}
    declared["workspace"]["diagnostics"] = {"refreshSupport": True}
    return declared


def limited(command: list[str], memory: int = 4 * GIB, file_blocks: int | None = None) -> list[str]:
    """The command with limits on its address space (bytes) and on the size of files (blocks of 1 KiB)."""
    limits = f"ulimit -v {memory // 1024}; ulimit -c 0"
    if file_blocks is not None:
        limits += f"; ulimit -f {file_blocks}"
    return ["bash", "-c", f'{limits}; exec "$@"', "limited", *command]


def frame(message) -> bytes:
    """A message, a JSON value or the bytes of a body, with its header."""
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


def position(line: int, character: int) -> dict:
    return {"line": line, "character": character}


def document(uri: str) -> dict:
    return {"textDocument": {"uri": uri}}


def place(uri: str, line: int, character: int) -> dict:
    return {**document(uri), "position": position(line, character)}


def memory_of(pid: int, what: str = "VmRSS") -> int:
    """The memory of a process in bytes: VmRSS the current, VmHWM the peak. 0 if the process has ended."""
    try:
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith(what + ":"):
                return int(line.split()[1]) * 1024
    except (FileNotFoundError, ProcessLookupError):
        pass
    return 0


class ServerError(Exception):
    """The server ended, did not answer in time, or answered with an error."""


class Server:
    """One `cpz lsp` process and its messages."""

    def __init__(self, cpz: str, *, prefix: tuple[str, ...] = (), memory=4 * GIB, cwd=None, env=None):
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            limited([*prefix, cpz, "lsp", "--stdio"], memory),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            cwd=cwd,
            env=env,
            bufsize=0,
            start_new_session=True,
        )
        self.traced = bool(prefix)
        self.last_id = 0
        self.answers: dict[object, list[dict]] = {}
        self.messages: list[dict] = []
        self.keep_messages = True
        self.published: dict[str, dict] = {}
        self.received = bytearray()  # all output, if keep_received is set
        self.keep_received = False
        self.condition = threading.Condition()
        self.reading = threading.Event()
        self.reading.set()
        self.send_lock = threading.Lock()
        self.protocol_error: str | None = None
        self.ended = False
        threading.Thread(target=self._read_messages, daemon=True).start()

    # -- From the server

    def _read_messages(self):
        buffer = bytearray()
        while True:
            self.reading.wait()
            try:
                data = os.read(self.process.stdout.fileno(), 1 << 16)
            except (OSError, ValueError):
                data = b""
            if not data:
                break
            if self.keep_received:
                self.received += data
            buffer += data
            self._parse(buffer)
        with self.condition:
            self.ended = True
            self.condition.notify_all()

    def _parse(self, buffer: bytearray):
        """Removes complete messages from the front of the buffer and records them."""
        while (head := buffer.find(b"\r\n\r\n")) >= 0:
            fields = dict(line.lower().split(b":", 1) for line in bytes(buffer[:head]).split(b"\r\n") if b":" in line)
            if b"content-length" not in fields:
                self.protocol_error = f"no header: {bytes(buffer[:head])[:80]!r}"
                return
            end = head + 4 + int(fields[b"content-length"])
            if len(buffer) < end:
                return
            message = json.loads(bytes(buffer[head + 4 : end]))
            del buffer[:end]
            self._record(message)

    def _record(self, message: dict):
        with self.condition:
            if "method" not in message:
                self.answers.setdefault(message.get("id"), []).append(message)
            else:
                if message["method"] == "textDocument/publishDiagnostics":
                    self.published[message["params"]["uri"]] = message["params"]
                if self.keep_messages:
                    self.messages.append(message)
            self.condition.notify_all()
        if "method" in message and "id" in message:
            items = message["params"].get("items", []) if message["method"] == "workspace/configuration" else None
            result = [None] * len(items) if items is not None else None
            threading.Thread(target=self._reply, args=(message["id"], result), daemon=True).start()

    def _reply(self, id, result):
        try:
            self.send({"jsonrpc": "2.0", "id": id, "result": result})
        except OSError:
            pass

    def until(self, condition, timeout: float, what: str):
        """Waits until a condition on the recorded messages is true; returns its value."""
        deadline = time.monotonic() + timeout
        with self.condition:
            while not (found := condition()):
                left = deadline - time.monotonic()
                if self.ended and not condition():
                    raise ServerError(f"the server ended ({self.describe_end()}) before {what}")
                if left <= 0:
                    raise ServerError(f"no {what} within {timeout:g} s")
                self.condition.wait(min(left, 0.5))
        return found

    # -- From the client

    def send_bytes(self, data: bytes):
        with self.send_lock:
            view = memoryview(data)
            while view:
                view = view[os.write(self.process.stdin.fileno(), view) :]

    def send(self, message):
        self.send_bytes(frame(message))

    def notify(self, method: str, params=None):
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def request(self, method: str, params=None) -> int:
        self.last_id += 1
        self.send({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params})
        return self.last_id

    def answer(self, id, timeout: float = 10) -> dict:
        return self.until(lambda: self.answers.get(id), timeout, f"answer to {id}")[0]

    def call(self, method: str, params=None, timeout: float = 10):
        """Sends a request and returns its result; raises on an error response."""
        answer = self.answer(self.request(method, params), timeout)
        if "error" in answer:
            raise ServerError(f"{method} was answered with {answer['error']}")
        return answer["result"]

    def initialize(self, root: Path | None = None, *, capabilities=None, options=None, process_id=None, timeout=10):
        """Sends `initialize` and `initialized`."""
        folders = [{"uri": root.as_uri(), "name": root.name}] if root else None
        params = {
            "processId": process_id,
            "rootUri": root.as_uri() if root else None,
            "workspaceFolders": folders,
            "capabilities": capabilities or CAPABILITIES,
            "initializationOptions": options,
        }
        self.initialized = self.call("initialize", params, timeout)
        self.notify("initialized", {})
        return self

    def open(self, uri: str, text: str, version: int = 1):
        item = {"uri": uri, "languageId": "cpz", "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def change(self, uri: str, version: int, changes: list[dict]):
        self.notify(
            "textDocument/didChange", {"textDocument": {"uri": uri, "version": version}, "contentChanges": changes}
        )

    def probe(self, timeout: float = 2.0) -> float:
        """Requests a hover on a document of its own and checks the response; returns the seconds it took."""
        if not getattr(self, "probed", False):
            self.open(PROBE, PROBE_TEXT)
            self.probed = True
        start = time.monotonic()
        hover = self.call("textDocument/hover", {**document(PROBE), "position": PROBE_AT}, timeout)
        shown = json.dumps(hover)
        if PROBE_WORD not in shown:
            raise ServerError(f"wrong hover: {shown[:200]}")
        return time.monotonic() - start

    # -- The process

    @property
    def pid(self) -> int:
        """The process id of cpz itself, also under strace."""
        if not self.traced:
            return self.process.pid
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return int(children.read_text().split()[0])

    def memory(self, what: str = "VmRSS") -> int:
        return memory_of(self.pid, what)

    def describe_end(self) -> str:
        try:
            code = self.process.wait(1)
        except subprocess.TimeoutExpired:
            code = None
        if code is None:
            return "still running"
        return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"

    def stderr(self) -> bytes:
        self.errors.seek(0)
        return self.errors.read()

    def wait(self, timeout: float) -> int:
        try:
            return self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            raise ServerError(f"still running after {timeout:g} s") from None

    def shut_down(self, timeout: float = 5):
        """Sends `shutdown` and `exit`; the exit code must be 0."""
        self.call("shutdown", None, timeout)
        self.notify("exit")
        code = self.wait(timeout)
        if code != 0:
            raise ServerError(f"exit code {code} after shutdown and exit")

    def close(self):
        """Kills the process and closes the pipes."""
        self.reading.set()
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            try:
                pipe.close()
            except OSError:
                pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
