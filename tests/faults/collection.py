"""A folder of puzzles that a command rewrites, and what became of each of its files."""

import os
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

from table import Bench, expect

COMMANDS = {
    "fmt": ("fmt",),
    "solve --write": ("solve", "--write"),
    "convert": ("convert", "--to", "coordinates"),
    "check --fix": ("check", "--fix"),
}


def text(number: int, lines: int, wrong: bool) -> bytes:
    """A text that every command changes, at its beginning and at its end."""
    keyword = "bord" if wrong else "board"
    puzzle = f"   solitaire  '%s {number}' {{ {keyword}   ...N.....R....B.\n solve }}\n"
    filler = f"// {number} {'.' * 72}\n" * lines
    return (puzzle % "first" + filler + puzzle % "last").encode()


@dataclass
class Collection:
    """Files with their old text, and the text that the command makes of it when nothing disturbs it."""

    bench: Bench
    command: tuple[str, ...]
    folder: Path
    count: int = 400
    lines: int = 100
    old: dict[str, bytes] = field(default_factory=dict)
    new: dict[str, bytes] = field(default_factory=dict)
    seconds: float = 0.0

    @classmethod
    def make(cls, bench: Bench, command: tuple[str, ...], folder: Path | None = None, **more) -> "Collection":
        folder = folder or bench.folder / f"files-{command[0]}"
        made = cls(bench, command, folder, **more)
        folder.mkdir(exist_ok=True)
        for number in range(made.count):
            made.old[f"{number:04}.cpz"] = text(number, made.lines, command[0] == "check")
        made.learn()
        made.restore()
        return made

    def learn(self):
        """Runs the command undisturbed, elsewhere, to know what it writes and how long it takes."""
        elsewhere = self.bench.make(f"undisturbed-{time.monotonic_ns()}")
        for name, content in self.old.items():
            (elsewhere / name).write_bytes(content)
        start = time.monotonic()
        done = self.bench.cli(*self.command, elsewhere)
        self.seconds = time.monotonic() - start
        self.new = {name: (elsewhere / name).read_bytes() for name in self.old}
        alike = [name for name in self.old if self.old[name] == self.new[name]]
        expect(done.returncode == 0 and not alike, f"{self.command[0]} changed nothing: {done.stderr!r}")

    def restore(self):
        """Gives every file its old text, and removes what is left behind."""
        for name in self.left_behind():
            (self.folder / name).unlink()
        for name, content in self.old.items():
            path = self.folder / name
            if not path.exists() or path.read_bytes() != content:
                path.write_bytes(content)

    def left_behind(self) -> list[str]:
        return sorted(set(os.listdir(self.folder)) - set(self.old))

    def start(self) -> subprocess.Popen:
        return self.bench.start([self.bench.cpz, *self.command, str(self.folder)])

    def is_new(self, number: int) -> bool:
        """Whether a file has been replaced; its length tells, and reading all of it is slow."""
        name = f"{number:04}.cpz"
        try:
            return (self.folder / name).stat().st_size != len(self.old[name])
        except OSError:
            return True

    def await_new(self, number: int, process: subprocess.Popen, seconds: float = 30):
        """Waits until a file is replaced, or the process is over."""
        deadline = time.monotonic() + seconds
        while not self.is_new(number) and process.poll() is None:
            expect(time.monotonic() < deadline, "nothing was written in time")

    def state(self, folder: Path | None = None, besides: tuple[str, ...] = ()) -> tuple[int, int]:
        """How many files are old and how many new; one that is neither is a broken promise."""
        old = new = 0
        for name in self.old:
            if name in besides:
                continue
            content = ((folder or self.folder) / name).read_bytes()
            old += content == self.old[name]
            new += content == self.new[name]
            whole = content in (self.old[name], self.new[name])
            expect(whole, f"{name} is neither the old nor the new text: {len(content)} bytes, {content[-60:]!r}")
        return old, new
