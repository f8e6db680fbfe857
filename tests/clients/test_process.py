"""The server as a process: what it announces, how it ends, and what it writes."""

import asyncio
import json
import re
import time

import pytest
from lsprotocol import converters
from lsprotocol import types as lsp

from conftest import CPZ, capabilities

BROKEN = 'draughts { board "W:WKa1:Bc3" capture => none }\n'

PROVIDERS = [
    "code_action_provider",
    "code_lens_provider",
    "completion_provider",
    "definition_provider",
    "document_formatting_provider",
    "document_highlight_provider",
    "document_link_provider",
    "document_on_type_formatting_provider",
    "document_range_formatting_provider",
    "document_symbol_provider",
    "execute_command_provider",
    "folding_range_provider",
    "hover_provider",
    "inlay_hint_provider",
    "references_provider",
    "rename_provider",
    "selection_range_provider",
    "semantic_tokens_provider",
    "workspace_symbol_provider",
]


async def test_initialize(raw):
    begin = time.monotonic()
    answer = await raw.start()
    # Far above what it takes, and far below what a wait for disk or network would.
    assert time.monotonic() - begin < 1
    server = answer.capabilities
    offered = raw.can("general.position_encodings") or []
    assert raw.encoding == ("utf-8" if "utf-8" in offered else "utf-16")
    assert [name for name in PROVIDERS if not getattr(server, name)] == []
    assert server.text_document_sync.open_close
    assert server.text_document_sync.change == lsp.TextDocumentSyncKind.Incremental
    assert server.code_lens_provider.resolve_provider
    assert server.semantic_tokens_provider.full.delta and server.semantic_tokens_provider.range
    assert "source.fixAll.cpz" in server.code_action_provider.code_action_kinds
    assert server.workspace.workspace_folders.supported
    assert answer.server_info.name == "cpz"
    assert re.fullmatch(r"\d+\.\d+\.\d+.*", answer.server_info.version)


async def test_watches_files(session):
    """A file that changes outside of the editor is noticed, where the editor can watch."""
    method = lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES
    can = bool(session.can("workspace.did_change_watched_files.dynamic_registration"))
    await session.eventually(lambda: method in session.registered, 2.0 if can else 0.1)
    assert (method in session.registered) == can


async def test_registers_only_what_is_dynamic(session):
    for method in session.registered:
        path = {
            lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES: "workspace.did_change_watched_files",
            lsp.WORKSPACE_DID_CHANGE_CONFIGURATION: "workspace.did_change_configuration",
            lsp.TEXT_DOCUMENT_DIAGNOSTIC: "text_document.diagnostic",
        }[method]
        assert session.can(f"{path}.dynamic_registration")


async def test_initialize_twice(session):
    with pytest.raises(Exception):
        await session.client.initialize_async(lsp.InitializeParams(capabilities=session.declared))


# ---- Byte for byte ----


class Process:
    """The bare process; every byte of its standard output must belong to a message."""

    def __init__(self, editor):
        self.editor, self.asked, self.written = editor, 0, []

    async def __aenter__(self):
        pipe = asyncio.subprocess.PIPE
        self.process = await asyncio.create_subprocess_exec(CPZ, "lsp", "--stdio", stdin=pipe, stdout=pipe)
        return self

    async def __aexit__(self, *_):
        if self.process.returncode is None:
            self.process.kill()
        await self.process.wait()

    def send(self, method, params=None, **more):
        message = {"jsonrpc": "2.0", "method": method, **more}
        self.write(json.dumps(message if params is None else {**message, "params": params}).encode())

    def ask(self, method, params=None) -> int:
        self.asked += 1
        self.send(method, params, id=self.asked)
        return self.asked

    def write(self, body: bytes):
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    async def initialize(self):
        declared = converters.get_converter().unstructure(capabilities(self.editor))
        self.ask("initialize", {"processId": None, "rootUri": None, "capabilities": declared})
        # Until then a client must not send anything else.
        await self.answer(self.asked)
        self.send("initialized", {})

    def open(self, text):
        item = {"uri": "untitled:a", "languageId": "cpz", "version": 1, "text": text}
        self.send("textDocument/didOpen", {"textDocument": item})

    async def read(self) -> dict | None:
        """The next message; None at the end of the output."""
        head = await self.process.stdout.readline()
        if not head:
            return None
        length = 0
        while head != b"\r\n":
            field = re.fullmatch(rb"([A-Za-z-]+): ([^\r\n]+)\r\n", head)
            assert field, f"not a message: {head}"
            if field[1].lower() == b"content-length":
                length = int(field[2])
            head = await self.process.stdout.readline()
        message = json.loads(await self.process.stdout.readexactly(length))
        assert message["jsonrpc"] == "2.0"
        self.written.append(message)
        return message

    @property
    def answers(self) -> list[dict]:
        return [message for message in self.written if "method" not in message]

    async def answer(self, id: int) -> dict:
        async with asyncio.timeout(2):
            while id not in [answer["id"] for answer in self.answers]:
                assert await self.read(), f"no answer to {id}"
        return next(answer for answer in self.answers if answer["id"] == id)

    async def ended(self) -> int:
        """The exit code of a process that ends by itself, in time."""
        async with asyncio.timeout(2):
            while await self.read():
                pass
            return await self.process.wait()

    async def shutdown(self):
        """Leaves in order. Each request has had one answer."""
        assert (await self.answer(self.ask("shutdown")))["result"] is None
        self.send("exit")
        assert await self.ended() == 0
        ids = [answer["id"] for answer in self.answers if answer["id"] is not None]
        assert sorted(ids) == list(range(1, self.asked + 1))


async def test_shutdown_and_exit(editor):
    async with Process(editor) as server:
        await server.initialize()
        server.open(BROKEN)
        await server.shutdown()


async def test_exit_right_behind_shutdown(editor):
    """Not waiting for the answer is allowed: it counts that `shutdown` came first."""
    for _ in range(10):
        async with Process(editor) as server:
            await server.initialize()
            server.ask("shutdown")
            server.send("exit")
            assert await server.ended() == 0


@pytest.mark.parametrize("started", [True, False], ids=["initialized", "bare"])
async def test_exit_without_shutdown(editor, started):
    async with Process(editor) as server:
        if started:
            await server.initialize()
        server.send("exit")
        assert await server.ended() == 1


async def test_end_of_input(editor):
    """An editor that died does not leave a server behind."""
    async with Process(editor) as server:
        await server.initialize()
        server.process.stdin.close()
        assert await server.ended() == 1


async def test_end_during_a_search(editor):
    """The end does not wait for an answer that nobody wants any more."""
    async with Process(editor) as server:
        await server.initialize()
        server.open(("solitaire { board " + "QRBNQRBN" * 8 + " count solve }\n") * 4)
        await server.shutdown()


async def test_before_initialize(editor):
    """Requests are refused, notifications dropped, until the server is initialized."""
    async with Process(editor) as server:
        server.open(BROKEN)
        early = server.ask("workspace/symbol", {"query": ""})
        await server.initialize()
        await server.shutdown()
        assert (await server.answer(early))["error"]["code"] == -32002
        assert "textDocument/publishDiagnostics" not in [message.get("method") for message in server.written]


async def test_after_shutdown(editor):
    async with Process(editor) as server:
        await server.initialize()
        await server.answer(server.ask("shutdown"))
        late = await server.answer(server.ask("workspace/symbol", {"query": ""}))
        assert late["error"]["code"] == -32600
        server.send("exit")
        assert await server.ended() == 0


FAR = {"line": 4_000_000_000, "character": 4_000_000_000}
HERE, NOWHERE = {"uri": "untitled:a"}, {"uri": "file:///no/such/file.cpz"}

# A request, and the error it is answered with, if any.
REQUESTS = {
    "unknown": ("cpz/noSuchMethod", {}, -32601),
    "wrong parameters": ("textDocument/hover", {"wrong": True}, -32602),
    "far away": ("textDocument/hover", {"textDocument": HERE, "position": FAR}, None),
    "completion far away": ("textDocument/completion", {"textDocument": HERE, "position": FAR}, None),
    "an unknown file": ("textDocument/hover", {"textDocument": NOWHERE, "position": FAR}, None),
}


@pytest.mark.parametrize("case", REQUESTS)
async def test_odd_request(editor, case):
    method, params, error = REQUESTS[case]
    async with Process(editor) as server:
        await server.initialize()
        server.open(BROKEN)
        answer = await server.answer(server.ask(method, params))
        assert answer.get("error", {}).get("code") == error
        await server.shutdown()


async def test_withdrawn_requests(editor):
    """They are answered once, too: in time, or as withdrawn."""
    async with Process(editor) as server:
        await server.initialize()
        server.open(BROKEN)
        for _ in range(20):
            server.ask("textDocument/codeLens", {"textDocument": HERE})
            server.send("$/cancelRequest", {"id": server.asked})
        server.send("$/cancelRequest", {"id": 4711})
        for id in range(2, server.asked + 1):
            answer = await server.answer(id)
            assert "result" in answer or answer["error"]["code"] == -32800
        await server.shutdown()


BAD = {"torn": b'{"jsonrpc": "2.0", "id": 7, "method": ', "no request": b"{}", "no object": b"[]", "no text": b"\xff\xfe"}


@pytest.mark.parametrize("case", BAD)
async def test_bad_message(editor, case):
    """A message that cannot be read is answered with an error, and the next one is read."""
    async with Process(editor) as server:
        await server.initialize()
        server.write(BAD[case])
        await server.shutdown()
        (error,) = [answer["error"]["code"] for answer in server.answers if answer["id"] is None]
        assert error in (-32700, -32600)


async def test_unanswered_requests(editor):
    """What the server asks may stay without an answer; edits are taken all the same."""
    async with Process(editor) as server:
        # Nothing here answers a request of the server, such as that to register capabilities.
        await server.initialize()
        server.open(BROKEN)
        start = {"line": 0, "character": 0}
        for version in range(2, 302):
            change = {"range": {"start": start, "end": start}, "text": " "}
            server.send(
                "textDocument/didChange", {"textDocument": {**HERE, "version": version}, "contentChanges": [change]}
            )
        outline = await server.answer(server.ask("textDocument/documentSymbol", {"textDocument": HERE}))
        assert outline["result"][0]["selectionRange"]["start"]["character"] == 300
        await server.shutdown()
