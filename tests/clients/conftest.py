"""Drives `cpz lsp` as real editors do: with their capabilities, over standard input and output.

`Session` is one editor with one workspace folder, `Document` one open text in it. Expected ranges
are written into the texts themselves: `marked` reads `«code:text»`, `cursor` reads `¦`.
"""

import asyncio
import functools
import json
import os
import re
import subprocess
from pathlib import Path
from urllib.parse import unquote

import pytest
import pytest_lsp
from lsprotocol import types as lsp
from pygls.capabilities import get_capability
from pygls.protocol import default_converter
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, register_lsp_features

REPOSITORY = Path(__file__).resolve().parents[2]
CPZ = os.environ.get("CPZ", str(REPOSITORY / "target/release/cpz"))
EXAMPLES = sorted((REPOSITORY / "examples").rglob("*.cpz"))

# The recorded VS Code is older than inlay hints and than the pull of diagnostics, so there are two:
# as recorded, and as it is today, with what it has learnt since.
EDITORS = {
    "vscode": ("visual-studio-code@v1.65.2", lsp.ClientInfo("Visual Studio Code", "1.65.2")),
    "vscode-today": ("visual-studio-code@v1.65.2", lsp.ClientInfo("Visual Studio Code", "1.100.0")),
    "neovim": ("neovim@v0.11.0", lsp.ClientInfo("Neovim", "0.11.0")),
    "emacs": ("emacs@v29.1", lsp.ClientInfo("Emacs (eglot)", "29.1")),
}

# A server asks only what the client said it can answer.
DECLARED = {
    lsp.WORKSPACE_APPLY_EDIT: "workspace.apply_edit",
    lsp.WORKSPACE_CONFIGURATION: "workspace.configuration",
    lsp.WORKSPACE_WORKSPACE_FOLDERS: "workspace.workspace_folders",
    lsp.WORKSPACE_INLAY_HINT_REFRESH: "workspace.inlay_hint.refresh_support",
    lsp.WORKSPACE_CODE_LENS_REFRESH: "workspace.code_lens.refresh_support",
    lsp.WORKSPACE_SEMANTIC_TOKENS_REFRESH: "workspace.semantic_tokens.refresh_support",
    lsp.WORKSPACE_DIAGNOSTIC_REFRESH: "workspace.diagnostics.refresh_support",
    lsp.WINDOW_WORK_DONE_PROGRESS_CREATE: "window.work_done_progress",
}


# To make a converter takes longer than most tests; one serves them all.
converter = functools.cache(default_converter)


@functools.cache
def capabilities(editor: str) -> lsp.ClientCapabilities:
    declared = client_capabilities(EDITORS[editor][0])
    if editor == "vscode-today":
        declared.general.position_encodings = [lsp.PositionEncodingKind.Utf16]
        document, workspace = declared.text_document, declared.workspace
        document.diagnostic = lsp.DiagnosticClientCapabilities(dynamic_registration=True)
        document.inlay_hint = lsp.InlayHintClientCapabilities(dynamic_registration=True)
        document.publish_diagnostics.version_support = True
        workspace.diagnostics = lsp.DiagnosticWorkspaceClientCapabilities(refresh_support=True)
        workspace.inlay_hint = lsp.InlayHintWorkspaceClientCapabilities(refresh_support=True)
    return declared


# ---- Texts with marks -------------------------------------------------------------------------


def marked(text: str) -> tuple[str, list[tuple[str, int, int]]]:
    """The text without its marks, and what each `«code:…»` covers, as offsets."""
    found, clean, at = [], "", 0
    for mark in re.finditer(r"«(?:([a-z-]+):)?(.*?)»", text, re.DOTALL):
        clean += text[at : mark.start()]
        found.append((mark[1], len(clean), len(clean) + len(mark[2])))
        clean += mark[2]
        at = mark.end()
    return clean + text[at:], found


def cursor(text: str) -> tuple[str, int]:
    """The text without its `¦`, and where that stood."""
    at = text.index("¦")
    return text[:at] + text[at + 1 :], at


def cli(*arguments: str, text: str) -> str:
    """What the command line answers to the same text, given on its standard input."""
    done = subprocess.run([CPZ, *arguments, "-"], input=text.encode(), capture_output=True, timeout=20)
    return done.stdout.decode()


def check(text: str) -> list[tuple[str, lsp.Range]]:
    """The findings of `cpz check`, in UTF-16."""
    document = json.loads(cli("check", "--hints", "--format", "json", text=text))
    return [
        (finding["code"], to_range(finding["range"]))
        for finding in document["files"][0]["diagnostics"]
    ]


def to_range(value: dict) -> lsp.Range:
    start, end = value["start"], value["end"]
    return lsp.Range(
        lsp.Position(start["line"], start["character"]), lsp.Position(end["line"], end["character"])
    )


# ---- A document -------------------------------------------------------------------------------


class Document:
    """An open text: what the editor holds, and how it counts in it."""

    def __init__(self, uri: str, text: str, encoding: str, version: int = 1):
        self.uri, self.text, self.encoding, self.version = uri, text, encoding, version

    @property
    def id(self) -> lsp.TextDocumentIdentifier:
        return lsp.TextDocumentIdentifier(self.uri)

    def units(self, text: str) -> int:
        return len(text.encode()) if self.encoding == "utf-8" else len(text.encode("utf-16-le")) // 2

    def lines(self) -> list[tuple[int, int]]:
        """Where each line starts and where its text ends."""
        lines, start = [], 0
        for end in re.finditer(r"\r\n|\r|\n", self.text):
            lines.append((start, end.start()))
            start = end.end()
        return [*lines, (start, len(self.text))]

    def position(self, offset: int) -> lsp.Position:
        number, start = max(
            (number, start) for number, (start, _) in enumerate(self.lines()) if start <= offset
        )
        return lsp.Position(number, self.units(self.text[start:offset]))

    def offset(self, position: lsp.Position) -> int:
        start, end = self.lines()[position.line]
        for offset in range(start, end + 1):
            if self.units(self.text[start:offset]) == position.character:
                return offset
        raise AssertionError(f"{position} is not a place in the text")

    def range(self, start: int, end: int) -> lsp.Range:
        return lsp.Range(self.position(start), self.position(end))

    def span(self, range: lsp.Range) -> tuple[int, int]:
        return self.offset(range.start), self.offset(range.end)

    def slice(self, range: lsp.Range) -> str:
        start, end = self.span(range)
        return self.text[start:end]

    def whole(self) -> lsp.Range:
        return self.range(0, len(self.text))

    def find(self, needle: str, nth: int = 0) -> int:
        offset = -1
        for _ in range(nth + 1):
            offset = self.text.index(needle, offset + 1)
        return offset

    def at(self, needle: str, into: int = 0, nth: int = 0) -> lsp.Position:
        """The position of a piece of the text."""
        return self.position(self.find(needle, nth) + into)

    def of(self, needle: str, nth: int = 0) -> lsp.Range:
        """The range of a piece of the text."""
        start = self.find(needle, nth)
        return self.range(start, start + len(needle))

    def applied(self, edits: list[lsp.TextEdit]) -> str:
        """The text after the edits, which all speak of the text before them."""
        spans = sorted((*self.span(edit.range), edit.new_text) for edit in edits)
        for (_, end, _), (start, _, _) in zip(spans, spans[1:]):
            assert end <= start, f"edits overlap: {edits}"
        text = self.text
        for start, end, new in reversed(spans):
            text = text[:start] + new + text[end:]
        return text


# ---- An editor --------------------------------------------------------------------------------


class Session:
    def __init__(self, client: LanguageClient, editor: str, root: Path):
        self.client, self.editor, self.root = client, editor, root
        self.declared = capabilities(editor)
        self.published: list[lsp.PublishDiagnosticsParams] = []
        self.edits: list[lsp.ApplyWorkspaceEditParams] = []
        self.registered: dict[str, object] = {}
        self.configured = 0
        self.refreshed: list[str] = []
        self.undeclared: list[str] = []
        self.documents: dict[str, Document] = {}
        self.reports: dict[str, lsp.WorkspaceFullDocumentDiagnosticReport] = {}
        self.pulling: asyncio.Task | None = None
        self.listen()

    def can(self, capability: str):
        return get_capability(self.declared, capability, None)

    def listen(self):
        client = self.client

        def asked(method: str):
            if not self.can(DECLARED[method]):
                self.undeclared.append(method)

        @client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params: lsp.PublishDiagnosticsParams):
            self.published.append(params)

        @client.feature(lsp.WORKSPACE_APPLY_EDIT)
        def apply_edit(params: lsp.ApplyWorkspaceEditParams):
            asked(lsp.WORKSPACE_APPLY_EDIT)
            self.edits.append(params)
            return lsp.ApplyWorkspaceEditResult(applied=True)

        @client.feature(lsp.CLIENT_REGISTER_CAPABILITY)
        def register(params: lsp.RegistrationParams):
            for registration in params.registrations:
                self.registered[registration.method] = registration.register_options

        @client.feature(lsp.CLIENT_UNREGISTER_CAPABILITY)
        def unregister(params: lsp.UnregistrationParams):
            for registration in params.unregisterations:
                self.registered.pop(registration.method, None)

        @client.feature(lsp.WORKSPACE_CONFIGURATION)
        def configuration(params: lsp.ConfigurationParams):
            asked(lsp.WORKSPACE_CONFIGURATION)
            self.configured += 1
            return [client.get_configuration(section=item.section, scope_uri=item.scope_uri) for item in params.items]

        @client.feature(lsp.WORKSPACE_WORKSPACE_FOLDERS)
        def folders():
            asked(lsp.WORKSPACE_WORKSPACE_FOLDERS)
            return [lsp.WorkspaceFolder(self.root.as_uri(), self.root.name)]

        for method in DECLARED:
            if method.endswith("/refresh"):

                def refresh(*_, method=method):
                    asked(method)
                    self.refreshed.append(method)

                client.feature(method)(refresh)

    async def start(self) -> lsp.InitializeResult:
        self.answer = await self.client.initialize_session(
            lsp.InitializeParams(
                capabilities=self.declared,
                client_info=EDITORS[self.editor][1],
                root_uri=self.root.as_uri(),
                workspace_folders=[lsp.WorkspaceFolder(self.root.as_uri(), self.root.name)],
            )
        )
        self.server = self.answer.capabilities
        encoding = self.server.position_encoding or lsp.PositionEncodingKind.Utf16
        self.encoding = str(getattr(encoding, "value", encoding))
        if self.pulls and self.server.diagnostic_provider.workspace_diagnostics:
            self.pulling = asyncio.create_task(self.pull_workspace())
        return self.answer

    async def stop(self):
        """Leaves in order; a pull that the server still holds ends with it."""
        await asyncio.wait_for(self.client.shutdown_session(), 5)
        if self.pulling:
            self.pulling.cancel()

    # -- Documents

    def uri(self, name: str) -> str:
        return (self.root / name).as_uri()

    def write(self, name: str, text: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        return path

    def open(self, text: str, name: str = "a.cpz", uri: str | None = None) -> Document:
        document = Document(uri or self.uri(name), text, self.encoding)
        self.documents[document.uri] = document
        self.client.text_document_did_open(
            lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(document.uri, "cpz", 1, text))
        )
        return document

    def change(self, document: Document, *edits: tuple[int, int, str]):
        """Tells of edits one after the other, each in the text that the one before it left."""
        changes = []
        for start, end, new in edits:
            changes.append(
                lsp.TextDocumentContentChangePartial(range=document.range(start, end), text=new)
            )
            document.text = document.text[:start] + new + document.text[end:]
        document.version += 1
        self.client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(
                lsp.VersionedTextDocumentIdentifier(version=document.version, uri=document.uri), changes
            )
        )

    def replace(self, document: Document, old: str, new: str):
        start = document.find(old)
        self.change(document, (start, start + len(old), new))

    def close(self, document: Document):
        del self.documents[document.uri]
        self.client.text_document_did_close(lsp.DidCloseTextDocumentParams(document.id))

    def save(self, document: Document):
        Path(unquote(document.uri.removeprefix("file://"))).write_bytes(document.text.encode())
        self.client.text_document_did_save(lsp.DidSaveTextDocumentParams(document.id))

    def changed_on_disk(self, *changes: tuple[str, lsp.FileChangeType]):
        self.client.workspace_did_change_watched_files(
            lsp.DidChangeWatchedFilesParams(
                [lsp.FileEvent(uri=self.uri(name), type=kind) for name, kind in changes]
            )
        )

    # -- Diagnostics

    @property
    def pulls(self) -> bool:
        """Whether this client asks for diagnostics instead of being told.

        The server may prefer to tell a client without `workspace/diagnostic/refresh`: such a one
        would never ask for a finding that comes late."""
        return self.server.diagnostic_provider is not None and self.can("text_document.diagnostic") is not None

    async def pull_workspace(self):
        """Asks again and again, as VS Code does; the server may hold an answer until it has news."""
        while True:
            known = [lsp.PreviousResultId(uri, report.result_id) for uri, report in self.reports.items()]
            news = await self.client.workspace_diagnostic_async(lsp.WorkspaceDiagnosticParams(known))
            for report in news.items:
                if report.kind == "full":
                    self.reports[unquote(report.uri)] = report
            await asyncio.sleep(0.01)

    def pushed(self, uri: str) -> list[lsp.PublishDiagnosticsParams]:
        """What was published for a file; the URI of an unopened one is spelled by the server."""
        return [params for params in self.published if unquote(params.uri) == unquote(uri)]

    async def current(self, uri: str) -> list[lsp.Diagnostic] | None:
        """What the editor shows for a file now; None if it has not been told anything."""
        pushed = self.pushed(uri)
        if not self.pulls:
            return list(pushed[-1].diagnostics) if pushed else None
        assert [params for params in pushed if params.diagnostics] == [], "both pushed and pulled"
        if uri in self.documents:
            answer = await self.client.text_document_diagnostic_async(
                lsp.DocumentDiagnosticParams(lsp.TextDocumentIdentifier(uri))
            )
            return list(answer.items)
        report = self.reports.get(unquote(uri))
        return list(report.items) if report else None

    async def until(self, uri: str, accept, seconds: float = 2.0) -> list[lsp.Diagnostic]:
        """What is shown once it is acceptable, or what is shown when the time is up.

        Findings may come in two steps, the fast ones first, so the first answer is not the last."""
        end = asyncio.get_running_loop().time() + seconds
        while True:
            shown = await self.current(uri)
            if shown is not None and accept(shown):
                return shown
            if asyncio.get_running_loop().time() > end:
                return shown
            await asyncio.sleep(0.005)

    async def shows(self, document: Document, expected: list[tuple[str, lsp.Range]]):
        """Asserts that exactly these findings are shown for the document's last version."""

        def accept(shown):
            return self.is_current(document) and listed(codes(shown)) == listed(expected)

        shown = await self.until(document.uri, accept)
        assert listed(codes(shown or [])) == listed(expected)
        assert self.is_current(document), "the version shown is not the last one"
        return shown

    def is_current(self, document: Document) -> bool:
        if self.pulls:
            return True
        versions = [params.version for params in self.pushed(document.uri)]
        return bool(versions) and versions[-1] == document.version

    async def opened(self, text: str, name: str = "a.cpz") -> Document:
        """A document that is open and whose findings, all those of `cpz check`, are shown."""
        document = self.open(text, name)
        await self.shows(document, self.checked(document))
        return document

    def checked(self, document: Document) -> list[tuple[str, lsp.Range]]:
        """What `cpz check` says to the document's text, counted as this editor counts."""
        utf16 = Document(document.uri, document.text, "utf-16")
        return [(code, document.range(*utf16.span(range))) for code, range in check(document.text)]

    # -- Edits

    def changed(self, edit: lsp.WorkspaceEdit, document: Document) -> str:
        """The document's text after an edit that must touch nothing else."""
        if edit.document_changes is not None:
            assert self.can("workspace.workspace_edit.document_changes"), "not declared"
            edits = []
            for change in edit.document_changes:
                assert change.text_document.uri == document.uri
                assert change.text_document.version in (None, document.version)
                edits += change.edits
        else:
            assert list(edit.changes) == [document.uri]
            edits = edit.changes[document.uri]
        return document.applied(edits)

    async def eventually(self, condition, seconds: float = 2.0):
        end = asyncio.get_running_loop().time() + seconds
        while not condition() and asyncio.get_running_loop().time() < end:
            await asyncio.sleep(0.005)

    async def execute(self, command: lsp.Command, document: Document) -> str:
        """Runs a server command; the text after the edit that it asked the client to apply."""
        assert command.command in self.server.execute_command_provider.commands
        before = len(self.edits)
        await self.client.workspace_execute_command_async(
            lsp.ExecuteCommandParams(command=command.command, arguments=command.arguments)
        )
        # The request to apply it may come after the answer to the command.
        await self.eventually(lambda: len(self.edits) > before)
        assert len(self.edits) == before + 1
        return self.changed(self.edits[-1].edit, document)


def codes(diagnostics) -> list[tuple[str, lsp.Range]]:
    return [(diagnostic.code, diagnostic.range) for diagnostic in diagnostics]


def listed(findings) -> list[str]:
    """Findings in order of place, in a form that reads well where a test fails."""
    places = sorted((r.start.line, r.start.character, r.end.line, r.end.character, code) for code, r in findings)
    return [f"{line + 1}:{start}-{last + 1}:{end} {code}" for line, start, last, end, code in places]


def make_client() -> LanguageClient:
    """A client that answers what pytest-lsp can, except for what `Session` listens to itself."""
    client = LanguageClient(converter_factory=converter)
    own = {lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, *DECLARED} - {lsp.WINDOW_WORK_DONE_PROGRESS_CREATE}
    register_lsp_features(
        client, {method: answer for method, answer in DEFAULT_CLIENT_FEATURES.items() if method not in own}
    )
    return client


@pytest_lsp.fixture(
    config=ClientServerConfig(server_command=[CPZ, "lsp", "--stdio"], client_factory=make_client)
)
async def client(lsp_client: LanguageClient):
    yield
    # A server that hangs fails its test above; it must not hang the others.
    if lsp_client._server.returncode is None:
        lsp_client._server.kill()


@pytest.fixture(params=EDITORS)
def editor(request) -> str:
    return request.param


@pytest.fixture
def root(tmp_path) -> Path:
    # A name that has to be escaped in a URI, as names of people's folders often do.
    folder = tmp_path / "puzzles é [1]"
    folder.mkdir()
    return folder


@pytest.fixture
async def raw(client, editor, root) -> Session:
    """An editor whose server has not been initialized."""
    session = Session(client, editor, root)
    yield session
    if client.capabilities is None:
        client.exit(None)
    else:
        await session.stop()
        assert client._server.returncode == 0
    assert session.undeclared == [], "requests that the client cannot answer"


@pytest.fixture
async def session(raw) -> Session:
    await raw.start()
    return raw
