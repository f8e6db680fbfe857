"""Commands that write a file, stopped or refused at each system call that concerns it.

An undisturbed run under strace lists the calls. Then the command runs once for each of them: killed before the call, or
with an error as its result.
"""

import os
import re
import shutil
import signal
from dataclasses import dataclass
from pathlib import Path

from table import Bench, Failed, expect, fault, needs, wait_for_end
from traced import CALL, lines_of

CALLS = (
    "open openat creat read pread64 write writev pwrite64 pwritev copy_file_range sendfile truncate ftruncate fallocate "
    "fsync fdatasync sync_file_range fchmod fchown fsetxattr fremovexattr flock rename renameat renameat2 link linkat unlink "
    "unlinkat mkdir mkdirat close"
).split()
"""Every call that can change a file, or that decides whether it is changed."""

RENAMES = ("rename", "renameat", "renameat2", "link", "linkat")

FIRST, OTHER = "one", "two"
BOARD = "   solitaire  '%s' { %s   ...N.....R....B.\n solve }\n"
FENS = "".join(f"8/8/8/4k3/8/8/8/4K2R w - - {number % 90} 1 ; game {number}\n" for number in range(5000))
"""More puzzles than are read or written at once."""

ACCEPTED = '{"version":1,"findings":[\n{"path":"puzzles.cpz","code":"unknown-keyword","puzzle":"one","fingerprint":"287cd2d233f2fc80","count":1}\n]}\n'
"""A baseline with the first finding of a file that has two."""

MODE = 0o640
"""The mode of a file that is replaced; no new file has it. Who may not read it may not read a copy of it at any moment."""

PRECIOUS = "// precious\n"
"""The text of a file that `--force` replaces."""


@dataclass(frozen=True)
class Writer:
    """A command that writes one file, beside a file that it only reads."""

    arguments: tuple[str, ...]
    written: str
    before: str | None
    """The text of the file to write; `None` if it does not exist."""
    inputs: tuple[tuple[str, str], ...] = ()

    def lay_out(self, folder: Path, anew: bool):
        """Restores the files; with `anew` there is nothing else in the folder."""
        if anew:
            shutil.rmtree(folder, ignore_errors=True)
        (folder / self.written).parent.mkdir(parents=True, exist_ok=True)
        (folder / self.written).unlink(missing_ok=True)
        for name, text in (*self.inputs, *([(self.written, self.before)] if self.before is not None else [])):
            (folder / name).write_text(text)
        if self.before is not None:
            (folder / self.written).chmod(MODE)


PUZZLES = (("more.cpz", BOARD % (OTHER, "board")), ("puzzles.cpz", BOARD % (FIRST, "board")))
GAMES = (("games.fen", FENS),)

WRITERS = {
    "fmt": Writer(("fmt", "puzzles.cpz"), "puzzles.cpz", BOARD % (FIRST, "board")),
    "convert": Writer(("convert", "--to", "coordinates", "puzzles.cpz"), "puzzles.cpz", BOARD % (FIRST, "board")),
    "check --fix": Writer(("check", "--fix", "puzzles.cpz"), "puzzles.cpz", BOARD % (FIRST, "bord")),
    "solve --write": Writer(("solve", "--write", "puzzles.cpz"), "puzzles.cpz", BOARD % (FIRST, "board")),
    "sort": Writer(("sort", "--by", "name", "puzzles.cpz"), "puzzles.cpz", BOARD % (OTHER, "board") + BOARD % (FIRST, "board")),
    "check --accept": Writer(("check", "--baseline", "known.json", "--accept", "puzzles.cpz"), "known.json", ACCEPTED, (("puzzles.cpz", BOARD % (FIRST, "bord") + BOARD % (OTHER, "bord")),)),
    "import -o": Writer(("import", "games.fen", "-o", "new.cpz"), "new.cpz", None, GAMES),
    "import -o --force": Writer(("import", "games.fen", "-o", "old.cpz", "--force"), "old.cpz", PRECIOUS, GAMES),
    "export -o": Writer(("export", "--to", "json", ".", "-o", "new.json"), "new.json", None, PUZZLES),
    "export -o --force": Writer(("export", "--to", "json", ".", "-o", "old.json", "--force"), "old.json", PRECIOUS, PUZZLES),
    "print -o": Writer(("print", ".", "-o", "old.html", "--force"), "old.html", PRECIOUS, PUZZLES),
    "draw -o": Writer(("draw", "puzzles.cpz", "-o", "pictures", "--force"), "pictures/1.svg", PRECIOUS, PUZZLES),
    "generate -o": Writer(("generate", "solitaire", "--pieces", "3", "-o", "new.cpz", "puzzles.cpz"), "new.cpz", None, PUZZLES),
}


@dataclass(frozen=True)
class Point:
    """A call at which a run is disturbed: the `nth` of this name in its thread; of those that concern the files with known
    names, or of all if it concerns a temporary file."""

    call: str
    nth: int
    is_known: bool
    arguments: str

    def names(self) -> bool:
        """Whether the call gives a file the name of the written one."""
        return self.call in RENAMES and self.is_known

    def reads(self, writer: Writer) -> bool:
        """Whether the call reads one of the inputs."""
        is_read = self.call in ("read", "pread64") or "O_RDONLY" in self.arguments
        return is_read and any(f"/{name}" in self.arguments or f'"{name}"' in self.arguments for name, _ in writer.inputs)


class Disturbed:
    """Runs one command again and again; with `refused`, an injection of strace, on a system that refuses a call."""

    def __init__(self, bench: Bench, name: str, refused: str = ""):
        needs("strace")
        self.refused = refused
        self.bench, self.name, self.writer = bench, name, WRITERS[name]
        # Not below the folder of another fault, whose name may have a letter that strace escapes.
        self.folder = bench.folder / "folder"
        self.path = self.folder / self.writer.written
        self.log = bench.folder / "strace"
        self.after, self.points = self.undisturbed()

    def run(self, *options: str, anew: bool = True) -> tuple[int, bytes]:
        """The exit code and what was printed on standard error."""
        self.writer.lay_out(self.folder, anew)
        trace = ("strace", "-f", "-qq", "-y", "-o", str(self.log), *options)
        if self.refused:
            trace += ("-e", f"inject={self.refused}")
        # With one thread beside the first one, each call comes at the same place in each run.
        environment = {**self.bench.environment(), "RAYON_NUM_THREADS": "1"}
        process = self.bench.start([*trace, self.bench.cpz, *self.writer.arguments], cwd=self.folder, env=environment)
        code, _, err = wait_for_end(process, self.name)
        return code, err

    def undisturbed(self) -> tuple[bytes, list[Point]]:
        """The text that the command writes, and the calls that concern the folder."""
        code, err = self.run("-e", "trace=" + ",".join(f"?{call}" for call in CALLS))
        path = self.path
        expect(path.exists() and self.leftovers() == [], f"{self.name}: wrote nothing: exit code {code}, {err!r}")
        after = path.read_bytes()
        expect(self.writer.before is None or path.stat().st_mode & 0o7777 == MODE, f"{self.name}: another mode")
        expect(after != (self.writer.before or "").encode(), f"{self.name}: changed nothing: {err!r}")
        seen: dict[tuple[str, str, bool], int] = {}
        points: dict[tuple[str, int, bool], Point] = {}
        for line in lines_of(self.log):
            if call := CALL.match(line):
                name, arguments, thread = call[1], call[2], line.split(None, 1)[0]
                known = self.concerns_known(line) and "<pipe:" not in line
                # A refused call is at no known path, so all calls are counted then.
                counted = known and not self.refused
                for kind in (False, True) if known else (False,):
                    nth = seen[thread, name, kind] = seen.get((thread, name, kind), 0) + 1
                    if kind == counted and (known or self.concerns(line)) and "O_DIRECTORY" not in arguments:
                        points.setdefault((name, nth, kind), Point(name, nth, known, arguments))
        wrote = [point.call for point in points.values()]
        expect(any(point.names() for point in points.values()), f"{self.name}: no rename in {wrote}")
        return after, list(points.values())

    def known_paths(self) -> list[str]:
        """The names under which a command opens its files."""
        names = [self.writer.written, *(name for name, _ in self.writer.inputs)]
        return [path for name in names for path in (name, f"./{name}", f"{self.folder}/{name}", f"{self.folder}/./{name}")]

    def concerns_known(self, line: str) -> bool:
        """Whether a line of the log names one of these files."""
        return any(f'"{path}"' in line or f"<{path}>" in line for path in self.known_paths())

    def concerns(self, line: str) -> bool:
        """Whether a line of the log names the folder or a file in it."""
        return f"<{self.folder}/" in line or f'"{self.folder}/' in line or f'"{self.folder}"' in line

    def is_renamed(self, point: Point) -> bool:
        """Whether the file has its name when this call is made."""
        return any(before.names() for before in self.points[: self.points.index(point)])

    def leftovers(self) -> list[str]:
        """What is in the folder of the written file and was not before, except for the file itself."""
        known = {os.path.basename(name) for name in (self.writer.written, *(name for name, _ in self.writer.inputs))}
        return sorted(set(os.listdir(self.path.parent)) - known)

    def state(self, point: str) -> str:
        """`before` or `after`; fails if the file has any other text, or if an input was changed."""
        for name, text in self.writer.inputs:
            expect((self.folder / name).read_text() == text, f"{self.name}, {point}: {name} was changed")
        now = self.path.read_bytes() if self.path.exists() else None
        if self.writer.before is not None:
            expect(self.path.stat().st_mode & 0o7777 == MODE, f"{self.name}, {point}: another mode")
        if now == self.after:
            return "after"
        before = None if self.writer.before is None else self.writer.before.encode()
        expect(now == before, f"{self.name}, {point}: the file is neither the old nor the new one: {now and (len(now), now[-60:])}")
        return "before"

    def inject(self, point: Point, what: str, anew: bool = True) -> tuple[int, bytes]:
        """Runs the command with an injection at a point; fails if the point is not reached."""
        only = [option for path in self.known_paths() for option in ("-P", path)] if point.is_known and not self.refused else []
        traced = ",".join({point.call, self.refused.split(":")[0] or point.call})
        code, err = self.run(*only, "-e", "trace=" + traced, "-e", f"inject={point.call}:{what}:when={point.nth}", anew=anew)
        injected = [line for line in lines_of(self.log) if "(INJECTED)" in line]
        is_reached = "signal=" in what or any(self.concerns_known(line) or self.concerns(line) for line in injected)
        expect(is_reached, f"{self.name}: {point} was not reached")
        return code, re.sub(rb"(?m)^strace: Requested path .*\n", b"", err)


def every_writer(bench: Bench, each) -> str:
    results = []
    for name in WRITERS:
        results.append(each(Disturbed(bench, name)))
    return "; ".join(results)


def killed(run: Disturbed, points: list[Point]) -> str:
    """Kills a command at each of these points, each time in a new folder, and then several times in one folder."""
    counts = {"before": 0, "after": 0}
    leaving = []
    for point in points:
        kill(run, point, counts)
        leaving += [point] if run.leftovers() else []
    expect(counts["before"], f"{run.name}: never killed before the rename")
    for point in leaving * (MANY if len(leaving) == 1 else 1):
        kill(run, point, counts, anew=False)
    had = len(run.leftovers())
    code, err = run.run(anew=False)
    expect(code in (0, 1) and run.state("after the kills") == "after", f"{run.name}: after the kills, exit code {code}: {err!r}")
    replaces = run.writer.before is not None
    expect(not replaces or not run.leftovers(), f"{run.name}: the run after the kills leaves {run.leftovers()}")
    return f"{run.name}: {len(points)} calls, {counts['before']} before, {counts['after']} after, a temporary file left by {len(leaving)}, {had} in the end"


MANY = 4
"""How often a command is killed at one call."""


def kill(run: Disturbed, point: Point, counts: dict[str, int], anew: bool = True):
    """Kills a command at a point; counts what became of the file."""
    code, _ = run.inject(point, "signal=KILL", anew)
    at = f"killed at {point.call} {point.nth}"
    expect(code in (-signal.SIGKILL, 128 + signal.SIGKILL), f"{run.name}, {at}: exit code {code}")
    counts[run.state(at)] += 1
    here = run.leftovers()
    expect(len(here) <= 1 and all(name.startswith(".cpz-") for name in here), f"{run.name}, {at}: left behind {here}")
    for name in here if run.writer.before is not None else []:
        mode = (run.path.parent / name).stat().st_mode & 0o777
        expect(mode & ~MODE == 0, f"{run.name}, {at}: the temporary file has the mode {mode:o}, the file {MODE:o}")


@fault("killed-at-each-call", "Killed at each system call that opens, writes, syncs, links, renames or closes: the file is the one before or the one after, at most one `.cpz-*` file is left, however often, and the next run that replaces a file removes it")
def killed_at_each_call(bench: Bench) -> str:
    """A kill before a call shows what all calls before it have done, so that no state between two calls is missed."""

    def each(run: Disturbed) -> str:
        return killed(run, run.points)

    return every_writer(bench, each)


PLAIN = ("fmt", "import -o", "export -o --force")
"""A command that replaces a file, one that makes a new one, and one that writes long before it replaces."""


@fault("no-unnamed-files", "The same on a file system that has no files without a name, or that gives them none: the file is written, and its mode is kept")
def no_unnamed_files(bench: Bench) -> str:
    results = []
    for name in PLAIN:
        usual = Disturbed(bench, name)
        opened = [point for point in usual.points if "O_TMPFILE" in point.arguments]
        expect(len(opened) == 1, f"{name}: files without a name: {opened}")
        call = opened[0].call
        without = Disturbed(bench, name, f"{call}:error=EOPNOTSUPP:when={opened[0].nth}")
        expect(without.after == usual.after, f"{name}: another text")
        # strace refuses a call of a kind or kills at it, not both.
        results.append(killed(without, [point for point in without.points if point.call != call]))
        unlinked = Disturbed(bench, name, "linkat:error=EPERM")
        expect(unlinked.after == usual.after, f"{name}: another text where no file can be linked")
    return "; ".join(results)


REASONS = {"EIO": b"nput/output error", "ENOSPC": b"space", "EACCES": b"ermission denied"}
"""The errors, with what a message says of them."""

TAKES_SPACE = re.compile("write|pwrite|fsync|fdatasync|rename|link|mkdir|fallocate|ftruncate")


def check_refused(run: Disturbed, point: Point, error: str) -> str:
    """Runs a command with an error as the result of a call; returns what became of the file, or fails."""
    code, err = run.inject(point, f"error={error}")
    at = f"{error} of {point.call} {point.nth}"
    expect(b".cpz-" not in err and b"panicked" not in err, f"{run.name}, {at}: the message is {err[-200:]!r}")
    expect(not run.leftovers(), f"{run.name}, {at}: left behind {run.leftovers()}")
    if run.writer.before is None and point.reads(run.writer) and code in (1, 2):
        return "a part" if run.path.exists() else "before"
    state = run.state(at)
    if state == "before":
        expect(code == 2, f"{run.name}, {at}: not written, exit code {code}: {err[-200:]!r}")
        expect(REASONS[error] in err, f"{run.name}, {at}: the reason is not reported: {err[-200:]!r}")
    elif not run.is_renamed(point):
        # To close what is written and synced can fail without harm, and so can a lock that a file system does not have.
        expect(point.call in ("close", "flock"), f"{run.name}, {at}: written all the same, exit code {code}: {err[-200:]!r}")
        expect(code in (0, 1), f"{run.name}, {at}: written, exit code {code}: {err[-200:]!r}")
    return state


@fault("error-at-each-call", "With EIO or ENOSPC as the result of each of these calls, or EACCES as that of a rename: a file that exists is the one before, no temporary file is left, the reason is reported and the exit code is 2")
def error_at_each_call(bench: Bench) -> str:
    """What has no effect on the file may fail unseen. A file that did not exist may hold what could be read."""
    wrong: list[str] = []

    def each(run: Disturbed) -> str:
        states: list[str] = []
        for point in run.points:
            takes_space = TAKES_SPACE.match(point.call) or "O_CREAT" in point.arguments
            errors = ["EIO", *(["ENOSPC"] if takes_space else []), *(["EACCES"] if point.call.startswith("rename") else [])]
            for error in errors:
                try:
                    states.append(check_refused(run, point, error))
                except Failed as problem:
                    wrong.append(str(problem))
        return f"{run.name}: " + ", ".join(f"{states.count(state)} {state}" for state in sorted(set(states)))

    results = every_writer(bench, each)
    expect(not wrong, f"{len(wrong)} wrong: " + "; ".join(wrong))
    return results
