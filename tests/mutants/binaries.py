"""The test programs: which functions a test calls, and whether tests fail with a change."""

import json
import math
import os
import re
import resource
import signal
import subprocess
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path

MEMORY = 8 << 30
STACK = 256 << 20
"""Bytes that a test may take. The copies of a function's body make its frame larger, so the stacks are larger, too."""


FAULTS = re.compile(r"\w+-at-each-call|SIG\w+-while-writing|\w+-kept|read-only-\w+|output-.+|disk-full|changed-between|two-at-once|links-to-files")
"""The faults of tests/faults that are about written files."""


MAX_TEST = 20
"""The seconds of processor time from which on a test is too slow to run with many changes."""


STILL = 60
"""The seconds after which processes that wait, and take next to no processor, hang."""

ASLEEP = 0.05
"""The part of a processor that is next to none: what waits in a loop wakes up again and again."""


@dataclass
class Binary:
    """A program with tests, or the faults of tests/faults."""

    name: str
    path: str
    folder: str
    """Where it runs: the folder of its crate."""
    cpz: str = ""
    """The program that faults test."""

    def command(self, tests: list[str]) -> list[str]:
        if self.cpz:
            return [self.path, "--quick", *(f"--only={test}" for test in tests)]
        return [self.path, "--exact", "--test-threads=1", *tests]


@dataclass
class Ended:
    """How a run of tests ended: the name of the test that failed, or how the program did. `None` if all is well."""

    failure: str | None
    cpu: float
    """Seconds, with those of the processes that it started."""


def environment(**more: str) -> dict[str, str]:
    # Property tests draw the same cases in each run.
    return {**os.environ, "PROPTEST_RNG_SEED": "1", "RUST_MIN_STACK": str(64 << 20), "RUST_BACKTRACE": "0", **more}


def names(binary: Binary) -> list[str]:
    """The tests of a program, without those that it skips."""

    def listed(*options: str) -> list[str]:
        command = [binary.path, "--list", *options]
        env = environment(CPZ=binary.cpz)
        return subprocess.run(command, cwd=binary.folder, env=env, stdout=subprocess.PIPE, check=True, text=True).stdout.splitlines()

    if binary.cpz:
        return [name for name in (line.split(":")[0] for line in listed()) if FAULTS.fullmatch(name)]
    ignored = listed("--ignored")
    return sorted(line.removesuffix(": test") for line in listed() if line.endswith(": test") and line not in ignored)


def run(binary: Binary, tests: list[str], cpu: int, **env: str) -> Ended:
    """Runs tests one after the other until one fails. They hang if a process takes more than `cpu` seconds of processor time, or if all
    wait for `STILL` seconds; one that other programs keep from a processor does not."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_STACK, (STACK, resource.RLIM_INFINITY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def kill() -> None:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    process = subprocess.Popen(
        binary.command(tests),
        cwd=binary.folder,
        env=environment(CPZ=binary.cpz, **env),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        preexec_fn=limit,
    )
    failure = None
    ended, hung = threading.Event(), threading.Event()

    def watch() -> None:
        before = 0.0
        while not ended.wait(STILL):
            used, is_ready = session(process.pid)
            if not is_ready and used < before + STILL * ASLEEP:
                hung.set()
                kill()
            before = used

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    for line in process.stdout:
        if failed := re.search(rb"^test (\S+) .*FAILED$|\.\.\. FAILED$|^FAILED  (\S+):", line.rstrip()):
            failure = (failed[1] or failed[2] or b"a test").decode()
            kill()
            break
    process.stdout.close()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    ended.set()
    # Processes that a test has left behind.
    kill()
    if not failure and (hung.is_set() or process.returncode in (-signal.SIGXCPU, -signal.SIGKILL)):
        failure = "hangs"
    elif not failure and process.returncode != 0:
        failure = f"exit code {process.returncode}"
    return Ended(failure, used.ru_utime + used.ru_stime)


def session(leader: int) -> tuple[float, bool]:
    """The seconds of processor time that the processes of a session have taken, and whether a thread of them runs or waits for a
    processor."""
    ticks, is_ready = 0, False
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
            if int(fields[3]) == leader:
                ticks += sum(map(int, fields[11:15]))
                threads = stat.parent.glob("task/*/stat")
                is_ready |= any(thread.read_text().rpartition(")")[2].split()[0] in "RD" for thread in threads)
        except OSError:
            pass  # It has ended.
    return ticks / os.sysconf("SC_CLK_TCK"), is_ready


def trace(binary: Binary, test: str, longest: float) -> dict:
    """What a test calls, the seconds that it takes, and whether it passes without a change, in no more than `longest` seconds."""
    with tempfile.NamedTemporaryFile("r", prefix="cpz-mutants-") as file:
        ended = run(binary, [test], math.ceil(4 * longest), CPZ_MUTANT_TRACE=file.name)
        called = sorted(set(Path(file.name).read_text().splitlines()))
    if ended.cpu > longest / 4 and not ended.failure:
        # Writing down the calls takes a part of it.
        ended = run(binary, [test], math.ceil(longest))
    return {"test": test, "binary": binary.name, "cpu": ended.cpu, "failure": ended.failure, "calls": called}


def built(lines: list[str], tree: Path) -> list[Binary]:
    """The test programs in the messages of `cargo test --no-run --message-format json`."""
    binaries = []
    for line in lines:
        message = json.loads(line)
        if message["reason"] != "compiler-artifact" or not message.get("executable"):
            continue
        if message["target"]["name"] == "cpz" and not message["profile"]["test"]:
            binaries.append(Binary("faults", str(tree / "tests/faults/run"), str(tree), message["executable"]))
        elif message["profile"]["test"]:
            folder = str(Path(message["manifest_path"]).parent)
            crate = os.path.relpath(folder, tree)
            name = message["target"]["name"] if crate == "." else crate
            binaries.append(Binary(f"{name} {message['target']['kind'][0]}", message["executable"], folder))
    return binaries
