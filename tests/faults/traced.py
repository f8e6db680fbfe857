"""The system calls of a run of cpz, parsed from the output of strace."""

import os
import re
from dataclasses import dataclass, field
from pathlib import Path

CALLS = "%file,%process,%network,ftruncate,fchmod,fchown"
READ_FROM_SYSTEM = ("/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/", "/usr/share/locale/", "/proc/", "/sys/", "/etc/ld.so")
"""Paths that every program opens to start."""

WRITING = re.compile(
    r"^(rename|renameat2?|unlink|unlinkat|rmdir|mkdir|mkdirat|mknod|mknodat|link|linkat|symlink|symlinkat"
    r"|truncate|ftruncate|creat|f?chmod|fchmodat2?|f?chown|lchown|fchownat|utimensat|setxattr|mount|umount2)$"
)
CALL = re.compile(r"^(?:\d+ +)?(\w+)\((.*)\) += (-?\d+|\?)(?:<(.*)>)?(.*)$")
RESUMED = re.compile(r"^(\d+) +<\.\.\. (\w+) resumed>(.*)$")


def tracing(log: Path) -> tuple[str, ...]:
    """The command prefix that logs the system calls of a command to the file."""
    return ("strace", "-f", "--seccomp-bpf", "-y", "-qq", "-s", "4096", "-e", f"trace={CALLS}", "-e", "signal=none", "-o", str(log))


def unescape(text: str) -> str:
    """A file name as on disk, without the escapes of strace."""
    raw = re.sub(
        rb"\\([0-7]{1,3}|.)",
        lambda m: bytes([int(m[1], 8)]) if m[1].isdigit() else {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"v": b"\v", b"f": b"\f"}.get(m[1], m[1]),
        os.fsencode(text),
    )
    return os.fsdecode(raw)


def lines_of(log: Path):
    """The calls, one a line; joins those that strace split because of other threads."""
    unfinished: dict[str, str] = {}
    for line in log.read_text(errors="surrogateescape").splitlines():
        if line.endswith("<unfinished ...>"):
            pid = line.split(None, 1)[0]
            unfinished[pid] = line[: -len("<unfinished ...>")].rstrip()
        elif resumed := RESUMED.match(line):
            yield unfinished.pop(resumed[1], f"{resumed[1]} {resumed[2]}(") + resumed[3].lstrip()
        else:
            yield line
    # Calls that never returned.
    for line in unfinished.values():
        yield f"{line}) = ?"


@dataclass
class Trace:
    """The relevant calls, by kind."""

    opened: list[str] = field(default_factory=list)  # real paths opened for reading
    blocked: list[str] = field(default_factory=list)  # open calls that never returned
    written: list[str] = field(default_factory=list)
    started: list[str] = field(default_factory=list)
    network: list[str] = field(default_factory=list)
    calls: int = 0

    @classmethod
    def read(cls, log: Path) -> "Trace":
        trace = cls()
        for line in lines_of(log):
            trace.note(line)
        return trace

    def note(self, line: str):
        call = CALL.match(line)
        if not call:
            return
        self.calls += 1
        name, arguments, result, path, _ = call.groups()
        if name in ("open", "openat", "openat2"):
            self.note_open(arguments, result, path)
        elif result.startswith("-"):
            return
        elif name in ("execve", "execveat", "fork", "vfork") or (
            name in ("clone", "clone3") and "CLONE_THREAD" not in arguments
        ):
            self.started.append(f"{name}({arguments[:120]})")
        elif name in ("socket", "connect", "bind", "listen", "sendto", "sendmsg"):
            self.network.append(f"{name}({arguments[:120]})")
        elif WRITING.match(name):
            self.written.append(f"{name}({arguments[:200]})")

    def note_open(self, arguments: str, result: str, path: str | None):
        if result == "?":
            self.blocked.append(arguments)
        elif not result.startswith("-") and "O_PATH" not in arguments:
            real = unescape(path or "")
            if re.search(r"O_(WRONLY|RDWR|CREAT|TRUNC|APPEND)", arguments):
                self.written.append(f"open({arguments[:200]})")
            # A trailing slash marks a folder that is listed.
            self.opened.append(real + ("/" if "O_DIRECTORY" in arguments else ""))

    def violations(self, folder: Path, cpz: str, home: Path) -> list[str]:
        """The calls that are not allowed for this folder."""
        found = [f"written: {call}" for call in self.written if "/dev/null" not in call]
        found += [f"network: {call}" for call in self.network]
        own = [call for call in self.started if call.startswith("execve") and f'"{cpz}"' in call]
        # The first is the execve of cpz itself.
        found += [f"started: {call}" for call in self.started if call not in own[:1]]
        if len(own) != 1:
            found.append(f"the trace has {len(own)} starts of cpz")
        found += [f"opened: {path}" for path in sorted(set(self.opened)) if not allowed(path, folder, home)]
        found += [f"blocked: {call}" for call in self.blocked]
        return found


def allowed(path: str, folder: Path, home: Path) -> bool:
    """Whether cpz may open this path when it checks this folder.

    The global git ignore files of the user are allowed: they are not part of the folder."""
    if path.startswith(READ_FROM_SYSTEM) or path in ("/etc/gitconfig", f"{home}/.gitconfig"):
        return True
    if path.startswith(f"{home}/.config/git/"):
        return True
    inside = path == f"{folder}/" or path.startswith(f"{folder}/")
    if not inside:
        return False
    name = path.rsplit("/", 1)[-1]
    return (
        path.endswith("/")
        or name.endswith(".cpz")
        or name in ("cpz.toml", ".gitignore", ".ignore")
        or path.endswith("/.git/info/exclude")
    )
