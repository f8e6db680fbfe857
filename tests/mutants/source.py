"""The changes, and the copy of the source that has all of them."""

import hashlib
import json
import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate

TOKEN = re.compile(r"""//[^\n]*|/\*.*?\*/|r(#*)".*?"\1|"(?:\\.|[^"\\])*"|'(?:\\.[^']*|[^'\\])'|.""", re.DOTALL)
"""A comment, a string, a character, or any other character of Rust."""


class Source:
    """The text of a file, with places as cargo-mutants gives them: lines and columns from 1."""

    def __init__(self, text: str):
        self.text = text
        self.starts = [0, *accumulate(len(line) for line in text.splitlines(keepends=True))]

    def range(self, span: dict) -> tuple[int, int]:
        return tuple(self.starts[span[end]["line"] - 1] + span[end]["column"] - 1 for end in ("start", "end"))

    def body(self, start: int, end: int) -> int | None:
        """Where the body of a function begins: at the first brace that is not in brackets."""
        depth = 0
        for token in TOKEN.finditer(self.text, start, end):
            if token[0] in "([":
                depth += 1
            elif token[0] in ")]":
                depth -= 1
            elif token[0] == "{" and depth == 0:
                return token.start()
        return None


@dataclass
class Mutant:
    """A change of one function."""

    file: str
    function: str
    change: str
    replacement: str
    start: int
    end: int
    area: str = ""
    nth: int = 1
    """Which of the equal changes of the function it is."""
    place: "Function | None" = field(default=None, repr=False)
    number: int = 0
    """Its number in the copy; 0 if it is not there."""

    @cached_property
    def key(self) -> str:
        """Its name, which stays when other lines of the file change."""
        return "\t".join((self.file, self.function, self.change, str(self.nth)))

    def rank(self, seed: str) -> str:
        return hashlib.sha256(f"{seed}\t{self.key}".encode()).hexdigest()

    @property
    def digest(self) -> str:
        """Differs when the function differs."""
        text = self.place.text if self.place else ""
        return hashlib.sha256(f"{self.key}\t{text}".encode()).hexdigest()[:16]


@dataclass
class Function:
    """A function that is in no other function."""

    name: str
    start: int
    end: int
    text: str
    obstacle: str = ""
    """Why its changes cannot be tried."""
    body: int = 0


def read_mutants(listed: list[dict], sources: dict[str, Source]) -> list[Mutant]:
    """The changes of cargo-mutants that are in functions, each with its outermost function."""
    mutants = []
    nth: dict[tuple, int] = {}
    functions: dict[str, list[Function]] = {}
    listed = [entry for entry in listed if entry["function"]]
    for file in {entry["file"] for entry in listed}:
        ranges = {}
        for entry in listed:
            if entry["file"] == file:
                ranges.setdefault(sources[file].range(entry["function"]["span"]), entry["function"])
        outer: list[Function] = []
        for (start, end), function in sorted(ranges.items(), key=lambda f: (f[0][0], -f[0][1])):
            if not outer or start >= outer[-1].end:
                outer.append(read_function(file, function["function_name"], start, end, sources[file]))
        functions[file] = outer
    for entry in listed:
        file, name = entry["file"], entry["function"]["function_name"]
        start, end = sources[file].range(entry["span"])
        # The name of cargo-mutants begins with the place.
        change = re.sub(r"^.*?:\d+:\d+: ", "", entry["name"]).removesuffix(f" in {name}")
        change = re.sub(r"\s+", " ", change)
        count = nth[file, name, change] = nth.get((file, name, change), 0) + 1
        mutant = Mutant(file, name, change, entry["replacement"], start, end, nth=count)
        outer = functions[file]
        mutant.place = outer[bisect_right([f.start for f in outer], start) - 1]
        mutants.append(mutant)
    return mutants


def read_function(file: str, name: str, start: int, end: int, source: Source) -> Function:
    body = source.body(start, end)
    function = Function(f"{file}:{name}", start, end, source.text[start:end])
    head = re.sub(r"//[^\n]*|#\[.*?\]\n", "", source.text[start:body]) if body else ""
    if body is None:
        function.obstacle = "has no body"
    elif re.search(r"\bconst\s+fn\b", head):
        function.obstacle = "const fn"
    elif re.search(r"->.*\bimpl\b", head, re.DOTALL):
        function.obstacle = "returns impl"
    function.body = body or end
    return function


@dataclass
class Copied:
    """A file of the copy: its text, and the lines of its changes and functions."""

    text: str
    mutants: list[tuple[int, int, Mutant]]
    functions: list[tuple[int, int, Function]]

    def of_line(self, line: int) -> list[Mutant]:
        """The change in a line; all changes of the function if the line is in its text of before."""
        for first, last, mutant in self.mutants:
            if first <= line <= last:
                return [mutant]
        for first, last, function in self.functions:
            if first <= line <= last:
                return [m for _, _, m in self.mutants if m.place is function]
        return []


def with_switches(source: Source, mutants: list[Mutant]) -> Copied:
    """The text in which each function with changes has its body once more for each of them, and a switch in front."""
    out: list[str] = []
    line = 1
    changed, functions = [], []

    def put(text: str) -> None:
        nonlocal line
        out.append(text)
        line += text.count("\n")

    at = 0
    for function in sorted({id(m.place): m.place for m in mutants}.values(), key=lambda f: f.start):
        put(source.text[at : function.body])
        begin = line
        name = json.dumps(function.name)
        put(f"{{ static CPZ_FUNCTION: ::cpz_mutant::Function = ::cpz_mutant::Function::new({name}); ")
        put("match ::cpz_mutant::active(&CPZ_FUNCTION) {\n")
        for mutant in (m for m in mutants if m.place is function):
            first = line
            put(f"{mutant.number} => {{ ::cpz_mutant::changed(); ")
            put(source.text[function.body : mutant.start] + f" {mutant.replacement} " + source.text[mutant.end : function.end])
            changed.append((first, line, mutant))
            put(" }\n")
        put("_ => " + source.text[function.body : function.end] + "\n} }")
        functions.append((begin, line, function))
        at = function.end
    put(source.text[at:])
    return Copied("".join(out), changed, functions)
