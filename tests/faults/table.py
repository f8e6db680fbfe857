"""The table of faults, and what each of them is given to work with."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from client import Server, limited


class Failed(Exception):
    """A promise that was not kept."""


class Skipped(Exception):
    """What cannot be tried here, and why."""


@dataclass
class Fault:
    """One row: what is done to cpz, and the function that does it and says what happened."""

    name: str
    promise: str
    seconds: int
    run: object


FAULTS: list[Fault] = []


def fault(name: str, promise: str, seconds: int = 60):
    """Enters a function into the table; it returns what happened in a few words."""

    def enter(function):
        FAULTS.append(Fault(name, promise, seconds, function))
        return function

    return enter


def expect(truth, otherwise: str):
    """Keeps a promise, or says how it was broken."""
    if not truth:
        raise Failed(otherwise)


@dataclass
class Bench:
    """A folder of its own for one fault, and the processes and mounts that end with it."""

    cpz: str
    edits: int
    quick: bool = False
    folder: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="cpz-faults-")))
    closing: list = field(default_factory=list)

    def make(self, name: str) -> Path:
        """A new folder below the one of this fault."""
        path = self.folder / name
        path.mkdir(parents=True)
        return path

    def environment(self) -> dict:
        """An environment without what is set up for the person who runs this."""
        home = self.folder / "home"
        home.mkdir(exist_ok=True)
        return {"PATH": os.environ["PATH"], "HOME": str(home), "LC_ALL": "C.UTF-8"}

    def server(self, **more) -> Server:
        more.setdefault("env", self.environment())
        more.setdefault("cwd", self.make_once("cwd"))
        server = Server(self.cpz, **more)
        self.closing.append(server.close)
        return server

    def make_once(self, name: str) -> Path:
        path = self.folder / name
        path.mkdir(exist_ok=True)
        return path

    def cli(self, *arguments, timeout: float = 60, cwd=None, prefix=(), **limits) -> subprocess.CompletedProcess:
        """One run of the command line, within limits."""
        command = limited([*prefix, self.cpz, *map(os.fsdecode, map(os.fsencode, arguments))], **limits)
        process = self.start(command, cwd=cwd)
        try:
            out, err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise Failed(f"cpz {arguments[0]} was still running after {timeout:g} s") from None
        return subprocess.CompletedProcess(command, process.returncode, out, err)

    def start(self, command: list[str], **more) -> subprocess.Popen:
        """A process that does not outlive the fault."""
        more.setdefault("env", self.environment())
        pipe = subprocess.PIPE
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, start_new_session=True, **more
        )
        self.closing.append(lambda: end(process))
        return process

    def mount(self, name: str, size: str) -> Path:
        """A small file system of its own; only root can have one."""
        path = self.make(name)
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "cpz-faults", path], capture_output=True)
        if done.returncode != 0:
            raise Skipped("a file system can only be mounted by root")
        self.closing.append(lambda: subprocess.run(["umount", "-l", path], check=True))
        return path

    def close(self):
        for end_it in reversed(self.closing):
            end_it()
        remove(self.folder)


def end(process: subprocess.Popen):
    """Kills a process and those that it started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
    for pipe in (process.stdout, process.stderr):
        pipe.close()


def remove(folder: Path):
    """Removes a folder however deep it is."""
    if subprocess.run(["rm", "-rf", "--", folder], capture_output=True).returncode != 0:
        shutil.rmtree(folder, ignore_errors=True)


def eventually(condition, seconds: float) -> bool:
    """Whether something becomes true in time."""
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return bool(found)


def needs(program: str):
    """Skips a fault where a program is missing that it cannot be tried without."""
    if shutil.which(program) is None:
        raise Skipped(f"{program} is not installed")
