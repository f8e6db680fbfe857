"""The cell magic ``%%cpz``: puzzles in a cell of a notebook. Loaded by ``%load_ext cpz``; needs IPython for nothing else."""

from __future__ import annotations

import argparse
import re
import unicodedata
from typing import Any

from cpz import _cpz
from cpz.notebook import Puzzle, escaped, puzzles

# The colours of the severities, to be read on white and on black.
COLOURS = {"error": "#d73a49", "warning": "#b58900", "hint": "#5a8fd0"}
# Not every page that shows a notebook sets such a text in a font whose letters have one width.
PRE = "font-family:monospace;line-height:1.3;white-space:pre;overflow-x:auto;margin:0 0 1em"
# A line is shown up to so many characters around a finding.
MAX_LINE = 160
# So many lines of a finding are shown.
MAX_LINES = 8


class Cell:
    """What ``%%cpz`` gives: the value of the cell, and ``_`` in the next one."""

    text: str
    """The text of the cell. Its first line is empty, so that lines count as in the notebook."""
    findings: list[dict[str, Any]]
    """What is wrong with it, as ``cpz.check`` gives it."""
    puzzles: list[Puzzle]
    """Its puzzles."""

    def __init__(self, text: str, *, board: bool, solution: bool, hide: bool, hints: bool, budget: int | None) -> None:
        self.text = text
        checked = _cpz.check(text, hints=hints, path="cell", budget=budget)
        self.findings = checked["files"][0]["diagnostics"]
        self.puzzles = puzzles(text, budget=budget)
        self._summary = summary(checked["summary"], self.findings)
        self._look = {"board": board, "solution": solution, "hide": hide}

    def _repr_html_(self) -> str:
        parts = [puzzle.html(**self._look) for puzzle in self.puzzles]
        lines = split_lines(self.text)
        for finding in self.findings:
            title, *places = in_words(finding, lines)
            colour = COLOURS[finding["severity"]]
            title = f'<b style="color:{colour}">{escaped(title)}</b>'
            place = re.sub(r"(?m)^( +\| *)(\^+)$", rf'\1<b style="color:{colour}">\2</b>', "\n".join(map(escaped, places)))
            parts.append(f'<pre class="cpz-finding" style="{PRE}">{title}\n{place}</pre>')
        return "".join([*parts, f'<p class="cpz-summary">{escaped(self._summary)}</p>'])

    def __repr__(self) -> str:
        """The boards as text, the findings and the summary, as a terminal shows them."""
        parts = [puzzle.plain(board=self._look["board"], hide=self._look["hide"]) for puzzle in self.puzzles]
        lines = split_lines(self.text)
        parts.extend("\n".join(in_words(finding, lines)) for finding in self.findings)
        return "\n\n".join([*parts, self._summary])


def summary(counts: dict[str, int], findings: list[dict[str, Any]]) -> str:
    """What was checked, and how much was found."""

    def of(number: int, one: str, many: str) -> str:
        return f"{number} {one if number == 1 else many}"

    hints = sum(finding["severity"] == "hint" for finding in findings)
    kinds = [(counts["errors"], "error", "errors"), (counts["warnings"], "warning", "warnings"), (hints, "hint", "hints")]
    found = ", ".join(of(*kind) for kind in kinds if kind[0]) or "nothing found"
    checked = [of(counts["puzzles"], "puzzle", "puzzles"), of(counts["queries"], "query", "queries")]
    return f"checked {', '.join(checked)}: {found}"


def split_lines(text: str) -> list[str]:
    """The lines of a text as findings count them: `str.splitlines` has more signs that end a line."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def in_words(finding: dict[str, Any], lines: list[str]) -> list[str]:
    """The lines that tell a finding, with its place in the text and carets below it, as in the terminal."""
    start, end = finding["range"]["start"], finding["range"]["end"]
    last = min(end["line"], start["line"] + MAX_LINES - 1)
    width = len(str(last + 1))
    first = character(lines[start["line"]], start["character"])
    out = [
        f"{finding['severity']}[{finding['code']}]: {finding['message']}",
        f"{' ' * width}--> cell:{start['line'] + 1}:{first + 1}",
        f"{' ' * width} |",
    ]
    for number in range(start["line"], last + 1):
        line = lines[number]
        begin = first if number == start["line"] else len(line) - len(line.lstrip())
        stop = character(line, end["character"]) if number == end["line"] else len(line)
        if number > start["line"] and stop <= begin:
            continue
        cut = max(0, begin - MAX_LINE // 2) if len(line) > MAX_LINE else 0
        shown, stop = line[cut : cut + MAX_LINE], min(stop, cut + MAX_LINE)
        blank = columns(line[cut:begin])
        carets = "^" * max(1, columns(line[begin:stop]))
        out.append(f"{number + 1:>{width}} | {visible(shown)}".rstrip())
        out.append(f"{' ' * width} | {' ' * blank}{carets}")
    return out


def character(line: str, units: int) -> int:
    """The index of a character in a line, from its offset in UTF-16 units."""
    return len(line.encode("utf-16-le")[: 2 * units].decode("utf-16-le", "ignore"))


def visible(text: str) -> str:
    """A text with four blanks for a tab, and a sign for each other character that cannot be seen."""

    def shown(c: str) -> str:
        if c == "\t":
            return "    "
        return "\N{REPLACEMENT CHARACTER}" if unicodedata.category(c) in ("Cc", "Cf") else c

    return "".join(map(shown, text))


def columns(text: str) -> int:
    """The width of a text in columns of a terminal."""
    shown = (c for c in visible(text) if not unicodedata.combining(c))
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in shown)


class _Arguments(argparse.ArgumentParser):
    def error(self, message: str) -> Any:
        raise ValueError(f"{message}; %%cpz? lists the options")


def _arguments() -> argparse.ArgumentParser:
    parser = _Arguments(prog="%%cpz", add_help=False, allow_abbrev=False)
    for name in ["hide", "solution", "no-board", "hints"]:
        parser.add_argument(f"--{name}", action="store_true")
    parser.add_argument("--budget", type=int)
    return parser


def cpz_cell(line: str, cell: str) -> Cell:
    """Checks the puzzles of the cell and shows their boards, questions and answers.

    %%cpz [--hide] [--solution] [--no-board] [--hints] [--budget NODES]

    --hide       the answers are behind a click
    --solution   whole solutions, with their variations and a board for each step
    --no-board   no pictures
    --hints      hints are shown, too, beside errors and warnings
    --budget     the node budget of a search

    What is wrong stands below the boards, with its line in the cell, of which `%%cpz` is the first. The value of the cell
    has `text`, `findings` and `puzzles`.
    """
    try:
        options = _arguments().parse_args(line.split())
        look = {"board": not options.no_board, "solution": options.solution, "hide": options.hide}
        return Cell(f"\n{cell}", hints=options.hints, budget=options.budget, **look)
    except ValueError as error:
        from IPython.core.error import UsageError

        raise UsageError(str(error)) from None


def load_ipython_extension(ipython: Any) -> None:
    """Makes ``%%cpz`` known: IPython calls this for ``%load_ext cpz``."""
    ipython.register_magic_function(cpz_cell, magic_kind="cell", magic_name="cpz")
