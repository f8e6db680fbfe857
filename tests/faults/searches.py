"""Searches that outlast every test."""

import random

from client import processor_time
from table import wait_until

SLOW = "solitaire { board QQQQ QQQQ QQQQ QQQQ count }\n"
BOUNDLESS = {"budget": 2**63 - 1}
"""Settings of a client without a limit for searches."""


def slow_text(count: int = 1000, seed: int = 0) -> str:
    """Puzzles with long searches, a thousand of which take an hour; all different, so that the cache answers none."""
    rng = random.Random(seed)
    boards = (" ".join("".join(rng.choices("QRBN", k=4)) for _ in range(4)) for _ in range(count))
    return "".join(SLOW.replace("QQQQ QQQQ QQQQ QQQQ", board) for board in boards)


def await_search(pid: int):
    """Waits until a process has searched for longer than the first pass over `slow_text` takes."""
    wait_until(lambda: processor_time(pid) > 4, "the searches use no processor time")
