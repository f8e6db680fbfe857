"""Hover and completion."""

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

# A string in the text and an offset into it; the text that the hover covers; words that it contains.
HOVERS = {
    "board": ("board", 1, "board\n    . . . .\n    . B . .\n    R P . .\n    . . . N", [" a b c d"]),
    "solitaire piece": ("B . .", 0, "B", ["bishop", "b3", "d1", "a2"]),
    "chess piece": ('["W","R",5,2]', 2, '["W","R",5,2]', ["rook", "e2", "e3", "e8"]),
    "chess3d piece": ("n##", 0, "n", ["knight", "a2 (III)"]),
    "step": ("[[0,1], [1,1]]", 3, "[[0,1], [1,1]]", ["a2xb2"]),
    "solve query": ("solve =>", 1, None, ["verified", "solve"]),
    "illegal move": ("move Ra2", 6, "move Ra2", ["illegal", "pinned by the rook on e8"]),
    "mate query": ("mate\n", 1, "mate", ["none", "mate"]),
    "mate of a side": ("mate => true", 1, "mate => true", ["checkmate", "b2", "knight on a2"]),
    "keyword": ("allow", 2, "allow", ["allow", "silences"]),
    "code": ("illegal-move", 2, "illegal-move", ["illegal-move", "error"]),
}


async def hover(session, document, needle, into=0):
    return await session.client.text_document_hover_async(lsp.HoverParams(document.id, document.position_of(needle, into)))


@pytest.mark.parametrize("case", HOVERS)
async def test_hover_covers_and_explains(session, case):
    needle, into, covered, words = HOVERS[case]
    document = await session.open_checked(SAMPLE)
    found = await hover(session, document, needle, into)
    assert found.contents.kind in session.supports("text_document.hover.content_format")
    if covered is not None:
        assert document.slice(found.range) == covered
    text = found.contents.value.replace("\\", "")
    if "data:image/svg+xml" in text:
        # Only VS Code shows images; they are data URIs, so nothing is downloaded.
        assert session.editor.startswith("vscode")
        words = [word for word in words if word != " a b c d"]
    assert [word for word in words if word not in text] == []


async def test_hover_on_draughts_king_lists_quiet_moves(session):
    document = await session.open_checked(SAMPLE)
    found = await hover(session, document, '["W","K",1,1]', 2)
    assert "can go to b2" in found.contents.value


async def test_hover_on_empty_line_is_null(session):
    document = await session.open_checked("\n" + SAMPLE)
    assert await session.client.text_document_hover_async(lsp.HoverParams(document.id, lsp.Position(0, 0))) is None


# ---- Completion ----

CHESS = "chess {\n  board 7k/8/8/8/8/8/8/R6K\n  X\n}"
SOLITAIRE = "solitaire {\n  board .....B..RP.....N\n  X\n}"

# The text; labels that are offered; labels that are not; the text after choosing the first label.
COMPLETIONS = {
    "game": ("sol¦", ["solitaire"], ["chess"], "solitaire"),
    "query": (SOLITAIRE.replace("X", "so¦"), ["solve", "source"], ["mate"], SOLITAIRE.replace("X", "solve")),
    "inside a word": (SOLITAIRE.replace("X", "so¦lve"), ["solve"], [], SOLITAIRE.replace("X", "solve")),
    "at the end of a word": (CHESS.replace("X", "mate¦"), [], ["mate"], None),
    "in a row": ("solitaire {\n  board\n    . . . N¦\n}", [], ["note"], None),
    "value": (CHESS.replace("X", "turn ¦"), ["white", "black"], ["solve"], CHESS.replace("X", "turn white")),
    "inside a value": (CHESS.replace("X", "turn wh¦ite"), ["white"], ["black"], CHESS.replace("X", "turn white")),
    "rule": (SOLITAIRE.replace("X", "rules ra¦"), ["ranger"], ["solo"], SOLITAIRE.replace("X", "rules ranger")),
    "code": (SOLITAIRE.replace("X", "allow uns¦"), ["unsolvable"], ["too-many-kings"], SOLITAIRE.replace("X", "allow unsolvable")),
    "move": (CHESS.replace("X", "move Ra¦"), ["Ra8+"], ["Rb1"], CHESS.replace("X", "move Ra8+")),
    "answer": (CHESS.replace("X", "mate => ch¦"), ["check", "checkmate"], ["legal"], CHESS.replace("X", "mate => check")),
    "first capture": (SOLITAIRE.replace("X", "solve => [¦]"), ["d1xb2", "a2xb2"], [], SOLITAIRE.replace("X", "solve => [[[3,0], [1,1]]]")),
    "later capture": (
        SOLITAIRE.replace("X", "solve => [[[3,0],[1,1]], ¦]"),
        ["a2xb2"],
        ["d1xb2"],
        SOLITAIRE.replace("X", "solve => [[[3,0],[1,1]], [[0,1], [1,1]]]"),
    ),
    "after an emoji": ('chess { note "🐴é"\n  tu¦', ["turn"], [], 'chess { note "🐴é"\n  turn'),
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
    # The range must be on the line of the cursor and contain the cursor.
    assert edit.range.start.line == edit.range.end.line == document.position(at).line
    start, end = document.span(edit.range)
    assert start <= at <= end
    return document.apply([edit, *(item.additional_text_edits or [])])


@pytest.mark.filterwarnings("ignore:Client does not support documentation format")
@pytest.mark.parametrize("case", COMPLETIONS)
async def test_completion_offers_and_inserts(session, case):
    source, offered, not_offered, after = COMPLETIONS[case]
    text, at = cursor(source)
    document = session.open(text)
    items = {item.label: item for item in await completion(session, document, at)}
    assert [label for label in offered if label not in items] == []
    assert [label for label in not_offered if label in items] == []
    if offered:
        assert inserted(document, at, items[offered[0]]) == after


async def test_completion_inside_move_replaces_whole_move(session):
    text, at = cursor(CHESS.replace("X", "move R¦a8"))
    document = session.open(text)
    (item,) = [item for item in await completion(session, document, at) if item.label == "Ra8"]
    assert inserted(document, at, item) == text


async def test_completion_sorts_captures_that_keep_puzzle_solvable_first(session):
    text, at = cursor(SOLITAIRE.replace("X", "solve => [¦]"))
    document = session.open(text)
    items = sorted(await completion(session, document, at), key=lambda item: item.sort_text or item.label)
    assert [item.label for item in items][0] == "d1xb2"
    assert "solvable" in items[0].detail


@pytest.mark.filterwarnings("ignore:Client does not support documentation format")
async def test_completion_offers_puzzles_as_snippets_if_supported(session):
    document = session.open("")
    items = [item for item in await completion(session, document, 0) if "puzzle" in item.label]
    assert len(items) == 4
    can = bool(session.supports("text_document.completion.completion_item.snippet_support"))
    for item in items:
        new = item.text_edit.new_text
        assert (item.insert_text_format == lsp.InsertTextFormat.Snippet) == can
        assert ("$" in new) == can


async def test_completion_documentation_format_is_supported(session):
    """pytest-lsp raises a warning for an undeclared format."""
    document = session.open("")
    await completion(session, document, 0)


@pytest.mark.parametrize("needle", ['"R,', "🐴", "// ", "8/8/8"])
async def test_completion_is_empty_in_strings_and_comments(session, needle):
    document = session.open('// a comment\nchess "K 🐴" { board 7k/8/8/8/8/8/8/R6K note "R, B" }')
    assert await completion(session, document, document.find(needle) + len(needle)) == []
