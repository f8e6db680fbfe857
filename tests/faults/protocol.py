"""Clients that are faulty: they send what is no message, flood, die, or stop to listen.

Behind each of them the server still answers a hover as it should, or has ended as the protocol says.
"""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time

from client import GIB, Gone, Server, document, frame, place, position, size_of
from table import Bench, Failed, eventually, expect, fault

BAD = "solitaire { board R....N.......... solve }\n"
SLOW = "solitaire { board QQQQ QQQQ QQQQ QQQQ count }\n"
DEAF = 512 << 20
BOUNDLESS = {"budget": 2**63 - 1}
A = "untitled:a.cpz"


def started(bench: Bench, **more) -> Server:
    server = bench.server()
    server.begin(**more)
    server.probe()
    return server


def healthy(server: Server, what: str = ""):
    """It still answers, and leaves as it should."""
    try:
        server.probe(10)
        server.finish(10)
    except (Gone, OSError) as error:
        raise Failed(f"{what}: {error}; {server.describe_end()}; {server.stderr()[-200:]!r}") from None
    expect(server.odd is None, f"{what}: {server.odd}")


def searching(bench: Bench, **more) -> Server:
    """A server in the middle of searches that would take long."""
    server = started(bench, options=BOUNDLESS, **more)
    server.open(A, slow_text())
    for line in range(16):
        server.ask("textDocument/hover", place(A, line, len(SLOW) - 5))
    return server


def slow_text() -> str:
    """Puzzles that take long; each is another, so that none has the answer of the one before."""
    return "".join(SLOW.replace("Q", "R", number) for number in range(16))


def busy(pid: int) -> bool:
    """Whether a process works rather than waits: its time on the processor grows."""
    def ticks():
        with open(f"/proc/{pid}/stat") as file:
            return sum(map(int, file.read().rsplit(")", 1)[1].split()[11:13]))

    before = ticks()
    time.sleep(0.3)
    return ticks() - before > 5


# ---- Clients that die -------------------------------------------------------------------------


@fault("input-closed", "Standard input is closed, at rest and in the middle of a long search: the server is gone within 2 s")
def input_closed(bench: Bench) -> str:
    told = []
    for begin in (started, searching):
        server = begin(bench)
        if begin is searching:
            expect(busy(server.pid), "it was not searching")
        start = time.monotonic()
        server.process.stdin.close()
        code = server.wait(2)
        expect(code == 1, f"exit code {code}")
        told.append(f"{time.monotonic() - start:.2f} s")
    return f"gone in {told[0]} at rest, {told[1]} amid a search"


PARENT = """
import subprocess, sys, time
server = subprocess.Popen(sys.argv[1:2] + ["lsp"], stdin=sys.stdin, stdout=sys.stdout)
print(server.pid, file=sys.stderr, flush=True)
time.sleep(600)
"""


@fault("client-killed", "The client is killed while something else holds the pipes open: the server is gone within 2 s, also amid a search")
def client_killed(bench: Bench) -> str:
    told = []
    for text in ("", slow_text()):
        # The pipes belong to this process, so that the death of the client does not close them.
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
                # Until the answer to this is there a client must not send anything else.
                parent.stdout.readline()
        time.sleep(0.3)
        expect(size_of(pid), "the server was gone before its client")
        expect(busy(pid) == bool(text), f"it was {'not ' * bool(text)}searching")
        parent.kill()
        start = time.monotonic()
        parent.wait()
        expect(eventually(lambda: not size_of(pid), 2), "the server was alive 2 s after its client")
        told.append(f"{time.monotonic() - start:.2f} s")
        for pipe in (parent.stdin, parent.stdout, parent.stderr):
            pipe.close()
    return f"gone in {told[0]} at rest, {told[1]} amid a search"


def kill_if_there(pid: int):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


@fault("client-deaf", "The client stops reading while it sends: memory stays below 512 MiB for 360 MB of answers, and each request has one answer once it reads again", 180)
def client_deaf(bench: Bench) -> str:
    server = started(bench)
    server.keep_told = False
    server.open(A, BAD * 20)
    server.listening.clear()
    first, count = server.asked + 1, 30_000
    sender = threading.Thread(target=send_deaf, args=(server, count), daemon=True)
    sender.start()
    highest, deadline = 0, time.monotonic() + 20
    # It may stop to read in its turn: then the sender waits, and memory stands still.
    while sender.is_alive() and time.monotonic() < deadline and highest < GIB:
        highest = max(highest, server.size())
        time.sleep(0.05)
    time.sleep(2)
    highest = max(highest, server.size("VmHWM"))
    taken, early = server.asked - first + 1, sum(id >= first for id in list(server.answers) if id)
    expect(early < 2000, f"{early} answers were read in spite of it")
    expect(highest < DEAF, f"{highest >> 20} MiB after {taken} requests whose answers nobody reads")
    start = time.monotonic()
    server.listening.set()
    sender.join(60)
    expect(not sender.is_alive(), "what was sent was not taken even when answers were read again")
    last = first + count - 1
    expect(eventually(lambda: last - first < sum(id >= first for id in list(server.answers) if id), 120), "answers are missing")
    twice = [id for id in range(first, last + 1) if len(server.answers[id]) != 1]
    expect(not twice, f"{len(twice)} requests have more than one answer")
    errors = sum("error" in server.answers[id][0] for id in range(first, last + 1))
    took, later = time.monotonic() - start, server.size("VmHWM")
    expect(later < DEAF, f"{highest >> 20} MiB while nobody read, {later >> 20} MiB while {count} answers were read in {took:.0f} s")
    healthy(server)
    return f"{taken} of {count} requests were taken meanwhile, one answer each ({errors} of them errors), {highest >> 20} MiB at most"


def send_deaf(server: Server, count: int):
    """Outlines of 20 puzzles, some kilobytes each, with an edit now and then."""
    try:
        for number in range(count):
            server.ask("textDocument/documentSymbol", document(A))
            if number % 200 == 0:
                server.change(A, number + 2, [{"text": BAD * 20 + "\n" * (number // 200)}])
    except OSError:
        pass


# ---- What is no message -----------------------------------------------------------------------


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
    "JSON of nothing": frame(b""),
    "NUL": frame(b"\0" * 50),
    "100,000 brackets": frame(b"[" * 100_000),
    "100,000 brackets in a request": frame(
        b'{"jsonrpc":"2.0","id":99,"method":"textDocument/hover","params":' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    ),
    "100,000 objects": frame(b'{"a":' * 100_000 + b"1" + b"}" * 100_000),
    "a batch": frame([{"jsonrpc": "2.0", "id": 77, "method": "shutdown"}] * 2),
    "a string": frame(b'"shutdown"'),
    "a method of numbers": frame({"jsonrpc": "2.0", "id": 5, "method": 5}),
    "parameters of a string": frame({**HOVER, "params": "x"}),
    "parameters of another type": frame({**HOVER, "params": {"textDocument": [1], "position": {"line": "x"}}}),
    "an id of an object": frame({**HOVER, "id": {"a": 1}, "params": {}}),
    "an id of 2^70": frame({**HOVER, "id": 2**70, "params": {}}),
    "a URI that is none": frame({**HOVER, "id": 6, "params": {**document("::%%%\n"), "position": position(0, 0)}}),
    "an answer that nobody asked for": frame({"jsonrpc": "2.0", "id": 123456, "result": {}}),
    "a key twice": frame(b'{"jsonrpc":"2.0","id":8,"id":9,"method":"x","method":"y"}'),
    "1e999": frame(b'{"jsonrpc":"2.0","id":1e999,"method":"x"}'),
}


@fault("odd-messages", "Headers that are broken and JSON that is none or means nothing: the next message is read as if nothing had been", 90)
def odd_messages(bench: Bench) -> str:
    wrong = []
    for what, data in ODD.items():
        server = started(bench)
        try:
            server.raw(data)
            healthy(server, what)
        except (Failed, OSError) as error:
            wrong.append(f"{what}: {error}")
        server.close()
    expect(not wrong, "; ".join(wrong))
    return f"{len(ODD)} kinds; a hover is answered behind each"


@fault("huge-length", "A Content-Length of 10 GB or beyond 2^64 takes no memory but for what comes, and 40 MB behind it are taken within 3 s", 90)
def huge_length(bench: Bench) -> str:
    told, slow = [], []
    for length in (2**31, 10_000_000_000, 2**63, 2**64 - 1, 2**64, 10**40):
        server = started(bench)
        start = time.monotonic()
        try:
            server.raw(header(length))
            for _ in range(640):
                server.raw(b"x" * (1 << 16))
            server.raw(b"\r\n\r\n")
            server.probe(20)
            told.append("read on")
        except OSError:
            told.append("ended")
            expect(server.stderr().strip() or server.answers.get(None), f"{length}: {server.describe_end()} without a word")
        except Gone:
            told.append("waited for the rest")
        took = time.monotonic() - start
        highest = server.size("VmHWM")
        expect(highest < 128 << 20, f"{length}: it took {highest >> 20} MiB for 40 MB")
        if took > 3 and told[-1] != "waited for the rest":
            slow.append(f"{length}: {took:.1f} s")
        server.process.stdin.close()
        code = server.wait(5)
        expect(code in (0, 1), f"{length}: {server.describe_end()}: {server.stderr()[-200:]!r}")
        server.close()
    expect(not slow, f"40 MB took {', '.join(slow)}")
    return f"it {', '.join(told)}; gone when the input is closed"


@fault("random-bytes", "Random bytes, 200 KB at a time, in 30 ways: the server reads on, or ends with an exit code, and never crashes", 120)
def random_bytes(bench: Bench) -> str:
    rest = random.Random(1)
    went_on = 0
    for number in range(30):
        server = started(bench)
        try:
            server.raw(rest.randbytes(200_000) if number % 2 else bytes(rest.choices(b"Content-Length: 0123456789\r\n{}[]\"", k=200_000)))
            server.raw(b"\r\n\r\n")
        except OSError:
            pass
        try:
            server.probe(2)
            went_on += 1
        except (Gone, OSError):
            # A header in the bytes may have made it wait for more; the end of the input is its end.
            server.process.stdin.close()
        try:
            code = server.wait(2) if server.process.stdin.closed else 0
        except Gone as error:
            raise Failed(f"{number}: {error}") from None
        expect(code in (0, 1), f"{number}: {server.describe_end()}: {server.stderr()[-200:]!r}")
        server.close()
    return f"{went_on} of 30 times the next hover was answered, otherwise it waited for the rest and left in order"
