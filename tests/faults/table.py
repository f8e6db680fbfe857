"""The table of faults, and the test bench that each fault gets."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from client import HUNG, PAUSE, Server, limited, watch


class Failed(Exception):
    """The behaviour differs from the required one."""


class Skipped(Exception):
    """The fault cannot run here; the message says why."""


@dataclass
class Fault:
    """One row of the table. `run` returns the result in a few words."""

    name: str
    title: str
    run: object


FAULTS: list[Fault] = []


def fault(name: str, title: str):
    """Registers a function as a fault. The title says the condition and the required behaviour."""

    def register(function):
        FAULTS.append(Fault(name, title, function))
        return function

    return register


def expect(condition, message: str):
    """Raises `Failed` with a message unless the condition is true."""
    if not condition:
        raise Failed(message)


@dataclass
class Bench:
    """The folder of one fault, and its processes and mounts, which `close` ends."""

    cpz: str
    edits: int
    quick: bool = False
    folder: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="cpz-faults-")))
    closing: list = field(default_factory=list)

    def make(self, name: str) -> Path:
        """Creates a folder in the folder of this fault; fails if it exists."""
        path = self.folder / name
        path.mkdir(parents=True)
        return path

    def environment(self) -> dict:
        """An environment without the settings of the user who runs the tests, except those by which tests/mutants changes the program."""
        home = self.folder / "home"
        home.mkdir(exist_ok=True)
        mutant = {name: value for name, value in os.environ.items() if name.startswith("CPZ_MUTANT")}
        return {"PATH": os.environ["PATH"], "HOME": str(home), "LC_ALL": "C.UTF-8", **mutant}

    def server(self, **more) -> Server:
        more.setdefault("env", self.environment())
        more.setdefault("cwd", self.folder_named("cwd"))
        server = Server(self.cpz, **more)
        self.closing.append(server.close)
        return server

    def folder_named(self, name: str) -> Path:
        path = self.folder / name
        path.mkdir(exist_ok=True)
        return path

    def cli(self, *arguments, cwd=None, prefix=(), **limits) -> subprocess.CompletedProcess:
        """Runs the command line with limits; fails if it hangs."""
        command = limited([*prefix, self.cpz, *map(os.fsdecode, map(os.fsencode, arguments))], **limits)
        process = self.start(command, cwd=cwd)
        code, out, err = wait_for_end(process, f"cpz {arguments[0]}")
        return subprocess.CompletedProcess(command, code, out, err)

    def start(self, command: list[str], **more) -> subprocess.Popen:
        """Starts a process that is killed at the end of the fault."""
        more.setdefault("env", self.environment())
        pipe = subprocess.PIPE
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, start_new_session=True, **more
        )
        self.closing.append(lambda: end(process))
        return process

    def mount(self, name: str, size: str) -> Path:
        """Mounts a small tmpfs; needs root."""
        path = self.make(name)
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "cpz-faults", path], capture_output=True)
        if done.returncode != 0:
            raise Skipped("only root can mount a file system")
        self.closing.append(lambda: subprocess.run(["umount", "-l", path], check=True))
        return path

    def close(self):
        for action in reversed(self.closing):
            action()
        remove(self.folder)


def end(process: subprocess.Popen):
    """Kills a process and its children."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
    for pipe in (process.stdout, process.stderr):
        pipe.close()


def remove(folder: Path):
    """Removes a folder of any depth."""
    if subprocess.run(["rm", "-rf", "--", folder], capture_output=True).returncode != 0:
        shutil.rmtree(folder, ignore_errors=True)


def wait_for_end(process: subprocess.Popen, what: str = "the process") -> tuple[int, bytes, bytes]:
    """Waits for the end of a process; returns the exit code and its output."""
    watch()
    try:
        out, err = process.communicate(timeout=HUNG)
    except subprocess.TimeoutExpired:
        raise Failed(f"hung: {what} does not end") from None
    return process.returncode, out, err


def wait_until(condition, what: str, pause: float = PAUSE):
    """Waits for something that reports no event; returns the value of the condition."""
    watch()
    deadline = time.monotonic() + HUNG
    while not (found := condition()):
        expect(time.monotonic() < deadline, f"hung: {what}")
        time.sleep(pause)
    return found


def needs(program: str):
    """Skips the fault if a program that it needs is not installed."""
    if shutil.which(program) is None:
        raise Skipped(f"{program} is not installed")
