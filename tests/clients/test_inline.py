"""Answers shown in the text: inlay hints, and code lenses with the commands behind them."""

import asyncio

import pytest
from lsprotocol import types as lsp

from conftest import check, cursor

# Where the hint stands, its label, and whether a click inserts it: `none` and `illegal` would
# silence a finding, so those may be left to the person.
HINTS = {
    "solve": ("solitaire { board .....B..RP.....N solve¦ }", "⇒ d1xb2 a2xb2 b2xb3"),
    "count": ("solitaire { board .....B..RP.....N count¦ }", "⇒ 1 solution"),
    "legal": ('chess { board [["B","K",3,8], ["W","K",5,1], ["W","R",8,1]] move ["W","R",8,2]¦ }', "⇒ legal"),
    "san": ("chess { board 7k/8/8/8/8/8/8/R6K move Ra8+¦ }", "⇒ legal"),
    "stalemate": ("chess { board k7/2K5/1Q6/8/8/8/8/8 turn black mate¦ }", "⇒ stalemate"),
    "checkmate": ("chess3d { board [###,n##,#rr],[#b#,###,###],[###,###,bRK] mate¦ }", "⇒ checkmate"),
    "capture": ('draughts { board [["W","K",1,1], ["B","M",3,3], ["B","M",5,5]] capture¦ }', "⇒ 2 men"),
    "after an emoji": ('chess { note "🐴é" board 7k/8/8/8/8/8/8/R6K mate¦ }', "⇒ none"),
    "crlf": ("// 🐴\r\nsolitaire {\r\n  board\r\n    R N\r\n    . B\r\n  solve¦\r\n}\r\n", "⇒ a2xb2 b2xb1"),
}


async def hints(session, document, range=None):
    found = await session.client.text_document_inlay_hint_async(
        lsp.InlayHintParams(document.id, range or document.whole())
    )
    return list(found or [])


def label(hint: lsp.InlayHint) -> str:
    return hint.label if isinstance(hint.label, str) else "".join(part.value for part in hint.label)


async def settled(session, document, count):
    """The hints once there are so many; a search may still be under way."""
    found = []
    for _ in range(200):
        found = await hints(session, document)
        if len(found) == count:
            break
        await asyncio.sleep(0.01)
    return found


@pytest.mark.parametrize("case", HINTS)
async def test_hint(session, case):
    source, expected = HINTS[case]
    text, at = cursor(source)
    document = await session.opened(text)
    (hint,) = await settled(session, document, 1)
    assert label(hint) == expected
    assert document.offset(hint.position) == at
    assert hint.tooltip
    # A click writes the answer; then there is nothing left to hint at, and nothing wrong.
    text = document.applied(hint.text_edits)
    assert check(text) == []
    start = document.offset(hint.text_edits[0].range.start)
    session.change(document, (start, start, hint.text_edits[0].new_text))
    await session.shows(document, [])
    assert await hints(session, document) == []


async def test_illegal(session):
    document = await session.opened('chess { board 4r2k/8/8/8/8/8/4R3/4K3 move Ra2 }')
    (hint,) = await settled(session, document, 1)
    assert label(hint).startswith("⇒ illegal: ")


async def test_hints_of_a_range(session):
    """Only the lines on the screen are asked for."""
    one = "chess { board 7k/8/8/8/8/8/8/R6K mate }\n"
    document = await session.opened(one + "\n" + one.replace("R6K", "1R5K"))
    await settled(session, document, 2)
    (hint,) = await hints(session, document, document.range(0, len(one) - 1))
    assert hint.position.line == 0


# ---- Lenses ----

ALL_GAMES = """solitaire "Sample" {
  board .....B..RP.....N
  solve
  count
}
chess "Rook" {
  board [["B","K",3,8], ["W","K",5,1], ["W","R",8,1]]
  move ["W","R",8,2]
  mate
}
chess3d "Mate" {
  board [###,n##,#rr],[#b#,###,###],[###,###,bRK]
  mate
}
draughts "King 🐴" { board [["W","K",1,1], ["B","M",3,3], ["B","M",5,5]] capture }
"""


async def lenses(session, document) -> list[lsp.CodeLens]:
    """All lenses, resolved."""
    bare = await session.client.text_document_code_lens_async(lsp.CodeLensParams(document.id))
    assert [lens for lens in bare if lens.range.start.line != lens.range.end.line] == [], "a lens spans one line"
    return [
        lens if lens.command else await session.client.code_lens_resolve_async(lens) for lens in bare
    ]


async def commands(session, document, title: str) -> list[lsp.Command]:
    return [lens.command for lens in await lenses(session, document) if lens.command.title == title]


async def test_states(session):
    document = await session.opened(
        "solitaire { board .....B..RP.....N solve => [[[3,0],[1,1]],[[0,1],[1,1]],[[1,1],[1,2]]] }\n"
        "solitaire { board ...NB..R..Q....P solve => [[[3,3],[1,1]]] }\n"
        "solitaire { board ...NB..R..Q....P count }\n"
    )
    titles = {
        line: [lens.command.title for lens in await lenses(session, document) if lens.range.start.line == line]
        for line in range(3)
    }
    assert "✓ verified" in titles[0]
    assert any("step 1" in title for title in titles[1])
    assert any(title.startswith("4 solutions") for title in titles[2])


@pytest.mark.parametrize("query", ["solve", "count", 'move ["W","R",8,2]', "mate", "capture"])
async def test_insert_one(session, query):
    document = await session.opened(ALL_GAMES)
    (lens,) = [
        lens
        for lens in await lenses(session, document)
        if lens.range.start == document.at(query) and lens.command.title.startswith("Insert ") and "all" not in lens.command.title
    ]
    text = await session.execute(lens.command, document)
    assert check(text) == []
    # One query has its answer now, and nothing else has changed.
    before, after = ALL_GAMES.split(query, 1)
    assert text.startswith(before + query + " => ")
    assert text.endswith(after)


async def test_insert_all(session):
    document = await session.opened(ALL_GAMES)
    command = (await commands(session, document, "Insert all answers in the file"))[0]
    text = await session.execute(command, document)
    assert text.count("=>") == 6
    assert check(text) == []


async def test_show_the_next_move_only(session):
    document = await session.opened(ALL_GAMES)
    before = len(session.edits)
    command = (await commands(session, document, "Show the next move"))[0]
    await session.client.workspace_execute_command_async(
        lsp.ExecuteCommandParams(command=command.command, arguments=command.arguments)
    )
    await session.eventually(lambda: session.client.messages)
    assert len(session.edits) == before
    (message,) = [message.message for message in session.client.messages]
    assert "d1xb2" in message
    assert "a2xb2" not in message


async def test_stale_command(session):
    """A lens of an older text must not write into a newer one where it does not belong."""
    document = await session.opened(ALL_GAMES)
    command = (await commands(session, document, "Insert solution"))[0]
    session.change(document, (0, 0, "// one line more\n// and another\n"))
    before = len(session.edits)
    try:
        await session.client.workspace_execute_command_async(
            lsp.ExecuteCommandParams(command=command.command, arguments=command.arguments)
        )
    except Exception as refused:
        assert str(refused)
    await session.eventually(lambda: len(session.edits) > before, 0.1)
    for edit in session.edits[before:]:
        assert check(session.changed(edit.edit, document)) == []


async def test_unknown_command(session):
    with pytest.raises(Exception):
        await session.client.workspace_execute_command_async(lsp.ExecuteCommandParams(command="cpz.none", arguments=[]))
    # The server goes on.
    await session.opened("")
