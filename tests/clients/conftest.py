"""Drives `cpz lsp` over standard input and output with the capabilities of real editors.

`Session` is an editor with one workspace folder, `Document` an open document in it. Expected ranges
are marked in the texts: `marked` parses `«code:text»`, `cursor` parses `¦`.
"""

import asyncio
import contextlib
import functools
import json
import os
import re
import shlex
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

# The limit of every wait in seconds. What is waited for takes far less, also on a busy machine and without optimization:
# after this time something hangs. Nothing here passes or fails by the clock otherwise.
HUNG = 600
# Longer than each timer of the server. Findings that a test does not accept are taken for the last ones, and the test
# fails before the limit, if the server was asleep at every look for so long.
FOR_GOOD = 3
# The pause between two looks at what reports no event. Findings that come late are one: some clients have to pull them.
PAUSE = 0.005

REPOSITORY = Path(__file__).resolve().parents[2]
CPZ = os.environ.get("CPZ", str(REPOSITORY / "target/debug/cpz"))
# The command of the server under test. `cpz check`, which says what is expected, is always that of $CPZ.
SERVER = shlex.split(os.environ.get("CPZ_SERVER", "")) or [CPZ, "lsp", "--stdio"]
# The drive, such as `/Z%3A`, on which a program for Windows finds the files of this system.
DRIVE = f"/{os.environ['CPZ_DRIVE']}" if "CPZ_DRIVE" in os.environ else ""
EXAMPLES = sorted((REPOSITORY / "examples").rglob("*.cpz"))
# Those that are tested with every editor: all with CI_FULL=1, some every day.
SAMPLE = EXAMPLES if os.environ.get("CI_FULL") == "1" else EXAMPLES[::3]

# The recorded VS Code is older than inlay hints and pull diagnostics, so there are two: as recorded, and
# with the capabilities added since.
EDITORS = {
    "vscode": ("visual-studio-code@v1.65.2", lsp.ClientInfo("Visual Studio Code", "1.65.2")),
    "vscode-current": ("visual-studio-code@v1.65.2", lsp.ClientInfo("Visual Studio Code", "1.100.0")),
    "neovim": ("neovim@v0.11.0", lsp.ClientInfo("Neovim", "0.11.0")),
    "emacs": ("emacs@v29.1", lsp.ClientInfo("Emacs (eglot)", "29.1")),
}

# Requests of the server, and the client capability that each of them requires.
REQUIRED_CAPABILITY = {
    lsp.WORKSPACE_APPLY_EDIT: "workspace.apply_edit",
    lsp.WORKSPACE_CONFIGURATION: "workspace.configuration",
    lsp.WORKSPACE_WORKSPACE_FOLDERS: "workspace.workspace_folders",
    lsp.WORKSPACE_INLAY_HINT_REFRESH: "workspace.inlay_hint.refresh_support",
    lsp.WORKSPACE_CODE_LENS_REFRESH: "workspace.code_lens.refresh_support",
    lsp.WORKSPACE_SEMANTIC_TOKENS_REFRESH: "workspace.semantic_tokens.refresh_support",
    lsp.WORKSPACE_DIAGNOSTIC_REFRESH: "workspace.diagnostics.refresh_support",
    lsp.WINDOW_WORK_DONE_PROGRESS_CREATE: "window.work_done_progress",
}


# Creating a converter takes longer than most tests: share one.
converter = functools.cache(default_converter)


@functools.cache
def capabilities(editor: str) -> lsp.ClientCapabilities:
    declared = client_capabilities(EDITORS[editor][0])
    if editor == "vscode-current":
        declared.general.position_encodings = [lsp.PositionEncodingKind.Utf16]
        document, workspace = declared.text_document, declared.workspace
        document.diagnostic = lsp.DiagnosticClientCapabilities(dynamic_registration=True)
        document.inlay_hint = lsp.InlayHintClientCapabilities(dynamic_registration=True)
        document.publish_diagnostics.version_support = True
        workspace.diagnostics = lsp.DiagnosticWorkspaceClientCapabilities(refresh_support=True)
        workspace.inlay_hint = lsp.InlayHintWorkspaceClientCapabilities(refresh_support=True)
    return declared


def file_uri(path: Path) -> str:
    return path.as_uri().replace("file://", f"file://{DRIVE}", 1)


# ---- Texts with marks -------------------------------------------------------------------------


def marked(text: str) -> tuple[str, list[tuple[str, int, int]]]:
    """The text without its marks, and for each `«code:…»` the code with start and end offset."""
    found, clean, at = [], "", 0
    for mark in re.finditer(r"«(?:([a-z-]+):)?(.*?)»", text, re.DOTALL):
        clean += text[at : mark.start()]
        found.append((mark[1], len(clean), len(clean) + len(mark[2])))
        clean += mark[2]
        at = mark.end()
    return clean + text[at:], found


def cursor(text: str) -> tuple[str, int]:
    """The text without its `¦`, and the offset of the mark."""
    at = text.index("¦")
    return text[:at] + text[at + 1 :], at


@contextlib.asynccontextmanager
async def waiting_for(what: str):
    """Fails with a message if what is awaited inside hangs."""
    try:
        async with asyncio.timeout(HUNG):
            yield
    except TimeoutError:
        pytest.fail(f"hung: no {what}")


def is_asleep(pid: int) -> bool:
    """Whether all threads of a process sleep. With Wine another process may work for it, so it never seems to."""
    if os.environ.get("CPZ_PLATFORM", "").startswith("win32-"):
        return False
    try:
        states = [status.read_text().split("State:", 1)[1].split()[0] for status in Path(f"/proc/{pid}/task").glob("*/status")]
    except (OSError, IndexError):
        return False
    return bool(states) and set(states) == {"S"}


def cli(*arguments: str, text: str) -> str:
    """The output of the command line for a text on standard input."""
    done = subprocess.run([CPZ, *arguments, "-"], input=text.encode(), capture_output=True, timeout=HUNG)
    return done.stdout.decode()


def check(text: str) -> list[tuple[str, lsp.Range]]:
    """The findings of `cpz check`; columns in UTF-16 units."""
    document = json.loads(cli("check", "--hints", "--format", "json", text=text))
    # Hints that need all files at once are told on the command line alone.
    collection = [("duplicate-puzzle", "hint"), ("duplicate-name", "hint")]
    return [
        (finding["code"], to_range(finding["range"]))
        for finding in document["files"][0]["diagnostics"]
        if (finding["code"], finding["severity"]) not in collection
    ]


def to_range(value: dict) -> lsp.Range:
    start, end = value["start"], value["end"]
    return lsp.Range(
        lsp.Position(start["line"], start["character"]), lsp.Position(end["line"], end["character"])
    )


# ---- A document -------------------------------------------------------------------------------


class Document:
    """An open document: its text, and conversions between offsets and LSP positions."""

    def __init__(self, uri: str, text: str, encoding: str, version: int = 1):
        self.uri, self.text, self.encoding, self.version = uri, text, encoding, version

    @property
    def id(self) -> lsp.TextDocumentIdentifier:
        return lsp.TextDocumentIdentifier(self.uri)

    def units(self, text: str) -> int:
        return len(text.encode()) if self.encoding == "utf-8" else len(text.encode("utf-16-le")) // 2

    def lines(self) -> list[tuple[int, int]]:
        """Start and end offset of each line, without the line end."""
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
        raise AssertionError(f"{position} is not a position in the text")

    def range(self, start: int, end: int) -> lsp.Range:
        return lsp.Range(self.position(start), self.position(end))

    def span(self, range: lsp.Range) -> tuple[int, int]:
        return self.offset(range.start), self.offset(range.end)

    def slice(self, range: lsp.Range) -> str:
        start, end = self.span(range)
        return self.text[start:end]

    def full_range(self) -> lsp.Range:
        return self.range(0, len(self.text))

    def find(self, needle: str, nth: int = 0) -> int:
        offset = -1
        for _ in range(nth + 1):
            offset = self.text.index(needle, offset + 1)
        return offset

    def position_of(self, needle: str, into: int = 0, nth: int = 0) -> lsp.Position:
        """The position of the nth occurrence of a string, plus `into` characters."""
        return self.position(self.find(needle, nth) + into)

    def range_of(self, needle: str, nth: int = 0) -> lsp.Range:
        """The range of the nth occurrence of a string."""
        start = self.find(needle, nth)
        return self.range(start, start + len(needle))

    def apply(self, edits: list[lsp.TextEdit]) -> str:
        """The text after the edits; all their ranges refer to the text before them."""
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
        self.configuration_requests = 0
        self.refreshed: list[str] = []
        self.undeclared: list[str] = []
        self.documents: dict[str, Document] = {}
        self.reports: dict[str, lsp.WorkspaceFullDocumentDiagnosticReport] = {}
        self.pull_task: asyncio.Task | None = None
        self.register_handlers()

    def supports(self, capability: str):
        return get_capability(self.declared, capability, None)

    def register_handlers(self):
        client = self.client

        def record(method: str):
            if not self.supports(REQUIRED_CAPABILITY[method]):
                self.undeclared.append(method)

        @client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params: lsp.PublishDiagnosticsParams):
            self.published.append(params)

        @client.feature(lsp.WORKSPACE_APPLY_EDIT)
        def apply_edit(params: lsp.ApplyWorkspaceEditParams):
            record(lsp.WORKSPACE_APPLY_EDIT)
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
            record(lsp.WORKSPACE_CONFIGURATION)
            self.configuration_requests += 1
            return [client.get_configuration(section=item.section, scope_uri=item.scope_uri) for item in params.items]

        @client.feature(lsp.WORKSPACE_WORKSPACE_FOLDERS)
        def folders():
            record(lsp.WORKSPACE_WORKSPACE_FOLDERS)
            return [lsp.WorkspaceFolder(file_uri(self.root), self.root.name)]

        for method in REQUIRED_CAPABILITY:
            if method.endswith("/refresh"):

                def refresh(*_, method=method):
                    record(method)
                    self.refreshed.append(method)

                client.feature(method)(refresh)

    async def start(self) -> lsp.InitializeResult:
        self.answer = await self.client.initialize_session(
            lsp.InitializeParams(
                capabilities=self.declared,
                client_info=EDITORS[self.editor][1],
                root_uri=file_uri(self.root),
                workspace_folders=[lsp.WorkspaceFolder(file_uri(self.root), self.root.name)],
            )
        )
        self.server = self.answer.capabilities
        encoding = self.server.position_encoding or lsp.PositionEncodingKind.Utf16
        self.encoding = str(getattr(encoding, "value", encoding))
        if self.pulls and self.server.diagnostic_provider.workspace_diagnostics:
            self.pull_task = asyncio.create_task(self.pull_workspace())
        return self.answer

    async def stop(self):
        """Shuts the server down; a pending pull ends with it."""
        async with waiting_for("end after shutdown and exit"):
            await self.client.shutdown_session()
        if self.pull_task:
            self.pull_task.cancel()

    # -- Documents

    def uri(self, name: str) -> str:
        return file_uri(self.root / name)

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
        """Sends edits in one notification; each refers to the text after the one before it."""
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
        Path(unquote(document.uri.removeprefix(f"file://{DRIVE}"))).write_bytes(document.text.encode())
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
        """Whether this client pulls diagnostics instead of receiving pushed ones.

        The server may push to a client without `workspace/diagnostic/refresh`, since such a client
        would never pull a finding that comes late."""
        return self.server.diagnostic_provider is not None and self.supports("text_document.diagnostic") is not None

    async def pull_workspace(self):
        """Pulls in a loop, as VS Code does; the server may delay a response until something changes."""
        while True:
            known = [lsp.PreviousResultId(uri, report.result_id) for uri, report in self.reports.items()]
            response = await self.client.workspace_diagnostic_async(lsp.WorkspaceDiagnosticParams(known))
            for report in response.items:
                if report.kind == "full":
                    self.reports[unquote(report.uri)] = report
            await asyncio.sleep(PAUSE)  # a server may answer at once

    def pushed(self, uri: str) -> list[lsp.PublishDiagnosticsParams]:
        """The notifications for a file. Compares decoded URIs, since the server chooses the form for unopened files."""
        return [params for params in self.published if unquote(params.uri) == unquote(uri)]

    async def shown_findings(self, uri: str) -> list[lsp.Diagnostic] | None:
        """The findings that the editor shows for a file now; None before the first report."""
        pushed = self.pushed(uri)
        if not self.pulls:
            return list(pushed[-1].diagnostics) if pushed else None
        # To a client that does not pull the workspace soon the server pushes, and takes it back when the client does pull.
        if uri in self.documents:
            assert [params for params in pushed if params.diagnostics] == [], "both pushed and pulled"
        if uri in self.documents:
            answer = await self.client.text_document_diagnostic_async(
                lsp.DocumentDiagnosticParams(lsp.TextDocumentIdentifier(uri))
            )
            return list(answer.items)
        report = self.reports.get(unquote(uri))
        return list(report.items) if report else None

    async def looks(self, what: str):
        """Yields again and again, with pauses; ends when the server sleeps for good, and fails when it hangs."""
        clock = asyncio.get_running_loop().time
        begin = awake = clock()
        while clock() - awake < FOR_GOOD:
            yield
            assert clock() - begin < HUNG, f"hung: no {what}"
            await asyncio.sleep(PAUSE)
            if not is_asleep(self.client._server.pid):
                awake = clock()

    async def wait_for_findings(self, uri: str, accept) -> list[lsp.Diagnostic]:
        """Waits until the shown findings are accepted; returns those shown then, or the last ones.

        Findings may come in two steps, fast ones first, so the first report may not be the last."""
        shown = None
        async for _ in self.looks(f"accepted findings of {uri}"):
            async with waiting_for(f"report of {uri}"):
                shown = await self.shown_findings(uri)
            if shown is not None and accept(shown):
                break
        return shown

    async def assert_findings(self, document: Document, expected: list[tuple[str, lsp.Range]]):
        """Asserts that exactly these findings are shown for the document's last version."""

        def accept(shown):
            return self.is_current(document) and listed(codes(shown)) == listed(expected)

        shown = await self.wait_for_findings(document.uri, accept)
        assert listed(codes(shown or [])) == listed(expected)
        assert self.is_current(document), "the findings are not of the last version"
        return shown

    def is_current(self, document: Document) -> bool:
        if self.pulls:
            return True
        versions = [params.version for params in self.pushed(document.uri)]
        return bool(versions) and versions[-1] == document.version

    async def open_checked(self, text: str, name: str = "a.cpz") -> Document:
        """Opens a document and waits until the findings of `cpz check` are shown."""
        document = self.open(text, name)
        await self.assert_findings(document, self.expected_findings(document))
        return document

    def expected_findings(self, document: Document) -> list[tuple[str, lsp.Range]]:
        """The findings of `cpz check`, with columns in the encoding of this editor."""
        utf16 = Document(document.uri, document.text, "utf-16")
        return [(code, document.range(*utf16.span(range))) for code, range in check(document.text)]

    # -- Edits

    def apply_edit(self, edit: lsp.WorkspaceEdit, document: Document) -> str:
        """The text of the document after a workspace edit, which must edit no other document."""
        if edit.document_changes is not None:
            assert self.supports("workspace.workspace_edit.document_changes"), "the client has not declared documentChanges"
            edits = []
            for change in edit.document_changes:
                assert change.text_document.uri == document.uri
                assert change.text_document.version in (None, document.version)
                edits += change.edits
        else:
            assert list(edit.changes) == [document.uri]
            edits = edit.changes[document.uri]
        return document.apply(edits)

    async def wait_until(self, condition, what: str):
        """Waits for an event; fails if it does not come."""
        async for _ in self.looks(what):
            if condition():
                return
        pytest.fail(f"no {what}, and the server sleeps")

    async def all_handled(self):
        """Waits until the server has handled all messages up to now, and all its answers have arrived."""
        # The second is handled after all that the first has set off on the thread that handles changes.
        for _ in range(2):
            async with waiting_for("answer to workspace/symbol"):
                await self.client.workspace_symbol_async(lsp.WorkspaceSymbolParams("no such name"))

    async def execute(self, command: lsp.Command, document: Document) -> str:
        """Runs a server command; returns the text after the edit that the server requested."""
        assert command.command in self.server.execute_command_provider.commands
        before = len(self.edits)
        await self.client.workspace_execute_command_async(
            lsp.ExecuteCommandParams(command=command.command, arguments=command.arguments)
        )
        # `workspace/applyEdit` may come after the response to the command.
        await self.wait_until(lambda: len(self.edits) > before, "workspace/applyEdit")
        assert len(self.edits) == before + 1
        return self.apply_edit(self.edits[-1].edit, document)


def codes(diagnostics) -> list[tuple[str, lsp.Range]]:
    return [(diagnostic.code, diagnostic.range) for diagnostic in diagnostics]


def listed(findings) -> list[str]:
    """Findings by position, formatted for messages of failed tests."""
    places = sorted((r.start.line, r.start.character, r.end.line, r.end.character, code) for code, r in findings)
    return [f"{line + 1}:{start}-{last + 1}:{end} {code}" for line, start, last, end, code in places]


def make_client() -> LanguageClient:
    """A client with the default handlers of pytest-lsp, except for methods that `Session` handles."""
    client = LanguageClient(converter_factory=converter)
    own = {lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, *REQUIRED_CAPABILITY} - {lsp.WINDOW_WORK_DONE_PROGRESS_CREATE}
    register_lsp_features(
        client, {method: answer for method, answer in DEFAULT_CLIENT_FEATURES.items() if method not in own}
    )
    return client


@pytest_lsp.fixture(
    config=ClientServerConfig(server_command=SERVER, client_factory=make_client)
)
async def client(lsp_client: LanguageClient):
    yield
    # A server that hangs has failed its test; kill it, so that the next test can start.
    if lsp_client._server.returncode is None:
        lsp_client._server.kill()


@pytest.fixture(params=EDITORS)
def editor(request) -> str:
    return request.param


@pytest.fixture
def root(tmp_path) -> Path:
    # A name with characters that are escaped in URIs.
    folder = tmp_path / "puzzles é [1]"
    folder.mkdir()
    return folder


@pytest.fixture
async def uninitialized(client, editor, root) -> Session:
    """An editor before `initialize`."""
    session = Session(client, editor, root)
    yield session
    if client.capabilities is None:
        client.exit(None)
    else:
        await session.stop()
        assert client._server.returncode == 0
    assert session.undeclared == [], "requests without the client capability"


@pytest.fixture
async def session(uninitialized) -> Session:
    await uninitialized.start()
    return uninitialized


def pytest_collection_modifyitems(items):
    # For what hangs outside of a wait; a wait says more.
    for item in items:
        item.add_marker(pytest.mark.timeout(HUNG + 60))
