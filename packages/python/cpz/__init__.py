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

__all__ = [
    "__version__",
    "answer_line",
    "check",
    "convert",
    "draw",
    "export_text",
    "format",
    "generate",
    "import_text",
    "solve",
]
