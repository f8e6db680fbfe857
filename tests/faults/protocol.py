"""Faulty clients: they send invalid messages, die, or stop reading.

Afterwards the server still answers a hover correctly, or has ended as the protocol says.
"""

import fcntl
import json
import os
import random
import signal
import struct
import subprocess
import sys
import termios
import threading
import time

from client import GIB, HUNG, Server, ServerError, document, frame, memory_of, place, position, work_of
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
        server.probe()
        server.shut_down()
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


def works(pid: int, seconds: float = 0.1):
    """Waits until a process has used so much more processor time."""
    before = work_of(pid)
    eventually(lambda: work_of(pid) - before >= seconds, "the server is not searching")


# ---- Clients that die -------------------------------------------------------------------------


@fault("input-closed", "Standard input is closed, when the server is idle or in a long search: the server ends")
def input_closed(bench: Bench) -> str:
    for begin in (started, searching):
        server = begin(bench)
        if begin is searching:
            works(server.pid)
        server.process.stdin.close()
        code = server.wait()
        expect(code == 1, f"exit code {code}")
    return "ended with exit code 1 when idle, and during a search"


# It sleeps until it is killed.
PARENT = f"""
import subprocess, sys, time
server = subprocess.Popen(sys.argv[1:2] + ["lsp"], stdin=sys.stdin, stdout=sys.stdout)
print(server.pid, file=sys.stderr, flush=True)
time.sleep({HUNG})
"""


@fault("client-killed", "The client is killed while another process holds the pipes open: the server ends, even during a long search")
def client_killed(bench: Bench) -> str:
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
                read_until_answer(parent.stdout, 1)
        if text:
            works(pid)
        else:
            read_until_answer(parent.stdout, 17)
        expect(memory_of(pid), "the server ended before its client")
        parent.kill()
        parent.wait()
        eventually(lambda: not memory_of(pid), "the server outlives its client")
        for pipe in (parent.stdin, parent.stdout, parent.stderr):
            pipe.close()
    return "ended when idle, and during a search"


def read_until_answer(output, id: int):
    """Reads messages until the response to a request."""
    while True:
        length = 0
        while (line := output.readline()) != b"\r\n":
            expect(line, "the server ended before its client")
            length = int(line.split()[1]) if line.startswith(b"Content-Length") else length
        if json.loads(output.read(length)).get("id") == id:
            return


def kill_if_there(pid: int):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


@fault("client-stops-reading", "The client sends without reading: memory stays below 512 MiB for 30,000 requests with some kilobytes of response each, and each request has one response once the client reads again")
def client_stops_reading(bench: Bench) -> str:
    server = started(bench)
    server.keep_messages = False
    server.open(A, BAD * 20)
    server.reading.clear()
    first, count = server.last_id + 1, 400 if bench.quick else 30_000
    sender = threading.Thread(target=send_without_reading, args=(server, count), daemon=True)
    sender.start()
    sent = None
    # The server may stop reading too: then the sender blocks, and memory stays constant. Nothing tells that no more is
    # read, so this pauses: a busy machine makes it notice less, and no test fails.
    while server.last_id != sent and server.memory() < GIB:
        sent = server.last_id
        time.sleep(2)
    highest = server.memory("VmHWM")
    taken, early = server.last_id - first + 1, sum(id >= first for id in list(server.answers) if id)
    expect(early < count // 10, f"{early} responses were read although reading was stopped")
    expect(highest < MAX_UNREAD, f"{highest >> 20} MiB after {taken} requests with unread responses")
    server.reading.set()
    last = first + count - 1
    # Each thousand is a wait of its own: all together may take long.
    for end in (*range(first, last, 1000), last):
        server.until(lambda: end in server.answers, f"response to {end} after the responses before it were read")
    server.until(lambda: all(id in server.answers for id in range(first, last + 1)), "responses to all requests")
    sender.join(HUNG)
    expect(not sender.is_alive(), "the client hangs: it cannot send the last requests")
    twice = [id for id in range(first, last + 1) if len(server.answers[id]) != 1]
    expect(not twice, f"{len(twice)} requests have more than one response")
    errors = sum("error" in server.answers[id][0] for id in range(first, last + 1))
    later = server.memory("VmHWM")
    expect(later < MAX_UNREAD, f"{highest >> 20} MiB with unread responses, {later >> 20} MiB while {count} responses were read")
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


@fault("odd-messages", "Broken headers, and JSON that is invalid or no LSP message: the next message is handled normally")
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


@fault("huge-length", "A Content-Length of 10 GB or beyond 2^64 allocates memory only for received bytes, and 40 MB after it are read")
def huge_length(bench: Bench) -> str:
    results = []
    for length in (2**31, 10_000_000_000, 2**63, 2**64 - 1, 2**64, 10**40):
        server = started(bench)
        try:
            server.send_bytes(header(length))
            for _ in range(128 if bench.quick else 640):
                server.send_bytes(b"x" * (1 << 16))
            server.send_bytes(b"\r\n\r\n")
            eventually(lambda: server.ended or not unread(server), f"the server does not read what follows a length of {length}")
            results.append("read on" if answers_soon(server) else "waited for the rest")
        except OSError:
            results.append("ended")
            expect(server.stderr().strip() or server.answers.get(None), f"{length}: {server.describe_end()} without a message")
        highest = server.memory("VmHWM")
        expect(highest < 128 << 20, f"{length}: it used {highest >> 20} MiB for at most 40 MB")
        server.process.stdin.close()
        code = server.wait()
        expect(code in (0, 1), f"{length}: {server.describe_end()}: {server.stderr()[-200:]!r}")
        server.close()
    return f"in the order of lengths: {', '.join(results)}; ended when the input was closed"


def unread(server: Server) -> int:
    """The number of sent bytes that the server has not read."""
    return struct.unpack("i", fcntl.ioctl(server.process.stdin.fileno(), termios.FIONREAD, b"\0\0\0\0"))[0]


def answers_soon(server: Server) -> bool:
    """Whether a hover is answered. Nothing tells that the server waits for more bytes, so this pauses: a busy machine
    makes it notice less, and no test fails."""
    try:
        server.probe(2)
    except ServerError:
        return False
    return True


@fault("random-bytes", "Random bytes, 200 KB in each of 30 runs: the server reads on, or ends with an exit code, and never crashes")
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
            eventually(lambda: server.ended or not unread(server), f"the server does not read the bytes of run {number}")
            answered += answers_soon(server)
        except OSError:
            pass
        # A header in the bytes may make the server wait for more; closing the input ends it.
        server.process.stdin.close()
        try:
            code = server.wait()
        except ServerError as error:
            raise Failed(f"{number}: {error}") from None
        expect(code in (0, 1), f"{number}: {server.describe_end()}: {server.stderr()[-200:]!r}")
        server.close()
    return f"the next hover was answered in {answered} of 30 runs; in the others the server waited for more input and ended cleanly"
