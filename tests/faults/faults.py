"""Runs cpz under hostile conditions and prints one line for each fault.

    faults.py CPZ [--quick] [--only NAME]… [--edits N] [--markdown FILE] [--list]

`--only` takes a name or the start of one. The exit code is 1 if a fault failed.
"""

import argparse
import re
import signal
import sys
import time
import traceback
from pathlib import Path

import calls  # noqa: F401
import crowds  # noqa: F401
import files  # noqa: F401
import longlife  # noqa: F401
import markup  # noqa: F401
import outputs  # noqa: F401
import protocol  # noqa: F401
import soak  # noqa: F401
import floods  # noqa: F401
import hostile  # noqa: F401
import imports  # noqa: F401
import inert  # noqa: F401
from client import ServerError, watch
from table import FAULTS, Bench, Failed, Fault, Skipped

MAX_RESULT = 600
"""The longest result of a fault, in characters."""


class Hung(Exception):
    """Nothing has happened for so long that something hangs."""


def on_alarm(_, frame):
    names = [frame.name for frame in traceback.extract_stack(frame)[-4:]]
    raise Hung(f"hung in {', called by '.join(reversed(names))}")


def attempt(fault: Fault, arguments) -> tuple[str, str]:
    """Runs one fault; returns `ok`, `FAILED` or `skipped`, and the result."""
    bench = Bench(arguments.cpz, arguments.edits, arguments.quick)
    signal.signal(signal.SIGALRM, on_alarm)
    watch()
    try:
        return "ok", fault.run(bench)
    except Skipped as reason:
        return "skipped", str(reason)
    except (Failed, ServerError, Hung, OSError) as error:
        return "FAILED", shortened(f"{error}" if isinstance(error, (Failed, ServerError, Hung)) else f"{type(error).__name__}: {error}")
    except Exception:  # an error in the fault itself counts as a failure
        return "FAILED", shortened(traceback.format_exc().strip().replace("\n", " | "))
    finally:
        signal.alarm(0)
        bench.close()


def shortened(text: str) -> str:
    text = re.sub(r"\s+", " ", text)
    return text if len(text) <= MAX_RESULT else text[:MAX_RESULT] + "…"


def markdown(rows: list[tuple[Fault, str, str]]) -> str:
    """The page docs/faults.md."""

    def cell(text: str) -> str:
        return re.sub(r"([|<>\\])", r"\\\1", text).replace("\n", " ")

    head = (
        "# Faults that were tried\n\n`tests/faults/run --markdown docs/faults.md` runs the finished program under hostile conditions and "
        "writes this page.\nEach row is one test: the condition with the required behaviour, and the measured result. A test fails if "
        "the behaviour\ndiffers. The figures are from the machine of the last run.\n\n"
        "| condition and required behaviour | result |\n|---|---|\n"
    )
    prefix = {"ok": "", "FAILED": "**FAILED**: ", "skipped": "*skipped*: "}
    return head + "".join(f"| {cell(fault.title)} | {prefix[how]}{cell(what)} |\n" for fault, how, what in rows)


def main() -> int:
    # Background processes of a shell ignore SIGINT and pass that on to their children; undo it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    parser = argparse.ArgumentParser(description="Runs cpz under hostile conditions.")
    parser.add_argument("cpz", type=lambda path: str(Path(path).resolve()))
    parser.add_argument("--only", action="append", metavar="NAME", help="only the faults whose names start with NAME")
    parser.add_argument("--edits", type=int, default=100_000, metavar="N", help="the length of the soak (100000)")
    parser.add_argument("--quick", action="store_true", help="fewer files, kills, messages and edits")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="also write the table to FILE")
    parser.add_argument("--list", action="store_true", help="print the names and the titles, run nothing")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.edits = min(arguments.edits, 5_000)
    chosen = [f for f in FAULTS if not arguments.only or any(f.name.startswith(name) for name in arguments.only)]
    if not chosen:
        parser.error("no fault has this name")
    if arguments.list:
        print("\n".join(f"{fault.name}: {fault.title}" for fault in chosen))
        return 0
    rows = []
    for fault in chosen:
        start = time.monotonic()  # only printed
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
