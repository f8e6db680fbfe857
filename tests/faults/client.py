"""A low-level LSP client for `cpz lsp`: sends messages or raw bytes, counts responses, and measures memory.

It can violate the protocol: stop reading, send invalid messages, and end without `shutdown`.
"""

import array
import fcntl
import json
import os
import select
import signal
import subprocess
import tempfile
import termios
import threading
import time
from pathlib import Path

HUNG = 600
"""The limit of every wait in seconds. What is waited for takes far less, also on a busy machine and without
optimization: after this time something hangs. Nothing else here passes or fails by the clock."""
PAUSE = 0.005
"""The pause between two looks at what reports no event, such as the threads of another process."""

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


def threads_of(pid: int) -> dict[str, tuple[str, int]]:
    """For each thread of a process its state, such as `S` for asleep, and how often it has gone to sleep."""
    found = {}
    for status in Path(f"/proc/{pid}/task").glob("*/status"):
        try:
            fields = dict(line.split(":", 1) for line in status.read_text().splitlines() if ":" in line)
            found[status.parent.name] = fields["State"].split()[0], int(fields["voluntary_ctxt_switches"])
        except (OSError, KeyError):
            found[status.parent.name] = "ended", 0
    return found


def is_asleep(pid: int) -> bool:
    """Whether all threads of a process sleep at the same time: it runs on only after a message or a timer.

    A thread that has run between the two looks has gone to sleep once more."""
    before = threads_of(pid)
    return bool(before) and all(state == "S" for state, _ in before.values()) and threads_of(pid) == before


def unread_bytes(pipe: int) -> int:
    """The number of bytes that wait in a pipe."""
    size = array.array("i", [0])
    fcntl.ioctl(pipe, termios.FIONREAD, size)
    return size[0]


def processor_time(pid: int) -> float:
    """The processor time that a process has used, in seconds, however long it waited for the processor."""
    with open(f"/proc/{pid}/stat") as file:
        return sum(map(int, file.read().rsplit(")", 1)[1].split()[11:13])) / os.sysconf("SC_CLK_TCK")


def watch():
    """A sign of life: the alarm for what hangs outside of a wait starts again. It is later than that of a wait, which
    says more."""
    signal.alarm(HUNG + 60)


class ServerError(Exception):
    """The server ended, hung, or answered with an error."""


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
        self.receiving = threading.Lock()  # held from taking bytes to recording their messages
        self.received_bytes = 0
        self.protocol_error: str | None = None
        self.ended = False
        self.reader = threading.Thread(target=self._read_messages, daemon=True)
        self.reader.start()

    # -- From the server

    def _read_messages(self):
        buffer = bytearray()
        while True:
            self.reading.wait()
            try:
                select.select([self.process.stdout], [], [])
                with self.receiving:
                    data = os.read(self.process.stdout.fileno(), 1 << 16)
                    if not data:
                        break
                    if self.keep_received:
                        self.received += data
                    self.received_bytes += len(data)
                    buffer += data
                    self._parse(buffer)
            except (OSError, ValueError):
                break
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

    def until(self, condition, what: str):
        """Waits until a condition on the recorded messages is true; returns its value."""
        watch()
        deadline = time.monotonic() + HUNG
        with self.condition:
            while not (found := condition()):
                if self.ended and not condition():
                    raise ServerError(f"the server ended ({self.describe_end()}) before {what}")
                if time.monotonic() > deadline:
                    raise ServerError(f"hung: no {what}")
                # A message wakes this up; the limit is for conditions on something else.
                self.condition.wait(0.5)
        return found

    def is_idle(self) -> bool:
        """Whether the server has read all input and sleeps, and its output is recorded: what has not come by now comes
        only after a message or a timer."""
        try:
            if not self.process.stdin.closed and unread_bytes(self.process.stdin.fileno()):
                return False
            if not is_asleep(self.pid):
                return False
            with self.receiving:
                return not unread_bytes(self.process.stdout.fileno())
        except (OSError, ValueError, IndexError):
            return False

    def until_idle(self, or_when=lambda: False):
        """Waits until the server is idle, or until a condition is true."""
        watch()
        deadline = time.monotonic() + HUNG
        while not or_when() and not self.is_idle():
            if self.ended:
                raise ServerError(f"the server ended ({self.describe_end()})")
            if time.monotonic() > deadline:
                raise ServerError("hung: the server does not become idle")
            time.sleep(PAUSE)  # sleeping threads report no event

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

    def answer(self, id, method: str = "a request") -> dict:
        return self.until(lambda: self.answers.get(id), f"answer to {id}, {method}")[0]

    def call(self, method: str, params=None):
        """Sends a request and returns its result; raises on an error response."""
        answer = self.answer(self.request(method, params), method)
        if "error" in answer:
            raise ServerError(f"{method} was answered with {answer['error']}")
        return answer["result"]

    def initialize(self, root: Path | None = None, *, capabilities=None, options=None, process_id=None):
        """Sends `initialize` and `initialized`."""
        folders = [{"uri": root.as_uri(), "name": root.name}] if root else None
        params = {
            "processId": process_id,
            "rootUri": root.as_uri() if root else None,
            "workspaceFolders": folders,
            "capabilities": capabilities or CAPABILITIES,
            "initializationOptions": options,
        }
        self.initialized = self.call("initialize", params)
        self.notify("initialized", {})
        return self

    def open(self, uri: str, text: str, version: int = 1):
        item = {"uri": uri, "languageId": "cpz", "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def change(self, uri: str, version: int, changes: list[dict]):
        self.notify(
            "textDocument/didChange", {"textDocument": {"uri": uri, "version": version}, "contentChanges": changes}
        )

    def ask_probe(self) -> int:
        """Requests a hover on a document of its own; returns the id of the request."""
        if not getattr(self, "probed", False):
            self.open(PROBE, PROBE_TEXT)
            self.probed = True
        return self.request("textDocument/hover", {**document(PROBE), "position": PROBE_AT})

    def probe(self):
        """Requests this hover and checks the response."""
        self.check_probe(self.answer(self.ask_probe(), "the hover that proves that the server works"))

    def check_probe(self, answer: dict):
        shown = json.dumps(answer)
        if PROBE_WORD not in shown:
            raise ServerError(f"wrong hover: {shown[:200]}")

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
        # The output may end a moment before the process.
        code = self.process.wait(HUNG) if self.ended else self.process.poll()
        if code is None:
            return "still running"
        return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"

    def stderr(self) -> bytes:
        self.errors.seek(0)
        return self.errors.read()

    def wait(self) -> int:
        """Waits for the end of the process; returns the exit code."""
        watch()
        try:
            return self.process.wait(HUNG)
        except subprocess.TimeoutExpired:
            raise ServerError("hung: the server does not end") from None

    def shut_down(self):
        """Sends `shutdown` and `exit`; the exit code must be 0."""
        self.call("shutdown")
        self.notify("exit")
        code = self.wait()
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
        # The number of a pipe that is closed while a thread waits for it may become that of another pipe, which then has
        # no end: `select` keeps it open.
        self.reader.join(HUNG)
        for pipe in (self.process.stdin, self.process.stdout):
            try:
                pipe.close()
            except OSError:
                pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
