"""Collections as tables, for pandas, polars and spreadsheets."""

from __future__ import annotations

import glob
import json
import os
import re
from pathlib import Path
from typing import Any, Iterable, Iterator, Sequence, Union

from cpz import _cpz
from cpz.notebook import read

Scalar = Union[str, int, float, bool, None]
Paths = Union[str, "os.PathLike[str]", Iterable[Union[str, "os.PathLike[str]"]]]

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,14})(\.[0-9]{1,15})?")


def table(
    paths: Paths,
    *,
    only: Sequence[str] = (),
    tags: Sequence[str] = (),
    games: Sequence[str] = (),
    solve: bool = False,
    budget: int | None = None,
    config: str | None = None,
) -> list[dict[str, Scalar]]:
    """A row for each question of the puzzles in files, and one for a puzzle that asks nothing: ``pandas.DataFrame(rows)``.

    ``paths`` is a file, a folder, a pattern such as ``"collection/**/*.cpz"``, or several of them. Of a folder all files
    that end in ``.cpz`` are read, also those in folders below it, except in hidden ones. The other options are those of
    ``cpz.export_text``. All rows have the same columns; the manual lists them. Raises ``FileNotFoundError`` for a path
    that leads to no file.
    """
    rows: list[dict[str, Scalar]] = []
    own: dict[str, None] = {}
    for path in files(paths):
        exported = _cpz.export_text(
            read(path),
            "jsonl",
            only=list(only),
            tags=list(tags),
            games=list(games),
            solve=solve,
            path=str(path),
            budget=budget,
            config=config,
        )
        for number, line in enumerate(exported["text"].rstrip("\n").split("\n"), 1):
            for row in _rows(json.loads(line), number):
                own.update(dict.fromkeys(name for name in row if name.startswith("x-")))
                rows.append(row)
    return [{**row, **{name: row.get(name) for name in own}} for row in rows]


def files(paths: Paths) -> list[Path]:
    """The files that paths mean, each once, in the order of the paths; those of a folder or a pattern are sorted."""
    each = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    found = [file for path in each for file in _files(path)]
    return list(dict.fromkeys(found))


def _files(given: str | os.PathLike[str]) -> Iterable[Path]:
    path = Path(given)
    if path.is_file():
        return [path]
    if path.is_dir():
        below = (Path(folder) / name for folder, names in _walk(path) for name in names)
        return sorted(file for file in below if file.suffix == ".cpz")
    found = sorted(map(Path, glob.glob(os.fspath(given), recursive=True)))
    if not found:
        raise FileNotFoundError(f"there is no file {os.fspath(given)!r}, and no file fits it as a pattern")
    return [file for each in found for file in _files(each)]


def _walk(folder: Path) -> Iterator[tuple[str, list[str]]]:
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield place, names


def _rows(puzzle: dict[str, Any], number: int) -> Iterator[dict[str, Scalar]]:
    board, properties, rating = puzzle["board"], puzzle["properties"], puzzle["difficulty"]
    first = {"path": puzzle["place"]["path"], "puzzle": number}
    findings = [f"{finding['code']}: {finding['message']}" for finding in puzzle["findings"]]
    common = {
        "id": puzzle["id"],
        "name": puzzle["name"],
        "game": puzzle["game"],
        "fen": board["fen"],
        "rows": _joined(board["rows"], "/"),
        "side": puzzle["side"],
        "rules": puzzle["rules"],
        "author": _joined(properties.get("author")),
        "source": _joined(properties.get("source")),
        "note": _joined(properties.get("note")),
        "hints": _joined(properties.get("hint")),
        "difficulty": properties.get("difficulty"),
        "tags": _joined(puzzle["tags"], " "),
        "description": puzzle["description"],
        "unique": puzzle["unique"],
        "solutions": properties.get("solutions", _joined(puzzle["solutions"])),
        "condition": properties.get("condition"),
        "half_duplex": "half-duplex" in properties,
        "zeroposition": "zeroposition" in properties,
        "pieces": rating.get("pieces"),
        "estimate": rating.get("estimate"),
        "puzzle_findings": _joined(findings),
    }
    own = {name: _number(value) for name, value in properties.items() if name.startswith("x-")}
    for query in puzzle["queries"] or [None]:
        place = query or puzzle["place"]
        line = place["range"]["start"]["line"] + 1
        yield {**first, "line": line, **common, **_question(query or {}), **own}


def _question(query: dict[str, Any]) -> dict[str, Scalar]:
    length = query.get("in")
    findings = [f"{finding['code']}: {finding['message']}" for finding in query.get("findings", [])]
    return {
        "verb": query.get("verb"),
        "question": query.get("asked"),
        "moves": float(length) if length else None,
        "written": query.get("written"),
        "remark": query.get("remark"),
        "answer": query.get("answer_text"),
        "verdict": query.get("verdict"),
        "findings": _joined(findings),
    }


def _joined(value: Any, by: str = "\n") -> str | None:
    """Texts as one text; nothing for none."""
    if isinstance(value, list):
        return by.join(_joined(each, " ") or "" for each in value) or None
    return None if value is None else str(value)


def _number(value: Any) -> Scalar:
    """The number that a text is; other texts as they are."""
    text = _joined(value, " ")
    match = _NUMBER.fullmatch(text or "")
    return text if not match else float(match[0]) if match[1] else int(match[0])
