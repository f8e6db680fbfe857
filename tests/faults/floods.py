"""Clients that send too many messages, messages out of order, or invalid positions."""

from client import Server, document, frame, place, position
from protocol import A, BAD, healthy, one_answer_each, started
from table import Bench, expect, fault

MEMORY = 300 << 20


def flood(bench: Bench, count: int) -> int:
    """How many messages there are; a tenth of them every day."""
    return count // 10 if bench.quick else count


def peak_below_limit(server: Server) -> str:
    """Fails if the peak memory exceeds MEMORY; returns the peak in words."""
    highest = server.memory("VmHWM")
    expect(highest < MEMORY, f"it used {highest >> 20} MiB")
    return f"peak {highest >> 20} MiB"


@fault("flood-of-hovers", "100,000 hovers at once: each has one response, and memory stays below 300 MiB")
def flood_of_hovers(bench: Bench) -> str:
    server = started(bench)
    server.open(A, BAD)
    first = server.last_id + 1
    for _ in range(flood(bench, 100_000)):
        server.request("textDocument/hover", place(A, 0, 3))
    one_answer_each(server, first, server.last_id)
    refused = sum("error" in server.answers[id][0] for id in range(first, server.last_id + 1))
    size = peak_below_limit(server)
    healthy(server)
    return f"{refused} refused, {size}"


@fault("flood-of-cancels", "100,000 cancellations of unknown requests, and of pending ones: each request has one response")
def flood_of_cancels(bench: Bench) -> str:
    server = started(bench)
    server.open(A, BAD)
    for number in range(flood(bench, 100_000)):
        server.notify("$/cancelRequest", {"id": 10_000_000 + number if number % 2 else f"x{number}"})
    first = server.last_id + 1
    count = flood(bench, 2000)
    for _ in range(count):
        id = server.request("textDocument/codeLens", document(A))
        server.notify("$/cancelRequest", {"id": id})
        server.notify("$/cancelRequest", {"id": id})
    one_answer_each(server, first, server.last_id)
    size = peak_below_limit(server)
    healthy(server)
    return f"{count} requests cancelled twice have one response each, {size}"


@fault("unknown-documents", "10,000 changes, saves and closes of documents that are not open have no effect")
def unknown_documents(bench: Bench) -> str:
    server = started(bench)
    for number in range(flood(bench, 10_000)):
        uri = f"untitled:{number}.cpz"
        server.change(uri, number, [{"range": {"start": position(0, 0), "end": position(9, 9)}, "text": BAD}])
        server.notify("textDocument/didSave", document(uri))
        server.notify("textDocument/didClose", document(uri))
    hover = server.call("textDocument/hover", place("untitled:5.cpz", 0, 3))
    expect(hover is None, f"a document that is not open has a hover: {hover}")
    uris = [uri for uri, params in server.published.items() if params["diagnostics"]]
    expect(not uris, f"findings of documents that are not open: {uris[:3]}")
    size = peak_below_limit(server)
    healthy(server)
    return size


@fault("thousand-texts", "1,000 documents are opened and closed, three times: each gets its findings, and closing clears them")
def thousand_texts(bench: Bench) -> str:
    server = started(bench)
    for _ in range(3):
        uris = [f"untitled:{number}.cpz" for number in range(flood(bench, 1000))]
        for uri in uris:
            server.open(uri, BAD)
        server.until(lambda: all(server.published.get(u, {}).get("diagnostics") for u in uris), "findings of all documents")
        for uri in uris:
            server.notify("textDocument/didClose", document(uri))
        server.until(lambda: not any(server.published[u]["diagnostics"] for u in uris), "empty findings after close")
    size = peak_below_limit(server)
    healthy(server)
    return size


@fault("open-twice", "A document is opened twice, and closed twice: the last text that was sent is used")
def open_twice(bench: Bench) -> str:
    server = started(bench)
    server.open(A, BAD)
    server.open(A, 'solitaire "second" { board BN count }\n', 7)
    symbols = server.call("textDocument/documentSymbol", document(A))
    expect([s["name"] for s in symbols] == ["second"], f"the outline is {symbols}")
    for _ in range(2):
        server.notify("textDocument/didClose", document(A))
    expect(not server.call("textDocument/documentSymbol", document(A)), "it is still open")
    healthy(server)
    return "the second text is used"


@fault("id-reused", "A request id is used again while its first request is pending: each request has a response")
def id_reused(bench: Bench) -> str:
    server = started(bench)
    server.open(A, BAD)
    for _ in range(50):
        for id in (5000, "a"):
            server.send({"jsonrpc": "2.0", "id": id, "method": "textDocument/hover", "params": place(A, 0, 3)})
    for id in (5000, "a"):
        server.until(lambda id=id: len(server.answers.get(id, ())) == 50, f"50 responses to {id}")
    healthy(server)
    return "50 requests with one id have 50 responses"


@fault("too-early-and-too-late", "Requests before `initialize` and after `shutdown` are refused as the protocol says, and so is a second `initialize`")
def too_early(bench: Bench) -> str:
    server = bench.server()
    server.open(A, BAD)
    early = server.answer(server.request("textDocument/hover", place(A, 0, 3)))
    expect(early.get("error", {}).get("code") == -32002, f"before initialize: {early}")
    server.initialize()
    expect(server.call("textDocument/hover", place(A, 0, 3)) is None, "a document that was opened before `initialize` exists")
    server.probe()
    again = server.answer(server.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}}))
    expect("error" in again, f"a second initialize: {again}")
    server.probe()
    server.call("shutdown")
    late = server.answer(server.request("textDocument/hover", place(A, 0, 3)))
    expect(late.get("error", {}).get("code") == -32600, f"after shutdown: {late}")
    server.notify("exit")
    code = server.wait()
    expect(code == 0, f"exit code {code}")
    return "too early: error -32002; second `initialize`: an error; too late: error -32600; exit code 0"


FAR = [(2**31 - 1, 0), (0, 2**31 - 1), (2**31, 2**31), (2**32 - 1, 2**32 - 1), (2**32, 2**32), (2**63, 2**64), (-1, 0), (0, -1), (-(2**31), -(2**31)), (0.5, 1e30)]
METHODS = ("hover", "completion", "definition", "references", "documentHighlight", "prepareRename", "rename", "selectionRange", "inlayHint", "rangeFormatting", "codeAction", "onTypeFormatting", "semanticTokens/range")


def params_at(line, character) -> dict:
    """Parameters that fit all METHODS."""
    here = {"line": line, "character": character}
    return {
        **document(A), "position": here, "positions": [here], "range": {"start": here, "end": here},
        "context": {"diagnostics": [], "includeDeclaration": True}, "newName": "x", "ch": "\n",
        "options": {"tabSize": 2, "insertSpaces": True},
    }


@fault("far-positions", "Positions beyond the end, negative, 2^31, 2^32 or fractional: no internal error, and edits at them are accepted")
def far_positions(bench: Bench) -> str:
    server = started(bench)
    server.open(A, BAD)
    requests = [(name, at, server.request(f"textDocument/{name}", params_at(*at))) for name in METHODS for at in FAR]
    for name, at, id in requests:
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
    return f"{len(requests)} requests and {2 * len(FAR)} edits; a change of the whole text after them is applied"


@fault("versions-backwards", "Document versions that decrease, repeat or exceed 2^31: edits are applied in the order of arrival")
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


@fault("odd-documents", "Documents with URIs of files that must not be read, or of other schemes, are opened: only the sent text is used")
def odd_documents(bench: Bench) -> str:
    server = started(bench)
    uris = ["file:///etc/passwd", "file:///dev/zero", "file:///proc/self/mem", "http://127.0.0.1:9/a.cpz", "file://host/share/a.cpz", "file:///%00.cpz", "file:///a/../../b.cpz", "data:,x", "x", "", "file:", "untitled:" + "a" * 100_000]
    for uri in uris:
        server.open(uri, 'solitaire "mine" { board BN count }\n')
        server.notify("textDocument/didSave", document(uri))
        server.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": 2}]})
        symbols = server.answer(server.request("textDocument/documentSymbol", document(uri)))
        if "error" not in symbols:
            expect("mine" in str(symbols) or not symbols["result"], f"{uri[:40]}: {symbols}")
        server.notify("textDocument/didClose", document(uri))
    server.send_bytes(frame({"jsonrpc": "2.0", "method": "workspace/didChangeWorkspaceFolders", "params": {"event": {"added": [{"uri": "file:///dev", "name": "x"}, {"uri": "http://x", "name": "y"}], "removed": []}}}))
    server.probe()
    size = peak_below_limit(server)
    healthy(server)
    return f"{len(uris)} URIs, {size}"
