"""The checker and solver for chess puzzles, run by ``python -m cpz``; the module exports nothing."""
