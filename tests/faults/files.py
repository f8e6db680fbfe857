"""Commands that write files: killed, on full or read-only disks, and with concurrent changes."""

import os
import random
import signal
import struct
from pathlib import Path

from client import limited
from collection import COMMANDS, Collection
from table import Bench, Skipped, expect, fault, needs, wait_for_end, wait_until

NOBODY = 65534

# ---- Killed -----------------------------------------------------------------------------------


def interrupted(bench: Bench, name: str, by: signal.Signals, times: int) -> tuple[int, int, int]:
    """Interrupts a command at random moments while it writes. Returns the numbers of old files, of new files, and of
    temporary files."""
    files = Collection.make(bench, COMMANDS[name])
    rng = random.Random(4711)
    olds = news = left = 0
    for _ in range(times):
        process = files.stopped_after(rng.randrange(files.count))
        process.send_signal(by)
        process.send_signal(signal.SIGCONT)
        code, _, err = wait_for_end(process)
        expect(code in (-by, 128 + by), f"{name}: exit code {code}: {err[-200:]!r}")
        old, new = files.state()
        here = files.leftovers()
        expect(len(here) <= 1 and all(n.startswith(".cpz-") for n in here), f"{name}: left behind {here}")
        olds, news, left = olds + old, news + new, left + len(here)
        expect(old > 0 and new > 0, f"{name}: {old} files old, {new} new: not interrupted while writing")
        if here:
            code, _, err = wait_for_end(files.start())
            expect(code == 0, f"{name}: the next run, with {here[0]} in the folder, has exit code {code}: {err[-200:]!r}")
            expect(files.state()[1] == files.count, f"{name}: the next run did not write all files")
    return olds, news, left


def killed(bench: Bench, by: signal.Signals, times: int) -> str:
    results = []
    for name in COMMANDS:
        old, new, left = interrupted(bench, name, by, times)
        results.append(f"{name}: {times} runs interrupted while writing, {old} files old, {new} new, temporary files left: {left}")
    return "; ".join(results)


@fault("SIGKILL-while-writing", "Killed while it writes hundreds of files: each file has the old or the new text, and at most one `.cpz-*` file is left")
def kill_while_writing(bench: Bench) -> str:
    return killed(bench, signal.SIGKILL, 5 if bench.quick else 30)


@fault("SIGTERM-while-writing", "The same with SIGTERM")
def terminate_while_writing(bench: Bench) -> str:
    return killed(bench, signal.SIGTERM, 3 if bench.quick else 10)


@fault("SIGINT-while-writing", "The same with SIGINT, which Ctrl+C sends")
def interrupt_while_writing(bench: Bench) -> str:
    return killed(bench, signal.SIGINT, 3 if bench.quick else 10)


# ---- Disk full --------------------------------------------------------------------------------


@fault("disk-full", "On a full disk each file has the old or the new text, no temporary file is left, and the exit code is 2")
def disk_full(bench: Bench) -> str:
    results = []
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
        code, _, err = wait_for_end(files.start())
        free = os.statvfs(disk)
        filler.unlink()
        old, new = files.state()
        expect(old > 0, f"{name}: the disk was not full, {free.f_bavail} blocks were free")
        expect(not files.leftovers(), f"{name}: left behind {files.leftovers()}")
        expect(code == 2, f"{name}: exit code {code} with {old} of 20 files not written: {err[-200:]!r}")
        expect(b"space" in err, f"{name}: the reason is not reported: {err[-200:]!r}")
        results.append(f"{name}: {old} old, {new} new")
    return "; ".join(results) + "; each command reports the reason"


@fault("file-size-limit", "Above the file size limit (`ulimit -f`) each file keeps the old text: exit code 2, or the process ends by the signal of the limit")
def file_size_limit(bench: Bench) -> str:
    results = []
    for name, command in COMMANDS.items():
        files = Collection.make(bench, command, count=20, lines=150)
        process = bench.start(limited([bench.cpz, *command, str(files.folder)], file_blocks=4))
        code, _, err = wait_for_end(process)
        old, new = files.state()
        left = files.leftovers()
        expect(old == files.count, f"{name}: {new} files of 12 KiB could be written with a limit of 4 KiB")
        expect(code in (2, -signal.SIGXFSZ), f"{name}: exit code {code}: {err[-200:]!r}")
        expect(len(left) <= (code != 2), f"{name}: exit code {code}, left behind {left}")
        results.append(f"{name}: {'SIGXFSZ' if code < 0 else 'exit code 2'}, temporary files left: {len(left)}")
    return "; ".join(results)


# ---- Permissions ----------------------------------------------------------------------------


def run_unprivileged(bench: Bench, *arguments) -> tuple[int, bytes, bytes]:
    """Runs cpz as an unprivileged user."""
    if os.getuid() != 0:
        done = bench.cli(*arguments)
        return done.returncode, done.stdout, done.stderr
    os.chmod(bench.folder, 0o755)
    binary = bench.folder / "cpz"
    if not binary.exists():
        binary.write_bytes(Path(bench.cpz).read_bytes())
        binary.chmod(0o755)
    command = [str(binary), *map(str, arguments)]
    return wait_for_end(bench.start(command, user=NOBODY, group=NOBODY, extra_groups=[], cwd="/"))


def give_to_nobody(*paths: Path):
    if os.getuid() == 0:
        for path in paths:
            os.chown(path, NOBODY, NOBODY)


@fault("read-only-folder", "In a read-only folder no file changes, each is reported, and the exit code is 2")
def read_only_folder(bench: Bench) -> str:
    for name, command in COMMANDS.items():
        files = Collection.make(bench, command, count=5, lines=3)
        give_to_nobody(files.folder, *files.folder.iterdir())
        files.folder.chmod(0o555)
        code, _, err = run_unprivileged(bench, *command, files.folder)
        files.folder.chmod(0o755)
        old, _ = files.state()
        expect(old == 5 and not files.leftovers(), f"{name}: only {old} of 5 files are unchanged")
        expect(code == 2, f"{name}: exit code {code}: {err!r}")
        silent = [n for n in files.old if n.encode() not in err]
        expect(not silent, f"{name}: not reported: {silent}: {err!r}")
    return "nothing written, exit code 2, each file reported"


@fault("read-only-file", "A read-only file is not changed, the other files are written, and the exit code is 2")
def read_only_file(bench: Bench) -> str:
    results = set()
    for name, command in COMMANDS.items():
        files = Collection.make(bench, command, count=3, lines=3)
        locked = files.folder / "0001.cpz"
        give_to_nobody(files.folder, *files.folder.iterdir())
        locked.chmod(0o444)
        code, _, err = run_unprivileged(bench, *command, files.folder)
        old, new = files.state()
        mode = locked.stat().st_mode & 0o7777
        expect(new >= 2, f"{name}: only {new} of the others were written: {err!r}")
        expect(mode == 0o444, f"{name}: the mode of the file is {mode:o} now")
        kept = locked.read_bytes() == files.old["0001.cpz"]
        expect(kept, f"{name}: a file of mode 0444 was replaced, exit code {code}")
        expect(code == 2, f"{name}: exit code {code} though a file was not written: {err!r}")
        results.add("unchanged, exit code 2")
    return "; ".join(results)


# ---- Concurrent change ------------------------------------------------------------------------


@fault("changed-between", "A file that another program changes after cpz has read it keeps that change, and the exit code is 2")
def changed_between(bench: Bench) -> str:
    results = []
    for name, command in COMMANDS.items():
        files = Collection.make(bench, command)
        process = files.stopped_after(0)
        theirs = {f"{n:04}.cpz": b"// theirs\n" * (n + 1) for n in range(files.count - 20, files.count)}
        before = [file for file in theirs if not files.is_new(int(file[:4]))]
        for file in before:
            (files.folder / file).write_bytes(theirs[file])
        process.send_signal(signal.SIGCONT)
        code, _, err = wait_for_end(process)
        expect(before, f"{name}: cpz finished before the files could be changed")
        lost = [file for file in before if (files.folder / file).read_bytes() != theirs[file]]
        expect(not lost, f"{name}: the changes of the other program are lost in {lost}")
        files.state(except_for=tuple(before))
        expect(code == 2, f"{name}: exit code {code} though {len(before)} files were not written: {err[-200:]!r}")
        silent = [file for file in before if file.encode() not in err]
        expect(not silent, f"{name}: not reported: {silent}")
        results.append(f"{name}: {len(before)} kept")
    return "; ".join(results) + "; each file reported"


@fault("changed-while-syncing", "The same while the disk is slow to write the new text: a change can be lost only between the last comparison and the rename")
def changed_while_syncing(bench: Bench) -> str:
    needs("strace")
    files = Collection.make(bench, COMMANDS["fmt"], count=1)
    log = bench.folder / "strace"
    # The disk is slow: the process stops in its first write to it, until it is told to go on.
    slow = ("strace", "-f", "-o", log, "-e", "trace=fsync,fdatasync", "-e", "inject=fsync,fdatasync:signal=STOP:when=1")
    process = bench.start([*slow, bench.cpz, "fmt", str(files.folder)])
    wait_until(lambda: log.exists() and b"stopped by SIGSTOP" in log.read_bytes(), "nothing is written to the disk")
    expect(open_without_name(child_of(process.pid), files.folder) or files.leftovers(), "no temporary file was seen")
    theirs = b"// theirs\n"
    (files.folder / "0000.cpz").write_bytes(theirs)
    os.kill(child_of(process.pid), signal.SIGCONT)
    code, _, err = wait_for_end(process)
    kept = (files.folder / "0000.cpz").read_bytes() == theirs
    expect(kept, f"the change of the other program is lost, exit code {code}")
    expect(code == 2 and not files.leftovers(), f"exit code {code}, left behind {files.leftovers()}")
    return "kept, exit code 2"


def open_without_name(pid: int, folder: Path) -> list[str]:
    """The files of a folder that a process has open and that have no name."""
    links = [os.readlink(fd) for fd in Path(f"/proc/{pid}/fd").iterdir()]
    return [link for link in links if link.startswith(f"{folder}/#")]


def child_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])


@fault("two-at-once", "Two commands on one folder at the same time: each file has the new text, and no temporary file is left")
def two_at_once(bench: Bench) -> str:
    results = []
    for name, command in COMMANDS.items():
        files = Collection.make(bench, command)
        codes = []
        for _ in range(2 if bench.quick else 5):
            files.restore()
            both = [files.start(), files.start()]
            codes.append(tuple(sorted(wait_for_end(process)[0] for process in both)))
            old, new = files.state()
            expect(new == files.count, f"{name}: {old} files are still the old ones, exit codes {codes[-1]}")
            expect(not files.leftovers(), f"{name}: left behind {files.leftovers()}")
            expect(set(codes[-1]) <= {0, 2}, f"{name}: exit codes {codes[-1]}")
        results.append(f"{name}: exit codes {' '.join(f'{a}+{b}' for a, b in sorted(set(codes)))}")
    return "; ".join(results)


@fault("folder-renamed", "The folder is renamed during the run: each file has the old or the new text, and the old folder is not created again")
def folder_renamed(bench: Bench) -> str:
    results = []
    for name, command in COMMANDS.items():
        files = Collection.make(bench, command)
        moved = files.folder.with_name(f"moved-{command[0]}")
        process = files.stopped_after(20)
        files.folder.rename(moved)
        process.send_signal(signal.SIGCONT)
        code, _, err = wait_for_end(process)
        old, new = files.state(moved)
        expect(old and new, f"{name}: not renamed while writing ({old} old, {new} new)")
        expect(code == 2, f"{name}: exit code {code} though {old} files were not written: {err[-200:]!r}")
        expect(not files.folder.exists(), f"{name}: the old folder was created again")
        left = sorted(set(os.listdir(moved)) - set(files.old))
        expect(len(left) <= 1, f"{name}: left behind {left}")
        results.append(f"{name}: {old} old, {new} new, temporary files left: {len(left)}")
    return "; ".join(results) + "; exit code 2"


@fault("file-becomes-folder", "A file is replaced by a folder during the run: the folder is kept and reported, and the other files are written")
def file_becomes_folder(bench: Bench) -> str:
    for name, command in COMMANDS.items():
        files = Collection.make(bench, command)
        process = files.stopped_after(20)
        last = f"{files.count - 1:04}.cpz"
        swapped = files.folder / last
        swapped.unlink()
        swapped.mkdir()
        (swapped / "within.txt").write_text("mine")
        process.send_signal(signal.SIGCONT)
        code, _, err = wait_for_end(process)
        expect((swapped / "within.txt").read_text() == "mine", f"{name}: the folder was changed")
        old, new = files.state(except_for=(last,))
        expect(old == 0, f"{name}: {old} other files were not written")
        expect(code == 2 and last.encode() in err, f"{name}: exit code {code}: {err[-200:]!r}")
        expect(not files.leftovers(), f"{name}: left behind {files.leftovers()}")
    return "folder kept, exit code 2, all other files written"


# ---- Mode, owner and links --------------------------------------------------------------------


@fault("modes-kept", "Every command keeps the mode of a file: 0640, 0600 and 0755")
def modes_kept(bench: Bench) -> str:
    modes = {"0000.cpz": 0o640, "0001.cpz": 0o600, "0002.cpz": 0o755}
    for name, command in COMMANDS.items():
        files = Collection.make(bench, command, count=3, lines=3)
        for file, mode in modes.items():
            (files.folder / file).chmod(mode)
        wait_for_end(files.start())
        expect(files.state() == (0, 3), f"{name}: not all files were written")
        now = {file: (files.folder / file).stat().st_mode & 0o7777 for file in modes}
        expect(now == modes, f"{name}: modes are {[oct(mode) for mode in now.values()]}")
    return "all unchanged"


@fault("acl-kept", "Every command keeps the access control list and the extended attributes of a file")
def acl_kept(bench: Bench) -> str:
    name, undefined = "system.posix_acl_access", 0xFFFFFFFF
    # The owner and user 1001 may read and write, the group and others may not.
    entries = [(1, 6, undefined), (2, 6, 1001), (4, 0, undefined), (16, 6, undefined), (32, 0, undefined)]
    acl = struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)
    for command_name, command in COMMANDS.items():
        files = Collection.make(bench, command, count=2, lines=3)
        path = files.folder / "0000.cpz"
        try:
            os.setxattr(path, name, acl)
            os.setxattr(path, "user.origin", b"a box")
        except OSError as error:
            raise Skipped(f"this file system has no access control lists: {error}") from error
        wait_for_end(files.start())
        expect(files.state() == (0, 2), f"{command_name}: not all files were written")
        expect(name in os.listxattr(path) and os.getxattr(path, name) == acl, f"{command_name}: the list is gone")
        expect(os.getxattr(path, "user.origin") == b"a box", f"{command_name}: the attribute is gone")
    return "all unchanged"


@fault("owner-kept", "A file of another user, rewritten by root, keeps its owner, or is reported and not changed")
def owner_kept(bench: Bench) -> str:
    if os.getuid() != 0:
        raise Skipped("only root can rewrite a file of another user and restore its owner")
    files = Collection.make(bench, COMMANDS["fmt"], count=1, lines=3)
    path = files.folder / "0000.cpz"
    give_to_nobody(path)
    code, _, _ = wait_for_end(files.start())
    owner = path.stat().st_uid
    expect(owner == NOBODY, f"the file belongs to user {owner} now, exit code {code}")
    return f"owner unchanged, exit code {code}"


@fault("links-kept", "A symbolic link is kept and its target rewritten; of two hard links only the given name has the new text")
def links_kept(bench: Bench) -> str:
    for name, command in COMMANDS.items():
        files = Collection.make(bench, command, count=2, lines=3)
        link, hard = files.folder / "link.cpz", bench.folder / f"hard-{command[0]}.cpz"
        link.symlink_to("0000.cpz")
        os.link(files.folder / "0001.cpz", hard)
        code, _, err = wait_for_end(files.start())
        expect(code == 0, f"{name}: exit code {code}: {err!r}")
        expect(link.is_symlink() and os.readlink(link) == "0000.cpz", f"{name}: the link was replaced by a file")
        expect(files.state() == (0, 2), f"{name}: not all files were written")
        expect(hard.read_bytes() == files.old["0001.cpz"], f"{name}: the other hard link has a changed text")
        expect(files.leftovers() == ["link.cpz"], f"{name}: left behind {files.leftovers()}")
    return "the symbolic link is kept; the other name of the hard link keeps the old text"
