"""A folder of puzzles that a command rewrites; tells old, new and damaged files apart."""

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
    """A text that every command changes, near its start and near its end."""
    keyword = "bord" if wrong else "board"
    puzzle = f"   solitaire  '%s {number}' {{ {keyword}   ...N.....R....B.\n solve }}\n"
    filler = f"// {number} {'.' * 72}\n" * lines
    return (puzzle % "first" + filler + puzzle % "last").encode()


@dataclass
class Collection:
    """Files with their old text, and the new text that an undisturbed run of the command writes."""

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
        collection = cls(bench, command, folder, **more)
        folder.mkdir(exist_ok=True)
        for number in range(collection.count):
            collection.old[f"{number:04}.cpz"] = text(number, collection.lines, command[0] == "check")
        collection.record_new()
        collection.restore()
        return collection

    def record_new(self):
        """Runs the command on a copy, to record the new texts and the time it takes."""
        elsewhere = self.bench.make(f"undisturbed-{time.monotonic_ns()}")
        for name, content in self.old.items():
            (elsewhere / name).write_bytes(content)
        start = time.monotonic()
        done = self.bench.cli(*self.command, elsewhere)
        self.seconds = time.monotonic() - start
        self.new = {name: (elsewhere / name).read_bytes() for name in self.old}
        unchanged = [name for name in self.old if self.old[name] == self.new[name]]
        expect(done.returncode == 0 and not unchanged, f"{self.command[0]} changed nothing: {done.stderr!r}")

    def restore(self):
        """Restores the old texts and removes temporary files."""
        for name in self.leftovers():
            (self.folder / name).unlink()
        for name, content in self.old.items():
            path = self.folder / name
            if not path.exists() or path.read_bytes() != content:
                path.write_bytes(content)

    def leftovers(self) -> list[str]:
        return sorted(set(os.listdir(self.folder)) - set(self.old))

    def start(self) -> subprocess.Popen:
        return self.bench.start([self.bench.cpz, *self.command, str(self.folder)])

    def is_new(self, number: int) -> bool:
        """Whether a file has been replaced. Compares lengths, since reading is slow."""
        name = f"{number:04}.cpz"
        try:
            return (self.folder / name).stat().st_size != len(self.old[name])
        except OSError:
            return True

    def wait_for_new(self, number: int, process: subprocess.Popen, seconds: float = 30):
        """Waits until a file is replaced or the process ends."""
        deadline = time.monotonic() + seconds
        while not self.is_new(number) and process.poll() is None:
            expect(time.monotonic() < deadline, "nothing was written in time")

    def state(self, folder: Path | None = None, except_for: tuple[str, ...] = ()) -> tuple[int, int]:
        """The numbers of old and of new files; fails if a file is neither."""
        old = new = 0
        for name in self.old:
            if name in except_for:
                continue
            content = ((folder or self.folder) / name).read_bytes()
            old += content == self.old[name]
            new += content == self.new[name]
            intact = content in (self.old[name], self.new[name])
            expect(intact, f"{name} is neither the old nor the new text: {len(content)} bytes, {content[-60:]!r}")
        return old, new
