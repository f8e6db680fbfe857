from builtins import bytes as _bytes
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

class ExportedPackage(TypedDict):
    bytes: _bytes
    puzzles: int
    notes: list[str]

class LeftOut(TypedDict):
    line: int
    reason: str

class Printed(TypedDict):
    text: str
    puzzles: int
    left_out: list[LeftOut]

class Fixed(TypedDict):
    text: str
    fixed: int

class Explanation(TypedDict):
    name: str
    severity: Literal["error", "warning", "hint"] | None
    title: str | None
    text: str

class Code(TypedDict):
    code: str
    severity: Literal["error", "warning", "hint"]
    title: str

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

class RatedPuzzle(TypedDict):
    id: str | None
    name: str | None
    game: str
    range: Range
    difficulty: dict[str, Any]

class RatedFile(TypedDict):
    path: str
    puzzles: list[RatedPuzzle]

class Rated(TypedDict):
    version: int
    files: list[RatedFile]

class HintedPuzzle(TypedDict):
    id: str | None
    name: str | None
    game: str
    range: Range
    hint: str | None
    error: str | None

class HintedFile(TypedDict):
    path: str
    puzzles: list[HintedPuzzle]

class Hinted(TypedDict):
    version: int
    grade: int
    files: list[HintedFile]

Change = TypedDict(
    "Change",
    {
        "change": Literal["kind", "remove", "move", "add"],
        "piece": str,
        "from": list[int] | None,
        "to": list[int] | None,
        "becomes": str | None,
    },
)

class Edit(TypedDict):
    range: Range
    text: str

class Repair(TypedDict):
    title: str
    changes: list[Change]
    board: str
    solution: str
    answers: list[dict[str, Any]]
    rewritesAnswer: bool
    edits: list[Edit]

class RepairedPuzzle(TypedDict):
    id: str | None
    name: str | None
    game: str
    range: Range
    sound: bool | None
    changes: int
    complete: bool
    tested: int
    found: int
    repairs: list[Repair]

class RepairedFile(TypedDict):
    path: str
    puzzles: list[RepairedPuzzle]

class Repaired(TypedDict):
    version: int
    aim: Literal["sound", "unique", "shorter", "minimal"]
    files: list[RepairedFile]

class Statistics(TypedDict):
    version: int
    files: int
    puzzles: int
    games: dict[str, int]
    sizes: dict[str, int]
    pieces: dict[str, int]
    kinds: dict[str, int]
    difficulty: dict[str, int]
    soundness: dict[str, int]
    findings: dict[str, int]

BoardFormat = Literal["text", "list", "numbers", "coordinates", "fen"]
Theme = Literal["wood", "grey", "print"]
Placement = Literal["apart", "below", "none"]
Document = Literal["check", "solve", "repair", "rate", "hint", "stats", "diff", "export", "lines", "config", "baseline"]

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
def fix(text: str, *, budget: int | None = None, config: str | None = None) -> Fixed: ...
def repair(
    text: str,
    *,
    only: Sequence[str] = ...,
    tags: Sequence[str] = ...,
    games: Sequence[str] = ...,
    unique: bool = False,
    shorten: bool = False,
    minimal: bool = False,
    max: int | None = None,
    path: str | None = None,
    budget: int | None = None,
    config: str | None = None,
) -> Repaired: ...
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
@overload
def export_text(  # type: ignore[overload-overlap]
    text: str,
    to: Literal["anki"],
    *,
    only: Sequence[str] = ...,
    tags: Sequence[str] = ...,
    games: Sequence[str] = ...,
    solve: bool = False,
    time: int | None = None,
    path: str | None = None,
    budget: int | None = None,
    config: str | None = None,
) -> ExportedPackage: ...
@overload
def export_text(
    text: str,
    to: str,
    *,
    only: Sequence[str] = ...,
    tags: Sequence[str] = ...,
    games: Sequence[str] = ...,
    solve: bool = False,
    time: int | None = None,
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
def print_text(
    text: str,
    *,
    to: Literal["html", "typst", "latex"] | None = None,
    only: Sequence[str] = ...,
    tags: Sequence[str] = ...,
    games: Sequence[str] = ...,
    theme: Theme | None = None,
    coordinates: bool | None = None,
    paper: Literal["a4", "letter"] | None = None,
    per_page: int | None = None,
    form: Literal["lesson", "magazine"] | None = None,
    solutions: Placement | None = None,
    hints: Placement | None = None,
    add_hints: bool = False,
    difficulty: Literal["written", "estimate", "none"] | None = None,
    language: Literal["en", "de", "fr", "ru", "es"] | None = None,
    title: str | None = None,
    budget: int | None = None,
    config: str | None = None,
) -> Printed: ...
def rate(
    text: str,
    *,
    only: Sequence[str] = ...,
    tags: Sequence[str] = ...,
    games: Sequence[str] = ...,
    path: str | None = None,
    budget: int | None = None,
    config: str | None = None,
) -> Rated: ...
def hint(
    text: str,
    *,
    grade: int | None = None,
    only: Sequence[str] = ...,
    tags: Sequence[str] = ...,
    games: Sequence[str] = ...,
    path: str | None = None,
    budget: int | None = None,
    config: str | None = None,
) -> Hinted: ...
def sort(
    text: str,
    by: Literal["difficulty", "pieces", "name", "id"],
    *,
    budget: int | None = None,
    config: str | None = None,
) -> str: ...
def stats(text: str, *, budget: int | None = None, config: str | None = None) -> Statistics: ...
def plot(text: str, *, budget: int | None = None, config: str | None = None) -> str: ...
def explain(name: str, /) -> Explanation: ...
def codes() -> list[Code]: ...
def schema(of: Document, /) -> dict[str, Any]: ...
def diff(
    old: str,
    new: str,
    *,
    path: str | None = None,
    budget: int | None = None,
    config: str | None = None,
) -> dict[str, Any]: ...
def diff_html(
    old: str,
    new: str,
    *,
    max: int | None = None,
    path: str | None = None,
    budget: int | None = None,
    config: str | None = None,
) -> str: ...
def diff_markdown(
    old: str,
    new: str,
    *,
    max: int | None = None,
    path: str | None = None,
    budget: int | None = None,
    config: str | None = None,
) -> str: ...
def generate(
    game: Literal["solitaire", "chess", "chess3d", "draughts"],
    *,
    count: int | None = None,
    seed: int | None = None,
    pieces: int | None = None,
    size: str | None = None,
    rules: Literal["default", "ranger", "solo"] | None = None,
    kinds: str | None = None,
    unique: bool = False,
    difficulty: str | None = None,
    captures: int | None = None,
    mate: int | None = None,
    positions: str | None = None,
    known: str | None = None,
    budget: int | None = None,
) -> Generated: ...
def answer_line(line: str | bytes, *, number: int | None = None, budget: int | None = None) -> str: ...
