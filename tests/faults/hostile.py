"""Hostile workspaces, such as a downloaded folder.

Each function creates one and runs the server and `cpz check` on it, both under strace. They must
end in time; open only `.cpz` files, `cpz.toml` and ignore files inside the folder; start no process,
open no socket and write nothing; and still report the findings of the marker files.
"""

import json
import os
import time
from pathlib import Path

from client import GIB, PAUSE, PROBE, ServerError
from table import Bench, Failed, expect, fault, needs
from traced import Trace, tracing

SECRET = "xyzzyplugh"
BAD = "solitaire { board R....N.......... solve }\n"
LEAK = f'{SECRET} solitaire "{SECRET}" {{ board R....N.......... solve {SECRET} }}\n'
MARKERS = ("0-marker.cpz", "zz-marker.cpz")
MEMORY = 3 * GIB // 2


class Scene:
    """A workspace with a trap, and a folder outside of it with secrets."""

    def __init__(self, bench: Bench):
        needs("strace")
        self.bench = bench
        self.outside = bench.make("outside")
        self.folder = bench.make("w/workspace")
        for name in MARKERS:
            (self.folder / name).write_text(BAD)
        (self.outside / "secret.cpz").write_text(LEAK)
        (self.outside / "secret.toml").write_text(f"{SECRET} = 5\n")
        (self.outside / "secret.txt").write_text(f"{SECRET}\n*.{SECRET}\n")
        (self.outside / "folder").mkdir()
        (self.outside / "folder" / "inner.cpz").write_text(LEAK)
        (self.outside / "folder" / "cpz.toml").write_text(f"{SECRET} = 5\n")

    def link(self, name: str, target) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(target)

    def write(self, name: str, text: str | bytes) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())

    def pipe(self, name: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        os.mkfifo(path)

    # -- Observation

    def observe(
        self, markers=MARKERS, or_skipped: str = "", server_says=b"", check_says=b""
    ) -> str:
        """Runs the server and `cpz check`; returns the results, or fails with all violations.

        `or_skipped`: the markers may be missing if a message with this text reports a skipped folder."""
        self.or_skipped = or_skipped
        self.server_says, self.check_says = server_says, check_says
        before = listing(self.folder)
        wrong, results = [], []
        for run in (self.by_server, self.by_check):
            try:
                results.append(run(markers))
            except (Failed, ServerError) as error:
                wrong.append(f"{run.__name__[3:]}: {error}")
        if listing(self.folder) != before:
            wrong.append("the folder was changed")
        expect(not wrong, "; ".join(wrong))
        return "; ".join(results)

    def by_server(self, markers) -> str:
        log = self.bench.folder / "server.strace"
        server = self.bench.server(prefix=tracing(log))
        server.keep_received = True
        wrong, highest, hovers = [], 0, 0
        try:
            server.initialize(self.folder)
            hovers = wait_for_scan(server, self.folder, markers, or_message=self.or_skipped)
            # What must not be read, too, would be read by now.
            server.until_idle()
            highest = server.memory("VmHWM")
            server.until(lambda: self.server_says in bytes(server.received), f"message {self.server_says.decode()!r}")
            server.shut_down()
        except (Failed, ServerError) as error:
            wrong.append(str(error))
        finally:
            server.close()
        wrong += self.violations(log, bytes(server.received) + server.stderr())
        if highest >= MEMORY:
            wrong.append(f"it used {highest >> 20} MiB")
        expect(not wrong, "; ".join(wrong))
        return f"server: {hovers} hovers answered before the findings, peak {highest >> 20} MiB"

    def by_check(self, markers) -> str:
        log = self.bench.folder / "check.strace"
        wrong, output, code = [], b"", None
        try:
            done = self.bench.cli("check", self.folder, prefix=tracing(log))
            output, code = done.stdout + done.stderr, done.returncode
            if not (self.or_skipped and self.or_skipped.encode() in done.stderr and code == 2):
                wrong += [f"no findings of {name}" for name in markers if name.encode() not in output]
        except Failed as error:
            wrong.append(str(error))
        if code not in (1, 2):
            wrong.append(f"exit code {code}")
        if self.check_says not in output:
            wrong.append(f"no message {self.check_says.decode()!r}")
        wrong += self.violations(log, output)
        expect(not wrong, "; ".join(wrong))
        return f"check: exit code {code}"

    def violations(self, log: Path, output: bytes) -> list[str]:
        wrong = Trace.read(log).violations(self.folder, self.bench.cpz, self.bench.folder / "home")
        for secret in (SECRET.encode(), b"root:x:0"):
            if secret in output:
                at = output.index(secret)
                wrong.append(f"shows text from outside of the folder: {output[max(0, at - 60) : at + 40]!r}")
        return wrong


def listing(folder: Path) -> list:
    """The entries of a folder, not recursive: name, mode, size and time."""
    entries = sorted(os.scandir(os.fsencode(folder)), key=lambda e: e.name)
    return [(e.name, s.st_mode, s.st_size, s.st_mtime_ns) for e in entries for s in [e.stat(follow_symlinks=False)]]


def wait_for_scan(server, folder: Path, markers=MARKERS, or_message: str = "") -> int:
    """Waits for the findings of the marker files; returns how many hovers were answered before they came.

    Instead of the findings the server may send a message that contains `or_message`."""
    wanted = {(folder / name).as_uri() for name in markers}
    hovers = 0

    def missing() -> set[str]:
        return {uri for uri in wanted if not server.published.get(uri, {}).get("diagnostics")}

    def arrived() -> bool:
        said = or_message and any(or_message in json.dumps(message["params"]) for message in list(server.messages))
        return bool(said) or not missing()

    while not arrived():
        server.probe()
        hovers += not arrived()
        # The server starts nothing by a timer: what has not come when it sleeps does not come.
        if server.is_idle() and not arrived():
            names = sorted(uri.rsplit("/", 1)[-1] for uri in missing())
            word = f", and no message about {or_message}" if or_message else ""
            raise Failed(f"idle without findings of {', '.join(names)}{word}, {server.memory() >> 20} MiB")
        time.sleep(PAUSE)  # leaves the processor to the scan
    server.published.pop(PROBE, None)
    return hovers


# ---- Links ------------------------------------------------------------------------------------


@fault("links-to-files", "Symbolic links to files outside the folder are not followed: their text is neither read nor shown")
def links_to_files(bench: Bench) -> str:
    scene = Scene(bench)
    scene.link("a.cpz", scene.outside / "secret.cpz")
    scene.link("b.cpz", "../../outside/secret.cpz")
    scene.link("c.cpz", "/etc/passwd")
    scene.link("d.cpz", "/proc/self/environ")
    scene.link("sub/e.cpz", "d.cpz")
    scene.link("sub/d.cpz", "../a.cpz")
    scene.link("nowhere.cpz", "/no/such/file")
    scene.link("itself.cpz", "itself.cpz")
    return scene.observe()


@fault("links-to-folders", "Symbolic links to folders outside the folder are not followed, and circular links end")
def links_to_folders(bench: Bench) -> str:
    scene = Scene(bench)
    scene.link("out", scene.outside / "folder")
    scene.link("out.cpz", scene.outside / "folder")
    scene.link("root", "/")
    scene.link("up", "..")
    scene.link("here", ".")
    scene.link("sub/again", "..")
    scene.link("sub/more/again", "../..")
    scene.link("sub/through", "../out")
    return scene.observe()


@fault("link-as-cpz-toml", "A `cpz.toml` that is a link out of the folder is neither read nor shown")
def link_as_configuration(bench: Bench) -> str:
    scene = Scene(bench)
    scene.link("cpz.toml", scene.outside / "secret.toml")
    scene.link("sub/cpz.toml", "/etc/passwd")
    scene.write("sub/a.cpz", BAD)
    scene.link("in/cpz.toml", "../sub/cpz.toml")
    scene.write("in/a.cpz", BAD)
    return scene.observe()


@fault("link-as-ignore-list", "An ignore file that is a link out of the folder is not read: the folder is checked, or reported as skipped")
def link_as_ignore_list(bench: Bench) -> str:
    scene = Scene(bench)
    (scene.folder / ".git").mkdir()
    scene.link(".gitignore", scene.outside / "secret.txt")
    scene.link(".ignore", scene.outside / "secret.txt")
    scene.link("sub/.gitignore", "/etc/passwd")
    scene.write("sub/a.cpz", BAD)
    scene.link(".git/info/exclude", scene.outside / "secret.txt")
    return scene.observe(or_skipped="ignore")


@fault("git-file", "A `.git` file that points to another folder is not followed")
def git_file(bench: Bench) -> str:
    scene = Scene(bench)
    git = scene.outside / "git"
    (git / "info").mkdir(parents=True)
    (git / "info" / "exclude").write_text("*.cpz\n")
    (git / "commondir").write_text(str(git))
    scene.write(".git", f"gitdir: {git}\n")
    scene.write("sub/.git", "gitdir: ../../../outside/git\n")
    scene.write("sub/a.cpz", BAD)
    return scene.observe()


@fault("git-config", "Files and commands that a `.git/config` in the folder names are neither read nor run")
def git_config(bench: Bench) -> str:
    scene = Scene(bench)
    scene.write(
        ".git/config",
        f"[core]\n\texcludesFile = {scene.outside}/secret.txt\n\tfsmonitor = touch {scene.outside}/ran\n"
        f"[include]\n\tpath = {scene.outside}/secret.toml\n",
    )
    scene.write(".git/HEAD", "ref: refs/heads/main\n")
    happened = scene.observe()
    expect(not (scene.outside / "ran").exists(), "a command of .git/config was run")
    return happened


# ---- Special files ---------------------------------------------------------------------------


@fault("pipes-as-puzzles", "A named pipe without a writer in place of a puzzle file blocks nothing")
def pipes_as_puzzles(bench: Bench) -> str:
    scene = Scene(bench)
    for name in ("1.cpz", "sub/2.cpz", "zzz.cpz"):
        scene.pipe(name)
    scene.pipe("a-pipe")
    scene.link("linked.cpz", "a-pipe")
    return scene.observe()


@fault("pipe-as-cpz-toml", "A named pipe without a writer in place of `cpz.toml` blocks nothing")
def pipe_as_configuration(bench: Bench) -> str:
    scene = Scene(bench)
    scene.pipe("cpz.toml")
    scene.pipe("sub/cpz.toml")
    scene.write("sub/a.cpz", BAD)
    return scene.observe()


@fault("pipe-as-gitignore", "A named pipe without a writer in place of `.gitignore` blocks nothing: the folder is checked, or reported as skipped")
def pipe_as_gitignore(bench: Bench) -> str:
    scene = Scene(bench)
    (scene.folder / ".git").mkdir()
    scene.pipe(".gitignore")
    return scene.observe(or_skipped=".gitignore")


@fault("pipe-as-ignore", "The same with `.ignore` in a subfolder")
def pipe_as_ignore(bench: Bench) -> str:
    scene = Scene(bench)
    scene.pipe("sub/.ignore")
    scene.write("sub/a.cpz", BAD)
    return scene.observe(or_skipped=".ignore")


@fault("pipe-as-exclude", "The same with `.git/info/exclude`")
def pipe_as_exclude(bench: Bench) -> str:
    scene = Scene(bench)
    scene.pipe(".git/info/exclude")
    return scene.observe(or_skipped="exclude")


@fault("endless-ignore-list", "An endless ignore file, a link to `/dev/zero`, exhausts neither memory nor time: the folder is checked, or reported as skipped")
def endless_ignore_list(bench: Bench) -> str:
    scene = Scene(bench)
    (scene.folder / ".git").mkdir()
    scene.link(".gitignore", "/dev/zero")
    return scene.observe(or_skipped=".gitignore")


@fault("huge-ignore-list", "The same with an ignore file of 1 GiB")
def huge_ignore_list(bench: Bench) -> str:
    scene = Scene(bench)
    with open(scene.folder / ".ignore", "wb") as file:
        file.truncate(GIB)
    return scene.observe(or_skipped=".ignore")


@fault("endless-puzzle", "An endless puzzle file or `cpz.toml`, a link to `/dev/zero`, is not read")
def endless_puzzle(bench: Bench) -> str:
    scene = Scene(bench)
    scene.link("zero.cpz", "/dev/zero")
    scene.link("random.cpz", "/dev/urandom")
    scene.link("sub/cpz.toml", "/dev/zero")
    scene.write("sub/a.cpz", BAD)
    return scene.observe()


@fault("huge-puzzle", "A puzzle file of 3 GiB is reported, in the editor too, and not read")
def huge_puzzle(bench: Bench) -> str:
    scene = Scene(bench)
    with open(scene.folder / "huge.cpz", "wb") as file:
        file.truncate(3 * GIB)
    return scene.observe(server_says=b"1 of its files are not read", check_says=b"huge.cpz: longer than 1 GiB")


@fault("huge-cpz-toml", "A `cpz.toml` of 3 GiB is reported and not read")
def huge_configuration(bench: Bench) -> str:
    scene = Scene(bench)
    scene.write("sub/a.cpz", BAD)
    with open(scene.folder / "sub" / "cpz.toml", "wb") as file:
        file.truncate(3 * GIB)
    return scene.observe()


@fault("binary-puzzle", "Files with binary data are reported, and the other files are still checked")
def binary_puzzle(bench: Bench) -> str:
    scene = Scene(bench)
    scene.write("elf.cpz", Path(bench.cpz).read_bytes()[:500_000])
    scene.write("nul.cpz", b"\0" * 100_000)
    scene.write("latin.cpz", bytes(range(256)) * 400)
    scene.write("utf16.cpz", BAD.encode("utf-16"))
    scene.write("cut.cpz", (BAD * 3).encode() + "é".encode()[:1])
    return scene.observe()


@fault("folders-as-files", "Folders named `x.cpz`, `cpz.toml` and `.gitignore` are treated as folders")
def folders_as_files(bench: Bench) -> str:
    scene = Scene(bench)
    scene.write("x.cpz/inner.cpz", BAD)
    scene.write("cpz.toml/inner.cpz", BAD)
    scene.write(".gitignore/x", "")
    scene.write("sub/.ignore/x", "")
    return scene.observe(markers=(*MARKERS, "x.cpz/inner.cpz", "cpz.toml/inner.cpz"))
