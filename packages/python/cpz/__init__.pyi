from typing import Any, Literal, Sequence, TypedDict, overload

from cpz.magic import load_ipython_extension as load_ipython_extension
from cpz.notebook import Puzzle as Puzzle, puzzles as puzzles
from cpz.tables import table as table

__version__: str

class Unchanged(TypedDict):
    line: int
    reason: str

class Converted(TypedDict):
    text: str
    unchanged: list[Unchanged]

class Notice(TypedDict):
    line: int
    reason: str
    imported: bool

class Imported(TypedDict):
    text: str
    puzzles: int
    format: str
    notices: list[Notice]

class Exported(TypedDict):
    text: str
    puzzles: int
    notes: list[str]

class Generated(TypedDict):
    text: str
    puzzles: int

class Position(TypedDict):
    line: int
    character: int

class Range(TypedDict):
    start: Position
    end: Position

class Diagnostic(TypedDict):
    code: str
    severity: Literal["error", "warning", "hint"]
    message: str
    range: Range
    puzzle: str | None

class CheckedFile(TypedDict):
    path: str
    diagnostics: list[Diagnostic]

class Summary(TypedDict):
    files: int
    puzzles: int
    queries: int
    errors: int
    warnings: int

class Checked(TypedDict):
    version: int
    files: list[CheckedFile]
    summary: Summary

class Query(TypedDict):
    verb: str
    range: Range
    answer: dict[str, Any]

class SolvedPuzzle(TypedDict):
    id: str | None
    name: str | None
    game: str
    range: Range
    queries: list[Query]

class SolvedFile(TypedDict):
    path: str
    puzzles: list[SolvedPuzzle]

class Solved(TypedDict):
    version: int
    files: list[SolvedFile]

BoardFormat = Literal["text", "list", "numbers", "coordinates", "fen"]
Theme = Literal["wood", "grey", "print"]

def check(
    text: str,
    *,
    hints: bool = False,
    path: str | None = None,
    budget: int | None = None,
    config: str | None = None,
) -> Checked: ...
def solve(
    text: str,
    *,
    tree: bool = False,
    path: str | None = None,
    budget: int | None = None,
    config: str | None = None,
) -> Solved: ...
def format(text: str, /) -> str: ...
def convert(text: str, to: BoardFormat, *, config: str | None = None) -> Converted: ...
def import_text(
    file: str | bytes,
    *,
    from_format: str | None = None,
    path: str | None = None,
    letters: str | None = None,
    bottom_up: bool = False,
    mates: bool = False,
) -> Imported: ...
def export_text(
    text: str,
    to: str,
    *,
    only: Sequence[str] = ...,
    tags: Sequence[str] = ...,
    games: Sequence[str] = ...,
    solve: bool = False,
    path: str | None = None,
    budget: int | None = None,
    config: str | None = None,
) -> Exported: ...
@overload
def draw(
    text: str,
    *,
    to: Literal["png"],
    only: str | None = None,
    size: int | None = None,
    theme: Theme | None = None,
    coordinates: bool = True,
    step: int | None = None,
    solution: bool = False,
    budget: int | None = None,
    config: str | None = None,
) -> bytes: ...
@overload
def draw(
    text: str,
    *,
    to: Literal["svg"] | None = None,
    only: str | None = None,
    size: int | None = None,
    theme: Theme | None = None,
    coordinates: bool = True,
    step: int | None = None,
    solution: bool = False,
    budget: int | None = None,
    config: str | None = None,
) -> str: ...
def generate(
    game: Literal["solitaire", "chess"],
    *,
    count: int | None = None,
    seed: int | None = None,
    pieces: int | None = None,
    size: str | None = None,
    rules: Literal["default", "ranger", "solo"] | None = None,
    kinds: str | None = None,
    unique: bool = False,
    difficulty: str | None = None,
    mate: int | None = None,
    positions: str | None = None,
    known: str | None = None,
    budget: int | None = None,
) -> Generated: ...
def answer_line(line: str | bytes, *, number: int | None = None, budget: int | None = None) -> str: ...
