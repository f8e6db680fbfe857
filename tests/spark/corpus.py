"""Puzzles for the tests and measurements with Spark."""

import json
import random
from pathlib import Path

PER_FILE = 20_000


def boards(count, seed):
    """Boards of four rows with three to five pieces: some occur twice, some as mirror images."""
    numbers = random.Random(seed)
    for _ in range(count):
        cells = ["."] * 16
        for square in numbers.sample(range(16), numbers.randint(3, 5)):
            cells[square] = numbers.choice("PNBRQ")
        yield ["".join(cells[start : start + 4]) for start in range(0, 16, 4)]


def write(folder: Path, count: int, seed: int = 1, per_file: int = PER_FILE):
    """Writes the same puzzles, one a line, as JSON Lines into `lines` and as collections into `collections`."""
    for kind in ["lines", "collections"]:
        (folder / kind).mkdir(parents=True)
    rows = boards(count, seed)
    for number in range((count + per_file - 1) // per_file):
        name = f"part-{number:04}"
        with (
            (folder / "lines" / f"{name}.jsonl").open("w") as lines,
            (folder / "collections" / f"{name}.cpz").open("w") as collection,
        ):
            for _, board in zip(range(min(per_file, count - number * per_file)), rows):
                puzzle = {"game": "solitaire", "board": {"rows": board}, "queries": [{"verb": "solve"}]}
                lines.write(json.dumps(puzzle, separators=(",", ":")) + "\n")
                collection.write(f"solitaire {{ board {' '.join(board)} solve }}\n")
