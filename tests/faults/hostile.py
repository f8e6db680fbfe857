"""Folders that were made to be opened by somebody else.

Each function makes one, opens it in the server and gives it to `cpz check`, both below strace. It
must end in time; open nothing but `.cpz` files, `cpz.toml` and lists of ignored files in the folder
itself; start no process, open no socket and write nothing; and the marked files that stand beside
the trap have their finding all the same.
"""

import json
import os
import time
from pathlib import Path

from client import GIB, PROBE, Gone
from table import Bench, Failed, expect, fault, needs
from traced import Trace, tracing

SECRET = "xyzzyplugh"
BAD = "solitaire { board R....N.......... solve }\n"
LEAK = f'{SECRET} solitaire "{SECRET}" {{ board R....N.......... solve {SECRET} }}\n'
MARKERS = ("0-marker.cpz", "zz-marker.cpz")
SECONDS = 20
"""How long a survey of a small folder may take below strace; without it takes a few milliseconds."""
MEMORY = 3 * GIB // 2


class Scene:
    """A workspace with a trap in it, and a place outside of it with a secret."""

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

    # -- What is watched

    def observe(
        self, seconds: float = SECONDS, markers=MARKERS, or_left_out: str = "", server_says=b"", check_says=b""
    ) -> str:
        """Both ways to look at the folder; what happened, or everything that should not have.

        A list of ignored files that cannot be trusted may have its folder left out, if that is said."""
        self.or_left_out = or_left_out
        self.server_says, self.check_says = server_says, check_says
        before = listing(self.folder)
        wrong, told = [], []
        for way in (self.by_server, self.by_check):
            try:
                told.append(way(seconds, markers))
            except (Failed, Gone) as error:
                wrong.append(f"{way.__name__[3:]}: {error}")
        if listing(self.folder) != before:
            wrong.append("the folder is not what it was")
        expect(not wrong, "; ".join(wrong))
        return "; ".join(told)

    def by_server(self, seconds: float, markers) -> str:
        log = self.bench.folder / "server.strace"
        server = self.bench.server(prefix=tracing(log))
        server.keep_said = True
        wrong, highest, slowest = [], 0, 0.0
        try:
            server.begin(self.folder)
            slowest = surveyed(server, self.folder, seconds, markers, or_said=self.or_left_out)
            highest = server.size("VmHWM")
            server.until(lambda: self.server_says in bytes(server.said), 10, f"word: {self.server_says.decode()}")
            server.finish()
        except (Failed, Gone) as error:
            wrong.append(str(error))
        finally:
            server.close()
        wrong += self.wrong(log, bytes(server.said) + server.stderr())
        if highest >= MEMORY:
            wrong.append(f"it took {highest >> 20} MiB")
        expect(not wrong, "; ".join(wrong))
        return f"server: hover within {slowest * 1000:.0f} ms, {highest >> 20} MiB"

    def by_check(self, seconds: float, markers) -> str:
        log = self.bench.folder / "check.strace"
        wrong, said, code = [], b"", None
        try:
            done = self.bench.cli("check", self.folder, timeout=seconds, prefix=tracing(log))
            said, code = done.stdout + done.stderr, done.returncode
            if not (self.or_left_out and self.or_left_out.encode() in done.stderr and code == 2):
                wrong += [f"no word of {name}" for name in markers if name.encode() not in said]
        except Failed as error:
            wrong.append(str(error))
        if code not in (1, 2):
            wrong.append(f"exit code {code}")
        if self.check_says not in said:
            wrong.append(f"no word: {self.check_says.decode()}")
        wrong += self.wrong(log, said)
        expect(not wrong, "; ".join(wrong))
        return f"check: exit code {code}"

    def wrong(self, log: Path, said: bytes) -> list[str]:
        wrong = Trace.read(log).faults(self.folder, self.bench.cpz, self.bench.folder / "home")
        for secret in (SECRET.encode(), b"root:x:0"):
            if secret in said:
                at = said.index(secret)
                wrong.append(f"told what stands outside: {said[max(0, at - 60) : at + 40]!r}")
        return wrong


def listing(folder: Path) -> list:
    """What there is in a folder, without looking into it far."""
    entries = sorted(os.scandir(os.fsencode(folder)), key=lambda e: e.name)
    return [(e.name, s.st_mode, s.st_size, s.st_mtime_ns) for e in entries for s in [e.stat(follow_symlinks=False)]]


def surveyed(server, folder: Path, seconds: float, markers=MARKERS, within: float = 1.0, or_said: str = "") -> float:
    """Waits until the findings of the folder are there; the slowest answer to a hover meanwhile.

    In their place the server may say a word about what is in their way."""
    wanted = {(folder / name).as_uri() for name in markers}
    seconds = seconds / 4 if or_said else seconds
    deadline = time.monotonic() + seconds
    slowest, heard, since = 0.0, -1, time.monotonic()
    while True:
        took = server.probe(timeout=max(within * 5, 5))
        slowest = max(slowest, took)
        found = {uri for uri in wanted if server.published.get(uri, {}).get("diagnostics")}
        now = time.monotonic()
        news = len(server.published)
        if news != heard:
            heard, since = news, now
        # A little silence behind the last of them, for what comes late.
        if wanted <= found and now - since > 0.3:
            break
        if or_said and any(or_said in json.dumps(message["params"]) for message in list(server.told)):
            break
        if now > deadline:
            lacking = sorted(uri.rsplit("/", 1)[-1] for uri in wanted - found)
            word = f", and no word about {or_said}" if or_said else ""
            raise Failed(f"no findings of {', '.join(lacking)}{word} after {seconds:g} s, {server.size() >> 20} MiB")
        time.sleep(0.02)
    expect(slowest < within, f"a hover took {slowest:.2f} s")
    server.published.pop(PROBE, None)
    return slowest


# ---- Links ------------------------------------------------------------------------------------


@fault("links-to-files", "A link out of the folder is not followed: nothing of the file is read or told")
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


@fault("links-to-folders", "A link to a folder outside is not followed, and links in a circle end")
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


@fault("link-as-cpz-toml", "A `cpz.toml` that is a link out of the folder is not read, nor told of")
def link_as_configuration(bench: Bench) -> str:
    scene = Scene(bench)
    scene.link("cpz.toml", scene.outside / "secret.toml")
    scene.link("sub/cpz.toml", "/etc/passwd")
    scene.write("sub/a.cpz", BAD)
    scene.link("in/cpz.toml", "../sub/cpz.toml")
    scene.write("in/a.cpz", BAD)
    return scene.observe()


@fault("link-as-ignore-list", "A list of ignored files that is a link out of the folder is not read; the folder is checked, or it is said that it is left out")
def link_as_ignore_list(bench: Bench) -> str:
    scene = Scene(bench)
    (scene.folder / ".git").mkdir()
    scene.link(".gitignore", scene.outside / "secret.txt")
    scene.link(".ignore", scene.outside / "secret.txt")
    scene.link("sub/.gitignore", "/etc/passwd")
    scene.write("sub/a.cpz", BAD)
    scene.link(".git/info/exclude", scene.outside / "secret.txt")
    return scene.observe(or_left_out="ignore")


@fault("git-file", "A `.git` file that names another folder leads nowhere")
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


@fault("git-config", "What a `.git/config` of the folder names is neither run nor read")
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


# ---- Files that are none ----------------------------------------------------------------------


@fault("pipes-as-puzzles", "A pipe that nobody writes to holds nobody up where a puzzle file is expected")
def pipes_as_puzzles(bench: Bench) -> str:
    scene = Scene(bench)
    for name in ("1.cpz", "sub/2.cpz", "zzz.cpz"):
        scene.pipe(name)
    scene.pipe("a-pipe")
    scene.link("linked.cpz", "a-pipe")
    return scene.observe()


@fault("pipe-as-cpz-toml", "A pipe that nobody writes to holds nobody up where `cpz.toml` is expected")
def pipe_as_configuration(bench: Bench) -> str:
    scene = Scene(bench)
    scene.pipe("cpz.toml")
    scene.pipe("sub/cpz.toml")
    scene.write("sub/a.cpz", BAD)
    return scene.observe()


@fault("pipe-as-gitignore", "A pipe that nobody writes to holds nobody up where `.gitignore` is expected; the folder is checked, or it is said that it is left out")
def pipe_as_gitignore(bench: Bench) -> str:
    scene = Scene(bench)
    (scene.folder / ".git").mkdir()
    scene.pipe(".gitignore")
    return scene.observe(or_left_out=".gitignore")


@fault("pipe-as-ignore", "The same with `.ignore` in a folder further down")
def pipe_as_ignore(bench: Bench) -> str:
    scene = Scene(bench)
    scene.pipe("sub/.ignore")
    scene.write("sub/a.cpz", BAD)
    return scene.observe(or_left_out=".ignore")


@fault("pipe-as-exclude", "The same with `.git/info/exclude`")
def pipe_as_exclude(bench: Bench) -> str:
    scene = Scene(bench)
    scene.pipe(".git/info/exclude")
    return scene.observe(or_left_out="exclude")


@fault("endless-ignore-list", "An ignore list without an end, linked to `/dev/zero`, takes neither memory nor time; the folder is checked, or it is said that it is left out")
def endless_ignore_list(bench: Bench) -> str:
    scene = Scene(bench)
    (scene.folder / ".git").mkdir()
    scene.link(".gitignore", "/dev/zero")
    return scene.observe(or_left_out=".gitignore")


@fault("huge-ignore-list", "The same with an ignore list of 1 GiB")
def huge_ignore_list(bench: Bench) -> str:
    scene = Scene(bench)
    with open(scene.folder / ".ignore", "wb") as file:
        file.truncate(GIB)
    return scene.observe(or_left_out=".ignore")


@fault("endless-puzzle", "A puzzle file or `cpz.toml` without an end, linked to `/dev/zero`, is not read")
def endless_puzzle(bench: Bench) -> str:
    scene = Scene(bench)
    scene.link("zero.cpz", "/dev/zero")
    scene.link("random.cpz", "/dev/urandom")
    scene.link("sub/cpz.toml", "/dev/zero")
    scene.write("sub/a.cpz", BAD)
    return scene.observe()


@fault("huge-puzzle", "A puzzle file of 3 GiB is told of, in the editor too, and not read")
def huge_puzzle(bench: Bench) -> str:
    scene = Scene(bench)
    with open(scene.folder / "huge.cpz", "wb") as file:
        file.truncate(3 * GIB)
    return scene.observe(server_says=b"1 of its files are not read", check_says=b"huge.cpz: longer than 1 GiB")


@fault("huge-cpz-toml", "A `cpz.toml` of 3 GiB is told of and not read")
def huge_configuration(bench: Bench) -> str:
    scene = Scene(bench)
    scene.write("sub/a.cpz", BAD)
    with open(scene.folder / "sub" / "cpz.toml", "wb") as file:
        file.truncate(3 * GIB)
    return scene.observe()


@fault("binary-puzzle", "Files that hold binary data are told of, and their neighbours too")
def binary_puzzle(bench: Bench) -> str:
    scene = Scene(bench)
    scene.write("elf.cpz", Path(bench.cpz).read_bytes()[:500_000])
    scene.write("nul.cpz", b"\0" * 100_000)
    scene.write("latin.cpz", bytes(range(256)) * 400)
    scene.write("utf16.cpz", BAD.encode("utf-16"))
    scene.write("cut.cpz", (BAD * 3).encode() + "é".encode()[:1])
    return scene.observe()


@fault("folders-as-files", "Folders that are named `x.cpz`, `cpz.toml` and `.gitignore` are folders")
def folders_as_files(bench: Bench) -> str:
    scene = Scene(bench)
    scene.write("x.cpz/inner.cpz", BAD)
    scene.write("cpz.toml/inner.cpz", BAD)
    scene.write(".gitignore/x", "")
    scene.write("sub/.ignore/x", "")
    return scene.observe(markers=(*MARKERS, "x.cpz/inner.cpz", "cpz.toml/inner.cpz"))
