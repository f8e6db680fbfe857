"""Puzzles that show themselves in a notebook."""

from __future__ import annotations

import base64
import functools
import html
import os
import unicodedata
from typing import Any

from cpz import _cpz

# The longer sides of large boards, and of those of steps, in pixels.
BOARD = 300
STEP = 180


@functools.lru_cache(maxsize=64)
def _shown(text: str, whole: bool, budget: int | None, config: str | None) -> dict[str, Any]:
    """What a puzzle shows; kept, because a cell is often displayed more than once. `ValueError`: why it shows nothing."""
    return _cpz._show(text, size=BOARD, step_size=STEP, whole=whole, budget=budget, config=config)


def escaped(text: str) -> str:
    """A text as HTML. Characters that cannot be seen, such as those that turn the direction of writing, are blanks."""
    return html.escape("".join(" " if unicodedata.category(c) in ("Cc", "Cf") else c for c in text))


def _image(board: dict[str, Any], style: str = "") -> str:
    # An image and no `svg` element: Jupyter and GitHub take those out of notebooks that somebody else has run, and the
    # parts of several pictures in one page have the same names.
    svg = base64.b64encode(board["svg"].encode()).decode()
    # The dot of the side to move is black on white, so a dark page needs a light ground.
    style = f"background-color:#fff;{style}"
    return f'<img class="cpz-board" style="{style}" alt="{escaped(board["words"])}" src="data:image/svg+xml;base64,{svg}">'


def _lines(solution: list[list[Any]]) -> str:
    return "<br>".join("&emsp;" * depth + escaped(line) for depth, line in solution)


class Puzzle:
    """One puzzle, which a notebook shows: its board, what it asks, and its solution behind a click.

    ``text`` has one puzzle and the properties above it that apply to it. The searches have the node budget ``budget``;
    ``config`` is the text of a ``cpz.toml``. Raises ``ValueError`` for a text with no puzzle or several, and for a wrong
    option. A puzzle with mistakes is a puzzle; ``cpz.check`` says what is wrong with it.
    """

    text: str
    """The puzzle as a text of its own, for the other functions: ``cpz.solve(puzzle.text)``."""
    id: str | None
    """Its ``id``."""
    name: str | None
    """Its name, without quotes."""
    game: str
    """Its game, as it is written."""
    line: int
    """The line on which it begins in the text that it was taken from, from 1."""

    def __init__(self, text: str, *, budget: int | None = None, config: str | None = None) -> None:
        found = _cpz._puzzle_texts(text)
        if len(found) != 1:
            raise ValueError(f"the text has {len(found)} puzzles and not one; `cpz.puzzles` takes any number of them")
        _cpz.check("", budget=budget, config=config)  # raises an error if an option is wrong
        self.__dict__.update(found[0])
        self._options = (budget, config)

    @property
    def title(self) -> str:
        """Its name, its id, or else its game and its line."""
        return self.name or self.id or f"{self.game} (line {self.line})"

    @property
    def questions(self) -> list[str]:
        """What it asks in words, such as ``White to move: mate in 2``. Empty where the board cannot be read."""
        return [question["asked"] for question in self._questions()]

    @property
    def answers(self) -> list[str]:
        """The verified answers to the questions in words, each in as few lines as it has solutions."""
        return ["\n".join(line for _, line in question["solution"]) for question in self._questions()]

    def _show(self, whole: bool) -> dict[str, Any]:
        return _shown(self.text, whole, *self._options)

    def _questions(self) -> list[dict[str, Any]]:
        try:
            return self._show(whole=False)["questions"]
        except ValueError:
            return []

    def html(self, *, board: bool = True, solution: bool = True, hide: bool = True) -> str:
        """The puzzle as HTML without scripts, which needs no other file.

        ``board=False`` leaves the pictures out, ``solution=False`` the variations and steps, so that only the answers
        remain, and ``hide=False`` shows at once what is otherwise behind a click.
        """
        parts = [f"<b>{escaped(self.title)}</b>"]
        try:
            shown = self._show(whole=solution)
        except ValueError as error:
            parts.append(f"<p>There is no board: {escaped(str(error))}.</p>")
            return self._in_block(parts)
        parts.extend(f"<div>{escaped(line)}</div>" for line in shown["credits"])
        if board:
            parts.append(f'<div style="margin:0.5em 0">{_image(shown["board"])}</div>')
        questions = shown["questions"]
        answered = [question for question in questions if question["solution"]]
        answers = [f"<p>{_lines(question['solution'])}</p>" for question in answered]
        if solution or hide:
            parts.extend(f"<p>{escaped(question['asked'])}</p>" for question in questions)
            if len(questions) > 1:
                answers = [f"<p>{escaped(q['asked'])}<br><b>{_lines(q['solution'])}</b></p>" for q in answered]
        else:
            answers = [f"<p>{escaped(q['asked'])} <b>{_lines(q['solution'])}</b></p>" for q in questions]
        if board:
            answers.append("".join(map(self._step, shown["steps"])))
        if "".join(answers):
            if hide:
                answers = ["<details><summary>Solution</summary>", *answers, "</details>"]
            parts.extend(answers)
        return self._in_block(parts)

    @staticmethod
    def _in_block(parts: list[str]) -> str:
        return f'<div class="cpz-puzzle" style="margin:0.5em 0 1.5em">{"".join(parts)}</div>'

    @staticmethod
    def _step(step: dict[str, Any]) -> str:
        image = _image(step, "display:block")
        style = f"display:inline-block;vertical-align:top;margin:0 1em 1em 0;width:{max(STEP, step['width'])}px"
        return f'<div style="{style}">{image}<div>{escaped(step["caption"])}</div></div>'

    def _repr_html_(self) -> str:
        return self.html()

    def _repr_svg_(self) -> str | None:
        try:
            return _cpz.draw(self.text, size=BOARD, config=self._options[1])
        except ValueError:
            return None

    def __repr__(self) -> str:
        return f"<cpz.Puzzle {self.title!r}: {self.game}, line {self.line}>"

    def __str__(self) -> str:
        """The title, the board as text and what the puzzle asks."""
        return self.plain()

    def plain(self, *, board: bool = True, hide: bool = True) -> str:
        """The puzzle as text, for a terminal: ``board=False`` leaves the board out, ``hide=False`` has the answers, too."""
        try:
            shown = self._show(whole=False)
        except ValueError as error:
            return f"{self.title}\nThere is no board: {error}."
        lines = [self.title, *shown["credits"]]
        if board:
            lines.append(shown["rows"].rstrip("\n"))
        for question in shown["questions"]:
            answers = [] if hide else [f"{'  ' * depth}{line}" for depth, line in question["solution"]]
            lines.append(f"{question['asked']} ⇒ {answers[0]}" if len(answers) == 1 else question["asked"])
            lines.extend(f"  {answer}" for answer in answers if len(answers) > 1)
        return "\n".join(lines)


def puzzles(source: str | os.PathLike[str], *, budget: int | None = None, config: str | None = None) -> list[Puzzle]:
    """The puzzles of a text, in order; or those of a file, if ``source`` is a path such as ``pathlib.Path("mates.cpz")``.

    Each is a :class:`Puzzle` with the properties outside of puzzles that apply to it. ``budget`` and ``config`` are those
    of :class:`Puzzle`.
    """
    if isinstance(source, str):
        if source.endswith(".cpz") and "\n" not in source:
            raise ValueError(f"{source!r} is taken for a text; for a file, give pathlib.Path({source!r})")
        text = source
    else:
        text = read(source)
    found = []
    for part in _cpz._puzzle_texts(text):
        puzzle = Puzzle(part["text"], budget=budget, config=config)
        puzzle.line = part["line"]
        found.append(puzzle)
    return found


def read(path: str | os.PathLike[str]) -> str:
    """The text of a file. Raises ``ValueError`` if it is not UTF-8; line ends are as they are."""
    with open(path, "rb") as file:
        content = file.read()
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"{os.fspath(path)}: the file is not UTF-8: {error}") from None
