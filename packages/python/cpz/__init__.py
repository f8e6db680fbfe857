"""The checker and solver for chess puzzles, as functions; ``python -m cpz`` runs the program."""

from cpz._cpz import (
    __version__,
    answer_line,
    check,
    convert,
    draw,
    export_text,
    format,
    generate,
    import_text,
    solve,
)
from cpz.magic import load_ipython_extension as load_ipython_extension
from cpz.notebook import Puzzle, puzzles
from cpz.tables import table

__all__ = [
    "Puzzle",
    "__version__",
    "answer_line",
    "check",
    "convert",
    "draw",
    "export_text",
    "format",
    "generate",
    "import_text",
    "puzzles",
    "solve",
    "table",
]
