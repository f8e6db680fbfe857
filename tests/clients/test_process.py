"""The server process: initialize, shutdown and exit, and every byte of its output."""

import asyncio
import json
import random
import re

import pytest
from lsprotocol import converters
from lsprotocol import types as lsp

from conftest import CPZ, capabilities, waiting_for

pytestmark = pytest.mark.native

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


async def test_initialize_answers_with_capabilities(uninitialized):
    answer = await uninitialized.start()
    server = answer.capabilities
    offered = uninitialized.supports("general.position_encodings") or []
    assert uninitialized.encoding == ("utf-8" if "utf-8" in offered else "utf-16")
    assert [name for name in PROVIDERS if not getattr(server, name)] == []
    assert server.text_document_sync.open_close
    assert server.text_document_sync.change == lsp.TextDocumentSyncKind.Incremental
    assert server.code_lens_provider.resolve_provider
    assert server.semantic_tokens_provider.full.delta and server.semantic_tokens_provider.range
    assert "source.fixAll.cpz" in server.code_action_provider.code_action_kinds
    assert server.workspace.workspace_folders.supported
    assert answer.server_info.name == "cpz"
    assert re.fullmatch(r"\d+\.\d+\.\d+.*", answer.server_info.version)


async def test_server_registers_file_watcher_if_supported(session):
    method = lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES
    can = bool(session.supports("workspace.did_change_watched_files.dynamic_registration"))
    if can:
        await session.wait_until(lambda: method in session.registered, method)
    else:
        # The server registers before it checks the first document.
        await session.open_checked(BROKEN)
        await session.all_handled()
        assert method not in session.registered


async def test_server_registers_only_dynamic_capabilities(session):
    await session.open_checked(BROKEN)
    await session.all_handled()
    for method in session.registered:
        path = {
            lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES: "workspace.did_change_watched_files",
            lsp.WORKSPACE_DID_CHANGE_CONFIGURATION: "workspace.did_change_configuration",
            lsp.TEXT_DOCUMENT_DIAGNOSTIC: "text_document.diagnostic",
        }[method]
        assert session.supports(f"{path}.dynamic_registration")


async def test_second_initialize_is_refused(session):
    with pytest.raises(Exception):
        await session.client.initialize_async(lsp.InitializeParams(capabilities=session.declared))


# ---- The raw process ----


class Process:
    """The server process without a client library; checks every byte of its standard output."""

    def __init__(self, editor):
        self.editor, self.last_id, self.received = editor, 0, []

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

    def request(self, method, params=None) -> int:
        self.last_id += 1
        self.send(method, params, id=self.last_id)
        return self.last_id

    def write(self, body: bytes):
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    async def initialize(self, options=None):
        declared = converters.get_converter().unstructure(capabilities(self.editor))
        params = {"processId": None, "rootUri": None, "capabilities": declared, "initializationOptions": options}
        self.request("initialize", params)
        # A client must not send anything else before the response.
        await self.answer(self.last_id)
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
        self.received.append(message)
        return message

    @property
    def answers(self) -> list[dict]:
        return [message for message in self.received if "method" not in message]

    async def answer(self, id: int) -> dict:
        async with waiting_for(f"answer to {id}"):
            while id not in [answer["id"] for answer in self.answers]:
                assert await self.read(), f"no answer to {id}"
        return next(answer for answer in self.answers if answer["id"] == id)

    async def ended(self) -> int:
        """Waits for the end of the process; returns the exit code."""
        async with waiting_for("end of the server"):
            while await self.read():
                pass
            return await self.process.wait()

    async def shutdown(self):
        """Shuts down and exits; asserts that each request had exactly one response."""
        assert (await self.answer(self.request("shutdown")))["result"] is None
        self.send("exit")
        assert await self.ended() == 0
        ids = [answer["id"] for answer in self.answers if answer["id"] is not None]
        assert sorted(ids) == list(range(1, self.last_id + 1))


async def test_exit_after_shutdown_has_code_0(editor):
    async with Process(editor) as server:
        await server.initialize()
        server.open(BROKEN)
        await server.shutdown()


async def test_exit_without_waiting_for_shutdown_response_has_code_0(editor):
    for _ in range(10):
        async with Process(editor) as server:
            await server.initialize()
            server.request("shutdown")
            server.send("exit")
            assert await server.ended() == 0


@pytest.mark.parametrize("started", [True, False], ids=["initialized", "uninitialized"])
async def test_exit_without_shutdown_has_code_1(editor, started):
    async with Process(editor) as server:
        if started:
            await server.initialize()
        server.send("exit")
        assert await server.ended() == 1


async def test_end_of_input_ends_server(editor):
    """The server must not outlive an editor that crashed."""
    async with Process(editor) as server:
        await server.initialize()
        server.process.stdin.close()
        assert await server.ended() == 1


async def test_shutdown_cancels_running_search(editor):
    """All searches would take an hour."""
    chance = random.Random(0)
    boards = (" ".join("".join(chance.choices("QRBN", k=4)) for _ in range(4)) for _ in range(1000))
    async with Process(editor) as server:
        await server.initialize({"budget": 2**63 - 1})
        server.open("".join(f"solitaire {{ board {board} count }}\n" for board in boards))
        # The first searches have begun when a document is analysed as far as that is possible without them.
        await server.answer(server.request("textDocument/documentSymbol", {"textDocument": HERE}))
        await server.shutdown()


async def test_before_initialize_requests_are_refused_and_notifications_dropped(editor):
    async with Process(editor) as server:
        server.open(BROKEN)
        early = server.request("workspace/symbol", {"query": ""})
        await server.initialize()
        await server.shutdown()
        assert (await server.answer(early))["error"]["code"] == -32002
        assert "textDocument/publishDiagnostics" not in [message.get("method") for message in server.received]


async def test_after_shutdown_requests_are_refused(editor):
    async with Process(editor) as server:
        await server.initialize()
        await server.answer(server.request("shutdown"))
        late = await server.answer(server.request("workspace/symbol", {"query": ""}))
        assert late["error"]["code"] == -32600
        server.send("exit")
        assert await server.ended() == 0


FAR = {"line": 4_000_000_000, "character": 4_000_000_000}
HERE, NOWHERE = {"uri": "untitled:a"}, {"uri": "file:///no/such/file.cpz"}

# Method, parameters, and the expected error code, if any.
REQUESTS = {
    "unknown method": ("cpz/noSuchMethod", {}, -32601),
    "unknown method that only some servers have": ("$/noSuchMethod", {}, -32601),
    "wrong parameters": ("textDocument/hover", {"wrong": True}, -32602),
    "position beyond the end": ("textDocument/hover", {"textDocument": HERE, "position": FAR}, None),
    "completion beyond the end": ("textDocument/completion", {"textDocument": HERE, "position": FAR}, None),
    "unknown document": ("textDocument/hover", {"textDocument": NOWHERE, "position": FAR}, None),
}


@pytest.mark.parametrize("case", REQUESTS)
async def test_invalid_request_gets_one_response(editor, case):
    method, params, error = REQUESTS[case]
    async with Process(editor) as server:
        await server.initialize()
        server.open(BROKEN)
        answer = await server.answer(server.request(method, params))
        assert answer.get("error", {}).get("code") == error
        await server.shutdown()


async def test_cancelled_request_gets_one_response(editor):
    """Either a result or RequestCancelled."""
    async with Process(editor) as server:
        await server.initialize()
        server.open(BROKEN)
        for _ in range(20):
            server.request("textDocument/codeLens", {"textDocument": HERE})
            server.send("$/cancelRequest", {"id": server.last_id})
        server.send("$/cancelRequest", {"id": 4711})
        for id in range(2, server.last_id + 1):
            answer = await server.answer(id)
            assert "result" in answer or answer["error"]["code"] == -32800
        await server.shutdown()


BAD = {"truncated JSON": b'{"jsonrpc": "2.0", "id": 7, "method": ', "not a request": b"{}", "not an object": b"[]", "not UTF-8": b"\xff\xfe"}


@pytest.mark.parametrize("case", BAD)
async def test_invalid_message_gets_error_and_next_is_read(editor, case):
    async with Process(editor) as server:
        await server.initialize()
        server.write(BAD[case])
        await server.shutdown()
        (error,) = [answer["error"]["code"] for answer in server.answers if answer["id"] is None]
        assert error in (-32700, -32600)


async def test_edits_are_applied_while_client_answers_nothing(editor):
    """The client answers no request of the server."""
    async with Process(editor) as server:
        # `Process` answers no request, such as client/registerCapability.
        await server.initialize()
        server.open(BROKEN)
        start = {"line": 0, "character": 0}
        for version in range(2, 302):
            change = {"range": {"start": start, "end": start}, "text": " "}
            server.send(
                "textDocument/didChange", {"textDocument": {**HERE, "version": version}, "contentChanges": [change]}
            )
        outline = await server.answer(server.request("textDocument/documentSymbol", {"textDocument": HERE}))
        assert outline["result"][0]["selectionRange"]["start"]["character"] == 300
        await server.shutdown()
