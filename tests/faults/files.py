"""Commands that write, on disks that are full, among others that write, and killed in the middle."""

import os
import random
import signal
import subprocess
import time
from pathlib import Path

from client import limited
from collection import COMMANDS, Collection
from table import Bench, Skipped, expect, fault, needs

NOBODY = 65534


def over(process: subprocess.Popen, seconds: float = 30) -> tuple[int, bytes, bytes]:
    out, err = process.communicate(timeout=seconds)
    return process.returncode, out, err


# ---- Killed -----------------------------------------------------------------------------------


def interrupted(bench: Bench, name: str, by: signal.Signals, times: int) -> tuple[int, int, int, int]:
    """Ends a command at random moments; runs that were in the middle, old files, new files, files left behind."""
    files = Collection.make(bench, COMMANDS[name])
    rest = random.Random(4711)
    middle = olds = news = left = 0
    # On a busy machine the moment may be missed: then it is tried again.
    for attempt in range(4 * times):
        if attempt >= times and middle >= times // 2:
            break
        files.restore()
        process = files.start()
        files.await_new(rest.randrange(files.count), process)
        time.sleep(rest.random() * files.seconds / files.count * 2)
        process.send_signal(by)
        code, _, err = over(process)
        expect(code in (0, -by, 128 + by), f"{name}: exit code {code}: {err[-200:]!r}")
        old, new = files.state()
        here = files.left_behind()
        expect(len(here) <= 1 and all(n.startswith(".cpz-") for n in here), f"{name}: left behind {here}")
        olds, news, left = olds + old, news + new, left + len(here)
        middle += old > 0 and new > 0
        if here:
            code, _, err = over(files.start())
            expect(code == 0, f"{name}: with {here[0]} beside it the next run has exit code {code}: {err[-200:]!r}")
            expect(files.state()[1] == files.count, f"{name}: the next run did not do the rest")
    expect(middle >= times // 2, f"{name}: only {middle} of {times} came in the middle of the writing")
    return middle, olds, news, left


def killed(bench: Bench, by: signal.Signals, times: int) -> str:
    told = []
    for name in COMMANDS:
        middle, old, new, left = interrupted(bench, name, by, times)
        told.append(f"{name}: {middle} of {times} in the middle, {old} files old, {new} new, {left} temporary left")
    return "; ".join(told)


@fault("SIGKILL-while-writing", "Killed while it writes 400 files: each is the old or the new one, and at most one `.cpz-*` is left", 900)
def kill_while_writing(bench: Bench) -> str:
    return killed(bench, signal.SIGKILL, 5 if bench.quick else 30)


@fault("SIGTERM-while-writing", "The same with SIGTERM", 400)
def terminate_while_writing(bench: Bench) -> str:
    return killed(bench, signal.SIGTERM, 3 if bench.quick else 10)


@fault("SIGINT-while-writing", "The same with SIGINT, as Ctrl+C sends it", 400)
def interrupt_while_writing(bench: Bench) -> str:
    return killed(bench, signal.SIGINT, 3 if bench.quick else 10)


# ---- No room ----------------------------------------------------------------------------------


@fault("disk-full", "On a full disk every file is the old or the new one, nothing is left behind, and the exit code is 2", 90)
def disk_full(bench: Bench) -> str:
    told = []
    for name, command in COMMANDS.items():
        disk = bench.mount(f"disk-{command[0]}", "512k")
        files = Collection.make(bench, command, disk, count=20, lines=150)
        filler = disk / "filler"
        with open(filler, "wb", buffering=0) as file:
            try:
                while True:
                    file.write(b"x" * 4096)
            except OSError:
                pass
        code, _, err = over(files.start())
        free = os.statvfs(disk)
        filler.unlink()
        old, new = files.state()
        expect(old > 0, f"{name}: the disk was not full, {free.f_bavail} blocks were free")
        expect(not files.left_behind(), f"{name}: left behind {files.left_behind()}")
        expect(code == 2, f"{name}: exit code {code} with {old} of 20 files not written: {err[-200:]!r}")
        expect(b"space" in err, f"{name}: it does not say why: {err[-200:]!r}")
        told.append(f"{name}: {old} old, {new} new")
    return "; ".join(told) + "; each says why"


@fault("file-size-limit", "Beyond the limit of the size of files (`ulimit -f`) every file is the old one, or the process ends by the signal for it", 60)
def file_size_limit(bench: Bench) -> str:
    told = []
    for name, command in COMMANDS.items():
        files = Collection.make(bench, command, count=20, lines=150)
        process = bench.start(limited([bench.cpz, *command, str(files.folder)], file_blocks=4))
        code, _, err = over(process)
        old, new = files.state()
        left = files.left_behind()
        expect(old == files.count, f"{name}: {new} files of 12 KiB could be written with a limit of 4 KiB")
        expect(code in (2, -signal.SIGXFSZ), f"{name}: exit code {code}: {err[-200:]!r}")
        expect(len(left) <= (code != 2), f"{name}: exit code {code}, left behind {left}")
        told.append(f"{name}: {'SIGXFSZ' if code < 0 else 'exit code 2'}, {len(left)} temporary left")
    return "; ".join(told)


# ---- Not allowed ------------------------------------------------------------------------------


def as_nobody(bench: Bench, *arguments) -> tuple[int, bytes, bytes]:
    """A run without the rights of root."""
    if os.getuid() != 0:
        done = bench.cli(*arguments)
        return done.returncode, done.stdout, done.stderr
    os.chmod(bench.folder, 0o755)
    binary = bench.folder / "cpz"
    if not binary.exists():
        binary.write_bytes(Path(bench.cpz).read_bytes())
        binary.chmod(0o755)
    command = [str(binary), *map(str, arguments)]
    return over(bench.start(command, user=NOBODY, group=NOBODY, extra_groups=[], cwd="/"))


def give_away(*paths: Path):
    if os.getuid() == 0:
        for path in paths:
            os.chown(path, NOBODY, NOBODY)


@fault("read-only-folder", "In a folder that may not be written every file stays, the exit code is 2, and each is told of", 60)
def read_only_folder(bench: Bench) -> str:
    for name, command in COMMANDS.items():
        files = Collection.make(bench, command, count=5, lines=3)
        give_away(files.folder, *files.folder.iterdir())
        files.folder.chmod(0o555)
        code, _, err = as_nobody(bench, *command, files.folder)
        files.folder.chmod(0o755)
        old, _ = files.state()
        expect(old == 5 and not files.left_behind(), f"{name}: {old} of 5 files are as they were")
        expect(code == 2, f"{name}: exit code {code}: {err!r}")
        silent = [n for n in files.old if n.encode() not in err]
        expect(not silent, f"{name}: nothing was said of {silent}: {err!r}")
    return "nothing written, exit code 2, each file named"


@fault("read-only-file", "A file that may not be written is left alone, the exit code is 2, and the others are written", 60)
def read_only_file(bench: Bench) -> str:
    told = set()
    for name, command in COMMANDS.items():
        files = Collection.make(bench, command, count=3, lines=3)
        locked = files.folder / "0001.cpz"
        give_away(files.folder, *files.folder.iterdir())
        locked.chmod(0o444)
        code, _, err = as_nobody(bench, *command, files.folder)
        old, new = files.state()
        mode = locked.stat().st_mode & 0o7777
        expect(new >= 2, f"{name}: only {new} of the others were written: {err!r}")
        expect(mode == 0o444, f"{name}: the mode of the file is {mode:o} now")
        kept = locked.read_bytes() == files.old["0001.cpz"]
        expect(kept, f"{name}: a file of mode 0444 was replaced, exit code {code}")
        expect(code == 2, f"{name}: exit code {code} though a file was not written: {err!r}")
        told.add("left as it was, exit code 2")
    return "; ".join(told)


# ---- Others at work ---------------------------------------------------------------------------


@fault("changed-between", "A file that somebody changes after it was read keeps their text, and the exit code is 2", 90)
def changed_between(bench: Bench) -> str:
    told = []
    for name, command in COMMANDS.items():
        files = Collection.make(bench, command)
        process = files.start()
        files.await_new(0, process)
        process.send_signal(signal.SIGSTOP)
        theirs = {f"{n:04}.cpz": b"// theirs\n" * (n + 1) for n in range(380, 400)}
        before = [file for file in theirs if not files.is_new(int(file[:4]))]
        for file in before:
            (files.folder / file).write_bytes(theirs[file])
        process.send_signal(signal.SIGCONT)
        code, _, err = over(process)
        expect(len(before) >= 10, f"{name}: it was too fast for this to be tried")
        lost = [file for file in before if (files.folder / file).read_bytes() != theirs[file]]
        expect(not lost, f"{name}: what somebody else wrote is lost in {lost}")
        files.state(besides=tuple(before))
        expect(code == 2, f"{name}: exit code {code} though {len(before)} files were not written: {err[-200:]!r}")
        silent = [file for file in before if file.encode() not in err]
        expect(not silent, f"{name}: nothing was said of {silent}")
        told.append(f"{name}: {len(before)} kept")
    return "; ".join(told) + "; each told of"


@fault("changed-while-syncing", "The same while the disk takes its time with the new text: only between a last look and the rename can it be lost", 60)
def changed_while_syncing(bench: Bench) -> str:
    needs("strace")
    files = Collection.make(bench, COMMANDS["fmt"], count=1)
    slow = ("strace", "-f", "-o", "/dev/null", "-e", "trace=fsync,fdatasync", "-e", "inject=fsync,fdatasync:delay_enter=700000")
    process = bench.start([*slow, bench.cpz, "fmt", str(files.folder)])
    deadline = time.monotonic() + 10
    while not files.left_behind() and time.monotonic() < deadline:
        time.sleep(0.01)
    expect(files.left_behind(), "no temporary file was seen")
    time.sleep(0.2)
    theirs = b"// theirs\n"
    (files.folder / "0000.cpz").write_bytes(theirs)
    code, _, err = over(process)
    kept = (files.folder / "0000.cpz").read_bytes() == theirs
    expect(kept, f"what somebody else wrote is lost, exit code {code}")
    expect(code == 2 and not files.left_behind(), f"exit code {code}, left behind {files.left_behind()}")
    return "kept, exit code 2"


@fault("two-at-once", "Two commands on one folder at the same time: every file is the new one, and nothing is left behind", 90)
def two_at_once(bench: Bench) -> str:
    told = []
    for name, command in COMMANDS.items():
        files = Collection.make(bench, command)
        codes = []
        for _ in range(5):
            files.restore()
            both = [files.start(), files.start()]
            codes.append(tuple(sorted(over(process)[0] for process in both)))
            old, new = files.state()
            expect(new == files.count, f"{name}: {old} files are still the old ones, exit codes {codes[-1]}")
            expect(not files.left_behind(), f"{name}: left behind {files.left_behind()}")
            expect(set(codes[-1]) <= {0, 2}, f"{name}: exit codes {codes[-1]}")
        told.append(f"{name}: exit codes {' '.join(f'{a}+{b}' for a, b in sorted(set(codes)))}")
    return "; ".join(told)


@fault("folder-renamed", "The folder is renamed during the run: every file is the old or the new one, and the old name is not made again", 60)
def folder_renamed(bench: Bench) -> str:
    told = []
    for name, command in COMMANDS.items():
        files = Collection.make(bench, command)
        moved = files.folder.with_name(f"moved-{command[0]}")
        process = files.start()
        files.await_new(20, process)
        process.send_signal(signal.SIGSTOP)
        files.folder.rename(moved)
        process.send_signal(signal.SIGCONT)
        code, _, err = over(process)
        old, new = files.state(moved)
        expect(old and new, f"{name}: it did not come in the middle ({old} old, {new} new)")
        expect(code == 2, f"{name}: exit code {code} though {old} files were not written: {err[-200:]!r}")
        expect(not files.folder.exists(), f"{name}: the old folder is there again")
        left = sorted(set(os.listdir(moved)) - set(files.old))
        expect(len(left) <= 1, f"{name}: left behind {left}")
        told.append(f"{name}: {old} old, {new} new, {len(left)} temporary left")
    return "; ".join(told) + "; exit code 2"


@fault("file-becomes-folder", "A file becomes a folder during the run: the folder stays, it is told of, and the others are written", 60)
def file_becomes_folder(bench: Bench) -> str:
    for name, command in COMMANDS.items():
        files = Collection.make(bench, command)
        process = files.start()
        files.await_new(20, process)
        process.send_signal(signal.SIGSTOP)
        swapped = files.folder / "0390.cpz"
        expect(not files.is_new(390), f"{name}: it was too fast for this to be tried")
        swapped.unlink()
        swapped.mkdir()
        (swapped / "within.txt").write_text("mine")
        process.send_signal(signal.SIGCONT)
        code, _, err = over(process)
        expect((swapped / "within.txt").read_text() == "mine", f"{name}: the folder is not what it was")
        old, new = files.state(besides=("0390.cpz",))
        expect(old == 0, f"{name}: {old} others were not written")
        expect(code == 2 and b"0390.cpz" in err, f"{name}: exit code {code}: {err[-200:]!r}")
        expect(not files.left_behind(), f"{name}: left behind {files.left_behind()}")
    return "the folder stays, exit code 2, all others written"


# ---- What a file is besides its text ----------------------------------------------------------


@fault("modes-kept", "The mode of a file, 0640 or 0600 or 0755, is the same behind every command", 60)
def modes_kept(bench: Bench) -> str:
    modes = {"0000.cpz": 0o640, "0001.cpz": 0o600, "0002.cpz": 0o755}
    for name, command in COMMANDS.items():
        files = Collection.make(bench, command, count=3, lines=3)
        for file, mode in modes.items():
            (files.folder / file).chmod(mode)
        over(files.start())
        expect(files.state() == (0, 3), f"{name}: not all files were written")
        now = {file: (files.folder / file).stat().st_mode & 0o7777 for file in modes}
        expect(now == modes, f"{name}: modes are {[oct(mode) for mode in now.values()]}")
    return "all as they were"


@fault("owner-kept", "A file of another owner, rewritten by root, stays theirs, or is left alone and told of", 60)
def owner_kept(bench: Bench) -> str:
    if os.getuid() != 0:
        raise Skipped("only root can rewrite the file of another and give it back")
    files = Collection.make(bench, COMMANDS["fmt"], count=1, lines=3)
    path = files.folder / "0000.cpz"
    give_away(path)
    code, _, _ = over(files.start())
    owner = path.stat().st_uid
    expect(owner == NOBODY, f"the file belongs to user {owner} now, exit code {code}")
    return f"it is still theirs, exit code {code}"


@fault("links-kept", "A symbolic link stays one and its file is rewritten; of hard links only the name that was given has the new text", 60)
def links_kept(bench: Bench) -> str:
    for name, command in COMMANDS.items():
        files = Collection.make(bench, command, count=2, lines=3)
        link, hard = files.folder / "link.cpz", bench.folder / f"hard-{command[0]}.cpz"
        link.symlink_to("0000.cpz")
        os.link(files.folder / "0001.cpz", hard)
        code, _, err = over(files.start())
        expect(code == 0, f"{name}: exit code {code}: {err!r}")
        expect(link.is_symlink() and os.readlink(link) == "0000.cpz", f"{name}: the link is a file now")
        expect(files.state() == (0, 2), f"{name}: not all files were written")
        expect(hard.read_bytes() == files.old["0001.cpz"], f"{name}: the other hard link has another text")
        expect(files.left_behind() == ["link.cpz"], f"{name}: left behind {files.left_behind()}")
    return "the link is kept; a hard link is parted, its other name has the old text"
