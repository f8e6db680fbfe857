"""Inlay hints, code lenses, and their commands."""

import contextlib

import pytest
from lsprotocol import types as lsp

from conftest import check, cursor

# The text with the position of the hint, and the label of the hint.
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
        lsp.InlayHintParams(document.id, range or document.full_range())
    )
    return list(found or [])


def label(hint: lsp.InlayHint) -> str:
    return hint.label if isinstance(hint.label, str) else "".join(part.value for part in hint.label)


async def wait_for_hints(session, document, count):
    """The hints, once there are `count`; a search may still be running."""
    found = []
    async for _ in session.looks(f"{count} hints"):
        found = await hints(session, document)
        if len(found) == count:
            break
    return found


@pytest.mark.parametrize("case", HINTS)
async def test_hint_shows_answer_and_inserts_it(session, case):
    source, expected = HINTS[case]
    text, at = cursor(source)
    document = await session.open_checked(text)
    (hint,) = await wait_for_hints(session, document, 1)
    assert label(hint) == expected
    assert document.offset(hint.position) == at
    assert hint.tooltip
    # After the insertion there is no hint and no finding.
    text = document.apply(hint.text_edits)
    assert check(text) == []
    start = document.offset(hint.text_edits[0].range.start)
    session.change(document, (start, start, hint.text_edits[0].new_text))
    await session.assert_findings(document, [])
    assert await hints(session, document) == []


async def test_hints_are_short_and_leave_errors_to_findings(session):
    document = await session.open_checked(
        "chess { board 4r2k/8/8/8/8/8/4R3/4K3 move Ra2 }\n"
        "solitaire { board ...NB..R..Q....P solve count }\n"
    )
    found = await wait_for_hints(session, document, 2)
    assert [hint.position.line for hint in found] == [1, 1]
    assert all(len(label(hint)) <= 28 for hint in found)


async def test_hints_are_limited_to_range(session):
    one = "chess { board 7k/8/8/8/8/8/8/R6K mate }\n"
    document = await session.open_checked(one + "\n" + one.replace("R6K", "1R5K"))
    await wait_for_hints(session, document, 2)
    (hint,) = await hints(session, document, document.range(0, len(one) - 1))
    assert hint.position.line == 0


# ---- Code lenses ----

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


async def test_lenses_show_state_of_answers(session):
    document = await session.open_checked(
        "solitaire { board .....B..RP.....N solve => [[[3,0],[1,1]],[[0,1],[1,1]],[[1,1],[1,2]]] }\n"
        "solitaire { board ...NB..R..Q....P solve => [[[3,3],[1,1]]] }\n"
        "solitaire { board ...NB..R..Q....P count }\n"
    )
    titles = {
        line: [lens.command.title for lens in await lenses(session, document) if lens.range.start.line == line]
        for line in range(3)
    }
    assert titles[0] == ["✓ verified"]
    assert [title.startswith("✗ step 1: ") for title in titles[1]] == [True]
    assert titles[2] == ["1 open", "Insert"]  # No hint: a count is not answered with moves.


async def test_lenses_are_above_puzzles_only(session):
    document = await session.open_checked(ALL_GAMES)
    found = {(lens.range.start.line, lens.command.title) for lens in await lenses(session, document)}
    assert found == {
        (0, "2 open"), (0, "Insert all"), (0, "Hint"),
        (5, "2 open"), (5, "Insert all"),
        (10, "1 open"), (10, "Insert"),
        (14, "1 open"), (14, "Insert"), (14, "Hint"),
    }


@pytest.mark.parametrize("line", [0, 5, 10, 14])
async def test_lens_inserts_answers_of_its_puzzle(session, line):
    document = await session.open_checked(ALL_GAMES)
    (lens,) = [
        lens
        for lens in await lenses(session, document)
        if lens.range.start.line == line and lens.command.title.startswith("Insert")
    ]
    text = await session.execute(lens.command, document)
    assert check(text) == []
    # Only this puzzle has changed.
    old, new = ALL_GAMES.split("\n"), text.split("\n")
    changed = [i for i in range(len(old)) if old[i] != new[i]]
    assert len(changed) == (2 if line < 10 else 1)
    assert all(new[i].count(" => ") == 1 and line <= i < line + 5 for i in changed)


async def test_command_inserts_all_answers(session):
    document = await session.open_checked(ALL_GAMES)
    place = {"uri": document.uri, "version": document.version, "position": {"line": 0, "character": 0}}
    text = await session.execute(lsp.Command(title="", command="cpz.insertAllAnswers", arguments=[place]), document)
    assert text.count("=>") == 6
    assert check(text) == []


async def test_command_of_older_version_edits_nothing_wrong(session):
    """A lens of an older version may be refused, or must still insert a correct answer."""
    document = await session.open_checked(ALL_GAMES)
    command = (await commands(session, document, "Insert all"))[0]
    session.change(document, (0, 0, "// one line more\n// and another\n"))
    before = len(session.edits)
    try:
        await session.client.workspace_execute_command_async(
            lsp.ExecuteCommandParams(command=command.command, arguments=command.arguments)
        )
    except Exception as refused:
        assert str(refused)
    # One that is inserted is the only one of its version; otherwise the lens of this version inserts it.
    command = (await commands(session, document, "Insert all"))[0]
    with contextlib.suppress(Exception):
        await session.client.workspace_execute_command_async(
            lsp.ExecuteCommandParams(command=command.command, arguments=command.arguments)
        )
    await session.wait_until(lambda: len(session.edits) > before, "workspace/applyEdit")
    for edit in session.edits[before:]:
        assert check(session.apply_edit(edit.edit, document)) == []


async def test_unknown_command_is_refused(session):
    with pytest.raises(Exception):
        await session.client.workspace_execute_command_async(lsp.ExecuteCommandParams(command="cpz.none", arguments=[]))
    # The server still works.
    await session.open_checked("")
