"""What the person reads and is offered while writing: hover and completion."""

import pytest
from lsprotocol import types as lsp

from conftest import cursor

SAMPLE = """solitaire "Sample 🐴" {
  board
    . . . .
    . B . .
    R P . .
    . . . N
  solve => [[[3,0], [1,1]], [[0,1], [1,1]], [[1,1], [1,2]]]
}
chess "Pinned" {
  allow illegal-move
  board [["W","K",5,1], ["W","R",5,2], ["B","R",5,8], ["B","K",8,8]]
  move Ra2
  mate
}
chess3d "Mate" {
  board [###,n##,#rr],[#b#,###,###],[###,###,bRK]
  mate => true
}
draughts "Quiet" {
  board [["W","K",1,1], ["B","M",8,8]]
  capture => none
}
"""

# Where the mouse is (a piece of the text, and how far into it), what the hover covers, what it tells.
HOVERS = {
    "a board": ("board", 1, "board\n    . . . .\n    . B . .\n    R P . .\n    . . . N", [" a b c d"]),
    "a solitaire piece": ("B . .", 0, "B", ["bishop", "b3", "d1", "a2"]),
    "a chess piece": ('["W","R",5,2]', 2, '["W","R",5,2]', ["rook", "e2", "e3", "e8"]),
    "a chess3d piece": ("n##", 0, "n", ["knight", "a2 (III)"]),
    "a step": ("[[0,1], [1,1]]", 3, "[[0,1], [1,1]]", ["a2xb2"]),
    "a solve": ("solve =>", 1, None, ["verified", "solve"]),
    "an illegal move": ("move Ra2", 6, "move Ra2", ["illegal", "pinned by the rook on e8"]),
    "a mate": ("mate\n", 1, "mate", ["none", "mate"]),
    "whose mate": ("mate => true", 1, "mate => true", ["checkmate", "b2", "knight on a2"]),
    "a keyword": ("allow", 2, "allow", ["allow", "silences"]),
    "a code": ("illegal-move", 2, "illegal-move", ["illegal-move", "error"]),
}


async def hover(session, document, needle, into=0):
    return await session.client.text_document_hover_async(lsp.HoverParams(document.id, document.at(needle, into)))


@pytest.mark.parametrize("case", HOVERS)
async def test_hover(session, case):
    needle, into, covered, told = HOVERS[case]
    document = await session.opened(SAMPLE)
    found = await hover(session, document, needle, into)
    assert found.contents.kind in session.can("text_document.hover.content_format")
    if covered is not None:
        assert document.slice(found.range) == covered
    text = found.contents.value.replace("\\", "")
    if "data:image/svg+xml" in text:
        # Only VS Code shows images; and nothing is fetched for one.
        assert session.editor.startswith("vscode")
        told = [word for word in told if word != " a b c d"]
    assert [word for word in told if word not in text] == []


async def test_hover_of_a_quiet_piece(session):
    document = await session.opened(SAMPLE)
    found = await hover(session, document, '["W","K",1,1]', 2)
    assert "can go to b2" in found.contents.value


async def test_no_hover(session):
    document = await session.opened("\n" + SAMPLE)
    assert await session.client.text_document_hover_async(lsp.HoverParams(document.id, lsp.Position(0, 0))) is None


# ---- Completion ----

CHESS = "chess {\n  board 7k/8/8/8/8/8/8/R6K\n  X\n}"
SOLITAIRE = "solitaire {\n  board .....B..RP.....N\n  X\n}"

# The text, what is offered among others, what is not, and the text after the first of them.
COMPLETIONS = {
    "a game": ("sol¦", ["solitaire"], ["chess"], "solitaire"),
    "a query": (SOLITAIRE.replace("X", "so¦"), ["solve", "source"], ["mate"], SOLITAIRE.replace("X", "solve")),
    "in a word": (SOLITAIRE.replace("X", "so¦lve"), ["solve"], [], SOLITAIRE.replace("X", "solve")),
    "at its end": (CHESS.replace("X", "mate¦"), ["mate"], [], CHESS.replace("X", "mate")),
    "a value": (CHESS.replace("X", "turn ¦"), ["white", "black"], ["solve"], CHESS.replace("X", "turn white")),
    "in a value": (CHESS.replace("X", "turn wh¦ite"), ["white"], ["black"], CHESS.replace("X", "turn white")),
    "a rule": (SOLITAIRE.replace("X", "rules ra¦"), ["ranger"], ["solo"], SOLITAIRE.replace("X", "rules ranger")),
    "a code": (SOLITAIRE.replace("X", "allow uns¦"), ["unsolvable"], ["kings"], SOLITAIRE.replace("X", "allow unsolvable")),
    "a move": (CHESS.replace("X", "move Ra¦"), ["Ra8"], ["Rb1"], CHESS.replace("X", "move Ra8")),
    "an answer": (CHESS.replace("X", "mate => ch¦"), ["check", "checkmate"], ["legal"], CHESS.replace("X", "mate => check")),
    "a capture": (SOLITAIRE.replace("X", "solve => [¦]"), ["d1xb2", "a2xb2"], [], SOLITAIRE.replace("X", "solve => [[[3,0], [1,1]]]")),
    "a later capture": (
        SOLITAIRE.replace("X", "solve => [[[3,0],[1,1]], ¦]"),
        ["a2xb2"],
        ["d1xb2"],
        SOLITAIRE.replace("X", "solve => [[[3,0],[1,1]], [[0,1], [1,1]]]"),
    ),
    "after an emoji": ('chess { note "🐴é" tu¦', ["turn"], [], 'chess { note "🐴é" turn'),
}


async def completion(session, document, at) -> list[lsp.CompletionItem]:
    found = await session.client.text_document_completion_async(
        lsp.CompletionParams(document.id, document.position(at))
    )
    return list(found.items if isinstance(found, lsp.CompletionList) else found or [])


def inserted(document, at, item: lsp.CompletionItem) -> str:
    edit = item.text_edit
    if isinstance(edit, lsp.InsertReplaceEdit):
        edit = lsp.TextEdit(edit.replace, edit.new_text)
    # The range must be on the line of the cursor and hold it.
    assert edit.range.start.line == edit.range.end.line == document.position(at).line
    start, end = document.span(edit.range)
    assert start <= at <= end
    return document.applied([edit, *(item.additional_text_edits or [])])


@pytest.mark.filterwarnings("ignore:Client does not support documentation format")
@pytest.mark.parametrize("case", COMPLETIONS)
async def test_completion(session, case):
    source, offered, not_offered, after = COMPLETIONS[case]
    text, at = cursor(source)
    document = session.open(text)
    items = {item.label: item for item in await completion(session, document, at)}
    assert [label for label in offered if label not in items] == []
    assert [label for label in not_offered if label in items] == []
    assert inserted(document, at, items[offered[0]]) == after


async def test_completion_in_a_move(session):
    text, at = cursor(CHESS.replace("X", "move R¦a8"))
    document = session.open(text)
    (item,) = [item for item in await completion(session, document, at) if item.label == "Ra8"]
    assert inserted(document, at, item) == text


async def test_captures_that_keep_it_solvable_come_first(session):
    text, at = cursor(SOLITAIRE.replace("X", "solve => [¦]"))
    document = session.open(text)
    items = sorted(await completion(session, document, at), key=lambda item: item.sort_text or item.label)
    assert [item.label for item in items][0] == "d1xb2"
    assert "solvable" in items[0].detail


@pytest.mark.filterwarnings("ignore:Client does not support documentation format")
async def test_snippets(session):
    """A whole puzzle can be inserted; with places to fill in where the client knows such."""
    document = session.open("")
    items = [item for item in await completion(session, document, 0) if "puzzle" in item.label]
    assert len(items) == 4
    can = bool(session.can("text_document.completion.completion_item.snippet_support"))
    for item in items:
        new = item.text_edit.new_text
        assert (item.insert_text_format == lsp.InsertTextFormat.Snippet) == can
        assert ("$" in new) == can


async def test_documentation_format(session):
    """Markdown is for those who said that they can show it."""
    document = session.open("")
    await completion(session, document, 0)


@pytest.mark.parametrize("needle", ['"R,', "🐴", "// ", "8/8/8"])
async def test_no_noise(session, needle):
    """Nothing is offered inside strings and comments."""
    document = session.open('// a comment\nchess "K 🐴" { board 7k/8/8/8/8/8/8/R6K note "R, B" }')
    assert await completion(session, document, document.find(needle) + len(needle)) == []
