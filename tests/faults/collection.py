"""A folder of puzzles that a command rewrites; tells old, new and damaged files apart."""

import os
import signal
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from client import threads_of
from table import Bench, Failed, expect, wait_for_end, wait_until

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
    count: int = 0
    """The number of files; 0 for 400, or 100 every day."""
    lines: int = 100
    old: dict[str, bytes] = field(default_factory=dict)
    new: dict[str, bytes] = field(default_factory=dict)

    @classmethod
    def make(cls, bench: Bench, command: tuple[str, ...], folder: Path | None = None, **more) -> "Collection":
        folder = folder or bench.folder / f"files-{command[0]}"
        collection = cls(bench, command, folder, **more)
        collection.count = collection.count or (100 if bench.quick else 400)
        folder.mkdir(exist_ok=True)
        for number in range(collection.count):
            collection.old[f"{number:04}.cpz"] = text(number, collection.lines, command[0] == "check")
        collection.record_new()
        collection.restore()
        return collection

    def record_new(self):
        """Runs the command on a copy, to record the new texts."""
        elsewhere = self.bench.make(f"undisturbed-{self.folder.name}")
        for name, content in self.old.items():
            (elsewhere / name).write_bytes(content)
        done = self.bench.cli(*self.command, elsewhere)
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

    def stopped_after(self, number: int) -> subprocess.Popen:
        """Starts the command and stops it when a file is replaced but the last ones are not.

        A process that is replaced by others on a busy processor may be too late for that: it tries again, and earlier."""
        for attempt in range(50):
            self.restore()
            process = self.start()
            # Without a pause: on a fast disk all files take a few milliseconds.
            wait_until(lambda: self.is_new(number >> attempt) or process.poll() is not None, "no file is written", 0)
            process.send_signal(signal.SIGSTOP)
            # The signal does not stop all threads at once.
            wait_until(lambda: process.poll() is not None or stopped(process.pid), "the command does not stop")
            if process.poll() is None and not any(self.is_new(self.count - 1 - back) for back in range(self.count // 20)):
                return process
            process.kill()
            wait_for_end(process)
        raise Failed("the command has always ended before it could be stopped")

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


def stopped(pid: int) -> bool:
    return all(state in ("T", "ended") for state, _ in threads_of(pid).values())
