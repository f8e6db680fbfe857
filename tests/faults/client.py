"""A raw client of `cpz lsp`: it sends bytes, counts answers and reads how large the server is.

Nothing in it is polite by itself: it can stop to read, send what is no message, and die.
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
"""A part of the only right answer to a hover on `solve` there; `Server.probe` looks for it."""

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


def pulling() -> dict:
    """The capabilities of a client that asks for its findings."""
    declared = json.loads(json.dumps(CAPABILITIES))
    declared["textDocument"]["diagnostic"] = {"dynamicRegistration": False}
    declared["workspace"]["diagnostics"] = {"refreshSupport": True}
    return declared


def limited(command: list[str], memory: int = 4 * GIB, file_blocks: int | None = None) -> list[str]:
    """The command with a limit on its address space, and on the size of files, in blocks of 1 KiB."""
    limits = f"ulimit -v {memory // 1024}; ulimit -c 0"
    if file_blocks is not None:
        limits += f"; ulimit -f {file_blocks}"
    return ["bash", "-c", f'{limits}; exec "$@"', "limited", *command]


def frame(message) -> bytes:
    """A message with its header."""
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


def position(line: int, character: int) -> dict:
    return {"line": line, "character": character}


def document(uri: str) -> dict:
    return {"textDocument": {"uri": uri}}


def place(uri: str, line: int, character: int) -> dict:
    return {**document(uri), "position": position(line, character)}


def size_of(pid: int, what: str = "VmRSS") -> int:
    """The memory of a process in bytes: VmRSS as it is, VmHWM at its highest. 0 if it is gone."""
    try:
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith(what + ":"):
                return int(line.split()[1]) * 1024
    except (FileNotFoundError, ProcessLookupError):
        pass
    return 0


class Gone(Exception):
    """The server ended or was silent where an answer was due."""


class Server:
    """One `cpz lsp` and what it said."""

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
        self.asked = 0
        self.answers: dict[object, list[dict]] = {}
        self.told: list[dict] = []
        self.keep_told = True
        self.published: dict[str, dict] = {}
        self.heard = 0  # bytes of all that it said
        self.said = bytearray()  # the bytes themselves, where they are kept
        self.keep_said = False
        self.news = threading.Condition()
        self.listening = threading.Event()
        self.listening.set()
        self.sending = threading.Lock()
        self.odd: str | None = None
        self.ended = False
        threading.Thread(target=self._listen, daemon=True).start()

    # -- What the server says

    def _listen(self):
        buffer = bytearray()
        while True:
            self.listening.wait()
            try:
                data = os.read(self.process.stdout.fileno(), 1 << 16)
            except (OSError, ValueError):
                data = b""
            if not data:
                break
            self.heard += len(data)
            if self.keep_said:
                self.said += data
            buffer += data
            self._take(buffer)
        with self.news:
            self.ended = True
            self.news.notify_all()

    def _take(self, buffer: bytearray):
        """Takes the messages from the front of the buffer that are whole."""
        while (head := buffer.find(b"\r\n\r\n")) >= 0:
            fields = dict(line.lower().split(b":", 1) for line in bytes(buffer[:head]).split(b"\r\n") if b":" in line)
            if b"content-length" not in fields:
                self.odd = f"no header: {bytes(buffer[:head])[:80]!r}"
                return
            end = head + 4 + int(fields[b"content-length"])
            if len(buffer) < end:
                return
            message = json.loads(bytes(buffer[head + 4 : end]))
            del buffer[:end]
            self._note(message)

    def _note(self, message: dict):
        with self.news:
            if "method" not in message:
                self.answers.setdefault(message.get("id"), []).append(message)
            else:
                if message["method"] == "textDocument/publishDiagnostics":
                    self.published[message["params"]["uri"]] = message["params"]
                if self.keep_told:
                    self.told.append(message)
            self.news.notify_all()
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
        """Waits for something to become true of what was said."""
        deadline = time.monotonic() + timeout
        with self.news:
            while not (found := condition()):
                left = deadline - time.monotonic()
                if self.ended and not condition():
                    raise Gone(f"the server ended ({self.describe_end()}) before {what}")
                if left <= 0:
                    raise Gone(f"no {what} within {timeout:g} s")
                self.news.wait(min(left, 0.5))
        return found

    # -- What the client says

    def raw(self, data: bytes):
        with self.sending:
            view = memoryview(data)
            while view:
                view = view[os.write(self.process.stdin.fileno(), view) :]

    def send(self, message):
        self.raw(frame(message))

    def tell(self, method: str, params=None):
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method: str, params=None) -> int:
        self.asked += 1
        self.send({"jsonrpc": "2.0", "id": self.asked, "method": method, "params": params})
        return self.asked

    def answer(self, id, timeout: float = 10) -> dict:
        return self.until(lambda: self.answers.get(id), timeout, f"answer to {id}")[0]

    def call(self, method: str, params=None, timeout: float = 10):
        """The result of a request; an error is an exception."""
        answer = self.answer(self.ask(method, params), timeout)
        if "error" in answer:
            raise Gone(f"{method} was answered with {answer['error']}")
        return answer["result"]

    def begin(self, root: Path | None = None, *, capabilities=None, options=None, process_id=None, timeout=10):
        """The handshake."""
        folders = [{"uri": root.as_uri(), "name": root.name}] if root else None
        params = {
            "processId": process_id,
            "rootUri": root.as_uri() if root else None,
            "workspaceFolders": folders,
            "capabilities": capabilities or CAPABILITIES,
            "initializationOptions": options,
        }
        self.initialized = self.call("initialize", params, timeout)
        self.tell("initialized", {})
        return self

    def open(self, uri: str, text: str, version: int = 1):
        item = {"uri": uri, "languageId": "cpz", "version": version, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": item})

    def change(self, uri: str, version: int, changes: list[dict]):
        self.tell(
            "textDocument/didChange", {"textDocument": {"uri": uri, "version": version}, "contentChanges": changes}
        )

    def probe(self, timeout: float = 2.0) -> float:
        """Asks for a hover on a text of its own and looks at the answer; the seconds that it took."""
        if not getattr(self, "probed", False):
            self.open(PROBE, PROBE_TEXT)
            self.probed = True
        start = time.monotonic()
        hover = self.call("textDocument/hover", {**document(PROBE), "position": PROBE_AT}, timeout)
        shown = json.dumps(hover)
        if PROBE_WORD not in shown:
            raise Gone(f"a wrong answer to a hover: {shown[:200]}")
        return time.monotonic() - start

    # -- The process

    @property
    def pid(self) -> int:
        """The process of cpz itself, also below strace."""
        if not self.traced:
            return self.process.pid
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return int(children.read_text().split()[0])

    def size(self, what: str = "VmRSS") -> int:
        return size_of(self.pid, what)

    def describe_end(self) -> str:
        try:
            code = self.process.wait(1)
        except subprocess.TimeoutExpired:
            code = None
        if code is None:
            return "not over yet"
        return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"

    def stderr(self) -> bytes:
        self.errors.seek(0)
        return self.errors.read()

    def wait(self, timeout: float) -> int:
        try:
            return self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            raise Gone(f"still running after {timeout:g} s") from None

    def finish(self, timeout: float = 5):
        """Shutdown and exit, as it should be."""
        self.call("shutdown", None, timeout)
        self.tell("exit")
        code = self.wait(timeout)
        if code != 0:
            raise Gone(f"exit code {code} after shutdown and exit")

    def close(self):
        """Ends whatever is left of it."""
        self.listening.set()
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
