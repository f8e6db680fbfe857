"""Faulty clients: they send invalid messages, die, or stop reading.

Afterwards the server still answers a hover correctly, or has ended as the protocol says.
"""

import os
import random
import signal
import subprocess
import sys
import threading
import time

from client import GIB, ServerError, Server, document, frame, place, position, memory_of
from table import Bench, Failed, eventually, expect, fault

BAD = "solitaire { board R....N.......... solve }\n"
SLOW = "solitaire { board QQQQ QQQQ QQQQ QQQQ count }\n"
MAX_UNREAD = 512 << 20
BOUNDLESS = {"budget": 2**63 - 1}
A = "untitled:a.cpz"


def started(bench: Bench, **more) -> Server:
    server = bench.server()
    server.initialize(**more)
    server.probe()
    return server


def healthy(server: Server, what: str = ""):
    """Fails unless the server answers a hover and shuts down cleanly."""
    try:
        server.probe(10)
        server.shut_down(10)
    except (ServerError, OSError) as error:
        raise Failed(f"{what}: {error}; {server.describe_end()}; {server.stderr()[-200:]!r}") from None
    expect(server.protocol_error is None, f"{what}: {server.protocol_error}")


def searching(bench: Bench, **more) -> Server:
    """A server in the middle of long searches."""
    server = started(bench, options=BOUNDLESS, **more)
    server.open(A, slow_text())
    for line in range(16):
        server.request("textDocument/hover", place(A, line, len(SLOW) - 5))
    return server


def slow_text() -> str:
    """Puzzles with long searches; all different, so that the cache answers none of them."""
    return "".join(SLOW.replace("Q", "R", number) for number in range(16))


def busy(pid: int) -> bool:
    """Whether a process uses processor time."""
    def ticks():
        with open(f"/proc/{pid}/stat") as file:
            return sum(map(int, file.read().rsplit(")", 1)[1].split()[11:13]))

    before = ticks()
    time.sleep(0.3)
    return ticks() - before > 5


# ---- Clients that die -------------------------------------------------------------------------


@fault("input-closed", "Standard input is closed, when the server is idle or in a long search: the server ends within 2 s")
def input_closed(bench: Bench) -> str:
    results = []
    for begin in (started, searching):
        server = begin(bench)
        if begin is searching:
            expect(busy(server.pid), "it was not searching")
        start = time.monotonic()
        server.process.stdin.close()
        code = server.wait(2)
        expect(code == 1, f"exit code {code}")
        results.append(f"{time.monotonic() - start:.2f} s")
    return f"ended after {results[0]} when idle, {results[1]} during a search"


PARENT = """
import subprocess, sys, time
server = subprocess.Popen(sys.argv[1:2] + ["lsp"], stdin=sys.stdin, stdout=sys.stdout)
print(server.pid, file=sys.stderr, flush=True)
time.sleep(600)
"""


@fault("client-killed", "The client is killed while another process holds the pipes open: the server ends within 2 s, even during a search")
def client_killed(bench: Bench) -> str:
    results = []
    for text in ("", slow_text()):
        # This process holds the pipes, so that they stay open when the client dies.
        parent = subprocess.Popen(
            [sys.executable, "-c", PARENT, bench.cpz],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=bench.environment(),
        )
        pid = int(parent.stderr.readline())
        bench.closing.append(lambda pid=pid: kill_if_there(pid))
        params = {"processId": parent.pid, "rootUri": None, "capabilities": {}, "initializationOptions": BOUNDLESS}
        item = {"uri": A, "languageId": "cpz", "version": 1, "text": text}
        for message in (
            {"id": 1, "method": "initialize", "params": params},
            {"method": "initialized", "params": {}},
            {"method": "textDocument/didOpen", "params": {"textDocument": item}},
            *({"id": 2 + n, "method": "textDocument/hover", "params": place(A, n, len(SLOW) - 5)} for n in range(16)),
        ):
            parent.stdin.write(frame({"jsonrpc": "2.0", **message}))
            parent.stdin.flush()
            if message.get("id") == 1:
                # A client must not send anything else before the response to `initialize`.
                parent.stdout.readline()
        time.sleep(0.3)
        expect(memory_of(pid), "the server ended before its client")
        expect(busy(pid) == bool(text), f"it was {'not ' * bool(text)}searching")
        parent.kill()
        start = time.monotonic()
        parent.wait()
        expect(eventually(lambda: not memory_of(pid), 2), "the server was alive 2 s after its client")
        results.append(f"{time.monotonic() - start:.2f} s")
        for pipe in (parent.stdin, parent.stdout, parent.stderr):
            pipe.close()
    return f"ended after {results[0]} when idle, {results[1]} during a search"


def kill_if_there(pid: int):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


@fault("client-stops-reading", "The client sends without reading: memory stays below 512 MiB for 360 MB of responses, and each request has one response once the client reads again", 180)
def client_stops_reading(bench: Bench) -> str:
    server = started(bench)
    server.keep_messages = False
    server.open(A, BAD * 20)
    server.reading.clear()
    first, count = server.last_id + 1, 30_000
    sender = threading.Thread(target=send_without_reading, args=(server, count), daemon=True)
    sender.start()
    highest, deadline = 0, time.monotonic() + 20
    # The server may stop reading too: then the sender blocks, and memory stays constant.
    while sender.is_alive() and time.monotonic() < deadline and highest < GIB:
        highest = max(highest, server.memory())
        time.sleep(0.05)
    time.sleep(2)
    highest = max(highest, server.memory("VmHWM"))
    taken, early = server.last_id - first + 1, sum(id >= first for id in list(server.answers) if id)
    expect(early < 2000, f"{early} responses were read although reading was stopped")
    expect(highest < MAX_UNREAD, f"{highest >> 20} MiB after {taken} requests with unread responses")
    start = time.monotonic()
    server.reading.set()
    sender.join(60)
    expect(not sender.is_alive(), "the server did not read the requests after its responses were read")
    last = first + count - 1
    expect(eventually(lambda: last - first < sum(id >= first for id in list(server.answers) if id), 120), "responses are missing")
    twice = [id for id in range(first, last + 1) if len(server.answers[id]) != 1]
    expect(not twice, f"{len(twice)} requests have more than one response")
    errors = sum("error" in server.answers[id][0] for id in range(first, last + 1))
    took, later = time.monotonic() - start, server.memory("VmHWM")
    expect(later < MAX_UNREAD, f"{highest >> 20} MiB with unread responses, {later >> 20} MiB while {count} responses were read in {took:.0f} s")
    healthy(server)
    return f"{taken} of {count} requests accepted meanwhile, one response each ({errors} errors), peak {highest >> 20} MiB"


def send_without_reading(server: Server, count: int):
    """Requests outlines of 20 puzzles, some kilobytes each, with an edit after every 200."""
    try:
        for number in range(count):
            server.request("textDocument/documentSymbol", document(A))
            if number % 200 == 0:
                server.change(A, number + 2, [{"text": BAD * 20 + "\n" * (number // 200)}])
    except OSError:
        pass


# ---- Invalid messages ------------------------------------------------------------------------


def header(length, body: bytes = b"") -> bytes:
    return f"Content-Length: {length}\r\n\r\n".encode() + body


HOVER = {"jsonrpc": "2.0", "id": 1, "method": "textDocument/hover"}
ODD = {
    "no length": b"Content-Type: application/json\r\n\r\n",
    "a negative length": header(-5),
    "a length of letters": header("abc"),
    "no header name": b": 5\r\n\r\n",
    "an empty header": b"\r\n\r\n",
    "invalid UTF-8": frame(b'{"jsonrpc":"2.0","method":"\xff\xfe"}'),
    "invalid JSON": frame(b'{"jsonrpc":"2.0",'),
    "an empty body": frame(b""),
    "NUL": frame(b"\0" * 50),
    "100,000 brackets": frame(b"[" * 100_000),
    "100,000 brackets in a request": frame(
        b'{"jsonrpc":"2.0","id":99,"method":"textDocument/hover","params":' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    ),
    "100,000 objects": frame(b'{"a":' * 100_000 + b"1" + b"}" * 100_000),
    "a batch": frame([{"jsonrpc": "2.0", "id": 77, "method": "shutdown"}] * 2),
    "a string": frame(b'"shutdown"'),
    "a method that is a number": frame({"jsonrpc": "2.0", "id": 5, "method": 5}),
    "parameters that are a string": frame({**HOVER, "params": "x"}),
    "parameters of a wrong type": frame({**HOVER, "params": {"textDocument": [1], "position": {"line": "x"}}}),
    "an id that is an object": frame({**HOVER, "id": {"a": 1}, "params": {}}),
    "the id 2^70": frame({**HOVER, "id": 2**70, "params": {}}),
    "an invalid URI": frame({**HOVER, "id": 6, "params": {**document("::%%%\n"), "position": position(0, 0)}}),
    "a response to no request": frame({"jsonrpc": "2.0", "id": 123456, "result": {}}),
    "a duplicate key": frame(b'{"jsonrpc":"2.0","id":8,"id":9,"method":"x","method":"y"}'),
    "1e999": frame(b'{"jsonrpc":"2.0","id":1e999,"method":"x"}'),
}


@fault("odd-messages", "Broken headers, and JSON that is invalid or no LSP message: the next message is handled normally", 90)
def odd_messages(bench: Bench) -> str:
    wrong = []
    for what, data in ODD.items():
        server = started(bench)
        try:
            server.send_bytes(data)
            healthy(server, what)
        except (Failed, OSError) as error:
            wrong.append(f"{what}: {error}")
        server.close()
    expect(not wrong, "; ".join(wrong))
    return f"{len(ODD)} kinds; a hover is answered after each"


@fault("huge-length", "A Content-Length of 10 GB or beyond 2^64 allocates memory only for received bytes, and 40 MB after it are read within 3 s", 90)
def huge_length(bench: Bench) -> str:
    results, slow = [], []
    for length in (2**31, 10_000_000_000, 2**63, 2**64 - 1, 2**64, 10**40):
        server = started(bench)
        start = time.monotonic()
        try:
            server.send_bytes(header(length))
            for _ in range(640):
                server.send_bytes(b"x" * (1 << 16))
            server.send_bytes(b"\r\n\r\n")
            server.probe(20)
            results.append("read on")
        except OSError:
            results.append("ended")
            expect(server.stderr().strip() or server.answers.get(None), f"{length}: {server.describe_end()} without a message")
        except ServerError:
            results.append("waited for the rest")
        took = time.monotonic() - start
        highest = server.memory("VmHWM")
        expect(highest < 128 << 20, f"{length}: it used {highest >> 20} MiB for 40 MB")
        if took > 3 and results[-1] != "waited for the rest":
            slow.append(f"{length}: {took:.1f} s")
        server.process.stdin.close()
        code = server.wait(5)
        expect(code in (0, 1), f"{length}: {server.describe_end()}: {server.stderr()[-200:]!r}")
        server.close()
    expect(not slow, f"40 MB took {', '.join(slow)}")
    return f"in the order of lengths: {', '.join(results)}; ended when the input was closed"


@fault("random-bytes", "Random bytes, 200 KB in each of 30 runs: the server reads on, or ends with an exit code, and never crashes", 120)
def random_bytes(bench: Bench) -> str:
    rng = random.Random(1)
    answered = 0
    for number in range(30):
        server = started(bench)
        try:
            server.send_bytes(rng.randbytes(200_000) if number % 2 else bytes(rng.choices(b"Content-Length: 0123456789\r\n{}[]\"", k=200_000)))
            server.send_bytes(b"\r\n\r\n")
        except OSError:
            pass
        try:
            server.probe(2)
            answered += 1
        except (ServerError, OSError):
            # A header in the bytes may make the server wait for more; closing the input ends it.
            server.process.stdin.close()
        try:
            code = server.wait(2) if server.process.stdin.closed else 0
        except ServerError as error:
            raise Failed(f"{number}: {error}") from None
        expect(code in (0, 1), f"{number}: {server.describe_end()}: {server.stderr()[-200:]!r}")
        server.close()
    return f"the next hover was answered in {answered} of 30 runs; in the others the server waited for more input and ended cleanly"
