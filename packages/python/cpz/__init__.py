"""The checker and solver for chess puzzles, run by ``python -m cpz``; nothing here is to be imported."""
