"""What is different on Windows: paths, line ends, access to files, and the URIs of editors.

$CPZ runs the program with Wine. Wine has the root of this file system as the drive `Z:`.
"""

import json
import os
import subprocess
import threading
from pathlib import Path
from urllib.parse import quote

import pytest

# The limit of every wait in seconds: after this time something hangs.
HUNG = 600
CPZ = os.environ["CPZ"]
CLEAN = 'solitaire "one" { board ...N.....R....B. solve }\n'
BROKEN = 'solitaire "two" {\n  board R....N.......... solve\n}\n'
UNTIDY = 'solitaire   "three" {\r\n      board ...N.....R....B.\r\n  solve   // kept\r\n}\r\n'
PGN = '[Event "?"]\r\n[SetUp "1"]\r\n[FEN "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]\r\n\r\n1. Rh8+ *\r\n'


class Folder:
    """A folder with its name on both systems."""

    def __init__(self, path: Path):
        self.path = path

    def windows(self, name=""):
        """The path of a file as Windows writes it."""
        path = self.path / name if name else self.path
        return "Z:" + str(path).replace("/", "\\")

    def write(self, name, text):
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        return path

    def read(self, name):
        return (self.path / name).read_bytes().decode()

    def names(self):
        return sorted(path.name for path in self.path.iterdir())

    def run(self, *arguments, code=0, text=None):
        """Runs the program in the folder; what it prints, in UTF-8."""
        done = subprocess.run(
            [CPZ, *arguments],
            cwd=self.path,
            input=None if text is None else text.encode(),
            stdin=subprocess.DEVNULL if text is None else None,
            capture_output=True,
            timeout=HUNG,
            env={**os.environ, "NO_COLOR": "1"},
        )
        out, err = done.stdout.decode(), done.stderr.decode()
        assert "panicked" not in err, err
        assert done.returncode == code, f"exit code {done.returncode}\n{out}{err}"
        return out + err

    def files(self, *arguments):
        """The paths that `check` reports."""
        return [file["path"] for file in json.loads(self.run("check", "--format", "json", *arguments))["files"]]


@pytest.fixture
def folder(tmp_path):
    path = tmp_path / "Rätsel (neu) 象棋"
    path.mkdir()
    return Folder(path)


# ---- Paths ------------------------------------------------------------------------------------


def test_every_spelling_of_a_path_names_the_file(folder):
    folder.write("sub/ä b.cpz", CLEAN)
    absolute = folder.windows("sub/ä b.cpz")
    for path in [
        absolute,
        absolute.replace("\\", "/"),
        absolute.replace("Z:", "z:"),
        absolute.removeprefix("Z:"),
        "\\\\?\\" + absolute,
        "sub\\ä b.cpz",
        "sub/ä b.cpz",
        ".\\sub\\..\\sub\\ä b.cpz",
    ]:
        assert folder.files(path) == [path]


def test_a_file_with_two_spellings_is_read_once(folder):
    folder.write("sub/a.cpz", CLEAN)
    absolute = folder.windows("sub/a.cpz")
    assert len(folder.files("sub\\a.cpz", "sub/a.cpz", absolute, absolute.replace("Z:", "z:"), ".")) == 1


def test_a_folder_reports_paths_below_it_as_windows_writes_them(folder):
    folder.write("a/b.cpz", CLEAN)
    folder.write("a/c/d.cpz", CLEAN.replace("R", "B").replace("one", "other"))
    assert folder.files() == ["a\\b.cpz", "a\\c\\d.cpz"]
    assert folder.files("a") == ["a\\b.cpz", "a\\c\\d.cpz"]
    assert folder.files("a\\c") == ["a\\c\\d.cpz"]
    assert folder.files(folder.windows("a")) == [folder.windows("a/b.cpz"), folder.windows("a/c/d.cpz")]


@pytest.mark.parametrize("pattern", ["drafts/", "**/d*.cpz", "/drafts/deep/*.cpz", "drafts/deep"])
def test_exclude_matches_paths_with_backslashes(folder, pattern):
    folder.write("a.cpz", CLEAN)
    folder.write("drafts/deep/d.cpz", BROKEN)
    folder.write("cpz.toml", f'exclude = ["{pattern}"]\r\n')
    assert folder.files() == ["a.cpz"]
    assert folder.files(folder.windows()) == [folder.windows("a.cpz")]
    assert folder.files("..") == [f"..\\{folder.path.name}\\a.cpz"]


def test_ignore_files_match_paths_with_backslashes(folder):
    folder.write("a.cpz", CLEAN)
    folder.write("drafts/deep/d.cpz", BROKEN)
    folder.write(".ignore", "drafts/deep\r\n")
    assert folder.files() == ["a.cpz"]


@pytest.mark.parametrize(
    "path",
    [
        "\\\\server\\share\\a.cpz",
        "\\\\server\\share",
        "\\\\server",
        "\\\\?\\UNC\\server\\share\\a.cpz",
        "\\\\?\\",
        "//server/share/a.cpz",
        "Q:\\a.cpz",
        "Q:a.cpz",
        "C:",
        "NUL",
        "con.cpz",
        "a*.cpz",
        "a:b.cpz",
        "a\"<>|.cpz",
    ],
)
def test_paths_that_cannot_be_read_end_with_a_message(folder, path):
    for command in ["check", "fmt", "solve"]:
        done = subprocess.run(
            [CPZ, command, path], cwd=folder.path, stdin=subprocess.DEVNULL, capture_output=True, timeout=HUNG
        )
        output = (done.stdout + done.stderr).decode()
        assert "panicked" not in output
        assert done.returncode in (0, 2), output
        assert done.returncode == 0 or output.strip(), "no message"


def test_a_star_that_the_shell_left_is_explained(folder):
    folder.write("a.cpz", CLEAN)
    assert "cpz: *.cpz: no file can have this name; in place of `*`, name the folder" in folder.run("check", "*.cpz", code=2)


def test_sarif_and_github_name_files_as_repositories_do(folder):
    folder.write("sub/b ö.cpz", BROKEN)
    sarif = json.loads(folder.run("check", "--format", "sarif", ".", code=1))
    [result] = sarif["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "sub/b%20%C3%B6.cpz"
    sarif = json.loads(folder.run("check", "--format", "sarif", folder.windows("sub"), code=1))
    [result] = sarif["runs"][0]["results"]
    expected = "file:///Z%3A" + quote(str(folder.path / "sub/b ö.cpz"))
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == expected
    assert "file=sub" in folder.run("check", "--format", "github", ".", code=1)


def test_a_baseline_is_the_same_on_every_system(folder):
    folder.write("sub/b.cpz", BROKEN)
    folder.run("check", "--baseline", "known.json", "--accept", "sub\\b.cpz")
    assert [entry["path"] for entry in json.loads(folder.read("known.json"))["findings"]] == ["sub/b.cpz"]
    folder.run("check", "--baseline", "known.json")
    folder.run("check", "--baseline", folder.windows("known.json"), folder.windows())


# ---- Files that are written -------------------------------------------------------------------


def test_fmt_keeps_the_line_ends_of_windows_and_leaves_no_other_file(folder):
    folder.write("a.cpz", UNTIDY)
    folder.run("fmt", "a.cpz")
    text = folder.read("a.cpz")
    assert text.startswith('solitaire "three" {\r\n') and "// kept" in text
    assert text.count("\n") == text.count("\r\n")
    assert folder.names() == ["a.cpz"]
    folder.run("fmt", "--check", "a.cpz")


def test_answers_and_fixes_have_the_line_ends_of_the_file(folder):
    folder.write("a.cpz", UNTIDY)
    folder.write("b.cpz", BROKEN.replace("solve", "slove").replace("\n", "\r\n"))
    folder.run("solve", "--write", "a.cpz")
    folder.run("check", "--fix", "b.cpz", code=1)
    assert "=>" in folder.read("a.cpz") and "slove" not in folder.read("b.cpz")
    for name in ["a.cpz", "b.cpz"]:
        text = folder.read(name)
        assert text.count("\n") == text.count("\r\n"), text


def test_findings_in_a_file_with_crlf_are_where_they_are_with_lf(folder):
    folder.write("a.cpz", BROKEN)
    folder.write("b.cpz", BROKEN.replace("\n", "\r\n"))
    places = [
        [finding["range"] for finding in json.loads(folder.run("check", "--format", "json", name, code=1))["files"][0]["diagnostics"]]
        for name in ["a.cpz", "b.cpz"]
    ]
    assert places[0] == places[1] != []


def test_a_read_only_file_is_left_with_a_message(folder):
    path = folder.write("a.cpz", UNTIDY)
    path.chmod(0o444)
    assert "read-only" in folder.run("fmt", "a.cpz", code=2)
    assert folder.read("a.cpz") == UNTIDY
    assert folder.names() == ["a.cpz"]


def test_no_reader_sees_half_of_a_file_that_is_replaced(folder):
    path = folder.write("a.cpz", UNTIDY * 2000)
    formatted = folder.run("fmt", "-", text=UNTIDY * 2000)
    seen, stop = set(), threading.Event()

    def read():
        while not stop.is_set():
            seen.add(path.read_bytes())

    reader = threading.Thread(target=read)
    reader.start()
    try:
        folder.run("fmt", "a.cpz")
    finally:
        stop.set()
        reader.join()
    assert folder.read("a.cpz") == formatted
    assert seen <= {(UNTIDY * 2000).encode(), formatted.encode()}


def test_import_and_export_read_and_write_files(folder):
    folder.write("spiele ü.pgn", PGN)
    folder.run("import", folder.windows("spiele ü.pgn"), "--output", "neu\\ü.cpz", code=2)
    (folder.path / "neu").mkdir()
    folder.run("import", folder.windows("spiele ü.pgn"), "--output", "neu\\ü.cpz")
    assert "4k3/8/8/8/8/8/8/4K2R" in folder.read("neu/ü.cpz")
    folder.run("check", "neu")
    folder.run("export", "--to", "csv", "--output", folder.windows("aus.csv"), "neu\\ü.cpz")
    assert "4k3/8/8/8/8/8/8/4K2R" in folder.read("aus.csv")
    assert "there is a file already" in folder.run("export", "--to", "csv", "--output", "AUS.CSV".lower(), "neu", code=2)


def test_standard_input_and_output_are_bytes(folder):
    assert "\r\n" in folder.run("fmt", "-", text=UNTIDY)
    text = CLEAN.replace("one", "Läufer 象 ♞")
    assert folder.run("fmt", "-", text=text) == folder.run("fmt", "-", text=folder.run("fmt", "-", text=text))
    assert "Läufer 象 ♞" in folder.run("fmt", "-", text=text)
    assert "\r" not in folder.run("fmt", "-", text=text)


# ---- The server -------------------------------------------------------------------------------


class Server:
    """`cpz lsp` over pipes."""

    def __init__(self, root):
        self.process = subprocess.Popen([CPZ, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.late = threading.Timer(HUNG, self.process.kill)
        self.late.start()
        self.last = 0
        self.published = {}
        folders = [{"uri": root, "name": "root"}]
        self.call("initialize", {"processId": None, "rootUri": root, "workspaceFolders": folders, "capabilities": {}})
        self.tell("initialized", {})

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def tell(self, method, params):
        self.send({"method": method, "params": params})

    def receive(self):
        length = 0
        while (line := self.process.stdout.readline()) != b"\r\n":
            assert line, "the server has ended, or hung and was killed"
            if line.startswith(b"Content-Length: "):
                length = int(line.split()[1])
        return json.loads(self.process.stdout.read(length))

    def call(self, method, params):
        self.last += 1
        self.send({"id": self.last, "method": method, "params": params})
        return self.wait(lambda message: message.get("id") == self.last and "method" not in message)["result"]

    def wait(self, accept):
        """Reads messages until one is accepted, and answers requests with null."""
        while True:
            message = self.receive()
            if "id" in message and "method" in message:
                self.send({"id": message["id"], "result": None})
            if message.get("method") == "textDocument/publishDiagnostics":
                params = message["params"]
                self.published[params["uri"]] = [finding["code"] for finding in params["diagnostics"]]
            if accept(message):
                return message

    def open(self, uri, text):
        self.tell(
            "textDocument/didOpen",
            {"textDocument": {"uri": uri, "languageId": "cpz", "version": 1, "text": text}},
        )

    def wait_for(self, uri, codes):
        """Reads until these are the codes of the findings that were last published for the URI."""
        if self.published.get(uri) != codes:
            self.wait(lambda _: self.published.get(uri) == codes)

    def end(self):
        self.call("shutdown", None)
        self.tell("exit", None)
        assert self.process.wait(HUNG) == 0
        self.late.cancel()


def spellings(path):
    """How editors write the URI of a path."""
    rest = quote(str(path))
    return [f"file:///{drive}{rest}" for drive in ["c%3A", "C%3A", "c:", "C:"]]


@pytest.fixture
def on_c(folder):
    """A folder whose drive is `C:`."""
    drive = Path(os.environ["WINEPREFIX"]) / "drive_c"
    link = drive / f"cpz-{folder.path.parent.name}"
    link.symlink_to(folder.path)
    yield link, Path("/") / link.name
    link.unlink()


@pytest.mark.parametrize("number", range(4))
def test_every_spelling_of_a_uri_names_the_same_document(folder, on_c, number):
    _, path = on_c
    folder.write("a ä.cpz", CLEAN)
    folder.write("b.cpz", BROKEN)
    root, uri = spellings(path)[number], spellings(path / "a ä.cpz")[number]
    server = Server(root)
    # The file is unopened at first. Were the document another file, both would be duplicates.
    server.wait_for(spellings(path / "b.cpz")[1], ["unsolvable"])
    server.open(uri, CLEAN)
    server.wait_for(uri, [])
    server.open(spellings(path / "new.cpz")[number], CLEAN)
    server.wait_for(uri, ["duplicate-puzzle"])
    # In another spelling it is the same document.
    other = spellings(path / "a ä.cpz")[(number + 1) % 4]
    symbols = server.call("textDocument/documentSymbol", {"textDocument": {"uri": other}})
    assert [symbol["name"] for symbol in symbols] == ["one"]
    server.tell("textDocument/didClose", {"textDocument": {"uri": spellings(path / "new.cpz")[number]}})
    server.wait_for(uri, [])
    server.end()


def test_a_configuration_with_crlf_applies_in_the_server(folder, on_c):
    _, path = on_c
    folder.write("cpz.toml", 'exclude = ["drafts/"]\r\n')
    folder.write("drafts/b.cpz", BROKEN)
    folder.write("c.cpz", BROKEN)
    server = Server(spellings(path)[0])
    server.wait_for(spellings(path / "c.cpz")[1], ["unsolvable"])
    assert not [uri for uri in server.published if "drafts" in uri]
    server.end()


def test_a_network_path_in_a_uri_does_no_harm(folder):
    server = Server("file://server/share/r%C3%A4tsel")
    server.open("file://server/share/r%C3%A4tsel/a.cpz", BROKEN)
    server.wait_for("file://server/share/r%C3%A4tsel/a.cpz", ["unsolvable"])
    for odd in ["file:///%5C%5C%3F%5Ca.cpz", "file:///%5C%5C.%5Cpipe%5Ca", "file:///a.cpz", "file:///%C3%A9%3A/a"]:
        server.open(odd, "solitaire { board R..............N solve }\n")
        server.wait_for(odd, ["unsolvable"])
        server.tell("textDocument/didClose", {"textDocument": {"uri": odd}})
    server.end()


def test_the_server_ends_with_its_input(folder):
    server = Server("file:///Z%3A" + quote(str(folder.path)))
    server.process.stdin.close()
    assert server.process.wait(HUNG) in (0, 1)
    server.late.cancel()
