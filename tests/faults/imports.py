"""Files of other programs that are made to hurt: endless, huge, nested, with characters that no text has."""

import os
import re
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from client import GIB, limited, processor_time
from table import Bench, Failed, expect, fault, wait_until

MIB = 1 << 20
FORMATS = ("fen", "epd", "pgn", "lichess", "json", "olv", "popeye", "pdn", "solitaire")
FEN = "8/8/8/4k3/8/8/8/4K2R w - - 0 1"

MAX_MESSAGE = 1000
"""The longest message that a person reads, in bytes."""

SUMMARY = re.compile(rb"^cpz: \d+ puzzles? from ")


@dataclass(frozen=True)
class Run:
    """What a command did."""

    code: int
    out: bytes
    err: bytes
    peak: int
    """The most memory that it used, in bytes."""
    seconds: float
    """The processor time that it used."""

    def messages(self) -> list[bytes]:
        """The lines on standard error, but for the one that sums up."""
        return [line for line in self.err.splitlines() if not SUMMARY.match(line)]


STARTER = """
import os, sys
child = os.fork()
if not child:
    os.execvp(sys.argv[2], sys.argv[2:])
report = open(sys.argv[1], "w", buffering=1)
print(child, file=report)
_, status, usage = os.wait4(child, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_maxrss, usage.ru_utime + usage.ru_stime, file=report)
"""
"""Starts a program and reports what it used. Linux counts for a program what the one that started it had, so this one is
small."""


def measured(bench: Bench, *arguments, memory: int = 4 * GIB, read_limit: int | None = None, seconds: float | None = None, cwd=None, what: str = "") -> Run:
    """Runs cpz to its end. Fails when it has read more than `read_limit` bytes, which is the sign that it never ends, or
    has used more than this processor time."""
    report = bench.folder / "report"
    report.unlink(missing_ok=True)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        command = [sys.executable, "-ISc", STARTER, str(report), *limited([bench.cpz, *map(str, arguments)], memory)]
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=bench.environment(), cwd=cwd, start_new_session=True)

        def over() -> str:
            if process.poll() is not None:
                return "ended"
            pid = (report.read_text() if report.exists() else "").split("\n")[0]
            if pid and read_limit is not None and bytes_read(int(pid)) > read_limit:
                return f"it has read more than {read_limit >> 20} MiB and reads on"
            if pid and seconds is not None and used(int(pid)) > seconds:
                return f"{what}it has used more than {seconds:.2f} s of processor time"
            return ""

        try:
            how = wait_until(over, f"cpz {' '.join(map(str, arguments))} does not end", 0.001)
            expect(how == "ended", how)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        out.seek(0)
        err.seek(0)
        code, peak, time = report.read_text().split("\n")[1].split()
        return Run(int(code), out.read(), err.read(), int(peak) * 1024, float(time))


def used(pid: int) -> float:
    """The processor time that a process has used; 0 if it has ended."""
    try:
        return processor_time(pid)
    except OSError:
        return 0


def bytes_read(pid: int) -> int:
    try:
        return int(re.search(r"rchar: (\d+)", Path(f"/proc/{pid}/io").read_text())[1])
    except (OSError, TypeError):
        return 0


def check_refusal(run: Run, what: str, wrong: list[str], code: int = 2):
    """Notes unless the run has one message that a person reads, and this exit code."""
    if run.code != code:
        wrong.append(f"{what}: exit code {run.code}")
    elif len(run.messages()) != 1:
        wrong.append(f"{what}: {len(run.messages())} messages: {[line[-60:].decode(errors='replace') for line in run.messages()[:3]]}")
    elif len(run.messages()[0]) > MAX_MESSAGE or b"panicked" in run.err:
        wrong.append(f"{what}: the message has {len(run.messages()[0])} bytes")


def all_right(wrong: list[str], result: str) -> str:
    expect(not wrong, f"{len(wrong)} wrong: " + "; ".join(wrong))
    return result


# ---- What is no file ----------------------------------------------------------------------------


@fault("import-endless", "`/dev/zero`, `/dev/full` and `/dev/urandom` in place of a file, to import or to check, end in one message and the exit code 2, before a gigabyte is read, and in 256 MiB of memory")
def import_endless(bench: Bench) -> str:
    wrong: list[str] = []
    commands = [("import", "--from", name) for name in FORMATS]
    commands += [("import",), ("check",), ("check", "--from", "pgn"), ("export", "--to", "json")]
    for command in commands:
        for device in ("/dev/zero", "/dev/full", "/dev/urandom"):
            what = f"{' '.join(command)} {device}"
            try:
                run = measured(bench, *command, device, read_limit=GIB)
            except Failed as problem:
                wrong.append(f"{what}: {problem}")
                break  # and so do the others
            check_refusal(run, what, wrong)
            if run.peak > 256 * MIB:
                wrong.append(f"{what}: {run.peak >> 20} MiB of memory")
    return all_right(wrong, f"{len(commands)} commands, one message each")


@fault("import-no-file", "A folder, a named pipe without a writer, a circle of links, and nothing, in place of the file to import: one message and the exit code 2; and none of them is written to")
def import_no_file(bench: Bench) -> str:
    wrong: list[str] = []
    folder = bench.make("import")
    (folder / "folder.pgn").mkdir()
    os.mkfifo(folder / "pipe.pgn")
    (folder / "one.pgn").symlink_to("two.pgn")
    (folder / "two.pgn").symlink_to("one.pgn")
    (folder / "nowhere.pgn").symlink_to("nothing.pgn")
    (folder / "good.fen").write_text(FEN + "\n")
    before = sorted(os.listdir(folder))
    sources = ["folder.pgn", "pipe.pgn", "one.pgn", "nowhere.pgn", "missing.pgn", "/dev/null", "/proc/self/mem"]
    for source in sources:
        for command in (("import", "--from", "pgn"), ("import",), ("check", "--from", "pgn")):
            if source == "/dev/null" and command[0] == "check":
                continue  # an empty file has no mistake
            if source == "folder.pgn" and command[0] == "check":
                continue  # a folder without collections
            check_refusal(measured(bench, *command, source, cwd=folder), f"{' '.join(command)} {source}", wrong)
    for target in ("folder.pgn", "pipe.pgn", "one.pgn", "nowhere.pgn", "/dev/full", "/dev/null", "missing/out.cpz"):
        for options in ((), ("--force",)):
            run = measured(bench, "import", "good.fen", "-o", target, *options, cwd=folder)
            check_refusal(run, f"import -o {target} {' '.join(options)}", wrong)
    with open("/dev/full", "wb") as full:
        done = subprocess.run([bench.cpz, "import", "good.fen"], stdout=full, stderr=subprocess.PIPE, cwd=folder, check=False)
    if done.returncode != 2 or b"standard output" not in done.stderr:
        wrong.append(f"import > /dev/full: exit code {done.returncode}: {done.stderr!r}")
    if sorted(os.listdir(folder)) != before:
        wrong.append(f"the folder was changed: {sorted(os.listdir(folder))}")
    return all_right(wrong, "one message each, nothing written")


# ---- Without an end of line ---------------------------------------------------------------------


@fault("import-one-line", "A line of 64 MB (a gigabyte where there is time) is one entry that is too long: one message, and less than 256 MiB of memory")
def import_one_line(bench: Bench) -> str:
    wrong: list[str] = []
    folder = bench.make("lines")
    highest = 0
    fillings = {"letters": b"a", "quotes": b'"', "no UTF-8": b"\xff", "brackets": b"[", "commas": b",", "rows": b"8/"}
    for name, filling in fillings.items():
        path = folder / "line"
        piece = filling * (MIB // len(filling))
        with open(path, "wb") as file:
            for _ in range(64 if bench.quick else 1024):
                file.write(piece)
            end = file.tell()
        for format in FORMATS if name == "letters" or not bench.quick else ("fen", "pgn", "lichess", "olv"):
            what = f"{format}, {name}"
            os.truncate(path, end)
            with open(path, "ab") as file:
                file.write(f"\n{FEN}\n".encode() if format in ("fen", "epd") else b"\n")
            run = measured(bench, "import", "--from", format, path)
            # The line behind it is a position in two formats.
            check_refusal(run, what, wrong, 1 if format in ("fen", "epd") else 2)
            text = run.err.decode(errors="replace")
            if format in ("fen", "epd", "pgn", "pdn", "olv", "popeye") and "16 MiB" not in text:
                wrong.append(f"{what}: the length is not the reason: {text[:120]!r}")
            if run.peak > 256 * MIB:
                wrong.append(f"{what}: {run.peak >> 20} MiB of memory")
            highest = max(highest, run.peak)
        path.unlink()
    return all_right(wrong, f"{len(fillings)} fillings, peak {highest >> 20} MiB")


# ---- Within the longest entry -------------------------------------------------------------------

SHAPES = {
    "fen": ("fen", f"{FEN} %"),
    "epd": ("epd", f'{FEN[:-4]} c0 "%";'),
    "moves": ("pgn", f'[FEN "{FEN}"]\n\n%'),
    "comment": ("pgn", f'[FEN "{FEN}"]\n\n1. Rh2 {{%}} *'),
    "tag": ("pgn", f'[Title "%"]\n[FEN "{FEN}"]\n\n1. Rh2 *'),
    "draughts": ("pdn", '[GameType "25"]\n[FEN "W:Wa1:Bb2"]\n\n%'),
    "name": ("json", '{"version":1,"puzzles":[{"name":"%"}]}'),
    "json": ("json", '{"version":1,"puzzles":%'),
    "men": ("olv", "---\nalgebraic:\n  white: %"),
    "solution": ("olv", '---\nalgebraic:\n  white: [Kc8, Ra1, Pb6]\n  black: [Ka8]\nstipulation: "#2"\nsolution: |\n  %'),
    "yaml": ("olv", '---\nalgebraic:\n  white: [Kc8]\n  black: [Ka8]\nstipulation: "#2"\ncomments: %'),
    "title": ("popeye", "BeginProblem\nPieces White Kc8 Ra1\nBlack Ka8\nStipulation #2\nTitle %\nEndProblem\n"),
    "pieces": ("popeye", "BeginProblem\nPieces White %\nEndProblem\n"),
    "row": ("lichess", "00sHx,q3k1nr/1pp1nQpp/3p4/1P2p3/4P3/B1PP1b2/B5PP/5K2 b k - 0 17,e8d7 a2e6,1760,80,83,72,%"),
    "board": ("solitaire", "%"),
}
"""For each shape its format and its text, in which `%` is filled."""

FILLINGS = ("a", "8", '"', "[", "{", "(", "((1. Rh2 ", ") ", "[a,", '{"a":', "e4 ", "- ", ",", ":", "8/", "\\", "&a ", "*a ", "$1 ", "{x} ", "1. Rh2 ", "\0", "\x1b")
"""What is repeated: nesting without end, aliases, signs of each format."""

EVERY_DAY = ("a", "[", "((1. Rh2 ", ") ", '{"a":', "- ", ":", "\x1b", '[A "b"]\n', "- a\n")
"""Those of them that are tried where there is little time."""

LINES = ('[A "b"]\n', "a: b\n", "- a\n", "\n", "%\n", "Kc8\n", 60 * "." + "\n")
"""The same for formats whose entries have many lines."""

MEMORY_PER_BYTE = 64
"""A whole entry of 16 MiB then takes at most a gigabyte."""


def fill(folder: Path, shape: str, filling: str, size: int) -> Path:
    """Writes a file of about this size."""
    path = folder / "filled"
    path.write_text(SHAPES[shape][1].replace("%", filling * (size // len(filling))), encoding="utf-8")
    return path


@fault("import-one-entry", "One entry of a quarter of a megabyte, nested or repeated without end: one message of one line at most, and processor time that grows with the length, not with its square")
def import_one_entry(bench: Bench) -> str:
    wrong: list[str] = []
    folder = bench.make("entries")
    size = MIB // 4
    runs: list[tuple[str, str, float]] = []
    for shape, (format, _) in SHAPES.items():
        many = LINES if format in ("pgn", "pdn", "olv", "popeye", "solitaire") else ()
        for filling in (*FILLINGS, *many):
            if bench.quick and filling not in EVERY_DAY:
                continue
            what = f"{shape} of {filling!r}"
            path = fill(folder, shape, filling, size)
            run = measured(bench, "import", "--from", format, path)
            runs.append((shape, filling, run.seconds))
            longest = max(map(len, run.messages()), default=0)
            if run.code not in (0, 1, 2) or b"panicked" in run.err:
                wrong.append(f"{what}: exit code {run.code}: {run.err[-100:]!r}")
            if longest > MAX_MESSAGE:
                wrong.append(f"{what}: a message of {longest} bytes")
            if len(run.messages()) > 1 and filling not in LINES:
                wrong.append(f"{what}: {len(run.messages())} messages")
    usual = sorted(seconds for *_, seconds in runs)[len(runs) // 2]
    slow = [one for one in runs if one[2] > 8 * usual]
    for shape, filling, seconds in slow:
        # Four times as long takes sixteen times as long if each byte looks at all others. A short time is not exact.
        command = ("import", "--from", SHAPES[shape][0])
        try:
            if seconds > 1:
                quarter = measured(bench, *command, fill(folder, shape, filling, size // 4)).seconds
                expect(seconds <= 8 * quarter, f"only {quarter:.2f} s for a quarter of it")
            else:
                measured(bench, *command, fill(folder, shape, filling, 4 * size), seconds=8 * seconds, what="of four times as much ")
        except Failed as problem:
            wrong.append(f"{shape} of {filling!r}: {seconds:.2f} s for {size >> 10} KiB, but {problem}")
    return all_right(wrong, f"{len(runs)} entries, {len(slow)} of them slower than the others")


@fault("import-memory", "An entry just below the longest one, 16 MiB, takes at most a gigabyte of memory, whatever it holds")
def import_memory(bench: Bench) -> str:
    wrong: list[str] = []
    folder = bench.make("memory")
    size = MIB if bench.quick else 15 * MIB
    # What a small file takes.
    base = 32 * MIB
    highest = 0
    worst = [("moves", "- "), ("solution", ") "), ("row", ","), ("board", ".")]
    more = [("moves", "1. Rh2 "), ("comment", "a"), ("solution", "8/"), ("json", "[],"), ("title", "a "), ("fen", "8/")]
    for shape, filling in worst if bench.quick else worst + more:
        run = measured(bench, "import", "--from", SHAPES[shape][0], fill(folder, shape, filling, size))
        highest = max(highest, run.peak)
        if run.peak > base + MEMORY_PER_BYTE * size:
            wrong.append(f"{shape} of {filling!r}: {run.peak >> 20} MiB for {size >> 20} MiB")
        if run.code not in (0, 1, 2) or b"panicked" in run.err:
            wrong.append(f"{shape} of {filling!r}: exit code {run.code}: {run.err[-100:]!r}")
    return all_right(wrong, f"peak {highest >> 20} MiB for {size >> 20} MiB")


@fault("yaml-bomb", "Aliases of YAML that multiply to 10^29 words, or that name themselves, are not expanded")
def yaml_bomb(bench: Bench) -> str:
    folder = bench.make("yaml")
    board = "algebraic:\n  white: [Kc8, Ra1]\n  black: [Ka8]\nstipulation: '#2'\n"
    steps = "".join(f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 30))
    texts = {
        "multiplying": f"---\na0: &a0 [{','.join('x' * 10)}]\n{steps}{board}authors: *a29\ncomments: *a29\n",
        "of itself": f"---\nauthors: &a [*a, *b]\ncomments: &b {{x: *a, y: *b}}\n{board}",
        "merged into itself": f"---\nx: &c\n  <<: *c\n{board}",
    }
    for name, text in texts.items():
        path = folder / "bomb.olv"
        path.write_text(text)
        run = measured(bench, "import", path)
        expect(run.code in (0, 1, 2) and len(run.err) < 2000, f"{name}: exit code {run.code}: {run.err[-200:]!r}")
        expect(len(run.out) < 4 * len(text) and run.peak < 64 * MIB, f"{name}: {len(run.out)} bytes of output, {run.peak >> 20} MiB of memory")
    return f"{len(texts)} files, as short as they were"


# ---- Characters -------------------------------------------------------------------------------

UNSEEN = {"NUL": "\0", "ESC": "\x1b", "BEL": "\x07", "DEL": "\x7f", "CSI": "\x9b"}
WORD = "be%gin"

TITLED = {
    "fen": f"{FEN} {WORD}\n",
    "epd": f'{FEN[:-4]} id "{WORD}";\n',
    "pgn": f'[Title "{WORD}"]\n[FEN "{FEN}"]\n\n1. Rh2 *\n',
    "pdn": f'[Event "{WORD}"]\n[GameType "25"]\n[FEN "W:Wa1:Bb2"]\n\na1xc3 *\n',
    "olv": f"---\nauthors: ['{WORD}']\nalgebraic:\n  white: [Kc8, Ra1]\n  black: [Ka8]\nstipulation: '#2'\n",
    "popeye": f"BeginProblem\nPieces White Kc8 Ra1\nBlack Ka8\nStipulation #2\nTitle {WORD}\nEndProblem\n",
    "lichess": f"00sHx,q3k1nr/1pp1nQpp/3p4/1P2p3/4P3/B1PP1b2/B5PP/5K2 b k - 0 17,e8d7 a2e6,1760,80,83,72,mate {WORD},https://lichess.org/x,\n",
    "solitaire": f"{WORD}\nKQ..\n....\n..N.\n....\n",
    "json": f'{{"version":1,"puzzles":[{{"name":"{WORD}","game":"chess","board":{{"fen":"{FEN}"}}}}]}}\n',
}
"""A puzzle of each format with a word in its name or another text."""


@fault("import-unseen-characters", "Control characters in a text to import are not written, and that they are gone is told with the line; the letters around them stay")
def import_unseen_characters(bench: Bench) -> str:
    wrong: list[str] = []
    folder = bench.make("unseen")
    for format, text in TITLED.items():
        path = folder / f"text.{format}"
        path.write_text(text.replace(WORD, "begin"), encoding="utf-8")
        plain = measured(bench, "import", "--from", format, path)
        expect(plain.code == 0 and b"begin" in plain.out, f"{format}: the word is not imported: {plain.err!r}")
        for name, character in UNSEEN.items():
            escaped = f"\\u{ord(character):04x}" if format == "json" else character
            path.write_text(text.replace("%", escaped, 1), encoding="utf-8", newline="")
            run = measured(bench, "import", "--from", format, path)
            what = f"{format}, {name}"
            if character.encode() in run.out + run.err:
                wrong.append(f"{what}: it is in the output")
            is_shown = b"begin" not in run.out and b"be" in run.out
            if not (is_shown or run.code in (1, 2) and f"{path}:".encode() in run.err):
                wrong.append(f"{what}: it vanishes without a word, exit code {run.code}")
    return all_right(wrong, f"{len(TITLED)} formats, {len(UNSEEN)} characters, each told")


@fault("import-not-utf-8", "Bytes that are no UTF-8, half a character at the end, and a text in UTF-16 are read as another encoding or refused, and what is written is UTF-8")
def import_not_utf8(bench: Bench) -> str:
    folder = bench.make("bytes")
    tails = {"alone": b"\xff\xfe\xfd", "continued": b"\x80\x80", "overlong": b"\xc0\xaf", "surrogate": b"\xed\xa0\x80", "too high": b"\xf4\x90\x80\x80", "cut": b"\xf0\x9f\x98"}
    for format, text in TITLED.items():
        path = folder / f"text.{format}"
        for name, tail in tails.items():
            path.write_bytes(text.encode().replace(b"%", tail, 1))
            run = measured(bench, "import", "--from", format, path)
            expect(run.code in (0, 1, 2) and b"panicked" not in run.err, f"{format}, {name}: exit code {run.code}: {run.err[-200:]!r}")
            run.out.decode("utf-8")
            run.err.decode("utf-8")
        path.write_bytes(text.encode("utf-16"))
        run = measured(bench, "import", "--from", format, path)
        expect(run.code == 2 and b"UTF-16" in run.err and len(run.messages()) == 1, f"{format}, UTF-16: exit code {run.code}: {run.err!r}")
    return f"{len(TITLED)} formats, {len(tails)} kinds of bytes"
