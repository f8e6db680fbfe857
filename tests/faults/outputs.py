"""The file that `-o` names: what it keeps of the one that it replaces, two commands that write it, clocks that jump."""

import os
import shutil
import stat
import struct
from pathlib import Path

from calls import BOARD, FENS
from files import give_to_nobody, run_unprivileged
from table import Bench, Skipped, expect, fault, needs, wait_for_end

PRECIOUS = b"// precious\n"

OUTPUTS = {
    "import": ("import", "games.fen", "-o", "out"),
    "export": ("export", "--to", "json", "puzzles.cpz", "-o", "out"),
    "print": ("print", "puzzles.cpz", "-o", "out"),
    "draw": ("draw", "puzzles.cpz", "-o", "."),
}


def outputs(bench: Bench):
    """For each command that has `-o`: its name, its arguments, a folder with what it reads, and the file that it writes."""
    for name, arguments in OUTPUTS.items():
        folder = bench.make(f"output-{name}")
        (folder / "games.fen").write_text(FENS[:4000])
        (folder / "puzzles.cpz").write_text(BOARD % ("one", "board"))
        yield name, arguments, folder, folder / ("1.svg" if name == "draw" else "out")


def leftovers(folder: Path) -> list[str]:
    return [name for name in os.listdir(folder) if name.startswith(".")]


@fault("output-keeps-rights", "A file that `-o … --force` replaces keeps its mode, its access control list and its extended attributes: what was private stays private")
def output_keeps_rights(bench: Bench) -> str:
    acl, undefined = "system.posix_acl_access", 0xFFFFFFFF
    # The owner and user 1001 may read and write, the group and others may not.
    entries = [(1, 6, undefined), (2, 6, 1001), (4, 0, undefined), (16, 6, undefined), (32, 0, undefined)]
    value = struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)
    wrong = []
    for name, arguments, folder, out in outputs(bench):
        out.write_bytes(PRECIOUS)
        out.chmod(0o600)
        done = bench.cli(*arguments, "--force", cwd=folder)
        expect(done.returncode == 0 and out.read_bytes() != PRECIOUS, f"{name}: not written: {done.stderr!r}")
        mode = stat.S_IMODE(out.stat().st_mode)
        if mode != 0o600:
            wrong.append(f"{name}: mode 0600 became {mode:04o}")
        try:
            os.setxattr(out, acl, value)
            os.setxattr(out, "user.origin", b"a box")
        except OSError as error:
            raise Skipped(f"this file system has no access control lists: {error}") from error
        bench.cli(*arguments, "--force", cwd=folder)
        kept = os.listxattr(out)
        if acl not in kept or os.getxattr(out, acl) != value:
            wrong.append(f"{name}: the access control list is gone")
        if "user.origin" not in kept:
            wrong.append(f"{name}: the extended attribute is gone")
    expect(not wrong, "; ".join(wrong))
    return "all unchanged"


@fault("output-read-only", "A read-only file is not replaced, with `--force` either, and nothing is written into a read-only folder: exit code 2, and the file is named")
def output_read_only(bench: Bench) -> str:
    wrong = []
    for name, arguments, folder, out in outputs(bench):
        give_to_nobody(folder, *folder.iterdir())
        out.write_bytes(PRECIOUS)
        out.chmod(0o444)
        give_to_nobody(out)
        paths = [str(folder / word) if word in ("games.fen", "puzzles.cpz", "out", ".") else word for word in arguments]
        for read_only, options in (("file", ("--force",)), ("folder", ())):
            if read_only == "folder":
                out.unlink()
                folder.chmod(0o555)
            code, _, err = run_unprivileged(bench, *paths, *options)
            folder.chmod(0o755)
            if read_only == "file" and out.read_bytes() != PRECIOUS:
                wrong.append(f"{name}: a file of mode 0444 was replaced, exit code {code}")
            elif code != 2 or out.name.encode() not in err and name != "draw":
                wrong.append(f"{name}, read-only {read_only}: exit code {code}: {err!r}")
            if leftovers(folder):
                wrong.append(f"{name}, read-only {read_only}: left behind {leftovers(folder)}")
    expect(not wrong, "; ".join(wrong))
    return "nothing written, exit code 2"


@fault("two-outputs-at-once", "Two commands write one new file at the same time: one of them does, the other one reports that there is a file; with `--force` the file is that of one of them")
def two_outputs_at_once(bench: Bench) -> str:
    codes: set[tuple[int, ...]] = set()
    for name, arguments, folder, out in outputs(bench):
        expect(bench.cli(*arguments, cwd=folder).returncode == 0, f"{name} does not work")
        whole = out.read_bytes()
        for options in ((), ("--force",)) * (2 if bench.quick else 10):
            out.unlink()
            both = [bench.start([bench.cpz, *arguments, *options], cwd=folder) for _ in range(2)]
            ends = [wait_for_end(process) for process in both]
            codes.add(pair := tuple(sorted(code for code, _, _ in ends)))
            expect(out.read_bytes() == whole, f"{name}: the file is not that of one of them")
            expect(not leftovers(folder), f"{name}: left behind {leftovers(folder)}")
            expect(pair == (0, 0) if options else pair in ((0, 2), (0, 1)), f"{name} {options}: exit codes {pair}: {[err for *_, err in ends]}")
    return "exit codes " + ", ".join(f"{a}+{b}" for a, b in sorted(codes))


@fault("output-is-input", "A file that a command reads is never the one that `-o … --force` replaces, under another name either: exit code 2")
def output_is_input(bench: Bench) -> str:
    wrong = []
    for name, arguments, folder, _ in outputs(bench):
        if name == "draw":
            continue
        source = folder / next(word for word in arguments if word in ("games.fen", "puzzles.cpz"))
        before = source.read_bytes()
        (folder / "link").symlink_to(source.name)
        for output in (source.name, f"./{source.name}", str(source), "link"):
            done = bench.cli(*arguments[:-1], output, "--force", cwd=folder)
            if source.read_bytes() != before or done.returncode != 2:
                wrong.append(f"{name} -o {output}: exit code {done.returncode}, the file is {'kept' if source.read_bytes() == before else 'replaced'}")
                source.write_bytes(before)
    expect(not wrong, "; ".join(wrong))
    return "each file kept, exit code 2"


DATES = ("1902-01-01 00:00:00", "1970-01-01 00:00:00", "2038-01-19 03:14:08", "2107-06-01 00:00:00", "2486-07-02 00:00:00")
"""Before the first second of Unix, at it, and beyond what 32 bits, FAT and nanoseconds in 64 bits can hold."""


@fault("clock", "With a clock far in the past or in the future, or one that runs a thousand times too fast, files are written, checked and exported as ever")
def clock(bench: Bench) -> str:
    needs("faketime")
    expected = None
    for date in (None, *DATES, "+0 x1000", "-1000d x0.001"):
        folder = bench.make(f"clock-{DATES.index(date) if date in DATES else date}")
        (folder / "games.fen").write_text(FENS[:4000])
        (folder / "puzzles.cpz").write_text(BOARD % ("one", "board"))
        # Only the time of day: nothing sets the clock that counts from the start of the machine.
        environment = {**bench.environment(), "DONT_FAKE_MONOTONIC": "1"}
        fake = ["faketime", "-f", date] if date and date[0] in "+-" else ["faketime", date] if date else []
        for command in (("fmt",), ("solve", "--write"), ("export", "--to", "json", "-o", "out.json"), ("import", "games.fen", "-o", "games.cpz"), ("check", "--format", "json")):
            process = bench.start([*fake, bench.cpz, *command], cwd=folder, env=environment)
            code, out, err = wait_for_end(process)
            expect(code == 0 and b"panicked" not in err, f"{date}: {command} has exit code {code}: {err[-200:]!r}")
        found = {path.name: path.read_bytes() for path in folder.iterdir()} | {"": out}
        expected = expected or found
        expect(found == expected, f"{date}: other files than with the true clock: {[n for n in found if found[n] != expected.get(n)]}")
        shutil.rmtree(folder)
    return f"{len(DATES) + 2} clocks, the same files"
