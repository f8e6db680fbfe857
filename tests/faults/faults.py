"""Tries faults on `cpz` from outside and says what happened, one line each.

    faults.py CPZ [--quick] [--only NAME]… [--edits N] [--markdown FILE] [--list]

`--only` takes a name or its beginning. The exit code is 1 if a promise was not kept.
"""

import argparse
import re
import signal
import sys
import time
import traceback
from pathlib import Path

import crowds  # noqa: F401
import files  # noqa: F401
import markup  # noqa: F401
import protocol  # noqa: F401
import soak  # noqa: F401
import floods  # noqa: F401
import hostile  # noqa: F401
from client import Gone
from table import FAULTS, Bench, Failed, Fault, Skipped

WIDTH = 600
"""How much is told of one fault."""


class TooLate(Exception):
    """A fault that took longer than it may."""


def too_late(*_):
    raise TooLate("it was not over in time")


def attempt(fault: Fault, arguments) -> tuple[str, str]:
    """Tries one fault; `ok`, `FAILED` or `skipped`, and what happened."""
    bench = Bench(arguments.cpz, arguments.edits, arguments.quick)
    signal.signal(signal.SIGALRM, too_late)
    signal.alarm(fault.seconds + arguments.edits // 100 if fault.name == "soak" else fault.seconds)
    try:
        return "ok", fault.run(bench)
    except Skipped as reason:
        return "skipped", str(reason)
    except (Failed, Gone, TooLate, OSError) as error:
        return "FAILED", shortened(f"{error}" if isinstance(error, (Failed, Gone)) else f"{type(error).__name__}: {error}")
    except Exception:  # a mistake in the fault itself is no success either
        return "FAILED", shortened(traceback.format_exc().strip().replace("\n", " | "))
    finally:
        signal.alarm(0)
        bench.close()


def shortened(text: str) -> str:
    text = re.sub(r"\s+", " ", text)
    return text if len(text) <= WIDTH else text[:WIDTH] + "…"


def markdown(rows: list[tuple[Fault, str, str]]) -> str:
    """The table of what was tried."""

    def cell(text: str) -> str:
        return re.sub(r"([|<>\\])", r"\\\1", text).replace("\n", " ")

    head = (
        "# Faults that were tried\n\n`tests/faults/run --markdown docs/faults.md` starts the finished program, does to it what happens to "
        "programs, and\nwrites this page. Each row is a promise and what was seen; the test fails where one is not kept. Figures are of "
        "the\nmachine that it ran on.\n\n| fault tried | what happened |\n|---|---|\n"
    )
    said = {"ok": "", "FAILED": "**FAILED**: ", "skipped": "*skipped*: "}
    return head + "".join(f"| {cell(fault.promise)} | {said[how]}{cell(what)} |\n" for fault, how, what in rows)


def main() -> int:
    # A shell starts what it puts into the background with SIGINT ignored, and what that starts ignores it too.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    parser = argparse.ArgumentParser(description="Tries faults on cpz from outside.")
    parser.add_argument("cpz", type=lambda path: str(Path(path).resolve()))
    parser.add_argument("--only", action="append", metavar="NAME", help="only those whose names begin like this")
    parser.add_argument("--edits", type=int, default=100_000, metavar="N", help="the length of the soak (100000)")
    parser.add_argument("--quick", action="store_true", help="fewer kills and edits, and no folder of 200,000 files")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the table to a file too")
    parser.add_argument("--list", action="store_true", help="only print the names and the promises")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.edits = min(arguments.edits, 40_000)
    chosen = [f for f in FAULTS if not arguments.only or any(f.name.startswith(name) for name in arguments.only)]
    if not chosen:
        parser.error("no fault has such a name")
    if arguments.list:
        print("\n".join(f"{fault.name}: {fault.promise}" for fault in chosen))
        return 0
    rows = []
    for fault in chosen:
        start = time.monotonic()
        how, what = attempt(fault, arguments)
        rows.append((fault, how, what))
        print(f"{how:7} {fault.name}: {what} ({time.monotonic() - start:.1f} s)", flush=True)
    if arguments.markdown:
        arguments.markdown.write_text(markdown(rows), encoding="utf-8")
    failed = sum(how == "FAILED" for _, how, _ in rows)
    skipped = sum(how == "skipped" for _, how, _ in rows)
    print(f"{len(rows)} faults, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
