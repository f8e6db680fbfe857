"""Clients that send too much, at the wrong time, or about places that are not there."""

import time

from client import Server, document, frame, place, position
from protocol import A, BAD, healthy, started
from table import Bench, expect, fault

MEMORY = 300 << 20
COUNT = 100_000


def one_answer_each(server: Server, first: int, last: int, seconds: float = 120):
    server.until(lambda: all(id in server.answers for id in range(last, first - 1, -1)), seconds, "answers to all of them")
    twice = sum(len(server.answers[id]) != 1 for id in range(first, last + 1))
    expect(twice == 0, f"{twice} requests have more than one answer")


def small(server: Server) -> str:
    highest = server.size("VmHWM")
    expect(highest < MEMORY, f"it took {highest >> 20} MiB")
    return f"{highest >> 20} MiB at most"


@fault("flood-of-hovers", "100,000 hovers at once: each has one answer, and memory stays below 300 MiB", 180)
def flood_of_hovers(bench: Bench) -> str:
    server = started(bench)
    server.open(A, BAD)
    start, first = time.monotonic(), server.asked + 1
    for _ in range(COUNT):
        server.ask("textDocument/hover", place(A, 0, 3))
    one_answer_each(server, first, server.asked)
    took = time.monotonic() - start
    refused = sum("error" in server.answers[id][0] for id in range(first, server.asked + 1))
    size = small(server)
    healthy(server)
    return f"answered in {took:.1f} s, {refused} of them refused, {size}"


@fault("flood-of-cancels", "100,000 cancels of what was never asked, and of what was: one answer each", 180)
def flood_of_cancels(bench: Bench) -> str:
    server = started(bench)
    server.open(A, BAD)
    for number in range(COUNT):
        server.tell("$/cancelRequest", {"id": 10_000_000 + number if number % 2 else f"x{number}"})
    first = server.asked + 1
    for _ in range(2000):
        id = server.ask("textDocument/codeLens", document(A))
        server.tell("$/cancelRequest", {"id": id})
        server.tell("$/cancelRequest", {"id": id})
    one_answer_each(server, first, server.asked)
    size = small(server)
    healthy(server)
    return f"2,000 requests that were withdrawn twice have one answer each, {size}"


@fault("unknown-documents", "10,000 changes, saves and closes of texts that are not open change nothing", 60)
def unknown_documents(bench: Bench) -> str:
    server = started(bench)
    for number in range(10_000):
        uri = f"untitled:{number}.cpz"
        server.change(uri, number, [{"range": {"start": position(0, 0), "end": position(9, 9)}, "text": BAD}])
        server.tell("textDocument/didSave", document(uri))
        server.tell("textDocument/didClose", document(uri))
    hover = server.call("textDocument/hover", place("untitled:5.cpz", 0, 3), 30)
    expect(hover is None, f"a text that is not open has a hover: {hover}")
    told = [uri for uri, said in server.published.items() if said["diagnostics"]]
    expect(not told, f"findings of texts that are not open: {told[:3]}")
    size = small(server)
    healthy(server)
    return size


@fault("thousand-texts", "1,000 texts are opened and closed, three times over: each has its findings, and none is left", 120)
def thousand_texts(bench: Bench) -> str:
    server = started(bench)
    for _ in range(3):
        uris = [f"untitled:{number}.cpz" for number in range(1000)]
        for uri in uris:
            server.open(uri, BAD)
        server.until(lambda: all(server.published.get(u, {}).get("diagnostics") for u in uris), 30, "findings of all")
        for uri in uris:
            server.tell("textDocument/didClose", document(uri))
        server.until(lambda: not any(server.published[u]["diagnostics"] for u in uris), 30, "their end")
    size = small(server)
    healthy(server)
    return size


@fault("open-twice", "A text is opened again without being closed, or closed twice: the last that was sent counts")
def open_twice(bench: Bench) -> str:
    server = started(bench)
    server.open(A, BAD)
    server.open(A, 'solitaire "second" { board BN count }\n', 7)
    symbols = server.call("textDocument/documentSymbol", document(A))
    expect([s["name"] for s in symbols] == ["second"], f"the outline is {symbols}")
    for _ in range(2):
        server.tell("textDocument/didClose", document(A))
    expect(not server.call("textDocument/documentSymbol", document(A)), "it is still open")
    healthy(server)
    return "the second text counts"


@fault("id-reused", "An id that is used again while the first request is under way: two requests, two answers")
def id_reused(bench: Bench) -> str:
    server = started(bench)
    server.open(A, BAD)
    for _ in range(50):
        for id in (5000, "a"):
            server.send({"jsonrpc": "2.0", "id": id, "method": "textDocument/hover", "params": place(A, 0, 3)})
    for id in (5000, "a"):
        server.until(lambda id=id: len(server.answers.get(id, ())) == 50, 10, f"50 answers to {id}")
    healthy(server)
    return "50 requests of one id have 50 answers"


@fault("too-early-and-too-late", "Requests before `initialize` and behind `shutdown` are refused as the protocol says; so is a second `initialize`")
def too_early(bench: Bench) -> str:
    server = bench.server()
    server.open(A, BAD)
    early = server.answer(server.ask("textDocument/hover", place(A, 0, 3)))
    expect(early.get("error", {}).get("code") == -32002, f"before initialize: {early}")
    server.begin()
    expect(server.call("textDocument/hover", place(A, 0, 3)) is None, "a text that was opened before is there")
    server.probe()
    again = server.answer(server.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}}))
    expect("error" in again, f"a second initialize: {again}")
    server.probe()
    server.call("shutdown")
    late = server.answer(server.ask("textDocument/hover", place(A, 0, 3)))
    expect(late.get("error", {}).get("code") == -32600, f"behind shutdown: {late}")
    server.tell("exit")
    code = server.wait(2)
    expect(code == 0, f"exit code {code}")
    return "-32002, an error, -32600, exit code 0"


FAR = [(2**31 - 1, 0), (0, 2**31 - 1), (2**31, 2**31), (2**32 - 1, 2**32 - 1), (2**32, 2**32), (2**63, 2**64), (-1, 0), (0, -1), (-(2**31), -(2**31)), (0.5, 1e30)]
PLACES = ("hover", "completion", "definition", "references", "documentHighlight", "prepareRename", "rename", "selectionRange", "inlayHint", "rangeFormatting", "codeAction", "onTypeFormatting", "semanticTokens/range")


def about(line, character) -> dict:
    here = {"line": line, "character": character}
    return {
        **document(A), "position": here, "positions": [here], "range": {"start": here, "end": here},
        "context": {"diagnostics": [], "includeDeclaration": True}, "newName": "x", "ch": "\n",
        "options": {"tabSize": 2, "insertSpaces": True},
    }


@fault("far-positions", "Positions beyond the end, negative, 2^31, 2^32, broken: an answer or an error that is no internal one, and edits there are taken", 60)
def far_positions(bench: Bench) -> str:
    server = started(bench)
    server.open(A, BAD)
    asked = [(name, at, server.ask(f"textDocument/{name}", about(*at))) for name in PLACES for at in FAR]
    for name, at, id in asked:
        answer = server.answer(id)
        expect(answer.get("error", {}).get("code") not in (-32603,), f"{name} at {at}: {answer}")
    for number, (line, character) in enumerate(FAR):
        here = {"line": line, "character": character}
        server.change(A, 2 + number, [{"range": {"start": here, "end": here}, "text": "\n"}])
        server.change(A, 2 + number, [{"range": {"start": position(0, 5), "end": position(0, 1)}, "text": ""}])
    server.change(A, 100, [{"text": 'solitaire "whole" { board BN count }\n'}])
    symbols = server.call("textDocument/documentSymbol", document(A))
    expect([s["name"] for s in symbols] == ["whole"], f"the outline is {symbols}")
    healthy(server)
    return f"{len(asked)} requests and {2 * len(FAR)} edits; the whole text sent after them counts"


@fault("versions-backwards", "Versions that go backwards, stay, or are beyond 2^31: edits are taken in the order in which they come")
def versions_backwards(bench: Bench) -> str:
    server = started(bench)
    server.open(A, 'solitaire "" { board BN count }\n', 10)
    word = ""
    for letter, version in zip("abcdefgh", (9, 9, 5, -3, 2**31 - 1, 0, 2**31, 2**40)):
        end = position(0, 11 + len(word))
        server.change(A, version, [{"range": {"start": end, "end": end}, "text": letter}])
        word += letter
    symbols = server.call("textDocument/documentSymbol", document(A))
    expect([s["name"] for s in symbols] == [word], f"the outline is {symbols}")
    healthy(server)
    return "no edit was lost"


@fault("odd-documents", "URIs of files that must not be read, and texts of other kinds, are opened: only what was sent counts")
def odd_documents(bench: Bench) -> str:
    server = started(bench)
    uris = ["file:///etc/passwd", "file:///dev/zero", "file:///proc/self/mem", "http://127.0.0.1:9/a.cpz", "file://host/share/a.cpz", "file:///%00.cpz", "file:///a/../../b.cpz", "data:,x", "x", "", "file:", "untitled:" + "a" * 100_000]
    for uri in uris:
        server.open(uri, 'solitaire "mine" { board BN count }\n')
        server.tell("textDocument/didSave", document(uri))
        server.tell("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": 2}]})
        symbols = server.answer(server.ask("textDocument/documentSymbol", document(uri)))
        if "error" not in symbols:
            expect("mine" in str(symbols) or not symbols["result"], f"{uri[:40]}: {symbols}")
        server.tell("textDocument/didClose", document(uri))
    server.raw(frame({"jsonrpc": "2.0", "method": "workspace/didChangeWorkspaceFolders", "params": {"event": {"added": [{"uri": "file:///dev", "name": "x"}, {"uri": "http://x", "name": "y"}], "removed": []}}}))
    server.probe(5)
    size = small(server)
    healthy(server)
    return f"{len(uris)} URIs, {size}"
