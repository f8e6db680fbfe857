"""A server that lives long: it is stopped and continued, asks a client that never answers, and the files of a large
workspace change below it."""

import os
import random
import signal
from pathlib import Path

from client import CAPABILITIES, Server, document, place, position, threads_of
from crowds import write_files
from hostile import BAD, MEMORY
from protocol import healthy, searching, started
from table import Bench, expect, fault, wait_until

GOOD = 'chess "%d" { board [["W","K",1,1]] move Ka2 => legal }\n'


def all_capabilities() -> dict:
    """Everything for which a server asks the client something."""
    refresh = {"refreshSupport": True}
    return {
        **CAPABILITIES,
        "window": {"workDoneProgress": True, "showMessage": {"messageActionItem": {"additionalPropertiesSupport": True}}, "showDocument": {"support": True}},
        "workspace": {
            **CAPABILITIES["workspace"], "configuration": True, "didChangeConfiguration": {"dynamicRegistration": True},
            "didChangeWatchedFiles": {"dynamicRegistration": True, "relativePatternSupport": True}, "codeLens": refresh, "inlayHint": refresh,
            "semanticTokens": refresh, "foldingRange": refresh, "diagnostics": refresh,
        },
        "textDocument": {**CAPABILITIES["textDocument"], "inlayHint": {"dynamicRegistration": True}, "codeLens": {"dynamicRegistration": True}},
    }


# ---- Stopped ------------------------------------------------------------------------------------


@fault("server-stopped", "The server is stopped (SIGSTOP) and continued, twenty times, while messages come and while it searches: each request has one response, and no edit is lost")
def server_stopped(bench: Bench) -> str:
    requests = 0
    for begin in (started, searching):
        server = begin(bench)
        uri = "untitled:typed.cpz"
        server.open(uri, 'solitaire "" { board BN count }\n')
        word = ""
        for number in range(20):
            os.kill(server.pid, signal.SIGSTOP)
            wait_until(lambda: all(state in ("T", "ended") for state, _ in threads_of(server.pid).values()), "the server does not stop")
            ids = []
            # Less than what waits in a pipe.
            for letter in "ab":
                at = position(0, 11 + len(word))
                server.change(uri, 2 + len(word), [{"range": {"start": at, "end": at}, "text": letter}])
                word += letter
                ids.append(server.request("textDocument/documentSymbol", document(uri)))
                ids += [server.ask_probe() for _ in range(4)]
            os.kill(server.pid, signal.SIGCONT)
            for id in ids:
                answer = server.answer(id)
                # An edit that comes next invalidates a request.
                expect(len(server.answers[id]) == 1 and answer.get("error", {}).get("code") in (None, -32801, -32802), f"{answer}")
            requests += len(ids)
        symbols = server.call("textDocument/documentSymbol", document(uri))
        expect([s["name"] for s in symbols] == [word], f"the outline is {[s['name'] for s in symbols]}")
        healthy(server)
    return f"{requests} requests, one response each"


# ---- Never answered -----------------------------------------------------------------------------


class Silent(Server):
    """A client that answers no request of the server."""

    def _reply(self, id, result):
        pass


class Odd(Server):
    """A client that answers with errors, twice, with other types, and to what nobody has asked."""

    def _reply(self, id, result):
        answers = [{"id": id, "error": {"code": -32603, "message": "no"}}, {"id": id, "result": {"x": [1]}}, {"id": id, "result": 7}, {"id": f"{id}", "result": None}, {"id": -5, "result": []}, {"id": None, "result": "x"}]
        try:
            for answer in answers[len(self.messages) % 3 :]:
                self.send({"jsonrpc": "2.0", **answer})
        except OSError:
            pass


@fault("client-never-answers", "A client that offers everything and never answers the server, or answers with errors and other types: findings come, hovers are answered, settings and files may change, and the server ends when it is told to")
def client_never_answers(bench: Bench) -> str:
    asked: set[str] = set()
    folder = bench.make("workspace")
    (folder / "cpz.toml").write_text("budget = 1000\n")
    for number in range(50):
        (folder / f"{number}.cpz").write_text(BAD)
    for kind in (Silent, Odd):
        server = kind(bench.cpz, env=bench.environment(), cwd=bench.folder_named("cwd"))
        bench.closing.append(server.close)
        server.initialize(folder, capabilities=all_capabilities())
        uris = [(folder / f"{number}.cpz").as_uri() for number in range(50)]
        server.until(lambda: all(server.published.get(uri, {}).get("diagnostics") for uri in uris), f"findings for a client of the kind {kind.__name__}")
        for number in range(20):
            path = folder / f"{number}.cpz"
            path.write_text(GOOD % number)
            server.notify("workspace/didChangeConfiguration", {"settings": {}})
            server.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": path.as_uri(), "type": 2}]})
            server.probe()
        # Each is the same puzzle as the others, which is a finding, too.
        server.until(lambda: not any("unsolvable" in str(server.published[uri]["diagnostics"]) for uri in uris[:20]), "findings of the corrected files")
        asked |= {message["method"] for message in server.messages if "id" in message}
        for number in range(20):
            (folder / f"{number}.cpz").write_text(BAD)
        healthy(server, kind.__name__)
    expect(len(asked) >= 2, f"the server has asked only {asked}")
    return f"asked and never answered: {', '.join(sorted(asked))}"


# ---- Threads ------------------------------------------------------------------------------------


@fault("threads-at-the-end", "After hundreds of documents, searches and cancelled requests the server has the threads that it had before, and after its end no process of it is left")
def threads_at_the_end(bench: Bench) -> str:
    server = started(bench)

    def round(number: int):
        uris = [f"untitled:{number}-{nth}.cpz" for nth in range(20)]
        for uri in uris:
            server.open(uri, BAD)
            server.request("textDocument/codeLens", document(uri))
            server.notify("$/cancelRequest", {"id": server.last_id})
            server.request("textDocument/hover", place(uri, 0, 40))
        server.until(lambda: all(server.published.get(uri, {}).get("diagnostics") for uri in uris), "findings")
        for uri in uris:
            server.notify("textDocument/didClose", document(uri))
        server.until(lambda: not any(server.published[uri]["diagnostics"] for uri in uris), "empty findings")
        server.until_idle()

    for number in range(3):
        round(number)
    before = names_of(server.pid)
    for number in range(3, 8 if bench.quick else 60):
        round(number)
    after = names_of(server.pid)
    # Those that only wait for blocking work come when they are needed and go when they are not.
    pool = "tokio-rt-worker"
    expect([name for name in after if name != pool] == [name for name in before if name != pool], f"{before}, then {after}")
    expect(after.count(pool) <= 16, f"{after.count(pool)} threads named {pool}")
    healthy(server)
    results = [f"{len(before)} threads, then {len(after)}"]
    for how in ("shutdown", "input closed"):
        server = searching(bench)
        # The session of the server is its process group.
        group = server.process.pid
        if how == "shutdown":
            server.shut_down()
        else:
            server.process.stdin.close()
            server.wait()
        wait_until(lambda: not processes_of(group), f"a process is left after: {how}")
        results.append(f"none after: {how}")
    return ", ".join(results)


def names_of(pid: int) -> list[str]:
    """The names of the threads of a process, sorted."""
    return sorted(path.read_text().strip() for path in Path(f"/proc/{pid}/task").glob("*/comm"))


def processes_of(group: int) -> list[int]:
    """The processes of a process group that have not ended."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except (OSError, IndexError):
            continue
        if int(fields[2]) == group and fields[0] != "Z":
            found.append(int(stat.parent.name))
    return found


# ---- A workspace that changes -------------------------------------------------------------------


@fault("workspace-changes", "A workspace of 100,000 files of which thousands change, come, go and move under the server: hovers are answered meanwhile, and in the end it knows what a fresh server knows")
def workspace_changes(bench: Bench) -> str:
    folder = bench.make("workspace")
    count, each = (3_000, 300) if bench.quick else (100_000, 5_000)
    write_files(folder, count, lambda number: BAD.replace("{", f"{{ // {number}\n") if number % 50 == 0 else GOOD % number)
    rng = random.Random(7)
    server = bench.server()
    server.keep_messages = False
    server.initialize(folder)
    first = folder / "000" / "0.cpz"
    server.until(lambda: server.published.get(first.as_uri(), {}).get("diagnostics"), "findings of the first file")
    server.until_idle()
    files = sorted(folder.glob("*/*.cpz"))
    changed, hovers = 0, 0
    for _ in range(6):
        changes = []
        for path in rng.sample(files, each):
            what = rng.random()
            if what < 0.5:
                path.write_text(BAD if rng.random() < 0.5 else GOOD % rng.randrange(10**9))
                changes.append((path, 2))
            elif what < 0.7:
                path.unlink()
                changes.append((path, 3))
            elif what < 0.9:
                other = path.with_name(f"n{rng.randrange(10**9)}.cpz")
                path.rename(other)
                changes += [(path, 3), (other, 1)]
            else:
                other = path.with_name(f"m{rng.randrange(10**9)}.cpz")
                other.write_text(BAD)
                changes.append((other, 1))
        changed += len(changes)
        # As an editor sends them: some at a time, and while the server still works on those before.
        for start in range(0, len(changes), 500):
            events = [{"uri": path.as_uri(), "type": type} for path, type in changes[start : start + 500]]
            server.notify("workspace/didChangeWatchedFiles", {"changes": events})
            server.probe()
            hovers += 1
        files = sorted(folder.glob("*/*.cpz"))
    server.until_idle()
    highest = server.memory("VmHWM")
    expect(highest < MEMORY, f"the server used {highest >> 20} MiB")
    known = findings_of(server)
    server.shut_down()
    fresh = bench.server()
    fresh.keep_messages = False
    fresh.initialize(folder)
    some = next(iter(known))
    fresh.until(lambda: some in fresh.published and fresh.published[some]["diagnostics"], "findings of a fresh server")
    fresh.until_idle()
    expected = findings_of(fresh)
    fresh.shut_down()
    differing = [uri for uri in known.keys() | expected.keys() if known.get(uri) != expected.get(uri)]
    expect(not differing, f"{len(differing)} files differ from a fresh server: {[(uri[-30:], known.get(uri), expected.get(uri)) for uri in differing[:2]]}")
    return f"{len(files)} files, {changed} changes, {len(known)} files with findings as for a fresh server, {hovers} hovers, peak {highest >> 20} MiB"


def findings_of(server: Server) -> dict[str, list]:
    """The findings that a server has published, by file."""
    with server.condition:
        published = dict(server.published)
    return {uri: sorted((str(f["range"]), f["code"], f["message"]) for f in params["diagnostics"]) for uri, params in published.items() if params["diagnostics"] and uri.startswith("file:")}
