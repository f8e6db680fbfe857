"""Faulty clients: they send invalid messages, die, or stop reading.

Afterwards the server still answers a hover correctly, or has ended as the protocol says.
"""

import os
import random
import select
import signal
import subprocess
import sys
import threading

from client import GIB, HUNG, ServerError, Server, document, frame, is_asleep, memory_of, place, position, processor_time, watch
from searches import BOUNDLESS, SLOW, await_search, slow_text
from table import Bench, Failed, expect, fault, wait_until

BAD = "solitaire { board R....N.......... solve }\n"
A = "untitled:a.cpz"
LINKS = f'source "http://example.org/{"x" * 1000}"\n' * 12


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
    await_search(server.pid)
    return server


# ---- Clients that die -------------------------------------------------------------------------


@fault("input-closed", "Standard input is closed, when the server is idle or in a long search: the server ends, and does not wait for the search")
def input_closed(bench: Bench) -> str:
    for begin in (started, searching):
        server = begin(bench)
        server.process.stdin.close()
        code = server.wait()
        expect(code == 1, f"exit code {code}")
    return "ended when idle and during an hour of searches, exit code 1"


PARENT = """
import signal, subprocess, sys
server = subprocess.Popen(sys.argv[1:2] + ["lsp"], stdin=sys.stdin, stdout=sys.stdout)
print(server.pid, file=sys.stderr, flush=True)
signal.pause()
"""


@fault("client-killed", "The client is killed while another process holds the pipes open: the server ends, also during a search")
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
                parent.stdout.readline()
        if text:
            await_search(pid)
        else:
            wait_until(lambda pid=pid: is_asleep(pid), "the server does not become idle")
        expect(memory_of(pid), "the server ended before its client")
        end = os.pidfd_open(pid)
        parent.kill()
        parent.wait()
        watch()
        ended, _, _ = select.select([end], [], [], HUNG)
        os.close(end)
        expect(ended, "hung: the server does not end after its client")
        for pipe in (parent.stdin, parent.stdout, parent.stderr):
            pipe.close()
    return "ended when idle and during an hour of searches"


def kill_if_there(pid: int):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


@fault("client-stops-reading", "The client sends without reading: memory grows by at most twice the unread responses, and each request has one response once the client reads again")
def client_stops_reading(bench: Bench) -> str:
    server = started(bench)
    server.keep_messages = False
    server.open(A, LINKS)
    before = server.memory()
    server.reading.clear()
    first, count = server.last_id + 1, 3_000 if bench.quick else 30_000
    sender = threading.Thread(target=send_without_reading, args=(server, count), daemon=True)
    sender.start()

    def stands_still() -> bool:
        """Whether nothing happens until the client reads: all is sent, or the server does not read any more either."""
        if server.memory() > GIB:
            return True
        is_sent = not sender.is_alive()
        _, is_writable, _ = select.select([], [server.process.stdin], [], 0)
        return (is_sent or not is_writable) and is_asleep(server.pid)

    wait_until(stands_still, "the server does not come to rest while no response is read")
    highest = server.memory("VmHWM")
    taken, early = server.last_id - first + 1, sum(id >= first for id in list(server.answers) if id)
    expect(early < 2000, f"{early} responses were read although reading was stopped")
    server.reading.set()
    last = first + count - 1
    one_answer_each(server, first, last)
    sender.join()
    errors = sum("error" in server.answers[id][0] for id in range(first, last + 1))
    used = max(highest, server.memory("VmHWM")) - before
    what = f"{used >> 20} MiB more for {server.received_bytes >> 20} MiB of responses"
    expect(used < server.received_bytes * 2, f"{what}, {taken} requests before the client read again")
    healthy(server)
    return f"{taken} of {count} requests accepted meanwhile, one response each ({errors} errors), {what}"


def one_answer_each(server: Server, first: int, last: int):
    """Waits for the responses to some requests; fails if one has two."""
    for id in range(first, last + 1):
        server.answer(id, f"one of {last - first + 1} requests")
    twice = sum(len(server.answers[id]) != 1 for id in range(first, last + 1))
    expect(twice == 0, f"{twice} requests have more than one response")


def send_without_reading(server: Server, count: int):
    """Requests links, 13 KB of them each time, with an edit after every 200."""
    try:
        for number in range(count):
            server.request("textDocument/documentLink", document(A))
            if number % 200 == 0:
                server.change(A, number + 2, [{"text": LINKS + "\n" * (number // 200)}])
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


def await_hover(server: Server) -> bool:
    """Sends a hover; whether it is answered. If not, the server sleeps: it takes the message for part of another."""
    id = server.ask_probe()
    server.until_idle(lambda: id in server.answers or server.ended)
    if id in server.answers:
        server.check_probe(server.answers[id][0])
    expect(not server.ended, f"it ended: {server.describe_end()}")
    return id in server.answers


def send_and_count(server: Server, megabytes: int) -> float:
    """Sends bytes; returns the processor time that the server has used when it has read them."""
    for _ in range(megabytes * 16):
        server.send_bytes(b"x" * (1 << 16))
    server.until_idle()
    return processor_time(server.pid)


@fault("huge-length", "A Content-Length of 10 GB or beyond 2^64 allocates memory only for received bytes, and the processor time for the bytes after it grows with their number")
def huge_length(bench: Bench) -> str:
    results, part = [], 2 if bench.quick else 8
    for length in (2**31, 10_000_000_000, 2**63, 2**64 - 1, 2**64, 10**40):
        server = started(bench)
        try:
            server.send_bytes(header(length))
            begin = send_and_count(server, 0)
            first, rest = send_and_count(server, part) - begin, send_and_count(server, 4 * part) - begin
            server.send_bytes(b"\r\n\r\n")
            results.append("read on" if await_hover(server) else "waited for the rest")
        except (OSError, ServerError, Failed):
            results.append("ended")
            server.wait()
            expect(server.stderr().strip() or server.answers.get(None), f"{length}: {server.describe_end()} without a message")
        highest = server.memory("VmHWM")
        expect(highest < 128 << 20, f"{length}: it used {highest >> 20} MiB for {5 * part} MB")
        if results[-1] != "ended":
            # Five times as much to read takes five times as long, or 25 times if each byte is read again and again.
            expect(rest < 12 * max(first, 0.05), f"{length}: {first:.2f} s of the processor for {part} MB, {rest:.2f} s for all")
        server.process.stdin.close()
        code = server.wait()
        expect(code in (0, 1), f"{length}: {server.describe_end()}: {server.stderr()[-200:]!r}")
        server.close()
    return f"in the order of lengths: {', '.join(results)}; ended when the input was closed"


@fault("random-bytes", "Random bytes, 200 KB in each of some runs: the server reads on, or ends with an exit code, and never crashes")
def random_bytes(bench: Bench) -> str:
    rng = random.Random(1)
    answered, runs = 0, 10 if bench.quick else 30
    for number in range(runs):
        server = started(bench)
        try:
            server.send_bytes(rng.randbytes(200_000) if number % 2 else bytes(rng.choices(b"Content-Length: 0123456789\r\n{}[]\"", k=200_000)))
            server.send_bytes(b"\r\n\r\n")
        except OSError:
            pass
        try:
            answered += await_hover(server)
        except (ServerError, Failed, OSError):
            pass  # the exit code says whether it crashed
        server.process.stdin.close()
        try:
            code = server.wait()
        except ServerError as error:
            raise Failed(f"{number}: {error}") from None
        expect(code in (0, 1), f"{number}: {server.describe_end()}: {server.stderr()[-200:]!r}")
        server.close()
    return f"the next hover was answered in {answered} of {runs} runs; in the others the server waited for more input and ended cleanly"
